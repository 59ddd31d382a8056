//! Changed inputs don't suspend the comparison of outputs.

use tdg_tests::{Checkout, Program, Run};

const THREE: &str = "definitions/three.json";

fn shop() -> Checkout<'static> {
    Program::shop().checkout()
}

/// Returns the line of the failing test.
fn line(run: Run) -> String {
    run.fails().said().to_owned()
}

/// Appends a feature `d`.
fn append_d(shop: &Checkout<'_>) {
    let d = r#",
    {"feature_name": "d", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}}
  ]"#;
    shop.edit(THREE, "\n  ]", d);
}

#[test]
fn a_feature_that_is_not_taken_may_change() {
    for test in ["only_a", "of_struct", "of_batch"] {
        let shop = shop();
        shop.inputs(test).passes();
        let file = format!("tests/snapshots/inputs__{test}.snap");
        let recorded = shop.read(&file);
        shop.redraw("c");
        append_d(&shop);
        assert_eq!(shop.inputs(test).passes().stderr, "", "{test}");
        assert_eq!(shop.read(&file), recorded);
        let said = line(shop.inputs(test).env("BREAK", "1"));
        assert!(
            said.starts_with(&format!("tdg: changed {test}, 2")),
            "{said}"
        );
        assert!(said.contains(" of 200 cases, pending"), "{said}");
    }
}

#[test]
fn a_change_of_the_correlations_is_a_change_of_the_inputs() {
    let shop = shop();
    let correlated = r#""correlations": [{"features": ["a", "b"], "correlation": 0.9}],
  "features""#;
    shop.inputs("only_a").passes();
    shop.inputs("of_tuple").passes();
    shop.edit(THREE, "\"features\"", correlated);
    let said = line(shop.inputs("of_tuple"));
    assert!(
        said.starts_with("tdg: inputs changed of_tuple, definition"),
        "{said}"
    );
}

#[test]
fn stratified_rows_of_another_size_are_other_rows() {
    let shop = shop();
    shop.edit(
        THREE,
        "\"features\"",
        "\"sampling\": \"stratified\",\n  \"features\"",
    );
    shop.inputs("of_size").passes();
    let said = line(shop.inputs("of_size").env("SIZE", "30"));
    assert!(
        said.starts_with("tdg: inputs changed of_size, size"),
        "{said}"
    );
    let said = line(shop.inputs("of_size").env("SIZE", "30").env("BREAK", "1"));
    assert!(said.starts_with("tdg: changed of_size, "), "{said}");
}

