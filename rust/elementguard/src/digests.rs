//! digests: a set of keyed digests, such as those of an object's names.
//!
//! In: digests. Out: for each whether it came before. They are hashes already: the upper bits say where one stands, and what is taken
//! there is stepped over.
//!
//! Why so: an answer of a few bytes a name must not make a check hold many times as much. A large set is cut into segments that
//! grow by a sixth, one at a time, so that it holds little beside its digests at every moment.

use crate::tags::split;

/// How many segments a large set has.
const SEGMENTS: usize = 32;

/// A segment of so many places is cut, if it is the only one.
const LARGE: usize = 1024;

/// How many places a set has at first.
const LEAST: usize = 32;

/// A set.
#[derive(Debug)]
pub(crate) struct Digests {
    segments: Vec<Segment>,
}

/// The halves of a digest, the upper one first. That one is 0 where a place is free, and odd elsewhere: 127 bits are as good.
type Halves = (u64, u64);

/// The digests of one range.
#[derive(Debug)]
struct Segment {
    places: Vec<Halves>,
    /// How many digests may be added before it must grow.
    left: usize,
}

impl Digests {
    /// One of a few digests.
    pub(crate) fn of(few: &[u128]) -> Self {
        let mut digests = Self { segments: vec![Segment::new(LEAST)] };
        for &digest in few {
            digests.insert(digest);
        }
        digests
    }

    /// Adds a digest; says whether it is new.
    pub(crate) fn insert(&mut self, digest: u128) -> bool {
        let halves = ((digest >> 64) as u64 | 1, digest as u64);
        let (number, place) = split((halves.0 >> 32) as u32, self.segments.len());
        let segment = &mut self.segments[number];
        if !segment.insert(place, halves) {
            return false;
        }
        if segment.left == 0 {
            self.grow(number);
        }
        true
    }

    #[cold]
    fn grow(&mut self, number: usize) {
        let size = self.segments[number].places.len();
        if self.segments.len() > 1 {
            return self.enlarge(number, size + size / 6);
        }
        if size < LARGE {
            return self.enlarge(number, size * 2);
        }
        let parts = (0..SEGMENTS).map(|_| Segment::new(size * 2 / SEGMENTS)).collect();
        for segment in std::mem::replace(&mut self.segments, parts) {
            for (upper, lower) in segment.digests() {
                self.insert(u128::from(upper) << 64 | u128::from(lower));
            }
        }
    }

    /// Gives a segment more places.
    fn enlarge(&mut self, number: usize, size: usize) {
        let parts = self.segments.len();
        let segment = &mut self.segments[number];
        let old = std::mem::replace(segment, Segment::new(size));
        segment.left -= old.digests().count();
        for digest in old.digests() {
            let place = split((digest.0 >> 32) as u32, parts).1;
            if let Some(free) = from(&mut segment.places, place).find(|place| place.0 == 0) {
                *free = digest;
            }
        }
    }
}

impl Segment {
    fn new(size: usize) -> Self {
        Self { places: vec![(0, 0); size], left: size - size / 8 }
    }

    /// Adds a digest at its place or behind it; says whether it is new.
    fn insert(&mut self, place: u32, digest: Halves) -> bool {
        for place in from(&mut self.places, place) {
            if place.0 == 0 {
                *place = digest;
                self.left = self.left.saturating_sub(1);
                return true;
            }
            if *place == digest {
                return false;
            }
        }
        false
    }

    fn digests(&self) -> impl Iterator<Item = Halves> {
        self.places.iter().copied().filter(|digest| digest.0 != 0)
    }
}

/// All places from one on; behind the last one comes the first one, and there is always a free one.
#[inline(always)]
fn from(places: &mut [Halves], place: u32) -> impl Iterator<Item = &mut Halves> {
    let first = split(place, places.len()).0;
    let (before, behind) = places.split_at_mut(first);
    behind.iter_mut().chain(before)
}

#[cfg(test)]
mod tests {
    use super::Digests;
    use crate::digest::Keys;

    #[test]
    fn each_is_new_once_and_little_is_held() {
        let keys = Keys::random();
        let mut digests = Digests::of(&[]);
        for number in 0..100_000_u32 {
            assert!(digests.insert(keys.digest(&number.to_le_bytes())));
            let places: usize = digests.segments.iter().map(|segment| segment.places.len()).sum();
            assert!(number < 4000 || places * 10 < number as usize * 14, "{number}: {places}");
        }
        for number in 0..100_000_u32 {
            assert!(!digests.insert(keys.digest(&number.to_le_bytes())));
        }
    }

    #[test]
    fn digests_that_belong_to_one_place_are_told_apart() {
        let mut digests = Digests::of(&[3, 4]);
        assert!((5..3000).all(|digest| digests.insert(digest)));
        assert!((3..3000).all(|digest| !digests.insert(digest)));
        for digest in [u128::MAX, 0] {
            assert!(digests.insert(digest));
            assert!(!digests.insert(digest));
        }
    }
}
