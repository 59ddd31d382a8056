//! Synchronization, on both databases.

use std::collections::BTreeMap;
use std::thread;

use rusqlite::Connection;
use tdg_conformance::replica::timed;
use tdg_definition::Definition;
use tdg_engine::output::Outputs;
use tdg_engine::store::{Decision, DecisionKind, RunFacts};
use tdg_engine::{TestId, Vectors, Verdict};
use tdg_service::record::{
    AssertionRecord, BenchmarkRecord, DecisionRecord, DefinitionRecord, EnsembleRecord,
    ProjectRecord, Record, RecordKind, RevivalRecord, RowSource, RunRecord, TestRecord,
    TombstoneRecord, identity,
};
use tdg_service::sync::{HistoryQuestion, RecordOutcome, Replica, Wanted};
use tdg_service::{Page, ServiceError, Timestamp, Uuid};

use crate::support::{Client, Schema, Server, on_each};

const DEFINITION: &str = r#"{"features": [
    {"feature_name": "amount", "type": "INTEGER", "distribution": {"type": "constant", "value": 1}}
]}"#;

fn time(micros: i64) -> Timestamp {
    Timestamp::from_micros(1_615_241_668_473_646 + micros)
}

/// A project with a test, its benchmark and a run.
struct Recorded {
    project: Uuid,
    records: Vec<Record>,
    benchmark: Uuid,
}

impl Recorded {
    fn new() -> Recorded {
        let project = Uuid::new_v4();
        let parsed = Definition::parse(DEFINITION).unwrap();
        let definition = Record::Definition(DefinitionRecord {
            project,
            added: time(0),
            definition: parsed.to_value(),
        });
        let ensemble = Record::Ensemble(EnsembleRecord {
            definition: definition.uuid(),
            added: time(1),
            name: "calm-amber-river-otter".to_owned(),
            size: 1,
            rows: RowSource::Drawn {
                seed: 7,
                sampler_version: tdg_definition::random::SAMPLER_VERSION,
            },
            digest: Vectors::generate(&parsed, 7, 1).digest(),
        });
        let test = Record::Test(TestRecord {
            project,
            test: TestId {
                package: "shop".to_owned(),
                source: "src/lib.rs".to_owned(),
                name: "tests::total".to_owned(),
            },
        });
        let benchmark = Record::Benchmark(BenchmarkRecord {
            ensemble: ensemble.uuid(),
            added: time(2),
            outputs: Outputs::parse("[1]").unwrap(),
        });
        let assertion = |micros: i64| {
            Record::Assertion(AssertionRecord {
                uuid: timed(time(micros), micros as u128),
                benchmark: benchmark.uuid(),
                time: time(micros),
                asserted: true,
                run: Some(RunRecord {
                    test: test.uuid(),
                    facts: RunFacts {
                        platform: Some(("linux".to_owned(), "x86_64".to_owned())),
                        ..RunFacts::new(Verdict::Same, 1)
                    },
                }),
            })
        };
        let (uuid, name) = (project, "shop".to_owned());
        Recorded {
            project,
            benchmark: benchmark.uuid(),
            records: vec![
                Record::Project(ProjectRecord { uuid, name }),
                definition.clone(),
                ensemble.clone(),
                test.clone(),
                assertion(3),
                assertion(4),
                benchmark.clone(),
            ],
        }
        .in_order()
    }

    /// Sorts the records, parents first.
    fn in_order(mut self) -> Recorded {
        self.records.sort_by_key(Record::kind);
        self
    }

    fn assertions(&self) -> Vec<(Timestamp, Uuid)> {
        let assertions = self.records.iter().filter_map(|record| match record {
            Record::Assertion(it) => Some((it.time, it.uuid)),
            _ => None,
        });
        assertions.collect()
    }
}

fn made(count: usize) -> Vec<RecordOutcome> {
    vec![RecordOutcome::Made; count]
}

fn question(benchmark: Uuid) -> HistoryQuestion {
    HistoryQuestion {
        benchmark,
        since: Timestamp::MIN,
        listed_from: Timestamp::MIN,
    }
}

#[test]
fn records_are_only_found_by_their_account() {
    on_each(|server, _| {
        let Recorded {
            project,
            records,
            benchmark,
        } = Recorded::new();
        let [ours, theirs] = ["ours", "theirs"].map(|name| server.service(&server.key(name)));
        let [here, there] = [&ours, &theirs].map(|service| service.replica(project));
        assert_eq!(here.add(&records).unwrap(), made(records.len()));
        let wanted = records.iter().map(|record| match record {
            Record::Assertion(it) => Wanted::Assertion(it.benchmark, it.time, it.uuid),
            other => Wanted::Other(other.kind(), other.uuid()),
        });
        let wanted: Vec<Wanted> = wanted.collect();
        // Another account has none of it, and may have the same.
        assert_eq!(there.digests().unwrap(), BTreeMap::new());
        assert_eq!(there.records(&wanted).unwrap(), vec![None; wanted.len()]);
        let missing = there.missing(RecordKind::Benchmark, &[benchmark]).unwrap();
        assert_eq!((missing.missing, missing.gone), (vec![benchmark], vec![]));
        let history = there.histories(&[question(benchmark)]).unwrap();
        assert!(history[0].listed.is_empty());
        assert_eq!(there.add(&records).unwrap(), made(records.len()));
    });
}

