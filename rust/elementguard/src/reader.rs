//! reader: the open objects and arrays, the names already seen in each, and the place that is being read.
//!
//! In: brackets and names as they come. Out: for each name whether its object had it before (RFC 8259 §4), for each value the
//! place it stands at. What is kept is bounded by the open path: a bit for each name that the spec knows, a keyed 128-bit digest
//! for each other one (so that nobody who chooses names can choose collisions), and the text of the names that lead here.

use crate::digest::Keys;
use crate::digests::Digests;
use crate::pointer::{Place, Places, Spot, Step};
use crate::rules::shape::{
    AnnotationsMember, AnswerMember, AttributesMember, BlockMember, ContentsMember, ElementMember,
    IconMember, RelatedMember,
};
use crate::slot::Slot;
use crate::text::Text;

/// What an open object or array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// The answer object.
    Answer,
    /// An element.
    Element,
    /// An element's `children`.
    Children,
    /// An element's `content`.
    Content,
    /// A content block.
    Block,
    /// A resource link's `icons`.
    Icons,
    /// One of them.
    Icon,
    /// An icon's `sizes`.
    Sizes,
    /// A block's `annotations`.
    Annotations,
    /// Their `audience`.
    Audience,
    /// An embedded resource's `resource`.
    Contents,
    /// An element's `attributes`.
    Attributes,
    /// Their `related`.
    Related,
    /// One of its entries.
    Entry,
    /// An object that is only checked as JSON.
    Object,
    /// An array that is only checked as JSON.
    Array,
}

/// One open object or array.
#[derive(Debug)]
pub(crate) struct Open {
    /// Where its bracket stands.
    pub(crate) at: u64,
    /// Values begun in it.
    pub(crate) items: u64,
    /// Where the texts of its names begin in `path`.
    path_from: usize,
    /// Where the digests of its names begin in `seen`.
    seen_from: usize,
    /// The digests of its names, once they are many.
    many: Option<Box<Digests>>,
    /// Its own place, once somebody asked.
    place: Place,
    /// A bit for each name known to the spec that was seen.
    known: u16,
    /// What the value is that comes next.
    pub(crate) slot: Slot,
    pub(crate) container: Container,
    /// The member that is being read: the bit of a name known to the spec, or one of the two below.
    name: u8,
}

/// The open one is an array, or no name came yet.
const ITEM: u8 = 0xFE;

/// The name of the member that is being read stands at the end of `path`.
const TEXT: u8 = 0xFF;

/// A linear search through more digests than this costs more than a table.
const FEW: usize = 16;

/// The open path.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) stack: Vec<Open>,
    /// The texts of the open names, one behind the other (WTF-8).
    text: Vec<u8>,
    seen: Vec<u128>,
    keys: Keys,
}

impl Path {
    pub(crate) fn new(keys: Keys) -> Self {
        Self { stack: Vec::new(), text: Vec::new(), seen: Vec::new(), keys }
    }

    /// Forgets all that is open.
    pub(crate) fn reset(&mut self) {
        self.stack.clear();
        self.text.clear();
        self.seen.clear();
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.stack.capacity() * size_of::<Open>()
            + self.text.capacity()
            + self.seen.capacity() * size_of::<u128>()
    }

    /// Opens an object or array.
    #[inline]
    pub(crate) fn open(&mut self, container: Container, at: u64, slot: Slot, place: Place) {
        self.stack.push(Open {
            at,
            items: 0,
            path_from: self.text.len(),
            seen_from: self.seen.len(),
            many: None,
            place,
            known: 0,
            slot,
            container,
            name: ITEM,
        });
    }

    /// Closes the innermost object or array; says what the value is that ends with it.
    #[inline(never)]
    pub(crate) fn close(&mut self) -> Slot {
        if let Some(Open { path_from, seen_from, many, .. }) = self.stack.pop() {
            self.text.truncate(path_from);
            self.seen.truncate(seen_from);
            if let Some(many) = many {
                give_back(many);
            }
        }
        self.stack.last().map_or(Slot::Top, |open| open.slot)
    }

    /// A value begins: says what it is to its container.
    pub(crate) fn next_value(&mut self) -> Slot {
        let Some(open) = self.stack.last_mut() else { return Slot::Top };
        open.items += 1;
        open.slot
    }

    /// Whether something stands in the innermost object or array already.
    pub(crate) fn is_filled(&self) -> bool {
        self.stack.last().is_some_and(|open| open.items > 0 || open.known != 0)
    }

    /// What the value that comes next is to its container.
    pub(crate) fn expected(&self) -> Slot {
        self.stack.last().map_or(Slot::Top, |open| open.slot)
    }

    /// What the innermost container is.
    pub(crate) fn container(&self) -> Option<Container> {
        self.stack.last().map(|open| open.container)
    }

    /// The value that comes next is `slot`.
    pub(crate) fn expect(&mut self, slot: Slot) {
        if let Some(open) = self.stack.last_mut() {
            open.slot = slot;
        }
    }

    /// A name that the spec knows, by its bit; says whether the object had it before.
    #[inline]
    pub(crate) fn known_name(&mut self, bit: u8) -> bool {
        let Some(open) = self.stack.last_mut() else { return false };
        open.name = bit;
        let before = open.known >> bit & 1 == 1;
        open.known |= 1 << bit;
        before
    }

