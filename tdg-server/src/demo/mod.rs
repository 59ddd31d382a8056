//! An example project for an empty database: tests of four functions over 200 commits. Every output
//! is computed, and every verdict results from a comparison.

mod functions;
mod records;

use tdg_service::sync::RecordOutcome;
use tdg_service::{Result, ServiceError, Timestamp};

use crate::account::Account;
use crate::database::{Database, RecordSender};

/// The maximum number of records that are added at once.
const TOGETHER: usize = 500;

/// Adds the project to an account. Its last commit is a few hours old.
pub(crate) async fn fill(database: &Database, account: Account) -> Result<()> {
    let (project, records) = records::of_project(Timestamp::now())?;
    for part in records.chunks(TOGETHER) {
        let added = database
            .add_records(account, project, RecordSender::default(), part.to_vec())
            .await?;
        if let Some(other) = added.iter().find(|it| **it != RecordOutcome::Made) {
            let message = format!("a record of the demo was not added: {other:?}");
            return Err(ServiceError::unexpected(message));
        }
    }
    Ok(())
}
