//! Lists by page, in the order of creation.

use tdg_service::{List, Page, Result, Timestamp, Uuid, rules};
use tokio_postgres::Row;

/// A page in terms of the times and identifiers of rows: the rows after one of them.
pub(super) struct Range {
    pub(super) added: i64,
    pub(super) uuid: Uuid,
    limit: usize,
}

impl Range {
    pub(super) fn of(page: &Page) -> Result<Range> {
        let limit = rules::page_limit(page)?;
        let (added, uuid) = match &page.cursor {
            None => (i64::MIN, Uuid::nil()),
            Some(cursor) => parse_cursor(cursor).ok_or_else(rules::unknown_cursor)?,
        };
        Ok(Range { added, uuid, limit })
    }

    /// How many rows to query: one more than the page shows tells whether there is a next page.
    pub(super) fn query_limit(&self) -> i64 {
        self.limit as i64 + 1
    }

    /// The rows that the page shows.
    pub(super) fn shown<'a>(&self, rows: &'a [Row]) -> &'a [Row] {
        &rows[..rows.len().min(self.limit)]
    }

    /// The page of these objects; `rows` is how many the query gave, `place` an object's time and
    /// identifier.
    pub(super) fn list<T>(
        &self,
        mut items: Vec<T>,
        rows: usize,
        place: impl Fn(&T) -> (Timestamp, Uuid),
    ) -> List<T> {
        items.truncate(self.limit);
        let last = items.last().map(place).filter(|_| rows > self.limit);
        let next = last.map(|(added, uuid)| format!("{}.{uuid}", added.as_micros()));
        List { items, next }
    }
}

fn parse_cursor(cursor: &str) -> Option<(i64, Uuid)> {
    let (added, uuid) = cursor.split_once('.')?;
    Some((added.parse().ok()?, Uuid::try_parse(uuid).ok()?))
}
