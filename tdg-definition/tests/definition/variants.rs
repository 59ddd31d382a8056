//! Values of one of several variants: values that stay when others change, written forms, and
//! invalid definitions.

use crate::arbitrary;
use crate::rows::column;
use proptest::prelude::*;
use tdg_definition::distribution::{Parts, Variants};
use tdg_definition::json::{self, Value};
use tdg_definition::{Cells, Column, Definition, Feature, VariantCells};

const FLOAT: &str = r#""type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 1}"#;
const TEXT: &str = r#""type": "STRING", "distribution": {"type": "any"}"#;
const INTEGER: &str = r#""type": "INTEGER", "distribution": {"type": "any"}"#;

/// A feature `x` with these variants, described by their members, optionally in a list.
fn definition(variants: &[(&str, &str)], form: &str, in_list: bool) -> String {
    let variant = |(name, value): &(&str, &str)| match *value {
        "" => format!(r#"{{"variant": "{name}"}}"#),
        value => format!(r#"{{"variant": "{name}", {value}}}"#),
    };
    let variants: Vec<String> = variants.iter().map(variant).collect();
    let variants = variants.join(", ");
    let variant = format!(
        r#""type": "VARIANT", "distribution": {{"type": "variant", "variants": [{variants}]{form}}}"#
    );
    feature(&variant, in_list)
}

fn feature(members: &str, in_list: bool) -> String {
    let members = match in_list {
        true => format!(
            r#""type": "LIST", "distribution": {{"type": "list", "length": 7, "element": {{{members}}}}}"#
        ),
        false => members.to_owned(),
    };
    format!(r#"{{"features": [{{"feature_name": "x", {members}}}]}}"#)
}

fn drawn(text: &str, seed: u64) -> Column {
    let definition = Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"));
    let column = column(&definition, seed, 100, 40);
    match column.cells() {
        Cells::List(lists) => lists.elements().clone(),
        _ => column,
    }
}

fn variants_of(column: &Column) -> &VariantCells {
    match column.cells() {
        Cells::Variant(variants) => variants,
        other => panic!("{other:?}"),
    }
}

fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

/// The members of a feature except its name.
fn described(feature: &str) -> String {
    let Value::Object(mut members) = json::parse(feature).unwrap() else {
        panic!("{feature}")
    };
    members.remove("feature_name");
    let text = Value::Object(members).to_string();
    text[1..text.len() - 1].to_owned()
}

proptest! {
    /// Values of other variants thus have no influence, as if they were drawn.
    #[test]
    fn values_are_drawn_like_members_of_an_object(features in arbitrary::features(), seed: u64, in_list: bool) {
        let names: Vec<String> = (0..features.len()).map(|number| format!("v{number}")).collect();
        let described: Vec<String> = features.iter().map(|it| described(it)).collect();
        let values = names.iter().zip(&described);
        let variants: Vec<_> = values.clone().map(|(name, it)| (name.as_str(), it.as_str())).collect();
        let members: Vec<String> = values
            .map(|(name, it)| format!(r#"{{"feature_name": "{name}", {it}}}"#))
            .collect();
        let object = format!(
            r#""type": "OBJECT", "distribution": {{"type": "object", "features": [{}]}}"#,
            members.join(", ")
        );
        let (variants, object) = (definition(&variants, "", in_list), feature(&object, in_list));
        let (variants, object) = (drawn(&variants, seed), drawn(&object, seed));
        let Cells::Object(object) = object.cells() else { panic!() };
        let variants = variants_of(&variants);
        for (number, (name, values)) in variants.variants().enumerate() {
            let rows: Vec<usize> = (0..variants.len()).filter(|row| variants.name(*row) == name).collect();
            let places: Vec<usize> = variants.places(number, 0..variants.len()).collect();
            let (_, member) = object.members().find(|(other, _)| *other == name).unwrap();
            prop_assert_eq!(values.unwrap().gather(&places), member.gather(&rows));
        }
    }

    #[test]
    fn a_value_that_is_added_moves_no_choice(feature in arbitrary::element(), seed: u64, in_list: bool) {
        let value = described(&feature);
        let draw = |value: &str| drawn(&definition(&[("a", value), ("b", FLOAT), ("c", "")], "", in_list), seed);
        let (without, with) = (draw(""), draw(&value));
        let names = |column: &Column| variants_of(column).names_by_row().clone();
        prop_assert_eq!(names(&without), names(&with));
        let floats = |column: &Column| variants_of(column).variants().nth(1).unwrap().1.cloned();
        prop_assert_eq!(floats(&without), floats(&with));
        // An enum that gets its first value keeps its categories.
        let third = Value::from(1.0 / 3.0);
        let category = |name: &str| format!(r#"{{"value": "{name}", "probability": {third}}}"#);
        let categories = ["a", "b", "c"].map(category).join(", ");
        let categorical = format!(
            r#""type": "STRING", "distribution": {{"type": "categorical", "categories": [{categories}]}}"#
        );
        let before = drawn(&self::feature(&categorical, in_list), seed);
        prop_assert_eq!(names(&with), before);
    }
}

/// The number and the value of the variant, and the JSON written from them.
fn read(variants: &Variants<'_>, text: &str) -> Result<(String, String), String> {
    let value = json::parse(text).unwrap();
    let (number, inner) = variants.find(&value).map_err(|it| it.to_string())?;
    let name = variants.all()[number].name();
    Ok((
        name.to_owned(),
        variants.form().join(name, inner).to_string(),
    ))
}

fn with_variants<T>(text: &str, of: impl FnOnce(&Feature, Variants<'_>) -> T) -> T {
    let definition = Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"));
    let feature = &definition.features()[0];
    let Parts::Variants(variants) = feature.parts() else {
        panic!()
    };
    of(feature, variants)
}

#[test]
fn what_is_written_is_read_in_every_form() {
    let point = r#""type": "OBJECT", "distribution": {"type": "object", "features": [
        {"feature_name": "y", "type": "INTEGER", "distribution": {"type": "any"}},
        {"feature_name": "x", "type": "INTEGER", "distribution": {"type": "any"}}]}"#;
    let all = [("A", point), ("B", TEXT), ("C", "")];
    let same = |form: &str, variants: &[(&str, &str)], texts: &[(&str, &str)]| {
        with_variants(&definition(variants, form, false), |feature, of| {
            for (name, text) in texts {
                let found = ((*name).to_owned(), (*text).to_owned());
                assert_eq!(read(&of, text), Ok(found), "{text}");
                assert!(feature.admits(&json::parse(text).unwrap()), "{text}");
            }
        });
    };
    same(
        "",
        &all,
        &[
            ("A", r#"{"A":{"x":1,"y":2}}"#),
            ("B", r#"{"B":"b"}"#),
            ("C", r#""C""#),
        ],
    );
    same(
        r#", "tag": "k", "content": "v""#,
        &all,
        &[
            ("A", r#"{"k":"A","v":{"x":1,"y":2}}"#),
            ("B", r#"{"k":"B","v":"b"}"#),
            ("C", r#"{"k":"C"}"#),
        ],
    );
    let two = [("A", point), ("C", "")];
    same(
        r#", "tag": "k""#,
        &two,
        &[("A", r#"{"k":"A","x":1,"y":2}"#), ("C", r#"{"k":"C"}"#)],
    );
    let looks = [
        ("A", point),
        ("B", TEXT),
        ("C", ""),
        ("I", INTEGER),
        ("F", FLOAT),
    ];
    same(
        r#", "untagged": true"#,
        &looks,
        &[
            ("A", r#"{"x":1,"y":2}"#),
            ("B", r#""b""#),
            ("C", "null"),
            ("I", "1"),
            ("F", "0.5"),
        ],
    );
}

#[test]
fn an_invalid_variant_says_why() {
    let all = [("Card", TEXT), ("Cash", "")];
    let said = |form: &str, texts: &[&str]| {
        let row = |text: &&str| format!(r#"{{"x": {text}}}"#);
        let definition = Definition::parse(&definition(&all, form, false)).unwrap();
        let read = |text: String| {
            let read = tdg_definition::read_row(definition.features(), &text);
            read.unwrap_err().to_string()
        };
        texts
            .iter()
            .map(row)
            .map(read)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let external = said(
        "",
        &[
            r#""Crad""#,
            r#""Card""#,
            r#"{"Cash": 1}"#,
            r#"{"Card": 1}"#,
            r#"{"Card": "a", "Cash": 1}"#,
            "3",
            "null",
        ],
    );
    insta::assert_snapshot!(external, @r"
    /x: has no variant `Crad`; did you mean `Card`?
    /x: has no value, but the variant `Card` has one
    /x: has a value, but the variant `Cash` has none
    /x/Card: must be a string, but is 1; put it between quotes
    /x: must have the variant's name as the only key, but has 2 keys
    /x: must be the name of a variant, or an object with that as its only key, but is 3
    /x: is null, which the definition does not allow; give it a value, or the feature a `null_probability`
    ");
    let adjacent = said(
        r#", "tag": "k", "content": "v""#,
        &[
            r#"{"k": "Card"}"#,
            r#"{"k": "Card", "v": 1}"#,
            r#"{"k": "Card", "v": "", "w": 1}"#,
            r#"{"v": 1}"#,
            r#"{"k": 1}"#,
            r#""Card""#,
        ],
    );
    insta::assert_snapshot!(adjacent, @r#"
    /x: has no value, but the variant `Card` has one
    /x/v: must be a string, but is 1; put it between quotes
    /x: has `w` in addition to `k` and `v`; remove it
    /x: has no `k`, which names the variant
    /x: has a `k` that is not a string, but must name the variant
    /x: must be an object with the variant's name as `k`, but is the string "Card"
    "#);
    let untagged = said(r#", "untagged": true"#, &["1", "[]"]);
    insta::assert_snapshot!(untagged, @r"
    /x: must be a variant's value, but is 1
    /x: must be a variant's value, but is a list
    ");
}

#[test]
fn faults_have_a_place_and_a_fix() {
    let nullable = format!(r#"{TEXT}, "null_probability": 0.5"#);
    let tagged = r#""type": "OBJECT", "distribution": {"type": "object", "features": [
        {"feature_name": "k", "type": "INTEGER", "distribution": {"type": "any"}}]}"#;
    let dice = r#""type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 6}"#;
    let probability = |p: &str| format!(r#""probability": {p}"#);
    let (half, most) = (probability("0.5"), probability("0.7"));
    let untagged = r#", "untagged": true"#;
    let texts = [
        definition(&[], "", false),
        definition(&[("a", ""), ("b", ""), ("a", TEXT)], "", false),
        definition(&[(" ", ""), ("b\\u0001", "")], "", false),
        definition(&[("a", &half), ("b", "")], "", false),
        definition(&[("a", &half), ("b", &most)], "", false),
        definition(&[("a", &probability("1.5"))], "", false),
        definition(&[("a", r#""type": "STRING""#), ("b", r#""null_probability": 0.5"#)], "", false),
        definition(&[("a", r#""type": "STRNG", "distribution": {"type": "any"}"#)], "", false),
        definition(&[("a", TEXT), ("b", tagged)], r#", "tag": "k""#, false),
        definition(&[("a", "")], r#", "content": "k""#, false),
        definition(&[("a", "")], r#", "tag": "k", "content": "k""#, false),
        definition(&[("a", "")], r#", "tag": "k", "untagged": true"#, false),
        definition(&[("a", "")], r#", "tag": 1, "untagged": "yes", "conten": 1"#, false),
        definition(&[("a", TEXT), ("b", FLOAT), ("c", TEXT), ("d", INTEGER)], untagged, false),
        definition(&[("a", &nullable)], untagged, false),
        definition(&[("a", "")], untagged, false).replace(
            r#""feature_name": "x","#,
            r#""feature_name": "x", "null_probability": 0.5,"#,
        ),
        definition(&[("a", "")], "", false).replace(
            r#""feature_name": "x","#,
            r#""feature_name": "x", "unique": true, "decimals": 2, "edge_cases": {"probability": 0.5},"#,
        ),
        definition(&[("a", dice)], "", true),
    ];
    let faults: Vec<String> = texts.iter().map(|text| faults(text)).collect();
    insta::assert_snapshot!(faults.join("\n"), @r#"
    /features/0/distribution/variants: must not be empty
    /features/0/distribution/variants: `a` is listed twice
    /features/0/distribution/variants/0/variant: must not be blank
    /features/0/distribution/variants/1/variant: must not contain control characters
    /features/0/distribution/variants/1: missing `probability`, which others have; state all, or none to make them equal
    /features/0/distribution/variants: the probabilities must sum to 1, but sum to 1.2
    /features/0/distribution/variants/0/probability: must be between 0 and 1, but is 1.5
    /features/0/distribution/variants/0: `distribution` is missing
    /features/0/distribution/variants/1/null_probability: unknown; expected one of: variant, probability
    /features/0/distribution/variants/0/type: unknown type `STRNG`; did you mean `STRING`?
    /features/0/distribution/variants/0: `a` draws STRING values, which have no room for a member `k`; add `content`, or make it an OBJECT
    /features/0/distribution/variants/1: `b` has a feature `k`, which is also the member for the variant's name; rename one of the two
    /features/0/distribution/content: needs a `tag`, the member for the variant's name
    /features/0/distribution/content: must differ from `tag`
    /features/0/distribution/untagged: can't be combined with `tag` or `content`; remove one of them
    /features/0/distribution/tag: must be a string, but is 1
    /features/0/distribution/untagged: must be true or false, but is the string "yes"
    /features/0/distribution/conten: unknown; did you mean `content`?
    /features/0/distribution/variants/2: `c` would be read as `a`, which comes before it and looks the same in JSON; remove `untagged`, or change one of them
    /features/0/distribution/variants/3: `d` would be read as `b`, which comes before it and looks the same in JSON; remove `untagged`, or change one of them
    /features/0/distribution/variants/0: `a` can be null, which doesn't identify its variant; remove `untagged`, or this
    /features/0/null_probability: has no effect if a variant is written as null; remove it, or `untagged`
    /features/0/unique: a variant can't be unique; make a value within it unique, or another feature
    /features/0/decimals: applies to FLOAT values, but this feature is VARIANT; remove it
    /features/0/edge_cases: VARIANT has no edge values; state them for its parts
    /features/0/distribution/element/distribution/variants/0/unique: there are only 6 different values for 7 elements; use fewer elements, allow more values, or remove `unique`
    "#);
}
