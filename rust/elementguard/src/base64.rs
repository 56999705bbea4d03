//! Room: what the `data` of an image or audio block and the `blob` of a resource are (5.5).
//!
//! In: the decoded text of the string in pieces. Out: whether it is base64 as RFC 4648 section
//! 4 defines it, with its padding, and why not (`malformed-base64`); whether unused bits are
//! set (`loose-base64`); how many bytes it stands for; and the header of those bytes, for the
//! rules about media.
//!
//! Why so: this is where an answer is long: a picture may be most of its bytes. So nothing is
//! decoded but what the header reader still asks for (32 bytes, of a JPEG at most 64 KiB); from
//! there on a piece is only checked to be of the alphabet, by the processor's best kernel; where
//! each `/` is escaped, run by run, where they stand.
//!
//! A character belongs as long as some text could follow that makes the whole right. So `=`
//! belongs only where two or three letters of a group of four stand before it, and no oftener
//! than the group needs: behind a single letter of a group it is one too many. The first
//! character that does not belong decides the reason, and nothing behind it is looked at. A
//! text that begins with `data:` fails at that colon and at no other place.

use crate::media::Header;
use crate::scan::{self, Job, Kernel};

/// Why a text is not base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It begins with `data:`.
    DataUri,
    /// `-` or `_`, of RFC 4648 section 5.
    UrlSafeAlphabet,
    /// A space, tab or line end.
    WhiteSpace,
    /// A `=` too many or too few, or a letter behind one.
    Padding,
    /// Any other character.
    OtherCharacters,
    /// A letter is left over: 4n+1 of them stand for no bytes.
    Length,
}

impl Reason {
    /// The word that stands in the report.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::DataUri => "data-uri",
            Self::UrlSafeAlphabet => "url-safe-alphabet",
            Self::WhiteSpace => "white-space",
            Self::Padding => "padding",
            Self::OtherCharacters => "other-characters",
            Self::Length => "length",
        }
    }
}

/// What the whole text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Base64.
    Whole {
        /// Whether its last character has unused bits set.
        loose: bool,
        /// How many bytes it stands for.
        bytes: u64,
    },
    /// Not base64.
    Malformed(Reason),
}

/// Judges a text as base64 and reads the header of what it stands for.
#[derive(Clone, Default, Debug)]
pub(crate) struct Base64 {
    header: Header,
    letters: u64,
    pads: u64,
    /// The first four letters.
    opening: [u8; 4],
    /// The last letter.
    last: u8,
    /// Bits that are not handed to the header yet, and how many.
    bits: u32,
    count: u32,
    reason: Option<Reason>,
}

