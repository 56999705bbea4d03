//! Room: what a role's word is to a receiver (5.2).
//!
//! In: the decoded text of a `role` in pieces. Out: which of the thirteen roles it is, or
//! whether it names window furniture, or which role was probably meant (`unknown-role`,
//! `furniture-role`).
//!
//! Why so: the thirteen words are compared exactly, all others without U+0020, `-`, `_`, one
//! leading `AX` and ASCII case. So two forms are kept: the first characters as sent, to match
//! and quote, and the first bytes of what is left without the three fillers. Neither grows with
//! the input: a word of any length that is `row` among blanks still suggests `Row`.

use std::cmp::Ordering;

use crate::rules::shape::Role;
use crate::rules::words::{FURNITURE, SUGGESTIONS};
use crate::word::Word;

/// More than the longest word that is matched, with `AX` in front.
const LONGEST: usize = 40;

/// What one system puts in front of its words; only so in upper case.
const PREFIX: &[u8] = b"AX";

/// A role's word as sent.
#[derive(Clone, Debug)]
pub(crate) struct RoleWord {
    word: Word,
    /// Without the fillers, in lower case.
    bare: [u8; LONGEST],
    length: usize,
    overflow: bool,
    /// Whether it begins with as much of `AX` as came of it.
    prefixed: bool,
}

impl Default for RoleWord {
    fn default() -> Self {
        Self {
            word: Word::default(),
            bare: [0; LONGEST],
            length: 0,
            overflow: false,
            prefixed: true,
        }
    }
}

impl RoleWord {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        self.word.feed(piece);
        let mut letters = piece.iter().filter(|byte| !matches!(byte, b' ' | b'-' | b'_'));
        while !self.overflow
            && let Some(&letter) = letters.next()
        {
            self.prefixed = self.prefixed && PREFIX.get(self.length).is_none_or(|&it| it == letter);
            match self.bare.get_mut(self.length) {
                Some(place) => *place = letter.to_ascii_lowercase(),
                None => self.overflow = true,
            }
            self.length += 1;
        }
    }

    /// The word as sent, to quote it.
    pub(crate) fn word(&self) -> &Word {
        &self.word
    }

    /// Which of the thirteen roles it is, spelled as 5.2 shows it.
    pub(crate) fn role(&self) -> Option<Role> {
        Role::from_name(self.word.text()).filter(|_| self.word.is_whole())
    }

    /// Whether it names a control, a menu, an indicator or window furniture.
    pub(crate) fn is_furniture(&self) -> bool {
        self.loose()
            .is_some_and(|loose| FURNITURE.binary_search_by(|word| order(word, loose)).is_ok())
    }

    /// The role probably meant.
    pub(crate) fn meant(&self) -> Option<Role> {
        let loose = self.loose()?;
        let place = SUGGESTIONS.binary_search_by(|(word, _)| order(word, loose)).ok()?;
        SUGGESTIONS.get(place).map(|&(_, role)| role)
    }

    fn loose(&self) -> Option<&[u8]> {
        let bare = self.bare.get(..self.length).filter(|_| !self.overflow)?;
        Some(bare.get(PREFIX.len()..).filter(|_| self.prefixed).unwrap_or(bare))
    }
}

/// How a listed word stands to a loose one; most differ in the first letter.
fn order(word: &str, loose: &[u8]) -> Ordering {
    let word = word.as_bytes();
    word.first().cmp(&loose.first()).then_with(|| word.cmp(loose))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::cuts;

    type Verdict = (Option<Role>, bool, Option<Role>);

    fn role_of(text: &str) -> RoleWord {
        let mut role = RoleWord::default();
        role.feed(text.as_bytes());
        role
    }

    /// Role, furniture, suggestion; the same for every cut.
    fn judge(text: &str) -> Verdict {
        let mut verdicts = cuts::of(text.as_bytes()).into_iter().map(|pieces| {
            let mut role = RoleWord::default();
            for piece in pieces {
                role.feed(piece);
            }
            (role.role(), role.is_furniture(), role.meant())
        });
        let first = verdicts.next().unwrap();
        assert!(verdicts.all(|other| other == first), "{text:?}");
        first
    }

    #[test]
    fn the_thirteen_are_matched_exactly() {
        for role in Role::ALL {
            assert_eq!(judge(role.name()), (Some(role), false, Some(role)));
            assert_eq!(judge(&role.name().to_lowercase()), (None, false, Some(role)));
            assert_eq!(judge(&format!("{} ", role.name())), (None, false, Some(role)));
        }
    }

    #[test]
    fn every_listed_word_is_found_in_any_spelling() {
        let furniture = FURNITURE.iter().map(|word| (*word, (None, true, None)));
        let meant = SUGGESTIONS.iter().map(|(word, role)| (*word, (None, false, Some(*role))));
        for (word, verdict) in furniture.chain(meant) {
            assert_eq!(judge(word), verdict, "{word}");
            let upper = format!(" _A-X{} ", word.to_uppercase());
            assert_eq!(judge(&upper), verdict, "{upper}");
            assert_eq!(
                judge(&format!("{word}x")).1,
                FURNITURE.contains(&format!("{word}x").as_str())
            );
        }
    }

    #[test]
    fn other_words_are_matched_loosely() {
        use Role::{Row, Text};
        assert_eq!(judge(" A-X_r o w").2, Some(Row));
        assert_eq!(judge("AXStaticText").2, Some(Text));
        assert_eq!(judge("list-item").2, Some(Row));
        assert!(judge("push button").1 && judge("AXMenuItem").1);
    }

    #[test]
    fn near_misses_are_not() {
        for text in
            ["", "axrow", "AxRow", "AXAXRow", "Row\t", "Row.", "rows", "R\u{a0}ow", "AX", "rоw"]
        {
            assert_eq!(judge(text), (None, false, None), "{text:?}");
        }
    }

    #[test]
    fn a_word_lost_in_blanks_is_found_and_one_with_a_tail_is_not() {
        let mut role = RoleWord::default();
        for piece in [&" ".repeat(5000), "ro", &"-_ ".repeat(5000), "w", &" ".repeat(9)] {
            role.feed(piece.as_bytes());
        }
        assert_eq!((role.role(), role.meant()), (None, Some(Role::Row)));
        role.feed("w".repeat(100).as_bytes());
        assert_eq!(role.meant(), None);
    }

    #[test]
    fn all_words_that_are_matched_fit() {
        let words = FURNITURE.iter().chain(SUGGESTIONS.iter().map(|(word, _)| word));
        assert!(words.map(|word| word.len()).max().is_some_and(|most| most + 2 <= LONGEST));
        for length in [LONGEST - 1, LONGEST, LONGEST + 1, LONGEST + 100] {
            let role = role_of(&"a".repeat(length));
            assert_eq!(role.loose().is_some(), length <= LONGEST, "{length}");
        }
    }
}
