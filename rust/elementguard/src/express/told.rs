//! told: a member or block about which something is to be said.
//!
//! In: the lane where the others gave up. Out: the tokens of the member or block, told as the lexer would tell them, and the place
//! behind it.
//!
//! An answer may have a fault in every element, and the way to the lexer and back would cost more than the fault. So what is whole
//! is listed first, which leaves no trace, and then told in one go; what the chunk's end may cut, what is no JSON and whatever is
//! long are left to the lexer. Objects and arrays that can only be of the wrong type, or that nobody asked for, are listed as one
//! token if nothing is to be said of what is in them.

use crate::lexer::{Lexer, State};
use crate::reader::Container;
use crate::scan::{self, Job, Kernel, Run};
use crate::slot::Found;
use crate::tokens::Tokens;
use crate::tree::Tree;

use super::attributes::{self, Scratch};
use super::lane::{Lane, WINDOW, hex, is_utf8};

/// How many tokens are listed.
const MANY: usize = 128;

/// A member longer than this is worth the way to the lexer.
const LONG: usize = 512;

/// How deep objects and arrays may go here: one bit for each.
const DEEP: u64 = 48;

/// The members of an element that may be objects or arrays.
const DEEPER: [&[u8]; 3] = [b"attributes", b"children", b"content"];

/// A token, where it stands, and how long its text is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    kind: Kind,
    at: usize,
    length: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Name,
    String,
    /// A string with escapes.
    Escaped,
    Number,
    Boolean(bool),
    Null,
    Begin(Found),
    End(Found),
    /// An object or array of which is only to be said that it is one.
    Whole(Found),
}

/// Lists the tokens of a member, or of a value alone; gives the place behind it.
struct List<'a> {
    bytes: &'a [u8],
    end: usize,
    base: u64,
    at: usize,
    is_member: bool,
    /// How many objects and arrays may be open in it.
    allowed: u64,
    scratch: &'a mut Scratch,
}

impl Job for List<'_> {
    type Out = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        let List { bytes, end, base, at, is_member, allowed, scratch } = self;
        let lane = Lane { kernel, bytes, end, base };
        scratch.tokens.clear();
        let start = lane.skip(at);
        if !is_member {
            return Reader { lane, tokens: &mut scratch.tokens }.value(start, allowed);
        }
        let place = Reader { lane, tokens: &mut scratch.tokens }.name(start)?;
        let name = lane.bytes.get(start + 1..).unwrap_or_default();
        let is_named = |wanted: &&[u8]| {
            name.strip_prefix(*wanted).is_some_and(|behind| behind.starts_with(b"\""))
        };
        let found = bracket(lane.byte(place));
        if let Some(found) = found
            && !DEEPER.iter().any(is_named)
            && let Some(behind) = attributes::opaque(lane, scratch, place, allowed)
        {
            Reader { lane, tokens: &mut scratch.tokens }.push(Kind::Whole(found), place, 1);
            return (behind < lane.end).then_some(behind);
        }
        // Elements are no tokens of a member.
        if found == Some(Found::Array) && is_named(&&b"children"[..]) {
            return None;
        }
        Reader { lane, tokens: &mut scratch.tokens }.value(place, allowed)
    }
}

/// What begins with a bracket.
fn bracket(byte: u8) -> Option<Found> {
    match byte {
        b'{' => Some(Found::Object),
        b'[' => Some(Found::Array),
        _ => None,
    }
}

struct Reader<'a, 'b, K> {
    lane: Lane<'a, K>,
    tokens: &'b mut Vec<Token>,
}

impl<K: Kernel> Reader<'_, '_, K> {
    #[inline(always)]
    fn push(&mut self, kind: Kind, at: usize, length: usize) {
        self.tokens.push(Token { kind, at, length });
    }

