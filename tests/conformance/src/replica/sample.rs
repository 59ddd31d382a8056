//! Sample records for the laws.

use std::collections::BTreeMap;

use tdg_definition::{Definition, Policy};
use tdg_engine::checkout::Checkout;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Channel, Decision, DecisionKind, RunFacts};
use tdg_engine::{TestId, Vectors, Verdict};
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord,
    ProjectRecord, Record, RecordKind, RowSource, RunRecord, SetDigests, TestRecord,
    TombstoneRecord,
};
use tdg_service::sync::{BenchmarkHistory, HistoryQuestion, RecordOutcome, Replica, Wanted};
use tdg_service::{Timestamp, Uuid};

use super::{Place, timed};

/// A record of each kind of content, each belonging to the one before.
pub(super) struct Sample {
    pub(super) project: ProjectRecord,
    pub(super) definition: DefinitionRecord,
    pub(super) ensemble: EnsembleRecord,
    pub(super) test: TestRecord,
    pub(super) benchmark: BenchmarkRecord,
    pub(super) decision: DecisionRecord,
    pub(super) assertion: AssertionRecord,
}

/// Returns a time, in microseconds after a fixed moment.
pub(super) fn time(micros: i64) -> Timestamp {
    Timestamp::from_micros(1_615_241_668_473_646 + micros)
}

impl Sample {
    pub(super) fn create(place: &Place<'_>) -> Self {
        Sample::with(place, "[10.5,{\"total\":20}]")
    }

    /// Creates a sample with two outputs.
    pub(super) fn with(place: &Place<'_>, outputs: &str) -> Self {
        let project = place.project.clone();
        let text = r#"{"definition_name": "orders", "features": [
            {"feature_name": "amount", "type": "FLOAT",
             "distribution": {"type": "uniform", "min": 0, "max": 1}}]}"#;
        let parsed = Definition::parse(text).unwrap();
        let definition = DefinitionRecord {
            project: project.uuid,
            added: time(0),
            definition: parsed.to_value(),
        };
        let definition_uuid = Record::Definition(definition.clone()).uuid();
        let ensemble = EnsembleRecord {
            definition: definition_uuid,
            added: time(1),
            name: "calm-amber-river-otter".to_owned(),
            size: 2,
            rows: RowSource::Drawn {
                seed: u64::MAX,
                sampler_version: tdg_definition::random::SAMPLER_VERSION,
            },
            digest: Vectors::generate(&parsed, u64::MAX, 2).digest(),
        };
        let benchmark = BenchmarkRecord {
            ensemble: Record::Ensemble(ensemble.clone()).uuid(),
            added: time(2),
            outputs: Outputs::parse(outputs).unwrap(),
        };
        let test = TestRecord {
            project: project.uuid,
            test: TestId {
                package: "shop".to_owned(),
                source: "src/lib.rs".to_owned(),
                name: "tests::total".to_owned(),
            },
        };
        let (test_uuid, benchmark_uuid) = (
            Record::Test(test.clone()).uuid(),
            Record::Benchmark(benchmark.clone()).uuid(),
        );
        let checkout = Checkout {
            commit: Some("53ea1a8e3b2c".to_owned()),
            branch: Some("main".to_owned()),
        };
        let decision = DecisionRecord {
            uuid: timed(time(3), 0xdec),
            test: test_uuid,
            benchmark: Some(benchmark_uuid),
            time: time(3),
            decision: Decision {
                reason: Some("cents are rounded".to_owned()),
                author: Some("Ada".to_owned()),
                checkout: checkout.clone(),
                dirty: Some(true),
                ci: Some("https://ci.example/7".to_owned()),
                replaces: Some("0123456789abcdef".repeat(2)),
                // Each place gives its own answer.
                through: Some(Channel::Page),
                ..Decision::new(DecisionKind::AcceptedInPart)
            },
            from: Some(TestId {
                name: "tests::sum".to_owned(),
                ..test.test.clone()
            }),
        };
        let assertion = AssertionRecord {
            uuid: timed(time(4), 0xa55),
            benchmark: benchmark_uuid,
            time: time(4),
            asserted: false,
            run: Some(RunRecord {
                test: test_uuid,
                facts: RunFacts {
                    changed: 1,
                    tolerance_use: Some(0.1 + 0.2),
                    policy: Some(Policy::parse(r#"{"tolerance": {"abs": 0.1}}"#).unwrap()),
                    checkout,
                    dirty: Some(true),
                    platform: Some(("linux".to_owned(), "x86_64".to_owned())),
                    ..RunFacts::new(Verdict::Changed, 2)
                },
            }),
        };
        Sample {
            project,
            definition,
            ensemble,
            test,
            benchmark,
            decision,
            assertion,
        }
    }

    /// Returns all records, parents first.
    pub(super) fn records(&self) -> Vec<Record> {
        vec![
            Record::Project(self.project.clone()),
            Record::Definition(self.definition.clone()),
            Record::Ensemble(self.ensemble.clone()),
            Record::Test(self.test.clone()),
            Record::Benchmark(self.benchmark.clone()),
            Record::Decision(self.decision.clone()),
            Record::Assertion(self.assertion.clone()),
        ]
    }

    pub(super) fn benchmark_uuid(&self) -> Uuid {
        Record::Benchmark(self.benchmark.clone()).uuid()
    }

    /// Returns assertions at these times, in this order only.
    pub(super) fn assertions(&self, times: &[i64]) -> Vec<Record> {
        let assertion = |(number, micros): (usize, &i64)| AssertionRecord {
            uuid: timed(time(*micros), 0x1000 - number as u128),
            time: time(*micros),
            ..self.assertion.clone()
        };
        let assertions = times.iter().enumerate().map(assertion);
        assertions.map(Record::Assertion).collect()
    }
}

