//! One buffer, chunks of any sizes, and a validator that read something else before: the same report.
//!
//! In: the inputs of the conformance vectors, broken at random (from fixed seeds) by the fragments that matter to a reader. Out:
//! any difference between reading them whole, where the express lane runs, and in chunks, where it mostly cannot. All readings
//! happen in one thread, so each begins in the scratch space that the one before left.

#![allow(clippy::unwrap_used, reason = "a test ends at what it did not expect")]
#![allow(clippy::cast_possible_truncation, reason = "random numbers are cut on purpose")]

use std::fs;
use std::path::Path;

use elementguard::{Kind, Report, Settings, Validator};

const ROUNDS: u64 = 20_000;
const CHUNKS: [usize; 7] = [1, 2, 7, 63, 64, 65, 200];

/// What breaks answers, or makes them read another way.
const FRAGMENTS: [&[u8]; 34] = [
    b"\"",
    b"\\",
    b",",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b" ",
    b"\n",
    b"null",
    b"true",
    b"false",
    b"\\ud800",
    b"\\u0041",
    b"\\/",
    b"\xC3\xA9",
    b"\xFF",
    b"\xE2\x80",
    b"\0",
    b"\x7F",
    b"0",
    b"1e5",
    b"\"id\":\"x\",",
    b"\"role\":\"Row\",",
    b"\"visible\":true,",
    b"\"focused\":false,",
    b"\"content\":[],",
    b"\"title\":\"\",",
    b"\"url\":\"javascript:x\",",
    b"\"attributes\":{\"related\":[{\"relation\":\"r\",\"id\":\"x\"}]},",
    b"\"attributes\":{\"a\":1,\"a\":2},",
    b"{\"type\":\"text\",\"text\":\"x\"},",
    b"{\"type\":\"image\",\"data\":\"iVBORw0KGgo=\",\"mimeType\":\"image/png\"},",
];

#[test]
fn chunks_change_nothing() {
    let inputs = inputs();
    let validators = validators();
    for seed in 1..=ROUNDS {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut input = inputs[random.below(inputs.len())].clone();
        for _ in 0..random.below(4) {
            break_it(&mut input, &mut random);
        }
        let validator = &validators[random.below(validators.len())];
        let size = CHUNKS[random.below(CHUNKS.len())];
        let mut stream = validator.stream();
        for chunk in input.chunks(size) {
            stream.feed(chunk);
        }
        let report = validator.check(&input);
        assert_eq!(validator.is_valid(&input), report.ok(), "seed {seed}");
        let (whole, chunked) = (text(&report), text(&stream.finish()));
        assert_eq!(
            whole,
            chunked,
            "seed {seed}, chunks of {size}: {}",
            String::from_utf8_lossy(&input)
        );
    }
}

