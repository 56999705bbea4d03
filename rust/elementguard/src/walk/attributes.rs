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

/// The innermost object or array that is open.
struct Innermost<'a, P: Parsed<'a>> {
    rest: RestOf<'a, P>,
    /// How far the reading is.
    end: u64,
    /// Whether something stands in it already.
    filled: bool,
}

/// What comes next.
enum Next<P> {
    /// A value; what is before it was counted.
    Value(P),
    /// A member that was read whole.
    WasRead,
    /// The end of the innermost object or array.
    End,
}

impl<'a, P: Parsed<'a>> Innermost<'a, P> {
    /// Another one opens within it, which is left.
    #[inline(always)]
    fn enter(&mut self, rest: RestOf<'a, P>) -> RestOf<'a, P> {
        (self.end, self.filled) = (self.end + 1, false);
        std::mem::replace(&mut self.rest, rest)
    }
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

    /// Follows an object and all within it.
    #[inline(always)]
    fn object(&mut self, value: S::Value, at: u64) -> Option<u64> {
        let deepest = self.tree.room_in_element().min(DEEP).checked_sub(1)? as usize;
        let longest = self.allowed().min(at + LONG);
        let rest = Rest::Object(value.object()?);
        let mut open = Innermost { rest, end: at + 1, filled: false };
        loop {
            match self.next_of(&mut open)? {
                Next::Value(value) => self.value(&mut open, value)?,
                Next::WasRead => {}
                Next::End => {
                    (open.end, open.filled) = (open.end + 1, true);
                    match self.levels.pop() {
                        Some(outer) => open.rest = outer,
                        None => return (open.end <= longest).then_some(open.end),
                    }
                }
            }
            if open.end > longest || self.levels.len() > deepest {
                return None;
            }
        }
    }

    /// What comes next in the innermost object or array.
    #[inline(always)]
    fn next_of(&mut self, open: &mut Innermost<'a, S::Value>) -> Option<Next<S::Value>> {
        let comma = u64::from(open.filled);
        let value = match &mut open.rest {
            Rest::Array(items) => {
                let Some(item) = items.next() else { return Some(Next::End) };
                item
            }
            Rest::Object(members) => {
                let Some((name, value)) = members.next() else { return Some(Next::End) };
                let (name, length) = self.know(name)?;
                open.end += length;
                if name != Attribute::Free && self.levels.is_empty() {
                    open.end = self.reserved(name, value, open.end + comma)?;
                    open.filled = true;
                    return Some(Next::WasRead);
                }
                value
            }
        };
        (open.end, open.filled) = (open.end + comma, true);
        Some(Next::Value(value))
    }

    /// Reads a value, or enters it.
    #[inline(always)]
    fn value(&mut self, open: &mut Innermost<'a, S::Value>, value: S::Value) -> Option<()> {
        open.end += match value.look() {
            Look::String(text) => json::measure(self.kernel, text).0,
            Look::Integer(integer) if integer.unsigned_abs() <= EXACT => json::digits(integer),
            Look::Real(length) => length,
            Look::Boolean(true) | Look::Null => 4,
            Look::Boolean(false) => 5,
            Look::Object(members) => {
                self.levels.push(open.enter(Rest::Object(members)));
                0
            }
            Look::Array(items) => {
                self.levels.push(open.enter(Rest::Array(items)));
                0
            }
            Look::Integer(_) | Look::Other => return None,
        };
        Some(())
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
