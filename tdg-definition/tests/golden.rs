//! Values that must never change: on any platform, in any build, in any later version.
//!
//! Benchmarks in other people's repositories depend on these bits. **If a test here fails, the code
//! is wrong, not the data: never regenerate the data.** Changes to values need a new
//! `SAMPLER_VERSION` next to this one, with separate data; see docs/reference/sampling.md. New
//! features may be added at the end of the definition, and their lines to the data.
//!
//! The tests don't read files, so that they run wherever the crate compiles.

#![allow(clippy::unwrap_used)] // Also in helpers: failures there fail the test.

#[path = "support/rows.rs"]
#[allow(dead_code, unreachable_pub)]
mod rows;

use rows::columns;
use tdg_definition::{Cells, Column, Definition, json};

const DEFINITION: &str = include_str!("golden/definition.json");
const CELLS: &str = include_str!("golden/cells.txt");
const DEPENDENT: &str = include_str!("golden/dependent.json");
const DEPENDENT_CELLS: &str = include_str!("golden/dependent.txt");
const STRATIFIED: &str = include_str!("golden/stratified.json");
const STRATIFIED_CELLS: &str = include_str!("golden/stratified.txt");
const PAIRS: &str = include_str!("golden/pairs.json");
const PAIRS_CELLS: &str = include_str!("golden/pairs.txt");
const TRIPLES: &str = include_str!("golden/triples.json");
const TRIPLES_CELLS: &str = include_str!("golden/triples.txt");

const BYTES: &str = include_str!("golden/bytes.json");
const BYTES_CELLS: &str = include_str!("golden/bytes.txt");
const EDGES: &str = include_str!("golden/edges.json");
const EDGES_CELLS: &str = include_str!("golden/edges.txt");
const LISTED: &str = include_str!("golden/listed.json");
const LISTED_CELLS: &str = include_str!("golden/listed.txt");
const LENGTHS: &str = include_str!("golden/lengths.json");
const LENGTHS_CELLS: &str = include_str!("golden/lengths.txt");
const STRATIFIED_LENGTHS: &str = include_str!("golden/stratified_lengths.json");
const STRATIFIED_LENGTHS_CELLS: &str = include_str!("golden/stratified_lengths.txt");
const ORDERED_LENGTHS: &str = include_str!("golden/ordered_lengths.json");
const ORDERED_LENGTHS_CELLS: &str = include_str!("golden/ordered_lengths.txt");
const REFERENCES: &str = include_str!("golden/references.json");
const REFERENCES_CELLS: &str = include_str!("golden/references.txt");
const TOTALS: &str = include_str!("golden/totals.json");
const TOTALS_CELLS: &str = include_str!("golden/totals.txt");
const TUPLES: &str = include_str!("golden/tuples.json");
const TUPLES_CELLS: &str = include_str!("golden/tuples.txt");
const VARIANTS: &str = include_str!("golden/variants.json");
const VARIANTS_CELLS: &str = include_str!("golden/variants.txt");
const SHAPES: &str = include_str!("golden/shapes.json");
const SHAPES_CELLS: &str = include_str!("golden/shapes.txt");
const MAPS: &str = include_str!("golden/maps.json");
const MAPS_CELLS: &str = include_str!("golden/maps.txt");
const NESTED: &str = include_str!("golden/nested.json");
const NESTED_CELLS: &str = include_str!("golden/nested.txt");

/// Ranges of rows, each with its seed, first row and number of rows.
const STRETCHES: [(u64, u64, usize); 2] = [(0, 0, 24), (u64::MAX, 9_990, 10)];

#[test]
fn every_distribution_type_and_relation_has_its_golden_values() {
    assert_draws(DEFINITION, CELLS);
}

#[test]
fn a_correlated_number_has_its_golden_values_despite_rounding() {
    assert_draws(DEPENDENT, DEPENDENT_CELLS);
}

#[test]
fn stratified_samples_have_their_golden_values() {
    assert_draws(STRATIFIED, STRATIFIED_CELLS);
}

