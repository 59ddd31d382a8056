//! A part of a pending change, to accept by itself.

use std::collections::BTreeMap;

use tdg_definition::Policy;
use tdg_definition::json::{Pointer, Value};
use tdg_engine::compare::{DifferingCase, FieldDifference, Moved, PartKind, parts, replace};
use tdg_engine::output;
use tdg_engine::report::{amount, quoted};
use tdg_engine::snapshot::{Differing, Snapshot};
use tdg_engine::store::DecisionKind;

use super::change::{ComparedChange, PendingChange};
use super::decide::Notice;
use super::storage::RecordedTest;
use crate::error::{Context as _, Error, Result};
use crate::terminal::counted;

/// A part of a pending change, to accept by itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangePart {
    /// The cases; all if `None`.
    pub(crate) cases: Option<Vec<usize>>,
    /// The places in their outputs; the whole outputs if there are none.
    pub(crate) fields: Vec<Pointer>,
    pub(crate) aspect: Aspect,
}

/// What of a field that is at another place now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// All that is at the places.
    #[default]
    All,
    /// Its place alone; the value stays the benchmark's.
    Place,
    /// Its value alone; the place stays the benchmark's.
    Value,
}

/// A part that a review offers by its number.
#[derive(Debug)]
pub(crate) struct OfferedPart {
    /// `/tax, added in 200 cases`.
    pub(crate) text: String,
    pub(crate) part: ChangePart,
}

/// What accepting a part does.
#[derive(Debug)]
pub(crate) struct PartOutcome {
    /// `/tax in 41 of 200 cases, largest error 0.3`.
    pub(crate) what: String,
    /// `; 12 cases stay pending`, unless it is all of the change.
    pub(crate) rest: String,
    /// The benchmark with this part of the change, unless it is all of it.
    mixed: Option<Snapshot>,
}

impl ChangePart {
    /// The part in a few words, by what it changes.
    fn summary(&self, changes: &Differing, size: usize) -> String {
        let fields: Vec<String> = self.fields.iter().map(name).collect();
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

    /// The benchmark's output with this part of the change.
    fn replaced(&self, policy: &Policy, differing: &DifferingCase) -> Result<Value> {
        let DifferingCase {
            case,
            expected,
            actual,
            comparison,
        } = differing;
        if self.fields.is_empty() {
            return Ok(actual.clone());
        }
        let is_meant = |moved: &&Moved| match self.aspect {
            Aspect::All => false,
            Aspect::Place => self.fields.contains(&moved.to),
            Aspect::Value => self.fields.iter().any(|field| moved.to.covers(field)),
        };
        let moved: Vec<&Moved> = comparison.moved.iter().filter(is_meant).collect();
        let apply = |output: Value, moved: &Moved| moved.apply(&output).unwrap_or(output);
        let placed = moved
            .iter()
            .fold(expected.clone(), |it, moved| apply(it, moved));
        if self.aspect == Aspect::Place {
            return Ok(placed);
        }
        let replaced = replace(policy, &placed, actual, &self.fields);
        let replaced = replaced.context(format!("case {case}"))?;
        let back = moved.iter().map(|moved| moved.reversed());
        Ok(back.fold(replaced, |it, moved| apply(it, &moved)))
    }
}

fn name(field: &Pointer) -> String {
    match field.is_root() {
        true => "the output".to_owned(),
        false => field.to_string(),
    }
}

fn verb(kind: &PartKind) -> &'static str {
    match kind {
        PartKind::BecameErr => "became an Err",
        PartKind::BecameOk => "became an Ok",
        PartKind::Panicked => "panic",
        PartKind::StoppedPanicking => "no longer panic",
        PartKind::NoLongerInput => "are no longer inputs",
        PartKind::BecameInput => "became inputs",
        PartKind::OtherReason => "are no inputs for another reason",
        PartKind::Added => "added",
        PartKind::Removed => "removed",
        PartKind::LastBits => "differ in their last bits",
        PartKind::Renamed { .. } | PartKind::Value => "changed",
    }
}

