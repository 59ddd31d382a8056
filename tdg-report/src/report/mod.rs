//! The reports of failing tests.
//!
//! A [`FailureReport`] is plain data about a failed run. Its `Display` is the panic message of the
//! test: the kind and number of failures, the common properties of the cases, the worst cases with
//! inputs, expected and actual outputs, and the next commands. It fits a screen of 40 lines with
//! 120 columns, regardless of the ensemble's size. Only commands and paths may be longer, so that
//! they can be copied. [`line`](line()) returns the same in one line.
//!
//! Reports contain no colors and no control characters, regardless of their parts.

mod advice;
mod by_field;
mod changed_case;
mod changed_inputs;
mod changed_outputs;
mod definition_form;
mod distribution;
mod explored_rows;
mod extent;
mod fields;
mod hints;
mod input_change;
mod invalid_run;
mod line;
mod made_inputs;
mod missing_benchmark;
mod panicked_cases;
mod platform_advice;
mod rows_in_progress;
mod spread;
mod table;
mod unmet_requirements;
mod unstable_outputs;
mod whole_variants;

#[cfg(test)]
mod tests;

use std::fmt;

use tdg_engine::Verdict;
use tdg_engine::text::{FINDING_LINES, WIDTH, counted, escape, more};

pub use changed_case::ChangedCase;
pub use changed_inputs::{InputsChanged, RecordedRows, WhichRows};
pub use changed_outputs::{Changed, Loosened, inputs_of};
pub use definition_form::DefinitionForm;
pub use distribution::{distributions_of, finding_of_distribution};
pub use explored_rows::{Explored, ExploredRows, FailingRow, RowFailure, raw_string};
pub use extent::Extent;
pub use fields::FieldSummary;
pub use hints::{quoted, rename_command};
pub use input_change::{InputChange, kinds};
pub use invalid_run::InvalidRun;
pub use line::{
    accepted_line, all_equal_line, allowed_line, explored_line, kept_line, line, policy_line,
    recorded_line, replaced_line, retried_line, unmatched_line,
};
pub use made_inputs::MadeInputs;
pub use missing_benchmark::{FormerCases, FormerOutputs, FormerTest, Missing, recorded_past_line};
pub use panicked_cases::{Panicked, PanickedCase};
pub use platform_advice::CameOutOn;
pub use rows_in_progress::{Running, RunningRows, end_line};
pub use spread::Spread;
pub use table::cell::DifferenceText;
pub use table::histogram::Histogram;
pub use table::steps::{Step, Steps};
pub use unmet_requirements::{FindingsOfCases, Unmet, UnmetRequirement};
pub use unstable_outputs::{Unstable, UnstableField};

/// The report of a failing test.
#[derive(Clone, Debug, PartialEq)]
pub struct FailureReport {
    /// The name of the test, such as `pricing::total`.
    pub test: String,
    /// The command that runs only this test, such as `cargo test total`.
    pub command: String,
    /// The failure.
    pub failure: Failure,
    /// The function's arguments in the worst case, if they are made from the row.
    pub made: Option<MadeInputs>,
    /// The dependencies that changed since recording, such as `strsim 0.10.0 → 0.11.1`.
    pub dependencies: Vec<String>,
}

/// The reason why a test fails.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a test has a single one")]
pub enum Failure {
    /// Some outputs differ from the benchmark.
    Changed(Changed),
    /// The function panicked for some rows.
    Panicked(Panicked),
    /// Rows outside the ensemble fail.
    Explored(Explored),
    /// The benchmark was recorded for other inputs.
    InputsChanged(InputsChanged),
    /// There is no benchmark.
    Missing(Missing),
    /// The function returns different outputs for the same row.
    Unstable(Unstable),
    /// The outputs don't meet the test's requirements.
    Unmet(Unmet),
    /// The run could not be judged.
    Invalid(InvalidRun),
}

/// The origin of the expected outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedWith {
    /// The benchmark; the actual outputs are pending.
    Benchmark(PendingPlace),
    /// Another function, with this name.
    Function(String),
}

impl ComparedWith {
    /// Returns the place of the actual outputs, if a decision is pending.
    pub fn pending(&self) -> Option<&PendingPlace> {
        match self {
            Self::Benchmark(pending) => Some(pending),
            Self::Function(_) => None,
        }
    }
}

/// The place of pending outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingPlace {
    /// In a file next to the snapshot file, such as `tests/snapshots/pricing__total.snap.new`.
    InFile(String),
    /// In the store; the test has no snapshot file.
    InStore,
    /// Nothing may be written.
    Nowhere {
        /// The reason, such as `CI is set` or `TDG_UPDATE=no`.
        because: String,
    },
}

impl PendingPlace {
    /// Returns true if the outputs are kept, so that `cargo tdg` can show them.
    fn is_somewhere(&self) -> bool {
        !matches!(self, Self::Nowhere { .. })
    }
}

impl Failure {
    /// Returns the verdict of the run.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Changed(_) => Verdict::Changed,
            Self::Panicked(_) => Verdict::Panicked,
            Self::Explored(explored) => explored.verdict(),
            Self::InputsChanged(inputs_changed) => inputs_changed.verdict(),
            Self::Missing(_) => Verdict::Missing,
            Self::Unstable(_) => Verdict::Unstable,
            Self::Unmet(_) => Verdict::Unmet,
            Self::Invalid(_) => Verdict::Invalid,
        }
    }
}

