#![no_main]
//! Chunks of any sizes give the report of the whole. The first bytes of an input say the settings and the sizes.

use elementguard_fuzz::{in_chunks, told, validator};
use libfuzzer_sys::fuzz_target;

const SIZES: usize = 3;

fuzz_target!(|input: &[u8]| {
    let Some((head, answer)) = input.split_at_checked(1 + SIZES) else { return };
    let (settings, sizes) = (head[0], &head[1..]);
    let sizes = if sizes == [0; SIZES] { &[1; SIZES] } else { sizes };
    let validator = validator(settings);
    let whole = told(&validator.check(answer));
    assert_eq!(told(&in_chunks(validator, answer, sizes)), whole);
});
