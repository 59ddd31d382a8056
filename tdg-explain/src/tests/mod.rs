//! Explanations of small tables, by example.

mod causes;
mod list_sentences;
mod lists;

use super::{ExplainedRows, Explanation, Side, Vocabulary, Wording, rules};
use tdg_definition::Definition;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;

/// Returns a feature of texts, each as likely as the others.
fn texts(name: &str, null_probability: f64, texts: &[&str]) -> String {
    let of = |text| {
        format!(
            r#"{{"value": "{text}", "probability": {}}}"#,
            1.0 / texts.len() as f64
        )
    };
    let categories: Vec<String> = texts.iter().map(of).collect();
    format!(
        r#"{{"feature_name": "{name}", "type": "STRING", "null_probability": {null_probability},
            "distribution": {{"type": "categorical", "categories": [{}]}}}}"#,
        categories.join(",")
    )
}

/// Returns a table of features with these names and types.
fn table(features: &[(&str, &str)], rows: &[String]) -> Vectors {
    let feature = |(name, feature_type): &(&str, &str)| {
        let value = match *feature_type {
            "STRING" => r#""""#,
            "BOOLEAN" => "true",
            "DATE" => r#""2024-01-01""#,
            "DATETIME" => r#""2024-01-01T00:00:00Z""#,
            _ => "0",
        };
        format!(
            r#"{{"feature_name": "{name}", "type": "{feature_type}", "null_probability": 0.1,
                "distribution": {{"type": "constant", "value": {value}}}}}"#
        )
    };
    let features: Vec<String> = features.iter().map(feature).collect();
    let definition = format!(r#"{{"features": [{}]}}"#, features.join(","));
    let rows = format!("[{}]", rows.join(","));
    Vectors::from_json(&Definition::parse(&definition).unwrap(), &rows).unwrap()
}

/// Returns a table of one feature.
fn column(feature_type: &str, values: &[&str]) -> Vectors {
    let rows: Vec<String> = values.iter().map(|value| format!("[{value}]")).collect();
    table(&[("x", feature_type)], &rows)
}

fn explained(vectors: &Vectors, is_failing: impl Fn(usize) -> bool) -> Explanation {
    let failing: Vec<Option<bool>> = (0..vectors.size())
        .map(|row| Some(is_failing(row)))
        .collect();
    rules(&ExplainedRows {
        vectors,
        expected: None,
        failing: &failing,
        vocabulary: Vocabulary::Full,
        constants: &[],
    })
}

fn found(vectors: &Vectors, is_failing: impl Fn(usize) -> bool) -> Vec<String> {
    let explanation = explained(vectors, is_failing);
    explanation.rules.iter().map(ToString::to_string).collect()
}

/// Explains repeated values, where each row with the failing value fails.
fn repeated(feature_type: &str, values: &[&str], failing: &str) -> Vec<String> {
    let cells: Vec<&str> = values
        .iter()
        .copied()
        .cycle()
        .take(40 * values.len())
        .collect();
    found(&column(feature_type, &cells), |row| cells[row] == failing)
}

#[test]
fn multiples_and_digits_are_asked_for_where_the_range_has_room() {
    let multiples_of_ten = |end: i32| {
        let rows: Vec<String> = (0..400).map(|k| format!("[{}]", k % end)).collect();
        let is_multiple = |row: usize| row as i32 % end % 10 == 0;
        found(&table(&[("x", "INTEGER")], &rows), is_multiple)
    };
    assert_eq!(multiples_of_ten(40), ["x a multiple of 10"]);
    assert_eq!(multiples_of_ten(10), ["x = 0"]);
}

#[test]
fn any_factor_that_the_failing_rows_have_in_common_is_found() {
    let rows: Vec<String> = (0..400).map(|k| format!("[{}]", k * 7 % 1000)).collect();
    let is_multiple = |row: usize| row as i32 * 7 % 1000 % 13 == 0;
    let found = found(&table(&[("x", "INTEGER")], &rows), is_multiple);
    assert_eq!(found, ["x a multiple of 13"]);
}

