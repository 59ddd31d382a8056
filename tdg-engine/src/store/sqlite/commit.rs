//! Commits a run in one transaction at its end.

use rusqlite::types::ValueRef;
use rusqlite::{Transaction, params};
use tdg_definition::json;
use uuid::Uuid;

use super::add_run::{LAST_ASSERTION, add_run};
use super::error::StoreProblem;
use super::history::HISTORY;
use super::journal_import::take_in;
use super::rename::{former, join};
use super::rows::{self, RowId, execute, first};
use super::{
    Moment, PendingUpdate, Run, Store, StoreError, decision, history, identifier, pending,
};
use crate::store::journal::{Journal, RunEntry, TakenJournal};
use crate::store::moment::time_after;
use crate::store::{RenamedFrom, ReplacedBenchmark};
use crate::verdict::Verdict;

/// The number of assertions of a benchmark that are removed together.
const TRIMMED_AT_ONCE: i64 = 64;

/// The identifiers of a run in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The benchmark, if any.
    pub benchmark: Option<Uuid>,
    /// The assertion that was added to its history.
    pub assertion: Option<Uuid>,
    /// The previous benchmark, if the run has a different one that is new to the store and wasn't
    /// decided locally.
    pub replaced: Option<ReplacedBenchmark>,
}

/// The state of a test in the store at the end of a run.
struct TestState {
    test: RowId,
    claim_is_new: bool,
    /// The current benchmark, and true if it is the run's.
    benchmark: Option<(RowId, bool)>,
    /// The policy of the benchmark.
    policy: Option<String>,
    pending: bool,
}

impl Store {
    /// Writes a run: its project, definition, ensemble and benchmark if they are new, the
    /// assertion, and the pending change. The run's benchmark becomes the test's current one.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::Claimed`] if another function has the same identity; otherwise if the store
    /// can't be written. Nothing of the run is then in the store.
    pub fn commit(&self, run: &Run<'_>) -> Result<Committed, StoreError> {
        self.commit_at(run, None, &|_| false)
    }

    /// Like [`commit`](Self::commit), for a run that may already be in a journal with this moment,
    /// and whose test may have been renamed.
    pub(in crate::store) fn commit_at(
        &self,
        run: &Run<'_>,
        moment: Option<Moment>,
        renamed: RenamedFrom<'_>,
    ) -> Result<Committed, StoreError> {
        let journal = Journal::new(&self.directory, run.test);
        let mut all_taken = Vec::new();
        let (committed, newest) = self.write(|transaction| {
            // Until this transaction ends, no process starts another journal.
            let mut take = |journal: &Journal| match journal.take()? {
                Some(taken) => take_in(transaction, &taken).map(|()| all_taken.push(taken)),
                None => Ok(()),
            };
            take(&journal)?;
            if let Some(old) = former(transaction, run, renamed)? {
                take(&Journal::new(&self.directory, &old))?;
                join(transaction, &old, run.test)?;
            }
            write(transaction, run, moment)
        })?;
        all_taken.iter().for_each(TakenJournal::remove);
        if run.facts.verdict.passes()
            && let Some(benchmark) = committed.benchmark
        {
            // Without a journal, the next run opens the store again.
            let _ = self.write(|transaction| match knows_all(transaction, run)? {
                true => Ok(journal.begin(run, Some(benchmark.into_bytes()), newest)?),
                false => Ok(false),
            });
        }
        Ok(committed)
    }
}

/// Writes a run, and also returns the time of its assertion.
fn write(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    moment: Option<Moment>,
) -> Result<(Committed, i64), StoreProblem> {
    let state = match test_state(transaction, run)? {
        Some(state) => state,
        None => TestState {
            test: rows::new_test(transaction, run.test)?,
            claim_is_new: run.claim.run.is_some(),
            benchmark: None,
            policy: None,
            pending: false,
        },
    };
    if state.claim_is_new {
        execute(
            transaction,
            "UPDATE test SET claim_run = ?2, claim_function = ?3 WHERE id = ?1",
            params![state.test, run.claim.run, run.claim.function],
        )?;
    }
    let (benchmark, replaced) = set_benchmark(transaction, run, &state)?;
    if benchmark.is_some() {
        keep_policy(transaction, run, &state)?;
    }
    let now = rows::now();
    update_pending(transaction, run, &state, now)?;
    if let Some(decision) = run.decision {
        decision::add(transaction, state.test, decision, benchmark, None, now)?;
    }
    let (benchmark, assertion, newest) = match benchmark {
        Some(id) => {
            let (benchmark, moment) = add_assertion(transaction, run, id, now, moment)?;
            let assertion = Uuid::from_bytes(moment.uuid);
            (Some(benchmark), Some(assertion), moment.time)
        }
        None => (None, None, now),
    };
    let committed = Committed {
        benchmark,
        assertion,
        replaced,
    };
    Ok((committed, newest))
}

