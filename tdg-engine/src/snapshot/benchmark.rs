//! The benchmark of a test, whose cases are read on demand.

use std::cell::{Cell, OnceCell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use tdg_definition::{Policy, json};

use super::differing_cases::Differing;
use super::ensemble_line::{EnsembleLine, SnapshotBody};
use super::error::SnapshotError;
use super::parse::Snapshot;
use super::pin::Pin;
use super::{case_line, header, hidden_characters, kept_rows};
use crate::ensemble::Ensemble;
use crate::output::Outputs;

/// The size of the read buffer.
const BUFFER: usize = 1 << 16;

/// The benchmark of a test: a [`Snapshot`] whose cases are read on demand.
///
/// Most runs give exactly the outputs in the file. They are compared while the file is being read,
/// so neither its text nor the positions of its cases are kept in memory.
#[derive(Debug)]
pub struct BenchmarkFile {
    /// Empty if it isn't from a file.
    path: PathBuf,
    line: EnsembleLine,
    /// The rest of the file after its head, until outputs are compared with it.
    cases: RefCell<Option<BufReader<File>>>,
    snapshot: OnceCell<Snapshot>,
    /// Set if kept rows were seen while the file was compared.
    has_kept: Cell<bool>,
}

impl BenchmarkFile {
    /// Reads the head of a snapshot file, or returns `None` if the file doesn't exist. A file with
    /// the same `definition`, given as canonical JSON, is read without parsing its definition.
    ///
    /// # Errors
    ///
    /// If the file can't be read, or doesn't start with the head of a snapshot.
    pub fn read(path: &Path, definition: &str) -> Result<Option<Self>, SnapshotError> {
        if let Ok(file) = File::open(path) {
            let mut file = BufReader::with_capacity(BUFFER, file);
            if let Some(line) = header::read(&mut file, definition, |_| {})
                && line.pin().is_none()
            {
                return Ok(Some(Self {
                    path: path.to_owned(),
                    line,
                    cases: RefCell::new(Some(file)),
                    snapshot: OnceCell::new(),
                    has_kept: Cell::new(false),
                }));
            }
        }
        Ok(Snapshot::read_of(path, definition)?.map(Self::from))
    }

    /// Returns the ensemble that the cases belong to.
    pub fn ensemble(&self) -> &Ensemble {
        &self.line.ensemble
    }

    /// Returns the package of the test, if its source is outside the package's directory.
    pub fn package(&self) -> Option<&str> {
        self.line.package.as_deref()
    }

    /// Returns the pinned benchmark on a server.
    pub fn pin(&self) -> Option<&Pin> {
        self.line.pin()
    }

    /// Returns the UUID of the pinned benchmark that the cases are to replace.
    pub fn replaces(&self) -> Option<&str> {
        self.line.replaces.as_deref()
    }

    /// Returns the policy with which the outputs were recorded or accepted.
    pub fn policy(&self) -> &Policy {
        &self.line.policy
    }

    /// Like [`Snapshot::differing`], but doesn't read the cases if the outputs are byte for byte
    /// the expected ones.
    ///
    /// # Errors
    ///
    /// Same as [`Snapshot::differing`] and [`snapshot`](Self::snapshot).
    pub fn differing(
        &self,
        outputs: &Outputs,
        policy: &Policy,
    ) -> Result<Differing, SnapshotError> {
        if let Some(mut cases) = self.cases.take()
            && self.line.cases() == outputs.len()
            && let Ok(Some(kept)) = kept_behind(&mut cases, &self.line.body, outputs)
        {
            self.has_kept.set(kept > 0);
            return Ok(Differing::identical());
        }
        let snapshot = self.snapshot()?;
        self.has_kept.set(!snapshot.kept().is_empty());
        snapshot.differing(outputs, policy)
    }

    /// Like [`Snapshot::judge`], but reads the cases on demand.
    ///
    /// # Errors
    ///
    /// Same as [`differing`](Self::differing).
    pub fn judge<'p>(
        &'p self,
        outputs: &Outputs,
        own: &'p Policy,
    ) -> Result<(Differing, &'p Policy), SnapshotError> {
        let by = |policy: &Policy| self.differing(outputs, policy);
        Differing::by_either(own, self.policy(), outputs.len(), by)
    }

    /// Returns true if it has outputs of kept rows. Only valid after outputs were compared with it.
    pub fn has_kept(&self) -> bool {
        self.has_kept.get()
    }

    /// Returns the outputs of all cases.
    ///
    /// # Errors
    ///
    /// Same as [`snapshot`](Self::snapshot), or if a line is not a case.
    pub fn outputs(&self) -> Result<Outputs, SnapshotError> {
        self.snapshot()?.outputs()
    }

    /// Returns the outputs as values, or `None` if one can't be read.
    pub fn values(&self) -> Option<Vec<json::Value>> {
        self.snapshot().ok()?.values()
    }

    /// Returns the whole snapshot.
    ///
    /// # Errors
    ///
    /// If the file can't be read, isn't a complete snapshot, or has another ensemble than when it
    /// was first read.
    pub fn snapshot(&self) -> Result<&Snapshot, SnapshotError> {
        if let Some(snapshot) = self.snapshot.get() {
            return Ok(snapshot);
        }
        match Snapshot::read_of(&self.path, &self.line.ensemble.definition)? {
            Some(snapshot) if *snapshot.ensemble_line() == self.line => {
                Ok(self.snapshot.get_or_init(|| snapshot))
            }
            _ => Err(SnapshotError::new(
                "was replaced while the test was running",
                "run the test again",
            )
            .in_file(&self.path)),
        }
    }
}

