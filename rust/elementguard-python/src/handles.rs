//! handles: the elements of a loaded answer, as Python's objects.
//!
//! Comes in: an index, its source, and the facade's class of elements. Goes out: an object of that class for each element that is
//! asked for; its id and role, which nearly every host reads of nearly every element.
//!
//! A host walks over all elements of each answer, so making one is a call of its class and nothing else: what a handle knows
//! besides its number is in one place for all that are made together. That place refers to the answer and the answer not to it:
//! there are no cycles, and nothing to collect.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use elementguard::Role;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};

use crate::index::Index;

/// What makes the handles of an answer. Immutable.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Handles {
    pub(crate) index: Py<Index>,
    pub(crate) source: Py<PyBytes>,
    /// The class of what is made.
    pub(crate) kind: Py<PyType>,
    /// The facade's answer.
    pub(crate) answer: Py<PyAny>,
}

#[pymethods]
impl Handles {
    /// The element of a number.
    #[pyo3(signature = (number, /))]
    pub(crate) fn at<'py>(slf: &Bound<'py, Self>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        slf.get().kind.bind(slf.py()).call1((slf, number))
    }

    /// The elements right inside one.
    #[pyo3(signature = (number, /))]
    fn children<'py>(slf: &Bound<'py, Self>, number: usize) -> PyResult<Bound<'py, PyTuple>> {
        let children = slf.get().index.get().rows.children(number);
        let made: PyResult<Vec<_>> = children.map(|child| Self::at(slf, child)).collect();
        PyTuple::new(slf.py(), made?)
    }

    /// All elements, in document order.
    fn walk(slf: Py<Self>) -> Walk {
        Walk { handles: slf, next: AtomicUsize::new(0) }
    }
}

/// An iterator over all elements.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Walk {
    handles: Py<Handles>,
    next: AtomicUsize,
}

#[pymethods]
impl Walk {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let number = self.next.load(Ordering::Relaxed);
        if number >= self.handles.get().index.get().rows.len() {
            return Ok(None);
        }
        self.next.store(number + 1, Ordering::Relaxed);
        Handles::at(self.handles.bind(py), number).map(Some)
    }
}

/// One element. The facade's class of elements is a subclass of it.
#[pyclass(frozen, subclass, module = "elementguard._core")]
pub(crate) struct Handle {
    handles: Py<Handles>,
    number: usize,
    /// Where its members stand, if that was asked for.
    spans: PyOnceLock<Py<PyDict>>,
}

#[pymethods]
impl Handle {
    #[new]
    #[pyo3(signature = (handles, number, /))]
    fn new(handles: Py<Handles>, number: usize) -> Self {
        Self { handles, number, spans: PyOnceLock::new() }
    }

    #[getter]
    fn _answer(&self, py: Python<'_>) -> Py<PyAny> {
        self.handles.get().answer.clone_ref(py)
    }

    #[getter]
    fn _handles(&self, py: Python<'_>) -> Py<Handles> {
        self.handles.clone_ref(py)
    }

    #[getter]
    fn _number(&self) -> usize {
        self.number
    }

    #[getter]
    fn _spans(&self, py: Python<'_>) -> Option<Py<PyDict>> {
        self.spans.get(py).map(|spans| spans.clone_ref(py))
    }

    /// Keeps where its members stand; what was kept first stays.
    #[pyo3(signature = (spans, /))]
    fn _keep(&self, py: Python<'_>, spans: Py<PyDict>) {
        let _ = self.spans.set(py, spans);
    }

    /// A number of its row.
    #[pyo3(signature = (column, /))]
    fn _cell(&self, column: usize) -> Option<u64> {
        self.handles.get().index.get().rows.number(self.number, column)
    }

    /// The id as sent.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let handles = self.handles.get();
        let found = handles.index.get().rows.id(self.number, handles.source.as_bytes(py));
        found.map(|id| string(py, &id)).transpose()
    }

    /// The role as a receiver reads it.
    #[getter]
    fn role<'py>(&self, py: Python<'py>) -> &'py Bound<'py, PyString> {
        let role = self.word(py).and_then(|word| Role::from_name(&word));
        known(py, role.unwrap_or(Role::Group))
    }

    /// The role as sent.
    #[getter]
    fn role_as_sent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let Some(word) = self.word(py) else { return Ok(None) };
        match Role::from_name(&word) {
            Some(role) => Ok(Some(known(py, role).clone())),
            None => string(py, &word).map(Some),
        }
    }
}

impl Handle {
    fn word<'a>(&'a self, py: Python<'a>) -> Option<Cow<'a, [u8]>> {
        let handles = self.handles.get();
        handles.index.get().rows.role(self.number, handles.source.as_bytes(py))
    }
}

/// The one string that a role's word is.
fn known(py: Python<'_>, role: Role) -> &Bound<'_, PyString> {
    static WORDS: PyOnceLock<[Py<PyString>; Role::COUNT]> = PyOnceLock::new();
    let words =
        WORDS.get_or_init(py, || Role::ALL.map(|role| PyString::intern(py, role.name()).unbind()));
    words[role as usize].bind(py)
}

/// A text of the source; a lone surrogate stays one.
fn string<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Ok(PyString::new(py, text));
    }
    let arguments = (intern!(py, "utf-8"), intern!(py, "surrogatepass"));
    let text = PyBytes::new(py, text).call_method1(intern!(py, "decode"), arguments)?;
    Ok(text.cast_into()?)
}
