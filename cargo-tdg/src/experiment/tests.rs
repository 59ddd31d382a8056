//! Causes of known changes.

use std::time::Duration;

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;

use super::*;

/// Two functions of a row.
struct Functions([fn(&[Value]) -> Value; 2]);

impl BothVersions for Functions {
    fn outputs(&mut self, rows: &[Value]) -> Result<Vec<Option<[String; 2]>>> {
        let outputs = rows.iter().map(|row| {
            let row = row.as_array().unwrap();
            let outputs = self.0.map(|function| function(row));
            let is_known = !outputs.contains(&Value::Null);
            is_known.then(|| outputs.map(|it| it.to_string()))
        });
        Ok(outputs.collect())
    }
}

const ORDERS: &str = r#"{"features": [
    {"feature_name": "quantity", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 90000}},
    {"feature_name": "price", "type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 500}, "decimals": 2},
    {"feature_name": "express", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.3}},
    {"feature_name": "day", "type": "DATE", "distribution": {"type": "uniform", "min": "2024-01-01", "max": "2026-12-31"}},
    {"feature_name": "note", "type": "STRING", "distribution": {"type": "pattern", "regex": "[a-d]{0,6}"}}
]}"#;

/// Explains each part of the change.
fn explained(functions: [fn(&[Value]) -> Value; 2]) -> Vec<ExplainedPart> {
    explained_rows(ORDERS, functions)
}

fn explained_rows(definition: &str, functions: [fn(&[Value]) -> Value; 2]) -> Vec<ExplainedPart> {
    let definition = Definition::parse(definition).unwrap();
    let rows = json::parse(&Vectors::generate(&definition, 0, 500).to_json()).unwrap();
    let rows = rows.as_array().unwrap().to_vec();
    let (policy, mut functions) = (Policy::exact(), Functions(functions));
    let mut observed = ObservedRows::new(&mut functions, &policy, rows).unwrap();
    let conditions = Conditions {
        definition: &definition,
        takes: &Takes::All,
        constants: &[],
        until: Instant::now() + Duration::from_secs(600),
    };
    let found = explained_parts(&conditions, &mut observed, |_, _| true);
    found.unwrap().0
}

/// Returns the sentences about the only part, which has a rule.
fn sentence(functions: [fn(&[Value]) -> Value; 2]) -> String {
    let found = explained(functions);
    let [
        ExplainedPart {
            cause, smallest, ..
        },
    ] = &found[..]
    else {
        panic!("{found:?}");
    };
    let rule = cause.rule.as_ref().unwrap();
    let exceptions = rule.exceptions();
    let features = cause.features.join(", ");
    format!(
        "{}\n{exceptions} exceptions; {features}\n{smallest}",
        rule.sentence()
    )
}

fn quantity(row: &[Value]) -> i64 {
    row[0].as_i64().unwrap()
}

