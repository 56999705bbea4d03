//! express: the straight way through what clean answers are made of.
//!
//! In: the rest of a chunk, at a boundary between members of an element, between children or between blocks. Out: the same
//! calls into the rules that the tokens would have led to, without tokens: names and roles are compared where they stand, strings
//! are judged as slices, whole blocks and whole `attributes` are read in one go.
//!
//! The lane is an accelerator and nothing else. What it reads it reads whole: a member, a block, an `attributes` object; when
//! something is unusual there (an escape where a word is wanted, a name that is not known or comes again, a wrong type, a fault)
//! it leaves no trace of it, and `told` tells its tokens; at the chunk's end, or at what is no JSON, it stops, and the lexer reads on
//! from there, byte by byte. Whether it ran cannot be seen in any report.
//!
//! What makes it fast: a name or role that is the expected one moves the place by a constant, which the processor foresees, where
//! a string that is searched for its end makes it wait; only ids and texts are searched. All of it looks at windows of 64 bytes,
//! so that one check of the bounds serves many looks; behind the last window the lexer reads.

use crate::lexer::{Lexer, State};
use crate::reader::Container;
use crate::scan::{self, Job, Kernel};
use crate::settings::Kind;
use crate::tree::Tree;

mod attributes;
mod block;
mod envelope;
mod foreseen;
mod lane;
mod member;
mod told;

use block::Read;
use lane::Lane;

pub(crate) use attributes::{Scratch, is_whole};
pub(crate) use block::{blob, judge as judge_block};
pub(crate) use envelope::is_supported;
pub(crate) use lane::{WINDOW as AHEAD, is_address};

/// Reads as far as it goes from `at` on; gives where the lexer goes on.
///
/// `ahead` begins with the chunk; what stands behind the chunk in it is never taken for part of the answer.
pub(crate) fn run(
    lexer: &mut Lexer,
    tree: &mut Tree,
    chunk: usize,
    ahead: &[u8],
    mut at: usize,
) -> usize {
    while ahead.len() >= at + lane::WINDOW
        && let Some(place) = Place::of(lexer.state, tree.path.container(), tree.settings.kind)
    {
        // A text is indented where white space stands, or comes next.
        at = if ahead.iter().skip(at).take(2).any(|&byte| byte <= b' ') {
            start::<1>(lexer, tree, chunk, ahead, at, place)
        } else {
            start::<0>(lexer, tree, chunk, ahead, at, place)
        };
        match told::tell(lexer, tree, chunk, ahead, at) {
            Some(behind) => at = behind,
            None => break,
        }
    }
    at
}

/// Where elements stand is entered by a ride of its own, so that one that need not does not ask.
fn start<const GAP: usize>(
    lexer: &mut Lexer,
    tree: &mut Tree,
    chunk: usize,
    ahead: &[u8],
    at: usize,
    place: Place,
) -> usize {
    if tree.index.is_some() {
        scan::run(Express::<GAP, true> { lexer, tree, chunk, ahead, at, place })
    } else {
        scan::run(Express::<GAP, false> { lexer, tree, chunk, ahead, at, place })
    }
}

/// A ride: `GAP` is how many spaces are looked for behind a colon, `INDEX` whether elements are to be found later.
struct Express<'a, const GAP: usize, const INDEX: bool> {
    lexer: &'a mut Lexer,
    tree: &'a mut Tree,
    chunk: usize,
    ahead: &'a [u8],
    at: usize,
    place: Place,
}

impl<const GAP: usize, const INDEX: bool> Job for Express<'_, GAP, INDEX> {
    type Out = usize;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        let lane = Lane { kernel, bytes: self.ahead, end: self.chunk, base: self.lexer.offset() };
        let Self { lexer, tree, place, at, .. } = self;
        Ride::<K, GAP, INDEX> { lane, lexer, tree, known: 0, paved: 0 }.run(place, at)
    }
}

/// Where the lane stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    FirstMember,
    NextMember,
    AfterMember,
    FirstChild,
    NextChild,
    AfterChild,
    FirstBlock,
    NextBlock,
    AfterBlock,
    /// Before the answer.
    Top,
    /// A member of the answer.
    FirstEnvelope,
    NextEnvelope,
    AfterEnvelope,
    /// Behind the answer, or behind a fragment's top.
    End,
}

