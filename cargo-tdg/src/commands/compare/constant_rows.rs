//! Values of which some are constants of the code: alone, and among ordinary ones.

use tdg_definition::json::Value;

use crate::sources::Constants;

/// So many numbers or texts are drawn from.
const MOST: usize = 60;
/// A longer list or text of one length takes long.
const LONGEST: i128 = 32;

pub(super) fn integer(constants: &Constants, least: i64, most: u64, ordinary: Value) -> Value {
    let values = constants.integers(least.into(), most.into());
    mixed(values.into_iter().map(Value::from), ordinary)
}

pub(super) fn float(constants: &Constants, ordinary: Value) -> Value {
    mixed(constants.floats().into_iter().map(Value::from), ordinary)
}

/// The length of a list.
pub(super) fn length(constants: &Constants, ordinary: Value) -> Value {
    let values = constants.integers(0, LONGEST);
    mixed(values.into_iter().map(Value::from), ordinary)
}

/// One of the values in two of three cases.
fn mixed(values: impl Iterator<Item = Value>, ordinary: Value) -> Value {
    let values: Vec<Value> = values.take(MOST).collect();
    if values.is_empty() {
        return ordinary;
    }
    let probability = 1.0 / values.len() as f64;
    let categories = values
        .into_iter()
        .map(|value| Value::object([("value", value), ("probability", probability.into())]));
    let constants = Value::object([
        ("type", "categorical".into()),
        ("categories", Value::Array(categories.collect())),
    ]);
    let component = |weight: i32, distribution: Value| {
        Value::object([("weight", weight.into()), ("distribution", distribution)])
    };
    let components = vec![component(2, constants), component(1, ordinary)];
    Value::object([
        ("type", "mixture".into()),
        ("components", Value::Array(components)),
    ])
}

pub(super) fn character(constants: &Constants, ordinary: Value) -> Value {
    let texts = constants.texts().into_iter();
    let texts = texts
        .filter(|it| it.chars().count() == 1)
        .map(|it| escaped(&it));
    match alternatives(texts) {
        Some(characters) => pattern(&format!("{characters}|.")),
        None => ordinary,
    }
}

/// A constant alone, several among other words, words; and words as long as constants say.
pub(super) fn text(constants: &Constants, words: &str, ordinary: Value) -> Value {
    let lengths = constants.lengths(LONGEST).take(8);
    let of_length = lengths.map(|it| format!("[a-z0-9]{{{},{}}}", it - 1, it + 1));
    let of_length = alternatives(of_length).map_or_else(String::new, |it| format!("|{it}"));
    let texts = constants.texts().into_iter().take(MOST);
    let words = format!("({words})");
    match (
        alternatives(texts.map(|it| escaped(&it))),
        of_length.is_empty(),
    ) {
        (Some(texts), _) => pattern(&format!(
            "{texts}|{words}?{texts}({words}?{texts}){{0,2}}{words}?|{words}{of_length}"
        )),
        (None, false) => pattern(&format!("{words}{of_length}")),
        (None, true) => ordinary,
    }
}

/// The same of bytes; nothing if there are no constants.
pub(super) fn bytes(constants: &Constants) -> Option<Value> {
    let texts = constants.bytes().iter().take(MOST).map(|text| {
        let bytes = text.iter().map(|byte| format!("\\x{byte:02x}"));
        bytes.collect::<String>()
    });
    let texts = alternatives(texts)?;
    let other = "[\\x00-\\xff]{0,4}";
    Some(pattern(&format!(
        "(?-u){texts}|{other}{texts}({other}{texts}){{0,2}}{other}|{other}"
    )))
}

fn pattern(regex: &str) -> Value {
    Value::object([("type", "pattern".into()), ("regex", regex.into())])
}

fn alternatives(texts: impl Iterator<Item = String>) -> Option<String> {
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| format!("({})", texts.join("|")))
}

/// As a pattern writes it.
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

    use super::*;

    fn constants(code: &str) -> Constants {
        Constants::of_code(&code.parse().unwrap())
    }

    /// The values that are drawn of that type.
    fn drawn(kind: &str, distribution: &Value) -> Vec<Value> {
        let feature = Value::object([
            ("type", kind.into()),
            ("distribution", distribution.clone()),
        ]);
        let definition = Value::object([("features", Value::Array(vec![feature]))]);
        let definition = Definition::parse(&definition.to_string()).unwrap();
        let rows = tdg_definition::json::parse(&Vectors::generate(&definition, 0, 200).to_json());
        let rows = rows.unwrap();
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row.as_array().unwrap()[0].clone()).collect()
    }

    #[test]
    fn numbers_are_drawn_with_their_neighbours() {
        let ordinary = Value::object([("type", "constant".into()), ("value", 3.into())]);
        let values = drawn(
            "INTEGER",
            &integer(&constants("x > 1000"), 0, 1000, ordinary),
        );
        for value in [3, 999, 1000] {
            assert!(values.contains(&Value::from(value)), "{value}");
        }
        assert!(!values.contains(&Value::from(1001)));
    }

    #[test]
    fn texts_are_drawn_alone_and_among_others() {
        let code = r#"if text == "a|b" || text.len() > 20 { text.split('%') }"#;
        let values = drawn("STRING", &text(&constants(code), "[a-z]", Value::Null));
        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        assert!(texts.contains(&"a|b") && texts.contains(&"%") && texts.contains(&"20"));
        assert!(
            texts
                .iter()
                .any(|it| it.contains("a|b") && it.contains('%'))
        );
        assert!(texts.iter().any(|it| it.len() == 21));
    }

    #[test]
    fn bytes_are_drawn_alone_and_among_others() {
        let code = r#"bytes.starts_with(b"\xff|")"#;
        let values = drawn("BYTES", &bytes(&constants(code)).unwrap());
        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        assert!(texts.contains(&"\\xff|"));
        assert!(texts.iter().any(|it| it.contains("\\xff|") && it.len() > 5));
    }

    proptest! {
        #[test]
        fn all_texts_are_drawn_as_they_are(written in "\\PC{1,8}|[\\x00-\\x7f]{1,8}") {
            let distribution = pattern(&escaped(&written));
            prop_assert_eq!(&drawn("STRING", &distribution)[0], &Value::from(written));
        }
    }
}
