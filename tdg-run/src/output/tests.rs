use std::collections::{BTreeMap, HashMap};
use std::fmt;

use proptest::prelude::*;
use serde::ser::{self, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tdg_definition::json::{DEPTH_LIMIT, parse};

use super::*;

fn json<T: Serialize + ?Sized>(output: &T) -> String {
    to_value(output).unwrap().to_string()
}

fn fails<T: Serialize + ?Sized>(output: &T) -> String {
    to_value(output).unwrap_err().to_string()
}

#[derive(Serialize)]
struct Order {
    price: f64,
    coupon: Option<&'static str>,
    #[serde(rename = "$id")]
    id: u8,
    lines: (i8, char, ()),
}

#[derive(Serialize)]
enum Shape {
    Empty,
    Circle(f32),
    Line(i32, i32),
    Box { width: u8, height: u8 },
}

#[derive(Serialize)]
struct Meters(f64);

#[derive(Serialize)]
struct Nothing;

#[derive(Serialize)]
struct Flattened {
    a: u8,
    #[serde(flatten)]
    rest: HashMap<&'static str, u8>,
}

#[test]
fn scalars_are_themselves() {
    assert_eq!(json(&true), "true");
    assert_eq!(json(&-7_i8), "-7");
    assert_eq!(json(&u64::MAX), u64::MAX.to_string());
    assert_eq!(json(&i128::MIN), i128::MIN.to_string());
    assert_eq!(json(&u128::MAX), u128::MAX.to_string());
    assert_eq!(json(&1.0_f64), "1.0");
    assert_eq!(json(&-0.0_f64), "-0.0");
    assert_eq!(json(&0.1_f32), "0.1");
    assert_eq!(json("é\n"), r#""é\n""#);
    assert_eq!(json(&'é'), r#""é""#);
    assert_eq!(json(&()), "null");
    assert_eq!(json(&Nothing), "null");
    assert_eq!(json(&None::<u8>), "null");
    assert_eq!(json(&Some(Meters(1.5))), "1.5");
}

#[test]
fn floats_that_json_has_not_are_floats_all_the_same() {
    let floats = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    assert_eq!(
        to_value(&floats).unwrap(),
        Value::from(floats.map(Value::from).to_vec())
    );
    assert_eq!(json(&f32::NAN), r#"{"$float":"NaN"}"#);
}

#[test]
fn a_struct_is_an_object_with_sorted_keys() {
    let order = Order {
        price: 12.5,
        coupon: None,
        id: 1,
        lines: (-1, 'x', ()),
    };
    assert_eq!(
        json(&order),
        r#"{"$$id":1,"coupon":null,"lines":[-1,"x",null],"price":12.5}"#
    );
}

#[test]
fn enums_are_tagged_as_serde_json_tags_them() {
    for shape in [
        Shape::Empty,
        Shape::Circle(0.5),
        Shape::Line(1, 2),
        Shape::Box {
            width: 1,
            height: 2,
        },
    ] {
        let peer = serde_json::to_string(&shape).unwrap();
        assert_eq!(to_value(&shape).unwrap(), parse(&peer).unwrap());
    }
    assert_eq!(json(&Ok::<_, String>(1)), r#"{"Ok":1}"#);
    assert_eq!(json(&Err::<u8, _>("sold out")), r#"{"Err":"sold out"}"#);
}

#[test]
fn a_map_with_string_keys_is_an_object() {
    #[derive(Serialize, PartialEq, Eq, Hash)]
    enum Size {
        Small,
        Large,
    }
    assert_eq!(
        json(&HashMap::from([("b", 1), ("a", 2)])),
        r#"{"a":2,"b":1}"#
    );
    assert_eq!(
        json(&HashMap::from([('b', 1), ('a', 2)])),
        r#"{"a":2,"b":1}"#
    );
    assert_eq!(
        json(&HashMap::from([(Size::Small, 1), (Size::Large, 2)])),
        r#"{"Large":2,"Small":1}"#
    );
    assert_eq!(json(&HashMap::<u8, u8>::new()), "{}");
}

#[test]
fn a_map_with_other_keys_is_an_array_of_pairs_in_their_order() {
    assert_eq!(
        json(&HashMap::from([(10, "b"), (9, "a")])),
        r#"[[9,"a"],[10,"b"]]"#
    );
    assert_eq!(
        json(&HashMap::from([((1, "x"), 1), ((0, "y"), 2)])),
        r#"[[[0,"y"],2],[[1,"x"],1]]"#
    );
    assert_eq!(
        json(&HashMap::from([(Some("a"), 1), (None, 2), (Some("$"), 3)])),
        r#"[[null,2],["$",3],["a",1]]"#
    );
    assert_eq!(
        json(&BTreeMap::from([(
            "outer",
            BTreeMap::from([(false, BTreeMap::from([(1, 2)]))])
        )])),
        r#"{"outer":[[false,[[1,2]]]]}"#
    );
}

#[test]
fn a_key_that_begins_with_a_dollar_sign_is_never_ours() {
    let keys = HashMap::from([("$float", "NaN"), ("$$float", "x"), ("a$", "y")]);
    assert_eq!(json(&keys), r#"{"$$$float":"x","$$float":"NaN","a$":"y"}"#);
    assert_eq!(
        json(&serde_json::json!({"$float": "NaN"})),
        r#"{"$$float":"NaN"}"#
    );
}

#[test]
fn bytes_are_an_array_of_numbers() {
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&[0, 255])
        }
    }
    assert_eq!(json(&Bytes), "[0,255]");
}

#[test]
fn flattened_fields_stand_with_the_others() {
    let rest = HashMap::from([("b", 2), ("0", 3)]);
    assert_eq!(json(&Flattened { a: 1, rest }), r#"{"0":3,"a":1,"b":2}"#);
}

#[test]
fn a_key_that_comes_twice_is_an_error() {
    let rest = HashMap::from([("a", 2)]);
    assert_eq!(
        fails(&[Flattened { a: 1, rest }]),
        "/0: the output has the key \"a\" twice; a field that is renamed or flattened may give it"
    );
}

#[test]
fn an_error_of_the_output_itself_says_where() {
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(ser::Error::custom("no rate for XYZ"))
        }
    }
    #[derive(Serialize)]
    enum Quote {
        Of { rate: Broken },
        At(u8, Broken),
        Only(Broken),
    }
    assert_eq!(fails(&Broken), "no rate for XYZ");
    let lines = BTreeMap::from([("a/b", vec![Quote::Of { rate: Broken }])]);
    assert_eq!(fails(&lines), "/a~1b/0/Of/rate: no rate for XYZ");
    assert_eq!(fails(&Quote::At(1, Broken)), "/At/1: no rate for XYZ");
    assert_eq!(fails(&Quote::Only(Broken)), "/Only: no rate for XYZ");
    assert_eq!(fails(&HashMap::from([(7, Broken)])), "/7: no rate for XYZ");
}

#[test]
fn what_serde_json_hides_is_found() {
    // The form of its `Number` when `arbitrary_precision` is on.
    #[derive(Serialize)]
    #[serde(rename = "$serde_json::private::Number")]
    struct Precise {
        #[serde(rename = "$serde_json::private::Number")]
        text: &'static str,
    }
    let precise = |text| Precise { text };
    assert_eq!(
        json(&[precise("1.10"), precise("18446744073709551616")]),
        "[1.1,18446744073709551616]"
    );
    assert_eq!(
        fails(&[precise("1e400")]),
        "/0: serde_json's text of a value: line 1, column 1: \
         expected a number within the range of a 64-bit float, found 1e400"
    );

    let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
    assert_eq!(
        json(&[raw(r#"{"b": [1.10, null], "a": {"$float": "NaN"}}"#)]),
        r#"[{"a":{"$$float":"NaN"},"b":[1.1,null]}]"#
    );
    let deep = raw(&format!("{}{}", "[".repeat(100), "]".repeat(100)));
    assert_eq!(fails(&deep), "the output is nested deeper than 60 levels");
    assert!(fails(&raw(r#"{"a":1,"a":2}"#)).contains("\"a\" twice"));
}

/// That number of sequences within each other.
struct Nested(usize);

impl Serialize for Nested {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_unit(),
            depth => serializer.collect_seq([Nested(depth - 1)]),
        }
    }
}

#[test]
fn nesting_has_a_limit() {
    assert!(to_value(&Nested(60)).is_ok());
    let error = to_value(&Nested(1_000_000)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("/0: the output is nested deeper than 60 levels")
    );
    assert_eq!(error.pointer().depth(), 60);
}

#[test]
fn pairs_count_as_levels() {
    struct Pairs(usize);
    impl Serialize for Pairs {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            if self.0 > 0 {
                map.serialize_entry(&Some("key"), &Pairs(self.0 - 1))?;
                map.serialize_entry(&None::<u8>, &())?;
            }
            map.end()
        }
    }
    let deepest = (0..60)
        .take_while(|&depth| to_value(&Pairs(depth)).is_ok())
        .last();
    assert_eq!(deepest, Some(29));
    let text = json(&Pairs(29));
    assert!(
        parse(&format!(
            "{}{text}{}",
            "[".repeat(DEPTH_LIMIT - 60),
            "]".repeat(DEPTH_LIMIT - 60)
        ))
        .is_ok()
    );
}

#[test]
fn a_type_that_is_recursive_without_a_trace_is_an_error_too() {
    struct Wrapped;
    impl Serialize for Wrapped {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_some(&Wrapped)
        }
    }
    assert_eq!(
        fails(&Wrapped),
        "the output is nested deeper than 60 levels"
    );
}

#[test]
fn what_is_displayed_is_a_string() {
    struct Shown;
    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("shown")
        }
    }
    impl Serialize for Shown {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }
    assert_eq!(json(&Shown), r#""shown""#);
}

fn any_peer() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        ".{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::hash_map("[a-z]{0,3}", inner, 0..5)
                .prop_map(|entries| serde_json::Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_json_value_of_serde_json_is_the_value_that_its_text_says(peer in any_peer()) {
        prop_assert_eq!(to_value(&peer).unwrap(), parse(&peer.to_string()).unwrap());
    }

    #[test]
    fn an_f32_is_read_back_from_its_number(bits in any::<u32>()) {
        let float = f32::from_bits(bits);
        let number = to_value(&float).unwrap().as_f64().unwrap();
        prop_assert!(number as f32 == float || float.is_nan() && number.is_nan());
    }

    #[test]
    fn the_order_of_a_hash_map_does_not_show(keys in prop::collection::vec(any::<i16>(), 0..30)) {
        let forwards: HashMap<i16, i16> = keys.iter().map(|&key| (key, key)).collect();
        let backwards: HashMap<i16, i16> = keys.iter().rev().map(|&key| (key, key)).collect();
        prop_assert_eq!(json(&forwards), json(&backwards));
    }
}
