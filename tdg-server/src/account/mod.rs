//! Accounts.

mod limits;

use tdg_service::record::RecordKind;

pub(crate) use self::limits::{Limits, Quota};

/// The account that a key belongs to. Each account has its own projects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Account(pub(crate) i64);

impl Account {
    /// The account number of the server's own work.
    pub(crate) const NONE: Account = Account(0);
}

/// The stored settings of an account.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccountSettings {
    pub(crate) name: String,
    /// The account's own limits. The server's limits apply to quotas that they leave out.
    pub(crate) limits: Limits,
}

/// The amount of storage that an account uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) projects: u64,
    pub(crate) definitions: u64,
    pub(crate) ensembles: u64,
    pub(crate) benchmarks: u64,
    /// Tests, and decisions about them.
    pub(crate) tests: u64,
    pub(crate) decisions: u64,
    /// Assertions, which count toward bytes but not toward objects.
    pub(crate) assertions: u64,
    /// The bytes of definitions, rows, expected outputs, assertions, idempotency keys, and records
    /// that are stored verbatim.
    pub(crate) bytes: u64,
    /// The bytes of deleted data that is still stored.
    pub(crate) deleted: u64,
}

impl Usage {
    /// The bytes that the columns of an assertion count as, in addition to its data on the run.
    pub(crate) const ASSERTION: usize = 50;

    /// The bytes that the row of a deletion counts as, in addition to the data that it keeps.
    pub(crate) const DELETION: u64 = 400;

    /// The bytes that idempotency keys of this total length count as. One of 16 bytes takes 138 in
    /// SQLite's file and 213 in PostgreSQL's, one of 255 takes 688 and 853.
    pub(crate) fn keys(count: u64, length: u64) -> u64 {
        200 * count + 5 * length / 2
    }

    pub(crate) fn objects(&self) -> u64 {
        let content = self.definitions + self.ensembles + self.benchmarks;
        self.projects + content + self.tests + self.decisions
    }

    /// Returns the usage of a quota, or 0 if it doesn't limit storage.
    pub(crate) fn amount(&self, quota: Quota) -> u64 {
        match quota {
            Quota::Objects => self.objects(),
            Quota::Bytes => self.bytes,
            Quota::History | Quota::Requests => 0,
        }
    }

    /// Adds assertions whose data on their runs takes `runs` bytes.
    pub(crate) fn add_assertions(&mut self, count: u64, runs: u64) {
        self.assertions += count;
        self.bytes += count * Self::ASSERTION as u64 + runs;
    }

    /// Adds records of a kind that is stored verbatim. Deleted records count only by their bytes:
    /// deleting makes room for objects.
    pub(crate) fn add_records(&mut self, kind: &str, count: u64, bytes: u64) {
        match kind.parse() {
            Ok(RecordKind::Test) => self.tests += count,
            Ok(RecordKind::Decision) => self.decisions += count,
            _ => {}
        }
        self.bytes += bytes;
    }
}
