//! Messages for webhooks about records. They are written in the same transaction as the records.

use std::collections::{BTreeMap, HashSet};

use tdg_service::record::{Record, RecordKind};
use tdg_service::sync::RecordOutcome;
use tdg_service::{Timestamp, Uuid};

use crate::database::error::DatabaseResult;
use crate::database::objects::assertions::has_benchmark;
use crate::database::row::DatabaseRow;
use crate::database::session::ProjectSession;
use crate::database::sql::{SqlValues, sql};
use crate::webhook::WebhookEvent;

/// The added runs of each test on each branch.
type MadeRuns<'r> = BTreeMap<(Uuid, Option<&'r str>), HashSet<Uuid>>;

macro_rules! newest_verdicts {
    ($branch:literal) => {
        sql!(
            "SELECT uuid, asserted FROM assertion WHERE account = $1 AND test = $2 AND ",
            $branch,
            " AND ",
            has_benchmark!(),
            " ORDER BY credible DESC, uuid DESC LIMIT $3"
        )
    };
}

impl ProjectSession<'_> {
    /// Adds messages for the account's webhooks about the added records: about decisions, and about
    /// runs with which a test begins to fail on a branch, or passes again.
    pub(super) async fn announce(
        self,
        records: &[Record],
        outcomes: &[RecordOutcome],
    ) -> DatabaseResult<()> {
        let now = Timestamp::now();
        let made = records.iter().zip(outcomes);
        let made = made.filter(|(_, outcome)| **outcome == RecordOutcome::Made);
        let made: Vec<&Record> = made.map(|(record, _)| record).collect();
        let events = made
            .iter()
            .filter_map(|it| WebhookEvent::from_record(it, now));
        let mut events: Vec<WebhookEvent<'_>> = events.collect();
        if events.is_empty() {
            return Ok(());
        }
        let sql = sql!("SELECT uuid FROM webhook WHERE account = $1");
        let webhooks: Vec<Uuid> = self.session.all(sql, &[], |row| row.get(0)).await?;
        if webhooks.is_empty() {
            return Ok(());
        }
        let turning = self.turning(&made).await?;
        events.retain(|event| event.run().is_none_or(|run| turning.contains(&run)));
        if events.is_empty() {
            return Ok(());
        }
        let sql = sql!("SELECT name FROM project WHERE account = $1 AND uuid = $2");
        let values: SqlValues<'_> = &[&self.project];
        let name: Option<String> = self.session.first(sql, values, |row| row.get(0)).await?;
        let project = (self.project, name.as_deref().unwrap_or_default());
        for event in events {
            let test = self.stored(RecordKind::Test, event.test).await?;
            let Some(Record::Test(test)) = test else {
                continue;
            };
            let message = event.message(project, &test.test, now);
            self.enqueue(&webhooks, &message, now).await?;
        }
        self.drop_oldest_deliveries().await
    }

    /// Returns the runs with which a test turns from passing to failing or back. These are the
    /// newest of a branch if the newest run before had another verdict. A test without earlier runs
    /// there counts as passing.
    async fn turning(self, made: &[&Record]) -> DatabaseResult<HashSet<Uuid>> {
        let mut runs = MadeRuns::new();
        for record in made {
            if let Record::Assertion(assertion) = record
                && let Some(run) = &assertion.run
            {
                let branch = run.facts.checkout.branch.as_deref();
                let runs = runs.entry((run.test, branch)).or_default();
                runs.insert(assertion.uuid);
            }
        }
        self.lock_tests(runs.keys().map(|(test, _)| *test).collect())
            .await?;
        let mut turning = HashSet::new();
        for ((test, branch), made) in &runs {
            let verdicts = self.newest_verdicts(*test, *branch, made.len() + 1);
            let verdicts = verdicts.await?;
            let before = verdicts.iter().find(|(run, _)| !made.contains(run));
            let passed = before.is_none_or(|(_, passes)| *passes);
            let newest = verdicts.first().filter(|(run, _)| made.contains(run));
            let turned = newest.filter(|(_, passes)| *passes != passed);
            turning.extend(turned.map(|(run, _)| run));
        }
        Ok(turning)
    }

    /// Locks tests. Of two concurrent failing runs, the later transaction sees the earlier one.
    async fn lock_tests(self, tests: Vec<Uuid>) -> DatabaseResult<()> {
        if self.session.is_sqlite() || tests.is_empty() {
            return Ok(());
        }
        let lock = sql!(
            postgres: "SELECT uuid FROM record WHERE account = $1 AND project = $2
                 AND kind = 'test' AND uuid = ANY($3) ORDER BY uuid FOR UPDATE"
        );
        let values: SqlValues<'_> = &[&self.project];
        self.session.execute_each(lock, values, &[&tests]).await
    }

    /// Returns the newest runs of a test on a branch, newest first, each with true if it passed.
    async fn newest_verdicts(
        self,
        test: Uuid,
        branch: Option<&str>,
        most: usize,
    ) -> DatabaseResult<Vec<(Uuid, bool)>> {
        let (branch, most) = (branch.map(str::to_owned), most as i64);
        let values: SqlValues<'_> = &[&test, &most, &branch];
        let (sql, values) = match branch {
            Some(_) => (newest_verdicts!("branch = $4"), values),
            None => (newest_verdicts!("branch IS NULL"), &values[..2]),
        };
        let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?));
        self.session.all(sql, values, read).await
    }
}
