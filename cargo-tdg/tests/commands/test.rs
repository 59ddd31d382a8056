//! `cargo tdg test`.

use tdg_tests::{Project, Run, target_directory};

use crate::anonymous;

const DEFINITION: &str = r#"{"features": [
    {"feature_name": "amount", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}}
]}"#;

const TESTS: &str = r#"
#[tdg::ensemble_test(definition = "amounts.json", size = 50)]
fn doubled(amount: i64) -> i64 {
    amount * 2
}

#[tdg::ensemble_test(definition = "amounts.json", size = 20)]
fn squared(amount: i64) -> i64 {
    amount * amount
}

#[test]
fn ordinary() {}
"#;

/// Returns `cargo tdg test` in the project.
fn test(project: &Project, arguments: &[&str]) -> Run {
    crate::tdg(project, &["test"])
        .arguments(arguments)
        .env("CARGO_TARGET_DIR", target_directory())
        .env("CARGO_TERM_COLOR", "never")
}

/// Returns the report of the project's last test run.
fn report(project: &Project, format: &str) -> String {
    let report = crate::tdg(project, &["report", "--format", format]);
    report
        .env("CARGO_TARGET_DIR", target_directory())
        .passes()
        .stdout
}

/// Returns the output after the tests, without times.
fn table(project: &Project, run: &tdg_tests::Finished) -> String {
    let (_, after) = run
        .stdout
        .split_once("\nensemble ")
        .unwrap_or_else(|| panic!("{run}"));
    let text = anonymous(project, &format!("ensemble {after}"));
    let words = |line: &str| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for at in 1..words.len() {
            if words[at] == "ms" {
                words[at - 1] = "…";
            }
        }
        words.join(" ").replace("<  …", "…").replace("< …", "…")
    };
    let squeezed = |line: &str| {
        line.split("  ")
            .filter(|it| !it.is_empty())
            .map(str::trim)
            .collect::<Vec<_>>()
            .join("  ")
    };
    text.lines()
        .map(|line| squeezed(&words(line)))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_run_ends_with_a_table_of_the_ensembles() {
    let project = Project::package(
        "tdg-test-command",
        &[("amounts.json", DEFINITION), ("tests/sums.rs", TESTS)],
    );
    let run = test(&project, &[]).passes();
    insta::assert_snapshot!(table(&project, &run), @"
    ensemble  verdict  changed  cases  time
    doubled  recorded  50  … ms
    squared  recorded  20  … ms

    2 ensembles: 2 recorded; 70 cases in … ms
    ");

    // A removed test whose file remains.
    project.edit("tests/sums.rs", "fn squared", "#[cfg(any())]\nfn squared");
    let run = test(&project, &[]).passes();
    insta::assert_snapshot!(table(&project, &run), @"
    ensemble  verdict  changed  cases  time
    doubled  same  50  … ms

    1 ensemble: 1 same; 50 cases in … ms
    No test used these snapshot files:
    tests/snapshots/sums__squared.snap
    orphaned? git rm tests/snapshots/sums__squared.snap
    ");
    let said = |format: &str| report(&project, format);
    assert!(said("markdown").contains("⚠️ no test used tests/snapshots/sums\\_\\_squared.snap"));
    assert!(!said("junit").contains("squared"));
    test(&project, &["--unclaimed=fail"]).fails();
    assert!(said("markdown").starts_with("## tdg: failed; 1 ensemble passed\n"));
    for format in ["markdown", "json", "junit", "annotations", "html"] {
        let said = said(format);
        let command = "git rm tests/snapshots/sums__squared.snap";
        assert!(said.contains(command), "{format}: {said}");
    }
    insta::assert_snapshot!(said("annotations"), @"::error file=tests/snapshots/sums__squared.snap,title=tdg::no test used tests/snapshots/sums__squared.snap (orphaned?): git rm tests/snapshots/sums__squared.snap");

    // A change. After a failure, tests that did not run look like removed tests.
    project.edit("tests/sums.rs", "amount * 2", "amount * 2 + amount / 9");
    let run = test(&project, &[]).finish();
    assert_eq!(run.code, Some(1), "{run}");
    insta::assert_snapshot!(table(&project, &run), @"
    ensemble  verdict  changed  cases  time
    doubled  changed  8  50  … ms

    1 ensemble: 1 changed; 50 cases in … ms
    1 change is pending: cargo tdg review
    ");

    // A run of some tests can't find leftover files.
    let run = test(&project, &["doubled"]).finish();
    assert!(!run.stdout.contains("orphaned"), "{run}");

    // The same with nextest, without permission to write.
    let run = test(&project, &["--nextest"]).env("CI", "1").finish();
    assert_eq!(run.code, Some(1), "{run}");
    assert!(
        run.stdout.contains("1 ensemble: 1 changed; 50 cases in "),
        "{run}"
    );

    // A retry replaces the failed attempt.
    let flaky = "amount * 2 + i64::from(variable(\"NEXTEST_ATTEMPT\") == \"1\")";
    project.edit("tests/sums.rs", "amount * 2 + amount / 9", flaky);
    let source = project.read("tests/sums.rs");
    let variable =
        "fn variable(name: &str) -> String {\n    std::env::var(name).unwrap_or_default()\n}\n";
    project.write("tests/sums.rs", &format!("{variable}{source}"));
    let run = test(&project, &["--nextest", "--retries=1"]).env("CI", "1");
    insta::assert_snapshot!(table(&project, &run.passes()), @"
    ensemble  verdict  changed  cases  time
    doubled  same, attempt 2  50  … ms

    1 ensemble: 1 same; 50 cases in … ms
    1 change is pending: cargo tdg review
    ");
    for (format, said) in [
        ("markdown", "| doubled | ⚠️ same, attempt 2 |  | 50 |"),
        (
            "markdown",
            "doubled: attempt 2 passed; before, 50 of 50 cases changed",
        ),
        ("json", r#""attempt":2"#),
        (
            "junit",
            "<flakyFailure message=\"doubled: 50 of 50 cases changed",
        ),
        ("annotations", "::warning file=tests/sums.rs,line="),
        ("html", "same, attempt 2</span>"),
    ] {
        let report = report(&project, format);
        assert!(report.contains(said), "{format}: {report}");
    }
    project.edit("tests/sums.rs", flaky, "amount * 2 + amount / 9");

    // A run without ensemble tests prints a message.
    let run = test(&project, &["ordinary"]).passes();
    assert!(
        run.stdout
            .ends_with("\nNo ensemble test ran.\n1 change is pending: cargo tdg review\n"),
        "{run}"
    );

    // A file without a test can be an error, even if only some tests run.
    let run = test(&project, &["--unclaimed=fail", "squared"]).passes();
    assert!(!run.stdout.contains("squared"), "{run}");
    project.edit("tests/sums.rs", "fn squared", "fn to_the_power_of_two");
    project.edit("tests/sums.rs", "#[cfg(any())]\n", "");
    let run = test(&project, &["--unclaimed=fail", "--test", "sums", "power"]).finish();
    assert_eq!(run.code, Some(1), "{run}");
    insta::assert_snapshot!(table(&project, &run), @"
    ensemble  verdict  changed  cases  time
    to_the_power_of_two  missing  20  … ms

    1 ensemble: 1 missing; 20 cases in … ms
    2 changes are pending: cargo tdg review
    The tests of these snapshot files no longer exist:
    tests/snapshots/sums__squared.snap
    renamed? cargo tdg rename squared to_the_power_of_two
    ");
    project.edit("tests/sums.rs", "fn doubled", "#[ignore]\nfn doubled");
    let run = test(&project, &["--workspace", "--unclaimed=fail"]).finish();
    assert!(!run.stdout.contains("sums__doubled"), "{run}");

    // A test without a benchmark, which compares with another function.
    project.edit(
        "tests/sums.rs",
        "size = 20)",
        "size = 20, name = \"size\", against = i64::abs)",
    );
    let run = test(&project, &["--test", "sums", "power"]).finish();
    insta::assert_snapshot!(table(&project, &run), @"
    ensemble  verdict  changed  cases  time
    size  changed, against i64::abs  18  20  … ms

    1 ensemble: 1 changed; 20 cases in … ms
    2 changes are pending: cargo tdg review
    The tests of these snapshot files no longer exist:
    tests/snapshots/sums__squared.snap
    orphaned? git rm tests/snapshots/sums__squared.snap
    tests/snapshots/sums__to_the_power_of_two.snap
    orphaned? git rm tests/snapshots/sums__to_the_power_of_two.snap
    ");

    // Global options are passed to cargo, and a quiet run has no table.
    let manifest = project.path("Cargo.toml").display().to_string();
    let elsewhere = Project::without_lock(&[]);
    let options = [
        "--manifest-path",
        &manifest,
        "--color=always",
        "-q",
        "power",
    ];
    let run = test(&elsewhere, &options).finish();
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("\u{1b}["), "{run}");
    assert!(!run.stdout.contains("1 ensemble"), "{run}");

    // The process ends within a test, even if cargo considers that a success.
    let exits = "unsafe extern \"C\" {\n    fn _exit(code: i32) -> !;\n}\n";
    project.write("tests/sums.rs", &format!("{exits}{TESTS}"));
    project.edit("tests/sums.rs", "amount * 2", "unsafe { _exit(0) }");
    let run = test(&project, &["doubled"]).env("CI", "1").finish();
    assert_eq!(run.code, Some(1), "{run}");
    let (_, after) = run.stdout.split_once("\n\ndoubled").unwrap();
    assert!(after.contains("\ndoubled   invalid"), "{run}");
    insta::assert_snapshot!(after.split_once("\n\nensemble").unwrap().0, @"
    : invalid: this run can't be compared

      the process ended during this run, and all its tests with it

      to see the row: TDG_CASES=0..50 cargo test doubled
    ");

    // All ensemble tests were removed.
    project.write(
        "tests/sums.rs",
        &TESTS.replace("#[tdg", "#[cfg(any())]\n#[tdg"),
    );
    let run = test(&project, &[]).finish();
    assert_eq!(run.code, Some(1), "{run}");
    let (_, after) = run.stdout.split_once("\nNo ensemble").unwrap();
    insta::assert_snapshot!(after, @"
     test ran.
    2 changes are pending: cargo tdg review
    No test used these snapshot files:
      tests/snapshots/sums__doubled.snap
        orphaned? git rm tests/snapshots/sums__doubled.snap
      tests/snapshots/sums__squared.snap
        orphaned? git rm tests/snapshots/sums__squared.snap
      tests/snapshots/sums__to_the_power_of_two.snap
        orphaned? git rm tests/snapshots/sums__to_the_power_of_two.snap
    ");
    test(&project, &["ordinary"]).passes();

    // Cargo reports unknown arguments.
    let run = test(&project, &["--no-such-option"]).finish();
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("--no-such-option"), "{run}");
}
