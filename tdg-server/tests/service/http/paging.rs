//! Responses have a maximum size, and links lead to the rest.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Answer, Client, Postgres, Schema, Server};

/// The maximum size of a page, in bytes.
const PAGE: usize = 8_000_000;

/// Returns a definition of a little less than 1 MB.
fn large_definition(project: &str, name: usize) -> String {
    let value = "x".repeat(60_000);
    let feature = |index| {
        format!(
            r#"{{"feature_name":"f{index}","type":"STRING","distribution":{{"type":"constant","value":"{value}"}}}}"#
        )
    };
    let features: Vec<String> = (0..16).map(feature).collect();
    let features = features.join(",");
    format!(
        r#"{{"project_uuid":"{project}","definition":{{"definition_name":"{name}","features":[{features}]}}}}"#
    )
}

fn new_project(client: &Client) -> String {
    client.post("/v1/project/new", "").string("project_uuid")
}

/// Returns the targets of the links to the rest of the list, and of its last element.
fn links(answer: &Answer) -> Vec<String> {
    let links = answer.headers.iter().filter(|(name, _)| name == "link");
    let target =
        |(_, link): &(String, String)| Some(link.strip_prefix('<')?.split_once('>')?.0.to_owned());
    links.filter_map(target).collect()
}

/// Collects every value of a member in a body.
fn values(body: &Value, member: &str, found: &mut Vec<String>) {
    match body {
        Value::Object(members) => {
            found.extend(
                members
                    .get(member)
                    .and_then(Value::as_str)
                    .map(str::to_owned),
            );
            members
                .values()
                .for_each(|value| values(value, member, found));
        }
        Value::Array(elements) => elements
            .iter()
            .for_each(|value| values(value, member, found)),
        _ => {}
    }
}

/// Returns the values of a member in the responses to a path and all linked ones, and the number of
/// responses. None is longer than a page.
fn all(client: &Client, path: &str, member: &str) -> (BTreeSet<String>, usize) {
    let (found, paths) = each(client, path, member);
    (found.into_iter().collect(), paths.len())
}

/// Returns the values with duplicates, and the requested paths.
fn each(client: &Client, path: &str, member: &str) -> (Vec<String>, Vec<String>) {
    let (mut found, mut asked) = (Vec::new(), Vec::new());
    let mut left = vec![path.to_owned()];
    while let Some(path) = left.pop() {
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        let bytes = answer.body.len();
        assert!(bytes <= PAGE, "{path} answers {bytes} bytes");
        values(&answer.json(), member, &mut found);
        left.extend(links(&answer));
        asked.push(path);
        assert!(asked.len() <= 100, "{asked:?} goes on and on");
    }
    (found, asked)
}

/// Runs a statement, with a new identifier for `ID`.
type Fill<'a> = &'a dyn Fn(&str);

fn fill_sqlite(server: &Server) -> impl Fn(&str) {
    let connection = rusqlite::Connection::open(server.database_file()).unwrap();
    move |sql| {
        let sql = sql.replace("ID", "randomblob(16)");
        connection.execute_batch(&sql).unwrap();
    }
}

fn fill_postgresql(schema: &Schema) -> impl Fn(&str) {
    |sql| schema.execute(&sql.replace("ID", "gen_random_uuid()"))
}

fn has_pages_of_large_definitions(server: &Server) {
    const DEFINITIONS: usize = 12;
    let client = server.client();
    let project = new_project(&client);
    let create = |name| {
        let definition = large_definition(&project, name);
        let made = client.post("/v1/definition/new", &definition);
        made.string("definition_uuid")
    };
    let made: BTreeSet<String> = (0..DEFINITIONS).map(create).collect();
    let project = &format!("/v1/project/{project}");
    for path in ["/v1/definitions", "/v1/projects", project] {
        let (found, pages) = all(&client, path, "definition_uuid");
        assert_eq!(found, made, "{path}");
        assert!(pages >= 2, "{path}");
    }
}

#[test]
fn large_definitions_come_in_pages_on_sqlite() {
    has_pages_of_large_definitions(&Server::start());
}

#[test]
fn large_definitions_come_in_pages_on_postgresql() {
    let schema = Schema::new();
    has_pages_of_large_definitions(&Server::on(&schema.url));
}

