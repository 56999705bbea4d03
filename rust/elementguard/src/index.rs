//! index: where each element of a loaded answer stands, and what its subtree amounts to.
//!
//! In: elements as they begin and end, the offsets of their ids and roles, their states; all in the one pass of the check. Out:
//! [`Index`], a row of eleven numbers for each element in document order. The layout is the facade's, which reads the rows.
//!
//! An element costs a row of 44 bytes (88 where the source has 4 GiB or more), and a place of four bytes in a table that is at
//! most two thirds full once an id was asked for. No text is kept: an id is compared where it stands in the source.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::digest::Keys;
use crate::rules::shape::ElementMember;
use crate::size::Size;

/// How many numbers a row has.
const WIDTH: usize = 11;
const PARENT: usize = 0;
const START: usize = 1;
const END: usize = 2;
const ID: usize = 3;
const ROLE: usize = 4;
const ELEMENTS: usize = 5;
const HEIGHT: usize = 6;
const CONTENT: usize = 7;
const TEXT: usize = 8;
const BLOB: usize = 9;
const FLAGS: usize = 10;

/// Bits of the last number of a row.
const SELECTED: u8 = 1;
const FOCUSED: u8 = 2;
const HOVERED: u8 = 4;
const SHOWN: u8 = 8;
const HIDDEN: u8 = 16;

/// A dense answer has an element in so many bytes.
const DENSE: u64 = 56;

/// A number of a row; its largest value is none.
pub(crate) trait Number: Copy + Ord {
    const NONE: Self;
    fn narrow(number: u64) -> Self;
    fn wide(self) -> u64;
}

impl Number for u32 {
    const NONE: Self = Self::MAX;

    #[inline(always)]
    fn narrow(number: u64) -> Self {
        number as Self
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        self.into()
    }
}

impl Number for u64 {
    const NONE: Self = Self::MAX;

    #[inline(always)]
    fn narrow(number: u64) -> Self {
        number
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        self
    }
}

/// The rows while they grow: narrow ones, unless the source may be too long for them.
#[derive(Clone, Debug)]
pub(crate) enum Rows {
    Narrow(Growing<u32>),
    Wide(Growing<u64>),
}

/// Rows of one width, and which of them is the innermost open element's.
#[derive(Clone, Debug)]
pub(crate) struct Growing<N> {
    rows: Vec<[N; WIDTH]>,
    current: usize,
}

impl Rows {
    /// Of a source that has at most so many bytes, with room for the elements of one that has so many.
    pub(crate) fn new(most: u64, likely: u64) -> Self {
        // Room that is not written to costs nothing, and what is left over is given back in the end.
        let room = usize::try_from(likely / DENSE).unwrap_or(0);
        if most < u32::MAX.into() {
            Self::Narrow(Growing { rows: Vec::with_capacity(room), current: usize::MAX })
        } else {
            Self::Wide(Growing { rows: Vec::with_capacity(room), current: usize::MAX })
        }
    }

    /// An element begins; `sums` are those of all that came before it.
    #[inline(always)]
    pub(crate) fn begin(&mut self, at: u64, sums: &Size) {
        match self {
            Self::Narrow(rows) => rows.begin(at, sums),
            Self::Wide(rows) => rows.begin(at, sums),
        }
    }

    /// The innermost element has an id that is a string.
    #[inline(always)]
    pub(crate) fn id(&mut self, at: u64) {
        self.set(ID, at);
    }

    /// The innermost element has a role that is a string.
    #[inline(always)]
    pub(crate) fn role(&mut self, at: u64) {
        self.set(ROLE, at);
    }

    #[inline(always)]
    fn set(&mut self, column: usize, at: u64) {
        match self {
            Self::Narrow(rows) => rows.set(column, at),
            Self::Wide(rows) => rows.set(column, at),
        }
    }

    /// The innermost element states one of its four states. That it is false says something of `visible` alone.
    #[inline(always)]
    pub(crate) fn state(&mut self, member: ElementMember, value: bool) {
        let bit = match member {
            ElementMember::Visible => [HIDDEN, SHOWN][usize::from(value)],
            _ if !value => return,
            ElementMember::Focused => FOCUSED,
            ElementMember::Hovered => HOVERED,
            _ => SELECTED,
        };
        match self {
            Self::Narrow(rows) => rows.flag(bit),
            Self::Wide(rows) => rows.flag(bit),
        }
    }

