//! index: where the elements of a loaded answer stand, as Python's values.
//!
//! Comes in: an [`elementguard::Index`], then once what the facade knows of the answer. Goes out: its numbers, what is found in it,
//! and for each element that is asked for an object of the facade's class: a [`Handle`].
//!
//! All objects of an answer refer to its index, which refers to none of them: there are no cycles, and nothing to collect.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use elementguard::{Report, Seen};
use pyo3::exceptions::{PyStopIteration, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};

use crate::boundary::guarded;
use crate::handle::Handle;
use crate::memory;
use crate::outcome::report;

/// The elements of one answer, in document order. Immutable, but that it is told once what it belongs to.
#[pyclass(frozen, freelist = 16, module = "elementguard._core")]
pub(crate) struct Index {
    pub(crate) rows: elementguard::Index,
    home: OnceLock<Home>,
}

/// What an index belongs to.
struct Home {
    source: Py<PyBytes>,
    /// The facade's class of elements, a subclass of [`Handle`].
    kind: Py<PyType>,
    whole: Whole,
}

/// What the facade knows of the whole answer.
enum Whole {
    Given(Py<PyAny>),
    /// A host that looks at elements need not ask for it: it is made when somebody does.
    Made(Parts, PyOnceLock<Py<PyAny>>),
}

/// What is known of the whole answer.
pub(crate) struct Parts {
    pub(crate) report: Report,
    pub(crate) kind: Py<PyString>,
    pub(crate) provider: Option<Py<PyString>>,
    /// As [`report`] takes them.
    pub(crate) levels: Option<Py<PyBytes>>,
}

impl Parts {
    /// The same as the facade knows it.
    fn whole(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let report = report(py, self.report.clone(), self.levels.as_ref())?;
        let whole = (report, &self.kind, &self.provider).into_pyobject(py)?;
        Ok(whole.into_any().unbind())
    }
}

impl Index {
    pub(crate) fn new(rows: elementguard::Index) -> Self {
        Self { rows, home: OnceLock::new() }
    }

    /// One that is told at once what it belongs to.
    pub(crate) fn settled(
        py: Python<'_>,
        rows: elementguard::Index,
        source: Bound<'_, PyBytes>,
        kind: &Py<PyType>,
        parts: Parts,
    ) -> Self {
        let (source, kind) = (source.unbind(), kind.clone_ref(py));
        let home = Home { source, kind, whole: Whole::Made(parts, PyOnceLock::new()) };
        Self { rows, home: OnceLock::from(home) }
    }

    fn home(&self) -> PyResult<&Home> {
        let missing = || PyValueError::new_err("the index was not told what it belongs to");
        self.home.get().ok_or_else(missing)
    }

    /// The bytes of the answer; none before they are known.
    pub(crate) fn bytes<'a>(&'a self, py: Python<'a>) -> &'a [u8] {
        self.home.get().map_or(&[], |home| home.source.as_bytes(py))
    }
}

#[pymethods]
impl Index {
    /// What the facade's class of elements is a subclass of.
    #[classattr]
    #[pyo3(name = "HANDLE")]
    fn handle(py: Python<'_>) -> Py<PyType> {
        py.get_type::<Handle>().unbind()
    }

    /// Tells what it belongs to: the source of which it is the index, the class of elements, and what else is to be kept.
    #[pyo3(signature = (source, kind, whole, /))]
    fn settle(&self, source: Py<PyBytes>, kind: Py<PyType>, whole: Py<PyAny>) -> PyResult<()> {
        let settled = || PyValueError::new_err("the index belongs to an answer already");
        let home = Home { source, kind, whole: Whole::Given(whole) };
        self.home.set(home).map_err(|_| settled())
    }

    #[getter]
    fn source(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        Ok(self.home()?.source.clone_ref(py))
    }

