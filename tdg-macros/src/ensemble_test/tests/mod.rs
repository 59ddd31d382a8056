//! The generated tests, and mistakes.

mod mistakes;

use std::path::Path;

use proc_macro2::TokenStream;

const ORDERS: &str = r#"{
    "definition_name": "orders",
    "features": [
        {"feature_name": "amount", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 10, "sigma": 2}},
        {"feature_name": "quantity", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 20}}
    ]
}"#;

const PARCELS: &str = r#"{
    "features": [
        {"feature_name": "weight", "type": "FLOAT", "null_probability": 0.001,
         "distribution": {"type": "gaussian", "mu": 10, "sigma": 2}},
        {"feature_name": "label", "type": "STRING", "null_probability": 0,
         "distribution": {"type": "uuid"}}
    ]
}"#;

fn expansion(arguments: &str, item: &str) -> String {
    let package = tempfile::tempdir().unwrap();
    std::fs::write(package.path().join("orders.json"), ORDERS).unwrap();
    formatted(expand(arguments, item, Some(package.path())))
}

fn expand(arguments: &str, item: &str, package_root: Option<&Path>) -> TokenStream {
    super::expand(
        arguments.parse().unwrap(),
        item.parse().unwrap(),
        package_root,
    )
}

fn formatted(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

#[test]
fn a_function_of_features() {
    insta::assert_snapshot!(expansion(
        r#"definition = "orders.json""#,
        "/// Docs.
         #[ignore]
         #[inline]
         pub fn total(amount: f64, mut quantity: i64) -> f64 { amount * quantity as f64 }",
    ));
}

#[test]
fn a_function_of_a_row_with_every_option() {
    insta::assert_snapshot!(expansion(
        r#"definition = "orders.json", size = SIZE, seed = 7, name = "total", tolerance(rel = 1e-9),
           policy = shared(), tolerance("/price", abs = 1, ulp = ULP, integers),
           ignore("/id"), ignore("/date"), allow = 0, threads = 4, store = "remote", panics = "record",
           keep = ["{\"amount\": 0, \"quantity\": 1}"], crate = crate::tdg"#,
        "fn total(Order { amount, .. }: Order) -> f64 { amount }",
    ));
}

#[test]
fn a_definition_of_a_service_is_not_asked_for_while_compiling() {
    insta::assert_snapshot!(expansion(
        r#"definition(remote = "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10"), store = "remote""#,
        "fn total(amount: f64, quantity: i64) -> f64 { amount * quantity as f64 }",
    ), @r#"
    #[::tdg::__private::core::prelude::v1::test]
    fn total() {
        #[allow(
            clippy::fn_params_excessive_bools,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::trivially_copy_pass_by_ref,
        )]
        fn total(amount: f64, quantity: i64) -> f64 {
            amount * quantity as f64
        }
        ::tdg::__private::run(
            ::tdg::__private::test_at(
                    ::tdg::__private::Site {
                        package: ::tdg::__private::core::env!("CARGO_PKG_NAME"),
                        manifest_dir: ::tdg::__private::core::env!("CARGO_MANIFEST_DIR"),
                        file: ::tdg::__private::core::file!(),
                        line: ::tdg::__private::core::line!(),
                        module_path: ::tdg::__private::core::module_path!(),
                        function: "total",
                    },
                    ::tdg::__private::Taken::features(&["amount", "quantity"]),
                )
                .definition(
                    ::tdg::DefinitionSource::remote("0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10"),
                )
                .store(::tdg::StoreKind::Remote),
            ::tdg::__private::Function::Rows(
                &|pass| {
                    let features = pass.features(["amount", "quantity"]);
                    pass.rows(|row| ::tdg::__private::core::result::Result::Ok(
                        ::tdg::__private::probe::outcome(
                            total(
                                ::tdg::__private::bind(row, &features[0usize])?,
                                ::tdg::__private::bind(row, &features[1usize])?,
                            ),
                            |returned| {
                                use ::tdg::__private::probe::*;
                                (&&&&&::tdg::__private::probe::Probe::of(returned))
                                    .tdg_outcome(returned)
                            },
                        ),
                    ))
                },
            ),
            ::tdg::__private::core::option::Option::None,
        );
    }
    "#);
}

#[test]
fn a_function_with_fixtures_against_another() {
    insta::assert_snapshot!(expansion(
        r#"definition = "orders.json", against = old::total"#,
        "fn total(#[fixture(Db::open()?)] db: &Db, amount: f64, #[fixture(each_row, db.cache())] cache: &mut Cache) -> f64 {
            db.price(amount, cache)
        }",
    ));
}

#[test]
fn a_function_of_all_rows() {
    insta::assert_snapshot!(expansion(
        r#"definition = "orders.json", batch"#,
        "fn total(rows: &[Order]) -> Vec<f64> { vec![] }",
    ));
}

#[test]
#[cfg(feature = "tokio")]
fn an_async_function() {
    insta::assert_snapshot!(expansion(
        r#"definition = "orders.json""#,
        "async fn total(row: &Row<'_>) -> f64 { 1.0 }",
    ));
}

