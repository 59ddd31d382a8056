//! `cargo tdg compare`: compares the behavior of a library's functions without a test.
//!
//! `sides → functions → driver → calls → answer`: finds the sources of each side and how to
//! build them, pairs the functions, builds a program per side that calls them,
//! compares the outcomes of the same rows, and explains the differences. `test_calls` compares the
//! calls of the crate's own tests, on copies of the sources that `overlay` makes.

mod answer;
mod answers;
mod calls;
mod compared_sides;
mod driver;
mod ensembles;
mod folded_callers;
mod functions;
mod package;
mod page;
mod test_calls;
mod test_file;
mod uncalled;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use tdg_definition::nearest;

use self::answer::PackageAnswer;
use self::answers::AllAnswers;
use self::calls::FunctionCaller;
use self::ensembles::EnsembleAnswer;
use self::functions::Functions;
use self::package::PackageComparison;
use self::test_calls::{TestCalls, TestCallsAnswer};
use crate::confine::Confinement;
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::output::check_absent;
use crate::plan::TestedFeatures;
use crate::sides::{ComparedSide, first_error, lock_folder};
use crate::terminal::{clear_progress, note, parse_time, print};
use crate::workspace::{Package, Packages, Workspace};

/// Show what a change did to the public functions of a library, without a test
///
/// Builds both versions and calls every public function that it can generate arguments for with
/// the same inputs. Explains the rows whose outcomes differ. Exits with 0 if none differ.
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
    /// Features of the package (default: all, if they compile together); without a revision, only
    /// they differ
    #[arg(long, short = 'F', value_name = "FEATURES", value_delimiter = ',')]
    features: Vec<String>,
    /// The target to build for; without a revision, only it differs
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// The rustup toolchain for the other side
    #[arg(long, value_name = "NAME")]
    toolchain: Option<String>,
    #[command(flatten)]
    packages: Packages,
    /// The calls to compare: with drawn arguments, or the ones of the crate's own tests
    #[arg(long, value_enum, default_value_t = ComparedCallKind::Both)]
    calls: ComparedCallKind,
    /// Run the crate's own tests for this long at most, such as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "2m")]
    calls_time: Duration,
    /// Also run today's ensemble tests on both sides, as `cargo test` would: they aren't confined,
    /// and the first time, tdg is built again for the other side
    #[arg(long)]
    tests: bool,
    /// Only functions and tests whose path contains this, in upper or lower case
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Only functions whose code, or code they call, changed
    #[arg(long, conflicts_with_all = ["lock", "features", "target", "toolchain"])]
    changed: bool,
    /// Keep trying new rows for this long, such as 20 or 20s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Call this function although it accesses files, the network, the clock … (repeatable)
    #[arg(long, value_name = "FUNCTION")]
    allow: Vec<String>,
    /// Call the functions with all your rights if they can't be confined
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
    /// Write the ensemble test that guards this function from now on, as `init --for` does, with
    /// numbers drawn as here
    #[arg(long, value_name = "FUNCTION", conflicts_with_all = ["json", "markdown"])]
    keep: Option<String>,
    /// Print the answer as JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the answer as Markdown, for a pull request
    #[arg(long)]
    markdown: bool,
    /// Also write the answer to this file, as a self-contained page with charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite the page if it exists
    #[arg(long, requires = "html")]
    force: bool,
}

/// The source of the arguments of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ComparedCallKind {
    Drawn,
    Tests,
    Both,
}

impl Compare {
    pub(crate) fn run(self) -> Result<Exit> {
        if let Some(page) = &self.html {
            check_absent(page, self.force)?;
        }
        let workspace = Workspace::find()?;
        let kept = self.kept(&workspace)?;
        let (folder, _lock) = lock_folder(&workspace)?;
        let caller = FunctionCaller {
            confinement: self.confinement()?,
            folder: tempfile::tempdir().context("can't create a temporary folder")?,
            links: tempfile::tempdir_in(&folder).context(folder.display())?,
        };
        let mut sides = self.sides(workspace, &folder)?;
        sides[0].gaps().into_iter().for_each(|gaps| note(&gaps));
        let is_same = sides[0].is_built_as(&sides[1]);
        let answers = match is_same {
            true => {
                note("both sides are the same, so nothing was built");
                AllAnswers {
                    then: sides[0].heading(),
                    ..AllAnswers::default()
                }
            }
            false => self.all_answers(&mut sides, &folder, &caller)?,
        };
        clear_progress();
        self.print(&answers)?;
        if !is_same {
            self.check_compared(&answers)?;
        }
        self.write_page(&answers)?;
        if let Some(kept) = kept {
            print("\n")?;
            kept.run()?;
        }
        Ok(if answers.are_changed() {
            Exit::Found
        } else {
            Exit::Fine
        })
    }

    fn all_answers(
        &self,
        sides: &mut [ComparedSide; 2],
        folder: &Path,
        caller: &FunctionCaller,
    ) -> Result<AllAnswers> {
        let packages = with_fitting_features(sides, |it| self.answers(it, folder, caller))?;
        let calls = self.test_calls(sides, folder, caller)?;
        if sides[1].has_more_features() && sides[1].leaves_out_code() {
            note(
                "all features are on: code that is built without one isn't compared (see --features)",
            );
        }
        let mut answers = AllAnswers {
            then: sides[0].heading(),
            packages,
            calls,
            ensembles: self.ensembles(sides, folder)?,
        };
        answers.fold_callers();
        Ok(answers)
    }

