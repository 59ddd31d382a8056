//! What is told of the outputs of wrong programs: `changes_of_bugs FILE…`, each a JSON file with
//! `definition`, `seed`, `size`, `expected` and `bugs`, of which each has `failing` (a digit for
//! each row) and `actual`.

use std::error::Error;

use tdg_definition::json::{Pointer, Value, parse};
use tdg_definition::{Definition, Policy};
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;
use tdg_engine::explain::{changes, rules};

/// The rows that are explained.
const ROWS: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut sets, mut told, mut formulas) = (0, 0, 0);
    for file in std::env::args().skip(1) {
        let data = parse(&std::fs::read_to_string(&file)?)?;
        let definition = Definition::parse(&data.get("definition").ok_or(file)?.to_string())?;
        let number = |key| data.get(key).and_then(Value::as_u64).unwrap_or_default();
        let vectors = Vectors::generate(&definition, number("seed"), number("size") as usize);
        let array = |value: &Value, key| -> Vec<Value> {
            value
                .get(key)
                .and_then(Value::as_array)
                .unwrap_or_default()
                .to_vec()
        };
        let expected = array(&data, "expected");
        for bug in array(&data, "bugs") {
            let actual = array(&bug, "actual");
            let failing = bug
                .get("failing")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let failing: Vec<bool> = failing.bytes().take(ROWS).map(|it| it == b'1').collect();
            let differing: Vec<DifferingCase> = (0..ROWS)
                .filter(|row| failing[*row])
                .map(|row| {
                    let (expected, actual) = (expected[row].clone(), actual[row].clone());
                    DifferingCase::compared(&Policy::exact(), row, expected, actual)
                })
                .collect();
            let of = |rows: Option<&[usize]>| {
                let is_in = |it: &&DifferingCase| {
                    rows.is_none_or(|rows| rows.binary_search(&it.case).is_ok())
                };
                let differing: Vec<&DifferingCase> = differing.iter().filter(is_in).collect();
                changes(
                    &vectors,
                    Some(&expected[..ROWS]),
                    &differing,
                    |_: &Pointer| true,
                )
                .pop()
            };
            let mut found = vec![of(None)];
            let is_whole = |found: &[Option<tdg_engine::explain::FieldChange>]| {
                !found.is_empty()
                    && found
                        .iter()
                        .all(|it| it.as_ref().is_some_and(|it| it.holds == it.cases))
            };
            let mut line = String::new();
            if !is_whole(&found) {
                let explanation = rules(&vectors, &failing);
                let of_rules: Vec<_> = explanation
                    .rules
                    .iter()
                    .map(|rule| of(Some(&rule.rows)))
                    .collect();
                if is_whole(&of_rules) {
                    line = "by rule: ".to_owned();
                    found = of_rules;
                }
            }
            let is_told = is_whole(&found);
            let is_formula = is_told
                && found
                    .iter()
                    .flatten()
                    .all(|change| change.pattern.is_formula());
            for change in found.iter().flatten() {
                let (holds, cases) = (change.holds, change.cases);
                line.push_str(&format!("{} in {holds} of {cases}; ", change.pattern));
            }
            sets += 1;
            told += usize::from(is_told);
            formulas += usize::from(is_formula);
            println!("{} {line}", differing.len());
        }
    }
    println!("{sets} sets, a change for all or each rule: {told}, by a formula: {formulas}");
    Ok(())
}
