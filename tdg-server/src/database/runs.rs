//! Tests and their runs, as shown on pages.

use std::cmp::Reverse;
use std::collections::HashMap;

use tdg_definition::json;
use tdg_engine::TestId;
use tdg_engine::store::RunFacts;
use tdg_service::record::{DecisionRecord, Record, RunRecord, TestRecord};
use tdg_service::rules::AHEAD;
use tdg_service::{JsonForm, Result, Timestamp, Uuid};

use super::Database;
use super::error::{DatabaseError, DatabaseResult};
use super::objects::assertions::has_benchmark;
use super::objects::project_list::project_list;
use super::records::is_there;
use super::row::DatabaseRow;
use super::session::DatabaseSession;
use super::sql::{SqlValues, column, sql};
use crate::account::Account;
use crate::keys::ProjectLimit;

/// A test with its newest run, and the newest decisions about it.
#[derive(Clone, Debug)]
pub(crate) struct TestSummary {
    pub(crate) project: Uuid,
    pub(crate) uuid: Uuid,
    pub(crate) id: TestId,
    pub(crate) newest: Option<StoredRun>,
    pub(crate) decisions: Vec<DecisionRecord>,
}

/// A run of a test.
#[derive(Clone, Debug)]
pub(crate) struct StoredRun {
    pub(crate) uuid: Uuid,
    /// The time of the run, or of its arrival if that is earlier.
    pub(crate) time: Timestamp,
    /// The benchmark that it was compared with.
    pub(crate) benchmark: Uuid,
    pub(crate) facts: RunFacts,
}

/// Selects runs of a test, newest first, before a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunRange {
    pub(crate) before: (Timestamp, Uuid),
    pub(crate) limit: i64,
}

impl RunRange {
    /// Selects the newest runs.
    pub(crate) fn newest(limit: i64) -> Self {
        RunRange {
            before: (Timestamp::MAX, Uuid::max()),
            limit,
        }
    }
}

/// The maximum number of tests that are read per project, and of decisions per test.
const TESTS: i64 = 10_000;
const DECISIONS: i64 = 100;
/// The maximum number of tests whose names are searched.
const NAMED: i64 = 20_000;

/// The newest run of each test of a parameter that meets a condition.
macro_rules! newest_of {
    ($tests:literal, $condition:literal) => {
        sql!(
            postgres: concat!(
                "SELECT newest.uuid, newest.credible, newest.benchmark, newest.run, newest.test
                 FROM unnest(", $tests, "::uuid[]) AS given (test) CROSS JOIN LATERAL (
                     SELECT * FROM assertion
                     WHERE assertion.account = $1 AND assertion.test = given.test", $condition,
                " AND ",
                has_benchmark!(),
                " ORDER BY credible DESC, uuid DESC LIMIT 1) AS newest"
            ),
            sqlite: concat!(
                "SELECT uuid, credible, benchmark, run, test FROM assertion
                 WHERE account = $1 AND test = ", $tests, $condition, " AND ",
                has_benchmark!(),
                " ORDER BY credible DESC, uuid DESC LIMIT 1"
            )
        )
    };
}

impl Database {
    /// Returns the tests of these projects with their newest runs, optionally of one branch. A
    /// deleted project has no tests.
    pub(crate) async fn tests(
        &self,
        account: Account,
        projects: Vec<Uuid>,
        branch: Option<String>,
    ) -> Result<Vec<TestSummary>> {
        let args = (projects, branch);
        self.read(account, args, |session, (projects, branch)| {
            Box::pin(async move {
                let mut tests = Vec::new();
                for project in projects {
                    tests.extend(of_project(session, *project, branch.as_deref()).await?);
                }
                Ok(tests)
            })
        })
        .await
    }

    /// Returns the tests of the projects that a key opens, with their projects.
    pub(crate) async fn test_names(
        &self,
        account: Account,
        limit: ProjectLimit,
    ) -> Result<Vec<(Uuid, Uuid, TestId)>> {
        self.query(account, limit, |session, limit| {
            Box::pin(async move {
                let list = project_list!(
                    "SELECT project, uuid, body FROM record WHERE account = $1 AND kind = 'test'",
                    "project",
                    "$3",
                    " ORDER BY project, uuid LIMIT $2"
                );
                let read = |row: DatabaseRow<'_>| {
                    Ok((row.get(0)?, row.get(1)?, test_of(row.text(2)?)?.test))
                };
                list.read(session, limit, &[&NAMED], read).await
            })
        })
        .await
    }

    /// Returns a test of a project, if it exists.
    pub(crate) async fn test(
        &self,
        account: Account,
        project: Uuid,
        test: Uuid,
    ) -> Result<Option<TestId>> {
        self.look_up(account, (project, test), |session, (project, test)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT body FROM record
                     WHERE account = $1 AND project = $2 AND kind = 'test' AND uuid = $3"
                );
                let read = |row: DatabaseRow<'_>| Ok(test_of(row.text(0)?)?.test);
                let values: SqlValues<'_> = &[project, test];
                session.first(sql, values, read).await
            })
        })
        .await
    }

    pub(crate) async fn runs(
        &self,
        account: Account,
        test: Uuid,
        range: RunRange,
    ) -> Result<Vec<StoredRun>> {
        self.query(account, (test, range), |session, (test, range)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT uuid, credible, benchmark, run FROM assertion
                     WHERE account = $1 AND test = $2 AND (credible, uuid) < ($3, $4) AND ",
                    has_benchmark!(),
                    " ORDER BY credible DESC, uuid DESC LIMIT $5"
                );
                let (time, uuid) = range.before;
                let values: SqlValues<'_> = &[test, &time.as_micros(), &uuid, &range.limit];
                session.all(sql, values, read_run).await
            })
        })
        .await
    }

    /// Returns a run of a test. Its identifier has the millisecond of its time, and it arrived at
    /// most a day before that.
    pub(crate) async fn run(
        &self,
        account: Account,
        test: Uuid,
        run: Uuid,
    ) -> Result<Option<StoredRun>> {
        self.look_up(account, (test, run), |session, (test, run)| {
            Box::pin(async move {
                let sql = sql!(
                    "SELECT uuid, credible, benchmark, run FROM assertion
                     WHERE account = $1 AND test = $2 AND credible >= $3 AND credible <= $4
                         AND uuid = $5 AND ",
                    has_benchmark!()
                );
                let last = dated(*run).as_micros();
                let first = last - 1000 - AHEAD;
                let values: SqlValues<'_> = &[test, &first, &last, run];
                session.first(sql, values, read_run).await
            })
        })
        .await
    }

    /// Returns the newest decisions about a test, newest first.
    pub(crate) async fn decisions(
        &self,
        account: Account,
        test: Uuid,
    ) -> Result<Vec<DecisionRecord>> {
        self.query(account, test, |session, test| {
            Box::pin(decisions(session, *test))
        })
        .await
    }
}