impl ComparedChange {
    /// The parts of a change that has several, in the order of their numbers, from 1.
    pub(crate) fn parts(&self) -> Vec<OfferedPart> {
        let mut offered = Vec::new();
        if self.has_changed_inputs() {
            return offered;
        }
        let parts = parts(&self.rows.differing);
        let are_values = |kind: &PartKind| matches!(kind, PartKind::Value | PartKind::LastBits);
        let values = parts.iter().filter(|part| are_values(&part.kind));
        let is_mixed = values.count() > 1 || parts.iter().any(|part| part.kind.is_shape());
        for part in &parts {
            let cases = counted(part.cases.len(), "case");
            // In these cases alone: elsewhere the same places may have changed otherwise.
            let of_fields = |fields: Vec<Pointer>, aspect| ChangePart {
                cases: Some(part.cases.clone()),
                fields,
                aspect,
            };
            let value = || match is_mixed {
                true => of_fields(part.fields.clone(), Aspect::Value),
                false => of_fields(Vec::new(), Aspect::All),
            };
            let names: Vec<String> = part.fields.iter().map(name).collect();
            let fields = names.join(", ");
            let (text, whole) = match &part.kind {
                PartKind::Renamed { from } => {
                    let both = [vec![from.clone()], part.fields.clone()].concat();
                    let text = format!("{}, now at {fields} in {cases}", name(from));
                    (text, of_fields(both, Aspect::Place))
                }
                kind if kind.is_shape() || are_values(kind) && is_mixed => {
                    (format!("{fields}, {} in {cases}", verb(kind)), value())
                }
                kind => {
                    let text = format!("the {cases} that {}", verb(kind));
                    (text, of_fields(Vec::new(), Aspect::All))
                }
            };
            if parts.len() > 1 {
                let part = whole.clone();
                offered.push(OfferedPart { text, part });
            }
            if part.kind == PartKind::Value {
                let prefix = match is_mixed {
                    true => format!("{fields}, in "),
                    false => String::new(),
                };
                offered.extend(self.offered_rules(&part.cases, &prefix, &whole));
            }
        }
        offered
    }

    /// The rules of some cases, as parts of the part that all these cases are.
    fn offered_rules(
        &self,
        cases: &[usize],
        prefix: &str,
        whole: &ChangePart,
    ) -> impl Iterator<Item = OfferedPart> {
        self.rules_of(cases)
            .into_iter()
            .map(move |rule| OfferedPart {
                text: format!(
                    "{prefix}the {} with {rule}",
                    counted(rule.rows.len(), "case")
                ),
                part: ChangePart {
                    cases: Some(rule.rows),
                    ..whole.clone()
                },
            })
    }
}

impl RecordedTest {
    /// What accepting a part of the pending change does.
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
        let actual = change.pending.snapshot.outputs()?;
        let mut replaced = BTreeMap::new();
        let compared = change.compare()?;
        let policy = &compared.policy;
        for differing in &compared.rows.differing {
            let case = differing.case;
            let is_chosen = part
                .cases
                .as_ref()
                .is_none_or(|cases| cases.contains(&case));
            if is_chosen {
                let output = part.replaced(policy, differing)?;
                let text = match output == differing.actual {
                    true => Some(actual.get(case).to_owned()),
                    false => output::write_as(benchmark.output_text(case)?, &output),
                };
                let text = text.filter(|_| differing.comparison.forms.is_none());
                replaced.insert(
                    case,
                    text.ok_or_else(|| {
                        Error::new(format!(
                            "the outputs of {name} have another form now; accept the whole change or nothing"
                        ))
                    })?,
                );
            }
        }
        let mixed =
            Snapshot::parse(benchmark.with_outputs_replaced(|case| replaced.remove(&case))?)?;
        let outputs = mixed.outputs()?;
        let changes = benchmark.differing(&outputs, policy)?;
        if changes.cases.is_empty() && changes.distributions.is_empty() {
            return Err(Error::new(format!(
                "that part of {name} has not changed; `cargo tdg show {} --changed` shows what has",
                quoted(&name.to_string())
            )));
        }
        let what = part.summary(&changes, outputs.len());
        if outputs == actual {
            let (rest, mixed) = (String::new(), None);
            return Ok(PartOutcome { what, rest, mixed });
        }
        let rest = mixed.differing(&actual, policy)?.cases.len();
        let verb = if rest == 1 { "stays" } else { "stay" };
        let rest = format!("; {} {verb} pending", counted(rest, "case"));
        let mixed = Some(mixed);
        Ok(PartOutcome { what, rest, mixed })
    }

    /// Makes a part of the pending change the benchmark's; the rest stays pending.
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
