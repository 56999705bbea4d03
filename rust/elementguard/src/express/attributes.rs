//! attributes: a whole `attributes` object at once.
//!
//! In: the lane at the object's `{`. Out: the place behind it if nothing is to be said about it, and the ids that `related` names.
//!
//! Objects and arrays are followed with a small stack of their own. That no name comes twice is seen by comparing keyed hashes;
//! should two agree, by accident or because the name is the same, the lexer reads the object and decides.

use crate::rules::shape::RelatedMember;
use crate::scan::{Job, Kernel};
use crate::tree::Tree;

use super::lane::Lane;

/// How deep objects and arrays may go here, `attributes` itself counted.
const DEEP: usize = 24;

/// How many names may be open here at a time.
const MANY: usize = 128;

/// An entry of `related` that names an id: where the id stands and how long it is, and the entry's index.
pub(crate) type Related = (usize, usize, u64);

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
        let allowed = self.tree.room_in_element().min(DEEP as u64) as usize;
        let mut related = std::mem::take(&mut self.tree.related);
        related.clear();
        let mut walk =
            Walk { lane, allowed, tree: self.tree, related: &mut related, names: Names::new() };
        let behind = walk.object(self.at).filter(|&behind| behind <= lane.end);
        self.tree.related = related;
        let limit = self.tree.settings.limits.attributes_bytes;
        behind.filter(|&behind| limit.is_none_or(|allowed| (behind - self.at) as u64 <= allowed))
    }
}

/// Hands the ids that `related` names to their rule.
#[inline(always)]
pub(super) fn settle<K: Kernel>(lane: Lane<'_, K>, tree: &mut Tree) {
    if tree.related.is_empty() {
        return;
    }
    let related = std::mem::take(&mut tree.related);
    for &(start, length, index) in &related {
        let text = lane.bytes.get(start..start + length).unwrap_or_default();
        tree.await_related(lane.offset(start) - 1, index, text, None);
    }
    tree.related = related;
}

/// The names of the objects that are open.
struct Names {
    hashes: [u64; MANY],
    length: usize,
    /// A bit for each hash modulo 64 in the innermost object.
    filter: u64,
}

/// Where an open object or array began.
#[derive(Clone, Copy, Default)]
struct Level {
    is_object: bool,
    names_from: u8,
    filter: u64,
}

impl Names {
    #[inline(always)]
    fn new() -> Self {
        Self { hashes: [0; MANY], length: 0, filter: 0 }
    }

    /// Adds a name to the innermost object, of which the names begin at `from`; nothing if it may be there already.
    #[inline(always)]
    fn add(&mut self, hash: u64, from: usize) -> Option<()> {
        let bit = 1 << (hash & 63);
        if self.filter & bit != 0 && self.hashes.get(from..self.length)?.contains(&hash) {
            return None;
        }
        self.filter |= bit;
        *self.hashes.get_mut(self.length)? = hash;
        self.length += 1;
        Some(())
    }
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
    tree: &'b Tree,
    related: &'b mut Vec<Related>,
    names: Names,
}

impl<K: Kernel> Walk<'_, '_, K> {
    /// Reads `attributes` from its `{` on; gives the place behind it.
    #[inline(always)]
    fn object(&mut self, at: usize) -> Option<usize> {
        let mut levels = [Level::default(); DEEP];
        let mut depth = 0;
        let mut at = self.open(&mut levels, &mut depth, self.lane.eat(at, b"{")?, true)?;
        if self.lane.byte(at) == b'}' {
            return Some(at + 1);
        }
        'next: loop {
            // A name and its value, or an item, stands here.
            let level = *levels.get(depth.wrapping_sub(1))?;
            let value = if level.is_object {
                self.name(at, depth == 1, usize::from(level.names_from))?
            } else {
                Value::Begins(at)
            };
            at = match value {
                Value::WasRead(behind) => behind,
                Value::Begins(place) => match self.lane.byte(place) {
                    byte @ (b'{' | b'[') => {
                        at = self.open(&mut levels, &mut depth, place + 1, byte == b'{')?;
                        // In ASCII a closing bracket stands two behind its opening one.
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
                let level = *levels.get(depth.wrapping_sub(1))?;
                if byte != (if level.is_object { b'}' } else { b']' }) {
                    return None;
                }
                self.names.length = usize::from(level.names_from);
                self.names.filter = level.filter;
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            at = self.lane.skip(at);
        }
    }

    /// An object or array begins; gives the place of what stands first in it.
    #[inline(always)]
    fn open(
        &mut self,
        levels: &mut [Level; DEEP],
        depth: &mut usize,
        at: usize,
        is_object: bool,
    ) -> Option<usize> {
        if *depth >= self.allowed {
            return None;
        }
        levels[*depth] =
            Level { is_object, names_from: self.names.length as u8, filter: self.names.filter };
        self.names.filter = 0;
        *depth += 1;
        Some(self.lane.skip(at))
    }

    /// Reads a name and the colon. What 5.3 and 5.6 say of names at the top is seen to.
    #[inline(always)]
    fn name(&mut self, at: usize, is_top: bool, from: usize) -> Option<Value> {
        let (name, _) = self.lane.string(at)?;
        self.names.add(self.tree.keys.quick(name), from)?;
        let value = self.lane.colon(at + name.len() + 2)?;
        if is_top && (6..=8).contains(&name.len()) {
            return self.reserved(name, value);
        }
        Some(Value::Begins(value))
    }

    /// The names that 5.6 reserves, and those of states, which stand nowhere else (5.3).
    fn reserved(&mut self, name: &[u8], value: usize) -> Option<Value> {
        match name {
            b"author" if self.lane.byte(value) != b'"' => None,
            b"selected" | b"focused" | b"visible" | b"hovered" => None,
            b"related" => Some(Value::WasRead(self.related(value)?)),
            _ => Some(Value::Begins(value)),
        }
    }

    /// Reads `related`; gives the place behind it.
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
                self.related.push((value + 1, text.len(), index));
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
            b'"' => Some(self.lane.text(at + 1)?.1),
            b'-' | b'0'..=b'9' => self.lane.number(at),
            b't' => self.lane.eat(at, b"true"),
            b'f' => self.lane.eat(at, b"false"),
            b'n' => self.lane.eat(at, b"null"),
            _ => None,
        }
    }
}

/// Whether the members seen of an entry of `related`, a bit for each, are all that one has.
fn is_whole(seen: u8) -> bool {
    let has = |member: RelatedMember| seen >> member as u8 & 1 == 1;
    has(RelatedMember::Relation) && (has(RelatedMember::Id) || has(RelatedMember::Url))
}
