//! `cargo tdg accept` and `reject`.

use tdg_tests::{Checkout, Program, Run};

use crate::terminal::Terminal;
use crate::{TOTAL, TOTAL_NEW, changed_shop, changed_shop_without_files, ended, tdg};

#[test]
fn an_accepted_change_is_the_benchmark_byte_for_byte() {
    let shop = changed_shop();
    let pending = shop.read(TOTAL_NEW);
    let run = tdg(&shop, &["accept", "total"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    accepted total, 200 cases, tests/snapshots/pricing__total.snap
    (0)
    ");
    assert_eq!(shop.read(TOTAL), pending);
    assert!(!shop.has(TOTAL_NEW));
    assert_eq!(
        shop.pricing("total").env("FACTOR", "1.03").passes().stderr,
        ""
    );
    shop.pricing("total").fails();
}

#[test]
fn a_dry_run_says_what_would_be_accepted() {
    for shop in [changed_shop(), changed_shop_without_files()] {
        let before = ended(&shop, &tdg(&shop, &["pending"]).finish());
        let benchmark = shop.has(TOTAL).then(|| shop.read(TOTAL));
        let whole = tdg(&shop, &["accept", "total", "--dry-run"]).finish();
        let part = ["accept", "total", "--cases", "0..100", "--dry-run"];
        let part = tdg(&shop, &part).finish();
        let unseen = tdg(&shop, &["accept", "*", "--dry-run"]).finish();
        let said = [whole, part, unseen]
            .map(|run| ended(&shop, &run))
            .join("\n");
        let place = "tests/snapshots/pricing__total.snap";
        insta::allow_duplicates! {
            insta::assert_snapshot!(said.replace("in the store", place), @"
            would accept total, 13 of 200 cases changed, tests/snapshots/pricing__total.snap
            (0)
            would accept total, 4 of 200 cases, largest error 5.177, tests/snapshots/pricing__total.snap; 9 cases stay pending
            (0)
            1 change stays pending, because no command has shown it yet:
              cargo tdg show shop::total --changed
            (1)
            ");
        }
        assert_eq!(shop.has(TOTAL).then(|| shop.read(TOTAL)), benchmark);
        assert_eq!(ended(&shop, &tdg(&shop, &["pending"]).finish()), before);
        let history = tdg(&shop, &["history", "total"]).passes().stdout;
        assert!(!history.contains("accepted"), "{history}");
    }
}

#[test]
fn a_rejected_change_is_discarded() {
    let shop = changed_shop();
    let benchmark = shop.read(TOTAL);
    let run = tdg(&shop, &["reject", TOTAL]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    rejected total, benchmark unchanged, tests/snapshots/pricing__total.snap
    (0)
    ");
    assert_eq!(shop.read(TOTAL), benchmark);
    assert!(!shop.has(TOTAL_NEW));
    assert_eq!(shop.pricing("total").passes().stderr, "");
}

#[test]
fn changes_in_the_store_alone_are_decided_in_the_store() {
    let shop = changed_shop_without_files();
    tdg(&shop, &["reject", "total"]).passes();
    assert_eq!(tdg(&shop, &["pending"]).finish().code, Some(0));
    shop.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&shop, &["accept", "total"]).passes();
    assert_eq!(
        shop.pricing("total").env("FACTOR", "1.03").passes().stderr,
        ""
    );
}

#[test]
fn some_cases_are_accepted_and_the_others_stay_pending() {
    for shop in [changed_shop(), changed_shop_without_files()] {
        let changed = tdg(&shop, &["show", "total", "--changed", "--json"])
            .passes()
            .stdout;
        let first = changed.lines().next().unwrap();
        let case = first
            .split("\"case\":")
            .nth(1)
            .unwrap()
            .split(',')
            .next()
            .unwrap();
        assert_eq!(changed.lines().count(), 13);

        let run = tdg(&shop, &["accept", "total", "--cases", case]).passes();
        assert!(
            run.stdout
                .starts_with("accepted total, 1 of 200 cases, largest error"),
            "{run}"
        );
        let left = tdg(&shop, &["show", "total", "--changed", "--json"])
            .passes()
            .stdout;
        assert_eq!(left.lines().count(), 12);
        assert!(!left.contains(first));

        let all = tdg(&shop, &["accept", "total", "--cases", "0..200"]).passes();
        assert!(
            all.stdout
                .starts_with("accepted total, 12 of 200 cases, largest error"),
            "{all}"
        );
        assert_eq!(
            shop.pricing("total").env("FACTOR", "1.03").passes().stderr,
            ""
        );
        assert_eq!(tdg(&shop, &["pending"]).finish().code, Some(0));
    }
}

#[test]
fn cases_that_are_not_there_are_refused() {
    let shop = changed_shop();
    let run = tdg(&shop, &["accept", "total", "--cases", "7..201"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @r#"
    error: --cases is "7..201", but this test has the cases 0 to 199
    (2)
    "#);
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn of_other_inputs_all_cases_are_accepted_or_none() {
    let shop = tdg_tests::Program::shop().checkout();
    shop.pricing("by_the_environment").passes();
    shop.pricing("by_the_environment").env("SEED", "8").fails();
    tdg(&shop, &["show", "by_the_environment", "--changed"]).passes();
    let run = tdg(&shop, &["accept", "by_the_environment", "--cases", "1"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    error: the pending rows of by_the_environment are not the benchmark's; accept the whole change or nothing
    (2)
    ");
    tdg(&shop, &["accept", "by_the_environment"]).passes();
    shop.pricing("by_the_environment").env("SEED", "8").passes();
}

#[test]
fn of_several_names_one_wrong_accepts_nothing() {
    let shop = changed_shop();
    let run = tdg(&shop, &["accept", "total", "totale"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    error: no test `totale` has a benchmark; did you mean `total`?
    (2)
    ");
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn only_pending_changes_can_be_accepted() {
    let shop = changed_shop();
    shop.pricing("invoice").passes();
    let run = tdg(&shop, &["accept", "invoice"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    error: invoice has no pending change; `cargo tdg pending` lists the tests that have one
    (2)
    ");
}

#[test]
fn a_damaged_change_is_not_accepted() {
    let shop = changed_shop();
    let (benchmark, pending) = (shop.read(TOTAL), shop.read(TOTAL_NEW));
    let damaged = pending.replacen("[[2", "[[2,,", 1);
    assert_ne!(damaged, pending);
    shop.write(TOTAL_NEW, &damaged);
    let run = tdg(&shop, &["accept", "total"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    error: <shop>/tests/snapshots/pricing__total.snap.new, line 6: case 0 is not [[inputs…],output]: expected a value, found `,` (column 5); restore it from version control, or delete it to record again
    (2)
    ");
    assert_eq!(
        (shop.read(TOTAL), shop.read(TOTAL_NEW)),
        (benchmark, damaged)
    );
}

#[test]
fn with_a_damaged_store_files_can_be_decided_about_but_no_reason_is_kept() {
    let shop = changed_shop();
    let pending = shop.read(TOTAL_NEW);
    shop.damage_store();
    let run = tdg(&shop, &["accept", "total", "--reason", "new prices"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    error: can't store the reason, so nothing was decided: the store <shop>/.tdg/store.db is damaged (file is not a database) and was left as it is: restore it, or delete the directory <shop>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)
    (2)
    ");
    assert!(shop.has(TOTAL_NEW));
    let run = tdg(&shop, &["accept", "total"]).finish();
    insta::assert_snapshot!(ended(&shop, &run), @"
    accepted total, 200 cases, tests/snapshots/pricing__total.snap
    note: this decision is not in the history: the store <shop>/.tdg/store.db is damaged (file is not a database) and was left as it is: restore it, or delete the directory <shop>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)
    (0)
    ");
    assert_eq!(shop.read(TOTAL), pending);
    assert_eq!(shop.read(".tdg/store.db"), "not a database");
}

/// Returns a shop with three pending changes. Only `total` was shown.
fn one_of_three_shown() -> Checkout<'static> {
    let shop = changed_shop();
    for test in ["invoice", "after::moved::renamed"] {
        shop.pricing(test).passes();
        shop.pricing(test).env("FACTOR", "2").fails();
    }
    tdg(&shop, &["show", "total", "--changed"]).passes();
    shop
}

#[test]
fn a_pattern_accepts_what_was_shown_and_lists_the_rest() {
    let shop = one_of_three_shown();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "*"]).finish()), @"
    accepted total, 200 cases, tests/snapshots/pricing__total.snap
    2 changes stay pending, because no command has shown them yet:
      cargo tdg show shop::after::moved::renamed --changed
      cargo tdg show shop::invoice --changed
    (1)
    ");
    tdg(&shop, &["show", "invoice", "--changed"]).passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "nv*e"]).finish()), @"
    error: no test matches `nv*e`; `cargo tdg pending` lists the pending changes
    (2)
    ");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "shop::inv*"]).finish()), @"
    accepted invoice, 20 cases, tests/snapshots/pricing__invoice.snap
    (0)
    ");
    // A change named in full is always accepted.
    tdg(&shop, &["accept", "renamed"]).passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "*"]).finish()), @"
    No changes are pending.
    (0)
    ");
}

#[test]
fn a_package_rejects_what_was_shown_and_lists_the_rest() {
    let shop = one_of_three_shown();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["reject", "-p", "shop"]).finish()), @"
    rejected total, benchmark unchanged, tests/snapshots/pricing__total.snap
    2 changes stay pending, because no command has shown them yet:
      cargo tdg show shop::after::moved::renamed --changed
      cargo tdg show shop::invoice --changed
    (1)
    ");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["reject", "--package", "shpo"]).finish()), @"
    error: no package `shpo` in this workspace; did you mean `shop`?
    (2)
    ");
}

#[test]
fn without_a_name_the_pending_changes_are_listed() {
    let shop = changed_shop();
    for command in ["accept", "reject"] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(ended(&shop, &tdg(&shop, &[command]).finish()), @"
            error: no test is named; 1 change is pending:
              total  13 of 200 cases changed
            name one of them, or '*' for all that were already shown; `cargo tdg review` shows them one by one
            (2)
            ");
        }
    }
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "--all"]).finish()), @"
    error: --all isn't supported, because an unreviewed benchmark proves nothing; review the changes with `cargo tdg review`, decide about the changes already shown with the pattern '*', or accept all unseen with `TDG_UPDATE=always cargo test`
    (2)
    ");
    assert!(shop.has(TOTAL_NEW));
    tdg(&shop, &["reject", "total"]).passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept"]).finish()), @"
    error: no test is named, and no changes are pending
    (2)
    ");
}

#[test]
fn another_change_was_not_shown() {
    let accepts = |shop: &Checkout<'_>| tdg(shop, &["accept", "*"]).finish().success;
    let leave = |shop: &Checkout<'_>, factor| shop.pricing("total").env("FACTOR", factor).fails();
    let show = |shop: &Checkout<'_>| tdg(shop, &["show", "total", "--changed"]).passes();

    for without_files in [false, true] {
        let shop = Program::shop().checkout();
        if without_files {
            shop.write("tdg.toml", "snapshots = false\n");
        }
        shop.pricing("total").passes();
        leave(&shop, "1.03");
        show(&shop);
        leave(&shop, "1.07");
        assert!(!accepts(&shop), "other outputs");
        show(&shop);
        // A run that leaves the same outputs keeps the mark.
        leave(&shop, "1.07");
        assert!(accepts(&shop));
        shop.pricing("total").env("FACTOR", "1.07").passes();
    }

    let shop = changed_shop();
    show(&shop);
    let benchmark = shop.read(TOTAL);
    let (rest, last) = benchmark.trim_end().rsplit_once(',').unwrap();
    let last: f64 = last.trim_end_matches(']').parse().unwrap();
    shop.write(TOTAL, &format!("{rest},{}]\n", last + 1.0));
    assert!(!accepts(&shop), "another benchmark");
    shop.write(TOTAL, &benchmark);
    assert!(accepts(&shop));
}

#[test]
fn reviews_and_reports_show_changes() {
    let shop = changed_shop();
    let mut terminal = Terminal::start(&shop, &["review"], &[]);
    terminal.sees("quit");
    terminal.press("q");
    terminal.ends();
    tdg(&shop, &["accept", "t*"]).passes();

    for format in ["markdown", "html"] {
        let shop = changed_shop();
        shop.remove(".tdg");
        let results = shop.path("results");
        std::fs::create_dir(&results).unwrap();
        let run = shop.pricing("total").env("FACTOR", "1.03");
        run.env("TDG_RESULTS", &results).fails();
        tdg(&shop, &["accept", "t*"]).fails();
        let report = tdg(&shop, &["report", "--format", format]);
        report.env("TDG_RESULTS", &results).passes();
        tdg(&shop, &["accept", "t*"]).passes();
    }
}

#[test]
fn without_a_store_nothing_counts_as_shown() {
    let shop = changed_shop();
    tdg(&shop, &["show", "total", "--changed"]).passes();
    shop.remove(".tdg");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "t*"]).finish()), @"
    1 change stays pending, because no command has shown it yet:
      cargo tdg show shop::total --changed
    note: the local store doesn't know what was shown, so name the test in full: it does not have the change of total
    (1)
    ");
    shop.damage_store();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "t*"]).finish()), @"
    1 change stays pending, because no command has shown it yet:
      cargo tdg show shop::total --changed
    note: the local store doesn't know what was shown, so name the test in full: the store <shop>/.tdg/store.db is damaged (file is not a database) and was left as it is: restore it, or delete the directory <shop>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)
    (1)
    ");
    shop.remove(".tdg");
    tdg(&shop, &["accept", "total"]).passes();
}

