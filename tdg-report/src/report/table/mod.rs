//! A table of cases in plain text.

pub(super) mod case_lines;
pub(super) mod cell;
pub(super) mod histogram;
pub(super) mod steps;

mod marks;

use super::Extent;
use marks::marks;
use tdg_engine::text::{escape, shorten, shorten_apart, shorten_value, width};

/// A table with lines that fit. It shortens texts, then drops inputs, dispensable ones first.
#[derive(Default)]
pub(super) struct ReportTable {
    columns: Vec<ReportColumn>,
    rows: usize,
}

struct ReportColumn {
    header: String,
    cells: Vec<String>,
    /// Texts that extend across the columns from this one on, by row; empty for other rows.
    spans: Vec<String>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// Shown in full while there is room.
    Fixed,
    /// An output. It is cut where the other output is like it.
    Output,
    /// An input. A list is cut between its elements, other texts in the middle.
    Input,
    /// An input that is dropped if shortening isn't enough.
    Dispensable,
}

const GAP: &str = "  ";

/// The width of an input's cell: a datetime, such as `"2021-03-08T22:14:28Z"`.
const INPUT_WIDTH: usize = 22;

/// The width of a cell of lists or objects, which have more to show.
const NESTED_WIDTH: usize = 2 * INPUT_WIDTH;

/// Returns the width of an input's cells.
pub(super) fn input_width(cells: &[String]) -> usize {
    match cells.iter().any(|cell| cell.starts_with(['[', '{'])) {
        true => NESTED_WIDTH,
        false => INPUT_WIDTH,
    }
}

/// The maximum number of rows with marks below the characters that differ.
const MARKED: usize = 3;

/// The width to which texts are shortened before inputs are dropped.
const LEAST: usize = 14;

impl ReportTable {
    /// Adds a column that is always shown, in full if possible. Cells wider than `max` are cut.
    pub(super) fn fixed(&mut self, header: &str, cells: Vec<String>, max: usize) {
        self.add(header, cells, max, Role::Fixed);
    }

    /// Adds the columns of expected and actual outputs, which are always shown, in part if there
    /// isn't enough room. Both are cut where they are alike.
    pub(super) fn outputs(&mut self, [expected, actual]: [Vec<String>; 2], max: usize) {
        let pairs = expected.iter().zip(&actual);
        let cut = pairs.map(|(expected, actual)| {
            shorten_apart([&escape(expected), &escape(actual)], [max; 2])
        });
        let (expected, actual) = cut.map(|[expected, actual]| (expected, actual)).unzip();
        self.add("expected", expected, max, Role::Output);
        self.add("actual", actual, max, Role::Output);
    }

    /// Adds a column that is shown if there is room or if it `decides` the choice of cases.
    pub(super) fn input(&mut self, header: &str, cells: Vec<String>, max: usize, decides: bool) {
        let role = match decides {
            true => Role::Input,
            false => Role::Dispensable,
        };
        self.add(header, cells, max, role);
    }

    fn add(&mut self, header: &str, cells: Vec<String>, max: usize, role: Role) {
        self.rows = self.rows.max(cells.len());
        let fit = |text: &str| shorten_value(&escape(text), max);
        self.columns.push(ReportColumn {
            header: fit(header),
            cells: cells.iter().map(|cell| fit(cell)).collect(),
            spans: Vec::new(),
            role,
        });
    }

    /// Sets texts for rows without cells from the last column on, by row; empty for the others.
    pub(super) fn span_from_last(&mut self, texts: Vec<String>) {
        if let Some(last) = self.columns.last_mut() {
            last.spans = texts;
        }
    }

    /// Returns the lines of the table, and the number of hidden inputs.
    pub(super) fn lines(&self, extent: Extent) -> (Vec<String>, usize) {
        self.lines_within(extent.columns())
    }

