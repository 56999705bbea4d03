//! block: whole content blocks, one after the other.
//!
//! In: the lane in `content`. Out: what the blocks add to their element, as long as nothing is to be said about them. Text,
//! image, audio and `resource_link` blocks made of strings are read here; others are left to the lexer.

use crate::base64::{Base64, Verdict, bytes_of};
use crate::media::{MediaType, PNG, PNG_LETTERS, is_name_of};
use crate::rules::block::Blob;
use crate::rules::shape::{BlockMember, BlockType};
use crate::scan::{Job, Kernel};
use crate::sink::Begun;
use crate::tree::Tree;

use super::Place;
use super::lane::{Lane, starts};

/// What some blocks amount to.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    types: [u64; 5],
    count: u64,
    text: u64,
    blob: u64,
    begun: Option<Begun>,
}

/// What was read of a block's `data`: should the block not be read to its end, that needs no second look.
enum Data {
    None,
    /// Where it stands, and how many letters are at its start.
    Whole(usize, usize),
    /// It does not end with the letters.
    Cut(Begun),
}

/// The work of reading blocks, done in one call.
pub(super) struct Read<'a, K> {
    pub(super) lane: Lane<'a, K>,
    pub(super) tree: &'a Tree,
    pub(super) at: usize,
    /// Whether none stands before.
    pub(super) first: bool,
}

impl<L: Kernel> Job for Read<'_, L> {
    /// The blocks, the place behind them, and what it is: nothing if something unusual stands there.
    type Out = (Blocks, usize, Option<Place>);

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Out {
        let Read { lane, tree, mut at, mut first } = self;
        let lane = Lane { kernel, bytes: lane.bytes, end: lane.end, base: lane.base };
        let mut blocks = Blocks::default();
        let room = tree.room_in_element() >= 2;
        loop {
            let next = match lane.structure(at) {
                Some((b']', behind)) if first && behind <= lane.end => {
                    return (blocks, behind, Some(Place::AfterMember));
                }
                Some((b'{', behind)) if room => {
                    blocks.add(lane, tree, behind).filter(|&next| next <= lane.end)
                }
                _ => None,
            };
            let Some(behind) = next else { return (blocks, at, None) };
            first = false;
            match lane.structure(behind) {
                Some((b',', next)) if next <= lane.end => at = next,
                Some((b']', next)) if next <= lane.end => {
                    return (blocks, next, Some(Place::AfterMember));
                }
                _ => return (blocks, behind, Some(Place::AfterBlock)),
            }
        }
    }
}

impl Blocks {
    /// Adds the blocks to their element; gives how many there are.
    #[inline(always)]
    pub(super) fn settle(self, tree: &mut Tree) -> u64 {
        tree.settle_blocks(&self.types, self.count, self.text, self.blob);
        if self.begun.is_some() {
            tree.begun = self.begun;
        }
        self.count
    }

    /// Reads one block behind its `{`; gives the place behind it.
    #[inline(always)]
    fn add<K: Kernel>(&mut self, lane: Lane<'_, K>, tree: &Tree, at: usize) -> Option<usize> {
        let mut data = Data::None;
        let read = block(lane, tree, at, &mut data).filter(|&(.., behind)| behind <= lane.end);
        let Some((kind, text, blob, behind)) = read else {
            self.begun = match data {
                Data::None => None,
                Data::Whole(value, letters) => Some(begun(lane, value, letters)?),
                Data::Cut(begun) => Some(begun),
            };
            return None;
        };
        self.types[kind as usize] += 1;
        self.count += 1;
        self.text += text;
        self.blob += blob;
        Some(behind)
    }
}

