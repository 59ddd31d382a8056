//! Snapshot tests over generated rows: run a function on a thousand inputs, and from then on its
//! outputs must not change.
//!
//! You state what the input looks like (a **definition**), tdg draws a fixed table of rows from it
//! (an **ensemble**), runs your function on each row, and keeps the outputs (a **benchmark**). From
//! then on every `cargo test` asserts that the outputs are still the same. If they are not, it
//! reports which rows changed, by how much, and what those rows have in common.
//!
//! ```
//! mod shop {
//!     pub fn total(amount: f64, quantity: u32, coupon: Option<&str>) -> f64 {
//!         let gross = amount * f64::from(quantity);
//!         if coupon == Some("HALF") { gross / 2.0 } else { gross }
//!     }
//! }
//!
//! #[tdg::ensemble_test(size = 500)]
//! fn total(
//!     #[define(lognormal(mu = 3.0, sigma = 0.5), decimals = 2)] amount: f64,
//!     #[define(uniform(1..=20))] quantity: u32,
//!     #[define(categorical("HALF" = 0.2, "TENTH" = 0.8), null_probability = 0.3)]
//!     coupon: Option<&str>,
//! ) -> f64 {
//!     shop::total(amount, quantity, coupon)
//! }
//! ```
//!
//! The first run records the benchmark in `snapshots/` next to the source file: commit it. Later
//! runs compare. A change waits in a `.snap.new` file for `cargo tdg review` or `cargo insta
//! review`, or is accepted with `TDG_UPDATE=always cargo test`.
//!
//! - [`ensemble_test`]: the attribute with all its options.
//! - [`EnsembleTest`]: the same as a value, without a macro.
//! - [`derive(Define)`](macro@Define): the definition as a struct. It can also be a JSON file.
//! - [`Definition`], [`Vectors`], [`Row`]: definitions and the rows drawn from them.
//! - [`Policy`], [`Tolerance`]: how outputs are compared.
//!
//! # Features
//!
//! | feature | | for |
//! |---|---|---|
//! | `explain` | default | what failing rows have in common, in the message of the test |
//! | `sqlite` | default | the local store, with SQLite compiled in |
//! | `sqlite-system` | | the store on the system's SQLite; with `default-features = false` |
//! | `remote` | | benchmarks on a server |
//! | `tokio` | | `async fn` tests |
//!
//! SQLite is a quarter of tdg's clean build. Without it, runs are kept in files, which `cargo tdg`
//! imports, but on Windows and on network file systems no history is kept. A review then knows
//! less, and `snapshots = false` is refused. Without `explain`, the message names the command that
//! finds what the rows have in common: `cargo tdg show NAME --changed`.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub mod __private;
#[cfg(feature = "tokio")]
mod async_runtime;
mod define;
mod ensemble_test;
mod made;
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

/// Compiles the examples of these pages like the crate's own.
#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/definitions.md")]
struct DefinitionsPage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/types.md")]
struct TypesPage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/comparison.md")]
struct ComparisonPage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/outputs-by-debug.md")]
struct OutputsByDebugPage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/choose.md")]
struct ChoosePage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/lists.md")]
struct ListsPage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/require.md")]
struct RequirePage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/from-insta.md")]
struct FromInstaPage;
