//! memory: bytes-likes and `str` -> slices that the core may read.
//!
//! Comes in: an object that holds an answer's text. Goes out: what the core says of it.
//!
//! The core reads without the interpreter's lock, so that other threads run meanwhile, but only
//! memory that nobody can write to: that of a `bytes` or a `str` (contract §6). Whatever else is
//! read is copied first, while the lock is held: a report is of one state of the bytes, and no
//! buffer stays exported behind a call. A mapped file may be larger than memory, so it is copied
//! and read in pieces.
//!
//! A small answer is read faster than the lock is given back, and a very large one is read in
//! slices, so that Ctrl-C is heard.
//!
//! A chunk of an answer is told in the same way, but that whatever else exports bytes is one too:
//! there are no parsed objects that it could be.

use elementguard::{Report, Stream, Validator, Walk};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PySlice, PyString};

/// From this length on, the lock is given back while the core reads.
const WORTH_DETACHING: usize = 64 << 10;
/// How much is read between two looks for signals.
const SLICE: usize = 16 << 20;
/// So many chunks that are read with the lock are less than that.
const SHORT_CHUNKS: usize = SLICE / WORTH_DETACHING;
/// How much of a mapped file is copied at once.
const PIECE: usize = 1 << 20;

/// What a call wants to know.
pub(crate) trait Wish {
    /// What the call is told.
    type Told: Send;

    /// Reads an answer that is there as a whole.
    fn whole(validator: &Validator, answer: &[u8]) -> Self::Told;

    /// Begins an answer of so many bytes that comes in pieces.
    fn stream(validator: &Validator, _length: u64) -> Stream {
        validator.stream()
    }

    /// Begins a parsed object.
    fn walk(validator: &Validator) -> Walk {
        validator.walk()
    }

    /// At the end of an answer.
    fn end(stream: Stream) -> Self::Told;

    /// At the end of a parsed object.
    fn walked(walk: Walk) -> Self::Told;

    /// What can be told as soon as an error is certain.
    fn failed() -> Option<Self::Told>;
}

/// Reads memory that stays as it is for as long as it is borrowed.
pub(crate) fn constant<W: Wish>(
    py: Python<'_>,
    validator: &Validator,
    answer: &[u8],
) -> PyResult<W::Told> {
    let length = answer.len() as u64;
    if answer.len() <= SLICE {
        return Ok(by_length(py, length, || W::whole(validator, answer)));
    }
    let mut stream = W::stream(validator, length);
    stream.announce(length);
    for slice in answer.chunks(SLICE) {
        if let Some(told) = feed::<W>(py, &mut stream, slice)? {
            return Ok(told);
        }
    }
    Ok(py.detach(|| W::end(stream)))
}

/// Reads so much, with the lock if it is little.
pub(crate) fn by_length<R: Send>(
    py: Python<'_>,
    length: u64,
    read: impl FnOnce() -> R + Send,
) -> R {
    if length < WORTH_DETACHING as u64 { read() } else { py.detach(read) }
}

/// Reads a `bytearray`.
pub(crate) fn byte_array<W: Wish>(
    validator: &Validator,
    array: &Bound<'_, PyByteArray>,
) -> PyResult<W::Told> {
    let copy = with_critical_section(array, || array.to_vec());
    constant::<W>(array.py(), validator, &copy)
}

/// Reads a `str`: its UTF-8. With a surrogate in it that is no UTF-8, which the core says at the
/// surrogate's place.
pub(crate) fn string<W: Wish>(
    validator: &Validator,
    text: &Bound<'_, PyString>,
) -> PyResult<W::Told> {
    utf8(text, |answer| constant::<W>(text.py(), validator, answer))?
}

