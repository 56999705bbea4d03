//! lane: the looks and steps that members and blocks are read with.
//!
//! In: the chunk and a place in it. Out: what stands there and the place behind it, or `None` where it is not what clean answers
//! have: then nothing was said, and who asked goes back to where the member began.

use crate::rules::shape::ElementMember;
use crate::scan::{Job, Kernel, Run};
use crate::text::{Plain, may_be_controls};
use crate::uri::{Place, Uri};

/// How far a look ahead goes.
pub(crate) const WINDOW: usize = 64;

/// How far a string or number within a window is looked at: one step of most kernels.
pub(super) const NEAR: usize = 32;

/// What stands ahead.
pub(super) type Window = [u8; WINDOW];

/// A chunk, and how to read it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane<'a, K> {
    pub(super) kernel: K,
    /// The chunk, and behind it bytes that are not part of it.
    pub(super) bytes: &'a [u8],
    /// Where the chunk ends.
    pub(super) end: usize,
    /// The offset of the chunk's start.
    pub(super) base: u64,
}

/// Whether bytes start with a text.
#[inline(always)]
pub(super) fn starts<const N: usize>(bytes: &[u8], text: &[u8; N]) -> bool {
    bytes.first_chunk::<N>() == Some(text)
}

impl<'a, K: Kernel> Lane<'a, K> {
    /// The offset in the answer.
    #[inline(always)]
    pub(super) fn offset(self, at: usize) -> u64 {
        self.base + at as u64
    }

