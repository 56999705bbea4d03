//! number: Python's numbers -> the digits that JSON would have for them.
//!
//! Comes in: an `int` or a `float`, or an instance of a subclass, which is read as the number it
//! is, whatever its methods say. Goes out: the text of `int.__repr__` and `float.__repr__`, as
//! `json.dumps` writes it; of a float also just how long that is, without asking Python.
//!
//! Integers of up to 4,300 digits are read exactly (contract §6). That is also what the interpreter
//! converts by default, but a program may lower its own bound (`sys.set_int_max_str_digits`);
//! verdicts must not hang on that. Hexadecimal has no bound, so digits come from there. The work is
//! quadratic in the digits, but for no more than 4,300 of them.

use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString};

/// The most decimal digits that are read.
const MOST_DIGITS: usize = 4300;
/// The bits of 10^4300: a number of more bits has more digits.
const MOST_BITS: u64 = 14_285;
/// How many decimal digits one limb holds, and what it is below.
const LIMB_DIGITS: usize = 9;
const LIMB: u64 = 1_000_000_000;

/// The digits of an integer; `None` if there are too many.
pub(crate) fn integer(number: &Bound<'_, PyInt>) -> PyResult<Option<String>> {
    if let Ok(small) = number.extract::<i64>() {
        return Ok(Some(small.to_string()));
    }
    // Through the class, so that a subclass's own methods are left out.
    let class = number.py().get_type::<PyInt>();
    if class.call_method1("bit_length", (number,))?.extract::<u64>()? > MOST_BITS {
        return Ok(None);
    }
    let hex = class.call_method1("__format__", (number, "x"))?.cast_into::<PyString>()?;
    Ok(decimal(hex.to_str()?))
}

/// The digits of a float, or the word for what JSON has no number for.
pub(crate) fn float<'py>(
    number: &Bound<'py, PyFloat>,
) -> PyResult<Result<Bound<'py, PyString>, &'static str>> {
    let value = number.value();
    if value.is_nan() {
        return Ok(Err("NaN"));
    }
    if value.is_infinite() {
        return Ok(Err(if value > 0.0 { "Infinity" } else { "-Infinity" }));
    }
    PyFloat::new(number.py(), value).repr().map(Ok)
}

/// How long the text of a float is; `None` where JSON has no number for it.
#[inline]
pub(crate) fn length(value: f64) -> Option<u64> {
    if !value.is_finite() {
        return None;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value).as_bytes();
    // The digits are the same; but Python writes exponents with two digits at least, and has them
    // for values below 0.0001.
    let more = match text.strip_prefix(b"-").unwrap_or(text) {
        [.., b'e', b'-', _] => 1,
        [b'0', b'.', b'0', b'0', b'0', b'0', _] => -2,
        [b'0', b'.', b'0', b'0', b'0', b'0', ..] => -1,
        _ => 0,
    };
    (text.len() as u64).checked_add_signed(more)
}

/// Hexadecimal digits as decimal ones; `None` if there are too many.
fn decimal(hex: &str) -> Option<String> {
    let (sign, digits) = hex.strip_prefix('-').map_or(("", hex), |digits| ("-", digits));
    let limbs = limbs(digits.as_bytes());
    let (last, lower) = limbs.split_last()?;
    let lower = lower.iter().rev().map(|limb| format!("{limb:0LIMB_DIGITS$}"));
    let text: String = std::iter::once(format!("{sign}{last}")).chain(lower).collect();
    (text.len() - sign.len() <= MOST_DIGITS).then_some(text)
}

/// The value of hexadecimal digits in base [`LIMB`], the lowest limb first.
fn limbs(hex: &[u8]) -> Vec<u64> {
    let mut limbs = vec![0];
    for piece in hex.rchunks(8).rev() {
        let base = 1 << (4 * piece.len());
        let mut carry = piece.iter().fold(0, |value, &digit| value << 4 | nibble(digit));
        for limb in &mut limbs {
            let value = *limb * base + carry;
            (*limb, carry) = (value % LIMB, value / LIMB);
        }
        while carry > 0 {
            limbs.push(carry % LIMB);
            carry /= LIMB;
        }
    }
    limbs
}

fn nibble(digit: u8) -> u64 {
    char::from(digit).to_digit(16).map_or(0, u64::from)
}
