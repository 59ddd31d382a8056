//! Options for what to synchronize and how to report it.

use clap::Args;
use tdg_engine::config::Settings;
use tdg_service::sync::Direction;

use super::failing_tests::SentRuns;
use super::places::SyncPlaces;
use super::progress::Telling;
use super::remote_decisions::Bringing;
use super::selected_tests::SelectedTests;
use super::session::Session;
use super::{Receiving, Sending, start_time};
use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::{confirm, note, print};

/// The options of `push`, `pull` and `sync`.
#[derive(Args, Debug)]
pub(super) struct SyncOptions {
    #[command(flatten)]
    pub(super) tests: SelectedTests,
    /// Only the newest assertions of each benchmark
    #[arg(long, value_name = "N|all", default_value = "all", value_parser = history)]
    history: HistoryLength,
    /// Only assertions since a date (`2026-05-31`) or the time of a commit (`v1.2`)
    #[arg(long, value_name = "REV|DATE")]
    since: Option<String>,
    /// Only count the records, and list the snapshot files that a pull would change
    #[arg(long)]
    dry_run: bool,
    /// Print a line of JSON for each record that was not there already; in a dry run, one for each
    /// kind
    #[arg(long)]
    json: bool,
    /// Add the project's identity to tdg.toml without asking
    #[arg(long)]
    yes: bool,
}

/// The maximum number of assertions per benchmark; `None` for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HistoryLength(Option<usize>);

fn history(text: &str) -> Result<HistoryLength, String> {
    match text {
        "all" => Ok(HistoryLength(None)),
        number => match number.parse() {
            Ok(number) => Ok(HistoryLength(Some(number))),
            Err(_) => Err("must be `all` or a number".to_owned()),
        },
    }
}

/// Explains why a store has no runs to send, and how to get them.
fn no_runs(settings: &Settings) -> String {
    let update = &settings.update;
    match settings.may_write() {
        true => "there are no runs to send yet; run the tests first".to_owned(),
        false => format!(
            "there are no runs to send, because runs write nothing here ({}); run the tests with \
             `TDG_UPDATE=new cargo tdg test`, then push",
            update.because
        ),
    }
}

impl SyncOptions {
    /// Synchronizes the places of each chosen root.
    pub(super) fn transfer(
        self,
        direction: Direction,
        sending: Sending,
        receiving: Receiving,
    ) -> Result<Exit> {
        let telling = Telling::new(self.json);
        self.tests.each_root(|workspace, root, tests| {
            let since = self.since.as_deref();
            let since = since.map(|text| start_time::since(text, &root.directory));
            let since = since.transpose()?;
            let session = Session::open(workspace, root)?;
            session.check_scopes(direction)?;
            let how = (self.dry_run, self.yes);
            let settled = session.settle_project(workspace, root, direction, how)?;
            if self.json {
                settled.iter().for_each(|done| note(done));
            } else {
                let settled = settled.map(|done| format!("{done}\n"));
                confirm(&(settled.unwrap_or_default() + &session.heading()))?;
            }
            let places = SyncPlaces::new(&session);
            match places.last_sync()? {
                Some(last) => places.note_changes(&last),
                None => places.check_project(direction)?,
            }
            let mut plan = places.plan(direction, tests);
            plan.history = self.history.0;
            plan.dry_run = self.dry_run;
            plan.revive = sending.revive;
            plan.with_rows = sending.with_rows;
            plan.prune = receiving.prune;
            plan.since = since.unwrap_or(plan.since);
            if plan.with_rows {
                places.take_rows(workspace, tests, plan.dry_run)?;
            }
            let known = places.decisions()?;
            let mut sent = SentRuns::default();
            let summary = places.synchronise(&plan, telling, &mut sent)?;
            let report = places.report(&summary, &plan)?;
            print(&match self.json {
                true => report.json_lines(),
                false => report.text() + &sent.text(&session),
            })?;
            let mut exit = report.exit();
            if direction.pulls() {
                let (dry_run, json) = (self.dry_run, self.json);
                let how = Bringing { dry_run, json };
                exit = exit.max(places.bring((workspace, root), tests, &known, how)?);
            }
            if !direction.pushes() {
                return Ok(exit);
            }
            if !plan.revive {
                places.note_deleted(&plan)?;
            }
            if direction == Direction::Push && session.store.tests()?.is_empty() {
                note(&no_runs(root.settings()));
            }
            Ok(exit.max(places.name_incomplete(tests)?))
        })
    }
}
