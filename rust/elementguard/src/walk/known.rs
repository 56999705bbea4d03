//! known: the names of members, remembered by who they are.
//!
//! In: a name, and of what kind the object is that has it. Out: which member it names, and how long it is in JSON. Parsers make one
//! string of a name however often it stands in an answer, and some keep it for the next; so most names are known by their identity,
//! and their text is looked at once.
//!
//! Of the spec's own names, each that was met is held, so that no other one can have its identity: they are known in later rides as
//! well. The names in `attributes` are an app's. None of them is kept; behind a ride nothing is known of who they are.

use std::cmp::Reverse;

use crate::rules::attributes::STATES;
use crate::rules::shape::{
    AnswerMember, AttributesMember, BlockMember, ElementMember, RelatedMember,
};
use crate::scan::Kernel;

use super::json;
use super::parsed::Parsed;

/// How many places there are for names in `attributes`, and as many for the spec's.
const PLACES: usize = 256;

/// How far from its place a name may be.
const FAR: usize = 4;

/// A kind of object has these members.
pub(super) trait Member: Copy + 'static {
    /// The number of the kind, below 4.
    const KIND: usize;
    const ALL: &'static [Self];

    /// Which one a name is.
    fn of(name: &[u8]) -> Option<Self>;

    fn number(self) -> u8;
}

macro_rules! member {
    ($($kind:literal $type:ty;)*) => {
        $(
            impl Member for $type {
                const KIND: usize = $kind;
                const ALL: &'static [Self] = &Self::ALL;

                #[inline(always)]
                fn of(name: &[u8]) -> Option<Self> {
                    Self::from_name(name)
                }

                #[inline(always)]
                fn number(self) -> u8 {
                    self as u8
                }
            }
        )*
    };
}

member! {
    0 AnswerMember;
    1 ElementMember;
    2 BlockMember;
    3 RelatedMember;
}

/// What a name is in `attributes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Attribute {
    /// The app's own (5.6).
    #[default]
    Free,
    /// The two that 5.6 reserves.
    Author,
    Related,
    /// A state, which stands nowhere else than on its element (5.3).
    State,
}

impl Attribute {
    fn of(name: &[u8]) -> Self {
        let is = |state: &ElementMember| state.name().as_bytes() == name;
        match AttributesMember::from_name(name) {
            Some(AttributesMember::Author) => Self::Author,
            Some(AttributesMember::Related) => Self::Related,
            None if STATES.iter().any(is) => Self::State,
            None => Self::Free,
        }
    }
}

/// The names of the spec's that were met and are held. Who rides keeps them from one ride to the next.
#[derive(Debug)]
pub struct KnownNames<H> {
    /// Their identities, the kinds of their objects added; nothing stands at zero.
    names: [usize; PLACES],
    facts: [Facts; PLACES],
    /// In which ride each was met.
    rides: [u32; PLACES],
    held: [Option<H>; PLACES],
    ride: u32,
}

/// How many bytes a name takes, with its quotation marks and the colon, and which it is.
#[derive(Clone, Copy, Debug)]
struct Facts {
    length: u8,
    number: u8,
}

