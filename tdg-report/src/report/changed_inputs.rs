//! A benchmark with other inputs.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tdg_definition::sort;

use super::changed_outputs::Changed;
use super::definition_form::DefinitionForm;
use super::hints::{Hints, RUN_ONE};
use super::input_change::{InputChange, kinds};
use super::table::ReportTable;
use super::{Extent, Failure, PendingPlace, Section, WIDTH, counted, more};
use tdg_engine::Verdict;
use tdg_engine::generate::{Pairing, Renames};
use tdg_engine::snapshot::Differing;
use tdg_engine::text::wrap;

/// The maximum number of changes shown.
const CHANGES: usize = 6;
/// The maximum number of changes shown along with another failure.
const CHANGES_BESIDE_FAILURE: usize = 2;
/// The maximum number of renamed features with advice on keeping the rows.
const RENAMES: usize = 2;
/// The maximum number of table lines, fewer than in a report without other sections.
const ROWS: usize = 4;
/// The maximum number of reasons why rows weren't compared.
const REASONS: usize = 2;

/// A benchmark that was recorded for other inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct InputsChanged {
    /// The differences of the inputs.
    pub changes: Vec<InputChange>,
    /// The form of the definition, where a feature's name can be set.
    pub form: DefinitionForm,
    /// The comparison with the benchmark on its own rows.
    pub recorded: RecordedRows,
    /// The number of current rows.
    pub size: usize,
    /// Another failure, and the rows that it occurred on.
    pub failure: Option<(WhichRows, Box<Failure>)>,
    /// The changes of the recorded rows, if the failure is a panic on new ones.
    pub changed: Option<Box<Changed>>,
    /// The place of the new rows' actual outputs; `None` if they aren't kept, because the function
    /// panicked on new rows or is unstable.
    pub pending: Option<PendingPlace>,
}

/// The rows of a benchmark, after the inputs changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedRows {
    /// The number of rows.
    pub size: usize,
    /// The names under which the function got the rows, if they changed, and the places that were
    /// added.
    pub renames: Renames,
    /// The number of rows whose outputs changed.
    pub changed: usize,
    /// The reasons why rows could not be compared, each with the number of its rows, most first.
    pub uncompared: Vec<(String, usize)>,
}

/// The rows of a benchmark, or the current ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichRows {
    /// The rows of the benchmark.
    Recorded,
    /// The current rows.
    New,
}

impl RecordedRows {
    /// Summarizes the comparison with the benchmark.
    pub fn new(pairing: &Pairing<'_>, renames: &Renames, differing: &Differing) -> Self {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, reason) in &differing.unbound {
            *reasons.entry(reason).or_default() += 1;
        }
        let mut uncompared: Vec<_> = reasons
            .into_iter()
            .map(|(reason, count)| (reason.to_owned(), count))
            .collect();
        sort::by_key(&mut uncompared, |(_, count)| Reverse(*count));
        Self {
            size: pairing.recorded().size(),
            renames: renames.clone(),
            changed: differing.cases.len(),
            uncompared,
        }
    }

    /// Returns the number of rows that were compared.
    pub fn compared(&self) -> usize {
        let uncompared: usize = self.uncompared.iter().map(|(_, count)| count).sum();
        self.size - uncompared
    }

    /// Describes the comparison. `is_told` is true if another section shows the changed outputs.
    pub fn lines(&self, is_told: bool) -> Vec<String> {
        let rows = counted(self.size, "recorded row");
        let compared = self.compared();
        let of_rows = match compared {
            all if all == self.size => format!("the {rows}"),
            some => format!("{some} of the {rows}"),
        };
        let with = match self.renames.with() {
            with if with.is_empty() => with,
            with => format!("{with},"),
        };
        let mut text = match (compared, self.changed) {
            (0, _) => format!("No output was compared: none of the {rows} can be run."),
            // The headline and the table describe them.
            (_, _) if is_told => String::new(),
            (_, 0) => format!("The outputs for {of_rows}{with} are the same as before."),
            (_, changed) => format!("The outputs for {changed} of {of_rows}{with} changed."),
        };
        if let Some(news) = self.renames.news().filter(|_| compared > 0) {
            text += &format!(" {news}, so recorded rows have the values that new rows have there.");
        }
        let mut lines = wrap(text.trim_start(), WIDTH, 2);
        for (reason, count) in self.uncompared.iter().take(REASONS) {
            let reason = format!(
                "not compared: {}, {reason}",
                counted(*count, "recorded row")
            );
            lines.extend(wrap(&reason, WIDTH, 1));
        }
        if self.uncompared.len() > REASONS {
            let rest = self.uncompared[REASONS..].iter().map(|(_, count)| count);
            lines.push(format!(
                "not compared: {}, for other reasons",
                more(rest.sum(), "recorded row")
            ));
        }
        lines
    }
}

