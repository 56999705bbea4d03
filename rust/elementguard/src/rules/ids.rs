//! ids: identity, section 5.4 (and the ids that `related` names, 5.6).
//!
//! In: ids as they are read. Out: `malformed-id`, `duplicate-id`, and at the end of the answer `dangling-related`; the text of
//! usable ids, so that findings and the summary can name elements.
//!
//! What is compared, and why nobody who chooses ids can make that slow, is told in `id_table`. A well-formed id is entered a little
//! later than it is read, so `duplicate-id` may speak of an element that has ended.

use crate::id_table::{IdText, NONE, Repeat};
use crate::pointer::{Place, Spot, Step};
use crate::report::Parameter;
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::text;
use crate::tree::Tree;
use crate::word::Id;

/// The ids that `related` names and that were no element's when they were read.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    related: Vec<Related>,
    text: Vec<u8>,
}

/// An entry of `related`.
#[derive(Clone, Copy, Debug)]
struct Related {
    at: u64,
    element: u32,
    index: u64,
    /// Where its id stands in the buffer, and the digest of one of more than 128 characters.
    start: usize,
    length: usize,
    digest: Option<u128>,
}

impl Ids {
    /// Forgets all that `related` names.
    pub(crate) fn reset(&mut self) {
        self.related.clear();
        self.text.clear();
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.related.capacity() * size_of::<Related>() + self.text.capacity()
    }
}

impl Tree {
    /// `id` was read.
    pub(crate) fn id(&mut self, at: u64, id: &Id) {
        self.index_id(at);
        if id.word().is_id() {
            return self.good_id(at, id.word().text());
        }
        self.say(Rule::MalformedId, at, || vec![Parameter::Quote(id.word().quote().into())]);
        let text = if id.word().is_whole() {
            IdText::Short(id.word().text())
        } else {
            IdText::Long(id.digest(self.keys))
        };
        self.enter_id(at, text, false, id.word().text());
    }

    /// A well-formed id was read.
    #[inline(always)]
    pub(crate) fn good_id(&mut self, at: u64, text: &[u8]) {
        if let Some(repeat) = self.names.ids.insert_usable(text, self.element(), at) {
            self.repeated_id(repeat);
        }
    }

    /// Says that an id was used before.
    #[inline(never)]
    pub(crate) fn repeated_id(&mut self, repeat: Repeat) {
        let quoted = text::quote(self.names.ids.text(repeat.element));
        self.say_of(repeat.element, Rule::DuplicateId, repeat.at, || {
            let spot = Spot::member(repeat.element, ElementMember::Id.name());
            let other = Spot::member(repeat.first, ElementMember::Id.name());
            (spot, vec![Parameter::Quote(quoted.into()), Parameter::Pointer(other)])
        });
    }

    /// Enters the ids that wait.
    #[inline]
    pub(crate) fn settle_ids(&mut self) {
        if self.names.ids.is_waiting() {
            self.settle_waiting_ids();
        }
    }

    #[inline(never)]
    fn settle_waiting_ids(&mut self) {
        for repeat in self.names.ids.settle_all() {
            self.repeated_id(repeat);
        }
    }

    fn enter_id(&mut self, at: u64, id: IdText<'_>, usable: bool, quoted: &[u8]) {
        self.settle_ids();
        let first = self.names.ids.insert(id, usable, self.element());
        if first != NONE {
            self.say(Rule::DuplicateId, at, || {
                let other = Spot::member(first, ElementMember::Id.name());
                vec![Parameter::Quote(text::quote(quoted).into()), Parameter::Pointer(other)]
            });
        }
    }

    /// The `id` of an entry of `related` was read.
    pub(crate) fn related_id(&mut self, at: u64, id: &Id) {
        let entries =
            self.path.stack.len().checked_sub(2).and_then(|depth| self.path.stack.get(depth));
        let index = entries.map_or(0, |open| open.items.saturating_sub(1));
        let digest = (!id.word().is_whole()).then(|| id.digest(self.keys));
        self.await_related(at, index, id.word().text(), digest);
    }

    /// An entry of `related` names an id: unless an element has it already, it may be dangling.
    pub(crate) fn await_related(&mut self, at: u64, index: u64, text: &[u8], digest: Option<u128>) {
        if self.settings.kind == Kind::Element || !self.findings.is_on(Rule::DanglingRelated) {
            return;
        }
        if !self.names.ids.contains(digest.map_or(IdText::Short(text), IdText::Long)) {
            let start = self.ids.text.len();
            self.ids.text.extend_from_slice(text);
            let length = text.len();
            self.ids.related.push(Related {
                at,
                element: self.element(),
                index,
                start,
                length,
                digest,
            });
        }
    }

    /// The answer ends: which ids that `related` names are no element's.
    pub(crate) fn dangling_related(&mut self) {
        self.settle_ids();
        let ids = std::mem::take(&mut self.ids);
        for entry in &ids.related {
            let text = ids.text.get(entry.start..entry.start + entry.length).unwrap_or_default();
            if !self.names.ids.contains(entry.digest.map_or(IdText::Short(text), IdText::Long)) {
                self.say_of(entry.element, Rule::DanglingRelated, entry.at, || {
                    let spot = Spot {
                        place: Place::element(entry.element),
                        step: Step::RelatedId(entry.index),
                    };
                    (spot, vec![Parameter::Quote(text::quote(text).into())])
                });
            }
        }
        self.ids = ids;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Settings, Validator};

    /// So many ids that the last ones wait for their place in the table when the answer ends.
    #[test]
    fn ids_that_wait_at_the_end_are_entered() {
        let row = |id: String| format!(r#"{{"id":"{id}","role":"Row"}}"#);
        let ids = (0..3_000).map(|number| format!("row-{number}"));
        let rows: Vec<_> = ids.chain(["last".into(), "row-7".into()]).map(row).collect();
        let related = r#"[{"relation":"r","id":"last"},{"relation":"r","id":"nobody"}]"#;
        let answer = format!(
            r#"{{"protocol":"0.2.0","instance":"run-1","root":{{"id":"app","role":"Application",
            "attributes":{{"related":{related}}},"children":[{}]}}}}"#,
            rows.join(",")
        );
        let report = Validator::new(Settings::default()).check(answer.as_bytes());
        let told: Vec<_> = report
            .findings()
            .iter()
            .map(|finding| (finding.rule().code(), report.pointer(finding)))
            .collect();
        let expected = [
            ("dangling-related", "/root/attributes/related/1/id"),
            ("duplicate-id", "/root/children/3001/id"),
        ];
        assert_eq!(told, expected.map(|(code, pointer)| (code, pointer.to_owned())));
    }
}
