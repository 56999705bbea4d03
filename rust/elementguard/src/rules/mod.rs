//! rules: what the spec asks, one file for each of its sections.
//!
//! In: moments of the tree. Out: a rule, an offset and parameters. A rule lives in its card
//! (`python/elementguard/rules/<code>.md`), from which `table` is made, and in one check in the file of its section:
//!
//! | file | section | speaks at |
//! |---|---|---|
//! | `envelope` | 5 | members and end of the answer |
//! | `fields` | 5.1 | names, strings, the end of an element |
//! | `roles` | 5.2 | the role; the end of an element |
//! | `states` | 5.3 | the states; the end of an element |
//! | `ids` | 5.4, 5.6 | the id; the end of the answer |
//! | `content`, `media` | 5.5 | members and end of a block |
//! | `attributes` | 5.6 | members of `attributes`, entries of `related` |
//! | `limits` | 5.7 | the end of what is limited |

pub(crate) mod attributes;
pub(crate) mod block;
mod content;
mod envelope;
mod fields;
pub(crate) mod frame;
pub(crate) mod frames;
pub(crate) mod ids;
mod limits;
mod media;
pub(crate) mod pending;
mod roles;
pub(crate) mod shape;
pub(crate) mod states;
pub(crate) mod table;
pub(crate) mod words;
