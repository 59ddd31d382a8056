//! A decision about a benchmark, as stored.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::checkout::{Checkout, Git};
use crate::config::{Author, Environment, Settings, ci_address};

/// A decision about a benchmark: its kind, reason, author and circumstances.
///
/// Equality ignores [`through`](Self::through) and [`arrived`](Self::arrived).
#[derive(Clone, Debug, Eq)]
pub struct Decision {
    /// The kind of the decision.
    pub kind: DecisionKind,
    /// The reason, if given.
    pub reason: Option<String>,
    /// A name, never an address.
    pub author: Option<String>,
    /// The commit and branch of the working tree.
    pub checkout: Checkout,
    /// True if the sources differed from the commit; `None` if unknown.
    pub dirty: Option<bool>,
    /// The URL of the CI run.
    pub ci: Option<String>,
    /// The [digest](crate::output::Outputs::digest) of the expected outputs that the accepted ones
    /// replace; `None` if the snapshot file of a checkout already has them.
    pub replaces: Option<String>,
    /// The channel by which it reached the server that it was pulled from, as reported by that
    /// server; `None` if it was made locally. It differs between stores, so comparisons ignore it.
    pub through: Option<Channel>,
    /// The time when that server received it, in microseconds since 1970 UTC, if it is dated later.
    pub arrived: Option<i64>,
}

impl PartialEq for Decision {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            kind,
            reason,
            author,
            checkout,
            dirty,
            ci,
            replaces,
            through: _,
            arrived: _,
        } = self;
        (kind, reason, author, checkout)
            == (&other.kind, &other.reason, &other.author, &other.checkout)
            && (dirty, ci, replaces) == (&other.dirty, &other.ci, &other.replaces)
    }
}

impl Decision {
    /// Creates a decision made now about a test of the package in that directory.
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

    /// Creates a decision without further facts.
    pub fn new(kind: DecisionKind) -> Self {
        Self {
            kind,
            reason: None,
            author: None,
            checkout: Checkout::default(),
            dirty: None,
            ci: None,
            replaces: None,
            through: None,
            arrived: None,
        }
    }

    /// Returns the author: `ada`, or `ada, through key ci` if that is only the key holder's claim.
    pub fn byline(&self) -> Option<String> {
        match (&self.author, &self.through) {
            (Some(author), Some(key @ Channel::Key(_))) => Some(format!("{author}, through {key}")),
            (None, Some(key @ Channel::Key(_))) => Some(key.to_string()),
            (author, _) => author.clone(),
        }
    }
}

/// The channel by which a decision reached a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Channel {
    /// It was made on a page of the server.
    Page,
    /// It was synchronized with the API key of that name.
    Key(String),
}

/// Writes `page` or `key ci`.
impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page => f.write_str("page"),
            Self::Key(name) => write!(f, "key {name}"),
        }
    }
}

impl FromStr for Channel {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.strip_prefix("key ") {
            Some(name) => Ok(Self::Key(name.to_owned())),
            None if text == "page" => Ok(Self::Page),
            None => Err(()),
        }
    }
}

/// The kind of a decision.
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
    /// The test was renamed or moved to another source file.
    Renamed,
}

// The names in the history and in the store.
tdg_definition::names!("decision", DecisionKind::as_str {
    Recorded = "recorded", Accepted = "accepted", AcceptedInPart = "accepted in part",
    Rejected = "rejected", Renamed = "renamed",
});

#[cfg(test)]
mod tests {
    use super::*;

    fn through(channel: Option<Channel>) -> Decision {
        Decision {
            author: Some("ada".to_owned()),
            through: channel,
            ..Decision::new(DecisionKind::Accepted)
        }
    }

    #[test]
    fn a_channel_is_read_from_its_text() {
        for (text, channel) in [
            ("page", Channel::Page),
            ("key ci", Channel::Key("ci".to_owned())),
            ("key page", Channel::Key("page".to_owned())),
        ] {
            assert_eq!(channel.to_string(), text);
            assert_eq!(text.parse(), Ok(channel));
        }
        for text in ["", "key", "Page", "page "] {
            assert_eq!(text.parse::<Channel>(), Err(()), "{text}");
        }
    }

    #[test]
    fn only_a_key_is_named_with_the_author() {
        let key = || Some(Channel::Key("ci".to_owned()));
        let byline = |decision: Decision| decision.byline().unwrap_or_default();
        assert_eq!(byline(through(None)), "ada");
        assert_eq!(byline(through(Some(Channel::Page))), "ada");
        assert_eq!(byline(through(key())), "ada, through key ci");
        let nameless = Decision {
            author: None,
            ..through(key())
        };
        assert_eq!(byline(nameless), "key ci");
    }

    #[test]
    fn decisions_that_came_in_different_ways_are_equal() {
        let arrived = Decision {
            arrived: Some(1),
            ..through(Some(Channel::Page))
        };
        assert_eq!(through(None), arrived);
        let other = Decision {
            author: None,
            ..through(None)
        };
        assert_ne!(through(None), other);
    }
}
