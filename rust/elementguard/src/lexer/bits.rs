//! bits: the open brackets, one bit each, so that a nesting of a million costs 125 KB.

/// The open brackets, one bit each.
#[derive(Debug, Default)]
pub(crate) struct BitStack {
    /// The innermost ones, the last one lowest; at most 64.
    top: u64,
    /// Those further out, 64 in each.
    outer: Vec<u64>,
    length: usize,
}

impl BitStack {
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The innermost bit; false if there is none.
    pub(crate) fn top(&self) -> bool {
        self.top & 1 == 1
    }

    pub(crate) fn push(&mut self, bit: bool) {
        if self.length > 0 && self.length.is_multiple_of(64) {
            self.outer.push(self.top);
        }
        self.top = self.top << 1 | u64::from(bit);
        self.length += 1;
    }

    pub(crate) fn pop(&mut self) {
        self.length -= 1;
        self.top >>= 1;
        if self.length.is_multiple_of(64) {
            self.top = self.outer.pop().unwrap_or_default();
        }
    }
}
