//! index: where the elements of a loaded answer stand, as Python's values.
//!
//! Comes in: an [`elementguard::Index`]. Goes out: its numbers as a read-only buffer, without a copy, and what is found in it.
//! The numbers never change and live as long as the object does, which every view of them holds.

use std::ffi::{c_int, c_void};

use elementguard::Numbers;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

use crate::boundary::guarded;
use crate::memory;

/// The elements of one answer, in document order. Immutable; holds no source.
#[pyclass(frozen, module = "elementguard._core")]
pub(crate) struct Index {
    columns: elementguard::Index,
    /// What a view is told of the buffer: how many numbers there are, and from one to the next.
    shape: [ffi::Py_ssize_t; 1],
    strides: [ffi::Py_ssize_t; 1],
}

/// A pointer, if it was asked for.
fn given<T>(is_asked: bool, pointer: *mut T) -> *mut T {
    if is_asked { pointer } else { std::ptr::null_mut() }
}

impl Index {
    pub(crate) fn new(index: elementguard::Index) -> Self {
        let (length, size) = match index.numbers() {
            Numbers::Narrow(numbers) => (numbers.len(), size_of::<u32>()),
            Numbers::Wide(numbers) => (numbers.len(), size_of::<u64>()),
        };
        Self { columns: index, shape: [length.cast_signed()], strides: [size.cast_signed()] }
    }
}

#[pymethods]
impl Index {
    fn __len__(&self) -> usize {
        self.columns.len()
    }

    /// The numbers, row after row.
    #[getter]
    fn table<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyMemoryView>> {
        PyMemoryView::from(slf.as_any())
    }

    /// The elements that have a bit of a state, in document order.
    #[pyo3(signature = (bit, /))]
    fn marked(&self, py: Python<'_>, bit: u64) -> PyResult<Vec<usize>> {
        guarded(py, || Ok(self.columns.marked(bit)))
    }

    /// The first element with this id, in the source of which this is the index.
    #[pyo3(signature = (source, name, /))]
    fn find(
        &self,
        source: &Bound<'_, PyBytes>,
        name: &Bound<'_, PyString>,
    ) -> PyResult<Option<usize>> {
        guarded(source.py(), || {
            memory::utf8(name, |name| self.columns.find(source.as_bytes(), name))
        })
    }

    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("an index is read-only"));
        }
        let index = slf.get();
        let (numbers, format): (*const c_void, _) = match index.columns.numbers() {
            Numbers::Narrow(numbers) => (numbers.as_ptr().cast(), c"I"),
            Numbers::Wide(numbers) => (numbers.as_ptr().cast(), c"Q"),
        };
        let (shape, strides) = (&raw const index.shape, &raw const index.strides);
        let asked = |flag| flags & flag == flag;
        // SAFETY: Python gives a view to fill. All that it points to belongs to the object, which is frozen and which the view
        // holds a reference to; the buffer is never written to, since the view says that it is read-only.
        unsafe {
            (*view).buf = numbers.cast_mut();
            (*view).len = index.shape[0] * index.strides[0];
            (*view).readonly = 1;
            (*view).itemsize = index.strides[0];
            (*view).format = given(asked(ffi::PyBUF_FORMAT), format.as_ptr().cast_mut());
            (*view).ndim = 1;
            (*view).shape = given(asked(ffi::PyBUF_ND), shape.cast_mut().cast());
            (*view).strides = given(asked(ffi::PyBUF_STRIDES), strides.cast_mut().cast());
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = std::ptr::null_mut();
            (*view).obj = slf.into_ptr();
        }
        Ok(())
    }
}