#[test]
fn a_damaged_record_is_not_sent_but_the_others_are() {
    let damage = [
        "UPDATE outputs SET text = '[1'",
        "UPDATE outputs SET text = '[2]'",
        "UPDATE record SET body = replace(body, 'total', 'tota1')",
        "UPDATE record SET body = '{'",
    ];
    let given_after = |server: &Server, execute: &dyn Fn(&str)| {
        for damage in damage {
            let recorded = Recorded::new();
            let key = server.key(damage);
            let service = server.service(&key);
            let place = service.replica(recorded.project);
            place.add(&recorded.records).unwrap();
            execute(damage);
            let others = recorded.records.iter();
            let others = others.filter(|it| it.kind() != RecordKind::Assertion);
            let wanted = others.map(|it| Wanted::Other(it.kind(), it.uuid()));
            let wanted: Vec<Wanted> = wanted.collect();
            let found = place.records(&wanted).unwrap();
            let damaged = wanted.iter().zip(&found);
            let damaged = damaged.filter(|(_, found)| found.is_none());
            let damaged: Vec<RecordKind> = damaged
                .map(|(wanted, _)| match wanted {
                    Wanted::Other(kind, _) => *kind,
                    Wanted::Assertion(..) => RecordKind::Assertion,
                })
                .collect();
            let expected = match damage.contains("outputs") {
                true => RecordKind::Benchmark,
                false => RecordKind::Test,
            };
            assert_eq!(damaged, [expected], "{damage}");
        }
    };
    let server = Server::start();
    let database = Connection::open(server.database_file()).unwrap();
    given_after(&server, &|sql| database.execute_batch(sql).unwrap());
    let schema = Schema::new();
    given_after(&Server::on(&schema.url), &|sql| schema.execute(sql));
}

#[test]
fn objects_that_were_synchronised_can_be_used_by_every_endpoint() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let keys = ["ours", "theirs"].map(|name| server.key(name));
        let clients = keys.each_ref().map(|key| Client::new(&server.url, key));
        for key in &keys {
            let service = server.service(key);
            let added = service.replica(recorded.project).add(&recorded.records);
            assert_eq!(added.unwrap(), made(recorded.records.len()));
        }
        let benchmark = format!("/v1/benchmark/{}", recorded.benchmark);
        let [ours, theirs] = &clients;
        let of = ours.get(&benchmark).json();
        let data = format!(
            "/v1/ensemble/{}/data",
            of["ensemble_uuid"].as_str().unwrap()
        );
        // Drawn the first time, stored the second.
        for _ in 0..2 {
            assert_eq!(ours.get(&data).text(), r#"{"vectors":[[1]]}"#);
        }
        let path = format!("{benchmark}/assert");
        let asserted = ours.post(&path, r#"{"output_to_assert":[2]}"#).json();
        assert_eq!(asserted["diff"]["actual"], serde_json::json!([2]));
        // Each account has a separate history.
        let count = |client: &Client| {
            client.get(&benchmark).json()["history"]
                .as_array()
                .unwrap()
                .len()
        };
        assert_eq!((count(ours), count(theirs)), (3, 2));
    });
}

#[test]
fn a_project_that_has_its_identity_already_is_added_with_it() {
    on_each(|server, _| {
        let key = server.key("ours");
        let (service, project) = (server.service(&key), Uuid::new_v4());
        let found = || service.find_or_create_project(Some(project), "shop");
        for _ in 0..2 {
            let found = found().unwrap().object;
            assert_eq!(
                (found.project_uuid, &*found.project_name),
                (project, "shop")
            );
        }
        assert_eq!(service.projects(&Page::default()).unwrap().items.len(), 1);
        service.delete_project(project).unwrap();
        let expected = format!(
            "the project {project} was deleted from the server at {}: run `cargo tdg push \
             --revive` to send it again, or remove its project_uuid from tdg.toml to use another",
            server.url
        );
        assert_eq!(found().unwrap_err().to_string(), expected);
    });
}

#[test]
fn what_an_endpoint_has_deleted_can_be_revived() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let key = server.key("ours");
        let (service, client) = (server.service(&key), Client::new(&server.url, &key));
        let place = service.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        client.delete(&format!("/v1/benchmark/{}/delete", recorded.benchmark));
        let tombstone = all(&place, RecordKind::Tombstone)[0];
        let revival = Record::Revival(RevivalRecord { tombstone });
        assert_eq!(place.add(&[revival]).unwrap(), made(1));
        let answers = place.add(&recorded.records).unwrap();
        for (record, answer) in recorded.records.iter().zip(answers) {
            let expected = match record.kind() {
                RecordKind::Benchmark | RecordKind::Assertion => RecordOutcome::Made,
                _ => RecordOutcome::Had,
            };
            assert_eq!(answer, expected, "{record:?}");
        }
    });
}

