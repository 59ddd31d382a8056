//! Comparison of actual outputs with expected ones.
//!
//! A [`Policy`](tdg_definition::Policy) sets how close they have to be and what is left out;
//! [`compare`] returns the [`Comparison`] of one case. Under every policy:
//!
//! - Numbers are equal by value: `1` equals `1.0`, and `-0.0` equals `0.0`.
//! - Tolerances apply to floats. Two integers are either equal or different, unless the tolerance
//!   includes integers. Strings and booleans are always exact.
//! - Tolerances are symmetric: exchanging expected and actual never changes the result.
//! - A field that is missing, added, or null, NaN or infinite on only one side is a difference
//!   under any tolerance. So is a value of another type, and an array of another length.
//! - The order of an array matters, unless the policy says that it doesn't.
//!
//! [`changed_distributions`] compares fields with random values, across all cases.
//!
//! ```
//! use tdg_definition::json::parse;
//! use tdg_definition::{Policy, Tolerance};
//! use tdg_engine::compare::compare;
//!
//! let policy = Policy::exact()
//!     .tolerance(Tolerance::rel(1e-9))?
//!     .tolerance_at("/tax", Tolerance::abs(0.01))?
//!     .ignore("/id")?;
//! let expected = parse(r#"{"id": 1, "price": 100.0, "tax": 19.0}"#)?;
//! let actual = parse(r#"{"id": 2, "price": 101.0, "tax": 19.005}"#)?;
//!
//! let comparison = compare(&policy, &expected, &actual);
//! assert_eq!(comparison.count, 1);
//! assert_eq!(comparison.differences[0].pointer.to_string(), "/price");
//! assert_eq!(comparison.differences[0].absolute_error(), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod case;
mod change_part;
mod closeness;
mod comparison;
mod difference;
mod distribution;
mod find_moved;
mod kolmogorov_smirnov;
mod moved_field;
mod number;
mod parts;
mod policy_at;
mod replace;
mod tolerance;
mod unmatched_policies;
mod unordered;
mod walk;

#[cfg(test)]
mod tests;

pub use case::{DifferingCase, changed_forms};
pub use change_part::{Aspect, ChangePart, PartError};
pub use closeness::{Closeness, LAST_BITS};
pub use comparison::{Comparison, DIFFERENCES_KEPT, within_ulps};
pub use difference::{FieldDifference, Severity};
pub use distribution::{DistributionChange, FieldSample, changed_distributions};
pub use find_moved::find_moved;
pub use moved_field::{Moved, with_any_element};
pub use parts::{Part, PartKind, apart_in_last_bits, parts};
pub use replace::{ReplaceError, place_name, replace};
pub use unmatched_policies::{ignores_all, unmatched};
pub use unordered::unordered_values;
pub use walk::compare;
