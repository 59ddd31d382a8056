//! `restored`: after a database was restored from a backup.

use anyhow::Result;

use super::open_existing;
use crate::config::Config;
use crate::database::AuditRecord;

/// Gives the database a new epoch, since clients may have seen a later state of it.
pub(super) async fn run(config: &Config) -> Result<()> {
    let database = open_existing(config).await?.database;
    let epoch = database.renew_epoch().await?;
    let record = AuditRecord::of_command("restored".to_owned(), None, None);
    database.add_audit(vec![record]).await?;
    println!("the database has the new epoch {epoch}");
    println!("it has {}", database.overview().await?);
    Ok(())
}