    /// The innermost element ends; `sums` are those of all that came up to here.
    #[inline(always)]
    pub(crate) fn end(&mut self, end: u64, sums: &Size) {
        match self {
            Self::Narrow(rows) => rows.end(end, sums),
            Self::Wide(rows) => rows.end(end, sums),
        }
    }
}

impl<N: Number> Growing<N> {
    #[inline(always)]
    fn begin(&mut self, at: u64, sums: &Size) {
        let mut row = [N::narrow(0); WIDTH];
        row[PARENT] = N::narrow(self.current as u64);
        row[START] = N::narrow(at);
        (row[ID], row[ROLE]) = (N::NONE, N::NONE);
        row[HEIGHT] = N::narrow(1);
        row[CONTENT] = N::narrow(sums.content_bytes);
        row[TEXT] = N::narrow(sums.text_bytes);
        row[BLOB] = N::narrow(sums.blob_bytes);
        self.current = self.rows.len();
        self.rows.push(row);
    }

    #[inline(always)]
    fn set(&mut self, column: usize, at: u64) {
        if let Some(row) = self.rows.get_mut(self.current) {
            row[column] = N::narrow(at);
        }
    }

    fn flag(&mut self, bit: u8) {
        if let Some(row) = self.rows.get_mut(self.current) {
            row[FLAGS] = N::narrow(row[FLAGS].wide() | u64::from(bit));
        }
    }

    #[inline(always)]
    fn end(&mut self, end: u64, sums: &Size) {
        let elements = (self.rows.len() - self.current.min(self.rows.len())) as u64;
        let Some(row) = self.rows.get_mut(self.current) else { return };
        row[END] = N::narrow(end);
        row[ELEMENTS] = N::narrow(elements);
        // Differences of narrow sums are right even where the sums themselves did not fit.
        row[CONTENT] = N::narrow(sums.content_bytes.wrapping_sub(row[CONTENT].wide()));
        row[TEXT] = N::narrow(sums.text_bytes.wrapping_sub(row[TEXT].wide()));
        row[BLOB] = N::narrow(sums.blob_bytes.wrapping_sub(row[BLOB].wide()));
        let (parent, height) = (row[PARENT], row[HEIGHT]);
        self.current = if parent == N::NONE { usize::MAX } else { parent.wide() as usize };
        if let Some(around) = self.rows.get_mut(self.current) {
            around[HEIGHT] = around[HEIGHT].max(N::narrow(height.wide() + 1));
        }
    }

    fn finish(mut self) -> Vec<[N; WIDTH]> {
        self.rows.shrink_to_fit();
        self.rows
    }
}

/// Where the elements of one answer stand. Immutable; holds no source.
#[derive(Debug)]
pub struct Index {
    rows: Table,
    places: OnceLock<Box<[u32]>>,
}

#[derive(Debug)]
enum Table {
    Narrow(Vec<[u32; WIDTH]>),
    Wide(Vec<[u64; WIDTH]>),
}

