//! benches, the weighed program: `memory.py` asks it how much memory a check takes beside the answer.
//!
//! In: the arguments of `job`; or `images BYTES CHUNK`: an answer of that size made of pictures, which is made while it is read; or
//! `load FILE`: then what is told is not the most, but what a loaded answer holds beside its bytes.
//! Out: the most memory that the process had; the most bytes that were alive at once beyond those alive before, as a counting
//! allocator saw them; what the reports say in sum. What the allocator itself wastes is not in the second number, but in the first.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program talks to who runs it")]

#[path = "job.rs"]
mod job;

use std::alloc::{GlobalAlloc, Layout, System};
use std::env;
use std::fs;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use elementguard::{Report, Settings, Stream, Validator};

static ALIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, with a tally.
struct Scales;

#[global_allocator]
static SCALES: Scales = Scales;

// SAFETY: every call goes to the system's allocator with the arguments as they came; the tally touches no memory of theirs.
unsafe impl GlobalAlloc for Scales {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promise is the one asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is the one asked for.
        unsafe { System.dealloc(pointer, layout) }
    }

    // What grows may have to be moved: old and new are alive together until it is.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        ALIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is the one asked for.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn add(size: usize) {
    let alive = ALIVE.fetch_add(size, Relaxed) + size;
    MOST.fetch_max(alive, Relaxed);
}

/// The most that was alive at once during the work, beyond what was before.
fn weigh(work: impl FnOnce() -> String) -> (usize, String) {
    let before = ALIVE.load(Relaxed);
    MOST.store(before, Relaxed);
    let said = work();
    (MOST.load(Relaxed) - before, said)
}

/// What an index and its table of ids keep alive; another one is alive as well, so that no room is taken over from it.
fn held(file: &str) -> (usize, String) {
    let answer = fs::read(file).unwrap_or_default();
    let validator = Validator::new(Settings::default());
    let load = || {
        let (_, index) = validator.load(&answer);
        let found = index.as_ref().and_then(|index| index.find(&answer, b"no such id"));
        (index, usize::from(found.is_some()))
    };
    let other = load();
    let before = ALIVE.load(Relaxed);
    let (index, found) = load();
    let alive = ALIVE.load(Relaxed);
    drop(other);
    (alive.saturating_sub(before), format!("{} {found}", index.map_or(0, |index| index.len())))
}

fn main() -> ExitCode {
    let given: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize| given.get(place).and_then(|text| text.parse().ok());
    let (most, said) = match (given.first(), number(1), number(2)) {
        (Some(word), Some(size), Some(chunk)) if word == "images" => weigh(|| images(size, chunk)),
        (Some(word), ..) if word == "load" => held(given.get(1).map_or("", String::as_str)),
        _ => match job::Job::from_arguments() {
            Ok(job) if job.times == 0 => (0, "loaded".to_owned()),
            Ok(job) => weigh(|| job.run().said()),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        },
    };
    println!("{} {most} {said}", resident());
    ExitCode::SUCCESS
}

/// The most memory that this process had, in bytes, as Linux tells it; elsewhere 0.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|rest| rest.trim().strip_suffix(" kB"));
    kibibytes.and_then(|number| number.parse::<usize>().ok()).unwrap_or(0) * 1024
}

/// A megabyte of base64 in each element, until the answer is that long; in chunks of one size.
fn images(size: usize, chunk: usize) -> String {
    const PIECE: &str = "data/inthe+shape0ofBase64/64/abc";
    let piece = PIECE.repeat(chunk / PIECE.len());
    let mut provider = Provider {
        stream: Validator::new(Settings::default()).stream(),
        waiting: Vec::new(),
        chunk,
        made: 0,
    };
    provider.say(r#"{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":["#);
    let mut number = 0;
    while provider.made < size {
        let comma = if number == 0 { "" } else { "," };
        let id = format!(r#"{comma}{{"id":"n-{number}","role":"Image","content":[{{"#);
        provider.say(&id);
        provider.say(r#""type":"image","mimeType":"image/x-own","data":""#);
        for _ in 0..(1 << 20) / piece.len() {
            provider.say(&piece);
        }
        provider.say(r#""}]}"#);
        number += 1;
    }
    provider.say("]}}");
    let report = provider.finish();
    let elements = report.summary().map_or(0, |summary| summary.elements);
    format!("{elements} {} {}", report.counts().iter().sum::<u64>(), u64::from(report.is_fatal()))
}

/// Cuts what it says into chunks.
struct Provider {
    stream: Stream,
    waiting: Vec<u8>,
    chunk: usize,
    made: usize,
}

impl Provider {
    fn say(&mut self, text: &str) {
        self.made += text.len();
        self.waiting.extend_from_slice(text.as_bytes());
        let ready = self.waiting.len() / self.chunk * self.chunk;
        for chunk in self.waiting[..ready].chunks(self.chunk) {
            self.stream.feed(chunk);
        }
        self.waiting.drain(..ready);
    }

    fn finish(mut self) -> Report {
        self.stream.feed(&self.waiting);
        self.stream.finish()
    }
}
