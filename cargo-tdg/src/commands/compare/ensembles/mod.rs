//! Today's ensemble tests, run on the earlier sources and on today's.
//!
//! `overlay → tested_side → answer`: the earlier sources are copied to a separate folder, with
//! today's tests and their dependencies. Cargo builds and runs both sides with a shared store,
//! which the earlier run records to and today's run compares with. The checkout isn't written.

mod answer;

use std::fs;
use std::path::{Path, PathBuf};

use tdg_report::owner::FoundOwner;

use crate::error::{Context as _, Result};
use crate::sides::{
    ComparedSide, LaidTests, RunKind, TestTarget, TestTargets, TestedSide, test_sources,
};
use crate::terminal::{note, show_progress};
use crate::workspace::Package;

pub(super) use self::answer::EnsembleAnswer;

/// Compares the ensemble tests of these packages that are asked for.
pub(super) fn compare(
    sides: &[ComparedSide; 2],
    names: &[&str],
    is_asked: impl Fn(&str) -> bool,
    folder: &Path,
) -> Result<Vec<EnsembleAnswer>> {
    let now = &sides[1].workspace;
    let mut packages = Vec::new();
    for name in names {
        let package = now.package(name)?;
        if test_sources(package)
            .iter()
            .any(|it| LaidTests::Ensembles.are_in_file(it))
        {
            packages.push(package);
        }
    }
    if packages.is_empty() {
        note("no ensemble tests found; `cargo tdg init --for FUNCTION` writes one");
        return Ok(Vec::new());
    }
    let _lock = KeptLock::read(&now.directory.join("Cargo.lock"));
    let mut tested = Vec::new();
    for (side, name) in sides.iter().zip(["then", "now"]) {
        tested.push(TestedSide::new(side, &sides[1], &packages, folder, name)?);
    }
    let mut answers = Vec::new();
    if let [then, now] = &mut tested[..] {
        for package in packages {
            answers.extend(compare_package(then, now, &package.name, &is_asked)?);
        }
    }
    Ok(answers)
}

/// Returns `None` if the package has no tests or is new.
fn compare_package(
    then: &mut TestedSide,
    now: &mut TestedSide,
    name: &str,
    is_asked: impl Fn(&str) -> bool,
) -> Result<Option<EnsembleAnswer>> {
    let build = |side: &mut TestedSide| -> Result<TestTargets> {
        let label = &side.side.label;
        show_progress(&format!("{name}: building the tests of {label} …"));
        side.build(name)
    };
    if then.side.workspace.package(name).is_err() {
        return Ok(None);
    }
    let targets = build(now)?;
    if let Some(error) = targets.errors.first() {
        let reason = format!("the tests don't compile:\n{}", error.rendered);
        return Err(now.side.error(&reason));
    }
    let package = now.side.workspace.package(name)?;
    let targets = targets.with_ensembles(&test_sources(package), &other_programs(package)?);
    let tests = tests(now, package, &targets, is_asked)?;
    if tests.is_empty() {
        return Ok(None);
    }
    let of_then = build(then)?;
    let folder = tempfile::tempdir().context("can't create a temporary folder")?;
    let run = |side: &TestedSide, targets: &[TestTarget], kind| {
        let label = &side.side.label;
        show_progress(&format!("{name}: running the tests on {label} …"));
        side.run(name, targets, &tests, kind, folder.path())
    };
    let recorded = run(then, &of_then.also(&targets), RunKind::Record)?;
    let compared = run(now, &targets, RunKind::Compare)?;
    Ok(Some(EnsembleAnswer::new(
        name,
        &compared,
        &recorded,
        |test| then.reason(test, &of_then),
    )))
}

/// Returns the names of the ensemble tests in these targets.
fn tests(
    side: &TestedSide,
    package: &Package,
    targets: &[TestTarget],
    is_asked: impl Fn(&str) -> bool,
) -> Result<Vec<String>> {
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let mut names = side.names(&package.name, targets)?;
    names.retain(|name| {
        is_asked(name) && !FoundOwner::named(&package.directory, &package.outside, name).is_empty()
    });
    Ok(names)
}

/// Returns the test targets with a custom harness, as cargo options.
fn other_programs(package: &Package) -> Result<Vec<String>> {
    let path = package.directory.join("Cargo.toml");
    let text = fs::read_to_string(&path).context(path.display())?;
    let manifest: toml::Table = text.parse().context(path.display())?;
    let targets = manifest.get("test").and_then(toml::Value::as_array);
    let others = targets.into_iter().flatten().filter(|target| {
        let harness = target.get("harness").and_then(toml::Value::as_bool);
        harness == Some(false)
    });
    let names = others.filter_map(|it| it.get("name")?.as_str());
    Ok(names.map(|name| format!("--test={name}")).collect())
}

/// A lock file that is restored on drop, since cargo may change it.
struct KeptLock {
    path: PathBuf,
    before: Option<Vec<u8>>,
}

impl KeptLock {
    fn read(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            before: fs::read(path).ok(),
        }
    }
}

impl Drop for KeptLock {
    fn drop(&mut self) {
        // Cargo recreates the file if necessary.
        let _ = match &self.before {
            Some(before) if fs::read(&self.path).is_ok_and(|it| it == *before) => Ok(()),
            Some(before) => fs::write(&self.path, before),
            None => fs::remove_file(&self.path),
        };
    }
}
