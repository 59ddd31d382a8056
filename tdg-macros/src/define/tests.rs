//! The implementations as code, and the place of each mistake.

use super::expand;

fn expansion(item: &str) -> String {
    let tokens = expand(item.parse().unwrap());
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

#[test]
fn a_struct() {
    insta::assert_snapshot!(expansion(
        r#"
        #[define(definition_name = "orders", crate = crate::tdg)]
        #[serde(rename_all = "camelCase")]
        pub struct Order<'a> where 'a: 'a {
            /// Docs.
            #[define(mixture(gaussian(mu = -1, sigma = 2.5) = 0.3, uniform(min = 0, max = 1) = 0.7))]
            pub unit_price: f64,
            #[define(null_probability = 0.25)]
            coupon: Option<Coupon<'a>>,
            #[serde(skip)]
            seen: bool,
        }"#
    ));
}

#[test]
fn an_enum() {
    insta::assert_snapshot!(expansion(
        r#"
        #[serde(rename_all = "UPPERCASE")]
        enum Coupon {
            #[define(probability = 0.2)]
            Half,
            #[define(probability = 0.8)]
            #[serde(rename = "10%")]
            Tenth,
        }"#
    ));
}

#[test]
fn a_mistake_leaves_the_implementation() {
    insta::assert_snapshot!(expansion(
        "struct Order { #[define(gausian(mu = 1, sigma = 1))] amount: f64, quantity: i64 }"
    ));
}

#[test]
fn the_attribute_that_the_language_has_is_named() {
    let code = expansion("struct Order { #[feature(gaussian(mu = 1, sigma = 1))] amount: f64 }");
    assert!(code.contains("write #[define(…)]"));
    assert!(!code.contains("where do the values"));
}
