//! lexer: bytes -> tokens of JSON.
//!
//! In: the answer's bytes, in chunks of any size. Out: calls on a [`Tokens`] receiver, or the one fatal finding that ends the
//! reading: `json-syntax`, `json-encoding` or `json-truncated`. The grammar is RFC 8259's, to the letter.
//!
//! The lexer is a state machine that can stop behind any byte. What a chunk holds whole is handed over whole, as a slice of the
//! chunk, and nothing is copied; only a token that a chunk's end cuts, or a string with escapes, is handed over in pieces. A
//! character cut by a chunk's end waits in four bytes, so pieces always hold whole characters.
//!
//! A wrong byte is reported at the first place from which no continuation is JSON. Where that place holds a character outside
//! ASCII, the character is read to its end first ([`State::Doom`]): it may be bad UTF-8 (which is said instead, being earlier in
//! the catalogue) or be cut by the end of the input.

use crate::report::{Fatal, Reason};
use crate::scan;

/// Who receives the tokens. Offsets count bytes from the start of the answer.
pub(crate) trait Tokens {
    /// `{` stands at `at`.
    fn object_begin(&mut self, at: u64) -> Result<(), Fatal>;
    /// `}` stands right before `end`.
    fn object_end(&mut self, end: u64);
    /// `[` stands at `at`.
    fn array_begin(&mut self, at: u64) -> Result<(), Fatal>;
    /// `]` stands right before `end`.
    fn array_end(&mut self, end: u64);
    /// A whole name without escapes, its quotation mark at `at`.
    fn name(&mut self, at: u64, text: &[u8]);
    /// A whole string value without escapes, its quotation mark at `at`.
    fn string(&mut self, at: u64, text: &[u8]);
    /// A name begins that will come in pieces.
    fn name_begin(&mut self, at: u64);
    /// A string value begins that will come in pieces.
    fn string_begin(&mut self, at: u64);
    /// Some whole characters of the string or name that is open, unescaped.
    fn piece(&mut self, text: &[u8]);
    /// A lone surrogate, its backslash at `at`, in the string or name that is open.
    fn lone(&mut self, at: u64, unit: u16);
    /// The name that is open ends.
    fn name_end(&mut self);
    /// The string value that is open ends.
    fn string_end(&mut self);
    /// A whole number.
    fn number(&mut self, at: u64, text: &[u8]);
    /// A number begins that will come in pieces.
    fn number_begin(&mut self, at: u64);
    /// Some bytes of the number that is open.
    fn digits(&mut self, text: &[u8]);
    /// The number that is open ends.
    fn number_end(&mut self);
    /// `true` or `false`.
    fn boolean(&mut self, at: u64, value: bool);
    /// `null`.
    fn null(&mut self, at: u64);
}

/// Where the reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
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

/// How far a number has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
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
    fn step(self, byte: u8) -> Option<Self> {
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
    fn is_whole(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::Exponent)
    }
}

/// The resumable reader of bytes.
#[derive(Debug)]
pub(crate) struct Lexer {
    state: State,
    /// Bytes of earlier chunks.
    base: u64,
    /// One bit for each open bracket, innermost last: whether it is an object.
    open: BitStack,
    /// Whether the string that is open is a name.
    in_name: bool,
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
            in_name: false,
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

    /// Reads one more chunk.
    pub(crate) fn feed<T: Tokens>(&mut self, chunk: &[u8], to: &mut T) -> Result<(), Fatal> {
        let mut i = 0;
        while i < chunk.len() {
            i = self.step(chunk, i, to)?;
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
            to.number_end();
            self.state = State::End;
        }
        if self.state == State::End { Ok(()) } else { Err(Fatal::truncated(self.base)) }
    }

