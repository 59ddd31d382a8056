//! A new user's first steps with tdg, using cargo itself.

use tdg_tests::{Project, Run, manifest, workspace};

pub(crate) const ORDERS: &str = include_str!("../fixtures/shop/definitions/orders.json");

const LIBRARY: &str = r#"pub fn total(amount: f64, quantity: i64, coupon: Option<&str>) -> f64 {
    let price = amount * quantity as f64;
    match coupon {
        Some("HALF") => price * 0.5,
        _ => price,
    }
}

#[cfg(test)]
mod tests {
    #[tdg::ensemble_test(definition = "definitions/orders.json", size = 50)]
    fn total(amount: f64, quantity: i64, coupon: Option<&str>) -> f64 {
        super::total(amount, quantity, coupon)
    }
}
"#;

/// Creates a crate with one function and one test.
pub(crate) fn small_crate(name: &str) -> Project {
    Project::package(
        name,
        &[("src/lib.rs", LIBRARY), ("definitions/orders.json", ORDERS)],
    )
}

fn git(arguments: &[&str], project: &Project) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    Run::new("git", project.folder())
        .arguments(&identity)
        .arguments(arguments)
        .passes();
}

#[test]
fn a_newcomer_adds_tdg_and_sees_which_rows_changed() {
    let manifest = manifest("a-stranger", "doctest = false");
    let manifest = manifest.replace("tdg = { path = \"{tdg}\" }\n", "");
    let shop = Project::new(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", LIBRARY),
        ("definitions/orders.json", ORDERS),
        (".gitignore", "/target\n"),
    ]);
    let tdg = workspace().join("tdg").display().to_string();
    shop.cargo(&["add", "--dev", "--path", &tdg]).passes();

    // The first run records, and the second one prints nothing.
    let run = shop.cargo(&["test"]).passes();
    insta::assert_snapshot!(run.said(), @"tdg: recorded tests::total, 50 cases, src/snapshots/lib__tests__total.snap");
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");

    // Once committed, it is the benchmark of every clone. The store is not committed.
    git(&["init", "--quiet"], &shop);
    git(&["add", "."], &shop);
    git(&["commit", "--quiet", "--message", "Add tests"], &shop);
    let tracked = Run::new("git", shop.folder())
        .arguments(&["ls-files"])
        .passes();
    insta::assert_snapshot!(tracked.stdout, @"
    .gitignore
    Cargo.lock
    Cargo.toml
    definitions/orders.json
    src/lib.rs
    src/snapshots/lib__tests__total.snap
    ");
    git(&["clean", "--quiet", "-ffdx"], &shop);
    assert!(!shop.has(".tdg"));
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");

    // A mistake in the function is reported with its rows.
    shop.edit("src/lib.rs", "price * 0.5", "price * 0.5 * 0.97");
    let run = shop.cargo(&["test"]).fails();
    insta::assert_snapshot!(run.said(), @"tdg: changed tests::total, 2 of 50 cases, pending in src/snapshots/lib__tests__total.snap.new");
    insta::assert_snapshot!(run.report(), @r#"
    tests::total: 2 of 50 cases changed

      perhaps: all 2 have coupon = "HALF"   (2 of 2 such cases changed, 0 of the other 48; few cases)

      case     amount  quantity  coupon   expected     actual    error
        41  23.540849         8  "HALF"  94.163395  91.338493   −2.825  −3.0 %
         8  14.164530         3  "HALF"  21.246795  20.609391  −0.6374  −3.0 %
      largest error 2.825 (3.0 %), median 1.731

      cause:    cargo tdg why
      run one:  TDG_CASES=41 cargo test tests::total
      accept:   cargo tdg review    (or cargo insta review)
    "#);

    // The commands in the report do what it says.
    let report = run.report();
    let command = |label: &str| {
        let line = report
            .lines()
            .find_map(|line| line.trim_start().strip_prefix(label));
        line.unwrap_or_else(|| panic!("no {label:?}:\n{report}"))
            .trim()
            .to_owned()
    };
    let run_one = command("run one:");
    let case = run_one
        .strip_prefix("TDG_CASES=")
        .and_then(|rest| rest.strip_suffix(" cargo test tests::total"));
    let run = shop
        .cargo(&["test", "tests::total"])
        .env("TDG_CASES", case.unwrap())
        .fails();
    assert!(
        run.stderr
            .contains(&format!("case {}: amount = ", case.unwrap())),
        "{run}"
    );
    assert_eq!(
        command("accept:"),
        "cargo tdg review    (or cargo insta review)"
    );
    shop.cargo(&["test", "tests::total"])
        .env("TDG_UPDATE", "always")
        .passes();
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");
}

#[test]
fn a_change_of_the_definition_or_of_the_attribute_reaches_the_test() {
    let shop = small_crate("a-definition-changes");
    shop.cargo(&["test"]).passes();
    shop.edit("definitions/orders.json", "\"max\": 20", "\"max\": 30");
    let run = shop.cargo(&["test"]).fails();
    insta::assert_snapshot!(run.said(), @"tdg: inputs changed tests::total, definition, pending in src/snapshots/lib__tests__total.snap.new");
    shop.edit("src/lib.rs", "size = 50", "size = 60, seed = 1");
    let run = shop.cargo(&["test"]).fails();
    insta::assert_snapshot!(run.said(), @"tdg: inputs changed tests::total, definition, seed, size, pending in src/snapshots/lib__tests__total.snap.new");
}

#[test]
fn a_parameter_of_the_wrong_type_says_what_the_feature_is() {
    let shop = small_crate("a-type-is-wrong");
    shop.edit("src/lib.rs", "fn total(amount: f64, quantity: i64, coupon: Option<&str>) -> f64 {\n        super", "fn total(amount: u8, quantity: i64, coupon: Option<&str>) -> f64 {\n        let amount = f64::from(amount);\n        super");
    let run = shop.cargo(&["test"]).fails();
    insta::assert_snapshot!(run.report(), @"
    tests::total: invalid: this run can't be compared

      row 0: feature `amount` (FLOAT) is 22.71352883427666: invalid type: floating point `22.71352883427666`, expected u8;
      FLOAT fits f64
    ");
}
