use super::change_sentences::change_sentences;
use super::*;
use crate::changes;
use tdg_definition::{Definition, Policy};

use tdg_definition::json::parse;

/// Orders with a coupon in some rows, and quantities from 1 to 20.
fn orders() -> Vectors {
    let definition = Definition::parse(
        r#"{"features": [
            {"feature_name": "amount", "type": "FLOAT",
             "distribution": {"type": "uniform", "min": 10, "max": 100}},
            {"feature_name": "quantity", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 1, "max": 20}},
            {"feature_name": "coupon", "type": "STRING", "null_probability": 0.1,
             "distribution": {"type": "categorical", "categories": [
                {"value": "HALF", "probability": 0.3}, {"value": "NONE", "probability": 0.7}]}}
        ]}"#,
    );
    Vectors::generate(&definition.unwrap(), 0, 500)
}

fn quantity(vectors: &Vectors, row: usize) -> f64 {
    let mut text = String::new();
    vectors.write_cell(row, 1, &mut text);
    text.parse().unwrap()
}

fn is_half(vectors: &Vectors, row: usize) -> bool {
    let mut text = String::new();
    vectors.write_cell(row, 2, &mut text);
    text == "\"HALF\""
}

/// Returns the findings if `fails` gives the actual outputs of some rows; the others are
/// `{"Ok":{"total":…}}`.
fn findings(fails: impl Fn(&Vectors, usize) -> Option<String>) -> String {
    found(fails).sentences.join("\n")
}

fn found(fails: impl Fn(&Vectors, usize) -> Option<String>) -> ChangeFindings {
    let vectors = orders();
    let mut differing = Vec::new();
    for row in 0..vectors.size() {
        if let Some(actual) = fails(&vectors, row) {
            let expected = ok(row as f64 + 1.5);
            let read = |text: &str| parse(text).unwrap();
            differing.push(DifferingCase::compared(
                &Policy::exact(),
                row,
                read(&expected),
                read(&actual),
            ));
        }
    }
    findings_of_changes(&vectors, &[], None, &[], &differing)
}

