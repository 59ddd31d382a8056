//! Kept rows, which a test runs in addition to its ensemble, at the end of a snapshot file.
//!
//! ```text
//! {"$kept":{"amount":0.0,"quantity":1},"output":0.0}
//! ```
//!
//! They aren't cases: size, digest and ensemble describe the rows before them. No output looks like
//! such a line, since the `$` at the start of a user's key is doubled.

use std::ops::Range;

use tdg_definition::Policy;
use tdg_definition::json::{self, Reader, Value};

use super::conflict_marker::refuse_conflict_marker;
use super::error::SnapshotError;
use super::hidden_characters;
use crate::compare::{DifferingCase, FieldDifference};
use crate::ensemble::Ensemble;
use crate::generate::Migration;

const START: &str = "{\"$kept\":";
const OUTPUT: &str = ",\"output\":";

/// A kept row with its output.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptCase {
    /// The row as a JSON object by feature names.
    pub row: String,
    /// The output as JSON.
    pub output: String,
}

/// A change of a kept row.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptChange {
    /// The number of the row, counted from 1.
    pub number: usize,
    /// The row as a JSON object by feature names.
    pub row: String,
    /// The recorded output as JSON, if any.
    pub expected: Option<String>,
    /// The output as JSON.
    pub actual: String,
    /// The differences of its output, or `None` if no output was recorded.
    pub differences: Option<Vec<FieldDifference>>,
}

/// The kept rows of a benchmark.
#[derive(Default)]
pub struct RecordedKept {
    cases: Vec<KeptCase>,
    /// The rows migrated to the current definition, if it changed.
    migrated: Vec<Option<Value>>,
}

/// The kept rows of a run, compared with the recorded ones.
#[derive(Debug, PartialEq)]
pub struct KeptComparison {
    /// The rows whose outputs aren't the recorded ones.
    pub changes: Vec<KeptChange>,
    /// True if all changes pass under the first policy, but not under another.
    pub is_loosened: bool,
    /// The recorded rows that the test has stopped keeping.
    pub lost: Vec<KeptCase>,
    /// The rows to record if all changes are accepted.
    pub accepted: Vec<KeptCase>,
}

impl KeptCase {
    fn line(&self) -> String {
        let Self { row, output } = self;
        let mut line = format!("{START}{row}{OUTPUT}{output}}}");
        hidden_characters::escape_from(&mut line, 0);
        line + "\n"
    }

    /// Reads a line; `None` if it is incomplete.
    fn of_line(line: &str) -> Option<Self> {
        let value = json::parse(line).ok()?;
        value.get("$kept")?.as_object()?;
        // Keeps the order of the features in the file.
        let row = line.strip_prefix(START)?;
        let mut reader = Reader::new(row);
        reader.skip_value().ok()?;
        Some(Self {
            row: hidden_characters::restored(&row[..reader.offset()]).into_owned(),
            output: value.get("output")?.to_string(),
        })
    }

    fn with_output_of(&self, recorded: &Self) -> Self {
        Self {
            row: self.row.clone(),
            output: recorded.output.clone(),
        }
    }
}

impl RecordedKept {
    /// Creates the kept rows of a benchmark, for a test whose ensemble is now `now`.
    pub fn new(cases: &[KeptCase], recorded: &Ensemble, now: &Ensemble) -> Self {
        let migrate = |kept: &KeptCase| Migration::of_row(&kept.row, recorded, now);
        let migrated = match recorded.definition == now.definition {
            true => Vec::new(),
            false => cases.iter().map(migrate).collect(),
        };
        Self {
            migrated,
            cases: cases.to_vec(),
        }
    }

    /// Compares each row under all policies.
    ///
    /// # Errors
    /// If an output is not JSON.
    pub fn compare(
        &self,
        policies: &[&Policy],
        now: &[KeptCase],
    ) -> Result<KeptComparison, json::Error> {
        let matches = self.matches(now.iter().map(|kept| &*kept.row));
        let (mut changes, mut accepted) = (Vec::new(), Vec::new());
        let mut is_loosened = false;
        for (index, (kept, recorded)) in now.iter().zip(&matches).enumerate() {
            let recorded = recorded.map(|index| &self.cases[index]);
            let differing = match recorded {
                Some(recorded) => differing(policies, &recorded.output, &kept.output)?,
                None => None,
            };
            if let (Some(recorded), None) = (recorded, &differing) {
                accepted.push(kept.with_output_of(recorded));
                continue;
            }
            let is_first = changes.is_empty();
            let by_other = differing.as_ref().is_some_and(|(policy, _)| *policy > 0);
            is_loosened = by_other && (is_first || is_loosened);
            accepted.push(kept.clone());
            changes.push(KeptChange {
                number: index + 1,
                row: kept.row.clone(),
                expected: recorded.map(|it| it.output.clone()),
                actual: kept.output.clone(),
                differences: differing.map(|(_, differences)| differences),
            });
        }
        let is_lost = |index: &usize| !matches.contains(&Some(*index));
        let lost = (0..self.cases.len()).filter(is_lost);
        Ok(KeptComparison {
            changes,
            is_loosened,
            lost: lost.map(|index| self.cases[index].clone()).collect(),
            accepted,
        })
    }

