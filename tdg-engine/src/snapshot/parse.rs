//! The text of a snapshot file and its parts.

use std::fs;
use std::io::{self, BufRead};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tdg_definition::json;

use super::case_line;
use tdg_definition::Policy;

use super::conflict_marker::refuse_conflict_marker;
use super::ensemble_line::{self, EnsembleLine, SnapshotBody};
use super::error::SnapshotError;
use super::kept_rows::{self, KeptCase};
use super::pin::Pin;
use crate::ensemble::Ensemble;
use crate::output::Outputs;

/// Some editors write it at the start of a file.
pub(super) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A snapshot: the committed text form of a benchmark.
///
/// The text is kept unchanged. The header is skipped, the ensemble is parsed, and cases are located
/// and parsed on demand. Changes by cargo-insta, editors and version control that don't affect the
/// meaning (other header, CRLF, blank lines, no final newline) are accepted.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The file, if it was read from one.
    path: Option<PathBuf>,
    text: String,
    line: EnsembleLine,
    /// The line of each case in the text, without the line break.
    cases: Vec<Range<usize>>,
    /// The kept rows.
    kept: Vec<KeptCase>,
}

impl Snapshot {
    /// Reads a snapshot file, or returns `None` if it doesn't exist.
    ///
    /// # Errors
    ///
    /// If the file can't be read, or is not a whole snapshot.
    pub fn read(path: &Path) -> Result<Option<Self>, SnapshotError> {
        Self::read_of(path, "")
    }

    /// Like [`read`](Self::read), but a file with the same `definition`, given as canonical JSON,
    /// is read without parsing its definition.
    ///
    /// # Errors
    ///
    /// Same as [`read`](Self::read).
    pub fn read_of(path: &Path, definition: &str) -> Result<Option<Self>, SnapshotError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => {
                let problem = format!("can't be read: {cause}");
                let error = SnapshotError::new(problem, "check its permissions").in_file(path);
                return Err(error.caused_by(cause));
            }
        };
        String::from_utf8(bytes)
            .map_err(|error| {
                let cause = error.utf8_error();
                let valid = &error.as_bytes()[..cause.valid_up_to()];
                SnapshotError::damaged("not UTF-8")
                    .at_line(valid.iter().filter(|&&byte| byte == b'\n').count() + 1)
                    .caused_by(cause)
            })
            .and_then(|text| Self::parse_of(text, definition))
            .map_err(|error| error.in_file(path))
            .map(|snapshot| {
                Some(Self {
                    path: Some(path.to_owned()),
                    ..snapshot
                })
            })
    }

    /// Parses the text of a snapshot file.
    ///
    /// # Errors
    ///
    /// If it is not a snapshot, was written by a newer version, is truncated, has conflict
    /// markers, or has another number of cases than it says.
    pub fn parse(text: String) -> Result<Self, SnapshotError> {
        Self::parse_of(text, "")
    }

    fn parse_of(text: String, definition: &str) -> Result<Self, SnapshotError> {
        let mut lines = locate_lines(&text);
        let header = header_length(&text, &lines)?;
        let Some(line) = lines.get(header).cloned() else {
            return Err(SnapshotError::damaged(
                "truncated: it ends before the line about the ensemble",
            ));
        };
        let line = read_ensemble(&text, &line, definition)
            .map_err(|error| error.at_line(line_number(&text, line.start)))?;
        lines.drain(..=header);
        let kept = kept_rows::take(&text, &mut lines)
            .map_err(|(start, error)| error.at_line(line_number(&text, start)))?;
        check_cases(&text, &lines, line.cases(), &line.body)?;
        Ok(Self {
            path: None,
            text,
            line,
            cases: lines,
            kept,
        })
    }

    /// Returns the whole text, unchanged.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the ensemble that the cases belong to.
    pub fn ensemble(&self) -> &Ensemble {
        &self.line.ensemble
    }

    pub(super) fn ensemble_line(&self) -> &EnsembleLine {
        &self.line
    }

    /// Returns the file, if it was read from one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the pinned benchmark on a server; such a snapshot has no cases.
    pub fn pin(&self) -> Option<&Pin> {
        self.line.pin()
    }

    /// Returns the UUID of the pinned benchmark that these cases are to replace. Once they are
    /// accepted, the next run with that server pins them instead.
    pub fn replaces(&self) -> Option<&str> {
        self.line.replaces.as_deref()
    }

    /// Returns the policy with which the outputs were recorded or accepted; exact in the store.
    pub fn policy(&self) -> &Policy {
        &self.line.policy
    }

    /// Returns true if the inputs are in the file; otherwise the rows are drawn.
    pub fn has_inputs(&self) -> bool {
        matches!(self.line.body, SnapshotBody::Cases)
    }

    /// Returns the snapshot of a pin with the outputs from the server. It has no rows; they are
    /// drawn again.
    pub fn with_outputs(&self, outputs: &Outputs) -> Self {
        Self {
            path: self.path.clone(),
            line: self.line.clone(),
            kept: self.kept.clone(),
            ..Self::of_outputs(self.line.ensemble.clone(), outputs)
        }
    }

    /// Creates a benchmark of the ensemble from these outputs, without the rows.
    pub fn of_outputs(ensemble: Ensemble, outputs: &Outputs) -> Self {
        let mut text = String::with_capacity(outputs.as_json().len() + 5 * outputs.len());
        let mut cases = Vec::with_capacity(outputs.len());
        for case in 0..outputs.len() {
            let start = text.len();
            text.push_str(outputs.get(case));
            cases.push(start..text.len());
            text.push('\n');
        }
        Self {
            path: None,
            text,
            line: EnsembleLine {
                ensemble,
                body: SnapshotBody::Outputs,
                is_named: false,
                package: None,
                replaces: None,
                policy: Policy::exact(),
            },
            cases,
            kept: Vec::new(),
        }
    }

    /// Returns the outputs of all cases.
    ///
    /// # Errors
    ///
    /// If a line is not a case.
    pub fn outputs(&self) -> Result<Outputs, SnapshotError> {
        let mut outputs = Outputs::with_capacity(self.len());
        for case in 0..self.len() {
            outputs.push_text(&self.output_text(case)?);
        }
        Ok(outputs)
    }

    /// Returns the outputs as values, or `None` if one can't be read.
    pub fn values(&self) -> Option<Vec<json::Value>> {
        (0..self.len()).map(|case| self.output(case).ok()).collect()
    }

    pub(super) fn cases(&self) -> usize {
        self.cases.len()
    }

    /// Returns the line of a case, or an empty string without such a case.
    pub(super) fn line(&self, case: usize) -> &str {
        &self.text[self.line_range(case)]
    }

    /// Returns the range of a case's line in the text.
    pub(super) fn line_range(&self, case: usize) -> Range<usize> {
        self.cases.get(case).cloned().unwrap_or_default()
    }

    /// Like [`line`](Self::line), but returns bytes without checking character boundaries.
    pub(super) fn line_bytes(&self, case: usize) -> &[u8] {
        match self.cases.get(case) {
            Some(line) => &self.text.as_bytes()[line.start..line.end],
            None => b"",
        }
    }

    /// Returns the line number of a case in the file, counted from 1.
    pub(super) fn line_number(&self, case: usize) -> usize {
        let start = self
            .cases
            .get(case)
            .map_or(self.text.len(), |line| line.start);
        line_number(&self.text, start)
    }

    /// Returns the kept rows with their outputs.
    pub fn kept(&self) -> &[KeptCase] {
        &self.kept
    }
}

