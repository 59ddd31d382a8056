//! The outputs and panics of the cases that ran.

use std::borrow::Cow;

use tdg_engine::output::{F32Places, Outputs, unbound, unbound_reason};
use tdg_report::PanickedCase;

use super::panics::Panic;
use crate::output::Outcome;
use crate::runner::error::{Result, RunError};

/// The outputs and panics of the cases that ran.
#[derive(Debug)]
pub(crate) struct Executed {
    /// One output per case; `null` if the function panicked.
    pub(crate) outputs: Outputs,
    pub(crate) f32s: F32Places,
    /// The limit on the outputs' total length.
    output_bytes: usize,
    /// True if there is anything to record.
    pub(crate) records: bool,
    /// The number of cases that returned an `Err`.
    pub(crate) errors: usize,
    /// The number of rows that the function's `via` refused.
    pub(crate) refusals: usize,
    /// The cases that returned the `Err` of a `Result<(), E>`, in order.
    pub(crate) failures: Vec<usize>,
    /// The cases that panicked, in order. A batch that panicked is recorded as its first case.
    pub(crate) panics: Vec<(usize, Panic)>,
}

/// The reason why a row that panicked has no output to compare.
pub(crate) const PANICKED: &str = "the function panicked";

impl Executed {
    /// Returns the cases that panicked, with their rows.
    pub(crate) fn panicked_cases(&self, vectors: &tdg_engine::Vectors) -> Vec<PanickedCase> {
        let case = |(case, panic): &(usize, Panic)| PanickedCase {
            case: *case,
            inputs: vectors.cells(*case),
            message: panic.message.clone(),
            location: panic.location.clone(),
        };
        self.panics.iter().map(case).collect()
    }

    fn has_panicked(&self, row: usize) -> bool {
        // Panics are in order of rows.
        let panic = self.panics.binary_search_by_key(&row, |(case, _)| *case);
        panic.is_ok()
    }

    /// Returns the outputs, with the reason in place of each missing one.
    pub(crate) fn outputs_or_reasons(&self) -> Cow<'_, Outputs> {
        if self.panics.is_empty() {
            return Cow::Borrowed(&self.outputs);
        }
        let mut outputs = Outputs::with_capacity(self.outputs.len());
        for row in 0..self.outputs.len() {
            if self.has_panicked(row) {
                outputs.push(&unbound(PANICKED));
            } else {
                outputs.push_text(self.outputs.get(row));
            }
        }
        Cow::Owned(outputs)
    }

    /// Returns the outputs, with the expected one in place of each missing one.
    pub(crate) fn outputs_or(&self, expected: &Outputs) -> Outputs {
        let known = self.outputs_or_reasons();
        let mut outputs = Outputs::with_capacity(known.len());
        for row in 0..known.len() {
            let output = known.get(row);
            outputs.push_text(match unbound_reason(output) {
                Some(_) => expected.get(row),
                None => output,
            });
        }
        outputs
    }

    /// Creates the result of rows that can't be run, for that reason.
    pub(crate) fn unbound(rows: usize, reason: &str) -> Self {
        let mut outputs = Outputs::with_capacity(rows);
        let output = unbound(reason);
        for _ in 0..rows {
            outputs.push(&output);
        }
        Self {
            outputs,
            ..Self::with_capacity(0, 0)
        }
    }

    /// Creates an empty result with room for that many cases.
    pub(crate) fn with_capacity(cases: usize, output_bytes: usize) -> Self {
        Self {
            outputs: Outputs::with_capacity(cases),
            f32s: F32Places::default(),
            output_bytes,
            records: false,
            errors: 0,
            refusals: 0,
            failures: Vec::new(),
            panics: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: usize, outcome: Outcome) -> Result<()> {
        self.errors += usize::from(outcome.is_error());
        self.refusals += usize::from(outcome.is_refusal());
        if outcome.is_failure() {
            self.failures.push(row);
        }
        match outcome.into_value() {
            Ok(Some(mut value)) => {
                self.records = true;
                self.f32s.take(&mut value);
                self.outputs.push(&value);
            }
            Ok(None) => self.push_null(),
            Err(error) => {
                let reason = format!("row {row}: the output can't be recorded: {error}");
                return Err(RunError::new(reason));
            }
        }
        self.check_length()
    }

    fn check_length(&self) -> Result<()> {
        if self.outputs.as_json().len() <= self.output_bytes {
            return Ok(());
        }
        let (cases, megabytes) = (self.outputs.len(), self.output_bytes >> 20);
        Err(RunError::new(format!(
            "the outputs of {cases} cases are longer than {megabytes} MB of JSON, the limit of a \
             benchmark"
        ))
        .hint("return less for each row (only what has to be compared, or a digest), or use a smaller size"))
    }

    pub(super) fn push_panic(&mut self, row: usize, panic: Panic) {
        self.panics.push((row, panic));
        self.push_null();
    }

    pub(super) fn push_null(&mut self) {
        self.outputs.push_text("null");
    }

    pub(super) fn append(&mut self, other: &Self) -> Result<()> {
        for case in 0..other.outputs.len() {
            self.outputs.push_text(other.outputs.get(case));
        }
        self.f32s.append(&other.f32s);
        self.records |= other.records;
        self.errors += other.errors;
        self.refusals += other.refusals;
        self.failures.extend_from_slice(&other.failures);
        self.panics.extend_from_slice(&other.panics);
        self.check_length()
    }
}
