//! From rows to what they stand for.

use std::cmp::Reverse;

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};
use tdg_engine::output::Outputs;
use tdg_service::{AssertionEntry, Definition, ServiceError, Timestamp, Uuid};
use tokio::task::block_in_place;
use tokio_postgres::Row;

use super::failure::{Failure, Outcome};

pub(super) fn time(row: &Row, column: usize) -> Outcome<Timestamp> {
    Ok(Timestamp::from_micros(row.try_get(column)?))
}

pub(super) fn size(row: &Row, column: usize) -> Outcome<usize> {
    Ok(usize::try_from(row.try_get::<_, i32>(column)?).unwrap_or_default())
}

/// Definitions without their ensembles: uuid, added, project, text.
pub(super) fn definitions(rows: &[Row]) -> Outcome<Vec<Definition>> {
    let lengths = rows.iter().map(|row| Ok(text(row)?.len()));
    let bytes = lengths.sum::<Outcome<usize>>()?;
    if_long(bytes, || rows.iter().map(definition).collect())
}

fn definition(row: &Row) -> Outcome<Definition> {
    let (uuid, added, project) = (row.try_get(0)?, time(row, 1)?, row.try_get(2)?);
    let canonical = json::parse(text(row)?).map_err(|error| damaged("definition", error))?;
    shown_definition(uuid, project, added, canonical)
}

fn text(row: &Row) -> Outcome<&str> {
    Ok(row.try_get(3)?)
}

/// A definition without its ensembles.
pub(super) fn shown_definition(
    definition_uuid: Uuid,
    project_uuid: Uuid,
    added: Timestamp,
    canonical: Value,
) -> Outcome<Definition> {
    Definition::new(definition_uuid, project_uuid, added, canonical)
        .map_err(|error| damaged("definition", error))
}

/// An assertion: uuid, timestamp, asserted.
pub(super) fn entry(row: &Row) -> Outcome<AssertionEntry> {
    Ok(AssertionEntry {
        assertion_uuid: row.try_get(0)?,
        timestamp: time(row, 1)?,
        asserted: row.try_get(2)?,
    })
}

/// A history from that column on, newest first: arrays of uuid, timestamp, asserted; null where there is none.
pub(super) fn history(row: &Row, column: usize) -> Outcome<Vec<AssertionEntry>> {
    let uuids: Option<Vec<Uuid>> = row.try_get(column)?;
    let timestamps: Option<Vec<i64>> = row.try_get(column + 1)?;
    let asserted: Option<Vec<bool>> = row.try_get(column + 2)?;
    let columns = uuids.into_iter().flatten();
    let columns = columns.zip(timestamps.into_iter().flatten());
    let columns = columns.zip(asserted.into_iter().flatten());
    let mut history: Vec<_> = columns
        .map(|((assertion_uuid, timestamp), asserted)| AssertionEntry {
            assertion_uuid,
            timestamp: Timestamp::from_micros(timestamp),
            asserted,
        })
        .collect();
    // Not every engine keeps the order of what it gathers.
    history.sort_unstable_by_key(|entry| Reverse(entry.assertion_uuid));
    Ok(history)
}

pub(super) fn policy(text: Option<&str>) -> Outcome<Option<Policy>> {
    text.map(Policy::parse)
        .transpose()
        .map_err(|faults| damaged("policy", faults))
}

pub(super) fn outputs(text: String) -> Outcome<Outputs> {
    if_long(text.len(), || Outputs::from_canonical(text))
        .map_err(|error| damaged("benchmark", error))
}

/// Reads so many bytes. What waits for this thread goes to another while they are many.
fn if_long<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    const SHORT: usize = 16 << 10;
    if bytes <= SHORT {
        read()
    } else {
        block_in_place(read)
    }
}

fn damaged(what: &str, error: impl std::fmt::Display) -> Failure {
    ServiceError::Unexpected(format!("a {what} can't be read: {error}")).into()
}
