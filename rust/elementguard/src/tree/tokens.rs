//! tokens: what each token is to the tree.
//!
//! In: the tokens of a lexer or a walk. Out: containers opened and closed, values judged as their slots ask, and moments for
//! `rules`.

use crate::express;
use crate::lexer::Lexer;
use crate::number::{self, Number};
use crate::reader::Container;
use crate::report::Fatal;
use crate::rules::shape::{
    AnnotationsMember, AnswerMember, AttributesMember, BlockMember, ContentsMember, ElementMember,
    IconMember,
};
use crate::rules::table::Rule;
use crate::settings::Kind;
use crate::sink::Sink;
use crate::slot::{Found, Slot};
use crate::tokens::Tokens;
use crate::tree::Tree;

impl Tokens for Tree {
    fn express(&mut self, lexer: &mut Lexer, length: usize, ahead: &[u8], at: usize) -> usize {
        express::run(lexer, self, length, ahead, at)
    }

    fn object_begin(&mut self, at: u64) -> Result<(), Fatal> {
        let slot = self.next_value();
        self.check_nesting(at)?;
        let container = match slot {
            Slot::Top if self.settings.kind == Kind::Answer => Container::Answer,
            Slot::Top | Slot::Answer(AnswerMember::Root) | Slot::ChildItem => {
                self.begin_element(at)?;
                Container::Element
            }
            Slot::BlockItem => {
                self.begin_block();
                Container::Block
            }
            Slot::IconItem => Container::Icon,
            Slot::EntryItem => {
                self.begin_entry();
                Container::Entry
            }
            Slot::Block(BlockMember::Resource) => Container::Contents,
            Slot::Block(BlockMember::Annotations) => Container::Annotations,
            Slot::Element(ElementMember::Attributes) => Container::Attributes,
            Slot::Block(BlockMember::Meta)
            | Slot::Contents(ContentsMember::Meta)
            | Slot::Opaque => Container::Object,
            _ => {
                self.mistyped(slot, Found::Object, at);
                Container::Object
            }
        };
        self.open(container, at, Slot::Opaque);
        Ok(())
    }

    fn object_end(&mut self, end: u64) {
        match self.path.container() {
            Some(Container::Answer) => self.end_answer(),
            Some(Container::Element) => {
                self.end_element(end, self.path.known());
                self.index_end(end);
            }
            Some(Container::Block) => self.end_block(),
            Some(Container::Contents) => self.end_contents(),
            Some(Container::Icon) => self.end_icon(),
            Some(Container::Entry) => self.end_entry(),
            Some(Container::Attributes) => self.end_attributes(end),
            _ => {}
        }
        self.close();
    }

    fn array_begin(&mut self, at: u64) -> Result<(), Fatal> {
        let slot = self.next_value();
        self.check_nesting(at)?;
        let (container, items) = match slot {
            Slot::Element(ElementMember::Children) => {
                self.begin_children(at, self.path.known());
                (Container::Children, Slot::ChildItem)
            }
            Slot::Element(ElementMember::Content) => (Container::Content, Slot::BlockItem),
            Slot::Block(BlockMember::Icons) => (Container::Icons, Slot::IconItem),
            Slot::Icon(IconMember::Sizes) => (Container::Sizes, Slot::SizeItem),
            Slot::Annotations(AnnotationsMember::Audience) => {
                (Container::Audience, Slot::AudienceItem)
            }
            Slot::Attributes(AttributesMember::Related) => (Container::Related, Slot::EntryItem),
            _ => {
                self.mistyped(slot, Found::Array, at);
                (Container::Array, Slot::Opaque)
            }
        };
        self.open(container, at, items);
        Ok(())
    }

    fn array_end(&mut self, end: u64) {
        if let Some(open) = self.path.stack.last() {
            let (at, items) = (open.at, open.items);
            match open.container {
                Container::Children => self.end_children(at, items),
                Container::Content => self.end_content(at, items, end),
                _ => {}
            }
        }
        self.close();
    }

    fn name(&mut self, at: u64, text: &[u8]) {
        self.named(at, text, false);
    }

    fn string(&mut self, at: u64, text: &[u8]) {
        let slot = self.next_value();
        if self.whole_string(slot, at, text) {
            return self.after_value(slot);
        }
        let mut sink = self.begin_sink(slot, at);
        sink.feed(text, self.keys);
        self.end_sink(slot, at, sink);
    }

    fn name_begin(&mut self, at: u64) {
        self.at = at;
        self.path.begin_name();
        self.sink = Sink::Name;
    }

    fn string_begin(&mut self, at: u64) -> bool {
        self.at = at;
        self.slot = self.next_value();
        self.sink = self.begin_sink(self.slot, at);
        matches!(self.sink, Sink::Base64(_))
    }

    fn begin_letters(&mut self, at: u64, text: &[u8]) -> Option<usize> {
        self.begin_base64(at, text)
    }

    #[inline]
    fn letters(&mut self, text: &[u8]) -> usize {
        self.base64_letters(text)
    }

    fn piece(&mut self, text: &[u8]) {
        match &mut self.sink {
            Sink::Name => self.path.add_to_name(text),
            sink => sink.feed(text, self.keys),
        }
    }

    fn lone(&mut self, at: u64, unit: u16) {
        if matches!(self.sink, Sink::Name) {
            self.lones.0 += 1;
            if self.lones.1.len() < self.findings.most() {
                self.lones.1.push(at);
            }
        } else {
            self.say_json(Rule::LoneSurrogate, at, []);
        }
        let unit = u32::from(unit);
        self.piece(&[0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]);
    }

    fn name_end(&mut self) {
        let name = self.path.name();
        self.named(self.at, &name, true);
    }

    fn string_end(&mut self) {
        let sink = std::mem::take(&mut self.sink);
        self.end_sink(self.slot, self.at, sink);
    }

    fn number(&mut self, at: u64, text: &[u8]) {
        let slot = self.next_value();
        if slot == Slot::Opaque
            && let Some(is_imprecise) = number::glance(text)
        {
            self.imprecise_number(at, is_imprecise);
            return self.after_value(slot);
        }
        let mut number = Number::default();
        number.feed(text);
        self.judge_number(slot, at, &number);
    }

    fn number_begin(&mut self, at: u64) {
        self.at = at;
        self.slot = self.next_value();
        self.number = Number::default();
    }

    fn digits(&mut self, text: &[u8]) {
        self.number.feed(text);
    }

    fn number_end(&mut self) {
        let number = std::mem::take(&mut self.number);
        self.judge_number(self.slot, self.at, &number);
    }

    fn boolean(&mut self, at: u64, value: bool) {
        let slot = self.next_value();
        match slot {
            Slot::Element(
                member @ (ElementMember::Selected
                | ElementMember::Focused
                | ElementMember::Visible
                | ElementMember::Hovered),
            ) => self.state(member, at, value),
            _ => self.mistyped(slot, Found::Boolean, at),
        }
        self.after_value(slot);
    }

    fn null(&mut self, at: u64) {
        let slot = self.next_value();
        self.mistyped(slot, Found::Null, at);
        self.after_value(slot);
    }
}
