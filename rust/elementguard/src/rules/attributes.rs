//! attributes: what the app adds, section 5.6.
//!
//! In: names in `attributes`, entries of `related`. Out: `misplaced-state` (a state stands on its element and nowhere else, 5.3),
//! `incomplete-related`, `limit-attributes-bytes`. The section names no keys for an entry; `relation`, `id` and `url` are its own
//! words for what one has (reading 4), so what deviates is only noted.

use crate::findings::Parameter;
use crate::pointer::Spot;
use crate::rules::shape::{ElementMember, RelatedMember};
use crate::rules::table::Rule;
use crate::tree::Tree;

/// The states, which stand on the element itself.
pub(crate) const STATES: [ElementMember; 4] = [
    ElementMember::Selected,
    ElementMember::Focused,
    ElementMember::Visible,
    ElementMember::Hovered,
];

/// Which members of an entry of `related` are strings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    relation: bool,
    target: bool,
}

impl Tree {
    /// `attributes` has a name that 5.6 does not reserve.
    pub(crate) fn misplaced_state(&mut self, at: u64, name: &[u8]) {
        if STATES.iter().any(|state| state.name().as_bytes() == name) {
            self.say(Rule::MisplacedState, at, || [Parameter::quote(name)]);
        }
    }

    /// `attributes` ends.
    pub(crate) fn end_attributes(&mut self, end: u64) {
        let Some(at) = self.path.stack.last().map(|open| open.at) else { return };
        let spot = Spot::member(self.element(), ElementMember::Attributes.name());
        let allowed = self.settings.limits.attributes_bytes;
        self.limit(Rule::LimitAttributesBytes, "attributes_bytes", allowed, end - at, |_| {
            (at, spot)
        });
    }

    /// An entry of `related` begins.
    pub(crate) fn begin_entry(&mut self) {
        self.entry = Entry::default();
    }

    /// A string member of an entry was read.
    pub(crate) fn entry_string(&mut self, member: RelatedMember) {
        match member {
            RelatedMember::Relation => self.entry.relation = true,
            RelatedMember::Id | RelatedMember::Url => self.entry.target = true,
        }
    }

    /// An entry of `related` ends.
    pub(crate) fn end_entry(&mut self) {
        let Some(at) = self.path.stack.last().map(|open| open.at) else { return };
        if !(self.entry.relation && self.entry.target) && self.count(Rule::IncompleteRelated, at) {
            let spot = self.around();
            self.keep(Rule::IncompleteRelated, at, spot, []);
        }
    }
}