impl Base64 {
    /// Takes the next piece, unescaped.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        let mut others = piece;
        if self.wants_letters() {
            let (letters, behind) = piece.split_at(scan::base64(piece));
            self.take(letters);
            others = behind;
        }
        for &byte in others {
            if self.reason.is_some() {
                return;
            }
            if byte == b'=' && self.pads < self.wanted() {
                self.pads += 1;
            } else {
                self.reason = Some(self.reason_of(byte));
            }
        }
    }

    /// Takes the next piece, which is nothing but letters of the alphabet.
    #[inline(always)]
    pub(crate) fn letters(&mut self, letters: &[u8]) {
        if self.wants_letters() {
            self.take(letters);
        } else {
            self.feed(letters);
        }
    }

    /// Takes the letters at the start of a string's text as it was sent, `\/` for `/` among them; gives how many bytes they are.
    pub(crate) fn sent(&mut self, sent: &[u8]) -> usize {
        if !self.wants_letters() {
            return 0;
        }
        scan::run(Sent { machine: self, sent })
    }

    /// The same with a kernel, where it is known how many letters stand at the start.
    #[inline(always)]
    pub(crate) fn sent_with<K: Kernel>(&mut self, kernel: K, sent: &[u8], first: usize) -> usize {
        let mut rest = sent;
        let mut count = first;
        loop {
            let (letters, behind) = rest.split_at_checked(count).unwrap_or_default();
            self.take(letters);
            let Some(behind) = behind.strip_prefix(b"\\/") else {
                return sent.len() - behind.len();
            };
            self.take(b"/");
            rest = behind;
            count = kernel.base64(rest);
        }
    }

    /// What the whole text is.
    pub(crate) fn verdict(&self) -> Verdict {
        let unused = if self.wanted() == 2 { 0x0F } else { 0x03 };
        match (self.reason, self.letters % 4) {
            (Some(reason), _) => Verdict::Malformed(reason),
            (None, 1) => Verdict::Malformed(Reason::Length),
            (None, _) if self.pads < self.wanted() => Verdict::Malformed(Reason::Padding),
            (None, _) => Verdict::Whole {
                loose: self.pads > 0 && value_of(self.last) & unused != 0,
                bytes: self.letters / 4 * 3 + (self.letters % 4).saturating_sub(1),
            },
        }
    }

    /// The header of what it stands for; of worth only if the whole is base64.
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// How many `=` the letters so far want behind them.
    fn wanted(&self) -> u64 {
        match self.letters % 4 {
            2 => 2,
            3 => 1,
            _ => 0,
        }
    }

    /// Whether letters may come next, so far as is known.
    fn wants_letters(&self) -> bool {
        self.reason.is_none() && self.pads == 0
    }

    #[inline(always)]
    fn take(&mut self, letters: &[u8]) {
        let Some(&last) = letters.last() else { return };
        if self.header.wants_more() {
            self.look_at(letters);
        }
        self.letters += letters.len() as u64;
        self.last = last;
    }

    /// Keeps what is wanted of the first letters.
    #[inline(never)]
    fn look_at(&mut self, letters: &[u8]) {
        let before = usize::try_from(self.letters).unwrap_or(usize::MAX);
        for (place, &letter) in self.opening.iter_mut().skip(before).zip(letters) {
            *place = letter;
        }
        self.decode(letters);
    }

    /// Hands bytes to the header for as long as it wants any.
    fn decode(&mut self, letters: &[u8]) {
        const GROUP: usize = 64;
        let mut letters = letters;
        if self.letters == 0
            && let Some((first, rest)) = letters.split_first_chunk()
        {
            self.header.feed(opening(first).as_flattened());
            letters = rest;
        }
        let mut groups = letters.chunks(GROUP);
        while self.header.wants_more()
            && let Some(group) = groups.next()
        {
            let mut bytes = [0; GROUP];
            let mut places = bytes.iter_mut();
            for &letter in group {
                self.bits = self.bits << 6 | u32::from(value_of(letter));
                self.count += 6;
                if self.count >= 8
                    && let Some(place) = places.next()
                {
                    self.count -= 8;
                    *place = (self.bits >> self.count & 0xFF) as u8;
                }
            }
            let left = places.len();
            self.header.feed(bytes.get(..GROUP - left).unwrap_or_default());
        }
    }

    fn reason_of(&self, byte: u8) -> Reason {
        match byte {
            b':' if self.letters == 4 && self.pads == 0 && &self.opening == b"data" => {
                Reason::DataUri
            }
            b'-' | b'_' => Reason::UrlSafeAlphabet,
            b' ' | 0x09..=0x0D => Reason::WhiteSpace,
            b'=' => Reason::Padding,
            letter if is_letter(letter) => Reason::Padding,
            _ => Reason::OtherCharacters,
        }
    }
}

/// How many bytes a text of letters with so many `=` at its end stands for, if it is base64 and not loose.
#[inline]
pub(crate) fn bytes_of(text: &[u8], pads: usize) -> Option<u64> {
    let letters = text.len() - pads;
    let unused = match (letters % 4, pads) {
        (0, 0) => 0,
        (2, 2) => 0x0F,
        (3, 1) => 0x03,
        _ => return None,
    };
    let last = *text.get(letters.checked_sub(1)?)?;
    (value_of(last) & unused == 0).then_some((text.len() / 4 * 3 - pads) as u64)
}

/// What the first letters stand for: all that the header of most files asks for.
fn opening(letters: &[u8; 44]) -> [[u8; 3]; 11] {
    let mut bytes = [[0; 3]; 11];
    for (place, letters) in bytes.iter_mut().zip(letters.as_chunks::<4>().0) {
        let [one, two, three, four] = letters.map(|letter| u32::from(value_of(letter)));
        let [_, rest @ ..] = (one << 18 | two << 12 | three << 6 | four).to_be_bytes();
        *place = rest;
    }
    bytes
}

/// The work of taking letters as they were sent.
struct Sent<'a> {
    machine: &'a mut Base64,
    sent: &'a [u8],
}

impl Job for Sent<'_> {
    type Out = usize;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> usize {
        self.machine.sent_with(kernel, self.sent, kernel.base64(self.sent))
    }
}

fn is_letter(byte: u8) -> bool {
    (byte | 0x20).wrapping_sub(b'a') < 26
        || byte.wrapping_sub(b'0') < 10
        || byte == b'+'
        || byte == b'/'
}

fn value_of(letter: u8) -> u8 {
    VALUES.get(usize::from(letter)).copied().unwrap_or_default()
}

/// The value of each letter; zero for what is none.
const VALUES: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [0; 256];
    let mut value = 0;
    while value < 64 {
        values[alphabet[value as usize] as usize] = value;
        value += 1;
    }
    values
};

#[cfg(test)]
mod tests;
