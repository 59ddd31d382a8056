//! No query of PostgreSQL reads a whole table.

use tdg_engine::Verdict;

use crate::support::{Browser, Client, History, Postgres, Server};

/// Enough data of other accounts to make reading all of it the slower way.
const OTHERS: &str = "
    SET search_path TO s0;
    INSERT INTO project SELECT 1, gen_random_uuid(), n, '' FROM generate_series(1, 3000) n;
    INSERT INTO definition SELECT 1, gen_random_uuid(), uuid, added, uuid, 2, '{}' FROM project;
    INSERT INTO ensemble
        SELECT 1, gen_random_uuid(), uuid, added, '', 1, 0, 1, '', uuid, 0 FROM definition;
    INSERT INTO packed_rows SELECT 1, uuid, '' FROM ensemble;
    INSERT INTO benchmark
        SELECT 1, gen_random_uuid(), uuid, definition, added, '', NULL, uuid, 3, 0 FROM ensemble;
    INSERT INTO record SELECT 1, uuid, 'test', gen_random_uuid(), NULL, '{}' FROM project;
    INSERT INTO outputs SELECT 1, uuid, '[1]' FROM benchmark;
    INSERT INTO assertion
        SELECT 1, uuid, added, gen_random_uuid(), true FROM benchmark, generate_series(1, 10);
    INSERT INTO deletion (account, uuid, object, kind, deleted, bytes)
        SELECT 1, uuid, uuid, 'ensemble', 9e18::bigint, 0 FROM ensemble;
    INSERT INTO deleted_project SELECT *, uuid FROM project;
    INSERT INTO deleted_record (account, project, kind, uuid, body, deletion)
        SELECT account, project, kind, uuid, body, uuid FROM record;
    INSERT INTO deleted_definition SELECT *, uuid FROM definition;
    INSERT INTO deleted_ensemble SELECT *, uuid FROM ensemble;
    INSERT INTO deleted_benchmark SELECT *, uuid FROM benchmark;
    INSERT INTO webhook SELECT 1, uuid, '', '', 0 FROM project;
    INSERT INTO delivery (account, uuid, webhook, body, added, due, attempts)
        SELECT 1, uuid, uuid, '', 9e18::bigint, 9e18::bigint, 0 FROM project;
    INSERT INTO delivery (account, uuid, webhook, body, added, attempts)
        SELECT 1, gen_random_uuid(), uuid, '', 9e18::bigint, 0 FROM project;
    INSERT INTO tombstone SELECT 1, gen_random_uuid(), 'project', 0 FROM project;
    INSERT INTO audit (account, at, uuid, action, status)
        SELECT 1, (EXTRACT(epoch FROM now()) * 1000000)::bigint, uuid, '', 200 FROM project;
    INSERT INTO idempotency (account, key, fingerprint, made, added)
        SELECT 1, uuid::text, '', uuid, (EXTRACT(epoch FROM now()) * 1000000)::bigint FROM project;
    ANALYZE;";

