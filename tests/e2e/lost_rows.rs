//! Rows that leave nothing to compare, because they never return or end the process.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;

#[cfg(unix)]
use tdg_tests::tools;
use tdg_tests::{Checkout, Finished, Program, Run};

#[cfg(unix)]
use crate::first_run::small_crate;

/// Runs a test that does `happens` in a special row.
fn run(shop: &Checkout<'_>, test: &str, happens: &str) -> Run {
    let run = shop.test("stuck", &["--exact", test]);
    run.env("HAPPENS", happens)
}

/// Returns the lines about running rows. A line from `tail` may start in the middle of a line from
/// cargo, which writes in pieces.
fn named(run: &Finished) -> String {
    let lines = run.stderr.lines();
    let own = lines.filter_map(|line| line.find("tdg: ").map(|start| line[start..].trim_end()));
    let named: Vec<&str> = own.filter(|line| line.contains("row")).collect();
    named.join("\n")
}

/// Returns the first line with a text from a run that can't end before, because a row waits for it.
fn line_of_waiting(shop: &Checkout<'_>, test: &str, threads: usize, text: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let waiting = run(shop, test, &address)
        .env("THREADS", threads.to_string())
        .env("TDG_SLOW_ROW", "1ms");
    let mut waiting = waiting.start();
    let mut lines = BufReader::new(waiting.stderr.take().unwrap()).lines();
    let line = lines.find_map(|line| line.ok().filter(|line| line.contains(text)));
    // Connections that were never accepted end as well.
    drop(listener);
    assert!(waiting.wait().unwrap().success());
    line.expect("the row took a minute and was not named")
}

/// Splits a line into the parts before and after the time.
fn parts(line: &str) -> (&str, &str) {
    let (what, after) = line.split_once(" for ").unwrap();
    (what, after.split_once(": ").unwrap().1)
}

#[test]
fn a_row_that_never_returns_is_named_while_it_runs() {
    let shop = Program::shop().checkout();
    let line = line_of_waiting(&shop, "special", 1, "row 17 ");
    let (what, inputs) = parts(&line);
    assert_eq!(what, "tdg: special has been in row 17");
    insta::assert_snapshot!(inputs, @"a = 4, b = 1, c = 2 (run it alone: TDG_CASES=17 cargo test special)");

    // Only the features that the function takes are reported.
    let line = line_of_waiting(&shop, "seven", 1, ": c = 7 ");
    insta::assert_snapshot!(parts(&line).1, @"c = 7 (run it alone: TDG_CASES=14 cargo test seven)");
}

#[test]
fn rows_in_threads_and_batches_are_named_as_well() {
    let shop = Program::shop().checkout();
    let line = line_of_waiting(&shop, "special", 2, "rows 17 and 42 ");
    insta::assert_snapshot!(line.split_once(" (").unwrap().1, @"run them alone: TDG_CASES=17,42 cargo test special)");
    let line = line_of_waiting(&shop, "batch", 1, "its batch ");
    assert!(line.starts_with("tdg: batch has been in its batch of 50 rows for "));
}

#[cfg(unix)]
#[test]
fn a_row_in_which_the_process_ends_is_named_the_second_time() {
    for happens in ["abort", "overflow", "kill"] {
        let shop = Program::shop().checkout();
        let first = run(&shop, "special", happens).fails();
        assert_eq!(named(&first), "", "{happens}");
        let second = run(&shop, "special", happens).fails();
        insta::allow_duplicates! {
            insta::assert_snapshot!(named(&second), @"tdg: the process ended while special was in row 17: a = 4, b = 1, c = 2 (run it alone: TDG_CASES=17 cargo test special)");
        }
        // The recovery is noted once, and nothing is printed.
        for said in [
            "tdg: recorded special, 50 cases, tests/snapshots/stuck__special.snap",
            "",
        ] {
            let passing = shop.test("stuck", &["--exact", "special"]).passes();
            assert_eq!(passing.said(), said);
        }
        let third = run(&shop, "special", happens).fails();
        assert_eq!(named(&third), "", "{happens}");
    }
}