/// Locates the lines that aren't blank, without trailing white space.
fn locate_lines(text: &str) -> Vec<Range<usize>> {
    // `skip_until` is compiled with the standard library; a search in a `str` would be compiled
    // with the user's tests, without optimization.
    let mut rest = text.trim_start_matches(BYTE_ORDER_MARK).as_bytes();
    let mut start = text.len() - rest.len();
    let mut lines = Vec::with_capacity(text.len() / 64);
    while let Ok(length @ 1..) = rest.skip_until(b'\n') {
        let next = start + length;
        let mut end = next;
        while end > start && text.as_bytes()[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        if end > start {
            lines.push(start..end);
        }
        start = next;
    }
    lines
}

/// Returns the number of lines in the header, including both `---`. It is YAML for cargo-insta and
/// reviewers; tdg doesn't read it.
fn header_length(text: &str, lines: &[Range<usize>]) -> Result<usize, SnapshotError> {
    if lines
        .first()
        .is_none_or(|line| &text[line.clone()] != "---")
    {
        return Ok(0);
    }
    for (index, line) in lines.iter().enumerate().skip(1) {
        if &text[line.clone()] == "---" {
            return Ok(index + 1);
        }
        refuse_conflict_marker(&text[line.clone()])
            .map_err(|error| error.at_line(line_number(text, line.start)))?;
    }
    Err(SnapshotError::damaged(
        "truncated: it ends within its header",
    ))
}

fn read_ensemble(
    text: &str,
    line: &Range<usize>,
    definition: &str,
) -> Result<EnsembleLine, SnapshotError> {
    let ends_the_file = line.end == text.len();
    let line = &text[line.clone()];
    refuse_conflict_marker(line)?;
    if ends_the_file && line.starts_with('{') && !line.ends_with('}') {
        return Err(cut());
    }
    ensemble_line::parse_of(line, definition)
}

fn check_cases(
    text: &str,
    cases: &[Range<usize>],
    size: usize,
    body: &SnapshotBody,
) -> Result<(), SnapshotError> {
    if let Some((line, problem)) = cases.iter().find_map(|line| match body {
        SnapshotBody::Cases if !is_case(text, line) => {
            Some((line, "not a case: a case is [[inputs…],output]"))
        }
        // No output begins like a conflict marker.
        SnapshotBody::Outputs
            if matches!(text.as_bytes()[line.start], b'<' | b'|' | b'=' | b'>') =>
        {
            Some((line, "not an output"))
        }
        _ => None,
    }) {
        let error = match refuse_conflict_marker(&text[line.clone()]) {
            Err(error) => error,
            Ok(()) if line.end == text.len() => cut(),
            Ok(()) => SnapshotError::damaged(problem),
        };
        return Err(error.at_line(line_number(text, line.start)));
    }
    if let Some(last) = cases.last()
        && last.end == text.len()
        && !is_whole(&text[last.clone()], body)
    {
        return Err(cut().at_line(line_number(text, last.start)));
    }
    if cases.len() != size {
        return Err(SnapshotError::damaged(format!(
            "hand-edited or truncated: says {size} cases, has {}",
            cases.len()
        )));
    }
    Ok(())
}

fn is_case(text: &str, line: &Range<usize>) -> bool {
    let line = &text.as_bytes()[line.start..line.end];
    line[0] == b'[' && line[line.len() - 1] == b']'
}

/// Returns true if the last line was not cut.
fn is_whole(line: &str, body: &SnapshotBody) -> bool {
    match body {
        SnapshotBody::Outputs => json::parse(line).is_ok(),
        SnapshotBody::Cases | SnapshotBody::Pin(_) => case_line::read(line).is_ok(),
    }
}

fn cut() -> SnapshotError {
    SnapshotError::damaged("truncated: it ends in the middle of this line")
}

#[cold]
fn line_number(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNAPSHOT: &str = r#"---
expression: "pricing::total"
description: "3 cases"
---
{"tdg":1,"ensemble":"pricing::total","size":3,"seed":"7","sampler":1,"digest":"00ff","definition":{}}
[[12.5,"HALF"],{"price":6.25}]
[[1,null],[[1],[2]]]
[[],null]
"#;

    fn parsed(text: impl Into<String>) -> Snapshot {
        Snapshot::parse(text.into()).unwrap()
    }

    fn message(text: impl Into<String>) -> String {
        Snapshot::parse(text.into()).unwrap_err().to_string()
    }

    fn cases(snapshot: &Snapshot) -> Vec<(String, String)> {
        (0..snapshot.len())
            .map(|case| {
                let row = snapshot.row_text(case).unwrap();
                let output = snapshot.output_text(case).unwrap();
                (row.into_owned(), output.into_owned())
            })
            .collect()
    }

    #[test]
    fn a_snapshot_has_its_ensemble_and_its_cases() {
        let snapshot = parsed(SNAPSHOT);
        assert_eq!(snapshot.ensemble().name, "pricing::total");
        assert_eq!(snapshot.text(), SNAPSHOT);
        assert_eq!(
            cases(&snapshot),
            [
                (r#"[12.5,"HALF"]"#.into(), r#"{"price":6.25}"#.into()),
                ("[1,null]".into(), "[[1],[2]]".into()),
                ("[]".into(), "null".into()),
            ]
        );
    }

    #[test]
    fn what_tools_do_to_the_file_does_not_matter() {
        let (header, body) = SNAPSHOT.split_at(SNAPSHOT.find("{\"tdg\"").unwrap());
        for changed in [
            SNAPSHOT.replace('\n', "\r\n"),
            SNAPSHOT.trim_end().to_owned(),
            SNAPSHOT.replace('\n', "\r\n").trim_end().to_owned(),
            format!("{SNAPSHOT}\n\n \t\n"),
            SNAPSHOT.replace('\n', "  \n"),
            format!("\u{feff}{SNAPSHOT}"),
            body.to_owned(),
            format!("---\n---\n\n{body}"),
            format!("---\nsource: a.rs\nsnapshot_kind: text\n{}", &header[4..]) + body,
            format!("---\ndescription: |-\n  ---\n  {{\"tdg\":\n\nexpression: 'a'\n---\n{body}"),
        ] {
            let snapshot = parsed(&*changed);
            assert_eq!(cases(&snapshot), cases(&parsed(SNAPSHOT)), "{changed:?}");
            assert_eq!(
                snapshot.ensemble(),
                parsed(SNAPSHOT).ensemble(),
                "{changed:?}"
            );
        }
    }

    #[test]
    fn a_lost_or_added_case_is_an_error() {
        insta::assert_snapshot!(message(SNAPSHOT.replace("[[],null]\n", "")), @"snapshot: hand-edited or truncated: says 3 cases, has 2; restore it from version control, or delete it to record again");
        insta::assert_snapshot!(message(format!("{SNAPSHOT}[[],1]\n")), @"snapshot: hand-edited or truncated: says 3 cases, has 4; restore it from version control, or delete it to record again");
    }

    #[test]
    fn a_truncated_file_is_an_error_with_its_place() {
        let cut_before = |text: &str| message(&SNAPSHOT[..SNAPSHOT.find(text).unwrap()]);
        insta::assert_snapshot!([
            message(""),
            cut_before("pricing"),
            cut_before("---\n{"),
            cut_before("{\"tdg\""),
            cut_before("\"size\""),
            cut_before(",[[1],[2]]"),
            cut_before(",[2]]"),
            cut_before(",null]\n"),
            cut_before("[[],null]"),
        ].join("\n"), @"
        snapshot: truncated: it ends before the line about the ensemble; restore it from version control, or delete it to record again
        snapshot: truncated: it ends within its header; restore it from version control, or delete it to record again
        snapshot: truncated: it ends within its header; restore it from version control, or delete it to record again
        snapshot: truncated: it ends before the line about the ensemble; restore it from version control, or delete it to record again
        snapshot, line 5: truncated: it ends in the middle of this line; restore it from version control, or delete it to record again
        snapshot, line 7: truncated: it ends in the middle of this line; restore it from version control, or delete it to record again
        snapshot, line 7: truncated: it ends in the middle of this line; restore it from version control, or delete it to record again
        snapshot, line 8: truncated: it ends in the middle of this line; restore it from version control, or delete it to record again
        snapshot: hand-edited or truncated: says 3 cases, has 2; restore it from version control, or delete it to record again
        ");
    }

    #[test]
    fn a_file_truncated_anywhere_is_an_error() {
        for end in 0..SNAPSHOT.len() - 1 {
            assert!(
                Snapshot::parse(SNAPSHOT[..end].to_owned()).is_err(),
                "cut at {end}"
            );
        }
    }

    #[test]
    fn a_conflict_marker_is_reported_wherever_it_is() {
        let conflicted = |before: &str| {
            let (start, end) = SNAPSHOT.split_at(SNAPSHOT.find(before).unwrap());
            message(format!(
                "{start}<<<<<<< HEAD\n{end}=======\n{end}>>>>>>> main\n"
            ))
        };
        insta::assert_snapshot!([
            conflicted("---"),
            conflicted("expression"),
            conflicted("{\"tdg\""),
            conflicted("[[1,null]"),
        ].join("\n"), @"
        snapshot, line 1: conflict marker of an unfinished merge; run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test
        snapshot, line 2: conflict marker of an unfinished merge; run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test
        snapshot, line 5: conflict marker of an unfinished merge; run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test
        snapshot, line 7: conflict marker of an unfinished merge; run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test
        ");
        assert!(message(SNAPSHOT.replace("[[1,", "=======\n[[1,")).contains("line 7: conflict"));
    }

    #[test]
    fn a_line_that_is_not_a_case_is_named() {
        insta::assert_snapshot!(message(SNAPSHOT.replace("[[1,", "see below\n[[1,")), @"snapshot, line 7: not a case: a case is [[inputs…],output]; restore it from version control, or delete it to record again");
    }

    #[test]
    fn errors_of_a_file_carry_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a__f.snap");
        assert!(Snapshot::read(&path).unwrap().is_none());
        fs::write(&path, SNAPSHOT).unwrap();
        assert_eq!(Snapshot::read(&path).unwrap().unwrap().text(), SNAPSHOT);

        fs::write(&path, b"---\n---\n\xff\n").unwrap();
        let error = Snapshot::read(&path).unwrap_err();
        assert_eq!((error.path(), error.line()), (Some(&*path), Some(3)));
        assert!(
            Snapshot::read(folder.path())
                .unwrap_err()
                .to_string()
                .contains("can't be read")
        );
    }
}
