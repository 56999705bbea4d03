//! `id_table`: which element used an id first (5.1, 5.4).
//!
//! In: ids, one after the other, each with its element. Out: the element that used the same id before. The text of ids of at most
//! 128 characters is kept once; of longer ones a keyed digest. Both are found by 32 bits of the id's hash (`tags`), so that a miss
//! touches one place and a text is compared only when the bits agree.
//!
//! In a large answer the table does not fit into the processor's caches, and waiting for its places would cost more than all else. So
//! a well-formed id waits for a few others while its place is fetched; what is found out then is said of its element all the same.
//!
//! Ids come from outside. The hash is two multiplications with keys that nobody knows; should some ids collide all the same, so
//! that a search takes more than [`MOST_STEPS`] steps, all are hashed anew with `SipHash`, once.

use crate::blocks::{Blocks, Texts};
use crate::digest::{Keys, SHORT};
use crate::tags::{self, Tags};

/// A search that takes more steps than this is no accident.
const MOST_STEPS: usize = 256;

/// No element.
pub(crate) const NONE: u32 = u32::MAX;

/// An id as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdText<'a> {
    /// Of at most 128 characters, well-formed or not.
    Short(&'a [u8]),
    /// Of more: the digest of its text.
    Long(u128),
}

/// Where the text stands that is kept for an element's id: 39 bits, and one of form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept([u8; 5]);

impl Kept {
    /// It has no id, or none yet.
    const NOTHING: Self = Self([u8::MAX; 5]);
    /// The id is not well-formed; before its text stands [`WHOLE`] or [`DIGEST`].
    const ODD: u64 = 1 << 39;

    #[inline(always)]
    fn new(place: u64) -> Self {
        place.to_le_bytes().first_chunk().map_or(Self::NOTHING, |bytes| Self(*bytes))
    }

    fn place(self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..5].copy_from_slice(&self.0);
        u64::from_le_bytes(bytes)
    }
}

const WHOLE: u8 = 0;
const DIGEST: u8 = 1;

/// How many ids wait for their places to be fetched.
const LATE: usize = 8;

/// An id that waits to be entered.
#[derive(Clone, Copy, Debug)]
struct Late {
    at: u64,
    tag: u32,
    element: u32,
}

impl Default for Late {
    fn default() -> Self {
        Self { at: 0, tag: 0, element: NONE }
    }
}

/// An id that another element used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeat {
    pub(crate) at: u64,
    pub(crate) element: u32,
    pub(crate) first: u32,
}

/// The ids of an answer's elements.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdTable {
    keys: Keys,
    safe: bool,
    /// What is kept of each element's id.
    kept: Blocks<Kept>,
    texts: Texts,
    /// The elements, by their ids.
    tags: Tags,
    /// The ids that wait, and which of them is the next one.
    late: [Late; LATE],
    next: usize,
    waiting: usize,
}

impl IdTable {
    pub(crate) fn new(keys: Keys) -> Self {
        Self { keys, ..Self::default() }
    }

    /// Forgets all ids; keeps room, unless there is far more than was used.
    pub(crate) fn reset(&mut self, keys: Keys) {
        (self.keys, self.safe) = (keys, false);
        // An answer that was given up may have left ids that wait.
        (self.waiting, self.next) = (0, 0);
        self.kept.clear();
        self.texts.clear();
        self.tags.clear();
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.kept.room() + self.texts.room() + self.tags.room()
    }

    /// The id of an element, if it is usable.
    #[inline]
    pub(crate) fn usable(&self, element: u32) -> Option<&[u8]> {
        let place = self.kept.get(element as usize)?.place();
        (place & Kept::ODD == 0).then(|| self.texts.get(place))
    }

    /// Enters an id that is not well-formed; gives the element that used it before, or [`NONE`].
    pub(crate) fn insert_odd(&mut self, id: IdText<'_>, element: u32) -> u32 {
        self.keep_odd(id, element);
        let tag = self.tag(id);
        if self.tags.enter_new(tag, element) {
            return NONE;
        }
        self.enter(id, tag, element)
    }

    /// Enters a usable id that stands at `at`, a little later: first its place in the table is fetched, while others are read.
    /// Gives what is known by now of one that came before, if another element used that id already.
    #[inline(never)]
    pub(crate) fn insert_usable(&mut self, text: &[u8], element: u32, at: u64) -> Option<Repeat> {
        let place = self.texts.add(text);
        let tag = self.tag(IdText::Short(text));
        self.keep_and_settle(place, Late { at, tag, element })
    }

    /// The same of a short one of that length that stands at the start of `ahead`.
    #[inline(always)]
    pub(crate) fn insert_ahead(
        &mut self,
        ahead: &[u8; SHORT],
        length: usize,
        element: u32,
        at: u64,
    ) -> Option<Repeat> {
        if self.safe {
            return self.insert_usable(ahead.get(..length)?, element, at);
        }
        let place = self.texts.add_ahead(ahead, length);
        let tag = tags::tag(self.keys.quick_ahead(ahead, length));
        self.keep_and_settle(place, Late { at, tag, element })
    }

