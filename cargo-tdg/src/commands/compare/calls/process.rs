//! Calls a function with rows in a separate process.

use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use tempfile::TempDir;

use super::outcome::CallOutcome;
use super::row_clock::{ProcessTimes, RowClock};
use crate::confine::{Budget, Confinement, ProcessEnd, unconfined};
use crate::error::{Context as _, Result};

/// The grace period for all rows on a busy machine.
const PATIENCE: Duration = Duration::from_secs(2);
/// The polling interval.
const LOOK: Duration = Duration::from_millis(50);
/// How many rows may time out, and how many may end the process.
const LATE: usize = 3;
const ENDS: usize = 100;
const BUDGET: Budget = Budget {
    memory: 2 << 30,
    processor_seconds: 60,
    file: 64 << 20,
};

/// The environment in which functions are called.
pub(crate) struct FunctionCaller {
    /// Without confinement, functions have all rights of this process.
    pub(crate) confinement: Option<Confinement>,
    /// The parent of the processes' folders.
    pub(crate) folder: TempDir,
    /// A folder next to the programs, with a link to each that runs.
    pub(crate) links: TempDir,
}

impl FunctionCaller {
    /// Returns the outcomes of the rows in a file, within the time limit. `times` extends the
    /// limits of a row.
    pub(crate) fn outcomes(
        &self,
        program: &Path,
        call: usize,
        (rows, count): (&Path, usize),
        (times, time): (u32, Duration),
    ) -> Result<Vec<CallOutcome>> {
        // The path is the same on both sides, in case a function returns it.
        let own = self.folder.path().join(call.to_string());
        let _ = fs::remove_dir_all(&own);
        fs::create_dir_all(&own).context(own.display())?;
        let program = &self.link(program, call);
        let until = Instant::now() + time;
        let mut outcomes = Vec::new();
        let (mut late, mut ends) = (0, 0);
        while outcomes.len() < count && late < LATE && ends < ENDS && Instant::now() < until {
            let mut command = self.command(program, &own)?;
            let marker = marker();
            command.arg(call.to_string()).arg(rows);
            command.args([&outcomes.len().to_string(), &marker]);
            let child = command.spawn().context(program.display())?;
            let limits = RowLimits { times, time, until };
            let ending = read(child, &marker, &mut outcomes, limits)?;
            if outcomes.len() < count && Instant::now() < until {
                outcomes.push(CallOutcome::Ended(ending.to_string()));
                late += usize::from(ending == ProcessEnd::OutOfTime);
                ends += 1;
            }
        }
        Ok(outcomes)
    }

    /// Returns a path of the program that is the same on both sides, or its own.
    fn link(&self, program: &Path, call: usize) -> PathBuf {
        let link = format!("{call}{}", env::consts::EXE_SUFFIX);
        let link = self.links.path().join(link);
        let _ = fs::remove_file(&link);
        match fs::hard_link(program, &link) {
            Ok(()) => link,
            Err(_) => program.to_owned(),
        }
    }

    fn command(&self, program: &Path, own: &Path) -> Result<Command> {
        let mut command = match &self.confinement {
            Some(confinement) => confinement.command(program, own, BUDGET),
            None => unconfined(program, BUDGET).context(program.display())?,
        };
        command
            .env_clear()
            .env("TMPDIR", own)
            .env("HOME", own)
            .env("RUST_BACKTRACE", "0")
            .current_dir(own)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Ok(command)
    }
}

/// Returns a marker that a function can't print by chance.
fn marker() -> String {
    format!("tdg{:016x}", tdg_engine::config::random_seed())
}

