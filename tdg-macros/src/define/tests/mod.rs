//! The generated implementations, and mistakes.

mod mistakes;

use super::expand;

fn expansion(item: &str) -> String {
    let tokens = expand(item.parse().unwrap());
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

/// Returns the derive's errors for a struct with that field.
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
fn constants() {
    insta::assert_snapshot!(expansion(
        r#"
        #[define(correlation(a, b, SHARE))]
        struct Order {
            #[define(uniform(1..=Self::MAX))]
            a: i64,
            #[define(uniform(limits::MIN..2 * limits::MAX))]
            b: i64,
            #[define([categorical(NAME, "b"); LEN])]
            names: Vec<String>,
        }"#
    ));
}

#[test]
fn a_constant_in_a_feature_hides_no_mistake_in_another() {
    let fields = "#[define(uniform(5..=MAX))] a: i64, #[define(uniform(20..=1))] b: i64";
    let found = errors(fields);
    assert_eq!(found, ["`min` must not be greater than `max`"]);
}

#[test]
fn names_in_capitals_are_constants() {
    for value in [
        "MAX",
        "N",
        "limits::MAX",
        "Self::MAX",
        "<u8 as Limit>::MAX",
        "-MAX",
        "(MAX + 1) * 2",
        "MAX as f64",
        "u64::from(MAX)",
        "MAX.pow(2)",
        "TABLE[0]",
        "LIMITS.most",
        "f64::consts::PI",
    ] {
        let found = errors(&format!("#[define(uniform(0.0..{value}))] a: f64"));
        assert_eq!(found, <[&str; 0]>::default(), "{value}");
    }
    for value in [
        "max",
        "limits::max",
        "max()",
        "Max",
        "MAX + max",
        "max.MAX",
        "vec![MAX]",
    ] {
        let found = errors(&format!("#[define(uniform(0.0..{value}))] a: f64"));
        assert!(
            found.len() == 1 && found[0].contains("in capitals"),
            "{value}: {found:?}"
        );
    }
}

#[test]
fn a_mistake_leaves_the_implementation() {
    insta::assert_snapshot!(expansion(
        "struct Order { #[define(gausian(mu = 1, sigma = 1))] amount: f64, quantity: i64 }"
    ));
}

#[test]
fn every_distribution_says_that_its_parameters_have_names() {
    for (name, _) in tdg_definition::distribution::names() {
        let found = errors(&format!("#[define({name}(1.5, 2.5))] amount: f64"));
        let is_told = match name {
            "categorical" => found.is_empty(),
            "uuid" => found == ["`uuid` takes no value without a name"],
            "one_of" => found.len() == 1 && found[0].ends_with("categorical(1.5, 2.5)"),
            "mixture" => found.len() == 1 && found[0].starts_with("`mixture` takes distributions"),
            _ if tdg_definition::distribution::only_parameter(name).is_some() => {
                found.contains(&format!("`{name}` takes one value without a name"))
            }
            _ => {
                found.len() == 1
                    && found[0].contains(&format!(": {name}("))
                    && found[0].contains(" = 1.5")
            }
        };
        assert!(is_told, "{name}: {found:?}");
    }
}

/// Asserts that two attributes, each with its field, mean the same.
fn means(written: &str, stated: &str) {
    let field = |rest: &str| expansion(&format!("struct Order {{ #[define({rest}"));
    assert_eq!(field(written), field(stated), "{written}");
    assert!(!field(written).contains("compile_error"), "{written}");
}

#[test]
fn the_only_parameter_needs_no_name() {
    for (written, stated) in [
        (
            r#"pattern("[a-z]"))] x: String }"#,
            r#"pattern(regex = "[a-z]"))] x: String }"#,
        ),
        ("constant(-5))] x: i8 }", "constant(value = -5))] x: i8 }"),
        (
            "bernoulli(0.5))] x: bool }",
            "bernoulli(p = 0.5))] x: bool }",
        ),
        ("geometric(0.5))] x: u8 }", "geometric(p = 0.5))] x: u8 }"),
        ("poisson(3.0))] x: u8 }", "poisson(rate = 3.0))] x: u8 }"),
        (
            "[any; poisson(2, max = 9)])] x: Vec<u8> }",
            "[any; poisson(rate = 2, max = 9)])] x: Vec<u8> }",
        ),
    ] {
        means(written, stated);
    }
}

#[test]
fn numbers_are_computed() {
    for (written, stated) in [
        (
            "uniform(0..=60 * 60 * 24))] x: u32 }",
            "uniform(0..=86400))] x: u32 }",
        ),
        (
            "uniform(1..1 << 10))] x: u32 }",
            "uniform(1..=1023))] x: u32 }",
        ),
        (
            "uniform(-(5)..=(2 + 3) * 4 - 1))] x: i64 }",
            "uniform(-5..=19))] x: i64 }",
        ),
        (
            "uniform(u8::MIN..=u16::MAX))] x: u32 }",
            "uniform(0..=65535))] x: u32 }",
        ),
        (
            "uniform(i64::MIN..=u32::MAX))] x: i64 }",
            "uniform(-9223372036854775808..=4294967295))] x: i64 }",
        ),
        (
            "any(0.0..=f64::MAX))] x: f64 }",
            "any(0.0..=1.7976931348623157e308))] x: f64 }",
        ),
        ("any(max = (1 << 4)))] x: u32 }", "any(max = 16))] x: u32 }"),
        (
            "gaussian(mu = 1.0 / 4.0, sigma = 3 / 2))] x: f64 }",
            "gaussian(mu = 0.25, sigma = 1.5))] x: f64 }",
        ),
        (
            "constant(value = 2 * 3))] x: u8 }",
            "constant(value = 6))] x: u8 }",
        ),
        (
            "categorical(2 * 30 = 1.0 / 4.0, 60 * 60 = 3.0 / 4.0))] x: u16 }",
            "categorical(60 = 0.25, 3600 = 0.75))] x: u16 }",
        ),
        (
            "mixture(uniform(0..9) = 1 / 4, constant(5) = 3 / 4))] x: u8 }",
            "mixture(uniform(0..9) = 0.25, constant(value = 5) = 0.75))] x: u8 }",
        ),
        ("[any; 2 * 3])] x: Vec<u32> }", "[any; 6])] x: Vec<u32> }"),
        ("any)] x: [u32; 2 * 3] }", "[any; 6])] x: [u32; 6] }"),
        (
            "[any; 0..=1 << 3])] x: Vec<u32> }",
            "[any; 0..=8])] x: Vec<u32> }",
        ),
        (
            "any, length(60 / 20))] x: &[u8] }",
            "any, length(3))] x: &[u8] }",
        ),
        (
            "any, edge_cases(probability = 1 / 4, values = [1 + 1]))] x: u8 }",
            "any, edge_cases(probability = 0.25, values = [2]))] x: u8 }",
        ),
    ] {
        means(written, stated);
    }
}

#[test]
fn a_range_states_the_bounds() {
    means(
        "uniform(1..=20))] x: u32 }",
        "uniform(min = 1, max = 20))] x: u32 }",
    );
    means(
        "uniform(1..20))] x: u32 }",
        "uniform(min = 1, max = 19))] x: u32 }",
    );
    means(
        "uniform(-20..-1))] x: i8 }",
        "uniform(min = -20, max = -2))] x: i8 }",
    );
    means(
        "uniform(1_000u32..=0x10_00))] x: u32 }",
        "uniform(min = 1000, max = 4096))] x: u32 }",
    );
    means(
        "uniform(0..256))] x: u8 }",
        "uniform(min = 0, max = 255))] x: u8 }",
    );
    means(
        "uniform(-1.5..1.0))] x: Option<f64> }",
        "uniform(min = -1.5, max = 1.0))] x: Option<f64> }",
    );
    means(
        "gaussian(mu = 1.0, sigma = 2.0, 0.0..))] x: f64 }",
        "gaussian(mu = 1.0, sigma = 2.0, min = 0.0))] x: f64 }",
    );
    means(
        "gaussian(mu = 1.0, sigma = 2.0, 0.0.., max = 9.0))] x: f64 }",
        "gaussian(mu = 1.0, sigma = 2.0, min = 0.0, max = 9.0))] x: f64 }",
    );
    means("any(5..))] x: u8 }", "any(min = 5, max = 255))] x: u8 }");
    means("any(5..9))] x: u8 }", "any(min = 5, max = 8))] x: u8 }");
    means(
        "gaussian(..=9.0, mu = 1.0, sigma = 2.0))] x: f64 }",
        "gaussian(mu = 1.0, sigma = 2.0, max = 9.0))] x: f64 }",
    );
    means(
        "triangular(0.0..=10.0, mode = 2.0))] x: f64 }",
        "triangular(min = 0.0, max = 10.0, mode = 2.0))] x: f64 }",
    );
    means(
        "pareto(1.0.., shape = 2.0))] x: f64 }",
        "pareto(min = 1.0, shape = 2.0))] x: f64 }",
    );
    means(
        "type = DATE, uniform(\"2020-01-01\"..=\"2020-12-31\"))] x: String }",
        "type = DATE, uniform(min = \"2020-01-01\", max = \"2020-12-31\"))] x: String }",
    );
    means(
        "mixture(uniform(1..5) = 0.5, uniform(7..=9) = 0.5))] x: i64 }",
        "mixture(uniform(min = 1, max = 4) = 0.5, uniform(min = 7, max = 9) = 0.5))] x: i64 }",
    );
}

#[test]
fn any_is_not_any_value_of_128_bits() {
    let said = |define: &str, kind: &str| errors(&format!("#[define({define})] x: {kind}"));
    let unsigned = "`any` draws 64-bit integers, but `u128` holds more; state a range: any(0..=18446744073709551615)";
    assert_eq!(said("any", "u128"), [unsigned]);
    assert_eq!(said("any(5..)", "Option<u128>"), [unsigned]);
    assert_eq!(said("mixture(any() = 1.0)", "Box<u128>"), [unsigned]);
    let signed = "`any` draws 64-bit integers, but `i128` holds more; state a range: any(-9223372036854775808..=9223372036854775807)";
    assert_eq!(said("any", "i128"), [signed]);
    assert_eq!(said("any(0..=18446744073709551615)", "u128"), [""; 0]);
    let whole = "any(-9223372036854775808..=9223372036854775807)";
    assert_eq!(said(whole, "i128"), [""; 0]);
    assert_eq!(said("uniform(1..=20)", "u128"), [""; 0]);
    assert_eq!(said("type = FLOAT, any", "u128"), [""; 0]);
}

#[test]
fn an_integer_that_the_type_can_not_hold_is_refused() {
    let said = |define: &str, kind: &str| errors(&format!("#[define({define})] x: {kind}"));
    assert_eq!(
        said("uniform(-1..=20)", "u32"),
        ["`u32` holds the integers from 0 to 4294967295, not -1"]
    );
    let beyond = ["`u8` holds the integers from 0 to 255, not 300"];
    assert_eq!(said("uniform(0..=300)", "Option<u8>"), beyond);
    assert_eq!(said("uniform(low = 0, high = 300)", "Box<u8>"), beyond);
    assert_eq!(said("categorical(1, 300)", "u8"), beyond);
    assert_eq!(said("constant(value = 300)", "u8"), beyond);
    assert_eq!(said("mixture(uniform(0..=300) = 1)", "u8"), beyond);
    assert_eq!(said("uniform(0..=300)", "i16"), [""; 0]);
    assert_eq!(said("uniform(0..=18446744073709551615)", "u64"), [""; 0]);
    assert_eq!(said("type = FLOAT, uniform(0..300)", "u8"), [""; 0]);
}

#[test]
fn a_struct_of_lists() {
    insta::assert_snapshot!(expansion(
        r#"
        struct Order {
            #[define([uniform(1..=20), null_probability = 0.1; 0..4], null_probability = 0.5)]
            quantities: Option<Vec<Option<u8>>>,
            #[define(any, length(2), sorted = "falling")]
            sizes: std::collections::BTreeSet<i32>,
            #[define([[any; 3]; poisson(rate = 2.0, max = 9)])]
            rows: Vec<[bool; 3]>,
            #[define(length(1..=5))]
            lines: Vec<Line>,
            first: Line,
            #[define(uniform(0..100))]
            percentages: Vec<u8>,
        }"#
    ));
}

#[test]
fn a_struct_of_tuples() {
    insta::assert_snapshot!(expansion(
        r#"
        struct Order {
            #[define((uniform(0..8), any, null_probability = 0.25, decimals = 2, type = DATE, any))]
            triple: (u8, Option<f64>, String),
            #[define(any)]
            pair: Box<(bool, char)>,
            #[define([(Line, [any; 2]); 0..=3])]
            nested: Vec<(Line, [u8; 2])>,
            both: (Line, Line),
            #[define((any, length(0..=2), any))]
            bytes: (Vec<u8>, u8),
            #[define((constant(value = b"GIF\xff"), uniform(b'a'..=b'z')))]
            written: (Vec<u8>, u8),
            #[define(one_of(of = "kinds", missing = 0.5, else = categorical(b"a", b"\"")))]
            kind: Vec<u8>,
            #[define([categorical(b"a", b"b"); 2])]
            kinds: Vec<Box<[u8]>>,
            #[define(any, length(0..=9), edge_cases(probability = 0.1, values = [b"GIF\xff", b""]))]
            edges: Vec<u8>,
        }"#
    ));
}

#[test]
fn an_enum_with_data() {
    insta::assert_snapshot!(expansion(
        r##"
        #[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "op", content = "with")]
        enum Op {
            #[define(probability = 0.5)]
            Push(#[define(uniform(0..100))] i32),
            #[define(probability = 0.1)]
            Pop,
            #[define(probability = 0.1)]
            #[serde(rename = "exchange")]
            Swap(#[define(uniform(0..10))] usize, #[define(any)] Option<Box<[u8; 2]>>),
            #[define(probability = 0.2)]
            Move {
                #[define(any)]
                to_place: (bool, char),
                line: Line,
                #[serde(skip)]
                seen: u8,
            },
            #[serde(skip)]
            Never,
            #[define(probability = 0.1)]
            Lines(#[define(length(1..=3))] Vec<Line>),
        }"##
    ));
}

#[test]
fn a_struct_of_one_value() {
    insta::assert_snapshot!(expansion(
        r#"struct Sku(#[define(pattern(regex = "[A-Z]{2}"))] String);"#
    ));
    insta::assert_snapshot!(expansion(
        r#"#[serde(transparent)] struct Lines { #[define(length(0..=3))] all: Vec<Line>, #[serde(skip)] seen: u8 }"#
    ));
}

#[test]
fn a_struct_of_maps_and_sets() {
    insta::assert_snapshot!(expansion(
        r#"
        struct Order {
            #[define({pattern(regex = "[a-z]{1,4}") => uniform(0..9), null_probability = 0.5; 0..5})]
            stock: HashMap<String, Option<u8>>,
            #[define(any, length(1..=3))]
            counts: std::collections::BTreeMap<u8, bool>,
            #[define({any => Line})]
            lines: Option<BTreeMap<char, Line>>,
            #[define([uniform(0..100); 0..=9])]
            set: BTreeSet<u8>,
            #[define(any)]
            words: HashSet<String>,
            #[define(any)]
            few: HashSet<bool>,
            #[define({Kind => [{any => any; 2}; 1]; 2})]
            nested: HashMap<Kind, Vec<HashMap<char, i8>>>,
        }"#
    ));
}
