//! strings: the lexer inside a string or name, and inside a character that cannot stand where it stands (RFC 8259 §7, §8).
//!
//! In: bytes behind a quotation mark. Out: whole strings as slices of the chunk, or pieces of whole characters; lone surrogates.

use super::{Lexer, State};
use crate::report::{Fatal, Reason};
use crate::scan::{self, Run};
use crate::tokens::Tokens;

impl Lexer {
    /// Begins a string at its quotation mark; one that the chunk holds whole, without escapes, is handed over at once.
    pub(super) fn begin_text<T: Tokens>(
        &mut self,
        chunk: &[u8],
        i: usize,
        name: bool,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        let at = self.base + i as u64;
        let rest = &chunk[i + 1..];
        if !name && let Some(taken) = to.begin_letters(at, rest) {
            self.in_name = false;
            self.state = State::Text;
            return Ok(i + 1 + taken);
        }
        let run = scan::string(rest);
        if rest.get(run.plain) == Some(&b'"') {
            let text = &rest[..run.plain];
            if run.odd {
                simdutf8::compat::from_utf8(text)
                    .map_err(|error| Fatal::encoding(at + 1 + error.valid_up_to() as u64))?;
            }
            if name {
                to.name(at, text);
                self.state = State::Colon;
            } else {
                to.string(at, text);
                self.after_value();
            }
            return Ok(i + run.plain + 2);
        }
        if name {
            to.name_begin(at);
        } else {
            to.string_begin(at);
        }
        self.in_name = name;
        self.state = State::Text;
        self.text_run(chunk, i + 1, run, to)
    }

    /// Reads on inside a string that comes in pieces.
    pub(super) fn text<T: Tokens>(
        &mut self,
        chunk: &[u8],
        i: usize,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        if self.cut_length > 0 {
            return self.join(chunk[i], i, to);
        }
        let i = if self.high.is_none() { i + to.letters(&chunk[i..]) } else { i };
        self.text_run(chunk, i, scan::string(&chunk[i..]), to)
    }

    /// Reads a run of plain bytes inside a string that comes in pieces, and what ends it.
    fn text_run<T: Tokens>(
        &mut self,
        chunk: &[u8],
        i: usize,
        run: Run,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        let rest = &chunk[i..];
        let text = &rest[..run.plain];
        if !text.is_empty() {
            self.flush_high(to);
            let whole =
                if run.odd { self.whole_characters(text, i, rest.len())? } else { text.len() };
            to.piece(&text[..whole]);
            self.keep_cut(&text[whole..]);
        }
        let i = i + run.plain;
        match chunk.get(i) {
            None => Ok(i),
            Some(b'"') => {
                self.end_text(to);
                Ok(i + 1)
            }
            Some(b'\\') => {
                self.mark = self.base + i as u64;
                self.state = State::Escape;
                Ok(i + 1)
            }
            Some(_) => Err(Fatal::syntax(self.base + i as u64, Reason::ControlCharacter)),
        }
    }

    /// How many bytes of `text` are whole characters: all, or all but a character that the chunk's end cuts.
    fn whole_characters(&self, text: &[u8], i: usize, rest: usize) -> Result<usize, Fatal> {
        let Err(error) = simdutf8::compat::from_utf8(text) else { return Ok(text.len()) };
        if error.error_len().is_none() && text.len() == rest {
            return Ok(error.valid_up_to());
        }
        Err(Fatal::encoding(self.base + (i + error.valid_up_to()) as u64))
    }

    fn keep_cut(&mut self, cut: &[u8]) {
        self.cut[..cut.len()].copy_from_slice(cut);
        self.cut_length = cut.len();
    }

    /// Adds a byte to the character that a chunk's end cut.
    fn join<T: Tokens>(&mut self, byte: u8, i: usize, to: &mut T) -> Result<usize, Fatal> {
        let start = self.base + i as u64 - self.cut_length as u64;
        match self.lengthen(byte) {
            Character::Cut => {}
            Character::Whole(bytes, length) => to.piece(&bytes[..length]),
            Character::Bad => return Err(Fatal::encoding(start)),
        }
        Ok(i + 1)
    }

