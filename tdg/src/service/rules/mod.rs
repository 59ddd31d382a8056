//! What is valid and what it means: plain functions that every implementation of
//! [`Service`](super::Service) uses, whatever its database.

mod draw;
mod judge;
mod names;
mod paging;
mod words;

use hmac_sha256::Hash;
use tdg_definition::{Faults, json::Pointer};

pub use self::{
    draw::{Drawn, draw},
    judge::{diff, differing, stored_rows},
    names::{definition_name, ensemble_name, project_name},
    paging::{page_limit, unknown_cursor},
};
use super::{Result, ServiceError};
pub use crate::limits::{CELLS, DATA_BYTES, SIZES};
use crate::output::Outputs;

/// How long a name may be, in bytes.
pub const NAME_BYTES: usize = 256;

/// Checks outputs against the ensemble that they are of; `member` is what the request calls them.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) if they are not one for each row, [`TooLarge`](ServiceError::TooLarge).
pub fn check_outputs(member: &str, outputs: &Outputs, size: usize) -> Result<()> {
    let length = outputs.len();
    if length != size {
        let message = format!(
            "must be a list of length {size}, one output for each row of the ensemble, but its length is {length}"
        );
        return Err(invalid(member, message));
    }
    if outputs.as_json().len() > DATA_BYTES {
        return Err(ServiceError::TooLarge(format!(
            "the outputs are longer than {} MB",
            DATA_BYTES >> 20
        )));
    }
    Ok(())
}

/// What identifies outputs: the first 16 bytes of the SHA-256 of their canonical JSON, in hexadecimal.
pub fn output_digest(outputs: &Outputs) -> String {
    let hash = Hash::hash(outputs.as_json().as_bytes());
    hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// What is wrong with a size.
pub(super) fn size_fault(size: i64) -> String {
    format!(
        "must be from {} to {}, but is {size}",
        SIZES.start(),
        SIZES.end()
    )
}

/// The error of a single fault, in a member of the request.
fn invalid(member: &str, message: impl Into<String>) -> ServiceError {
    Faults::at(Pointer::root().child(member), message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_have_a_length_in_rows_and_in_bytes() {
        let long = |bytes: usize| {
            let mut outputs = Outputs::new();
            // Two quotes and two brackets.
            outputs.push_text(&format!("\"{}\"", "x".repeat(bytes - 4)));
            check_outputs("expected_output", &outputs, 1)
        };
        assert_eq!(long(DATA_BYTES), Ok(()));
        insta::assert_snapshot!(long(DATA_BYTES + 1).unwrap_err(), @"the outputs are longer than 64 MB");
        let none = check_outputs("expected_output", &Outputs::new(), 1);
        insta::assert_snapshot!(none.unwrap_err(), @"/expected_output: must be a list of length 1, one output for each row of the ensemble, but its length is 0");
    }
}
