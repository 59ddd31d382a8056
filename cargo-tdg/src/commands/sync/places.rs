//! A store and a server, as places of one project's records.

use std::collections::BTreeMap;

use tdg_definition::control::escape;
use tdg_engine::TestId;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::records::RemoteProject;
use tdg_service::record::{ProjectRecord, RecordKind, identity};
use tdg_service::sync::{Direction, StoreReplica as _, SyncPlan, SyncSummary, synchronise};
use tdg_service::{LocalReplica, RemoteReplica, ServiceError, Timestamp, Uuid};

use super::comparison::{RecordComparison, newest};
use super::content::CheckedContent;
use super::failing_tests::SentRuns;
use super::progress::Telling;
use super::report::SyncReport;
use super::selected_tests::{Tests, is_chosen};
use super::session::Session;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::RecordedTests;
use crate::server::{ProjectOrigin, ServerProject};
use crate::terminal::{counted, note, print_error};
use crate::workspace::Workspace;

/// A store and a server.
pub(super) struct SyncPlaces<'s> {
    pub(super) session: &'s Session,
    pub(super) here: LocalReplica<'s>,
    pub(super) there: RemoteReplica<'s>,
}

impl<'s> SyncPlaces<'s> {
    pub(super) fn new(session: &'s Session) -> Self {
        let project = ProjectRecord {
            uuid: session.project.uuid,
            name: session.project.name.clone(),
        };
        let service = &session.server.service;
        Self {
            session,
            here: LocalReplica::new(&session.store, project).pulling_from(service.url()),
            there: service.replica(session.project.uuid),
        }
    }
}

