//! `cargo tdg review`, with and without a terminal.

use tdg_tests::{Checkout, Program};

use crate::terminal::Terminal;
use crate::{TOTAL, TOTAL_NEW, changed_shop, ended, tdg};

/// Returns a shop with two pending changes.
fn two_changes() -> Checkout<'static> {
    let shop = changed_shop();
    shop.pricing("invoice").passes();
    shop.pricing("invoice").env("FACTOR", "2").fails();
    shop
}

#[test]
fn without_a_terminal_the_other_commands_are_named() {
    let shop = changed_shop();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["review"]).finish()), @"
    error: a review needs a terminal; without one, use `cargo tdg pending --json`, `cargo tdg show NAME --changed`, `cargo tdg accept NAME` and `cargo tdg reject NAME`
    (2)
    ");
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn each_change_is_shown_and_decided_by_a_key() {
    let shop = two_changes();
    let benchmark = shop.read(TOTAL);
    let mut terminal = Terminal::start(&shop, &["review"], &[]);
    terminal.sees("1 of 2");
    terminal.sees("invoice: 20 of 20 cases changed");
    terminal.sees("quit");
    terminal.press("a");
    terminal.sees("accepted");
    terminal.sees("2 of 2");
    terminal.sees("total: 13 of 200 cases changed");
    terminal.sees("quit");
    terminal.press("r");
    terminal.sees("rejected");
    assert_eq!(terminal.ends(), 0);
    assert_eq!(shop.read(TOTAL), benchmark);
    assert!(!shop.has(TOTAL_NEW));
    assert_eq!(
        shop.pricing("invoice").env("FACTOR", "2").passes().stderr,
        ""
    );
}

