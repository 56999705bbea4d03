//! number: the lexer inside a number (RFC 8259 §6).
//!
//! In: bytes from the first digit or minus on. Out: whole numbers as slices of the chunk, or pieces; `json-syntax`.

use super::carry::Kind;
use super::{Lexer, State};
use crate::report::{Fatal, Reason};
use crate::tokens::Tokens;

/// How far a number has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digits {
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    E,
    Sign,
    Exponent,
}

impl Digits {
    /// The state behind one more byte; `None` if the byte does not continue the number.
    pub(super) fn step(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Minus, b'0') => Self::Zero,
            (Self::Minus | Self::Integer, b'0'..=b'9') => Self::Integer,
            (Self::Zero | Self::Integer, b'.') => Self::Point,
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Self::E,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::E, b'+' | b'-') => Self::Sign,
            (Self::E | Self::Sign | Self::Exponent, b'0'..=b'9') => Self::Exponent,
            _ => return None,
        })
    }

    /// Whether a number may end here.
    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::Exponent)
    }
}

impl Lexer {
    pub(super) fn begin_number<T: Tokens>(
        &mut self,
        chunk: &[u8],
        i: usize,
        first: Digits,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        let at = self.base + i as u64;
        let (end, digits) = run_of_digits(chunk, i + 1, first);
        if end < chunk.len() && digits.is_whole() {
            to.number(at, &chunk[i..end]);
            return self.end_number(chunk[end], end);
        }
        self.carry.begin(Kind::Number, at);
        self.carry.add(&chunk[i..end], to);
        self.pause_number(chunk, end, digits)
    }

    pub(super) fn number<T: Tokens>(
        &mut self,
        chunk: &[u8],
        i: usize,
        digits: Digits,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        let (end, digits) = run_of_digits(chunk, i, digits);
        self.carry.add(&chunk[i..end], to);
        if end < chunk.len() && digits.is_whole() {
            self.carry.end(to);
            return self.end_number(chunk[end], end);
        }
        self.pause_number(chunk, end, digits)
    }

    /// Behind a whole number: a byte that looks like more of one is a bad number, whatever else it could be.
    fn end_number(&mut self, byte: u8, end: usize) -> Result<usize, Fatal> {
        if matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E' | b'x' | b'X' | b'_') {
            return Err(Fatal::syntax(self.base + end as u64, Reason::BadNumber));
        }
        self.after_value();
        Ok(end)
    }

    /// A number that the chunk's end cuts waits; one that breaks off where a digit must stand is bad.
    fn pause_number(&mut self, chunk: &[u8], end: usize, digits: Digits) -> Result<usize, Fatal> {
        self.state = State::Number(digits);
        let Some(&byte) = chunk.get(end) else { return Ok(end) };
        let word = digits == Digits::Minus && matches!(byte, b'I' | b'N');
        let reason = if word { Reason::NanOrInfinity } else { Reason::BadNumber };
        self.bad(byte, end, reason).map(|()| end + 1)
    }
}

/// Follows a number from `i` on; gives where it stops and in which state.
fn run_of_digits(chunk: &[u8], mut i: usize, mut digits: Digits) -> (usize, Digits) {
    while let Some(next) = chunk.get(i).and_then(|&byte| digits.step(byte)) {
        digits = next;
        i += 1;
    }
    (i, digits)
}
