//! `audit`: the log of changes and refusals.

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use tdg_definition::control::escape;
use tdg_service::Timestamp;

use super::{accounts, open};
use crate::config::Config;
use crate::database::{AuditFilter, AuditRecord};
use crate::keys::Lifetime;

#[derive(Args)]
pub(super) struct AuditCommand {
    /// Only actions of this account, or on it
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// Only records within this time, such as `7d` or `12h`
    #[arg(long, value_name = "TIME")]
    since: Option<Lifetime>,
    /// Only the newest records
    #[arg(long, value_name = "NUMBER", default_value_t = 1000)]
    limit: u32,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(command: AuditCommand, config: &Config) -> Result<()> {
    let database = open(config).await?.database;
    let account = accounts::find_given(&database, command.account.as_deref()).await?;
    let now = Timestamp::now();
    let epoch = Timestamp::from_micros(0);
    let filter = AuditFilter {
        account,
        since: command.since.map_or(epoch, |since| since.begin(now)),
        limit: command.limit as usize,
    };
    for (account, record) in database.audit(filter).await? {
        if command.json {
            println!("{}", to_json(account.as_deref(), &record));
        } else {
            println!("{}", escape(&to_line(account.as_deref(), &record)));
        }
    }
    Ok(())
}

/// Formats a time as in ISO 8601.
pub(super) fn time(at: Timestamp) -> String {
    format!("{}Z", at.to_precise().replacen(' ', "T", 1))
}

fn to_json(account: Option<&str>, record: &AuditRecord) -> Value {
    json!({
        "at": time(record.at),
        "account": account,
        "key": record.key,
        "person": record.person,
        "address": record.address,
        "action": record.action,
        "status": record.status,
        "kind": record.kind,
        "object": record.object.map(|uuid| uuid.to_string()),
        "request": record.request,
    })
}

fn to_line(account: Option<&str>, record: &AuditRecord) -> String {
    let mut line = format!("{}  {}  {}", time(record.at), record.status, record.action);
    let object = record.kind.as_ref().zip(record.object);
    let part = |word: &str, value: Option<&str>| value.map(|value| format!("{word} {value}"));
    let parts = [
        object.map(|(kind, uuid)| format!("{kind} {uuid}")),
        part("account", account),
        part("key", record.key.as_deref()),
        part("by", record.person.as_deref()),
        part("from", record.address.as_deref()),
        part("request", record.request.as_deref()),
    ];
    for part in parts.into_iter().flatten() {
        line.push_str("  ");
        line.push_str(&part);
    }
    line
}
