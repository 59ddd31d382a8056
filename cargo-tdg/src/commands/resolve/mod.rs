//! `cargo tdg resolve`: resolves merge conflicts in snapshot files.
//!
//! A candidate without conflict markers is written first, since the test must run. Git keeps the
//! versions of both sides until the file is added.

mod run;
mod versions;

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::Args;
use tdg_definition::Policy;
use tdg_engine::snapshot::{self, Snapshot, replacing};
use tdg_engine::{Takes, Verdict};

use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::git::{Sides, Unmerged, Versions};
use crate::record::{
    Merge, RecordedTest, RecordedTests, gives_same_rows, has_same_rows, with_cases_of,
};
use crate::results::TestRun;
use crate::terminal::style::{GOOD, PENDING, STRONG};
use crate::terminal::{counted, note, print, print_error};
use crate::workspace::{Packages, Workspace};
use run::{ResolveRunner, Writes};
use versions::ParsedVersions;

/// Resolve the merge conflicts of snapshot files
///
/// A case changed on only one side takes that side. If both sides changed it, the test runs and
/// decides; if its output matches neither side and doesn't combine both changes in different
/// fields, it is pending. Exits with 1 if anything is pending.
#[derive(Args, Debug)]
pub(crate) struct Resolve {
    #[command(flatten)]
    packages: Packages,
    /// Tests, by name or snapshot file (default: all whose files are in conflict)
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Arguments for `cargo test`
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

/// A resolved file.
struct Resolved {
    /// Lines that describe what happened.
    lines: Vec<String>,
    /// The text of the benchmark.
    benchmark: String,
}

impl Resolve {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = RecordedTests::read_chosen(&workspace, &self.packages)?;
        let unmerged = Unmerged::below(&workspace.directory)?;
        let chosen = self.chosen(&records, &unmerged)?;
        if chosen.is_empty() {
            print("No snapshot file is in conflict.\n")?;
        }
        let sides = unmerged.sides();
        let runner = ResolveRunner::new(&workspace, &self.arguments)?;
        let mut exit = Exit::Fine;
        for record in chosen {
            match resolve(record, &unmerged, &sides, &runner) {
                Ok(true) => exit = exit.max(Exit::Found),
                Ok(false) => {}
                // The other files can still be resolved.
                Err(error) => exit = print_error(error)?,
            }
        }
        Ok(exit)
    }

    fn chosen<'r>(
        &self,
        records: &'r RecordedTests,
        unmerged: &Unmerged,
    ) -> Result<Vec<&'r RecordedTest>> {
        let is_unmerged =
            |record: &RecordedTest| record.file().is_some_and(|file| unmerged.has(file));
        if self.names.is_empty() {
            return Ok(records.iter().filter(|it| is_unmerged(it)).collect());
        }
        let named = self.names.iter().map(|name| {
            let record = records.named(name)?;
            if is_unmerged(record) {
                return Ok(record);
            }
            Err(Error::new(format!(
                "git has no conflict in {file}; if it was already added, `git checkout --merge -- \
                 {file}` restores the conflict",
                file = record.location()
            )))
        });
        named.collect()
    }
}

/// Resolves the file of a test; returns true if a change is pending.
fn resolve(
    record: &RecordedTest,
    unmerged: &Unmerged,
    sides: &Sides,
    runner: &ResolveRunner<'_>,
) -> Result<bool> {
    let (Some(file), location) = (record.file(), record.location()) else {
        return Ok(false);
    };
    let Some(versions) = unmerged.versions(file)? else {
        return Err(Error::new(format!(
            "{location} has conflict markers, and git no longer has the versions of both sides; \
             take one whole side, for example with `git checkout HEAD^ -- {location}`, then run \
             the test"
        )));
    };
    let parsed = ParsedVersions::parse(record, &versions, sides)?;
    let before = fs::read(file).context(&location)?;
    check_untouched(&before, &versions, &location)?;
    let resolved = resolved(record, file, &parsed, sides, runner);
    let settled = resolved.and_then(|resolved| {
        let is_pending = settle(record, file, &resolved.benchmark, runner)?;
        let notice = Snapshot::read(file)?.and_then(|it| record.how_the_pin_moves(&it));
        Ok((resolved.lines, is_pending, notice))
    });
    let (lines, is_pending, notice) = match settled {
        Ok(settled) => settled,
        Err(error) => {
            // Restores the conflict, so that the candidate doesn't look like a decision.
            snapshot::save(file, &before)?;
            return Err(error.context(format_args!("{location} is still in conflict")));
        }
    };
    let mut text = format!("{GOOD}resolved{GOOD:#} {STRONG}{}{STRONG:#}\n", record.test);
    for line in &lines {
        text.push_str(&format!("  {line}\n"));
    }
    if is_pending {
        text.push_str(&format!(
            "  {PENDING}the test's outputs are pending{PENDING:#}: cargo tdg review\n"
        ));
    }
    text.push_str(&format!("  then: git add {location}\n"));
    print(&text)?;
    if let Some(notice) = notice {
        note(&notice);
    }
    Ok(is_pending)
}

