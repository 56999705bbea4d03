//! carry: the string, name or number that is open, as far as it was read and not handed over.
//!
//! In: pieces of its text: between two escapes, or between two ends of chunks. Out: the whole of it, as if one chunk had held it;
//! if it is longer than [`ROOM`], its beginning, pieces and its end.
//!
//! Why so: most strings are short, and what judges a string costs the same for one byte as for all of them. So a byte that comes
//! alone is only put down here, and a text that is mostly escapes is judged as many characters at a time.

use crate::tokens::Tokens;

/// Most ids, titles and names fit.
const ROOM: usize = 64;

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    String,
    Number,
}

/// How far the receiver knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    /// That it began.
    Beginning,
    /// The same, and it takes letters of base64.
    Letters,
}

/// What is open, and its text that waits.
#[derive(Debug)]
pub(super) struct Carry {
    kind: Kind,
    told: Told,
    /// Where it begins.
    at: u64,
    length: usize,
    text: [u8; ROOM],
}

impl Carry {
    pub(super) fn new() -> Self {
        Self { kind: Kind::String, told: Told::Nothing, at: 0, length: 0, text: [0; ROOM] }
    }

    /// One begins at `at`.
    pub(super) fn begin(&mut self, kind: Kind, at: u64) {
        (self.kind, self.told, self.at, self.length) = (kind, Told::Nothing, at, 0);
    }

    /// A string began that takes letters; the receiver knows of it.
    pub(super) fn begin_letters(&mut self, at: u64) {
        (self.kind, self.told, self.at, self.length) = (Kind::String, Told::Letters, at, 0);
    }

    pub(super) fn is_name(&self) -> bool {
        self.kind == Kind::Name
    }

    /// Adds a byte of its text, if there is room.
    #[inline(always)]
    pub(super) fn add_byte(&mut self, byte: u8) -> bool {
        match self.text.get_mut(self.length) {
            Some(place) => {
                *place = byte;
                self.length += 1;
                true
            }
            None => false,
        }
    }

    /// Adds some whole characters, or bytes of a number.
    pub(super) fn add<T: Tokens>(&mut self, piece: &[u8], to: &mut T) {
        if let [byte] = *piece
            && self.add_byte(byte)
        {
            return;
        }
        if self.length + piece.len() > ROOM {
            self.hand_over(to);
        }
        match self.text.get_mut(self.length..self.length + piece.len()) {
            Some(place) => {
                place.copy_from_slice(piece);
                self.length += piece.len();
            }
            None => self.tell(piece, to),
        }
    }

    /// Adds a character: the first `length` bytes of four.
    pub(super) fn add_character<T: Tokens>(&mut self, bytes: [u8; 4], length: usize, to: &mut T) {
        match self.text.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) => {
                *place = bytes;
                self.length += length;
            }
            None => self.add(&bytes[..length], to),
        }
    }

    /// A lone surrogate, its backslash at `at`.
    pub(super) fn lone<T: Tokens>(&mut self, at: u64, unit: u16, to: &mut T) {
        self.hand_over(to);
        to.lone(at, unit);
    }

    /// How many letters of base64 at the start of `text` were taken; none unless the string is to be base64.
    pub(super) fn letters<T: Tokens>(&mut self, text: &[u8], to: &mut T) -> usize {
        if self.told != Told::Letters {
            return 0;
        }
        self.hand_over(to);
        to.letters(text)
    }

    /// It ends.
    pub(super) fn end<T: Tokens>(&mut self, to: &mut T) {
        if self.told != Told::Nothing {
            self.hand_over(to);
            return match self.kind {
                Kind::Name => to.name_end(),
                Kind::String => to.string_end(),
                Kind::Number => to.number_end(),
            };
        }
        let text = self.text.get(..self.length).unwrap_or_default();
        match self.kind {
            Kind::Name => to.name(self.at, text),
            Kind::String => to.string(self.at, text),
            Kind::Number => to.number(self.at, text),
        }
    }

    /// Tells the receiver what it does not know yet.
    fn hand_over<T: Tokens>(&mut self, to: &mut T) {
        if self.told == Told::Nothing {
            self.told = Told::Beginning;
            match self.kind {
                Kind::Name => to.name_begin(self.at),
                Kind::Number => to.number_begin(self.at),
                Kind::String if to.string_begin(self.at) => self.told = Told::Letters,
                Kind::String => {}
            }
        }
        let length = std::mem::take(&mut self.length);
        if length > 0 {
            self.tell(self.text.get(..length).unwrap_or_default(), to);
        }
    }

    fn tell<T: Tokens>(&self, text: &[u8], to: &mut T) {
        match self.kind {
            Kind::Number => to.digits(text),
            Kind::Name | Kind::String => to.piece(text),
        }
    }
}