#[test]
fn a_new_field_does_not_hide_a_regression() {
    let shop = shop();
    shop.inputs("priced").passes();
    let report = shop
        .inputs("priced")
        .env("TAX", "1")
        .env("BREAK", "1")
        .fails()
        .report();
    insta::assert_snapshot!(report, @"
    priced: 200 of 200 cases changed

      /tax added in all 200
      /price: all 45 have b > 7   (45 of 45 such cases changed, 0 of the other 155)
      /price: actual = 0.97 × expected in all 45

      case  a  b  field   expected     actual  error
       189  9  9  /price      81.0      78.57  −2.43  −3.0 %
        19  6  9  /price      54.0  52.380000  −1.62  −3.0 %
       100  6  9  /price      54.0  52.380000  −1.62  −3.0 %
       150  6  9  /price      54.0  52.380000  −1.62  −3.0 %
        12  3  9  /price      27.0  26.190000  −0.81  −3.0 %
        58  3  9  /price      27.0  26.190000  −0.81  −3.0 %
        64  3  9  /price      27.0  26.190000  −0.81  −3.0 %
         0  5  8  /price      40.0       38.8   −1.2  −3.0 %
        68  5  8  /price      40.0       38.8   −1.2  −3.0 %
         5  5  9  /price      45.0      43.65  −1.35  −3.0 %
      … and 35 more cases
      largest error 2.43 (3.0 %), median 1.35
      errors −2.43 [▂ ▇  ▄  ▇ ▇▆ ▃▃ ▃▄█ ▂▆ ▃] −0.24
      expected mean 41.44, sd 19.56; actual mean 40.2, sd 18.97

      part 1: /tax, added in 200 cases
      part 2: /price, 45 cases: b > 7; actual = 0.97 × expected

      see all:  cargo tdg show priced --changed
      cause:    cargo tdg why
      run one:  TDG_CASES=189 cargo test priced
      accept:   cargo tdg review    (or cargo insta review)
      a part:   cargo tdg accept priced --rule 1
    ");
}

#[test]
fn outputs_of_another_form_hide_no_regression() {
    let shop = shop();
    let mut said = String::new();
    for test in ["newtype", "laid_out", "flattened"] {
        shop.inputs(test).passes();
        let changed = || shop.inputs(test).env("CHANGED", "1");
        let report = changed().env("BREAK", "1").fails().report();
        let lines = report
            .lines()
            .take_while(|line| !line.starts_with("  case"));
        said += &lines.collect::<Vec<_>>().join("\n");
    }
    insta::assert_snapshot!(said, @"
    newtype: 200 of 200 cases changed

      Money(x) became x in 155 of the 200
      output: all 45 have b > 7   (45 of 45 such cases changed, 0 of the other 155)
      actual = expected − 1 in all 45
    laid_out: 45 of 200 cases changed

      all 45 have b > 7   (45 of 45 such cases changed, 0 of the other 155)
      /0: only element 0 (of 2) differs in all 45
      /0/0: actual = expected − 1 in all 45
    flattened: 200 of 200 cases changed

      /price/net moved to /net in all 200
      /price/tax moved to /tax in all 200
      /net: all 45 have b > 7   (45 of 45 such cases changed, 0 of the other 155)
      /net: actual = expected − 1 in all 45
    ");
    // The layout isn't part of the value.
    shop.inputs("laid_out").env("CHANGED", "1").passes();
}

#[test]
fn a_report_keeps_to_the_features_that_the_function_takes() {
    let shop = shop();
    shop.inputs("only_a").passes();
    let report = shop.inputs("only_a").env("BREAK", "1").fails().report();
    let header = report.lines().find(|line| line.contains("expected"));
    let header: Vec<&str> = header.unwrap().split_whitespace().collect();
    assert_eq!(header, ["case", "a", "expected", "actual", "error"]);
}

#[test]
fn a_regression_on_recorded_rows_is_found_although_all_rows_changed() {
    for test in [
        "only_a",
        "of_struct",
        "of_batch",
        "of_tuple",
        "of_map",
        "of_row",
    ] {
        let shop = shop();
        shop.inputs(test).passes();
        shop.redraw("a");
        let said = line(shop.inputs(test));
        assert!(
            said.starts_with(&format!("tdg: inputs changed {test}, definition")),
            "{said}"
        );
        let said = line(shop.inputs(test).env("BREAK", "1"));
        assert!(
            said.starts_with(&format!("tdg: changed {test}, 2")),
            "{said}"
        );
        assert!(
            said.contains("of 200 cases on the recorded rows, inputs changed: definition"),
            "{said}"
        );
    }
}

#[test]
fn a_report_covers_the_recorded_rows_and_the_inputs() {
    let shop = shop();
    shop.inputs("only_a").passes();
    shop.redraw("a");
    shop.redraw("c");
    insta::assert_snapshot!(shop.inputs("only_a").env("BREAK", "1").fails().report(), @"
    only_a: on the recorded rows, 27 of 200 cases changed; inputs changed: definition

      all 27 have a = 3   (27 of 27 such cases changed, 0 of the other 173)
      6 became 7 in all 27

      case  a  expected  actual  error
        12  3         6       7     +1  +16.7 %
        21  3         6       7     +1  +16.7 %
        22  3         6       7     +1  +16.7 %
        25  3         6       7     +1  +16.7 %
      … and 23 more cases
      largest error 1 (16.7 %)
      expected mean 6, sd 0; actual mean 7, sd 0

                                      benchmark  now
      definition /a/distribution/max          9    8

      pending: 200 new rows, with their outputs

      see all:  cargo tdg show only_a --changed
      run one:  TDG_CASES=12 cargo test only_a
      accept:   cargo tdg review    (or cargo insta review)
    ");
    insta::assert_snapshot!(shop.inputs("only_a").env("PANIC", "1").fails().report(), @r#"
    only_a: on the recorded rows, 27 of 200 cases panicked; inputs changed: definition

      all 27 have a = 3   (27 of 27 such cases panicked, 0 of the other 173)

      27 cases at tests/inputs.rs:38:9:
        three
        case  a
          12  3
          21  3
        … and 25 more cases

                                      benchmark  now
      definition /a/distribution/max          9    8

      run one:  TDG_CASES=12 cargo test only_a
      record:   panics = "record" in the attribute, if these rows should make it panic
    "#);
    let chosen = shop
        .inputs("only_a")
        .env("BREAK", "1")
        .env("TDG_CASES", "0,23");
    insta::assert_snapshot!(chosen.finish().stderr, @"
    tdg: only_a, recorded cases by TDG_CASES
      case 0: a = 5
        output: 10 (as expected)
      case 23: a = 2
        output: 4 (as expected)
    ");
}

#[test]
fn recorded_rows_have_the_values_of_new_ones_where_the_function_takes_a_new_feature() {
    let shop = shop();
    shop.inputs("and_d").passes();
    append_d(&shop);
    insta::assert_snapshot!(shop.inputs("and_d").fails().report(), @"
    and_d: inputs changed: definition

                     benchmark  now
      definition /d  –          INTEGER uniform

      The outputs for the 200 recorded rows are the same as before. `d` is new, so recorded rows have the values that new
      rows have there.
      pending: 200 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    ");
    let said = line(shop.inputs("and_d").env("BREAK", "1"));
    assert!(said.starts_with("tdg: changed and_d, 2"), "{said}");
    shop.redraw("a");
    insta::assert_snapshot!(shop.inputs("and_d").fails().report(), @"
    and_d: inputs changed: definition

                                      benchmark  now
      definition /a/distribution/max          9  8
      definition /d                           –  INTEGER uniform

      The outputs for the 200 recorded rows are the same as before. `d` is new, so recorded rows have the values that new
      rows have there.
      pending: 200 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    ");
}

#[test]
fn recorded_rows_are_run_with_a_new_feature_that_the_function_asks_for() {
    for test in ["of_row", "of_vectors"] {
        let shop = shop();
        shop.inputs(test).passes();
        append_d(&shop);
        let changed = || shop.inputs(test).env("TAKE_D", "1").env("BREAK", "1");
        let said = line(changed());
        let expected = format!("tdg: changed {test}, 27 of 200 cases on the recorded rows");
        assert!(said.starts_with(&expected), "{said}");
        shop.redraw("a");
        let report = changed().fails().report();
        let expected = format!("{test}: on the recorded rows, 27 of 200 cases changed; ");
        assert!(report.starts_with(&expected), "{report}");
        let rule = "all 27 have a = 3   (27 of 27 such cases changed, 0 of the other 173)";
        assert!(report.contains(rule), "{report}");
    }
}

#[test]
fn chosen_cases_come_from_the_benchmark_and_have_new_features_as_in_the_run() {
    let shop = shop();
    shop.inputs("of_row").passes();
    append_d(&shop);
    shop.redraw("a");
    let chosen = |cases: &str| {
        let run = shop.inputs("of_row").env("TAKE_D", "1");
        run.env("TDG_CASES", cases).finish().stderr
    };
    insta::assert_snapshot!(chosen("0..4"), @"
    tdg: of_row, recorded cases by TDG_CASES
      case 0: a = 5, b = 8, c = 3, d = 3
        output: 10 (as expected)
      case 1: a = 8, b = 2, c = 2, d = 2
        output: 16 (as expected)
      case 2: a = 2, b = 8, c = 8, d = 6
        output: 4 (as expected)
      case 3: a = 8, b = 5, c = 6, d = 3
        output: 16 (as expected)
    ");
    let shop = Program::shop().checkout();
    shop.inputs("of_size").passes();
    let beyond = shop.inputs("of_size").env("SIZE", "30");
    insta::assert_snapshot!(beyond.env("TDG_CASES", "25").fails().report(), @r#"
    of_size: invalid: this run can't be compared

      TDG_CASES is "25", but this test has the cases 0 to 19
    "#);
}

#[test]
fn a_chosen_case_whose_new_row_panics_does_not_pass() {
    let shop = shop();
    shop.inputs("and_d").passes();
    append_d(&shop);
    let chosen = shop.inputs("and_d").env("PANIC", "1");
    let report = chosen.env("TDG_CASES", "0..30").fails().report();
    assert!(
        report.starts_with("and_d: 4 of 30 cases panicked"),
        "{report}"
    );
}

/// Runs `of_renamed` after the definition's `a` became `x`.
fn renamed(shop: &Checkout<'_>) -> Run {
    shop.edit(THREE, r#""a""#, r#""x""#);
    shop.inputs("of_renamed").env("RENAMED", "1")
}

#[test]
fn a_renamed_feature_does_not_hide_a_regression() {
    let shop = shop();
    shop.inputs("of_renamed").passes();
    let report = renamed(&shop).fails().report();
    insta::assert_snapshot!(report, @r#"
    of_renamed: inputs changed: definition

                     benchmark  now
      definition /x  –          INTEGER uniform

      `x` is drawn as `a` was, but values depend on the name. To rename it and keep the rows, write #[feature("a")] before
      the parameter, #[serde(rename = "a")] before the field, or "feature_name": "a" in the definition.

      The outputs for the 200 recorded rows, with `a` as `x`, are the same as before.
      pending: 200 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    "#);
    shop.edit(THREE, r#""x""#, r#""a""#);
    let report = renamed(&shop).env("BREAK", "1").fails().report();
    insta::assert_snapshot!(report, @r#"
    of_renamed: on the recorded rows, with `a` as `x`, 27 of 200 cases changed; inputs changed: definition

      all 27 have x = 3   (27 of 27 such cases changed, 0 of the other 173)
      6 became 7 in all 27

      case  x  expected  actual  error
        12  3         6       7     +1  +16.7 %
        21  3         6       7     +1  +16.7 %
        22  3         6       7     +1  +16.7 %
        25  3         6       7     +1  +16.7 %
      … and 23 more cases
      largest error 1 (16.7 %)
      expected mean 6, sd 0; actual mean 7, sd 0

                     benchmark  now
      definition /x  –          INTEGER uniform

      `x` is drawn as `a` was, but values depend on the name. To rename it and keep the rows, write #[feature("a")] before
      the parameter, #[serde(rename = "a")] before the field, or "feature_name": "a" in the definition.

      pending: 200 new rows, with their outputs

      see all:  cargo tdg show of_renamed --changed
      run one:  TDG_CASES=12 cargo test of_renamed
      accept:   cargo tdg review    (or cargo insta review)
    "#);
}

#[test]
fn a_feature_that_is_renamed_and_redrawn_does_not_hide_a_regression() {
    let shop = shop();
    shop.inputs("of_renamed").passes();
    shop.redraw("a");
    let report = renamed(&shop).env("BREAK", "1").fails().report();
    insta::assert_snapshot!(report, @"
    of_renamed: on the recorded rows, with `a` as `x`, 27 of 200 cases changed; inputs changed: definition

      all 27 have x = 3   (27 of 27 such cases changed, 0 of the other 173)
      6 became 7 in all 27

      case  x  expected  actual  error
        12  3         6       7     +1  +16.7 %
        21  3         6       7     +1  +16.7 %
        22  3         6       7     +1  +16.7 %
        25  3         6       7     +1  +16.7 %
      … and 23 more cases
      largest error 1 (16.7 %)
      expected mean 6, sd 0; actual mean 7, sd 0

                     benchmark  now
      definition /x  –          INTEGER uniform

      `x` may be `a`, renamed and drawn in another way, since no other feature of its type is new or gone. The recorded
      rows have the values of `a`.

      pending: 200 new rows, with their outputs

      see all:  cargo tdg show of_renamed --changed
      run one:  TDG_CASES=12 cargo test of_renamed
      accept:   cargo tdg review    (or cargo insta review)
    ");
}

#[test]
fn a_renamed_category_does_not_hide_a_regression() {
    let shop = shop();
    shop.inputs("of_category").passes();
    shop.edit("definitions/coupons.json", "Half", "Quarter");
    let renamed = || shop.inputs("of_category").env("RENAMED", "1");
    insta::assert_snapshot!(renamed().fails().report(), @r#"
    of_category: inputs changed: definition

                                                          benchmark  now
      definition /coupon/distribution/categories/0/value  "Half"     "Quarter"

      The outputs for the 200 recorded rows, with "Half" of `coupon` as "Quarter", are the same as before.
      pending: 200 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    "#);
    insta::assert_snapshot!(renamed().env("BREAK", "1").fails().report(), @r#"
    of_category: on the recorded rows, with "Half" of `coupon` as "Quarter", 100 of 200 cases changed; inputs changed: definition

      all 100 have coupon = "Quarter"   (100 of 100 such cases changed, 0 of the other 100)
      actual = 2 × expected in all 100

      case  a  coupon     expected  actual  error
        46  9  "Quarter"       450     900   +450  +100 %
        51  9  "Quarter"       450     900   +450  +100 %
        54  9  "Quarter"       450     900   +450  +100 %
        83  9  "Quarter"       450     900   +450  +100 %
      … and 96 more cases
      largest error 450 (100 %), median 250
      errors +50 [▃▅ ▇█ ▆ ▇█ ▅▃] +450
      expected mean 252.5, sd 109.5; actual mean 505, sd 219

                                                          benchmark  now
      definition /coupon/distribution/categories/0/value  "Half"     "Quarter"

      pending: 200 new rows, with their outputs

      see all:  cargo tdg show of_category --changed
      run one:  TDG_CASES=46 cargo test of_category
      accept:   cargo tdg review    (or cargo insta review)
    "#);
    // A function that accepts the recorded value gets it.
    insta::assert_snapshot!(shop.inputs("of_category").env("TEXT", "1").fails().report(), @r#"
    of_category: inputs changed: definition

                                                          benchmark  now
      definition /coupon/distribution/categories/0/value  "Half"     "Quarter"

      The outputs for the 200 recorded rows are the same as before.
      pending: 200 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    "#);
}

#[test]
fn a_regression_at_the_end_of_intervals_that_do_not_overlap_is_seen() {
    let shop = shop();
    shop.inputs("is_free").passes();
    shop.inputs("is_free").passes();
    let report = shop.inputs("is_free").env("BREAK", "1").fails().report();
    insta::assert_snapshot!(report, @r#"
    is_free: 4 of 500 cases changed

      perhaps: all 4 have an element of bookings with to = day   (4 of 4 such cases changed, 0 of the other 496; few
      cases)

      case  bookings                      day           expected  actual  error
       372  [5] {from: "2026-01-09", …}   "2026-04-24"  false     true
       169  [10] {from: "2026-01-13", …}  "2026-03-10"  false     true
       194  [9] {from: "2026-01-05", …}   "2026-09-10"  false     true
       384  [7] {from: "2026-03-07", …}   "2026-07-01"  false     true

      cause:    cargo tdg why
      run one:  TDG_CASES=372 cargo test is_free
      accept:   cargo tdg review    (or cargo insta review)
    "#);
}
