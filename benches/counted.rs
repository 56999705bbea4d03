//! benches, the counted program: `instructions.py` runs it under callgrind.
//!
//! In: the arguments of `job`. Out: the kernel's name, and what the reports say in sum. Two runs that differ in how often they check
//! differ in nothing else: what starts the program and reads the file is in both.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program talks to who runs it")]

#[path = "job.rs"]
mod job;

use std::process::ExitCode;

fn main() -> ExitCode {
    let job = match job::Job::from_arguments() {
        Ok(job) => job,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut last = job::Sum::default();
    for _ in 0..job.times {
        last = job.run();
    }
    println!("{} {}", elementguard::kernel_name(), last.said());
    ExitCode::SUCCESS
}
