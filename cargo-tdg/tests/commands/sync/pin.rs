//! `cargo tdg push --pin` and `cargo tdg pull --unpin`, with a real server.

use tdg_tests::{Checkout, Finished, Program, Run, Server, tools};

use crate::{TOTAL, TOTAL_NEW, anonymous, tdg};

/// A shop configured for a server, with a key.
struct Shop<'s> {
    shop: Checkout<'static>,
    server: &'s Server,
    key: String,
}

impl<'s> Shop<'s> {
    fn attach(server: &'s Server, scopes: &str) -> Self {
        let shop = Program::remote_shop().checkout();
        shop.write("tdg.toml", &format!("url = \"{}\"\n", server.url));
        let key = server.key("team", scopes);
        Self { shop, server, key }
    }

    fn local(&self) -> Run {
        self.shop.pricing("total")
    }

    fn remote(&self) -> Run {
        let run = self.local().env("TDG_STORE", "remote");
        run.env("TDG_API_KEY", self.server.bound(&self.key))
    }

    fn tdg(&self, arguments: &[&str]) -> Run {
        tdg(&self.shop, arguments).env("TDG_API_KEY", self.server.bound(&self.key))
    }

    /// Returns the output and the exit code of a command, without varying parts.
    fn said(&self, run: &Finished) -> String {
        let text = format!("{}{}({})", run.stdout, run.stderr, run.code.unwrap());
        assert!(!text.contains(&self.key), "the key is shown: {text}");
        let text = anonymous(&self.shop, &text).replace(&self.server.url, "<url>");
        let prefix = self.key.rsplit_once('_').map_or("", |(prefix, _)| prefix);
        text.replace(prefix, "<key>")
    }

    fn does(&self, arguments: &[&str]) -> String {
        self.said(&self.tdg(arguments).finish())
    }

    /// Returns the value of a key in the snapshot file.
    fn member(&self, name: &str) -> Option<String> {
        let text = self.shop.read(TOTAL);
        let (_, rest) = text.split_once(&format!("\"{name}\":\""))?;
        Some(rest.split_once('"')?.0.to_owned())
    }

    fn pinned(&self) -> String {
        self.member("benchmark_uuid").unwrap()
    }
}

