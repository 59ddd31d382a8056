//! The endpoints: `/v1`, health, metrics and the OpenAPI document.

pub(super) mod assertions;
pub(super) mod benchmarks;
pub(super) mod definitions;
pub(super) mod ensembles;
pub(super) mod health;
pub(super) mod metrics;
pub(super) mod openapi;
pub(super) mod projects;
pub(super) mod sync;
