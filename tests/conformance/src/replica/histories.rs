//! The assertions of benchmarks.

use tdg_service::record::{Record, SetDigest};
use tdg_service::{Timestamp, Uuid};

use super::sample::{Sample, add, history, is_there, listed, time};
use super::{Place, stating};

stating![
    a_history_is_in_the_order_of_time_and_identity,
    assertions_before_the_list_are_in_the_digest,
    assertions_before_the_time_that_matters_are_left_out,
    nothing_was_removed_of_a_short_history,
];

/// Returns the times and identities of assertions, in order.
fn keys(records: &[Record]) -> Vec<(Timestamp, Uuid)> {
    let keys = records.iter().filter_map(|record| match record {
        Record::Assertion(it) => Some((it.time, it.uuid)),
        _ => None,
    });
    let mut keys: Vec<_> = keys.collect();
    keys.sort_unstable();
    keys
}

/// Adds assertions of one benchmark in no particular order. Two of them have the same time.
fn assertions(place: &Place<'_>) -> (Uuid, Vec<Record>) {
    let sample = Sample::create(place);
    add(place.replica, &sample.records()[1..6]);
    let assertions = sample.assertions(&[50, 10, 40, 20, 20, -31_536_000_000_000]);
    add(place.replica, &assertions);
    (sample.benchmark_uuid(), assertions)
}

fn a_history_is_in_the_order_of_time_and_identity(place: &Place<'_>) {
    let (benchmark, assertions) = assertions(place);
    assert_eq!(listed(place.replica, benchmark), keys(&assertions));
    is_there(place.replica, &assertions);
}

fn assertions_before_the_list_are_in_the_digest(place: &Place<'_>) {
    let (benchmark, assertions) = assertions(place);
    let keys = keys(&assertions);
    for listed_from in [Timestamp::MIN, time(20), time(21), time(50), Timestamp::MAX] {
        let found = history(place.replica, benchmark, Timestamp::MIN, listed_from);
        let (listed, older): (Vec<_>, Vec<_>) = keys
            .iter()
            .copied()
            .partition(|(time, _)| *time >= listed_from);
        assert_eq!(found.listed, listed, "{listed_from:?}");
        let digest: SetDigest = older.into_iter().map(|(_, uuid)| uuid).collect();
        assert_eq!(found.digest, digest, "{listed_from:?}");
    }
}

fn assertions_before_the_time_that_matters_are_left_out(place: &Place<'_>) {
    let (benchmark, assertions) = assertions(place);
    let keys = keys(&assertions);
    let found = history(place.replica, benchmark, time(20), time(40));
    let in_digest = keys
        .iter()
        .filter(|(at, _)| (time(20)..time(40)).contains(at));
    assert_eq!(found.digest, in_digest.map(|(_, uuid)| *uuid).collect());
    let listed = keys.iter().copied().filter(|(at, _)| *at >= time(40));
    assert_eq!(found.listed, listed.collect::<Vec<_>>());
}

fn nothing_was_removed_of_a_short_history(place: &Place<'_>) {
    let (benchmark, assertions) = assertions(place);
    let found = history(place.replica, benchmark, Timestamp::MIN, Timestamp::MAX);
    let oldest = keys(&assertions)[0].0;
    assert!(found.kept_since <= oldest, "{found:?}");
}
