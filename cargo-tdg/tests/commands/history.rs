//! `cargo tdg history`.

use tdg_tests::{Checkout, Finished, Program, Run};

use crate::{changed_shop, changed_shop_without_files, ended, tdg};

#[test]
fn runs_and_reasons_are_shown_newest_first() {
    let shop = changed_shop();
    let reason = "prices rose by 3 %";
    tdg(&shop, &["accept", "total", "--reason", reason]).passes();
    shop.pricing("total").env("FACTOR", "1.03").passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    total
               when (UTC)  run       changed  cases  decision  reason
      yyyy-mm-dd hh:mm:ss  same            0    200
      yyyy-mm-dd hh:mm:ss                            accepted  prices rose by 3 %
      yyyy-mm-dd hh:mm:ss  changed        13    200
      yyyy-mm-dd hh:mm:ss  recorded        0    200  recorded
    (0)
    ");
}

#[test]
fn a_run_in_which_nothing_could_be_compared_has_no_number_of_changes() {
    let shop = Program::shop().checkout();
    let run = || shop.test("evolved", &["--exact", "an_array_of_four"]);
    run().passes();
    run().env("CHANGED", "1").fails();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "an_array_of_four"]).finish()), @"
    an_array_of_four
               when (UTC)  run             changed  cases  decision
      yyyy-mm-dd hh:mm:ss  inputs changed        –    100
      yyyy-mm-dd hh:mm:ss  recorded              0    100  recorded
    (0)
    ");
}

#[test]
fn reasons_are_kept_without_snapshot_files_as_well() {
    let shop = changed_shop_without_files();
    tdg(&shop, &["accept", "total", "--reason", "new prices"]).passes();
    let history = tdg(&shop, &["history", "total"]).passes();
    assert!(
        history.stdout.contains("accepted") && history.stdout.contains("new prices"),
        "{history}"
    );
}

#[test]
fn the_use_of_a_tolerance_is_seen_before_it_is_exceeded() {
    let shop = Program::shop().checkout();
    shop.pricing("tolerant").passes();
    shop.pricing("tolerant").env("FACTOR", "1.02").passes();
    shop.pricing("tolerant").env("FACTOR", "1.04").passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "tolerant"]).finish()), @"
    tolerant
               when (UTC)  run       changed  cases  tolerance used     decision
      yyyy-mm-dd hh:mm:ss  same            0     10  ▕████████  ▏ 77 %
      yyyy-mm-dd hh:mm:ss  same            0     10  ▕████      ▏ 39 %
      yyyy-mm-dd hh:mm:ss  recorded        0     10                     recorded
    (0)
    ");
}

#[test]
fn a_benchmark_file_that_was_replaced_without_a_decision_says_so() {
    let shop = changed_shop();
    std::fs::rename(shop.path(crate::TOTAL_NEW), shop.path(crate::TOTAL)).unwrap();
    for _ in 0..2 {
        shop.pricing("total").env("FACTOR", "1.03").passes();
    }
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    total
               when (UTC)  run       changed  cases  decision
      yyyy-mm-dd hh:mm:ss  same            0    200
      yyyy-mm-dd hh:mm:ss  same            0    200  benchmark file replaced
      yyyy-mm-dd hh:mm:ss  changed        13    200
      yyyy-mm-dd hh:mm:ss  recorded        0    200  recorded
    (0)
    ");
}

/// Returns a shop in a git repository with a decision: the benchmark and its sources are committed,
/// and a change is accepted with uncommitted sources.
fn decided_in_git() -> Checkout<'static> {
    let shop = changed_shop();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let git = Run::new("git", shop.folder()).arguments(&identity);
        git.arguments(arguments).passes();
    };
    shop.write(".gitignore", "/target\n/.tdg\n*.snap.new\n");
    git(&["init", "--quiet", "--initial-branch=prices"]);
    git(&["config", "user.name", "Ada Lovelace <ada@example.org>"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "Add tests"]);
    shop.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&shop, &["reject", "total", "--reason", "not yet"]).passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    shop.edit("src/lib.rs", "\n", "\n\n");
    tdg(&shop, &["accept", "total", "--reason", "new \"prices\""])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_SERVER_URL", "https://github.com")
        .env("GITHUB_REPOSITORY", "ada/shop")
        .env("GITHUB_RUN_ID", "7")
        .passes();
    shop
}

