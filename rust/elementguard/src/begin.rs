//! begin: objects, arrays and elements that begin and end, and the limits that end the work where they are passed.
//!
//! In: a bracket, and what it opens. Out: an entry on the open path, a frame for an element; `limit-nesting`, `limit-elements`,
//! `limit-depth` (5.7).

use crate::pointer::Place;
use crate::reader::Container;
use crate::report::{Fatal, MOST_ELEMENTS};
use crate::rules::frame::Frame;
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::slot::Slot;
use crate::tree::Tree;

impl Tree {
    /// Opens an object or array.
    pub(crate) fn open(&mut self, container: Container, at: u64, items: Slot) {
        let place = match container {
            Container::Element => Place::element(self.element()),
            _ if self.path.stack.is_empty() => Place::ANSWER,
            _ => Place::UNKNOWN,
        };
        self.path.open(container, at, items, place);
    }

    /// The answer object begins, and may.
    pub(crate) fn begin_answer(&mut self, at: u64) {
        self.path.open(Container::Answer, at, Slot::Opaque, Place::ANSWER);
    }

    /// An element's `children` or `content` begins, and may.
    #[inline]
    pub(crate) fn open_array(&mut self, member: ElementMember, at: u64) {
        let (container, items) = match member {
            ElementMember::Children => (Container::Children, Slot::ChildItem),
            _ => (Container::Content, Slot::BlockItem),
        };
        self.path.expect(Slot::Element(member));
        self.path.open(container, at, items, Place::UNKNOWN);
    }

    /// Whether so many more objects and arrays may be open within each other.
    pub(crate) fn has_room_below(&self, more: u64) -> bool {
        self.settings
            .limits
            .nesting
            .is_none_or(|allowed| self.path.stack.len() as u64 + more <= allowed)
    }

    /// How many more objects and arrays may be open within each other.
    pub(crate) fn room_below(&self) -> u64 {
        self.settings
            .limits
            .nesting
            .unwrap_or(u64::MAX)
            .saturating_sub(self.path.stack.len() as u64)
    }

    /// Whether an element may begin here.
    pub(crate) fn has_room_for_element(&self) -> bool {
        let limits = &self.settings.limits;
        self.has_room_below(1)
            && self.summary.elements < limits.elements.unwrap_or(MOST_ELEMENTS).min(MOST_ELEMENTS)
            && limits.depth.is_none_or(|allowed| (self.frames.len() as u64) < allowed)
    }

    pub(crate) fn check_nesting(&mut self, at: u64) -> Result<(), Fatal> {
        let actual = self.path.stack.len() as u64 + 1;
        match self.settings.limits.nesting {
            Some(allowed) if actual > allowed => {
                let spot = self.here();
                Err(Fatal::limit(Rule::LimitNesting, "nesting", at, spot, allowed, actual))
            }
            _ => Ok(()),
        }
    }

    /// An element begins, if there may be one more, and that deep.
    pub(crate) fn begin_element(&mut self, at: u64) -> Result<(), Fatal> {
        let actual = self.summary.elements + 1;
        let allowed = self.settings.limits.elements.unwrap_or(MOST_ELEMENTS).min(MOST_ELEMENTS);
        if actual > allowed {
            let spot = self.here();
            return Err(Fatal::limit(Rule::LimitElements, "elements", at, spot, allowed, actual));
        }
        let depth = self.frames.len() as u64 + 1;
        if let Some(allowed) = self.settings.limits.depth.filter(|&allowed| depth > allowed) {
            let spot = self.here();
            return Err(Fatal::limit(Rule::LimitDepth, "depth", at, spot, allowed, depth));
        }
        self.enter_element(at);
        Ok(())
    }

    /// An element begins that may.
    #[inline(always)]
    fn enter_element(&mut self, at: u64) {
        let number = self.summary.elements;
        let index = self.path.stack.last().map_or(0, |open| open.items.saturating_sub(1));
        self.names.places.add_element(self.element(), index);
        self.names.ids.add_element();
        self.frames.push(Frame::new(number as u32, at));
        self.summary.elements = number + 1;
        self.summary.depth = self.summary.depth.max(self.frames.len() as u64);
    }

    /// An element begins that may, and is opened.
    #[inline(always)]
    pub(crate) fn add_element(&mut self, at: u64) {
        let place = Place::element(self.summary.elements as u32);
        self.enter_element(at);
        self.path.open(Container::Element, at, Slot::Opaque, place);
    }

    /// Closes the innermost object or array; what it was a value of has its value.
    pub(crate) fn close(&mut self) {
        let slot = self.path.close();
        self.after_value(slot);
    }
}
