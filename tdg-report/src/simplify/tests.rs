use proptest::prelude::*;
use tdg_definition::{Definition, json};

use super::*;
use tdg_engine::Vectors;

fn definition(features: &[&str]) -> Definition {
    let features = features.join(",");
    Definition::parse(&format!(r#"{{"features": [{features}]}}"#)).unwrap()
}

fn one(feature_type: &str, rest: &str) -> Definition {
    definition(&[&format!(
        r#"{{"feature_name": "x", "type": "{feature_type}", {rest}}}"#
    )])
}

/// Returns the simplest value for which the predicate holds, starting from this one, as JSON.
fn simplest(definition: &Definition, value: &str, fails: impl Fn(&Value) -> bool) -> String {
    let row = vec![json::parse(value).unwrap()];
    assert!(fails(&row[0]), "{value}");
    let found = simplify(definition, row, &mut |row| fails(&row[0]));
    found.row[0].to_string()
}

const WIDE: &str = r#""distribution": {"type": "gaussian", "mu": 0, "sigma": 1e6}"#;
const COUNT: &str = r#""distribution": {"type": "uniform", "min": -1000000, "max": 1000000}"#;

#[test]
fn a_number_becomes_the_least_that_fails() {
    let float = one("FLOAT", WIDE);
    let number = |value: &Value| value.as_f64().unwrap();
    for (from, expected) in [
        ("4711.0815", "1001.0"),
        ("1e300", "1001.0"),
        ("1000.5", "1001.0"),
    ] {
        assert_eq!(simplest(&float, from, |it| number(it) > 1000.0), expected);
    }
    let below = |it: &Value| number(it) < -0.5;
    assert_eq!(simplest(&float, "-33.25", below), "-1.0");
    let between = |it: &Value| number(it) > 0.5 && number(it) < 0.53;
    assert_eq!(simplest(&float, "0.527183", between), "0.51");
    assert_eq!(simplest(&float, "-33.25", |_| true), "0.0");
    assert_eq!(simplest(&float, "-0.0", |_| true), "0.0");
    assert_eq!(simplest(&float, "5e-324", |it| number(it) > 0.0), "1.0");
    let integer = one("INTEGER", COUNT);
    assert_eq!(
        simplest(&integer, "999999", |it| it.as_i64() > Some(1000)),
        "1001"
    );
    assert_eq!(simplest(&integer, "-77", |it| it.as_i64() < Some(-5)), "-6");
    let either = |it: &Value| it.as_i64().unwrap().abs() > 5;
    assert_eq!(simplest(&integer, "-77", either), "6");
    let by_digits = |it: &Value| it.as_i64().unwrap() % 1000 == 7;
    assert_eq!(simplest(&integer, "930007", by_digits), "7");
}

#[test]
fn a_number_stays_within_bounds_decimals_and_categories() {
    let bounded = r#""distribution": {"type": "uniform", "min": 18, "max": 99}"#;
    assert_eq!(simplest(&one("INTEGER", bounded), "67", |_| true), "18");
    let negative = r#""distribution": {"type": "uniform", "min": -99, "max": -18}"#;
    assert_eq!(simplest(&one("INTEGER", negative), "-67", |_| true), "-18");
    let price = r#""decimals": 2, "distribution": {"type": "uniform", "min": 0, "max": 9}"#;
    let above = |it: &Value| it.as_f64() > Some(0.991) && it.as_f64() < Some(1.0);
    assert_eq!(simplest(&one("FLOAT", price), "0.998", above), "0.998");
    assert_eq!(
        simplest(&one("FLOAT", price), "0.995", |it| it.as_f64() < Some(1.0)),
        "0.0"
    );
    let listed = r#""distribution": {"type": "categorical", "categories": [
        {"value": 7, "probability": 0.2}, {"value": 3, "probability": 0.3},
        {"value": 5, "probability": 0.5}]}"#;
    assert_eq!(
        simplest(&one("INTEGER", listed), "5", |it| it.as_i64() < Some(6)),
        "3"
    );
    let constant = r#""distribution": {"type": "constant", "value": 7}"#;
    assert_eq!(simplest(&one("INTEGER", constant), "7", |_| true), "7");
    let apart = r#""distribution": {"type": "mixture", "components": [
        {"weight": 0.5, "distribution": {"type": "uniform", "min": 10, "max": 20}},
        {"weight": 0.5, "distribution": {"type": "uniform", "min": -4, "max": -2}}]}"#;
    assert_eq!(simplest(&one("INTEGER", apart), "17", |_| true), "-2");
    assert_eq!(
        simplest(&one("INTEGER", apart), "17", |it| it.as_i64() > Some(0)),
        "10"
    );
}

