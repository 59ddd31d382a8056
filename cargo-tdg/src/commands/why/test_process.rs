//! A test process that answers rows with the outputs of the test's function.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tdg_definition::json::Value;
use tdg_engine::answers::{self, AnsweringTest, QuestionFiles, answered};
use tdg_engine::output::Outputs;

use crate::error::{Context as _, Error, Result};

/// The time limit of a question. After it, each half of the rows is another question.
const TIME: Duration = Duration::from_secs(10);
/// The time limit for the start, which sets up fixtures.
const START: Duration = Duration::from_secs(60);
/// The most rows of a question.
const ROWS: usize = 4000;

/// A test process, which is started again if it ends.
pub(super) struct TestProcess {
    program: PathBuf,
    package: PathBuf,
    test: String,
    /// The test's function, as libtest names it.
    function: String,
    /// The directory for the exchanged files.
    folder: tempfile::TempDir,
    questions: usize,
    running: Option<StartedTest>,
    libraries: Option<(&'static str, OsString)>,
    /// The time after which no row is begun.
    pub(super) until: Instant,
}

struct StartedTest {
    child: Child,
    /// Closing it ends the process.
    questions: ChildStdin,
    lines: Receiver<String>,
}

/// The reason why a question has no answer.
enum Unanswered {
    /// The process ended or took too long.
    Ended(&'static str),
    Failed(Error),
}

impl TestProcess {
    /// Starts the test of a program in the directory of its package, by its name and its function.
    pub(super) fn start(
        program: &Path,
        package: &Path,
        (test, function): (&str, &str),
        until: Instant,
    ) -> Result<Self> {
        let mut process = Self {
            program: program.to_owned(),
            package: package.to_owned(),
            test: test.to_owned(),
            function: function.to_owned(),
            folder: tempfile::tempdir().context("can't create a temporary folder")?,
            questions: 0,
            running: None,
            libraries: library_path(program),
            until,
        };
        match process.run() {
            Ok(()) => Ok(process),
            Err(Unanswered::Failed(error)) => Err(error),
            Err(Unanswered::Ended(how)) => Err(process.error(&format!("its process {how}"))),
        }
    }

    /// Returns the test that the process runs.
    pub(super) fn test(&self) -> Result<AnsweringTest> {
        let test = AnsweringTest::read(self.folder.path());
        test.ok_or_else(|| self.error("its process runs another version of tdg"))
    }

    /// Returns the outputs of these rows. A row that ends the process has the reason as its output;
    /// a row that the time doesn't suffice for has none.
    pub(super) fn outputs(&mut self, rows: &[Value]) -> Result<Vec<Option<String>>> {
        let mut outputs = Vec::with_capacity(rows.len());
        for rows in rows.chunks(ROWS) {
            self.add_outputs(rows, &mut outputs)?;
        }
        Ok(outputs)
    }

    fn add_outputs(&mut self, rows: &[Value], outputs: &mut Vec<Option<String>>) -> Result<()> {
        let answer = match self.is_over() {
            true => Err(Unanswered::Ended("ran out of time")),
            false => self.ask(rows),
        };
        match answer {
            Ok(answer) => {
                outputs.extend((0..answer.len()).map(|it| Some(answer.get(it).to_owned())));
                Ok(())
            }
            Err(Unanswered::Failed(error)) => Err(error),
            Err(Unanswered::Ended(_)) if self.is_over() => {
                self.running = None;
                outputs.resize(outputs.len() + rows.len(), None);
                Ok(())
            }
            Err(Unanswered::Ended(how)) => {
                self.running = None;
                if let [_] = rows {
                    let reason =
                        Value::object([("$panic", Value::from(format!("the process {how}")))]);
                    outputs.push(Some(reason.to_string()));
                    return Ok(());
                }
                let (first, second) = rows.split_at(rows.len() / 2);
                self.add_outputs(first, outputs)?;
                self.add_outputs(second, outputs)
            }
        }
    }

    fn ask(&mut self, rows: &[Value]) -> Result<Outputs, Unanswered> {
        self.run()?;
        self.questions += 1;
        let question = QuestionFiles::new(self.folder.path(), self.questions);
        let text = Value::Array(rows.to_vec()).to_string();
        let written = fs::write(&question.rows, text).context(question.rows.display());
        written.map_err(Unanswered::Failed)?;
        let left = self.until.saturating_duration_since(Instant::now());
        self.wait(self.questions, TIME.min(left))?;
        if let Ok(reason) = fs::read_to_string(&question.error) {
            return Err(Unanswered::Failed(self.error(reason.trim())));
        }
        let outputs = fs::read_to_string(&question.outputs).context(question.outputs.display());
        let outputs = outputs.and_then(|it| Ok(Outputs::from_canonical(it)?));
        let outputs = outputs.map_err(Unanswered::Failed)?;
        let _ = [&question.rows, &question.outputs].map(fs::remove_file);
        match outputs.len() == rows.len() {
            true => Ok(outputs),
            false => Err(Unanswered::Failed(self.error("some rows have no output"))),
        }
    }

