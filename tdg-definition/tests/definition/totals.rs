//! Sums, shares of a total, and features that rise along a list.

use crate::rows::columns;
use proptest::prelude::*;
use tdg_definition::json::{self, Value};
use tdg_definition::{Cells, Column, Definition, is_ordered, read_row};

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

/// The value of a row, for the types in these tests.
fn value(column: &Column, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.cells() {
        Cells::Float(values) => values[row].into(),
        Cells::Integer(values) => values[row].into(),
        Cells::Unsigned(values) => values[row].into(),
        Cells::Date(_) => column.calendar_text(row).into(),
        Cells::Text(text) => text.get(row).into(),
        Cells::List(lists) => {
            let elements = lists.range(row).map(|it| value(lists.elements(), it));
            Value::Array(elements.collect())
        }
        Cells::Object(objects) => {
            let members = objects.members();
            Value::object(members.map(|(name, it)| (name.to_owned(), value(it, row))))
        }
        other => panic!("{other:?}"),
    }
}

fn rows_of(text: &str, seed: u64, count: usize) -> Vec<Vec<Value>> {
    let definition = parse(text);
    let columns = columns(&definition, seed, 0, count);
    let row = |row: usize| -> Vec<Value> { columns.iter().map(|it| value(it, row)).collect() };
    let rows: Vec<Vec<Value>> = (0..count).map(row).collect();
    for row in &rows {
        assert!(is_ordered(&definition, row), "{row:?} of {text}");
    }
    rows
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_default()
}

fn integer(value: &Value) -> i128 {
    let wide = value.as_u64().map(i128::from);
    wide.or_else(|| value.as_i64().map(i128::from)).unwrap_or(0)
}

fn cents(value: &Value) -> i128 {
    (value.as_f64().unwrap() * 100.0).round() as i128
}

/// A number `total` of this type, and lists `xs` of its shares.
fn shares(kind: &str, total: &str, shape: f64, most: usize) -> String {
    let decimals = if kind == "FLOAT" {
        r#""decimals": 2, "#
    } else {
        ""
    };
    format!(
        r#"{{"features": [
        {{"feature_name": "total", {decimals}"type": "{kind}", "distribution": {total}}},
        {{"feature_name": "xs", "type": "LIST", "distribution": {{"type": "list", "length": {{"min": 1, "max": {most}}}, "element":
            {{{decimals}"type": "{kind}", "distribution": {{"type": "share", "of": "total", "shape": {shape}}}}}}}}}]}}"#
    )
}

fn bookings(members: &str, null: f64) -> String {
    let day = r#""type": "DATE", "distribution": {"type": "uniform", "min": "2026-01-01", "max": "2026-12-31"}"#;
    format!(
        r#"{{"features": [{{"feature_name": "xs", "type": "LIST", "distribution": {{"type": "list", {members}"length": {{"min": 0, "max": 9}}, "element":
            {{"type": "OBJECT", "distribution": {{"type": "object", "features": [
                {{"feature_name": "to", "null_probability": {null}, {day}}},
                {{"feature_name": "room", "type": "INTEGER", "distribution": {{"type": "uniform", "min": 1, "max": 9}}}},
                {{"feature_name": "from", {day}}}]}}}}}}}}]}}"#
    )
}

