//! `verify`: checks stored rows and outputs against their digests.

use std::collections::HashSet;

use anyhow::bail;
use tdg_engine::text::counted;
use tdg_service::{Page, Result, ServiceError, Timestamp, Uuid, rules};

use super::open_existing;
use crate::account::Account;
use crate::config::Config;
use crate::database::{self, Database, DatabaseUrl, ObjectSpan, Owned, Unused};

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let database = open_existing(config).await?.database;
    println!("the database has {}", database.overview().await?);
    let mut verification = Verification::default();
    if let DatabaseUrl::Sqlite(file) = &config.database {
        verification.faults = database::check_sqlite(file)?;
    }
    let verified = verification.verify(&database).await;
    for fault in &verification.faults {
        println!("{fault}");
    }
    verified?;
    let checked = verification.checked();
    match verification.faults.len() {
        0 => println!("{checked} are intact"),
        count => {
            let faults = counted(count, "fault");
            bail!("{faults} in {checked}: restore a backup");
        }
    }
    Ok(())
}

/// The progress of the checks.
#[derive(Default)]
struct Verification {
    benchmarks: usize,
    ensembles: HashSet<Owned>,
    /// The number of ensembles with stored rows.
    drawn: usize,
    faults: Vec<String>,
}

impl Verification {
    /// Formats the counts: `3 benchmarks and the rows of 1 ensemble`.
    fn checked(&self) -> String {
        let benchmarks = counted(self.benchmarks, "benchmark");
        format!(
            "{benchmarks} and the rows of {}",
            counted(self.drawn, "ensemble")
        )
    }

    async fn verify(&mut self, database: &Database) -> Result<()> {
        let mut next = Some(ObjectSpan::from_account(None));
        while let Some(span) = next {
            let listed = database.benchmarks_in(span).await?;
            next = span.after(&listed);
            for benchmark in listed {
                let checked = self.check_benchmark(database, benchmark).await;
                self.note("benchmark", benchmark.1, checked)?;
            }
        }
        // The ensembles without benchmarks.
        let mut next = Some(ObjectSpan::from_account(None));
        while let Some(span) = next {
            let listed = database
                .unused_in(Unused::Ensemble, span, Timestamp::MAX)
                .await?;
            next = span.after(&listed);
            for (account, ensemble) in listed {
                let found = database.ensemble(account, ensemble, Page::default()).await;
                let definition = found.map(|found| found.object.definition_uuid);
                let checked = match definition {
                    Ok(definition) => {
                        self.check_rows(database, account, definition, ensemble)
                            .await
                    }
                    Err(error) => Err(error),
                };
                self.note("ensemble", ensemble, checked)?;
            }
        }
        Ok(())
    }

    /// Records a fault. A database that doesn't answer isn't a fault but an error.
    fn note(&mut self, kind: &str, uuid: Uuid, checked: Result<Option<String>>) -> Result<()> {
        match checked {
            Ok(None) | Err(ServiceError::NotFound(..)) => {}
            Ok(Some(fault)) => self.faults.push(format!("{kind} {uuid}: {fault}")),
            Err(error @ (ServiceError::Unavailable(_) | ServiceError::Unwritable(_))) => {
                return Err(error);
            }
            Err(error) => self.faults.push(format!("{kind} {uuid}: {error}")),
        }
        Ok(())
    }

    async fn check_benchmark(
        &mut self,
        database: &Database,
        (account, benchmark): Owned,
    ) -> Result<Option<String>> {
        self.benchmarks += 1;
        let expected = database.expected(account, benchmark).await?;
        let digest = database.output_digest(account, benchmark).await?;
        if expected.outputs.digest() != digest {
            return Ok(Some("its outputs don't match its digest".to_owned()));
        }
        if expected.outputs.len() != expected.size {
            return Ok(Some("it doesn't have one output for each row".to_owned()));
        }
        let (definition, ensemble) = (expected.definition_uuid, expected.ensemble_uuid);
        self.check_rows(database, account, definition, ensemble)
            .await
    }

    /// Checks the rows of an ensemble, if they are drawn.
    async fn check_rows(
        &mut self,
        database: &Database,
        account: Account,
        definition: Uuid,
        ensemble: Uuid,
    ) -> Result<Option<String>> {
        if !self.ensembles.insert((account, ensemble)) {
            return Ok(None);
        }
        let packed = database.rows(account, ensemble).await?;
        self.drawn += 1;
        let definition = database.definition_text(account, definition).await?;
        let rows = packed.rows().map_err(|error| {
            let message = format!("its rows can't be unpacked: {error}");
            ServiceError::unexpected(message).caused_by(error)
        })?;
        let digest = database.ensemble_digest(account, ensemble).await?;
        let is_same = rules::stored_rows(&definition, &rows)?.digest() == digest;
        let fault = || format!("the rows of ensemble {ensemble} don't match its digest");
        Ok((!is_same).then(fault))
    }
}
