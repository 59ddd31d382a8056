//! `cargo tdg init --all`: tests of all public functions that have none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tdg_engine::snapshot;

use super::glue::DrawnAs;
use super::parameter_constants::ParameterConstants;
use super::test::{self, GeneratedTest, numbered, taken_names};
use super::trial::{Trial, TriedTest};
use super::ways::{FunctionToTest, Ways};
use super::{Init, read_or_empty};
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::sources::{
    CallGraph, Effects, Examples, FunctionConstants, PublicFunction, Sources, public_functions,
    rust_files, written,
};
use crate::terminal::style::{FAINT, GOOD, STRONG};
use crate::terminal::{clear_progress, confirm, counted, show_progress};
use crate::workspace::{Package, Workspace, cargo};

/// The folder of the test target, relative to the package.
const FOLDER: &str = "tests/functions";
/// The number of functions whose tests are built at once.
const AT_ONCE: usize = 8;
/// The number of ways to draw a function's rows that are tried.
const WAYS: usize = 4;

/// A function to test, with the module of its test.
struct UntestedFunction {
    name: String,
    module: String,
    ways: Ways,
}

/// The functions of a library, with the reasons of those that get no test.
struct UntestedFunctions {
    functions: Vec<UntestedFunction>,
    left_out: BTreeMap<String, String>,
    /// The number of functions that have a test.
    tested: usize,
}

pub(super) fn run(init: &Init, workspace: &Workspace, package: &Package) -> Result<Exit> {
    let UntestedFunctions {
        functions,
        mut left_out,
        tested,
    } = planned(package)?;
    let mut text = String::new();
    if init.dry_run {
        for it in &functions {
            text += &format!(
                "{GOOD}test{GOOD:#} {} in {FOLDER}/{}.rs\n",
                it.name, it.module
            );
        }
        text += &summary(0, &left_out, tested);
        confirm(&text)?;
        return Ok(Exit::Fine);
    }
    let trial = Trial::new(workspace, package)?;
    if !package.dependencies.iter().any(|it| it.name == "tdg") {
        init.add_tdg(package, &init.costs)?;
    }
    let folder = package.directory.join(FOLDER);
    let mut tests = BTreeMap::new();
    for (at, chunk) in functions.chunks(AT_ONCE).enumerate() {
        let first = at * AT_ONCE;
        show_progress(&format!("function {first} of {} …", functions.len()));
        let groups: Vec<_> = chunk.iter().map(|it| it.ways.first(WAYS)).collect();
        let groups: Vec<&[_]> = groups.iter().map(Vec::as_slice).collect();
        let outcomes = trial.of_functions(&groups)?;
        for (function, outcome) in chunk.iter().zip(outcomes) {
            match outcome {
                Some(TriedTest { test, refused, .. }) if refused <= 50 => {
                    let test = write(&folder, &function.module, test)?;
                    let place = (function.module.clone(), test);
                    tests.insert(place, function.name.clone());
                }
                Some(TriedTest { refused, .. }) => {
                    let reason = format!("{} of 100 rows are inputs", 100 - refused);
                    left_out.insert(function.name.clone(), reason);
                }
                None => {
                    left_out.insert(function.name.clone(), function.ways.reason());
                }
            }
        }
    }
    drop(trial);
    if !tests.is_empty() {
        show_progress("recording …");
        let failed = record(package)?;
        for (place, name) in &tests {
            if let Some(reason) = failed.get(&format!("{}::{}", place.0, place.1)) {
                remove(&folder, place)?;
                left_out.insert(name.clone(), reason.clone());
            }
        }
    }
    clear_progress();
    tests.retain(|_, name| !left_out.contains_key(name));
    confirm(&summary(tests.len(), &left_out, tested))?;
    Ok(Exit::Fine)
}

fn planned(package: &Package) -> Result<UntestedFunctions> {
    let Some(library) = &package.library else {
        return Err(Error::new(format!(
            "{} has no library to test",
            package.name
        )));
    };
    let read = |path: &Path| fs::read_to_string(path);
    let sources = Sources::read_built(library, &[], &read)?;
    let calls = CallGraph::new(&sources, false);
    let examples = Examples::new(&sources, &package.directory);
    let constants = FunctionConstants::new(&sources, &calls, &examples);
    let effects = Effects::new(&calls, &sources);
    let tests = ensemble_tests(package);
    let called: BTreeSet<usize> = tests
        .iter()
        .filter_map(|it| it.parse().ok())
        .flat_map(|code| calls.called_by(&code))
        .collect();
    let mut plan = UntestedFunctions {
        functions: Vec::new(),
        left_out: BTreeMap::new(),
        tested: 0,
    };
    for function in public_functions(&sources) {
        let name = function.name().to_owned();
        let position = calls.position(function.owner_name(), &function.called());
        let is_called = position.is_some_and(|it| called.contains(&it));
        if is_named(&function.path, &tests) || function.owner.is_none() && is_called {
            plan.tested += 1;
            continue;
        }
        let reason = test::check(&function, &package.dependencies).err();
        let reason = reason.map(|it| it.to_string()).or_else(|| {
            let effect = effects.effect(function.owner_name(), &function.called());
            effect.map(|effect| format!("accesses {effect}"))
        });
        if let Some(reason) = reason {
            plan.left_out.insert(name, reason);
            continue;
        }
        let constants = ParameterConstants::new(&constants, &calls, &function);
        let of = FunctionToTest {
            function: &function,
            dependencies: &package.dependencies,
            taken: &[],
            constants: &constants,
            effects: &effects,
            examples: &examples,
        };
        plan.functions.push(UntestedFunction {
            module: module(&function),
            ways: Ways::new(Default::default(), &of, DrawnAs::Any),
            name,
        });
    }
    Ok(plan)
}

