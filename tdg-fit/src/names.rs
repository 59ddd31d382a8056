//! Names the features for the columns of a table.

use std::collections::HashSet;

use tdg_definition::table::{Table, TableCell};

/// A column with a valid feature name.
pub(crate) struct NamedColumn<'t> {
    pub(crate) name: String,
    pub(crate) cells: &'t [TableCell<'t>],
}

impl<'t> NamedColumn<'t> {
    /// Returns the columns of a table, with notes about names that had to change.
    pub(crate) fn all(table: &'t Table<'t>) -> (Vec<Self>, Vec<String>) {
        let mut taken: HashSet<String> = HashSet::new();
        let (mut columns, mut notes) = (Vec::new(), Vec::new());
        for (number, column) in (1..).zip(table.columns()) {
            let usable = usable(column.name(), number);
            let mut name = usable.clone();
            while !taken.insert(name.clone()) {
                name.push_str(&format!("_{number}"));
            }
            if name != column.name() {
                let written = column.name();
                notes.push(format!(
                    "column {number} is named {written:?}; its feature is `{name}`"
                ));
            }
            columns.push(Self {
                name,
                cells: column.cells(),
            });
        }
        notes.extend(other_delimiter(table));
        (columns, notes)
    }
}

/// Returns the closest valid feature name.
fn usable(written: &str, number: usize) -> String {
    /// The maximum length of a name in bytes, leaving room for `_1000_1000`.
    const LONGEST: usize = 245;
    let mut name: String = written.chars().filter(|c| !c.is_control()).collect();
    while name.len() > LONGEST {
        name.pop();
    }
    match name.trim() {
        "" => format!("feature_{number}"),
        trimmed => trimmed.to_owned(),
    }
}

fn other_delimiter(table: &Table<'_>) -> Option<String> {
    let mut names = table.names();
    let (Some(name), None) = (names.next(), names.next()) else {
        return None;
    };
    let other = [",", ";", "\t", "|"]
        .into_iter()
        .find(|it| name.contains(it))?;
    Some(format!(
        "the only column has {other:?} in its name; if that separates columns, choose it as the \
         delimiter: --delimiter {}",
        if other == "\t" {
            "tab".to_owned()
        } else {
            format!("'{other}'")
        }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Vec<String>, String) {
        let table = Table::parse(text, b',', 10).unwrap();
        let (columns, notes) = NamedColumn::all(&table);
        let names = columns.into_iter().map(|column| column.name);
        (names.collect(), notes.join("\n"))
    }

    #[test]
    fn names_that_no_feature_can_have_are_changed_with_a_note() {
        let (names, notes) = names("a,\"b\nc\",bc,\"\u{7f}\"\n1,2,3,4\n");
        assert_eq!(names, ["a", "bc", "bc_3", "feature_4"]);
        insta::assert_snapshot!(notes, @r#"
        column 2 is named "b\nc"; its feature is `bc`
        column 3 is named "bc"; its feature is `bc_3`
        column 4 is named "\u{7f}"; its feature is `feature_4`
        "#);
    }

    #[test]
    fn another_delimiter_is_suggested() {
        insta::assert_snapshot!(names("a;b\n1;2\n").1, @r#"the only column has ";" in its name; if that separates columns, choose it as the delimiter: --delimiter ';'"#);
        assert_eq!(names("a\n1;2\n").1, "");
    }
}
