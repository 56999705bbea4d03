//! fields: the members of an element, section 5.1.
//!
//! In: names, strings, and the end of an element. Out: `unknown-member`, `multiline-title`, `blank-title`, `control-characters`,
//! `malformed-uri`, `script-uri`, `empty-children`, `limit-title`, and the element's part of `missing-member`.

use crate::findings::Parameter;
use crate::pointer::Spot;
use crate::rules::frame::Frame;
use crate::rules::shape::ElementMember;
use crate::rules::table::Rule;
use crate::sink::Sink;
use crate::slot::Slot;
use crate::text::{Plain, Title};
use crate::tree::Tree;
use crate::uri::{Place, Uri};

impl Tree {
    /// A string was read: hands it to the rule that asked.
    pub(crate) fn judge_string(&mut self, slot: Slot, at: u64, sink: Sink) {
        match sink {
            Sink::Skip | Sink::Name => {}
            Sink::Protocol(machine, text) => self.protocol(at, &machine, &text),
            Sink::Instance(machine, text) => self.instance(at, &machine, &text),
            Sink::Id(id) => self.id(at, &id),
            Sink::Role(role) => self.role(at, &role),
            Sink::Title(title) => self.title(at, &title),
            Sink::Subrole(text) => {
                self.control_characters(at, text.has_controls(), ElementMember::Subrole.name());
            }
            Sink::Url(text, uri) => self.url(at, &text, &uri),
            Sink::BlockType(word) => self.block_type(at, &word),
            Sink::Text(length) => self.block_text(slot, length),
            Sink::Base64(machine) => self.blob(slot, at, &machine),
            Sink::MediaType(machine) => self.media_type(slot, at, machine),
            Sink::Uri(uri) => self.uri(slot, at, &uri),
            Sink::Theme(word) => self.theme(at, &word),
            Sink::Audience(word) => self.audience(at, &word),
            Sink::RelatedId(id) => self.related_id(at, &id),
        }
    }

    /// `title` was read.
    pub(crate) fn title(&mut self, at: u64, title: &Title) {
        if title.has_line_break() {
            self.say(Rule::MultilineTitle, at, || []);
        }
        if title.is_blank() {
            self.say(Rule::BlankTitle, at, || []);
        }
        self.control_characters(at, title.has_controls(), ElementMember::Title.name());
        self.limit(
            Rule::LimitTitle,
            "title_characters",
            self.settings.limits.title_characters,
            title.points(),
            |tree| (at, tree.here()),
        );
    }

    /// A title was read of which the text is there as a whole.
    pub(crate) fn title_text(&mut self, at: u64, text: &[u8]) {
        let mut title = Title::default();
        title.feed(text);
        self.title(at, &title);
    }

    /// A subrole was read of which the text is there as a whole.
    pub(crate) fn subrole_text(&mut self, at: u64, text: &[u8]) {
        let mut plain = Plain::default();
        plain.feed(text);
        self.control_characters(at, plain.has_controls(), ElementMember::Subrole.name());
    }

    /// Whether nothing is to be said about a title.
    #[inline(never)]
    pub(crate) fn is_clean_title(&self, text: &[u8]) -> bool {
        let mut title = Title::default();
        title.feed(text);
        let allowed = self.settings.limits.title_characters;
        !(title.has_line_break() || title.is_blank() || title.has_controls())
            && allowed.is_none_or(|allowed| title.points() <= allowed)
    }

    fn url(&mut self, at: u64, text: &Plain, uri: &Uri) {
        let name = ElementMember::Url.name();
        self.control_characters(at, text.has_controls(), name);
        self.judge_uri(at, uri, Place::Elsewhere, name);
    }

    /// A string that a person may see, or that a host opens, has controls.
    pub(crate) fn control_characters(&mut self, at: u64, has_controls: bool, name: &'static str) {
        if has_controls {
            self.say(Rule::ControlCharacters, at, || [Parameter::Word(name)]);
        }
    }

    /// An address was read, of an element, a block, a resource or an icon.
    pub(crate) fn judge_uri(&mut self, at: u64, uri: &Uri, place: Place, name: &'static str) {
        if uri.malformed() {
            self.say(Rule::MalformedUri, at, || [Parameter::Word(name)]);
        }
        if uri.script(place) {
            self.say(Rule::ScriptUri, at, || [Parameter::Word(name)]);
        }
    }

    /// An element has a member that 5.1 does not list.
    pub(crate) fn unknown_member(&mut self, at: u64, name: &[u8]) {
        self.say(Rule::UnknownMember, at, || [Parameter::quote(name), Parameter::Nearest]);
    }

    /// `children` ends.
    #[inline(always)]
    pub(crate) fn end_children(&mut self, at: u64, items: u64) {
        if items == 0 || self.settings.limits.children.is_some() {
            self.judge_children(at, items);
        }
    }

    #[inline(never)]
    fn judge_children(&mut self, at: u64, items: u64) {
        let spot = Spot::member(self.element(), ElementMember::Children.name());
        if items == 0 && self.count(Rule::EmptyChildren, at) {
            self.keep(Rule::EmptyChildren, at, spot.clone(), []);
        }
        self.limit(Rule::LimitChildren, "children", self.settings.limits.children, items, |_| {
            (at, spot)
        });
    }

    /// An element ends: its members are complete, and `known` has a bit for each. Most have an id, a role and a content as they
    /// should be where they stand; but for their states nothing is to be said about them, and they end here.
    #[inline(always)]
    pub(crate) fn end_element(&mut self, end: u64, known: u16) {
        if has(known, ElementMember::Id)
            && !self.limits_subtrees
            && let Some((frame, around)) = self.frames.split_last()
            && frame.fits(around)
        {
            if frame.states.are_still() {
                self.frames.close();
            } else {
                let (number, states) = (frame.number, frame.states);
                self.frames.close();
                self.states(number, states);
            }
            return;
        }
        self.end_any_element(end, known);
    }

    #[inline(never)]
    fn end_any_element(&mut self, end: u64, known: u16) {
        let Some(frame) = self.frames.last() else { return };
        let (number, at) = (frame.number, frame.at);
        let is_whole = has(known, ElementMember::Id) && has(known, ElementMember::Role);
        if is_whole && self.frames.len() == 1 && frame.is_settled() {
            let states = frame.states;
            self.frames.close();
            self.states(number, states);
            return self.root_size(at, end);
        }
        for member in [ElementMember::Id, ElementMember::Role] {
            if !has(known, member) {
                self.missing_member(at, Spot::element(number), member.name());
            }
        }
        let Some(mut frame) = self.frames.pop() else { return };
        if frame.blocks.any {
            self.text_or_picture(&frame);
        }
        self.focus_gaps(&mut frame);
        self.states(frame.number, frame.states);
        self.table(&mut frame);
        self.sizes(&frame, end);
    }
}

/// Whether an element has a member, by its bit.
fn has(known: u16, member: ElementMember) -> bool {
    known >> member as u16 & 1 == 1
}

/// Where an element's member stands, to point at it.
pub(crate) fn member_spot(frame: &Frame, member: ElementMember) -> Spot {
    Spot::member(frame.number, member.name())
}
