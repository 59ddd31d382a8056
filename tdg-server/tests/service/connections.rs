//! Connections to PostgreSQL: how few are enough, and what becomes of those that are lost.

use std::thread;

use crate::support::{Postgres, Server};

#[test]
fn few_connections_are_enough_for_many_clients() {
    let postgres = Postgres::start();
    // None is shared, one is beside another, two are beside several.
    for connections in ["1", "2", "5"] {
        let server = Server::on_with(&postgres.schema(), &["--connections", connections]);
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
    for _ in 0..5 {
        assert_eq!(client.get(&benchmark).status, 200);
        postgres.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tdg-server'",
        );
    }
    assert_eq!(client.get(&benchmark).status, 200);
}