/// Returns true if a run like this one would only add its assertion.
fn knows_all(transaction: &Transaction<'_>, run: &Run<'_>) -> Result<bool, StoreProblem> {
    let state = test_state(transaction, run)?;
    Ok(state.is_some_and(|state| {
        matches!(state.benchmark, Some((_, true)))
            && state.policy.as_deref() == run.policy
            && !state.claim_is_new
            && !state.pending
    }))
}

/// Selects everything that the common run needs.
pub(super) const PRESENT: &str =
    "SELECT test.id, test.claim_run, test.claim_function, benchmark.id, pending.test,
         ensemble.digest = ?4 AND ensemble.seed = ?5 AND ensemble.size = ?6
         AND ensemble.sampler_version = ?7 AND definition.text = ?8, benchmark.outputs,
         test.policy
     FROM project
     JOIN test ON test.project = project.id
     LEFT JOIN benchmark ON benchmark.id = test.benchmark
     LEFT JOIN ensemble ON ensemble.id = benchmark.ensemble
     LEFT JOIN definition ON definition.id = ensemble.definition
     LEFT JOIN pending ON pending.test = test.id
     WHERE project.name = ?1 AND test.source = ?2 AND test.name = ?3";

fn test_state(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
) -> Result<Option<TestState>, StoreProblem> {
    let expected = run.benchmark.as_ref();
    let ensemble = expected.map(|expected| expected.ensemble);
    let found = first(
        transaction,
        PRESENT,
        params![
            &run.test.package,
            &run.test.source,
            &run.test.name,
            ensemble.map(|ensemble| &ensemble.digest),
            ensemble.map(rows::seed),
            ensemble.map(rows::size),
            ensemble.map(|ensemble| ensemble.sampler_version),
            ensemble.map(|ensemble| &ensemble.definition)
        ],
        |row| {
            let in_this_run = run.claim.run.is_some()
                && row.get::<_, Option<String>>(1)?.as_deref() == run.claim.run;
            let claimed_by = if in_this_run {
                row.get::<_, Option<String>>(2)?
            } else {
                None
            };
            let of_ensemble = row.get::<_, Option<bool>>(5)?.unwrap_or(false);
            // Compared in place: SQLite would copy a parameter.
            let outputs = expected.map(|expected| ValueRef::Text(expected.outputs.as_bytes()));
            let is_expected = of_ensemble && outputs == Some(row.get_ref(6)?);
            let benchmark = row.get::<_, Option<RowId>>(3)?.map(|id| (id, is_expected));
            let state = TestState {
                test: row.get(0)?,
                claim_is_new: run.claim.run.is_some() && !in_this_run,
                benchmark,
                policy: row.get(7)?,
                pending: row.get_ref(4)? != ValueRef::Null,
            };
            Ok((state, claimed_by))
        },
    )?;
    match found {
        Some((_, Some(by))) if by != run.claim.function => Err(StoreProblem::Claimed { by }),
        Some((state, _)) => Ok(Some(state)),
        None => Ok(None),
    }
}

/// Makes the run's benchmark the current one. Also returns the previous one, if the new one was
/// unknown to the store and wasn't decided locally.
fn set_benchmark(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    state: &TestState,
) -> Result<(Option<RowId>, Option<ReplacedBenchmark>), StoreProblem> {
    let mut former = None;
    let benchmark = match (&run.benchmark, state.benchmark) {
        (Some(_), Some((current, true))) => return Ok((Some(current), None)),
        (Some(expected), current) => {
            let (id, is_new) = rows::benchmark(transaction, run.test, state.test, expected)?;
            if let (true, None, Some((current, _))) = (is_new, run.decision, current) {
                former = undecided(transaction, state.test, current, expected.outputs)?;
            }
            Some(id)
        }
        (None, Some(_)) if run.facts.verdict == Verdict::Missing => None,
        (None, _) => return Ok((None, None)),
    };
    rows::point_to(transaction, state.test, benchmark)?;
    Ok((benchmark, former))
}

