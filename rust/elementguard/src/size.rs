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
    /// The answer's `instance`, if it is a string.
    pub instance: Option<String>,
    /// The answer's `protocol`, if it is a string.
    pub protocol: Option<String>,
    /// The ids of the focused elements from the root's child down; `None` for an unusable id.
    pub focus_path: Vec<Option<String>>,
    /// The ids of the selected elements, in document order.
    pub selected: Vec<Option<String>>,
    /// The id of the first innermost hovered element.
    pub hovered: Option<String>,
    /// The size of the root, or of the fragment's top.
    pub root: Option<Size>,
}
