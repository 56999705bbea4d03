//! findings: all are counted, the first ones are kept.
//!
//! In: a rule, an offset and parameters from the rules. Out: how many findings each rule has, and the first N by (offset, catalogue,
//! order of saying). Rules may speak late of early places, so up to twice as many are held, and then sorted and cut.
//!
//! What is kept holds no text of the answer but the start of the few words that the contract lets a parameter quote (§1) and the
//! names of further members; all else that a person reads is written when it is read: an answer may have a fault in every element,
//! and a host that looks at the verdict alone should not pay for it.

use crate::pointer::Spot;
use crate::rules::table::{Level, Rule};
use crate::text::{self, Text};

/// No element.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The value of one of a rule's parameters, as it is kept.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    Null,
    Number(u64),
    Word(&'static str),
    /// The start of a word of the answer, as much as may be quoted.
    Quote(Text),
    /// The element's member that was probably meant by the word quoted before.
    Nearest,
    Pointer(Box<Spot>),
    Words(Box<[String]>),
}

impl Parameter {
    /// A word of the answer, to be quoted.
    pub(crate) fn quote(word: &[u8]) -> Self {
        Self::Quote(Text::new(text::quotable(word)))
    }

    /// Where something stands.
    pub(crate) fn pointer(spot: Spot) -> Self {
        Self::Pointer(Box::new(spot))
    }
}

/// The values of a rule's parameters, as they are kept. No rule has more than three.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters([Option<Parameter>; 3]);

impl Parameters {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Parameter> {
        self.0.iter().flatten()
    }
}

impl<const N: usize> From<[Parameter; N]> for Parameters {
    fn from(some: [Parameter; N]) -> Self {
        const { assert!(N <= 3, "a rule has at most three parameters") };
        let mut all = Self::default();
        all.0.iter_mut().zip(some).for_each(|(place, parameter)| *place = Some(parameter));
        all
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug)]
pub struct Finding {
    rule: Rule,
    at: u64,
    order: u64,
    element: u32,
    spot: Spot,
    parameters: Parameters,
}

impl Finding {
    /// One that stands alone.
    pub(crate) fn new(
        rule: Rule,
        at: u64,
        element: u32,
        spot: Spot,
        parameters: Parameters,
    ) -> Self {
        Self { rule, at, order: 0, element, spot, parameters }
    }

    /// The rule that was broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The element that it concerns.
    pub(crate) fn element(&self) -> u32 {
        self.element
    }

    pub(crate) fn spot(&self) -> &Spot {
        &self.spot
    }

    pub(crate) fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter()
    }

    /// The places that it names.
    pub(crate) fn spots(&self) -> impl Iterator<Item = &Spot> {
        let others = self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Pointer(spot) => Some(&**spot),
            _ => None,
        });
        std::iter::once(&self.spot).chain(others)
    }

    fn key(&self) -> (u64, Rule, u64) {
        (self.at, self.rule, self.order)
    }
}

/// Counts findings and keeps the first ones.
#[derive(Clone, Debug)]
pub(crate) struct Collector {
    levels: [Level; Rule::COUNT],
    most: usize,
    counts: [u64; Rule::COUNT],
    found: bool,
    order: u64,
    /// The first ones, and at most as many that are not.
    kept: Vec<Finding>,
    /// No later one is among the first, once there are enough of them.
    bound: Option<(u64, Rule)>,
}

impl Collector {
    pub(crate) fn new(levels: [Level; Rule::COUNT], most: usize) -> Self {
        Self {
            levels,
            most,
            counts: [0; Rule::COUNT],
            found: false,
            order: 0,
            kept: Vec::new(),
            bound: None,
        }
    }

    /// Forgets all that was found.
    #[inline]
    pub(crate) fn reset(&mut self) {
        if self.found {
            (self.counts, self.found, self.bound) = ([0; Rule::COUNT], false, None);
            self.kept.clear();
        }
    }

    /// One that is empty, with the same settings.
    pub(crate) fn sibling(&self) -> Self {
        Self::new(self.levels, self.most)
    }

    /// Whether the rule is on.
    pub(crate) fn is_on(&self, rule: Rule) -> bool {
        self.levels[rule as usize] != Level::Off
    }

    /// The most findings that are kept.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Counts a finding; says whether it is among the first ones so far, so that [`keep`](Self::keep) should follow.
    pub(crate) fn count(&mut self, rule: Rule, at: u64) -> bool {
        self.count_all(rule, 1);
        self.is_on(rule) && self.has_room(rule, at)
    }

    /// Counts findings that are beyond those that could be kept.
    pub(crate) fn count_all(&mut self, rule: Rule, how_many: u64) {
        if self.is_on(rule) {
            self.counts[rule as usize] += how_many;
            self.found |= how_many > 0;
        }
    }

    /// Whether a finding at an offset may still be among the first ones.
    pub(crate) fn has_room(&self, rule: Rule, at: u64) -> bool {
        self.most > 0 && self.bound.is_none_or(|bound| (at, rule) < bound)
    }

    /// The number of the next finding to be said.
    pub(crate) fn tick(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    /// Keeps a finding that was counted.
    pub(crate) fn keep(
        &mut self,
        rule: Rule,
        at: u64,
        element: u32,
        spot: Spot,
        parameters: impl Into<Parameters>,
    ) {
        let order = self.tick();
        self.keep_as(order, rule, at, element, spot, parameters.into());
    }

    /// Keeps a finding that was counted, said as the report's `order`th.
    pub(crate) fn keep_as(
        &mut self,
        order: u64,
        rule: Rule,
        at: u64,
        element: u32,
        spot: Spot,
        parameters: Parameters,
    ) {
        self.kept.push(Finding { rule, at, order, element, spot, parameters });
        if self.kept.len() == self.most || self.kept.len() >= self.most.saturating_mul(2) {
            self.cut();
        }
    }

    /// Drops all but the first ones. If there are no more than these, it is known what later ones must be before.
    #[inline(never)]
    fn cut(&mut self) {
        self.kept.sort_unstable_by_key(Finding::key);
        self.kept.truncate(self.most);
        self.bound = self.kept.last().map(|last| (last.at, last.rule));
    }

    /// Takes over what another one counted and kept.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.found |= other.found;
        for Finding { rule, at, order, element, spot, parameters } in other.kept {
            // Said long ago, it may come before one of the same place and rule.
            if self.most > 0 && self.bound.is_none_or(|bound| (at, rule) <= bound) {
                self.keep_as(order, rule, at, element, spot, parameters);
            }
        }
    }

    /// Takes the first ones out, in order.
    pub(crate) fn take(&mut self) -> Vec<Finding> {
        self.cut();
        std::mem::take(&mut self.kept)
    }

    /// Whether anything was counted.
    pub(crate) fn found(&self) -> bool {
        self.found
    }

    /// How many findings each rule has.
    pub(crate) fn counts(&self) -> &[u64; Rule::COUNT] {
        &self.counts
    }

    /// Whether a finding of level error was counted.
    pub(crate) fn has_error(&self) -> bool {
        let mut counts = self.counts.iter().zip(&self.levels);
        self.found && counts.any(|(&count, &level)| count > 0 && level == Level::Error)
    }
}
