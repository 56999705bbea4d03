//! size: what subtrees and the whole answer amount to (contract §3).
//!
//! In: what the tree adds up while elements close. Out: [`Size`] of an element and [`Summary`] of an answer.

/// What one element and all below it amount to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// From the element's `{` to its `}`, both counted, as sent.
    pub bytes: u64,
    /// The element itself and all below it.
    pub elements: u64,
    /// Levels from this element down: 1 for a leaf.
    pub height: u64,
    /// The element's level: 1 for the root.
    pub depth: u64,
    /// The `content` arrays of the subtree, from `[` to `]`.
    pub content_bytes: u64,
    /// The UTF-8 length, unescaped, of the text in the subtree's text blocks and embedded resources.
    pub text_bytes: u64,
    /// The decoded length of the base64 in the subtree's blocks; malformed base64 counts 0.
    pub blob_bytes: u64,
}

/// What a whole answer amounts to, and where its user is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The length of the input, white space around it included.
    pub bytes: u64,
    /// How many elements there are.
    pub elements: u64,
    /// The deepest level; the root is 1.
    pub depth: u64,
    /// Elements by role, as a receiver reads it, in the order of 5.2.
    pub roles: [u64; 13],
    /// Blocks by type, in the order of 5.5.
    pub block_types: [u64; 5],
    /// The size of the root, or of the fragment's top.
    pub root: Option<Size>,
    /// The UTF-8 of the texts that follow, one behind the other.
    texts: Vec<u8>,
    instance: Span,
    protocol: Span,
    hovered: Span,
    /// The ids of the focused elements, then those of the selected ones, before each its length; an unusable one has none.
    ids: Vec<u8>,
    focused: usize,
    selected: usize,
}

/// Room for the texts, and for the ids, of most answers.
const MOST_ANSWERS: usize = 64;

/// From so many ids on it is worth asking how long they are.
pub(crate) const FEW_IDS: usize = 8;

/// Where a text ends and begins in the summary's texts; nothing if there is none.
type Span = Option<(usize, usize)>;

impl Summary {
    /// The answer's `instance`, if it is a string.
    #[must_use]
    pub fn instance(&self) -> Option<&str> {
        self.text(self.instance)
    }

    /// The answer's `protocol`, if it is a string.
    #[must_use]
    pub fn protocol(&self) -> Option<&str> {
        self.text(self.protocol)
    }

    /// The ids of the focused elements from the root's child down; `None` for an unusable id.
    pub fn focus_path(&self) -> impl ExactSizeIterator<Item = Option<&str>> + Clone {
        Ids { rest: &self.ids, left: self.focused }
    }

    /// The ids of the selected elements, in document order.
    pub fn selected(&self) -> impl ExactSizeIterator<Item = Option<&str>> + Clone {
        Ids { rest: &self.ids, left: self.focused + self.selected }.skip(self.focused)
    }

    /// The id of the first innermost hovered element.
    #[must_use]
    pub fn hovered(&self) -> Option<&str> {
        self.text(self.hovered)
    }

    fn text(&self, span: Span) -> Option<&str> {
        let (from, to) = span?;
        std::str::from_utf8(self.texts.get(from..to)?).ok()
    }

    fn keep(&mut self, text: Option<&[u8]>) -> Span {
        let text = text?;
        let from = self.texts.len();
        if self.texts.capacity() == 0 {
            self.texts = Vec::with_capacity(MOST_ANSWERS);
        }
        self.texts.extend_from_slice(text);
        Some((from, self.texts.len()))
    }

    pub(crate) fn set_instance(&mut self, text: &[u8]) {
        self.instance = self.keep(Some(text));
    }

    pub(crate) fn set_protocol(&mut self, text: &[u8]) {
        self.protocol = self.keep(Some(text));
    }

    pub(crate) fn set_hovered(&mut self, id: Option<&[u8]>) {
        self.hovered = self.keep(id);
    }

    /// So many ids will be added, of so many bytes.
    pub(crate) fn expect(&mut self, ids: usize, bytes: usize) {
        self.ids.reserve_exact(ids + bytes);
    }

    /// Focused elements come before selected ones.
    pub(crate) fn add_focused(&mut self, id: Option<&[u8]>) {
        self.add_id(id);
        self.focused += 1;
    }

    pub(crate) fn add_selected(&mut self, id: Option<&[u8]>) {
        self.add_id(id);
        self.selected += 1;
    }

    /// A usable id has at most 128 characters, and at least one.
    #[inline]
    fn add_id(&mut self, id: Option<&[u8]>) {
        let id = id.unwrap_or_default();
        if self.ids.capacity() == 0 {
            self.ids = Vec::with_capacity(MOST_ANSWERS);
        }
        self.ids.push(id.len() as u8);
        self.ids.extend_from_slice(id);
    }

    /// How many bytes are kept besides itself.
    pub(crate) fn room(&self) -> usize {
        self.texts.capacity() + self.ids.capacity()
    }

    /// Forgets all; keeps room.
    pub(crate) fn reset(&mut self) {
        let (mut texts, mut ids) = (std::mem::take(&mut self.texts), std::mem::take(&mut self.ids));
        texts.clear();
        ids.clear();
        *self = Self { texts, ids, ..Self::default() };
    }
}

/// Ids, one behind the other.
#[derive(Clone, Debug)]
struct Ids<'a> {
    rest: &'a [u8],
    left: usize,
}

impl<'a> Iterator for Ids<'a> {
    type Item = Option<&'a str>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (&length, rest) = self.rest.split_first()?;
        let (id, rest) = rest.split_at_checked(length.into())?;
        self.rest = rest;
        Some(std::str::from_utf8(id).ok().filter(|id| !id.is_empty()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Ids<'_> {}
