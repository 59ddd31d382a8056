//! The objects of `/v1`: projects, definitions, ensembles, benchmarks and assertions.

pub(super) mod assertions;
mod benchmark_tree;
mod benchmarks;
pub(super) mod created_object;
mod definitions;
mod ensembles;
pub(super) mod expected_outputs;
mod idempotency;
mod page;
mod parents;
mod prefetch;
pub(super) mod project_list;
mod projects;
