//! frame: what is known of an open element.
//!
//! In: its members as they come, and what its children hand up when they close. Out: at its own end, the facts that the rules of
//! the other files decide by. An answer opens and closes a frame for each element, so it is small and plain: what few elements
//! need stands behind one box, and [`NEVER`] stands for a place that did not come.

use crate::findings::{NOWHERE, Parameter};
use crate::rules::pending::Pending;
use crate::rules::shape::Role;

/// An offset that no answer reaches.
pub(crate) const NEVER: u64 = u64::MAX;

/// What `role` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoleRead {
    /// It did not come yet.
    Unread,
    /// It is of the wrong type.
    Unusable,
    /// One of the thirteen.
    Known(Role),
    /// Another word; a receiver reads `Group` (5.2).
    Other,
}

impl RoleRead {
    /// The role as a receiver reads it.
    pub(crate) fn received(self) -> Option<Role> {
        match self {
            Self::Known(role) => Some(role),
            Self::Other => Some(Role::Group),
            Self::Unread | Self::Unusable => None,
        }
    }
}

/// What the blocks of an element are, as far as the rules ask.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Blocks {
    /// `content` holds an object.
    pub(crate) any: bool,
    /// One of them is a text block.
    pub(crate) text: bool,
    /// One of them is a text, image, `resource_link` or `resource` block.
    pub(crate) shows: bool,
}

/// The states of an element, and what it must know of those below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct States {
    /// Where the value of `focused`, `hovered` stands, if it is true.
    pub(crate) focused: u64,
    pub(crate) hovered: u64,
    /// Where the value of `visible` stands, and the value.
    pub(crate) visible_at: u64,
    pub(crate) visible: bool,
    /// How many `visible` waited when the element began.
    pub(crate) waiting_from: u32,
    /// The first focused child, and the link that leads down from it.
    pub(crate) first_focused: u32,
    pub(crate) link: u32,
    /// The first hovered element below.
    pub(crate) hovered_below: u32,
}

impl States {
    #[inline(always)]
    fn new(waiting_from: u32) -> Self {
        Self {
            focused: NEVER,
            hovered: NEVER,
            visible_at: NEVER,
            visible: false,
            waiting_from,
            first_focused: NOWHERE,
            link: NOWHERE,
            hovered_below: NOWHERE,
        }
    }

    /// Whether they concern nobody.
    #[inline(always)]
    pub(crate) fn are_still(&self) -> bool {
        let never = self.focused & self.hovered & self.visible_at;
        never == NEVER && self.hovered_below == NOWHERE
    }
}

/// What is known of an open element.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Where its `{` stands.
    pub(crate) at: u64,
    pub(crate) states: States,
    /// Where `content` and `children` stand.
    pub(crate) content_at: u64,
    pub(crate) children_at: u64,
    /// Items of `children` begun.
    pub(crate) items: u64,
    pub(crate) number: u32,
    /// A bit for each of its members seen; the open path has it for the innermost element.
    pub(crate) known: u16,
    pub(crate) role: RoleRead,
    pub(crate) blocks: Blocks,
    late: Option<Box<Late>>,
}

/// What waits for a member of this element or of one above it.
#[derive(Debug, Default)]
pub(crate) struct Late {
    /// The role's word, to be quoted, if it is none of the thirteen.
    word: Option<Parameter>,
    /// Focused children, in case this element is not focused.
    pub(crate) gaps: Pending<()>,
    /// Children that are no Row, in case this is a Table.
    pub(crate) no_rows: Pending<Parameter>,
    /// Children that are no Cell, in case this is a Row of a Table.
    pub(crate) no_cells: Pending<Parameter>,
    /// Children of Rows that are no Cell, in case this is a Table.
    pub(crate) no_cells_of_rows: Pending<Parameter>,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            at: NEVER,
            states: States::new(0),
            content_at: NEVER,
            children_at: NEVER,
            items: 0,
            number: NOWHERE,
            known: 0,
            role: RoleRead::Unread,
            blocks: Blocks::default(),
            late: None,
        }
    }
}

impl Frame {
    /// Makes it that of an element that begins; in what its last one left nothing waits.
    #[inline(always)]
    pub(crate) fn begin(&mut self, number: u32, at: u64, waiting_from: u32) {
        (self.at, self.number, self.states) = (at, number, States::new(waiting_from));
        (self.items, self.known) = (0, 0);
        (self.role, self.blocks) = (RoleRead::Unread, Blocks::default());
    }

    /// Its role is a word that is none of the thirteen; given if a finding may want it.
    pub(crate) fn other_role(&mut self, word: Option<Parameter>) {
        self.role = RoleRead::Other;
        if word.is_some() {
            self.late().word = word;
        }
    }

    /// The parameter `role`.
    pub(crate) fn role_parameter(&self) -> Parameter {
        let word = || self.late.as_ref().and_then(|late| late.word.clone());
        match self.role {
            RoleRead::Known(role) => Parameter::Word(role.name()),
            RoleRead::Other => word().unwrap_or(Parameter::Null),
            RoleRead::Unread | RoleRead::Unusable => Parameter::Null,
        }
    }

    /// Whether nothing waits for one of its members, and its role and its blocks are right for each other and for the elements
    /// that it stands in, innermost last.
    #[inline(always)]
    pub(crate) fn fits(&self, around: &[Self]) -> bool {
        let Some((parent, above)) = around.split_last() else { return false };
        let RoleRead::Known(role) = self.role else { return false };
        let is_text = matches!(role, Role::Text | Role::Heading | Role::Link);
        let is_shown = if is_text { self.blocks.text } else { self.blocks.shows };
        let is_regular = match parent.role {
            RoleRead::Known(Role::Table) => role == Role::Row,
            RoleRead::Known(Role::Row) => {
                role == Role::Cell
                    || above.last().is_none_or(|above| {
                        !matches!(above.role, RoleRead::Known(Role::Table) | RoleRead::Unread)
                    })
            }
            RoleRead::Unread => false,
            _ => true,
        };
        is_regular && (is_shown || !self.blocks.any) && self.late.is_none()
    }

    /// Whether nothing waits for one of its members, and it has no content.
    pub(crate) fn is_settled(&self) -> bool {
        self.late.is_none() && !self.blocks.any
    }

    /// What waits, to add to it.
    pub(crate) fn late(&mut self) -> &mut Late {
        self.late.get_or_insert_default()
    }

    /// What waits, to decide it.
    pub(crate) fn waiting(&mut self) -> Option<&mut Late> {
        self.late.as_deref_mut()
    }
}
