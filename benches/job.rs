//! benches, what both programs do: read answers from a file and check them.
//!
//! In: the arguments `FILE TIMES CHUNK NESTING`: a JSON file or one of JSON lines; how often to check all of it; the size of chunks
//! (0: each answer in one piece); the limit of nesting (0: none). Out: what the last answers' reports say in sum, so that whoever
//! counts or weighs can see that the work was done.

use std::env;
use std::fs;
use std::io;
use std::path::Path;

use elementguard::{Limits, Settings, Validator};

/// What to do.
pub(crate) struct Job {
    answers: Vec<Vec<u8>>,
    /// How often.
    pub(crate) times: usize,
    chunk: usize,
    validator: Validator,
}

/// What came of it.
#[derive(Default)]
pub(crate) struct Sum {
    elements: u64,
    findings: u64,
    fatal: u64,
}

impl Job {
    /// As the arguments say.
    pub(crate) fn from_arguments() -> io::Result<Self> {
        let given: Vec<String> = env::args().skip(1).collect();
        let number = |place: usize| given.get(place).and_then(|text| text.parse().ok());
        let (Some(file), Some(times)) = (given.first(), number(1)) else {
            return Err(io::Error::other("FILE TIMES [CHUNK [NESTING]]"));
        };
        let nesting = match number(3) {
            Some(0) => None,
            Some(most) => Some(most as u64),
            None => Limits::default().nesting,
        };
        let limits = Limits { nesting, ..Limits::default() };
        let validator = Validator::new(Settings { limits, ..Settings::default() });
        Ok(Self {
            answers: read(Path::new(file))?,
            times,
            chunk: number(2).unwrap_or(0),
            validator,
        })
    }

    /// Checks all answers once.
    pub(crate) fn run(&self) -> Sum {
        let mut sum = Sum::default();
        for answer in &self.answers {
            let report = if self.chunk == 0 {
                self.validator.check(answer)
            } else {
                let mut stream = self.validator.stream();
                for chunk in answer.chunks(self.chunk) {
                    stream.feed(chunk);
                }
                stream.finish()
            };
            sum.elements += report.summary().map_or(0, |summary| summary.elements);
            sum.findings += report.counts().iter().sum::<u64>();
            sum.fatal += u64::from(report.is_fatal());
        }
        sum
    }
}

impl Sum {
    /// For whoever reads the output.
    pub(crate) fn said(&self) -> String {
        format!("{} {} {}", self.elements, self.findings, self.fatal)
    }
}

fn read(file: &Path) -> io::Result<Vec<Vec<u8>>> {
    let text = fs::read(file)?;
    if file.extension().is_some_and(|name| name == "jsonl") {
        return Ok(text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect());
    }
    Ok(vec![text])
}
