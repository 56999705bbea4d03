//! blocks: columns that grow and never move.
//!
//! In: items, one behind the other; bytes of short texts. Out: any of them by its number or place. A vector that grows is copied to
//! one twice as long, and both are held while that is done; here each block stays where it is, and at most one of them is not full.

/// How many items a block has.
const BLOCK: usize = 2048;

/// How many items the first block has at first; of these and of a block one is a multiple of the other, by a power of two.
const FEW: usize = 16;

/// How many bytes a block of texts has.
const PAGE: usize = 1 << 14;

/// A text of so many bytes has three bytes of length before it, where others have one.
const LONG: usize = 255;

/// Items in blocks.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<T> {
    full: Vec<Vec<T>>,
    last: Vec<T>,
    /// How many items the full ones have.
    before: usize,
    /// Blocks that were full before.
    spare: Vec<Vec<T>>,
}

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Self { full: Vec::new(), last: Vec::new(), before: 0, spare: Vec::new() }
    }
}

impl<T> Blocks<T> {
    /// Forgets all items; keeps room.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.last.clear();
        if self.before > 0 {
            self.clear_full();
        }
    }

    #[cold]
    fn clear_full(&mut self) {
        self.before = 0;
        while let Some(mut block) = self.full.pop() {
            block.clear();
            self.spare.push(block);
        }
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.before + self.last.len()
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        let blocks = self.full.len() + self.spare.len();
        (blocks * BLOCK + self.last.capacity()) * size_of::<T>()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, item: T) {
        if self.last.len() == self.last.capacity() {
            self.make_room();
        }
        self.last.push(item);
    }

    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        match place.checked_sub(self.before) {
            Some(place) => self.last.get(place),
            None => self.full.get(place / BLOCK)?.get(place % BLOCK),
        }
    }

    pub(crate) fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        self.full.get_mut(place / BLOCK).unwrap_or(&mut self.last).get_mut(place % BLOCK)
    }

    /// How many items at the start fit, if those that do stand before those that do not.
    pub(crate) fn partition_point(&self, fits: impl Fn(&T) -> bool) -> usize {
        let whole = self.full.partition_point(|block| block.last().is_some_and(&fits));
        whole * BLOCK + self.full.get(whole).unwrap_or(&self.last).partition_point(fits)
    }

    /// The last one grows as vectors do, up to a whole block; then the next one begins.
    #[cold]
    fn make_room(&mut self) {
        let filled = self.last.len();
        if filled < BLOCK {
            return self.last.reserve_exact(filled.max(FEW).min(BLOCK - filled));
        }
        let fresh = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(BLOCK));
        self.full.push(std::mem::replace(&mut self.last, fresh));
        self.before += BLOCK;
    }
}

/// Texts, most of them short.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    full: Vec<Vec<u8>>,
    /// The page that is being filled, and how far it is.
    last: Vec<u8>,
    filled: usize,
    /// How many bytes the pages before it have.
    before: usize,
    /// Pages that were full before.
    spare: Vec<Vec<u8>>,
}

