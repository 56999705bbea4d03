//! foreseen: the names that `attributes` had before.
//!
//! In: the window at a name. Out: which of the remembered names it is.
//!
//! A provider writes the same names in the same order for one element after the other. So the name that followed last time is
//! compared first: when it is the one, it was neither searched for its end nor hashed, and the place of its value does not wait for
//! either. Names are remembered from one object to the next, and each has a bit, so that no name comes twice in an object is seen
//! from the bits alone. What is remembered says nothing about any report.

use crate::digest;
use crate::scan::Kernel;

use super::lane::Window;

/// How many names are remembered; each has a bit of 64.
const MANY: usize = 64;

/// The longest name that is remembered, with its quotation marks and the colon.
const LONG: usize = 32;

/// How many places the table has.
const PLACES: usize = 4 * MANY;

/// What 5.3 and 5.6 say of a name at the top of `attributes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing.
    Free,
    /// Its value is a string.
    Author,
    /// It names other elements.
    Related,
    /// It is a state, which stands nowhere else.
    State,
}

/// A name that came before; as long as a line of the processor's cache, twice.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
struct Name {
    /// The name with its quotation marks and the colon; NUL behind.
    text: [u8; LONG],
    /// All bits of its bytes.
    mask: [u8; LONG],
    length: u8,
    /// The name that followed it last time.
    next: u8,
    meaning: Meaning,
}

/// A name that was read: its number, how long it is with its quotation marks and the colon, and what it means at the top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) number: u8,
    pub(super) length: usize,
    pub(super) meaning: Meaning,
}

/// What stands before the first name of all, which is foreseen as well; no name is this one.
pub(super) const START: u8 = 0;

/// The names that came before.
#[derive(Debug)]
pub(crate) struct Foreseen {
    names: [Name; MANY],
    count: usize,
    /// The numbers of names, one more each, by their hashes; 0 is a free place.
    table: [u8; PLACES],
}

impl Default for Foreseen {
    fn default() -> Self {
        let none = Name {
            text: [0xFF; LONG],
            mask: [0xFF; LONG],
            length: 0,
            next: 0,
            meaning: Meaning::Free,
        };
        Self { names: [none; MANY], count: 1, table: [0; PLACES] }
    }
}

impl Foreseen {
    /// Begins with an `attributes`. There is room for the names of a usual one.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        if self.count > MANY / 2 {
            *self = Self::default();
        }
    }

    /// Reads the name at the start of a window, with the colon behind it; it follows the one with the number `last`.
    #[inline(always)]
    pub(super) fn read<K: Kernel>(&mut self, kernel: K, window: &Window, last: u8) -> Option<Read> {
        let foreseen = self.names[usize::from(last) % MANY].next;
        let mut number = foreseen;
        if !self.names[usize::from(foreseen) % MANY].is(window) {
            let length = kernel.string(&window[1..LONG]).plain + 3;
            number = self.find(window, length)?;
            self.names[usize::from(last) % MANY].next = number;
        }
        let Name { length, meaning, .. } = self.names[usize::from(number) % MANY];
        Some(Read { number, length: usize::from(length), meaning })
    }

    /// The number of the name of that length at the start of a window; one that is new is remembered.
    #[inline(never)]
    fn find(&mut self, window: &Window, length: usize) -> Option<u8> {
        let text = window.get(..length).filter(|text| text.len() <= LONG)?;
        let [b'"', name @ .., b'"', b':'] = text else { return None };
        let mut place = hash(name);
        loop {
            let found = self.table[place % PLACES];
            if found == 0 {
                break;
            }
            let name = &self.names[usize::from(found - 1) % MANY];
            if usize::from(name.length) == length && name.is(window) {
                return Some(found - 1);
            }
            place += 1;
        }
        // Those that are remembered were looked at when they were new.
        if self.count == MANY || std::str::from_utf8(name).is_err() {
            return None;
        }
        let mut new = Name {
            text: [0; LONG],
            mask: [0; LONG],
            length: length as u8,
            next: 0,
            meaning: Meaning::of(name),
        };
        new.text.get_mut(..length)?.copy_from_slice(text);
        new.mask.get_mut(..length)?.fill(0xFF);
        let number = self.count as u8;
        self.names[self.count % MANY] = new;
        self.table[place % PLACES] = number + 1;
        self.count += 1;
        Some(number)
    }
}

impl Name {
    /// Whether it stands at the start of a window.
    #[inline(always)]
    fn is(&self, window: &Window) -> bool {
        let bytes = window.iter().zip(&self.text).zip(&self.mask);
        bytes.fold(0, |differs, ((byte, wanted), mask)| differs | (byte ^ wanted) & mask) == 0
    }
}

impl Meaning {
    fn of(name: &[u8]) -> Self {
        match name {
            b"author" => Self::Author,
            b"related" => Self::Related,
            b"selected" | b"focused" | b"visible" | b"hovered" => Self::State,
            _ => Self::Free,
        }
    }
}

/// Where a name's place is looked for first. Names that share it cost a few steps, and there are few names.
fn hash(name: &[u8]) -> usize {
    let start = digest::word(name.get(..digest::SHORT).unwrap_or(name));
    let number = (start as u64).wrapping_add((start >> 64) as u64).wrapping_add(name.len() as u64);
    (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}
