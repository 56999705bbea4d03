#![no_main]
//! Every kernel that can run here says what the naive reading says, wherever the bytes begin and end.

use elementguard::hold_every_kernel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&start, bytes)) = input.split_first() else { return };
    hold_every_kernel(bytes);
    hold_every_kernel(&bytes[usize::from(start).min(bytes.len())..]);
    // A run that goes on for long before what the fuzzer thought of.
    let long: Vec<u8> =
        bytes.iter().take(1).cycle().take(usize::from(start) * 3).chain(bytes).copied().collect();
    hold_every_kernel(&long);
});
