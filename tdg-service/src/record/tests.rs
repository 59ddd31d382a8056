use proptest::collection::btree_set;
use proptest::prelude::*;
use tdg_definition::json;
use tdg_definition::{Definition, Policy};
use tdg_engine::checkout::Checkout;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Channel, Decision, DecisionKind, RunFacts, VerifiedRule};
use tdg_engine::{TestId, Verdict};

use super::*;
use crate::Timestamp;

const DEFINITION: &str = r#"{"features": [
    {"feature_name": "amount", "type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 1}}
]}"#;

fn uuid(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn total() -> TestId {
    TestId {
        package: "shop".to_owned(),
        source: "src/lib.rs".to_owned(),
        name: "tests::total".to_owned(),
    }
}

/// Returns an identity of version 7 for a time.
pub(crate) fn uuid_at(time: Timestamp, number: u64) -> Uuid {
    let mut random = [0; 10];
    random[2..].copy_from_slice(&number.to_be_bytes());
    let millis = time.as_micros().div_euclid(1000).cast_unsigned();
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

/// Returns records of each kind, as stores create them.
pub(crate) fn records() -> Vec<Record> {
    let time = Timestamp::from_micros(1_615_241_668_473_646);
    let project = uuid(1);
    let definition = DefinitionRecord {
        project,
        added: time,
        definition: Definition::parse(DEFINITION).unwrap().to_value(),
    };
    let drawn = EnsembleRecord {
        definition: definition.uuid(),
        added: time,
        name: "calm-amber-river-otter".to_owned(),
        size: 2,
        rows: RowSource::Drawn {
            seed: 7,
            sampler_version: 1,
        },
        digest: "b5964f78d5c2226bb9ea20b78018ab6d".to_owned(),
    };
    let given = EnsembleRecord {
        rows: RowSource::Given(Outputs::parse("[[0.5],[0.25]]").unwrap()),
        ..drawn.clone()
    };
    let test = TestRecord {
        project,
        test: total(),
    };
    let benchmark = BenchmarkRecord {
        ensemble: drawn.uuid(),
        added: time,
        outputs: Outputs::parse(r#"[10.5, {"total": 20}]"#).unwrap(),
    };
    let checkout = Checkout {
        commit: Some("53ea1a8e3b2c".to_owned()),
        branch: Some("main".to_owned()),
    };
    let decision = DecisionRecord {
        uuid: uuid_at(time, 2),
        test: test.uuid(),
        benchmark: Some(benchmark.uuid()),
        time,
        decision: Decision {
            reason: Some("cents are rounded".to_owned()),
            author: Some("Ada".to_owned()),
            checkout: checkout.clone(),
            dirty: Some(true),
            replaces: Some("0123456789abcdef".repeat(2)),
            through: Some(Channel::Key("ci".to_owned())),
            arrived: Some(time.as_micros() - 1),
            ..Decision::new(DecisionKind::AcceptedInPart)
        },
        from: None,
    };
    let renamed = DecisionRecord {
        uuid: uuid_at(time, 3),
        test: test.uuid(),
        benchmark: None,
        time,
        decision: Decision::new(DecisionKind::Renamed),
        from: Some(total()),
    };
    let assertion = AssertionRecord {
        uuid: uuid_at(time, 4),
        benchmark: benchmark.uuid(),
        time,
        asserted: true,
        run: Some(RunRecord {
            test: test.uuid(),
            facts: RunFacts {
                tolerance_use: Some(0.25),
                changed_outputs: vec![(0, Value::from(0.5)), (1, Value::Null)],
                verified_rules: vec![VerifiedRule {
                    part: "value /total".to_owned(),
                    rule: "exactly those with items > 10".to_owned(),
                    evidence: "2,000 more rows: no exception".to_owned(),
                }],
                policy: Some(Policy::parse(r#"{"tolerance": {"abs": 0.1}}"#).unwrap()),
                checkout,
                dirty: Some(true),
                platform: Some(("linux".to_owned(), "x86_64".to_owned())),
                ..RunFacts::new(Verdict::Same, 2)
            },
        }),
    };
    let bare = AssertionRecord {
        run: None,
        ..assertion.clone()
    };
    let tombstone = TombstoneRecord {
        uuid: uuid_at(time, 5),
        of: RecordKind::Benchmark,
        object: benchmark.uuid(),
        deleted: time,
    };
    let revival = RevivalRecord {
        tombstone: tombstone.uuid,
    };
    let name = "shop".to_owned();
    vec![
        Record::Project(ProjectRecord {
            uuid: project,
            name,
        }),
        Record::Definition(definition),
        Record::Ensemble(drawn),
        Record::Ensemble(given),
        Record::Test(test),
        Record::Benchmark(benchmark),
        Record::Decision(decision),
        Record::Decision(renamed),
        Record::Assertion(assertion),
        Record::Assertion(bare),
        Record::Tombstone(tombstone),
        Record::Revival(revival),
    ]
}

/// Clients of other versions read these forms.
#[test]
fn each_record_has_one_form_and_is_read_back() {
    let mut forms = Vec::new();
    for record in records() {
        let text = record.to_json();
        let value = json::parse(&text).unwrap();
        assert_eq!(Record::from_json(&value).unwrap(), record, "{text}");
        forms.push(text);
    }
    insta::assert_snapshot!(forms.join("\n"));
}

#[test]
fn a_record_comes_after_those_that_it_refers_to() {
    for record in records() {
        for (parent, _) in record.parents() {
            assert!(parent < record.kind(), "{record:?}");
        }
    }
    assert!(RecordKind::ALL.is_sorted());
    for kind in RecordKind::ALL {
        assert_eq!(kind.as_str().parse(), Ok(kind));
    }
}

#[test]
fn content_that_is_not_what_the_identity_says_is_refused() {
    let change = |kind: RecordKind, from: &str, to: &str| {
        let records = records();
        let record = records.iter().find(|it| it.kind() == kind).unwrap();
        let text = record.to_json();
        assert!(text.contains(from), "{text}");
        let value = json::parse(&text.replace(from, to)).unwrap();
        Record::from_json(&value).map_err(|error| error.to_string())
    };
    let refused = [
        change(RecordKind::Definition, "amount", "price"),
        change(RecordKind::Ensemble, "\"seed\":7", "\"seed\":8"),
        change(RecordKind::Test, "total", "sum"),
        change(RecordKind::Benchmark, "10.5", "10.6"),
        change(RecordKind::Revival, "000005\"}", "000006\"}"),
    ];
    let refused: Vec<String> = refused.into_iter().map(|it| it.unwrap_err()).collect();
    insta::assert_snapshot!(refused.join("\n"));
    // Labels and times aren't part of the content.
    assert!(change(RecordKind::Ensemble, "otter", "heron").is_ok());
    assert!(change(RecordKind::Benchmark, "2021", "2022").is_ok());
}

#[test]
fn parts_of_an_identity_do_not_run_into_each_other() {
    let test = |package: &str, source: &str| {
        let (package, source) = (package.to_owned(), source.to_owned());
        identity::test(
            uuid(1),
            &TestId {
                package,
                source,
                ..total()
            },
        )
    };
    assert_ne!(test("shop", "src/lib.rs"), test("shops", "rc/lib.rs"));
    assert_eq!(test("shop", "src/lib.rs").get_version_num(), 8);
}

proptest! {
    #[test]
    fn sets_differ_in_the_parts_in_which_their_digests_do(
        both in btree_set(any::<u128>(), 0..40),
        here in btree_set(any::<u128>(), 0..4),
        there in btree_set(any::<u128>(), 0..4),
    ) {
        let digests = |more: &std::collections::BTreeSet<u128>| {
            both.union(more).copied().map(Uuid::from_u128).collect::<SetDigests>()
        };
        let is_common = |it: &&u128| both.contains(it) || here.contains(it) && there.contains(it);
        let only = here.iter().chain(&there).filter(|it| !is_common(it));
        let parts: std::collections::BTreeSet<u8> =
            only.map(|it| SetDigests::part(Uuid::from_u128(*it))).collect();
        let differing = digests(&here).differing(&digests(&there));
        prop_assert_eq!(differing, parts.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_digest_matches_sums_in_a_database(uuids in btree_set(any::<u128>(), 0..20)) {
        let uuids: Vec<Uuid> = uuids.into_iter().map(Uuid::from_u128).collect();
        let marks = || uuids.iter().map(|&uuid| SetDigest::mark(uuid));
        let digest: SetDigest = uuids.iter().copied().collect();
        prop_assert_eq!(digest.low as i64, marks().map(|mark| mark % 2_147_483_648).sum::<i64>());
        prop_assert_eq!(digest.high as i64, marks().map(|mark| mark / 2_147_483_648).sum::<i64>());
    }
}
