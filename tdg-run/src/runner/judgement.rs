//! The result of a run.

use tdg_definition::Policy;
use tdg_engine::Verdict;
use tdg_report::{Changed, Failure, Missing};

/// The result of a run, and what has to be written for it.
pub(super) struct Judgement {
    pub(super) result: std::result::Result<Passing, Box<Failure>>,
    /// What happens to the outputs.
    pub(super) write: Write,
    /// How many cases differ from the benchmark.
    pub(super) changed: usize,
    /// The largest share of the tolerance that was used.
    pub(super) tolerance_use: Option<f64>,
    pub(super) expected: ExpectedOutputs,
    /// The former benchmarks past which the outputs are recorded.
    pub(super) past: Option<Box<Missing>>,
    /// The policy that the run was judged by, if it isn't the test's.
    pub(super) policy: Option<Box<Policy>>,
}

/// How a test passes.
#[derive(Clone, Copy)]
pub(super) enum Passing {
    Recorded,
    Accepted,
    Same,
}

impl Judgement {
    /// A test passes; the caller adds what a comparison found.
    pub(super) fn pass(passing: Passing, write: Write) -> Self {
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

    /// A test fails; the caller adds what a comparison found.
    pub(super) fn fail(failure: Failure, write: Write) -> Self {
        Self {
            result: Err(Box::new(failure)),
            ..Self::pass(Passing::Same, write)
        }
    }

    pub(super) fn verdict(&self) -> Verdict {
        match &self.result {
            Ok(Passing::Recorded) => Verdict::Recorded,
            Ok(Passing::Accepted) => Verdict::Accepted,
            Ok(Passing::Same) => Verdict::Same,
            Err(failure) => failure.verdict(),
        }
    }

    /// The change that the test fails with, on the rows of the benchmark.
    pub(super) fn change(&mut self) -> Option<&mut Changed> {
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

    /// Why the test fails, if it does.
    pub(super) fn failure(&self) -> Option<&Failure> {
        self.result.as_ref().err().map(|failure| &**failure)
    }

    pub(super) fn passes(&self) -> bool {
        self.result.is_ok()
    }

    /// A test that passes otherwise fails, and nothing is written.
    pub(super) fn but_fails(self, failure: Failure) -> Self {
        Self {
            result: Err(Box::new(failure)),
            write: Write::Nothing,
            ..self
        }
    }
}

/// The outputs that the run was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpectedOutputs {
    /// There are none, or they were not compared.
    Unknown,
    /// The actual ones, to the byte.
    Actual,
    /// The benchmark's, which are not the actual ones to the byte.
    Recorded,
}

/// What happens to the outputs of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    Nothing,
    /// They become the benchmark.
    Benchmark,
    /// They become pending.
    Pending,
}
