//! tests: base64 against the rule as a reader would apply it, in all ways that a text can be cut and sent.

use super::*;
use crate::media::{PNG, PNG_LETTERS};
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
fn slashes_may_be_escaped_wherever_a_text_is_cut() {
    let png = encode(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x09");
    let letters = format!("{png}{}", "//+/AbC9".repeat(20));
    for end in ["", "=", "A", "AB==", "A-", "\n", "/=", "\"", "data:"] {
        let text = format!("{letters}{end}");
        let mut whole = Base64::default();
        whole.feed(text.as_bytes());
        assert_eq!(whole.header().edges(), Some((7, 9)));
        let sent = text.replace('/', "\\/");
        for place in 0..=sent.len() {
            let (first, second) = sent.as_bytes().split_at(place);
            let mut base64 = Base64::default();
            let taken = base64.sent(first);
            assert!(first.len() - taken < 2 || place > letters.len());
            let left = [&first[taken..], second].concat();
            let taken = base64.sent(&left);
            base64.feed(String::from_utf8_lossy(&left[taken..]).replace("\\/", "/").as_bytes());
            assert_eq!(base64.verdict(), whole.verdict(), "{sent} at {place}");
            assert_eq!(base64.header().edges(), whole.header().edges());
        }
    }
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

/// Letters of which it is known that they are letters are taken like any others.
#[test]
fn known_letters_are_letters() {
    for before in ["", "Q", "QUJD", "QQ=", "QQ==", "*", "data:"] {
        let (mut known, mut unknown) = (Base64::default(), Base64::default());
        known.feed(before.as_bytes());
        unknown.feed(before.as_bytes());
        known.letters(b"QUJDQUI");
        unknown.feed(b"QUJDQUI");
        assert_eq!(known.verdict(), unknown.verdict(), "{before}");
        assert_eq!(known.letters, unknown.letters, "{before}");
    }
}

#[test]
fn what_a_whole_text_stands_for_is_said_alike_in_one_look() {
    for letters in 0..=13 {
        for last in "ABDEIMQgw+/".bytes() {
            for pads in 0..=3 {
                let mut text = vec![b'A'; letters];
                text.splice(letters.saturating_sub(1)..letters, [last]);
                let count = text.len();
                text.resize(count + pads, b'=');
                let mut base64 = Base64::default();
                base64.feed(&text);
                let whole = match base64.verdict() {
                    Verdict::Whole { loose: false, bytes } if count > 0 => Some(bytes),
                    _ => None,
                };
                assert_eq!(bytes_of(&text, pads), whole, "{count} letters, {pads} pads");
            }
        }
    }
}

#[test]
fn a_png_is_known_by_its_letters() {
    let mut base64 = Base64::default();
    base64.feed(PNG_LETTERS);
    base64.feed(b"A");
    assert_eq!(base64.header().format(), Some(PNG));
}
