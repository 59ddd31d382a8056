//! Renamed tests.

use tdg_tests::{Checkout, Program};

use crate::terminal::Terminal;
use crate::{TOTAL, TOTAL_NEW, changed_shop, changed_shop_without_files, ended, tdg};

const FORMER: &str = "tests/snapshots/pricing__former.snap";
const RENAMED: &str = "tests/snapshots/pricing__after__moved__renamed.snap";

/// Returns a shop in which `total` became `after::moved::renamed`, and its file was moved with git.
fn shop_after_git_mv() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.write(RENAMED, &shop.read(TOTAL));
    shop.remove(TOTAL);
    shop
}

#[test]
fn after_git_mv_every_command_knows_the_new_name() {
    let shop = shop_after_git_mv();
    shop.pricing("after::moved::renamed").passes();
    shop.pricing("after::moved::renamed")
        .env("FACTOR", "1.03")
        .fails();
    for command in [
        &["show", "after::moved::renamed", "--changed"][..],
        &["history", "after::moved::renamed"],
        &["accept", "after::moved::renamed"],
    ] {
        tdg(&shop, command).passes();
    }
    shop.pricing("after::moved::renamed")
        .env("FACTOR", "1.03")
        .passes();
}

/// Returns the lines of a history without varying parts.
fn history(shop: &Checkout<'_>, test: &str) -> Vec<String> {
    let lines = tdg(shop, &["history", test, "--json"]).passes().stdout;
    let member = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
        Some(rest.split('"').next()?.to_owned())
    };
    let word = |line| member(line, "verdict").or_else(|| member(line, "decision"));
    lines
        .lines()
        .map(|line| word(line).unwrap_or_default())
        .collect()
}

#[test]
fn the_history_follows_a_file_that_git_moved() {
    let renamed = "after::moved::renamed";
    // With and without an earlier run under the new name.
    for runs_before in [false, true] {
        let shop = Program::shop().checkout();
        shop.pricing("total").passes();
        shop.pricing("total").passes();
        if runs_before {
            shop.pricing(renamed).env("TDG_UPDATE", "new").fails();
        }
        let recorded = shop.read(TOTAL);
        // And back, and again, as when switching branches.
        for (from, to, test) in [
            (TOTAL, RENAMED, renamed),
            (RENAMED, TOTAL, "total"),
            (TOTAL, RENAMED, renamed),
        ] {
            shop.remove(from);
            shop.write(to, &recorded);
            shop.pricing(test).passes();
        }
        // A run may be from an old commit, so only a command decides.
        let runs = ["same", "same", "same", "same", "recorded", "recorded"];
        assert_eq!(history(&shop, renamed), runs);
    }
}

#[test]
fn the_history_stays_with_a_test_that_has_its_file() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.write(RENAMED, &shop.read(TOTAL));
    shop.pricing("after::moved::renamed").passes();
    assert_eq!(history(&shop, "total"), ["recorded", "recorded"]);
    assert_eq!(history(&shop, "after::moved::renamed"), ["same"]);
}

/// Returns a shop in which `total` had another name when its benchmark was recorded.
fn shop_with_a_renamed_test() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.write(FORMER, &shop.read(TOTAL).replace("total", "former"));
    shop.remove(TOTAL);
    shop
}

#[test]
fn a_renamed_test_keeps_its_benchmark_and_its_history() {
    let shop = Program::shop().checkout();
    shop.pricing("before::sum").passes();
    shop.pricing("before::sum").passes();
    let before = "tests/snapshots/pricing__before__sum.snap";
    let recorded = shop.read(before);
    let rename = ["rename", "before::sum", "total", "--reason", "clearer"];
    let run = tdg(&shop, &rename).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    renamed before::sum to total, tests/snapshots/pricing__total.snap
    note: the test `before::sum` may still be in tests/pricing.rs; its next run will have no benchmark
    (0)
    ");
    assert!(!shop.has(before));
    assert_eq!(
        shop.read(TOTAL),
        recorded
            .replace("\"before::sum\"", "total")
            .replace(":total", ":\"total\"")
    );
    assert_eq!(shop.pricing("total").env("CI", "1").passes().said(), "");
    let history = tdg(&shop, &["history", "total", "--json"]).passes();
    assert_eq!(
        history.stdout.matches("\"verdict\"").count(),
        2,
        "{history}"
    );
    assert!(history.stdout.contains("clearer"), "{history}");
}

