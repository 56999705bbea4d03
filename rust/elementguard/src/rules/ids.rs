//! ids: identity, section 5.4 (and the ids that `related` names, 5.6).
//!
//! In: ids as they are read. Out: `malformed-id`, `duplicate-id`, and at the end of the answer `dangling-related`; the text of
//! usable ids, so that findings and the summary can name elements.
//!
//! Ids are compared by keyed 128-bit digests, so that nobody who chooses ids can choose collisions.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::pointer::{Place, Spot, Step};
use crate::reader::Keyed;
use crate::report::Parameter;
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::tree::Tree;
use crate::word::Id;

/// The ids seen so far, and those that `related` names.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    first_use: HashMap<u128, u32, BuildHasherDefault<Keyed>>,
    related: Vec<Related>,
}

/// An entry of `related` whose id is no element's yet.
#[derive(Debug)]
struct Related {
    digest: u128,
    at: u64,
    element: u32,
    index: u64,
    quote: Box<str>,
}

impl Tree {
    /// `id` was read.
    pub(crate) fn id(&mut self, at: u64, id: &Id) {
        let number = self.element();
        if id.word().is_id() {
            let text = id.word().text();
            self.names.text.extend_from_slice(text);
            if let Some(place) = self.names.ids.get_mut(number as usize) {
                *place = (self.names.text.len(), text.len() as u8);
            }
        } else {
            self.say(Rule::MalformedId, at, || vec![Parameter::Quote(id.word().quote().into())]);
        }
        let first = *self.ids.first_use.entry(id.digest(self.keys)).or_insert(number);
        if first != number {
            self.say(Rule::DuplicateId, at, || {
                let other = Spot::member(first, ElementMember::Id.name());
                vec![Parameter::Quote(id.word().quote().into()), Parameter::Pointer(other)]
            });
        }
    }

    /// The `id` of an entry of `related` was read.
    pub(crate) fn related_id(&mut self, at: u64, id: &Id) {
        if self.settings.kind == Kind::Element || !self.findings.is_on(Rule::DanglingRelated) {
            return;
        }
        let digest = id.digest(self.keys);
        if self.ids.first_use.contains_key(&digest) {
            return;
        }
        let entries =
            self.path.stack.len().checked_sub(2).and_then(|depth| self.path.stack.get(depth));
        let index = entries.map_or(0, |open| open.items.saturating_sub(1));
        let quote = id.word().quote().into();
        self.ids.related.push(Related { digest, at, element: self.element(), index, quote });
    }

    /// The answer ends: which ids that `related` names are no element's.
    pub(crate) fn dangling_related(&mut self) {
        for entry in std::mem::take(&mut self.ids.related) {
            if !self.ids.first_use.contains_key(&entry.digest) {
                self.say_of(entry.element, Rule::DanglingRelated, entry.at, || {
                    let spot = Spot {
                        place: Place::element(entry.element),
                        step: Step::RelatedId(entry.index),
                    };
                    (spot, vec![Parameter::Quote(entry.quote)])
                });
            }
        }
    }
}
