//! Data that is written in the background: the audit log, and the times when keys were used.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tdg_service::{Result, Timestamp};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::account::Account;
use crate::database::{AuditRecord, Database};
use crate::keys::Prefix;
use crate::lock::locked;
use crate::metrics;

/// The maximum number of queued entries. Further ones are lost.
const QUEUE: usize = 8192;

/// The maximum number of entries that are written together.
const GROUP: usize = 512;

/// The time between two groups, unless one is full.
const PAUSE: Duration = Duration::from_secs(1);

/// The pause between two deletions of old records.
const CLEANUP: Duration = Duration::from_secs(3600);

/// The pause between two parts of a deletion.
const BETWEEN_PARTS: Duration = Duration::from_millis(100);

/// The time limit for the last entries at shutdown.
const END: Duration = Duration::from_secs(5);

/// Queues entries without waiting. Entries of the last second are lost if the process is killed.
pub(crate) struct AuditJournal {
    queue: mpsc::Sender<AuditEntry>,
    ending: Arc<Notify>,
    writing: Mutex<Option<JoinHandle<()>>>,
}

enum AuditEntry {
    Audit(AuditRecord),
    Use(Prefix, Timestamp),
}

impl AuditJournal {
    /// Starts the task that writes. It keeps audit records for `keep`.
    pub(crate) fn start(database: Arc<Database>, keep: Duration) -> Self {
        let (queue, entries) = mpsc::channel(QUEUE);
        let ending = Arc::new(Notify::new());
        let writer = JournalWriter {
            database,
            entries,
            ending: ending.clone(),
            keep,
            cleaned: None,
        };
        AuditJournal {
            queue,
            ending,
            writing: Mutex::new(Some(tokio::spawn(writer.run()))),
        }
    }

    pub(crate) fn audit(&self, record: AuditRecord) {
        if self.queue.try_send(AuditEntry::Audit(record)).is_err() {
            metrics::AUDIT_LOST.add(1);
        }
    }

    /// Notes that a key was used in an hour.
    pub(crate) fn used(&self, key: &Prefix, hour: Timestamp) {
        // If the queue is full, a later use will be noted.
        let _ = self.queue.try_send(AuditEntry::Use(key.clone(), hour));
    }

    /// Writes the remaining entries.
    pub(crate) async fn end(&self) {
        self.ending.notify_one();
        let writing = locked(&self.writing).take();
        if let Some(writing) = writing
            && timeout(END, writing).await.is_err()
        {
            tracing::warn!("the last records of the audit log could not be written");
        }
    }
}

struct JournalWriter {
    database: Arc<Database>,
    entries: mpsc::Receiver<AuditEntry>,
    ending: Arc<Notify>,
    keep: Duration,
    cleaned: Option<Instant>,
}

impl JournalWriter {
    async fn run(mut self) {
        let mut group = Vec::new();
        loop {
            let is_ending = tokio::select! {
                received = self.entries.recv_many(&mut group, GROUP) => received == 0,
                () = self.ending.notified() => true,
            };
            if is_ending {
                break;
            }
            let is_full = group.len() == GROUP;
            if self.write_until_it_is(&mut group).await {
                break;
            }
            self.forget();
            if !is_full && self.ends_within(PAUSE).await {
                break;
            }
        }
        while let Ok(entry) = self.entries.try_recv() {
            group.push(entry);
        }
        if let Err(error) = self.write(&group).await {
            let count = group.len();
            tracing::error!(%error, count, "the last records of the audit log are lost");
        }
    }

    /// Retries until the database accepts the group. Returns true if the server is shutting down.
    async fn write_until_it_is(&self, group: &mut Vec<AuditEntry>) -> bool {
        let mut is_told = false;
        while let Err(error) = self.write(group).await {
            if !is_told {
                tracing::warn!(%error, "the audit log can't be written; retrying");
                is_told = true;
            }
            if self.ends_within(PAUSE).await {
                return true;
            }
        }
        group.clear();
        false
    }

    async fn ends_within(&self, time: Duration) -> bool {
        timeout(time, self.ending.notified()).await.is_ok()
    }