/// Reads a block whose members come in any order: its type, the length of its text and of its data, the place behind it.
#[inline(always)]
fn block<K: Kernel>(
    lane: Lane<'_, K>,
    tree: &Tree,
    mut at: usize,
    data: &mut Data,
) -> Option<(BlockType, u64, u64, usize)> {
    let mut seen = 0_u16;
    let mut kind = None;
    let mut text = 0;
    let mut blob = None;
    let mut media_type = None;
    let mut room: &mut [u8] = &mut [0; 64];
    loop {
        let member;
        (member, at) = name(lane, lane.skip(at))?;
        let bit = 1 << member as u16;
        if seen & bit != 0 {
            return None;
        }
        seen |= bit;
        match member {
            BlockMember::Type => {
                let (known, behind) = block_type(lane, at)?;
                (kind, at) = (Some(known), behind);
            }
            BlockMember::Text => (text, at) = lane.text(lane.quote(at)?)?,
            BlockMember::Data => {
                let letters = lane.kernel.base64(lane.bytes.get(lane.quote(at)?..lane.end)?);
                *data = Data::Whole(at, letters);
                let has_edge = tree.settings.limits.image_edge.is_some();
                let (read, behind) = base64(lane, at, letters, data, has_edge)?;
                (blob, at) = (Some(read), behind);
            }
            BlockMember::MimeType => {
                let (declared, behind) = match lane.string(at) {
                    Some((text, _)) => (text, at + text.len() + 2),
                    None => slashed(lane, at, std::mem::take(&mut room))?,
                };
                (media_type, at) = (Some(declared), behind);
            }
            BlockMember::Uri => at = lane.address(at)?,
            _ => (_, at) = lane.text(lane.quote(at)?)?,
        }
        let (byte, behind) = lane.structure(at)?;
        at = behind;
        match byte {
            b',' => {}
            b'}' => break,
            _ => return None,
        }
    }
    let (kind, length) = judge(kind?, seen, blob, media_type, tree)?;
    Some((kind, text, length, at))
}

/// Whether nothing is to be said about a block of a type, with a bit for each member that was seen; how long its data is.
#[inline(always)]
pub(crate) fn judge(
    kind: BlockType,
    seen: u16,
    blob: Option<Blob>,
    media_type: Option<&[u8]>,
    tree: &Tree,
) -> Option<(BlockType, u64)> {
    if seen & !kind.members() != 0 || kind.required() & !seen != 0 {
        return None;
    }
    let length = blob.as_ref().map_or(Some(0), |blob| blob.bytes)?;
    media(kind, blob, media_type, tree)?;
    Some((kind, length))
}

/// The name of a block's member, and the place of its value.
#[inline(always)]
fn name<K: Kernel>(lane: Lane<'_, K>, at: usize) -> Option<(BlockMember, usize)> {
    let window = lane.window(at)?;
    let (member, length) = match window[1] {
        b't' if starts(window, b"\"type\"") => (BlockMember::Type, 6),
        b't' if starts(window, b"\"text\"") => (BlockMember::Text, 6),
        b't' if starts(window, b"\"title\"") => (BlockMember::Title, 7),
        b'd' if starts(window, b"\"data\"") => (BlockMember::Data, 6),
        b'd' if starts(window, b"\"description\"") => (BlockMember::Description, 13),
        b'm' if starts(window, b"\"mimeType\"") => (BlockMember::MimeType, 10),
        b'u' if starts(window, b"\"uri\"") => (BlockMember::Uri, 5),
        b'n' if starts(window, b"\"name\"") => (BlockMember::Name, 6),
        _ => return None,
    };
    if window[length] == b':' && window[length + 1] > b' ' {
        return Some((member, at + length + 1));
    }
    Some((member, lane.colon(at + length)?))
}

#[inline(always)]
fn block_type<K: Kernel>(lane: Lane<'_, K>, at: usize) -> Option<(BlockType, usize)> {
    let window = lane.window(at)?;
    let (kind, length) = match window[1] {
        b't' if starts(window, b"\"text\"") => (BlockType::Text, 6),
        b'i' if starts(window, b"\"image\"") => (BlockType::Image, 7),
        b'r' if starts(window, b"\"resource_link\"") => (BlockType::ResourceLink, 15),
        b'a' if starts(window, b"\"audio\"") => (BlockType::Audio, 7),
        _ => return None,
    };
    Some((kind, at + length))
}

