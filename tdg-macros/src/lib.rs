//! The macros of [tdg](https://docs.rs/tdg), where they are documented: `#[ensemble_test]` turns a
//! function into a test, and `#[derive(Define)]` states a definition in code.
//!
//! Each macro has a folder, and each phase a file. All errors along the way are reported together.

mod commas;
mod define;
mod ensemble_test;
mod errors;
mod hygiene;
mod literal;
#[cfg(test)]
mod mistakes;
mod source_places;
mod types;

// Documented at its re-export, `tdg::ensemble_test`.
#[allow(missing_docs)]
#[proc_macro_attribute]
pub fn ensemble_test(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let package_root = hygiene::package_root();
    ensemble_test::expand(arguments.into(), item.into(), package_root.as_deref()).into()
}

// Documented at its re-export, `tdg::Define`. Rows are read by serde's names, so this derive also
// reads serde's attribute, with or without serde's own derive.
#[allow(missing_docs)]
#[proc_macro_derive(Define, attributes(define, serde))]
pub fn define(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    define::expand(item.into()).into()
}
