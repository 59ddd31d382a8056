use serde::Deserialize;

use super::{BindError, feature_or_row};
use crate::row::Vectors;
use tdg_definition::Definition;

/// Draws a row: amount 12.5, quantity 3, coupon "HALF", gone null, paid true, placed and due as
/// text.
fn order() -> Vectors {
    let constant = |name: &str, kind: &str, value: &str, more: &str| {
        format!(
            r#"{{"feature_name":"{name}","type":"{kind}","distribution":{{"type":"constant","value":{value}}}{more}}}"#
        )
    };
    let features = [
        constant("amount", "FLOAT", "12.5", ""),
        constant("quantity", "INTEGER", "300", ""),
        constant("coupon", "STRING", "\"Half\"", ""),
        constant("gone", "STRING", "\"\"", r#","null_probability":1"#),
        constant("paid", "BOOLEAN", "true", ""),
        constant("placed", "DATETIME", "\"2021-03-08T22:14:28Z\"", ""),
        constant("due", "DATE", "\"2021-03-09\"", ""),
        constant("id", "INTEGER", "18446744073709551615", ""),
    ];
    let text = format!(r#"{{"features":[{}]}}"#, features.join(","));
    Vectors::generate(&Definition::parse(&text).unwrap(), 0, 1)
}

fn get<'a, T: Deserialize<'a>>(vectors: &'a Vectors, feature: &str) -> Result<T, BindError> {
    vectors.row(0).get(feature)
}

#[derive(Debug, PartialEq, Deserialize)]
enum Coupon {
    Half,
}

#[test]
fn a_feature_becomes_what_is_asked_for() {
    let vectors = order();
    assert_eq!(get(&vectors, "amount"), Ok(12.5_f64));
    assert_eq!(get(&vectors, "amount"), Ok(12.5_f32));
    assert_eq!(get(&vectors, "quantity"), Ok(300_u16));
    assert_eq!(get(&vectors, "quantity"), Ok(300.0_f64));
    assert_eq!(get(&vectors, "quantity"), Ok(300_i128));
    assert_eq!(get(&vectors, "id"), Ok(u64::MAX));
    assert_eq!(get(&vectors, "coupon"), Ok("Half"));
    assert_eq!(get(&vectors, "coupon"), Ok(Coupon::Half));
    assert_eq!(get(&vectors, "coupon"), Ok(Some(Coupon::Half)));
    assert_eq!(get(&vectors, "gone"), Ok(None::<&str>));
    assert_eq!(get(&vectors, "gone"), Ok(()));
    assert_eq!(get(&vectors, "paid"), Ok(true));
    assert_eq!(get(&vectors, "placed"), Ok("2021-03-08T22:14:28Z"));
    assert_eq!(get(&vectors, "due"), Ok("2021-03-09".to_owned()));
}

#[test]
fn bytes_become_what_is_asked_for() {
    let text = r#"{"features": [
        {"feature_name": "mark", "type": "BYTES",
         "distribution": {"type": "constant", "value": "\\xff\\xd8"}},
        {"feature_name": "text", "type": "BYTES",
         "distribution": {"type": "constant", "value": "Half"}},
        {"feature_name": "gone", "type": "BYTES", "null_probability": 1,
         "distribution": {"type": "any"}}
    ]}"#;
    #[derive(Debug, PartialEq, Deserialize)]
    struct Owned(Vec<u8>);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Lent<'a>(&'a [u8]);
    let vectors = Vectors::generate(&Definition::parse(text).unwrap(), 0, 1);
    assert_eq!(get(&vectors, "mark"), Ok(&b"\xff\xd8"[..]));
    assert_eq!(get(&vectors, "mark"), Ok(b"\xff\xd8".to_vec()));
    assert_eq!(get(&vectors, "mark"), Ok(*b"\xff\xd8"));
    assert_eq!(
        get(&vectors, "mark"),
        Ok(Some(Box::<[u8]>::from(*b"\xff\xd8")))
    );
    assert_eq!(get(&vectors, "mark"), Ok(Owned(b"\xff\xd8".to_vec())));
    assert_eq!(get(&vectors, "mark"), Ok(Lent(b"\xff\xd8")));
    assert_eq!(get(&vectors, "text"), Ok("Half"));
    assert_eq!(get(&vectors, "gone"), Ok(None::<&[u8]>));
    let said = |error: BindError| error.to_string();
    insta::assert_snapshot!(said(get::<[u8; 3]>(&vectors, "mark").unwrap_err()), @r#"row 0: feature `mark` (BYTES) is "\\xff\\xd8": invalid length 2, expected an array of length 3; BYTES fits &[u8], a Vec<u8> or an array of u8"#);
    insta::assert_snapshot!(said(get::<[u8; 1]>(&vectors, "mark").unwrap_err()), @r#"row 0: feature `mark` (BYTES) is "\\xff\\xd8": invalid length 2, expected 1 element in sequence; BYTES fits &[u8], a Vec<u8> or an array of u8"#);
    insta::assert_snapshot!(said(get::<&str>(&vectors, "mark").unwrap_err()), @r#"row 0: feature `mark` (BYTES) is "\\xff\\xd8": invalid value: byte array, expected a borrowed string; BYTES fits &[u8], a Vec<u8> or an array of u8"#);
    insta::assert_snapshot!(said(get::<u8>(&vectors, "mark").unwrap_err()), @r#"row 0: feature `mark` (BYTES) is "\\xff\\xd8": invalid type: byte array, expected u8; BYTES fits &[u8], a Vec<u8> or an array of u8"#);
}

#[test]
fn a_value_that_does_not_fit_is_named_with_its_feature() {
    let vectors = order();
    let said = |error: BindError| error.to_string();
    insta::assert_snapshot!(said(get::<u8>(&vectors, "quantity").unwrap_err()), @"row 0: feature `quantity` (INTEGER) is 300: invalid value: integer `300`, expected u8; INTEGER fits i64 or u64");
    insta::assert_snapshot!(said(get::<i64>(&vectors, "amount").unwrap_err()), @"row 0: feature `amount` (FLOAT) is 12.5: invalid type: floating point `12.5`, expected i64; FLOAT fits f64");
    insta::assert_snapshot!(said(get::<&str>(&vectors, "gone").unwrap_err()), @"row 0: feature `gone` (STRING) is null; it has nulls, so take an Option");
    insta::assert_snapshot!(said(get::<Option<f64>>(&vectors, "coupon").unwrap_err()), @r#"row 0: feature `coupon` (STRING) is "Half": invalid type: string "Half", expected f64; STRING fits &str, String or an enum of its values"#);
    insta::assert_snapshot!(said(get::<i64>(&vectors, "id").unwrap_err()), @"row 0: feature `id` (INTEGER) is 18446744073709551615: invalid value: integer `18446744073709551615`, expected i64; INTEGER fits i64 or u64");
    insta::assert_snapshot!(said(get::<i64>(&vectors, "quantiy").unwrap_err()), @"unknown feature `quantiy`; did you mean `quantity`?");
    insta::assert_snapshot!(said(vectors.row(0).to::<f64>().unwrap_err()), @"a row of 8 features is not a single value: take a struct with fields of their names, a tuple of 8, or name the parameters after the features");
    insta::assert_snapshot!(said(vectors.row(0).to::<(f64, i64)>().unwrap_err()), @"a row has 8 features, but the tuple has 2 elements");
}

#[test]
fn a_row_becomes_a_struct_by_names_and_a_tuple_by_order() {
    #[derive(Deserialize)]
    struct Order<'a> {
        coupon: &'a str,
        amount: f64,
        gone: Option<String>,
        #[serde(default)]
        absent: u8,
    }
    let vectors = order();
    let order: Order<'_> = vectors.row(0).to().unwrap();
    assert_eq!(
        (order.coupon, order.amount, order.gone, order.absent),
        ("Half", 12.5, None, 0)
    );
    type Whole<'a> = (f64, u16, &'a str, Option<()>, bool, &'a str, &'a str, u64);
    let whole: Whole<'_> = vectors.row(0).to().unwrap();
    assert_eq!((whole.0, whole.7), (12.5, u64::MAX));
    let value: serde_json::Value = vectors.row(0).to().unwrap();
    assert_eq!(value["coupon"], "Half");
    assert_eq!(vectors.bind::<Order<'_>>().unwrap().len(), 1);
}

#[test]
fn a_missing_field_and_a_wrong_one_say_which() {
    #[derive(Debug, Deserialize)]
    struct Missing {
        #[allow(dead_code)]
        price: f64,
    }
    #[derive(Debug, Deserialize)]
    struct Wrong {
        #[allow(dead_code)]
        coupon: f64,
    }
    let vectors = order();
    insta::assert_snapshot!(vectors.row(0).to::<Missing>().unwrap_err(), @"the struct has a field `price`, but there is no such feature; rename one of them, or give the field `#[serde(default)]`");
    insta::assert_snapshot!(vectors.row(0).to::<Wrong>().unwrap_err(), @r#"row 0: feature `coupon` (STRING) is "Half": invalid type: string "Half", expected f64; STRING fits &str, String or an enum of its values"#);
}

#[test]
fn the_only_feature_is_a_value_on_its_own() {
    let text = r#"{"features":[{"type":"INTEGER","null_probability":0.5,"distribution":{"type":"uniform","min":1,"max":6}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(text).unwrap(), 0, 20);
    let rolls: Vec<Option<u8>> = vectors.bind().unwrap();
    assert!(rolls.contains(&None) && rolls.iter().flatten().all(|roll| (1..=6).contains(roll)));
    #[derive(Deserialize)]
    struct Roll(Option<u8>);
    assert_eq!(vectors.row(3).to::<Roll>().unwrap().0, rolls[3]);
}

#[test]
fn a_parameter_of_unknown_meaning_is_its_feature_else_the_row() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Order {
        amount: f64,
    }
    let vectors = order();
    let row = vectors.row(0);
    assert_eq!(feature_or_row(&row, "amount"), Ok(12.5));
    assert_eq!(feature_or_row(&row, "order"), Ok(Order { amount: 12.5 }));
    let error = |name| feature_or_row::<f64>(&row, name).unwrap_err().to_string();
    assert!(error("amuont").ends_with("; or did you mean the feature `amount`?"));
    assert!(error("price").ends_with("name the parameters after the features"));
}

/// Draws rows of a list of quantities, of objects in a list, and of an object.
fn nested() -> Vectors {
    let text = r#"{"features": [
        {"feature_name": "quantities", "type": "LIST", "distribution": {"type": "list",
         "length": {"min": 0, "max": 3},
         "element": {"type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}}}},
        {"feature_name": "lines", "type": "LIST", "distribution": {"type": "list", "length": 2,
         "element": {"type": "OBJECT", "distribution": {"type": "object", "features": [
            {"feature_name": "sku", "type": "STRING",
             "distribution": {"type": "pattern", "regex": "[A-Z]{2}[0-9]"}},
            {"feature_name": "price", "type": "FLOAT", "null_probability": 0.5,
             "distribution": {"type": "uniform", "min": 1, "max": 9}, "decimals": 1},
            {"feature_name": "due", "type": "DATE", "distribution":
             {"type": "uniform", "min": "2024-01-01", "max": "2024-12-31"}}]}}}},
        {"feature_name": "point", "type": "OBJECT", "distribution": {"type": "object", "features": [
            {"feature_name": "x", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 0, "max": 9}},
            {"feature_name": "y", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 0, "max": 9}}]}}
    ]}"#;
    Vectors::generate(&Definition::parse(text).unwrap(), 0, 20)
}

#[derive(Debug, PartialEq, Deserialize)]
struct Line<'a> {
    sku: String,
    price: Option<f64>,
    due: &'a str,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Point {
    x: i32,
    y: u8,
}

#[test]
fn lists_and_objects_become_what_is_asked_for() {
    let vectors = nested();
    for row in vectors.rows() {
        let json = vectors.table().object(row.index());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let quantities: Vec<u8> = row.get("quantities").unwrap();
        assert_eq!(serde_json::json!(quantities), json["quantities"]);
        let lines: Vec<Line<'_>> = row.get("lines").unwrap();
        let [first, second]: [Line<'_>; 2] = row.get("lines").unwrap();
        assert_eq!(lines, [first, second]);
        for (line, json) in lines.iter().zip(json["lines"].as_array().unwrap()) {
            assert_eq!(serde_json::json!(line.sku), json["sku"]);
            assert_eq!(serde_json::json!(line.price), json["price"]);
            assert_eq!(serde_json::json!(line.due), json["due"]);
        }
        let point: Point = row.get("point").unwrap();
        let (x, y): (i32, u8) = row.get("point").unwrap();
        assert_eq!(point, Point { x, y });
    }
}

#[test]
fn a_part_that_does_not_fit_is_named() {
    let vectors = nested();
    let row = vectors.row(0);
    let said = |error: BindError| error.to_string();
    insta::assert_snapshot!(said(row.get::<i64>("quantities").unwrap_err()), @"row 0: feature `quantities` (LIST) is [8]: invalid type: sequence, expected i64; LIST fits a Vec, an array or a map");
    insta::assert_snapshot!(said(row.get::<Vec<bool>>("lines").unwrap_err()), @r#"row 0: feature `lines` (LIST) is [{"sku":"ZR1","price":8.2,"due":"2024-12-05"},{"sku":"ZB2","price":7.8,"due":"2024-08-13"}]: element 0: invalid type: map, expected a boolean; LIST fits a Vec, an array or a map"#);
    insta::assert_snapshot!(said(row.get::<(u8, bool)>("point").unwrap_err()), @r#"row 0: feature `point` (OBJECT) is {"x":1,"y":4}: `y`: invalid type: integer `4`, expected a boolean; OBJECT fits a struct with fields of its names, or a tuple of its values"#);
    insta::assert_snapshot!(said(row.get::<[Line<'_>; 3]>("lines").unwrap_err()), @r#"row 0: feature `lines` (LIST) is [{"sku":"ZR1","price":8.2,"due":"2024-12-05"},{"sku":"ZB2","price":7.8,"due":"2024-08-13"}]: invalid length 2, expected an array of length 3; LIST fits a Vec, an array or a map"#);
}

#[test]
fn a_null_in_a_list_asks_for_an_option() {
    let text = r#"{"features": [{"feature_name": "xs", "type": "LIST", "distribution": {"type": "list",
        "length": 2, "element": {"type": "LIST", "distribution": {"type": "list", "length": 1,
        "element": {"type": "INTEGER", "null_probability": 1,
        "distribution": {"type": "constant", "value": 1}}}}}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(text).unwrap(), 0, 1);
    let refused = vectors.row(0).get::<Vec<Vec<i64>>>("xs").unwrap_err();
    insta::assert_snapshot!(refused, @"row 0: feature `xs` (LIST) is [[null],[null]]: element 0: element 0: it is null, so take an Option; LIST fits a Vec, an array or a map");
    assert_eq!(get(&vectors, "xs"), Ok(vec![[None::<i64>]; 2]));
}

#[test]
fn a_tuple_is_read_in_order() {
    let text = r#"{"features": [{"feature_name": "pair", "type": "OBJECT", "distribution":
        {"type": "object", "form": "array", "features": [
        {"type": "INTEGER", "distribution": {"type": "constant", "value": 7}},
        {"type": "STRING", "distribution": {"type": "constant", "value": "a"}}]}}]}"#;
    #[derive(Debug, PartialEq, Deserialize)]
    struct Pair<'a>(u8, &'a str);
    let vectors = Vectors::generate(&Definition::parse(text).unwrap(), 0, 1);
    assert_eq!(get(&vectors, "pair"), Ok((7, "a")));
    assert_eq!(get(&vectors, "pair"), Ok(Pair(7, "a")));
    assert_eq!(get(&vectors, "pair"), Ok(serde_json::json!([7, "a"])));
    let refused = get::<(u8, u8)>(&vectors, "pair").unwrap_err();
    insta::assert_snapshot!(refused, @r#"row 0: feature `pair` (OBJECT) is [7,"a"]: `1`: invalid type: string "a", expected u8; OBJECT fits a struct with fields of its names, or a tuple of its values"#);
}

/// Draws rows of one feature `x` with variants in that form.
fn variants(form: &str, variants: &str) -> Vectors {
    let text = format!(
        r#"{{"features": [{{"feature_name": "x", "type": "VARIANT", "distribution": {{"type": "variant", "variants": [{variants}]{form}}}}}]}}"#
    );
    Vectors::generate(&Definition::parse(&text).unwrap(), 0, 60)
}

const POINT: &str = r#"{"variant": "Point", "type": "OBJECT", "distribution": {"type": "object", "features": [
    {"feature_name": "x", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}},
    {"feature_name": "y", "type": "INTEGER", "null_probability": 0.5, "distribution": {"type": "any"}}]}}"#;
