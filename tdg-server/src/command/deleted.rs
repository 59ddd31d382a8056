//! `deleted`: lists objects that can be restored.

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use tdg_definition::control::escape;
use tdg_service::Timestamp;

use super::{accounts, audit, open};
use crate::config::Config;
use crate::database::Deletion;

#[derive(Args)]
pub(super) struct DeletedCommand {
    /// Only deletions of this account
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(command: DeletedCommand, config: &Config) -> Result<()> {
    let database = open(config).await?.database;
    let account = accounts::find_given(&database, command.account.as_deref()).await?;
    let now = Timestamp::now();
    for deletion in database.deletions(account).await? {
        let until = config.keep_deleted.end(deletion.deleted);
        if until <= now {
            continue;
        }
        if command.json {
            println!("{}", to_json(&deletion, until));
        } else {
            println!("{}", escape(&to_line(&deletion, until)));
        }
    }
    Ok(())
}

fn to_json(deletion: &Deletion, until: Timestamp) -> Value {
    let [definitions, ensembles, benchmarks] = deletion.beneath;
    json!({
        "deletion": deletion.uuid.to_string(),
        "kind": deletion.kind.name(),
        "object": deletion.object.to_string(),
        "name": deletion.name,
        "account": deletion.owner,
        "definitions": definitions,
        "ensembles": ensembles,
        "benchmarks": benchmarks,
        "deleted": audit::time(deletion.deleted),
        "key": deletion.key,
        "key_name": deletion.key_name,
        "address": deletion.address,
        "until": audit::time(until),
    })
}

fn to_line(deletion: &Deletion, until: Timestamp) -> String {
    let part = |word: &str, value: Option<&str>| value.map(|value| format!("  {word} {value}"));
    let name = deletion.name.as_ref();
    let key_name = deletion.key_name.as_deref().filter(|name| !name.is_empty());
    let parts = [
        Some(format!(
            "{}  {} {}",
            audit::time(deletion.deleted),
            deletion.kind.name(),
            deletion.object
        )),
        name.map(|name| format!("  `{name}`")),
        deletion
            .contents()
            .map(|contents| format!("  with {contents}")),
        part("account", Some(&deletion.owner)),
        part("key", deletion.key.as_deref()),
        key_name.map(|name| format!(" `{name}`")),
        part("from", deletion.address.as_deref()),
        part("until", Some(&audit::time(until))),
    ];
    parts.into_iter().flatten().collect()
}