/// Creates one of each object, reads it again, and then lists everything.
fn work(client: &Client) {
    let create = |path: &str, body: &str, uuid: &str| {
        let fields = [
            ("content-type", "application/json"),
            ("idempotency-key", path),
        ];
        let create = || client.ask("POST", path, &fields, body.as_bytes());
        let created = create().string(uuid);
        assert_eq!(create().string(uuid), created);
        created
    };
    let project = create("/v1/project/new", "{}", "project_uuid");
    let constant = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
    let definition =
        format!(r#"{{"project_uuid":"{project}","definition":{{"features":[{constant}]}}}}"#);
    let definition = create("/v1/definition/new", &definition, "definition_uuid");
    let ensembles = format!("/v1/definition/{definition}/ensembles");
    let ensemble = create(
        &format!("{ensembles}/add"),
        r#"{"size":1}"#,
        "ensemble_uuid",
    );
    let benchmarks = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks");
    let expected = r#"{"expected_output":[1]}"#;
    let benchmark = create(&format!("{benchmarks}/add"), expected, "benchmark_uuid");
    let benchmark = format!("/v1/benchmark/{benchmark}");
    for output in [1, 2] {
        let output = format!(r#"{{"output_to_assert":[{output}]}}"#);
        client.post(&format!("{benchmark}/assert"), &output);
    }
    let output = r#"{"output_to_assert":[1]}"#;
    create(&format!("{benchmark}/assert"), output, "assertion_uuid");
    for path in [
        "/v1/projects",
        &format!("/v1/project/{project}"),
        "/v1/definitions",
        &format!("/v1/definition/{definition}"),
        &ensembles,
        &format!("/v1/ensemble/{ensemble}"),
        &format!("/v1/ensemble/{ensemble}/data"),
        &benchmarks,
        &benchmark,
        &format!("{benchmark}/data"),
        &format!("{benchmark}/history"),
    ] {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
    let sync = |what: &str, body: &str| {
        let answer = client.post(&format!("/v1/sync/{project}/{what}"), body);
        assert_eq!(answer.status, 200, "{what}");
        answer.json()
    };
    let digests = client.get(&format!("/v1/sync/{project}/digests")).json();
    for (kind, parts) in digests["digests"].as_object().unwrap() {
        let parts: Vec<&String> = parts.as_object().unwrap().keys().collect();
        let body = format!(r#"{{"kind":"{kind}","parts":[{}]}}"#, parts[0]);
        let found = sync("identities", &body);
        let uuid = found["identities"][0].as_str().unwrap();
        let body = format!(r#"{{"kind":"{kind}","identities":["{project}","{uuid}"]}}"#);
        sync("missing", &body);
        let body = format!(r#"{{"wanted":[{{"kind":"{kind}","uuid":"{uuid}"}}]}}"#);
        let found = sync("records", &body);
        sync("add", &found.to_string());
        let since = "0001-01-01 00:00:00.000000";
        let question =
            format!(r#"{{"benchmark":"{uuid}","since":"{since}","listed_from":"{since}"}}"#);
        let found = sync("histories", &format!(r#"{{"questions":[{question}]}}"#));
        for entry in found["histories"][0]["listed"].as_array().unwrap() {
            let wanted = serde_json::json!({
                "kind": "assertion", "benchmark": uuid, "time": entry[0], "uuid": entry[1]
            });
            let found = sync("records", &format!(r#"{{"wanted":[{wanted}]}}"#));
            assert!(found["records"][0].is_object(), "{wanted}");
            sync("add", &found.to_string());
        }
    }
    client.delete(&format!("{benchmark}/delete"));
    client.delete(&format!("/v1/ensemble/{ensemble}/delete"));
    client.delete(&format!("/v1/definition/{definition}/delete"));
    let deleted = client.delete(&format!("/v1/project/{project}/delete"));
    assert_eq!(deleted.status, 200);
}

/// Reads every page about a test.
fn look(server: &Server, key: &str) {
    let history = History::push(server, key, "shop", &[Verdict::Same, Verdict::Changed]);
    let browser = Browser::signed_in(server, key);
    let test = format!("/project/{}/test/{}", history.project, history.test);
    for path in [
        "/",
        &format!("/project/{}", history.project),
        &test,
        &format!("{test}/run/{}", history.runs[0]),
        &format!("/definition/{}", history.definition),
        &format!("/ensemble/{}", history.ensemble),
        &format!("/benchmark/{}", history.benchmarks[0]),
        "/keys",
        "/audit",
        "/search?for=shop",
    ] {
        assert_eq!(browser.get(path).status, 200, "{path}");
    }
}

#[test]
fn no_request_reads_a_whole_table() {
    let postgres = Postgres::start();
    let database = postgres.schema();
    let key = Server::on(&database).key("team");
    // A connection reports its statistics when it ends, at the latest.
    let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tdg-server'";
    postgres.wait_for(connections, "0");
    postgres.execute(OTHERS);
    postgres.execute("SELECT pg_stat_reset()");
    let server = Server::on(&database);
    work(&Client::new(&server.url, &key));
    look(&server, &key);
    drop(server);
    postgres.wait_for(connections, "0");
    let read = "SELECT relname, seq_scan FROM pg_stat_user_tables
         WHERE seq_scan > 0 AND relname NOT IN ('account', 'api_key', 'garbage', 'session')
             AND relname NOT LIKE 'tdg_version%'";
    assert_eq!(postgres.query(read), "");
}
