//! Decisions about snapshot files that have no inputs.

use tdg_tests::Program;

use crate::{ended, tdg};

#[test]
fn a_file_without_inputs_is_shown_and_accepted_as_others_are() {
    let shop = Program::shop().checkout();
    shop.inputs("without_inputs").passes();
    shop.inputs("without_inputs").env("BREAK", "1").fails();
    let shown = tdg(&shop, &["show", "without_inputs", "--changed"]).passes();
    let first: Vec<&str> = shown.stdout.lines().take(4).collect();
    insta::assert_snapshot!(first.join("\n"), @"
    without_inputs: 27 of 200 cases changed

      all 27 have a = 3   (27 of 27 such cases changed, 0 of the other 173)
      6 became 7 in all 27
    ");
    let some = ["accept", "without_inputs", "--cases", "0..100"];
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &some).passes()), @"
    accepted without_inputs, 14 of 200 cases, largest error 1, tests/snapshots/inputs__without_inputs.snap; 13 cases stay pending
    (0)
    ");
    tdg(&shop, &["accept", "without_inputs"]).passes();
    shop.inputs("without_inputs").env("BREAK", "1").passes();
}

/// The store lacks the rows of a benchmark recorded in files, and the pending rows differ.
#[test]
fn in_the_store_as_well_a_part_is_accepted() {
    let shop = Program::shop().checkout();
    shop.inputs("only_a").passes();
    shop.write("tdg.toml", "snapshots = false\n");
    shop.redraw("c");
    shop.inputs("only_a").env("BREAK", "1").fails();
    tdg(&shop, &["show", "only_a", "--changed"]).passes();
    tdg(&shop, &["accept", "only_a", "--cases", "0..100"]).passes();
    let failing = shop.inputs("only_a").env("BREAK", "1").fails();
    insta::assert_snapshot!(failing.said(), @"tdg: changed only_a, 13 of 200 cases, pending in the store");
}