    fn lines_within(&self, room: usize) -> (Vec<String>, usize) {
        let (shown, hidden) = self.fitting_columns(room);
        let header = shown
            .iter()
            .map(|(column, width)| shorten(&column.header, *width));
        let mut lines = vec![line(&shown, &header.collect::<Vec<_>>())];
        let mut marked = 0;
        for row in 0..self.rows {
            let cells = cells(&shown, row);
            if let Some(first) = shown
                .iter()
                .position(|(column, _)| !column.span(row).is_empty())
            {
                let start = line(&shown[..first], &cells);
                let indent: usize = shown[..first].iter().map(|(_, it)| it + GAP.len()).sum();
                let span = shorten(shown[first].0.span(row), room.saturating_sub(indent));
                let padding = indent.saturating_sub(width(&start));
                lines.push(format!("{start}{}{span}", " ".repeat(padding)));
                continue;
            }
            lines.push(line(&shown, &cells));
            if let Some(marks) = marks_below(&shown, &cells).filter(|_| marked < MARKED) {
                lines.push(line(&shown, &marks));
                marked += 1;
            }
        }
        (lines, hidden)
    }

    /// Returns the shown columns with their widths, and the number of hidden ones.
    fn fitting_columns(&self, room: usize) -> (Vec<(&ReportColumn, usize)>, usize) {
        let has_text = |column: &&ReportColumn| column.width() > 0;
        let mut shown: Vec<&ReportColumn> = self.columns.iter().filter(has_text).collect();
        let all = shown.len();
        for (least, dropped) in CONCESSIONS {
            loop {
                let widths = shortened(&shown, room, least);
                let taken: usize = widths.iter().map(|width| width + GAP.len()).sum();
                if taken <= room.saturating_add(GAP.len()) {
                    let hidden = all - shown.len();
                    return (shown.into_iter().zip(widths).collect(), hidden);
                }
                match shown.iter().rposition(|column| column.role == dropped) {
                    Some(last) => drop(shown.remove(last)),
                    None => break,
                }
            }
        }
        let widths = shortened(&shown, room, |_| 1);
        let hidden = all - shown.len();
        (shown.into_iter().zip(widths).collect(), hidden)
    }
}

/// The width to which a column may be shortened, and the columns that are dropped if that isn't
/// enough.
type Concession = (fn(&ReportColumn) -> usize, Role);

/// Tried in order.
const CONCESSIONS: [Concession; 2] = [
    (ReportColumn::least, Role::Dispensable),
    (ReportColumn::least_of_texts, Role::Input),
];

/// Returns a row's cells, shortened to the widths of their columns.
fn cells(shown: &[(&ReportColumn, usize)], row: usize) -> Vec<String> {
    let text = |column: &ReportColumn| column.cells.get(row).cloned().unwrap_or_default();
    let fitting = |(column, width): &(&ReportColumn, usize)| shorten_value(&text(column), *width);
    let mut cells: Vec<String> = shown.iter().map(fitting).collect();
    if let Some(sides) = outputs(shown) {
        let texts = sides.map(|side| text(shown[side].0));
        let widths = sides.map(|side| shown[side].1);
        let [expected, actual] = shorten_apart([&texts[0], &texts[1]], widths);
        cells[sides[0]] = expected;
        cells[sides[1]] = actual;
    }
    cells
}

/// Returns a row with marks below the characters in which its outputs differ, if that helps.
fn marks_below(shown: &[(&ReportColumn, usize)], cells: &[String]) -> Option<Vec<String>> {
    let sides = outputs(shown)?;
    let marks = marks(sides.map(|side| &*cells[side]))?;
    let mut line = vec![String::new(); cells.len()];
    for (side, marks) in sides.into_iter().zip(marks) {
        line[side] = marks;
    }
    Some(line)
}

