use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::*;
use tdg_definition::json::Value;

use super::{read, write};

fn parsed(value: impl Debug) -> String {
    read(&format!("{value:?}")).to_string()
}

/// Collects the texts that couldn't be read further, in order.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(texts).collect(),
        Value::Object(object) => match object.get("$text") {
            Some(text) => vec![text.as_str().unwrap().to_owned()],
            None => object.values().flat_map(texts).collect(),
        },
        _ => Vec::new(),
    }
}

#[derive(Clone, Debug)]
#[allow(dead_code)]
enum Shape {
    Circle { r: f64 },
    Square { r: f64 },
    Point(i32, i32),
    Named(Named),
    Empty,
}

#[derive(Clone, Debug)]
#[allow(dead_code)]
struct Named {
    name: String,
    sign: char,
}

#[derive(Debug)]
struct Metres<T>(T);

/// Writes its content verbatim.
struct Raw(&'static str);

impl Debug for Raw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

fn named() -> Named {
    Named {
        name: "a \"b\", {c\n".to_owned(),
        sign: '\'',
    }
}

#[test]
fn names_come_with_their_fields() {
    insta::assert_snapshot!(parsed(Shape::Circle { r: 1.0 }), @r#"{"$name":"Circle","r":1.0}"#);
    insta::assert_snapshot!(parsed(Shape::Point(3, -4)), @r#"{"$name":"Point","0":3,"1":-4}"#);
    insta::assert_snapshot!(parsed(Shape::Empty), @r#"{"$name":"Empty"}"#);
    insta::assert_snapshot!(parsed(named()), @r#"{"$name":"Named","name":"a \"b\", {c\n","sign":{"$char":"'"}}"#);
}

#[test]
fn a_name_around_a_named_value_adds_no_place() {
    insta::assert_snapshot!(parsed(Shape::Named(named())), @r#"{"$name":"Named(Named)","name":"a \"b\", {c\n","sign":{"$char":"'"}}"#);
    insta::assert_snapshot!(parsed(Some(Shape::Empty)), @r#"{"$name":"Some(Empty)"}"#);
    insta::assert_snapshot!(parsed(Some(Some(()))), @r#"{"$name":"Some(Some(()))"}"#);
    insta::assert_snapshot!(parsed(Some(Metres(Some(2.5)))), @r#"{"$name":"Some(Metres(Some))","0":2.5}"#);
    insta::assert_snapshot!(parsed([Some(1), None]), @r#"[{"$name":"Some","0":1},{"$name":"None"}]"#);
}

#[test]
fn tuples_lists_sets_and_maps_are_distinguished() {
    insta::assert_snapshot!(parsed(((), (1,), (1, "a"))), @r#"{"$name":"()","0":{"$name":"()"},"1":{"$name":"()","0":1},"2":{"$name":"()","0":1,"1":"a"}}"#);
    insta::assert_snapshot!(parsed(vec![vec![1, 2], vec![]]), @"[[1,2],[]]");
    insta::assert_snapshot!(parsed(BTreeSet::from(["a", "b"])), @r#"{"$set":["a","b"]}"#);
    insta::assert_snapshot!(parsed(BTreeMap::from([("$a", 1), ("b: c", 2)])), @r#"{"$$a":1,"b: c":2}"#);
    insta::assert_snapshot!(parsed(BTreeMap::from([((1, 2), 'x')])), @r#"{"$keys":"debug","(1, 2)":{"$char":"x"}}"#);
    insta::assert_snapshot!(parsed(BTreeMap::<i32, i32>::new()), @"{}");
}

#[test]
fn the_layout_on_several_lines_says_the_same() {
    fn assert_same(value: impl Debug) {
        let (one, several) = (format!("{value:?}"), format!("{value:#?}"));
        assert_eq!(read(&several), read(&one), "{several}");
        // Nested in text on one line.
        let (one, several) = (
            format!("Outer {{ a: {one}, b: 2 }}"),
            format!("Outer {{ a: {several}, b: 2 }}"),
        );
        assert_eq!(read(&several), read(&one), "{several}");
    }
    assert_same(named());
    assert_same(Some(Shape::Named(named())));
    assert_same((((), (1,), (1, "a")), Some(Metres((2.5,)))));
    assert_same([vec![Shape::Circle { r: 1.0 }, Shape::Point(1, 2)], vec![]]);
    assert_same((BTreeSet::from(["a", "b"]), BTreeMap::<i32, i32>::new()));
    assert_same(BTreeMap::from([("a {", vec![1])]));
    assert_same(BTreeMap::from([((1, 2), Metres('x'))]));
    assert_same(Mutex::new(named()));
    for text in [
        "a\nb",
        "Foo {\na: 1,\n}",
        "Foo {\n    a: 1,\n",
        "(\n        1,\n)",
        "\n",
        "Foo {\n    a\n    b\n]",
    ] {
        assert_eq!(texts(&read(text)), [text]);
    }
}

#[test]
fn numbers_keep_their_digits() {
    let numbers = (0.1_f32, f32::MAX, 1e-7, 1e16, i128::MIN, u128::MAX, -0.5);
    insta::assert_snapshot!(parsed(numbers), @r#"{"$name":"()","0":0.1,"1":3.4028235e38,"2":1e-7,"3":1e16,"4":-170141183460469231731687303715884105728,"5":340282366920938463463374607431768211455,"6":-0.5}"#);
    insta::assert_snapshot!(parsed([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]), @r#"[{"$float":"NaN"},{"$float":"Infinity"},{"$float":"-Infinity"}]"#);
    insta::assert_snapshot!(read("[12.50, 007, 9007199254740993.0, 0.1000000000000000055]"), @r#"[12.5,{"$text":"007"},{"$text":"9007199254740993.0"},{"$text":"0.1000000000000000055"}]"#);
}

#[test]
fn a_part_that_cant_be_read_costs_its_neighbours_nothing() {
    #[derive(Debug)]
    #[allow(dead_code)]
    struct Neighbours<T> {
        before: i32,
        value: T,
        after: (f64, Option<char>),
    }
    let within = |value: &dyn Debug| {
        let neighbours = Neighbours {
            before: 1,
            value,
            after: (2.0, Some('x')),
        };
        let value = read(&format!("{neighbours:?}"));
        assert_eq!(value.get("before"), Some(&1.into()), "{value}");
        let after = value.get("after").map(Value::to_string);
        let expected = r#"{"$name":"()","0":2.0,"1":{"$name":"Some","0":{"$char":"x"}}}"#;
        assert_eq!(after.as_deref(), Some(expected), "{value}");
        value.get("value").unwrap().to_string()
    };
    insta::assert_snapshot!(within(&(0..3)), @r#"{"$text":"0..3"}"#);
    insta::assert_snapshot!(within(&Duration::from_millis(1500)), @r#"{"$text":"1.5s"}"#);
    insta::assert_snapshot!(within(&PhantomData::<BTreeMap<(i32, u8), fn(i32) -> u8>>), @r#"{"$text":"PhantomData<alloc::collections::btree::map::BTreeMap<(i32, u8), fn(i32) -> u8>>"}"#);
    insta::assert_snapshot!(within(&Mutex::new(1)), @r#"{"$name":"Mutex","$rest":true,"data":1,"poisoned":false}"#);
    for text in [
        "2021-01-01T00:00:00Z",
        "12:30: 5",
        "<locked>",
        r#"b"a\xff, \"b""#,
        "1,234.5",
        "it's",
        "5\" wide",
        "\"never closed",
        "'",
        "(5",
        "[0, 5)",
        "a < b, c > d",
        "-> 3 [",
        "Foo{a:1}",
        "Foo { a }",
        "Foo()",
        "Foo {}",
        "(1)",
        "{1: 2, 3}",
        r#"{"a": 1, "a": 2}"#,
        r"'\q'",
        "",
    ] {
        let value = parsed(Raw(text));
        assert_eq!(value, Value::object([("$text", text.into())]).to_string());
    }
}

#[test]
fn what_is_nested_too_deep_is_text() {
    let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    assert!(texts(&read(&nested(60))).is_empty());
    assert_eq!(texts(&read(&nested(61))), ["[1]"]);
    assert_eq!(texts(&read(&nested(100_000))), [nested(99_940)]);
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    let size = 1 << 20;
    for part in [
        "[", "]", "(", "<a", "{\"", "\"\\", "\"a, ", "[(", "a<", "', '", "{a: ", "Some(", "[])",
        "\\\"",
    ] {
        let text = part.repeat(size / part.len());
        assert_eq!(write(&read(&text)).as_deref(), Some(&*text));
    }
    let text = "[".repeat(size) + &")".repeat(size) + &"(]".repeat(size);
    assert_eq!(write(&read(&text)).as_deref(), Some(&*text));
}

/// Values as `{:?}` writes them, with fields and keys sorted by name.
fn written() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        any::<f64>().prop_map(|it| format!("{it:?}")),
        any::<f32>().prop_map(|it| format!("{it:?}")),
        any::<i128>().prop_map(|it| format!("{it:?}")),
        any::<bool>().prop_map(|it| format!("{it:?}")),
        any::<String>().prop_map(|it| format!("{it:?}")),
        any::<char>().prop_map(|it| format!("{it:?}")),
        "[A-Z][a-z]{0,3}",
        "[0-9]{4}-[0-9]{2}-[0-9]{2}",
        "[0-9]\\.\\.[0-9]",
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let keys = || prop::collection::btree_map(any::<String>(), inner.clone(), 1..3);
        let fields = prop::collection::btree_map("[a-z]{1,3}", inner.clone(), 1..4);
        let list = prop::collection::vec(inner.clone(), 0..4);
        let entries = |map: BTreeMap<String, String>| {
            let entries = map.iter().map(|(key, value)| format!("{key}: {value}"));
            entries.collect::<Vec<_>>().join(", ")
        };
        let quoted = |(key, value): (String, String)| (format!("{key:?}"), value);
        prop_oneof![
            ("[A-Z][a-z]{0,3}", fields)
                .prop_map(move |(name, it)| format!("{name} {{ {} }}", entries(it))),
            (
                "[A-Z][a-z]{0,3}",
                prop::collection::vec(inner.clone(), 1..12)
            )
                .prop_map(|(name, it)| format!("{name}({})", it.join(", "))),
            list.clone().prop_map(|it| format!("[{}]", it.join(", "))),
            list.clone().prop_map(|it| format!("{{{}}}", it.join(", "))),
            list.prop_map(|it| format!(
                "({}{})",
                it.join(", "),
                if it.len() == 1 { "," } else { "" }
            )),
            keys().prop_map(move |it| format!(
                "{{{}}}",
                entries(it.into_iter().map(quoted).collect())
            )),
        ]
    })
}

/// Arbitrary sequences of the significant signs.
fn signs() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(vec![
        "a", "B", "1", "\"", ", ", ": ", ",", ":", " ", "{", "}", "[", "]", "(", ")", "<", ">",
        "..", "B(", "B { a: ", " }", "\"a\"", "\\", "$", "-", "b\"",
    ]);
    prop::collection::vec(sign, 0..14).prop_map(|signs| signs.concat())
}

fn sorted(text: &str) -> Vec<char> {
    let mut characters: Vec<char> = text.chars().collect();
    characters.sort_unstable();
    characters
}

#[test]
fn a_field_may_write_nothing() {
    for text in [
        "B { a: }",
        "B { a: 1, }",
        "B { a:  }",
        "[1, ]",
        "B(C { a: })",
        "B { a: 1, b: }",
    ] {
        let value = read(text);
        assert_eq!(write(&value).unwrap(), text, "{value}");
    }
}

/// A value that covers all forms of `Debug` output.
#[derive(Clone)]
enum Node {
    Number(f64),
    Text(String),
    Struct(String, Vec<Self>),
    Tuple(String, Vec<Self>),
    List(Vec<Self>),
    Set(Vec<Self>),
    Map(Vec<(Self, Self)>),
}

impl Debug for Node {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Text(text) => text.fmt(formatter),
            Self::Struct(name, fields) => {
                let mut all = formatter.debug_struct(name);
                let fields = fields.iter().enumerate();
                fields.for_each(|(index, field)| {
                    all.field(&format!("f{index}"), field);
                });
                all.finish()
            }
            Self::Tuple(name, fields) => {
                let mut all = formatter.debug_tuple(name);
                fields.iter().for_each(|field| {
                    all.field(field);
                });
                all.finish()
            }
            Self::List(all) => formatter.debug_list().entries(all).finish(),
            Self::Set(all) => formatter.debug_set().entries(all).finish(),
            Self::Map(all) => formatter
                .debug_map()
                .entries(all.iter().map(|(key, value)| (key, value)))
                .finish(),
        }
    }
}

fn nodes() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        any::<f64>().prop_map(Node::Number),
        any::<String>().prop_map(Node::Text)
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        let several = || prop::collection::vec(inner.clone(), 0..4);
        let entries = prop::collection::vec((inner.clone(), inner.clone()), 0..3);
        prop_oneof![
            ("[A-Z][a-z]{0,3}", several()).prop_map(|(name, all)| Node::Struct(name, all)),
            ("([A-Z][a-z]{0,3})?", several()).prop_map(|(name, all)| Node::Tuple(name, all)),
            several().prop_map(Node::List),
            several().prop_map(Node::Set),
            entries.prop_map(Node::Map),
        ]
    })
}

proptest! {
    #[test]
    fn the_layout_on_several_lines_is_read_as_that_on_one(node in nodes()) {
        prop_assert_eq!(read(&format!("{node:#?}")), read(&format!("{node:?}")));
    }

    #[test]
    fn a_value_is_written_as_it_was_read(text in written()) {
        let value = read(&text);
        prop_assert_eq!(write(&value).map(|it| read(&it)), Some(value.clone()));
        // Keys are sorted by content rather than by text.
        prop_assert_eq!(sorted(&write(&value).unwrap()), sorted(&text), "{}", value);
    }

    #[test]
    fn no_sign_of_a_text_is_lost(text in signs()) {
        let value = read(&text);
        let written = write(&value).unwrap();
        prop_assert_eq!(sorted(&written), sorted(&text), "{}", &value);
        prop_assert_eq!(read(&written), value);
        if !text.contains('{') {
            prop_assert_eq!(written, text);
        }
    }
}
