//! Runs with the rules that experiments verified, for the pages of a server.

use tdg_engine::store::{Claim, PendingUpdate, Run, RunFacts, VerifiedRule};

use super::case_texts::CaseTexts;
use super::change::PendingChange;
use super::storage::{RecordedTest, Storage};
use crate::error::Result;

impl RecordedTest {
    /// Adds a run like the one that left a change, with the verified rules of its parts. A run that
    /// was pushed before can't get them.
    pub(crate) fn add_verified_run(
        &self,
        change: &PendingChange,
        rules: &[VerifiedRule],
    ) -> Result<()> {
        let (Some(benchmark), Some(run)) = (&change.benchmark, self.run_of(change)) else {
            return Ok(());
        };
        let rules = rules.iter().filter_map(VerifiedRule::for_records);
        let rules: Vec<VerifiedRule> = rules.take(VerifiedRule::COUNT).collect();
        if rules.is_empty() || run.verified_rules == rules {
            return Ok(());
        }
        let with_rows = matches!(self.storage, Storage::Store);
        let texts = CaseTexts::from_snapshot(benchmark)?;
        self.open()?.commit(&Run {
            test: &self.test,
            claim: Claim {
                function: "",
                run: None,
            },
            facts: RunFacts {
                verified_rules: rules,
                ..run
            },
            benchmark: Some(texts.expected(benchmark, with_rows)),
            policy: None,
            pending: PendingUpdate::Keep,
            decision: None,
        })?;
        Ok(())
    }
}
