//! The rows of a run, and their relation to the benchmark's.

pub(super) mod benchmark_rows;

use std::borrow::Cow;
use std::sync::Arc;

use super::backend::{Backend, RESTORE};
use super::error::{Result, RunError};
use super::plan::Plan;
use crate::row;
use tdg_definition::Definition;
use tdg_definition::limits::DATA_BYTES;
use tdg_definition::random::SAMPLER_VERSION;
use tdg_engine::generate::{Migration, Pairing, RenamedCategory, Renames};
use tdg_engine::snapshot::BenchmarkFile;
use tdg_engine::{Ensemble, Takes, Vectors};
use tdg_report::InputChange;

/// The rows of a run.
pub(super) struct Rows {
    pub(super) ensemble: Ensemble,
    pub(super) vectors: Arc<row::Vectors>,
    /// The features that the function takes.
    pub(super) takes: Takes,
    /// The ensemble of the benchmark, if it differs.
    pub(super) recorded: Option<Ensemble>,
    /// The changes of the inputs since the benchmark was recorded, if any.
    pub(super) change: Option<ChangedRows>,
    /// A line to print, although it isn't a failure.
    pub(super) notice: Option<String>,
}

/// The rows of a benchmark with other inputs.
pub(super) struct ChangedRows {
    /// The differences between the inputs.
    pub(super) changes: Vec<InputChange>,
    /// The names that the recorded rows have now.
    pub(super) renames: Renames,
    /// The rows of the benchmark in its own definition.
    recorded: Vectors,
    /// The benchmark's rows in the current definition.
    pub(super) vectors: Arc<row::Vectors>,
    /// For each row, the reason why it can't be converted, if any.
    pub(super) lost: Vec<Option<String>>,
}

impl ChangedRows {
    /// Converts the rows and renames these categories, or all if `None`.
    pub(super) fn migrate(&mut self, rows: &Rows, categories: Option<&[RenamedCategory]>) {
        let migration = self.migrated(rows, categories);
        self.vectors = Arc::new(row::Vectors::new(migration.vectors));
        self.renames = migration.renames;
        self.lost = migration.lost;
    }

    pub(super) fn migrated(
        &self,
        rows: &Rows,
        categories: Option<&[RenamedCategory]>,
    ) -> Migration {
        let recorded = rows.recorded.as_ref().unwrap_or(&rows.ensemble);
        let now = (&rows.ensemble, rows.table());
        Migration::new((recorded, &self.recorded), now, &rows.takes, categories)
    }
}

impl Rows {
    /// Draws the rows, or takes the file's. If definition, seed and size equal the benchmark's but
    /// the drawn rows differ, the benchmark's rows are used.
    pub(super) fn obtain(
        plan: &Plan,
        backend: &dyn Backend,
        benchmark: Option<&BenchmarkFile>,
    ) -> Result<Self> {
        let vectors = match &plan.rows {
            Some(file) => file.vectors.clone(),
            None => Vectors::generate(&plan.definition, plan.seed, plan.size),
        };
        let origin = plan.rows.as_ref().map(|file| &file.path);
        let origin = origin.unwrap_or(&plan.definition_name);
        check_length(&vectors, origin, DATA_BYTES)?;
        let ensemble = Ensemble {
            name: plan.test.name.clone(),
            size: plan.size,
            seed: plan.seed,
            sampler_version: SAMPLER_VERSION,
            digest: vectors.digest(),
            definition: plan.definition_text.clone(),
            rows: plan.rows.as_ref().map(|file| file.path.clone()),
        };
        let mut rows = Self {
            ensemble,
            takes: plan.takes(),
            vectors: Arc::new(row::Vectors::drawn(&plan.definition, vectors)),
            recorded: None,
            change: None,
            notice: None,
        };
        if let Some(benchmark) = benchmark {
            rows.follow(plan, backend, benchmark)?;
        }
        Ok(rows)
    }

    fn follow(
        &mut self,
        plan: &Plan,
        backend: &dyn Backend,
        benchmark: &BenchmarkFile,
    ) -> Result<()> {
        let recorded = benchmark.ensemble();
        if recorded.rows.is_none() && recorded.sampler_version != SAMPLER_VERSION {
            return Err(RunError::new(format!(
                "{}: its rows were drawn by version {} of the samplers; this tdg has version {SAMPLER_VERSION}",
                plan.benchmark_place(),
                recorded.sampler_version
            ))
            .hint("use the tdg that recorded it, or a later one"));
        }
        let has_recorded_rows = |rows: &Self| {
            recorded.definition == rows.ensemble.definition
                && recorded.digest == rows.ensemble.digest
        };
        let is_drawn = recorded.rows.is_none() && self.ensemble.rows.is_none();
        let is_drawn_alike = is_drawn
            && recorded.definition == self.ensemble.definition
            && recorded.seed == self.ensemble.seed
            && recorded.size == self.ensemble.size;
        if !is_drawn_alike {
            if is_drawn || !has_recorded_rows(self) {
                self.change = self.changed(plan, backend, benchmark)?;
            }
            // A reordered file now has the benchmark's rows.
            if !is_drawn && has_recorded_rows(self) {
                self.recorded = None;
            }
            return Ok(());
        }
        if recorded.digest == self.ensemble.digest {
            return Ok(());
        }
        let kept = kept_rows(plan, backend, benchmark, &plan.definition)?;
        self.notice = Some(format!(
            "{}: its definition and seed no longer give the rows that its benchmark was recorded with; \
             the benchmark's own rows are used. This is a bug in tdg: please report it with the definition",
            plan.test
        ));
        self.ensemble.digest.clone_from(&recorded.digest);
        self.vectors = Arc::new(row::Vectors::new(kept));
        Ok(())
    }

