//! lexer: bytes -> tokens of JSON.
//!
//! In: the answer's bytes, in chunks of any size. Out: calls on a [`Tokens`] receiver, or the one fatal finding that ends the
//! reading: `json-syntax`, `json-encoding` or `json-truncated`. The grammar is RFC 8259's, to the letter.
//!
//! The lexer is a state machine that can stop behind any byte. What a chunk holds whole is handed over whole, as a slice of the
//! chunk, and nothing is copied. A token that a chunk's end cuts, or a string with escapes, is put together in `carry`, or handed
//! over in pieces if it is long; base64 is not even that. A character cut by a chunk's end waits in four bytes, so pieces always
//! hold whole characters.
//!
//! A wrong byte is reported at the first place from which no continuation is JSON. Where that place holds a character outside
//! ASCII, the character is read to its end first ([`State::Doom`]): it may be bad UTF-8 (which is said instead, being earlier in
//! the catalogue) or be cut by the end of the input.

pub(crate) mod bits;
mod bytes;
mod carry;
mod number;
mod strings;

use self::bits::BitStack;
use self::carry::Carry;
use self::number::Digits;
use crate::report::{Fatal, Reason};
use crate::scan;
use crate::tokens::Tokens;

/// Where the reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Before the top value, or behind a colon.
    Value,
    /// Behind `[`.
    FirstItem,
    /// Behind a comma in an array.
    NextItem,
    /// Behind `{`.
    FirstName,
    /// Behind a comma in an object.
    NextName,
    /// Behind a name.
    Colon,
    /// Behind a value in an array or object.
    AfterValue,
    /// Behind the top value.
    End,
    /// Inside a string or name.
    Text,
    /// Inside a character of a string that a chunk's end cut.
    Cut,
    /// Behind an escaped high surrogate.
    High,
    /// Behind a backslash.
    Escape,
    /// Behind `\u` and that many hex digits.
    Hex(u8),
    /// Inside a number.
    Number(Digits),
    /// Inside `true`, `false` or `null`: which, and how many letters of it were read.
    Literal(&'static [u8], u8),
    /// At a character outside ASCII that cannot stand here; it is read to its end before anything is said.
    Doom(Reason),
}

impl State {
    /// Whether white space may stand here: between two tokens.
    fn is_between(self) -> bool {
        matches!(
            self,
            Self::Value
                | Self::FirstItem
                | Self::NextItem
                | Self::FirstName
                | Self::NextName
                | Self::Colon
                | Self::AfterValue
                | Self::End
        )
    }
}

/// The resumable reader of bytes.
#[derive(Debug)]
pub(crate) struct Lexer {
    pub(crate) state: State,
    /// Bytes of earlier chunks.
    base: u64,
    /// One bit for each open bracket, innermost last: whether it is an object.
    pub(crate) open: BitStack,
    /// The string, name or number that is open.
    carry: Carry,
    /// Where the bad token, the escape or the doomed character began.
    mark: u64,
    /// The hex digits read so far.
    unit: u16,
    /// A high surrogate that still waits for its partner, and where its backslash stands.
    high: Option<(u16, u64)>,
    /// The bytes of a character that a chunk's end cut.
    cut: [u8; 4],
    cut_length: usize,
}