    #[inline(always)]
    fn keep_and_settle(&mut self, place: u64, late: Late) -> Option<Repeat> {
        self.keep(late.element, Kept::new(place));
        if self.tags.is_near() {
            return self.settle(late);
        }
        self.tags.prefetch(late.tag);
        // Field by field: a copy as a whole would have to wait for its parts.
        let slot = &mut self.late[self.next % LATE];
        let before = *slot;
        (slot.at, slot.tag, slot.element) = (late.at, late.tag, late.element);
        self.next = (self.next + 1) % LATE;
        if self.waiting == LATE {
            return self.settle(before);
        }
        self.waiting += 1;
        None
    }

    /// Whether an id waits.
    #[inline]
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// Enters the ids that wait, the oldest first, up to one that another element used before.
    pub(crate) fn settle_next(&mut self) -> Option<Repeat> {
        while self.waiting > 0 {
            let oldest = self.next.wrapping_sub(self.waiting) % LATE;
            self.waiting -= 1;
            let repeat = self.settle(self.late[oldest]);
            if repeat.is_some() {
                return repeat;
            }
        }
        None
    }

    #[inline(always)]
    fn settle(&mut self, late: Late) -> Option<Repeat> {
        if self.tags.enter_new(late.tag, late.element) { None } else { self.settle_further(late) }
    }

    /// The same where another id may be equal, or the way is longer.
    #[inline(never)]
    fn settle_further(&mut self, late: Late) -> Option<Repeat> {
        let Late { at, element, .. } = late;
        let kept = self.kept.get(element as usize).copied().unwrap_or(Kept::NOTHING);
        let text = self.texts.get(kept.place());
        // The keys may have changed since it was hashed.
        let tag = self.tag(IdText::Short(text));
        let (first, steps) = self.tags.find(tag, |other| self.is(IdText::Short(text), other));
        if let Some(first) = first {
            return Some(Repeat { at, element, first });
        }
        self.tags.enter(tag, element);
        self.watch(steps);
        None
    }

    fn enter(&mut self, id: IdText<'_>, tag: u32, element: u32) -> u32 {
        let (first, steps) = self.tags.find(tag, |other| self.is(id, other));
        if let Some(first) = first {
            return first;
        }
        self.tags.enter(tag, element);
        self.watch(steps);
        NONE
    }

    /// A search that takes too long is answered with keyed digests, once.
    fn watch(&mut self, steps: usize) {
        if steps > MOST_STEPS && !self.safe {
            self.safe = true;
            let mut tags = std::mem::take(&mut self.tags);
            tags.retag(|element| self.id(element).map_or(0, |id| self.tag(id)));
            self.tags = tags;
        }
    }

    /// Whether an element has that id, as far as ids were entered.
    #[inline(always)]
    pub(crate) fn contains(&self, id: IdText<'_>) -> bool {
        match id {
            IdText::Short(text) => self.contains_text(text),
            IdText::Long(_) => self.tags.find(self.tag(id), |other| self.is(id, other)).0.is_some(),
        }
    }

    #[inline(never)]
    fn contains_text(&self, text: &[u8]) -> bool {
        let tag = self.tag(IdText::Short(text));
        self.tags.find(tag, |other| self.is_text(text, other)).0.is_some()
    }

    fn is(&self, id: IdText<'_>, element: u32) -> bool {
        match id {
            IdText::Short(text) => self.is_text(text, element),
            IdText::Long(_) => self.id(element) == Some(id),
        }
    }

    /// A function of its own: what it needs is not worth fetching before a tag is found.
    #[inline(never)]
    fn is_text(&self, text: &[u8], element: u32) -> bool {
        match self.usable(element) {
            Some(usable) => is_same(text, usable),
            None => self.id(element) == Some(IdText::Short(text)),
        }
    }

