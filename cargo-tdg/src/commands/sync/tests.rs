//! Tests of output, with handmade results and in-memory places.

use std::collections::BTreeMap;

use tdg_definition::json;
use tdg_engine::Vectors;
use tdg_engine::output::Outputs;
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DefinitionRecord, EnsembleRecord, Record, RecordKind,
    RowSource, SetDigests,
};
use tdg_service::sync::wire::MissingResponse;
use tdg_service::sync::{
    BenchmarkHistory, Direction, HistoryQuestion, RecordOutcome, Replica, SyncPlan, SyncSummary,
    Transferred, Wanted,
};
use tdg_service::{Result, Timestamp, Uuid};

use super::comparison::{self, RecordComparison};
use super::content::CheckedContent;
use super::progress::json_line;
use super::report::SyncReport;
use super::{status, verify};
use crate::exit::Exit;

/// A place in memory.
struct Memory {
    records: Vec<Record>,
    /// Listed for every kind, but never returned.
    unreadable: Option<Uuid>,
}

impl Memory {
    fn with_records(records: &[Record]) -> Self {
        Self {
            records: records.to_vec(),
            unreadable: None,
        }
    }

    fn identities_of(&self, kind: RecordKind) -> Vec<Uuid> {
        let of_kind = self.records.iter().filter(|it| it.kind() == kind);
        of_kind.map(Record::uuid).chain(self.unreadable).collect()
    }
}

impl Replica for Memory {
    fn digests(&self) -> Result<BTreeMap<RecordKind, SetDigests>> {
        let kinds = RecordKind::ALL.into_iter();
        let kinds = kinds.filter(|kind| *kind != RecordKind::Assertion);
        Ok(kinds
            .map(|kind| (kind, self.identities_of(kind).into_iter().collect()))
            .collect())
    }

    fn identities(&self, kind: RecordKind, parts: &[u8]) -> Result<Vec<Uuid>> {
        let mut identities = self.identities_of(kind);
        identities.retain(|uuid| parts.contains(&SetDigests::part(*uuid)));
        Ok(identities)
    }

    fn missing(&self, _: RecordKind, _: &[Uuid]) -> Result<MissingResponse> {
        Ok(MissingResponse::default())
    }

    /// Answers one question at a time.
    fn histories(&self, questions: &[HistoryQuestion]) -> Result<Vec<BenchmarkHistory>> {
        let question = questions[0];
        let of = self.records.iter().filter_map(|record| match record {
            Record::Assertion(it) if it.benchmark == question.benchmark => Some((it.time, it.uuid)),
            _ => None,
        });
        let (mut listed, older): (Vec<_>, Vec<_>) =
            of.partition(|(time, _)| *time >= question.listed_from);
        listed.sort();
        Ok(vec![BenchmarkHistory {
            kept_since: Timestamp::MIN,
            digest: older.into_iter().map(|(_, uuid)| uuid).collect(),
            listed,
        }])
    }

    fn records(&self, wanted: &[Wanted]) -> Result<Vec<Option<Record>>> {
        let Wanted::Other(kind, uuid) = wanted[0] else {
            return Ok(vec![None]);
        };
        let mut found = self.records.iter();
        let found = found.find(|it| it.kind() == kind && it.uuid() == uuid);
        Ok(vec![found.cloned()])
    }

    fn add(&self, records: &[Record]) -> Result<Vec<RecordOutcome>> {
        Ok(vec![RecordOutcome::Differs; records.len()])
    }
}