#[test]
fn objects_of_the_endpoints_are_found_by_their_content() {
    on_each(|server, _| {
        let key = server.key("ours");
        let (service, client) = (server.service(&key), Client::new(&server.url, &key));
        let recorded = Recorded::new();
        // The same project, created by the endpoints.
        let place = service.replica(recorded.project);
        place.add(&recorded.records[..1]).unwrap();
        let project = recorded.project;
        let body = format!(r#"{{"project_uuid":"{project}","definition":{DEFINITION}}}"#);
        let definition = client
            .post("/v1/definition/new", &body)
            .string("definition_uuid");
        let path = format!("/v1/definition/{definition}/ensembles/add");
        let ensemble = client
            .post(&path, r#"{"size":1,"seed":7}"#)
            .string("ensemble_uuid");
        let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
        let made_here = client
            .post(&path, r#"{"expected_output":[1]}"#)
            .string("benchmark_uuid");
        let path = format!("/v1/benchmark/{made_here}");
        client.post(&format!("{path}/assert"), r#"{"output_to_assert":[1]}"#);
        let answers = place.add(&recorded.records).unwrap();
        for (record, answer) in recorded.records.iter().zip(answers) {
            let expected = match record.kind() {
                RecordKind::Test | RecordKind::Assertion => RecordOutcome::Made,
                _ => RecordOutcome::Had,
            };
            assert_eq!(answer, expected, "{record:?}");
        }
        let history = place.histories(&[question(recorded.benchmark)]).unwrap();
        assert_eq!(history[0].listed.len(), 3);
        assert_eq!(
            client.get(&path).json()["history"]
                .as_array()
                .unwrap()
                .len(),
            3
        );
        // It is deleted by any of its names.
        client.delete(&format!("{path}/delete"));
        let gone = place.missing(RecordKind::Benchmark, &[recorded.benchmark]);
        assert_eq!(gone.unwrap().gone, [recorded.benchmark]);
    });
}

#[test]
fn a_record_that_is_wrong_is_refused_and_changes_nothing() {
    on_each(|server, _| {
        let key = server.key("ours");
        let (service, client) = (server.service(&key), Client::new(&server.url, &key));
        let recorded = Recorded::new();
        let place = service.replica(recorded.project);
        let orphan = place.add(&recorded.records[1..2]).unwrap();
        let reason = format!("there is no project {}", recorded.project);
        assert_eq!(orphan, [RecordOutcome::Refused(reason)]);
        place.add(&recorded.records[..2]).unwrap();
        let before = place.digests().unwrap();
        let of = &recorded.records;
        let run = of_kind(&recorded, RecordKind::Assertion);
        let long = format!(r#""os":"{}""#, "x".repeat(257));
        let tombstone = Record::Tombstone(TombstoneRecord {
            uuid: Uuid::now_v7(),
            of: RecordKind::Benchmark,
            object: of_kind(&recorded, RecordKind::Test).uuid(),
            deleted: time(3),
        });
        let wrong = [
            // Content that doesn't match the identity.
            (&of[1], r#""value":1"#, r#""value":2"#),
            (&of[2], r#""size":1"#, r#""size":2"#),
            // Content that the interface refuses.
            (&of[0], "shop", "\\u0000"),
            (&of[2], r#""name":"calm"#, r#""name":"\u0000"#),
            (&of[2], r#""digest":""#, r#""digest":"\u0000"#),
            (run, r#""os":"linux""#, &long),
            (run, r#""verdict":"same""#, r#""verdict":"changed""#),
            (&tombstone, r#""of":"benchmark""#, r#""of":"test""#),
        ];
        let path = format!("/v1/sync/{}/add", recorded.project);
        let mut reasons = Vec::new();
        for (record, from, to) in wrong {
            let record = tdg_service::JsonForm::to_json(record).replacen(from, to, 1);
            let answer = client
                .post(&path, &format!(r#"{{"records":[{record}]}}"#))
                .json();
            let reason = answer["answers"][0]["reason"].as_str().unwrap();
            reasons.push(reason.replace(|c: char| c.is_ascii_hexdigit() || c == '-', ""));
        }
        assert!(
            reasons.iter().all(|reason| !reason.is_empty()),
            "{reasons:?}"
        );
        client.post(&path, "[]").problem(422);
        client.post(&path, "[").problem(400);
        assert_eq!(place.digests().unwrap(), before);
    });
}

#[test]
fn a_tombstone_reaches_nothing_beyond_its_project() {
    on_each(|server, _| {
        let [ours, theirs] = [(); 2].map(|()| Recorded::new());
        let service = server.service(&server.key("ours"));
        let [here, there] = [&ours, &theirs].map(|it| service.replica(it.project));
        here.add(&ours.records).unwrap();
        there.add(&theirs.records).unwrap();
        let before = there.digests().unwrap();
        let mut number = 0;
        let mut tombstone = |of: &Record| {
            number += 1;
            Record::Tombstone(TombstoneRecord {
                uuid: timed(time(5), number),
                of: of.kind(),
                object: of.uuid(),
                deleted: time(5),
            })
        };
        let kinds = [
            RecordKind::Project,
            RecordKind::Definition,
            RecordKind::Ensemble,
            RecordKind::Benchmark,
        ];
        let nowhere = service.replica(Uuid::new_v4());
        for kind in kinds {
            let of = of_kind(&theirs, kind);
            for place in [&here, &nowhere] {
                let answers = place.add(&[tombstone(of)]).unwrap();
                assert!(
                    matches!(answers[..], [RecordOutcome::Refused(_)]),
                    "{kind}: {answers:?}"
                );
            }
        }
        // A missing object can't be deleted either.
        let unknown = Record::Tombstone(TombstoneRecord {
            uuid: timed(time(5), 98),
            of: RecordKind::Benchmark,
            object: Uuid::new_v4(),
            deleted: time(5),
        });
        let answers = nowhere.add(&[unknown]).unwrap();
        assert!(
            matches!(answers[..], [RecordOutcome::Refused(_)]),
            "{answers:?}"
        );
        assert_eq!(there.digests().unwrap(), before);
        // A project's refusals don't affect others.
        let late = Record::Test(TestRecord {
            project: theirs.project,
            test: TestId {
                package: "shop".to_owned(),
                source: "src/late.rs".to_owned(),
                name: "late".to_owned(),
            },
        });
        let other = Record::Tombstone(TombstoneRecord {
            uuid: timed(time(5), 99),
            of: RecordKind::Benchmark,
            object: late.uuid(),
            deleted: time(5),
        });
        assert_eq!(here.add(&[other]).unwrap(), made(1));
        assert_eq!(there.add(&[late]).unwrap(), made(1));
    });
}

#[test]
fn what_is_synchronised_is_in_the_audit_log_and_in_the_log() {
    let schema = Schema::new();
    for mut server in [Server::start(), Server::on(&schema.url)] {
        let recorded = Recorded::new();
        let service = server.service(&server.key("ours"));
        let place = service.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        let tombstone = Record::Tombstone(TombstoneRecord {
            uuid: timed(time(5), 1),
            of: RecordKind::Benchmark,
            object: recorded.benchmark,
            deleted: time(5),
        });
        place.add(&[tombstone]).unwrap();
        server.terminate();
        assert!(server.wait());

        let add = "POST /v1/sync/{project_uuid}/add";
        let others = recorded.records.iter();
        let others = others.filter(|it| it.kind() != RecordKind::Assertion);
        let others = others.map(|it| format!("{add} {} {}", it.kind(), it.uuid()));
        let deleted = format!("{add}, tombstone benchmark {}", recorded.benchmark);
        let mut expected: Vec<String> = others.chain([deleted]).collect();
        expected.sort();
        let lines = |text: &str| {
            let lines = text.lines().map(serde_json::from_str);
            lines
                .collect::<Result<Vec<serde_json::Value>, _>>()
                .unwrap()
        };
        let output = server.run(&["audit", "--json", "--account", "ours"]);
        let records = lines(std::str::from_utf8(&output.stdout).unwrap());
        let texts = records.iter().map(|record| {
            let members = ["action", "kind", "object"].map(|name| record[name].as_str());
            members.map(Option::unwrap_or_default).join(" ")
        });
        let mut found: Vec<String> = texts.filter(|text| text.starts_with(add)).collect();
        found.sort();
        assert_eq!(found, expected);
        let log = lines(&server.log());
        let mut logged = log.iter().filter(|line| line["endpoint"] == add);
        let line = logged.next().unwrap();
        assert_eq!(line["object"], recorded.project.to_string(), "{line}");
        assert_eq!(line["objects"], recorded.records.len(), "{line}");
        let line = logged.next().unwrap();
        assert_eq!(line["object"], recorded.benchmark.to_string(), "{line}");
        assert!(line.get("objects").is_none(), "{line}");
    }
}

#[test]
fn a_key_may_do_what_its_scopes_say() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let key = |scopes: &str| server.key_with(&["--account", "ours", "--scopes", scopes]);
        let services = ["read,assert,write", "read", "assert", "delete"].map(|scopes| {
            let key = key(scopes);
            (server.service(&key), scopes)
        });
        let [(recording, _), (reading, _), (asserting, _), (deleting, _)] = &services;
        for (service, scopes) in &services {
            let facts = service.server().unwrap();
            assert_eq!(facts.account, "ours");
            assert_eq!(facts.key.scopes.join(","), *scopes);
        }
        let assertions = |from: &Recorded| {
            from.records
                .iter()
                .filter(|it| it.kind() == RecordKind::Assertion)
                .cloned()
                .collect::<Vec<_>>()
        };
        let forbidden = |result: tdg_service::Result<Vec<RecordOutcome>>| {
            assert!(
                matches!(result, Err(ServiceError::Forbidden(_))),
                "{result:?}"
            );
        };
        forbidden(asserting.replica(recorded.project).add(&recorded.records));
        forbidden(
            reading
                .replica(recorded.project)
                .add(&assertions(&recorded)),
        );
        let without = recorded
            .records
            .iter()
            .filter(|it| it.kind() != RecordKind::Assertion);
        let without: Vec<Record> = without.cloned().collect();
        assert_eq!(
            recording.replica(recorded.project).add(&without).unwrap(),
            made(without.len())
        );
        let added = asserting
            .replica(recorded.project)
            .add(&assertions(&recorded));
        assert_eq!(added.unwrap(), made(2));
        let tombstone = [Record::Tombstone(TombstoneRecord {
            uuid: Uuid::now_v7(),
            of: RecordKind::Benchmark,
            object: recorded.benchmark,
            deleted: time(3),
        })];
        forbidden(recording.replica(recorded.project).add(&tombstone));
        let deleted = deleting.replica(recorded.project).add(&tombstone);
        assert_eq!(deleted.unwrap(), made(1));
        assert!(matches!(
            asserting.replica(recorded.project).digests(),
            Err(ServiceError::Forbidden(_))
        ));
        assert!(reading.replica(recorded.project).digests().is_ok());
    });
}

/// Returns the record of a kind.
fn of_kind(recorded: &Recorded, kind: RecordKind) -> &Record {
    let mut found = recorded.records.iter().filter(|it| it.kind() == kind);
    found.next().unwrap()
}

/// Returns every identity of a kind.
fn all(place: &dyn Replica, kind: RecordKind) -> Vec<Uuid> {
    let parts: Vec<u8> = (0..=u8::MAX).collect();
    place.identities(kind, &parts).unwrap()
}

#[test]
fn what_is_created_again_is_revived_and_can_be_deleted_again() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let key = server.key("ours");
        let (service, client) = (server.service(&key), Client::new(&server.url, &key));
        let place = service.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        let decision = Record::Decision(DecisionRecord {
            uuid: Uuid::now_v7(),
            test: of_kind(&recorded, RecordKind::Test).uuid(),
            benchmark: Some(recorded.benchmark),
            time: time(5),
            decision: Decision::new(DecisionKind::Recorded),
            from: None,
        });
        assert_eq!(place.add(std::slice::from_ref(&decision)).unwrap(), made(1));
        let definition = of_kind(&recorded, RecordKind::Definition).uuid();
        let ensemble = of_kind(&recorded, RecordKind::Ensemble).uuid();
        let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks");
        let (benchmark, mut name) = (recorded.benchmark, recorded.benchmark.to_string());
        for deleted in 1..=3 {
            assert_eq!(all(&place, RecordKind::Benchmark), [benchmark]);
            assert_eq!(all(&place, RecordKind::Decision), [decision.uuid()]);
            let delete = client.delete(&format!("/v1/benchmark/{name}/delete"));
            assert_eq!(delete.status, 200);
            assert_eq!(all(&place, RecordKind::Tombstone).len(), deleted);
            // The records that belong to it are missing too, so that both places agree.
            assert!(all(&place, RecordKind::Benchmark).is_empty());
            assert!(all(&place, RecordKind::Decision).is_empty());
            let created = client.post(&format!("{path}/add"), r#"{"expected_output":[1]}"#);
            name = created.string("benchmark_uuid");
            let missing = place.missing(RecordKind::Benchmark, &[benchmark]).unwrap();
            assert_eq!((missing.missing, missing.gone), (vec![], vec![]));
            assert_eq!(all(&place, RecordKind::Revival).len(), deleted);
        }
        // It still exists while another benchmark has the same content.
        let other = client.post(&format!("{path}/add"), r#"{"expected_output":[1]}"#);
        let other = other.string("benchmark_uuid");
        client.delete(&format!("/v1/benchmark/{name}/delete"));
        assert_eq!(all(&place, RecordKind::Benchmark), [benchmark]);
        client.delete(&format!("/v1/benchmark/{other}/delete"));
        let missing = place.missing(RecordKind::Benchmark, &[benchmark]).unwrap();
        assert_eq!((missing.missing, missing.gone), (vec![], vec![benchmark]));
    });
}

#[test]
fn a_history_has_the_runs_that_were_synchronised() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let key = server.key("ours");
        let client = Client::new(&server.url, &key);
        let service = server.service(&key);
        service
            .replica(recorded.project)
            .add(&recorded.records)
            .unwrap();
        let path = format!("/v1/benchmark/{}", recorded.benchmark);
        client.post(&format!("{path}/assert"), r#"{"output_to_assert":[1]}"#);
        let history = client.get(&format!("{path}/history")).json();
        let (asserted, run) = (&history[0], &history[2]);
        assert_eq!(asserted.as_object().unwrap().len(), 3);
        let mut run = run.clone();
        let run = run.as_object_mut().unwrap();
        assert_eq!(
            run.remove("assertion_uuid").unwrap(),
            recorded.assertions()[0].1.to_string()
        );
        assert_eq!(
            run.remove("test"),
            Some(
                of_kind(&recorded, RecordKind::Test)
                    .uuid()
                    .to_string()
                    .into()
            )
        );
        let expected = serde_json::json!({
            "timestamp": "Mon, 08 Mar 2021 22:14:28 GMT", "asserted": true, "verdict": "same",
            "cases": 1, "changed": 0, "os": "linux", "arch": "x86_64"
        });
        assert_eq!(Some(run), expected.clone().as_object_mut());
    });
}

#[test]
fn rows_that_are_drawn_otherwise_are_not_given() {
    on_each(|server, _| {
        let mut recorded = Recorded::new();
        for record in &mut recorded.records {
            if let Record::Ensemble(ensemble) = record {
                ensemble.digest = "0".repeat(32);
            }
        }
        let key = server.key("ours");
        let service = server.service(&key);
        let added = service.replica(recorded.project).add(&recorded.records);
        assert_eq!(added.unwrap(), made(recorded.records.len()));
        let ensemble = of_kind(&recorded, RecordKind::Ensemble).uuid();
        let client = Client::new(&server.url, &key);
        let problem = client.get(&format!("/v1/ensemble/{ensemble}/data"));
        let detail = problem.problem(409);
        assert!(detail.contains("but it was recorded with 0000"), "{detail}");
    });
}

#[test]
fn assertions_that_are_no_longer_kept_are_not_added_again() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let service = server.service(&server.key("ours"));
        let place = service.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        let pruned = server.run(&["prune", "--keep", "1"]);
        assert!(pruned.status.success());
        let left = place.histories(&[question(recorded.benchmark)]).unwrap();
        let [_, newest] = recorded.assertions()[..] else {
            panic!("there are two")
        };
        assert_eq!(
            (left[0].kept_since, &left[0].listed),
            (newest.0, &vec![newest])
        );
        let again = place.add(&recorded.records).unwrap();
        assert_eq!(again, vec![RecordOutcome::Had; recorded.records.len()]);
        assert_eq!(
            place.histories(&[question(recorded.benchmark)]).unwrap(),
            left
        );
    });
}

#[test]
fn a_run_that_comes_late_is_kept_though_a_history_was_pruned() {
    const DAY: i64 = 24 * 60 * 60 * 1_000_000;
    on_each(|server, _| {
        let recorded = Recorded::new();
        let service = server.service(&server.key("ours"));
        let place = service.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        let now = Timestamp::now().as_micros();
        let ago = |days: i64| {
            let time = Timestamp::from_micros(now - days * DAY);
            Record::Assertion(AssertionRecord {
                uuid: timed(time, 0),
                benchmark: recorded.benchmark,
                time,
                asserted: true,
                run: None,
            })
        };
        assert_eq!(place.add(&[ago(10), ago(1), ago(0)]).unwrap(), made(3));
        let prune = || assert!(server.run(&["prune", "--keep", "1"]).status.success());
        prune();
        assert_eq!(place.add(&[ago(2)]).unwrap(), made(1));
        prune();
        let history = place.histories(&[question(recorded.benchmark)]).unwrap();
        assert_eq!(history[0].listed.len(), 3);
        assert_eq!(place.add(&[ago(10)]).unwrap(), [RecordOutcome::Had]);
    });
}

#[test]
fn quotas_count_all_records() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let key = server.key("ours");
        let limits = ["accounts", "limits", "ours", "--objects", "5"];
        assert!(server.run(&limits).status.success());
        let service = server.service(&key);
        let place = service.replica(recorded.project);
        let other = Record::Benchmark(BenchmarkRecord {
            ensemble: of_kind(&recorded, RecordKind::Ensemble).uuid(),
            added: time(2),
            outputs: Outputs::parse("[2]").unwrap(),
        });
        let objects = recorded.records.iter();
        let objects = objects.filter(|it| it.kind() != RecordKind::Assertion);
        let objects: Vec<Record> = objects.cloned().collect();
        let is_full = |records: &[Record]| match place.add(records) {
            Err(ServiceError::Forbidden(message)) => {
                assert!(message.to_string().contains("`objects`"), "{message}");
            }
            other => panic!("{other:?}"),
        };
        is_full(&[&objects[..], std::slice::from_ref(&other)].concat());
        assert_eq!(place.digests().unwrap(), BTreeMap::new());
        assert_eq!(place.add(&objects).unwrap(), made(objects.len()));
        is_full(&[other]);
        is_full(&[Record::Test(TestRecord {
            project: recorded.project,
            test: TestId {
                package: "shop".to_owned(),
                source: "src/lib.rs".to_owned(),
                name: "tests::tax".to_owned(),
            },
        })]);
        // Deleted data still counts by its bytes.
        let deleted = Record::Tombstone(TombstoneRecord {
            uuid: Uuid::now_v7(),
            of: RecordKind::Benchmark,
            object: Uuid::new_v4(),
            deleted: time(3),
        });
        assert_eq!(place.add(std::slice::from_ref(&deleted)).unwrap(), made(1));
        let theirs = server.service(&server.key("theirs"));
        let limits = ["accounts", "limits", "theirs", "--bytes", "100"];
        assert!(server.run(&limits).status.success());
        match theirs.replica(recorded.project).add(&[deleted]) {
            Err(ServiceError::Forbidden(message)) => {
                assert!(message.to_string().contains("`bytes`"), "{message}");
            }
            other => panic!("{other:?}"),
        }
        // No objects, but bytes.
        let runs = runs(&recorded, 10);
        assert_eq!(place.add(&runs).unwrap(), made(10));
    });
}

#[test]
fn assertions_count_as_bytes_however_they_come() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let path = format!("/v1/benchmark/{}/assert", recorded.benchmark);
        let assert = |client: &Client| client.post(&path, r#"{"output_to_assert":[1]}"#);
        let bytes = || {
            let usage = server.run(&["accounts", "usage", "ours", "--json"]);
            let usage: serde_json::Value = serde_json::from_slice(&usage.stdout).unwrap();
            usage[0]["bytes"].as_u64().unwrap()
        };
        let run = |number| {
            let mut run = of_kind(&recorded, RecordKind::Assertion).clone();
            if let Record::Assertion(it) = &mut run {
                it.uuid = timed(it.time, 1000 + number as u128);
            }
            run
        };
        let runs = |count: usize| (0..count).map(run).collect::<Vec<Record>>();

        let key = server.key("ours");
        let ours = server.service(&key);
        let place = ours.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        let before = bytes();
        assert_eq!(assert(&Client::new(&server.url, &key)).status, 200);
        assert_eq!(bytes(), before + 50);
        let before = bytes();
        assert_eq!(place.add(&runs(1)).unwrap(), made(1));
        let stored = bytes() - before;
        assert!((100..500).contains(&stored), "{stored} bytes");

        // The same data again, and room for 100 runs.
        let limit = (bytes() + 100 * stored).to_string();
        let key = server.key("theirs");
        let limits = ["accounts", "limits", "theirs", "--bytes", &limit];
        assert!(server.run(&limits).status.success());
        let theirs = server.service(&key);
        let place = theirs.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        match place.add(&runs(200)) {
            Err(ServiceError::Forbidden(message)) => {
                assert!(message.to_string().contains("`bytes`"), "{message}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(place.add(&runs(80)).unwrap(), made(80));
        let client = Client::new(&server.url, &key);
        let mut answers = (0..1000).map(|_| assert(&client));
        let refused = answers.find(|answer| answer.status != 200).unwrap();
        assert!(refused.problem(403).contains("`bytes`"));
    });
}

/// Returns more assertions of a benchmark.
fn runs(recorded: &Recorded, number: i64) -> Vec<Record> {
    let runs = (0..number).map(|number| {
        Record::Assertion(AssertionRecord {
            uuid: timed(time(1000 + number), Uuid::new_v4().as_u128() >> 66),
            benchmark: recorded.benchmark,
            time: time(1000 + number),
            asserted: number % 2 == 0,
            run: None,
        })
    });
    runs.collect()
}

#[test]
fn each_record_is_whole_or_absent_when_the_server_is_killed() {
    let schema = Schema::new();
    for database in [None, Some(&schema.url)] {
        let mut server = match database {
            None => Server::start(),
            Some(url) => Server::on(url),
        };
        let recorded = Recorded::new();
        let key = server.key("ours");
        let client = server.service(&key);
        let place = client.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        let (sent, acknowledged) = std::thread::scope(|scope| {
            let pushing = scope.spawn(|| {
                let place = client.replica(recorded.project);
                let (mut sent, mut acknowledged) = (recorded.records.clone(), 2);
                loop {
                    let batch = runs(&recorded, 100);
                    sent.extend_from_slice(&batch);
                    match place.add(&batch) {
                        Ok(_) => acknowledged += batch.len(),
                        Err(_) => break (sent, acknowledged),
                    }
                }
            });
            let question = [question(recorded.benchmark)];
            // Killed in the middle of adding.
            while place.histories(&question).unwrap()[0].listed.len() < 500 {}
            server.kill();
            pushing.join().unwrap()
        });
        let server = Server::on(server.database());
        let client = server.service(&key);
        let place = client.replica(recorded.project);
        let listed = || {
            let history = place.histories(&[question(recorded.benchmark)]).unwrap();
            history[0].listed.clone()
        };
        // All acknowledged records are there, unchanged.
        let before = listed();
        assert!(before.len() >= acknowledged);
        let wanted: Vec<Wanted> = before
            .iter()
            .map(|&(time, uuid)| Wanted::Assertion(recorded.benchmark, time, uuid))
            .collect();
        let is_sent = |record: &Record| sent.iter().any(|it| it == record);
        for wanted in wanted.chunks(500) {
            let found = place.records(wanted).unwrap();
            assert!(found.iter().all(|it| it.as_ref().is_some_and(is_sent)));
        }
        // The next push continues from there.
        let answers = place.add(&sent).unwrap();
        let is_there = |it: &RecordOutcome| matches!(it, RecordOutcome::Made | RecordOutcome::Had);
        assert!(answers.iter().all(is_there));
        assert_eq!(listed().len(), sent.len() - recorded.records.len() + 2);
    }
}

#[test]
fn a_long_history_is_sent_for_a_part_of_the_benchmarks_at_a_time() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let service = server.service(&server.key("ours"));
        let place = service.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        let runs = runs(&recorded, 20_000);
        for batch in runs.chunks(500) {
            assert_eq!(place.add(batch).unwrap(), made(batch.len()));
        }
        let everything = question(recorded.benchmark);
        let newest = HistoryQuestion {
            listed_from: time(20_990),
            ..everything
        };
        let found = place.histories(&[newest, everything, everything]).unwrap();
        // The digest of the older ones is short, so they don't count.
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].listed.len(), found[0].digest.count), (10, 19_992));
        assert_eq!(found[1].listed.len(), 20_002);
        let found = place.histories(&[everything]).unwrap();
        assert_eq!(found[0].listed.len(), 20_002);
    });
}

