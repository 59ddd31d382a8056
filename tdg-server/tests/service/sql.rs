//! Checks that docs/reference/sql.md lists exactly the SQL that is sent to PostgreSQL.

use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::Path;

use tdg_service::record::{Record, RecordKind};
use tdg_service::sync::{HistoryQuestion, RecordOutcome, Replica, Wanted};
use tdg_service::{Timestamp, Uuid};

use crate::support::{Postgres, Server};

const PAGE: &str = include_str!("../../../docs/reference/sql.md");

/// Words in capitals in messages.
const NOT_SQL: [&str; 3] = ["PEM", "TLS", "URL"];

/// Returns the constructs of the page: code in the first column of its tables.
fn listed() -> BTreeSet<&'static str> {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.map(|row| row.split_once(" | ").unwrap().0);
    let code = cells.flat_map(|cell| cell.split('`').step_by(2));
    code.collect()
}

/// Returns the constructs of a statement or a fragment. Words in capitals are keywords, words
/// before a parenthesis functions, and words after another or after `::` types.
fn constructs(sql: &str, listed: &BTreeSet<&'static str>) -> BTreeSet<String> {
    let tokens = tokens(sql);
    let mut found = BTreeSet::new();
    let mut keywords = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let near = |offset: isize| {
            let index = index.checked_add_signed(offset)?;
            tokens.get(index).map(String::as_str)
        };
        let before = near(-1).filter(|before| *before != " ");
        let before_space = near(-2).filter(|_| near(-1) == Some(" "));
        if is_keyword(token) {
            keywords.push(token.as_str());
        } else if token != " " {
            found.extend(phrases(&keywords, listed));
            keywords.clear();
        }
        let sides = (
            before.or(before_space),
            near(1).filter(|next| *next != " ").or(near(2)),
        );
        let compares = token == "IN" || token.starts_with(is_operator);
        if compares && sides == (Some(")"), Some("(")) {
            found.insert(format!("(…) {token} (…)"));
        }
        if token.starts_with(is_operator) {
            found.insert(token.clone());
        } else if token.starts_with('$') {
            found.insert("$1".to_owned());
        } else if token.starts_with(|char: char| char.is_ascii_lowercase()) {
            if near(1) == Some("(") {
                found.insert(format!("{token}()"));
            } else if before == Some("::") || before_space.is_some_and(is_name) {
                found.insert(token.clone());
            } else if let Some((schema @ ("information_schema" | "excluded"), _)) =
                token.split_once('.')
            {
                let whole = schema == "information_schema";
                found.insert(if whole { token } else { schema }.to_owned());
            }
        }
    }
    found.extend(phrases(&keywords, listed));
    found
}

/// Splits keywords into the longest phrases of the page.
fn phrases(mut keywords: &[&str], listed: &BTreeSet<&'static str>) -> Vec<String> {
    let mut phrases = Vec::new();
    while !keywords.is_empty() {
        let lengths = (1..=keywords.len()).rev();
        let mut starts = lengths.map(|length| (length, keywords[..length].join(" ")));
        let longest = starts.find(|(_, phrase)| listed.contains(phrase.as_str()));
        let (length, phrase) = longest.unwrap_or_else(|| (keywords.len(), keywords.join(" ")));
        phrases.push(phrase);
        keywords = &keywords[length..];
    }
    phrases
}

/// Splits text into words, operators and other signs. Leaves out quoted texts.
fn tokens(sql: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for (index, part) in sql.split('\'').enumerate() {
        if index % 2 == 1 {
            tokens.push("'".to_owned());
            continue;
        }
        for char in part.chars() {
            let char = if char.is_whitespace() { ' ' } else { char };
            let goes_on = tokens
                .last()
                .and_then(|last| last.chars().last())
                .is_some_and(|last| {
                    (is_word(last) && (is_word(char) || "[]".contains(char)))
                        || (last == '[' && char == ']')
                        || (is_operator(last) && is_operator(char))
                        || (last == ' ' && char == ' ')
                });
            match tokens.last_mut().filter(|_| goes_on) {
                Some(last) if char != ' ' => last.push(char),
                Some(_) => {}
                None => tokens.push(char.to_string()),
            }
        }
    }
    tokens
}

fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || "_.$".contains(char)
}

fn is_operator(char: char) -> bool {
    "=<>!|&+-*/%~^#@:".contains(char)
}

fn is_keyword(token: &str) -> bool {
    token.len() > 1 && token.chars().all(|char| char.is_ascii_uppercase())
}

fn is_name(token: &str) -> bool {
    token.starts_with(|char: char| char.is_ascii_lowercase())
}

/// Removes the SQL for SQLite from a source file.
fn of_postgres(code: &str) -> String {
    let mut parts = code.split("sqlite: \"");
    let first = parts.next().unwrap();
    let others = parts.map(|part| part.split_once('"').unwrap().1);
    iter::once(first).chain(others).collect()
}

/// Returns the string literals of a source file that are SQL.
fn literals(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n").replace("\\\"", "");
    let code = of_postgres(&code);
    let literals = code.split('"').skip(1).step_by(2);
    // Placeholders aren't in capitals, regardless of their values.
    let literals = literals.map(|literal| literal.replace('{', " '").replace('}', "' "));
    let is_sql = |literal: &String| {
        let tokens = tokens(literal);
        let is_sql = |token: &String| {
            is_keyword(token) && !NOT_SQL.contains(&token.as_str()) || token.starts_with('$')
        };
        !literal.contains('`') && tokens.iter().any(is_sql)
    };
    literals.filter(is_sql).collect()
}

