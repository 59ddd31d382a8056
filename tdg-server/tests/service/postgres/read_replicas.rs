//! A read replica for bytes that never change.

use crate::support::{Client, Postgres, Server};

/// Removes or corrupts the bytes on the primary, so that only the replica has them.
const SPOIL: &str = "SET search_path TO s0;
    DELETE FROM packed_rows; DELETE FROM outputs; UPDATE definition SET text = '';";

/// Returns the path of the rows of a benchmark's ensemble.
fn rows(client: &Client, benchmark: &str) -> String {
    let ensemble = client.get(benchmark).string("ensemble_uuid");
    format!("/v1/ensemble/{ensemble}/data")
}

/// Asserts different outputs, which takes rows, outputs and definition, and returns the status.
fn differ(client: &Client, benchmark: &str) -> u16 {
    let path = format!("{benchmark}/assert");
    client.post(&path, r#"{"output_to_assert":[2]}"#).status
}

#[test]
fn bytes_are_read_from_the_replica_and_all_else_from_the_primary() {
    let primary = Postgres::start();
    let database = primary.schema();
    let first = Server::on(&database);
    let key = first.key("team");
    let [kept, deleted] = [(); 2].map(|()| Client::new(&first.url, &key).benchmark());
    let strangers = first.key("strangers");
    drop(first);

    let standby = primary.standby();
    standby.execute("SELECT pg_wal_replay_pause()");
    let replica = standby.schema_of("postgres", "s0");
    primary.run_script("postgres", SPOIL);
    let start = || Server::on_with(&database, &["--replica", &replica]);
    let server = start();
    let client = Client::new(&server.url, &key);
    assert_eq!(client.get(&rows(&client, &kept)).json()["vectors"][0][0], 1);
    let expected = client.get(&format!("{kept}/data")).json();
    assert_eq!(expected["expected_output"][0], 1);
    assert_eq!(differ(&client, &kept), 200);

    let stranger = Client::new(&server.url, &strangers);
    let gone = rows(&client, &deleted);
    assert_eq!(stranger.get(&gone).status, 404);
    let definition = client.get(&deleted).string("definition_uuid");
    client.delete(&format!("/v1/definition/{definition}/delete"));
    assert_eq!(client.get(&gone).status, 404);
    assert_eq!(client.get(&format!("{deleted}/data")).status, 404);

    // Objects that the replica doesn't have yet.
    let new = client.benchmark();
    let fresh = start();
    let client = Client::new(&fresh.url, &key);
    assert_eq!(client.get(&rows(&client, &new)).status, 200);
    assert_eq!(client.get(&format!("{new}/data")).status, 200);
    assert_eq!(differ(&client, &new), 200);
    assert!(!fresh.log().contains("replica failed"));

    // A replica that is down.
    drop(standby);
    let alone = start();
    let client = Client::new(&alone.url, &key);
    assert_eq!(client.get(&rows(&client, &new)).status, 200);
    assert_eq!(client.get(&format!("{new}/data")).status, 200);
    assert_eq!(differ(&client, &new), 200);
    assert_eq!(client.get("/readyz").status, 200);
    assert_eq!(alone.log().matches("the replica failed").count(), 1);
}

#[test]
fn sqlite_has_no_replica() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::support::command(folder.path(), "sqlite:tdg.db");
    let refused = command
        .args(["--replica", "postgres://tdg@db/tdg", "migrate"])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        message.contains("a replica is PostgreSQL's: omit `replica`"),
        "{message}"
    );
}