#[test]
fn a_distribution_that_changed_is_accepted() {
    let shop = Program::shop().checkout();
    let draws = || shop.test("comparison", &["--exact", "draws"]);
    draws().passes();
    let shifted = || draws().env("SHIFT", "0.4");
    shifted().fails();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending"]).finish()), @"
    draws  the distribution of /draw changed  tests/snapshots/comparison__draws.snap

    decide: cargo tdg review, or accept NAME, reject NAME
    (1)
    ");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "draws", "--changed"]).finish()), @"
    draws: the distribution of /draw changed

      the distribution of /draw: D = 0.41, p = 2e-15 (below 1e-6)

                least    25 %  median    75 %    most  0 … 1.397
      expected      0  0.2461  0.4984  0.7426  0.9969  ██▇██▇▇████▇█▇█▇█▂
      actual      0.4  0.6461  0.8984   1.143   1.397        ▂▇█▇█▇█▇█▇█▇▇███▇█
    (0)
    ");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "draws"]).finish()), @"
    accepted draws, 200 cases, tests/snapshots/comparison__draws.snap
    (0)
    ");
    shifted().passes();
}

#[test]
fn a_changed_output_of_a_kept_row_is_shown_and_accepted() {
    let shop = Program::shop().checkout();
    let keeps = || shop.test("explore", &["--exact", "keeps"]);
    let broken = || keeps().env("BREAK_KEPT", "1");
    keeps().passes();
    broken().fails();
    let pending = tdg(&shop, &["pending"]).finish();
    insta::assert_snapshot!(ended(&shop, &pending), @"
    keeps  kept row 2 changed  tests/snapshots/explore__keeps.snap

    decide: cargo tdg review, or accept NAME, reject NAME
    (1)
    ");
    let shown = tdg(&shop, &["show", "keeps", "--changed"]).passes();
    insta::assert_snapshot!(shown.stdout, @"
    keeps: kept row 2 changed

      Kept row 2:
        a  100
        b  -1
        c  0
      field   expected  actual
      output        99     100
    ");
    let json = tdg(&shop, &["show", "keeps", "--changed", "--json"]).passes();
    insta::assert_snapshot!(json.stdout, @r#"{"actual":100,"expected":99,"kept":2,"row":{"a":100,"b":-1,"c":0}}"#);
    tdg(&shop, &["accept", "keeps"]).passes();
    assert_eq!(broken().passes().stderr, "");
    keeps().fails();
}

#[test]
fn a_looser_policy_is_accepted_with_the_cases_that_need_it() {
    for has_files in [true, false] {
        let shop = Program::shop().checkout();
        shop.write("tdg.toml", &format!("snapshots = {has_files}\n"));
        shop.inputs("of_policy").passes();
        let broken = || {
            shop.inputs("of_policy")
                .env("BREAK", "1")
                .env("TOLERANCE", "2")
        };
        broken().fails();
        let shown = tdg(&shop, &["show", "of_policy", "--changed"]).passes();
        assert!(shown.stdout.contains("27 of 200"), "{shown}");
        tdg(&shop, &["accept", "of_policy"]).passes();
        if has_files {
            let file = shop.read("tests/snapshots/inputs__of_policy.snap");
            assert!(file.contains(r#","policy":{"tolerance":{"abs":2.0}},"#));
        }
        assert_eq!(broken().env("CI", "1").passes().said(), "");
    }
}

#[test]
fn a_change_that_a_run_on_another_branch_left_is_not_accepted() {
    let shop = Program::shop().checkout();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=Ada", "-c", "user.email="];
        let git = Run::new("git", shop.folder()).arguments(&identity);
        git.arguments(arguments).passes().stdout
    };
    let commit = |message: &str| {
        git(&["add", "."]);
        git(&["commit", "-q", "-m", message]);
    };
    shop.pricing("total").passes();
    shop.write(".gitignore", "/target\n/.tdg\n*.snap.new\n");
    git(&["init", "-q", "-b", "main"]);
    commit("Record");
    git(&["switch", "-q", "-c", "rates"]);
    shop.write("rates.txt", "103 %");
    commit("Raise rates");
    shop.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&shop, &["show", "total", "--changed"]).passes();
    let head = git(&["rev-parse", "HEAD"]);
    git(&["switch", "-q", "main"]);
    let said = [
        &["accept", "total"][..],
        &["accept", "total", "--rule", "1"],
        &["accept", "*"],
        &["reject", "*"],
    ];
    let said = said.map(|arguments| ended(&shop, &tdg(&shop, arguments).finish()));
    insta::assert_snapshot!(said.join("\n").replace(&head[..7], "<7 hex>"), @"
    error: the change of total was left by a run on rates (<7 hex>); run the test again first
    (2)
    error: the change of total was left by a run on rates (<7 hex>); run the test again first
    (2)
    note: the change of total was left by a run on rates (<7 hex>); run the test again first
    (1)
    note: the change of total was left by a run on rates (<7 hex>); run the test again first
    (1)
    ");
    let mut review = Terminal::start(&shop, &["review"], &[]);
    review.sees("run the test again first");
    review.sees("1 change is still pending.");
    assert_eq!(review.ends(), 1);

    // On its own branch, or if a run here leaves the same outputs, it is accepted.
    git(&["switch", "-q", "rates"]);
    tdg(&shop, &["accept", "total", "--dry-run"]).passes();
    git(&["switch", "-q", "main"]);
    shop.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&shop, &["accept", "total"]).passes();
}

#[test]
fn a_change_goes_along_to_a_new_branch_unless_its_sources_stay_behind() {
    let shop = Program::shop().checkout();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=Ada", "-c", "user.email="];
        let git = Run::new("git", shop.folder()).arguments(&identity);
        git.arguments(arguments).passes();
    };
    shop.pricing("total").passes();
    shop.write(".gitignore", "/target\n/.tdg\n*.snap.new\n");
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "Record"]);
    shop.write("rates.txt", "103 %");
    shop.pricing("total").env("FACTOR", "1.03").fails();
    let accept = || tdg(&shop, &["accept", "total", "--dry-run"]);
    git(&["switch", "-q", "-c", "rates"]);
    accept().passes();
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "Raise rates"]);
    accept().fails();
    git(&["switch", "-q", "main"]);
    accept().passes();
}
