//! A table of cases in plain text.

use super::WIDTH;
use super::text::{escape, shorten, width};

/// A table that drops input columns that don't fit.
#[derive(Default)]
pub(super) struct Table {
    columns: Vec<Column>,
    rows: usize,
}

struct Column {
    header: String,
    cells: Vec<String>,
    role: Role,
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// Always shown.
    Fixed,
    /// An input: shown if there is room.
    Input,
}

const GAP: &str = "  ";

impl Table {
    /// A column that is always shown. Cells wider than `max` are shortened.
    pub(super) fn fixed(&mut self, header: &str, cells: Vec<String>, max: usize) {
        self.add(header, cells, max, Role::Fixed);
    }

    /// A column that is shown if there is room.
    pub(super) fn input(&mut self, header: &str, cells: Vec<String>) {
        // The width of a datetime: `"2021-03-08T22:14:28Z"`.
        self.add(header, cells, 22, Role::Input);
    }

    fn add(&mut self, header: &str, cells: Vec<String>, max: usize, role: Role) {
        self.rows = self.rows.max(cells.len());
        let fit = |text: &str| shorten(&escape(text), max);
        self.columns.push(Column {
            header: fit(header),
            cells: cells.iter().map(|cell| fit(cell)).collect(),
            role,
        });
    }

    /// The lines of the table, and the number of hidden inputs.
    pub(super) fn lines(&self) -> (Vec<String>, usize) {
        let (shown, hidden) = self.fitting_columns();
        let line = |cell_of: &dyn Fn(&Column) -> &str| {
            let mut line = String::new();
            for column in &shown {
                if !line.is_empty() {
                    line.push_str(GAP);
                }
                column.push_aligned(&mut line, cell_of(column));
            }
            line.trim_end().to_owned()
        };
        let mut lines = vec![line(&|column| &column.header)];
        for row in 0..self.rows {
            lines.push(line(&|column| {
                column.cells.get(row).map_or("", String::as_str)
            }));
        }
        (lines, hidden)
    }

    fn fitting_columns(&self) -> (Vec<&Column>, usize) {
        let taken = |role: Role| {
            let columns = self
                .columns
                .iter()
                .filter(move |column| column.role == role);
            columns.map(|column| column.width() + GAP.len())
        };
        let mut room = (WIDTH + GAP.len()).saturating_sub(taken(Role::Fixed).sum());
        let mut inputs = 0;
        for width in taken(Role::Input) {
            let Some(left) = room.checked_sub(width) else {
                break;
            };
            room = left;
            inputs += 1;
        }
        let hidden = taken(Role::Input).count() - inputs;
        let mut shown = Vec::new();
        for column in &self.columns {
            if column.role == Role::Input {
                if inputs == 0 {
                    continue;
                }
                inputs -= 1;
            }
            shown.push(column);
        }
        (shown, hidden)
    }
}

impl Column {
    fn width(&self) -> usize {
        let cells = self.cells.iter().chain([&self.header]);
        cells.map(|cell| width(cell)).max().unwrap_or_default()
    }

    fn push_aligned(&self, line: &mut String, cell: &str) {
        let padding = " ".repeat(self.width().saturating_sub(width(cell)));
        if self.is_numeric() {
            line.push_str(&padding);
            line.push_str(cell);
        } else {
            line.push_str(cell);
            line.push_str(&padding);
        }
    }

    /// Whether the cells are numbers, apart from some without one.
    fn is_numeric(&self) -> bool {
        let is_number =
            |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit() || "+-−".contains(c));
        let is_none = |cell: &String| {
            matches!(
                cell.as_str(),
                "" | "null" | "NaN" | "–" | "missing" | "added"
            )
        };
        self.cells.iter().any(is_number)
            && self
                .cells
                .iter()
                .all(|cell| is_number(cell) || is_none(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &[&str]) -> Vec<String> {
        cells.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn numbers_are_aligned_right_and_text_left() {
        let mut table = Table::default();
        table.fixed("case", cells(&["3", "412"]), 9);
        table.input("amount", cells(&["null", "-7.5"]));
        table.input("coupon", cells(&["\"日本\"", "\"HALF\""]));
        table.fixed("error", cells(&["−3.0 %", ""]), 9);
        let (lines, hidden) = table.lines();
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
        let mut table = Table::default();
        table.fixed("case", cells(&["1"]), 9);
        for _ in 0..10 {
            table.input("a feature with a long name", cells(&["1"]));
        }
        table.fixed("actual", cells(&["2"]), 9);
        let (lines, hidden) = table.lines();
        assert_eq!(hidden, 6);
        assert!(lines.iter().all(|line| width(line) <= WIDTH));
        assert!(lines[0].ends_with("actual"));
    }

    #[test]
    fn no_cell_breaks_out_of_its_line() {
        let mut table = Table::default();
        table.fixed("a\nb", cells(&["\u{1b}[2J\n"]), 20);
        assert_eq!(table.lines().0, ["a\\nb", "\\u001b[2J\\n"]);
    }
}
