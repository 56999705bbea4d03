//! index: where each element of a loaded answer stands, and what its subtree amounts to.
//!
//! In: elements as they begin and end, the offsets of their ids and roles, their states; all in the one pass of the check. Out:
//! [`Index`], a row of eleven numbers for each element in document order (`rows`), and its id and role where they stand in the
//! source (`text`); where its members are, when that is asked for (`members`). Which column is which is the facade's to know.
//!
//! An element costs a row of 44 bytes (88 where the source may have 4 GiB or more), of which there is room for half as many again
//! at most, and a place of four bytes in a table that is at most two thirds full once an id was asked for. No text is kept: an id is
//! compared where it stands in the source.

use std::borrow::Cow;
use std::mem;
use std::sync::OnceLock;

use crate::digest::Keys;
use crate::scratch;

mod members;
mod rows;
mod text;

pub use members::Member;
pub(crate) use rows::{NarrowRow, Rows};
pub use text::at as string_at;

use rows::{ELEMENTS, FLAGS, ID, PARENT, ROLE, Table, WIDTH};

const SHOWN: u64 = rows::SHOWN as u64;
const HIDDEN: u64 = rows::HIDDEN as u64;

/// Which elements were seen, a bit for each.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    bits: Vec<u64>,
}

impl Seen {
    /// An element is seen; says whether it was not before.
    pub fn add(&mut self, row: usize) -> bool {
        let (word, bit) = (row / 64, 1 << (row % 64));
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let is_new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        is_new
    }
}

/// More steps than this are no accident.
const MOST_STEPS: usize = 256;

/// Where the elements of one answer stand. Immutable; holds no source.
#[derive(Debug)]
pub struct Index {
    rows: Table,
    places: OnceLock<Places>,
    hidden: OnceLock<Box<[u64]>>,
}

impl Index {
    pub(crate) fn new(rows: Rows) -> Self {
        Self { rows: rows.finish(), places: OnceLock::new(), hidden: OnceLock::new() }
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

    /// How many bytes are kept beside the source.
    #[must_use]
    pub fn room(&self) -> usize {
        let rows = match &self.rows {
            Table::Narrow(rows) => rows.capacity() * size_of::<NarrowRow>(),
            Table::Wide(rows) => rows.capacity() * size_of::<[u64; WIDTH]>(),
        };
        let places = self.places.get().map_or(0, |places| size_of_val(&*places.places));
        rows + places + self.hidden.get().map_or(0, |hidden| size_of_val(&**hidden))
    }

    /// A number of an element: 0 its parent, 1 and 2 its start and end; 3 and 4 where the values of its `id` and `role` start; 5 to
    /// 9 the elements, height, content bytes, text bytes and blob bytes of its subtree; 10 its states as bits (selected 1, focused 2,
    /// hovered 4, visible 8, not visible 16). Nothing where it has none.
    #[inline]
    #[must_use]
    pub fn number(&self, row: usize, column: usize) -> Option<u64> {
        match &self.rows {
            Table::Narrow(rows) => {
                let number = *rows.get(row)?.get(column)?;
                (number != u32::MAX).then_some(number.into())
            }
            Table::Wide(rows) => {
                let number = *rows.get(row)?.get(column)?;
                (number != u64::MAX).then_some(number)
            }
        }
    }

    /// The elements that have one of the bits of a state, in document order.
    #[must_use]
    pub fn marked(&self, bit: u64) -> Vec<usize> {
        (0..self.len())
            .filter(|&row| self.number(row, FLAGS).is_some_and(|f| f & bit != 0))
            .collect()
    }

    /// The elements right inside an element.
    pub fn children(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let behind = |row: usize| row.saturating_add(self.elements(row));
        let end = behind(row);
        std::iter::successors(Some(row + 1), move |&child| Some(behind(child)))
            .take_while(move |&child| child < end)
    }

    /// The elements that are one step up or down from those of a layer and were not seen before, sorted. They count as seen
    /// from then on.
    #[must_use]
    pub fn around(&self, layer: &[usize], seen: &mut Seen) -> Vec<usize> {
        let mut next = Vec::new();
        for &row in layer {
            let parent = self.number(row, PARENT).and_then(|parent| usize::try_from(parent).ok());
            next.extend(parent.into_iter().chain(self.children(row)).filter(|&one| seen.add(one)));
        }
        self.sort(&mut next);
        next
    }

    /// Puts what is visible first, and then all in document order.
    pub fn sort(&self, rows: &mut [usize]) {
        rows.sort_unstable_by_key(|&row| (self.is_hidden(row), row));
    }

    /// Whether an element is not visible: as it says, or the nearest element above that says.
    fn is_hidden(&self, row: usize) -> bool {
        let hidden = self.hidden.get_or_init(|| self.all_hidden());
        hidden.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 != 0)
    }

