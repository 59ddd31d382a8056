//! The same fault has the same status at all endpoints.

use serde_json::{Value, json};

use crate::support::{Client, Schema, Server};

/// An endpoint that creates an object, and a valid body.
struct Creating {
    path: String,
    body: Value,
}

/// The objects for the endpoints' paths.
struct Objects {
    project: String,
    definition: String,
    ensemble: String,
    benchmark: String,
}

impl Objects {
    fn new(client: &Client) -> Objects {
        let path = client.benchmark();
        let of = client.get(&path);
        let definition = of.string("definition_uuid");
        let project = client
            .get(&format!("/v1/definition/{definition}"))
            .string("project_uuid");
        Objects {
            project,
            definition,
            ensemble: of.string("ensemble_uuid"),
            benchmark: of.string("benchmark_uuid"),
        }
    }

    fn creating(&self) -> Vec<Creating> {
        let Objects {
            project,
            definition,
            ensemble,
            benchmark,
        } = self;
        let feature = json!({"type": "INTEGER", "distribution": {"type": "constant", "value": 1}});
        let new = json!({"project_uuid": project, "definition": {"features": [feature]}});
        let benchmarks = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks");
        let creating = [
            ("/v1/project/new".to_owned(), json!({"project_name": "a"})),
            ("/v1/definition/new".to_owned(), new.clone()),
            ("/v1/definition/add".to_owned(), new),
            (
                format!("/v1/definition/{definition}/ensembles/add"),
                json!({"ensemble_name": "a", "size": 1, "seed": 1}),
            ),
            (
                format!("{benchmarks}/add"),
                json!({"expected_output": [1], "policy": {}}),
            ),
            (
                format!("/v1/benchmark/{benchmark}/assert"),
                json!({"output_to_assert": [1]}),
            ),
        ];
        let creating = creating.into_iter();
        creating
            .map(|(path, body)| Creating { path, body })
            .collect()
    }

    /// Returns the paths of everything that is looked up by identifier.
    fn found(&self) -> Vec<String> {
        let Objects {
            project,
            definition,
            ensemble,
            benchmark,
        } = self;
        vec![
            format!("/v1/project/{project}"),
            format!("/v1/definition/{definition}"),
            format!("/v1/definition/{definition}/ensembles"),
            format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks"),
            format!("/v1/ensemble/{ensemble}"),
            format!("/v1/ensemble/{ensemble}/data"),
            format!("/v1/benchmark/{benchmark}"),
            format!("/v1/benchmark/{benchmark}/data"),
            format!("/v1/benchmark/{benchmark}/history"),
        ]
    }

    /// Returns the path with the last identifier replaced.
    fn about(&self, path: &str, uuid: &str) -> String {
        let ids = [
            &self.project,
            &self.definition,
            &self.ensemble,
            &self.benchmark,
        ];
        let last = ids.into_iter().rfind(|id| path.contains(*id));
        last.map_or(path.to_owned(), |last| path.replace(last, uuid))
    }
}

const UNKNOWN: &str = "6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10";
const JSON: (&str, &str) = ("content-type", "application/json");

fn bodies(client: &Client, objects: &Objects) {
    for Creating { path, body } in objects.creating() {
        let whole = body.to_string();
        let is = |status: u16, fields: &[(&str, &str)], body: &[u8]| {
            let answer = client.ask("POST", &path, fields, body);
            let text = String::from_utf8_lossy(body);
            assert_eq!(answer.status, status, "{path} {fields:?} {text}");
            if status != 200 {
                answer.problem(status);
            }
        };
        let sent = |status, body: &str| is(status, &[JSON], body.as_bytes());
        sent(200, &whole);
        is(200, &[], whole.as_bytes());
        for media in ["text/plain", "application/x-www-form-urlencoded", "a"] {
            is(415, &[("content-type", media)], whole.as_bytes());
        }
        is(415, &[JSON, ("content-encoding", "br")], whole.as_bytes());
        is(400, &[JSON, ("content-encoding", "gzip")], whole.as_bytes());
        is(400, &[JSON, ("idempotency-key", "a b")], whole.as_bytes());
        for text in [
            "{",
            "[1",
            "nonsense",
            "{}{}",
            "{\"a\":1,\"a\":1}",
            "\u{feff}{}",
        ] {
            sent(400, text);
        }
        is(400, &[JSON], b"{\"\xff\":1}");
        for text in ["[]", "\"a\"", "1", "null", "true"] {
            sent(422, text);
        }
        let with = |member: &str, value: Value| {
            let mut body = body.clone();
            body[member] = value;
            body.to_string()
        };
        sent(422, &with("unknown", json!(1)));
        for member in body.as_object().unwrap().keys() {
            for wrong in [json!(true), json!({"a": 1}), json!(1.5)] {
                sent(422, &with(member, wrong));
            }
        }
    }
}

