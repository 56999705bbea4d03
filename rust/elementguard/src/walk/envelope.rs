//! envelope: the answer object around the tree.
//!
//! In: a name and its value. Out: `protocol` and `instance` as clean answers have them, the root's beginning, and the answer's end;
//! members of other sections are left to the walk.

use crate::express::is_supported;
use crate::rules::shape::AnswerMember;
use crate::scan::Kernel;
use crate::slot::Slot;
use crate::tokens::Tokens;

use super::json::Holds;
use super::parsed::Source;
use super::ride::{Place, Ride, Step};

impl<'a, K: Kernel, S: Source<'a>> Ride<'_, 'a, K, S> {
    /// A member of the answer.
    #[inline(always)]
    pub(super) fn envelope(&mut self) -> Step {
        let Some(mut members) = self.source.members() else { return Step::Unusual(Place::Answer) };
        let before = members.clone();
        let Some((name, value)) = members.next() else { return self.end_answer() };
        self.source.leave_at(members);
        let Some(place) = self.envelope_member(name, value) else {
            self.source.leave_at(before);
            return Step::Unusual(Place::Answer);
        };
        Step::To(place)
    }

    #[inline(always)]
    fn end_answer(&mut self) -> Step {
        let end = self.at + 1;
        if self.fits(end).is_none() || !self.source.close() {
            return Step::Unusual(Place::Answer);
        }
        self.tree.object_end(end);
        self.at = end;
        Step::Over
    }

    #[inline(always)]
    fn envelope_member(&mut self, name: S::Value, value: S::Value) -> Option<Place> {
        let (member, length): (AnswerMember, _) = self.know(name)?;
        if self.tree.path.knows(member as u8) {
            return None;
        }
        let at = self.next() + length;
        if member == AnswerMember::Root {
            return self.root(value, at);
        }
        let (text, end) = self.word(value, at)?;
        if member == AnswerMember::Protocol {
            is_supported(text).then_some(())?;
            self.tree.summary.set_protocol(text);
        } else {
            self.tree.summary.set_instance(text);
        }
        self.seen_of_answer(member);
        self.go_on(end);
        Some(Place::Answer)
    }

    #[inline(always)]
    fn root(&mut self, value: S::Value, at: u64) -> Option<Place> {
        self.fits(at + 1)?;
        if !self.tree.has_room_for_element() || !self.source.open_object(value) {
            return None;
        }
        self.seen_of_answer(AnswerMember::Root);
        self.tree.path.next_value();
        self.begin_element(at + 1);
        Some(Place::Element)
    }

    /// A string of printable ASCII that is not empty, and where it ends.
    #[inline(always)]
    fn word(&self, value: S::Value, at: u64) -> Option<(&'a [u8], u64)> {
        let (text, length, holds) = self.string(value)?;
        self.fits(at + length)?;
        (holds == Holds::Plain && !text.is_empty()).then_some((text, at + length))
    }

    #[inline(always)]
    fn seen_of_answer(&mut self, member: AnswerMember) {
        self.tree.path.known_name(member as u8);
        self.tree.path.expect(Slot::Answer(member));
        self.known = self.tree.path.known().into();
    }
}
