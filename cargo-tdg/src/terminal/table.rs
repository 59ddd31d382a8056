//! Text tables.

use anstyle::Style;
use tdg_definition::control::escape;
use unicode_width::UnicodeWidthStr as _;

/// Aligned columns, with numbers to the right.
pub(crate) struct TerminalTable {
    rows: Vec<Vec<StyledCell>>,
    header: Vec<String>,
}

/// A text, already escaped, and its style.
pub(crate) struct StyledCell {
    text: String,
    style: Style,
}

impl StyledCell {
    pub(crate) fn styled(text: impl AsRef<str>, style: Style) -> Self {
        Self {
            text: escape(text.as_ref()).into_owned(),
            style,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl<T: AsRef<str>> From<T> for StyledCell {
    fn from(text: T) -> Self {
        Self::styled(text, Style::new())
    }
}

impl TerminalTable {
    pub(crate) fn new<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            rows: Vec::new(),
            header: header
                .into_iter()
                .map(|it| escape(it).into_owned())
                .collect(),
        }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = StyledCell>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the table as indented lines, with a faint header.
    pub(crate) fn text(&self, indentation: &str) -> String {
        let columns: Vec<ColumnLayout> = (0..self.header.len())
            .map(|column| self.column(column))
            .collect();
        let mut text = String::new();
        if self.header.iter().any(|title| !title.is_empty()) {
            let style = super::style::FAINT;
            let header = self
                .header
                .iter()
                .map(|title| StyledCell::styled(title, style));
            text.push_str(&line(&columns, &header.collect::<Vec<_>>(), indentation));
        }
        for row in &self.rows {
            text.push_str(&line(&columns, row, indentation));
        }
        text
    }

    fn column(&self, column: usize) -> ColumnLayout {
        let cells = || {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.text.as_str())
        };
        // A number may have a unit: `3`, `−3.0 %`, `< 1 ms`, `4 ULP`.
        let is_number = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_digit() || "+-−<".contains(c))
                && !text.contains(|c: char| c.is_alphabetic() && !"emsULP".contains(c))
        };
        let is_none = |text: &str| matches!(text, "" | "null" | "NaN" | "–" | "missing" | "added");
        ColumnLayout {
            width: cells()
                .chain([self.header[column].as_str()])
                .map(|text| text.width())
                .max()
                .unwrap_or(0),
            is_right: cells().any(is_number)
                && cells().all(|text| is_number(text) || is_none(text)),
        }
    }
}

struct ColumnLayout {
    width: usize,
    is_right: bool,
}

fn line(columns: &[ColumnLayout], cells: &[StyledCell], indentation: &str) -> String {
    let mut text = indentation.to_owned();
    let last = cells.iter().rposition(|cell| !cell.text.is_empty());
    for (index, (cell, column)) in cells.iter().zip(columns).enumerate() {
        if last.is_none_or(|last| index > last) {
            break;
        }
        let padding = " ".repeat(column.width.saturating_sub(cell.text.width()));
        let gap = if index == 0 { "" } else { "  " };
        let (
            StyledCell {
                text: content,
                style,
            },
            reset,
        ) = (cell, cell.style);
        text.push_str(gap);
        match (column.is_right, Some(index) == last) {
            (true, _) => text.push_str(&format!("{padding}{style}{content}{reset:#}")),
            (false, true) => text.push_str(&format!("{style}{content}{reset:#}")),
            (false, false) => text.push_str(&format!("{style}{content}{reset:#}{padding}")),
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_right_text_left_and_lines_have_no_trailing_spaces() {
        let mut table = TerminalTable::new(["test", "cases", "place"]);
        table.row(["日本".into(), "5".into(), "here".into()]);
        table.row(["total".into(), "12".into(), "".into()]);
        assert_eq!(
            anstream::adapter::strip_str(&table.text("  ")).to_string(),
            "  test   cases  place\n  日本       5  here\n  total     12\n"
        );
    }
}
