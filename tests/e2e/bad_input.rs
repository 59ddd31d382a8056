//! Invalid input is reported with a fix, and nothing is lost.

use tdg_tests::Program;

#[test]
fn a_parameter_of_the_wrong_type_names_feature_and_row() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("of_the_wrong_type").fails();
    insta::assert_snapshot!(run.report(), @"
    of_the_wrong_type: invalid: this run can't be compared

      row 0: feature `amount` (FLOAT) is 22.71352883427666: invalid type: floating point `22.71352883427666`, expected
      i64; FLOAT fits f64
    ");
    assert!(!shop.has("tests/snapshots"));
}

#[test]
fn a_number_of_threads_that_no_machine_starts_is_refused() {
    let shop = Program::shop().checkout();
    let run = |threads| shop.pricing("by_the_environment").env("THREADS", threads);
    insta::assert_snapshot!(run("1000000").fails().report(), @"
    by_the_environment: invalid: this run can't be compared

      threads must be from 1 to 1024, but is 1000000
    ");
    insta::assert_snapshot!(run("0").fails().report(), @"
    by_the_environment: invalid: this run can't be compared

      threads must be from 1 to 1024, but is 0
    ");
    assert!(!shop.has("tests/snapshots"));
    run("1024").passes();
}

#[test]
fn a_size_that_no_ensemble_has_names_those_it_can_have() {
    let shop = Program::shop().checkout();
    let none = shop.pricing("by_the_environment").env("SIZE", "0").fails();
    insta::assert_snapshot!(none.report(), @"
    by_the_environment: invalid: this run can't be compared

      an ensemble has 1 to 10000 rows, not 0
    ");
    let too_many = shop
        .pricing("by_the_environment")
        .env("SIZE", "10001")
        .fails();
    insta::assert_snapshot!(too_many.report(), @"
    by_the_environment: invalid: this run can't be compared

      an ensemble has 1 to 10000 rows, not 10001
    ");
    shop.pricing("by_the_environment")
        .env("SIZE", "10000")
        .passes();
}

#[test]
fn a_definition_that_is_not_there_names_where_it_was_looked_for() {
    let shop = Program::shop().checkout();
    shop.remove("definitions");
    let run = shop.pricing("by_the_environment").fails();
    let report = run
        .report()
        .replace(&shop.folder().display().to_string(), "<shop>");
    insta::assert_snapshot!(report, @"
    by_the_environment: invalid: this run can't be compared

      the definition definitions/orders.json can't be read: No such file or directory (os error 2); paths are relative to
      <shop>
    ");
}

#[test]
fn a_definition_with_faults_lists_all_of_them() {
    let shop = Program::shop().checkout();
    shop.edit("definitions/orders.json", "\"sigma\": 5", "\"sigma\": -5");
    shop.edit("definitions/orders.json", "\"min\": 1", "\"min\": 21");
    shop.edit("definitions/orders.json", "0.7", "0.6");
    shop.edit(
        "definitions/orders.json",
        "\"feature_name\": \"coupon\"",
        "\"feature_name\": \"amount\"",
    );
    insta::assert_snapshot!(shop.pricing("by_the_environment").fails().report(), @"
    by_the_environment: invalid: this run can't be compared

      definitions/orders.json is not a valid definition:
      /features/0/distribution/sigma: must be greater than 0, but is -5
      /features/1/distribution: `min` must not be greater than `max`
      /features/2/feature_name: `amount` is also the name of /features/0; names must be unique
      /features/2/distribution/categories: the probabilities must sum to 1, but sum to 0.9
    ");
}

#[test]
fn a_definition_that_is_not_json_names_the_line() {
    let shop = Program::shop().checkout();
    shop.edit("definitions/orders.json", "\"sigma\": 5", "\"sigma\": five");
    insta::assert_snapshot!(shop.pricing("by_the_environment").fails().report(), @"
    by_the_environment: invalid: this run can't be compared

      definitions/orders.json is not a valid definition:
      not valid JSON: line 4, column 105: expected a value, found `five`
    ");
}

#[test]
fn a_batch_of_another_length_is_refused() {
    let shop = Program::shop().checkout();
    let run = shop
        .test("outputs", &["--exact", "batch"])
        .env("SHORT", "1")
        .fails();
    insta::assert_snapshot!(run.report(), @"
    batch: invalid: this run can't be compared

      the batch function returned 9 outputs for 10 rows; it must return one per row, in the same order
    ");
}

#[test]
fn invalid_cases_say_how_to_write_them() {
    let shop = Program::shop().checkout();
    for (cases, said) in [
        ("3-5", "TDG_CASES=3,40..60"),
        ("200", "this test has the cases 0 to 199"),
    ] {
        let run = shop.pricing("total").env("TDG_CASES", cases).fails();
        assert!(run.report().contains(said), "{run}");
    }
}

#[test]
fn a_binary_without_its_sources_says_what_it_needs() {
    let shop = Program::shop().checkout();
    shop.remove("tests");
    let run = shop.pricing("total").fails();
    let report = run
        .report()
        .replace(&shop.folder().display().to_string(), "<shop>");
    insta::assert_snapshot!(report, @"
    total: invalid: this run can't be compared

      tests/pricing.rs is neither in <shop> nor in a directory above it: the test needs its sources, because its
      benchmark is next to them; run it in a checkout, with CARGO_MANIFEST_DIR set to the package's directory
    ");
}
