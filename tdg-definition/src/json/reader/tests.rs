use super::*;
use crate::json::Value;

fn fails(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn values_of_every_kind_are_read() {
    let value = parse(" { \"b\" : [ null , true, false, \"x\" ] , \"a\" : {} }\n").unwrap();
    assert_eq!(value.to_string(), r#"{"a":{},"b":[null,true,false,"x"]}"#);
}

#[test]
fn comments_and_trailing_commas_are_read_where_they_are_allowed() {
    let commented = concat!(
        "// orders\r\n{ /* one */ \"a\" /**/ : // of\n",
        " [1 /* ,2 */, 2,\n],\"//\":\"/* text */\", // last\n}//",
    );
    let value = parse_with_comments(commented).unwrap();
    assert_eq!(value.to_string(), r#"{"//":"/* text */","a":[1,2]}"#);
    for text in ["[1,]", "{\"a\":1,}", "[1] // one", "/* one */ 1", "[/**/]"] {
        assert!(parse(text).is_err(), "{text}");
        assert!(parse_with_comments(text).is_ok(), "{text}");
    }
}

#[test]
fn an_invalid_comment_is_an_error_at_its_place() {
    let texts = [
        "[1, // one\n /* two\n 2]",
        "[1, /*/ 2]",
        "[1, / 2]",
        "[1,,]",
        "[,]",
        "{,}",
        "1,",
        "/* ä */ // é\n{\"a\": nul}",
        "{\"a\": 1, /* again */ \"a\": 2,}",
    ];
    let lenient = |text: &&str| parse_with_comments(text).unwrap_err().to_string();
    let errors: Vec<String> = texts.iter().map(lenient).collect();
    insta::assert_snapshot!(errors.join("\n"), @r#"
    line 2, column 2: expected a value, found an unclosed comment, without `*/`
    line 1, column 5: expected a value, found an unclosed comment, without `*/`
    line 1, column 5: expected a value, found `/`
    line 1, column 4: expected a value, found `,`
    line 1, column 2: expected a value, found `,`
    line 1, column 2: expected a key in double quotes, found `,`
    line 1, column 2: expected the end of the text, found `,`
    line 2, column 7: expected a value, found `nul`
    line 1, column 22: duplicate key "a"
    "#);
    let comment = "[1, // one\n2]";
    insta::assert_snapshot!(fails(comment), @"line 1, column 5: expected a value, found a comment, which JSON doesn't have");
}

#[test]
fn integers_are_exact_and_floats_the_nearest() {
    for text in [
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "-170141183460469231731687303715884105728",
        "340282366920938463463374607431768211455",
        "1.0",
        "-0.0",
        "0.1",
        "0.30000000000000004",
        "1e16",
        "5e-324",
        "1.7976931348623157e308",
    ] {
        assert_eq!(parse(text).unwrap().to_string(), text);
    }
    for (text, canonical) in [
        ("-0", "-0.0"),
        ("1E+2", "100.0"),
        ("1.50", "1.5"),
        ("9007199254740993.0", "9007199254740992.0"),
        ("0.1000000000000000055511151231257827", "0.1"),
        ("1e-400", "0.0"),
    ] {
        assert_eq!(parse(text).unwrap().to_string(), canonical);
    }
}

#[test]
fn a_number_out_of_range_is_an_error() {
    assert_eq!(
        fails("1e309"),
        "line 1, column 1: expected a number within the range of a 64-bit float, found 1e309"
    );
    assert_eq!(
        fails("[340282366920938463463374607431768211456]"),
        "line 1, column 2: expected an integer of at most 128 bits \
         (a float may be larger: write 1e40), found 340282366920938463463374607431768211456"
    );
    assert!(Reader::new("-1e400").f64().is_err());
}

#[test]
fn an_error_says_where_what_was_expected_and_what_is_there() {
    for (text, message) in [
        (
            "",
            "line 1, column 1: expected a value, found the end of the text",
        ),
        (
            "[1,\n \"é\", }",
            "line 2, column 7: expected a value, found `}`",
        ),
        (
            "[1 2]",
            "line 1, column 4: expected `,` or `]`, found a number",
        ),
        ("[1,]", "line 1, column 4: expected a value, found `]`"),
        (
            "{\"a\" 1}",
            "line 1, column 6: expected `:`, found a number",
        ),
        (
            "{\"a\":1,}",
            "line 1, column 8: expected a key in double quotes, found `}`",
        ),
        (
            "{a:1}",
            "line 1, column 2: expected a key in double quotes, found `a`",
        ),
        (
            "{\"a\":1",
            "line 1, column 7: expected `,` or `}`, found the end of the text",
        ),
        (
            "[1] x",
            "line 1, column 5: expected the end of the text, found `x`",
        ),
        ("[NaN]", "line 1, column 2: expected a value, found `NaN`"),
        ("'a'", "line 1, column 1: expected a value, found `'`"),
        (
            "-",
            "line 1, column 2: expected a digit, found the end of the text",
        ),
        (
            "01",
            "line 1, column 1: expected a number without leading zeros, found a number",
        ),
        (
            "1.",
            "line 1, column 3: expected a digit after the point, found the end of the text",
        ),
        (
            "1e+",
            "line 1, column 4: expected a digit of the exponent, found the end of the text",
        ),
        (
            "\"a",
            "line 1, column 3: expected the closing `\"` of the string, found the end of the text",
        ),
        (
            "\"\\x\"",
            "line 1, column 3: expected one of `\"\\/bfnrtu` after a backslash, found `x`",
        ),
        (
            "\"\\u12g4\"",
            "line 1, column 6: expected four hexadecimal digits after `\\u`, found `g4`",
        ),
        (
            "\"a\nb\"",
            "line 1, column 3: expected a string without control characters, \
             found one: write it as `\\u000a`",
        ),
        (
            "\u{feff}1",
            "line 1, column 1: expected a value, found `\\u{feff}`",
        ),
    ] {
        assert_eq!(fails(text), message, "{text:?}");
    }
}

#[test]
fn a_key_that_comes_twice_is_named() {
    let message = r#"line 1, column 16: duplicate key "a""#;
    let text = r#"[{"a":1,"b":2, "\u0061":3}]"#;
    assert_eq!(fails(text), message);
    assert_eq!(
        Reader::new(text).skip_value().unwrap_err().to_string(),
        message
    );
}

#[test]
fn of_several_errors_the_first_is_reported_whether_the_value_is_kept_or_skipped() {
    let duplicate = r#"line 1, column 12: duplicate key "a""#;
    for text in [
        r#"{"a":false,"a":\u12aF"aa":null}"#,
        r#"{"a":false,"a":0 "b":1}"#,
        r#"{"a":false,"a":{"b":1,"b":2}}"#,
        r#"{"a":false,"a":0,"b":{"c":1,"c":2}}"#,
        r#"{"a":false,"a":0"#,
    ] {
        let skipped = Reader::new(text).skip_value().unwrap_err();
        assert_eq!(skipped.to_string(), duplicate, "{text}");
        assert_eq!(fails(text), duplicate, "{text}");
    }
    let text = r#"[{"a":1,"b":x,"a":2}]"#;
    let skipped = Reader::new(text).skip_value().unwrap_err().to_string();
    assert_eq!(fails(text), skipped);
    assert_eq!(skipped, "line 1, column 13: expected a value, found `x`");
}

#[test]
fn nesting_has_a_limit() {
    let nested =
        |depth: usize, inner: &str| format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(DEPTH_LIMIT, "")).is_ok());
    assert_eq!(
        fails(&nested(DEPTH_LIMIT + 1, "")),
        "line 1, column 65: nested deeper than 64 levels"
    );
    assert!(parse(&"[".repeat(1_000_000)).is_err());
    assert!(parse(&nested(DEPTH_LIMIT, r#"{"$float":"NaN"}"#)).is_ok());
}

#[test]
fn escapes_become_characters() {
    let text = r#""\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83e\udd80 é""#;
    assert_eq!(
        parse(text).unwrap().as_str(),
        Some("\"\\/\u{8}\u{c}\n\r\té€🦀 é")
    );
}

#[test]
fn half_a_surrogate_pair_is_an_error() {
    for text in [
        r#""\ud83e""#,
        r#""\ud83e\u0041""#,
        r#""\udd80""#,
        r#""\ud83ex""#,
    ] {
        let message = fails(text);
        assert!(
            message.starts_with("line 1, column 2: expected a pair of surrogates"),
            "{message}"
        );
    }
}

#[test]
fn the_floats_that_json_has_not_are_read_back() {
    let value =
        parse(r#"[{"$float":"NaN"}, { "\u0024float" : "Infinity" }, {"$float":"-Infinity"}]"#)
            .unwrap();
    let expected = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(Value::from);
    assert_eq!(value.as_array(), Some(&expected[..]));

    for other in [
        r#"{"$float":"nan"}"#,
        r#"{"$float":1.0}"#,
        r#"{"$float":"NaN","x":1}"#,
        r#"{"$$float":"NaN"}"#,
    ] {
        let value = parse(other).unwrap();
        assert_eq!(value.to_string(), other);
        assert_eq!(value.kind(), Kind::Object);
    }
}

#[test]
fn cells_are_read_as_the_type_that_is_asked_for() {
    let mut reader = Reader::new(r#"[3, {"$float":"NaN"}, 3, 2.0, 7, null, 1, "a", true]"#);
    reader.begin_array().unwrap();
    reader.element().unwrap();
    assert_eq!(reader.f64().unwrap(), 3.0);
    reader.element().unwrap();
    assert!(reader.f64().unwrap().is_nan());
    reader.element().unwrap();
    assert_eq!(reader.i64().unwrap(), 3);
    reader.element().unwrap();
    assert_eq!(reader.i64().unwrap(), 2);
    reader.element().unwrap();
    assert_eq!(reader.u64().unwrap(), 7);
    reader.element().unwrap();
    assert!(reader.take_null());
    reader.element().unwrap();
    assert!(!reader.take_null());
    assert_eq!(reader.number().unwrap(), Number::from(1));
    reader.element().unwrap();
    assert!(matches!(reader.string().unwrap(), Cow::Borrowed("a")));
    reader.element().unwrap();
    assert!(reader.boolean().unwrap());
    reader.end_array().unwrap();
    reader.finish().unwrap();
}

#[test]
fn a_cell_of_another_type_is_an_error_that_names_both() {
    let error = |read: fn(&mut Reader<'_>) -> Result<(), Error>, text| {
        read(&mut Reader::new(text))
            .unwrap_err()
            .message()
            .to_owned()
    };
    assert_eq!(
        error(|r| r.f64().map(drop), "\"1\""),
        "expected a number, found a string"
    );
    assert_eq!(
        error(|r| r.f64().map(drop), "{}"),
        "expected a number, found an object, `{`"
    );
    assert_eq!(
        error(|r| r.i64().map(drop), "null"),
        "expected an integer, found `null`"
    );
    assert_eq!(
        error(|r| r.i64().map(drop), "1.5"),
        "expected a 64-bit integer, found 1.5"
    );
    assert_eq!(
        error(|r| r.u64().map(drop), "-1"),
        "expected an unsigned 64-bit integer, found -1"
    );
    assert_eq!(
        error(|r| r.string().map(drop), "1"),
        "expected a string, found a number"
    );
    assert_eq!(
        error(|r| r.boolean().map(drop), "tru"),
        "expected a boolean, found `tru`"
    );
    assert_eq!(error(|r| r.null(), "nul"), "expected null, found `nul`");
    assert_eq!(
        error(|r| r.begin_array(), "{}"),
        "expected an array, found an object, `{`"
    );
    assert_eq!(
        error(|r| r.begin_object(), "[]"),
        "expected an object, found an array, `[`"
    );
}

#[test]
fn a_row_of_another_length_is_an_error() {
    let mut reader = Reader::new("[1]");
    reader.begin_array().unwrap();
    reader.element().unwrap();
    reader.i64().unwrap();
    let error = reader.element().unwrap_err();
    assert_eq!(error.message(), "expected another element, found `]`");

    let mut reader = Reader::new("[1,2]");
    reader.begin_array().unwrap();
    reader.element().unwrap();
    reader.i64().unwrap();
    let error = reader.end_array().unwrap_err();
    assert_eq!(
        error.message(),
        "expected the end of the array, `]`, found `,`"
    );
}

#[test]
fn a_caller_can_report_a_fault_at_its_place() {
    let mut reader = Reader::new("{\n  \"price\": 1}");
    reader.begin_object().unwrap();
    let key = reader.next_key().unwrap().unwrap();
    let error = reader.error_at(reader.key_offset(), format!("no feature is named {key:?}"));
    assert_eq!(
        error.to_string(),
        "line 2, column 3: no feature is named \"price\""
    );
    assert_eq!((error.line(), error.column(), error.offset()), (2, 3, 4));
}
