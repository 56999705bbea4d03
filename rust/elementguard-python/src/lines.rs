//! lines: answers one a line -> those that have something to tell.
//!
//! Comes in: a block, and where the whole lines in it begin and end. Goes out: how many lines and answers these are, and where
//! those stand that are not clean. Of clean ones no object is made, and the interpreter's lock is
//! not held, so as many blocks are read at once as there are threads to ask for them.

use std::ops::Range;

use elementguard::Validator;
use memchr::memchr_iter;

/// Number of the line, from 0; where it begins in the block; where it ends, without its line end.
pub(crate) type Told = (u64, usize, usize);

/// The number of lines, that of answers, and the lines that are not clean.
pub(crate) fn sift(
    validator: &Validator,
    block: &[u8],
    whole: Range<usize>,
) -> (u64, u64, Vec<Told>) {
    let (mut lines, mut answers, mut told) = (0, 0, Vec::new());
    let first = whole.start;
    for (at, line) in split(block.get(whole).unwrap_or_default()) {
        if !line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            answers += 1;
            if validator.check(line).counts().iter().any(|&count| count > 0) {
                told.push((lines, first + at, first + at + line.len()));
            }
        }
        lines += 1;
    }
    (lines, answers, told)
}

/// The lines without their ends, and where each begins. Behind the last line end none begins unless
/// something stands there.
fn split(block: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let rest = Some(block.len()).filter(|_| !block.is_empty() && !block.ends_with(b"\n"));
    memchr_iter(b'\n', block).chain(rest).scan(0, |at, end| {
        let start = std::mem::replace(at, end + 1);
        let line = block.get(start..end)?;
        Some((start, line.strip_suffix(b"\r").unwrap_or(line)))
    })
}
