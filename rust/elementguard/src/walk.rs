//! walk: parsed objects -> the tokens that their compact JSON would be.
//!
//! In: values one after the other, as a caller walks them; nothing is serialised. Out: the same tokens that the lexer would say,
//! at the offsets that compact JSON would have (contract §6), so that order, sizes and limits are those of the text; only the
//! offsets of findings are left out of the report. Where a caller can show what comes next ([`Source`]), what clean objects are
//! made of is read without tokens (`ride`, with `member`, `block`, `attributes` and `envelope`); the rest is told value by value.

use crate::index::Index;
use crate::report::{Fatal, Report};
use crate::scan;
use crate::scratch;
use crate::stream::too_long;
use crate::tokens::Tokens;
use crate::tree::Tree;

mod attributes;
mod block;
mod envelope;
mod json;
mod known;
mod member;
mod parsed;
mod ride;

pub use known::KnownNames;
pub(crate) use known::Names;
pub use parsed::{Look, Parsed, Source};

/// Without a limit of bytes the walk ends here: one container may be held in many places.
const MOST_BYTES: u64 = 1 << 31;

/// The walk met a fatal finding: nothing more will be read, [`Walk::finish`] says what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// A walk over a parsed object.
///
/// Values are told in the order of the JSON text: a name before each value in an object, `end` calls behind the last. Text is
/// UTF-8, or WTF-8 where a surrogate stands alone.
///
/// ```
/// use elementguard::{Settings, Validator};
///
/// let validator = Validator::new(Settings::default());
/// let mut walk = validator.walk();
/// walk.begin_array()?;
/// walk.boolean(true)?;
/// walk.end_array()?;
/// let report = walk.finish();
/// assert_eq!(report.findings()[0].rule().code(), "wrong-type");
/// # Ok::<(), elementguard::Stopped>(())
/// ```
#[derive(Debug)]
pub struct Walk {
    tree: Box<Tree>,
    /// Bytes of compact JSON so far.
    at: u64,
    allowed: u64,
    /// Whether a name was told and its value was not yet.
    named: bool,
    fatal: Option<Fatal>,
}

impl Walk {
    pub(crate) fn new(tree: Box<Tree>) -> Self {
        let allowed = most_bytes(&tree);
        Self { tree, at: 0, allowed, named: false, fatal: None }
    }

    /// An object begins.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding, here and in all calls below.
    pub fn begin_object(&mut self) -> Result<(), Stopped> {
        let at = self.value(1)?;
        let result = self.tree.object_begin(at);
        self.settle(result)
    }

