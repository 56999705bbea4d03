//! states: what the user points at, section 5.3.
//!
//! In: the four states, and elements as they end. Out: `false-state`, `redundant-visible`, `focused-siblings`, `focus-gap`,
//! `hovered-ancestor`, `many-hovered`; the focus path, the selected and the hovered ids.
//!
//! A state may stand behind `children`, so nothing is decided about a parent before it ends. `visible` of an element waits
//! in one list of all that wait; an element around it that states a value settles what came to the list since it began, and one
//! that doesn't leaves it there. When many wait, of those that share their fate only the first ones stay that a report could keep;
//! of the others it is enough to know how many they are. A focused child waits for its parent's `focused`. Hovered elements hand up
//! the first one of their subtree.

use crate::findings::{NOWHERE, Parameter};
use crate::id_table::IdTable;
use crate::pointer::Spot;
use crate::rules::frame::{Frame, NEVER, States};
use crate::rules::pending::Waiting;
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::size::{FEW_IDS, Summary};
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
    /// How many may wait before those are dropped of which no finding can be kept.
    most_waiting: usize,
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

/// No element: the entry stands for as many as its `at` says.
const MANY: u32 = NOWHERE;

/// So few that wait are no burden.
const FEW: usize = 1024;

impl Default for Focus {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            first: NOWHERE,
            selected: Vec::new(),
            waiting: Vec::new(),
            most_waiting: FEW,
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
        self.most_waiting = FEW;
    }

    /// How many `visible` wait.
    #[inline(always)]
    pub(crate) fn waiting(&self) -> u32 {
        self.waiting.len() as u32
    }

    /// Whether it is time to let some go.
    #[inline(always)]
    fn is_crowded(&self) -> bool {
        self.waiting.len() > self.most_waiting
    }

    /// Of some that wait for the same element, the first ones that state the same wait on, and one that stands for the others. They
    /// stand in the order of their places: what an element holds is settled when it waits itself.
    fn wait(&mut self, some: &[Stated], most: usize) {
        let (mut first, mut others) = ([0; 2], [0; 2]);
        for &stated in some {
            let value = usize::from(stated.visible);
            if stated.element == MANY {
                others[value] += stated.at;
            } else if first[value] < most {
                first[value] += 1;
                self.waiting.push(stated);
            } else {
                others[value] += 1;
            }
        }
        for (visible, at) in [false, true].into_iter().zip(others) {
            if at > 0 {
                self.waiting.push(Stated { at, element: MANY, visible });
            }
        }
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
            self.say(Rule::FalseState, at, || [Parameter::Word(member.name())]);
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
                        [Parameter::pointer(Spot::element(other))],
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
            (spot, [Parameter::pointer(Spot::element(parent))])
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
                [Parameter::pointer(Spot::element(first))],
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
            if self.focus.waiting.len() > from {
                self.redundant(from, states.visible);
                self.focus.waiting.truncate(from);
            }
            // A parent that says otherwise makes it needed.
            let parent = self.frames.last().map(|parent| parent.states);
            if parent
                .is_none_or(|parent| parent.visible_at == NEVER || parent.visible == states.visible)
            {
                let since = parent.map_or(0, |parent| parent.waiting_from as usize);
                self.wait(
                    Stated { at: states.visible_at, element, visible: states.visible },
                    since,
                );
            }
        }
        // Above the root the value is true (reading 1); above a fragment nothing is known (§5).
        if self.frames.is_empty() && self.settings.kind == Kind::Answer {
            self.redundant(from, true);
        }
    }

    /// Its `visible` waits; those that wait for the same element stand behind a place.
    #[inline(always)]
    fn wait(&mut self, stated: Stated, since: usize) {
        let waiting = &mut self.focus.waiting;
        let is_further = waiting.len() > since;
        match waiting.last_mut() {
            Some(many) if many.element == MANY && many.visible == stated.visible && is_further => {
                many.at += 1;
            }
            _ => {
                waiting.push(stated);
                if self.focus.is_crowded() {
                    self.thin();
                }
            }
        }
    }

    /// Those that wait from a place on and state what holds around them anyway.
    fn redundant(&mut self, from: usize, around: bool) {
        for place in from..self.focus.waiting.len() {
            let Some(&Stated { at, element, visible }) = self.focus.waiting.get(place) else {
                return;
            };
            if element == MANY {
                let many = if visible == around { at } else { 0 };
                self.findings.count_all(Rule::RedundantVisible, many);
            } else if visible == around {
                self.say_of(element, Rule::RedundantVisible, at, || {
                    (Spot::member(element, ElementMember::Visible.name()), [])
                });
            }
        }
    }

    /// Of those that wait for the same element, only the first ones can be among the findings that are kept; of the others only how
    /// many they are is needed.
    #[cold]
    fn thin(&mut self) {
        let most = self.findings.most();
        let all = std::mem::take(&mut self.focus.waiting);
        let mut rest = all.as_slice();
        let starts = self.frames.all().iter().map(|frame| frame.states.waiting_from as usize);
        let ends: Vec<_> = starts.skip(1).chain([all.len()]).collect();
        for (frame, end) in self.frames.all_mut().iter_mut().zip(ends) {
            let (its, behind) = rest.split_at(end + rest.len() - all.len());
            frame.states.waiting_from = self.focus.waiting.len() as u32;
            self.focus.wait(its, most);
            rest = behind;
        }
        self.focus.most_waiting = self.focus.waiting.len() * 2 + FEW;
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
        if focus.selected.len() > FEW_IDS {
            expect(summary, &focus.selected, &names.ids);
        }
        for &element in &focus.selected {
            summary.add_selected(id(element));
        }
        summary.set_hovered(focus.hovered.and_then(id));
    }
}

