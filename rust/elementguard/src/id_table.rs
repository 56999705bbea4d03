//! `id_table`: which element used an id first (5.1, 5.4).
//!
//! In: ids, one after the other, each with its element. Out: the element that used the same id before. The text of ids of at most
//! 128 characters is kept once, in one buffer; of longer ones a keyed digest. Both are found through an open table of one word an
//! element: the element and 32 bits of the id's hash, so that a miss touches one place and a text is compared only when the bits
//! agree.
//!
//! In a large answer the table does not fit into the processor's caches, and waiting for its places would cost more than all else. So
//! a well-formed id waits for a few others while its place is fetched; what is found out then is said of its element all the same.
//!
//! Ids come from outside. The hash is two multiplications with keys that nobody knows; should some ids collide all the same, so
//! that a search takes more than [`MOST_STEPS`] steps, all are hashed anew with `SipHash`, once.

use crate::digest::Keys;
use crate::scan;

/// A search that takes more steps than this is no accident.
const MOST_STEPS: usize = 1024;

/// A table of so many places is cleared rather than given back, however few were used.
const MOST_IDLE: usize = 4096;

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

/// Where the text of an element's id stands in the buffer: 48 bits of start, 10 of length, 2 of form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span(u64);

const LENGTH_BITS: u32 = 10;
const USABLE: u64 = 1;
const LONG: u64 = 2;

impl Span {
    fn new(start: usize, length: usize, form: u64) -> Self {
        Self((start as u64) << (LENGTH_BITS + 2) | (length as u64) << 2 | form)
    }

    fn is_usable(self) -> bool {
        self.0 & USABLE != 0
    }

    fn is_long(self) -> bool {
        self.0 & LONG != 0
    }

    fn range(self) -> std::ops::Range<usize> {
        let start = (self.0 >> (LENGTH_BITS + 2)) as usize;
        start..start + (self.0 >> 2 & ((1 << LENGTH_BITS) - 1)) as usize
    }
}

/// How much the buffer of texts grows at least.
const LEAST_ROOM: usize = 1024;

/// A table of so many places is in the caches anyway.
const CLOSE: usize = 4096;

/// How many ids wait for their places to be fetched.
const LATE: usize = 8;

/// An id that waits to be entered.
#[derive(Clone, Copy, Debug)]
struct Late {
    hash: u64,
    at: u64,
    element: u32,
}

impl Default for Late {
    fn default() -> Self {
        Self { hash: 0, at: 0, element: NONE }
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
    /// For each element the text of its id; nothing if it has none.
    spans: Vec<Span>,
    /// The texts, one behind the other, and behind them room for more.
    text: Vec<u8>,
    filled: usize,
    /// A power of two of places: the hash's upper half and the element; free ones hold [`FREE`].
    places: Vec<u64>,
    used: usize,
    /// The ids that wait, and which of them is the next one.
    late: [Late; LATE],
    next: usize,
    waiting: usize,
}

const FREE: u64 = u64::MAX;

impl IdTable {
    pub(crate) fn new(keys: Keys) -> Self {
        Self { keys, ..Self::default() }
    }

    /// Forgets all ids; keeps room, unless there is far more than was used.
    pub(crate) fn reset(&mut self, keys: Keys) {
        let is_roomy = self.places.len() > MOST_IDLE && self.used * 16 < self.places.len();
        if is_roomy {
            self.places = Vec::new();
        } else if self.used > 0 {
            self.places.fill(FREE);
        }
        (self.keys, self.safe, self.used) = (keys, false, 0);
        // An answer that was given up may have left ids that wait.
        while self.waiting > 0 {
            self.take_late();
        }
        self.spans.clear();
        self.filled = 0;
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        (self.spans.capacity() + self.places.capacity()) * size_of::<u64>() + self.text.capacity()
    }

    /// An element begins; it has no id yet.
    pub(crate) fn add_element(&mut self) {
        self.spans.push(Span::default());
    }

    /// The id of an element, if it is usable.
    pub(crate) fn usable(&self, element: u32) -> Option<&[u8]> {
        let span = self.spans.get(element as usize).filter(|span| span.is_usable())?;
        self.text.get(span.range())
    }

    /// Enters an element's id; gives the element that used it before, or [`NONE`].
    pub(crate) fn insert(&mut self, id: IdText<'_>, usable: bool, element: u32) -> u32 {
        self.keep(id, usable, element);
        if (self.used + 1) * 2 > self.places.len() {
            self.grow();
        }
        let hash = self.hash(id);
        let (place, first, steps) = self.search(id, hash);
        if first != NONE {
            return first;
        }
        self.places[place] = entry(hash, element);
        self.used += 1;
        self.watch(steps);
        NONE
    }

