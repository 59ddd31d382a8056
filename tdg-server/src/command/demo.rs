//! `demo`: fills an empty database with an example project, and serves it.

use anyhow::{Result, bail};

use super::{keys, open};
use crate::config::Config;
use crate::database::reserve;
use crate::demo;

/// The account of the demo.
const ACCOUNT: &str = "demo";

pub(super) async fn fill(config: &Config) -> Result<()> {
    let _lock = reserve(&config.database)?;
    let database = open(config).await?.database;
    if !database.accounts().await?.is_empty() {
        bail!(
            "the database is in use: give the demo a separate one (`--database sqlite:demo.db`), \
             or serve this one without `demo`"
        );
    }
    let key = keys::make(&database, ACCOUNT, keys::KeyIssue::for_everything("demo")).await?;
    let account = database.account(ACCOUNT).await?;
    demo::fill(&database, account).await?;
    println!("a project with 200 commits was made. Sign in with this API key, printed only once:");
    println!("{}", key.reveal());
    Ok(())
}
