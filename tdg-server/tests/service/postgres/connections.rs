//! Connections to PostgreSQL: the minimum number, and the effects of losing one.

use std::thread;

use crate::support::{Client, Postgres, Schema, Server};

#[test]
fn few_connections_are_enough_for_many_clients() {
    // With 1, none is shared; with 2, one next to another; with 5, one next to several.
    for connections in ["1", "2", "5"] {
        let schema = Schema::new();
        let server = Server::on_with(&schema.url, &["--connections", connections]);
        let client = server.client();
        let benchmark = client.benchmark();
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    let asserted = client.post(
                        &format!("{benchmark}/assert"),
                        r#"{"output_to_assert":[1]}"#,
                    );
                    assert_eq!(asserted.status, 200, "{}", asserted.text());
                    assert_eq!(client.get(&benchmark).status, 200);
                });
            }
        });
        let history = client.get(&format!("{benchmark}/history")).json();
        assert_eq!(history.as_array().unwrap().len(), 16, "{connections}");
    }
}

#[test]
fn what_is_only_looked_up_is_asked_again_when_its_connection_is_lost() {
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let client = server.client();
    let benchmark = client.benchmark();
    thread::scope(|scope| {
        let lock = postgres.lock("s0.benchmark");
        let asked = scope.spawn(|| client.get(&benchmark).status);
        postgres.end_waiting();
        drop(lock);
        assert_eq!(asked.join().unwrap(), 200);
    });
}

#[test]
fn requests_written_together_are_answered_one_by_one() {
    let postgres = Postgres::start();
    let server = Server::on(&postgres.schema());
    let (client, stranger) = (
        server.client(),
        Client::new(&server.url, &server.key("strangers")),
    );
    let [kept, deleted, hidden] = [client.benchmark(), client.benchmark(), stranger.benchmark()];
    let assert = |client: &Client, benchmark: &str, key: Option<&str>| {
        let mut fields = vec![("content-type", "application/json")];
        fields.extend(key.map(|key| ("idempotency-key", key)));
        let path = format!("{benchmark}/assert");
        let answer = client.ask("POST", &path, &fields, br#"{"output_to_assert":[1]}"#);
        let uuid = answer.json()["assertion_uuid"].as_str().map(str::to_owned);
        (answer.status, uuid)
    };
    // The outputs are cached. Only the database knows that the benchmark is gone.
    assert_eq!(assert(&client, &deleted, None).0, 200);
    client.delete(&format!("{deleted}/delete"));
    let before = assert(&client, &kept, Some("before"));
    assert!(before.1.is_some());

    // While the first waits, the others are grouped.
    thread::scope(|scope| {
        let lock = postgres.lock("s0.assertion");
        let first = scope.spawn(|| assert(&client, &kept, None).0);
        postgres.wait_for_waiting(1);
        let ask = |benchmark: &'_ str, key| {
            let (client, benchmark) = (&client, benchmark.to_owned());
            scope.spawn(move || assert(client, &benchmark, key))
        };
        let same = [(); 3].map(|()| ask(&kept, Some("same")));
        let repeated = ask(&kept, Some("before"));
        let missing = [ask(&deleted, None), ask(&hidden, None)];
        let plain = ask(&kept, None);
        drop(lock);
        assert_eq!(first.join().unwrap(), 200);
        assert_eq!(plain.join().unwrap().0, 200);
        assert_eq!(repeated.join().unwrap(), before);
        for missing in missing {
            assert_eq!(missing.join().unwrap().0, 404);
        }
        let same = same.map(|asked| asked.join().unwrap());
        assert!(
            same[0].0 == 200 && same.iter().all(|other| other == &same[0]),
            "{same:?}"
        );
    });
    let history = client.get(&format!("{kept}/history")).json();
    assert_eq!(history.as_array().unwrap().len(), 4);
}
