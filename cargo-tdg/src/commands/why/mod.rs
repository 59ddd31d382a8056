//! `cargo tdg why`: explains a change by experiment.
//!
//! `earlier_revision → versions → experiment → responsible_hunks → report`: builds the test on the
//! earlier sources and on today's, runs rows on both until a rule about the changed ones has no
//! exception, and takes back the differences between the sources one by one.

mod answer;
mod earlier_revision;
mod effects;
mod hunks;
mod investigation;
mod locked_packages;
mod report;
mod responsible_hunks;
mod test_call;
mod test_function;
mod test_process;
mod versions;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use clap::Args;
use tdg_engine::TestId;

use self::answer::WhyAnswer;
use self::earlier_revision::earlier_revision;
use self::effects::harmful_effect;
use self::investigation::Investigation;
use self::test_call::TestCall;
use self::test_function::test_function;
use self::test_process::{TestProcess, library_path};
use self::versions::TestVersions;
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::record::{RecordedTest, RecordedTests};
use crate::sides::{
    BuildOptions, ComparedSide, Revision, TestTarget, TestedSide, listed_tests, lock_folder,
};
use crate::terminal::style::STRONG;
use crate::terminal::{
    PressedKey, ask, clear_progress, is_interactive, parse_time, print, print_error, show_progress,
};
use crate::workspace::{Packages, Workspace};

/// Explain a change by running the test's function as it was and as it is
///
/// Builds the test on the earlier sources and on today's, and runs rows on both: near the changed
/// ones, with one value replaced, on both sides of each threshold. A rule is shown once new rows
/// confirm it. Then takes back the differences between the sources, to find the lines that changed
/// the outputs. A test that uses files, the network or processes does so for each row, if allowed.
#[derive(Args, Debug)]
pub(crate) struct Why {
    /// Tests, by name or snapshot file (default: all with a pending change)
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The revision with the earlier sources (default: where the benchmark is from)
    #[arg(long, value_name = "REVISION")]
    from: Option<String>,
    /// Run rows and builds for this long at most, such as 30s or 5m [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Also run tests that use files, the network or processes; on a terminal, `why` asks
    #[arg(long)]
    allow: bool,
    /// Print the answers as JSON, one line for each test
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    packages: Packages,
}

/// The time for rows and builds.
const TIME: Duration = Duration::from_secs(60);

impl Why {
    /// Explains a test as the command does without options.
    pub(crate) fn of_test(test: &TestId) -> Self {
        Self {
            names: vec![format!("{}::{}", test.package, test.name)],
            from: None,
            time: None,
            allow: false,
            json: false,
            packages: Packages::default(),
        }
    }

    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = RecordedTests::read_chosen(&workspace, &self.packages)?;
        let tests = match self.names.is_empty() {
            true => records.pending()?,
            false => {
                let named = self.names.iter().map(|it| records.named(it));
                named.collect::<Result<Vec<_>>>()?
            }
        };
        if tests.is_empty() {
            return Err(Error::new(
                "no change is pending; name a test to explain it anyway",
            ));
        }
        let (folder, _lock) = lock_folder(&workspace)?;
        let mut exit = Exit::Fine;
        for record in tests {
            let answer = self.answer(&workspace, record, &folder);
            clear_progress();
            match answer {
                Ok(answer) => {
                    print(&if self.json {
                        answer.json()
                    } else {
                        answer.text()
                    })?;
                    keep(&answer, record, &workspace)?;
                    if answer.is_changed() {
                        exit = Exit::Found;
                    }
                }
                Err(error) => exit = print_error(error.context(&record.test))?,
            }
        }
        Ok(exit)
    }

    fn answer(
        &self,
        workspace: &Workspace,
        record: &RecordedTest,
        folder: &Path,
    ) -> Result<WhyAnswer> {
        self.check_effects(record)?;
        let revision = match &self.from {
            Some(revision) => revision.clone(),
            None => earlier_revision(record)?,
        };
        let sides = sides(workspace, &revision, folder)?;
        let built = BuiltTest::new(&sides, record, folder)?;
        let until = Instant::now() + self.time.unwrap_or(TIME);
        let investigation = Investigation {
            test: &built,
            sides: &sides,
            constants: &record.package.constants(),
            is_pending: self.from.is_none() && record.is_pending()?,
            until,
            folder,
        };
        investigation.answer()
    }
}

/// Keeps the answer for reports and pages if it is about the pending change.
fn keep(answer: &WhyAnswer, record: &RecordedTest, workspace: &Workspace) -> Result<()> {
    if !answer.is_pending {
        return Ok(());
    }
    let change = record.change()?;
    let is_same = change.compare()?.rows.differing.len() == answer.changed;
    let Some(benchmark) = &change.benchmark else {
        return Ok(());
    };
    if !is_same || !answer.is_changed() {
        return Ok(());
    }
    let cause = answer.kept();
    cause.keep(
        &workspace.target_directory,
        &record.test,
        (benchmark, &change.pending.snapshot),
    )?;
    record.add_verified_run(&change, &cause.rules)
}

