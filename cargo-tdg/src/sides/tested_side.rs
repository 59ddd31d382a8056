//! A side whose tests are built and run by cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use tdg_definition::json::{self, Value};
use tdg_engine::TestId;

use crate::error::{Context as _, Result};
use crate::results::{self, TestRun};
use crate::sides::ComparedSide;
use crate::sides::{LaidTests, Overlay};
use crate::workspace::Package;

/// A side whose tests are built and run by cargo.
pub(crate) struct TestedSide {
    pub(crate) side: ComparedSide,
    /// The copied sources, if any, and their target directory.
    copy: Option<(Overlay, PathBuf)>,
}

/// A build target with tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestTarget {
    /// For example `--lib` or `--test=pricing`.
    option: String,
    root: PathBuf,
    /// The built program, if any.
    program: Option<PathBuf>,
}

/// The test targets of a package.
#[derive(Default)]
pub(crate) struct TestTargets {
    built: Vec<TestTarget>,
    pub(crate) errors: Vec<TargetError>,
}

/// A compiler error in a target.
pub(crate) struct TargetError {
    target: TestTarget,
    message: String,
    /// As printed by the compiler.
    pub(crate) rendered: String,
    /// The file in the workspace and the line of the error.
    place: Option<(PathBuf, usize)>,
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
        let place = folder.join("tests").join(name);
        let mut laid = Overlay::new(side, &folder.join("sources"), place, LaidTests::Ensembles)?;
        for package in packages.iter().filter(|_| !is_checkout) {
            if let Ok(then) = side.workspace.package(&package.name) {
                laid.lay(&side.workspace, then, (&now.workspace, package))?;
            }
        }
        Ok(Self {
            side: laid.save(side)?,
            copy: Some((laid, folder.join("build"))),
        })
    }

    /// Returns a copy of a side, whose files may be changed.
    pub(crate) fn copied(side: &ComparedSide, folder: &Path, name: &str) -> Result<Self> {
        let place = folder.join("tests").join(name);
        let laid = Overlay::new(side, &folder.join("sources"), place, LaidTests::Ensembles)?;
        Ok(Self {
            side: laid.save(side)?,
            copy: Some((laid, folder.join("build"))),
        })
    }

    /// Changes files of a copy, given by their paths in the workspace.
    pub(crate) fn write(&mut self, texts: &[(PathBuf, String)]) -> Result<()> {
        if let Some((laid, _)) = &self.copy {
            let texts = texts
                .iter()
                .map(|(path, text)| (laid.named(path), text.clone()));
            self.side = laid.save_with(&self.side, texts.collect())?;
        }
        Ok(())
    }

    /// Builds one target of a package and returns its program, or `None` if it doesn't compile.
    pub(crate) fn build_target(
        &self,
        package: &str,
        target: &TestTarget,
    ) -> Result<Option<PathBuf>> {
        let targets = self.build_once(package, "test", &["--no-run", &target.option])?;
        let built = targets
            .built
            .into_iter()
            .find(|it| it.option == target.option);
        Ok(built.and_then(|it| it.program))
    }

    /// Returns a cargo command for a package's manifest.
    fn cargo(&self, subcommand: &str, package: &str) -> Result<Command> {
        let mut command = match self.copy {
            Some(_) => self.side.cargo(),
            // Same flags as the user's own builds, to share their artifacts.
            None => self.side.plain_cargo(),
        };
        let package = self.side.workspace.package(package)?;
        command
            .args([subcommand, "--quiet", "--manifest-path"])
            .arg(package.directory.join("Cargo.toml"));
        if let Some((_, target)) = &self.copy {
            command.arg("--target-dir").arg(target);
        }
        let build = &self.side.build;
        if !build.features.is_empty() {
            command.args(["--features", &build.features.join(",")]);
        }
        if let Some(triple) = &build.target {
            command.args(["--target", triple]);
        }
        Ok(command)
    }

    /// Builds the test targets of a package, without copied tests that don't compile.
    pub(crate) fn build(&mut self, package: &str) -> Result<TestTargets> {
        loop {
            let targets = self.build_once(package, "build", &["--tests", "--keep-going"])?;
            let Some((laid, _)) = &mut self.copy else {
                return Ok(targets);
            };
            let mut is_less = false;
            let errors = targets.errors.iter();
            let places = || {
                errors
                    .clone()
                    .filter_map(|it| Some((it.place.as_ref()?, &it.message)))
            };
            for ((file, line), error) in places() {
                is_less |= laid.take_out(file, *line, error)?;
            }
            if !is_less && !places().any(|((file, _), error)| laid.take_out_all(file, error)) {
                return Ok(targets);
            }
            self.side = laid.save(&self.side)?;
        }
    }

    fn build_once(&self, package: &str, subcommand: &str, options: &[&str]) -> Result<TestTargets> {
        let mut command = self.cargo(subcommand, package)?;
        command.arg("--message-format=json").args(options);
        let output = command.output().context("can't run cargo")?;
        let messages = String::from_utf8_lossy(&output.stdout);
        let manifest = self
            .side
            .workspace
            .package(package)?
            .directory
            .join("Cargo.toml");
        let mut targets = TestTargets::default();
        for message in messages.lines().filter_map(|line| json::parse(line).ok()) {
            targets.read(&message, &manifest);
        }
        if targets.errors.is_empty() && !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let reason = format!("cargo can't build its tests:\n{}", said.trim());
            return Err(self.side.error(&reason));
        }
        Ok(targets)
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
            None => format!("it is not a test of {source} there"),
        }
    }

    /// Returns the names of the tests in these targets.
    pub(crate) fn names(&self, package: &str, targets: &[TestTarget]) -> Result<Vec<String>> {
        let mut command = self.test(package, targets)?;
        let output = command.args(["--list", "--format=terse"]).output();
        let output = output.context("can't run cargo")?;
        let listed = String::from_utf8_lossy(&output.stdout);
        let names = listed.lines().filter_map(|it| it.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
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

/// Environment variables that affect other runs.
const OF_OTHER_RUNS: [&str; 6] = [
    "INSTA_CARGO_INSTA",
    "INSTA_FORCE_PASS",
    "INSTA_UPDATE",
    "TDG_CASES",
    "TDG_SEED",
    "TDG_SIZE",
];

impl TestTarget {
    /// Reads the target of a cargo message.
    fn from_message(message: &Value) -> Option<Self> {
        let target = message.get("target")?;
        let kind = target.get("kind")?.as_array()?.first()?.as_str()?;
        let name = target.get("name")?.as_str()?;
        let option = match kind {
            "test" => format!("--test={name}"),
            "bin" => format!("--bin={name}"),
            "custom-build" | "example" | "bench" => return None,
            _ => "--lib".to_owned(),
        };
        let root = target.get("src_path")?.as_str()?.into();
        let program = message.get("executable").and_then(Value::as_str);
        Some(Self {
            option,
            root,
            program: program.map(PathBuf::from),
        })
    }

    /// Returns true if the file may belong to the target.
    fn may_have(&self, file: &Path) -> bool {
        let folder = self.root.parent().unwrap_or(Path::new(""));
        let is_of_root = self.root.file_stem().is_some_and(|it| it == "main");
        match self.option.starts_with("--test") && !is_of_root {
            true => file == self.root || file.starts_with(self.root.with_extension("")),
            false => file.starts_with(folder),
        }
    }
}

impl TestTargets {
    fn read(&mut self, message: &Value, manifest: &Path) {
        let text = |value: &Value, key: &str| value.get(key)?.as_str().map(str::to_owned);
        let is_of_package =
            text(message, "manifest_path").is_some_and(|it| Path::new(&it) == manifest);
        let Some(target) = TestTarget::from_message(message).filter(|_| is_of_package) else {
            return;
        };
        if target.program.is_some() {
            let profile = message.get("profile");
            let is_test = profile.and_then(|it| it.get("test")) == Some(&Value::from(true));
            if is_test {
                self.built.push(target);
            }
        } else if let Some(inner) = message.get("message")
            && text(inner, "level").as_deref() == Some("error")
        {
            let spans = inner.get("spans").and_then(Value::as_array);
            let is_primary = |it: &&Value| it.get("is_primary") == Some(&Value::from(true));
            let span = spans.unwrap_or_default().iter().find(is_primary);
            let place = span.and_then(|span| {
                let line = span.get("line_start")?.as_u64()?.try_into().ok()?;
                Some((text(span, "file_name")?.into(), line))
            });
            self.errors.push(TargetError {
                target,
                message: text(inner, "message").unwrap_or_default(),
                rendered: text(inner, "rendered").unwrap_or_default(),
                place,
            });
        }
    }

    /// Returns the targets whose files have ensemble tests, except programs in `are_other`.
    pub(crate) fn with_ensembles(
        &self,
        files: &[PathBuf],
        are_other: &[String],
    ) -> Vec<TestTarget> {
        let built = self.built.iter();
        let is_wanted = |target: &&TestTarget| {
            !are_other.contains(&target.option)
                && files
                    .iter()
                    .any(|file| target.may_have(file) && LaidTests::Ensembles.are_in_file(file))
        };
        built.filter(is_wanted).cloned().collect()
    }

    /// Returns the other side's targets that this side has too.
    pub(crate) fn also(&self, of_other: &[TestTarget]) -> Vec<TestTarget> {
        let is_built = |it: &&TestTarget| self.built.iter().any(|own| own.option == it.option);
        of_other.iter().filter(is_built).cloned().collect()
    }

    /// Returns the target that may have a source file's tests, with its program.
    pub(crate) fn of_file(&self, file: &Path) -> Option<(&TestTarget, &Path)> {
        let target = self.built.iter().find(|it| it.may_have(file))?;
        Some((target, target.program.as_deref()?))
    }

    /// Returns the error of a source file's target.
    fn error_of(&self, file: &Path) -> Option<&TargetError> {
        self.errors.iter().find(|it| it.target.may_have(file))
    }
}
