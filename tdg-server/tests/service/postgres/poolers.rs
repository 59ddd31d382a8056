//! A pooler between the server and PostgreSQL.

use std::collections::BTreeSet;
use std::thread;

use crate::support::{Client, PgBouncer, Postgres, Server};

/// Creates, asserts, lists and deletes concurrently, and checks all answers.
fn work(servers: &[Server]) {
    const CLIENTS: usize = 6;
    const ASSERTIONS: usize = 3;

    let key = servers[0].key("team");
    let clients: Vec<_> = (0..CLIENTS)
        .map(|index| Client::new(&servers[index % servers.len()].url, &key))
        .collect();
    let shared = clients[0].benchmark();
    let assert = |client: &Client, benchmark: &str, output: &str| {
        let path = format!("{benchmark}/assert");
        let asserted = client.post(&path, &format!(r#"{{"output_to_assert":[{output}]}}"#));
        assert_eq!(asserted.status, 200, "{}", asserted.text());
        asserted.string("assertion_uuid")
    };
    let work = |client: &Client| {
        let mut asserted = BTreeSet::new();
        for _ in 0..ASSERTIONS {
            let own = client.benchmark();
            assert(client, &own, "1");
            assert(client, &own, "2");
            let history = client.get(&format!("{own}/history")).json();
            assert_eq!(history[0]["asserted"], false);
            assert_eq!(history[1]["asserted"], true);
            assert_eq!(client.get("/v1/projects").status, 200);
            assert_eq!(client.delete(&format!("{own}/delete")).status, 200);
            assert_eq!(client.get(&own).status, 404);
            asserted.insert(assert(client, &shared, "1"));
        }
        asserted
    };
    let asserted: Vec<BTreeSet<String>> = thread::scope(|scope| {
        let working: Vec<_> = clients
            .iter()
            .map(|client| scope.spawn(|| work(client)))
            .collect();
        working
            .into_iter()
            .map(|client| client.join().unwrap())
            .collect()
    });
    let history = clients[0].get(&format!("{shared}/history")).json();
    let entries = history.as_array().unwrap().iter();
    let found: BTreeSet<_> = entries
        .map(|entry| entry["assertion_uuid"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(found.len(), CLIENTS * ASSERTIONS);
    assert_eq!(found, asserted.into_iter().flatten().collect());
    for server in servers {
        let client = Client::new(&server.url, "");
        assert_eq!(client.get("/readyz").status, 200);
        let log = server.log();
        assert!(!log.contains("PostgreSQL"), "{log}");
    }
}

#[test]
fn a_server_works_behind_a_pooler_in_session_mode() {
    let postgres = Postgres::start();
    let pooler = PgBouncer::start(&postgres, "session", 20);
    work(&[Server::on_with(&pooler.url(""), &["--connections", "8"])]);
}

#[test]
fn servers_work_behind_a_pooler_in_transaction_mode() {
    const SESSIONS: usize = 2;

    let postgres = Postgres::start();
    let pooler = PgBouncer::start(&postgres, "transaction", SESSIONS);
    let database = pooler.url("pooler=transaction");
    let start = || Server::on_with(&database, &["--connections", "8"]);
    work(&[start(), start()]);
    // New servers reuse the names of earlier servers' statements.
    work(&[start()]);
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tdg-server'";
    let sessions: usize = postgres.query(sessions).parse().unwrap();
    assert!((1..=SESSIONS).contains(&sessions), "{sessions}");
}

#[test]
fn statements_that_another_client_left_in_a_session_disturb_no_server() {
    let postgres = Postgres::start();
    let pooler = PgBouncer::start(&postgres, "transaction", 1);
    // The names that the driver gives to statements.
    let prepared = |names: std::ops::Range<usize>| {
        let statements = names.map(|name| format!("PREPARE s{name} AS SELECT 1;"));
        pooler.execute(&postgres, &statements.collect::<String>());
    };
    prepared(0..200);
    let server = Server::on(&pooler.url("pooler=transaction"));
    let listed = server.run(&["keys", "list"]);
    assert!(listed.status.success(), "{listed:?}");
    prepared(200..2000);
    // A server that ends may leave a transaction open, which costs the pooler the session.
    let servers = [server];
    work(&servers);
    let left = "SELECT count(*) FROM pg_prepared_statements";
    pooler.execute(
        &postgres,
        &format!("DO $$ BEGIN ASSERT ({left}) = 2000; END $$"),
    );
    drop(servers);
}

#[test]
fn the_time_of_statements_is_limited_behind_a_pooler_too() {
    let postgres = Postgres::start();
    let pooler = PgBouncer::start(&postgres, "transaction", 2);
    let server = Server::on(&pooler.url("pooler=transaction"));
    let client = server.client();
    postgres.execute(
        "CREATE TABLE seen (limits text);
         CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             INSERT INTO seen SELECT current_setting('statement_timeout') || ' '
                 || current_setting('idle_in_transaction_session_timeout');
             RETURN NEW;
         END $$;
         CREATE TRIGGER see BEFORE INSERT ON project FOR EACH ROW EXECUTE FUNCTION see();
         CREATE TRIGGER see BEFORE INSERT ON assertion FOR EACH ROW EXECUTE FUNCTION see();",
    );
    let benchmark = client.benchmark();
    let asserted = client.post(
        &format!("{benchmark}/assert"),
        r#"{"output_to_assert":[1]}"#,
    );
    assert_eq!(asserted.status, 200);
    // A transaction, and a single statement.
    assert_eq!(postgres.query("SELECT * FROM seen"), "1min 1min\n1min 1min");
}

#[test]
fn a_pooler_in_transaction_mode_that_the_url_does_not_mention_is_noticed() {
    let postgres = Postgres::start();
    let pooler = PgBouncer::start(&postgres, "transaction", 2);
    let refused = Server::refused_on(&pooler.url(""));
    assert!(
        refused.contains(
            "PostgreSQL is behind a pooler in transaction mode: add `pooler=transaction` to the \
             URL of the database, or switch the pooler to session mode"
        ),
        "{refused}"
    );
    assert_eq!(
        postgres.query(r"SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"),
        "0"
    );
}

#[test]
fn a_statement_of_another_session_is_explained() {
    let postgres = Postgres::start();
    let key = Server::on(&postgres.schema_of("postgres", "public")).key("team");
    let pooler = PgBouncer::start(&postgres, "transaction", 1);
    // A single connection can't detect the pooler, and has the only session while it is alone.
    let server = Server::on_with(&pooler.url(""), &["--connections", "1"]);
    let client = Client::new(&server.url, &key);
    assert_eq!(client.get("/v1/projects").status, 200);
    let refused = server.run(&["--connections", "1", "keys", "list"]);
    assert!(!refused.status.success());
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        message
            .contains("; if a pooler in transaction mode is in between, add `pooler=transaction`"),
        "{message}"
    );
}