/// Reads outcomes until the process ends or a row times out.
fn read(
    mut child: Child,
    marker: &str,
    outcomes: &mut Vec<CallOutcome>,
    limits: RowLimits,
) -> Result<ProcessEnd> {
    let stderr = child.stderr.take();
    let stderr = thread::spawn(move || stderr.map(tail).unwrap_or_default());
    let frames = frames(&mut child, marker.to_owned());
    let mut is_late = false;
    let mut row = RowClock::new(LOOK, Instant::now());
    loop {
        match frames.recv_timeout(LOOK) {
            Ok(outcome) => {
                outcomes.push(outcome);
                row = RowClock::new(LOOK, Instant::now());
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let times = ProcessTimes::read(child.id());
                is_late = row.is_late(Instant::now(), times, limits.times);
            }
        }
        if is_late || limits.are_over(child.id()) {
            is_late = true;
            // The process may already have ended.
            let _ = child.kill();
            break;
        }
    }
    let status = child.wait().context("can't wait for a call")?;
    let said = stderr.join().unwrap_or_default();
    Ok(match is_late {
        true => ProcessEnd::OutOfTime,
        false => ProcessEnd::from_status(status, &said),
    })
}

/// The time limits of rows.
#[derive(Clone, Copy)]
struct RowLimits {
    /// The factor on a row's usual limits.
    times: u32,
    /// The limit for all rows, and when it ends.
    time: Duration,
    until: Instant,
}

impl RowLimits {
    /// Returns true if the time for all rows is over. On a busy machine, there is a grace period.
    fn are_over(&self, process: u32) -> bool {
        let now = Instant::now();
        let is_used = || ProcessTimes::read(process).is_none_or(|it| it.busy >= self.time);
        now >= self.until && (now >= self.until + PATIENCE || is_used())
    }
}

/// Receives the outcomes that a process writes among its other output.
fn frames(child: &mut Child, marker: String) -> Receiver<CallOutcome> {
    let (sender, receiver) = channel();
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Ok(Some(outcome)) = frame(&mut reader, marker.as_bytes()) {
                if sender.send(outcome).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

/// The maximum length of other output that is read at once.
const PIECE: u64 = 1 << 16;

fn frame(reader: &mut impl BufRead, marker: &[u8]) -> io::Result<Option<CallOutcome>> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.by_ref().take(PIECE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let Some(rest) = line.strip_prefix(marker) else {
            continue;
        };
        let Some(colon) = rest.iter().position(|it| *it == b':') else {
            continue;
        };
        let length = std::str::from_utf8(&rest[..colon])
            .ok()
            .and_then(|it| it.parse().ok());
        let Some(length): Option<usize> = length else {
            continue;
        };
        let mut payload = rest[colon + 1..].to_vec();
        while payload.len() < length {
            if reader
                .by_ref()
                .take(PIECE)
                .read_until(b'\n', &mut payload)?
                == 0
            {
                return Ok(None);
            }
        }
        payload.truncate(length);
        return Ok(CallOutcome::read(&payload));
    }
}

/// Returns the end of the output, which has the reason of an abort.
fn tail(mut from: impl io::Read) -> String {
    let mut kept = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        kept.extend(&piece[..count]);
        let excess = kept.len().saturating_sub(2 * piece.len());
        kept.drain(..excess);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn rows_that_got_no_processor_have_a_little_longer() {
        let now = Instant::now();
        let are_over = |time: Duration, until: Instant| {
            let times = 1;
            RowLimits { times, time, until }.are_over(std::process::id())
        };
        let hour = Duration::from_secs(3600);
        assert!(are_over(Duration::ZERO, now));
        assert!(!are_over(hour, now));
        assert!(!are_over(Duration::ZERO, now + hour));
        assert!(
            now.checked_sub(PATIENCE)
                .is_none_or(|it| are_over(hour, it))
        );
    }

    #[test]
    fn outcomes_are_read_between_whatever_else_is_printed() {
        let printed =
            b"a line\nno end\nmark15:8:returned0:1:5\nmark x\n\nmark21:8:panicked9:two\nlines\n";
        let mut reader = BufReader::new(&printed[..]);
        let mut next = || frame(&mut reader, b"mark").unwrap();
        let five = CallOutcome::Returned(vec![(String::new(), "5".to_owned())]);
        assert_eq!(next(), Some(five));
        assert_eq!(next(), Some(CallOutcome::Panicked("two\nlines".to_owned())));
        assert_eq!(next(), None);
    }
}
