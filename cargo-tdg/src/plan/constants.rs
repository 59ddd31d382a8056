//! Distributions that mix constants of the code with ordinary values.

use tdg_definition::bytes::escape;
use tdg_definition::json::Value;

use crate::sources::CodeConstants;

/// The maximum number of constants per distribution.
const MOST: usize = 100;
/// The maximum length, since longer lists or texts of a fixed length are slow to draw.
const LONGEST: i128 = 32;

/// The maximum bytes of a constant that is also drawn among others.
const PART: usize = 200;

/// The share of rows, and of list elements, that are a constant.
const ALONE: f64 = 0.5;

/// Returns the distribution of a scalar type and its edge cases, which are the constants. Integers
/// range from `least` to `most`.
pub(crate) fn scalar(
    constants: &CodeConstants,
    name: &str,
    (least, most): (i64, u64),
    words: &str,
) -> (&'static str, Value, Option<Value>) {
    match name {
        "bool" => ("BOOLEAN", of_type("any"), None),
        "f32" | "f64" => {
            let values = constants.floats(name).into_iter().map(Value::from);
            ("FLOAT", gaussian(), edge_cases(values))
        }
        "char" => {
            let texts = constants.texts().into_iter();
            let texts = texts.filter(|it| it.chars().count() == 1);
            ("STRING", pattern("."), edge_cases(texts.map(Value::from)))
        }
        "String" => {
            let values = constants.written().into_iter().map(Value::from);
            (
                "STRING",
                pattern(&text(constants, words)),
                edge_cases(values),
            )
        }
        _ => {
            // A column can't have both negative integers and integers above `i64::MAX`.
            let values = constants.integers(least.into(), i128::from(most).min(i64::MAX.into()));
            let values = values.into_iter().map(Value::from);
            ("INTEGER", small(least), edge_cases(values))
        }
    }
}

pub(crate) fn bytes(constants: &CodeConstants) -> (Value, Option<Value>) {
    let texts = constants.bytes().iter().take(MOST);
    let short = texts.clone().filter(|it| it.len() <= PART);
    let listed = texts.clone().map(|bytes| {
        let mut text = String::new();
        escape(bytes, &mut text);
        Value::from(text)
    });
    let written = short.map(|bytes| {
        let bytes = bytes.iter().map(|byte| format!("\\x{byte:02x}"));
        bytes.collect::<String>()
    });
    let other = "[\\x00-\\xff]{0,4}";
    match alternatives(written) {
        Some(texts) => {
            let among = format!("(?-u){other}|{other}{texts}({other}{texts}){{0,2}}{other}");
            (pattern(&among), edge_cases(listed))
        }
        None => (of_type("any"), None),
    }
}

/// Returns a length distribution, in which two of three lengths are constants.
pub(crate) fn length(constants: &CodeConstants, ordinary: Value) -> Value {
    let lengths = constants.integers(0, LONGEST);
    if lengths.is_empty() {
        return ordinary;
    }
    let component = |weight: i32, distribution: Value| {
        Value::object([("weight", weight.into()), ("distribution", distribution)])
    };
    let components = vec![
        component(2, equally_likely(lengths)),
        component(1, ordinary),
    ];
    Value::object([
        ("type", "mixture".into()),
        ("components", Value::Array(components)),
    ])
}

/// Returns a distribution of common integers, without bounds for constants to satisfy.
fn small(least: i64) -> Value {
    let least = i128::from(least).max(-10);
    equally_likely((least..=30).collect())
}

pub(super) fn equally_likely<V: Into<Value>>(values: Vec<V>) -> Value {
    let probability = 1.0 / values.len() as f64;
    let categories = values
        .into_iter()
        .map(|value| Value::object([("value", value.into()), ("probability", probability.into())]));
    Value::object([
        ("type", "categorical".into()),
        ("categories", Value::Array(categories.collect())),
    ])
}

fn gaussian() -> Value {
    Value::object([
        ("type", "gaussian".into()),
        ("mu", 20.into()),
        ("sigma", 30.into()),
    ])
}

/// Returns `None` for an empty list.
fn edge_cases(values: impl Iterator<Item = Value>) -> Option<Value> {
    let values: Vec<Value> = values.take(MOST).collect();
    (!values.is_empty()).then(|| {
        Value::object([
            ("probability", ALONE.into()),
            ("usual", 0.into()),
            ("values", Value::Array(values)),
        ])
    })
}

/// Returns a pattern for constants among words, words alone, and words with a constant's length.
fn text(constants: &CodeConstants, words: &str) -> String {
    let words = format!("({words})");
    let mut regex = words.clone();
    let texts = constants.written().into_iter().take(MOST);
    let texts = texts.filter(|it| it.len() <= PART);
    if let Some(texts) = alternatives(texts.map(|it| escaped(&it))) {
        regex += &format!("|{words}?{texts}({words}?{texts}){{0,2}}{words}?");
    }
    let lengths = constants.lengths(LONGEST).take(8);
    for length in lengths {
        regex += &format!("|[a-z0-9]{{{},{}}}", length - 1, length + 1);
    }
    regex
}

fn of_type(name: &str) -> Value {
    Value::object([("type", name.into())])
}

pub(super) fn pattern(regex: &str) -> Value {
    Value::object([("type", "pattern".into()), ("regex", regex.into())])
}

fn alternatives(texts: impl Iterator<Item = String>) -> Option<String> {
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| format!("({})", texts.join("|")))
}

