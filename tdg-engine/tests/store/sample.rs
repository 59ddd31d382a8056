//! Small values for the tests.

use std::fs;
use std::path::PathBuf;

use tdg_engine::checkout::Checkout;
use tdg_engine::store::{
    Claim, Committed, Decision, DecisionKind, Expected, PendingUpdate, Run, RunFacts, Store,
};
use tdg_engine::{Ensemble, TestId, Verdict};
use tempfile::TempDir;

/// Creates a directory made by tdg, without a database.
pub(crate) fn made_directory() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::write(
        root.path().join(".gitignore"),
        "# The local store of tdg.\n*\n",
    )
    .unwrap();
    root
}

/// A store in a temporary directory, which is deleted with it.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) root: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        let root = tempfile::tempdir().unwrap();
        Fixture {
            store: Store::open(&root.path().join(".tdg")).unwrap(),
            root,
        }
    }

    pub(crate) fn directory(&self) -> PathBuf {
        self.root.path().join(".tdg")
    }

    /// Commits a run of `test` with these outputs.
    pub(crate) fn run(&self, test: &TestId, verdict: Verdict, outputs: &str) -> Committed {
        let ensemble = ensemble();
        self.store
            .commit(&run(test, &ensemble, verdict, outputs))
            .unwrap()
    }
}

pub(crate) fn test(name: &str) -> TestId {
    TestId {
        package: "shop".to_owned(),
        source: "src/pricing.rs".to_owned(),
        name: name.to_owned(),
    }
}

pub(crate) fn ensemble() -> Ensemble {
    Ensemble {
        name: "orders".to_owned(),
        size: 3,
        seed: u64::MAX,
        sampler_version: 1,
        digest: "0123456789abcdef0123456789abcdef".to_owned(),
        definition: r#"{"definition_name":"orders","features":[]}"#.to_owned(),
        rows: None,
    }
}

/// Returns an update that leaves these outputs pending.
pub(crate) fn pending<'a>(ensemble: &'a Ensemble, outputs: &'a str) -> PendingUpdate<'a> {
    PendingUpdate::Set {
        outputs: Expected {
            ensemble,
            vectors: None,
            outputs,
        },
        takes: None,
        recorded_outputs: None,
        is_reported: false,
    }
}

/// Returns a decision with all fields set.
pub(crate) fn decision(kind: DecisionKind, reason: &str) -> Decision {
    Decision {
        kind,
        reason: Some(reason.to_owned()),
        author: Some("Ada".to_owned()),
        checkout: Checkout {
            commit: Some("c0ffee".repeat(7)),
            branch: Some("prices".to_owned()),
        },
        dirty: Some(true),
        ci: Some("https://ci.example/7".to_owned()),
        replaces: Some("0123456789abcdef".repeat(2)),
        through: None,
        arrived: None,
    }
}

pub(crate) fn run<'a>(
    test: &'a TestId,
    ensemble: &'a Ensemble,
    verdict: Verdict,
    outputs: &'a str,
) -> Run<'a> {
    Run {
        test,
        claim: Claim {
            function: "shop::pricing::total",
            run: None,
        },
        facts: RunFacts {
            platform: Some(("linux".to_owned(), "x86_64".to_owned())),
            ..RunFacts::new(verdict, 3)
        },
        policy: None,
        benchmark: Some(Expected {
            ensemble,
            vectors: None,
            outputs,
        }),
        pending: PendingUpdate::Clear,
        decision: None,
    }
}

/// Counts the rows of a table, without using the store.
pub(crate) fn rows(fixture: &Fixture, table: &str) -> i64 {
    let connection = rusqlite::Connection::open(fixture.store.file()).unwrap();
    connection
        .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
            row.get(0)
        })
        .unwrap()
}
