//! Deleted objects can be restored while they are kept.

use std::thread;

use serde_json::{Value, json};
use tdg_conformance::replica::timed;
use tdg_engine::Verdict;
use tdg_engine::store::Store;
use tdg_service::record::{ProjectRecord, Record, RecordKind, RevivalRecord, TombstoneRecord};
use tdg_service::sync::{
    Direction, HistoryQuestion, RecordOutcome, Replica, SyncPlan, Wanted, synchronise,
};
use tdg_service::{LocalReplica, Timestamp, Uuid};

use crate::deletion::on_each;
use crate::support::{Browser, Client, History, Postgres, Server, soon};

/// Returns the deletions that can be restored.
fn deleted(server: &Server, options: &[&str]) -> Vec<Value> {
    let printed = server
        .said(&[&["deleted", "--json"], options].concat())
        .unwrap();
    let lines = printed.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the identifiers of a benchmark and its parents, outermost first, each with its kind.
fn objects(client: &Client, benchmark: &str) -> [(&'static str, String); 4] {
    let of = client.get(benchmark);
    let definition = of.string("definition_uuid");
    let project = client.get(&format!("/v1/definition/{definition}"));
    [
        ("project", project.string("project_uuid")),
        ("definition", definition),
        ("ensemble", of.string("ensemble_uuid")),
        ("benchmark", of.string("benchmark_uuid")),
    ]
}

/// Returns the answers for all objects and lists.
fn seen(client: &Client, of: &[(&str, String); 4]) -> Vec<(u16, String, Option<String>)> {
    let paths = of.iter().map(|(kind, uuid)| format!("/v1/{kind}/{uuid}"));
    let [_, (_, definition), (_, ensemble), (_, benchmark)] = of;
    let others = [
        "/v1/projects".to_owned(),
        "/v1/definitions".to_owned(),
        format!("/v1/definition/{definition}/ensembles"),
        format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks"),
        format!("/v1/ensemble/{ensemble}/data"),
        format!("/v1/benchmark/{benchmark}/data"),
        format!("/v1/benchmark/{benchmark}/history"),
    ];
    let answers = paths.chain(others).map(|path| client.get(&path));
    let seen = answers.map(|answer| {
        let etag = answer.header("etag").map(str::to_owned);
        let mut text = answer.text().to_owned();
        if let Some(id) = answer.header("x-request-id") {
            text = text.replace(id, "");
        }
        (answer.status, text, etag)
    });
    seen.collect()
}

fn delete(client: &Client, (kind, uuid): &(&str, String)) {
    let deleted = client.delete(&format!("/v1/{kind}/{uuid}/delete"));
    assert_eq!(deleted.status, 200, "{}", deleted.text());
}

#[test]
fn what_was_deleted_comes_back_as_it_was() {
    on_each(|database| {
        let server = Server::on(database.url);
        let key = server.key_with(&["--account", "team", "--name", "ci"]);
        let client = Client::new(&server.url, &key);
        let [benchmark, _] = [(); 2].map(|()| client.benchmark());
        for output in [1, 2] {
            let body = format!(r#"{{"output_to_assert":[{output}]}}"#);
            client.post(&format!("{benchmark}/assert"), &body);
        }
        let all = objects(&client, &benchmark);
        let usage = || {
            let usage = server
                .said(&["accounts", "usage", "team", "--json"])
                .unwrap();
            let mut usage: Value = serde_json::from_str(&usage).unwrap();
            // The tombstone still counts, for clients that synchronize.
            usage[0]["bytes"].take();
            usage
        };
        let before = (seen(&client, &all), usage());
        for (depth, object) in all.iter().enumerate() {
            delete(&client, object);
            let (kind, uuid) = object;
            client.get(&format!("/v1/{kind}/{uuid}")).problem(404);
            client.get(&benchmark).problem(404);
            assert_ne!(usage(), before.1);

            let [found] = &deleted(&server, &["--account", "team"])[..] else {
                panic!("one was deleted")
            };
            assert_eq!(
                (&found["kind"], &found["object"]),
                (&json!(kind), &json!(uuid))
            );
            assert_eq!(
                (&found["key"], &found["key_name"]),
                (&json!(key[..16]), &json!("ci"))
            );
            assert_eq!(
                (&found["account"], &found["address"]),
                (&json!("team"), &json!("127.0.0.1"))
            );
            let beneath = ["definitions", "ensembles", "benchmarks"].map(|kind| &found[kind]);
            let is_beneath = [1, 2, 3].map(|level| json!(u32::from(depth < level)));
            assert_eq!(beneath, is_beneath.each_ref());

            let back = server.said(&["undelete", uuid]).unwrap();
            assert!(
                back.starts_with(&format!("{kind} {uuid} is back")),
                "{back}"
            );
            assert_eq!((seen(&client, &all), usage()), before);
            assert_eq!(deleted(&server, &[]), [] as [Value; 0]);
        }
        let log = server.said(&["audit", "--account", "team"]).unwrap();
        let line = format!("200  undelete  project {}  account team", all[0].1);
        assert!(log.contains(&line), "{log}");
    });
}

#[test]
fn the_list_says_who_deleted_what_and_until_when_it_is_kept() {
    on_each(|database| {
        let server = Server::on_with(database.url, &["--keep-deleted", "60000"]);
        let client = Client::new(
            &server.url,
            &server.key_with(&["--account", "team", "--name", "ci"]),
        );
        let [project, ..] = objects(&client, &client.benchmark());
        delete(&client, &project);
        let deleted = 1_790_000_000_000_000_i64;
        (database.run)(&format!("UPDATE deletion SET deleted = {deleted}"));
        let listed = server
            .said(&["deleted", "--keep-deleted", "60000"])
            .unwrap();
        let listed = listed
            .replace(&project.1, "UUID")
            .replace(&client.key[..16], "tdg_KEY");
        insta::allow_duplicates! {
            insta::assert_snapshot!(listed, @"2026-09-21T14:13:20.000000Z  project UUID  `New project`  with 1 definition, 1 ensemble, 1 benchmark  account team  key tdg_KEY `ci`  from 127.0.0.1  until 2190-12-30T14:13:20.000000Z");
        }
        assert_eq!(
            server.said(&["deleted", "--keep-deleted", "0"]).unwrap(),
            ""
        );
    });
}

#[test]
fn what_comes_back_is_there_for_those_who_synchronise() {
    on_each(|database| {
        let server = Server::on(database.url);
        let key = server.key("team");
        let client = Client::new(&server.url, &key);
        let service = server.service(&key);
        let history = History::push(&server, &key, "shop", &[Verdict::Same, Verdict::Changed]);
        let place = service.replica(history.project);
        let kept = || {
            let mut digests = place.digests().unwrap();
            digests.remove(&RecordKind::Tombstone);
            digests.remove(&RecordKind::Revival);
            digests
        };
        let browser = Browser::signed_in(&server, &key);
        let page = format!("/project/{}/test/{}", history.project, history.test);
        let run_page = format!("{page}/run/{}", history.runs[0]);
        let before = kept();
        let [benchmark, _] = history.benchmarks;
        let deletions = [
            (RecordKind::Benchmark, benchmark),
            (RecordKind::Definition, history.definition),
            (RecordKind::Project, history.project),
        ];
        for (kind, object) in deletions {
            for by_tombstone in [true, false] {
                if by_tombstone {
                    let deleted = Timestamp::now();
                    let uuid = timed(deleted, 1);
                    let tombstone = TombstoneRecord {
                        uuid,
                        of: kind,
                        object,
                        deleted,
                    };
                    let added = place.add(&[Record::Tombstone(tombstone)]).unwrap();
                    assert_eq!(added, [RecordOutcome::Made]);
                } else {
                    delete(&client, &(kind.as_str(), object.to_string()));
                }
                let missing = place.missing(kind, &[object]).unwrap();
                assert_eq!((missing.missing, missing.gone), (vec![], vec![object]));
                // Its runs disappear along with the benchmark.
                assert_eq!(browser.get(&run_page).status, 404);
                let [found] = &deleted(&server, &[])[..] else {
                    panic!("one was deleted")
                };
                assert_eq!(found["key"], key[..16]);

                server.said(&["undelete", &object.to_string()]).unwrap();
                assert_eq!(kept(), before);
                let missing = place.missing(kind, &[object]).unwrap();
                assert_eq!((missing.missing, missing.gone), (vec![], vec![]));
                for page in [&page, &run_page] {
                    assert_eq!(browser.get(page).status, 200);
                }
            }
        }
    });
}

#[test]
fn what_is_in_the_way_is_said() {
    on_each(|database| {
        let server = Server::on(database.url);
        let client = Client::new(&server.url, &server.key("team"));
        let benchmark = client.benchmark();
        let all = objects(&client, &benchmark);
        let refused = |server: &Server, uuid: &str, options: &[&str]| {
            let arguments = [&["undelete", uuid], options].concat();
            let mut said = server.said(&arguments).unwrap_err();
            for (kind, uuid) in &all {
                said = said.replace(uuid, &kind.to_uppercase());
            }
            if let Some((before, date)) = said.split_once(" on ") {
                said = format!("{before} on DATE{}", date.split_once(" GMT").unwrap().1);
            }
            said
        };
        let mut said = vec![refused(&server, &Uuid::nil().to_string(), &[])];
        let [project, definition, ensemble, benchmark] = &all;
        for object in [benchmark, ensemble, project] {
            delete(&client, object);
        }
        said.push(refused(&server, &benchmark.1, &[]));
        said.push(refused(&server, &ensemble.1, &[]));
        said.push(refused(&server, &definition.1, &[]));
        said.push(refused(&server, &project.1, &["--quota-objects", "1"]));
        said.push(
            refused(&server, &project.1, &["--quota-bytes", "10"]).replace(char::is_numeric, "0"),
        );
        said.push(refused(&server, &project.1, &["--keep-deleted", "0"]));
        for object in [project, ensemble] {
            server.said(&["undelete", &object.1]).unwrap();
        }
        (database.run)("UPDATE deletion SET deleted = 0; UPDATE tombstone SET deleted = 0");
        drop(server);
        let server = database.purged();
        said.push(refused(&server, &benchmark.1, &[]));
        insta::allow_duplicates! {
            insta::assert_snapshot!(said.join("\n"), @"
            tdg-server: nothing that was deleted and is kept has the UUID 00000000-0000-0000-0000-000000000000: see `tdg-server deleted`
            tdg-server: benchmark BENCHMARK was in ensemble ENSEMBLE, which was deleted too: first run `tdg-server undelete ENSEMBLE`
            tdg-server: ensemble ENSEMBLE was in definition DEFINITION, which was deleted with project PROJECT: first run `tdg-server undelete PROJECT`
            tdg-server: DEFINITION was deleted with project PROJECT: run `tdg-server undelete PROJECT`
            tdg-server: the quota `objects` of `team` is 1, and it would have 2: first run `tdg-server accounts limits team --objects 2`
            tdg-server: the quota `bytes` of `team` is 00, and it would have 000: first run `tdg-server accounts limits team --bytes 000`
            tdg-server: project PROJECT was deleted too long ago, and is no longer kept (`--keep-deleted`)
            tdg-server: benchmark BENCHMARK was deleted on DATE and is no longer kept (`--keep-deleted`)
            ");
        }
    });
}

#[test]
fn what_was_made_again_is_not_replaced() {
    on_each(|database| {
        let server = Server::on(database.url);
        let key = server.key("team");
        let client = Client::new(&server.url, &key);
        let service = server.service(&key);
        let history = History::push(&server, &key, "shop", &[Verdict::Same]);
        let place = service.replica(history.project);
        let parts: Vec<u8> = (0..=u8::MAX).collect();
        let records = |kinds: &[RecordKind]| {
            let of = |kind: &RecordKind| {
                let found = place.identities(*kind, &parts).unwrap();
                let wanted = found.into_iter().map(|uuid| Wanted::Other(*kind, uuid));
                place.records(&wanted.collect::<Vec<_>>()).unwrap()
            };
            let found: Vec<Record> = kinds.iter().flat_map(of).flatten().collect();
            found
        };
        use RecordKind::{Benchmark, Definition, Ensemble, Project, Tombstone};
        let all = records(&[Project, Definition, Ensemble, Benchmark]);
        let revive = || {
            let tombstones = records(&[Tombstone]);
            let revived = tombstones.iter().map(|tombstone| {
                let tombstone = tombstone.uuid();
                Record::Revival(RevivalRecord { tombstone })
            });
            let records: Vec<Record> = revived.chain(all.iter().cloned()).collect();
            let refused = place.add(&records).unwrap().into_iter();
            refused
                .filter(|it| !matches!(it, RecordOutcome::Made | RecordOutcome::Had))
                .count()
        };
        let runs = || {
            let found = place.histories(&history.benchmarks.map(question)).unwrap();
            found
                .iter()
                .map(|history| history.listed.len())
                .sum::<usize>()
        };

        // The same benchmark with another identifier: they share a history of runs.
        let benchmark = history.benchmarks[0].to_string();
        delete(&client, &("benchmark", benchmark.clone()));
        assert_eq!((revive(), runs()), (0, 0));
        client
            .get(&format!("/v1/benchmark/{benchmark}"))
            .problem(404);
        server.said(&["undelete", &benchmark]).unwrap();
        assert_eq!(
            client.get(&format!("/v1/benchmark/{benchmark}")).status,
            200
        );
        assert_eq!(runs(), 1);

        let project = history.project.to_string();
        delete(&client, &("project", project.clone()));
        assert_eq!((revive(), runs()), (0, 0));
        let deletion = deleted(&server, &[])[0]["deletion"].clone();
        let deletion = deletion.as_str().unwrap();
        let refused = server.said(&["undelete", &project]).unwrap_err();
        let again = format!(
            "tdg-server: project {project} was created again: delete that first, then run \
             `tdg-server undelete {deletion}`"
        );
        assert_eq!(refused, again);
        delete(&client, &("project", project));
        server.said(&["undelete", deletion]).unwrap();
        assert_eq!(runs(), 1);
        assert_eq!(revive(), 0);
    });
}

#[test]
fn nothing_is_kept_of_an_account_that_is_deleted() {
    on_each(|database| {
        let server = Server::on(database.url);
        let [team, others] =
            ["team", "others"].map(|name| Client::new(&server.url, &server.key(name)));
        for client in [&team, &others] {
            let [project, ..] = objects(client, &client.benchmark());
            delete(client, &project);
        }
        team.benchmark();
        server
            .said(&["accounts", "delete", "team", "--yes", "team"])
            .unwrap();
        let tables = ["project", "definition", "ensemble", "benchmark"];
        for table in tables.map(|table| format!("deleted_{table}")) {
            assert_eq!((database.count)(&table), "1", "{table}");
        }
        let left = deleted(&server, &[]);
        assert_eq!(left.len(), 1);
        assert_eq!(left[0]["account"], "others");
    });
}

#[test]
fn a_store_that_has_removed_it_gets_it_again() {
    on_each(|database| {
        let server = Server::on(database.url);
        let key = server.key("team");
        let service = server.service(&key);
        let history = History::push(&server, &key, "shop", &[Verdict::Same, Verdict::Changed]);
        let there = service.replica(history.project);
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(&root.path().join(".tdg")).unwrap();
        let (uuid, name) = (history.project, "shop".to_owned());
        let here = LocalReplica::new(&store, ProjectRecord { uuid, name });
        let parts: Vec<u8> = (0..=u8::MAX).collect();
        let pull = || {
            let mut plan = SyncPlan::new(Direction::Pull);
            plan.prune = true;
            synchronise(&here, &there, &plan, &mut |_| {}).unwrap();
            let mut benchmarks = here.identities(RecordKind::Benchmark, &parts).unwrap();
            benchmarks.sort_unstable();
            let questions = history.benchmarks.map(question);
            (benchmarks, here.histories(&questions).unwrap())
        };
        let before = pull();
        assert_eq!(before.0.len(), 2);
        let client = Client::new(&server.url, &key);
        let ensemble = history.ensemble.to_string();
        delete(&client, &("ensemble", ensemble.clone()));
        assert!(pull().0.is_empty());
        server.said(&["undelete", &ensemble]).unwrap();
        assert_eq!(pull(), before);
    });
}

fn question(benchmark: Uuid) -> HistoryQuestion {
    HistoryQuestion {
        benchmark,
        since: Timestamp::MIN,
        listed_from: Timestamp::MIN,
    }
}

#[test]
fn of_two_who_undelete_at_once_one_reads_that_it_is_back() {
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let client = server.client();
    let benchmark = client.benchmark();
    let uuid = benchmark.rsplit('/').next().unwrap();
    delete(&client, &("benchmark", uuid.to_owned()));
    // The server writes the size of the deletion, and would wait too.
    let uncounted = "SELECT count(*) FROM s0.deletion WHERE bytes IS NULL";
    soon(|| (postgres.query(uncounted).trim() == "0").then_some(()));
    let lock = postgres.begin("SELECT uuid FROM s0.deletion FOR UPDATE");
    let answers = thread::scope(|scope| {
        let running = [(); 2].map(|()| scope.spawn(|| server.said(&["undelete", uuid])));
        postgres.wait_for_waiting(2);
        drop(lock);
        running.map(|it| it.join().unwrap())
    });
    let refused: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
    let reason = format!("tdg-server: benchmark {uuid} was already restored by another `undelete`");
    assert_eq!(refused, [reason]);
}