/// The numbers of an index, row after row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers<'a> {
    /// Of four bytes.
    Narrow(&'a [u32]),
    /// Of eight, where the source may have 4 GiB or more.
    Wide(&'a [u64]),
}

impl Index {
    pub(crate) fn new(rows: Rows) -> Self {
        let rows = match rows {
            Rows::Narrow(rows) => Table::Narrow(rows.finish()),
            Rows::Wide(rows) => Table::Wide(rows.finish()),
        };
        Self { rows, places: OnceLock::new() }
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.rows {
            Table::Narrow(rows) => rows.len(),
            Table::Wide(rows) => rows.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All numbers: of each element, in document order, its parent, start and end; the offsets of the values of `id` and `role`;
    /// the elements, height, content bytes, text bytes and blob bytes of its subtree; its states as bits (selected 1, focused 2,
    /// hovered 4, visible 8, not visible 16). What is absent is the largest number.
    #[must_use]
    pub fn numbers(&self) -> Numbers<'_> {
        match &self.rows {
            Table::Narrow(rows) => Numbers::Narrow(rows.as_flattened()),
            Table::Wide(rows) => Numbers::Wide(rows.as_flattened()),
        }
    }

    /// The elements that have one of the bits of a state, in document order.
    #[must_use]
    pub fn marked(&self, bit: u64) -> Vec<usize> {
        (0..self.len())
            .filter(|&row| self.number(row, FLAGS).is_some_and(|f| f & bit != 0))
            .collect()
    }

    /// The first element with this id; `source` is what this is the index of.
    #[must_use]
    pub fn find(&self, source: &[u8], id: &[u8]) -> Option<usize> {
        let places = self.places.get_or_init(|| self.enter(source));
        let mask = places.len().wrapping_sub(1);
        let mut place = hash(id) & mask;
        loop {
            let row = (*places.get(place)? as usize).checked_sub(1)?;
            if self.has(row, source, id) {
                return Some(row);
            }
            place = (place + 1) & mask;
        }
    }

    /// The table of places: each an element and 1, or 0.
    fn enter(&self, source: &[u8]) -> Box<[u32]> {
        let mut places =
            vec![0_u32; (self.len() * 3 / 2 + 1).next_power_of_two()].into_boxed_slice();
        let mask = places.len() - 1;
        for row in 0..self.len() {
            let Some(id) = self.id(row, source) else { continue };
            let mut place = hash(&id) & mask;
            while let Some(taken) = (places[place] as usize).checked_sub(1) {
                if self.has(taken, source, &id) {
                    break;
                }
                place = (place + 1) & mask;
            }
            if places[place] == 0 {
                places[place] = row as u32 + 1;
            }
        }
        places
    }

    fn has(&self, row: usize, source: &[u8], id: &[u8]) -> bool {
        self.id(row, source).is_some_and(|own| *own == *id)
    }

    /// The id of an element, unescaped.
    fn id<'a>(&self, row: usize, source: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let at = usize::try_from(self.number(row, ID)?).ok()?;
        let text = source.get(at.checked_add(1)?..)?;
        let length = text.iter().position(|&byte| byte == b'"' || byte == b'\\')?;
        if text.get(length) == Some(&b'"') {
            return text.get(..length).map(Cow::Borrowed);
        }
        unescaped(text).map(Cow::Owned)
    }

    fn number(&self, row: usize, column: usize) -> Option<u64> {
        match &self.rows {
            Table::Narrow(rows) => {
                rows.get(row).map(|row| row[column]).filter(|&n| n != u32::NONE).map(u64::from)
            }
            Table::Wide(rows) => rows.get(row).map(|row| row[column]).filter(|&n| n != u64::NONE),
        }
    }
}

fn hash(id: &[u8]) -> usize {
    Keys::of_process().digest(id) as usize
}

/// A string behind its quotation mark, unescaped; a lone surrogate becomes three bytes.
fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
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

#[cfg(test)]
mod tests {
    use super::{Index, Numbers, WIDTH};
    use crate::{Settings, Validator};

    fn loaded(answer: &str) -> Index {
        let (report, index) = Validator::new(Settings::default()).load(answer.as_bytes());
        assert!(report.ok(), "{:?}", report.findings());
        index.expect("an answer without a fatal finding")
    }

    #[test]
    fn rows_are_in_document_order_and_hold_subtrees() {
        let answer = r#"{"root":{"children":[{"id":"a","role":"Text","visible":false,"content":[{"type":"text","text":"hi"}]}
            ,{"id":"b","role":"Row","selected":true}],"id":"app","role":"Application"},"protocol":"0.2.0","instance":"i"}"#;
        let index = loaded(answer);
        let Numbers::Narrow(numbers) = index.numbers() else { panic!("a short answer") };
        let column =
            |column| numbers.iter().skip(column).step_by(WIDTH).copied().collect::<Vec<_>>();
        assert_eq!(column(super::PARENT), [u32::MAX, 0, 0]);
        assert_eq!(column(super::ELEMENTS), [3, 1, 1]);
        assert_eq!(column(super::HEIGHT), [2, 1, 1]);
        assert_eq!(column(super::CONTENT), [29, 29, 0]);
        assert_eq!(column(super::TEXT), [2, 2, 0]);
        assert_eq!(column(super::FLAGS), [0, 16, 1]);
        let texts =
            |at: Vec<u32>| at.into_iter().map(|at| &answer[at as usize..][..3]).collect::<Vec<_>>();
        assert_eq!(texts(column(super::START)), ["{\"c", "{\"i", "{\"i"]);
        assert_eq!(texts(column(super::ID)), ["\"ap", "\"a\"", "\"b\""]);
        assert_eq!(index.marked(1), [2]);
    }

    #[test]
    fn an_id_is_found_however_it_is_written() {
        let answer =
            r#"{"protocol":"0.2.0","instance":"i","root":{"id":"\u0061pp","role":"Application"}}"#;
        let index = loaded(answer);
        assert_eq!(index.find(answer.as_bytes(), b"app"), Some(0));
        assert_eq!(index.find(answer.as_bytes(), b"ap"), None);
    }
}
