//! The targets with tests of a package, as cargo builds them.

use std::iter::successors;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tdg_definition::json::{self, Value};

use super::ComparedSide;
use crate::error::{Context as _, Error, Result};
use crate::workspace::Package;

/// The maximum number of lines of an error.
const ERROR_LINES: usize = 12;

/// A build target with tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestTarget {
    /// For example `--lib` or `--test=pricing`.
    pub(super) option: String,
    pub(crate) root: PathBuf,
}

/// A built target, or an example.
pub(crate) struct TestProgram {
    pub(crate) target: TestTarget,
    pub(crate) path: PathBuf,
    /// Set unless it is an example.
    pub(crate) is_test: bool,
}

/// The test targets of a package.
#[derive(Default)]
pub(crate) struct TestTargets {
    pub(crate) programs: Vec<TestProgram>,
    pub(crate) errors: Vec<TargetError>,
}

/// A compiler error in a target.
pub(crate) struct TargetError {
    pub(super) target: TestTarget,
    pub(crate) message: String,
    /// As printed by the compiler.
    pub(crate) rendered: String,
    /// The files and lines that it is about, outside of macros too.
    pub(crate) places: Vec<(PathBuf, usize)>,
}

impl TestTargets {
    /// Builds all tests of a package of a side with this command.
    pub(crate) fn build_all(
        mut command: Command,
        side: &ComparedSide,
        package: &str,
    ) -> Result<Self> {
        command.args(["--tests", "--keep-going"]);
        Self::build(command, side, package)
    }

    /// Builds tests of a package of a side with this command.
    pub(super) fn build(command: Command, side: &ComparedSide, package: &str) -> Result<Self> {
        let package = side.workspace.package(package)?;
        let targets = Self::of_package(command, package);
        targets.map_err(|reason| side.error(&reason.to_string()))
    }

    /// Builds tests of a package with this command.
    pub(crate) fn of_package(mut command: Command, package: &Package) -> Result<Self> {
        let output = command.arg("--message-format=json").output();
        let output = output.context("can't run cargo")?;
        let manifest = &package.directory.join("Cargo.toml");
        let mut targets = Self::default();
        let messages = String::from_utf8_lossy(&output.stdout);
        for message in messages.lines().filter_map(|line| json::parse(line).ok()) {
            let is_own =
                text(&message, "manifest_path").is_some_and(|it| Path::new(it) == manifest);
            let target = TestTarget::read(&message).filter(|_| is_own);
            if let Some(error) = message.get("message").filter(|it| is_error(it)) {
                let rendered = text(error, "rendered").unwrap_or_default();
                let Some(target) = target else {
                    return Err(cannot_build(rendered));
                };
                targets.errors.push(TargetError {
                    target,
                    message: text(error, "message").unwrap_or_default().to_owned(),
                    rendered: rendered.to_owned(),
                    places: places(error),
                });
            } else if let Some(target) = target {
                targets.programs.extend(target.program(&message));
            }
        }
        if targets.errors.is_empty() && !output.status.success() {
            return Err(cannot_build(&String::from_utf8_lossy(&output.stderr)));
        }
        let root = |it: &TestProgram| it.target.root.clone();
        targets.programs.sort_by_key(root);
        Ok(targets)
    }

    /// Returns the other side's targets that this side has too.
    pub(crate) fn also(&self, of_other: &[TestTarget]) -> Vec<TestTarget> {
        let own = || self.programs.iter().map(|it| &it.target.option);
        let is_built = |it: &&TestTarget| own().any(|own| *own == it.option);
        of_other.iter().filter(is_built).cloned().collect()
    }

    /// Returns the target that may have a source file's tests, with its program.
    pub(crate) fn of_file(&self, file: &Path) -> Option<(&TestTarget, &Path)> {
        let mut programs = self.programs.iter();
        let program = programs.find(|it| it.target.may_have(file))?;
        Some((&program.target, &program.path))
    }

