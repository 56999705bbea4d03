//! known: the names of members, remembered by who they are.
//!
//! In: a name, and of what kind the object is that has it. Out: which member it names, and how long it is in JSON. Parsers make one
//! string of a name however often it stands in an answer; so most names are known by their identity, and their text is looked at
//! once a ride. Behind it nothing is known of who they are: another one may stand in the same place.

use crate::rules::attributes::STATES;
use crate::rules::shape::{
    AnswerMember, AttributesMember, BlockMember, ElementMember, RelatedMember,
};
use crate::scan::Kernel;

use super::json;
use super::parsed::Parsed;

/// How many places there are for names.
const PLACES: usize = 256;

/// How far from its place a name may be.
const FAR: usize = 4;

/// A kind of object has these members.
pub(super) trait Member: Copy + 'static {
    /// The number of the kind, below 8.
    const KIND: u32;
    const ALL: &'static [Self];

    /// Which one a name is.
    fn of(name: &[u8]) -> Option<Self>;

    fn number(self) -> u8;

    /// How long a name is with its quotation marks.
    #[inline(always)]
    fn length<K: Kernel>(_kernel: K, name: &[u8]) -> u64 {
        name.len() as u64 + 2
    }
}

macro_rules! member {
    ($($kind:literal $type:ty;)*) => {
        $(
            impl Member for $type {
                const KIND: u32 = $kind;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    /// The app's own (5.6).
    Free,
    /// The two that 5.6 reserves.
    Author,
    Related,
    /// A state, which stands nowhere else than on its element (5.3).
    State,
}

impl Member for Attribute {
    const KIND: u32 = 4;
    const ALL: &'static [Self] = &[Self::Free, Self::Author, Self::Related, Self::State];

    #[inline(always)]
    fn of(name: &[u8]) -> Option<Self> {
        let is = |state: &ElementMember| state.name().as_bytes() == name;
        Some(match AttributesMember::from_name(name) {
            Some(AttributesMember::Author) => Self::Author,
            Some(AttributesMember::Related) => Self::Related,
            None if STATES.iter().any(is) => Self::State,
            None => Self::Free,
        })
    }

    #[inline(always)]
    fn number(self) -> u8 {
        self as u8
    }

    #[inline(always)]
    fn length<K: Kernel>(kernel: K, name: &[u8]) -> u64 {
        json::measure(kernel, name).0
    }
}

/// A name that was met.
#[derive(Clone, Copy, Debug, Default)]
struct Name {
    identity: usize,
    /// In which ride, and in what kind of object.
    ride: u32,
    /// How many bytes it takes, with its quotation marks and the colon.
    length: u16,
    number: u8,
}

/// The names that were met.
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
        self.ride = self.ride.wrapping_add(8);
        if self.ride == 0 {
            *self = Self { ride: 8, ..Self::default() };
        }
    }

    /// Which member a name is, and how many bytes it takes with its quotation marks and the colon; nothing of what is unusual,
    /// or longer than any reasonable name.
    #[inline(always)]
    pub(super) fn know<'a, M: Member, K: Kernel, P: Parsed<'a>>(
        &mut self,
        kernel: K,
        name: P,
    ) -> Option<(M, u64)> {
        let (identity, ride) = (name.identity(), self.ride + M::KIND);
        let first = place_of(identity, M::KIND);
        let place = match self.places.get(first) {
            Some(place) if place.identity == identity && place.ride == ride => first,
            Some(place) if place.ride >> 3 != ride >> 3 => first,
            _ => self.find(identity, ride, first),
        };
        let place = self.places.get_mut(place)?;
        if place.identity != identity || place.ride != ride {
            let text = name.string()?;
            let number = M::of(text)?.number();
            let length = u16::try_from(M::length(kernel, text) + 1).ok()?;
            *place = Name { identity, ride, length, number };
        }
        Some((*M::ALL.get(usize::from(place.number))?, u64::from(place.length)))
    }

    /// Where a name is that is not in its own place, or where it may be.
    #[inline(never)]
    fn find(&self, identity: usize, ride: u32, first: usize) -> usize {
        for place in (first..first + FAR).map(|place| place % PLACES) {
            let Some(name) = self.places.get(place) else { break };
            if (name.identity == identity && name.ride == ride) || name.ride >> 3 != ride >> 3 {
                return place;
            }
        }
        first
    }
}

#[inline(always)]
fn place_of(identity: usize, kind: u32) -> usize {
    const ODD: usize = 0x9E37_79B9_7F4A_7C15_u64 as usize;
    let place = identity.wrapping_mul(ODD) >> (usize::BITS - PLACES.ilog2());
    place ^ kind as usize
}