/// Reads a `memoryview`.
pub(crate) fn view<W: Wish>(
    validator: &Validator,
    view: &Bound<'_, PyMemoryView>,
) -> PyResult<W::Told> {
    refuse_unless_plain(view, "data")?;
    let py = view.py();
    let owner = view.getattr(intern!(py, "obj"))?;
    if let Ok(owner) = owner.cast::<PyBytes>()
        && let Some(answer) = within(owner.as_bytes(), view)?
    {
        return constant::<W>(py, validator, answer);
    }
    if is_mapped(&owner)? {
        return mapped::<W>(validator, &view.call_method1(intern!(py, "cast"), ("B",))?);
    }
    let copy = view.call_method0(intern!(py, "tobytes"))?.cast_into::<PyBytes>()?;
    constant::<W>(py, validator, copy.as_bytes())
}

/// Reads a mapped file, or a view of one, whose items are bytes.
pub(crate) fn mapped<W: Wish>(
    validator: &Validator,
    mapped: &Bound<'_, PyAny>,
) -> PyResult<W::Told> {
    let py = mapped.py();
    let view = PyMemoryView::from(mapped)?;
    let length = view.len()? as u64;
    let mut stream = W::stream(validator, length);
    stream.announce(length);
    for piece in pieces(&view)? {
        if let Some(told) = feed::<W>(py, &mut stream, piece?.as_bytes())? {
            return Ok(told);
        }
    }
    Ok(py.detach(|| W::end(stream)))
}

/// What a chunk holds.
pub(crate) enum Chunk<'a, 'py> {
    /// Memory that stays as it is.
    Constant(&'a [u8]),
    /// A mapped file, or a part of one.
    Mapped(Bound<'py, PyMemoryView>),
}

/// Shows what a chunk holds. What is none is refused before anything is read.
pub(crate) fn chunk<'py, R>(
    chunk: &Bound<'py, PyAny>,
    read: impl FnOnce(Chunk<'_, 'py>) -> PyResult<R>,
) -> PyResult<R> {
    let py = chunk.py();
    if let Ok(bytes) = chunk.cast::<PyBytes>() {
        return read(Chunk::Constant(bytes.as_bytes()));
    }
    if let Ok(array) = chunk.cast::<PyByteArray>() {
        let copy = with_critical_section(array, || array.to_vec());
        return read(Chunk::Constant(&copy));
    }
    let view = view_of(chunk)?;
    refuse_unless_plain(&view, "chunk")?;
    let owner = view.getattr(intern!(py, "obj"))?;
    if let Ok(owner) = owner.cast::<PyBytes>()
        && let Some(shown) = within(owner.as_bytes(), &view)?
    {
        return read(Chunk::Constant(shown));
    }
    if is_mapped(&owner)? {
        let bytes = view.call_method1(intern!(py, "cast"), ("B",))?;
        return read(Chunk::Mapped(bytes.cast_into()?));
    }
    let copy = view.call_method0(intern!(py, "tobytes"))?.cast_into::<PyBytes>()?;
    read(Chunk::Constant(copy.as_bytes()))
}

impl Chunk<'_, '_> {
    /// Lets a stream read all of it.
    pub(crate) fn pour(&self, py: Python<'_>, stream: &mut Stream) -> PyResult<()> {
        match self {
            Self::Constant(bytes) if bytes.len() < WORTH_DETACHING => {
                stream.feed(bytes);
            }
            Self::Constant(bytes) => {
                for slice in bytes.chunks(SLICE) {
                    hear(py, stream, slice)?;
                }
            }
            Self::Mapped(view) => {
                for piece in pieces(view)? {
                    hear(py, stream, piece?.as_bytes())?;
                }
            }
        }
        Ok(())
    }
}

/// The report of all chunks that an iterable gives. Behind a fatal error no more are taken.
pub(crate) fn drained(mut stream: Stream, chunks: &Bound<'_, PyAny>) -> PyResult<Report> {
    let py = chunks.py();
    let mut iterator = chunks.try_iter()?;
    let mut taken = 0;
    while !stream.is_fatal()
        && let Some(next) = iterator.next()
    {
        chunk(&next?, |bytes| bytes.pour(py, &mut stream))?;
        taken += 1;
        if taken % SHORT_CHUNKS == 0 {
            // What gives them may run no code of Python's, where others would get their turn.
            py.detach(|| ());
            py.check_signals()?;
        }
    }
    Ok(by_length(py, stream.length(), || stream.finish()))
}

/// Copies of the pieces of what may be larger than memory.
fn pieces<'a, 'py>(
    view: &'a Bound<'py, PyMemoryView>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyBytes>>> + use<'a, 'py>> {
    let starts = (0..view.len()?).step_by(PIECE);
    Ok(starts.map(|start| {
        let (start, end) = (start.cast_signed(), (start + PIECE).cast_signed());
        let piece = view.get_item(PySlice::new(view.py(), start, end, 1))?;
        Ok(piece.call_method0(intern!(view.py(), "tobytes"))?.cast_into()?)
    }))
}

fn view_of<'py>(chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyMemoryView>> {
    if let Ok(view) = chunk.cast::<PyMemoryView>() {
        return Ok(view.clone());
    }
    PyMemoryView::from(chunk).map_err(|error| {
        let class = chunk.get_type();
        // What exports bytes by code of its own may raise whatever it likes.
        if !error.is_instance_of::<PyTypeError>(chunk.py())
            || class.hasattr(intern!(chunk.py(), "__buffer__")).unwrap_or(false)
        {
            return error;
        }
        let found = class.name().map_or_else(|_| String::new(), |name| name.to_string());
        PyTypeError::new_err(format!("chunk: a bytes-like object is needed, not {found}"))
    })
}

/// Whether an object is an `mmap.mmap`. Where nobody has imported the module there is none, and no
/// reason to import it.
pub(crate) fn is_mapped(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let py = object.py();
    match MODULES.import(py, "sys", "modules")?.get_item(intern!(py, "mmap"))? {
        Some(module) => object.is_instance(&module.getattr(intern!(py, "mmap"))?),
        None => Ok(false),
    }
}

/// Shows a string's UTF-8, or WTF-8 where it holds surrogates.
pub(crate) fn utf8<R>(text: &Bound<'_, PyString>, read: impl FnOnce(&[u8]) -> R) -> PyResult<R> {
    match text.to_str() {
        Ok(utf8) => Ok(read(utf8.as_bytes())),
        Err(_) => with_surrogates(text).map(|wtf8| read(wtf8.as_bytes())),
    }
}

#[cold]
fn with_surrogates<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    // Through the class, so that a subclass's own `encode` is left out.
    let class = text.py().get_type::<PyString>();
    Ok(class.call_method1("encode", (text, "utf-8", "surrogatepass"))?.cast_into()?)
}

