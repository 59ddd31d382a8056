//! The rows to explain, with features, outputs and failures.

use tdg_definition::json::Value;
use tdg_definition::table::Table;
use tdg_definition::{Definition, Policy};
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;

use super::Explain;
use super::features;
use super::table::{InputColumn, InputTable};
use crate::error::{Error, Result};
use crate::terminal::{counted, note};

pub(super) struct RowsToExplain {
    pub(super) vectors: Vectors,
    pub(super) failing: Vec<bool>,
    /// The expected outputs, if given.
    pub(super) expected: Option<Vec<Value>>,
    /// The failing rows with different outputs, if both outputs are given.
    pub(super) differing: Vec<DifferingCase>,
    /// The number of explained rows, counted from the first.
    pub(super) explained: usize,
}

impl RowsToExplain {
    pub(super) fn new(
        options: &Explain,
        table: &Table<'_>,
        definition: Option<&Definition>,
    ) -> Result<Self> {
        if table.rows() == 0 {
            return Err(Error::new("the table has no rows"));
        }
        let explained = explained(options, table.rows())?;
        let mut input = InputTable::new(table);
        let failing = input.take(&options.failing)?.flags()?;
        let mut outputs = |name: &Option<String>| -> Result<Option<Vec<Value>>> {
            let column = name.as_deref().map(|name| input.take(name)).transpose()?;
            Ok(column.map(InputColumn::outputs))
        };
        let (expected, actual) = (outputs(&options.expected)?, outputs(&options.actual)?);
        let differing = match (&expected, &actual) {
            (Some(expected), Some(actual)) => differing(&failing[..explained], expected, actual),
            _ => Vec::new(),
        };
        let nulls = options.file.nulls();
        let vectors = match definition {
            Some(definition) => {
                check_features(options, definition)?;
                let vectors = Vectors::of_file(definition, table, &nulls)?;
                note_ignored(&input.others(definition));
                vectors
            }
            None => features::inferred(&input, &nulls)?,
        };
        Ok(Self {
            vectors,
            failing,
            expected: expected.map(of_one_kind),
            differing,
            explained,
        })
    }

    pub(super) fn size(&self) -> usize {
        self.failing.len()
    }
}

/// Returns options with the columns that they name.
fn roles(options: &Explain) -> impl Iterator<Item = (&'static str, &str)> {
    let roles = [
        ("--failing", Some(options.failing.as_str())),
        ("--expected", options.expected.as_deref()),
        ("--actual", options.actual.as_deref()),
    ];
    let named = roles.into_iter();
    named.filter_map(|(option, name)| Some((option, name?)))
}

/// Fails if two options name the same column.
pub(super) fn check_names(options: &Explain) -> Result<()> {
    for (position, (option, name)) in roles(options).enumerate() {
        let mut before = roles(options).take(position);
        if let Some((other, _)) = before.find(|(_, earlier)| *earlier == name) {
            return Err(Error::new(format!(
                "{other} and {option} both name `{name}`; name a different column for each"
            )));
        }
    }
    Ok(())
}

fn check_features(options: &Explain, definition: &Definition) -> Result<()> {
    for (option, name) in roles(options) {
        let mut features = definition.features().iter();
        if features.any(|feature| feature.name() == name) {
            return Err(Error::new(format!(
                "{option} names `{name}`, which is a feature of the definition; name another \
                 column, or remove the feature"
            )));
        }
    }
    Ok(())
}

fn explained(options: &Explain, rows: usize) -> Result<usize> {
    match options.train {
        Some(0) => Err(Error::new("--train 0 leaves no row to explain")),
        Some(train) if train >= rows => Err(Error::new(format!(
            "--train {train} leaves no row to judge; the table has {}",
            counted(rows, "row")
        ))),
        Some(train) => Ok(train),
        None => Ok(rows),
    }
}

fn note_ignored(others: &[&str]) {
    if !others.is_empty() {
        note(&format!(
            "{} ignored, since the definition lacks {}: {}",
            counted(others.len(), "column"),
            if others.len() == 1 { "it" } else { "them" },
            others.join(", ")
        ));
    }
}

fn differing(failing: &[bool], expected: &[Value], actual: &[Value]) -> Vec<DifferingCase> {
    let exact = Policy::exact();
    let fails = (0..failing.len()).filter(|row| failing[*row]);
    let compared = fails.map(|row| {
        DifferingCase::compared(&exact, row, expected[row].clone(), actual[row].clone())
    });
    compared.filter(|case| !case.comparison.is_same()).collect()
}

/// Converts all outputs to texts if any are, such as `7` in a column with `7a`.
fn of_one_kind(mut outputs: Vec<Value>) -> Vec<Value> {
    if outputs.iter().any(|output| output.as_str().is_some()) {
        for output in &mut outputs {
            if let Value::Number(_) | Value::Bool(_) = output {
                *output = output.to_string().into();
            }
        }
    }
    outputs
}
