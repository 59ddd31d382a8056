use tdg_definition::Policy;
use tdg_engine::Verdict;
use tdg_engine::output::Outputs;
use tdg_engine::store::RunFacts;
use uuid::Uuid;

use super::*;
use crate::Timestamp;
use crate::record::tests::records;
use crate::record::{
    AssertionRecord, DecisionRecord, EnsembleRecord, Record, RecordKind, RowSource, TombstoneRecord,
};

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

fn now() -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000)
}

/// Returns the record of a kind after a change.
macro_rules! changed {
    ($kind:ident, $change:expr) => {{
        let mut found = records().into_iter();
        let found = found.find(|it| it.kind() == RecordKind::$kind);
        let Some(Record::$kind(mut record)) = found else {
            panic!("no {}", stringify!($kind));
        };
        #[allow(clippy::redundant_closure_call)]
        ($change)(&mut record);
        Record::$kind(record)
    }};
}

fn run_with(change: impl Fn(&mut RunFacts)) -> Record {
    changed!(Assertion, |it: &mut AssertionRecord| {
        let run = &mut it.run.as_mut().unwrap().facts;
        change(run);
        it.asserted = run.verdict.passes();
    })
}

fn refusal(record: &Record) -> String {
    let error = check_record(record, now()).unwrap_err();
    format!("{}: {error}", record.kind())
}

#[test]
fn records_as_stores_make_them_are_accepted() {
    for record in records() {
        check_record(&record, now()).unwrap();
    }
}

