//! member: the members of an element, one after the other.
//!
//! In: a name and its value. Out: the place behind the member, its rule asked.

use crate::express::is_address;
use crate::rules::shape::{ElementMember, Role};
use crate::scan::Kernel;
use crate::text::{Plain, may_be_controls};

use super::json::Holds;
use super::parsed::{Parsed, Source};
use super::ride::{MembersOf, Place, Ride, Step};

/// What a member led to.
enum Read {
    /// Its value was read, and ends there.
    Behind(u64),
    /// `children` began; what stands in it begins there.
    Children(u64),
    /// `content` has begun, and something unusual stands in it.
    Stuck,
}

impl<'a, K: Kernel, S: Source<'a>> Ride<'_, 'a, K, S> {
    /// Reads members to the element's end, to an array, or to one that is unusual.
    #[inline(always)]
    pub(super) fn members(&mut self) -> Step {
        let Some(mut members) = self.source.members() else {
            return Step::Unusual(Place::Element);
        };
        loop {
            let before = members.clone();
            let Some((name, value)) = members.next() else { return self.end_element(before) };
            match self.member(name, value, &members) {
                Some(Read::Behind(end)) => self.go_on(end),
                Some(Read::Children(behind)) => {
                    self.go_in(behind);
                    return Step::To(Place::Children);
                }
                Some(Read::Stuck) => return Step::Unusual(Place::Content),
                None => {
                    self.source.leave_at(before);
                    return Step::Unusual(Place::Element);
                }
            }
        }
    }

    /// Behind the member come `others`.
    #[inline(always)]
    fn member(
        &mut self,
        name: S::Value,
        value: S::Value,
        others: &MembersOf<'a, S::Value>,
    ) -> Option<Read> {
        let (member, length): (ElementMember, _) = self.know(name)?;
        let at = self.next() + length;
        if self.known >> member as u32 & 1 == 1 {
            return None;
        }
        let end = match member {
            ElementMember::Id => self.id(value, at)?,
            ElementMember::Role => self.role(value, at)?,
            ElementMember::Title => self.title(value, at)?,
            ElementMember::Subrole => self.subrole(value, at)?,
            ElementMember::Url => self.url(value, at)?,
            ElementMember::Attributes => self.attributes(value, at)?,
            ElementMember::Children => return self.children(value, at, others),
            ElementMember::Content => return self.content(value, at, others),
            _ => self.state(member, value, at)?,
        };
        self.seen(member);
        Some(Read::Behind(end))
    }

    #[inline(always)]
    fn seen(&mut self, member: ElementMember) {
        self.known |= 1 << member as u32;
    }

    #[inline(always)]
    fn id(&mut self, value: S::Value, at: u64) -> Option<u64> {
        let text = value.string()?;
        let end = at + text.len() as u64 + 2;
        self.fits(end)?;
        if !(1..=128).contains(&text.len()) || !self.kernel.all_id(text) {
            return None;
        }
        self.tree.index_id(at);
        self.tree.good_id(at, text);
        Some(end)
    }

    #[inline(always)]
    fn role(&mut self, value: S::Value, at: u64) -> Option<u64> {
        let text = value.string()?;
        let end = at + text.len() as u64 + 2;
        self.fits(end)?;
        let role = Role::from_name(text)?;
        if self.tree.is_misplaced(role) {
            return None;
        }
        self.tree.index_role(at);
        self.tree.set_role(role);
        Some(end)
    }

    #[inline(always)]
    fn title(&mut self, value: S::Value, at: u64) -> Option<u64> {
        let (text, length, holds) = self.string(value)?;
        self.fits(at + length)?;
        let may_be_blank = text.first().is_none_or(|&byte| byte <= b' ');
        let may_be_long = text.len() > self.tree.short_title;
        let needs_look = may_be_blank || may_be_long || may_have_controls(text, holds);
        (!needs_look || self.tree.is_clean_title(text)).then_some(at + length)
    }

    #[inline(always)]
    fn subrole(&mut self, value: S::Value, at: u64) -> Option<u64> {
        let (text, length, holds) = self.string(value)?;
        self.fits(at + length)?;
        (!may_have_controls(text, holds) || !has_controls(text)).then_some(at + length)
    }

    #[inline(always)]
    fn url(&mut self, value: S::Value, at: u64) -> Option<u64> {
        let end = at + self.address(value)?;
        self.fits(end)?;
        Some(end)
    }

    /// How long an address with nothing to be said about it is.
    #[inline(always)]
    pub(super) fn address(&self, value: S::Value) -> Option<u64> {
        let text = value.string()?;
        let known = |scheme: &[u8]| text.starts_with(scheme) && text.len() > scheme.len();
        if (known(b"https:") || known(b"http:") || known(b"file:")) && self.kernel.all_address(text)
        {
            return Some(text.len() as u64 + 2);
        }
        let (text, length, holds) = self.string(value)?;
        (holds != Holds::Escapes && is_address(text, holds == Holds::Odd)).then_some(length)
    }

    #[inline(always)]
    fn state(&mut self, member: ElementMember, value: S::Value, at: u64) -> Option<u64> {
        let value = value.boolean()?;
        if !value && member != ElementMember::Visible {
            return None;
        }
        let end = at + if value { 4 } else { 5 };
        self.fits(end)?;
        self.tree.state(member, at, value);
        Some(end)
    }

    #[inline(always)]
    fn children(
        &mut self,
        value: S::Value,
        at: u64,
        others: &MembersOf<'a, S::Value>,
    ) -> Option<Read> {
        self.fits(at + 1)?;
        if !self.tree.has_room_for_children() {
            return None;
        }
        self.source.leave_at(others.clone());
        if !self.source.open_array(value) {
            return None;
        }
        self.seen(ElementMember::Children);
        self.tree.begin_children(at, self.known as u16);
        Some(Read::Children(at + 1))
    }

    /// Most of `content` is read to its end.
    #[inline(always)]
    fn content(
        &mut self,
        value: S::Value,
        at: u64,
        others: &MembersOf<'a, S::Value>,
    ) -> Option<Read> {
        let (blocks, end) = self.blocks(value, at)?;
        if let Some(end) = end {
            self.fits(end)?;
            self.seen(ElementMember::Content);
            blocks.settle(self.tree);
            self.tree.end_content(at, blocks.count, end);
            return Some(Read::Behind(end));
        }
        self.fits(blocks.end)?;
        self.source.leave_at(others.clone());
        if !self.source.open_array(value) {
            return None;
        }
        for _ in 0..blocks.count {
            self.source.item();
        }
        self.seen(ElementMember::Content);
        self.pave(false);
        self.tree.path.known_name(ElementMember::Content as u8);
        self.tree.open_array(ElementMember::Content, at);
        blocks.settle(self.tree);
        self.tree.add_items(blocks.count);
        self.go_in(blocks.end);
        Some(Read::Stuck)
    }
}

/// Whether there may be controls or changes of direction in a text, or line breaks.
#[inline(always)]
fn may_have_controls(text: &[u8], holds: Holds) -> bool {
    match holds {
        Holds::Plain => false,
        Holds::Odd => may_be_controls(text),
        Holds::Escapes => true,
    }
}

#[inline(never)]
fn has_controls(text: &[u8]) -> bool {
    let mut plain = Plain::default();
    plain.feed(text);
    plain.has_controls()
}
