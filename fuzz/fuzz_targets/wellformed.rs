#![no_main]
//! A fatal finding is said of exactly what is not JSON to serde_json, in whatever way the bytes come.

use elementguard::{Kind, Limits, Settings, Validator};
use libfuzzer_sys::fuzz_target;
use serde::de::{Deserialize, IgnoredAny};
use std::sync::LazyLock;

static VALIDATORS: LazyLock<[Validator; 2]> = LazyLock::new(|| {
    let limits = Limits { nesting: None, ..Limits::default() };
    [Kind::Answer, Kind::Element].map(|kind| {
        Validator::new(Settings { limits: limits.clone(), kind, ..Settings::default() })
    })
});

/// serde_json skips what is ignored without looking whether it is UTF-8.
fn is_json(text: &[u8]) -> bool {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let value = IgnoredAny::deserialize(&mut reader);
    value.is_ok() && reader.end().is_ok() && std::str::from_utf8(text).is_ok()
}

fuzz_target!(|text: &[u8]| {
    let is_json = is_json(text);
    for validator in VALIDATORS.iter() {
        assert_eq!(validator.check(text).is_fatal(), !is_json, "whole");
        let mut stream = validator.stream();
        for byte in text.chunks(1) {
            stream.feed(byte);
        }
        assert_eq!(stream.finish().is_fatal(), !is_json, "byte by byte");
    }
});
