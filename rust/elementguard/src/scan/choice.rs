//! choice: which kernel runs.
//!
//! In: what the processor has, and `ELEMENTGUARD_KERNEL`. Out: one kernel, the same for the life of the process.
//!
//! A check has no way to say that a kernel is missing, and a verdict does not depend on it. So a name that cannot be had does not
//! stop the core: the best kernel runs, and [`kernel`] tells whoever has a way to say it, as the facades do when they start.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::sync::OnceLock;

#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
use super::{Job, Kernel, Portable};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512, sse2::Sse2};

const VARIABLE: &str = "ELEMENTGUARD_KERNEL";

/// `ELEMENTGUARD_KERNEL` names a kernel that this build does not know or this processor does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingKernel {
    /// The kernel that runs instead.
    pub instead: &'static str,
}

impl fmt::Display for MissingKernel {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there: Vec<&str> = kernels().collect();
        let (there, instead) = (there.join(", "), self.instead);
        write!(to, "{VARIABLE} names no kernel that can run here: {there} can; {instead} runs")
    }
}

impl Error for MissingKernel {}

/// Declares the kernels, slowest first: a name, the type, how to have one.
macro_rules! kernels {
    ($($(#[$condition:meta])* $name:ident $text:literal $make:expr;)*) => {
        /// A kernel that can run here.
        #[derive(Clone, Copy, Debug)]
        enum Choice {
            $($(#[$condition])* $name($name),)*
        }

        impl Choice {
            /// Does a job with this kernel.
            #[inline]
            fn run<J: Job>(self, job: J) -> J::Out {
                match self {
                    $($(#[$condition])* Self::$name(kernel) => kernel.call(job),)*
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $($(#[$condition])* Self::$name(_) => $text,)*
                }
            }
        }

        /// The kernels that can run here, slowest first.
        fn there() -> impl Iterator<Item = Choice> {
            [$($(#[$condition])* $make.map(Choice::$name),)*].into_iter().flatten()
        }
    };
}

kernels! {
    Portable "portable" Some(Portable);
    #[cfg(target_arch = "x86_64")]
    Sse2 "sse2" Some(Sse2);
    #[cfg(target_arch = "x86_64")]
    Avx2 "avx2" Avx2::new();
    #[cfg(target_arch = "x86_64")]
    Avx512 "avx512" Avx512::new();
    #[cfg(target_arch = "aarch64")]
    Neon "neon" Some(Neon);
}

/// Does a job with the kernel that was chosen.
#[inline]
pub(crate) fn run<J: Job>(job: J) -> J::Out {
    chosen().0.run(job)
}

/// Does a job with every kernel that can run here.
#[cfg(any(test, fuzzing))]
pub(super) fn each<J: Job + Copy>(job: J) -> impl Iterator<Item = (&'static str, J::Out)> {
    there().map(move |choice| (choice.name(), choice.run(job)))
}

/// The names of the kernels that can run here, slowest first.
pub fn kernels() -> impl Iterator<Item = &'static str> {
    there().map(Choice::name)
}

/// The name of the kernel that runs: what the processor has, or what `ELEMENTGUARD_KERNEL` forces.
#[must_use]
pub fn kernel_name() -> &'static str {
    chosen().0.name()
}

/// The name of the kernel that runs.
///
/// # Errors
///
/// `ELEMENTGUARD_KERNEL` was set to something else than the name of a kernel that can run here. Reports are the same with every
/// kernel, so checks go on with the best one; but who forces a kernel wants to know.
pub fn kernel() -> Result<&'static str, MissingKernel> {
    let (choice, missing) = chosen();
    if missing { Err(MissingKernel { instead: choice.name() }) } else { Ok(choice.name()) }
}

/// The kernel, and whether another one was wanted.
#[inline]
fn chosen() -> (Choice, bool) {
    static CHOSEN: OnceLock<(Choice, bool)> = OnceLock::new();
    *CHOSEN.get_or_init(|| choose(std::env::var_os(VARIABLE).as_deref()))
}

fn choose(forced: Option<&OsStr>) -> (Choice, bool) {
    let named = forced.and_then(|name| there().find(|choice| name == choice.name()));
    let choice = named.or_else(|| there().last()).unwrap_or(Choice::Portable(Portable));
    (choice, forced.is_some() && named.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kernel_here_can_be_forced() {
        for name in kernels() {
            let (choice, missing) = choose(Some(name.as_ref()));
            assert_eq!((choice.name(), missing), (name, false));
        }
    }

    #[test]
    fn unasked_the_best_one_runs() {
        let (choice, missing) = choose(None);
        assert_eq!((Some(choice.name()), missing), (kernels().last(), false));
    }

    #[test]
    fn a_name_that_cannot_be_had_is_told() {
        for name in ["", "avx3", "AVX2", " sse2", "portable\0"] {
            let (choice, missing) = choose(Some(name.as_ref()));
            assert_eq!((Some(choice.name()), missing), (kernels().last(), true), "{name:?}");
        }
        let said = MissingKernel { instead: "portable" }.to_string();
        assert!(said.starts_with("ELEMENTGUARD_KERNEL names no kernel"), "{said}");
        assert!(said.ends_with("; portable runs"), "{said}");
    }
}
