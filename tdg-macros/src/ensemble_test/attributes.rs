//! Splits the user's attributes between the test and the function that it calls.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token, parse_quote};

use crate::errors::Errors;

/// Attributes that make a function a test or a benchmark, by the last segment of their paths.
const TESTS: [&str; 12] = [
    "test",
    "ensemble_test",
    "rstest",
    "test_case",
    "test_matrix",
    "gtest",
    "quickcheck",
    "proptest",
    "property_test",
    "wasm_bindgen_test",
    "theory",
    "bench",
];

/// Attributes about a function's code. All others (`ignore`, `cfg`, docs, lint levels, which reach
/// into nested functions, and attribute macros that wrap a test) belong to the test.
const CODE: [&str; 9] = [
    "inline",
    "cold",
    "track_caller",
    "must_use",
    "target_feature",
    "no_mangle",
    "export_name",
    "link_section",
    "coverage",
];

#[derive(Clone, Copy, PartialEq)]
enum AttributePlace {
    Test,
    Function,
    /// Not allowed on a function with `#[ensemble_test]`.
    Nowhere,
}

#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) test: Vec<Attribute>,
    pub(crate) function: Vec<Attribute>,
}

impl Attributes {
    pub(crate) fn sort(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut sorted = Attributes::default();
        for attribute in attributes {
            for (place, meta) in parts(&attribute.meta, errors) {
                let attribute: Attribute = Attribute {
                    meta,
                    ..attribute.clone()
                };
                match place {
                    AttributePlace::Test => sorted.test.push(attribute),
                    AttributePlace::Function => sorted.function.push(attribute),
                    AttributePlace::Nowhere => {}
                }
            }
        }
        sorted
    }
}

/// Returns an attribute with its place. A `cfg_attr` is split, since its parts may differ.
fn parts(meta: &Meta, errors: &mut Errors) -> Vec<(AttributePlace, Meta)> {
    let Some((predicate, metas)) = cfg_attr(meta) else {
        return vec![(place(meta, errors), meta.clone())];
    };
    let mut conditional = Vec::new();
    for meta in metas {
        for (place, meta) in parts(&meta, errors) {
            conditional.push((place, parse_quote!(cfg_attr(#predicate, #meta))));
        }
    }
    conditional
}

fn cfg_attr(meta: &Meta) -> Option<(TokenStream, Vec<Meta>)> {
    let Meta::List(list) = meta else { return None };
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let metas = Punctuated::<Meta, Token![,]>::parse_terminated;
    let mut metas = metas.parse2(list.tokens.clone()).ok()?.into_iter();
    let predicate = metas.next()?;
    Some((quote!(#predicate), metas.collect()))
}

fn place(meta: &Meta, errors: &mut Errors) -> AttributePlace {
    let path = meta.path();
    let Some(last) = path
        .segments
        .last()
        .map(|segment| segment.ident.to_string())
    else {
        return AttributePlace::Test;
    };
    if path.is_ident("should_panic") {
        errors.at(
            path,
            "`#[should_panic]` would turn every failure of this test green; \
             panics = \"record\" keeps the panics of the rows as their outcomes",
        );
        return AttributePlace::Nowhere;
    }
    if path.is_ident("case") {
        errors.at(
            path,
            "the rows are the cases of this test; for cases of rstest, write an `#[rstest]` that calls \
             `tdg::EnsembleTest::new(name)`, with a name for each",
        );
        return AttributePlace::Nowhere;
    }
    if TESTS.contains(&last.as_str()) {
        let path_text = quote!(#path).to_string().replace(' ', "");
        let hint = match path_text.as_str() {
            "tokio::test" => " (for an `async fn` enable the feature `tokio` of tdg)",
            "rstest" | "rstest::rstest" => {
                "; a fixture is a separate parameter: #[fixture(db())] db: &Db; \
                 for cases, write an `#[rstest]` that calls `tdg::EnsembleTest::new(name)`"
            }
            _ => "",
        };
        errors.at(
            path,
            format!(
                "`#[ensemble_test]` already makes this function a test; remove \
                 `#[{path_text}]`{hint}"
            ),
        );
        return AttributePlace::Nowhere;
    }
    // `#[unsafe(no_mangle)]`
    let of_code = |name: &str| CODE.contains(&name);
    let in_unsafe = matches!(meta, Meta::List(list) if path.is_ident("unsafe")
        && list.parse_args::<Meta>().is_ok_and(|inner| inner.path().get_ident().is_some_and(|name| of_code(&name.to_string()))));
    if path.get_ident().is_some() && of_code(&last) || in_unsafe {
        AttributePlace::Function
    } else {
        AttributePlace::Test
    }
}
