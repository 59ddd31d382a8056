//! Rows between columns and JSON, and the digest that identifies them.

use crate::arbitrary;
use proptest::prelude::*;
use tdg_definition::Definition;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;

/// A definition with every distribution and every type.
const GOLDEN: &str = include_str!("../../../tdg-definition/tests/golden/definition.json");

/// **If this fails, fix the code, never the digest.** Such a digest identifies every committed
/// benchmark. docs/reference/sampling.md defines a new sampler version.
#[test]
fn the_digest_of_the_golden_definition_never_changes() {
    let definition = first_golden_features(33);
    for (seed, size, digest) in [
        (0, 1, "247f03afe2d742f61abdc07b15eadbc9"),
        (0, 500, "f61a2979184038341c2a20c8349425d9"),
        (7, 10_000, "985e7821399d69c87fc0a3e76eaea729"),
        (u64::MAX, 7, "85a91addb2a9ba79a7baa68180248dfb"),
    ] {
        assert_eq!(Vectors::generate(&definition, seed, size).digest(), digest);
    }
}

/// The golden definition grows with the catalogue, but its first features stay the same.
fn first_golden_features(count: usize) -> Definition {
    let golden = json::parse(GOLDEN).unwrap();
    let features = golden.get("features").unwrap().as_array().unwrap();
    let first = Value::Array(features[..count].to_vec());
    Definition::from_value(&Value::object([("features", first)])).unwrap()
}

#[test]
fn a_null_hides_its_value_from_the_digest() {
    // All values above `i64::MAX` are null, so reading the rows finds only small integers.
    let definition = definition_of(
        r#"{"type": "INTEGER", "null_probability": 0.5, "distribution": {"type": "uniform", "min": 0, "max": 18446744073709551615}}"#,
    );
    for seed in 0..50 {
        let drawn = Vectors::generate(&definition, seed, 2);
        let read = Vectors::from_json(&definition, &drawn.to_json()).unwrap();
        assert_eq!(read.digest(), drawn.digest(), "{}", drawn.to_json());
    }
}

proptest! {
    #[test]
    fn rows_read_back_from_json_are_the_rows(text in arbitrary::definition(), seed: u64, size in 0..50usize) {
        let definition = Definition::parse(&text).unwrap();
        let drawn = Vectors::generate(&definition, seed, size);
        let json = drawn.to_json();
        let read = Vectors::from_json(&definition, &json).unwrap();
        prop_assert_eq!(read.digest(), drawn.digest());
        prop_assert_eq!(read.to_json(), json);
    }

    #[test]
    fn rows_read_back_one_by_one_are_the_rows(text in arbitrary::definition(), seed: u64, size in 0..20usize) {
        let definition = Definition::parse(&text).unwrap();
        let drawn = Vectors::generate(&definition, seed, size);
        let rows: Vec<String> = (0..size)
            .map(|row| {
                let mut text = String::new();
                drawn.write_row(row, &mut text);
                text
            })
            .collect();
        let read = Vectors::from_rows(&definition, rows.iter().map(String::as_str)).unwrap();
        prop_assert_eq!(read.digest(), drawn.digest());
    }

    #[test]
    fn another_seed_or_size_or_name_has_another_digest(seed: u64, size in 1..50usize) {
        let named = |name: &str| definition_of(&format!(
            r#"{{"feature_name": "{name}", "type": "FLOAT", "distribution": {{"type": "gaussian", "mu": 0, "sigma": 1}}}}"#
        ));
        let digest = Vectors::generate(&named("a"), seed, size).digest();
        prop_assert_ne!(&Vectors::generate(&named("a"), seed ^ 1, size).digest(), &digest);
        prop_assert_ne!(&Vectors::generate(&named("a"), seed, size + 1).digest(), &digest);
        prop_assert_ne!(&Vectors::generate(&named("b"), seed, size).digest(), &digest);
    }

    #[test]
    fn a_change_of_any_cell_changes_the_digest(values in prop::collection::vec(arbitrary::float(), 1..20), place: prop::sample::Index) {
        let definition = definition_of(r#"{"type": "FLOAT", "distribution": {"type": "constant", "value": 0}}"#);
        let rows = |values: &[f64]| {
            let rows: Vec<String> = values.iter().map(|&value| format!("[{}]", tdg_definition::json::Value::from(value))).collect();
            Vectors::from_rows(&definition, rows.iter().map(String::as_str)).unwrap().digest()
        };
        let mut changed = values.clone();
        let cell = &mut changed[place.index(values.len())];
        *cell = if *cell == f64::MAX { 0.0 } else { cell.next_up() };
        prop_assert_ne!(rows(&changed), rows(&values));
    }
}

fn definition_of(feature: &str) -> Definition {
    Definition::parse(&format!(r#"{{"features": [{feature}]}}"#)).unwrap()
}
