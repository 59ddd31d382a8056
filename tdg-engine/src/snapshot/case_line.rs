//! The line of a case: `[[inputs…],output]`.

use std::ops::Range;

use tdg_definition::json::{self, Reader, Value};

use crate::output;

/// Returns true if the output of a line is this canonical JSON text.
///
/// True is final. If false, it may still be the same value in another notation.
pub(super) fn output_is(line: &[u8], output: &[u8]) -> bool {
    // Comparing the end of the line is enough. Brackets are balanced in JSON, so a value between
    // `],` and the line's last bracket can only be the last element of the outermost array. `],`
    // also rules out the end of a longer number. (A suffix that starts inside a string has an odd
    // number of quotes, so it isn't a value.)
    let Some(start) = line.len().checked_sub(output.len() + 3) else {
        return false;
    };
    let end = line.len() - 1;
    line[end] == b']' && line[start..start + 2] == *b"]," && line[start + 2..end] == *output
}

/// Reads the inputs and the output of a line.
pub(super) fn read(line: &str) -> Result<(Vec<Value>, Value), json::Error> {
    let (row, end) = split(line)?;
    let row = match read_part(line, row, json::parse)? {
        Value::Array(cells) => cells,
        _ => return Err(Reader::new(line).error_at(1, "expected an array")),
    };
    Ok((row, read_part(line, end, output::read)?))
}

/// Returns the ranges of inputs and output in a line. The output is not validated.
pub(super) fn split(line: &str) -> Result<(Range<usize>, Range<usize>), json::Error> {
    let mut reader = Reader::new(line);
    reader.begin_array()?;
    reader.element()?;
    reader.peek()?;
    let row_start = reader.offset();
    reader.skip_value()?;
    let row_end = reader.offset();
    reader.element()?;
    reader.peek()?;
    match line.strip_suffix(']') {
        Some(inner) => Ok((row_start..row_end, reader.offset()..inner.len())),
        None => Err(reader.error_at(line.len(), "expected `]`, found the end of the line")),
    }
}

/// Parses a part on its own: inside the line, an output of the maximum depth would be too deep.
fn read_part(
    line: &str,
    part: Range<usize>,
    read: fn(&str) -> Result<Value, json::Error>,
) -> Result<Value, json::Error> {
    read(&line[part.clone()])
        .map_err(|error| Reader::new(line).error_at(part.start + error.offset(), error.message()))
}
