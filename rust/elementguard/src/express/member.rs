//! member: the members of an element, one after the other.
//!
//! In: the lane behind an element's `{` or a comma. Out: the place behind the last member that was read, its rule asked.

use crate::digest;
use crate::rules::shape::{ElementMember, Role};
use crate::scan::{Kernel, Run};
use crate::text::{Plain, may_be_controls};

use super::lane::{self, NEAR, WINDOW, Window};
use super::{Place, Ride, Step, attributes, block};

/// Whether a window begins with a text.
macro_rules! begins {
    ($window:expr, $text:literal) => {
        lane::starts($window, $text)
    };
}

/// Whether a window goes on with a text behind its [`head`].
macro_rules! goes_on {
    ($window:expr, $text:literal) => {
        lane::starts(&$window[4..], $text)
    };
}

// The first four bytes of a name, its quotation mark among them, say which one it can be.
const ID: u32 = u32::from_le_bytes(*b"\"id\"");
const ROLE: u32 = u32::from_le_bytes(*b"\"rol");
const TITLE: u32 = u32::from_le_bytes(*b"\"tit");
const SUBROLE: u32 = u32::from_le_bytes(*b"\"sub");
const SELECTED: u32 = u32::from_le_bytes(*b"\"sel");
const FOCUSED: u32 = u32::from_le_bytes(*b"\"foc");
const VISIBLE: u32 = u32::from_le_bytes(*b"\"vis");
const CHILDREN: u32 = u32::from_le_bytes(*b"\"chi");
const CONTENT: u32 = u32::from_le_bytes(*b"\"con");
const ATTRIBUTES: u32 = u32::from_le_bytes(*b"\"att");
const URL: u32 = u32::from_le_bytes(*b"\"url");

/// The first four bytes of a window, as a number.
#[inline(always)]
fn head(window: &Window) -> u32 {
    window.first_chunk().map_or(0, |head| u32::from_le_bytes(*head))
}

/// What a member led to.
enum Read {
    /// Its value was read; the place behind it.
    Behind(usize),
    /// `children` begins; what stands first in it stands there.
    Children(usize),
    /// `content` has begun, and something unusual stands there.
    Stuck(usize, Place),
}

/// Where the text of a string begins of which the colon stands before `at`, with `GAP` spaces between.
#[inline(always)]
fn near_text<const GAP: usize>(window: &Window, at: usize) -> Option<usize> {
    let begins = window[at + GAP] == b'"' && (GAP == 0 || window[at] == b' ');
    begins.then_some(at + GAP + 1)
}

