//! identities: who the open containers are.
//!
//! Comes in: containers, as they open and close, innermost last. Goes out: whether one is open
//! already, which would never end.
//!
//! Every object of an answer asks, and hardly any is open: a bit for each of those that are tells
//! most that they are not. What is opened during a ride (see `still`) is not held, so it is also said
//! here what comes next in it.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr::NonNull;

use pyo3::ffi::PyObject;

/// Up to this depth, containers are told apart one by one.
const SHALLOW: usize = 16;

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// How many there is room for from the start.
const ROOM: usize = 24;

/// Who an object is.
pub(crate) type Who = NonNull<PyObject>;

/// The identities of the open containers.
pub(crate) struct Identities {
    path: Vec<Identity>,
    /// Those from [`SHALLOW`] on, but for the innermost one: most have none within them.
    deep: HashSet<Who, BuildHasherDefault<Spread>>,
    /// A bit for each of all; others may have the same.
    marks: u64,
}

/// A container that is open.
#[derive(Clone, Copy)]
pub(crate) struct Identity {
    pub(crate) who: Who,
    /// During a ride: the place in it of what comes next, and how many items a list has, or how many
    /// members of a dict are still to come at most.
    pub(crate) place: isize,
    pub(crate) size: isize,
    /// The bits of those around it.
    marks: u64,
}

impl Default for Identities {
    fn default() -> Self {
        Self { path: Vec::with_capacity(ROOM), deep: HashSet::default(), marks: 0 }
    }
}

impl Identities {
    /// How many containers are open.
    pub(crate) fn len(&self) -> usize {
        self.path.len()
    }

    /// One of them, the outermost being the first.
    pub(crate) fn get(&self, index: usize) -> Option<&Identity> {
        self.path.get(index)
    }

    /// The innermost one.
    #[inline(always)]
    pub(crate) fn innermost(&mut self) -> Option<&mut Identity> {
        self.path.last_mut()
    }

    /// A container opens, unless it is open already.
    #[inline(always)]
    pub(crate) fn enter(&mut self, who: Who, size: isize) -> bool {
        let mark = 1 << ((who.addr().get() as u64).wrapping_mul(ODD) >> 58);
        if self.marks & mark != 0 && self.has(who) {
            return false;
        }
        if self.path.len() > SHALLOW {
            self.deepen();
        }
        self.path.push(Identity { who, place: 0, size, marks: self.marks });
        self.marks |= mark;
        true
    }

    /// The innermost container closes.
    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        if let Some(innermost) = self.path.pop() {
            self.marks = innermost.marks;
        }
        if self.path.len() > SHALLOW {
            self.rise();
        }
    }

    #[inline(never)]
    fn has(&self, who: Who) -> bool {
        self.path.last().is_some_and(|last| last.who == who)
            || self.path.iter().take(SHALLOW).any(|open| open.who == who)
            || self.deep.contains(&who)
    }

    /// Another one will open in the innermost container.
    #[inline(never)]
    fn deepen(&mut self) {
        self.deep.extend(self.path.last().map(|last| last.who));
    }

    /// What was open in the innermost container has closed.
    #[inline(never)]
    fn rise(&mut self) {
        if let Some(last) = self.path.last() {
            self.deep.remove(&last.who);
        }
    }
}

/// Spreads addresses. Who sends an answer has no say in them.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(usize::from(byte));
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = (self.0 ^ number as u64).wrapping_mul(ODD);
        self.0 ^= self.0 >> 32;
    }
}
