//! Cases with their inputs and outputs.

use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_engine::compare::FieldDifference;

use super::parts;
use crate::error::{Error, Result};
use crate::record::{ComparedChange, Record, outputs, vectors};
use crate::terminal::style::{BAD, GOOD, PENDING, STRONG};
use crate::terminal::{Cell, Table};

/// Every row of the benchmark with its output.
pub(super) fn all(record: &Record, json: bool) -> Result<String> {
    let Some(benchmark) = record.benchmark()? else {
        return Err(Error::new(format!(
            "{} has no benchmark yet, only pending outputs",
            record.test
        )));
    };
    let (vectors, outputs) = (vectors(&benchmark)?, outputs(&benchmark)?);
    if json {
        let lines = outputs.iter().enumerate().map(|(case, output)| {
            let members = [
                ("case", Value::from(case as u64)),
                ("output", output.clone()),
            ];
            json_line(&vectors, case, members)
        });
        return lines.collect();
    }
    let mut table = Table::new(
        ["case"]
            .into_iter()
            .chain(vectors.names())
            .chain(["output"]),
    );
    for (case, output) in outputs.iter().enumerate() {
        let cells = vectors.cells(case).into_iter().map(Cell::from);
        table.row(
            [case.to_string().into()]
                .into_iter()
                .chain(cells)
                .chain([output.to_string().into()]),
        );
    }
    Ok(table.text(""))
}

/// Every case that the pending change would change, with both outputs.
pub(super) fn changed(record: &Record, json: bool) -> Result<String> {
    let change = record.change()?;
    let compared = change.compare()?;
    let Some(benchmark) = &change.benchmark else {
        return Ok(compared.report(record));
    };
    if json {
        let lines = compared.differing.iter().map(|(case, _)| {
            let members = [
                ("case", Value::from(*case as u64)),
                ("expected", benchmark.case(*case)?.1),
                ("actual", json::parse(compared.actual.get(*case))?),
            ];
            json_line(&compared.vectors, *case, members)
        });
        return lines.collect();
    }
    let (name, headline) = (&record.test.name, compared.headline());
    let mut text = format!("{STRONG}{name}{STRONG:#}: {PENDING}{headline}{PENDING:#}\n");
    for change in compared.input_changes() {
        let (what, before, now) = (&change.what, &change.benchmark, &change.now);
        text.push_str(&format!("  {what}: {before} → {now}\n"));
    }
    if !compared.differing.is_empty() {
        text.push('\n');
        text.push_str(&table(&compared).text("  "));
    }
    text.push_str(&parts::text(name, &compared));
    Ok(text)
}

/// A row for each field that differs.
pub(crate) fn table(compared: &ComparedChange) -> Table {
    let differences = || {
        compared
            .differing
            .iter()
            .flat_map(|(_, comparison)| &comparison.differences)
    };
    let has_fields = differences().any(|difference| !difference.pointer.is_root());
    let field = has_fields.then_some("field");
    let names = compared.vectors.names();
    let outputs = field.into_iter().chain(["expected", "actual", "error"]);
    let mut table = Table::new(["case"].into_iter().chain(names).chain(outputs));
    for (case, comparison) in &compared.differing {
        for (line, difference) in comparison.differences.iter().enumerate() {
            // The inputs are shown once for each case.
            let inputs = match line {
                0 => [vec![case.to_string()], compared.vectors.cells(*case)].concat(),
                _ => vec![String::new(); 1 + compared.vectors.width()],
            };
            let field = has_fields.then(|| Cell::from(difference.pointer.to_string()));
            let outputs = [
                Cell::styled(side(&difference.expected), GOOD),
                Cell::styled(side(&difference.actual), BAD),
                error(difference).into(),
            ];
            table.row(
                inputs
                    .into_iter()
                    .map(Cell::from)
                    .chain(field)
                    .chain(outputs),
            );
        }
    }
    table
}

fn side(value: &Option<Value>) -> String {
    value
        .as_ref()
        .map_or_else(|| "–".to_owned(), Value::to_string)
}

/// The relative error in percent, if there is one.
fn error(difference: &FieldDifference) -> String {
    match difference.relative_error() {
        Some(error) => format!("{:+.2} %", error * 100.0).replace('-', "−"),
        None => String::new(),
    }
}

/// A case as JSON: the other members, and its row by the features' names.
fn json_line(
    vectors: &Vectors,
    case: usize,
    members: impl IntoIterator<Item = (&'static str, Value)>,
) -> Result<String> {
    let cells = vectors.cells(case).into_iter();
    let row = vectors.names().map(str::to_owned).zip(cells);
    let row = row.map(|(name, cell)| Ok((name, json::parse(&cell)?)));
    let row = Value::Object(row.collect::<Result<_>>()?);
    let members = members.into_iter().chain([("row", row)]);
    Ok(format!("{}\n", Value::object(members)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    const TEXTS: &str = r#"{"features":[{"feature_name":"text","type":"STRING","distribution":{"type":"categorical","categories":[{"value":"LONG","probability":1}]}}]}"#;

    #[test]
    #[ignore = "D6: a long string makes every line as long"]
    fn long_strings_are_shortened() {
        let definition = TEXTS.replace("LONG", &"abc ".repeat(800));
        let output = |end: &str| format!("\"{}{end}\"", "x".repeat(3000));
        let change = sample::change(&definition, 3, |_| output("one"), |_| output("other"));
        let text = table(&change.compare().unwrap()).text("");
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest < Some(120), "a line of {longest:?} characters");
    }
}
