//! strings: the lexer inside a string or name, and inside a character that cannot stand where it stands (RFC 8259 §7, §8).
//!
//! In: bytes behind a quotation mark. Out: whole strings as slices of the chunk, or what `carry` makes of them; lone surrogates.

use super::carry::Kind;
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
        if rest.is_empty() {
            self.open_text(at, name);
            return Ok(i + 1);
        }
        if !name && let Some(taken) = to.begin_letters(at, rest) {
            self.carry.begin_letters(at);
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
        self.open_text(at, name);
        self.text_run(chunk, i + 1, run, to)
    }

    pub(super) fn open_text(&mut self, at: u64, name: bool) {
        self.carry.begin(if name { Kind::Name } else { Kind::String }, at);
        self.state = State::Text;
    }

    /// Reads on inside a string that comes in pieces, to its end or the chunk's.
    pub(super) fn text<T: Tokens>(
        &mut self,
        chunk: &[u8],
        mut i: usize,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        while self.state == State::Text && i < chunk.len() {
            i += self.carry.letters(&chunk[i..], to);
            i = self.text_run(chunk, i, scan::string(&chunk[i..]), to)?;
        }
        Ok(i)
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
            let whole =
                if run.odd { self.whole_characters(text, i, rest.len())? } else { text.len() };
            self.carry.add(&text[..whole], to);
            self.keep_cut(&text[whole..]);
        }
        let mut i = i + run.plain;
        if let Some(&byte) = chunk.get(i) {
            self.special(byte, i, to)?;
            i += 1;
        }
        self.escape(chunk, i, to)
    }

    /// Reads a quotation mark, backslash or control inside a string.
    pub(super) fn special<T: Tokens>(
        &mut self,
        byte: u8,
        i: usize,
        to: &mut T,
    ) -> Result<(), Fatal> {
        match byte {
            b'"' => self.end_text(to),
            b'\\' => {
                self.mark = self.base + i as u64;
                self.state = State::Escape;
            }
            _ => return Err(Fatal::syntax(self.base + i as u64, Reason::ControlCharacter)),
        }
        Ok(())
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
        if !cut.is_empty() {
            self.cut[..cut.len()].copy_from_slice(cut);
            self.cut_length = cut.len();
            self.state = State::Cut;
        }
    }

    /// Reads a byte of a character that comes in pieces.
    pub(super) fn join<T: Tokens>(&mut self, byte: u8, i: usize, to: &mut T) -> Result<(), Fatal> {
        match self.lengthen(byte) {
            Character::Cut => self.state = State::Cut,
            Character::Whole(length) => {
                self.carry.add_character(self.cut, length, to);
                self.state = State::Text;
            }
            Character::Bad => {
                let start = self.base + i as u64 - self.cut_length as u64;
                return Err(Fatal::encoding(start));
            }
        }
        Ok(())
    }

    /// Lengthens the cut character by a byte.
    #[inline(always)]
    fn lengthen(&mut self, byte: u8) -> Character {
        let read = self.cut_length;
        self.cut[read] = byte;
        let length = match self.cut[0] {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return Character::Bad,
        };
        if read > 0 && !continues(self.cut[0], read, byte) {
            return Character::Bad;
        }
        if read + 1 < length {
            self.cut_length = read + 1;
            return Character::Cut;
        }
        self.cut_length = 0;
        Character::Whole(length)
    }

    fn end_text<T: Tokens>(&mut self, to: &mut T) {
        self.carry.end(to);
        if self.carry.is_name() {
            self.state = State::Colon;
        } else {
            self.after_value();
        }
    }

    /// Reads on in an escape, to its end or the chunk's; nothing if none is open.
    pub(super) fn escape<T: Tokens>(
        &mut self,
        chunk: &[u8],
        mut i: usize,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        while let Some(&byte) = chunk.get(i) {
            match self.state {
                State::Escape => self.escaped(byte, i, to)?,
                State::Hex(count) => self.hex(byte, i, count, to)?,
                _ => break,
            }
            i += 1;
        }
        Ok(i)
    }

    /// Reads what stands behind a backslash.
    fn escaped<T: Tokens>(&mut self, byte: u8, i: usize, to: &mut T) -> Result<(), Fatal> {
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
        self.carry.add(&[character], to);
        self.state = State::Text;
        Ok(())
    }

    fn hex<T: Tokens>(&mut self, byte: u8, i: usize, count: u8, to: &mut T) -> Result<(), Fatal> {
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

    /// Reads what stands behind a high surrogate: an escape may be its partner, anything else leaves it alone.
    pub(super) fn behind_high<T: Tokens>(
        &mut self,
        byte: u8,
        i: usize,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        if byte == b'\\' {
            return self.special(byte, i, to).map(|()| i + 1);
        }
        self.flush_high(to);
        self.state = State::Text;
        Ok(i)
    }

    /// Takes a UTF-16 code unit that was escaped: a character, one half of a pair, or a lone surrogate.
    fn code_unit<T: Tokens>(&mut self, to: &mut T) {
        let unit = self.unit;
        if let (Some((high, _)), 0xDC00..=0xDFFF) = (self.high, unit) {
            self.high = None;
            let low = u32::from(unit) - 0xDC00;
            return self.scalar(0x1_0000 + ((u32::from(high) - 0xD800) << 10) + low, to);
        }
        self.flush_high(to);
        match unit {
            0xD800..=0xDBFF => {
                self.high = Some((unit, self.mark));
                self.state = State::High;
            }
            0xDC00..=0xDFFF => self.carry.lone(self.mark, unit, to),
            _ => self.scalar(u32::from(unit), to),
        }
    }

    /// A high surrogate whose partner did not come is a lone one.
    fn flush_high<T: Tokens>(&mut self, to: &mut T) {
        if let Some((unit, at)) = self.high.take() {
            self.carry.lone(at, unit, to);
        }
    }

    /// Adds one character that was escaped, and is no surrogate.
    fn scalar<T: Tokens>(&mut self, scalar: u32, to: &mut T) {
        let character = char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.carry.add(character.encode_utf8(&mut [0; 4]).as_bytes(), to);
    }

    /// Reads on in a character that cannot stand here.
    pub(super) fn doom(&mut self, byte: u8, reason: Reason) -> Result<(), Fatal> {
        match self.lengthen(byte) {
            Character::Cut => Ok(()),
            Character::Bad => Err(Fatal::encoding(self.mark)),
            Character::Whole(3) if self.mark == 0 && self.cut.starts_with(b"\xEF\xBB\xBF") => {
                Err(Fatal::syntax(0, Reason::ByteOrderMark))
            }
            Character::Whole(_) => Err(Fatal::syntax(self.mark, reason)),
        }
    }
}

