//! Taking journals into the store.

use rusqlite::{Transaction, params};
use uuid::Uuid;

use super::add_run::{LAST_ASSERTION, add_run};
use super::rows::{self, RowId, execute, value};
use super::{Expected, Store, StoreError, StoreProblem, decision, history, identifier};
use crate::store::journal::{Head, JournalContent, RunEntry, TakenJournal};

impl Store {
    /// Takes in the journals of all tests. Returns the number of unreadable ones, which are set
    /// aside.
    pub(in crate::store) fn take_in_all(&self) -> Result<usize, StoreError> {
        let names = TakenJournal::names(&self.directory);
        let names = names.map_err(|error| StoreError::new(&self.file, error))?;
        if names.is_empty() {
            return Ok(0);
        }
        let mut all = Vec::new();
        self.write(|transaction| {
            for name in &names {
                if let Some(taken) = TakenJournal::named(name, &self.directory)? {
                    take_in(transaction, &taken)?;
                    all.push(taken);
                }
            }
            Ok(())
        })?;
        all.iter().for_each(TakenJournal::remove);
        Ok(all.iter().filter(|taken| taken.set_aside()).count())
    }
}

/// Adds the runs of a journal that are not in the store yet.
pub(super) fn take_in(
    transaction: &Transaction<'_>,
    taken: &TakenJournal,
) -> Result<(), StoreProblem> {
    let Some(content) = &taken.content else {
        return Ok(());
    };
    let JournalContent { head, entries, .. } = content;
    let test = rows::test(transaction, &head.test)?;
    let Some(benchmark) = benchmark(transaction, test, content)? else {
        return Ok(());
    };
    let had: i64 = transaction
        .prepare(LAST_ASSERTION)?
        .query_row([benchmark], |row| row.get(1))?;
    let mut added = 0;
    for entry in entries {
        if !add_run(transaction, benchmark, 0, entry)? {
            continue;
        }
        added += 1;
        if let Some(decision) = &entry.decision {
            let uuid = Uuid::from_bytes(identifier::timed(entry.moment.time));
            let made = (entry.moment.time, uuid, None);
            decision::insert(transaction, test, decision, Some(benchmark), None, made)?;
        }
    }
    history::settle(transaction, benchmark, had + added)?;
    if let Some(last) = entries.last() {
        let claim =
            "UPDATE test SET claim_run = ?2, claim_function = ?3 WHERE id = ?1 AND ?2 IS NOT NULL";
        execute(
            transaction,
            claim,
            params![test, last.claim.run, last.claim.function],
        )?;
        if head.known.is_none() {
            follow(transaction, test, benchmark, head, last)?;
        }
    }
    Ok(())
}

/// Returns the benchmark of a journal, or `None` if it was removed from the store.
fn benchmark(
    transaction: &Transaction<'_>,
    test: RowId,
    content: &JournalContent,
) -> Result<Option<RowId>, StoreProblem> {
    let Some(own) = &content.benchmark else {
        let found = "SELECT id FROM benchmark WHERE uuid = ?1";
        return value(transaction, found, params![content.head.known]);
    };
    let expected = Expected {
        ensemble: &own.ensemble,
        vectors: None,
        outputs: &own.outputs,
    };
    let (benchmark, _) = rows::benchmark(transaction, &content.head.test, test, &expected)?;
    Ok(Some(benchmark))
}

/// Applies the journal's last run to the test, unless the store has a newer one.
fn follow(
    transaction: &Transaction<'_>,
    test: RowId,
    benchmark: RowId,
    head: &Head,
    last: &RunEntry,
) -> Result<(), StoreProblem> {
    let newest = "SELECT max(timestamp) FROM assertion JOIN benchmark ON benchmark.id = benchmark
                  WHERE test = ?1";
    let newest = value::<Option<i64>>(transaction, newest, params![test])?;
    if newest.flatten() > Some(last.moment.time) {
        return Ok(());
    }
    rows::point_to(transaction, test, Some(benchmark))?;
    if last.facts.verdict.passes() {
        if head.policy.is_some() {
            rows::keep_policy(transaction, test, head.policy.as_deref())?;
        }
        rows::remove_pending(transaction, test)?;
    }
    Ok(())
}
