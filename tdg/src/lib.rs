//! Snapshot tests over generated rows: a thousand inputs through a function, and whatever it gave
//! is what it has to give from then on.
//!
//! You state what the input looks like (a **definition**), tdg draws a fixed table of rows from it
//! (an **ensemble**), runs your function on each row, and keeps the outputs (a **benchmark**). From
//! then on every `cargo test` asserts that the outputs are still the same, and when they are not,
//! it says which rows changed, by how much, and what those rows have in common.
//!
//! ```
//! mod shop {
//!     pub fn total(amount: f64, quantity: i64, coupon: Option<&str>) -> f64 {
//!         let gross = amount * quantity as f64;
//!         if coupon == Some("HALF") { gross / 2.0 } else { gross }
//!     }
//! }
//!
//! # #[cfg(any())]
//! #[tdg::ensemble_test(definition = "definitions/orders.json", size = 500)]
//! fn total(amount: f64, quantity: i64, coupon: Option<&str>) -> f64 {
//!     shop::total(amount, quantity, coupon)
//! }
//! ```
//!
//! with `definitions/orders.json` from the package's root:
//!
//! ```json
//! {"features": [
//!   {"feature_name": "amount", "type": "FLOAT",
//!    "distribution": {"type": "lognormal", "mu": 3, "sigma": 0.5}},
//!   {"feature_name": "quantity", "type": "INTEGER",
//!    "distribution": {"type": "uniform", "min": 1, "max": 20}},
//!   {"feature_name": "coupon", "type": "STRING", "null_probability": 0.3,
//!    "distribution": {"type": "categorical", "categories": [
//!      {"value": "HALF", "probability": 0.2}, {"value": "TENTH", "probability": 0.8}]}}
//! ]}
//! ```
//!
//! The first run records the benchmark in `snapshots/` beside the source file: commit it. Later
//! runs compare. A change waits in a `.snap.new` file for `cargo tdg review` or `cargo insta
//! review`, or is accepted with `TDG_UPDATE=always cargo test`.
//!
//! - [`ensemble_test`]: the attribute with all its options.
//! - [`EnsembleTest`]: the same as a value, without a macro.
//! - [`derive(Define)`](macro@Define): the definition as a struct instead of a file.
//! - [`Definition`], [`Vectors`], [`Row`]: definitions and the rows drawn from them.
//! - [`Policy`], [`Tolerance`]: how outputs are compared.
//!
//! # Features
//!
//! | feature | | for |
//! |---|---|---|
//! | `sqlite` | default | the local store, with SQLite compiled in |
//! | `sqlite-system` | | the store on the system's SQLite; with `default-features = false` |
//! | `remote` | | benchmarks on a server |
//! | `tokio` | | `async fn` tests |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "tokio")]
mod async_runtime;
mod define;
mod ensemble_test;
mod outcome_probe;
mod output;
mod row;
mod runner;
mod test_options;

pub use define::Define;
pub use ensemble_test::{EnsembleTest, IntoPolicy};
pub use output::Outcome;
pub use row::{BindError, Row, Vectors};
pub use tdg_definition::{
    Definition, Fault, Faults, FeatureType, Policy, PolicyError, SizeError, Tolerance,
};
pub use tdg_engine::config::StoreKind;
#[doc = include_str!("define.md")]
pub use tdg_macros::Define;
#[doc = include_str!("ensemble_test.md")]
pub use tdg_macros::ensemble_test;
pub use test_options::{DefinitionSource, Panics};

/// The page's examples are compiled as the crate's own are.
#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/definitions.md")]
struct DefinitionsPage;

/// So are these.
#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/comparison.md")]
struct ComparisonPage;

/// And these.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/choose.md")]
struct ChoosePage;

/// And these.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/require.md")]
struct RequirePage;

/// And these.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/from-insta.md")]
struct FromInstaPage;
