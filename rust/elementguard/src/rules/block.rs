//! block: what is known of the content block that is open (blocks do not nest).
//!
//! In: its members, in any order. Out: which of its names are known, and at its end the facts that the rules of 5.5 decide by.
//!
//! What a member must be depends on `type`, which may come last. Until it comes, all readings run, and what they find waits in a
//! collector for each member; then it is merged into the report, or dropped if a block of that type has no such member. A value
//! that JSON has no word for (in parsed objects) is a fault either way, but of another name, so it waits twice.

use crate::findings::{Collector, Parameters};
use crate::media::MediaType;
use crate::pointer::Spot;
use crate::rules::shape::{BlockMember, BlockType};
use crate::rules::table::Rule;
use crate::slot::Slot;
use crate::word::Word;

/// What `type` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TypeRead {
    /// It did not come yet.
    #[default]
    Pending,
    /// One of the five.
    Known(BlockType),
    /// None of them, or not usable: nothing more is asked.
    Other,
}

/// What base64 turned out to hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blob {
    pub(crate) at: u64,
    /// The decoded length; `None` if it is malformed.
    pub(crate) bytes: Option<u64>,
    /// The row of the format that it is by its first bytes.
    pub(crate) format: Option<usize>,
    /// The longer side of the picture that it is, in pixels.
    pub(crate) edge: Option<u64>,
}

/// A `mimeType` as sent.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) at: u64,
    pub(crate) media_type: Box<(MediaType, Word)>,
}

/// The facts of a block, or of the `resource` that one embeds.
#[derive(Debug, Default)]
pub(crate) struct Payload {
    /// The length of `text`, if it is a string.
    pub(crate) text: Option<u64>,
    /// Whether `text`, `blob` are there and not null, of whatever type.
    pub(crate) given: [bool; 2],
    pub(crate) blob: Option<Blob>,
    pub(crate) declared: Option<Declared>,
}

/// The content block that is open.
#[derive(Debug, Default)]
pub(crate) struct Block {
    open: bool,
    pub(crate) kind: TypeRead,
    /// The member that is being read although the type is not known.
    asking: Option<BlockMember>,
    waiting: Vec<Member>,
    nulls: Vec<(BlockMember, u64, Spot)>,
    pub(crate) own: Payload,
    pub(crate) resource: Payload,
}

/// What was found in a member while the type was not known.
#[derive(Debug)]
struct Member {
    of: BlockMember,
    /// If a block of the type has such a member.
    asked: Collector,
    /// If not.
    unasked: Collector,
}

impl Block {
    /// A block begins.
    pub(crate) fn begin(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    /// Whether a block is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Whether a block is open of which the type is not known yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.open && self.kind == TypeRead::Pending
    }

    /// Whether a member is being read although the type is not known.
    pub(crate) fn is_asking(&self) -> bool {
        self.asking.is_some()
    }

    /// What the value of a known name is.
    pub(crate) fn slot(&self, member: BlockMember) -> Slot {
        match self.kind {
            TypeRead::Pending => Slot::Block(member),
            TypeRead::Known(kind) if kind.members() >> member as u8 & 1 == 1 => Slot::Block(member),
            _ => Slot::Opaque,
        }
    }

    /// Whether a block of this type must have the member.
    pub(crate) fn requires(&self, member: BlockMember) -> bool {
        match self.kind {
            TypeRead::Known(kind) => kind.required() >> member as u8 & 1 == 1,
            _ => member == BlockMember::Type,
        }
    }

    /// A value begins.
    pub(crate) fn begin_value(&mut self, slot: Slot) {
        if let Slot::Block(member) = slot
            && member != BlockMember::Type
            && self.is_pending()
        {
            self.asking = Some(member);
        }
    }

    /// A value has ended.
    pub(crate) fn end_value(&mut self, slot: Slot) {
        if matches!(slot, Slot::Block(_)) {
            self.asking = None;
        }
    }

    /// Where findings go now: into the report, or to what waits.
    pub(crate) fn collector<'a>(&'a mut self, report: &'a mut Collector) -> &'a mut Collector {
        match self.asking {
            None => report,
            Some(member) => &mut self.waiting(member, report).asked,
        }
    }

    /// Says a finding that holds only if a block of the type has no such member.
    pub(crate) fn unasked(
        &mut self,
        report: &mut Collector,
        at: u64,
        element: u32,
        spot: Spot,
        parameters: Parameters,
    ) {
        let Some(member) = self.asking else { return };
        let order = report.tick();
        let collector = &mut self.waiting(member, report).unasked;
        if collector.count(Rule::WrongType, at) {
            collector.keep_as(order, Rule::WrongType, at, element, spot, parameters);
        }
    }

    /// A member is null: whether that is a fault, and which, depends on the type.
    pub(crate) fn null(&mut self, member: BlockMember, at: u64, spot: Spot) {
        self.nulls.push((member, at, spot));
    }

    /// The type is known, or will not be: what waited goes into the report, or is dropped. Gives the nulls of members that a
    /// block of the type has.
    pub(crate) fn resolve(
        &mut self,
        kind: TypeRead,
        report: &mut Collector,
    ) -> Vec<(BlockMember, u64, Spot)> {
        self.kind = kind;
        for waiting in std::mem::take(&mut self.waiting) {
            let asked = self.slot(waiting.of) != Slot::Opaque;
            report.absorb(if asked { waiting.asked } else { waiting.unasked });
        }
        let mut nulls = std::mem::take(&mut self.nulls);
        nulls.retain(|(member, ..)| self.slot(*member) != Slot::Opaque);
        nulls
    }

    /// The block ends.
    pub(crate) fn end(&mut self) {
        self.open = false;
    }

    fn waiting(&mut self, member: BlockMember, report: &Collector) -> &mut Member {
        let place = self.waiting.iter().position(|waiting| waiting.of == member);
        let place = place.unwrap_or_else(|| {
            let (asked, unasked) = (report.sibling(), report.sibling());
            self.waiting.push(Member { of: member, asked, unasked });
            self.waiting.len() - 1
        });
        &mut self.waiting[place]
    }
}