    /// Compares the packages by drawn calls.
    fn answers(
        &self,
        sides: &[ComparedSide; 2],
        folder: &Path,
        caller: &FunctionCaller,
    ) -> Result<Vec<PackageAnswer>> {
        let comparisons = self.comparisons(sides)?;
        self.check_allowed(&comparisons)?;
        let tested = TestedFeatures::read(&sides[1].workspace);
        let mut packages = Vec::new();
        for comparison in comparisons {
            packages.push(comparison.answer(self, folder, caller, &tested)?);
        }
        packages.extend(self.gone(sides)?);
        Ok(packages)
    }

    fn compares_tests(&self, package: &Package) -> bool {
        self.calls != ComparedCallKind::Drawn && test_calls::has_tests(package)
    }

    /// Compares the calls of the tests of packages that both sides have.
    fn test_calls(
        &self,
        sides: &mut [ComparedSide; 2],
        folder: &Path,
        caller: &FunctionCaller,
    ) -> Result<Vec<TestCallsAnswer>> {
        let [then, now] = &*sides;
        let mut names = Vec::new();
        for name in self.packages.select(&now.workspace)? {
            let is_tested = self.compares_tests(now.workspace.package(name)?);
            if is_tested && then.workspace.package(name).is_ok() {
                names.push(name.to_owned());
            }
        }
        let answers = names.iter().map(|name| {
            let answer = with_fitting_features(sides, |sides| {
                let calls = TestCalls {
                    sides,
                    caller,
                    folder,
                    time: self.calls_time,
                };
                calls.answer(name, |function| self.is_asked(function))
            });
            // A failure is a part of the answer.
            answer.unwrap_or_else(|error| TestCallsAnswer::failed(name, error.to_string()))
        });
        Ok(answers.collect())
    }

    fn ensembles(&self, sides: &[ComparedSide; 2], folder: &Path) -> Result<Vec<EnsembleAnswer>> {
        if !self.tests {
            return Ok(Vec::new());
        }
        let names = self.packages.select(&sides[1].workspace)?;
        let names: Vec<&str> = names.into_iter().collect();
        ensembles::compare(sides, &names, |test| self.is_asked(test), folder)
    }

    fn confinement(&self) -> Result<Option<Confinement>> {
        if self.unconfined {
            return Ok(None);
        }
        Ok(Some(Confinement::probe()?))
    }

    /// Returns the packages that both sides have, with their functions.
    fn comparisons<'s>(&self, sides: &'s [ComparedSide; 2]) -> Result<Vec<PackageComparison<'s>>> {
        let [then, now] = sides;
        let mut comparisons = Vec::new();
        if self.calls == ComparedCallKind::Tests {
            return Ok(comparisons);
        }
        for name in self.packages.select(&now.workspace)? {
            let package = now.workspace.package(name)?;
            if package.library.is_none() && !self.compares_tests(package) {
                note(&format!("{name} has no library, so it is not compared"));
            } else if package.library.is_none() {
                // The calls of its tests are compared.
            } else if let Ok(former) = then.workspace.package(name) {
                comparisons.push(PackageComparison::new(self, sides, [former, package])?);
            } else {
                note(&format!(
                    "{name} is new: {} has no such package",
                    then.label
                ));
            }
        }
        Ok(comparisons)
    }

    /// Returns answers about the libraries that aren't there anymore, if all packages are compared.
    fn gone(&self, [then, now]: &[ComparedSide; 2]) -> Result<Vec<PackageAnswer>> {
        let names: BTreeSet<&str> = now.workspace.package_names().collect();
        if self.packages.select(&now.workspace)? != names {
            return Ok(Vec::new());
        }
        let gone = then.workspace.packages.iter();
        let gone = gone.filter(|it| it.library.is_some() && !names.contains(&*it.name));
        let answers = gone.map(|package| {
            let functions = Functions::gone(then, package, self)?;
            Ok(PackageAnswer::new(
                package.name.clone(),
                Vec::new(),
                functions,
            ))
        });
        answers.collect()
    }

    /// Returns true if the options select a function or a test.
    fn is_asked(&self, name: &str) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|only| name.to_lowercase().contains(&only.to_lowercase()))
    }

    /// Fails if a function in `--allow` doesn't exist.
    fn check_allowed(&self, comparisons: &[PackageComparison<'_>]) -> Result<()> {
        let names = || comparisons.iter().flat_map(PackageComparison::names);
        let mut allowed = self.allow.iter().filter(|it| self.is_asked(it));
        let Some(unknown) = allowed.find(|it| !names().any(|name| name == *it)) else {
            return Ok(());
        };
        let near = nearest(unknown, names());
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        Err(Error::new(format!(
            "--allow {unknown}: no function of that name is on both sides{near}"
        )))
    }
}

/// Compares the sides, with the default features alone if the build with all of them fails.
fn with_fitting_features<T>(
    sides: &mut [ComparedSide; 2],
    compare: impl Fn(&[ComparedSide; 2]) -> Result<T>,
) -> Result<T> {
    let error = match compare(sides) {
        Err(error) if sides.iter().any(ComparedSide::has_more_features) => error.to_string(),
        found => return found,
    };
    let has_all = sides.each_ref().map(|it| it.build.has_all_features);
    sides
        .iter_mut()
        .for_each(|it| it.build.has_all_features = false);
    let found = compare(sides);
    if found.is_ok() {
        let reason = first_error(&error);
        let reason = reason.lines().next().unwrap_or_default();
        note(&format!(
            "only the default features are on (see --features): with all, {reason}"
        ));
    } else {
        for (side, has_all) in sides.iter_mut().zip(has_all) {
            side.build.has_all_features = has_all;
        }
    }
    found
}