    /// A bit for each element that is not visible. Found in one pass, as no element stands before the one above it.
    fn all_hidden(&self) -> Box<[u64]> {
        let mut hidden = vec![0_u64; self.len().div_ceil(64)];
        for row in 0..self.len() {
            let stated = self.number(row, FLAGS).unwrap_or(0) & (SHOWN | HIDDEN);
            let around = self.number(row, PARENT).and_then(|parent| usize::try_from(parent).ok());
            let is_hidden = match (stated, around) {
                (0, None) => false,
                (0, Some(around)) => {
                    hidden.get(around / 64).is_some_and(|word| word >> (around % 64) & 1 != 0)
                }
                _ => stated & HIDDEN != 0,
            };
            if let Some(word) = hidden.get_mut(row / 64) {
                *word |= u64::from(is_hidden) << (row % 64);
            }
        }
        hidden.into_boxed_slice()
    }

    /// How many elements a subtree has.
    fn elements(&self, row: usize) -> usize {
        self.number(row, ELEMENTS).and_then(|many| usize::try_from(many).ok()).unwrap_or(1).max(1)
    }

    /// The id of an element, unescaped; `source` is what this is the index of.
    #[inline]
    #[must_use]
    pub fn id<'a>(&self, row: usize, source: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        self.text(row, ID, source)
    }

    /// The role of an element as sent, unescaped; `source` is what this is the index of.
    #[inline]
    #[must_use]
    pub fn role<'a>(&self, row: usize, source: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        self.text(row, ROLE, source)
    }

    #[inline]
    fn text<'a>(&self, row: usize, column: usize, source: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        text::at(source, usize::try_from(self.number(row, column)?).ok()?)
    }

    /// The first element with this id. The table that finds it is made at the first call.
    #[must_use]
    pub fn find(&self, source: &[u8], id: &[u8]) -> Option<usize> {
        let Places { places, hash } = self.places.get_or_init(|| self.enter(source));
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

    /// Enters all ids; should some of them collide, so that one takes very many steps, with the hash that nobody can foresee.
    fn enter(&self, source: &[u8]) -> Places {
        self.enter_by(source, quick, MOST_STEPS)
            .or_else(|| self.enter_by(source, careful, usize::MAX))
            .unwrap_or_default()
    }

    fn enter_by(&self, source: &[u8], hash: Hash, most: usize) -> Option<Places> {
        let size = (self.len() * 3 / 2 + 1).next_power_of_two();
        let (mut places, mask) = (vec![0_u32; size].into_boxed_slice(), size - 1);
        for row in 0..self.len() {
            let Some(id) = self.id(row, source) else { continue };
            let (mut place, mut steps) = (hash(&id) & mask, 0);
            while let Some(taken) = (places[place] as usize).checked_sub(1) {
                if self.has(taken, source, &id) {
                    break;
                }
                place = (place + 1) & mask;
                steps += 1;
                if steps > most {
                    return None;
                }
            }
            if places[place] == 0 {
                places[place] = row as u32 + 1;
            }
        }
        Some(Places { places, hash })
    }

    #[inline]
    fn has(&self, row: usize, source: &[u8], id: &[u8]) -> bool {
        let Some(at) = self.number(row, ID).and_then(|at| usize::try_from(at).ok()) else {
            return false;
        };
        // As most are written: the id itself between quotation marks.
        let written = source.get(at..).and_then(|text| text.get(1..)?.strip_prefix(id));
        written.is_some_and(|behind| behind.first() == Some(&b'"') && !id.contains(&b'\\'))
            || self.id(row, source).is_some_and(|own| *own == *id)
    }
}

impl Drop for Index {
    /// The next one grows where this one was.
    fn drop(&mut self) {
        if let Table::Narrow(rows) = &mut self.rows {
            scratch::give_back_rows(mem::take(rows));
        }
    }
}

/// The hash of an id.
type Hash = fn(&[u8]) -> usize;

/// Where ids are found.
#[derive(Debug)]
struct Places {
    /// Each an element and 1, or 0.
    places: Box<[u32]>,
    hash: Hash,
}

impl Default for Places {
    fn default() -> Self {
        Self { places: Box::default(), hash: careful }
    }
}

fn quick(id: &[u8]) -> usize {
    Keys::of_process().quick(id) as usize
}

fn careful(id: &[u8]) -> usize {
    Keys::of_process().digest(id) as usize
}

#[cfg(test)]
mod tests {
    use super::rows::{CONTENT, ELEMENTS, FLAGS, HEIGHT, ID, PARENT, START, TEXT};
    use super::{Index, NarrowRow, Rows, Table};
    use crate::rules::shape::ElementMember;
    use crate::size::Size;
    use crate::{Settings, Validator};

    fn loaded(answer: &str) -> Index {
        let (report, index) = Validator::new(Settings::default()).load(answer.as_bytes());
        assert!(report.ok(), "{:?}", report.findings());
        index.expect("an answer without a fatal finding")
    }

    fn column(index: &Index, column: usize) -> Vec<Option<u64>> {
        (0..index.len()).map(|row| index.number(row, column)).collect()
    }

