//! oracle: every question answered a byte at a time, to hold the kernels against.
//!
//! In: bytes. Out: nothing, or a panic that names the kernel that says something else. Only tests and fuzzers have this room.

use super::{Job, Kernel, Run, choice};

/// The answers to all questions: about runs of strings, base64, addresses, white space, ids, digits; about wholes of strings, addresses,
/// ids; which of the first 32 bytes are digits, if there are as many.
type Answers = (Run, [usize; 5], (Option<bool>, [bool; 2]), Option<u32>);

/// Holds every kernel that can run here to what the naive reading says.
///
/// # Panics
///
/// A kernel says something else.
pub fn hold_every_kernel(bytes: &[u8]) {
    let right = naive(bytes);
    for (name, said) in choice::each(Ask(bytes)) {
        assert_eq!(said, right, "{name} on {bytes:?}");
    }
}

pub(super) fn naive(bytes: &[u8]) -> Answers {
    let run = |is: &dyn Fn(u8) -> bool| bytes.iter().position(|&b| !is(b)).unwrap_or(bytes.len());
    let plain = run(&|b| b != b'"' && b != b'\\' && b >= 0x20);
    let odd = bytes.iter().take(plain).any(|&b| b >= 0x7F);
    let base64 = run(&|b| b.is_ascii_alphanumeric() || b == b'+' || b == b'/');
    let address = run(&|b| (0x21..0x7F).contains(&b) && !b"\"%<>\\^`{|}".contains(&b));
    let space = run(&|b| b" \t\n\r".contains(&b));
    let id = run(&|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let digits = run(&|b| b.is_ascii_digit());
    let is_whole = |run| run == bytes.len();
    let wholes = (is_whole(plain).then_some(odd), [is_whole(address), is_whole(id)]);
    let all_digits = bytes.first_chunk::<32>().map(|bytes| {
        bytes.iter().rev().fold(0, |bits, byte| bits << 1 | u32::from(byte.is_ascii_digit()))
    });
    (Run { plain, odd }, [base64, address, space, id, digits], wholes, all_digits)
}

#[derive(Clone, Copy)]
struct Ask<'a>(&'a [u8]);

impl Job for Ask<'_> {
    type Out = Answers;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Answers {
        let Self(bytes) = self;
        let runs = [
            kernel.base64(bytes),
            kernel.address(bytes),
            kernel.space(bytes),
            kernel.id(bytes),
            kernel.digits(bytes),
        ];
        let wholes = [kernel.all_address(bytes), kernel.all_id(bytes)];
        let all_digits = bytes.first_chunk().map(|bytes| kernel.digits_of(bytes));
        (kernel.string(bytes), runs, (kernel.all_text(bytes), wholes), all_digits)
    }
}