    async fn write(&self, group: &[AuditEntry]) -> Result<()> {
        let (mut records, mut uses) = (Vec::new(), Vec::new());
        for entry in group {
            match entry {
                AuditEntry::Audit(record) => records.push(record.clone()),
                AuditEntry::Use(key, hour) => uses.push((key.clone(), *hour)),
            }
        }
        if !records.is_empty() {
            self.database.add_audit(records).await?;
        }
        if !uses.is_empty() {
            self.database.use_keys(uses).await?;
        }
        Ok(())
    }

    /// Deletes old records in the background.
    fn forget(&mut self) {
        if self.cleaned.is_some_and(|at| at.elapsed() < CLEANUP) {
            return;
        }
        self.cleaned = Some(Instant::now());
        let (database, keep) = (self.database.clone(), self.keep);
        tokio::spawn(async move {
            if let Err(error) = forget_older_than(&database, keep).await {
                tracing::warn!(%error, "old records of the audit log can't be deleted");
            }
        });
    }
}

/// Deletes records older than `age`, in parts, one account after another.
async fn forget_older_than(database: &Database, age: Duration) -> Result<()> {
    let age = i64::try_from(age.as_micros()).unwrap_or(i64::MAX);
    let before = Timestamp::from_micros(Timestamp::now().as_micros().saturating_sub(age));
    // Precedes all accounts: records without an account have 0.
    let mut last = Account(-1);
    while let Some((account, oldest)) = database.oldest_audit(last).await? {
        while oldest < before && database.forget_audit(account, before).await? {
            sleep(BETWEEN_PARTS).await;
        }
        last = account;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{self, AuditFilter};

    async fn database(folder: &std::path::Path) -> Arc<Database> {
        let url = format!("sqlite:{}", folder.join("test.db").display());
        let opened = database::open(&url.parse().unwrap(), None, 1).await;
        opened.unwrap().database
    }

    fn record(account: Option<Account>, days_ago: i64) -> AuditRecord {
        let mut record = AuditRecord::of_command(format!("{days_ago}"), account, None);
        let micros = record.at.as_micros() - days_ago * 24 * 3_600_000_000;
        record.at = Timestamp::from_micros(micros);
        record
    }

    async fn actions(database: &Database) -> Vec<String> {
        let filter = AuditFilter {
            account: None,
            since: Timestamp::from_micros(0),
            limit: 100_000,
        };
        let records = database.audit(filter).await.unwrap().into_iter();
        records.map(|(_, record)| record.action).collect()
    }

    #[tokio::test]
    async fn records_that_are_too_old_are_deleted_of_every_account() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(folder.path()).await;
        let accounts = [None, Some(Account(1)), Some(Account(i64::MAX))];
        let ages = [400, 366, 364, 0];
        let records = accounts.map(|account| ages.map(|days| record(account, days)));
        database.add_audit(records.concat()).await.unwrap();
        let year = Duration::from_secs(365 * 24 * 60 * 60);
        forget_older_than(&database, year).await.unwrap();
        assert_eq!(
            actions(&database).await,
            ["364", "364", "364", "0", "0", "0"]
        );
        forget_older_than(&database, Duration::MAX).await.unwrap();
        assert_eq!(actions(&database).await.len(), 6);
    }

    #[tokio::test]
    async fn a_journal_writes_what_it_was_given_before_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(folder.path()).await;
        let journal = AuditJournal::start(database.clone(), Duration::MAX);
        for _ in 0..3 * GROUP {
            journal.audit(record(None, 0));
        }
        journal.end().await;
        assert_eq!(actions(&database).await.len(), 3 * GROUP);
        // Nothing waits for this one.
        journal.audit(record(None, 0));
    }

    #[tokio::test]
    async fn a_full_journal_does_not_block_requests() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(folder.path()).await;
        let journal = AuditJournal::start(database.clone(), Duration::MAX);
        let lost = metrics::AUDIT_LOST.get();
        // The writing task isn't scheduled in the meantime.
        for _ in 0..QUEUE + 10 {
            journal.audit(record(None, 0));
        }
        assert!(metrics::AUDIT_LOST.get() >= lost + 10);
        journal.end().await;
        assert_eq!(actions(&database).await.len(), QUEUE);
    }
}
