//! `accounts list | create | rename | limits | usage | delete`.

use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use tdg_definition::control::{escape, is_control};
use tdg_service::{ObjectKind, ServiceError, Timestamp};

use super::{note, open, print_json};
use crate::account::{Account, AccountSettings, Usage};
use crate::accounts::{Limits, NEARLY, Quota};
use crate::config::Config;
use crate::database::{Database, Deleter};
use crate::upkeep::purge_deleted;

/// The maximum bytes of an account's name, the same as of a project's.
const NAME: usize = 256;

#[derive(Subcommand)]
pub(super) enum AccountsCommand {
    /// List all accounts
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Create an account without keys
    Create {
        name: String,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Rename an account
    Rename { name: String, new_name: String },
    /// Show the limits of an account, or change some
    Limits {
        name: String,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Show what accounts store, and their quotas
    Usage {
        /// The account [default: all accounts]
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete an account with its keys and all its data
    Delete {
        name: String,
        /// The name again, to be certain
        #[arg(long, value_name = "NAME")]
        yes: Option<String>,
    },
}

#[derive(Args)]
pub(super) struct LimitArgs {
    /// Projects, definitions, ensembles and benchmarks: a number, `unlimited`, or `server` for
    /// the server's setting
    #[arg(long, value_name = "LIMIT")]
    objects: Option<Own>,
    /// Bytes of definitions, rows, expected outputs and assertions
    #[arg(long, value_name = "LIMIT")]
    bytes: Option<Own>,
    /// Assertions kept for each benchmark
    #[arg(long, value_name = "LIMIT")]
    history: Option<Own>,
    /// Requests per second to each server
    #[arg(long, value_name = "LIMIT")]
    requests: Option<Own>,
}

/// A limit that an account may have.
#[derive(Clone, Copy)]
enum Own {
    Server,
    Unlimited,
    Limit(u64),
}

impl FromStr for Own {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "server" => Ok(Own::Server),
            "unlimited" => Ok(Own::Unlimited),
            _ => {
                let limit = text.parse().map(Own::Limit);
                limit.map_err(|_| "a limit is a number, `unlimited` or `server`".to_owned())
            }
        }
    }
}

impl LimitArgs {
    /// Returns the quotas given on the command line.
    fn given(&self) -> impl Iterator<Item = (Quota, Own)> {
        let quotas = [
            (Quota::Objects, self.objects),
            (Quota::Bytes, self.bytes),
            (Quota::History, self.history),
            (Quota::Requests, self.requests),
        ];
        let given = quotas.into_iter();
        given.filter_map(|(quota, own)| Some((quota, own?)))
    }

