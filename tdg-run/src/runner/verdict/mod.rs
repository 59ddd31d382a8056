//! The result of a run, and the data that the backend needs to record it.

pub(super) mod finished_run;
pub(super) mod judgement;
pub(super) mod kept_rows;
pub(super) mod outcome;
