//! No server: tdg is built without the feature `remote`.

use super::invalid;
use super::judge::Judgement;
use super::plan::Plan;
use super::rows::Rows;
use tdg_definition::Definition;
use tdg_engine::Vectors;
use tdg_engine::config::{Environment, Settings};
use tdg_engine::output::Outputs;
use tdg_engine::report::Invalid;
use tdg_engine::snapshot::{Pin, Snapshot};

/// There is none.
pub(super) enum Remote {}

/// Nor is there a definition on it.
pub(super) enum DefinitionId {}

impl Remote {
    pub(super) fn of(_: &Settings, _: &str, _: Environment<'_>) -> Result<Self, Invalid> {
        Err(invalid(
            "the test asks for store = \"remote\", and this tdg is built without it",
            "enable the feature `remote` of tdg, or use store = \"local\"",
        ))
    }

    pub(super) fn definition(&self, _: &str) -> Result<(Definition, DefinitionId), Invalid> {
        match *self {}
    }

    pub(super) fn follow(&self, _: &Plan, _: Snapshot) -> Result<Snapshot, Invalid> {
        match *self {}
    }

    pub(super) fn rows(&self, _: &Plan, _: &Pin, _: &str) -> Result<Vectors, Invalid> {
        match *self {}
    }

    pub(super) fn assert(
        &self,
        _: &Plan,
        _: &Outputs,
        _: &Judgement,
        _: Option<&Snapshot>,
    ) -> Result<(), Invalid> {
        match *self {}
    }

    pub(super) fn record(
        &self,
        _: &Plan,
        _: &Rows,
        _: &Outputs,
        _: &Judgement,
        _: Option<&Snapshot>,
    ) -> Result<Option<Pin>, Invalid> {
        match *self {}
    }
}
