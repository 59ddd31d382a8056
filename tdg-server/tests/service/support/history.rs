//! A project with the history of a test.

use tdg_conformance::replica::timed;
use tdg_definition::Definition;
use tdg_definition::json::Value;
use tdg_engine::checkout::Checkout;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Decision, DecisionKind, RunFacts, VerifiedRule};
use tdg_engine::{TestId, Vectors, Verdict};
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord,
    ProjectRecord, Record, RecordKind, RowSource, RunRecord, TestRecord,
};
use tdg_service::sync::{RecordOutcome, Replica};
use tdg_service::{Timestamp, Uuid};

use super::Server;

/// The number of rows. Each has a number as output.
const SIZE: usize = 40;

/// A project whose test passed, changed, and then passed again or not.
pub(crate) struct History {
    pub(crate) project: Uuid,
    pub(crate) test: Uuid,
    pub(crate) definition: Uuid,
    pub(crate) ensemble: Uuid,
    /// The benchmark of the runs, and another with each output increased by one.
    pub(crate) benchmarks: [Uuid; 2],
    /// The runs, oldest first.
    pub(crate) runs: Vec<Uuid>,
}

impl History {
    /// Pushes a project in which all objects have this name. The runs have these verdicts, a minute
    /// apart. In failing runs, seven totals are increased by one.
    pub(crate) fn push(server: &Server, key: &str, name: &str, verdicts: &[Verdict]) -> History {
        let outputs = (0..7).map(|row| (row, output(row + 1, name)));
        History::push_changed(server, key, name, verdicts, &outputs.collect::<Vec<_>>())
    }

    /// Like `push`, with these outputs for failing runs.
    pub(crate) fn push_changed(
        server: &Server,
        key: &str,
        name: &str,
        verdicts: &[Verdict],
        outputs: &[(usize, Value)],
    ) -> History {
        let project = Uuid::new_v4();
        let records = contents(project, name);
        let of = |kind: RecordKind| {
            let found = records.iter().filter(move |record| record.kind() == kind);
            found.map(Record::uuid)
        };
        let only = |kind| of(kind).next().unwrap();
        let (test, benchmark) = (only(RecordKind::Test), only(RecordKind::Benchmark));
        let runs = verdicts.iter().zip(1..).map(|(verdict, minute)| {
            let changed = if verdict.passes() { &[] } else { outputs };
            let facts = RunFacts {
                changed: changed.len() as u64,
                changed_outputs: changed.to_vec(),
                tolerance_use: Some(0.25),
                checkout: checkout(name),
                platform: Some(("linux".to_owned(), "x86_64".to_owned())),
                ..RunFacts::new(*verdict, SIZE as u64)
            };
            Record::Assertion(AssertionRecord {
                uuid: timed(minutes(minute), 7),
                benchmark,
                time: minutes(minute),
                asserted: verdict.passes(),
                run: Some(RunRecord { test, facts }),
            })
        });
        let runs: Vec<Record> = runs.collect();
        let service = server.service(key);
        for records in [&records, &runs] {
            let added = service.replica(project).add(records).unwrap();
            assert!(
                added.iter().all(|it| *it == RecordOutcome::Made),
                "{added:?}"
            );
        }
        History {
            project,
            test,
            definition: only(RecordKind::Definition),
            ensemble: only(RecordKind::Ensemble),
            benchmarks: [benchmark, of(RecordKind::Benchmark).nth(1).unwrap()],
            runs: runs.iter().map(Record::uuid).collect(),
        }
    }

    /// Returns a run whose first seven totals changed, in this minute. Experiments verified this
    /// rule about them.
    pub(crate) fn explained_run(&self, rule: &str, minute: i64) -> Record {
        let changed = (0..7).map(|row| (row, output(row + 1, rule)));
        let facts = RunFacts {
            changed: 7,
            changed_outputs: changed.collect(),
            verified_rules: vec![VerifiedRule {
                part: "value /note /total".to_owned(),
                rule: rule.to_owned(),
                evidence: format!("2,000 more rows: all but 1, such as {rule}"),
            }],
            ..RunFacts::new(Verdict::Changed, SIZE as u64)
        };
        self.run(minute, 0, facts)
    }

