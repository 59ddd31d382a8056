//! The step of a list at which the output first differs, where it has an element for each.

use tdg_definition::Cells;
use tdg_definition::json::{Pointer, Value};
use tdg_definition::sort;

use super::Section;
use super::cell::input_cell;
use super::table::ReportTable;
use super::text::escape;
use crate::compare::DifferingCase;
use crate::generate::{Vectors, cell_value};

/// The maximum number of steps shown: the last ones until the outputs differ.
const SHOWN: usize = 8;
const WIDTH: usize = 40;

/// The steps of a case until its output differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// The case, counted from 0: of those that differ at the earliest step, the one with the fewest.
    pub case: usize,
    /// The name of the list.
    pub feature: String,
    /// The steps, in order. The outputs of the last one differ.
    pub steps: Vec<Step>,
}

/// An element of the list, and those of the outputs that belong to it.
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
    /// The steps of the case that differs first; `None` unless all outputs are as long as one of the
    /// lists, and more than its elements in another order.
    pub(super) fn of(vectors: &Vectors, differing: &[DifferingCase]) -> Option<Self> {
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
                Self::of_case(&feature.name, list.as_array()?, differing)
            });
            steps.min_by_key(|steps| (steps.steps.len(), steps.case))
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

    pub(super) fn lines(&self) -> Section {
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
        table.output("expected", cells(&|step| &step.expected), WIDTH);
        table.output("actual", cells(&|step| &step.actual), WIDTH);
        lines.extend(table.lines().0.into_iter().map(|line| format!("  {line}")));
        lines
    }
}

/// The elements of an output that is an array, or an `Ok` of one.
fn elements(output: &Value) -> Option<&[Value]> {
    output.get("Ok").unwrap_or(output).as_array()
}

/// The index of the element that a difference is in.
fn step(pointer: &Pointer) -> Option<usize> {
    let mut segments = pointer.segments().filter(|segment| *segment != "Ok");
    segments.next()?.parse().ok()
}

/// Whether both have the same elements: the output is the list in some order.
fn is_sorted_like(left: &[Value], right: &[Value]) -> bool {
    let sorted = |values: &[Value]| {
        let mut values = values.to_vec();
        sort::by(&mut values, Ord::cmp);
        values
    };
    sorted(left) == sorted(right)
}
