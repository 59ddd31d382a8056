//! Reports about a run: lines on stderr, and results for `cargo tdg test`.

pub(super) mod made_inputs;
pub(super) mod outcome_notice;
pub(super) mod reported_results;
pub(super) mod retry_notice;
