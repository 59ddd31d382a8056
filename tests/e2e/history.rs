//! Reads the store's history of runs with tdg's own library.

use tdg_engine::TestId;
use tdg_engine::store::{HistoryEntry, Store};
use tdg_tests::Project;

/// Returns the assertions of a test, newest first.
pub(crate) fn history(project: &Project, test: &TestId) -> Vec<HistoryEntry> {
    let store = Store::open(&project.path(".tdg")).unwrap();
    store.history(test, usize::MAX).unwrap()
}

/// Returns the identity of a test in a source file of a package.
pub(crate) fn test_of(package: &str, source: &str, name: &str) -> TestId {
    TestId {
        package: package.to_owned(),
        source: source.to_owned(),
        name: name.to_owned(),
    }
}

/// Returns SQLite's verdict on the store, which is `ok` if it is intact.
pub(crate) fn integrity(project: &Project) -> String {
    let store = rusqlite::Connection::open(project.path(".tdg/store.db")).unwrap();
    let check = |pragma: &str| store.query_row(pragma, [], |row| row.get::<_, String>(0));
    check("PRAGMA integrity_check").unwrap()
}

#[test]
fn every_run_is_in_the_history_with_its_verdict() {
    let shop = tdg_tests::Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    shop.pricing("total").env("PANIC", "1").fails();
    shop.pricing("total")
        .env("FACTOR", "1.03")
        .env("TDG_UPDATE", "always")
        .passes();
    shop.pricing("total").env("TDG_CASES", "1").passes();
    shop.pricing("total").env("CI", "1").fails();

    let history = history(&shop, &test_of("shop", "tests/pricing.rs", "total"));
    let lines: Vec<_> = history
        .iter()
        .map(|it| {
            let facts = it.facts.as_ref().unwrap();
            let (changed, cases) = (facts.changed, facts.cases);
            format!("{} {} {changed}/{cases}", it.asserted, facts.verdict)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    true accepted 13/200
    false panicked 0/200
    false changed 13/200
    true same 0/200
    true recorded 0/200
    ");
    assert_eq!(integrity(&shop), "ok");
}
