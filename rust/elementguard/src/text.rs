//! Room: what a string says about itself, character by character.
//!
//! In: the decoded text of one JSON string, in pieces. A piece is WTF-8: UTF-8 in which a lone
//! surrogate may stand as three bytes (ED A0..BF xx), since the answer may have escaped one.
//! Pieces end on character boundaries, so no machine here carries half a character over.
//! Out: the facts that 5.1's rules about strings ask for (`multiline-title`, `blank-title`,
//! `control-characters`, `limit-title`), and the quoted form in which a report may show a word.
//!
//! Why so: titles are by far the most frequent free text of an answer and nearly all of them are
//! printable ASCII. So each machine first measures the run of bytes U+0020..U+007E, which can
//! say nothing but "here is ink", in chunks that the compiler turns into vector code, and
//! decodes characters only where such a run ends. Facts only ever go from false to true, hence
//! a string cut in any way gives the same answer as the whole.
//!
//! Two families of strings differ in one point alone. In a title a line break has its own rule
//! and is no control; in a subrole, url or instance it is a control like any other, but only as
//! far as it is a C0 or C1 character: U+2028 and U+2029 are neither.

/// How many characters of a word a report shows.
const QUOTED: usize = 64;

/// The code points of a piece of WTF-8, lone surrogates included.
#[derive(Clone, Debug)]
pub(crate) struct Points<'a> {
    rest: &'a [u8],
}

impl<'a> Points<'a> {
    /// Reads `piece` from its start.
    pub(crate) fn of(piece: &'a [u8]) -> Self {
        Self { rest: piece }
    }

    /// The bytes that have not been read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl Iterator for Points<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (&first, rest) = self.rest.split_first()?;
        let (more, bits) = match first {
            0..=0xBF => (0, first),
            0xC0..=0xDF => (1, first & 0x1F),
            0xE0..=0xEF => (2, first & 0x0F),
            0xF0..=0xFF => (3, first & 0x07),
        };
        let (tail, rest) = rest.split_at_checked(more).unwrap_or((rest, &[]));
        self.rest = rest;
        let join = |point, &byte: &u8| point << 6 | u32::from(byte & 0x3F);
        Some(tail.iter().fold(u32::from(bits), join))
    }
}

/// How many code points `piece` holds.
pub(crate) fn count_points(piece: &[u8]) -> usize {
    piece.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// Whether a code point has the Unicode property `White_Space`.
pub(crate) fn is_white(point: u32) -> bool {
    matches!(
        point,
        0x09..=0x0D
            | 0x20
            | 0x85
            | 0xA0
            | 0x1680
            | 0x2000..=0x200A
            | 0x2028
            | 0x2029
            | 0x202F
            | 0x205F
            | 0x3000
    )
}

/// Whether a code point is a C0 control, DEL or a C1 control.
pub(crate) fn is_control(point: u32) -> bool {
    matches!(point, 0..=0x1F | 0x7F..=0x9F)
}

/// Whether there may be controls, line breaks or changes of direction in UTF-8 that has no control below U+0020: a DEL, or the first
/// byte of the few characters outside ASCII that are one of these.
pub(crate) fn may_be_controls(text: &[u8]) -> bool {
    text.iter().fold(false, |found, byte| found | matches!(byte, 0x7F | 0xC2 | 0xE2))
}

/// Whether a code point ends a line (`multiline-title`).
fn is_line_break(point: u32) -> bool {
    matches!(point, 0x0A..=0x0D | 0x85 | 0x2028 | 0x2029)
}

/// Whether a code point overrides or isolates the direction of text.
fn is_direction(point: u32) -> bool {
    matches!(point, 0x202A..=0x202E | 0x2066..=0x2069)
}

/// What a title says: the facts for `multiline-title`, `blank-title`, `control-characters` and
/// `limit-title`.
#[derive(Clone, Default, Debug)]
pub(crate) struct Title {
    points: u64,
    inked: bool,
    line_break: bool,
    controls: bool,
}

impl Title {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !rest.is_empty() {
            let (plain, other) = rest.split_at(plain_run(rest));
            self.points += plain.len() as u64;
            self.inked = self.inked || plain.iter().any(|&byte| byte != b' ');
            let mut points = Points::of(other);
            if let Some(point) = points.next() {
                self.note(point);
            }
            rest = points.rest();
        }
    }

    /// How many code points the title has; a lone surrogate is one.
    pub(crate) fn points(&self) -> u64 {
        self.points
    }

    /// Whether it is empty or nothing but white space.
    pub(crate) fn is_blank(&self) -> bool {
        !self.inked
    }

    /// Whether it has a line break.
    pub(crate) fn has_line_break(&self) -> bool {
        self.line_break
    }

    /// Whether it has a control or a change of direction, line breaks apart.
    pub(crate) fn has_controls(&self) -> bool {
        self.controls
    }

    fn note(&mut self, point: u32) {
        self.points += 1;
        self.inked = self.inked || !is_white(point);
        if is_line_break(point) {
            self.line_break = true;
        } else if is_control(point) || is_direction(point) {
            self.controls = true;
        }
    }
}

