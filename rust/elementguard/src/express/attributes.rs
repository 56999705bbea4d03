//! attributes: a whole `attributes` object at once.
//!
//! In: the lane at the object's `{`. Out: the place behind it if nothing is to be said about it, and the ids that `related` names.
//!
//! Objects and arrays are followed with a small stack of their own. Should a name come twice, or one that is too long to be
//! remembered, the lexer reads the object and decides.

use crate::rules::shape::RelatedMember;
use crate::scan::{Job, Kernel};
use crate::tree::Tree;

use super::foreseen::{Foreseen, Meaning, START};
use super::lane::Lane;
use super::told::Token;

/// How deep objects and arrays may go here, `attributes` itself counted.
const DEEP: u64 = 24;

/// An entry of `related` that names an id: where the id stands and how long it is, and the entry's index.
type Related = (usize, usize, u64);

/// What a reading of `attributes` or of a fault needs, kept from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The entries of `related` that name ids.
    related: Vec<Related>,
    names: Foreseen,
    /// The objects and arrays around the innermost one.
    levels: Vec<Level>,
    /// What is told of a member, and the text of a string with escapes.
    pub(super) tokens: Vec<Token>,
    pub(super) text: Vec<u8>,
}

/// An open object or array.
#[derive(Clone, Copy, Debug)]
struct Level {
    is_object: bool,
    /// A bit for each of its names.
    names: u64,
}

/// Reads the object to its end.
pub(super) struct Read<'a, K> {
    pub(super) lane: Lane<'a, K>,
    pub(super) tree: &'a mut Tree,
    pub(super) at: usize,
}

impl<L: Kernel> Job for Read<'_, L> {
    type Out = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let lane =
            Lane { kernel, bytes: self.lane.bytes, end: self.lane.end, base: self.lane.base };
        let allowed = self.tree.room_in_element().min(DEEP) as usize;
        let limit = self.tree.settings.limits.attributes_bytes;
        let scratch = &mut self.tree.scratch;
        scratch.related.clear();
        scratch.names.begin();
        scratch.levels.clear();
        if lane.byte(self.at) != b'{' {
            return None;
        }
        let behind = Walk { lane, allowed, scratch, is_opaque: false }.whole(self.at)?;
        let fits = limit.is_none_or(|allowed| (behind - self.at) as u64 <= allowed);
        (behind <= lane.end && fits).then_some(behind)
    }
}

/// Hands the ids that `related` names to their rule.
#[inline(always)]
pub(super) fn settle<K: Kernel>(lane: Lane<'_, K>, tree: &mut Tree) {
    if tree.scratch.related.is_empty() {
        return;
    }
    let related = std::mem::take(&mut tree.scratch.related);
    for &(start, length, index) in &related {
        let text = lane.bytes.get(start..start + length).unwrap_or_default();
        tree.await_related(lane.offset(start) - 1, index, text, tree.ids.is_at_hand);
    }
    tree.scratch.related = related;
}

/// What stands behind a name.
enum Value {
    /// Its value begins there.
    Begins(usize),
    /// Its value was read and ends there.
    WasRead(usize),
}

struct Walk<'a, 'b, K> {
    lane: Lane<'a, K>,
    allowed: usize,
    scratch: &'b mut Scratch,
    /// Whether no name means anything.
    is_opaque: bool,
}

/// Reads an object or array that is only checked as JSON; gives the place behind it.
#[inline(always)]
pub(super) fn opaque<K: Kernel>(
    lane: Lane<'_, K>,
    scratch: &mut Scratch,
    at: usize,
    allowed: u64,
) -> Option<usize> {
    scratch.names.begin();
    scratch.levels.clear();
    Walk { lane, allowed: allowed.min(DEEP) as usize, scratch, is_opaque: true }.whole(at)
}

