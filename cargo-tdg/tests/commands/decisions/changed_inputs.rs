//! Decisions after a change of the inputs.

use tdg_tests::Program;

use crate::tdg;

#[test]
fn an_accepted_change_of_the_inputs_is_the_benchmark() {
    let shop = Program::shop().checkout();
    shop.inputs("only_a").passes();
    shop.redraw("a");
    shop.inputs("only_a").env("BREAK", "1").fails();
    let reported = tdg(&shop, &["show", "only_a", "--changed"]).finish();
    insta::assert_snapshot!(reported.stdout, @"
    only_a: on the recorded rows, 27 of 200 cases changed; inputs changed: definition

      all 27 have a = 3   (27 of 27 such cases changed, 0 of the other 173)
      6 became 7 in all 27

      case  a  expected  actual  error
        12  3         6       7     +1  +16.7 %
        21  3         6       7     +1  +16.7 %
        22  3         6       7     +1  +16.7 %
        25  3         6       7     +1  +16.7 %
        30  3         6       7     +1  +16.7 %
        35  3         6       7     +1  +16.7 %
        38  3         6       7     +1  +16.7 %
        57  3         6       7     +1  +16.7 %
        58  3         6       7     +1  +16.7 %
        61  3         6       7     +1  +16.7 %
        64  3         6       7     +1  +16.7 %
        94  3         6       7     +1  +16.7 %
        95  3         6       7     +1  +16.7 %
        98  3         6       7     +1  +16.7 %
       107  3         6       7     +1  +16.7 %
       109  3         6       7     +1  +16.7 %
       118  3         6       7     +1  +16.7 %
       123  3         6       7     +1  +16.7 %
       125  3         6       7     +1  +16.7 %
       126  3         6       7     +1  +16.7 %
       131  3         6       7     +1  +16.7 %
       141  3         6       7     +1  +16.7 %
       153  3         6       7     +1  +16.7 %
       160  3         6       7     +1  +16.7 %
       168  3         6       7     +1  +16.7 %
       188  3         6       7     +1  +16.7 %
       192  3         6       7     +1  +16.7 %
      largest error 1 (16.7 %)
      expected mean 6, sd 0; actual mean 7, sd 0

                                      benchmark  now
      definition /a/distribution/max          9    8

      pending: 200 new rows, with their outputs
    ");
    tdg(&shop, &["accept", "only_a"]).passes();
    shop.inputs("only_a").env("BREAK", "1").passes();
}

#[test]
fn a_file_of_other_untaken_features_stays_until_something_is_accepted() {
    let shop = Program::shop().checkout();
    let file = "tests/snapshots/inputs__only_a.snap";
    shop.inputs("only_a").passes();
    shop.redraw("c");
    shop.inputs("only_a").env("BREAK", "1").fails();
    let before = shop.read(file);
    tdg(&shop, &["show", "only_a", "--changed"]).passes();
    tdg(&shop, &["accept", "only_a", "--cases", "0..100"]).passes();
    let said = shop.inputs("only_a").fails().said().to_owned();
    assert!(said.contains(" of 200 cases, pending"), "{said}");
    tdg(&shop, &["reject", "only_a"]).passes();
    assert_ne!(shop.read(file), before);
    shop.inputs("only_a").env("BREAK", "1").fails();
    tdg(&shop, &["accept", "only_a"]).passes();
    shop.inputs("only_a").env("BREAK", "1").passes();
}

#[test]
fn a_function_that_refuses_recorded_rows_now_waits_for_a_decision() {
    let shop = Program::shop().checkout();
    shop.inputs("only_a").passes();
    let threes = r#""a", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1"#;
    let definition = "definitions/three.json";
    shop.edit(
        definition,
        threes,
        &threes.replace("\"min\": 1", "\"min\": 4"),
    );
    let run = || shop.inputs("only_a").env("PANIC", "1");
    let report = run().fails().report();
    let hints: Vec<&str> = report.lines().rev().take(3).collect();
    insta::assert_snapshot!(report.lines().next().unwrap(), @"only_a: on the recorded rows, 27 of 200 cases panicked; inputs changed: definition");
    insta::assert_snapshot!(hints.join("\n"), @r#"
    accept:   cargo tdg review    (or cargo insta review)
    record:   panics = "record" in the attribute, if these rows should make it panic
    run one:  TDG_CASES=12 cargo test only_a
    "#);
    run().env("TDG_UPDATE", "always").fails();
    let shown = tdg(&shop, &["show", "only_a", "--changed"]).passes();
    insta::assert_snapshot!(shown.stdout, @"
    only_a: inputs changed: definition

                                      benchmark  now
      definition /a/distribution/min          1    4

      The outputs for 173 of the 200 recorded rows are the same as before.
      not compared: 27 recorded rows, the function panicked
      pending: 200 new rows, with their outputs
    ");
    tdg(&shop, &["accept", "only_a"]).passes();
    run().passes();
}

#[test]
fn benchmarks_in_the_store_alone_are_compared_on_their_rows_too() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "snapshots = false\n");
    shop.inputs("only_a").passes();
    shop.redraw("c");
    assert_eq!(shop.inputs("only_a").passes().stderr, "");
    shop.redraw("a");
    let changed = || shop.inputs("only_a").env("BREAK", "1");
    let said = changed().fails().said().to_owned();
    insta::assert_snapshot!(said, @"tdg: changed only_a, 27 of 200 cases on the recorded rows, inputs changed: definition, pending in the store");
    let shown = tdg(&shop, &["pending"]).fails().stdout;
    assert!(
        shown.contains("27 of 200 recorded cases changed; inputs changed: definition"),
        "{shown}"
    );
    tdg(&shop, &["accept", "only_a"]).passes();
    assert_eq!(changed().passes().stderr, "");
    shop.inputs("only_a").fails();
}
