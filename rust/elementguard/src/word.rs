//! Room: short strings that are matched and quoted: ids, names, the protocol's version.
//!
//! In: the decoded text of one JSON string in pieces (WTF-8, cut on character boundaries). Out:
//! whether it equals a word, its length, its form (`malformed-id` 5.1, `unsupported-protocol` 5), its
//! start, which a finding may quote; and of a name the nearest field's (`unknown-member` 5.1).
//!
//! Why so: an id has at most 128 characters and a finding quotes 64, so the first 128 are all
//! that is ever looked at again; what comes behind only counts. Two ids longer than that are
//! still compared, whole, through a keyed digest that is begun when a string first passes 128
//! characters.

use crate::digest::{Digest, Keys};
use crate::text::{self, Points};

/// The most characters of an id (5.1), and the most that are kept of any word.
const KEPT: usize = 128;

/// Most words have fewer bytes.
const FEW: usize = 32;

/// A field's name is suggested for names of at most so many characters …
const LONGEST_MISSPELT: usize = 20;

/// … that are at most so many edits away from it.
const MOST_EDITS: usize = 2;

/// The start of a string, enough to match and quote it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Word {
    kept: Kept,
    points: u64,
}

impl Word {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        let is_ascii = piece.is_ascii();
        if self.is_whole() {
            let points = KEPT - self.room_used();
            let start = if is_ascii { piece.get(..points) } else { Some(kept_of(piece, points)) };
            self.kept.add(start.unwrap_or(piece));
        }
        self.points += if is_ascii { piece.len() } else { text::count_points(piece) } as u64;
    }

    /// The first 128 characters.
    pub(crate) fn text(&self) -> &[u8] {
        self.kept.bytes()
    }

    /// How many characters the whole string has.
    pub(crate) fn points(&self) -> u64 {
        self.points
    }

    /// Whether `text` is the whole string.
    pub(crate) fn is_whole(&self) -> bool {
        self.points <= KEPT as u64
    }

    /// Whether the whole string is `other` (of at most 128 characters).
    pub(crate) fn is(&self, other: &str) -> bool {
        self.is_whole() && self.text() == other.as_bytes()
    }

    /// Whether it has the form of an id: 1 to 128 of `A-Z a-z 0-9 - _`.
    pub(crate) fn is_id(&self) -> bool {
        let fits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        self.is_whole() && !self.text().is_empty() && self.text().iter().all(fits)
    }

    fn room_used(&self) -> usize {
        usize::try_from(self.points).unwrap_or(KEPT).min(KEPT)
    }
}