    /// Returns a run that passed on a branch in this minute, against one of the benchmarks.
    pub(crate) fn run_on(&self, branch: &str, minute: i64, benchmark: usize) -> Record {
        let facts = RunFacts {
            checkout: checkout(branch),
            ..RunFacts::new(Verdict::Same, SIZE as u64)
        };
        self.run(minute, benchmark, facts)
    }

    fn run(&self, minute: i64, benchmark: usize, facts: RunFacts) -> Record {
        let test = self.test;
        Record::Assertion(AssertionRecord {
            uuid: timed(minutes(minute), 0xa55),
            benchmark: self.benchmarks[benchmark],
            time: minutes(minute),
            asserted: facts.verdict.passes(),
            run: Some(RunRecord { test, facts }),
        })
    }

    /// Synchronizes records.
    pub(crate) fn add(&self, server: &Server, key: &str, records: &[Record]) {
        let service = server.service(key);
        let added = service.replica(self.project).add(records).unwrap();
        let is_made = |it: &RecordOutcome| *it == RecordOutcome::Made;
        assert!(added.iter().all(is_made), "{added:?}");
    }
}

pub(crate) fn minutes(minutes: i64) -> Timestamp {
    Timestamp::from_micros(1_790_000_000_000_000 + minutes * 60_000_000)
}

pub(crate) fn checkout(branch: &str) -> Checkout {
    Checkout {
        commit: Some("1f3a9c0d21b4e5f60718293a4b5c6d7e8f901234".to_owned()),
        branch: Some(branch.to_owned()),
    }
}

fn output(total: usize, note: &str) -> Value {
    Value::object([("total", (total as u64).into()), ("note", note.into())])
}

/// Returns the records of a project except its runs.
fn contents(project: Uuid, name: &str) -> Vec<Record> {
    let feature = serde_json::json!({"features": [
        {"feature_name": name, "type": "INTEGER",
         "distribution": {"type": "uniform", "min": 1, "max": 90}},
        {"feature_name": "coupon", "type": "STRING", "distribution": {"type": "categorical",
         "categories": [{"value": name, "probability": 0.5}, {"value": "B", "probability": 0.5}]}},
    ]});
    let definition = Definition::parse(&feature.to_string()).unwrap();
    let rows = Vectors::generate(&definition, 7, SIZE);
    let definition = Record::Definition(DefinitionRecord {
        project,
        added: minutes(0),
        definition: definition.to_value(),
    });
    let ensemble = Record::Ensemble(EnsembleRecord {
        definition: definition.uuid(),
        added: minutes(0),
        name: name.to_owned(),
        size: SIZE,
        rows: RowSource::Drawn {
            seed: 7,
            sampler_version: tdg_definition::random::SAMPLER_VERSION,
        },
        digest: rows.digest(),
    });
    let test = Record::Test(TestRecord {
        project,
        test: TestId {
            package: name.to_owned(),
            source: "src/lib.rs".to_owned(),
            name: name.to_owned(),
        },
    });
    let benchmark = |add: usize| {
        let outputs = (0..SIZE).map(|row| output(row + add, name));
        let outputs = Value::Array(outputs.collect()).to_string();
        Record::Benchmark(BenchmarkRecord {
            ensemble: ensemble.uuid(),
            added: minutes(0),
            outputs: Outputs::parse(&outputs).unwrap(),
        })
    };
    let (first, second) = (benchmark(0), benchmark(1));
    let decision = Record::Decision(DecisionRecord {
        uuid: timed(minutes(0), 9),
        test: test.uuid(),
        benchmark: Some(first.uuid()),
        time: minutes(0),
        decision: Decision {
            reason: Some(name.to_owned()),
            author: Some(name.to_owned()),
            checkout: checkout(name),
            ..Decision::new(DecisionKind::Accepted)
        },
        from: None,
    });
    let (uuid, name) = (project, name.to_owned());
    let project = Record::Project(ProjectRecord { uuid, name });
    vec![project, definition, ensemble, test, first, second, decision]
}
