//! Checks docs/reference/http.md: its requests are sent in order, and answered as it says.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Server, command};

const PAGE: &str = include_str!("../../../docs/reference/http.md");

/// Returns the page's code blocks in pairs: a request and its answer.
fn examples() -> Vec<(&'static str, &'static str)> {
    let blocks: Vec<_> = PAGE.split("```").skip(1).step_by(2).collect();
    let block = |text: &'static str| text.strip_prefix("http\n").unwrap().trim();
    blocks
        .chunks(2)
        .map(|pair| (block(pair[0]), block(pair[1])))
        .collect()
}

fn head_and_body(block: &str) -> (&str, &str) {
    block.split_once("\n\n").unwrap_or((block, ""))
}

/// Maps names on the page to names of this run.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    /// Replaces the page's names in a text with this run's.
    fn apply(&self, text: &str) -> String {
        let apply = |text: String, (page, ours): (&String, &String)| text.replace(page, ours);
        self.0.iter().fold(text.to_owned(), apply)
    }

    /// Returns true if the answer matches the page's, and learns the new names.
    fn agree(&mut self, page: &Value, ours: &Value) -> bool {
        match (page, ours) {
            (Value::Object(page), Value::Object(ours)) => {
                page.keys().eq(ours.keys())
                    && page.iter().all(|(key, page)| self.agree(page, &ours[key]))
            }
            (Value::Array(page), Value::Array(ours)) => {
                page.len() == ours.len()
                    && page
                        .iter()
                        .zip(ours)
                        .all(|(page, ours)| self.agree(page, ours))
            }
            (Value::String(page), Value::String(ours)) => self.agree_text(page, ours),
            _ => page == ours,
        }
    }

    fn agree_text(&mut self, page: &str, ours: &str) -> bool {
        if is_uuid(page) && is_uuid(ours) {
            return self
                .0
                .entry(page.to_owned())
                .or_insert_with(|| ours.to_owned())
                == ours;
        }
        if [page, ours].iter().all(|text| text.starts_with("tdg_")) {
            return page.len() == ours.len();
        }
        if is_time(page) {
            return shape(page) == shape(ours);
        }
        self.apply(page) == ours
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text
            .chars()
            .all(|char| char.is_ascii_hexdigit() || char == '-')
}

fn is_time(text: &str) -> bool {
    text.ends_with(" GMT") || (text.len() == 26 && text.as_bytes()[4] == b'-')
}

/// Replaces digits and letters, keeping their places.
fn shape(time: &str) -> String {
    let kind = |char: char| match char {
        '0'..='9' => '0',
        char if char.is_ascii_alphabetic() => 'a',
        char => char,
    };
    time.chars().map(kind).collect()
}

#[test]
fn every_request_of_the_page_is_answered_as_it_says() {
    let server = Server::start();
    let client = server.client();
    let mut names = Names::default();
    for (request, expected) in examples() {
        let (line, body) = head_and_body(request);
        let (method, path) = line.split_once(' ').unwrap();
        let (path, body) = (names.apply(path), names.apply(body));
        let answer = match method {
            "GET" => client.get(&path),
            "POST" => client.post(&path, &body),
            "DELETE" => client.delete(&path),
            other => panic!("{other}"),
        };
        let (status, body) = head_and_body(expected);
        assert_eq!(
            answer.status.to_string(),
            status,
            "{request}\n{}",
            answer.text()
        );
        if body.is_empty() {
            assert_eq!(answer.text(), "", "{request}");
        } else {
            let page: Value = serde_json::from_str(body).unwrap();
            let agrees = names.agree(&page, &answer.json());
            assert!(agrees, "{request}\nis answered with\n{:#}", answer.json());
        }
    }
}

#[test]
fn the_page_has_every_endpoint() {
    let server = Server::start();
    let document = server.client().get("/openapi.json").json();
    for path in document["paths"].as_object().unwrap().keys() {
        let written = path.replace('{', "<").replace('}', ">");
        let asked = examples().iter().any(|(request, _)| {
            let path = request
                .split(' ')
                .nth(1)
                .unwrap()
                .split(['?', '\n'])
                .next()
                .unwrap();
            let words: Vec<_> = path
                .split('/')
                .map(|word| if is_uuid(word) { "*" } else { word })
                .collect();
            let ours = written
                .split('/')
                .map(|word| if word.starts_with('<') { "*" } else { word });
            words.into_iter().eq(ours)
        });
        assert!(asked, "docs/reference/http.md has no request of {written}");
    }
}

#[test]
fn the_help_and_the_page_say_alike_when_old_assertions_go() {
    const PAGE: &str = include_str!("../../../docs/how-to/operating.md");
    let folder = tempfile::tempdir().unwrap();
    let help = command(folder.path(), "sqlite:tdg.db")
        .arg("--help")
        .output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        help.contains("older ones are removed once they are a week old"),
        "{help}"
    );
    assert!(
        PAGE.contains("older ones are [pruned](#deletion-and-retention) once they are a week old")
    );
}