    /// Returns the changes of the inputs, or `None` if the function gets the same rows
    /// nevertheless.
    fn changed(
        &mut self,
        plan: &Plan,
        backend: &dyn Backend,
        benchmark: &BenchmarkFile,
    ) -> Result<Option<ChangedRows>> {
        let mut recorded = benchmark.ensemble().clone();
        let definition = Definition::parse_recorded(&recorded.definition).map_err(|faults| {
            RunError::new(format!(
                "{}: this tdg does not understand the definition that it was recorded with:\n{faults}",
                plan.benchmark_place()
            ))
            .hint(format!("use the tdg that recorded it, or a later one; or {RESTORE}"))
        })?;
        let drawn = recorded.rows.is_none();
        let drawn = drawn.then(|| Vectors::of_ensemble(&definition, &recorded));
        let drawn = drawn.transpose().map_err(|error| {
            RunError::new(format!("{}: {error}", plan.benchmark_place())).hint(RESTORE)
        })?;
        let vectors = match drawn.filter(|drawn| drawn.digest() == recorded.digest) {
            Some(drawn) => drawn,
            None => {
                // The store doesn't know that the rows come from a file.
                recorded.rows = recorded.rows.or_else(|| self.ensemble.rows.clone());
                kept_rows(plan, backend, benchmark, &definition)?
            }
        };
        self.recorded = Some(recorded.clone());
        let (now, takes) = (&self.ensemble, &self.takes);
        let pairing = Pairing::of_ensembles((&recorded, &vectors), (now, self.table()), takes);
        if let Some(order) = pairing.permutation() {
            self.reorder(plan, &order);
            return Ok(None);
        }
        let changes = InputChange::between(&recorded, now, &pairing);
        let mut change = ChangedRows {
            changes,
            renames: Renames::default(),
            vectors: Arc::new(row::Vectors::new(vectors.clone())),
            recorded: vectors,
            lost: Vec::new(),
        };
        change.migrate(self, None);
        Ok(Some(change))
    }

    /// Puts a file's rows in the order of the benchmark, which is the order of its outputs.
    fn reorder(&mut self, plan: &Plan, order: &[usize]) {
        if order.is_sorted() {
            return;
        }
        let vectors = self.table().gather(order);
        self.ensemble.digest = vectors.digest();
        self.vectors = Arc::new(row::Vectors::drawn(&plan.definition, vectors));
    }

    /// Returns the columns.
    pub(super) fn table(&self) -> &Vectors {
        self.vectors.table()
    }

    /// Returns true if these are new rows and the benchmark's own rows run as well.
    pub(super) fn are_new(&self, vectors: &Arc<row::Vectors>) -> bool {
        self.change.is_some() && Arc::ptr_eq(&self.vectors, vectors)
    }

    /// Returns the columns of these rows that the function takes.
    pub(super) fn taken<'a>(&self, vectors: &'a row::Vectors) -> Cow<'a, Vectors> {
        let table = vectors.table();
        if table.names().all(|name| self.takes.has(name)) {
            Cow::Borrowed(table)
        } else {
            Cow::Owned(table.taken(&self.takes))
        }
    }
}

/// Returns the rows that a benchmark was recorded with, in its own form.
fn kept_rows(
    plan: &Plan,
    backend: &dyn Backend,
    benchmark: &BenchmarkFile,
    definition: &Definition,
) -> Result<Vectors> {
    let kept = backend.recorded_rows(plan, benchmark, definition)?;
    if kept.digest() == benchmark.ensemble().digest {
        return Ok(kept);
    }
    Err(RunError::new(format!(
        "{}: its inputs were edited: they don't match its definition and seed",
        plan.benchmark_place()
    ))
    .hint(RESTORE))
}

pub(super) fn check_length(vectors: &Vectors, definition: &str, limit: usize) -> Result<()> {
    if vectors.is_within(limit) {
        return Ok(());
    }
    let (size, megabytes) = (vectors.size(), limit >> 20);
    Err(RunError::new(format!(
        "{size} rows of {definition} are longer than {megabytes} MB of JSON, the limit of an \
         ensemble"
    ))
    .hint("use a smaller size, or shorten the definition's texts"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_a_length_in_bytes() {
        let text = "x".repeat(2000);
        let definition = Definition::parse(&format!(
            r#"{{"features": [{{"type": "STRING", "distribution": {{"type": "constant", "value": "{text}"}}}}]}}"#
        ));
        let vectors = Vectors::generate(&definition.unwrap(), 0, 600);
        assert!(check_length(&vectors, "orders.json", 2 << 20).is_ok());
        let refused = check_length(&vectors, "orders.json", 1 << 20).unwrap_err();
        insta::assert_snapshot!(refused.text(), @"
        600 rows of orders.json are longer than 1 MB of JSON, the limit of an ensemble
        use a smaller size, or shorten the definition's texts
        ");
    }
}
