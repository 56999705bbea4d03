//! stream: the way in for bytes: one buffer, or chunks of any sizes.
//!
//! In: settings, then bytes. Out: a [`Report`], the same whatever the chunks were.

use std::sync::Arc;

use crate::express;
use crate::index::{Index, Rows};
use crate::lexer::Lexer;
use crate::pointer::Spot;
use crate::report::{Fatal, Report};
use crate::rules::table::Rule;
use crate::scratch;
use crate::settings::{Compiled, Settings};
use crate::tree::Tree;
use crate::walk::{self, Walk};

/// An answer of at most so many bytes is copied before it is read.
const SMALL: usize = 16 << 10;

/// A chunk of fewer bytes is read byte by byte.
const FEW: usize = 32;

/// Settings, made ready to check answers; shared freely between threads.
#[derive(Clone, Debug)]
pub struct Validator {
    settings: Arc<Compiled>,
}

impl Validator {
    /// Makes a validator.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(Compiled::new(settings)) }
    }

    /// Checks an answer that is there as a whole.
    #[must_use]
    pub fn check(&self, answer: &[u8]) -> Report {
        Self::read(self.stream(), answer).finish()
    }

    /// Checks an answer that is there as a whole, and says where its elements stand; not so after a fatal finding.
    #[must_use]
    pub fn load(&self, answer: &[u8]) -> (Report, Option<Index>) {
        Self::read(self.loading_stream(answer.len() as u64), answer).load()
    }

    /// Whether an answer has no error; nothing else is gathered.
    #[must_use]
    pub fn is_valid(&self, answer: &[u8]) -> bool {
        let mut stream = self.stream();
        stream.tree.names.places.wont_be_asked();
        Self::read(stream, answer).is_valid()
    }

    fn read(mut stream: Stream, answer: &[u8]) -> Stream {
        stream.announce(answer.len() as u64);
        if stream.fatal.is_none() {
            stream.tree.ids.is_at_hand = true;
            let read =
                if answer.len() <= SMALL { stream.read_small(answer) } else { stream.read(answer) };
            stream.tree.ids.is_at_hand = false;
            match read {
                Ok(()) if stream.tree.ids.is_empty() => {}
                Ok(()) => stream.tree.dangling_related(answer),
                Err(fatal) => stream.fatal = Some(fatal),
            }
        }
        stream
    }

    /// Begins to read an answer that comes in chunks.
    #[must_use]
    pub fn stream(&self) -> Stream {
        let tree = scratch::take(&self.settings, true);
        let allowed = self.settings.limits.bytes.unwrap_or(u64::MAX);
        Stream { lexer: Lexer::new(), tree, allowed, fatal: None }
    }

    /// Begins to read an answer of at most so many bytes that comes in chunks, and is to be loaded.
    #[must_use]
    pub fn loading_stream(&self, most: u64) -> Stream {
        let mut stream = self.stream();
        stream.tree.index = Some(Rows::new(most, most));
        stream
    }

    /// Begins to walk over a parsed object that is to be loaded.
    #[must_use]
    pub fn loading_walk(&self) -> Walk {
        let mut tree = scratch::take(&self.settings, false);
        tree.index = Some(Rows::new(walk::most_bytes(&tree), 0));
        Walk::new(tree)
    }

    /// Begins to walk over a parsed object.
    #[must_use]
    pub fn walk(&self) -> Walk {
        Walk::new(scratch::take(&self.settings, false))
    }
}

/// An answer that comes in chunks.
///
/// ```
/// use elementguard::{Settings, Validator};
///
/// let mut stream = Validator::new(Settings::default()).stream();
/// for chunk in [&b"{\"protocol\":\"0."[..], b"2.0\",", b"oops"] {
///     stream.feed(chunk);
/// }
/// assert!(stream.failed());
/// assert_eq!(stream.finish().findings()[0].rule().code(), "json-syntax");
/// ```
#[derive(Debug)]
pub struct Stream {
    lexer: Lexer,
    tree: Box<Tree>,
    /// The most bytes of an answer.
    allowed: u64,
    fatal: Option<Fatal>,
}

