//! The distribution `any`: full ranges, all magnitudes alike, including edge values.

use crate::rows;
use std::collections::BTreeSet;

use crate::rows::column;
use proptest::prelude::*;
use tdg_definition::{Cells, Column, Definition, calendar};

/// A feature of `any` with these parameters and members.
fn feature(feature_type: &str, parameters: &str, members: &str) -> String {
    format!(
        r#"{{"feature_name": "x", "type": "{feature_type}", "distribution": {{"type": "any"{parameters}}}{members}}}"#
    )
}

fn definition(feature: &str) -> Definition {
    let definition = Definition::parse(&format!(r#"{{"features": [{feature}]}}"#));
    definition.unwrap_or_else(|faults| panic!("{feature}: {faults}"))
}

fn drawn(feature: &str, seed: u64, rows: usize) -> Column {
    column(&definition(feature), seed, 0, rows)
}

fn integers(column: &Column) -> Vec<i128> {
    match column.cells() {
        Cells::Integer(values) => values.iter().copied().map(i128::from).collect(),
        Cells::Unsigned(values) => values.iter().copied().map(i128::from).collect(),
        other => panic!("{other:?}"),
    }
}

fn floats(column: &Column) -> Vec<f64> {
    match column.cells() {
        Cells::Float(values) => values.clone(),
        other => panic!("{other:?}"),
    }
}

fn strings(column: &Column) -> Vec<String> {
    match column.cells() {
        Cells::Text(values) => values.iter().map(str::to_owned).collect(),
        other => panic!("{other:?}"),
    }
}

fn days(column: &Column) -> Vec<(i64, i64, i64)> {
    match column.cells() {
        Cells::Date(values) => values.iter().copied().map(calendar::date_of).collect(),
        other => panic!("{other:?}"),
    }
}

/// Disables edge cases.
const ALONE: &str = r#", "edge_cases": {"probability": 0}"#;

/// Returns true if `count` of `rows` rows matches a probability within five standard deviations.
fn is_share(count: usize, rows: usize, probability: f64) -> bool {
    let expected = rows as f64 * probability;
    (count as f64 - expected).abs() < 5.0 * (expected * (1.0 - probability)).sqrt()
}

#[test]
fn every_magnitude_of_both_signs_is_equally_likely() {
    let values = integers(&drawn(&feature("INTEGER", "", ALONE), 0, 10_000));
    // 0, and for each sign 63 powers of two below 2⁶³ and the powers of ten that aren't among them.
    let powers = (0..64)
        .map(|k| 1 << k)
        .chain((0..19).map(|k| 10_i128.pow(k)));
    let powers: Vec<i128> = powers.collect::<BTreeSet<_>>().into_iter().collect();
    let magnitude = |value: i128| powers.iter().filter(|power| **power <= value.abs()).count();
    // Negative ones reach 2⁶³ itself.
    let all = 2 * (powers.len() - 1) + 2;
    let share = 1.0 / all as f64;
    for number in 1..powers.len() {
        for sign in [-1, 1] {
            let is_it = |value: &&i128| value.signum() == sign && magnitude(**value) == number;
            let count = values.iter().filter(is_it).count();
            assert!(
                is_share(count, values.len(), share),
                "{sign} {number}: {count}"
            );
        }
    }
    let negative = values.iter().filter(|value| **value < 0).count();
    assert!(is_share(negative, values.len(), 0.5));
    // The ends of magnitudes, which are next to powers of two and of ten.
    for end in [
        9, 10, 99, 100, 127, 128, 255, 256, 999, 1000, -9, -128, -1000,
    ] {
        assert!(values.contains(&end), "{end}");
    }
}

#[test]
fn a_byte_has_all_its_values() {
    let bounds = r#", "min": 0, "max": 255"#;
    let values = integers(&drawn(&feature("INTEGER", bounds, ALONE), 0, 10_000));
    let different: BTreeSet<_> = values.iter().collect();
    assert_eq!(different.len(), 256);
    let small = values.iter().filter(|value| **value < 16).count();
    // 0, 1, 2 to 3, 4 to 7, 8 to 9, 10 to 15 of eleven magnitudes.
    assert!(is_share(small, values.len(), 6.0 / 11.0));
}

#[test]
fn floats_are_of_every_magnitude_and_half_of_them_have_few_decimals() {
    let values = floats(&drawn(&feature("FLOAT", "", ALONE), 0, 10_000));
    let negative = values.iter().filter(|value| **value < 0.0).count();
    assert!(
        is_share(negative, values.len(), 0.5 * (1.0 - 1.0 / 146.0)),
        "{negative}"
    );
    let has_decimals = |value: &&f64| {
        let thousandths = **value * 1000.0;
        thousandths.abs() < 1e19 && (thousandths.round() / 1000.0).to_bits() == value.to_bits()
    };
    let decimal = values.iter().filter(has_decimals).count();
    assert!((4_900..5_400).contains(&decimal), "{decimal}");
    for exponent in (-308..308).step_by(22) {
        for sign in [-1.0, 1.0] {
            let from = format!("1e{exponent}").parse::<f64>().unwrap();
            let to = format!("1e{}", exponent + 22)
                .parse::<f64>()
                .unwrap_or(f64::MAX);
            let is_it = |value: &&f64| (from..to).contains(&(sign * **value));
            assert!(
                values.iter().filter(is_it).count() > 50,
                "{sign} {exponent}"
            );
        }
    }
    assert!(values.iter().any(|value| value.is_subnormal()));
    let whole = values
        .iter()
        .filter(|value| value.fract() == 0.0 && value.abs() < 1e6);
    assert!(whole.count() > 400);
}

#[test]
fn a_share_is_not_always_next_to_nothing() {
    let bounds = r#", "min": 0, "max": 1"#;
    let values = floats(&drawn(&feature("FLOAT", bounds, ALONE), 0, 1_000));
    assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
    assert!(values.iter().all(|value| *value == 0.0 || *value >= 5e-20));
    assert!(values.iter().filter(|value| **value > 0.1).count() > 200);
}

#[test]
fn strings_are_of_all_lengths_and_kinds_of_characters() {
    let values = strings(&drawn(&feature("STRING", "", ALONE), 0, 10_000));
    let lengths: BTreeSet<_> = values.iter().map(|value| value.chars().count()).collect();
    assert_eq!(lengths, (0..=64).collect());
    let ascii = values
        .iter()
        .filter(|value| value.chars().all(|c| (' '..='~').contains(&c)));
    assert!((5_000..6_500).contains(&ascii.count()));
    let has = |wanted: &dyn Fn(char) -> bool| {
        values
            .iter()
            .filter(|value| value.chars().any(wanted))
            .count()
    };
    for character in [
        '\0', '\n', '\r', '\t', '"', '\'', '\\', 'é', '\u{301}', 'ß', 'Ж', 'א', '\u{202e}',
    ] {
        assert!(has(&|c| c == character) > 30, "{character:?}");
    }
    assert!(has(&|c| ('\u{1f300}'..='\u{1f64f}').contains(&c)) > 1_000);
    assert!(has(&|c| c > '\u{ffff}') > 1_000);
}

#[test]
fn lengths_are_within_their_bounds_and_reach_them() {
    let bounds = r#", "min_length": 3, "max_length": 80"#;
    let values = strings(&drawn(&feature("STRING", bounds, ""), 0, 1_000));
    let lengths: BTreeSet<_> = values.iter().map(|value| value.chars().count()).collect();
    assert_eq!(lengths, (3..=67).chain([80]).collect());
    let one = r#", "min_length": 1, "max_length": 1"#;
    let values = strings(&drawn(&feature("STRING", one, ""), 0, 1_000));
    assert!(values.iter().all(|value| value.chars().count() == 1));
    let none = r#", "max_length": 0"#;
    assert_eq!(strings(&drawn(&feature("STRING", none, ""), 0, 9)), [""; 9]);
}

#[test]
fn days_are_of_the_whole_calendar() {
    let values = days(&drawn(&feature("DATE", "", ALONE), 0, 10_000));
    let near = values
        .iter()
        .filter(|(year, _, _)| (1900..2100).contains(year))
        .count();
    assert!(is_share(near, values.len(), 0.5 + 0.5 * 0.02));
    for century in 0..100 {
        assert!(
            values.iter().any(|(year, _, _)| year / 100 == century),
            "{century}"
        );
    }
    let days: BTreeSet<_> = values
        .iter()
        .map(|(_, month, day)| (*month, *day))
        .collect();
    assert_eq!(days.len(), 366);
    let leap = values
        .iter()
        .filter(|(_, month, day)| (*month, *day) == (2, 29))
        .count();
    assert!((30..120).contains(&leap), "{leap}");
    let first = values.iter().filter(|(_, _, day)| *day == 1).count();
    assert!(is_share(first, values.len(), 0.25 + 0.5 / 30.4), "{first}");
}

#[test]
fn times_are_often_at_an_end_of_their_day() {
    let column = drawn(&feature("DATETIME", "", ALONE), 0, 10_000);
    let Cells::DateTime(values) = column.cells() else {
        panic!("{column:?}")
    };
    let at = |second: i64| {
        values
            .iter()
            .filter(|value| value.rem_euclid(86_400) == second)
            .count()
    };
    assert!(is_share(at(0), 10_000, 0.25) && is_share(at(86_399), 10_000, 0.25));
}

#[test]
fn all_edge_values_are_in_the_first_64_rows() {
    for seed in 0..50 {
        let values = integers(&drawn(&feature("INTEGER", "", ""), seed, 64));
        for edge in [
            0,
            1,
            -1,
            i64::MAX,
            i64::MIN,
            1 << 53,
            i32::MAX.into(),
            u32::MAX.into(),
        ] {
            assert!(values.contains(&edge.into()), "seed {seed}: {edge}");
        }
        let unsigned = feature("INTEGER", r#", "max": 18446744073709551615"#, "");
        let values = integers(&drawn(&unsigned, seed, 64));
        assert!(values.contains(&u64::MAX.into()) && values.contains(&0));
        let values = integers(&drawn(
            &feature("INTEGER", r#", "min": -7, "max": 99"#, ""),
            seed,
            64,
        ));
        for edge in [-7, -1, 0, 1, 99] {
            assert!(values.contains(&edge), "seed {seed}: {edge}");
        }
        let values = floats(&drawn(&feature("FLOAT", "", ""), seed, 64));
        for edge in [
            0.0,
            -0.0,
            1.0,
            f64::MAX,
            f64::MIN,
            5e-324,
            f64::MIN_POSITIVE,
            1.0 + f64::EPSILON,
        ] {
            assert!(
                values.iter().any(|value| value.to_bits() == edge.to_bits()),
                "seed {seed}: {edge}"
            );
        }
        let values = strings(&drawn(&feature("STRING", "", ""), seed, 64));
        for edge in [
            "",
            " ",
            "null",
            "\0",
            "e\u{301}",
            "\u{130}",
            &"x".repeat(10_000),
        ] {
            assert!(
                values.iter().any(|value| value == edge),
                "seed {seed}: {edge}"
            );
        }
        let values = days(&drawn(&feature("DATE", "", ""), seed, 64));
        for edge in [
            (1970, 1, 1),
            (0, 1, 1),
            (9999, 12, 31),
            (2024, 2, 29),
            (2023, 2, 28),
        ] {
            assert!(values.contains(&edge), "seed {seed}: {edge:?}");
        }
    }
}

#[test]
fn a_boolean_is_true_in_half_of_the_rows() {
    let column = drawn(&feature("BOOLEAN", "", ""), 0, 10_000);
    let Cells::Boolean(values) = column.cells() else {
        panic!("{column:?}")
    };
    assert!(is_share(
        values.iter().filter(|value| **value).count(),
        10_000,
        0.5
    ));
}

#[test]
fn a_stated_share_of_edge_cases_replaces_the_usual_one() {
    let none = drawn(&feature("INTEGER", "", ALONE), 3, 1_000);
    let usual = drawn(&feature("INTEGER", "", ""), 3, 1_000);
    let half = drawn(
        &feature("INTEGER", "", r#", "edge_cases": {"probability": 0.5}"#),
        3,
        1_000,
    );
    let replaced = |column: &Column| {
        let pairs = integers(column).into_iter().zip(integers(&none));
        pairs.filter(|(value, alone)| value != alone).count()
    };
    // An edge value can equal the value that it replaces.
    assert!((240..=250).contains(&replaced(&usual)));
    assert!((490..=500).contains(&replaced(&half)));
}

#[test]
fn decimals_leave_out_edge_values_that_are_not_round() {
    let values = floats(&drawn(
        &feature("FLOAT", "", r#", "decimals": 2"#),
        0,
        1_000,
    ));
    for value in values {
        let hundredths = value * 100.0;
        assert!(
            hundredths.abs() >= 1e15 || hundredths.round() / 100.0 == value,
            "{value:e}"
        );
    }
}

#[test]
fn a_string_of_such_a_length_can_be_drawn() {
    let bounds = r#", "min_length": 2, "max_length": 3"#;
    let text = definition(&feature("STRING", bounds, ""));
    let admits = |value: &str| text.features()[0].admits(&value.into());
    assert!(admits("ab") && admits("äöü"));
    assert!(!admits("a") && !admits("abcd"));
}

#[test]
fn the_canonical_form_states_what_is_meant() {
    let canonical = |feature: &str| {
        let definition = definition(feature);
        let canonical = definition.canonical();
        assert_eq!(Definition::parse(&canonical).unwrap(), definition);
        canonical
    };
    insta::assert_snapshot!(canonical(&feature("INTEGER", "", "")), @r#"{"features":[{"distribution":{"max":9223372036854775807,"min":-9223372036854775808,"type":"any"},"edge_cases":{"probability":0.25},"feature_name":"x","type":"INTEGER"}]}"#);
    insta::assert_snapshot!(canonical(&feature("INTEGER", r#", "low": 9223372036854775808"#, ALONE)), @r#"{"features":[{"distribution":{"max":18446744073709551615,"min":9223372036854775808,"type":"any"},"edge_cases":{"probability":0.0},"feature_name":"x","type":"INTEGER"}]}"#);
    insta::assert_snapshot!(canonical(&feature("FLOAT", r#", "min": 0"#, "")), @r#"{"features":[{"distribution":{"max":1.7976931348623157e308,"min":0.0,"type":"any"},"edge_cases":{"probability":0.25},"feature_name":"x","type":"FLOAT"}]}"#);
    insta::assert_snapshot!(canonical(&feature("STRING", "", "")), @r#"{"features":[{"distribution":{"max_length":10000,"min_length":0,"type":"any"},"edge_cases":{"probability":0.25},"feature_name":"x","type":"STRING"}]}"#);
    insta::assert_snapshot!(canonical(&feature("BOOLEAN", "", "")), @r#"{"features":[{"distribution":{"p":0.5,"type":"bernoulli"},"feature_name":"x","type":"BOOLEAN"}]}"#);
    insta::assert_snapshot!(canonical(&feature("DATE", "", "")), @r#"{"features":[{"distribution":{"type":"any"},"edge_cases":{"probability":0.25},"feature_name":"x","type":"DATE"}]}"#);
}

#[test]
fn what_can_not_be_drawn_is_refused() {
    let said = |members: &str| {
        let faults = Definition::parse(&format!("{{{members}}}")).unwrap_err();
        faults.to_string()
    };
    let one = |feature_type, parameters, members| {
        let feature = feature(feature_type, parameters, members);
        said(&format!(r#""features": [{feature}]"#))
    };
    insta::assert_snapshot!(one("INTEGER", r#", "min": 3, "max": 2"#, ""), @"/features/0/distribution: `min` must not be greater than `max`");
    insta::assert_snapshot!(one("INTEGER", r#", "min": -1, "max": 18446744073709551615"#, ""), @"/features/0/distribution: the range must be within i64 or within u64");
    insta::assert_snapshot!(one("INTEGER", r#", "min": 0.5"#, ""), @"/features/0/distribution/min: must be a 64-bit integer, but is 0.5");
    insta::assert_snapshot!(one("FLOAT", r#", "min": 1, "max": 0"#, ""), @"/features/0/distribution: `min` must not be greater than `max`");
    insta::assert_snapshot!(one("FLOAT", r#", "maximum": 1"#, ""), @"/features/0/distribution/maximum: unknown; expected one of: type, min, max");
    insta::assert_snapshot!(one("STRING", r#", "max": 9"#, ""), @"/features/0/distribution/max: the bounds of a string are its lengths; write `max_length`");
    insta::assert_snapshot!(one("STRING", r#", "min_length": 9, "max_length": 8"#, ""), @"/features/0/distribution: `min_length` must not be greater than `max_length`");
    insta::assert_snapshot!(one("STRING", r#", "max_length": 10001"#, ""), @"/features/0/distribution/max_length: must be from 0 to 10000 characters, but is 10001");
    insta::assert_snapshot!(one("DATE", r#", "min": "2020-01-01""#, ""), @"/features/0/distribution/min: unknown; expected one of: type");
    insta::assert_snapshot!(one("INTEGER", "", r#", "unique": true"#), @"/features/0/unique: any INTEGER values can't be unique; use a uniform INTEGER, DATE or DATETIME, a categorical with equal probabilities, a sequence or a uuid");
    let gaussian = r#"{"feature_name": "y", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}}"#;
    let low = r#", "max": -100"#;
    let related = |members, relation| {
        let any = feature("FLOAT", low, members);
        said(&format!(r#""features": [{any}, {gaussian}], {relation}"#))
    };
    insta::assert_snapshot!(related("", r#""correlations": [{"features": ["x", "y"], "correlation": 0.5}]"#), @"/correlations/0/features/0: `x` is any, which takes several random numbers for each value; use a distribution that takes one, such as gaussian or uniform");
    insta::assert_snapshot!(related("", r#""coverage": {"strength": 2, "features": ["x", "y"]}"#), @"/coverage/features/0: `x` is any, which takes several random numbers for each value; use a distribution that takes one, such as gaussian or uniform");
    insta::assert_snapshot!(related("", r#""order": [["x", "y"]]"#), @"
    /order/0/0: `x` is any, whose edge cases are placed after sorting; give it `edge_cases` of probability 0
    /order/0/1: `y` can be less than -1.7976931348623157e308, the minimum of `x`, which would get that value; raise the minimum of `y` or lower the minimum of `x`
    ");
}

#[test]
fn without_edge_cases_it_can_be_in_order() {
    let any = feature("INTEGER", "", ALONE);
    let text = format!(
        r#"{{"features": [{any}, {}], "order": [["x", "y"]]}}"#,
        any.replace("\"x\"", "\"y\"")
    );
    let columns = rows::columns(&Definition::parse(&text).unwrap(), 0, 0, 1_000);
    let pairs = integers(&columns[0]).into_iter().zip(integers(&columns[1]));
    assert!(pairs.into_iter().all(|(x, y)| x <= y));
}

proptest! {
    #[test]
    fn integers_stay_within_their_bounds_and_reach_them(a: i64, b: i64, seed: u64) {
        let (min, max) = (a.min(b), a.max(b));
        let bounds = format!(r#", "min": {min}, "max": {max}"#);
        let values = integers(&drawn(&feature("INTEGER", &bounds, ""), seed, 64));
        prop_assert!(values.iter().all(|value| (min.into()..=max.into()).contains(value)));
        prop_assert!(values.contains(&min.into()) && values.contains(&max.into()));
    }

    #[test]
    fn floats_stay_within_their_bounds_and_reach_them(a: f64, b: f64, seed: u64) {
        prop_assume!(a.is_finite() && b.is_finite());
        let (min, max) = (a.min(b), a.max(b));
        let bounds = format!(r#", "min": {min:e}, "max": {max:e}"#);
        let values = floats(&drawn(&feature("FLOAT", &bounds, ""), seed, 64));
        prop_assert!(values.iter().all(|value| (min..=max).contains(value)));
        prop_assert!(values.contains(&min) && values.contains(&max));
    }
}
