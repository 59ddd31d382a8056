//! The macros of [tdg](https://docs.rs/tdg), where they are documented: `#[ensemble_test]` makes a
//! function a test, `#[derive(Define)]` states a definition in code.
//!
//! One folder a macro, one file a phase. Each reports all errors on its way together.

mod commas;
mod define;
mod ensemble_test;
mod errors;
mod hygiene;
mod literal;
#[cfg(test)]
mod mistakes;
mod places;
mod types;

// Documented where it is re-exported: as `tdg::ensemble_test`.
#[allow(missing_docs)]
#[proc_macro_attribute]
pub fn ensemble_test(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let package_root = hygiene::package_root();
    ensemble_test::expand(arguments.into(), item.into(), package_root.as_deref()).into()
}

// Documented where it is re-exported: as `tdg::Define`. Features have the names by which serde
// reads rows, so its attribute is read here too, with or without its own derive.
#[allow(missing_docs)]
#[proc_macro_derive(Define, attributes(define, serde))]
pub fn define(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    define::expand(item.into()).into()
}
