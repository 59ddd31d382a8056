//! What a feature can ask of its values beyond their distribution.

#![allow(clippy::unwrap_used, clippy::panic)] // In helpers too: what fails there fails the test.

use tdg_definition::{Cells, Definition};

/// A definition of one feature of that type and distribution, with more members.
fn feature(feature_type: &str, distribution: &str, members: &str) -> String {
    format!(
        r#"{{"features": [{{"feature_name": "x", "type": "{feature_type}", "distribution": {distribution}, {members}}}]}}"#
    )
}

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// What is wrong with the feature, one line.
fn faults(feature_type: &str, distribution: &str, members: &str) -> String {
    let text = feature(feature_type, distribution, members);
    let faults = Definition::parse(&text).unwrap_err().to_string();
    faults.replace('\n', " | ")
}

fn cells(text: &str, seed: u64, first_row: u64, rows: usize) -> Cells {
    let column = parse(text).features()[0].column(seed, first_row, rows);
    column.cells().clone()
}

const GAUSSIAN: &str = r#"{"type": "gaussian", "mu": 20, "sigma": 5}"#;

mod decimals {
    use super::*;

    #[test]
    fn every_value_has_so_many_decimals() {
        let prices = feature("FLOAT", GAUSSIAN, r#""decimals": 2"#);
        let Cells::Float(prices) = cells(&prices, 7, 0, 1000) else {
            panic!()
        };
        for price in prices {
            assert_eq!(format!("{price:.2}").parse(), Ok(price));
        }
    }

    #[test]
    fn rounding_moves_no_value_further_than_half_a_unit() {
        let plain = feature("FLOAT", GAUSSIAN, r#""null_probability": 0"#);
        let rounded = feature("FLOAT", GAUSSIAN, r#""decimals": 0"#);
        let (Cells::Float(plain), Cells::Float(rounded)) =
            (cells(&plain, 7, 0, 1000), cells(&rounded, 7, 0, 1000))
        else {
            panic!()
        };
        assert!(
            plain
                .iter()
                .zip(&rounded)
                .all(|(x, y)| (x - y).abs() <= 0.5)
        );
    }

    #[test]
    fn the_canonical_form_keeps_them() {
        let definition = parse(&feature("FLOAT", GAUSSIAN, r#""decimals": 2.0"#));
        insta::assert_snapshot!(definition.canonical(), @r#"{"features":[{"decimals":2,"distribution":{"mu":20.0,"sigma":5.0,"type":"gaussian"},"feature_name":"x","type":"FLOAT"}]}"#);
        assert_eq!(parse(&definition.canonical()), definition);
    }

    #[test]
    fn what_is_wrong_is_said() {
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""decimals": 16"#), @"/features/0/decimals: must be an integer from 0 to 15, but is 16");
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""decimals": -1"#), @"/features/0/decimals: must be an integer from 0 to 15, but is -1");
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""decimals": 1.5"#), @"/features/0/decimals: must be an integer from 0 to 15, but is 1.5");
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""decimals": "2""#), @r#"/features/0/decimals: must be an integer from 0 to 15, but is the string "2""#);
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""decimal": 2"#), @"/features/0/decimal: unknown; did you mean `decimals`?");
        insta::assert_snapshot!(faults("INTEGER", r#"{"type": "poisson", "rate": 3}"#, r#""decimals": 2"#), @"/features/0/decimals: rounds FLOAT values, and this feature is INTEGER; leave it out");
    }
}
