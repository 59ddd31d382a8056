//! A change of the inputs doesn't suspend the comparison of outputs.

use tdg_tests::{Checkout, Program, Run};

const THREE: &str = "definitions/three.json";

fn shop() -> Checkout<'static> {
    Program::shop().checkout()
}

/// A test of `tests/inputs.rs`.
fn run(shop: &Checkout<'_>, test: &str) -> Run {
    shop.test("inputs", &["--exact", test])
}

/// The line of the failing test.
fn line(run: Run) -> String {
    run.fails().said().to_owned()
}

/// Draws other values for a feature.
fn redraw(shop: &Checkout<'_>, feature: &str) {
    let from = format!(
        r#""{feature}", "type": "INTEGER", "distribution": {{"type": "uniform", "min": 1, "max": 9}}"#
    );
    shop.edit(THREE, &from, &from.replace("\"max\": 9", "\"max\": 8"));
}

/// Appends a feature `d`.
fn append_d(shop: &Checkout<'_>) {
    let d = r#",
    {"feature_name": "d", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}}
  ]"#;
    shop.edit(THREE, "\n  ]", d);
}

#[test]
#[ignore = "D1: a change of a feature that the function does not take hides a regression"]
fn a_feature_that_is_not_taken_may_change() {
    for test in ["only_a", "of_struct", "of_batch"] {
        let shop = shop();
        run(&shop, test).passes();
        let file = format!("tests/snapshots/inputs__{test}.snap");
        let recorded = shop.read(&file);
        redraw(&shop, "c");
        append_d(&shop);
        assert_eq!(run(&shop, test).passes().stderr, "", "{test}");
        assert_eq!(shop.read(&file), recorded);
        let said = line(run(&shop, test).env("BREAK", "1"));
        assert!(
            said.starts_with(&format!("tdg: changed {test}, 2")),
            "{said}"
        );
        assert!(said.contains(" of 200 cases, pending"), "{said}");
    }
}

#[test]
#[ignore = "D24: a change of the relations alone is not noticed"]
fn a_change_of_the_correlations_is_a_change_of_the_inputs() {
    let shop = shop();
    let correlated = r#""correlations": [{"features": ["a", "b"], "correlation": 0.9}],
  "features""#;
    run(&shop, "only_a").passes();
    run(&shop, "of_tuple").passes();
    shop.edit(THREE, "\"features\"", correlated);
    let said = line(run(&shop, "of_tuple"));
    assert!(
        said.starts_with("tdg: inputs changed of_tuple, definition"),
        "{said}"
    );
}

#[test]
#[ignore = "D25: after a change of size, stratified rows are compared as if they were the same"]
fn stratified_rows_of_another_size_are_other_rows() {
    let shop = shop();
    shop.edit(
        THREE,
        "\"features\"",
        "\"sampling\": \"stratified\",\n  \"features\"",
    );
    run(&shop, "of_size").passes();
    let said = line(run(&shop, "of_size").env("SIZE", "30"));
    assert!(
        said.starts_with("tdg: inputs changed of_size, size"),
        "{said}"
    );
    let said = line(run(&shop, "of_size").env("SIZE", "30").env("BREAK", "1"));
    assert!(said.starts_with("tdg: changed of_size, "), "{said}");
}

#[test]
#[ignore = "D2: a new field of the output hides what else changed"]
fn a_new_field_does_not_hide_a_regression() {
    let shop = shop();
    run(&shop, "priced").passes();
    let report = run(&shop, "priced")
        .env("TAX", "1")
        .env("BREAK", "1")
        .fails();
    let report = report.report();
    assert!(report.contains("/tax added in all 200"), "{report}");
    assert!(report.contains("have b > 7"), "{report}");
}

#[test]
#[ignore = "D18: nearest rows and tables show features that the function does not take"]
fn a_report_keeps_to_the_features_that_the_function_takes() {
    let shop = shop();
    run(&shop, "only_a").passes();
    let report = run(&shop, "only_a").env("BREAK", "1").fails().report();
    let header = report.lines().find(|line| line.contains("expected"));
    let header: Vec<&str> = header.unwrap().split_whitespace().collect();
    assert_eq!(header, ["case", "a", "expected", "actual", "error"]);
}
