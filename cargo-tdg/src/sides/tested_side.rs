//! A side whose tests are built and run by cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use tdg_engine::TestId;

use crate::error::{Context as _, Result};
use crate::results::{self, TestRun};
use crate::sides::{ComparedSide, LaidTests, Overlay, TestTarget, TestTargets, listed_tests};
use crate::workspace::Package;

/// A side whose tests are built and run by cargo.
pub(crate) struct TestedSide {
    pub(crate) side: ComparedSide,
    /// The copied sources, if any, and their target directory.
    copy: Option<(Overlay, PathBuf)>,
}

/// The purpose of a test run.
#[derive(Clone, Copy)]
pub(crate) enum RunKind {
    Record,
    Compare,
}

impl TestedSide {
    /// Returns a side as is, or a copy of it with today's tests of these packages.
    pub(crate) fn new(
        side: &ComparedSide,
        now: &ComparedSide,
        packages: &[&Package],
        folder: &Path,
        name: &str,
    ) -> Result<Self> {
        let directory = &side.workspace.directory;
        let has_own_lock = side
            .lock
            .as_ref()
            .is_none_or(|it| it.starts_with(directory));
        let is_checkout = *directory == now.workspace.directory;
        if is_checkout && has_own_lock {
            let manifest = directory.join("Cargo.toml");
            return Ok(Self {
                side: ComparedSide::open(side.label.clone(), &manifest, side.build.clone())?,
                copy: None,
            });
        }
        let (mut laid, target) = overlay(side, folder, name)?;
        for package in packages.iter().filter(|_| !is_checkout) {
            if let Ok(then) = side.workspace.package(&package.name) {
                laid.lay(&side.workspace, then, (&now.workspace, package))?;
            }
        }
        Ok(Self {
            side: laid.save(side)?,
            copy: Some((laid, target)),
        })
    }

    /// Returns a copy of a side, whose files may be changed. It takes the place of the former copy
    /// with this name.
    pub(crate) fn copied(side: &ComparedSide, folder: &Path, name: &str) -> Result<Self> {
        let (laid, target) = overlay(side, folder, name)?;
        Ok(Self {
            side: laid.save(side)?,
            copy: Some((laid, target)),
        })
    }

    /// Changes files of a copy, given by their paths in the workspace.
    pub(crate) fn write(&mut self, texts: &[(PathBuf, String)]) -> Result<()> {
        if let Some((laid, _)) = &self.copy {
            let texts = texts.iter();
            let texts = texts.map(|(path, text)| (laid.named(path), text.clone()));
            self.side = laid.save_with(&self.side, texts.collect())?;
        }
        Ok(())
    }

    /// Builds one target of a package and returns its program, or `None` if it doesn't compile.
    /// Dependencies come from the packages that cargo has.
    pub(crate) fn build_target(
        &self,
        package: &str,
        target: &TestTarget,
    ) -> Result<Option<PathBuf>> {
        let mut command = self.cargo("test", package)?;
        command.args(["--no-run", "--offline", &target.option]);
        let targets = TestTargets::build(command, &self.side, package)?;
        let mut programs = targets.programs.into_iter();
        let program = programs.find(|it| it.target.option == target.option);
        Ok(program.map(|it| it.path))
    }

    /// Returns a cargo command for a package.
    fn cargo(&self, subcommand: &str, package: &str) -> Result<Command> {
        let command = match self.copy {
            Some(_) => self.side.cargo(),
            // Same flags as the user's own builds, to share their artifacts.
            None => self.side.plain_cargo(),
        };
        let target = self.copy.as_ref().map(|(_, target)| &**target);
        let package = self.side.workspace.package(package)?;
        let features = &self.side.build.features;
        Ok(self
            .side
            .for_package(command, subcommand, package, features, target))
    }

    /// Builds the test targets of a package, without copied tests that don't compile.
    pub(crate) fn build(&mut self, package: &str) -> Result<TestTargets> {
        loop {
            let command = self.cargo("build", package)?;
            let targets = TestTargets::build_all(command, &self.side, package)?;
            let Some((laid, _)) = &mut self.copy else {
                return Ok(targets);
            };
            if !laid.leave_out(&targets.errors, |_, _| false)? {
                return Ok(targets);
            }
            self.side = laid.save(&self.side)?;
        }
    }

