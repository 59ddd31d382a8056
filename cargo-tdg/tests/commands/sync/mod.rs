//! `cargo tdg push`, `pull` and `sync`, with a real server.

mod interruptions;
mod login;
mod page_session;
mod pin;
mod remote_decisions;

use std::path::Path;

use rusqlite::Connection;
use tdg_service::{ApiKey, Page, RemoteService};
use tdg_tests::{Checkout, Program, Project, Run, Server};

use crate::terminal::Terminal;
use crate::{anonymous, ended, tdg};

const ALL: &str = "read,assert,write,delete";

/// A server and a key for it.
pub(crate) struct Team {
    pub(crate) server: Server,
    pub(crate) key: String,
}

impl Team {
    pub(crate) fn start() -> Self {
        let server = Server::start();
        let key = server.key("team", ALL);
        Self { server, key }
    }

    /// Returns a shop configured for the server, after a run of two tests.
    fn shop(&self) -> Checkout<'static> {
        let shop = self.clone_without_runs();
        for test in ["total", "invoice"] {
            shop.pricing(test).passes();
        }
        shop
    }

    pub(crate) fn clone_without_runs(&self) -> Checkout<'static> {
        let shop = Program::shop().checkout();
        shop.write("tdg.toml", &format!("url = \"{}\"\n", self.server.url));
        shop
    }

    /// Clones the committed files of a shop.
    pub(crate) fn clone_of(&self, shop: &Project) -> Checkout<'static> {
        let other = Program::shop().checkout();
        for file in ["tdg.toml", crate::TOTAL, INVOICE] {
            if shop.has(file) {
                other.write(file, &shop.read(file));
            }
        }
        other
    }

    /// Returns a command that uses the key.
    pub(crate) fn run(&self, shop: &Project, arguments: &[&str]) -> Run {
        tdg(shop, arguments).env("TDG_API_KEY", self.server.bound(&self.key))
    }

    /// Returns the result of a command without kinds of records that are unchanged.
    pub(crate) fn says(&self, shop: &Project, arguments: &[&str]) -> String {
        self.told(shop, self.run(shop, arguments))
    }

    fn told(&self, shop: &Project, run: Run) -> String {
        let all = self.told_whole(shop, run);
        all.split_inclusive('\n')
            .filter(|line| !is_idle(line))
            .collect()
    }

    /// Returns the result without varying parts.
    fn told_whole(&self, shop: &Project, run: Run) -> String {
        let text = ended(shop, &run.finish());
        without_identities(&text.replace(&self.server.url, "<url>"))
    }

    /// Returns the differences between both places, as reported by `sync status`.
    fn status(&self, shop: &Project) -> String {
        let told = self.says(shop, &["sync", "status", "--json"]);
        told.replace("\"kind\":", "").replace('"', "")
    }
}

/// Returns true for the line of a kind without transferred, refused or unshared records: all
/// numbers except the last are 0, or all are equal.
fn is_idle(line: &str) -> bool {
    let numbers = line.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<&str> = numbers.filter(|number| !number.is_empty()).collect();
    let is_alike = |numbers: &[&str], all: &str| numbers.iter().all(|number| *number == all);
    match numbers.as_slice() {
        [before @ .., _] if line.ends_with(" already\n") => is_alike(before, "0"),
        [first, _, _] if !line.contains(',') || line.starts_with('{') => is_alike(&numbers, first),
        _ => false,
    }
}

pub(crate) const INVOICE: &str = "tests/snapshots/pricing__invoice.snap";