/// The days of each list, by element and by `from` and `to`, and the rooms.
fn days(rows: &[Vec<Value>]) -> Vec<(Vec<String>, Vec<i128>)> {
    let of_row = |row: &Vec<Value>| {
        let days = elements(&row[0]).iter().flat_map(|it| {
            let day = |name: &str| it.get(name).and_then(Value::as_str).map(str::to_owned);
            [day("from"), day("to")]
        });
        let rooms = elements(&row[0])
            .iter()
            .map(|it| integer(it.get("room").unwrap()));
        (days.flatten().collect(), rooms.collect())
    };
    rows.iter().map(of_row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn shares_sum_to_any_total(seed: u64, most in 1..30_usize, shape in 0.001..50.0_f64) {
        let rows = rows_of(&shares("INTEGER", r#"{"type": "any"}"#, shape, most), seed, 50);
        for row in &rows {
            let parts: Vec<i128> = elements(&row[1]).iter().map(integer).collect();
            prop_assert_eq!(parts.iter().sum::<i128>(), integer(&row[0]));
            let sign = integer(&row[0]).signum();
            prop_assert!(parts.iter().all(|it| it * sign >= 0));
        }
        let gaussian = r#"{"type": "gaussian", "mu": 0, "sigma": 1000}"#;
        for row in &rows_of(&shares("FLOAT", gaussian, shape, most), seed, 50) {
            let parts = elements(&row[1]).iter().map(cents);
            prop_assert_eq!(parts.sum::<i128>(), cents(&row[0]));
        }
    }

    #[test]
    fn shares_move_no_total_and_no_length(seed: u64, shape in 0.1..9.0_f64) {
        let uniform = r#"{"type": "uniform", "min": 0, "max": 1000}"#;
        let one = rows_of(&shares("INTEGER", uniform, 1.0, 9), seed, 50);
        let other = rows_of(&shares("INTEGER", uniform, shape, 9), seed, 50);
        for (one, other) in one.iter().zip(&other) {
            prop_assert_eq!(&one[0], &other[0]);
            prop_assert_eq!(elements(&one[1]).len(), elements(&other[1]).len());
        }
    }

    #[test]
    fn features_that_rise_have_the_values_that_they_draw(seed: u64, null in prop_oneof![Just(0.0), Just(0.3)]) {
        let drawn = days(&rows_of(&bookings("", null), seed, 60));
        let dealt = days(&rows_of(&bookings(r#""sorted": ["from", "to"], "#, null), seed, 60));
        for ((mut drawn, rooms), (dealt, same)) in drawn.into_iter().zip(dealt) {
            drawn.sort();
            prop_assert_eq!(&drawn, &dealt);
            prop_assert_eq!(rooms, same);
        }
    }

    #[test]
    fn a_sum_adds_the_values_that_exist(seed: u64, off in prop_oneof![Just(0.0), Just(0.4)]) {
        let text = format!(r#"{{"features": [
            {{"feature_name": "sum", "type": "INTEGER", "distribution": {{"type": "sum", "of": "xs/n", "off": {off}}}}},
            {{"feature_name": "xs", "type": "LIST", "null_probability": 0.2, "distribution": {{"type": "list", "length": {{"min": 0, "max": 5}},
                "element": {{"type": "OBJECT", "null_probability": 0.2, "distribution": {{"type": "object", "features": [
                    {{"feature_name": "n", "type": "INTEGER", "null_probability": 0.2, "distribution": {{"type": "uniform", "min": -50, "max": 50}}}}]}}}}}}}}]}}"#);
        let rows = rows_of(&text, seed, 200);
        let mut wrong = 0;
        for row in &rows {
            prop_assert_eq!(row[0].is_null(), row[1].is_null());
            let values = elements(&row[1]).iter().filter_map(|it| it.get("n"));
            let error = integer(&row[0]) - values.map(integer).sum::<i128>();
            prop_assert!(error.abs() <= 1);
            wrong += error.abs();
        }
        prop_assert_eq!(wrong > 0, off > 0.0);
    }
}

#[test]
fn parts_are_as_alike_as_their_shape_says() {
    let uniform = r#"{"type": "constant", "value": 1000000}"#;
    let spread = |shape| {
        let rows = rows_of(
            &shares("INTEGER", uniform, shape, 1)
                .replace("\"min\": 1", "\"min\": 4")
                .replace("\"max\": 1}", "\"max\": 4}"),
            0,
            500,
        );
        let parts = rows.iter().flat_map(|row| elements(&row[1])).map(integer);
        parts
            .map(|it| (it - 250_000) as f64)
            .map(|it| it * it)
            .sum::<f64>()
    };
    assert!(spread(0.1) > 2.0 * spread(1.0) && spread(1.0) > 5.0 * spread(20.0));
}

#[test]
fn rows_from_elsewhere_must_add_up_and_rise() {
    let order = parse(
        r#"{"features": [
        {"feature_name": "total", "type": "FLOAT", "decimals": 2, "distribution": {"type": "uniform", "min": 0, "max": 9}},
        {"feature_name": "xs", "type": "LIST", "distribution": {"type": "list", "sorted": ["from"], "length": {"min": 1, "max": 3}, "element":
            {"type": "OBJECT", "distribution": {"type": "object", "features": [
                {"feature_name": "part", "type": "FLOAT", "decimals": 2, "distribution": {"type": "share", "of": "total"}},
                {"feature_name": "from", "type": "INTEGER", "distribution": {"type": "any"}}]}}}},
        {"feature_name": "sum", "type": "FLOAT", "decimals": 2, "distribution": {"type": "sum", "of": "xs/part"}}]}"#,
    );
    let holds = |total: &str, xs: &str, sum: &str| {
        let text = format!(r#"{{"total": {total}, "xs": {xs}, "sum": {sum}}}"#);
        is_ordered(&order, &read_row(order.features(), &text).unwrap())
    };
    let xs = r#"[{"part": 0.1, "from": 1}, {"part": 0.2, "from": 1}]"#;
    assert!(holds("0.3", xs, "0.3"));
    assert!(!holds("0.3", xs, "0.31"));
    assert!(!holds("0.31", xs, "0.3"));
    assert!(!holds(
        "0.3",
        &xs.replacen("\"from\": 1", "\"from\": 2", 1),
        "0.3"
    ));
}

fn list(members: &str, length: &str, features: &str) -> String {
    format!(
        r#"{{"feature_name": "xs", "type": "LIST", "distribution": {{"type": "list"{members}, "length": {length}, "element":
            {{"type": "OBJECT", "distribution": {{"type": "object", "features": [{features}]}}}}}}}}"#
    )
}