impl From<Snapshot> for BenchmarkFile {
    fn from(snapshot: Snapshot) -> Self {
        Self {
            path: snapshot.path().map(Path::to_owned).unwrap_or_default(),
            line: snapshot.ensemble_line().clone(),
            cases: RefCell::new(None),
            has_kept: Cell::new(!snapshot.kept().is_empty()),
            snapshot: OnceCell::from(snapshot),
        }
    }
}

/// Returns the number of kept rows if the cases before them are exactly these outputs; the rows
/// aren't compared. For anything else it returns `None`, and reading the snapshot reports why.
fn kept_behind(
    file: &mut impl BufRead,
    body: &SnapshotBody,
    outputs: &Outputs,
) -> io::Result<Option<usize>> {
    let mut expected = ExpectedFile {
        outputs,
        body,
        case: 0,
        kept: 0,
    };
    let mut cut = Vec::new();
    loop {
        let buffer = file.fill_buf()?;
        let is_line_end = |byte: &u8| *byte == b'\n';
        let whole = buffer.iter().rposition(is_line_end).map_or(0, |at| at + 1);
        let is_cut = whole < buffer.len();
        if !expected.are_next(&buffer[..whole])? {
            return Ok(None);
        }
        file.consume(whole);
        if is_cut {
            // Cut by the buffer, or by the end of a file that may be truncated.
            cut.clear();
            file.read_until(b'\n', &mut cut)?;
            if !cut.ends_with(b"\n") || !expected.are_next(&cut)? {
                return Ok(None);
            }
        } else if whole == 0 {
            let is_whole = expected.case == outputs.len();
            return Ok(is_whole.then_some(expected.kept));
        }
    }
}

/// The expected outputs, and how much of the file has been compared with them.
struct ExpectedFile<'a> {
    outputs: &'a Outputs,
    body: &'a SnapshotBody,
    case: usize,
    kept: usize,
}