    /// Reads a name and the colon; gives the place of the value.
    #[inline(always)]
    fn name(&mut self, at: usize) -> Option<usize> {
        let (text, _) = self.lane.string(at)?;
        self.push(Kind::Name, at, text.len());
        self.lane.colon(at + text.len() + 2)
    }

    /// Reads a value with all that is in it; gives the place behind it.
    #[inline(always)]
    fn value(&mut self, at: usize, allowed: u64) -> Option<usize> {
        let lane = self.lane;
        let (mut place, mut depth, mut objects) = (at, 0, 0_u64);
        loop {
            let found = bracket(lane.byte(place));
            place = match found {
                Some(found) => {
                    self.push(Kind::Begin(found), place, 1);
                    (depth, objects) =
                        (depth + 1, objects << 1 | u64::from(found == Found::Object));
                    lane.skip(place + 1)
                }
                None => self.scalar(place)?,
            };
            if self.tokens.len() > MANY || place >= lane.end || depth > allowed.min(DEEP) {
                return None;
            }
            if found.is_none() || self.closing(place, objects).is_some() {
                // Behind a value, or at the bracket of an empty object or array.
                while depth > 0 {
                    place = lane.skip(place);
                    let Some(found) = self.closing(place, objects) else { break };
                    self.push(Kind::End(found), place, 1);
                    (depth, objects, place) = (depth - 1, objects >> 1, place + 1);
                }
                if depth == 0 {
                    return (place < lane.end).then_some(place);
                }
                if lane.byte(place) != b',' {
                    return None;
                }
                place = lane.skip(place + 1);
            }
            if objects & 1 == 1 {
                place = self.name(place)?;
            }
        }
    }

    /// What the bracket closes that stands here, if it is the one that belongs to what is open.
    #[inline(always)]
    fn closing(&self, at: usize, objects: u64) -> Option<Found> {
        match (self.lane.byte(at), objects & 1) {
            (b'}', 1) => Some(Found::Object),
            (b']', 0) => Some(Found::Array),
            _ => None,
        }
    }

    /// Reads a value that is no object and no array; gives the place behind it.
    #[inline(always)]
    fn scalar(&mut self, at: usize) -> Option<usize> {
        let (kind, length, behind) = match self.lane.byte(at) {
            b'"' => {
                let (kind, length) = self.text(at + 1)?;
                (kind, length, at + length + 2)
            }
            b't' => (Kind::Boolean(true), 4, self.lane.eat(at, b"true")?),
            b'f' => (Kind::Boolean(false), 5, self.lane.eat(at, b"false")?),
            b'n' => (Kind::Null, 4, self.lane.eat(at, b"null")?),
            _ => {
                let length = number(self.lane, at)?;
                (Kind::Number, length, at + length)
            }
        };
        self.push(kind, at, length);
        Some(behind)
    }

