//! `prune`: removes unused objects by age and number. Benchmarks are never removed, because a pin
//! in a repository may name one.

use std::fmt;
use std::num::NonZero;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use tdg_service::{ServiceError, Timestamp};

use super::{accounts, note, open};
use crate::config::Config;
use crate::database::{Database, Keep, ObjectSpan, Unused};
use crate::keys::Lifetime;
use crate::upkeep::{prune_histories, rest};

#[derive(Args)]
pub(super) struct Prune {
    /// Remove assertions older than this, such as `180d` or `36h`; the last week is kept
    #[arg(long, value_name = "DURATION")]
    older_than: Option<Lifetime>,
    /// Number of newest assertions that every benchmark keeps, whatever their age
    #[arg(long, value_name = "NUMBER")]
    keep: Option<NonZero<u32>>,
    /// Delete ensembles and definitions older than this that no benchmark needs
    #[arg(long, value_name = "DURATION")]
    unused: Option<Lifetime>,
    /// Only in this account [default: in all accounts]
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// Only print what would be removed
    #[arg(long)]
    dry_run: bool,
}

impl Prune {
    /// Returns the assertions to keep, or `None` to keep all.
    fn keep(&self, now: Timestamp) -> Option<Keep> {
        let since = self.older_than.map(|age| age.begin(now));
        match (since, self.keep) {
            (None, None) => None,
            (since, newest) => Some(Keep::new(newest.map(NonZero::get), since.unwrap_or(now))),
        }
    }
}

pub(super) async fn run(prune: Prune, config: &Config) -> Result<()> {
    let now = Timestamp::now();
    let keep = prune.keep(now);
    if keep.is_none() && prune.unused.is_none() {
        bail!(
            "nothing to prune: give `--older-than`, `--keep` or `--unused`, as in \
             `tdg-server prune --older-than 180d --keep 100`"
        );
    }
    let database = &*open(config).await?.database;
    let account = accounts::find_given(database, prune.account.as_deref()).await?;
    let span = ObjectSpan::from_account(account);
    let mut pruned = Pruned::default();
    let delete = !prune.dry_run;
    let work = async {
        if let Some(keep) = keep {
            let histories = prune_histories(database, span, keep, delete).await?;
            (pruned.assertions, pruned.benchmarks) = histories;
        }
        if let Some(age) = prune.unused {
            let before = age.begin(now);
            pruned.ensembles = unused(database, Unused::Ensemble, span, before, delete).await?;
            pruned.definitions = unused(database, Unused::Definition, span, before, delete).await?;
        }
        Ok(())
    };
    let done: Result<(), ServiceError> = work.await;
    let verb = if delete { "removed" } else { "would remove" };
    if delete {
        note(database, format!("prune: {verb} {pruned}"), account, None).await?;
    }
    match done {
        Ok(()) => {
            println!("{verb} {pruned}");
            Ok(())
        }
        Err(error) => Err(anyhow!("{error}; {verb} {pruned} before")),
    }
}

#[derive(Default)]
struct Pruned {
    assertions: u64,
    /// The number of benchmarks with removed assertions.
    benchmarks: u64,
    ensembles: u64,
    definitions: u64,
}

impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: u64, noun: &str| match number {
            1 => format!("1 {noun}"),
            number => format!("{number} {noun}s"),
        };
        write!(
            f,
            "{} of {}, {} and {}",
            count(self.assertions, "assertion"),
            count(self.benchmarks, "benchmark"),
            count(self.ensembles, "ensemble"),
            count(self.definitions, "definition")
        )
    }
}

/// Counts the unused objects, and deletes them unless this is a dry run.
async fn unused(
    database: &Database,
    kind: Unused,
    span: ObjectSpan,
    before: Timestamp,
    delete: bool,
) -> Result<u64, ServiceError> {
    let mut count = 0;
    let mut next = Some(span);
    while let Some(span) = next {
        let listed = database.unused_in(kind, span, before).await?;
        next = span.after(&listed);
        for object in listed {
            let begin = Instant::now();
            if !delete || database.delete_unused(kind, object).await? {
                count += 1;
            }
            if delete {
                rest(begin).await;
            }
        }
    }
    Ok(count)
}
