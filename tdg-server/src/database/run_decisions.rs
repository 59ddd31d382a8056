//! Decides about the change of a run, from its page.

use tdg_engine::checkout::Checkout;
use tdg_service::record::{DecisionRecord, Record};
use tdg_service::sync::RecordOutcome;
use tdg_service::{ObjectKind, Result, ServiceError, Timestamp, Uuid};

use super::Database;
use super::error::DatabaseError;
use super::objects::assertions::has_benchmark;
use super::runs::{StoredRun, decisions};
use super::sql::{SqlValues, sql};
use crate::account::Account;

/// The subject of a decision: a test of a project, as a run at this time and place had it.
#[derive(Clone, Debug)]
pub(crate) struct DecidedTest {
    pub(crate) project: Uuid,
    pub(crate) test: Uuid,
    pub(crate) at: Timestamp,
    pub(crate) checkout: Checkout,
}

impl StoredRun {
    /// Returns true if a decision came after the run and applies to its branch.
    pub(crate) fn is_before(&self, decision: &DecisionRecord) -> bool {
        is_since(self.time, &self.facts.checkout, decision)
    }
}

fn is_since(time: Timestamp, checkout: &Checkout, decision: &DecisionRecord) -> bool {
    decision.time > time && checkout.shares_branch(&decision.decision.checkout)
}

impl Database {
    /// Returns when a later run of the test on its branch was first compared to another benchmark.
    pub(crate) async fn other_benchmark(
        &self,
        account: Account,
        test: Uuid,
        run: &StoredRun,
    ) -> Result<Option<Timestamp>> {
        let args = (test, run.clone());
        self.query(account, args, |session, (test, run)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT credible FROM assertion
                     WHERE account = $1 AND test = $2 AND credible > $3 AND benchmark <> $4
                         AND (CAST($5 AS text) IS NULL OR branch IS NULL OR branch = $5) AND ",
                    has_benchmark!(),
                    " ORDER BY credible LIMIT 1"
                );
                let (time, branch) = (run.time.as_micros(), &run.facts.checkout.branch);
                let values: SqlValues<'_> = &[test, &time, &run.benchmark, branch];
                session.first(sql, values, |row| row.time(0)).await
            })
        })
        .await
    }

    /// Returns the identity of an ensemble whose project was synchronized.
    pub(crate) async fn ensemble_identity(&self, account: Account, ensemble: Uuid) -> Result<Uuid> {
        let sql = sql!("SELECT identity FROM ensemble WHERE account = $1 AND uuid = $2");
        let object = (ObjectKind::Ensemble, ensemble);
        self.column(account, sql, object).await
    }

    /// Adds the records of a decision, all or none. Returns `None` if another decision came first:
    /// of two concurrent decisions, the later is refused.
    pub(crate) async fn decide(
        &self,
        account: Account,
        about: DecidedTest,
        records: Vec<Record>,
    ) -> Result<Option<Vec<RecordOutcome>>> {
        let bytes = records.iter().map(Record::large_bytes).sum();
        let args = (about, records);
        self.write(account, bytes, args, |session, (about, records)| {
            Box::pin(async move {
                let lock = sql!(
                    postgres: "SELECT uuid FROM record WHERE account = $1 AND project = $2
                         AND kind = 'test' AND uuid = $3 FOR UPDATE",
                    sqlite: "SELECT uuid FROM record WHERE account = $1 AND project = $2
                         AND kind = 'test' AND uuid = $3"
                );
                let values: SqlValues<'_> = &[&about.project, &about.test];
                session.exists(lock, values).await?;
                let decisions = decisions(session, about.test).await?;
                if decisions
                    .iter()
                    .any(|it| is_since(about.at, &about.checkout, it))
                {
                    return Ok(None);
                }
                let outcomes = session.within(about.project).add_all(records).await;
                let outcomes = outcomes.map_err(DatabaseError::overtaken)?;
                match outcomes.iter().find_map(refusal) {
                    Some(refusal) => Err(ServiceError::Conflict(refusal.into()).into()),
                    None => Ok(Some(outcomes)),
                }
            })
        })
        .await
    }
}

/// Returns the reason that a record was not added, or `None` if it was.
fn refusal(outcome: &RecordOutcome) -> Option<String> {
    match outcome {
        RecordOutcome::Made | RecordOutcome::Had => None,
        RecordOutcome::Gone(object) => Some(format!(
            "{object} was deleted, so nothing was decided; `cargo tdg push --revive` brings it back"
        )),
        RecordOutcome::Differs => Some("another record has this identity; try again".to_owned()),
        RecordOutcome::Refused(reason) => Some(format!("{reason}, so nothing was decided")),
    }
}
