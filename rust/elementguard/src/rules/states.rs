//! states: what the user points at, section 5.3.
//!
//! In: the four states, and elements as they end. Out: `false-state`, `redundant-visible`, `focused-siblings`, `focus-gap`,
//! `hovered-ancestor`, `many-hovered`; the focus path, the selected and the hovered ids.
//!
//! A state may stand behind `children`, so nothing is decided about a parent before it ends. `visible` of an element waits
//! in one list of all that wait; an element around it that states a value settles what came to the list since it began, and one
//! that doesn't leaves it there. A focused child waits for its parent's
//! `focused`. Hovered elements hand up the first one of their subtree.

use crate::pointer::Spot;
use crate::report::{NOWHERE, Parameter};
use crate::rules::fields::member_spot;
use crate::rules::frame::{Frame, NEVER};
use crate::rules::pending::Waiting;
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::tree::Tree;

/// Where the user is.
#[derive(Debug)]
pub(crate) struct Focus {
    /// Focused elements that ended, each with the link of the focused child that leads on.
    links: Vec<(u32, u32)>,
    /// The link at which the path begins.
    first: u32,
    selected: Vec<u32>,
    /// Elements that state `visible`, in the order in which they end, until the nearest element around each that states it ends.
    waiting: Vec<Stated>,
    /// The first hovered element with none hovered below it.
    hovered: Option<u32>,
}

/// What an element says of `visible`, and where.
#[derive(Clone, Copy, Debug)]
struct Stated {
    at: u64,
    element: u32,
    visible: bool,
}

impl Default for Focus {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            first: NOWHERE,
            selected: Vec::new(),
            waiting: Vec::new(),
            hovered: None,
        }
    }
}

impl Focus {
    /// Forgets where the user is.
    pub(crate) fn reset(&mut self) {
        (self.first, self.hovered) = (NOWHERE, None);
        self.links.clear();
        self.selected.clear();
        self.waiting.clear();
    }

    /// How many `visible` wait.
    #[inline(always)]
    pub(crate) fn waiting(&self) -> u32 {
        self.waiting.len() as u32
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.links.capacity() * size_of::<(u32, u32)>()
            + self.selected.capacity() * size_of::<u32>()
            + self.waiting.capacity() * size_of::<Stated>()
    }
}