fn said(features: &[&str]) -> String {
    faults(&format!(r#"{{"features": [{}]}}"#, features.join(",")))
}

#[test]
fn a_wrong_order_of_features_is_refused_with_its_place_and_the_fix() {
    let digit = |name: &str, max: u8, more: &str| {
        format!(
            r#"{{"feature_name": "{name}", {more}"type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": {max}}}}}"#
        )
    };
    let wrong = |sorted: &str, features: &[String]| {
        let members = format!(r#", "sorted": {sorted}"#);
        said(&[&list(&members, "2", &features.join(","))])
    };
    let (a, b) = (digit("a", 9, ""), digit("b", 9, ""));
    let i =
        r#"{"feature_name": "i", "type": "INTEGER", "distribution": {"type": "index", "of": "a"}}"#
            .to_owned();
    let found = [
        wrong(r#"["a", "c", "a"]"#, &[a.clone(), b.clone()]),
        wrong("[]", std::slice::from_ref(&a)),
        wrong(r#"["a", "b"]"#, &[a.clone(), digit("b", 8, "")]),
        wrong(
            r#"["a", "b"]"#,
            &[digit("a", 9, r#""unique": true, "#), b.clone()],
        ),
        wrong(r#"["a", "i"]"#, &[a.clone(), i]),
        said(&[&list(r#", "sorted": ["a"]"#, "2", &format!("{a},{b}"))
            .replace(r#""object", "#, r#""object", "order": [["a", "b"]], "#)]),
    ];
    insta::assert_snapshot!(found.join("\n"), @"
/features/0/distribution/sorted/1: unknown feature `c`
/features/0/distribution/sorted/2: `a` is listed twice
/features/0/distribution/sorted: names no features; name one, or remove it
/features/0/distribution/sorted/1: `a` and `b` exchange values, so both need the same type, distribution and modifiers
/features/0/distribution/sorted/0: `a` is `unique`, but it could get repeated values from other features; remove one of the two
/features/0/distribution/sorted/1: `a` and `b` exchange values, so both need the same type, distribution and modifiers
/features/0/distribution/sorted/0: `i` refers to `a`, whose values would be rearranged; remove one of the two
/features/0/distribution/sorted/1: `i` is index, whose values depend on another feature; remove it here
/features/0/distribution/sorted/0: `a` is in an `order` of the elements, which would be lost; name all features of the order here instead
");
}

#[test]
fn a_wrong_sum_or_share_is_refused_with_its_place_and_the_fix() {
    let number = |name: &str, kind: &str, distribution: &str, more: &str| {
        format!(
            r#"{{"feature_name": "{name}", "type": "{kind}"{more}, "distribution": {distribution}}}"#
        )
    };
    let uniform = r#"{"type": "uniform", "min": 0, "max": 9}"#;
    let any = r#"{"type": "any"}"#;
    let sum = |of: &str| {
        number(
            "s",
            "INTEGER",
            &format!(r#"{{"type": "sum", "of": "{of}"}}"#),
            "",
        )
    };
    let share =
        |kind: &str, more: &str| number("part", kind, r#"{"type": "share", "of": "t"}"#, more);
    let xs = |length: &str, part: &str| list("", length, part);
    let one = r#"{"min": 1, "max": 3}"#;
    let t = |kind: &str, more: &str| number("t", kind, uniform, more);
    let cents = r#", "decimals": 2"#;
    let found = [
        said(&[
            &sum("xs/part"),
            &xs(one, &number("part", "INTEGER", any, "")),
        ]),
        said(&[&sum("xs/part"), &xs(one, &number("part", "FLOAT", any, ""))]),
        said(&[&sum("t"), &t("INTEGER", "")]),
        said(&[&t("INTEGER", ""), &share("INTEGER", "")]),
        said(&[
            &t("INTEGER", ""),
            &xs(r#"{"min": 0, "max": 3}"#, &share("INTEGER", "")),
        ]),
        said(&[
            &t("INTEGER", ""),
            &xs(one, &share("INTEGER", r#", "null_probability": 0.1"#)),
        ]),
        said(&[&t("INTEGER", ""), &xs(one, &share("FLOAT", cents))]),
        said(&[&t("FLOAT", cents), &xs(one, &share("FLOAT", ""))]),
        said(&[
            &t("FLOAT", r#", "decimals": 3"#),
            &xs(one, &share("FLOAT", cents)),
        ]),
        said(&[
            &number(
                "t",
                "FLOAT",
                uniform,
                r#", "decimals": 2, "edge_cases": {"probability": 0.1}"#,
            ),
            &xs(one, &share("FLOAT", cents)),
        ]),
        said(&[&t("INTEGER", ""), &xs(one, &xs(one, &share("INTEGER", "")))]),
        said(&[
            &t("INTEGER", ""),
            &xs(
                one,
                &share("INTEGER", "").replace(r#""t"}"#, r#""t", "shape": 0}"#),
            ),
        ]),
    ];
    insta::assert_snapshot!(found.join("\n"), @r#"
/features/0/distribution/of: the sum of up to 3 values of `xs/part` may need more than 64 bits; state a smaller `min` and `max` there
/features/0/distribution/of: `xs/part` has FLOAT values; write `"type": "FLOAT"`
/features/0/distribution/of: `t` is INTEGER; name a list, or a feature of its elements
/features/1/distribution/of: the parts of `t` are not in a list; draw them in one next to it
/features/1/distribution/element/distribution/features/0/distribution/of: `xs` may be empty, with no part of `t`; give it a length of at least 1
/features/1/distribution/element/distribution/features/0/distribution/of: a part that is null would be missing from `t`; remove `null_probability` here and from the elements of `xs`
/features/1/distribution/element/distribution/features/0/distribution/of: `t` is INTEGER, but its parts are FLOAT; make both the same
/features/1/distribution/element/distribution/features/0/distribution/of: FLOAT parts of `t` need a unit to add up exactly; give both `decimals`
/features/1/distribution/element/distribution/features/0/distribution/of: `t` needs `decimals`, at most the 2 that its parts have, for them to add up exactly
/features/1/distribution/element/distribution/features/0/distribution/of: `t` has `edge_cases`, which aren't rounded to its `decimals`; remove them
/features/1/distribution/element/distribution/features/0/distribution/element/distribution/features/0/distribution/of: the parts of `t` are in 2 lists; name a total next to the innermost one
/features/1/distribution/element/distribution/features/0/distribution/shape: must be greater than 0, but is 0
"#);
}

#[test]
fn the_canonical_form_has_what_is_not_usual() {
    let text = shares("INTEGER", r#"{"type": "any"}"#, 1.0, 3);
    let canonical = parse(&text).canonical();
    assert!(
        canonical.contains(r#"{"of":"total","type":"share"}"#),
        "{canonical}"
    );
    let dealt = parse(&bookings(r#""sorted": ["from", "to"], "#, 0.0)).canonical();
    assert!(dealt.contains(r#""sorted":["from","to"]"#), "{dealt}");
    assert_eq!(parse(&dealt).canonical(), dealt);
    assert!(json::parse(&dealt).is_ok());
}

/// Relations between `n` and lists `xs`.
fn related(relation: &str, length: &str) -> String {
    format!(
        r#"{{{relation}, "features": [
        {{"feature_name": "n", "type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": 99}}}},
        {{"feature_name": "xs", "type": "LIST", "distribution": {{"type": "list"{length}, "element":
            {{"type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": 9}}}}}}}}]}}"#
    )
}

#[test]
fn relations_are_about_the_lengths_of_lists() {
    let lengths = |relation: &str| -> Vec<(f64, f64)> {
        let rows = rows_of(
            &related(relation, r#", "length": {"min": 0, "max": 9}"#),
            7,
            500,
        );
        let pair = |row: &Vec<Value>| (row[0].as_f64().unwrap(), elements(&row[1]).len() as f64);
        rows.iter().map(pair).collect()
    };
    let mean = |pairs: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| {
        pairs.iter().map(of).sum::<f64>() / pairs.len() as f64
    };
    let correlation = |pairs: &[(f64, f64)]| {
        let (n, length) = (mean(pairs, |it| it.0), mean(pairs, |it| it.1));
        let product = |one: &dyn Fn(&(f64, f64)) -> f64, other: &dyn Fn(&(f64, f64)) -> f64| {
            pairs.iter().map(|it| one(it) * other(it)).sum::<f64>()
        };
        let (of_n, of_length) = (|it: &(f64, f64)| it.0 - n, |it: &(f64, f64)| it.1 - length);
        product(&of_n, &of_length)
            / (product(&of_n, &of_n) * product(&of_length, &of_length)).sqrt()
    };
    let correlated = r#""correlations": [{"features": ["n", "xs"], "correlation": 0.9}]"#;
    assert!(correlation(&lengths(correlated)) > 0.8);
    assert!(correlation(&lengths(r#""sampling": "random""#)).abs() < 0.2);
    let mut counts = [0; 10];
    for (_, length) in lengths(r#""sampling": "stratified""#) {
        counts[length as usize] += 1;
    }
    assert_eq!(counts, [50; 10]);
    let covered = lengths(r#""coverage": {"strength": 2, "bins": 4, "features": ["n", "xs"]}"#);
    let bin = |length: f64| {
        [0.0, 2.0, 5.0, 7.0]
            .iter()
            .filter(|first| length >= **first)
            .count()
    };
    let bins = covered[..16]
        .iter()
        .map(|(n, length)| (*n as u8 / 25, bin(*length)));
    assert_eq!(bins.collect::<std::collections::HashSet<_>>().len(), 16);
}

#[test]
fn lengths_that_take_several_words_or_follow_others_have_no_relations() {
    let correlated = r#""correlations": [{"features": ["n", "xs"], "correlation": 0.9}]"#;
    insta::assert_snapshot!(faults(&related(correlated, "")), @r#"/correlations/0/features/1: the length of `xs` takes several random numbers, or is another feature; state one that takes one, such as {"min": 0, "max": 8}"#);
    insta::assert_snapshot!(faults(&related(correlated, r#", "length": "n""#)), @r#"/correlations/0/features/1: the length of `xs` takes several random numbers, or is another feature; state one that takes one, such as {"min": 0, "max": 8}"#);
    insta::assert_snapshot!(faults(&related(r#""order": [["n", "xs"]]"#, r#", "length": "n""#)), @"/order/0/1: `xs` is as long as `n`; name `n` here instead, or state a length");
}

#[test]
fn naming_a_list_as_covered_stays_in_the_canonical_form() {
    let named = r#""coverage": {"strength": 2, "features": ["n", "xs"]}"#;
    let canonical = parse(
        &related(named, r#", "length": 3"#)
            .replace("\"length\": 3", "\"length\": {\"min\": 0, \"max\": 3}"),
    )
    .canonical();
    assert!(
        canonical.contains(r#""features":["n","xs"]"#),
        "{canonical}"
    );
}
