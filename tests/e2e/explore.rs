//! Rows in addition to the ensemble: kept ones, and rows of another seed or size.

use tdg_tests::{Checkout, Finished, Program};

/// Runs one test with these variables.
fn run(shop: &Checkout<'_>, test: &str, variables: &[(&str, &str)]) -> Finished {
    let run = shop.test("explore", &["--exact", test]);
    let set = variables.iter();
    set.fold(run, |run, (name, value)| run.env(name, value))
        .finish()
}

/// Returns the report of a failing test.
fn report(run: &Finished) -> String {
    assert!(!run.success, "{run}");
    let (_, panic) = run.stdout.split_once(" panicked at ").unwrap();
    let (_, report) = panic.split_once('\n').unwrap();
    let (report, _) = report.split_once("note: run with").unwrap();
    report.trim().to_owned()
}

/// Returns tdg's lines on stderr.
fn lines(run: &Finished) -> String {
    let lines = run.stderr.lines().filter(|line| line.starts_with("tdg: "));
    lines.collect::<Vec<_>>().join("\n")
}

const OTHERS: &[(&str, &str)] = &[("TDG_SEED", "7"), ("TDG_SIZE", "5000")];

#[test]
fn other_rows_run_in_addition_and_leave_nothing() {
    let shop = Program::shop().checkout();
    let recorded = run(&shop, "keeps", &[]);
    assert!(recorded.success, "{recorded}");
    let file = shop.read("tests/snapshots/explore__keeps.snap");

    let explored = run(&shop, "keeps", OTHERS);
    assert!(explored.success, "{explored}");
    insta::assert_snapshot!(lines(&explored), @"tdg: keeps: 5000 more rows with TDG_SEED=7 TDG_SIZE=5000");
    assert_eq!(shop.read("tests/snapshots/explore__keeps.snap"), file);

    // Values that aren't given default to the test's own.
    insta::assert_snapshot!(lines(&run(&shop, "keeps", &[("TDG_SEED", "3")])), @"tdg: keeps: 10 more rows with TDG_SEED=3 TDG_SIZE=10");
    insta::assert_snapshot!(lines(&run(&shop, "keeps", &[("TDG_SIZE", "max")])), @"tdg: keeps: 10000 more rows with TDG_SEED=0 TDG_SIZE=10000");

    // They never replace the test's own rows.
    let broken = [OTHERS, &[("BREAK", "1")]].concat();
    let broken = run(&shop, "keeps", &broken);
    assert!(!broken.success, "{broken}");
    insta::assert_snapshot!(lines(&broken), @"tdg: changed keeps, 10 of 10 cases, pending in tests/snapshots/explore__keeps.snap.new");
}

