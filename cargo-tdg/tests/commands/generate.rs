//! `cargo tdg generate`.

use tdg_tests::{Finished, Project};

use crate::tdg;

const ORDERS: &str = r#"{"features": [
    {"feature_name": "amount", "type": "FLOAT", "decimals": 2,
     "distribution": {"type": "gaussian", "mu": 20, "sigma": 5}},
    {"feature_name": "coupon", "type": "STRING", "null_probability": 0.3,
     "distribution": {"type": "categorical", "categories": [
       {"value": "HALF, or so", "probability": 0.5}, {"value": "say \"please\"", "probability": 0.5}]}},
    {"feature_name": "day", "type": "DATE",
     "distribution": {"type": "uniform", "min": "2024-01-01", "max": "2024-12-31"}}
]}"#;

/// Returns the output of `generate` with these options.
fn generated(options: &[&str]) -> String {
    let project = Project::new(&[("orders.json", ORDERS)]);
    let run = tdg(&project, &["generate", "orders.json", "--size", "5"]).arguments(options);
    run.passes().stdout
}

#[test]
fn rows_are_arrays_of_json() {
    insta::assert_snapshot!(generated(&[]), @r#"
    [
    [22.71,null,"2024-03-22"],
    [14.28,"HALF, or so","2024-04-25"],
    [27.34,"HALF, or so","2024-12-28"],
    [17.88,"say \"please\"","2024-01-25"],
    [27.43,"HALF, or so","2024-04-20"]
    ]
    "#);
}

#[test]
fn rows_are_objects_of_json() {
    insta::assert_snapshot!(generated(&["--format", "jsonl"]), @r#"
    {"amount":22.71,"coupon":null,"day":"2024-03-22"}
    {"amount":14.28,"coupon":"HALF, or so","day":"2024-04-25"}
    {"amount":27.34,"coupon":"HALF, or so","day":"2024-12-28"}
    {"amount":17.88,"coupon":"say \"please\"","day":"2024-01-25"}
    {"amount":27.43,"coupon":"HALF, or so","day":"2024-04-20"}
    "#);
}

#[test]
fn rows_are_a_table_that_spreadsheets_read() {
    insta::assert_snapshot!(generated(&["--format", "csv"]), @r#"
    amount,coupon,day
    22.71,,2024-03-22
    14.28,"HALF, or so",2024-04-25
    27.34,"HALF, or so",2024-12-28
    17.88,"say ""please""",2024-01-25
    27.43,"HALF, or so",2024-04-20
    "#);
}

#[test]
fn another_seed_gives_other_rows_and_more_rows_begin_with_the_same() {
    let five = generated(&["--format", "csv"]);
    assert_ne!(generated(&["--format", "csv", "--seed", "1"]), five);
    let project = Project::new(&[("orders.json", ORDERS)]);
    let more = ["generate", "orders.json", "--size", "50", "--format", "csv"];
    assert!(tdg(&project, &more).passes().stdout.starts_with(&five));
}

#[test]
fn a_definition_with_faults_gives_no_rows() {
    let project = Project::new(&[("orders.json", r#"{"features": []}"#)]);
    let run = tdg(&project, &["generate", "orders.json"]).finish();
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run}");
    insta::assert_snapshot!(run.stderr, @"
    error: orders.json is not a valid definition:
    /features: must not be empty
    ");
}

/// Returns the error of `generate` for this number of rows.
fn refused(definition: &str, size: usize) -> String {
    let project = Project::new(&[("rows.json", definition)]);
    let size = size.to_string();
    let run = tdg(&project, &["generate", "rows.json", "--size", &size]).finish();
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run}");
    run.stderr
}

#[test]
fn rows_that_no_test_can_have_are_refused() {
    insta::assert_snapshot!(refused(ORDERS, 0), @"error: rows.json: an ensemble has 1 to 10000 rows, not 0");
    // With more rows, this sequence would wrap around.
    let sequence = format!(
        r#"{{"features": [{{"type": "INTEGER", "distribution": {{"type": "sequence", "start": {}}}}}]}}"#,
        i64::MAX - 9_999
    );
    insta::assert_snapshot!(refused(&sequence, 10_001), @"error: rows.json: an ensemble has 1 to 10000 rows, not 10001");
    let coin = r#"{"type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}}"#;
    let wide = format!(r#"{{"features": [{}]}}"#, [coin; 101].join(","));
    insta::assert_snapshot!(refused(&wide, 10_000), @"error: rows.json: 10000 rows of 101 features are 1010000 cells, but an ensemble has at most 1000000; use --size 9900 or less");
    let dice = r#"{"features": [{"type": "INTEGER", "unique": true,
        "distribution": {"type": "uniform", "min": 1, "max": 6}}]}"#;
    insta::assert_snapshot!(refused(dice, 7), @"error: rows.json: /features/0/unique: there are only 6 different values for 7 rows; use fewer rows, allow more values, or remove `unique`");
    let text = "x".repeat(7_000);
    let long = format!(
        r#"{{"features": [{{"type": "STRING", "distribution": {{"type": "constant", "value": "{text}"}}}}]}}"#
    );
    insta::assert_snapshot!(refused(&long, 10_000), @"error: rows.json: 10000 rows are more than 64 MB of JSON, the maximum for an ensemble; use a smaller --size or shorter strings");
}

#[test]
fn output_that_is_closed_early_is_not_an_error() {
    let project = Project::new(&[("orders.json", ORDERS)]);
    let many = ["generate", "orders.json", "--size", "10000"];
    let mut child = tdg(&project, &many).start();
    drop(child.stdout.take());
    let finished = Finished::new(child.wait_with_output().unwrap());
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
}
