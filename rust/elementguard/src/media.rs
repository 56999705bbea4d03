//! Room: what the first bytes of a picture, a sound or a document say (5.5).
//!
//! In: the decoded bytes of a base64 text, piece by piece. Out: the format they have by their
//! signature (`wrong-media-type`, `limit-media-type`), and of a picture its width and height
//! (`limit-image-edge`), without decoding it.
//!
//! Why so: all signatures, and the sizes of PNG, GIF, BMP and WebP, lie within the first 30
//! bytes; these are kept and looked at when someone asks, so that a signature that is cut needs
//! no care. A JPEG alone has its size at no fixed place (`jpeg`). What lies past the first 64 KiB, or is cut, is unknown
//! and no finding: a host that wants to be sure decodes the picture anyway, and a reader that
//! follows a file's lengths through all of it would do the sender's bidding.
//!
//! What the sender says it is (`declared`) is read beside it, and the two meet in the rules.
//! The order of the formats is the order in which they are tried and that of the table `MEDIA`.

mod declared;
mod jpeg;

pub(crate) use declared::{MediaType, is_name_of, is_of, row_of};

use jpeg::Frame;

/// How many bytes from the start are kept.
const KEPT: usize = 32;

/// How many bytes from the start are read at all.
const READ: usize = 64 * 1024;

/// Rows of the table `MEDIA`.
pub(crate) const PNG: usize = 0;
const JPEG: usize = 1;
const GIF: usize = 2;
const WEBP: usize = 3;
const BMP: usize = 4;
const TIFF: usize = 5;
const PDF: usize = 6;
const WAV: usize = 7;
const MP3: usize = 8;
const OGG: usize = 9;
const FLAC: usize = 10;
const MP4: usize = 11;

/// The letters of base64 that a PNG begins with: those of its signature, and of no byte behind it that is above 0x3F.
pub(crate) const PNG_LETTERS: &[u8; 11] = b"iVBORw0KGgo";

/// Reads the start of a file.
#[derive(Clone, Default, Debug)]
pub(crate) struct Header {
    kept: [u8; KEPT],
    length: usize,
    read: usize,
    frame: Frame,
}

impl Header {
    /// Takes the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let bytes = bytes.get(..READ - self.read).unwrap_or(bytes);
        self.read += bytes.len();
        if self.length < KEPT {
            self.keep(bytes);
        }
        self.frame.feed(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = self.kept.get_mut(self.length..).unwrap_or_default();
        let bytes = bytes.get(..room.len()).unwrap_or(bytes);
        if let Some(room) = room.get_mut(..bytes.len()) {
            room.copy_from_slice(bytes);
            self.length += bytes.len();
        }
    }

    /// Whether more bytes could change what is known; once false, for good.
    pub(crate) fn wants_more(&self) -> bool {
        self.length < KEPT || (self.read < READ && !self.frame.is_over())
    }

    /// The row of the table `MEDIA` of the format these bytes have.
    pub(crate) fn format(&self) -> Option<usize> {
        let known = [PNG, JPEG, GIF, WEBP, BMP, TIFF, PDF, WAV, MP3, OGG, FLAC, MP4];
        known.into_iter().find(|&row| self.has_signature(row))
    }

    /// The longer edge, in pixels.
    pub(crate) fn edge(&self) -> Option<u64> {
        self.edges().map(|(width, height)| width.max(height))
    }

    /// Width and height in pixels.
    pub(crate) fn edges(&self) -> Option<(u64, u64)> {
        match self.format()? {
            PNG => self.png(),
            JPEG => self.frame.edges(),
            GIF => Some((self.little::<2>(6)?, self.little::<2>(8)?)),
            WEBP => self.webp(),
            BMP => self.bmp(),
            _ => None,
        }
    }