pub(super) async fn decisions(
    session: DatabaseSession<'_>,
    test: Uuid,
) -> DatabaseResult<Vec<DecisionRecord>> {
    let mut decisions = newest_decisions(session, &vec![test]).await?;
    Ok(decisions.remove(&test).unwrap_or_default())
}

async fn of_project(
    session: DatabaseSession<'_>,
    project: Uuid,
    branch: Option<&str>,
) -> DatabaseResult<Vec<TestSummary>> {
    let sql = sql!(
        "SELECT uuid, body FROM record WHERE account = $1 AND project = $2 AND kind = 'test'
         ORDER BY uuid LIMIT $3"
    );
    let read = |row: DatabaseRow<'_>| Ok((row.get(0)?, test_of(row.text(1)?)?.test));
    let values: SqlValues<'_> = &[&project, &TESTS];
    let tests: Vec<(Uuid, TestId)> = session.all(sql, values, read).await?;
    let uuids = column(&tests, |(uuid, _)| *uuid);
    let (mut runs, mut decisions) = (
        newest_runs(session, &uuids, branch).await?,
        newest_decisions(session, &uuids).await?,
    );
    let summary = |(uuid, id)| TestSummary {
        project,
        uuid,
        id,
        newest: runs.remove(&uuid),
        decisions: decisions.remove(&uuid).unwrap_or_default(),
    };
    let mut tests: Vec<TestSummary> = tests.into_iter().map(summary).collect();
    leave_out_renamed(&mut tests, branch);
    Ok(tests)
}

/// Removes each test that was renamed, optionally on one branch, and has no later run or decision.
fn leave_out_renamed(tests: &mut Vec<TestSummary>, branch: Option<&str>) {
    let mut renamed: HashMap<TestId, Timestamp> = HashMap::new();
    for it in tests.iter().flat_map(|test| &test.decisions) {
        let is_there = branch.is_none() || it.decision.checkout.branch.as_deref() == branch;
        if let Some(from) = it.from.as_ref().filter(|_| is_there) {
            let last = renamed.entry(from.clone()).or_insert(it.time);
            *last = it.time.max(*last);
        }
    }
    tests.retain(|test| {
        let run = test.newest.as_ref().map(|run| run.time);
        let decision = test.decisions.first().map(|it| it.time);
        run.max(decision) >= renamed.get(&test.id).copied()
    });
}

/// Returns the newest run of each of these tests, optionally on one branch, by one index search per
/// test.
async fn newest_runs(
    session: DatabaseSession<'_>,
    tests: &Vec<Uuid>,
    branch: Option<&str>,
) -> DatabaseResult<HashMap<Uuid, StoredRun>> {
    let read = |row: DatabaseRow<'_>| Ok((row.get(4)?, read_run(row)?));
    let found = match branch {
        None => {
            session
                .each(newest_of!("$2", ""), &[], &[tests], read)
                .await?
        }
        Some(branch) => {
            let sql = newest_of!("$3", " AND branch = $2");
            session.each(sql, &[&branch], &[tests], read).await?
        }
    };
    Ok(found.into_iter().collect())
}

