//! Lists, a part at a time.

/// Which part of a list is asked for. The default is its beginning, with [`LIMIT`](Page::LIMIT) elements
/// at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// How many elements at most, 1 to [`LIMIT`](Page::LIMIT).
    pub limit: Option<usize>,
    /// Where to go on: [`List::next`] of the part before.
    pub cursor: Option<String>,
}

impl Page {
    /// The most elements of one answer, and of an array within an object.
    pub const LIMIT: usize = 1000;

    /// What follows that cursor.
    pub fn after(cursor: impl Into<String>) -> Self {
        Page {
            limit: None,
            cursor: Some(cursor.into()),
        }
    }
}

/// A part of a list, in the order of creation.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T> {
    /// The elements.
    pub items: Vec<T>,
    /// The cursor of the next part, if there is one. Only the service knows what it means.
    pub next: Option<String>,
}
