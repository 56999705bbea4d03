//! Room: media, the size of a JPEG.
//!
//! In: the bytes of a file from its start, piece by piece. Out: width and height out of its first
//! frame header.
//!
//! Why so: a JPEG is a row of segments: FF (any number of them), a code, and for most codes a
//! length that counts itself. Only the first frame header is of interest, and it may stand
//! behind a thumbnail of 60 kB; so lengths are counted down and nothing is kept but the seven
//! bytes behind that one code. A byte that is no FF where a marker must stand, a length below two,
//! the end and a scan end the search: the size is unknown then.

/// Walks the segments of a JPEG to its first frame header.
#[derive(Clone, Default, Debug)]
pub(super) struct Frame {
    part: Part,
    /// Length, precision, height and width as they stand.
    bytes: [u8; 7],
    edges: Option<(u64, u64)>,
}

/// What comes next in a JPEG.
#[derive(Clone, Copy, Default, Debug)]
enum Part {
    /// The first byte of the start marker.
    #[default]
    Start,
    /// The second byte of the start marker.
    Image,
    /// The FF of a marker.
    Marker,
    /// The code of a marker, or one more FF to fill.
    Code,
    /// The first byte of a segment's length.
    High,
    /// The second byte of a segment's length, behind this first one.
    Low(u8),
    /// So many bytes of a segment.
    Segment(usize),
    /// The byte of this number behind a frame's marker.
    Frame(usize),
    /// Nothing that matters.
    Over,
}

impl Frame {
    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !self.is_over()
            && let Some((&byte, behind)) = rest.split_first()
        {
            if let Part::Segment(left) = self.part {
                let passed = left.min(rest.len());
                rest = rest.get(passed..).unwrap_or_default();
                self.part = segment(left - passed);
            } else {
                rest = behind;
                self.step(byte);
            }
        }
    }

    /// Whether more bytes could change what is known.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.part, Part::Over)
    }

    /// Width and height in pixels.
    pub(super) fn edges(&self) -> Option<(u64, u64)> {
        self.edges
    }

    fn step(&mut self, byte: u8) {
        self.part = match (self.part, byte) {
            (Part::Start, 0xFF) => Part::Image,
            (Part::Image, 0xD8) => Part::Marker,
            (Part::Marker | Part::Code, 0xFF) => Part::Code,
            (Part::Code, code) => behind_code(code),
            (Part::High, high) => Part::Low(high),
            (Part::Low(high), low) => {
                let length = usize::from(u16::from_be_bytes([high, low]));
                length.checked_sub(2).map_or(Part::Over, segment)
            }
            (Part::Frame(place), byte) => self.frame(place, byte),
            _ => Part::Over,
        };
    }

    fn frame(&mut self, place: usize, byte: u8) -> Part {
        if let Some(here) = self.bytes.get_mut(place) {
            *here = byte;
        }
        if place + 1 < self.bytes.len() {
            return Part::Frame(place + 1);
        }
        let [_, _, _, height @ .., width_high, width_low] = self.bytes;
        let width = u16::from_be_bytes([width_high, width_low]);
        self.edges = Some((width.into(), u16::from_be_bytes(height).into()));
        Part::Over
    }
}

/// What comes behind a marker: nothing (01, D0–D8), the end or a scan, a frame header, or a
/// segment.
fn behind_code(code: u8) -> Part {
    match code {
        0x01 | 0xD0..=0xD8 => Part::Marker,
        0xD9 | 0xDA => Part::Over,
        0xC4 | 0xC8 | 0xCC => Part::High,
        0xC0..=0xCF => Part::Frame(0),
        _ => Part::High,
    }
}

fn segment(left: usize) -> Part {
    if left == 0 { Part::Marker } else { Part::Segment(left) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same for every cut into two and for single bytes.
    fn edges(bytes: &[u8]) -> Option<(u64, u64)> {
        let read = |pieces: &[&[u8]]| {
            let mut frame = Frame::default();
            for piece in pieces {
                frame.feed(piece);
            }
            frame.edges()
        };
        let whole = read(&[bytes]);
        for end in 0..bytes.len() {
            assert_eq!(read(&[&bytes[..end], &[], &bytes[end..]]), whole, "{bytes:x?} at {end}");
        }
        assert_eq!(read(&bytes.chunks(1).collect::<Vec<_>>()), whole, "{bytes:x?}");
        whole
    }

    fn parts(parts: &[&[u8]]) -> Vec<u8> {
        parts.concat()
    }

    const FRAME: &[u8] = b"\xFF\xC0\x00\x0B\x08\x00\x09\x03\xE7";
    const SIZE: Option<(u64, u64)> = Some((999, 9));

    fn jpeg(segments: &[u8]) -> Vec<u8> {
        parts(&[b"\xFF\xD8", segments])
    }

    #[test]
    fn a_frame_is_read_when_its_width_has_come() {
        let bytes = jpeg(FRAME);
        for end in 0..=bytes.len() {
            assert_eq!(edges(&bytes[..end]), SIZE.filter(|_| end == bytes.len()));
        }
        assert!(edges(b"\xFE\xD8\xFF\xC0\x00\x0B\x08\x00\x09\x03\xE7").is_none());
        assert!(edges(b"\xFF\xD9\xFF\xC0\x00\x0B\x08\x00\x09\x03\xE7").is_none());
    }

    #[test]
    fn frames_are_found_behind_what_may_stand_before_them() {
        let before: [&[u8]; 9] = [
            b"\xFF\xE0\x00\x10JJJJJJJJJJJJJJ",
            b"\xFF\xFF\xFF",
            b"\xFF\x01\xFF\xD0\xFF\xD7\xFF\xD8",
            b"\xFF\xC4\x00\x02",
            b"\xFF\xC8\x00\x04\0\0",
            b"\xFF\xCC\x00\x04\0\0",
            b"\xFF\xBF\x00\x04\0\0\xFF\xFE\x00\x03J",
            b"\xFF\xDB\x01\x00",
            b"\xFF\x00\x00\x02",
        ];
        for (place, bytes) in before.into_iter().enumerate() {
            let fill = if place == 7 { vec![0xFF; 0xFE] } else { Vec::new() };
            assert_eq!(edges(&jpeg(&parts(&[bytes, &fill, FRAME]))), SIZE, "{bytes:x?}");
        }
    }

    #[test]
    fn the_frames_of_a_jpeg_are_told_by_their_codes() {
        for code in 0xC0..=0xCF_u8 {
            let one = jpeg(&[0xFF, code, 0, 11, 8, 0, 9, 3, 0xE7]);
            let is_frame = !matches!(code, 0xC4 | 0xC8 | 0xCC);
            assert_eq!(edges(&one), SIZE.filter(|_| is_frame), "{code:x}");
        }
    }

    #[test]
    fn a_broken_or_ended_jpeg_has_no_edges() {
        let before: [&[u8]; 7] = [
            b"\xFF\xD9",
            b"\xFF\xDA\x00\x02",
            b"\xFF\xFE\x00\x00",
            b"\xFF\xFE\x00\x01",
            b"\xFF\xFE\x00\x03",
            b"\xFF\xFE\x00\x02\x00",
            b"\xFF\xE0\x00\x10",
        ];
        for bytes in before {
            assert_eq!(edges(&jpeg(&parts(&[bytes, FRAME]))), None, "{bytes:x?}");
        }
    }
}