/// Many are selected: the summary makes room for their ids once.
#[cold]
#[inline(never)]
fn expect(summary: &mut Summary, selected: &[u32], ids: &IdTable) {
    let bytes = |element: &u32| ids.usable(*element).map_or(0, <[u8]>::len);
    summary.expect(selected.len(), selected.iter().map(bytes).sum());
}

#[cfg(test)]
mod tests {
    use crate::rules::table::Rule;
    use crate::{Settings, Validator};

    /// More than wait one by one; in each list a third states what its list says, when it ends, of them all.
    #[test]
    fn those_that_are_only_counted_are_counted_once() {
        let rows = |list: usize| {
            let row = |n: usize| {
                format!(r#"{{"id":"r-{list}-{n}","role":"Row","visible":{}}}"#, n.is_multiple_of(3))
            };
            (0..900).map(row).collect::<Vec<_>>().join(",")
        };
        let list = |n: usize| {
            let said = ["", r#","visible":true"#, r#","visible":false"#][n % 3];
            format!(r#"{{"id":"l-{n}","role":"List","children":[{}]{said}}}"#, rows(n))
        };
        let lists = (0..6).map(list).collect::<Vec<_>>().join(",");
        let answer = format!(
            r#"{{"protocol":"0.2.0","instance":"i","root":{{"id":"app","role":"Application","children":[{lists}]}}}}"#
        );
        let report = Validator::new(Settings::default()).check(answer.as_bytes());
        // Two lists say nothing, so that true goes without saying; two say true themselves, needlessly; two say false.
        assert_eq!(report.counts()[Rule::RedundantVisible as usize], 4 * 300 + 2 + 2 * 600);
        let told = report.findings().iter().map(|finding| report.pointer(finding));
        assert!(told.eq((0..100).map(|n| format!("/root/children/0/children/{}/visible", n * 3))));
    }
    /// Behind many that wait for the root, just cut down or not, one waits for a group, which states something else.
    #[test]
    fn what_waits_for_another_element_is_not_counted_with_them() {
        let row = |n: usize| format!(r#"{{"id":"r-{n}","role":"Row","visible":false}},"#);
        for many in [super::FEW + 1, super::FEW + 80] {
            let rows: String = (0..many).map(row).collect();
            let answer = format!(
                r#"{{"protocol":"0.2.0","instance":"i","root":{{"id":"app","role":"Application","children":[{rows}
                {{"id":"g","role":"Group","children":[{{"id":"x","role":"Row","visible":false}}],"visible":true}}],"visible":false}}}}"#
            );
            let report = Validator::new(Settings::default()).check(answer.as_bytes());
            assert_eq!(report.counts()[Rule::RedundantVisible as usize], many as u64);
        }
    }
}
