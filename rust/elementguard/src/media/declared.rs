//! Room: media, what a `mimeType` declares (5.5).
//!
//! In: the decoded text of the string in pieces. Out: whether it is a media type
//! (`malformed-media-type`), its type and subtype in lower case without parameters, and the format
//! of which that is a name (`wrong-media-type`, `limit-media-type`).
//!
//! Why so: the names are RFC 6838's (section 4.2: 1 to 127 characters, the first a letter or
//! digit), the parameters RFC 9110's (section 5.6.6): any number of `;`, each with blanks on
//! either side and a parameter or nothing behind it. So `a/b;` and `a/b ; ;c=d` are media types,
//! and `a/b ` is none: the blanks belong to a `;`. A quoted value may hold any character but
//! controls (obs-text). Names are short by that definition, so they fit a fixed buffer; the
//! parameters, which may be long, only pass by.

use crate::rules::words::MEDIA;

/// The most characters of a type or subtype.
const LONGEST: usize = 127;

/// The most characters of both with their slash.
const ESSENCE: usize = 255;

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The type, of which so many characters have come.
    Type(usize),
    /// The subtype, of which so many characters have come.
    Subtype(usize),
    /// A semicolon behind blanks.
    Blank,
    /// A parameter's name, or blanks, another semicolon or the end.
    Semicolon,
    /// More of a parameter's name, or `=`.
    Name,
    /// The first character of a value.
    Value,
    /// More of a token, or what may stand behind it.
    Token,
    /// More of a quoted string, or its end.
    Quoted,
    /// The character behind a backslash.
    Pair,
    /// What may stand behind a quoted string.
    Closed,
    /// Whatever comes, this is no media type.
    Bad,
}

/// Judges a media type.
#[derive(Clone, Debug)]
pub(crate) struct MediaType {
    part: Part,
    essence: [u8; ESSENCE],
    length: usize,
}

impl Default for MediaType {
    fn default() -> Self {
        Self { part: Part::Type(0), essence: [0; ESSENCE], length: 0 }
    }
}

impl MediaType {
    /// Whether a text is a media type as most are: two short names of small letters, digits and `+-.`, nothing behind them.
    pub(crate) fn is_plain(text: &[u8]) -> bool {
        let slash = text.iter().position(|&byte| byte == b'/');
        let Some((kind, name)) = slash.and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?)))
        else {
            return false;
        };
        let is_name = |name: &[u8]| {
            let starts = name.first().is_some_and(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
            let plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'+' | b'-' | b'.');
            starts && name.len() <= LONGEST && name.iter().all(plain)
        };
        is_name(kind) && is_name(name)
    }

    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        let mut bytes = piece.iter();
        while self.part != Part::Bad
            && let Some(&byte) = bytes.next()
        {
            self.keep(byte);
            self.part = behind(self.part, byte);
        }
    }

    /// Whether the whole text is a media type.
    pub(crate) fn well_formed(&self) -> bool {
        match self.part {
            Part::Subtype(count) => count > 0,
            part => matches!(part, Part::Semicolon | Part::Token | Part::Closed),
        }
    }

    /// Type and subtype in lower case; nothing if it is malformed.
    pub(crate) fn essence(&self) -> &[u8] {
        let essence = self.essence.get(..self.length).filter(|_| self.well_formed());
        essence.unwrap_or_default()
    }

    /// Whether it is well-formed and of the type `kind` (`image`, `audio`).
    pub(crate) fn is_type(&self, kind: &[u8]) -> bool {
        is_of(kind, self.essence())
    }

    fn keep(&mut self, byte: u8) {
        let named = match self.part {
            Part::Type(_) => true,
            Part::Subtype(_) => is_restricted(byte),
            _ => false,
        };
        if named && let Some(place) = self.essence.get_mut(self.length) {
            *place = byte.to_ascii_lowercase();
            self.length += 1;
        }
    }
}

