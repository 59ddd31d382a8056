//! A trial of several ways to write a test: the first that compiles and whose rows run is chosen.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::test::{GeneratedTest, NO_INPUT};
use crate::error::{Context as _, Error, Result};
use crate::sides::TestTargets;
use crate::terminal::{clear_progress, show_progress};
use crate::workspace::{Package, Workspace, cargo};

/// The name of the trial's test target.
const NAME: &str = "tdg_init_trial";
/// The first line of its file, in case a killed command leaves it.
const MARK: &str = "// A trial of `cargo tdg init`. Delete this file if it stays.\n";
/// The maximum number of builds, each without the ways that the one before refused.
const BUILDS: usize = 8;
/// The maximum time for the rows of a test.
const LIMIT: Duration = Duration::from_secs(60);

/// A test that compiles, with the share of its rows that can be recorded.
pub(super) struct TriedTest {
    pub(super) test: GeneratedTest,
    /// The percentage of rows that panic or whose arguments can't be made.
    pub(super) refused: usize,
    /// False if too few rows are inputs.
    is_recorded: bool,
    /// False if rows were refused before the function's call.
    pub(super) is_called: bool,
}

impl TriedTest {
    /// Returns a number that is smaller for better tests.
    fn rank(&self) -> (bool, usize) {
        (!self.is_recorded, self.refused)
    }
}

/// A test target that exists during trials.
pub(super) struct Trial<'w> {
    package: &'w Package,
    file: PathBuf,
    folder: PathBuf,
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        // Files that can't be removed stay.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_dir_all(&self.folder);
        clear_progress();
    }
}

impl<'w> Trial<'w> {
    /// Creates the target's file.
    ///
    /// # Errors
    /// Fails if the file exists: it may be a user's, or of another trial that is running.
    pub(super) fn new(workspace: &Workspace, package: &'w Package) -> Result<Self> {
        if package.lists_tests() {
            return Err(Error::new(
                "cargo builds no trial with `autotests = false` in Cargo.toml; remove the line",
            ));
        }
        let tests = package.directory.join("tests");
        fs::create_dir_all(&tests).context(tests.display())?;
        let file = tests.join(NAME).with_extension("rs");
        create_new(&file)?;
        let folder = workspace
            .target_directory
            .join("tdg")
            .join(format!("init-{}", process::id()));
        let trial = Self {
            package,
            file,
            folder,
        };
        fs::create_dir_all(&trial.folder).context(trial.folder.display())?;
        Ok(trial)
    }

    /// Tries the tests of functions, each grouped by the rows that they draw, most usual first. The
    /// result of a function is `None` if none compiles.
    pub(super) fn of_functions(
        &self,
        functions: &[&[Vec<GeneratedTest>]],
    ) -> Result<Vec<Option<TriedTest>>> {
        let mut ways = Vec::new();
        for (function, groups) in functions.iter().enumerate() {
            for (group, tests) in groups.iter().enumerate() {
                ways.extend(tests.iter().map(|test| Way {
                    function,
                    group,
                    test,
                }));
            }
        }
        let Some((executable, compiling)) = self.built(&ways)? else {
            return Ok(functions.iter().map(|_| None).collect());
        };
        let best = functions.iter().enumerate().map(|(function, _)| {
            let own = compiling.iter().copied();
            let own = own.filter(|at| ways[*at].function == function);
            self.best(&executable, &ways, &own.collect::<Vec<_>>())
        });
        best.collect()
    }

    /// Tries the tests of one function.
    pub(super) fn of_function(&self, groups: &[Vec<GeneratedTest>]) -> Result<Option<TriedTest>> {
        Ok(self.of_functions(&[groups])?.pop().flatten())
    }
}

/// Creates a trial's file, but overwrites none.
fn create_new(file: &Path) -> Result<()> {
    let Err(error) = File::create_new(file).and_then(|mut it| it.write_all(MARK.as_bytes())) else {
        return Ok(());
    };
    let reason = match fs::read_to_string(file) {
        Ok(text) if text.starts_with(MARK) => {
            "another `cargo tdg init` is running; if none is, delete the file".to_owned()
        }
        Ok(_) => "a trial would overwrite it; rename it, or use --no-build".to_owned(),
        Err(_) => error.to_string(),
    };
    Err(Error::new(format!("{}: {reason}", file.display())))
}

/// A test to try.
struct Way<'t> {
    function: usize,
    group: usize,
    test: &'t GeneratedTest,
}

