//! open: the objects and arrays that a walk is inside of.
//!
//! Comes in: containers, as they open. Goes out: their members and items, one by one; and whether
//! a container is open already.
//!
//! A container may change while it is walked over: other code runs, of another class or of a
//! signal's handler. Nothing is assumed of it but what was just asked, and it is held until it is
//! closed, so that no other has its identity meanwhile. (During a ride nothing changes, and what is
//! opened and closed within one need not be held: it is kept apart, see `still`.)
//!
//! The path is as deep as the answer: it stands on the heap, not on the machine's stack, and where
//! comparing its identities one by one would take long they are in a set.

use std::ptr::NonNull;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple};

use crate::identities::Identities;
use crate::still;

/// The open containers, outermost first.
#[derive(Default)]
pub(crate) struct Open<'py> {
    path: Vec<Rest<'py>>,
    pub(crate) identities: Identities,
}

/// What stands next in the innermost container.
pub(crate) enum Next<'py> {
    Member(Bound<'py, PyAny>, Bound<'py, PyAny>),
    Item(Bound<'py, PyAny>),
    EndOfObject,
    EndOfArray,
}

/// What is still to come of a container, which is held.
pub(crate) enum Rest<'py> {
    Dict { dict: Bound<'py, PyDict>, place: isize, size: usize },
    List { list: Bound<'py, PyList>, next: usize },
    Mapping { _mapping: Bound<'py, PyAny>, members: Bound<'py, PyIterator> },
    Tuple { tuple: Bound<'py, PyTuple>, next: usize },
}

impl<'py> Open<'py> {
    /// The innermost container.
    pub(crate) fn innermost(&mut self) -> Option<&mut Rest<'py>> {
        self.path.last_mut()
    }

    /// How many containers are held.
    pub(crate) fn held(&self) -> usize {
        self.path.len()
    }

    /// A container opens, unless it is open already.
    pub(crate) fn enter(&mut self, container: &Bound<'py, PyAny>) -> bool {
        NonNull::new(container.as_ptr()).is_some_and(|who| self.identities.enter(who, 0))
    }

    /// It is held from now on.
    pub(crate) fn push(&mut self, rest: Rest<'py>) {
        self.path.push(rest);
    }

    /// What comes next; `None` when nothing is open. What ends is open no more.
    pub(crate) fn next(&mut self) -> PyResult<Option<Next<'py>>> {
        let Some(innermost) = self.path.last_mut() else { return Ok(None) };
        let next = innermost.next()?;
        if matches!(next, Next::EndOfObject | Next::EndOfArray) {
            self.identities.leave();
            self.path.pop();
        }
        Ok(Some(next))
    }
}

impl<'py> Rest<'py> {
    /// All of a dict.
    pub(crate) fn dict(dict: &Bound<'py, PyDict>) -> Self {
        Self::Dict { dict: dict.clone(), place: 0, size: dict.len() }
    }

    /// All of what tells its members itself.
    pub(crate) fn mapping(mapping: &Bound<'py, PyAny>) -> PyResult<Self> {
        let members = mapping.call_method0(intern!(mapping.py(), "items"))?.try_iter()?;
        Ok(Self::Mapping { _mapping: mapping.clone(), members })
    }

    /// All of a list.
    pub(crate) fn list(list: &Bound<'py, PyList>) -> Self {
        Self::List { list: list.clone(), next: 0 }
    }

    /// All of a tuple.
    pub(crate) fn tuple(tuple: &Bound<'py, PyTuple>) -> Self {
        Self::Tuple { tuple: tuple.clone(), next: 0 }
    }

    /// Whether it is members that come.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self, Self::Dict { .. } | Self::Mapping { .. })
    }

    fn next(&mut self) -> PyResult<Next<'py>> {
        match self {
            Self::Dict { dict, place, size } => next_member(dict, place, *size),
            Self::Mapping { members, .. } => match members.next() {
                Some(pair) => pair_of(&pair?).map(|(name, value)| Next::Member(name, value)),
                None => Ok(Next::EndOfObject),
            },
            Self::List { list, next } if *next < list.len() => {
                *next += 1;
                list.get_item(*next - 1).map(Next::Item)
            }
            Self::Tuple { tuple, next } if *next < tuple.len() => {
                *next += 1;
                tuple.get_item(*next - 1).map(Next::Item)
            }
            Self::List { .. } | Self::Tuple { .. } => Ok(Next::EndOfArray),
        }
    }
}

/// The next member of a dict that had so many when it opened. Where a dict's own iterator in Python
/// raises, this does.
fn next_member<'py>(
    dict: &Bound<'py, PyDict>,
    place: &mut isize,
    size: usize,
) -> PyResult<Next<'py>> {
    with_critical_section(dict, || {
        if dict.len() != size {
            return Err(changed());
        }
        let member = still::member(dict, place);
        Ok(member.map_or(Next::EndOfObject, |(name, value)| Next::Member(name, value)))
    })
}

#[cold]
fn changed() -> PyErr {
    PyRuntimeError::new_err("dictionary changed size during iteration")
}

/// The name and the value in an item of `items()`.
fn pair_of<'py>(pair: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if let Ok(pair) = pair.cast::<PyTuple>()
        && pair.len() == 2
    {
        return Ok((pair.get_item(0)?, pair.get_item(1)?));
    }
    let parts = pair.try_iter()?.take(3).collect::<PyResult<Vec<_>>>()?;
    let [name, value] = <[_; 2]>::try_from(parts)
        .map_err(|_| PyValueError::new_err("data: a mapping's items() must give pairs"))?;
    Ok((name, value))
}