impl Stream {
    /// Says before the first chunk how long the answer is: one that is too long is refused before a
    /// byte is read (contract §2, `limit-bytes`).
    pub fn announce(&mut self, length: u64) {
        if length > self.allowed {
            self.fatal = Some(too_long(self.allowed));
        }
    }

    /// Reads one more chunk; says whether no error is certain yet. Behind a fatal finding, chunks are ignored.
    #[inline]
    pub fn feed(&mut self, chunk: &[u8]) -> bool {
        if self.fatal.is_none() {
            self.go_on(chunk);
        }
        !self.failed()
    }

    /// Of chunks of one byte there may be millions, so they go straight to where they are read.
    #[inline]
    fn go_on(&mut self, chunk: &[u8]) {
        let read = match *chunk {
            [byte] if self.lexer.offset() < self.allowed => {
                if self.lexer.put_down(byte) {
                    return;
                }
                self.lexer.feed_byte(byte, &mut *self.tree)
            }
            _ => self.read(chunk),
        };
        if let Err(fatal) = read {
            self.fatal = Some(fatal);
        }
        self.tree.settle_ids();
    }

    /// Whether the report will have an error.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.is_fatal() || self.tree.findings.has_error()
    }

    /// How many bytes were read.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.lexer.offset()
    }

    /// Whether the report is certain: there is a fatal finding, and more chunks change nothing.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.fatal.is_some()
    }

    /// Ends the answer.
    #[must_use]
    pub fn finish(mut self) -> Report {
        self.end();
        self.finish_ended()
    }

    #[inline(always)]
    fn finish_ended(mut self) -> Report {
        let whole = self.whole();
        let report = match self.fatal {
            Some(fatal) => self.tree.give_up(fatal),
            None => self.tree.finish(self.lexer.offset()),
        };
        scratch::give_back(self.tree, whole);
        report
    }

    /// Ends an answer that was to be loaded: the report, and unless there is a fatal finding where its elements stand.
    #[must_use]
    pub fn load(mut self) -> (Report, Option<Index>) {
        self.end();
        let rows = self.tree.index.take().filter(|_| self.fatal.is_none());
        (self.finish_ended(), rows.map(Index::new))
    }

    /// Ends the answer: whether it has no error.
    #[must_use]
    pub fn is_valid(mut self) -> bool {
        self.end();
        let valid = self.fatal.is_none() && self.tree.is_valid();
        let whole = self.whole();
        scratch::give_back(self.tree, whole);
        valid
    }

    /// How long the answer is, if it was read to its end.
    fn whole(&self) -> Option<u64> {
        self.fatal.is_none().then(|| self.lexer.offset())
    }

    fn end(&mut self) {
        if self.fatal.is_none() {
            self.fatal = self.lexer.finish(&mut *self.tree).err();
        }
    }

    /// Reads an answer that is small enough to be copied to where something stands behind it, so that looks ahead need no care.
    fn read_small(&mut self, answer: &[u8]) -> Result<(), Fatal> {
        let mut copy = std::mem::take(&mut self.tree.copy);
        copy.clear();
        copy.extend_from_slice(answer);
        copy.extend_from_slice(&[0; express::AHEAD]);
        let read = self.lexer.feed(answer.len(), &copy, &mut *self.tree);
        self.tree.copy = copy;
        read
    }

    /// Reads a chunk as far as the limit; nothing behind it is looked at.
    fn read(&mut self, chunk: &[u8]) -> Result<(), Fatal> {
        let room = self.allowed.saturating_sub(self.lexer.offset());
        if chunk.len() as u64 > room {
            self.lexer.feed(room as usize, &chunk[..room as usize], &mut *self.tree)?;
            return Err(too_long(self.allowed));
        }
        if chunk.len() < FEW {
            self.lexer.feed_few(chunk, &mut *self.tree)
        } else if chunk.len() <= SMALL {
            self.read_small(chunk)
        } else {
            self.lexer.feed(chunk.len(), chunk, &mut *self.tree)
        }
    }
}

/// The answer is longer than allowed; the first count that is too many is said, whatever the length.
pub(crate) fn too_long(allowed: u64) -> Fatal {
    Fatal::limit(
        Rule::LimitBytes,
        "bytes",
        allowed,
        Spot::ANSWER,
        allowed,
        allowed.saturating_add(1),
    )
}
