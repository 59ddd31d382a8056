//! The difference of one benchmark.

use std::path::{Path, PathBuf};

use tdg_definition::Policy;
use tdg_engine::snapshot::{Header, Snapshot};
use tdg_engine::store::StoredDecision;
use tdg_report::Extent;

use crate::error::{Error, Result};
use crate::record::{ComparedChange, PendingChange, RecordedTest, RunDetails, has_same_rows};
use crate::terminal::{counted, time};

/// A benchmark that differs between two revisions.
#[derive(Debug)]
pub(crate) struct BenchmarkDifference<'r> {
    /// `None` if the benchmark was removed.
    pub(crate) record: Option<&'r RecordedTest>,
    /// The name of the test.
    pub(crate) test: String,
    /// The path of the snapshot file.
    pub(crate) file: String,
    /// The former name of a renamed test, or the former path of a moved one.
    pub(crate) from: Option<String>,
    pub(crate) content: ContentDifference,
    /// The stored decisions that led to the difference, newest first.
    pub(crate) decisions: Vec<StoredDecision>,
}

/// The difference between two versions of a benchmark.
#[derive(Debug)]
pub(crate) enum ContentDifference {
    /// Only the second version exists, with this number of cases.
    New(usize),
    /// Only the first version exists, with this number of cases.
    Gone(usize),
    Changed {
        compared: Box<ComparedChange>,
        /// Set if the policy allows the change.
        is_allowed: bool,
        /// The changed kept rows, one line of JSON each.
        kept: Vec<String>,
    },
    /// Rows and outputs are the same.
    Same,
    /// The versions can't be compared.
    Unknown(Error),
}

/// A snapshot file of the base revision.
pub(super) struct FormerFile {
    pub(super) path: PathBuf,
    /// The name of its test.
    pub(super) test: String,
    content: Vec<u8>,
}

impl FormerFile {
    /// Returns `None` if another tool wrote the file.
    pub(super) fn parse(path: &Path, content: Vec<u8>) -> Option<Self> {
        let header = Header::parse(content.as_slice())?;
        Some(Self {
            path: path.to_owned(),
            test: header.ensemble.name,
            content,
        })
    }

    pub(super) fn snapshot(&self) -> Result<Snapshot> {
        Ok(Snapshot::parse(String::from_utf8(self.content.clone())?)?)
    }
}

impl ContentDifference {
    /// Returns true if two versions pin benchmarks with the same rows and outputs.
    pub(crate) fn is_same_pin(former: &Snapshot, now: &Snapshot) -> bool {
        let digest = |it: &Snapshot| it.pin().map(|pin| pin.digest.clone());
        digest(former).is_some()
            && digest(former) == digest(now)
            && has_same_rows(former.ensemble(), now.ensemble())
            && former.kept() == now.kept()
    }

    /// Compares two versions by the second's policy, or exactly if that allows everything.
    pub(crate) fn between(former: Snapshot, now: Snapshot) -> Result<Self> {
        let policy = now.policy().clone();
        let details = |policy| RunDetails {
            policy,
            ..RunDetails::default()
        };
        let change = PendingChange::of_run(Some(former), now, details(policy));
        let compared = change.compare()?;
        let is_allowed = compared.is_empty();
        let (change, compared) = match is_allowed {
            false => (change, compared),
            true => {
                let PendingChange {
                    benchmark, pending, ..
                } = change;
                let now = pending.snapshot;
                let exact = PendingChange::of_run(benchmark, now, details(Policy::exact()));
                let compared = exact.compare()?;
                (exact, compared)
            }
        };
        Ok(match compared.is_empty() {
            true => Self::Same,
            false => Self::Changed {
                compared: Box::new(compared),
                is_allowed,
                kept: change.kept_lines()?,
            },
        })
    }

    /// Returns a word or two for a table.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::New(_) => "new",
            Self::Gone(_) => "gone",
            Self::Changed { compared, .. } if compared.has_other_rows() => "other rows",
            Self::Changed { .. } => "changed",
            Self::Same => "same outputs",
            Self::Unknown(_) => "not compared",
        }
    }

    /// Returns `13 of 200 cases changed`.
    fn headline(&self) -> String {
        match self {
            Self::New(size) | Self::Gone(size) => {
                format!("{}, {}", self.kind(), counted(*size, "case"))
            }
            Self::Changed {
                compared,
                is_allowed: false,
                ..
            } => compared.headline(),
            Self::Changed { compared, .. } => {
                format!("{}, within the policy", compared.headline())
            }
            Self::Same => self.kind().to_owned(),
            Self::Unknown(error) => format!("{}: {error}", self.kind()),
        }
    }
}

