//! The checkout whose run left a pending change.

use tdg_engine::Verdict;
use tdg_engine::checkout::Git;
use tdg_engine::store::RunFacts;

use super::change::PendingChange;
use super::storage::RecordedTest;
use crate::error::{Error, Result};

/// The number of recent runs to search for the one that left the change.
const RUNS: usize = 50;

impl RecordedTest {
    /// Fails if a run on another branch left the change. Runs of unknown origin are accepted.
    pub(crate) fn check_origin(&self, change: &PendingChange) -> Result<()> {
        let git = Git::around(&self.package.directory);
        match self.run_of(change).filter(|run| is_elsewhere(run, &git)) {
            Some(run) => Err(Error::new(format!(
                "the change of {} was left by a run {}; run the test again first",
                self.test,
                place(&run)
            ))),
            None => Ok(()),
        }
    }

    /// Returns the run that left a change, if the store has it.
    pub(super) fn run_of(&self, change: &PendingChange) -> Option<RunFacts> {
        let store = self.store().ok()??;
        self.kept(&store, change).ok()??;
        let leaves = [Verdict::Changed, Verdict::InputsChanged, Verdict::Failed];
        let mut runs = store.history(&self.test, RUNS).ok()?.into_iter();
        let run = runs.find(|run| run.origin.is_none() && leaves.contains(&run.verdict()));
        run?.facts
    }
}

/// Returns true if git shows that a run had other sources than this checkout. On the same branch,
/// sources committed since then count as the same.
fn is_elsewhere(run: &RunFacts, git: &Git) -> bool {
    let here = git.checkout();
    if here.commit.is_none() || run.checkout.commit.is_none() || here.is_on_branch_of(&run.checkout)
    {
        return false;
    }
    let left_behind = || run.dirty == Some(true) && git.is_dirty() == Some(false);
    here.commit != run.checkout.commit || left_behind()
}

/// Formats the origin as `on pr2 (1a2b3c4)`.
fn place(run: &RunFacts) -> String {
    let commit = run.checkout.commit.as_deref().unwrap_or_default();
    let commit = commit.get(..7).unwrap_or(commit);
    match &run.checkout.branch {
        Some(branch) => format!("on {branch} ({commit})"),
        None => format!("at {commit}"),
    }
}
