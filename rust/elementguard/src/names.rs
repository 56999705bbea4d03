//! names: which member of its object a name begins.
//!
//! In: a name. Out: the slot of the value behind it; `duplicate-member` and `lone-surrogate` (RFC 8259 §4, §8.2). The first of
//! repeated members counts, a later one is only read as JSON.

use crate::findings::Parameter;
use crate::reader::Container;
use crate::rules::shape::{
    AnnotationsMember, AnswerMember, AttributesMember, BlockMember, ContentsMember, ElementMember,
    IconMember, RelatedMember,
};
use crate::rules::table::Rule;
use crate::slot::Slot;
use crate::tree::Tree;

impl Tree {
    /// A name was read: finds out what its value is.
    pub(crate) fn named(&mut self, at: u64, name: &[u8], in_pieces: bool) {
        if !in_pieces {
            self.path.begin_name();
        }
        let slot = match self.path.container() {
            Some(Container::Answer) => {
                AnswerMember::from_name(name).map(|m| (m as u8, Slot::Answer(m)))
            }
            Some(Container::Element) => {
                ElementMember::from_name(name).map(|m| (m as u8, Slot::Element(m)))
            }
            Some(Container::Block) => {
                BlockMember::from_name(name).map(|m| (m as u8, self.block.slot(m)))
            }
            Some(Container::Contents) => {
                ContentsMember::from_name(name).map(|m| (m as u8, Slot::Contents(m)))
            }
            Some(Container::Icon) => IconMember::from_name(name).map(|m| (m as u8, Slot::Icon(m))),
            Some(Container::Annotations) => {
                AnnotationsMember::from_name(name).map(|m| (m as u8, Slot::Annotations(m)))
            }
            Some(Container::Attributes) => {
                AttributesMember::from_name(name).map(|m| (m as u8, Slot::Attributes(m)))
            }
            Some(Container::Entry) => {
                RelatedMember::from_name(name).map(|m| (m as u8, Slot::Entry(m)))
            }
            _ => None,
        };
        let repeated = if let Some((bit, slot)) = slot {
            self.path.expect(slot);
            self.path.known_name(bit)
        } else {
            if !in_pieces {
                self.path.add_to_name(name);
            }
            self.path.expect(Slot::Opaque);
            self.path.other_name(name)
        };
        self.say_lones();
        if repeated {
            self.path.expect(Slot::Opaque);
            self.repeated(at, name);
        } else if slot.is_none() {
            self.other_member(at, name);
        }
    }

    /// An object has a name again.
    fn repeated(&mut self, at: u64, name: &[u8]) {
        if self.findings.count(Rule::DuplicateMember, at) {
            let (spot, element) = (self.here(), self.element());
            let parameters = [Parameter::quote(name), Parameter::pointer(spot.clone())];
            self.findings.keep(Rule::DuplicateMember, at, element, spot, parameters);
        }
    }

    /// A name stands in an object that the spec does not list it for.
    fn other_member(&mut self, at: u64, name: &[u8]) {
        match self.path.container() {
            Some(Container::Element) => self.unknown_member(at, name),
            Some(Container::Attributes) => self.misplaced_state(at, name),
            _ => {}
        }
    }

    /// Says the lone surrogates of the name that was just read.
    fn say_lones(&mut self) {
        if self.lones.0 == 0 {
            return;
        }
        let (count, places) = std::mem::take(&mut self.lones);
        for &at in &places {
            self.say_json(Rule::LoneSurrogate, at, []);
        }
        self.findings.count_all(Rule::LoneSurrogate, count - places.len() as u64);
    }
}
