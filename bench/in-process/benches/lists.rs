//! Measures drawing lists next to as many values of a column, and binding them next to serde_json.
//! Prints nanoseconds by name, with a figure per round. Both sides of a pair run in turns.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use serde::Deserialize;
use tdg_bench::{one, parse};
use tdg_definition::Definition;

const ROUNDS: usize = 301;
const LISTS: usize = 10_000;
const LENGTH: usize = 10;

#[derive(Deserialize)]
struct Measured {
    _number: i64,
    _values: Vec<f64>,
}

fn main() {
    let mut figures = BTreeMap::new();
    draw(&mut figures);
    bind(&mut figures);
    let of_name = |(name, nanoseconds)| format!("{name:?}: {nanoseconds:?}");
    let figures: Vec<String> = figures.iter().map(of_name).collect();
    println!("{{{}}}", figures.join(", "));
}

type Figures = BTreeMap<&'static str, Vec<u128>>;

fn draw(figures: &mut Figures) {
    let uniform = r#"{"type": "uniform", "min": 0, "max": 1}"#;
    let column = one("FLOAT", uniform);
    let element = format!(r#"{{"type": "FLOAT", "distribution": {uniform}}}"#);
    let list = format!(r#"{{"type": "list", "length": {LENGTH}, "element": {element}}}"#);
    let lists = one("LIST", &list);
    let drawn = |definition: &Definition, rows| {
        black_box(tdg_engine::Vectors::generate(
            black_box(definition),
            0,
            rows,
        ));
    };
    for _ in 0..ROUNDS {
        time(figures, "draw/column", || drawn(&column, LISTS * LENGTH));
        time(figures, "draw/lists", || drawn(&lists, LISTS));
    }
}

fn bind(figures: &mut Figures) {
    let definition = parse(
        r#"{"features": [
            {"feature_name": "_number", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 1000}},
            {"feature_name": "_values", "type": "LIST", "distribution": {"type": "list", "length": 10,
                "element": {"type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 1}}}}
        ]}"#,
    );
    let vectors = tdg::Vectors::generate(&definition, 0, LISTS);
    let table = tdg_engine::Vectors::generate(&definition, 0, LISTS);
    let text = |row| {
        let members = table.features().iter().map(|feature| {
            let mut member = format!("{:?}:", feature.name);
            feature.write_cell(row, &mut member);
            member
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    };
    let texts: Vec<String> = (0..LISTS).map(text).collect();
    for _ in 0..ROUNDS {
        time(figures, "bind/tdg", || {
            for row in vectors.rows() {
                black_box(row.to::<Measured>().expect("a row"));
            }
        });
        time(figures, "bind/serde_json", || {
            for text in &texts {
                let row = serde_json::from_slice::<Measured>(text.as_bytes());
                black_box(row.expect("a row"));
            }
        });
    }
}

fn time(figures: &mut Figures, name: &'static str, work: impl Fn()) {
    let begin = Instant::now();
    work();
    let nanoseconds = begin.elapsed().as_nanos();
    figures.entry(name).or_default().push(nanoseconds);
}
