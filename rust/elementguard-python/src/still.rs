//! still: looks at parsed objects while nothing can change them. All `unsafe` of the binding is here.
//!
//! Comes in: a walk, and the containers that it is inside of. Goes out: the walk, further on.
//!
//! Almost all of what is walked over is plain: dicts, lists, strings. To look at these, no code of others runs; so while nothing
//! else is done, the interpreter's lock is held and no garbage is collected, nothing changes and nothing is freed, and what was
//! seen needs no reference to be held. That is a ride. What is not plain ends it. An interpreter without a lock has no such
//! moments: there are no rides there.
//!
//! Besides, an object of a class of Python's is made here without asking its class to.

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::slice;
use std::sync::{Mutex, PoisonError};

use elementguard::{KnownNames, Look, Parsed, Source, Walk};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};

use crate::identities::{Identities, Identity};
use crate::number;
use crate::open::{Open, Rest};

/// The spec's names that answers had.
static NAMES: Mutex<KnownNames<Py<PyAny>>> = Mutex::new(KnownNames::new());

/// Walks on over what is plain; gives how many values that were.
pub(crate) fn ride<'py>(py: Python<'py>, walk: &mut Walk, open: &mut Open<'py>) -> u32 {
    let Some(_moment) = Moment::begin(py, walk) else { return 0 };
    let Some((place, size)) = open.innermost().and_then(|rest| next_in(rest)) else { return 0 };
    if let Some(innermost) = open.identities.innermost() {
        (innermost.place, innermost.size) = (place, size);
    }
    go_on(py, walk, open)
}

/// Walks over a dict that has just begun, which the caller holds; over nothing where there are no rides. What is then open is held.
pub(crate) fn ride_into<'py>(
    dict: &Bound<'py, PyDict>,
    walk: &mut Walk,
    open: &mut Open<'py>,
) -> u32 {
    let Some(_moment) = Moment::begin(dict.py(), walk) else {
        open.push(Rest::dict(dict));
        return 0;
    };
    if let Some(innermost) = open.identities.innermost() {
        innermost.size = dict.len().cast_signed();
    }
    go_on(dict.py(), walk, open)
}

fn go_on<'py>(py: Python<'py>, walk: &mut Walk, open: &mut Open<'py>) -> u32 {
    let floor = open.held();
    let mut glance = Glance { open: &mut open.identities, floor, moment: PhantomData };
    // Whoever rides has the interpreter's lock, so nobody waits for this one.
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let steps = walk.ride(&mut glance, &mut names);
    hold(py, open, floor);
    steps
}

/// The place of what comes next, and how many items a list has, or members a dict has at most; nothing if a dict's size is another.
fn next_in(rest: &Rest<'_>) -> Option<(isize, isize)> {
    match rest {
        Rest::Dict { dict, place, size } => (dict.len() == *size).then_some((*place, isize::MAX)),
        Rest::List { list, next } => Some((next.cast_signed(), list.len().cast_signed())),
        _ => None,
    }
}

/// Holds what was opened in a ride and is open yet; so many containers were held before.
fn hold<'py>(py: Python<'py>, open: &mut Open<'py>, floor: usize) {
    let place_in = |index| open.identities.get(index).map(|open| (open.who, open.place));
    let held = floor.checked_sub(1).and_then(place_in);
    match (open.innermost(), held) {
        (Some(Rest::Dict { place, .. }), Some((_, now))) => *place = now,
        (Some(Rest::List { next, .. }), Some((_, now))) => *next = now.cast_unsigned(),
        _ => {}
    }
    for index in floor..open.identities.len() {
        let Some(&Identity { who, place, .. }) = open.identities.get(index) else { return };
        // SAFETY: it was seen in this moment, which has not ended.
        let container = unsafe { Bound::from_borrowed_ptr(py, who.as_ptr()) };
        if let Ok(dict) = container.cast_exact::<PyDict>() {
            open.push(Rest::Dict { dict: dict.clone(), place, size: dict.len() });
        } else if let Ok(list) = container.cast_exact::<PyList>() {
            open.push(Rest::List { list: list.clone(), next: place.cast_unsigned() });
        }
    }
}