impl<K: Kernel, const GAP: usize, const INDEX: bool> Ride<'_, K, GAP, INDEX> {
    /// Reads members to the element's end, to an array, or to one that is unusual.
    #[inline(always)]
    pub(super) fn members(&mut self, mut at: usize, mut place: Place) -> Step {
        loop {
            let start = if GAP == 0 { at } else { self.lane.skip(at) };
            let Some(window) = self.lane.window(start) else { return Step::Unusual(at, place) };
            let behind = match self.near_member(window, start) {
                Some(behind) => behind,
                None => match self.member(window, start) {
                    Some(Read::Behind(behind)) if behind <= self.lane.end => behind,
                    Some(Read::Children(at)) => return self.near_child(at, Place::FirstChild),
                    Some(Read::Stuck(at, place)) => return Step::Unusual(at, place),
                    _ => return Step::Unusual(at, place),
                },
            };
            match self.lane.byte(behind) {
                b',' => (at, place) = (behind + 1, Place::NextMember),
                b'}' => return self.end_element(behind + 1),
                _ => return Step::To(behind, Place::AfterMember),
            }
        }
    }

    /// Reads a member as most are: the whole of it within one window, `GAP` spaces behind the colon, and nothing to be said about
    /// it. Gives the place behind it.
    #[inline(always)]
    fn near_member(&mut self, window: &Window, at: usize) -> Option<usize> {
        match head(window) {
            ID if goes_on!(window, b":") => {
                self.first(ElementMember::Id)?;
                let start = near_text::<GAP>(window, 5)?;
                let length = self.lane.kernel.id(&window[start..start + NEAR]);
                if length == 0 || window[(start + length) % WINDOW] != b'"' {
                    return None;
                }
                self.seen(ElementMember::Id);
                if length > digest::SHORT {
                    self.enter_id(at + start, window.get(start..start + length)?);
                } else {
                    let ahead = window[start..start + digest::SHORT].first_chunk()?;
                    self.enter_short_id(at + start, ahead, length);
                }
                Some(at + start + length + 1)
            }
            ROLE if goes_on!(window, b"e\":") => {
                self.first(ElementMember::Role)?;
                let start = near_text::<GAP>(window, 7)? - 1;
                let (role, length) = role(window[start..start + 16].first_chunk()?)?;
                if self.tree.is_misplaced(role) {
                    return None;
                }
                self.seen(ElementMember::Role);
                self.enter_role(at + start, role);
                Some(at + start + length)
            }
            TITLE if goes_on!(window, b"le\":") => {
                self.first(ElementMember::Title)?;
                let start = near_text::<GAP>(window, 8)?;
                match self.near_string(window, start) {
                    Some(length) if length > 0 && window[start] > b' ' => {
                        (length <= self.tree.short_title).then_some(())?;
                        self.seen(ElementMember::Title);
                        Some(at + start + length + 1)
                    }
                    _ => self.title(at + start - 1),
                }
            }
            SUBROLE if goes_on!(window, b"role\":") => {
                self.first(ElementMember::Subrole)?;
                let start = near_text::<GAP>(window, 10)?;
                let length = self.near_string(window, start)?;
                self.seen(ElementMember::Subrole);
                Some(at + start + length + 1)
            }
            SELECTED if goes_on!(window, b"ected\":true") => {
                self.near_state(ElementMember::Selected, at + 11, true)
            }
            FOCUSED if goes_on!(window, b"used\":true") => {
                self.near_state(ElementMember::Focused, at + 10, true)
            }
            VISIBLE if goes_on!(window, b"ible\":false") => {
                self.near_state(ElementMember::Visible, at + 10, false)
            }
            _ => None,
        }
    }

    /// The length of a string of printable ASCII that ends within the window.
    #[inline(always)]
    fn near_string(&self, window: &Window, start: usize) -> Option<usize> {
        let Run { plain, odd } = self.lane.kernel.string(&window[start..start + NEAR]);
        (!odd && window[(start + plain) % WINDOW] == b'"').then_some(plain)
    }

    #[inline(always)]
    fn near_state(&mut self, member: ElementMember, at: usize, value: bool) -> Option<usize> {
        self.first(member)?;
        self.seen(member);
        self.enter_state(member, at, value);
        Some(at + if value { 4 } else { 5 })
    }

    /// Reads a member. Compact JSON is compared up to where the value begins to differ.
    #[inline(always)]
    fn member(&mut self, window: &Window, at: usize) -> Option<Read> {
        match head(window) {
            CHILDREN if goes_on!(window, b"ldren\":[{") => self.near_children(at + 11),
            CONTENT if goes_on!(window, b"tent\":[{\"type\":\"text\",\"text\":\"") => {
                match self.text_content(at + 10, at + 34) {
                    Some(read) => Some(read),
                    None => self.content(at + 10),
                }
            }
            CHILDREN if GAP == 1 && goes_on!(window, b"ldren\": [") => self.children(at + 12),
            CONTENT if GAP == 1 && goes_on!(window, b"tent\": [") => {
                match self.spaced_text_content(at + 11) {
                    Some(read) => Some(read),
                    None => self.content(at + 11),
                }
            }
            ATTRIBUTES if goes_on!(window, b"ributes\":{") => self.attributes(at + 13),
            URL if goes_on!(window, b"\":\"") => self.url(at + 6),
            _ => self.any_member(at),
        }
    }

    /// A member with whatever white space.
    #[inline(always)]
    fn any_member(&mut self, at: usize) -> Option<Read> {
        let (member, at) = self.lane.element_name(self.lane.skip(at))?;
        match member {
            ElementMember::Id => self.id(self.lane.quote(at)?),
            ElementMember::Role => self.role(at),
            ElementMember::Title => self.title(at).map(Read::Behind),
            ElementMember::Subrole => self.subrole(at),
            ElementMember::Url => self.url(at),
            ElementMember::Attributes => self.attributes(at),
            ElementMember::Children => self.children(at),
            ElementMember::Content => self.content(at),
            _ => self.state(member, at),
        }
    }

    /// The name is right so far; it must not have come before.
    #[inline(always)]
    fn first(&self, member: ElementMember) -> Option<()> {
        (self.known >> member as u32 & 1 == 0).then_some(())
    }

    #[inline(always)]
    fn seen(&mut self, member: ElementMember) {
        self.known |= 1 << member as u32;
    }

    /// An id whose text begins there.
    #[inline(always)]
    fn enter_id(&mut self, at: usize, text: &[u8]) {
        let at = self.lane.offset(at) - 1;
        if INDEX {
            self.tree.index_id(at);
        }
        self.tree.good_id(at, text);
    }

    /// The same of a short one.
    #[inline(always)]
    fn enter_short_id(&mut self, at: usize, ahead: &[u8; digest::SHORT], length: usize) {
        let at = self.lane.offset(at) - 1;
        if INDEX {
            self.tree.index_id(at);
        }
        self.tree.good_id_ahead(at, ahead, length);
    }

    #[inline(always)]
    fn enter_role(&mut self, at: usize, role: Role) {
        if INDEX {
            self.tree.index_role(self.lane.offset(at));
        }
        self.tree.set_role(role);
    }

    #[inline(always)]
    fn enter_state(&mut self, member: ElementMember, at: usize, value: bool) {
        if INDEX {
            self.tree.index_state(member, value);
        }
        self.tree.good_state(member, self.lane.offset(at), value);
    }

    #[inline(always)]
    fn id(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Id)?;
        let text = self.lane.id(at)?;
        self.seen(ElementMember::Id);
        self.enter_id(at, text);
        Some(Read::Behind(at + text.len() + 1))
    }

    #[inline(always)]
    fn role(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Role)?;
        let (role, length) = role(self.lane.window(at)?.first_chunk()?)?;
        if self.tree.is_misplaced(role) {
            return None;
        }
        self.seen(ElementMember::Role);
        self.enter_role(at, role);
        Some(Read::Behind(at + length))
    }

    #[inline(always)]
    fn title(&mut self, at: usize) -> Option<usize> {
        self.first(ElementMember::Title)?;
        let (text, odd) = self.lane.string(at)?;
        let may_be_blank = text.first().is_none_or(|&byte| byte <= b' ');
        let may_be_long = text.len() > self.tree.short_title;
        let needs_look = may_be_blank || may_be_long || (odd && may_be_controls(text));
        if needs_look && !self.tree.is_clean_title(text) {
            return None;
        }
        self.seen(ElementMember::Title);
        Some(at + text.len() + 2)
    }

    #[inline(always)]
    fn subrole(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Subrole)?;
        let (text, odd) = self.lane.string(at)?;
        if odd && has_controls(text) {
            return None;
        }
        self.seen(ElementMember::Subrole);
        Some(Read::Behind(at + text.len() + 2))
    }

    #[inline(always)]
    fn url(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Url)?;
        let behind = self.lane.address(at)?;
        self.seen(ElementMember::Url);
        Some(Read::Behind(behind))
    }

    #[inline(always)]
    fn state(&mut self, member: ElementMember, at: usize) -> Option<Read> {
        self.first(member)?;
        let (value, behind) = self.lane.boolean(at)?;
        if !value && member != ElementMember::Visible {
            return None;
        }
        self.seen(member);
        self.enter_state(member, at, value);
        Some(Read::Behind(behind))
    }

    #[inline(always)]
    fn attributes(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Attributes)?;
        let read = attributes::Read { lane: self.lane, tree: self.tree, at };
        let behind = self.lane.kernel.call(read)?;
        self.seen(ElementMember::Attributes);
        attributes::settle(self.lane, self.tree);
        Some(Read::Behind(behind))
    }

    /// The commonest content: one text block, its text behind the quotation mark at `at`.
    #[inline(always)]
    fn text_content(&mut self, array: usize, at: usize) -> Option<Read> {
        let (length, behind) = self.lane.text(at)?;
        begins!(self.lane.window(behind)?, b"}]").then_some(())?;
        self.enter_text_content(array, behind + 2, length)
    }

    /// The same with white space.
    #[inline(always)]
    fn spaced_text_content(&mut self, array: usize) -> Option<Read> {
        let lane = self.lane;
        let at = lane.eat(lane.skip(array + 1), b"{")?;
        let at = lane.eat(lane.skip(at), b"\"type\": \"text\",")?;
        let at = lane.eat(lane.skip(at), b"\"text\": \"")?;
        let (length, behind) = lane.text(at)?;
        let at = lane.eat(lane.skip(behind), b"}")?;
        let end = lane.eat(lane.skip(at), b"]")?;
        self.enter_text_content(array, end, length)
    }

    /// A content of one text block, which ends before `end`.
    #[inline(always)]
    fn enter_text_content(&mut self, array: usize, end: usize, length: u64) -> Option<Read> {
        self.first(ElementMember::Content)?;
        if end > self.lane.end || self.tree.room_in_element() < 2 {
            return None;
        }
        if !self.tree.text_content(self.lane.offset(array), self.lane.offset(end), length) {
            return None;
        }
        self.seen(ElementMember::Content);
        Some(Read::Behind(end))
    }

    /// `children` begins at `at`, and a child behind that.
    #[inline(always)]
    fn near_children(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Children)?;
        if at >= self.lane.end || !self.tree.has_room_for_children() {
            return None;
        }
        self.seen(ElementMember::Children);
        self.tree.begin_children(self.lane.offset(at), self.known as u16);
        Some(Read::Children(at + 1))
    }

    /// `children` begins at `at`.
    #[inline(always)]
    fn children(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Children)?;
        let (byte, behind) = self.lane.structure(at)?;
        if byte != b'[' || behind > self.lane.end || !self.tree.has_room_for_children() {
            return None;
        }
        self.seen(ElementMember::Children);
        self.tree.begin_children(self.lane.offset(at), self.known as u16);
        Some(Read::Children(behind))
    }

    /// `content` begins at `at`; most is read to its end.
    #[inline(always)]
    fn content(&mut self, at: usize) -> Option<Read> {
        self.first(ElementMember::Content)?;
        let (byte, behind) = self.lane.structure(at)?;
        if byte != b'[' || behind > self.lane.end || self.tree.room_in_element() < 1 {
            return None;
        }
        self.seen(ElementMember::Content);
        let read = block::Read { lane: self.lane, tree: self.tree, at: behind, first: true };
        let (blocks, behind, place) = self.lane.kernel.call(read);
        let count = blocks.settle(self.tree);
        if place == Some(Place::AfterMember) {
            let (at, end) = (self.lane.offset(at), self.lane.offset(behind));
            self.tree.end_content(at, count, end);
            return Some(Read::Behind(behind));
        }
        self.pave(false);
        self.tree.path.known_name(ElementMember::Content as u8);
        self.tree.open_array(ElementMember::Content, self.lane.offset(at));
        self.tree.add_items(count);
        self.lexer.open.push(false);
        let begun = if count == 0 { Place::FirstBlock } else { Place::NextBlock };
        Some(Read::Stuck(behind, place.unwrap_or(begun)))
    }
}

