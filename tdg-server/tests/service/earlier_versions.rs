//! Databases that earlier versions wrote (`tests/fixtures/written-by`).

use rusqlite::Connection;
use serde_json::{Value, json};
use tdg_service::record::{RecordKind, SetDigests};
use tdg_service::sync::{HistoryQuestion, Replica, Wanted};
use tdg_service::{Timestamp, Uuid};

use crate::support::{Answer, Client, Schema, Server};

/// A server on such a database, and the answers recorded when it was written.
struct Earlier<'s> {
    server: &'s Server,
    recorded: Value,
}

impl Earlier<'_> {
    fn client(&self, who: &str) -> Client {
        let key = self.recorded["keys"][who].as_str().unwrap();
        Client::new(&self.server.url, key)
    }

    /// Returns the recorded answers to GETs, or to requests with an idempotency key.
    fn all(&self, name: &str) -> impl Iterator<Item = &Value> {
        self.recorded[name].as_array().unwrap().iter()
    }

    /// Returns the recorded answers for paths with this end, each with its path.
    fn answers(&self, end: &str) -> impl Iterator<Item = (&str, &Value)> {
        let at = move |answer: &Value| answer["path"].as_str().unwrap().ends_with(end);
        let found = self.all("answers").filter(move |answer| at(answer));
        found.map(|answer| (answer["path"].as_str().unwrap(), &answer["answer"]))
    }

    /// Returns the path of the benchmark, with or without a policy, with the most assertions.
    fn benchmark(&self, has_policy: bool) -> &str {
        let of_kind = self.all("answers").filter(|answer| {
            let path = answer["path"].as_str().unwrap();
            let benchmark = &answer["answer"];
            path.starts_with("/v1/benchmark/")
                && benchmark["history"].is_array()
                && benchmark.get("policy").is_some_and(Value::is_object) == has_policy
        });
        let most =
            of_kind.max_by_key(|answer| answer["answer"]["history"].as_array().unwrap().len());
        most.unwrap()["path"].as_str().unwrap()
    }
}

