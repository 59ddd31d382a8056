//! A test's schema, in a PostgreSQL that tests share.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::Postgres;

/// A schema, for tests that only need tables: a cluster takes longer to start than most tests take.
pub(crate) struct Schema {
    cluster: Arc<Postgres>,
    /// The address of the schema.
    pub(crate) url: String,
}

impl Schema {
    /// Creates a schema.
    pub(crate) fn new() -> Self {
        let cluster = shared();
        let url = cluster.schema();
        Self { cluster, url }
    }

    /// Runs statements in the schema.
    pub(crate) fn execute(&self, sql: &str) {
        self.query(sql);
    }

    /// Returns the result of a statement there, a row per line.
    pub(crate) fn query(&self, sql: &str) -> String {
        self.cluster.query_in(&self.url, sql)
    }

    /// Runs a script in the schema. All statements must succeed.
    pub(crate) fn run_script(&self, sql: &str) {
        self.cluster.run_script(&self.url, sql);
    }
}

/// Returns the cluster, which runs while a test uses it.
fn shared() -> Arc<Postgres> {
    static RUNNING: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.upgrade().unwrap_or_else(|| {
        let cluster = Arc::new(Postgres::start());
        *running = Arc::downgrade(&cluster);
        cluster
    })
}
