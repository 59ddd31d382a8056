//! `keys create | list | revoke`.

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use serde_json::{Value, json};
use tdg_definition::control::escape;
use tdg_service::{Timestamp, Uuid};

use super::{accounts, open, print_json};
use crate::account::Account;
use crate::config::Config;
use crate::database::{AuditRecord, Database};
use crate::keys::{IssuedKey, KeyRecord, Lifetime, Prefix, ProjectLimit, Scopes, descendants};

#[derive(Subcommand)]
pub(super) enum KeysCommand {
    /// Create a key and print it once
    Create {
        /// A name for the key, shown in the list
        #[arg(long, default_value = "")]
        name: String,
        /// The account that the key belongs to; created if it doesn't exist
        #[arg(long, default_value = "default")]
        account: String,
        /// The scopes of the key
        #[arg(long, default_value_t = Scopes::all())]
        scopes: Scopes,
        /// A project that the key is limited to, by its UUID or its name; may be repeated [default:
        /// all projects of the account]
        #[arg(long = "project", value_name = "UUID|NAME")]
        projects: Vec<String>,
        /// How long the key is valid, such as `90d` or `12h` [default: until it is revoked]
        #[arg(long)]
        expires: Option<Lifetime>,
    },
    /// List all keys, without their secrets
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key permanently
    Revoke {
        /// The prefix of the key, as in the list
        prefix: String,
        /// Also revoke the keys that it authorized through `cargo tdg login --browser`, and the
        /// keys that they authorized in turn
        #[arg(long)]
        with_children: bool,
    },
}

pub(super) async fn run(command: KeysCommand, config: &Config) -> Result<()> {
    let database = open(config).await?.database;
    match command {
        KeysCommand::Create {
            name,
            account,
            scopes,
            projects,
            expires,
        } => {
            let limit = limit(&database, &account, &projects).await?;
            let issue = KeyIssue {
                name: &name,
                scopes,
                limit,
                expires,
            };
            let key = make(&database, &account, issue).await?;
            let (account, _) = accounts::find(&database, &account).await?;
            audit(&database, "keys create", Some(account), &key.prefix()).await?;
            println!("{}", key.reveal());
            Ok(())
        }
        KeysCommand::List { json } => list(&database, json).await,
        KeysCommand::Revoke {
            prefix,
            with_children,
        } => revoke(&database, &prefix, with_children).await,
    }
}

/// The properties of a new key.
pub(super) struct KeyIssue<'a> {
    name: &'a str,
    scopes: Scopes,
    limit: ProjectLimit,
    expires: Option<Lifetime>,
}

impl<'a> KeyIssue<'a> {
    /// Describes a key with all scopes.
    pub(super) fn for_everything(name: &'a str) -> Self {
        KeyIssue {
            name,
            scopes: Scopes::all(),
            limit: ProjectLimit::NONE,
            expires: None,
        }
    }
}

/// Returns the limit to the given projects, which the account must have.
async fn limit(database: &Database, account: &str, projects: &[String]) -> Result<ProjectLimit> {
    if projects.is_empty() {
        return Ok(ProjectLimit::NONE);
    }
    let (id, _) = accounts::find(database, account).await?;
    let mut found = Vec::new();
    for project in projects {
        match database.projects_called(id, project).await?[..] {
            [uuid] => found.push(uuid),
            [] => {
                bail!(
                    "`{account}` has no project `{}`: give the name or the UUID of an existing \
                     project",
                    escape(project)
                );
            }
            ref several => {
                let uuids: Vec<String> = several.iter().map(Uuid::to_string).collect();
                bail!(
                    "`{account}` has several projects `{}`: give the UUID of one, {}",
                    escape(project),
                    uuids.join(" or ")
                );
            }
        }
    }
    Ok(ProjectLimit::to(found))
}

/// Creates a key and stores it.
pub(super) async fn make(
    database: &Database,
    account: &str,
    issue: KeyIssue<'_>,
) -> Result<IssuedKey> {
    accounts::check_name("account", account)?;
    accounts::check_name("key", issue.name)?;
    let key = IssuedKey::generate().context("the system's random number generator failed")?;
    let account = database.account(account).await?;
    let mut record = KeyRecord::new(&key, account, issue.name, issue.scopes);
    record.projects = issue.limit;
    record.expires = issue.expires.map(|lifetime| lifetime.end(record.added));
    database.add_key(record).await?;
    Ok(key)
}

