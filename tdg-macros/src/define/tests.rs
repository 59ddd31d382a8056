//! The implementations as code, and the place of each mistake.

use super::expand;

fn expansion(item: &str) -> String {
    let tokens = expand(item.parse().unwrap());
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

/// What the derive says about a struct with that field.
fn errors(field: &str) -> Vec<String> {
    let code: syn::File = syn::parse2(expand(
        format!("struct Order {{ {field} }}").parse().unwrap(),
    ))
    .unwrap();
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

#[test]
#[ignore = "D21: the parameter isn't named, and neither is the type"]
fn a_value_without_a_name_is_answered_with_the_names() {
    assert_eq!(
        errors("#[define(pattern(\"[A-Z]\"))] label: String"),
        [r#"a parameter needs its name: pattern(regex = "[A-Z]")"#]
    );
    assert_eq!(
        errors("#[define(uniform(1, 20))] quantity: i64"),
        ["parameters need their names: uniform(min = 1, max = 20)"]
    );
}

#[test]
#[ignore = "D21: the parameter isn't named, and neither is the type"]
fn a_string_that_is_drawn_as_a_date_is_answered_with_its_type() {
    let uniform =
        |min, max| format!("#[define(uniform(min = \"{min}\", max = \"{max}\"))] day: String");
    assert_eq!(
        errors(&uniform("2020-01-01", "2020-12-31")),
        [
            "uniform draws no STRING, but these bounds are of type DATE; write #[define(type = DATE, …)]"
        ]
    );
    assert_eq!(
        errors(&uniform("2020-01-01T00:00:00Z", "2020-12-31T00:00:00Z")),
        [
            "uniform draws no STRING, but these bounds are of type DATETIME; write #[define(type = DATETIME, …)]"
        ]
    );
}