impl Failure {
    /// Returns the place of the actual outputs, if a decision is pending.
    pub fn pending(&self) -> Option<&PendingPlace> {
        match self {
            Self::Changed(changed) => changed.compared_with.pending(),
            Self::InputsChanged(inputs_changed) => inputs_changed.pending.as_ref(),
            Self::Missing(missing) => Some(&missing.pending),
            Self::Explored(explored) => explored.pending.as_ref(),
            Self::Panicked(panicked) => panicked.pending(),
            Self::Unstable(_) | Self::Unmet(_) | Self::Invalid(_) => None,
        }
    }

    /// Returns the case that a report shows first, if any.
    pub fn worst_case(&self) -> Option<(WhichRows, usize)> {
        match self {
            Self::Changed(changed) => Some((WhichRows::New, changed.first()?)),
            Self::Panicked(panicked) => Some((WhichRows::New, panicked.first()?)),
            Self::InputsChanged(inputs) => {
                let (rows, failure) = inputs.failure.as_ref()?;
                Some((*rows, failure.worst_case()?.1))
            }
            _ => None,
        }
    }

    /// Returns the first finding on the failing cases, without its counts.
    pub fn finding(&self) -> Option<String> {
        let findings = match self {
            Self::Changed(changed) => changed.findings(),
            Self::Panicked(panicked) => &panicked.findings,
            Self::Explored(explored) => &explored.findings,
            Self::InputsChanged(inputs) => return inputs.failure.as_ref()?.1.finding(),
            Self::Unmet(unmet) => &unmet.requirements.first()?.findings,
            Self::Missing(_) | Self::Unstable(_) | Self::Invalid(_) => return None,
        };
        findings.first()?.split("   (").next().map(str::to_owned)
    }

    /// Returns the cause of changed outputs, if it explains every changed case.
    pub fn cause(&self) -> Option<String> {
        match self {
            Self::Changed(changed) if changed.distributions.is_empty() => changed.cause.clone(),
            _ => None,
        }
    }

    /// Returns the headline and the sections, where the last one has the next steps.
    fn text(&self, test: &str, command: &str, extent: Extent) -> (String, Vec<Section>) {
        match self {
            Self::Changed(changed) => changed.text(test, command, extent),
            Self::Panicked(panicked) => {
                panicked.text((test, command), panicked.pending(), true, extent)
            }
            Self::Explored(explored) => explored.text(command, extent),
            Self::InputsChanged(inputs_changed) => inputs_changed.text(test, command, extent),
            Self::Missing(missing) => missing.text(test, command),
            Self::Unstable(unstable) => unstable.text(command),
            Self::Unmet(unmet) => unmet.text(),
            Self::Invalid(invalid) => invalid.text(),
        }
    }
}

impl FailureReport {
    /// Returns the report without hints, for tools with separate commands.
    pub fn without_hints(&self, extent: Extent) -> String {
        let (headline, mut sections) = self.text(extent);
        // A run that couldn't be judged ends with the fix, which isn't a hint.
        if !matches!(self.failure, Failure::Invalid(_)) {
            sections.pop();
        }
        extent.fitted(&self.lines(&headline, &sections))
    }

    /// Returns the headline and the first finding on the changed cases.
    pub fn head(&self, extent: Extent) -> Vec<String> {
        let (headline, _) = self.failure.text(&self.test, &self.command, extent);
        let failure = match &self.failure {
            Failure::InputsChanged(inputs) => inputs.failure.as_ref().map(|(_, inner)| &**inner),
            failure => Some(failure),
        };
        let rule = match failure {
            Some(Failure::Changed(changed)) => {
                let first = changed.findings().first();
                first.map_or_else(Vec::new, |it| extent.sentences(std::slice::from_ref(it)))
            }
            _ => Vec::new(),
        };
        let rule = rule.iter().map(|line| format!("  {line}"));
        let headline = extent.fitted(&format!("{}: {headline}", escape(&self.test)));
        headline.lines().map(str::to_owned).chain(rule).collect()
    }

    /// Returns the report for a file, with tables of every input.
    pub fn in_full_width(&self) -> String {
        self.within(Extent::FILE)
    }

    /// Returns the report with this amount of detail.
    pub fn within(&self, extent: Extent) -> String {
        let (headline, sections) = self.text(extent);
        self.lines(&headline, &sections)
    }

    fn text(&self, extent: Extent) -> (String, Vec<Section>) {
        let (headline, mut sections) = self.failure.text(&self.test, &self.command, extent);
        if let Some(made) = &self.made {
            let last = sections.len().saturating_sub(1);
            sections.insert(last, vec![made.line(extent)]);
        }
        if !self.dependencies.is_empty() {
            let last = sections.len().saturating_sub(1);
            sections.insert(last, extent.sentences(&[self.changed_dependencies()]));
        }
        (headline, sections)
    }

    fn changed_dependencies(&self) -> String {
        const NAMED: usize = 4;
        let named = self.dependencies.iter().take(NAMED);
        let named: Vec<String> = named.map(|it| escape(it)).collect();
        let rest = match self.dependencies.len().saturating_sub(NAMED) {
            0 => String::new(),
            count => format!(", and {}", more(count, "package")),
        };
        let named = named.join(", ");
        format!("Cargo.lock has changed since the outputs were recorded: {named}{rest}")
    }

    fn lines(&self, headline: &str, sections: &[Section]) -> String {
        let mut lines = format!("{}: {headline}\n", escape(&self.test));
        for section in sections.iter().filter(|section| !section.is_empty()) {
            lines.push('\n');
            for line in section {
                lines.push_str(format!("  {line}").trim_end());
                lines.push('\n');
            }
        }
        lines
    }
}

impl fmt::Display for FailureReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.within(Extent::SCREEN))
    }
}

/// Lines that belong together; an empty line separates sections.
type Section = Vec<String>;

fn finding_lines(findings: &[String]) -> Section {
    Extent::SCREEN.sentences(findings)
}
