//! Rows in progress: their numbers, their inputs, and the command that runs them alone.

use std::time::Duration;

use super::{WIDTH, counted};
use tdg_engine::text::{escape, shorten};

/// The maximum number of rows named.
const SHOWN_ROWS: usize = 16;

/// The width of an input; all inputs together may have two lines.
const INPUT_WIDTH: usize = 40;

/// The rows that a test's function is running on.
#[derive(Clone, Debug)]
pub struct Running {
    /// The name of the test.
    pub test: String,
    /// The rows.
    pub rows: RunningRows,
    /// The inputs of the row as JSON, each with its name, if it is a single row.
    pub inputs: Vec<(String, String)>,
    /// The command that runs only this test, such as `cargo test total`.
    pub command: String,
}

/// The rows that a test's function is running on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RunningRows {
    /// Rows that `TDG_CASES` can choose, one per thread.
    Cases(Vec<usize>),
    /// New rows in addition to the benchmark's, which `TDG_CASES` chooses from.
    New(Vec<usize>),
    /// A batch of this many rows at once.
    Batch(usize),
}

impl Running {
    /// Returns the line about rows that take long.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tdg_report::{Running, RunningRows};
    ///
    /// let running = Running {
    ///     test: "pricing::total".to_owned(),
    ///     rows: RunningRows::Cases(vec![17]),
    ///     inputs: vec![("coupon".to_owned(), "null".to_owned())],
    ///     command: "cargo test pricing::total".to_owned(),
    /// };
    /// assert_eq!(
    ///     running.slow_line(Duration::from_secs(10)),
    ///     "tdg: pricing::total has been in row 17 for 10 s: coupon = null \
    ///      (run it alone: TDG_CASES=17 cargo test pricing::total)",
    /// );
    /// ```
    pub fn slow_line(&self, time: Duration) -> String {
        let time = match time.as_secs() {
            0 => format!("{} ms", time.as_millis()),
            seconds @ 1..120 => format!("{seconds} s"),
            seconds => format!("{} min", seconds / 60),
        };
        let (test, rows) = (&self.test, self.rows());
        self.line(&format!("{test} has been in {rows} for {time}"))
    }

    /// Returns the line about rows in which the process ended.
    pub fn end_line(&self) -> String {
        let (test, rows) = (&self.test, self.rows());
        self.line(&format!("the process ended while {test} was in {rows}"))
    }

    /// Returns the line to print before a row, if its end can't be reported.
    pub fn start_line(&self) -> String {
        let (test, rows) = (&self.test, self.rows());
        self.line(&format!("{test} is in {rows}"))
    }

    fn rows(&self) -> String {
        let (new, rows) = match &self.rows {
            RunningRows::Cases(rows) => ("", rows),
            RunningRows::New(rows) => ("new ", rows),
            RunningRows::Batch(size) => return format!("its batch of {}", counted(*size, "row")),
        };
        let shown = rows.iter().take(SHOWN_ROWS);
        let shown: Vec<String> = shown.map(usize::to_string).collect();
        let noun = if rows.len() == 1 { "row" } else { "rows" };
        let shown = match (rows.len() - shown.len(), shown.split_last()) {
            (0, Some((last, others))) if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            (0, _) => shown.join(", "),
            (more, _) => format!("{} and {more} more", shown.join(", ")),
        };
        format!("{new}{noun} {shown}")
    }

    fn line(&self, what: &str) -> String {
        let mut line = format!("tdg: {what}");
        if !self.inputs.is_empty() {
            let inputs = self.inputs.iter();
            let inputs: Vec<String> = inputs
                .map(|(name, json)| format!("{name} = {}", shorten(&escape(json), INPUT_WIDTH)))
                .collect();
            line.push_str(": ");
            line.push_str(&shorten(&inputs.join(", "), 2 * WIDTH));
        }
        if let RunningRows::Cases(rows) = &self.rows {
            let them = if rows.len() == 1 { "it" } else { "them" };
            let shown = rows.iter().take(SHOWN_ROWS);
            let shown: Vec<String> = shown.map(usize::to_string).collect();
            let (cases, command) = (shown.join(","), &self.command);
            line.push_str(&format!(" (run {them} alone: TDG_CASES={cases} {command})"));
        }
        escape(&line)
    }
}

/// Returns the line about a process that ended during a test, outside its rows.
pub fn end_line(test: &str) -> String {
    escape(&format!("tdg: the process ended during {test}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(rows: RunningRows) -> Running {
        Running {
            test: "total".to_owned(),
            rows,
            inputs: Vec::new(),
            command: "cargo test total".to_owned(),
        }
    }

    #[test]
    fn rows_are_named_with_the_command_that_runs_them_alone() {
        let line = |rows| running(rows).end_line();
        insta::assert_snapshot!(line(RunningRows::Cases(vec![3])), @"tdg: the process ended while total was in row 3 (run it alone: TDG_CASES=3 cargo test total)");
        insta::assert_snapshot!(line(RunningRows::Cases(vec![3, 17, 40])), @"tdg: the process ended while total was in rows 3, 17 and 40 (run them alone: TDG_CASES=3,17,40 cargo test total)");
        insta::assert_snapshot!(line(RunningRows::Cases((0..20).collect())), @"tdg: the process ended while total was in rows 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 4 more (run them alone: TDG_CASES=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 cargo test total)");
        insta::assert_snapshot!(line(RunningRows::New(vec![3])), @"tdg: the process ended while total was in new row 3");
        insta::assert_snapshot!(line(RunningRows::Batch(100)), @"tdg: the process ended while total was in its batch of 100 rows");
    }

    #[test]
    fn long_inputs_are_shortened_and_escaped() {
        let long = |name: usize| {
            (
                format!("feature_{name}"),
                format!("\"{}\u{1b}\"", "x".repeat(90)),
            )
        };
        let one = Running {
            inputs: vec![long(1)],
            ..running(RunningRows::Cases(vec![3]))
        };
        insta::assert_snapshot!(one.start_line(), @r#"tdg: total is in row 3: feature_1 = "xxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxx\u001b" (run it alone: TDG_CASES=3 cargo test total)"#);
        let many = Running {
            inputs: (0..100).map(long).collect(),
            ..running(RunningRows::Batch(3))
        };
        assert!(many.start_line().chars().count() < 3 * WIDTH);
    }

    #[test]
    fn a_time_is_in_milliseconds_seconds_or_minutes() {
        let line = |ms| running(RunningRows::Batch(3)).slow_line(Duration::from_millis(ms));
        insta::assert_snapshot!(line(999), @"tdg: total has been in its batch of 3 rows for 999 ms");
        insta::assert_snapshot!(line(20_900), @"tdg: total has been in its batch of 3 rows for 20 s");
        insta::assert_snapshot!(line(160_000), @"tdg: total has been in its batch of 3 rows for 2 min");
    }
}
