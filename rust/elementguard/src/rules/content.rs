//! content: blocks as MCP defines them, section 5.5.
//!
//! In: members and ends of blocks and of what stands in them. Out: `unknown-block-type`, `text-and-blob`, `invalid-annotations`,
//! `text-without-text-block`, `no-image-or-link`, `empty-content`, `limit-blocks`, `limit-content-bytes`, and the block's part of
//! `missing-member`. What pictures and sounds must be is in `media`.

use crate::findings::Parameter;
use crate::number::Number;
use crate::pointer::{Spot, Step};
use crate::rules::block::TypeRead;
use crate::rules::fields::member_spot;
use crate::rules::frame::{Blocks, Frame};
use crate::rules::shape::{
    AnnotationsMember, BlockMember, BlockType, ContentsMember, ElementMember, IconMember, Role,
    Type,
};
use crate::rules::table::Rule;
use crate::slot::{Found, Slot};
use crate::tree::Tree;
use crate::uri::{Place, Uri};
use crate::word::Word;

impl Tree {
    /// A block begins.
    pub(crate) fn begin_block(&mut self) {
        self.block.begin();
        if let Some(frame) = self.frames.last_mut() {
            frame.blocks.any = true;
        }
    }

    /// `type` was read.
    pub(crate) fn block_type(&mut self, at: u64, word: &Word) {
        let kind = if word.is_whole() { BlockType::from_name(word.text()) } else { None };
        if kind.is_none() {
            self.say(Rule::UnknownBlockType, at, || [Parameter::quote(word.text())]);
        }
        self.resolve_block(kind.map_or(TypeRead::Other, TypeRead::Known));
    }

    /// The block's type is known, or will not be.
    pub(crate) fn resolve_block(&mut self, kind: TypeRead) {
        let element = self.element();
        for (member, at, spot) in self.block.resolve(kind, &mut self.findings) {
            let name = Parameter::Word(member.name());
            if self.block.requires(member) {
                let [expected, found] =
                    [member.expected().word(), Found::Null.word()].map(Parameter::Word);
                self.say_of(element, Rule::WrongType, at, || (spot, [name, expected, found]));
            } else {
                self.say_of(element, Rule::NullMember, at, || (spot, [name]));
            }
        }
    }

    /// The `text` of a block or of a resource was read.
    pub(crate) fn block_text(&mut self, slot: Slot, length: u64) {
        match slot {
            Slot::Contents(_) => self.block.resource.text = Some(length),
            _ => self.block.own.text = Some(length),
        }
    }

    /// An address in a block was read.
    pub(crate) fn uri(&mut self, slot: Slot, at: u64, uri: &Uri) {
        match slot {
            Slot::Icon(_) => self.judge_uri(at, uri, Place::Icon, IconMember::Src.name()),
            _ => self.judge_uri(at, uri, Place::Elsewhere, BlockMember::Uri.name()),
        }
    }

    /// The `theme` of an icon was read.
    pub(crate) fn theme(&mut self, at: u64, word: &Word) {
        if !(word.is("light") || word.is("dark")) {
            self.say(Rule::WrongType, at, || {
                let words =
                    [IconMember::Theme.name(), Type::LightOrDark.word(), Found::String.word()];
                words.map(Parameter::Word)
            });
        }
    }

    /// An item of `audience` was read.
    pub(crate) fn audience(&mut self, at: u64, word: &Word) {
        if !(word.is("user") || word.is("assistant")) {
            self.say(Rule::InvalidAnnotations, at, || {
                [Parameter::Word(AnnotationsMember::Audience.name())]
            });
        }
    }

    /// `priority` was read.
    pub(crate) fn priority(&mut self, at: u64, number: &Number) {
        if !number.in_unit_interval() {
            self.say(Rule::InvalidAnnotations, at, || {
                [Parameter::Word(AnnotationsMember::Priority.name())]
            });
        }
    }

    /// An icon ends.
    pub(crate) fn end_icon(&mut self) {
        if !self.path.knows(IconMember::Src as u8) {
            let (at, spot) = self.ending();
            self.missing_member(at, spot, IconMember::Src.name());
        }
    }

    /// A `resource` ends.
    pub(crate) fn end_contents(&mut self) {
        let (at, spot) = self.ending();
        if !self.path.knows(ContentsMember::Uri as u8) {
            self.missing_member(at, spot.clone(), ContentsMember::Uri.name());
        }
        if self.block.resource.given == [false; 2] {
            self.missing_member(at, spot.clone(), "text or blob");
        }
        let resource = &self.block.resource;
        if resource.text.is_some() && resource.blob.is_some() && self.count(Rule::TextAndBlob, at) {
            self.keep(Rule::TextAndBlob, at, spot, []);
        }
        self.resource_media();
    }

