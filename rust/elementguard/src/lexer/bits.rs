//! bits: the open brackets, one bit each, so that a nesting of a million costs 125 KB.

/// The open brackets, one bit each.
#[derive(Debug, Default)]
pub(crate) struct BitStack {
    bits: Vec<u64>,
    length: usize,
}

impl BitStack {
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The innermost bit; false if there is none.
    pub(crate) fn top(&self) -> bool {
        let Some(last) = self.length.checked_sub(1) else { return false };
        self.bits[last / 64] >> (last % 64) & 1 == 1
    }

    pub(crate) fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(64) {
            self.bits.truncate(self.length / 64);
            self.bits.push(0);
        }
        let mask = 1 << (self.length % 64);
        let word = &mut self.bits[self.length / 64];
        *word = if bit { *word | mask } else { *word & !mask };
        self.length += 1;
    }

    pub(crate) fn pop(&mut self) {
        self.length -= 1;
    }
}
