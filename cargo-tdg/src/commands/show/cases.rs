//! Cases with their inputs and outputs.

use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, FieldDifference};
use tdg_engine::report::{DifferenceText, distribution_lines, shorten};

use super::parts;
use crate::error::{Error, Result};
use crate::record::{ComparedChange, Record, outputs, vectors};
use crate::terminal::style::{BAD, FAINT, GOOD, PENDING, STRONG};
use crate::terminal::{Cell, Table};

/// Every row of the benchmark with its output.
pub(super) fn all(record: &Record, format: Format) -> Result<String> {
    let Some(benchmark) = record.benchmark()? else {
        return Err(Error::new(format!(
            "{} has no benchmark yet, only pending outputs",
            record.test
        )));
    };
    let (vectors, outputs) = (vectors(&benchmark)?, outputs(&benchmark)?);
    let mut values = match format {
        Format::Json => Values::whole(),
        Format::Text(values) => values,
    };
    if matches!(format, Format::Json) {
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
        let mut cells = vec![case.to_string()];
        cells.extend(vectors.cells(case).into_iter().map(|it| values.text(it)));
        cells.push(values.text(output.to_string()));
        table.row(cells.into_iter().map(Cell::from));
    }
    Ok(table.text("") + &values.note(""))
}

/// Every case that the pending change would change, with both outputs.
pub(super) fn changed(record: &Record, format: Format) -> Result<String> {
    let change = record.change()?;
    let compared = change.compare()?;
    let is_of_kept = compared.kept_alone().is_some() && matches!(format, Format::Text(_));
    if change.benchmark.is_none() || is_of_kept {
        record.mark_shown(&change);
        return Ok(compared.report(record));
    }
    let Format::Text(mut values) = format else {
        let lines = compared.differing.iter().map(|differing| {
            let members = [
                ("case", Value::from(differing.case as u64)),
                ("expected", differing.expected.clone()),
                ("actual", differing.actual.clone()),
            ];
            json_line(&compared.vectors, differing.case, members)
        });
        return lines.collect();
    };
    record.mark_shown(&change);
    let (name, headline) = (&record.test, compared.headline());
    let mut text = format!("{STRONG}{name}{STRONG:#}: {PENDING}{headline}{PENDING:#}\n");
    for change in compared.input_changes() {
        let (what, before, now) = (&change.what, &change.benchmark, &change.now);
        text.push_str(&format!("  {what}: {before} → {now}\n"));
    }
    for line in compared.recorded_lines() {
        text.push_str(&format!("  {line}\n"));
    }
    for distribution in &compared.distributions {
        text.push('\n');
        for line in distribution_lines(distribution) {
            text.push_str(format!("  {line}").trim_end());
            text.push('\n');
        }
    }
    if !compared.differing.is_empty() {
        text.push('\n');
        text.push_str(&fields(&compared, &mut values).text("  "));
        text.push_str(&values.note("  "));
    }
    text.push_str(&parts::text(&name.to_string(), &compared));
    Ok(text)
}

/// A row for each field that differs, with long values shortened.
pub(crate) fn table(compared: &ComparedChange) -> Table {
    fields(compared, &mut Values::shortened())
}

fn fields(compared: &ComparedChange, values: &mut Values) -> Table {
    let differences = || {
        compared
            .differing
            .iter()
            .flat_map(|it| &it.comparison.differences)
    };
    let has_fields = differences().any(|difference| !difference.pointer.is_root());
    let field = has_fields.then_some("field");
    let names = compared.vectors.names();
    let outputs = field.into_iter().chain(["expected", "actual", "error"]);
    let mut table = Table::new(["case"].into_iter().chain(names).chain(outputs));
    for DifferingCase {
        case, comparison, ..
    } in &compared.differing
    {
        for (line, difference) in comparison.differences.iter().enumerate() {
            // The inputs are shown once for each case.
            let mut cells = vec![String::new(); 1 + compared.vectors.width()];
            if line == 0 {
                let inputs = compared.vectors.cells(*case).into_iter();
                cells = vec![case.to_string()];
                cells.extend(inputs.map(|it| values.text(it)));
            }
            if has_fields {
                cells.push(values.text(difference.pointer.to_string()));
            }
            let [expected, actual, error] = values.difference(difference);
            table.row(cells.into_iter().map(Cell::from).chain([
                Cell::styled(expected, GOOD),
                Cell::styled(actual, BAD),
                error.into(),
            ]));
        }
    }
    table
}

/// How cases are printed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    Json,
    Text(Values),
}

/// Whether long values are shortened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    are_whole: bool,
    /// Whether one was.
    is_shortened: bool,
}

impl Values {
    pub(super) fn whole() -> Self {
        Self {
            are_whole: true,
            is_shortened: false,
        }
    }

    pub(super) fn shortened() -> Self {
        Self {
            are_whole: false,
            is_shortened: false,
        }
    }

    fn text(&mut self, text: String) -> String {
        /// The most columns of a value; a datetime has 22.
        const WIDTH: usize = 32;
        if self.are_whole {
            return text;
        }
        let short = shorten(&text, WIDTH);
        self.is_shortened |= short != text;
        short
    }

    /// Expected, actual, error.
    fn difference(&mut self, difference: &FieldDifference) -> [String; 3] {
        let text = DifferenceText::of(difference);
        let sides = [
            (&difference.expected, text.expected),
            (&difference.actual, text.actual),
        ];
        let [expected, actual] = sides.map(|(value, short)| match value {
            Some(value @ (Value::String(_) | Value::Array(_) | Value::Object(_))) => {
                let whole = value.to_string();
                if self.are_whole {
                    return whole;
                }
                self.is_shortened |= short != whole;
                short
            }
            _ => short,
        });
        [expected, actual, text.error]
    }

    /// A line that says how to see all of it, if something was shortened.
    fn note(self, indentation: &str) -> String {
        match self.is_shortened {
            true => format!("\n{indentation}{FAINT}long values whole: --full{FAINT:#}\n"),
            false => String::new(),
        }
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
    fn long_strings_are_shortened() {
        let definition = TEXTS.replace("LONG", &"abc ".repeat(800));
        let output = |end: &str| format!("\"{}{end}\"", "x".repeat(3000));
        let change = sample::change(&definition, 3, |_| output("one"), |_| output("other"));
        let text = table(&change.compare().unwrap()).text("");
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest < Some(120), "a line of {longest:?} characters");
        assert!(
            text.contains("xone\"") && text.contains("at character 3002"),
            "{text}"
        );
        let mut values = Values::whole();
        let whole = fields(&change.compare().unwrap(), &mut values).text("");
        assert_eq!(whole.matches(&output("other")).count(), 3);
    }
}
