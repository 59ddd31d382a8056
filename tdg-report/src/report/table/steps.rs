//! The step of a list at which the output first differs, if each element has an output.

use tdg_definition::json::{Pointer, Value};
use tdg_definition::{Cells, sort};

use super::ReportTable;
use crate::report::{Extent, Section};
use tdg_engine::compare::DifferingCase;
use tdg_engine::generate::{Vectors, cell_value};
use tdg_engine::text::{escape, input_cell};

/// The maximum number of steps shown, which are the last ones before the outputs differ.
const SHOWN: usize = 8;
const WIDTH: usize = 40;

/// The steps of a case until its output differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The case, counted from 0: among the cases that differ at the earliest step, the one with the
    /// fewest steps.
    pub case: usize,
    /// The name of the list.
    pub feature: String,
    /// The steps, in order. The outputs of the last one differ.
    pub steps: Vec<Step>,
}

/// An element of the list, with the matching elements of the outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The element of the list.
    pub input: Value,
    /// The expected output.
    pub expected: Value,
    /// The actual output.
    pub actual: Value,
}

impl Steps {
    /// Returns the steps of the case that differs first. Returns `None` unless all outputs are as
    /// long as one of the lists, and are more than a permutation of it.
    pub(crate) fn new(vectors: &Vectors, differing: &[DifferingCase]) -> Option<Self> {
        let features = vectors.features().iter();
        let lists = features.filter(|it| matches!(it.column.cells(), Cells::List(_)));
        let mut found = lists.filter_map(|feature| {
            let of_case = |differing: &DifferingCase| {
                let list = cell_value(&feature.column, differing.case);
                let expected = elements(&differing.expected)?;
                let is_step = list.as_array()?.len() == expected.len();
                let is_order = is_sorted_like(list.as_array()?, expected);
                Some((is_step, is_order, list))
            };
            let lists: Vec<_> = differing.iter().map(of_case).collect::<Option<_>>()?;
            let are_steps = lists.iter().all(|(is_step, ..)| *is_step);
            let are_ordered = lists.iter().all(|(_, is_order, _)| *is_order);
            if !are_steps || are_ordered {
                return None;
            }
            let steps = differing.iter().zip(lists);
            let steps = steps.filter_map(|(differing, (_, _, list))| {
                let list = list.as_array()?;
                Some((list.len(), Self::of_case(&feature.name, list, differing)?))
            });
            let first = steps.min_by_key(|(length, it)| (it.steps.len(), *length, it.case));
            first.map(|(_, steps)| steps)
        });
        found.next()
    }

    fn of_case(feature: &str, list: &[Value], differing: &DifferingCase) -> Option<Self> {
        let (expected, actual) = (elements(&differing.expected)?, elements(&differing.actual)?);
        let differences = differing.comparison.differences.iter();
        let first = differences.filter_map(|it| step(&it.pointer)).min()?;
        let all = list.iter().zip(expected).zip(actual);
        let steps = all.take(first + 1).map(|((input, expected), actual)| Step {
            input: input.clone(),
            expected: expected.clone(),
            actual: actual.clone(),
        });
        let steps: Vec<Step> = steps.collect();
        (steps.len() == first + 1).then(|| Self {
            case: differing.case,
            feature: feature.to_owned(),
            steps,
        })
    }

    pub(crate) fn lines(&self, extent: Extent) -> Section {
        let last = self.steps.len() - 1;
        let shown = &self.steps[self.steps.len().saturating_sub(SHOWN)..];
        let first = self.steps.len() - shown.len();
        let mut lines = vec![format!(
            "case {}, {}: the first difference is at element {last}",
            self.case,
            escape(&self.feature)
        )];
        let mut table = ReportTable::default();
        let cells = |of: &dyn Fn(&Step) -> &Value| -> Vec<String> {
            shown
                .iter()
                .map(|step| input_cell(&of(step).to_string()))
                .collect()
        };
        table.fixed("", (first..=last).map(|it| it.to_string()).collect(), 9);
        table.input(&self.feature, cells(&|step| &step.input), WIDTH, true);
        let outputs = [cells(&|step| &step.expected), cells(&|step| &step.actual)];
        table.outputs(outputs, WIDTH);
        let table = table.lines(extent.indented()).0;
        lines.extend(table.into_iter().map(|line| format!("  {line}")));
        lines
    }
}

/// Returns the elements of an output that is an array or an `Ok` with one.
fn elements(output: &Value) -> Option<&[Value]> {
    output.get("Ok").unwrap_or(output).as_array()
}

/// Returns the index of the element that contains a difference.
fn step(pointer: &Pointer) -> Option<usize> {
    let mut segments = pointer.segments().filter(|segment| *segment != "Ok");
    segments.next()?.parse().ok()
}

/// Returns true if the output is the list in some order.
fn is_sorted_like(left: &[Value], right: &[Value]) -> bool {
    let sorted = |values: &[Value]| {
        let mut values = values.to_vec();
        sort::by(&mut values, Ord::cmp);
        values
    };
    sorted(left) == sorted(right)
}

#[cfg(test)]
mod tests {
    use tdg_definition::{Definition, Policy, json};

    use super::*;
    use crate::report::{Changed, ComparedWith};

    /// Returns the changes for rows of `ops`, each with the expected and the actual output.
    fn changed(rows: &[[&str; 3]]) -> Changed {
        let definition = r#"{"features": [{"feature_name": "ops", "type": "LIST", "distribution":
            {"type": "list", "element": {"type": "STRING", "distribution": {"type": "any"}}}}]}"#;
        let inputs: Vec<String> = rows.iter().map(|[ops, ..]| format!("[{ops}]")).collect();
        let definition = Definition::parse(definition).unwrap();
        let rows_of_ops = format!("[{}]", inputs.join(","));
        let vectors = Vectors::from_json(&definition, &rows_of_ops).unwrap();
        let value = |text: &str| json::parse(text).unwrap();
        let cases = rows.iter().enumerate();
        let differing: Vec<DifferingCase> = cases
            .map(|(case, [_, expected, actual])| {
                DifferingCase::compared(&Policy::exact(), case, value(expected), value(actual))
            })
            .collect();
        let with = ComparedWith::Function("old::run".to_owned());
        Changed::from_cases(&vectors, &[], None, &differing, with)
    }

    #[test]
    fn the_steps_until_the_first_difference_are_shown_of_the_case_that_has_fewest() {
        let changed = changed(&[
            [r#"["push","push","pop","clear"]"#, "[1,2,1,0]", "[1,2,1,9]"],
            [
                r#"["push","pop","pop"]"#,
                r#"{"Ok":[1,0,0]}"#,
                r#"{"Ok":[1,0,-1]}"#,
            ],
        ]);
        let steps = changed.steps.as_ref().unwrap();
        insta::assert_snapshot!(steps.lines(Extent::SCREEN).join("\n"), @r#"
        case 1, ops: the first difference is at element 2
             ops     expected  actual
          0  "push"         1       1
          1  "pop"          0       0
          2  "pop"          0      -1
        "#);
        assert_eq!(
            changed.first(),
            Some(1),
            "the shortest is the first in the table"
        );
    }

    #[test]
    fn outputs_of_another_length_or_in_another_order_have_no_steps() {
        let none = |rows: &[[&str; 3]]| changed(rows).steps.is_none();
        assert!(none(&[[r#"["push"]"#, "[1,2]", "[1,3]"]]));
        assert!(none(&[[r#"["b","a"]"#, r#"["a","b"]"#, r#"["b","a"]"#]]));
        assert!(none(&[[r#"["push"]"#, "1", "2"]]));
    }
}
