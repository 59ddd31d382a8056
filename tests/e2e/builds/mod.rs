//! Builds with other features, dependencies, compilers and targets.

mod dependency_graphs;
#[cfg(unix)]
mod dynamic;
mod msrv;
mod targets;
#[cfg(unix)]
mod without_sqlite;
