//! A command in a clean environment.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::target_directory;

/// The prefixes of variables that may be set on the machine and would change the results.
const CLEANED: [&str; 21] = [
    "CI",
    "COLUMNS",
    "TF_BUILD",
    "JENKINS_",
    "TEAMCITY_",
    "GITHUB_",
    "GITLAB_",
    "BUILDKITE",
    "BUILD_",
    "TRAVIS",
    "SYSTEM_",
    "BITBUCKET_",
    "INSTA_",
    "TDG_",
    "NEXTEST",
    "RUST_BACKTRACE",
    "RUST_TEST_",
    "CARGO_MANIFEST_",
    "GIT_",
    "CLICOLOR",
    "NO_COLOR",
];

/// The prefixes of variables that `cargo test` sets for the process that runs these tests.
const SET_BY_CARGO: [&str; 7] = [
    "CARGO_PKG_",
    "CARGO_BIN_",
    "CARGO_CRATE_",
    "CARGO_PRIMARY_",
    "CARGO_TARGET_",
    "CARGO_TERM_",
    "CARGO_INCREMENTAL",
];

/// A command in a clean environment.
#[must_use = "it runs with `.finish()`, `.passes()` or `.fails()`"]
pub struct Run(Command);

impl Run {
    /// Creates a run of a program in a directory.
    pub fn new(program: impl AsRef<OsStr>, directory: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(directory).stdin(Stdio::null());
        let is_cleaned = |name: &OsString| {
            let name = name.to_string_lossy();
            let mut prefixes = CLEANED.iter().chain(&SET_BY_CARGO);
            prefixes.any(|prefix| name.starts_with(prefix))
        };
        for (name, _) in env::vars_os().filter(|(name, _)| is_cleaned(name)) {
            command.env_remove(name);
        }
        // Applies to every cargo that a command starts. With mixed settings, each would rebuild tdg
        // for the others.
        command.env("CARGO_INCREMENTAL", "0");
        // Takes a sixth of the time in which tdg is built, and most of a test program's bytes.
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        // Ignore the git user and options of this machine.
        command.env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        Self(command)
    }

    /// Creates a run of `cargo` that builds into the shared target directory.
    pub fn cargo(arguments: &[&str], directory: &Path) -> Self {
        Self::new("cargo", directory)
            .arguments(arguments)
            .env("CARGO_TARGET_DIR", target_directory())
            .env("CARGO_TERM_COLOR", "never")
    }

    /// Adds arguments.
    pub fn arguments(mut self, arguments: &[&str]) -> Self {
        self.0.args(arguments);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.0.env(name, value);
        self
    }

    /// Passes a text on standard input.
    pub fn input(mut self, text: &str) -> Self {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.rewind().unwrap();
        self.0.stdin(file);
        self
    }

    /// Starts the command without waiting for it.
    pub fn start(mut self) -> Child {
        let command = self.0.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
            .spawn()
            .unwrap_or_else(|error| panic!("{:?}: {error}", self.0))
    }

    /// Runs the command to its end.
    #[must_use]
    pub fn finish(mut self) -> Finished {
        let output = self.0.output();
        Finished::new(output.unwrap_or_else(|error| panic!("{:?}: {error}", self.0)))
    }

    /// Runs the command to its end. It must succeed.
    #[track_caller]
    #[expect(
        clippy::must_use_candidate,
        reason = "that it passed is often all there is to know"
    )]
    pub fn passes(self) -> Finished {
        let finished = self.finish();
        assert!(finished.success, "{finished}");
        finished
    }

    /// Runs the command to its end. It must fail.
    #[track_caller]
    #[expect(
        clippy::must_use_candidate,
        reason = "that it failed is often all there is to know"
    )]
    pub fn fails(self) -> Finished {
        let finished = self.finish();
        assert!(!finished.success, "{finished}");
        finished
    }
}

/// The results of a finished command.
#[derive(Debug)]
pub struct Finished {
    /// True if it succeeded.
    pub success: bool,
    /// Its exit code, or `None` if it was killed.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Finished {
    /// Creates the results from the output of a child.
    #[must_use]
    pub fn new(output: Output) -> Self {
        Self {
            success: output.status.success(),
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Returns the lines that tdg wrote to stderr.
    #[must_use]
    pub fn said(&self) -> String {
        let lines = self.stderr.lines();
        let said: Vec<_> = lines
            .skip_while(|line| !line.starts_with("tdg: "))
            .collect();
        let is_its_own = |line: &&&str| line.starts_with("tdg: ") || line.starts_with("  ");
        let said: Vec<&str> = said.iter().filter(is_its_own).copied().collect();
        said.join("\n")
    }

    /// Returns the report of the first failing test, which is its panic message.
    #[must_use]
    pub fn report(&self) -> String {
        for text in [&self.stdout, &self.stderr] {
            let Some((_, after)) = text.split_once(" panicked at ") else {
                continue;
            };
            let report = after.split_once('\n').map_or("", |(_, report)| report);
            let end = report.find("\nnote: run with").unwrap_or(report.len());
            return report[..end].to_owned();
        }
        panic!("no test failed:\n{self}");
    }
}

impl std::fmt::Display for Finished {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let how = if self.success { "passed" } else { "failed" };
        write!(formatter, "{how}\n{}\n{}", self.stdout, self.stderr)
    }
}
