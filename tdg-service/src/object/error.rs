//! Errors for received JSON of the wrong form.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use tdg_engine::store::FactError;

/// An error for a JSON value that doesn't have the expected form.
#[derive(Clone, Debug)]
pub struct Malformed {
    expected: String,
    /// The words that join `expected` to the member's name, until a name is added.
    joint: Option<&'static str>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl Malformed {
    pub(crate) fn new(expected: impl fmt::Display) -> Self {
        Malformed {
            expected: expected.to_string(),
            joint: Some(" as"),
            source: None,
        }
    }

    pub(crate) fn missing(name: &str) -> Self {
        Malformed {
            joint: None,
            ..Malformed::new(format_args!("a member `{name}`"))
        }
    }

    pub(crate) fn of_fact(error: FactError) -> Self {
        let malformed = Malformed {
            joint: None,
            ..Malformed::new(error.expected)
        };
        match error.cause {
            Some(faults) => malformed.caused_by(faults),
            None => malformed,
        }
    }

    pub(crate) fn caused_by(mut self, cause: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(cause));
        self
    }

    /// Adds the name of the member in which the value was expected, unless one was added already.
    pub(crate) fn at(mut self, name: &str) -> Self {
        if let Some(joint) = self.joint.take() {
            self.expected += &format!("{joint} `{name}`");
        }
        self
    }

    /// Notes that the value was expected as each element of a list.
    pub(crate) fn of_each(mut self) -> Self {
        self.joint = self.joint.map(|_| " as each of");
        self
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl Error for Malformed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}
