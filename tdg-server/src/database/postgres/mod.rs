//! The database that several servers share. Its SQL is what other engines that speak PostgreSQL's protocol
//! take too: no sequences, triggers, advisory locks or notifications; identifiers and times are made in the
//! program, a write is one statement where it can be, and what the engine asks to repeat is repeated.
//!
//! Every table below the projects carries the account, so that a look-up is one query by account and
//! identifier.

mod address;
mod assertions;
mod create;
mod failure;
mod find;
mod keys;
mod list;
mod migrate;
mod once;
mod pool;
mod remove;
mod row;
mod shared;
mod tls;
mod tree;

use std::sync::Arc;

use crate::database::Account;
use crate::database::Expected;
use crate::database::Judged;
use async_trait::async_trait;
use tdg_service::rules::Drawn;
use tdg_service::{
    AssertionEntry, Benchmark, Definition, Ensemble, List, NewBenchmark, NewDefinition, Once, Page,
    Project, Result, Uuid,
};

pub(crate) use self::address::Address;
use self::assertions::Assertions;
use self::pool::Pool;
use super::{Database, Opened, Shown};
use crate::keys::{KeyRecord, Prefix};
use crate::packed_rows::PackedRows;

struct Postgres {
    pool: Pool,
    assertions: Assertions,
}

/// Connects, and brings the tables up to date.
pub(super) async fn open(address: &Address, connections: usize) -> Result<Opened> {
    let pool = Pool::new(address, connections)?;
    migrate::migrate(&pool).await?;
    once::forget_old(&pool);
    let assertions = Assertions::start(&pool);
    Ok(Opened {
        database: Arc::new(Postgres { pool, assertions }),
        new: false,
    })
}

#[async_trait]
impl Database for Postgres {
    async fn ready(&self) -> Result<()> {
        // Every request begins on a shared connection.
        self.pool
            .look_up((), |client, ()| Box::pin(find::ready(client)))
            .await?;
        self.pool
            .statement((), |client, ()| Box::pin(find::ready(client)))
            .await
    }

    async fn projects(&self, account: Account, page: Page) -> Result<List<Project>> {
        self.pool
            .view((account, page), |view, (account, page)| {
                Box::pin(list::projects(view, *account, page))
            })
            .await
    }

    async fn project(&self, account: Account, project: Uuid) -> Result<Project> {
        self.pool
            .view((account, project), |view, (account, project)| {
                Box::pin(find::project(view, *account, *project))
            })
            .await
    }

    async fn definitions(&self, account: Account, page: Page) -> Result<List<Definition>> {
        self.pool
            .view((account, page), |view, (account, page)| {
                Box::pin(list::definitions(view, *account, page))
            })
            .await
    }

    async fn definition(&self, account: Account, definition: Uuid) -> Result<Definition> {
        self.pool
            .view((account, definition), |view, (account, definition)| {
                Box::pin(find::definition(view, *account, *definition))
            })
            .await
    }

    async fn ensembles(
        &self,
        account: Account,
        definition: Uuid,
        page: Page,
    ) -> Result<List<Ensemble>> {
        self.pool
            .view(
                (account, definition, page),
                |view, (account, definition, page)| {
                    Box::pin(list::ensembles(view, *account, *definition, page))
                },
            )
            .await
    }

    async fn ensemble(&self, account: Account, ensemble: Uuid) -> Result<Ensemble> {
        self.pool
            .statement((account, ensemble), |client, (account, ensemble)| {
                Box::pin(find::ensemble(client, *account, *ensemble))
            })
            .await
    }

    async fn benchmarks(
        &self,
        account: Account,
        of: (Uuid, Uuid),
        page: Page,
    ) -> Result<List<Benchmark>> {
        self.pool
            .view((account, of, page), |view, (account, of, page)| {
                Box::pin(list::benchmarks(view, *account, *of, page))
            })
            .await
    }

    async fn benchmark(&self, account: Account, benchmark: Uuid) -> Result<Benchmark> {
        self.pool
            .look_up((account, benchmark), |client, (account, benchmark)| {
                Box::pin(find::benchmark(client, *account, *benchmark))
            })
            .await
    }

    async fn still_shows(&self, account: Account, benchmark: Uuid, shown: Shown) -> Result<bool> {
        self.pool
            .look_up(
                (account, benchmark, shown),
                |client, (account, benchmark, shown)| {
                    Box::pin(find::still_shows(client, *account, *benchmark, shown))
                },
            )
            .await
    }

    async fn history(
        &self,
        account: Account,
        benchmark: Uuid,
        page: Page,
    ) -> Result<List<AssertionEntry>> {
        self.pool
            .view(
                (account, benchmark, page),
                |view, (account, benchmark, page)| {
                    Box::pin(list::history(view, *account, *benchmark, page))
                },
            )
            .await
    }

    async fn definition_text(&self, account: Account, definition: Uuid) -> Result<String> {
        self.pool
            .statement((account, definition), |client, (account, definition)| {
                Box::pin(find::definition_text(client, *account, *definition))
            })
            .await
    }

