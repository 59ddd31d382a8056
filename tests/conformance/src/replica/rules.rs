//! Checks of single records. `tdg_service::rules` has a test for each rule.

use tdg_service::Timestamp;
use tdg_service::record::{AssertionRecord, EnsembleRecord, Record, TestRecord};
use tdg_service::sync::RecordOutcome;

use super::sample::{Sample, add, has_exactly, listed};
use super::{Place, stating, timed};

stating![
    what_breaks_a_rule_is_refused_alone,
    nothing_is_dated_far_ahead,
];

fn what_breaks_a_rule_is_refused_alone(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    let mut odd_test = sample.test.clone();
    odd_test.test.source = "../../etc/passwd".to_owned();
    let mut odd_run = sample.assertion.clone();
    let run = odd_run.run.as_mut().unwrap();
    (run.facts.cases, run.facts.changed) = (2, 5);
    let odd = [
        Record::Ensemble(EnsembleRecord {
            size: 10_001,
            ..sample.ensemble.clone()
        }),
        Record::Test(TestRecord { ..odd_test }),
        Record::Assertion(odd_run),
        Record::Assertion(AssertionRecord {
            time: Timestamp::from_micros(sample.assertion.time.as_micros() + 1_000_000),
            ..sample.assertion.clone()
        }),
    ];
    let answers = place
        .replica
        .add(&[&records[1..6], &odd, &records[6..]].concat());
    let answers = answers.unwrap();
    assert_eq!(answers[..5], vec![RecordOutcome::Made; 5]);
    for (answer, record) in answers[5..9].iter().zip(&odd) {
        assert!(
            matches!(answer, RecordOutcome::Refused(_)),
            "{answer:?} to {record:?}"
        );
    }
    assert_eq!(answers[9..], [RecordOutcome::Made]);
    has_exactly(place.replica, &records);
}

fn nothing_is_dated_far_ahead(place: &Place<'_>) {
    const HOUR: i64 = 3_600_000_000;
    let sample = Sample::create(place);
    add(place.replica, &sample.records()[1..6]);
    let at = |micros: i64| {
        let time = Timestamp::from_micros(micros);
        Record::Assertion(AssertionRecord {
            time,
            uuid: timed(time, 0xf00d),
            ..sample.assertion.clone()
        })
    };
    let now = Timestamp::now().as_micros();
    add(place.replica, &[at(now + HOUR)]);
    for odd in [
        now + 26 * HOUR,
        Timestamp::MAX.as_micros(),
        Timestamp::MIN.as_micros(),
    ] {
        let answers = place.replica.add(&[at(odd), at(now)]).unwrap();
        assert!(
            matches!(answers[0], RecordOutcome::Refused(_)),
            "{answers:?}"
        );
    }
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 2);
}
