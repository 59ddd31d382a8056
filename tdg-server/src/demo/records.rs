//! The example project's records, as if its tests had run at each commit and users had decided.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use hmac_sha256::Hash;
use tdg_definition::Definition;
use tdg_definition::json::Value;
use tdg_definition::random::SAMPLER_VERSION;
use tdg_engine::checkout::Checkout;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Decision, DecisionKind, RunFacts};
use tdg_engine::{TestId, Vectors, Verdict, hex};
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord,
    ProjectRecord, Record, RowSource, RunRecord, TestRecord,
};
use tdg_service::{Result, ServiceError, Timestamp, Uuid, rules};

use crate::database::timed_uuid;

use super::functions::{DemoRow, DemoTest, TESTS, Version, branch};

/// The number of commits, and the time between two, in microseconds.
const COMMITS: usize = 200;
const PAUSE: i64 = 6 * 60 * 60 * 1_000_000;

/// The seed of all ensembles.
const SEED: u64 = 0;

/// Returns the project and its records, parents first.
pub(super) fn of_project(now: Timestamp) -> Result<(Uuid, Vec<Record>)> {
    let (uuid, name) = (Uuid::new_v4(), "examples".to_owned());
    let mut records = vec![Record::Project(ProjectRecord { uuid, name })];
    for (number, test) in (0..).zip(&TESTS) {
        let history = TestHistory::new(uuid, test, now, number)?;
        records.extend(history.records()?);
    }
    records.sort_by_key(Record::kind);
    Ok((uuid, records))
}

/// A test with its rows and the time of its runs.
struct TestHistory<'t> {
    test: &'t DemoTest,
    definition: Record,
    ensemble: Record,
    record: Record,
    /// The outputs of each version.
    outputs: Vec<Outputs>,
    now: Timestamp,
    /// The seconds after each commit at which it runs.
    second: i64,
}

impl<'t> TestHistory<'t> {
    fn new(project: Uuid, test: &'t DemoTest, now: Timestamp, second: i64) -> Result<Self> {
        let definition = Definition::parse(test.definition);
        let definition = definition.map_err(ServiceError::from)?;
        let vectors = Vectors::generate(&definition, SEED, test.size);
        let added = time_of(0, now, second);
        let definition = Record::Definition(DefinitionRecord {
            project,
            added,
            definition: definition.to_value(),
        });
        let ensemble = Record::Ensemble(EnsembleRecord {
            definition: definition.uuid(),
            added,
            name: test.name.to_owned(),
            size: test.size,
            rows: RowSource::Drawn {
                seed: SEED,
                sampler_version: SAMPLER_VERSION,
            },
            digest: vectors.digest(),
        });
        let id = TestId {
            package: test.package.to_owned(),
            source: test.source.to_owned(),
            name: test.name.to_owned(),
        };
        Ok(TestHistory {
            test,
            definition,
            ensemble,
            record: Record::Test(TestRecord { project, test: id }),
            outputs: test
                .versions
                .iter()
                .map(|it| outputs(it, &vectors))
                .collect(),
            now,
            second,
        })
    }

    /// Returns the records of the test, commit by commit.
    fn records(self) -> Result<Vec<Record>> {
        let mut expected = 0;
        let mut runs = Vec::new();
        let mut decisions = vec![self.decision(0, DecisionKind::Recorded, None, Some(0))];
        let mut changed: HashMap<(usize, usize), Vec<(usize, Value)>> = HashMap::new();
        for commit in 0..COMMITS {
            let versions = self.test.versions.iter();
            let current = versions
                .take_while(|version| version.from <= commit)
                .count()
                - 1;
            let outputs = match changed.entry((expected, current)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => free.insert(self.changed(expected, current)?),
            };
            runs.push(self.run(commit, expected, outputs));
            let version = &self.test.versions[current];
            if let Some(decision) = version.decision.as_ref().filter(|it| it.after == commit) {
                let is_accepted = decision.kind == DecisionKind::Accepted;
                let benchmark = is_accepted.then_some(current);
                let by = Some((decision.author, decision.reason));
                decisions.push(self.decision(commit, decision.kind, by, benchmark));
                expected = benchmark.unwrap_or(expected);
            }
        }
        let benchmarks = (0..self.outputs.len()).map(|version| self.benchmark(version));
        let mut benchmarks: Vec<Record> = benchmarks.collect();
        benchmarks.sort_by_key(Record::uuid);
        benchmarks.dedup_by_key(|record| record.uuid());
        let contents = [self.definition, self.ensemble, self.record];
        Ok(contents
            .into_iter()
            .chain(benchmarks)
            .chain(decisions)
            .chain(runs)
            .collect())
    }

