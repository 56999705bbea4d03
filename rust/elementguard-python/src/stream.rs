//! stream: an answer that comes in chunks.
//!
//! Comes in: bytes-likes, one after the other. Goes out: whether an error is certain, and in the end
//! an [`Outcome`]. What a chunk holds is read before the call is over: no buffer stays exported.
//!
//! A stream is of one thread at a time, as a generator is: the order of two chunks that are fed at
//! once would mean nothing. So a call takes the reading out and puts it back, and the lock is never
//! held while anything is read, waited for, or called; whoever comes in between (another thread, or
//! a signal's handler) is refused. A call that was broken off has read a part of its chunk, so
//! nothing is put back and the stream is of no use any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::boundary::guarded;
use crate::memory;
use crate::outcome::Outcome;

/// An answer that comes in chunks.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Stream {
    state: Mutex<State>,
    failed: AtomicBool,
    fatal: AtomicBool,
}

enum State {
    Reading(Box<elementguard::Stream>),
    /// A call has the reading.
    Taken,
    /// A call that had it was broken off.
    Broken,
    Finished(Py<Outcome>),
}

impl Stream {
    pub(crate) fn new(reading: elementguard::Stream) -> Self {
        Self {
            failed: AtomicBool::new(reading.failed()),
            fatal: AtomicBool::new(reading.is_fatal()),
            state: Mutex::new(State::Reading(Box::new(reading))),
        }
    }
}

#[pymethods]
impl Stream {
    /// Reads one more chunk; says whether no error is certain yet.
    #[pyo3(signature = (chunk, /))]
    fn feed(&self, chunk: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = chunk.py();
        // What is no chunk is refused first, and harms nothing.
        guarded(py, || {
            memory::chunk(chunk, |bytes| {
                let mut reading = self.take()?;
                let read = guarded(py, || bytes.pour(py, &mut reading));
                self.tell(reading.failed(), reading.is_fatal());
                *self.state() = if read.is_ok() { State::Reading(reading) } else { State::Broken };
                read.map(|()| !self.failed())
            })
        })
    }

    /// Ends the answer. Once it has ended, the outcome is the same one again.
    fn finish(&self, py: Python<'_>) -> PyResult<Py<Outcome>> {
        if let State::Finished(outcome) = &*self.state() {
            return Ok(outcome.clone_ref(py));
        }
        let reading = self.take()?;
        let ended = guarded(py, || {
            let report = memory::by_length(py, reading.length(), || reading.finish());
            self.tell(!report.ok(), report.is_fatal());
            Py::new(py, Outcome::new(report))
        });
        *self.state() = match &ended {
            Ok(outcome) => State::Finished(outcome.clone_ref(py)),
            Err(_) => State::Broken,
        };
        ended
    }

    /// Whether an error is certain.
    #[getter]
    fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Whether a fatal error is certain: nothing more is read.
    #[getter]
    fn fatal(&self) -> bool {
        self.fatal.load(Ordering::Relaxed)
    }
}

impl Stream {
    fn take(&self) -> PyResult<Box<elementguard::Stream>> {
        let mut state = self.state();
        match std::mem::replace(&mut *state, State::Taken) {
            State::Reading(reading) => Ok(reading),
            other => {
                let message = other.refusal();
                *state = other;
                Err(PyValueError::new_err(message))
            }
        }
    }

    fn tell(&self, failed: bool, fatal: bool) {
        self.failed.store(failed, Ordering::Relaxed);
        self.fatal.store(fatal, Ordering::Relaxed);
    }

    /// Nothing is done while it is held, so nobody waits, and it cannot be poisoned.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn refusal(&self) -> &'static str {
        match self {
            Self::Finished(_) => "stream: it is finished; the next answer needs another",
            Self::Broken => "stream: an earlier call was broken off; the answer needs another",
            Self::Reading(_) | Self::Taken => "stream: another call is reading",
        }
    }
}
