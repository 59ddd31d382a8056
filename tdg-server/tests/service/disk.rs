//! A database that can't be written.

use std::time::{Duration, Instant};

use crate::support::{Answer, Client, Postgres, Server};

const ASSERT: &str = r#"{"output_to_assert":[1]}"#;

/// The message to clients. The place of the database, and the cause, are in the log.
const DETAIL: &str = "the service can't store anything at the moment, such as when its disk is full; \
     reading works";

fn is_ready(client: &Client) -> bool {
    let answer = client.get("/readyz");
    if answer.status != 200 {
        assert_eq!(answer.problem(503), DETAIL);
    }
    answer.status == 200
}

/// Checks everything that needs writing, until `mend` makes the database writable again.
fn writes_are_refused(
    server: &Server,
    client: &Client,
    benchmark: &str,
    why: &str,
    mend: impl FnOnce(),
) {
    let assert = || client.post(&format!("{benchmark}/assert"), ASSERT);
    let refused = |answer: &Answer| assert_eq!(answer.problem(503), DETAIL);
    let first = assert();
    assert_eq!(first.status, 503);
    assert!(!is_ready(client), "it says that it is ready");
    refused(&first);
    assert!(first.header("retry-after").is_some());
    for _ in 0..100 {
        refused(&assert());
        assert!(!is_ready(client));
    }
    refused(&client.post("/v1/project/new", ""));
    assert_eq!(client.get(benchmark).status, 200);

    // Logged once, not for each request.
    let log = server.log();
    let said = log
        .lines()
        .filter(|line| line.contains("\"WARN\"") || line.contains("\"ERROR\""))
        .collect::<Vec<_>>();
    assert!(!said.is_empty() && said.len() <= 5, "{said:#?}");
    assert!(said.iter().any(|line| line.contains(why)), "{said:#?}");

    mend();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_ready(client) {
        assert!(Instant::now() < deadline, "it is not ready again");
    }
    assert_eq!(assert().status, 200);
    let history = client.get(&format!("{benchmark}/history?limit=1"));
    assert_eq!(history.json()[0]["asserted"], true);
}

#[test]
fn a_server_on_a_full_disk_is_not_ready_and_says_why() {
    const FULL: u64 = 128 << 10;
    // Exceeding the limit of a file's size is an error, without a signal that ends the process.
    let server = Server::after("trap '' XFSZ");
    let client = server.client();
    let benchmark = client.benchmark();
    // Every write makes this file longer.
    let log = server.database_file().with_extension("db-wal");
    while std::fs::metadata(&log).unwrap().len() < 2 * FULL {
        assert_eq!(
            client.post(&format!("{benchmark}/assert"), ASSERT).status,
            200
        );
    }
    assert!(is_ready(&client));
    server.limit_files(FULL);
    let file = server.database_file().display().to_string();
    writes_are_refused(&server, &client, &benchmark, &file, || {
        server.limit_files(rlimit::INFINITY);
    });
}

#[test]
fn a_server_whose_postgresql_has_become_read_only_is_not_ready() {
    // Managed databases become read-only like this before their disks are full.
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let client = server.client();
    let benchmark = client.benchmark();
    assert!(is_ready(&client));
    let read_only = |on: &str| {
        postgres.execute(&format!(
            "ALTER SYSTEM SET default_transaction_read_only = {on}"
        ));
        postgres.execute("SELECT pg_reload_conf()");
        postgres.wait_for("SHOW default_transaction_read_only", on);
    };
    read_only("on");
    writes_are_refused(
        &server,
        &client,
        &benchmark,
        "read-only transaction",
        || {
            read_only("off");
        },
    );
}