    /// Lengthens the cut character by a byte.
    fn lengthen(&mut self, byte: u8) -> Character {
        self.cut[self.cut_length] = byte;
        self.cut_length += 1;
        match std::str::from_utf8(&self.cut[..self.cut_length]) {
            Ok(_) => Character::Whole(self.cut, std::mem::take(&mut self.cut_length)),
            Err(error) if error.error_len().is_none() => Character::Cut,
            Err(_) => Character::Bad,
        }
    }

    fn end_text<T: Tokens>(&mut self, to: &mut T) {
        self.flush_high(to);
        if self.in_name {
            to.name_end();
            self.state = State::Colon;
        } else {
            to.string_end();
            self.after_value();
        }
    }

    pub(super) fn escape<T: Tokens>(
        &mut self,
        byte: u8,
        i: usize,
        to: &mut T,
    ) -> Result<(), Fatal> {
        let character = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.unit = 0;
                self.state = State::Hex(0);
                return Ok(());
            }
            _ => return self.bad(byte, i, Reason::BadEscape),
        };
        self.flush_high(to);
        to.piece(&[character]);
        self.state = State::Text;
        Ok(())
    }

    pub(super) fn hex<T: Tokens>(
        &mut self,
        byte: u8,
        i: usize,
        count: u8,
        to: &mut T,
    ) -> Result<(), Fatal> {
        let Some(digit) = (byte as char).to_digit(16) else {
            return self.bad(byte, i, Reason::BadEscape);
        };
        self.unit = self.unit << 4 | digit as u16;
        self.state = State::Hex(count + 1);
        if count == 3 {
            self.state = State::Text;
            self.code_unit(to);
        }
        Ok(())
    }

    /// Takes a UTF-16 code unit that was escaped: a character, one half of a pair, or a lone surrogate.
    fn code_unit<T: Tokens>(&mut self, to: &mut T) {
        let unit = self.unit;
        if let (Some((high, _)), 0xDC00..=0xDFFF) = (self.high, unit) {
            self.high = None;
            let low = u32::from(unit) - 0xDC00;
            piece_of(0x1_0000 + ((u32::from(high) - 0xD800) << 10) + low, to);
            return;
        }
        self.flush_high(to);
        match unit {
            0xD800..=0xDBFF => self.high = Some((unit, self.mark)),
            0xDC00..=0xDFFF => to.lone(self.mark, unit),
            _ => piece_of(u32::from(unit), to),
        }
    }

    /// A high surrogate whose partner did not come is a lone one.
    fn flush_high<T: Tokens>(&mut self, to: &mut T) {
        if let Some((unit, at)) = self.high.take() {
            to.lone(at, unit);
        }
    }

    /// Reads on in a character that cannot stand here.
    pub(super) fn doom(&mut self, byte: u8, reason: Reason) -> Result<(), Fatal> {
        match self.lengthen(byte) {
            Character::Cut => Ok(()),
            Character::Bad => Err(Fatal::encoding(self.mark)),
            Character::Whole([0xEF, 0xBB, 0xBF, _], 3) if self.mark == 0 => {
                Err(Fatal::syntax(0, Reason::ByteOrderMark))
            }
            Character::Whole(..) => Err(Fatal::syntax(self.mark, reason)),
        }
    }
}

/// What became of a character that was lengthened by a byte.
enum Character {
    /// It needs more bytes.
    Cut,
    /// It is whole: its bytes and how many of them count.
    Whole([u8; 4], usize),
    /// It is no UTF-8 (RFC 3629).
    Bad,
}

/// Hands over one character, which is no surrogate.
fn piece_of<T: Tokens>(scalar: u32, to: &mut T) {
    let character = char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
    to.piece(character.encode_utf8(&mut [0; 4]).as_bytes());
}
