//! Accounts.

use crate::accounts::Limits;

/// The account that a key belongs to. It has projects of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Of definitions, rows and expected outputs.
    pub(crate) bytes: u64,
}

impl Usage {
    pub(crate) fn objects(&self) -> u64 {
        self.projects + self.definitions + self.ensembles + self.benchmarks
    }
}
