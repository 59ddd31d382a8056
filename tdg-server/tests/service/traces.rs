//! Traces by OpenTelemetry.

#[cfg(feature = "otel")]
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    thread,
};

#[cfg(feature = "otel")]
use crate::support::Server;
#[cfg(not(feature = "otel"))]
use crate::support::command;

/// Starts a collector, and returns the path and body of each post.
#[cfg(feature = "otel")]
fn collector() -> (String, mpsc::Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            while let Some(request) = receive(stream.as_ref().unwrap()) {
                sender.send(request).unwrap();
            }
        }
    });
    (url, received)
}

/// Receives a request and answers it.
#[cfg(feature = "otel")]
fn receive(mut stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let mut lines = reader.by_ref().lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let fields: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    let length = |field: &String| {
        let (name, value) = field.split_once(": ")?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.parse().unwrap())
    };
    let mut body = vec![0; fields.iter().find_map(length).unwrap()];
    reader.read_exact(&mut body).unwrap();
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    stream.write_all(answer.as_bytes()).unwrap();
    Some((path, body))
}

#[cfg(feature = "otel")]
#[test]
fn every_request_is_a_span_of_its_clients_trace() {
    let (url, received) = collector();
    let mut server = Server::with(&["--otlp", &url]);
    let client = server.client();
    let parent = (
        "traceparent",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    );
    let answer = client.ask("GET", "/v1/projects", &[parent], b"");
    let request = answer.header("x-request-id").unwrap().to_owned();
    let unsampled = (
        "traceparent",
        "00-11111111111111111111111111111111-2222222222222222-00",
    );
    client.ask("GET", "/v1/definitions", &[unsampled], b"");
    client.get("/v1/nowhere");
    server.terminate();
    assert!(server.wait());

    let (paths, bodies): (Vec<_>, Vec<_>) = received.try_iter().unzip();
    assert!(
        !paths.is_empty() && paths.iter().all(|path| path == "/v1/traces"),
        "{paths:?}"
    );
    let spans = bodies.concat();
    let sent = |bytes: &[u8]| spans.windows(bytes.len()).any(|window| window == bytes);
    let trace = 0x0af7651916cd43dd8448eb211c80319c_u128.to_be_bytes();
    assert!(sent(&trace) && sent(&0xb7ad6b7169203331_u64.to_be_bytes()));
    for text in [
        "GET /v1/projects",
        "tdg-server",
        "default",
        "127.0.0.1",
        &request,
        "other",
    ] {
        assert!(sent(text.as_bytes()), "{text}");
    }
    // The client has decided not to sample this one.
    assert!(!sent(b"GET /v1/definitions"));
    assert!(!sent(&client.key.as_bytes()[17..]));
}

#[cfg(feature = "otel")]
#[test]
fn a_missing_collector_does_not_block_requests() {
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut server = Server::with(&["--otlp", &format!("http://{gone}")]);
    assert_eq!(server.client().get("/v1/projects").status, 200);
    server.terminate();
    assert!(server.wait());
}

#[cfg(not(feature = "otel"))]
#[test]
fn a_server_without_traces_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(folder.path(), "sqlite:tdg.db");
    let output = command
        .args(["--otlp", "http://localhost:4318"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("build it with `--features otel`"),
        "{message}"
    );
}
