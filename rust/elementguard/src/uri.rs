//! Room: what an address looks like (5.1 `url`, 5.5 `uri` and `src`).
//!
//! In: the decoded text of one address in pieces. Out: whether it is a URI or IRI at all
//! (`malformed-uri`), and whether opening it runs or embeds code (`script-uri`).
//!
//! Why so: the two rules read the same text in two ways. `malformed-uri` reads it as RFC 3986
//! and 3987 do, character by character: a scheme of two letters or more (so that `C:\a` is none),
//! something behind it, no white space or control, and only whole percent escapes. `script-uri`
//! reads it as a browser would, who is far more forgiving: leading controls and blanks, tabs and
//! line ends anywhere and upper case do not keep `javascript:` from being run. So two small
//! machines look at each piece; the second one stops for good as soon as the scheme is known.

use crate::text::{self, Points};

/// Where an address stands: a picture may be embedded as an icon, and nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The `src` of an icon.
    Icon,
    /// A `url`, or the `uri` of a block or resource.
    Elsewhere,
}

/// Judges an address.
#[derive(Clone, Default, Debug)]
pub(crate) struct Uri {
    form: Form,
    scheme: Scheme,
}

impl Uri {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        self.form.feed(piece);
        self.scheme.feed(piece);
    }

    /// Whether the whole text is no URI.
    pub(crate) fn malformed(&self) -> bool {
        self.form.bad || !matches!(self.form.part, Part::Rest)
    }

    /// Whether opening it would run or embed code.
    pub(crate) fn script(&self, place: Place) -> bool {
        match self.scheme.found {
            Found::Script => true,
            Found::Data => place == Place::Elsewhere || self.scheme.target != IMAGE.len(),
            Found::Nothing => false,
        }
    }
}

/// What may come next, read strictly.
#[derive(Clone, Copy, Default, Debug)]
enum Part {
    /// The first letter of the scheme.
    #[default]
    First,
    /// The second character of the scheme.
    Second,
    /// More of the scheme, or its colon.
    Further,
    /// At least one character behind the colon.
    Behind,
    /// Anything, or the end.
    Rest,
    /// The first hex digit of an escape.
    High,
    /// The second hex digit of an escape.
    Low,
}

/// The address read strictly.
#[derive(Clone, Default, Debug)]
struct Form {
    part: Part,
    bad: bool,
}

impl Form {
    fn feed(&mut self, piece: &[u8]) {
        let mut rest = piece;
        if let (Part::First, Some(length)) = (self.part, scheme(piece)) {
            self.part = Part::Behind;
            rest = piece.get(length..).unwrap_or_default();
        }
        while !self.bad && !rest.is_empty() {
            let run = match self.part {
                Part::Rest => common_run(rest),
                Part::Further => rest.iter().take_while(|&&byte| is_scheme(byte)).count(),
                _ => 0,
            };
            let mut points = Points::of(rest.get(run..).unwrap_or_default());
            if let Some(point) = points.next() {
                self.step(point);
            }
            rest = points.rest();
        }
    }

    fn step(&mut self, point: u32) {
        // What is not ASCII stands for itself alone.
        let byte = u8::try_from(point).ok().filter(u8::is_ascii).unwrap_or(b' ');
        let next = match self.part {
            Part::First if byte.is_ascii_alphabetic() => Some(Part::Second),
            Part::Second | Part::Further if is_scheme(byte) => Some(Part::Further),
            Part::Further if byte == b':' => Some(Part::Behind),
            Part::Behind | Part::Rest if byte == b'%' => Some(Part::High),
            Part::Behind | Part::Rest if !is_forbidden(point) => Some(Part::Rest),
            Part::High if byte.is_ascii_hexdigit() => Some(Part::Low),
            Part::Low if byte.is_ascii_hexdigit() => Some(Part::Rest),
            _ => None,
        };
        self.bad = next.is_none();
        self.part = next.unwrap_or_default();
    }
}

/// The schemes that run code, and the one that embeds it.
const SCRIPTS: [&[u8]; 2] = [b"javascript", b"vbscript"];
const DATA: &[u8] = b"data";

/// What an icon may embed.
const IMAGE: &[u8] = b"image/";

/// One more than the longest scheme that is looked for.
const NAMED: usize = 11;

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
enum Found {
    #[default]
    Nothing,
    Script,
    Data,
}