/// Runs on a copy of each database. Its idempotency keys, which expire after a day, are renewed.
fn on_each(look: impl Fn(&Earlier<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.db");
    let written = include_bytes!("../../../tests/fixtures/written-by/0.1.0/server.db");
    std::fs::write(&file, written).unwrap();
    let renew = "UPDATE idempotency SET added = unixepoch() * 1000000";
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch(renew).unwrap();
    drop(connection);
    let server = Server::on(&format!("sqlite:{}", file.display()));
    let recorded = include_str!("../../../tests/fixtures/written-by/0.1.0/server.db.json");
    look(&Earlier {
        server: &server,
        recorded: serde_json::from_str(recorded).unwrap(),
    });

    let schema = Schema::new();
    let renew = "UPDATE idempotency SET added = extract(epoch FROM now()) * 1000000";
    let recorded = include_str!("../../../tests/fixtures/written-by/0.1.0/server.sql.json");
    let written = include_str!("../../../tests/fixtures/written-by/0.1.0/server.sql");
    schema.run_script(&format!("{written}{renew};\n"));
    let server = Server::on(&schema.url);
    look(&Earlier {
        server: &server,
        recorded: serde_json::from_str(recorded).unwrap(),
    });
}

/// Returns true if an answer has all members of the recorded one. A later version may add some.
fn holds(recorded: &Value, served: &Value) -> bool {
    match (recorded, served) {
        (Value::Object(members), Value::Object(_)) => members
            .iter()
            .all(|(name, value)| served.get(name).is_some_and(|now| holds(value, now))),
        (Value::Array(values), Value::Array(others)) => {
            let mut pairs = values.iter().zip(others);
            values.len() == others.len() && pairs.all(|(value, other)| holds(value, other))
        }
        _ => recorded == served,
    }
}

#[test]
fn recorded_answers_are_served_unchanged() {
    on_each(|earlier| {
        for asked in earlier.all("answers") {
            let path = asked["path"].as_str().unwrap();
            let answer = earlier.client(asked["who"].as_str().unwrap()).get(path);
            assert_eq!(answer.status, 200, "{path}");
            let (before, now) = (&asked["answer"], answer.json());
            assert!(holds(before, &now), "{path}: {before:#} is now {now:#}");
            assert_eq!(answer.header("etag"), asked["etag"].as_str(), "{path}");
            // A path with a UUID names an object of one account.
            if asked["who"] == "team" && path.contains('-') {
                earlier.client("others").get(path).problem(404);
            }
        }
        let reader = earlier.client("reader");
        reader.post("/v1/project/new", "").problem(403);
        earlier.client("revoked").get("/v1/projects").problem(401);
    });
}

#[test]
fn a_repeated_request_creates_nothing() {
    on_each(|earlier| {
        for asked in earlier.all("repeatable") {
            let text = |name: &str| asked[name].as_str().unwrap();
            let (path, body) = (text("path"), text("body"));
            let json = ("content-type", "application/json");
            let fields = [json, ("idempotency-key", text("once"))];
            let client = earlier.client(text("who"));
            let answer = client.ask("POST", path, &fields, body.as_bytes());
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            // Identifiers, times and names. Lists also have later additions.
            for (name, recorded) in asked["answer"].as_object().unwrap() {
                if recorded.is_string() || recorded.is_boolean() {
                    assert_eq!(&answer.json()[name], recorded, "{path}: {name}");
                }
            }
            if path == "/v1/project/new" {
                client.ask("POST", path, &fields, b"{}").problem(409);
            }
        }
    });
}

/// Sends an assertion.
fn assert_outputs(client: &Client, benchmark: &str, outputs: &Value) -> Answer {
    let body = json!({ "output_to_assert": outputs });
    client.post(&format!("{benchmark}/assert"), &body.to_string())
}

#[test]
fn old_benchmarks_are_asserted_and_their_history_continues() {
    on_each(|earlier| {
        let client = earlier.client("team");
        let benchmark = earlier.benchmark(false);
        let expected = client.get(&format!("{benchmark}/data")).json()["expected_output"].clone();
        let same = assert_outputs(&client, benchmark, &expected).json();
        assert_eq!(
            (&same["asserted"], &same["diff"]),
            (&json!(true), &Value::Null)
        );
        let mut other = expected.clone();
        other[5] = json!("other");
        let changed = assert_outputs(&client, benchmark, &other).json();
        assert_eq!(changed["asserted"], false);
        assert_eq!(changed["diff"]["indices"], json!([5]));
        assert_eq!(changed["diff"]["expected"], json!([expected[5]]));

        let path = format!("{benchmark}/history");
        let history = client.get(&path).json();
        let uuids = [&changed, &same].map(|made| &made["assertion_uuid"]);
        assert_eq!([0, 1].map(|n| &history[n]["assertion_uuid"]), uuids);
        let (_, before) = earlier.answers(&path).next().unwrap();
        assert!(holds(
            before,
            &Value::from(&history.as_array().unwrap()[2..])
        ));

        // Each rule of the policy lets one of these changes pass.
        let benchmark = earlier.benchmark(true);
        let mut outputs =
            client.get(&format!("{benchmark}/data")).json()["expected_output"].clone();
        let price = |output: &Value| output["lines"][0]["price"].as_f64().unwrap();
        for output in outputs.as_array_mut().unwrap() {
            output["id"] = json!("another");
            output["tags"].as_array_mut().unwrap().reverse();
            output["parcels"] = json!(output["parcels"].as_i64().unwrap() + 1);
            output["lines"][0]["price"] = json!(price(output) + 0.25);
        }
        outputs[3] = Value::Null;
        let same = assert_outputs(&client, benchmark, &outputs).json();
        assert_eq!(same["asserted"], true, "{same:#}");
        outputs[4]["lines"][0]["price"] = json!(price(&outputs[4]) + 0.5);
        let changed = assert_outputs(&client, benchmark, &outputs).json();
        assert_eq!(changed["asserted"], false);
    });
}

#[test]
fn old_definitions_draw_the_same_rows_and_old_projects_are_deleted() {
    on_each(|earlier| {
        let client = earlier.client("team");
        // A definition that was accepted then may be refused today.
        let mut drawn = 0;
        for (path, ensembles) in earlier.answers("/ensembles") {
            for ensemble in ensembles.as_array().unwrap() {
                if client.get(path).status == 404 {
                    continue;
                }
                let body = json!({ "size": ensemble["size"], "seed": ensemble["seed"] });
                let again = client.post(&format!("{path}/add"), &body.to_string());
                assert_eq!(again.status, 200, "{path}: {}", again.text());
                assert_eq!(again.json()["digest"], ensemble["digest"], "{path}");
                let data = |ensemble: &Value| {
                    let uuid = ensemble["ensemble_uuid"].as_str().unwrap();
                    client.get(&format!("/v1/ensemble/{uuid}/data")).body
                };
                assert_eq!(data(&again.json()), data(ensemble), "{path}");
                drawn += 1;
            }
        }
        assert!(drawn >= 5);

        let benchmark = client.benchmark();
        let same = assert_outputs(&client, &benchmark, &json!([1])).json();
        assert_eq!(same["asserted"], true);

        let (_, projects) = earlier.answers("/v1/projects").next().unwrap();
        for project in projects.as_array().unwrap() {
            let project = project["project_uuid"].as_str().unwrap();
            let deleted = client.delete(&format!("/v1/project/{project}/delete"));
            assert_eq!(deleted.status, 200);
        }
        for path in [earlier.benchmark(false), earlier.benchmark(true)] {
            client.get(path).problem(404);
        }
        assert_eq!(client.get(&benchmark).status, 200);
        let others = earlier.client("others").get("/v1/projects").json();
        assert_eq!(others.as_array().map(Vec::len), Some(1));
    });
}

#[test]
fn old_objects_are_records_of_their_content() {
    on_each(|earlier| {
        let key = earlier.recorded["keys"]["team"].as_str().unwrap();
        let service = earlier.server.service(key);
        let parts: Vec<u8> = (0..=u8::MAX).collect();
        let mut assertions = 0;
        for project in earlier
            .client("team")
            .get("/v1/projects")
            .json()
            .as_array()
            .unwrap()
        {
            let project = Uuid::try_parse(project["project_uuid"].as_str().unwrap()).unwrap();
            let place = service.replica(project);
            let digests = place.digests().unwrap();
            for (kind, digest) in digests {
                let identities = place.identities(kind, &parts).unwrap();
                let of: SetDigests = identities.iter().copied().collect();
                assert_eq!(of, digest);
                let wanted = identities.iter().map(|&uuid| Wanted::Other(kind, uuid));
                let found = place.records(&wanted.collect::<Vec<_>>()).unwrap();
                // Reading a record checks its identity against its content.
                for (identity, record) in identities.iter().zip(found) {
                    assert_eq!(record.unwrap().uuid(), *identity);
                }
                for &benchmark in identities.iter().filter(|_| kind == RecordKind::Benchmark) {
                    let question = HistoryQuestion {
                        benchmark,
                        since: Timestamp::MIN,
                        listed_from: Timestamp::MIN,
                    };
                    assertions += place.histories(&[question]).unwrap()[0].listed.len();
                }
            }
        }
        assert!(assertions > 2, "{assertions}");
    });
}
