//! Attribution in the log and the audit log.

use serde_json::Value;

use crate::support::{Client, Schema, Server};

/// Returns the lines of the log about an endpoint's answers.
fn logged(server: &Server, endpoint: &str) -> Vec<Value> {
    let log = server.log();
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    lines
        .filter(|line: &Value| line["message"] == "answered" && line["endpoint"] == endpoint)
        .collect()
}

#[test]
fn the_log_says_who_did_what() {
    let server = Server::start();
    let client = Client::new(&server.url, &server.key("team"));
    let created = client.post("/v1/project/new", "");
    let project = created.string("project_uuid");
    client.delete(&format!("/v1/project/{project}/delete"));
    client.get(&format!("/v1/project/{project}")).problem(404);
    let unknown = format!("tdg_0123456789ab_{}", "0".repeat(64));
    let stranger = Client::new(&server.url, &unknown);
    let refused = stranger.get("/v1/projects");
    refused.problem(401);

    let line = &logged(&server, "POST /v1/project/new")[0];
    assert_eq!(line["account"], "team", "{line}");
    assert_eq!(line["key"], &client.key[..16]);
    assert_eq!(line["address"], "127.0.0.1");
    assert_eq!(line["object"], project.as_str());
    assert_eq!(line["status"], 200);
    assert_eq!(line["request"], created.header("x-request-id").unwrap());
    let line = &logged(&server, "DELETE /v1/project/{project_uuid}/delete")[0];
    assert_eq!(line["object"], project.as_str(), "{line}");
    let line = &logged(&server, "GET /v1/project/{project_uuid}")[0];
    assert_eq!(line["account"], "team", "{line}");
    assert!(line.get("object").is_none(), "{line}");
    // An unknown key is logged with the prefix that it claims.
    let line = &logged(&server, "GET /v1/projects")[0];
    assert_eq!(
        (&line["status"], &line["key"]),
        (&401.into(), &"tdg_0123456789ab".into())
    );
    assert_eq!(line["address"], "127.0.0.1");
    assert!(line.get("account").is_none(), "{line}");
}

#[test]
fn a_trusted_proxy_names_the_client() {
    let server = Server::with(&["--trusted-proxy", "10.0.0.0/8,127.0.0.1"]);
    let client = server.client();
    let fields = [
        ("x-forwarded-for", "1.1.1.1, 192.0.2.1, 10.1.2.3"),
        ("x-request-id", "from-the-proxy"),
    ];
    let answer = client.ask("GET", "/v1/projects", &fields, b"");
    assert_eq!(answer.header("x-request-id"), Some("from-the-proxy"));
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-b7ad6b7169203331-01");
    let fields = [("traceparent", &*parent), ("forwarded", "for=192.0.2.2")];
    let answer = client.ask("GET", "/v1/project/none", &fields, b"");
    answer.problem(404);
    assert_eq!(answer.header("x-request-id"), Some(trace));

    let line = &logged(&server, "GET /v1/projects")[0];
    assert_eq!(line["request"], "from-the-proxy");
    assert_eq!(line["address"], "192.0.2.1");
    let line = &logged(&server, "GET /v1/project/{project_uuid}")[0];
    assert_eq!(
        (&line["request"], &line["address"]),
        (&trace.into(), &"192.0.2.2".into())
    );
}

#[test]
fn no_one_else_does() {
    let server = Server::with(&["--trusted-proxy", "10.0.0.0/8"]);
    let client = server.client();
    let fields = [("x-forwarded-for", "192.0.2.1"), ("x-request-id", "chosen")];
    let answer = client.ask("GET", "/v1/projects", &fields, b"");
    assert_ne!(answer.header("x-request-id"), Some("chosen"));
    let line = &logged(&server, "GET /v1/projects")[0];
    assert_eq!(line["address"], "127.0.0.1");
}