/// Long base64, whole and faulty, alone and behind others, cut at every place.
#[test]
fn base64_may_be_cut_anywhere() {
    let validator = Validator::new(Settings::default());
    let letters = |end: &str| format!("iVBORw0KGgo{}{end}", "AbC9".repeat(60));
    let texts = [
        "A",
        "A=",
        "AB==",
        "\\/AA",
        "\\/\\/AA",
        "A-AA",
        "A\\n",
        "é",
        "\\ud83d\\ude00",
        "\\ud83d",
        "=A",
    ];
    for text in texts.map(letters) {
        let block = format!(r#"{{"type":"image","mimeType":"image/png","data":"{text}"}}"#);
        let answer = format!(
            r#"{{"protocol":"0.2.0","instance":"i","root":{{"id":"a","role":"Application","content":[{block},{block}]}}}}"#
        );
        let whole = validator.check(answer.as_bytes());
        for place in 0..answer.len() {
            let (first, second) = answer.as_bytes().split_at(place);
            let mut stream = validator.stream();
            stream.feed(first);
            stream.feed(second);
            assert_eq!(self::text(&stream.finish()), self::text(&whole), "{text} at {place}");
        }
    }
}

/// Strings, names and numbers as long as what is kept of one that is cut, a little shorter and longer: cut at every place, and in
/// chunks of all small sizes.
#[test]
fn tokens_may_be_cut_anywhere() {
    let validator = Validator::new(Settings::default());
    let ends =
        ["", "\\n", "\\/", "é", "€", "😀", "\\u20ac", "\\ud83d\\ude00", "\\ud83d", "\\ude00x"];
    for (length, end) in (62..66).flat_map(|length| ends.map(|end| (length, end))) {
        let (text, more) = (format!("{}{end}", "a".repeat(length)), "b".repeat(70));
        let digits = "1".repeat(length);
        let answer = format!(
            r#"{{"protocol":"0.2.0","instance":"{text}","root":{{"id":"{text}","role":"{text}","title":"{text}{more}","url":"http:{text}","{text}":1,"attributes":{{"{text}":{digits},"n":{digits}.5e-{digits},"{text}{more}":[{digits}],"t":true}},"subrole":"{end}{text}{end}"}}}}"#
        );
        let whole = self::text(&validator.check(answer.as_bytes()));
        for size in 1..80 {
            let mut stream = validator.stream();
            for chunk in answer.as_bytes().chunks(size) {
                stream.feed(chunk);
            }
            assert_eq!(self::text(&stream.finish()), whole, "chunks of {size}: {answer}");
        }
        for place in 0..answer.len() {
            let (first, second) = answer.as_bytes().split_at(place);
            let mut stream = validator.stream();
            stream.feed(first);
            stream.feed(second);
            assert_eq!(self::text(&stream.finish()), whole, "cut at {place}: {answer}");
        }
    }
}

/// All inputs of the vectors that are not too long to be broken often.
fn inputs() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let mut files = Vec::new();
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        if folder.is_dir() {
            files.extend(
                fs::read_dir(folder)
                    .unwrap()
                    .map(|entry| entry.unwrap().path())
                    .filter(|file| is_input(file)),
            );
        }
    }
    files.sort();
    let inputs: Vec<_> = files
        .iter()
        .map(|file| fs::read(file).unwrap())
        .filter(|input| input.len() < 20_000)
        .collect();
    assert!(inputs.len() > 500, "the vectors are not where they were");
    inputs
}

fn is_input(file: &Path) -> bool {
    let name = file.to_string_lossy();
    !name.ends_with(".report.json") && (name.ends_with(".json") || name.ends_with(".bin"))
}

/// Validators with limits that answers like these pass, and without.
fn validators() -> Vec<Validator> {
    let settings = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        Validator::new(settings)
    };
    vec![
        settings(&|_| {}),
        settings(&|settings| settings.kind = Kind::Element),
        settings(&|settings| {
            (settings.limits.findings, settings.limits.nesting) = (Some(2), Some(7));
        }),
        settings(&|settings| {
            let limits = &mut settings.limits;
            (limits.blocks, limits.content_bytes, limits.children) = (Some(1), Some(60), Some(2));
            (limits.title_characters, limits.attributes_bytes) = (Some(4), Some(20));
            (limits.subtree_bytes, limits.subtree_elements) = (Some(90), Some(2));
        }),
        settings(&|settings| {
            let limits = &mut settings.limits;
            (limits.elements, limits.depth, limits.image_edge) = (Some(5), Some(3), Some(50));
            limits.media_types = Some(vec!["image/png".to_owned()]);
        }),
    ]
}

fn break_it(input: &mut Vec<u8>, random: &mut Random) {
    if input.is_empty() {
        return;
    }
    let at = random.below(input.len());
    let to = (at + random.below(40)).min(input.len());
    match random.below(6) {
        0 => input[at] = random.next() as u8,
        1 | 2 => {
            drop(input.splice(at..at, FRAGMENTS[random.below(FRAGMENTS.len())].iter().copied()));
        }
        3 => drop(input.drain(at..to)),
        4 => input.truncate(at),
        // What stands where decides which windows the express lane looks through.
        _ => drop(input.splice(0..0, vec![b' '; random.below(80)])),
    }
}

fn text(report: &Report) -> String {
    let findings = report.findings().iter().map(|finding| {
        let place = (report.offset(finding), report.pointer(finding), report.element(finding));
        format!("{} {place:?} {:?}\n", finding.rule().code(), report.parameters(finding))
    });
    let findings: String = findings.collect();
    format!("{} {:?} {:?}\n{findings}", report.truncated(), report.counts(), report.summary())
}

/// Xorshift: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}
