//! avx2: 32 bytes a step.

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_loadu2_m128i, _mm256_max_epu8, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16,
};

use super::class::{self, Class};
use super::sse2::Sse2;
use super::{Job, Wide};

/// Proof that the processor has AVX2 and what is always found with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The kernel, if the processor has its instructions.
    pub(crate) fn new() -> Option<Self> {
        let there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        there.then_some(Self(()))
    }

    /// Does a job for a kernel that has all that this one has.
    #[expect(clippy::unused_self, reason = "it is the proof that the instructions are there")]
    #[inline(always)]
    pub(super) fn enter_for<W: Wide, J: Job>(self, wide: W, job: J) -> J::Out {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inside<W: Wide, J: Job>(wide: W, job: J) -> J::Out {
            job.run(wide)
        }
        // SAFETY: a value of this type is only made where all of these features were detected.
        unsafe { inside(wide, job) }
    }
}

impl Wide for Avx2 {
    type Lanes = __m256i;
    type First = Self;
    type Narrow = Sse2;

    const STEP: usize = 32;

    #[inline(always)]
    fn first(self) -> Self {
        self
    }

    #[inline(always)]
    fn narrow(self) -> Sse2 {
        Sse2
    }

    #[inline(always)]
    fn enter<J: Job>(self, job: J) -> J::Out {
        self.enter_for(self, job)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> Option<__m256i> {
        let block = bytes.first_chunk::<32>()?;
        // SAFETY: the features were detected when `self` was made; the block is 32 bytes long, and an unaligned load asks for no
        // more.
        Some(unsafe { _mm256_loadu_si256(block.as_ptr().cast()) })
    }

    #[inline(always)]
    fn gather(self, bytes: &[u8]) -> Option<__m256i> {
        // SAFETY: the features were detected when `self` was made; the chunks are 16 bytes long.
        unsafe {
            if let (Some(first), Some(last)) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>())
            {
                let (first, last) = (first.as_ptr().cast(), last.as_ptr().cast());
                return Some(_mm256_loadu2_m128i(last, first));
            }
            Some(_mm256_broadcastsi128_si256(Sse2.gather(bytes)?))
        }
    }

    #[inline(always)]
    fn special(self, lanes: __m256i) -> __m256i {
        // SAFETY: the features were detected when `self` was made.
        unsafe {
            let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
            let quote = _mm256_cmpeq_epi8(lanes, all(b'"'));
            let backslash = _mm256_cmpeq_epi8(lanes, all(b'\\'));
            let control = _mm256_cmpeq_epi8(_mm256_min_epu8(lanes, all(0x1F)), lanes);
            _mm256_or_si256(_mm256_or_si256(quote, backslash), control)
        }
    }

    /// A byte is in the class if the bit of its high nibble is set in the row of its low nibble.
    #[inline(always)]
    fn outside<C: Class>(self, lanes: __m256i) -> __m256i {
        // SAFETY: the features were detected when `self` was made; both tables are as long as a load of them.
        unsafe {
            let twice = |table: &[u8; 16]| {
                _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()))
            };
            // For bytes from 0x80 on the look-up gives 0: they are in no class.
            let row = _mm256_shuffle_epi8(twice(const { &class::rows(C::RANGES) }), lanes);
            let nibble = _mm256_and_si256(_mm256_srli_epi16::<4>(lanes), _mm256_set1_epi8(0x0F));
            let bit = _mm256_shuffle_epi8(twice(&class::BITS), nibble);
            _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), _mm256_setzero_si256())
        }
    }

    #[inline(always)]
    fn join(self, one: __m256i, other: __m256i) -> __m256i {
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm256_or_si256(one, other) }
    }

    #[inline(always)]
    fn mask(self, marks: __m256i) -> u64 {
        // SAFETY: the features were detected when `self` was made.
        u64::from(unsafe { _mm256_movemask_epi8(marks) }.cast_unsigned())
    }

    #[inline(always)]
    fn higher(self, one: __m256i, other: __m256i) -> __m256i {
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm256_max_epu8(one, other) }
    }

    #[inline(always)]
    fn odd(self, lanes: __m256i) -> u64 {
        // SAFETY: the features were detected when `self` was made.
        let odd =
            unsafe { _mm256_cmpeq_epi8(_mm256_max_epu8(lanes, _mm256_set1_epi8(0x7F)), lanes) };
        self.mask(odd)
    }
}
