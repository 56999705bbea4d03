//! tokens: what a reader of JSON says, one call a token.
//!
//! Two readers say them: the lexer for a text, in one buffer or in chunks, and the walk for a parsed object. One receiver hears
//! them: the tree.

use crate::lexer::Lexer;
use crate::report::Fatal;

/// Who receives the tokens. Offsets count bytes from the start of the answer.
pub(crate) trait Tokens {
    /// Reads as far as it can by itself, from `at` in the chunk on; gives where the lexer goes on.
    fn express(&mut self, lexer: &mut Lexer, length: usize, ahead: &[u8], at: usize) -> usize;
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
    /// A string value begins that will come in pieces; says whether it takes [`letters`](Self::letters).
    fn string_begin(&mut self, at: u64) -> bool;
    /// A string value begins at `at` and is to be base64: how many bytes at the start of `text`, as it was sent, are letters and
    /// taken at once. `None` if it is to be something else; then nothing was begun.
    fn begin_letters(&mut self, at: u64, text: &[u8]) -> Option<usize>;
    /// How many bytes at the start of `text`, as it was sent, are letters of base64 and taken at once, if the string that is open
    /// is to be base64.
    fn letters(&mut self, text: &[u8]) -> usize;
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
