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
//! | `dynamic` | | a shared library in dev builds: edited tests build in half the time |
//!
//! SQLite is a quarter of tdg's clean build. Without it, runs are kept in files, which `cargo tdg`
//! imports, but on Windows and on network file systems no history is kept. A review then knows
//! less, and `snapshots = false` is refused. Without `explain`, the message names the command that
//! finds what the rows have in common: `cargo tdg show NAME --changed`.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "dynamic")]
mod dynamic;

#[doc = include_str!("define.md")]
pub use tdg_macros::Define;
#[doc = include_str!("ensemble_test.md")]
pub use tdg_macros::ensemble_test;
#[doc(hidden)]
pub use tdg_run::__private;
pub use tdg_run::{
    BindError, Define, Definition, DefinitionSource, EnsembleTest, Fault, Faults, FeatureType,
    IntoPolicy, Outcome, Panics, Policy, PolicyError, Row, SizeError, StoreKind, Tolerance,
    Vectors,
};

/// Compiles the examples of pages like the crate's own.
macro_rules! pages {
    ($($page:ident: $path:literal)*) => {
        $(#[cfg(doctest)] #[doc = include_str!(concat!("../../docs/", $path))] struct $page;)*
    };
}

pages! {
    Definitions: "reference/definitions.md"
    Types: "reference/types.md"
    Comparison: "reference/comparison.md"
    OutputsByDebug: "reference/outputs-by-debug.md"
    Choose: "how-to/choose.md"
    Lists: "how-to/lists.md"
    OwnTypes: "how-to/own-types.md"
    Require: "how-to/require.md"
    FromInsta: "how-to/from-insta.md"
}
