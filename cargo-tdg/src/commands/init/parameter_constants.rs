//! The edge cases of parameters: the constants that their function compares them with.

use super::drawn_input::{DrawnInput, last_word};
use super::near_values::near_each_other;
use crate::plan::bounds;
use crate::sources::{CallGraph, CodeConstants, FunctionConstants, PublicFunction, named_by};

/// The maximum number of values.
const MOST: usize = 24;
/// The maximum number of values that a parameter has of examples.
const EXAMPLES: usize = 12;
/// The rows of a test by default.
const ROWS: usize = 100;

/// The constants that a function compares its parameters with.
pub(super) struct ParameterConstants<'c> {
    constants: &'c FunctionConstants<'c>,
    function: Option<usize>,
}

impl<'c> ParameterConstants<'c> {
    pub(super) fn new(
        constants: &'c FunctionConstants<'c>,
        calls: &CallGraph,
        function: &PublicFunction<'_>,
    ) -> Self {
        Self {
            constants,
            function: calls.position(function.owner_name(), &function.called()),
        }
    }

    /// Returns the notation for values that tests, examples and documentation pass to a function.
    pub(super) fn passed(&self, path: &str, kind: &str) -> Option<String> {
        let (owner, name) = named_by(path)?;
        let owner = Some(owner).filter(|it| it.starts_with(char::is_uppercase));
        let constants = self.constants.passed_to(owner, name);
        let mut values = values(&constants, kind)?;
        values.truncate(EXAMPLES);
        let has_several = values.len() > 1;
        has_several.then(|| format!("categorical({})", values.join(", ")))
    }

    /// Returns the edge cases of drawn values, each as notation; empty for none.
    pub(super) fn of_drawn(&self, drawn: &[DrawnInput]) -> Vec<String> {
        let Some(function) = self.function else {
            return vec![String::new(); drawn.len()];
        };
        let near = near_each_other(self.constants, function, drawn);
        let cases = drawn.iter().zip(near).map(|(input, (near, distances))| {
            let is_plain = input.items == "any" || input.items.starts_with("mixture(");
            let compared = || self.constants.compared_by(function, input.plain());
            let own = is_plain.then(|| values(&compared().without(&distances), &input.kind));
            let own = own.flatten().unwrap_or_default();
            // Two values that are compared have to meet.
            let has_near = !near.is_empty();
            let values: Vec<String> = near.into_iter().chain(own).take(MOST).collect();
            // Each value occurs at least twice, if that leaves enough other rows.
            let share = match has_near {
                true => 0.4,
                false => (2 * values.len() * 100 / ROWS).clamp(5, 25) as f64 / 100.0,
            };
            match values.is_empty() {
                true => String::new(),
                false => format!(
                    ", edge_cases(probability = {share}, values = [{}])",
                    values.join(", ")
                ),
            }
        });
        cases.collect()
    }
}

/// Returns the constants and their neighbours that the type has.
fn values(constants: &CodeConstants, kind: &str) -> Option<Vec<String>> {
    let written = |it: String| format!("{it:?}");
    Some(match last_word(kind)? {
        "str" | "String" => constants.texts().into_iter().map(written).collect(),
        "char" => {
            let texts = constants.texts().into_iter();
            let characters = texts.filter(|it| it.chars().count() == 1);
            characters.map(written).collect()
        }
        name @ ("f32" | "f64") => {
            let mut values = constants.floats(name);
            values.sort_by(f64::total_cmp);
            let written = |it: &f64| match name {
                "f32" => format!("{:?}", *it as f32),
                _ => format!("{it:?}"),
            };
            values.iter().map(written).collect()
        }
        name => {
            let [least, most] = bounds(name)?;
            let mut values = constants.integers(least, most.min(i64::MAX.into()));
            values.sort_unstable();
            values.iter().map(ToString::to_string).collect()
        }
    })
}
