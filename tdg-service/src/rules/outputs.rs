//! Limits of outputs.

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_definition::limits::DATA_BYTES;
use tdg_definition::policy::{FieldDistribution, PolicyNode};
use tdg_engine::compare::unordered_values;
use tdg_engine::output::{self, Outputs};

use super::invalid;
use crate::{NewBenchmark, Result, ServiceError};

/// The maximum number of values in arrays that are compared without an order, as counted by
/// [`unordered_values`], in a benchmark's outputs and in the differing outputs of an assertion.
/// Comparing this many takes a service about two seconds.
pub const UNORDERED_VALUES: usize = 250_000;

/// Checks that there is one output per row of the ensemble. `member` is the outputs' name in the
/// request.
///
/// # Errors
///
/// [`Invalid`](ServiceError::Invalid) if there are more or fewer outputs than rows,
/// [`TooLarge`](ServiceError::TooLarge) if the outputs are too large.
pub fn check_outputs(member: &str, outputs: &Outputs, size: usize) -> Result<()> {
    let length = outputs.len();
    if length != size {
        let message = format!(
            "must be a list of length {size}, one output for each row of the ensemble, but its \
             length is {length}"
        );
        return Err(invalid(member, message));
    }
    if outputs.as_json().len() > DATA_BYTES {
        let message = format!("the outputs are longer than {} MB", DATA_BYTES >> 20);
        return Err(ServiceError::TooLarge(message.into()));
    }
    Ok(())
}

/// Checks a new benchmark for an ensemble of this size.
///
/// # Errors
///
/// See [`check_outputs`]. [`Invalid`](ServiceError::Invalid) if more than [`UNORDERED_VALUES`]
/// would be compared without an order, or if there are too few rows to compare a distribution.
pub fn check_benchmark(request: &NewBenchmark, size: usize) -> Result<()> {
    const MEMBER: &str = "expected_output";
    let outputs = &request.expected_output;
    check_outputs(MEMBER, outputs, size)?;
    let needed = request
        .policy
        .as_ref()
        .map_or(0, FieldDistribution::cases_needed);
    if size < needed {
        let message = format!(
            "compares distributions, which needs at least {needed} rows at their rate of false \
             alarms, but the ensemble has {size}"
        );
        return Err(invalid("policy", message));
    }
    let Some(policy) = request
        .policy
        .as_ref()
        .filter(|policy| PolicyNode::root(policy).has_unordered())
    else {
        return Ok(());
    };
    let mut unordered = Unordered::default();
    for row in 0..size {
        unordered.add(policy, &parse(outputs.get(row))?, MEMBER)?;
    }
    Ok(())
}

/// A running count of the values that are compared without an order.
#[derive(Default)]
pub(super) struct Unordered(usize);

impl Unordered {
    /// Adds the values of an output.
    ///
    /// # Errors
    ///
    /// [`Invalid`](ServiceError::Invalid) if this member of the request now has too many.
    pub(super) fn add(&mut self, policy: &Policy, output: &Value, member: &str) -> Result<()> {
        self.0 += unordered_values(policy, output);
        if self.0 > UNORDERED_VALUES {
            let message = format!(
                "has more than {UNORDERED_VALUES} values in arrays that are compared without an \
                 order: return fewer, or sort the arrays and omit `unordered`"
            );
            return Err(invalid(member, message));
        }
        Ok(())
    }
}

/// Parses an output that was parsed before.
///
/// # Errors
///
/// [`Unexpected`](ServiceError::Unexpected) if it can't be read.
pub(super) fn parse(output: &str) -> Result<Value> {
    output::read(output).map_err(|error| {
        ServiceError::unexpected(format!("an output can't be read: {error}")).caused_by(error)
    })
}

/// Returns the digest of outputs: the first 16 bytes of the SHA-256 of their canonical JSON, in
/// hexadecimal.
pub fn output_digest(outputs: &Outputs) -> String {
    outputs.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_needs_enough_rows() {
        let check = |size| {
            let request = NewBenchmark {
                expected_output: Outputs::from_iter(&vec![Value::from(1); size]),
                policy: Some(Policy::exact().distribution("", 1e-6).unwrap()),
            };
            check_benchmark(&request, size)
        };
        assert_eq!(check(12), Ok(()));
        insta::assert_snapshot!(check(11).unwrap_err(), @"/policy: compares distributions, which needs at least 12 rows at their rate of false alarms, but the ensemble has 11");
    }

    #[test]
    fn outputs_have_a_length_in_rows_and_in_bytes() {
        let long = |bytes: usize| {
            let mut outputs = Outputs::new();
            // Minus two quotes and two brackets.
            outputs.push_text(&format!("\"{}\"", "x".repeat(bytes - 4)));
            check_outputs("expected_output", &outputs, 1)
        };
        assert_eq!(long(DATA_BYTES), Ok(()));
        insta::assert_snapshot!(long(DATA_BYTES + 1).unwrap_err(), @"the outputs are longer than 64 MB");
        let none = check_outputs("expected_output", &Outputs::new(), 1);
        insta::assert_snapshot!(none.unwrap_err(), @"/expected_output: must be a list of length 1, one output for each row of the ensemble, but its length is 0");
    }
}