/// The scheme read as a browser does.
#[derive(Clone, Default, Debug)]
struct Scheme {
    /// What came of it, in lower case.
    name: [u8; NAMED],
    length: usize,
    found: Found,
    /// How much of `image/` has come behind `data:`.
    target: usize,
    decided: bool,
}

impl Scheme {
    fn feed(&mut self, piece: &[u8]) {
        let is_fresh = self.length == 0 && !self.decided;
        let mut bytes = if is_fresh { self.begin(piece) } else { piece }.iter();
        while !self.decided
            && let Some(&byte) = bytes.next()
        {
            let dropped = matches!(byte, b'\t' | b'\n' | b'\r');
            let leading = self.length == 0 && byte <= b' ';
            if !dropped && !leading {
                self.step(byte.to_ascii_lowercase());
            }
        }
    }

    /// Reads the scheme at the start of a text if nothing has to be dropped from it; gives what is left to read.
    fn begin<'a>(&mut self, piece: &'a [u8]) -> &'a [u8] {
        let letters = piece.iter().take(NAMED).take_while(|byte| byte.is_ascii_alphabetic());
        let (name, rest) = piece.split_at(letters.count());
        match (rest, self.name.get_mut(..name.len())) {
            ([b':', target @ ..], Some(room)) => {
                room.copy_from_slice(name);
                room.make_ascii_lowercase();
                self.length = name.len();
                self.close();
                return target;
            }
            ([] | [b'\t' | b'\n' | b'\r', ..], _) => {}
            ([(..=b' '), ..], _) if name.is_empty() => {}
            // Schemes that are looked for are letters, and fewer.
            _ => self.decided = true,
        }
        piece
    }

    fn step(&mut self, byte: u8) {
        match self.found {
            Found::Data if IMAGE.get(self.target) == Some(&byte) => {
                self.target += 1;
                self.decided = self.target == IMAGE.len();
            }
            Found::Data => self.decided = true,
            _ if byte == b':' => self.close(),
            _ => self.extend(byte),
        }
    }

    fn extend(&mut self, byte: u8) {
        match self.name.get_mut(self.length) {
            Some(place) => *place = byte,
            None => self.decided = true,
        }
        self.length += 1;
    }

    fn close(&mut self) {
        let name = self.name.get(..self.length).unwrap_or_default();
        self.found = match name {
            name if SCRIPTS.contains(&name) => Found::Script,
            DATA => Found::Data,
            _ => Found::Nothing,
        };
        self.decided = self.found != Found::Data;
    }
}

/// How long a scheme and its colon are that stand at the start of `piece`.
fn scheme(piece: &[u8]) -> Option<usize> {
    let length = piece.iter().position(|&byte| !is_scheme(byte))?;
    let is_whole = length >= 2 && piece[0].is_ascii_alphabetic() && piece[length] == b':';
    is_whole.then_some(length + 1)
}

fn is_scheme(byte: u8) -> bool {
    SCHEME.get(usize::from(byte)).copied().unwrap_or(false)
}

