//! roles: the role language, section 5.2.
//!
//! In: a role's word, and elements as they end. Out: `root-not-application`, `nested-application`, `unknown-role`,
//! `furniture-role`, `irregular-table`.
//!
//! A child of a Table ends before the Table does, and the Table may name its role last, so children that would be irregular wait
//! in the parent's frame while its role may still come, and those of a Row wait once more for the Row's own parent.

use crate::pointer::Spot;
use crate::report::Parameter;
use crate::role::RoleWord;
use crate::rules::frame::{Frame, RoleRead};
use crate::rules::pending::{Pending, Waiting};
use crate::rules::shape::Role;
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::tree::Tree;

/// What a parent's role says of a rule that only holds for one role.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Yes,
    No,
    NotYet,
}

impl Is {
    fn role(read: &RoleRead, wanted: Role) -> Self {
        match read {
            RoleRead::Unread => Self::NotYet,
            RoleRead::Known(role) if *role == wanted => Self::Yes,
            _ => Self::No,
        }
    }
}

impl Tree {
    /// `role` was read.
    pub(crate) fn role(&mut self, at: u64, word: &RoleWord) {
        let quote = || Parameter::Quote(word.word().quote().into());
        let role = word.role();
        if self.frames.len() > 1 {
            if role == Some(Role::Application) {
                self.say(Rule::NestedApplication, at, Vec::new);
            }
        } else if self.settings.kind == Kind::Answer && role != Some(Role::Application) {
            self.say(Rule::RootNotApplication, at, || vec![quote()]);
        }
        if role.is_none() {
            if word.is_furniture() {
                self.say(Rule::FurnitureRole, at, || vec![quote()]);
            } else {
                let suggestion =
                    || word.meant().map_or(Parameter::Null, |role| Parameter::Word(role.name()));
                self.say(Rule::UnknownRole, at, || vec![quote(), suggestion()]);
            }
        }
        let Some(frame) = self.frames.last_mut() else { return };
        frame.role =
            role.map_or_else(|| RoleRead::Other(word.word().quote().into()), RoleRead::Known);
        if let Some(received) = frame.role.received() {
            self.summary.roles[received as usize] += 1;
        }
    }

    /// An element ends: whether it, its children and theirs make a regular table.
    pub(crate) fn table(&mut self, frame: &mut Frame) {
        if !self.findings.is_on(Rule::IrregularTable) {
            return;
        }
        if let Some(late) = frame.take_late() {
            self.own_table(frame, &late.no_rows, &late.no_cells_of_rows);
            self.row_of_table(frame, late.no_cells);
        }
        self.child_of_table(frame);
    }

    /// The children of this element that are no Row, and those of its Rows that are no Cell.
    fn own_table(
        &mut self,
        frame: &Frame,
        no_rows: &Pending<RoleRead>,
        no_cells: &Pending<RoleRead>,
    ) {
        if frame.role == RoleRead::Known(Role::Table) {
            self.irregular(no_rows);
            self.irregular(no_cells);
        }
    }

    /// The children of this element that are no Cell, if it is a Row.
    fn row_of_table(&mut self, frame: &Frame, no_cells: Pending<RoleRead>) {
        if frame.role != RoleRead::Known(Role::Row) {
            return;
        }
        let most = self.findings.most();
        let Some(parent) = self.frames.last_mut() else { return };
        match Is::role(&parent.role, Role::Table) {
            Is::Yes => self.irregular(&no_cells),
            Is::No => {}
            Is::NotYet => parent.late().no_cells_of_rows.absorb(no_cells, most),
        }
    }

    /// This element as a child of a Table or of a Row.
    fn child_of_table(&mut self, frame: &Frame) {
        let Some(role) = frame.role.received() else { return };
        let most = self.findings.most();
        let Some(parent) = self.frames.last_mut() else { return };
        let waiting = || Waiting { at: frame.at, element: frame.number, with: frame.role.clone() };
        let (is_table, is_row) =
            (Is::role(&parent.role, Role::Table), Is::role(&parent.role, Role::Row));
        if role != Role::Cell && is_row != Is::No {
            parent.late().no_cells.add(waiting(), most);
        }
        if role != Role::Row && is_table != Is::No {
            parent.late().no_rows.add(waiting(), most);
        }
    }

    fn irregular(&mut self, pending: &Pending<RoleRead>) {
        self.say_all(Rule::IrregularTable, pending, |waiting| {
            (Spot::element(waiting.element), vec![waiting.with.parameter()])
        });
    }
}
