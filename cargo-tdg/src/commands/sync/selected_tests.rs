//! The tests whose records are synchronized.

use std::collections::BTreeSet;

use clap::Args;
use tdg_engine::TestId;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::{RecordedTest, RecordedTests};
use crate::terminal::print_error;
use crate::workspace::{Packages, Root, Workspace};

/// The arguments that choose tests.
#[derive(Args, Debug)]
pub(super) struct SelectedTests {
    /// Tests, by name, snapshot file, or pattern, such as 'pricing::*' (default: all, and what
    /// belongs to no test)
    #[arg(value_name = "TEST")]
    names: Vec<String>,
    #[command(flatten)]
    packages: Packages,
}

/// The tests of a root; `None` for all.
pub(super) type Tests = Option<BTreeSet<TestId>>;

/// Returns true if a test is chosen.
pub(super) fn is_chosen(tests: &Tests, test: &TestId) -> bool {
    tests.as_ref().is_none_or(|tests| tests.contains(test))
}

impl SelectedTests {
    /// Returns true if tests are named.
    pub(super) fn is_named(&self) -> bool {
        !self.names.is_empty()
    }

    /// Calls a function for each root with chosen tests. If one fails, the others still run.
    pub(super) fn each_root(
        &self,
        mut with: impl FnMut(&Workspace, &Root, &Tests) -> Result<Exit>,
    ) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let tests = self.tests(&workspace)?;
        let packages = match &tests {
            Some(tests) => tests.iter().map(|test| test.package.as_str()).collect(),
            None => self.packages.select(&workspace)?,
        };
        let mut exit = Exit::Fine;
        for root in workspace.roots(&packages) {
            let is_of = |test: &&TestId| root.packages.iter().any(|it| it.name == test.package);
            let tests = tests.as_ref();
            let tests = tests.map(|tests| tests.iter().filter(is_of).cloned().collect());
            exit = exit.max(match with(&workspace, &root, &tests) {
                Ok(exit) => exit,
                Err(error) => print_error(error)?,
            });
        }
        Ok(exit)
    }

    /// Calls a function with the records of the tests.
    pub(super) fn with_records(
        &self,
        with: impl FnOnce(&[&RecordedTest]) -> Result<Exit>,
    ) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let tests = self.tests(&workspace)?;
        let packages = self.packages.select(&workspace)?;
        let is_chosen = |record: &&RecordedTest| match &tests {
            Some(tests) => tests.contains(&record.test),
            None => packages.contains(record.test.package.as_str()),
        };
        let records = RecordedTests::read(&workspace)?;
        let records: Vec<&RecordedTest> = records.iter().filter(is_chosen).collect();
        with(&records)
    }

    fn tests(&self, workspace: &Workspace) -> Result<Tests> {
        if self.names.is_empty() && !self.packages.are_chosen() {
            return Ok(None);
        }
        let packages = self.packages.chosen(workspace)?;
        let records = RecordedTests::read(workspace)?.in_packages(&packages);
        if self.names.is_empty() {
            let tests: BTreeSet<TestId> = records.iter().map(test).collect();
            if tests.is_empty() {
                let packages: Vec<&str> = packages.into_iter().collect();
                return Err(Error::new(format!(
                    "{} has no tests here yet; omit --package",
                    packages.join(" and ")
                )));
            }
            return Ok(Some(tests));
        }
        let mut tests = BTreeSet::new();
        for name in &self.names {
            if !name.contains('*') {
                tests.insert(test(records.named(name)?));
                continue;
            }
            let before = tests.len();
            tests.extend(records.like(name).map(test));
            if tests.len() == before && records.like(name).next().is_none() {
                return Err(Error::new(format!(
                    "no test matches `{name}`; `cargo tdg show` lists all tests"
                )));
            }
        }
        Ok(Some(tests))
    }
}

fn test(record: &RecordedTest) -> TestId {
    record.test.clone()
}
