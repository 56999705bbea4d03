//! report: findings in order, capped, counted exactly.
//!
//! In: a rule, an offset and parameters from the rules; a fatal finding from the lexer or the tree. Out: the [`Report`].
//!
//! Rules may speak late of early places, so the first N findings are kept in a bounded heap by (offset, catalogue, order of
//! saying). What is counted is counted whether it is kept or not; what is kept holds no text of the answer but the few words that
//! the contract lets a parameter quote (§1), and builds its pointer when it is read.

use std::collections::{BTreeMap, BinaryHeap};

use crate::id_table::IdTable;
use crate::pointer::{Known, MOST, Places, Spot};
use crate::rules::table::{Level, Rule};
use crate::scratch::Lent;
use crate::size::Summary;

/// Why a text is no JSON (the contract's table of reasons).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    ByteOrderMark,
    NanOrInfinity,
    Comment,
    TrailingComma,
    ControlCharacter,
    BadEscape,
    BadNumber,
    BadLiteral,
    TextAfterValue,
    MissingComma,
    MissingColon,
    BadName,
    UnexpectedCharacter,
}

impl Reason {
    fn word(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "byte-order-mark",
            Self::NanOrInfinity => "nan-or-infinity",
            Self::Comment => "comment",
            Self::TrailingComma => "trailing-comma",
            Self::ControlCharacter => "control-character",
            Self::BadEscape => "bad-escape",
            Self::BadNumber => "bad-number",
            Self::BadLiteral => "bad-literal",
            Self::TextAfterValue => "text-after-value",
            Self::MissingComma => "missing-comma",
            Self::MissingColon => "missing-colon",
            Self::BadName => "bad-name",
            Self::UnexpectedCharacter => "unexpected-character",
        }
    }
}

/// The one finding that ends the work and stands alone.
#[derive(Clone, Debug)]
pub(crate) struct Fatal(Box<Finding>);

impl Fatal {
    fn new(rule: Rule, at: u64, spot: Spot, parameters: Vec<Parameter>) -> Self {
        Self(Box::new(Finding { rule, at, order: 0, element: NOWHERE, spot, parameters }))
    }

    /// `json-syntax` at `at`.
    #[cold]
    pub(crate) fn syntax(at: u64, reason: Reason) -> Self {
        Self::new(Rule::JsonSyntax, at, Spot::ANSWER, vec![Parameter::Word(reason.word())])
    }

    /// `json-encoding`; the bad sequence begins at `at`.
    #[cold]
    pub(crate) fn encoding(at: u64) -> Self {
        Self::new(Rule::JsonEncoding, at, Spot::ANSWER, Vec::new())
    }

    /// `json-truncated`; the input's length is `at`.
    #[cold]
    pub(crate) fn truncated(at: u64) -> Self {
        Self::new(Rule::JsonTruncated, at, Spot::ANSWER, Vec::new())
    }

    /// One of the fatal limits.
    #[cold]
    pub(crate) fn limit(
        rule: Rule,
        name: &'static str,
        at: u64,
        spot: Spot,
        allowed: u64,
        actual: u64,
    ) -> Self {
        let parameters =
            vec![Parameter::Word(name), Parameter::Number(allowed), Parameter::Number(actual)];
        Self::new(rule, at, spot, parameters)
    }
}

/// No element.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// The value of one of a rule's parameters, as it is kept.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    Null,
    Number(u64),
    Word(&'static str),
    Quote(Box<str>),
    Pointer(Spot),
    Words(Box<[String]>),
}

/// The value of one of a rule's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing to say, such as no suggestion.
    Null,
    /// A count.
    Number(u64),
    /// A word of ours, a pointer, or a word of the answer, cut and escaped (contract §1).
    Text(String),
    /// The media types that a limit allows.
    Words(Vec<String>),
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug)]
pub struct Finding {
    rule: Rule,
    at: u64,
    order: u64,
    element: u32,
    spot: Spot,
    parameters: Vec<Parameter>,
}

impl Finding {
    /// The rule that was broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The places that it names.
    fn spots(&self) -> impl Iterator<Item = &Spot> {
        let others = self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Pointer(spot) => Some(spot),
            _ => None,
        });
        std::iter::once(&self.spot).chain(others)
    }

    fn key(&self) -> (u64, Rule, u64) {
        (self.at, self.rule, self.order)
    }
}

impl PartialEq for Finding {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Finding {}

impl PartialOrd for Finding {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Finding {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
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
    kept: BinaryHeap<Finding>,
}

impl Collector {
    pub(crate) fn new(levels: [Level; Rule::COUNT], most: usize) -> Self {
        Self {
            levels,
            most,
            counts: [0; Rule::COUNT],
            found: false,
            order: 0,
            kept: BinaryHeap::new(),
        }
    }

    /// Forgets all that was found.
    #[inline]
    pub(crate) fn reset(&mut self) {
        if self.found {
            (self.counts, self.found) = ([0; Rule::COUNT], false);
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
        self.kept.len() < self.most
            || self.kept.peek().is_some_and(|last| (at, rule) < (last.at, last.rule))
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
        parameters: Vec<Parameter>,
    ) {
        let order = self.tick();
        self.keep_as(order, rule, at, element, spot, parameters);
    }

    /// Keeps a finding that was counted, said as the report's `order`th.
    pub(crate) fn keep_as(
        &mut self,
        order: u64,
        rule: Rule,
        at: u64,
        element: u32,
        spot: Spot,
        parameters: Vec<Parameter>,
    ) {
        self.insert(Finding { rule, at, order, element, spot, parameters });
    }

    fn insert(&mut self, finding: Finding) {
        if self.kept.len() == self.most {
            self.kept.pop();
        }
        self.kept.push(finding);
    }

    /// Takes over what another one counted and kept.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.found |= other.found;
        for finding in other.kept.into_sorted_vec() {
            let is_first = self.kept.peek().is_none_or(|last| finding < *last);
            if self.kept.len() < self.most || is_first {
                self.insert(finding);
            }
        }
    }

