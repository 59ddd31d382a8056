//! Acceptance of only a part of a pending change.

use tdg_engine::compare::{ChangePart, FieldDifference, place_name};
use tdg_engine::snapshot::{Differing, Snapshot};
use tdg_engine::store::DecisionKind;
use tdg_engine::text::amount;
use tdg_report::quoted;

use super::change::PendingChange;
use super::decide::Notice;
use super::storage::RecordedTest;
use crate::error::{Context as _, Error, Result};
use crate::terminal::counted;

/// The effect of accepting a part.
#[derive(Debug)]
pub(crate) struct PartOutcome {
    /// For example `/tax in 41 of 200 cases, largest error 0.3`.
    pub(crate) what: String,
    /// For example `; 12 cases stay pending`; empty if the part is the whole change.
    pub(crate) rest: String,
    /// The benchmark with this part applied; `None` if the part is the whole change.
    mixed: Option<Snapshot>,
}

/// Summarizes a part by its changes.
fn summary(part: &ChangePart, changes: &Differing, size: usize) -> String {
    let fields: Vec<String> = part.fields.iter().map(place_name).collect();
    let of = match fields.is_empty() {
        true => String::new(),
        false => format!("{} in ", fields.join(", ")),
    };
    let cases = format!("{} of {}", changes.cases.len(), counted(size, "case"));
    let differences = changes
        .cases
        .iter()
        .flat_map(|it| &it.comparison.differences);
    let errors = differences.filter_map(FieldDifference::absolute_error);
    let largest = errors.reduce(f64::max);
    let largest = largest.map(|error| format!(", largest error {}", amount(error)));
    format!("{of}{cases}{}", largest.unwrap_or_default())
}

impl RecordedTest {
    /// Computes the effect of accepting a part of the pending change.
    pub(crate) fn outcome(&self, change: &PendingChange, part: &ChangePart) -> Result<PartOutcome> {
        let name = &self.test;
        let benchmark = change.benchmark.as_ref();
        if benchmark.is_some_and(|benchmark| benchmark.pin().is_some()) {
            return Err(Error::new(format!(
                "the benchmark of {name} is on a server; accept the whole change or nothing"
            )));
        }
        let Some(benchmark) = benchmark.filter(|_| change.has_recorded_rows()) else {
            return Err(Error::new(format!(
                "the pending rows of {name} are not the benchmark's; accept the whole change or nothing"
            )));
        };
        let (expected, actual) = (benchmark.outputs()?, change.pending.snapshot.outputs()?);
        let compared = change.compare()?;
        let (policy, differing) = (&compared.policy, &compared.rows.differing);
        let accepted = part.accepted(policy, &expected, &actual, differing);
        let accepted = accepted.context(name)?;
        let changes = benchmark.differing(&accepted, policy)?;
        if changes.cases.is_empty() && changes.distributions.is_empty() {
            return Err(Error::new(format!(
                "that part of {name} has not changed; `cargo tdg show {} --changed` shows what has",
                quoted(&name.to_string())
            )));
        }
        let what = summary(part, &changes, accepted.len());
        if accepted == actual {
            let (rest, mixed) = (String::new(), None);
            return Ok(PartOutcome { what, rest, mixed });
        }
        let mixed = Snapshot::parse(benchmark.with_replaced(&accepted)?)?;
        let rest = mixed.differing(&actual, policy)?.cases.len();
        let verb = if rest == 1 { "stays" } else { "stay" };
        let rest = format!("; {} {verb} pending", counted(rest, "case"));
        let mixed = Some(mixed);
        Ok(PartOutcome { what, rest, mixed })
    }

    /// Accepts a part of the pending change; the rest stays pending.
    pub(crate) fn accept_part(
        &self,
        change: &PendingChange,
        outcome: &PartOutcome,
        reason: Option<&str>,
    ) -> Result<Notice> {
        let Some(mixed) = &outcome.mixed else {
            return self.accept(&change.pending, reason);
        };
        let decision = self.decision(DecisionKind::AcceptedInPart, reason)?;
        self.replace(&change.pending, mixed, &decision)
    }
}