/// Base64 with nothing to be said about it, of which the first letters were read, and the place behind it.
#[inline(always)]
fn base64<K: Kernel>(
    lane: Lane<'_, K>,
    value: usize,
    letters: usize,
    data: &mut Data,
    has_edge: bool,
) -> Option<(Blob, usize)> {
    let sent = lane.bytes.get(value + 1..lane.end)?;
    if !has_edge && let Some((bytes, length)) = png(sent, letters) {
        let at = lane.offset(value);
        let blob = Blob { at, bytes: Some(bytes), format: Some(PNG), edge: None };
        return Some((blob, value + 1 + length));
    }
    let begun = begun(lane, value, letters)?;
    let Some(behind) = lane.quote(value + 1 + begun.length) else {
        *data = Data::Cut(begun);
        return None;
    };
    Some((blob(&begun.machine, begun.at, has_edge)?, behind))
}

/// Base64 as far as it goes in the chunk, of which the first letters were read: what needs no second look.
#[inline(always)]
fn begun<K: Kernel>(lane: Lane<'_, K>, value: usize, letters: usize) -> Option<Begun> {
    let sent = lane.bytes.get(value + 1..lane.end)?;
    let mut machine = Base64::default();
    let mut length = machine.sent_with(lane.kernel, sent, letters);
    while sent.get(length) == Some(&b'=') {
        machine.feed(b"=");
        length += 1;
    }
    Some(Begun { at: lane.offset(value), length, machine: Box::new(machine) })
}

/// The commonest picture, whole and not escaped: what it is is seen from its letters. Gives how many bytes they stand for, and the
/// length with the closing quotation mark.
#[inline(always)]
fn png(sent: &[u8], letters: usize) -> Option<(u64, usize)> {
    starts(sent, PNG_LETTERS).then_some(())?;
    let pads = sent.get(letters..)?.iter().take(2).take_while(|&&byte| byte == b'=').count();
    let (text, end) = sent.get(..=letters + pads)?.split_at(letters + pads);
    let bytes = bytes_of(text, pads)?;
    (end == b"\"").then_some((bytes, text.len() + 1))
}

/// A media type with `\/` for `/`, put down in `room`, and the place behind it.
#[inline(never)]
fn slashed<'r, K: Kernel>(
    lane: Lane<'_, K>,
    value: usize,
    room: &'r mut [u8],
) -> Option<(&'r [u8], usize)> {
    let at = lane.quote(value)?;
    let sent = lane.bytes.get(at..lane.end)?;
    let (mut read, mut length) = (0, 0);
    loop {
        match *sent.get(read)? {
            b'"' => return Some((room.get(..length)?, at + read + 1)),
            b'\\' if sent.get(read + 1) == Some(&b'/') => read += 1,
            b'\\' | ..b' ' | 0x7F.. => return None,
            _ => {}
        }
        *room.get_mut(length)? = *sent.get(read)?;
        (read, length) = (read + 1, length + 1);
    }
}

/// What base64 that stands at `at` holds, if it is whole and its filling as it should be; a picture's edge only if it is asked for.
#[inline(always)]
pub(crate) fn blob(machine: &Base64, at: u64, has_edge: bool) -> Option<Blob> {
    let Verdict::Whole { loose: false, bytes } = machine.verdict() else { return None };
    let header = machine.header();
    let edge = if has_edge { header.edge() } else { None };
    Some(Blob { at, bytes: Some(bytes), format: header.format(), edge })
}

/// Whether nothing is to be said about a block's media.
#[inline(always)]
fn media(
    kind: BlockType,
    blob: Option<Blob>,
    media_type: Option<&[u8]>,
    tree: &Tree,
) -> Option<()> {
    let Some(text) = media_type else { return Some(()) };
    // The names of known formats are plain ones.
    let is_known = blob.and_then(|blob| blob.format).is_some_and(|row| is_name_of(row, text));
    if is_known || MediaType::is_plain(text) {
        return essence(kind, blob, text, tree);
    }
    let mut declared = MediaType::default();
    declared.feed(text);
    declared.well_formed().then(|| essence(kind, blob, declared.essence(), tree))?
}

#[inline(always)]
fn essence(kind: BlockType, blob: Option<Blob>, essence: &[u8], tree: &Tree) -> Option<()> {
    match kind {
        BlockType::Image => tree.is_clean_media(b"image", essence, blob).then_some(()),
        BlockType::Audio => tree.is_clean_media(b"audio", essence, blob).then_some(()),
        _ => Some(()),
    }
}