    fn apply(&self, limits: &mut Limits) -> Result<()> {
        for (quota, own) in self.given() {
            match own {
                Own::Server => limits.unset(quota),
                Own::Unlimited => limits.set(quota, None),
                Own::Limit(0) if matches!(quota, Quota::Requests | Quota::History) => {
                    bail!("a limit of `{}` is at least 1", quota.name());
                }
                Own::Limit(limit) => limits.set(quota, Some(limit)),
            }
        }
        Ok(())
    }
}

pub(super) async fn run(command: AccountsCommand, config: &Config) -> Result<()> {
    let database = open(config).await?.database;
    let (database, of_server) = (&database, &config.accounts);
    match command {
        AccountsCommand::List { json } => list(database, json).await,
        AccountsCommand::Create { name, limits } => create(database, name, &limits).await,
        AccountsCommand::Rename { name, new_name } => rename(database, &name, new_name).await,
        AccountsCommand::Limits { name, limits } => {
            limit(database, &name, &limits, of_server).await
        }
        AccountsCommand::Usage { name, json } => {
            usage(database, name.as_deref(), of_server, json).await
        }
        AccountsCommand::Delete { name, yes } => delete(database, &name, yes.as_deref()).await,
    }
}

async fn list(database: &Database, json: bool) -> Result<()> {
    let accounts = database.accounts().await?;
    let keys = database.keys().await?;
    let keys = |name: &str| keys.iter().filter(|(account, _)| account == name).count();
    if json {
        let account = |(_, settings): &(Account, AccountSettings)| {
            let limits = &settings.limits;
            json!({"name": settings.name, "keys": keys(&settings.name), "limits": limits})
        };
        print_json(accounts.iter().map(account).collect());
        return Ok(());
    }
    println!("{:24}  {:>5}  limits", "account", "keys");
    for (_, settings) in accounts {
        let limits = describe(&settings.limits);
        let keys = keys(&settings.name);
        println!("{:24}  {keys:>5}  {limits}", escape(&settings.name));
    }
    Ok(())
}

async fn create(database: &Database, name: String, given: &LimitArgs) -> Result<()> {
    check_name("account", &name)?;
    let mut limits = Limits::default();
    given.apply(&mut limits)?;
    let settings = AccountSettings {
        name: name.clone(),
        limits,
    };
    if !database.create_account(settings).await? {
        bail!("the account `{name}` already exists");
    }
    let (account, _) = find(database, &name).await?;
    let action = format!("accounts create {name}");
    note(database, action, Some(account), None).await?;
    println!("`{name}` is created; `tdg-server keys create --account {name}` gives it a key");
    Ok(())
}

async fn rename(database: &Database, name: &str, new_name: String) -> Result<()> {
    check_name("account", &new_name)?;
    let (account, mut settings) = find(database, name).await?;
    settings.name = new_name.clone();
    let changed = database.change_account(account, settings).await;
    if !changed? {
        bail!("the account `{new_name}` already exists");
    }
    let action = format!("accounts rename {name} {new_name}");
    note(database, action, Some(account), None).await?;
    println!("`{name}` is now called `{new_name}`");
    Ok(())
}

async fn limit(
    database: &Database,
    name: &str,
    given: &LimitArgs,
    of_server: &Limits,
) -> Result<()> {
    let (account, mut settings) = find(database, name).await?;
    if given.given().next().is_some() {
        given.apply(&mut settings.limits)?;
        let action = format!("accounts limits {name}: {}", describe(&settings.limits));
        let changed = database.change_account(account, settings.clone()).await;
        changed?;
        note(database, action, Some(account), None).await?;
    }
    let limits = settings.limits.or(of_server);
    for quota in Quota::ALL {
        let limit = limits.limit(quota);
        let limit = limit.map_or("unlimited".to_owned(), |limit| limit.to_string());
        let whose = match settings.limits.states(quota) {
            true => "its own",
            false => "the server's",
        };
        println!("{:10}{limit:>16}  {whose}", quota.name());
    }
    Ok(())
}

async fn usage(
    database: &Database,
    name: Option<&str>,
    of_server: &Limits,
    json: bool,
) -> Result<()> {
    let accounts = match name {
        Some(name) => vec![find(database, name).await?],
        None => database.accounts().await?,
    };
    let mut found = Vec::new();
    for (account, settings) in accounts {
        let usage = database.usage(account).await?;
        let limits = settings.limits.or(of_server);
        found.push((settings.name, usage, limits));
    }
    match json {
        true => print_json(found.iter().map(usage_json).collect()),
        false => print_usage(&found),
    }
    Ok(())
}

fn usage_json((name, usage, limits): &(String, Usage, Limits)) -> Value {
    let shares = shares(usage, limits);
    let percents = shares.map(|(quota, share)| (quota.name().to_owned(), percent(share)));
    json!({
        "name": name,
        "projects": usage.projects,
        "definitions": usage.definitions,
        "ensembles": usage.ensembles,
        "benchmarks": usage.benchmarks,
        "tests": usage.tests,
        "decisions": usage.decisions,
        "assertions": usage.assertions,
        "bytes": usage.bytes,
        "deleted": usage.deleted,
        "limits": limits,
        "percent": percents.collect::<Map<_, _>>(),
    })
}

fn print_usage(accounts: &[(String, Usage, Limits)]) {
    println!(
        "{:24}  {:>9}  {:>11}  {:>9}  {:>10}  {:>9}  {:>9}  {:>11}  {:>15}  {:>15}  quotas",
        "account",
        "projects",
        "definitions",
        "ensembles",
        "benchmarks",
        "tests",
        "decisions",
        "assertions",
        "bytes",
        "deleted"
    );
    for (name, usage, limits) in accounts {
        let Usage {
            projects,
            definitions,
            ensembles,
            benchmarks,
            tests,
            decisions,
            assertions,
            bytes,
            deleted,
        } = usage;
        let quota = |(quota, share): (Quota, f64)| {
            let mark = if share >= NEARLY { " (!)" } else { "" };
            format!("{} {} %{mark}", quota.name(), percent(share))
        };
        let rate = limits.limit(Quota::Requests);
        let rate = rate.map(|rate| format!("{rate} requests a second"));
        let quotas: Vec<_> = shares(usage, limits).map(quota).chain(rate).collect();
        println!(
            "{:24}  {projects:>9}  {definitions:>11}  {ensembles:>9}  {benchmarks:>10}  \
             {tests:>9}  {decisions:>9}  {assertions:>11}  {bytes:>15}  \
             {deleted:>15}  {}",
            escape(name),
            quotas.join(", ")
        );
    }
}

/// Returns the quotas that limit storage, with the used share of each.
fn shares(usage: &Usage, limits: &Limits) -> impl Iterator<Item = (Quota, f64)> {
    let share = |quota| {
        let limit = limits.limit(quota)?.max(1);
        Some((quota, usage.amount(quota) as f64 / limit as f64))
    };
    Quota::STORED.into_iter().filter_map(share)
}

fn percent(share: f64) -> Value {
    ((share * 100.0).floor() as u64).into()
}

async fn delete(database: &Database, name: &str, yes: Option<&str>) -> Result<()> {
    let (account, _) = find(database, name).await?;
    if yes != Some(name) {
        let usage = database.usage(account).await?;
        bail!(
            "this would delete the keys of `{name}`, {} projects, {} definitions, {} ensembles and \
             {} benchmarks with their histories: add `--yes {name}` to be certain",
            usage.projects,
            usage.definitions,
            usage.ensembles,
            usage.benchmarks
        );
    }
    // Revoked first, so that nothing is added in the meantime.
    database.revoke_keys(account).await?;
    loop {
        let projects = database.some_projects(account).await?;
        if projects.is_empty() {
            break;
        }
        for project in projects {
            let project = (ObjectKind::Project, project);
            match database.delete(account, project, Deleter::default()).await {
                // Another command was faster.
                Ok(()) | Err(ServiceError::NotFound(..)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    let purged = purge_deleted(database, Some(account), Timestamp::MAX).await;
    purged?;
    database.delete_account(account).await?;
    let action = format!("accounts delete {name}");
    note(database, action, Some(account), None).await?;
    println!("`{name}` is deleted");
    Ok(())
}

pub(super) async fn find(database: &Database, name: &str) -> Result<(Account, AccountSettings)> {
    let mut accounts = database.accounts().await?;
    let found = accounts
        .iter()
        .position(|(_, settings)| settings.name == name);
    if let Some(found) = found {
        return Ok(accounts.swap_remove(found));
    }
    let names = accounts.iter().map(|(_, settings)| settings.name.as_str());
    let hint = match tdg_definition::nearest(name, names) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "see `tdg-server accounts list`".to_owned(),
    };
    Err(anyhow!("there is no account `{name}`: {hint}"))
}

/// Returns the account that an option names, if the option is given.
pub(super) async fn find_given(database: &Database, name: Option<&str>) -> Result<Option<Account>> {
    match name {
        Some(name) => Ok(Some(find(database, name).await?.0)),
        None => Ok(None),
    }
}

/// Checks the name of an account or a key. A key's may be empty.
pub(super) fn check_name(of: &str, name: &str) -> Result<()> {
    let least = if of == "account" { 1 } else { 0 };
    let has_length = (least..=NAME).contains(&name.trim().len()) && name.len() <= NAME;
    if has_length && !name.contains(is_control) {
        return Ok(());
    }
    Err(anyhow!(
        "the name of the {of} must have {least} to {NAME} bytes and no control characters"
    ))
}

fn describe(limits: &Limits) -> String {
    let stated = Quota::ALL.into_iter();
    let stated = stated.filter(|quota| limits.states(*quota));
    let texts = stated.map(|quota| match limits.limit(quota) {
        Some(limit) => format!("{} {limit}", quota.name()),
        None => format!("{} unlimited", quota.name()),
    });
    let texts: Vec<_> = texts.collect();
    if texts.is_empty() {
        return "the server's".to_owned();
    }
    texts.join(", ")
}
