//! Validation, defaults and comparison: pure functions, independent of the database.

mod default_names;
mod draw;
mod judge;
mod names;
mod outputs;
mod paging;
mod records;
#[cfg(test)]
mod tests;

use tdg_definition::Faults;
use tdg_definition::json::Pointer;

pub use self::draw::{DrawnEnsemble, draw};
pub use self::judge::{
    DIFF_BYTES, JudgedDifferences, diff, differing, stored_definition, stored_rows,
};
pub use self::names::{ensemble_name, project_name};
pub use self::outputs::{UNORDERED_VALUES, check_benchmark, check_outputs, output_digest};
pub use self::paging::{page_limit, unknown_cursor};
pub use self::records::{AHEAD, check_record};
use super::ServiceError;
pub use super::definition::definition_name;
use super::ensemble::size_fault;

/// Returns an error with a single fault in a member of the request.
fn invalid(member: &str, message: impl Into<String>) -> ServiceError {
    Faults::at(Pointer::root().child(member), message).into()
}
