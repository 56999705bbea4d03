//! pending: places about which nothing can be said yet.
//!
//! In: places as elements close. Out: findings, or nothing, once an ancestor's members are known. All are counted; no more than
//! the first `limits.findings` of them are kept, so a list is short whatever the answer holds. Lists are handed up by joining the
//! shorter to the longer, so a deep tree costs no more than a wide one.

use crate::findings::Parameter;
use crate::pointer::Spot;
use crate::rules::table::Rule;
use crate::tree::Tree;

/// One place: its offset, its element, and what else its finding will need.
#[derive(Clone, Debug)]
pub(crate) struct Waiting<T> {
    pub(crate) at: u64,
    pub(crate) element: u32,
    pub(crate) with: T,
}

/// Places that wait for the same decision.
#[derive(Clone, Debug)]
pub(crate) struct Pending<T> {
    count: u64,
    first: Vec<Waiting<T>>,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        Self { count: 0, first: Vec::new() }
    }
}

impl<T> Pending<T> {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a place; `most` is how many can be wanted.
    pub(crate) fn add(&mut self, waiting: Waiting<T>, most: usize) {
        self.count += 1;
        if most > 0 {
            self.first.push(waiting);
            self.trim(most);
        }
    }

    /// Takes over the places of another list.
    pub(crate) fn absorb(&mut self, mut other: Self, most: usize) {
        if other.first.len() > self.first.len() {
            std::mem::swap(self, &mut other);
        }
        self.count += other.count;
        self.first.append(&mut other.first);
        self.trim(most);
    }

    /// Drops what cannot be among the first, once that is worth the work.
    fn trim(&mut self, most: usize) {
        if self.first.len() > most.saturating_mul(2).max(8) {
            self.first.select_nth_unstable_by_key(most, |waiting| waiting.at);
            self.first.truncate(most);
        }
    }
}

impl Tree {
    /// Says a finding for each place of a list.
    pub(crate) fn say_all<T, const N: usize>(
        &mut self,
        rule: Rule,
        pending: &Pending<T>,
        finding: impl Fn(&Waiting<T>) -> (Spot, [Parameter; N]),
    ) {
        self.findings.count_all(rule, pending.count - pending.first.len() as u64);
        for waiting in &pending.first {
            self.say_of(waiting.element, rule, waiting.at, || finding(waiting));
        }
    }

    /// Says a finding about an element that need not be open any more.
    pub(crate) fn say_of<const N: usize>(
        &mut self,
        element: u32,
        rule: Rule,
        at: u64,
        finding: impl FnOnce() -> (Spot, [Parameter; N]),
    ) {
        if self.findings.count(rule, at) {
            let (spot, parameters) = finding();
            self.findings.keep(rule, at, element, spot, parameters);
        }
    }
}