#[test]
fn the_page_has_identities_to_compare_with() {
    let page = include_str!("../../../docs/reference/http.md");
    let project = Uuid::try_parse("5f0c3f5e-8f0b-4b0f-9a55-0d6a3ce3f1a7").unwrap();
    let canonical = Definition::parse(DEFINITION)
        .unwrap()
        .to_value()
        .to_string();
    let definition = identity::definition(project, &canonical);
    let ensemble = identity::ensemble(definition, 7, 2, 1);
    let outputs = Outputs::parse("[1,2]").unwrap();
    let test = TestId {
        package: "shop".to_owned(),
        source: "src/lib.rs".to_owned(),
        name: "tests::total".to_owned(),
    };
    for (record, identity) in [
        ("the definition below", definition),
        (
            "its ensemble of 2 rows, seed 7, samplers of version 1",
            ensemble,
        ),
        (
            "the benchmark with the outputs `[1,2]`",
            identity::benchmark(ensemble, &outputs.digest()),
        ),
        (
            "the test `tests::total` in `src/lib.rs` of `shop`",
            identity::test(project, &test),
        ),
    ] {
        let line = format!("| {record} | {identity} |");
        assert!(page.contains(&line), "{line}");
    }
}

#[test]
fn those_who_add_the_same_at_once_all_succeed() {
    on_each(|server, _| {
        let recorded = Recorded::new();
        let key = server.key("ours");
        let answers: Vec<Vec<RecordOutcome>> = thread::scope(|scope| {
            let adding = [(); 4].map(|()| {
                let add = || {
                    server
                        .service(&key)
                        .replica(recorded.project)
                        .add(&recorded.records)
                };
                scope.spawn(add)
            });
            adding
                .map(|answers| answers.join().unwrap().unwrap())
                .into()
        });
        for (place, record) in recorded.records.iter().enumerate() {
            let mut answers: Vec<&RecordOutcome> = answers.iter().map(|it| &it[place]).collect();
            answers.sort_by_key(|answer| **answer != RecordOutcome::Made);
            let expected = [
                RecordOutcome::Made,
                RecordOutcome::Had,
                RecordOutcome::Had,
                RecordOutcome::Had,
            ];
            assert_eq!(answers, expected.iter().collect::<Vec<_>>(), "{record:?}");
        }
    });
}