    /// Whether a string has escapes, and how long it is, behind its quotation mark.
    #[inline(always)]
    fn text(&self, from: usize) -> Option<(Kind, usize)> {
        let (mut at, mut kind) = (from, Kind::String);
        while at < self.lane.end {
            let rest = self.lane.bytes.get(at..)?;
            let Run { plain, odd } = self.lane.kernel.string(rest);
            let (text, behind) = rest.split_at_checked(plain)?;
            if odd && !is_utf8(text) {
                return None;
            }
            at += plain
                + match behind {
                    [b'"', ..] => return Some((kind, at + plain - from)),
                    [b'\\', b'u', ..] => hex(behind).map(|_| 6)?,
                    [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
                    _ => return None,
                };
            kind = Kind::Escaped;
        }
        None
    }
}

/// How long the number is that stands at a place, if what is behind it cannot be taken for more of it.
#[inline(always)]
fn number<K: Kernel>(lane: Lane<'_, K>, from: usize) -> Option<usize> {
    let start = from + usize::from(lane.byte(from) == b'-');
    let integer = lane.digits(start)?;
    let mut at = start + integer;
    if integer == 0 || (integer > 1 && lane.byte(start) == b'0') {
        return None;
    }
    if lane.byte(at) == b'.' {
        let fraction = lane.digits(at + 1)?;
        at += 1 + fraction;
        (fraction > 0).then_some(())?;
    }
    if matches!(lane.byte(at), b'e' | b'E') {
        let sign = usize::from(matches!(lane.byte(at + 1), b'+' | b'-'));
        let exponent = lane.digits(at + 1 + sign)?;
        at += 1 + sign + exponent;
        (exponent > 0).then_some(())?;
    }
    matches!(lane.bytes.get(at)?, b',' | b'}' | b']' | ..=b' ').then_some(at - from)
}

/// Tells the tokens of the member or block that begins here, if one does; gives the place behind it.
pub(super) fn tell(
    lexer: &mut Lexer,
    tree: &mut Tree,
    end: usize,
    bytes: &[u8],
    at: usize,
) -> Option<usize> {
    let is_member = match tree.path.container()? {
        Container::Element => true,
        Container::Content => false,
        _ => return None,
    };
    let is_at_start = matches!(lexer.state, State::FirstName | State::NextName)
        || matches!(lexer.state, State::FirstItem | State::NextItem);
    if !is_at_start || at >= end {
        return None;
    }
    // Nothing long is looked through to its end.
    let end = end.min(at + LONG);
    let bytes = bytes.get(..end + WINDOW).unwrap_or(bytes);
    let base = lexer.offset();
    let allowed = tree.room_in_element().saturating_sub(u64::from(!is_member));
    let scratch = &mut tree.scratch;
    let behind = scan::run(List { bytes, end, base, at, is_member, allowed, scratch })?;
    let tokens = std::mem::take(&mut tree.scratch.tokens);
    for &Token { kind, at, length } in &tokens {
        let from = if matches!(kind, Kind::Number) { at } else { at + 1 };
        let text = bytes.get(from..from + length).unwrap_or_default();
        tell_one(tree, kind, base + at as u64, text);
    }
    tree.scratch.tokens = tokens;
    lexer.state = State::AfterValue;
    Some(behind)
}

/// Tells a token that stands at an offset.
fn tell_one(tree: &mut Tree, kind: Kind, at: u64, text: &[u8]) {
    match kind {
        Kind::Name => tree.name(at, text),
        Kind::String => tree.string(at, text),
        Kind::Escaped => tell_escaped(tree, at, text),
        Kind::Number => tree.number(at, text),
        Kind::Boolean(value) => tree.boolean(at, value),
        Kind::Null => tree.null(at),
        // There is room for it, and it is no element: nothing fatal can come of it.
        Kind::Begin(Found::Object) => _ = tree.object_begin(at),
        Kind::Begin(_) => _ = tree.array_begin(at),
        Kind::End(Found::Object) => tree.object_end(at + 1),
        Kind::End(_) => tree.array_end(at + 1),
        Kind::Whole(found) => {
            let slot = tree.next_value();
            tree.mistyped(slot, found, at);
            tree.after_value(slot);
        }
    }
}

/// Tells a string with escapes: as a whole, or in pieces if it has lone surrogates.
fn tell_escaped(tree: &mut Tree, at: u64, sent: &[u8]) {
    let mut text = std::mem::take(&mut tree.scratch.text);
    text.clear();
    let (mut in_pieces, mut rest) = (false, sent);
    while let Some(plain) = rest.iter().position(|&byte| byte == b'\\') {
        text.extend_from_slice(&rest[..plain]);
        let place = at + 1 + (sent.len() - rest.len() + plain) as u64;
        let (unit, used) = unescape(&rest[plain..]);
        if let Some(character) = char::from_u32(unit) {
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            if !in_pieces {
                tree.string_begin(at);
            }
            in_pieces = true;
            tree.piece(&text);
            text.clear();
            tree.lone(place, unit as u16);
        }
        rest = &rest[plain + used..];
    }
    text.extend_from_slice(rest);
    if in_pieces {
        tree.piece(&text);
        tree.string_end();
    } else {
        tree.string(at, &text);
    }
    tree.scratch.text = text;
}

/// The character, or the lone surrogate, of the escape at the start of `bytes`, which is one; and how long the escape is.
fn unescape(bytes: &[u8]) -> (u32, usize) {
    match bytes {
        [_, b'b', ..] => (0x08, 2),
        [_, b'f', ..] => (0x0C, 2),
        [_, b'n', ..] => (0x0A, 2),
        [_, b'r', ..] => (0x0D, 2),
        [_, b't', ..] => (0x09, 2),
        [_, b'u', _, _, _, _, low @ ..] => match (hex(bytes).unwrap_or(0), low) {
            (high @ 0xD800..0xDC00, [b'\\', b'u', ..])
                if let Some(low @ 0xDC00..0xE000) = hex(low) =>
            {
                (0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00), 12)
            }
            (unit, _) => (unit, 6),
        },
        [_, byte, ..] => (u32::from(*byte), 2),
        _ => (0, bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Report, Settings, Validator};

    /// Members that the lane does not read, a comma behind each, and blocks.
    const MEMBERS: [&str; 14] = [
        r#""icon":1,"#,
        r#""icon":{"a":[1,{"b":null}],"c":{}},"icon":[],"#,
        r#""icon":{"a":1,"a":12345678901234567890,"b":"\ud83d"},"#,
        r#""subrole":{"a":[true,false,"\n"]},"#,
        r#""title":"a\n\u0001\ud83d\ude00\/\"b","#,
        r#""title":"\udc00 a \ud800b\uD801\u0041","subrole":"\ud800","#,
        r#""url":null,"hovered":-0.5e-7,"visible":true,"#,
        r#""attributes":{"selected":1,"related":[{"id":"nobody"},7],"author":{}},"#,
        r#""attributes":[[[[]]]],"#,
        r#""content":[],"attributes":{ "a" : [ ] , "b":[{}]},"#,
        r#""content":[{"type":"text"},{"type":"image","data":"A=","mimeType":"a b"},null,"a"],"#,
        r#""content":[{"text":1,"type":"text"},{"type":"text","text":"a"},{"type":"x","a":{}}],"#,
        r#""content":{"a":1},"children":{"b":2},"#,
        r#""children":[],"#,
    ];

    fn said(report: &Report) -> String {
        let of = |finding| {
            let place = (report.offset(finding), report.pointer(finding), report.element(finding));
            format!("{:?} {place:?} {:?}\n", finding.rule(), report.parameters(finding))
        };
        let findings: String = report.findings().iter().map(of).collect();
        format!("{findings}{:?}{:?}", report.counts(), report.summary())
    }

    #[test]
    fn what_is_told_is_what_the_lexer_says() {
        let validator = Validator::new(Settings::default());
        for members in MEMBERS {
            for (row, spoilt) in [("Row", 0), ("row", 0), ("Row", 1), ("Row", 2)] {
                let element =
                    format!(r#"{{"id":"a","role":"{row}",{members}"focused":true,"title":"b"}}"#);
                let mut answer = format!(
                    r#"{{"protocol":"0.2.0","instance":"i","root":{{"id":"r","role":"Application",
                    "children":[{element},{element},{{"id":"behind","role":"Row"}}]}}}}{}"#,
                    " ".repeat(80)
                );
                // A comma that is missing, and one too many.
                match spoilt {
                    1 => answer = answer.replace(r#","focused""#, r#""focused""#),
                    2 => answer = answer.replace("true", "true,"),
                    _ => {}
                }
                let mut stream = validator.stream();
                for byte in answer.as_bytes() {
                    stream.feed(&[*byte]);
                }
                assert_eq!(
                    said(&validator.check(answer.as_bytes())),
                    said(&stream.finish()),
                    "{answer}"
                );
            }
        }
    }
}
