//! The rows of a file.

use std::path::Path;
use std::{fs, io};

use tdg_definition::Definition;
use tdg_definition::limits::{CELLS, SIZES};
use tdg_definition::table::{self, NullMarks, Table, TableError};
use tdg_engine::Vectors;
use tdg_engine::config::TestPlace;
use tdg_engine::text::counted;

use crate::runner::error::{Result, RunError};
use crate::test_options::TestOptions;

/// The rows of a file.
#[derive(Debug)]
pub(crate) struct RowsFile {
    /// Its path as the test names it.
    pub(crate) path: String,
    pub(crate) vectors: Vectors,
}

impl RowsFile {
    /// Reads the test's number of rows from the start of the file, or all.
    pub(crate) fn read(
        path: &Path,
        test: &TestOptions,
        definition: &Definition,
        place: &TestPlace,
    ) -> Result<Self> {
        let shown = path.display().to_string();
        let bytes = fs::read(place.package.join(path)).map_err(|error| {
            let problem = match error.kind() {
                io::ErrorKind::NotFound => format!("can't find the file {shown}"),
                _ => format!("the rows {shown} can't be read: {error}"),
            };
            let root = place.package.display();
            RunError::new(format!("{problem}; paths are relative to {root}"))
        })?;
        let vectors = rows(&shown, &bytes, &test.null, test.size, definition)?;
        Ok(Self {
            path: shown,
            vectors,
        })
    }
}

fn rows(
    path: &str,
    bytes: &[u8],
    nulls: &NullMarks,
    size: Option<usize>,
    definition: &Definition,
) -> Result<Vectors> {
    let most = *SIZES.end();
    let wanted = size.unwrap_or(most + 1);
    if size.is_some_and(|size| !SIZES.contains(&size)) {
        return Err(tdg_definition::SizeError::Rows(wanted).into());
    }
    let wrong = |error: TableError| RunError::from(error).within(path);
    table::check_extension(path).map_err(wrong)?;
    let text = table::text(path, bytes).map_err(wrong)?;
    let table = Table::parse(&text, table::delimiter(path), wanted).map_err(wrong)?;
    let found = table.rows();
    if found > most {
        return Err(RunError::new(format!(
            "{path} has more than {most} rows, the most that a test can have"
        ))
        .hint(format!("take the first ones: size = {most}")));
    }
    if found == 0 {
        return Err(RunError::new(format!("{path} has no rows")));
    }
    if let Some(size) = size
        && found < size
    {
        let rows = counted(found, "row");
        return Err(
            RunError::new(format!("{path} has {rows}, but the test takes {size}")).hint(format!(
                "use size = {found}, or leave it out to take all rows"
            )),
        );
    }
    if found * definition.features().len() > CELLS {
        let features = definition.features().len();
        return Err(tdg_definition::SizeError::Cells {
            size: found,
            features,
            most: CELLS / features,
        }
        .into());
    }
    Vectors::of_file(definition, &table, nulls).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_takes_the_first_rows() {
        let definition = Definition::parse(
            r#"{"features": [{"feature_name": "a", "type": "INTEGER", "distribution": {"type": "any"}}]}"#,
        );
        let definition = definition.unwrap();
        let read = |text: &str, size| {
            rows(
                "a.csv",
                text.as_bytes(),
                &NullMarks::default(),
                size,
                &definition,
            )
        };
        let json = |text, size| read(text, size).unwrap().to_json();
        assert_eq!(json("a\n1\n2\n3\n", None), "[[1],[2],[3]]");
        assert_eq!(json("a\n1\n2\nlater\n", Some(2)), "[[1],[2]]");
        let many = format!("a\n{}", "1\n".repeat(10_001));
        assert_eq!(read(&many, Some(10_000)).unwrap().size(), 10_000);
        let wrong = |text, size| read(text, size).unwrap_err().text();
        let messages = [
            wrong(&many, None),
            wrong("a\n", None),
            wrong("a\n1\n", Some(2)),
            wrong("a\n1\n", Some(0)),
            wrong("a\n1\nx\n", None),
            wrong("a\n1\n\"2\"3\n", None),
        ];
        insta::assert_snapshot!(messages.join("\n"), @r#"
        a.csv has more than 10000 rows, the most that a test can have
        take the first ones: size = 10000
        a.csv has no rows

        a.csv has 1 row, but the test takes 2
        use size = 1, or leave it out to take all rows
        an ensemble has 1 to 10000 rows, not 0

        a.csv: line 3: `a` is "x", but its type is INTEGER

        a.csv: line 3, column 4: text follows the closing quote of a field that begins in line 3; a quote within quotes is written twice
        "#);
    }
}
