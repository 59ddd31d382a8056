//! Values that can be a test's policy.

use tdg_definition::{Faults, Policy, PolicyError};

/// A [`Policy`], or a `Result` with one, for [`EnsembleTest::policy`](crate::EnsembleTest::policy)
/// and the option `policy`. An error fails the test.
///
/// This trait is sealed. `Policy`, `&Policy`, and the results of building and parsing one implement
/// it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy",
    label = "expected a `tdg::Policy`, or a `Result` with one"
)]
pub trait IntoPolicy: sealed::Sealed {
    #[doc(hidden)]
    fn into_policy(self) -> Result<Policy, PolicyError>;
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for Policy {}

impl IntoPolicy for Policy {
    fn into_policy(self) -> Result<Policy, PolicyError> {
        Ok(self)
    }
}

impl sealed::Sealed for &Policy {}

impl IntoPolicy for &Policy {
    fn into_policy(self) -> Result<Policy, PolicyError> {
        Ok(self.clone())
    }
}

impl sealed::Sealed for Result<Policy, PolicyError> {}

impl IntoPolicy for Result<Policy, PolicyError> {
    fn into_policy(self) -> Self {
        self
    }
}

impl sealed::Sealed for Result<Policy, Faults> {}

impl IntoPolicy for Result<Policy, Faults> {
    fn into_policy(self) -> Result<Policy, PolicyError> {
        self.map_err(PolicyError::from)
    }
}
