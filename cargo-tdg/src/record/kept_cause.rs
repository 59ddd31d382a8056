//! The cause of a pending change that `cargo tdg why` found last, kept below the target directory.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use tdg_definition::json::{self, Value};
use tdg_engine::TestId;
use tdg_engine::snapshot::{self, Snapshot};
use tdg_engine::store::VerifiedRule;

use super::{PendingChange, RecordedTest};
use crate::error::{Context as _, Result};

/// The cause of a pending change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptCause {
    /// The answer of `cargo tdg why`.
    pub(crate) text: String,
    /// The verified rules of the change's parts, if its lines weren't explained apart.
    pub(crate) rules: Vec<VerifiedRule>,
}

impl KeptCause {
    /// Keeps the cause of the change from a benchmark to pending outputs.
    pub(crate) fn keep(
        &self,
        target: &Path,
        test: &TestId,
        change: (&Snapshot, &Snapshot),
    ) -> Result<()> {
        let rules = self.rules.iter().map(VerifiedRule::to_json);
        let value = Value::object([
            ("change", Value::from(key(change))),
            ("text", Value::from(self.text.as_str())),
            ("rules", rules.collect()),
        ]);
        let file = file(target, test);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).context(folder.display())?;
        }
        Ok(snapshot::save(&file, &value.to_string())?)
    }

    /// Reads the cause of a test's pending change, if it is kept.
    pub(crate) fn of_change(
        target: &Path,
        record: &RecordedTest,
        change: &PendingChange,
    ) -> Option<Self> {
        let both = (change.benchmark.as_ref()?, &change.pending.snapshot);
        Self::read(target, &record.test, both)
    }

    /// Reads the cause of this change. `None` if none is kept, or of another change.
    pub(crate) fn read(
        target: &Path,
        test: &TestId,
        change: (&Snapshot, &Snapshot),
    ) -> Option<Self> {
        let value = json::parse(&fs::read_to_string(file(target, test)).ok()?).ok()?;
        let rules = value.get("rules")?.as_array()?.iter();
        let kept = Self {
            text: value.get("text")?.as_str()?.to_owned(),
            rules: rules.map(VerifiedRule::from_json).collect::<Option<_>>()?,
        };
        (value.get("change")?.as_str()? == key(change)).then_some(kept)
    }
}

/// Returns the file with the cause of a test's change.
fn file(target: &Path, test: &TestId) -> PathBuf {
    let name = format!(
        "{:016x}.json",
        hash(&format!("{} {}", test.source, test.name))
    );
    target
        .join("tdg")
        .join("why")
        .join(&test.package)
        .join(name)
}

fn key((benchmark, pending): (&Snapshot, &Snapshot)) -> String {
    let hashes = [benchmark, pending].map(|it| format!("{:016x}", hash(it.text())));
    hashes.concat()
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    #[test]
    fn a_cause_is_of_one_change() {
        let definition = r#"{"features": [{"feature_name": "n", "type": "BOOLEAN",
            "distribution": {"type": "any"}}]}"#;
        let change = |after: &'static str| {
            let change = sample::change(definition, 10, |_| "1".to_owned(), |_| after.to_owned());
            (change.benchmark.clone().unwrap(), change.pending.snapshot)
        };
        let folder = tempfile::tempdir().unwrap();
        let test = TestId {
            package: "shop".to_owned(),
            name: "a::fee".to_owned(),
            source: "tests/fees.rs".to_owned(),
        };
        let rule = VerifiedRule {
            part: "value /fee".to_owned(),
            rule: "exactly those with n = true".to_owned(),
            evidence: "2,000 more rows: no exception".to_owned(),
        };
        let cause = KeptCause {
            text: "a::fee: 5 of 10 cases changed\n".to_owned(),
            rules: vec![rule],
        };
        let (benchmark, pending) = change("2");
        cause
            .keep(folder.path(), &test, (&benchmark, &pending))
            .unwrap();
        let read = |pending| KeptCause::read(folder.path(), &test, (&benchmark, pending));
        assert_eq!(read(&pending), Some(cause));
        assert_eq!(read(&change("3").1), None);
    }
}