/// If thread-locals are dropped when the process exits, the row needn't be noted beforehand.
#[cfg(not(target_env = "musl"))]
#[test]
fn a_row_in_which_the_process_exits_fails_and_is_named_at_once() {
    let shop = Program::shop().checkout();
    for threads in ["1", "2"] {
        for _ in 0..2 {
            let exits = run(&shop, "special", "exit").env("THREADS", threads);
            let named = named(&exits.fails());
            assert_eq!(named.lines().count(), 1, "{named}");
            assert!(named.contains("the process ended while special was in row"));
            assert!(named.contains("17") || named.contains("42"), "{named}");
        }
    }
    let on_ci = run(&shop, "batch", "exit").env("CI", "1").fails();
    insta::assert_snapshot!(named(&on_ci), @"tdg: the process ended while batch was in its batch of 50 rows");
}

#[cfg(unix)]
#[test]
fn a_batch_and_rows_in_threads_in_which_the_process_ends_are_named() {
    let shop = Program::shop().checkout();
    run(&shop, "batch", "abort").fails();
    let batch = run(&shop, "batch", "abort").fails();
    insta::assert_snapshot!(named(&batch), @"tdg: the process ended while batch was in its batch of 50 rows");
    let in_threads = || run(&shop, "special", "abort").env("THREADS", "2");
    in_threads().fails();
    let named = named(&in_threads().fails());
    assert!(named.contains("17") || named.contains("42"), "{named}");
}

#[cfg(unix)]
#[test]
fn chosen_rows_are_noted_at_once_and_nothing_is_written() {
    let shop = Program::shop().checkout();
    for _ in 0..2 {
        let chosen = run(&shop, "special", "abort").env("TDG_CASES", "0..50");
        insta::allow_duplicates! {
            insta::assert_snapshot!(named(&chosen.env("CI", "1").fails()), @"tdg: the process ended while special was in row 17: a = 4, b = 1, c = 2 (run it alone: TDG_CASES=17 cargo test special)");
        }
    }
    // On CI, a subset of the rows isn't enough.
    let some = shop.test("stuck", &["--exact", "special"]);
    let some = some.env("TDG_CASES", "0..5").env("CI", "1").fails();
    insta::assert_snapshot!(some.said().lines().last().unwrap(), @"tdg: invalid special, TDG_CASES compares only some of the 50 cases, and CI is set");
    assert!(!shop.has(".tdg"));
}

#[test]
fn where_nothing_may_be_written_no_run_is_marked() {
    let shop = Program::shop().checkout();
    for _ in 0..3 {
        let run = run(&shop, "special", "abort").env("CI", "1").fails();
        assert_eq!(named(&run), "");
    }
    assert!(!shop.has(".tdg"));
}

#[test]
fn without_tail_each_row_is_printed_before_it_runs() {
    let shop = Program::shop().checkout();
    let abort = || {
        run(&shop, "special", "abort")
            .env("PATH", "nowhere")
            .fails()
    };
    assert_eq!(named(&abort()), "");
    let lines = named(&abort());
    assert_eq!(lines.lines().count(), 18);
    insta::assert_snapshot!(lines.lines().last().unwrap(), @"tdg: special is in row 17: a = 4, b = 1, c = 2 (run it alone: TDG_CASES=17 cargo test special)");
}

#[test]
fn a_run_that_fails_or_panics_has_ended() {
    let shop = Program::shop().checkout();
    for _ in 0..2 {
        run(&shop, "special", "panic").fails();
    }
    let first = run(&shop, "special", "abort").fails();
    assert_eq!(named(&first), "");
}

/// cargo and nextest show the output of `tail` after their process is gone.
#[cfg(unix)]
#[test]
fn cargo_and_nextest_show_the_row() {
    let shop = small_crate("a-row-aborts");
    shop.edit(
        "src/lib.rs",
        "        super::total(amount, quantity, coupon)\n",
        "        if quantity > 18 {
            std::process::abort();
        }
        super::total(amount, quantity, coupon)\n",
    );
    let cargo = || {
        let run = shop.cargo(&["test"]).fails();
        assert!(run.stderr.contains("SIGABRT"), "{run}");
        named(&run)
    };
    assert_eq!(cargo(), "");
    let line = cargo();
    insta::assert_snapshot!(line, @"tdg: the process ended while tests::total was in row 13: amount = 28.00677550968443, quantity = 20, coupon = null (run it alone: TDG_CASES=13 cargo test tests::total)");
    let nextest = tools::nextest(&shop, &["run", "--color=never"]).fails();
    assert!(named(&nextest).contains(&line), "{nextest}");
}