impl InputsChanged {
    /// Returns the verdict of the run. A regression on the recorded rows takes precedence over the
    /// changed inputs.
    pub(super) fn verdict(&self) -> Verdict {
        match &self.failure {
            Some((_, failure)) => failure.verdict(),
            None => Verdict::InputsChanged,
        }
    }

    /// Returns a headline such as `inputs changed: definition, size`.
    pub(super) fn headline(&self) -> String {
        format!("inputs changed: {}", kinds(&self.changes))
    }

    /// Returns a name such as `recorded rows, with `qty` as `quantity``.
    pub(super) fn name(&self, rows: WhichRows) -> String {
        match rows {
            WhichRows::Recorded => format!("recorded rows{}", self.recorded.renames.with()),
            WhichRows::New => "new rows".to_owned(),
        }
    }

    pub(super) fn text(&self, test: &str, command: &str, extent: Extent) -> (String, Vec<Section>) {
        let (mut headline, mut sections, mut hints) = (self.headline(), Vec::new(), Vec::new());
        if let Some((rows, failure)) = &self.failure {
            let (what, mut inner, mut next) = self.failure_text(failure, test, command, extent);
            if *rows == WhichRows::New {
                // `TDG_CASES` would choose cases of the benchmark.
                next.retain(|line| !line.starts_with(RUN_ONE));
            }
            if let Some(changed) = &self.changed {
                inner.extend(changed.below_panics("changed on the recorded rows", 0, extent));
            }
            headline = format!("on the {}, {what}; {headline}", self.name(*rows));
            (sections, hints) = (inner, next);
        }
        sections.push(self.change_lines(extent));
        let renamed = self.recorded.renames.features.iter();
        let lines = renamed.filter_map(|renamed| self.form.lines(renamed));
        sections.extend(lines.take(RENAMES));
        let is_told = matches!(&self.failure, Some((WhichRows::Recorded, _)));
        let mut rows = self.recorded.lines(is_told);
        if !matches!(self.pending, None | Some(PendingPlace::Nowhere { .. })) {
            let new = counted(self.size, "new row");
            rows.push(format!("pending: {new}, with their outputs"));
        }
        sections.push(rows);
        if hints.is_empty() {
            let mut accept = Hints::default();
            if let Some(pending) = &self.pending {
                accept.accept(command, pending);
            }
            hints = accept.lines();
        }
        sections.push(hints);
        (headline, sections)
    }

    /// Returns the headline, sections and hints of a failure on some rows.
    fn failure_text(
        &self,
        failure: &Failure,
        test: &str,
        command: &str,
        extent: Extent,
    ) -> (String, Vec<Section>, Section) {
        if let Failure::Changed(changed) = failure {
            let mut hints = Hints::default();
            changed.see_rest(&mut hints, test, command, ROWS, self.recorded.size);
            changed.next_steps(&mut hints, command);
            return (
                changed.headline(),
                changed.sections(ROWS, extent),
                hints.lines(),
            );
        }
        let (headline, mut sections) = match failure {
            Failure::Panicked(panicked) => {
                panicked.text((test, command), self.pending.as_ref(), false, extent)
            }
            other => other.text(test, command, extent),
        };
        let hints = sections.pop().unwrap_or_default();
        (headline, sections, hints)
    }

    fn change_lines(&self, extent: Extent) -> Section {
        let most = match self.failure {
            Some(_) => CHANGES_BESIDE_FAILURE,
            None => CHANGES,
        };
        let shown = &self.changes[..self.changes.len().min(most)];
        let cells = |cell: fn(&InputChange) -> &String| shown.iter().map(cell).cloned().collect();
        let mut table = ReportTable::default();
        table.fixed("", cells(|change| &change.what), 50);
        table.fixed("benchmark", cells(|change| &change.benchmark), 30);
        table.fixed("now", cells(|change| &change.now), 30);
        let (mut lines, _) = table.lines(extent);
        if self.changes.len() > most {
            let rest = self.changes.len() - most;
            lines.push(format!("… and {}", more(rest, "change")));
        }
        lines
    }
}