/// Returns the newest decisions about each test, newest first, possibly of several branches. A
/// decision dated in the future has the time of its arrival.
async fn newest_decisions(
    session: DatabaseSession<'_>,
    tests: &Vec<Uuid>,
) -> DatabaseResult<HashMap<Uuid, Vec<DecisionRecord>>> {
    let sql = sql!(
        postgres: concat!(
            "SELECT newest.body, newest.test, newest.arrived
             FROM unnest($3::uuid[]) AS given (test) CROSS JOIN LATERAL (
                 SELECT * FROM record
                 WHERE record.account = $1 AND record.test = given.test AND ",
            is_there!(),
            " ORDER BY uuid DESC LIMIT $2) AS newest"
        ),
        sqlite: concat!(
            "SELECT body, test, arrived FROM record WHERE account = $1 AND test = $3 AND ",
            is_there!(),
            " ORDER BY uuid DESC LIMIT $2"
        )
    );
    let read = |row: DatabaseRow<'_>| {
        let mut decision = decision_of(row.text(0)?)?;
        if let Some(arrived) = row.optional_time(2)? {
            decision.time = arrived;
        }
        Ok((row.get(1)?, decision))
    };
    let mut found: Vec<(Uuid, DecisionRecord)> =
        session.each(sql, &[&DECISIONS], &[tests], read).await?;
    found.sort_by_key(|(_, decision)| Reverse((decision.time, decision.uuid)));
    let mut decisions: HashMap<Uuid, Vec<DecisionRecord>> = HashMap::new();
    for (test, decision) in found {
        decisions.entry(test).or_default().push(decision);
    }
    Ok(decisions)
}

/// Returns the last microsecond that a record's identifier can stand for.
pub(crate) fn dated(uuid: Uuid) -> Timestamp {
    Timestamp::from_micros(1000 * (uuid.as_u128() >> 80) as i64 + 999)
}

/// Reads a run from the columns uuid, credible, benchmark and run.
fn read_run(row: DatabaseRow<'_>) -> DatabaseResult<StoredRun> {
    let run = RunRecord::from_text(row.text(3)?);
    let run = run.map_err(|error| DatabaseError::corrupt("assertion", error))?;
    Ok(StoredRun {
        uuid: row.get(0)?,
        time: row.time(1)?,
        benchmark: row.get(2)?,
        facts: run.facts,
    })
}

fn test_of(body: &str) -> DatabaseResult<TestRecord> {
    match record_of(body)? {
        Record::Test(test) => Ok(test),
        _ => Err(DatabaseError::corrupt("test", "another record")),
    }
}

fn decision_of(body: &str) -> DatabaseResult<DecisionRecord> {
    match record_of(body)? {
        Record::Decision(decision) => Ok(decision),
        _ => Err(DatabaseError::corrupt("decision", "another record")),
    }
}

fn record_of(body: &str) -> DatabaseResult<Record> {
    let value = json::parse(body).map_err(|error| DatabaseError::corrupt("record", error))?;
    Record::from_json(&value).map_err(|error| DatabaseError::corrupt("record", error))
}

#[cfg(test)]
mod tests {
    use tdg_engine::Verdict;
    use tdg_engine::checkout::Checkout;
    use tdg_engine::store::{Decision, DecisionKind};

    use super::*;

    fn id(name: &str) -> TestId {
        TestId {
            package: "shop".to_owned(),
            source: "src/lib.rs".to_owned(),
            name: name.to_owned(),
        }
    }

    /// Returns a test that ran at one time, and was renamed on `main` at another.
    fn summary(name: &str, ran: i64, renamed: Option<(&str, i64)>) -> TestSummary {
        let decision = |(from, time)| DecisionRecord {
            uuid: Uuid::nil(),
            test: Uuid::nil(),
            benchmark: None,
            time: Timestamp::from_micros(time),
            decision: Decision {
                checkout: Checkout {
                    commit: None,
                    branch: Some("main".to_owned()),
                },
                ..Decision::new(DecisionKind::Renamed)
            },
            from: Some(id(from)),
        };
        TestSummary {
            project: Uuid::nil(),
            uuid: Uuid::nil(),
            id: id(name),
            newest: Some(StoredRun {
                uuid: Uuid::nil(),
                time: Timestamp::from_micros(ran),
                benchmark: Uuid::nil(),
                facts: RunFacts::new(Verdict::Same, 1),
            }),
            decisions: renamed.map(decision).into_iter().collect(),
        }
    }

    #[test]
    fn a_test_that_was_renamed_is_listed_under_its_new_name_unless_it_ran_since() {
        let listed = |mut tests: Vec<TestSummary>, branch| {
            leave_out_renamed(&mut tests, branch);
            let names = tests.into_iter().map(|test| test.id.name);
            names.collect::<Vec<_>>().join(" ")
        };
        let new = || summary("new", 2, Some(("old", 5)));
        assert_eq!(listed(vec![summary("old", 4, None), new()], None), "new");
        assert_eq!(
            listed(vec![summary("old", 6, None), new()], None),
            "old new"
        );
        let on = |branch| listed(vec![summary("old", 4, None), new()], Some(branch));
        assert_eq!((on("main"), on("other")), ("new".into(), "old new".into()));
        // Renamed back, before a run.
        let back = summary("old", 4, Some(("new", 7)));
        assert_eq!(listed(vec![back, new()], None), "old");
    }
}
