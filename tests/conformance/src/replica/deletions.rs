//! Tombstones and revivals.

use tdg_service::Uuid;
use tdg_service::record::{Record, RecordKind, RevivalRecord, TombstoneRecord};
use tdg_service::sync::RecordOutcome;

use super::sample::{Sample, add, has_exactly, is_not_there, is_there, listed, time, tombstone};
use super::{Place, stating, timed};

stating![
    what_has_a_tombstone_is_gone_with_all_that_was_beneath,
    what_is_gone_is_not_added_again,
    a_tombstone_keeps_out_what_was_never_here,
    a_tombstone_within_a_request_counts_for_what_follows,
    what_is_revived_can_be_there_again,
    every_tombstone_of_an_object_has_to_be_revived,
    a_revival_can_come_before_its_tombstone,
    tombstones_are_records,
    a_project_can_be_gone,
    a_tombstone_says_what_its_object_is,
    a_tombstone_is_about_its_own_project,
];

fn revival(of: &Record) -> Record {
    Record::Revival(RevivalRecord {
        tombstone: of.uuid(),
    })
}

fn what_has_a_tombstone_is_gone_with_all_that_was_beneath(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..]);
    let deleted = Record::Tombstone(tombstone(0xdead, &records[1]));
    add(place.replica, std::slice::from_ref(&deleted));
    // The project and the test don't belong to the definition.
    let left = [records[0].clone(), records[3].clone(), deleted];
    has_exactly(place.replica, &left);
    is_there(place.replica, &left);
    let gone: Vec<Record> = [1, 2, 4, 5, 6].map(|index| records[index].clone()).to_vec();
    is_not_there(place.replica, &gone);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()), []);
}

fn what_is_gone_is_not_added_again(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..]);
    let deleted = Record::Tombstone(tombstone(0xdead, &records[4]));
    add(place.replica, std::slice::from_ref(&deleted));
    let benchmark = sample.benchmark_uuid();
    let answers = place.replica.add(&records[4..]).unwrap();
    assert_eq!(answers, vec![RecordOutcome::Gone(benchmark); 3]);
    let missing = place
        .replica
        .missing(RecordKind::Benchmark, &[benchmark])
        .unwrap();
    assert_eq!((missing.missing, missing.gone), (vec![], vec![benchmark]));
    let left = [&records[..4], &[deleted]].concat();
    has_exactly(place.replica, &left);
}

fn a_tombstone_keeps_out_what_was_never_here(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    let deleted = Record::Tombstone(tombstone(0xdead, &records[2]));
    add(place.replica, std::slice::from_ref(&deleted));
    add(place.replica, &records[1..2]);
    let gone = RecordOutcome::Gone(records[2].uuid());
    assert_eq!(place.replica.add(&records[2..3]).unwrap(), [gone]);
    has_exactly(place.replica, &[&records[..2], &[deleted]].concat());
}

fn a_tombstone_within_a_request_counts_for_what_follows(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    let deleted = Record::Tombstone(tombstone(0xdead, &records[4]));
    let mut request = records[1..].to_vec();
    request.insert(4, deleted.clone());
    let answers = place.replica.add(&request).unwrap();
    assert_eq!(answers[..5], vec![RecordOutcome::Made; 5]);
    let benchmark = sample.benchmark_uuid();
    assert_eq!(answers[5..], vec![RecordOutcome::Gone(benchmark); 2]);
    let revived = revival(&deleted);
    add(place.replica, &[revived]);
}

fn what_is_revived_can_be_there_again(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..]);
    let deleted = Record::Tombstone(tombstone(0xdead, &records[1]));
    add(place.replica, std::slice::from_ref(&deleted));
    let revived = revival(&deleted);
    add(place.replica, std::slice::from_ref(&revived));
    // A place may have kept them or not.
    for answer in place.replica.add(&records[1..]).unwrap() {
        assert!(
            matches!(answer, RecordOutcome::Made | RecordOutcome::Had),
            "{answer:?}"
        );
    }
    let all = [records.as_slice(), &[deleted, revived]].concat();
    has_exactly(place.replica, &all);
    is_there(place.replica, &all);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 1);
}

