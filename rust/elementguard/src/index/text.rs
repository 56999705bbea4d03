//! text: a string of the source, unescaped.
//!
//! In: a string's place, or what stands behind its quotation mark; it was read before, so it is JSON. Out: its text; a lone surrogate in it
//! becomes three bytes (WTF-8), as Python's `surrogatepass` writes it.

use std::borrow::Cow;

/// The string that stands at a place of a source that was read before, unescaped; nothing where something else does.
#[inline]
#[must_use]
pub fn at(source: &[u8], at: usize) -> Option<Cow<'_, [u8]>> {
    let text = source.get(at..)?.strip_prefix(b"\"")?;
    let length = text.iter().position(|&byte| byte == b'"' || byte == b'\\')?;
    if text.get(length) == Some(&b'"') {
        return text.get(..length).map(Cow::Borrowed);
    }
    unescaped(text).map(Cow::Owned)
}

/// A string behind its quotation mark, unescaped; a lone surrogate becomes three bytes.
pub(super) fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let mut rest = text.iter();
    loop {
        match *rest.next()? {
            b'"' => return Some(plain),
            b'\\' => match *rest.next()? {
                b'u' => unit(&mut rest, &mut plain)?,
                b'b' => plain.push(8),
                b'f' => plain.push(12),
                b'n' => plain.push(b'\n'),
                b'r' => plain.push(b'\r'),
                b't' => plain.push(b'\t'),
                other => plain.push(other),
            },
            other => plain.push(other),
        }
    }
}

/// What a `\u` stands for, with the other half of a pair behind it.
fn unit(rest: &mut std::slice::Iter<'_, u8>, plain: &mut Vec<u8>) -> Option<()> {
    let high = hex(rest.as_slice())?;
    rest.nth(3)?;
    let low = rest.as_slice().strip_prefix(b"\\u").and_then(hex);
    let code = match low {
        Some(low @ 0xDC00..0xE000) if (0xD800..0xDC00).contains(&high) => {
            rest.nth(5)?;
            0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        }
        _ => high,
    };
    match char::from_u32(code) {
        Some(character) => plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => plain.extend([
            0xE0 | (code >> 12) as u8,
            0x80 | (code >> 6 & 0x3F) as u8,
            0x80 | (code & 0x3F) as u8,
        ]),
    }
    Some(())
}

fn hex(text: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(text.get(..4)?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}