const OTHERS: &str = r#"{"variant": "Name", "type": "STRING", "distribution": {"type": "any"}},
    {"variant": "Pair", "type": "OBJECT", "distribution": {"type": "object", "form": "array", "features": [
        {"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}},
        {"type": "BOOLEAN", "distribution": {"type": "any"}}]}},
    {"variant": "Nothing"}"#;

/// Asserts that each row is read as serde reads its JSON.
fn are_read_as_json<T>(vectors: &Vectors)
where
    T: std::fmt::Debug + PartialEq + serde::de::DeserializeOwned,
{
    let mut kinds = std::collections::HashSet::new();
    for row in vectors.rows() {
        let json = vectors.table().object(row.index());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let value: T = row.get("x").unwrap();
        let read = serde_json::from_value(json["x"].clone()).unwrap();
        kinds.insert(std::mem::discriminant(&value));
        assert_eq!(value, read);
        assert_eq!(row.get("x"), Ok(Some(read)));
        assert_eq!(row.get("x"), Ok(json["x"].clone()));
    }
    assert!(kinds.len() > 1);
}

#[test]
fn variants_are_read_in_each_of_serdes_forms() {
    macro_rules! shape {
        ($name:ident, $(#[$form:meta])? { $($rest:tt)* }) => {
            #[derive(Debug, PartialEq, Deserialize)]
            $(#[$form])?
            enum $name {
                Point { x: u8, y: Option<i64> },
                Nothing,
                $($rest)*
            }
        };
    }
    shape!(External, { Name(String), Pair(u8, bool) });
    shape!(Adjacent, #[serde(tag = "t", content = "c")] { Name(String), Pair(u8, bool) });
    shape!(Untagged, #[serde(untagged)] { Name(String), Pair(u8, bool) });
    shape!(
        Internal,
        #[serde(tag = "t")]
        {}
    );
    let all = format!("{POINT}, {OTHERS}");
    are_read_as_json::<External>(&variants("", &all));
    are_read_as_json::<Adjacent>(&variants(r#", "tag": "t", "content": "c""#, &all));
    are_read_as_json::<Untagged>(&variants(r#", "untagged": true"#, &all));
    let some = format!(r#"{POINT}, {{"variant": "Nothing"}}"#);
    are_read_as_json::<Internal>(&variants(r#", "tag": "t""#, &some));
}

#[test]
fn a_variant_that_does_not_fit_is_named() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    enum Wrong {
        Point { x: bool },
        Name,
        Pair(u8, u8, u8),
        Nothing(u8),
    }
    let of = |name: &str, form: &str| {
        let vectors = variants(form, &format!("{POINT}, {OTHERS}"));
        let is_it = |row: &crate::Row<'_>| vectors.table().object(row.index()).contains(name);
        let row = vectors.rows().find(is_it).unwrap();
        row.get::<Wrong>("x").unwrap_err().to_string()
    };
    insta::assert_snapshot!(of("Point", ""), @r#"row 11: feature `x` (VARIANT) is {"Point":{"x":3,"y":0}}: `Point`: `x`: invalid type: integer `3`, expected a boolean; VARIANT fits an enum of its variants"#);
    insta::assert_snapshot!(of("Name", ""), @r#"row 0: feature `x` (VARIANT) is {"Name":""}: invalid type: newtype variant, expected unit variant; VARIANT fits an enum of its variants"#);
    insta::assert_snapshot!(of("Pair", ""), @r#"row 2: feature `x` (VARIANT) is {"Pair":[6,true]}: `Pair`: `1`: invalid type: boolean `true`, expected u8; VARIANT fits an enum of its variants"#);
    insta::assert_snapshot!(of("Nothing", ""), @r#"row 3: feature `x` (VARIANT) is "Nothing": invalid type: unit variant, expected newtype variant; VARIANT fits an enum of its variants"#);
    insta::assert_snapshot!(of("Nothing", r#", "tag": "t", "content": "c""#), @r#"row 3: feature `x` (VARIANT) is {"t":"Nothing"}: invalid type: map, expected enum Wrong; VARIANT fits an enum of its variants"#);
}

#[test]
fn a_map_is_read_by_its_keys() {
    use std::collections::{BTreeMap, HashMap};
    let text = r#"{"features": [{"feature_name": "x", "type": "LIST", "distribution": {"type": "list",
        "form": "map", "length": {"min": 0, "max": 4}, "element": {"type": "OBJECT", "distribution":
        {"type": "object", "features": [
        {"feature_name": "key", "type": "INTEGER", "unique": true,
         "distribution": {"type": "uniform", "min": 0, "max": 9}},
        {"feature_name": "value", "type": "STRING", "distribution": {"type": "any"}}]}}}}]}"#;
    let vectors = Vectors::generate(&Definition::parse(text).unwrap(), 0, 50);
    for row in vectors.rows() {
        let json = vectors.table().object(row.index());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let sorted: BTreeMap<u8, &str> = row.get("x").unwrap();
        let map: HashMap<u8, String> = row.get("x").unwrap();
        assert_eq!(serde_json::json!(sorted), json["x"]);
        assert_eq!(serde_json::json!(map), json["x"]);
        assert_eq!(map.len(), sorted.len());
    }
    let wrong = |row: &crate::Row<'_>| row.get::<HashMap<u8, u8>>("x").err();
    let refused = vectors.rows().find_map(|row| wrong(&row)).unwrap();
    insta::assert_snapshot!(refused, @r#"row 0: feature `x` (LIST) is {"0":"Ь\u001cϊ"}: a value: invalid type: string "Ь\u{1c}\u{8f}ϊ", expected u8; LIST fits a Vec, an array or a map"#);
}

#[test]
fn the_reason_names_a_field_that_elements_lack() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Line {
        price: f64,
    }
    let definition = Definition::parse(
        r#"{"features": [{"feature_name": "lines", "type": "LIST", "distribution": {"type": "list", "length": 1, "element":
            {"type": "OBJECT", "distribution": {"type": "object", "features": [
                {"feature_name": "amount", "type": "FLOAT", "distribution": {"type": "any"}}]}}}}]}"#,
    );
    let vectors = Vectors::generate(&definition.unwrap(), 0, 1);
    let error = vectors.row(0).get::<Vec<Line>>("lines").unwrap_err();
    insta::assert_snapshot!(error.reason(), @"`lines` (LIST) has no `price`, which the function takes");
}
