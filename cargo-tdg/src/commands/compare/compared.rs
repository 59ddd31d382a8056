//! What a function did on the same rows at both revisions.

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, compare, within_ulps};
use tdg_engine::report::{findings_of_changes, shorten};

use super::outcome::CallOutcome;

/// Floats that are no further apart differ by the library that computed them.
const ULPS: u64 = 4;
/// The width of an example.
const WIDTH: usize = 110;

/// What a function did on the same rows at both revisions.
#[derive(Debug)]
pub(super) struct ComparedFunction {
    pub(super) function: String,
    /// The rows that were given to both.
    pub(super) rows: usize,
    /// Of these, the ones of which an argument can't be made.
    pub(super) no_inputs: usize,
    pub(super) verdict: CallVerdict,
}

#[derive(Debug)]
pub(super) enum CallVerdict {
    Same,
    Changed(ChangedCall),
    /// So many rows differ, by a few units in the last place.
    Rounding(usize),
    /// So many rows differ between two runs of one revision.
    Unstable(usize),
}

#[derive(Debug)]
pub(super) struct ChangedCall {
    pub(super) rows: Vec<usize>,
    /// What these have in common, and what happened to their outputs.
    pub(super) findings: Vec<String>,
    pub(super) example: Example,
}

/// A changed row, with both outcomes.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) inputs: String,
    pub(super) before: String,
    pub(super) after: String,
}

/// The outcomes of a revision in two runs; the second only if there is something to tell.
pub(super) struct Runs {
    pub(super) first: Vec<CallOutcome>,
    pub(super) second: Option<Vec<CallOutcome>>,
}

/// Whether the first runs of both sides differ.
pub(super) fn differ(sides: &[Vec<CallOutcome>; 2]) -> bool {
    let [before, after] = sides;
    before
        .iter()
        .zip(after)
        .any(|(before, after)| before != after)
}

impl ComparedFunction {
    pub(super) fn of(function: &str, vectors: &Vectors, [before, after]: &[Runs; 2]) -> Self {
        let rows = before.first.len().min(after.first.len());
        // Two texts may be of one value: maps in the order of a hash.
        let is_same = |one: &CallOutcome, other: &CallOutcome| {
            one == other || compare(&Policy::exact(), &one.value(), &other.value()).is_same()
        };
        let is_unstable = |row: usize| {
            [before, after].iter().any(|runs| {
                let second = runs.second.as_ref();
                second.is_some_and(|second| {
                    second
                        .get(row)
                        .is_none_or(|it| !is_same(it, &runs.first[row]))
                })
            })
        };
        let is_input = |row: usize| {
            before.first[row] != CallOutcome::NotInput || after.first[row] != CallOutcome::NotInput
        };
        let no_inputs = (0..rows).filter(|row| !is_input(*row)).count();
        let differing = (0..rows).filter(|row| !is_same(&before.first[*row], &after.first[*row]));
        let (unstable, differing): (Vec<usize>, Vec<usize>) =
            differing.partition(|row| is_unstable(*row));
        let cases = differing.iter().map(|row| {
            let [before, after] = [before, after].map(|runs| runs.first[*row].value());
            DifferingCase::compared(&Policy::exact(), *row, before, after)
        });
        let cases: Vec<_> = cases.collect();
        let verdict = if cases.is_empty() {
            match unstable.len() {
                0 => CallVerdict::Same,
                rows => CallVerdict::Unstable(rows),
            }
        } else if !unstable.is_empty() {
            CallVerdict::Unstable(unstable.len() + cases.len())
        } else if within_ulps(cases.iter().map(|it| &it.comparison), ULPS).is_some() {
            CallVerdict::Rounding(cases.len())
        } else {
            let uncompared: Vec<usize> = (0..vectors.size())
                .filter(|row| *row >= rows || !is_input(*row))
                .collect();
            // That a call failed before is the question, and no answer.
            let expected = (0..vectors.size()).map(|row| match before.first.get(row) {
                Some(returned @ CallOutcome::Returned(_)) => returned.value(),
                _ => Value::Null,
            });
            let expected: Vec<Value> = expected.collect();
            let findings = findings_of_changes(vectors, &uncompared, Some(&expected), &cases);
            let rows: Vec<usize> = cases.iter().map(|it| it.case).collect();
            let shortest = rows.iter().min_by_key(|row| vectors.object(**row).len());
            let row = shortest.copied().unwrap_or_default();
            CallVerdict::Changed(ChangedCall {
                rows,
                findings,
                example: Example {
                    inputs: shorten(&vectors.cells(row).join(", "), WIDTH),
                    before: shorten(&before.first[row].text(), WIDTH),
                    after: shorten(&after.first[row].text(), WIDTH),
                },
            })
        };
        Self {
            function: function.to_owned(),
            rows,
            no_inputs,
            verdict,
        }
    }

    pub(super) fn is_changed(&self) -> bool {
        matches!(self.verdict, CallVerdict::Changed(_))
    }
}
