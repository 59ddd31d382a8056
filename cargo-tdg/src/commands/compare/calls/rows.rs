//! The rows of a call: ordinary values, constants of the code, and any values.

use std::iter::successors;

use tdg_definition::Definition;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;

use crate::experiment::make_alike;
use crate::plan::{DrawnFrom, SharedCall, TestedFeatures};
use crate::sources::{CodeConstants, Unsupported};

/// One in this many rows is drawn from constants of the code.
const FROM_CONSTANTS: usize = 5;

/// The longest distance of two values that is tried.
const FARTHEST: i128 = 1_000_000;

/// One extra row with special floats per this many rows.
const SPECIAL: usize = 5;

/// The rows of a call.
pub(crate) struct CallRows {
    /// The definition of all possible rows.
    pub(crate) definition: Definition,
    pub(crate) vectors: Vectors,
    pub(crate) rows: Vec<Value>,
    seed: u64,
}

impl CallRows {
    /// Draws rows. If there are only a few possible rows, all of them are included.
    pub(crate) fn new(
        call: &SharedCall,
        constants: Option<&CodeConstants>,
        tested: &TestedFeatures,
        size: usize,
        seed: u64,
    ) -> Result<Self, Unsupported> {
        let size = if call.is_drawn() { size } else { 1 };
        let definition = |spread| {
            let parsed = Definition::parse(&call.definition(spread));
            parsed.map_err(|error| {
                // The place in the definition says nothing about the function.
                let reason = error.to_string();
                let reason = reason.split_once(": ").map_or(&*reason, |(_, it)| it);
                format!("its arguments can't be drawn: {reason}")
            })
        };
        let any = definition(DrawnFrom::Any)?;
        let all = call.all_rows(size).unwrap_or_default();
        let size = size - all.len();
        let ordinary = definition(DrawnFrom::Ordinary)?;
        let of_constants = constants.filter(|it| !it.is_empty());
        let of_constants = of_constants.and_then(|it| definition(DrawnFrom::Constants(it)).ok());
        let of_constants = of_constants.map(|it| (fitting(&it, size / FROM_CONSTANTS), it));
        let others = size - of_constants.as_ref().map_or(0, |(size, _)| *size);
        let usual = others - others / 2;
        let as_tested = as_tested(call, tested, &any, usual / 2, seed);
        // Ordinary rows come first, since they are easier to read if many rows changed.
        let mut rows = as_tested.unwrap_or_default();
        let mut parts = vec![(&ordinary, usual - rows.len())];
        parts.extend(
            of_constants
                .as_ref()
                .map(|(size, definition)| (definition, *size)),
        );
        parts.push((&any, others / 2));
        for (definition, size) in parts {
            rows.extend(generated(definition, seed, size)?);
        }
        let distances = constants.map_or_else(Vec::new, |it| it.integers(1, FARTHEST));
        let is_admitted = |row: &Value| are_admitted(&any, row);
        make_alike(&mut rows, &call.alike(), &distances, is_admitted);
        rows.extend(all);
        Self::of(any, rows, seed)
    }

    /// Returns other rows, with special floats; `None` if no argument has a float.
    pub(crate) fn with_special_floats(&self, call: &SharedCall) -> Option<Self> {
        let text = call.definition(DrawnFrom::SpecialFloats);
        if text == call.definition(DrawnFrom::Ordinary) {
            return None;
        }
        let definition = Definition::parse(&text).ok()?;
        let size = self.rows.len().div_ceil(SPECIAL);
        let rows = generated(&definition, self.seed, size).ok()?;
        Self::of(definition, rows, self.seed).ok()
    }

    /// Formats the arguments of another row.
    pub(crate) fn inputs(&self, row: &Value) -> String {
        let rows = Value::Array(vec![row.clone()]).to_string();
        let cells = Vectors::from_json(&self.definition, &rows).map(|it| it.cells(0).join(", "));
        cells.unwrap_or(rows)
    }

    fn of(definition: Definition, rows: Vec<Value>, seed: u64) -> Result<Self, Unsupported> {
        let rows = Value::Array(rows);
        let vectors = Vectors::from_json(&definition, &rows.to_string());
        let Value::Array(rows) = rows else {
            return Err("there are no rows".into());
        };
        Ok(Self {
            vectors: vectors.map_err(|it| it.to_string())?,
            definition,
            rows,
            seed,
        })
    }
}

/// Returns true if the definition can draw all values of the row.
fn are_admitted(definition: &Definition, row: &Value) -> bool {
    let values = row.as_array().unwrap_or_default();
    let mut values = definition.features().iter().zip(values);
    values.all(|(it, value)| it.admits(value))
}

fn generated(definition: &Definition, seed: u64, size: usize) -> Result<Vec<Value>, Unsupported> {
    match json::parse(&Vectors::generate(definition, seed, size).to_json()) {
        Ok(Value::Array(rows)) => Ok(rows),
        _ => Err("its rows are not JSON; please report this".into()),
    }
}

/// Returns how many of `size` rows can be drawn within the limit of work. Long texts take much.
fn fitting(definition: &Definition, size: usize) -> usize {
    let mut sizes = successors(Some(size), |size| Some(size / 2)).take_while(|it| *it > 0);
    sizes
        .find(|it| definition.check_work(*it).is_ok())
        .unwrap_or_default()
}

/// Draws rows as tests do. `None` if no test has a feature of the call, or if a test's feature has
/// values that an argument can't have.
fn as_tested(
    call: &SharedCall,
    tested: &TestedFeatures,
    any: &Definition,
    size: usize,
    seed: u64,
) -> Option<Vec<Value>> {
    let text = call.definition(DrawnFrom::Tests(tested));
    if text == call.definition(DrawnFrom::Ordinary) {
        return None;
    }
    let definition = Definition::parse(&text).ok()?;
    let rows = generated(&definition, seed, fitting(&definition, size)).ok()?;
    rows.iter()
        .all(|row| are_admitted(any, row))
        .then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_rows_are_drawn_where_all_take_too_long() {
        let texts = |length: u32| {
            let text = format!(
                r#"{{"type": "STRING", "distribution": {{"type": "pattern", "regex": "[a-z]{{{length}}}"}}}}"#
            );
            let features = vec![text; 30].join(",");
            let definition = Definition::parse(&format!(r#"{{"features": [{features}]}}"#));
            fitting(&definition.unwrap(), 200)
        };
        assert_eq!(texts(9), 200);
        let some = texts(60_000);
        assert!((1..200).contains(&some), "{some}");
    }
}
