//! avx512: 64 bytes a step, and look-ups in a table of 128 bytes (VBMI). The first step of a run is AVX2's: comparing into a mask
//! and moving that to where it can be counted takes longer than with shorter vectors, and most runs are short.

use std::arch::x86_64::{
    __m512i, __mmask64, _mm512_andnot_si512, _mm512_cmpge_epu8_mask, _mm512_loadu_si512,
    _mm512_maskz_loadu_epi8, _mm512_max_epu8, _mm512_movepi8_mask, _mm512_or_si512,
    _mm512_permutex2var_epi8, _mm512_set1_epi8,
};

use super::avx2::Avx2;
use super::class::{self, Class, Text};
use super::{Job, Wide};

/// Proof that the processor has AVX-512 with VBMI, and AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// The kernel, if the processor has its instructions.
    pub(crate) fn new() -> Option<Self> {
        let there = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi");
        Avx2::new().filter(|_| there).map(Self)
    }

    /// Looks all bytes up, without their highest bits.
    #[expect(clippy::unused_self, reason = "it is the proof that the instructions are there")]
    #[inline(always)]
    fn look_up(self, table: &[u8; 128], lanes: __m512i) -> __m512i {
        let (low, high) = table.split_at(64);
        // SAFETY: the features were detected when `self` was made; each half is as long as a load of it.
        unsafe {
            let low = _mm512_loadu_si512(low.as_ptr().cast());
            let high = _mm512_loadu_si512(high.as_ptr().cast());
            _mm512_permutex2var_epi8(low, lanes, high)
        }
    }
}

/// A mark is a byte's highest bit.
impl Wide for Avx512 {
    type Lanes = __m512i;
    type First = Avx2;
    type Narrow = Avx2;

    const STEP: usize = 64;

    #[inline(always)]
    fn first(self) -> Avx2 {
        self.0
    }

    #[inline(always)]
    fn narrow(self) -> Avx2 {
        self.0
    }

    #[inline(always)]
    fn enter<J: Job>(self, job: J) -> J::Out {
        self.0.enter_for(self, job)
    }

    #[inline(always)]
    fn enter_long<J: Job>(self, job: J) -> J::Out {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inside<J: Job>(kernel: Avx512, job: J) -> J::Out {
            job.run(kernel)
        }
        // SAFETY: a value of this type is only made where all of these features were detected.
        unsafe { inside(self, job) }
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> Option<__m512i> {
        let block = bytes.first_chunk::<64>()?;
        // SAFETY: the features were detected when `self` was made; the block is 64 bytes long, and an unaligned load asks for no
        // more.
        Some(unsafe { _mm512_loadu_si512(block.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Option<__m512i> {
        let mask: __mmask64 = !u64::MAX.checked_shl(bytes.len() as u32).unwrap_or(0);
        // SAFETY: the features were detected when `self` was made; only the bytes in the mask are loaded, and those are in the
        // slice.
        Some(unsafe { _mm512_maskz_loadu_epi8(mask, bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn special(self, lanes: __m512i) -> __m512i {
        let marks = self.look_up(const { &class::outsiders(Text::RANGES) }, lanes);
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm512_andnot_si512(lanes, marks) }
    }

    #[inline(always)]
    fn outside<C: Class>(self, lanes: __m512i) -> __m512i {
        let marks = self.look_up(const { &class::outsiders(C::RANGES) }, lanes);
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm512_or_si512(lanes, marks) }
    }

    #[inline(always)]
    fn join(self, one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm512_or_si512(one, other) }
    }

    #[inline(always)]
    fn mask(self, marks: __m512i) -> u64 {
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm512_movepi8_mask(marks) }
    }

    #[inline(always)]
    fn higher(self, one: __m512i, other: __m512i) -> __m512i {
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm512_max_epu8(one, other) }
    }

    #[inline(always)]
    fn odd(self, lanes: __m512i) -> u64 {
        // SAFETY: the features were detected when `self` was made.
        unsafe { _mm512_cmpge_epu8_mask(lanes, _mm512_set1_epi8(0x7F)) }
    }
}
