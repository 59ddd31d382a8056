#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

use wildmatch::WildMatch;

fn main() {
    harness::run(&[("matches", |row| matches(harness::read(row)))]);
}

#[derive(Deserialize)]
struct Matches {
    pattern: String,
    text: String,
    ignore_case: bool,
}

fn matches(row: Matches) -> Value {
    let pattern = match row.ignore_case {
        true => WildMatch::new_case_insensitive(&row.pattern),
        false => WildMatch::new(&row.pattern),
    };
    json!({"matches": pattern.matches(&row.text), "pattern": pattern.to_string()})
}
