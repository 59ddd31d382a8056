//! The reason for a decision.

use tdg_definition::control;
use tdg_definition::limits::REASON_BYTES;

use crate::error::{Error, Result};

/// Trims and checks the reason for a decision, which is one line of plain text.
///
/// # Errors
/// Fails if it is too long for a server, or has control characters, which would act on a terminal
/// that shows the history.
pub(crate) fn reason(given: Option<&str>) -> Result<Option<&str>> {
    let given = given.map(str::trim).filter(|reason| !reason.is_empty());
    let Some(reason) = given else {
        return Ok(None);
    };
    if reason.contains(control::is_control) {
        return Err(Error::new(format!(
            "the reason has control characters: \"{}\"; give one line of plain text",
            control::escape(reason)
        )));
    }
    if reason.len() > REASON_BYTES {
        return Err(Error::new(format!(
            "the reason has {} bytes; give one of at most {REASON_BYTES}",
            reason.len()
        )));
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line_that_a_server_takes() {
        let longest = "é".repeat(REASON_BYTES / 2);
        for given in [None, Some("cents are rounded"), Some(&*longest)] {
            assert_eq!(reason(given).unwrap(), given);
        }
        assert_eq!(reason(Some(" ")).unwrap(), None);
        for given in ["a\nb", &format!("{longest}.")] {
            assert!(reason(Some(given)).is_err());
        }
    }
}
