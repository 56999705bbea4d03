//! handle: one element of a loaded answer, as a Python object.
//!
//! Comes in: an index and a number. Goes out: what the facade's class of elements stands on; the id and the role, which nearly
//! every host reads of nearly every element.
//!
//! A host walks over all elements of each answer, so making one is a call of its class and nothing else: what a handle knows
//! besides its number is the index's.

use std::borrow::Cow;

use elementguard::Role;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::index::{Index, Next};

/// One element. The facade's class of elements is a subclass of it.
#[pyclass(frozen, subclass, module = "elementguard._core")]
pub(crate) struct Handle {
    index: Py<Index>,
    number: usize,
    /// As a receiver reads it, one of the thirteen: nearly every host asks, and Python reads a member without a call.
    #[pyo3(get)]
    role: Py<PyString>,
    /// Where its members stand, if that was asked for.
    spans: PyOnceLock<Py<PyDict>>,
}

#[pymethods]
impl Handle {
    /// Of an index and a number; or of what says the next one of a walk, which needs no other arguments from element to element.
    #[new]
    #[pyo3(signature = (maker, number=None, /))]
    fn new(maker: &Bound<'_, PyAny>, number: Option<usize>) -> PyResult<Self> {
        let (index, number) = match number {
            Some(number) => (maker.cast::<Index>()?.clone().unbind(), number),
            None => maker.cast::<Next>()?.get().take(maker.py())?,
        };
        let py = maker.py();
        let role = word(index.get(), number, py).and_then(|word| Role::from_name(&word));
        let role = known(py, role.unwrap_or(Role::Group)).clone().unbind();
        Ok(Self { index, number, role, spans: PyOnceLock::new() })
    }

    #[getter]
    fn _index(&self, py: Python<'_>) -> Py<Index> {
        self.index.clone_ref(py)
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
        self.index.get().rows.number(self.number, column)
    }

    /// The id as sent.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let index = self.index.get();
        let found = index.rows.id(self.number, index.bytes(py));
        found.map(|id| string(py, &id)).transpose()
    }

    /// The role as sent.
    #[getter]
    fn role_as_sent<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let Some(word) = word(self.index.get(), self.number, py) else { return Ok(None) };
        match Role::from_name(&word) {
            Some(role) => Ok(Some(known(py, role).clone())),
            None => string(py, &word).map(Some),
        }
    }
}

/// The word that was sent for an element's role.
fn word<'a>(index: &'a Index, number: usize, py: Python<'a>) -> Option<Cow<'a, [u8]>> {
    index.rows.role(number, index.bytes(py))
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
    if let Ok(text) = PyString::from_bytes(py, text) {
        return Ok(text);
    }
    let arguments = (intern!(py, "utf-8"), intern!(py, "surrogatepass"));
    let text = PyBytes::new(py, text).call_method1(intern!(py, "decode"), arguments)?;
    Ok(text.cast_into()?)
}