fn missing(found: &BTreeSet<String>, listed: &BTreeSet<&str>) -> Vec<String> {
    let missing = found
        .iter()
        .filter(|found| !listed.contains(found.as_str()));
    missing.cloned().collect()
}

/// Returns the SQL in the sources.
fn sources() -> Vec<String> {
    let database = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/database");
    let mut folders = vec![database];
    let mut statements = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true if path.ends_with("sqlite") => {}
                true => folders.push(path),
                false => statements.extend(literals(&fs::read_to_string(path).unwrap())),
            }
        }
    }
    statements
}

/// Returns the statements that a server has sent to PostgreSQL, including the driver's own.
fn recorded() -> Vec<String> {
    let postgres = Postgres::logging();
    let options = "&target_session_attrs=read-write";
    let server = Server::on(&format!("{}{options}", postgres.schema()));
    let client = server.client();
    let benchmark = client.benchmark();
    client.post(
        &format!("{benchmark}/assert"),
        r#"{"output_to_assert":[1]}"#,
    );
    for path in ["/v1/projects", "/v1/definitions", &benchmark] {
        assert_eq!(client.get(path).status, 200);
    }
    let projects = client.get("/v1/projects").json();
    let project = projects[0]["project_uuid"].as_str().unwrap();
    synchronise(&server, project.parse().unwrap());
    assert_eq!(client.delete(&format!("{benchmark}/delete")).status, 200);
    drop(server);
    postgres.statements()
}

/// Sends all requests of clients that synchronize, including those about existing records.
fn synchronise(server: &Server, project: Uuid) {
    let service = server.service(&server.key("default"));
    let place = service.replica(project);
    assert!(!place.digests().unwrap().is_empty());
    let parts: Vec<u8> = (0..=u8::MAX).collect();
    let found = place.identities(RecordKind::Benchmark, &parts).unwrap();
    let benchmark = found[0];
    place.missing(RecordKind::Benchmark, &found).unwrap();
    let question = HistoryQuestion {
        benchmark,
        since: Timestamp::MIN,
        listed_from: Timestamp::MIN,
    };
    let history = place.histories(&[question]).unwrap();
    let (time, uuid) = history[0].listed[0];
    let wanted = [
        Wanted::Other(RecordKind::Benchmark, benchmark),
        Wanted::Assertion(benchmark, time, uuid),
    ];
    let found = place.records(&wanted).unwrap();
    let found: Vec<Record> = found.into_iter().flatten().collect();
    assert_eq!(
        place.add(&found).unwrap(),
        [RecordOutcome::Had, RecordOutcome::Had]
    );
}

#[test]
fn the_page_lists_what_is_sent() {
    let listed = listed();
    let mut used = BTreeSet::new();
    let recorded = recorded();
    assert!(
        recorded
            .iter()
            .any(|sql| sql.starts_with("START TRANSACTION")),
        "{recorded:?}"
    );
    for sql in sources().into_iter().chain(recorded) {
        let found = constructs(&sql, &listed);
        let missing = missing(&found, &listed);
        assert!(
            missing.is_empty(),
            "docs/reference/sql.md lacks {missing:?} of: {sql}"
        );
        used.extend(found);
    }
    let stale: Vec<_> = listed
        .iter()
        .filter(|entry| !used.contains(**entry))
        .collect();
    assert!(
        stale.is_empty(),
        "docs/reference/sql.md has, and nothing uses: {stale:?}"
    );
}

#[test]
fn what_the_page_lacks_is_found() {
    let listed = listed();
    for (sql, lacking) in [
        ("SELECT name FROM account FOR SHARE", "FOR SHARE"),
        ("SELECT name FROM account FULL JOIN api_key", "FULL JOIN"),
        ("SELECT lower(name) FROM account", "lower()"),
        ("SELECT limits::jsonb FROM account", "jsonb"),
        ("SELECT name FROM account WHERE name ~ $1", "~"),
        (
            "CREATE TABLE IF NOT EXISTS t (account bigint, at timestamptz)",
            "timestamptz",
        ),
        (
            "SELECT 1 FROM account WHERE (id, name) <= ($1, $2)",
            "(…) <= (…)",
        ),
        (
            "SELECT 1 FROM information_schema.columns",
            "information_schema.columns",
        ),
    ] {
        assert_eq!(
            missing(&constructs(sql, &listed), &listed),
            [lacking],
            "{sql}"
        );
    }
}

#[test]
fn aggregates_that_depend_on_an_order_state_it() {
    for sql in sources() {
        for (at, _) in sql.match_indices("_agg(") {
            let (aggregate, _) = sql[at..].split_once(')').unwrap();
            assert!(aggregate.contains(" ORDER BY "), "{sql}");
        }
    }
}

#[test]
fn every_key_begins_with_the_account() {
    let postgres = Postgres::start();
    drop(Server::on(&postgres.schema()));
    let others = postgres.query(
        "SELECT index.relname FROM pg_index
         JOIN pg_class AS index ON index.oid = indexrelid
         JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
         WHERE index.relnamespace = 's0'::regnamespace AND attname <> 'account'
         ORDER BY index.relname",
    );
    // Indexes of tables that are on every node, and non-unique ones of idempotency keys and
    // messages.
    let known = [
        "account_name_key",
        "account_pkey",
        "api_key_pkey",
        "deletion_by_time",
        "delivery_by_due",
        "delivery_failed",
        "idempotency_added",
        "login_code_key",
        "login_pkey",
        "login_uuid_key",
        "server_pkey",
        "session_by_time",
        "session_pkey",
        "tdg_version_pkey",
        "tdg_version_step_pkey",
    ];
    assert_eq!(others.lines().collect::<Vec<_>>(), known);
}
