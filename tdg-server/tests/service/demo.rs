//! `tdg-server demo`.

use crate::support::{Browser, ParsedPage, Schema, Server, command};

/// Checks a demo on each database.
fn on_each(look: impl Fn(&Server)) {
    look(&Server::with(&["demo"]));
    look(&Server::on_with(&Schema::new().url, &["demo"]));
}

#[test]
fn the_demo_has_a_project_whose_changes_are_explained() {
    on_each(|server| {
        let mut printed = server.printed.lines();
        let key = printed.find(|line| line.starts_with("tdg_")).unwrap();
        let browser = Browser::signed_in(server, key);
        let page = |path: &str| {
            let answer = browser.get(path);
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            ParsedPage::parse(&answer)
        };
        let link = |page: &ParsedPage, selector: &str| page.links(selector).remove(0);
        let projects = page("/");
        let counts = &projects.texts("tbody td")[..4];
        assert_eq!(counts, ["1", "0", "3", "0"]);
        let tests = page(&link(&projects, "tbody th a"));
        assert_eq!(
            tests.texts("tbody th"),
            ["due", "parcels::price", "balance", "chance"]
        );

        let found = page("/search?for=balance");
        let test = page(&link(&found, "main li a"));
        let decisions = test.texts("[aria-labelledby=decisions] tbody tr");
        assert_eq!(decisions.len(), 3);
        assert!(
            decisions[1].contains("rejected Ada what arrives on the 15th"),
            "{decisions:?}"
        );
        let run = page(&link(&test, "[aria-labelledby=runs] tbody th a"));
        let newest = page(&link(&run, "a[href^='/benchmark/']"));
        // The earliest is the first of the others.
        let comparison = page(&link(&newest, "main ul a"));
        let first = page(comparison.links(".above a").last().unwrap());
        let explained = first.links("main ul a").into_iter().map(|other| {
            let comparison = page(&other);
            comparison.texts(".finding h3").join(", ")
        });
        let explained: Vec<String> = explained.collect();
        insta::allow_duplicates! {
            insta::assert_snapshot!(explained.join("\n"), @"
            day = 15 and percent > 0
            more often with percent > 0
            ");
        }

        let waiting = page(&link(&page("/search?for=parcels"), "main li a"));
        let run = link(&waiting, "[aria-labelledby=runs] tbody th a");
        assert_eq!(page(&run).count("form.decide"), 1);
        let accepted = browser.post(&run, "decision=accept&reason=islands+cost+more");
        assert_eq!(accepted.header("location"), Some(&*run));
        let decided = page(&run).texts("[aria-labelledby=decisions] tbody td");
        assert_eq!(decided[..3], ["accepted", "demo", "islands cost more"]);
    });
}

#[test]
fn the_demo_leaves_a_database_alone_that_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("tdg.db").display());
    let run = |arguments: &[&str]| {
        let mut program = command(folder.path(), &database);
        program.args(arguments).output().unwrap()
    };
    assert!(run(&["keys", "create"]).status.success());
    let refused = run(&["demo"]);
    assert!(!refused.status.success());
    let said = String::from_utf8(refused.stderr).unwrap();
    insta::assert_snapshot!(said, @"tdg-server: the database is in use: give the demo a separate one (`--database sqlite:demo.db`), or serve this one without `demo`");
}
