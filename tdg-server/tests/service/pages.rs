//! Responses are bounded in bytes, however much there is, and links lead to all of it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Answer, Client, Postgres, Server};

/// The most bytes of a page.
const PAGE: usize = 8_000_000;

/// A definition of a little less than 1 MB.
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

/// The targets of the links to what comes next, in the list and in its last element.
fn links(answer: &Answer) -> Vec<String> {
    let links = answer.header("link").unwrap_or_default().split(", ");
    let target = |link: &str| Some(link.strip_prefix('<')?.split_once('>')?.0.to_owned());
    links.filter_map(target).collect()
}

/// Every value of that member in a body.
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

/// What the member is anywhere in the responses to a path and to all that it links to; and how many
/// responses that took. None is longer than a page.
fn all(client: &Client, path: &str, member: &str) -> (BTreeSet<String>, usize) {
    let (mut found, mut pages) = (Vec::new(), 0);
    let mut left = vec![path.to_owned()];
    while let Some(path) = left.pop() {
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        let bytes = answer.body.len();
        assert!(bytes <= PAGE, "{path} answers {bytes} bytes");
        values(&answer.json(), member, &mut found);
        left.extend(links(&answer));
        pages += 1;
        assert!(pages <= 100, "{path} goes on and on");
    }
    (found.into_iter().collect(), pages)
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
    let postgres = Postgres::start();
    has_pages_of_large_definitions(&Server::on(&postgres.schema()));
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

/// More ensembles than a list within an object has, with benchmarks in some.
fn has_pages_of_many_ensembles(server: &Server, fill: &dyn Fn(&str)) {
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
    // An element that is deleted between two pages does not end the list.
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
    let file = server.database_file();
    has_pages_of_many_ensembles(&server, &|sql| {
        let connection = rusqlite::Connection::open(&file).unwrap();
        let sql = sql.replace("ID", "randomblob(16)");
        connection.execute_batch(&sql).unwrap();
    });
}

#[test]
fn many_ensembles_come_in_pages_on_postgresql() {
    let postgres = Postgres::start();
    let schema = postgres.schema();
    has_pages_of_many_ensembles(&Server::on(&schema), &|sql| {
        let sql = sql.replace("ID", "gen_random_uuid()");
        postgres.execute(&format!("SET search_path TO s0; {sql}"));
    });
}
