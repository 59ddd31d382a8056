//! Adds consecutive assertions, which are looked up together and written together.

use std::collections::{HashMap, HashSet};

use tdg_service::record::{AssertionRecord, Record, RecordKind};
use tdg_service::sync::RecordOutcome;
use tdg_service::{JsonForm, Timestamp, Uuid};

use super::find::{self, SoughtAssertion};
use super::outcome::gone_of;
use crate::database::error::DatabaseResult;
use crate::database::objects::assertions::count_changes;
use crate::database::row::DatabaseRow;
use crate::database::session::ProjectSession;
use crate::database::sql::{SqlValues, column, sql};

/// An assertion to write, with its index in the request and its benchmark.
struct PendingAssertion<'r> {
    place: usize,
    assertion: &'r AssertionRecord,
    benchmark: Uuid,
}

impl PendingAssertion<'_> {
    fn key(&self) -> (Uuid, Uuid) {
        (self.assertion.benchmark, self.assertion.uuid)
    }
}

impl ProjectSession<'_> {
    /// Adds records that are all assertions.
    pub(super) async fn add_assertions(
        self,
        records: &[Record],
        gone: &HashSet<Uuid>,
    ) -> DatabaseResult<Vec<RecordOutcome>> {
        let assertions = records.iter().filter_map(|record| match record {
            Record::Assertion(assertion) => Some(assertion),
            _ => None,
        });
        let assertions: Vec<&AssertionRecord> = assertions.collect();
        let histories = self.histories(&assertions).await?;
        let tests = self.tests(&assertions).await?;
        let mut outcomes: Vec<Option<RecordOutcome>> = vec![None; assertions.len()];
        let mut new: Vec<PendingAssertion<'_>> = Vec::new();
        for (place, (record, assertion)) in records.iter().zip(assertions).enumerate() {
            let history = histories.get(&assertion.benchmark).map(Vec::as_slice);
            let history = history.unwrap_or_default();
            let gone = gone_of(record, gone);
            outcomes[place] = outcome_without_history(assertion, gone, &tests, history);
            if let (None, [(benchmark, _), ..]) = (&outcomes[place], history) {
                new.push(PendingAssertion {
                    place,
                    assertion,
                    benchmark: *benchmark,
                });
            }
        }
        // Any of several benchmarks may have it, possibly at another time.
        let found = self.found(&new).await?;
        new.retain(|it| {
            let found = found.get(&it.key());
            outcomes[it.place] = found.map(|found| RecordOutcome::stored(found == it.assertion));
            found.is_none()
        });
        // A duplicate within the request is added once.
        let mut seen = HashSet::new();
        let (new, mut others): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|it| seen.insert(it.key()));
        let made = self.insert(&new).await?;
        for it in new {
            match made.contains(&(it.benchmark, it.assertion.uuid)) {
                true => outcomes[it.place] = Some(RecordOutcome::Made),
                false => others.push(it),
            }
        }
        let found = self.found(&others).await?;
        for it in others {
            let is_equal = found.get(&it.key()) == Some(it.assertion);
            outcomes[it.place] = Some(RecordOutcome::stored(is_equal));
        }
        Ok(outcomes.into_iter().flatten().collect())
    }

    /// Inserts assertions. Returns the benchmarks and identifiers of the new ones.
    async fn insert(self, new: &[PendingAssertion<'_>]) -> DatabaseResult<HashSet<(Uuid, Uuid)>> {
        if new.is_empty() {
            return Ok(HashSet::new());
        }
        let sql = sql!(
            postgres: "INSERT INTO assertion
                 (account, benchmark, timestamp, uuid, asserted, run, test, branch, credible)
             SELECT $1, given.benchmark, given.timestamp, given.uuid, given.asserted, given.run,
                 given.test, given.branch, given.credible
             FROM unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::boolean[], $6::text[],
                 $7::uuid[], $8::text[], $9::bigint[])
                 AS given (benchmark, timestamp, uuid, asserted, run, test, branch, credible)
             ON CONFLICT DO NOTHING RETURNING benchmark, uuid",
            sqlite: "INSERT INTO assertion
                 (account, benchmark, timestamp, uuid, asserted, run, test, branch, credible)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT DO NOTHING RETURNING benchmark, uuid"
        );
        let benchmarks = column(new, |it| it.benchmark);
        let times = column(new, |it| it.assertion.time.as_micros());
        let uuids = column(new, |it| it.assertion.uuid);
        let asserted = column(new, |it| it.assertion.asserted);
        let runs = column(new, |it| it.assertion.run.as_ref().map(JsonForm::to_json));
        let tests = column(new, |it| it.assertion.run.as_ref().map(|run| run.test));
        let branches = column(new, |it| {
            let run = it.assertion.run.as_ref()?;
            run.facts.checkout.branch.as_deref()
        });
        let now = Timestamp::now();
        let credible = column(new, |it| {
            let is_run = it.assertion.run.is_some();
            is_run.then_some(it.assertion.time.min(now).as_micros())
        });
        let columns = [
            &benchmarks as _,
            &times as _,
            &uuids as _,
            &asserted as _,
            &runs as _,
            &tests as _,
            &branches as _,
            &credible as _,
        ];
        let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, row.get(1)?));
        let made: Vec<(Uuid, Uuid)> = self.session.each(sql, &[], &columns, read).await?;
        let mut changes: HashMap<Uuid, i64> = HashMap::new();
        for (benchmark, _) in &made {
            *changes.entry(*benchmark).or_default() += 1;
        }
        for (benchmark, changes) in changes {
            count_changes(self.session, benchmark, changes).await?;
        }
        Ok(made.into_iter().collect())
    }

    /// Returns the project's benchmarks of assertions by identity, earliest first, and the time
    /// since which each keeps its assertions.
    async fn histories(
        self,
        assertions: &[&AssertionRecord],
    ) -> DatabaseResult<HashMap<Uuid, Vec<(Uuid, Timestamp)>>> {
        let sql = sql!(
            "SELECT benchmark.identity, benchmark.uuid, benchmark.kept_since
             FROM benchmark JOIN definition ON definition.account = benchmark.account
                 AND definition.uuid = benchmark.definition
             WHERE benchmark.account = $1 AND definition.project = $2
                 AND benchmark.identity", any "$3",
            " ORDER BY benchmark.added, benchmark.uuid"
        );
        let identities = distinct(assertions.iter().map(|it| it.benchmark));
        let values: SqlValues<'_> = &[&self.project];
        let read =
            |row: DatabaseRow<'_>| Ok((row.get(0)?, (row.get(1)?, find::kept_since(row, 2)?)));
        let mut histories: HashMap<Uuid, Vec<_>> = HashMap::new();
        for (identity, history) in self.session.each(sql, values, &[&identities], read).await? {
            histories.entry(identity).or_default().push(history);
        }
        Ok(histories)
    }

    /// Returns the tests of assertions that the project has.
    async fn tests(self, assertions: &[&AssertionRecord]) -> DatabaseResult<HashSet<Uuid>> {
        let sql = sql!(
            "SELECT uuid FROM record WHERE account = $1 AND project = $2 AND kind = 'test'
                 AND uuid", any "$3"
        );
        let runs = assertions.iter().filter_map(|it| it.run.as_ref());
        let tests = distinct(runs.map(|run| run.test));
        let values: SqlValues<'_> = &[&self.project];
        let read = |row: DatabaseRow<'_>| row.get(0);
        let found = self.session.each(sql, values, &[&tests], read).await?;
        Ok(found.into_iter().collect())
    }

    /// Returns the stored assertions, by the identities of benchmark and assertion.
    async fn found(
        self,
        new: &[PendingAssertion<'_>],
    ) -> DatabaseResult<HashMap<(Uuid, Uuid), AssertionRecord>> {
        let sought = column(new, |PendingAssertion { assertion, .. }| SoughtAssertion {
            benchmark: assertion.benchmark,
            times: assertion.moments(),
            uuid: assertion.uuid,
        });
        let mut by_key = HashMap::new();
        for sought in sought.chunks(find::TOGETHER) {
            let found = find::assertions_among(self, sought).await?;
            by_key.extend(found.into_iter().map(|it| ((it.benchmark, it.uuid), it)));
        }
        Ok(by_key)
    }
}

fn distinct(uuids: impl Iterator<Item = Uuid>) -> Vec<Uuid> {
    uuids.collect::<HashSet<_>>().into_iter().collect()
}

/// Returns the outcome of an assertion if it doesn't depend on the stored ones.
fn outcome_without_history(
    assertion: &AssertionRecord,
    gone: Option<Uuid>,
    tests: &HashSet<Uuid>,
    benchmarks: &[(Uuid, Timestamp)],
) -> Option<RecordOutcome> {
    let test = assertion.run.as_ref().map(|run| run.test);
    let unknown = test.filter(|test| !tests.contains(test));
    let is_old = |(_, kept): &(Uuid, Timestamp)| assertion.time < *kept;
    match (gone, unknown, benchmarks) {
        (Some(gone), ..) => Some(RecordOutcome::Gone(gone)),
        (_, Some(test), _) => Some(RecordOutcome::missing(RecordKind::Test, test)),
        (.., []) => Some(RecordOutcome::missing(
            RecordKind::Benchmark,
            assertion.benchmark,
        )),
        (.., benchmarks) if benchmarks.iter().any(is_old) => Some(RecordOutcome::Had),
        _ => None,
    }
}