impl Texts {
    /// Forgets all texts; keeps room.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        (self.filled, self.before) = (0, 0);
        if !self.full.is_empty() {
            self.spare.append(&mut self.full);
        }
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        (self.full.len() + self.spare.len()) * PAGE + self.last.capacity()
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.before + self.filled == 0
    }

    /// Adds a text, which must fit on a page; gives its place.
    #[inline(always)]
    pub(crate) fn add(&mut self, text: &[u8]) -> u64 {
        let (start, end) = (self.filled, self.filled + 1 + text.len());
        match self.last.get_mut(start..end) {
            Some([length, room @ ..]) if text.len() < LONG => {
                *length = text.len() as u8;
                copy(room, text);
                self.filled = end;
                (self.before + start) as u64
            }
            _ => self.add_joined(text, &[]),
        }
    }

    /// Adds a text of at most `N` bytes that stands at the start of `ahead`: all of that is copied, and what stands behind the
    /// text will be written over.
    #[inline(always)]
    pub(crate) fn add_ahead<const N: usize>(&mut self, ahead: &[u8; N], length: usize) -> u64 {
        let start = self.filled;
        if let Some([before, room @ ..]) = self.last.get_mut(start..start + 1 + N)
            && let Some(room) = room.first_chunk_mut()
        {
            (*before, *room) = (length as u8, *ahead);
            self.filled = start + 1 + length;
            return (self.before + start) as u64;
        }
        self.add_joined(ahead.get(..length).unwrap_or_default(), &[])
    }

    /// Adds a text with four bytes before it.
    #[inline(always)]
    pub(crate) fn add_headed(&mut self, head: [u8; 4], text: &[u8]) {
        let (start, end) = (self.filled, self.filled + 5 + text.len());
        match self.last.get_mut(start..end) {
            Some([length, one, two, three, four, room @ ..]) if text.len() < LONG - 4 => {
                *length = text.len() as u8 + 4;
                [*one, *two, *three, *four] = head;
                copy(room, text);
                self.filled = end;
            }
            _ => _ = self.add_joined(&head, text),
        }
    }

    /// Adds two texts as one.
    #[inline(never)]
    pub(crate) fn add_joined(&mut self, first: &[u8], second: &[u8]) -> u64 {
        let length = first.len() + second.len();
        let long = [LONG as u8, (length >> 8) as u8, length as u8];
        let short = [length as u8];
        let before = if length < LONG { &short[..] } else { &long };
        if before.len() + length > self.last.len() - self.filled {
            self.grow(before.len() + length);
        }
        let place = (self.before + self.filled) as u64;
        for piece in [before, first, second] {
            let end = self.filled + piece.len();
            if let Some(room) = self.last.get_mut(self.filled..end) {
                copy(room, piece);
                self.filled = end;
            }
        }
        place
    }

    /// The text at a place.
    #[inline]
    pub(crate) fn get(&self, place: u64) -> &[u8] {
        let place = place as usize;
        let page = match place.checked_sub(self.before) {
            Some(place) => self.last.get(place..),
            None => self.full.get(place / PAGE).and_then(|page| page.get(place % PAGE..)),
        };
        split(page.unwrap_or_default()).0
    }

    /// All of them, in the order in which they were added.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[u8]> {
        let last = self.last.get(..self.filled).unwrap_or_default();
        self.full.iter().map(Vec::as_slice).chain([last]).flat_map(|mut page| {
            std::iter::from_fn(move || {
                let (text, rest) = (!page.is_empty()).then(|| split(page))?;
                page = rest;
                Some(text)
            })
        })
    }

    /// A short page grows as vectors do, up to a whole one; of a whole one what is left is cut off, and the next one begins.
    #[cold]
    fn grow(&mut self, size: usize) {
        let needed = self.filled + size;
        if needed <= PAGE {
            let length = (self.last.len() * 2).max(needed).clamp(LONG, PAGE);
            return fill_up(&mut self.last, length);
        }
        let mut fresh = self.spare.pop().unwrap_or_default();
        fill_up(&mut fresh, PAGE);
        self.last.truncate(self.filled);
        self.full.push(std::mem::replace(&mut self.last, fresh));
        (self.filled, self.before) = (0, self.before + PAGE);
    }
}

/// Makes a page so long.
fn fill_up(page: &mut Vec<u8>, length: usize) {
    page.reserve_exact(length.saturating_sub(page.len()));
    page.resize(length, 0);
}

/// The text at the start of a page, and what stands behind it.
fn split(page: &[u8]) -> (&[u8], &[u8]) {
    let (length, rest) = match page {
        [short, rest @ ..] if usize::from(*short) < LONG => (usize::from(*short), rest),
        [_, high, low, rest @ ..] => (usize::from(*high) << 8 | usize::from(*low), rest),
        _ => (0, page),
    };
    rest.split_at_checked(length).unwrap_or_default()
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
        1..4 => {
            ends::<1>(to, from);
            // Of three bytes the middle one; of one or two it is there already.
            if let (Some(to), Some(from)) = (to.get_mut(1), from.get(1)) {
                *to = *from;
            }
        }
        _ => to.copy_from_slice(from),
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Blocks, Texts};

    #[test]
    fn items_are_found_by_their_numbers_after_a_clearing_too() {
        let mut blocks = Blocks::default();
        for round in 0..3 {
            let many = 3 * BLOCK + 17 - round;
            (0..many).for_each(|number| blocks.push(number * 2 + round));
            assert!((0..many).all(|number| blocks.get(number) == Some(&(number * 2 + round))));
            assert_eq!(blocks.get(many), None);
            for wanted in [0, 1, BLOCK, 2 * BLOCK + 1, many] {
                assert_eq!(blocks.partition_point(|item| *item < wanted * 2 + round), wanted);
            }
            blocks.clear();
        }
    }

    #[test]
    fn texts_are_found_by_their_places_after_a_clearing_too() {
        let text = |number: usize| vec![number as u8; number * 7 % 1000 / (number % 9 + 1)];
        let mut texts = Texts::default();
        for many in [2000, 1, 3000] {
            let places: Vec<_> = (0..many).map(|number| texts.add(&text(number))).collect();
            assert!((0..).zip(&places).all(|(number, &place)| texts.get(place) == text(number)));
            assert!(texts.all().eq((0..many).map(text)));
            texts.clear();
        }
    }
}
