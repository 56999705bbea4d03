#![no_main]
//! The express lane cannot be seen: what it reads is what the lexer reads byte by byte, whether something stands behind the answer
//! or nothing does, and whether a report is wanted or only a verdict. The first byte of an input says the settings.

use elementguard_fuzz::{in_chunks, told, validator};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&settings, answer)) = input.split_first() else { return };
    let validator = validator(settings);
    let report = validator.check(answer);
    let bytewise = told(&in_chunks(validator, answer, &[1]));
    assert_eq!(told(&report), bytewise, "in one copy");
    // One chunk, which is read where it is.
    let mut stream = validator.stream();
    stream.feed(answer);
    assert_eq!(told(&stream.finish()), bytewise, "in place");
    assert_eq!(validator.is_valid(answer), report.ok(), "the verdict alone");
});