/// Returns the sources of the package's ensemble tests.
fn ensemble_tests(package: &Package) -> Vec<String> {
    let files = rust_files(&package.directory.join("tests"));
    let files = files.iter().filter_map(|it| fs::read_to_string(it).ok());
    files.filter(|it| it.contains("ensemble_test")).collect()
}

/// Returns true if a test calls a function by its path.
fn is_named(path: &str, tests: &[String]) -> bool {
    let calls = [format!("{path}("), format!("{path}::<")];
    let is_in = |test: &String| calls.iter().any(|it| test.contains(it));
    tests.iter().any(is_in)
}

/// Returns the name of the module with the function's test.
fn module(function: &PublicFunction<'_>) -> String {
    let names = function.name().split("::");
    let names: Vec<&str> = names.map(|it| it.trim_start_matches("r#")).collect();
    let (_, modules) = names.split_last().unwrap_or((&"", &[]));
    let modules = modules
        .iter()
        .filter(|it| it.starts_with(char::is_lowercase));
    let modules: Vec<&str> = modules.copied().collect();
    match modules.is_empty() {
        true => "root".to_owned(),
        false => modules.join("_"),
    }
}

/// Adds the test to the file of its module, under a name that is free there, which it returns.
fn write(folder: &Path, module: &str, mut test: GeneratedTest) -> Result<String> {
    let path = folder.join(module).with_extension("rs");
    let before = read_or_empty(&path)?;
    let taken = taken_names(&before).context(path.display())?;
    test.name = numbered(&test.name, |it| !taken.contains(it));
    let gap = if before.is_empty() { "" } else { "\n" };
    fs::create_dir_all(folder).context(folder.display())?;
    snapshot::save(&path, &format!("{before}{gap}{}", test.formatted()))?;
    let main = folder.join("main.rs");
    let modules = read_or_empty(&main)?;
    let line = format!("mod {};\n", written(module));
    if !modules.contains(&line) {
        let head = match modules.is_empty() {
            true => "//! A test of each public function: `cargo tdg init --all` adds new ones.\n\n",
            false => "",
        };
        snapshot::save(&main, &format!("{head}{modules}{line}"))?;
    }
    Ok(test.name)
}

/// Removes a test.
fn remove(folder: &Path, (module, name): &(String, String)) -> Result<()> {
    let path = folder.join(module).with_extension("rs");
    let text = fs::read_to_string(&path).context(path.display())?;
    let place = || {
        let function = text.find(&format!("fn {}(", written(name)))?;
        let start = text[..function].rfind("#[tdg::ensemble_test")?;
        let end = function + text[function..].find("\n}\n")? + "\n}\n".len();
        Some((text[..start].trim_end(), text[end..].trim_start()))
    };
    if let Some((before, after)) = place() {
        let gap = if before.is_empty() { "" } else { "\n\n" };
        let rest = format!("{before}{gap}{after}");
        snapshot::save(&path, &format!("{}\n", rest.trim_end()))?;
    }
    Ok(())
}

/// Records the new tests, and returns the names of those that fail, with the reasons.
fn record(package: &Package) -> Result<BTreeMap<String, String>> {
    let mut command = cargo(&["test", "--test", "functions", "--manifest-path"]);
    let output = command
        .arg(package.directory.join("Cargo.toml"))
        .env("TDG_UPDATE", "auto")
        .output()
        .context("can't run cargo")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let failed = said.lines().filter_map(|line| {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
        Some((name.to_owned(), failure(&said, name)))
    });
    let failed: BTreeMap<String, String> = failed.collect();
    if failed.is_empty() && !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.trim().lines().last().unwrap_or_default();
        return Err(Error::new(format!(
            "the tests are written, but not recorded; run `cargo test --test functions`: {last}"
        )));
    }
    Ok(failed)
}

/// Returns the first line of a test's message.
fn failure(said: &str, test: &str) -> String {
    let of_test = said.split_once(&format!("---- {test} stdout ----"));
    let lines = of_test.map_or("", |(_, it)| it).lines();
    let mut lines = lines.map(str::trim).filter(|it| !it.is_empty());
    let message = lines.find(|it| !it.starts_with("thread '"));
    let message = message.unwrap_or("its test fails");
    let reason = message
        .strip_prefix(test)
        .and_then(|it| it.strip_prefix(": "));
    reason.unwrap_or(message).to_owned()
}

fn summary(count: usize, left_out: &BTreeMap<String, String>, tested: usize) -> String {
    let mut text = String::new();
    for (name, reason) in left_out {
        let reason = reason.rsplit("`: ").next().unwrap_or(reason);
        let reason = reason.lines().next().unwrap_or_default();
        text += &format!("{FAINT}left out{FAINT:#} {name}: {reason}\n");
    }
    let wrote = match count {
        0 => String::new(),
        _ => format!(
            "{GOOD}recorded{GOOD:#} {} in {FOLDER}; ",
            counted(count, "test")
        ),
    };
    let left = counted(left_out.len(), "function");
    let tested = counted(tested, "function");
    format!("{text}{wrote}{STRONG}{left}{STRONG:#} left out, {tested} tested before\n")
}
