//! `cargo tdg compare`: compares the behavior of a library's functions without a test.
//!
//! `sides → functions → plan → driver → calls → answer`: finds the sources of each side and how to
//! build them, pairs the functions, plans their inputs, builds a program per side that calls them,
//! compares the outcomes of the same rows, and explains the differences.

mod answer;
mod calls;
mod driver;
mod ensembles;
mod functions;
mod package;
mod page;
mod plan;
mod sides;
mod test_file;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tdg_definition::json::Value;
use tdg_definition::nearest;
use tdg_engine::snapshot;
use tdg_engine::store::FileLock;

use self::answer::PackageAnswer;
use self::calls::FunctionCaller;
use self::ensembles::EnsembleAnswer;
use self::functions::Functions;
use self::package::PackageComparison;
use self::plan::TestedFeatures;
use self::sides::ComparedSide;
use crate::confine::Confinement;
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::output::check_absent;
use crate::store::why_not_locked;
use crate::terminal::{clear_progress, note, parse_time, print, show_progress};
use crate::workspace::{Packages, Workspace};

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
    /// Features of the package; without a revision, only they differ
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
    /// Also run today's ensemble tests on both sides, as `cargo test` would: they aren't confined,
    /// and the first time, tdg is built again for the other side
    #[arg(long)]
    tests: bool,
    /// Only functions and tests whose path contains this; of functions, in upper or lower case
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

/// How long to wait for another comparison that builds in the same folder.
const PATIENCE: Duration = Duration::from_secs(3600);

impl Compare {
    pub(crate) fn run(self) -> Result<Exit> {
        if let Some(page) = &self.html {
            check_absent(page, self.force)?;
        }
        let workspace = Workspace::find()?;
        let kept = self.kept(&workspace)?;
        let folder = workspace.target_directory.join("tdg").join("compare");
        fs::create_dir_all(&folder).context(folder.display())?;
        show_progress("waiting for another comparison …");
        let _lock = FileLock::wait(&folder.join("lock"), PATIENCE)
            .map_err(|problem| Error::new(why_not_locked(&problem)).context(folder.display()))?;
        let caller = FunctionCaller {
            confinement: self.confinement()?,
            folder: tempfile::tempdir().context("can't create a temporary folder")?,
            links: tempfile::tempdir_in(&folder).context(folder.display())?,
        };
        let sides = self.sides(workspace, &folder)?;
        sides[0].gaps().into_iter().for_each(|gaps| note(&gaps));
        let comparisons = self.comparisons(&sides)?;
        self.check_allowed(&comparisons)?;
        let tested = TestedFeatures::read(&sides[1].workspace);
        let mut answers = Vec::new();
        for comparison in comparisons {
            answers.push(comparison.answer(&self, &folder, &caller, &tested)?);
        }
        answers.extend(self.gone(&sides)?);
        let ensembles = self.ensembles(&sides, &folder)?;
        clear_progress();
        let then = &sides[0].heading();
        self.print(then, &answers, &ensembles)?;
        self.check_compared(&answers, &ensembles)?;
        self.write_page(then, &answers, &ensembles)?;
        if let Some(kept) = kept {
            print("\n")?;
            kept.run()?;
        }
        let is_changed = answers.iter().any(PackageAnswer::is_changed);
        let is_changed = is_changed || ensembles.iter().any(EnsembleAnswer::is_changed);
        Ok(if is_changed { Exit::Found } else { Exit::Fine })
    }

    /// Fails if nothing was compared.
    fn check_compared(
        &self,
        answers: &[PackageAnswer],
        ensembles: &[EnsembleAnswer],
    ) -> Result<()> {
        let is_empty = answers.iter().all(PackageAnswer::is_empty);
        let is_changed = answers.iter().any(PackageAnswer::is_changed);
        let missed = answers.iter().find_map(PackageAnswer::missed);
        if !ensembles.iter().all(EnsembleAnswer::is_empty) || is_changed {
            return Ok(());
        }
        let reasons = "--all lists the functions with the reasons";
        Err(Error::new(match (&self.only, missed) {
            (Some(only), _) if is_empty => format!("nothing was compared with --only {only}"),
            (_, Some(missed)) => format!("{missed}; {reasons}"),
            _ if is_empty => format!("nothing was compared; {reasons}"),
            _ => return Ok(()),
        }))
    }

    fn ensembles(&self, sides: &[ComparedSide; 2], folder: &Path) -> Result<Vec<EnsembleAnswer>> {
        if !self.tests {
            return Ok(Vec::new());
        }
        let names = self.packages.select(&sides[1].workspace)?;
        let names: Vec<&str> = names.into_iter().collect();
        ensembles::compare(sides, &names, self.only.as_deref(), folder)
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
        for name in self.packages.select(&now.workspace)? {
            let package = now.workspace.package(name)?;
            if package.library.is_none() {
                note(&format!("{name} has no library, so it is not compared"));
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

    /// Returns true if the options select a function.
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

    /// Returns the answers to report.
    fn told<'a>(&self, answers: &'a [PackageAnswer]) -> Vec<&'a PackageAnswer> {
        let answers = answers.iter();
        answers
            .filter(|it| !self.tests || it.has_functions())
            .collect()
    }

    fn write_page(
        &self,
        then: &str,
        answers: &[PackageAnswer],
        ensembles: &[EnsembleAnswer],
    ) -> Result<()> {
        let Some(file) = &self.html else {
            return Ok(());
        };
        let page = page::page(then, self.rows.into(), &self.told(answers), ensembles);
        Ok(snapshot::save(file, &page)?)
    }

    fn print(
        &self,
        then: &str,
        answers: &[PackageAnswer],
        ensembles: &[EnsembleAnswer],
    ) -> Result<()> {
        let rows = usize::from(self.rows);
        if self.json {
            let answers = answers.iter().map(PackageAnswer::json);
            let mut answer = vec![
                ("compared_with", Value::from(then)),
                ("packages", Value::Array(answers.collect())),
            ];
            if self.tests {
                let ensembles = ensembles.iter().map(EnsembleAnswer::json);
                answer.push(("ensemble_tests", Value::Array(ensembles.collect())));
            }
            return print(&format!("{}\n", Value::object(answer)));
        }
        let functions = self.told(answers).into_iter();
        let tests = ensembles.iter();
        let (title, texts): (_, Vec<String>) = match self.markdown {
            true => {
                let functions = functions.map(|it| it.markdown(rows));
                let texts = functions.chain(tests.map(EnsembleAnswer::markdown));
                ("## Compared with", texts.collect())
            }
            false => {
                let functions = functions.map(|it| it.text(rows, self.all));
                let texts = functions.chain(tests.map(EnsembleAnswer::text));
                ("compared with", texts.collect())
            }
        };
        print(&format!("{title} {then}\n\n{}", texts.join("\n")))
    }
}
