//! Which record somebody means.

use std::path::Path;

use tdg_definition::nearest;

use super::Record;
use crate::error::{Error, Result};

/// The record of that name: a test's name, its last parts, its package and name, or the path of its
/// snapshot file.
pub(super) fn named<'r>(records: &'r [Record], name: &str) -> Result<&'r Record> {
    let manners: [fn(&Record, &str) -> bool; 3] = [
        |record, name| record.test.name == name || is_file_of(record, name),
        |record, name| format!("{}::{}", record.test.package, record.test.name) == name,
        |record, name| record.test.name.ends_with(&format!("::{name}")),
    ];
    for is_meant in manners {
        let meant: Vec<&Record> = records.iter().filter(|it| is_meant(it, name)).collect();
        match meant.as_slice() {
            [] => {}
            [record] => return Ok(record),
            several => return Err(ambiguous(name, several)),
        }
    }
    Err(unknown(records, name))
}

fn is_file_of(record: &Record, name: &str) -> bool {
    let name = name.strip_suffix(".new").unwrap_or(name);
    let Some(file) = record.file() else {
        return false;
    };
    name.ends_with(".snap") && file == std::path::absolute(Path::new(name)).unwrap_or_default()
}

fn ambiguous(name: &str, records: &[&Record]) -> Error {
    let lines = records.iter().map(|record| {
        let (package, test) = (&record.test.package, &record.test.name);
        format!("\n  {package}::{test}  {}", record.shown())
    });
    Error::new(format!(
        "`{name}` may be each of these; name one by its package, or by its snapshot file:{}",
        lines.collect::<String>()
    ))
}

fn unknown(records: &[Record], name: &str) -> Error {
    let names = || records.iter().map(|record| record.test.name.as_str());
    // People type the function and leave modules out, or in.
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
        Some(near) => format!("no test `{name}` has a benchmark; did you mean `{near}`?"),
        None if records.is_empty() => format!(
            "no test `{name}` has a benchmark; there is none in this workspace yet: \
             `cargo test` records them, `cargo tdg init` writes a first test"
        ),
        None => format!("no test `{name}` has a benchmark; `cargo tdg show` lists those that have"),
    })
}