#[test]
fn a_field_is_found_in_texts_that_all_have_as_many() {
    let texts = |of: &dyn Fn(usize) -> String| {
        let rows: Vec<String> = (0..400).map(|k| format!("[\"{}\"]", of(k))).collect();
        table(&[("x", "STRING")], &rows)
    };
    let version = texts(&|k| format!("{}.{}.{}", k % 3, k * 7 % 31, k * 11 % 17));
    let is_late = |k: usize| k * 7 % 31 > 20;
    assert_eq!(found(&version, is_late), ["second field of x > 20"]);
    let cron = ["*", "*/5", "0", "3-7"];
    let schedule = texts(&|k| format!("{} {} {} * 1", cron[k % 4], cron[k / 4 % 4], k % 29));
    let is_each_five = |k: usize| k / 4 % 4 == 1;
    assert_eq!(
        found(&schedule, is_each_five),
        ["second field of x = \"*/5\""]
    );
    // Texts of two fields and of three.
    let mixed = texts(&|k| format!("{}{}", k * 7 % 31, if k % 2 == 0 { ".1" } else { ".1.2" }));
    let found = found(&mixed, is_late);
    assert!(
        found.iter().all(|rule| !rule.contains("field")),
        "{found:?}"
    );
}

/// Explains 400 rows of three numbers below these limits.
fn of_three(limits: [u32; 3], is_failing: fn([u32; 3]) -> bool) -> Vec<String> {
    let row = |k: u32| [k * 7 % limits[0], k * 11 % limits[1], k * 13 % limits[2]];
    let rows: Vec<String> = (0..400).map(|k| format!("{:?}", row(k))).collect();
    let features = ["offset", "len", "size"].map(|name| (name, "INTEGER"));
    found(&table(&features, &rows), |at| is_failing(row(at as u32)))
}

#[test]
fn a_sum_and_a_product_are_compared_with_a_third_number() {
    let sum = of_three([31, 29, 37], |[offset, len, size]| offset + len > size);
    assert_eq!(sum, ["offset + len > size"]);
    let product = of_three([31, 29, 401], |[offset, len, size]| offset * len > size);
    assert_eq!(product, ["offset × len > size"]);
    let product = of_three([31, 29, 401], |[offset, len, _]| offset * len > 300);
    assert_eq!(product, ["offset × len > 300"]);
}

#[test]
fn a_ratio_has_a_threshold() {
    let ratio = of_three([301, 29, 401], |[offset, len, _]| offset > 7 * len);
    assert_eq!(ratio, ["offset / len > 7"]);
}

#[test]
fn two_dates_are_compared_without_their_years() {
    let day = |k: u32| format!("{}-{:02}-{:02}", 1980 + k % 40, 1 + k % 12, 1 + k % 28);
    let row = |k: u32| [day(k * 7 % 1009), day(k * 11 % 997)];
    let rows: Vec<String> = (0..400).map(|k| format!("{:?}", row(k))).collect();
    let vectors = table(&[("born", "DATE"), ("today", "DATE")], &rows);
    let is_ahead = |at: usize| {
        let [born, today] = row(at as u32);
        today[4..] < born[4..]
    };
    assert_eq!(
        found(&vectors, is_ahead),
        ["born later in the year than today"]
    );
}

#[test]
fn the_days_between_a_date_and_a_time_have_a_threshold() {
    let row = |k: u32| {
        let (from, to) = (k * 7 % 28, k * 11 % 28);
        (
            from,
            to,
            format!(
                r#"["2024-03-{:02}", "2024-03-{:02}T0{}:00:00Z"]"#,
                from + 1,
                to + 1,
                k % 9
            ),
        )
    };
    let rows: Vec<String> = (0..400).map(|k| row(k).2).collect();
    let vectors = table(&[("due", "DATE"), ("paid", "DATETIME")], &rows);
    let is_far = |at: usize| {
        let (from, to, _) = row(at as u32);
        from.abs_diff(to) > 10
    };
    assert_eq!(found(&vectors, is_far), ["days between due and paid > 10"]);
}

