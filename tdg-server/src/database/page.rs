//! Lists by page: in the order of creation, or a history from its newest assertion on. A cursor is
//! the time and identifier of the last element.

use tdg_service::{List, Page, Result, Timestamp, Uuid, rules};

/// A page in terms of the times and identifiers of rows.
pub(super) struct Range {
    last: Option<(i64, Uuid)>,
    limit: usize,
}

impl Range {
    /// As many as an array within an object shows.
    pub(super) const FIRST: Range = Range {
        last: None,
        limit: Page::LIMIT,
    };

    pub(super) fn of(page: &Page) -> Result<Range> {
        let limit = rules::page_limit(page)?;
        let cursor = page.cursor.as_deref().map(parse_cursor);
        let last = cursor.map(|last| last.ok_or_else(rules::unknown_cursor));
        Ok(Range {
            last: last.transpose()?,
            limit,
        })
    }

    /// The rows of the page are after this one in ascending order.
    pub(super) fn after(&self) -> (i64, Uuid) {
        self.last.unwrap_or((i64::MIN, Uuid::nil()))
    }

    /// The rows of the page are before this one in ascending order, which a history has reversed.
    pub(super) fn before(&self) -> (i64, Uuid) {
        self.last.unwrap_or((i64::MAX, Uuid::max()))
    }

    /// How many rows to query: one more than the page shows tells whether there is a next page.
    pub(super) fn query_limit(&self) -> i64 {
        self.limit as i64 + 1
    }

    /// The rows that the page shows.
    pub(super) fn shown<'a, R>(&self, rows: &'a [R]) -> &'a [R] {
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
        let next = last.map(|(time, uuid)| format!("{}.{uuid}", time.as_micros()));
        List { items, next }
    }
}

fn parse_cursor(cursor: &str) -> Option<(i64, Uuid)> {
    let (time, uuid) = cursor.split_once('.')?;
    Some((time.parse().ok()?, Uuid::try_parse(uuid).ok()?))
}
