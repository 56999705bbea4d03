//! media: what pictures and sounds are, section 5.5.
//!
//! In: base64 and media types as they are read, and the ends of the blocks that hold them. Out: `malformed-base64`,
//! `loose-base64`, `malformed-media-type`, `wrong-media-type`, `limit-media-type`, `limit-image-edge`.
//!
//! The first bytes say what a picture is and how large; nothing is decoded beyond its header. A malformed text is not looked at.

use crate::base64::{Base64, Verdict};
use crate::findings::Parameter;
use crate::media::{MediaType, is_name_of, is_of, row_of};
use crate::rules::block::{Blob, Declared};
use crate::rules::shape::{BlockMember, BlockType, ContentsMember};
use crate::rules::table::Rule;
use crate::rules::words::MEDIA;
use crate::slot::Slot;
use crate::tree::Tree;
use crate::word::Word;

/// What a block's or resource's media are held against.
struct Judged {
    /// The names of its members.
    data: &'static str,
    mime_type: &'static str,
    /// The type that a declared one must have.
    must_be: Option<&'static [u8]>,
    blob: Option<Blob>,
    declared: Option<Declared>,
}

impl Tree {
    /// The `data` of a block or the `blob` of a resource was read.
    pub(crate) fn blob(&mut self, slot: Slot, at: u64, machine: &Base64) {
        let mut blob = Blob { at, bytes: None, format: None, edge: None };
        match machine.verdict() {
            Verdict::Malformed(reason) => {
                self.say(Rule::MalformedBase64, at, || [Parameter::Word(reason.word())]);
            }
            Verdict::Whole { loose, bytes } => {
                if loose {
                    self.say(Rule::LooseBase64, at, || []);
                }
                blob.bytes = Some(bytes);
                blob.format = machine.header().format();
                blob.edge = machine.header().edge();
            }
        }
        match slot {
            Slot::Contents(_) => self.block.resource.blob = Some(blob),
            _ => self.block.own.blob = Some(blob),
        }
    }

    /// A `mimeType` was read, of a block, a resource or an icon.
    pub(crate) fn media_type(&mut self, slot: Slot, at: u64, media_type: Box<(MediaType, Word)>) {
        if !media_type.0.well_formed() {
            self.say(Rule::MalformedMediaType, at, || [Parameter::quote(media_type.1.text())]);
            return;
        }
        let declared = Some(Declared { at, media_type });
        match slot {
            Slot::Contents(_) => self.block.resource.declared = declared,
            Slot::Block(_) => self.block.own.declared = declared,
            _ => {}
        }
    }

    /// A block ends: whether its media are what they should be.
    pub(crate) fn block_media(&mut self, kind: BlockType) {
        let must_be = match kind {
            BlockType::Image => b"image",
            BlockType::Audio => b"audio",
            _ => return,
        };
        let judged = Judged {
            data: BlockMember::Data.name(),
            mime_type: BlockMember::MimeType.name(),
            must_be: Some(must_be),
            blob: self.block.own.blob,
            declared: self.block.own.declared.take(),
        };
        self.judge_media(&judged, |_| true);
        if kind == BlockType::Image {
            self.image_edge(&judged);
        }
    }

    /// A `resource` ends: the same for its `blob`.
    pub(crate) fn resource_media(&mut self) {
        let Some(blob) = self.block.resource.blob else { return };
        let judged = Judged {
            data: ContentsMember::Blob.name(),
            mime_type: ContentsMember::MimeType.name(),
            must_be: None,
            blob: Some(blob),
            declared: self.block.resource.declared.take(),
        };
        self.judge_media(&judged, |essence| {
            essence.starts_with(b"image/") || essence.starts_with(b"audio/")
        });
        self.image_edge(&judged);
    }

    /// Whether nothing is to be said about an image or a sound.
    pub(crate) fn is_clean_media(&self, kind: &[u8], essence: &[u8], blob: Option<Blob>) -> bool {
        let format = blob.and_then(|blob| blob.format);
        let is_format = format.is_none_or(|row| is_name_of(row, essence));
        let edge = blob.and_then(|blob| blob.edge).unwrap_or(0);
        is_of(kind, essence)
            && is_format
            && self.settings.media_types.as_ref().is_none_or(|allowed| is_allowed(allowed, essence))
            && self.settings.limits.image_edge.is_none_or(|allowed| edge <= allowed)
    }

    fn judge_media(&mut self, judged: &Judged, is_limited: impl Fn(&[u8]) -> bool) {
        let declared = judged.declared.as_ref();
        let essence = declared.map(|declared| declared.media_type.0.essence());
        let row = judged.blob.and_then(|blob| blob.format);
        if let (Some(declared), Some(essence)) = (declared, essence) {
            let is_other = judged.must_be.is_some_and(|kind| !declared.media_type.0.is_type(kind));
            let is_format = row.is_none_or(|row| is_name_of(row, essence));
            if (is_other || !is_format) && self.count(Rule::WrongMediaType, declared.at) {
                let recognised =
                    row.map_or(Parameter::Null, |row| Parameter::Word(MEDIA[row].1[0]));
                let spot = self.ending_member(judged.mime_type);
                let quote = Parameter::quote(declared.media_type.1.text());
                self.keep(Rule::WrongMediaType, declared.at, spot, [quote, recognised]);
            }
        }
        self.allowed_media(judged, essence.filter(|essence| is_limited(essence)), row, is_limited);
    }

    fn allowed_media(
        &mut self,
        judged: &Judged,
        essence: Option<&[u8]>,
        row: Option<usize>,
        is_limited: impl Fn(&[u8]) -> bool,
    ) {
        let Some(allowed) = &self.settings.media_types else { return };
        let refused = essence.is_some_and(|essence| !is_allowed(allowed, essence));
        let recognised = row
            .map(|row| MEDIA[row].1[0])
            .filter(|name| is_limited(name.as_bytes()) && !is_allowed(allowed, name.as_bytes()));
        let (at, member, actual) = match (&judged.declared, recognised, judged.blob) {
            (Some(declared), ..) if refused => {
                (declared.at, judged.mime_type, Parameter::quote(declared.media_type.1.text()))
            }
            (_, Some(name), Some(blob)) => (blob.at, judged.data, Parameter::Word(name)),
            _ => return,
        };
        if self.count(Rule::LimitMediaType, at) {
            let allowed = self.settings.limits.media_types.clone().unwrap_or_default();
            let spot = self.ending_member(member);
            let parameters =
                [Parameter::Word("media_types"), Parameter::Words(allowed.into()), actual];
            self.keep(Rule::LimitMediaType, at, spot, parameters);
        }
    }

    fn image_edge(&mut self, judged: &Judged) {
        let Some(blob) = judged.blob else { return };
        let Some(edge) = blob.edge else { return };
        self.limit(
            Rule::LimitImageEdge,
            "image_edge",
            self.settings.limits.image_edge,
            edge,
            |tree| (blob.at, tree.ending_member(judged.data)),
        );
    }
}

/// Whether a host takes media of this name, or of another name of the same format.
fn is_allowed(allowed: &[(String, Option<usize>)], name: &[u8]) -> bool {
    let row = row_of(name);
    let is_same =
        |other: &String, other_row| name == other.as_bytes() || (row.is_some() && row == other_row);
    allowed.iter().any(|(other, other_row)| is_same(other, *other_row))
}
