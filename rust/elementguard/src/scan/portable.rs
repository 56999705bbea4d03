//! portable: the twin of every kernel, without intrinsics; it runs everywhere and is what the others are held against.
//!
//! Strings are judged eight bytes at a time with carry-free arithmetic on a word; the other questions by a table.

use super::{Job, Kernel, Run};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The kernel for every processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Kernel for Portable {
    #[inline(never)]
    fn call<J: Job>(self, job: J) -> J::Out {
        job.run(self)
    }

    #[inline]
    fn string(self, bytes: &[u8]) -> Run {
        let mut odd = 0_u64;
        let mut at = 0;
        let (words, tail) = bytes.as_chunks::<8>();
        for word in words {
            let word = u64::from_le_bytes(*word);
            let special = special(word);
            if special != 0 {
                let plain = (special.trailing_zeros() / 8) as usize;
                odd |= odd_bytes(word) & !(u64::MAX << (plain * 8));
                return Run { plain: at + plain, odd: odd != 0 };
            }
            odd |= odd_bytes(word);
            at += 8;
        }
        for &byte in tail {
            if is_special(byte) {
                break;
            }
            odd |= u64::from(byte >= 0x7F);
            at += 1;
        }
        Run { plain: at, odd: odd != 0 }
    }

    #[inline]
    fn base64(self, bytes: &[u8]) -> usize {
        run_of(bytes, BASE64)
    }

    #[inline]
    fn address(self, bytes: &[u8]) -> usize {
        run_of(bytes, ADDRESS)
    }

    #[inline]
    fn id(self, bytes: &[u8]) -> usize {
        run_of(bytes, ID)
    }

    #[inline]
    fn space(self, bytes: &[u8]) -> usize {
        run_of(bytes, SPACE)
    }
}

/// The high bit of every byte that is special, exact up to and including the lowest one set.
///
/// A borrow can mark a byte above a true hit, never below it, and only the lowest mark is read.
fn special(word: u64) -> u64 {
    let quote = word ^ (ONES * u64::from(b'"'));
    let backslash = word ^ (ONES * u64::from(b'\\'));
    let zero = |x: u64| x.wrapping_sub(ONES) & !x;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (zero(quote) | zero(backslash) | control) & HIGHS
}

/// The high bit of every byte that is 0x7F or above.
fn odd_bytes(word: u64) -> u64 {
    (word | ((word & !HIGHS) + ONES)) & HIGHS
}

fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

const BASE64: u8 = 1;
const ADDRESS: u8 = 2;
const SPACE: u8 = 4;
const ID: u8 = 8;

/// For each byte the classes it belongs to.
static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let letter = byte as u8;
        if letter.is_ascii_alphanumeric() || letter == b'+' || letter == b'/' {
            table[byte] |= BASE64;
        }
        let forbidden =
            matches!(letter, b'"' | b'%' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}');
        if letter.is_ascii_graphic() && !forbidden {
            table[byte] |= ADDRESS;
        }
        if letter.is_ascii_alphanumeric() || letter == b'-' || letter == b'_' {
            table[byte] |= ID;
        }
        if matches!(letter, b' ' | b'\t' | b'\n' | b'\r') {
            table[byte] |= SPACE;
        }
        byte += 1;
    }
    table
}

fn run_of(bytes: &[u8], class: u8) -> usize {
    let other = |byte: &u8| CLASSES[usize::from(*byte)] & class == 0;
    bytes.iter().position(other).unwrap_or(bytes.len())
}
