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
fn a_value_without_a_name_is_answered_with_the_names() {
    assert_eq!(
        errors("#[define(pattern(\"[A-Z]\"))] label: String"),
        [r#"a parameter needs its name: pattern(regex = "[A-Z]")"#]
    );
    assert_eq!(
        errors("#[define(uniform(1, 20))] quantity: i64"),
        ["parameters need their names: uniform(min = 1, max = 20)"]
    );
    assert_eq!(
        errors("#[define(normal(mean = 10, 2.5))] amount: f64"),
        ["a parameter needs its name: normal(sigma = 2.5)"]
    );
    assert_eq!(
        errors("#[define(uniform(1..=20))] quantity: i64"),
        ["parameters need their names: uniform(min = …, max = …)"]
    );
    assert_eq!(
        errors("#[define(uuid(4))] id: String"),
        ["`uuid` takes no value without a name"]
    );
    assert_eq!(
        errors("#[define(mixture(0.5, uniform(min = 0, max = 9)))] amount: f64"),
        [
            "`mixture` takes distributions, each with its weight: mixture(gaussian(mu = 0.0, sigma = 1.0) = 0.7, uniform(min = 0.0, max = 9.0) = 0.3)"
        ]
    );
}

#[test]
fn a_string_that_is_drawn_as_a_date_is_answered_with_its_type() {
    let uniform =
        |min, max| format!("#[define(uniform(min = \"{min}\", max = \"{max}\"))] day: String");
    assert_eq!(
        errors(&uniform("2020-01-01", "2020-12-31")),
        [
            "a STRING can't be drawn from this distribution, but these are dates: write #[define(type = DATE, …)]"
        ]
    );
    assert_eq!(
        errors(&uniform("2020-01-01T00:00:00Z", "2020-12-31T00:00:00Z")),
        [
            "a STRING can't be drawn from this distribution, but these are times: write #[define(type = DATETIME, …)]"
        ]
    );
}

#[test]
fn every_distribution_says_that_its_parameters_have_names() {
    for (name, _) in tdg_definition::distribution::names() {
        let found = errors(&format!("#[define({name}(1.5, 2.5))] amount: f64"));
        let is_told = match name {
            "categorical" => found.is_empty(),
            "uuid" => found == ["`uuid` takes no value without a name"],
            "mixture" => found.len() == 1 && found[0].starts_with("`mixture` takes distributions"),
            _ => {
                found.len() == 1
                    && found[0].contains(&format!(": {name}("))
                    && found[0].contains(" = 1.5")
            }
        };
        assert!(is_told, "{name}: {found:?}");
    }
}