/// The member of a dict that may change at other times, and the place behind it. The caller holds the lock, or the dict's.
pub(crate) fn member<'py>(
    dict: &Bound<'py, PyDict>,
    place: &mut isize,
) -> Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let py = dict.py();
    // SAFETY: what is held is there.
    let (name, value) = next_of(unsafe { Seen::new(dict.as_ptr()) }, place)?;
    // SAFETY: both are in the dict, and no code has run that could have changed it.
    let own = |seen: Seen<'_>| unsafe { Bound::from_borrowed_ptr(py, seen.as_ptr()) };
    Some((own(name), own(value)))
}

/// A class whose objects have slots and no constructor, and some of these slots, each with what sets it.
pub(crate) struct Slotted<const N: usize> {
    class: Py<PyType>,
    slots: [Option<(Py<PyAny>, ffi::descrsetfunc)>; N],
}

impl<const N: usize> Slotted<N> {
    pub(crate) fn new(class: &Bound<'_, PyType>, names: [&str; N]) -> Self {
        let slots = names.map(|name| {
            let slot = class.getattr(name).ok()?;
            let class = slot.get_type_ptr();
            // SAFETY: that is a class, and what stands there in a class is a function of this type, or null.
            let set: Option<_> =
                unsafe { std::mem::transmute(ffi::PyType_GetSlot(class, ffi::Py_tp_descr_set)) };
            Some((slot.unbind(), set?))
        });
        Self { class: class.clone().unbind(), slots }
    }

    /// An object of the class that has these values in its slots, and nothing in others.
    pub(crate) fn holding<'py>(
        &self,
        py: Python<'py>,
        values: [Option<&Bound<'py, PyAny>>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: it is a class whose objects have one size; what is given is a new reference, or null with an exception set.
        // The object is of the class that the slots belong to.
        unsafe {
            let object = ffi::PyType_GenericAlloc(self.class.as_ptr().cast(), 0);
            let object = Bound::from_owned_ptr_or_err(py, object)?;
            for (slot, value) in self.slots.iter().zip(values) {
                let (Some((slot, set)), Some(value)) = (slot, value) else { continue };
                if set(slot.as_ptr(), object.as_ptr(), value.as_ptr()) != 0 {
                    return Err(PyErr::fetch(py));
                }
            }
            Ok(object)
        }
    }
}

/// While it lasts no garbage is collected: else others' code might run where something is made, be it an exception nobody sees.
struct Moment<'py> {
    was_collecting: bool,
    _attached: Python<'py>,
}

impl<'py> Moment<'py> {
    /// Nothing if it would be of no use.
    fn begin(attached: Python<'py>, walk: &Walk) -> Option<Self> {
        if cfg!(Py_GIL_DISABLED) || !walk.may_ride() {
            return None;
        }
        // SAFETY: the thread is attached to the interpreter.
        let was_collecting = unsafe { ffi::PyGC_Disable() } != 0;
        Some(Self { was_collecting, _attached: attached })
    }
}

impl Drop for Moment<'_> {
    fn drop(&mut self) {
        if self.was_collecting {
            // SAFETY: the thread is still attached to the interpreter.
            unsafe { ffi::PyGC_Enable() };
        }
    }
}

/// An object that was seen in this moment.
#[derive(Clone, Copy, Debug)]
struct Seen<'m>(NonNull<ffi::PyObject>, PhantomData<&'m ()>);

/// The members of a dict that are still to come.
#[derive(Clone, Debug)]
struct Members<'m> {
    dict: Seen<'m>,
    place: isize,
    /// How many there are at most: to be told that none is left costs more than to count them.
    left: isize,
}