    #[getter]
    fn whole(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match &self.home()?.whole {
            Whole::Given(whole) => whole.clone_ref(py),
            Whole::Made(parts, made) => made.get_or_try_init(py, || parts.whole(py))?.clone_ref(py),
        })
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + self.rows.room()
    }

    /// A number of an element's row.
    #[pyo3(signature = (row, column, /))]
    fn cell(&self, row: usize, column: usize) -> Option<u64> {
        self.rows.number(row, column)
    }

    /// A number of all rows.
    #[pyo3(signature = (column, /))]
    fn column(&self, py: Python<'_>, column: usize) -> PyResult<Vec<Option<u64>>> {
        guarded(py, || Ok((0..self.rows.len()).map(|row| self.rows.number(row, column)).collect()))
    }

    /// The elements that have a bit of a state, in document order.
    #[pyo3(signature = (bit, /))]
    fn marked(&self, py: Python<'_>, bit: u64) -> PyResult<Vec<usize>> {
        guarded(py, || Ok(self.rows.marked(bit)))
    }

    /// The first element with an id.
    #[pyo3(signature = (name, /))]
    fn find(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let py = name.py();
        let Ok(text) = name.cast::<PyString>() else { return Err(no_text(name)) };
        guarded(py, || memory::utf8(text, |text| self.rows.find(self.bytes(py), text)))
    }

    /// The first element with an id, as an object.
    #[pyo3(signature = (name, /))]
    fn get<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        slf.get().find(name)?.map(|row| Self::at(slf, row)).transpose()
    }

    /// The element of a number, as an object.
    #[pyo3(signature = (row, /))]
    fn at<'py>(slf: &Bound<'py, Self>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        slf.get().home()?.kind.bind(slf.py()).call1((slf, row))
    }

    /// The elements right inside one.
    #[pyo3(signature = (row, /))]
    fn children<'py>(slf: &Bound<'py, Self>, row: usize) -> PyResult<Bound<'py, PyTuple>> {
        let children = slf.get().rows.children(row);
        let made: PyResult<Vec<_>> = children.map(|child| Self::at(slf, child)).collect();
        PyTuple::new(slf.py(), made?)
    }

    /// The numbers of all elements, those of a distance after those of a smaller one: how many steps up and down an element is
    /// from the nearest of these. Of one distance those that are visible come first, then they are in document order.
    #[pyo3(signature = (rows, /))]
    fn near(slf: Py<Self>, rows: Vec<usize>) -> Near {
        let mut seen = Seen::default();
        let index = &slf.get().rows;
        let mut layer: Vec<_> =
            rows.into_iter().filter(|&row| row < index.len() && seen.add(row)).collect();
        index.sort(&mut layer);
        Near { index: slf, state: Mutex::new(Layer { rows: layer, seen, is_told: false }) }
    }

    /// All elements, in document order.
    fn walk(slf: &Bound<'_, Self>) -> PyResult<Walk> {
        let py = slf.py();
        let kind = slf.get().home()?.kind.clone_ref(py);
        let next = Bound::new(py, Next { index: slf.clone().unbind(), row: AtomicUsize::new(0) })?;
        let arguments = PyTuple::new(py, [&next])?.unbind();
        Ok(Walk { kind, next: next.unbind(), arguments })
    }
}

#[cold]
fn no_text(name: &Bound<'_, PyAny>) -> PyErr {
    let found = name.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!("id: a str is needed, not {found}"))
}

/// An iterator over all elements.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Walk {
    kind: Py<PyType>,
    next: Py<Next>,
    /// What the class is called with, again and again: that one.
    arguments: Py<PyTuple>,
}

/// The element that is made next.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Next {
    index: Py<Index>,
    row: AtomicUsize,
}

#[pymethods]
impl Walk {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.next.get().is_over() {
            return Ok(None);
        }
        self.kind.bind(py).call(self.arguments.bind(py).clone(), None).map(Some)
    }
}

impl Next {
    /// Whether there is none: to say so here costs less than an exception.
    fn is_over(&self) -> bool {
        self.row.load(Ordering::Relaxed) >= self.index.get().rows.len()
    }

    /// Takes its number; behind the last one the iteration ends.
    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<(Py<Index>, usize)> {
        let row = self.row.fetch_add(1, Ordering::Relaxed);
        if row < self.index.get().rows.len() {
            return Ok((self.index.clone_ref(py), row));
        }
        self.row.store(row, Ordering::Relaxed);
        Err(PyStopIteration::new_err(()))
    }
}

/// An iterator over the distances: of each a list of numbers. What is farther is not looked at before it is asked for.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Near {
    index: Py<Index>,
    state: Mutex<Layer>,
}

/// The elements of a distance.
struct Layer {
    rows: Vec<usize>,
    seen: Seen,
    is_told: bool,
}

#[pymethods]
impl Near {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Vec<usize>>> {
        guarded(py, || {
            let mut layer = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let Layer { rows, seen, is_told } = &mut *layer;
            if std::mem::replace(is_told, true) {
                *rows = self.index.get().rows.around(rows, seen);
            }
            Ok((!rows.is_empty()).then(|| rows.clone()))
        })
    }
}
