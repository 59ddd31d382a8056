//! Runs the tests of a copy, confined, and reads their results and the calls.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::copy::BuiltCopy;
use super::recording::{Recording, test_name};
use crate::commands::compare::calls::FunctionCaller;
use crate::confine::{Budget, ProcessEnd, unconfined};
use crate::error::{Context as _, Result};
use crate::sides::TestProgram;

/// The stack of a test's thread, since recorded calls need more of it.
const STACK: &str = "16777216";
/// The polling interval.
const LOOK: Duration = Duration::from_millis(20);
/// The most time for an example, which may wait for something.
const OF_EXAMPLE: Duration = Duration::from_secs(5);

/// The thread of an example, which recorded calls have as the name of the test.
const MAIN: &str = "main";

/// A run of all tests of a side.
pub(super) struct RecordedRun {
    pub(super) recording: Recording,
    /// The results of the tests by name: the lines of a failure's message.
    pub(super) results: BTreeMap<String, Option<String>>,
    /// The files whose tests ended early, with the reasons.
    pub(super) ended: BTreeMap<String, String>,
}

impl RecordedRun {
    /// Runs the tests of a side for at most this time.
    pub(super) fn new(caller: &FunctionCaller, copy: &BuiltCopy, time: Duration) -> Result<Self> {
        let until = Instant::now() + time;
        let mut run = Self {
            recording: Recording::default(),
            results: BTreeMap::new(),
            ended: BTreeMap::new(),
        };
        let copied = copy.place.display().to_string();
        for (position, program) in copy.programs.iter().enumerate() {
            // A program that hangs leaves time for the others.
            let rest = until.saturating_duration_since(Instant::now());
            let is_last = position + 1 == copy.programs.len();
            let most = if program.is_test { rest } else { OF_EXAMPLE };
            let until = Instant::now() + most.min(if is_last { rest } else { rest / 2 });
            let own = caller.folder.path().join("tests");
            if own.exists() {
                // Files of a former program would count as calls of this one.
                fs::remove_dir_all(&own).context(own.display())?;
            }
            let recorded = own.join("calls");
            fs::create_dir_all(&recorded).context(recorded.display())?;
            let command = command(caller, copy, program, &own, time)?;
            let (end, output) = ended(command, &own, program.is_test, until)?;
            let root = &program.target.root;
            let source = root.strip_prefix(&copy.directory).unwrap_or(root);
            let source = source.display().to_string();
            // 101 is libtest's code for failed tests.
            let (is_over, mut results) = match program.is_test {
                true => (matches!(end, ProcessEnd::Exited(0 | 101)), results(&output)),
                false => (matches!(end, ProcessEnd::Exited(_)), result(&end, &output)),
            };
            if !is_over {
                let open = unfinished(&output).map(|it| (it.to_owned(), Some(end.to_string())));
                results.extend(open);
                run.ended.insert(source.clone(), end.to_string());
            }
            let results = results.into_iter();
            run.results
                .extend(results.map(|(name, it)| (test_name(&name, &source), it)));
            run.recording.read(&recorded, &copied, &source)?;
        }
        Ok(run)
    }

    /// Returns true if a test passes in one of the runs only.
    pub(super) fn fails_otherwise(&self, other: &Self) -> bool {
        let mut results = self.results.iter();
        results.any(|(name, it)| {
            let other = other.results.get(name);
            other.is_some_and(|other| other.is_some() != it.is_some())
        })
    }
}

fn command(
    caller: &FunctionCaller,
    copy: &BuiltCopy,
    program: &TestProgram,
    own: &Path,
    time: Duration,
) -> Result<Command> {
    let budget = Budget {
        memory: 2 << 30,
        processor_seconds: time.as_secs() + 1,
        file: 64 << 20,
    };
    let path = &program.path;
    let mut command = match &caller.confinement {
        Some(confinement) => confinement.command(path, own, budget),
        None => unconfined(path, budget).context(path.display())?,
    };
    command
        .args(program.is_test.then_some("--test-threads=1"))
        .env_clear()
        .env("CARGO_MANIFEST_DIR", &copy.directory)
        .env("HOME", own)
        .env("RUST_BACKTRACE", "0")
        .env("RUST_MIN_STACK", STACK)
        .env("TDG_CALLS", own.join("calls"))
        .env("TDG_COPIED", &copy.place)
        .env("TMPDIR", own)
        .current_dir(&copy.directory)
        .stdin(Stdio::null());
    Ok(command)
}

