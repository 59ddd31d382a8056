//! `undelete`: restores a deleted object.

use anyhow::{Result, anyhow, bail};
use clap::Args;
use tdg_service::{Timestamp, Uuid};

use super::{accounts, note, open};
use crate::account::Account;
use crate::accounts::Quota;
use crate::config::Config;
use crate::database::{Database, Deletion};

#[derive(Args)]
pub(super) struct Undelete {
    /// The object, or one of its deletions, as in `tdg-server deleted`
    uuid: Uuid,
    /// The account that had it, if several had one with this UUID
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
}

pub(super) async fn run(undelete: Undelete, config: &Config) -> Result<()> {
    let database = &*open(config).await?.database;
    let account = accounts::find_given(database, undelete.account.as_deref()).await?;
    let after = config.keep_deleted.begin(Timestamp::now());
    let deletion = find(database, account, undelete.uuid, after).await?;
    check_room(database, &deletion, config).await?;
    let (account, kind, object) = (deletion.account, deletion.kind.name(), deletion.object);
    let contents = deletion.contents();
    let undeleted = database.undelete(deletion, after).await;
    undeleted?;
    note(database, "undelete", Some(account), Some((kind, object))).await?;
    let with = contents.map_or(String::new(), |contents| format!(" with {contents}"));
    println!("{kind} {object} is back{with}");
    Ok(())
}

/// Finds the last deletion of an object, or the deletion with this UUID.
async fn find(
    database: &Database,
    account: Option<Account>,
    uuid: Uuid,
    after: Timestamp,
) -> Result<Deletion> {
    let mut found = database.deletions(account).await?;
    found.retain(|it| [it.object, it.uuid].contains(&uuid) && it.deleted != Timestamp::MIN);
    if let Some(other) = found.iter().find(|it| it.account != found[0].account) {
        let (one, other) = (&found[0].owner, &other.owner);
        bail!("several accounts had {uuid}: add `--account {one}` or `--account {other}`");
    }
    if let Some(last) = found.pop() {
        return Ok(last);
    }
    if let Some((kind, object)) = database.deleted_with(uuid).await? {
        bail!("{uuid} was deleted with {kind} {object}: run `tdg-server undelete {object}`");
    }
    Err(match database.deleted_at(uuid).await? {
        Some((kind, at)) => {
            let at_date = at.to_http_date();
            let why = match at > after {
                true => ": later deletions used up its room in the quota `bytes`, or it was pruned",
                false => " (`--keep-deleted`)",
            };
            anyhow!("{kind} {uuid} was deleted on {at_date} and is no longer kept{why}")
        }
        None => anyhow!(
            "nothing that was deleted and is kept has the UUID {uuid}: see `tdg-server deleted`"
        ),
    })
}

/// Checks that the account's quotas have room for the restored objects.
async fn check_room(database: &Database, deletion: &Deletion, config: &Config) -> Result<()> {
    let (account, name) = (deletion.account, &deletion.owner);
    let settings = database.settings(account).await?;
    let limits = settings.unwrap_or_default().limits.or(&config.accounts);
    if Quota::STORED
        .iter()
        .all(|quota| limits.limit(*quota).is_none())
    {
        return Ok(());
    }
    let used = database.usage(account).await?;
    let more = database.usage_of(account, deletion.uuid).await;
    let more = more?;
    for quota in Quota::STORED {
        let after = used.amount(quota) + more.amount(quota);
        if let Some(limit) = limits.limit(quota)
            && after > limit
        {
            let quota = quota.name();
            bail!(
                "the quota `{quota}` of `{name}` is {limit}, and it would have {after}: first run \
                 `tdg-server accounts limits {name} --{quota} {after}`"
            );
        }
    }
    Ok(())
}
