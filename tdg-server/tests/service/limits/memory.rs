//! The memory that requests and answers may hold.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::thread;

use serde_json::json;

use crate::support::{Client, Server};

/// Sends a part of a request: as much as the server reads at once.
fn unfinished(client: &Client, path: &str, length: usize, sent: usize) -> TcpStream {
    let mut stream = client.connect();
    let key = &client.key;
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_nonblocking(true).unwrap();
    let _ = stream.write(&vec![b' '; sent]);
    stream
}

/// Returns true if the server hasn't answered yet.
fn is_open(stream: &mut TcpStream) -> bool {
    matches!(stream.read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Creates a benchmark of 10,000 long rows, and a body in which all outputs differ.
fn long_rows(client: &Client, length: usize) -> (String, String) {
    let project = client.post("/v1/project/new", "").string("project_uuid");
    let text = "x".repeat(length);
    let distribution = json!({"type": "constant", "value": text});
    let features = json!([{"type": "STRING", "distribution": distribution}]);
    let body = json!({"project_uuid": project, "definition": {"features": features}});
    let definition = client
        .post("/v1/definition/new", &body.to_string())
        .string("definition_uuid");
    let path = format!("/v1/definition/{definition}/ensembles/add");
    let ensemble = client
        .post(&path, r#"{"size":10000}"#)
        .string("ensemble_uuid");
    let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
    let body = json!({"expected_output": vec![0; 10_000]}).to_string();
    let benchmark = client.post(&path, &body).string("benchmark_uuid");
    (ensemble, benchmark)
}

#[test]
fn a_diff_is_cut_at_8_mb_and_says_how_many_rows_differ() {
    let server = Server::start();
    let client = server.client();
    let (_, benchmark) = long_rows(&client, 1500);
    let body = json!({"output_to_assert": vec![1; 10_000]}).to_string();
    let answer = client.post(&format!("/v1/benchmark/{benchmark}/assert"), &body);
    assert_eq!(answer.status, 200);
    assert!(
        answer.body.len() <= (8 << 20) + 4096 && answer.body.len() > 7 << 20,
        "{} bytes",
        answer.body.len()
    );
    let diff = &answer.json()["diff"];
    let length = |name: &str| diff[name].as_array().unwrap().len();
    let shown = length("indices");
    assert!(shown < 10_000);
    for name in ["inputs", "expected", "actual"] {
        assert_eq!(length(name), shown, "{name}");
    }
    assert_eq!(
        (&diff["differing"], &diff["size"]),
        (&json!(10_000), &json!(10_000))
    );
    // All of them are explained.
    assert_eq!(diff["explanation"][0], "0 became 1 in all 10000");
}

#[test]
fn two_accounts_with_unfinished_bodies_leave_room_for_a_third() {
    let server = Server::start();
    let path = "/v1/project/new";
    let mut open = Vec::new();
    for account in ["one", "other"] {
        let client = Client::new(&server.url, &server.key(account));
        open.extend((0..12).map(|_| unfinished(&client, path, 400_000, 270_000)));
    }
    let third = Client::new(&server.url, &server.key("third"));
    let body = format!("{{\"project_name\":\"x\"{}}}", " ".repeat(400_000));
    assert_eq!(third.post(path, &body).status, 200);
    for stream in &mut open {
        assert!(is_open(stream), "the third account waited for the others");
    }
}

#[test]
fn bodies_that_do_not_fit_are_refused_whatever_their_size() {
    let server = Server::with(&["--max-body", "1000000", "--memory", "4000000"]);
    let (one, other) = (server.client(), server.key("other"));
    let path = "/v1/project/new";
    // 40 times 100 KB: an account may hold only as much as it leaves to others, which is 2 MB.
    let (answers, answered) = channel();
    for _ in 0..40 {
        let mut stream = unfinished(&one, path, 200_000, 100_000);
        let answers = answers.clone();
        thread::spawn(move || {
            stream.set_nonblocking(false).unwrap();
            let mut head = [0; 1024];
            let length = stream.read(&mut head).unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..length]).to_lowercase();
            // Only the first line is checked.
            let _ = answers.send(head);
            stream
        });
    }
    let answer = answered.recv().unwrap();
    assert!(
        answer.starts_with("http/1.1 503") && answer.contains("retry-after: "),
        "{answer}"
    );
    let other = Client::new(&server.url, &other);
    let body = format!("{{\"project_name\":\"x\"{}}}", " ".repeat(200_000));
    assert_eq!(other.post(path, &body).status, 200);
}

/// Requests rows on several connections at once, and waits until each has begun its answer.
fn begun(client: &Client, ensemble: &str, encoding: &str, count: usize) -> Vec<TcpStream> {
    let key = &client.key;
    let head = format!(
        "GET /v1/ensemble/{ensemble}/data HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\n\
         accept-encoding: {encoding}\r\n\r\n"
    );
    let mut open: Vec<_> = (0..count).map(|_| client.connect()).collect();
    for stream in &mut open {
        stream.write_all(head.as_bytes()).unwrap();
    }
    for stream in &mut open {
        stream.read_exact(&mut [0; 100]).unwrap();
    }
    open
}

/// Creates an ensemble whose rows are about 1 MB compressed, and 2 MB otherwise.
fn many_digits(client: &Client) -> String {
    let project = client.post("/v1/project/new", "").string("project_uuid");
    let feature = json!({"type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 1}});
    let body = json!({"project_uuid": project, "definition": {"features": vec![feature; 10]}});
    let definition = client.post("/v1/definition/new", &body.to_string());
    let path = format!(
        "/v1/definition/{}/ensembles/add",
        definition.string("definition_uuid")
    );
    let ensemble = client.post(&path, r#"{"size":10000}"#);
    ensemble.string("ensemble_uuid")
}

#[test]
fn rows_that_many_ask_for_at_once_are_loaded_a_few_times() {
    let server = Server::with(&["--max-body", "1000000", "--memory", "8000000"]);
    let client = server.client();
    let ensemble = many_digits(&client);
    let before = server.most_memory();
    let _open = begun(&client, &ensemble, "identity", 300);
    let loaded = server.most_memory() - before;
    assert!(loaded < 60 << 20, "{loaded} bytes");
}

#[test]
fn rows_that_are_not_read_are_not_held() {
    let server = Server::with(&["--max-body", "1000000", "--memory", "8000000"]);
    let client = server.client();
    let (ensemble, _) = long_rows(&client, 1500);
    let before = server.memory();
    let _open = begun(&client, &ensemble, "identity", 300);
    let held = server.memory().saturating_sub(before);
    assert!(held < 40 << 20, "{held} bytes");
}

/// Returns the bytes of an answer that are in the kernel but not yet at the client.
#[cfg(target_os = "linux")]
fn queued(stream: &TcpStream) -> usize {
    let port = |address: std::net::SocketAddr| format!("{:04X}", address.port());
    let (server, client) = (stream.peer_addr().unwrap(), stream.local_addr().unwrap());
    let ports = [port(server), port(client)];
    let sockets = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let mut sockets = sockets
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let is_of = |fields: &Vec<&str>| {
        let of = [fields[1], fields[2]].map(|address| address.split(':').nth(1));
        of == [Some(ports[0].as_str()), Some(ports[1].as_str())]
    };
    let socket = sockets.find(is_of).unwrap();
    usize::from_str_radix(socket[4].split(':').next().unwrap(), 16).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernel_buffers_little_of_a_response_that_is_not_read() {
    let server = Server::start();
    let client = server.client();
    let ensemble = many_digits(&client);
    for encoding in ["identity", "gzip"] {
        let open = begun(&client, &ensemble, encoding, 1);
        // In the meantime, the client gets as much as fits.
        assert_eq!(client.get("/v1/projects").status, 200);
        let queued = queued(&open[0]);
        assert!(
            (1..400 << 10).contains(&queued),
            "{encoding}: {queued} bytes"
        );
    }
}