impl Trial<'_> {
    /// Runs ways to test a function until at least half of the rows can be recorded.
    fn best(
        &self,
        executable: &Path,
        ways: &[Way<'_>],
        compiling: &[usize],
    ) -> Result<Option<TriedTest>> {
        let mut best: Option<TriedTest> = None;
        let mut known = None;
        let mut run: Vec<(usize, &GeneratedTest)> = Vec::new();
        for at in compiling {
            let Way { group, test, .. } = ways[*at];
            // Another form of the output would only hide that a row isn't an input.
            let is_known = |(of, it): &(usize, &GeneratedTest)| *of == group && it.draws_like(test);
            if known == Some(group) || run.iter().any(is_known) {
                continue;
            }
            show_progress(&format!("running the rows of {} …", test.name));
            let Some(tried) = self.run(executable, *at, test)? else {
                continue;
            };
            run.push((group, test));
            // Without `via`, the same rows can be recorded.
            known = tried.is_recorded.then_some(group);
            let is_enough = tried.refused <= 50;
            if best.as_ref().is_none_or(|it| tried.rank() < it.rank()) {
                best = Some(tried);
            }
            if is_enough {
                break;
            }
        }
        Ok(best)
    }

    /// Builds the ways that compile.
    fn built(&self, ways: &[Way<'_>]) -> Result<Option<(PathBuf, BTreeSet<usize>)>> {
        let mut left: BTreeSet<usize> = (0..ways.len()).collect();
        for build in 1..=BUILDS {
            if left.is_empty() {
                return Ok(None);
            }
            let count = left.len();
            show_progress(&format!("build {build}: {count} ways to write the test …"));
            let mut source = format!("{MARK}#![allow(warnings, clippy::all)]\n");
            let mut ends = Vec::new();
            for at in &left {
                source += &format!("mod way_{at} {{\n{}}}\n", ways[*at].test.trial());
                ends.push((source.lines().count(), *at));
            }
            fs::write(&self.file, source).context(self.file.display())?;
            match self.build(&ends)? {
                Built::Executable(path) => return Ok(Some((path, left))),
                Built::Refused(refused) => left.retain(|it| !refused.contains(it)),
            }
        }
        Ok(None)
    }

    fn build(&self, ends: &[(usize, usize)]) -> Result<Built> {
        let mut command = cargo(&["test", "--no-run", "--test", NAME, "--manifest-path"]);
        command.arg(self.package.directory.join("Cargo.toml"));
        let TestTargets { programs, errors } = TestTargets::of_package(command, self.package)?;
        let Some(first) = errors.first() else {
            let program = programs.into_iter().next();
            let program = program.ok_or_else(|| Error::new("cargo reported no executable"))?;
            return Ok(Built::Executable(program.path));
        };
        let places = errors.iter().flat_map(|it| &it.places);
        let lines = places.filter(|(file, _)| file.file_stem().is_some_and(|it| it == NAME));
        let ways = lines.filter_map(|(_, line)| ends.iter().find(|(end, _)| line <= end));
        let refused: BTreeSet<usize> = ways.map(|(_, way)| *way).collect();
        match refused.is_empty() {
            true => Err(Error::new(first.rendered.trim())),
            false => Ok(Built::Refused(refused)),
        }
    }

    /// Runs the rows of a test, without recording them; `None` if they can't be recorded.
    fn run(&self, executable: &Path, at: usize, test: &GeneratedTest) -> Result<Option<TriedTest>> {
        let way = format!("way_{at}::");
        let log = self.folder.join("output.txt");
        let output = File::create(&log).context(log.display())?;
        let mut child = Command::new(executable)
            .arg(&way)
            .current_dir(&self.package.directory)
            .env("CARGO_MANIFEST_DIR", &self.package.directory)
            .env("TDG_UPDATE", "no")
            .env("TDG_DIR", &self.folder)
            .env("TDG_STORE", "local")
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .context("can't run the test")?;
        let start = Instant::now();
        while child.try_wait()?.is_none() {
            if start.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            sleep(Duration::from_millis(20));
        }
        let said = fs::read(&log).context(log.display())?;
        Ok(tried_as(&String::from_utf8_lossy(&said), &way, test))
    }
}

enum Built {
    Executable(PathBuf),
    /// The ways with errors.
    Refused(BTreeSet<usize>),
}

/// Reads the output of a run that recorded nothing.
fn tried_as(said: &str, way: &str, test: &GeneratedTest) -> Option<TriedTest> {
    let mut test = test.clone();
    let verdict = said.lines().find_map(|line| {
        let (verdict, rest) = line.split_once("tdg: ")?.1.split_once(' ')?;
        rest.strip_prefix(way).map(|rest| (verdict, rest))
    });
    let (verdict, rest) = verdict?;
    let rest = rest.split_once(", ").map_or("", |(_, rest)| rest);
    let numbers = rest.split(|it: char| !it.is_ascii_digit());
    let mut numbers = numbers.filter_map(|it| it.parse::<usize>().ok());
    let mut percent = || {
        let (part, whole) = (numbers.next()?, numbers.next()?);
        Some(part * 100 / whole.max(1))
    };
    let refused = match verdict {
        "missing" => 0,
        "panicked" => {
            let has_other = said.contains(" more message") || !said.contains(NO_INPUT);
            if has_other {
                test.options.push("panics = \"record\"".to_owned());
            }
            percent()?
        }
        "invalid" if rest.contains("are inputs") => 100 - percent()?,
        "invalid" if rest.contains("returned an Err") => 100,
        _ => return None,
    };
    Some(TriedTest {
        test,
        refused,
        is_recorded: verdict != "invalid",
        is_called: !rest.contains("are inputs"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_overwrites_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tdg_init_trial.rs");
        let reason = || create_new(&file).unwrap_err().to_string();
        create_new(&file).unwrap();
        assert!(reason().ends_with("is running; if none is, delete the file"));
        fs::write(&file, "#[test]\nfn of_a_user() {}\n").unwrap();
        assert!(reason().ends_with("rename it, or use --no-build"));
    }
}
