//! roles: the role language, section 5.2.
//!
//! In: a role's word, and elements as they end. Out: `root-not-application`, `nested-application`, `unknown-role`,
//! `furniture-role`, `irregular-table`.
//!
//! A child of a Table ends before the Table does, and the Table may name its role last, so children that would be irregular wait
//! in the parent's frame while its role may still come, and those of a Row wait once more for the Row's own parent.

use crate::findings::Parameter;
use crate::pointer::Spot;
use crate::role::RoleWord;
use crate::rules::frame::{Frame, RoleRead};
use crate::rules::pending::{Pending, Waiting};
use crate::rules::shape::Role;
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::tree::Tree;
use crate::word::Word;

/// What a parent's role says of a rule that only holds for one role.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Yes,
    No,
    NotYet,
}

impl Is {
    fn role(read: RoleRead, wanted: Role) -> Self {
        match read {
            RoleRead::Unread => Self::NotYet,
            RoleRead::Known(role) if role == wanted => Self::Yes,
            _ => Self::No,
        }
    }
}

impl Tree {
    /// `role` was read of which the text is there as a whole.
    pub(crate) fn role_text(&mut self, at: u64, text: &[u8]) {
        if let Some(role) = Role::from_name(text) {
            return self.good_role(at, role);
        }
        let mut word = RoleWord::default();
        word.feed(text);
        self.role(at, &word);
    }

    /// `role` was read.
    pub(crate) fn role(&mut self, at: u64, word: &RoleWord) {
        self.index_role(at);
        let quote = || Parameter::quote(word.word().text());
        let role = word.role();
        if self.frames.len() > 1 {
            if role == Some(Role::Application) {
                self.say(Rule::NestedApplication, at, || []);
            }
        } else if self.settings.kind == Kind::Answer && role != Some(Role::Application) {
            self.say(Rule::RootNotApplication, at, || [quote()]);
        }
        if role.is_none() {
            if word.is_furniture() {
                self.say(Rule::FurnitureRole, at, || [quote()]);
            } else {
                let suggestion =
                    || word.meant().map_or(Parameter::Null, |role| Parameter::Word(role.name()));
                self.say(Rule::UnknownRole, at, || [quote(), suggestion()]);
            }
        }
        match role {
            Some(role) => self.set_role(role),
            None => self.set_other_role(word.word()),
        }
    }

    /// One of the thirteen roles was read.
    pub(crate) fn good_role(&mut self, at: u64, role: Role) {
        self.index_role(at);
        if self.is_misplaced(role) {
            if role == Role::Application {
                self.say(Rule::NestedApplication, at, || []);
            } else {
                self.say(Rule::RootNotApplication, at, || [Parameter::Word(role.name())]);
            }
        }
        self.set_role(role);
    }

    /// Whether the innermost element must not have one of the thirteen roles.
    #[inline(always)]
    pub(crate) fn is_misplaced(&self, role: Role) -> bool {
        let is_application = role == Role::Application;
        let is_root = self.frames.len() == 1;
        match self.settings.kind {
            Kind::Answer => is_application != is_root,
            Kind::Element => is_application && !is_root,
        }
    }

    /// The role of the innermost element is known.
    #[inline(always)]
    pub(crate) fn set_role(&mut self, role: Role) {
        if let Some(frame) = self.frames.last_mut() {
            frame.role = RoleRead::Known(role);
            self.summary.roles[role as usize] += 1;
        }
    }

    /// The word is only needed for findings about this element.
    fn set_other_role(&mut self, word: &Word) {
        if let Some(frame) = self.frames.last_mut() {
            // No rule about it comes before the first one of all, and none speaks of a place before the element.
            let is_wanted = self.findings.has_room(Rule::ALL[0], frame.at);
            frame.other_role(is_wanted.then(|| Parameter::quote(word.text())));
            self.summary.roles[Role::Group as usize] += 1;
        }
    }

    /// An element ends: whether it, its children and theirs make a regular table.
    pub(crate) fn table(&mut self, frame: &mut Frame) {
        if !self.findings.is_on(Rule::IrregularTable) {
            return;
        }
        let role = frame.role;
        if let Some(late) = frame.waiting() {
            if role == RoleRead::Known(Role::Table) {
                self.irregular(&late.no_rows);
                self.irregular(&late.no_cells_of_rows);
            }
            if role == RoleRead::Known(Role::Row) {
                let no_cells = std::mem::take(&mut late.no_cells);
                self.row_of_table(no_cells);
            }
        }
        self.child_of_table(frame);
    }

    /// The children of a Row that are no Cell.
    fn row_of_table(&mut self, no_cells: Pending<Parameter>) {
        let most = self.findings.most();
        let Some(parent) = self.frames.last_mut() else { return };
        match Is::role(parent.role, Role::Table) {
            Is::Yes => self.irregular(&no_cells),
            Is::No => {}
            Is::NotYet if no_cells.is_empty() => {}
            Is::NotYet => parent.late().no_cells_of_rows.absorb(no_cells, most),
        }
    }

    /// An element as a child of a Table or of a Row.
    #[inline]
    fn child_of_table(&mut self, frame: &Frame) {
        let Some(role) = frame.role.received() else { return };
        let most = self.findings.most();
        let Some((above, parent)) = self.frames.last_two() else {
            return self.child_of_root(frame, role);
        };
        let waiting =
            || Waiting { at: frame.at, element: frame.number, with: frame.role_parameter() };
        if role != Role::Cell && may_be_row_of_table(parent.role, above.role) {
            parent.late().no_cells.add(waiting(), most);
        }
        if role != Role::Row && Is::role(parent.role, Role::Table) != Is::No {
            parent.late().no_rows.add(waiting(), most);
        }
    }

    /// The same where the parent is the root (or top), which is in no Table.
    fn child_of_root(&mut self, frame: &Frame, role: Role) {
        let most = self.findings.most();
        let Some(parent) = self.frames.last_mut() else { return };
        if role != Role::Row && Is::role(parent.role, Role::Table) != Is::No {
            let waiting =
                Waiting { at: frame.at, element: frame.number, with: frame.role_parameter() };
            parent.late().no_rows.add(waiting, most);
        }
    }

    fn irregular(&mut self, pending: &Pending<Parameter>) {
        self.say_all(Rule::IrregularTable, pending, |waiting| {
            (Spot::element(waiting.element), [waiting.with.clone()])
        });
    }
}

/// Whether an element of a role may turn out to be a Row of a Table, by the role of the one around it.
fn may_be_row_of_table(role: RoleRead, around: RoleRead) -> bool {
    Is::role(role, Role::Row) != Is::No && Is::role(around, Role::Table) != Is::No
}