fn identifiers(client: &Client, objects: &Objects) {
    for (uuid, status) in [
        (UNKNOWN, 404),
        ("0", 404),
        ("%00", 404),
        ("6F0C1C1E0D3A4C3B9D560F1F2A7C9B10", 422),
    ] {
        for path in objects.found() {
            client.get(&objects.about(&path, uuid)).problem(status);
        }
        for Creating { path, body } in objects.creating() {
            let about = objects.about(&path, uuid);
            if about != path {
                client.post(&about, &body.to_string()).problem(status);
            }
        }
        for kind in ["project", "definition", "ensemble", "benchmark"] {
            client
                .delete(&format!("/v1/{kind}/{uuid}/delete"))
                .problem(status);
        }
    }
}

/// Checks parameters of pages. Unknown ones are refused too.
fn pages(client: &Client, objects: &Objects) {
    let mut paths = objects.found();
    paths.extend(["/v1/projects".to_owned(), "/v1/definitions".to_owned()]);
    let cursors = [
        "",
        "1",
        "1.x",
        "x.y",
        "~",
        "1.6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10~",
    ];
    let cursors = cursors.map(|cursor| format!("cursor={cursor}"));
    let limits = ["", "0", "1001", "ten", "-1", "1.5"].map(|limit| format!("limit={limit}"));
    for path in paths {
        for query in cursors.iter().chain(&limits) {
            client.get(&format!("{path}?{query}")).problem(422);
        }
        client.get(&format!("{path}?unknown=1")).problem(422);
    }
}

fn deletions(client: &Client, objects: &Objects) {
    let Objects {
        project,
        definition,
        ensemble,
        benchmark,
    } = objects;
    for (kind, uuid) in [
        ("benchmark", benchmark),
        ("ensemble", ensemble),
        ("definition", definition),
        ("project", project),
    ] {
        let answer = client.delete(&format!("/v1/{kind}/{uuid}/delete"));
        let expected = format!(r#"{{"{kind}_uuid":"{uuid}"}}"#);
        assert_eq!((answer.status, answer.text()), (200, &*expected));
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
}

#[test]
fn a_fault_has_the_same_status_everywhere() {
    let schema = Schema::new();
    for server in [Server::start(), Server::on(&schema.url)] {
        let client = server.client();
        let objects = Objects::new(&client);
        bodies(&client, &objects);
        identifiers(&client, &objects);
        pages(&client, &objects);
        deletions(&client, &objects);
    }
}

#[test]
fn a_feature_that_was_fetched_can_be_posted_again() {
    let server = Server::start();
    let client = server.client();
    let objects = Objects::new(&client);
    let fetched = client.get(&format!("/v1/definition/{}", objects.definition));
    let features = fetched.json()["features"].clone();
    let body = json!({"project_uuid": objects.project, "definition": {"features": features}});
    let made = client.post("/v1/definition/new", &body.to_string());
    assert_eq!(made.status, 200, "{}", made.text());
    let replaced = |member: &str| made.json()["features"][0][member] != features[0][member];
    assert!(replaced("feature_uuid") && replaced("added"));
}