    /// Returns the error of the library, without which tests aren't built.
    pub(super) fn error_of_library(&self) -> Option<&TargetError> {
        self.errors.iter().find(|it| it.target.option == "--lib")
    }

    /// Returns the error of a source file's target.
    pub(super) fn error_of(&self, file: &Path) -> Option<&TargetError> {
        self.errors.iter().find(|it| it.target.may_have(file))
    }
}

impl TestTarget {
    /// Reads the target of a cargo message.
    fn read(message: &Value) -> Option<Self> {
        let target = message.get("target")?;
        let kind = target.get("kind")?.as_array()?.first()?.as_str()?;
        let name = text(target, "name")?;
        let option = match kind {
            "test" | "bin" | "example" | "bench" => format!("--{kind}={name}"),
            "custom-build" => return None,
            _ => "--lib".to_owned(),
        };
        let root = text(target, "src_path")?.into();
        Some(Self { option, root })
    }

    fn program(self, message: &Value) -> Option<TestProgram> {
        let path = text(message, "executable")?.into();
        let is_test = message.get("profile")?.get("test")?.as_bool()?;
        let is_run = is_test || self.is_example();
        let target = self;
        is_run.then_some(TestProgram {
            target,
            path,
            is_test,
        })
    }

    pub(super) fn is_example(&self) -> bool {
        self.option.starts_with("--example")
    }

    /// Returns true if the file may belong to the target.
    pub(super) fn may_have(&self, file: &Path) -> bool {
        let folder = self.root.parent().unwrap_or(Path::new(""));
        let is_of_root = self.root.file_stem().is_some_and(|it| it == "main");
        match self.option.starts_with("--test") && !is_of_root {
            true => file == self.root || file.starts_with(self.root.with_extension("")),
            false => file.starts_with(folder),
        }
    }
}

fn cannot_build(reason: &str) -> Error {
    Error::new(format!(
        "cargo can't build its tests:\n{}",
        first_error(reason)
    ))
}

/// Returns the names of the tests that a program lists with `--format=terse`.
pub(crate) fn listed_tests(output: &Output) -> Vec<String> {
    let listed = String::from_utf8_lossy(&output.stdout);
    let names = listed.lines().filter_map(|it| it.strip_suffix(": test"));
    names.map(str::to_owned).collect()
}

/// Returns the first error in cargo's output, without the rest of a long log.
pub(crate) fn first_error(log: &str) -> String {
    let lines: Vec<&str> = log.trim().lines().collect();
    let start = lines.iter().position(|it| it.starts_with("error"));
    let error = lines[start.unwrap_or(0)..].iter().take(ERROR_LINES);
    error.copied().collect::<Vec<_>>().join("\n")
}

fn is_error(message: &Value) -> bool {
    text(message, "level").is_some_and(|it| it.starts_with("error"))
}

/// Returns the places of an error, each before the calls of the macros around it.
fn places(error: &Value) -> Vec<(PathBuf, usize)> {
    let spans = error.get("spans").and_then(Value::as_array);
    let is_primary = |it: &&Value| it.get("is_primary").and_then(Value::as_bool) == Some(true);
    let spans = spans.unwrap_or_default().iter().filter(is_primary);
    let spans = spans.flat_map(|it| successors(Some(it), |it| it.get("expansion")?.get("span")));
    let place = |span: &Value| {
        let line = span.get("line_start")?.as_u64()?.try_into().ok()?;
        Some((text(span, "file_name")?.into(), line))
    };
    spans.filter_map(place).collect()
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::first_error;

    #[test]
    fn a_long_log_is_cut_to_its_first_error() {
        let log = "   Compiling sys v0.1.0\nwarning: old\nerror: no libclang\n".to_owned();
        let rest: Vec<String> = (0..100).map(|it| format!("  cargo:line={it}")).collect();
        let error = first_error(&(log + &rest.join("\n")));
        assert!(error.starts_with("error: no libclang\n"), "{error}");
        assert!(error.ends_with("cargo:line=10"), "{error}");
        assert_eq!(first_error("\nno error\n"), "no error");
    }
}
