//! Room: what a JSON number is worth, exactly.
//!
//! In: the raw text of one number in pieces, cut anywhere; the lexer has seen to its grammar.
//! Out: whether its value is an integer (`size`, 5.5), whether it lies in 0..=1 (`priority`),
//! and whether receivers would read it differently (`imprecise-number`, RFC 8259 section 6).
//!
//! Why so: the rules speak of the value as sent, and a double has forgotten it: 1e-999999 is no
//! integer, 1.00000000000000000001 is more than one. A number may also have millions of digits,
//! in its exponent too. But each question needs only a few facts. Write the value as
//! 0.d1 d2 d3 ... x 10^place with d1 not zero. It is an integer if no digit that is not zero
//! stands behind the point, so the digits behind the last one that is not zero are counted; it is
//! at most one if the place is below 1, or is 1 with the digits 1 0 0 0 ...; it rounds to
//! infinity if it is at least 2^1024 - 2^970, the middle between the largest double and the next
//! power of two (ties go to the even one, which is infinity): there the place is 309, and the
//! first 309 digits are compared as they come. Counts are 64 bits wide, the exponent stops growing
//! at 10^30, far beyond any count of digits, and sums are made in 128 bits.

use std::cmp::Ordering;

/// 2^1024 - 2^970: the least value that rounds to infinity.
const INFINITE: &[u8; 309] = b"\
    17976931348623158079372897140530341507993413271003782693617377898044496829276475\
    09466490179775872070963302864166928879109465555478519404026306574886715058206819\
    08902000708383676273854845817711531764475730270069855571366959622842914819860834\
    936475292719074168444365510704342711559699508093042880177904174497792";

/// The largest exact integer, 2^53 - 1.
const EXACT: u64 = 9_007_199_254_740_991;

/// An integer of so many digits is at most that, whatever they are.
const SHORT: usize = 15;

/// Where an exponent stops growing.
const FAR: i128 = 1_000_000_000_000_000_000_000_000_000_000;

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
enum Part {
    #[default]
    Whole,
    Fraction,
    Exponent,
}

/// Judges a number by its exact value.
#[derive(Clone, Default, Debug)]
pub(crate) struct Number {
    part: Part,
    negative: bool,
    /// Digits from the first one that is not zero on.
    digits: u64,
    /// Of these, the zeros at the end.
    zeros: u64,
    /// The first of them.
    first: u8,
    /// All of them as an integer; the largest there is where that does not fit.
    integer: u64,
    /// The first 309 of them against the least infinite value's.
    against_infinite: Compared,
    /// Digits from the first one that is not zero on, before the point.
    before_point: u64,
    /// All digits behind the point.
    behind_point: u64,
    /// Zeros right behind the point, while no other digit has come.
    blanks: u64,
    exponent: i128,
    exponent_negative: bool,
}

/// What a comparison of digits, the weightiest first, has come to.
#[derive(Clone, Copy, Debug)]
struct Compared(Ordering);

impl Default for Compared {
    fn default() -> Self {
        Self(Ordering::Equal)
    }
}

/// Whether a number is imprecise, where its form says so: it has few digits, or it is an integer without an exponent.
pub(crate) fn glance(text: &[u8]) -> Option<bool> {
    if text.len() <= SHORT && !text.iter().any(|byte| matches!(byte, b'e' | b'E')) {
        return Some(false);
    }
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let largest = b"9007199254740991".as_slice();
    let is_beyond = (digits.len(), digits) > (largest.len(), largest);
    digits.iter().all(u8::is_ascii_digit).then_some(is_beyond)
}

