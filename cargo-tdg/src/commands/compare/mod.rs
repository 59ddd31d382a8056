//! `cargo tdg compare`: what a change did to the functions of a library, without a test.
//!
//! `side → functions → driver → process → compared → answer`: of each side, the sources and how
//! cargo builds them; the functions that both have, with what is drawn for them; a program for
//! each side that calls them; the outcomes of the same rows; where they differ, and why.

mod answer;
mod argument;
mod compared;
mod driver;
mod effects;
mod functions;
mod generics;
mod outcome;
mod plan;
mod process;
mod published;
mod revision;
mod rows;
mod side;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use clap::Args;
use tdg_definition::json::Value;

use self::answer::PackageAnswer;
use self::compared::{ComparedFunction, Runs, differ};
use self::driver::Driver;
use self::functions::{Functions, Paired};
use self::plan::PlannedCall;
use self::process::FunctionCaller;
use self::revision::Revision;
use self::rows::CallRows;
use self::side::{BuildOptions, ComparedSide};
use crate::confine::Confinement;
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::terminal::{clear_progress, note, print, show_progress};
use crate::workspace::{Package, Packages, Workspace};

/// Show what a change did to the public functions of a library, without a test
///
/// Builds the library as it was and as it is, calls each function whose arguments can be drawn
/// with the same rows on both, and explains the rows whose outcomes differ. Exits with 0 if none
/// does.
#[derive(Args, Debug)]
pub(crate) struct Compare {
    /// The revision to compare with (default: where this branch left the default branch)
    #[arg(value_name = "REV", conflicts_with_all = ["path", "version"])]
    revision: Option<String>,
    /// Compare with this published version of the package instead
    #[arg(long, conflicts_with = "path")]
    version: Option<String>,
    /// Compare with the sources in this directory instead
    #[arg(long, value_name = "DIRECTORY")]
    path: Option<PathBuf>,
    /// Build the other side with this lock file; without a revision, the sources are the same
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,
    /// Features of the package; without a revision, they are the difference
    #[arg(long, short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    features: Vec<String>,
    /// The target to build for; without a revision, it is the difference
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The toolchain of rustup for the other side
    #[arg(long, value_name = "NAME")]
    toolchain: Option<String>,
    #[command(flatten)]
    packages: Packages,
    /// Only functions whose path contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Call this function although it reaches for files, the network, the clock … (repeatable)
    #[arg(long, value_name = "FUNCTION")]
    allow: Vec<String>,
    /// Call the functions with all your rights, where they can't be confined
    #[arg(long)]
    unconfined: bool,
    /// The number of rows for each function
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    rows: u16,
    /// The seed of the rows
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Also list the functions that were not compared, with the reasons
    #[arg(long)]
    all: bool,
    /// Print the answer as JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the answer as Markdown, for a pull request
    #[arg(long)]
    markdown: bool,
}

/// How long the rows of a function may take.
const TIME: Duration = Duration::from_secs(20);

