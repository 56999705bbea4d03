//! members: where the members of an element stand.
//!
//! In: an element, and the source that it was read in, so it is JSON. Out: each member's name, and where its value is. Nobody has
//! looked at most of them before they are asked for, so they are not kept: an element has a dozen members at most, strings are
//! skipped whole, and children by the index.

use std::borrow::Cow;

use memchr::memchr2;

use super::rows::{END, START};
use super::{Index, text};

/// A member of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its name, unescaped; a lone surrogate in it is three bytes.
    pub name: Cow<'a, [u8]>,
    /// Where its value starts.
    pub start: usize,
    /// Where its value ends.
    pub end: usize,
}

impl Index {
    /// The members of an element, as they come; `source` is what this is the index of.
    pub fn members<'a>(&'a self, row: usize, source: &'a [u8]) -> impl Iterator<Item = Member<'a>> {
        let mut rest = self.place(row, START).map(|brace| brace.saturating_add(1));
        std::iter::from_fn(move || {
            let member = self.member(row, source, rest?);
            rest = member.as_ref().map(|member| member.end);
            member
        })
    }

    /// The member that is next behind a place.
    fn member<'a>(&self, row: usize, source: &'a [u8], at: usize) -> Option<Member<'a>> {
        let quote = behind(source, at);
        let colon = end_of_string(source, quote)?;
        let name = text::at(source, quote)?;
        let start = behind(source, colon);
        let last = if *name == *b"children" { self.last_child(row, start) } else { None };
        let end = match last {
            Some(end) => end_of_rest(source, end),
            None => end_of_value(source, start),
        };
        end.map(|end| Member { name, start, end })
    }

    /// Where the last child ends, if it ends behind a place.
    fn last_child(&self, row: usize, place: usize) -> Option<usize> {
        self.children(row)
            .last()
            .and_then(|child| self.place(child, END))
            .filter(|&end| end > place)
    }

    fn place(&self, row: usize, column: usize) -> Option<usize> {
        self.number(row, column).and_then(|place| usize::try_from(place).ok())
    }
}

/// The place behind commas, colons and white space.
fn behind(source: &[u8], at: usize) -> usize {
    let is_between = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':');
    let rest = source.get(at..).unwrap_or(&[]);
    at + rest.iter().take_while(|byte| is_between(byte)).count()
}

fn end_of_value(source: &[u8], at: usize) -> Option<usize> {
    match source.get(at)? {
        b'"' => end_of_string(source, at),
        b'{' | b'[' => end_of_rest(source, at + 1),
        _ => {
            let is_of_it =
                |byte: &u8| !matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
            Some(at + source.get(at..)?.iter().take_while(|byte| is_of_it(byte)).count())
        }
    }
}

/// The place behind a string's last quotation mark; nothing where no string begins.
fn end_of_string(source: &[u8], quote: usize) -> Option<usize> {
    if source.get(quote) != Some(&b'"') {
        return None;
    }
    let mut at = quote + 1;
    loop {
        let found = at + memchr2(b'"', b'\\', source.get(at..)?)?;
        if source.get(found) == Some(&b'"') {
            return Some(found + 1);
        }
        at = found + 2;
    }
}

/// Where the object or array ends inside of which a place is.
fn end_of_rest(source: &[u8], at: usize) -> Option<usize> {
    let (mut at, mut depth) = (at, 1_usize);
    while depth > 0 {
        let rest = source.get(at..)?;
        let found =
            rest.iter().position(|byte| matches!(byte, b'"' | b'[' | b']' | b'{' | b'}'))?;
        at += found + 1;
        match rest.get(found)? {
            b'"' => at = end_of_string(source, at - 1)?,
            b'[' | b'{' => depth += 1,
            _ => depth -= 1,
        }
    }
    Some(at)
}
