//! tree: tokens -> moments: a name, a value, the end of an object or array, the end of the answer.
//!
//! In: the lexer's tokens, or those of a walk over parsed objects. Out: calls into `rules`, one file for each section, which say
//! what is wrong. The tree knows what each value is to the spec (its [`Slot`]); what is opaque is only checked as JSON.
//!
//! Members come in any order, so a rule speaks at a member (its value alone decides), at the end of an element or block (its
//! facts are complete) or at the end of the answer. For that, each open element has a [`Frame`], and nothing else is kept.
//! Strings go through a machine chosen by their slot ([`Sink`]); none is stored.

use std::sync::Arc;

use crate::digest::Keys;
use crate::express;
use crate::findings::{Collector, NOWHERE, Parameter, Parameters};
use crate::id_table::IdTable;
use crate::index::Rows;
use crate::number::Number;
use crate::pointer::{Places, Spot, Step};
use crate::reader::Path;
use crate::report::{Fatal, Names, Report};
use crate::rules::attributes::Entry;
use crate::rules::block::Block;
use crate::rules::frames::Frames;
use crate::rules::ids::Ids;
use crate::rules::shape::{AnnotationsMember, BlockMember, ContentsMember, Type};
use crate::rules::states::Focus;
use crate::rules::table::Rule;
use crate::scratch;
use crate::settings::{Compiled, Kind, Limits};
use crate::sink::{Begun, Sink};
use crate::size::{Size, Summary};
use crate::slot::{Found, Slot};
use crate::walk;

mod tokens;

/// The state of reading one answer.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) settings: Arc<Compiled>,
    pub(crate) keys: Keys,
    pub(crate) findings: Collector,
    pub(crate) names: Names,
    pub(crate) path: Path,
    pub(crate) frames: Frames,
    pub(crate) block: Block,
    pub(crate) ids: Ids,
    pub(crate) focus: Focus,
    pub(crate) entry: Entry,
    /// Used by the express lane while it reads `attributes`.
    pub(crate) scratch: express::Scratch,
    /// Used by the ride over parsed objects.
    pub(crate) walked: walk::Names,
    /// Where a small answer is copied to.
    pub(crate) copy: Vec<u8>,
    pub(crate) summary: Box<Summary>,
    /// What the contents of all elements amount to so far.
    pub(crate) sums: Size,
    /// Where the string, name or number that comes in pieces began, what it is, and what judges it.
    at: u64,
    slot: Slot,
    pub(crate) sink: Sink,
    number: Number,
    /// The lone surrogates of the name that comes in pieces: how many, and where the first ones stand.
    pub(crate) lones: (u64, Vec<u64>),
    /// The base64 that the chunk's end cut, if the express lane read it.
    pub(crate) begun: Option<Begun>,
    /// Where elements stand, if that is asked for.
    pub(crate) index: Option<Rows>,
    /// Whether a limit is set on subtrees.
    pub(crate) limits_subtrees: bool,
    /// A title of so many bytes is within its limit, whatever its characters are.
    pub(crate) short_title: usize,
    /// Whether offsets are those of a text (and not of a walk).
    offsets: bool,
}

/// How many bytes have no more characters than a title may.
fn short_title(limits: &Limits) -> usize {
    limits.title_characters.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX)
}

impl Tree {
    pub(crate) fn new(settings: Arc<Compiled>, offsets: bool) -> Self {
        let keys = Keys::of_process();
        let findings = Collector::new(settings.levels, settings.most_findings());
        let limits_subtrees =
            settings.limits.subtree_bytes.is_some() || settings.limits.subtree_elements.is_some();
        let short_title = short_title(&settings.limits);
        let rooted = settings.kind == Kind::Answer;
        Self {
            names: Names { places: Places::new(rooted), ids: IdTable::new(keys) },
            settings,
            keys,
            findings,
            path: Path::new(keys),
            frames: Frames::default(),
            block: Block::default(),
            ids: Ids::default(),
            focus: Focus::default(),
            entry: Entry::default(),
            scratch: express::Scratch::default(),
            walked: walk::Names::default(),
            copy: Vec::new(),
            summary: Box::default(),
            sums: Size::default(),
            at: 0,
            slot: Slot::Opaque,
            sink: Sink::Skip,
            number: Number::default(),
            lones: (0, Vec::new()),
            begun: None,
            index: None,
            limits_subtrees,
            short_title,
            offsets,
        }
    }

    /// Makes it ready for another answer.
    pub(crate) fn reset(&mut self, settings: &Arc<Compiled>, offsets: bool) {
        if !Arc::ptr_eq(&self.settings, settings) {
            self.set_up(settings);
        }
        self.offsets = offsets;
        self.findings.reset();
        self.names.places.reset(settings.kind == Kind::Answer);
        self.names.ids.reset(self.keys);
        self.path.reset();
        self.frames.clear();
        // An answer that was given up may have left a block half read.
        if self.block.is_open() {
            self.block = Block::default();
        }
        self.ids.reset();
        self.focus.reset();
        self.summary.reset();
        self.sums = Size::default();
        self.sink = Sink::Skip;
        self.lones.0 = 0;
        self.lones.1.clear();
        self.begun = None;
        self.index = None;
    }

