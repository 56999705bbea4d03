//! avx2: 32 bytes a step.

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_max_epu8,
    _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
};

use super::{Job, Kernel, Portable, Run};

/// Proof that the processor has AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

const STEP: usize = 32;

impl Avx2 {
    /// The kernel, if the processor has its instructions.
    #[inline]
    pub(crate) fn new() -> Option<Self> {
        let there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        there.then_some(Self(()))
    }

    /// Does a job inside code that is compiled for this kernel.
    #[inline]
    pub(crate) fn run<J: Job>(self, job: J) -> J::Out {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inside<J: Job>(job: J, kernel: Avx2) -> J::Out {
            job.run(kernel)
        }
        // SAFETY: a value of this type is only made where all of these features were detected.
        unsafe { inside(job, self) }
    }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn call<J: Job>(self, job: J) -> J::Out {
        self.run(job)
    }

    #[inline(always)]
    fn string(self, bytes: &[u8]) -> Run {
        let mut odd = 0;
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk::<STEP>() {
            // SAFETY: the features were detected when `self` was made.
            let (special, odds) = unsafe { string_masks(block) };
            if special != 0 {
                let plain = special.trailing_zeros();
                odd |= odds & !(u32::MAX << plain);
                return Run { plain: at + plain as usize, odd: odd != 0 };
            }
            odd |= odds;
            at += STEP;
        }
        let tail = Portable.string(&bytes[at..]);
        Run { plain: at + tail.plain, odd: odd != 0 || tail.odd }
    }

    #[inline(always)]
    fn base64(self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk::<STEP>() {
            // SAFETY: as above.
            let other = unsafe { not_base64(block) };
            if other != 0 {
                return at + other.trailing_zeros() as usize;
            }
            at += STEP;
        }
        at + Portable.base64(&bytes[at..])
    }

    #[inline(always)]
    fn address(self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk::<STEP>() {
            // SAFETY: as above.
            let other = unsafe { not_address(block) };
            if other != 0 {
                return at + other.trailing_zeros() as usize;
            }
            at += STEP;
        }
        at + Portable.address(&bytes[at..])
    }

    #[inline(always)]
    fn id(self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk::<STEP>() {
            // SAFETY: as above.
            let other = unsafe { not_id(block) };
            if other != 0 {
                return at + other.trailing_zeros() as usize;
            }
            at += STEP;
        }
        at + Portable.id(&bytes[at..])
    }

    #[inline(always)]
    fn space(self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk::<STEP>() {
            // SAFETY: as above.
            let other = unsafe { not_space(block) };
            if other != 0 {
                return at + other.trailing_zeros() as usize;
            }
            at += STEP;
        }
        at + Portable.space(&bytes[at..])
    }
}

#[inline(always)]
unsafe fn load(block: &[u8; STEP]) -> __m256i {
    // SAFETY: the block is 32 bytes long, and an unaligned load asks for no more.
    unsafe { _mm256_loadu_si256(block.as_ptr().cast()) }
}

#[inline(always)]
unsafe fn mask(lanes: __m256i) -> u32 {
    // SAFETY: the caller has AVX2.
    unsafe { _mm256_movemask_epi8(lanes).cast_unsigned() }
}

/// The bytes that end a plain run of a string, and those that are odd.
#[inline(always)]
unsafe fn string_masks(block: &[u8; STEP]) -> (u32, u32) {
    // SAFETY: the caller has AVX2.
    unsafe {
        let bytes = load(block);
        let quote = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'"'.cast_signed()));
        let backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\\'.cast_signed()));
        let control = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes);
        let odd = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(0x7F)), bytes);
        let special = _mm256_or_si256(_mm256_or_si256(quote, backslash), control);
        (mask(special), mask(odd))
    }
}

#[inline(always)]
unsafe fn not_space(block: &[u8; STEP]) -> u32 {
    // SAFETY: the caller has AVX2.
    unsafe {
        let bytes = load(block);
        let is = |byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()));
        let space = _mm256_or_si256(
            _mm256_or_si256(is(b' '), is(b'\n')),
            _mm256_or_si256(is(b'\r'), is(b'\t')),
        );
        !mask(space)
    }
}

/// Classifies by nibbles: a byte is in the class if the bit of its high nibble is set in the row of its low nibble.
#[inline(always)]
unsafe fn not_in(bytes: __m256i, rows: [i8; 16]) -> u32 {
    // SAFETY: the caller has AVX2.
    unsafe {
        let row = |r: [i8; 16]| {
            _mm256_setr_epi8(
                r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12],
                r[13], r[14], r[15], r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9],
                r[10], r[11], r[12], r[13], r[14], r[15],
            )
        };
        // For bytes from 0x80 on the shuffle gives 0: they are in no class.
        let low = _mm256_shuffle_epi8(row(rows), bytes);
        let nibble = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F));
        let bit = _mm256_shuffle_epi8(
            row([1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0]),
            nibble,
        );
        mask(_mm256_cmpeq_epi8(_mm256_and_si256(low, bit), _mm256_setzero_si256()))
    }
}

#[inline(always)]
unsafe fn not_base64(block: &[u8; STEP]) -> u32 {
    const ROWS: [i8; 16] = rows(0);
    // SAFETY: the caller has AVX2.
    unsafe { not_in(load(block), ROWS) }
}

#[inline(always)]
unsafe fn not_address(block: &[u8; STEP]) -> u32 {
    const ROWS: [i8; 16] = rows(1);
    // SAFETY: the caller has AVX2.
    unsafe { not_in(load(block), ROWS) }
}

#[inline(always)]
unsafe fn not_id(block: &[u8; STEP]) -> u32 {
    const ROWS: [i8; 16] = rows(2);
    // SAFETY: the caller has AVX2.
    unsafe { not_in(load(block), ROWS) }
}

/// For each low nibble the high nibbles with which it is in the class, one bit each.
const fn rows(class: u8) -> [i8; 16] {
    let mut rows = [0_i8; 16];
    let mut byte = 0_u8;
    while byte < 128 {
        let is_in = if class == 0 {
            byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/'
        } else if class == 2 {
            byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
        } else {
            byte.is_ascii_graphic()
                && !matches!(
                    byte,
                    b'"' | b'%' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}'
                )
        };
        if is_in {
            rows[(byte & 15) as usize] |= (1_u8 << (byte >> 4)).cast_signed();
        }
        byte += 1;
    }
    rows
}