#[test]
fn a_threshold_is_exact_although_no_drawn_row_is_next_to_it() {
    insta::assert_snapshot!(sentence([
        |row| (quantity(row) > 61_337).into(),
        |row| (quantity(row) > 60_101).into(),
    ]), @r#"
    exactly those with 60101 < quantity <= 61337
    0 exceptions; quantity
    [60102,0.0,false,"2024-01-01",""]
    "#);
    insta::assert_snapshot!(sentence([
        |row| (row[1].as_f64().unwrap() >= 99.95).into(),
        |row| (row[1].as_f64().unwrap() >= 90.0).into(),
    ]), @r#"
    exactly those with 90 <= price <= 99.94
    0 exceptions; price
    [1,90.0,false,"2024-01-01",""]
    "#);
    insta::assert_snapshot!(sentence([
        |row| (row[3].as_str().unwrap() < "2025-03-30").into(),
        |row| (row[3].as_str().unwrap() < "2025-04-17").into(),
    ]), @r#"
    exactly those with 2025-03-30 <= day < 2025-04-17
    0 exceptions; day
    [1,0.0,false,"2025-04-01",""]
    "#);
}

#[test]
fn few_changed_rows_are_enough() {
    insta::assert_snapshot!(sentence([
        |_| 0.into(),
        |row| i64::from(quantity(row) > 88_000 && row[2] == Value::from(true)).into(),
    ]), @r#"
    exactly those with quantity > 88000 and express = true
    0 exceptions; quantity, express
    [88001,0.0,true,"2024-01-01",""]
    "#);
}

/// Returns the sentences about the causes and their evidence.
fn evidence(definition: &str, functions: [fn(&[Value]) -> Value; 2]) -> String {
    let found = explained_rows(definition, functions);
    let found = found.iter().map(|it| match it.verified(Value::to_string) {
        Some(rule) => format!("{}\n{}\n", rule.rule, rule.evidence),
        None => it.dependence() + "\n",
    });
    found.collect()
}

#[test]
fn rows_that_ran_before_the_test_of_a_rule_are_part_of_it() {
    let seconds = r#"{"features": [
        {"feature_name": "seconds", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 2000}},
        {"feature_name": "extra", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 7}}
    ]}"#;
    let is_late: fn(&[Value]) -> Value = |row| {
        let (seconds, extra) = (quantity(row), row[1].as_i64());
        (seconds > 1 || seconds == 1 && extra == Some(7)).into()
    };
    insta::assert_snapshot!(evidence(seconds, [|_| false.into(), is_late]), @"no rule was found; it depends on seconds, extra");
    // The first value has a larger share.
    let text = |name: &str, first: f64, values: &str| {
        let rest = (1.0 - first) / (values.split(' ').count() - 1) as f64;
        let shares = std::iter::once(first).chain(std::iter::repeat(rest));
        let categories = values.split(' ').zip(shares);
        let categories = categories
            .map(|(value, share)| format!(r#"{{"value": "{value}", "probability": {share}}}"#));
        let categories = categories.collect::<Vec<_>>().join(", ");
        format!(
            r#"{{"feature_name": "{name}", "type": "STRING", "distribution": {{"type": "categorical", "categories": [{categories}]}}}}"#
        )
    };
    let roots = "adjust bold bus call connect depend electr fall fix form gas general good happi hop hope nation plaster relat sad sky tan trouble use";
    let words = format!(
        r#"{{"features": [{}, {}, {}]}}"#,
        text("root", 0.05, roots),
        text(
            "suffix",
            0.2,
            "0 s es ed ing er less ness ization ational ement"
        ),
        text("prefix", 0.8, "0 re un"),
    );
    let is_cut: fn(&[Value]) -> Value = |row| {
        let [root, suffix, prefix] = row else {
            unreachable!()
        };
        let is_short = ["bus", "gas", "sky", "use"].contains(&root.as_str().unwrap());
        (is_short && suffix == prefix).into()
    };
    insta::assert_snapshot!(evidence(&words, [|_| false.into(), is_cut]), @r#"
    exactly those with suffix = "0" and root one of "bus", "gas", "sky", "use" and prefix = "0"
    112 more rows: no exception
    "#);
}

#[test]
fn few_possible_rows_are_all_tested() {
    let flags = r#"{"features": [
        {"feature_name": "express", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}},
        {"feature_name": "member", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}},
        {"feature_name": "size", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 4}}
    ]}"#;
    let changed: fn(&[Value]) -> Value =
        |row| (row[0] == Value::from(true) && row[2].as_i64() > Some(2)).into();
    insta::assert_snapshot!(evidence(flags, [|_| false.into(), changed]), @r"
    exactly those with size > 2 and express = true
    16 rows, nearly all that there are: no exception
    ");
}

