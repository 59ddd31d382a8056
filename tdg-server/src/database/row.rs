//! Rows of either engine.

use super::error::DatabaseResult;
use crate::account::Account;
use rusqlite::types::FromSqlError;
use tdg_service::Timestamp;
use tokio_postgres::types;

/// A result row. Its columns are read directly from the engine's.
#[derive(Clone, Copy)]
pub(super) enum DatabaseRow<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

impl<'r> DatabaseRow<'r> {
    pub(super) fn get<T>(self, column: usize) -> DatabaseResult<T>
    where
        T: rusqlite::types::FromSql + types::FromSql<'r>,
    {
        match self {
            DatabaseRow::Sqlite(row) => Ok(row.get(column)?),
            DatabaseRow::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    /// Returns a text by reference, since it may be long.
    pub(super) fn text(self, column: usize) -> DatabaseResult<&'r str> {
        let text = self.optional_text(column)?;
        Ok(text
            .ok_or(FromSqlError::InvalidType)
            .map_err(rusqlite::Error::from)?)
    }

    pub(super) fn optional_text(self, column: usize) -> DatabaseResult<Option<&'r str>> {
        match self {
            DatabaseRow::Sqlite(row) => {
                let text = row.get_ref(column)?.as_str_or_null();
                Ok(text.map_err(rusqlite::Error::from)?)
            }
            DatabaseRow::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    pub(super) fn bytes(self, column: usize) -> DatabaseResult<&'r [u8]> {
        match self {
            DatabaseRow::Sqlite(row) => {
                let bytes = row.get_ref(column)?.as_blob();
                Ok(bytes.map_err(rusqlite::Error::from)?)
            }
            DatabaseRow::Postgres(row) => Ok(row.try_get(column)?),
        }
    }

    pub(super) fn account(self, column: usize) -> DatabaseResult<Account> {
        Ok(Account(self.get(column)?))
    }

    pub(super) fn time(self, column: usize) -> DatabaseResult<Timestamp> {
        Ok(Timestamp::from_micros(self.get(column)?))
    }

    pub(super) fn optional_time(self, column: usize) -> DatabaseResult<Option<Timestamp>> {
        let micros: Option<i64> = self.get(column)?;
        Ok(micros.map(Timestamp::from_micros))
    }

    /// Returns a number that isn't negative.
    pub(super) fn count(self, column: usize) -> DatabaseResult<u64> {
        Ok(self.get::<i64>(column)?.unsigned_abs())
    }

    /// Returns the number of an ensemble's rows.
    pub(super) fn size(self, column: usize) -> DatabaseResult<usize> {
        Ok(usize::try_from(self.get::<i32>(column)?).unwrap_or_default())
    }
}