/// Fails if a file was resolved by hand.
fn check_untouched(text: &[u8], versions: &Versions, location: &str) -> Result<()> {
    let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
    let is_side = [&versions.ours, &versions.theirs]
        .iter()
        .any(|side| side.as_deref() == Some(text.as_str()));
    if is_side || Snapshot::parse(text).is_err() {
        return Ok(());
    }
    Err(Error::new(format!(
        "{location} has no conflict markers any more; `git add` it, or restore the conflict with \
         `git checkout --merge -- {location}`"
    )))
}

/// A version and the name of its side.
type NamedSide<'s> = (&'s Snapshot, &'s str);

/// Computes the resolved file by running the test on a candidate.
fn resolved(
    record: &RecordedTest,
    file: &Path,
    versions: &ParsedVersions,
    sides: &Sides,
    runner: &ResolveRunner<'_>,
) -> Result<Resolved> {
    let ParsedVersions {
        base, ours, theirs, ..
    } = versions;
    let sides = [(ours, sides.ours.as_str()), (theirs, sides.theirs.as_str())];
    let mut lines = Vec::new();
    let mut takes = Takes::All;
    let [(own, name), (other, other_name)] = if has_same_rows(ours.ensemble(), theirs.ensemble()) {
        sides
    } else {
        let drawn = by_drawn_rows(record, file, sides, runner)?;
        lines.extend(drawn.line);
        takes = drawn.takes;
        drawn.sides
    };
    let merge = Merge::new(base.as_ref(), own, other, &takes)?;
    let candidate = Snapshot::parse(with_cases_of(base.as_ref(), own, other, &merge.others)?)?;
    snapshot::save(file, candidate.text())?;
    let run = judged(runner.run(record, Writes::Nothing)?)?;
    let united = candidate.with_outputs_replaced(|case| merge.united.get(&case).cloned())?;
    let united = Snapshot::parse(united)?;
    let given = Given::by(&run, &merge, [&candidate, other, &united])?;
    lines.extend(given.lines(&merge, name, other_name));
    let benchmark = with_cases_of(base.as_ref(), &candidate, other, &given.others)?;
    let benchmark = Snapshot::parse(benchmark)?;
    let benchmark = with_cases_of(base.as_ref(), &benchmark, &united, &given.united)?;
    Ok(Resolved {
        lines,
        benchmark: match &versions.replaced {
            Some(replaced) => replacing(&benchmark, replaced),
            None => benchmark,
        },
    })
}

/// The sides, starting with the one whose rows are used.
struct OrderedSides<'s> {
    sides: [NamedSide<'s>; 2],
    /// The features that the function takes.
    takes: Takes,
    /// Explains which rows are used, if they differ.
    line: Option<String>,
}

/// Orders the sides. If their rows differ, the rows that the test draws now are used.
fn by_drawn_rows<'s>(
    record: &RecordedTest,
    file: &Path,
    sides: [NamedSide<'s>; 2],
    runner: &ResolveRunner<'_>,
) -> Result<OrderedSides<'s>> {
    let [ours, theirs] = sides;
    snapshot::save(file, ours.0.text())?;
    let run = judged(runner.run(record, Writes::Nothing)?)?;
    let actual = actual(&run)?;
    let is_drawn = |(side, _): NamedSide<'_>| match &actual {
        Some(actual) => actual.ensemble().digest == side.ensemble().digest,
        // The outputs are from our side, so the rows are as well.
        None => std::ptr::eq(side, ours.0),
    };
    let (first, second) = if !is_drawn(ours) && is_drawn(theirs) {
        (theirs, ours)
    } else {
        (ours, theirs)
    };
    let name = first.1;
    let why = if is_drawn(first) {
        "the test draws them now"
    } else {
        "the test draws neither now"
    };
    let line = format!("the sides have different rows; the rows of {name} are used: {why}");
    let is_same = gives_same_rows(ours.0, theirs.0, &run.takes)?;
    Ok(OrderedSides {
        sides: [first, second],
        takes: run.takes,
        line: (!is_same).then_some(line),
    })
}

