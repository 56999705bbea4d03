//! scan: bytes -> the next byte that means something inside a string.
//!
//! In: a slice that begins inside a JSON string. Out: how many bytes of it are plain, and whether any of them is not ASCII.
//! What is special inside a string is RFC 8259 §7's own list: the quotation mark, the backslash and the controls below U+0020.
//!
//! Eight bytes are judged at a time with carry-free arithmetic on a word, so that the portable version needs no intrinsics;
//! vector kernels will stand beside it, with this one as their oracle.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// What a scan of string bytes came upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The count of plain bytes before the special one (or before the end of the slice).
    pub(crate) plain: usize,
    /// Whether one of the plain bytes is 0x80 or above.
    pub(crate) high: bool,
}

/// Finds the first quotation mark, backslash or control character of `bytes`.
pub(crate) fn string(bytes: &[u8]) -> Run {
    let mut high = 0_u64;
    let mut at = 0;
    let (words, tail) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        let special = special(word);
        if special != 0 {
            let plain = (special.trailing_zeros() / 8) as usize;
            high |= word & !(u64::MAX << (plain * 8)) & HIGHS;
            return Run { plain: at + plain, high: high != 0 };
        }
        high |= word & HIGHS;
        at += 8;
    }
    for &byte in tail {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            return Run { plain: at, high: high != 0 };
        }
        high |= u64::from(byte & 0x80);
        at += 1;
    }
    Run { plain: at, high: high != 0 }
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

/// How many bytes at the start of `bytes` are JSON white space (RFC 8259 §2).
pub(crate) fn white_space(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
        .unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{Run, string};

    fn naive(bytes: &[u8]) -> Run {
        let plain =
            bytes.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).unwrap_or(bytes.len());
        Run { plain, high: bytes[..plain].iter().any(|&b| b >= 0x80) }
    }

    #[test]
    fn every_byte_at_every_place_is_judged_as_the_naive_twin_does() {
        for length in 0..40 {
            for place in 0..length {
                for byte in 0..=255_u8 {
                    for filler in [b'a', 0xFF, 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x80] {
                        let mut bytes = vec![filler; length];
                        bytes[place] = byte;
                        assert_eq!(
                            string(&bytes),
                            naive(&bytes),
                            "{length} {place} {byte} {filler}"
                        );
                    }
                }
            }
        }
    }
}
