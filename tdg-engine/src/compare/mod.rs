//! Expected outputs against actual ones.
//!
//! A [`Policy`] says how close they have to be and what is left out; [`Policy::compare`] gives the
//! [`Comparison`] of one case. What holds under every policy:
//!
//! - Numbers are equal by value: `1` equals `1.0`, and `-0.0` equals `0.0`.
//! - Tolerance is for floats. Two integers are equal or they differ, unless the tolerance says that
//!   it is for integers too. Strings and booleans are exact always.
//! - Tolerance is symmetric: exchanging expected and actual never changes what passes.
//! - A field that is missing, added, or null, NaN or infinite on one side alone is a difference,
//!   however large the tolerance. So is a value of another type, and an array of another length.
//! - Order matters in arrays, unless the policy says that it doesn't.
//!
//! ```
//! use tdg_engine::compare::{Policy, Tolerance};
//! use tdg_definition::json::parse;
//!
//! let policy = Policy::exact()
//!     .tolerance(Tolerance::rel(1e-9))?
//!     .tolerance_at("/tax", Tolerance::abs(0.01))?
//!     .ignore("/id")?;
//! let expected = parse(r#"{"id": 1, "price": 100.0, "tax": 19.0}"#)?;
//! let actual = parse(r#"{"id": 2, "price": 101.0, "tax": 19.005}"#)?;
//!
//! let comparison = policy.compare(&expected, &actual);
//! assert_eq!(comparison.count, 1);
//! assert_eq!(comparison.differences[0].pointer.to_string(), "/price");
//! assert_eq!(comparison.differences[0].absolute_error(), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod closeness;
mod comparison;
mod difference;
mod json_form;
mod number;
mod policy;
mod rule;
mod tolerance;
mod unordered;
mod walk;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use closeness::{Closeness, within_ulps};
pub use comparison::{Comparison, DIFFERENCES_KEPT};
pub use difference::{FieldDifference, Severity};
pub use policy::{Policy, PolicyError};
pub use tolerance::Tolerance;
