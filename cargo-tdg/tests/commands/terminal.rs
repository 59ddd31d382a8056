//! A pseudo-terminal with a simulated user.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tdg_tests::Project;

/// Much longer than needed, so only failing tests wait that long.
const PATIENCE: Duration = Duration::from_secs(40);

/// `cargo tdg` in a terminal.
pub(crate) struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    child: Box<dyn Child + Send + Sync>,
    /// The output so far, and the position up to which it has been checked.
    seen: String,
    read_to: usize,
}

impl Terminal {
    pub(crate) fn start(project: &Project, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::of_size((40, 140), project, arguments, variables)
    }

    /// Starts a terminal of this size.
    pub(crate) fn of_size(
        (lines, columns): (u16, u16),
        project: &Project,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Self {
        let pty = native_pty_system().openpty(size(lines, columns)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_cargo-tdg"));
        command.arg("tdg");
        command.args(arguments);
        command.cwd(project.folder());
        for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TDG_UPDATE"] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color");
        command.env("CARGO_INCREMENTAL", "0");
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        // Ignores the configured name of the user who runs the tests.
        command.env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pty.slave.spawn_command(command).unwrap();
        let mut reader = pty.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            keyboard: pty.master.take_writer().unwrap(),
            master: pty.master,
            output,
            child,
            seen: String::new(),
            read_to: 0,
        }
    }

    /// Waits for a text after the previous one; returns the output since then.
    #[track_caller]
    pub(crate) fn sees(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(position) = self.seen[self.read_to..].find(text) {
                let end = self.read_to + position + text.len();
                let new = self.seen[self.read_to..end].to_owned();
                self.read_to = end;
                return new;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("{text:?} is not seen in:\n{}", self.seen),
            }
        }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    pub(crate) fn resize(&self, lines: u16, columns: u16) {
        self.master.resize(size(lines, columns)).unwrap();
    }

    /// Waits for the exit code.
    pub(crate) fn ends(mut self) -> u32 {
        self.child.wait().unwrap().exit_code()
    }

    /// Waits for the exit and returns all output.
    pub(crate) fn ends_with(mut self) -> String {
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.child.kill().unwrap();
                    panic!("it waits for a key:\n{}", self.seen);
                }
            }
        }
        self.seen
    }

    pub(crate) fn everything(&self) -> &str {
        &self.seen
    }
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}
