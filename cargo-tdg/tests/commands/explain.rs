//! `cargo tdg explain`.

use tdg_tests::Project;

use crate::tdg;

/// Returns 120 orders as CSV. The outputs are 3 too high for discounts and more than 5 items.
fn orders() -> String {
    let mut csv = "items,coupon,failed,expected,actual\n".to_owned();
    for row in 0..120 {
        let (items, coupon) = (row * 7 % 11, ["NONE", "HALF", ""][row % 3]);
        let fails = items > 5 && coupon == "HALF";
        let expected = 10 * items + row;
        let actual = if fails { expected + 3 } else { expected };
        csv.push_str(&format!("{items},{coupon},{fails},{expected},{actual}\n"));
    }
    csv
}

/// Returns a column `x` with these cells. The flags mark failing rows.
fn column(cells: &[(&str, bool)]) -> String {
    let mut csv = "x,failed\n".to_owned();
    for (cell, fails) in cells {
        csv.push_str(&format!("{cell},{}\n", u8::from(*fails)));
    }
    csv
}

fn explain(project: &Project, arguments: &[&str]) -> String {
    let run = tdg(project, &["explain"]).arguments(arguments).passes();
    run.stdout + &run.stderr
}

/// Returns the explanation of a table whose column `failed` marks failing rows.
fn explained(name: &str, table: &str) -> String {
    let project = Project::new(&[(name, table)]);
    explain(&project, &[name, "--failing", "failed"])
}

