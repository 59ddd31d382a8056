//! Which parts of a list can be asked for.

use super::invalid;
use crate::{Page, Result, ServiceError};

/// How many elements a part has at most.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) if the page asks for none or for too many.
pub fn page_limit(page: &Page) -> Result<usize> {
    let limit = page.limit.unwrap_or(Page::LIMIT);
    if (1..=Page::LIMIT).contains(&limit) {
        return Ok(limit);
    }
    let message = format!("must be from 1 to {}, but is {limit}", Page::LIMIT);
    Err(invalid("limit", message))
}

/// The error of a cursor that no list has answered.
pub fn unknown_cursor() -> ServiceError {
    let message = "is none that a list has answered; leave it out to begin at the start";
    invalid("cursor", message)
}
