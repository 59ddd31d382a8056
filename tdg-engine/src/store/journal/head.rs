//! The first line of a journal: the test, and the benchmark that its runs were compared with.

use tdg_definition::json::Value;

use super::entry::{Claimed, optional};
use super::hash::TextHash;
use super::{benchmark, line};
use crate::ensemble::Ensemble;
use crate::hex::{from_hex, hex};
use crate::store::{Expected, Run};
use crate::test_id::TestId;

/// The head of a journal.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::store) struct Head {
    pub(in crate::store) test: TestId,
    /// The benchmark of the runs, if it is the test's current one in the store and nothing is
    /// pending. Otherwise it is in the next line.
    pub(in crate::store) known: Option<[u8; 16]>,
    /// The length of that line, which is most of a journal. Runs skip it.
    pub(super) benchmark_bytes: usize,
    /// The policy of the runs as JSON.
    pub(in crate::store) policy: Option<String>,
    /// The function of the run that started the journal.
    pub(in crate::store) claim: Claimed,
    /// The time of the newest earlier run.
    pub(in crate::store) since: i64,
    /// A hash of the benchmark, to check that a run has the same one.
    key: String,
}

impl Head {
    /// Returns the start of a journal for that run, or `None` if the run has no benchmark.
    pub(super) fn text(run: &Run<'_>, known: Option<[u8; 16]>, since: i64) -> Option<String> {
        let expected = run.benchmark.as_ref()?;
        let benchmark = match known {
            Some(_) => String::new(),
            None => line::render(&benchmark::to_value(expected)),
        };
        let head = Self {
            test: run.test.clone(),
            known,
            benchmark_bytes: benchmark.len(),
            policy: run.policy.map(str::to_owned),
            claim: Claimed::from_run(run),
            since,
            key: key(expected),
        };
        Some(line::render(&head.to_value()) + &benchmark)
    }

    /// Returns true if the run was compared with this benchmark under the same policy.
    pub(super) fn is_of(&self, run: &Run<'_>) -> bool {
        run.test == &self.test
            && run.policy == self.policy.as_deref()
            && run.benchmark.as_ref().is_some_and(|it| key(it) == self.key)
    }

    fn to_value(&self) -> Value {
        let mut members = vec![
            ("package", Value::from(self.test.package.as_str())),
            ("source", self.test.source.as_str().into()),
            ("name", self.test.name.as_str().into()),
            ("since", self.since.into()),
            ("key", self.key.as_str().into()),
        ];
        members.push(match self.known {
            Some(uuid) => ("benchmark", hex(&uuid).into()),
            None => ("benchmark_bytes", (self.benchmark_bytes as u64).into()),
        });
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
        let known = match value.get("benchmark") {
            Some(uuid) => Some(from_hex(uuid.as_str()?)?),
            None => None,
        };
        Some(Self {
            test: TestId {
                package: text("package")?,
                source: text("source")?,
                name: text("name")?,
            },
            known,
            benchmark_bytes: match known {
                Some(_) => 0,
                None => usize::try_from(value.get("benchmark_bytes")?.as_u64()?).ok()?,
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
    let fold = TextHash::default()
        .with_word(*size as u64)
        .with_word(*seed)
        .with_word(u64::from(*sampler_version))
        .with(digest)
        .with(definition)
        .with(expected.outputs);
    format!("{:016x}", fold.value())
}
