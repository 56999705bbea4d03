//! envelope: the answer object around the tree.
//!
//! In: the lane before the answer, or behind a brace or comma of the answer object. Out: `protocol` and `instance` as clean
//! answers have them, and the root's beginning; members of other sections are left to the lexer.

use crate::reader::Container;
use crate::rules::shape::AnswerMember;
use crate::scan::Kernel;
use crate::slot::Slot;

use super::{Place, Ride, Step};

impl<K: Kernel, const GAP: usize, const INDEX: bool> Ride<'_, K, GAP, INDEX> {
    /// The answer begins.
    #[inline(always)]
    pub(super) fn answer(&mut self, at: usize) -> Step {
        if let Some(step) = self.near_answer(at) {
            return step;
        }
        match self.lane.structure(at) {
            Some((b'{', behind)) if behind <= self.lane.end && self.tree.has_room_below(1) => {
                self.tree.begin_answer(self.lane.offset(behind) - 1);
                self.lexer.open.push(true);
                self.known = 0;
                Step::To(behind, Place::FirstEnvelope)
            }
            _ => Step::Unusual(at, Place::Top),
        }
    }

    /// The answer begins as most do: with `protocol`, `instance` and `root`, and without white space.
    #[inline(always)]
    fn near_answer(&mut self, at: usize) -> Option<Step> {
        let text_at = self.lane.eat(at, b"{\"protocol\":\"0.2.0\",\"instance\":\"")?;
        let (instance, odd) = self.lane.string(text_at - 1)?;
        let behind = self.lane.eat(text_at + instance.len() + 1, b",\"root\":{")?;
        if odd || instance.is_empty() || behind > self.lane.end {
            return None;
        }
        if !self.tree.has_room_below(1) || !self.tree.has_room_for_element() {
            return None;
        }
        self.tree.begin_answer(self.lane.offset(at));
        self.lexer.open.push(true);
        self.tree.summary.set_protocol(b"0.2.0");
        self.tree.summary.set_instance(instance);
        self.tree.path.known_name(AnswerMember::Protocol as u8);
        self.tree.path.known_name(AnswerMember::Instance as u8);
        Some(self.begin_root(behind))
    }

    /// A member of the answer.
    #[inline(always)]
    pub(super) fn envelope(&mut self, at: usize, place: Place) -> Step {
        self.envelope_member(at).unwrap_or(Step::Unusual(at, place))
    }

    #[inline(always)]
    fn envelope_member(&mut self, at: usize) -> Option<Step> {
        let at = self.lane.skip(at);
        if let Some(behind) = self.lane.eat(at, b"\"protocol\"") {
            self.first_of_answer(AnswerMember::Protocol)?;
            let value = self.lane.colon(behind)?;
            let (text, _) = self.lane.string(value)?;
            is_supported(text).then_some(())?;
            let step = self.after_envelope_value(value + text.len() + 2, AnswerMember::Protocol)?;
            self.tree.summary.set_protocol(text);
            return Some(step);
        }
        if let Some(behind) = self.lane.eat(at, b"\"instance\"") {
            self.first_of_answer(AnswerMember::Instance)?;
            let value = self.lane.colon(behind)?;
            let (text, odd) = self.lane.string(value)?;
            (!odd && !text.is_empty()).then_some(())?;
            let step = self.after_envelope_value(value + text.len() + 2, AnswerMember::Instance)?;
            self.tree.summary.set_instance(text);
            return Some(step);
        }
        self.first_of_answer(AnswerMember::Root)?;
        let behind = self.lane.colon(self.lane.eat(at, b"\"root\"")?)?;
        let behind = self.lane.eat(behind, b"{")?;
        if behind > self.lane.end || !self.tree.has_room_for_element() {
            return None;
        }
        Some(self.begin_root(behind))
    }

    /// The root begins before `behind`, and may.
    #[inline(always)]
    fn begin_root(&mut self, behind: usize) -> Step {
        self.seen_of_answer(AnswerMember::Root);
        self.tree.path.next_value();
        let (at, number) = (self.lane.offset(behind) - 1, self.tree.summary.elements as u32);
        self.begin_element(at);
        self.tree.open_element(at, number, 0);
        self.paved = 1;
        self.lexer.open.push(true);
        self.known = 0;
        Step::To(behind, Place::FirstMember)
    }

    #[inline(always)]
    fn first_of_answer(&self, member: AnswerMember) -> Option<()> {
        (!self.tree.path.knows(member as u8)).then_some(())
    }

    #[inline(always)]
    fn seen_of_answer(&mut self, member: AnswerMember) {
        self.tree.path.known_name(member as u8);
        self.tree.path.expect(Slot::Answer(member));
    }

    #[inline(always)]
    fn after_envelope_value(&mut self, behind: usize, member: AnswerMember) -> Option<Step> {
        if behind > self.lane.end {
            return None;
        }
        self.seen_of_answer(member);
        Some(Step::To(behind, Place::AfterEnvelope))
    }

    #[inline(always)]
    pub(super) fn after_envelope(&mut self, at: usize) -> Step {
        match self.lane.structure(at) {
            Some((b',', behind)) => Step::To(behind, Place::NextEnvelope),
            Some((b'}', behind)) if behind <= self.lane.end => {
                self.lexer.open.pop();
                self.tree.end_answer();
                self.tree.path.close();
                Step::Unusual(behind, Place::End)
            }
            _ => Step::Unusual(at, Place::AfterEnvelope),
        }
    }

    /// The element that ended is the root or top.
    #[inline(always)]
    pub(super) fn after_root(&self, behind: usize) -> Step {
        match self.tree.path.container() {
            Some(Container::Answer) => Step::To(behind, Place::AfterEnvelope),
            _ => Step::Unusual(behind, Place::End),
        }
    }
}

/// Whether a protocol is `0.2.` and a number without leading zeros.
pub(crate) fn is_supported(protocol: &[u8]) -> bool {
    let Some(number) = protocol.strip_prefix(b"0.2.") else { return false };
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    is_number && (number.len() == 1 || number.first() != Some(&b'0'))
}