    /// The innermost object ends.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn end_object(&mut self) -> Result<(), Stopped> {
        let at = self.take(1)?;
        self.tree.object_end(at + 1);
        Ok(())
    }

    /// An array begins.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn begin_array(&mut self) -> Result<(), Stopped> {
        let at = self.value(1)?;
        let result = self.tree.array_begin(at);
        self.settle(result)
    }

    /// The innermost array ends.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn end_array(&mut self) -> Result<(), Stopped> {
        let at = self.take(1)?;
        self.tree.array_end(at + 1);
        Ok(())
    }

    /// A member's name.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn name(&mut self, text: &[u8]) -> Result<(), Stopped> {
        self.comma()?;
        let (length, is_whole) = measure(text);
        let at = self.take(length)?;
        self.take(1)?;
        self.named = true;
        if is_whole {
            self.tree.name(at, text);
        } else {
            self.tree.name_begin(at);
            self.pieces(at, text);
            self.tree.name_end();
        }
        Ok(())
    }

    /// A string.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn string(&mut self, text: &[u8]) -> Result<(), Stopped> {
        let (length, is_whole) = measure(text);
        let at = self.value(length)?;
        if is_whole {
            self.tree.string(at, text);
        } else {
            self.tree.string_begin(at);
            self.pieces(at, text);
            self.tree.string_end();
        }
        Ok(())
    }

    /// A number, as JSON writes it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn number(&mut self, text: &[u8]) -> Result<(), Stopped> {
        let at = self.value(text.len() as u64)?;
        self.tree.number(at, text);
        Ok(())
    }

    /// `true` or `false`.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn boolean(&mut self, value: bool) -> Result<(), Stopped> {
        let at = self.value(if value { 4 } else { 5 })?;
        self.tree.boolean(at, value);
        Ok(())
    }

    /// `null`.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn null(&mut self) -> Result<(), Stopped> {
        let at = self.value(4)?;
        self.tree.null(at);
        Ok(())
    }

    /// A value that JSON has no word for; `found` is what the finding calls it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] at a fatal finding.
    pub fn foreign(&mut self, found: &str) -> Result<(), Stopped> {
        let at = self.value(0)?;
        self.tree.foreign(at, found.as_bytes());
        Ok(())
    }

    /// A name that is no string; its member must be skipped.
    pub fn foreign_name(&mut self, found: &str) {
        if self.fatal.is_none() {
            self.tree.foreign_name(found.as_bytes());
        }
    }

    /// Whether a ride may begin here.
    #[must_use]
    pub fn may_ride(&self) -> bool {
        self.fatal.is_none() && !self.named && ride::begins_at(self.tree.path.container())
    }

    /// Reads on for as long as nothing unusual stands there; gives how many values it took. Whether it ran cannot be seen in the
    /// report.
    ///
    /// The source stands where the walk does: what is open in one is open in the other. The names are those of rides before.
    pub fn ride<'a, S: Source<'a>>(
        &mut self,
        source: &mut S,
        names: &mut KnownNames<<S::Value as Parsed<'a>>::Held>,
    ) -> u32 {
        if self.may_ride() { ride::run(self, source, names) } else { 0 }
    }

    /// Whether the report will have an error.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.fatal.is_some() || self.tree.findings.has_error()
    }

    /// The report.
    #[must_use]
    pub fn finish(mut self) -> Report {
        let read = self.read();
        let report = match self.fatal {
            Some(fatal) => self.tree.give_up(fatal),
            None => self.tree.finish(self.at),
        };
        scratch::give_back(self.tree, read);
        report
    }

    /// The report, and unless there is a fatal finding where the elements stand in the compact JSON of the object.
    #[must_use]
    pub fn load(mut self) -> (Report, Option<Index>) {
        let rows = self.tree.index.take().filter(|_| self.fatal.is_none());
        (self.finish(), rows.map(Index::new))
    }

    /// Whether the report would have no error.
    #[must_use]
    pub fn is_valid(mut self) -> bool {
        let valid = self.fatal.is_none() && self.tree.is_valid();
        let read = self.read();
        scratch::give_back(self.tree, read);
        valid
    }

    /// How much was read, unless it was given up.
    fn read(&self) -> Option<u64> {
        self.fatal.is_none().then_some(self.at)
    }

    /// A value begins that is so long.
    fn value(&mut self, length: u64) -> Result<u64, Stopped> {
        if !std::mem::take(&mut self.named) {
            self.comma()?;
        }
        self.take(length)
    }

    /// Whatever stands in an object or array already wants a comma behind it.
    fn comma(&mut self) -> Result<(), Stopped> {
        if self.tree.path.is_filled() { self.take(1).map(|_| ()) } else { Ok(()) }
    }

    /// Takes so many bytes, if there may be that many.
    fn take(&mut self, length: u64) -> Result<u64, Stopped> {
        if self.fatal.is_some() {
            return Err(Stopped);
        }
        let (at, end) = (self.at, self.at.saturating_add(length));
        if end > self.allowed {
            return self.settle(Err(too_long(self.allowed))).map(|()| at);
        }
        self.at = end;
        Ok(at)
    }

    fn settle(&mut self, result: Result<(), Fatal>) -> Result<(), Stopped> {
        result.map_err(|fatal| {
            self.fatal = Some(fatal);
            Stopped
        })
    }

    /// Tells a text with lone surrogates piece by piece.
    fn pieces(&mut self, at: u64, text: &[u8]) {
        let mut written = at + 1;
        let mut rest = text;
        while let Some(place) = json::surrogate(rest) {
            let (piece, behind) = rest.split_at(place);
            self.tree.piece(piece);
            written += json::length(piece) - 2;
            let unit = 0xD000 | u16::from(behind[1] & 0x3F) << 6 | u16::from(behind[2] & 0x3F);
            self.tree.lone(written, unit);
            written += 6;
            rest = &behind[3..];
        }
        self.tree.piece(rest);
    }
}

/// The most bytes that a walk may count.
pub(crate) fn most_bytes(tree: &Tree) -> u64 {
    tree.settings.limits.bytes.unwrap_or(MOST_BYTES)
}

/// How long a text is in compact JSON, with its quotation marks, and whether no lone surrogate is in it.
fn measure(text: &[u8]) -> (u64, bool) {
    let run = scan::string(text);
    if run.plain == text.len() && !run.odd {
        return (text.len() as u64 + 2, true);
    }
    (json::length(text), json::surrogate(text).is_none())
}
