//! Stores that contain runs of tests.

use std::path::PathBuf;

use tdg_definition::{Definition, Policy};
use tdg_engine::checkout::Checkout;
use tdg_engine::store::{
    Claim, Committed, Decision, DecisionKind, Expected, PendingUpdate, Run, RunFacts, Store,
};
use tdg_engine::{Ensemble, TestId, Vectors, Verdict};
use tdg_service::record::{ProjectRecord, RecordKind};
use tdg_service::sync::{
    self, Direction, HistoryQuestion, RecordOutcome, Replica, SyncPlan, SyncSummary, synchronise,
};
use tdg_service::{LocalReplica, Timestamp, Uuid};
use tempfile::TempDir;

/// A store in its own directory, which is deleted along with it.
pub struct TestStore {
    /// The store.
    pub store: Store,
    /// The parent of its directory.
    pub root: TempDir,
}

/// The project that stores are opened as.
pub fn project() -> ProjectRecord {
    ProjectRecord {
        uuid: Uuid::from_u128(7),
        name: "shop".to_owned(),
    }
}

/// A test in one source file.
pub fn test(name: &str) -> TestId {
    TestId {
        package: "shop".to_owned(),
        source: "src/lib.rs".to_owned(),
        name: name.to_owned(),
    }
}

/// Two rows of one feature.
pub fn ensemble(seed: u64) -> Ensemble {
    let text = r#"{"features": [{"feature_name": "amount", "type": "FLOAT",
                    "distribution": {"type": "uniform", "min": 0, "max": 1}}]}"#;
    let definition = Definition::parse(text).unwrap();
    Ensemble {
        name: "orders".to_owned(),
        size: 2,
        seed,
        sampler_version: tdg_definition::random::SAMPLER_VERSION,
        digest: Vectors::generate(&definition, seed, 2).digest(),
        definition: definition.canonical(),
        rows: None,
    }
}

impl TestStore {
    /// Creates an empty store.
    pub fn create() -> Self {
        let root = tempfile::tempdir().unwrap();
        TestStore {
            store: Store::open(&root.path().join(".tdg")).unwrap(),
            root,
        }
    }

    /// Returns its directory.
    pub fn directory(&self) -> PathBuf {
        self.root.path().join(".tdg")
    }

    /// Returns its records as the project.
    pub fn replica(&self) -> LocalReplica<'_> {
        LocalReplica::new(&self.store, project())
    }

    /// Adds a run of a test whose benchmark for this seed has these outputs.
    pub fn run(&self, name: &str, seed: u64, outputs: &str) -> Committed {
        self.run_with(name, &ensemble(seed), None, outputs)
    }

    /// Adds a run of a test with this ensemble, and with its rows if they are not drawn.
    pub fn run_with(
        &self,
        name: &str,
        ensemble: &Ensemble,
        vectors: Option<&str>,
        outputs: &str,
    ) -> Committed {
        let test = test(name);
        let is_new = self.store.benchmark(&test).unwrap().is_none();
        let decision = is_new.then(|| Decision::new(DecisionKind::Recorded));
        let run = Run {
            test: &test,
            claim: Claim {
                function: name,
                run: None,
            },
            facts: RunFacts {
                policy: Some(Policy::exact()),
                checkout: Checkout {
                    commit: Some("c0ffee".to_owned()),
                    branch: Some("main".to_owned()),
                },
                platform: Some(("linux".to_owned(), "x86_64".to_owned())),
                ..RunFacts::new(Verdict::Same, 2)
            },
            benchmark: Some(Expected {
                ensemble,
                vectors,
                outputs,
            }),
            policy: Some("{}"),
            pending: PendingUpdate::Clear,
            decision: decision.as_ref(),
        };
        self.store.commit(&run).unwrap()
    }

    /// Rejects the pending change of a test.
    pub fn reject(&self, name: &str) {
        let decision = Decision::new(DecisionKind::Rejected);
        self.store.reject(&test(name), None, &decision).unwrap();
    }

    /// Returns the number of rows of a table, read without the store.
    pub fn count(&self, table: &str) -> i64 {
        let connection = rusqlite::Connection::open(self.store.file()).unwrap();
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| row.get(0)).unwrap()
    }
}

/// Synchronises two places. No record may be refused. Returns the number of added records.
#[track_caller]
pub fn sync(here: &dyn sync::StoreReplica, there: &dyn Replica, direction: Direction) -> u64 {
    let mut plan = SyncPlan::new(direction);
    plan.with_rows = true;
    let summary = run(here, there, &plan);
    let ways = summary.pushed.values().chain(summary.pulled.values());
    let refused: Vec<&(Uuid, RecordOutcome)> = ways.clone().flat_map(|it| &it.refused).collect();
    assert!(refused.is_empty(), "{refused:?}");
    ways.map(|it| it.made).sum()
}

/// Synchronises two places by a plan.
pub fn run(here: &dyn sync::StoreReplica, there: &dyn Replica, plan: &SyncPlan) -> SyncSummary {
    synchronise(here, there, plan, &mut |_| {}).unwrap()
}

/// Returns the times and identities of all assertions, by benchmark.
pub fn histories(replica: &dyn Replica) -> Vec<(Uuid, Vec<(Timestamp, Uuid)>)> {
    let parts: Vec<u8> = (0..=u8::MAX).collect();
    let mut benchmarks = replica.identities(RecordKind::Benchmark, &parts).unwrap();
    benchmarks.sort_unstable();
    let history = |benchmark: Uuid| {
        let question = HistoryQuestion {
            benchmark,
            since: Timestamp::MIN,
            listed_from: Timestamp::MIN,
        };
        let mut histories = replica.histories(&[question]).unwrap();
        (benchmark, histories.remove(0).listed)
    };
    benchmarks.into_iter().map(history).collect()
}
