//! tags: a table of elements, found by 32 bits of a hash.
//!
//! In: a tag and an element. Out: the elements that were entered under that tag. A bucket has a line of the processor's cache for
//! its tags, all of which are looked at together, and one for its elements; what does not fit into it stands in the next one.
//!
//! Why so: fourteen of fifteen places may be taken before it grows. It grows by an eighth, one segment at a time, without any text:
//! a tag says by itself where it belongs, whatever the size. So what is held beside the elements is little at every moment.

use crate::scan;

/// How many elements a bucket has room for.
const MANY: usize = 15;

/// How many of them may be taken in the mean.
const MOST: usize = 14;

/// How many segments a large table has.
const SEGMENTS: usize = 32;

/// A table of more buckets than this is cut into segments; until then it is in the caches anyway.
const LARGE: usize = 128;

/// A table of fewer buckets is doubled when it grows.
const SMALL: usize = 64;

/// Elements with their tags; tags that are free are 0. Behind the tags stands how many there are: no tag is as small.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    tags: [u32; MANY + 1],
    elements: [u32; MANY],
}

/// The buckets of one range of tags.
#[derive(Clone, Debug, Default)]
struct Segment {
    buckets: Vec<Bucket>,
    /// How many elements may be entered before it must grow.
    left: usize,
}

/// The table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags {
    /// Until it is large, the first one has all tags.
    segments: [Segment; SEGMENTS],
    is_large: bool,
}

/// The tag of a hash.
#[inline(always)]
pub(crate) fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 | 1
}

impl Tags {
    /// Forgets all elements; keeps room, unless there is far more than was used.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.is_large {
            self.clear_all();
        } else {
            self.segments[0].clear();
        }
    }

    fn clear_all(&mut self) {
        let buckets: usize = self.segments.iter().map(|segment| segment.buckets.len()).sum();
        let used: usize = self.segments.iter().map(Segment::used).sum();
        if used < buckets {
            *self = Self::default();
        } else {
            self.segments.iter_mut().for_each(Segment::clear);
        }
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        let of = |segment: &Segment| segment.buckets.capacity() * size_of::<Bucket>();
        if self.is_large { self.segments.iter().map(of).sum() } else { of(&self.segments[0]) }
    }

    /// Whether it is in the caches anyway.
    #[inline(always)]
    pub(crate) fn is_near(&self) -> bool {
        !self.is_large
    }

    /// The segment that a tag belongs to, and where in it.
    #[inline(always)]
    fn place(&self, tag: u32) -> (usize, u32) {
        if self.is_large { split(tag, SEGMENTS) } else { (0, tag) }
    }

    /// Fetches the place of a tag into the caches, if it is not near.
    #[inline(always)]
    pub(crate) fn prefetch(&self, tag: u32) {
        let (number, place) = split(tag, SEGMENTS);
        let segment = &self.segments[number % SEGMENTS];
        scan::prefetch(&segment.buckets, split(place, segment.buckets.len()).0);
    }

    /// Enters an element, unless another one may have the same tag; says whether it did.
    #[inline(always)]
    pub(crate) fn enter_new(&mut self, tag: u32, element: u32) -> bool {
        let (number, place) = self.place(tag);
        let segment = &mut self.segments[number % SEGMENTS];
        let mut place = split(place, segment.buckets.len()).0;
        loop {
            let Some(bucket) = segment.buckets.get_mut(place) else { return false };
            if bucket.may_have(tag) {
                return false;
            }
            if bucket.push(tag, element) {
                break;
            }
            place += 1;
        }
        segment.left = segment.left.wrapping_sub(1);
        if segment.left == 0 {
            self.grow(number);
        }
        true
    }

    /// Enters an element.
    pub(crate) fn enter(&mut self, tag: u32, element: u32) {
        let (number, place) = self.place(tag);
        let segment = &mut self.segments[number % SEGMENTS];
        if segment.buckets.is_empty() {
            *segment = Segment::new(1);
        }
        segment.enter(place, tag, element);
        if segment.left == 0 {
            self.grow(number);
        }
    }

    /// The element under a tag that is the one; and how many steps the search took.
    #[inline]
    pub(crate) fn find(&self, tag: u32, is_it: impl Fn(u32) -> bool) -> (Option<u32>, usize) {
        let (number, place) = self.place(tag);
        let segment = &self.segments[number % SEGMENTS];
        let mut place = split(place, segment.buckets.len()).0;
        let mut steps = 0;
        while let Some(bucket) = segment.buckets.get(place) {
            // Hardly ever the place behind the last looks like the tag, too: no element stands there.
            let mut same = scan::places_of(&bucket.tags, tag);
            while same != 0 {
                steps += 1;
                if let Some(&element) = bucket.elements.get(same.trailing_zeros() as usize)
                    && is_it(element)
                {
                    return (Some(element), steps);
                }
                same &= same - 1;
            }
            if bucket.filled() < MANY {
                break;
            }
            steps += 1;
            // Behind the last one comes the first one; there are always some that are not full.
            place = if place + 1 == segment.buckets.len() { 0 } else { place + 1 };
        }
        (None, steps)
    }

    /// Gives all elements other tags.
    pub(crate) fn retag(&mut self, tag_of: impl Fn(u32) -> u32) {
        for segment in std::mem::take(self).segments {
            for (_, element) in segment.entries() {
                self.enter(tag_of(element), element);
            }
        }
    }

    /// Makes room in a segment.
    #[cold]
    fn grow(&mut self, number: usize) {
        let segment = &mut self.segments[number % SEGMENTS];
        let buckets = segment.buckets.len();
        let is_too_large = !self.is_large && buckets >= LARGE;
        let more = if buckets < SMALL && !self.is_large { buckets } else { (buckets / 8).max(1) };
        let size = if is_too_large { LARGE / SEGMENTS } else { buckets + more };
        let old = std::mem::replace(segment, Segment::new(size));
        if is_too_large {
            self.is_large = true;
            self.segments = std::array::from_fn(|_| Segment::new(size));
        }
        if is_too_large {
            return old.entries().for_each(|(tag, element)| self.enter(tag, element));
        }
        for (tag, element) in old.entries() {
            let place = self.place(tag).1;
            self.segments[number % SEGMENTS].enter(place, tag, element);
        }
    }
}

