//! Tests a crate on a target without threads, where panics abort, and a crate under Miri.
//! `tests/targets` runs these tests, because not every machine can have the required tools.

use tdg_tests::{Finished, Project, Run, workspace};

use crate::first_run::small_crate;

const SNAPSHOT: &str = "src/snapshots/lib__tests__total.snap";
const PENDING: &str = "src/snapshots/lib__tests__total.snap.new";

/// Runs `cargo test` for WASI, under Node.
fn wasi(shop: &Project) -> Run {
    let runner = workspace().join("tests/golden-bits/wasi.mjs");
    let runner = format!("node --no-warnings {}", runner.display());
    // If a panic aborts, the harness can't show the output that it captured.
    let arguments = ["test", "--target=wasm32-wasip1", "--", "--no-capture"];
    let run = shop.cargo(&arguments);
    run.env("CARGO_TARGET_WASM32_WASIP1_RUNNER", runner)
}

/// Returns tdg's lines, including one that begins after the name of its test.
fn said(run: &Finished) -> String {
    let output = format!("{}\n{}", run.stdout, run.stderr);
    let lines = output
        .lines()
        .filter_map(|line| Some(&line[line.find("tdg: ")?..]));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "needs the target wasm32-wasip1, and node"]
fn a_test_crate_without_the_store_runs_on_wasi_as_here() {
    let shop = small_crate("on-wasi");
    shop.edit(
        "Cargo.toml",
        "\" }",
        "\", default-features = false, features = [\"explain\"] }",
    );
    shop.edit("src/lib.rs", "size = 50", "size = 50, threads = 4");
    shop.cargo(&["test"]).passes();
    let recorded = shop.read(SNAPSHOT);
    assert_eq!(said(&wasi(&shop).passes()), "");

    shop.remove("src/snapshots");
    let run = wasi(&shop).passes();
    insta::assert_snapshot!(said(&run), @"tdg: recorded tests::total, 50 cases, src/snapshots/lib__tests__total.snap");
    assert_eq!(shop.read(SNAPSHOT), recorded);

    shop.edit("src/lib.rs", "price * 0.5", "price * 0.485");
    let here = shop.cargo(&["test"]).fails();
    let pending = shop.read(PENDING);
    shop.remove(PENDING);
    let run = wasi(&shop).fails();
    assert_eq!(said(&run), here.said());
    assert_eq!(run.report(), here.report());
    assert_eq!(shop.read(PENDING), pending);

    wasi(&shop).env("TDG_UPDATE", "always").passes();
    assert!(!shop.has(PENDING));
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");

    // The case ends the program, but its message is still shown.
    let call = "super::total(amount, quantity, coupon)";
    shop.edit(
        "src/lib.rs",
        call,
        "panic!(\"no connection for {amount}, {quantity}, {coupon:?}\")",
    );
    let run = wasi(&shop).fails();
    assert!(run.stderr.contains("no connection for 22.7135"), "{run}");
}

#[test]
#[ignore = "needs a nightly Rust with Miri"]
fn a_test_runs_under_miri_as_here() {
    let shop = small_crate("under-miri");
    shop.edit("src/lib.rs", "size = 50", "size = 10");
    shop.cargo(&["test"]).passes();
    // Miri's binary contains its folder's path, and isn't rebuilt for another folder.
    let target = tdg_tests::target_directory().join("miri");
    let clean = [
        "clean",
        "-p",
        "under-miri",
        "--target",
        "x86_64-unknown-linux-gnu",
    ];
    shop.cargo(&clean).env("CARGO_TARGET_DIR", target).passes();
    let miri = || {
        let run = Run::new("rustup", shop.folder());
        run.arguments(&["run", "nightly", "cargo", "miri", "test"])
            .env("CARGO_TARGET_DIR", tdg_tests::target_directory())
            .env("CARGO_TERM_COLOR", "never")
            // Files and environment can be read. Nothing is written, so SQLite is not called.
            .env("MIRIFLAGS", "-Zmiri-disable-isolation")
            .env("TDG_UPDATE", "no")
    };
    assert_eq!(said(&miri().passes()), "");
    shop.edit("src/lib.rs", "price * 0.5", "price * 0.485");
    let here = shop.cargo(&["test"]).env("TDG_UPDATE", "no").fails();
    let run = miri().fails();
    assert_eq!(said(&run), here.said());
    assert_eq!(run.report(), here.report());
}
