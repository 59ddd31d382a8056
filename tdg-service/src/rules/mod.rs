//! Validation, defaults and comparison: pure functions for implementations of
//! [`Service`](super::Service), independent of their database.

mod draw;
mod judge;
mod names;
mod outputs;
mod paging;
mod records;
#[cfg(test)]
mod tests;
mod words;

use std::fmt::Display;

use tdg_definition::Faults;
use tdg_definition::json::Pointer;
use tdg_definition::limits::SIZES;

pub use self::draw::{DrawnEnsemble, draw};
pub use self::judge::{DIFF_BYTES, Differing, diff, differing, stored_definition, stored_rows};
pub use self::names::{definition_name, ensemble_name, project_name};
pub use self::outputs::{UNORDERED_VALUES, check_benchmark, check_outputs, output_digest};
pub use self::paging::{page_limit, unknown_cursor};
pub use self::records::check_record;
use super::ServiceError;

/// The message for a size out of bounds.
pub(super) fn size_fault(size: impl Display) -> String {
    format!(
        "must be from {} to {}, but is {size}",
        SIZES.start(),
        SIZES.end()
    )
}

/// An error with a single fault, in a member of the request.
fn invalid(member: &str, message: impl Into<String>) -> ServiceError {
    Faults::at(Pointer::root().child(member), message).into()
}
