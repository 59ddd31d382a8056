#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

fn main() {
    harness::run(&[
        ("split", |row| split(harness::read(row))),
        ("join", |row| join(harness::read(row))),
    ]);
}

#[derive(Deserialize)]
struct Split {
    line: String,
    program: String,
    option: String,
    comment: Option<String>,
}

fn split(row: Split) -> Value {
    let comment = row
        .comment
        .map(|comment| format!("#{comment}"))
        .unwrap_or_default();
    let line = format!("{} {} {}{comment}", row.program, row.option, row.line);
    harness::result(
        shell_words::split(&line),
        |words| json!(words),
        |error| json!(error.to_string()),
    )
}

#[derive(Deserialize)]
struct Join {
    word: String,
    first: String,
    second: String,
    third: Option<String>,
}

fn join(row: Join) -> Value {
    json!({
        "quoted": shell_words::quote(&row.word),
        "line": shell_words::join([Some(row.first), Some(row.second), row.third].iter().flatten()),
    })
}
