//! The lines of a changed case in a table.

use std::cmp::Reverse;

use tdg_definition::json::Pointer;
use tdg_definition::sort;

use super::cell::DifferenceCells;
use crate::report::{ChangedCase, Extent, counted, more};
use tdg_engine::compare::{FieldDifference, Severity, with_any_element};
use tdg_engine::output::unmarked;
use tdg_engine::text::{amount, signed};

/// The most fields of a case with separate lines, and the most elements of an array.
const FIELDS: usize = 3;

/// A line of the table, for one or more differing fields of a case.
pub(crate) struct CaseLine<'a> {
    /// The case, on its first line.
    case: Option<&'a ChangedCase>,
    content: LineContent<'a>,
}

enum LineContent<'a> {
    Difference(&'a FieldDifference),
    /// Elements of one array, in order.
    Elements(Vec<&'a FieldDifference>),
    /// The number of differences without a line.
    More(usize),
}

impl<'a> CaseLine<'a> {
    /// Returns the lines of a case: all fields or the worst, in the order of their pointers. If all
    /// cases are shown, many elements of an array share one line.
    pub(crate) fn lines(case: &'a ChangedCase, extent: Extent) -> Vec<Self> {
        let differences = &case.comparison.differences;
        let most = match extent.are_values_whole() {
            true => usize::MAX,
            false => FIELDS,
        };
        let mut contents = match extent.are_all_told() && !extent.are_values_whole() {
            true => folded(differences),
            false => differences.iter().map(LineContent::Difference).collect(),
        };
        let mut ranks: Vec<(usize, Option<Severity>)> = contents
            .iter()
            .map(LineContent::severity)
            .enumerate()
            .collect();
        sort::by_key(&mut ranks, |(_, severity)| Reverse(*severity));
        let hidden: Vec<usize> = ranks.into_iter().skip(most).map(|(it, _)| it).collect();
        let mut index = 0..;
        contents.retain(|_| !index.next().is_some_and(|it| hidden.contains(&it)));

        let told: usize = contents.iter().map(LineContent::count).sum();
        let more = case.comparison.count.saturating_sub(told);
        contents.extend((more > 0).then_some(LineContent::More(more)));
        let lines = contents.into_iter().enumerate();
        lines
            .map(|(line, content)| Self {
                case: (line == 0).then_some(case),
                content,
            })
            .collect()
    }

    pub(crate) fn case(&self) -> String {
        self.case
            .map_or_else(String::new, |case| case.case.to_string())
    }

    pub(crate) fn input(&self, index: usize) -> Option<&'a str> {
        self.case?.inputs.get(index).map(String::as_str)
    }

    /// Returns true if the line describes a part of the output.
    pub(crate) fn has_field(&self) -> bool {
        match &self.content {
            LineContent::Difference(difference) => !unmarked(&difference.pointer).is_root(),
            LineContent::Elements(_) | LineContent::More(_) => true,
        }
    }

    pub(crate) fn field(&self) -> String {
        match &self.content {
            LineContent::Difference(difference) => unmarked(&difference.pointer).to_string(),
            LineContent::Elements(elements) => range_of_pointers(elements),
            LineContent::More(_) => String::new(),
        }
    }

    /// Describes the number of differences without a line; empty for other lines.
    pub(crate) fn rest(&self) -> String {
        match &self.content {
            LineContent::More(count) => format!("… and {}", more(*count, "field")),
            LineContent::Difference(_) | LineContent::Elements(_) => String::new(),
        }
    }

    pub(crate) fn cells(&self, are_values_whole: bool) -> DifferenceCells {
        match &self.content {
            LineContent::Difference(difference) if are_values_whole => {
                DifferenceCells::whole(difference)
            }
            LineContent::Difference(difference) => DifferenceCells::new(difference),
            LineContent::Elements(elements) => DifferenceCells {
                expected: counted(elements.len(), "element"),
                error: range_of_errors(elements),
                ..DifferenceCells::default()
            },
            LineContent::More(_) => DifferenceCells::default(),
        }
    }
}

impl LineContent<'_> {
    fn severity(&self) -> Option<Severity> {
        match self {
            Self::Difference(difference) => Some(difference.severity()),
            Self::Elements(elements) => elements.iter().map(|it| it.severity()).max(),
            Self::More(_) => None,
        }
    }

    /// Returns the number of differences.
    fn count(&self) -> usize {
        match self {
            Self::Difference(_) => 1,
            Self::Elements(elements) => elements.len(),
            Self::More(count) => *count,
        }
    }
}

/// Merges the differences of arrays with many differing elements.
fn folded(differences: &[FieldDifference]) -> Vec<LineContent<'_>> {
    let mut fields: Vec<(Pointer, Vec<&FieldDifference>)> = Vec::new();
    for difference in differences {
        let field = with_any_element(&difference.pointer);
        match fields.iter_mut().find(|(of, _)| *of == field) {
            Some((_, elements)) => elements.push(difference),
            None => fields.push((field, vec![difference])),
        }
    }
    let contents = fields
        .into_iter()
        .flat_map(|(_, elements)| match elements.len() > FIELDS {
            true => vec![LineContent::Elements(elements)],
            false => elements.into_iter().map(LineContent::Difference).collect(),
        });
    contents.collect()
}

/// Formats a range such as `/list/6…19` or `/lines/0…4/price`.
fn range_of_pointers(elements: &[&FieldDifference]) -> String {
    let (Some(first), Some(last)) = (elements.first(), elements.last()) else {
        return String::new();
    };
    let segments = first.pointer.segments().zip(last.pointer.segments());
    let segments = segments.map(|(first, last)| match first == last {
        true => first.to_owned(),
        false => format!("{first}…{last}"),
    });
    let segments: Vec<String> = segments.collect();
    let pointer: Pointer = segments.iter().map(String::as_str).collect();
    unmarked(&pointer).to_string()
}

/// Formats a range such as `+0.5` or `−2 … +0.5`; empty unless all are numbers.
fn range_of_errors(elements: &[&FieldDifference]) -> String {
    let errors: Option<Vec<f64>> = elements.iter().map(|it| it.signed_error()).collect();
    let errors = errors.unwrap_or_default();
    let ends = [
        errors.iter().copied().reduce(f64::min),
        errors.iter().copied().reduce(f64::max),
    ];
    let ends = ends
        .into_iter()
        .flatten()
        .map(|error| signed(error, amount));
    let mut ends: Vec<String> = ends.collect();
    ends.dedup();
    ends.join(" … ")
}
