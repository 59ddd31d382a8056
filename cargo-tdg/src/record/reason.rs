//! The reason of a decision.

use tdg_definition::control;

use crate::error::{Error, Result};

/// The reason for a decision, if there is one, in one line of plain text.
///
/// # Errors
/// It has control characters, which a terminal would obey whenever the history is shown.
pub(crate) fn reason(given: Option<&str>) -> Result<Option<&str>> {
    let given = given.map(str::trim).filter(|reason| !reason.is_empty());
    match given.filter(|reason| reason.contains(control::is_control)) {
        Some(odd) => Err(Error::new(format!(
            "the reason has control characters: \"{}\"; give one line of plain text",
            control::escape(odd)
        ))),
        None => Ok(given),
    }
}
