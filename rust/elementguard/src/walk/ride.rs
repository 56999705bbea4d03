//! ride: the straight way through what clean parsed objects are made of.
//!
//! In: a source, which stands between members of the answer or of an element, between children or between blocks. Out: the same
//! calls into the rules that the tokens would have led to, without tokens, as the express lane makes them for a text: whole members,
//! blocks and `attributes` are read in one go.
//!
//! What is unusual (a name that is not known, a wrong type, a string without UTF-8, a fault, what is opened twice) is stepped back
//! from without a trace, and the walk goes on from there, value by value. What was open before the ride is left to the walk to
//! close. Whether it ran cannot be seen in any report.

use crate::reader::Container;
use crate::scan::{self, Job, Kernel};
use crate::tree::Tree;

use super::Walk;
use super::attributes::{Related, RestOf};
use super::json::{self, Holds};
use super::known::{KnownNames, Member};
use super::parsed::{Parsed, Source};

/// After so many values the source may look after other things.
const STEPS: u32 = 1 << 14;

/// Whether a ride may begin in an object or array.
pub(super) fn begins_at(container: Option<Container>) -> bool {
    Place::of(container).is_some()
}

/// Reads as far as it goes; gives how many values it took.
pub(super) fn run<'a, S: Source<'a>>(
    walk: &mut Walk,
    source: &mut S,
    names: &mut NamesOf<'a, S>,
) -> u32 {
    let Some(place) = Place::of(walk.tree.path.container()) else { return 0 };
    names.begin_ride();
    walk.tree.walked.begin_ride();
    scan::run(Express { walk, source, names, place })
}

struct Express<'r, 'a, S: Source<'a>> {
    walk: &'r mut Walk,
    source: &'r mut S,
    names: &'r mut NamesOf<'a, S>,
    place: Place,
}

impl<'a, S: Source<'a>> Job for Express<'_, 'a, S> {
    type Out = u32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u32 {
        let Self { walk, source, names, place } = self;
        let tree = &mut *walk.tree;
        let (known, filled, paved) = (tree.path.known(), tree.path.is_filled(), tree.frames.len());
        let mut ride = Ride {
            kernel,
            source,
            names,
            tree,
            at: walk.at,
            allowed: walk.allowed,
            known: known.into(),
            filled,
            paved,
            steps: 0,
            related: Vec::new(),
            levels: Vec::new(),
        };
        ride.run(place);
        let (steps, at) = (ride.steps, ride.at);
        walk.at = at;
        steps
    }
}

/// What the innermost object or array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The answer.
    Answer,
    /// An element.
    Element,
    /// Its `children`.
    Children,
    /// Its `content`.
    Content,
}

impl Place {
    fn of(container: Option<Container>) -> Option<Self> {
        match container? {
            Container::Answer => Some(Self::Answer),
            Container::Element => Some(Self::Element),
            Container::Children => Some(Self::Children),
            Container::Content => Some(Self::Content),
            _ => None,
        }
    }
}

/// The names that are held for a source.
pub(super) type NamesOf<'a, S> = KnownNames<<<S as Source<'a>>::Value as Parsed<'a>>::Held>;

/// The members of a value that are still to come.
pub(super) type MembersOf<'a, P> = <P as Parsed<'a>>::Members;

/// What a step led to.
pub(super) enum Step {
    /// The ride goes on there.
    To(Place),
    /// Something unusual stands there, or the end of what was open before.
    Unusual(Place),
    /// The answer has ended.
    Over,
}

/// A ride. Like the express lane it opens nothing on the open path before something unusual comes.
pub(super) struct Ride<'r, 'a, K, S: Source<'a>> {
    pub(super) kernel: K,
    pub(super) source: &'r mut S,
    names: &'r mut NamesOf<'a, S>,
    pub(super) tree: &'r mut Tree,
    /// Bytes of compact JSON so far, and how many there may be.
    pub(super) at: u64,
    allowed: u64,
    /// A bit for each member seen of the innermost element, or of the answer; as wide as it is read, so that no read of it has to
    /// wait for a narrower write.
    pub(super) known: u32,
    /// Whether something stands in the innermost object or array already.
    pub(super) filled: bool,
    /// How many of the open elements are on the open path.
    paved: usize,
    steps: u32,
    /// Used while `attributes` are read: the ids that they name, and the objects and arrays around the innermost one.
    pub(super) related: Vec<Related<'a>>,
    pub(super) levels: Vec<RestOf<'a, S::Value>>,
}