    /// What stands ahead of a place.
    #[inline(always)]
    pub(super) fn window(self, at: usize) -> Option<&'a Window> {
        self.bytes.get(at..)?.first_chunk()
    }

    #[inline(always)]
    pub(super) fn byte(self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The place behind white space.
    #[inline(always)]
    pub(super) fn space(self, at: usize) -> usize {
        at + self.kernel.space(self.bytes.get(at..).unwrap_or_default())
    }

    /// The place of the next byte that is no white space.
    #[inline(always)]
    pub(super) fn skip(self, at: usize) -> usize {
        if self.byte(at) <= b' ' { self.space(at) } else { at }
    }

    /// The next byte that is no white space, and the place behind it.
    #[inline(always)]
    pub(super) fn structure(self, at: usize) -> Option<(u8, usize)> {
        let byte = *self.bytes.get(at)?;
        if byte > b' ' {
            return Some((byte, at + 1));
        }
        let at = self.space(at);
        Some((*self.bytes.get(at)?, at + 1))
    }

    /// The place behind a quotation mark.
    #[inline(always)]
    pub(super) fn quote(self, at: usize) -> Option<usize> {
        (self.byte(at) == b'"').then_some(at + 1)
    }

    /// The place behind a text.
    #[inline(always)]
    pub(super) fn eat<const N: usize>(self, at: usize, text: &[u8; N]) -> Option<usize> {
        (self.bytes.get(at..)?.first_chunk::<N>()? == text).then_some(at + N)
    }

    /// The place of the value behind a colon.
    #[inline(always)]
    pub(super) fn colon(self, at: usize) -> Option<usize> {
        let (byte, at) = self.structure(at)?;
        if byte != b':' {
            return None;
        }
        Some(if self.byte(at) <= b' ' { self.space(at) } else { at })
    }

    /// The name of an element's member, and the place of its value.
    #[inline(always)]
    pub(super) fn element_name(self, at: usize) -> Option<(ElementMember, usize)> {
        let window = self.window(at)?;
        let (member, length) = match window[1] {
            b'i' if starts(window, b"\"id\"") => (ElementMember::Id, 4),
            b'r' if starts(window, b"\"role\"") => (ElementMember::Role, 6),
            b't' if starts(window, b"\"title\"") => (ElementMember::Title, 7),
            b'u' if starts(window, b"\"url\"") => (ElementMember::Url, 5),
            b's' if starts(window, b"\"subrole\"") => (ElementMember::Subrole, 9),
            b's' if starts(window, b"\"selected\"") => (ElementMember::Selected, 10),
            b'v' if starts(window, b"\"visible\"") => (ElementMember::Visible, 9),
            b'c' if starts(window, b"\"children\"") => (ElementMember::Children, 10),
            b'c' if starts(window, b"\"content\"") => (ElementMember::Content, 9),
            b'a' if starts(window, b"\"attributes\"") => (ElementMember::Attributes, 12),
            b'f' if starts(window, b"\"focused\"") => (ElementMember::Focused, 9),
            b'h' if starts(window, b"\"hovered\"") => (ElementMember::Hovered, 9),
            _ => return None,
        };
        Some((member, self.colon(at + length)?))
    }

    /// A well-formed id behind its quotation mark.
    #[inline(always)]
    pub(super) fn id(self, at: usize) -> Option<&'a [u8]> {
        let text = self.bytes.get(at..)?;
        let length = self.kernel.id(text);
        let text = text.get(..=length)?;
        let (quote, text) = text.split_last()?;
        (*quote == b'"' && (1..=128).contains(&length)).then_some(text)
    }

    /// A string without escapes at its quotation mark: its text, and whether it is more than printable ASCII.
    #[inline(always)]
    pub(super) fn string(self, at: usize) -> Option<(&'a [u8], bool)> {
        let text = self.bytes.get(self.quote(at)?..)?;
        let Run { plain, odd } = self.kernel.string(text);
        let (quote, text) = text.get(..=plain)?.split_last()?;
        if *quote != b'"' || at + plain + 2 > self.end {
            return None;
        }
        if odd && !is_utf8(text) {
            return None;
        }
        Some((text, odd))
    }

    /// The place behind an address with nothing to be said about it.
    #[inline(always)]
    pub(super) fn address(self, at: usize) -> Option<usize> {
        let text = self.bytes.get(self.quote(at)?..)?;
        let length = self.kernel.address(text);
        let is_known = starts(text, b"https:") || starts(text, b"http:") || starts(text, b"file:");
        if is_known && length > b"https:".len() && text.get(length) == Some(&b'"') {
            return Some(at + length + 2);
        }
        let (text, odd) = self.string(at)?;
        is_address(text, odd).then_some(at + text.len() + 2)
    }

    /// `true` or `false`, and the place behind it.
    #[inline(always)]
    pub(super) fn boolean(self, at: usize) -> Option<(bool, usize)> {
        match self.eat(at, b"true") {
            Some(behind) => Some((true, behind)),
            None => Some((false, self.eat(at, b"false")?)),
        }
    }

    /// The place behind a text of printable ASCII that ends within a step, behind its quotation mark.
    #[inline(always)]
    pub(super) fn near_text(self, at: usize) -> Option<usize> {
        let window = self.window(at)?;
        let Run { plain, odd } = self.kernel.string(&window[..NEAR]);
        (!odd && window[plain % WINDOW] == b'"').then_some(at + plain + 1)
    }

    /// A string with whatever escapes, behind its quotation mark: its length in UTF-8, unescaped, and the place behind it. A
    /// lone surrogate is not read here.
    #[inline(always)]
    pub(super) fn text(self, at: usize) -> Option<(u64, usize)> {
        let rest = self.bytes.get(at..)?;
        let Run { plain, odd } = self.kernel.string(rest);
        let (text, behind) = rest.split_at_checked(plain)?;
        match behind.first()? {
            b'"' if !odd || is_utf8(text) => Some((plain as u64, at + plain + 1)),
            b'\\' if !odd || is_utf8(text) => {
                let bytes = self.bytes.get(..self.end)?;
                self.kernel.call(LongText { bytes, at: at + plain, length: plain as u64 })
            }
            _ => None,
        }
    }

    /// The place behind a number that receivers read alike.
    #[inline(always)]
    pub(super) fn number(self, at: usize) -> Option<usize> {
        match self.near_number(at) {
            Some(behind) => Some(behind),
            None => self.kernel.call(Number { bytes: self.bytes, at }),
        }
    }

    /// The same of one without an exponent, all of it within a step.
    #[inline(always)]
    fn near_number(self, at: usize) -> Option<usize> {
        let window = self.window(at)?;
        let digits = self.kernel.digits_of(window.first_chunk()?);
        let start = usize::from(window[0] == b'-');
        let integer = (!(digits >> start)).trailing_zeros() as usize;
        if integer == 0 || (integer > 1 && window[start] == b'0') || integer > 15 {
            return None;
        }
        let mut end = start + integer;
        if window[end] == b'.' {
            let fraction = (!(digits >> end >> 1)).trailing_zeros() as usize;
            end += 1 + fraction;
            if fraction == 0 || end >= NEAR {
                return None;
            }
        }
        (window[end] | 0x20 != b'e').then_some(at + end)
    }

    /// The same of one of whatever length.
    #[inline(always)]
    fn any_number(self, at: usize) -> Option<usize> {
        let at = at + usize::from(self.byte(at) == b'-');
        let integer = self.digits(at)?;
        if integer == 0 || (integer > 1 && self.byte(at) == b'0') || integer > 15 {
            return None;
        }
        let mut at = at + integer;
        if self.byte(at) == b'.' {
            let fraction = self.digits(at + 1)?;
            if fraction == 0 {
                return None;
            }
            at += 1 + fraction;
        }
        if self.byte(at) | 0x20 != b'e' {
            return Some(at);
        }
        at += 1 + usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
        let exponent = self.digits(at)?;
        (1..=2).contains(&exponent).then_some(at + exponent)
    }

    /// How many digits stand at a place.
    #[inline(always)]
    pub(super) fn digits(self, at: usize) -> Option<usize> {
        Some(self.kernel.digits(self.bytes.get(at..)?))
    }
}

