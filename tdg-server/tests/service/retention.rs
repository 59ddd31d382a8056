//! Retention.

use std::process::Output;

use crate::deletion::on_each;
use crate::support::{Client, Server};

const DAY: u64 = 24 * 60 * 60 * 1_000_000;

fn history(client: &Client, benchmark: &str) -> Vec<serde_json::Value> {
    let history = client.get(&format!("{benchmark}/history")).json();
    let shown = client.get(benchmark).json()["history"].clone();
    assert_eq!(history, shown);
    history.as_array().unwrap().clone()
}

fn assert_twice(client: &Client, benchmark: &str) {
    for output in [1, 2] {
        let body = format!(r#"{{"output_to_assert":[{output}]}}"#);
        let asserted = client.post(&format!("{benchmark}/assert"), &body);
        assert_eq!(asserted.status, 200);
    }
}

fn said(output: Output) -> String {
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).unwrap().trim().to_owned()
}

#[test]
fn a_history_is_pruned_by_age_and_number() {
    on_each(|database| {
        let server = Server::on(database.url);
        let clients = ["one", "two"].map(|name| Client::new(&server.url, &server.key(name)));
        let benchmarks = clients.each_ref().map(Client::benchmark);
        let assert = || {
            for (client, benchmark) in clients.iter().zip(&benchmarks) {
                assert_twice(client, benchmark);
            }
        };
        let pass = |days: u64| {
            let micros = days * DAY;
            (database.run)(&format!(
                "UPDATE assertion SET timestamp = timestamp - {micros}"
            ));
        };
        let all = || [0, 1].map(|of: usize| history(&clients[of], &benchmarks[of]));
        let prune = |line: &str| {
            let arguments: Vec<_> = ["prune"].into_iter().chain(line.split(' ')).collect();
            said(server.run(&arguments))
        };
        assert();
        pass(200);
        assert();
        let before = all();

        let line = "--older-than 180d --keep 3 --account one";
        let found = prune(&format!("{line} --dry-run"));
        let nothing_else = "0 ensembles and 0 definitions";
        let one = format!("1 assertion of 1 benchmark, {nothing_else}");
        assert_eq!(found, format!("would remove {one}"));
        assert_eq!(all(), before);
        assert_eq!(prune(line), format!("removed {one}"));
        assert_eq!(all(), [&before[0][..3], &before[1]]);
        let since = "benchmark WHERE kept_since IS NOT NULL";
        assert_eq!((database.count)(since), "1");

        // Assertions of the last week are kept for other places.
        let found = prune("--older-than 1h --keep 1");
        let three = format!("3 assertions of 2 benchmarks, {nothing_else}");
        assert_eq!(found, format!("removed {three}"));
        assert_eq!(all(), before.each_ref().map(|before| &before[..2]));
        pass(8);
        let found = prune("--keep 1");
        let two = format!("2 assertions of 2 benchmarks, {nothing_else}");
        assert_eq!(found, format!("removed {two}"));
        assert_eq!(all().map(|history| history.len()), [1, 1]);
        let found = prune("--older-than 1h");
        assert_eq!(found, format!("removed {two}"));
        assert!(all().iter().all(Vec::is_empty));
        assert();
        assert_eq!(all().map(|history| history.len()), [2, 2]);

        let refused = prune("--account nobody --keep 1");
        assert!(
            refused.contains("there is no account `nobody`"),
            "{refused}"
        );
        let refused = said(server.run(&["prune"]));
        assert!(
            refused.contains("nothing to prune: give `--older-than`"),
            "{refused}"
        );
    });
}

#[test]
fn what_no_benchmark_needs_is_pruned_when_asked_for() {
    on_each(|database| {
        let server = Server::on(database.url);
        let client = server.client();
        let benchmark = client.benchmark();
        let definition = client.get(&benchmark).string("definition_uuid");
        let project = client.get(&format!("/v1/definition/{definition}"));
        let project = project.string("project_uuid");
        let add = |definition: &str| {
            let path = format!("/v1/definition/{definition}/ensembles/add");
            client.post(&path, r#"{"size":1}"#).string("ensemble_uuid")
        };
        let unused = add(&definition);
        let feature = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
        let body =
            format!(r#"{{"project_uuid":"{project}","definition":{{"features":[{feature}]}}}}"#);
        let [of_unused, of_young] = [(); 2].map(|()| {
            client
                .post("/v1/definition/new", &body)
                .string("definition_uuid")
        });
        add(&of_unused);
        for table in ["ensemble", "definition"] {
            let micros = 100 * DAY;
            (database.run)(&format!("UPDATE {table} SET added = added - {micros}"));
        }
        let young = add(&of_young);

        let prune = |option: &str| said(server.run(&["prune", "--unused", "90d", option]));
        let found = "0 assertions of 0 benchmarks, 2 ensembles and 1 definition";
        assert_eq!(prune("--dry-run"), format!("would remove {found}"));
        assert_eq!(prune("--older-than=1d"), format!("removed {found}"));
        for path in [
            format!("/v1/ensemble/{unused}"),
            format!("/v1/definition/{of_unused}"),
        ] {
            client.get(&path).problem(404);
        }
        assert_eq!(
            client.get(&format!("/v1/ensemble/{young}/data")).status,
            200
        );
        assert_twice(&client, &benchmark);
        assert_eq!((database.count)("tombstone"), "3");
        for table in ["deletion", "deleted_ensemble", "deleted_definition"] {
            assert_eq!((database.count)(table), "0", "{table}");
        }
    });
}

#[test]
fn a_server_prunes_histories_to_its_limit() {
    on_each(|database| {
        let server = Server::on(database.url);
        let client = server.client();
        client.benchmark();
        (database.run)(database.long_history);
        drop(server);
        let server = Server::on_with(database.url, &["--max-history", "7"]);
        database.wait_until("assertion", "7");
        drop(server);
    });
}

#[test]
fn an_account_has_its_own_limit_of_history() {
    on_each(|database| {
        let server = Server::on(database.url);
        server.client().benchmark();
        (database.run)(database.long_history);
        said(server.run(&["accounts", "limits", "default", "--history", "9"]));
        drop(server);
        let _server = Server::on_with(database.url, &["--max-history", "7"]);
        database.wait_until("assertion", "9");
    });
}

#[test]
fn a_restored_database_has_another_epoch() {
    on_each(|database| {
        let server = Server::on(database.url);
        let epochs = [(); 2].map(|()| said(server.run(&["restored"])));
        let words = "the database has the new epoch ";
        assert!(
            epochs.iter().all(|line| line.starts_with(words)),
            "{epochs:?}"
        );
        assert_ne!(epochs[0], epochs[1]);
        assert_eq!((database.count)("server"), "1");
    });
}
