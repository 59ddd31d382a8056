//! `cargo tdg report`.

use std::fs;

use tdg_tests::{Checkout, Program, Run};

use crate::{anonymous, ended, tdg};

const RESULTS: &str = ".results";
const RUNS: &str = ".results/runs.jsonl";

/// Returns `cargo tdg report` for the results of a shop.
fn reported(shop: &Checkout<'_>, arguments: &[&str]) -> Run {
    tdg(shop, &["report"])
        .arguments(arguments)
        .env("TDG_RESULTS", shop.path(RESULTS))
}

/// Returns a shop with results of four ensembles: same, changed, panicked, and missing. They run
/// without `cargo tdg test`, which would build the shop again.
fn tested_shop() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("invoice").passes();
    shop.pricing("tolerant").passes();
    let results = shop.path(RESULTS);
    fs::create_dir_all(&results).unwrap();
    let run = |test: &str| {
        shop.pricing(test)
            .env("TDG_RESULTS", &results)
            .env("CI", "1")
    };
    run("total").env("FACTOR", "1.03").fails();
    run("invoice").passes();
    run("tolerant").env("FACTOR", "1.02").passes();
    run("many_cases").env("PANIC", "1").fails();
    run("before::sum").fails();
    shop
}

fn report(shop: &Checkout<'_>, format: &str) -> String {
    let run = reported(shop, &["--format", format]).passes();
    anonymous(shop, &run.stdout)
}

#[test]
fn without_a_run_there_is_nothing_to_report() {
    let shop = Program::shop().checkout();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["report"]).finish()), @"
    error: nothing to report yet; run `cargo tdg test` first
    (2)
    ");
}

#[test]
fn tests_that_changed_by_one_cause_are_shown_by_the_first_and_accepted_together() {
    let shop = Program::shop().checkout();
    let results = shop.path(RESULTS);
    fs::create_dir_all(&results).unwrap();
    let tests = ["before::sum", "total"];
    for test in tests {
        shop.pricing(test).passes();
        let changed = shop.pricing(test).env("FACTOR", "1.03");
        changed.env("TDG_RESULTS", &results).fails();
    }
    let cause = "all changed cases have coupon = \"HALF\", actual = 1.03 × expected";
    let markdown = report(&shop, "markdown");
    let said = format!("**2 tests: {cause}**: before::sum, total\n");
    assert!(markdown.contains(&said), "{markdown}");
    assert_eq!(markdown.matches("<details>").count(), 1, "{markdown}");
    tdg(&shop, &["accept", "*"]).passes();
    for test in tests {
        shop.pricing(test).env("FACTOR", "1.03").passes();
    }
    let html = report(&shop, "html");
    let said = format!("<b>2 tests: {}</b>", cause.replace('"', "&quot;"));
    assert!(html.contains(&said), "{html}");
    let json = report(&shop, "json");
    let said = format!("\"cause\":\"{}\"", cause.replace('"', "\\\""));
    assert_eq!(json.matches(&said).count(), 2, "{json}");
}