    /// The id that is kept for an element.
    #[cold]
    fn id(&self, element: u32) -> Option<IdText<'_>> {
        let place = self.kept.get(element as usize)?.place();
        if place & Kept::ODD == 0 {
            return Some(IdText::Short(self.texts.get(place)));
        }
        match self.texts.get(place & !Kept::ODD) {
            [WHOLE, text @ ..] => Some(IdText::Short(text)),
            [_, digest @ ..] => Some(IdText::Long(u128::from_le_bytes(digest.try_into().ok()?))),
            [] => None,
        }
    }

    fn keep_odd(&mut self, id: IdText<'_>, element: u32) {
        let place = match id {
            IdText::Short(text) => self.texts.add_joined(&[WHOLE], text),
            IdText::Long(digest) => self.texts.add_joined(&[DIGEST], &digest.to_le_bytes()),
        };
        self.keep(element, Kept::new(place | Kept::ODD));
    }

    /// Most elements have an id, and before another element begins.
    #[inline(always)]
    fn keep(&mut self, element: u32, kept: Kept) {
        if element as usize == self.kept.len() {
            self.kept.push(kept);
        } else {
            self.keep_late(element, kept);
        }
    }

    #[inline(never)]
    fn keep_late(&mut self, element: u32, kept: Kept) {
        while self.kept.len() <= element as usize {
            self.kept.push(Kept::NOTHING);
        }
        if let Some(place) = self.kept.get_mut(element as usize) {
            *place = kept;
        }
    }

    #[inline(always)]
    fn tag(&self, id: IdText<'_>) -> u32 {
        tags::tag(match id {
            IdText::Long(digest) => digest as u64 ^ (digest >> 64) as u64,
            IdText::Short(text) if self.safe => self.keys.digest(text) as u64,
            IdText::Short(text) => self.keys.quick(text),
        })
    }
}

/// Whether two texts are the same; most are short, and not worth a call.
#[inline(always)]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    fn ends(text: &[u8]) -> Option<(u64, u64)> {
        Some((u64::from_le_bytes(*text.first_chunk()?), u64::from_le_bytes(*text.last_chunk()?)))
    }
    if one.len() == other.len() && matches!(one.len(), 8..=16) {
        return ends(one) == ends(other);
    }
    one == other
}

#[cfg(test)]
mod tests {
    use super::{IdTable, IdText, NONE, Repeat};
    use crate::digest::Keys;

    /// Enters an id at once.
    fn insert(table: &mut IdTable, text: &str, element: u32) -> u32 {
        let mut repeats = vec![table.insert_usable(text.as_bytes(), element, 0)];
        while table.is_waiting() {
            repeats.push(table.settle_next());
        }
        let first = |repeat: Option<Repeat>| repeat.map(|repeat| repeat.first);
        repeats.into_iter().find_map(first).unwrap_or(NONE)
    }

    #[test]
    fn the_first_use_is_found_again() {
        let mut table = IdTable::new(Keys::random());
        for _ in 0..2 {
            for element in 0..50_000_u32 {
                let id = format!("id-{}", element % 30_000);
                let first = insert(&mut table, &id, element);
                assert_eq!(first, if element < 30_000 { NONE } else { element - 30_000 });
                assert_eq!(table.usable(element), Some(id.as_bytes()));
            }
            assert!(table.contains(IdText::Short(b"id-29999")));
            assert!(!table.contains(IdText::Short(b"id-30000")));
            table.reset(Keys::random());
            assert!(!table.contains(IdText::Short(b"id-29999")));
        }
    }

    #[test]
    fn ids_that_wait_are_entered_in_their_order() {
        let mut table = IdTable::new(Keys::random());
        (0..20_000).for_each(|element| _ = insert(&mut table, &format!("id-{element}"), element));
        for (element, text) in (20_000..).zip(["a", "b", "a", "b", "c"]) {
            assert_eq!(table.insert_usable(text.as_bytes(), element, 7), None);
        }
        let repeat = |element, first| Some(Repeat { at: 7, element, first });
        assert_eq!(table.settle_next(), repeat(20_002, 20_000));
        assert_eq!(table.settle_next(), repeat(20_003, 20_001));
        assert_eq!(table.settle_next(), None);
        assert!(!table.is_waiting());
    }

    #[test]
    fn short_and_long_ids_are_never_the_same() {
        let mut table = IdTable::new(Keys::random());
        let digest = u128::from_le_bytes(*b"sixteen bytes ok");
        for (element, id) in
            [IdText::Short(b"sixteen bytes ok"), IdText::Long(digest)].into_iter().enumerate()
        {
            assert_eq!(table.insert_odd(id, element as u32), NONE);
            assert_eq!(table.usable(element as u32), None);
        }
        assert_eq!(table.insert_odd(IdText::Long(digest), 2), 1);
        assert_eq!(table.insert_odd(IdText::Short(b"sixteen bytes ok"), 3), 0);
    }

    #[test]
    fn ids_are_found_when_all_were_hashed_anew() {
        let mut table = IdTable::new(Keys::random());
        (0..3000).for_each(|element| _ = insert(&mut table, &format!("id-{element}"), element));
        assert_eq!(table.insert_odd(IdText::Long(5), 3000), NONE);
        table.watch(super::MOST_STEPS + 1);
        assert!(table.safe);
        assert!((0..3000).all(|n| table.contains(IdText::Short(format!("id-{n}").as_bytes()))));
        assert!(table.contains(IdText::Long(5)));
        assert_eq!(insert(&mut table, "id-7", 3001), 7);
    }
}
