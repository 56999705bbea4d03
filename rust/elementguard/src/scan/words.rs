//! words: where a word stands among sixteen.
//!
//! In: sixteen words of 32 bits, a line of the processor's cache, and one more. Out: a bit for each place that holds the same. No
//! kernel has to be chosen: every x86-64 has the instructions, and elsewhere the compiler finds its own.

/// At which places a word stands: the first one is the lowest bit.
#[inline(always)]
pub(crate) fn places_of(words: &[u32; 16], word: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return vector(words, word);
    #[cfg(not(target_arch = "x86_64"))]
    return portable(words, word);
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable(words: &[u32; 16], word: u32) -> u32 {
    words.iter().rev().fold(0, |bits, &other| bits << 1 | u32::from(other == word))
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn vector(words: &[u32; 16], word: u32) -> u32 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32,
        _mm_set1_epi32,
    };

    let (quarters, _) = words.as_chunks::<4>();
    // SAFETY: x86-64 has SSE2; a quarter is 16 bytes long, and an unaligned load asks for no more.
    unsafe {
        let wanted = _mm_set1_epi32(word.cast_signed());
        let same =
            |at: usize| _mm_cmpeq_epi32(_mm_loadu_si128(quarters[at].as_ptr().cast()), wanted);
        let (low, high) = (_mm_packs_epi32(same(0), same(1)), _mm_packs_epi32(same(2), same(3)));
        _mm_movemask_epi8(_mm_packs_epi16(low, high)).cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::{places_of, portable};

    #[test]
    fn the_twins_say_the_same() {
        for pattern in 0..1 << 16 {
            let words = std::array::from_fn(|at| if pattern >> at & 1 == 1 { 7 } else { 8 << 16 });
            assert_eq!(places_of(&words, 7), pattern);
            assert_eq!(portable(&words, 7), pattern);
        }
    }
}
