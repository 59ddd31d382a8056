//! `keys create | list | revoke`.

use clap::Subcommand;
use tdg_service::{ServiceError, Timestamp};

use super::open;
use crate::config::Config;
use crate::database::Database;
use crate::keys::{Key, KeyRecord, Lifetime, Prefix, Scopes};

#[derive(Subcommand)]
pub(super) enum Keys {
    /// Make a key and show it, this once
    Create {
        /// What the key is for, to know it again in the list
        #[arg(long, default_value = "")]
        name: String,
        /// Whose projects it opens; made if there is no such account
        #[arg(long, default_value = "default")]
        account: String,
        /// What it may do
        #[arg(long, default_value = "read,assert,write")]
        scopes: Scopes,
        /// How long it is good for, as `90d` or `12h` [default: until it is revoked]
        #[arg(long)]
        expires: Option<Lifetime>,
    },
    /// Show all keys, without their secrets
    List,
    /// End a key for good
    Revoke {
        /// The beginning of the key, as the list shows it
        prefix: String,
    },
}

pub(super) async fn run(command: Keys, config: &Config) -> Result<(), String> {
    let database = open(config).await?.database;
    match command {
        Keys::Create {
            name,
            account,
            scopes,
            expires,
        } => {
            let key = make(&*database, &account, &name, scopes, expires).await?;
            println!("{}", key.reveal());
            Ok(())
        }
        Keys::List => list(&*database).await,
        Keys::Revoke { prefix } => revoke(&*database, &prefix).await,
    }
}

/// A new key, which is stored.
pub(super) async fn make(
    database: &dyn Database,
    account: &str,
    name: &str,
    scopes: Scopes,
    expires: Option<Lifetime>,
) -> Result<Key, String> {
    let key =
        Key::generate().map_err(|error| format!("there is no randomness to be had: {error}"))?;
    let account = database.account(account).await.map_err(said)?;
    let mut record = KeyRecord::new(&key, account, name, scopes);
    record.expires = expires.map(|lifetime| lifetime.end(record.added));
    database.add_key(record).await.map_err(said)?;
    Ok(key)
}

async fn list(database: &dyn Database) -> Result<(), String> {
    let now = Timestamp::now();
    println!(
        "{:17}  {:16}  {:16}  {:17}  {:29}  state",
        "prefix", "account", "name", "scopes", "added"
    );
    for (account, record) in database.keys().await.map_err(said)? {
        let state = match (record.revoked, record.expires) {
            (Some(revoked), _) => format!("revoked {}", revoked.to_http_date()),
            (None, Some(expires)) if expires <= now => {
                format!("expired {}", expires.to_http_date())
            }
            (None, Some(expires)) => format!("expires {}", expires.to_http_date()),
            (None, None) => "good".to_owned(),
        };
        println!(
            "{:17}  {account:16}  {:16}  {:17}  {:29}  {state}",
            record.prefix.as_str(),
            record.name,
            record.scopes.to_string(),
            record.added.to_http_date(),
        );
    }
    Ok(())
}

async fn revoke(database: &dyn Database, given: &str) -> Result<(), String> {
    // Whoever has the whole key may say it too. What is neither is not repeated: it may be most of one.
    let Some(prefix) = Prefix::parse(given) else {
        return Err(
            "that is no prefix of a key: write `tdg_` and its 12 digits, as `tdg-server keys list` shows them"
                .to_owned(),
        );
    };
    if database.revoke_key(&prefix).await.map_err(said)? {
        println!("{prefix} is revoked");
        return Ok(());
    }
    Err(format!(
        "there is no key {prefix} that could be revoked; `tdg-server keys list` shows them all"
    ))
}

fn said(error: ServiceError) -> String {
    error.to_string()
}