#[test]
fn an_assertion_is_known_by_whichever_benchmark_has_it() {
    on_each(|server, _| {
        let key = server.key("ours");
        let (service, client) = (server.service(&key), Client::new(&server.url, &key));
        let recorded = Recorded::new();
        let place = service.replica(recorded.project);
        place.add(&recorded.records).unwrap();
        // Another benchmark with the same content, later than the first.
        let of = client
            .get(&format!("/v1/benchmark/{}", recorded.benchmark))
            .json();
        let [definition, ensemble] =
            ["definition_uuid", "ensemble_uuid"].map(|name| of[name].as_str().unwrap().to_owned());
        let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
        let other = client
            .post(&path, r#"{"expected_output":[1]}"#)
            .string("benchmark_uuid");
        let asserted = client
            .post(
                &format!("/v1/benchmark/{other}/assert"),
                r#"{"output_to_assert":[1]}"#,
            )
            .string("assertion_uuid");
        let history = place.histories(&[question(recorded.benchmark)]).unwrap();
        let found = history[0]
            .listed
            .iter()
            .map(|(time, uuid)| Wanted::Assertion(recorded.benchmark, *time, *uuid));
        let found = place.records(&found.collect::<Vec<_>>()).unwrap();
        let found: Vec<Record> = found.into_iter().flatten().collect();
        assert_eq!(found.len(), 3);
        assert!(found.iter().any(|it| it.uuid().to_string() == asserted));
        assert_eq!(place.add(&found).unwrap(), vec![RecordOutcome::Had; 3]);
        let another = |record: &Record| match record {
            Record::Assertion(it) => Record::Assertion(AssertionRecord {
                asserted: it.run.is_some(),
                run: None,
                ..it.clone()
            }),
            other => other.clone(),
        };
        let others: Vec<Record> = found.iter().map(another).collect();
        assert_eq!(place.add(&others).unwrap(), vec![RecordOutcome::Differs; 3]);
    });
}

#[test]
fn a_long_history_is_sent_whole_and_in_order_on_postgresql() {
    let schema = Schema::new();
    let server = Server::on(&schema.url);
    let recorded = Recorded::new();
    let service = server.service(&server.key("ours"));
    let place = service.replica(recorded.project);
    place.add(&recorded.records).unwrap();
    // Several at each time.
    schema.execute(
        "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
         SELECT account, uuid, 1700000000000000 + n / 3, gen_random_uuid(), true
         FROM benchmark CROSS JOIN generate_series(1, 25000) AS n
         WHERE identity IS NOT NULL",
    );
    let half = Timestamp::from_micros(1_700_000_000_000_000 + 4_000);
    for listed_from in [Timestamp::MIN, half, Timestamp::MAX] {
        let asked = HistoryQuestion {
            listed_from,
            ..question(recorded.benchmark)
        };
        let history = &place.histories(&[asked]).unwrap()[0];
        let listed = &history.listed;
        assert_eq!(listed.len() as u64 + history.digest.count, 25_002);
        assert!(listed.iter().all(|(time, _)| *time >= listed_from));
        assert!(listed.is_sorted_by(|one, other| one < other));
    }
}
