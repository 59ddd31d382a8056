//! Without the default features, `cargo tdg` still shows the history and explains changed rows.

use tdg_tests::{Finished, Project, tools};

use crate::first_run::small_crate;
use crate::history::{history, test_of};

const LIBRARY: &str = "src/lib.rs";

fn lean_crate(name: &str) -> Project {
    let shop = small_crate(name);
    shop.edit("Cargo.toml", "\" }", "\", default-features = false }");
    shop
}

/// Returns the verdicts of the runs, oldest first.
fn verdicts(shop: &Project, name: &str) -> Vec<String> {
    let history = history(shop, &test_of(name, LIBRARY, "tests::total"));
    history
        .iter()
        .rev()
        .map(|it| it.verdict().to_string())
        .collect()
}

#[test]
fn runs_wait_for_the_holder_of_a_database() {
    let name = "without-sqlite";
    let shop = lean_crate(name);
    shop.cargo(&["test"]).passes();
    shop.cargo(&["test"]).passes();
    shop.edit(LIBRARY, "price * 0.5", "price * 0.485");
    insta::assert_snapshot!(shop.cargo(&["test"]).fails().report(), @r#"
    tests::total: 2 of 50 cases changed

      case     amount  quantity  coupon   expected     actual    error
        41  23.540849         8  "HALF"  94.163395  91.338493   −2.825  −3.0 %
         8  14.164530         3  "HALF"  21.246795  20.609391  −0.6374  −3.0 %
      largest error 2.825 (3.0 %), median 1.731

      explain:  cargo tdg show tests::total --changed
      cause:    cargo tdg why
      run one:  TDG_CASES=41 cargo test tests::total
      accept:   cargo tdg review    (or cargo insta review)
    "#);
    shop.cargo(&["test"]).env("TDG_UPDATE", "always").passes();
    shop.cargo(&["test"]).passes();
    assert!(!shop.has(".tdg/store.db"));
    assert_eq!(
        verdicts(&shop, name),
        ["recorded", "same", "changed", "accepted", "same"]
    );

    // Settings that require a database are refused.
    shop.write("tdg.toml", "snapshots = false\n");
    let run: Finished = shop.cargo(&["test"]).fails();
    insta::assert_snapshot!(run.report(), @"
    tests::total: invalid: this run can't be compared

      benchmarks are only in the local store (snapshots = false), but this tdg is built without one

      enable the feature `sqlite` of tdg (it is on by default)
    ");
}

#[test]
fn two_functions_of_one_name_are_found_in_separate_processes() {
    let shop = lean_crate("one-name-without-sqlite");
    let test = |function: &str, factor: &str| {
        format!(
            "#[tdg::ensemble_test(definition = \"definitions/orders.json\", name = \"total\")]\n\
             fn {function}(amount: f64) -> f64 {{ amount * {factor} }}\n"
        )
    };
    shop.write(
        "tests/two.rs",
        &(test("one", "1.0") + &test("other", "2.0")),
    );
    let arguments = [
        "run",
        "--test=two",
        "--no-fail-fast",
        "--color=never",
        "-j1",
    ];
    let run = tools::nextest(&shop, &arguments).fails();
    assert!(
        run.stderr.contains("is claimed") || run.stderr.contains("has the same"),
        "{run}"
    );
    assert!(run.stderr.contains("1 passed, 1 failed"), "{run}");
}