    /// Enters a usable id that stands at `at`, a little later: first its place in the table is fetched, while others are read.
    /// Gives what is known by now of one that came before, if another element used that id already.
    #[inline(always)]
    pub(crate) fn insert_usable(&mut self, text: &[u8], element: u32, at: u64) -> Option<Repeat> {
        let start = self.add_text(text);
        if let Some(span) = self.spans.get_mut(element as usize) {
            *span = Span::new(start, text.len(), USABLE);
        }
        let hash = if self.safe { self.keys.digest(text) as u64 } else { self.keys.quick(text) };
        if self.places.len() <= CLOSE {
            return self.settle(Late { hash, at, element });
        }
        scan::prefetch(&self.places, hash as usize & self.places.len().wrapping_sub(1));
        // Field by field: a copy as a whole would have to wait for its parts.
        let slot = &mut self.late[self.next % LATE];
        let late = *slot;
        (slot.hash, slot.at, slot.element) = (hash, at, element);
        self.next = (self.next + 1) % LATE;
        if self.waiting == LATE {
            return self.settle(late);
        }
        self.waiting += 1;
        None
    }

    /// The id that has waited longest.
    fn take_late(&mut self) -> Late {
        let oldest = self.next.wrapping_sub(self.waiting) % LATE;
        self.waiting -= 1;
        self.late[oldest]
    }

    /// Adds a text to the buffer; gives where it begins.
    #[inline(always)]
    fn add_text(&mut self, text: &[u8]) -> usize {
        let start = self.filled;
        if self.text.len() - start < text.len() {
            self.text.resize((self.text.len() * 2).max(start + LEAST_ROOM), 0);
        }
        if let Some(room) = self.text.get_mut(start..start + text.len()) {
            copy(room, text);
            self.filled += text.len();
        }
        start
    }

    /// Whether an id waits.
    #[inline]
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// Enters the ids that wait; gives those that another element used before.
    pub(crate) fn settle_all(&mut self) -> Vec<Repeat> {
        let mut repeats = Vec::new();
        while self.waiting > 0 {
            let late = self.take_late();
            repeats.extend(self.settle(late));
        }
        repeats
    }

    #[inline(always)]
    fn settle(&mut self, late: Late) -> Option<Repeat> {
        if (self.used + 1) * 2 > self.places.len() {
            self.grow();
        }
        let mask = self.places.len().wrapping_sub(1);
        let mut place = late.hash as usize & mask;
        // Places that hold other hashes are stepped over here; whatever is rarer is not inlined.
        loop {
            match self.places.get_mut(place) {
                Some(free) if *free == FREE => {
                    *free = entry(late.hash, late.element);
                    self.used += 1;
                    return None;
                }
                Some(found) if *found >> 32 != late.hash >> 32 && place < mask => place += 1,
                _ => return self.settle_further(late),
            }
        }
    }

    /// The same where a place looks like the one that is wanted, or the table's end was reached.
    #[inline(never)]
    fn settle_further(&mut self, late: Late) -> Option<Repeat> {
        let span = self.spans.get(late.element as usize).copied().unwrap_or_default();
        let text = self.text.get(span.range()).unwrap_or_default();
        // The keys may have changed since it was hashed.
        let hash = self.hash(IdText::Short(text));
        let (place, first, steps) = self.search(IdText::Short(text), hash);
        if first != NONE {
            return Some(Repeat { at: late.at, element: late.element, first });
        }
        self.places[place] = entry(hash, late.element);
        self.used += 1;
        self.watch(steps);
        None
    }

    /// A search that takes too long is answered with keyed digests, once.
    fn watch(&mut self, steps: usize) {
        if steps > MOST_STEPS && !self.safe {
            self.safe = true;
            self.rehash(self.places.len());
        }
    }