/// Waits until a program ends, or kills it, and returns its output.
fn ended(
    mut command: Command,
    own: &Path,
    is_test: bool,
    until: Instant,
) -> Result<(ProcessEnd, String)> {
    let path = own.join("output");
    let output = File::create(&path).context(path.display())?;
    let errors = match is_test {
        // Threads that a test starts print in between.
        true => Stdio::null(),
        false => output.try_clone().context(path.display())?.into(),
    };
    let mut child = command
        .stdout(output)
        .stderr(errors)
        .spawn()
        .context("can't run the tests")?;
    let end = loop {
        if let Some(status) = child.try_wait().context("can't wait for the tests")? {
            break ProcessEnd::from_status(status, "");
        }
        if Instant::now() >= until {
            // The process may already have ended.
            let _ = child.kill();
            child.wait().context("can't wait for the tests")?;
            break ProcessEnd::OutOfTime;
        }
        sleep(LOOK);
    };
    let output = fs::read(&path).context(path.display())?;
    Ok((end, String::from_utf8_lossy(&output).into_owned()))
}

/// Returns the test that was running when the process ended.
fn unfinished(output: &str) -> Option<&str> {
    let mut lines = output.lines().rev();
    let (name, end) = lines.find_map(|it| it.strip_prefix("test ")?.split_once(" ... "))?;
    let is_over = ["ok", "FAILED", "ignored"]
        .iter()
        .any(|it| end.starts_with(it));
    (!is_over).then(|| name.trim_end_matches(" - should panic"))
}

/// Returns the result of an example. One that ran out of time has none, since its time is short and
/// a busy machine may need more.
fn result(end: &ProcessEnd, output: &str) -> BTreeMap<String, Option<String>> {
    let report = format!("---- {MAIN} stdout ----\n{output}\n\n");
    let mut result = results(&report);
    result.retain(|name, _| name == MAIN);
    match end {
        ProcessEnd::Exited(0) => drop(result.insert(MAIN.to_owned(), None)),
        ProcessEnd::OutOfTime => {}
        _ => drop(
            result
                .entry(MAIN.to_owned())
                .or_insert(Some(end.to_string())),
        ),
    }
    result
}

/// Reads the results from the output of libtest.
fn results(output: &str) -> BTreeMap<String, Option<String>> {
    let mut results = BTreeMap::new();
    let mut failed: Option<String> = None;
    let mut message: Option<String> = None;
    for line in output.lines() {
        let heading = line
            .strip_prefix("---- ")
            .and_then(|it| it.strip_suffix(" stdout ----"));
        let is_end = line.is_empty() || line.starts_with("note: ");
        if let Some(name) = heading {
            failed = Some(name.to_owned());
        } else if let Some((name, end)) = line
            .strip_prefix("test ")
            .and_then(|it| it.rsplit_once(" ... "))
        {
            let name = name.trim_end_matches(" - should panic").to_owned();
            match end {
                "ok" => drop(results.insert(name, None)),
                "FAILED" => drop(results.insert(name, Some(String::new()))),
                _ => {}
            }
        } else if failed.is_some() && message.is_none() && line.contains(" panicked at ") {
            message = Some(String::new());
        } else if failed.is_some()
            && message.is_none()
            && (line.starts_with("Error: ") || line.starts_with("note: test did not panic"))
        {
            message = Some(line.to_owned());
        } else if let (Some(text), false) = (&mut message, is_end) {
            *text = format!("{text}\n{}", line.trim()).trim_start().to_owned();
        } else if is_end
            && let Some(text) = message.take()
            && let Some(name) = failed.take()
        {
            results.insert(name, Some(text));
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_both_operands() {
        let output = "running 3 tests\ntest a ... ok\ntest b::c ... FAILED\ntest d - should panic ... ok\ntest e ... ignored\n\n\
                      failures:\n\n---- b::c stdout ----\nprinted\n\nthread 'b::c' (7) panicked at src/lib.rs:9:5:\n\
                      assertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1`\n\n\n\
                      failures:\n    b::c\n\ntest result: FAILED. 2 passed; 1 failed\n";
        let results = results(output);
        let shown: Vec<_> = results
            .iter()
            .map(|(name, it)| format!("{name}: {it:?}"))
            .collect();
        assert_eq!(
            shown,
            [
                "a: None",
                "b::c: Some(\"assertion `left == right` failed\\nleft: 1\\nright: 2\")",
                "d: None"
            ]
        );
    }

    #[test]
    fn the_test_that_ended_the_process_is_known() {
        let output =
            "test a ... ok\ntest b - should panic ... \nthread 'b' has overflowed its stack";
        assert_eq!(unfinished(output), Some("b"));
        assert_eq!(unfinished("test a ... ok\ntest c ... FAILED\n"), None);
    }

    #[test]
    fn an_example_that_ran_out_of_time_has_no_result() {
        let result = |end| result(&end, "begun");
        assert_eq!(result(ProcessEnd::OutOfTime), BTreeMap::new());
        assert_eq!(result(ProcessEnd::Exited(0))[MAIN], None);
        assert!(result(ProcessEnd::Exited(2))[MAIN].is_some());
    }

    #[test]
    fn a_failure_without_a_panic_has_its_error() {
        let output = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\nError: \"far\"\n\n\nfailures:\n    a\n";
        assert_eq!(results(output)["a"].as_deref(), Some("Error: \"far\""));
    }
}
