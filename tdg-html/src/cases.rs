//! The changed cases, with a group of lines for each, to be sorted and filtered.

use std::ops::Range;

use maud::{Markup, html};
use tdg_definition::json::{Pointer, Value};
use tdg_definition::{Cells, sort};
use tdg_engine::Vectors;
use tdg_engine::compare::{Comparison, DifferingCase, FieldDifference};
use tdg_engine::output::unmarked;
use tdg_report::DifferenceText;

use super::long_values;
use crate::ComparedRows;
use tdg_engine::text::counted;

/// The maximum number of changed cases to show.
const CASES: usize = 200;
/// The maximum number of fields to show per case.
const FIELDS: usize = 8;
/// The maximum size of the table, in bytes.
const BYTES: usize = 300_000;
/// The maximum number of fields to filter by.
const CHOICES: usize = 40;

/// A part of a change, used to filter cases.
#[derive(Debug)]
pub struct CasePart {
    /// The label, such as `/tax, added in 200 cases`.
    pub text: String,
    /// The cases of the part, or `None` for all.
    pub cases: Option<Vec<usize>>,
    /// The places in their outputs. Empty for whole outputs.
    pub fields: Vec<Pointer>,
}

/// Renders the worst cases, in groups that the script sorts and filters by the change's parts.
#[must_use]
pub fn table(compared: &ComparedRows, parts: &[CasePart]) -> Markup {
    let layout = Layout::new(compared, parts);
    let differing = worst_first(&compared.differing);
    let (table, shown) = layout.table(compared, &differing[..differing.len().min(CASES)]);
    let more = differing.len() - shown;
    html! {
        details {
            summary { "Changed cases" }
            (layout.controls())
            (table)
            @if more > 0 { p.faint { "… and " (counted(more, "more case")) } }
        }
    }
}

/// Renders as many of these cases as fit on the page. Also returns their number.
#[must_use]
pub fn page(compared: &ComparedRows, cases: &[&DifferingCase]) -> (Markup, usize) {
    Layout::new(compared, &[]).table(compared, cases)
}

/// Returns the cases in the order of the report.
#[must_use]
pub fn worst_first(differing: &[DifferingCase]) -> Vec<&DifferingCase> {
    let mut differing: Vec<&DifferingCase> = differing.iter().collect();
    sort::by_key(&mut differing, |it| {
        (std::cmp::Reverse(it.comparison.severity()), it.case)
    });
    differing
}