    /// The text of an element's id, as it is quoted.
    pub(crate) fn text(&self, element: u32) -> &[u8] {
        let span = self.spans.get(element as usize).copied().unwrap_or_default();
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Whether an element has that id, as far as ids were entered.
    pub(crate) fn contains(&self, id: IdText<'_>) -> bool {
        !self.places.is_empty() && self.search(id, self.hash(id)).1 != NONE
    }

    /// Where an id stands or belongs, the element that has it, and how many steps the search took.
    fn search(&self, id: IdText<'_>, hash: u64) -> (usize, u32, usize) {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        let mut steps = 0;
        loop {
            let found = self.places[place];
            if found == FREE {
                return (place, NONE, steps);
            }
            if found >> 32 == hash >> 32 && self.is(id, found as u32) {
                return (place, found as u32, steps);
            }
            place = (place + 1) & mask;
            steps += 1;
        }
    }

    fn is(&self, id: IdText<'_>, element: u32) -> bool {
        let Some(&span) = self.spans.get(element as usize) else { return false };
        let text = self.text.get(span.range()).unwrap_or_default();
        match id {
            IdText::Short(other) => !span.is_long() && text == other,
            IdText::Long(digest) => span.is_long() && text == digest.to_le_bytes(),
        }
    }

    fn keep(&mut self, id: IdText<'_>, usable: bool, element: u32) {
        let (start, form) = match id {
            IdText::Short(text) => (self.add_text(text), u64::from(usable) * USABLE),
            IdText::Long(digest) => (self.add_text(&digest.to_le_bytes()), LONG),
        };
        if let Some(span) = self.spans.get_mut(element as usize) {
            *span = Span::new(start, self.filled - start, form);
        }
    }

    fn hash(&self, id: IdText<'_>) -> u64 {
        match id {
            IdText::Long(digest) => digest as u64 ^ (digest >> 64) as u64,
            IdText::Short(text) if self.safe => self.keys.digest(text) as u64,
            IdText::Short(text) => self.keys.quick(text),
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.rehash((self.places.len() * 2).max(64));
    }

    fn rehash(&mut self, size: usize) {
        let old = std::mem::take(&mut self.places);
        self.places = vec![FREE; size];
        for found in old.into_iter().filter(|&found| found != FREE) {
            let element = found as u32;
            let span = self.spans.get(element as usize).copied().unwrap_or_default();
            let hash = {
                let text = self.text.get(span.range()).unwrap_or_default();
                match text.try_into() {
                    Ok(digest) if span.is_long() => {
                        self.hash(IdText::Long(u128::from_le_bytes(digest)))
                    }
                    _ => self.hash(IdText::Short(text)),
                }
            };
            let mask = size - 1;
            let mut place = hash as usize & mask;
            while self.places[place] != FREE {
                place = (place + 1) & mask;
            }
            self.places[place] = entry(hash, element);
        }
    }
}

/// Copies a short text to a place as long: its first and its last bytes, which may overlap.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    fn ends<const N: usize>(to: &mut [u8], from: &[u8]) {
        if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk::<N>()) {
            *to = *from;
        }
        if let (Some(to), Some(from)) = (to.last_chunk_mut::<N>(), from.last_chunk::<N>()) {
            *to = *from;
        }
    }
    match from.len() {
        8..=16 => ends::<8>(to, from),
        4..8 => ends::<4>(to, from),
        17..=32 => ends::<16>(to, from),
        _ => to.copy_from_slice(from),
    }
}

fn entry(hash: u64, element: u32) -> u64 {
    hash >> 32 << 32 | u64::from(element)
}

#[cfg(test)]
mod tests {
    use super::{IdTable, IdText, NONE};
    use crate::digest::Keys;

    #[test]
    fn the_first_use_is_found_again() {
        let mut table = IdTable::new(Keys::random());
        for element in 0..5000_u32 {
            table.add_element();
            let id = format!("id-{}", element % 3000);
            let first = table.insert(IdText::Short(id.as_bytes()), true, element);
            assert_eq!(first, if element < 3000 { NONE } else { element - 3000 });
            assert_eq!(table.usable(element), Some(id.as_bytes()));
        }
        assert!(table.contains(IdText::Short(b"id-2999")));
        assert!(!table.contains(IdText::Short(b"id-3000")));
    }

    #[test]
    fn short_and_long_ids_are_never_the_same() {
        let mut table = IdTable::new(Keys::random());
        let digest = u128::from_le_bytes(*b"sixteen bytes ok");
        for (element, id) in
            [IdText::Short(b"sixteen bytes ok"), IdText::Long(digest)].into_iter().enumerate()
        {
            table.add_element();
            assert_eq!(table.insert(id, false, element as u32), NONE);
            assert_eq!(table.usable(element as u32), None);
        }
        table.add_element();
        assert_eq!(table.insert(IdText::Long(digest), false, 2), 1);
    }
}
