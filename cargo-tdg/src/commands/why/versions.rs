//! Both versions of a test's function, each in a separate process.

use std::thread;
use std::time::Instant;

use tdg_definition::json::Value;

use super::test_process::TestProcess;
use crate::error::{Error, Result};
use crate::experiment::BothVersions;

/// Both versions of a test's function: the earlier one and today's.
pub(super) struct TestVersions {
    pub(super) processes: [TestProcess; 2],
}

impl BothVersions for TestVersions {
    fn outputs(&mut self, rows: &[Value]) -> Result<Vec<Option<[String; 2]>>> {
        let [then, now] = &mut self.processes;
        let (before, after) = thread::scope(|scope| {
            let then = scope.spawn(|| then.outputs(rows));
            let now = now.outputs(rows);
            let lost = |_| Err(Error::new("a thread that asked a test process panicked"));
            (then.join().unwrap_or_else(lost), now)
        });
        let pairs = before?.into_iter().zip(after?);
        Ok(pairs
            .map(|(before, after)| Some([before?, after?]))
            .collect())
    }
}

impl TestVersions {
    /// Sets the time after which no row is begun.
    pub(super) fn set_until(&mut self, until: Instant) {
        self.processes.iter_mut().for_each(|it| it.until = until);
    }

    /// Returns the number of rows whose output isn't the same again.
    pub(super) fn unstable(&mut self, rows: &[Value]) -> Result<usize> {
        let (first, again) = (self.outputs(rows)?, self.outputs(rows)?);
        Ok(first
            .iter()
            .zip(&again)
            .filter(|(one, other)| one != other)
            .count())
    }
}
