//! envelope: the answer object itself, section 5.
//!
//! In: `protocol`, `instance` and the end of the answer. Out: `unsupported-protocol`, `empty-instance`, the envelope's part of
//! `missing-member` and of `control-characters`. Members of other sections of the protocol are passed over (reading 6).

use crate::findings::Parameter;
use crate::pointer::Spot;
use crate::rules::shape::AnswerMember;
use crate::rules::table::Rule;
use crate::text::{self, Plain};
use crate::tree::Tree;
use crate::word::Protocol;

impl Tree {
    /// `protocol` was read.
    pub(crate) fn protocol(&mut self, at: u64, machine: &Protocol, text: &[u8]) {
        if !machine.is_supported() {
            self.say(Rule::UnsupportedProtocol, at, || [Parameter::quote(text)]);
        }
        self.summary.set_protocol(text::lossy(text).as_bytes());
    }

    /// `instance` was read.
    pub(crate) fn instance(&mut self, at: u64, machine: &Plain, text: &[u8]) {
        if machine.is_empty() {
            self.say(Rule::EmptyInstance, at, || []);
        }
        self.control_characters(at, machine.has_controls(), AnswerMember::Instance.name());
        self.summary.set_instance(text::lossy(text).as_bytes());
    }

    /// The answer object ends.
    pub(crate) fn end_answer(&mut self) {
        let at = self.path.stack.last().map_or(0, |open| open.at);
        for member in AnswerMember::ALL {
            if !self.path.knows(member as u8) {
                self.missing_member(at, Spot::ANSWER, member.name());
            }
        }
    }

    /// A required member did not come.
    pub(crate) fn missing_member(&mut self, at: u64, spot: Spot, name: &'static str) {
        if self.count(Rule::MissingMember, at) {
            self.keep(Rule::MissingMember, at, spot, [Parameter::Word(name)]);
        }
    }
}
