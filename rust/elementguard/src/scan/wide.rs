//! wide: the loops of all kernels made of vectors, written once.
//!
//! In: what a set of instructions does with one vector. Out: a [`Kernel`].
//!
//! Most strings of an answer end within the first step, so that step alone is inlined where it is asked for, and all that follows
//! it stands in a function of its own. There four vectors are looked at together for as long as nothing in them ends the run.

use std::marker::PhantomData;

use super::class::{Address, Base64, Class, Digits, Id, Space, Text};
use super::{Job, Kernel, Portable, Run};

/// After so many steps a run is taken for a long one.
const NEAR: usize = 4;

/// A set of instructions, had by whoever has a value of it.
pub(super) trait Wide: Copy {
    /// A vector of bytes; also of marks, one a byte, however they are written.
    type Lanes: Copy;
    /// What the first step of a run is made with.
    type First: Wide;
    /// What is asked about less than a step.
    type Narrow: Kernel;

    /// The bytes of a vector.
    const STEP: usize;
    /// The bits that a mask has for a byte, as a power of two.
    const SHIFT: u32 = 0;

    fn first(self) -> Self::First;
    fn narrow(self) -> Self::Narrow;

    /// Does a job in a function that is compiled for the first steps of runs.
    fn enter<J: Job>(self, job: J) -> J::Out;

    /// Does a job in a function that is compiled for these instructions.
    fn enter_long<J: Job>(self, job: J) -> J::Out {
        self.enter(job)
    }

    /// The start of `bytes`, if it is as long as a vector.
    fn load(self, bytes: &[u8]) -> Option<Self::Lanes>;

    /// All of `bytes`, shorter than a vector and filled up with NUL, where that costs no more than a load.
    fn load_part(self, _bytes: &[u8]) -> Option<Self::Lanes> {
        None
    }

    /// A vector of all of `bytes`, shorter than it, some of them twice.
    fn gather(self, _bytes: &[u8]) -> Option<Self::Lanes> {
        None
    }

    /// Marks quotation marks, backslashes and controls.
    fn special(self, lanes: Self::Lanes) -> Self::Lanes;

    /// Marks what is not in a class of ASCII.
    fn outside<C: Class>(self, lanes: Self::Lanes) -> Self::Lanes;

    /// Marks what either marks.
    fn join(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// The marks as bits, the first byte's lowest.
    fn mask(self, marks: Self::Lanes) -> u64;

    /// The greater byte at each place.
    fn higher(self, one: Self::Lanes, other: Self::Lanes) -> Self::Lanes;

    /// The bytes from 0x7F on, as bits.
    fn odd(self, lanes: Self::Lanes) -> u64;
}

impl<W: Wide> Kernel for W {
    #[inline(always)]
    fn call<J: Job>(self, job: J) -> J::Out {
        self.enter(job)
    }

    #[inline(always)]
    fn string(self, bytes: &[u8]) -> Run {
        run_of::<W, Text>(self, bytes)
    }

    #[inline(always)]
    fn base64(self, bytes: &[u8]) -> usize {
        run_of::<W, Base64>(self, bytes).plain
    }

    #[inline(always)]
    fn address(self, bytes: &[u8]) -> usize {
        run_of::<W, Address>(self, bytes).plain
    }

    #[inline(always)]
    fn id(self, bytes: &[u8]) -> usize {
        run_of::<W, Id>(self, bytes).plain
    }

    #[inline(always)]
    fn space(self, bytes: &[u8]) -> usize {
        run_of::<W, Space>(self, bytes).plain
    }

    #[inline(always)]
    fn digits(self, bytes: &[u8]) -> usize {
        run_of::<W, Digits>(self, bytes).plain
    }

    #[inline(always)]
    fn digits_of(self, bytes: &[u8; 32]) -> u32 {
        let first = self.first();
        if W::First::SHIFT == 0
            && let Some(low) = others::<_, Digits>(first, bytes)
            && let Some(high) = others::<_, Digits>(first, &bytes[W::First::STEP % 32..])
        {
            return !(low | high << (W::First::STEP % 32)) as u32;
        }
        Portable.digits_of(bytes)
    }

    #[inline(always)]
    fn all_text(self, bytes: &[u8]) -> Option<bool> {
        all::<W, Text>(self, bytes)
    }

    #[inline(always)]
    fn all_address(self, bytes: &[u8]) -> bool {
        all::<W, Address>(self, bytes).is_some()
    }

