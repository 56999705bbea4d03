//! class: the sets of bytes that are asked about, each said once, as ranges.
//!
//! In: nothing. Out: the ranges, and the tables that kernels make of them when they are compiled. No class holds NUL, so that a
//! short piece can be filled up with it.

use super::{Kernel, Run, Wide};

/// A set of bytes below 0x80.
pub(super) trait Class {
    /// From which byte to which, both of them in it, in ascending order.
    const RANGES: &'static [(u8, u8)];

    /// Whether bytes outside ASCII are in it too, and it is to be said whether a run has any (or a DEL).
    const IS_TEXT: bool = false;

    /// Marks the bytes that are not in it.
    #[inline(always)]
    fn mark<W: Wide>(wide: W, lanes: W::Lanes) -> W::Lanes
    where
        Self: Sized,
    {
        wide.outside::<Self>(lanes)
    }

    /// The same question to a kernel.
    fn ask<K: Kernel>(kernel: K, bytes: &[u8]) -> Run;

    /// Whether all bytes are in it; then, of a text, whether one of them is odd. As a kernel says it that knows a better way than
    /// to look for where the run ends.
    #[inline(always)]
    fn all<K: Kernel>(kernel: K, bytes: &[u8]) -> Option<bool> {
        let Run { plain, odd } = Self::ask(kernel, bytes);
        (plain == bytes.len()).then_some(odd)
    }
}

/// What can stand in a string as it is (RFC 8259 §7).
pub(super) struct Text;

/// The letters of base64 (RFC 4648 §4).
pub(super) struct Base64;

/// What can stand in an address as it is.
pub(super) struct Address;

/// The characters of an id (5.1).
pub(super) struct Id;

/// What numbers are made of, but for their signs, point and `e` (RFC 8259 §6).
pub(super) struct Digits;

/// JSON's white space (RFC 8259 §2).
pub(super) struct Space;

impl Class for Text {
    const RANGES: &'static [(u8, u8)] = &[(b' ', b'!'), (b'#', b'['), (b']', 0x7F)];
    const IS_TEXT: bool = true;

    #[inline(always)]
    fn mark<W: Wide>(wide: W, lanes: W::Lanes) -> W::Lanes {
        wide.special(lanes)
    }

    #[inline(always)]
    fn ask<K: Kernel>(kernel: K, bytes: &[u8]) -> Run {
        kernel.string(bytes)
    }

    #[inline(always)]
    fn all<K: Kernel>(kernel: K, bytes: &[u8]) -> Option<bool> {
        kernel.all_text(bytes)
    }
}

/// Says of which ranges a class is, and which question of a kernel is about it.
macro_rules! class {
    ($name:ident, $question:ident $(or $all:ident)?, [$($range:expr),* $(,)?]) => {
        impl Class for $name {
            const RANGES: &'static [(u8, u8)] = &[$($range),*];

            #[inline(always)]
            fn ask<K: Kernel>(kernel: K, bytes: &[u8]) -> Run {
                Run { plain: kernel.$question(bytes), odd: false }
            }

            $(
                #[inline(always)]
                fn all<K: Kernel>(kernel: K, bytes: &[u8]) -> Option<bool> {
                    kernel.$all(bytes).then_some(false)
                }
            )?
        }
    };
}

class!(Base64, base64, [(b'+', b'+'), (b'/', b'9'), (b'A', b'Z'), (b'a', b'z')]);
class!(
    Address,
    address or all_address,
    [
        (b'!', b'!'),
        (b'#', b'$'),
        (b'&', b';'),
        (b'=', b'='),
        (b'?', b'['),
        (b']', b']'),
        (b'_', b'_'),
        (b'a', b'z'),
        (b'~', b'~'),
    ]
);
class!(Id, id or all_id, [(b'-', b'-'), (b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')]);
class!(Digits, digits, [(b'0', b'9')]);
class!(Space, space, [(b'\t', b'\n'), (b'\r', b'\r'), (b' ', b' ')]);

/// Whether a byte is in one of the ranges.
const fn has(ranges: &[(u8, u8)], byte: u8) -> bool {
    let mut next = 0;
    while next < ranges.len() {
        if ranges[next].0 <= byte && byte <= ranges[next].1 {
            return true;
        }
        next += 1;
    }
    false
}

/// For each low nibble the high nibbles with which it is in the class, one bit each.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    expect(dead_code, reason = "only vectors look bytes up")
)]
pub(super) const fn rows(ranges: &[(u8, u8)]) -> [u8; 16] {
    let mut rows = [0; 16];
    let mut byte = 0_u8;
    while byte < 128 {
        if has(ranges, byte) {
            rows[(byte & 15) as usize] |= 1 << (byte >> 4);
        }
        byte += 1;
    }
    rows
}

/// For each high nibble its bit in a row; those from 8 on have none.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    expect(dead_code, reason = "only vectors look bytes up")
)]
pub(super) const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// For each byte of ASCII its highest bit, set if it is not in the class.
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "only AVX-512 looks bytes up in so long a table")
)]
pub(super) const fn outsiders(ranges: &[(u8, u8)]) -> [u8; 128] {
    let mut marks = [0; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        if !has(ranges, byte) {
            marks[byte as usize] = 0x80;
        }
        byte += 1;
    }
    marks
}
