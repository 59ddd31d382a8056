//! A decision about a benchmark, as the store records it.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::checkout::{Checkout, Git};
use crate::config::{Author, Environment, Settings, ci_address};

/// A decision about a benchmark: what was decided, why, by whom and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What was decided.
    pub kind: DecisionKind,
    /// The reason, if given.
    pub reason: Option<String>,
    /// A name, never an address.
    pub author: Option<String>,
    /// The commit and branch of the working tree.
    pub checkout: Checkout,
    /// Whether the sources were not those of the commit; `None` if unknown.
    pub dirty: Option<bool>,
    /// The address of the CI run.
    pub ci: Option<String>,
    /// The [digest](crate::output::Outputs::digest) of the expected outputs in whose place the
    /// accepted ones come; `None` if the snapshot file of a checkout has them already.
    pub replaces: Option<String>,
}

impl Decision {
    /// A decision that is made now, about a test of the package in that directory.
    pub fn here(
        kind: DecisionKind,
        reason: Option<&str>,
        package: &Path,
        settings: &Settings,
        environment: Environment<'_>,
    ) -> Self {
        let git = Git::around(package);
        Self {
            reason: reason.map(str::to_owned),
            author: match &settings.author {
                Author::Git => git.user().map(str::to_owned),
                Author::Named(name) => Some(name.clone()),
                Author::Nobody => None,
            },
            checkout: git.checkout().clone(),
            dirty: git.is_dirty(),
            ci: ci_address(environment),
            ..Self::new(kind)
        }
    }

    /// A decision of which nothing else is known.
    pub fn new(kind: DecisionKind) -> Self {
        Self {
            kind,
            reason: None,
            author: None,
            checkout: Checkout::default(),
            dirty: None,
            ci: None,
            replaces: None,
        }
    }
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecisionKind {
    /// A run recorded the first benchmark.
    Recorded,
    /// Pending outputs became the benchmark.
    Accepted,
    /// Some of the pending outputs became the benchmark's.
    AcceptedInPart,
    /// Pending outputs were discarded.
    Rejected,
    /// The test got another name or source file.
    Renamed,
}

impl DecisionKind {
    const ALL: [Self; 5] = [
        Self::Recorded,
        Self::Accepted,
        Self::AcceptedInPart,
        Self::Rejected,
        Self::Renamed,
    ];

    /// The name in the history and in the store: `accepted in part`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Accepted => "accepted",
            Self::AcceptedInPart => "accepted in part",
            Self::Rejected => "rejected",
            Self::Renamed => "renamed",
        }
    }
}

impl fmt::Display for DecisionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for DecisionKind {
    type Err = UnknownDecision;

    fn from_str(name: &str) -> Result<Self, UnknownDecision> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        found.ok_or_else(|| UnknownDecision(name.to_owned()))
    }
}

/// A text that is not the name of a kind of decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDecision(String);

impl fmt::Display for UnknownDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown decision `{}`", self.0)
    }
}

impl std::error::Error for UnknownDecision {}