#[test]
fn changes_and_refusals_are_recorded() {
    let schema = Schema::new();
    for mut server in [Server::start(), Server::on(&schema.url)] {
        let client = Client::new(&server.url, &server.key("team"));
        let created = client.post("/v1/project/new", "");
        let project = created.string("project_uuid");
        client.get("/v1/projects");
        client.post("/v1/project/new", "{").problem(400);
        client.delete(&format!("/v1/project/{project}/delete"));
        let reader = server.key_with(&["--account", "team", "--scopes", "read"]);
        // A repeated refusal is recorded once.
        for _ in 0..3 {
            Client::new(&server.url, &reader)
                .post("/v1/project/new", "")
                .problem(403);
            Client::new(&server.url, "")
                .get("/v1/projects")
                .problem(401);
        }
        server.run(&["keys", "revoke", &reader[..16]]);
        server.terminate();
        assert!(server.wait());

        let audit = |arguments: &[&str]| {
            let output = server.run(&[&["audit", "--json"], arguments].concat());
            let text = String::from_utf8(output.stdout).unwrap();
            let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
            lines.collect::<Vec<Value>>()
        };
        let records = audit(&[]);
        let what = |record: &Value| {
            let action = record["action"].as_str().unwrap().to_owned();
            (action, record["status"].as_u64().unwrap())
        };
        let mut actions: Vec<_> = records.iter().map(what).collect();
        // The clocks of two programs may differ by more than the time between their starts.
        actions.sort();
        let expected = [
            ("DELETE /v1/project/{project_uuid}/delete", 200),
            ("GET /v1/projects", 401),
            ("POST /v1/project/new", 200),
            ("POST /v1/project/new", 403),
            ("keys create", 200),
            ("keys create", 200),
            ("keys revoke", 200),
        ];
        assert_eq!(
            actions,
            expected.map(|(action, status)| (action.to_owned(), status))
        );

        let of = |action: &str, status: u64| {
            let mut found = records.iter();
            found
                .find(|record| what(record) == (action.to_owned(), status))
                .unwrap()
        };
        let record = of("POST /v1/project/new", 200);
        assert_eq!(record["account"], "team");
        assert_eq!(record["key"], &client.key[..16]);
        assert_eq!(record["address"], "127.0.0.1");
        assert_eq!(
            (&record["kind"], &record["object"]),
            (&"project".into(), &project.as_str().into())
        );
        assert_eq!(record["request"], created.header("x-request-id").unwrap());
        assert_eq!(
            of("DELETE /v1/project/{project_uuid}/delete", 200)["object"],
            project.as_str()
        );
        assert_eq!(of("POST /v1/project/new", 403)["key"], &reader[..16]);
        assert_eq!(of("GET /v1/projects", 401)["account"], Value::Null);
        assert_eq!(of("keys revoke", 200)["address"], Value::Null);

        let all_but_one = records.len() - 1;
        assert_eq!(
            audit(&["--account", "team", "--since", "1h"]).len(),
            all_but_one
        );
        assert_eq!(audit(&["--limit", "2"]), records[records.len() - 2..]);
        let output = server.run(&["audit", "--account", "team"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), all_but_one);
        assert!(
            text.contains(&format!("project {project}  account team  key tdg_")),
            "{text}"
        );
    }
}

#[test]
fn the_audit_log_names_the_person_whom_a_proxy_names() {
    let schema = Schema::new();
    let options = ["--trusted-proxy", "127.0.0.1", "--person-header", "X-User"];
    for mut server in [
        Server::with(&options),
        Server::on_with(&schema.url, &options),
    ] {
        let client = Client::new(&server.url, &server.key("team"));
        for person in ["grace@example.org", "\u{202e}ecarg"] {
            let fields = [("x-user", person)];
            let created = client.ask("POST", "/v1/project/new", &fields, b"");
            assert_eq!(created.status, 200, "{}", created.text());
        }
        server.terminate();
        assert!(server.wait());
        let audit = |arguments: &[&str]| {
            let output = server.run(&[&["audit"], arguments].concat());
            String::from_utf8(output.stdout).unwrap()
        };
        let records = audit(&["--json"]);
        let records = records
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let made = records.filter(|it: &Value| it["action"] == "POST /v1/project/new");
        let people: Vec<Value> = made.map(|it| it["person"].clone()).collect();
        // A name that would reverse the direction of text is ignored.
        assert_eq!(people, ["grace".into(), Value::Null]);
        assert!(audit(&[]).contains("  by grace  from 127.0.0.1"));
    }
}