#[test]
fn null_is_the_simplest_where_it_can_be() {
    let optional = format!(r#"{WIDE}, "null_probability": 0.1"#);
    assert_eq!(simplest(&one("FLOAT", &optional), "3.5", |_| true), "null");
    assert_eq!(simplest(&one("FLOAT", WIDE), "3.5", |_| true), "0.0");
}

#[test]
fn a_string_becomes_short_and_plain_within_its_pattern() {
    let pattern = |regex: &str| {
        one(
            "STRING",
            &format!(r#""distribution": {{"type": "pattern", "regex": "{regex}"}}"#),
        )
    };
    let word = pattern("[A-Za-z]{3,12}");
    assert_eq!(simplest(&word, r#""QuickBrown""#, |_| true), r#""aaa""#);
    let has_w = |it: &Value| it.as_str().unwrap().contains('w');
    assert_eq!(simplest(&word, r#""QuickBrown""#, has_w), r#""awa""#);
    let code = pattern("(AB|CD)-[0-9]{4}");
    assert_eq!(simplest(&code, r#""CD-4711""#, |_| true), r#""AB-0000""#);
    let ends = |it: &Value| it.as_str().unwrap().ends_with("11");
    assert_eq!(simplest(&code, r#""CD-4711""#, ends), r#""CD-0011""#);
    let uuid = one("STRING", r#""distribution": {"type": "uuid"}"#);
    let drawn = r#""5f0c9d4e-7d1b-4c7e-9d0e-1b2f3a4c5d6e""#;
    assert_eq!(simplest(&uuid, drawn, |_| true), drawn);
}

#[test]
fn a_date_moves_to_a_round_one() {
    let date = one(
        "DATE",
        r#""distribution": {"type": "uniform", "min": "1990-03-05", "max": "2030-12-31"}"#,
    );
    assert_eq!(
        simplest(&date, r#""2024-07-19""#, |_| true),
        r#""2000-01-01""#
    );
    let after = |day: &'static str| move |it: &Value| it.as_str() > Some(day);
    assert_eq!(
        simplest(&date, r#""2024-07-19""#, after("2019-05-05")),
        r#""2020-01-01""#
    );
    let leap = |it: &Value| it.as_str().unwrap().ends_with("02-29");
    assert_eq!(simplest(&date, r#""2024-02-29""#, leap), r#""2024-02-29""#);
    let time = one(
        "DATETIME",
        r#""distribution": {"type": "uniform", "min": "2010-06-01T08:30:00Z", "max": "2030-12-31T00:00:00Z"}"#,
    );
    let noon = |it: &Value| it.as_str().unwrap().contains("T12:");
    assert_eq!(
        simplest(&time, r#""2024-07-19T08:30:01Z""#, |_| true),
        r#""2010-06-01T08:30:00Z""#
    );
    assert_eq!(
        simplest(&time, r#""2024-07-19T12:34:56Z""#, noon),
        r#""2024-07-19T12:00:00Z""#
    );
}

#[test]
fn features_in_order_stay_in_order() {
    let definition = Definition::parse(
        r#"{"order": [["start", "end"]], "features": [
        {"feature_name": "start", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 99}},
        {"feature_name": "end", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 99}}]}"#,
    )
    .unwrap();
    let row = vec![40.into(), 80.into()];
    let found = simplify(&definition, row, &mut |row| row[0].as_i64() > Some(20));
    assert_eq!(found.row, [21.into(), 21.into()]);
}

#[test]
fn calls_are_bounded() {
    let definition = one(
        "STRING",
        r#""distribution": {"type": "pattern", "regex": "[a-z]{0,900}"}"#,
    );
    let long = Value::from("az".repeat(450));
    let mut calls = 0;
    let found = simplify(&definition, vec![long], &mut |row| {
        calls += 1;
        let text = row[0].as_str().unwrap();
        text.len() > 300 && calls % 3 > 0
    });
    assert_eq!((found.calls, calls), (CALLS, CALLS));
}

/// Returns a definition with one feature of each kind.
fn mixed() -> Definition {
    definition(&[
        r#"{"feature_name": "a", "type": "FLOAT", "edge_cases": {"probability": 0.2}, "distribution": {"type": "lognormal", "mu": 3, "sigma": 2}}"#,
        r#"{"feature_name": "b", "type": "FLOAT", "decimals": 2, "null_probability": 0.2, "distribution": {"type": "gaussian", "mu": 0, "sigma": 50}}"#,
        r#"{"feature_name": "c", "type": "INTEGER", "distribution": {"type": "uniform", "min": -100, "max": 18446744}}"#,
        r#"{"feature_name": "d", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}}"#,
        r#"{"feature_name": "e", "type": "STRING", "distribution": {"type": "pattern", "regex": "[a-z]{2,9}(-[0-9]+)?"}}"#,
        r#"{"feature_name": "f", "type": "DATE", "distribution": {"type": "uniform", "min": "1980-01-01", "max": "2030-12-31"}}"#,
        r#"{"feature_name": "g", "type": "DATETIME", "edge_cases": {"probability": 0.3}, "distribution": {"type": "uniform", "min": "1980-01-01T00:00:00Z", "max": "2030-12-31T00:00:00Z"}}"#,
        r#"{"feature_name": "h", "type": "STRING", "distribution": {"type": "categorical", "categories": [
            {"value": "x", "probability": 0.3}, {"value": "y", "probability": 0.3}, {"value": "z", "probability": 0.4}]}}"#,
        r#"{"feature_name": "i", "type": "LIST", "null_probability": 0.2, "distribution": {"type": "list", "length": {"min": 1, "max": 4},
            "element": {"type": "VARIANT", "distribution": {"type": "variant", "variants": [{"variant": "Stop"},
                {"variant": "Go", "type": "DATE", "distribution": {"type": "any"}}]}}}}"#,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The predicate hashes parts of the row: it isn't monotonic and spans features.
    #[test]
    fn the_simplest_row_fails_within_its_definition_and_is_at_least_as_simple(
        seed in any::<u64>(), divisor in 1_usize..5, looked_at in prop::collection::vec(0_usize..9, 1..4),
    ) {
        let definition = mixed();
        let rows = Vectors::generate(&definition, seed, 1);
        let row: Vec<Value> = rows.cells(0).iter().map(|cell| json::parse(cell).unwrap()).collect();
        let hash = |row: &[Value]| {
            let texts = looked_at.iter().flat_map(|at| row[*at].to_string().into_bytes());
            texts.map(usize::from).sum::<usize>() % divisor
        };
        let hashed = hash(&row);
        let mut calls = 0;
        let found = simplify(&definition, row.clone(), &mut |row| {
            calls += 1;
            hash(row) == hashed
        });
        prop_assert_eq!(hash(&found.row), hashed);
        prop_assert_eq!(found.calls, calls);
        prop_assert!(calls <= CALLS);
        for (feature, (before, after)) in definition.features().iter().zip(row.iter().zip(&found.row)) {
            prop_assert!(before == after || feature.admits(after), "{after} of {}", feature.name());
            prop_assert!(key(feature, after) <= key(feature, before), "{before} to {after}");
        }
        let again = simplify(&definition, row, &mut |row| hash(row) == hashed);
        prop_assert_eq!(again, found);
    }

    #[test]
    fn what_a_definition_draws_it_admits(seed in any::<u64>()) {
        let definition = mixed();
        let rows = Vectors::generate(&definition, seed, 20);
        for row in 0..20 {
            let cells = rows.cells(row);
            for (feature, cell) in definition.features().iter().zip(&cells) {
                // Edge cases are outside the distribution's range.
                if feature.to_value().get("edge_cases").is_some() {
                    continue;
                }
                prop_assert!(feature.admits(&json::parse(cell).unwrap()), "{cell} of {}", feature.name());
            }
        }
    }
}

#[test]
fn a_list_loses_the_elements_that_do_not_matter() {
    let list = |length: &str, element: &str| {
        let element = format!(
            r#"{{"type": "INTEGER", {element} "distribution": {{"type": "uniform", "min": 0, "max": 9}}}}"#
        );
        one(
            "LIST",
            &format!(
                r#""distribution": {{"type": "list", "length": {length}, "element": {element}}}"#
            ),
        )
    };
    let has_seven = |it: &Value| it.as_array().unwrap().contains(&7.into());
    let any = list(r#"{"min": 0, "max": 20}"#, "");
    let long = "[1,2,3,4,5,6,7,8,9,0,1,2,3]";
    assert_eq!(simplest(&any, long, has_seven), "[7]");
    assert_eq!(simplest(&any, long, |_| true), "[]");
    // Never shorter than a list that the definition draws.
    let two = list(r#"{"min": 2, "max": 20}"#, "");
    assert_eq!(simplest(&two, long, has_seven), "[7,0]");
    let three = list("3", "");
    assert_eq!(simplest(&three, "[1,7,2]", has_seven), "[0,7,0]");
    let distinct = list("3", r#""unique": true,"#);
    assert_eq!(simplest(&distinct, "[1,7,2]", has_seven), "[0,7,1]");
}

/// Returns the simplest row that fails like this one, as JSON.
fn simplest_row(features: &[&str], row: &str, fails: impl Fn(&[Value]) -> bool) -> String {
    let definition = definition(features);
    let row = json::parse(row).unwrap().as_array().unwrap().to_vec();
    assert!(fails(&row) && is_ordered(&definition, &row), "{row:?}");
    let found = simplify(&definition, row, &mut |row| fails(row));
    assert!(is_ordered(&definition, &found.row), "{found:?}");
    Value::Array(found.row).to_string()
}

const DIGITS: &str =
    r#"{"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}"#;

fn list_named(name: &str, length: &str, element: &str) -> String {
    format!(
        r#"{{"feature_name": "{name}", "type": "LIST", "distribution": {{"type": "list", "length": {length}, "element": {element}}}}}"#
    )
}

#[test]
fn what_refers_to_a_list_follows_when_that_loses_elements() {
    let xs = list_named("xs", r#"{"min": 1, "max": 9}"#, DIGITS);
    let integer = |name: &str| {
        format!(
            r#"{{"feature_name": "n", "type": "INTEGER", "distribution": {{"type": "{name}", "of": "xs"}}}}"#
        )
    };
    let ys = list_named("ys", r#""xs""#, DIGITS);
    for (other, row, simplest) in [
        (integer("index"), "[[4,7,5,3],3]", "[[7],0]"),
        (integer("one_of"), "[[4,7,5,3],3]", "[[7],7]"),
        (integer("length_of"), "[[4,7,5,3],4]", "[[7],1]"),
        (integer("sum"), "[[4,7,5,3],19]", "[[7],7]"),
        (ys.clone(), "[[4,7,5,3],[1,2,3,4]]", "[[7],[0]]"),
    ] {
        let has_seven = |row: &[Value]| row[0].as_array().unwrap().contains(&7.into());
        assert_eq!(simplest_row(&[&xs, &other], row, has_seven), simplest);
    }
    // Each loses the elements at the same places.
    let in_pairs = |row: &[Value]| {
        let at = |list: usize| row[list].as_array().unwrap().iter();
        at(0)
            .zip(at(1))
            .any(|(x, y)| x.as_i64() == Some(7) && y.as_i64() == Some(2))
    };
    assert_eq!(
        simplest_row(&[&xs, &ys], "[[4,5,7,3],[1,9,2,4]]", in_pairs),
        "[[7],[2]]"
    );
    // A feature that sets the length shrinks along with the list.
    let n = r#"{"feature_name": "n", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}}"#;
    let of_n = list_named("xs", r#""n""#, DIGITS);
    let first = |row: &[Value]| row[1].as_array().unwrap()[0].as_i64() == Some(7);
    assert_eq!(simplest_row(&[n, &of_n], "[4,[7,8,9,1]]", first), "[1,[7]]");
}

#[test]
fn parts_of_a_total_add_up_to_it_however_many_are_left() {
    let total = r#"{"feature_name": "total", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 99}}"#;
    let share = r#"{"type": "INTEGER", "distribution": {"type": "share", "of": "total"}}"#;
    let parts = list_named("parts", r#"{"min": 1, "max": 9}"#, share);
    let is_large = |row: &[Value]| row[0].as_i64() > Some(20);
    assert_eq!(
        simplest_row(&[total, &parts], "[60,[10,20,30]]", is_large),
        "[21,[21]]"
    );
    let price = r#"{"feature_name": "price", "type": "FLOAT", "decimals": 2, "distribution": {"type": "uniform", "min": 0, "max": 99}}"#;
    let line = r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [
        {"feature_name": "amount", "type": "FLOAT", "decimals": 2, "distribution": {"type": "share", "of": "price"}},
        {"feature_name": "n", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}]}}"#;
    let lines = list_named("lines", r#"{"min": 1, "max": 9}"#, line);
    let row = r#"[60.1,[{"amount":10.05,"n":3},{"amount":20.03,"n":4},{"amount":30.02,"n":5}]]"#;
    let has_four = |row: &[Value]| {
        let lines = row[1].as_array().unwrap();
        lines
            .iter()
            .any(|it| it.get("n").and_then(Value::as_i64) == Some(4))
    };
    assert_eq!(
        simplest_row(&[price, &lines], row, has_four),
        r#"[0.0,[{"amount":0.0,"n":4}]]"#
    );
}

#[test]
fn a_map_loses_entries_and_its_keys_and_values_become_simple() {
    let map = |key: &str| {
        let entry = format!(
            r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [
            {{"feature_name": "key", "unique": true, {key}}},
            {{"feature_name": "value", "type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": 9999}}}}]}}}}"#
        );
        one(
            "LIST",
            &format!(
                r#""distribution": {{"type": "list", "form": "map", "length": {{"min": 1, "max": 9}}, "element": {entry}}}"#
            ),
        )
    };
    let words =
        map(r#""type": "STRING", "distribution": {"type": "pattern", "regex": "[a-z]{1,9}"}"#);
    let is_large = |it: &Value| {
        it.as_object()
            .unwrap()
            .values()
            .any(|it| it.as_i64() > Some(1000))
    };
    assert_eq!(
        simplest(&words, r#"{"zebra":4711,"yak":3,"ant":70}"#, is_large),
        r#"{"a":1001}"#
    );
    let has_k = |it: &Value| it.as_object().unwrap().keys().any(|it| it.contains('k'));
    assert_eq!(
        simplest(&words, r#"{"zebra":4711,"yak":3}"#, has_k),
        r#"{"k":0}"#
    );
    let has_two = |it: &Value| it.as_object().unwrap().len() == 2;
    assert_eq!(
        simplest(&words, r#"{"zebra":4711,"yak":3}"#, has_two),
        r#"{"a":0,"r":0}"#
    );
    let numbers =
        map(r#""type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9999}"#);
    let beyond = |it: &Value| {
        it.as_object()
            .unwrap()
            .keys()
            .any(|it| it.parse::<u32>().unwrap() > 100)
    };
    assert_eq!(
        simplest(&numbers, r#"{"4711":5,"7":6}"#, beyond),
        r#"{"101":0}"#
    );
}

#[test]
fn what_refers_to_a_map_follows_and_what_is_in_one_stays_what_it_refers_to() {
    let map = |length: &str, value: &str| {
        let entry = format!(
            r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [
            {{"feature_name": "key", "unique": true, "type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": 99999}}}},
            {{"feature_name": "value", "type": "INTEGER", "distribution": {value}}}]}}}}"#
        );
        list_named("m", length, &entry).replacen(
            r#""type": "list""#,
            r#""type": "list", "form": "map""#,
            1,
        )
    };
    let named = |name: &str, distribution: &str| {
        format!(
            r#"{{"feature_name": "{name}", "type": "INTEGER", "distribution": {distribution}}}"#
        )
    };
    let few = r#"{"min": 1, "max": 9}"#;
    let digit = r#"{"type": "uniform", "min": 1, "max": 9}"#;
    let digits = map(few, digit);
    let has_seven = |map: usize| {
        move |row: &[Value]| {
            row[map]
                .as_object()
                .unwrap()
                .values()
                .any(|it| *it == 7.into())
        }
    };
    for (referring, n, simplest) in [
        (r#"{"type": "length_of", "of": "m"}"#, 3, r#"[{"0":7},1]"#),
        (r#"{"type": "sum", "of": "m/value"}"#, 11, r#"[{"0":7},7]"#),
        (r#"{"type": "one_of", "of": "m/key"}"#, 50, r#"[{"0":7},0]"#),
    ] {
        let row = format!(r#"[{{"4":1,"9":7,"50":3}},{n}]"#);
        let features = [&*digits, &named("n", referring)];
        assert_eq!(simplest_row(&features, &row, has_seven(0)), simplest);
    }
    let n = named("n", digit);
    let found = simplest_row(
        &[&n, &map(r#""n""#, digit)],
        r#"[3,{"4":7,"5":1,"9":3}]"#,
        has_seven(1),
    );
    assert_eq!(found, r#"[1,{"0":7}]"#);
    let (xs, of_xs) = (
        list_named("xs", few, DIGITS),
        map(few, r#"{"type": "one_of", "of": "xs"}"#),
    );
    let found = simplest_row(&[&xs, &of_xs], r#"[[4,7,5],{"3":7,"8":4}]"#, has_seven(1));
    assert_eq!(found, r#"[[7],{"0":7}]"#);
    let total = named("total", r#"{"type": "uniform", "min": 0, "max": 99}"#);
    let parts = map(few, r#"{"type": "share", "of": "total"}"#);
    let is_large = |row: &[Value]| row[0].as_i64() > Some(20);
    let found = simplest_row(
        &[&total, &parts],
        r#"[60,{"1":10,"2":20,"3":30}]"#,
        is_large,
    );
    assert_eq!(found, r#"[21,{"0":21}]"#);
}

#[test]
fn values_within_variants_objects_and_tuples_become_simple() {
    let features = format!(
        r#"{{"feature_name": "n", "type": "INTEGER", {COUNT}}},
           {{"feature_name": "of", "type": "OBJECT", "distribution": {{"type": "object",
             "form": "array", "features": [
                {{"feature_name": "0", "type": "FLOAT", {WIDE}}},
                {{"feature_name": "1", "type": "BOOLEAN", "distribution": {{"type": "any"}}}}]}}}}"#
    );
    let variants = |form: &str| {
        let some = format!(
            r#"{{"variant": "Some", "type": "OBJECT",
                "distribution": {{"type": "object", "features": [{features}]}}}}"#
        );
        let all = format!(r#"[{{"variant": "Unit"}}, {some}]"#);
        one(
            "VARIANT",
            &format!(r#""distribution": {{"type": "variant", {form} "variants": {all}}}"#),
        )
    };
    let is_large = |it: &Value| {
        let within = it.get("Some").or_else(|| it.get("value"));
        within.unwrap_or(it).get("n").and_then(Value::as_i64) > Some(1000)
    };
    for (form, before, after) in [
        (
            "",
            r#"{"Some":{"n":4711,"of":[-33.25,true]}}"#,
            r#"{"Some":{"n":1001,"of":[0.0,false]}}"#,
        ),
        (
            r#""tag": "kind","#,
            r#"{"kind":"Some","n":4711,"of":[-33.25,true]}"#,
            r#"{"kind":"Some","n":1001,"of":[0.0,false]}"#,
        ),
        (
            r#""tag": "kind", "content": "value","#,
            r#"{"kind":"Some","value":{"n":4711,"of":[-33.25,true]}}"#,
            r#"{"kind":"Some","value":{"n":1001,"of":[0.0,false]}}"#,
        ),
    ] {
        assert_eq!(simplest(&variants(form), before, is_large), after);
    }
}
