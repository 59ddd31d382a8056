//! The cause of a pending change that `cargo tdg why` found last, kept below the target directory.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use tdg_definition::json::{self, Value};
use tdg_engine::TestId;
use tdg_engine::compare::Part;
use tdg_engine::snapshot::{self, Snapshot};
use tdg_html::VerifiedRule;

use super::{PendingChange, RecordedTest};
use crate::error::{Context as _, Result};

/// The cause of a pending change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptCause {
    /// The answer of `cargo tdg why`.
    pub(crate) text: String,
    /// The verified rules of the change's parts, if its lines weren't explained apart.
    pub(crate) rules: Vec<(KeptPart, VerifiedRule)>,
}

/// The kind and the fields of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptPart(String);

impl KeptPart {
    pub(crate) fn new(part: &Part) -> Self {
        let fields = part.fields.iter().map(ToString::to_string);
        Self(format!(
            "{:?} {}",
            part.kind,
            fields.collect::<Vec<_>>().join(" ")
        ))
    }
}

impl KeptCause {
    /// Returns the verified rule of a part, if any.
    pub(crate) fn rule(&self, part: &Part) -> Option<VerifiedRule> {
        let part = KeptPart::new(part);
        let rule = self.rules.iter().find(|(it, _)| *it == part);
        rule.map(|(_, rule)| rule.clone())
    }

    /// Keeps the cause of the change from a benchmark to pending outputs.
    pub(crate) fn keep(
        &self,
        target: &Path,
        test: &TestId,
        change: (&Snapshot, &Snapshot),
    ) -> Result<()> {
        let rules = self.rules.iter().map(|(part, rule)| {
            Value::object([
                ("part", Value::from(part.0.as_str())),
                ("sentence", Value::from(rule.sentence.as_str())),
                ("evidence", Value::from(rule.evidence.as_str())),
            ])
        });
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
        let text = |value: &Value, key: &str| Some(value.get(key)?.as_str()?.to_owned());
        let rules = value.get("rules")?.as_array()?.iter().map(|it| {
            let rule = VerifiedRule {
                sentence: text(it, "sentence")?,
                evidence: text(it, "evidence")?,
            };
            Some((KeptPart(text(it, "part")?), rule))
        });
        let kept = Self {
            text: text(&value, "text")?,
            rules: rules.collect::<Option<_>>()?,
        };
        (text(&value, "change")? == key(change)).then_some(kept)
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
        let part = Part {
            kind: tdg_engine::compare::PartKind::Value,
            fields: Vec::new(),
            cases: vec![1],
        };
        let rule = VerifiedRule {
            sentence: "exactly those with n = true".to_owned(),
            evidence: "2,000 more rows: no exception".to_owned(),
        };
        let cause = KeptCause {
            text: "a::fee: 5 of 10 cases changed\n".to_owned(),
            rules: vec![(KeptPart::new(&part), rule.clone())],
        };
        let (benchmark, pending) = change("2");
        cause
            .keep(folder.path(), &test, (&benchmark, &pending))
            .unwrap();
        let read = |pending| KeptCause::read(folder.path(), &test, (&benchmark, pending));
        assert_eq!(read(&pending), Some(cause));
        assert_eq!(read(&pending).unwrap().rule(&part), Some(rule));
        assert_eq!(read(&change("3").1), None);
    }
}