fn uuid(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn time(day: i64) -> Timestamp {
    Timestamp::from_micros(day * 86_400_000_000)
}

const DEFINITION: &str = r#"{"features":[{"feature_name":"a","type":"INTEGER","distribution":{"type":"uniform","min":0,"max":9}}]}"#;

fn definition() -> Record {
    Record::Definition(DefinitionRecord {
        project: uuid(1),
        added: time(0),
        definition: json::parse(DEFINITION).unwrap(),
    })
}

fn ensemble(seed: u64, digest: &str) -> Record {
    Record::Ensemble(EnsembleRecord {
        definition: definition().uuid(),
        added: time(0),
        name: "orders".to_owned(),
        size: 5,
        rows: RowSource::Drawn {
            seed,
            sampler_version: tdg_definition::random::SAMPLER_VERSION,
        },
        digest: digest.to_owned(),
    })
}

fn digest(seed: u64) -> String {
    let definition = tdg_definition::Definition::parse(DEFINITION).unwrap();
    Vectors::generate(&definition, seed, 5).digest()
}

fn benchmark() -> Record {
    Record::Benchmark(BenchmarkRecord {
        ensemble: ensemble(0, "").uuid(),
        added: time(0),
        outputs: Outputs::parse("[1,2,3,4,5]").unwrap(),
    })
}

fn assertion(number: u128, day: i64) -> Record {
    Record::Assertion(AssertionRecord {
        uuid: uuid(number),
        benchmark: benchmark().uuid(),
        time: time(day),
        asserted: true,
        run: None,
    })
}

#[test]
fn two_places_are_counted_by_kind() {
    let counted = summary(
        &[
            (RecordKind::Project, transferred(0, 0, 1)),
            (RecordKind::Test, transferred(0, 1, 0)),
            (RecordKind::Decision, transferred(0, 0, 0)),
            (RecordKind::Assertion, transferred(0, 1200, 9588)),
        ],
        &[
            (RecordKind::Project, transferred(0, 0, 1)),
            (RecordKind::Ensemble, transferred(0, 1, 1)),
            (RecordKind::Assertion, transferred(0, 1, 9588)),
        ],
    );
    let compared = RecordComparison::from_summary(&counted);
    assert_eq!(compared.differing(), (1201, 2));
    let newest = [Some(time(4)), Some(time(2))];
    insta::assert_snapshot!(plain(&status::text(&compared, newest)), @"
                  here  there  in both
    projects         1      1        1
    ensembles        1      2        1
    tests            1      0        0
    assertions  10,788  9,589    9,588

    newest assertion: 1970-01-05 00:00:00 UTC here, 1970-01-03 00:00:00 UTC there
    1,201 to send, 2 to receive: cargo tdg sync
    ");
    insta::assert_snapshot!(status::json_lines(&compared), @r#"
    {"both":1,"here":1,"kind":"project","there":1}
    {"both":1,"here":1,"kind":"ensemble","there":2}
    {"both":0,"here":1,"kind":"test","there":0}
    {"both":9588,"here":10788,"kind":"assertion","there":9589}
    "#);
    insta::assert_snapshot!(plain(&verify::differences(&compared)), @"
    ensembles: 0 only here, 1 only there
    tests: 1 only here, 0 only there
    assertions: 1,200 only here, 1 only there
    ");
}

#[test]
fn equal_places_have_nothing_to_do() {
    let both = [(RecordKind::Assertion, transferred(0, 0, 3))];
    let compared = RecordComparison::from_summary(&summary(&both, &both));
    insta::assert_snapshot!(plain(&status::text(&compared, [Some(time(4)); 2])), @"
                here  there  in both
    assertions     3      3        3

    newest assertion: 1970-01-05 00:00:00 UTC
    Both places have the same records.
    ");
    insta::assert_snapshot!(plain(&verify::differences(&compared)), @"equal: both places have the same records (3)");
    let within_a_second = [4_000_000, 4_000_001].map(|at| Some(Timestamp::from_micros(at)));
    assert!(status::text(&compared, within_a_second).contains(" here, "));
    let nothing = RecordComparison::default();
    insta::assert_snapshot!(plain(&status::text(&nothing, [None; 2])), @"There are no records yet.");
    insta::assert_snapshot!(plain(&verify::differences(&nothing)), @"equal: both places have the same records (0)");
}

#[test]
fn the_newest_assertion_is_found_before_and_after_the_other_places() {
    let of = |days: &[i64]| {
        let assertions = days.iter().map(|&day| assertion(10 + day as u128, day));
        Memory::with_records(
            &[benchmark()]
                .into_iter()
                .chain(assertions)
                .collect::<Vec<_>>(),
        )
    };
    let newest = |days: &[i64], from: Option<i64>| {
        comparison::newest(&of(days), from.map(time))
            .unwrap()
            .map(Timestamp::as_micros)
    };
    let expected = |day| Some(time(day).as_micros());
    assert_eq!(newest(&[], None), None);
    assert_eq!(newest(&[], Some(3)), None);
    assert_eq!(newest(&[1, 5, 2], None), expected(5));
    for from in [1, 5, 9] {
        assert_eq!(newest(&[1, 5, 2], Some(from)), expected(5), "{from}");
    }
}

#[test]
fn rows_that_a_definition_does_not_draw_are_named() {
    let orphan = Record::Ensemble(EnsembleRecord {
        definition: uuid(9),
        added: time(0),
        name: "lost".to_owned(),
        size: 1,
        rows: RowSource::Drawn {
            seed: 0,
            sampler_version: 1,
        },
        digest: String::new(),
    });
    let place = Memory::with_records(&[
        definition(),
        ensemble(0, &digest(0)),
        ensemble(1, &digest(1)),
        ensemble(2, &digest(1)),
        orphan,
    ]);
    let checked = CheckedContent::read(&place).unwrap();
    assert_eq!((checked.fine, checked.of_other_versions), (2, 0));
    insta::assert_snapshot!(checked.faults.join("\n"), @"
    the ensemble lost (1 rows, b905b997-ac10-89b3-8c72-5be95eafe4d8): its definition is missing
    the ensemble orders (5 rows, 4941e04c-974b-87ef-8cd6-0e3a6866ee49): its rows have the digest 23e2192415a49d8fc55526027c3d5317, but 357eb99418389d611824e7a19fb9f1bb was recorded
    ");
}

#[test]
fn a_record_of_any_kind_that_is_listed_and_not_given_is_damaged() {
    let place = Memory {
        records: Vec::new(),
        unreadable: Some(uuid(1)),
    };
    let checked = CheckedContent::read(&place).unwrap();
    let kinds = RecordKind::ALL.into_iter();
    // Assertions are compared by their digests and aren't read.
    let kinds = kinds.filter(|kind| *kind != RecordKind::Assertion);
    assert_eq!(checked.damaged, kinds.map(|kind| (kind, uuid(1))).collect());
}

/// Returns a summary of sent and received records.
fn summary(
    pushed: &[(RecordKind, Transferred)],
    pulled: &[(RecordKind, Transferred)],
) -> SyncSummary {
    let mut summary = SyncSummary::default();
    summary.pushed = pushed.iter().cloned().collect();
    summary.pulled = pulled.iter().cloned().collect();
    summary
}

fn transferred(made: u64, left: u64, had: u64) -> Transferred {
    let mut transferred = Transferred::default();
    (transferred.made, transferred.left, transferred.had) = (made, left, had);
    transferred
}

fn refused(answers: Vec<(Uuid, RecordOutcome)>) -> Transferred {
    let mut transferred = transferred(1, 0, 0);
    transferred.refused = answers;
    transferred
}

fn told(summary: &SyncSummary, direction: Direction, dry_run: bool) -> String {
    let mut plan = SyncPlan::new(direction);
    plan.dry_run = dry_run;
    let report = SyncReport {
        summary,
        plan: &plan,
        tests: [(uuid(4), "total".to_owned())].into(),
    };
    let code = match report.exit() {
        Exit::Fine => 0,
        Exit::Found => 1,
        Exit::Failed => 2,
    };
    plain(&format!("{}({code})", report.text()))
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn each_kind_has_a_line() {
    let pushed = [
        (RecordKind::Definition, transferred(2, 0, 10)),
        (RecordKind::Decision, transferred(0, 0, 0)),
        (RecordKind::Assertion, transferred(412, 0, 9588)),
    ];
    let pulled = [
        (RecordKind::Definition, transferred(0, 3, 10)),
        (RecordKind::Tombstone, transferred(1, 0, 0)),
    ];
    let push = summary(&pushed, &pulled);
    insta::assert_snapshot!(told(&push, Direction::Push, false), @"
    definitions  2 sent, 0 refused, 10 there already
    assertions   412 sent, 0 refused, 9,588 there already
    tombstones   0 sent, 1 received, 0 refused, 0 there already
    (0)
    ");
    let pull = summary(
        &[(RecordKind::Test, transferred(0, 1, 4))],
        &[(RecordKind::Test, transferred(7, 0, 4))],
    );
    insta::assert_snapshot!(told(&pull, Direction::Pull, false), @"
    tests  7 received, 0 refused, 4 here already
    (0)
    ");
    let sync = summary(
        &pushed,
        &[(RecordKind::Assertion, transferred(1234, 0, 9588))],
    );
    insta::assert_snapshot!(told(&sync, Direction::Sync, false), @"
    definitions  2 sent, 0 received, 0 refused, 10 in both already
    assertions   412 sent, 1,234 received, 0 refused, 9,588 in both already
    (0)
    ");
    insta::assert_snapshot!(told(&summary(&[], &[]), Direction::Sync, false), @"
    There are no records yet.
    (0)
    ");
}

#[test]
fn a_dry_run_says_what_is_to_be_done() {
    let push = summary(
        &[(RecordKind::Assertion, transferred(0, 412, 9588))],
        &[(RecordKind::Assertion, transferred(0, 3, 9588))],
    );
    insta::assert_snapshot!(told(&push, Direction::Push, true), @"
    assertions  412 to send, 0 refused, 9,588 there already
    (1)
    ");
    insta::assert_snapshot!(told(&push, Direction::Sync, true), @"
    assertions  412 to send, 3 to receive, 0 refused, 9,588 in both already
    (1)
    ");
    let nothing = summary(&[(RecordKind::Assertion, transferred(0, 0, 9588))], &[]);
    insta::assert_snapshot!(told(&nothing, Direction::Push, true), @"
    assertions  0 to send, 0 refused, 9,588 there already
    (0)
    ");
}

#[test]
fn what_is_pruned_is_counted() {
    let mut pull = summary(&[], &[(RecordKind::Tombstone, transferred(2, 0, 0))]);
    pull.pruned = 2;
    insta::assert_snapshot!(told(&pull, Direction::Pull, false), @"
    tombstones  2 received, 0 refused, 0 here already
    deleted     2 removed here, with what belongs to them
    (0)
    ");
    insta::assert_snapshot!(told(&pull, Direction::Pull, true), @"
    deleted  2 to remove here, with what belongs to them
    (1)
    ");
}

#[test]
fn a_dry_run_has_lines_of_json_for_kinds() {
    let sync = summary(
        &[(RecordKind::Test, transferred(0, 2, 1))],
        &[(RecordKind::Test, transferred(0, 3, 1))],
    );
    let lines = |direction| {
        let mut plan = SyncPlan::new(direction);
        plan.dry_run = true;
        let report = SyncReport {
            summary: &sync,
            plan: &plan,
            tests: BTreeMap::new(),
        };
        report.json_lines()
    };
    insta::assert_snapshot!(lines(Direction::Sync), @r#"{"both":1,"kind":"test","to_receive":3,"to_send":2}"#);
    insta::assert_snapshot!(lines(Direction::Pull), @r#"{"both":1,"kind":"test","to_receive":3,"to_send":0}"#);
}

#[test]
fn what_was_refused_is_named() {
    let some = vec![
        (uuid(1), RecordOutcome::Gone(uuid(1))),
        (uuid(2), RecordOutcome::Gone(uuid(1))),
        (uuid(3), RecordOutcome::Differs),
        (
            uuid(4),
            RecordOutcome::Refused("its ensemble 3 is missing".to_owned()),
        ),
    ];
    let many = (0..12)
        .map(|number| (uuid(number), RecordOutcome::Differs))
        .collect();
    let pushed = [
        (RecordKind::Benchmark, refused(some)),
        (RecordKind::Assertion, refused(many)),
    ];
    insta::assert_snapshot!(told(&summary(&pushed, &[]), Direction::Push, false), @"
    benchmarks  1 sent, 4 refused, 0 there already
    assertions  1 sent, 12 refused, 0 there already
    refused
      benchmark 00000000-0000-0000-0000-000000000001: it was deleted; --revive sends it again
      benchmark 00000000-0000-0000-0000-000000000002: it belongs to 00000000-0000-0000-0000-000000000001, which was deleted; --revive sends it again
      benchmark 00000000-0000-0000-0000-000000000003: another record has its identity; `cargo tdg sync verify` looks for damage
      benchmark 00000000-0000-0000-0000-000000000004 of total: its ensemble 3 is missing
      assertion 00000000-0000-0000-0000-000000000000: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000001: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000002: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000003: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000004 of total: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000005: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000006: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000007: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000008: another record has its identity; `cargo tdg sync verify` looks for damage
      assertion 00000000-0000-0000-0000-000000000009: another record has its identity; `cargo tdg sync verify` looks for damage
      … and 2 more assertions; --json lists all
    (1)
    ");
}

#[test]
fn a_line_of_json_says_what_became_of_a_record() {
    let answers = [
        RecordOutcome::Made,
        RecordOutcome::Had,
        RecordOutcome::Gone(uuid(7)),
        RecordOutcome::Differs,
        RecordOutcome::Refused("it can't be read".to_owned()),
    ];
    let lines = answers
        .iter()
        .map(|answer| json_line("sent", RecordKind::Benchmark, uuid(1), answer));
    insta::assert_snapshot!(lines.collect::<String>(), @r#"
    {"answer":"sent","kind":"benchmark","uuid":"00000000-0000-0000-0000-000000000001"}
    {"answer":"had","kind":"benchmark","uuid":"00000000-0000-0000-0000-000000000001"}
    {"answer":"gone","kind":"benchmark","object":"00000000-0000-0000-0000-000000000007","uuid":"00000000-0000-0000-0000-000000000001"}
    {"answer":"differs","kind":"benchmark","uuid":"00000000-0000-0000-0000-000000000001"}
    {"answer":"refused","kind":"benchmark","reason":"it can't be read","uuid":"00000000-0000-0000-0000-000000000001"}
    "#);
}