/// Feeds a slice, and says what can be told already.
fn feed<W: Wish>(py: Python<'_>, stream: &mut Stream, slice: &[u8]) -> PyResult<Option<W::Told>> {
    Ok(if hear(py, stream, slice)? { None } else { W::failed() })
}

/// Feeds a slice, and hears signals.
fn hear(py: Python<'_>, stream: &mut Stream, slice: &[u8]) -> PyResult<bool> {
    let fine = py.detach(|| stream.feed(slice));
    py.check_signals()?;
    Ok(fine)
}

/// A view must be of bytes, and without gaps.
fn refuse_unless_plain(view: &Bound<'_, PyMemoryView>, argument: &str) -> PyResult<()> {
    let py = view.py();
    let format = view.getattr(intern!(py, "format"))?.extract::<String>()?;
    if !matches!(format.as_str(), "B" | "b" | "c") {
        let message =
            format!("{argument}: a memoryview of bytes is needed, not of format '{format}'");
        return Err(PyTypeError::new_err(message));
    }
    if !view.getattr(intern!(py, "c_contiguous"))?.is_truthy()? {
        let message = format!("{argument}: the memoryview is not contiguous");
        return Err(PyValueError::new_err(message));
    }
    Ok(())
}

/// The part of `memory` that a view shows; `None` if it shows something else.
fn within<'a>(memory: &'a [u8], view: &Bound<'_, PyMemoryView>) -> PyResult<Option<&'a [u8]>> {
    let shown = PyUntypedBuffer::get(view)?;
    let start = (shown.buf_ptr() as usize).checked_sub(memory.as_ptr() as usize);
    Ok(start.and_then(|start| memory.get(start..start.checked_add(shown.len_bytes())?)))
}
