//! ids: identity, section 5.4 (and the ids that `related` names, 5.6).
//!
//! In: ids as they are read. Out: `malformed-id`, `duplicate-id`, and at the end of the answer `dangling-related`; the text of
//! usable ids, so that findings and the summary can name elements.
//!
//! What is compared, and why nobody who chooses ids can make that slow, is told in `id_table`. A well-formed id is entered a little
//! later than it is read, so `duplicate-id` may speak of an element that has ended.

use crate::blocks::Texts;
use crate::digest::SHORT;
use crate::findings::Parameter;
use crate::id_table::{IdText, NONE, Repeat};
use crate::pointer::{Place, Spot, Step};
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::tree::Tree;
use crate::word::Id;

/// The ids that `related` names and that were no element's when they were read.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    /// For each three numbers, of few bytes, and its text, before it the digest of one that is not whole. Where the answer is at
    /// hand as a whole, most texts are left where they stand in it.
    related: Texts,
    /// Where the last one stands, and its element: what is written is how far the next one is from there.
    last: (u64, u32),
    /// Whether the whole answer will be there when [`Tree::dangling_related`] is asked.
    pub(crate) is_at_hand: bool,
}

/// An entry of `related`.
#[derive(Clone, Copy, Debug)]
struct Related<'a> {
    at: u64,
    element: u32,
    index: u64,
    /// Its id, cut after 128 characters; then there is the digest of the whole.
    text: &'a [u8],
    digest: Option<u128>,
}

/// Three numbers and a digest.
const MOST_BEFORE_TEXT: usize = 3 * 10 + 16;

/// Most entries have a head of one word with all three numbers: from the lowest bit on whether it has not, whether the text stands
/// in the answer alone, how far it is from the entry before in bytes and in elements, and the index.
const IS_WIDE: u32 = 1;
const IS_SENT: u32 = 2;
const AT_BITS: u32 = 13;
const ELEMENT_BITS: u32 = 6;
const INDEX_BITS: u32 = 11;

impl Ids {
    /// Forgets all that `related` names.
    pub(crate) fn reset(&mut self) {
        self.related.clear();
        (self.last, self.is_at_hand) = ((0, 0), false);
    }

    /// Whether none may be dangling.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.related.is_empty()
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.related.room()
    }

    #[inline(always)]
    fn add(&mut self, entry: Related<'_>, is_sent: bool) {
        let (at, element) =
            (entry.at.wrapping_sub(self.last.0), entry.element.wrapping_sub(self.last.1));
        self.last = (entry.at, entry.element);
        let is_wide =
            at >> AT_BITS != 0 || element >> ELEMENT_BITS != 0 || entry.index >> INDEX_BITS != 0;
        if is_wide || entry.digest.is_some() {
            return self.add_wide(at, element, entry);
        }
        let numbers = (entry.index as u32) << ELEMENT_BITS | element;
        let head = (numbers << AT_BITS | at as u32) << 2;
        if is_sent {
            self.related.add_headed((head | IS_SENT).to_le_bytes(), &[]);
        } else {
            self.related.add_headed(head.to_le_bytes(), entry.text);
        }
    }

    #[cold]
    fn add_wide(&mut self, at: u64, element: u32, entry: Related<'_>) {
        let mut before = Before { bytes: [0; 4 + MOST_BEFORE_TEXT], filled: 0 };
        IS_WIDE.to_le_bytes().into_iter().for_each(|byte| before.byte(byte));
        before.number(at);
        before.number(u64::from(element));
        before.number(entry.index << 1 | u64::from(entry.digest.is_some()));
        if let Some(digest) = entry.digest {
            digest.to_le_bytes().into_iter().for_each(|byte| before.byte(byte));
        }
        self.related.add_joined(before.bytes(), entry.text);
    }

    /// The entries, in the order in which they were added; `answer` is where texts were left.
    fn entries<'a>(&'a self, answer: &'a [u8]) -> impl Iterator<Item = Related<'a>> {
        let (mut at, mut element) = (0_u64, 0_u32);
        self.related.all().filter_map(move |kept| {
            let (head, text) = kept.split_first_chunk()?;
            let head = u32::from_le_bytes(*head);
            let mut entry = if head & IS_WIDE == 0 { narrow(head, text) } else { wide(text) };
            at = at.wrapping_add(entry.at);
            element = element.wrapping_add(entry.element);
            (entry.at, entry.element) = (at, element);
            if head & IS_SENT != 0 {
                entry.text = sent(answer, at);
            }
            Some(entry)
        })
    }
}

