//! report: what is said of an answer.
//!
//! In: the findings that were kept, with what names the elements they concern; a fatal finding from the lexer or the tree. Out: the
//! [`Report`]. Pointers, quoted words and suggestions are written when they are read.

use crate::findings::{Collector, Finding, NOWHERE, Parameter};
use crate::id_table::IdTable;
use crate::pointer::{Known, MOST, Places, Spot};
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::scratch::Lent;
use crate::size::Summary;
use crate::text;
use crate::word;

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
    fn new<const N: usize>(rule: Rule, at: u64, spot: Spot, parameters: [Parameter; N]) -> Self {
        Self(Box::new(Finding::new(rule, at, NOWHERE, spot, parameters.into())))
    }

    /// `json-syntax` at `at`.
    #[cold]
    pub(crate) fn syntax(at: u64, reason: Reason) -> Self {
        Self::new(Rule::JsonSyntax, at, Spot::ANSWER, [Parameter::Word(reason.word())])
    }

    /// `json-encoding`; the bad sequence begins at `at`.
    #[cold]
    pub(crate) fn encoding(at: u64) -> Self {
        Self::new(Rule::JsonEncoding, at, Spot::ANSWER, [])
    }

    /// `json-truncated`; the input's length is `at`.
    #[cold]
    pub(crate) fn truncated(at: u64) -> Self {
        Self::new(Rule::JsonTruncated, at, Spot::ANSWER, [])
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
            [Parameter::Word(name), Parameter::Number(allowed), Parameter::Number(actual)];
        Self::new(rule, at, spot, parameters)
    }
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
    ids: UsableIds,
}

/// The usable ids of the elements that findings concern.
#[derive(Clone, Debug)]
struct UsableIds {
    /// The elements in order, each with the place at which its id ends.
    ends: Vec<(u32, usize)>,
    /// The ids, one behind the other.
    text: Vec<u8>,
}

impl UsableIds {
    fn of(findings: &[Finding], ids: &IdTable) -> Self {
        let mut elements: Vec<u32> = findings.iter().map(Finding::element).collect();
        elements.sort_unstable();
        elements.dedup();
        let mut taken = Self { ends: Vec::with_capacity(elements.len()), text: Vec::new() };
        for element in elements {
            if let Some(id) = ids.usable(element) {
                taken.text.extend_from_slice(id);
                taken.ends.push((element, taken.text.len()));
            }
        }
        taken
    }

    fn get(&self, element: u32) -> Option<&[u8]> {
        let place = self.ends.binary_search_by_key(&element, |&(element, _)| element).ok()?;
        let from = place.checked_sub(1).map_or(0, |before| self.ends[before].1);
        self.text.get(from..self.ends[place].1)
    }
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
        let ids = UsableIds::of(&findings, &names.ids);
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
        let faults = collector.found().then(|| {
            let findings = collector.take();
            Faults::new(collector.counts(), findings, offsets, names)
        });
        Self { ok, faults, summary: Lent::new(summary) }
    }

    /// The report of an answer that was given up: the fatal finding alone.
    pub(crate) fn fatal(fatal: Fatal, most: usize, offsets: bool, names: &mut Names) -> Self {
        let mut counts = [0; Rule::COUNT];
        counts[fatal.0.rule() as usize] = 1;
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
        self.faults.as_ref().filter(|faults| faults.offsets).map(|_| finding.at())
    }

    /// The JSON Pointer of a finding.
    #[must_use]
    pub fn pointer(&self, finding: &Finding) -> String {
        self.pointer_of(finding.spot())
    }

    fn pointer_of(&self, spot: &Spot) -> String {
        self.faults.as_ref().map_or_else(String::new, |faults| faults.places.pointer(spot))
    }

    /// The id of the element that a finding concerns; `None` unless it is well-formed.
    #[must_use]
    pub fn element(&self, finding: &Finding) -> Option<&str> {
        std::str::from_utf8(self.faults.as_ref()?.ids.get(finding.element())?).ok()
    }

    /// The values of a finding's parameters, in the order of [`Rule::parameters`].
    #[must_use]
    pub fn parameters(&self, finding: &Finding) -> Vec<Value> {
        let mut values = Vec::new();
        let mut quoted: &[u8] = &[];
        for parameter in finding.parameters() {
            if let Parameter::Quote(word) = parameter {
                quoted = word.bytes();
            }
            values.push(self.value(parameter, quoted));
        }
        values
    }

    /// The value of a parameter; `quoted` is the word that was quoted last.
    fn value(&self, parameter: &Parameter, quoted: &[u8]) -> Value {
        match parameter {
            Parameter::Null => Value::Null,
            Parameter::Number(number) => Value::Number(*number),
            Parameter::Word(word) => Value::Text((*word).to_owned()),
            Parameter::Quote(word) => Value::Text(text::quote(word.bytes())),
            Parameter::Nearest => {
                word::nearest(quoted, &ElementMember::ALL.map(ElementMember::name))
                    .map_or(Value::Null, |name| Value::Text(name.to_owned()))
            }
            Parameter::Pointer(spot) => Value::Text(self.pointer_of(spot)),
            Parameter::Words(words) => Value::Words(words.to_vec()),
        }
    }
}

/// Elements are told apart by 31 bits; more of them are refused as if a limit said so.
pub(crate) const MOST_ELEMENTS: u64 = MOST as u64;