    /// Other settings than those of the answer before.
    #[cold]
    fn set_up(&mut self, settings: &Arc<Compiled>) {
        self.settings = Arc::clone(settings);
        let limits = &settings.limits;
        self.limits_subtrees = limits.subtree_bytes.is_some() || limits.subtree_elements.is_some();
        self.short_title = short_title(limits);
        self.findings = Collector::new(settings.levels, settings.most_findings());
    }

    /// How many bytes are kept.
    pub(crate) fn room(&self) -> usize {
        self.names.places.room()
            + self.names.ids.room()
            + self.path.room()
            + self.frames.room()
            + self.ids.room()
            + self.focus.room()
    }

    /// The report of an answer that was read to its end, which is `bytes` long.
    pub(crate) fn finish(&mut self, bytes: u64) -> Report {
        self.dangling_related(&[]);
        self.summary.bytes = bytes;
        self.summarise_states();
        let summary = std::mem::replace(&mut self.summary, scratch::summary());
        Report::whole(&mut self.findings, self.offsets, &mut self.names, summary)
    }

    /// Whether an answer that was read to its end has no error.
    pub(crate) fn is_valid(&mut self) -> bool {
        self.dangling_related(&[]);
        !self.findings.has_error()
    }

    /// The report of an answer that was given up.
    pub(crate) fn give_up(&mut self, fatal: Fatal) -> Report {
        Report::fatal(fatal, self.findings.most(), self.offsets, &mut self.names)
    }

    /// Counts a finding; says whether [`keep`](Self::keep) should follow. Inside a block of which the type is not known yet it
    /// waits with the block.
    pub(crate) fn count(&mut self, rule: Rule, at: u64) -> bool {
        let Self { block, findings, .. } = self;
        block.collector(findings).count(rule, at)
    }

    /// Keeps a finding that was counted.
    pub(crate) fn keep(
        &mut self,
        rule: Rule,
        at: u64,
        spot: Spot,
        parameters: impl Into<Parameters>,
    ) {
        let element = self.element();
        let Self { block, findings, .. } = self;
        let order = findings.tick();
        block.collector(findings).keep_as(order, rule, at, element, spot, parameters.into());
    }

    /// Says a finding about the value that is being read.
    pub(crate) fn say<const N: usize>(
        &mut self,
        rule: Rule,
        at: u64,
        parameters: impl FnOnce() -> [Parameter; N],
    ) {
        if self.count(rule, at) {
            let spot = self.here();
            self.keep(rule, at, spot, parameters());
        }
    }

    /// Says a finding of JSON's own rules, which hold in blocks of any type.
    pub(crate) fn say_json<const N: usize>(
        &mut self,
        rule: Rule,
        at: u64,
        parameters: [Parameter; N],
    ) {
        if self.findings.count(rule, at) {
            let spot = self.here();
            let element = self.element();
            self.findings.keep(rule, at, element, spot, parameters);
        }
    }

    /// The place of the value that is being read.
    pub(crate) fn here(&mut self) -> Spot {
        self.path.here(&mut self.names.places)
    }

    /// The place of the object or array that is closing, or in which a value is being read.
    pub(crate) fn around(&mut self) -> Spot {
        Spot { place: self.path.around(&mut self.names.places), step: Step::Here }
    }

    /// The innermost open element.
    pub(crate) fn element(&self) -> u32 {
        self.frames.last().map_or(NOWHERE, |frame| frame.number)
    }

    /// A value begins: what it is to the spec.
    pub(crate) fn next_value(&mut self) -> Slot {
        let slot = self.path.next_value();
        self.block.begin_value(slot);
        slot
    }

    /// A value has ended.
    pub(crate) fn after_value(&mut self, slot: Slot) {
        self.block.end_value(slot);
    }

    fn imprecise_number(&mut self, at: u64, is_imprecise: bool) {
        if is_imprecise {
            self.say_json(Rule::ImpreciseNumber, at, []);
        }
    }

    fn judge_number(&mut self, slot: Slot, at: u64, number: &Number) {
        self.imprecise_number(at, number.imprecise());
        match slot {
            Slot::Block(BlockMember::Size) if number.is_integer() => {}
            Slot::Annotations(AnnotationsMember::Priority) => self.priority(at, number),
            _ => self.mistyped(slot, Found::Number, at),
        }
        self.after_value(slot);
    }

    /// A string value of the type that its slot asks for begins, and will come in pieces.
    pub(crate) fn begin_pieces(&mut self, at: u64, sink: Sink) {
        (self.at, self.slot, self.sink) = (at, self.next_value(), sink);
    }

    fn begin_sink(&mut self, slot: Slot, at: u64) -> Sink {
        let known = self
            .field(slot)
            .is_none_or(|field| matches!(field.expected, Type::String | Type::LightOrDark));
        if known {
            return Sink::new(slot);
        }
        self.mistyped(slot, Found::String, at);
        Sink::Skip
    }

    fn end_sink(&mut self, slot: Slot, at: u64, sink: Sink) {
        match slot {
            Slot::Entry(member) => self.entry_string(member),
            Slot::Contents(ContentsMember::Text | ContentsMember::Blob) => {
                self.unusable(slot, true);
            }
            _ => {}
        }
        self.judge_string(slot, at, sink);
        self.after_value(slot);
    }
}

/// The parameter `member`: a field's name; the answer itself has none.
pub(crate) fn member_of(name: &'static str) -> Parameter {
    if name.is_empty() { Parameter::Null } else { Parameter::Word(name) }
}