#[test]
fn a_few_long_texts_do_not_hide_what_the_others_contain() {
    let text = |k: usize| match k % 100 {
        99 => "long".repeat(2_000),
        k => format!("{}{}{}", ["/", "?", "-", "x"][k % 4], k * 7 % 31, k / 4),
    };
    let rows: Vec<String> = (0..400).map(|k| format!("[\"{}\"]", text(k))).collect();
    let is_failing = |row: usize| text(row).contains('7');
    assert_eq!(
        found(&table(&[("x", "STRING")], &rows), is_failing),
        ["x containing \"7\""]
    );
}

#[test]
fn many_texts_in_outputs_do_not_hide_what_inputs_contain() {
    let text = |k: usize| format!("{}-{}", k * 7 % 31, k * 11 % 29);
    let rows: Vec<String> = (0..400).map(|k| format!("[\"{}\"]", text(k))).collect();
    let output =
        |k: usize| (0..12).map(move |field| (format!("f{field}"), Value::from(format!("{k}"))));
    let expected: Vec<Value> = (0..400).map(|k| Value::object(output(k))).collect();
    let is_failing = |row: usize| text(row).contains('7');
    let failing: Vec<Option<bool>> = (0..400).map(|row| Some(is_failing(row))).collect();
    let explanation = rules(&ExplainedRows {
        vectors: &table(&[("x", "STRING")], &rows),
        expected: Some(&expected),
        failing: &failing,
        vocabulary: Vocabulary::Full,
        constants: &[],
    });
    assert_eq!(explanation.rules[0].to_string(), "x containing \"7\"");
}

#[test]
fn a_threshold_is_found_in_numbers_of_each_kind() {
    let integers: Vec<String> = (0..100).map(|k| format!("[{}]", k * 3)).collect();
    assert_eq!(
        found(&table(&[("x", "INTEGER")], &integers), |row| row > 66),
        ["x > 200"]
    );
    let floats: Vec<String> = (0..100)
        .map(|k| format!("[{}]", f64::from(k) / 7.0))
        .collect();
    assert_eq!(
        found(&table(&[("x", "FLOAT")], &floats), |row| row <= 17),
        ["x <= 2.5"]
    );
    let large: Vec<String> = (0..100).map(|k| format!("[{}]", u64::MAX - k)).collect();
    assert_eq!(
        found(&table(&[("x", "INTEGER")], &large), |row| row < 20),
        ["x > 18446744073709551595"]
    );
}