/// Escapes a text for a pattern.
fn escaped(text: &str) -> String {
    let characters = text.chars().map(|it| match it {
        ' ' => " ".to_owned(),
        it if it.is_control() => format!("\\x{{{:x}}}", u32::from(it)),
        '<' | '>' => it.to_string(),
        it if it.is_ascii_punctuation() => format!("\\{it}"),
        it => it.to_string(),
    });
    characters.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tdg_definition::Definition;
    use tdg_engine::Vectors;

    use super::super::argument::{Argument, Collected, DrawnFrom};
    use super::*;
    use crate::sources::SCALARS;

    fn constants(code: &str) -> CodeConstants {
        CodeConstants::of_code(&code.parse().unwrap())
    }

    /// Returns the values drawn from a distribution.
    fn drawn(kind: &str, distribution: Value, edge_cases: Option<Value>) -> Vec<Value> {
        let mut members = vec![("type", kind.into()), ("distribution", distribution)];
        members.extend(edge_cases.map(|it| ("edge_cases", it)));
        let features = Value::Array(vec![Value::object(members)]);
        let definition = Value::object([("features", features)]).to_string();
        let definition = Definition::parse(&definition).unwrap();
        let rows = tdg_definition::json::parse(&Vectors::generate(&definition, 0, 200).to_json());
        let rows = rows.unwrap();
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row.as_array().unwrap()[0].clone()).collect()
    }

    fn drawn_scalar(name: &str, code: &str) -> Vec<Value> {
        let (kind, distribution, edge_cases) = scalar(&constants(code), name, (0, 1000), "[a-z]");
        drawn(kind, distribution, edge_cases)
    }

    #[test]
    fn numbers_are_drawn_with_their_neighbours() {
        let values = drawn_scalar("u16", "x > 1000");
        for value in [3, 999, 1000] {
            assert!(values.contains(&Value::from(value)), "{value}");
        }
        assert!(!values.contains(&Value::from(1001)) && !values.contains(&Value::from(-1)));
        let floats = drawn_scalar("f64", "x > 12.5");
        assert!(floats.contains(&Value::from(12.5_f64.next_up())));
    }

    #[test]
    fn texts_are_drawn_alone_and_among_others() {
        let code = r#"if text == "a|b" || text.len() > 20 { text.split('%') }"#;
        let values = drawn_scalar("String", code);
        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        assert!(texts.contains(&"a|b") && texts.contains(&"%") && texts.contains(&"20"));
        assert!(
            texts
                .iter()
                .any(|it| it.contains("a|b") && it.contains('%'))
        );
        assert!(texts.iter().any(|it| it.len() == 21));
        let characters = drawn_scalar("char", code);
        assert!(characters.contains(&Value::from("%")) && characters.contains(&Value::from("x")));
    }

    #[test]
    fn numbers_within_texts_become_extreme() {
        let values = drawn_scalar("String", r#"parsed("40:+50 lines")"#);
        for text in ["40:+0 lines", "40:+18446744073709551615 lines"] {
            assert!(values.contains(&Value::from(text)), "{text}");
        }
    }

    #[test]
    fn bytes_are_drawn_alone_and_among_others() {
        let (distribution, edge_cases) = bytes(&constants(r#"bytes.starts_with(b"\xff|")"#));
        let values = drawn("BYTES", distribution, edge_cases);
        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        assert!(texts.contains(&"\\xff|"));
        assert!(texts.iter().any(|it| it.contains("\\xff|") && it.len() > 5));
    }

    #[test]
    fn all_arguments_can_be_drawn_with_any_constants_and_special_floats() {
        let constants = constants(
            r#"-1 + 255 - 9223372036854775807 + 340282366920938463463374607431768211455;
               0.0 - -0.0 + 1e300; "<>&\u{0}é" + "\\d{2}[" + b"\xff]" + b'-' + 'x' + "" + 16"#,
        );
        let scalars = SCALARS.iter().filter(|it| **it != "str");
        let scalars: Vec<Argument> = scalars.map(|it| Argument::Scalar(it)).collect();
        let list = |element: Argument| Argument::List(Box::new(element), Collected::Vec);
        let nested = [
            Argument::Bytes,
            list(list(Argument::Bytes)),
            list(Argument::Tuple(scalars.clone())),
            Argument::Optional(Box::new(Argument::Scalar("String"))),
        ];
        for argument in scalars.into_iter().chain(nested) {
            let definition = |spread| {
                let features = Value::Array(vec![argument.feature(Some("x"), spread)]);
                let definition = Value::object([("features", features)]).to_string();
                Definition::parse(&definition).unwrap_or_else(|it| panic!("{definition}: {it}"))
            };
            let drawn = Vectors::generate(&definition(DrawnFrom::Constants(&constants)), 0, 64);
            let read = Vectors::from_json(&definition(DrawnFrom::Any), &drawn.to_json());
            assert!(read.is_ok(), "{argument:?}: {read:?}");
            definition(DrawnFrom::SpecialFloats);
        }
    }

    proptest! {
        #[test]
        fn all_texts_are_drawn_as_they_are(written in "\\PC{1,8}|[\\x00-\\x7f]{1,8}") {
            let distribution = pattern(&escaped(&written));
            prop_assert_eq!(&drawn("STRING", distribution, None)[0], &Value::from(written));
        }
    }
}