/// Returns the output without the shop's commit.
fn without_commit(shop: &Checkout<'_>, run: &Finished) -> String {
    let head = Run::new("git", shop.folder()).arguments(&["rev-parse", "HEAD"]);
    let head = head.passes().stdout;
    let said = ended(shop, run).replace(head.trim(), "<commit>");
    said.replace(&head[..7], "<7 hex>")
}

#[test]
fn decisions_say_who_made_them_and_where() {
    let shop = decided_in_git();
    let history = tdg(&shop, &["history", "total"]).finish();
    insta::assert_snapshot!(without_commit(&shop, &history), @r#"
    total
               when (UTC)  run       changed  cases  decision  commit           by            reason
      yyyy-mm-dd hh:mm:ss                            accepted  prices@<7 hex>+  Ada Lovelace  new "prices"
      yyyy-mm-dd hh:mm:ss  changed        13    200            prices@<7 hex>
      yyyy-mm-dd hh:mm:ss                            rejected  prices@<7 hex>   Ada Lovelace  not yet
      yyyy-mm-dd hh:mm:ss  changed        13    200            prices@<7 hex>
      yyyy-mm-dd hh:mm:ss  changed        13    200
      yyyy-mm-dd hh:mm:ss  recorded        0    200  recorded
    (0)
    "#);
}

#[test]
fn a_run_of_sources_that_its_commit_lacks_says_so() {
    let shop = decided_in_git();
    shop.pricing("total").fails();
    let newest = |arguments: &[&str], line: usize| {
        let history = tdg(&shop, &[&["history", "total"], arguments].concat()).finish();
        let said = without_commit(&shop, &history);
        said.lines().nth(line).unwrap().to_owned()
    };
    let shown = newest(&[], 2);
    assert!(shown.ends_with("prices@<7 hex>+"), "{shown}");
    let line = newest(&["--json"], 0);
    assert!(line.contains(r#""dirty":true"#), "{line}");
}

#[test]
fn the_author_of_a_decision_is_the_one_of_a_commit() {
    let shop = decided_in_git();
    let by = |variables: &[(&str, &str)]| {
        shop.pricing("total").fails();
        let run = tdg(&shop, &["reject", "total"]);
        let run = variables
            .iter()
            .fold(run, |run, (name, value)| run.env(name, value));
        run.passes();
        let history = tdg(&shop, &["history", "total", "--json"]).passes();
        let author = history.stdout.lines().next().unwrap();
        let (_, author) = author.split_once("\"author\":").unwrap();
        author.split(',').next().unwrap().to_owned()
    };
    assert_eq!(by(&[]), "\"Ada Lovelace\"");
    assert_eq!(by(&[("GIT_AUTHOR_NAME", "Ben")]), "\"Ben\"");
    let committer = ("GIT_COMMITTER_NAME", "Carol");
    assert_eq!(by(&[committer]), "\"Ada Lovelace\"");
    let unset = Run::new("git", shop.folder()).arguments(&["config", "--unset", "user.name"]);
    unset.passes();
    assert_eq!(by(&[committer]), "\"Carol\"");
    assert_eq!(by(&[]), "null");
}

#[test]
fn scripts_get_a_line_of_json_for_each_run_and_decision() {
    let shop = decided_in_git();
    let history = tdg(&shop, &["history", "total", "--json"]).finish();
    let said = without_commit(&shop, &history);
    // Removes times, identifiers of benchmarks, and the platform.
    let members = said.lines().map(|line| {
        let parts = line.split(',').map(|part| match part.split_once("\":\"") {
            Some((key @ ("\"when" | "\"benchmark" | "{\"arch" | "\"os"), _)) => {
                format!("{key}\":…")
            }
            _ => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join(",")
    });
    insta::assert_snapshot!(members.collect::<Vec<_>>().join("\n"), @r#"
    {"author":"Ada Lovelace","benchmark":…,"branch":"prices","ci":"https://github.com/ada/shop/actions/runs/7","commit":"<commit>","decision":"accepted","dirty":true,"origin":null,"reason":"new \"prices\"","renamed_from":null,"when":…
    {"arch":…,"asserted":false,"benchmark":…,"branch":"prices","cases":200,"changed":13,"commit":"<commit>","dirty":false,"origin":null,"os":…,"policy":{},"verdict":"changed","when":…
    {"author":"Ada Lovelace","benchmark":null,"branch":"prices","ci":null,"commit":"<commit>","decision":"rejected","dirty":false,"origin":null,"reason":"not yet","renamed_from":null,"when":…
    {"arch":…,"asserted":false,"benchmark":…,"branch":"prices","cases":200,"changed":13,"commit":"<commit>","dirty":false,"origin":null,"os":…,"policy":{},"verdict":"changed","when":…
    {"arch":…,"asserted":false,"benchmark":…,"cases":200,"changed":13,"origin":null,"os":…,"policy":{},"verdict":"changed","when":…
    {"author":null,"benchmark":…,"branch":null,"ci":null,"commit":null,"decision":"recorded","dirty":null,"origin":null,"reason":null,"renamed_from":null,"when":…
    {"arch":…,"asserted":true,"benchmark":…,"cases":200,"changed":0,"origin":null,"os":…,"policy":{},"verdict":"recorded","when":…
    (0)
    "#);
}

#[test]
fn a_run_that_accepts_is_a_separate_decision() {
    let shop = changed_shop();
    let always = |factor| {
        let run = shop.pricing("total").env("FACTOR", factor);
        run.env("TDG_UPDATE", "always").passes();
    };
    always("1.03");
    // Back to the first benchmark.
    always("1");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    total
               when (UTC)  run       changed  cases  decision
      yyyy-mm-dd hh:mm:ss  accepted       13    200  accepted
      yyyy-mm-dd hh:mm:ss  accepted       13    200  accepted
      yyyy-mm-dd hh:mm:ss  changed        13    200
      yyyy-mm-dd hh:mm:ss  recorded        0    200  recorded
    (0)
    ");
}

#[test]
fn a_test_that_never_ran_here_has_no_history() {
    let shop = changed_shop();
    shop.remove(".tdg");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    The store has no runs of this test yet.
    (0)
    ");
    assert!(!shop.has(".tdg"), "looking made a store");
}

#[test]
fn a_damaged_store_is_reported_and_left_as_it_is() {
    let shop = changed_shop();
    shop.damage_store();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    error: the store <shop>/.tdg/store.db is damaged (file is not a database) and was left as it is: restore it, or delete the directory <shop>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)
    (2)
    ");
    assert_eq!(shop.read(".tdg/store.db"), "not a database");
}

#[test]
fn the_runs_on_a_server_are_elsewhere() {
    let ledger = Program::ledger().checkout().with_store("store.db");
    let history = tdg(&ledger, &["history", "ledger::total"]);
    let history = history.env("TDG_URL", "https://tdg.example").finish();
    insta::assert_snapshot!(ended(&ledger, &history), @"
    The store has no runs of this test yet.
    note: total is pinned to a benchmark on the server at https://tdg.example; `cargo tdg pull` adds its new runs there to this list
    (0)
    ");
}

#[test]
fn decisions_before_the_first_run_shown_are_counted() {
    let shop = changed_shop();
    tdg(&shop, &["reject", "total", "--reason", "not yet"]).passes();
    shop.pricing("total").passes();
    let limited = ["history", "total", "--limit", "1"];
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &limited).finish()), @"
    total
               when (UTC)  run   changed  cases
      yyyy-mm-dd hh:mm:ss  same        0    200
      … and 2 earlier decisions (--limit)
    (0)
    ");
    let json = tdg(&shop, &["history", "total", "--limit", "1", "--json"]).passes();
    assert_eq!(json.stdout.matches("\"verdict\"").count(), 1, "{json}");
    assert_eq!(json.stdout.matches("\"decision\"").count(), 2, "{json}");
}
