//! The transfer of answers.

use std::io::Write;

use crate::support::{Client, Schema, Server};

#[test]
fn what_a_benchmark_expects_is_not_sent_twice() {
    let schema = Schema::new();
    for server in [Server::start(), Server::on(&schema.url)] {
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

#[test]
fn who_sends_large_requests_slowly_keeps_no_other_account_waiting() {
    // Longer than the client waits for an answer.
    let server = Server::with(&["--body-timeout", "600"]);
    let slow = server.client();
    let other = Client::new(&server.url, &server.key("others"));
    let large = format!(
        "{}1]}}",
        r#"{"output_to_assert":["#.to_owned() + &"1,".repeat(200_000)
    );
    let path = format!("{}/assert", other.benchmark());
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: test\r\nx-api-key: {}\r\ncontent-length: {}\r\n\r\n",
        slow.key,
        large.len()
    );
    let begun: Vec<_> = (0..8)
        .map(|_| {
            let mut stream = slow.connect();
            stream.write_all(head.as_bytes()).unwrap();
            stream
                .write_all(&large.as_bytes()[..large.len() - 1])
                .unwrap();
            stream
        })
        .collect();
    other.post(&path, &large).problem(422);
    drop(begun);
}
