//! Every kernel says of every byte at every place what the naive reading says.

use super::{Kernel, Portable, Run};

fn naive(bytes: &[u8]) -> (Run, [usize; 4]) {
    let run = |is: &dyn Fn(u8) -> bool| bytes.iter().position(|&b| !is(b)).unwrap_or(bytes.len());
    let plain = run(&|b| b != b'"' && b != b'\\' && b >= 0x20);
    let odd = bytes[..plain].iter().any(|&b| b >= 0x7F);
    let base64 = run(&|b| b.is_ascii_alphanumeric() || b == b'+' || b == b'/');
    let address = run(&|b| (0x21..0x7F).contains(&b) && !b"\"%<>\\^`{|}".contains(&b));
    let space = run(&|b| b" \t\n\r".contains(&b));
    let id = run(&|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    (Run { plain, odd }, [base64, address, space, id])
}

fn said<K: Kernel>(kernel: K, bytes: &[u8]) -> (Run, [usize; 4]) {
    let runs = [kernel.base64(bytes), kernel.address(bytes), kernel.space(bytes), kernel.id(bytes)];
    (kernel.string(bytes), runs)
}

fn hold<K: Kernel>(kernel: K) {
    for length in (0..40).chain(60..70).chain(126..131) {
        for filler in [b'a', b' ', b'/', 0x7F, 0x80, 0xFF] {
            for place in 0..length {
                for byte in 0..=255_u8 {
                    let mut bytes = vec![filler; length];
                    bytes[place] = byte;
                    assert_eq!(
                        said(kernel, &bytes),
                        naive(&bytes),
                        "{length} {filler} {place} {byte}"
                    );
                }
            }
        }
    }
}

#[test]
fn portable_is_right() {
    hold(Portable);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx2_is_right_where_it_is_there() {
    if let Some(kernel) = super::avx2::Avx2::new() {
        hold(kernel);
    }
}
