//! Applies the newest decision about each test to the checkout, if it was made on the server's page
//! and is valid here.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::control::escape;
use tdg_definition::json::Value;
use tdg_engine::checkout::Git;
use tdg_engine::output::Outputs;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{Channel, Decision, DecisionKind};
use tdg_service::Uuid;
use tdg_service::record::{BenchmarkRecord, DecisionRecord, Record, RecordKind, identity};
use tdg_service::sync::{Replica, Wanted};

use super::mixture::is_mixture;
use super::places::SyncPlaces;
use super::selected_tests::{Tests, is_chosen};
use crate::error::Result;
use crate::exit::Exit;
use crate::record::{RecordedTest, RecordedTests};
use crate::terminal::style::{BAD, GOOD, STRONG};
use crate::terminal::{confirm, counted, print, print_error};
use crate::workspace::{Root, Workspace};

/// Options for applying decisions.
#[derive(Clone, Copy)]
pub(super) struct Bringing {
    pub(super) dry_run: bool,
    pub(super) json: bool,
}

/// The result of applying a decision to a test's benchmark.
enum Brought {
    /// The benchmark is already the accepted one.
    Had,
    /// The outputs of this number of cases are replaced.
    Accepted(usize),
    /// The benchmark stays, for this reason.
    Left(&'static str),
    /// The benchmark stays, because the change belongs to this branch or an unknown one.
    OfBranch(Option<String>),
    /// The benchmark stays, because the change was rejected.
    Rejected,
}

impl Brought {
    /// Returns the reason why the benchmark stays.
    fn why(&self) -> Option<String> {
        match self {
            Brought::Left(why) => Some((*why).to_owned()),
            Brought::OfBranch(branch) => {
                let branch = match branch {
                    Some(branch) => format!("the branch {branch}"),
                    None => "an unknown branch".to_owned(),
                };
                Some(format!(
                    "the change was made on {branch}; once a run here leaves the same outputs, \
                     `cargo tdg pull` applies it"
                ))
            }
            Brought::Had | Brought::Accepted(_) | Brought::Rejected => None,
        }
    }
}

/// A benchmark of the checkout, and the pending outputs of a run of this checkout.
struct Current {
    outputs: Outputs,
    digest: String,
    pending: Option<Snapshot>,
}

impl Current {
    /// Returns `None` also for an unreadable file.
    fn read(record: &RecordedTest) -> Option<Self> {
        let benchmark = record.benchmark().ok()??;
        let outputs = as_sent(&benchmark).ok()?;
        // Fails too if nothing is pending.
        let change = record.change().ok();
        let change = change.filter(|it| record.check_origin(it).is_ok());
        Some(Self {
            digest: outputs.digest(),
            outputs,
            pending: change.map(|it| it.pending.snapshot),
        })
    }
}

/// Returns the outputs of a snapshot file as the server formats them.
fn as_sent(snapshot: &Snapshot) -> Result<Outputs> {
    Ok(Outputs::parse(snapshot.outputs()?.as_json())?)
}

impl SyncPlaces<'_> {
    /// Returns the identities of the local decisions.
    pub(super) fn decisions(&self) -> Result<BTreeSet<Uuid>> {
        Ok(decisions_of(&self.here)?.into_iter().collect())
    }

    /// Applies the newest decisions about a root's tests to its checkout. For `known` decisions,
    /// only written files are reported.
    pub(super) fn bring(
        &self,
        (workspace, root): (&Workspace, &Root),
        tests: &Tests,
        known: &BTreeSet<Uuid>,
        how: Bringing,
    ) -> Result<Exit> {
        let git = Git::around(&root.directory);
        let decisions = self.decisions_by_test(how.dry_run)?;
        let packages = root.packages.iter().map(|it| it.name.as_str()).collect();
        let records = RecordedTests::read(workspace)?.in_packages(&packages);
        let mut exit = Exit::Fine;
        for record in records.iter().filter(|it| is_chosen(tests, &it.test)) {
            let test = identity::test(self.session.project.uuid, &record.test);
            let decisions = decisions.get(&test).map_or(&[][..], Vec::as_slice);
            let newest = self.newest_decisions(record, decisions, &git, how.dry_run)?;
            for (decision, counts) in newest.into_iter().zip([true, false]) {
                let Some(decision) = decision else {
                    continue;
                };
                let is_new = !known.contains(&decision.uuid);
                let brought = self.brought(record, decision, counts, how.dry_run);
                exit = exit.max(match brought {
                    Ok(brought) => tell(record, &decision.decision, &brought, is_new, how)?,
                    Err(error) => print_error(error.context(&record.test))?,
                });
            }
        }
        Ok(exit)
    }