/// What a subrole, url or instance says: the fact for `control-characters`, and whether there is
/// any text at all (`empty-instance`).
#[derive(Clone, Default, Debug)]
pub(crate) struct Plain {
    filled: bool,
    controls: bool,
}

impl Plain {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        self.filled = self.filled || !piece.is_empty();
        let mut rest = piece;
        while !self.controls && !rest.is_empty() {
            let mut points = Points::of(rest.split_at(plain_run(rest)).1);
            let bad = |point| is_control(point) || is_direction(point);
            self.controls = points.next().is_some_and(bad);
            rest = points.rest();
        }
    }

    /// Whether not one character has come.
    pub(crate) fn is_empty(&self) -> bool {
        !self.filled
    }

    /// Whether it has a control or a change of direction; a line feed is a control here.
    pub(crate) fn has_controls(&self) -> bool {
        self.controls
    }
}

/// The form in which a report shows a word: its first 64 code points, then those escaped that
/// could disguise what a person reads, drive a terminal, or cannot stand in UTF-8 text.
pub(crate) fn quote(wtf8: &[u8]) -> String {
    let plain = wtf8.get(..QUOTED).unwrap_or(wtf8);
    if let Some(plain) = plain.get(..plain_run(plain)).and_then(|run| str::from_utf8(run).ok())
        && plain.len() == wtf8.len().min(QUOTED)
    {
        return plain.to_owned();
    }
    let mut quoted = String::new();
    for point in Points::of(wtf8).take(QUOTED) {
        match char::from_u32(point) {
            Some(shown) if !is_escaped(point) => quoted.push(shown),
            _ => push_escape(&mut quoted, point),
        }
    }
    quoted
}

/// Some bytes of the answer that are kept. As many as most words have need no memory of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    Few(u8, [u8; FEW]),
    Many(Box<[u8]>),
}

/// So that one is no longer than three words.
const FEW: usize = 22;

impl Text {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut few = [0; FEW];
        match few.get_mut(..bytes.len()) {
            Some(room) => {
                room.copy_from_slice(bytes);
                Self::Few(bytes.len() as u8, few)
            }
            None => Self::Many(bytes.into()),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Few(length, few) => few.get(..usize::from(*length)).unwrap_or_default(),
            Self::Many(bytes) => bytes,
        }
    }
}

/// As much of the start of a word as its quoted form needs, and little more.
pub(crate) fn quotable(wtf8: &[u8]) -> &[u8] {
    wtf8.get(..4 * QUOTED).unwrap_or(wtf8)
}