    fn has_signature(&self, row: usize) -> bool {
        match row {
            PNG => self.has(0, b"\x89PNG\r\n\x1A\n"),
            JPEG => self.has(0, b"\xFF\xD8\xFF"),
            GIF => self.has(0, b"GIF87a") || self.has(0, b"GIF89a"),
            WEBP => self.has(0, b"RIFF") && self.has(8, b"WEBP"),
            BMP => self.has(0, b"BM") && self.bmp_header().is_some(),
            TIFF => self.has(0, b"II\x2A\0") || self.has(0, b"MM\0\x2A"),
            PDF => self.has(0, b"%PDF-"),
            WAV => self.has(0, b"RIFF") && self.has(8, b"WAVE"),
            MP3 => self.has(0, b"ID3") || self.is_mp3_frame(),
            OGG => self.has(0, b"OggS"),
            FLAC => self.has(0, b"fLaC"),
            MP4 => self.has(4, b"ftyp"),
            _ => false,
        }
    }

    /// MPEG audio's sync word with layer III.
    fn is_mp3_frame(&self) -> bool {
        self.has(0, b"\xFF") && self.at::<1>(1).is_some_and(|[byte]| byte & 0xE6 == 0xE2)
    }

    fn bmp_header(&self) -> Option<u64> {
        let known = [12, 16, 40, 52, 56, 64, 108, 124];
        self.little::<4>(14).filter(|size| known.contains(size))
    }

    fn png(&self) -> Option<(u64, u64)> {
        let big = |place| self.at(place).map(|bytes| u32::from_be_bytes(bytes).into());
        self.has(12, b"IHDR").then_some((big(16)?, big(20)?))
    }

    fn bmp(&self) -> Option<(u64, u64)> {
        if self.bmp_header()? == 12 {
            return Some((self.little::<2>(18)?, self.little::<2>(20)?));
        }
        let edge = |place| self.at(place).map(|b| i32::from_le_bytes(b).unsigned_abs().into());
        Some((edge(18)?, edge(22)?))
    }

    fn webp(&self) -> Option<(u64, u64)> {
        const LOW: u64 = 0x3FFF;
        if self.has(12, b"VP8X") {
            Some((self.little::<3>(24)? + 1, self.little::<3>(27)? + 1))
        } else if self.has(12, b"VP8L") && self.has(20, b"\x2F") {
            let bits = self.little::<4>(21)?;
            Some(((bits & LOW) + 1, (bits >> 14 & LOW) + 1))
        } else if self.has(12, b"VP8 ") && self.has(23, b"\x9D\x01\x2A") {
            Some((self.little::<2>(26)? & LOW, self.little::<2>(28)? & LOW))
        } else {
            None
        }
    }

    fn has(&self, place: usize, bytes: &[u8]) -> bool {
        let come = self.kept.get(place..self.length);
        come.is_some_and(|come| come.starts_with(bytes))
    }

    fn at<const N: usize>(&self, place: usize) -> Option<[u8; N]> {
        self.kept.get(place..self.length)?.first_chunk().copied()
    }

