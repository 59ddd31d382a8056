//! What the service does, as ordinary functions: run by the client in front of a server on each of
//! its databases.
//!
//! Every rule gets a service that is empty, with two accounts. It panics where the service breaks
//! it.

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
mod world;

use tdg_service::RemoteService;

/// An empty service, as two accounts see it.
pub trait Accounts {
    /// The service for one of them.
    fn one(&self) -> RemoteService;
    /// The service for the other.
    fn other(&self) -> RemoteService;
    /// The status and the body that one of them gets at a path, which no client asks for.
    fn get(&self, path: &str) -> (u16, String);
}

/// Something that holds for every service.
#[derive(Clone, Copy)]
pub struct Rule {
    /// The rule as a sentence.
    pub name: &'static str,
    /// The module that states it.
    of: &'static str,
    /// Panics where it doesn't hold.
    pub holds: fn(&dyn Accounts),
}

impl Rule {
    /// What it is about, and the sentence: `projects::two_projects_may_have_one_name`.
    pub fn path(&self) -> String {
        let of = self.of.rsplit("::").next().unwrap_or(self.of);
        format!("{of}::{}", self.name)
    }
}

/// All rules.
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

/// The rules that these functions state; their names are the sentences.
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