/// Returns the places of the two columns of outputs.
fn outputs(shown: &[(&ReportColumn, usize)]) -> Option<[usize; 2]> {
    let is_output = |index: &usize| shown[*index].0.role == Role::Output;
    let outputs: Vec<usize> = (0..shown.len()).filter(is_output).collect();
    outputs.try_into().ok()
}

/// Returns a line of these cells.
fn line(shown: &[(&ReportColumn, usize)], cells: &[String]) -> String {
    let mut line = String::new();
    for (index, ((column, width), cell)) in shown.iter().zip(cells).enumerate() {
        if index > 0 {
            line.push_str(GAP);
        }
        column.push_aligned(&mut line, cell, *width);
    }
    line.trim_end().to_owned()
}

/// Returns the widths of columns, with the widest texts shortened while that helps.
fn shortened(
    columns: &[&ReportColumn],
    room: usize,
    least: fn(&ReportColumn) -> usize,
) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.width()).collect();
    let least: Vec<usize> = columns.iter().map(|column| least(column)).collect();
    let gaps = GAP.len() * columns.len().saturating_sub(1);
    let room = room.saturating_sub(gaps);
    while widths.iter().sum::<usize>() > room {
        let shrinkable = (0..widths.len()).filter(|index| widths[*index] > least[*index]);
        let rank = |index: &usize| (columns[*index].role != Role::Input, widths[*index]);
        match shrinkable.max_by_key(rank) {
            Some(widest) => widths[widest] -= 1,
            None => break,
        }
    }
    widths
}

impl ReportColumn {
    fn width(&self) -> usize {
        let cells = self.cells.iter().chain([&self.header]);
        cells.map(|cell| width(cell)).max().unwrap_or_default()
    }

    /// Returns the minimum width while inputs can be dropped instead.
    fn least(&self) -> usize {
        match self.role {
            Role::Fixed => self.width(),
            _ => self.least_of_texts(),
        }
    }

    /// Returns the minimum readable width, at which numbers have all their digits.
    fn least_of_texts(&self) -> usize {
        let numbers = self.cells.iter().filter(|cell| is_number(cell));
        let widest = numbers.map(|cell| width(cell)).max();
        widest.unwrap_or_default().max(LEAST).min(self.width())
    }

    /// Returns the text across the columns in a row; empty for most rows.
    fn span(&self, row: usize) -> &str {
        self.spans.get(row).map_or("", String::as_str)
    }

    fn push_aligned(&self, line: &mut String, cell: &str, room: usize) {
        let padding = " ".repeat(room.saturating_sub(width(cell)));
        if self.is_numeric() {
            line.push_str(&padding);
            line.push_str(cell);
        } else {
            line.push_str(cell);
            line.push_str(&padding);
        }
    }