impl SyncPlaces<'_> {
    /// Returns a plan for all records of these tests.
    pub(super) fn plan(&self, direction: Direction, tests: &Tests) -> SyncPlan {
        let identity = |test: &TestId| identity::test(self.session.project.uuid, test);
        let tests = tests.as_ref();
        let mut plan = SyncPlan::new(direction);
        plan.tests = tests.map(|tests| tests.iter().map(identity).collect());
        plan
    }

    /// Synchronizes the places, and notes the server and the sent runs.
    pub(super) fn synchronise(
        &self,
        plan: &SyncPlan,
        telling: Telling,
        sent: &mut SentRuns,
    ) -> Result<SyncSummary> {
        let server = &self.session.server;
        if plan.direction.pushes() && !plan.dry_run && !server.may("write") {
            let mut first = plan.clone();
            first.dry_run = true;
            self.check_only_assertions(&self.run(&first, telling, sent)?)?;
        }
        let summary = self.run(plan, telling, sent)?;
        if !plan.dry_run {
            self.here.note_synchronised(&RemoteProject {
                url: server.service.url().to_owned(),
                project: self.session.project.uuid,
                account: server.facts.account.clone(),
                epoch: server.facts.epoch,
                synced: Timestamp::now().as_micros(),
            })?;
        }
        Ok(summary)
    }

    fn run(&self, plan: &SyncPlan, telling: Telling, sent: &mut SentRuns) -> Result<SyncSummary> {
        telling.during("comparing", |tell| {
            synchronise(&self.here, &self.there, plan, &mut |progress| {
                sent.note(&progress);
                tell(progress);
            })
        })
    }

    /// Fails if the key may send only assertions, but other records have to be sent first.
    fn check_only_assertions(&self, summary: &SyncSummary) -> Result<()> {
        let others = summary.pushed.iter().filter_map(|(kind, pushed)| {
            let is_other = *kind != RecordKind::Assertion && pushed.left > 0;
            is_other.then(|| counted(pushed.left as usize, kind.as_str()))
        });
        let others: Vec<String> = others.collect();
        if others.is_empty() {
            return Ok(());
        }
        let what_for = format!("send {}", others.join(", "));
        Err(self.session.server.lacks("write", &what_for))
    }

    /// Reads rows from snapshot files that the store lacks, in order to send them. A dry run leaves
    /// the store unchanged.
    pub(super) fn take_rows(
        &self,
        workspace: &Workspace,
        tests: &Tests,
        dry_run: bool,
    ) -> Result<()> {
        let incomplete = self.here.incomplete()?;
        if incomplete.is_empty() {
            return Ok(());
        }
        let records = RecordedTests::read(workspace)?;
        for test in incomplete.iter().filter(|test| is_chosen(tests, test)) {
            // An unreadable file has none; the test is then listed as incomplete.
            let file = records.of_test(test).and_then(|record| record.file());
            let snapshot = file.and_then(|file| Snapshot::read(file).ok()?);
            if let Some(snapshot) = snapshot
                && let Ok(rows) = snapshot.rows()
            {
                let rows: Vec<&str> = rows.iter().map(AsRef::as_ref).collect();
                match dry_run {
                    true => self.here.foresee_rows(snapshot.ensemble(), &rows),
                    false => self.here.keep_rows(snapshot.ensemble(), &rows)?,
                }
            }
        }
        Ok(())
    }

    /// Returns the report of a synchronization.
    pub(super) fn report<'s>(
        &self,
        summary: &'s SyncSummary,
        plan: &'s SyncPlan,
    ) -> Result<SyncReport<'s>> {
        let tests = self.refused_tests(summary)?;
        Ok(SyncReport {
            summary,
            plan,
            tests,
        })
    }

    /// Returns the names of the tests with refused benchmarks.
    fn refused_tests(&self, summary: &SyncSummary) -> Result<BTreeMap<Uuid, String>> {
        let mut names = BTreeMap::new();
        for transfers in [&summary.pushed, &summary.pulled] {
            let refused = transfers.get(&RecordKind::Benchmark);
            for (uuid, _) in refused.iter().flat_map(|it| &it.refused) {
                if let Some(tests) = self.tests_of(*uuid)? {
                    names.insert(*uuid, tests);
                }
            }
        }
        Ok(names)
    }

    /// Returns the names of a benchmark's tests, if it is in the store.
    pub(super) fn tests_of(&self, benchmark: Uuid) -> Result<Option<String>> {
        let tests = self.here.tests_of(benchmark)?;
        let tests: Vec<String> = tests.iter().map(TestId::to_string).collect();
        Ok((!tests.is_empty()).then(|| escape(&tests.join(", ")).into_owned()))
    }

    /// Counts the records of both places.
    pub(super) fn compare(&self, tests: &Tests, telling: Telling) -> Result<RecordComparison> {
        let mut plan = self.plan(Direction::Sync, tests);
        plan.dry_run = true;
        plan.with_rows = true;
        Ok(RecordComparison::from_summary(&self.synchronise(
            &plan,
            telling,
            &mut SentRuns::default(),
        )?))
    }

    /// Notes that objects deleted on the server aren't sent.
    pub(super) fn note_deleted(&self, plan: &SyncPlan) -> Result<()> {
        let deleted = self.here.deleted(plan.tests.as_ref())?.len();
        if deleted > 0 {
            note(&format!(
                "deleted on the server, and not sent: {} of the store, with the runs; --revive sends \
                 them again, and `cargo tdg pull --prune` removes them here",
                counted(deleted, "object")
            ));
        }
        Ok(())
    }

    /// Lists the tests with a benchmark that isn't sent. Rows from files stay local on purpose.
    pub(super) fn name_incomplete(&self, tests: &Tests) -> Result<Exit> {
        let mut exit = Exit::Fine;
        let damaged = self.here.damaged()?;
        for test in damaged.iter().filter(|test| is_chosen(tests, test)) {
            exit = Exit::Found;
            print_error(Error::new(format!(
                "{}::{test}: a benchmark is damaged in the store; neither it nor its runs are sent: \
                 `cargo tdg sync verify --repair` fetches it from the server; if the server lacks it, run \
                 the test and repeat the repair",
                test.package
            )))?;
        }
        let incomplete = self.here.incomplete()?;
        for test in incomplete.iter().filter(|test| is_chosen(tests, test)) {
            note(&format!(
                "{}::{test} stays here, with its runs: its rows come from a file, and are only sent with \
                 --with-rows",
                test.package
            ));
        }
        Ok(exit)
    }

    /// Verifies the content of both places.
    pub(super) fn content(&self) -> Result<[CheckedContent; 2]> {
        Ok([
            CheckedContent::read(&self.here)?,
            CheckedContent::read(&self.there)?,
        ])
    }

    /// Returns the times of the newest assertions here and there.
    pub(super) fn newest(&self) -> Result<[Option<Timestamp>; 2]> {
        let here = newest(&self.here, None)?;
        Ok([here, newest(&self.there, here)?])
    }

    /// Warns before the first synchronization if `project_uuid` seems to be another project's.
    pub(super) fn check_project(&self, direction: Direction) -> Result<()> {
        let Session {
            server, project, ..
        } = self.session;
        let ServerProject { uuid, name, origin } = project;
        if *origin != ProjectOrigin::File {
            return Ok(());
        }
        match server.service.project(*uuid) {
            Ok(found) if found.project_name != *name && *name != uuid.to_string() => {
                let found = escape(&found.project_name);
                note(&format!(
                    "the server calls the project {found}; if tdg.toml was copied from there, remove \
                     project_uuid from it"
                ));
                Ok(())
            }
            Err(ServiceError::NotFound(..)) if direction == Direction::Pull => {
                let (account, url) = (&server.facts.account, server.service.url());
                Err(Error::new(format!(
                    "{account} has no project {uuid} at {url}, so there is nothing to pull; push it, or \
                     correct project_uuid in tdg.toml"
                )))
            }
            Ok(_) | Err(ServiceError::NotFound(..)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes if the account or the server's database has changed since the last synchronization.
    pub(super) fn note_changes(&self, last: &RemoteProject) {
        let facts = &self.session.server.facts;
        if last.account != facts.account {
            let (account, before) = (escape(&facts.account), escape(&last.account));
            note(&format!(
                "the account is {account}; at the last sync it was {before}"
            ));
        }
        if last.epoch != facts.epoch {
            note(
                "the server's database has changed since the last sync, so everything is compared again",
            );
        }
    }

    /// Returns the last synchronization with the server.
    pub(super) fn last_sync(&self) -> Result<Option<RemoteProject>> {
        Ok(self.here.remote(self.session.server.service.url())?)
    }
}
