//! What the service needs of a database, whichever it is. Each method is atomic, and looks things up by
//! account and identifier: what belongs to somebody else is not found.
//!
//! The rules of the interface are in [`tdg_service::rules`]; what comes here has passed them.

mod account;
mod comparison;
mod postgres;
mod shown;
mod sqlite;
mod url;

use std::sync::Arc;

use async_trait::async_trait;
use tdg_service::rules::Drawn;
use tdg_service::{
    AssertionEntry, Benchmark, Definition, Ensemble, List, NewBenchmark, NewDefinition, Once, Page,
    Project, Result, Uuid,
};

use crate::keys::{KeyRecord, Prefix};
use crate::packed_rows::PackedRows;

pub(crate) use self::account::Account;
pub(crate) use self::comparison::{Expected, Judged};
pub(crate) use self::shown::Shown;
pub(crate) use self::url::DatabaseUrl;

/// A database of the service.
#[async_trait]
pub(crate) trait Database: Send + Sync + 'static {
    /// Whether it answers.
    async fn ready(&self) -> Result<()>;

    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>>;
    async fn project(&self, account: Account, project: Uuid) -> Result<Project>;
    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>>;
    async fn definition(&self, account: Account, definition: Uuid) -> Result<Definition>;
    async fn ensembles(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<List<Ensemble>>;
    async fn ensemble(&self, account: Account, ensemble: Uuid) -> Result<Ensemble>;
    async fn benchmarks(
        &self,
        account: Account,
        of: (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>>;
    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<Benchmark>;
    /// Whether the benchmark would show the same of its history now; costs less than reading it.
    async fn still_shows(&self, account: Account, benchmark: Uuid, shown: Shown) -> Result<bool>;
    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>>;

    /// A definition as text: reading it may take long.
    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String>;
    /// What identifies the rows of an ensemble.
    async fn digest(&self, account: Account, ensemble: Uuid) -> Result<String>;
    /// The rows of an ensemble.
    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows>;
    /// The size of an ensemble, which has to be the definition's.
    async fn ensemble_size(&self, account: Account, of: (Uuid, Uuid)) -> Result<usize>;
    /// What identifies the outputs that a benchmark expects.
    async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String>;
    /// What a benchmark expects.
    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<Expected>;

    async fn create_project(
        &self,
        account: Account,
        name: String,
        once: Option<Once>,
    ) -> Result<Project>;
    async fn create_definition(
        &self,
        account: Account,
        request: NewDefinition,
        once: Option<Once>,
    ) -> Result<Definition>;
    async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        drawn: Drawn,
        rows: PackedRows,
        once: Option<Once>,
    ) -> Result<Ensemble>;
    async fn create_benchmark(
        &self,
        account: Account,
        of: (Uuid, Uuid),
        request: NewBenchmark,
        digest: String,
        once: Option<Once>,
    ) -> Result<Benchmark>;
    async fn create_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        judged: Judged,
        once: Option<Once>,
    ) -> Result<AssertionEntry>;

    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()>;
    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()>;
    async fn delete_ensemble(&self, account: Account, ensemble: Uuid) -> Result<()>;
    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()>;

    /// The account of that name, made if there is none.
    async fn account(&self, name: &str) -> Result<Account>;
    async fn add_key(&self, record: KeyRecord) -> Result<()>;
    async fn key(&self, prefix: &Prefix) -> Result<Option<KeyRecord>>;
    /// All keys with the names of their accounts, in the order of their making.
    async fn keys(&self) -> Result<Vec<(String, KeyRecord)>>;
    /// Whether there was such a key, not revoked yet.
    async fn revoke_key(&self, prefix: &Prefix) -> Result<bool>;
}

/// What opening a database came to.
pub(crate) struct Opened {
    pub(crate) database: Arc<dyn Database>,
    /// Whether there was nothing before; never so of one that servers share.
    pub(crate) new: bool,
}

/// Opens a database and brings its tables up to date; `connections` at most at once.
pub(crate) async fn open(url: &DatabaseUrl, connections: usize) -> Result<Opened> {
    match url {
        DatabaseUrl::Sqlite(file) => sqlite::open(file, connections),
        DatabaseUrl::Postgres(address) => postgres::open(address, connections).await,
    }
}
