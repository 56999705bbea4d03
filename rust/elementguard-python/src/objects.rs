//! objects: parsed Python objects -> the core's walk (contract §6).
//!
//! Comes in: what `json.loads` or an MCP client hands over. Goes out: the values in the order of
//! the JSON text that they would be.
//!
//! What is plain and clean goes through `still`; here is what that leaves over, value by value.
//! Values are told by their exact class first, since almost all are of one. Subclasses are read as
//! the values that they are to C, as `json.dumps` reads them; only mappings are asked, for their
//! `items()`. An exception out of such code is its author's and goes through as it is.

use elementguard::{Stopped, Validator, Walk};
use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::memory::{Wish, utf8};
use crate::number;
use crate::open::{Next, Open, Rest};
use crate::still;

/// How many members and items are walked over between two looks for signals.
const STEPS: u32 = 1 << 14;

/// Reads a parsed object.
pub(crate) fn read<W: Wish>(validator: &Validator, data: &Bound<'_, PyAny>) -> PyResult<W::Told> {
    let early = W::failed();
    let mut walker = Walker {
        walk: W::walk(validator),
        open: Open::default(),
        stops_at_errors: early.is_some(),
        steps: 0,
    };
    match (walker.all(data), early) {
        (Err(Halt::Raised(error)), _) => Err(error),
        (Err(Halt::Failed), Some(told)) => Ok(told),
        _ => Ok(W::walked(walker.walk)),
    }
}

/// Why a walk ends before its object does.
enum Halt {
    /// A fatal finding.
    Stopped,
    /// An error is certain, and more was not asked.
    Failed,
    /// Python raised.
    Raised(PyErr),
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<PyErr> for Halt {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

struct Walker<'py> {
    walk: Walk,
    open: Open<'py>,
    stops_at_errors: bool,
    steps: u32,
}

impl<'py> Walker<'py> {
    fn all(&mut self, data: &Bound<'py, PyAny>) -> Result<(), Halt> {
        match exact::<PyDict>(data) {
            Some(dict) => self.outermost(dict)?,
            None => self.value(data)?,
        }
        loop {
            let steps = still::ride(data.py(), &mut self.walk, &mut self.open);
            self.hear_signals(data.py(), steps + 1)?;
            let Some(next) = self.open.next()? else { return Ok(()) };
            match next {
                Next::Item(value) => self.value(&value)?,
                Next::Member(name, value) => self.member(&name, &value)?,
                Next::EndOfArray => self.walk.end_array()?,
                Next::EndOfObject => self.end_object()?,
            }
        }
    }

    /// A dict that nothing is around. Most are plain and clean throughout, and end in their ride.
    fn outermost(&mut self, dict: &Bound<'py, PyDict>) -> Result<(), Halt> {
        self.open.enter(dict.as_any());
        self.walk.begin_object()?;
        self.steps = still::ride_into(dict, &mut self.walk, &mut self.open);
        Ok(())
    }

    fn hear_signals(&mut self, py: Python<'py>, steps: u32) -> PyResult<()> {
        self.steps += steps;
        if self.steps < STEPS {
            return Ok(());
        }
        self.steps = 0;
        py.check_signals()
    }

    fn end_object(&mut self) -> Result<(), Halt> {
        self.walk.end_object()?;
        if self.stops_at_errors && self.walk.failed() { Err(Halt::Failed) } else { Ok(()) }
    }

    fn member(&mut self, name: &Bound<'py, PyAny>, value: &Bound<'py, PyAny>) -> Result<(), Halt> {
        let Ok(name) = name.cast::<PyString>() else {
            self.walk.foreign_name(&class_of(name)?);
            return Ok(());
        };
        utf8(name, |name| self.walk.name(name))??;
        self.value(value)
    }

    fn value(&mut self, value: &Bound<'py, PyAny>) -> Result<(), Halt> {
        if let Some(dict) = exact::<PyDict>(value) {
            self.container(value, || Ok(Rest::dict(dict)))
        } else if let Some(text) = exact::<PyString>(value) {
            self.string(text)
        } else if let Some(list) = exact::<PyList>(value) {
            self.container(value, || Ok(Rest::list(list)))
        } else if let Some(truth) = exact::<PyBool>(value) {
            Ok(self.walk.boolean(truth.is_true())?)
        } else if let Some(integer) = exact::<PyInt>(value) {
            self.integer(integer)
        } else if let Some(float) = exact::<PyFloat>(value) {
            self.float(float)
        } else if value.is_none() {
            Ok(self.walk.null()?)
        } else {
            self.rare_value(value)
        }
    }

    fn rare_value(&mut self, value: &Bound<'py, PyAny>) -> Result<(), Halt> {
        if let Ok(text) = value.cast::<PyString>() {
            self.string(text)
        } else if let Ok(list) = value.cast::<PyList>() {
            self.container(value, || Ok(Rest::list(list)))
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            self.container(value, || Ok(Rest::tuple(tuple)))
        } else if let Ok(integer) = value.cast::<PyInt>() {
            self.integer(integer)
        } else if let Ok(float) = value.cast::<PyFloat>() {
            self.float(float)
        } else if is_mapping(value)? {
            self.container(value, || Rest::mapping(value))
        } else {
            self.foreign(value)
        }
    }

    fn container(
        &mut self,
        container: &Bound<'py, PyAny>,
        rest: impl FnOnce() -> PyResult<Rest<'py>>,
    ) -> Result<(), Halt> {
        if !self.open.enter(container) {
            return self.foreign(container);
        }
        let rest = rest()?;
        let begun =
            if rest.is_object() { self.walk.begin_object() } else { self.walk.begin_array() };
        begun?;
        self.open.push(rest);
        Ok(())
    }

    fn string(&mut self, text: &Bound<'py, PyString>) -> Result<(), Halt> {
        Ok(utf8(text, |text| self.walk.string(text))??)
    }

    fn integer(&mut self, integer: &Bound<'py, PyInt>) -> Result<(), Halt> {
        match number::integer(integer)? {
            Some(digits) => Ok(self.walk.number(digits.as_bytes())?),
            None => self.foreign(integer),
        }
    }

    fn float(&mut self, float: &Bound<'py, PyFloat>) -> Result<(), Halt> {
        match number::float(float)? {
            Ok(digits) => self.walk.number(digits.to_str()?.as_bytes())?,
            Err(word) => self.walk.foreign(word)?,
        }
        Ok(())
    }

    fn foreign(&mut self, value: &Bound<'py, PyAny>) -> Result<(), Halt> {
        Ok(self.walk.foreign(&class_of(value)?)?)
    }
}

/// A value of a class, and of no subclass. (A cast that fails would make an error first.)
#[inline]
fn exact<'a, 'py, T: PyTypeInfo>(value: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, T>> {
    if value.is_exact_instance_of::<T>() { value.cast_exact().ok() } else { None }
}

/// The name of a value's class.
fn class_of(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(value.get_type().name()?.to_string_lossy().into_owned())
}

fn is_mapping(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Ok(value.is_instance_of::<PyDict>()
        || value.is_instance(CLASS.import(value.py(), "collections.abc", "Mapping")?)?)
}
