//! `cargo tdg show --since`, `cargo tdg report --since` and git's driver, in real repositories.

use std::env;
use std::path::{Path, PathBuf};

use tdg_definition::json::{self, Value};
use tdg_tests::{Checkout, Program, Project, Run};

use crate::{TOTAL, anonymous, ended, tdg, tdg_in};

fn git_in(folder: &Path, arguments: &[&str]) -> Run {
    let identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"];
    Run::new("git", folder)
        .arguments(&identity)
        .arguments(arguments)
}

fn git(shop: &Project, arguments: &[&str]) -> Run {
    git_in(shop.folder(), arguments)
}

fn commit(shop: &Project, subject: &str) {
    git(shop, &["add", "--all"]).passes();
    git(shop, &["commit", "--quiet", "--message", subject]).passes();
}

/// Returns a repository with the benchmarks of these tests, on the branch `prices` off `main`.
fn repository(tests: &[&str]) -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.write(".gitignore", ".tdg\n*.snap.new\n");
    for test in tests {
        shop.pricing(test).passes();
    }
    git(&shop, &["init", "--quiet", "--initial-branch", "main"]).passes();
    git(&shop, &["config", "user.name", "ada"]).passes();
    commit(&shop, "Add prices");
    git(&shop, &["checkout", "--quiet", "-b", "prices"]).passes();
    shop
}

/// Raises prices by 3 % with `HALF`.
fn raise_prices(shop: &Checkout<'_>) {
    shop.pricing("total").env("FACTOR", "1.03").fails();
    tdg(shop, &["accept", "total", "--reason", "prices rise"]).passes();
}

/// Returns the output and the exit code, without commits and times.
fn says(shop: &Project, arguments: &[&str]) -> String {
    without_commits(&ended(shop, &tdg(shop, arguments).finish()))
}

fn without_commits(text: &str) -> String {
    let is_commit = |word: &str| {
        let is_hex = |byte: u8| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase();
        // One commit in 27 has only digits, as other numbers of the report have.
        let has_letter = word.bytes().any(|it| it.is_ascii_lowercase());
        word.len() >= 7 && word.bytes().all(is_hex) && (has_letter || word.len() == 7)
    };
    let words = text.split_inclusive(['(', ')', '"', ' ', '.', '\n']);
    let words = words.map(|word| {
        let bare = word.trim_end_matches(['(', ')', '"', ' ', '.', '\n']);
        match is_commit(bare) {
            true => word.replace(bare, "c0ffee"),
            false => word.to_owned(),
        }
    });
    words.collect()
}

