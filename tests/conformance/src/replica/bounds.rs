//! Requests and answers with many elements.

use tdg_engine::output::Outputs;
use tdg_service::Timestamp;
use tdg_service::record::{BenchmarkRecord, Record};
use tdg_service::sync::{HistoryQuestion, Wanted};

use super::sample::{Sample, add, found, listed, wanted};
use super::{Place, stating};

stating![
    answers_are_about_the_first_elements,
    many_assertions_are_found_again,
];

fn answers_are_about_the_first_elements(place: &Place<'_>) {
    let sample = Sample::create(place);
    add(place.replica, &sample.records()[1..4]);
    // More than fits into an answer.
    let benchmark = |number: usize| {
        let outputs = format!("[{number}, \"{}\"]", "x".repeat(1 << 20));
        Record::Benchmark(BenchmarkRecord {
            outputs: Outputs::parse(&outputs).unwrap(),
            ..sample.benchmark.clone()
        })
    };
    let benchmarks: Vec<Record> = (0..12).map(benchmark).collect();
    for some in benchmarks.chunks(4) {
        add(place.replica, some);
    }
    let wanted: Vec<Wanted> = benchmarks.iter().map(wanted).collect();
    let some = place.replica.records(&wanted).unwrap();
    assert!((1..12).contains(&some.len()), "{}", some.len());
    let all: Vec<Option<Record>> = benchmarks.iter().cloned().map(Some).collect();
    assert!(found(place.replica, &benchmarks) == all);
    let question = |record: &Record| HistoryQuestion {
        benchmark: record.uuid(),
        since: Timestamp::MIN,
        listed_from: Timestamp::MIN,
    };
    let questions: Vec<HistoryQuestion> = benchmarks.iter().map(question).collect();
    let histories = place.replica.histories(&questions).unwrap();
    assert!((1..=12).contains(&histories.len()));
}

fn many_assertions_are_found_again(place: &Place<'_>) {
    let sample = Sample::create(place);
    add(place.replica, &sample.records()[1..6]);
    let times: Vec<i64> = (0..700).map(|number| number * 37 % 701).collect();
    let assertions = sample.assertions(&times);
    for some in assertions.chunks(300) {
        add(place.replica, some);
    }
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 700);
    let all: Vec<Option<Record>> = assertions.iter().cloned().map(Some).collect();
    assert!(found(place.replica, &assertions) == all);
}
