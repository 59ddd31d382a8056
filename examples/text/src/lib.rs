//! Text as people write it: emoji, combining marks, two directions, and empty text.
//!
//! The functions under test come from published crates, and `tests/` calls them directly:
//! deunicode, strsim, unicode-normalization and unicode-segmentation. Parameters are bound to
//! features by name, `&str` borrows from the row, and `Option<&str>` accepts null.
