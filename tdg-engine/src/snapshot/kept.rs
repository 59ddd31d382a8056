//! The rows that are kept beside the ensemble, with their outputs: the end of a snapshot file.
//!
//! ```text
//! {"$kept":{"amount":0.0,"quantity":1},"output":0.0}
//! ```
//!
//! They are no cases: size, digest and ensemble are those of the rows before them. An output can't
//! look like that, since a key of the user's that begins with `$` has it doubled.

use std::ops::Range;

use tdg_definition::Policy;
use tdg_definition::json::{self, Reader};

use super::conflict_marker::refuse_conflict_marker;
use super::error::SnapshotError;
use crate::compare::{FieldDifference, compare};

const START: &str = "{\"$kept\":";
const OUTPUT: &str = ",\"output\":";

/// A row beside the ensemble with its output.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptCase {
    /// The row as a JSON object by feature names.
    pub row: String,
    /// The output as JSON.
    pub output: String,
}

/// What became of a kept row.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptChange {
    /// Its number, from 1.
    pub number: usize,
    /// The row as a JSON object by feature names.
    pub row: String,
    /// How its output differs; `None` if it has none that was recorded.
    pub differences: Option<Vec<FieldDifference>>,
}

impl KeptCase {
    fn line(&self) -> String {
        let Self { row, output } = self;
        format!("{START}{row}{OUTPUT}{output}}}\n")
    }

    /// `None` if the line is not whole.
    fn of_line(line: &str) -> Option<Self> {
        let value = json::parse(line).ok()?;
        value.get("$kept")?.as_object()?;
        // The order of the features is that of the file.
        let row = line.strip_prefix(START)?;
        let mut reader = Reader::new(row);
        reader.skip_value().ok()?;
        Some(Self {
            row: row[..reader.offset()].to_owned(),
            output: value.get("output")?.to_string(),
        })
    }

    /// Whether both rows have the same values, as far as both definitions have the features.
    fn is_of_row(&self, other: &str) -> bool {
        let read = |text| json::parse(text).unwrap_or_default();
        let (one, other) = (read(&self.row), read(other));
        let members = one.as_object().into_iter().flat_map(|row| row.iter());
        let mut common = members.filter_map(|(name, value)| Some((value, other.get(name)?)));
        let mut is_any = false;
        let are_same = common.all(|(one, other)| {
            is_any = true;
            one == other
        });
        is_any && are_same
    }
}

/// The kept rows whose outputs are not the recorded ones.
///
/// # Errors
/// An output is not JSON.
pub fn compare_kept(
    policy: &Policy,
    recorded: &[KeptCase],
    now: &[KeptCase],
) -> Result<Vec<KeptChange>, json::Error> {
    let mut changes = Vec::new();
    for (index, kept) in now.iter().enumerate() {
        let differences = match find(recorded, &kept.row) {
            Some(before) => {
                let (before, now) = (json::parse(&before.output)?, json::parse(&kept.output)?);
                Some(compare(policy, &before, &now))
            }
            None => None,
        };
        if differences.as_ref().is_some_and(|it| it.is_same()) {
            continue;
        }
        changes.push(KeptChange {
            number: index + 1,
            row: kept.row.clone(),
            differences: differences.map(|it| it.differences),
        });
    }
    Ok(changes)
}

/// The row itself, or the only one that has the values of all features that both have.
fn find<'a>(recorded: &'a [KeptCase], row: &str) -> Option<&'a KeptCase> {
    let is_row =
        |kept: &&KeptCase| kept.row == row || json::parse(&kept.row).ok() == json::parse(row).ok();
    recorded.iter().find(is_row).or_else(|| {
        let mut alike = recorded.iter().filter(|kept| kept.is_of_row(row));
        alike.next().filter(|_| alike.next().is_none())
    })
}

/// The text of a snapshot file with these kept rows in place of those that it has.
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

/// Of these kept rows, those that a test has, given as JSON objects.
#[must_use]
pub fn still_kept(recorded: &[KeptCase], rows: &[String]) -> Vec<KeptCase> {
    let of_rows = rows.iter().filter_map(|row| find(recorded, row));
    of_rows.cloned().collect()
}

/// Whether a line is that of a kept row.
pub(super) fn is_kept(line: &str) -> bool {
    line.starts_with(START)
}

/// Takes the kept rows from the end of the lines.
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
        // As tools leave it.
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
    fn a_kept_row_is_compared_with_itself_whatever_the_definition_has_beside_it() {
        let recorded = [
            kept(r#"{"a":7,"b":1}"#, "70"),
            kept(r#"{"a":8,"b":1}"#, "80"),
        ];
        let of = |now: &[KeptCase]| {
            let changes = compare_kept(&Policy::exact(), &recorded, now).unwrap();
            let change = |it: &KeptChange| (it.number, it.differences.as_ref().map(Vec::len));
            changes.iter().map(change).collect::<Vec<_>>()
        };
        assert_eq!(of(&recorded), []);
        assert_eq!(of(&[kept(r#"{"b":1.0,"a":8}"#, "80.0")]), []);
        assert_eq!(
            of(&[recorded[0].clone(), kept(r#"{"a":8,"b":1}"#, "81")]),
            [(2, Some(1))]
        );
        assert_eq!(of(&[kept(r#"{"a":9,"b":1}"#, "90")]), [(1, None)]);
        // Another feature more, or one less.
        assert_eq!(of(&[kept(r#"{"a":8,"b":1,"c":3}"#, "81")]), [(1, Some(1))]);
        assert_eq!(of(&[kept(r#"{"a":8}"#, "81")]), [(1, Some(1))]);
        // Either may be it.
        assert_eq!(of(&[kept(r#"{"b":1}"#, "81")]), [(1, None)]);
        let rows = [r#"{"a":8,"b":1}"#.to_owned(), r#"{"a":9,"b":1}"#.to_owned()];
        assert_eq!(still_kept(&recorded, &rows), recorded[1..]);
    }
}
