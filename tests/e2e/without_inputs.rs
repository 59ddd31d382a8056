//! Snapshot files without inputs.

use tdg_tests::Program;

const FILE: &str = "tests/snapshots/inputs__without_inputs.snap";

#[test]
fn a_file_has_the_outputs_alone_and_changes_are_found() {
    let shop = Program::shop().checkout();
    shop.inputs("without_inputs").passes();
    let recorded = shop.read(FILE);
    let lines: Vec<&str> = recorded.lines().collect();
    assert_eq!(lines.len(), 5 + 200);
    assert_eq!(lines[5..8], ["10", "16", "4"]);
    assert_eq!(shop.inputs("without_inputs").passes().stderr, "");
    let report = shop
        .inputs("without_inputs")
        .env("BREAK", "1")
        .fails()
        .report();
    assert!(report.contains("have a = 3 "), "{report}");
    // Rows are drawn from the file's own definition.
    shop.redraw("a");
    let said = shop
        .inputs("without_inputs")
        .env("BREAK", "1")
        .fails()
        .said()
        .to_owned();
    assert!(
        said.contains(" of 200 cases on the recorded rows"),
        "{said}"
    );
}

#[test]
fn tdg_toml_may_leave_inputs_out_of_all_files() {
    let shop = Program::shop().checkout();
    shop.inputs("only_a").passes();
    let file = "tests/snapshots/inputs__only_a.snap";
    let with_inputs = shop.read(file);
    shop.write("tdg.toml", "inputs = false\n");
    shop.inputs("only_a").passes();
    // A passing run rewrites nothing.
    assert_eq!(shop.read(file), with_inputs);
    shop.remove(file);
    shop.inputs("only_a").passes();
    assert!(
        shop.read(file)
            .contains("\n{\"tdg\":2,\"needs\":[\"outputs only\"],")
    );
}
