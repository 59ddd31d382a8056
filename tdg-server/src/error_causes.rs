//! The text of an error with its causes.

use std::error::Error;
use std::iter::successors;

/// Formats the error as `the message: its cause: the cause of that`, without causes that the text
/// before them contains.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let causes = successors(error.source(), |&error| error.source());
    causes.fold(error.to_string(), |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) {
            text
        } else {
            format!("{text}: {cause}")
        }
    })
}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::Context;

    use super::*;

    #[test]
    fn a_cause_is_not_repeated() {
        let closed = || Err::<(), _>(io::Error::other("it is closed"));
        let error = closed().context("can't listen").unwrap_err();
        assert_eq!(with_causes(error.as_ref()), "can't listen: it is closed");
        let error = closed().context("can't listen: it is closed").unwrap_err();
        assert_eq!(with_causes(error.as_ref()), "can't listen: it is closed");
    }
}
