//! Concurrent requests to PostgreSQL.

use std::thread;

use crate::support::{Answer, Client, Postgres, Server};

/// An object that can be created within a benchmark's project.
struct Creation {
    /// The parent's table and identifier.
    parent: (&'static str, String),
    path: String,
    body: String,
}

/// Returns a creation in each parent, innermost first.
fn creations(client: &Client) -> [Creation; 3] {
    let benchmark = client.get(&client.benchmark()).json();
    let [definition, ensemble] = ["definition_uuid", "ensemble_uuid"]
        .map(|member| benchmark[member].as_str().unwrap().to_owned());
    let of = format!("/v1/definition/{definition}");
    let project = client.get(&of).string("project_uuid");
    let feature = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
    let another = format!(r#"{{"features":[{feature}]}}"#);
    [
        Creation {
            path: format!("{of}/ensemble/{ensemble}/benchmarks/add"),
            parent: ("ensemble", ensemble),
            body: r#"{"expected_output":[1]}"#.to_owned(),
        },
        Creation {
            path: format!("{of}/ensembles/add"),
            parent: ("definition", definition),
            body: r#"{"size":1}"#.to_owned(),
        },
        Creation {
            path: "/v1/definition/new".to_owned(),
            body: format!(r#"{{"project_uuid":"{project}","definition":{another}}}"#),
            parent: ("project", project),
        },
    ]
}

fn with_key(client: &Client, path: &str, body: &str, key: &str) -> Answer {
    let fields = [
        ("content-type", "application/json"),
        ("idempotency-key", key),
    ];
    client.ask("POST", path, &fields, body.as_bytes())
}

#[test]
fn what_is_created_in_something_that_is_being_deleted_does_not_find_it() {
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let client = server.client();
    for creation in &creations(&client) {
        let Creation { parent, path, body } = creation;
        let (table, uuid) = parent;
        // In a server's order: children first.
        let within = match *table {
            "ensemble" => "DELETE FROM s0.benchmark;",
            "definition" => "DELETE FROM s0.ensemble;",
            _ => "DELETE FROM s0.definition;",
        };
        let deletion = postgres.begin(&format!(
            "{within} DELETE FROM s0.{table} WHERE uuid = '{uuid}'"
        ));
        thread::scope(|scope| {
            let asked = scope.spawn(|| client.post(path, body));
            postgres.wait_for_waiting(1);
            deletion.commit();
            asked.join().unwrap().problem(404);
        });
    }
}

#[test]
fn what_two_servers_create_at_once_with_one_key_is_one() {
    let postgres = Postgres::start();
    let database = postgres.schema();
    let servers = [(); 2].map(|()| Server::on_with(&database, &["--log", "debug"]));
    let client = servers[0].client();
    let clients = [0, 1].map(|index: usize| Client::new(&servers[index].url, &client.key));
    for (n, creation) in creations(&client).iter().enumerate() {
        let key = format!("key-{n}");
        // Neither finds the key, and neither can store it.
        let lock = postgres.lock("s0.idempotency IN SHARE MODE");
        let answers = thread::scope(|scope| {
            let asked = clients.each_ref().map(|client| {
                let Creation { path, body, .. } = creation;
                scope.spawn(|| with_key(client, path, body, &key))
            });
            postgres.wait_for_waiting(2);
            drop(lock);
            asked.map(|asked| asked.join().unwrap())
        });
        assert_eq!(answers[0].status, 200, "{}", answers[0].text());
        assert_eq!(answers[0].json(), answers[1].json());
        let logs = servers.each_ref().map(Server::log).concat();
        assert_eq!(logs.matches("retrying").count(), n + 1);
    }
}

#[test]
fn what_takes_long_to_be_written_keeps_no_assertions() {
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let client = server.client();
    let stranger = Client::new(&server.url, &server.key("strangers"));
    let path = |benchmark: String| format!("{benchmark}/assert");
    let [mine, others] = [&client, &stranger].map(|client| path(client.benchmark()));
    let [_, long, _] = creations(&client);
    let output = r#"{"output_to_assert":[1]}"#;
    let lock = postgres.lock("s0.packed_rows IN SHARE MODE");
    thread::scope(|scope| {
        let writing = scope.spawn(|| with_key(&client, &long.path, &long.body, "key"));
        postgres.wait_for_waiting(1);
        assert_eq!(with_key(&client, &mine, output, "key").status, 200);
        assert_eq!(stranger.post(&others, output).status, 200);
        drop(lock);
        writing.join().unwrap().problem(409);
    });
}

#[test]
fn an_assertion_that_waits_keeps_none_of_another_account() {
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let client = server.client();
    let stranger = Client::new(&server.url, &server.key("strangers"));
    let [mine, others] =
        [&client, &stranger].map(|client| format!("{}/assert", client.benchmark()));
    let output = r#"{"output_to_assert":[1]}"#;
    let statement = "SELECT query_start FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    // Another request is about to use the key.
    let key = postgres.begin(
        "INSERT INTO s0.idempotency (account, key, fingerprint, made, added)
         SELECT id, 'key', '', gen_random_uuid(), 0 FROM s0.account WHERE name <> 'strangers'",
    );
    thread::scope(|scope| {
        let waiting = scope.spawn(|| with_key(&client, &mine, output, "key"));
        postgres.wait_for_waiting(1);
        let first = postgres.query(statement);
        assert_eq!(stranger.post(&others, output).status, 200);
        assert_eq!(postgres.query(statement), first, "it waited to its end");
        drop(key);
        assert_eq!(waiting.join().unwrap().status, 200);
    });
}