    fn little<const N: usize>(&self, place: usize) -> Option<u64> {
        let bytes = self.at::<N>(place)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::words::MEDIA;

    /// Row and edges; the same for every cut into two and for single bytes.
    fn judge(bytes: &[u8]) -> (Option<usize>, Option<(u64, u64)>) {
        let read = |pieces: &[&[u8]]| {
            let mut header = Header::default();
            for piece in pieces {
                header.feed(piece);
            }
            (header.format(), header.edges())
        };
        let whole = read(&[bytes]);
        for end in 0..bytes.len().min(300) {
            assert_eq!(read(&[&bytes[..end], &[], &bytes[end..]]), whole, "{bytes:x?} at {end}");
        }
        assert_eq!(read(&bytes.chunks(1).collect::<Vec<_>>()), whole, "{bytes:x?}");
        whole
    }

    fn edges(bytes: &[u8]) -> Option<(u64, u64)> {
        judge(bytes).1
    }

    /// What `edges` says of every shorter start: nothing before `enough` bytes.
    fn assert_needs(bytes: &[u8], enough: usize, expected: (u64, u64)) {
        for end in 0..=bytes.len() {
            assert_eq!(
                edges(&bytes[..end]),
                (end >= enough).then_some(expected),
                "{bytes:x?} {end}"
            );
        }
    }

    fn parts(parts: &[&[u8]]) -> Vec<u8> {
        parts.concat()
    }

    #[test]
    fn rows_are_those_of_the_table() {
        let names =
            ["png", "jpeg", "gif", "webp", "bmp", "tiff"].map(|name| format!("image/{name}"));
        for (row, name) in names.iter().enumerate() {
            assert_eq!(MEDIA[row].1[0], name);
        }
        let others =
            ["application/pdf", "audio/wav", "audio/mpeg", "audio/ogg", "audio/flac", "video/mp4"];
        assert!(others.iter().enumerate().all(|(row, name)| MEDIA[PDF + row].1[0] == *name));
        assert_eq!(MEDIA.len(), MP4 + 1);
    }

    #[test]
    fn signatures_are_known_when_they_are_whole() {
        let known: [(usize, &[u8]); 17] = [
            (PNG, b"\x89PNG\r\n\x1A\n"),
            (JPEG, b"\xFF\xD8\xFF"),
            (GIF, b"GIF87a"),
            (GIF, b"GIF89a"),
            (WEBP, b"RIFF\x01\x02\x03\x04WEBP"),
            (BMP, b"BM0123456789ab\x28\0\0\0"),
            (BMP, b"BM0123456789ab\x7C\0\0\0"),
            (TIFF, b"II\x2A\0"),
            (TIFF, b"MM\0\x2A"),
            (PDF, b"%PDF-"),
            (WAV, b"RIFF\x01\x02\x03\x04WAVE"),
            (MP3, b"ID3"),
            (MP3, b"\xFF\xFB"),
            (MP3, b"\xFF\xE2"),
            (OGG, b"OggS"),
            (FLAC, b"fLaC"),
            (MP4, b"\0\0\0\x20ftyp"),
        ];
        for (row, bytes) in known {
            assert_eq!(judge(bytes).0, Some(row), "{bytes:x?}");
            assert_eq!(judge(&parts(&[bytes, b"more"])).0, Some(row), "{bytes:x?}");
            for end in 0..bytes.len() {
                assert_eq!(judge(&bytes[..end]).0, None, "{bytes:x?} {end}");
            }
            assert_ne!(judge(&parts(&[b" ", bytes])).0, Some(row), "{bytes:x?}");
        }
    }

    #[test]
    fn near_signatures_are_none() {
        let none: [&[u8]; 13] = [
            b"GIF88a",
            b"\xFF\xD8\xFE",
            b"II\x2B\0",
            b"MM\x2A\0",
            b"%PDF ",
            b"Oggs",
            b"RIFF0123WEBp",
            b"BM",
            b"BM0123456789ab\x29\0\0\0",
            b"BM0123456789ab\x28\0\0\x01",
            b"\xFF\xFC",
            b"\xFF\xF1\0",
            b"\xFE\xFB",
        ];
        for bytes in none {
            assert_eq!(judge(bytes).0, None, "{bytes:x?}");
        }
        let layers = (0..=0xFF_u8).filter(|&byte| judge(&[0xFF, byte]).0 == Some(MP3));
        let expected = [0xE2, 0xE3, 0xEA, 0xEB, 0xF2, 0xF3, 0xFA, 0xFB];
        assert_eq!(layers.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn png_and_gif() {
        let png =
            parts(&[b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\x01\x02\x03\x04\x05\x06\x07\x08\x08\x06"]);
        assert_needs(&png, 24, (0x0102_0304, 0x0506_0708));
        assert_eq!(edges(b"\x89PNG\r\n\x1A\n\0\0\0\x0DCgBI\x01\x02\x03\x04\x05\x06\x07\x08"), None);
        assert_needs(b"GIF89a\x01\x02\x03\x04\x05", 10, (0x0201, 0x0403));
    }

    #[test]
    fn bmp() {
        let start = b"BM0123456789ab";
        assert_needs(&parts(&[start, b"\x0C\0\0\0\x01\x82\x03\x84\x05\x06"]), 22, (0x8201, 0x8403));
        for size in [16, 40, 52, 56, 64, 108, 124] {
            let bytes = parts(&[start, &[size, 0, 0, 0], b"\x01\x02\0\0\xFF\xFF\xFF\xFF\0"]);
            assert_needs(&bytes, 26, (0x0201, 1));
        }
        let least = parts(&[start, b"\x28\0\0\0\0\0\0\x80\xFF\xFF\xFF\x7F"]);
        assert_eq!(edges(&least), Some((0x8000_0000, 0x7FFF_FFFF)));
    }

    #[test]
    fn webp() {
        let start = b"RIFF\x40\0\0\0WEBP";
        let wide = parts(&[start, b"VP8X\x0A\0\0\0\0\0\0\0\x01\x02\x03\x04\x05\x06\0"]);
        assert_needs(&wide, 30, (0x03_0202, 0x06_0505));
        let lossy = parts(&[start, b"VP8 \x20\0\0\0\x30\x01\0\x9D\x01\x2A\x01\xC2\x03\x44\0"]);
        assert_needs(&lossy, 30, (0x0201, 0x0403));
        let bits = (0x3E6 | 8 << 14 | 1 << 28 | 7_u32 << 29).to_le_bytes();
        let lossless = parts(&[start, b"VP8L\x10\0\0\0\x2F", &bits, &[0]]);
        assert_needs(&lossless, 25, (999, 9));
        let full = parts(&[start, b"VP8L\x10\0\0\0\x2F\xFF\xFF\xFF\xFF"]);
        assert_eq!(edges(&full), Some((0x4000, 0x4000)));
        let broken: [&[u8]; 3] = [
            b"VP8L\x10\0\0\0\x2E\0\0\0\0\0",
            b"VP8 \x20\0\0\0\x30\x01\0\x9D\x01\x2B\x01\xC2\x03\x44",
            b"VP8Z\x0A\0\0\0\0\0\0\0\x01\x02\x03\x04\x05\x06\0",
        ];
        assert!(broken.iter().all(|bytes| edges(&parts(&[start, bytes])).is_none()));
    }

    #[test]
    fn a_frame_counts_only_within_the_first_64_kib() {
        let frame = b"\xFF\xC0\x00\x0B\x08\x00\x09\x03\xE7";
        for (end, expected) in [(READ, Some((999, 9))), (READ + 1, None)] {
            let mut bytes = b"\xFF\xD8\xFF\xE1\x9C\x40".to_vec();
            bytes.resize(4 + 0x9C40, b'J');
            let length = end - frame.len() - bytes.len() - 2;
            bytes.extend(b"\xFF\xE2");
            bytes.extend(u16::try_from(length).unwrap().to_be_bytes());
            bytes.resize(end - frame.len(), b'J');
            bytes.extend(frame);
            bytes.extend(b"more");
            assert_eq!(edges(&bytes), expected);
        }
    }

    #[test]
    fn no_more_is_wanted_once_all_is_known() {
        let mut header = Header::default();
        header.feed(&[b'G'; 31]);
        assert!(header.wants_more());
        header.feed(b"G");
        assert!(!header.wants_more());
        let mut header = Header::default();
        header.feed(b"\xFF\xD8\xFF\xE1\xFF\xFF");
        header.feed(&vec![0; READ - 7]);
        assert!(!header.frame.is_over() && header.wants_more());
        header.feed(&vec![0; 70_000]);
        assert!(!header.wants_more());
        header.feed(&[0; 10]);
        assert_eq!(header.edges(), None);
    }
}