/// Renders rows, with the outputs of all rows if given.
#[must_use]
pub fn rows(vectors: &Vectors, rows: Range<usize>, outputs: Option<&[Value]>) -> Markup {
    /// The maximum number of columns of a row.
    const COLUMNS: usize = 60;
    let names = vectors.names().enumerate().take(COLUMNS);
    html! {
        div.wide {
            table.cases {
                caption { "Cases " (rows.start) " to " (rows.end.saturating_sub(1)) }
                thead {
                    tr {
                        th.number scope="col" { "case" }
                        @for (position, name) in names {
                            th.number[is_number(vectors, position)] scope="col" { (name) }
                        }
                        @if outputs.is_some() { th scope="col" { "output" } }
                    }
                }
                @for row in rows {
                    tbody {
                        tr {
                            th.number scope="row" { (row) }
                            @for (position, cell) in vectors.cells(row).iter().enumerate().take(COLUMNS) {
                                td.number[is_number(vectors, position)] { (long_values::value(cell)) }
                            }
                            @if let Some(output) = outputs.and_then(|it| it.get(row)) {
                                td { (long_values::value(&output.to_string())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The settings of the table that all cases share.
struct Layout<'a> {
    /// The differing fields, with `*` for elements of arrays.
    fields: Vec<String>,
    /// The parts of the change, for filtering.
    parts: &'a [CasePart],
    has_fields: bool,
    /// Set if all outputs are numbers.
    is_numeric: bool,
}

impl<'a> Layout<'a> {
    fn new(compared: &ComparedRows, parts: &'a [CasePart]) -> Self {
        let differences = || {
            let cases = compared.differing.iter();
            cases.flat_map(|it| &it.comparison.differences)
        };
        let mut fields: Vec<String> = Vec::new();
        for difference in differences() {
            let field = field(&difference.pointer);
            if fields.len() < CHOICES && !fields.contains(&field) {
                fields.push(field);
            }
        }
        let is_number = |value: &Option<Value>| match value {
            Some(value) => value.is_null() || value.as_number().is_some(),
            None => true,
        };
        Self {
            fields,
            parts,
            has_fields: differences().any(|it| !it.pointer.is_root()),
            is_numeric: differences().all(|it| is_number(&it.expected) && is_number(&it.actual)),
        }
    }

    /// Renders as many of the cases as fit. Also returns their number.
    fn table(&self, compared: &ComparedRows, cases: &[&DifferingCase]) -> (Markup, usize) {
        let mut groups = Vec::new();
        let mut bytes = 0;
        for differing in cases {
            let group = self.group(compared, differing.case, &differing.comparison);
            bytes += group.0.len();
            if bytes > BYTES && !groups.is_empty() {
                break;
            }
            groups.push(group);
        }
        let table = html! {
            div.wide {
                table.cases.sortable data-groups="" {
                    thead {
                        tr {
                            th.number { "case" }
                            @for (position, name) in compared.vectors.names().enumerate() {
                                th.number[is_number(&compared.vectors, position)] { (name) }
                            }
                            @if self.has_fields { th { "field" } }
                            th.number[self.is_numeric] { "expected" }
                            th.number[self.is_numeric] { "actual" }
                            th.number { "error" }
                        }
                    }
                    @for group in &groups { (group) }
                }
            }
        };
        (table, groups.len())
    }

    /// Renders the choices of fields and rules, if there are several.
    fn controls(&self) -> Markup {
        html! {
            @if self.fields.len() > 1 || !self.parts.is_empty() {
                div.controls hidden {
                    @if !self.parts.is_empty() {
                        label {
                            "Rule "
                            select data-filter="parts" {
                                option value="" { "all" }
                                @for (index, part) in self.parts.iter().enumerate() {
                                    option value=(index) { (index + 1) ": " (part.text) }
                                }
                            }
                        }
                    }
                    @if self.fields.len() > 1 {
                        label {
                            "Field "
                            select data-filter="fields" {
                                option value="" { "all" }
                                @for (index, field) in self.fields.iter().enumerate() {
                                    option value=(index) { (field) }
                                }
                            }
                        }
                    }
                    span.faint data-count="" {}
                }
            }
        }
    }

    /// Renders the lines of a case: its inputs once, then a line per field.
    fn group(&self, compared: &ComparedRows, case: usize, comparison: &Comparison) -> Markup {
        let mut differences: Vec<&FieldDifference> = comparison.differences.iter().collect();
        sort::by_key(&mut differences, |it| std::cmp::Reverse(it.severity()));
        let shown = &differences[..differences.len().min(FIELDS)];
        let more = comparison.count.saturating_sub(shown.len());
        let lines = shown.len() + usize::from(more > 0);
        let span = (lines > 1).then_some(lines);
        let columns = 3 + usize::from(self.has_fields);
        html! {
            tbody data-parts=(self.parts_of(case, &differences)) data-fields=(self.fields_of(&differences)) {
                @for (line, difference) in shown.iter().enumerate() {
                    tr {
                        @if line == 0 {
                            td.number rowspan=[span] { (case) }
                            @for (position, cell) in compared.vectors.cells(case).iter().enumerate() {
                                td.number[is_number(&compared.vectors, position)] rowspan=[span] {
                                    (long_values::value(cell))
                                }
                            }
                        }
                        (self.cells(difference))
                    }
                }
                @if more > 0 {
                    tr { td.faint colspan=(columns) { "… and " (counted(more, "more field")) } }
                }
            }
        }
    }

    fn cells(&self, difference: &FieldDifference) -> Markup {
        let text = DifferenceText::new(difference);
        let whole = |value: &Option<Value>| match value {
            Some(value @ (Value::String(_) | Value::Array(_) | Value::Object(_))) => {
                Some(value.to_string())
            }
            _ => None,
        };
        let side = |value: &Option<Value>, short: &str| match whole(value) {
            Some(whole) => long_values::folded(&whole, short),
            None => html! { (short) },
        };
        let error = difference.relative_error().or(difference.signed_error());
        html! {
            @if self.has_fields { td { (long_values::value(&unmarked(&difference.pointer).to_string())) } }
            td.number[self.is_numeric] { (side(&difference.expected, &text.expected)) }
            td.actual.number[self.is_numeric] { (side(&difference.actual, &text.actual)) }
            td.number data-key=[error] { (text.error) }
        }
    }

    /// Returns the numbers of the parts that a case belongs to.
    fn parts_of(&self, case: usize, differences: &[&FieldDifference]) -> String {
        let is_of = |part: &CasePart| {
            let has = |it: &&FieldDifference| {
                let place = field(&it.pointer);
                part.fields.iter().any(|field| {
                    let field = field.to_string();
                    place == field || place.starts_with(&format!("{field}/"))
                })
            };
            let cases = part.cases.as_ref();
            cases.is_none_or(|cases| cases.contains(&case))
                && (part.fields.is_empty() || differences.iter().any(has))
        };
        numbers(self.parts.iter().map(is_of))
    }

    fn fields_of(&self, differences: &[&FieldDifference]) -> String {
        let of: Vec<String> = differences.iter().map(|it| field(&it.pointer)).collect();
        numbers(self.fields.iter().map(|field| of.contains(field)))
    }
}

/// Returns the positions of the true values, such as `0 3`.
fn numbers(are: impl Iterator<Item = bool>) -> String {
    let positions = are.enumerate().filter(|(_, is)| *is);
    let positions: Vec<String> = positions.map(|(at, _)| at.to_string()).collect();
    positions.join(" ")
}

/// Returns the field's path, with `*` for elements of arrays.
pub(super) fn field(pointer: &Pointer) -> String {
    if pointer.is_root() {
        return "output".to_owned();
    }
    let is_index = |segment: &str| segment.bytes().all(|byte| byte.is_ascii_digit());
    let any = |segment| if is_index(segment) { "*" } else { segment };
    pointer.segments().map(any).collect::<Pointer>().to_string()
}

/// Returns true if the column of a feature has numbers.
fn is_number(vectors: &Vectors, position: usize) -> bool {
    matches!(
        vectors.column(position).cells(),
        Cells::Float(_) | Cells::Integer(_) | Cells::Unsigned(_)
    )
}