impl Compare {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let folder = workspace.target_directory.join("tdg").join("compare");
        let caller = FunctionCaller {
            confinement: self.confinement()?,
            time: TIME,
        };
        let sides = self.sides(workspace, &folder)?;
        let mut answers = Vec::new();
        for package in self.packages.of(&sides[1].workspace)? {
            let now = sides[1].workspace.package(package)?;
            if now.library.is_none() {
                note(&format!(
                    "{package} has no library, so nothing of it is compared"
                ));
                continue;
            }
            answers.extend(self.package(&sides, now, &folder, &caller)?);
        }
        clear_progress();
        self.print(&sides, &answers)?;
        let is_changed = answers.iter().any(PackageAnswer::is_changed);
        Ok(if is_changed { Exit::Found } else { Exit::Fine })
    }

    fn confinement(&self) -> Result<Option<Confinement>> {
        if self.unconfined {
            return Ok(None);
        }
        Ok(Some(Confinement::probe()?))
    }

    /// The side of then, and that of today.
    fn sides(&self, workspace: Workspace, folder: &Path) -> Result<[ComparedSide; 2]> {
        let is_of_then = self.revision.is_some() || self.path.is_some() || self.version.is_some();
        let is_build = self.lock.is_some()
            || !self.features.is_empty()
            || self.target.is_some()
            || self.toolchain.is_some();
        let options = BuildOptions {
            features: self.features.clone(),
            toolchain: None,
            target: self.target.clone(),
        };
        let manifest = workspace.directory.join("Cargo.toml");
        let plain = match is_of_then || !is_build {
            true => options.clone(),
            false => BuildOptions::default(),
        };
        let mut then = if let Some(path) = &self.path {
            let label = path.display().to_string();
            ComparedSide::of(label, &path.join("Cargo.toml"), plain)?
        } else if let Some(version) = &self.version {
            let packages = self.packages.of(&workspace)?;
            let [package] = packages.iter().collect::<Vec<_>>()[..] else {
                return Err(Error::new(
                    "choose one package for --version: `--package NAME`",
                ));
            };
            let manifest = published::manifest(package, version, &folder.join("published"))?;
            ComparedSide::of(version.clone(), &manifest, plain)?
        } else if self.revision.is_none() && is_build {
            ComparedSide::of("without the options".to_owned(), &manifest, plain)?
        } else {
            let name = self.revision.as_deref();
            let revision = Revision::take(&workspace.directory, name, &folder.join("sources"))?;
            let manifest = revision.directory.join("Cargo.toml");
            let side = ComparedSide::of(revision.label.clone(), &manifest, plain);
            let side = side.map_err(|error| error.context(&revision.label))?;
            ComparedSide {
                gaps: revision.gaps,
                ..side
            }
        };
        let mut now = ComparedSide::of("now".to_owned(), &manifest, options)?;
        let other = if is_of_then { &mut then } else { &mut now };
        other.build.toolchain.clone_from(&self.toolchain);
        if let Some(lock) = &self.lock {
            other.lock = Some(lock.canonicalize().context(lock.display())?);
        }
        if then.lock.is_none() {
            then.lock.clone_from(&now.lock);
        }
        Ok([then, now])
    }

    /// Compares a package of today; nothing if the other side doesn't have it.
    fn package(
        &self,
        sides: &[ComparedSide; 2],
        now: &Package,
        folder: &Path,
        caller: &FunctionCaller,
    ) -> Result<Option<PackageAnswer>> {
        let Ok(then) = sides[0].workspace.package(&now.name) else {
            note(&format!(
                "{} is new: {} has no such package",
                now.name, sides[0].label
            ));
            return Ok(None);
        };
        show_progress(&format!("{}: reading …", now.name));
        let [before, after] = [(&sides[0], then), (&sides[1], now)]
            .map(|(side, package)| Functions::of(side, package));
        let mut functions = Functions::paired(&before?, &after?, &self.allow);
        if let Some(only) = &self.only {
            functions.calls.retain(|it| it.name.contains(only.as_str()));
            functions
                .skipped
                .retain(|name, _| name.contains(only.as_str()));
        }
        let calls = std::mem::take(&mut functions.calls);
        let rows = self.rows(calls, &mut functions);
        let calls: Vec<PlannedCall> = rows.iter().map(|(call, _)| call.clone()).collect();
        let drivers = drivers(sides, [then, now], &calls, folder, &mut functions)?;
        let rows: Vec<(usize, &PlannedCall, &CallRows)> = rows
            .iter()
            .enumerate()
            .filter(|(_, (call, _))| !functions.skipped.contains_key(&call.name))
            .map(|(number, (call, rows))| (number, call, rows))
            .collect();
        let mut compared = compare(caller, &drivers, &rows)?;
        compared.retain(|it| {
            let has_inputs = it.no_inputs < it.rows;
            if !has_inputs {
                let reason = "no row is an input of it".to_owned();
                functions.skipped.insert(it.function.clone(), reason);
            }
            has_inputs
        });
        let mut answer = PackageAnswer {
            package: now.name.clone(),
            compared,
            functions,
        };
        answer.sort();
        Ok(Some(answer))
    }

    /// The rows of each call.
    fn rows(
        &self,
        calls: Vec<PlannedCall>,
        functions: &mut Paired,
    ) -> Vec<(PlannedCall, CallRows)> {
        let mut all = Vec::new();
        for call in calls {
            let rows = match call.has_rows() {
                true => CallRows::of(&call, self.rows.into(), self.seed),
                false => Err("takes nothing that is drawn".to_owned()),
            };
            match rows {
                Ok(rows) => all.push((call, rows)),
                Err(reason) => drop(functions.skipped.insert(call.name, reason)),
            }
        }
        all
    }

    fn print(&self, sides: &[ComparedSide; 2], answers: &[PackageAnswer]) -> Result<()> {
        let rows = usize::from(self.rows);
        if self.json {
            let answers = answers.iter().map(PackageAnswer::json);
            let answer = Value::object([
                ("compared_with", Value::from(sides[0].label.as_str())),
                ("packages", Value::Array(answers.collect())),
            ]);
            return print(&format!("{answer}\n"));
        }
        if self.markdown {
            let texts = answers.iter().map(|it| it.markdown(rows));
            let title = format!("## Compared with {}\n\n", sides[0].label);
            return print(&(title + &texts.collect::<String>()));
        }
        let texts: Vec<String> = answers.iter().map(|it| it.text(rows, self.all)).collect();
        print(&format!(
            "compared with {}\n\n{}",
            sides[0].label,
            texts.join("\n")
        ))
    }
}

