//! The features of today's ensemble tests, used for parameters with the same name and type.

use std::collections::BTreeMap;

use tdg_definition::Definition;
use tdg_definition::json::{self, Value};

use crate::record::RecordedTests;
use crate::terminal::note;
use crate::workspace::Workspace;

/// Features by name and type. The first of several is kept.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TestedFeatures(BTreeMap<(String, String), Value>);

impl TestedFeatures {
    /// Collects the features of readable benchmarks. A test reports problems with its own
    /// benchmark.
    pub(crate) fn read(workspace: &Workspace) -> Self {
        let mut features = Self::default();
        let tests = match RecordedTests::read(workspace) {
            Ok(tests) => tests,
            Err(error) => {
                note(&format!("can't draw rows as the tests do: {error}"));
                return features;
            }
        };
        let benchmarks = tests.iter().filter_map(|it| it.benchmark().ok().flatten());
        for benchmark in benchmarks {
            let definition = json::parse(&benchmark.ensemble().definition);
            features.add_all(&definition.unwrap_or_default());
        }
        features
    }

    /// Adds the features of a definition or an object, including nested ones.
    fn add_all(&mut self, whole: &Value) {
        let features = whole.get("features").and_then(Value::as_array);
        for feature in features.unwrap_or_default() {
            if let Some(object) = feature.get("distribution") {
                self.add_all(object);
            }
            let text = |key: &str| feature.get(key).and_then(Value::as_str).map(str::to_owned);
            // A feature that refers to others isn't valid on its own.
            let alone = Value::object([("features", Value::Array(vec![feature.clone()]))]);
            if let (Some(name), Some(kind)) = (text("feature_name"), text("type"))
                && Definition::parse(&alone.to_string()).is_ok()
            {
                self.0
                    .entry((name, kind))
                    .or_insert_with(|| feature.clone());
            }
        }
    }

    pub(crate) fn of_name(&self, name: &str, kind: &str) -> Option<&Value> {
        self.0.get(&(name.to_owned(), kind.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_known_by_their_names_and_types_wherever_they_are() {
        let definition = r#"{"features": [
            {"feature_name": "n", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 6}},
            {"feature_name": "order", "type": "OBJECT", "distribution": {"type": "object", "features": [
                {"feature_name": "note", "type": "STRING", "distribution": {"type": "any"}}]}},
            {"feature_name": "xs", "type": "LIST", "distribution": {"type": "list", "length": "n",
                "element": {"type": "FLOAT", "distribution": {"type": "any"}}}}
        ]}"#;
        let mut features = TestedFeatures::default();
        features.add_all(&json::parse(definition).unwrap());
        let known = |name, kind| features.of_name(name, kind).is_some();
        assert!(known("n", "INTEGER") && known("note", "STRING") && known("order", "OBJECT"));
        assert!(!known("n", "FLOAT") && !known("xs", "LIST"));
    }
}
