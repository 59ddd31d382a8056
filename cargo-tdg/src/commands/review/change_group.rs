//! The changes that a review shows together.

use tdg_explain::KnownFindings;

use crate::record::{PendingChange, RecordedTest};
use crate::test_group::TestGroup;

/// Tests, each with the change as it was when its cause was searched for.
pub(super) type ChangeGroup<'r> = TestGroup<(&'r RecordedTest, Option<PendingChange>)>;

/// Groups the pending changes by their causes.
pub(super) fn all_of<'r>(chosen: &[&'r RecordedTest]) -> Vec<ChangeGroup<'r>> {
    let known = KnownFindings::new();
    let tests = chosen.iter().map(|record| {
        let change = record.change().ok();
        let change = change.filter(|it| chosen.len() > 1 && record.check_origin(it).is_ok());
        let cause = change
            .as_ref()
            .and_then(|it| it.compare().ok()?.cause(&known));
        (cause, (*record, change))
    });
    TestGroup::all_of(tests)
}