/// Whether a media type without its parameters is of the type `kind`.
#[inline]
pub(crate) fn is_of(kind: &[u8], essence: &[u8]) -> bool {
    essence.strip_prefix(kind).is_some_and(|rest| rest.starts_with(b"/"))
}

/// Whether the format in that row of the table `MEDIA` has this name (in lower case, without parameters).
#[inline]
pub(crate) fn is_name_of(row: usize, essence: &[u8]) -> bool {
    MEDIA.get(row).is_some_and(|(_, names)| names.iter().any(|name| name.as_bytes() == essence))
}

/// The row of the table `MEDIA` that has this name (in lower case, without parameters).
pub(crate) fn row_of(essence: &[u8]) -> Option<usize> {
    MEDIA.iter().position(|(_, names)| names.iter().any(|name| name.as_bytes() == essence))
}

fn behind(part: Part, byte: u8) -> Part {
    match (part, byte) {
        (Part::Type(1..), b'/') => Part::Subtype(0),
        (Part::Type(count), _) if fits(count, byte) => Part::Type(count + 1),
        (Part::Subtype(count), _) if fits(count, byte) => Part::Subtype(count + 1),
        (Part::Subtype(1..) | Part::Token | Part::Closed | Part::Blank, b' ' | b'\t') => {
            Part::Blank
        }
        (Part::Subtype(1..) | Part::Token | Part::Closed | Part::Blank, b';')
        | (Part::Semicolon, b' ' | b'\t' | b';') => Part::Semicolon,
        (Part::Name, b'=') => Part::Value,
        (Part::Semicolon | Part::Name, _) if is_token(byte) => Part::Name,
        (Part::Value | Part::Token, _) if is_token(byte) => Part::Token,
        (Part::Quoted, b'"') => Part::Closed,
        (Part::Quoted, b'\\') => Part::Pair,
        (Part::Value, b'"') | (Part::Quoted | Part::Pair, b'\t' | b' '..=b'~' | 0x80..) => {
            Part::Quoted
        }
        _ => Part::Bad,
    }
}

/// Whether a character may be the one behind `count` others in a type's or subtype's name.
fn fits(count: usize, byte: u8) -> bool {
    is_restricted(byte) && count < LONGEST && (count > 0 || byte.is_ascii_alphanumeric())
}

fn is_restricted(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte)
}

