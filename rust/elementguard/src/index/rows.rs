//! rows: the table of an index while it grows.
//!
//! In: elements as they begin and end, the offsets of their ids and roles, their states. Out: the table as it is kept.
//!
//! Memory that is new costs more than what is written to it: a page is asked for and cleared at every fourth kilobyte. So the
//! table of an index that is gone is kept for the next one ([`scratch`]), and a table is kept as it grew if little of it is empty.

use crate::rules::shape::ElementMember;
use crate::scratch;
use crate::size::Size;

/// How many numbers a row has.
pub(crate) const WIDTH: usize = 11;
pub(super) const PARENT: usize = 0;
pub(super) const START: usize = 1;
pub(super) const END: usize = 2;
pub(super) const ID: usize = 3;
pub(super) const ROLE: usize = 4;
pub(super) const ELEMENTS: usize = 5;
pub(super) const HEIGHT: usize = 6;
pub(super) const CONTENT: usize = 7;
pub(super) const TEXT: usize = 8;
pub(super) const BLOB: usize = 9;
pub(super) const FLAGS: usize = 10;

/// A row of a source that has less than 4 GiB.
pub(crate) type NarrowRow = [u32; WIDTH];

/// Bits of the last number of a row.
const SELECTED: u8 = 1;
const FOCUSED: u8 = 2;
const HOVERED: u8 = 4;
pub(super) const SHOWN: u8 = 8;
pub(super) const HIDDEN: u8 = 16;

/// A dense answer has an element in so many bytes.
const DENSE: u64 = 56;

/// Rows that fill less than one in so many of the room they grew in are copied out of it.
const MUCH: usize = 4;

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

/// The rows as they are kept.
#[derive(Debug)]
pub(super) enum Table {
    Narrow(Vec<NarrowRow>),
    Wide(Vec<[u64; WIDTH]>),
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
        let room = || usize::try_from(likely / DENSE).unwrap_or(0);
        if most < u32::MAX.into() {
            let mut rows = scratch::take_rows();
            if rows.capacity() == 0 {
                // Room that is not written to costs nothing.
                rows.reserve_exact(room());
            }
            Self::Narrow(Growing { rows, current: usize::MAX })
        } else {
            Self::Wide(Growing { rows: Vec::with_capacity(room()), current: usize::MAX })
        }
    }

    /// The table as it is kept.
    pub(super) fn finish(self) -> Table {
        match self {
            Self::Narrow(Growing { rows, .. }) => Table::Narrow(fitted(rows)),
            Self::Wide(Growing { mut rows, .. }) => {
                rows.shrink_to_fit();
                Table::Wide(rows)
            }
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
}

/// Rows without much room behind them.
fn fitted(mut rows: Vec<NarrowRow>) -> Vec<NarrowRow> {
    let (many, room) = (rows.len(), rows.capacity());
    if room > MUCH * many {
        let exact = rows.as_slice().to_vec();
        scratch::give_back_rows(rows);
        return exact;
    }
    if room > many + many / 2 {
        rows.shrink_to_fit();
    }
    rows
}
