//! The result of a run.

use tdg_definition::Policy;
use tdg_engine::Verdict;
use tdg_report::{Changed, Failure, Missing};

/// The result of a run, and what to write for it.
pub(crate) struct Judgement {
    pub(crate) result: std::result::Result<Passing, Box<Failure>>,
    /// The destination of the outputs.
    pub(crate) write: Write,
    /// The number of cases that differ from the benchmark.
    pub(crate) changed: usize,
    /// The largest share of the tolerance that was used.
    pub(crate) tolerance_use: Option<f64>,
    pub(crate) expected: ExpectedOutputs,
    /// The former benchmarks despite which the outputs are recorded.
    pub(crate) past: Option<Box<Missing>>,
    /// The policy that the run was judged by, if it isn't the test's.
    pub(crate) policy: Option<Box<Policy>>,
}

/// The way in which a test passes.
#[derive(Clone, Copy)]
pub(crate) enum Passing {
    Recorded,
    Accepted,
    Same,
}

impl Judgement {
    /// Creates a passing result. The caller adds the figures of a comparison.
    pub(crate) fn pass(passing: Passing, write: Write) -> Self {
        Self {
            result: Ok(passing),
            write,
            changed: 0,
            tolerance_use: None,
            expected: ExpectedOutputs::Unknown,
            past: None,
            policy: None,
        }
    }

    /// Creates a failing result. The caller adds the figures of a comparison.
    pub(crate) fn fail(failure: Failure, write: Write) -> Self {
        Self {
            result: Err(Box::new(failure)),
            ..Self::pass(Passing::Same, write)
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        match &self.result {
            Ok(Passing::Recorded) => Verdict::Recorded,
            Ok(Passing::Accepted) => Verdict::Accepted,
            Ok(Passing::Same) => Verdict::Same,
            Err(failure) => failure.verdict(),
        }
    }

    /// Returns the change on the benchmark's rows that the test fails with.
    pub(crate) fn change(&mut self) -> Option<&mut Changed> {
        let failure = match &mut **self.result.as_mut().err()? {
            Failure::InputsChanged(inputs) => &mut inputs.failure.as_mut()?.1,
            failure => failure,
        };
        match failure {
            Failure::Changed(changed) => Some(changed),
            Failure::Panicked(panicked) => panicked.changed.as_deref_mut(),
            _ => None,
        }
    }

    /// Returns the failure of the test, if any.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.result.as_ref().err().map(|failure| &**failure)
    }

    pub(crate) fn passes(&self) -> bool {
        self.result.is_ok()
    }

    /// Turns a passing result into this failure, and writes nothing.
    pub(crate) fn but_fails(self, failure: Failure) -> Self {
        Self {
            result: Err(Box::new(failure)),
            write: Write::Nothing,
            ..self
        }
    }
}

/// The outputs that the run was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpectedOutputs {
    /// No comparison took place.
    Unknown,
    /// Equal to the actual outputs, byte for byte.
    Actual,
    /// The benchmark's outputs, which differ from the actual ones in some byte.
    Recorded,
}

/// The destination of a run's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    Nothing,
    /// They become the benchmark.
    Benchmark,
    /// They become pending.
    Pending,
}
