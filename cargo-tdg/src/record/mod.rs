//! A test's record: its benchmark, its pending change, its history.

mod case_texts;
mod change;
mod decide;
mod identity;
mod lookup;
mod part;
mod records;
#[cfg(test)]
pub(crate) mod sample;
mod storage;

pub(crate) use change::{ComparedChange, PendingChange, RunDetails, outputs, vectors};
pub(crate) use part::{OfferedPart, Part};
pub(crate) use records::Records;
pub(crate) use storage::{Record, json_members};
