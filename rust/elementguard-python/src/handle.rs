//! handle: one element of a loaded answer, as a Python object.
//!
//! Comes in: an index and a number. Goes out: what the facade's class of elements stands on; the id and the role, which nearly
//! every host reads of nearly every element.
//!
//! A host walks over all elements of each answer, so making one is a call of its class and a look at its role. All else that a handle
//! knows besides its number is the index's, or is looked for when it is asked for.

use std::borrow::Cow;
use std::sync::OnceLock;

use elementguard::{Member, Role};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString};

use crate::index::{Index, Next};

/// The members that the facade asks for, besides those that the index has.
const ASKED: [&str; 6] = ["subrole", "title", "url", "content", "attributes", "children"];

/// Where a value starts and ends.
type Span = (usize, usize);

/// One element. The facade's class of elements is a subclass of it.
#[pyclass(frozen, subclass, module = "elementguard._core")]
pub(crate) struct Handle {
    index: Py<Index>,
    number: usize,
    /// As a receiver reads it, one of the thirteen: nearly every host asks, and Python reads a member without a call.
    #[pyo3(get)]
    role: Py<PyString>,
    /// Where the values of some members are, if that was asked for.
    spans: OnceLock<Box<[Option<Span>; ASKED.len()]>>,
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
        Ok(Self { index, number, role, spans: OnceLock::new() })
    }

    #[getter]
    fn _index(&self, py: Python<'_>) -> Py<Index> {
        self.index.clone_ref(py)
    }

    #[getter]
    fn _number(&self) -> usize {
        self.number
    }

    /// Where the value of a member is, the first of its name, if it is one of those.
    #[pyo3(name = "_member", signature = (name, /))]
    fn member(&self, py: Python<'_>, name: &str) -> Option<Span> {
        let spans = self.spans.get_or_init(|| Box::new(self.spans(py)));
        ASKED.iter().position(|asked| *asked == name).and_then(|at| spans[at])
    }

    /// The text of a member, if it is a string.
    #[pyo3(signature = (name, /))]
    fn _text<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyString>>> {
        let Some((start, _)) = self.member(py, name) else { return Ok(None) };
        let text = elementguard::string_at(self.index.get().bytes(py), start);
        text.map(|text| string(py, &text)).transpose()
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

impl Handle {
    fn spans(&self, py: Python<'_>) -> [Option<Span>; ASKED.len()] {
        let (mut spans, index) = ([None; ASKED.len()], self.index.get());
        for Member { name, start, end } in index.rows.members(self.number, index.bytes(py)) {
            if let Some(at) = ASKED.iter().position(|asked| asked.as_bytes() == &*name) {
                spans[at] = spans[at].or(Some((start, end)));
            }
        }
        spans
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
