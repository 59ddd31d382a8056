//! A schema of a test's own, in a PostgreSQL that tests share.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Postgres;

/// A schema, where a test needs no more of PostgreSQL than tables: a cluster takes longer to start
/// than most tests take.
pub(crate) struct Schema {
    cluster: Arc<Postgres>,
    /// Its address.
    pub(crate) url: String,
}

impl Schema {
    /// A new one.
    pub(crate) fn new() -> Self {
        let cluster = shared();
        let url = cluster.schema();
        Self { cluster, url }
    }

    /// Runs statements in it.
    pub(crate) fn execute(&self, sql: &str) {
        self.query(sql);
    }

    /// What a statement gives there, a row a line.
    pub(crate) fn query(&self, sql: &str) -> String {
        self.cluster.query_in(&self.url, sql)
    }

    /// Runs a script in it, all of whose statements succeed.
    pub(crate) fn run_script(&self, sql: &str) {
        self.cluster.run_script(&self.url, sql);
    }
}

/// The cluster, which runs as long as a test has it.
fn shared() -> Arc<Postgres> {
    static RUNNING: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.upgrade().unwrap_or_else(|| {
        let cluster = Arc::new(Postgres::start());
        *running = Arc::downgrade(&cluster);
        cluster
    })
}
