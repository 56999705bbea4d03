//! calls: the calls without a validator, which hosts make on every message.
//!
//! Comes in: an answer in any of its forms. Goes out: a report, an answer with its index, or yes or no.
//!
//! No function of Python stands before them: to enter one costs as much as to check the elements of a small answer. What a call
//! with limits needs that were not seen before (which they are, what is wrong with them) is the facade's, and done there.

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
use crate::checker::{self, Checker, Loaded, Told, YesOrNo};
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

impl<'py> Given<'py> {
    /// The kind that it names.
    fn word(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        match self {
            Self::Value(kind) => Ok(kind.cast_exact::<PyString>()?.clone()),
            Self::Nothing => Ok(intern!(py, "answer").clone()),
        }
    }
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
        Some(ready) => guarded(data.py(), || {
            report(data.py(), checker::read::<Told>(ready.validator(), data)?, None)
        }),
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
        Some(ready) => guarded(data.py(), || {
            let valid = checker::read::<YesOrNo>(ready.validator(), data)?;
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
    let py = data.py();
    let named = provider.as_ref().map(|provider| provider.cast::<PyString>().cloned()).transpose();
    match (ready(limits.as_ref(), &kind), data.cast_exact::<PyBytes>(), named) {
        (Some(ready), Ok(source), Ok(provider)) => guarded(py, || {
            answer(ready.validator(), source, kind.word(py)?.unbind(), provider, None)
        }),
        _ => facade(data, "load", limits, kind, provider),
    }
}

/// A validator that needs no making.
enum Ready {
    Usual(&'static Validator),
    Given(Py<Checker>),
}

impl Ready {
    fn validator(&self) -> &Validator {
        match self {
            Self::Usual(validator) => validator,
            Self::Given(checker) => &checker.get().validator,
        }
    }
}

/// The validator for a call's options, if it needs no making.
fn ready(limits: Option<&Bound<'_, PyAny>>, kind: &Given<'_>) -> Option<Ready> {
    if let Some(limits) = limits {
        return made(limits, kind).map(Ready::Given);
    }
    match kind {
        Given::Nothing => Some(Ready::Usual(&ANSWERS)),
        Given::Value(kind) => match kind.cast_exact::<PyString>().ok()?.to_str().ok()? {
            "answer" => Some(Ready::Usual(&ANSWERS)),
            "element" => Some(Ready::Usual(&ELEMENTS)),
            _ => None,
        },
    }
}

/// What the facade has made of these limits before, and keeps with them.
fn made(limits: &Bound<'_, PyAny>, kind: &Given<'_>) -> Option<Py<Checker>> {
    static LIMITS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = limits.py();
    let class = LIMITS.import(py, "elementguard._limits", "Limits").ok()?;
    if !limits.get_type().is(class) {
        return None;
    }
    let made = limits.getattr(intern!(py, "_checkers")).ok()?.cast_into_exact::<PyDict>().ok()?;
    // One that the pure engine has made is none.
    made.get_item(kind.word(py).ok()?).ok()??.cast_into_exact().ok().map(Bound::unbind)
}

/// The facade's answer over bytes; its error if they have one.
pub(crate) fn answer<'py>(
    validator: &Validator,
    source: &Bound<'py, PyBytes>,
    kind: Py<PyString>,
    provider: Option<Bound<'py, PyString>>,
    levels: Option<&Py<PyBytes>>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASSES: PyOnceLock<(Slotted<1>, Py<PyType>)> = PyOnceLock::new();
    let py = source.py();
    let (told, rows) = checker::read::<Loaded>(validator, source)?;
    let Some(rows) = rows.filter(|_| told.ok()) else {
        return Err(invalid(report(py, told, levels)?));
    };
    let (answer, element) = CLASSES.get_or_try_init(py, || {
        let module = py.import(intern!(py, "elementguard._answer"))?;
        let answer = module.getattr(intern!(py, "Answer"))?;
        let element =
            module.getattr(intern!(py, "class_over"))?.call1((py.get_type::<Index>(),))?;
        PyResult::Ok((Slotted::new(answer.cast()?, ["_index"]), element.cast_into()?.unbind()))
    })?;
    let provider = provider.map(Bound::unbind);
    let levels = levels.map(|levels| levels.clone_ref(py));
    let index = Index::settled(
        py,
        rows,
        source.clone(),
        element,
        Parts { report: told, kind, provider, levels },
    );
    answer.holding(py, [Some(Bound::new(py, index)?.as_any())])
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
