//! Explanations of rows with lists, by example.

use std::cell::Cell;

use tdg_definition::Definition;
use tdg_definition::json::{Value, parse};

use super::super::table::ExplanationTable;
use super::super::{ExplainedRows, Explanation, Vocabulary, Wording, families, rules};
use super::texts;
use tdg_engine::Vectors;

const XS: &str = r#"{"feature_name": "xs", "type": "LIST", "distribution": {"type": "list",
    "length": {"min": 0, "max": 8}, "element": {"type": "INTEGER",
    "distribution": {"type": "uniform", "min": 0, "max": 19}}}}"#;
const X: &str = r#"{"feature_name": "x", "type": "INTEGER",
    "distribution": {"type": "uniform", "min": 0, "max": 19}}"#;
const LINES: &str = r#"{"feature_name": "lines", "type": "LIST", "distribution": {"type": "list",
    "length": {"min": 0, "max": 6}, "element": {"type": "OBJECT", "distribution": {"type": "object",
    "features": [
        {"feature_name": "quantity", "type": "INTEGER",
         "distribution": {"type": "uniform", "min": 1, "max": 20}},
        {"feature_name": "discount", "type": "INTEGER", "null_probability": 0.5,
         "distribution": {"type": "uniform", "min": 1, "max": 90}},
        {"feature_name": "sku", "type": "STRING", "distribution": {"type": "pattern",
         "regex": "[A-Z]{2}[0-9]"}}]}}}}"#;

/// Explains 500 rows of these features, where the ones selected by `fails` fail.
fn explained(features: &[&str], fails: impl Fn(&[Value]) -> bool) -> Explanation {
    let definition = format!(r#"{{"features": [{}]}}"#, features.join(","));
    let vectors = Vectors::generate(&Definition::parse(&definition).unwrap(), 3, 500);
    let rows = parse(&vectors.to_json()).unwrap();
    let rows = rows.as_array().unwrap().iter();
    let failing: Vec<_> = rows
        .map(|row| Some(fails(row.as_array().unwrap())))
        .collect();
    rules(&ExplainedRows {
        vectors: &vectors,
        expected: None,
        failing: &failing,
        vocabulary: Vocabulary::Full,
        constants: &[],
    })
}

fn found(features: &[&str], fails: impl Fn(&[Value]) -> bool) -> String {
    let explanation = explained(features, fails);
    let rules = explanation.rules.iter();
    assert!(
        rules.clone().all(|rule| rule.wording == Wording::Sure),
        "{explanation:?}"
    );
    rules
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" or ")
}

fn numbers(value: &Value) -> Vec<u64> {
    let elements = value.as_array().unwrap().iter();
    elements.map(|element| element.as_u64().unwrap()).collect()
}

fn has_equal(xs: &[u64]) -> bool {
    (1..xs.len()).any(|at| xs[..at].contains(&xs[at]))
}

#[test]
fn what_scalar_lists_contain_and_how_they_are_ordered() {
    let of_xs = |fails: fn(&[u64]) -> bool| found(&[XS], |row| fails(&numbers(&row[0])));
    assert_eq!(of_xs(|xs| xs.is_empty()), "xs empty");
    assert_eq!(of_xs(|xs| xs.len() > 3), "length of xs > 3");
    assert_eq!(of_xs(|xs| xs.contains(&7)), "an element of xs = 7");
    assert_eq!(of_xs(|xs| xs.iter().sum::<u64>() > 60), "sum of xs > 60");
    assert_eq!(
        of_xs(|xs| xs.iter().any(|x| *x > 15)),
        "an element of xs > 15"
    );
    assert_eq!(of_xs(|xs| xs.first() == Some(&4)), "first of xs = 4");
    assert_eq!(of_xs(|xs| xs.last() >= Some(&12)), "last of xs > 11");
    assert_eq!(of_xs(has_equal), "xs with equal elements");
    assert_eq!(
        of_xs(|xs| xs.len() > 1 && xs.is_sorted()),
        "xs rising and length of xs > 1"
    );
    assert_eq!(
        of_xs(|xs| xs.windows(2).any(|it| it[0] == it[1])),
        "xs with equal neighbours"
    );
    let multiple = of_xs(|xs| xs.iter().any(|x| x % 7 == 0));
    assert_eq!(multiple, "an element of xs a multiple of 7");
}

