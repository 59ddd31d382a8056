//! Test names on the command line.

use tdg_tests::Program;

use crate::{TOTAL, changed_shop, ended, tdg};

#[test]
fn a_test_is_found_by_its_name_its_last_part_its_package_and_its_file() {
    let shop = changed_shop();
    shop.pricing("after::moved::renamed").passes();
    let file = shop.path(TOTAL).display().to_string();
    for name in [
        "total",
        "shop::total",
        TOTAL,
        file.as_str(),
        "tests/snapshots/pricing__total.snap.new",
    ] {
        let shown = tdg(&shop, &["show", name]).passes();
        assert!(shown.stdout.starts_with("total\n"), "{shown}");
    }
    for name in ["after::moved::renamed", "moved::renamed", "renamed"] {
        let shown = tdg(&shop, &["show", name]).passes();
        assert!(
            shown.stdout.starts_with("after::moved::renamed\n"),
            "{shown}"
        );
    }
}

#[test]
fn the_nearest_name_is_suggested_for_an_unknown_one() {
    let shop = changed_shop();
    shop.pricing("after::moved::renamed").passes();
    let errors = ["totl", "moved::rename", "something_else"].map(|name| {
        let run = tdg(&shop, &["show", name]).finish();
        assert_eq!(run.code, Some(2), "{run}");
        run.stderr
    });
    insta::assert_snapshot!(errors.concat(), @"
    error: no test `totl` has a benchmark; did you mean `total`?
    error: no test `moved::rename` has a benchmark; did you mean `after::moved::renamed`?
    error: no test `something_else` has a benchmark; `cargo tdg show` lists all that do
    ");
}

#[test]
fn without_benchmarks_the_next_step_is_suggested() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "total"]).finish()), @"
    error: no test `total` has a benchmark; this workspace has none yet: run `cargo test` to record them, or `cargo tdg init` to add a first test
    (2)
    ");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show"]).finish()), @"
    There are no benchmarks yet; run `cargo test` to record them.
    (0)
    ");
}

#[test]
fn a_name_of_two_tests_is_refused() {
    let shop = changed_shop();
    shop.write("tests/other.rs", "");
    shop.write("tests/snapshots/other__total.snap", &shop.read(TOTAL));
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "total"]).finish()), @"
    error: `total` is ambiguous; add the package, or name the snapshot file:
      shop::total  tests/snapshots/other__total.snap
      shop::total  tests/snapshots/pricing__total.snap
    (2)
    ");
}

#[test]
fn files_of_other_tools_and_of_other_packages_are_ignored() {
    let shop = changed_shop();
    shop.write(
        "tests/snapshots/pricing__text.snap",
        "---\nsource: tests/pricing.rs\n---\nHello\n",
    );
    shop.write(
        "nested/Cargo.toml",
        "[package]\nname = \"nested\"\n[workspace]\n",
    );
    shop.write(
        "nested/tests/snapshots/pricing__total.snap",
        &shop.read(TOTAL),
    );
    shop.write("target/CACHEDIR.TAG", "");
    shop.write("target/snapshots/pricing__total.snap", &shop.read(TOTAL));
    let shown = tdg(&shop, &["show"]).passes();
    assert_eq!(shown.stdout.lines().count(), 2, "{shown}");
}
