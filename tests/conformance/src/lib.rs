//! The behaviour of the service as ordinary functions. They are run by the client in front of a
//! server on each of its databases.
//!
//! Every rule gets an empty service with two accounts, and panics if the service breaks it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

mod addresses;
mod assertions;
mod benchmarks;
mod cascades;
mod definitions;
mod ensembles;
mod idempotency;
mod isolation;
mod paging;
mod projects;
pub mod replica;
pub mod store;
mod world;

use tdg_service::RemoteService;

/// An empty service, seen by two accounts.
pub trait Accounts {
    /// Returns the service as seen by the first account.
    fn one(&self) -> RemoteService;
    /// Returns the service as seen by the second account.
    fn other(&self) -> RemoteService;
    /// Returns the status and body that the first account gets for a path without a client method.
    fn get(&self, path: &str) -> (u16, String);
}

/// A property that holds for every service.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The rule as a sentence.
    pub name: &'static str,
    /// The module with the rule.
    of: &'static str,
    /// A function that panics unless the rule holds.
    pub holds: fn(&dyn Accounts),
}

impl Rule {
    /// Returns the module and the sentence: `projects::two_projects_may_have_one_name`.
    pub fn path(&self) -> String {
        let of = self.of.rsplit("::").next().unwrap_or(self.of);
        format!("{of}::{}", self.name)
    }
}

/// Returns all rules.
pub fn rules() -> impl Iterator<Item = Rule> {
    [
        projects::RULES,
        definitions::RULES,
        ensembles::RULES,
        benchmarks::RULES,
        assertions::RULES,
        paging::RULES,
        cascades::RULES,
        idempotency::RULES,
        isolation::RULES,
        addresses::RULES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Defines the rules of these functions, whose names are the sentences.
macro_rules! suite {
    ($($holds:ident),* $(,)?) => {
        pub(crate) const RULES: &[crate::Rule] = &[$(crate::Rule {
            name: stringify!($holds),
            of: module_path!(),
            holds: $holds,
        }),*];
    };
}
use suite;
