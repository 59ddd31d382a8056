//! `webhooks add | list | remove | failed | resend`.

use anyhow::{Context, Result, anyhow, bail};
use clap::Subcommand;
use serde_json::json;
use tdg_definition::control::escape;
use tdg_definition::json;
use tdg_engine::text::counted;
use tdg_service::{Timestamp, Uuid};

use super::{accounts, note, open, print_json};
use crate::account::Account;
use crate::config::Config;
use crate::database::Database;
use crate::webhook::{FailedDelivery, Webhook, WebhookSecret};

#[derive(Subcommand)]
pub(super) enum WebhooksCommand {
    /// Send an account's failing runs and decisions to a URL, and print its secret once
    Add {
        /// Where messages are sent, such as `https://chat.example.com/hooks/tdg`
        url: String,
        /// The account
        #[arg(long, default_value = "default")]
        account: String,
    },
    /// List all webhooks, without their secrets
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a webhook with its waiting messages
    Remove {
        /// The webhook, as in the list
        webhook: Uuid,
    },
    /// List the messages that could not be sent, oldest first
    Failed {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Resend messages that could not be sent
    Resend {
        /// The message, as listed by `failed`
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        message: Option<Uuid>,
        /// All messages that could not be sent
        #[arg(long)]
        all: bool,
    },
}

pub(super) async fn run(command: WebhooksCommand, config: &Config) -> Result<()> {
    let database = open(config).await?.database;
    match command {
        WebhooksCommand::Add { url, account } => add(&database, url, &account).await,
        WebhooksCommand::List { json } => list(&database, json).await,
        WebhooksCommand::Remove { webhook } => remove(&database, webhook).await,
        WebhooksCommand::Failed { json } => failed(&database, json).await,
        WebhooksCommand::Resend { message, .. } => resend(&database, message).await,
    }
}

async fn add(database: &Database, url: String, account: &str) -> Result<()> {
    check_url(&url)?;
    let (account, _) = accounts::find(database, account).await?;
    let secret =
        WebhookSecret::generate().context("the system's random number generator failed")?;
    let webhook = Webhook {
        uuid: Uuid::new_v4(),
        url,
        added: Timestamp::now(),
    };
    let (uuid, shown) = (webhook.uuid, secret.reveal());
    let added = database.add_webhook(account, webhook, secret);
    added.await?;
    let about = Some(("webhook", uuid));
    note(database, "webhooks add", Some(account), about).await?;
    println!("{uuid}  {shown}");
    Ok(())
}

/// Refuses a URL that no message can be sent to. The server decides which addresses are permitted.
fn check_url(url: &str) -> Result<()> {
    let parsed = url.parse::<ureq::http::Uri>();
    let invalid = |reason: &str| {
        let url = escape(url);
        anyhow!("`{url}` {reason}: give a URL such as `https://chat.example.com/hooks/tdg`")
    };
    let parsed = parsed.map_err(|error| invalid(&format!("is not a URL ({error})")))?;
    let is_web = matches!(parsed.scheme_str(), Some("https" | "http"));
    let authority = parsed.authority().map(|it| it.as_str());
    match authority {
        _ if !is_web => Err(invalid("does not begin with https://")),
        None | Some("") => Err(invalid("has no host")),
        // The URL isn't echoed.
        Some(authority) if authority.contains('@') => Err(anyhow!(
            "the URL has a password or a name before its host: omit it, messages are signed"
        )),
        Some(_) => Ok(()),
    }
}

async fn list(database: &Database, json: bool) -> Result<()> {
    let webhooks = database.webhooks().await?;
    if json {
        let webhook = |(_, account, it): &(Account, String, Webhook)| {
            json!({
                "webhook": it.uuid.to_string(),
                "account": account,
                "url": it.url,
                "added": it.added.to_http_date(),
            })
        };
        print_json(webhooks.iter().map(webhook).collect());
        return Ok(());
    }
    println!("{:36}  {:16}  {:29}  url", "webhook", "account", "added");
    for (_, account, it) in webhooks {
        let (account, added, url) = (escape(&account), it.added.to_http_date(), escape(&it.url));
        println!("{}  {account:16}  {added:29}  {url}", it.uuid);
    }
    Ok(())
}

async fn remove(database: &Database, webhook: Uuid) -> Result<()> {
    let webhooks = database.webhooks().await?;
    let found = webhooks.iter().find(|(.., it)| it.uuid == webhook);
    let Some((account, ..)) = found else {
        bail!("{webhook} is not a webhook; see `tdg-server webhooks list`");
    };
    let removed = database.remove_webhook(*account, webhook);
    removed.await?;
    let about = Some(("webhook", webhook));
    note(database, "webhooks remove", Some(*account), about).await?;
    println!("{webhook} is removed");
    Ok(())
}

async fn failed(database: &Database, json: bool) -> Result<()> {
    let failed = database.failed_deliveries().await?;
    if json {
        let message = |(account, it): &(String, FailedDelivery)| {
            json!({
                "message": it.uuid.to_string(),
                "account": account,
                "webhook": it.webhook.to_string(),
                "type": kind(it),
                "added": it.added.to_http_date(),
                "error": it.error,
            })
        };
        print_json(failed.iter().map(message).collect());
        return Ok(());
    }
    println!(
        "{:36}  {:16}  {:36}  {:13}  {:29}  error",
        "message", "account", "webhook", "type", "added"
    );
    for (account, it) in failed {
        println!(
            "{}  {:16}  {}  {:13}  {:29}  {}",
            it.uuid,
            escape(&account),
            it.webhook,
            escape(&kind(&it)),
            it.added.to_http_date(),
            escape(&it.error)
        );
    }
    Ok(())
}

/// Describes the subject of a message.
fn kind(failed: &FailedDelivery) -> String {
    let message = json::parse(&failed.body).ok();
    let kind = message.as_ref().and_then(|it| it.get("type")?.as_str());
    kind.unwrap_or_default().to_owned()
}

async fn resend(database: &Database, message: Option<Uuid>) -> Result<()> {
    let accounts = database.resend(message).await?;
    match (message, accounts.first()) {
        (Some(message), None) => {
            bail!("{message} is not a message that failed; see `tdg-server webhooks failed`");
        }
        (Some(message), Some(account)) => {
            let about = Some(("message", message));
            note(database, "webhooks resend", Some(*account), about).await?;
        }
        (None, _) => note(database, "webhooks resend --all", None, None).await?,
    }
    let messages = counted(accounts.len(), "message");
    println!("the running server sends {messages} again");
    Ok(())
}