#[test]
fn covered_pairs_and_triples_have_their_golden_values() {
    assert_draws(PAIRS, PAIRS_CELLS);
    assert_draws(TRIPLES, TRIPLES_CELLS);
}

#[test]
fn lists_and_objects_have_their_golden_values() {
    assert_draws(NESTED, NESTED_CELLS);
}

#[test]
fn bytes_have_their_golden_values() {
    assert_draws(BYTES, BYTES_CELLS);
}

#[test]
fn values_that_refer_to_others_have_their_golden_values() {
    assert_draws(REFERENCES, REFERENCES_CELLS);
}

#[test]
fn tuples_have_their_golden_values() {
    assert_draws(TUPLES, TUPLES_CELLS);
}

#[test]
fn variants_have_their_golden_values() {
    assert_draws(VARIANTS, VARIANTS_CELLS);
}

#[test]
fn shapes_have_their_golden_values() {
    assert_draws(SHAPES, SHAPES_CELLS);
}

#[test]
fn maps_and_what_differs_within_lists_have_their_golden_values() {
    assert_draws(MAPS, MAPS_CELLS);
}

#[test]
fn sums_shares_and_features_that_rise_along_lists_have_their_golden_values() {
    assert_draws(TOTALS, TOTALS_CELLS);
}

#[test]
fn edge_cases_of_lists_have_their_golden_values() {
    assert_draws(EDGES, EDGES_CELLS);
}

#[test]
fn edge_cases_that_are_listed_have_their_golden_values() {
    assert_draws(LISTED, LISTED_CELLS);
}

#[test]
fn related_lengths_have_their_golden_values() {
    assert_draws(LENGTHS, LENGTHS_CELLS);
    assert_draws(STRATIFIED_LENGTHS, STRATIFIED_LENGTHS_CELLS);
    assert_draws(ORDERED_LENGTHS, ORDERED_LENGTHS_CELLS);
}

fn assert_draws(definition: &str, cells: &str) {
    let definition = Definition::parse(definition).unwrap();
    let mut lines = cells.lines().filter(|line| !line.starts_with('#'));
    for (seed, first_row, rows) in STRETCHES {
        let columns = columns(&definition, seed, first_row, rows);
        for (feature, column) in definition.features().iter().zip(&columns) {
            let line = line_of(feature.name(), column);
            assert_eq!(
                Some(&line[..]),
                lines.next(),
                "seed {seed}, row {first_row}"
            );
        }
    }
    assert_eq!(lines.next(), None);
}

/// The name, then the cells: strings as JSON, `null`, and everything else as 16 hexadecimal digits
/// of its bits.
fn line_of(name: &str, column: &Column) -> String {
    let mut line = name.to_owned();
    for row in 0..column.cells().len() {
        line.push('|');
        write_cell(&mut line, column, row);
    }
    line
}

fn write_cell(line: &mut String, column: &Column, row: usize) {
    match column.cells() {
        _ if column.is_null(row) => line.push_str("null"),
        Cells::Text(values) => json::write_str(line, values.get(row)),
        Cells::Bytes(values) => json::write_str(line, values.escaped().get(row)),
        Cells::Float(values) => line.push_str(&hex(values[row].to_bits())),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            line.push_str(&hex(values[row] as u64));
        }
        Cells::Unsigned(values) => line.push_str(&hex(values[row])),
        Cells::Boolean(values) => line.push_str(&hex(u64::from(values[row]))),
        Cells::List(lists) => {
            line.push('[');
            for element in lists.range(row) {
                write_cell(line, lists.elements(), element);
                line.push(' ');
            }
            line.push(']');
        }
        Cells::Variant(variants) => {
            line.push_str(variants.name(row));
            if let Some((values, place)) = variants.value(row) {
                line.push('(');
                write_cell(line, values, place);
                line.push(')');
            }
        }
        Cells::Object(objects) => {
            line.push('{');
            for (name, member) in objects.members() {
                line.push_str(name);
                line.push('=');
                write_cell(line, member, row);
                line.push(' ');
            }
            line.push('}');
        }
    }
}

fn hex(bits: u64) -> String {
    format!("{bits:016x}")
}