    /// Returns the decisions about each test, oldest first. A dry run includes decisions that are
    /// only on the server.
    fn decisions_by_test(&self, dry_run: bool) -> Result<BTreeMap<Uuid, Vec<DecisionRecord>>> {
        let mut records = records_of(&self.here, &decisions_of(&self.here)?)?;
        if dry_run {
            let mut there = decisions_of(&self.there)?;
            there.retain(|uuid| !records.contains_key(uuid));
            records.extend(records_of(&self.there, &there)?);
        }
        let own = own_next_to_ahead(&records);
        records.extend(records_of(&self.there, &own)?);
        let mut records: Vec<DecisionRecord> = records.into_values().collect();
        records.sort_by_key(|it| (it.credible(), it.uuid));
        let mut decisions: BTreeMap<Uuid, Vec<DecisionRecord>> = BTreeMap::new();
        for decision in records {
            decisions.entry(decision.test).or_default().push(decision);
        }
        Ok(decisions)
    }

    /// Returns the newest decision that is valid in the checkout, and the newest that isn't.
    fn newest_decisions<'d>(
        &self,
        record: &RecordedTest,
        decisions: &'d [DecisionRecord],
        git: &Git,
        dry_run: bool,
    ) -> Result<[Option<&'d DecisionRecord>; 2]> {
        let current = LazyCell::new(|| Current::read(record));
        let mut newest = [None; 2];
        for decision in decisions.iter().rev() {
            let is_of_branch = git.checkout().is_on_branch_of(&decision.decision.checkout);
            let counts = is_of_branch || self.is_about(&current, decision, git, dry_run)?;
            newest[usize::from(!counts)].get_or_insert(decision);
            if newest.iter().all(Option::is_some) {
                break;
            }
        }
        Ok(newest)
    }

    /// Returns true if a decision on a page is about the benchmark of the checkout, on any branch:
    /// the checkout includes its commit, or a run here left the accepted outputs.
    fn is_about(
        &self,
        current: &LazyCell<Option<Current>, impl FnOnce() -> Option<Current>>,
        decision: &DecisionRecord,
        git: &Git,
        dry_run: bool,
    ) -> Result<bool> {
        let decided = &decision.decision;
        if decided.through != Some(Channel::Page) || decided.replaces.is_none() {
            return Ok(false);
        }
        let replaced = current.as_ref();
        let Some(current) = replaced.filter(|it| decided.replaces.as_ref() == Some(&it.digest))
        else {
            return Ok(false);
        };
        let commit = decided.checkout.commit.as_deref();
        if decided.dirty == Some(false) && commit.is_some_and(|commit| git.has_commit(commit)) {
            return Ok(true);
        }
        let Some(pending) = &current.pending else {
            return Ok(false);
        };
        let accepted = self.accepted(decision, dry_run)?;
        let project = self.session.project.uuid;
        let Some(accepted) = accepted.filter(|it| it.has_rows_of(project, pending.ensemble()))
        else {
            return Ok(false);
        };
        is_mixture(&accepted.outputs, &current.outputs, &as_sent(pending)?)
    }

    fn brought(
        &self,
        record: &RecordedTest,
        decision: &DecisionRecord,
        counts: bool,
        dry_run: bool,
    ) -> Result<Brought> {
        let decided = &decision.decision;
        let is_of_page = decided.through == Some(Channel::Page);
        match (decided.kind, &decided.replaces) {
            (DecisionKind::Rejected, _) => Ok(Brought::Rejected),
            (_, None) => Ok(Brought::Had),
            (_, Some(_)) if !counts => Ok(Brought::OfBranch(decided.checkout.branch.clone())),
            (_, Some(replaced)) if is_of_page => self.follow(record, decision, replaced, dry_run),
            // Any holder of a key can send such a decision.
            (_, Some(_)) => Ok(Brought::Left(
                "the server does not confirm that it was decided on its page; decide here, with \
                 `cargo tdg review`",
            )),
        }
    }

    /// Replaces a test's benchmark as decided, if it is the one to be replaced.
    fn follow(
        &self,
        record: &RecordedTest,
        decision: &DecisionRecord,
        replaced: &str,
        dry_run: bool,
    ) -> Result<Brought> {
        let Some(accepted) = self.accepted(decision, dry_run)? else {
            return Ok(Brought::Left(
                "the accepted outputs were deleted on the server",
            ));
        };
        let Some(benchmark) = record.benchmark()? else {
            return Ok(Brought::Left("it has no benchmark here"));
        };
        if benchmark.pin().is_some() {
            return Ok(Brought::Left("its file pins a benchmark on a server"));
        }
        if !accepted.has_rows_of(self.session.project.uuid, benchmark.ensemble()) {
            return Ok(Brought::Left(
                "its rows differ from the rows of the accepted outputs",
            ));
        }
        let outputs = as_sent(&benchmark)?;
        if outputs == accepted.outputs {
            if !dry_run {
                record.drop_accepted()?;
            }
            return Ok(Brought::Had);
        }
        if outputs.digest() != replaced {
            return Ok(Brought::Left(
                "its benchmark is not the one that the decision replaces",
            ));
        }
        if !dry_run {
            record.follow(&benchmark, &accepted.outputs)?;
        }
        let is_other = |case: &usize| outputs.get(*case) != accepted.outputs.get(*case);
        Ok(Brought::Accepted(
            (0..outputs.len()).filter(is_other).count(),
        ))
    }

    /// Reads the benchmark of a decision. In a dry run, it may be only on the server.
    fn accepted(
        &self,
        decision: &DecisionRecord,
        dry_run: bool,
    ) -> Result<Option<BenchmarkRecord>> {
        let Some(benchmark) = decision.benchmark else {
            return Ok(None);
        };
        let wanted = [Wanted::Other(RecordKind::Benchmark, benchmark)];
        let mut found = self.here.records(&wanted)?;
        if dry_run && found.iter().all(Option::is_none) {
            found = self.there.records(&wanted)?;
        }
        Ok(match found.into_iter().next().flatten() {
            Some(Record::Benchmark(benchmark)) => Some(benchmark),
            _ => None,
        })
    }
}