/// Whether a text without ASCII's controls has others, or a change of direction.
#[inline(never)]
fn has_controls(text: &[u8]) -> bool {
    if !may_be_controls(text) {
        return false;
    }
    let mut plain = Plain::default();
    plain.feed(text);
    plain.has_controls()
}

/// One of the thirteen roles, its quotation mark at the start, and the length of the word with its marks.
#[inline(always)]
fn role(window: &[u8; 16]) -> Option<(Role, usize)> {
    match window[1] {
        b'R' if begins!(window, b"\"Row\"") => Some((Role::Row, 5)),
        b'C' if begins!(window, b"\"Cell\"") => Some((Role::Cell, 6)),
        b'T' if begins!(window, b"\"Text\"") => Some((Role::Text, 6)),
        b'T' if begins!(window, b"\"Table\"") => Some((Role::Table, 7)),
        b'G' if begins!(window, b"\"Group\"") => Some((Role::Group, 7)),
        b'L' if begins!(window, b"\"List\"") => Some((Role::List, 6)),
        b'L' if begins!(window, b"\"Link\"") => Some((Role::Link, 6)),
        b'D' if begins!(window, b"\"Document\"") => Some((Role::Document, 10)),
        b'H' if begins!(window, b"\"Heading\"") => Some((Role::Heading, 9)),
        b'I' if begins!(window, b"\"Image\"") => Some((Role::Image, 7)),
        b'W' if begins!(window, b"\"Window\"") => Some((Role::Window, 8)),
        b'P' if begins!(window, b"\"Page\"") => Some((Role::Page, 6)),
        b'A' if begins!(window, b"\"Application\"") => Some((Role::Application, 13)),
        _ => None,
    }
}