/// An entry of which all numbers stand in its head; how far it is from the one before.
#[inline(always)]
fn narrow(head: u32, text: &[u8]) -> Related<'_> {
    let bits = |from: u32, many: u32| head >> from & ((1 << many) - 1);
    Related {
        at: u64::from(bits(2, AT_BITS)),
        element: bits(2 + AT_BITS, ELEMENT_BITS),
        index: u64::from(bits(2 + AT_BITS + ELEMENT_BITS, INDEX_BITS)),
        text,
        digest: None,
    }
}

/// The text of a string without escapes, its quotation mark at `at`.
fn sent(answer: &[u8], at: u64) -> &[u8] {
    let behind = answer.get(at as usize..).and_then(|rest| rest.get(1..)).unwrap_or_default();
    let length = memchr::memchr(b'"', behind).unwrap_or(0);
    behind.get(..length).unwrap_or_default()
}

/// The same of one whose numbers stand behind its head.
#[cold]
fn wide(mut rest: &[u8]) -> Related<'_> {
    let (at, element, index) = (read(&mut rest), read(&mut rest) as u32, read(&mut rest));
    let (digest, text) = match rest.split_first_chunk() {
        Some((digest, text)) if index & 1 == 1 => (Some(u128::from_le_bytes(*digest)), text),
        _ => (None, rest),
    };
    Related { at, element, index: index >> 1, text, digest }
}

impl<'a> Related<'a> {
    fn id(&self) -> IdText<'a> {
        self.digest.map_or(IdText::Short(self.text), IdText::Long)
    }
}

/// What stands before an entry's text.
struct Before {
    bytes: [u8; 4 + MOST_BEFORE_TEXT],
    filled: usize,
}

impl Before {
    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.filled) {
            *place = byte;
            self.filled += 1;
        }
    }

    /// Adds a number, seven bits a byte.
    fn number(&mut self, mut number: u64) {
        while number > 0x7F {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }
}

/// Reads a number.
fn read(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else { break };
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

/// Whether a text has the form of an id (5.1).
fn is_id(text: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=128).contains(&text.len()) && text.iter().all(fits)
}

impl Tree {
    /// `id` was read of which the text is there as a whole.
    pub(crate) fn id_text(&mut self, at: u64, text: &[u8]) {
        if is_id(text) {
            self.index_id(at);
            return self.good_id(at, text);
        }
        let mut id = Id::default();
        id.feed(text, self.keys);
        self.id(at, &id);
    }

    /// `id` was read.
    pub(crate) fn id(&mut self, at: u64, id: &Id) {
        self.index_id(at);
        if id.word().is_id() {
            return self.good_id(at, id.word().text());
        }
        self.say(Rule::MalformedId, at, || [Parameter::quote(id.word().text())]);
        self.settle_ids();
        let text = if id.word().is_whole() {
            IdText::Short(id.word().text())
        } else {
            IdText::Long(id.digest(self.keys))
        };
        let first = self.names.ids.insert_odd(text, self.element());
        if first != NONE {
            self.say(Rule::DuplicateId, at, || {
                let other = Spot::member(first, ElementMember::Id.name());
                [Parameter::quote(id.word().text()), Parameter::pointer(other)]
            });
        }
    }

    /// A well-formed id was read.
    #[inline(always)]
    pub(crate) fn good_id(&mut self, at: u64, text: &[u8]) {
        if let Some(repeat) = self.names.ids.insert_usable(text, self.element(), at) {
            self.repeated_id(repeat);
        }
    }

    /// The same of a short one of that length that stands at the start of `ahead`.
    #[inline(always)]
    pub(crate) fn good_id_ahead(&mut self, at: u64, ahead: &[u8; SHORT], length: usize) {
        if let Some(repeat) = self.names.ids.insert_ahead(ahead, length, self.element(), at) {
            self.repeated_id(repeat);
        }
    }

    /// Says that an id was used before.
    #[inline(never)]
    pub(crate) fn repeated_id(&mut self, repeat: Repeat) {
        let Repeat { at, element, first } = repeat;
        if self.findings.count(Rule::DuplicateId, at) {
            let spot = Spot::member(element, ElementMember::Id.name());
            let other = Spot::member(first, ElementMember::Id.name());
            let quoted = Parameter::quote(self.names.ids.usable(element).unwrap_or_default());
            let parameters = [quoted, Parameter::pointer(other)];
            self.findings.keep(Rule::DuplicateId, at, element, spot, parameters);
        }
    }

    /// Enters the ids that wait.
    #[inline]
    pub(crate) fn settle_ids(&mut self) {
        if self.names.ids.is_waiting() {
            self.settle_waiting_ids();
        }
    }

    #[inline(never)]
    fn settle_waiting_ids(&mut self) {
        while let Some(repeat) = self.names.ids.settle_next() {
            self.repeated_id(repeat);
        }
    }

