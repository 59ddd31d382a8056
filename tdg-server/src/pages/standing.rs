//! How a test stands, by its newest run.

use tdg_engine::Verdict;

use crate::database::TestSummary;

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestStanding {
    Passing,
    Failing,
    /// It has changed, and nobody has decided since.
    Pending,
    /// No run of it was synchronised.
    NeverRun,
}

impl TestStanding {
    pub(super) const ALL: [TestStanding; 4] = [
        TestStanding::Pending,
        TestStanding::Failing,
        TestStanding::Passing,
        TestStanding::NeverRun,
    ];

    pub(super) fn of(test: &TestSummary) -> Self {
        let Some(newest) = &test.newest else {
            return TestStanding::NeverRun;
        };
        let verdict = newest.facts.verdict;
        let waits = [Verdict::Changed, Verdict::InputsChanged, Verdict::Missing];
        let decided = test.decision.as_ref().map(|decision| decision.time);
        match verdict {
            verdict if verdict.passes() => TestStanding::Passing,
            verdict if waits.contains(&verdict) && decided.is_none_or(|at| at < newest.time) => {
                TestStanding::Pending
            }
            _ => TestStanding::Failing,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            TestStanding::Passing => "passing",
            TestStanding::Failing => "failing",
            TestStanding::Pending => "pending",
            TestStanding::NeverRun => "never run",
        }
    }

    /// The class of its colour.
    pub(super) fn class(self) -> &'static str {
        match self {
            TestStanding::Passing => "good",
            TestStanding::Failing => "bad",
            TestStanding::Pending | TestStanding::NeverRun => "near",
        }
    }

    /// How many of these tests stand so.
    pub(super) fn count(self, tests: &[TestSummary]) -> usize {
        tests
            .iter()
            .filter(|test| TestStanding::of(test) == self)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use tdg_engine::TestId;
    use tdg_engine::store::{Decision, DecisionKind, RunFacts};
    use tdg_service::record::DecisionRecord;
    use tdg_service::{Timestamp, Uuid};

    use super::*;
    use crate::database::StoredRun;

    fn standing(verdict: Verdict, decided: Option<i64>) -> TestStanding {
        let id = TestId {
            package: "shop".to_owned(),
            source: "src/lib.rs".to_owned(),
            name: "total".to_owned(),
        };
        let newest = StoredRun {
            uuid: Uuid::nil(),
            time: Timestamp::from_micros(10),
            benchmark: Uuid::nil(),
            facts: RunFacts::new(verdict, 1),
        };
        let decision = decided.map(|micros| DecisionRecord {
            uuid: Uuid::nil(),
            test: Uuid::nil(),
            benchmark: None,
            time: Timestamp::from_micros(micros),
            decision: Decision::new(DecisionKind::Accepted),
            from: None,
        });
        TestStanding::of(&TestSummary {
            project: Uuid::nil(),
            uuid: Uuid::nil(),
            id,
            newest: Some(newest),
            decision,
        })
    }

    #[test]
    fn a_change_is_pending_until_somebody_decides() {
        assert_eq!(standing(Verdict::Same, None), TestStanding::Passing);
        assert_eq!(standing(Verdict::Changed, None), TestStanding::Pending);
        assert_eq!(standing(Verdict::Changed, Some(9)), TestStanding::Pending);
        assert_eq!(standing(Verdict::Changed, Some(11)), TestStanding::Failing);
        assert_eq!(standing(Verdict::Panicked, None), TestStanding::Failing);
    }
}
