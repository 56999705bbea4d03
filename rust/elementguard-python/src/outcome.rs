//! outcome: what the core says of one answer, as Python's values.
//!
//! Comes in: a [`Report`]. Goes out: tuples in the order that the facade knows. A clean answer's
//! report is asked for `ok` and often nothing else, so all of it is built when it is asked for.

use elementguard::{Finding, Report, Size, Summary, Value};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::boundary::guarded;
use crate::still::Slotted;

/// What the engine says of one answer. Immutable; holds no source.
#[pyclass(frozen, freelist = 16, module = "elementguard._core")]
pub(crate) struct Outcome {
    report: Report,
}

impl Outcome {
    pub(crate) fn new(report: Report) -> Self {
        Self { report }
    }
}

/// The facade's report of what the engine says; with the levels of the rules, where they may be other than the usual ones.
pub(crate) fn report<'py>(
    py: Python<'py>,
    told: Report,
    levels: Option<&Py<PyBytes>>,
) -> PyResult<Bound<'py, PyAny>> {
    static REPORT: PyOnceLock<Slotted<2>> = PyOnceLock::new();
    let report = REPORT.get_or_try_init(py, || {
        let class =
            py.import(intern!(py, "elementguard._report"))?.getattr(intern!(py, "Report"))?;
        PyResult::Ok(Slotted::new(class.cast()?, ["_outcome", "_moved"]))
    })?;
    let outcome = Bound::new(py, Outcome::new(told))?;
    let levels = levels.map(|levels| levels.bind(py).as_any());
    report.holding(py, [Some(outcome.as_any()), levels])
}

#[pymethods]
impl Outcome {
    /// Whether there is no error.
    #[getter]
    fn ok(&self) -> bool {
        self.report.ok()
    }

    /// Whether the work ended at a fatal finding.
    #[getter]
    fn fatal(&self) -> bool {
        self.report.is_fatal()
    }

    /// Whether some findings were counted but not kept.
    #[getter]
    fn truncated(&self) -> bool {
        self.report.truncated()
    }

    /// How many findings each rule has: pairs of the rule's number and a count that is not zero, by
    /// number.
    fn counts(&self) -> Vec<(usize, u64)> {
        let counts = self.report.counts().iter().copied();
        counts.enumerate().filter(|&(_, count)| count > 0).collect()
    }

    /// The findings that were kept, in order: rule's number, offset, pointer, element's id, the
    /// values of the parameters.
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        guarded(py, || {
            let rows = PyList::empty(py);
            for finding in self.report.findings() {
                rows.append(self.row(py, finding)?)?;
            }
            Ok(rows)
        })
    }

    /// Sizes and states of the whole answer; None exactly after a fatal finding.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        guarded(py, || self.report.summary().map(|summary| summary_row(py, summary)).transpose())
    }
}

impl Outcome {
    fn row<'py>(&self, py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyTuple>> {
        let report = &self.report;
        let values = report.parameters(finding).into_iter().map(|value| parameter(py, value));
        (
            finding.rule().number(),
            report.offset(finding),
            report.pointer(finding),
            report.element(finding),
            PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?,
        )
            .into_pyobject(py)
    }
}

fn parameter(py: Python<'_>, value: Value) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Number(number) => number.into_pyobject(py)?.into_any(),
        Value::Text(text) => text.into_pyobject(py)?.into_any(),
        Value::Words(words) => words.into_pyobject(py)?.into_any(),
    })
}

fn summary_row<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyTuple>> {
    let position = summary.focus_path().last().flatten();
    (
        summary.bytes,
        summary.elements,
        summary.depth,
        PyTuple::new(py, summary.roles)?,
        PyTuple::new(py, summary.block_types)?,
        summary.instance(),
        summary.protocol(),
        PyTuple::new(py, summary.focus_path())?,
        position,
        PyTuple::new(py, summary.selected())?,
        summary.hovered(),
        summary.root.as_ref().map(size_row),
    )
        .into_pyobject(py)
}

fn size_row(size: &Size) -> (u64, u64, u64, u64, u64, u64, u64) {
    let Size { bytes, elements, height, depth, content_bytes, text_bytes, blob_bytes } = *size;
    (bytes, elements, height, depth, content_bytes, text_bytes, blob_bytes)
}