    /// A block ends: its members are complete.
    pub(crate) fn end_block(&mut self) {
        if self.block.is_pending() {
            if !self.path.knows(BlockMember::Type as u8) {
                let (at, spot) = self.ending();
                self.missing_member(at, spot, BlockMember::Type.name());
            }
            self.resolve_block(TypeRead::Other);
        }
        if let TypeRead::Known(kind) = self.block.kind {
            self.end_known_block(kind);
        }
        self.block.end();
    }

    fn end_known_block(&mut self, kind: BlockType) {
        for member in BlockMember::ALL {
            if self.block.requires(member) && !self.path.knows(member as u8) {
                let (at, spot) = self.ending();
                self.missing_member(at, spot, member.name());
            }
        }
        self.block_media(kind);
        let (own, resource) = (&self.block.own, &self.block.resource);
        let (text, blob) = match kind {
            BlockType::Text => (own.text, None),
            BlockType::Image | BlockType::Audio => (None, own.blob),
            BlockType::Resource => (resource.text, resource.blob),
            BlockType::ResourceLink => (None, None),
        };
        self.settle_block(kind, text.unwrap_or(0), blob.and_then(|blob| blob.bytes).unwrap_or(0));
    }

    /// `content` was read, one text block with nothing to be said about it; not so if a limit may be passed.
    #[inline]
    pub(crate) fn text_content(&mut self, at: u64, end: u64, text: u64) -> bool {
        let (limits, bytes) = (&self.settings.limits, end - at);
        if limits.blocks == Some(0) || limits.content_bytes.is_some_and(|allowed| bytes > allowed) {
            return false;
        }
        let Some(frame) = self.frames.last_mut() else { return false };
        frame.content_at = at;
        frame.blocks = Blocks { any: true, text: true, shows: true };
        self.sums.content_bytes += bytes;
        self.sums.text_bytes += text;
        self.summary.block_types[BlockType::Text as usize] += 1;
        true
    }

    /// Some blocks were read with nothing to be said about them: adds them to their element.
    #[inline]
    pub(crate) fn settle_blocks(&mut self, types: &[u64; 5], count: u64, text: u64, blob: u64) {
        for (sum, more) in self.summary.block_types.iter_mut().zip(types) {
            *sum += more;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        frame.blocks.any |= count > 0;
        frame.blocks.text |= types[BlockType::Text as usize] > 0;
        frame.blocks.shows |= types[BlockType::Audio as usize] < count;
        self.sums.text_bytes += text;
        self.sums.blob_bytes += blob;
    }

    /// A block of a known type ended: adds it to its element.
    pub(crate) fn settle_block(&mut self, kind: BlockType, text: u64, blob: u64) {
        self.summary.block_types[kind as usize] += 1;
        let Some(frame) = self.frames.last_mut() else { return };
        frame.blocks.any = true;
        frame.blocks.text |= kind == BlockType::Text;
        frame.blocks.shows |= kind != BlockType::Audio;
        self.sums.text_bytes += text;
        self.sums.blob_bytes += blob;
    }

    /// `content` ends.
    pub(crate) fn end_content(&mut self, at: u64, items: u64, end: u64) {
        self.sums.content_bytes += end - at;
        let Some(frame) = self.frames.last_mut() else { return };
        frame.content_at = at;
        let spot = member_spot(frame, ElementMember::Content);
        if items == 0 && self.count(Rule::EmptyContent, at) {
            self.keep(Rule::EmptyContent, at, spot.clone(), []);
        }
        let (blocks, bytes) = (self.settings.limits.blocks, self.settings.limits.content_bytes);
        self.limit(Rule::LimitBlocks, "blocks", blocks, items, |_| (at, spot.clone()));
        self.limit(Rule::LimitContentBytes, "content_bytes", bytes, end - at, |_| (at, spot));
    }

    /// An element ends: whether its content is what one of its role sends.
    pub(crate) fn text_or_picture(&mut self, frame: &Frame) {
        let Some(role) = frame.role.received().filter(|_| frame.blocks.any) else { return };
        let rule = match role {
            Role::Text | Role::Heading | Role::Link if !frame.blocks.text => {
                Rule::TextWithoutTextBlock
            }
            _ if frame.blocks.shows => return,
            _ => Rule::NoImageOrLink,
        };
        self.say_of(frame.number, rule, frame.content_at, || {
            (member_spot(frame, ElementMember::Content), [frame.role_parameter()])
        });
    }

    /// Where the object that is closing stands.
    pub(crate) fn ending(&mut self) -> (u64, Spot) {
        (self.path.stack.last().map_or(0, |open| open.at), self.around())
    }

    /// A member of the object that is closing.
    pub(crate) fn ending_member(&mut self, name: &'static str) -> Spot {
        Spot { place: self.around().place, step: Step::Member(name) }
    }
}
