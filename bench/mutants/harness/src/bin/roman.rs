#[path = "../harness.rs"]
mod harness;

use serde::Deserialize;
use serde_json::{Value, json};

fn main() {
    harness::run(&[("numeral", |row| numeral(harness::read(row)))]);
}

#[derive(Deserialize)]
struct Numeral {
    number: i32,
    lower_number: i32,
    text: String,
    lower_text: String,
}

fn numeral(row: Numeral) -> Value {
    json!({
        "to": roman::to(row.number),
        "to_lower": roman::to_lower(row.lower_number),
        "from": roman::from(&row.text),
        "from_lower": roman::from_lower(&row.lower_text),
    })
}
