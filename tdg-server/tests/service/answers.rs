//! How answers are sent.

use crate::support::{Postgres, Server};

#[test]
fn what_a_benchmark_expects_is_not_sent_twice() {
    let postgres = Postgres::start();
    for server in [Server::start(), Server::on(&postgres.schema())] {
        let client = server.client();
        let data = format!("{}/data", client.benchmark());
        let first = client.get(&data);
        assert_eq!(
            (first.status, first.text()),
            (200, r#"{"expected_output":[1]}"#)
        );
        let tag = first.header("etag").unwrap();
        let again = client.ask("GET", &data, &[("if-none-match", tag)], b"");
        assert_eq!((again.status, again.text()), (304, ""));
        assert_eq!(again.header("etag"), Some(tag));
    }
}