/// Returns the lines of a report without the tables of cases.
fn headings(report: &str) -> String {
    let is_heading = |line: &&str| !line.starts_with("  ") && !line.is_empty();
    report
        .lines()
        .filter(is_heading)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_report_has_every_benchmark_that_differs_with_its_rules_and_reasons() {
    let shop = repository(&[
        "total",
        "invoice",
        "tolerant",
        "by_the_environment",
        "before::sum",
    ]);
    raise_prices(&shop);
    shop.pricing("by_the_environment").env("SIZE", "15").fails();
    tdg(&shop, &["accept", "by_the_environment"]).passes();
    tdg(&shop, &["rename", "before::sum", "after::moved::renamed"]).passes();
    shop.remove("tests/snapshots/pricing__invoice.snap");
    shop.pricing("many_cases").passes();
    let report = ["report", "--since", "main"];
    let before_commit = says(&shop, &report);
    insta::assert_snapshot!(before_commit, @r#"
    ## tdg: 5 benchmarks differ from main (c0ffee)

    | benchmark | difference | changed | cases |
    |---|---|---:|---:|
    | total | changed | 13 | 200 |
    | by\_the\_environment | other rows | 0 | 10 |
    | many\_cases | new |  | 3000 |
    | invoice | gone |  | 20 |
    | after::moved::renamed (from before::sum) | renamed, same outputs |  |  |

    Expected: main (c0ffee). Actual: the files as they are now.

    <details><summary>total: 13 of 200 cases changed: all 13 have coupon = "HALF"</summary>

    accepted yyyy-mm-dd hh:mm:ss UTC by ada: prices rise

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
    ```

    </details>

    <details><summary>by\_the\_environment: inputs changed: size</summary>

    accepted yyyy-mm-dd hh:mm:ss UTC by ada

    ```text
            benchmark  now
      size         10   15

      The outputs for the 10 recorded rows are the same as before.
    ```

    </details>

    <details><summary>many\_cases: new, 3000 cases</summary>

    recorded yyyy-mm-dd hh:mm:ss UTC by ada

    </details>

    <details><summary>after::moved::renamed: renamed from before::sum, same outputs</summary>

    renamed yyyy-mm-dd hh:mm:ss UTC by ada

    </details>
    (0)
    "#);
    commit(&shop, "Raise prices");
    assert_eq!(says(&shop, &report), before_commit);

    let json = tdg(&shop, &["report", "--since", "main", "--format", "json"]).passes();
    let json = json::parse(&json.stdout).unwrap();
    let differences = json.get("differences").and_then(Value::as_array).unwrap();
    let lines = differences.iter().map(|it| {
        let names = [
            "test",
            "snapshot",
            "difference",
            "renamed_from",
            "changed",
            "cases",
        ];
        let members = names.map(|name| it.get(name).unwrap().to_string());
        let decisions = it.get("decisions").and_then(Value::as_array).unwrap();
        let reasons = decisions
            .iter()
            .map(|it| it.get("reason").unwrap().to_string());
        members.join(" ") + " " + &reasons.collect::<String>()
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    "total" "tests/snapshots/pricing__total.snap" "changed" null 13 200 "prices rise"
    "by_the_environment" "tests/snapshots/pricing__by_the_environment.snap" "other rows" null 0 10 null
    "many_cases" "tests/snapshots/pricing__many_cases.snap" "new" null null 3000 null
    "invoice" "tests/snapshots/pricing__invoice.snap" "gone" null null 20 
    "after::moved::renamed" "tests/snapshots/pricing__after__moved__renamed.snap" "same outputs" "before::sum" null null null
    "#);

    tdg(
        &shop,
        &[
            "report",
            "--since",
            "main",
            "--format",
            "html",
            "--output",
            "page.html",
        ],
    )
    .passes();
    let page = shop.read("page.html");
    for text in [
        "5 benchmarks differ from main (",
        "coupon = &quot;HALF&quot;",
        "prices rise",
    ] {
        assert!(page.contains(text), "{text}");
    }
    insta::assert_snapshot!(says(&shop, &["report", "--since", "main", "--format", "junit"]), @"
    error: this format is only for test runs; with --since, use --format markdown, html or json
    (2)
    ");
}

#[test]
fn one_benchmark_is_shown_with_every_case_by_its_name_of_now_or_then() {
    let shop = repository(&["total", "invoice", "tolerant", "before::sum"]);
    raise_prices(&shop);
    tdg(&shop, &["rename", "before::sum", "after::moved::renamed"]).passes();
    shop.remove("tests/snapshots/pricing__invoice.snap");
    insta::assert_snapshot!(says(&shop, &["show", "total", "--since", "main"]), @r#"
    total: 13 of 200 cases changed
      accepted yyyy-mm-dd hh:mm:ss UTC by ada: prices rise

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
       133  17.332005        17  "HALF"  147.32205  151.74171    +4.42  +3.0 %
      largest error 6.587 (3.0 %), median 3.209
      errors +0.4796 [▄  ▄▄ ▄ ▄▄▄  ▄ █  █    ▄] +6.587
      expected mean 112.9, sd 58.54; actual mean 116.3, sd 60.29

      Expected: main (c0ffee). Actual: the files as they are now.
    (0)
    "#);
    let json = tdg(&shop, &["show", "total", "--since", "main", "--json"]).passes();
    assert_eq!(json.stdout.lines().count(), 13, "{json}");
    insta::assert_snapshot!(says(&shop, &["show", "invoice", "--since", "main"]), @"
    invoice: gone, 20 cases
    (0)
    ");
    insta::assert_snapshot!(says(&shop, &["show", "sum", "--since", "main"]), @"
    after::moved::renamed: renamed from before::sum, same outputs
      renamed yyyy-mm-dd hh:mm:ss UTC by ada
    (0)
    ");
    insta::assert_snapshot!(says(&shop, &["show", "tolerant", "--since", "main"]), @"
    tolerant has the same benchmark as main (c0ffee).
    (0)
    ");
    insta::assert_snapshot!(says(&shop, &["show", "nothing", "--since", "main"]), @"
    error: no test `nothing` has a benchmark; `cargo tdg show` lists all that do
    (2)
    ");
}

#[test]
fn a_branch_means_the_merge_base_unless_dots_follow() {
    let shop = repository(&["total"]);
    git(&shop, &["checkout", "--quiet", "main"]).passes();
    raise_prices(&shop);
    commit(&shop, "Raise prices");
    git(&shop, &["checkout", "--quiet", "prices"]).passes();
    insta::assert_snapshot!(says(&shop, &["report", "--since", "main"]), @"
    ## tdg: no benchmark differs from the merge base with main (c0ffee)
    (0)
    ");
    insta::assert_snapshot!(headings(&says(&shop, &["report", "--since", "main.."])), @r#"
    ## tdg: 1 benchmark differs from main (c0ffee)
    | benchmark | difference | changed | cases |
    |---|---|---:|---:|
    | total | changed | 13 | 200 |
    Expected: main (c0ffee). Actual: the files as they are now.
    <details><summary>total: 13 of 200 cases changed: all 13 have coupon = "HALF"</summary>
    ```text
    ```
    </details>
    (0)
    "#);
    git(&shop, &["checkout", "--quiet", "--orphan", "unrelated"]).passes();
    commit(&shop, "Begin again");
    insta::assert_snapshot!(says(&shop, &["report", "--since", "main"]), @"
    error: main and HEAD have no commit in common; to compare with it anyway, write `--since main..`
    (2)
    ");
}

#[test]
fn a_shallow_clone_learns_how_to_get_the_rest() {
    let shop = repository(&["total"]);
    raise_prices(&shop);
    commit(&shop, "Raise prices");
    let origin = format!("file://{}", shop.folder().display());
    let clone = Program::shop().checkout();
    let folder = clone.path("clone");
    let path = folder.display().to_string();
    let arguments = [
        "clone", "--quiet", "--depth", "1", "--branch", "prices", &origin, &path,
    ];
    git(&clone, &arguments).passes();
    let said = || {
        let run = tdg_in(&folder, &["report", "--since", "origin/main"]).finish();
        anonymous(
            &clone,
            &format!("{}{}({})", run.stdout, run.stderr, run.code.unwrap()),
        )
    };
    insta::assert_snapshot!(said(), @"
    error: unknown revision `origin/main`; this clone has only the newest commits: write `fetch-depth: 0` below `uses: actions/checkout` on GitHub, `GIT_DEPTH: 0` on GitLab, or run `git fetch --unshallow`
    (2)
    ");
    let fetch = [
        "fetch",
        "--quiet",
        "--depth",
        "1",
        "origin",
        "main:refs/remotes/origin/main",
    ];
    git_in(&folder, &fetch).passes();
    insta::assert_snapshot!(said(), @"
    error: origin/main and HEAD have no commit in common; this clone has only the newest commits: write `fetch-depth: 0` below `uses: actions/checkout` on GitHub, `GIT_DEPTH: 0` on GitLab, or run `git fetch --unshallow`
    (2)
    ");
    git_in(&folder, &["fetch", "--quiet", "--unshallow"]).passes();
    insta::assert_snapshot!(headings(&without_commits(&said())), @r#"
    ## tdg: 1 benchmark differs from origin/main (c0ffee)
    | benchmark | difference | changed | cases |
    |---|---|---:|---:|
    | total | changed | 13 | 200 |
    Expected: origin/main (c0ffee). Actual: the files as they are now.
    <details><summary>total: 13 of 200 cases changed: all 13 have coupon = "HALF"</summary>
    ```text
    ```
    </details>
    (0)
    "#);
}

#[test]
fn a_benchmark_that_cannot_be_read_does_not_hide_the_others() {
    let shop = repository(&["total", "tolerant"]);
    raise_prices(&shop);
    let file = "tests/snapshots/pricing__tolerant.snap";
    shop.write(file, &shop.read(file).replace("]\n", "\n"));
    insta::assert_snapshot!(headings(&says(&shop, &["report", "--since", "main"])), @r#"
    ## tdg: 2 benchmarks differ from main (c0ffee)
    | benchmark | difference | changed | cases |
    |---|---|---:|---:|
    | total | changed | 13 | 200 |
    | tolerant | not compared |  |  |
    Expected: main (c0ffee). Actual: the files as they are now.
    <details><summary>total: 13 of 200 cases changed: all 13 have coupon = "HALF"</summary>
    accepted yyyy-mm-dd hh:mm:ss UTC by ada: prices rise
    ```text
    ```
    </details>
    <details><summary>tolerant: not compared: <shop>/tests/snapshots/pricing\_\_tolerant.snap, line 6: not a case: a case is \[\[inputs…\],output\]; restore it from version control, or delete it to record again</summary>
    </details>
    (0)
    "#);
}

/// Runs `git` with a `cargo` that finds this `cargo tdg`.
fn driven(shop: &Project, arguments: &[&str]) -> String {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_cargo-tdg"));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [own.parent().unwrap().to_owned()]
        .into_iter()
        .chain(env::split_paths(&path));
    let run = git(shop, arguments).env("PATH", env::join_paths(folders).unwrap());
    without_commits(&run.passes().stdout)
}

#[test]
fn git_diff_explains_a_change_once_the_driver_is_set() {
    let shop = repository(&["total"]);
    shop.write("Cargo.lock", "version = 4\n");
    insta::assert_snapshot!(says(&shop, &["init", "--git"]), @"
    added **/snapshots/*.snap diff=tdg to .gitattributes
    set diff.tdg.command in the configuration of this clone; others run `cargo tdg init --git` in theirs

    `git diff` explains changed benchmarks from now on; so do `git show` and `git log -p` with --ext-diff.
    The lines themselves: git diff --no-ext-diff
    Undo it: git config --remove-section diff.tdg
    (0)
    ");
    let attributes = shop.read(".gitattributes");
    says(&shop, &["init", "--git"]);
    assert_eq!(shop.read(".gitattributes"), attributes);
    commit(&shop, "Let git explain benchmarks");
    raise_prices(&shop);
    let file = "tests/snapshots/pricing__new.snap";
    shop.write(file, &shop.read(TOTAL));
    shop.write("tests/snapshots/other.snap", "---\nsource: a.rs\n---\na\n");
    git(&shop, &["add", "--intent-to-add", "tests"]).passes();
    insta::assert_snapshot!(driven(&shop, &["diff", "--", TOTAL, file]), @r#"
    tests/snapshots/pricing__new.snap
    total: new, 200 cases

    tests/snapshots/pricing__total.snap
    total: 13 of 200 cases changed

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
    "#);
    let other = driven(&shop, &["diff", "--", "tests/snapshots/other.snap"]);
    assert!(other.contains("+source: a.rs"), "{other}");
    let lines = driven(&shop, &["diff", "--no-ext-diff", "--", TOTAL]);
    assert!(
        lines.contains("-[[20.519937315862975,13,\"HALF\"],133.37959255310935]"),
        "{lines}"
    );
    shop.remove(file);
    shop.remove("tests/snapshots/other.snap");
    commit(&shop, "Raise prices");
    assert!(!driven(&shop, &["show"]).contains("13 of 200 cases changed"));
    assert!(driven(&shop, &["show", "--ext-diff"]).contains("13 of 200 cases changed"));
}