impl BenchmarkDifference<'_> {
    /// Returns `changed` or `renamed, same outputs`.
    pub(crate) fn kind(&self) -> String {
        match &self.from {
            Some(_) => format!("renamed, {}", self.content.kind()),
            None => self.content.kind().to_owned(),
        }
    }

    /// Returns `total: 13 of 200 cases changed`.
    pub(crate) fn headline(&self) -> String {
        format!("{}: {}", self.test, self.summary())
    }

    /// Returns `13 of 200 cases changed`.
    pub(crate) fn summary(&self) -> String {
        let headline = self.content.headline();
        match &self.from {
            Some(from) => format!("renamed from {from}, {headline}"),
            None => headline,
        }
    }

    /// Returns the report of the changed cases without the headline, and its first finding.
    pub(crate) fn sections(&self, extent: Extent) -> (String, Option<String>) {
        let Some(compared) = self.compared() else {
            return (String::new(), None);
        };
        let report = compared.accepted_report(&self.test, extent);
        let text = report.without_hints(extent);
        let (_, sections) = text.split_once('\n').unwrap_or_default();
        (sections.to_owned(), report.failure.finding())
    }

    /// Returns `accepted 2026-03-01 12:00:05 UTC by ada: prices rise`.
    pub(crate) fn decisions_text(&self) -> impl Iterator<Item = String> {
        self.decisions.iter().map(|it| {
            let (kind, time) = (it.decision.kind.as_str(), time(it.time));
            let by = it.decision.byline().map(|by| format!(" by {by}"));
            let reason = it.decision.reason.as_ref().map(|it| format!(": {it}"));
            format!(
                "{kind} {time} UTC{}{}",
                by.unwrap_or_default(),
                reason.unwrap_or_default()
            )
        })
    }

    /// Returns the changed cases, if any.
    pub(crate) fn compared(&self) -> Option<&ComparedChange> {
        match &self.content {
            ContentDifference::Changed { compared, .. } => Some(compared),
            _ => None,
        }
    }

    /// Returns the number of changed cases and of compared cases.
    pub(crate) fn counts(&self) -> (Option<usize>, Option<usize>) {
        match &self.content {
            ContentDifference::New(size) | ContentDifference::Gone(size) => (None, Some(*size)),
            ContentDifference::Changed { compared, .. } => {
                let rows = &compared.rows;
                (Some(rows.differing.len()), Some(rows.compared()))
            }
            ContentDifference::Same | ContentDifference::Unknown(_) => (None, None),
        }
    }

    /// Returns the sort key for reports. Larger differences come first.
    pub(super) fn rank(&self) -> usize {
        match &self.content {
            ContentDifference::Changed { .. } if self.counts().0 != Some(0) => 0,
            ContentDifference::Changed { .. } => 1,
            ContentDifference::Unknown(_) => 2,
            ContentDifference::New(_) => 3,
            ContentDifference::Gone(_) => 4,
            ContentDifference::Same => 5,
        }
    }

    /// Returns true if a test with this name was removed, or renamed to this one.
    pub(super) fn had_name(&self, name: &str) -> bool {
        let former = match self.record {
            Some(_) => self.from.as_deref(),
            None => Some(self.test.as_str()),
        };
        former.is_some_and(|it| it == name || it.ends_with(&format!("::{name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a snapshot of these cases, with extra members in the ensemble's line.
    fn snapshot(members: &str, cases: &[&str]) -> Snapshot {
        let (size, cases) = (cases.len(), cases.join("\n"));
        Snapshot::parse(format!(
            r#"{{"tdg":1,"ensemble":"f","size":{size},"seed":"0","sampler":1,"digest":"d","definition":{{"features":[{{"feature_name":"n","type":"INTEGER","distribution":{{"type":"sequence","start":0}}}}]}}{members}}}"#
        ) + "\n" + &cases + "\n")
        .unwrap()
    }

    fn headline(former: Snapshot, now: Snapshot) -> String {
        ContentDifference::between(former, now).unwrap().headline()
    }

    #[test]
    fn any_output_counts_unless_the_policy_allows_it() {
        let tolerant = r#","policy":{"tolerance":{"abs":0.5}}"#;
        let before = || snapshot(tolerant, &["[[0],1.0]", "[[1],2.0]", "[[2],3.0]"]);
        let said = |cases: &[&str]| headline(before(), snapshot(tolerant, cases));
        insta::assert_snapshot!(said(&["[[0],1.1]", "[[1],2.9]", "[[2],3.0]"]), @"1 of 3 cases changed");
        insta::assert_snapshot!(said(&["[[0],1.1]", "[[1],2.1]", "[[2],3.0]"]), @"2 of 3 cases changed, within the policy");
        insta::assert_snapshot!(said(&["[[0],1]", "[[1],2.0]", "[[2],3.0]"]), @"same outputs");
        let exact = snapshot("", &["[[0],1.1]", "[[1],2.0]", "[[2],3.0]"]);
        insta::assert_snapshot!(headline(before(), exact), @"1 of 3 cases changed");
    }

    #[test]
    fn rows_that_stayed_are_compared_where_others_came() {
        let before = snapshot("", &["[[0],1]", "[[1],2]"]);
        let now = snapshot("", &["[[0],7]", "[[1],2]", "[[2],3]"]);
        let content = ContentDifference::between(before, now).unwrap();
        insta::assert_snapshot!(content.headline(), @"1 of 2 recorded cases changed; inputs changed: size");
        assert_eq!(content.kind(), "other rows");
    }

    #[test]
    fn pins_of_the_same_outputs_are_the_same_wherever_they_are() {
        let pin = |benchmark: &str, digest: &str| {
            let pin = format!(
                r#","ensemble_uuid":"{benchmark}","benchmark_uuid":"{benchmark}","output_digest":"{digest}""#
            );
            snapshot(&pin, &[])
        };
        let [one, other] = [1, 2].map(|it| format!("00000000-0000-0000-0000-00000000000{it}"));
        assert!(ContentDifference::is_same_pin(
            &pin(&one, "a"),
            &pin(&other, "a")
        ));
        assert!(!ContentDifference::is_same_pin(
            &pin(&one, "a"),
            &pin(&one, "b")
        ));
        assert!(!ContentDifference::is_same_pin(
            &snapshot("", &[]),
            &snapshot("", &[])
        ));
    }
}