impl<K: Kernel> Walk<'_, '_, K> {
    /// Reads an object or array from its bracket on; gives the place behind it.
    #[inline(always)]
    fn whole(&mut self, at: usize) -> Option<usize> {
        let byte = self.lane.byte(at);
        let mut level = Level { is_object: byte == b'{', names: 0 };
        let mut at = self.lane.skip(at + 1);
        if self.allowed == 0 {
            return None;
        }
        // In ASCII a closing bracket stands two behind its opening one.
        if self.lane.byte(at) == byte + 2 {
            return Some(at + 1);
        }
        let mut last = START;
        'next: loop {
            // A name and its value, or an item, stands here.
            let value = if level.is_object {
                self.name(at, &mut level, &mut last)?
            } else {
                Value::Begins(at)
            };
            at = match value {
                Value::WasRead(behind) => behind,
                Value::Begins(place) => match self.lane.byte(place) {
                    byte @ (b'{' | b'[') => {
                        self.scratch.levels.push(level);
                        if self.scratch.levels.len() >= self.allowed {
                            return None;
                        }
                        level = Level { is_object: byte == b'{', names: 0 };
                        at = self.lane.skip(place + 1);
                        if self.lane.byte(at) != byte + 2 {
                            continue 'next;
                        }
                        at
                    }
                    byte => self.scalar(place, byte)?,
                },
            };
            // Behind a value, or at the bracket of an empty object or array.
            loop {
                let (byte, behind) = self.lane.structure(at)?;
                at = behind;
                if byte == b',' {
                    break;
                }
                if byte != (if level.is_object { b'}' } else { b']' }) {
                    return None;
                }
                let Some(outer) = self.scratch.levels.pop() else { return Some(at) };
                level = outer;
            }
            at = self.lane.skip(at);
        }
    }

    /// Reads a name and the colon. What 5.3 and 5.6 say of names at the top is seen to.
    #[inline(always)]
    fn name(&mut self, at: usize, level: &mut Level, last: &mut u8) -> Option<Value> {
        let window = self.lane.window(at)?;
        let name = self.scratch.names.read(self.lane.kernel, window, *last)?;
        *last = name.number;
        let bit = 1 << (name.number % 64);
        if level.names & bit != 0 {
            return None;
        }
        level.names |= bit;
        let value = self.lane.skip(at + name.length);
        if name.meaning != Meaning::Free && self.scratch.levels.is_empty() && !self.is_opaque {
            return self.reserved(name.meaning, value);
        }
        Some(Value::Begins(value))
    }

    /// What stands behind a name that the spec knows.
    #[inline(always)]
    fn reserved(&mut self, meaning: Meaning, value: usize) -> Option<Value> {
        match meaning {
            Meaning::State => None,
            Meaning::Author if self.lane.byte(value) != b'"' => None,
            Meaning::Related => Some(Value::WasRead(self.related(value)?)),
            _ => Some(Value::Begins(value)),
        }
    }

    /// Reads `related`; gives the place behind it.
    #[inline(always)]
    fn related(&mut self, at: usize) -> Option<usize> {
        if self.allowed < 3 {
            return None;
        }
        let mut at = self.lane.skip(self.lane.eat(at, b"[")?);
        if let Some(behind) = self.lane.eat(at, b"]") {
            return Some(behind);
        }
        for index in 0.. {
            at = self.lane.skip(self.entry(self.lane.eat(at, b"{")?, index)?);
            match self.lane.structure(at)? {
                (b',', behind) => at = self.lane.skip(behind),
                (b']', behind) => return Some(behind),
                _ => return None,
            }
        }
        None
    }

    /// Reads an entry behind its `{`; gives the place behind it.
    #[inline(always)]
    fn entry(&mut self, mut at: usize, index: u64) -> Option<usize> {
        let mut seen = 0;
        loop {
            let (member, behind) = self.entry_name(self.lane.skip(at))?;
            let value = self.lane.colon(behind)?;
            let bit = 1 << member as u8;
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
            at = if member == RelatedMember::Id {
                let (text, _) = self.lane.string(value)?;
                (text.len() <= 128).then_some(())?;
                self.scratch.related.push((value + 1, text.len(), index));
                value + text.len() + 2
            } else {
                self.lane.text(self.lane.quote(value)?)?.1
            };
            match self.lane.structure(at)? {
                (b',', behind) => at = behind,
                (b'}', behind) => return is_whole(seen).then_some(behind),
                _ => return None,
            }
        }
    }

    #[inline(always)]
    fn entry_name(&self, at: usize) -> Option<(RelatedMember, usize)> {
        if let Some(behind) = self.lane.eat(at, b"\"relation\"") {
            return Some((RelatedMember::Relation, behind));
        }
        if let Some(behind) = self.lane.eat(at, b"\"id\"") {
            return Some((RelatedMember::Id, behind));
        }
        Some((RelatedMember::Url, self.lane.eat(at, b"\"url\"")?))
    }

    #[inline(always)]
    fn scalar(&mut self, at: usize, byte: u8) -> Option<usize> {
        match byte {
            b'"' => match self.lane.near_text(at + 1) {
                Some(behind) => Some(behind),
                None => Some(self.lane.text(at + 1)?.1),
            },
            b'-' | b'0'..=b'9' => self.lane.number(at),
            b't' => self.lane.eat(at, b"true"),
            b'f' => self.lane.eat(at, b"false"),
            b'n' => self.lane.eat(at, b"null"),
            _ => None,
        }
    }
}

/// Whether the members seen of an entry of `related`, a bit for each, are all that one has.
pub(crate) fn is_whole(seen: u8) -> bool {
    let has = |member: RelatedMember| seen >> member as u8 & 1 == 1;
    has(RelatedMember::Relation) && (has(RelatedMember::Id) || has(RelatedMember::Url))
}
