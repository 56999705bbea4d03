//! block: whole content blocks, one after the other.
//!
//! In: `content`. Out: what its blocks add to their element, as long as nothing is to be said about them. Text, image, audio and
//! `resource_link` blocks made of strings are read here; others are left to the walk.

use crate::base64::Base64;
use crate::express::{blob, judge_block};
use crate::rules::block::Blob;
use crate::rules::shape::{BlockMember, BlockType};
use crate::scan::Kernel;
use crate::tree::Tree;

use super::parsed::{Parsed, Source};
use super::ride::Ride;

/// A block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) kind: BlockType,
    /// How long its text is, and what its base64 stands for.
    pub(super) text: u64,
    pub(super) blob: u64,
}

/// What some blocks amount to.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    types: [u64; 5],
    pub(super) count: u64,
    text: u64,
    blob: u64,
    /// Where the last one ends.
    pub(super) end: u64,
}

impl Blocks {
    /// Adds the blocks to their element.
    #[inline(always)]
    pub(super) fn settle(&self, tree: &mut Tree) {
        tree.settle_blocks(&self.types, self.count, self.text, self.blob);
    }

    #[inline(always)]
    fn add(&mut self, block: Block, end: u64) {
        self.types[block.kind as usize] += 1;
        self.count += 1;
        self.text += block.text;
        self.blob += block.blob;
        self.end = end;
    }
}

impl<'a, K: Kernel, S: Source<'a>> Ride<'_, 'a, K, S> {
    /// Reads the blocks of a `content` that begins at `at`, to its end or to one that is unusual; gives where the array ends.
    #[inline(always)]
    pub(super) fn blocks(&mut self, value: S::Value, at: u64) -> Option<(Blocks, Option<u64>)> {
        let items = value.array()?;
        if self.tree.room_in_element() < 2 {
            return None;
        }
        let mut blocks = Blocks { end: at + 1, ..Blocks::default() };
        for item in items {
            self.count(1);
            let next = blocks.end + u64::from(blocks.count > 0);
            let read = if self.is_fresh() { self.block(item, next) } else { None };
            let Some((block, end)) = read else { return Some((blocks, None)) };
            blocks.add(block, end);
        }
        let end = blocks.end + 1;
        Some((blocks, Some(end)))
    }

    /// Reads a block that begins at `at`, its members in any order; gives where it ends.
    #[inline(always)]
    pub(super) fn block(&mut self, value: S::Value, at: u64) -> Option<(Block, u64)> {
        let mut seen = 0_u16;
        let mut kind = None;
        let mut text = 0;
        let mut blob = None;
        let mut media_type = None;
        // Each member is counted with the comma before it: the first has none, but there is a brace.
        let mut end = at;
        for (name, value) in value.object()? {
            let (member, length): (BlockMember, _) = self.know(name)?;
            end += 1 + length;
            let bit = 1 << member as u16;
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
            match member {
                BlockMember::Type => {
                    let word = value.string()?;
                    kind = Some(BlockType::from_name(word)?);
                    end += word.len() as u64 + 2;
                }
                BlockMember::Text => {
                    let (own, length, _) = self.string(value)?;
                    text = own.len() as u64;
                    end += length;
                }
                BlockMember::Data => {
                    let data = value.string()?;
                    blob = Some(self.base64(data, end)?);
                    end += data.len() as u64 + 2;
                }
                BlockMember::MimeType => {
                    let (declared, length, _) = self.string(value)?;
                    media_type = Some(declared);
                    end += length;
                }
                BlockMember::Uri => end += self.address(value)?,
                BlockMember::Name | BlockMember::Title | BlockMember::Description => {
                    end += self.string(value)?.1;
                }
                _ => return None,
            }
        }
        let (kind, blob) = judge_block(kind?, seen, blob, media_type, self.tree)?;
        self.fits(end + 1)?;
        Some((Block { kind, text, blob }, end + 1))
    }

    /// Base64 with nothing to be said about it.
    #[inline(always)]
    fn base64(&self, text: &[u8], at: u64) -> Option<Blob> {
        let mut machine = Base64::default();
        let (letters, filling) = text.split_at_checked(self.kernel.base64(text))?;
        machine.letters(letters);
        match filling {
            b"" | b"=" | b"==" => machine.feed(filling),
            _ => return None,
        }
        blob(&machine, at, self.tree.settings.limits.image_edge.is_some())
    }
}
