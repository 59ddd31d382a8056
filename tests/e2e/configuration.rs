//! The effects of `tdg.toml` and of environment variables.

use tdg_tests::Program;

#[test]
fn without_snapshot_files_the_store_alone_holds_the_benchmark() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "snapshots = false\n");
    insta::assert_snapshot!(shop.pricing("total").passes().said(), @"tdg: recorded total, 200 cases, in the store");
    assert!(!shop.has("tests/snapshots"));
    assert_eq!(shop.pricing("total").passes().stderr, "");
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.said(), @"tdg: changed total, 13 of 200 cases, pending in the store");
    shop.pricing("total")
        .env("FACTOR", "1.03")
        .env("TDG_UPDATE", "always")
        .passes();
    shop.pricing("total").env("FACTOR", "1.03").passes();
    shop.remove(".tdg");
    let run = shop.pricing("total").env("CI", "1").fails();
    assert!(run.said().starts_with("tdg: missing total"), "{run}");
}

#[test]
fn the_store_is_where_it_is_asked_to_be() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "dir = \"kept/here\"\n");
    shop.pricing("total").passes();
    assert!(shop.has("kept/here/store.db"));
    shop.pricing("total")
        .env("TDG_DIR", shop.path("there"))
        .passes();
    assert!(shop.has("there/store.db"));
    assert!(!shop.has(".tdg"));
}

#[test]
fn a_configuration_that_never_writes_never_writes() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "update = \"no\"\n");
    let run = shop.pricing("total").fails();
    insta::assert_snapshot!(run.report(), @r#"
    total: missing: no benchmark, and this run must not record one (tdg.toml says update = "no")

      tests/snapshots/pricing__total.snap does not exist.
      Record it where files may be written, and commit the file.

      record:  TDG_UPDATE=auto cargo test total
    "#);
    assert!(!shop.has("tests/snapshots") && !shop.has(".tdg"));
    shop.pricing("total").env("TDG_UPDATE", "auto").passes();
}

#[test]
fn no_variable_replaces_the_comparison_of_the_recorded_rows() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    // Includes our variables and those that other tools use for seed and size.
    let variables = [
        "TDG_SEED",
        "TDG_SIZE",
        "TDG_ROWS",
        "SEED",
        "SIZE",
        "PROPTEST_RNG_SEED",
        "PROPTEST_CASES",
        "QUICKCHECK_TESTS",
        "RUST_TEST_SHUFFLE_SEED",
        "HYPOTHESIS_SEED",
    ];
    let run = || {
        let run = shop.pricing("total");
        variables.iter().fold(run, |run, name| run.env(name, "3"))
    };
    // Our variables add rows to the test's own.
    insta::assert_snapshot!(run().passes().stderr, @"tdg: total: 3 more rows with TDG_SEED=3 TDG_SIZE=3");
    let changed = run().env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(changed.said(), @"tdg: changed total, 13 of 200 cases, pending in tests/snapshots/pricing__total.snap.new");

    // A subset of the cases is only compared on request. That is reported, and writes nothing.
    let recorded = shop.read("tests/snapshots/pricing__total.snap");
    let some = run().env("FACTOR", "1.03").env("TDG_CASES", "0..3");
    let some = some.env("TDG_UPDATE", "always").passes();
    assert!(
        some.stderr.starts_with("tdg: total, cases by TDG_CASES\n"),
        "{some}"
    );
    assert_eq!(shop.read("tests/snapshots/pricing__total.snap"), recorded);
    assert!(shop.has("tests/snapshots/pricing__total.snap.new"));
}

#[test]
fn what_can_not_be_configured_lists_what_can() {
    let shop = Program::shop().checkout();
    let report = |toml: &str, variable: &str, value: &str| {
        shop.write("tdg.toml", toml);
        let report = shop.pricing("total").env(variable, value).fails().report();
        report.replace(&shop.folder().display().to_string(), "<shop>")
    };
    insta::assert_snapshot!(report("", "TDG_UPDATE", "yes"), @r#"
    total: invalid: this run can't be compared

      TDG_UPDATE must be one of auto, always, new, no, but is "yes"
    "#);
    insta::assert_snapshot!(report("", "TDG_STORE", "remote"), @r#"
    total: invalid: this run can't be compared

      the test sets store = "remote", but this tdg is built without it

      enable the feature `remote` of tdg, or use store = "local"
    "#);
    insta::assert_snapshot!(report("snapshot = false", "X", ""), @"
    total: invalid: this run can't be compared

      <shop>/tdg.toml: unknown key `snapshot`; did you mean `snapshots`?
    ");
    insta::assert_snapshot!(report("update = \"yes\"", "X", ""), @r#"
    total: invalid: this run can't be compared

      <shop>/tdg.toml: `update` must be one of auto, always, new, no, but is "yes"
    "#);
    insta::assert_snapshot!(report("api_key = \"secret\"", "X", ""), @"
    total: invalid: this run can't be compared

      <shop>/tdg.toml: `api_key` must not be in a committed file; set TDG_API_KEY instead
    ");
    assert!(!shop.has("tests/snapshots"));
}
