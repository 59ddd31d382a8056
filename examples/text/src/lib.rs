//! Text as people write it: emoji, combining marks, two directions, nothing at all.
//!
//! The functions under test are those of published crates, called as they are in `tests/`:
//! deunicode, strsim, unicode-normalization and unicode-segmentation. Parameters are bound to
//! features by name, `&str` borrows from the row, `Option<&str>` takes what may be null.
