//! Runs the real nextest, with its retries, its listing and its archives.

use std::fs;
use std::path::Path;

use tdg_tests::{Finished, Project, Run, tools};

use crate::first_run::small_crate;

/// Creates a crate whose test has other outputs on its first attempt if `FLAKY` is set.
fn flaky_crate(name: &str) -> Project {
    let shop = small_crate(name);
    shop.edit(
        "src/lib.rs",
        "        super::total(amount, quantity, coupon)\n",
        "        let total = super::total(amount, quantity, coupon);
        let is_set = |name, value| std::env::var(name).is_ok_and(|set| set == value);
        let is_first = is_set(\"NEXTEST_ATTEMPT\", \"1\");
        match std::env::var(\"FLAKY\") {
            Ok(how) if is_first && how == \"panic\" => panic!(\"no connection\"),
            Ok(_) if is_first && coupon == Some(\"HALF\") => total * 1.03,
            _ => total,
        }\n",
    );
    shop
}

fn with_retries(shop: &Project) -> Run {
    let arguments = ["run", "--retries=2", "--success-output=immediate"];
    tools::nextest(shop, &arguments).arguments(&["--color=never"])
}

/// Returns tdg's lines in the output that nextest shows.
fn said(run: &Finished) -> String {
    let lines = run.stderr.lines().map(str::trim);
    let said: Vec<&str> = lines.filter(|line| line.starts_with("tdg: ")).collect();
    said.join("\n")
}

#[test]
fn a_retry_that_passes_says_so_in_one_line() {
    let shop = flaky_crate("a-retry-passes");
    let run = with_retries(&shop).passes();
    insta::assert_snapshot!(said(&run), @"tdg: recorded tests::total, 50 cases, src/snapshots/lib__tests__total.snap");

    let run = with_retries(&shop).env("FLAKY", "yes").passes();
    assert!(run.stderr.contains("FLAKY 2/3"), "{run}");
    insta::assert_snapshot!(said(&run), @"
    tdg: changed tests::total, 2 of 50 cases, pending in src/snapshots/lib__tests__total.snap.new
    tdg: tests::total passed on attempt 2 of 3, so it depends on more than its inputs; other outputs were pending in 2 of 50 cases: 8, 41
    ");
    assert!(!shop.has("src/snapshots/lib__tests__total.snap.new"));
    let run = with_retries(&shop).env("FLAKY", "panic").passes();
    insta::assert_snapshot!(said(&run), @"
    tdg: panicked tests::total, 50 of 50 cases
    tdg: tests::total passed on attempt 2 of 3, so it depends on more than its inputs
    ");

    // On CI nothing is pending, and nextest shows the report of the first attempt.
    let run = with_retries(&shop).env("FLAKY", "yes").env("CI", "1");
    insta::assert_snapshot!(said(&run.passes()), @"
    tdg: changed tests::total, 2 of 50 cases, nothing written (CI is set)
    tdg: tests::total passed on attempt 2 of 3, so it depends on more than its inputs
    ");

    // A retry may also record the benchmark.
    shop.remove("src/snapshots");
    let run = with_retries(&shop).env("FLAKY", "panic").passes();
    insta::assert_snapshot!(said(&run), @"
    tdg: panicked tests::total, 50 of 50 cases
    tdg: recorded tests::total, 50 cases, src/snapshots/lib__tests__total.snap
    tdg: tests::total passed on attempt 2 of 3, so it depends on more than its inputs
    ");
}

#[test]
fn a_listing_claims_nothing_and_writes_nothing() {
    let shop = small_crate("a-listing");
    let listed = tools::nextest(&shop, &["list", "--color=never"]).passes();
    assert!(listed.stdout.contains("tests::total"), "{listed}");
    let listed = shop.cargo(&["test", "--", "--list"]).passes();
    assert!(listed.stdout.contains("tests::total: test"), "{listed}");
    assert!(!shop.has(".tdg") && !shop.has("src/snapshots"));
}

#[test]
fn a_regression_under_another_name_is_not_a_new_benchmark() {
    let shop = small_crate("a-renamed-test");
    let run = || tools::nextest(&shop, &["run", "--color=never"]);
    run().passes();
    let source = shop.read("src/lib.rs");
    let (code, tests) = source.split_once("mod tests").unwrap();
    let tests = tests.replace("fn total(", "fn cost(");
    shop.write("src/lib.rs", &format!("{code}mod tests{tests}"));
    shop.edit(
        "src/lib.rs",
        "        super::total(amount, quantity, coupon)\n",
        "        super::total(amount, quantity, coupon) + f64::from(u8::from(quantity > 15))\n",
    );
    insta::assert_snapshot!(said(&run().finish()), @"tdg: missing tests::cost, no benchmark, perhaps renamed from tests::total, pending in src/snapshots/lib__tests__cost.snap.new");
    assert!(!shop.has("src/snapshots/lib__tests__cost.snap"));
}

#[test]
fn an_archive_runs_elsewhere_and_on_a_tree_that_can_not_be_written() {
    let shop = small_crate("an-archive");
    shop.cargo(&["test"]).passes();
    let archive = tempfile::tempdir().unwrap();
    let file = archive.path().join("tests.tar.zst").display().to_string();
    let archived = tools::nextest(&shop, &["archive", "--archive-file", &file]);
    archived.passes();

    let elsewhere = tempfile::tempdir().unwrap();
    let tree = elsewhere.path().join("tree");
    let text = |path: &str| shop.read(path);
    for path in [
        "Cargo.toml",
        "src/lib.rs",
        "src/snapshots/lib__tests__total.snap",
    ] {
        fs::create_dir_all(tree.join(path).parent().unwrap()).unwrap();
        fs::write(tree.join(path), text(path)).unwrap();
    }
    // The original build location is gone.
    fs::remove_dir_all(shop.path("src")).unwrap();
    let run = |mode: &[(&str, &str)]| {
        let mut run = read_only(&tree, &file);
        for (name, value) in mode {
            run = run.env(name, value);
        }
        run
    };
    for mode in [&[("TDG_UPDATE", "no")][..], &[]] {
        let run = run(mode).passes();
        assert!(run.stderr.contains("1 passed"), "{run}");
        let left: Vec<_> = fs::read_dir(tree.join("src/snapshots")).unwrap().collect();
        assert_eq!(left.len(), 1, "{run}");
        assert!(!tree.join(".tdg").exists(), "{run}");
    }
}

/// Runs the archive on a mount of the tree that is read-only even for root.
fn read_only(tree: &Path, archive: &str) -> Run {
    let script = "mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\" && ! touch x 2>/dev/null && exec \"$@\"";
    Run::new("unshare", tree)
        .arguments(&["-rm", "sh", "-c", script, "sh"])
        .arguments(&[
            "cargo-nextest",
            "nextest",
            "run",
            "--color=never",
            "--archive-file",
            archive,
            "--workspace-remap",
            ".",
        ])
}
