//! A test's record: its benchmark, its pending change, its history.

mod case_texts;
mod change;
mod decide;
mod field_merge;
mod follow;
mod identity;
mod kept_cause;
mod lookup;
mod merge;
mod origin;
mod part;
mod pattern;
mod reason;
mod records;
mod rename;
mod review_marks;
mod run_details;
#[cfg(test)]
pub(crate) mod sample;
mod storage;
mod verified_run;

pub(crate) use change::{ComparedChange, PendingChange, outputs, vectors};
pub(crate) use kept_cause::KeptCause;
pub(crate) use merge::{Merge, gives_same_rows, has_same_rows, with_cases_of};
pub(crate) use reason::reason;
pub(crate) use records::RecordedTests;
pub(crate) use review_marks::{Newer, Shown};
pub(crate) use run_details::RunDetails;
pub(crate) use storage::{RecordedTest, json_members};