    /// A bit for each name known to the spec that was seen in the innermost object.
    #[inline]
    pub(crate) fn known(&self) -> u16 {
        self.stack.last().map_or(0, |open| open.known)
    }

    /// Takes over such bits.
    #[inline]
    pub(crate) fn set_known(&mut self, known: u16) {
        if let Some(open) = self.stack.last_mut() {
            open.known = known;
        }
    }

    /// Whether a name that the spec knows was seen in the innermost object.
    pub(crate) fn knows(&self, bit: u8) -> bool {
        self.stack.last().is_some_and(|open| open.known >> bit & 1 == 1)
    }

    /// Forgets the text of the last name of the innermost object, to make room for the next.
    pub(crate) fn begin_name(&mut self) {
        if let Some(open) = self.stack.last_mut() {
            self.text.truncate(open.path_from);
            open.name = TEXT;
        }
    }

    /// Adds to the text of the name that is being read.
    pub(crate) fn add_to_name(&mut self, piece: &[u8]) {
        if self.text.capacity() - self.text.len() < piece.len() {
            // By a half, not twice: a name may be as long as the answer.
            self.text.reserve_exact(piece.len().max(self.text.len() / 2));
        }
        self.text.extend_from_slice(piece);
    }

    /// The text of the name that came in pieces.
    pub(crate) fn name(&self) -> Vec<u8> {
        self.stack.len().checked_sub(1).map_or_else(Vec::new, |top| self.text_of(top).to_vec())
    }

    /// Any other name; says whether the innermost object had it before.
    pub(crate) fn other_name(&mut self, name: &[u8]) -> bool {
        let digest = self.keys.digest(name);
        let Some(open) = self.stack.last_mut() else { return false };
        if let Some(many) = &mut open.many {
            return !many.insert(digest);
        }
        let few = self.seen.get(open.seen_from..).unwrap_or_default();
        if few.contains(&digest) {
            return true;
        }
        if few.len() < FEW {
            self.seen.push(digest);
            return false;
        }
        let mut many = Box::new(Digests::of(few));
        many.insert(digest);
        open.many = Some(many);
        self.seen.truncate(open.seen_from);
        false
    }

    /// The place of the value (or of the name) that is being read.
    pub(crate) fn here(&mut self, places: &mut Places) -> Spot {
        match self.stack.len().checked_sub(1) {
            None => Spot::ANSWER,
            Some(top) => Spot { place: self.place_of(top, places), step: self.step_of(top) },
        }
    }

    /// The place of the innermost open object or array.
    pub(crate) fn around(&mut self, places: &mut Places) -> Place {
        match self.stack.len().checked_sub(1) {
            None => Place::ANSWER,
            Some(top) => self.place_of(top, places),
        }
    }

    /// The name of the innermost member that is open and that the value belongs to, as it is quoted.
    pub(crate) fn member(&self) -> Option<Vec<u8>> {
        for (depth, open) in self.stack.iter().enumerate().rev() {
            match open.name {
                ITEM => {}
                TEXT => return Some(self.text_of(depth).to_vec()),
                bit => return Some(known(open.container, bit).as_bytes().to_vec()),
            }
        }
        None
    }

    /// The place of an open container: entered with all containers around it that nobody asked for yet.
    fn place_of(&mut self, depth: usize, places: &mut Places) -> Place {
        let mut known = depth;
        while known > 0 && self.stack[known].place == Place::UNKNOWN {
            known -= 1;
        }
        let mut place = self.stack[known].place;
        for inner in known + 1..=depth {
            place = places.add_inner(Spot { place, step: self.step_of(inner - 1) });
            self.stack[inner].place = place;
        }
        place
    }

    /// The step from an open container to what is being read in it.
    fn step_of(&self, depth: usize) -> Step {
        let open = &self.stack[depth];
        match open.name {
            ITEM => Step::Item(open.items.saturating_sub(1)),
            TEXT => Step::Name(Text::new(self.text_of(depth))),
            bit => Step::Member(known(open.container, bit)),
        }
    }

    fn text_of(&self, depth: usize) -> &[u8] {
        let from = self.stack[depth].path_from;
        let to = self.stack.get(depth + 1).map_or(self.text.len(), |inner| inner.path_from);
        self.text.get(from..to).unwrap_or_default()
    }
}

/// Apart from what every object and array goes through.
#[cold]
#[inline(never)]
fn give_back(many: Box<Digests>) {
    drop(many);
}

/// The name with that bit in an object of that kind.
fn known(container: Container, bit: u8) -> &'static str {
    let bit = usize::from(bit);
    let name = match container {
        Container::Answer => AnswerMember::ALL.get(bit).map(|member| member.name()),
        Container::Element => ElementMember::ALL.get(bit).map(|member| member.name()),
        Container::Block => BlockMember::ALL.get(bit).map(|member| member.name()),
        Container::Contents => ContentsMember::ALL.get(bit).map(|member| member.name()),
        Container::Icon => IconMember::ALL.get(bit).map(|member| member.name()),
        Container::Annotations => AnnotationsMember::ALL.get(bit).map(|member| member.name()),
        Container::Attributes => AttributesMember::ALL.get(bit).map(|member| member.name()),
        Container::Entry => RelatedMember::ALL.get(bit).map(|member| member.name()),
        _ => None,
    };
    name.unwrap_or_default()
}
