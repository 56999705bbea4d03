//! scratch: the state of a reading, kept from one answer to the next.
//!
//! In: settings. Out: a tree with nothing in it, and with the room that earlier answers needed: a host reads one answer after the
//! other, and asking for memory costs more than reading a small one. Each thread keeps one; one that grew beyond [`MOST`] is
//! given back to the system. So is the summary that a report takes away with it: when the report ends, the next one has it. The rows
//! of a loaded answer leave with it, and come back when it is gone.

use std::cell::Cell;
use std::sync::Arc;

use crate::index::NarrowRow;
use crate::settings::Compiled;
use crate::size::Summary;
use crate::tree::Tree;

/// The most bytes that a thread keeps.
const MOST: usize = 64 << 20;

/// An answer of so few bytes leaves little behind.
const SHORT: u64 = 64 << 10;

/// The most bytes of ids that are kept with a summary.
const FEW: usize = 4 << 10;

thread_local! {
    static KEPT: Cell<Option<Box<Tree>>> = const { Cell::new(None) };
    static SUMMARY: Cell<Option<Box<Summary>>> = const { Cell::new(None) };
    static ROWS: Cell<Vec<NarrowRow>> = const { Cell::new(Vec::new()) };
}

/// A tree with nothing in it.
pub(crate) fn take(settings: &Arc<Compiled>, offsets: bool) -> Box<Tree> {
    // While a thread ends, what it kept is gone already.
    match KEPT.try_with(Cell::take).ok().flatten() {
        Some(mut tree) => {
            tree.reset(settings, offsets);
            tree
        }
        None => new(settings, offsets),
    }
}

/// Out of the way of all answers but the first: a tree is large, and would be built on the caller's stack.
#[cold]
#[inline(never)]
fn new(settings: &Arc<Compiled>, offsets: bool) -> Box<Tree> {
    Box::new(Tree::new(Arc::clone(settings), offsets))
}

/// Gives a tree back for the next answer. What one needed that was short, `bytes` long, is little; what it found there was looked
/// at before.
pub(crate) fn give_back(tree: Box<Tree>, bytes: Option<u64>) {
    if bytes.is_some_and(|bytes| bytes <= SHORT) || tree.room() <= MOST {
        // Here too: then the tree is dropped.
        let _ = KEPT.try_with(|kept| kept.set(Some(tree)));
    }
}

/// A summary to go on with, where one has left with its report. What stands in it is of another answer.
#[inline]
pub(crate) fn summary() -> Box<Summary> {
    SUMMARY.try_with(Cell::take).ok().flatten().unwrap_or_default()
}

/// The summary that a report has, if it has one: when the report ends, it serves another one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lent(Option<Box<Summary>>);

impl Lent {
    pub(crate) fn new(summary: Box<Summary>) -> Self {
        Self(Some(summary))
    }

    pub(crate) fn get(&self) -> Option<&Summary> {
        self.0.as_deref()
    }
}

impl Drop for Lent {
    #[inline]
    fn drop(&mut self) {
        if let Some(summary) = self.0.take().filter(|summary| summary.room() <= FEW) {
            let _ = SUMMARY.try_with(|kept| kept.set(Some(summary)));
        }
    }
}

/// Rows with nothing in them.
pub(crate) fn take_rows() -> Vec<NarrowRow> {
    ROWS.try_with(Cell::take).unwrap_or_default()
}

/// Gives rows back for the next answer, unless there is more room already.
pub(crate) fn give_back_rows(mut rows: Vec<NarrowRow>) {
    if rows.capacity().saturating_mul(size_of::<NarrowRow>()) > MOST {
        return;
    }
    rows.clear();
    let _ = ROWS.try_with(|kept| {
        let other = kept.take();
        kept.set(if other.capacity() < rows.capacity() { rows } else { other });
    });
}
