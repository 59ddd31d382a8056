//! The calls that the crate's own tests make, compared between both sides.
//!
//! `functions → instrumentation → copy → run → recording → pairs → causes → comparison → answer`:
//! functions of a copy of each side record their calls while today's tests run, confined. Calls
//! with the same function and arguments are paired. The innermost changed functions come first.

mod answer;
mod causes;
mod changed_tests;
mod comparison;
mod copy;
mod documentation;
mod functions;
mod instrumentation;
mod pairs;
mod recording;
mod run;
mod shapes;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::answer::listed;
use self::causes::Causes;
use self::changed_tests::changed_tests;
use self::comparison::{ComparedCalls, FunctionsOfSides};
use self::copy::{BuiltCopy, RecordedCopy, copies};
use self::functions::public_names;
use self::pairs::{pairs, shape_changes};
use self::recording::Recording;
use self::run::RecordedRun;
use super::calls::FunctionCaller;
use crate::error::Result;
use crate::sides::{ComparedSide, test_sources};
use crate::sources::Sources;
use crate::terminal::show_progress;
use crate::workspace::Package;

pub(super) use self::answer::TestCallsAnswer;

/// Runs the tests of packages on both sides.
pub(super) struct TestCalls<'c> {
    pub(super) sides: &'c [ComparedSide; 2],
    pub(super) caller: &'c FunctionCaller,
    pub(super) folder: &'c Path,
    /// The most time for a run of the tests.
    pub(super) time: Duration,
}

/// Returns true if the sources of a package seem to have tests or examples.
pub(super) fn has_tests(package: &Package) -> bool {
    let examples = package.directory.join("examples");
    let mut targets = package.target_sources.iter();
    let has_test = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap_or_default();
        ["test]", "test(", "(test)", "```", "include_str!"]
            .iter()
            .any(|it| text.contains(it))
    };
    targets.any(|it| it.starts_with(&examples)) || test_sources(package).iter().any(has_test)
}

impl TestCalls<'_> {
    /// Compares the calls of a package that both sides have.
    pub(super) fn answer(
        &self,
        package: &str,
        is_asked: impl Fn(&str) -> bool,
    ) -> Result<TestCallsAnswer> {
        let [mut then, mut now] = copies(self.sides, package, self.folder)?;
        let build = |copy: &mut RecordedCopy, side: usize| {
            let label = &self.sides[side].label;
            show_progress(&format!("{package}: building the tests of {label} …"));
            copy.build()
        };
        let built = [build(&mut then, 0)?, build(&mut now, 1)?];
        let [then, now] = &built;
        let run = |copy: &BuiltCopy, side: usize| {
            let label = &self.sides[side].label;
            show_progress(&format!("{package}: running the tests of {label} …"));
            RecordedRun::new(self.caller, copy, self.time)
        };
        let first = [run(then, 0)?, run(now, 1)?];
        let first = first.each_ref();
        let recordings = first.map(|it| &it.recording);
        let structs = &then.structs | &now.structs;
        let shapes = shape_changes(recordings, &structs);
        let mut paired = pairs(recordings, None, &shapes);
        let mut second = None;
        if paired.values().flatten().any(|it| it.is_changed) || first[0].fails_otherwise(first[1]) {
            let again = [run(then, 0)?, run(now, 1)?];
            let recordings_again = again.each_ref().map(|it| &it.recording);
            paired = pairs(recordings, Some(recordings_again), &shapes);
            second = Some(again);
        }
        let causes = Causes::new(recordings, &paired);
        let own = self.sides[1].workspace.package(package)?;
        let (public, constants) = (public(&self.sides[1], own)?, own.constants());
        let functions = [&*then.functions, &now.functions];
        let functions = FunctionsOfSides::new(functions, &public, &constants);
        let again = second.as_ref().map_or(first, |it| it.each_ref());
        let (mut tests, explained_tests) = changed_tests(first, again, &causes.tests());
        tests.retain(|it| is_asked(&it.name));
        let unshown = recordings.into_iter().flat_map(Recording::unshown);
        let unshown = unshown.filter(|it| is_asked(it));
        Ok(TestCallsAnswer {
            package: package.to_owned(),
            calls: ComparedCalls::new(&paired, &causes, &functions, &is_asked),
            tests,
            explained_tests,
            shapes: shapes.sentences(),
            plain: distinct(built.iter().flat_map(|it| &it.plain)),
            left_out: distinct(built.iter().flat_map(|it| &it.left_out)),
            unshown: distinct(unshown),
            ended: ends(first, self.sides.each_ref().map(|it| &*it.label)),
            reason: None,
        })
    }
}

/// Returns the functions of a side's library that other crates can call. A program has none.
fn public(side: &ComparedSide, package: &Package) -> Result<BTreeSet<String>> {
    let Some(library) = &package.library else {
        return Ok(BTreeSet::new());
    };
    let read = |path: &Path| fs::read_to_string(path);
    let sources = Sources::read_built(library, &side.features(package), &read)?;
    Ok(public_names(&sources))
}

fn distinct<N: ToString>(names: impl Iterator<Item = N>) -> Vec<String> {
    let names: BTreeSet<String> = names.map(|it| it.to_string()).collect();
    names.into_iter().collect()
}

/// Describes which files' tests ended early.
fn ends(runs: [&RecordedRun; 2], labels: [&str; 2]) -> Vec<String> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (side, run) in runs.iter().enumerate() {
        for (file, how) in &run.ended {
            let how = match runs[1 - side].ended.get(file) == Some(how) {
                true if side == 0 => format!("ended early on both sides: {how}"),
                true => continue,
                false => format!("ended early ({}): {how}", labels[side]),
            };
            files.entry(how).or_default().push(file.clone());
        }
    }
    let ends = files.iter();
    ends.map(|(how, files)| format!("{} {how}", listed(files)))
        .collect()
}
