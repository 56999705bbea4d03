//! sink: which machine judges a string, by what the string is to the spec.
//!
//! In: a slot. Out: a machine that takes the string's characters in pieces. Machines hold a few words, whatever the string's
//! length; the two strings that the summary gives back whole, `protocol` and `instance`, are the exception.

use crate::base64::Base64;
use crate::digest::Keys;
use crate::media::MediaType;
use crate::role::RoleWord;
use crate::rules::block::TypeRead;
use crate::rules::shape::{
    AnswerMember, BlockMember, BlockType, ContentsMember, ElementMember, IconMember, RelatedMember,
};
use crate::slot::Slot;
use crate::text::{Plain, Title};
use crate::tree::Tree;
use crate::uri::Uri;
use crate::word::{Id, Protocol, Word};

/// A machine for one string.
#[derive(Debug, Default)]
pub(crate) enum Sink {
    /// Nothing but JSON's own rules is asked.
    #[default]
    Skip,
    /// It is a name: its text goes to the open path.
    Name,
    Protocol(Protocol, Vec<u8>),
    Instance(Plain, Vec<u8>),
    Id(Id),
    Role(RoleWord),
    Title(Title),
    Subrole(Plain),
    Url(Plain, Uri),
    BlockType(Word),
    /// The length of the text.
    Text(u64),
    Base64(Box<Base64>),
    MediaType(Box<(MediaType, Word)>),
    /// A block's or resource's `uri`, an icon's `src`.
    Uri(Uri),
    Theme(Word),
    Audience(Word),
    RelatedId(Id),
}

/// Base64 of a block that the express lane does not read to its end: it needs no second look.
#[derive(Debug)]
pub(crate) struct Begun {
    /// Where its quotation mark stands.
    pub(crate) at: u64,
    /// How many bytes were read behind that.
    pub(crate) length: usize,
    pub(crate) machine: Box<Base64>,
}

impl Tree {
    /// Judges a string that is there as a whole, where no machine is needed for it; says whether it did.
    #[inline]
    pub(crate) fn whole_string(&mut self, slot: Slot, at: u64, text: &[u8]) -> bool {
        match slot {
            Slot::Opaque => {}
            Slot::Element(ElementMember::Id) => self.id_text(at, text),
            Slot::Element(ElementMember::Role) => self.role_text(at, text),
            Slot::Element(ElementMember::Title) => self.title_text(at, text),
            Slot::Element(ElementMember::Subrole) => self.subrole_text(at, text),
            Slot::Block(BlockMember::Text) => self.block_text(slot, text.len() as u64),
            Slot::Block(BlockMember::Type) => match BlockType::from_name(text) {
                Some(kind) => self.resolve_block(TypeRead::Known(kind)),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// Begins a string in pieces if it must be base64: takes the letters at its start, and gives how many bytes they are.
    pub(crate) fn begin_base64(&mut self, at: u64, text: &[u8]) -> Option<usize> {
        let slot = self.path.expected();
        let is_base64 =
            matches!(slot, Slot::Block(BlockMember::Data) | Slot::Contents(ContentsMember::Blob));
        if !is_base64 {
            return None;
        }
        if let Some(begun) = self.begun.take()
            && begun.at == at
        {
            self.begin_pieces(at, Sink::Base64(begun.machine));
            return Some(begun.length);
        }
        self.begin_pieces(at, Sink::new(slot));
        Some(self.base64_letters(text))
    }

    /// The letters at the start of what comes next, taken, if the string that is open must be base64.
    #[inline]
    pub(crate) fn base64_letters(&mut self, text: &[u8]) -> usize {
        match &mut self.sink {
            Sink::Base64(machine) => machine.sent(text),
            _ => 0,
        }
    }
}

impl Sink {
    /// The machine for the string in a slot.
    pub(crate) fn new(slot: Slot) -> Self {
        match slot {
            Slot::Answer(AnswerMember::Protocol) => Self::Protocol(Protocol::default(), Vec::new()),
            Slot::Answer(AnswerMember::Instance) => Self::Instance(Plain::default(), Vec::new()),
            Slot::Element(member) => Self::of_element(member),
            Slot::Block(BlockMember::Type) => Self::BlockType(Word::default()),
            Slot::Block(BlockMember::Text) | Slot::Contents(ContentsMember::Text) => Self::Text(0),
            Slot::Block(BlockMember::Data) | Slot::Contents(ContentsMember::Blob) => {
                Self::Base64(Box::default())
            }
            Slot::Block(BlockMember::MimeType)
            | Slot::Contents(ContentsMember::MimeType)
            | Slot::Icon(IconMember::MimeType) => Self::MediaType(Box::default()),
            Slot::Block(BlockMember::Uri)
            | Slot::Contents(ContentsMember::Uri)
            | Slot::Icon(IconMember::Src) => Self::Uri(Uri::default()),
            Slot::Icon(IconMember::Theme) => Self::Theme(Word::default()),
            Slot::AudienceItem => Self::Audience(Word::default()),
            Slot::Entry(RelatedMember::Id) => Self::RelatedId(Id::default()),
            _ => Self::Skip,
        }
    }

    fn of_element(member: ElementMember) -> Self {
        match member {
            ElementMember::Id => Self::Id(Id::default()),
            ElementMember::Role => Self::Role(RoleWord::default()),
            ElementMember::Title => Self::Title(Title::default()),
            ElementMember::Subrole => Self::Subrole(Plain::default()),
            ElementMember::Url => Self::Url(Plain::default(), Uri::default()),
            _ => Self::Skip,
        }
    }

    /// Takes some whole characters.
    pub(crate) fn feed(&mut self, piece: &[u8], keys: Keys) {
        match self {
            Self::Skip | Self::Name => {}
            Self::Protocol(machine, text) => {
                machine.feed(piece);
                text.extend_from_slice(piece);
            }
            Self::Instance(machine, text) => {
                machine.feed(piece);
                text.extend_from_slice(piece);
            }
            Self::Id(machine) | Self::RelatedId(machine) => machine.feed(piece, keys),
            Self::Role(machine) => machine.feed(piece),
            Self::Title(machine) => machine.feed(piece),
            Self::Subrole(machine) => machine.feed(piece),
            Self::Url(plain, uri) => {
                plain.feed(piece);
                uri.feed(piece);
            }
            Self::Text(length) => *length += piece.len() as u64,
            Self::Base64(machine) => machine.feed(piece),
            Self::MediaType(machine) => {
                machine.0.feed(piece);
                machine.1.feed(piece);
            }
            Self::Uri(machine) => machine.feed(piece),
            Self::BlockType(word) | Self::Theme(word) | Self::Audience(word) => word.feed(piece),
        }
    }
}