impl<H> Default for KnownNames<H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H> KnownNames<H> {
    /// None was met yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            names: [0; PLACES],
            facts: [Facts { length: 0, number: 0 }; PLACES],
            rides: [0; PLACES],
            held: [const { None }; PLACES],
            ride: 0,
        }
    }

    /// Which name to forget first is told by the rides.
    pub(super) fn begin_ride(&mut self) {
        self.ride = self.ride.wrapping_add(1);
    }

    /// Which member a name is, and how many bytes it takes with its quotation marks and the colon; nothing of what is unusual.
    #[inline(always)]
    pub(super) fn know<'a, M: Member, P: Parsed<'a, Held = H>>(
        &mut self,
        name: P,
    ) -> Option<(M, u64)> {
        let who = name.identity() | M::KIND;
        let mut place = place_in::<PLACES>(who);
        if self.names.get(place) != Some(&who) {
            place = self.find::<M, P>(name, who, place)?;
        }
        let facts = self.facts.get(place)?;
        Some((*M::ALL.get(usize::from(facts.number))?, u64::from(facts.length)))
    }

    /// Where a name is that is not in its own place; if it is in none, it is held from now on.
    #[inline(never)]
    fn find<'a, M: Member, P: Parsed<'a, Held = H>>(
        &mut self,
        name: P,
        who: usize,
        first: usize,
    ) -> Option<usize> {
        let around = (first..first + FAR).map(|place| place % PLACES);
        if let Some(place) = around.clone().find(|&place| self.names.get(place) == Some(&who)) {
            *self.rides.get_mut(place)? = self.ride;
            return Some(place);
        }
        let text = name.string()?;
        let (number, length) = (M::of(text)?.number(), text.len() as u8 + 3);
        // The one that was met longest ago goes; among equals the nearest.
        let age = |&place: &usize| self.rides.get(place).map(|&ride| self.ride.wrapping_sub(ride));
        let place = around.min_by_key(|place| Reverse(age(place)))?;
        *self.held.get_mut(place)? = Some(name.hold());
        *self.facts.get_mut(place)? = Facts { length, number };
        *self.rides.get_mut(place)? = self.ride;
        *self.names.get_mut(place)? = who;
        Some(place)
    }
}

/// A name in `attributes` that was met.
#[derive(Clone, Copy, Debug, Default)]
struct Name {
    identity: usize,
    /// In which ride.
    ride: u32,
    /// How many bytes it takes, with its quotation marks and the colon.
    length: u16,
    attribute: Attribute,
}

/// The names in `attributes` that were met.
#[derive(Debug)]
pub(crate) struct Names {
    places: [Name; PLACES],
    ride: u32,
}

impl Default for Names {
    fn default() -> Self {
        Self { places: [Name::default(); PLACES], ride: 0 }
    }
}

impl Names {
    /// Forgets who the names are.
    pub(super) fn begin_ride(&mut self) {
        self.ride = self.ride.wrapping_add(1);
        if self.ride == 0 {
            *self = Self { ride: 1, ..Self::default() };
        }
    }

    /// What a name is in `attributes`, and how many bytes it takes with its quotation marks and the colon; nothing of what is
    /// unusual, or longer than any reasonable name.
    #[inline(always)]
    pub(super) fn know<'a, K: Kernel, P: Parsed<'a>>(
        &mut self,
        kernel: K,
        name: P,
    ) -> Option<(Attribute, u64)> {
        let (identity, ride) = (name.identity(), self.ride);
        let first = place_in::<PLACES>(identity);
        let place = match self.places.get(first) {
            Some(place) if place.identity == identity && place.ride == ride => first,
            Some(place) if place.ride != ride => first,
            _ => self.find(identity, first),
        };
        let place = self.places.get_mut(place)?;
        if place.identity != identity || place.ride != ride {
            let text = name.string()?;
            let length = u16::try_from(json::measure(kernel, text).0 + 1).ok()?;
            *place = Name { identity, ride, length, attribute: Attribute::of(text) };
        }
        Some((place.attribute, u64::from(place.length)))
    }

    /// Where a name is that is not in its own place, or where it may be.
    #[inline(never)]
    fn find(&self, identity: usize, first: usize) -> usize {
        for place in (first..first + FAR).map(|place| place % PLACES) {
            let Some(name) = self.places.get(place) else { break };
            if name.identity == identity || name.ride != self.ride {
                return place;
            }
        }
        first
    }
}

/// One of so many places for an identity.
#[inline(always)]
fn place_in<const PLACES: usize>(identity: usize) -> usize {
    const ODD: usize = 0x9E37_79B9_7F4A_7C15_u64 as usize;
    identity.wrapping_mul(ODD) >> (usize::BITS - PLACES.ilog2())
}
