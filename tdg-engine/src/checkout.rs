//! The state of the version control that a run or a decision was made in.

/// The commit and the branch of a working tree; `None` is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The full hash of the commit.
    pub commit: Option<String>,
    /// The branch, such as `main`; `None` also for a detached HEAD.
    pub branch: Option<String>,
}
