//! Limits and cursors of pages.

use super::invalid;
use crate::{Page, Result, ServiceError};

/// Returns the maximum number of elements on a page.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) if it is 0 or too large.
pub fn page_limit(page: &Page) -> Result<usize> {
    let limit = page.limit.unwrap_or(Page::LIMIT);
    if (1..=Page::LIMIT).contains(&limit) {
        return Ok(limit);
    }
    let message = format!("must be from 1 to {}, but is {limit}", Page::LIMIT);
    Err(invalid("limit", message))
}

/// Returns the error for a cursor that no list has returned.
pub fn unknown_cursor() -> ServiceError {
    let message = "is not a cursor returned by an earlier list request; omit it to start over";
    invalid("cursor", message)
}
