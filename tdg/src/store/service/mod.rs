//! The store as a [`Service`](crate::service::Service), and the operations that it is made of.
//!
//! An operation is a plain function over a connection, so that a server can put many of them into one
//! transaction, each in a [`savepoint`]. What is costly and needs no transaction (drawing rows, comparing
//! outputs) is in [`rules`](crate::service::rules); it works on what never changes once it is written. So an
//! operation that makes something is: look up, apply the rules, write. The writing looks up its parent again.
//!
//! This module is for `tdg-server`. It has rusqlite in its signatures and may change in any version.

pub mod create;
mod failure;
pub mod find;
pub mod list;
mod local;
mod once;
pub mod remove;

use rusqlite::Connection;
use uuid::Uuid;

pub use self::{
    failure::{Failure, Outcome},
    local::StoreService,
};
use super::{error::Problem, rows, schema};

/// Whose projects they are. A server numbers its accounts; on one's own machine there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Account(pub i64);

impl Account {
    /// The one whose tests run on this machine.
    pub const LOCAL: Account = Account(1);
}

/// Makes the tables, or brings those of an earlier format up to date, and has children go with their
/// parents. Every connection needs it, and several processes may do it at once.
///
/// # Errors
///
/// When the database can't be used.
pub fn prepare(connection: &mut Connection) -> Result<(), Problem> {
    schema::migrate(connection)?;
    super::cascade(connection)
}

/// All of `operation`, or, if it fails, nothing of it, within a transaction that goes on.
///
/// # Errors
///
/// Those of the operation.
pub fn savepoint<T>(
    connection: &Connection,
    operation: impl FnOnce(&Connection) -> Outcome<T>,
) -> Outcome<T> {
    let run = |sql| rows::prepare(connection, sql)?.execute([]);
    run("SAVEPOINT operation")?;
    let outcome = operation(connection);
    if outcome.is_err() {
        run("ROLLBACK TO operation")?;
    }
    run("RELEASE operation")?;
    outcome
}

fn uuid(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    Ok(Uuid::from_bytes(row.get(column)?))
}
