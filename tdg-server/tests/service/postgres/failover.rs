//! A standby takes over from a primary that is gone or hangs.

use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Answer, Client, Postgres, Server};

/// Long enough for a busy machine, and less than a statement may take on a host that hangs.
const PATIENCE: Duration = Duration::from_secs(30);

fn assert_output(client: &Client, benchmark: &str) -> Answer {
    client.post(
        &format!("{benchmark}/assert"),
        r#"{"output_to_assert":[1]}"#,
    )
}

/// Checks that after `fail` and a promotion, all acknowledged assertions are in the history once. A
/// client that waits for the primary gets an answer, even without other requests.
fn take_over(fail: impl FnOnce(&Postgres), recover: impl FnOnce(&Postgres)) {
    let primary = Postgres::start();
    drop(primary.schema());
    let standby = primary.standby();
    primary.wait_for_standby();
    let hosts = [&primary, &standby].map(|cluster| {
        let socket = cluster.socket().to_str().unwrap();
        socket.replace('/', "%2F")
    });
    let [primary_host, standby_host] = hosts;
    let hosts = format!("{primary_host},{standby_host}");
    let server = Server::on(&format!(
        "postgres://tdg@{hosts}/postgres?options=-csearch_path%3Ds0"
    ));
    let client = server.client();
    let benchmark = client.benchmark();
    let assert = || assert_output(&client, &benchmark);
    let acknowledge = || assert().string("assertion_uuid");
    let mut acknowledged: BTreeSet<String> = (0..20).map(|_| acknowledge()).collect();

    let lock = primary.lock("s0.assertion");
    let begin = thread::scope(|scope| {
        let waiting = scope.spawn(assert);
        primary.wait_for_waiting(1);
        fail(&primary);
        standby.promote();
        let begin = Instant::now();
        assert_eq!(waiting.join().unwrap().status, 503);
        begin
    });
    let first = loop {
        let answer = assert();
        if answer.status == 200 {
            break answer;
        }
        assert_eq!(answer.status, 503);
        assert!(begin.elapsed() < PATIENCE, "{}", answer.text());
    };
    assert!(begin.elapsed() < PATIENCE);
    acknowledged.insert(first.string("assertion_uuid"));

    let history = client
        .get(&format!("{benchmark}/history?limit=1000"))
        .json();
    let history = history.as_array().unwrap();
    let uuid = |entry: &serde_json::Value| entry["assertion_uuid"].as_str().unwrap().to_owned();
    let kept: BTreeSet<String> = history.iter().map(uuid).collect();
    assert_eq!(kept.len(), history.len());
    // The waiting client's assertion wasn't written.
    assert_eq!(kept, acknowledged);
    recover(&primary);
    drop(lock);
}

#[test]
fn a_standby_takes_over_from_a_primary_that_hangs() {
    take_over(
        |primary| primary.signal("-STOP"),
        |primary| primary.signal("-CONT"),
    );
}

#[test]
fn a_standby_takes_over_from_a_primary_that_is_gone() {
    take_over(Postgres::stop, |_| ());
}
