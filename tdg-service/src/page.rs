//! Pages of lists.

/// The part of a list to return. By default, the first [`LIMIT`](Page::LIMIT) elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The maximum number of elements, 1 to [`LIMIT`](Page::LIMIT).
    pub limit: Option<usize>,
    /// The position to continue from: [`List::next`] of the previous page.
    pub cursor: Option<String>,
}

impl Page {
    /// The maximum number of elements in a page, and in an array within an object.
    pub const LIMIT: usize = 1000;

    /// Creates a page that begins at a cursor.
    pub fn after(cursor: impl Into<String>) -> Self {
        Page {
            limit: None,
            cursor: Some(cursor.into()),
        }
    }
}

/// A page of a list, in the order of creation.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T> {
    /// The elements.
    pub items: Vec<T>,
    /// The cursor of the next page, if any. It is opaque to clients.
    pub next: Option<String>,
    /// The cursor at which the last element continues, if it doesn't fit into one response. The
    /// client resolves it and returns whole elements.
    pub rest: Option<String>,
}

/// An object, or the part of it that fits into a response.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectPart<T> {
    /// The object with the elements of this part.
    pub object: T,
    /// The cursor at which the object continues, if more follows.
    pub next: Option<String>,
}
