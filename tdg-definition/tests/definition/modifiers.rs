//! Modifiers, with which a feature changes values in addition to their distribution.

use crate::rows::column;
use tdg_definition::{Cells, Definition};

/// A definition with one feature of this type and distribution, with more members.
fn feature(feature_type: &str, distribution: &str, members: &str) -> String {
    format!(
        r#"{{"features": [{{"feature_name": "x", "type": "{feature_type}", "distribution": {distribution}, {members}}}]}}"#
    )
}

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// The faults of the feature in one line.
fn faults(feature_type: &str, distribution: &str, members: &str) -> String {
    let text = feature(feature_type, distribution, members);
    let faults = Definition::parse(&text).unwrap_err().to_string();
    faults.replace('\n', " | ")
}

fn cells(text: &str, seed: u64, first_row: u64, rows: usize) -> Cells {
    let column = column(&parse(text), seed, first_row, rows);
    column.cells().clone()
}

const GAUSSIAN: &str = r#"{"type": "gaussian", "mu": 20, "sigma": 5}"#;

mod decimals {
    use super::*;

    #[test]
    fn every_value_has_that_many_decimals() {
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
        insta::assert_snapshot!(faults("INTEGER", r#"{"type": "poisson", "rate": 3}"#, r#""decimals": 2"#), @"/features/0/decimals: applies to FLOAT values, but this feature is INTEGER; remove it");
    }
}

mod unique {
    use super::*;
    use proptest::prelude::*;

    const DICE: &str = r#"{"type": "uniform", "min": 1, "max": 6}"#;
    const UNIQUE: &str = r#""unique": true"#;

    /// The values as numbers.
    fn numbers(cells: &Cells) -> Vec<i128> {
        match cells {
            Cells::Integer(values) | Cells::Date(values) | Cells::DateTime(values) => {
                values.iter().map(|&value| value.into()).collect()
            }
            Cells::Unsigned(values) => values.iter().map(|&value| value.into()).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn distinct<T: Ord>(mut values: Vec<T>) -> bool {
        values.sort_unstable();
        values.windows(2).all(|pair| pair[0] < pair[1])
    }

    #[test]
    fn as_many_rows_as_values_have_each_value_once() {
        let dice = feature("INTEGER", DICE, UNIQUE);
        let mut values = numbers(&cells(&dice, 7, 0, 6));
        assert_ne!(values, [1, 2, 3, 4, 5, 6]);
        values.sort_unstable();
        assert_eq!(values, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn more_rows_than_values_begin_again_in_the_same_order() {
        let dice = feature("INTEGER", DICE, UNIQUE);
        let values = numbers(&cells(&dice, 7, 0, 15));
        assert_eq!(values[..6], values[6..12]);
        assert_eq!(values[..3], values[12..]);
    }

    #[test]
    fn dates_times_and_unsigned_integers_can_be_unique() {
        for (feature_type, min, max) in [
            ("DATE", "\"2020-02-01\"", "\"2047-06-18\""),
            (
                "DATETIME",
                "\"1969-12-31T22:00:00Z\"",
                "\"1970-01-01T01:00:00Z\"",
            ),
            ("INTEGER", "-9223372036854775808", "9223372036854775807"),
            ("INTEGER", "0", "18446744073709551615"),
            ("INTEGER", "18446744073709541616", "18446744073709551615"),
        ] {
            let uniform = format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#);
            let text = feature(feature_type, &uniform, UNIQUE);
            assert!(parse(&text).check_size(10_000).is_ok());
            assert!(distinct(numbers(&cells(&text, 7, 0, 10_000))), "{min}");
        }
    }

    #[test]
    fn equally_likely_categories_can_be_unique() {
        let colours = r#"{"type": "categorical", "categories": [
            {"value": "red", "probability": 0.3333333333}, {"value": "green", "probability": 0.3333333333},
            {"value": "blue", "probability": 0.3333333333}]}"#;
        let text = feature("STRING", colours, UNIQUE);
        let Cells::Text(values) = cells(&text, 7, 0, 3) else {
            panic!()
        };
        assert!(distinct(values.iter().collect()));
        assert!(parse(&text).check_size(4).is_err());
    }

    #[test]
    fn what_is_unique_anyway_stays_as_it_is() {
        for (feature_type, distribution) in [
            ("INTEGER", r#"{"type": "sequence", "start": 5}"#),
            ("STRING", r#"{"type": "uuid"}"#),
        ] {
            let text = feature(feature_type, distribution, UNIQUE);
            let plain = feature(feature_type, distribution, r#""unique": false"#);
            assert!(parse(&text).check_size(10_000).is_ok());
            assert_eq!(cells(&text, 7, 3, 50), cells(&plain, 7, 3, 50));
        }
    }

    #[test]
    fn the_canonical_form_keeps_it_unless_it_is_the_default() {
        let definition = parse(&feature("INTEGER", DICE, UNIQUE));
        insta::assert_snapshot!(definition.canonical(), @r#"{"features":[{"distribution":{"max":6,"min":1,"type":"uniform"},"feature_name":"x","type":"INTEGER","unique":true}]}"#);
        assert_eq!(parse(&definition.canonical()), definition);
        let plain = parse(&feature("INTEGER", DICE, r#""unique": false"#));
        assert!(!plain.canonical().contains("unique"));
    }

    #[test]
    fn too_many_rows_are_refused_at_every_feature_that_has_too_few_values() {
        let definition = parse(
            r#"{"features": [
                {"type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 6}},
                {"type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 100}},
                {"type": "DATE", "unique": true, "distribution": {"type": "uniform", "min": "2020-02-28", "max": "2020-03-01"}}
            ]}"#,
        );
        assert!(definition.check_size(3).is_ok());
        insta::assert_snapshot!(definition.check_size(100).unwrap_err(), @"
        /features/0/unique: there are only 6 different values for 100 rows; use fewer rows, allow more values, or remove `unique`
        /features/2/unique: there are only 3 different values for 100 rows; use fewer rows, allow more values, or remove `unique`
        ");
    }

    #[test]
    fn what_is_wrong_is_said() {
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, UNIQUE), @"/features/0/unique: gaussian FLOAT values can't be unique; use a uniform INTEGER, DATE or DATETIME, a categorical with equal probabilities, a sequence or a uuid");
        insta::assert_snapshot!(faults("FLOAT", r#"{"type": "uniform", "min": 0, "max": 1}"#, UNIQUE), @"/features/0/unique: uniform FLOAT values can't be unique; use a uniform INTEGER, DATE or DATETIME, a categorical with equal probabilities, a sequence or a uuid");
        insta::assert_snapshot!(faults("INTEGER", DICE, r#""unique": 1"#), @"/features/0/unique: must be true or false, but is 1");
        insta::assert_snapshot!(faults("INTEGER", r#"{"type": "sequence", "step": 0}"#, UNIQUE), @"/features/0/unique: needs a `step` other than 0");
        insta::assert_snapshot!(faults("STRING", r#"{"type": "pattern", "regex": "[a-z]{8}"}"#, UNIQUE), @"/features/0/unique: is not possible with a pattern, because different choices can give the same string; use uuid or a uniform INTEGER");
        insta::assert_snapshot!(faults("BOOLEAN", r#"{"type": "categorical", "categories": [{"value": true, "probability": 0.4}, {"value": false, "probability": 0.6}]}"#, UNIQUE), @"/features/0/unique: needs categories of equal probabilities, because each is drawn once");
        insta::assert_snapshot!(faults("FLOAT", r#"{"type": "categorical", "categories": [{"value": 1.1, "probability": 0.5}, {"value": 1.2, "probability": 0.5}]}"#, r#""unique": true, "decimals": 0"#), @"/features/0/decimals: can make unique values equal; remove `unique` or `decimals`");
        insta::assert_snapshot!(faults("INTEGER", r#"{"type": "uniform", "min": 1}"#, UNIQUE), @"/features/0/distribution: `max` is missing");
    }

    proptest! {
        #[test]
        fn no_value_occurs_twice(seed: u64, min: i64, more in 0..5_000_u64, rows in 1..5_000_usize) {
            let max = min.saturating_add_unsigned(more);
            let text = feature("INTEGER", &format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#), UNIQUE);
            if parse(&text).check_size(rows).is_ok() {
                let values = numbers(&cells(&text, seed, 0, rows));
                prop_assert!(values.iter().all(|value| (min.into()..=max.into()).contains(value)));
                prop_assert!(distinct(values));
            } else {
                prop_assert!(rows as u64 > max.abs_diff(min) + 1);
            }
        }

        #[test]
        fn any_range_of_rows_is_a_piece_of_the_whole(seed: u64, max in 0..1_000_u64, first in 0..600_usize, rows in 0..600_usize) {
            let text = feature("INTEGER", &format!(r#"{{"type": "uniform", "min": 0, "max": {max}}}"#), UNIQUE);
            let whole = numbers(&cells(&text, seed, 0, first + rows));
            prop_assert_eq!(&numbers(&cells(&text, seed, first as u64, rows))[..], &whole[first..]);
        }
    }
}

mod edge_cases {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn half(feature_type: &str, distribution: &str) -> String {
        feature(
            feature_type,
            distribution,
            r#""edge_cases": {"probability": 0.5}"#,
        )
    }

    /// The cells as text, which distinguishes all floats.
    fn texts(cells: &Cells) -> Vec<String> {
        match cells {
            Cells::Float(values) => values.iter().map(|value| format!("{value:?}")).collect(),
            Cells::Integer(values) | Cells::Date(values) | Cells::DateTime(values) => {
                values.iter().map(i64::to_string).collect()
            }
            Cells::Unsigned(values) => values.iter().map(u64::to_string).collect(),
            Cells::Boolean(values) => values.iter().map(bool::to_string).collect(),
            Cells::Text(values) => values.iter().map(str::to_owned).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// All edge values, in the order of the first cycle: only edge rows, until a value repeats.
    fn cycle(feature_type: &str, distribution: &str, seed: u64) -> Vec<String> {
        let all = feature(
            feature_type,
            distribution,
            r#""edge_cases": {"probability": 1}"#,
        );
        let mut seen = Vec::new();
        for text in texts(&cells(&all, seed, 0, 100)) {
            if seen.contains(&text) {
                break;
            }
            seen.push(text);
        }
        seen
    }

    #[test]
    fn edge_values_of_the_type_stay_within_the_bounds_of_the_distribution() {
        let said = |feature_type, distribution| {
            let mut values = cycle(feature_type, distribution, 7);
            values.sort();
            values.join(" ")
        };
        insta::assert_snapshot!(said("FLOAT", GAUSSIAN), @"-0.0 -1.0 -1.7976931348623157e308 0.0 0.9999999999999999 1.0 1.0000000000000002 1.7976931348623157e308 2.2250738585072014e-308 5e-324 9007199254740991.0 9007199254740992.0 9007199254740994.0");
        insta::assert_snapshot!(said("FLOAT", r#"{"type": "uniform", "min": 0, "max": 2.5}"#), @"-0.0 0.0 0.9999999999999999 1.0 1.0000000000000002 2.2250738585072014e-308 2.5 5e-324");
        insta::assert_snapshot!(said("INTEGER", r#"{"type": "poisson", "rate": 3}"#), @"-1 -2147483648 -9223372036854775808 0 1 2147483647 2147483648 4294967295 4294967296 9007199254740991 9007199254740992 9007199254740993 9223372036854775807");
        insta::assert_snapshot!(said("INTEGER", r#"{"type": "uniform", "min": 1, "max": 20}"#), @"1 20");
        insta::assert_snapshot!(said("INTEGER", r#"{"type": "uniform", "min": 1, "max": 18446744073709551615}"#), @"1 18446744073709551615 2147483647 2147483648 4294967295 4294967296 9007199254740991 9007199254740992 9007199254740993 9223372036854775807 9223372036854775808");
        insta::assert_snapshot!(said("BOOLEAN", r#"{"type": "bernoulli", "p": 0}"#), @"false true");
        insta::assert_snapshot!(said("DATE", r#"{"type": "uniform", "min": "2000-01-01", "max": "2024-02-29"}"#), @"10957 11016 19416 19417 19722 19782");
        insta::assert_snapshot!(said("DATETIME", r#"{"type": "constant", "value": "2000-01-01T00:00:00Z"}"#), @"-1 -2203891201 -62167219200 0 1677628800 1709251199 1735689599 2147483647 2147483648 253402300799 951782400");
        assert_eq!(cycle("STRING", r#"{"type": "uuid"}"#, 7).len(), 11);
    }

    #[test]
    fn a_share_of_the_rows_has_them_and_the_others_keep_their_values() {
        let plain = feature("FLOAT", GAUSSIAN, r#""null_probability": 0"#);
        let plain = texts(&cells(&plain, 7, 0, 6400));
        for (p, expected) in [(0.25, 1600), (0.01, 64), (1.0, 6400)] {
            let text = feature(
                "FLOAT",
                GAUSSIAN,
                &format!(r#""edge_cases": {{"probability": {p}}}"#),
            );
            let edged = texts(&cells(&text, 7, 0, 6400));
            let edges = edged.iter().zip(&plain).filter(|(one, other)| one != other);
            assert_eq!(edges.count(), expected, "{p}");
        }
    }

    #[test]
    fn the_rows_depend_on_the_seed() {
        let text = half("FLOAT", GAUSSIAN);
        let rows = |seed| {
            let edged = texts(&cells(&text, seed, 0, 64));
            let plain = feature("FLOAT", GAUSSIAN, r#""null_probability": 0"#);
            let plain = texts(&cells(&plain, seed, 0, 64));
            (0..64)
                .filter(|&row| edged[row] != plain[row])
                .collect::<Vec<_>>()
        };
        assert_ne!(rows(1), rows(2));
        assert_ne!(rows(1), (0..32).collect::<Vec<_>>());
    }

    #[test]
    fn nulls_are_not_replaced_and_edge_values_not_rounded() {
        let text = feature(
            "FLOAT",
            GAUSSIAN,
            r#""edge_cases": {"probability": 1}, "decimals": 0, "null_probability": 0.5"#,
        );
        let column = column(&parse(&text), 7, 0, 100);
        assert!((0..100).any(|row| column.is_null(row)));
        assert!(texts(column.cells()).contains(&"5e-324".to_owned()));
    }

    #[test]
    fn a_column_of_large_integers_holds_the_small_edge_values_too() {
        let text = half(
            "INTEGER",
            r#"{"type": "constant", "value": 18446744073709551614}"#,
        );
        let values: BTreeSet<String> = texts(&cells(&text, 7, 0, 128)).into_iter().collect();
        for value in [
            "0",
            "9223372036854775808",
            "18446744073709551614",
            "18446744073709551615",
        ] {
            assert!(values.contains(value), "{value}");
        }
    }

    #[test]
    fn the_canonical_form_keeps_them_if_there_are_any() {
        let definition = parse(&half("FLOAT", GAUSSIAN));
        insta::assert_snapshot!(definition.canonical(), @r#"{"features":[{"distribution":{"mu":20.0,"sigma":5.0,"type":"gaussian"},"edge_cases":{"probability":0.5},"feature_name":"x","type":"FLOAT"}]}"#);
        assert_eq!(parse(&definition.canonical()), definition);
        let none = parse(&feature(
            "FLOAT",
            GAUSSIAN,
            r#""edge_cases": {"probability": 0}"#,
        ));
        assert!(!none.canonical().contains("edge_cases"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""edge_cases": 0.1"#), @"/features/0/edge_cases: `edge_cases` must be an object, but this is 0.1");
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""edge_cases": {}"#), @"/features/0/edge_cases: `probability` is missing");
        insta::assert_snapshot!(faults("FLOAT", GAUSSIAN, r#""edge_cases": {"probability": 1.1, "values": []}"#), @"/features/0/edge_cases/probability: must be between 0 and 1, but is 1.1 | /features/0/edge_cases/values: must not be empty");
        insta::assert_snapshot!(faults("INTEGER", r#"{"type": "uniform", "min": 1, "max": 6}"#, r#""unique": true, "edge_cases": {"probability": 0.1}"#), @"/features/0/edge_cases: repeats values; remove `unique` or `edge_cases`");
    }

    const KINDS: [(&str, &str); 5] = [
        ("FLOAT", GAUSSIAN),
        ("INTEGER", r#"{"type": "constant", "value": 17}"#),
        ("STRING", r#"{"type": "uuid"}"#),
        ("DATE", r#"{"type": "constant", "value": "2001-01-01"}"#),
        (
            "DATETIME",
            r#"{"type": "constant", "value": "2001-01-01T00:00:07Z"}"#,
        ),
    ];

    proptest! {
        #[test]
        fn every_edge_value_comes_before_any_comes_again(kind in 0..5_usize, seed: u64, p in 0.01..=1.0) {
            let (feature_type, distribution) = KINDS[kind];
            let edge_values: BTreeSet<String> = cycle(feature_type, distribution, seed).into_iter().collect();
            let text = feature(feature_type, distribution, &format!(r#""edge_cases": {{"probability": {p}}}"#));
            let plain = feature(feature_type, distribution, r#""null_probability": 0"#);
            let rows = 64 + (2.0 * edge_values.len() as f64 / p) as usize + 64;
            // The distribution itself doesn't draw any of them.
            let plain = texts(&cells(&plain, seed, 0, rows));
            let edged = texts(&cells(&text, seed, 0, rows));
            let edges: Vec<&String> = (0..rows).filter(|&row| edged[row] != plain[row]).map(|row| &edged[row]).collect();
                for cycle in edges.chunks_exact(edge_values.len()) {
                    prop_assert_eq!(cycle.iter().copied().collect::<BTreeSet<_>>(), edge_values.iter().collect());
                }
            prop_assert!(edges.len() >= 2 * edge_values.len());
        }

        #[test]
        fn any_range_of_rows_is_a_piece_of_the_whole(kind in 0..5_usize, seed: u64, p in 0.0..=1.0, first in 0..300_usize, rows in 0..300_usize) {
            let (feature_type, distribution) = KINDS[kind];
            let text = feature(feature_type, distribution, &format!(r#""edge_cases": {{"probability": {p}}}"#));
            let whole = texts(&cells(&text, seed, 0, first + rows));
            prop_assert_eq!(&texts(&cells(&text, seed, first as u64, rows))[..], &whole[first..]);
        }
    }
}

mod listed_edge_cases {
    use super::*;
    use proptest::prelude::*;

    const DICE: &str = r#"{"type": "uniform", "min": 1, "max": 1000}"#;

    fn integers(text: &str, rows: usize) -> Vec<i64> {
        match cells(text, 7, 0, rows) {
            Cells::Integer(values) => values,
            other => panic!("{other:?}"),
        }
    }

    fn listed(share: f64, values: &str) -> String {
        let edge_cases = format!(r#""edge_cases": {{"probability": {share}, "values": {values}}}"#);
        feature("INTEGER", DICE, &edge_cases)
    }

    #[test]
    fn each_occurs_once_before_any_occurs_again() {
        let plain = integers(&feature("INTEGER", DICE, r#""null_probability": 0"#), 640);
        let with = integers(&listed(0.1, "[14, 15, 16]"), 640);
        let replaced = plain
            .iter()
            .zip(&with)
            .filter(|(plain, with)| plain != with);
        let replaced: Vec<i64> = replaced.map(|(_, with)| *with).collect();
        assert_eq!(replaced.len(), 64);
        for cycle in replaced.chunks_exact(3) {
            let mut cycle = cycle.to_vec();
            cycle.sort_unstable();
            assert_eq!(cycle, [14, 15, 16]);
        }
    }

    #[test]
    fn edge_values_of_the_type_keep_their_rows() {
        let any = r#"{"type": "any", "min": 1, "max": 1000}"#;
        let plain = integers(&feature("INTEGER", any, r#""null_probability": 0"#), 300);
        let edge_cases = r#""edge_cases": {"probability": 0.2, "values": [14, 15, 16]}"#;
        let with = integers(&feature("INTEGER", any, edge_cases), 300);
        let others = plain
            .iter()
            .zip(&with)
            .filter(|(_, with)| !(14..=16).contains(*with));
        assert!(others.clone().count() > 200);
        assert!(others.clone().all(|(plain, with)| plain == with));
        // The stated share has the same effect as a single number.
        let usual = r#""edge_cases": {"probability": 0.3}"#;
        let both = r#""edge_cases": {"probability": 0, "usual": 0.3, "values": [14]}"#;
        let [usual, both] = [usual, both].map(|it| integers(&feature("INTEGER", DICE, it), 300));
        assert_eq!(usual, both);
    }

    #[test]
    fn the_canonical_form_has_both_shares() {
        let definition = parse(&listed(0.05, "[16, 14]"));
        insta::assert_snapshot!(definition.canonical(), @r#"{"features":[{"distribution":{"max":1000,"min":1,"type":"uniform"},"edge_cases":{"probability":0.05,"usual":0.0,"values":[16,14]},"feature_name":"x","type":"INTEGER"}]}"#);
        assert_eq!(parse(&definition.canonical()), definition);
        let any = parse(&feature(
            "STRING",
            r#"{"type": "any"}"#,
            r#""edge_cases": {"probability": 0.05, "values": ["X-RAY"]}"#,
        ));
        assert!(
            any.canonical()
                .contains(r#"{"probability":0.05,"usual":0.25,"values":["X-RAY"]}"#)
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let values =
            |values: &str| format!(r#""edge_cases": {{"probability": 0.1, "values": {values}}}"#);
        let of =
            |kind: &str, distribution: &str, list: &str| faults(kind, distribution, &values(list));
        insta::assert_snapshot!(of("INTEGER", DICE, "[5, 0, 1.5, 1001, 5]"), @"/features/0/edge_cases/values/1: is below the `min` of uniform, 1; remove it, or lower `min` | /features/0/edge_cases/values/2: must be a 64-bit integer, but is 1.5 | /features/0/edge_cases/values/3: is above the `max` of uniform, 1000; remove it, or raise `max` | /features/0/edge_cases/values/4: the value 5 is listed twice");
        insta::assert_snapshot!(of("INTEGER", DICE, "[]"), @"/features/0/edge_cases/values: must not be empty");
        insta::assert_snapshot!(of("INTEGER", DICE, "5"), @"/features/0/edge_cases/values: must be a list, but is 5");
        insta::assert_snapshot!(of("STRING", r#"{"type": "any", "max_length": 3}"#, r#"["abcd"]"#), @"/features/0/edge_cases/values/0: has length 4, but the length of any is from 0 to 3; remove it, or change the length");
        insta::assert_snapshot!(of("BYTES", r#"{"type": "any", "length": 2}"#, r#"["abc"]"#), @"/features/0/edge_cases/values/0: has length 3, but the length of any is from 2 to 2; remove it, or change the length");
        insta::assert_snapshot!(of("INTEGER", r#"{"type": "uniform", "min": 0, "max": 18446744073709551615}"#, "[-1]"), @"/features/0/edge_cases/values/0: is below the `min` of uniform, 0; remove it, or lower `min`");
        insta::assert_snapshot!(of("INTEGER", r#"{"type": "poisson", "rate": 3}"#, "[9223372036854775808]"), @"/features/0/edge_cases/values/0: is outside i64, but poisson draws integers within it; remove it");
        insta::assert_snapshot!(faults("FLOAT", r#"{"type": "any"}"#, &format!(r#""decimals": 1, {}"#, values("[0.25]"))), @"/features/0/edge_cases/values/0: has more than 1 `decimals`; round it");
        insta::assert_snapshot!(faults("INTEGER", DICE, r#""edge_cases": {"probability": 0.1, "usual": 0.1}"#), @"/features/0/edge_cases/usual: is the share of edge values other than `values`; add `values`, or remove it");
        insta::assert_snapshot!(faults("INTEGER", DICE, r#""edge_cases": {"values": [5], "usual": 2}"#), @"/features/0/edge_cases: `probability` is missing | /features/0/edge_cases/usual: must be between 0 and 1, but is 2");
        insta::assert_snapshot!(faults("INTEGER", DICE, &format!(r#""unique": true, {}"#, values("[5]"))), @"/features/0/edge_cases: repeats values; remove `unique` or `edge_cases`");
        let list =
            r#"{"type": "list", "element": {"type": "BOOLEAN", "distribution": {"type": "any"}}}"#;
        insta::assert_snapshot!(of("LIST", list, "[[true]]"), @"/features/0/edge_cases: LIST has no edge values; state them for its parts");
        let covered = listed(0.1, "[5]").replace(
            r#""features""#,
            r#""coverage": {"strength": 2, "features": ["x"]}, "features""#,
        );
        insta::assert_snapshot!(Definition::parse(&covered).unwrap_err(), @"/coverage/features/0: `x` has `edge_cases`, which replace the values of its levels; remove one of the two");
    }

    proptest! {
        /// For rows and elements, unlisted values stay the same.
        #[test]
        fn other_values_keep_their_bits(seed: u64, share in 0.0..=1.0, usual in 0.0..=1.0) {
            let element = |members: &str| format!(r#"{{"type": "INTEGER", "distribution": {DICE}, {members}}}"#);
            let list = |members: &str| feature("LIST", &format!(r#"{{"type": "list", "length": 4, "element": {}}}"#, element(members)), r#""null_probability": 0"#);
            let plain = format!(r#""edge_cases": {{"probability": {usual}}}"#);
            let with = format!(r#""edge_cases": {{"probability": {share}, "usual": {usual}, "values": [400, 401]}}"#);
            for [plain, with] in [
                [feature("INTEGER", DICE, &plain), feature("INTEGER", DICE, &with)],
                [list(&plain), list(&with)],
            ] {
                let numbers = |text: &str| match cells(text, seed, 0, 100) {
                    Cells::Integer(values) => values,
                    Cells::List(lists) => match lists.elements().cells() {
                        Cells::Integer(values) => values.clone(),
                        other => panic!("{other:?}"),
                    },
                    other => panic!("{other:?}"),
                };
                let (plain, with) = (numbers(&plain), numbers(&with));
                prop_assert!(plain.iter().zip(&with).all(|(plain, with)| plain == with || [400, 401].contains(with)));
            }
        }
    }
}