/// A number, of whatever length.
struct Number<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Job for Number<'_> {
    type Out = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Self { bytes, at } = self;
        Lane { kernel, bytes, end: bytes.len(), base: 0 }.any_number(at)
    }
}

/// A text from its first escape on, and how long it is before that.
struct LongText<'a> {
    bytes: &'a [u8],
    at: usize,
    length: u64,
}

impl Job for LongText<'_> {
    type Out = Option<(u64, usize)>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Out {
        let Self { bytes, mut at, mut length } = self;
        loop {
            // Where one escape stands, others often follow at once.
            let mut rest = bytes.get(at..)?;
            while let [b'\\', ..] = rest {
                let (used, stands_for) = escape(rest)?;
                length += stands_for;
                at += used;
                rest = rest.get(used..)?;
            }
            let Run { plain, odd } = kernel.string(rest);
            let (text, behind) = rest.split_at_checked(plain)?;
            if odd && !is_utf8(text) {
                return None;
            }
            length += plain as u64;
            at += plain;
            match behind.first()? {
                b'"' => return Some((length, at + 1)),
                b'\\' => {}
                _ => return None,
            }
        }
    }
}

/// Whether a text is UTF-8. A short one is filled up with NUL, so that it is looked at in one step.
#[inline(never)]
pub(super) fn is_utf8(text: &[u8]) -> bool {
    let mut short = [0; 64];
    match short.get_mut(..text.len()) {
        Some(start) => {
            start.copy_from_slice(text);
            simdutf8::basic::from_utf8(&short).is_ok()
        }
        None => simdutf8::basic::from_utf8(text).is_ok(),
    }
}

#[inline(never)]
pub(crate) fn is_address(text: &[u8], odd: bool) -> bool {
    let (mut uri, mut plain) = (Uri::default(), Plain::default());
    uri.feed(text);
    if odd && may_be_controls(text) {
        plain.feed(text);
    }
    !uri.malformed() && !uri.script(Place::Elsewhere) && !plain.has_controls()
}

/// How long the escape at the start of `bytes` is, and how long in UTF-8 what it stands for is.
#[inline(always)]
fn escape(bytes: &[u8]) -> Option<(usize, u64)> {
    match hex(bytes) {
        Some(0xD800..0xDC00) => {
            let low = bytes.get(6..)?;
            let is_pair = low.starts_with(b"\\u") && (0xDC00..0xE000).contains(&hex(low)?);
            is_pair.then_some((12, 4))
        }
        Some(0xDC00..0xE000) => None,
        Some(unit) => Some((6, 1 + u64::from(unit >= 0x80) + u64::from(unit >= 0x800))),
        None => {
            let is_short =
                matches!(bytes.get(1)?, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't');
            is_short.then_some((2, 1))
        }
    }
}

/// The code unit of the escape `\uXXXX` at the start of `bytes`, if it is one.
#[inline(always)]
pub(super) fn hex(bytes: &[u8]) -> Option<u32> {
    let [_, b'u', digits @ ..] = bytes.first_chunk::<6>()? else { return None };
    let [one, two, three, four] = digits.map(|byte| HEX[usize::from(byte)]);
    let unit = one << 12 | two << 8 | three << 4 | four;
    (unit <= 0xFFFF).then_some(unit)
}

/// The value of each hex digit; of what is none all bits, which are too many wherever they stand.
const HEX: [u32; 256] = {
    let mut values = [u32::MAX; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value] as usize] = value as u32;
        values[b"0123456789ABCDEF"[value] as usize] = value as u32;
        value += 1;
    }
    values
};