async fn list(database: &Database, json: bool) -> Result<()> {
    let now = Timestamp::now();
    let keys = database.keys().await?;
    if json {
        let key = |(account, record): &(String, KeyRecord)| to_json(account, record);
        print_json(keys.iter().map(key).collect());
        return Ok(());
    }
    println!(
        "{:17}  {:16}  {:16}  {:17}  {:29}  {:29}  state",
        "prefix", "account", "name", "scopes", "added", "used"
    );
    for (account, record) in keys {
        let state = match (record.revoked, record.expires) {
            (Some(revoked), _) => format!("revoked {}", revoked.to_http_date()),
            (None, Some(expires)) if expires <= now => {
                format!("expired {}", expires.to_http_date())
            }
            (None, Some(expires)) => format!("expires {}", expires.to_http_date()),
            (None, None) => "good".to_owned(),
        };
        let used = record
            .used
            .map_or("never".to_owned(), Timestamp::to_http_date);
        let limit = record.projects.to_text();
        let limit = limit.map_or(String::new(), |projects| format!(", only for {projects}"));
        let by = record.let_in_by.as_ref();
        let by = by.map_or(String::new(), |by| format!(", authorized by {by}"));
        println!(
            "{:17}  {:16}  {:16}  {:17}  {:29}  {used:29}  {state}{limit}{by}",
            record.prefix.as_str(),
            escape(&account),
            escape(&record.name),
            record.scopes.to_string(),
            record.added.to_http_date(),
        );
    }
    Ok(())
}

fn to_json(account: &str, record: &KeyRecord) -> Value {
    let time = |time: Option<Timestamp>| time.map(Timestamp::to_http_date);
    let projects = record.projects.projects();
    let projects = projects.map(|all| all.iter().map(Uuid::to_string).collect::<Vec<_>>());
    json!({
        "prefix": record.prefix.as_str(),
        "account": account,
        "name": record.name,
        "scopes": record.scopes.to_string(),
        "projects": projects,
        "added": record.added.to_http_date(),
        "used": time(record.used),
        "expires": time(record.expires),
        "revoked": time(record.revoked),
        "let_in_by": record.let_in_by.as_ref().map(Prefix::as_str),
    })
}

/// Adds a command about a key to the audit log.
async fn audit(
    database: &Database,
    action: &str,
    account: Option<Account>,
    key: &Prefix,
) -> Result<()> {
    let key = Some(key.as_str().to_owned());
    let record = AuditRecord::of_command(action.to_owned(), account, key);
    Ok(database.add_audit(vec![record]).await?)
}

async fn revoke(database: &Database, given: &str, with_children: bool) -> Result<()> {
    // The whole key is accepted too. Other input isn't echoed: it may be most of a key.
    let Some(prefix) = Prefix::parse(given) else {
        bail!("invalid prefix: expected `tdg_` and 12 digits, as in `tdg-server keys list`");
    };
    let revoked = database.revoke_key(&prefix, with_children);
    let revoked = revoked.await?;
    let keys = database.keys().await?;
    let keys: Vec<KeyRecord> = keys.into_iter().map(|(_, key)| key).collect();
    let account = keys.iter().find(|key| key.prefix == prefix);
    let account = account.map(|key| key.account);
    for key in &revoked {
        audit(database, "keys revoke", account, key).await?;
        println!("{key} is revoked");
    }
    let mut left = descendants(&prefix, &keys);
    left.retain(|key| key.is_valid(Timestamp::now()));
    if revoked.is_empty() && left.is_empty() {
        bail!("{prefix} is not a key, or was revoked before; see `tdg-server keys list`");
    }
    if !left.is_empty() {
        let named = |key: &&KeyRecord| format!("{} ({})", key.prefix, escape(&key.name));
        let left: Vec<String> = left.iter().map(named).collect();
        println!(
            "the keys that it authorized are still valid: {}; `tdg-server keys revoke {prefix} \
             --with-children` revokes them",
            left.join(", ")
        );
    }
    Ok(())
}