#[test]
fn a_condition_is_kept_on_each_of_its_attributes_where_that_belongs() {
    insta::assert_snapshot!(expansion(
        r#"definition = "orders.json""#,
        "#[cfg_attr(windows, ignore, inline, cfg_attr(debug_assertions, cold, doc = \"x\"))]
         fn total(amount: f64) -> f64 { amount }",
    ));
}

#[test]
fn a_mistake_leaves_the_function_without_what_made_it_a_test() {
    insta::assert_snapshot!(expansion(
        r#"definition = "orders.json", size = 0"#,
        "/// Docs.
         #[test]
         #[ignore]
         #[should_panic]
         #[must_use]
         pub fn total(#[feature(\"amount\")] x: f64) -> f64 { x }",
    ));
}

#[test]
fn a_build_without_the_root_of_the_package_is_an_error() {
    let tokens = expand(
        r#"definition = "orders.json""#,
        "fn total(amount: f64) {}",
        None,
    );
    assert!(formatted(tokens).contains("CARGO_MANIFEST_DIR"));
}

#[test]
fn a_definition_that_is_not_utf_8_is_an_error() {
    let package = tempfile::tempdir().unwrap();
    std::fs::write(package.path().join("orders.json"), [0xff, 0xfe]).unwrap();
    let tokens = expand(
        r#"definition = "orders.json""#,
        "fn total(amount: f64) {}",
        Some(package.path()),
    );
    assert!(formatted(tokens).contains("`orders.json` can't be read"));
}

#[test]
fn without_a_near_name_the_definitions_that_are_there_are_listed() {
    let package = tempfile::tempdir().unwrap();
    for name in ["b.json", "a.json", "c.txt"] {
        std::fs::write(package.path().join(name), ORDERS).unwrap();
    }
    let tokens = expand(
        r#"definition = "something_else.json""#,
        "fn total(amount: f64) {}",
        Some(package.path()),
    );
    assert!(formatted(tokens).contains("found: a.json, b.json"));
}

/// Returns the attribute's errors for a test of parcels, whose weight can be null.
fn errors_of_parcels(arguments: &str, item: &str) -> Vec<String> {
    let package = tempfile::tempdir().unwrap();
    std::fs::write(package.path().join("parcels.json"), PARCELS).unwrap();
    let arguments = format!("definition = \"parcels.json\", {arguments}");
    errors(expand(&arguments, item, Some(package.path())))
}

fn errors(tokens: TokenStream) -> Vec<String> {
    let code: syn::File = syn::parse2(tokens).unwrap();
    let error = |item: syn::Item| match item {
        syn::Item::Macro(error) => Some(
            syn::parse2::<syn::LitStr>(error.mac.tokens)
                .unwrap()
                .value(),
        ),
        _ => None,
    };
    code.items.into_iter().filter_map(error).collect()
}

#[test]
fn a_type_that_can_not_be_null_is_refused_for_a_feature_that_can() {
    let refused = |kind: &str| {
        vec![format!(
            "`weight` of parcels.json can be null, which `{kind}` can't hold; write `Option<{kind}>`"
        )]
    };
    let by_name =
        |kind: &str| errors_of_parcels("", &format!("fn f(weight: {kind}, label: &str) {{}}"));
    for kind in ["f64", "&str", "String", "Box<f64>"] {
        assert_eq!(by_name(kind), refused(kind));
    }
    for kind in ["Option<f64>", "Money", "()", "serde_json::Value"] {
        assert_eq!(by_name(kind), [""; 0]);
    }
    assert_eq!(
        errors_of_parcels("", "fn f(row: (f64, &str)) {}"),
        refused("f64")
    );
    assert_eq!(
        errors_of_parcels("", "fn f(row: (Option<f64>, &str)) {}"),
        [""; 0]
    );
    assert_eq!(
        errors_of_parcels("batch", "fn f(rows: &[(f64, &str)]) -> Vec<()> {}"),
        refused("f64")
    );
    assert_eq!(
        errors_of_parcels("batch", "fn f(rows: Vec<Parcel>) -> Vec<()> {}"),
        [""; 0]
    );
}

#[test]
fn a_definition_in_the_signature() {
    insta::assert_snapshot!(expansion(
        r#"size = 500, define(order(start, end), definition_name = "orders")"#,
        r#"pub fn r#total<'a>(
            #[define(uniform(1..=20))] mut start: u32,
            #[define(uniform(1..21))] #[allow(unused)] r#end: u32,
            #[feature("unit price")] #[define(gaussian(mu = 1, sigma = 2))] _: f64,
            #[define(null_probability = 0.3)] coupon: Option<Coupon<'a>>,
            size: Size,
        ) -> f64 { 1.0 }"#,
    ));
}

#[test]
fn a_mistake_in_the_signature_leaves_the_function_without_its_definition() {
    insta::assert_snapshot!(expansion(
        "",
        "pub fn total(#[define(uniform(1..=20))] quantity: u32, #[feature(\"unit price\")] price: f64) {}",
    ));
}
