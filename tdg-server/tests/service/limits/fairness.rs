//! Accounts take turns: none waits for another to finish all of its work.

use std::io::Write;
use std::thread;

use crate::lifecycle::metrics;
use crate::support::{Client, Postgres, Server};

/// Creates a definition with this many features and returns its path.
fn definition(client: &Client, feature: &str, features: usize) -> String {
    let project = client.post("/v1/project/new", "").string("project_uuid");
    let features = vec![feature; features].join(",");
    let body =
        format!(r#"{{"project_uuid":"{project}","definition":{{"features":[{features}]}}}}"#);
    let made = client.post("/v1/definition/new", &body);
    format!("/v1/definition/{}", made.string("definition_uuid"))
}

#[test]
fn an_account_is_answered_while_another_keeps_every_worker_busy() {
    let mut server = Server::with(&["--metrics", "127.0.0.1:0"]);
    let metrics = metrics(&mut server);
    let busy = Client::new(&server.url, &server.key("busy"));
    let other = Client::new(&server.url, &server.key("others"));
    let feature = r#"{"type":"STRING","distribution":{"type":"pattern","regex":"[a-z]{40}"}}"#;
    let path = definition(&busy, feature, 50);
    let draw = format!(
        "POST {path}/ensembles/add HTTP/1.1\r\nhost: test\r\nx-api-key: {}\r\n\
         content-type: application/json\r\ncontent-length: 14\r\n\r\n{{\"size\":10000}}",
        busy.key
    );
    // They stop when these connections are closed.
    let mut drawing: Vec<_> = (0..4).map(|_| busy.connect()).collect();
    for stream in &mut drawing {
        stream.write_all(draw.as_bytes()).unwrap();
        stream.set_nonblocking(true).unwrap();
    }
    while metrics
        .get("/metrics")
        .text()
        .contains("tdg_queue_waiting{queue=\"workers\"} 0")
    {
        thread::yield_now();
    }
    // Definitions are validated by a worker too.
    definition(&other, feature, 1);
    let mut byte = [0];
    let unanswered = drawing
        .iter()
        .filter(|stream| stream.peek(&mut byte).is_err());
    assert_eq!(unanswered.count(), drawing.len());
}

#[test]
fn an_account_gets_a_connection_while_another_has_all_it_may_have() {
    let postgres = Postgres::start();
    let server = Server::on_with(&postgres.schema(), &["--connections", "5"]);
    let client = Client::new(&server.url, &server.key("busy"));
    let other = Client::new(&server.url, &server.key("others"));
    let feature = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
    let path = format!("{}/ensembles/add", definition(&client, feature, 1));
    thread::scope(|scope| {
        // Two of the five are shared, and an account leaves one to others.
        let locked = postgres.begin("SELECT FROM s0.definition FOR UPDATE");
        let ask = || client.post(&path, r#"{"size":1}"#).status;
        let asked = [(); 8].map(|()| scope.spawn(ask));
        postgres.wait_for_waiting(2);
        other.benchmark();
        postgres.wait_for_waiting(2);
        drop(locked);
        let statuses = asked.map(|asked| asked.join().unwrap());
        assert!(statuses.contains(&200), "{statuses:?}");
    });
}
