//! neon: 16 bytes a step, on every AArch64. It cannot move a vector's signs to a mask of bits; halving the vector's marks gives a
//! mask with four bits a byte.

use std::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vceqzq_u8, vcgeq_u8, vcltq_u8, vdupq_n_u8, vget_lane_u64,
    vld1q_u8, vmaxq_u8, vorrq_u8, vqtbl1q_u8, vreinterpret_u64_u8, vreinterpretq_u16_u8,
    vshrn_n_u16, vshrq_n_u8,
};

use super::class::{self, Class};
use super::{Job, Portable, Wide};

/// NEON, which AArch64 always has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

impl Wide for Neon {
    type Lanes = uint8x16_t;
    type First = Self;
    type Narrow = Portable;

    const STEP: usize = 16;
    const SHIFT: u32 = 2;

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
    fn load(self, bytes: &[u8]) -> Option<uint8x16_t> {
        bytes.first_chunk().map(load)
    }

    #[inline(always)]
    fn special(self, lanes: uint8x16_t) -> uint8x16_t {
        // SAFETY: AArch64 has NEON.
        unsafe {
            let quote = vceqq_u8(lanes, vdupq_n_u8(b'"'));
            let backslash = vceqq_u8(lanes, vdupq_n_u8(b'\\'));
            let control = vcltq_u8(lanes, vdupq_n_u8(0x20));
            vorrq_u8(vorrq_u8(quote, backslash), control)
        }
    }

    /// A byte is in the class if the bit of its high nibble is set in the row of its low nibble.
    #[inline(always)]
    fn outside<C: Class>(self, lanes: uint8x16_t) -> uint8x16_t {
        // SAFETY: AArch64 has NEON.
        unsafe {
            let nibble = vandq_u8(lanes, vdupq_n_u8(0x0F));
            let row = vqtbl1q_u8(load(const { &class::rows(C::RANGES) }), nibble);
            // For nibbles from 8 on the table has 0: they are in no class.
            let bit = vqtbl1q_u8(load(&class::BITS), vshrq_n_u8::<4>(lanes));
            vceqzq_u8(vandq_u8(row, bit))
        }
    }

    #[inline(always)]
    fn join(self, one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
        // SAFETY: AArch64 has NEON.
        unsafe { vorrq_u8(one, other) }
    }

    #[inline(always)]
    fn mask(self, marks: uint8x16_t) -> u64 {
        // SAFETY: AArch64 has NEON.
        unsafe {
            let half = vshrn_n_u16::<4>(vreinterpretq_u16_u8(marks));
            vget_lane_u64::<0>(vreinterpret_u64_u8(half))
        }
    }

    #[inline(always)]
    fn higher(self, one: uint8x16_t, other: uint8x16_t) -> uint8x16_t {
        // SAFETY: AArch64 has NEON.
        unsafe { vmaxq_u8(one, other) }
    }

    #[inline(always)]
    fn odd(self, lanes: uint8x16_t) -> u64 {
        // SAFETY: AArch64 has NEON.
        unsafe { self.mask(vcgeq_u8(lanes, vdupq_n_u8(0x7F))) }
    }
}

#[inline(always)]
fn load(block: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the block is as long as the load.
    unsafe { vld1q_u8(block.as_ptr()) }
}
