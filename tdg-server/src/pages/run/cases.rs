//! The changed cases of a run as files, for spreadsheets and programs.

use std::error::Error;
use std::sync::Arc;

use tdg_definition::control::escape_lines;
use tdg_definition::json::{Value, write_str, write_value};
use tdg_engine::Vectors;
use tdg_service::{Result, ServiceError};

use super::changed;
use crate::operations::LoadedExpected;
use crate::pages::change::ShownCases;
use crate::pages::{PageError, PageRequest, WebFile};

/// A case with its values as JSON.
struct WrittenCase<'a> {
    case: usize,
    /// The inputs in the order of the features.
    inputs: Vec<String>,
    expected: &'a str,
    actual: &'a Value,
}

pub(in crate::pages) async fn csv(
    request: &PageRequest<'_>,
) -> std::result::Result<WebFile, PageError> {
    file(request, "csv", "text/csv; charset=utf-8", write_csv).await
}

pub(in crate::pages) async fn json(
    request: &PageRequest<'_>,
) -> std::result::Result<WebFile, PageError> {
    let write = |names: &[&str], cases: &[WrittenCase<'_>]| Ok(write_json(names, cases));
    file(request, "json", "application/json", write).await
}

/// Returns a file of the cases, formatted by `write`.
async fn file(
    request: &PageRequest<'_>,
    end: &str,
    media_type: &'static str,
    write: impl FnOnce(&[&str], &[WrittenCase<'_>]) -> Result<String> + Send + 'static,
) -> std::result::Result<WebFile, PageError> {
    let run = super::find(request).await?.run;
    let facts = run.facts;
    if facts.changed_outputs.is_empty() {
        return Err(PageError::Nothing);
    }
    let part = ShownCases::part(request);
    let work = move |vectors: Vectors, expected: Arc<LoadedExpected>| {
        let part = match part {
            Some(name) => super::change(&facts, vectors.clone(), &expected)?
                .map(|change| change.part(&name))
                .transpose()?,
            None => None,
        };
        let names: Vec<&str> = vectors.names().collect();
        let size = vectors.size().min(expected.outputs.len());
        let case = |(case, actual)| WrittenCase {
            case,
            inputs: vectors.cells(case),
            expected: expected.outputs.get(case),
            actual,
        };
        let is_of_part = |(case, _): &_| part.as_ref().is_none_or(|part| part.has(*case));
        let cases = changed(&facts.changed_outputs, size).filter(is_of_part);
        let cases: Vec<_> = cases.map(case).collect();
        write(&names, &cases)
    };
    let (account, memory) = (request.account(), request.memory);
    let text = request
        .operations
        .on_outputs::<PageError, _>(account, run.benchmark, memory, work)
        .await?;
    Ok(WebFile {
        name: Some(format!("{}.{end}", run.uuid)),
        media_type,
        text: escape_lines(&text).into_owned(),
    })
}

/// Formats a line for each case. Spreadsheets don't take JSON for a formula.
fn write_csv(names: &[&str], cases: &[WrittenCase<'_>]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = names.iter().map(|name| heading(name));
    let header = ["case".to_owned()].into_iter().chain(names);
    let header = header.chain(["expected", "actual"].map(str::to_owned));
    writer.write_record(header).map_err(unwritten)?;
    for it in cases {
        let (case, actual) = (it.case.to_string(), it.actual.to_string());
        let inputs = it.inputs.iter().map(String::as_str);
        let cells = [case.as_str()].into_iter().chain(inputs);
        let cells = cells.chain([it.expected, &actual]);
        writer.write_record(cells).map_err(unwritten)?;
    }
    let bytes = writer.into_inner().map_err(unwritten)?;
    String::from_utf8(bytes).map_err(unwritten)
}

/// Formats a name, as JSON if a spreadsheet would take it for a formula.
fn heading(name: &str) -> String {
    if !name.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        return name.to_owned();
    }
    let mut text = String::new();
    write_str(&mut text, name);
    text
}

fn unwritten(error: impl Error + Send + Sync + 'static) -> ServiceError {
    ServiceError::unexpected(format!("the cases can't be written: {error}")).caused_by(error)
}

/// Formats `[{"case":3,"inputs":{"quantity":12},"expected":1.5,"actual":2}]`, with a line per case.
fn write_json(names: &[&str], cases: &[WrittenCase<'_>]) -> String {
    let mut text = "[".to_owned();
    for (index, it) in cases.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&format!("{{\"case\":{},\"inputs\":{{", it.case));
        for (position, (name, input)) in names.iter().zip(&it.inputs).enumerate() {
            text.push_str(if position == 0 { "" } else { "," });
            write_str(&mut text, name);
            text.extend([":", input]);
        }
        text.extend(["},\"expected\":", it.expected, ",\"actual\":"]);
        write_value(&mut text, it.actual);
        text.push('}');
    }
    text.push_str("\n]\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_json_and_none_is_a_formula() {
        let case = |case, text: &str, actual| WrittenCase {
            case,
            inputs: vec![text.to_owned(), "-1".to_owned()],
            expected: "{\"total\":1.50}",
            actual,
        };
        let (one, other) = (Value::Null, Value::from("a,b\n"));
        let cases = [case(0, "\"=1+1\"", &one), case(12, "\"\\\"\"", &other)];
        let names = ["a \"name\"", "=1+1"];
        insta::assert_snapshot!(write_csv(&names, &cases).unwrap(), @r#"
        case,"a ""name""","""=1+1""",expected,actual
        0,"""=1+1""",-1,"{""total"":1.50}",null
        12,"""\""""",-1,"{""total"":1.50}","""a,b\n"""
        "#);
        insta::assert_snapshot!(write_json(&names, &cases), @r#"
        [
        {"case":0,"inputs":{"a \"name\"":"=1+1","=1+1":-1},"expected":{"total":1.50},"actual":null},
        {"case":12,"inputs":{"a \"name\"":"\"","=1+1":-1},"expected":{"total":1.50},"actual":"a,b\n"}
        ]
        "#);
    }
}