impl Place {
    fn of(state: State, container: Option<Container>, kind: Kind) -> Option<Self> {
        let Some(container) = container else {
            return (state == State::Value && kind == Kind::Answer).then_some(Self::Top);
        };
        match (container, state) {
            (Container::Answer, State::FirstName) => Some(Self::FirstEnvelope),
            (Container::Answer, State::NextName) => Some(Self::NextEnvelope),
            (Container::Answer, State::AfterValue) => Some(Self::AfterEnvelope),
            (Container::Element, State::FirstName) => Some(Self::FirstMember),
            (Container::Element, State::NextName) => Some(Self::NextMember),
            (Container::Element, State::AfterValue) => Some(Self::AfterMember),
            (Container::Children, State::FirstItem) => Some(Self::FirstChild),
            (Container::Children, State::NextItem) => Some(Self::NextChild),
            (Container::Children, State::AfterValue) => Some(Self::AfterChild),
            (Container::Content, State::FirstItem) => Some(Self::FirstBlock),
            (Container::Content, State::NextItem) => Some(Self::NextBlock),
            (Container::Content, State::AfterValue) => Some(Self::AfterBlock),
            _ => None,
        }
    }

    fn is_in_children(self) -> bool {
        matches!(self, Self::FirstChild | Self::NextChild | Self::AfterChild)
    }

    fn state(self) -> State {
        match self {
            Self::Top => State::Value,
            Self::End => State::End,
            Self::FirstMember | Self::FirstEnvelope => State::FirstName,
            Self::NextMember | Self::NextEnvelope => State::NextName,
            Self::FirstChild | Self::FirstBlock => State::FirstItem,
            Self::NextChild | Self::NextBlock => State::NextItem,
            _ => State::AfterValue,
        }
    }
}

/// What a step led to.
enum Step {
    /// The lane goes on there.
    To(usize, Place),
    /// Something unusual stands there.
    Unusual(usize, Place),
}

/// A ride on the lane.
///
/// What it opens it does not put on the open path, where only what is unusual is looked for: most elements open and close here.
/// When something unusual comes, [`pave`](Self::pave) puts all of it there.
///
/// A text has either no white space, or some before each member and `GAP` spaces behind each colon: that is what is looked for
/// first. Any other is read as well, and a little later.
struct Ride<'a, K, const GAP: usize, const INDEX: bool> {
    lane: Lane<'a, K>,
    lexer: &'a mut Lexer,
    tree: &'a mut Tree,
    /// A bit for each member seen of the innermost element, or of the answer; as wide as it is read, so that no read of it has
    /// to wait for a narrower write.
    known: u32,
    /// How many of the open elements are on the open path.
    paved: usize,
}

