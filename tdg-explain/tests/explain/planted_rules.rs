//! Tables with a planted rule for the failing rows.

use tdg_definition::Definition;
use tdg_engine::Vectors;

/// The columns of the tables, repeated.
const COLUMNS: [&str; 5] = [
    r#""type": "STRING", "distribution": {"type": "categorical", "categories": [
        {"value": "A", "probability": 0.5}, {"value": "B", "probability": 0.25},
        {"value": "C", "probability": 0.2}, {"value": "D", "probability": 0.05}]}"#,
    r#""type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 20}"#,
    r#""type": "FLOAT", "distribution": {"type": "gaussian", "mu": 20, "sigma": 5}"#,
    r#""type": "FLOAT", "null_probability": 0.02, "distribution": {"type": "uniform", "min": 0, "max": 100}"#,
    r#""type": "STRING", "distribution": {"type": "categorical", "categories": [
        {"value": "a", "probability": 0.083}, {"value": "b", "probability": 0.083}, {"value": "c", "probability": 0.083},
        {"value": "d", "probability": 0.083}, {"value": "e", "probability": 0.083}, {"value": "f", "probability": 0.083},
        {"value": "g", "probability": 0.083}, {"value": "h", "probability": 0.083}, {"value": "i", "probability": 0.083},
        {"value": "j", "probability": 0.083}, {"value": "k", "probability": 0.083}, {"value": "l", "probability": 0.087}]}"#,
];

/// A row as seen by the planted rules.
pub(crate) struct Row<'a> {
    pub(crate) vectors: &'a Vectors,
    pub(crate) row: usize,
}

impl Row<'_> {
    pub(crate) fn json(&self, column: usize) -> String {
        let mut text = String::new();
        self.vectors.write_cell(self.row, column, &mut text);
        text
    }

    fn is(&self, column: usize, value: &str) -> bool {
        self.json(column) == value
    }

    /// Returns a number. NaN stands for null, since it is neither below nor above anything.
    fn number(&self, column: usize) -> f64 {
        self.json(column).parse().unwrap_or(f64::NAN)
    }
}

/// A rule and its features.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) features: &'static [&'static str],
    holds: fn(&Row<'_>) -> bool,
}

pub(crate) const KINDS: [Kind; 8] = [
    Kind {
        name: "rare category",
        features: &["feature_1"],
        holds: |row| row.is(0, "\"D\""),
    },
    Kind {
        name: "integer > 17",
        features: &["feature_2"],
        holds: |row| row.number(1) > 17.0,
    },
    Kind {
        name: "category and integer > 10",
        features: &["feature_1", "feature_2"],
        holds: |row| row.is(0, "\"B\"") && row.number(1) > 10.0,
    },
    Kind {
        name: "gaussian > 25 and integer <= 5",
        features: &["feature_2", "feature_3"],
        holds: |row| row.number(2) > 25.0 && row.number(1) <= 5.0,
    },
    Kind {
        name: "uniform in (40, 45]",
        features: &["feature_4"],
        holds: |row| row.number(3) > 40.0 && row.number(3) <= 45.0,
    },
    Kind {
        name: "category and integer > 10 and gaussian < 18",
        features: &["feature_1", "feature_2", "feature_3"],
        holds: |row| row.is(0, "\"B\"") && row.number(1) > 10.0 && row.number(2) < 18.0,
    },
    Kind {
        name: "is null",
        features: &["feature_4"],
        holds: |row| row.is(3, "null"),
    },
    Kind {
        name: "two categories",
        features: &["feature_1", "feature_5"],
        holds: |row| row.is(0, "\"B\"") && row.is(4, "\"c\""),
    },
];

/// Generates a table without a pattern.
pub(crate) fn table(seed: u64, size: usize, width: usize) -> Vectors {
    let feature = |index: usize| {
        let column = COLUMNS[index % COLUMNS.len()];
        format!(r#"{{"feature_name": "feature_{}", {column}}}"#, index + 1)
    };
    let features: Vec<String> = (0..width).map(feature).collect();
    let definition = format!(r#"{{"features": [{}]}}"#, features.join(","));
    let definition = Definition::parse(&definition).unwrap();
    Vectors::generate(&definition, seed, size)
}

/// Returns true for each row for which the rule holds. With noise, a twentieth of them doesn't
/// fail, and a hundredth of the others does.
pub(crate) fn failing(kind: &Kind, vectors: &Vectors, noise: Option<u64>) -> Vec<bool> {
    let chance = noise.map(|seed| chance(seed, vectors.size()));
    (0..vectors.size())
        .map(|row| {
            let holds = (kind.holds)(&Row { vectors, row });
            let chance = chance.as_ref().map_or(0.5, |chance| chance[row]);
            if holds { chance >= 0.05 } else { chance < 0.01 }
        })
        .collect()
}

/// Selects this share of rows at random.
pub(crate) fn at_random(seed: u64, size: usize, share: f64) -> Vec<bool> {
    chance(seed, size)
        .into_iter()
        .map(|chance| chance < share)
        .collect()
}

/// Returns a number from 0 to 1 for each row.
fn chance(seed: u64, size: usize) -> Vec<f64> {
    let definition = Definition::parse(
        r#"{"features": [{"feature_name": "chance", "type": "FLOAT",
            "distribution": {"type": "uniform", "min": 0, "max": 1}}]}"#,
    );
    let vectors = Vectors::generate(&definition.unwrap(), seed, size);
    (0..size)
        .map(|row| {
            Row {
                vectors: &vectors,
                row,
            }
            .number(0)
        })
        .collect()
}
