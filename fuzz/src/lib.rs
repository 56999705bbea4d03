//! What the fuzzers share: validators with many settings, and a report as text that two readings must agree on.

use std::fmt::Write;
use std::sync::LazyLock;

use elementguard::{Kind, Limits, Report, Settings, Validator};

/// Validators with limits that small answers pass, and without; answers and fragments.
static VALIDATORS: LazyLock<Vec<Validator>> = LazyLock::new(|| {
    let limits = [
        Limits::default(),
        Limits { findings: Some(2), nesting: Some(7), ..Limits::default() },
        Limits {
            children: Some(2),
            blocks: Some(1),
            subtree_bytes: Some(90),
            subtree_elements: Some(2),
            content_bytes: Some(60),
            attributes_bytes: Some(20),
            title_characters: Some(4),
            ..Limits::default()
        },
        Limits {
            elements: Some(5),
            depth: Some(3),
            image_edge: Some(50),
            media_types: Some(vec!["image/png".to_owned()]),
            ..Limits::default()
        },
    ];
    let kinds = [Kind::Answer, Kind::Element];
    let all = limits.iter().flat_map(|limits| kinds.map(|kind| (limits.clone(), kind)));
    all.map(|(limits, kind)| Validator::new(Settings { limits, kind, ..Settings::default() }))
        .collect()
});

/// The validator that a number stands for.
pub fn validator(number: u8) -> &'static Validator {
    &VALIDATORS[usize::from(number) % VALIDATORS.len()]
}

/// All that a report says.
pub fn told(report: &Report) -> String {
    let mut text = format!(
        "ok {} fatal {} truncated {}\n{:?}\n{:?}\n",
        report.ok(),
        report.is_fatal(),
        report.truncated(),
        report.counts(),
        report.summary()
    );
    for finding in report.findings() {
        let (code, offset) = (finding.rule().code(), report.offset(finding));
        let (pointer, element) = (report.pointer(finding), report.element(finding));
        let parameters = report.parameters(finding);
        let _ = writeln!(text, "{code} {offset:?} {pointer:?} {element:?} {parameters:?}");
    }
    text
}

/// The report on an answer in chunks; their sizes are said over and over again, not all of them zero.
pub fn in_chunks(validator: &Validator, answer: &[u8], sizes: &[u8]) -> Report {
    let mut stream = validator.stream();
    let mut rest = answer;
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        // An empty chunk now and then, and a large one.
        let size = if size == 255 { 4096 } else { usize::from(size) };
        let (chunk, behind) = rest.split_at(size.min(rest.len()));
        stream.feed(chunk);
        rest = behind;
    }
    stream.finish()
}
