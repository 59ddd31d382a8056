//! Lists by page. A cursor is the `id`, or the number in the history, of the last element.

use tdg_service::{List, Page, Result, rules};

use super::error::DbResult;
use super::statement::Id;

/// A row, and the number by which it is ordered and its children refer to it.
pub(super) struct Stored<T> {
    pub(super) id: Id,
    pub(super) object: T,
}

/// A page in terms of rows' numbers.
pub(super) struct Range {
    /// The number of the last element of the page before, if this isn't the first.
    pub(super) last: Option<Id>,
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
        let cursor = page.cursor.as_ref().map(|cursor| cursor.parse());
        let last = cursor.transpose().map_err(|_| rules::unknown_cursor())?;
        Ok(Range { last, limit })
    }

    /// For lists in ascending order.
    pub(super) fn after(&self) -> Id {
        self.last.unwrap_or(0)
    }

    /// How many rows to query: one more than the page shows tells whether there is a next page.
    pub(super) fn query_limit(&self) -> i64 {
        self.limit as i64 + 1
    }

    /// The page of these rows, each made into an object by `fill`.
    pub(super) fn list<R, T>(
        &self,
        mut rows: Vec<Stored<R>>,
        fill: impl FnMut(Stored<R>) -> DbResult<T>,
    ) -> DbResult<List<T>> {
        let has_more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let last = rows.last().map(|row| row.id.to_string());
        Ok(List {
            items: rows.into_iter().map(fill).collect::<DbResult<_>>()?,
            next: last.filter(|_| has_more),
        })
    }
}
