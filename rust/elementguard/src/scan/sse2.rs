//! sse2: 16 bytes a step, on every x86-64. It cannot look bytes up, so a class is compared range by range.

use std::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_max_epu8, _mm_min_epu8, _mm_movemask_epi8,
    _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_setzero_si128, _mm_sub_epi8, _mm_subs_epu8,
    _mm_xor_si128,
};

use super::class::Class;
use super::portable::ends;
use super::{Job, Portable, Wide};

/// SSE2, which x86-64 always has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2;

impl Wide for Sse2 {
    type Lanes = __m128i;
    type First = Self;
    type Narrow = Portable;

    const STEP: usize = 16;

    #[inline(always)]
    fn first(self) -> Self {
        self
    }

    #[inline(always)]
    fn narrow(self) -> Portable {
        Portable
    }

    #[inline(never)]
    fn enter<J: Job>(self, job: J) -> J::Out {
        job.run(self)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> Option<__m128i> {
        let block = bytes.first_chunk::<16>()?;
        // SAFETY: the block is 16 bytes long, and an unaligned load asks for no more.
        Some(unsafe { _mm_loadu_si128(block.as_ptr().cast()) })
    }

    #[inline(always)]
    fn gather(self, bytes: &[u8]) -> Option<__m128i> {
        let (first, last) = ends(bytes);
        // SAFETY: x86-64 has SSE2.
        Some(unsafe { _mm_set_epi64x(last.cast_signed(), first.cast_signed()) })
    }

    #[inline(always)]
    fn special(self, lanes: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe {
            let quote = _mm_cmpeq_epi8(lanes, all(b'"'));
            let backslash = _mm_cmpeq_epi8(lanes, all(b'\\'));
            let control = _mm_cmpeq_epi8(_mm_min_epu8(lanes, all(0x1F)), lanes);
            _mm_or_si128(_mm_or_si128(quote, backslash), control)
        }
    }

    #[inline(always)]
    fn outside<C: Class>(self, lanes: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe {
            // Each byte's distance from the nearest range.
            let mut distance = all(0xFF);
            for &range in C::RANGES {
                distance = _mm_min_epu8(distance, behind(lanes, range));
            }
            _mm_xor_si128(_mm_cmpeq_epi8(distance, _mm_setzero_si128()), all(0xFF))
        }
    }

    #[inline(always)]
    fn join(self, one: __m128i, other: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_or_si128(one, other) }
    }

    #[inline(always)]
    fn mask(self, marks: __m128i) -> u64 {
        // SAFETY: x86-64 has SSE2.
        unsafe { u64::from(_mm_movemask_epi8(marks).cast_unsigned()) }
    }

    #[inline(always)]
    fn higher(self, one: __m128i, other: __m128i) -> __m128i {
        // SAFETY: x86-64 has SSE2.
        unsafe { _mm_max_epu8(one, other) }
    }

    #[inline(always)]
    fn odd(self, lanes: __m128i) -> u64 {
        // SAFETY: x86-64 has SSE2.
        unsafe { self.mask(_mm_cmpeq_epi8(_mm_max_epu8(lanes, all(0x7F)), lanes)) }
    }
}

#[inline(always)]
fn all(byte: u8) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe { _mm_set1_epi8(byte.cast_signed()) }
}

/// How far behind a range each byte is: nothing for those in it; what is before it comes around to behind it.
#[inline(always)]
fn behind(lanes: __m128i, (from, to): (u8, u8)) -> __m128i {
    // SAFETY: x86-64 has SSE2.
    unsafe {
        if from == to {
            return _mm_xor_si128(lanes, all(from));
        }
        _mm_subs_epu8(_mm_sub_epi8(lanes, all(from)), all(to - from))
    }
}
