//! Both versions of a function, called with any rows.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tdg_definition::json::Value;
use tempfile::NamedTempFile;

use super::comparison::{Runs, differ};
use super::outcome::{CallOutcome, UnshownParts};
use super::process::FunctionCaller;
use crate::error::{Context as _, Error, Result};
use crate::experiment::BothVersions;
use crate::plan::{SharedCall, Tokens};

/// The factor on a row's time limit if it timed out in the first run, since it may have been nearly
/// done.
const AGAIN: u32 = 4;

/// The minimum time limit of an experiment on each side.
const LEAST: Duration = Duration::from_secs(1);

/// Both versions of a function.
#[derive(Clone, Copy)]
pub(super) struct CalledVersions<'c> {
    pub(super) caller: &'c FunctionCaller,
    pub(super) programs: &'c [PathBuf; 2],
    /// The number of the call.
    pub(super) number: usize,
    pub(super) call: &'c SharedCall,
}

impl<'c> CalledVersions<'c> {
    /// Runs both sides within the time limit for each; runs them again if they differ.
    pub(super) fn runs(&self, rows: &[Value], time: Duration) -> Result<[Runs; 2]> {
        let files = self.files(rows)?;
        let outcomes = |side: usize, times: u32| {
            let rows = (files[side].path(), rows.len());
            self.outcomes(side, rows, (times, times * time))
        };
        let mut first = [outcomes(0, 1)?, outcomes(1, 1)?];
        let unshown = UnshownParts::new(&first);
        first.iter_mut().for_each(|it| unshown.leave_out(it));
        let is_different = differ(&first);
        let again = |side: usize| {
            if !is_different {
                return Ok(None);
            }
            let mut again = outcomes(side, AGAIN)?;
            unshown.leave_out(&mut again);
            Ok::<_, Error>(Some(again))
        };
        let [before, after] = first;
        Ok([Runs::new(before, again(0)?), Runs::new(after, again(1)?)])
    }

    fn outcomes(
        &self,
        side: usize,
        rows: (&Path, usize),
        limits: (u32, Duration),
    ) -> Result<Vec<CallOutcome>> {
        let program = &self.programs[side];
        self.caller.outcomes(program, self.number, rows, limits)
    }

    /// Writes the rows for each side's driver.
    fn files(&self, rows: &[Value]) -> Result<[NamedTempFile; 2]> {
        let file = |side: usize| {
            let mut tokens = Tokens::default();
            for row in rows {
                tokens.push(&self.call.tokens(side, row));
            }
            let file = NamedTempFile::new().context("can't create a temporary file")?;
            fs::write(file.path(), tokens.0).context(file.path().display())?;
            Ok::<_, Error>(file)
        };
        Ok([file(0)?, file(1)?])
    }

    /// Calls them in experiments until a time.
    pub(super) fn in_experiments(self, until: Instant, are_outputs: bool) -> ComparedVersions<'c> {
        ComparedVersions {
            called: self,
            until,
            are_outputs,
        }
    }
}

/// Both versions of a function, in experiments.
pub(super) struct ComparedVersions<'c> {
    called: CalledVersions<'c>,
    until: Instant,
    /// True if all changed calls returned before, so that others explain nothing.
    are_outputs: bool,
}

impl ComparedVersions<'_> {
    /// Returns the outcomes of a row, or `None` if it isn't compared.
    pub(super) fn outcomes(&self, rows: &[Value]) -> Result<Vec<Option<[CallOutcome; 2]>>> {
        let left = self.until.saturating_duration_since(Instant::now());
        let time = left.max(LEAST);
        let files = self.called.files(rows)?;
        let outcomes = |side: usize| {
            let rows = (files[side].path(), rows.len());
            self.called.outcomes(side, rows, (1, time))
        };
        let mut sides = [outcomes(0)?, outcomes(1)?];
        let unshown = UnshownParts::new(&sides);
        sides.iter_mut().for_each(|it| unshown.leave_out(it));
        let [before, after] = sides.map(|it| it.into_iter().map(Some));
        let none = || std::iter::repeat(None);
        let pairs = before.chain(none()).zip(after.chain(none()));
        let pairs = pairs.map(|(before, after)| Some([before?, after?]));
        let compared = pairs.map(|it| it.filter(|it| self.is_compared(it)));
        Ok(compared.take(rows.len()).collect())
    }

    fn is_compared(&self, outcomes: &[CallOutcome; 2]) -> bool {
        let has_returned = matches!(outcomes[0], CallOutcome::Returned(_));
        let is_open = outcomes.iter().any(CallOutcome::is_out_of_time);
        !is_open
            && !outcomes.contains(&CallOutcome::NotInput)
            && (has_returned || !self.are_outputs)
    }
}

impl BothVersions for ComparedVersions<'_> {
    fn outputs(&mut self, rows: &[Value]) -> Result<Vec<Option<[String; 2]>>> {
        let outcomes = self.outcomes(rows)?.into_iter();
        let text = |it: CallOutcome| it.value().to_string();
        Ok(outcomes.map(|it| Some(it?.map(text))).collect())
    }
}