    /// Returns the reason why a test of a package didn't run.
    pub(crate) fn reason(&self, test: &TestId, targets: &TestTargets) -> String {
        let workspace = &self.side.workspace;
        let package = workspace.package(&test.package).ok();
        let file = package.map(|it| it.directory.join(&test.source));
        let file = file.unwrap_or_default();
        let inner = file.strip_prefix(&workspace.directory).unwrap_or(&file);
        let copy = self.copy.as_ref();
        if let Some(reason) = copy.and_then(|(laid, _)| laid.why_left_out(inner, &test.name)) {
            return reason.to_owned();
        }
        let source = &test.source;
        match targets.error_of(&file) {
            Some(error) => format!("{source} doesn't compile there: {}", error.message),
            None => match targets.error_of_library() {
                Some(error) => format!("its library doesn't compile there: {}", error.message),
                None => format!("it is not a test of {source} there"),
            },
        }
    }

    /// Returns the names of the tests in these targets.
    pub(crate) fn names(&self, package: &str, targets: &[TestTarget]) -> Result<Vec<String>> {
        let mut command = self.test(package, targets)?;
        let output = command.args(["--list", "--format=terse"]).output();
        let output = output.context("can't run cargo")?;
        Ok(listed_tests(&output))
    }

    /// Runs tests that have their benchmarks only in a store.
    pub(crate) fn run(
        &self,
        package: &str,
        targets: &[TestTarget],
        names: &[String],
        kind: RunKind,
        folder: &Path,
    ) -> Result<Vec<TestRun>> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let update = match kind {
            RunKind::Record => "always",
            RunKind::Compare => "no",
        };
        let runs = folder.join(update);
        results::clear(&runs)?;
        let mut command = self.test(package, targets)?;
        command.arg("--exact").args(names);
        command
            .env(results::VARIABLE, &runs)
            .env("TDG_UPDATE", update)
            .env("TDG_SNAPSHOTS", "false")
            .env("TDG_STORE", "local")
            .env("TDG_DIR", folder.join("store"));
        for name in OF_OTHER_RUNS {
            command.env_remove(name);
        }
        let output = command.output().context("can't run cargo")?;
        let runs = results::read(&runs)?.unwrap_or_default();
        if runs.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr);
            let reason = format!("none of its ensemble tests ran:\n{}", said.trim());
            return Err(self.side.error(&reason));
        }
        Ok(runs)
    }

    fn test(&self, package: &str, targets: &[TestTarget]) -> Result<Command> {
        let mut command = self.cargo("test", package)?;
        command.arg("--no-fail-fast");
        command.args(targets.iter().map(|it| &it.option)).arg("--");
        Ok(command)
    }
}

/// Returns an overlay of the sources of a side, and its target directory: cargo takes packages at
/// the same place in two workspaces for the same, so that one may count as built by the other.
fn overlay(side: &ComparedSide, folder: &Path, name: &str) -> Result<(Overlay, PathBuf)> {
    let place = folder.join("tests").join(name);
    let overlay = Overlay::new(side, &folder.join("sources"), place, LaidTests::Ensembles)?;
    Ok((overlay, folder.join(format!("build-{name}"))))
}

/// Environment variables that affect other runs.
const OF_OTHER_RUNS: [&str; 6] = [
    "INSTA_CARGO_INSTA",
    "INSTA_FORCE_PASS",
    "INSTA_UPDATE",
    "TDG_CASES",
    "TDG_SEED",
    "TDG_SIZE",
];

impl TestTargets {
    /// Returns the targets whose files have ensemble tests, except programs in `are_other`.
    pub(crate) fn with_ensembles(
        &self,
        files: &[PathBuf],
        are_other: &[String],
    ) -> Vec<TestTarget> {
        let built = self.programs.iter().map(|it| &it.target);
        let is_wanted = |target: &&TestTarget| {
            !are_other.contains(&target.option)
                && files
                    .iter()
                    .any(|file| target.may_have(file) && LaidTests::Ensembles.are_in_file(file))
        };
        built.filter(is_wanted).cloned().collect()
    }
}