#[test]
fn a_skipped_change_stays_pending_and_quitting_leaves_the_rest() {
    let shop = two_changes();
    let mut terminal = Terminal::start(&shop, &["review"], &[]);
    terminal.sees("quit");
    terminal.press("s");
    terminal.sees("2 of 2");
    terminal.sees("quit");
    // A key without a meaning.
    terminal.press("x");
    terminal.sees("quit");
    terminal.press("\u{3}");
    terminal.sees("2 changes are still pending.");
    assert_eq!(terminal.ends(), 1);
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn a_reason_is_asked_for_and_kept() {
    let shop = changed_shop();
    let mut terminal = Terminal::start(&shop, &["review", "total"], &[]);
    terminal.sees("quit");
    terminal.press("w");
    terminal.sees("why? ");
    terminal.press("prices rose\r");
    terminal.sees("for this reason");
    terminal.press("a");
    terminal.sees("accepted");
    assert_eq!(terminal.ends(), 0);
    let history = tdg(&shop, &["history", "total"]).passes();
    assert!(history.stdout.contains("prices rose"), "{history}");
}

#[test]
fn all_changed_cases_are_shown_page_by_page_as_high_as_the_terminal_is_then() {
    let shop = Program::shop().checkout();
    shop.pricing("many_cases").passes();
    shop.pricing("many_cases").env("FACTOR", "1.03").fails();
    let mut terminal = Terminal::start(&shop, &["review"], &[]);
    terminal.sees("quit");
    terminal.press("c");
    let first = terminal.sees("more lines");
    terminal.resize(12, 140);
    terminal.press(" ");
    let second = terminal.sees("more lines");
    assert_eq!(
        (first.lines().count(), second.lines().count()),
        (40, 12),
        "{first}\n{second}"
    );
    terminal.press("q");
    terminal.sees("quit");
    terminal.press("q");
    assert_eq!(terminal.ends(), 1);
}

#[test]
fn colours_can_be_switched_off() {
    let shop = changed_shop();
    let mut plain = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    plain.sees("quit");
    assert!(
        !plain.everything().contains("\u{1b}[1m"),
        "{}",
        plain.everything()
    );
    plain.press("q");
    plain.ends();
    let mut coloured = Terminal::start(&shop, &["review"], &[]);
    coloured.sees("quit");
    assert!(
        coloured.everything().contains("\u{1b}[1m"),
        "{}",
        coloured.everything()
    );
    coloured.press("q");
    coloured.ends();
}

#[test]
fn a_change_that_was_replaced_meanwhile_is_not_accepted() {
    let shop = changed_shop();
    let benchmark = shop.read(TOTAL);
    let mut terminal = Terminal::start(&shop, &["review"], &[]);
    terminal.sees("quit");
    shop.pricing("total").env("FACTOR", "1.07").fails();
    terminal.press("a");
    terminal.sees("was replaced after it was shown");
    assert_eq!(terminal.ends(), 1);
    assert_eq!(shop.read(TOTAL), benchmark);
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn the_cases_of_one_explanation_are_accepted_and_the_rest_is_shown_again() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    // A second cause: the benchmark has different prices for large quantities.
    let benchmark = shop.read(TOTAL);
    let lines = benchmark.lines().map(|line| {
        let quantity = line
            .strip_prefix("[[")
            .and_then(|line| line.split(',').nth(1));
        match quantity.and_then(|it| it.parse::<i64>().ok()) {
            Some(18..) if !line.contains("HALF") => {
                let (row, output) = line.rsplit_once(',').unwrap();
                let output: f64 = output.trim_end_matches(']').parse().unwrap();
                format!("{row},{}]", output - 1.5)
            }
            _ => line.to_owned(),
        }
    });
    let lines: Vec<String> = lines.collect();
    shop.write(TOTAL, &(lines.join("\n") + "\n"));
    shop.pricing("total").env("FACTOR", "1.03").fails();

    let mut terminal = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    let seen = terminal.sees("quit");
    let offer = seen.lines().find(|line| line.contains("the 13 cases with"));
    let offer = offer.unwrap_or_else(|| panic!("{seen}"));
    assert!(
        offer.contains("with coupon = \"HALF\": actual = 1.03 × expected")
            && seen.contains("quantity > 17"),
        "{seen}"
    );
    terminal.press(&offer[..1]);
    // One case is also in the other part, and stays pending until that is decided.
    terminal.sees("accepted total, 12 of 200 cases");
    let left = terminal.sees("quit");
    assert!(!left.contains("coupon ="), "{left}");
    assert!(left.contains("quantity > 17"), "{left}");
    terminal.press("s");
    assert_eq!(terminal.ends(), 1);
    assert_ne!(shop.read(TOTAL), benchmark);
    shop.pricing("total").env("FACTOR", "1.03").fails();
}

#[test]
fn each_part_is_offered_in_a_line_with_its_rule_and_decided_for_a_reason() {
    let shop = Program::shop().checkout();
    shop.inputs("priced").passes();
    let changed = shop.inputs("priced").env("TAX", "1").env("BREAK", "1");
    changed.fails();
    let plain = [("NO_COLOR", "1")];
    let mut terminal = Terminal::of_size((24, 80), &shop, &["review"], &plain);
    let seen = terminal.sees("quit").replace('\r', "");
    let is_part = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
    let parts: Vec<&str> = seen.lines().filter(is_part).collect();
    insta::assert_snapshot!(parts.join("\n"), @"
    1  /tax, added in 200 cases
    2  /price, 45 cases: b > 7; actual = 0.97 × expected
    ");
    terminal.press("w");
    terminal.sees("why? ");
    terminal.press("a regression\r");
    terminal.sees("a regression");
    let question = terminal.sees("› ");
    insta::assert_snapshot!(question.replace('\r', "").trim(), @"for this reason: a accept · 1–2 accept that part · r reject · Esc back ›");
    // Escape cancels the reason.
    terminal.press("\u{1b}");
    terminal.sees("w with a reason");
    terminal.sees("› ");
    terminal.press("w");
    terminal.sees("why? ");
    terminal.press("taxes are new\r");
    terminal.sees("accept that part");
    terminal.sees("› ");
    terminal.press("1");
    terminal.sees("accepted priced, /tax in 200 of 200 cases");
    terminal.sees("› ");
    terminal.press("w");
    terminal.sees("why? ");
    terminal.press("no discount was decided\r");
    terminal.sees("for this reason");
    terminal.sees("› ");
    terminal.press("r");
    terminal.sees("rejected");
    assert_eq!(terminal.ends(), 0);

    let history = tdg(&shop, &["history", "priced"]).passes().stdout;
    for [decision, reason] in [
        ["accepted in part", "taxes are new"],
        ["rejected", "no discount was decided"],
    ] {
        let line = history.lines().find(|line| line.contains(decision));
        assert!(line.is_some_and(|line| line.contains(reason)), "{history}");
    }
    assert!(!history.contains("a regression"), "{history}");
}

#[test]
fn a_report_that_is_higher_than_the_terminal_ends_with_its_head() {
    let shop = changed_shop();
    let plain = [("NO_COLOR", "1")];
    let mut terminal = Terminal::of_size((24, 80), &shop, &["review"], &plain);
    let seen = terminal.sees("quit").replace('\r', "");
    let longest = seen.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(80), "{seen}");
    let lines: Vec<&str> = seen.lines().collect();
    insta::assert_snapshot!(lines[lines.len() - 6..].join("\n"), @r#"
    ── 1 of 1 ── tests/snapshots/pricing__total.snap
    total: 13 of 200 cases changed
      all 13 have coupon = "HALF"   (13 of 13 such cases changed, 0 of the other
      187)
    a accept · w with a reason · r reject · s skip · c cases · ? keys · q quit
    "#);
    terminal.press("q");
    terminal.ends();

    let mut high = Terminal::start(&shop, &["review"], &plain);
    let seen = high.sees("quit");
    assert_eq!(seen.matches("1 of 1").count(), 1, "{seen}");
    high.press("q");
    high.ends();
}

#[test]
fn keys_go_back_accept_all_that_was_shown_and_are_explained() {
    let shop = two_changes();
    shop.pricing("many_cases").passes();
    // By another cause than the other two.
    shop.pricing("many_cases").env("FACTOR", "1.07").fails();
    let mut terminal = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    terminal.sees("1 of 3");
    terminal.sees("quit");
    terminal.press("?");
    let keys = terminal.sees("show these keys").replace('\r', "");
    insta::assert_snapshot!(keys.trim_start_matches(" › \n"), @"
    a    accept
    w    enter a reason, then decide with a, r or a number; Escape goes back
    r    reject
    s    skip: the change stays pending
    1–9  accept only the part with that number, then show the rest
    o    show tests that changed by the same cause one by one
    c    show all changed cases, page by page
    e    find the cause by experiment, as `cargo tdg why` does
    b    back to the previous pending change
    A    accept this change and all others that were shown
    S    skip all that are left
    q    quit
    ?    show these keys
    ");
    terminal.sees("quit");
    terminal.press("s");
    terminal.sees("2 of 3");
    terminal.sees("quit");
    terminal.press("b");
    terminal.sees("1 of 3");
    terminal.sees("quit");
    terminal.press("s");
    terminal.sees("2 of 3");
    terminal.sees("quit");
    terminal.press("A");
    terminal.sees("accepted invoice");
    terminal.sees("accepted many_cases");
    // The third change has not been shown.
    terminal.sees("3 of 3");
    terminal.sees("quit");
    terminal.press("S");
    terminal.sees("1 change is still pending.");
    assert_eq!(terminal.ends(), 1);
}

/// Returns the review of two tests that changed by one cause.
fn review_of_one_cause() -> (Checkout<'static>, Terminal) {
    let shop = changed_shop();
    shop.pricing("many_cases").passes();
    shop.pricing("many_cases").env("FACTOR", "1.03").fails();
    let mut terminal = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    terminal.sees("1 of 1");
    let seen = terminal.sees("› ").replace('\r', "");
    let said = "2 tests: all changed cases have coupon = \"HALF\", actual = 1.03 × expected\n  \
                many_cases, total\nmany_cases: ";
    assert!(seen.contains(said), "{seen}");
    let question = "a accept all 2 · w with a reason · r reject all 2 · s skip · o one by one · ";
    assert!(seen.contains(question), "{seen}");
    (shop, terminal)
}

#[test]
fn tests_that_changed_by_one_cause_are_decided_by_one_key() {
    let (shop, mut terminal) = review_of_one_cause();
    terminal.press("a");
    terminal.sees("accepted many_cases");
    terminal.sees("accepted total");
    assert_eq!(terminal.ends(), 0);
    for test in ["many_cases", "total"] {
        shop.pricing(test).env("FACTOR", "1.03").passes();
    }

    let (shop, mut terminal) = review_of_one_cause();
    terminal.press("r");
    terminal.sees("rejected many_cases");
    terminal.sees("rejected total");
    assert_eq!(terminal.ends(), 0);
    for test in ["many_cases", "total"] {
        shop.pricing(test).passes();
    }
}

#[test]
fn tests_that_changed_by_one_cause_can_be_decided_one_by_one() {
    let (shop, mut terminal) = review_of_one_cause();
    terminal.press("o");
    terminal.sees("1 of 2");
    terminal.sees("quit");
    terminal.press("r");
    terminal.sees("rejected many_cases");
    terminal.sees("2 of 2");
    terminal.sees("quit");
    terminal.press("a");
    terminal.sees("accepted total");
    assert_eq!(terminal.ends(), 0);
    shop.pricing("total").env("FACTOR", "1.03").passes();
    shop.pricing("many_cases").env("FACTOR", "1.03").fails();
}

#[test]
fn a_change_that_was_replaced_since_its_group_was_shown_stays_pending() {
    let (shop, mut terminal) = review_of_one_cause();
    shop.pricing("total").env("FACTOR", "1.07").fails();
    terminal.press("a");
    terminal.sees("accepted many_cases");
    terminal.sees("was replaced after it was shown");
    assert_eq!(terminal.ends(), 1);
    shop.pricing("total").env("FACTOR", "1.07").fails();
}

#[test]
fn only_space_and_enter_turn_a_page() {
    let shop = Program::shop().checkout();
    shop.pricing("many_cases").passes();
    shop.pricing("many_cases").env("FACTOR", "1.03").fails();
    let mut terminal = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    terminal.sees("quit");
    terminal.press("c");
    terminal.sees("more lines");
    terminal.press("s");
    let again = terminal.sees("more lines");
    assert_eq!(again.lines().count(), 2, "{again}");
    terminal.press("q");
    terminal.sees("quit");
    terminal.press("q");
    terminal.ends();
}
