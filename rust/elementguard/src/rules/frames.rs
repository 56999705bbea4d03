//! frames: the open elements, innermost last.
//!
//! In: elements as they begin and end. Out: their [`Frame`]s. A frame stays where it is when its element ends, and serves the next
//! element of that depth: an answer opens and closes one for each element, and most of what it holds is never written.

use crate::rules::frame::Frame;

/// The frames of the open elements.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// Behind the open ones stand some that were open before, in which nothing waits.
    all: Vec<Frame>,
    open: usize,
}

impl Frames {
    /// How many elements are open.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.open
    }

    /// Whether none is open.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.open == 0
    }

    /// All of them.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[Frame] {
        self.all.get(..self.open).unwrap_or_default()
    }

    /// All of them, to write to them.
    pub(crate) fn all_mut(&mut self) -> &mut [Frame] {
        self.all.get_mut(..self.open).unwrap_or_default()
    }

    /// The innermost one and those around it.
    #[inline(always)]
    pub(crate) fn split_last(&self) -> Option<(&Frame, &[Frame])> {
        self.all().split_last()
    }

    /// The innermost one.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<&Frame> {
        self.all.get(self.open.wrapping_sub(1))
    }

    /// The innermost one, to write to it.
    #[inline(always)]
    pub(crate) fn last_mut(&mut self) -> Option<&mut Frame> {
        self.all.get_mut(self.open.wrapping_sub(1))
    }

    /// The innermost one to write to it, and the role of the one around it.
    pub(crate) fn last_two(&mut self) -> Option<(&Frame, &mut Frame)> {
        match self.all.get_mut(..self.open) {
            Some([.., above, last]) => Some((above, last)),
            _ => None,
        }
    }

    /// An element begins.
    #[inline(always)]
    pub(crate) fn push(&mut self, number: u32, at: u64, waiting_from: u32) {
        if self.open == self.all.len() {
            self.all.push(Frame::default());
        }
        if let Some(frame) = self.all.get_mut(self.open) {
            frame.begin(number, at, waiting_from);
        }
        self.open += 1;
    }

    /// The innermost element ends, and its frame is still needed.
    pub(crate) fn pop(&mut self) -> Option<Frame> {
        self.open = self.open.checked_sub(1)?;
        self.all.get_mut(self.open).map(std::mem::take)
    }

    /// The innermost element ends, and nothing waits for it.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// Closes all.
    pub(crate) fn clear(&mut self) {
        while self.pop().is_some() {}
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.all.capacity() * size_of::<Frame>()
    }
}
