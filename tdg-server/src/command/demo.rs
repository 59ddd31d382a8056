//! `demo`: fills an empty database with an example project, and serves it.

use super::{keys, open, to_text};
use crate::config::Config;
use crate::database::reserve;
use crate::demo;

/// The account of the demo.
const ACCOUNT: &str = "demo";

pub(super) async fn fill(config: &Config) -> Result<(), String> {
    let _lock = reserve(&config.database).map_err(to_text)?;
    let database = open(config).await?.database;
    if !database.accounts().await.map_err(to_text)?.is_empty() {
        return Err(
            "the database is in use: give the demo a separate one (`--database sqlite:demo.db`), \
             or serve this one without `demo`"
                .to_owned(),
        );
    }
    let key = keys::make(&database, ACCOUNT, keys::KeyIssue::for_everything("demo")).await?;
    let account = database.account(ACCOUNT).await.map_err(to_text)?;
    demo::fill(&database, account).await.map_err(to_text)?;
    println!("a project with 200 commits was made. Sign in with this API key, printed only once:");
    println!("{}", key.reveal());
    Ok(())
}