impl Number {
    /// Takes the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8]) {
        for &byte in piece {
            match byte {
                b'0'..=b'9' => self.digit(byte),
                b'.' => self.part = Part::Fraction,
                b'e' | b'E' => self.part = Part::Exponent,
                b'-' if self.part == Part::Exponent => self.exponent_negative = true,
                b'-' => self.negative = true,
                _ => {}
            }
        }
    }

    /// Whether the value is an integer.
    pub(crate) fn is_integer(&self) -> bool {
        let shift = i128::from(self.zeros) - i128::from(self.behind_point) + self.power();
        self.is_zero() || shift >= 0
    }

    /// Whether the value lies between 0 and 1, both included.
    pub(crate) fn in_unit_interval(&self) -> bool {
        let place = self.place();
        let one = self.first == b'1' && self.digits - self.zeros == 1;
        self.is_zero() || (!self.negative && (place < 1 || (place == 1 && one)))
    }

    /// Whether receivers will not read it alike: written as an integer beyond 2^53 - 1 either
    /// way, or of a value that rounds to infinity as a double.
    pub(crate) fn imprecise(&self) -> bool {
        (self.part == Part::Whole && self.integer > EXACT) || self.is_infinite()
    }

    fn is_infinite(&self) -> bool {
        let place = self.place();
        let middle = INFINITE.len() as i128;
        let enough = match self.against_infinite.0 {
            Ordering::Greater => true,
            Ordering::Equal => self.digits >= INFINITE.len() as u64,
            Ordering::Less => false,
        };
        !self.is_zero() && (place > middle || (place == middle && enough))
    }

    fn is_zero(&self) -> bool {
        self.digits == 0
    }

    /// The place of the first digit that is not zero: the value is 0.d1 d2 ... x 10^place.
    fn place(&self) -> i128 {
        i128::from(self.before_point) - i128::from(self.blanks) + self.power()
    }

    fn power(&self) -> i128 {
        if self.exponent_negative { -self.exponent } else { self.exponent }
    }

    fn digit(&mut self, byte: u8) {
        match self.part {
            Part::Exponent => {
                let grown = self.exponent * 10 + i128::from(byte - b'0');
                self.exponent = grown.min(FAR);
                return;
            }
            Part::Fraction => self.behind_point += 1,
            Part::Whole => {}
        }
        if self.is_zero() && byte == b'0' {
            self.blanks += u64::from(self.part == Part::Fraction);
        } else {
            self.significant(byte);
        }
    }

    fn significant(&mut self, byte: u8) {
        if self.is_zero() {
            self.first = byte;
        }
        self.integer = self.integer.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
        if self.against_infinite.0 == Ordering::Equal {
            let place = usize::try_from(self.digits).ok();
            let bound = place.and_then(|place| INFINITE.get(place)).unwrap_or(&byte);
            self.against_infinite.0 = byte.cmp(bound);
        }
        self.digits += 1;
        self.before_point += u64::from(self.part == Part::Whole);
        self.zeros = if byte == b'0' { self.zeros + 1 } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        let mut number = Number::default();
        number.feed(text.as_bytes());
        number
    }

    /// Integer, unit interval, imprecise; the same for every cut into two and into single bytes.
    fn judge(text: &str) -> (bool, bool, bool) {
        let bytes = text.as_bytes();
        let verdict =
            |seen: &Number| (seen.is_integer(), seen.in_unit_interval(), seen.imprecise());
        let whole = verdict(&number(text));
        assert!(glance(bytes).is_none_or(|imprecise| imprecise == whole.2), "{text}");
        for end in 0..=bytes.len() {
            let mut seen = Number::default();
            seen.feed(&bytes[..end]);
            seen.feed(&bytes[end..]);
            assert_eq!(verdict(&seen), whole, "{text} cut at {end}");
        }
        let mut seen = Number::default();
        for piece in bytes.chunks(1) {
            seen.feed(piece);
            seen.feed(&[]);
        }
        assert_eq!(verdict(&seen), whole, "{text} in bytes");
        whole
    }

    fn infinite(text: &str) -> bool {
        number(text).is_infinite()
    }

    #[test]
    fn integers_are_told_by_their_value() {
        for text in [
            "0",
            "-0",
            "-0.0",
            "0e5",
            "0e-5",
            "0.000e-99999999999999999999999999999999999999",
            "1e3",
            "-5",
            "1.0",
            "1.50e1",
            "1.5e1",
            "100e-2",
            "1200e-2",
            "1.25E+2",
            "10.0e-1",
            "0.001e3",
            "1e999999",
            "1e99999999999999999999999999999999999999999999999",
        ] {
            assert!(judge(text).0, "{text}");
        }
        for text in [
            "0.1e0",
            "1205e-2",
            "1e-1",
            "1e-999999",
            "9007199254740993.5",
            "1.5",
            "-0.5",
            "0.001e2",
            "1.05e1",
            "1e-99999999999999999999999999999999999999999999999",
            "100e-3",
            "10.01",
            "1.0000000000000000000001",
        ] {
            assert!(!judge(text).0, "{text}");
        }
    }

    #[test]
    fn the_unit_interval_is_exact() {
        for text in [
            "0",
            "-0",
            "-0.0e9",
            "1",
            "1.0",
            "1.000e0",
            "10e-1",
            "0.1e1",
            "0.5",
            "0.05e1",
            "0.99999999999999999999",
            "1e-999999",
            "0.000",
            "100000e-5",
            "0.00001e5",
            "1e-99999999999999999999999999999999999999999999",
            "123456e-6",
            "9e-1",
        ] {
            assert!(judge(text).1, "{text}");
        }
        for text in [
            "-1",
            "-0.1",
            "2",
            "1.1",
            "1.00000000000000000000000000001",
            "1e1",
            "0.2e1",
            "11e-1",
            "0.11e1",
            "-1e-999999",
            "10",
            "123456e-5",
            "1e99999999999999999999999999999999999999999999",
            "20e-1",
        ] {
            assert!(!judge(text).1, "{text}");
        }
    }

    #[test]
    fn large_integers_are_imprecise_as_they_are_written() {
        for text in [
            "9007199254740992",
            "-9007199254740992",
            "9007199254740993",
            "18446744073709551616",
            "10000000000000000",
            "90071992547409910",
            "-9223372036854775809",
            &"1".repeat(5000),
            "1e309",
            "-1e309",
            "1e99999999999999999999",
        ] {
            assert!(judge(text).2, "{text}");
        }
        for text in [
            "0",
            "-0",
            "9007199254740991",
            "-9007199254740991",
            "0.1",
            "9007199254740993.0",
            "1e300",
            "9007199254740993e0",
            "1e-999",
            "3.14159265358979323846264338327950288",
            "999999999999999",
            "0e999999999999999999999",
            "1e308",
        ] {
            assert!(!judge(text).2, "{text}");
        }
    }

    #[test]
    fn the_least_infinite_value_is_two_to_the_1024th_less_two_to_the_970th() {
        let mut value = vec![0_u8; 310];
        value[0] = 1;
        let mut lower = Vec::new();
        for power in 0..1024 {
            if power == 970 {
                lower.clone_from(&value);
            }
            let mut carry = 0;
            for digit in &mut value {
                let double = *digit * 2 + carry;
                (*digit, carry) = (double % 10, double / 10);
            }
        }
        let mut borrow = 0;
        for (digit, less) in value.iter_mut().zip(&lower) {
            let take = less + borrow;
            borrow = u8::from(*digit < take);
            *digit = *digit + 10 * borrow - take;
        }
        let text: Vec<u8> = value.iter().rev().skip(1).map(|digit| b'0' + digit).collect();
        assert_eq!((value[309], text), (0, INFINITE.to_vec()));
    }

    #[test]
    fn rounding_to_infinity_is_exact_at_its_edge() {
        let edge = str::from_utf8(INFINITE).unwrap();
        let (first, rest) = edge.split_at(1);
        let below = format!("{}1", &edge[..308]);
        let forms = |digits: &str| {
            let (first, rest) = digits.split_at(1);
            [
                format!("{digits}.0"),
                format!("{first}.{rest}e308"),
                format!("0.{digits}e309"),
                format!("-0.000{digits}E+312"),
                format!("{digits}000e-3"),
                format!("{digits}e0"),
            ]
        };
        for (digits, expected) in [(edge, true), (below.as_str(), false)] {
            for text in forms(digits) {
                assert_eq!(infinite(&text), expected, "{text}");
                assert_eq!(text.parse::<f64>().unwrap().is_infinite(), expected, "{text}");
            }
        }
        assert!(infinite(&format!("{first}.{rest}{}1e308", "0".repeat(5000))));
        assert!(!infinite(&format!("{below}.{}", "9".repeat(5000))));
        assert!(!infinite(&format!("{}.0", &edge[..308])));
        assert!(!infinite(&format!("{}e1", &edge[..308])));
        assert!(infinite("1.8e308") && !infinite("1.79e308"));
        assert!(!infinite(&format!("0.{}1e400", "0".repeat(400))));
        assert!(infinite(&format!("{}e-100", "9".repeat(500))));
    }

    /// The value as digits and a power of ten, without limits: for short exponents only.
    fn naive(text: &str) -> (bool, bool, bool) {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: u128 = format!("{}{fraction}", whole.trim_start_matches('-')).parse().unwrap();
        let power = exponent.parse::<i32>().unwrap() - i32::try_from(fraction.len()).unwrap();
        let down = 10_u128.pow(u32::try_from(-power.min(0)).unwrap());
        let up = 10_u128.pow(u32::try_from(power.max(0)).unwrap());
        let unit = digits == 0 || (!text.starts_with('-') && digits * up <= down);
        let written = !text.contains(['.', 'e', 'E']) && digits > 9_007_199_254_740_991;
        (digits.is_multiple_of(down), unit, written || text.parse::<f64>().unwrap().is_infinite())
    }

    #[test]
    fn random_numbers_equal_their_definition() {
        let mut seed = 11_u32;
        let mut pick = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % most
        };
        for _ in 0..20_000 {
            let mut text = String::from(if pick(3) == 0 { "-" } else { "" });
            let wholes = if pick(2) == 0 { 1 } else { 1 + pick(17) };
            let letters = if pick(2) == 0 { "0001" } else { "0129" };
            let mut digit = || char::from(letters.as_bytes()[pick(4) as usize]);
            text.extend((0..wholes).map(|_| digit()));
            if pick(2) == 0 {
                text.push('.');
                text.extend((0..=pick(6)).map(|_| char::from(b"0001259"[pick(7) as usize])));
            }
            if pick(2) == 0 {
                text.push_str(["e", "E", "e+", "e-", "e-0"][pick(5) as usize]);
                text.push_str(&pick(9).to_string());
            }
            let seen = number(&text);
            let seen = (seen.is_integer(), seen.in_unit_interval(), seen.imprecise());
            assert_eq!(seen, naive(&text), "{text}");
        }
    }

    #[test]
    fn millions_of_digits_are_no_trouble() {
        let mut seen = number("0.");
        seen.feed(&vec![b'0'; 5_000_000]);
        seen.feed(b"1e");
        assert!(!seen.is_integer() && seen.in_unit_interval());
        seen.feed(b"5000001");
        assert!(seen.is_integer() && seen.in_unit_interval() && !seen.imprecise());
        let mut seen = number("1e");
        seen.feed(&vec![b'9'; 5_000_000]);
        assert!(seen.is_integer() && seen.imprecise() && !seen.in_unit_interval());
    }
}
