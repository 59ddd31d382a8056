//! Accounts.

mod limits;

use tdg_service::record::RecordKind;

pub(crate) use self::limits::{Limits, Quota};

/// The account that a key belongs to. It has projects of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Account(pub(crate) i64);

impl Account {
    /// No account: the server does it by itself.
    pub(crate) const NONE: Account = Account(0);
}

/// What is stored about an account.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccountSettings {
    pub(crate) name: String,
    /// Its own limits; where they state nothing, those of the server count.
    pub(crate) limits: Limits,
}

/// What an account has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) projects: u64,
    pub(crate) definitions: u64,
    pub(crate) ensembles: u64,
    pub(crate) benchmarks: u64,
    /// Tests and the decisions about them.
    pub(crate) tests: u64,
    pub(crate) decisions: u64,
    /// They count as bytes, not as objects.
    pub(crate) assertions: u64,
    /// Of definitions, rows, expected outputs, assertions, idempotency keys, and records that are
    /// stored as they are.
    pub(crate) bytes: u64,
    /// The same of what was deleted and is still there.
    pub(crate) deleted: u64,
}

impl Usage {
    /// The bytes that each assertion counts as, besides what it tells of its run: those of its
    /// columns.
    pub(crate) const ASSERTION: usize = 50;

    /// The bytes that a deletion counts as, besides what it keeps: those of its rows.
    pub(crate) const DELETION: u64 = 400;

    /// The bytes that idempotency keys of that length together count as. One of 16 bytes takes 138
    /// of SQLite's file and 213 of PostgreSQL's, one of 255 takes 688 and 853.
    pub(crate) fn keys(count: u64, length: u64) -> u64 {
        200 * count + 5 * length / 2
    }

    pub(crate) fn objects(&self) -> u64 {
        let content = self.definitions + self.ensembles + self.benchmarks;
        self.projects + content + self.tests + self.decisions
    }

    /// How much of a quota that is; nothing of one that doesn't count what is stored.
    pub(crate) fn of(&self, quota: Quota) -> u64 {
        match quota {
            Quota::Objects => self.objects(),
            Quota::Bytes => self.bytes,
            Quota::History | Quota::Requests => 0,
        }
    }

    /// Adds assertions, which tell so many bytes of their runs.
    pub(crate) fn add_assertions(&mut self, count: u64, runs: u64) {
        self.assertions += count;
        self.bytes += count * Self::ASSERTION as u64 + runs;
    }

    /// Adds records of a kind that are stored as they are. Of what was deleted, only the bytes
    /// count: deleting makes room for objects.
    pub(crate) fn add_records(&mut self, kind: &str, count: u64, bytes: u64) {
        match kind.parse() {
            Ok(RecordKind::Test) => self.tests += count,
            Ok(RecordKind::Decision) => self.decisions += count,
            _ => {}
        }
        self.bytes += bytes;
    }
}