    /// Reads one token, or what the chunk holds of it, from `i` on; gives where to go on.
    fn step<T: Tokens>(&mut self, chunk: &[u8], i: usize, to: &mut T) -> Result<usize, Fatal> {
        match self.state {
            State::Text => self.text(chunk, i, to),
            State::Escape => self.escape(chunk[i], i, to).map(|()| i + 1),
            State::Hex(count) => self.hex(chunk[i], i, count, to).map(|()| i + 1),
            State::Number(digits) => self.number(chunk, i, digits, to),
            State::Literal(word, read) => self.literal(chunk, i, word, read, to),
            State::Doom(reason) => self.doom(chunk[i], reason).map(|()| i + 1),
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

    /// Begins a string at its quotation mark; one that the chunk holds whole, without escapes, is handed over at once.
    fn begin_text<T: Tokens>(&mut self, chunk: &[u8], i: usize, name: bool, to: &mut T) -> Result<usize, Fatal> {
        let at = self.base + i as u64;
        let rest = &chunk[i + 1..];
        let run = scan::string(rest);
        if rest.get(run.plain) == Some(&b'"') {
            let text = &rest[..run.plain];
            if run.high {
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
        Ok(i + 1)
    }

    /// Reads on inside a string that comes in pieces.
    fn text<T: Tokens>(&mut self, chunk: &[u8], i: usize, to: &mut T) -> Result<usize, Fatal> {
        if self.cut_length > 0 {
            return self.join(chunk[i], i, to);
        }
        let rest = &chunk[i..];
        let run = scan::string(rest);
        let text = &rest[..run.plain];
        if !text.is_empty() {
            self.flush_high(to);
            let whole = if run.high { self.whole_characters(text, i, rest.len())? } else { text.len() };
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

    fn escape<T: Tokens>(&mut self, byte: u8, i: usize, to: &mut T) -> Result<(), Fatal> {
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

    fn begin_number<T: Tokens>(&mut self, chunk: &[u8], i: usize, first: Digits, to: &mut T) -> Result<usize, Fatal> {
        let at = self.base + i as u64;
        let (end, digits) = run_of_digits(chunk, i + 1, first);
        if end < chunk.len() && digits.is_whole() {
            to.number(at, &chunk[i..end]);
            return self.end_number(chunk[end], end);
        }
        to.number_begin(at);
        to.digits(&chunk[i..end]);
        self.pause_number(chunk, end, digits)
    }

    fn number<T: Tokens>(&mut self, chunk: &[u8], i: usize, digits: Digits, to: &mut T) -> Result<usize, Fatal> {
        let (end, digits) = run_of_digits(chunk, i, digits);
        to.digits(&chunk[i..end]);
        if end < chunk.len() && digits.is_whole() {
            to.number_end();
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

    /// Reads on in a character that cannot stand here.
    fn doom(&mut self, byte: u8, reason: Reason) -> Result<(), Fatal> {
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

/// Follows a number from `i` on; gives where it stops and in which state.
fn run_of_digits(chunk: &[u8], mut i: usize, mut digits: Digits) -> (usize, Digits) {
    while let Some(next) = chunk.get(i).and_then(|&byte| digits.step(byte)) {
        digits = next;
        i += 1;
    }
    (i, digits)
}

/// The open brackets, one bit each.
#[derive(Debug, Default)]
struct BitStack {
    bits: Vec<u64>,
    length: usize,
}

impl BitStack {
    fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The innermost bit; false if there is none.
    fn top(&self) -> bool {
        let Some(last) = self.length.checked_sub(1) else { return false };
        self.bits[last / 64] >> (last % 64) & 1 == 1
    }

    fn push(&mut self, bit: bool) {
        if self.length % 64 == 0 {
            self.bits.truncate(self.length / 64);
            self.bits.push(0);
        }
        let mask = 1 << (self.length % 64);
        let word = &mut self.bits[self.length / 64];
        *word = if bit { *word | mask } else { *word & !mask };
        self.length += 1;
    }

    fn pop(&mut self) {
        self.length -= 1;
    }
}
