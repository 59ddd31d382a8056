//! A drawn parameter of a test.

/// A drawn parameter of a test.
#[derive(Clone)]
pub(super) struct DrawnInput {
    pub(super) name: String,
    /// The items of `#[define(…)]`.
    pub(super) items: String,
    pub(super) kind: String,
    /// Set if the type states how it is drawn.
    pub(super) is_stated: bool,
    /// Set for a struct whose fields are a row.
    pub(super) is_row: bool,
}

impl DrawnInput {
    pub(super) fn new(name: &str, items: String, kind: &str) -> Self {
        Self {
            name: name.to_owned(),
            items,
            kind: kind.to_owned(),
            is_stated: false,
            is_row: false,
        }
    }

    /// Returns the name of the parameter in its function's code.
    pub(super) fn plain(&self) -> &str {
        self.name.trim_start_matches("r#")
    }
}

/// Returns the last word of a type: `u32` for `Option<u32>`.
pub(super) fn last_word(kind: &str) -> Option<&str> {
    let mut words = kind.split(|it: char| !it.is_ascii_alphanumeric());
    words.rfind(|it| !it.is_empty())
}
