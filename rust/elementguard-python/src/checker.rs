//! checker: the calls, and which way in an object takes (contract §6).
//!
//! Comes in: the facade's settings, then answers in any form. Goes out: an [`Outcome`], or yes or
//! no.
//!
//! `bytes` is what arrives most, then parsed objects; they are told by their exact class, before
//! subclasses and what is rare.

use elementguard::{Report, Validator, Walk};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString, PyTuple};

use crate::boundary::guarded;
use crate::calls;
use crate::index::Index;
use crate::lines;
use crate::memory::{self, Wish};
use crate::objects;
use crate::outcome::{Outcome, report};
use crate::settings;
use crate::stream::Stream;

/// Lines, answers, and those that are not clean.
type Sifted = (u64, u64, Vec<lines::Told>);

/// An engine that is set up. Immutable, and safe to share between threads.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Checker {
    pub(crate) validator: Validator,
    levels: Py<PyBytes>,
    kind: Py<PyString>,
}

#[pymethods]
impl Checker {
    #[new]
    #[pyo3(signature = (limits, levels, kind))]
    fn new(
        py: Python<'_>,
        limits: &Bound<'_, PyTuple>,
        levels: Bound<'_, PyBytes>,
        kind: Bound<'_, PyString>,
    ) -> PyResult<Self> {
        guarded(py, || {
            let settings = settings::read(limits, levels.as_bytes(), kind.to_str()?)?;
            let validator = Validator::new(settings);
            Ok(Self { validator, levels: levels.unbind(), kind: kind.unbind() })
        })
    }

    /// Checks an answer.
    #[pyo3(signature = (data, /))]
    fn check(&self, data: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        guarded(data.py(), || read::<Told>(&self.validator, data).map(Outcome::new))
    }

    /// `Validator.check`: the facade's report.
    #[pyo3(signature = (data, /))]
    fn report<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        guarded(data.py(), || {
            report(data.py(), read::<Told>(&self.validator, data)?, Some(&self.levels))
        })
    }

    /// `Validator.load`: the facade's answer over bytes.
    #[pyo3(signature = (source, provider, /))]
    fn answer<'py>(
        &self,
        source: &Bound<'py, PyBytes>,
        provider: Option<Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kind = self.kind.clone_ref(source.py());
        guarded(source.py(), || {
            calls::answer(&self.validator, source, kind, provider, Some(&self.levels))
        })
    }

    /// Checks an answer, and says where its elements stand unless it has an error; with `faulty`, unless that is a fatal one.
    #[pyo3(signature = (data, /, *, faulty=false))]
    fn load(&self, data: &Bound<'_, PyAny>, faulty: bool) -> PyResult<(Outcome, Option<Index>)> {
        guarded(data.py(), || {
            let (report, index) = read::<Loaded>(&self.validator, data)?;
            let index = index.filter(|_| faulty || report.ok()).map(Index::new);
            Ok((Outcome::new(report), index))
        })
    }

    /// Begins to read an answer that comes in chunks.
    fn stream(&self, py: Python<'_>) -> PyResult<Stream> {
        guarded(py, || Ok(Stream::new(self.validator.stream())))
    }

    /// Checks an answer whose chunks an iterable gives. With its length, if that is known, one that is too long is refused before
    /// its first byte.
    #[pyo3(signature = (chunks, length=None, /))]
    fn check_chunks(&self, chunks: &Bound<'_, PyAny>, length: Option<u64>) -> PyResult<Outcome> {
        guarded(chunks.py(), || {
            let mut stream = self.validator.stream();
            if let Some(length) = length {
                stream.announce(length);
            }
            memory::drained(stream, chunks).map(Outcome::new)
        })
    }

    /// Which lines of a block have something to tell.
    #[pyo3(signature = (block, start=0, end=None, /))]
    fn sift(
        &self,
        py: Python<'_>,
        block: &Bound<'_, PyBytes>,
        start: usize,
        end: Option<usize>,
    ) -> PyResult<Sifted> {
        let block = block.as_bytes();
        let whole = start..end.unwrap_or(block.len());
        guarded(py, || Ok(py.detach(|| lines::sift(&self.validator, block, whole))))
    }

    /// Whether an answer has no error. May stop at the first.
    #[pyo3(signature = (data, /))]
    fn is_valid(&self, data: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(data.py(), || read::<YesOrNo>(&self.validator, data))
    }
}

/// Reads what an object holds, in whatever form it holds it.
pub(crate) fn read<W: Wish>(validator: &Validator, data: &Bound<'_, PyAny>) -> PyResult<W::Told> {
    if let Ok(bytes) = data.cast_exact::<PyBytes>() {
        memory::constant::<W>(data.py(), validator, bytes.as_bytes())
    } else if data.is_exact_instance_of::<PyDict>() || data.is_exact_instance_of::<PyList>() {
        objects::read::<W>(validator, data)
    } else if let Ok(text) = data.cast::<PyString>() {
        memory::string::<W>(validator, text)
    } else if let Ok(bytes) = data.cast::<PyBytes>() {
        memory::constant::<W>(data.py(), validator, bytes.as_bytes())
    } else if let Ok(array) = data.cast::<PyByteArray>() {
        memory::byte_array::<W>(validator, array)
    } else if let Ok(view) = data.cast::<PyMemoryView>() {
        memory::view::<W>(validator, view)
    } else if memory::is_mapped(data)? {
        memory::mapped::<W>(validator, data)
    } else {
        objects::read::<W>(validator, data)
    }
}

/// All that is to say of an answer.
pub(crate) struct Told;

impl Wish for Told {
    type Told = Report;

    fn whole(validator: &Validator, answer: &[u8]) -> Report {
        validator.check(answer)
    }

    fn end(stream: elementguard::Stream) -> Report {
        stream.finish()
    }

    fn walked(walk: Walk) -> Report {
        walk.finish()
    }

    fn failed() -> Option<Report> {
        None
    }
}

/// All that is to say of an answer, and where its elements stand.
pub(crate) struct Loaded;

impl Wish for Loaded {
    type Told = (Report, Option<elementguard::Index>);

    fn whole(validator: &Validator, answer: &[u8]) -> Self::Told {
        validator.load(answer)
    }

    fn stream(validator: &Validator, length: u64) -> elementguard::Stream {
        validator.loading_stream(length)
    }

    fn walk(validator: &Validator) -> Walk {
        validator.loading_walk()
    }

    fn end(stream: elementguard::Stream) -> Self::Told {
        stream.load()
    }

    fn walked(walk: Walk) -> Self::Told {
        walk.load()
    }

    fn failed() -> Option<Self::Told> {
        None
    }
}

/// Whether an answer has no error.
pub(crate) struct YesOrNo;

impl Wish for YesOrNo {
    type Told = bool;

    fn whole(validator: &Validator, answer: &[u8]) -> bool {
        validator.is_valid(answer)
    }

    fn end(stream: elementguard::Stream) -> bool {
        stream.is_valid()
    }

    fn walked(walk: Walk) -> bool {
        walk.is_valid()
    }

    fn failed() -> Option<bool> {
        Some(false)
    }
}