/// The text as it stands, with U+FFFD for a lone surrogate (values of the summary, pointers).
pub(crate) fn lossy(wtf8: &[u8]) -> String {
    // Both have three bytes, so that the text may be long and not one byte more is asked for.
    let mut text = String::with_capacity(wtf8.len());
    text.extend(lossy_characters(wtf8));
    text
}

/// Its characters.
pub(crate) fn lossy_characters(wtf8: &[u8]) -> impl Iterator<Item = char> {
    Points::of(wtf8).map(|point| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn is_escaped(point: u32) -> bool {
    is_control(point)
        || is_direction(point)
        || matches!(point, 0x061C | 0x200E | 0x200F | 0x2028 | 0x2029)
}

fn push_escape(quoted: &mut String, point: u32) {
    quoted.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        quoted.extend(char::from_digit(point >> shift & 0xF, 16));
    }
}

/// How many bytes at the start of `piece` are printable ASCII.
fn plain_run(piece: &[u8]) -> usize {
    const WIDE: usize = 32;
    let plain = |byte: u8| byte.wrapping_sub(b' ') < 0x5F;
    let (chunks, _) = piece.as_chunks::<WIDE>();
    let all = |chunk: &&[u8; WIDE]| chunk.iter().fold(true, |all, &byte| all & plain(byte));
    let whole = chunks.iter().take_while(all).count() * WIDE;
    let rest = piece.iter().skip(whole);
    whole + rest.take_while(|&&byte| plain(byte)).count()
}

/// Ways to cut a text into pieces, for the tests of every machine that is fed in pieces.
#[cfg(test)]
pub(crate) mod cuts {
    use super::Points;

    /// Every cut of `wtf8` into two pieces on a character boundary, into single characters with
    /// empty pieces between, and the whole in one.
    pub(crate) fn of(wtf8: &[u8]) -> Vec<Vec<&[u8]>> {
        let mut ends = vec![0];
        let mut points = Points::of(wtf8);
        while points.next().is_some() {
            ends.push(wtf8.len() - points.rest().len());
        }
        let mut all: Vec<Vec<&[u8]>> =
            ends.iter().map(|&end| vec![&wtf8[..end], &wtf8[end..]]).collect();
        all.push(ends.windows(2).flat_map(|pair| [&wtf8[pair[0]..pair[1]], &[]]).collect());
        all.push(vec![wtf8]);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WTF-8 of any code points.
    fn wtf8(points: &[u32]) -> Vec<u8> {
        let mut out = Vec::new();
        for &point in points {
            match char::from_u32(point) {
                Some(shown) => out.extend(shown.to_string().bytes()),
                None => out.extend([
                    0xED,
                    0x80 | (point >> 6 & 0x3F) as u8,
                    0x80 | (point & 0x3F) as u8,
                ]),
            }
        }
        out
    }

    fn title(points: &[u32]) -> (bool, bool, bool, u64) {
        let text = wtf8(points);
        let judge = |pieces: &Vec<&[u8]>| {
            let mut title = Title::default();
            for piece in pieces {
                title.feed(piece);
            }
            (title.is_blank(), title.has_line_break(), title.has_controls(), title.points())
        };
        let all: Vec<_> = cuts::of(&text).iter().map(judge).collect();
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{text:?}");
        all[0]
    }

    fn plain(points: &[u32]) -> (bool, bool) {
        let text = wtf8(points);
        let judge = |pieces: &Vec<&[u8]>| {
            let mut plain = Plain::default();
            for piece in pieces {
                plain.feed(piece);
            }
            (plain.is_empty(), plain.has_controls())
        };
        let all: Vec<_> = cuts::of(&text).iter().map(judge).collect();
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{text:?}");
        all[0]
    }

    #[test]
    fn every_code_point_of_the_first_planes_is_judged_as_its_list_says() {
        let breaks = [0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029];
        let wider = [0x20, 0xA0, 0x1680, 0x202F, 0x205F, 0x3000, 0x09, 0x0A, 0x0B, 0x0C, 0x0D];
        for point in (0..0x3100).chain(0xD700..0xE100).chain(0xFFF0..0x1_0010) {
            let line = breaks.contains(&point);
            let white = line || wider.contains(&point) || (0x2000..=0x200A).contains(&point);
            let bidi = (0x202A..=0x202E).contains(&point) || (0x2066..=0x2069).contains(&point);
            let control = point < 0x20 || (0x7F..0xA0).contains(&point) || bidi;
            let seen = title(&[point]);
            assert_eq!(seen, (white, line, control && !line, 1), "U+{point:04X}");
            let mixed = title(&[0x61, point, 0x1F600, point, 0x62]);
            assert_eq!(mixed, (false, line, control && !line, 5), "U+{point:04X}");
            assert_eq!(plain(&[0x61, point]), (false, control), "U+{point:04X}");
        }
    }

    #[test]
    fn the_empty_text_is_blank_and_empty() {
        assert_eq!(title(&[]), (true, false, false, 0));
        assert_eq!(plain(&[]), (true, false));
    }

    #[test]
    fn a_single_fault_is_found_at_every_place_of_a_long_text() {
        for place in 0..100 {
            for (point, line, control) in [
                (0x0A, true, false),
                (0x01, false, true),
                (0x202E, false, true),
                (0xE9, false, false),
            ] {
                let mut points = vec![0x61; 100];
                points[place] = point;
                assert_eq!(title(&points), (false, line, control, 100));
                assert_eq!(plain(&points), (false, line || control));
                let mut blanks = vec![0x20; 100];
                blanks[place] = point;
                assert_eq!(title(&blanks).0, point == 0x0A);
            }
        }
    }

    #[test]
    fn blanks_alone_are_blank_and_one_letter_is_ink() {
        let mut points = vec![0x20; 70];
        assert!(title(&points).0);
        points[69] = 0x61;
        assert!(!title(&points).0);
    }

    #[test]
    fn words_are_quoted_with_their_disguises_escaped() {
        assert_eq!(quote("a\u{200d}b".as_bytes()), "a\u{200d}b");
        assert_eq!(quote(b"\na\x00\x7f"), "\\u000aa\\u0000\\u007f");
        assert_eq!(quote("\u{9f}\u{a0}\u{61c}\u{202e}".as_bytes()), "\\u009f\u{a0}\\u061c\\u202e");
        assert_eq!(
            quote(&wtf8(&[0xD7FF, 0xD800, 0xDFFF, 0xE000])),
            "\u{d7ff}\\ud800\\udfff\u{e000}"
        );
        let marks = wtf8(&[0x200D, 0x200E, 0x200F, 0x2010, 0x2065, 0x2066, 0x2069, 0x206A]);
        assert_eq!(quote(&marks), "\u{200d}\\u200e\\u200f\u{2010}\u{2065}\\u2066\\u2069\u{206a}");
        let ends = wtf8(&[0x2027, 0x2028, 0x2029, 0x202A, 0x202E, 0x202F]);
        assert_eq!(quote(&ends), "\u{2027}\\u2028\\u2029\\u202a\\u202e\u{202f}");
    }

    #[test]
    fn the_cut_comes_before_the_escapes() {
        assert_eq!(quote(&[1; 65]), "\\u0001".repeat(64));
        assert_eq!(quote("é".repeat(64).as_bytes()), "é".repeat(64));
        assert_eq!(quote("😀".repeat(65).as_bytes()), "😀".repeat(64));
    }

    #[test]
    fn a_lone_surrogate_is_replaced_where_text_is_wanted() {
        assert_eq!(lossy(&wtf8(&[0x61, 0xD83D, 0x1F600, 0x0A])), "a\u{fffd}😀\n");
    }

    #[test]
    fn points_never_run_past_a_cut_character() {
        assert_eq!(Points::of(&[0xF0, 0x9F]).count(), 1);
        assert_eq!(count_points("aé笔😀".as_bytes()), 4);
    }
}
