//! settings: what a caller may choose: limits, levels, and whether an answer or a fragment is read.
//!
//! In: the caller's wishes. Out: one value that is shared by all readings and never changes.

use crate::media::{self, MediaType};
use crate::report::MOST_ELEMENTS;
use crate::rules::table::{Level, Rule};

/// How much an answer may hold (5.7, 5.5). `None` means no limit; 0 is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The answer's length in bytes.
    pub bytes: Option<u64>,
    /// Objects and arrays within each other, anywhere; the answer object is 1.
    pub nesting: Option<u64>,
    /// Elements in the answer.
    pub elements: Option<u64>,
    /// Levels of the tree; the root is 1.
    pub depth: Option<u64>,
    /// Findings that a report keeps; all are counted.
    pub findings: Option<u64>,
    /// Children of one element.
    pub children: Option<u64>,
    /// Content blocks of one element.
    pub blocks: Option<u64>,
    /// Bytes of the subtree of an element below the root.
    pub subtree_bytes: Option<u64>,
    /// Elements in the subtree of an element below the root.
    pub subtree_elements: Option<u64>,
    /// Bytes of one element's own `content` array.
    pub content_bytes: Option<u64>,
    /// Bytes of one element's `attributes` object.
    pub attributes_bytes: Option<u64>,
    /// Characters of a title.
    pub title_characters: Option<u64>,
    /// Pixels of an image's wider side.
    pub image_edge: Option<u64>,
    /// The media types that images, audio and blobs of those kinds may have.
    pub media_types: Option<Vec<String>>,
}

impl Default for Limits {
    /// No limit but a nesting of 1,024 and 100 findings.
    fn default() -> Self {
        Self {
            bytes: None,
            nesting: Some(1024),
            elements: None,
            depth: None,
            findings: Some(100),
            children: None,
            blocks: None,
            subtree_bytes: None,
            subtree_elements: None,
            content_bytes: None,
            attributes_bytes: None,
            title_characters: None,
            image_edge: None,
            media_types: None,
        }
    }
}

/// What is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// An answer: `protocol`, `instance`, `root`.
    #[default]
    Answer,
    /// One element without its answer (contract §5).
    Element,
}

/// All that a caller chooses.
///
/// ```
/// use elementguard::{Level, Rule, Settings};
///
/// let mut settings = Settings::default();
/// settings.levels[Rule::UnknownRole as usize] = Level::Off;
/// settings.limits.elements = Some(50_000);
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    /// The limits.
    pub limits: Limits,
    /// The level of each rule, by its number. The fatal ones, `duplicate-member` and `lone-surrogate` stay as they are.
    pub levels: [Level; Rule::COUNT],
    /// What is read.
    pub kind: Kind,
}

impl Default for Settings {
    fn default() -> Self {
        Self { limits: Limits::default(), levels: Rule::ALL.map(Rule::level), kind: Kind::Answer }
    }
}

/// The settings as the rules use them.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) limits: Limits,
    pub(crate) levels: [Level; Rule::COUNT],
    pub(crate) kind: Kind,
    /// The most elements.
    pub(crate) elements: u64,
    /// The most levels of elements, as far as `depth` and `nesting` allow them.
    pub(crate) levels_of_elements: u64,
    /// The media types allowed, each with the row of the format it names.
    pub(crate) media_types: Option<Vec<(String, Option<usize>)>>,
}

impl Compiled {
    pub(crate) fn new(settings: Settings) -> Self {
        let Settings { limits, mut levels, kind } = settings;
        for rule in Rule::ALL.into_iter().filter(|rule| !rule.movable()) {
            levels[rule as usize] = rule.level();
        }
        let media_types =
            limits.media_types.as_ref().map(|types| types.iter().map(|name| known(name)).collect());
        let elements = limits.elements.unwrap_or(MOST_ELEMENTS).min(MOST_ELEMENTS);
        let levels_of_elements = nested(kind, limits.nesting).min(limits.depth.unwrap_or(u64::MAX));
        Self { limits, levels, kind, elements, levels_of_elements, media_types }
    }

    /// The most findings to keep.
    pub(crate) fn most_findings(&self) -> usize {
        self.limits.findings.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX))
    }
}

/// How many elements may be open within each other: each has an array around it, but the first.
fn nested(kind: Kind, nesting: Option<u64>) -> u64 {
    let outer = u64::from(kind == Kind::Element);
    nesting.map_or(u64::MAX, |allowed| allowed.saturating_add(outer) / 2)
}

/// A media type without its parameters, in lower case, and its format's row.
fn known(name: &str) -> (String, Option<usize>) {
    let mut media_type = MediaType::default();
    media_type.feed(name.as_bytes());
    let essence = if media_type.well_formed() {
        String::from_utf8_lossy(media_type.essence()).into_owned()
    } else {
        name.to_ascii_lowercase()
    };
    let row = media::row_of(essence.as_bytes());
    (essence, row)
}
