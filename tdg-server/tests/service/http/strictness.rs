//! Strict HTTP: ambiguous requests are refused, and every refusal arrives.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use crate::support::{Client, Server};

const JSON: (&str, &str) = ("content-type", "application/json");

/// Returns the status, the head and the body of the next answer on a connection that may stay open.
fn next_answer(reader: &mut BufReader<TcpStream>) -> (u16, String, String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let read = reader.read_line(&mut head).unwrap();
        assert!(
            read > 0,
            "the connection was closed after {} bytes",
            head.len()
        );
    }
    let head = head.to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length = head.lines().find_map(|line| {
        let length = line.strip_prefix("content-length: ")?;
        length.parse().ok()
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    (status, head, String::from_utf8(body).unwrap())
}

#[test]
fn the_host_is_named_once() {
    let server = Server::start();
    let client = server.client();
    let ask = |head: &str| {
        let key = &client.key;
        client.send(format!("{head}connection: close\r\nx-api-key: {key}\r\n\r\n").as_bytes())
    };
    for (path, hosts) in [
        ("/v1/projects", ""),
        ("/v1/projects", "host: a\r\nhost: b\r\n"),
        ("/v1/projects", "host: a\r\nhost: a\r\n"),
        ("/readyz", ""),
        ("/nothing", ""),
    ] {
        ask(&format!("GET {path} HTTP/1.1\r\n{hosts}")).problem(400);
    }
    assert_eq!(ask("GET /v1/projects HTTP/1.1\r\nhost:\r\n").status, 200);
    assert_eq!(ask("GET /v1/projects HTTP/1.0\r\n").status, 200);
    ask("GET /v1/projects HTTP/1.0\r\nhost: a\r\nhost: b\r\n").problem(400);
}

#[test]
fn a_header_that_decides_something_is_sent_once() {
    let server = Server::start();
    let client = server.client();
    let twice = |name: &str, values: [&str; 2]| {
        let fields = values.map(|value| (name, value));
        let keyless = Client::new(&server.url, "");
        let client = if name == "x-api-key" {
            &keyless
        } else {
            &client
        };
        client.ask("POST", "/v1/project/new", &fields, b"{}")
    };
    let bearer = format!("Bearer {}", client.key);
    for (name, values) in [
        ("x-api-key", [client.key.as_str(), "tdg_other"]),
        ("authorization", [bearer.as_str(), "Bearer tdg_other"]),
        ("idempotency-key", ["one", "two"]),
        ("idempotency-key", ["one", "one"]),
        ("content-encoding", ["identity", "gzip"]),
        ("content-type", ["application/json", "application/json"]),
        ("content-length", ["2", "3"]),
    ] {
        let answer = twice(name, values);
        assert_eq!(answer.status, 400, "{name}: {}", answer.text());
        if name != "content-length" {
            assert!(
                answer.problem(400).contains(name),
                "{name}: {}",
                answer.text()
            );
        }
    }
    assert_eq!(client.get("/v1/projects").text(), "[]");
}

#[test]
fn a_body_is_in_utf_8() {
    let server = Server::start();
    let client = server.client();
    let status = |media: &str| {
        let fields = [("content-type", media)];
        let answer = client.ask("POST", "/v1/project/new", &fields, b"{}");
        answer.status
    };
    for media in [
        "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"",
        "application/json; other=1",
    ] {
        assert_eq!(status(media), 200, "{media}");
    }
    for media in [
        "application/json; charset=iso-8859-1",
        "application/json; other=1; Charset=\"utf-16\"",
        "application/json; charset=",
    ] {
        assert_eq!(status(media), 415, "{media}");
    }
}

#[test]
fn a_refusal_arrives_before_the_body_and_the_connection_goes_on() {
    let server = Server::start();
    let client = server.client();
    let reader = server.key_with(&["--account", "default", "--scopes", "read"]);
    for (path, key, status) in [
        ("/v1/project/new", "", 401),
        ("/v1/project/new", reader.as_str(), 403),
        ("/v1/nothing", client.key.as_str(), 404),
        (
            "/v1/definition/nothing/ensembles/add",
            client.key.as_str(),
            404,
        ),
        ("/v1/projects", client.key.as_str(), 405),
    ] {
        let stream = client.connect();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut stream = stream;
        let head = |length: usize| {
            format!(
                "POST {path} HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\ncontent-length: {length}\r\n\r\n"
            )
        };
        let length = 1 << 20;
        stream.write_all(head(length).as_bytes()).unwrap();
        // The answer doesn't wait for the body.
        let (answered, answer, _) = next_answer(&mut reader);
        assert_eq!(answered, status, "{path}");
        assert!(
            !answer.contains("connection: close"),
            "{path} closes: {answer}"
        );
        stream.write_all(&vec![b' '; length]).unwrap();
        stream.write_all(head(2).as_bytes()).unwrap();
        stream.write_all(b"{}").unwrap();
        let (answered, ..) = next_answer(&mut reader);
        assert_eq!(answered, status, "{path}, again");
    }
}

#[test]
fn a_connection_whose_body_is_not_read_to_its_end_says_that_it_closes() {
    let server = Server::start();
    let client = server.client();
    for (key, length, status) in [
        ("", 17 << 30, 401),
        (client.key.as_str(), 17_usize << 30, 413),
    ] {
        let mut stream = client.connect();
        let head = format!(
            "POST /v1/project/new HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let (answered, answer, _) = next_answer(&mut BufReader::new(stream));
        assert_eq!(answered, status);
        assert!(answer.contains("connection: close"), "{answer}");
    }
}

#[test]
fn a_connection_goes_on_after_a_chunked_body() {
    let server = Server::start();
    let client = server.client();
    let mut stream = client.connect();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    for _ in 0..2 {
        let key = &client.key;
        let head = format!(
            "POST /v1/project/new HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\ntransfer-encoding: chunked\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(b"2\r\n{}\r\n0\r\n\r\n").unwrap();
        let (status, head, _) = next_answer(&mut reader);
        assert_eq!(status, 200);
        assert!(!head.contains("connection: close"), "{head}");
    }
}

#[test]
fn an_answer_does_not_repeat_a_long_request() {
    let server = Server::start();
    let client = server.client();
    let long = 1 << 20;
    let quoted = [
        format!("{{\"project_name\":{}}}", "9".repeat(long)),
        format!("{{\"{}\":1}}", "x".repeat(long)),
        format!("{{\"{0}\":1,\"{0}\":1}}", "x".repeat(long)),
        format!("\"{}\"", "x".repeat(long)),
        "x".repeat(long),
    ];
    for body in quoted {
        let answer = client.ask("POST", "/v1/project/new", &[JSON], body.as_bytes());
        assert!(
            [400, 422].contains(&answer.status) && answer.body.len() < 10_000,
            "{}: {} bytes",
            answer.status,
            answer.body.len()
        );
    }
    let path = format!("/{}", "x".repeat(60_000));
    assert!(client.get(&path).body.len() < 10_000);
    let media = [("content-type", &"x".repeat(60_000)[..])];
    let answer = client.ask("POST", "/v1/project/new", &media, b"{}");
    answer.problem(415);
    assert!(answer.body.len() < 10_000);
}
