//! Room: short stand-ins for texts too long to keep.
//!
//! In: bytes, at once or in pieces. Out: a keyed 128-bit digest, the same for every cut.
//!
//! Why so: ids longer than the spec allows are compared all the same (`duplicate-id`,
//! `dangling-related`), and so are the names of an object that the spec does not know; memory
//! must not depend on their length. For texts that are at hand there is a quick hash besides. SipHash-1-3 with 128 bits and a key that no
//! sender knows: nobody can build two ids that collide, and by accident two of a million clash
//! with a chance below 2^-88.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

use siphasher::sip128::{Hasher128, SipHasher13};

/// The key of a process's digests; digests under different keys say nothing together.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Keys {
    first: u64,
    second: u64,
}

impl Keys {
    /// The key of this process.
    pub(crate) fn of_process() -> Self {
        static KEYS: OnceLock<Keys> = OnceLock::new();
        *KEYS.get_or_init(Self::random)
    }

    /// A key out of the operating system's randomness.
    pub(crate) fn random() -> Self {
        let source = RandomState::new();
        Self { first: source.hash_one(1_u8), second: source.hash_one(2_u8) }
    }

    /// The digest of `bytes`.
    pub(crate) fn digest(self, bytes: &[u8]) -> u128 {
        let mut digest = self.start();
        digest.feed(bytes);
        digest.finish()
    }

    /// A quick hash of `text` for a table in memory. It says little about the keys, and nothing outside this process sees it.
    #[inline(always)]
    pub(crate) fn quick(self, text: &[u8]) -> u64 {
        let mut seed = self.seed(text.len());
        let mut rest = text;
        while rest.len() > SHORT
            && let Some((pair, behind)) = rest.split_first_chunk::<SHORT>()
        {
            seed = fold(eight(pair, 0) ^ self.second, eight(pair, 8) ^ seed);
            rest = behind;
        }
        self.end(word(rest), seed)
    }

    /// The same of a short text of that length that stands at the start of `ahead`; what stands behind it does not matter.
    #[inline(always)]
    pub(crate) fn quick_ahead(self, ahead: &[u8; SHORT], length: usize) -> u64 {
        let mask = MASKS.get(length).copied().unwrap_or(u128::MAX);
        self.end(u128::from_le_bytes(*ahead) & mask, self.seed(length))
    }

    #[inline(always)]
    fn seed(self, length: usize) -> u64 {
        self.first ^ (length as u64).wrapping_mul(ODD)
    }

    #[inline(always)]
    fn end(self, word: u128, seed: u64) -> u64 {
        fold(fold(word as u64 ^ self.second, (word >> 64) as u64 ^ seed), self.first | 1)
    }

    /// A digest that is fed in pieces.
    pub(crate) fn start(self) -> Digest {
        Digest { state: SipHasher13::new_with_keys(self.first, self.second) }
    }
}

/// A text of so many bytes is hashed in one step.
pub(crate) const SHORT: usize = 16;

/// For each length of a short text the bits that are its own.
const MASKS: [u128; SHORT + 1] = {
    let mut masks = [u128::MAX; SHORT + 1];
    let mut length = 0;
    while length < SHORT {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Both halves of a product, folded.
#[inline(always)]
fn fold(one: u64, two: u64) -> u64 {
    let product = u128::from(one) * u128::from(two);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn eight(bytes: &[u8], from: usize) -> u64 {
    bytes
        .get(from..)
        .and_then(|bytes| bytes.first_chunk())
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[inline(always)]
fn four(bytes: &[u8], from: usize) -> u64 {
    let bytes = bytes.get(from..).and_then(|bytes| bytes.first_chunk());
    bytes.map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)))
}

/// A short text as a number, its first byte the lowest.
#[inline(always)]
pub(crate) fn word(text: &[u8]) -> u128 {
    // The first and the last bytes are all of them; where they overlap they are the same.
    let (first, last, bytes) = match text.len() {
        8.. => (eight(text, 0), eight(text, text.len() - 8), 8),
        4.. => (four(text, 0), four(text, text.len() - 4), 4),
        _ => return text.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)),
    };
    u128::from(first) | u128::from(last) << (8 * (text.len() - bytes))
}

/// A digest under way.
#[derive(Clone, Default, Debug)]
pub(crate) struct Digest {
    state: SipHasher13,
}

impl Digest {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        self.state.write(piece);
    }

    /// The digest of all that has come.
    pub(crate) fn finish(&self) -> u128 {
        self.state.finish128().as_u128()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_gives_the_digest_of_the_whole() {
        let keys = Keys::random();
        let text: Vec<u8> = (0..70_u8).collect();
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let mut digest = keys.start();
                for piece in [&text[..first], &text[first..second], &[], &text[second..]] {
                    digest.feed(piece);
                }
                assert_eq!(digest.finish(), keys.digest(&text), "{first} {second}");
            }
        }
    }

    #[test]
    fn a_short_text_is_hashed_alike_wherever_it_stands() {
        let keys = Keys::random();
        let bytes: [u8; SHORT] = std::array::from_fn(|place| place as u8 ^ 0xA5);
        let mut seen: Vec<u64> = (0..=SHORT).map(|length| keys.quick(&bytes[..length])).collect();
        for (length, &hash) in seen.iter().enumerate() {
            assert_eq!(keys.quick_ahead(&bytes, length), hash, "{length}");
        }
        seen.extend((0..SHORT).map(|place| {
            let mut others = bytes;
            others[place] ^= 1;
            keys.quick(&others)
        }));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 2 * SHORT + 1);
    }

    #[test]
    fn other_texts_and_other_keys_give_other_digests() {
        let keys = Keys::random();
        let mut seen: Vec<u128> = (0..300).map(|n| keys.digest(&vec![0; n])).collect();
        seen.push(Keys::random().digest(b""));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 301);
    }

    #[test]
    fn all_its_128_bits_are_used() {
        let keys = Keys::random();
        let digests = (0..64_u8).map(|n| keys.digest(&[n]));
        let (any, all) = digests.fold((0, u128::MAX), |(any, all), d| (any | d, all & d));
        assert_eq!((any.count_ones(), all), (128, 0));
    }
}
