//! calls: the calls without a validator, which hosts make on every message.
//!
//! Comes in: an answer in any of its forms. Goes out: a report, an answer with its index, or yes or no.
//!
//! No function of Python stands before them: to enter one costs as much as to check the elements of a small answer. What a call
//! with limits needs (which they are, what is wrong with them) is the facade's, and done there.

#![allow(
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    reason = "what the calls say of themselves is written for Python"
)]

use std::sync::LazyLock;

use elementguard::{Kind, Settings, Validator};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyString, PyType};

use crate::boundary::guarded;
use crate::checker::{self, Loaded, Told, YesOrNo};
use crate::index::{Index, Parts};
use crate::outcome::report;
use crate::still::Slotted;

/// What the facade's limits and levels are where nobody says others: the core's own.
static ANSWERS: LazyLock<Validator> = LazyLock::new(|| usual(Kind::Answer));
static ELEMENTS: LazyLock<Validator> = LazyLock::new(|| usual(Kind::Element));

fn usual(kind: Kind) -> Validator {
    Validator::new(Settings { kind, ..Settings::default() })
}

/// An option of a call. That None was given is not the same as that nothing was.
#[derive(Debug)]
pub(crate) enum Given<'py> {
    Nothing,
    Value(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self::Value(given.to_owned()))
    }
}

// What the facade says of it, word for word: `tools/generate.py` writes it.
#[doc = include_str!("calls/check.txt")]
#[pyfunction]
#[pyo3(
    signature = (data, *, limits=None, kind=Given::Nothing),
    text_signature = "(data, *, limits=None, kind='answer')"
)]
pub(crate) fn check<'py>(
    data: &Bound<'py, PyAny>,
    limits: Option<Bound<'py, PyAny>>,
    kind: Given<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match ready(limits.as_ref(), &kind) {
        Some(validator) => {
            guarded(data.py(), || report(data.py(), checker::read::<Told>(validator, data)?))
        }
        None => facade(data, "check", limits, kind, None),
    }
}

#[doc = include_str!("calls/is_valid.txt")]
#[pyfunction]
#[pyo3(
    signature = (data, *, limits=None, kind=Given::Nothing),
    text_signature = "(data, *, limits=None, kind='answer')"
)]
pub(crate) fn is_valid<'py>(
    data: &Bound<'py, PyAny>,
    limits: Option<Bound<'py, PyAny>>,
    kind: Given<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match ready(limits.as_ref(), &kind) {
        Some(validator) => guarded(data.py(), || {
            let valid = checker::read::<YesOrNo>(validator, data)?;
            Ok(PyBool::new(data.py(), valid).to_owned().into_any())
        }),
        None => facade(data, "is_valid", limits, kind, None),
    }
}

#[doc = include_str!("calls/load.txt")]
#[pyfunction]
#[pyo3(
    signature = (data, *, limits=None, kind=Given::Nothing, provider=None),
    text_signature = "(data, *, limits=None, kind='answer', provider=None)"
)]
pub(crate) fn load<'py>(
    data: &Bound<'py, PyAny>,
    limits: Option<Bound<'py, PyAny>>,
    kind: Given<'py>,
    provider: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_fine = provider.as_ref().is_none_or(Bound::is_instance_of::<PyString>);
    match (ready(limits.as_ref(), &kind), data.cast_exact::<PyBytes>()) {
        (Some(validator), Ok(source)) if is_fine => {
            guarded(data.py(), || answer(validator, source, &kind, provider))
        }
        _ => facade(data, "load", limits, kind, provider),
    }
}

/// The validator for a call's options, if it needs no looking for.
fn ready(limits: Option<&Bound<'_, PyAny>>, kind: &Given<'_>) -> Option<&'static Validator> {
    match (limits, kind) {
        (Some(_), _) => None,
        (None, Given::Nothing) => Some(&ANSWERS),
        (None, Given::Value(kind)) => match kind.cast_exact::<PyString>().ok()?.to_str().ok()? {
            "answer" => Some(&ANSWERS),
            "element" => Some(&ELEMENTS),
            _ => None,
        },
    }
}

/// The facade's answer over bytes; its error if they have one.
fn answer<'py>(
    validator: &Validator,
    source: &Bound<'py, PyBytes>,
    kind: &Given<'py>,
    provider: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASSES: PyOnceLock<(Slotted, Py<PyType>)> = PyOnceLock::new();
    let py = source.py();
    let (told, rows) = checker::read::<Loaded>(validator, source)?;
    let Some(rows) = rows.filter(|_| told.ok()) else { return Err(invalid(report(py, told)?)) };
    let (answer, element) = CLASSES.get_or_try_init(py, || {
        let module = py.import(intern!(py, "elementguard._answer"))?;
        let answer = module.getattr(intern!(py, "Answer"))?;
        let element =
            module.getattr(intern!(py, "class_over"))?.call1((py.get_type::<Index>(),))?;
        let answer = Slotted::new(answer.cast()?, intern!(py, "_index"))?;
        PyResult::Ok((answer, element.cast_into()?.unbind()))
    })?;
    let kind = match kind {
        Given::Value(kind) => kind,
        Given::Nothing => intern!(py, "answer").as_any(),
    };
    let parts =
        Parts { report: told, kind: kind.clone().unbind(), provider: provider.map(Bound::unbind) };
    let index = Index::settled(py, rows, source.clone(), element, parts);
    answer.holding(Bound::new(py, index)?.as_any())
}

#[cold]
fn invalid(report: Bound<'_, PyAny>) -> PyErr {
    let py = report.py();
    let class = || py.import("elementguard._errors")?.getattr("ValidationError");
    class().and_then(|class| class.call1((report,))).map_or_else(|error| error, PyErr::from_value)
}

/// A call with other options.
#[cold]
fn facade<'py>(
    data: &Bound<'py, PyAny>,
    call: &str,
    limits: Option<Bound<'py, PyAny>>,
    kind: Given<'py>,
    provider: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let options = PyDict::new(py);
    options.set_item("limits", limits)?;
    if let Given::Value(kind) = kind {
        options.set_item("kind", kind)?;
    }
    if let Some(provider) = provider {
        options.set_item("provider", provider)?;
    }
    let calls = py.import(intern!(py, "elementguard._calls"))?.getattr(intern!(py, "PLAIN"))?;
    calls.get_item(call)?.call((data,), Some(&options))
}