/// What became of a character that was lengthened by a byte.
enum Character {
    /// It needs more bytes.
    Cut,
    /// It is whole, and that many bytes long.
    Whole(usize),
    /// It is no UTF-8 (RFC 3629).
    Bad,
}

/// Whether a byte may be the one behind `read` others of a character (RFC 3629 §4).
fn continues(first: u8, read: usize, byte: u8) -> bool {
    match (first, read) {
        (0xE0, 1) => matches!(byte, 0xA0..=0xBF),
        (0xED, 1) => matches!(byte, 0x80..=0x9F),
        (0xF0, 1) => matches!(byte, 0x90..=0xBF),
        (0xF4, 1) => matches!(byte, 0x80..=0x8F),
        _ => matches!(byte, 0x80..=0xBF),
    }
}

#[cfg(test)]
mod tests {
    use super::{Character, Lexer};

    /// How many of `bytes` were read, and what became of them.
    fn read(bytes: &[u8]) -> (usize, bool) {
        let mut lexer = Lexer::new();
        for (place, &byte) in bytes.iter().enumerate() {
            match lexer.lengthen(byte) {
                Character::Cut => {}
                Character::Whole(length) => {
                    assert_eq!(&lexer.cut[..length], &bytes[..=place]);
                    return (place + 1, true);
                }
                Character::Bad => return (place + 1, false),
            }
        }
        (bytes.len(), false)
    }

    #[test]
    fn characters_in_pieces_are_those_of_the_standard_library() {
        let telling = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF];
        for first in 0x80..=255 {
            for second in 0..=255 {
                for (third, fourth) in telling.iter().flat_map(|&a| telling.map(|b| (a, b))) {
                    let bytes = [first, second, third, fourth];
                    let whole = |length: &usize| std::str::from_utf8(&bytes[..*length]).is_ok();
                    let bad = |length: &usize| {
                        let error = std::str::from_utf8(&bytes[..*length]).err();
                        error.is_some_and(|error| error.error_len().is_some())
                    };
                    let ends = (1..=4).find(|length| whole(length) || bad(length));
                    let end = ends.unwrap_or_else(|| unreachable!("{bytes:?}"));
                    assert_eq!(read(&bytes), (end, whole(&end)), "{bytes:?}");
                }
            }
        }
    }
}