#[test]
fn what_is_pending_follows_unless_the_renamed_test_ran_since() {
    // Its own run left the same outputs pending, so there is nothing to decide.
    let shop = shop_with_a_renamed_test();
    shop.pricing("total").fails();
    assert!(shop.has(TOTAL_NEW));
    tdg(&shop, &["rename", "former", "total"]).passes();
    assert!(!shop.has(TOTAL_NEW) && !shop.has(FORMER));
    shop.pricing("total").passes();

    // Different outputs stay pending.
    let shop = shop_with_a_renamed_test();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&shop, &["rename", "former", "total"]).passes();
    insta::assert_snapshot!(tdg(&shop, &["pending"]).finish().stdout, @"
    total  13 of 200 cases changed  tests/snapshots/pricing__total.snap

    decide: cargo tdg review, or accept NAME, reject NAME
    ");

    // Pending outputs of the old name are moved too.
    let shop = changed_shop();
    let moved = "tests/snapshots/pricing__after__moved__renamed.snap";
    tdg(&shop, &["rename", "total", "after::moved::renamed"]).passes();
    assert!(shop.has(&format!("{moved}.new")) && !shop.has(TOTAL_NEW));
    shop.pricing("after::moved::renamed").passes();
}

#[test]
fn a_test_without_a_file_is_renamed_in_the_store() {
    let shop = changed_shop_without_files();
    tdg(&shop, &["rename", "total", "before::sum"]).passes();
    let shown = tdg(&shop, &["show"]).passes();
    assert!(shown.stdout.contains("before::sum"), "{shown}");
    assert!(!shown.stdout.contains("total"), "{shown}");
}

#[test]
fn what_can_not_be_renamed_says_why() {
    let shop = changed_shop();
    shop.pricing("before::sum").passes();
    let renames = [
        ["rename", "totl", "before::sum"],
        ["rename", "total", "before::sum"],
        ["rename", "total", "no_such_test"],
        ["rename", "total", "total"],
        ["rename", "total", "elsewhere.snap"],
    ];
    let errors = renames.map(|arguments| {
        let run = tdg(&shop, &arguments).finish();
        assert_eq!(run.code, Some(2), "{run}");
        run.stderr
    });
    insta::assert_snapshot!(errors.concat(), @"
    error: no test `totl` has a benchmark; did you mean `total`?
    error: before::sum already has a benchmark, tests/snapshots/pricing__before__sum.snap; remove it first if it is not needed
    error: no test `no_such_test` is in the sources of shop; run it first, or name its snapshot file
    error: total already has that name
    error: elsewhere.snap is not the snapshot file of a test of shop
    ");

    // A test with the same name in another file must be named by its file.
    shop.write("tests/other.rs", "#[ensemble_test] fn refused() {}\n");
    let other = "tests/snapshots/other__refused.snap";
    let run = tdg(&shop, &["rename", "total", "refused"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    error: several tests are called `refused`; name the snapshot file instead:
      tests/snapshots/other__refused.snap
      tests/snapshots/pricing__refused.snap
    (2)
    ");
    tdg(&shop, &["rename", TOTAL, other]).passes();
    assert!(shop.has(other));
}

#[test]
fn a_review_of_a_renamed_test_shows_which_it_may_have_been() {
    let shop = shop_with_a_renamed_test();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    let mut terminal = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    terminal.sees("was `former` renamed to this?");
    terminal.sees("13 of its 200 outputs differ from this run's");
    terminal.press("q");
    terminal.ends_with();
}

#[test]
fn a_damaged_pending_change_stops_a_rename_before_anything_is_written() {
    for damaged in [TOTAL_NEW.to_owned(), format!("{FORMER}.new")] {
        let shop = shop_with_a_renamed_test();
        shop.write(
            &damaged,
            "---\nsource: tests/pricing.rs\n---\n{\"tdg\":1,\n",
        );
        let refused = tdg(&shop, &["rename", "former", "total"]).finish();
        assert_eq!(refused.code, Some(2), "{refused}");
        assert!(refused.stderr.contains(".snap.new"), "{refused}");
        assert!(shop.has(FORMER) && !shop.has(TOTAL), "{refused}");
        shop.remove(&damaged);
        tdg(&shop, &["rename", "former", "total"]).passes();
        assert!(shop.has(TOTAL) && !shop.has(FORMER));
    }
}

#[test]
fn without_files_a_pending_change_equal_to_the_benchmark_is_settled() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "snapshots = false\n");
    shop.pricing("before::sum").passes();
    shop.pricing("total").env("TDG_UPDATE", "new").fails();
    tdg(&shop, &["rename", "before::sum", "total"]).passes();
    let pending = tdg(&shop, &["pending"]).passes();
    assert_eq!(pending.stdout, "No changes are pending.\n");
}

#[test]
fn a_reason_with_control_characters_is_refused() {
    let shop = shop_with_a_renamed_test();
    let rename = ["rename", "former", "total", "--reason", "\u{1b}[2Jred"];
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &rename).finish()), @r#"
    error: the reason has control characters: "\u001b[2Jred"; give one line of plain text
    (2)
    "#);
    assert!(shop.has(FORMER) && !shop.has(TOTAL));
}
