//! The findings that were searched for already.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;

use super::{ChangeFindings, findings_of_panics};

/// Findings by a digest of the rows, cases and outputs that they are about. Tests that fail by one
/// cause often have the same ones.
#[derive(Debug, Default)]
pub struct KnownFindings(Mutex<BTreeMap<u64, ChangeFindings>>);

impl KnownFindings {
    /// Creates an empty map.
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// Returns the findings about a change, and searches if they aren't known. `differing` are the
    /// cases that differ by the policy.
    pub fn of_changes(
        &self,
        policy: &Policy,
        vectors: &Vectors,
        uncompared: &[usize],
        expected: Option<&[Value]>,
        differing: &[DifferingCase],
        search: impl FnOnce() -> ChangeFindings,
    ) -> ChangeFindings {
        let cases: Vec<usize> = differing.iter().map(|it| it.case).collect();
        let outputs = differing.iter().flat_map(|it| [&it.expected, &it.actual]);
        let policy = policy.to_json();
        let values = expected.into_iter().flatten().chain(outputs);
        let values = values.chain([&policy]);
        self.once(vectors, [uncompared, &cases], values, search)
    }

    /// Like [`findings_of_panics`], but searches only if the findings aren't known.
    pub fn of_panics(
        &self,
        vectors: &Vectors,
        unbound: &[usize],
        expected: Option<&[Value]>,
        constants: impl FnOnce() -> Arc<[Value]>,
        cases: &[usize],
    ) -> Vec<String> {
        let values = expected.into_iter().flatten();
        let search = || ChangeFindings {
            sentences: findings_of_panics(vectors, unbound, expected, &constants(), cases),
            ..ChangeFindings::default()
        };
        self.once(vectors, [unbound, cases], values, search)
            .sentences
    }

    fn once<'a>(
        &self,
        vectors: &Vectors,
        cases: [&[usize]; 2],
        values: impl Iterator<Item = &'a Value>,
        search: impl FnOnce() -> ChangeFindings,
    ) -> ChangeFindings {
        let mut hasher = DefaultHasher::new();
        (vectors.digest(), cases).hash(&mut hasher);
        values.for_each(|value| value.to_string().hash(&mut hasher));
        let key = hasher.finish();
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = all().get(&key) {
            return found.clone();
        }
        let found = search();
        all().insert(key, found.clone());
        found
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;

    use super::*;

    #[test]
    fn nothing_is_searched_twice_for_the_same_rows_cases_and_values() {
        let definition = r#"{"features": [{"feature_name": "n", "type": "INTEGER",
            "distribution": {"type": "uniform", "min": 1, "max": 20}}]}"#;
        let definition = Definition::parse(definition).unwrap();
        let (known, mut searches) = (KnownFindings::new(), 0);
        let mut find = |seed: u64, cases: &[usize], value: u64| {
            let rows = Vectors::generate(&definition, seed, 20);
            let search = || {
                searches += 1;
                ChangeFindings {
                    sentences: vec![searches.to_string()],
                    ..ChangeFindings::default()
                }
            };
            let values = [Value::from(value)];
            known
                .once(&rows, [&[], cases], values.iter(), search)
                .sentences
                .concat()
        };
        let found = [
            find(0, &[1, 2], 1),
            find(0, &[1, 2], 1),
            find(1, &[1, 2], 1),
            find(0, &[1, 3], 1),
            find(0, &[1, 2], 2),
            find(0, &[1, 2], 1),
        ];
        assert_eq!(found, ["1", "1", "2", "3", "4", "1"]);
    }
}
