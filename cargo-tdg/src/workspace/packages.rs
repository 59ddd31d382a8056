//! The packages that a command works on.

use std::collections::BTreeSet;

use clap::Args;

use super::Workspace;
use crate::error::Result;

/// The options that choose packages, as cargo has them.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Packages {
    /// Only the tests of this package (repeatable; default: the one in the current directory, or
    /// all in the workspace's)
    #[arg(
        id = "packages",
        long = "package",
        short,
        value_name = "PACKAGE",
        conflicts_with = "all_packages",
        help_heading = "Package selection"
    )]
    chosen: Vec<String>,
    /// The tests of all packages of the workspace
    #[arg(
        id = "all_packages",
        long = "workspace",
        help_heading = "Package selection"
    )]
    all: bool,
}

impl Packages {
    /// Returns the packages to list.
    pub(crate) fn select<'w>(&self, workspace: &'w Workspace) -> Result<BTreeSet<&'w str>> {
        let chosen = self.chosen(workspace)?;
        let around = if self.all {
            None
        } else {
            workspace.package_around()
        };
        Ok(match around {
            Some(package) if self.chosen.is_empty() => BTreeSet::from([package]),
            _ => chosen,
        })
    }

    /// Returns the packages to search for a name: all, unless some are chosen.
    pub(crate) fn chosen<'w>(&self, workspace: &'w Workspace) -> Result<BTreeSet<&'w str>> {
        if self.chosen.is_empty() {
            return Ok(workspace.package_names().collect());
        }
        let chosen = self.chosen.iter();
        chosen
            .map(|name| workspace.package(name).map(|package| package.name.as_str()))
            .collect()
    }

    /// Returns true if packages are named.
    pub(crate) fn are_chosen(&self) -> bool {
        !self.chosen.is_empty()
    }

    /// Returns true if any of the options is given.
    pub(crate) fn are_given(&self) -> bool {
        self.all || self.are_chosen()
    }

    /// Returns the equivalent options for cargo.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let chosen = self.chosen.iter();
        let mut arguments: Vec<String> = chosen.map(|name| format!("--package={name}")).collect();
        if self.all {
            arguments.push("--workspace".to_owned());
        }
        arguments
    }
}