#[test]
fn an_interval_is_found_in_days_and_times() {
    let days: Vec<String> = (0..336)
        .map(|k| format!(r#"["2024-{:02}-{:02}"]"#, k / 28 + 1, k % 28 + 1))
        .collect();
    assert_eq!(
        found(&table(&[("due", "DATE")], &days), |row| (28..84)
            .contains(&row)),
        ["2024-02-01 <= due < 2024-04-01"]
    );
    let times: Vec<String> = (0..96)
        .map(|k| format!(r#"["2024-02-29T{:02}:{:02}:00Z"]"#, k / 4, k % 4 * 15 + 7))
        .collect();
    let times = table(&[("at", "DATETIME")], &times);
    assert_eq!(found(&times, |row| row < 36), ["at < 2024-02-29T09:00:00Z"]);
}

#[test]
fn a_value_is_found_in_columns_of_every_type() {
    assert_eq!(
        repeated("STRING", &["\"a\"", "\"b\"", "\"c\"", "\"d\""], "\"b\""),
        ["x = \"b\""]
    );
    assert_eq!(repeated("INTEGER", &["1", "2", "3", "4"], "3"), ["x = 3"]);
    assert_eq!(
        repeated("FLOAT", &["0.5", "1.5", "2.5"], "1.5"),
        ["x = 1.5"]
    );
    assert_eq!(
        repeated("BOOLEAN", &["true", "false", "false"], "true"),
        ["x = true"]
    );
    let days = ["\"2024-02-28\"", "\"2024-02-29\"", "\"2024-03-01\""];
    assert_eq!(
        repeated("DATE", &days, "\"2024-02-29\""),
        ["x = 2024-02-29"]
    );
}

#[test]
fn null_is_found_in_columns_of_every_type() {
    for (feature_type, value) in [
        ("STRING", "\"a\""),
        ("INTEGER", "1"),
        ("FLOAT", "1.5"),
        ("BOOLEAN", "true"),
        ("DATE", "\"2024-02-29\""),
        ("DATETIME", "\"2024-02-29T12:00:00Z\""),
    ] {
        let found = repeated(feature_type, &["null", value, value], "null");
        assert_eq!(found, ["x = null"], "{feature_type}");
    }
}

#[test]
fn null_is_neither_above_nor_below_a_threshold() {
    let cells: Vec<String> = (0..120)
        .map(|k| {
            if k % 3 == 0 {
                "[null]".to_owned()
            } else {
                format!("[{k}]")
            }
        })
        .collect();
    let vectors = table(&[("x", "INTEGER")], &cells);
    let explanation = explained(&vectors, |row| row % 3 != 0 && row >= 80);
    assert_eq!(explanation.rules[0].to_string(), "x >= 80");
    assert!(explanation.rules[0].exceptions.is_empty());
}

#[test]
fn strings_are_described_by_prefix_length_and_emptiness() {
    let regions = [
        "EU-north", "EU-south", "EU-west", "US-east", "US-west", "ASIA",
    ];
    let cells: Vec<String> = (0..240)
        .map(|k| format!("[\"{}\"]", regions[k % 6]))
        .collect();
    let vectors = table(&[("region", "STRING")], &cells);
    assert_eq!(
        found(&vectors, |row| row % 6 < 3),
        ["region starting with \"EU-\""]
    );

    let names: Vec<String> = (0..240)
        .map(|k| format!("[\"{}{k}\"]", "é".repeat(k % 12)))
        .collect();
    let vectors = table(&[("name", "STRING")], &names);
    assert_eq!(
        found(&vectors, |row| row % 12 + row.to_string().len() > 10),
        ["length of name > 10"]
    );

    assert_eq!(
        repeated("STRING", &["\"\"", "\"a\"", "\"bc\""], "\"\""),
        ["x = \"\""]
    );
}

#[test]
fn a_value_is_named_rather_than_its_length_or_its_prefix() {
    let found = repeated(
        "STRING",
        &["\"HALF\"", "\"NONE\"", "\"TENTH\""],
        "\"TENTH\"",
    );
    assert_eq!(found, ["x = \"TENTH\""]);
}

#[test]
fn a_value_is_named_rather_than_a_property_that_no_other_value_has() {
    let values = ["2", "3", "4", "5", "6"];
    assert_eq!(repeated("INTEGER", &values, "4"), ["x = 4"]);
    let floats = ["1.5", "2.0", "2.5", "3.5"];
    assert_eq!(repeated("FLOAT", &floats, "2.0"), ["x = 2"]);
}

#[test]
fn both_zeros_are_one_value() {
    let cells: Vec<String> = (0..120)
        .map(|k| ["[0.0]", "[-0.0]", "[1.0]", "[-1.0]"][k % 4].to_owned())
        .collect();
    let vectors = table(&[("x", "FLOAT")], &cells);
    let explanation = explained(&vectors, |row| row % 4 < 2);
    assert_eq!(explanation.rules[0].text, "x = 0");
    assert_eq!(explanation.rules[0].rows.len(), 60);
    // The two zeros can't be distinguished.
    assert_eq!(
        explained(&vectors, |row| row % 4 == 0).rules[0]
            .exceptions
            .len(),
        30
    );
}

#[test]
fn columns_of_one_value_say_nothing() {
    let rows: Vec<String> = (0..60)
        .map(|k| format!("[1.5, \"a\", null, {k}]"))
        .collect();
    let features = [
        ("a", "FLOAT"),
        ("b", "STRING"),
        ("c", "INTEGER"),
        ("d", "INTEGER"),
    ];
    assert_eq!(
        found(&table(&features, &rows), |row| row >= 40),
        ["d >= 40"]
    );
    let rows: Vec<String> = (0..60).map(|_| "[1.5]".to_owned()).collect();
    let explanation = explained(&table(&[("a", "FLOAT")], &rows), |row| row < 10);
    assert!(explanation.rules.is_empty());
}

#[test]
fn the_side_that_is_simpler_to_describe_is_explained() {
    let rows: Vec<String> = (0..100).map(|k| format!("[{k}]")).collect();
    let explanation = explained(&table(&[("x", "INTEGER")], &rows), |row| row >= 20);
    assert_eq!(explanation.side, Side::Failing);
    assert_eq!(explanation.rules[0].to_string(), "x >= 20");
    assert_eq!(explanation.explained(), 80);
    let pairs: Vec<String> = (0..400)
        .map(|k| format!("[{}, {}]", k % 20, k / 20))
        .collect();
    let vectors = table(&[("x", "INTEGER"), ("y", "INTEGER")], &pairs);
    let explanation = explained(&vectors, |row| {
        !((5..15).contains(&(row % 20)) && row / 20 >= 10)
    });
    // The failing rows need three rules, which aren't everyday.
    assert_eq!(explanation.side, Side::Passing);
    assert_eq!(explanation.rules[0].to_string(), "y >= 10 and 4 < x <= 14");
}

#[test]
fn an_expected_err_is_called_one_and_a_missing_field_too() {
    let rows: Vec<String> = (0..200)
        .map(|row| format!("[{}]", row * 7919 % 200))
        .collect();
    let vectors = table(&[("x", "INTEGER")], &rows);
    let numbers: Vec<i64> = (0..200).map(|row| row * 7919 % 200).collect();
    let is_err = |x: &i64| x * x * 37 % 101 < 30;
    let rule = |[ok, err]: [&str; 2]| {
        let output = |x: &i64| match is_err(x) {
            true => err.to_owned(),
            false => ok.replace('N', &(x * 31 % 64 * 10).to_string()),
        };
        let outputs = numbers.iter().map(output);
        let expected: Vec<Value> = outputs.map(|it| json::parse(&it).unwrap()).collect();
        let failing = numbers.iter().map(|x| Some(*x >= 90 && !is_err(x)));
        let explanation = rules(&ExplainedRows {
            vectors: &vectors,
            expected: Some(&expected),
            failing: &failing.collect::<Vec<_>>(),
            vocabulary: Vocabulary::Full,
            constants: &[],
        });
        explanation.rules[0].to_string()
    };
    let err = r#"{"Err":"refused"}"#;
    assert_eq!(rule([r#"{"Ok":N}"#, err]), "x >= 90 and expected an Ok");
    assert_eq!(
        rule([r#"{"Ok":{"net":N,"tax":1}}"#, err]),
        "x >= 90 and expected an Ok"
    );
    assert_eq!(
        rule([r#"{"Part":{"net":N}}"#, r#"{"Refused":"late"}"#]),
        "x >= 90 and expected/Refused missing"
    );
}

#[test]
fn nothing_is_explained_if_all_or_none_fail() {
    for vectors in [
        column("INTEGER", &["1"]),
        column("INTEGER", &["1", "2", "3", "4", "5"]),
    ] {
        for fails in [true, false] {
            let explanation = explained(&vectors, |_| fails);
            assert!(explanation.rules.is_empty() && explanation.shared.is_none());
        }
    }
    let rows = ExplainedRows {
        vectors: &column("INTEGER", &["1"]),
        expected: None,
        failing: &[],
        vocabulary: Vocabulary::Full,
        constants: &[],
    };
    assert_eq!(rules(&rows).rows, 0);
}

/// Returns the rule, with its wording, for the failing rows of 500 orders in three zones.
fn rule_of_few(fails: impl Fn(usize) -> bool) -> Option<(String, Wording)> {
    let order = |row: usize| {
        let quantity = row * 7 % 40 + 1;
        let zone = ["Home", "Near", "Far"][row * row % 11 % 3];
        let coupon = if row == 77 { "null" } else { "\"HALF\"" };
        format!("[{quantity}, \"{zone}\", {coupon}]")
    };
    let rows: Vec<String> = (0..500).map(order).collect();
    let features = [
        ("quantity", "INTEGER"),
        ("zone", "STRING"),
        ("coupon", "STRING"),
    ];
    let explanation = explained(&table(&features, &rows), fails);
    let rule = explanation.rules.into_iter().next()?;
    Some((rule.text, rule.wording))
}

#[test]
fn a_limit_without_its_own_value_is_strict() {
    let rows: Vec<String> = (0..400).map(|row| format!("[{}]", row * 7 % 100)).collect();
    let vectors = table(&[("b", "INTEGER")], &rows);
    assert_eq!(found(&vectors, |row| row * 7 % 100 > 90), ["b > 90"]);
}

#[test]
fn the_rule_of_a_few_rows_is_hedged() {
    let is_near = |row: usize| row * row % 11 % 3 == 1;
    let quantity = |row: usize| row * 7 % 40 + 1;
    let both = |row: usize| quantity(row) == 17 && is_near(row);
    insta::assert_debug_snapshot!(rule_of_few(both), @r#"
    Some(
        (
            "quantity = 17 and zone = \"Near\"",
            Perhaps,
        ),
    )
    "#);
    insta::assert_debug_snapshot!(rule_of_few(|row| row == 77), @r#"
    Some(
        (
            "coupon = null",
            Perhaps,
        ),
    )
    "#);
    insta::assert_debug_snapshot!(rule_of_few(|row| row == 78), @"None");
    insta::assert_debug_snapshot!(rule_of_few(|row| [3, 201, 402].contains(&row)), @"None");
}

#[test]
fn two_causes_are_two_rules() {
    let rows: Vec<String> = (0..400)
        .map(|k| {
            format!(
                "[{}, \"{}\"]",
                k * 7 % 100,
                ["A", "B", "C", "D", "E"][k * 13 % 5]
            )
        })
        .collect();
    let vectors = table(&[("n", "INTEGER"), ("s", "STRING")], &rows);
    let found = found(&vectors, |row| row * 7 % 100 > 89 || row * 13 % 5 == 2);
    assert_eq!(found, ["s = \"C\"", "n >= 90"]);
}

#[test]
fn round_thresholds_of_two_conditions_cover_no_other_row() {
    // A row fails if both are small. If one is, the other may be called small up to 39, but not
    // both.
    let mut rows = Vec::new();
    for k in 0..100 {
        let (small, other) = (k % 10 + 1, k / 10 + 1);
        rows.extend([
            (small, other),
            (small + 39, other),
            (small, other + 39),
            (15, 15),
        ]);
    }
    let texts: Vec<String> = rows.iter().map(|(x, y)| format!("[{x}, {y}]")).collect();
    let vectors = table(&[("x", "INTEGER"), ("y", "INTEGER")], &texts);
    let explanation = explained(&vectors, |row| rows[row].0 <= 10 && rows[row].1 <= 10);
    let [rule] = explanation.rules.as_slice() else {
        panic!("{explanation:?}");
    };
    assert_eq!(rule.covered(), rule.rows, "{rule}");
    assert_eq!(rule.rows.len(), 100);
}

/// Returns rows of a variant and of a tuple.
fn payments() -> Vectors {
    let integer = |max: i64| {
        format!(
            r#""type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": {max}}}"#
        )
    };
    let definition = format!(
        r#"{{"features": [
            {{"feature_name": "payment", "type": "VARIANT", "null_probability": 0.2, "distribution": {{"type": "variant", "variants": [
                {{"variant": "Invoice", "type": "OBJECT", "distribution": {{"type": "object", "features": [
                    {{"feature_name": "days", {0}}}]}}}},
                {{"variant": "Card", {1}}},
                {{"variant": "Cash"}}]}}}},
            {{"feature_name": "pair", "type": "OBJECT", "distribution": {{"type": "object", "form": "array",
                "features": [{{{1}}}, {{{1}}}]}}}}]}}"#,
        integer(60),
        integer(9)
    );
    Vectors::generate(&Definition::parse(&definition).unwrap(), 0, 400)
}

#[test]
fn variants_and_what_is_in_them_are_found() {
    let vectors = payments();
    let row = |row: usize| json::parse(&vectors.object(row)).unwrap();
    let field = |row: &Value, pointer: &str| {
        let pointer: json::Pointer = pointer.parse().unwrap();
        pointer.find_in(row).and_then(Value::as_i64)
    };
    let rules = |is_failing: &dyn Fn(&Value) -> bool| found(&vectors, |it| is_failing(&row(it)));
    let is_cash = |row: &Value| row.get("payment").and_then(Value::as_str).is_some();
    assert_eq!(rules(&is_cash), [r#"payment = "Cash""#]);
    let is_null = |row: &Value| row.get("payment").is_some_and(Value::is_null);
    assert_eq!(rules(&is_null), ["payment = null"]);
    let days = |row: &Value| field(row, "/payment/Invoice/days");
    assert_eq!(
        rules(&|row| days(row).is_some()),
        [r#"payment = "Invoice""#]
    );
    assert_eq!(
        rules(&|row| days(row) > Some(30)),
        ["payment/Invoice/days > 30"]
    );
    let rising = |row: &Value| field(row, "/pair/0") < field(row, "/pair/1");
    assert_eq!(rules(&rising), ["pair.0 < pair.1"]);
}

/// Returns rows of two numbers from 0 to 19, each pair once.
fn pairs() -> (Vectors, impl Fn(usize) -> [usize; 2]) {
    let of = |row: usize| [row % 20, row / 20];
    let rows: Vec<String> = (0..400).map(|row| format!("{:?}", of(row))).collect();
    (table(&[("x", "INTEGER"), ("y", "INTEGER")], &rows), of)
}

#[test]
fn inputs_are_named_rather_than_the_expected_output_of_the_same_rows() {
    let (vectors, of) = pairs();
    let is_refused = |row: usize| of(row)[0] > 14 && of(row)[1] > 9;
    let output = |row: usize| match is_refused(row) {
        true => json::parse(r#"{"Err":"refused"}"#).unwrap(),
        false => json::parse(r#"{"Ok":1}"#).unwrap(),
    };
    let expected: Vec<Value> = (0..400).map(output).collect();
    let failing: Vec<_> = (0..400).map(|row| Some(is_refused(row))).collect();
    let explanation = rules(&ExplainedRows {
        vectors: &vectors,
        expected: Some(&expected),
        failing: &failing,
        vocabulary: Vocabulary::Full,
        constants: &[],
    });
    let [rule] = explanation.rules.as_slice() else {
        panic!("{explanation:?}");
    };
    assert_eq!(rule.text, "x > 14 and y >= 10");
    // An exact everyday rule needs no other words.
    assert_eq!(rule.equivalent, None);
}

#[test]
fn shared_values_of_a_few_failing_rows_are_reported() {
    let words = ["north", "south", "east", "west", "up", "down", "left"];
    let text = |row: usize| {
        let comma = if row % 20 == 3 { "," } else { "" };
        format!("{}{comma}{}", words[row % 7], row * 7919 % 400)
    };
    let rows: Vec<String> = (0..400)
        .map(|row| format!("[{:?}, {}]", text(row), row * 31 % 100))
        .collect();
    let vectors = table(&[("text", "STRING"), ("n", "INTEGER")], &rows);
    let explanation = explained(&vectors, |row| [43, 83, 143, 203, 263, 383].contains(&row));
    assert_eq!(explanation.rules, []);
    let shared = explanation.shared.unwrap();
    assert_eq!(shared.text, "text containing \",\"");
    assert_eq!((shared.rows.len(), shared.exceptions.len()), (6, 14));
}

#[test]
fn a_limit_that_leaves_one_value_is_that_value() {
    let rows: Vec<String> = (0..400).map(|row| format!("[{}]", row * 7 % 400)).collect();
    let vectors = table(&[("n", "INTEGER")], &rows);
    let ends_with_nine = |row: usize| row * 7 % 400 % 10 == 9;
    assert_eq!(found(&vectors, ends_with_nine), ["last digit of n = 9"]);
    let signs: Vec<String> = (0..400)
        .map(|row| format!("[{}]", (row * 7 % 400) * 2 - 399))
        .collect();
    let vectors = table(&[("n", "INTEGER")], &signs);
    assert_eq!(found(&vectors, |row| (row * 7 % 400) * 2 < 399), ["n < 0"]);
    assert_eq!(
        found(&vectors, |row| (row * 7 % 400) * 2 > 399 && row % 400 != 5),
        ["n > 0"]
    );
}

#[test]
fn texts_are_distinguished_in_plain_words() {
    let letters = |row: usize| match row % 3 {
        0 => String::new(),
        1 => row.to_string(),
        _ => format!("{row}b"),
    };
    let rows: Vec<String> = (0..300)
        .map(|row| format!("[{:?}]", letters(row)))
        .collect();
    let vectors = table(&[("s", "STRING")], &rows);
    assert_eq!(found(&vectors, |row| row % 3 > 0), ["s != \"\""]);
    assert_eq!(
        found(&vectors, |row| row % 3 == 1),
        ["s != \"\" and s not containing \"b\""]
    );
    let decimals = |row: usize| match row % 3 {
        0 => format!("{}.{}", row * 7 % 300, row % 10),
        _ => format!("{}", row * 7 % 300),
    };
    let rows: Vec<String> = (0..300)
        .map(|row| format!("[{:?}]", decimals(row)))
        .collect();
    let vectors = table(&[("s", "STRING")], &rows);
    assert_eq!(found(&vectors, |row| row % 3 == 0), ["s containing \".\""]);
}

#[test]
fn a_length_that_never_varies_is_in_no_difference() {
    let letter = |row: usize| char::from(b'A' + (row * 11 % 26) as u8);
    let easting = |row: usize| row * 7919 % 1000;
    let rows: Vec<String> = (0..300)
        .map(|row| format!("[\"{}\", {}]", letter(row), easting(row)))
        .collect();
    let vectors = table(&[("letter", "STRING"), ("easting", "INTEGER")], &rows);
    let is_between = |row: usize| (350..640).contains(&easting(row));
    let found = found(&vectors, is_between);
    assert!(
        found[0].contains("easting") && !found[0].contains("letter"),
        "{found:?}"
    );
}

#[test]
fn two_texts_with_a_common_beginning_are_distinguished_from_others() {
    let words = [
        "ant", "apple", "bee", "bed", "cat", "dog", "deer", "eel", "elk", "fox", "fig", "gnu",
        "hen",
    ];
    let of = |row: usize| (words[row % 13], words[row / 13 % 13]);
    let rows: Vec<String> = (0..338)
        .map(|row| format!("[{:?}, {:?}]", of(row).0, of(row).1))
        .collect();
    let vectors = table(&[("a", "STRING"), ("b", "STRING")], &rows);
    let is_like = |row: usize| of(row).0.chars().next() == of(row).1.chars().next();
    assert_eq!(
        found(&vectors, is_like),
        ["length of the common beginning of a and b > 0"]
    );
}
