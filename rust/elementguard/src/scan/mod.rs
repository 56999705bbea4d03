//! scan: bytes -> classes of bytes, many at a step.
//!
//! In: a slice. Out: how long its run of harmless bytes is: of a string, of base64, of an address, of digits, of white space; or whether it is
//! harmless as a whole, where it is known to end with the string.
//!
//! Each question has a kernel for each width of vector, chosen once when the program starts by what the processor can do, and a
//! portable twin without intrinsics that runs everywhere and is the oracle of the others. `ELEMENTGUARD_KERNEL` forces one
//! (`portable`, `sse2`, `avx2`, `avx512`, `neon`); a kernel that the processor lacks is never used, and [`kernel`] says so.
//!
//! What the questions are is said once, as ranges of bytes (`class`); how a run is followed through vectors is said once, for all
//! of them (`wide`); a kernel adds what its instructions do with one vector.
//!
//! This is the only room with `unsafe`. A kernel is a value that can only be had where the processor has its instructions, so
//! that all of its methods are safe to call; and a [`Job`] runs as a whole inside a function that is compiled for them, so that
//! they are inlined into its loops.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod choice;
mod class;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(test, fuzzing))]
mod oracle;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;
mod wide;
mod words;

pub(crate) use choice::run;
pub use choice::{MissingKernel, kernel, kernel_name, kernels};
#[cfg(any(test, fuzzing))]
pub use oracle::hold_every_kernel;
pub(crate) use portable::Portable;
use wide::Wide;
pub(crate) use words::places_of;

/// What a scan of string bytes came upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The count of bytes before the first quotation mark, backslash or control, or before the end of the slice.
    pub(crate) plain: usize,
    /// Whether one of them is 0x7F or above: DEL, or part of a character outside ASCII.
    pub(crate) odd: bool,
}

/// A set of instructions that answers the questions.
pub(crate) trait Kernel: Copy {
    /// Does a job in a function of its own that is compiled for this kernel.
    fn call<J: Job>(self, job: J) -> J::Out;

    /// Finds the first quotation mark, backslash or control of `bytes`.
    fn string(self, bytes: &[u8]) -> Run;

    /// How many bytes at the start of `bytes` are letters of base64 (RFC 4648 §4).
    fn base64(self, bytes: &[u8]) -> usize;

    /// How many bytes at the start of `bytes` can stand in an address as they are: printable ASCII, but for the space and
    /// ``"%<>\^`{|}``.
    fn address(self, bytes: &[u8]) -> usize;

    /// How many bytes at the start of `bytes` are characters of an id (5.1): `A-Z a-z 0-9 - _`.
    fn id(self, bytes: &[u8]) -> usize;

    /// How many bytes at the start of `bytes` are JSON white space (RFC 8259 §2).
    fn space(self, bytes: &[u8]) -> usize;

    /// How many bytes at the start of `bytes` are digits.
    fn digits(self, bytes: &[u8]) -> usize;

    /// Which of 32 bytes are digits, a bit for each, the first one's lowest.
    fn digits_of(self, bytes: &[u8; 32]) -> u32;

    /// Whether all of `bytes` can stand in a string as they are; then, whether one of them is odd (as in [`Run`]).
    fn all_text(self, bytes: &[u8]) -> Option<bool>;

    /// Whether all of `bytes` can stand in an address as they are.
    fn all_address(self, bytes: &[u8]) -> bool;

    /// Whether all of `bytes` are characters of an id.
    fn all_id(self, bytes: &[u8]) -> bool;
}

/// Work that is done with the best kernel.
pub(crate) trait Job {
    /// What comes out.
    type Out;

    /// Does the work.
    fn run<K: Kernel>(self, kernel: K) -> Self::Out;
}

/// Fetches an item of a table into the processor's caches, where that can be asked for.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(index) {
        // SAFETY: the instruction only hints; it cannot fault, and the place is one of the slice's.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(
                std::ptr::from_ref(item).cast(),
            );
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

/// [`Kernel::string`] with the best kernel.
pub(crate) fn string(bytes: &[u8]) -> Run {
    struct Scan<'a>(&'a [u8]);
    impl Job for Scan<'_> {
        type Out = Run;

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> Run {
            kernel.string(self.0)
        }
    }
    run(Scan(bytes))
}

/// [`Kernel::base64`] with the best kernel.
pub(crate) fn base64(bytes: &[u8]) -> usize {
    struct Scan<'a>(&'a [u8]);
    impl Job for Scan<'_> {
        type Out = usize;

        #[inline(always)]
        fn run<K: Kernel>(self, kernel: K) -> usize {
            kernel.base64(self.0)
        }
    }
    run(Scan(bytes))
}

/// How many bytes at the start of `bytes` are JSON white space.
pub(crate) fn white_space(bytes: &[u8]) -> usize {
    Portable.space(bytes)
}

#[cfg(test)]
mod tests;