#[test]
fn markdown_is_a_table_and_the_reports() {
    insta::assert_snapshot!(report(&tested_shop(), "markdown"), @r#"
    ## tdg: 3 of 5 ensembles failed

    | ensemble | verdict | changed | cases |
    |---|---|---:|---:|
    | before::sum | ❌ missing |  | 200 |
    | many\_cases | ❌ panicked |  | 3000 |
    | total | ❌ changed | 13 | 200 |
    | invoice | ✅ same |  | 20 |
    | tolerant | ✅ same |  | 10 |

    <details><summary>before::sum: missing: no benchmark, and this run must not record one (CI is set)</summary>

    ```text
      tests/snapshots/pricing__before__sum.snap does not exist.
      Record it where files may be written, and commit the file.

      record:  TDG_UPDATE=auto cargo test before::sum
    ```

    </details>

    <details><summary>many\_cases: 263 of 3000 cases panicked: all 263 have quantity &gt; 18</summary>

    ```text
      all 263 have quantity > 18   (263 of 263 such cases panicked, 0 of the other 2737)

      263 cases at src/lib.rs:9:9:
        20 of one thing are not in stock
        … and 1 more message
        case              amount  quantity  coupon
          13   28.00677550968443        20  null
          38   23.43234638817181        20  "NONE"
          65  19.667844697519463        20  null
          98   21.09450876216282        19  "NONE"
         103  17.294785427035126        20  "TENTH"
         134  24.646648436037772        20  null
        … and 257 more cases

      run one:  TDG_CASES=13 cargo test many_cases
      record:   panics = "record" in the attribute, if these rows should make it panic
    ```

    </details>

    <details><summary>total: 13 of 200 cases changed: all 13 have coupon = "HALF"</summary>

    ```text
      all 13 have coupon = "HALF"   (13 of 13 such cases changed, 0 of the other 187)
      actual = 1.03 × expected in all 13

      case     amount  quantity  coupon   expected     actual    error
       108  15.988253         2  "HALF"  15.988253  16.467900  +0.4796  +3.0 %
        35  23.297771         6  "HALF"  69.893312  71.990111   +2.097  +3.0 %
       119  23.267077        15  "HALF"  174.50307  179.73817   +5.235  +3.0 %
       194  24.259579         4  "HALF"  48.519159  49.974734   +1.456  +3.0 %
       179  18.685964         9  "HALF"  84.086840  86.609445   +2.523  +3.0 %
       190  31.367064        14  "HALF"  219.56945  226.15653   +6.587  +3.0 %
        55  30.560647         7  "HALF"  106.96226  110.17113   +3.209  +3.0 %
       103  22.626147         5  "HALF"  56.565367  58.262328   +1.697  +3.0 %
        24  17.256255        20  "HALF"  172.56255  177.73943   +5.177  +3.0 %
       177  22.237596        13  "HALF"  144.54437  148.88070   +4.336  +3.0 %
       104  17.095065        11  "HALF"  94.022860  96.843546   +2.821  +3.0 %
         3  20.519937        13  "HALF"  133.37959  137.38098   +4.001  +3.0 %
      … and 1 more case
      largest error 6.587 (3.0 %), median 3.209
      errors +0.4796 [▄  ▄▄ ▄ ▄▄▄  ▄ █  █    ▄] +6.587
      expected mean 112.9, sd 58.54; actual mean 116.3, sd 60.29

      see all:  TDG_CASES=0..200 cargo test total
      run one:  TDG_CASES=108 cargo test total
      accept:   cargo tdg review    (after cargo test total; this run writes nothing: CI is set)
    ```

    </details>
    "#);
}

#[test]
fn annotations_name_the_source_file() {
    insta::assert_snapshot!(report(&tested_shop(), "annotations"), @r#"
    ::error file=tests/pricing.rs,line=73,title=before%3A%3Asum%3A missing%3A no benchmark%2C and this run must not record one (CI is set)::  tests/snapshots/pricing__before__sum.snap does not exist.%0A  Record it where files may be written, and commit the file.%0A%0A  record:  TDG_UPDATE=auto cargo test before::sum
    ::error file=tests/pricing.rs,line=25,title=many_cases%3A 263 of 3000 cases panicked::  all 263 have quantity > 18   (263 of 263 such cases panicked, 0 of the other 2737)%0A%0A  263 cases at src/lib.rs:9:9:%0A    20 of one thing are not in stock%0A    … and 1 more message%0A    case              amount  quantity  coupon%0A      13   28.00677550968443        20  null%0A      38   23.43234638817181        20  "NONE"%0A      65  19.667844697519463        20  null%0A      98   21.09450876216282        19  "NONE"%0A     103  17.294785427035126        20  "TENTH"%0A     134  24.646648436037772        20  null%0A    … and 257 more cases%0A%0A  run one:  TDG_CASES=13 cargo test many_cases%0A  record:   panics = "record" in the attribute, if these rows should make it panic
    ::error file=tests/pricing.rs,line=12,title=total%3A 13 of 200 cases changed::  all 13 have coupon = "HALF"   (13 of 13 such cases changed, 0 of the other 187)%0A  actual = 1.03 × expected in all 13%0A%0A  case     amount  quantity  coupon   expected     actual    error%0A   108  15.988253         2  "HALF"  15.988253  16.467900  +0.4796  +3.0 %25%0A    35  23.297771         6  "HALF"  69.893312  71.990111   +2.097  +3.0 %25%0A   119  23.267077        15  "HALF"  174.50307  179.73817   +5.235  +3.0 %25%0A   194  24.259579         4  "HALF"  48.519159  49.974734   +1.456  +3.0 %25%0A   179  18.685964         9  "HALF"  84.086840  86.609445   +2.523  +3.0 %25%0A   190  31.367064        14  "HALF"  219.56945  226.15653   +6.587  +3.0 %25%0A    55  30.560647         7  "HALF"  106.96226  110.17113   +3.209  +3.0 %25%0A   103  22.626147         5  "HALF"  56.565367  58.262328   +1.697  +3.0 %25%0A    24  17.256255        20  "HALF"  172.56255  177.73943   +5.177  +3.0 %25%0A   177  22.237596        13  "HALF"  144.54437  148.88070   +4.336  +3.0 %25%0A   104  17.095065        11  "HALF"  94.022860  96.843546   +2.821  +3.0 %25%0A     3  20.519937        13  "HALF"  133.37959  137.38098   +4.001  +3.0 %25%0A  … and 1 more case%0A  largest error 6.587 (3.0 %25), median 3.209%0A  errors +0.4796 [▄  ▄▄ ▄ ▄▄▄  ▄ █  █    ▄] +6.587%0A  expected mean 112.9, sd 58.54; actual mean 116.3, sd 60.29%0A%0A  see all:  TDG_CASES=0..200 cargo test total%0A  run one:  TDG_CASES=108 cargo test total%0A  accept:   cargo tdg review    (after cargo test total; this run writes nothing: CI is set)
    "#);
}

#[test]
fn annotations_name_the_line() {
    let annotations = report(&tested_shop(), "annotations");
    for test in ["total", "many_cases"] {
        let is_of = |line: &&str| line.contains(&format!("title={test}%3A"));
        let line = annotations.lines().find(is_of).unwrap();
        assert!(line.contains("tests/pricing.rs,line="), "{line}");
    }
}

#[test]
fn of_many_failures_ten_are_annotated() {
    let shop = tested_shop();
    let runs = shop.read(RUNS);
    shop.write(RUNS, &runs.repeat(5));
    let annotations = report(&shop, "annotations");
    assert_eq!(annotations.lines().count(), 10);
    assert!(
        annotations.ends_with("6 more failed: many_cases, total, total, total, total, total"),
        "{annotations}"
    );
}

#[test]
fn json_has_every_run() {
    let text = report(&tested_shop(), "json");
    let document = tdg_definition::json::parse(&text).unwrap();
    let runs = document.get("runs").unwrap().as_array().unwrap();
    let lines = runs.iter().map(|run| {
        let text = |key: &str| run.get(key).unwrap().to_string();
        let keys = ["test", "verdict", "passes", "cases", "changed", "snapshot"];
        keys.map(text).join(" ")
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    "before::sum" "missing" false 200 0 "tests/snapshots/pricing__before__sum.snap"
    "invoice" "same" true 20 0 "tests/snapshots/pricing__invoice.snap"
    "many_cases" "panicked" false 3000 0 "tests/snapshots/pricing__many_cases.snap"
    "tolerant" "same" true 10 0 "tests/snapshots/pricing__tolerant.snap"
    "total" "changed" false 200 13 "tests/snapshots/pricing__total.snap"
    "#);
    assert_eq!(document.get("failed").unwrap().as_u64(), Some(3));
}

#[test]
fn junit_has_a_case_for_each_ensemble() {
    let text = report(&tested_shop(), "junit");
    let lines = text.lines().map(|line| {
        let (start, rest) = line.split_once(" time=\"").unwrap_or((line, ""));
        match rest.split_once('"') {
            Some((_, end)) => format!("{start} time=\"…\"{end}"),
            None => start.to_owned(),
        }
    });
    let lines: Vec<_> = lines.collect();
    insta::assert_snapshot!(lines[..8].join("\n"), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="cargo tdg test" tests="5" skipped="0" failures="2" errors="1">
        <testsuite name="shop" tests="5" skipped="0" errors="1" failures="2">
            <testcase name="before::sum" classname="shop::pricing" time="…">
                <failure message="before::sum: missing: no benchmark, and this run must not record one (CI is set)" type="missing">before::sum: missing: no benchmark, and this run must not record one (CI is set)

      tests/snapshots/pricing__before__sum.snap does not exist.
      Record it where files may be written, and commit the file.
    "#);
    assert!(
        lines
            .iter()
            .any(|line| line.contains("message=\"total: 13 of 200 cases changed\"")),
        "{text}"
    );
    assert_eq!(text.matches("<failure").count(), 2);
    assert_eq!(text.matches("<error").count(), 1);
}

#[test]
fn the_page_needs_no_other_file_and_shows_where_the_changed_cases_are() {
    let shop = tested_shop();
    let reason = "prices <rose>";
    shop.pricing("invoice").env("FACTOR", "2").fails();
    tdg(&shop, &["accept", "invoice", "--reason", reason]).passes();
    let page = report(&shop, "html");
    for reference in ["src=", "<link", "@import", "url(", "http", "fetch("] {
        assert!(!page.contains(reference), "{reference}");
    }
    assert!(page.contains("3 of 5 ensembles failed"));
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(
        page.contains("title=\"&quot;HALF&quot;: 13 of 13 changed\""),
        "{page}"
    );
    assert!(page.contains("title=\"null: 39\""), "{page}");
    assert!(page.contains("prices &lt;rose&gt;"));
}

#[test]
fn the_page_links_to_source_lines() {
    let shop = tested_shop();
    let link = [
        "--format",
        "html",
        "--source-url",
        "https://example.org/{path}#L{line}",
    ];
    let page = reported(&shop, &link).passes().stdout;
    assert!(
        page.contains("<a href=\"https://example.org/tests/pricing.rs#L"),
        "{page}"
    );
    let page = reported(&shop, &["--format", "html"])
        .env("GITHUB_SERVER_URL", "https://github.example")
        .env("GITHUB_REPOSITORY", "shop/prices")
        .env("GITHUB_SHA", "52fdfc07")
        .passes()
        .stdout;
    let line = "https://github.example/shop/prices/blob/52fdfc07/tests/pricing.rs#L";
    assert!(page.contains(line), "{page}");
}

#[test]
fn a_file_is_written_whole() {
    let shop = tested_shop();
    let run = reported(&shop, &["--output", "out/summary.md"]).passes();
    assert_eq!(run.stdout, "");
    assert_eq!(
        anonymous(&shop, &shop.read("out/summary.md")),
        report(&shop, "markdown")
    );
}

#[test]
fn results_of_another_version_are_refused() {
    let shop = tested_shop();
    shop.write(RUNS, "{\"test\":\"total\"}\n");
    insta::assert_snapshot!(ended(&shop, &reported(&shop, &[]).finish()), @"
    error: <shop>/.results/runs.jsonl was written by another version of tdg; run `cargo tdg test` again
    (2)
    ");
}

#[test]
fn a_report_that_was_not_written_has_shown_nothing() {
    let shop = Program::shop().checkout();
    let results = shop.path(RESULTS);
    fs::create_dir_all(&results).unwrap();
    shop.pricing("total").passes();
    let changed = shop.pricing("total").env("FACTOR", "1.03");
    changed.env("TDG_RESULTS", &results).fails();
    shop.write("summary", "");
    for format in ["markdown", "html"] {
        let arguments = ["--format", format, "--output", "summary"];
        reported(&shop, &arguments).fails();
        let refused = tdg(&shop, &["accept", "tot*"]).fails();
        assert!(
            refused.stdout.contains("no command has shown it"),
            "{refused}"
        );
    }
    reported(&shop, &["--output", "summary", "--force"]).passes();
    tdg(&shop, &["accept", "tot*"]).passes();
}

#[test]
fn a_test_against_another_function_says_so() {
    let shop = Program::shop().checkout();
    let results = shop.path(RESULTS);
    fs::create_dir_all(&results).unwrap();
    let run = shop.pricing("against").env("TDG_RESULTS", &results);
    run.env("FACTOR", "1.03").fails();
    for (format, said) in [
        (
            "markdown",
            "| against | ❌ changed, against old\\_total | 13 | 200 |",
        ),
        ("json", r#""against":"old_total""#),
        ("junit", "13 of 200 cases differ from old_total"),
        ("html", " · against old_total"),
    ] {
        let report = report(&shop, format);
        assert!(report.contains(said), "{report}");
    }
    let pending = tdg(&shop, &["pending"]).passes();
    assert_eq!(pending.stdout, "No changes are pending.\n");
}

#[test]
fn a_newer_run_that_ended_otherwise_is_named() {
    let shop = Program::shop().checkout();
    fs::create_dir_all(shop.path(RESULTS)).unwrap();
    let results = shop.path(RESULTS);
    shop.pricing("total").env("TDG_RESULTS", &results).passes();
    let circumstances =
        r#"{"time":1700000000000,"commit":"52fdfc072182654f163f","branch":"main","compiler":null}"#;
    shop.write(".results/circumstances.json", circumstances);
    shop.pricing("total").passes();
    let same = reported(&shop, &[]).passes();
    assert_eq!(same.stderr, "");
    insta::assert_snapshot!(same.stdout.lines().take(4).collect::<Vec<_>>().join("\n"), @"
    ## tdg: 1 ensemble passed

    2023-11-14 22:13:20 UTC, commit 52fdfc0721, branch main
    ");
    shop.pricing("total").env("FACTOR", "1.03").fails();
    let newer = "this report lacks a newer run of total, of ";
    for format in ["markdown", "html", "json", "junit"] {
        let run = reported(&shop, &["--format", format]).passes();
        assert!(run.stderr.starts_with(&format!("note: {newer}")), "{run}");
        assert!(
            run.stderr
                .ends_with("UTC: changed, 13 of 200 cases; run `cargo tdg test` again\n"),
            "{run}"
        );
        let is_there = match format {
            "json" => {
                run.stdout
                    .contains(r#""newer":[{"cases":200,"changed":13,"#)
                    && run.stdout.contains(r#""when":"2023-11-14T22:13:20Z""#)
            }
            "junit" => true,
            _ => run.stdout.contains(newer),
        };
        assert!(is_there, "{run}");
    }
}

#[test]
fn chosen_cases_are_reported_as_such() {
    let shop = Program::shop().checkout();
    fs::create_dir_all(shop.path(RESULTS)).unwrap();
    shop.pricing("total").passes();
    let chosen = shop.pricing("total").env("TDG_CASES", "0,3");
    let results = shop.path(RESULTS);
    chosen.env("TDG_RESULTS", &results).passes();
    let said = report(&shop, "markdown");
    assert!(
        said.ends_with("| total | ✅ same |  | 2 of 200 |"),
        "{said}"
    );
    assert!(
        report(&shop, "json").contains(r#""cases":2,"cause":null,"changed":0,"chosen_of":200"#)
    );
}
