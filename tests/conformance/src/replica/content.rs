//! Adds and reads records.

use tdg_engine::Vectors;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Decision, DecisionKind};
use tdg_service::Uuid;
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord, Record,
    RecordKind, RowSource, SetDigests, TestRecord,
};
use tdg_service::sync::{RecordOutcome, Wanted};

use super::sample::{Sample, add, has_exactly, is_not_there, is_there, listed, time};
use super::{Place, stating, timed};
use crate::world::{NESTED, language};

stating![
    a_place_has_nothing_but_its_project_at_first,
    what_is_added_is_there_as_it_was,
    what_is_there_is_not_added_again,
    a_record_in_a_request_twice_is_added_once,
    labels_and_times_of_content_make_no_other_record,
    a_record_without_what_it_refers_to_is_refused,
    a_record_that_is_refused_keeps_no_other_from_being_added,
    another_record_of_the_same_identity_differs,
    a_record_of_another_project_is_refused,
    outputs_for_another_number_of_rows_are_refused,
    identities_come_from_the_parts,
    missing_records_are_named,
    an_unknown_record_is_not_found,
    rows_that_nothing_draws_are_part_of_their_ensemble,
    nested_rows_are_there_as_they_were,
    tests_can_share_a_benchmark,
    an_assertion_needs_no_run,
];

fn a_place_has_nothing_but_its_project_at_first(place: &Place<'_>) {
    let project = Record::Project(place.project.clone());
    has_exactly(place.replica, std::slice::from_ref(&project));
    is_there(place.replica, &[project]);
    let sample = Sample::create(place);
    is_not_there(place.replica, &sample.records()[1..]);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()), []);
}

fn what_is_added_is_there_as_it_was(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..]);
    has_exactly(place.replica, &records);
    is_there(place.replica, &records);
    let assertion = (sample.assertion.time, sample.assertion.uuid);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()), [assertion]);
}

fn what_is_there_is_not_added_again(place: &Place<'_>) {
    let records = Sample::create(place).records();
    add(place.replica, &records[1..]);
    let had = vec![RecordOutcome::Had; records.len()];
    assert_eq!(place.replica.add(&records).unwrap(), had);
    has_exactly(place.replica, &records);
    is_there(place.replica, &records);
}

fn a_record_in_a_request_twice_is_added_once(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    let doubled: Vec<Record> = records[1..]
        .iter()
        .flat_map(|it| [it.clone(), it.clone()])
        .collect();
    let answers = place.replica.add(&doubled).unwrap();
    for both in answers.chunks(2) {
        assert_eq!(both, [RecordOutcome::Made, RecordOutcome::Had]);
    }
    has_exactly(place.replica, &records);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 1);
}

fn labels_and_times_of_content_make_no_other_record(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..]);
    let others = [
        Record::Definition(DefinitionRecord {
            added: time(70),
            ..sample.definition.clone()
        }),
        Record::Ensemble(EnsembleRecord {
            added: time(70),
            name: "bold-heron".to_owned(),
            ..sample.ensemble.clone()
        }),
        Record::Benchmark(BenchmarkRecord {
            added: time(70),
            ..sample.benchmark.clone()
        }),
    ];
    assert_eq!(
        place.replica.add(&others).unwrap(),
        vec![RecordOutcome::Had; 3]
    );
    has_exactly(place.replica, &records);
}

fn a_record_without_what_it_refers_to_is_refused(place: &Place<'_>) {
    let records = Sample::create(place).records();
    // A definition and a test only refer to the project.
    for record in &records[2..] {
        if record.kind() == RecordKind::Test {
            continue;
        }
        let answers = place.replica.add(std::slice::from_ref(record)).unwrap();
        assert!(
            matches!(answers[..], [RecordOutcome::Refused(_)]),
            "{answers:?} to {record:?}"
        );
    }
    has_exactly(place.replica, &records[..1]);
}

fn a_record_that_is_refused_keeps_no_other_from_being_added(place: &Place<'_>) {
    let (one, other) = (Sample::create(place), Sample::with(place, "[1,2]"));
    let mut records = one.records();
    // Its benchmark is missing.
    records.insert(1, Record::Assertion(other.assertion));
    let answers = place.replica.add(&records[1..]).unwrap();
    assert!(
        matches!(answers[0], RecordOutcome::Refused(_)),
        "{answers:?}"
    );
    assert_eq!(answers[1..], vec![RecordOutcome::Made; 6]);
    is_there(place.replica, &one.records());
}

