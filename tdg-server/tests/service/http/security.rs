//! Hostile requests: each is limited and answered, and the next client is served.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::support::{Answer, Client, Server, receive};

/// Creates a project with a definition of `feature`. Returns the project and the answer.
fn definition(client: &Client, feature: &str) -> (String, Answer) {
    let project = client.post("/v1/project/new", "").string("project_uuid");
    let body =
        format!("{{\"project_uuid\":\"{project}\",\"definition\":{{\"features\":[{feature}]}}}}");
    (project, client.post("/v1/definition/new", &body))
}

/// Returns the path and the identifiers of an ensemble of `size` rows.
fn ensemble(client: &Client, size: usize) -> (String, String) {
    let float = r#"{"type":"FLOAT","distribution":{"type":"gaussian","mu":0,"sigma":1}}"#;
    let definition = definition(client, float).1.string("definition_uuid");
    let path = format!("/v1/definition/{definition}/ensembles/add");
    let ensemble = client
        .post(&path, &format!("{{\"size\":{size}}}"))
        .string("ensemble_uuid");
    (definition, ensemble)
}

/// Returns the only fault of an invalid request.
fn fault(answer: &Answer) -> String {
    answer.problem(422);
    let errors = answer.json()["errors"].clone();
    assert_eq!(errors.as_array().unwrap().len(), 1, "{errors}");
    errors[0]["detail"].as_str().unwrap().to_owned()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn serves(server: &Server) {
    let none = Client::new(&server.url, "");
    assert_eq!(none.get("/readyz").status, 200);
}

const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn ten_thousand_nested_outputs_of_16_mb_are_taken_and_more_is_not() {
    let server = Server::start();
    let client = server.client();
    let (definition, ensemble) = ensemble(&client, 10_000);
    let output =
        json!({"order": {"lines": [{"text": "x".repeat(1600)}], "total": 1.5}}).to_string();
    let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
    let body = |output: &str| {
        format!(
            "{{\"expected_output\":[{}]}}",
            vec![output; 10_000].join(",")
        )
    };
    let taken = body(&output);
    assert!(taken.len() > 16_000_000 && taken.len() < 16 << 20);
    let benchmark = client.post(&path, &taken);
    assert_eq!(benchmark.status, 200);
    let path_of = |what: &str| {
        format!(
            "/v1/benchmark/{}/{what}",
            benchmark.string("benchmark_uuid")
        )
    };
    assert_eq!(client.get(&path_of("data")).body.len(), taken.len());
    let assertion = client.post(
        &path_of("assert"),
        &taken.replace("expected_output", "output_to_assert"),
    );
    assert_eq!(assertion.json()["asserted"], true);

    let more = body(&output.replace("xxxx", "xxxxx"));
    assert!(more.len() > (16 << 20) + 4096);
    client.post(&path, &more).problem(413);
    // The length doesn't have to be announced.
    let mut stream = client.connect();
    let key = server.key("default");
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: t\r\nconnection: close\r\nx-api-key: {key}\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    for _ in 0..20 {
        let _ = stream.write_all(chunk.as_bytes());
    }
    let _ = stream.write_all(b"0\r\n\r\n");
    receive(&mut stream).problem(413);
    serves(&server);
}

#[test]
fn a_compressed_body_is_counted_as_it_is_when_it_is_not() {
    let server = Server::start();
    let client = server.client();
    let fields = [JSON, ("content-encoding", "gzip")];
    let small = gzip(b"{\"project_name\":\"packed\"}");
    let project = client.ask("POST", "/v1/project/new", &fields, &small);
    assert_eq!(project.string("project_name"), "packed");

    // A GB, in parts.
    let bomb = gzip(&vec![b' '; 1 << 20]).repeat(1 << 10);
    assert!(bomb.len() < 2 << 20);
    client
        .ask("POST", "/v1/project/new", &fields, &bomb)
        .problem(413);
    client
        .ask(
            "POST",
            "/v1/project/new",
            &fields,
            &small[..small.len() / 2],
        )
        .problem(400);
    client
        .ask("POST", "/v1/project/new", &fields, b"{}")
        .problem(400);
    client
        .ask(
            "POST",
            "/v1/project/new",
            &[JSON, ("content-encoding", "br")],
            b"{}",
        )
        .problem(415);
    serves(&server);
}

#[test]
fn text_that_is_no_request_is_refused_with_the_reason() {
    let server = Server::start();
    let client = server.client();
    for (body, status) in [
        ("{", 400),
        ("\u{0}", 400),
        ("{\"project_name\":\"a\",\"project_name\":\"b\"}", 400),
        ("[]", 422),
        ("\"name\"", 422),
        ("{\"project_name\":1}", 422),
        ("{\"project_name\":\"a\\u0000b\"}", 422),
        ("{\"project_name\":\"a\\nb\"}", 422),
        ("{\"name\":\"a\"}", 422),
        ("{\"project_name\":\"\\ud800\"}", 400),
    ] {
        client.post("/v1/project/new", body).problem(status);
    }
    let long = format!("{{\"project_name\":\"{}\"}}", "é".repeat(129));
    client.post("/v1/project/new", &long).problem(422);
    let deep = format!(
        "{{\"project_name\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    client.post("/v1/project/new", &deep).problem(400);
    client
        .ask(
            "POST",
            "/v1/project/new",
            &[JSON],
            b"{\"project_name\":\"\xff\"}",
        )
        .problem(400);
    client
        .ask(
            "POST",
            "/v1/project/new",
            &[("content-type", "text/plain")],
            b"{}",
        )
        .problem(415);
    let names = [
        "péché 🦀",
        "'; DROP TABLE project; --",
        "\u{202e}right",
        "<script>",
    ];
    for name in names {
        let body = json!({"project_name": name}).to_string();
        assert_eq!(
            client.post("/v1/project/new", &body).string("project_name"),
            name
        );
    }
    serves(&server);
}

#[test]
fn outputs_are_bounded_in_depth_and_kept_in_value() {
    let server = Server::start();
    let client = server.client();
    let (definition, ensemble) = ensemble(&client, 1);
    let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add");
    let make = |output: &str| client.post(&path, &format!("{{\"expected_output\":[{output}]}}"));
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    make(&nested(1000)).problem(400);
    assert_eq!(make(&nested(40)).status, 200);
    for number in ["1e400", "-1e400", &"9".repeat(400)] {
        make(number).problem(400);
    }
    for number in [
        "18446744073709551615",
        "-9223372036854775808",
        "5e-324",
        "0.1",
    ] {
        let benchmark = make(number).string("benchmark_uuid");
        let kept = client.get(&format!("/v1/benchmark/{benchmark}/data"));
        assert_eq!(kept.text(), format!("{{\"expected_output\":[{number}]}}"));
    }
    serves(&server);
}

#[test]
fn definitions_are_bounded() {
    // 100,000 categories exceed the default.
    let server = Server::with(&["--max-definition", "10000000"]);
    let client = server.client();
    let constant = |value: &str| {
        format!(
            "{{\"type\":\"STRING\",\"distribution\":{{\"type\":\"constant\",\"value\":\"{value}\"}}}}"
        )
    };
    definition(&client, &vec![constant("a"); 1001].join(","))
        .1
        .problem(422);
    assert_eq!(
        definition(&client, &vec![constant("a"); 1000].join(","))
            .1
            .status,
        200
    );

    let categorical = |count| {
        let category = |index| format!("{{\"value\":\"{index}\",\"probability\":0.00001}}");
        let categories: Vec<_> = (0..count).map(category).collect();
        let categories = categories.join(",");
        let distribution = format!("{{\"type\":\"categorical\",\"categories\":[{categories}]}}");
        let feature = format!("{{\"type\":\"STRING\",\"distribution\":{distribution}}}");
        definition(&client, &feature).1
    };
    assert_eq!(categorical(100_000).status, 200);
    assert_eq!(
        fault(&categorical(100_001)),
        "must have at most 100000 elements, but has 100001"
    );

    // A small request may break a rule in many places.
    let empty = vec!["{}"; 100_000].join(",");
    let distribution = format!("{{\"type\":\"categorical\",\"categories\":[{empty}]}}");
    let feature = format!("{{\"type\":\"STRING\",\"distribution\":{distribution}}}");
    let answer = definition(&client, &feature).1;
    assert!(answer.body.len() < 200_000, "{}", answer.body.len());
    assert_eq!(
        answer.problem(422),
        "the request has 200000 errors; the first 1000 are listed"
    );

    let binomial = |n: u64| {
        let distribution = format!("{{\"type\":\"binomial\",\"n\":{n},\"p\":0.5}}");
        let feature = format!("{{\"type\":\"INTEGER\",\"distribution\":{distribution}}}");
        definition(&client, &feature).1
    };
    assert_eq!(binomial(40_000_000).status, 200);
    assert_eq!(
        fault(&binomial(40_000_001)),
        "the variance n × p × (1 - p) must be at most 10000000; use a FLOAT gaussian instead"
    );
    assert_eq!(
        fault(&binomial(1_000_000_000_000_000_000)),
        "must be between 0 and 9007199254740991, but is 1000000000000000000"
    );

    // 640 MB of rows.
    let (_, long) = definition(&client, &constant(&"x".repeat(64 << 10)));
    let path = format!(
        "/v1/definition/{}/ensembles/add",
        long.string("definition_uuid")
    );
    client.post(&path, "{\"size\":10000}").problem(422);
    for size in [
        "0",
        "10001",
        "-1",
        "1.5",
        "\"5\"",
        "null",
        "99999999999999999999",
    ] {
        client
            .post(&path, &format!("{{\"size\":{size}}}"))
            .problem(422);
    }
    serves(&server);
}

#[test]
fn nested_definitions_are_bounded() {
    let server = Server::start();
    let client = server.client();
    let list = |length: &str, element: &str| {
        let distribution = format!(r#"{{"type":"list","length":{length},"element":{element}}}"#);
        format!(r#"{{"feature_name":"x","type":"LIST","distribution":{distribution}}}"#)
    };
    let lists = |depth: usize, length: &str| {
        let element = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
        let element = (1..depth).fold(element.to_owned(), |element, _| {
            list(length, &element).replace(r#""feature_name":"x","#, "")
        });
        list(length, &element)
    };
    let refused = |feature: &str| fault(&definition(&client, feature).1);
    assert_eq!(
        refused(&lists(5, "1")),
        "has lists nested 4 deep, and can't be in another list; flatten some of them"
    );
    definition(&client, &lists(1000, "1")).1.problem(400);
    assert_eq!(
        refused(&lists(1, "1000000000000000000")),
        "must be from 0 to 10000, but is 1000000000000000000"
    );
    assert_eq!(
        refused(&lists(1, r#""x""#)),
        "refers to itself in a circle: `x` → `x`; remove one of these references"
    );
    assert_eq!(
        refused(&lists(1, "1").replace("LIST", "LISTS")),
        "unknown type `LISTS`; did you mean `LIST`?"
    );
    // A hundred million values in a row.
    let slow = refused(&lists(2, "10000"));
    assert!(slow.contains("which is more than 2 s"), "{slow}");
    let (_, large) = definition(&client, &lists(4, r#"{"min":0,"max":100}"#));
    let path = format!(
        "/v1/definition/{}/ensembles/add",
        large.string("definition_uuid")
    );
    let large = fault(&client.post(&path, r#"{"size":1}"#));
    assert!(large.contains("at most 1000000 in all"), "{large}");
    serves(&server);
}

#[test]
fn a_head_is_bounded() {
    let server = Server::start();
    let client = server.client();
    let long = "x".repeat(100_000);
    // hyper's own refusals have no body.
    let bare = |answer: Answer| (answer.status, answer.body.len());
    let answer = client.ask("GET", "/v1/projects", &[("x-long", &long)], b"");
    assert_eq!(bare(answer), (431, 0));
    let many: Vec<_> = (0..200).map(|_| ("x-many", "1")).collect();
    let answer = client.ask("GET", "/v1/projects", &many, b"");
    assert_eq!(bare(answer), (431, 0));
    let path = |length| format!("/v1/project/{}", "a".repeat(length));
    client.get(&path(60_000)).problem(404);
    assert_eq!(bare(client.get(&path(100_000))), (431, 0));
    for path in [
        "/v1/project/%ff",
        "/v1/project/../projects",
        "/v1/projects/",
        "//v1/projects",
        "/v1/project/%00",
    ] {
        client.get(path).problem(404);
    }
    for bytes in [
        &b"nonsense\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n",
    ] {
        assert_eq!(bare(client.send(bytes)), (400, 0));
    }
    let key = [JSON, ("idempotency-key", &"k".repeat(256))];
    client
        .ask("POST", "/v1/project/new", &key, b"{}")
        .problem(400);
    client
        .ask(
            "POST",
            "/v1/project/new",
            &[JSON, ("idempotency-key", "two words")],
            b"{}",
        )
        .problem(400);
    serves(&server);
}

#[test]
fn a_client_that_is_slow_is_given_up() {
    // Sends a byte now and then until the server closes the connection.
    let slow = |server: &Server, sent: &str| {
        let mut stream = Client::new(&server.url, "").connect();
        stream.write_all(sent.as_bytes()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_millis(100)))
            .unwrap();
        let begun = Instant::now();
        let mut received = Vec::new();
        loop {
            let mut bytes = [0; 1024];
            match stream.read(&mut bytes) {
                Ok(0) => break,
                Ok(count) => received.extend_from_slice(&bytes[..count]),
                Err(_) if stream.write_all(b"x").is_err() => break,
                Err(_) => {}
            }
            assert!(
                begun.elapsed() < Duration::from_secs(30),
                "it is still waited for"
            );
        }
        String::from_utf8(received).unwrap()
    };
    // Each timeout is the only short one, so other requests may take their time.
    let server = Server::with(&["--head-timeout", "1"]);
    slow(&server, "GET /v1/projects HTTP/1.1\r\nx-slow: ");
    slow(&server, "");
    let server = Server::with(&["--body-timeout", "1"]);
    let key = server.key("default");
    let head = format!(
        "POST /v1/project/new HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\ncontent-length: 1000\r\n\r\n"
    );
    let answer = slow(&server, &head);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    serves(&server);
}

#[test]
fn ten_thousand_open_connections_do_not_keep_others_out() {
    const CONNECTIONS: u64 = 10_000;
    // Half of the limit: other tests of this process have connections too.
    let limit = rlimit::increase_nofile_limit(2 * CONNECTIONS).unwrap();
    let count = CONNECTIONS.min(limit / 2);
    assert!(
        count >= 1_000,
        "{limit} open files are too few for this test: raise `ulimit -Hn`"
    );
    if count < CONNECTIONS {
        // Written directly, since the output of macros is shown only for failing tests.
        let said = format!(
            "only {count} of {CONNECTIONS} connections are tested: the system allows no more than {limit} open files \
             (`ulimit -Hn`)\n"
        );
        std::io::stderr().write_all(said.as_bytes()).unwrap();
    }
    let server = Server::with(&["--head-timeout", "600"]);
    let client = server.client();
    let mut open: Vec<_> = (0..count).map(|_| client.connect()).collect();
    for stream in &mut open {
        stream
            .write_all(b"GET /v1/projects HTTP/1.1\r\nhost: t\r\n")
            .unwrap();
    }
    assert_eq!(client.get("/v1/projects").status, 200);
    // Each of them is still open, and is answered.
    for stream in &mut open {
        stream.write_all(b"connection: close\r\n\r\n").unwrap();
    }
    for stream in &mut open {
        receive(stream).problem(401);
    }
}

#[test]
fn as_many_connections_are_taken_as_are_set_even_where_few_files_may_be_open_at_first() {
    let server = Server::after("ulimit -Sn 64");
    let client = server.client();
    let mut open: Vec<_> = (0..200).map(|_| client.connect()).collect();
    for stream in &mut open {
        stream
            .write_all(b"GET /v1/projects HTTP/1.1\r\nhost: t\r\n")
            .unwrap();
    }
    for stream in open.iter_mut().rev() {
        stream.write_all(b"connection: close\r\n\r\n").unwrap();
        receive(stream).problem(401);
    }
}

#[test]
fn every_refusal_is_a_problem() {
    let server = Server::start();
    let client = server.client();
    client.get("/v1/nothing").problem(404);
    client.get("/v1").problem(404);
    let wrong_method = client.post("/v1/projects", "{}");
    wrong_method.problem(405);
    assert!(wrong_method.header("allow").unwrap().contains("GET"));
    client
        .ask("PATCH", "/v1/project/new", &[], b"")
        .problem(405);
    client.ask("BREW", "/v1/project/new", &[], b"").problem(405);
    for (id, status) in [
        ("0", 404),
        ("not-a-uuid", 404),
        ("00000000-0000-0000-0000-000000000000", 404),
        ("{6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10}", 422),
    ] {
        client.get(&format!("/v1/project/{id}")).problem(status);
        client
            .delete(&format!("/v1/project/{id}/delete"))
            .problem(status);
    }
    client.get("/v1/projects?limit=0").problem(422);
    client.get("/v1/projects?limit=1001").problem(422);
    client.get("/v1/projects?limit=ten").problem(422);
    client.get("/v1/projects?cursor=ten").problem(422);
}

#[test]
fn rows_are_sent_as_they_are_stored_and_not_twice() {
    let server = Server::start();
    let client = server.client();
    let (_, ensemble) = ensemble(&client, 100);
    let path = format!("/v1/ensemble/{ensemble}/data");
    let plain = client.get(&path);
    let packed = client.ask("GET", &path, &[("accept-encoding", "gzip")], b"");
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&packed.body[..])
        .read_to_end(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain.body);

    let tag = |answer: &Answer| answer.header("etag").unwrap().to_owned();
    assert_ne!(tag(&plain), tag(&packed));
    for answer in [&plain, &packed] {
        assert!(
            answer
                .header("cache-control")
                .unwrap()
                .starts_with("private")
        );
        let vary = answer.header("vary").unwrap();
        assert!(
            vary.contains("x-api-key") && vary.contains("accept-encoding"),
            "{vary}"
        );
    }
    let known = client.ask("GET", &path, &[("if-none-match", &tag(&plain))], b"");
    assert_eq!((known.status, known.body.len()), (304, 0));
    assert_eq!(tag(&known), tag(&plain));
    let other_form = client.ask("GET", &path, &[("if-none-match", &tag(&packed))], b"");
    assert_eq!(other_form.status, 200);
    // A tag doesn't grant access.
    let stranger = Client::new(&server.url, &server.key("stranger"));
    stranger
        .ask("GET", &path, &[("if-none-match", &tag(&plain))], b"")
        .problem(404);
    client.delete(&format!("/v1/ensemble/{ensemble}/delete"));
    client.get(&path).problem(404);
}

#[test]
fn a_key_that_lost_a_digit_is_not_repeated() {
    let server = Server::start();
    let key = server.key("default");
    let ran = server.run(&["keys", "revoke", &key[..key.len() - 1]]);
    assert!(!ran.status.success());
    let said = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
    insta::assert_snapshot!(said, @"tdg-server: invalid prefix: expected `tdg_` and 12 digits, as in `tdg-server keys list`");
}

#[cfg(target_os = "linux")]
#[test]
fn a_crash_leaves_no_file_of_the_memory_with_its_keys() {
    let server = Server::after("ulimit -Sc $(ulimit -Hc)");
    let limits = server.limits();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"));
    let soft = line.unwrap().split_whitespace().nth(4);
    assert_eq!(soft, Some("0"), "{limits}");
}
