//! Tests whose newest sent run fails, with links to its page.

use std::collections::BTreeMap;

use tdg_definition::control::escape;
use tdg_engine::{TestId, Verdict};
use tdg_service::record::{AssertionRecord, Record, identity};
use tdg_service::sync::{Direction, Progress, RecordOutcome};
use tdg_service::{Timestamp, Uuid, address};

use super::session::Session;
use crate::terminal::style::{BAD, FAINT, STRONG};
use crate::terminal::thousands;

/// The maximum number of listed tests.
const NAMED: usize = 10;

/// The newest sent run of each test.
#[derive(Default)]
pub(super) struct SentRuns(BTreeMap<Uuid, SentRun>);

#[derive(Clone, Copy)]
struct SentRun {
    time: Timestamp,
    uuid: Uuid,
    verdict: Verdict,
}

impl SentRuns {
    /// Notes the runs among records that were just sent.
    pub(super) fn note(&mut self, progress: &Progress<'_>) {
        if progress.direction != Direction::Push {
            return;
        }
        for (record, answer) in progress.records.iter().zip(progress.answers) {
            let (Record::Assertion(record), RecordOutcome::Made) = (record, answer) else {
                continue;
            };
            let AssertionRecord {
                uuid, time, run, ..
            } = record;
            let Some(run) = run else {
                continue;
            };
            let sent = SentRun {
                time: *time,
                uuid: *uuid,
                verdict: run.facts.verdict,
            };
            let newest = self.0.entry(run.test).or_insert(sent);
            if newest.time <= sent.time {
                *newest = sent;
            }
        }
    }

    /// Returns a line for each failing test, if the server has pages.
    pub(super) fn text(&self, session: &Session) -> String {
        let failing = self.0.iter().filter(|(_, run)| !run.verdict.passes());
        let failing: Vec<(&Uuid, &SentRun)> = failing.collect();
        if failing.is_empty() || !session.server.facts.has_pages() {
            return String::new();
        }
        let (project, url) = (session.project.uuid, session.server.service.url());
        // Errors of the store are ignored, since the records have been sent.
        let tests = session.store.tests().unwrap_or_default().into_iter();
        let names: BTreeMap<Uuid, TestId> = tests
            .map(|test| (identity::test(project, &test), test))
            .collect();
        let mut text = format!("{BAD}failing{BAD:#}\n");
        for (test, run) in failing.iter().take(NAMED) {
            let name = names.get(*test).map(TestId::to_string);
            let name = name.unwrap_or_else(|| test.to_string());
            let (name, verdict) = (escape(&name), run.verdict);
            let page = address::run(project, **test, run.uuid);
            text.push_str(&format!(
                "  {STRONG}{name}{STRONG:#} {verdict}: {url}{page}\n"
            ));
        }
        if let Some(more @ 1..) = failing.len().checked_sub(NAMED) {
            let (more, page) = (thousands(more as u64), address::project(project));
            text.push_str(&format!(
                "  {FAINT}… and {more} more: {url}{page}{FAINT:#}\n"
            ));
        }
        text
    }
}