fn another_record_of_the_same_identity_differs(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..]);
    let others = [
        Record::Ensemble(EnsembleRecord {
            digest: "0".repeat(32),
            ..sample.ensemble.clone()
        }),
        Record::Decision(DecisionRecord {
            decision: Decision::new(DecisionKind::Rejected),
            ..sample.decision.clone()
        }),
        Record::Assertion(AssertionRecord {
            run: None,
            ..sample.assertion.clone()
        }),
        // Within the millisecond of its identity.
        Record::Assertion(AssertionRecord {
            time: time(5),
            ..sample.assertion.clone()
        }),
    ];
    for other in others {
        let answers = place.replica.add(std::slice::from_ref(&other)).unwrap();
        assert_eq!(answers, [RecordOutcome::Differs], "{other:?}");
    }
    let mut twice = sample.assertions(&[90, 90]);
    if let [Record::Assertion(one), Record::Assertion(other)] = &mut twice[..] {
        (other.uuid, other.time) = (one.uuid, time(91));
    }
    let answers = place.replica.add(&twice).unwrap();
    assert_eq!(answers, [RecordOutcome::Made, RecordOutcome::Differs]);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 2);
    is_there(place.replica, &records);
}

fn a_record_of_another_project_is_refused(place: &Place<'_>) {
    let sample = Sample::create(place);
    let project = Uuid::from_u128(0x0123);
    let others = [
        Record::Definition(DefinitionRecord {
            project,
            ..sample.definition.clone()
        }),
        Record::Test(TestRecord {
            project,
            ..sample.test.clone()
        }),
    ];
    for answer in place.replica.add(&others).unwrap() {
        assert!(matches!(answer, RecordOutcome::Refused(_)), "{answer:?}");
    }
    has_exactly(place.replica, &sample.records()[..1]);
}

fn outputs_for_another_number_of_rows_are_refused(place: &Place<'_>) {
    let sample = Sample::with(place, "[1,2,3]");
    let records = sample.records();
    let answers = place.replica.add(&records[1..5]).unwrap();
    assert_eq!(answers[..3], vec![RecordOutcome::Made; 3]);
    assert!(
        matches!(answers[3], RecordOutcome::Refused(_)),
        "{answers:?}"
    );
    has_exactly(place.replica, &records[..4]);
}

fn identities_come_from_the_parts(place: &Place<'_>) {
    let sample = Sample::create(place);
    let mut tests: Vec<Record> = Vec::new();
    for number in 0..40 {
        let mut test = sample.test.clone();
        test.test.name = format!("tests::number_{number}");
        tests.push(Record::Test(test));
    }
    add(place.replica, &tests);
    let part = SetDigests::part(tests[0].uuid());
    let of = |parts: &[u8]| {
        let mut found = place.replica.identities(RecordKind::Test, parts).unwrap();
        found.sort_unstable();
        found
    };
    let expected = |is_asked: &dyn Fn(u8) -> bool| {
        let uuids = tests.iter().map(Record::uuid);
        let mut uuids: Vec<Uuid> = uuids.filter(|it| is_asked(SetDigests::part(*it))).collect();
        uuids.sort_unstable();
        uuids
    };
    assert_eq!(of(&[part]), expected(&|it| it == part));
    assert!(of(&[]).is_empty());
    let half: Vec<u8> = (0..128).collect();
    assert_eq!(of(&half), expected(&|it| it < 128));
}

fn missing_records_are_named(place: &Place<'_>) {
    let sample = Sample::create(place);
    let records = sample.records();
    add(place.replica, &records[1..5]);
    let (here, other) = (sample.benchmark_uuid(), Uuid::from_u128(0x0123));
    let missing = place.replica.missing(RecordKind::Benchmark, &[here, other]);
    let missing = missing.unwrap();
    assert_eq!(missing.missing, [other]);
    assert!(missing.gone.is_empty());
}

