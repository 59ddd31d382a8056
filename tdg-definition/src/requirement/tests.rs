//! Tests of valid and invalid conditions and requirements.

use super::{Condition, Requirement};
use crate::json::parse;

fn holds(condition: &str, output: &str) -> Option<bool> {
    let condition = Condition::parse(condition).unwrap();
    condition.holds(&parse(output).unwrap())
}

#[test]
fn a_field_is_compared_by_value() {
    let price = |condition: &str, price: &str| {
        holds(
            &format!("/price {condition}"),
            &format!(r#"{{"price":{price}}}"#),
        )
    };
    for (condition, number, expected) in [
        ("> 0", "1", true),
        ("> 0", "0.0", false),
        (">= 1", "1.0", true),
        ("<-0.5", "-1", true),
        ("<= 1e3", "1000", true),
        ("== 1", "1.0", true),
        ("!= 1", "1.0", false),
        ("!= 1", "null", true),
        ("== null", "null", true),
        ("== true", "true", true),
        ("== true", "1", false),
        ("== 'late'", "\"late\"", true),
        ("== \"la\\u0074e\"", "\"late\"", true),
        ("< '2024-02-01'", "\"2024-01-31\"", true),
        ("> 0", "\"1\"", false),
        ("< 0", "null", false),
    ] {
        assert_eq!(
            price(condition, number),
            Some(expected),
            "{condition} of {number}"
        );
    }
}

#[test]
fn nan_is_neither_greater_nor_less() {
    let nan = r#"{"$float":"NaN"}"#;
    for condition in ["> 0", "< 0", ">= 0", "<= 0", "!= NaN", "== 1"] {
        assert_eq!(holds(condition, nan), Some(false), "{condition}");
    }
    assert_eq!(holds("== NaN", nan), Some(true));
    assert_eq!(holds("!= NaN", "1"), Some(true));
    assert_eq!(holds("> 1e308", r#"{"$float":"Infinity"}"#), Some(true));
}

#[test]
fn a_pointer_alone_asks_whether_the_field_is_there() {
    assert_eq!(holds("/Err", r#"{"Err":null}"#), Some(true));
    assert_eq!(holds("/Err", r#"{"Ok":1}"#), None);
    assert_eq!(holds("/Err != 1", r#"{"Ok":1}"#), None);
}

#[test]
fn one_of_several_fields_is_enough() {
    let lines = r#"{"lines":[{"refund":0},{"refund":2}]}"#;
    assert_eq!(holds("/lines/*/refund > 0", lines), Some(true));
    assert_eq!(holds("/lines/*/refund > 2", lines), Some(false));
    assert_eq!(holds("/lines/*/refund > 0", r#"{"lines":[]}"#), None);
}

#[test]
fn keys_may_have_spaces() {
    assert_eq!(holds("/unit price >0", r#"{"unit price":1}"#), Some(true));
    assert_eq!(holds(" /a~1b == 1 ", r#"{"a/b":1}"#), Some(true));
}

#[test]
fn a_condition_that_cannot_be_read_says_what_to_write() {
    let texts = [
        "",
        "refund > 0",
        "/a~x > 0",
        "/refund = 0",
        "/refund => 0",
        "/refund <> 0",
        "/refund ≥ 0",
        "/refund >>> 0",
        "/refund >",
        "/status == late",
        "/status == 'la'te'",
        "/refund > 5 %",
        "/refund > 0 && /refund < 5",
        "/coupon < null",
        "/price > NaN",
        "/tags == []",
        "/a > /b",
    ];
    let problem = |text: &str| {
        let problem = Condition::parse(text).unwrap_err();
        format!("{text:?}: {problem}")
    };
    insta::assert_snapshot!(texts.map(problem).join("\n"), @r#"
    "": names neither a field nor a value; write "/refund > 0" for a field of the output, or "> 0" for an output that is a number itself
    "refund > 0": "refund" is not a JSON Pointer: a pointer starts with /; write "/refund"
    "/a~x > 0": "/a~x" is not a JSON Pointer: ~ must be followed by 0 or 1; write ~0 for ~ and ~1 for / in a key
    "/refund = 0": `=` is not a comparison; write `==`
    "/refund => 0": `=>` is not a comparison; write `>=`
    "/refund <> 0": `<>` is not a comparison; write `!=`
    "/refund ≥ 0": `≥` is not a comparison; write `>=`
    "/refund >>> 0": `>>>` is not a comparison; use one of < <= == != >= and >
    "/refund >": has no value to compare with; add a number, a string in quotes, true, false or null
    "/status == late": `late` is not a number, a string in quotes, true, false or null; if it is a string, write 'late'
    "/status == 'la'te'": `'la'te'` is not a number, a string in quotes, true, false or null
    "/refund > 5 %": `5 %` is not a number, a string in quotes, true, false or null
    "/refund > 0 && /refund < 5": has more than one comparison; write a `require` for each
    "/coupon < null": null is neither greater nor less than anything; use == or !=
    "/price > NaN": NaN is neither greater nor less than anything; use == or !=
    "/tags == []": `[]` is not a value to compare with; use a number, a string in quotes, true, false or null
    "/a > /b": `/b` is not a number, a string in quotes, true, false or null
    "#);
}

#[test]
fn an_empty_or_invalid_share_is_refused() {
    let shares = [
        (None, None),
        (Some(5.0), None),
        (Some(-0.1), None),
        (None, Some(f64::NAN)),
        (None, Some(200.0)),
        (Some(0.0), None),
        (None, Some(1.0)),
        (Some(0.5), Some(0.25)),
    ];
    let problem = |(least, most)| Requirement::new("/a", least, most).unwrap_err().to_string();
    insta::assert_snapshot!(shares.map(problem).join("\n"), @r#"
    require("/a"): does not say how many cases should fulfil it; add a share of the cases, such as at_least = 0.05
    require("/a"): at_least must be a share of the cases from 0 to 1, but is 5.0; write at_least = 0.05 for 5 %
    require("/a"): at_least must be a share of the cases from 0 to 1, but is -0.1; write at_least = 0.05 for 5 %
    require("/a"): at_most must be a share of the cases from 0 to 1, but is NaN; write at_most = 0.05 for 5 %
    require("/a"): at_most must be a share of the cases from 0 to 1, but is 200.0; write at_most = 0.05 for 5 %
    require("/a"): at_least is 0.0, which any outputs fulfil; leave it out
    require("/a"): at_most is 1.0, which any outputs fulfil; leave it out
    require("/a"): at_least is more than at_most, which is 0.25
    "#);
}

#[test]
fn a_range_of_shares_includes_its_ends() {
    let both = Requirement::new("/a", Some(0.25), Some(0.5));
    assert_eq!(Requirement::within("/a", 0.25..=0.5), both);
    assert_eq!(
        Requirement::within("/a", ..=0.5),
        Requirement::new("/a", None, Some(0.5))
    );
    insta::assert_snapshot!(Requirement::within("/a", 0.25..0.5).unwrap_err(), @r#"require("/a"): at_most must be included in the range; write ..=0.5"#);
    insta::assert_snapshot!(Requirement::within("/a", ..).unwrap_err(), @r#"require("/a"): does not say how many cases should fulfil it; add a share of the cases, such as at_least = 0.05"#);
}

#[test]
fn a_requirement_is_met_from_its_share_on() {
    let at_least = |share| Requirement::new("/a", Some(share), None).unwrap();
    // 0.29 × 100 is less than 29 in floats, 0.07 × 100 more than 7.
    assert!(at_least(0.07).is_met(7, 100) && !at_least(0.07).is_met(6, 100));
    assert!(at_least(0.29).is_met(29, 100) && !at_least(0.29).is_met(28, 100));
    assert!(at_least(1.0).is_met(3, 3) && !at_least(1.0).is_met(2, 3));
    let none = Requirement::new("/a", None, Some(0.0)).unwrap();
    assert!(none.is_met(0, 3) && !none.is_met(1, 3));
    let between = Requirement::new("/a", Some(0.25), Some(0.5)).unwrap();
    assert_eq!(
        [0, 1, 2, 3].map(|count| between.is_met(count, 4)),
        [false, true, true, false]
    );
}
