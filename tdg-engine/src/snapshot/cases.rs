//! The cases of a snapshot.

use std::borrow::Cow;
use std::ops::Range;

use tdg_definition::json::{self, Reader, Value};

use super::error::SnapshotError;
use super::parse::Snapshot;
use super::{case_line, hidden_characters};
use crate::output::{self, Outputs};

impl Snapshot {
    /// Returns the number of cases.
    pub fn len(&self) -> usize {
        self.cases()
    }

    /// Returns true if there are no cases.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if the output of a case is this canonical JSON text, or the same with hidden
    /// characters escaped.
    ///
    /// True is final. If false, it may still be the same value in another notation: compare
    /// [`output_text`](Self::output_text) by value.
    pub fn output_is(&self, case: usize, output: &str) -> bool {
        let line = self.line_bytes(case);
        let is = |output: &str| match self.has_inputs() {
            true => case_line::output_is(line, output.as_bytes()),
            false => !line.is_empty() && line == output.as_bytes(),
        };
        is(output) || hidden_characters::escaped(output).is_some_and(|escaped| is(&escaped))
    }

    /// Returns the text of a case's inputs, an array in the order of the features.
    ///
    /// # Errors
    ///
    /// If the line is not a case, or the file has no inputs.
    pub fn row_text(&self, case: usize) -> Result<Cow<'_, str>, SnapshotError> {
        let (row, _) = self.parts(case)?;
        Ok(hidden_characters::restored(&self.line(case)[row]))
    }

    /// Returns the texts of all inputs; empty if they aren't in the file.
    ///
    /// # Errors
    ///
    /// If a line is not a case.
    pub fn rows(&self) -> Result<Vec<Cow<'_, str>>, SnapshotError> {
        let cases = if self.has_inputs() { self.len() } else { 0 };
        (0..cases).map(|case| self.row_text(case)).collect()
    }

    /// Returns the text of a case's output.
    ///
    /// # Errors
    ///
    /// If the line is not a case.
    pub fn output_text(&self, case: usize) -> Result<Cow<'_, str>, SnapshotError> {
        let (_, output) = self.parts(case)?;
        Ok(hidden_characters::restored(&self.line(case)[output]))
    }

    /// Returns the text of this snapshot with the outputs of some cases replaced by JSON.
    ///
    /// # Errors
    ///
    /// If the line of a replaced case is not a case.
    pub fn with_outputs_replaced(
        &self,
        mut replacement: impl FnMut(usize) -> Option<String>,
    ) -> Result<String, SnapshotError> {
        let mut text = String::with_capacity(self.text().len());
        let mut end = 0;
        for case in 0..self.len() {
            if let Some(output) = replacement(case) {
                let (_, old) = self.parts(case)?;
                let start = self.line_range(case).start;
                text.push_str(&self.text()[end..start + old.start]);
                let replaced = text.len();
                text.push_str(&output);
                hidden_characters::escape_from(&mut text, replaced);
                end = start + old.end;
            }
        }
        text.push_str(&self.text()[end..]);
        Ok(text)
    }

    /// Returns the text of this snapshot with other outputs for its cases. Equal outputs keep their
    /// notation.
    ///
    /// # Errors
    ///
    /// If a line is not a case.
    pub fn with_replaced(&self, outputs: &Outputs) -> Result<String, SnapshotError> {
        let former = self.outputs()?;
        let is_same = |case: usize| {
            let (former, output) = (former.get(case), outputs.get(case));
            former == output || json::parse(former).is_ok_and(|it| it.to_string() == output)
        };
        self.with_outputs_replaced(|case| (!is_same(case)).then(|| outputs.get(case).to_owned()))
    }

    /// Returns a case's output.
    ///
    /// # Errors
    ///
    /// If the line is not a case.
    pub fn output(&self, case: usize) -> Result<Value, SnapshotError> {
        let output = if self.has_inputs() {
            case_line::read(self.line(case)).map(|(_, output)| output)
        } else {
            output::read(self.line(case))
        };
        output.map_err(|error| self.damaged(case, error))
    }

    /// Returns the ranges of inputs and output in the line of a case.
    fn parts(&self, case: usize) -> Result<(Range<usize>, Range<usize>), SnapshotError> {
        let line = self.line(case);
        if !self.has_inputs() {
            return match line {
                "" => Err(self.damaged(case, Reader::new(line).error_at(0, "no line"))),
                _ => Ok((0..0, 0..line.len())),
            };
        }
        case_line::split(self.line(case)).map_err(|error| self.damaged(case, error))
    }

    fn damaged(&self, case: usize, error: json::Error) -> SnapshotError {
        if self.pin().is_some() && self.is_empty() {
            return SnapshotError::new(
                "it pins a benchmark on a server, so it has no cases",
                "run the test to see what changed, or decide about the whole change",
            );
        }
        let error = SnapshotError::damaged(format!(
            "case {case} is not {}: {} (column {})",
            if self.has_inputs() {
                "[[inputs…],output]"
            } else {
                "an output"
            },
            error.message(),
            error.column()
        ))
        .at_line(self.line_number(case))
        .caused_by(error);
        match self.path() {
            Some(path) => error.in_file(path),
            None => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(cases: &[&str]) -> Snapshot {
        let ensemble = r#""ensemble":"f","seed":"0","sampler":1,"digest":"","definition":{}"#;
        let size = cases.len();
        Snapshot::parse(format!(
            "{{\"tdg\":1,\"size\":{size},{ensemble}}}\n{}\n",
            cases.join("\n")
        ))
        .unwrap()
    }

    #[test]
    fn only_the_whole_output_is_the_output() {
        let outputs = [
            "1",
            "11",
            "[[3],1]",
            "[1]",
            "[[1]]",
            "[]",
            "[[],[]]",
            r#""],1""#,
            r#""1""#,
            r#""],\"""#,
            r#""\"""#,
            r#"["],",1]"#,
            r#"["],[",1]"#,
            r#"{"a":[[],{}]}"#,
            "{}",
            "null",
            r#""""#,
        ];
        for row in ["[]", "[[],1]", r#"["],1"]"#, r#"["\"],1",[]]"#] {
            for output in outputs {
                let snapshot = snapshot(&[&format!("[{row},{output}]")]);
                for other in outputs {
                    assert_eq!(
                        snapshot.output_is(0, other),
                        output == other,
                        "{row} {output} {other}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_outputs_of_some_cases_are_replaced() {
        let old = snapshot(&["[[1],10]", "[[2],{\"a\":20}]", "[ [3] , 30 ]"]);
        let replace = |cases: &[usize]| {
            let output = |case| cases.contains(&case).then(|| format!("[{case}]"));
            old.with_outputs_replaced(output).unwrap()
        };
        let mixed = Snapshot::parse(replace(&[1, 2])).unwrap();
        let lines: Vec<_> = (0..3).map(|case| mixed.line(case)).collect();
        assert_eq!(lines, ["[[1],10]", "[[2],[1]]", "[ [3] , [2]]"]);
        assert_eq!(replace(&[]), old.text());
    }

    #[test]
    fn outputs_that_stay_are_written_as_they_were() {
        let old = snapshot(&["[[1],10]", "[ [2] , 2.50 ]", "[[3],{\"a\":30}]"]);
        let outputs = Outputs::parse(r#"[10, 2.5, {"a": 31}]"#).unwrap();
        let replaced = old.with_replaced(&outputs).unwrap();
        assert_eq!(replaced, old.text().replace("30", "31"));
    }

    #[test]
    fn outputs_alone_are_read_by_line() {
        let snapshot = Snapshot::parse(
            "{\"tdg\":2,\"needs\":[\"outputs only\"],\"size\":3,\"ensemble\":\"f\",\"seed\":\"0\",\
             \"sampler\":1,\"digest\":\"\",\"definition\":{}}\n1.5\n[[1],2]\n\"a\"\n"
                .to_owned(),
        )
        .unwrap();
        assert!(snapshot.output_is(0, "1.5") && snapshot.output_is(1, "[[1],2]"));
        assert!(!snapshot.output_is(1, "2") && !snapshot.output_is(3, ""));
        assert_eq!(snapshot.output(2).unwrap(), "a".into());
        assert!(snapshot.rows().unwrap().is_empty() && snapshot.output(3).is_err());
        let replaced = snapshot.with_outputs_replaced(|case| (case == 1).then(|| "{}".to_owned()));
        assert!(replaced.unwrap().ends_with("\n1.5\n{}\n\"a\"\n"));
    }

    #[test]
    fn another_notation_is_not_the_same_text_but_is_read() {
        let snapshot = snapshot(&["[ [1] , 1.50 ]"]);
        assert!(!snapshot.output_is(0, "1.5"));
        assert_eq!(snapshot.row_text(0).unwrap(), "[1]");
        assert_eq!(snapshot.output_text(0).unwrap().trim(), "1.50");
        assert_eq!(snapshot.output(0).unwrap(), 1.5.into());
    }

    #[test]
    fn a_case_after_the_last_is_an_error() {
        let snapshot = snapshot(&["[[],1]"]);
        assert!(!snapshot.output_is(1, "1"));
        assert!(snapshot.output(1).is_err());
    }

    #[test]
    fn an_output_may_be_as_deep_as_json_may_be() {
        let output = "[".repeat(json::DEPTH_LIMIT) + &"]".repeat(json::DEPTH_LIMIT);
        let snapshot = snapshot(&[&format!("[[],{output}]")]);
        assert!(snapshot.output_is(0, &output));
        assert_eq!(snapshot.output(0).unwrap().to_string(), output);
    }

    #[test]
    fn a_damaged_case_has_its_place_and_a_fix() {
        let damaged = snapshot(&[
            "[[],0]",
            "[[1,],2]",
            "[[1],tru]",
            "[[1]]",
            "[1,2]",
            "[[1],2,3]",
        ]);
        let messages: Vec<String> = (1..damaged.len())
            .map(|case| damaged.output(case).unwrap_err().to_string())
            .collect();
        insta::assert_snapshot!(messages.join("\n"), @"
        snapshot, line 3: case 1 is not [[inputs…],output]: expected a value, found `]` (column 5); restore it from version control, or delete it to record again
        snapshot, line 4: case 2 is not [[inputs…],output]: expected a value, found `tru` (column 6); restore it from version control, or delete it to record again
        snapshot, line 5: case 3 is not [[inputs…],output]: expected another element, found `]` (column 5); restore it from version control, or delete it to record again
        snapshot, line 6: case 4 is not [[inputs…],output]: expected an array (column 2); restore it from version control, or delete it to record again
        snapshot, line 7: case 5 is not [[inputs…],output]: expected the end of the text, found `,` (column 7); restore it from version control, or delete it to record again
        ");
    }
}