    #[test]
    fn rows_are_in_document_order_and_hold_subtrees() {
        let answer = r#"{"root":{"children":[{"id":"a","role":"Text","visible":false,"content":[{"type":"text","text":"hi"}]}
            ,{"id":"b","role":"Row","selected":true}],"id":"app","role":"Application"},"protocol":"0.2.0","instance":"i"}"#;
        let index = loaded(answer);
        assert_eq!(column(&index, PARENT), [None, Some(0), Some(0)]);
        assert_eq!(column(&index, ELEMENTS), [3, 1, 1].map(Some));
        assert_eq!(column(&index, HEIGHT), [2, 1, 1].map(Some));
        assert_eq!(column(&index, CONTENT), [29, 29, 0].map(Some));
        assert_eq!(column(&index, TEXT), [2, 2, 0].map(Some));
        assert_eq!(column(&index, FLAGS), [0, 16, 1].map(Some));
        let texts = |numbers: Vec<Option<u64>>| {
            let at = |number: Option<u64>| number.expect("a place") as usize;
            numbers.into_iter().map(|number| &answer[at(number)..][..3]).collect::<Vec<_>>()
        };
        assert_eq!(texts(column(&index, START)), ["{\"c", "{\"i", "{\"i"]);
        assert_eq!(texts(column(&index, ID)), ["\"ap", "\"a\"", "\"b\""]);
        assert_eq!(index.marked(1), [2]);
        assert_eq!(index.children(0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(index.children(2).next(), None);
        let mut seen = super::Seen::default();
        assert!(seen.add(2) && !seen.add(2));
        assert_eq!(index.around(&[2], &mut seen), [0]);
        assert_eq!(index.around(&[0], &mut seen), [1]);
        assert_eq!(index.around(&[0, 1], &mut super::Seen::default()), [0, 2, 1]);
    }

    #[test]
    fn an_id_is_found_however_it_is_written() {
        let answer =
            r#"{"protocol":"0.2.0","instance":"i","root":{"id":"\u0061pp","role":"Application"}}"#;
        let index = loaded(answer);
        assert_eq!(index.find(answer.as_bytes(), b"app"), Some(0));
        assert_eq!(index.find(answer.as_bytes(), b"ap"), None);
        assert_eq!(index.role(0, answer.as_bytes()).as_deref(), Some(&b"Application"[..]));
        // Whoever asks may quote.
        assert_eq!(index.find(answer.as_bytes(), br"\u0061pp"), None);
        // Another source is no reason to fail.
        assert_eq!(index.id(0, b"short"), None);
    }

    #[test]
    fn ids_that_collide_are_found_as_well() {
        let rows: Vec<_> =
            (0..1000).map(|number| format!(r#"{{"id":"n{number}","role":"Row"}}"#)).collect();
        let answer = format!(
            r#"{{"protocol":"0.2.0","instance":"i","root":{{"id":"app","role":"Application","children":[{}]}}}}"#,
            rows.join(",")
        );
        let mut index = loaded(&answer);
        let source = answer.as_bytes();
        assert!(index.enter_by(source, |_| 7, super::MOST_STEPS).is_none());
        for hash in [super::quick as super::Hash, super::careful] {
            index.places.take();
            index.places.set(index.enter_by(source, hash, 100).expect("few steps")).expect("taken");
            assert_eq!(index.find(source, b"n999"), Some(1000));
            assert_eq!(index.find(source, b"n1000"), None);
        }
    }

    #[test]
    fn wide_rows_say_the_same_wherever_an_answer_stands() {
        let fill = |mut rows: Rows, base: u64| {
            let mut sums = Size { content_bytes: base, text_bytes: base, ..Size::default() };
            rows.begin(base + 1, &sums);
            rows.begin(base + 2, &sums);
            rows.id(base + 3);
            rows.role(base + 4);
            rows.state(ElementMember::Focused, true);
            sums.content_bytes += 5;
            rows.end(base + 6, &sums);
            sums.text_bytes += 7;
            rows.end(base + 8, &sums);
            Index::new(rows)
        };
        let (near, far) = (fill(Rows::new(99, 99), 0), fill(Rows::new(u64::MAX, 0), 1 << 33));
        assert!(matches!((&near.rows, &far.rows), (Table::Narrow(_), Table::Wide(_))));
        for row in 0..2 {
            for column in 0..super::WIDTH {
                let moved = if (START..=super::ROLE).contains(&column) { 1 << 33 } else { 0 };
                let number = near.number(row, column).map(|number| number + moved);
                assert_eq!(far.number(row, column), number, "{row} {column}");
            }
        }
        assert_eq!((far.marked(2), far.children(0).collect::<Vec<_>>()), (vec![1], vec![1]));
    }

    #[test]
    fn little_more_is_kept_than_rows() {
        // What is kept of a longer one makes no difference.
        for many in [0, 7, 20_000, 100] {
            let row = r#"{"id":"ID","role":"Row"}"#;
            let rows: Vec<_> =
                (0..many).map(|number| row.replace("ID", &number.to_string())).collect();
            let answer = format!(
                r#"{{"protocol":"0.2.0","instance":"i","root":{{"id":"app","role":"Application","children":[{}]}}}}"#,
                rows.join(",")
            );
            let most = (many + 1) * size_of::<NarrowRow>() * 3 / 2;
            assert!(loaded(&answer).room() <= most, "{many}");
        }
    }
}
