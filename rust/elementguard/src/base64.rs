//! Room: what the `data` of an image or audio block and the `blob` of a resource are (5.5).
//!
//! In: the decoded text of the string in pieces. Out: whether it is base64 as RFC 4648 section
//! 4 defines it, with its padding, and why not (`malformed-base64`); whether unused bits are
//! set (`loose-base64`); how many bytes it stands for; and the header of those bytes, for the
//! rules about media.
//!
//! Why so: this is where an answer is long: a picture may be most of its bytes. So nothing is
//! decoded but what the header reader still asks for (32 bytes, of a JPEG at most 64 KiB); from
//! there on a piece is only checked to be of the alphabet, by the processor's best kernel.
//!
//! A character belongs as long as some text could follow that makes the whole right. So `=`
//! belongs only where two or three letters of a group of four stand before it, and no oftener
//! than the group needs: behind a single letter of a group it is one too many. The first
//! character that does not belong decides the reason, and nothing behind it is looked at. A
//! text that begins with `data:` fails at that colon and at no other place.

use crate::media::Header;
use crate::scan;

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
    /// The value of the last letter.
    last: u8,
    /// Bits that are not handed to the header yet, and how many.
    bits: u32,
    count: u32,
    reason: Option<Reason>,
}

impl Base64 {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        let taken = self.letters_of(piece);
        let mut others = piece.iter().skip(taken);
        while self.reason.is_none()
            && let Some(&byte) = others.next()
        {
            if byte == b'=' && self.pads < self.wanted() {
                self.pads += 1;
            } else {
                self.reason = Some(self.reason_of(byte));
            }
        }
    }

    /// Takes the letters at the start of `text`, if letters may stand there; gives how many there are.
    pub(crate) fn letters_of(&mut self, text: &[u8]) -> usize {
        if self.reason.is_some() || self.pads > 0 {
            return 0;
        }
        let (letters, _) = text.split_at(scan::base64(text));
        self.take(letters);
        letters.len()
    }

    /// Takes the next piece, which is nothing but letters of the alphabet.
    pub(crate) fn letters(&mut self, letters: &[u8]) {
        if self.reason.is_none() && self.pads == 0 {
            self.take(letters);
        } else {
            self.feed(letters);
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
                loose: self.pads > 0 && self.last & unused != 0,
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

    fn take(&mut self, letters: &[u8]) {
        let Some(&last) = letters.last() else { return };
        let before = usize::try_from(self.letters).unwrap_or(usize::MAX);
        for (place, &letter) in self.opening.iter_mut().skip(before).zip(letters) {
            *place = letter;
        }
        self.decode(letters);
        self.letters += letters.len() as u64;
        self.last = value_of(last);
    }

    /// Hands bytes to the header for as long as it wants any.
    fn decode(&mut self, letters: &[u8]) {
        const GROUP: usize = 64;
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
mod tests {
    use super::*;
    use crate::text::cuts;

    /// Base64 of `bytes`, bit by bit.
    fn encode(bytes: &[u8]) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for group in bytes.chunks(3) {
            let mut bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
            bits <<= 8 * (3 - group.len());
            for place in 0..=group.len() {
                text.push(alphabet[(bits >> (18 - 6 * place) & 63) as usize].into());
            }
            text.push_str(&"="[..usize::from(group.len() < 3)]);
            text.push_str(&"="[..usize::from(group.len() < 2)]);
        }
        text
    }

    /// The rule as a reader would apply it, over the whole text.
    fn naive(text: &[u8]) -> Verdict {
        let alphabet = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
        let letters = text.iter().take_while(|byte| alphabet(byte)).count();
        let wanted = [0, 0, 2, 1][letters % 4];
        let pads = text[letters..].iter().take(wanted).take_while(|&&byte| byte == b'=').count();
        if let Some(bad) = text.get(letters + pads) {
            return Verdict::Malformed(match bad {
                _ if text.starts_with(b"data:") => Reason::DataUri,
                b'-' | b'_' => Reason::UrlSafeAlphabet,
                b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r' => Reason::WhiteSpace,
                b'=' => Reason::Padding,
                bad if alphabet(bad) => Reason::Padding,
                _ => Reason::OtherCharacters,
            });
        }
        if letters % 4 == 1 {
            return Verdict::Malformed(Reason::Length);
        }
        if pads < wanted {
            return Verdict::Malformed(Reason::Padding);
        }
        let bit = |place: usize| value_of(text[place / 6]) >> (5 - place % 6) & 1;
        let bytes = letters * 6 / 8;
        let loose = (bytes * 8..letters * 6).any(|place| bit(place) == 1);
        Verdict::Whole { loose, bytes: bytes as u64 }
    }

    fn judge(text: &[u8]) -> Verdict {
        let mut verdicts = cuts::of(text).into_iter().map(|pieces| {
            let mut base64 = Base64::default();
            for piece in pieces {
                base64.feed(piece);
            }
            base64.verdict()
        });
        let first = verdicts.next().unwrap();
        assert!(verdicts.all(|other| other == first), "{text:?}");
        assert_eq!(first, naive(text), "{text:?}");
        first
    }

    #[test]
    fn each_text_has_its_verdict() {
        use Reason::{DataUri, Length, OtherCharacters, Padding, UrlSafeAlphabet, WhiteSpace};
        for (text, loose, bytes) in [
            ("", false, 0),
            ("QQ==", false, 1),
            ("QUI=", false, 2),
            ("QUJD", false, 3),
            ("AAAA", false, 3),
            ("QUJ/", false, 3),
            ("/+8+/w==", false, 4),
            ("QR==", true, 1),
            ("QB==", true, 1),
            ("QI==", true, 1),
            ("QUK=", true, 2),
            ("QUJ=", true, 2),
            ("QUJDQQ==", false, 4),
            ("data", false, 3),
        ] {
            assert_eq!(judge(text.as_bytes()), Verdict::Whole { loose, bytes }, "{text}");
        }
        for (text, reason) in [
            ("Q", Length),
            ("QUJDQ", Length),
            ("QQ", Padding),
            ("QUI", Padding),
            ("QQ=", Padding),
            ("QR=", Padding),
            ("QUJD=", Padding),
            ("QUJD====", Padding),
            ("====", Padding),
            ("=", Padding),
            ("Q=", Padding),
            ("Q===", Padding),
            ("QQ===", Padding),
            ("QUI==", Padding),
            ("QQ==QQ==", Padding),
            ("QQ=Q", Padding),
            ("QU-D", UrlSafeAlphabet),
            ("_-8-_w==", UrlSafeAlphabet),
            ("QQ==-", UrlSafeAlphabet),
            ("QQ=_", UrlSafeAlphabet),
            ("not base64", WhiteSpace),
            ("QUJD\n", WhiteSpace),
            ("QQ==\n", WhiteSpace),
            (" QUJD", WhiteSpace),
            ("QUJD\u{b}", WhiteSpace),
            ("data\n:", WhiteSpace),
            ("QUJé", OtherCharacters),
            ("ＡAAA", OtherCharacters),
            ("QUJD,QUJD", OtherCharacters),
            ("QUJD\u{a0}", OtherCharacters),
            ("QUJD**==", OtherCharacters),
            ("C:\\a", OtherCharacters),
            ("/tmp/a.png", OtherCharacters),
            ("QUJD\0", OtherCharacters),
            ("Data:x", OtherCharacters),
            ("xdata:", OtherCharacters),
            ("QUJDdata:", OtherCharacters),
            ("not-base64!!!", UrlSafeAlphabet),
            ("data:image/png;base64,QUJD", DataUri),
            ("data:", DataUri),
        ] {
            assert_eq!(judge(text.as_bytes()), Verdict::Malformed(reason), "{text:?}");
        }
        assert_eq!(judge(b"QUJD\xED\xA0\x80"), Verdict::Malformed(OtherCharacters));
    }

    #[test]
    fn every_byte_is_a_letter_or_its_own_fault_at_every_place() {
        for byte in 0..128 {
            for place in [0, 1, 2, 3, 4, 63, 64, 65, 66, 130] {
                let mut text = vec![b'x'; 132];
                text[place] = byte;
                judge(&text);
                text[131] = b'=';
                judge(&text);
            }
        }
    }

    #[test]
    fn all_short_texts_of_telling_characters_equal_the_rule() {
        let telling = b"AQ/=-\n";
        for length in 0..6 {
            for number in 0..telling.len().pow(length) {
                let digit = |place| telling[number / telling.len().pow(place) % telling.len()];
                judge(&(0..length).map(digit).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_header_gets_what_the_text_stands_for() {
        let gif = b"GIF89a\x65\x01\x07\x02 and what follows, of any length whatever, is not read";
        for end in 0..gif.len() {
            let text = encode(&gif[..end]);
            for pieces in cuts::of(text.as_bytes()) {
                let mut base64 = Base64::default();
                for piece in pieces {
                    base64.feed(piece);
                }
                let bytes = end as u64;
                assert_eq!(base64.verdict(), Verdict::Whole { loose: false, bytes });
                assert_eq!(base64.header().edges(), (end >= 10).then_some((0x165, 0x207)));
                assert_eq!(base64.header().format().is_some(), end >= 6);
            }
        }
    }

    #[test]
    fn a_frame_far_behind_is_reached_in_any_pieces() {
        let mut jpeg = b"\xFF\xD8\xFF\xE1\xEA\x60".to_vec();
        jpeg.resize(4 + 0xEA60, b'J');
        jpeg.extend(b"\xFF\xC0\x00\x0B\x08\x00\x09\x03\xE7");
        let text = encode(&jpeg);
        for size in [1, 7, 64, 4096, 80_000, 100_000] {
            let mut base64 = Base64::default();
            for piece in text.as_bytes().chunks(size) {
                base64.feed(piece);
            }
            assert_eq!(base64.header().edges(), Some((999, 9)));
        }
    }
}