impl Segment {
    fn new(buckets: usize) -> Self {
        Self { buckets: vec![Bucket::default(); buckets], left: buckets * MOST }
    }

    fn used(&self) -> usize {
        self.buckets.len() * MOST - self.left
    }

    #[inline]
    fn clear(&mut self) {
        if self.used() == 0 {
            return;
        }
        self.left = self.buckets.len() * MOST;
        for bucket in &mut self.buckets {
            bucket.tags = [0; MANY + 1];
        }
    }

    /// Enters an element at its place or behind it, where there is room.
    #[inline]
    fn enter(&mut self, place: u32, tag: u32, element: u32) {
        self.left -= 1;
        let place = split(place, self.buckets.len()).0;
        for bucket in self.buckets.iter_mut().skip(place) {
            if bucket.push(tag, element) {
                return;
            }
        }
        // Behind the last one comes the first one.
        self.buckets.iter_mut().any(|bucket| bucket.push(tag, element));
    }

    /// The tags and their elements.
    fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        self.buckets.iter().flat_map(Bucket::entries)
    }
}

impl Bucket {
    #[inline(always)]
    fn filled(&self) -> usize {
        self.tags[MANY] as usize
    }

    /// Whether it has a tag; hardly ever it says so of one that it has not.
    #[inline(always)]
    fn may_have(&self, tag: u32) -> bool {
        self.tags.iter().fold(0, |any, &other| any | u32::from(other == tag)) != 0
    }

    /// The tags and their elements.
    fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        self.tags.iter().copied().zip(self.elements).take(self.filled())
    }

    /// Adds an element if there is room for it; says whether there was.
    #[inline(always)]
    fn push(&mut self, tag: u32, element: u32) -> bool {
        let filled = self.filled();
        let Some(place) = self.elements.get_mut(filled) else { return false };
        *place = element;
        self.tags[filled] = tag;
        self.tags[MANY] += 1;
        true
    }
}

/// Which of so many parts a number of 32 bits falls in, and where in that part, as 32 bits again.
#[inline(always)]
pub(crate) fn split(number: u32, parts: usize) -> (usize, u32) {
    let place = u64::from(number) * parts as u64;
    ((place >> 32) as usize, place as u32)
}

#[cfg(test)]
mod tests {
    use super::{Tags, tag};

    fn hash(number: u32) -> u64 {
        u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(number) << 40
    }

    #[test]
    fn all_are_found_again_whatever_the_size() {
        let mut tags = Tags::default();
        for many in [1, 13, 14, 500, 50_000, 3] {
            for element in 0..many {
                let tag = tag(hash(element));
                assert_eq!(tags.find(tag, |other| other == element).0, None);
                if !tags.enter_new(tag, element) {
                    tags.enter(tag, element);
                }
            }
            for element in 0..many {
                assert_eq!(
                    tags.find(tag(hash(element)), |other| other == element).0,
                    Some(element)
                );
            }
            tags.clear();
        }
    }

    #[test]
    fn equal_tags_are_told_apart_by_their_elements() {
        let mut tags = Tags::default();
        (0..400).for_each(|element| tags.enter(7, element));
        assert!(!tags.enter_new(7, 400));
        let (found, steps) = tags.find(7, |element| element == 399);
        assert_eq!((found, steps > 399), (Some(399), true));
        tags.retag(|element| element * 2 + 1);
        assert_eq!(tags.find(7, |_| true).0, Some(3));
    }

    #[test]
    fn it_holds_little_more_than_its_elements() {
        let mut tags = Tags::default();
        for element in 0..300_000 {
            tags.enter(tag(hash(element)), element);
            if element > 4000 {
                assert!(tags.room() < 11 * element as usize + 4096, "{element}: {}", tags.room());
            }
        }
    }
}