impl Lexer {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Value,
            base: 0,
            open: BitStack::default(),
            carry: Carry::new(),
            mark: 0,
            unit: 0,
            high: None,
            cut: [0; 4],
            cut_length: 0,
        }
    }

    /// How many bytes were read.
    pub(crate) fn offset(&self) -> u64 {
        self.base
    }

    /// Reads one more chunk: the first `length` bytes of `ahead`. What stands behind them is not part of the answer.
    pub(crate) fn feed<T: Tokens>(
        &mut self,
        length: usize,
        ahead: &[u8],
        to: &mut T,
    ) -> Result<(), Fatal> {
        let chunk = ahead.get(..length).unwrap_or(ahead);
        let mut i = 0;
        while i < chunk.len() {
            if self.state.is_between() {
                i = to.express(self, length, ahead, i);
            }
            if i < chunk.len() {
                i = self.step(chunk, i, to)?;
            }
        }
        self.base += chunk.len() as u64;
        Ok(())
    }

    /// Says that no more bytes will come.
    pub(crate) fn finish<T: Tokens>(&mut self, to: &mut T) -> Result<(), Fatal> {
        if let State::Number(digits) = self.state
            && digits.is_whole()
            && self.open.is_empty()
        {
            self.carry.end(to);
            self.state = State::End;
        }
        if self.state == State::End { Ok(()) } else { Err(Fatal::truncated(self.base)) }
    }

    /// Reads one token, or what the chunk holds of it, from `i` on; gives where to go on.
    fn step<T: Tokens>(&mut self, chunk: &[u8], i: usize, to: &mut T) -> Result<usize, Fatal> {
        match self.state {
            State::Text => self.text(chunk, i, to),
            State::Cut => self.join(chunk[i], i, to).map(|()| i + 1),
            State::High => self.behind_high(chunk[i], i, to),
            State::Escape | State::Hex(_) => self.escape(chunk, i, to),
            State::Number(digits) => self.number(chunk, i, digits, to),
            State::Literal(word, read) => self.literal(chunk, i, word, read, to),
            State::Doom(reason) => self.doom(chunk[i], reason).map(|()| i + 1),
            _ if chunk[i] > b' ' => self.structure(chunk, i, to),
            _ => {
                let i = i + scan::white_space(&chunk[i..]);
                if i == chunk.len() { Ok(i) } else { self.structure(chunk, i, to) }
            }
        }
    }

    /// Reads a structural character or the start of a name or value.
    fn structure<T: Tokens>(&mut self, chunk: &[u8], i: usize, to: &mut T) -> Result<usize, Fatal> {
        let byte = chunk[i];
        match (self.state, byte) {
            (State::AfterValue, b',') => {
                self.state = if self.open.top() { State::NextName } else { State::NextItem };
                Ok(i + 1)
            }
            (State::Colon, b':') => {
                self.state = State::Value;
                Ok(i + 1)
            }
            (State::FirstName | State::NextName, b'"') => self.begin_text(chunk, i, true, to),
            (State::AfterValue, b'}') if self.open.top() => Ok(self.close_object(i, to)),
            (State::FirstName, b'}') => Ok(self.close_object(i, to)),
            (State::AfterValue, b']') if !self.open.top() => Ok(self.close_array(i, to)),
            (State::FirstItem, b']') => Ok(self.close_array(i, to)),
            (State::Value | State::FirstItem | State::NextItem, _) => self.value(chunk, i, to),
            _ => self.refuse(byte, i),
        }
    }

    /// Reads the start of a value.
    fn value<T: Tokens>(&mut self, chunk: &[u8], i: usize, to: &mut T) -> Result<usize, Fatal> {
        let at = self.base + i as u64;
        match chunk[i] {
            b'"' => self.begin_text(chunk, i, false, to),
            b'{' => {
                to.object_begin(at)?;
                self.open.push(true);
                self.state = State::FirstName;
                Ok(i + 1)
            }
            b'[' => {
                to.array_begin(at)?;
                self.open.push(false);
                self.state = State::FirstItem;
                Ok(i + 1)
            }
            b'-' => self.begin_number(chunk, i, Digits::Minus, to),
            b'0' => self.begin_number(chunk, i, Digits::Zero, to),
            b'1'..=b'9' => self.begin_number(chunk, i, Digits::Integer, to),
            b't' => self.begin_literal(chunk, i, b"true", to),
            b'f' => self.begin_literal(chunk, i, b"false", to),
            b'n' => self.begin_literal(chunk, i, b"null", to),
            byte => self.refuse(byte, i),
        }
    }

    fn close_object<T: Tokens>(&mut self, i: usize, to: &mut T) -> usize {
        self.open.pop();
        to.object_end(self.base + i as u64 + 1);
        self.after_value();
        i + 1
    }

    fn close_array<T: Tokens>(&mut self, i: usize, to: &mut T) -> usize {
        self.open.pop();
        to.array_end(self.base + i as u64 + 1);
        self.after_value();
        i + 1
    }

    fn after_value(&mut self) {
        self.state = if self.open.is_empty() { State::End } else { State::AfterValue };
    }

    fn begin_literal<T: Tokens>(
        &mut self,
        chunk: &[u8],
        i: usize,
        word: &'static [u8],
        to: &mut T,
    ) -> Result<usize, Fatal> {
        self.mark = self.base + i as u64;
        self.literal(chunk, i + 1, word, 1, to)
    }

    fn literal<T: Tokens>(
        &mut self,
        chunk: &[u8],
        mut i: usize,
        word: &'static [u8],
        read: u8,
        to: &mut T,
    ) -> Result<usize, Fatal> {
        for (count, &letter) in word.iter().enumerate().skip(usize::from(read)) {
            let Some(&byte) = chunk.get(i) else {
                self.state = State::Literal(word, count as u8);
                return Ok(i);
            };
            if byte != letter {
                return self.bad(byte, i, Reason::BadLiteral).map(|()| i + 1);
            }
            i += 1;
        }
        match word[0] {
            b'n' => to.null(self.mark),
            first => to.boolean(self.mark, first == b't'),
        }
        self.after_value();
        Ok(i)
    }

    /// Says why `byte` cannot stand here, by the contract's table; the first line that fits decides.
    fn refuse(&mut self, byte: u8, i: usize) -> Result<usize, Fatal> {
        let reason = match (self.state, byte) {
            (_, b'/') => Reason::Comment,
            (State::End, _) => Reason::TextAfterValue,
            (State::AfterValue, _) => Reason::MissingComma,
            (State::Colon, _) => Reason::MissingColon,
            (State::NextName, b'}') | (State::NextItem, b'}' | b']') => Reason::TrailingComma,
            (State::FirstName | State::NextName, _) => Reason::BadName,
            (_, b'N' | b'I') => Reason::NanOrInfinity,
            (_, b'+' | b'.') => Reason::BadNumber,
            _ => Reason::UnexpectedCharacter,
        };
        self.bad(byte, i, reason).map(|()| i + 1)
    }

    /// Ends the reading at a byte that cannot stand here, or begins to read the character outside ASCII that it begins.
    fn bad(&mut self, byte: u8, i: usize, reason: Reason) -> Result<(), Fatal> {
        self.mark = self.base + i as u64;
        if byte < 0x80 {
            return Err(Fatal::syntax(self.mark, reason));
        }
        self.state = State::Doom(reason);
        self.doom(byte, reason)
    }
}
