//! `cargo tdg explore`.

use tdg_tests::{Finished, Project, Run, target_directory};

use crate::anonymous;
use crate::terminal::Terminal;

const ORDERS: &str = r#"{"features": [
    {"feature_name": "amount", "type": "FLOAT", "decimals": 2,
     "distribution": {"type": "lognormal", "mu": 3, "sigma": 0.5}},
    {"feature_name": "quantity", "type": "INTEGER",
     "distribution": {"type": "uniform", "min": 1, "max": 5000}},
    {"feature_name": "coupon", "type": "STRING", "null_probability": 0.3,
     "distribution": {"type": "pattern", "regex": "[A-Z]{4}"}}
]}"#;

const DICE: &str = r#"{"features": [
    {"feature_name": "dice", "type": "INTEGER", "unique": true,
     "distribution": {"type": "uniform", "min": 1, "max": 6}}
]}"#;

const TESTS: &str = r##"
/// Panics in one row of 5,000.
#[tdg::ensemble_test(definition = "orders.json", size = 20)]
fn share(amount: f64, quantity: i64, coupon: Option<&str>) -> f64 {
    assert!(quantity != 4711 || coupon.is_none(), "no share of {quantity}");
    amount / quantity as f64
}

#[tdg::ensemble_test(definition = "dice.json", size = 6)]
fn doubled(dice: i64) -> i64 {
    dice * 2
}
"##;

fn project(tests: &str) -> Project {
    Project::package(
        "tdg-explore-command",
        &[
            ("orders.json", ORDERS),
            ("dice.json", DICE),
            ("tests/orders.rs", tests),
        ],
    )
}

fn in_target(run: Run) -> Run {
    run.env("CARGO_TARGET_DIR", target_directory())
        .env("CARGO_TERM_COLOR", "never")
}

fn explore(project: &Project, arguments: &[&str]) -> Finished {
    in_target(crate::tdg(project, &["explore"]).arguments(arguments)).finish()
}

#[test]
fn a_row_that_panics_is_found_simplified_and_kept() {
    let project = project(TESTS);

    // Nothing fails in a few rows.
    let run = explore(&project, &["--seed=5", "--runs=2", "--size=6"]);
    assert_eq!(run.code, Some(0), "{run}");
    insta::assert_snapshot!(run.stdout, @"No row failed: 24 rows of 2 tests in 2 runs, seeds 5 to 6.\n");

    let before = project.read("tests/orders.rs");
    let snapshot = project.read("tests/snapshots/orders__share.snap");
    let run = explore(&project, &["--seed=1", "--runs=20", "--keep", "share"]);
    assert_eq!(run.code, Some(1), "{run}");
    insta::assert_snapshot!(anonymous(&project, &run.stdout), @r##"
    failed share: 3 of 10000 rows with TDG_SEED=3 fail

      perhaps: all 3 have quantity = 4711   (3 of 3 such cases failed, 0 of the other 9997; few cases)

      The simplest failing row, found in 40 calls:
        amount    0.0
        quantity  4711
        coupon    "AAAA"
      panics at tests/orders.rs:5:5: no share of 4711

      keep:   keep = [r#"{"amount":0.0,"quantity":4711,"coupon":"AAAA"}"#] in the attribute
      again:  TDG_SEED=3 TDG_SIZE=10000 cargo test share

    Kept the row in tests/orders.rs, line 3.
    "##);

    // The attribute has the row, and nothing else has changed.
    let after = project.read("tests/orders.rs");
    let row = r##", keep = [r#"{"amount":0.0,"quantity":4711,"coupon":"AAAA"}"#]"##;
    assert_eq!(after.replace(row, ""), before);
    assert_ne!(after, before);
    assert_eq!(project.read("tests/snapshots/orders__share.snap"), snapshot);

    // A kept row fails in every run, so exploring stops.
    let run = explore(&project, &["share"]);
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("share: kept row 1 fails"), "{run}");

    // In a terminal, the command asks first.
    let target = target_directory().display().to_string();
    for (key, source) in [("n", &before), ("y", &after)] {
        project.write("tests/orders.rs", &before);
        let arguments = ["explore", "--seed=3", "--runs=1", "--size=10000", "share"];
        let mut terminal = Terminal::start(&project, &arguments, &[("CARGO_TARGET_DIR", &target)]);
        terminal.sees("Keep");
        terminal.sees("(y/n) ");
        terminal.press(key);
        assert_eq!(terminal.ends(), 1);
        assert_eq!(&project.read("tests/orders.rs"), source);
    }
}