impl ExpectedFile<'_> {
    /// Returns true if these lines are the next cases.
    fn are_next(&mut self, mut lines: &[u8]) -> io::Result<bool> {
        if str::from_utf8(lines).is_err() {
            return Ok(false);
        }
        while !lines.is_empty() {
            let mut rest = lines;
            let length = rest.skip_until(b'\n')?;
            let line = lines[..length].trim_ascii_end();
            if !line.is_empty() && !self.is_next(line) {
                return Ok(false);
            }
            lines = rest;
        }
        Ok(true)
    }

    fn is_next(&mut self, line: &[u8]) -> bool {
        if self.case == self.outputs.len() {
            // Kept rows are compared when they have run.
            self.kept += 1;
            return str::from_utf8(line).is_ok_and(kept_rows::is_kept);
        }
        let output = self.outputs.get(self.case);
        self.case += 1;
        let is = |output: &str| match self.body {
            SnapshotBody::Cases => line[0] == b'[' && case_line::output_is(line, output.as_bytes()),
            SnapshotBody::Outputs | SnapshotBody::Pin(_) => line == output.as_bytes(),
        };
        is(output) || hidden_characters::escaped(output).is_some_and(|escaped| is(&escaped))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const HEAD: &str = r#"{"tdg":1,"ensemble":"f","size":2,"seed":"7","sampler":1,"digest":"00ff","definition":{}}"#;

    /// Writes a file with these outputs and reads it as a benchmark.
    fn benchmark(path: &Path, outputs: [&str; 2]) -> BenchmarkFile {
        let [first, second] = outputs;
        let text = format!("---\nexpression: f\n---\n{HEAD}\n[[1],{first}]\n[[2],{second}]\n");
        fs::write(path, text).unwrap();
        BenchmarkFile::read(path, "{}").unwrap().unwrap()
    }

    fn differing(benchmark: &BenchmarkFile, outputs: &str) -> Result<Differing, SnapshotError> {
        benchmark.differing(&Outputs::parse(outputs).unwrap(), &Policy::exact())
    }

    #[test]
    fn the_cases_are_read_only_if_the_outputs_are_others() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a__f.snap");
        let same = benchmark(&file, ["10", "20"]);
        assert_eq!(same.ensemble().size, 2);
        assert!(differing(&same, "[10,20]").unwrap().is_identical);
        assert!(same.snapshot.get().is_none());
        assert_eq!(same.outputs().unwrap().as_json(), "[10,20]");

        let other = benchmark(&file, ["10", "20"]);
        assert_eq!(differing(&other, "[10,21]").unwrap().cases.len(), 1);
        assert!(other.snapshot.get().is_some());
        let kept = benchmark(&file, ["10", "20"]);
        let text = fs::read_to_string(&file).unwrap() + "{\"$kept\":{\"a\":1},\"output\":[3]}\n";
        fs::write(&file, text).unwrap();
        assert!(differing(&kept, "[10,20]").unwrap().is_identical);
        assert!(kept.snapshot.get().is_none());
        assert!(kept.has_kept() && !same.has_kept() && !other.has_kept());
        let changed = BenchmarkFile::read(&file, "{}").unwrap().unwrap();
        assert_eq!(differing(&changed, "[10,21]").unwrap().cases.len(), 1);
        assert!(changed.has_kept());
        // Earlier versions wrote hidden characters unescaped.
        for in_file in ["\"a\u{202e}\"", r#""a\u202e""#] {
            let shown = benchmark(&file, ["10", in_file]);
            let outputs = "[10,\"a\u{202e}\"]";
            assert!(differing(&shown, outputs).unwrap().is_identical);
            assert!(shown.snapshot.get().is_none());
            assert_eq!(shown.outputs().unwrap().as_json(), outputs);
            let read = shown.snapshot().unwrap();
            let outputs = Outputs::parse(outputs).unwrap();
            let compared = read.differing(&outputs, &Policy::exact());
            assert!(compared.unwrap().is_identical);
        }
        let notation = benchmark(&file, ["10", "2e1"]);
        let equal = differing(&notation, "[10,20]").unwrap();
        assert!(!equal.is_identical && equal.cases.is_empty());
    }

    #[test]
    fn a_pin_is_read_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a__f.snap");
        let pin = HEAD.replace(
            r#","definition""#,
            r#","ensemble_uuid":"e","benchmark_uuid":"b","output_digest":"00","definition""#,
        );
        fs::write(&file, &pin).unwrap();
        let pinned = BenchmarkFile::read(&file, "{}").unwrap().unwrap();
        assert_eq!(pinned.pin().unwrap().benchmark, "b");
        fs::write(&file, pin + "\n[[],1]\n").unwrap();
        assert!(BenchmarkFile::read(&file, "{}").is_err());
    }

    #[test]
    fn a_file_that_is_replaced_while_a_test_runs_is_not_compared_with_other_rows() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a__f.snap");
        let read = benchmark(&file, ["10", "20"]);
        let other = fs::read_to_string(&file).unwrap().replace("00ff", "00fe");
        fs::write(&file, other).unwrap();
        let error = differing(&read, "[10,21]")
            .unwrap_err()
            .in_file(Path::new("a__f.snap"));
        insta::assert_snapshot!(error, @"a__f.snap: was replaced while the test was running; run the test again");
        fs::remove_file(&file).unwrap();
        assert!(read.snapshot().is_err());
        assert!(BenchmarkFile::read(&file, "{}").unwrap().is_none());
    }
}