fn an_unknown_record_is_not_found(place: &Place<'_>) {
    let sample = Sample::create(place);
    add(place.replica, &sample.records()[1..]);
    let mut wanted: Vec<Wanted> = RecordKind::ALL
        .into_iter()
        .filter(|kind| *kind != RecordKind::Assertion)
        .map(|kind| Wanted::Other(kind, Uuid::from_u128(0x0123)))
        .collect();
    let AssertionRecord {
        benchmark,
        time: at,
        uuid,
        ..
    } = sample.assertion;
    wanted.push(Wanted::Assertion(benchmark, time(77), uuid));
    wanted.push(Wanted::Assertion(benchmark, at, Uuid::from_u128(0x0123)));
    let found = place.replica.records(&wanted).unwrap();
    assert_eq!(found, vec![None; wanted.len()]);
}

fn rows_that_nothing_draws_are_part_of_their_ensemble(place: &Place<'_>) {
    let sample = Sample::create(place);
    let rows = Outputs::parse("[[0.5],[0.25]]").unwrap();
    let text = sample.definition.definition.to_string();
    let definition = tdg_definition::Definition::parse_recorded(&text).unwrap();
    let vectors = Vectors::from_rows(&definition, (0..2).map(|row| rows.get(row)));
    let given = EnsembleRecord {
        rows: RowSource::Given(rows),
        digest: vectors.unwrap().digest(),
        ..sample.ensemble.clone()
    };
    let refused = EnsembleRecord {
        digest: "0".repeat(32),
        ..given.clone()
    };
    let given = Record::Ensemble(given);
    let benchmark = Record::Benchmark(BenchmarkRecord {
        ensemble: given.uuid(),
        ..sample.benchmark.clone()
    });
    let drawn = &sample.records()[..3];
    add(place.replica, &drawn[1..]);
    add(place.replica, &[given.clone(), benchmark.clone()]);
    let refused = place.replica.add(&[Record::Ensemble(refused)]).unwrap();
    assert!(
        matches!(refused[..], [RecordOutcome::Refused(_)]),
        "{refused:?}"
    );
    let all = [drawn, &[given, benchmark]].concat();
    has_exactly(place.replica, &all);
    is_there(place.replica, &all);
}

fn nested_rows_are_there_as_they_were(place: &Place<'_>) {
    let sample = Sample::create(place);
    let definition = Record::Definition(DefinitionRecord {
        definition: language(NESTED).to_value(),
        ..sample.definition
    });
    let vectors = |size| Vectors::generate(&language(NESTED), u64::MAX, size);
    let drawn = EnsembleRecord {
        definition: definition.uuid(),
        size: 20,
        digest: vectors(20).digest(),
        ..sample.ensemble
    };
    let rows = Outputs::parse(&vectors(10).to_json()).unwrap();
    let read = Vectors::from_rows(&language(NESTED), (0..10).map(|row| rows.get(row)));
    assert_eq!(read.unwrap().digest(), vectors(10).digest());
    let given = EnsembleRecord {
        size: 10,
        rows: RowSource::Given(rows),
        digest: vectors(10).digest(),
        ..drawn.clone()
    };
    let records = [drawn, given].map(Record::Ensemble);
    let records = [&[definition], &records[..]].concat();
    add(place.replica, &records);
    is_there(place.replica, &records);
}

fn tests_can_share_a_benchmark(place: &Place<'_>) {
    let sample = Sample::create(place);
    let mut records = sample.records();
    let mut test = sample.test.clone();
    test.test.package = "shop-cli".to_owned();
    let test = Record::Test(test);
    let mut assertion = sample.assertion.clone();
    assertion.uuid = timed(assertion.time, 0xb55);
    assertion.run.as_mut().unwrap().test = test.uuid();
    records.push(test);
    records.push(Record::Assertion(assertion));
    add(place.replica, &records[1..]);
    has_exactly(place.replica, &records);
    is_there(place.replica, &records);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 2);
}

fn an_assertion_needs_no_run(place: &Place<'_>) {
    let sample = Sample::create(place);
    let mut records = sample.records();
    let bare = |number: u128| {
        Record::Assertion(AssertionRecord {
            uuid: timed(sample.assertion.time, number),
            run: None,
            ..sample.assertion.clone()
        })
    };
    // One comes before and one after another assertion of the benchmark.
    records.insert(6, bare(0xb55));
    records.push(bare(0xc55));
    add(place.replica, &records[1..]);
    has_exactly(place.replica, &records);
    is_there(place.replica, &records);
    assert_eq!(listed(place.replica, sample.benchmark_uuid()).len(), 3);
}