impl<K: Kernel, const GAP: usize, const INDEX: bool> Ride<'_, K, GAP, INDEX> {
    #[inline(always)]
    fn run(mut self, mut place: Place, mut at: usize) -> usize {
        self.known = self.tree.path.known().into();
        self.paved = self.tree.frames.len();
        if place.is_in_children() {
            self.tree.take_items();
        }
        loop {
            let step = match place {
                Place::FirstMember | Place::NextMember => self.members(at, place),
                Place::AfterMember => self.after_member(at),
                Place::FirstChild | Place::NextChild => self.child(at, place),
                Place::AfterChild => self.after_child(at),
                Place::FirstBlock | Place::NextBlock => self.blocks(at, place),
                Place::AfterBlock => self.after_block(at),
                Place::Top => self.answer(at),
                Place::FirstEnvelope | Place::NextEnvelope => self.envelope(at, place),
                Place::AfterEnvelope => self.after_envelope(at),
                Place::End => Step::Unusual(at, place),
            };
            match step {
                Step::To(behind, next) if behind <= self.lane.end => (at, place) = (behind, next),
                Step::To(..) => return self.leave(at, place),
                Step::Unusual(at, place) => return self.leave(at, place),
            }
        }
    }

    /// Hands over to the lexer.
    fn leave(&mut self, at: usize, place: Place) -> usize {
        self.pave(place.is_in_children());
        self.lexer.state = place.state();
        at
    }

    /// Puts all that is open on the open path; the innermost element's children as well if they are being read.
    fn pave(&mut self, in_children: bool) {
        let Self { lexer, tree, known, paved, .. } = self;
        tree.pave(*paved, *known as u16, in_children, |is_object| lexer.open.push(is_object));
        *paved = tree.frames.len();
    }

    #[inline(always)]
    fn after_member(&mut self, at: usize) -> Step {
        match self.lane.structure(at) {
            Some((b',', behind)) => Step::To(behind, Place::NextMember),
            Some((b'}', behind)) if behind <= self.lane.end => self.end_element(behind),
            _ => Step::Unusual(at, Place::AfterMember),
        }
    }

    /// An element ends, and those around it that end where it does.
    #[inline(always)]
    fn end_element(&mut self, mut behind: usize) -> Step {
        loop {
            if behind > self.lane.end {
                return Step::Unusual(behind - 1, Place::AfterMember);
            }
            if self.paved == self.tree.frames.len() {
                self.paved -= 1;
                self.lexer.open.pop();
                self.tree.path.close();
            }
            self.tree.end_element(self.lane.offset(behind), self.known as u16);
            if INDEX {
                self.tree.index_end(self.lane.offset(behind));
            }
            if self.tree.frames.is_empty() {
                return self.after_root(behind);
            }
            match self.lane.byte(behind) {
                b',' => return self.near_child(behind + 1, Place::NextChild),
                b']' => match self.end_children(behind, behind + 1, Place::AfterChild) {
                    Step::To(at, _) if self.lane.byte(at) == b'}' => behind = at + 1,
                    step => return step,
                },
                _ => return Step::To(behind, Place::AfterChild),
            }
        }
    }

    #[inline(always)]
    fn begin_element(&mut self, at: u64) {
        self.tree.add_element(at);
        if INDEX {
            self.tree.index_begin(at);
        }
    }

    /// A child that begins at once is begun at once.
    #[inline(always)]
    fn near_child(&mut self, at: usize, place: Place) -> Step {
        if self.lane.byte(at) != b'{' || at >= self.lane.end || !self.tree.has_room_for_element() {
            return Step::To(at, place);
        }
        self.begin_element(self.lane.offset(at));
        self.known = 0;
        Step::To(at + 1, Place::FirstMember)
    }

    #[inline(always)]
    fn child(&mut self, at: usize, place: Place) -> Step {
        match self.lane.structure(at) {
            Some((b'{', behind)) if behind <= self.lane.end && self.tree.has_room_for_element() => {
                self.begin_element(self.lane.offset(behind) - 1);
                self.known = 0;
                Step::To(behind, Place::FirstMember)
            }
            Some((b']', behind)) if place == Place::FirstChild => {
                self.end_children(at, behind, place)
            }
            _ => Step::Unusual(at, place),
        }
    }

    #[inline(always)]
    fn after_child(&mut self, at: usize) -> Step {
        match self.lane.structure(at) {
            Some((b',', behind)) => Step::To(behind, Place::NextChild),
            Some((b']', behind)) => self.end_children(at, behind, Place::AfterChild),
            _ => Step::Unusual(at, Place::AfterChild),
        }
    }

    #[inline(always)]
    fn end_children(&mut self, at: usize, behind: usize, place: Place) -> Step {
        if behind > self.lane.end {
            return Step::Unusual(at, place);
        }
        let Some(frame) = self.tree.frames.last() else { return Step::Unusual(at, place) };
        let (array, items) = (frame.children_at, frame.items);
        self.known = frame.known.into();
        if self.paved == self.tree.frames.len()
            && self.tree.path.container() == Some(Container::Children)
        {
            self.lexer.open.pop();
            self.tree.path.close();
            self.known = self.tree.path.known().into();
        }
        self.tree.end_children(array, items);
        Step::To(behind, Place::AfterMember)
    }

    /// More blocks of a `content` that is on the open path.
    #[inline(always)]
    fn blocks(&mut self, at: usize, from: Place) -> Step {
        let read = Read { lane: self.lane, tree: self.tree, at, first: from == Place::FirstBlock };
        let (blocks, at, place) = self.lane.kernel.call(read);
        let count = blocks.settle(self.tree);
        self.tree.add_items(count);
        let unusual = if count == 0 { from } else { Place::NextBlock };
        match place {
            Some(Place::AfterMember) => self.end_content(at),
            Some(place) => Step::To(at, place),
            None => Step::Unusual(at, unusual),
        }
    }

    #[inline(always)]
    fn after_block(&mut self, at: usize) -> Step {
        match self.lane.structure(at) {
            Some((b',', behind)) => Step::To(behind, Place::NextBlock),
            Some((b']', behind)) if behind <= self.lane.end => self.end_content(behind),
            _ => Step::Unusual(at, Place::AfterBlock),
        }
    }

    #[inline(always)]
    fn end_content(&mut self, behind: usize) -> Step {
        if let Some(open) = self.tree.path.stack.last() {
            let (at, items) = (open.at, open.items);
            self.tree.end_content(at, items, self.lane.offset(behind));
        }
        self.lexer.open.pop();
        self.tree.path.close();
        self.known = self.tree.path.known().into();
        Step::To(behind, Place::AfterMember)
    }
}
