//! Finds a record by the name that the user gave.

use std::path::Path;

use tdg_definition::{control, nearest};

use super::storage::RecordedTest;
use crate::error::{Error, Result};

/// Finds a record by the test's name, its last segments, its package and name, or the path of its
/// snapshot file.
pub(super) fn named<'r>(records: &'r [RecordedTest], name: &str) -> Result<&'r RecordedTest> {
    let matchers: [fn(&RecordedTest, &str) -> bool; 3] = [
        |record, name| record.test.name == name || is_file_of(record, name),
        |record, name| format!("{}::{}", record.test.package, record.test.name) == name,
        |record, name| record.test.name.ends_with(&format!("::{name}")),
    ];
    for matches in matchers {
        let found: Vec<&RecordedTest> = records.iter().filter(|it| matches(it, name)).collect();
        match found.as_slice() {
            [] => {}
            [record] => return Ok(record),
            several => return Err(ambiguous(name, several)),
        }
    }
    Err(unknown(records, name))
}

fn is_file_of(record: &RecordedTest, name: &str) -> bool {
    let name = name.strip_suffix(".new").unwrap_or(name);
    let Some(file) = record.file() else {
        return false;
    };
    name.ends_with(".snap") && file == std::path::absolute(Path::new(name)).unwrap_or_default()
}

fn ambiguous(name: &str, records: &[&RecordedTest]) -> Error {
    let lines = records.iter().map(|record| {
        let (package, test) = (&record.test.package, &record.test);
        format!("\n  {package}::{test}  {}", record.location())
    });
    Error::new(format!(
        "`{name}` is ambiguous; add the package, or name the snapshot file:{}",
        lines.collect::<String>()
    ))
}

fn unknown(records: &[RecordedTest], name: &str) -> Error {
    let names = || records.iter().map(|record| record.test.name.as_str());
    // A user may give more or fewer modules than the name has.
    let last = |name: &'_ str| {
        name.rsplit("::")
            .next()
            .map(str::to_owned)
            .unwrap_or_default()
    };
    let lasts: Vec<String> = names().map(last).collect();
    let near = nearest(name, names()).map(str::to_owned).or_else(|| {
        let near = nearest(&last(name), lasts.iter().map(String::as_str))?;
        let position = lasts.iter().position(|it| it == near)?;
        names().nth(position).map(str::to_owned)
    });
    Error::new(match near {
        Some(near) => format!(
            "no test `{name}` has a benchmark; did you mean `{}`?",
            control::escape(&near)
        ),
        None if records.is_empty() => format!(
            "no test `{name}` has a benchmark; this workspace has none yet: run `cargo test` to \
             record them, or `cargo tdg init` to add a first test"
        ),
        None => format!("no test `{name}` has a benchmark; `cargo tdg show` lists all that do"),
    })
}
