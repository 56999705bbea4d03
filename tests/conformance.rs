//! The conformance vectors against the core, without Python.
//!
//! In: `conformance/`, whose README defines the format. Out: a list of the vectors of which the core says anything else than
//! what is written, in one buffer or in chunks. `test_conformance.py` holds the whole package to the same files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends at what it did not expect")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use elementguard::{
    Finding, Kind, Level, Limits, Report, Rule, Settings, Size, Summary, Validator, Value,
};
use serde_json::{Map, Value as Json, json};

/// The roles in the order of 5.2, and the block types in the order of 5.5.
const ROLES: [&str; 13] = [
    "Application",
    "Window",
    "Group",
    "List",
    "Table",
    "Row",
    "Cell",
    "Text",
    "Heading",
    "Link",
    "Image",
    "Page",
    "Document",
];
const BLOCK_TYPES: [&str; 5] = ["text", "image", "audio", "resource_link", "resource"];
const LEVELS: [Level; 4] = [Level::Off, Level::Note, Level::Warning, Level::Error];
/// What a report file says of the result; its other members are the settings and the reason.
const RESULT: [&str; 7] = ["ok", "fatal", "truncated", "counts", "summary", "root", "findings"];
/// Sizes of chunks: each boundary, then some that drift across words and vectors of a CPU.
const CHUNKS: [usize; 5] = [1, 2, 3, 17, 64];

struct Vector {
    name: String,
    input: Vec<u8>,
    report: Json,
}

