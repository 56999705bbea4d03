//! slot: what a value is to the spec, what is asked of it there, and what is said when it is something else.
//!
//! In: a slot and what was found in it. Out: `wrong-type` and `null-member` (5.1, 5.5, 5.6), in one place for all members.

use crate::findings::Parameter;
use crate::rules::block::TypeRead;
use crate::rules::frame::RoleRead;
use crate::rules::shape::{
    AnnotationsMember, AnswerMember, AttributesMember, BlockMember, ContentsMember, ElementMember,
    IconMember, RelatedMember, Type,
};
use crate::rules::table::Rule;
use crate::tree::{Tree, member_of};

/// What a value is to the spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The answer, or the fragment's top.
    Top,
    Answer(AnswerMember),
    Element(ElementMember),
    Block(BlockMember),
    Contents(ContentsMember),
    Icon(IconMember),
    Annotations(AnnotationsMember),
    Attributes(AttributesMember),
    Entry(RelatedMember),
    /// An item of `children`.
    ChildItem,
    /// An item of `content`.
    BlockItem,
    /// An item of `icons`.
    IconItem,
    /// An item of `sizes`.
    SizeItem,
    /// An item of `audience`.
    AudienceItem,
    /// An item of `related`.
    EntryItem,
    /// Anything else.
    Opaque,
}

/// What a value turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    String,
    Number,
    Boolean,
    Null,
    Array,
    Object,
}

/// What the spec asks of a value.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) expected: Type,
    pub(crate) required: bool,
}

impl Found {
    /// The word for it in findings.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

impl Tree {
    /// Judges a value that is not what its slot asks for.
    pub(crate) fn mistyped(&mut self, slot: Slot, found: Found, at: u64) {
        let Some(field) = self.field(slot) else { return };
        self.unusable(slot, found != Found::Null);
        if found == Found::Null {
            if let Slot::Block(member) = slot
                && self.block.is_pending()
            {
                let spot = self.here();
                self.block.null(member, at, spot);
                return;
            }
            if !field.required {
                return self.say(Rule::NullMember, at, || [member_of(field.name)]);
            }
        }
        self.say(Rule::WrongType, at, || {
            [
                member_of(field.name),
                Parameter::Word(field.expected.word()),
                Parameter::Word(found.word()),
            ]
        });
    }

    /// A value is there that cannot be used: what that means beyond its own finding.
    pub(crate) fn unusable(&mut self, slot: Slot, given: bool) {
        match slot {
            Slot::Block(BlockMember::Type) => self.resolve_block(TypeRead::Other),
            Slot::Element(ElementMember::Role) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.role = RoleRead::Unusable;
                }
            }
            Slot::Contents(ContentsMember::Text) => self.block.resource.given[0] = given,
            Slot::Contents(ContentsMember::Blob) => self.block.resource.given[1] = given,
            _ => {}
        }
    }

    /// What the spec asks of the value in a slot.
    pub(crate) fn field(&self, slot: Slot) -> Option<Field> {
        let field = |name, expected, required| Some(Field { name, expected, required });
        match slot {
            Slot::Top => field("", Type::Object, true),
            Slot::Answer(member) => field(member.name(), member.expected(), member.required()),
            Slot::Element(member) => field(member.name(), member.expected(), member.required()),
            Slot::Block(member) => {
                field(member.name(), member.expected(), self.block.requires(member))
            }
            Slot::Contents(member) => field(member.name(), member.expected(), member.required()),
            Slot::Icon(member) => field(member.name(), member.expected(), member.required()),
            Slot::Annotations(member) => field(member.name(), member.expected(), member.required()),
            Slot::Attributes(member) => field(member.name(), member.expected(), member.required()),
            Slot::ChildItem => field("children", Type::Object, true),
            Slot::BlockItem => field("content", Type::Object, true),
            Slot::IconItem => field("icons", Type::Object, true),
            Slot::EntryItem => field("related", Type::Object, true),
            Slot::SizeItem => field("sizes", Type::String, true),
            Slot::AudienceItem => field("audience", Type::String, true),
            Slot::Entry(_) | Slot::Opaque => None,
        }
    }

    /// A value that JSON has no word for stands in a parsed object; it counts no bytes.
    pub(crate) fn foreign(&mut self, at: u64, found: &[u8]) {
        let slot = self.next_value();
        let member = self.path.member().map_or(Parameter::Null, |name| Parameter::quote(&name));
        let field = self.field(slot).filter(|_| slot != Slot::Opaque);
        let expected = field.map_or("JSON value", |field| field.expected.word());
        self.unusable(slot, true);
        let parameters = [member, Parameter::Word(expected), Parameter::quote(found)];
        if self.block.is_asking() {
            let mut unasked = parameters.clone();
            unasked[1] = Parameter::Word("JSON value");
            let (spot, element) = (self.here(), self.element());
            self.block.unasked(&mut self.findings, at, element, spot, unasked.into());
        }
        self.say(Rule::WrongType, at, || parameters);
        self.after_value(slot);
    }

    /// A name that is no string stands in a parsed object; its member is skipped.
    pub(crate) fn foreign_name(&mut self, found: &[u8]) {
        let at = self.path.stack.last().map_or(0, |open| open.at);
        if self.findings.count(Rule::WrongType, at) {
            let (spot, element) = (self.around(), self.element());
            let parameters = [Parameter::Null, Parameter::Word("string"), Parameter::quote(found)];
            self.findings.keep(Rule::WrongType, at, element, spot, parameters);
        }
    }
}
