//! attributes: a whole `attributes` object at once.
//!
//! In: the object. Out: where it ends in compact JSON, if nothing is to be said about it; the ids that `related` names are handed to
//! their rule.
//!
//! Objects and arrays are followed with a small stack. An object whose names are plain strings has none twice. What is open already
//! needs no look here: it would lead to itself, deeper than the stack is.

use crate::express::is_whole;
use crate::rules::shape::RelatedMember;
use crate::scan::Kernel;

use super::json;
use super::known::Attribute;
use super::parsed::{Look, Parsed, Source};
use super::ride::Ride;

/// How deep objects and arrays may go here, `attributes` itself counted.
const DEEP: u64 = 24;

/// How many bytes are read here; more are left to the walk, which can be interrupted.
const LONG: u64 = 1 << 20;

/// The largest integer that receivers read alike, either way.
const EXACT: u64 = (1 << 53) - 1;

/// An entry of `related` that names an id: where the id stands, the id, and the entry's index.
pub(super) type Related<'a> = (u64, &'a [u8], u64);

/// What is still to come of an object or array.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rest<O, A> {
    Object(O),
    Array(A),
}

/// The same for a kind of values.
pub(super) type RestOf<'a, P> = Rest<<P as Parsed<'a>>::Members, <P as Parsed<'a>>::Items>;

/// The innermost object or array that is open, but for `attributes` itself.
struct Innermost<'a, P: Parsed<'a>> {
    rest: RestOf<'a, P>,
    /// How far the reading is.
    end: u64,
    /// Whether something stands in it already.
    filled: bool,
}

/// What a value is.
enum Read<R> {
    /// It takes so many bytes.
    Whole(u64),
    /// It opens.
    Opens(R),
}

/// How far to go.
#[derive(Clone, Copy)]
struct Bounds {
    end: u64,
    levels: usize,
}

impl<'a, K: Kernel, S: Source<'a>> Ride<'_, 'a, K, S> {
    /// Reads the object that begins at `at`; gives where it ends.
    #[inline(always)]
    pub(super) fn attributes(&mut self, value: S::Value, at: u64) -> Option<u64> {
        self.related.clear();
        self.levels.clear();
        let end = self.object(value, at)?;
        let limit = self.tree.settings.limits.attributes_bytes;
        if limit.is_some_and(|allowed| end - at > allowed) {
            return None;
        }
        for &(at, id, index) in &self.related {
            self.tree.await_related(at, index, id, false);
        }
        Some(end)
    }

    /// Follows the object and all within it. Most have nothing but strings and numbers.
    #[inline(always)]
    fn object(&mut self, value: S::Value, at: u64) -> Option<u64> {
        let levels = self.tree.room_in_element().min(DEEP).checked_sub(1)? as usize;
        let bounds = Bounds { end: self.allowed().min(at + LONG), levels };
        // Each member is counted with the comma before it: the first has none, but there is a brace.
        let mut end = at;
        for (name, value) in value.object()? {
            let (name, length) = self.attribute(name)?;
            end += 1 + length;
            end = match name {
                Attribute::Free => match self.value(value)? {
                    Read::Whole(length) => end + length,
                    Read::Opens(rest) => self.within(rest, end, bounds)?,
                },
                _ => self.reserved(name, value, end)?,
            };
            if end > bounds.end {
                return None;
            }
        }
        end = end.max(at + 1) + 1;
        (end <= bounds.end).then_some(end)
    }

    /// What a name is, and how long it is with its colon.
    #[inline(always)]
    fn attribute(&mut self, name: S::Value) -> Option<(Attribute, u64)> {
        self.tree.walked.know(self.kernel, name)
    }

    /// Follows an object or array that begins at `at`, and all within it.
    #[inline(always)]
    fn within(&mut self, rest: RestOf<'a, S::Value>, at: u64, bounds: Bounds) -> Option<u64> {
        let mut open: Innermost<'a, S::Value> = Innermost { rest, end: at + 1, filled: false };
        loop {
            if open.end > bounds.end || self.levels.len() >= bounds.levels {
                return None;
            }
            let next = match &mut open.rest {
                Rest::Array(items) => items.next(),
                Rest::Object(members) => match members.next() {
                    Some((name, value)) => {
                        open.end += self.attribute(name)?.1;
                        Some(value)
                    }
                    None => None,
                },
            };
            let Some(value) = next else {
                (open.end, open.filled) = (open.end + 1, true);
                match self.levels.pop() {
                    Some(outer) => open.rest = outer,
                    None => return Some(open.end),
                }
                continue;
            };
            open.end += u64::from(open.filled);
            open.filled = true;
            match self.value(value)? {
                Read::Whole(length) => open.end += length,
                Read::Opens(rest) => {
                    (open.end, open.filled) = (open.end + 1, false);
                    self.levels.push(std::mem::replace(&mut open.rest, rest));
                }
            }
        }
    }

    /// Reads a value, unless it opens.
    #[inline(always)]
    fn value(&self, value: S::Value) -> Option<Read<RestOf<'a, S::Value>>> {
        Some(Read::Whole(match value.look() {
            Look::String(text) => json::measure(self.kernel, text).0,
            Look::Integer(integer) if integer.unsigned_abs() <= EXACT => json::digits(integer),
            Look::Real(length) => length,
            Look::Boolean(true) | Look::Null => 4,
            Look::Boolean(false) => 5,
            Look::Object(members) => return Some(Read::Opens(Rest::Object(members))),
            Look::Array(items) => return Some(Read::Opens(Rest::Array(items))),
            Look::Integer(_) | Look::Other => return None,
        }))
    }

    /// Reads the value of a name that 5.6 reserves, or of a state, which stands nowhere else (5.3).
    #[inline(always)]
    fn reserved(&mut self, name: Attribute, value: S::Value, at: u64) -> Option<u64> {
        match name {
            Attribute::Author => Some(at + self.string(value)?.1),
            Attribute::Related => self.related(value, at),
            _ => None,
        }
    }

    #[inline(always)]
    fn related(&mut self, value: S::Value, at: u64) -> Option<u64> {
        if self.tree.room_in_element() < 3 {
            return None;
        }
        let mut end = at + 1;
        for (index, entry) in value.array()?.enumerate() {
            end = self.entry(entry, index as u64, end + u64::from(index > 0))?;
            if end > at + LONG {
                return None;
            }
        }
        Some(end + 1)
    }

    #[inline(always)]
    fn entry(&mut self, value: S::Value, index: u64, at: u64) -> Option<u64> {
        let mut seen = 0;
        // Each member is counted with the comma before it: the first has none, but there is a brace.
        let mut end = at;
        for (name, value) in value.object()? {
            let (member, length): (RelatedMember, _) = self.know(name)?;
            end += 1 + length;
            seen |= 1 << member as u8;
            let (text, length, _) = self.string(value)?;
            if member == RelatedMember::Id {
                (text.len() <= 128).then_some(())?;
                self.related.push((end, text, index));
            }
            end += length;
        }
        is_whole(seen).then_some(end + 1)
    }
}
