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
use crate::rules::frame::{Frame, NEVER, States};
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
        self.index_state(member, value);
        if !value && member != ElementMember::Visible {
            self.say(Rule::FalseState, at, || vec![Parameter::Word(member.name())]);
            return;
        }
        self.good_state(member, at, value);
    }

    /// A state was read about which nothing is to be said by itself.
    #[inline(always)]
    pub(crate) fn good_state(&mut self, member: ElementMember, at: u64, value: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        match member {
            ElementMember::Visible => {
                (frame.states.visible, frame.states.visible_at) = (value, at);
            }
            ElementMember::Focused => frame.states.focused = at,
            ElementMember::Hovered => frame.states.hovered = at,
            _ => self.focus.selected.push(frame.number),
        }
    }

    /// An element has ended: its states are known, and those of all below it.
    pub(crate) fn states(&mut self, element: u32, states: States) {
        if states.hovered != NEVER || states.hovered_below != NOWHERE {
            self.hover(element, states);
        }
        if self.frames.is_empty() {
            self.end_focus(element, states);
        } else if states.focused != NEVER {
            self.focus(element, states);
        }
        self.visible(element, states);
    }

    fn hover(&mut self, element: u32, states: States) {
        let below = states.hovered_below;
        if states.hovered != NEVER {
            let first = self.focus.hovered;
            let (rule, other) = match (below, first) {
                (NOWHERE, None) => {
                    self.focus.hovered = Some(element);
                    (None, NOWHERE)
                }
                (NOWHERE, Some(first)) => (Some(Rule::ManyHovered), first),
                (below, _) => (Some(Rule::HoveredAncestor), below),
            };
            if let Some(rule) = rule {
                self.say_of(element, rule, states.hovered, || {
                    (
                        Spot::member(element, ElementMember::Hovered.name()),
                        vec![Parameter::Pointer(Spot::element(other))],
                    )
                });
            }
        }
        let hovered = if states.hovered == NEVER { below } else { element };
        if let Some(parent) = self.frames.last_mut() {
            parent.states.hovered_below = parent.states.hovered_below.min(hovered);
        }
    }

    /// The focused children of an element that ends, if it is neither focused nor the root.
    pub(crate) fn focus_gaps(&mut self, frame: &mut Frame) {
        if frame.states.focused != NEVER {
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

    /// A focused child.
    fn focus(&mut self, element: u32, states: States) {
        let most = self.findings.most();
        // The root needs no focus (reading 2).
        let may_be_gap = self.frames.len() > 1 || self.settings.kind == Kind::Element;
        let Some(parent) = self.frames.last_mut() else { return };
        let at = states.focused;
        if may_be_gap && parent.states.focused == NEVER {
            parent.late().gaps.add(Waiting { at, element, with: () }, most);
        }
        let first = parent.states.first_focused;
        if first == NOWHERE {
            parent.states.first_focused = element;
            parent.states.link = self.focus.links.len() as u32;
            self.focus.links.push((element, states.link));
            return;
        }
        self.say_of(element, Rule::FocusedSiblings, at, || {
            (
                Spot::member(element, ElementMember::Focused.name()),
                vec![Parameter::Pointer(Spot::element(first))],
            )
        });
    }

    /// The root or top ends: the focus path begins below the root; at a fragment's top, if that is focused.
    fn end_focus(&mut self, element: u32, states: States) {
        let mut link = states.link;
        if self.settings.kind == Kind::Element && states.focused != NEVER {
            link = self.focus.links.len() as u32;
            self.focus.links.push((element, states.link));
        }
        self.focus.first = link;
    }

    fn visible(&mut self, element: u32, states: States) {
        if !self.findings.is_on(Rule::RedundantVisible) {
            return;
        }
        let from = states.waiting_from as usize;
        if states.visible_at != NEVER {
            self.redundant(from, states.visible);
            self.focus.waiting.truncate(from);
            // A parent that says otherwise makes it needed.
            let parent = self.frames.last().map(|parent| parent.states);
            if parent
                .is_none_or(|parent| parent.visible_at == NEVER || parent.visible == states.visible)
            {
                let (at, visible) = (states.visible_at, states.visible);
                self.focus.waiting.push(Stated { at, element, visible });
            }
        }
        // Above the root the value is true (reading 1); above a fragment nothing is known (§5).
        if self.frames.is_empty() && self.settings.kind == Kind::Answer {
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