#[test]
fn a_definition_from_before_a_lower_limit_remains_usable() {
    let folder = tempfile::tempdir().unwrap();
    let database = &format!("sqlite:{}", folder.path().join("tdg.db").display());
    let server = Server::on(database);
    let project = new_project(&server.client());
    let large = large_definition(&project, 1);
    let made = server.client().post("/v1/definition/new", &large);
    let definition = made.string("definition_uuid");
    drop(server);

    let server = Server::on_with(database, &["--max-definition", "1000"]);
    let client = server.client();
    let refused = client.post("/v1/definition/new", &large).problem(413);
    assert!(
        refused.ends_with("and this server takes at most 1000 (`--max-definition`)"),
        "{refused}"
    );
    let path = format!("/v1/definition/{definition}");
    assert_eq!(
        client.get(&path).json()["features"],
        made.json()["features"]
    );
    let listed = client.get("/v1/definitions").json();
    assert_eq!(listed[0]["definition_uuid"], definition.as_str());
    let drawn = client.post(&format!("{path}/ensembles/add"), r#"{"size":2}"#);
    assert_eq!(drawn.json()["size"], 2);
}

#[test]
fn a_definition_has_at_most_a_megabyte() {
    let server = Server::start();
    let client = server.client();
    let project = new_project(&client);
    let value = "x".repeat(60_000);
    let feature = |name: usize| {
        format!(
            r#"{{"feature_name":"{name}","type":"STRING","distribution":{{"type":"constant","value":"{value}"}}}}"#
        )
    };
    let features: Vec<String> = (0..17).map(feature).collect();
    let features = features.join(",");
    let body =
        format!(r#"{{"project_uuid":"{project}","definition":{{"features":[{features}]}}}}"#);
    client.post("/v1/definition/new", &body).problem(413);
}

/// Checks more ensembles than a nested list shows, some with benchmarks.
fn has_pages_of_many_ensembles(server: &Server, fill: Fill<'_>) {
    let client = server.client();
    let benchmark = client.get(&client.benchmark());
    let definition = benchmark.string("definition_uuid");
    fill(
        "INSERT INTO ensemble (account, uuid, definition, added, name, size, seed,
             sampler_version, digest, bytes)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         SELECT account, ID, definition, added + i / 2, name, size, seed, sampler_version,
             digest, bytes FROM ensemble, n",
    );
    for path in [
        format!("/v1/definition/{definition}/ensembles"),
        format!("/v1/definition/{definition}"),
        "/v1/definitions".to_owned(),
        "/v1/projects".to_owned(),
    ] {
        let (found, pages) = all(&client, &path, "ensemble_uuid");
        assert_eq!((found.len(), pages), (2501, 3), "{path}");
    }
    // If an element is deleted between two pages, the list continues.
    let path = format!("/v1/definition/{definition}");
    let first = client.get(&path);
    let last = first.json()["ensembles"][999]["ensemble_uuid"].clone();
    let last = last.as_str().unwrap();
    client.delete(&format!("/v1/ensemble/{last}/delete"));
    let (rest, _) = all(&client, &links(&first)[0], "ensemble_uuid");
    assert_eq!(rest.len(), 1501);
}

#[test]
fn many_ensembles_come_in_pages_on_sqlite() {
    let server = Server::start();
    has_pages_of_many_ensembles(&server, &fill_sqlite(&server));
}

#[test]
fn many_ensembles_come_in_pages_on_postgresql() {
    let schema = Schema::new();
    let server = Server::on(&schema.url);
    has_pages_of_many_ensembles(&server, &fill_postgresql(&schema));
}

/// Checks two definitions of three ensembles of 200 benchmarks, each with a policy of 15 KB.
fn has_pages_of_long_benchmarks(server: &Server, fill: Fill<'_>) {
    const ENSEMBLES: usize = 6;
    const BENCHMARKS: usize = 200;
    let client = server.client();
    let project = new_project(&client);
    let mut ensembles = Vec::new();
    for _ in 0..2 {
        let feature = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
        let body =
            format!(r#"{{"project_uuid":"{project}","definition":{{"features":[{feature}]}}}}"#);
        let made = client.post("/v1/definition/new", &body);
        let definition = format!("/v1/definition/{}", made.string("definition_uuid"));
        for _ in 0..3 {
            let made = client.post(&format!("{definition}/ensembles/add"), r#"{"size":1}"#);
            let ensemble = made.string("ensemble_uuid");
            let benchmarks = format!("{definition}/ensemble/{ensemble}/benchmarks");
            let policy = format!(r#"{{"ignore":["/{}"]}}"#, "x".repeat(15_000));
            let body = format!(r#"{{"expected_output":[1],"policy":{policy}}}"#);
            let made = client.post(&format!("{benchmarks}/add"), &body);
            assert_eq!(made.status, 200, "{}", made.text());
            ensembles.push((ensemble, benchmarks, definition.clone()));
        }
    }
    fill(&format!(
        "INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest, policy, bytes,
             changes)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {BENCHMARKS})
         SELECT account, ID, ensemble, definition, added + i / 2, digest, policy, bytes, changes
         FROM benchmark, n WHERE i < {BENCHMARKS}"
    ));
    let project = format!("/v1/project/{project}");
    let mut known = BTreeSet::new();
    for (ensemble, list, _) in &ensembles {
        let (listed, _) = each(&client, list, "benchmark_uuid");
        let (within, _) = each(
            &client,
            &format!("/v1/ensemble/{ensemble}"),
            "benchmark_uuid",
        );
        assert_eq!(listed, within);
        known.extend(listed);
    }
    assert_eq!(known.len(), ENSEMBLES * BENCHMARKS);
    let (_, _, definition) = &ensembles[0];
    for (path, has, levels) in [
        ("/v1/projects", ENSEMBLES, 3),
        (&project, ENSEMBLES, 3),
        ("/v1/definitions", ENSEMBLES, 2),
        (definition, ENSEMBLES / 2, 2),
        (&format!("{definition}/ensembles"), ENSEMBLES / 2, 1),
    ] {
        let (found, asked) = each(&client, path, "benchmark_uuid");
        assert_eq!(found.len(), has * BENCHMARKS, "{path}");
        let found: BTreeSet<_> = found.into_iter().collect();
        assert_eq!(found.len(), has * BENCHMARKS, "{path}");
        assert!(found.is_subset(&known), "{path}");
        assert!(asked.len() > 1, "{path}");
        let deepest = asked.iter().map(|path| path.matches('~').count() + 1).max();
        assert_eq!(deepest, Some(levels), "{asked:?}");
    }
}

#[test]
fn benchmarks_are_cut_where_the_bytes_end_on_sqlite() {
    let server = Server::start();
    has_pages_of_long_benchmarks(&server, &fill_sqlite(&server));
}

#[test]
fn benchmarks_are_cut_where_the_bytes_end_on_postgresql() {
    let schema = Schema::new();
    let server = Server::on(&schema.url);
    has_pages_of_long_benchmarks(&server, &fill_postgresql(&schema));
}

/// Checks more assertions than a benchmark shows.
fn says_that_a_history_goes_on(server: &Server, fill: Fill<'_>) {
    const ASSERTIONS: usize = 130;
    let client = server.client();
    let benchmark = client.benchmark();
    let of = client.get(&benchmark);
    assert_eq!(of.json()["history_complete"], true);
    assert!(links(&of).is_empty());
    client.post(
        &format!("{benchmark}/assert"),
        r#"{"output_to_assert":[1]}"#,
    );
    fill(&format!(
        "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ASSERTIONS})
         SELECT account, benchmark, timestamp + i / 3, ID, asserted FROM assertion, n
         WHERE i < {ASSERTIONS}"
    ));
    // The second response may come from the cache.
    for _ in 0..2 {
        let shown = client.get(&benchmark);
        assert_eq!(shown.json()["history"].as_array().unwrap().len(), 100);
        assert_eq!(shown.json()["history_complete"], false);
        let (found, asked) = each(&client, &benchmark, "assertion_uuid");
        let (history, _) = each(&client, &format!("{benchmark}/history"), "assertion_uuid");
        assert_eq!(found, history);
        assert_eq!((found.len(), asked.len()), (ASSERTIONS, 2));
    }
    let [definition, ensemble] =
        ["definition_uuid", "ensemble_uuid"].map(|member| of.string(member));
    let list = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks");
    let listed = client.get(&list).json();
    assert_eq!(listed[0]["history"].as_array().unwrap().len(), 10);
    assert_eq!(listed[0]["history_complete"], false);
}

#[test]
fn a_benchmark_says_that_its_history_goes_on_on_sqlite() {
    let server = Server::start();
    says_that_a_history_goes_on(&server, &fill_sqlite(&server));
}

#[test]
fn a_benchmark_says_that_its_history_goes_on_on_postgresql() {
    let schema = Schema::new();
    let server = Server::on(&schema.url);
    says_that_a_history_goes_on(&server, &fill_postgresql(&schema));
}

/// Checks runs whose data fills slightly more than a page.
fn has_pages_of_long_runs(server: &Server, fill: Fill<'_>) {
    const RUNS: usize = 300;
    let client = server.client();
    let benchmark = client.benchmark();
    client.post(
        &format!("{benchmark}/assert"),
        r#"{"output_to_assert":[1]}"#,
    );
    let run = serde_json::json!({
        "test": "fdb1bbfa-dd07-899f-9722-dce6b7cee5c7", "verdict": "same", "cases": 1,
        "changed": 0, "branch": "x".repeat(60_000)
    });
    fill(&format!(
        "INSERT INTO assertion (account, benchmark, timestamp, uuid, asserted, run)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {RUNS})
         SELECT account, benchmark, timestamp + i / 2, ID, asserted, '{run}' FROM assertion, n"
    ));
    let history = format!("{benchmark}/history");
    let (found, asked) = each(&client, &history, "assertion_uuid");
    assert_eq!((found.len(), asked.len()), (RUNS + 1, 3));
    let distinct: BTreeSet<_> = found.into_iter().collect();
    assert_eq!(distinct.len(), RUNS + 1);
    let few = client.get(&format!("{history}?limit=2"));
    assert_eq!(few.json().as_array().unwrap().len(), 2);
    assert_eq!(links(&few).len(), 1);
}

#[test]
fn a_page_of_long_runs_ends_where_the_bytes_do_on_sqlite() {
    let server = Server::start();
    has_pages_of_long_runs(&server, &fill_sqlite(&server));
}

#[test]
fn a_page_of_long_runs_ends_where_the_bytes_do_on_postgresql() {
    let schema = Schema::new();
    let server = Server::on(&schema.url);
    has_pages_of_long_runs(&server, &fill_postgresql(&schema));
}

/// The first project has one of each object; the others have similar ones in other numbers.
const MANY: &str = "
    INSERT INTO project
        SELECT account, md5('project ' || n)::uuid, added + n, name
        FROM project, generate_series(2, 1000) n;
    INSERT INTO definition (account, uuid, project, added, bytes, text)
        SELECT account, md5('definition ' || n)::uuid, md5('project ' || n)::uuid, added + n, bytes,
            text
        FROM definition, generate_series(2, 1000) n;
    INSERT INTO ensemble (account, uuid, definition, added, name, size, seed, sampler_version,
            digest, bytes)
        SELECT account, md5('ensemble ' || n || ' ' || m)::uuid, md5('definition ' || n)::uuid,
            added + m, name, size, seed, sampler_version, digest, bytes
        FROM ensemble, generate_series(2, 1000) n, generate_series(1, n % 4) m;
    INSERT INTO benchmark (account, uuid, ensemble, definition, added, digest, bytes, changes)
        SELECT account, md5('benchmark ' || n || ' ' || m)::uuid,
            md5('ensemble ' || n || ' ' || m)::uuid, md5('definition ' || n)::uuid, added, digest,
            bytes, changes
        FROM benchmark, generate_series(2, 1000) n, generate_series(1, n % 4) m WHERE m <> 2;";

#[test]
fn a_list_takes_a_few_statements_however_many_lists_are_within() {
    let postgres = Postgres::logging();
    let server = Server::on(&postgres.schema());
    let client = server.client();
    client.benchmark();
    postgres.execute(&format!("SET search_path TO s0; {MANY}"));
    for path in ["/v1/projects", "/v1/definitions"] {
        let before = postgres.statements().len();
        let (definitions, _) = each(&client, path, "definition_uuid");
        let after = postgres.statements().len();
        let (ensembles, _) = all(&client, path, "ensemble_uuid");
        let (benchmarks, pages) = all(&client, path, "benchmark_uuid");
        let definitions: BTreeSet<_> = definitions.into_iter().collect();
        let found = (definitions.len(), ensembles.len(), benchmarks.len(), pages);
        assert_eq!(found, (1000, 1500, 1000, 1), "{path}");
        assert!(after - before < 60, "{path}: {} statements", after - before);
    }
}