fn is_token(byte: u8) -> bool {
    is_restricted(byte) || b"%'*`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cuts;

    /// The essence, the same for every cut.
    fn judge(text: &[u8]) -> Option<String> {
        let mut verdicts = cuts::of(text).into_iter().map(|pieces| {
            let mut media_type = MediaType::default();
            for piece in pieces {
                media_type.feed(piece);
            }
            let essence = String::from_utf8(media_type.essence().to_vec()).unwrap();
            assert_eq!(essence.is_empty(), !media_type.well_formed());
            media_type.well_formed().then_some(essence)
        });
        let first = verdicts.next().unwrap();
        assert!(first.is_some() || !MediaType::is_plain(text), "{text:?}");
        assert!(verdicts.all(|other| other == first), "{text:?}");
        first
    }

    #[test]
    fn media_types_have_an_essence() {
        for (text, essence) in [
            ("image/png", "image/png"),
            ("Image/PNG", "image/png"),
            ("IMAGE/PNG; a=b", "image/png"),
            ("image/png ; a=\"b c\"", "image/png"),
            ("image/vnd.a&b^c_d!e#f$g", "image/vnd.a&b^c_d!e#f$g"),
            ("0/1", "0/1"),
            ("a/b;", "a/b"),
            ("a/b; ", "a/b"),
            ("a/b;;\t; c=d", "a/b"),
            ("a/b;c=d;e=f", "a/b"),
            ("a/b\t;\tc=d ; e=f;", "a/b"),
            ("a/b;%'*`|~+=!#$&-^_.+%'*`|~", "a/b"),
            ("a/b;c=\"\"", "a/b"),
            ("a/b;c=\"\\\"\\\\\\ é;/=\" ;d=e", "a/b"),
            ("a/b;c=\"\té笔😀\"", "a/b"),
        ] {
            assert_eq!(judge(text.as_bytes()).as_deref(), Some(essence), "{text:?}");
        }
    }

    #[test]
    fn other_texts_have_none() {
        for text in [
            "",
            "/",
            "png",
            "image/",
            "/png",
            "image/+png",
            "+image/png",
            " image/png",
            "image/png ",
            "image /png",
            "image/ png",
            "image/*",
            "*/*",
            "image/a/b",
            "image/png foo",
            "image/é",
            "é/png",
            "image/png;a",
            "image/png;a=",
            "image/png;=b",
            "image/png;a =b",
            "image/png;a= b",
            "image/png;a=b ",
            "image/png;a=b c",
            "image/png;a=\"b",
            "image/png;a=\"b\\",
            "image/png;a=\"b\\\"",
            "image/png;a=\"b\"c",
            "image/png;a=\"b\" ",
            "image/png;a=\"b\nc\"",
            "image/png;a=\"b\\\nc\"",
            "image/png;a=\"\x7f\"",
            "image/png;a=\"\\\x7f\"",
            "image/png;a=b/c",
            "image/png;a=é",
            "image/png;é=b",
            "image/png,",
            "image/png;\n",
            "image/p%g",
            "ima'ge/png",
        ] {
            assert_eq!(judge(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn names_have_127_characters_at_most() {
        for (kind, subtype, good) in [(127, 127, true), (128, 1, false), (1, 128, false)] {
            let text = format!("{}/{}", "A".repeat(kind), "B".repeat(subtype));
            assert_eq!(judge(text.as_bytes()), good.then(|| text.to_lowercase()));
            let text = format!("{text};c=d");
            assert_eq!(judge(text.as_bytes()).is_some(), good);
        }
    }

    #[test]
    fn each_ascii_character_has_its_places() {
        for byte in 0..=0x7F_u8 {
            let letter = char::from(byte);
            let name = letter.is_ascii_alphanumeric() || "!#$&-^_.+".contains(letter);
            let token = name || "%'*`|~".contains(letter);
            let parses = |text: String| judge(text.as_bytes()).is_some();
            assert_eq!(parses(format!("a{letter}a/b")), name, "{letter:?}");
            let ends = matches!(byte, b';');
            assert_eq!(parses(format!("a/b{letter}")), name || ends, "{letter:?}");
            assert_eq!(parses(format!("a/{letter}b")), letter.is_ascii_alphanumeric());
            assert_eq!(parses(format!("a/b;c{letter}=d")), token, "{letter:?}");
            assert_eq!(parses(format!("a/b;c={letter}")), token, "{letter:?}");
            let inside = matches!(byte, b'\t' | b' '..=b'~');
            assert_eq!(parses(format!("a/b;c=\"{letter}\"")), inside && !b"\"\\".contains(&byte));
            assert_eq!(parses(format!("a/b;c=\"\\{letter}\"")), inside, "{letter:?}");
        }
    }

    #[test]
    fn types_are_told_by_their_name() {
        for (text, expected) in [
            ("Image/PNG", true),
            ("image/png;", true),
            ("images/png", false),
            ("image", false),
            ("imag/png", false),
            ("audio/image/", false),
            ("image/ ", false),
            ("video/image", false),
        ] {
            let mut media_type = MediaType::default();
            media_type.feed(text.as_bytes());
            assert_eq!(media_type.is_type(b"image"), expected, "{text}");
        }
    }

    #[test]
    fn every_listed_name_is_of_its_row() {
        assert_eq!((row_of(b"image/jpg"), row_of(b"image/svg+xml")), (Some(1), None));
        for (row, (_, names)) in MEDIA.iter().enumerate() {
            assert!(names.iter().all(|name| row_of(name.as_bytes()) == Some(row)));
            assert!(names.iter().all(|name| judge(name.as_bytes()).as_deref() == Some(name)));
        }
    }
}