#[test]
fn lists_are_compared_with_features_and_with_each_other() {
    let contains = |row: &[Value]| numbers(&row[0]).contains(&row[1].as_u64().unwrap());
    assert_eq!(found(&[XS, X], contains), "xs containing x");
    let above = |row: &[Value]| {
        numbers(&row[0])
            .iter()
            .any(|it| *it > row[1].as_u64().unwrap())
    };
    assert_eq!(found(&[XS, X], above), "an element of xs > x");
    let ys = XS.replace("xs", "ys");
    let disjoint = |row: &[Value]| {
        let (xs, ys) = (numbers(&row[0]), numbers(&row[1]));
        xs.iter().any(|x| ys.contains(x))
    };
    assert_eq!(
        found(&[XS, &ys], disjoint),
        "xs and ys with common elements"
    );
    let longer = |row: &[Value]| numbers(&row[0]).len() > numbers(&row[1]).len();
    assert_eq!(found(&[XS, &ys], longer), "length of xs > length of ys");
}

#[test]
fn the_days_of_a_list_of_times_are_compared_with_a_date() {
    let of = |name: &str, kind: &str, distribution: &str| {
        format!(
            r#"{{"feature_name": "{name}", "type": "{kind}", "distribution": {{"type": "uniform",
                "min": "2024-03-01{distribution}", "max": "2024-03-09{distribution}"}}}}"#
        )
    };
    let element = of("", "DATETIME", "T00:00:00Z").replace(r#""feature_name": "", "#, "");
    let times = format!(
        r#"{{"feature_name": "times", "type": "LIST", "distribution": {{"type": "list",
            "length": {{"min": 0, "max": 5}}, "element": {element}}}}}"#
    );
    let on_day = |row: &[Value]| {
        let mut times = row[0].as_array().unwrap().iter();
        times.any(|it| it.as_str().unwrap().starts_with(row[1].as_str().unwrap()))
    };
    assert_eq!(
        found(&[&times, &of("day", "DATE", "")], on_day),
        "times with a time on day"
    );
}

/// Returns true if any line in a row of [`LINES`] meets the condition.
fn any_line(row: &[Value], holds: impl Fn(u64, Option<u64>) -> bool) -> bool {
    let mut lines = row[0].as_array().unwrap().iter();
    lines.any(|line| {
        let number = |name| line.get(name).and_then(Value::as_u64);
        holds(number("quantity").unwrap(), number("discount"))
    })
}

#[test]
fn conditions_of_elements_are_lifted() {
    let any = found(&[LINES], |row| {
        any_line(row, |q, discount| q > 12 && discount.is_none())
    });
    assert_eq!(
        any,
        "an element of lines with quantity > 12 and discount = null"
    );
    let all = found(&[LINES], |row| {
        !any_line(row, |_, discount| discount.is_some())
    });
    assert_eq!(all, "every element of lines with discount = null");
}

/// A list of languages with a level and a quality.
fn choices() -> String {
    let tag = texts(
        "tag",
        0.0,
        &["de", "en", "fr", "it", "ja", "nl", "pl", "zh"],
    );
    let quality = texts("quality", 0.4, &["0", "0.3", "0.5", "0.8", "high"]);
    format!(
        r#"{{"feature_name": "choices", "type": "LIST", "distribution": {{"type": "list",
            "length": {{"min": 0, "max": 5}}, "element": {{"type": "OBJECT", "distribution":
            {{"type": "object", "features": [{tag}, {quality}, {{"feature_name": "level",
            "type": "BOOLEAN", "distribution": {{"type": "bernoulli", "p": 0.3}}}}]}}}}}}}}"#
    )
}

