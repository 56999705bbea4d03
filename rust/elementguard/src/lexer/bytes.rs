//! bytes: chunks of a few bytes, read one byte after the other.
//!
//! In: bytes. Out: the same tokens as from any other chunks, each at the byte that ends it.
//!
//! Why so: where an answer comes in such chunks, most bytes are letters of a string. Such a byte is put down and no more, and
//! whatever looks ahead is not asked: it would find nothing.

use super::{Lexer, State};
use crate::report::Fatal;
use crate::tokens::Tokens;

impl Lexer {
    /// Reads a chunk of few bytes.
    pub(crate) fn feed_few<T: Tokens>(&mut self, chunk: &[u8], to: &mut T) -> Result<(), Fatal> {
        for &byte in chunk {
            if !self.put_down(byte) {
                self.feed_byte(byte, to)?;
            }
        }
        Ok(())
    }

    /// Reads a byte that stands for itself in the string that is open; says whether it is one.
    #[inline(always)]
    pub(crate) fn put_down(&mut self, byte: u8) -> bool {
        let is_put =
            self.state == State::Text && PLAIN[usize::from(byte)] && self.carry.add_byte(byte);
        if is_put {
            self.base += 1;
        }
        is_put
    }

    /// Reads any byte.
    #[inline(never)]
    pub(crate) fn feed_byte<T: Tokens>(&mut self, byte: u8, to: &mut T) -> Result<(), Fatal> {
        match (self.state, byte) {
            (State::Text, _) => self.text_byte(byte, to)?,
            (State::Cut, _) => self.join(byte, 0, to)?,
            (State::FirstName | State::NextName, b'"') => self.open_text(self.base, true),
            (State::Value, b'"') => self.open_text(self.base, false),
            (state, b' ' | b'\t' | b'\n' | b'\r') if state.is_between() => {}
            (state, _) if state.is_between() => drop(self.structure(&[byte], 0, to)?),
            (State::Number(digits), _)
                if let Some(next) = digits.step(byte)
                    && self.carry.add_byte(byte) =>
            {
                self.state = State::Number(next);
            }
            (State::Literal(word, read), _)
                if word[usize::from(read)..].starts_with(&[byte])
                    && usize::from(read) + 1 < word.len() =>
            {
                self.state = State::Literal(word, read + 1);
            }
            // What ends a number, or stands behind a high surrogate, is looked at once more.
            _ => while self.step(&[byte], 0, to)? == 0 {},
        }
        self.base += 1;
        Ok(())
    }

    fn text_byte<T: Tokens>(&mut self, byte: u8, to: &mut T) -> Result<(), Fatal> {
        if byte >= 0x80 {
            self.join(byte, 0, to)
        } else if PLAIN[usize::from(byte)] {
            self.carry.add(&[byte], to);
            Ok(())
        } else {
            self.special(byte, 0, to)
        }
    }
}

/// The characters that stand for themselves in a string and are a byte each.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = b' ';
    while byte < 0x80 {
        plain[byte as usize] = byte != b'"' && byte != b'\\';
        byte += 1;
    }
    plain
};
