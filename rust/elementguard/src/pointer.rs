//! pointer: places of the answer, kept small, and their JSON Pointers (RFC 6901), built when they are read.
//!
//! In: for each element its parent and its index there; for a place inside an element that a kept finding names, a link to the
//! place around it. Out: the pointer's text. A finding holds a [`Spot`], never a text, so that a million findings, or one at a
//! nesting of a million, cost a few words each: an open container is entered here once, by the first finding below it.

use std::fmt::Write as _;

use crate::blocks::Blocks;
use crate::text::{Text, lossy_characters};

/// A place: the answer itself, an element, or a container inside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(u32);

/// The most elements (and the most other places) that can be told apart: 2^31 - 2.
pub(crate) const MOST: u32 = 0x7FFF_FFFE;

impl Place {
    /// The answer.
    pub(crate) const ANSWER: Self = Self(u32::MAX);
    /// Nobody asked for the place yet.
    pub(crate) const UNKNOWN: Self = Self(0xFFFF_FFFE);
    const INNER: u32 = 1 << 31;

    /// The element of that number.
    pub(crate) fn element(number: u32) -> Self {
        Self(number)
    }
}

/// One step of a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// No step: the place itself.
    Here,
    /// A member that the spec or MCP names.
    Member(&'static str),
    /// Any other member.
    Name(Text),
    /// An item of an array.
    Item(u64),
    /// The `id` of an entry of an element's `related`.
    RelatedId(u64),
}

/// A place and a last step from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) place: Place,
    pub(crate) step: Step,
}

impl Spot {
    /// The answer itself.
    pub(crate) const ANSWER: Self = Self { place: Place::ANSWER, step: Step::Here };

    /// The element itself.
    pub(crate) fn element(number: u32) -> Self {
        Self { place: Place::element(number), step: Step::Here }
    }

    /// A member of an element.
    pub(crate) fn member(number: u32, name: &'static str) -> Self {
        Self { place: Place::element(number), step: Step::Member(name) }
    }
}

/// Children of one element that begin one after the other, with no other element between.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// The first one's number, and its parent's.
    first: u32,
    parent: u32,
    /// What is to be added to a number, so that it is the index among the parent's children.
    ahead: u32,
}

/// Where the elements and the entered containers stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Whether the first element is the answer's `root` (and not a fragment's top).
    rooted: bool,
    /// Whether nobody will ask where an element stands.
    unasked: bool,
    /// How many elements there are.
    elements: u32,
    runs: Blocks<Run>,
    /// The last one of them.
    last: Run,
    inner: Vec<Spot>,
}

impl Places {
    pub(crate) fn new(rooted: bool) -> Self {
        Self { rooted, ..Self::default() }
    }

    /// Forgets all places.
    pub(crate) fn reset(&mut self, rooted: bool) {
        (self.rooted, self.unasked) = (rooted, false);
        (self.elements, self.last) = (0, Run::default());
        self.runs.clear();
        self.inner.clear();
    }

    /// Nobody will ask where an element of this answer stands.
    pub(crate) fn wont_be_asked(&mut self) {
        self.unasked = true;
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.runs.room() + self.inner.capacity() * size_of::<Spot>()
    }

    /// Enters an element.
    #[inline(always)]
    pub(crate) fn add_element(&mut self, parent: u32, index: u64) {
        if self.unasked {
            return;
        }
        let first = self.elements;
        let ahead = u32::try_from(index).unwrap_or(u32::MAX).wrapping_sub(first);
        if parent != self.last.parent || ahead != self.last.ahead {
            self.last = Run { first, parent, ahead };
            self.runs.push(self.last);
        }
        self.elements = first + 1;
    }

    /// Enters a container inside an element (or outside the tree).
    pub(crate) fn add_inner(&mut self, spot: Spot) -> Place {
        let place = Place(Place::INNER | self.inner.len() as u32);
        self.inner.push(spot);
        place
    }

    /// An element's parent, and its index among the parent's children.
    fn element(&self, number: u32) -> Option<(u32, u32)> {
        let run = self.runs.partition_point(|run| run.first <= number).checked_sub(1)?;
        let run = self.runs.get(run)?;
        Some((run.parent, number.wrapping_add(run.ahead)))
    }

    /// What the pointers of some places need; `spots` are all of those, and the containers that were entered are taken out.
    pub(crate) fn take<'a>(&mut self, spots: impl Iterator<Item = &'a Spot>) -> Known {
        let around = self.inner.iter().map(|spot| spot.place.0);
        let places = spots.map(|spot| spot.place.0).chain(around);
        let mut wanted: Vec<u32> = places.filter(|place| place & Place::INNER == 0).collect();
        wanted.sort_unstable();
        let mut elements: Vec<KnownElement> = Vec::with_capacity(wanted.len());
        for mut number in wanted {
            let last = elements.last().map_or(0, |last| last.number);
            let first = elements.len();
            // Elements have the numbers in which they begin: whatever is around this one and has no higher number than the last
            // one is around that as well, and known.
            while number > last
                && let Some((parent, index)) = self.element(number)
            {
                elements.push(KnownElement { number, parent, index });
                number = parent;
            }
            if let Some(new) = elements.get_mut(first..) {
                new.reverse();
            }
        }
        Known { rooted: self.rooted, elements, inner: std::mem::take(&mut self.inner) }
    }
}

