//! boundary: where a panic of this crate or of the core becomes an exception.
//!
//! Comes in: work that may panic. Goes out: its result, or a `RuntimeError`.
//!
//! `PyO3` would make it a `PanicException`, which is no `Exception`: `except Exception` around a
//! worker would miss it, and one answer would end the worker. And Rust's own message goes to stderr
//! and may quote the answer, which is what a user has on the screen; so nothing is printed, and the
//! exception is given only the place in our sources, as a note. Rust's standard library is linked
//! into this module, so the hook is the module's own and no other extension's.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

const MESSAGE: &str = "elementguard: internal error; please report it";

thread_local! {
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Lets a panic tell its place, and nothing else.
pub(crate) fn silence_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("at {}:{}", at.file(), at.line()));
        PLACE.with_borrow_mut(|kept| *kept = place);
    }));
}

/// Does the work.
pub(crate) fn guarded<T>(py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    // Nothing outlives the call that a panic could have left half done: a reading owns all it
    // writes to.
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(internal_error(py)))
}

#[cold]
fn internal_error(py: Python<'_>) -> PyErr {
    let error = PyRuntimeError::new_err(MESSAGE);
    if let Some(place) = PLACE.take() {
        // Without its note the error says enough.
        let _ = error.value(py).call_method1("add_note", (place,));
    }
    error
}
