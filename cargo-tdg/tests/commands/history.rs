//! `cargo tdg history`.

use tdg_tests::Program;

use crate::{changed_shop, changed_shop_without_files, ended, tdg};

#[test]
fn runs_and_reasons_are_shown_newest_first() {
    let shop = changed_shop();
    let reason = "prices rose by 3 %";
    tdg(&shop, &["accept", "total", "--reason", reason]).passes();
    shop.pricing("total").env("FACTOR", "1.03").passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    total
               when (UTC)  verdict   changed  cases  tolerance used
      yyyy-mm-dd hh:mm:ss  same            0    200
      yyyy-mm-dd hh:mm:ss  accepted                                  prices rose by 3 %
      yyyy-mm-dd hh:mm:ss  changed        13    200
      yyyy-mm-dd hh:mm:ss  recorded        0    200
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
               when (UTC)  verdict   changed  cases  tolerance used
      yyyy-mm-dd hh:mm:ss  same            0     10  ▕████████  ▏ 77 %
      yyyy-mm-dd hh:mm:ss  same            0     10  ▕████      ▏ 39 %
      yyyy-mm-dd hh:mm:ss  recorded        0     10
    (0)
    ");
}

#[test]
fn scripts_get_a_line_of_json_for_each_event() {
    let shop = changed_shop();
    tdg(&shop, &["accept", "total", "--reason", "new \"prices\""]).passes();
    let run = tdg(&shop, &["history", "total", "--json"]).passes();
    let kinds = run.stdout.lines().map(|line| {
        let event = tdg_definition::json::parse(line).unwrap();
        let text = |key: &str| {
            event
                .get(key)
                .map(|it| it.as_str().unwrap_or_default().to_owned())
        };
        text("verdict").or_else(|| text("reason")).unwrap()
    });
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        ["new \"prices\"", "changed", "recorded"]
    );
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
    shop.remove(".tdg");
    shop.write(".tdg/store.db", "not a database");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    error: the store <shop>/.tdg/store.db is damaged (file is not a database) and was left as it is: restore it, or delete the directory <shop>/.tdg (this loses the history, and benchmarks only if tdg.toml has `snapshots = false`)
    (2)
    ");
    assert_eq!(shop.read(".tdg/store.db"), "not a database");
}

#[test]
#[ignore = "D11: nothing is said of the server"]
fn the_runs_on_a_server_are_elsewhere() {
    let ledger = Program::ledger().checkout().with_store("store.db");
    let history = tdg(&ledger, &["history", "ledger::total"]);
    let history = history.env("TDG_URL", "https://tdg.example").finish();
    insta::assert_snapshot!(ended(&ledger, &history), @"");
}
