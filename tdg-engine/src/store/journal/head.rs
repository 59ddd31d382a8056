//! The first line of a journal: the test, and the benchmark that its runs were compared with.

use tdg_definition::json::Value;

use super::entry::{Claimed, optional};
use super::fold::Fold;
use crate::ensemble::Ensemble;
use crate::hex::{from_hex, hex};
use crate::store::{Expected, Run};
use crate::test_id::TestId;

/// What a journal is about.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) struct Head {
    pub(in crate::store) test: TestId,
    pub(in crate::store) benchmark: JournalBenchmark,
    /// The policy of the runs as JSON.
    pub(in crate::store) policy: Option<String>,
    /// The function of the run that began the journal.
    pub(in crate::store) claim: Claimed,
    /// The time of the newest run before.
    pub(in crate::store) since: i64,
    /// A hash of the benchmark, to find out whether a run has the same.
    key: String,
}

/// The benchmark of a journal's runs.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) enum JournalBenchmark {
    /// The store has it, as the current one of the test, and nothing is pending.
    Known { uuid: [u8; 16] },
    /// The store may not have it: where there is none, or none that this process can open.
    Content {
        ensemble: Box<Ensemble>,
        outputs: String,
    },
}

impl Head {
    /// The head for that run; `None` if it has no benchmark.
    pub(super) fn of(run: &Run<'_>, known: Option<[u8; 16]>, since: i64) -> Option<Self> {
        let expected = run.benchmark.as_ref()?;
        Some(Self {
            test: run.test.clone(),
            benchmark: match known {
                Some(uuid) => JournalBenchmark::Known { uuid },
                None => JournalBenchmark::Content {
                    ensemble: Box::new(expected.ensemble.clone()),
                    outputs: expected.outputs.to_owned(),
                },
            },
            policy: run.policy.map(str::to_owned),
            claim: Claimed::of(run),
            since,
            key: key(expected),
        })
    }

    /// Whether the run was compared with this benchmark, under the same policy.
    pub(super) fn is_of(&self, run: &Run<'_>) -> bool {
        run.test == &self.test
            && run.policy == self.policy.as_deref()
            && run.benchmark.as_ref().is_some_and(|it| key(it) == self.key)
    }

    pub(super) fn to_value(&self) -> Value {
        let mut members = vec![
            ("package", Value::from(self.test.package.as_str())),
            ("source", self.test.source.as_str().into()),
            ("name", self.test.name.as_str().into()),
            ("since", self.since.into()),
            ("key", self.key.as_str().into()),
        ];
        match &self.benchmark {
            JournalBenchmark::Known { uuid } => members.push(("benchmark", hex(uuid).into())),
            JournalBenchmark::Content { ensemble, outputs } => {
                members.push(("ensemble", ensemble_value(ensemble)));
                members.push(("outputs", outputs.as_str().into()));
            }
        }
        members.extend(
            self.policy
                .as_deref()
                .map(|policy| ("policy", policy.into())),
        );
        members.extend(self.claim.members());
        Value::object(members)
    }

    pub(super) fn from_value(value: &Value) -> Option<Self> {
        let text = |name| optional(value, name);
        Some(Self {
            test: TestId {
                package: text("package")?,
                source: text("source")?,
                name: text("name")?,
            },
            benchmark: match value.get("benchmark") {
                Some(uuid) => JournalBenchmark::Known {
                    uuid: from_hex(uuid.as_str()?)?,
                },
                None => JournalBenchmark::Content {
                    ensemble: Box::new(ensemble(value.get("ensemble")?)?),
                    outputs: text("outputs")?,
                },
            },
            policy: text("policy"),
            claim: Claimed::from_value(value),
            since: value.get("since")?.as_i64()?,
            key: text("key")?,
        })
    }
}

fn key(expected: &Expected<'_>) -> String {
    let Ensemble {
        name: _,
        size,
        seed,
        sampler_version,
        digest,
        definition,
        rows: _,
    } = expected.ensemble;
    let fold = Fold::default()
        .with_word(*size as u64)
        .with_word(*seed)
        .with_word(u64::from(*sampler_version))
        .with(digest)
        .with(definition)
        .with(expected.outputs);
    format!("{:016x}", fold.value())
}

fn ensemble_value(ensemble: &Ensemble) -> Value {
    let Ensemble {
        name,
        size,
        seed,
        sampler_version,
        digest,
        definition,
        rows,
    } = ensemble;
    let mut members = vec![
        ("name", Value::from(name.as_str())),
        ("size", (*size as u64).into()),
        ("seed", (*seed).into()),
        ("sampler", u64::from(*sampler_version).into()),
        ("digest", digest.as_str().into()),
        ("definition", definition.as_str().into()),
    ];
    members.extend(rows.as_deref().map(|rows| ("rows", rows.into())));
    Value::object(members)
}

fn ensemble(value: &Value) -> Option<Ensemble> {
    let number = |name| value.get(name)?.as_u64();
    Some(Ensemble {
        name: optional(value, "name")?,
        size: usize::try_from(number("size")?).ok()?,
        seed: number("seed")?,
        sampler_version: u32::try_from(number("sampler")?).ok()?,
        digest: optional(value, "digest")?,
        definition: optional(value, "definition")?,
        rows: optional(value, "rows"),
    })
}