#[test]
fn every_vector_as_one_buffer() {
    let vectors = vectors();
    let wrong: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let report = validator(&vector.report).check(&vector.input);
            difference(vector, &report, "one buffer")
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_vector_in_chunks() {
    let vectors = vectors();
    // Chunks have no length beforehand: the limit is said when it is passed, an earlier fatal finding first.
    let known_beforehand = Rule::LimitBytes.code();
    let mut wrong = Vec::new();
    for vector in vectors.iter().filter(|v| v.report["counts"].get(known_beforehand).is_none()) {
        for size in CHUNKS {
            let mut stream = validator(&vector.report).stream();
            for chunk in vector.input.chunks(size) {
                stream.feed(chunk);
            }
            wrong.extend(difference(vector, &stream.finish(), &format!("chunks of {size}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_catalogue_is_the_one_of_the_vectors() {
    let rows: Json =
        serde_json::from_slice(&fs::read(home().join("catalogue.json")).unwrap()).unwrap();
    for (number, row) in rows.as_array().unwrap().iter().enumerate() {
        let rule = Rule::ALL[number];
        let ours = json!({
            "code": rule.code(),
            "level": word(rule.level()),
            "fatal": rule.fatal(),
            "section": rule.section(),
            "params": rule.parameters(),
        });
        assert_eq!(&ours, row);
    }
}

fn home() -> PathBuf {
    // From the manifest of the core crate, which this test belongs to.
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance")
}

/// All vectors whose input is bytes. Texts that hold surrogates and parsed objects are ways in of other languages.
fn vectors() -> Vec<Vector> {
    let mut found = Vec::new();
    for folder in fs::read_dir(home()).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.is_dir() && !folder.ends_with("source") {
            found.extend(fs::read_dir(folder).unwrap().filter_map(|e| read(&e.unwrap().path())));
        }
    }
    // A folder that is not found would pass every test.
    assert!(found.len() >= 610, "only {} vectors were found", found.len());
    found
}

fn read(path: &Path) -> Option<Vector> {
    let name = path.to_str().unwrap().strip_suffix(".report.json")?;
    let report: Json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let file =
        fs::read(format!("{name}.json")).or_else(|_| fs::read(format!("{name}.bin"))).unwrap();
    let input = match report["way"].as_str().unwrap() {
        "bytes" => file,
        "str" => serde_json::from_slice::<String>(&file).ok()?.into_bytes(),
        _ => return None,
    };
    Some(Vector { name: name.to_owned(), input, report })
}

fn validator(report: &Json) -> Validator {
    let mut settings = Settings::default();
    if report["kind"] == "element" {
        settings.kind = Kind::Element;
    }
    for (code, level) in report["rules"].as_object().unwrap() {
        let rule = Rule::ALL.into_iter().find(|rule| rule.code() == code).unwrap();
        settings.levels[rule as usize] = LEVELS.into_iter().find(|l| word(*l) == level).unwrap();
    }
    for (name, value) in report["limits"].as_object().unwrap() {
        set(&mut settings.limits, name, value);
    }
    Validator::new(settings)
}

fn word(level: Level) -> &'static str {
    ["off", "note", "warning", "error"][level as usize]
}

fn set(limits: &mut Limits, name: &str, value: &Json) {
    let number = value.as_u64();
    match name {
        "bytes" => limits.bytes = number,
        "nesting" => limits.nesting = number,
        "elements" => limits.elements = number,
        "depth" => limits.depth = number,
        "findings" => limits.findings = number,
        "children" => limits.children = number,
        "blocks" => limits.blocks = number,
        "subtree_bytes" => limits.subtree_bytes = number,
        "subtree_elements" => limits.subtree_elements = number,
        "content_bytes" => limits.content_bytes = number,
        "attributes_bytes" => limits.attributes_bytes = number,
        "title_characters" => limits.title_characters = number,
        "image_edge" => limits.image_edge = number,
        "media_types" => limits.media_types = serde_json::from_value(value.clone()).unwrap(),
        _ => panic!("no such limit: {name}"),
    }
}

/// The line that tells what differs from the report file.
fn difference(vector: &Vector, report: &Report, way: &str) -> Option<String> {
    let seen = seen(report);
    let member = RESULT.into_iter().find(|member| seen[*member] != vector.report[*member])?;
    let (wanted, got) = (&vector.report[member], &seen[member]);
    Some(format!("{}, {way}, {member}:\n  wanted {wanted}\n  got    {got}", vector.name))
}

/// A report in the form of a report file.
fn seen(report: &Report) -> Json {
    let counts: Map<String, Json> = Rule::ALL
        .into_iter()
        .zip(report.counts())
        .filter(|(_, count)| **count > 0)
        .map(|(rule, count)| (rule.code().to_owned(), json!(count)))
        .collect();
    json!({
        "ok": report.ok(),
        "fatal": report.is_fatal(),
        "truncated": report.truncated(),
        "counts": counts,
        "summary": report.summary().map(summary),
        "root": report.summary().and_then(|summary| summary.root).map(size),
        "findings": report.findings().iter().map(|f| finding(report, f)).collect::<Vec<_>>(),
    })
}

fn finding(report: &Report, finding: &Finding) -> Json {
    let names = finding.rule().parameters().iter();
    let values = report.parameters(finding).into_iter().map(value);
    let parameters: BTreeMap<_, _> = names.zip(values).collect();
    assert_eq!(parameters.len(), finding.rule().parameters().len());
    json!({
        "code": finding.rule().code(),
        "pointer": report.pointer(finding),
        "offset": report.offset(finding),
        "element": report.element(finding),
        "params": parameters,
    })
}

fn value(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Number(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::Words(words) => json!(words),
    }
}

fn summary(summary: &Summary) -> Json {
    json!({
        "bytes": summary.bytes,
        "elements": summary.elements,
        "depth": summary.depth,
        "roles": counted(&ROLES, &summary.roles),
        "block_types": counted(&BLOCK_TYPES, &summary.block_types),
        "instance": summary.instance(),
        "protocol": summary.protocol(),
        "focus_path": summary.focus_path().collect::<Vec<_>>(),
        "position": summary.focus_path().last().flatten(),
        "selected": summary.selected().collect::<Vec<_>>(),
        "hovered": summary.hovered(),
    })
}

fn counted(words: &[&str], counts: &[u64]) -> BTreeMap<String, u64> {
    let pairs = words.iter().zip(counts).filter(|(_, count)| **count > 0);
    pairs.map(|(word, count)| ((*word).to_owned(), *count)).collect()
}

fn size(size: Size) -> Json {
    json!({
        "bytes": size.bytes,
        "elements": size.elements,
        "height": size.height,
        "depth": size.depth,
        "content_bytes": size.content_bytes,
        "text_bytes": size.text_bytes,
        "blob_bytes": size.blob_bytes,
    })
}