/// What may stand in a scheme.
const SCHEME: [bool; 256] = {
    let mut scheme = [false; 256];
    let mut byte = b'+';
    while byte <= b'z' {
        scheme[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-');
        byte += 1;
    }
    scheme
};

fn is_forbidden(point: u32) -> bool {
    let listed = |byte| b"<>\"{}|\\^`".contains(&byte);
    text::is_white(point) || text::is_control(point) || u8::try_from(point).is_ok_and(listed)
}

/// How many bytes at the start of `piece` are ASCII that may stand in an address by themselves.
fn common_run(piece: &[u8]) -> usize {
    let common = |&byte: &u8| COMMON.get(usize::from(byte)).copied().unwrap_or(false);
    piece.iter().take_while(|byte| common(byte)).count()
}

/// Printable ASCII without what is forbidden and without `%`.
const COMMON: [bool; 256] = {
    let mut common = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        common[byte as usize] =
            !matches!(byte, b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`' | b'%');
        byte += 1;
    }
    common
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cuts;

    /// Malformed, script elsewhere, script as an icon; the same for every cut.
    fn judge(text: &[u8]) -> (bool, bool, bool) {
        let mut verdicts = cuts::of(text).into_iter().map(|pieces| {
            let mut uri = Uri::default();
            for piece in pieces {
                uri.feed(piece);
            }
            (uri.malformed(), uri.script(Place::Elsewhere), uri.script(Place::Icon))
        });
        let first = verdicts.next().unwrap();
        assert!(verdicts.all(|other| other == first), "{text:?}");
        first
    }

    fn malformed(text: &str) -> bool {
        judge(text.as_bytes()).0
    }

    #[test]
    fn addresses_with_a_scheme_and_something_behind_are_fine() {
        for text in [
            "ab:c",
            "a1.-+:x",
            "file:///C:/a",
            "https://a.example/b?c=d#e",
            "urn:x:y",
            "ab::",
            "https://é.example/笔",
            "https://a.example/%20%4F%aF",
            "ab:%00",
            "x-y:~[]!$&'()*+,;=@",
            "https://a.example/\u{200d}\u{202e}\u{200b}\u{feff}😀",
        ] {
            assert!(!malformed(text), "{text:?}");
        }
    }

    #[test]
    fn others_are_not() {
        for text in [
            "",
            "a",
            ":",
            "ab",
            "ab:",
            "a:b",
            "C:\\a",
            "#main",
            "a.example/b",
            "a_b:c",
            "1a:b",
            "+a:b",
            "é:x",
            "aé:x",
            "ab%20:x",
            " ab:c",
            "ab :c",
            "ab:%",
            "ab:%4",
            "ab:%zz",
            "ab:%4z",
            "ab:c%",
            "ab:c%4",
            "ab:%%41",
            "//a.example/",
            "ab:%é0",
            "ab:%0é",
        ] {
            assert!(malformed(text), "{text:?}");
        }
    }

    #[test]
    fn every_code_point_is_allowed_or_forbidden_behind_the_scheme() {
        let blanks = [0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000];
        for point in (0..0x3100).filter(|&point| point != 0x25) {
            let letter = char::from_u32(point).unwrap();
            let control = point < 0x20 || (0x7F..0xA0).contains(&point);
            let white = blanks.contains(&point) || (0x2000..=0x200A).contains(&point);
            let bad = control || white || "<>\"{}|\\^`".contains(letter);
            assert_eq!(malformed(&format!("https://a.example/{letter}")), bad, "U+{point:04X}");
            assert_eq!(malformed(&format!("ab:{letter}x")), bad, "U+{point:04X}");
        }
        assert!(!judge(b"ab:\xED\xA0\xBD").0);
    }

    #[test]
    fn code_is_found_as_a_browser_finds_it() {
        for text in [
            "javascript:alert(1)",
            "javascript:",
            "JavaScript:x",
            "vbscript:x",
            "java\tscript:x",
            "\n\x01 \0javascript:x",
            "j\na\rv\tascript\t:x",
            "  vbscript:x",
            "\tVBSCRIPT\r\n:",
        ] {
            assert_eq!(
                (judge(text.as_bytes()).1, judge(text.as_bytes()).2),
                (true, true),
                "{text:?}"
            );
        }
    }

    #[test]
    fn near_misses_of_code_are_no_code() {
        for text in [
            "",
            "javascript",
            "javascripts:x",
            "x-javascript:x",
            "data2:x",
            "dat:x",
            ":javascript:x",
            "https://a.example/?javascript:x",
            "java script:x",
            "java\x01script:x",
            "jаvascript:x",
            "\u{a0}javascript:x",
            "vbscript/:x",
            "livescript:x",
            "/javascript:x",
            "data/:image/png",
        ] {
            assert_eq!(
                (judge(text.as_bytes()).1, judge(text.as_bytes()).2),
                (false, false),
                "{text:?}"
            );
        }
    }

    #[test]
    fn data_is_code_but_for_an_icons_picture() {
        for text in
            ["data:image/png,x", "DATA:Image/PNG,x", " da\nta:\tima\rge/svg+xml,", "data:image/"]
        {
            assert_eq!(
                (judge(text.as_bytes()).1, judge(text.as_bytes()).2),
                (true, false),
                "{text:?}"
            );
        }
        for text in
            ["data:", "data:images/png,x", "data:text/html,x", "data:image", "data:imageimage/"]
        {
            assert_eq!(
                (judge(text.as_bytes()).1, judge(text.as_bytes()).2),
                (true, true),
                "{text:?}"
            );
        }
    }
}
