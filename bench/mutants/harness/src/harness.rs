//! Calls a function for each row of standard input: `BINARY FUNCTION < rows.jsonl > outputs.jsonl`.

use std::any::Any;
use std::io::{BufRead, Write, stdin, stdout};
use std::panic::{catch_unwind, set_hook};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub type Function = fn(Value) -> Value;

/// Writes each output before reading the next row, so that a hanging row can be identified.
pub fn run(functions: &[(&str, Function)]) {
    let chosen = std::env::args().nth(1).expect("the name of a function");
    let (_, function) = functions
        .iter()
        .find(|(name, _)| *name == chosen)
        .unwrap_or_else(|| panic!("no function is called {chosen}"));
    set_hook(Box::new(|_| ()));
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let row = serde_json::from_str(&line.expect("text")).expect("a row");
        let output = catch_unwind(|| function(row))
            .unwrap_or_else(|panic| json!({"$panic": message(&*panic)}));
        writeln!(out, "{output}").expect("standard output is open");
        out.flush().expect("standard output is open");
    }
}

pub fn read<Row: DeserializeOwned>(row: Value) -> Row {
    serde_json::from_value(row).expect("a row of the definition")
}

/// Formats a number as tdg does.
#[allow(dead_code)]
pub fn number(value: f64) -> Value {
    if value.is_finite() {
        json!(value)
    } else if value.is_nan() {
        json!({"$float": "NaN"})
    } else if value > 0.0 {
        json!({"$float": "Infinity"})
    } else {
        json!({"$float": "-Infinity"})
    }
}

#[allow(dead_code)]
pub fn result<T, E>(
    result: Result<T, E>,
    ok: impl Fn(T) -> Value,
    err: impl Fn(E) -> Value,
) -> Value {
    match result {
        Ok(value) => json!({"Ok": ok(value)}),
        Err(error) => json!({"Err": err(error)}),
    }
}

/// Splits a date such as `2021-03-08` into its parts.
#[allow(dead_code)]
pub fn date(text: &str) -> (i32, u8, u8) {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str| part.parse::<i32>().expect("a number");
    (
        number(parts[0]),
        number(parts[1]) as u8,
        number(parts[2]) as u8,
    )
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default()
}