/// The items of a list that are still to come.
#[derive(Clone, Debug)]
struct Items<'m> {
    list: Seen<'m>,
    next: isize,
    size: isize,
}

/// Whether an object is of a class, and of no subclass.
macro_rules! is {
    ($seen:expr, $class:ident) => {
        $seen.class() == (&raw mut ffi::$class)
    };
}

impl<'m> Seen<'m> {
    /// # Safety
    ///
    /// It is an object, and there for this moment.
    #[inline(always)]
    unsafe fn new(object: *mut ffi::PyObject) -> Self {
        // SAFETY: no object is at null.
        Self(unsafe { NonNull::new_unchecked(object) }, PhantomData)
    }

    #[inline(always)]
    fn as_ptr(self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    #[inline(always)]
    fn class(self) -> *mut ffi::PyTypeObject {
        // SAFETY: what was seen in this moment is still there.
        unsafe { ffi::Py_TYPE(self.as_ptr()) }
    }

    #[inline(always)]
    fn utf8(self) -> Option<&'m [u8]> {
        let mut size = 0;
        // SAFETY: it is there, and a string; its UTF-8 is kept with it, and nothing of it changes.
        unsafe {
            let text = ffi::PyUnicode_AsUTF8AndSize(self.as_ptr(), &raw mut size);
            if text.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            Some(slice::from_raw_parts(text.cast(), size.cast_unsigned()))
        }
    }

    #[inline(always)]
    fn integer(self) -> Option<i64> {
        let mut overflow = 0;
        // SAFETY: it is there, and an int.
        let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(self.as_ptr(), &raw mut overflow) };
        (overflow == 0).then_some(value)
    }

    #[inline(always)]
    fn real(self) -> Option<u64> {
        // SAFETY: it is there, and a float.
        number::length(unsafe { ffi::PyFloat_AsDouble(self.as_ptr()) })
    }

    /// How many members a dict has.
    #[inline(always)]
    fn count(self) -> isize {
        // SAFETY: it is there, and a dict.
        unsafe { ffi::PyDict_Size(self.as_ptr()) }
    }

    /// How many items a list has.
    #[inline(always)]
    fn size(self) -> isize {
        // SAFETY: it is there, and a list.
        unsafe { ffi::PyList_Size(self.as_ptr()) }
    }

    /// An item of a list that is longer.
    #[inline(always)]
    fn item(self, index: isize) -> Option<Self> {
        // SAFETY: it is there, and a list; its item stays in it for this moment.
        NonNull::new(unsafe { ffi::PyList_GetItem(self.as_ptr(), index) })
            .map(|item| Self(item, PhantomData))
    }
}

/// The member of a dict at a place, which moves on.
#[inline(always)]
fn next_of<'m>(dict: Seen<'m>, place: &mut isize) -> Option<(Seen<'m>, Seen<'m>)> {
    let (mut name, mut value) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: it is there, and a dict, which takes any place. If it has a member there, both are
    // set, and stay in it for this moment.
    unsafe {
        let dict = dict.as_ptr();
        let found = ffi::PyDict_Next(dict, place, name.as_mut_ptr(), value.as_mut_ptr());
        (found != 0).then(|| (Seen::new(name.assume_init()), Seen::new(value.assume_init())))
    }
}

impl<'m> Iterator for Members<'m> {
    type Item = (Seen<'m>, Seen<'m>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        next_of(self.dict, &mut self.place)
    }
}

impl<'m> Iterator for Items<'m> {
    type Item = Seen<'m>;

    #[inline(always)]
    fn next(&mut self) -> Option<Seen<'m>> {
        if self.next >= self.size {
            return None;
        }
        self.next += 1;
        self.list.item(self.next - 1)
    }
}

