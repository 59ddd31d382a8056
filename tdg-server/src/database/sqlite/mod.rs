//! The embedded database: one thread writes, with many operations in one transaction, and a few
//! connections read. The operations are those of tdg's local store.

mod create;
mod error;
mod find;
mod keys;
mod list;
mod once;
mod packed;
mod readers;
mod remove;
mod savepoint;
mod schema;
mod statement;
mod tables;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use self::error::DbResult;
use super::Account;
use super::Expected;
use super::Judged;
use async_trait::async_trait;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tdg_service::rules::Drawn;
use tdg_service::{
    AssertionEntry, Benchmark, Definition, Ensemble, List, NewBenchmark, NewDefinition, Once, Page,
    Project, Result, Uuid,
};

use self::readers::Readers;
use self::writer::Writer;
use super::{Database, Opened, Shown};
use crate::keys::{KeyRecord, Prefix};
use crate::packed_rows::PackedRows;

/// How long to wait for other processes that write the same file: `tdg-server keys …` does.
const BUSY: Duration = Duration::from_secs(10);

struct Sqlite {
    file: PathBuf,
    readers: Readers,
    writer: Writer,
}

/// Opens the file, makes it if need be, and brings its tables up to date.
pub(super) fn open(file: &Path, connections: usize) -> Result<Opened> {
    let open = || -> DbResult<(bool, Readers, Writer)> {
        let new = !file.exists();
        let mut connection = connect(file)?;
        schema::prepare(&mut connection)?;
        let readers = (0..connections.max(1)).map(|_| reader(file));
        let readers = Readers::new(readers.collect::<DbResult<_>>()?);
        Ok((new, readers, Writer::start(connection, file)?))
    };
    let (new, readers, writer) = open().map_err(|failure| failure.of(file))?;
    Ok(Opened {
        database: Arc::new(Sqlite {
            file: file.to_owned(),
            readers,
            writer,
        }),
        new,
    })
}

fn connect(file: &Path) -> DbResult<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(BUSY)?;
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    // What was acknowledged is still there after a power failure.
    connection.execute_batch("PRAGMA synchronous = FULL")?;
    // Else a statement whose plan could depend on its values is planned again whenever it is used.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

fn reader(file: &Path) -> DbResult<Connection> {
    let connection = connect(file)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    Ok(connection)
}

impl Sqlite {
    /// Runs `look` on one of the connections that read, on one state of the database.
    async fn read<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> DbResult<T> + Send + 'static,
    ) -> Result<T> {
        let outcome = self.readers.run(look).await;
        outcome.map_err(|failure| failure.of(&self.file))
    }

    /// The same for what is looked up in a few steps.
    async fn read_here<T>(&self, look: impl FnOnce(&Connection) -> DbResult<T>) -> Result<T> {
        let outcome = self.readers.run_here(look).await;
        outcome.map_err(|failure| failure.of(&self.file))
    }

    /// The same for what is looked up by one statement.
    async fn read_one_here<T>(&self, look: impl FnOnce(&Connection) -> DbResult<T>) -> Result<T> {
        let outcome = self.readers.run_one_here(look).await;
        outcome.map_err(|failure| failure.of(&self.file))
    }

    /// Runs `operation` on the connection that writes; it is on the disk when this answers.
    async fn write<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&Connection) -> DbResult<T> + Send + 'static,
    ) -> Result<T> {
        let outcome = self.writer.run(operation).await;
        outcome.map_err(|failure| failure.of(&self.file))
    }
}

#[async_trait]
impl Database for Sqlite {
    async fn ready(&self) -> Result<()> {
        self.read(|connection| {
            let sql = "SELECT 1 FROM project LIMIT 1";
            connection.prepare_cached(sql)?.exists([])?;
            Ok(())
        })
        .await
    }

    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>> {
        self.read(move |connection| list::projects(connection, account, &page))
            .await
    }

    async fn project(&self, account: Account, project: Uuid) -> Result<Project> {
        self.read(move |connection| find::project(connection, account, project))
            .await
    }

    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>> {
        self.read(move |connection| list::definitions(connection, account, &page))
            .await
    }

    async fn definition(&self, account: Account, definition: Uuid) -> Result<Definition> {
        self.read(move |connection| find::definition(connection, account, definition))
            .await
    }