/// The one of `fields` that was probably meant by a name: at most two edits away (ASCII case aside), the nearest, and among equals
/// the alphabetically first.
pub(crate) fn nearest(name: &[u8], fields: &[&'static str]) -> Option<&'static str> {
    if text::count_points(name) > LONGEST_MISSPELT {
        return None;
    }
    let misspelt = Misspelt::new(name);
    // Each letter more or less is an edit.
    let is_near = |field: &&str| misspelt.length.abs_diff(field.len()) <= MOST_EDITS;
    let near = fields.iter().copied().filter(is_near);
    let measured = near.map(|field| (misspelt.edits(field), field));
    measured.filter(|&(edits, _)| edits <= MOST_EDITS).min().map(|(_, field)| field)
}

/// Some bytes; as many as most words have need no memory of their own.
#[derive(Clone, Default, Debug)]
struct Kept {
    few: [u8; FEW],
    length: usize,
    /// All of them, once they are more.
    many: Vec<u8>,
}

impl Kept {
    fn add(&mut self, piece: &[u8]) {
        let end = self.length + piece.len();
        if let Some(room) = self.few.get_mut(self.length..end) {
            room.copy_from_slice(piece);
        } else {
            if self.length <= FEW {
                self.many.extend_from_slice(self.few.get(..self.length).unwrap_or_default());
            }
            self.many.extend_from_slice(piece);
        }
        self.length = end;
    }

    fn bytes(&self) -> &[u8] {
        self.few.get(..self.length).unwrap_or(&self.many)
    }
}

/// A word whose whole text can be told from any other, however long.
#[derive(Clone, Default, Debug)]
pub(crate) struct Id {
    word: Word,
    digest: Option<Digest>,
}

impl Id {
    /// Takes the next piece; `keys` must be the same for all of one string.
    pub(crate) fn feed(&mut self, piece: &[u8], keys: Keys) {
        if self.digest.is_none()
            && self.word.points().saturating_add(piece.len() as u64) > KEPT as u64
        {
            let mut digest = keys.start();
            digest.feed(self.word.text());
            self.digest = Some(digest);
        }
        if let Some(digest) = &mut self.digest {
            digest.feed(piece);
        }
        self.word.feed(piece);
    }

    /// Its start, length and form.
    pub(crate) fn word(&self) -> &Word {
        &self.word
    }

    /// The digest of the whole text: what `keys.digest` says of it.
    pub(crate) fn digest(&self, keys: Keys) -> u128 {
        match &self.digest {
            Some(digest) => digest.finish(),
            None => keys.digest(self.word.text()),
        }
    }
}

/// Where a protocol's version stands: `0.2.` and a number without leading zeros.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
enum Version {
    #[default]
    Start,
    Zero,
    FirstDot,
    Two,
    SecondDot,
    LastZero,
    LastNumber,
    Other,
}

/// Judges a protocol's version of any length.
#[derive(Clone, Default, Debug)]
pub(crate) struct Protocol {
    version: Version,
}

impl Protocol {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        self.version = piece.iter().fold(self.version, |version, &byte| match (version, byte) {
            (Version::Start, b'0') => Version::Zero,
            (Version::Zero, b'.') => Version::FirstDot,
            (Version::FirstDot, b'2') => Version::Two,
            (Version::Two, b'.') => Version::SecondDot,
            (Version::SecondDot, b'0') => Version::LastZero,
            (Version::SecondDot, b'1'..=b'9') | (Version::LastNumber, b'0'..=b'9') => {
                Version::LastNumber
            }
            _ => Version::Other,
        });
    }

    /// Whether it is a version that these rules are for.
    pub(crate) fn is_supported(&self) -> bool {
        matches!(self.version, Version::LastZero | Version::LastNumber)
    }
}

/// The first `points` characters of `piece`.
fn kept_of(piece: &[u8], points: usize) -> &[u8] {
    if piece.len() <= points {
        return piece;
    }
    let mut read = Points::of(piece);
    if points > 0 {
        read.nth(points - 1);
    }
    piece.strip_suffix(read.rest()).unwrap_or(piece)
}

/// A name of at most 20 characters, ASCII case aside.
struct Misspelt {
    /// For each small letter a bit for each place at which it stands.
    places: [u32; 26],
    length: usize,
}

impl Misspelt {
    fn new(name: &[u8]) -> Self {
        let (mut places, mut length) = ([0; 26], 0);
        for point in Points::of(name).take(LONGEST_MISSPELT) {
            if let Some(places) = places.get_mut(lower(point).wrapping_sub(0x61) as usize) {
                *places |= 1 << length;
            }
            length += 1;
        }
        Self { places, length }
    }

    /// Levenshtein's distance to a field's name, which is made of letters. A column of his table is two words, with a bit for each letter where the entry is
    /// one more, or one less, than the one above it (G. Myers, "A fast bit-vector algorithm", 1999).
    fn edits(&self, field: &str) -> usize {
        let Some(last) = self.length.checked_sub(1) else { return field.len() };
        let (mut more, mut less, mut bottom) = (u32::MAX, 0_u32, self.length);
        for letter in field.bytes() {
            let letter = letter.to_ascii_lowercase().wrapping_sub(b'a');
            let same = self.places.get(usize::from(letter)).copied().unwrap_or(0);
            let diagonal = ((more.wrapping_add(same & more)) ^ more) | same | less;
            let (rises, falls) = (less | !(more | diagonal), more & diagonal);
            bottom = bottom + (rises >> last & 1) as usize - (falls >> last & 1) as usize;
            let rises = rises << 1 | 1;
            (more, less) = (falls << 1 | !(rises | diagonal), rises & diagonal);
        }
        bottom
    }
}

fn lower(point: u32) -> u32 {
    if (0x41..=0x5A).contains(&point) { point + 0x20 } else { point }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cuts;

    const FIELDS: &[&str] = &[
        "id",
        "role",
        "subrole",
        "title",
        "content",
        "url",
        "selected",
        "focused",
        "visible",
        "hovered",
        "children",
        "attributes",
    ];

    /// The word of `text`, the same for every cut.
    fn word(text: &[u8]) -> Word {
        let mut words = cuts::of(text).into_iter().map(|pieces| {
            let mut word = Word::default();
            for piece in &pieces {
                word.feed(piece);
            }
            word
        });
        let first = words.next().unwrap();
        for other in words {
            assert_eq!((other.text(), other.points), (first.text(), first.points));
        }
        first
    }

    #[test]
    fn at_most_128_characters_are_kept() {
        for (letter, bytes) in [("a", 1), ("é", 2), ("笔", 3), ("😀", 4)] {
            for count in [0, 1, 127, 128, 129, 130, 200] {
                let seen = word(letter.repeat(count).as_bytes());
                assert_eq!(seen.points(), count as u64);
                assert_eq!(seen.text().len(), count.min(128) * bytes);
                assert_eq!(seen.is_whole(), count <= 128);
                assert_eq!(seen.is(&letter.repeat(count)), count <= 128);
            }
        }
    }

    #[test]
    fn nothing_is_kept_behind_the_first_character_too_many() {
        let mut seen = Word::default();
        seen.feed("é".repeat(128).as_bytes());
        seen.feed(b"ab");
        seen.feed(b"c");
        assert_eq!((seen.points(), seen.text().len()), (131, 256));
    }

    #[test]
    fn ids_have_their_letters_and_their_length() {
        let good = ["a", "0", "azAZ09-_", "-", &"a".repeat(128)];
        let bad = ["", "a.b", "a b", "a@b", "a`b", "a[b", "a{b", "a/b", "é", "１", "a\n", "²"];
        assert!(good.iter().all(|text| word(text.as_bytes()).is_id()));
        assert!(!bad.iter().any(|text| word(text.as_bytes()).is_id()));
        assert!(!word(&[b'a'; 129]).is_id());
        assert!(!word(&[b'a', 0xED, 0xA0, 0xBD]).is_id());
    }

    #[test]
    fn the_nearest_field_is_suggested() {
        let meant = |text: &str| nearest(text.as_bytes(), FIELDS);
        let known = [
            ("", Some("id")),
            ("a", Some("id")),
            ("colour", None),
            ("subRole", Some("subrole")),
            ("TITEL", Some("title")),
            ("child", None),
            ("childern", Some("children")),
            ("uri", Some("url")),
            ("Roles", Some("role")),
            ("bounds", None),
            ("a/b~c", None),
            ("selekted", Some("selected")),
            ("titles12", None),
            ("dé", Some("id")),
        ];
        for (text, field) in known {
            assert_eq!(meant(text), field, "{text:?}");
        }
    }

    #[test]
    fn among_equals_the_alphabetically_first_and_none_beyond_twenty_characters() {
        assert_eq!(nearest(b"xy", &["xb", "xa", "ay"]), Some("ay"));
        let long = "abcdefghijklmnopqrstu";
        assert_eq!(
            nearest(&long.as_bytes()[..20], &["abcdefghijklmnopqr"]),
            Some("abcdefghijklmnopqr")
        );
        assert_eq!(nearest(long.as_bytes(), &["abcdefghijklmnopqrstu"]), None);
    }

    /// Levenshtein by its definition, full table.
    fn naive_edits(left: &[char], right: &[char]) -> usize {
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for i in 0..=left.len() {
            for j in 0..=right.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let change = usize::from(left[i - 1] != right[j - 1]);
                    (table[i - 1][j - 1] + change).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                };
            }
        }
        table[left.len()][right.len()]
    }

    #[test]
    fn edits_equal_their_definition() {
        let mut seed = 7_u32;
        for _ in 0..3000 {
            let mut pick = |most: u32| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 16) % most
            };
            let count = pick(10);
            let name: String =
                (0..count).map(|_| ['u', 'R', 'l', 'é', 'o', 'e'][pick(6) as usize]).collect();
            for field in ["url", "role", "subrole", ""] {
                let lower: Vec<char> = name.to_ascii_lowercase().chars().collect();
                let expected = naive_edits(&lower, &field.chars().collect::<Vec<_>>());
                assert_eq!(Misspelt::new(name.as_bytes()).edits(field), expected, "{name} {field}");
            }
        }
    }

    #[test]
    fn long_ids_are_told_apart_and_cuts_do_not_matter() {
        let keys = Keys::random();
        for text in ["", "a", &"é".repeat(128), &"é".repeat(129), &"a".repeat(300)] {
            for pieces in cuts::of(text.as_bytes()) {
                let mut id = Id::default();
                for piece in &pieces {
                    id.feed(piece, keys);
                }
                assert_eq!(id.digest(keys), keys.digest(text.as_bytes()));
                assert_eq!(id.word().points(), text.chars().count() as u64);
            }
        }
    }

    #[test]
    fn versions_are_judged_at_any_length() {
        let good = ["0.2.0", "0.2.1", "0.2.10", "0.2.99999999999999999999"];
        let bad = [
            "", "0", "0.2", "0.2.", "00.2.0", "0.2.00", "0.2.01", "0.3.0", "1.2.0", "v0.2.0",
            " 0.2.0", "0.2.0 ", "0.2.0.1", "0.2.1a", "0.2.٣", "0.2.-1", "0.2.+1", "0.20",
        ];
        for (text, expected) in good.iter().map(|t| (t, true)).chain(bad.iter().map(|t| (t, false)))
        {
            for pieces in cuts::of(text.as_bytes()) {
                let mut protocol = Protocol::default();
                for piece in &pieces {
                    protocol.feed(piece);
                }
                assert_eq!(protocol.is_supported(), expected, "{text:?}");
            }
        }
    }
}