#[test]
fn every_element_is_asked_for_one_condition() {
    let definition = format!(r#"{{"features": [{}]}}"#, choices());
    let vectors = Vectors::generate(&Definition::parse(&definition).unwrap(), 3, 500);
    let failing: Vec<_> = (0..500).map(|row| Some(row % 3 == 0)).collect();
    let table = ExplanationTable::new(&vectors, None, 500);
    let attributes = families::attributes(&table, &failing, Vocabulary::Full);
    let words = attributes.iter().map(|it| &*it.words.is);
    let words: Vec<&str> = words.filter(|it| it.starts_with("every element")).collect();
    assert!(
        !words.is_empty() && words.iter().all(|it| !it.contains(" and ")),
        "{words:?}"
    );
}

/// Rows have several elements, most of which don't make them fail.
#[test]
fn three_conditions_of_the_same_element_are_found() {
    let any = |holds: &dyn Fn(&str, bool, Option<&str>) -> bool| {
        found(&[&choices()], |row| {
            let mut choices = row[0].as_array().unwrap().iter();
            choices.any(|choice| {
                let level = choice.get("level").and_then(Value::as_bool).unwrap();
                let text = |name| choice.get(name).and_then(Value::as_str);
                holds(text("tag").unwrap(), level, text("quality"))
            })
        })
    };
    let is_known = |tag: &str| ["de", "en", "fr", "nl"].contains(&tag);
    let known = r#"tag one of "de", "en", "fr", "nl" and level = false"#;
    assert_eq!(
        any(&|tag, level, quality| is_known(tag) && !level && quality.is_none()),
        format!("an element of choices with quality = null and {known}"),
    );
    assert_eq!(
        any(&|tag, level, quality| is_known(tag) && !level && quality == Some("0")),
        format!(r#"an element of choices with quality = "0" and {known}"#),
    );
    assert_eq!(
        any(&|tag, level, quality| tag == "de" && level && quality.is_some()),
        r#"an element of choices with tag = "de" and level = true and quality != null"#,
    );
}

const OPS: &str = r#"{"feature_name": "ops", "type": "LIST", "distribution": {"type": "list",
    "length": {"min": 0, "max": 10}, "element": {"type": "VARIANT", "distribution": {"type": "variant",
    "variants": [{"variant": "Clear"}, {"variant": "Pop"},
        {"variant": "Push", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}
    ]}}}}"#;

/// Longer lists contain more, so length and contents are strongly correlated.
#[test]
fn lengths_are_distinguished_from_contents_of_lists() {
    let few = XS.replace("19", "2");
    let length = found(&[&few], |row| numbers(&row[0]).len() > 4);
    assert_eq!(length, "length of xs > 4");
    let content = found(&[&few], |row| numbers(&row[0]).contains(&0));
    assert_eq!(content, "an element of xs <= 0");
}

#[test]
fn random_failures_have_no_rule() {
    let state = Cell::new(1_u64);
    let mut explained_rows = 0;
    for _ in 0..5 {
        let explanation = explained(&[XS, X, LINES, &parcels()], |_| {
            let next = state.get().wrapping_mul(6_364_136_223_846_793_005);
            state.set(next.wrapping_add(1));
            state.get() >> 61 == 0
        });
        explained_rows += explanation.rules.len();
    }
    assert_eq!(explained_rows, 0);
}

#[test]
fn an_element_without_members_is_named_by_its_list() {
    let none = found(&[OPS], |row| !row[0].to_string().contains("Pop"));
    assert_eq!(none, r#"every element of ops != "Pop""#);
    let pushed = found(&[OPS], |row| {
        let mut ops = row[0].as_array().unwrap().iter();
        ops.any(|op| op.get("Push").and_then(Value::as_u64) > Some(6))
    });
    assert_eq!(pushed, "an element of ops with Push > 6");
}

#[test]
fn an_amount_of_elements_is_said_of_each() {
    let xs = XS.replace(r#""min": 0, "max": 19"#, r#""min": -19, "max": 19"#);
    let is_far = |x: &Value| x.as_i64().unwrap().abs() > 12;
    let found = found(&[&xs], |row| row[0].as_array().unwrap().iter().any(is_far));
    assert_eq!(found, "an element of xs with it <= -13 or it > 12");
}

#[test]
fn bytes_in_lists_are_compared() {
    let bytes = r#"{"feature_name": "xs", "type": "LIST", "distribution": {"type": "list",
        "length": {"min": 0, "max": 6}, "element": {"type": "BYTES",
        "distribution": {"type": "any", "min_length": 1, "max_length": 1}}}}"#;
    let small = bytes.replace(
        r#"{"type": "any", "min_length": 1, "max_length": 1}"#,
        r#"{"type": "categorical", "categories": [
            {"value": "\\x00", "probability": 0.2}, {"value": "\\xff", "probability": 0.2},
            {"value": "\\n", "probability": 0.2}, {"value": "a", "probability": 0.2},
            {"value": "\\\\", "probability": 0.2}]}"#,
    );
    let equal = |row: &[Value]| {
        let xs = row[0].as_array().unwrap();
        (1..xs.len()).any(|at| xs[at - 1] == xs[at])
    };
    assert_eq!(found(&[&small], equal), "xs with equal neighbours");
}