/// Returns the runs of a test, newest first, without their origins and identifiers that vary by
/// store.
pub(crate) fn history(shop: &Project, test: &str) -> String {
    let runs = tdg(shop, &["history", test, "--json"]).passes();
    let (name, none) = (r#""origin":"#, r#""origin":null"#);
    let lines = runs.stdout.lines().map(|line| {
        let (before, origin) = line.split_once(name).unwrap();
        let (_, after) = origin.split_once(",\"").unwrap();
        format!("{before}{none},\"{after}\n")
    });
    let lines = lines.collect::<String>();
    without_identities(&without_keys(&lines))
}

/// Removes the keys that decisions came through, which differ between clones.
fn without_keys(history: &str) -> String {
    let mut parts = history.split(r#""through":""#);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once("\",").unwrap().1);
    first + &rest.collect::<String>()
}

/// Replaces all UUIDs and keys.
fn without_identities(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_hexdigit()) {
        let (before, from) = rest.split_at(at);
        result.push_str(before);
        let is_of_uuid = |c: char| c.is_ascii_hexdigit() || c == '-';
        let end = from.find(|c: char| !is_of_uuid(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        result.push_str(match (word.len(), word.matches('-').count()) {
            (36, 4) => "<uuid>",
            (12, 0) => "<digits>",
            _ => word,
        });
        rest = after;
    }
    result + rest
}

#[test]
fn the_identity_of_a_project_is_added_to_its_settings_on_request() {
    let team = Team::start();
    let shop = team.shop();
    let settings = shop.read("tdg.toml");
    insta::assert_snapshot!(team.says(&shop, &["push"]), @r#"
    error: tdg.toml has no project_uuid, which identifies the project to clones and servers; team has no project shop at <url> yet: add project_uuid = "<uuid>" to tdg.toml, or run this with --yes
    (2)
    "#);
    insta::assert_snapshot!(team.says(&shop, &["push", "--dry-run"]), @r#"
    shop, <url>, account team
    projects     1 to send, 0 refused, 0 there already
    definitions  1 to send, 0 refused, 0 there already
    ensembles    2 to send, 0 refused, 0 there already
    tests        2 to send, 0 refused, 0 there already
    benchmarks   2 to send, 0 refused, 0 there already
    decisions    2 to send, 0 refused, 0 there already
    assertions   2 to send, 0 refused, 0 there already
    note: team has no project shop at <url> yet; without --dry-run, project_uuid = "<uuid>" is added to tdg.toml
    (1)
    "#);
    insta::assert_snapshot!(team.says(&shop, &["pull"]), @"
    error: team has no project shop at <url>, so there is nothing to pull; `cargo tdg push` makes it, or add the project_uuid of another one to tdg.toml
    (2)
    ");
    assert_eq!(shop.read("tdg.toml"), settings);
    insta::assert_snapshot!(team.says(&shop, &["push", "--yes"]), @r#"
    added project_uuid = "<uuid>" to tdg.toml; commit it, so that every clone has the same
    shop, <url>, account team
    projects     1 sent, 0 refused, 0 there already
    definitions  1 sent, 0 refused, 0 there already
    ensembles    2 sent, 0 refused, 0 there already
    tests        2 sent, 0 refused, 0 there already
    benchmarks   2 sent, 0 refused, 0 there already
    decisions    2 sent, 0 refused, 0 there already
    assertions   2 sent, 0 refused, 0 there already
    (0)
    "#);
    assert!(
        shop.read("tdg.toml")
            .starts_with(&format!("{settings}project_uuid = \""))
    );
    // An older clone has no identity either, and finds the project by name.
    let other = team.clone_without_runs();
    let key = team.server.bound(&team.key);
    let key = [("TDG_API_KEY", key.as_str())];
    let mut terminal = Terminal::start(&other, &["pull"], &key);
    terminal.sees("Add its project_uuid to tdg.toml? [y/n] ");
    terminal.press("n");
    assert_eq!(terminal.ends(), 2);
    assert_eq!(other.read("tdg.toml"), settings);
    let mut terminal = Terminal::start(&other, &["pull"], &key);
    terminal.sees("Add its project_uuid to tdg.toml? [y/n] ");
    terminal.press("y");
    terminal.sees("assertions");
    assert_eq!(terminal.ends(), 0);
    assert_eq!(other.read("tdg.toml"), shop.read("tdg.toml"));
}

#[test]
fn a_second_push_sends_nothing_and_a_pull_is_a_copy() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    insta::assert_snapshot!(team.told_whole(&shop, team.run(&shop, &["push"])), @"
    shop, <url>, account team
    projects     0 sent, 0 refused, 1 there already
    definitions  0 sent, 0 refused, 1 there already
    ensembles    0 sent, 0 refused, 2 there already
    tests        0 sent, 0 refused, 2 there already
    benchmarks   0 sent, 0 refused, 2 there already
    decisions    0 sent, 0 refused, 2 there already
    assertions   0 sent, 0 refused, 2 there already
    (0)
    ");
    let other = team.clone_of(&shop);
    insta::assert_snapshot!(team.told_whole(&other, team.run(&other, &["pull"])), @"
    shop, <url>, account team
    projects     0 received, 0 refused, 1 here already
    definitions  1 received, 0 refused, 0 here already
    ensembles    2 received, 0 refused, 0 here already
    tests        2 received, 0 refused, 0 here already
    benchmarks   2 received, 0 refused, 0 here already
    decisions    2 received, 0 refused, 0 here already
    assertions   2 received, 0 refused, 0 here already
    (0)
    ");
    insta::assert_snapshot!(team.told_whole(&other, team.run(&other, &["sync"])), @"
    shop, <url>, account team
    projects     0 sent, 0 received, 0 refused, 1 in both already
    definitions  0 sent, 0 received, 0 refused, 1 in both already
    ensembles    0 sent, 0 received, 0 refused, 2 in both already
    tests        0 sent, 0 received, 0 refused, 2 in both already
    benchmarks   0 sent, 0 received, 0 refused, 2 in both already
    decisions    0 sent, 0 received, 0 refused, 2 in both already
    assertions   0 sent, 0 received, 0 refused, 2 in both already
    (0)
    ");
    for test in ["total", "invoice"] {
        assert_eq!(history(&other, test), history(&shop, test));
    }
    insta::assert_snapshot!(team.told_whole(&other, team.run(&other, &["sync", "status"])), @"
    project    shop (<uuid>)
    server     <url>, account team
    last sync  yyyy-mm-dd hh:mm:ss UTC

                 here  there  in both
    projects        1      1        1
    definitions     1      1        1
    ensembles       2      2        2
    tests           2      2        2
    benchmarks      2      2        2
    decisions       2      2        2
    assertions      2      2        2

    newest assertion: yyyy-mm-dd hh:mm:ss UTC
    Both places have the same records.
    (0)
    ");
    insta::assert_snapshot!(team.told_whole(&other, team.run(&other, &["sync", "verify"])), @"
    equal: both places have the same records (12)
    (0)
    ");
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_one_line_of_what_is_sent_until_it_is() {
    let team = Team::start();
    let shop = team.shop();
    let key = team.server.bound(&team.key);
    let variables = [("TDG_API_KEY", key.as_str()), ("NO_COLOR", "1")];
    let shown = Terminal::start(&shop, &["push", "--yes"], &variables).ends_with();
    let (_, shown) = shown.split_once("account team\r\n\r").unwrap();
    let shown = shown
        .replace("\r\n", "\n")
        .replace("\r\u{1b}[K", "\n<again>");
    insta::assert_snapshot!(shown.trim_start_matches("\u{1b}[K"), @"
    comparing …
    <again>projects: 1 of 1 sent …
    <again>definitions: 1 of 1 sent …
    <again>ensembles: 2 of 2 sent …
    <again>tests: 2 of 2 sent …
    <again>benchmarks: 2 of 2 sent …
    <again>decisions: 2 of 2 sent …
    <again>assertions: 2 of 2 sent …
    <again>projects     1 sent, 0 refused, 0 there already
    definitions  1 sent, 0 refused, 0 there already
    ensembles    2 sent, 0 refused, 0 there already
    tests        2 sent, 0 refused, 0 there already
    benchmarks   2 sent, 0 refused, 0 there already
    decisions    2 sent, 0 refused, 0 there already
    assertions   2 sent, 0 refused, 0 there already
    ");
}

#[test]
fn a_push_names_the_page_of_a_failing_run() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(team.says(&shop, &["push"]), @"
    shop, <url>, account team
    assertions   1 sent, 0 refused, 2 there already
    failing
      total changed: <url>/project/<uuid>/test/<uuid>/run/<uuid>
    (0)
    ");
    // The test passes again.
    shop.pricing("total").env("FACTOR", "1.03").fails();
    shop.pricing("total").passes();
    insta::assert_snapshot!(team.says(&shop, &["push"]), @"
    shop, <url>, account team
    assertions   2 sent, 0 refused, 3 there already
    (0)
    ");
}

#[test]
fn two_clones_get_each_others_runs() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let other = team.clone_of(&shop);
    other.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(team.says(&shop, &["sync", "--json"]), @r#"
    {"answer":"sent","kind":"assertion","uuid":"<uuid>"}
    (0)
    "#);
    insta::assert_snapshot!(team.says(&other, &["sync", "status"]), @"
    project    shop (<uuid>)
    server     <url>, account team
    last sync  never

                 here  there  in both
    ensembles       1      2        1
    tests           1      2        1
    benchmarks      1      2        1
    decisions       0      2        0
    assertions      1      3        0

    newest assertion: yyyy-mm-dd hh:mm:ss UTC here, yyyy-mm-dd hh:mm:ss UTC there
    1 to send, 8 to receive: cargo tdg sync
    (1)
    ");
    insta::assert_snapshot!(team.says(&other, &["sync", "--dry-run", "--json"]), @r#"
    {"both":1,"kind":"project","to_receive":0,"to_send":0}
    {"both":1,"kind":"definition","to_receive":0,"to_send":0}
    {"both":1,"kind":"ensemble","to_receive":1,"to_send":0}
    {"both":1,"kind":"test","to_receive":1,"to_send":0}
    {"both":1,"kind":"benchmark","to_receive":1,"to_send":0}
    {"both":0,"kind":"decision","to_receive":2,"to_send":0}
    {"both":0,"kind":"assertion","to_receive":3,"to_send":1}
    (1)
    "#);
    team.run(&other, &["sync"]).passes();
    team.run(&shop, &["sync"]).passes();
    assert_eq!(history(&other, "total"), history(&shop, "total"));
    assert_eq!(
        team.run(&shop, &["sync", "--dry-run"]).finish().code,
        Some(0)
    );
}

#[test]
fn a_package_without_tests_is_named() {
    let team = Team::start();
    let shop = team.clone_without_runs();
    insta::assert_snapshot!(team.says(&shop, &["pull", "-p", "shop"]), @"
    error: shop has no tests here yet; omit --package
    (2)
    ");
}

#[test]
fn a_key_sends_only_what_it_may() {
    let team = Team::start();
    let shop = team.shop();
    let with = |scopes, arguments: &[&str]| {
        let key = team.server.bound(&team.server.key("team", scopes));
        team.told(&shop, tdg(&shop, arguments).env("TDG_API_KEY", key))
    };
    let new = with("read,assert", &["push", "--yes"]);
    assert!(new.contains("lacks the scope `write`"), "{new}");
    assert!(!shop.read("tdg.toml").contains("project_uuid"));
    team.run(&shop, &["push", "--yes"]).passes();
    shop.pricing("tolerant").passes();
    insta::assert_snapshot!(with("assert", &["push"]), @"
    error: the key team (tdg_<digits>) of team lacks the scope `read`, which is needed to compare what the server has; use a key that has it
    (2)
    ");
    insta::assert_snapshot!(with("read", &["push"]), @"
    error: the key team (tdg_<digits>) of team lacks the scope `write`, which is needed to send records (pulling needs only `read`); use a key that has it
    (2)
    ");
    insta::assert_snapshot!(with("read,assert", &["push"]), @"
    shop, <url>, account team
    error: the key team (tdg_<digits>) of team lacks the scope `write`, which is needed to send 1 ensemble, 1 test, 1 benchmark, 1 decision; use a key that has it
    (2)
    ");
    let status = team.status(&shop);
    insta::assert_snapshot!(status, @"
    {both:2,here:3,ensemble,there:2}
    {both:2,here:3,test,there:2}
    {both:2,here:3,benchmark,there:2}
    {both:2,here:3,decision,there:2}
    {both:2,here:3,assertion,there:2}
    (1)
    ");
    team.run(&shop, &["push"]).passes();
    shop.pricing("total").passes();
    insta::assert_snapshot!(with("read,assert", &["push"]), @"
    shop, <url>, account team
    assertions   1 sent, 0 refused, 3 there already
    (0)
    ");
}

#[test]
fn another_account_has_none_of_it() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let key = team.server.bound(&team.server.key("others", ALL));
    let run = tdg(&shop, &["sync", "status"]).env("TDG_API_KEY", key);
    insta::assert_snapshot!(team.told(&shop, run), @"
    project    shop (<uuid>)
    server     <url>, account others
    last sync  yyyy-mm-dd hh:mm:ss UTC

                 here  there  in both
    projects        1      0        0
    definitions     1      0        0
    ensembles       2      0        0
    tests           2      0        0
    benchmarks      2      0        0
    decisions       2      0        0
    assertions      2      0        0

    newest assertion: yyyy-mm-dd hh:mm:ss UTC here, none there
    12 to send, 0 to receive: cargo tdg sync
    note: the account is others; at the last sync it was team
    (1)
    ");
}

#[test]
fn an_identity_of_another_project_is_noticed_before_the_first_records_go() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let other = team.clone_of(&shop);
    other.edit("tdg.toml", "url", "project = \"market\"\nurl");
    insta::assert_snapshot!(team.says(&other, &["pull"]), @"
    market, <url>, account team
    definitions  1 received, 0 refused, 0 here already
    ensembles    2 received, 0 refused, 0 here already
    tests        2 received, 0 refused, 0 here already
    benchmarks   2 received, 0 refused, 0 here already
    decisions    2 received, 0 refused, 0 here already
    assertions   2 received, 0 refused, 0 here already
    note: the server calls the project shop; if tdg.toml was copied from there, remove project_uuid from it
    (0)
    ");
    let again = team.says(&other, &["pull"]);
    assert!(!again.contains("note"), "{again}");
    let unknown = "project_uuid = \"01890f8e-2b6c-7c80-9a53-0f1e2d3c4b5a\"\n";
    other.write(
        "tdg.toml",
        &format!("url = \"{}\"\n{unknown}", team.server.url),
    );
    insta::assert_snapshot!(team.says(&other, &["pull"]), @"
    shop, <url>, account team
    error: team has no project <uuid> at <url>, so there is nothing to pull; push it, or correct project_uuid in tdg.toml
    (2)
    ");
}

#[test]
fn only_the_named_tests_are_sent() {
    let team = Team::start();
    let shop = team.shop();
    insta::assert_snapshot!(team.says(&shop, &["push", "--yes", "totl"]), @"
    error: no test `totl` has a benchmark; did you mean `total`?
    (2)
    ");
    insta::assert_snapshot!(team.says(&shop, &["push", "--yes", "x*"]), @"
    error: no test matches `x*`; `cargo tdg show` lists all tests
    (2)
    ");
    insta::assert_snapshot!(team.says(&shop, &["push", "--yes", "tot*"]), @r#"
    added project_uuid = "<uuid>" to tdg.toml; commit it, so that every clone has the same
    shop, <url>, account team
    projects     1 sent, 0 refused, 0 there already
    definitions  1 sent, 0 refused, 0 there already
    ensembles    1 sent, 0 refused, 0 there already
    tests        1 sent, 0 refused, 0 there already
    benchmarks   1 sent, 0 refused, 0 there already
    decisions    1 sent, 0 refused, 0 there already
    assertions   1 sent, 0 refused, 0 there already
    (0)
    "#);
    insta::assert_snapshot!(team.status(&shop), @"
    {both:1,here:2,ensemble,there:1}
    {both:1,here:2,test,there:1}
    {both:1,here:2,benchmark,there:1}
    {both:1,here:2,decision,there:1}
    {both:1,here:2,assertion,there:1}
    (1)
    ");
    let other = team.clone_of(&shop);
    team.run(&other, &["pull", "total"]).passes();
    assert_eq!(history(&other, "total"), history(&shop, "total"));
    assert_eq!(history(&other, "invoice"), "");
}

#[test]
fn only_the_newest_assertions_are_sent() {
    let team = Team::start();
    let shop = team.shop();
    for _ in 0..3 {
        shop.pricing("total").passes();
    }
    insta::assert_snapshot!(team.says(&shop, &["push", "--yes", "--history", "2"]), @r#"
    added project_uuid = "<uuid>" to tdg.toml; commit it, so that every clone has the same
    shop, <url>, account team
    projects     1 sent, 0 refused, 0 there already
    definitions  1 sent, 0 refused, 0 there already
    ensembles    2 sent, 0 refused, 0 there already
    tests        2 sent, 0 refused, 0 there already
    benchmarks   2 sent, 0 refused, 0 there already
    decisions    2 sent, 0 refused, 0 there already
    assertions   3 sent, 0 refused, 0 there already
    (0)
    "#);
    insta::assert_snapshot!(team.says(&shop, &["push", "--since", "2100-01-01"]), @"
    shop, <url>, account team
    (0)
    ");
    insta::assert_snapshot!(team.says(&shop, &["push", "--since", "v1"]), @r#"
    error: --since "v1" is neither a date such as yyyy-mm-dd or 2026-05-31T12:00:00Z nor a revision: git: fatal: not a git repository (or any of the parent directories): .git
    (2)
    "#);
    insta::assert_snapshot!(team.says(&shop, &["push", "--history", "some"]), @"
    error: invalid value 'some' for '--history <N|all>': must be `all` or a number

    For more information, try '--help'.
    (2)
    ");
    insta::assert_snapshot!(team.says(&shop, &["push"]), @"
    shop, <url>, account team
    assertions   2 sent, 0 refused, 3 there already
    (0)
    ");
}

#[test]
fn a_server_that_lost_its_records_gets_them_back() {
    let mut team = Team::start();
    let backup = team.server.backup();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    team.server.lose_records(&backup);
    insta::assert_snapshot!(team.says(&shop, &["sync", "status"]), @"
    project    shop (<uuid>)
    server     <url>, account team
    last sync  yyyy-mm-dd hh:mm:ss UTC

                 here  there  in both
    projects        1      0        0
    definitions     1      0        0
    ensembles       2      0        0
    tests           2      0        0
    benchmarks      2      0        0
    decisions       2      0        0
    assertions      2      0        0

    newest assertion: yyyy-mm-dd hh:mm:ss UTC here, none there
    12 to send, 0 to receive: cargo tdg sync
    note: the server's database has changed since the last sync, so everything is compared again
    (1)
    ");
    team.run(&shop, &["push"]).passes();
    insta::assert_snapshot!(team.status(&shop), @"(0)");
}

#[test]
fn a_test_that_cannot_be_read_is_named_and_the_others_go_on() {
    let team = Team::start();
    let shop = team.shop();
    damage(&shop.path(".tdg/store.db"), "invoice");
    insta::assert_snapshot!(team.says(&shop, &["push", "--yes"]), @r#"
    added project_uuid = "<uuid>" to tdg.toml; commit it, so that every clone has the same
    shop, <url>, account team
    projects     1 sent, 0 refused, 0 there already
    definitions  1 sent, 0 refused, 0 there already
    ensembles    2 sent, 0 refused, 0 there already
    tests        2 sent, 0 refused, 0 there already
    benchmarks   1 sent, 0 refused, 0 there already
    decisions    1 sent, 0 refused, 0 there already
    assertions   1 sent, 0 refused, 0 there already
    error: shop::invoice: a benchmark is damaged in the store; neither it nor its runs are sent: `cargo tdg sync verify --repair` fetches it from the server; if the server lacks it, run the test and repeat the repair
    (1)
    "#);
    insta::assert_snapshot!(team.status(&shop), @"
    error: shop::invoice: a benchmark is damaged in the store; neither it nor its runs are sent: `cargo tdg sync verify --repair` fetches it from the server; if the server lacks it, run the test and repeat the repair
    (1)
    ");
    // The committed file still has the benchmark.
    shop.pricing("invoice").passes();
    let again = team.run(&shop, &["push"]).finish();
    assert!(again.stdout.contains("benchmarks   1 sent"), "{again}");
    assert_eq!(again.code, Some(1));
    // No test uses the damaged benchmark anymore.
    insta::assert_snapshot!(team.says(&shop, &["sync", "verify", "--repair"]), @"
    removed: a damaged benchmark of shop::invoice in the store, with its runs and decisions
    equal: both places have the same records (11)
    (0)
    ");
    team.run(&shop, &["push"]).passes();
}

/// Truncates the expected outputs of a test.
fn damage(store: &Path, test: &str) {
    let store = Connection::open(store).unwrap();
    let cut =
        "UPDATE benchmark SET outputs = '[1' WHERE test = (SELECT id FROM test WHERE name = ?1)";
    assert_eq!(store.execute(cut, [test]), Ok(1));
}

#[test]
fn damage_since_the_last_push_is_found_and_repaired_from_the_server() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let other_values = "UPDATE benchmark SET outputs = replace(outputs, '1', '2')
        WHERE test = (SELECT id FROM test WHERE name = 'invoice')";
    let store = Connection::open(shop.path(".tdg/store.db")).unwrap();
    assert_eq!(store.execute(other_values, []), Ok(1));
    insta::assert_snapshot!(team.says(&shop, &["sync", "verify"]), @"
    benchmarks: 0 only here, 1 only there
    decisions: 0 only here, 1 only there
    assertions: 0 only here, 1 only there
    error: shop::invoice: a benchmark is damaged in the store; neither it nor its runs are sent: `cargo tdg sync verify --repair` fetches it from the server; if the server lacks it, run the test and repeat the repair
    (1)
    ");
    insta::assert_snapshot!(team.says(&shop, &["sync", "verify", "--repair"]), @"
    repaired: a damaged benchmark of shop::invoice in the store, from the server
    equal: both places have the same records (12)
    (0)
    ");
    insta::assert_snapshot!(team.says(&shop, &["sync", "verify"]), @"
    equal: both places have the same records (12)
    (0)
    ");
    shop.pricing("invoice").passes();
    let other = team.clone_of(&shop);
    team.run(&shop, &["push"]).passes();
    team.run(&other, &["pull"]).passes();
    assert_eq!(history(&shop, "invoice"), history(&other, "invoice"));
}

#[test]
fn a_damaged_record_on_the_server_is_named_and_not_sent() {
    for damage in ["replace(text, '1', '2')", "'[1' || substr(text, 3)"] {
        let team = Team::start();
        let shop = team.shop();
        team.run(&shop, &["push", "--yes"]).passes();
        let database = Connection::open(team.server.database()).unwrap();
        let of_invoice = "WHERE text LIKE '%gross%'";
        let damage = format!("UPDATE outputs SET text = {damage} {of_invoice}");
        assert_eq!(database.execute(&damage, []), Ok(1));
        let verified = [
            team.says(&shop, &["sync", "verify"]),
            team.says(&shop, &["sync", "verify", "--repair"]),
        ];
        assert_eq!(verified[0], verified[1]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(verified[0], @"
            equal: both places have the same records (12)
            there: the benchmark <uuid> of invoice is damaged, so it is never sent: restore a backup, and push what that lacks
            (1)
            ");
        }
        let other = team.clone_of(&shop);
        let pulled = team.says(&other, &["pull"]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(without_identities(&pulled), @"
            shop, <url>, account team
            definitions  1 received, 0 refused, 0 here already
            ensembles    2 received, 0 refused, 0 here already
            tests        2 received, 0 refused, 0 here already
            benchmarks   1 received, 1 refused, 0 here already
            decisions    1 received, 1 refused, 0 here already
            assertions   1 received, 0 refused, 0 here already
            refused
              benchmark <uuid>: it is damaged, doesn't match its identity, was just deleted, or its outputs were removed by `cargo tdg prune`; `cargo tdg sync verify` looks for damage
              decision <uuid>: its benchmark <uuid> is missing
            (1)
            ");
        }
        assert_eq!(history(&shop, "total"), history(&other, "total"));
        let store = Connection::open(other.path(".tdg/store.db")).unwrap();
        let benchmarks = store.query_row("SELECT count(*) FROM benchmark", [], |row| row.get(0));
        assert_eq!(benchmarks, Ok(1));
        other.pricing("invoice").passes();
    }
}

#[test]
fn rows_that_are_not_drawn_are_named() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let store = Connection::open(shop.path(".tdg/store.db")).unwrap();
    store
        .execute("UPDATE ensemble SET digest = 'other'", [])
        .unwrap();
    insta::assert_snapshot!(team.says(&shop, &["sync", "verify"]), @"
    equal: both places have the same records (12)
    here: the ensemble invoice (20 rows, <uuid>): its rows have the digest b511e5edae0e0a6aeb6704dad58d9419, but other was recorded
    here: the ensemble total (200 rows, <uuid>): its rows have the digest e550031c68e893327cbc05a0954aae14, but other was recorded
    (1)
    ");
}

#[test]
fn a_repair_sends_nothing_from_where_rows_are_not_the_recorded_ones() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let store = Connection::open(shop.path(".tdg/store.db")).unwrap();
    let other_rows = "UPDATE definition SET text = replace(text, ':20', ':30')";
    assert!(store.execute(other_rows, []).unwrap() > 0);
    insta::assert_snapshot!(team.says(&shop, &["sync", "verify", "--repair"]), @"
    definitions: 1 only here, 1 only there
    ensembles: 2 only here, 2 only there
    benchmarks: 2 only here, 2 only there
    assertions: 2 only here, 2 only there
    here: the ensemble invoice (20 rows, <uuid>): its rows have the digest 1dea22270210b2bf8073111c76167145, but b511e5edae0e0a6aeb6704dad58d9419 was recorded
    here: the ensemble total (200 rows, <uuid>): its rows have the digest 4f6515142a0137adf15697024752e5e9, but e550031c68e893327cbc05a0954aae14 was recorded
    definitions  1 received, 0 refused, 0 here already
    ensembles    2 received, 0 refused, 0 here already
    benchmarks   2 received, 0 refused, 0 here already
    assertions   2 received, 0 refused, 0 here already
    (1)
    ");
    let other = team.clone_of(&shop);
    team.run(&other, &["pull"]).passes();
    insta::assert_snapshot!(team.status(&other), @"(0)");
}

#[test]
fn without_a_server_nothing_is_done() {
    let shop = Program::shop().checkout();
    for command in [
        &["push"][..],
        &["pull"],
        &["sync"],
        &["sync", "status"],
        &["sync", "verify"],
    ] {
        let run = tdg(&shop, command).finish();
        assert_eq!(run.code, Some(2), "{run}");
        assert!(run.stderr.contains("no server is configured"), "{run}");
    }
    assert!(!shop.has(".tdg"));
    insta::assert_snapshot!(anonymous(&shop, &tdg(&shop, &["push"]).finish().stderr), @r#"error: no server is configured; set TDG_URL, or add url = "https://…" to tdg.toml"#);
    // The URL is checked before looking for a key.
    let run = tdg(&shop, &["push"]).env("TDG_URL", "tdg.example.org");
    insta::assert_snapshot!(run.fails().stderr.trim(), @"error: the URL of the server must begin with https://; expected https://tdg.example.org");
}

#[test]
fn what_was_deleted_on_the_server_is_not_sent_again_unless_it_is_revived() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let key = ApiKey::new(&team.key).unwrap();
    let service = RemoteService::new(&team.server.url, key).unwrap();
    let definition = service.definitions(&Page::default()).unwrap().items[0].definition_uuid;
    service.delete_definition(definition).unwrap();
    insta::assert_snapshot!(team.says(&shop, &["push"]), @"
    shop, <url>, account team
    tombstones  0 sent, 1 received, 0 refused, 0 there already
    note: deleted on the server, and not sent: 1 object of the store, with the runs; --revive sends them again, and `cargo tdg pull --prune` removes them here
    (0)
    ");
    insta::assert_snapshot!(team.says(&shop, &["pull"]), @"
    shop, <url>, account team
    (0)
    ");
    assert_ne!(history(&shop, "total"), "");
    insta::assert_snapshot!(team.says(&shop, &["push", "--revive"]), @"
    shop, <url>, account team
    definitions  1 sent, 0 refused, 0 there already
    ensembles    2 sent, 0 refused, 0 there already
    benchmarks   2 sent, 0 refused, 0 there already
    assertions   2 sent, 0 refused, 0 there already
    revivals     1 sent, 0 refused, 0 there already
    (0)
    ");
    insta::assert_snapshot!(team.status(&shop), @"(0)");
    let revived = service.definitions(&Page::default()).unwrap().items[0].definition_uuid;
    service.delete_definition(revived).unwrap();
    insta::assert_snapshot!(team.says(&shop, &["pull", "--prune", "--dry-run"]), @"
    shop, <url>, account team
    tombstones  1 to receive, 0 refused, 1 here already
    (1)
    ");
    insta::assert_snapshot!(team.says(&shop, &["pull", "--prune"]), @"
    shop, <url>, account team
    tombstones  1 received, 0 refused, 1 here already
    (0)
    ");
    insta::assert_snapshot!(team.says(&shop, &["sync"]), @"
    shop, <url>, account team
    note: deleted on the server, and not sent: 1 object of the store, with the runs; --revive sends them again, and `cargo tdg pull --prune` removes them here
    (0)
    ");
}

#[test]
fn a_ci_job_sends_its_runs_with_a_key_that_may_not_write() {
    let team = Team::start();
    let shop = team.shop();
    team.run(&shop, &["push", "--yes"]).passes();
    let job = team.clone_of(&shop);
    let key = team.server.key("team", "read,assert");
    let push = || {
        let run = tdg(&job, &["push"]).env("CI", "true");
        team.told(&job, run.env("TDG_API_KEY", team.server.bound(&key)))
    };
    let run = || job.pricing("total").env("CI", "true").env("FACTOR", "1.03");
    run().fails();
    insta::assert_snapshot!(push(), @"
    shop, <url>, account team
    note: there are no runs to send, because runs write nothing here (CI is set); run the tests with `TDG_UPDATE=new cargo tdg test`, then push
    (0)
    ");
    run().env("TDG_UPDATE", "new").fails();
    insta::assert_snapshot!(push(), @"
    shop, <url>, account team
    assertions   1 sent, 0 refused, 0 there already
    failing
      total changed: <url>/project/<uuid>/test/<uuid>/run/<uuid>
    (0)
    ");
}

#[test]
fn values_within_values_are_the_same_in_each_place() {
    const DOCUMENT: &str = "tests/snapshots/nested__document.snap";
    let team = Team::start();
    let checkout = || {
        let shop = Program::remote_shop().checkout();
        shop.write("tdg.toml", &format!("url = \"{}\"\n", team.server.url));
        shop
    };
    let (shop, other) = (checkout(), checkout());
    let document = |shop: &Checkout<'_>| shop.test("nested", &["--exact", "document"]);
    document(&shop).passes();
    team.run(&shop, &["push", "--yes"]).passes();
    for file in ["tdg.toml", DOCUMENT] {
        other.write(file, &shop.read(file));
    }
    team.run(&other, &["pull"]).passes();
    assert_eq!(history(&other, "document"), history(&shop, "document"));
    document(&other).passes();
    team.run(&other, &["sync"]).passes();
    insta::assert_snapshot!(team.says(&other, &["sync", "verify"]), @"
    equal: both places have the same records (8)
    (0)
    ");
    // The rows and the outputs are only on the server.
    team.run(&other, &["push", "--pin", "*"]).passes();
    assert!(other.read(DOCUMENT).contains("benchmark_uuid"));
    std::fs::remove_dir_all(other.path(".tdg")).unwrap();
    let remote = document(&other).env("TDG_STORE", "remote");
    remote
        .env("TDG_API_KEY", team.server.bound(&team.key))
        .passes();
}

#[test]
fn rows_of_a_file_are_sent_on_request() {
    let team = Team::start();
    let test = "#[tdg::ensemble_test(rows = \"cases.csv\")]\nfn twice(amount: f64) -> f64 {\n    amount * 2.0\n}\n";
    let project = Project::package(
        "rows-to-send",
        &[
            ("tests/twice.rs", test),
            ("cases.csv", "amount\n1.5\n2.5\n"),
        ],
    );
    project.write("tdg.toml", &format!("url = \"{}\"\n", team.server.url));
    project.cargo(&["test"]).passes();
    insta::assert_snapshot!(team.says(&project, &["push", "--yes"]), @r#"
    added project_uuid = "<uuid>" to tdg.toml; commit it, so that every clone has the same
    rows-to-send, <url>, account team
    projects     1 sent, 0 refused, 0 there already
    definitions  1 sent, 0 refused, 0 there already
    tests        1 sent, 0 refused, 0 there already
    note: rows-to-send::twice stays here, with its runs: its rows come from a file, and are only sent with --with-rows
    (0)
    "#);
    insta::assert_snapshot!(team.says(&project, &["push", "--json"]), @"
    note: rows-to-send::twice stays here, with its runs: its rows come from a file, and are only sent with --with-rows
    (0)
    ");
    let foreseen = team.says(&project, &["push", "--with-rows", "--dry-run"]);
    let stays = team.says(&project, &["push", "--json"]);
    assert!(stays.contains("twice stays here"), "{stays}");
    let sent = team.says(&project, &["push", "--with-rows"]);
    assert_eq!(
        foreseen.replace("to send", "sent").replace("(1)", "(0)"),
        sent
    );
    insta::assert_snapshot!(sent, @"
    rows-to-send, <url>, account team
    ensembles    1 sent, 0 refused, 0 there already
    benchmarks   1 sent, 0 refused, 0 there already
    decisions    1 sent, 0 refused, 0 there already
    assertions   1 sent, 0 refused, 0 there already
    (0)
    ");
    insta::assert_snapshot!(team.says(&project, &["sync", "verify"]), @"
    equal: both places have the same records (7)
    (0)
    ");
}

#[test]
fn packages_that_share_a_store_have_a_project_with_a_name() {
    let team = Team::start();
    let package = |name| format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n");
    let project = Project::without_lock(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"one\", \"other\"]\nresolver = \"3\"\n",
        ),
        ("one/Cargo.toml", &package("shares-a-store")),
        ("one/src/lib.rs", ""),
        ("other/Cargo.toml", &package("shares-it-too")),
        ("other/src/lib.rs", ""),
    ]);
    project.write("tdg.toml", &format!("url = \"{}\"\n", team.server.url));
    insta::assert_snapshot!(team.says(&project, &["push", "--yes"]), @r#"
    error: the packages shares-a-store, shares-it-too share a store, so their project needs a name; add project = "NAME" to <shop>/tdg.toml
    (2)
    "#);
    project.edit("tdg.toml", "url", "project = \"both\" # of them\nurl");
    insta::assert_snapshot!(team.says(&project, &["push", "--yes"]), @r#"
    added project_uuid = "<uuid>" to tdg.toml; commit it, so that every clone has the same
    both, <url>, account team
    projects  1 sent, 0 refused, 0 there already
    note: there are no runs to send yet; run the tests first
    (0)
    "#);
    insta::assert_snapshot!(without_identities(&project.read("tdg.toml")).replace(&team.server.url, "<url>"), @r#"
    project = "both" # of them
    project_uuid = "<uuid>"
    url = "<url>"
    "#);
}