    #[inline(always)]
    fn all_id(self, bytes: &[u8]) -> bool {
        all::<W, Id>(self, bytes).is_some()
    }
}

/// Which bytes of the first vector are not of a class.
#[inline(always)]
fn others<W: Wide, C: Class>(wide: W, bytes: &[u8]) -> Option<u64> {
    Some(wide.mask(C::mark(wide, wide.load(bytes)?)))
}

/// Whether all of `bytes` are of a class; then, whether one of them is odd.
#[inline(always)]
fn all<W: Wide, C: Class>(wide: W, bytes: &[u8]) -> Option<bool> {
    if bytes.len() > NEAR * W::First::STEP {
        let Run { plain, odd } = run_of::<W, C>(wide, bytes);
        return (plain == bytes.len()).then_some(odd);
    }
    few::<_, C>(wide.first(), bytes)
}

/// The same of a few vectors. Where a run ends is not asked, so bytes may be looked at twice.
#[inline(always)]
fn few<W: Wide, C: Class>(wide: W, bytes: &[u8]) -> Option<bool> {
    let Some(last) = bytes.len().checked_sub(W::STEP) else {
        return match wide.gather(bytes) {
            Some(lanes) => one::<W, C>(wide, lanes),
            None => C::all(wide.narrow(), bytes),
        };
    };
    let mut odd = false;
    let mut at = 0;
    while at < bytes.len() {
        odd |= one::<W, C>(wide, wide.load(bytes.get(at.min(last)..)?)?)?;
        at += W::STEP;
    }
    Some(odd)
}

/// The same of one vector.
#[inline(always)]
fn one<W: Wide, C: Class>(wide: W, lanes: W::Lanes) -> Option<bool> {
    let is_whole = wide.mask(C::mark(wide, lanes)) == 0;
    is_whole.then(|| C::IS_TEXT && wide.odd(lanes) != 0)
}

/// How long the run of a class at the start of `bytes` is.
#[inline(always)]
fn run_of<W: Wide, C: Class>(wide: W, bytes: &[u8]) -> Run {
    let first = wide.first();
    let Some(lanes) = first.load(bytes) else {
        return wide.enter_long(Rest::<W, C> { wide, bytes, class: PhantomData });
    };
    if let Some(run) = end::<_, C>(first, lanes) {
        return run;
    }
    let bytes = bytes.get(W::First::STEP..).unwrap_or_default();
    let rest = wide.enter_long(Rest::<W, C> { wide, bytes, class: PhantomData });
    whole::<_, C>(first, lanes).and(rest)
}

impl Run {
    /// The run that is made of this one and one that follows it at once.
    #[inline(always)]
    fn and(self, next: Self) -> Self {
        Self { plain: self.plain + next.plain, odd: self.odd | next.odd }
    }
}

/// The run that is a whole vector.
#[inline(always)]
fn whole<W: Wide, C: Class>(wide: W, lanes: W::Lanes) -> Run {
    Run { plain: W::STEP, odd: C::IS_TEXT && wide.odd(lanes) != 0 }
}

/// The run that ends within a vector.
#[inline(always)]
fn end<W: Wide, C: Class>(wide: W, lanes: W::Lanes) -> Option<Run> {
    let marks = wide.mask(C::mark(wide, lanes));
    if marks == 0 {
        return None;
    }
    let bit = marks.trailing_zeros();
    let odd = C::IS_TEXT && wide.odd(lanes) & !(u64::MAX << bit) != 0;
    Some(Run { plain: (bit >> W::SHIFT) as usize, odd })
}

/// What stands behind the first step of a run.
struct Rest<'a, W, C> {
    wide: W,
    bytes: &'a [u8],
    class: PhantomData<C>,
}

impl<W: Wide, C: Class> Job for Rest<'_, W, C> {
    type Out = Run;

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> Run {
        let Self { wide, mut bytes, .. } = self;
        let mut so_far = Run { plain: 0, odd: false };
        let mut steps = 0;
        while let Some(lanes) = wide.load(bytes) {
            if let Some(run) = end::<W, C>(wide, lanes) {
                return so_far.and(run);
            }
            so_far = so_far.and(whole::<W, C>(wide, lanes));
            bytes = bytes.get(W::STEP..).unwrap_or_default();
            steps += 1;
            if steps == NEAR {
                let run = groups::<W, C>(wide, bytes);
                so_far = so_far.and(run);
                bytes = bytes.get(run.plain..).unwrap_or_default();
            }
        }
        so_far.and(match wide.load_part(bytes) {
            Some(lanes) => {
                end::<W, C>(wide, lanes).unwrap_or(Run { plain: bytes.len(), odd: false })
            }
            None => C::ask(wide.narrow(), bytes),
        })
    }
}

/// The groups of four vectors in which nothing ends the run.
#[inline(always)]
fn groups<W: Wide, C: Class>(wide: W, bytes: &[u8]) -> Run {
    let mut rest = bytes;
    let mut peak = None;
    while let Some((group, behind)) = rest.split_at_checked(4 * W::STEP) {
        let Some([a, b, c, d]) = four(wide, group) else { break };
        let one = wide.join(C::mark(wide, a), C::mark(wide, b));
        let other = wide.join(C::mark(wide, c), C::mark(wide, d));
        if wide.mask(wide.join(one, other)) != 0 {
            break;
        }
        if C::IS_TEXT {
            let highest = wide.higher(wide.higher(a, b), wide.higher(c, d));
            peak = Some(peak.map_or(highest, |peak| wide.higher(peak, highest)));
        }
        rest = behind;
    }
    let odd = peak.is_some_and(|peak| wide.odd(peak) != 0);
    Run { plain: bytes.len() - rest.len(), odd }
}

#[inline(always)]
fn four<W: Wide>(wide: W, group: &[u8]) -> Option<[W::Lanes; 4]> {
    let (one, other) = group.split_at_checked(2 * W::STEP)?;
    let (a, b) = one.split_at_checked(W::STEP)?;
    let (c, d) = other.split_at_checked(W::STEP)?;
    Some([wide.load(a)?, wide.load(b)?, wide.load(c)?, wide.load(d)?])
}