/// Returns the current benchmark, unless the new outputs were pending (as with cargo-insta).
fn undecided(
    transaction: &Transaction<'_>,
    test: RowId,
    current: RowId,
    outputs: &str,
) -> Result<Option<ReplacedBenchmark>, StoreProblem> {
    let sql = "SELECT outputs, (
                   SELECT facts FROM assertion WHERE benchmark = ?2 AND origin IS NULL
                   ORDER BY timestamp DESC LIMIT 1
               ) FROM benchmark WHERE id = ?2 AND NOT EXISTS (
                   SELECT 1 FROM pending WHERE test = ?1 AND outputs = ?3)";
    first(transaction, sql, params![test, current, outputs], |row| {
        let facts: Option<String> = row.get(1)?;
        let facts = facts.and_then(|facts| json::parse(&facts).ok());
        let commit = facts
            .as_ref()
            .and_then(|facts| facts.get("commit")?.as_str());
        Ok(ReplacedBenchmark {
            outputs: row.get(0)?,
            commit: commit.map(str::to_owned),
        })
    })
}

/// Stores the policy of a passing test with its benchmark, as in snapshot files.
fn keep_policy(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    state: &TestState,
) -> Result<(), StoreProblem> {
    if run.policy.is_none() || state.policy.as_deref() == run.policy || !run.facts.verdict.passes()
    {
        return Ok(());
    }
    rows::keep_policy(transaction, state.test, run.policy)
}

/// An unchanged change keeps its id, so that a decision about it stays valid. A different one
/// counts as not shown yet.
const SET_PENDING: &str = "INSERT INTO pending
     (test, uuid, ensemble, added, outputs, policy, takes, recorded_outputs)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
     ON CONFLICT (test) DO UPDATE SET uuid = excluded.uuid, ensemble = excluded.ensemble,
         added = excluded.added, outputs = excluded.outputs, policy = excluded.policy,
         takes = excluded.takes, recorded_outputs = excluded.recorded_outputs,
         shown = NULL, shown_beside = NULL,
         shown_outputs = CASE
             WHEN ensemble <> excluded.ensemble THEN NULL
             WHEN shown IS NULL THEN shown_outputs
             ELSE outputs
         END
     WHERE ensemble <> excluded.ensemble OR outputs <> excluded.outputs
         OR policy IS NOT excluded.policy OR takes IS NOT excluded.takes
         OR recorded_outputs IS NOT excluded.recorded_outputs";

fn update_pending(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    state: &TestState,
    now: i64,
) -> Result<(), StoreProblem> {
    match &run.pending {
        PendingUpdate::Keep => {}
        PendingUpdate::Clear if state.pending => rows::remove_pending(transaction, state.test)?,
        PendingUpdate::Clear => {}
        PendingUpdate::Set {
            outputs,
            takes,
            recorded_outputs,
            is_reported,
        } => {
            let ensemble =
                rows::ensemble(transaction, run.test, outputs.ensemble, outputs.vectors)?;
            execute(
                transaction,
                SET_PENDING,
                params![
                    state.test,
                    identifier::random(),
                    ensemble,
                    now,
                    outputs.outputs,
                    run.policy,
                    takes,
                    recorded_outputs
                ],
            )?;
            if *is_reported && let Some(benchmark) = &run.benchmark {
                pending::mark_seen(transaction, state.test, benchmark)?;
            }
        }
    }
    Ok(())
}

/// Adds the assertion, and removes the oldest ones once enough exceed the limit. Returns the
/// benchmark's identifier and the moment of the run.
fn add_assertion(
    transaction: &Transaction<'_>,
    run: &Run<'_>,
    benchmark: RowId,
    now: i64,
    moment: Option<Moment>,
) -> Result<(Uuid, Moment), StoreProblem> {
    let (uuid, had, newest, is_pulled) =
        transaction
            .prepare(LAST_ASSERTION)?
            .query_row([benchmark], |row| {
                let newest: i64 = row.get(2)?;
                Ok((row.get(0)?, row.get::<_, i64>(1)?, newest, row.get(3)?))
            })?;
    // A clock that is set back doesn't reorder local runs.
    let is_behind = is_pulled && newest >= now;
    let last = match is_behind {
        true => history::newest_of_here(transaction, benchmark)?,
        false => newest,
    };
    let moment = moment.unwrap_or_else(|| Moment::at(time_after(now, last)));
    let n = had + 1;
    let is_new = add_run(transaction, benchmark, n, &RunEntry::new(run, moment))?;
    let is_long = n > HISTORY && n % TRIMMED_AT_ONCE == 0;
    if is_new && (moment.time <= newest || is_long) {
        history::settle(transaction, benchmark, n)?;
    }
    Ok((Uuid::from_bytes(uuid), moment))
}