fn decisions_of(place: &dyn Replica) -> Result<Vec<Uuid>> {
    let everywhere: Vec<u8> = (0..=u8::MAX).collect();
    Ok(place.identities(RecordKind::Decision, &everywhere)?)
}

/// Returns local decisions about tests that also have decisions by clocks that are ahead. Only the
/// server knows when it received them.
fn own_next_to_ahead(records: &BTreeMap<Uuid, DecisionRecord>) -> Vec<Uuid> {
    let ahead = records.values().filter(|it| it.decision.arrived.is_some());
    let ahead: BTreeSet<Uuid> = ahead.map(|it| it.test).collect();
    let own = records.values().filter(|it| it.decision.through.is_none());
    let own = own.filter(|it| ahead.contains(&it.test));
    own.map(|it| it.uuid).collect()
}

fn records_of(place: &dyn Replica, decisions: &[Uuid]) -> Result<BTreeMap<Uuid, DecisionRecord>> {
    let wanted = decisions.iter();
    let wanted: Vec<Wanted> = wanted
        .map(|uuid| Wanted::Other(RecordKind::Decision, *uuid))
        .collect();
    let (mut rest, mut records) = (wanted.as_slice(), BTreeMap::new());
    while !rest.is_empty() {
        let found = place.records(rest)?;
        rest = &rest[found.len()..];
        records.extend(found.into_iter().filter_map(|record| match record {
            Some(Record::Decision(decision)) => Some((decision.uuid, decision)),
            _ => None,
        }));
    }
    Ok(records)
}

/// Reports the result for a test if relevant. The exit code shows if something is left to do.
fn tell(
    record: &RecordedTest,
    decision: &Decision,
    brought: &Brought,
    is_new: bool,
    how: Bringing,
) -> Result<Exit> {
    let (answer, style, exit) = match brought {
        Brought::Had => return Ok(Exit::Fine),
        Brought::Left(_) | Brought::OfBranch(_) | Brought::Rejected if !is_new => {
            return Ok(Exit::Fine);
        }
        Brought::Accepted(_) if how.dry_run => ("would accept", GOOD, Exit::Found),
        Brought::Accepted(_) => ("accepted", GOOD, Exit::Fine),
        Brought::Left(_) => ("left", BAD, Exit::Found),
        Brought::OfBranch(_) => ("left", GOOD, Exit::Fine),
        Brought::Rejected => ("rejected", BAD, Exit::Fine),
    };
    if how.json {
        print(&json_line(record, decision, brought, answer))?;
        return Ok(exit);
    }
    let location = record.location();
    let what = match brought {
        Brought::Accepted(cases) => format!(", {}, {location}", counted(*cases, "case")),
        Brought::Left(_) | Brought::OfBranch(_) => format!(", {location}"),
        Brought::Had | Brought::Rejected => String::new(),
    };
    let part = |before: &str, text: Option<&str>| match text {
        Some(text) => format!("{before}{}", escape(text)),
        None => String::new(),
    };
    let by = part(", by ", decision.byline().as_deref());
    let reason = part(": ", decision.reason.as_deref());
    let why = part("; ", brought.why().as_deref());
    let test = &record.test;
    let line =
        format!("{style}{answer}{style:#} {STRONG}{test}{STRONG:#}{what}{by}{reason}{why}\n");
    match brought {
        Brought::Left(_) => print(&line)?,
        _ => confirm(&line)?,
    }
    Ok(exit)
}

fn json_line(
    record: &RecordedTest,
    decision: &Decision,
    brought: &Brought,
    answer: &str,
) -> String {
    let why = brought.why();
    let through = decision.through.as_ref().map(Channel::to_string);
    let members = [
        ("answer", Some(answer)),
        ("author", decision.author.as_deref()),
        ("through", through.as_deref()),
        ("reason", decision.reason.as_deref()),
        ("why", why.as_deref()),
    ];
    let members = members.into_iter();
    let members = members.filter_map(|(name, text)| Some((name, Value::from(text?))));
    let line = Value::object(members.chain(record.json_members()));
    format!("{line}\n")
}
