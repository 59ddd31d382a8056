//! The investigation of a test: finds the lines that changed cases, and explains their changes.

use std::path::Path;
use std::time::{Duration, Instant};

use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_engine::answers::AnsweringTest;

use super::BuiltTest;
use super::answer::{ExplainedChange, ResponsibleLines, WhyAnswer};
use super::hunks::SourceChange;
use super::responsible_hunks::HunkSearch;
use super::test_process::TestProcess;
use super::versions::TestVersions;
use crate::error::{Error, Result};
use crate::experiment::{Conditions, ObservedRows, explained_parts};
use crate::sides::{ComparedSide, TestedSide};
use crate::terminal::{counted, show_progress};

/// The changed cases that run without a hunk.
const CASES: usize = 300;
/// The time for the rows of a change at least.
const LEAST: Duration = Duration::from_secs(10);

/// The investigation of a test.
pub(super) struct Investigation<'i> {
    pub(super) test: &'i BuiltTest,
    pub(super) sides: &'i [ComparedSide; 2],
    /// The numbers and texts in the package's sources, in order.
    pub(super) constants: &'i [Value],
    pub(super) is_pending: bool,
    pub(super) until: Instant,
    pub(super) folder: &'i Path,
}

/// Lines, and a process of today's test without them.
type WithoutLines = (ResponsibleLines, Option<TestProcess>);

impl Investigation<'_> {
    pub(super) fn answer(&self) -> Result<WhyAnswer> {
        let mut versions = self.test.versions(self.until)?;
        let test = versions.processes[1].test()?;
        let rows = rows(&test)?;
        check_stable(&mut versions, &rows)?;
        let change = SourceChange::new(&self.sides[0], &self.sides[1])?;
        let mut answer = WhyAnswer {
            test: self.test.name.clone(),
            definition: test.definition.clone(),
            call: self.test.call.clone(),
            since: self.sides[0].label.clone(),
            cases: rows.len(),
            changed: 0,
            is_pending: self.is_pending,
            hunks: change.hunks.len(),
            changes: Vec::new(),
            skipped: Vec::new(),
        };
        let observed = ObservedRows::new(&mut versions, &test.policy, rows.clone())?;
        if Instant::now() >= self.until {
            return Err(Error::new(
                "the time is over before its own rows have run; set another limit with --time",
            ));
        }
        answer.changed = observed.differing.len();
        if observed.differing.is_empty() {
            return Ok(answer);
        }
        let (responsible, skipped) = self.responsible(&change, &test, observed)?;
        answer.skipped = skipped;
        if responsible.is_empty() {
            answer
                .changes
                .push(self.explain(&test, &mut versions, &rows)?.0);
        }
        for (mut lines, process) in responsible {
            let mut explained = match process {
                Some(process) => {
                    let [_, now] = self.test.versions(self.until)?.processes;
                    let mut without = TestVersions {
                        processes: [process, now],
                    };
                    let (explained, changed) = self.explain(&test, &mut without, &rows)?;
                    lines.changed = Some(changed);
                    explained
                }
                // The lines made the whole change.
                None => self.explain(&test, &mut versions, &rows)?.0,
            };
            explained.lines = Some(lines);
            answer.changes.push(explained);
        }
        Ok(answer)
    }

    /// Finds the lines that changed the test's cases. Also returns those that can't be taken back.
    fn responsible(
        &self,
        change: &SourceChange,
        test: &AnsweringTest,
        observed: ObservedRows<'_>,
    ) -> Result<(Vec<WithoutLines>, Vec<String>)> {
        if change.hunks.is_empty() {
            return Ok(Default::default());
        }
        let step = observed.differing.len().div_ceil(CASES).max(1);
        let chosen = || observed.differing.iter().step_by(step);
        let mut search = HunkSearch {
            test: self.test,
            change,
            // Where the earlier side was, since that builds what hasn't changed once.
            copy: TestedSide::copied(&self.sides[1], self.folder, "then")?,
            policy: &test.policy,
            rows: chosen().map(|it| observed.rows[it.case].clone()).collect(),
            before: chosen().map(|it| it.expected.clone()).collect(),
            until: self.until,
            builds: 0,
            skipped: Vec::new(),
        };
        let found = search.run()?;
        let is_alone = found.len() == 1;
        let mut without = Vec::new();
        for responsible in found {
            let hunks = responsible.hunks.iter();
            let lines = ResponsibleLines {
                hunks: hunks.map(|it| change.hunks[*it].text()).collect(),
                restored: responsible.rows,
                of: search.rows.len(),
                changed: None,
            };
            let process = match is_alone {
                true => None,
                false => search.without(&responsible.hunks)?,
            };
            without.push((lines, process));
        }
        let skipped = search.skipped.iter();
        let skipped = skipped.map(|(hunk, reason)| {
            let reason = reason.to_string();
            let reason = reason.lines().find(|it| it.starts_with("error: "));
            let reason = reason.unwrap_or("error: cargo can't build it");
            format!("{}\n  {reason}", change.hunks[*hunk].text())
        });
        Ok((without, skipped.collect()))
    }

    /// Explains the differences between two versions. Returns the number of differing cases as
    /// well.
    fn explain(
        &self,
        test: &AnsweringTest,
        versions: &mut TestVersions,
        rows: &[Value],
    ) -> Result<(ExplainedChange, usize)> {
        // Builds may have taken all of the time.
        let until = self.until.max(Instant::now() + LEAST);
        versions.set_until(until);
        let conditions = Conditions {
            definition: &test.definition,
            takes: &test.takes,
            constants: self.constants,
            until,
        };
        let mut observed = ObservedRows::new(versions, &test.policy, rows.to_vec())?;
        let changed = observed.differing.len();
        show_progress(&format!("{}: running rows …", self.test.name));
        let (parts, more_parts) = explained_parts(&conditions, &mut observed, |_, _| true)?;
        let explained = ExplainedChange {
            lines: None,
            parts,
            more_parts,
        };
        Ok((explained, changed))
    }
}

/// Returns the test's own rows.
fn rows(test: &AnsweringTest) -> Result<Vec<Value>> {
    let size = if test.has_file { 0 } else { test.size };
    let drawn = Vectors::generate(&test.definition, test.seed, size);
    let drawn = json::parse(&drawn.to_json())?;
    let drawn = drawn.as_array().unwrap_or_default().iter().cloned();
    Ok(drawn.chain(test.rows.iter().cloned()).collect())
}

/// Fails if a row has another output each time.
fn check_stable(versions: &mut TestVersions, rows: &[Value]) -> Result<()> {
    match versions.unstable(rows)? {
        0 => Ok(()),
        unstable => Err(Error::new(format!(
            "the outputs of {} differ from run to run, so experiments say nothing",
            counted(unstable, "row")
        ))),
    }
}