fn every_tombstone_of_an_object_has_to_be_revived(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    let one = Record::Tombstone(tombstone(0xdead, &records[1]));
    let other = Record::Tombstone(tombstone(0xbad, &records[1]));
    add(place.replica, &[one.clone(), other.clone(), revival(&one)]);
    let gone = RecordOutcome::Gone(records[1].uuid());
    assert_eq!(place.replica.add(&records[1..2]).unwrap(), [gone]);
    add(place.replica, &[revival(&other), records[1].clone()]);
}

fn a_revival_can_come_before_its_tombstone(place: &Place<'_>) {
    let sample = Sample::create(place);
    let mut records = sample.records();
    add(place.replica, &records[1..]);
    let deleted = Record::Tombstone(tombstone(0xdead, &records[1]));
    for record in [revival(&deleted), deleted] {
        add(place.replica, std::slice::from_ref(&record));
        records.push(record);
        // Nothing that belongs to the object was removed.
        has_exactly(place.replica, &records);
        is_there(place.replica, &records);
    }
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 1);
    let had = vec![RecordOutcome::Had; records.len()];
    assert_eq!(place.replica.add(&records).unwrap(), had);
}

fn tombstones_are_records(place: &Place<'_>) {
    let project = Record::Project(place.project.clone());
    let benchmark = Sample::create(place).benchmark_uuid();
    let tombstone = TombstoneRecord {
        uuid: timed(time(9), 0xdead),
        of: RecordKind::Benchmark,
        object: benchmark,
        deleted: time(9),
    };
    let other = Record::Tombstone(TombstoneRecord {
        deleted: time(10),
        ..tombstone.clone()
    });
    let deleted = Record::Tombstone(tombstone);
    let records = [deleted.clone(), revival(&deleted)];
    add(place.replica, &records);
    assert_eq!(
        place.replica.add(&records).unwrap(),
        vec![RecordOutcome::Had; 2]
    );
    assert_eq!(
        place.replica.add(&[other]).unwrap(),
        [RecordOutcome::Differs]
    );
    let all = [&[project], &records[..]].concat();
    has_exactly(place.replica, &all);
    is_there(place.replica, &all);
}

fn a_project_can_be_gone(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..]);
    let deleted = Record::Tombstone(tombstone(0xdead, &records[0]));
    add(place.replica, std::slice::from_ref(&deleted));
    has_exactly(place.replica, std::slice::from_ref(&deleted));
    is_not_there(place.replica, &records);
    let gone = RecordOutcome::Gone(place.project.uuid);
    assert_eq!(place.replica.add(&records[..2]).unwrap(), vec![gone; 2]);
    add(place.replica, &[revival(&deleted)]);
    for answer in place.replica.add(&records).unwrap() {
        assert!(
            matches!(answer, RecordOutcome::Made | RecordOutcome::Had),
            "{answer:?}"
        );
    }
    is_there(place.replica, &records);
}

fn a_tombstone_says_what_its_object_is(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..5]);
    let kinds = [
        RecordKind::Project,
        RecordKind::Definition,
        RecordKind::Ensemble,
        RecordKind::Benchmark,
    ];
    for record in &records[..5] {
        for of in kinds.into_iter().filter(|of| *of != record.kind()) {
            let wrong = Record::Tombstone(TombstoneRecord {
                of,
                ..tombstone(0xdead, record)
            });
            let answers = place.replica.add(&[wrong, records[1].clone()]).unwrap();
            assert!(
                matches!(answers[..], [RecordOutcome::Refused(_), RecordOutcome::Had]),
                "{answers:?} to a tombstone of a {of} for {record:?}"
            );
        }
    }
    has_exactly(place.replica, &records[..5]);
    is_there(place.replica, &records[..5]);
}

fn a_tombstone_is_about_its_own_project(place: &Place<'_>) {
    let records = Sample::create(place).records();
    add(place.replica, &records[1..2]);
    let other = Record::Tombstone(TombstoneRecord {
        object: Uuid::from_u128(0x0123),
        ..tombstone(0xdead, &records[0])
    });
    let answers = place.replica.add(&[other]).unwrap();
    assert!(
        matches!(answers[..], [RecordOutcome::Refused(_)]),
        "{answers:?}"
    );
    has_exactly(place.replica, &records[..2]);
}
