//! Values that contain others of the same kind.

use crate::rows::column;
use proptest::prelude::*;
use tdg_definition::{Cells, Column, Definition};

const JSON: &str = r#"{
    "shapes": {"json": {"depth": 4, "leaves": 40, "type": "VARIANT", "distribution": {
        "type": "variant", "untagged": true, "variants": [
            {"variant": "Null"},
            {"variant": "Bool", "type": "BOOLEAN", "distribution": {"type": "any"}},
            {"variant": "Number", "type": "FLOAT",
             "distribution": {"type": "any", "min": -1e6, "max": 1e6}},
            {"variant": "Text", "type": "STRING", "distribution": {"type": "any"}},
            {"variant": "Array", "type": "LIST", "distribution": {
                "type": "list", "length": {"min": 0, "max": 5}, "element": {"shape": "json"}}},
            {"variant": "Object", "type": "LIST", "distribution": {
                "type": "list", "form": "map", "length": {"min": 0, "max": 4},
                "element": {"type": "OBJECT", "distribution": {"type": "object", "features": [
                    {"feature_name": "key", "type": "STRING", "unique": true,
                     "distribution": {"type": "pattern", "regex": "[a-z]{1,3}"}},
                    {"feature_name": "value", "shape": "json"}]}}}}]}}},
    "features": [{"feature_name": "value", "shape": "json"}]
}"#;

const INTEGER: &str =
    r#"{"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}"#;

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

/// A definition with one shape, used by one feature.
fn of_shape(shape: &str) -> String {
    format!(
        r#"{{"shapes": {{"s": {shape}}}, "features": [{{"feature_name": "x", "shape": "s"}}]}}"#
    )
}

/// Binary trees with these probabilities.
fn trees(depth: u32, leaves: u32, members: &str) -> String {
    of_shape(&format!(
        r#"{{"depth": {depth}, "leaves": {leaves}, "type": "VARIANT", "distribution": {{"type": "variant", "variants": [
            {{"variant": "Leaf", "type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": 99}}}},
            {{"variant": "Node", "type": "OBJECT", "distribution": {{"type": "object", "features": [
                {{"feature_name": "left", "shape": "s"}}, {members}
                {{"feature_name": "right", "shape": "s"}}]}}}}]}}}}"#
    ))
}

