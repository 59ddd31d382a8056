//! `restored`: after a database was restored from a backup.

use super::{open_existing, to_text};
use crate::config::Config;
use crate::database::AuditRecord;

/// Gives the database a new epoch, since clients may have seen a later state of it.
pub(super) async fn run(config: &Config) -> Result<(), String> {
    let database = open_existing(config).await?.database;
    let epoch = database.renew_epoch().await.map_err(to_text)?;
    let record = AuditRecord::of_command("restored".to_owned(), None, None);
    database.add_audit(vec![record]).await.map_err(to_text)?;
    println!("the database has the new epoch {epoch}");
    println!("it has {}", database.overview().await.map_err(to_text)?);
    Ok(())
}