/// The programs of both sides; the calls that one of them can't make are skipped.
fn drivers(
    sides: &[ComparedSide; 2],
    packages: [&Package; 2],
    calls: &[PlannedCall],
    folder: &Path,
    functions: &mut Paired,
) -> Result<[Driver; 2]> {
    let target = folder.join("build");
    let mut without = BTreeSet::new();
    let mut build = |at: usize, name: &str| -> Result<Driver> {
        let package = packages[at];
        show_progress(&format!("{}: building {} …", package.name, sides[at].label));
        let folder = folder
            .join("drivers")
            .join(format!("{}-{name}", package.name));
        let driver = Driver::build(&sides[at], package, calls, &without, &folder, &target)?;
        // The next build of the same name replaces it.
        let program = folder.join("driver");
        fs::copy(&driver.program, &program).context(program.display())?;
        for (number, reason) in &driver.dropped {
            without.insert(*number);
            let reason = format!("doesn't compile when called: {reason}");
            functions
                .skipped
                .insert(calls[*number].name.clone(), reason);
        }
        Ok(Driver { program, ..driver })
    };
    Ok([build(0, "then")?, build(1, "now")?])
}

/// Calls each function on both sides, several functions at a time.
fn compare(
    caller: &FunctionCaller,
    drivers: &[Driver; 2],
    calls: &[(usize, &PlannedCall, &CallRows)],
) -> Result<Vec<ComparedFunction>> {
    let waiting = Mutex::new(calls.iter());
    let done = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let next = waiting.lock().map(|mut it| it.next());
            let Ok(Some((number, call, rows))) = next else {
                break;
            };
            let compared = compare_call(caller, drivers, *number, call, rows);
            if let Ok(mut done) = done.lock() {
                done.insert(*number, compared);
                show_progress(&format!("{} of {} functions …", done.len(), calls.len()));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let done = done
        .into_inner()
        .map_err(|_| Error::new("a thread that called functions panicked"))?;
    done.into_values().collect()
}

fn compare_call(
    caller: &FunctionCaller,
    drivers: &[Driver; 2],
    number: usize,
    call: &PlannedCall,
    rows: &CallRows,
) -> Result<ComparedFunction> {
    let file = tempfile::NamedTempFile::new().context("can't make a temporary file")?;
    fs::write(file.path(), &rows.file).context(file.path().display())?;
    let outcomes = |driver: &Driver| {
        caller.outcomes(&driver.program, number, file.path(), rows.vectors.size())
    };
    let [then, now] = drivers;
    let first = [outcomes(then)?, outcomes(now)?];
    let is_different = differ(&first);
    let [before, after] = first;
    let again = |driver: &Driver| is_different.then(|| outcomes(driver)).transpose();
    let runs = [
        Runs {
            first: before,
            second: again(then)?,
        },
        Runs {
            first: after,
            second: again(now)?,
        },
    ];
    Ok(ComparedFunction::of(&call.name, &rows.vectors, &runs))
}