    /// Starts the process unless it runs.
    fn run(&mut self) -> Result<(), Unanswered> {
        if self.running.is_some() {
            return Ok(());
        }
        let started = self.spawn().context(self.program.display());
        self.running = Some(started.map_err(Unanswered::Failed)?);
        let waited = self.wait(0, START);
        let question = QuestionFiles::new(self.folder.path(), 0);
        match fs::read_to_string(&question.error) {
            Ok(reason) => Err(Unanswered::Failed(self.error(reason.trim()))),
            Err(_) => waited,
        }
    }

    fn spawn(&self) -> Result<StartedTest> {
        let mut command = Command::new(&self.program);
        for (name, _) in env::vars_os() {
            let is_ours = name.to_str().is_some_and(|it| it.starts_with("TDG_"));
            if is_ours {
                command.env_remove(name);
            }
        }
        command
            .args([
                "--exact",
                &self.function,
                "--include-ignored",
                "--nocapture",
            ])
            .env(answers::VARIABLE, self.folder.path())
            .env(answers::TEST, &self.test)
            .env("CARGO_MANIFEST_DIR", &self.package)
            .env("TDG_STORE", "local")
            .env("TDG_DIR", self.folder.path())
            .env("RUST_BACKTRACE", "0")
            .envs(self.libraries.clone())
            .current_dir(&self.package)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Error::new("its process has no standard input or output"));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(output).split(b'\n');
            while let Some(Ok(line)) = lines.next() {
                let line = String::from_utf8_lossy(&line).into_owned();
                if line.starts_with("tdg: ") && sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(StartedTest {
            child,
            questions,
            lines,
        })
    }

    /// Sends the number of a question, unless it is 0, and waits for the answer.
    fn wait(&mut self, question: usize, time: Duration) -> Result<(), Unanswered> {
        let Some(running) = &mut self.running else {
            return Err(Unanswered::Ended("isn't running"));
        };
        if question > 0 && writeln!(running.questions, "{question}").is_err() {
            return Err(Unanswered::Ended("ended early"));
        }
        let (until, answer) = (Instant::now() + time, answered(question));
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match running.lines.recv_timeout(left) {
                Ok(line) if line.trim_end() == answer => return Ok(()),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Err(Unanswered::Ended("ran out of time")),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Unanswered::Ended("ended early"));
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    fn error(&self, reason: &str) -> Error {
        Error::new(format!("{}: {reason}", self.test))
    }
}

impl Drop for StartedTest {
    fn drop(&mut self) {
        // The process may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the variable with the folders of dynamic libraries, as cargo sets it.
pub(super) fn library_path(program: &Path) -> Option<(&'static str, OsString)> {
    let name = if cfg!(windows) {
        "PATH"
    } else if cfg!(target_os = "macos") {
        "DYLD_FALLBACK_LIBRARY_PATH"
    } else {
        "LD_LIBRARY_PATH"
    };
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = String::from_utf8(sysroot.ok()?.stdout).ok()?;
    let library = if cfg!(windows) { "bin" } else { "lib" };
    let mut folders = vec![
        program.parent()?.to_owned(),
        Path::new(sysroot.trim()).join(library),
    ];
    let inherited = env::var_os(name).unwrap_or_default();
    folders.extend(env::split_paths(&inherited));
    Some((name, env::join_paths(folders).ok()?))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn rows_that_end_the_process_take_no_longer_than_the_time() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("ends");
        let script = "#!/bin/sh\necho 'tdg: answered 0'\nread question\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let outputs = |time: Duration| {
            let until = Instant::now() + time;
            let test = ("ends", "ends");
            let mut process = TestProcess::start(&program, folder.path(), test, until).unwrap();
            process.outputs(&[1, 2, 3].map(Value::from)).unwrap()
        };
        let ended = r#"{"$panic":"the process ended early"}"#;
        assert_eq!(
            outputs(Duration::from_secs(3600)),
            [Some(ended); 3].map(|it| it.map(str::to_owned))
        );
        assert_eq!(outputs(Duration::ZERO), [None, None, None]);
    }
}
