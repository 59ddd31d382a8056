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
