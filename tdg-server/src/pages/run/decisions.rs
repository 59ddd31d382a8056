//! The decisions about the change of a run.

use std::slice;

use maud::{Markup, html};
use tdg_engine::store::DecisionKind;
use tdg_service::record::DecisionRecord;
use tdg_service::{Result, Timestamp, Uuid};

use crate::database::StoredRun;
use crate::pages::{PageRequest, format, test};

/// The decisions since a run on its branch, while its benchmark was the test's.
pub(super) struct RunDecisions {
    /// The decisions, newest first.
    made: Vec<DecisionRecord>,
    /// The time when a later run was compared with another benchmark.
    other_benchmark: Option<Timestamp>,
}

impl RunDecisions {
    pub(super) async fn read(
        request: &PageRequest<'_>,
        test: Uuid,
        run: &StoredRun,
    ) -> Result<Self> {
        let (account, database) = (request.account(), request.database());
        let other_benchmark = database.other_benchmark(account, test, run).await?;
        let mut made = database.decisions(account, test).await?;
        made.retain(|it| run.is_before(it) && other_benchmark.is_none_or(|end| it.time < end));
        Ok(RunDecisions {
            made,
            other_benchmark,
        })
    }

    /// Returns true if the same user has already made this decision.
    pub(super) fn has(&self, wanted: &DecisionRecord) -> bool {
        let is_same = |it: &DecisionRecord| {
            (it.benchmark, &it.decision) == (wanted.benchmark, &wanted.decision)
        };
        self.made.iter().any(is_same)
    }

    /// Returns the reason that there is nothing left to decide, if any.
    pub(super) fn refusal(&self) -> Option<String> {
        if let Some(made) = self.made.first() {
            let by = made.decision.byline().unwrap_or("someone".to_owned());
            let what = match made.decision.kind {
                DecisionKind::AcceptedInPart => "a part of the change was accepted",
                DecisionKind::Accepted => "the change was accepted",
                DecisionKind::Rejected => "the change was rejected",
                DecisionKind::Renamed => "the test was renamed",
                _ => "a benchmark was recorded",
            };
            let time = format::text_of(made.time);
            return Some(format!(
                "on {time}, {what} by {by}; look at the page of the run again"
            ));
        }
        self.other_benchmark.map(|time| {
            let time = format::text_of(time);
            format!(
                "the change is gone: the run of {time} was compared with another benchmark; decide \
                 about the newest run"
            )
        })
    }

    /// Renders a table of them, with links to their changes of the run's benchmark.
    pub(super) fn markup(&self, run: &StoredRun) -> Markup {
        html! {
            @if !self.made.is_empty() {
                section aria-labelledby="decisions" {
                    h2 id="decisions" { "Decisions" }
                    (test::disagreement(self.made.iter()))
                    (test::decisions(&self.made, slice::from_ref(run)))
                }
            }
        }
    }
}