    /// Returns the cases that differ between two versions, with the actual outputs.
    fn changed(&self, expected: usize, actual: usize) -> Result<Vec<(usize, Value)>> {
        let differing = rules::differing(&self.outputs[expected], &self.outputs[actual], None)?;
        let rows = differing.into_iter().flat_map(|it| it.rows);
        Ok(rows.map(|it| (it.case, it.actual)).collect())
    }

    fn benchmark(&self, version: usize) -> Record {
        Record::Benchmark(BenchmarkRecord {
            ensemble: self.ensemble.uuid(),
            added: time_of(self.test.versions[version].from, self.now, self.second),
            outputs: self.outputs[version].clone(),
        })
    }

    fn run(&self, commit: usize, expected: usize, changed: &[(usize, Value)]) -> Record {
        let time = time_of(commit, self.now, self.second);
        let verdict = match commit {
            0 => Verdict::Recorded,
            _ if changed.is_empty() => Verdict::Same,
            _ => Verdict::Changed,
        };
        let facts = RunFacts {
            changed: changed.len() as u64,
            changed_outputs: changed.to_vec(),
            checkout: checkout(commit),
            platform: Some(("linux".to_owned(), "x86_64".to_owned())),
            ..RunFacts::new(verdict, self.test.size as u64)
        };
        Record::Assertion(AssertionRecord {
            uuid: timed_uuid(time),
            benchmark: self.benchmark(expected).uuid(),
            time,
            asserted: verdict.passes(),
            run: Some(RunRecord {
                test: self.record.uuid(),
                facts,
            }),
        })
    }

    /// Returns a decision, made an hour after the commit.
    fn decision(
        &self,
        commit: usize,
        kind: DecisionKind,
        by: Option<(&str, &str)>,
        benchmark: Option<usize>,
    ) -> Record {
        let time = time_of(commit, self.now, 3600 + self.second);
        Record::Decision(DecisionRecord {
            uuid: timed_uuid(time),
            test: self.record.uuid(),
            benchmark: benchmark.map(|version| self.benchmark(version).uuid()),
            time,
            decision: Decision {
                reason: by.map(|(_, reason)| reason.to_owned()),
                author: by.map(|(author, _)| author.to_owned()),
                checkout: checkout(commit),
                dirty: Some(true),
                ..Decision::new(kind)
            },
            from: None,
        })
    }
}

fn outputs(version: &Version, vectors: &Vectors) -> Outputs {
    let mut outputs = Outputs::with_capacity(vectors.size());
    for row in 0..vectors.size() {
        outputs.push(&(version.output)(&DemoRow { vectors, row }));
    }
    outputs
}

/// Returns the time a number of seconds after a commit.
fn time_of(commit: usize, now: Timestamp, seconds: i64) -> Timestamp {
    let before = (COMMITS - commit) as i64 * PAUSE;
    Timestamp::from_micros(now.as_micros() - before + seconds * 1_000_000)
}

fn checkout(commit: usize) -> Checkout {
    let hash = Hash::hash(&commit.to_le_bytes());
    Checkout {
        commit: Some(hex(&hash[..20])),
        branch: Some(branch(commit).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use tdg_service::record::RecordKind;

    use super::*;

    #[test]
    fn the_history_has_causes_decisions_and_a_change_that_waits() {
        let now = Timestamp::from_micros(1_790_000_000_000_000);
        let (_, records) = of_project(now).unwrap();
        let count = |kind| records.iter().filter(|it| it.kind() == kind).count();
        assert_eq!(count(RecordKind::Assertion), TESTS.len() * COMMITS);
        assert_eq!(count(RecordKind::Benchmark), 9);
        for record in &records {
            rules::check_record(record, now).unwrap();
        }
        let mut failing: Vec<String> = Vec::new();
        for record in &records {
            if let Record::Assertion(AssertionRecord { run: Some(run), .. }) = record
                && run.facts.changed > 0
            {
                let branch = run.facts.checkout.branch.as_deref().unwrap();
                failing.push(format!("{branch}: {}", run.facts.changed));
            }
        }
        insta::assert_snapshot!(failing.join("\n"));
    }
}