impl Why {
    /// Fails if a test would do more than return outputs, and may not.
    fn check_effects(&self, record: &RecordedTest) -> Result<()> {
        if self.allow {
            return Ok(());
        }
        let Some(effect) = harmful_effect(record)? else {
            return Ok(());
        };
        let (test, uses) = (
            &record.test,
            format!("uses {effect}, for each of thousands of rows"),
        );
        if is_interactive() {
            let question = format!("{STRONG}{test}{STRONG:#} {uses}. Run it? (y/n) ");
            if ask(&question)? == PressedKey::Character('y') {
                return Ok(());
            }
        }
        Err(Error::new(format!("the test {uses}; to run it: --allow")))
    }
}

/// Returns the earlier sources and today's.
fn sides(workspace: &Workspace, revision: &str, folder: &Path) -> Result<[ComparedSide; 2]> {
    let taken = Revision::take(
        &workspace.directory,
        Some(revision),
        &folder.join("sources"),
    )?;
    let manifest = taken.directory.join("Cargo.toml");
    let then = ComparedSide::open(taken.label, &manifest, BuildOptions::default())?;
    let manifest = workspace.directory.join("Cargo.toml");
    let now = ComparedSide::open("now".to_owned(), &manifest, BuildOptions::default())?;
    let lock = then.lock.clone().or_else(|| now.lock.clone());
    Ok([ComparedSide { lock, ..then }, now])
}

/// A test that is built on both sides.
struct BuiltTest {
    name: String,
    /// Its function, as libtest names it.
    function: String,
    /// The call that is all of its body.
    call: Option<TestCall>,
    package: String,
    /// Today's directory of the package.
    directory: PathBuf,
    target: TestTarget,
    /// The programs of both sides.
    programs: [PathBuf; 2],
}

/// Returns the names of the tests of a program.
fn listed(program: &Path) -> Result<Vec<String>> {
    let mut command = Command::new(program);
    command.args(["--list", "--format=terse"]);
    let output = command.envs(library_path(program)).output();
    let output = output.context(program.display())?;
    Ok(listed_tests(&output))
}

/// Copies a program, which the next build overwrites. Next to it, it finds its libraries.
fn kept_program(program: &Path, number: usize) -> Result<PathBuf> {
    let name = format!("tdg-why-{number}{}", env::consts::EXE_SUFFIX);
    let kept = program.with_file_name(name);
    fs::copy(program, &kept).context(kept.display())?;
    Ok(kept)
}

impl BuiltTest {
    fn new(sides: &[ComparedSide; 2], record: &RecordedTest, folder: &Path) -> Result<Self> {
        let package = &record.test.package;
        let today = sides[1].workspace.package(package)?;
        let build = |side: &ComparedSide, at: &str| {
            show_progress(&format!("{}: building {} …", record.test, side.label));
            let mut tested = TestedSide::new(side, &sides[1], &[today], folder, at)?;
            let targets = tested.build(package)?;
            let directory = &tested.side.workspace.package(package)?.directory;
            match targets.of_file(&directory.join(&record.test.source)) {
                Some((target, program)) => Ok((target.clone(), program.to_owned())),
                None => Err(tested.side.error(&tested.reason(&record.test, &targets))),
            }
        };
        let (_, then) = build(&sides[0], "then")?;
        let (target, now) = build(&sides[1], "now")?;
        let file = today.directory.join(&record.test.source);
        let source = fs::read_to_string(&file).context(file.display())?;
        let names = listed(&now)?;
        let function = test_function(&record.test.name, &names, &source).ok_or_else(|| {
            Error::new(format!(
                "the function of the test isn't found in {}",
                record.test.source
            ))
        })?;
        let then = kept_program(&then, 0)?;
        Ok(Self {
            name: record.test.name.clone(),
            call: TestCall::find(&function, &source),
            function,
            package: package.clone(),
            directory: today.directory.clone(),
            target,
            programs: [then, now],
        })
    }

    /// Starts the processes of both sides.
    fn versions(&self, until: Instant) -> Result<TestVersions> {
        let [then, now] = &self.programs;
        Ok(TestVersions {
            processes: [self.start(then, until)?, self.start(now, until)?],
        })
    }

    fn start(&self, program: &Path, until: Instant) -> Result<TestProcess> {
        let test = (self.name.as_str(), self.function.as_str());
        TestProcess::start(program, &self.directory, test, until)
    }
}