    async fn digest(&self, account: Account, ensemble: Uuid) -> Result<String> {
        self.pool
            .look_up((account, ensemble), |client, (account, ensemble)| {
                Box::pin(find::digest(client, *account, *ensemble))
            })
            .await
    }

    async fn output_digest(&self, account: Account, benchmark: Uuid) -> Result<String> {
        self.pool
            .look_up((account, benchmark), |client, (account, benchmark)| {
                Box::pin(find::output_digest(client, *account, *benchmark))
            })
            .await
    }

    async fn rows(&self, account: Account, ensemble: Uuid) -> Result<PackedRows> {
        self.pool
            .statement((account, ensemble), |client, (account, ensemble)| {
                Box::pin(find::rows(client, *account, *ensemble))
            })
            .await
    }

    async fn ensemble_size(&self, account: Account, of: (Uuid, Uuid)) -> Result<usize> {
        self.pool
            .look_up((account, of), |client, (account, of)| {
                Box::pin(find::ensemble_size(client, *account, *of))
            })
            .await
    }

    async fn expected(&self, account: Account, benchmark: Uuid) -> Result<Expected> {
        self.pool
            .statement((account, benchmark), |client, (account, benchmark)| {
                Box::pin(find::expected(client, *account, *benchmark))
            })
            .await
    }

    async fn create_project(
        &self,
        account: Account,
        name: String,
        once: Option<Once>,
    ) -> Result<Project> {
        self.pool
            .write((account, name, once), |unit, (account, name, once)| {
                Box::pin(create::project(unit, *account, name, once.as_ref()))
            })
            .await
    }

    async fn create_definition(
        &self,
        account: Account,
        request: NewDefinition,
        once: Option<Once>,
    ) -> Result<Definition> {
        self.pool
            .write(
                (account, request, once),
                |unit, (account, request, once)| {
                    Box::pin(create::definition(unit, *account, request, once.as_ref()))
                },
            )
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
        self.pool
            .write(
                (account, definition, drawn, rows, once),
                |unit, (account, definition, drawn, rows, once)| {
                    Box::pin(create::ensemble(
                        unit,
                        *account,
                        *definition,
                        (drawn, rows),
                        once.as_ref(),
                    ))
                },
            )
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
        self.pool
            .write(
                (account, of, request, digest, once),
                |unit, (account, of, request, digest, once)| {
                    Box::pin(create::benchmark(
                        unit,
                        *account,
                        *of,
                        (request, digest),
                        once.as_ref(),
                    ))
                },
            )
            .await
    }

    async fn create_assertion(
        &self,
        account: Account,
        benchmark: Uuid,
        judged: Judged,
        once: Option<Once>,
    ) -> Result<AssertionEntry> {
        let asserted = judged.changed.is_none();
        self.assertions
            .add(account, benchmark, asserted, once)
            .await
    }

    async fn delete_project(&self, account: Account, project: Uuid) -> Result<()> {
        self.pool
            .write((account, project), |unit, (account, project)| {
                Box::pin(remove::project(unit, *account, *project))
            })
            .await
    }

    async fn delete_definition(&self, account: Account, definition: Uuid) -> Result<()> {
        self.pool
            .write((account, definition), |unit, (account, definition)| {
                Box::pin(remove::definition(unit, *account, *definition))
            })
            .await
    }

    async fn delete_ensemble(&self, account: Account, ensemble: Uuid) -> Result<()> {
        self.pool
            .write((account, ensemble), |unit, (account, ensemble)| {
                Box::pin(remove::ensemble(unit, *account, *ensemble))
            })
            .await
    }

    async fn delete_benchmark(&self, account: Account, benchmark: Uuid) -> Result<()> {
        self.pool
            .write((account, benchmark), |unit, (account, benchmark)| {
                Box::pin(remove::benchmark(unit, *account, *benchmark))
            })
            .await
    }

    async fn account(&self, name: &str) -> Result<Account> {
        self.pool
            .statement(name.to_owned(), |client, name| {
                Box::pin(keys::account(client, name))
            })
            .await
    }

    async fn add_key(&self, record: KeyRecord) -> Result<()> {
        self.pool
            .statement(record, |client, record| Box::pin(keys::add(client, record)))
            .await
    }

    async fn key(&self, prefix: &Prefix) -> Result<Option<KeyRecord>> {
        self.pool
            .look_up(prefix.clone(), |client, prefix| {
                Box::pin(keys::find(client, prefix))
            })
            .await
    }

    async fn keys(&self) -> Result<Vec<(String, KeyRecord)>> {
        self.pool
            .statement((), |client, ()| Box::pin(keys::all(client)))
            .await
    }

    async fn revoke_key(&self, prefix: &Prefix) -> Result<bool> {
        self.pool
            .statement(prefix.clone(), |client, prefix| {
                Box::pin(keys::revoke(client, prefix))
            })
            .await
    }
}
