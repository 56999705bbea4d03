//! index: where the elements of a loaded answer stand, as Python's values.
//!
//! Comes in: an [`elementguard::Index`]. Goes out: its numbers, and what is found in it.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyType};

use crate::boundary::guarded;
use crate::handles::{Handle, Handles};
use crate::memory;

/// The elements of one answer, in document order. Immutable; holds no source.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Index {
    pub(crate) rows: elementguard::Index,
}

impl Index {
    pub(crate) fn new(rows: elementguard::Index) -> Self {
        Self { rows }
    }

    /// The first element with this id, in the source of which this is the index.
    pub(crate) fn first(
        &self,
        source: &Bound<'_, PyBytes>,
        name: &Bound<'_, PyString>,
    ) -> PyResult<Option<usize>> {
        memory::utf8(name, |name| self.rows.find(source.as_bytes(), name))
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

    /// The first element with this id, in the source of which this is the index.
    #[pyo3(signature = (source, name, /))]
    fn find(
        &self,
        source: &Bound<'_, PyBytes>,
        name: &Bound<'_, PyString>,
    ) -> PyResult<Option<usize>> {
        guarded(source.py(), || self.first(source, name))
    }

    /// The first element with this id, as an object: of a subclass of `Handle`, of an answer with the source of which this is the
    /// index.
    #[pyo3(signature = (source, kind, answer, name, /))]
    fn get<'py>(
        slf: Bound<'py, Self>,
        source: Bound<'py, PyBytes>,
        kind: Bound<'py, PyType>,
        answer: Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        let Some(number) = guarded(py, || slf.get().first(&source, name))? else { return Ok(None) };
        let handles = Self::handles(slf.unbind(), source.unbind(), kind.unbind(), answer.unbind());
        Handles::at(&Bound::new(py, handles)?, number).map(Some)
    }

    /// What makes such objects.
    #[pyo3(signature = (source, kind, answer, /))]
    fn handles(slf: Py<Self>, source: Py<PyBytes>, kind: Py<PyType>, answer: Py<PyAny>) -> Handles {
        Handles { index: slf, source, kind, answer }
    }
}
