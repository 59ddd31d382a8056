//! The ensemble test that `--keep` writes for a function.

use super::Compare;
use crate::commands::Init;
use crate::error::Result;
use crate::workspace::Workspace;

impl Compare {
    /// Prepares the test of the function to keep, in the package that has it.
    pub(super) fn kept(&self, workspace: &Workspace) -> Result<Option<Init>> {
        let Some(function) = &self.keep else {
            return Ok(None);
        };
        let packages = self.packages.select(workspace)?.into_iter();
        let mut kept = packages.map(|name| Init::for_function(workspace, name, function));
        let first = kept.next().transpose();
        match (first, kept.find_map(Result::ok)) {
            (Err(_), Some(other)) => Ok(Some(other)),
            (first, _) => first,
        }
    }
}