#[test]
fn each_rule_refuses_what_breaks_it() {
    let long = |bytes: usize| "x".repeat(bytes);
    let sized = |size: usize| changed!(Ensemble, |it: &mut EnsembleRecord| it.size = size);
    let decided = |change: fn(&mut DecisionRecord)| changed!(Decision, change);
    let counted = |verdict: Verdict, cases: u64, changed: u64| {
        run_with(|run| (run.verdict, run.cases, run.changed) = (verdict, cases, changed))
    };
    let v4 = || Uuid::from_u128(0x6f0c_1c1e_0d3a_4c3b_9d56_0f1f_2a7c_9b10);
    let test = |change: &dyn Fn(&mut tdg_engine::TestId)| {
        changed!(Test, |it: &mut crate::record::TestRecord| change(
            &mut it.test
        ))
    };
    let broken = [
        changed!(Project, |it: &mut crate::record::ProjectRecord| it.name =
            "a\u{1b}".to_owned()),
        sized(0),
        sized(10_001),
        sized(usize::MAX),
        changed!(Ensemble, |it: &mut EnsembleRecord| it.rows =
            RowSource::Drawn {
                seed: 7,
                sampler_version: 99
            }),
        changed!(Ensemble, |it: &mut EnsembleRecord| it.rows =
            RowSource::Given(Outputs::parse("[[1]]").unwrap())),
        changed!(Ensemble, |it: &mut EnsembleRecord| it.digest =
            "0".to_owned()),
        changed!(Ensemble, |it: &mut EnsembleRecord| it.name =
            "x".repeat(257)),
        test(&|it| it.name = String::new()),
        test(&|it| it.name = "a\0".to_owned()),
        test(&|it| it.name = long(1025)),
        test(&|it| it.package = long(257)),
        test(&|it| it.source = "../../etc/passwd".to_owned()),
        test(&|it| it.source = "src\\..\\lib.rs".to_owned()),
        test(&|it| it.source = "/etc/passwd".to_owned()),
        test(&|it| it.source = "C:\\lib.rs".to_owned()),
        decided(|it| it.uuid = Uuid::nil()),
        decided(|it| it.decision.reason = Some("two\nlines".to_owned())),
        decided(|it| it.decision.reason = Some("x".repeat(4097))),
        decided(|it| it.decision.author = Some("Ada\u{9b}".to_owned())),
        decided(|it| it.decision.ci = Some("x".repeat(1025))),
        decided(|it| it.decision.checkout.commit = Some("x".repeat(257))),
        decided(|it| {
            it.from = Some(tdg_engine::TestId {
                package: "shop".to_owned(),
                source: "src/lib.rs".to_owned(),
                name: String::new(),
            })
        }),
        changed!(Assertion, |it: &mut AssertionRecord| it.uuid = v4()),
        changed!(Assertion, |it: &mut AssertionRecord| it.time =
            Timestamp::from_micros(it.time.as_micros() + 1000)),
        changed!(Assertion, |it: &mut AssertionRecord| it.asserted = false),
        counted(Verdict::Changed, 0, 0),
        counted(Verdict::Changed, u64::MAX, 1),
        counted(Verdict::Changed, 2, 5),
        counted(Verdict::Changed, 2, 0),
        counted(Verdict::Same, 2, 1),
        run_with(|run| run.uncompared = run.cases + 1),
        run_with(|run| run.changed_outputs.swap(0, 1)),
        run_with(|run| run.changed_outputs[1].0 = 2),
        run_with(|run| run.changed_outputs[0].1 = "x".repeat(65_536).into()),
        run_with(|run| run.verified_rules = vec![run.verified_rules[0].clone(); 17]),
        run_with(|run| run.verified_rules[0].part = "x".repeat(4097)),
        run_with(|run| run.verified_rules[0].rule = "two\nlines".to_owned()),
        run_with(|run| run.checkout.branch = Some("x".repeat(60_000))),
        run_with(|run| run.platform = Some(("x".repeat(257), "x86_64".to_owned()))),
        run_with(|run| run.platform = Some(("linux".to_owned(), "x".repeat(257)))),
        changed!(Tombstone, |it: &mut TombstoneRecord| it.uuid = v4()),
    ];
    let said: Vec<String> = broken.iter().map(refusal).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn counts_match_the_verdict_and_the_policy() {
    let policy = |text: &str| Some(Policy::parse(text).unwrap());
    let some_may_differ = policy(r#"{"allow": 0.5}"#);
    let distribution = policy(r#"{"distribution": {"/a": {"ks": 0.01}}}"#);
    for (verdict, cases, changed, policy) in [
        (Verdict::Same, 2, 1, some_may_differ),
        (Verdict::Changed, 2, 0, distribution),
        // The new benchmark has fewer cases than the one it replaced.
        (Verdict::Recorded, 2, 5, None),
        (Verdict::Accepted, 2, 5, None),
        (Verdict::Panicked, 10_000, 0, None),
    ] {
        let record = run_with(|run| {
            (run.verdict, run.cases, run.changed) = (verdict, cases, changed);
            run.policy.clone_from(&policy);
        });
        check_record(&record, now()).unwrap();
    }
}

#[test]
fn no_time_is_far_ahead_of_the_clock_or_before_clocks() {
    let at = |record: Record, micros: i64| {
        let time = Timestamp::from_micros(micros);
        match record {
            Record::Definition(mut it) => {
                it.added = time;
                Record::Definition(it)
            }
            Record::Ensemble(mut it) => {
                it.added = time;
                Record::Ensemble(it)
            }
            Record::Benchmark(mut it) => {
                it.added = time;
                Record::Benchmark(it)
            }
            Record::Decision(mut it) => {
                it.time = time;
                Record::Decision(it)
            }
            Record::Assertion(mut it) => {
                it.time = time;
                it.uuid = crate::record::tests::uuid_at(time, 9);
                Record::Assertion(it)
            }
            Record::Tombstone(mut it) => {
                it.deleted = time;
                Record::Tombstone(it)
            }
            other => other,
        }
    };
    let timeless = [RecordKind::Project, RecordKind::Test, RecordKind::Revival];
    for record in records() {
        let kind = record.kind();
        let accepts = |micros: i64| check_record(&at(record.clone(), micros), now()).is_ok();
        let latest = now().as_micros() + DAY;
        assert!(
            [0, now().as_micros(), latest].into_iter().all(accepts),
            "{kind}"
        );
        for outside in [
            latest + 1,
            Timestamp::MAX.as_micros(),
            -1,
            Timestamp::MIN.as_micros(),
        ] {
            assert_eq!(
                accepts(outside),
                timeless.contains(&kind),
                "{kind} at {outside}"
            );
        }
    }
    let tombstone = changed!(Tombstone, |_: &mut TombstoneRecord| {});
    let fault = |micros| refusal(&at(tombstone.clone(), micros));
    insta::assert_snapshot!(fault(now().as_micros() + DAY + 1), @"tombstone: /deleted: 2023-11-15 22:13:20.000001 is more than a day ahead of the server's clock, 2023-11-14 22:13:20.000000; correct the clock of the machine that made the record");
    insta::assert_snapshot!(fault(-1), @"tombstone: /deleted: 1969-12-31 23:59:59.999999 is before 1970; correct the clock of the machine that made the record");
}
