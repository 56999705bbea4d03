//! begin: objects, arrays and elements that begin and end, and the limits that end the work where they are passed.
//!
//! In: a bracket, and what it opens. Out: an entry on the open path, a frame for an element; `limit-nesting`, `limit-elements`,
//! `limit-depth` (5.7).

use crate::findings::NOWHERE;
use crate::pointer::Place;
use crate::reader::Container;
use crate::report::Fatal;
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::settings::Kind;
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

    /// An element's `children` begins.
    #[inline(always)]
    pub(crate) fn begin_children(&mut self, at: u64, known: u16) {
        if let Some(frame) = self.frames.last_mut() {
            (frame.children_at, frame.items, frame.known) = (at, 0, known);
        }
    }

    /// Tells the open path how many items the children of the innermost of `open` elements have.
    pub(crate) fn give_items(&mut self, open: usize) {
        if let Some(frame) = open.checked_sub(1).and_then(|last| self.frames.all().get(last))
            && let Some(open) = self.path.stack.last_mut()
        {
            open.items = frame.items;
        }
    }

    /// So many more items were read of the array that is innermost on the open path.
    pub(crate) fn add_items(&mut self, count: u64) {
        if let Some(open) = self.path.stack.last_mut() {
            open.items += count;
        }
    }

    /// How many more objects and arrays may be open within each other in the innermost element, itself not counted.
    #[inline(always)]
    pub(crate) fn room_in_element(&self) -> u64 {
        let around = 2 * self.frames.len() as u64 - u64::from(self.settings.kind == Kind::Element);
        self.settings.limits.nesting.unwrap_or(u64::MAX).saturating_sub(around)
    }

    /// Whether an element may begin in the innermost one, as far as nesting and depth go.
    #[inline(always)]
    pub(crate) fn has_room_for_children(&self) -> bool {
        (self.frames.len() as u64) < self.settings.levels_of_elements
    }

    /// Whether so many more objects and arrays may be open within each other.
    pub(crate) fn has_room_below(&self, more: u64) -> bool {
        self.settings
            .limits
            .nesting
            .is_none_or(|allowed| self.path.stack.len() as u64 + more <= allowed)
    }

    /// Whether an element may begin here.
    #[inline(always)]
    pub(crate) fn has_room_for_element(&self) -> bool {
        self.has_room_for_children() && self.summary.elements < self.settings.elements
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
        let allowed = self.settings.elements;
        if actual > allowed {
            let spot = self.here();
            return Err(Fatal::limit(Rule::LimitElements, "elements", at, spot, allowed, actual));
        }
        let depth = self.frames.len() as u64 + 1;
        if let Some(allowed) = self.settings.limits.depth.filter(|&allowed| depth > allowed) {
            let spot = self.here();
            return Err(Fatal::limit(Rule::LimitDepth, "depth", at, spot, allowed, depth));
        }
        if let (Some(open), Some(frame)) = (self.path.stack.last(), self.frames.last_mut()) {
            frame.items = open.items.saturating_sub(1);
        }
        self.add_element(at);
        self.index_begin(at);
        Ok(())
    }

    /// An element has begun: enters it, if elements are to be found later.
    #[inline(always)]
    pub(crate) fn index_begin(&mut self, at: u64) {
        if let Some(rows) = &mut self.index {
            rows.begin(at, &self.sums);
        }
    }

    /// An element has an id that is a string.
    #[inline(always)]
    pub(crate) fn index_id(&mut self, at: u64) {
        if let Some(rows) = &mut self.index {
            rows.id(at);
        }
    }

    /// An element has a role that is a string.
    #[inline(always)]
    pub(crate) fn index_role(&mut self, at: u64) {
        if let Some(rows) = &mut self.index {
            rows.role(at);
        }
    }

    /// An element states one of its states.
    #[inline(always)]
    pub(crate) fn index_state(&mut self, member: ElementMember, value: bool) {
        if let Some(rows) = &mut self.index {
            rows.state(member, value);
        }
    }

    /// An element has ended.
    #[inline(always)]
    pub(crate) fn index_end(&mut self, end: u64) {
        if let Some(rows) = &mut self.index {
            rows.end(end, &self.sums);
        }
    }

    /// An element begins that may. It is not put on the open path.
    #[inline(always)]
    pub(crate) fn add_element(&mut self, at: u64) {
        let number = self.summary.elements;
        let (parent, index) = match self.frames.last_mut() {
            Some(frame) => {
                frame.items += 1;
                (frame.number, frame.items - 1)
            }
            None => (NOWHERE, 0),
        };
        self.names.places.add_element(parent, index);
        self.frames.push(number as u32, at, self.focus.waiting());
        self.summary.elements = number + 1;
        self.summary.depth = self.summary.depth.max(self.frames.len() as u64);
    }

    /// Puts an element on the open path.
    pub(crate) fn open_element(&mut self, at: u64, number: u32, known: u16) {
        self.path.open(Container::Element, at, Slot::Opaque, Place::element(number));
        self.path.set_known(known);
    }

    /// Takes over how many items the children have that are innermost on the open path.
    pub(crate) fn take_items(&mut self) {
        if let Some(open) = self.path.stack.last()
            && let Some(frame) = self.frames.last_mut()
        {
            frame.items = open.items;
        }
    }

    /// Puts all elements that are open on the open path, of which `paved` are there; the innermost one's children as well if they
    /// are being read, else `known` has a bit for each of its members. Says of all that is put there whether it is an object.
    #[inline(never)]
    pub(crate) fn pave(
        &mut self,
        paved: usize,
        known: u16,
        in_children: bool,
        mut opened: impl FnMut(bool),
    ) {
        if self.path.container() == Some(Container::Children) {
            self.give_items(paved);
        }
        for open in paved..self.frames.len() {
            if open > 0 {
                self.pave_children(open, &mut opened);
            }
            if let Some(frame) = self.frames.all().get(open) {
                let (at, number, known) = (frame.at, frame.number, frame.known);
                self.open_element(at, number, known);
                opened(true);
            }
        }
        if in_children {
            self.pave_children(self.frames.len(), &mut opened);
        } else if self.path.container() == Some(Container::Element) {
            self.path.set_known(known);
        }
    }

    /// Puts the children of the innermost of `open` elements on the open path.
    fn pave_children(&mut self, open: usize, opened: &mut impl FnMut(bool)) {
        if self.path.container() == Some(Container::Element)
            && let Some(frame) = open.checked_sub(1).and_then(|last| self.frames.all().get(last))
        {
            let (at, known) = (frame.children_at, frame.known);
            self.path.set_known(known);
            self.path.known_name(ElementMember::Children as u8);
            self.open_array(ElementMember::Children, at);
            self.give_items(open);
            opened(false);
        }
    }

    /// Closes the innermost object or array; what it was a value of has its value.
    pub(crate) fn close(&mut self) {
        let slot = self.path.close();
        self.after_value(slot);
    }
}