#[test]
fn the_rules_and_changes_of_a_report() {
    let project = Project::new(&[("orders.csv", &orders())]);
    let arguments = [
        "orders.csv",
        "--failing",
        "failed",
        "--expected",
        "expected",
        "--actual",
        "actual",
    ];
    insta::assert_snapshot!(explain(&project, &arguments), @r#"
    orders.csv: 17 of 120 cases failed

      all 17 have coupon = "HALF" and items > 5   (17 of 17 such cases failed, 0 of the other 103)
      actual = expected + 3 in all 17
    "#);
    let json = |more: &[&str]| explain(&project, &[&arguments, more].concat());
    insta::assert_snapshot!(json(&["--json"]), @r#"{"changes":[{"rule":null,"text":"actual = expected + 3 in all 17"}],"failing":17,"judged":{"f1":1.0,"false_negative":0,"false_positive":0,"true_positive":17},"rows":120,"rules":[{"rows":[1,4,25,28,31,34,37,58,61,64,67,70,91,94,97,100,103],"text":"coupon = \"HALF\" and items > 5","wording":"sure"}],"side":"failing"}"#);
    insta::assert_snapshot!(json(&["--train", "80"]), @r#"
    orders.csv: 12 of the first 80 cases failed

      all 12 have coupon = "HALF" and items > 5   (12 of 12 such cases failed, 0 of the other 68)
      actual = expected + 3 in all 12

      on the other 40 cases: 5 of 5 found, 0 others
    "#);
    insta::assert_snapshot!(json(&["--train", "80", "--json"]), @r#"{"changes":[{"rule":null,"text":"actual = expected + 3 in all 12"}],"failing":17,"judged":{"f1":1.0,"false_negative":0,"false_positive":0,"true_positive":5},"rows":120,"rules":[{"rows":[1,4,25,28,31,34,37,58,61,64,67,70,91,94,97,100,103],"text":"coupon = \"HALF\" and items > 5","wording":"sure"}],"side":"failing"}"#);
}

#[test]
fn json_lines_are_read_as_csv_is() {
    let csv = explained("orders.csv", &orders());
    let mut lines = String::new();
    for line in orders().lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let coupon = match cells[1] {
            "" => String::new(),
            coupon => format!(r#","coupon":"{coupon}""#),
        };
        lines.push_str(&format!(
            "{{\"items\":{}{coupon},\"failed\":{},\"expected\":{},\"actual\":{}}}\r\n",
            cells[0], cells[2], cells[3], cells[4]
        ));
    }
    let lines = format!("\u{feff}{lines}\n");
    assert_eq!(
        explained("orders.jsonl", &lines),
        csv.replace(".csv", ".jsonl")
    );
}

#[test]
fn most_rows_fail() {
    let cells: Vec<(String, bool)> = (0..40).map(|row| (row.to_string(), row >= 8)).collect();
    let cells: Vec<(&str, bool)> = cells
        .iter()
        .map(|(cell, fails)| (&**cell, *fails))
        .collect();
    let project = Project::new(&[("most.csv", &column(&cells))]);
    let arguments = ["most.csv", "--failing", "failed"];
    insta::assert_snapshot!(explain(&project, &arguments), @"
    most.csv: 32 of 40 cases failed

      all 32 have x > 7   (32 of 32 such cases failed, 0 of the other 8)
    ");
    insta::assert_snapshot!(explain(&project, &[&arguments[..], &["--json"]].concat()), @r#"{"changes":[],"failing":32,"judged":{"f1":1.0,"false_negative":0,"false_positive":0,"true_positive":32},"rows":40,"rules":[{"rows":[8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39],"text":"x > 7","wording":"sure"}],"side":"failing"}"#);
}

#[test]
fn nothing_is_printed_if_there_is_nothing_to_report() {
    let project = Project::new(&[
        ("all.csv", &column(&[("1", true), ("2", true)])),
        ("none.csv", &column(&[("1", false), ("2", false)])),
        (
            "one.csv",
            &column(&[("1", false), ("2", true), ("7", false)]),
        ),
        ("bare.csv", "failed\n1\n0\n"),
    ]);
    let explain = |name: &str, more: &[&str]| {
        explain(&project, &[&[name, "--failing", "failed"], more].concat())
    };
    insta::assert_snapshot!(explain("all.csv", &[]), @"all.csv: 2 of 2 cases failed");
    insta::assert_snapshot!(explain("all.csv", &["--json"]), @r#"{"changes":[],"failing":2,"judged":{"f1":null,"false_negative":0,"false_positive":0,"true_positive":0},"rows":2,"rules":[],"side":"passing"}"#);
    insta::assert_snapshot!(explain("none.csv", &[]), @"none.csv: 0 of 2 cases failed");
    insta::assert_snapshot!(explain("none.csv", &["--json"]), @r#"{"changes":[],"failing":0,"judged":{"f1":null,"false_negative":0,"false_positive":0,"true_positive":0},"rows":2,"rules":[],"side":"failing"}"#);
    insta::assert_snapshot!(explain("none.csv", &["--train", "1"]), @"
    none.csv: 0 of the first 1 case failed

      on the other 1 case: 0 of 0 found, 0 others
    ");
    insta::assert_snapshot!(explain("one.csv", &[]), @"one.csv: 1 of 3 cases failed");
    insta::assert_snapshot!(explain("one.csv", &["--train", "2"]), @"
    one.csv: 1 of the first 2 cases failed

      on the other 1 case: 0 of 0 found, 0 others
    ");
    insta::assert_snapshot!(explain("bare.csv", &[]), @"bare.csv: 1 of 2 cases failed");
}

/// Returns the rule for a table in which the first cells fail.
fn rule(first: &[&str], second: &[&str]) -> String {
    let mut cells = Vec::new();
    for repetition in 0..30 {
        cells.push((first[repetition % first.len()], true));
        cells.push((second[repetition % second.len()], false));
    }
    let text = explained("types.csv", &column(&cells));
    text.lines().nth(2).unwrap_or_default().trim().to_owned()
}

#[test]
fn types_are_inferred() {
    insta::assert_snapshot!(rule(&["1", "2"], &["3", "NA", ""]), @"all 30 have x <= 2   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule(&["1.5", "2"], &["3", "NaN"]), @"all 30 have x <= 2   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule(&["True", "TRUE"], &["false"]), @"all 30 have x = true   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule(&["2024-02-29"], &["2024-03-01", "2025-01-01"]), @"all 30 have x < 2024-03-01   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule(&["2024-02-29 08:30:00"], &["2024-03-01T00:00:00Z"]), @"all 30 have x < 2024-03-01   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule(&["007"], &["123", ""]), @r#"all 30 have x = "007"   (30 of 30 such cases failed, 0 of the other 30)"#);
    insta::assert_snapshot!(rule(&[" a", " b"], &["a", "b"]), @r#"all 30 have x starting with " "   (30 of 30 such cases failed, 0 of the other 30)"#);
    insta::assert_snapshot!(rule(&["\"a,\"\"b\"\"\"", "\"a,\n\""], &["b"]), @r#"all 30 have x starting with "a,"   (30 of 30 such cases failed, 0 of the other 30)"#);
    insta::assert_snapshot!(rule(&["18446744073709551615"], &["9223372036854775807", "0"]), @"all 30 have x > 10000000000000000000   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule(&["-18446744073709551616"], &["18446744073709551615", "0"]), @"all 30 have x < 0   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule(&["na", "inf"], &["x"]), @r#"all 30 have x != "x"   (30 of 30 such cases failed, 0 of the other 30)"#);
}

#[test]
fn values_of_json_lines_have_types() {
    let rule = |failing: &str, passing: &str| {
        let line = |x: &str, failed: u8| format!("{{\"x\":{x},\"failed\":{failed}}}\n");
        let lines = (line(failing, 1) + &line(passing, 0)).repeat(30);
        let text = explained("types.jsonl", &lines);
        text.lines().nth(2).unwrap_or_default().trim().to_owned()
    };
    insta::assert_snapshot!(rule("1", "2.5"), @"all 30 have x <= 2   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule("\"1\"", "\"2\""), @r#"all 30 have x = "1"   (30 of 30 such cases failed, 0 of the other 30)"#);
    insta::assert_snapshot!(rule("\"2024-01-01\"", "null"), @"all 30 have x != null   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule("\"2024-01-01\"", "\"2024-01-02\""), @"all 30 have x < 2024-01-02   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule("true", "false"), @"all 30 have x = true   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule("true", "1"), @r#"all 30 have x != "1"   (30 of 30 such cases failed, 0 of the other 30)"#);
    insta::assert_snapshot!(rule("[1,2]", "{\"a\":null}"), @r#"all 30 have x = "[1,2]"   (30 of 30 such cases failed, 0 of the other 30)"#);
    insta::assert_snapshot!(rule("18446744073709551616", "-5"), @"all 30 have x > 0   (30 of 30 such cases failed, 0 of the other 30)");
    insta::assert_snapshot!(rule("null", "null"), @"no rule was found for the 30 cases that failed");
}

const DEFINITION: &str = r#"{"features": [
    {"feature_name": "code", "type": "STRING", "distribution": {"type": "pattern", "regex": "[0-9]*"}},
    {"feature_name": "paid", "type": "FLOAT", "null_probability": 0.1,
     "distribution": {"type": "uniform", "min": 0, "max": 1}}]}"#;

#[test]
fn a_definition_states_features_and_types() {
    let mut csv = "other,code,failed,paid\n".to_owned();
    for row in 0..40 {
        let code = ["12", "3", "", "07"][row % 4];
        csv.push_str(&format!(
            "{row},{code},{},{}\n",
            u8::from(row % 4 == 2),
            row % 5
        ));
    }
    let project = Project::new(&[("codes.csv", &csv), ("codes.json", DEFINITION)]);
    let arguments = [
        "codes.csv",
        "--failing",
        "failed",
        "--definition",
        "codes.json",
    ];
    insta::assert_snapshot!(explain(&project, &arguments), @r#"
    codes.csv: 10 of 40 cases failed

      all 10 have code = ""   (10 of 10 such cases failed, 0 of the other 30)
    note: 1 column ignored, since the definition lacks it: other
    "#);
}

#[test]
fn outputs_are_json_or_text() {
    let mut csv = "x,failed,expected,actual\n".to_owned();
    for row in 0..40 {
        let fails = row % 4 == 0;
        let (json, text) = (
            format!("\"{{\"\"a\"\":{row}}}\""),
            if fails { "no \"\"a\"\"" } else { "" },
        );
        csv.push_str(&format!("{row},{fails},{json},\"{text}\"\n"));
    }
    let project = Project::new(&[("outputs.csv", &csv)]);
    let arguments = [
        "outputs.csv",
        "--failing",
        "failed",
        "--expected",
        "expected",
        "--actual",
        "actual",
    ];
    insta::assert_snapshot!(explain(&project, &arguments), @r#"
    outputs.csv: 10 of 40 cases failed

      all 10 have x a multiple of 4   (10 of 10 such cases failed, 0 of the other 30)
      actual = "no \"a\"" in all 10
    "#);
}

/// Returns the findings for rows with expected and actual outputs, which fail if both differ.
fn said_of_outputs(rows: impl Iterator<Item = (usize, String, String)>) -> String {
    let mut csv = "x,failed,expected,actual\n".to_owned();
    for (x, expected, actual) in rows {
        let fails = expected != actual;
        csv.push_str(&format!("{x},{fails},{expected},{actual}\n"));
    }
    let project = Project::new(&[("outputs.csv", &csv)]);
    let outputs = ["--expected", "expected", "--actual", "actual"];
    let table = ["outputs.csv", "--failing", "failed"];
    let text = explain(&project, &[&table[..], &outputs].concat());
    text.split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn a_rule_is_named_before_its_change() {
    let rows = (0..120).map(|row| {
        let (x, expected) = (row * 7 % 60, row * row * 13 % 1000);
        let actual = match x {
            45.. => "null".to_owned(),
            0..10 => (3 * expected + 1).to_string(),
            _ => expected.to_string(),
        };
        (x, expected.to_string(), actual)
    });
    insta::assert_snapshot!(said_of_outputs(rows), @"
    30 of the 50 have x > 44   (30 of 30 such cases failed)
    20 of the 50 have x < 10   (20 of 20 such cases failed)
    x > 44: actual is null in all 30
    x < 10: actual = 3 × expected + 1 in all 20
    ");
}

#[test]
fn an_err_that_became_an_ok_is_reported() {
    let rows = (0..60).map(|row| {
        let cell = |kind: &str, value: String| format!("\"{{\"\"{kind}\"\":{value}}}\"");
        let error = cell("Err", format!("{}", row * row % 7));
        let actual = match row % 60 {
            40.. => cell("Ok", format!("{}", row * row % 50)),
            _ => error.clone(),
        };
        (row, error, actual)
    });
    insta::assert_snapshot!(said_of_outputs(rows), @"
      all 20 have x >= 40   (20 of 20 such cases failed, 0 of the other 40)
      an Err became an Ok in all 20
    ");
}

#[test]
fn errors_of_several_sizes_have_no_offset_and_last_bits_no_formula() {
    let rows = (0..90_usize).map(|row| {
        let expected = row * row * 13 % 1000;
        let error = if row < 41 { 1 + row % 3 } else { 0 };
        (row, expected.to_string(), (expected + error).to_string())
    });
    insta::assert_snapshot!(said_of_outputs(rows), @"
      all 41 have x <= 40   (41 of 41 such cases failed, 0 of the other 49)
      actual > expected in all 41
    ");
    let rows = (0..90_usize).map(|row| {
        let expected = row as f64 / 7.0 + 1.5;
        let ulps = if row < 30 { 1 + row as u64 % 6 } else { 0 };
        let actual = f64::from_bits(expected.to_bits() + ulps);
        (row, format!("{expected:?}"), format!("{actual:?}"))
    });
    insta::assert_snapshot!(said_of_outputs(rows), @"
      all 30 have x < 30   (30 of 30 such cases failed, 0 of the other 60)
      differs by at most 6 ULP in 30; tolerance(ulp = 8) accepts them
    ");
}

#[test]
fn numbers_next_to_texts_are_texts_to_the_search() {
    let mut csv = "x,failed,expected\n".to_owned();
    for row in 0..60 {
        let expected = ["7", "7a", "12", "b"][row % 4];
        csv.push_str(&format!("{row},{},{expected}\n", row % 4 < 2));
    }
    let project = Project::new(&[("mixed.csv", &csv)]);
    let arguments = ["mixed.csv", "--failing", "failed", "--expected", "expected"];
    insta::assert_snapshot!(explain(&project, &arguments), @r#"
    mixed.csv: 30 of 60 cases failed

      all 30 have expected starting with "7"   (30 of 30 such cases failed, 0 of the other 30)
    "#);
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let feature_failed = DEFINITION.replace("paid", "failed");
    let project = Project::new(&[
        ("orders.csv", &orders()),
        ("orders.txt", "x\n"),
        ("empty.csv", ""),
        ("header.csv", "x,failed\n"),
        ("twice.csv", "x, x,failed\n1,2,0\n"),
        ("maybe.csv", "x,failed\n1,0\n2,maybe\n"),
        ("null.csv", "x,failed\n1,\n"),
        ("infinite.csv", "x,failed\n1,0\n-inf,1\n"),
        ("empty.jsonl", "\n"),
        ("array.jsonl", "{\"failed\":0}\n[1]\n"),
        ("nan.jsonl", "{\"failed\":0,\"x\":NaN}\n"),
        ("twice.jsonl", "{\"failed\":0,\"x\":1,\"x\":2}\n"),
        (
            "two.jsonl",
            "{\"x\":1,\"failed\":1}\n{\"x\":2,\"failed\":2}\n",
        ),
        ("absent.jsonl", "{\"x\":1,\"failed\":1}\n{\"x\":2}\n"),
        (
            "infinite.jsonl",
            "{\"x\":{\"$float\":\"NaN\"},\"failed\":1}\n{\"x\":2,\"failed\":0}\n",
        ),
        ("codes.csv", "code,failed,paid\n1,0,0.5\n2,1,much\n"),
        ("codes.json", DEFINITION),
        ("failed.json", &feature_failed),
        ("invalid.json", "{}"),
    ]);
    let error = |arguments: &[&str]| {
        let run = tdg(&project, &["explain"]).arguments(arguments).finish();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run}");
        run.stderr
    };
    let of = |name: &str| error(&[name, "--failing", "failed"]);
    insta::assert_snapshot!(of("none.csv"), @"error: can't read none.csv: No such file or directory (os error 2)");
    insta::assert_snapshot!(of("orders.txt"), @"error: orders.txt: the table has no rows");
    insta::assert_snapshot!(of("empty.csv"), @"error: empty.csv: the file is empty; its first line names the columns");
    insta::assert_snapshot!(of("header.csv"), @"error: header.csv: the table has no rows");
    insta::assert_snapshot!(of("twice.csv"), @"error: twice.csv: line 1: columns 1 and 2 are both named `x`; rename one of them");
    insta::assert_snapshot!(of("maybe.csv"), @r#"error: maybe.csv: line 3: `failed` is "maybe", but must be true, false, 1 or 0"#);
    insta::assert_snapshot!(of("null.csv"), @"error: null.csv: line 2: `failed` is null, but must be true, false, 1 or 0");
    insta::assert_snapshot!(of("infinite.csv"), @r#"error: infinite.csv: line 3: `x` is "-inf", but a number must be finite; leave the cell empty for null"#);
    insta::assert_snapshot!(of("empty.jsonl"), @"error: empty.jsonl: the file is empty; its first line names the columns");
    insta::assert_snapshot!(of("array.jsonl"), @r#"error: array.jsonl: line 2, column 1: each row is an object: {"amount": 9.5, "coupon": null}"#);
    insta::assert_snapshot!(of("nan.jsonl"), @"error: nan.jsonl: line 1, column 17: not JSON: expected a value, found `NaN`");
    insta::assert_snapshot!(of("twice.jsonl"), @"error: twice.jsonl: line 1, column 19: two members are named `x`; rename one of them");
    insta::assert_snapshot!(of("two.jsonl"), @"error: two.jsonl: line 2: `failed` is 2, but must be true, false, 1 or 0");
    insta::assert_snapshot!(of("absent.jsonl"), @"error: absent.jsonl: line 2: `failed` is null, but must be true, false, 1 or 0");
    insta::assert_snapshot!(of("infinite.jsonl"), @r#"error: infinite.jsonl: line 1: `x` is {"$float":"NaN"}, but a number must be finite; leave the cell empty for null"#);
    insta::assert_snapshot!(error(&["orders.csv", "--failing", "fails"]), @"error: orders.csv: no column `fails`; the columns are `items`, `coupon`, `failed`, `expected`, `actual`");
    let orders = |more: &[&str]| error(&[&["orders.csv", "--failing", "failed"], more].concat());
    insta::assert_snapshot!(orders(&["--expected", "failed"]), @"error: --failing and --expected both name `failed`; name a different column for each");
    insta::assert_snapshot!(orders(&["--expected", "actual", "--actual", "actual"]), @"error: --expected and --actual both name `actual`; name a different column for each");
    insta::assert_snapshot!(orders(&["--train", "120"]), @"error: orders.csv: --train 120 leaves no row to judge; the table has 120 rows");
    insta::assert_snapshot!(orders(&["--train", "0"]), @"error: orders.csv: --train 0 leaves no row to explain");
    insta::assert_snapshot!(orders(&["--definition", "codes.json"]), @"error: orders.csv: unknown column `code`; found: items, coupon, failed, expected, actual");
    let codes = |definition| {
        error(&[
            "codes.csv",
            "--failing",
            "failed",
            "--definition",
            definition,
        ])
    };
    insta::assert_snapshot!(codes("codes.json"), @r#"error: codes.csv: line 3: `paid` is "much", but its type is FLOAT"#);
    insta::assert_snapshot!(codes("failed.json"), @"error: codes.csv: --failing names `failed`, which is a feature of the definition; name another column, or remove the feature");
    insta::assert_snapshot!(codes("invalid.json"), @"
    error: invalid.json is not a valid definition:
    `features` is missing
    ");
}

#[test]
fn lists_and_objects_are_read_from_json_lines_and_from_cells_of_json() {
    let (mut lines, mut csv) = (String::new(), "xs,by,failed\n".to_owned());
    for row in 0..120 {
        let xs: Vec<String> = (0..row % 5)
            .map(|at| (row * 7 % 11 + at).to_string())
            .collect();
        let (xs, by, fails) = (xs.join(","), row % 7, xs.contains(&"10".to_owned()));
        let line = format!(r#"{{"xs": [{xs}], "by": {{"day": {by}}}, "failed": {fails}}}"#);
        lines.push_str(&(line + "\n"));
        csv.push_str(&format!("\"[{xs}]\",\"{{\"\"day\"\":{by}}}\",{fails}\n"));
    }
    let found = explained("rows.jsonl", &lines);
    insta::assert_snapshot!(found, @"
    rows.jsonl: 22 of 120 cases failed

      all 22 have an element of xs >= 10   (22 of 22 such cases failed, 0 of the other 98)
    ");
    assert_eq!(explained("rows.csv", &csv), found.replace(".jsonl", ".csv"));
}