impl<'a, K: Kernel, S: Source<'a>> Ride<'_, 'a, K, S> {
    #[inline(always)]
    fn run(&mut self, mut place: Place) {
        if place == Place::Children {
            self.tree.take_items();
        }
        loop {
            let step = match place {
                Place::Answer => self.envelope(),
                Place::Element => self.members(),
                Place::Children => self.child(),
                Place::Content => self.more_blocks(),
            };
            match step {
                Step::To(next) => place = next,
                Step::Over => return,
                Step::Unusual(place) => {
                    return self.pave(place == Place::Children);
                }
            }
        }
    }

    /// Puts all that is open on the open path.
    pub(super) fn pave(&mut self, in_children: bool) {
        self.tree.pave(self.paved, self.known as u16, in_children, |_| ());
        self.paved = self.tree.frames.len();
    }

    /// Which member a name is, and how long it is with its colon.
    #[inline(always)]
    pub(super) fn know<M: Member>(&mut self, name: S::Value) -> Option<(M, u64)> {
        self.names.know(name)
    }

    /// Where what comes next begins, behind a comma.
    #[inline(always)]
    pub(super) fn next(&self) -> u64 {
        self.at + u64::from(self.filled)
    }

    /// How long the answer may be.
    #[inline(always)]
    pub(super) fn allowed(&self) -> u64 {
        self.allowed
    }

    /// The answer may be so long.
    #[inline(always)]
    pub(super) fn fits(&self, end: u64) -> Option<()> {
        (end <= self.allowed).then_some(())
    }

    /// A value ended there.
    #[inline(always)]
    pub(super) fn go_on(&mut self, end: u64) {
        (self.at, self.filled) = (end, true);
    }

    /// An object or array began there.
    #[inline(always)]
    pub(super) fn go_in(&mut self, behind: u64) {
        (self.at, self.filled) = (behind, false);
    }

    #[inline(always)]
    fn child(&mut self) -> Step {
        let behind = self.next() + 1;
        match self.source.item() {
            None => self.end_children(),
            Some(item) => {
                self.steps += 1;
                if self.steps > STEPS
                    || self.fits(behind).is_none()
                    || !self.tree.has_room_for_element()
                    || !self.source.open_object(item)
                {
                    self.source.step_back();
                    return Step::Unusual(Place::Children);
                }
                self.begin_element(behind);
                Step::To(Place::Element)
            }
        }
    }

    /// An element that is open began right before there.
    #[inline(always)]
    pub(super) fn begin_element(&mut self, behind: u64) {
        self.tree.add_element(behind - 1);
        self.tree.index_begin(behind - 1);
        self.known = 0;
        self.go_in(behind);
    }

    /// No members come any more.
    #[inline(always)]
    pub(super) fn end_element(&mut self, none: MembersOf<'a, S::Value>) -> Step {
        let end = self.at + 1;
        if self.fits(end).is_none() || !self.source.close() {
            self.source.leave_at(none);
            return Step::Unusual(Place::Element);
        }
        self.tree.end_element(end, self.known as u16);
        self.tree.index_end(end);
        self.go_on(end);
        if !self.tree.frames.is_empty() {
            return Step::To(Place::Children);
        }
        self.known = self.tree.path.known().into();
        Step::To(Place::Answer)
    }

    #[inline(always)]
    fn end_children(&mut self) -> Step {
        let end = self.at + 1;
        let Some(frame) = self.tree.frames.last() else { return Step::Unusual(Place::Children) };
        let (array, items, known) = (frame.children_at, frame.items, frame.known);
        if self.fits(end).is_none() || !self.source.close() {
            return Step::Unusual(Place::Children);
        }
        self.known = known.into();
        self.tree.end_children(array, items);
        self.go_on(end);
        Step::To(Place::Element)
    }

    /// More blocks of a `content` that is open.
    #[inline(always)]
    fn more_blocks(&mut self) -> Step {
        while self.tree.room_in_element() >= 2
            && let Some(item) = self.source.item()
        {
            self.count(1);
            let read = if self.is_fresh() { self.block(item, self.next()) } else { None };
            let Some((block, end)) = read else {
                self.source.step_back();
                break;
            };
            self.tree.settle_block(block.kind, block.text, block.blob);
            self.tree.add_items(1);
            self.go_on(end);
        }
        Step::Unusual(Place::Content)
    }

    /// So many values were read in one go.
    #[inline(always)]
    pub(super) fn count(&mut self, values: u32) {
        self.steps += values;
    }

    /// Whether values may be read yet.
    #[inline(always)]
    pub(super) fn is_fresh(&self) -> bool {
        self.steps <= STEPS
    }

    /// A plain string, how long it is in JSON, and what is in it.
    #[inline(always)]
    pub(super) fn string(&self, value: S::Value) -> Option<(&'a [u8], u64, Holds)> {
        let text = value.string()?;
        let (length, holds) = json::measure(self.kernel, text);
        Some((text, length, holds))
    }
}