    /// Returns the rows that a test with these rows leaves in its file if no output is accepted.
    /// The outputs of removed rows stay until they are decided.
    #[must_use]
    pub fn of_rows(&self, rows: &[String]) -> Vec<KeptCase> {
        let matches = self.matches(rows.iter().map(|row| &**row));
        let with_recorded = |(row, index): (&String, &Option<usize>)| {
            Some(KeptCase {
                row: row.clone(),
                output: self.cases[(*index)?].output.clone(),
            })
        };
        let mut kept: Vec<KeptCase> = rows
            .iter()
            .zip(&matches)
            .filter_map(with_recorded)
            .collect();
        let others = self.cases.iter().enumerate();
        let others = others.filter(|(index, _)| !matches.contains(&Some(*index)));
        kept.extend(others.map(|(_, kept)| kept.clone()));
        kept
    }

    /// Matches each row with the same recorded row, or else with the only other one that has the
    /// same values for all common features. Names may be the benchmark's or the current ones.
    fn matches<'r>(&self, rows: impl Iterator<Item = &'r str>) -> Vec<Option<usize>> {
        let read = |row: &str| json::parse(row).unwrap_or_default();
        let both = self.cases.iter().enumerate().map(|(index, kept)| {
            let migrated = self.migrated.get(index).cloned().flatten();
            let own = read(&kept.row);
            [migrated.unwrap_or_else(|| own.clone()), own]
        });
        let recorded: Vec<[Value; 2]> = both.collect();
        let rows: Vec<Value> = rows.map(read).collect();
        let mut matches: Vec<Option<usize>> = Vec::new();
        for row in &rows {
            // A row that is kept twice was recorded twice.
            let itself = |position: &usize| recorded[*position].contains(row);
            let mut all = (0..recorded.len()).filter(itself);
            let first = all.clone().next();
            let free = all.find(|position| !matches.contains(&Some(*position)));
            matches.push(free.or(first));
        }
        for index in 0..rows.len() {
            if matches[index].is_some() {
                continue;
            }
            let is_alike = |position: &usize| {
                let mut names = recorded[*position].iter();
                !matches.contains(&Some(*position)) && names.any(|it| is_alike(it, &rows[index]))
            };
            let mut alike = (0..recorded.len()).filter(is_alike);
            let first = alike.next();
            matches[index] = first.filter(|_| alike.next().is_none());
        }
        matches
    }
}

impl KeptComparison {
    /// Returns true if there is nothing to decide.
    pub fn is_same(&self) -> bool {
        self.changes.is_empty() && self.lost.is_empty()
    }

    /// Returns true if all changes are rows without a recorded output, and no row was lost.
    pub fn is_new(&self) -> bool {
        self.lost.is_empty() && self.changes.iter().all(|it| it.differences.is_none())
    }
}

/// Returns true if both rows have the same values for their common features.
fn is_alike(one: &Value, other: &Value) -> bool {
    let members = one.as_object().into_iter().flat_map(|row| row.iter());
    let mut common = members.filter_map(|(name, value)| Some((value, other.get(name)?)));
    let mut is_any = false;
    let are_same = common.all(|(one, other)| {
        is_any = true;
        one == other
    });
    is_any && are_same
}

/// Returns the position of the first policy under which outputs differ, with the differences.
fn differing(
    policies: &[&Policy],
    recorded: &str,
    now: &str,
) -> Result<Option<(usize, Vec<FieldDifference>)>, json::Error> {
    for (position, policy) in policies.iter().enumerate() {
        let DifferingCase { comparison, .. } = DifferingCase::of_outputs(policy, 0, recorded, now)?;
        if !comparison.is_same() {
            return Ok(Some((position, comparison.differences)));
        }
    }
    Ok(None)
}

/// Returns the text of a snapshot file with its kept rows replaced.
#[must_use]
pub fn with_kept(text: &str, kept: &[KeptCase]) -> String {
    let cases = text.split_inclusive('\n');
    let mut text: String = cases.filter(|line| !is_kept(line)).collect();
    if !kept.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    kept.iter().for_each(|kept| text.push_str(&kept.line()));
    text
}