/// The cases that the test has to decide, by the side that it agrees with.
#[derive(Default)]
struct Given {
    /// Cases with both changes, in different fields.
    united: Vec<usize>,
    own: Vec<usize>,
    others: Vec<usize>,
    neither: Vec<usize>,
    /// Cases without a conflict for which the test gives another output.
    unexpected: Vec<usize>,
}

impl Given {
    fn by(
        run: &TestRun,
        merge: &Merge,
        [candidate, other, united]: [&Snapshot; 3],
    ) -> Result<Self> {
        let Some(actual) = actual(run)? else {
            return Ok(Self {
                own: merge.both.clone(),
                ..Self::default()
            });
        };
        if !gives_same_rows(&actual, candidate, &run.takes)? {
            return Ok(Self {
                neither: merge.both.clone(),
                ..Self::default()
            });
        }
        let outputs = actual.outputs()?;
        let policy = run.policy.clone().unwrap_or_else(Policy::exact);
        let differing = |side: &Snapshot| -> Result<Vec<usize>> {
            let differing = side.differing(&outputs, &policy)?.cases;
            Ok(differing.into_iter().map(|it| it.case).collect())
        };
        let (not_own, not_others) = (differing(candidate)?, differing(other)?);
        let not_united = differing(united)?;
        let mut given = Self::default();
        for &case in &merge.both {
            let kind = if merge.united.contains_key(&case) && !not_united.contains(&case) {
                &mut given.united
            } else if !not_own.contains(&case) {
                &mut given.own
            } else if !not_others.contains(&case) {
                &mut given.others
            } else {
                &mut given.neither
            };
            kind.push(case);
        }
        given.unexpected = not_own;
        given.unexpected.retain(|case| !merge.both.contains(case));
        Ok(given)
    }
    /// Counts the cases of each kind.
    fn lines(&self, merge: &Merge, own: &str, other: &str) -> Vec<String> {
        let both = |what: &str| format!("changed in both; {what}");
        let gives = |side: &str| both(&format!("the test agrees with {side}"));
        let united = "changed in both in different fields; the test gives both";
        let neither = format!("the test agrees with neither, so the output of {own} stays");
        let unexpected = "another output with both changes together";
        let kinds = [
            (&merge.alone, format!("only in {own}")),
            (&merge.same, "the same on both sides".to_owned()),
            (&merge.own, format!("changed only in {own}")),
            (&merge.others, format!("changed only in {other}")),
            (&self.united, united.to_owned()),
            (&self.own, gives(own)),
            (&self.others, gives(other)),
            (&self.neither, both(&neither)),
            (&self.unexpected, unexpected.to_owned()),
        ];
        let kinds = kinds.into_iter().filter(|(cases, _)| !cases.is_empty());
        let lines = kinds.map(|(cases, kind)| format!("{}: {kind}", counted(cases.len(), "case")));
        lines.collect()
    }
}

/// Writes the benchmark and lets the test leave pending outputs; returns true if there are any.
fn settle(
    record: &RecordedTest,
    file: &Path,
    benchmark: &str,
    runner: &ResolveRunner<'_>,
) -> Result<bool> {
    snapshot::save(file, benchmark)?;
    let run = judged(runner.run(record, Writes::Pending)?)?;
    Ok(run.actual.is_some())
}

/// Returns the run if its outputs are known.
fn judged(run: TestRun) -> Result<TestRun> {
    match run.verdict {
        Verdict::Same
        | Verdict::Recorded
        | Verdict::Accepted
        | Verdict::Changed
        | Verdict::InputsChanged
        // For a kept row, whose output is then pending.
        | Verdict::Missing
        | Verdict::Unmet => Ok(run),
        _ => Err(Error::new(format!(
            "the test has to finish first:\n{}",
            run.report.unwrap_or_default()
        ))),
    }
}

/// Returns the outputs of the run, unless they equal the candidate's.
fn actual(run: &TestRun) -> Result<Option<Snapshot>> {
    match &run.actual {
        Some(file) => Ok(Snapshot::read(file)?),
        None => Ok(None),
    }
}