impl Tree {
    /// A state was read.
    pub(crate) fn state(&mut self, member: ElementMember, at: u64, value: bool) {
        if !value && member != ElementMember::Visible {
            self.say(Rule::FalseState, at, || vec![Parameter::Word(member.name())]);
            return;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        match member {
            ElementMember::Visible => (frame.visible, frame.visible_at) = (value, at),
            ElementMember::Focused => frame.focused = at,
            ElementMember::Hovered => frame.hovered = at,
            _ => self.focus.selected.push(frame.number),
        }
    }

    /// An element ends: its states are known, and those of all below it.
    pub(crate) fn states(&mut self, frame: &mut Frame) {
        if frame.is_still() && !self.frames.is_empty() {
            return;
        }
        self.hover(frame);
        self.focus_gaps(frame);
        self.focus(frame);
        self.visible(frame);
    }

    fn hover(&mut self, frame: &Frame) {
        let below = frame.hovered_below;
        if frame.hovered != NEVER {
            let first = self.focus.hovered;
            let (rule, other) = match (below, first) {
                (NOWHERE, None) => {
                    self.focus.hovered = Some(frame.number);
                    (None, NOWHERE)
                }
                (NOWHERE, Some(first)) => (Some(Rule::ManyHovered), first),
                (below, _) => (Some(Rule::HoveredAncestor), below),
            };
            if let Some(rule) = rule {
                self.say_of(frame.number, rule, frame.hovered, || {
                    (
                        member_spot(frame, ElementMember::Hovered),
                        vec![Parameter::Pointer(Spot::element(other))],
                    )
                });
            }
        }
        let hovered = if frame.hovered == NEVER { below } else { frame.number };
        if let Some(parent) = self.frames.last_mut() {
            parent.hovered_below = parent.hovered_below.min(hovered);
        }
    }

    /// The focused children of this element, if it is neither focused nor the root.
    fn focus_gaps(&mut self, frame: &mut Frame) {
        if frame.focused != NEVER || (self.frames.is_empty() && self.settings.kind == Kind::Answer)
        {
            return;
        }
        let Some(late) = frame.waiting() else { return };
        let gaps = std::mem::take(&mut late.gaps);
        let parent = frame.number;
        self.say_all(Rule::FocusGap, &gaps, |waiting| {
            let spot = Spot::member(waiting.element, ElementMember::Focused.name());
            (spot, vec![Parameter::Pointer(Spot::element(parent))])
        });
    }

    /// This element as a focused child.
    fn focus(&mut self, frame: &Frame) {
        let most = self.findings.most();
        let Some(parent) = self.frames.last_mut() else { return self.end_focus(frame) };
        let at = frame.focused;
        if at == NEVER {
            return;
        }
        if parent.focused == NEVER {
            parent.late().gaps.add(Waiting { at, element: frame.number, with: () }, most);
        }
        if parent.first_focused == NOWHERE {
            parent.first_focused = frame.number;
            parent.link = self.focus.links.len() as u32;
            self.focus.links.push((frame.number, frame.link));
            return;
        }
        let first = parent.first_focused;
        self.say_of(frame.number, Rule::FocusedSiblings, at, || {
            (
                member_spot(frame, ElementMember::Focused),
                vec![Parameter::Pointer(Spot::element(first))],
            )
        });
    }

    /// The root or top ends: the focus path begins below the root; at a fragment's top, if that is focused.
    fn end_focus(&mut self, frame: &Frame) {
        let mut link = frame.link;
        if self.settings.kind == Kind::Element && frame.focused != NEVER {
            link = self.focus.links.len() as u32;
            self.focus.links.push((frame.number, frame.link));
        }
        self.focus.first = link;
    }

    fn visible(&mut self, frame: &Frame) {
        if !self.findings.is_on(Rule::RedundantVisible) {
            return;
        }
        let from = frame.waiting_from as usize;
        let is_root = self.frames.is_empty() && self.settings.kind == Kind::Answer;
        if frame.visible_at != NEVER {
            self.redundant(from, frame.visible);
            self.focus.waiting.truncate(from);
            // A parent that says otherwise makes it needed.
            if self
                .frames
                .last()
                .is_none_or(|parent| parent.visible_at == NEVER || parent.visible == frame.visible)
            {
                let (at, element, visible) = (frame.visible_at, frame.number, frame.visible);
                self.focus.waiting.push(Stated { at, element, visible });
            }
        }
        // Above the root the value is true (reading 1); above a fragment nothing is known (§5).
        if is_root {
            self.redundant(from, true);
        }
    }

    /// Those that wait from a place on and state what holds around them anyway.
    fn redundant(&mut self, from: usize, around: bool) {
        for place in from..self.focus.waiting.len() {
            let Some(&Stated { at, element, visible }) = self.focus.waiting.get(place) else {
                return;
            };
            if visible == around {
                self.say_of(element, Rule::RedundantVisible, at, || {
                    (Spot::member(element, ElementMember::Visible.name()), Vec::new())
                });
            }
        }
    }

    /// Puts the states of the whole answer into the summary.
    pub(crate) fn summarise_states(&mut self) {
        let Self { focus, names, summary, .. } = self;
        let id = |element| names.ids.usable(element);
        let mut link = focus.first;
        while let Some(&(element, next)) = focus.links.get(link as usize) {
            summary.add_focused(id(element));
            link = next;
        }
        focus.selected.sort_unstable();
        for &element in &focus.selected {
            summary.add_selected(id(element));
        }
        summary.set_hovered(focus.hovered.and_then(id));
    }
}