/// Where an element stands.
#[derive(Clone, Copy, Debug)]
struct KnownElement {
    number: u32,
    parent: u32,
    /// Its index among the parent's children.
    index: u32,
}

/// Where some elements and the entered containers stand: all that a report needs for its pointers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    rooted: bool,
    /// In the order of their numbers, each with all around it but the first.
    elements: Vec<KnownElement>,
    inner: Vec<Spot>,
}

impl Known {
    /// The pointer of a spot.
    pub(crate) fn pointer(&self, spot: &Spot) -> String {
        let mut steps = Vec::new();
        let mut place = spot.place;
        push(&mut steps, &spot.step);
        while place != Place::ANSWER {
            if place.0 & Place::INNER != 0 {
                let Some(around) = self.inner.get((place.0 & !Place::INNER) as usize) else {
                    break;
                };
                push(&mut steps, &around.step);
                place = around.place;
                continue;
            }
            if place.0 == 0 {
                if self.rooted {
                    steps.push(Segment::Text("root"));
                }
                break;
            }
            let known = self.elements.binary_search_by_key(&place.0, |known| known.number);
            let Ok(known) = known.map(|known| self.elements[known]) else { break };
            steps.push(Segment::Number(u64::from(known.index)));
            steps.push(Segment::Text("children"));
            place = Place(known.parent);
        }
        text(&steps)
    }
}

/// A piece of a pointer between two slashes.
enum Segment<'a> {
    Text(&'static str),
    Name(&'a [u8]),
    Number(u64),
}

/// Adds what a step contributes, innermost first.
fn push<'a>(steps: &mut Vec<Segment<'a>>, step: &'a Step) {
    match step {
        Step::Here => {}
        Step::Member(name) => steps.push(Segment::Text(name)),
        Step::Name(name) => steps.push(Segment::Name(name.bytes())),
        Step::Item(index) => steps.push(Segment::Number(*index)),
        Step::RelatedId(index) => {
            steps.push(Segment::Text("id"));
            steps.push(Segment::Number(*index));
            steps.push(Segment::Text("related"));
            steps.push(Segment::Text("attributes"));
        }
    }
}

/// Writes the steps outermost first, `~` and `/` escaped (RFC 6901 §3), U+FFFD for a lone surrogate.
fn text(steps: &[Segment<'_>]) -> String {
    let mut pointer = String::new();
    for step in steps.iter().rev() {
        pointer.push('/');
        match step {
            Segment::Number(number) => {
                // Writing to a String cannot fail.
                let _ = write!(pointer, "{number}");
            }
            Segment::Text(name) => pointer.push_str(name),
            Segment::Name(name) => {
                for character in lossy_characters(name) {
                    match character {
                        '~' => pointer.push_str("~0"),
                        '/' => pointer.push_str("~1"),
                        _ => pointer.push(character),
                    }
                }
            }
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::{Place, Places, Spot, Step, Text};

    #[test]
    fn pointers_are_built_from_the_inside_out() {
        let mut places = Places::new(true);
        places.add_element(0, 0);
        places.add_element(0, 4);
        let inner = Spot { place: Place::element(1), step: Step::Name(Text::new(b"a/b~c")) };
        let inner = Spot { place: places.add_inner(inner), step: Step::Item(7) };
        let related = Spot { place: Place::element(0), step: Step::RelatedId(2) };
        let mut known = places.take([&inner, &related].into_iter());
        assert_eq!(known.pointer(&Spot::ANSWER), "");
        assert_eq!(known.pointer(&Spot::member(1, "id")), "/root/children/4/id");
        assert_eq!(known.pointer(&inner), "/root/children/4/a~1b~0c/7");
        assert_eq!(known.pointer(&related), "/root/attributes/related/2/id");
        known.rooted = false;
        assert_eq!(known.pointer(&Spot::member(1, "id")), "/children/4/id");
    }

    #[test]
    fn runs_end_where_parent_or_index_leap() {
        let parents =
            [(u32::MAX, 0), (0, 0), (0, 1), (2, 0), (2, 1), (0, 2), (0, 4), (0, 5), (7, 0)];
        let mut places = Places::new(true);
        for _ in 0..2 {
            for &(parent, index) in &parents {
                places.add_element(parent, index.into());
            }
            for (number, &place) in (0..).zip(&parents) {
                assert_eq!(places.element(number), Some(place));
            }
            places.reset(true);
        }
    }
}
