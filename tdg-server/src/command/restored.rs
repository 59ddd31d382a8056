//! `restored`: after a database was restored from a backup.

use super::open;
use crate::config::Config;

/// Gives the database another epoch: what clients know of its later state is no longer true.
pub(super) async fn run(config: &Config) -> Result<(), String> {
    let database = open(config).await?.database;
    let epoch = database.renew_epoch().await;
    let epoch = epoch.map_err(|error| error.to_string())?;
    println!("the database has the new epoch {epoch}");
    Ok(())
}
