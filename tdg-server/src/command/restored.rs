//! `restored`: after a database was restored from a backup.

use anyhow::Result;

use super::{note, open_existing};
use crate::config::Config;

/// Gives the database a new epoch, since clients may have seen a later state of it.
pub(super) async fn run(config: &Config) -> Result<()> {
    let database = open_existing(config).await?.database;
    let epoch = database.renew_epoch().await?;
    note(&database, "restored", None, None).await?;
    println!("the database has the new epoch {epoch}");
    println!("it has {}", database.overview().await?);
    Ok(())
}
