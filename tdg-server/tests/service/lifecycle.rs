//! Starting, managing and stopping a server.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{Answer, Client, Server, command, receive};

fn refused(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tdg-server"));
    let output = command
        .current_dir(folder.path())
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(!folder.path().join("tdg.db").exists());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_first_key_is_shown_once_and_never_logged() {
    let mut server = Server::start();
    let (_, key) = server
        .printed
        .split_once("printed only this once: ")
        .unwrap();
    let key = key.lines().next().unwrap().to_owned();
    let client = Client::new(&server.url, &key);
    assert_eq!(client.get("/v1/projects").status, 200);
    assert_eq!(
        client.post("/v1/project/new", "").string("project_name"),
        "New project"
    );
    assert!(!server.log().contains(&key[17..]));

    server.kill();
    let again = Server::on(server.database());
    assert!(!again.printed.contains("tdg_"), "{}", again.printed);
    assert_eq!(
        Client::new(&again.url, &key)
            .get("/v1/projects")
            .json()
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn a_key_may_do_what_its_scopes_say() {
    let server = Server::start();
    let may = |scopes: &str| {
        let client = Client::new(&server.url, &server.key_with(&["--scopes", scopes]));
        let unknown = "/v1/definition/00000000-0000-0000-0000-000000000000/delete";
        let nowhere = "/v1/benchmark/00000000-0000-0000-0000-000000000000/assert";
        [
            client.get("/v1/projects").status,
            client.post(nowhere, "{\"output_to_assert\":[]}").status,
            client.post("/v1/project/new", "").status,
            client.delete(unknown).status,
        ]
    };
    assert_eq!(may("read"), [200, 403, 403, 403]);
    assert_eq!(may("assert"), [403, 404, 403, 403]);
    assert_eq!(may("write"), [403, 403, 200, 403]);
    assert_eq!(may("delete"), [403, 403, 403, 404]);
    assert_eq!(may("read,assert,write,delete"), [200, 404, 200, 404]);
}

#[test]
fn only_hashes_of_keys_are_stored() {
    let server = Server::start();
    let key = server.key("default");
    server.run(&["migrate"]);
    let stored = std::fs::read(server.database_file()).unwrap();
    let log = std::fs::read(server.database_file().with_extension("db-wal")).unwrap_or_default();
    let stored = [stored, log].concat();
    let has = |text: &str| {
        stored
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    assert!(has(&key[..16]), "the prefix is there to find it by");
    assert!(!has(&key[17..]));
}

#[test]
fn a_malformed_key_is_distinguished_from_a_missing_one() {
    let server = Server::start();
    let ask = |key: &str| Client::new(&server.url, key).get("/v1/projects");
    let none = ask("");
    assert_eq!(
        none.problem(401),
        "missing API key in the header `x-api-key`"
    );
    assert!(none.header("www-authenticate").is_some());
    let key = server.key("default");
    let other = format!("{}{}", &key[..17], "0".repeat(64));
    for wrong in ["secret", &other, &format!("{key}0"), "\u{fffd}"] {
        assert_eq!(ask(wrong).problem(401), "unknown API key");
    }
    let bearer = format!("bEARER {key}");
    let none = Client::new(&server.url, "");
    assert_eq!(
        none.ask("GET", "/v1/projects", &[("authorization", &bearer)], b"")
            .status,
        200
    );
    let basic = format!("Basic {key}");
    assert_eq!(
        none.ask("GET", "/v1/projects", &[("authorization", &basic)], b"")
            .status,
        401
    );
}

#[test]
fn settings_that_are_not_known_are_refused() {
    for (arguments, environment, said) in [
        (
            &["--database", "mysql://db"][..],
            &[][..],
            "unknown database `mysql`",
        ),
        (
            &["--database", "sqlite:a.db?x=1"],
            &[],
            "takes a file without options",
        ),
        (&["--database", "postgres://db/x?colour=red"], &[], "colour"),
        (&["--colour", "red"], &[], "--colour"),
        (
            &[],
            &[("TDG_SERVER_LISEN", "127.0.0.1:0")],
            "did you mean TDG_SERVER_LISTEN?",
        ),
        (
            &[],
            &[("TDG_SERVER_LISTEN", "everywhere")],
            "invalid value 'everywhere'",
        ),
        (&["--log", "loud=loud"], &[], "not a log level"),
        (
            &["--config", "missing.toml"],
            &[],
            "missing.toml can't be read",
        ),
    ] {
        let message = refused(arguments, environment);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_server_that_is_ready_is_healthy_and_one_that_is_not_there_is_not() {
    let mut server = Server::start();
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let healthy = |server: &Server| {
        server
            .run(&["healthcheck", "--listen", &address])
            .status
            .success()
    };
    assert!(healthy(&server));
    let none = Client::new(&server.url, "");
    assert_eq!(none.get("/livez").status, 200);
    assert_eq!(none.get("/readyz").status, 200);
    server.kill();
    assert!(!healthy(&server));
}

/// Returns a client of a server's metrics address.
pub(crate) fn metrics(server: &mut Server) -> Client {
    let printed = server.next_line();
    let url = printed
        .strip_prefix("metrics are on ")
        .unwrap()
        .strip_suffix("/metrics")
        .unwrap();
    Client::new(url, "")
}

#[test]
fn metrics_are_on_a_listener_of_their_own() {
    let mut server = Server::with(&["--metrics", "127.0.0.1:0"]);
    server.client().get("/v1/projects");
    let metrics = metrics(&mut server).get("/metrics");
    let count = "tdg_requests_total{endpoint=\"GET /v1/projects\",status=\"200\"} 1";
    assert!(metrics.text().contains(count), "{}", metrics.text());
    for present in [
        "tdg_request_seconds_bucket{endpoint=\"GET /v1/projects\",le=\"120\"} 1",
        "tdg_requests_in_flight 0",
        "tdg_queue_waiting{queue=\"workers\"} 0",
        "tdg_queue_wait_seconds_count{queue=\"database\"} ",
        "tdg_cache_requests_total{cache=\"rows\",result=\"hit\"} 0",
        "tdg_memory_held_bytes 0",
        "tdg_ready 1",
        "tdg_database_bytes ",
        concat!(
            "tdg_build_info{version=\"",
            env!("CARGO_PKG_VERSION"),
            "\"} 1"
        ),
        "process_start_time_seconds ",
    ] {
        assert!(
            metrics.text().contains(present),
            "{present}: {}",
            metrics.text()
        );
    }
    let there = Client::new(&server.url, "").get("/metrics");
    assert_eq!(there.problem(404), "/metrics does not exist");
}

/// Begins a request for a project. The server has the head, and waits for the body.
fn begin(server: &Server, body: &str) -> TcpStream {
    let mut stream = Client::new(&server.url, "").connect();
    let head = format!(
        "POST /v1/project/new HTTP/1.1\r\nhost: t\r\nx-api-key: {}\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        server.key("default"),
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut begun = [0; 25];
    stream.read_exact(&mut begun).unwrap();
    assert!(begun.starts_with(b"HTTP/1.1 100"));
    stream
}

/// Stops the server, and waits until it accepts no more connections.
fn end(server: &Server) {
    server.terminate();
    let address = server.url.strip_prefix("http://").unwrap().to_owned();
    let deadline = Instant::now() + Duration::from_secs(20);
    while TcpStream::connect(&address).is_ok() {
        assert!(Instant::now() < deadline, "it still listens");
        std::thread::yield_now();
    }
}

#[test]
fn a_server_that_is_ended_answers_what_it_has_begun_and_takes_no_more() {
    let mut server = Server::start();
    let body = "{\"project_name\":\"last\"}";
    let mut stream = begin(&server, body);
    end(&server);
    stream.write_all(body.as_bytes()).unwrap();
    let answer = receive(&mut stream);
    assert_eq!(
        (answer.status, answer.string("project_name").as_str()),
        (200, "last")
    );
    assert!(server.wait());
}

#[test]
fn a_server_that_is_ending_says_so_where_its_metrics_are_until_it_has_answered() {
    let mut server = Server::with(&["--metrics", "127.0.0.1:0"]);
    let operator = metrics(&mut server);
    assert_eq!(operator.get("/readyz").status, 200);
    let mut stream = begin(&server, "{}");
    end(&server);
    let unready = operator.get("/readyz");
    assert_eq!(unready.problem(503), "the server is shutting down");
    assert_eq!(unready.header("retry-after"), Some("1"));
    assert_eq!(operator.get("/livez").status, 200);
    assert_eq!(operator.get("/metrics").status, 200);
    stream.write_all(b"{}").unwrap();
    assert_eq!(receive(&mut stream).status, 200);
    assert!(server.wait());
}

#[test]
fn a_request_that_never_ends_keeps_a_server_for_as_long_as_is_set() {
    let arguments = ["--shutdown-timeout", "1", "--body-timeout", "600"];
    let mut server = Server::with(&arguments);
    let mut stream = begin(&server, "{}");
    server.terminate();
    assert!(server.wait());
    assert!(server.log().contains("requests were cut off"));
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty());
}

#[test]
fn the_file_is_weaker_than_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("server.toml"),
        "listen = \"127.0.0.1:1\"\nlog = \"debug\"",
    )
    .unwrap();
    let healthcheck = |environment: &[(&str, &str)]| {
        let mut command = command(folder.path(), "sqlite:tdg.db");
        let output = command
            .args(["healthcheck", "--config", "server.toml"])
            .envs(environment.iter().copied())
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(
        healthcheck(&[]).contains("127.0.0.1:1:"),
        "{}",
        healthcheck(&[])
    );
    let other = healthcheck(&[("TDG_SERVER_LISTEN", "127.0.0.1:2")]);
    assert!(other.contains("127.0.0.1:2:"), "{other}");
}

#[test]
fn an_account_has_its_rate() {
    let server = Server::with(&["--rate-limit", "1"]);
    let client = server.client();
    let answers: Vec<_> = (0..30).map(|_| client.get("/v1/projects")).collect();
    let refused = answers
        .iter()
        .find(|answer| answer.status == 429)
        .expect("30 at once are too many");
    assert_eq!(
        refused.problem(429),
        "more than 1 requests per second of this account"
    );
    assert_eq!(refused.header("retry-after"), Some("1"));
    let other = Client::new(&server.url, &server.key("others"));
    assert_eq!(other.get("/v1/projects").status, 200);
}

#[test]
fn one_connection_more_than_may_be_open_waits_until_another_ends() {
    let mut server = Server::with(&["--max-connections", "2", "--metrics", "127.0.0.1:0"]);
    let operator = metrics(&mut server);
    let mut open = [(); 2].map(|()| begin(&server, "{}"));
    let mut waiting = Client::new(&server.url, "").connect();
    waiting
        .write_all(b"GET /livez HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n")
        .unwrap();
    // Long enough for an answer, if the connection were accepted.
    for _ in 0..100 {
        assert_eq!(operator.get("/livez").status, 200);
    }
    waiting.set_nonblocking(true).unwrap();
    let none = waiting.read(&mut [0]).unwrap_err();
    assert_eq!(none.kind(), ErrorKind::WouldBlock);
    waiting.set_nonblocking(false).unwrap();
    open[0].shutdown(Shutdown::Both).unwrap();
    assert_eq!(receive(&mut waiting).status, 200);
    open[1].write_all(b"{}").unwrap();
}

#[test]
fn a_client_that_reads_nothing_makes_room_for_the_next() {
    let server = Server::with(&["--max-connections", "1", "--write-timeout", "1"]);
    let key = server.key("default");
    let client = Client::new(&server.url, &key);
    // Its rows have 16 MB, more than fits between two sockets.
    let project = client.post("/v1/project/new", "").string("project_uuid");
    let value = "x".repeat(1600);
    let definition = format!(
        "{{\"project_uuid\":\"{project}\",\"definition\":{{\"features\":[
            {{\"type\":\"STRING\",\"distribution\":{{\"type\":\"constant\",\"value\":\"{value}\"}}}}]}}}}"
    );
    let definition = client.post("/v1/definition/new", &definition);
    let definition = definition.string("definition_uuid");
    let path = format!("/v1/definition/{definition}/ensembles/add");
    let ensemble = client
        .post(&path, "{\"size\":10000}")
        .string("ensemble_uuid");
    let mut stream = client.connect();
    let request =
        format!("GET /v1/ensemble/{ensemble}/data HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    assert_eq!(client.get("/livez").status, 200);
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received);
    assert!(received.starts_with(b"HTTP/1.1 200") && received.len() < 10_000 * value.len());
}

#[test]
fn a_body_of_one_byte_more_than_is_set_is_refused() {
    let server = Server::with(&["--max-body", "1000"]);
    let client = server.client();
    let json = ("content-type", "application/json");
    let plain = |body: &[u8]| client.ask("POST", "/v1/project/new", &[json], body);
    let packed = |body: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(body).unwrap();
        let fields = [json, ("content-encoding", "gzip")];
        client.ask(
            "POST",
            "/v1/project/new",
            &fields,
            &encoder.finish().unwrap(),
        )
    };
    let longest = format!("{{{}}}", " ".repeat(998));
    let longer = format!("{longest} ");
    for ask in [&plain as &dyn Fn(&[u8]) -> Answer, &packed] {
        assert_eq!(ask(longest.as_bytes()).status, 200);
        assert_eq!(
            ask(longer.as_bytes()).problem(413),
            "the body has more than 1000 bytes after decompression"
        );
    }
}
