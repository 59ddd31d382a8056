//! Reading definitions: accepted ones, their canonical form, and the faults of invalid ones.

use tdg_definition::{Cells, Definition};

fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

/// A definition with one feature.
fn feature(feature_type: &str, distribution: &str) -> String {
    format!(
        r#"{{"features": [{{"feature_name": "x", "type": "{feature_type}", "distribution": {distribution}}}]}}"#
    )
}

/// The canonical form of a feature's distribution.
fn canonical(feature_type: &str, distribution: &str) -> String {
    let definition = Definition::parse(&feature(feature_type, distribution)).unwrap();
    let value = definition.to_value();
    let features = value.get("features").and_then(|f| f.as_array()).unwrap();
    features[0].get("distribution").unwrap().to_string()
}

#[test]
fn aliases_and_case_have_one_canonical_form() {
    let plain = r#"{"mu":1.0,"sigma":2.0,"type":"gaussian"}"#;
    for written in [
        r#"{"type": "gaussian", "mu": 1, "sigma": 2}"#,
        r#"{"type": "NORMAL", "mean": 1.0, "std_dev": 2.0}"#,
        r#"{"type": "Normal", "loc": 1, "sd": 2e0}"#,
        r#"{"stddev": 2, "mu": 1, "type": "gaussian"}"#,
    ] {
        assert_eq!(canonical("float", written), plain);
    }
    assert_eq!(
        canonical("Integer", r#"{"type": "uniform", "low": 1, "upper": 6.0}"#),
        r#"{"max":6,"min":1,"type":"uniform"}"#
    );
    assert_eq!(
        canonical("INTEGER", r#"{"type": "poisson", "lambda": 3}"#),
        r#"{"rate":3.0,"type":"poisson"}"#
    );
}

#[test]
fn the_canonical_form_reads_as_itself() {
    for (feature_type, distribution) in [
        ("FLOAT", r#"{"type":"exponential","rate":0.1}"#),
        ("FLOAT", r#"{"type":"exponential","scale":10}"#),
        ("FLOAT", r#"{"type":"lognormal","mu":0,"sigma":1}"#),
        ("FLOAT", r#"{"type":"uniform","min":-1,"max":1}"#),
        (
            "INTEGER",
            r#"{"type":"uniform","min":0,"max":18446744073709551615}"#,
        ),
        (
            "DATETIME",
            r#"{"type":"uniform","min":"2020-01-01T00:00:00Z","max":"2020-12-31T23:59:59+01:00"}"#,
        ),
        (
            "DATE",
            r#"{"type":"uniform","min":"2020-01-01","max":"2020-12-31"}"#,
        ),
        (
            "STRING",
            r#"{"type":"categorical","categories":[{"value":"null","probability":0.25},{"value":"a","probability":0.75}]}"#,
        ),
        ("BOOLEAN", r#"{"type":"bernoulli","p":0.5}"#),
        ("STRING", r#"{"type":"constant","value":"\u0000 💾"}"#),
        (
            "FLOAT",
            r#"{"type":"mixture","components":[{"weight":1,"mu":0,"sigma":1},{"weight":3,"distribution":{"type":"exponential","rate":2}}]}"#,
        ),
    ] {
        let once = canonical(feature_type, distribution);
        assert_eq!(canonical(feature_type, &once), once);
    }
}

#[test]
fn features_without_a_name_are_numbered() {
    let one = r#"{"type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}}"#;
    let definition = Definition::parse(&format!(r#"{{"features": [{one}, {one}]}}"#)).unwrap();
    let names: Vec<_> = definition.features().iter().map(|f| f.name()).collect();
    assert_eq!(names, ["feature_1", "feature_2"]);
}

#[test]
fn an_integer_that_only_rounding_makes_one_is_refused_unless_it_was_recorded() {
    let constant = |value: &str| {
        let distribution = format!(r#"{{"type": "constant", "value": {value}}}"#);
        feature("INTEGER", &distribution)
    };
    let recorded = |value: &str| {
        let definition = Definition::parse_recorded(&constant(value)).unwrap();
        match definition.columns(0, 1, 0..1)[0].cells() {
            Cells::Integer(values) => i128::from(values[0]),
            Cells::Unsigned(values) => i128::from(values[0]),
            other => panic!("{other:?}"),
        }
    };
    for (rounded, drawn) in [
        ("9007199254740993.0", (1 << 53)),
        ("-9007199254740993.0", -(1 << 53)),
        ("9.007199254740993e15", 1 << 53),
        ("9.223372036854775807e18", 1 << 63),
        ("18446744073709549569.0", (1 << 64) - 2048),
        ("4503599627370496.1", 1 << 52),
        ("1.00000000000000000001", 1),
        ("1e-400", 0),
    ] {
        assert_eq!(recorded(rounded), drawn, "{rounded}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(faults(&constant(rounded)), @"/features/0/distribution/value: is rounded because of its point or exponent; write an integer in digits only");
        }
    }
    for exact in [
        "9007199254740993",
        "9007199254740992.0",
        "9007199254740994.000",
        "1e18",
        "-1.50e1",
        "150e-1",
        "0.0000000000000000000001e22",
        "9.223372036854775808e18",
        "0e400",
        "-0.0",
        "0.00e-9999999999999999999999",
    ] {
        let definition = Definition::parse(&constant(exact)).unwrap();
        let again = Definition::parse_recorded(&constant(exact)).unwrap();
        assert_eq!(definition, again, "{exact}");
    }
    assert_eq!(recorded("1e18"), 1_000_000_000_000_000_000);
    let said = |feature_type, distribution| faults(&feature(feature_type, distribution));
    let message = "is rounded because of its point or exponent; write an integer in digits only";
    for (distribution, place) in [
        (
            r#"{"type": "sequence", "step": 1.00000000000000000001}"#,
            "step",
        ),
        (
            r#"{"type": "sequence", "start": 9.223372036854775807e18}"#,
            "start",
        ),
        (
            r#"{"type": "uniform", "min": 1, "high": 9.007199254740993e15}"#,
            "high",
        ),
        (
            r#"{"type": "zipf", "n": 9.99999999999999999999, "s": 1}"#,
            "n",
        ),
    ] {
        let expected = format!("/features/0/distribution/{place}: {message}");
        assert_eq!(said("INTEGER", distribution), expected);
    }
    // Floats are rounded from any text.
    assert!(
        Definition::parse(&feature(
            "FLOAT",
            r#"{"type": "constant", "value": 9007199254740993.0}"#
        ))
        .is_ok()
    );
}

#[test]
fn bounds_too_close_for_their_sigma_are_refused_unless_they_were_recorded() {
    let narrow = |min: &str, max: &str, sigma: &str| {
        feature(
            "FLOAT",
            &format!(
                r#"{{"type": "gaussian", "mu": 0, "sd": {sigma}, "min": {min}, "max": {max}}}"#
            ),
        )
    };
    insta::assert_snapshot!(faults(&narrow("0", "1", "1.1e9")), @"/features/0/distribution/sd: must be at most a billion times max - min, or values between the bounds can't be distinguished; use uniform, which is equivalent there");
    insta::assert_snapshot!(faults(&narrow("0.5", "0.5000000000001", "1")), @"/features/0/distribution/sd: must be at most a billion times max - min, or values between the bounds can't be distinguished; use uniform, which is equivalent there");
    let component = r#"{"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1e16, "min": 0, "max": 1}]}"#;
    insta::assert_snapshot!(faults(&feature("FLOAT", component)), @"/features/0/distribution/components/0/sigma: must be at most a billion times max - min, or values between the bounds can't be distinguished; use uniform, which is equivalent there");
    for (min, max, sigma) in [
        ("0", "1", "1e9"),
        ("0.5", "0.5", "1e300"),
        ("36", "36.00000001", "1"),
    ] {
        assert!(
            Definition::parse(&narrow(min, max, sigma)).is_ok(),
            "{min} {max} {sigma}"
        );
    }
    assert!(Definition::parse_recorded(&feature("FLOAT", component)).is_ok());
    let drawn = |text: &str| {
        let definition = Definition::parse_recorded(text).unwrap();
        // The canonical form is recorded.
        assert_eq!(
            Definition::parse_recorded(&definition.canonical()).unwrap(),
            definition
        );
        match definition.columns(0, 4, 0..4)[0].cells() {
            Cells::Float(values) => values.clone(),
            other => panic!("{other:?}"),
        }
    };
    insta::assert_debug_snapshot!(drawn(&narrow("0", "1", "1e13")), @"
    [
        0.34508163665929914,
        0.3534303859333145,
        0.5913697402427506,
        0.7931311810314536,
    ]
    ");
    insta::assert_debug_snapshot!(drawn(&narrow("0", "1", "1e16")), @"
    [
        0.0,
        0.0,
        1.0,
        1.0,
    ]
    ");
}

#[test]
fn members_of_the_service_are_unknown() {
    let text = r#"{"definition_uuid": "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        "features": [{"added": 0, "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 1}}]}"#;
    insta::assert_snapshot!(faults(text), @"
    /features/0/added: unknown; expected one of: feature_name, null_probability, shape, type, distribution, unique, decimals, edge_cases
    /definition_uuid: unknown; expected one of: definition_name, shapes, features, correlations, sampling, order, coverage, $schema
    ");
}

#[test]
fn all_faults_are_reported_at_once_with_their_places() {
    insta::assert_snapshot!(faults(r#"{
        "definition_nam": "orders",
        "features": [
            {"feature_name": "a", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 1, "sigma": -1}},
            {"feature_name": "a", "type": "INTEGER", "distribution": {"type": "uniform", "min": 6, "max": 1}},
            {"feature_name": "b", "type": "FLAOT", "distribution": {"type": "gaussian", "mu": 1, "sigma": 1}},
            {"feature_name": "c", "type": "STRING", "distribution": {"type": "gausian", "mu": 1, "sigma": 1}},
            {"feature_name": "d", "type": "STRING", "distribution": {"type": "gaussian", "mu": 1, "sigma": 1}},
            {"feature_name": " ", "type": "FLOAT", "null_probability": 1.5, "distribution": {"type": "gaussian", "mu": "1", "sgima": 1}},
            {"feature_name": "a", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 1}},
            7
        ]
    }"#), @r#"
    /features/0/distribution/sigma: must be greater than 0, but is -1
    /features/1/feature_name: `a` is also the name of /features/0; names must be unique
    /features/1/distribution: `min` must not be greater than `max`
    /features/2/type: unknown type `FLAOT`; did you mean `FLOAT`?
    /features/3/distribution/type: unknown distribution `gausian`; did you mean `gaussian`?
    /features/4/distribution/type: gaussian can't draw STRING values; it draws FLOAT, and STRING is drawn by categorical, constant, pattern, uuid, any, one_of
    /features/5/feature_name: must not be blank; remove it to get `feature_<n>`
    /features/5/null_probability: must be between 0 and 1, but is 1.5
    /features/5/distribution/mu: must be a finite number, but is the string "1"
    /features/5/distribution: `sigma` is missing
    /features/5/distribution/sgima: unknown; did you mean `sigma`?
    /features/6/feature_name: `a` is also the name of /features/0; names must be unique
    /features/7: a feature must be an object, but this is 7
    /definition_nam: unknown; did you mean `definition_name`?
    "#);
}

#[test]
fn what_people_write_may_have_comments_and_what_is_recorded_may_not() {
    let plain = r#"{"features":[{"type":"INTEGER","distribution":{"type":"any"}}]}"#;
    let commented = plain.replace(
        "{\"type\":\"any\"}",
        "/* all */ {\"type\": \"any\",} // of them\n",
    );
    assert_eq!(Definition::parse(&commented), Definition::parse(plain));
    insta::assert_snapshot!(Definition::parse_recorded(&commented).unwrap_err(), @"not valid JSON: line 1, column 47: expected a value, found a comment, which JSON doesn't have");
}

#[test]
fn an_invalid_definition_says_what_is_expected() {
    let said = |text| faults(text).replace('\n', " | ");
    insta::assert_snapshot!(said(""), @"not valid JSON: line 1, column 1: expected a value, found the end of the text");
    insta::assert_snapshot!(said("[]"), @"a definition must be an object, but this is a list");
    insta::assert_snapshot!(said("{}"), @"`features` is missing");
    insta::assert_snapshot!(said(r#"{"features": []}"#), @"/features: must not be empty");
    insta::assert_snapshot!(said(r#"{"features": [{}]}"#), @"/features/0: `type` is missing | /features/0: `distribution` is missing");
    insta::assert_snapshot!(said(r#"{"features": [{"type": "FLOAT",,}]}"#), @"not valid JSON: line 1, column 32: expected a key in double quotes, found `,`");
}

#[test]
fn each_wrong_parameter_has_its_message() {
    let said = |feature_type, distribution| {
        faults(&feature(feature_type, distribution)).replace('\n', " | ")
    };
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": 0, "sigma": 0}"#), @"/features/0/distribution/sigma: must be greater than 0, but is 0");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": {"$float": "NaN"}, "sigma": 1}"#), @"/features/0/distribution/mu: must be a finite number, but is NaN or infinite");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": 0, "mean": 0, "sigma": 1}"#), @"/features/0/distribution: `mu` and `mean` mean the same; keep one");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": 1e308, "sigma": 1e308}"#), @"/features/0/distribution/sigma: is so large that values could be infinite");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": 0, "sigma": 1, "tau": 2}"#), @"/features/0/distribution/tau: unknown; expected one of: type, mu, sigma, min, max");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "uniform", "min": 1, "max": -1}"#), @"/features/0/distribution: `min` must not be greater than `max`");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "uniform", "min": -1.7e308, "max": 1.7e308}"#), @"/features/0/distribution: the range is so wide that max − min is infinite");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "uniform", "min": 0.5, "max": 6}"#), @"/features/0/distribution/min: must be a 64-bit integer, but is 0.5");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "uniform", "min": -1, "max": 18446744073709551615}"#), @"/features/0/distribution: the range must be within i64 or within u64");
    insta::assert_snapshot!(said("DATE", r#"{"type": "uniform", "min": "2020-01-01", "max": "2019-02-29"}"#), @r#"/features/0/distribution/max: must be a date such as "2021-03-08", but is "2019-02-29""#);
    insta::assert_snapshot!(said("DATETIME", r#"{"type": "uniform", "min": 0, "max": "2019-02-28T00:00:00Z"}"#), @r#"/features/0/distribution/min: must be a string such as "2021-03-08T22:14:28Z", but is 0"#);
    insta::assert_snapshot!(said("STRING", r#"{"type": "uniform", "min": "a", "max": "b"}"#), @"/features/0/distribution/type: uniform can't draw STRING values; it draws INTEGER, FLOAT, DATETIME, DATE, and STRING is drawn by categorical, constant, pattern, uuid, any, one_of");
    insta::assert_snapshot!(said("STRING", r#"{"type": "categorical", "categories": []}"#), @"/features/0/distribution/categories: must not be empty");
    insta::assert_snapshot!(said("STRING", r#"{"type": "categorical", "categories": {"a": 1}}"#), @"/features/0/distribution/categories: must be a list, but is an object");
    insta::assert_snapshot!(said("STRING", r#"{"type": "categorical", "categories": [{"value": "a", "probability": 0.5}, {"value": "b", "probability": 0.4}]}"#), @"/features/0/distribution/categories: the probabilities must sum to 1, but sum to 0.9");
    insta::assert_snapshot!(said("STRING", r#"{"type": "categorical", "categories": [{"value": "a", "probability": 0.5}, {"value": "a", "probability": 0.5}]}"#), @r#"/features/0/distribution/categories: the value "a" is listed twice"#);
    insta::assert_snapshot!(said("STRING", r#"{"type": "categorical", "categories": [{"value": 1, "probability": -0.5}, {"value": "a"}]}"#), @"/features/0/distribution/categories/0/value: must be a string, but is 1 | /features/0/distribution/categories/0/probability: must be between 0 and 1, but is -0.5 | /features/0/distribution/categories/1: `probability` is missing");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "categorical", "categories": [{"value": -1, "probability": 0.5}, {"value": 18446744073709551615, "probability": 0.5}]}"#), @"/features/0/distribution/categories: the values must all be within i64 or all within u64");
    insta::assert_snapshot!(said("BOOLEAN", r#"{"type": "constant", "value": "true"}"#), @r#"/features/0/distribution/value: must be true or false, but is the string "true""#);
    insta::assert_snapshot!(said("STRING", r#"{"type": "constant", "value": null}"#), @"/features/0/distribution/value: must be a string, but is null");
    insta::assert_snapshot!(said("BOOLEAN", r#"{"type": "bernoulli", "p": -0.1}"#), @"/features/0/distribution/p: must be between 0 and 1, but is -0.1");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "poisson", "rate": 0}"#), @"/features/0/distribution/rate: must be greater than 0, but is 0");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "poisson", "rate": 1e18}"#), @"/features/0/distribution/rate: must be at most 10000000, but is 1000000000000000000; use a FLOAT gaussian instead");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "exponential"}"#), @"/features/0/distribution: `rate` (1 / mean) or `scale` (the mean) is missing; give one of them");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "exponential", "rate": 1, "scale": 1}"#), @"/features/0/distribution: `rate` and `scale` mean the same (scale = 1 / rate); keep one");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "exponential", "scale": 1e308}"#), @"/features/0/distribution: values would be infinite; the mean is too large");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "lognormal", "mu": 700, "sigma": 10}"#), @"/features/0/distribution: `mu` and `sigma` describe the logarithm: exp(700 + 9 × 10) would be infinite; keep mu + 9 × sigma below 709");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "mixture", "components": [{"weight": 0, "mu": 0, "sigma": 1}]}"#), @"/features/0/distribution/components: the sum of the weights must be positive and finite, but is 0");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "mixture", "components": [{"weight": -1, "mu": 0, "sigma": 1}, {"weight": 2}]}"#), @"/features/0/distribution/components/0/weight: must not be negative, but is -1 | /features/0/distribution/components/1: `distribution` is missing (or `mu` and `sigma` of a gaussian)");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "mixture", "components": [{"weight": 1, "distribution": {"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1}]}}]}"#), @"/features/0/distribution/components/0/distribution: must not be a mixture; list its components here instead");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "mixture", "components": [{"weight": 1, "distribution": {"type": "constant", "value": -1}}, {"weight": 1, "distribution": {"type": "constant", "value": 18446744073709551615}}]}"#), @"/features/0/distribution/components: the values must all be within i64 or all within u64");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "mixture", "components": [4, {"weight": -1, "distribution": {"type": "poisson", "rate": 2}}]}"#), @"/features/0/distribution/components/0: a component must be an object, but this is 4 | /features/0/distribution/components/1/weight: must not be negative, but is -1");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1}]}"#), @"/features/0/distribution/components/0: `distribution` is missing | /features/0/distribution/components/0/mu: unknown; expected one of: weight, distribution | /features/0/distribution/components/0/sigma: unknown; expected one of: weight, distribution");
}

#[test]
fn sizes_of_ensembles_are_bounded() {
    let one = r#"{"type":"BOOLEAN","distribution":{"type":"bernoulli","p":0.5}}"#;
    let many = |n: usize| {
        let features = vec![one; n].join(",");
        Definition::parse(&format!(r#"{{"features":[{features}]}}"#)).unwrap()
    };
    let said = |features: usize, size: usize| many(features).check_size(size).unwrap_err();
    assert_eq!(many(1).check_size(1), Ok(()));
    assert_eq!(many(1).check_size(10_000), Ok(()));
    insta::assert_snapshot!(said(1, 0), @"an ensemble has 1 to 10000 rows, not 0");
    insta::assert_snapshot!(said(1, 10_001), @"an ensemble has 1 to 10000 rows, not 10001");
    assert_eq!(many(300).check_size(3_333), Ok(()));
    insta::assert_snapshot!(said(300, 3_334), @"3334 rows of 300 features are 1000200 cells, but an ensemble has at most 1000000");
}

#[test]
fn sizes_of_definitions_are_bounded() {
    let one = r#"{"type":"BOOLEAN","distribution":{"type":"bernoulli","p":0.5}}"#;
    let many = |n: usize| format!(r#"{{"features":[{}]}}"#, vec![one; n].join(","));
    assert_eq!(
        Definition::parse(&many(1000)).unwrap().features().len(),
        1000
    );
    insta::assert_snapshot!(faults(&many(1001)), @"/features: must have at most 1000 elements, but has 1001");
    let text = |bytes: usize| {
        feature(
            "STRING",
            &format!(r#"{{"type":"constant","value":"{}"}}"#, "x".repeat(bytes)),
        )
    };
    assert!(Definition::parse(&text(65536)).is_ok());
    insta::assert_snapshot!(faults(&text(65537)), @"/features/0/distribution/value: must be at most 65536 bytes long, but is 65537");
    let category = r#"{"value":1,"probability":0}"#;
    let categories = vec![category; 100_001].join(",");
    insta::assert_snapshot!(faults(&feature("INTEGER", &format!(r#"{{"type":"categorical","categories":[{categories}]}}"#))), @"/features/0/distribution/categories: must have at most 100000 elements, but has 100001");
}
