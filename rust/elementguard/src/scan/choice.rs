//! choice: which kernel runs.
//!
//! In: what the processor has, and `ELEMENTGUARD_KERNEL`. Out: one kernel, the same for the life of the process.

use std::sync::OnceLock;

use super::{Job, Portable};

/// The kernels, slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Choice {
    const ALL: &[Self] = &[
        Self::Portable,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
        }
    }

    fn is_there(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::avx2::Avx2::new().is_some(),
        }
    }
}

/// Does a job with the kernel that was chosen.
#[inline]
pub(crate) fn run<J: Job>(job: J) -> J::Out {
    match choice() {
        Choice::Portable => job.run(Portable),
        #[cfg(target_arch = "x86_64")]
        Choice::Avx2 => match super::avx2::Avx2::new() {
            Some(kernel) => kernel.run(job),
            None => job.run(Portable),
        },
    }
}

/// The name of the kernel that runs: what the processor has, or what `ELEMENTGUARD_KERNEL` forces.
#[must_use]
pub fn kernel_name() -> &'static str {
    choice().name()
}

fn choice() -> Choice {
    static CHOICE: OnceLock<Choice> = OnceLock::new();
    *CHOICE.get_or_init(|| {
        let there = || Choice::ALL.iter().copied().filter(|choice| choice.is_there());
        let forced = std::env::var("ELEMENTGUARD_KERNEL").ok();
        let named = forced.and_then(|name| there().find(|choice| choice.name() == name));
        named.or_else(|| there().max()).unwrap_or(Choice::Portable)
    })
}
