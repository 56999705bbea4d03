//! The conformance vectors once more, with each kernel that can run here.
//!
//! In: the tests of `conformance.rs`. Out: whether they hold when `ELEMENTGUARD_KERNEL` forces a kernel. A process has one kernel
//! for its life, so this program runs itself, and what runs in the child says which kernel it was.

#![allow(clippy::unwrap_used, reason = "a test ends at what it did not expect")]

use std::env;
use std::process::{Command, Output};

use elementguard::{kernel, kernel_name, kernels};

#[path = "conformance.rs"]
mod conformance;

const VARIABLE: &str = "ELEMENTGUARD_KERNEL";

/// Runs the tests of this program that have `name` in theirs, under a forced kernel.
fn run(forced: &str, name: &str) -> (Output, String) {
    let program = env::current_exe().unwrap();
    let child =
        Command::new(program).env(VARIABLE, forced).args([name, "--nocapture"]).output().unwrap();
    let said = [child.stdout.as_slice(), &child.stderr].map(String::from_utf8_lossy).concat();
    (child, said)
}

#[test]
fn every_vector_with_every_kernel() {
    for name in kernels() {
        let (child, said) = run(name, "conformance::every_vector");
        assert!(child.status.success() && said.contains("2 passed"), "{name}: {said}");
        let (child, said) = run(name, "says_which_kernel_runs");
        let ran = format!("the kernel is {name}, and it was asked for");
        assert!(child.status.success() && said.contains(&ran), "{name}: {said}");
    }
}

#[test]
fn a_kernel_that_is_missing_is_told() {
    let (child, said) = run("avx1024", "says_which_kernel_runs");
    let best = kernels().last().unwrap();
    let told = "ELEMENTGUARD_KERNEL names no kernel that can run here";
    assert!(child.status.success() && said.contains(told), "{said}");
    assert!(said.contains(&format!("{best} runs")), "{said}");
}

/// What the others read of their children.
#[test]
fn says_which_kernel_runs() {
    match kernel() {
        Ok(name) => {
            assert_eq!(name, kernel_name());
            let asked = env::var(VARIABLE).is_ok_and(|forced| forced == name);
            println!(
                "the kernel is {name}, and it was {}",
                if asked { "asked for" } else { "free" }
            );
        }
        Err(missing) => println!("{missing}"),
    }
}
