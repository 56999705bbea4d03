//! json: how long what is walked over is in compact JSON.
//!
//! In: texts and integers. Out: counts of bytes. Text is UTF-8, or WTF-8 where a surrogate stands alone.

use crate::scan::{self, Job, Kernel};

/// What is in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// Printable ASCII without quotation marks and backslashes.
    Plain,
    /// Also a DEL, or characters outside ASCII.
    Odd,
    /// Also what JSON escapes.
    Escapes,
}

/// How long a text without lone surrogates is, with its quotation marks, and what is in it.
#[inline(always)]
pub(super) fn measure<K: Kernel>(kernel: K, text: &[u8]) -> (u64, Holds) {
    let length = text.len() as u64 + 2;
    match kernel.all_text(text) {
        Some(false) => (length, Holds::Plain),
        Some(true) => (length, Holds::Odd),
        None => (length + kernel.call(Escapes(text)), Holds::Escapes),
    }
}

/// How long a text is, with its quotation marks.
pub(super) fn length(text: &[u8]) -> u64 {
    text.len() as u64 + 2 + scan::run(Escapes(text)) + surrogates(text) * 3
}

/// How many digits an integer has, its sign counted.
#[inline(always)]
pub(super) fn digits(integer: i64) -> u64 {
    let digits = integer.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
    u64::from(digits) + u64::from(integer < 0)
}

/// How many bytes escapes add to a text.
struct Escapes<'a>(&'a [u8]);

impl Job for Escapes<'_> {
    type Out = u64;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u64 {
        let Self(mut rest) = self;
        let mut more = 0;
        while let Some((&special, behind)) =
            rest.get(kernel.string(rest).plain..).and_then(<[u8]>::split_first)
        {
            more += longer(special);
            rest = behind;
        }
        more
    }
}

/// How many bytes longer a byte is when it is escaped.
fn longer(byte: u8) -> u64 {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 1,
        0..0x20 => 5,
        _ => 0,
    }
}

fn surrogates(text: &[u8]) -> u64 {
    memchr::memchr_iter(0xED, text).filter(|&place| is_surrogate(&text[place..])).count() as u64
}

/// Where the first lone surrogate of a WTF-8 text stands.
pub(super) fn surrogate(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(0xED, text).find(|&place| is_surrogate(&text[place..]))
}

fn is_surrogate(text: &[u8]) -> bool {
    matches!(text, [0xED, 0xA0..=0xBF, _, ..])
}
