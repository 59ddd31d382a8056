//! A benchmark of other inputs.

use tdg_definition::json::{self, Value};

use super::hints::Hints;
use super::table::Table;
use super::{Changed, Pending, Section, counted, more};
use crate::compare::{FieldDifference, compare};
use crate::ensemble::Ensemble;
use tdg_definition::Policy;

/// The maximum number of changes shown.
const CHANGES: usize = 6;
/// The name of a changed number of rows.
const SIZE: &str = "size";
/// The maximum number of table lines, fewer than in a report without other sections.
const ROWS: usize = 6;

/// A benchmark that was recorded for other inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct InputsChanged {
    /// The differences of the inputs.
    pub changes: Vec<InputChange>,
    /// The number of first rows that the benchmark and this run share.
    pub common_rows: usize,
    /// The changes in those rows, if any.
    pub changed: Option<Changed>,
    /// The pending actual outputs.
    pub pending: Pending,
}

/// A difference of the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputChange {
    /// Its name: `size`, `seed`, `sampler`, or a place in the definition.
    pub what: String,
    /// The benchmark's value.
    pub benchmark: String,
    /// The current value.
    pub now: String,
}

impl InputChange {
    /// The differences between a benchmark's ensemble and another, apart from the sampler version.
    pub fn between(benchmark: &Ensemble, now: &Ensemble) -> Vec<Self> {
        let change = |what: &str, benchmark: String, now: String| Self {
            what: what.to_owned(),
            benchmark,
            now,
        };
        let mut changes = Vec::new();
        if benchmark.definition != now.definition {
            let (old, new) = (features(&benchmark.definition), features(&now.definition));
            changes.extend(Self::in_definition(&by_name(&old), &by_name(&new)));
            if changes.is_empty() && names(&old) != names(&new) {
                changes.push(change("order of the features", names(&old), names(&new)));
            }
        }
        if benchmark.seed != now.seed {
            changes.push(change(
                "seed",
                benchmark.seed.to_string(),
                now.seed.to_string(),
            ));
        }
        if benchmark.size != now.size {
            changes.push(change(
                SIZE,
                benchmark.size.to_string(),
                now.size.to_string(),
            ));
        }
        changes
    }

    /// The number of first rows that two ensembles share, given their differences.
    pub fn common_rows(changes: &[Self], benchmark: &Ensemble, now: &Ensemble) -> usize {
        match changes {
            [] => now.size,
            [change] if change.what == SIZE => benchmark.size.min(now.size),
            _ => 0,
        }
    }

    /// The changes between two canonical definitions.
    pub fn in_definition(benchmark: &Value, now: &Value) -> Vec<Self> {
        let comparison = compare(&Policy::exact(), benchmark, now);
        let mut changes: Vec<Self> = comparison.differences.iter().map(Self::of_field).collect();
        let rest = comparison.count - changes.len();
        if rest > 0 {
            changes.push(Self {
                what: format!("… and {}", more(rest, "place")),
                benchmark: String::new(),
                now: String::new(),
            });
        }
        changes
    }

    fn of_field(difference: &FieldDifference) -> Self {
        let text = |value: &Option<Value>| match value {
            Some(Value::Array(elements)) => counted(elements.len(), "element"),
            Some(value) => value.to_string(),
            None => "–".to_owned(),
        };
        Self {
            what: format!("definition {}", difference.pointer),
            benchmark: text(&difference.expected),
            now: text(&difference.actual),
        }
    }
}

/// The features of a canonical definition by name; nothing else in it changes a row.
fn features(definition: &str) -> Vec<(String, Value)> {
    let definition = json::parse(definition).unwrap_or_default();
    let features = definition.get("features").and_then(Value::as_array);
    let named = |feature: &Value| {
        let name = feature.get("feature_name").and_then(Value::as_str);
        (name.unwrap_or_default().to_owned(), feature.clone())
    };
    features.unwrap_or_default().iter().map(named).collect()
}

fn names(features: &[(String, Value)]) -> String {
    let names: Vec<&str> = features.iter().map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}

fn by_name(features: &[(String, Value)]) -> Value {
    Value::object(features.iter().cloned())
}

impl InputsChanged {
    pub(super) fn text(&self, command: &str) -> (String, Vec<Section>) {
        let mut sections = vec![self.change_lines(), vec![self.common_line()]];
        let mut hints = Hints::default();
        if let Some(changed) = &self.changed {
            sections.extend(changed.sections(ROWS));
            hints.run_one(command, changed.first());
        }
        hints.accept(command, &self.pending);
        sections.push(hints.lines());
        (format!("inputs changed: {}", self.kinds()), sections)
    }

    /// The kinds of changes, each once: `definition, size`.
    pub(super) fn kinds(&self) -> String {
        let mut kinds: Vec<&str> = Vec::new();
        for change in &self.changes {
            let kind = change.what.split(' ').next().unwrap_or_default();
            if kind != "…" && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds.join(", ")
    }

    fn change_lines(&self) -> Section {
        let shown = &self.changes[..self.changes.len().min(CHANGES)];
        let cells = |cell: fn(&InputChange) -> &String| shown.iter().map(cell).cloned().collect();
        let mut table = Table::default();
        table.fixed("", cells(|change| &change.what), 50);
        table.fixed("benchmark", cells(|change| &change.benchmark), 30);
        table.fixed("now", cells(|change| &change.now), 30);
        let (mut lines, _) = table.lines();
        if self.changes.len() > CHANGES {
            lines.push(format!(
                "… and {}",
                more(self.changes.len() - CHANGES, "change")
            ));
        }
        lines
    }

    fn common_line(&self) -> String {
        let rows = self.common_rows;
        match (&self.changed, rows) {
            (_, 0) => "No row is the same as before, so no output was compared.".to_owned(),
            (None, _) => format!(
                "The first {} are the same as before, and so are their outputs.",
                counted(rows, "row")
            ),
            (Some(changed), _) => format!(
                "The first {} are the same as before; {} of their outputs changed:",
                counted(rows, "row"),
                changed.count
            ),
        }
    }
}