#[test]
fn the_simplest_row_that_panics_is_reported() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(report(&run(&shop, "panics", OTHERS)), @r##"
    panics: 9 of 5000 rows with TDG_SEED=7 fail

      all 9 have a = 7 and b > 7 and b < c   (9 of 9 such cases failed, 0 of the other 4991)

      The simplest failing row, found in 15 calls:
        a  7
        b  8
        c  9
      panics at tests/explore.rs:15:5: special

      keep:   keep = [r#"{"a":7,"b":8,"c":9}"#] in the attribute
      again:  TDG_SEED=7 TDG_SIZE=5000 cargo test panics
    "##);
    insta::assert_snapshot!(report(&run(&shop, "batch", OTHERS)), @r##"
    batch: the batch of 5000 rows with TDG_SEED=7 fails

      The simplest failing row, found in 15 calls:
        a  7
        b  8
        c  9
      panics at tests/explore.rs:42:9: special

      keep:   keep = [r#"{"a":7,"b":8,"c":9}"#] in the attribute
      again:  TDG_SEED=7 TDG_SIZE=5000 cargo test batch
    "##);
    // `Err` is an outcome like any other.
    assert!(run(&shop, "records", OTHERS).success);
}

#[test]
fn an_err_of_a_function_that_returns_nothing_else_is_a_failure() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(report(&run(&shop, "checks", OTHERS)), @r##"
    checks: 91 of 5000 rows with TDG_SEED=7 fail

      all 91 have a = 7 and a < b   (91 of 91 such cases failed, 0 of the other 4909)

      The simplest failing row, found in 21 calls:
        a  7
        b  8
      returns Err: "7 and 8"

      keep:   keep = [r#"{"a":7,"b":8,"c":1}"#] in the attribute
      again:  TDG_SEED=7 TDG_SIZE=5000 cargo test checks
    "##);
    assert!(run(&shop, "refuses", OTHERS).success);
}

#[test]
fn outputs_of_the_other_function_are_expected() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(report(&run(&shop, "new", OTHERS)), @r##"
    new: 9 of 5000 rows with TDG_SEED=7 fail

      all 9 have a = 7 and b > 7 and b < c   (9 of 9 such cases failed, 0 of the other 4991)

      The simplest failing row, found in 15 calls:
        a  7
        b  8
        c  9
      differs from the other function:
        field   expected  actual
        output        24      25

      keep:   keep = [r#"{"a":7,"b":8,"c":9}"#] in the attribute
      again:  TDG_SEED=7 TDG_SIZE=5000 cargo test new
    "##);
}

#[test]
fn kept_rows_are_checked_in_every_run() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(report(&run(&shop, "keeps", &[("PANIC", "1")])), @"
    keeps: kept row 2 fails

      Kept row 2:
        a  100
        b  -1
      panics at tests/explore.rs:92:5: a hundred

      again:  cargo test keeps
    ");
    let chosen = run(&shop, "keeps", &[("PANIC", "1"), ("TDG_CASES", "3")]);
    assert!(chosen.success, "{chosen}");

    insta::assert_snapshot!(report(&run(&shop, "value", &[("KEPT", r#"{"dice": 7}"#)])), @r#"
    value: kept row 1 fails

      Kept row 1:
        dice  7
      returns Err: "too many"

      again:  cargo test value
    "#);
    insta::assert_snapshot!(report(&run(&shop, "value", &[("KEPT", r#"{"die": 7}"#)])), @"
    value: invalid: this run can't be compared

      kept row 1 is not a row of a definition in code:
      /die: unknown feature `die`; did you mean `dice`?
    ");
}

#[test]
fn a_kept_row_that_the_function_does_not_take_is_named() {
    let shop = Program::shop().checkout();
    let large = r#"{"dice": 18446744073709551615}"#;
    insta::assert_snapshot!(report(&run(&shop, "value", &[("KEPT", large)])), @"
    value: invalid: this run can't be compared

      kept row 1: row 0: feature `dice` (INTEGER) is 18446744073709551615: invalid value: integer `18446744073709551615`,
      expected i64; INTEGER fits i64 or u64
    ");
}

#[test]
fn a_definition_with_fewer_rows_says_so() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(report(&run(&shop, "value", OTHERS)), @"
    value: invalid: this run can't be compared

      a definition in code does not have the 5000 rows of TDG_SIZE:
      /features/0/unique: there are only 6 different values for 5000 rows; use fewer rows, allow more values, or remove
      `unique`

      set TDG_SIZE=max for as many as possible, or run only the tests that have enough
    ");
    let most = run(&shop, "value", &[("TDG_SIZE", "max")]);
    assert!(most.success, "{most}");
    insta::assert_snapshot!(lines(&run(&shop, "value", &[("TDG_SIZE", "many")])), @r#"tdg: invalid value, TDG_SIZE must be max or a whole number from 1 to 10000, but is "many""#);
}

#[test]
fn outputs_of_kept_rows_are_held() {
    let shop = Program::shop().checkout();
    let file = "tests/snapshots/explore__keeps.snap";
    insta::assert_snapshot!(lines(&run(&shop, "keeps", &[])), @"
    tdg: recorded keeps, 10 cases, tests/snapshots/explore__keeps.snap
    tdg: recorded keeps, 2 kept rows, tests/snapshots/explore__keeps.snap
    ");
    let recorded = shop.read(file);
    let kept = |text: &str| -> String {
        let kept = text.lines().filter(|line| line.starts_with("{\"$kept\""));
        kept.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(kept(&recorded), @r#"
    {"$kept":{"a":5,"b":5,"c":5},"output":10}
    {"$kept":{"a":100,"b":-1,"c":0},"output":99}
    "#);
    assert_eq!(lines(&run(&shop, "keeps", &[])), "");

    let broken: &[_] = &[("BREAK_KEPT", "1")];
    insta::assert_snapshot!(report(&run(&shop, "keeps", broken)), @"
    keeps: kept row 2 changed

      Kept row 2:
        a  100
        b  -1
      field   expected  actual
      output        99     100

      again:   cargo test keeps
      accept:  cargo tdg review    (or cargo insta review)
    ");
    assert_eq!(shop.read(file), recorded);
    assert!(kept(&shop.read(&format!("{file}.new"))).contains(r#""output":100}"#));
    assert_eq!(lines(&run(&shop, "keeps", &[])), "");
    assert!(!shop.path(&format!("{file}.new")).exists());
    // A pending change of the cases keeps the file's kept rows.
    assert!(!run(&shop, "keeps", &[("BREAK", "1")]).success);
    assert_eq!(kept(&shop.read(&format!("{file}.new"))), kept(&recorded));

    // A kept row without an output is treated like a test without a benchmark.
    let unrecorded = recorded.replace(&format!("{}\n", kept(&recorded)), "");
    shop.write(file, &unrecorded);
    insta::assert_snapshot!(report(&run(&shop, "keeps", &[("CI", "true")])), @"
    keeps: 2 of 2 kept rows have no recorded output

      Kept row 1:
        a  5
        b  5
      has no recorded output

      Kept row 2:
        a  100
        b  -1
      has no recorded output

      again:   cargo test keeps
      accept:  cargo tdg review    (after cargo test keeps; this run writes nothing: CI is set)
    ");
    insta::assert_snapshot!(lines(&run(&shop, "keeps", &[("TDG_UPDATE", "new")])), @"tdg: missing keeps, 2 of 2 kept rows have no recorded output, pending in tests/snapshots/explore__keeps.snap.new");
    assert_eq!(shop.read(file), unrecorded);

    shop.write(file, &recorded);
    let accepted = [broken, &[("TDG_UPDATE", "always")]].concat();
    insta::assert_snapshot!(lines(&run(&shop, "keeps", &accepted)), @"tdg: accepted keeps, 1 kept row, tests/snapshots/explore__keeps.snap");
    assert!(kept(&shop.read(file)).contains(r#""output":100}"#));
}

/// Returns the lines of kept rows in the snapshot file of `held`.
fn held(shop: &Checkout<'_>) -> String {
    let text = shop.read("tests/snapshots/explore__held.snap");
    let kept = text.lines().filter(|line| line.starts_with("{\"$kept\""));
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_kept_row_is_held_through_a_rename_of_its_feature() {
    let shop = Program::shop().checkout();
    assert!(run(&shop, "held", &[]).success);
    let recorded = held(&shop);
    insta::assert_snapshot!(recorded, @r#"{"$kept":{"dice":7},"output":70.0}"#);
    let renamed: &[_] = &[("FEATURE", "die")];
    let broken = [renamed, &[("BREAK_KEPT", "1")]].concat();
    let always = [&broken[..], &[("TDG_UPDATE", "always")]].concat();
    // The changed inputs are accepted, but not the output of the kept row.
    let first = run(&shop, "held", &broken);
    assert!(!first.success, "{first}");
    let file = "tests/snapshots/explore__held.snap";
    shop.write(file, &shop.read(&format!("{file}.new")));
    insta::assert_snapshot!(held(&shop), @r#"{"$kept":{"die":7},"output":70.0}"#);
    insta::assert_snapshot!(report(&run(&shop, "held", &broken)), @"
    held: kept row 1 changed

      Kept row 1:
        die  7
      field   expected  actual
      output      70.0    71.0

      again:   cargo test held
      accept:  cargo tdg review    (or cargo insta review)
    ");
    // A row that replaces it is not recorded silently.
    let other = [renamed, &[("KEPT", "8")]].concat();
    insta::assert_snapshot!(report(&run(&shop, "held", &other)), @r#"
    held: kept row 1 has no recorded output

      the recorded row {"die":7} is no longer kept

      Kept row 1:
        die  8
      has no recorded output

      again:   cargo test held
      accept:  cargo tdg review    (or cargo insta review)
    "#);
    insta::assert_snapshot!(lines(&run(&shop, "held", &always)), @"tdg: accepted held, 1 kept row, tests/snapshots/explore__held.snap");
}

#[test]
fn a_recorded_row_leaves_only_by_a_decision() {
    let shop = Program::shop().checkout();
    assert!(run(&shop, "held", &[]).success);
    let recorded = held(&shop);
    let dropped: &[_] = &[("DROP_KEPT", "1")];
    insta::assert_snapshot!(report(&run(&shop, "held", dropped)), @r#"
    held: 1 recorded row is no longer kept

      the recorded row {"dice":7} is no longer kept

      again:   cargo test held
      accept:  cargo tdg review    (or cargo insta review)
    "#);
    assert_eq!(held(&shop), recorded);
    // Accepting a change of the cases doesn't decide about the kept row.
    let broken = [dropped, &[("BREAK", "1"), ("TDG_UPDATE", "new")]].concat();
    assert!(!run(&shop, "held", &broken).success);
    let file = "tests/snapshots/explore__held.snap";
    assert!(shop.read(&format!("{file}.new")).contains(&recorded));
    let always = [dropped, &[("TDG_UPDATE", "always")]].concat();
    insta::assert_snapshot!(lines(&run(&shop, "held", &always)), @"tdg: accepted held, 1 kept row, tests/snapshots/explore__held.snap");
    assert_eq!(held(&shop), "");
    assert_eq!(lines(&run(&shop, "held", dropped)), "");
}

#[test]
fn a_looser_policy_lets_no_kept_row_pass() {
    let shop = Program::shop().checkout();
    assert!(run(&shop, "held", &[]).success);
    let recorded = shop.read("tests/snapshots/explore__held.snap");
    let loose: &[_] = &[("LOOSE", "1"), ("BREAK_KEPT", "1")];
    insta::assert_snapshot!(report(&run(&shop, "held", loose)), @r#"
    held: kept row 1 passes only under a policy other than the recorded one

      recorded:   {}
      the test's: {"tolerance":{"abs":2.0}}

      Kept row 1:
        dice  7
      field   expected  actual
      output      70.0    71.0

      again:   cargo test held
      accept:  cargo tdg review    (or cargo insta review)
    "#);
    assert_eq!(shop.read("tests/snapshots/explore__held.snap"), recorded);
    // A changed policy alone is written. Outputs that it allows never become the benchmark.
    insta::assert_snapshot!(lines(&run(&shop, "held", &loose[..1])), @"tdg: held: its policy is now in tests/snapshots/explore__held.snap");
    assert!(run(&shop, "held", loose).success);
    assert_eq!(held(&shop), recorded.lines().last().unwrap());
}

#[test]
fn a_kept_row_that_fails_the_second_time_is_not_recorded() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(report(&run(&shop, "held", &[("PANIC", "1")])), @"
    held: kept row 1 fails

      Kept row 1:
        dice  7
      panics at tests/explore.rs:62:9: panics the second time

      again:  cargo test held
    ");
    assert_eq!(held(&shop), "");
    insta::assert_snapshot!(report(&run(&shop, "held", &[("UNSTABLE", "1")])), @"
    held: kept row 1 is unstable

      Kept row 1:
        dice  7
      differs between two runs of the same row; the first is the expected one:
        field   expected  actual
        output      71.0    72.0

      again:  cargo test held
    ");
    assert_eq!(held(&shop), "");
}

#[test]
fn a_foreign_pending_file_is_not_overwritten_by_kept_rows() {
    let shop = Program::shop().checkout();
    assert!(run(&shop, "held", &[]).success);
    let pending = "tests/snapshots/explore__held.snap.new";
    shop.write(pending, "mine\n");
    let refused = report(&run(&shop, "held", &[("BREAK_KEPT", "1")]));
    assert!(refused.contains("not a snapshot of"), "{refused}");
    assert_eq!(shop.read(pending), "mine\n");
}

#[test]
fn under_cargo_insta_kept_rows_leave_a_pending_change_of_the_cases() {
    let shop = Program::shop().checkout();
    assert!(run(&shop, "held", &[]).success);
    let pending = "tests/snapshots/explore__held.snap.new";
    let insta = [
        ("INSTA_CARGO_INSTA", "1"),
        ("INSTA_FORCE_PASS", "1"),
        ("BREAK_KEPT", "1"),
    ];
    let changed = run(&shop, "held", &[&insta[..], &[("BREAK", "1")]].concat());
    assert!(changed.success, "{changed}");
    let cases = shop.read(pending);
    assert!(
        cases.contains("]],21.0]") || cases.contains("[[2],21.0]"),
        "{cases}"
    );
    let kept = run(&shop, "held", &insta);
    assert!(kept.success, "{kept}");
    insta::assert_snapshot!(lines(&kept), @"tdg: changed held, pending; cargo insta lets it pass");
}
