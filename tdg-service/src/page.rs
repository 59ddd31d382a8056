//! Lists by page.

/// The part of a list to return. The default is its beginning, at most [`LIMIT`](Page::LIMIT)
/// elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The maximum number of elements, 1 to [`LIMIT`](Page::LIMIT).
    pub limit: Option<usize>,
    /// Where to continue: [`List::next`] of the page before.
    pub cursor: Option<String>,
}

impl Page {
    /// The maximum number of elements of a page, and of an array within an object.
    pub const LIMIT: usize = 1000;

    /// The page that begins at that cursor.
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
    /// The cursor of the next page, if there is one. It is opaque: only the service can read it.
    pub next: Option<String>,
    /// The cursor at which the last element goes on, if it has more than fits into a response.
    /// The client returns whole elements.
    pub rest: Option<String>,
}

/// An object, or the part of it that fits into a response.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectPart<T> {
    /// The object with the elements of this part.
    pub object: T,
    /// The cursor at which it goes on, if there is more.
    pub next: Option<String>,
}
