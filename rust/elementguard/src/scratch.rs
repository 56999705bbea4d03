//! scratch: the state of a reading, kept from one answer to the next.
//!
//! In: settings. Out: a tree with nothing in it, and with the room that earlier answers needed: a host reads one answer after the
//! other, and asking for memory costs more than reading a small one. Each thread keeps one; one that grew beyond [`MOST`] is
//! given back to the system.

use std::cell::Cell;
use std::sync::Arc;

use crate::settings::Compiled;
use crate::tree::Tree;

/// The most bytes that a thread keeps.
const MOST: usize = 64 << 20;

thread_local! {
    static KEPT: Cell<Option<Box<Tree>>> = const { Cell::new(None) };
}

/// A tree with nothing in it.
pub(crate) fn take(settings: &Arc<Compiled>, offsets: bool) -> Box<Tree> {
    // While a thread ends, what it kept is gone already.
    match KEPT.try_with(Cell::take).ok().flatten() {
        Some(mut tree) => {
            tree.reset(settings, offsets);
            tree
        }
        None => Box::new(Tree::new(Arc::clone(settings), offsets)),
    }
}

/// Gives a tree back for the next answer.
pub(crate) fn give_back(tree: Box<Tree>) {
    if tree.room() <= MOST {
        // Here too: then the tree is dropped.
        let _ = KEPT.try_with(|kept| kept.set(Some(tree)));
    }
}