    /// Returns true if the cells are numbers, apart from substitutes such as `null`.
    fn is_numeric(&self) -> bool {
        let is_none = |cell: &String| {
            matches!(
                cell.as_str(),
                "" | "null" | "NaN" | "–" | "missing" | "added"
            )
        };
        let mut cells = self.cells.iter();
        self.cells.iter().any(|cell| is_number(cell))
            && cells.all(|cell| is_number(cell) || is_none(cell))
    }
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || "+-−".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cells(cells: &[&str]) -> Vec<String> {
        cells.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn numbers_are_aligned_right_and_text_left() {
        let mut table = ReportTable::default();
        table.fixed("case", cells(&["3", "412"]), 9);
        table.input("amount", cells(&["null", "-7.5"]), INPUT_WIDTH, false);
        table.input(
            "coupon",
            cells(&["\"日本\"", "\"HALF\""]),
            INPUT_WIDTH,
            false,
        );
        table.fixed("error", cells(&["−3.0 %", ""]), 9);
        let (lines, hidden) = table.lines(Extent::SCREEN);
        assert_eq!(
            lines,
            [
                "case  amount  coupon   error",
                "   3    null  \"日本\"  −3.0 %",
                " 412    -7.5  \"HALF\"",
            ]
        );
        assert_eq!(hidden, 0);
    }

    #[test]
    fn inputs_that_do_not_fit_are_hidden_and_counted() {
        let mut table = ReportTable::default();
        table.fixed("case", cells(&["1"]), 9);
        for _ in 0..10 {
            table.input(
                "a feature with a long name",
                cells(&["1"]),
                INPUT_WIDTH,
                false,
            );
        }
        table.fixed("actual", cells(&["2"]), 9);
        let (lines, hidden) = table.lines_within(116);
        assert_eq!(hidden, 4);
        assert!(lines.iter().all(|line| width(line) <= 116));
        assert!(lines[0].ends_with("actual"));
    }

    #[test]
    fn no_cell_breaks_out_of_its_line() {
        let mut table = ReportTable::default();
        table.fixed("a\nb", cells(&["\u{1b}[2J\n"]), 20);
        assert_eq!(table.lines(Extent::SCREEN).0, ["a\\nb", "\\u001b[2J\\n"]);
    }

    #[test]
    fn a_wide_output_is_shortened_before_an_input_is_left_out() {
        let mut table = ReportTable::default();
        table.fixed("case", cells(&["17"]), 9);
        table.input(
            "placed",
            cells(&["\"2021-03-08T22:14:28Z\""]),
            INPUT_WIDTH,
            false,
        );
        table.input("zone", cells(&["\"Europe/Berlin\""]), INPUT_WIDTH, true);
        table.input("express", cells(&["true"]), INPUT_WIDTH, false);
        let outputs = ["\"2021-03-10T08:00:00Z\"", "\"2021-03-11T08:00:00Z\""];
        table.outputs(outputs.map(|it| cells(&[it])), 26);
        let (lines, hidden) = table.lines_within(78);
        assert_eq!(
            lines,
            [
                "case  placed          zone             express  expected        actual",
                "  17  \"2021-0…4:28Z\"  \"Europe/Berlin\"  true     \"2021-03-10T0…  \"2021-03-11T0…",
                "                                                          ^               ^",
            ]
        );
        assert_eq!(hidden, 0);
        // The column that decides is always kept.
        let (lines, hidden) = table.lines_within(60);
        assert!(
            lines[0].contains("zone") && !lines[0].contains("express"),
            "{lines:?}"
        );
        assert_eq!(hidden, 2);
    }

    #[test]
    fn a_text_over_several_columns_widens_none_of_them() {
        let mut table = ReportTable::default();
        table.fixed("case", cells(&["7", ""]), 9);
        table.fixed("field", cells(&["/net", ""]), 24);
        table.span_from_last(cells(&["", "… and 12 more fields"]));
        table.outputs([cells(&["1.5", ""]), cells(&["1.25", ""])], 26);
        assert_eq!(
            table.lines_within(32).0,
            [
                "case  field  expected  actual",
                "   7  /net        1.5    1.25",
                "      … and 12 more fields",
            ]
        );
        assert_eq!(table.lines_within(24).0[2], "      … and 12 …e fields");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_its_room(
            room in 36_usize..130,
            roles in proptest::collection::vec(0..3, 0..14),
            texts in proptest::collection::vec("[a-z0-9日é/.−+\"-]{0,50}", 60),
        ) {
            let mut table = ReportTable::default();
            let mut texts = texts.chunks_exact(3);
            let mut cells = || texts.next().map_or_else(Vec::new, <[String]>::to_vec);
            table.fixed("case", cells(), 9);
            for role in roles {
                table.input("an input", cells(), INPUT_WIDTH, role == 0);
            }
            table.fixed("field", cells(), 24);
            table.span_from_last(cells());
            table.outputs([cells(), cells()], 26);
            table.fixed("error", cells(), 24);
            table.fixed("", cells(), 12);
            for line in table.lines_within(room).0 {
                prop_assert!(width(&line) <= room, "{} columns: {line}", width(&line));
            }
        }
    }
}