#[test]
fn of_lists_within_lists_the_lengths_and_the_elements_are_known() {
    let matrix = XS.replace(
        r#""element": {"type": "INTEGER","#,
        r#""element": {"type": "LIST", "distribution": {"type": "list", "length": {"min": 0, "max": 5},
            "element": {"type": "INTEGER","#,
    ) + "}}";
    let lengths = |row: &[Value]| -> Vec<usize> {
        let lists = row[0].as_array().unwrap().iter();
        lists.map(|list| list.as_array().unwrap().len()).collect()
    };
    let is_any = found(&[&matrix], |row| {
        row[0]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| numbers(it).contains(&7))
    });
    assert_eq!(is_any, "an element of the lists in xs = 7");
    let found = |fails: &dyn Fn(&[usize]) -> bool| found(&[&matrix], |row| fails(&lengths(row)));
    let is_any_empty = found(&|lengths| lengths.contains(&0));
    assert_eq!(is_any_empty, "an element of xs empty");
    let are_all_long = found(&|lengths| lengths.iter().all(|it| *it > 2));
    assert_eq!(are_all_long, "length of every element of xs > 2");
}

/// Returns the definition of orders with parcels, which have items.
fn parcels() -> String {
    let item = r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [
        {"feature_name": "price", "type": "INTEGER",
         "distribution": {"type": "uniform", "min": 1, "max": 100}},
        {"feature_name": "gift", "type": "BOOLEAN",
         "distribution": {"type": "bernoulli", "p": 0.5}}]}}"#;
    let items =
        format!(r#"{{"type": "list", "length": {{"min": 0, "max": 3}}, "element": {item}}}"#);
    format!(
        r#"{{"feature_name": "parcels", "type": "LIST", "distribution": {{"type": "list",
            "length": {{"min": 0, "max": 3}}, "element": {{"type": "OBJECT", "distribution":
            {{"type": "object", "features": [
                {{"feature_name": "weight", "type": "INTEGER",
                  "distribution": {{"type": "uniform", "min": 1, "max": 20}}}},
                {{"feature_name": "items", "type": "LIST", "distribution": {items}}}]}}}}}}}}"#
    )
}

#[test]
fn conditions_of_elements_within_elements_are_lifted() {
    let items = |row: &[Value]| -> Vec<(u64, bool)> {
        let parcels = row[0].as_array().unwrap().iter();
        let items = parcels.flat_map(|it| it.get("items").unwrap().as_array().unwrap());
        let price = |item: &Value| item.get("price").and_then(Value::as_u64).unwrap();
        let is_gift = |item: &Value| item.get("gift").and_then(Value::as_bool).unwrap();
        items.map(|item| (price(item), is_gift(item))).collect()
    };
    let parcels = parcels();
    let any = found(&[&parcels], |row| items(row).iter().any(|it| it.0 > 80));
    assert_eq!(any, "an element of parcels/items with price > 80");
    let both = |it: &(u64, bool)| it.0 > 60 && it.1;
    let both = found(&[&parcels], |row| items(row).iter().any(both));
    assert_eq!(
        both,
        "an element of parcels/items with price > 60 and gift = true"
    );
    let all = found(&[&parcels], |row| items(row).iter().all(|it| it.1));
    assert_eq!(all, "every element of parcels/items with gift = true");
}

#[test]
fn lists_of_one_value_are_described_without_a_double_negation() {
    let words = r#"{"feature_name": "words", "type": "LIST", "distribution": {"type": "list",
        "length": {"min": 1, "max": 3}, "element": {"type": "STRING",
        "distribution": {"type": "categorical", "categories": [
            {"value": "tree", "probability": 0.4}, {"value": "ox", "probability": 0.3},
            {"value": "sky", "probability": 0.3}]}}}}"#;
    let is = |row: &[Value], known: &[&str]| {
        let words = row[0].as_array().unwrap();
        let mut words = words.iter().filter_map(Value::as_str);
        words.all(|it| known.contains(&it))
    };
    insta::assert_snapshot!(found(&[words], |row| is(row, &["tree"])), @r#"every element of words = "tree""#);
    insta::assert_snapshot!(found(&[words], |row| is(row, &["ox", "sky"])), @r#"every element of words != "tree""#);
}
