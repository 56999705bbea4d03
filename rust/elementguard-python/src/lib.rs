//! The binding: the extension module `elementguard._core`.
//!
//! Comes in: Python's arguments. Goes out: Python's values. There is no rule here and no text: what
//! an answer is worth is said by the core crate, and how it is told by the facade in Python.
//!
//! - `settings`: limits, levels and kind, as numbers -> the core's settings
//! - `checker`: the calls; which of the ways in an object takes
//! - `calls`: those of them that need no validator
//! - `stream`: an answer that comes in chunks
//! - `memory`: bytes-likes and `str` -> slices that the core may read, with or without the lock
//! - `objects` with `open`, `identities` and `number`: parsed objects -> the core's walk
//! - `still`: the straight way through what is plain of them, without counting references
//! - `index` with `handle`: where the elements of a loaded answer stand -> numbers, and objects when they are asked for
//! - `outcome`: the core's report -> tuples
//! - `boundary`: a panic ends here
//!
//! Only the stable ABI of `CPython` 3.11 is used, and outside of `still` only through the safe half of
//! `PyO3`. The module does not need the GIL where the interpreter runs without one:
//! checkers and outcomes are immutable, and a stream refuses a second call while it reads.

#![deny(unsafe_code)]
#![allow(
    clippy::inline_always,
    reason = "the looks of a ride are inlined into the core's loop, which is compiled for a kernel"
)]

mod boundary;
mod calls;
mod checker;
mod handle;
mod identities;
mod index;
mod lines;
mod memory;
mod number;
mod objects;
mod open;
mod outcome;
mod settings;
#[allow(unsafe_code, reason = "references that are not counted, for as long as nothing can change")]
mod still;
mod stream;

use pyo3::prelude::*;

/// The compiled engine. The facade of `elementguard` is what to use; it gives this module checked
/// arguments.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::calls::{check, is_valid, load};
    #[pymodule_export]
    use super::checker::Checker;
    #[pymodule_export]
    use super::handle::Handle;
    #[pymodule_export]
    use super::index::Index;
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::stream::Stream;
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    /// The engine's name.
    #[pymodule_export]
    const NAME: &str = "rust";

    /// A kernel that was forced and is not here is as loud as an engine that is not here.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::boundary::silence_panics();
        let kernel = elementguard::kernel();
        module.add("KERNEL", kernel.map_err(|missing| PyImportError::new_err(missing.to_string()))?)
    }
}