/// The depth and the number of leaves of a drawn value.
fn size(column: &Column, row: usize) -> (u32, u32) {
    let of_parts = |parts: Vec<(u32, u32)>| {
        let depth = parts.iter().map(|it| it.0 + 1).max();
        let leaves: u32 = parts.iter().map(|it| it.1).sum();
        (depth.unwrap_or(0), leaves.max(1))
    };
    match column.cells() {
        Cells::Variant(variants) => match (variants.name(row), variants.value(row)) {
            ("Array", Some((lists, row))) => {
                let Cells::List(lists) = lists.cells() else {
                    panic!()
                };
                of_parts(
                    lists
                        .range(row)
                        .map(|it| size(lists.elements(), it))
                        .collect(),
                )
            }
            ("Object", Some((maps, row))) => {
                let Cells::List(lists) = maps.cells() else {
                    panic!()
                };
                let (_, values) = lists.entries().unwrap();
                of_parts(lists.range(row).map(|it| size(values, it)).collect())
            }
            ("Node", Some((objects, row))) => {
                let Cells::Object(objects) = objects.cells() else {
                    panic!()
                };
                let nodes = objects.members().filter(|it| it.0 != "label");
                of_parts(nodes.map(|it| size(it.1, row)).collect())
            }
            _ => (0, 1),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_keep_to_the_budget_and_are_seldom_trivial() {
    let column = column(&parse(JSON), 7, 0, 2000);
    let sizes: Vec<_> = (0..2000).map(|row| size(&column, row)).collect();
    assert!(sizes.iter().all(|(depth, _)| *depth <= 4));
    // Below 40, a node can still get five.
    assert!(sizes.iter().all(|(_, leaves)| *leaves < 40 + 4));
    assert!(sizes.iter().any(|(_, leaves)| *leaves >= 40));
    assert!(sizes.iter().any(|(depth, _)| *depth == 4));
    let trivial = sizes.iter().filter(|(depth, _)| *depth == 0).count();
    assert!((500..900).contains(&trivial), "{trivial}");
}

#[test]
fn the_budget_is_spent_from_the_outside_to_the_inside() {
    let column = column(&parse(&trees(16, 3, "")), 7, 0, 500);
    for row in 0..500 {
        let (depth, leaves) = size(&column, row);
        // With three leaves, nodes stop getting children.
        assert!(leaves <= 3 && depth <= 2, "{depth} {leaves}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rows_are_the_same_wherever_they_begin(seed: u64, first in 0..50_u64, rows in 1..50_usize) {
        let definition = parse(JSON);
        let all = column(&definition, seed, 0, 100);
        let some: Vec<usize> = (0..rows).map(|row| row + first as usize).collect();
        prop_assert_eq!(all.gather(&some), column(&definition, seed, first, rows));
    }

    /// Deeper nodes are visited later, so they don't take anything from nodes above.
    #[test]
    fn more_depth_moves_no_node_above_it(seed: u64, depth in 1..5_u32) {
        let draw = |depth| column(&parse(&trees(depth, 1_000, "")), seed, 0, 50);
        let (less, more) = (draw(depth), draw(depth + 1));
        for row in 0..50 {
            prop_assert_eq!(size(&less, row).0, size(&more, row).0.min(depth));
        }
    }

    #[test]
    fn a_feature_that_is_added_to_the_nodes_moves_nothing_else(seed: u64) {
        let label = r#"{"feature_name": "label", "type": "STRING", "distribution": {"type": "any"}},"#;
        let draw = |members| column(&parse(&trees(4, 20, members)), seed, 0, 50);
        let (without, with) = (draw(""), draw(label));
        for row in 0..50 {
            prop_assert_eq!(size(&without, row), size(&with, row));
        }
    }
}

#[test]
fn the_canonical_form_keeps_what_the_shape_decides() {
    let definition = parse(&trees(2, 9, ""));
    insta::assert_snapshot!(definition.canonical(), @r#"{"features":[{"distribution":{"of":"s","type":"shape"},"feature_name":"x","type":"VARIANT"}],"shapes":{"s":{"depth":2,"distribution":{"type":"variant","variants":[{"distribution":{"max":99,"min":0,"type":"uniform"},"type":"INTEGER","variant":"Leaf"},{"distribution":{"features":[{"distribution":{"of":"s","type":"shape"},"feature_name":"left","type":"VARIANT"},{"distribution":{"of":"s","type":"shape"},"feature_name":"right","type":"VARIANT"}],"type":"object"},"type":"OBJECT","variant":"Node"}]},"leaves":9,"type":"VARIANT"}}}"#);
    assert_eq!(parse(&definition.canonical()), definition);
}

#[test]
fn an_invalid_shape_says_why() {
    let variant = |variants: &str| {
        format!(
            r#"{{"type": "VARIANT", "distribution": {{"type": "variant", "variants": [{variants}]}}}}"#
        )
    };
    let list = |element: &str| {
        format!(r#""type": "LIST", "distribution": {{"type": "list", "element": {element}}}"#)
    };
    let leaf = r#"{"variant": "Leaf"}, "#;
    let said = [
        of_shape(&variant(r#"{"variant": "Next", "shape": "s"}"#)),
        of_shape(r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [
            {"feature_name": "next", "type": "LIST", "distribution": {"type": "list", "length": {"min": 1, "max": 2},
                "element": {"shape": "s"}}}]}}"#),
        of_shape(&variant(&format!(r#"{leaf}{{"variant": "Next", "shape": "t"}}"#))),
        of_shape(r#"{"depth": 17, "leaves": 0, "type": "LIST", "distribution": {"type": "list", "element": {"shape": "s"}}}"#),
        of_shape(&variant(&format!(
            r#"{leaf}{{"variant": "Next", "shape": "s", "type": "VARIANT"}}"#
        ))),
        of_shape(r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [
            {"feature_name": "id", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 0, "max": 99999}},
            {"feature_name": "next", "null_probability": 0.5, "shape": "s"}]}}"#),
        of_shape(r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [
            {"feature_name": "n", "type": "LIST", "distribution": {"type": "list", "length": 10000,
                "element": {"shape": "s", "null_probability": 0.5}}},
            {"feature_name": "m", "type": "LIST", "distribution": {"type": "list", "length": {"min": 0, "max": 10000},
                "element": {"shape": "s", "null_probability": 0.5}}}]}}"#),
        format!(
            r#"{{"shapes": {{"a": {}, "b": {}}}, "features": [{{"shape": "a"}}]}}"#,
            variant(&format!(r#"{leaf}{{"variant": "Next", "shape": "b"}}"#)),
            variant(&format!(r#"{leaf}{{"variant": "Next", "shape": "a"}}"#)),
        ),
        r#"{"features": [{"feature_name": "x", "shape": "s"}, {"feature_name": "y", "type": "OBJECT", "distribution": {"type": "shape", "of": "s"}}]}"#.to_owned(),
        of_shape(&variant(&format!(r#"{leaf}{{"variant": "Next", "shape": "s"}}"#))).replace(
            r#"{"feature_name": "x", "shape": "s"}"#,
            r#"{"feature_name": "x", "type": "OBJECT", "distribution": {"type": "shape", "of": "s"}},
               {"feature_name": "z", "shape": "s", "unique": true}"#,
        ),
        of_shape(r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [
            {"feature_name": "n", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}},
            {"feature_name": "next", "type": "LIST", "distribution": {"type": "list", "sorted": ["n"], "element": {"shape": "s"}}}]}}"#),
        of_shape(r#"{"depht": 3, "type": "OBJECT", "xyz": 1, "distribution": {"type": "object", "features": [
            {"feature_name": "next", "null_probability": 0.5, "shape": "s"}]}}"#),
        // The nodes of a shape are addressed like the elements of an additional list.
        of_shape(&format!(
            r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [
            {{"feature_name": "v", {}}}, {{"feature_name": "next", "null_probability": 0.5, "shape": "s"}}]}}}}"#,
            list(&format!("{{{}}}", list(INTEGER))),
        ))
        .replace(
            r#"{"feature_name": "x", "shape": "s"}"#,
            &format!("{{{}}}", list(&format!("{{{}}}", list(r#"{"shape": "s"}"#)))),
        ),
    ]
    .map(|text| faults(&text));
    insta::assert_snapshot!(said.join("\n\n"), @r#"
    /shapes/s: can't end: each value contains another one; add a variant without it, or let it be null or in a list that can be empty

    /shapes/s: can't end: each value contains another one; add a variant without it, or let it be null or in a list that can be empty

    /shapes/s/distribution/variants/1/shape: unknown shape `t`; add it to `shapes`

    /shapes/s/depth: must be from 1 to 16, but is 17
    /shapes/s/leaves: must be from 1 to 1000, but is 0
    /shapes/s/type: is LIST, but a shape is an OBJECT or a VARIANT

    /shapes/s/distribution/variants/1/shape: replaces `type` and `distribution`; remove these, or this

    /shapes/s/distribution: has a `unique` feature, but a shape has no rows; let only the elements of lists in it be unique

    /shapes/s: can have 100320 nested values, more than 65535; lower `depth`, `leaves` or the lengths of its lists

    /shapes/b/distribution/variants/1/shape: `a` contains this shape as well, but only one of them can be a shape; write out the other one in it

    /features/0/shape: unknown shape `s`; add it to `shapes`
    /features/1/distribution/of: unknown shape `s`; add it to `shapes`

    /features/0/distribution/of: is a shape of VARIANT values; write `"type": "VARIANT"`
    /features/1/unique: a value of a shape can't be unique; make another feature unique

    /shapes/s/distribution/features/1/distribution/sorted: names features, but the features of a shape can't be sorted; write the elements as an OBJECT without `shape`

    /shapes/s/depht: unknown; did you mean `depth`?
    /shapes/s/xyz: unknown; expected one of: depth, leaves, null_probability, shape, type, distribution, unique, decimals, edge_cases

    /features/0/distribution/element: has lists nested 4 deep, and can't be in another list; flatten some of them
    "#);
}

#[test]
fn a_list_can_be_as_long_as_one_of_nodes() {
    let text = of_shape(&format!(
        r#"{{"depth": 2, "type": "OBJECT", "distribution": {{"type": "object", "features": [
            {{"feature_name": "children", "type": "LIST", "distribution": {{
                "type": "list", "length": {{"min": 0, "max": 3}}, "element": {{"shape": "s"}}}}}},
            {{"feature_name": "keys", "type": "LIST", "distribution": {{
                "type": "list", "length": "children", "element": {INTEGER}}}}}]}}}}"#
    ));
    let definition = parse(&text);
    assert_eq!(definition.check_size(1_000), Ok(()));
    let Cells::Object(objects) = column(&definition, 7, 0, 100).cells().clone() else {
        panic!("{text}");
    };
    let lengths = objects.members().map(|(_, lists)| match lists.cells() {
        Cells::List(lists) => (0..100).map(|row| lists.range(row).len()).collect(),
        other => panic!("{other:?}"),
    });
    let lengths: Vec<Vec<usize>> = lengths.collect();
    assert_eq!(lengths[0], lengths[1]);
}

/// Chained shapes of the greatest depth: the work of each is queried 10 times at 17 depths.
#[test]
fn shapes_of_shapes_are_read_before_long() {
    let shape = |number: u32| {
        let value = match number {
            3 => r#""type": "BOOLEAN", "distribution": {"type": "any"}"#.to_owned(),
            _ => format!(r#""shape": "s{}""#, number + 1),
        };
        let values = (0..10).map(|it| format!(r#"{{"feature_name": "{it}", {value}}}"#));
        let values: Vec<String> = values.collect();
        format!(
            r#""s{number}": {{"depth": 16, "leaves": 1, "type": "OBJECT", "distribution": {{
                "type": "object", "features": [{}, {{
                    "feature_name": "next", "shape": "s{number}", "null_probability": 0.9}}]}}}}"#,
            values.join(", ")
        )
    };
    let shapes: Vec<String> = (0..4).map(shape).collect();
    let text = format!(
        r#"{{"shapes": {{{}}}, "features": [{{"shape": "s0"}}]}}"#,
        shapes.join(", ")
    );
    let said = faults(&text);
    assert!(
        said.starts_with("/features: drawing 1 rows would take about "),
        "{said}"
    );
}

#[test]
fn features_of_a_shape_count_however_they_are_written() {
    let text = |feature: &str| {
        let object = |name: &str| {
            let features = (0..600).map(|it| format!(r#"{{"feature_name": "{it}", {feature}}}"#));
            let features: Vec<String> = features.collect();
            format!(
                r#"{{"feature_name": "{name}", "type": "OBJECT", "distribution": {{"type": "object", "features": [{}]}}}}"#,
                features.join(", ")
            )
        };
        format!(
            r#"{{"shapes": {{"s": {{"type": "OBJECT", "distribution": {{"type": "object", "features": [{}]}}}}}},
                "features": [{}, {}]}}"#,
            INTEGER,
            object("x"),
            object("y"),
        )
    };
    let long = text(r#""type": "OBJECT", "distribution": {"type": "shape", "of": "s"}"#);
    let said = faults(&long);
    assert!(
        said.starts_with("/features: must be at most 1000,"),
        "{said}"
    );
    assert_eq!(faults(&text(r#""shape": "s""#)), said);
}
