//! Adds a run to the history of its benchmark.

use rusqlite::{Transaction, params};

use super::StoreProblem;
use super::rows::{RowId, execute};
use crate::store::journal::RunEntry;

/// Selects the newest assertion of a benchmark: the end of a range of the primary key.
pub(super) const LAST_ASSERTION: &str = "SELECT benchmark.uuid, ifnull(n, 0), ifnull(timestamp, 0),
         origin IS NOT NULL
     FROM benchmark LEFT JOIN assertion ON assertion.benchmark = benchmark.id
     WHERE benchmark.id = ?1 ORDER BY timestamp DESC, assertion.uuid DESC LIMIT 1";

/// Adds the assertion of a run, the `n`th of its benchmark. Returns true if it is new.
pub(super) fn add_run(
    transaction: &Transaction<'_>,
    benchmark: RowId,
    n: i64,
    run: &RunEntry,
) -> Result<bool, StoreProblem> {
    let added = execute(
        transaction,
        // Looking up the column names would take longer than the rest.
        "INSERT OR IGNORE INTO assertion VALUES (?, ?, ?, ?, ?, ?, NULL)",
        params![
            benchmark,
            run.moment.time,
            run.moment.uuid,
            n,
            run.facts.verdict.passes(),
            run.facts.to_text(),
        ],
    )?;
    Ok(added > 0)
}
