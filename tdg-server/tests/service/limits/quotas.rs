//! The quota of bytes bounds the disk space of an account.

use serde_json::Value;
use tdg_service::Uuid;

use crate::deletion::on_each;
use crate::support::{Answer, Client, Server, soon};

/// A definition and an ensemble, to which benchmarks are added.
struct Ensemble<'c> {
    client: &'c Client,
    benchmarks: String,
}

impl<'c> Ensemble<'c> {
    fn new(client: &'c Client) -> Self {
        let of = client.get(&client.benchmark());
        let (definition, ensemble) = (of.string("definition_uuid"), of.string("ensemble_uuid"));
        let benchmarks = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
        Ensemble { client, benchmarks }
    }

    /// Adds a benchmark with a text of this length as output.
    fn add(&self, length: usize) -> Answer {
        let body = format!(r#"{{"expected_output":["{}"]}}"#, "x".repeat(length));
        self.client.post(&self.benchmarks, &body)
    }

    fn delete(&self, benchmark: &str) {
        let path = format!("/v1/benchmark/{benchmark}/delete");
        assert_eq!(self.client.delete(&path).status, 200);
    }

    /// Adds a benchmark and deletes it.
    fn add_and_delete(&self, length: usize) -> String {
        let benchmark = self.add(length).string("benchmark_uuid");
        self.delete(&benchmark);
        benchmark
    }
}

/// Returns the usage of the only account.
fn usage(server: &Server) -> Value {
    let output = server.run(&["accounts", "usage", "team", "--json"]);
    let usage: Value = serde_json::from_slice(&output.stdout).unwrap();
    usage[0].clone()
}

fn deleted(server: &Server) -> Vec<String> {
    let printed = String::from_utf8(server.run(&["deleted", "--json"]).stdout).unwrap();
    let objects = printed.lines().map(|line| {
        let deletion: Value = serde_json::from_str(line).unwrap();
        deletion["object"].as_str().unwrap().to_owned()
    });
    objects.collect()
}

/// Restores an object, or returns the reason for a refusal.
fn undelete(server: &Server, object: &str) -> Result<(), String> {
    let output = server.run(&["undelete", object]);
    let said = String::from_utf8(output.stderr).unwrap();
    output.status.success().then_some(()).ok_or(said)
}

#[test]
fn of_what_was_deleted_the_oldest_goes_when_the_quota_is_used_up() {
    on_each(|database| {
        let server = Server::on_with(database.url, &["--quota-bytes", "20000"]);
        let client = Client::new(&server.url, &server.key("team"));
        let ensemble = Ensemble::new(&client);
        let [first, second, third] = [(); 3].map(|()| ensemble.add_and_delete(7996));
        soon(|| (deleted(&server) == [&*second, &third]).then_some(()));
        // Each is `["xx…"]` and its rows. The first deletion is removed at once.
        soon(|| (usage(&server)["deleted"] == 2 * 8400).then_some(()));
        let refused = undelete(&server, &first).unwrap_err();
        let (before, date) = refused.split_once(" on ").unwrap();
        let after = date.split_once(" GMT").unwrap().1;
        let said = format!("{before} on DATE{after}").replace(&first, "BENCHMARK");
        insta::allow_duplicates! {
            insta::assert_snapshot!(said, @"tdg-server: benchmark BENCHMARK was deleted on DATE and is no longer kept: later deletions used up its room in the quota `bytes`, or it was pruned");
        }
        undelete(&server, &third).unwrap();
        assert_eq!(usage(&server)["deleted"], 8400);
        // Existing objects have a separate quota.
        assert_eq!(ensemble.add(11_000).status, 200);
        assert_eq!(ensemble.add(2000).status, 403);
    });
}

#[test]
fn what_is_deleted_without_a_quota_is_kept() {
    on_each(|database| {
        let server = Server::on(database.url);
        let client = Client::new(&server.url, &server.key("team"));
        let ensemble = Ensemble::new(&client);
        let benchmarks = [(); 3].map(|()| ensemble.add_and_delete(7996));
        let uncounted = "deletion WHERE bytes IS NULL";
        database.wait_until(uncounted, "0");
        assert_eq!(deleted(&server), benchmarks);
    });
}

#[test]
fn the_assertions_of_what_was_deleted_count() {
    on_each(|database| {
        let server = Server::on_with(database.url, &["--quota-bytes", "20000"]);
        let client = Client::new(&server.url, &server.key("team"));
        let ensemble = Ensemble::new(&client);
        let benchmark = ensemble.add(1).string("benchmark_uuid");
        let before = usage(&server)["bytes"].as_u64().unwrap();
        let path = format!("/v1/benchmark/{benchmark}/assert");
        for _ in 0..10 {
            client.post(&path, r#"{"output_to_assert":["x"]}"#);
        }
        assert_eq!(usage(&server)["bytes"], before + 10 * 50);
        ensemble.delete(&benchmark);
        let usage = usage(&server);
        assert_eq!(usage["bytes"], before - 5);
        assert_eq!(usage["deleted"], 5 + 10 * 50 + 400);
    });
}

#[test]
fn creating_and_deleting_over_and_over_takes_little_room() {
    const CYCLES: u64 = 40;
    const LENGTH: usize = 1_000_000;
    let server = Server::with(&["--quota-bytes", "3000000"]);
    let client = Client::new(&server.url, &server.key("team"));
    let ensemble = Ensemble::new(&client);
    for _ in 0..CYCLES {
        // Refused while the server can't keep up.
        let added = || Some(ensemble.add(LENGTH)).filter(|answer| answer.status != 403);
        ensemble.delete(&soon(added).string("benchmark_uuid"));
    }
    let bytes = std::fs::metadata(server.database_file()).unwrap().len();
    assert!(bytes < 12_000_000, "{bytes}");
}

#[test]
fn idempotency_keys_count_as_what_they_take() {
    on_each(|database| {
        let server = Server::on(database.url);
        let key = server.key("team");
        let client = Client::new(&server.url, &key);
        let path = format!("{}/assert", client.benchmark());
        let assert = |client: &Client| {
            let key = format!("{}{}", Uuid::new_v4(), "k".repeat(219));
            let fields = [
                ("content-type", "application/json"),
                ("idempotency-key", &key),
            ];
            let body = br#"{"output_to_assert":[1]}"#;
            client.ask("POST", &path, &fields, body).status
        };
        let before = usage(&server)["bytes"].as_u64().unwrap();
        assert_eq!(assert(&client), 200);
        let one = 50 + 200 + 255 * 5 / 2;
        assert_eq!(usage(&server)["bytes"], before + one);
        let limit = (before + 3 * one).to_string();
        server.run(&["accounts", "limits", "team", "--bytes", &limit]);
        drop(server);
        let server = Server::on(database.url);
        let client = Client::new(&server.url, &key);
        assert_eq!([(); 3].map(|()| assert(&client)), [200, 200, 403]);
    });
}