fn ok(total: f64) -> String {
    format!(r#"{{"Ok":{{"id":7,"total":{total:?}}}}}"#)
}

fn doubled(row: usize) -> Option<String> {
    Some(ok((row as f64 + 1.5) * 2.0))
}

#[test]
fn one_rule_for_all() {
    insta::assert_snapshot!(findings(|rows, row| {
        (is_half(rows, row) && quantity(rows, row) > 10.0).then(|| doubled(row))?
    }), @r#"
    all 67 have coupon = "HALF" and quantity > 10   (67 of 67 such cases changed, 0 of the other 433)
    /Ok/total: actual = 2 × expected in all 67
    "#);
}

#[test]
fn the_cause_is_known_if_rules_and_patterns_cover_every_changed_case() {
    let is_large = |rows: &Vectors, row: usize| quantity(rows, row) > 18.0;
    let causes = [
        found(|rows, row| is_half(rows, row).then(|| doubled(row))?),
        found(|_, row| doubled(row)),
        found(|rows, row| (is_half(rows, row) || is_large(rows, row)).then(|| doubled(row))?),
        found(|rows, row| is_large(rows, row).then(|| r#"{"Err":"too many"}"#.to_owned())),
        // Some have another cause, or changed in another way.
        found(|rows, row| (is_large(rows, row) || row % 83 == 0).then(|| doubled(row))?),
        found(|rows, row| is_large(rows, row).then(|| ok((row * row % 997) as f64))),
    ];
    let causes = causes.map(|it| it.cause.unwrap_or_else(|| "unknown".to_owned()));
    insta::assert_snapshot!(causes.join("\n"), @r#"
    all changed cases have coupon = "HALF", /Ok/total: actual = 2 × expected
    all cases changed, /Ok/total: actual = 2 × expected
    all changed cases have coupon = "HALF" or quantity > 18, /Ok/total: actual = 2 × expected
    all cases that became an Err have quantity > 18, became Err("too many")
    unknown
    unknown
    "#);
}

#[test]
fn the_same_cause_is_equal_for_other_rows_and_fields_are_named() {
    let cause = |size: usize| {
        let vectors = orders();
        let differing = (0..size)
            .filter(|row| quantity(&vectors, *row) > 18.0)
            .map(|row| {
                let fields = |total: usize| {
                    let members = ["fee", "net"].map(|name| (name, Value::from(total as u64)));
                    Value::object(members)
                };
                DifferingCase::compared(&Policy::exact(), row, fields(row), fields(row + 1))
            });
        let rows: Vec<usize> = (0..size).collect();
        let differing: Vec<DifferingCase> = differing.collect();
        findings_of_changes(&vectors.gather(&rows), &[], None, &[], &differing).cause
    };
    assert_eq!(cause(300), cause(500));
    insta::assert_snapshot!(cause(500).unwrap(), @"all changed cases have quantity > 18, /fee, /net: actual = expected + 1");
}

#[test]
fn one_rule_with_exceptions() {
    insta::assert_snapshot!(findings(|rows, row| {
        ((quantity(rows, row) > 17.0) != (row % 83 == 0)).then(|| doubled(row))?
    }), @"
    mostly: 67 of the 73 have quantity > 17   (67 of 68 such cases changed, 6 of the other 432)
    /Ok/total: actual = 2 × expected in all 73
    ");
}

/// Returns the findings about the rows in which `actual` differs from `expected`.
fn findings_of(expected: fn(usize) -> Value, actual: fn(usize) -> Value) -> String {
    let vectors = orders();
    let outputs: Vec<Value> = (0..vectors.size()).map(expected).collect();
    let cases = (0..vectors.size())
        .map(|row| DifferingCase::compared(&Policy::exact(), row, expected(row), actual(row)));
    let differing: Vec<_> = cases.filter(|it| !it.comparison.is_same()).collect();
    findings_of_changes(&vectors, &[], Some(&outputs), &[], &differing)
        .sentences
        .join("\n")
}

#[test]
fn a_word_or_value_that_no_other_output_has_says_which_cases_changed() {
    fn since(row: usize, months: &str) -> Value {
        let unit = if row * row % 13 < 2 { months } else { "Monat" };
        format!("{} {unit} alt", row % 12 + 1).into()
    }
    insta::assert_snapshot!(findings_of(|row| since(row, "Monaten"), |row| since(row, "Monate")), @r#"actual = expected with "Monate" instead of "Monaten" in all 116, the only ones with "Monaten""#);
    fn mode(row: usize, mode: &str) -> Value {
        let mode = if row * row % 13 < 2 { mode } else { "Manual" };
        Value::object([("$name", Value::from(mode))])
    }
    insta::assert_snapshot!(findings_of(|row| mode(row, "Off"), |row| mode(row, "On")), @r#""Off" became "On" in all 116, the only ones with "Off""#);
    fn last(row: usize, days: i64) -> Value {
        let days = [28, 29, days, 31][row * row % 13 % 4];
        Value::object([("last", Value::from(days))])
    }
    insta::assert_snapshot!(findings_of(|row| last(row, 30), |row| last(row, 31)), @"/last: 30 became 31 in all 76, the only ones with 30");
}

#[test]
fn a_change_of_every_output_with_the_field_is_called_that() {
    insta::assert_snapshot!(findings_of(|row| weekday(row, 0), |row| weekday(row, 1)), @"all 461 cases with /Ok/weekday changed   (39 with another outcome not counted)");
}

#[test]
fn the_only_case_with_a_field_is_not_called_all() {
    fn day(row: usize, day: i64) -> Value {
        match row {
            0 => Value::object([("Ok", Value::object([("day", Value::from(day))]))]),
            1 if day > 1 => Value::object([("Ok", Value::object([("day", Value::from(9))]))]),
            _ => Value::object([("Err", Value::from("no day"))]),
        }
    }
    insta::assert_snapshot!(findings_of(|row| day(row, 1), |row| day(row, 2)), @"");
}

#[test]
fn of_a_deep_field_both_ends_are_named() {
    fn page(row: usize, y: i64) -> Value {
        let leaf = Value::object([("y", Value::from(if row < 9 { y } else { 0 }))]);
        let inner = ["attributes", "2", "inner", "1", "children", "page"];
        inner.into_iter().fold(leaf, |leaf, name| {
            Value::object([(name, leaf), ("x", Value::from(row as u64))])
        })
    }
    insta::assert_snapshot!(findings_of(|row| page(row, 1), |row| page(row, 2)), @"/page/…/attributes/y: 1 became 2 in all 9, the only ones with 1");
}

#[test]
fn marks_of_debug_output_are_not_named() {
    fn error(row: usize, name: &str) -> Value {
        let at = Value::object([("$text", Value::from(format!("column: {}", row * row % 7)))]);
        let name = if row * row % 7 == 2 { name } else { "Data" };
        let error = Value::object([("$name", Value::from(name)), ("0", at)]);
        Value::object([("Err", error)])
    }
    let now = |row| error(row, if row % 5 == 0 { "Text" } else { "Decode" });
    insta::assert_snapshot!(findings_of(|row| error(row, "Json"), now), @r#"
    no rule was found for the 142 cases that changed
    /Err: "Json" became "Decode" in 114 of the 142
    /Err, the other 28: "Json" became "Text" in all 28
    "#);
}

fn weekday(row: usize, shift: usize) -> Value {
    match row * row % 13 {
        0 => Value::object([("Err", Value::from("no day"))]),
        _ => Value::object([(
            "Ok",
            Value::object([
                ("day", Value::from((row % 31) as i64)),
                (
                    "weekday",
                    Value::from(["Mon", "Tue", "Wed", "Thu"][(row * 7 + shift) % 4]),
                ),
            ]),
        )]),
    }
}

#[test]
fn a_removed_variant_is_explained_among_outputs_that_had_it() {
    fn variant(row: usize, is_changed: bool) -> Value {
        let rows = orders();
        match row % 4 {
            0 if is_changed && quantity(&rows, row) > 15.0 => {
                Value::object([("Refused", Value::from("too many"))])
            }
            0 => Value::object([("Parts", Value::from(row as i64))]),
            _ => Value::object([("Part", Value::from(row as i64))]),
        }
    }
    insta::assert_snapshot!(findings_of(|row| variant(row, false), |row| variant(row, true)), @"
    /Parts removed in 24 of 500
    /Parts: all 24 have quantity > 15   (24 of 24 such cases changed, 0 of the other 101; 375 with another outcome not counted)
    /Refused added in 24 of 500
    ");
}

#[test]
fn a_part_that_always_changes() {
    insta::assert_snapshot!(findings(|rows, row| {
        (is_half(rows, row) && quantity(rows, row) > 10.0 || row * row % 41 == 16).then(|| ok((row % 7) as f64))
    }), @r#"
    a part: 67 of the 87 have coupon = "HALF" and quantity > 10   (67 of 67 such cases changed)
    no pattern found in the other 20
    /Ok/total: actual < expected in all 87
    "#);
}

#[test]
fn a_tendency_is_not_reported() {
    insta::assert_snapshot!(findings(|rows, row| {
        (is_half(rows, row) && row * row % 5 < 4 || row * row % 17 == 4).then(|| ok((row % 7) as f64))
    }), @"
    no rule was found for the 132 cases that changed
    /Ok/total: actual < expected in all 132
    ");
}

#[test]
fn a_condition_that_the_change_implies_is_not_reported() {
    fn outcome(row: usize, is_ok: bool) -> Value {
        match is_ok {
            true => parse(&format!(r#"{{"Ok":{row}}}"#)).unwrap(),
            false => parse(r#"{"Err":"refused"}"#).unwrap(),
        }
    }
    insta::assert_snapshot!(findings_of(
        |row| outcome(row, row % 40 == 7),
        |row| outcome(row, row % 40 == 7 && row * row % 17 < 4),
    ), @"no rule was found for the 11 cases that became an Err");
}

#[test]
fn two_rules_and_a_rest() {
    insta::assert_snapshot!(findings(|rows, row| {
        (is_half(rows, row) || quantity(rows, row) > 18.0 || row % 249 == 1).then(|| doubled(row))?
    }), @r#"
    138 of the 174 have coupon = "HALF"   (138 of 138 such cases changed)
    45 of the 174 have quantity > 18   (45 of 45 such cases changed)
    1 of them has neither
    /Ok/total: actual = 2 × expected in all 174
    "#);
}

#[test]
fn the_cases_that_did_not_change() {
    insta::assert_snapshot!(findings(|rows, row| {
        (!is_half(rows, row)).then(|| doubled(row))?
    }), @r#"
    all 362 have coupon != "HALF"   (362 of 362 such cases changed, 0 of the other 138)
    /Ok/total: actual = 2 × expected in all 362
    "#);
}

#[test]
fn another_type_of_the_output_hides_nothing() {
    let vectors = orders();
    let differing: Vec<DifferingCase> = (0..vectors.size())
        .map(|row| {
            let actual = match quantity(&vectors, row) {
                18.0.. => r#"{"$name":"None"}"#.to_owned(),
                _ => format!(r#"{{"$name":"Some","0":{}}}"#, row + 1),
            };
            let (expected, actual) = (Value::from(row as u64 + 1), parse(&actual).unwrap());
            DifferingCase::compared(&Policy::exact(), row, expected, actual)
        })
        .collect();
    let sentences = findings_of_changes(&vectors, &[], None, &[], &differing).sentences;
    insta::assert_snapshot!(sentences.join("\n"), @"
    x became Some(x) in 432 of the 500
    output: all 68 have quantity > 17   (68 of 68 such cases changed, 0 of the other 432)
    actual = None in all 68
    ");
}

#[test]
fn errors_are_explained_by_themselves() {
    insta::assert_snapshot!(findings(|rows, row| {
        if quantity(rows, row) > 17.0 {
            Some(r#"{"Err":"out of stock"}"#.to_owned())
        } else if is_half(rows, row) {
            doubled(row)
        } else {
            None
        }
    }), @r#"
    all 119 that changed have coupon = "HALF"   (119 of 119 such cases changed, 0 of the other 313; 68 with another outcome not counted)
    /Ok/total: actual = 2 × expected in all 119
    all 68 that became an Err have quantity > 17   (68 of 68 such cases became an Err, 0 of the other 432)
    became Err("out of stock") in all 68
    "#);
}

#[test]
fn cases_that_were_an_err_before_do_not_count_against_a_rule() {
    let vectors = orders();
    let expected = |row: usize| match row % 3 {
        0 => r#"{"Err":"closed"}"#.to_owned(),
        _ => ok(row as f64 + 1.5),
    };
    let outputs = (0..vectors.size()).map(|row| {
        let actual = match quantity(&vectors, row) {
            17.0.. if row % 3 > 0 => r#"{"Err":"out of stock"}"#.to_owned(),
            ..16.0 if row % 3 > 0 && is_half(&vectors, row) => ok(2.0 * row as f64 + 3.0),
            _ => expected(row),
        };
        let read = |text: &str| parse(text).unwrap();
        DifferingCase::compared(&Policy::exact(), row, read(&expected(row)), read(&actual))
    });
    let outputs: Vec<DifferingCase> = outputs.collect();
    let known: Vec<Value> = outputs.iter().map(|it| it.expected.clone()).collect();
    let differing = outputs.into_iter().filter(|it| !it.comparison.is_same());
    let differing: Vec<DifferingCase> = differing.collect();
    let found = findings_of_changes(&vectors, &[], Some(&known), &[], &differing);
    insta::assert_snapshot!(found.sentences.join("\n"), @r#"
    all 67 that changed have coupon = "HALF" and quantity <= 15   (67 of 67 such cases changed, 0 of the other 198; 235 with another outcome not counted)
    /Ok/total: actual = 2 × expected in all 67
    all 68 that became an Err have quantity > 16   (68 of 68 such cases became an Err, 0 of the other 265; 167 with another outcome not counted)
    actual = {"Err":"out of stock"} in all 68
    "#);
}

#[test]
fn one_cause_of_several_parts_comes_first() {
    insta::assert_snapshot!(findings(|rows, row| match quantity(rows, row) {
        17.0.. if row % 2 == 0 => Some(r#"{"Err":"out of stock"}"#.to_owned()),
        17.0.. => doubled(row),
        _ => None,
    }), @r#"
    all 92 have quantity > 16   (92 of 92 such cases changed, 0 of the other 408)
    /Ok/total: actual = 2 × expected in all 49
    became Err("out of stock") in all 43
    "#);
}

#[test]
fn two_causes_come_first_if_a_part_has_no_exact_rule() {
    let of = |row: usize, [net, class]: [usize; 2]| {
        let members = [("net", Value::from((row * 7 % 50 + net) as u64))];
        Value::object(
            members
                .into_iter()
                .chain([("class", Value::from(class as u64))]),
        )
    };
    let vectors = orders();
    let differing = (0..vectors.size()).filter_map(|row| {
        let is_large = quantity(&vectors, row) > 17.0;
        let changed = match (is_half(&vectors, row), is_large) {
            (false, false) => return None,
            // Some of either cause have the other field.
            (true, _) if row % 3 > 0 => [1, 0],
            _ => [usize::from(row % 2 == 0), 1],
        };
        let (expected, actual) = (of(row, [0, 0]), of(row, changed));
        Some(DifferingCase::compared(
            &Policy::exact(),
            row,
            expected,
            actual,
        ))
    });
    let differing: Vec<DifferingCase> = differing.collect();
    let sentences = findings_of_changes(&vectors, &[], None, &[], &differing).sentences;
    insta::assert_snapshot!(sentences.join("\n"), @r#"
    138 of the 187 have coupon = "HALF"   (138 of 138 such cases changed)
    68 of the 187 have quantity > 17   (68 of 68 such cases changed)
    /net: actual = expected + 1 in all 131
    /class: 0 became 1 in all 102
    "#);
}

#[test]
fn last_bits_are_a_separate_part() {
    insta::assert_snapshot!(findings(|rows, row| {
        let total = row as f64 + 1.5;
        match quantity(rows, row) {
            17.0.. => Some(ok(2.0 * total)),
            4.0..6.0 => Some(ok(total.next_up())),
            _ => None,
        }
    }), @"
    all 92 that changed have quantity > 16   (92 of 92 such cases changed, 0 of the other 408)
    /Ok/total: actual = 2 × expected in all 92
    /Ok/total: differs by at most 1 ULP in 48; tolerance(ulp = 8) accepts them
    ");
}

#[test]
fn outputs_of_any_table_name_the_rule_that_they_are_about() {
    let vectors = orders();
    let differing: Vec<DifferingCase> = (0..vectors.size())
        .filter_map(|row| {
            let expected = Value::from(row as f64 + 1.5);
            let actual = match quantity(&vectors, row) {
                18.0.. => Value::Null,
                _ if is_half(&vectors, row) => Value::from(2.0 * (row as f64 + 1.5)),
                _ => return None,
            };
            let exact = Policy::exact();
            Some(DifferingCase::compared(&exact, row, expected, actual))
        })
        .collect();
    let cases: Vec<usize> = differing.iter().map(|it| it.case).collect();
    let explanation = explanation(&vectors, &[], None, &[], &cases);
    let found = findings_of_outputs(&explanation, &vectors, None, &differing);
    let lines = found.iter().map(|it| it.with_rule(&explanation));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    coupon = "HALF" alone: actual = 2 × expected in all 119
    quantity > 17: actual is null in all 68
    "#);
}

#[test]
fn everything_became_an_error() {
    insta::assert_snapshot!(findings(|_, _| Some(r#"{"Err":"no connection"}"#.to_owned())), @r#"
    all 500 cases became an Err
    became Err("no connection") in all 500
    "#);
}

#[test]
fn nothing_in_common() {
    insta::assert_snapshot!(findings(|_, row| {
        (row * row % 41 == 16).then(|| ok((row * row % 7) as f64 + 0.25))
    }), @"
    no rule was found for the 25 cases that changed
    /Ok/total: actual < expected in all 25
    ");
}

#[test]
fn a_few_cases() {
    insta::assert_snapshot!(findings(|_, row| (row == 8 || row == 41).then(|| ok(0.25))), @"only /Ok/total changed");
}

/// Returns the sentences about outputs only.
fn of_outputs(differing: &[DifferingCase]) -> Vec<String> {
    let differing: Vec<&DifferingCase> = differing.iter().collect();
    change_sentences(changes(&orders(), None, &differing, |_| true))
}

/// Returns the findings if every five cases have a separate field with the value `actual`.
fn findings_of_fields(count: usize, actual: impl Fn(usize) -> Value) -> Vec<String> {
    let output = |field: usize, value| Value::Object([(format!("f{field:03}"), value)].into());
    let differing: Vec<_> = (0..5 * count)
        .map(|row| {
            let expected = output(row / 5, (row as i64).into());
            let actual = output(row / 5, actual(row / 5));
            DifferingCase::compared(&Policy::exact(), row, expected, actual)
        })
        .collect();
    of_outputs(&differing)
}

#[test]
fn of_many_fields_that_changed_alike_some_are_named() {
    let findings = findings_of_fields(3, |_| Value::Null);
    insta::assert_snapshot!(findings.join("\n"), @"/f000, /f001, /f002: actual is null in all 5");
    let findings = findings_of_fields(100, |_| Value::Null).join("\n");
    assert!(findings.starts_with("/f000, /f001, /f002, "), "{findings}");
    let end = "/f066 and 33 more fields: actual is null in all 5";
    assert!(findings.ends_with(end), "{findings}");
}

#[test]
fn of_many_patterns_some_are_shown() {
    let findings = findings_of_fields(100, |field| format!("is {field}").into());
    insta::assert_snapshot!(findings.join("\n"), @r#"
    /f000: actual = "is 0" in all 5
    /f001: actual = "is 1" in all 5
    /f002: actual = "is 2" in all 5
    "#);
}

#[test]
fn more_new_fields_than_are_kept_are_counted_and_hide_nothing() {
    let vectors = orders();
    let is_changed = |row: usize| quantity(&vectors, row) > 17.0;
    let differing: Vec<_> = (0..vectors.size())
        .map(|row| {
            let price = |changed: bool| Value::from(if changed { 2 } else { 1 });
            let expected = Value::object([("price", price(false))]);
            let new = (0..30).map(|field| (format!("new_{field:02}"), Value::Null));
            let price = ("price".to_owned(), price(is_changed(row)));
            let actual = Value::object(new.chain([price]));
            DifferingCase::compared(&Policy::exact(), row, expected, actual)
        })
        .collect();
    let findings = findings_of_changes(&vectors, &[], None, &[], &differing).sentences;
    assert!(
        findings[0].ends_with("/new_15 and 14 more fields added in all 500"),
        "{findings:?}"
    );
    assert!(
        findings[1].starts_with("/price: all 68 have quantity > 17 "),
        "{findings:?}"
    );
}

#[test]
fn a_finding_too_long_for_a_report_is_shortened() {
    let long = findings_of_fields(1, |_| "x".repeat(100_000).into());
    let short = fitting(long).join("\n");
    assert_eq!(short.chars().count(), FINDING_WIDTH);
    assert!(short.starts_with("/f000: actual = \"xxx"), "{short}");
    assert!(short.ends_with("xxx\" in all 5"), "{short}");
}

#[test]
fn panics_and_what_a_requirement_asks_for() {
    let vectors = orders();
    let cases: Vec<usize> = (0..500)
        .filter(|row| quantity(&vectors, *row) > 18.0)
        .collect();
    insta::assert_snapshot!(findings_of_panics(&vectors, &[], None, &[], &cases).join("\n"), @"all 45 have quantity > 18   (45 of 45 such cases panicked, 0 of the other 455)");
    insta::assert_snapshot!(findings_of_requirement(&vectors, &cases).join("\n"), @"all 45 that fulfilled it have quantity > 18   (45 of 45 such cases fulfilled it, 0 of the other 455)");
    insta::assert_snapshot!(findings_of_panics(&vectors, &[], None, &[], &[]).join("\n"), @"");
    let all: Vec<usize> = (0..500).collect();
    insta::assert_snapshot!(findings_of_panics(&vectors, &[], None, &[], &all).join("\n"), @"");
}

#[test]
fn the_whole_output_is_not_called_the_only_field() {
    let of_array = |last: f64| Value::from(vec![Value::from(1.5), Value::from(last)]);
    let exact = Policy::exact();
    let change = |case: usize, actual: f64| {
        DifferingCase::compared(&exact, case, of_array(case as f64), of_array(actual))
    };
    let differing = [change(1, 7.25), change(2, 0.125), change(3, 9.5)];
    assert_eq!(of_outputs(&differing), Vec::<String>::new());
}

#[test]
fn what_a_pattern_leaves_over_is_explained() {
    insta::assert_snapshot!(findings(|vectors, row| {
        let more = match quantity(vectors, row) > 18.0 {
            true => 4000.0 + (row * row % 977) as f64,
            false => 0.0,
        };
        Some(ok(row as f64 + 2.5 + more))
    }), @"
    /Ok/total: actual > expected in all 500
    /Ok/total: actual = expected + 1 in 455 of the 500
    /Ok/total, the other 45: all 45 have quantity > 18   (45 of 45 such cases changed otherwise, 0 of the other 455)
    ");
}

#[test]
fn a_none_that_does_not_change_is_another_outcome() {
    let of = |changes: fn(usize) -> bool| {
        let vectors = orders();
        let outputs = |row: usize| {
            let is_some = row.is_multiple_of(2);
            let total = |total: usize| match is_some {
                true => Value::from(total as u64),
                false => Value::Null,
            };
            let is_changed = quantity(&vectors, row) > 15.0 && (is_some || changes(row));
            let actual = match (is_changed, is_some) {
                (true, true) => total(row + 1),
                (true, false) => Value::from(0_u64),
                (false, _) => total(row),
            };
            [total(row), actual].map(|it| Value::object([("total", it)]))
        };
        let expected: Vec<Value> = (0..500).map(|row| outputs(row)[0].clone()).collect();
        let compared = (0..500).map(|row| {
            let [expected, actual] = outputs(row);
            DifferingCase::compared(&Policy::exact(), row, expected, actual)
        });
        let differing: Vec<_> = compared.filter(|it| !it.comparison.is_same()).collect();
        let found = findings_of_changes(&vectors, &[], Some(&expected), &[], &differing);
        found.sentences.join("\n")
    };
    insta::assert_snapshot!(of(|_| false), @"
    all 53 have quantity > 15   (53 of 53 such cases changed, 0 of the other 197; 250 with another outcome not counted)
    /total: actual = expected + 1 in all 53
    ");
    insta::assert_snapshot!(of(|_| true), @"
    all 119 have quantity > 15   (119 of 119 such cases changed, 0 of the other 381)
    /total: actual = 0 in 66 of the 119
    /total, the other 53: actual = expected + 1 in all 53
    ");
}