/// Returns true for the line of a kept row.
pub(super) fn is_kept(line: &str) -> bool {
    line.starts_with(START)
}

/// Removes the kept rows from the end of `lines` and parses them.
pub(super) fn take(
    text: &str,
    lines: &mut Vec<Range<usize>>,
) -> Result<Vec<KeptCase>, (usize, SnapshotError)> {
    let cases = lines
        .iter()
        .take_while(|line| !is_kept(&text[(*line).clone()]));
    let lines = lines.split_off(cases.count());
    let read = |line: Range<usize>| {
        let kept = &text[line.clone()];
        refuse_conflict_marker(kept).map_err(|error| (line.start, error))?;
        let damaged = || {
            SnapshotError::damaged(match line.end == text.len() {
                true => "truncated: it ends in the middle of this line",
                false => "not a kept row: one is {\"$kept\":{…},\"output\":…}",
            })
        };
        KeptCase::of_line(kept).ok_or_else(|| (line.start, damaged()))
    };
    lines.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Snapshot;
    use super::*;
    use tdg_definition::Tolerance;

    const HEAD: &str =
        r#"{"tdg":1,"ensemble":"f","size":2,"seed":"0","sampler":1,"digest":"","definition":{}}"#;

    fn kept(row: &str, output: &str) -> KeptCase {
        KeptCase {
            row: row.to_owned(),
            output: output.to_owned(),
        }
    }

    #[test]
    fn kept_rows_are_the_end_of_the_file_and_no_cases() {
        let cases = format!("{HEAD}\n[[1],10]\n[[2],20]");
        let rows = [
            kept(r#"{"b":1,"a":7}"#, "70"),
            kept(r#"{"a":8}"#, r#"{"x":[1]}"#),
        ];
        let text = with_kept(&cases, &rows);
        insta::assert_snapshot!(text, @r#"
        {"tdg":1,"ensemble":"f","size":2,"seed":"0","sampler":1,"digest":"","definition":{}}
        [[1],10]
        [[2],20]
        {"$kept":{"b":1,"a":7},"output":70}
        {"$kept":{"a":8},"output":{"x":[1]}}
        "#);
        let read = |text: &str| Snapshot::parse(text.to_owned());
        let snapshot = read(&text).unwrap();
        assert_eq!((snapshot.len(), snapshot.kept()), (2, &rows[..]));
        assert_eq!(with_kept(&text, &rows[1..]).matches("$kept").count(), 1);
        assert_eq!(with_kept(&text, &[]), cases + "\n");
        // Tools may change line endings like this.
        for changed in [text.replace('\n', "\r\n"), text.trim_end().to_owned()] {
            assert_eq!(read(&changed).unwrap().kept(), &rows);
        }
        let replaced = snapshot.with_outputs_replaced(|case| (case == 0).then(|| "11".to_owned()));
        assert_eq!(replaced.unwrap(), text.replace("10]", "11]"));
        let message = |text: &str| read(text).unwrap_err().to_string();
        insta::assert_snapshot!(message(&text[..text.len() - 3]), @"snapshot, line 5: truncated: it ends in the middle of this line; restore it from version control, or delete it to record again");
        insta::assert_snapshot!(message(&text.replace(r#","output":70"#, "")), @r#"snapshot, line 4: not a kept row: one is {"$kept":{…},"output":…}; restore it from version control, or delete it to record again"#);
        insta::assert_snapshot!(message(&format!("{text}[[3],30]\n")), @r#"snapshot, line 6: not a kept row: one is {"$kept":{…},"output":…}; restore it from version control, or delete it to record again"#);
        insta::assert_snapshot!(message(&text.replace("[[2],20]\n", "")), @"snapshot: hand-edited or truncated: says 2 cases, has 1; restore it from version control, or delete it to record again");
        insta::assert_snapshot!(message(&format!("{text}<<<<<<< main\n")), @"snapshot, line 6: conflict marker of an unfinished merge; run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test");
    }

    #[test]
    fn a_kept_row_is_compared_with_itself_despite_new_features() {
        let recorded = [
            kept(r#"{"a":7,"b":1}"#, "70"),
            kept(r#"{"a":8,"b":1}"#, "80"),
        ];
        let benchmark = RecordedKept {
            cases: recorded.to_vec(),
            ..RecordedKept::default()
        };
        let of = |now: &[KeptCase]| {
            let compared = benchmark.compare(&[&Policy::exact()], now).unwrap();
            let change = |it: &KeptChange| (it.number, it.differences.as_ref().map(Vec::len));
            compared.changes.iter().map(change).collect::<Vec<_>>()
        };
        assert_eq!(of(&recorded), []);
        assert_eq!(of(&[kept(r#"{"b":1.0,"a":8}"#, "80.0")]), []);
        assert_eq!(
            of(&[recorded[0].clone(), kept(r#"{"a":8,"b":1}"#, "81")]),
            [(2, Some(1))]
        );
        assert_eq!(of(&[kept(r#"{"a":9,"b":1}"#, "90")]), [(1, None)]);
        // One feature more, or one less.
        assert_eq!(of(&[kept(r#"{"a":8,"b":1,"c":3}"#, "81")]), [(1, Some(1))]);
        assert_eq!(of(&[kept(r#"{"a":8}"#, "81")]), [(1, Some(1))]);
        // Either recorded row may match.
        assert_eq!(of(&[kept(r#"{"b":1}"#, "81")]), [(1, None)]);
        let rows = [r#"{"a":8,"b":1}"#.to_owned(), r#"{"a":9,"b":1}"#.to_owned()];
        // The other rows stay.
        assert_eq!(
            benchmark.of_rows(&rows),
            [recorded[1].clone(), recorded[0].clone()]
        );
        let other_order = [recorded[1].clone(), recorded[0].clone()];
        assert_eq!(benchmark.of_rows(&rows[..1]), other_order);
        assert_eq!(benchmark.of_rows(&[]), recorded);
        let twice = RecordedKept {
            cases: vec![recorded[0].clone(); 2],
            ..RecordedKept::default()
        };
        let compared = twice.compare(&[&Policy::exact()], &twice.cases).unwrap();
        assert_eq!((compared.changes, compared.lost), (vec![], vec![]));
    }

    #[test]
    fn a_kept_row_is_found_under_another_name() {
        let definition = |name: &str| {
            format!(
                r#"{{"features":[{{"feature_name":"{name}","type":"INTEGER","distribution":{{"type":"uniform","min":0,"max":9}}}}]}}"#
            )
        };
        let text = HEAD.replace(
            r#""definition":{}"#,
            &format!(r#""definition":{}"#, definition("quantity")),
        );
        let text = with_kept(
            &format!("{text}\n[[1],10]\n[[2],20]"),
            &[kept(r#"{"quantity":7}"#, "70")],
        );
        let benchmark = Snapshot::parse(text).unwrap();
        let mut now = benchmark.ensemble().clone();
        now.definition = definition("qty");
        let recorded = RecordedKept::new(benchmark.kept(), benchmark.ensemble(), &now);
        assert_eq!(
            recorded.of_rows(&[r#"{"qty":7}"#.to_owned()]),
            [kept(r#"{"qty":7}"#, "70")]
        );
        let of = |row: &str, output: &str| {
            recorded
                .compare(&[&Policy::exact()], &[kept(row, output)])
                .unwrap()
        };
        assert_eq!(of(r#"{"qty":7}"#, "70").changes, []);
        assert_eq!(
            of(r#"{"qty":7}"#, "71").changes[0]
                .differences
                .as_ref()
                .unwrap()
                .len(),
            1
        );
        // Another row in place of the recorded one isn't recorded silently.
        let other = of(r#"{"qty":8}"#, "71");
        assert!(other.changes[0].differences.is_none() && !other.is_new());
        assert_eq!(other.lost, benchmark.kept());
        assert!(
            RecordedKept::default()
                .compare(&[], &[kept("{}", "1")])
                .unwrap()
                .is_new()
        );
    }

    #[test]
    fn a_kept_row_is_compared_under_every_policy_and_keeps_its_recorded_output() {
        let loose = Policy::exact().tolerance(Tolerance::abs(1.0)).unwrap();
        let recorded = RecordedKept {
            cases: vec![kept(r#"{"a":7}"#, "70.0")],
            ..RecordedKept::default()
        };
        let now = [kept(r#"{"a":7}"#, "70.5")];
        let by = |policies: &[&Policy]| recorded.compare(policies, &now).unwrap();
        let allowed = by(&[&loose]);
        assert_eq!(
            (allowed.changes, allowed.accepted),
            (vec![], recorded.cases.clone())
        );
        let loosened = by(&[&loose, &Policy::exact()]);
        assert!(loosened.is_loosened && loosened.changes.len() == 1);
        assert_eq!(loosened.accepted, now);
        assert!(!by(&[&Policy::exact(), &loose]).is_loosened);
    }
}
