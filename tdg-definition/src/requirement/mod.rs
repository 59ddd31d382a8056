//! The language of requirements: the share of a test's outputs that meet a condition.

mod condition;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::{Bound, RangeBounds};

use crate::fault::{Invalid, invalid};

pub use condition::{Condition, Operator};

/// A condition on the output, and the share of cases that should meet it.
///
/// ```
/// use tdg_definition::Requirement;
///
/// let refunds = Requirement::new("/refund > 0", Some(0.05), None)?;
/// assert!(refunds.is_met(25, 500));
/// assert!(!refunds.is_met(24, 500));
/// # Ok::<(), tdg_definition::RequirementError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    condition: Condition,
    at_least: Option<f64>,
    at_most: Option<f64>,
}

impl Requirement {
    /// Creates a requirement on the share of outputs that meet the condition.
    ///
    /// # Errors
    ///
    /// If the condition is invalid, or if no share, or every share, would be accepted.
    pub fn new(
        condition: &str,
        at_least: Option<f64>,
        at_most: Option<f64>,
    ) -> Result<Self, RequirementError> {
        let fault = |part, problem: Invalid| RequirementError {
            condition: condition.to_owned(),
            part,
            problem,
        };
        let parsed = Condition::parse(condition)
            .map_err(|problem| fault(RequirementPart::Condition, problem))?;
        for (part, share) in [
            (RequirementPart::AtLeast, at_least),
            (RequirementPart::AtMost, at_most),
        ] {
            if let Some(share) = share {
                check_share(part, share).map_err(|problem| fault(part, problem))?;
            }
        }
        match (at_least, at_most) {
            (None, None) => {
                let problem = "does not say how many cases should fulfil it; add a share of the \
                               cases, such as at_least = 0.05";
                return Err(fault(RequirementPart::Condition, problem.into()));
            }
            (Some(least), Some(most)) if least > most => {
                let problem = format!("is more than at_most, which is {most:?}");
                return Err(fault(RequirementPart::AtLeast, problem.into()));
            }
            _ => {}
        }
        Ok(Self {
            condition: parsed,
            at_least,
            at_most,
        })
    }

    /// Creates a requirement with a range of shares: `0.05..`, `..=0.5`.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), and if an end of the range is excluded.
    pub fn within(
        condition: &str,
        shares: impl RangeBounds<f64>,
    ) -> Result<Self, RequirementError> {
        let share = |part, bound: Bound<&f64>| match bound {
            Bound::Unbounded => Ok(None),
            Bound::Included(share) => Ok(Some(*share)),
            Bound::Excluded(share) => Err(RequirementError {
                condition: condition.to_owned(),
                part,
                problem: format!("must be included in the range; write ..={share:?}").into(),
            }),
        };
        let at_least = share(RequirementPart::AtLeast, shares.start_bound())?;
        let at_most = share(RequirementPart::AtMost, shares.end_bound())?;
        Self::new(condition, at_least, at_most)
    }

    /// Returns the condition.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// Returns the least share of the cases.
    pub fn at_least(&self) -> Option<f64> {
        self.at_least
    }

    /// Returns the largest share of the cases.
    pub fn at_most(&self) -> Option<f64> {
        self.at_most
    }

    /// Returns true if `count` of the cases is an accepted share.
    pub fn is_met(&self, count: usize, cases: usize) -> bool {
        // A product would be rounded: 0.07 × 100 is more than 7.
        let share = count as f64 / cases.max(1) as f64;
        self.at_least.is_none_or(|least| share >= least)
            && self.at_most.is_none_or(|most| share <= most)
    }
}

fn check_share(part: RequirementPart, share: f64) -> Result<(), Invalid> {
    let is_void = match part {
        RequirementPart::AtLeast => share == 0.0,
        _ => share == 1.0,
    };
    if is_void {
        return invalid!("is {share:?}, which any outputs fulfil; leave it out");
    }
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    let example = match (1.0..=100.0).contains(&share) {
        true => share / 100.0,
        false => 0.05,
    };
    invalid!(
        "must be a share of the cases from 0 to 1, but is {share:?}; write {part} = {example:?} for \
         {} %",
        example * 100.0
    )
}

/// A part of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequirementPart {
    /// The condition.
    Condition,
    /// The least share.
    AtLeast,
    /// The largest share.
    AtMost,
}

impl fmt::Display for RequirementPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Condition => "condition",
            Self::AtLeast => "at_least",
            Self::AtMost => "at_most",
        })
    }
}

/// A fault of a requirement, and the fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequirementError {
    condition: String,
    part: RequirementPart,
    problem: Invalid,
}

impl RequirementError {
    /// Returns the faulty part.
    pub fn part(&self) -> RequirementPart {
        self.part
    }

    /// Returns the problem.
    pub fn problem(&self) -> &Invalid {
        &self.problem
    }
}

impl fmt::Display for RequirementError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            condition,
            part,
            problem,
        } = self;
        match part {
            RequirementPart::Condition => write!(formatter, "require({condition:?}): {problem}"),
            _ => write!(formatter, "require({condition:?}): {part} {problem}"),
        }
    }
}

impl std::error::Error for RequirementError {}
