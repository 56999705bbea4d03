//! portable: the twin of every kernel, without intrinsics; it runs everywhere and is what the others are held against.
//!
//! Eight bytes at a time are judged with arithmetic on a word. A piece that is shorter is filled up with NUL, which ends every run.

use super::class::{Address, Base64, Class, Digits, Id, Space};
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
        let mut odd = 0;
        let mut at = 0;
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            let word = u64::from_le_bytes(*word);
            let special = special(word);
            if special != 0 {
                let plain = special.trailing_zeros() / 8;
                odd |= odd_bytes(word) & !(u64::MAX << (plain * 8));
                return Run { plain: at + plain as usize, odd: odd != 0 };
            }
            odd |= odd_bytes(word);
            at += 8;
        }
        let word = short(rest);
        let plain = special(word).trailing_zeros() / 8;
        odd |= odd_bytes(word) & !(u64::MAX << (plain * 8));
        Run { plain: at + plain as usize, odd: odd != 0 }
    }

    #[inline]
    fn base64(self, bytes: &[u8]) -> usize {
        run_of::<Base64>(bytes)
    }

    #[inline]
    fn address(self, bytes: &[u8]) -> usize {
        run_of::<Address>(bytes)
    }

    #[inline]
    fn id(self, bytes: &[u8]) -> usize {
        run_of::<Id>(bytes)
    }

    #[inline]
    fn space(self, bytes: &[u8]) -> usize {
        run_of::<Space>(bytes)
    }

    #[inline]
    fn digits(self, bytes: &[u8]) -> usize {
        run_of::<Digits>(bytes)
    }

    #[inline]
    fn digits_of(self, bytes: &[u8; 32]) -> u32 {
        let (words, _) = bytes.as_chunks::<8>();
        words.iter().rev().fold(0, |digits, word| {
            let inside = !outside::<Digits>(u64::from_le_bytes(*word)) & HIGHS;
            digits << 8 | gather(inside)
        })
    }

    #[inline]
    fn all_text(self, bytes: &[u8]) -> Option<bool> {
        let mut odd = 0;
        let is_plain = each(bytes, |word| {
            odd |= odd_bytes(word);
            special(word) == 0
        });
        is_plain.then_some(odd != 0)
    }

    #[inline]
    fn all_address(self, bytes: &[u8]) -> bool {
        each(bytes, |word| outside::<Address>(word) == 0)
    }

    #[inline]
    fn all_id(self, bytes: &[u8]) -> bool {
        each(bytes, |word| outside::<Id>(word) == 0)
    }
}

/// The high bits of a word's bytes side by side, the first byte's lowest.
#[inline(always)]
fn gather(highs: u64) -> u32 {
    ((highs >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// Whether all words are right that hold all of `bytes`, some of them twice.
#[inline]
fn each(bytes: &[u8], mut is_right: impl FnMut(u64) -> bool) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().all(|word| is_right(u64::from_le_bytes(*word)))
        && (rest.is_empty() || is_right(ends(bytes).1))
}

/// The first and the last of at most sixteen bytes, so that they hold all of them; without any, bytes that are in every class but
/// white space.
#[inline(always)]
pub(super) fn ends(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
    }
    let word = filled(bytes);
    (word, word)
}

#[inline]
fn run_of<C: Class>(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let marks = outside::<C>(u64::from_le_bytes(*word));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at + (outside::<C>(short(rest)).trailing_zeros() / 8) as usize
}

/// Fewer than eight bytes, each at least once.
#[inline(always)]
fn filled(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | last << 32;
    }
    let byte = |place: usize| u64::from(bytes.get(place).copied().unwrap_or(b'0'));
    let (first, middle, last) = (byte(0), byte(bytes.len() / 2), byte(bytes.len().wrapping_sub(1)));
    (first * (ONES << 24)) | first | middle << 8 | last << 16
}

/// Fewer than eight bytes, filled up with NUL.
#[inline]
fn short(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let last = u64::from(u32::from_le_bytes(*last));
            u64::from(u32::from_le_bytes(*first)) | last << (length.saturating_sub(4) * 8)
        }
        _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
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

/// The high bit of every byte that is not in a class. Without its high bit a byte is at most 0x7F, so that no sum carries.
#[inline]
fn outside<C: Class>(word: u64) -> u64 {
    let low = word & !HIGHS;
    let mut within = 0;
    for &(from, to) in C::RANGES {
        let reaches = low + ONES * u64::from(0x80 - from);
        let passes = low + ONES * u64::from(0x7F - to);
        within |= reaches & !passes;
    }
    (word | !within) & HIGHS
}
