//! Validator for answers of element providers: Elements 0.2.0, section 5 of the protocol.
//!
//! A provider tells a host what the user has open and points at: one JSON answer, a tree of elements. This crate reads an answer
//! once, front to back, in one buffer or in chunks of any size, checks every rule and every limit, adds up the sizes of subtrees,
//! and gives a [`Report`]: each finding with its rule, its offset, its JSON Pointer, its element and its parameters.
//!
//! ```
//! use elementguard::{Settings, Validator};
//!
//! let validator = Validator::new(Settings::default());
//! let report = validator.check(br#"{"protocol":"0.2.0","instance":"i","root":{"id":"a b","role":"Application"}}"#);
//! let finding = &report.findings()[0];
//! assert_eq!(finding.rule().code(), "malformed-id");
//! assert_eq!(report.pointer(finding), "/root/id");
//! assert_eq!(report.offset(finding), Some(48));
//! assert!(!report.ok());
//! ```
//!
//! The rooms, in the order in which an answer goes through them:
//!
//! - `scan`: bytes -> what matters in them
//! - `lexer`: bytes -> tokens, resumable at any byte
//! - `tree` with `begin`, `reader`, `names`, `slot` and `sink`: `tokens` -> members, ends of elements, the end of the answer
//! - `express`: what clean answers are made of, from bytes to moments without tokens
//! - `rules`: moments -> findings, one file for each section of the spec
//! - `id_table` with `tags`: which element used an id first; `blocks` holds what an answer has many of
//! - `report` with `pointer`: findings, in order, capped and counted
//! - `index`: where the elements of a loaded answer stand, filled in the same pass
//!
//! `word`, `role`, `text`, `uri`, `number`, `base64`, `media` are machines that judge one string or number each,
//! piece by piece, in constant memory. `walk` says for a parsed object the tokens that the lexer would say for its text,
//! and has a ride of its own for what clean ones are made of.

#![deny(unsafe_code)]
#![allow(
    clippy::inline_always,
    reason = "a kernel's steps must be inlined into code that is compiled for it, and the lane's into each other"
)]
#![allow(
    clippy::cast_possible_truncation,
    reason = "what is narrowed is bounded where it comes from: elements by `MOST`, ids and words by their lengths"
)]

mod base64;
mod begin;
mod blocks;
mod digest;
mod digests;
mod express;
mod findings;
mod id_table;
mod index;
mod lexer;
mod media;
mod names;
mod number;
mod pointer;
mod reader;
mod report;
mod role;
mod rules;
#[allow(unsafe_code, reason = "its kernels call what processors offer for scanning bytes")]
mod scan;
mod scratch;
mod settings;
mod sink;
mod size;
mod slot;
mod stream;
mod tags;
mod text;
mod tokens;
mod tree;
mod uri;
mod walk;
mod word;

pub use findings::Finding;
pub use index::{Index, Member, Seen, string_at};
pub use report::{Report, Value};
pub use rules::shape::{BlockType, Role};
pub use rules::table::{Level, Rule};
#[cfg(any(test, fuzzing))]
pub use scan::hold_every_kernel;
pub use scan::{MissingKernel, kernel, kernel_name, kernels};
pub use settings::{Kind, Limits, Settings};
pub use size::{Size, Summary};
pub use stream::{Stream, Validator};
pub use walk::{KnownNames, Look, Parsed, Source, Stopped, Walk};

/// What README.md shows, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
