//! limits: what the caller allows, section 5.7, and the sizes of subtrees.
//!
//! In: counts, at the end of what is counted. Out: the `limit-*` findings that do not end the work; what an element hands up to
//! its parent. The fatal limits are said where they are passed, in `tree`.

use crate::findings::Parameter;
use crate::pointer::Spot;
use crate::rules::frame::Frame;
use crate::rules::table::Rule;
use crate::size::Size;
use crate::tree::Tree;

impl Tree {
    /// Says a finding if a count is over its limit.
    pub(crate) fn limit(
        &mut self,
        rule: Rule,
        name: &'static str,
        allowed: Option<u64>,
        actual: u64,
        place: impl FnOnce(&mut Self) -> (u64, Spot),
    ) {
        let Some(allowed) = allowed.filter(|&allowed| actual > allowed) else { return };
        let (at, spot) = place(self);
        if self.count(rule, at) {
            let parameters =
                [Parameter::Word(name), Parameter::Number(allowed), Parameter::Number(actual)];
            self.keep(rule, at, spot, parameters);
        }
    }

    /// An element ended: how large its subtree is.
    pub(crate) fn sizes(&mut self, frame: &Frame, end: u64) {
        if self.frames.is_empty() {
            return self.root_size(frame.at, end);
        }
        let bytes = end - frame.at;
        let elements = self.summary.elements - u64::from(frame.number);
        let limits = &self.settings.limits;
        let allowed = (limits.subtree_bytes, limits.subtree_elements);
        self.subtree(frame, Rule::LimitSubtreeBytes, "subtree_bytes", allowed.0, bytes);
        self.subtree(frame, Rule::LimitSubtreeElements, "subtree_elements", allowed.1, elements);
    }

    /// The same of the root, or of a fragment's top.
    pub(crate) fn root_size(&mut self, at: u64, end: u64) {
        let Self { summary, sums, .. } = self;
        let (elements, height) = (summary.elements, summary.depth);
        let whole = Size { bytes: end - at, elements, height, depth: 1, ..*sums };
        summary.root = Some(whole);
    }

    fn subtree(
        &mut self,
        frame: &Frame,
        rule: Rule,
        name: &'static str,
        allowed: Option<u64>,
        actual: u64,
    ) {
        let Some(allowed) = allowed.filter(|&allowed| actual > allowed) else { return };
        self.say_of(frame.number, rule, frame.at, || {
            let parameters =
                [Parameter::Word(name), Parameter::Number(allowed), Parameter::Number(actual)];
            (Spot::element(frame.number), parameters)
        });
    }
}
