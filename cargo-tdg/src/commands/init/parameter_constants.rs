//! The edge cases of a parameter: the constants that its function compares it with.

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

    /// Returns the notation for a parameter, if it is compared with any.
    pub(super) fn of_parameter(&self, name: &str, kind: &str) -> Option<String> {
        let name = name.trim_start_matches("r#");
        let constants = self.constants.compared_by(self.function?, name);
        let mut values = values(&constants, kind)?;
        values.truncate(MOST);
        // Each value occurs at least twice, if that leaves enough other rows.
        let share = 2 * values.len() * 100 / ROWS;
        let share = share.clamp(5, 25) as f64 / 100.0;
        let is_listed = !values.is_empty();
        let values = values.join(", ");
        is_listed.then(|| format!("edge_cases(probability = {share}, values = [{values}])"))
    }
}

/// Returns the constants and their neighbours that the type has.
fn values(constants: &CodeConstants, kind: &str) -> Option<Vec<String>> {
    let mut words = kind.split(|it: char| !it.is_ascii_alphanumeric());
    let written = |it: String| format!("{it:?}");
    Some(match words.rfind(|it| !it.is_empty())? {
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