    /// Whether a finding of level error was counted.
    pub(crate) fn has_error(&self) -> bool {
        let mut counts = self.counts.iter().zip(&self.levels);
        self.found && counts.any(|(&count, &level)| count > 0 && level == Level::Error)
    }
}

/// What is said of an answer.
#[derive(Clone, Debug)]
pub struct Report {
    ok: bool,
    /// What was found; nothing for a clean answer.
    faults: Option<Box<Faults>>,
    summary: Lent,
}

/// What was found in an answer, and what is needed to say where.
#[derive(Clone, Debug)]
struct Faults {
    counts: [u64; Rule::COUNT],
    findings: Vec<Finding>,
    offsets: bool,
    places: Known,
    /// The usable ids of the elements that findings concern.
    ids: BTreeMap<u32, Box<[u8]>>,
}

/// What names elements: their places and their ids.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) places: Places,
    pub(crate) ids: IdTable,
}

impl Faults {
    /// Takes what the findings need to name elements.
    fn new(
        counts: &[u64; Rule::COUNT],
        findings: Vec<Finding>,
        offsets: bool,
        names: &mut Names,
    ) -> Box<Self> {
        let places = names.places.take(findings.iter().flat_map(Finding::spots));
        let elements = findings.iter().map(|finding| finding.element);
        let ids = elements.filter_map(|it| Some((it, names.ids.usable(it)?.into()))).collect();
        Box::new(Self { counts: *counts, findings, offsets, places, ids })
    }
}

impl Report {
    /// The report of an answer that was read to its end; takes what was found out of the collector.
    pub(crate) fn whole(
        collector: &mut Collector,
        offsets: bool,
        names: &mut Names,
        summary: Box<Summary>,
    ) -> Self {
        let ok = !collector.has_error();
        let faults = collector.found.then(|| {
            let findings = std::mem::take(&mut collector.kept).into_sorted_vec();
            Faults::new(&collector.counts, findings, offsets, names)
        });
        Self { ok, faults, summary: Lent::new(summary) }
    }

    /// The report of an answer that was given up: the fatal finding alone.
    pub(crate) fn fatal(fatal: Fatal, most: usize, offsets: bool, names: &mut Names) -> Self {
        let mut counts = [0; Rule::COUNT];
        counts[fatal.0.rule as usize] = 1;
        let findings = if most > 0 { vec![*fatal.0] } else { Vec::new() };
        let faults = Some(Faults::new(&counts, findings, offsets, names));
        Self { ok: false, faults, summary: Lent::default() }
    }

    /// Whether there is no error.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.ok
    }

    /// Whether the work ended at a fatal finding.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.summary().is_none()
    }

    /// Whether some findings were counted but not kept.
    #[must_use]
    pub fn truncated(&self) -> bool {
        self.counts().iter().sum::<u64>() > self.findings().len() as u64
    }

    /// How many findings each rule has, by the rule's number.
    #[must_use]
    pub fn counts(&self) -> &[u64; Rule::COUNT] {
        static NONE: [u64; Rule::COUNT] = [0; Rule::COUNT];
        self.faults.as_ref().map_or(&NONE, |faults| &faults.counts)
    }

    /// The findings that were kept, in order.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        self.faults.as_ref().map_or(&[], |faults| &faults.findings)
    }

    /// Sizes and states of the whole answer; `None` after a fatal finding.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.get()
    }

    /// The offset in bytes of a finding; `None` for parsed objects.
    #[must_use]
    pub fn offset(&self, finding: &Finding) -> Option<u64> {
        self.faults.as_ref().filter(|faults| faults.offsets).map(|_| finding.at)
    }

    /// The JSON Pointer of a finding.
    #[must_use]
    pub fn pointer(&self, finding: &Finding) -> String {
        self.pointer_of(&finding.spot)
    }

    fn pointer_of(&self, spot: &Spot) -> String {
        self.faults.as_ref().map_or_else(String::new, |faults| faults.places.pointer(spot))
    }

    /// The id of the element that a finding concerns; `None` unless it is well-formed.
    #[must_use]
    pub fn element(&self, finding: &Finding) -> Option<&str> {
        std::str::from_utf8(self.faults.as_ref()?.ids.get(&finding.element)?).ok()
    }

    /// The values of a finding's parameters, in the order of [`Rule::parameters`].
    #[must_use]
    pub fn parameters(&self, finding: &Finding) -> Vec<Value> {
        finding.parameters.iter().map(|parameter| self.value(parameter)).collect()
    }

    fn value(&self, parameter: &Parameter) -> Value {
        match parameter {
            Parameter::Null => Value::Null,
            Parameter::Number(number) => Value::Number(*number),
            Parameter::Word(word) => Value::Text((*word).to_owned()),
            Parameter::Quote(text) => Value::Text(text.to_string()),
            Parameter::Pointer(spot) => Value::Text(self.pointer_of(spot)),
            Parameter::Words(words) => Value::Words(words.to_vec()),
        }
    }
}

/// Elements are told apart by 31 bits; more of them are refused as if a limit said so.
pub(crate) const MOST_ELEMENTS: u64 = MOST as u64;