impl<'m> Parsed<'m> for Seen<'m> {
    type Members = Members<'m>;
    type Items = Items<'m>;
    type Held = Py<PyAny>;

    #[inline(always)]
    fn identity(self) -> usize {
        self.as_ptr() as usize
    }

    fn hold(self) -> Py<PyAny> {
        // SAFETY: it is there, and whoever sees it is attached to the interpreter.
        unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), self.as_ptr()).unbind() }
    }

    #[inline(always)]
    fn string(self) -> Option<&'m [u8]> {
        if is!(self, PyUnicode_Type) { self.utf8() } else { None }
    }

    #[inline(always)]
    fn boolean(self) -> Option<bool> {
        // SAFETY: both are always there.
        let (yes, no) = unsafe { (ffi::Py_True(), ffi::Py_False()) };
        match self.as_ptr() {
            object if object == yes => Some(true),
            object if object == no => Some(false),
            _ => None,
        }
    }

    #[inline(always)]
    fn object(self) -> Option<Members<'m>> {
        is!(self, PyDict_Type).then(|| Members { dict: self, place: 0, left: self.count() })
    }

    #[inline(always)]
    fn array(self) -> Option<Items<'m>> {
        if !is!(self, PyList_Type) {
            return None;
        }
        Some(Items { list: self, next: 0, size: self.size() })
    }

    #[inline(always)]
    fn look(self) -> Look<'m, Self> {
        self.plain().unwrap_or(Look::Other)
    }
}

impl<'m> Seen<'m> {
    #[inline(always)]
    fn plain(self) -> Option<Look<'m, Self>> {
        let class = self.class();
        Some(if class == &raw mut ffi::PyUnicode_Type {
            Look::String(self.utf8()?)
        } else if class == &raw mut ffi::PyLong_Type {
            Look::Integer(self.integer()?)
        } else if class == &raw mut ffi::PyFloat_Type {
            Look::Real(self.real()?)
        } else if class == &raw mut ffi::PyBool_Type {
            Look::Boolean(self.boolean()?)
        } else if let Some(members) = self.object() {
            Look::Object(members)
        } else if let Some(items) = self.array() {
            Look::Array(items)
        // SAFETY: it is always there.
        } else if self.as_ptr() == unsafe { ffi::Py_None() } {
            Look::Null
        } else {
            return None;
        })
    }
}

/// The open containers, of which some were opened in this moment.
struct Glance<'o, 'm> {
    open: &'o mut Identities,
    /// How many were open before.
    floor: usize,
    moment: PhantomData<&'m ()>,
}

impl<'m> Source<'m> for Glance<'_, 'm> {
    type Value = Seen<'m>;

    #[inline(always)]
    fn members(&mut self) -> Option<Members<'m>> {
        let &mut Identity { who, place, size, .. } = self.open.innermost()?;
        Some(Members { dict: Seen(who, PhantomData), place, left: size })
    }

    #[inline(always)]
    fn leave_at(&mut self, members: Members<'m>) {
        if let Some(innermost) = self.open.innermost() {
            (innermost.place, innermost.size) = (members.place, members.left);
        }
    }

    #[inline(always)]
    fn item(&mut self) -> Option<Seen<'m>> {
        let Identity { who, place, size, .. } = self.open.innermost()?;
        if *place >= *size {
            return None;
        }
        *place += 1;
        Seen(*who, PhantomData).item(*place - 1)
    }

    #[inline(always)]
    fn step_back(&mut self) {
        if let Some(innermost) = self.open.innermost() {
            innermost.place -= 1;
        }
    }

    #[inline(always)]
    fn open_object(&mut self, value: Seen<'m>) -> bool {
        is!(value, PyDict_Type) && self.open.enter(value.0, value.count())
    }

    #[inline(always)]
    fn open_array(&mut self, value: Seen<'m>) -> bool {
        is!(value, PyList_Type) && self.open.enter(value.0, value.size())
    }

    #[inline(always)]
    fn close(&mut self) -> bool {
        let is_within = self.open.len() > self.floor;
        if is_within {
            self.open.leave();
        }
        is_within
    }
}