/// Returns a tombstone for a record.
pub(super) fn tombstone(number: u128, of: &Record) -> TombstoneRecord {
    TombstoneRecord {
        uuid: timed(time(9), number),
        of: of.kind(),
        object: of.uuid(),
        deleted: time(9),
    }
}

/// Returns the request for a record.
pub(super) fn wanted(record: &Record) -> Wanted {
    match record {
        Record::Assertion(it) => Wanted::Assertion(it.benchmark, it.time, it.uuid),
        _ => Wanted::Other(record.kind(), record.uuid()),
    }
}

/// Returns the place's versions of these records, with as many requests as needed.
pub(super) fn found(replica: &dyn Replica, records: &[Record]) -> Vec<Option<Record>> {
    let wanted: Vec<Wanted> = records.iter().map(wanted).collect();
    let mut found = Vec::new();
    while found.len() < wanted.len() {
        let some = replica.records(&wanted[found.len()..]).unwrap();
        assert!(!some.is_empty(), "an answer is about one at least");
        found.extend(some);
    }
    found
}

#[track_caller]
pub(super) fn is_there(replica: &dyn Replica, records: &[Record]) {
    let expected: Vec<Option<Record>> = records.iter().cloned().map(Some).collect();
    assert_eq!(found(replica, records), expected);
}

#[track_caller]
pub(super) fn is_not_there(replica: &dyn Replica, records: &[Record]) {
    let found = found(replica, records);
    assert!(found.iter().all(Option::is_none), "{found:?}");
}

/// Adds all records. None of them may exist.
#[track_caller]
pub(super) fn add(replica: &dyn Replica, records: &[Record]) {
    let made = vec![RecordOutcome::Made; records.len()];
    assert_eq!(replica.add(records).unwrap(), made, "{records:?}");
}

/// Asserts that the place's digests match these records, by kind.
#[track_caller]
pub(super) fn has_exactly(replica: &dyn Replica, records: &[Record]) {
    let mut kinds: BTreeMap<RecordKind, Vec<Uuid>> = BTreeMap::new();
    let is_assertion = |record: &&Record| record.kind() == RecordKind::Assertion;
    for record in records.iter().filter(|record| !is_assertion(record)) {
        kinds.entry(record.kind()).or_default().push(record.uuid());
    }
    let digests: BTreeMap<RecordKind, SetDigests> = kinds
        .iter()
        .map(|(kind, uuids)| (*kind, uuids.iter().copied().collect()))
        .collect();
    assert_eq!(replica.digests().unwrap(), digests);
    let parts: Vec<u8> = (0..=u8::MAX).collect();
    for kind in RecordKind::ALL
        .into_iter()
        .filter(|it| *it != RecordKind::Assertion)
    {
        let mut identities = replica.identities(kind, &parts).unwrap();
        identities.sort_unstable();
        let mut expected = kinds.remove(&kind).unwrap_or_default();
        expected.sort_unstable();
        assert_eq!(identities, expected, "{kind}");
    }
}

/// Returns the history of a benchmark, listing assertions from a time on.
pub(super) fn history(
    replica: &dyn Replica,
    benchmark: Uuid,
    since: Timestamp,
    listed_from: Timestamp,
) -> BenchmarkHistory {
    let question = HistoryQuestion {
        benchmark,
        since,
        listed_from,
    };
    let mut histories = replica.histories(&[question]).unwrap();
    assert_eq!(histories.len(), 1);
    histories.remove(0)
}

/// Returns the times and identities of all assertions of a benchmark.
pub(super) fn listed(replica: &dyn Replica, benchmark: Uuid) -> Vec<(Timestamp, Uuid)> {
    history(replica, benchmark, Timestamp::MIN, Timestamp::MIN).listed
}
