//! A test binary and the names of its tests.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, SystemTime};

use super::function_of;

/// Listing runs no tests, so it takes longer only under a harness other than libtest.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// The file for a coverage build's counters, since no test covers what a listing runs.
const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// Set for a binary that is listing its tests, to keep it from starting another listing.
const ASKED: &str = "TDG_LISTS_TESTS";

/// Test names by function, or the reason why they are unavailable.
type Names = Result<Arc<HashMap<String, Vec<String>>>, String>;

/// A test binary and the names of its tests.
#[derive(Clone, Debug)]
pub struct TestBinary {
    /// One of its source files.
    pub source: PathBuf,
    may_ask: bool,
    /// The test that is known to have another benchmark.
    known: Option<String>,
    /// The names, or the reason why they are unavailable. Listed on first use.
    names: OnceCell<Names>,
    /// The time of its build, if available.
    built: Option<SystemTime>,
}

impl TestBinary {
    /// Returns the binary of this process. Set `may_ask` only if its harness is libtest's, because
    /// another harness may run its tests instead of listing them.
    pub fn running(source: &Path, may_ask: bool) -> Self {
        Self {
            source: source.to_owned(),
            may_ask,
            known: None,
            names: OnceCell::new(),
            built: env::current_exe().ok().as_deref().and_then(modified),
        }
    }

    /// Returns the binary with a test marked as having another benchmark.
    #[must_use]
    pub fn without(self, test: String) -> Self {
        Self {
            known: Some(test),
            ..self
        }
    }

    /// Returns the reason why the binary can't list its tests.
    pub(super) fn refusal(&self) -> Option<&str> {
        self.names().as_ref().err().map(String::as_str)
    }

    /// Returns true if the binary lists a test with this name.
    pub(super) fn lists(&self, name: &str) -> bool {
        let mut names = self.of_function(function_of(name));
        names.any(|listed| listed == name)
    }

    /// Counts the tests of a function in modules with this prefix.
    pub(super) fn count(&self, modules: &str, function: &str) -> usize {
        let names = self.of_function(function);
        names.filter(|name| name.starts_with(modules)).count()
    }

    /// Returns true if the named test is known to have another benchmark.
    pub(super) fn has_other_benchmark(&self, name: &str) -> bool {
        self.known.as_deref() == Some(name)
    }

    fn of_function(&self, function: &str) -> impl Iterator<Item = &String> {
        let names = self.names().as_ref().ok();
        let names = names.and_then(|names| names.get(function)).into_iter();
        names
            .flatten()
            .filter(|name| !self.has_other_benchmark(name))
    }

    /// Returns the names of its tests. They are needed only if it has a test with
    /// `#[ensemble_test]`, which runs only under libtest.
    fn names(&self) -> &Names {
        self.names.get_or_init(|| match self.may_ask {
            true => own_names(),
            false => Err("its harness is unknown".to_owned()),
        })
    }

    #[cfg(test)]
    pub(super) fn that_says(source: &Path, names: Result<&[&str], &str>) -> Self {
        let names = names.map(|names| by_function(names.iter().map(|&name| name.to_owned())));
        Self {
            names: OnceCell::from(names.map_err(str::to_owned)),
            ..Self::running(source, false)
        }
    }

    /// Returns true if a file was written after the binary was built.
    pub(super) fn is_older_than(&self, file: &Path) -> bool {
        matches!((self.built, modified(file)), (Some(built), Some(written)) if built < written)
    }
}

/// Returns the names of this process's tests, listed once.
fn own_names() -> Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    let ask = || {
        if cfg!(miri) || env::var_os(ASKED).is_some() {
            return Err("it can't start another process".to_owned());
        }
        list(&env::current_exe().map_err(|error| error.to_string())?)
    };
    NAMES.get_or_init(ask).clone()
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}

/// Lists the tests of a binary, including ignored ones.
fn list(executable: &Path) -> Names {
    let text = listing(executable).map_err(|error| error.to_string())?;
    let name = |line: &str| {
        let (name, kind) = line.rsplit_once(": ")?;
        matches!(kind, "test" | "benchmark").then(|| name.replace("r#", ""))
    };
    let names: Option<Vec<String>> = text.lines().map(name).collect();
    let names = names.ok_or("it printed something other than its tests")?;
    Ok(by_function(names.into_iter()))
}

fn by_function(names: impl Iterator<Item = String>) -> Arc<HashMap<String, Vec<String>>> {
    let mut by_function: HashMap<String, Vec<String>> = HashMap::new();
    for name in names {
        let function = function_of(&name).to_owned();
        by_function.entry(function).or_default().push(name);
    }
    Arc::new(by_function)
}

fn listing(executable: &Path) -> io::Result<String> {
    let mut child = Command::new(executable)
        .args(["--list", "--format", "terse"])
        .env(ASKED, "1")
        .env("LLVM_PROFILE_FILE", NOWHERE)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (sender, received) = mpsc::channel();
    let mut output = child.stdout.take();
    thread::spawn(move || {
        let mut text = String::new();
        let read = match &mut output {
            Some(output) => output.read_to_string(&mut text).map(|_| text),
            None => Ok(text),
        };
        // After the time limit, the receiver is gone.
        let _ = sender.send(read);
    });
    let Ok(text) = received.recv_timeout(TIME_LIMIT) else {
        child.kill()?;
        child.wait()?;
        return Err(io::Error::other("it took too long to list its tests"));
    };
    match child.wait()? {
        status if status.success() => text,
        status => Err(io::Error::other(format!("`--list` ended with {status}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_binary_lists_its_tests() {
        let binary = TestBinary::running(Path::new("src/lib.rs"), true);
        let own = "owner::binary::tests::the_running_binary_lists_its_tests";
        assert!(binary.lists(own));
        assert!(!binary.clone().without(own.to_owned()).lists(own));
        assert!(binary.built.is_some());
    }

    #[test]
    fn a_binary_that_can_not_be_asked_says_why() {
        let unknown = TestBinary::running(Path::new("src/lib.rs"), false);
        assert_eq!(unknown.refusal(), Some("its harness is unknown"));
        assert!(list(Path::new("no/such/binary")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn another_harness_is_distinguished_from_libtest() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let asked = |script: &str| {
            let file = folder.path().join("harness");
            fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
            list(&file)
        };
        assert_eq!(
            asked("echo running 3 tests").unwrap_err(),
            "it printed something other than its tests"
        );
        assert_eq!(
            asked("exit 3").unwrap_err(),
            "`--list` ended with exit status: 3"
        );
        let names = asked("echo 'a::b: test'; echo 'r#match: test'; echo 'c: benchmark'").unwrap();
        let functions = ["b", "c", "match"].map(|function| names[function].concat());
        assert_eq!(functions, ["a::b", "c", "match"]);
    }
}