#[test]
fn a_file_becomes_a_pin_moves_by_decisions_and_comes_back() {
    let server = Server::start();
    let shop = Shop::attach(&server, "read,assert,write");
    shop.local().passes();
    let recorded = shop.shop.read(TOTAL);
    shop.remote().passes();
    assert_eq!(shop.shop.read(TOTAL), recorded);

    insta::assert_snapshot!(shop.does(&["push", "--pin"]), @"
    pinned total, 200 cases, tests/snapshots/pricing__total.snap
    (0)
    ");
    insta::assert_snapshot!(shop.does(&["push", "--pin"]), @"
    Nothing to pin: no test that last ran with the server has cases in its snapshot file. Name a test to pin its file, or '*'.
    (0)
    ");
    let first = shop.pinned();
    assert_eq!(shop.remote().passes().said(), "");

    // With cargo-insta and a run.
    shop.remote().env("FACTOR", "1.03").fails();
    tools::insta(&shop.shop, &["accept"]).passes();
    assert_eq!(shop.member("replaces"), Some(first.clone()));
    shop.remote().env("FACTOR", "1.03").passes();
    let second = shop.pinned();
    assert_ne!(second, first);

    // With cargo-tdg and no run.
    shop.remote().fails();
    let refused = shop.does(&["push", "--pin", "total"]);
    insta::assert_snapshot!(refused, @"
    No snapshot file has cases: nothing to pin.
    (0)
    ");
    let accepted = shop.does(&["accept", "total"]).replace(&second, "<second>");
    insta::assert_snapshot!(accepted, @"
    accepted total, 200 cases, tests/snapshots/pricing__total.snap
    note: tests/snapshots/pricing__total.snap has cases in place of the benchmark <second>; before you commit it, run the test with the server, or `cargo tdg push --pin total`, so that it pins them
    (0)
    ");
    shop.does(&["push", "--pin", "total"]);
    assert_eq!(shop.pinned(), first, "the outputs are those of the first");
    assert_eq!(shop.remote().passes().said(), "");

    // On a machine that has never run the tests.
    shop.shop.remove(".tdg");
    insta::assert_snapshot!(shop.does(&["pull", "--unpin"]), @"
    unpinned total, 200 cases, tests/snapshots/pricing__total.snap
    (0)
    ");
    insta::assert_snapshot!(shop.does(&["pull", "--unpin"]), @"
    No snapshot file pins a benchmark: nothing to unpin.
    (0)
    ");
    assert_eq!(shop.shop.read(TOTAL), recorded);
    shop.does(&["push", "--pin", "total"]);
    assert_eq!(shop.pinned(), first);
}

#[test]
fn a_job_with_a_key_that_may_only_compare_needs_no_more() {
    let server = Server::start();
    let here = Shop::attach(&server, "read,assert,write");
    here.local().passes();
    here.does(&["push", "--pin", "*"]);

    let job = Shop::attach(&server, "read,assert");
    job.shop.write(TOTAL, &here.shop.read(TOTAL));
    assert_eq!(job.remote().env("CI", "true").passes().said(), "");
    let changed = job.remote().env("CI", "true").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(changed.said(), @"tdg: changed total, 13 of 200 cases, nothing written (CI is set)");
    assert!(!job.shop.has(TOTAL_NEW) && !job.shop.has(".tdg"));

    // The key can download the cases but not pin them.
    insta::assert_snapshot!(job.does(&["pull", "--unpin"]), @"
    unpinned total, 200 cases, tests/snapshots/pricing__total.snap
    (0)
    ");
    job.local().passes();
    insta::assert_snapshot!(job.does(&["push", "--pin", "*"]), @"
    error: the key team (<key>) of team lacks the scope `write`, which is needed to create benchmarks; use a key that has it
    (2)
    ");
}

#[test]
fn what_can_not_be_pinned_is_refused_by_name_and_the_others_are_pinned() {
    let server = Server::start();
    let shop = Shop::attach(&server, "read,assert,write");
    shop.local().passes();
    shop.shop.pricing("invoice").passes();
    let recorded = shop.shop.read(TOTAL);
    let rows = "\"rows\":\"cases.csv\",\"definition\":";
    let of_a_file = recorded.replace("\"definition\":", rows);
    shop.shop.write(TOTAL, &of_a_file);
    insta::assert_snapshot!(shop.does(&["push", "--pin", "*"]), @r#"
    pinned invoice, 20 cases, tests/snapshots/pricing__invoice.snap
    error: total: its rows come from cases.csv, and a server draws the rows of its benchmarks; keep it local, with store = "local" in the test
    (1)
    "#);
    assert_eq!(shop.shop.read(TOTAL), of_a_file);

    // Missing outputs can't be restored.
    let other = server.bound(&server.key("other", "read"));
    shop.shop.remove(".tdg");
    let unpin = shop.tdg(&["pull", "--unpin"]).env("TDG_API_KEY", other);
    let invoice = shop.shop.read("tests/snapshots/pricing__invoice.snap");
    let (_, benchmark) = invoice.split_once("\"benchmark_uuid\":\"").unwrap();
    let said = shop
        .said(&unpin.finish())
        .replace(&benchmark[..36], "<benchmark>");
    insta::assert_snapshot!(said, @"
    error: invoice: it pins the benchmark <benchmark>, which the account other does not have at <url>; use the server and key that it was pinned with, or restore the file with its cases from version control
    (1)
    ");

    shop.shop.write(TOTAL, &recorded);
    shop.shop.remove("tdg.toml");
    insta::assert_snapshot!(shop.does(&["push", "--pin", "*"]), @r#"
    error: no server is configured; set TDG_URL, or add url = "https://…" to tdg.toml
    (2)
    "#);
}

#[test]
fn without_names_only_files_of_tests_that_last_ran_with_the_server_are_pinned() {
    let server = Server::start();
    let shop = Shop::attach(&server, "read,assert,write");
    shop.local().passes();
    shop.shop.pricing("invoice").passes();
    let note = shop.remote().passes();
    assert!(note.said().contains("`cargo tdg push --pin`"), "{note}");
    // The other way around.
    let tolerant = || shop.shop.pricing("tolerant");
    let remote = tolerant().env("TDG_STORE", "remote");
    tolerant().passes();
    remote.env("TDG_API_KEY", server.bound(&shop.key)).passes();
    tolerant().passes();
    insta::assert_snapshot!(shop.does(&["push", "--pin"]), @"
    pinned total, 200 cases, tests/snapshots/pricing__total.snap
    (0)
    ");
    shop.shop.pricing("invoice").passes();
    tolerant().passes();
}
