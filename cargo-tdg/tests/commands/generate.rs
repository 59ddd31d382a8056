//! `cargo tdg generate`.

use tdg_tests::Project;

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

/// What `generate` prints with these options.
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
    error: orders.json is no valid definition:
    /features: must not be empty
    ");
}
