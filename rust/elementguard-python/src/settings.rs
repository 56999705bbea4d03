//! settings: what the facade says of limits, levels and kind -> the core's [`Settings`].
//!
//! The facade has checked all of it and says what is wrong in words of its own; what is refused
//! here is a caller who left the facade out.

use elementguard::{Kind, Level, Limits, Rule, Settings};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Limits as a tuple in the order of the facade's `Limits`, one level a rule, `"answer"` or
/// `"element"`.
pub(crate) fn read(limits: &Bound<'_, PyTuple>, levels: &[u8], kind: &str) -> PyResult<Settings> {
    Ok(Settings { limits: limits_of(limits)?, levels: levels_of(levels)?, kind: kind_of(kind)? })
}

fn limits_of(limits: &Bound<'_, PyTuple>) -> PyResult<Limits> {
    const COUNTS: usize = 13;
    if limits.len() != COUNTS + 1 {
        return Err(PyValueError::new_err(format!(
            "limits: {} values are needed, not {}",
            COUNTS + 1,
            limits.len()
        )));
    }
    let mut counts = [None; COUNTS];
    for (count, given) in counts.iter_mut().zip(limits) {
        *count = count_of(&given)?;
    }
    let [
        bytes,
        nesting,
        elements,
        depth,
        findings,
        children,
        blocks,
        subtree_bytes,
        subtree_elements,
        content_bytes,
        attributes_bytes,
        title_characters,
        image_edge,
    ] = counts;
    Ok(Limits {
        bytes,
        nesting,
        elements,
        depth,
        findings,
        children,
        blocks,
        subtree_bytes,
        subtree_elements,
        content_bytes,
        attributes_bytes,
        title_characters,
        image_edge,
        media_types: limits.get_item(COUNTS)?.extract()?,
    })
}

/// A count, or no limit. More than any answer can have is as good as the most that a signed word
/// holds.
fn count_of(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    const MOST: u64 = i64::MAX as u64;
    if given.is_none() {
        return Ok(None);
    }
    match given.extract::<u64>() {
        Ok(count) => Ok(Some(count.min(MOST))),
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) && given.gt(0)? => {
            Ok(Some(MOST))
        }
        Err(error) => Err(error),
    }
}

fn levels_of(levels: &[u8]) -> PyResult<[Level; Rule::COUNT]> {
    if levels.len() != Rule::COUNT {
        let message = format!("levels: {} bytes are needed, not {}", Rule::COUNT, levels.len());
        return Err(PyValueError::new_err(message));
    }
    let mut read = [Level::Off; Rule::COUNT];
    for (level, &byte) in read.iter_mut().zip(levels) {
        *level = level_of(byte)?;
    }
    Ok(read)
}

fn level_of(byte: u8) -> PyResult<Level> {
    [Level::Off, Level::Note, Level::Warning, Level::Error]
        .into_iter()
        .find(|&level| level as u8 == byte)
        .ok_or_else(|| PyValueError::new_err(format!("levels: 0 to 3 is needed, not {byte}")))
}

fn kind_of(kind: &str) -> PyResult<Kind> {
    match kind {
        "answer" => Ok(Kind::Answer),
        "element" => Ok(Kind::Element),
        _ => Err(PyValueError::new_err(format!(
            "kind: 'answer' or 'element' is needed, not {kind:?}"
        ))),
    }
}
