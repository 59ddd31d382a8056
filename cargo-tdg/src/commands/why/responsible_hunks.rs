//! The hunks that changed the outputs: each is taken back alone, and the rows run again.

use std::time::Instant;

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::compare::DifferingCase;
use tdg_engine::output;

use super::hunks::SourceChange;
use super::test_process::TestProcess;
use super::{BuiltTest, kept_program};
use crate::error::{Error, Result};
use crate::sides::TestedSide;
use crate::terminal::{counted, show_progress};

/// Hunks that changed rows together: without them, the outputs are as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Responsible {
    pub(super) hunks: Vec<usize>,
    /// The number of rows that are as before without them.
    pub(super) rows: usize,
}

/// A search for the responsible hunks.
pub(super) struct HunkSearch<'s> {
    pub(super) test: &'s BuiltTest,
    pub(super) change: &'s SourceChange,
    pub(super) copy: TestedSide,
    pub(super) policy: &'s Policy,
    /// Rows that changed, and their outputs before.
    pub(super) rows: Vec<Value>,
    pub(super) before: Vec<Value>,
    pub(super) until: Instant,
    pub(super) builds: usize,
    /// The packages that can't be taken back alone, each with the reason.
    pub(super) skipped: Vec<(usize, Error)>,
}

impl HunkSearch<'_> {
    /// Returns the responsible hunks, in the order of the sources.
    pub(super) fn run(&mut self) -> Result<Vec<Responsible>> {
        let all: Vec<usize> = (0..self.change.hunks.len()).collect();
        self.among(&all, Some(self.rows.len()))
    }

    /// Splits hunks that restore this many rows together, or that don't compile without others.
    fn among(&mut self, hunks: &[usize], rows: Option<usize>) -> Result<Vec<Responsible>> {
        let together = rows.filter(|it| *it > 0).map(|rows| Responsible {
            hunks: hunks.to_vec(),
            rows,
        });
        if hunks.len() < 2 || rows == Some(0) || self.is_over() {
            return Ok(together.into_iter().collect());
        }
        let (first, second) = hunks.split_at(hunks.len() / 2);
        let mut found = Vec::new();
        for half in [first, second] {
            let rows = self.restored(half)?;
            found.extend(self.among(half, rows)?);
        }
        match together {
            Some(together) if found.is_empty() => self.fewer(together).map(|it| vec![it]),
            _ => Ok(found),
        }
    }

    /// Leaves out hunks that aren't needed to restore the outputs, if no half is enough.
    fn fewer(&mut self, mut together: Responsible) -> Result<Responsible> {
        let mut position = 0;
        while position < together.hunks.len() && !self.is_over() {
            let mut hunks = together.hunks.clone();
            hunks.remove(position);
            match self.restored(&hunks)? {
                Some(rows) if rows == together.rows => together.hunks = hunks,
                _ => position += 1,
            }
        }
        Ok(together)
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Counts the rows whose outputs are as before without these hunks. `None` if that doesn't
    /// compile.
    fn restored(&mut self, hunks: &[usize]) -> Result<Option<usize>> {
        let Some(mut process) = self.without(hunks)? else {
            return Ok(None);
        };
        let outputs = process.outputs(&self.rows)?;
        let mut restored = 0;
        for (before, without) in self.before.iter().zip(&outputs) {
            let Some(without) = without else { continue };
            let without = output::read(without)?;
            let compared = DifferingCase::compared(self.policy, 0, before.clone(), without);
            restored += usize::from(compared.comparison.is_same());
        }
        Ok(Some(restored))
    }

    /// Starts the test on today's sources without these hunks. `None` if that doesn't compile.
    pub(super) fn without(&mut self, hunks: &[usize]) -> Result<Option<TestProcess>> {
        self.builds += 1;
        let (count, builds) = (counted(hunks.len(), "difference"), self.builds);
        show_progress(&format!("taking back {count}: build {builds} …"));
        self.copy.write(&self.change.without(hunks))?;
        let test = self.test;
        let has_packages = hunks.iter().any(|it| self.change.hunks[*it].is_locked());
        let program = match self.copy.build_target(&test.package, &test.target) {
            Ok(Some(program)) => program,
            Ok(None) => return Ok(None),
            // Another version may need packages that cargo hasn't got.
            Err(error) if has_packages => {
                self.skipped
                    .extend((hunks.len() == 1).then_some((hunks[0], error)));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let kept = kept_program(&program, builds)?;
        Ok(test.start(&kept, self.until).ok())
    }
}
