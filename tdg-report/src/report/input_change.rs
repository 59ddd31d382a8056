//! The differences between the inputs of two ensembles.

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};

use super::{counted, more};
use tdg_engine::Ensemble;
use tdg_engine::Takes;
use tdg_engine::compare::{FieldDifference, compare};
use tdg_engine::generate::Pairing;

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
    /// Returns the differences between a benchmark's ensemble and another that can matter to the
    /// function.
    pub fn between(benchmark: &Ensemble, now: &Ensemble, pairing: &Pairing<'_>) -> Vec<Self> {
        if benchmark.rows.is_none() && now.rows.is_none() {
            let mut changes = Self::between_drawn(benchmark, now, pairing.takes());
            if changes.is_empty() && benchmark.digest != now.digest {
                // The rows are from a file that the store doesn't have.
                let size = |ensemble: &Ensemble| counted(ensemble.size, "row");
                changes.push(Self::new("rows", size(benchmark), size(now)));
            }
            return changes;
        }
        // The test doesn't set the seed and the size.
        let as_now = Ensemble {
            definition: benchmark.definition.clone(),
            ..now.clone()
        };
        let mut changes = Self::between_drawn(&as_now, now, pairing.takes());
        changes.extend(Self::of_rows(benchmark, now, pairing));
        changes
    }

    fn of_rows(benchmark: &Ensemble, now: &Ensemble, pairing: &Pairing<'_>) -> Option<Self> {
        let (Some(_), Some(file)) = (&benchmark.rows, &now.rows) else {
            let origin = |ensemble: &Ensemble| match &ensemble.rows {
                Some(file) => format!("{} of {file}", ensemble.size),
                None => format!("{} drawn", ensemble.size),
            };
            return Some(Self::new("rows", origin(benchmark), origin(now)));
        };
        let rows = match pairing.added_and_removed() {
            (0, 0) => return None,
            (added, 0) => format!("{} added", counted(added, "row")),
            (0, removed) => format!("{} removed", counted(removed, "row")),
            (added, removed) => format!("{} added, {removed} removed", counted(added, "row")),
        };
        let before = counted(benchmark.size, "row");
        Some(Self::new(&format!("rows of {file}"), before, rows))
    }

    fn between_drawn(benchmark: &Ensemble, now: &Ensemble, takes: &Takes) -> Vec<Self> {
        let mut changes = Vec::new();
        if benchmark.definition != now.definition {
            let (old, new) = (
                DefinitionParts::parse(&benchmark.definition, takes),
                DefinitionParts::parse(&now.definition, takes),
            );
            changes.extend(Self::in_definition(&old.by_name(), &new.by_name()));
            changes.extend(Self::in_definition(&old.relations, &new.relations));
            if changes.is_empty() && old.names() != new.names() {
                changes.push(Self::new("order of the features", old.names(), new.names()));
            }
        }
        if changes.is_empty() && benchmark.definition != now.definition && *takes != Takes::All {
            // A feature that isn't taken can affect others through an order or a correlation.
            return Self::between_drawn(benchmark, now, &Takes::All);
        }
        if benchmark.seed != now.seed {
            changes.push(Self::new("seed", benchmark.seed, now.seed));
        }
        if benchmark.size != now.size {
            changes.push(Self::new("size", benchmark.size, now.size));
        }
        changes
    }

    fn new(what: &str, benchmark: impl ToString, now: impl ToString) -> Self {
        Self {
            what: what.to_owned(),
            benchmark: benchmark.to_string(),
            now: now.to_string(),
        }
    }

    /// Returns the changes between two canonical definitions, or parts of them.
    pub(super) fn in_definition(benchmark: &Value, now: &Value) -> Vec<Self> {
        let comparison = compare(&Policy::exact(), benchmark, now);
        let mut changes: Vec<Self> = comparison.differences.iter().map(Self::of_field).collect();
        let rest = comparison.count - changes.len();
        if rest > 0 {
            changes.push(Self::new(&format!("… and {}", more(rest, "place")), "", ""));
        }
        changes
    }

    fn of_field(difference: &FieldDifference) -> Self {
        let text = |value: &Option<Value>| match value {
            Some(Value::Array(elements)) => counted(elements.len(), "element"),
            Some(value) => feature(value).unwrap_or_else(|| value.to_string()),
            None => "–".to_owned(),
        };
        Self::new(
            &format!("definition {}", difference.pointer),
            text(&difference.expected),
            text(&difference.actual),
        )
    }
}

/// Describes a whole feature in two words, such as `INTEGER uniform`.
fn feature(value: &Value) -> Option<String> {
    let name = |value: &Value| value.get("type")?.as_str().map(str::to_owned);
    let distribution = name(value.get("distribution")?)?;
    Some(format!("{} {distribution}", name(value)?))
}

/// Returns the kinds of changes, each once, such as `definition, size`.
pub fn kinds(changes: &[InputChange]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for change in changes {
        let kind = change.what.split(' ').next().unwrap_or_default();
        if kind != "…" && !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.join(", ")
}

/// The parts of a canonical definition that its rows depend on.
pub(super) struct DefinitionParts {
    /// The features by name, in order.
    pub(super) features: Vec<(String, Value)>,
    /// The rest, which connects features to each other.
    relations: Value,
}

impl DefinitionParts {
    pub(super) fn parse(definition: &str, takes: &Takes) -> Self {
        let definition = json::parse(definition).unwrap_or_default();
        let features = definition.get("features").and_then(Value::as_array);
        let named = |feature: &Value| {
            let name = feature.get("feature_name").and_then(Value::as_str);
            (name.unwrap_or_default().to_owned(), feature.clone())
        };
        let features = features.unwrap_or_default().iter().map(named);
        let members = definition.as_object().into_iter().flat_map(|it| it.iter());
        let relations = members.filter(|(key, _)| key != "features" && key != "definition_name");
        Self {
            features: features.filter(|(name, _)| takes.has(name)).collect(),
            relations: Value::object(relations.cloned()),
        }
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self
            .features
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        names.join(", ")
    }

    fn by_name(&self) -> Value {
        Value::object(self.features.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_moves_a_taken_one_is_a_change() {
        let ensemble = |max: i64| Ensemble {
            name: String::new(),
            size: 10,
            seed: 0,
            sampler_version: 1,
            digest: String::new(),
            definition: format!(
                r#"{{"features": [{{"feature_name": "a"}}, {{"feature_name": "b", "max": {max}}}]}}"#
            ),
            rows: None,
        };
        let takes = |name: &str| Takes::Named(vec![name.to_owned()]);
        let changes = |takes| InputChange::between_drawn(&ensemble(1), &ensemble(2), &takes);
        assert_eq!(changes(takes("b"))[0].what, "definition /b/max");
        // The rows differ, or there would be no call.
        assert_eq!(changes(takes("a"))[0].what, "definition /b/max");
    }
}
