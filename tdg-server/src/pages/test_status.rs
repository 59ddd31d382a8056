//! The state of a test, by its newest run.

use tdg_engine::Verdict;

use crate::database::TestSummary;

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestStanding {
    Passing,
    Failing,
    /// It has changed, without a later decision on its branch.
    Pending,
    /// None of its runs was synchronized.
    NeverRun,
}

tdg_definition::names!(TestStanding::name {
    Pending = "pending", Failing = "failing", Passing = "passing", NeverRun = "never run",
});

impl TestStanding {
    pub(super) fn from_summary(test: &TestSummary) -> Self {
        let Some(newest) = &test.newest else {
            return TestStanding::NeverRun;
        };
        let verdict = newest.facts.verdict;
        let waits = [Verdict::Changed, Verdict::InputsChanged, Verdict::Missing];
        let is_decided = || test.decisions.iter().any(|it| newest.is_before(it));
        match verdict {
            verdict if verdict.passes() => TestStanding::Passing,
            verdict if waits.contains(&verdict) && !is_decided() => TestStanding::Pending,
            _ => TestStanding::Failing,
        }
    }

    /// Returns the CSS class of its color.
    pub(super) fn class(self) -> &'static str {
        match self {
            TestStanding::Passing => "good",
            TestStanding::Failing => "bad",
            TestStanding::Pending | TestStanding::NeverRun => "near",
        }
    }

    /// Returns the number of tests in this state.
    pub(super) fn count(self, tests: &[TestSummary]) -> usize {
        tests
            .iter()
            .filter(|test| TestStanding::from_summary(test) == self)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use tdg_engine::TestId;
    use tdg_engine::checkout::Checkout;
    use tdg_engine::store::{Decision, DecisionKind, RunFacts};
    use tdg_service::record::DecisionRecord;
    use tdg_service::{Timestamp, Uuid};

    use super::*;
    use crate::database::StoredRun;

    /// Returns the state with decisions at these times, on these branches.
    fn standing(verdict: Verdict, decided: &[(i64, &str)]) -> TestStanding {
        let id = TestId {
            package: "shop".to_owned(),
            source: "src/lib.rs".to_owned(),
            name: "total".to_owned(),
        };
        let on = |branch: &str| Checkout {
            commit: None,
            branch: Some(branch.to_owned()),
        };
        let newest = StoredRun {
            uuid: Uuid::nil(),
            time: Timestamp::from_micros(10),
            benchmark: Uuid::nil(),
            facts: RunFacts {
                checkout: on("main"),
                ..RunFacts::new(verdict, 1)
            },
        };
        let decision = |(micros, branch): &(i64, &str)| DecisionRecord {
            uuid: Uuid::nil(),
            test: Uuid::nil(),
            benchmark: None,
            time: Timestamp::from_micros(*micros),
            decision: Decision {
                checkout: on(branch),
                ..Decision::new(DecisionKind::Accepted)
            },
            from: None,
        };
        TestStanding::from_summary(&TestSummary {
            project: Uuid::nil(),
            uuid: Uuid::nil(),
            id,
            newest: Some(newest),
            decisions: decided.iter().map(decision).collect(),
        })
    }

    #[test]
    fn a_change_is_pending_until_a_decision_on_its_branch() {
        let changed = |decided| standing(Verdict::Changed, decided);
        assert_eq!(standing(Verdict::Same, &[]), TestStanding::Passing);
        assert_eq!(standing(Verdict::Panicked, &[]), TestStanding::Failing);
        assert_eq!(changed(&[]), TestStanding::Pending);
        assert_eq!(changed(&[(9, "main")]), TestStanding::Pending);
        assert_eq!(changed(&[(11, "other")]), TestStanding::Pending);
        assert_eq!(
            changed(&[(12, "other"), (11, "main")]),
            TestStanding::Failing
        );
    }
}