    /// The `id` of an entry of `related` was read.
    pub(crate) fn related_id(&mut self, at: u64, id: &Id) {
        let entries =
            self.path.stack.len().checked_sub(2).and_then(|depth| self.path.stack.get(depth));
        let index = entries.map_or(0, |open| open.items.saturating_sub(1));
        if id.word().is_whole() {
            return self.await_related(at, index, id.word().text(), false);
        }
        let digest = id.digest(self.keys);
        if self.may_dangle() && !self.names.ids.contains(IdText::Long(digest)) {
            let (element, text) = (self.element(), id.word().text());
            self.ids.add(Related { at, element, index, text, digest: Some(digest) }, false);
        }
    }

    /// An entry of `related` names an id, which may have been sent without escapes at `at`: unless an element has it already, it
    /// may be dangling.
    #[inline(never)]
    pub(crate) fn await_related(&mut self, at: u64, index: u64, text: &[u8], is_sent: bool) {
        if self.may_dangle() && !self.names.ids.contains(IdText::Short(text)) {
            let element = self.element();
            self.ids.add(Related { at, element, index, text, digest: None }, is_sent);
        }
    }

    fn may_dangle(&self) -> bool {
        self.settings.kind == Kind::Answer && self.findings.is_on(Rule::DanglingRelated)
    }

    /// The answer ends: which ids that `related` names are no element's. What was left in the answer is looked up in `answer`.
    pub(crate) fn dangling_related(&mut self, answer: &[u8]) {
        self.settle_ids();
        if self.ids.is_empty() {
            return;
        }
        let mut ids = std::mem::take(&mut self.ids);
        for entry in ids.entries(answer) {
            if !self.names.ids.contains(entry.id()) {
                self.say_of(entry.element, Rule::DanglingRelated, entry.at, || {
                    let spot = Spot {
                        place: Place::element(entry.element),
                        step: Step::RelatedId(entry.index),
                    };
                    (spot, [Parameter::quote(entry.text)])
                });
            }
        }
        ids.reset();
        self.ids = ids;
    }
}

#[cfg(test)]
mod tests {
    use super::{Ids, Related};
    use crate::{Settings, Validator};

    /// Each number as large as it may be in a short entry, and one larger; and such as no answer has.
    #[test]
    fn what_was_kept_of_an_entry_is_what_was_added() {
        let steps = [0, 1, 0x7F, 0x80, 0x1FFF, 0x2000, 0x3FFF, 0x4000, 1 << 31, 1 << 62];
        let elements = [0, 1, 63, 64, 0x7F, 0x80, 1 << 20];
        let indexes = [0, 1, 63, 64, 0x7FF, 0x800, 1 << 40];
        let mut added: Vec<Related<'_>> = Vec::new();
        let (mut at, mut element) = (0_u64, 0_u32);
        for step in steps {
            for further in elements {
                for index in indexes {
                    for digest in [None, Some(0xFEDC_BA98_7654_3210_u128 << 61)] {
                        at = at.wrapping_add(step);
                        element = element.wrapping_add(further);
                        // As long as a digest, so that it could be taken for one.
                        added.push(Related {
                            at,
                            element,
                            index,
                            text: b"sixteen-letters-",
                            digest,
                        });
                    }
                }
            }
        }
        let mut ids = Ids::default();
        for &entry in &added {
            ids.add(entry, false);
        }
        let told = |entry: Related<'_>| {
            (entry.at, entry.element, entry.index, entry.text.to_vec(), entry.digest)
        };
        assert!(ids.entries(b"").map(told).eq(added.into_iter().map(told)));
    }

    /// So many ids that the last ones wait for their place in the table when the answer ends.
    #[test]
    fn ids_that_wait_at_the_end_are_entered() {
        let row = |id: String| format!(r#"{{"id":"{id}","role":"Row"}}"#);
        let ids = (0..3_000).map(|number| format!("row-{number}"));
        let rows: Vec<_> = ids.chain(["last".into(), "row-7".into()]).map(row).collect();
        let related = r#"[{"relation":"r","id":"last"},{"relation":"r","id":"nobody"}]"#;
        let answer = format!(
            r#"{{"protocol":"0.2.0","instance":"run-1","root":{{"id":"app","role":"Application",
            "attributes":{{"related":{related}}},"children":[{}]}}}}"#,
            rows.join(",")
        );
        let report = Validator::new(Settings::default()).check(answer.as_bytes());
        let told: Vec<_> = report
            .findings()
            .iter()
            .map(|finding| (finding.rule().code(), report.pointer(finding)))
            .collect();
        let expected = [
            ("dangling-related", "/root/attributes/related/1/id"),
            ("duplicate-id", "/root/children/3001/id"),
        ];
        assert_eq!(told, expected.map(|(code, pointer)| (code, pointer.to_owned())));
    }
}
