//! Benchmarks that no test claims anymore.

use std::collections::BTreeSet;
use std::path::Path;

use tdg_engine::Verdict;
use tdg_engine::config::display_path;
use tdg_engine::results::TestRun;
use tdg_engine::snapshot::Header;
use tdg_report::{quoted, rename_command};

use super::Remark;
use crate::record::{RecordedTest, RecordedTests};
use crate::workspace::Workspace;

/// Arguments for cargo that skip no tests, apart from the choice of packages.
const RUN_EVERYTHING: [&str; 12] = [
    "--all-features",
    "--all-targets",
    "--release",
    "--no-fail-fast",
    "--locked",
    "--offline",
    "--frozen",
    "--quiet",
    "-q",
    "-v",
    "--all",
    "--workspace",
];

/// Arguments with a value that skip no tests.
const WITH_VALUE: [&str; 3] = ["--manifest-path", "--color", "--target-dir"];

/// The benchmarks that no test claims.
#[derive(Debug)]
pub(crate) struct Unclaimed<'r> {
    pub(crate) benchmarks: Vec<UnclaimedBenchmark<'r>>,
    /// Set if all tests ran. If not, only benchmarks without a test in the sources count.
    pub(crate) is_full_run: bool,
}

/// A benchmark that no test claims.
#[derive(Debug)]
pub(crate) struct UnclaimedBenchmark<'r> {
    pub(crate) record: &'r RecordedTest,
    /// The likely new name of its test: a test without a benchmark that has the same rows.
    pub(crate) renamed_to: Option<&'r TestRun>,
}

impl Unclaimed<'_> {
    /// Returns a remark for each benchmark.
    pub(crate) fn remarks(&self, fails: bool) -> Vec<Remark> {
        let why = match self.is_full_run {
            true => "no test used",
            false => "the test no longer exists for",
        };
        let remark = |it: &UnclaimedBenchmark<'_>| {
            let (question, command) = it.fix();
            let file = it.record.file().map(|_| it.record.location());
            Remark {
                fails,
                text: format!("{why} {} ({question})", it.place()),
                file,
                command,
            }
        };
        self.benchmarks.iter().map(remark).collect()
    }
}

impl UnclaimedBenchmark<'_> {
    /// Returns the snapshot file, or the test if its benchmark is in the store.
    pub(crate) fn place(&self) -> String {
        match self.record.file() {
            Some(_) => self.record.location(),
            None => format!("{}, {}", self.record.test, self.record.location()),
        }
    }

    /// Suggests what happened to the test, and a command for it. The store keeps its history.
    pub(crate) fn fix(&self) -> (&'static str, Option<String>) {
        let place = self.place();
        let Some(run) = self.renamed_to else {
            let file = self.record.file();
            let command = file.map(|_| format!("git rm {}", quoted(&place)));
            return ("orphaned?", command);
        };
        let (old, new) = (self.record.test.to_string(), run.test.to_string());
        let file = run.snapshot.as_deref().unwrap_or(Path::new(&new));
        let file = display_path(&self.record.package.root, file);
        let command = rename_command((&old, &place), (&new, &file));
        ("renamed?", Some(command))
    }
}

/// The packages and tests that the arguments for cargo select.
struct ChosenPackages<'a> {
    packages: BTreeSet<&'a str>,
    /// Set if all tests of these packages run.
    is_full_run: bool,
}

impl<'a> ChosenPackages<'a> {
    fn by(arguments: &'a [String], workspace: &'a Workspace) -> Self {
        let mut chosen = Self {
            packages: BTreeSet::new(),
            is_full_run: true,
        };
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument, None),
            };
            match name {
                "--workspace" | "--all" => chosen.packages.extend(workspace.package_names()),
                "-p" | "--package" => {
                    chosen.packages.extend(value.or_else(|| rest.next()));
                }
                _ if WITH_VALUE.contains(&name) => {
                    if value.is_none() {
                        rest.next();
                    }
                }
                _ if RUN_EVERYTHING.contains(&argument) => {}
                _ => chosen.is_full_run = false,
            }
        }
        if chosen.packages.is_empty() {
            chosen.packages = workspace.default_packages();
        }
        chosen
    }
}

/// Returns the benchmarks that no test of a run with these arguments claimed. If tests were
/// skipped, only those whose tests are missing from the sources. A failed run is never complete: a
/// test that aborts ends its whole test binary, which looks to cargo like any other failure.
pub(crate) fn unclaimed<'r>(
    workspace: &Workspace,
    records: &'r RecordedTests,
    runs: &'r [TestRun],
    arguments: &[String],
    is_complete: bool,
) -> Unclaimed<'r> {
    let chosen = ChosenPackages::by(arguments, workspace);
    let is_full_run = chosen.is_full_run && is_complete;
    let mut benchmarks = Vec::new();
    for record in records.iter() {
        let is_used = runs.iter().any(|run| match record.file() {
            Some(file) => run.snapshot.as_deref() == Some(file),
            None => run.test == record.test,
        });
        if is_used || !chosen.packages.contains(record.test.package.as_str()) {
            continue;
        }
        let is_gone = !record.may_exist();
        if is_gone || is_full_run && !record.is_ignored() {
            benchmarks.push(UnclaimedBenchmark {
                record,
                renamed_to: is_gone.then(|| renamed_to(record, runs)).flatten(),
            });
        }
    }
    Unclaimed {
        benchmarks,
        is_full_run,
    }
}

/// Returns the only test that had no benchmark before this run and has the same rows.
fn renamed_to<'r>(record: &RecordedTest, runs: &'r [TestRun]) -> Option<&'r TestRun> {
    let digest = |file: &Path| Header::read(file).map(|header| header.ensemble.digest);
    let rows = digest(record.file()?)?;
    let mut same = runs.iter().filter(|run| {
        let file = match run.verdict {
            Verdict::Missing => run.actual.as_deref(),
            Verdict::Recorded => run.snapshot.as_deref(),
            _ => None,
        };
        run.test.package == record.test.package
            && file.and_then(digest).as_deref() == Some(rows.as_str())
    });
    match (same.next(), same.next()) {
        (Some(run), None) => Some(run),
        _ => None,
    }
}