    async fn ensembles(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<List<Ensemble>> {
        self.read(move |connection| list::ensembles(connection, account, definition, &page))
            .await
    }

    async fn ensemble(&self, account: Account, ensemble: Uuid) -> Result<Ensemble> {
        let alone = self.read_one_here(move |connection| {
            find::ensemble_without_benchmarks(connection, account, ensemble)
        });
        if let Some(alone) = alone.await? {
            return Ok(alone);
        }
        self.read_here(move |connection| find::ensemble(connection, account, ensemble))
            .await
    }

    async fn benchmarks(
        &self,
        account: Account,
        (definition, ensemble): (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>> {
        self.read(move |connection| {
            list::benchmarks(connection, account, definition, ensemble, &page)
        })
        .await
    }

    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<Benchmark> {
        self.read_here(move |connection| find::benchmark(connection, account, benchmark))
            .await
    }

    async fn still_shows(&self, account: Account, benchmark: Uuid, shown: Shown) -> Result<bool> {
        // They come one after the other, whoever writes them: one that has come is the newest.
        let newest = self.read_one_here(move |connection| {
            find::newest_assertion(connection, account, benchmark)
        });
        Ok(newest.await? == shown.newest)
    }

    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>> {
        self.read(move |connection| list::history(connection, account, benchmark, &page))
            .await
    }

    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String> {
        self.read(move |connection| find::definition_text(connection, account, definition))
            .await
    }

    async fn digest(&self, account: Account, ensemble: Uuid) -> Result<String> {
        self.read_one_here(move |connection| packed::digest(connection, account, ensemble))
            .await
    }

    async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String> {
        self.read_one_here(move |connection| find::output_digest(connection, account, benchmark))
            .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        self.read(move |connection| packed::find(connection, account, ensemble))
            .await
    }

    async fn ensemble_size(
        &self,
        account: Account,
        (definition, ensemble): (Uuid, Uuid),
    ) -> Result<usize> {
        self.read_one_here(move |connection| {
            find::ensemble_size(connection, account, definition, ensemble)
        })
        .await
    }

    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<Expected> {
        self.read(move |connection| find::expected(connection, account, benchmark))
            .await
    }

    async fn create_project(
        &self,
        account: Account,
        name: String,
        once: Option<Once>,
    ) -> Result<Project> {
        self.write(move |connection| create::project(connection, account, &name, once.as_ref()))
            .await
    }

    async fn create_definition(
        &self,
        account: Account,
        request: NewDefinition,
        once: Option<Once>,
    ) -> Result<Definition> {
        self.write(move |connection| {
            create::definition(connection, account, &request, once.as_ref())
        })
        .await
    }

    async fn create_ensemble(
        &self,
        account: Account,
        definition: Uuid,
        drawn: Drawn,
        rows: PackedRows,
        once: Option<Once>,
    ) -> Result<Ensemble> {
        self.write(move |connection| {
            // The packed rows are enough.
            let drawn = (&drawn, None);
            let ensemble = create::ensemble(connection, account, definition, drawn, once.as_ref())?;
            packed::keep(connection, ensemble.ensemble_uuid, &rows)?;
            Ok(ensemble)
        })
        .await
    }

    async fn create_benchmark(
        &self,
        account: Account,
        of: (Uuid, Uuid),
        request: NewBenchmark,
        digest: String,
        once: Option<Once>,
    ) -> Result<Benchmark> {
        self.write(move |connection| {
            create::benchmark(connection, account, of, &request, &digest, once.as_ref())
        })
        .await
    }

    async fn create_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        judged: Judged,
        once: Option<Once>,
    ) -> Result<AssertionEntry> {
        self.write(move |connection| {
            create::assertion(connection, account, benchmark, judged, once.as_ref())
        })
        .await
    }

    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()> {
        self.write(move |connection| remove::project(connection, account, project))
            .await
    }

    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()> {
        self.write(move |connection| remove::definition(connection, account, definition))
            .await
    }

    async fn delete_ensemble(&self, account: Account, ensemble: Uuid) -> Result<()> {
        self.write(move |connection| remove::ensemble(connection, account, ensemble))
            .await
    }

    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()> {
        self.write(move |connection| remove::benchmark(connection, account, benchmark))
            .await
    }

    async fn account(&self, name: &str) -> Result<Account> {
        let name = name.to_owned();
        self.write(move |connection| keys::account(connection, &name))
            .await
    }

    async fn add_key(&self, record: KeyRecord) -> Result<()> {
        self.write(move |connection| keys::add(connection, &record))
            .await
    }

    async fn key(&self, prefix: &Prefix) -> Result<Option<KeyRecord>> {
        self.read_one_here(|connection| keys::find(connection, prefix))
            .await
    }

    async fn keys(&self) -> Result<Vec<(String, KeyRecord)>> {
        self.read(keys::all).await
    }

    async fn revoke_key(&self, prefix: &Prefix) -> Result<bool> {
        let prefix = prefix.clone();
        self.write(move |connection| keys::revoke(connection, &prefix))
            .await
    }
}
