//! frame: what is known of an open element.
//!
//! In: its members as they come, and what its children hand up when they close. Out: at its own end, the facts that the rules of
//! the other files decide by. What few elements need stands behind one box.

use crate::report::{NOWHERE, Parameter};
use crate::rules::pending::Pending;
use crate::rules::shape::Role;

/// What a usable `role` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum RoleRead {
    /// It did not come yet.
    #[default]
    Unread,
    /// It is of the wrong type.
    Unusable,
    /// One of the thirteen.
    Known(Role),
    /// Another word, quoted; a receiver reads `Group` (5.2).
    Other(Box<str>),
}

impl RoleRead {
    /// The role as a receiver reads it.
    pub(crate) fn received(&self) -> Option<Role> {
        match self {
            Self::Known(role) => Some(*role),
            Self::Other(_) => Some(Role::Group),
            Self::Unread | Self::Unusable => None,
        }
    }

    /// The parameter `role`.
    pub(crate) fn parameter(&self) -> Parameter {
        match self {
            Self::Known(role) => Parameter::Word(role.name()),
            Self::Other(word) => Parameter::Quote(word.clone()),
            Self::Unread | Self::Unusable => Parameter::Null,
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

/// What is known of an open element.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) number: u32,
    /// Where its `{` stands.
    pub(crate) at: u64,
    pub(crate) role: RoleRead,
    /// Where the value of `focused`, `hovered` stands, if it is true.
    pub(crate) focused: Option<u64>,
    pub(crate) hovered: Option<u64>,
    /// The value of `visible` and where it stands.
    pub(crate) visible: Option<(bool, u64)>,
    /// Where `content` stands.
    pub(crate) content_at: u64,
    pub(crate) blocks: Blocks,
    /// The first focused child, and the link that leads down from it.
    pub(crate) first_focused: u32,
    pub(crate) link: u32,
    /// The first hovered element below.
    pub(crate) hovered_below: u32,
    /// The height of the highest child's subtree.
    pub(crate) height_below: u64,
    pub(crate) content_bytes: u64,
    pub(crate) text_bytes: u64,
    pub(crate) blob_bytes: u64,
    late: Option<Box<Late>>,
}

/// What waits for a member of this element or of one above it.
#[derive(Debug, Default)]
pub(crate) struct Late {
    /// Elements below that state `visible` false, true, while none between states it.
    pub(crate) visible: [Pending<()>; 2],
    /// Focused children, in case this element is not focused.
    pub(crate) gaps: Pending<()>,
    /// Children that are no Row, in case this is a Table.
    pub(crate) no_rows: Pending<RoleRead>,
    /// Children that are no Cell, in case this is a Row of a Table.
    pub(crate) no_cells: Pending<RoleRead>,
    /// Children of Rows that are no Cell, in case this is a Table.
    pub(crate) no_cells_of_rows: Pending<RoleRead>,
}

impl Frame {
    pub(crate) fn new(number: u32, at: u64) -> Self {
        Self {
            number,
            at,
            role: RoleRead::Unread,
            focused: None,
            hovered: None,
            visible: None,
            content_at: 0,
            blocks: Blocks::default(),
            first_focused: NOWHERE,
            link: NOWHERE,
            hovered_below: NOWHERE,
            height_below: 0,
            content_bytes: 0,
            text_bytes: 0,
            blob_bytes: 0,
            late: None,
        }
    }

    /// What waits, to add to it.
    pub(crate) fn late(&mut self) -> &mut Late {
        self.late.get_or_insert_default()
    }

    /// The focused children that wait.
    pub(crate) fn take_gaps(&mut self) -> Pending<()> {
        self.late.as_mut().map(|late| std::mem::take(&mut late.gaps)).unwrap_or_default()
    }

    /// The elements below that state `visible` false, true, and wait.
    pub(crate) fn take_visible(&mut self) -> [Pending<()>; 2] {
        self.late.as_mut().map(|late| std::mem::take(&mut late.visible)).unwrap_or_default()
    }

    /// All else that waits.
    pub(crate) fn take_late(&mut self) -> Option<Box<Late>> {
        self.late.take()
    }
}