#[test]
fn rows_that_were_an_err_before_show_nothing_about_becoming_one() {
    fn read(row: &[Value], is_refused: fn(&str) -> bool) -> Value {
        let note = row[4].as_str().unwrap();
        match note.is_empty() || note.ends_with('b') || is_refused(note) {
            true => Value::object([("Err", "no note".into())]),
            false => Value::object([("Ok", (note.len() as i64).into())]),
        }
    }
    insta::assert_snapshot!(evidence(ORDERS, [
        |row| read(row, |_| false),
        |row| read(row, |it| it.starts_with('c')),
    ]), @r#"
    exactly those with note starting with "c"
    1,697 more rows on both sides of that line: no exception; 303 more had another outcome
    "#);
}

#[test]
fn a_rule_that_most_rows_show_nothing_about_is_hedged() {
    fn read(row: &[Value], most: i64) -> Value {
        match quantity(row) {
            it if it % 9 != 0 || it > most => Value::object([("Err", "refused".into())]),
            it => Value::object([("Ok", it.into())]),
        }
    }
    let functions: [fn(&[Value]) -> Value; 2] =
        [|row| read(row, i64::MAX), |row| read(row, 50_000)];
    insta::assert_snapshot!(evidence(ORDERS, functions), @r"
    perhaps exactly those with quantity > 50000
    804 more rows on both sides of that line: no exception; 1,196 more had another outcome
    ");
}

#[test]
fn all_rows_with_an_outcome_may_have_changed() {
    fn length(row: &[Value], more: i64) -> Value {
        match row[4].as_str().unwrap() {
            note if note.contains('a') => Value::object([("Err", "no a".into())]),
            note => Value::object([("Ok", (note.len() as i64 + more).into())]),
        }
    }
    insta::assert_snapshot!(evidence(ORDERS, [|row| length(row, 0), |row| length(row, 1)]), @r#"
    exactly those with note not containing "a"
    2,000 more rows on both sides of that line: no exception
    "#);
}

#[test]
fn the_outcome_is_the_cause_where_no_input_describes_it() {
    fn weekday(row: &[Value], more: i64) -> Value {
        // As irregular as a calendar.
        match quantity(row) * 37 % 101 < 30 {
            true => Value::object([("Err", "no such day".into())]),
            false => Value::object([(
                "Ok",
                Value::object([("day", (quantity(row) % 7 + more).into())]),
            )]),
        }
    }
    let said = evidence(ORDERS, [|row| weekday(row, 0), |row| weekday(row, 1)]);
    assert!(
        said.starts_with("all ") && said.ends_with(" outputs with /Ok/day changed\n"),
        "{said}"
    );
}

#[test]
fn each_part_has_its_own_cause() {
    let found = explained([
        |row| Value::object([("a", quantity(row).into()), ("b", row[2].clone())]),
        |row| {
            let is_late = row[3].as_str().unwrap() >= "2026-01-01";
            let a = quantity(row) + i64::from(is_late);
            let b = row[2] == Value::from(true) && row[4].as_str() != Some("");
            Value::object([("a", a.into()), ("b", b.into())])
        },
    ]);
    let rules = found
        .iter()
        .map(|it| it.cause.rule.as_ref().unwrap().sentence());
    insta::assert_snapshot!(rules.collect::<Vec<_>>().join("\n"), @r#"
    exactly those with day >= 2026-01-01
    exactly those with note = "" and express = true
    "#);
}

#[test]
fn rows_with_other_outcomes_count_for_neither_side() {
    // Rows that were an error can't show the change.
    insta::assert_snapshot!(sentence([
        |row| match row[2].as_bool() {
            Some(true) => Value::object([("Err", "express".into())]),
            _ => Value::object([("Ok", 1.into())]),
        },
        |row| match row[2].as_bool() {
            Some(true) => Value::object([("Err", "express".into())]),
            _ => Value::object([("Ok", (1 + i64::from(quantity(row) > 4500)).into())]),
        },
    ]), @r#"
    exactly those with quantity > 4500
    0 exceptions; quantity
    [4501,0.0,false,"2024-01-01",""]
    "#);
}

#[test]
fn rows_without_outputs_count_for_neither_side() {
    insta::assert_snapshot!(sentence([
        |_| 0.into(),
        |row| match row[2].as_bool() {
            Some(true) => Value::Null,
            _ => i64::from(quantity(row) > 4500).into(),
        },
    ]), @r#"
    exactly those with quantity > 4500
    0 exceptions; quantity
    [4501,0.0,false,"2024-01-01",""]
    "#);
}

#[test]
fn a_rule_that_new_rows_refute_is_not_shown() {
    // A hash is more than a condition on the row.
    let found = explained([
        |_| 0.into(),
        |row| {
            let hash = quantity(row).wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64);
            i64::from((hash >> 40) & 15 == 3).into()
        },
    ]);
    let [ExplainedPart { cause, .. }] = &found[..] else {
        panic!("{found:?}");
    };
    assert!(cause.rule.is_none(), "{cause:?}");
    assert_eq!(cause.features, ["quantity"]);
}

#[test]
fn the_elements_of_a_tuple_are_one_field() {
    fn tuple(one: Value, other: Value) -> Value {
        Value::object([("$name", "()".into()), ("0", one), ("1", other)])
    }
    let found = sentence([
        |row| tuple(row[0].clone(), row[2].clone()),
        |row| match quantity(row) > 4321 {
            true => tuple(1.into(), row[2].clone()),
            false => tuple(row[0].clone(), row[2].clone()),
        },
    ]);
    insta::assert_snapshot!(found, @r#"
    exactly those with quantity > 4321
    0 exceptions; quantity
    [4322,0.0,false,"2024-01-01",""]
    "#);
}
