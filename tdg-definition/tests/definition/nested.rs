//! Lists and objects: values that stay when others change, and invalid definitions.

use crate::arbitrary;
use std::cmp::Ordering;
use std::collections::HashSet;

use crate::rows::column;
use proptest::prelude::*;
use tdg_definition::json::Value;
use tdg_definition::limits::CELLS;
use tdg_definition::{Cells, Column, Definition, ListCells};

const UNIFORM: &str =
    r#"{"type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 1}}"#;

/// A definition with a feature `x`.
fn of(feature_type: &str, distribution: &str, members: &str) -> String {
    format!(
        r#"{{"features": [{{"feature_name": "x", "type": "{feature_type}", "distribution": {distribution}{members}}}]}}"#
    )
}

fn list(length: &str, element: &str) -> String {
    format!(r#"{{"type": "list", "length": {length}, "element": {element}}}"#)
}

/// An element that is a list.
fn lists(length: &str, element: &str) -> String {
    let list = list(length, element);
    format!(r#"{{"type": "LIST", "distribution": {list}}}"#)
}

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

fn drawn(text: &str, seed: u64, rows: usize) -> Column {
    column(&parse(text), seed, 0, rows)
}

fn lists_of(column: &Column) -> &ListCells {
    match column.cells() {
        Cells::List(lists) => lists,
        other => panic!("{other:?}"),
    }
}

/// The elements of each row.
fn elements(lists: &ListCells) -> Vec<Column> {
    let rows = 0..lists.len();
    let of_row = |row| {
        lists
            .elements()
            .gather(&lists.range(row).collect::<Vec<_>>())
    };
    rows.map(of_row).collect()
}

/// The values as text, which distinguishes all floats.
fn texts(column: &Column) -> Vec<String> {
    match column.cells() {
        Cells::Float(values) => values
            .iter()
            .map(|it| format!("{:x}", it.to_bits()))
            .collect(),
        Cells::Text(text) => text.iter().map(str::to_owned).collect(),
        Cells::Bytes(bytes) => bytes.escaped().iter().map(str::to_owned).collect(),
        Cells::Boolean(values) => values.iter().map(bool::to_string).collect(),
        Cells::Unsigned(values) => values.iter().map(u64::to_string).collect(),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values.iter().map(i64::to_string).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn order(column: &Column, one: usize, other: usize) -> Ordering {
    match column.cells() {
        Cells::Float(values) => values[one].partial_cmp(&values[other]).unwrap(),
        Cells::Text(text) => text.get(one).cmp(text.get(other)),
        Cells::Bytes(bytes) => bytes.get(one).cmp(bytes.get(other)),
        Cells::Boolean(values) => values[one].cmp(&values[other]),
        Cells::Unsigned(values) => values[one].cmp(&values[other]),
        Cells::Integer(values) | Cells::DateTime(values) | Cells::Date(values) => {
            values[one].cmp(&values[other])
        }
        other => panic!("{other:?}"),
    }
}

fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

proptest! {
    #[test]
    fn a_length_moves_no_element_that_remains(
        element in arbitrary::element(), short in 0..6usize, more in 0..6usize, seed: u64,
    ) {
        let draw = |length: usize| {
            let distribution = list(&length.to_string(), &element);
            drawn(&of("LIST", &distribution, ""), seed, 20)
        };
        let (shorter, longer) = (draw(short), draw(short + more));
        let (shorter, longer) = (lists_of(&shorter), lists_of(&longer));
        let first: Vec<usize> = (0..short).collect();
        for (shorter, longer) in elements(shorter).iter().zip(elements(longer)) {
            prop_assert_eq!(shorter, &longer.gather(&first));
        }
    }

    #[test]
    fn a_drawn_length_moves_no_element_that_remains(element in arbitrary::element(), seed: u64) {
        let draw = |length: &str| drawn(&of("LIST", &list(length, &element), ""), seed, 20);
        let (some, others) = (draw(r#"{"min": 0, "max": 8}"#), draw(r#"{"min": 0, "max": 20}"#));
        let (some, others) = (elements(lists_of(&some)), elements(lists_of(&others)));
        for (some, others) in some.iter().zip(&others) {
            let both = some.cells().len().min(others.cells().len());
            let both: Vec<usize> = (0..both).collect();
            prop_assert_eq!(some.gather(&both), others.gather(&both));
        }
    }

    #[test]
    fn a_member_that_is_added_moves_no_other(features in arbitrary::features(), seed: u64, in_list: bool) {
        let draw = |features: &[String]| {
            let object = format!(r#"{{"type": "object", "features": [{}]}}"#, features.join(","));
            let text = match in_list {
                true => of("LIST", &list("5", &format!(r#"{{"type": "OBJECT", "distribution": {object}}}"#)), ""),
                false => of("OBJECT", &object, ""),
            };
            let column = drawn(&text, seed, 10);
            let objects = match column.cells() {
                Cells::List(lists) => lists.elements().cells(),
                cells => cells,
            };
            let Cells::Object(objects) = objects else { panic!("{objects:?}") };
            let members = objects.members().map(|(name, member)| (name.to_owned(), member.clone()));
            members.collect::<Vec<_>>()
        };
        let all = draw(&features);
        for (feature, member) in features.iter().zip(&all) {
            prop_assert_eq!(&draw(std::slice::from_ref(feature))[0], member);
        }
    }

    #[test]
    fn unique_elements_never_repeat_in_a_list(last in 0..200i64, seed: u64, in_object: bool) {
        let unique = format!(
            r#"{{"type": "INTEGER", "unique": true, "distribution": {{"type": "uniform", "min": 0, "max": {last}}}}}"#
        );
        let element = match in_object {
            true => format!(r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [{unique}]}}}}"#),
            false => unique,
        };
        let length = format!(r#"{{"min": 0, "max": {}}}"#, last + 1);
        let column = drawn(&of("LIST", &list(&length, &element), ""), seed, 20);
        for elements in elements(lists_of(&column)) {
            let integers = match elements.cells() {
                Cells::Object(objects) => objects.members().next().unwrap().1.cells().clone(),
                cells => cells.clone(),
            };
            let Cells::Integer(integers) = integers else { panic!("{integers:?}") };
            let distinct: HashSet<i64> = integers.iter().copied().collect();
            prop_assert_eq!(distinct.len(), integers.len());
        }
    }

    #[test]
    fn sorted_elements_are_those_drawn(
        element in arbitrary::scalar(), nulls in arbitrary::null_probability(), falling: bool, seed: u64,
    ) {
        let nulls = Value::from(nulls);
        let element = element.replacen('{', &format!(r#"{{"null_probability": {nulls}, "#), 1);
        let draw = |sorted: &str, element: &str| {
            let list = format!(r#"{{"type": "list", "sorted": {sorted}, "length": {{"min": 0, "max": 20}}, "element": {element}}}"#);
            drawn(&of("LIST", &list, ""), seed, 10)
        };
        let sorted = if falling { r#""falling""# } else { "true" };
        let never = element.replacen(&nulls.to_string(), "0", 1);
        // Except for nulls, each list has the same values as without them, in order.
        let in_order = |values: &Column| {
            let values: Vec<usize> = (0..values.cells().len()).filter(|row| !values.is_null(*row)).collect();
            values
        };
        let (all, drawn) = (draw(sorted, &never), draw("false", &never));
        for (all, drawn) in elements(lists_of(&all)).iter().zip(elements(lists_of(&drawn))) {
            let (mut dealt, mut drawn) = (texts(all), texts(&drawn));
            dealt.sort();
            drawn.sort();
            prop_assert_eq!(dealt, drawn);
        }
        let (with, without) = (draw(sorted, &element), draw("false", &element));
        for (with, without) in elements(lists_of(&with)).iter().zip(elements(lists_of(&without))) {
            prop_assert_eq!(in_order(with), in_order(&without));
            let shown = with.gather(&in_order(with));
            let rows: Vec<usize> = (0..shown.cells().len()).collect();
            let is_ordered = |pair: &[usize]| match falling {
                true => order(&shown, pair[1], pair[0]).is_le(),
                false => order(&shown, pair[0], pair[1]).is_le(),
            };
            prop_assert!(rows.windows(2).all(is_ordered));
        }
    }

    #[test]
    fn lengths_stay_between_their_bounds(rate in 0.01..20.0f64, min in 0..10usize, more in 0..10usize, seed: u64) {
        let max = min + more;
        let length = format!(r#"{{"type": "poisson", "rate": {rate}, "min": {min}, "max": {max}}}"#);
        let text = of("LIST", &list(&length, UNIFORM), "");
        prop_assume!(Definition::parse(&text).is_ok());
        let column = drawn(&text, seed, 50);
        let lists = lists_of(&column);
        prop_assert!((0..50).all(|row| (min..=max).contains(&lists.range(row).len())));
    }
}

#[test]
fn elements_of_all_features_and_levels_differ() {
    let object = |element: &str| {
        format!(
            r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [
                {{"feature_name": "a", {0}, {{"feature_name": "b", {0}, {{"type": "LIST", "distribution": {1}}}]}}}}"#,
            &UNIFORM[1..],
            list("3", element)
        )
    };
    let column = drawn(
        &of("LIST", &list("3", &object(&object(&object(UNIFORM)))), ""),
        7,
        10,
    );
    let (mut floats, mut within) = (Vec::new(), vec![&column]);
    while let Some(column) = within.pop() {
        match column.cells() {
            Cells::Float(values) => floats.extend(values.iter().map(|value| value.to_bits())),
            Cells::List(lists) => within.push(lists.elements()),
            Cells::Object(objects) => within.extend(objects.members().map(|(_, member)| member)),
            other => panic!("{other:?}"),
        }
    }
    let distinct: HashSet<u64> = floats.iter().copied().collect();
    // Two members at each of three levels, and the innermost elements.
    let expected = 10 * (2 * (3 + 9 + 27) + 81);
    assert_eq!((floats.len(), distinct.len()), (expected, expected));
}

#[test]
fn values_within_values_have_limits() {
    let mut lists_in_lists = UNIFORM.to_owned();
    for _ in 0..4 {
        lists_in_lists = lists("2", &lists_in_lists);
    }
    let mut objects_in_objects = UNIFORM.to_owned();
    for _ in 0..8 {
        objects_in_objects = format!(
            r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [{objects_in_objects}]}}}}"#
        );
    }
    let many = vec![UNIFORM; 999].join(",");
    let of_dice = r#"{"type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 6}}"#;
    let dice = format!(
        r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [{of_dice}]}}}}"#
    );
    let texts = [
        of("LIST", &list("2", &lists_in_lists), ""),
        of(
            "OBJECT",
            &format!(r#"{{"type": "object", "features": [{objects_in_objects}]}}"#),
            "",
        ),
        of(
            "OBJECT",
            &format!(r#"{{"type": "object", "features": [{UNIFORM}, {many}]}}"#),
            "",
        ),
        of("LIST", &list("10001", UNIFORM), ""),
        of("LIST", &list("1e300", UNIFORM), ""),
        of("LIST", &list("-1", UNIFORM), ""),
        of("LIST", &list(r#""n""#, UNIFORM), ""),
        of(
            "LIST",
            &list(r#"{"type": "poisson", "rate": 3}"#, UNIFORM),
            "",
        ),
        of(
            "LIST",
            &list(
                r#"{"type": "zipf", "n": 1000000, "s": 1, "max": 8}"#,
                UNIFORM,
            ),
            "",
        ),
        of(
            "LIST",
            &list(r#"{"type": "poisson", "rate": 1e-9, "min": 20}"#, UNIFORM),
            "",
        ),
        of("LIST", &list("7", of_dice), ""),
        of("LIST", &list("7", &dice), ""),
        of(
            "LIST",
            &list("7", &UNIFORM.replace('{', r#"{"feature_name": "y", "#)),
            "",
        ),
        of(
            "LIST",
            r#"{"type": "list", "length": 3}"#,
            r#", "unique": true"#,
        ),
        of(
            "OBJECT",
            &format!(r#"{{"type": "object", "coverage": {{}}, "features": [{UNIFORM}]}}"#),
            "",
        ),
        of("LIST", r#"{"type": "uniform", "min": 0, "max": 1}"#, ""),
        of(
            "LIST",
            &list("2", &lists("2", UNIFORM)).replacen('{', r#"{"sorted": true, "#, 1),
            "",
        ),
        of(
            "LIST",
            &list("2", UNIFORM).replacen('{', r#"{"sorted": "x", "#, 1),
            "",
        ),
        of(
            "LIST",
            &list("2", r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [{"type": "BOOLEAN", "distribution": {"type": "any"}}]}}"#)
                .replacen('{', r#"{"sorted": true, "#, 1),
            "",
        ),
    ];
    let faults: Vec<String> = texts.iter().map(|text| faults(text)).collect();
    insta::assert_snapshot!(faults.join("\n"), @r#"
/features/0/distribution/element: has lists nested 4 deep, and can't be in another list; flatten some of them
/features/0/distribution/features: has lists and objects nested 8 deep, and can't be in another one; flatten some of them
/features: must be at most 1000, counting elements of lists and features of objects, but are 1001
/features/0/distribution/length: must be from 0 to 10000, but is 10001
/features/0/distribution/length: must be a 64-bit integer, but is 1e300
/features/0/distribution/length: must be from 0 to 10000, but is -1
/features/0/distribution/length: unknown feature `n`; name one at the same level or around it
/features/0/distribution/length: must be from 0 to 10000, but poisson draws from 0 to 9223372036854775807; state `min` and `max`
/features/0/distribution/length: zipf has too many values for a length; use smaller parameters
/features/0/distribution/length: poisson has no value from 20 to 10000
/features/0/distribution/element/unique: there are only 6 different values for 7 elements; use fewer elements, allow more values, or remove `unique`
/features/0/distribution/element/distribution/features/0/unique: there are only 6 different values for 7 elements; use fewer elements, allow more values, or remove `unique`
/features/0/distribution/element/distribution/feature_name: unknown; expected one of: type, min, max
/features/0/distribution/element/feature_name: unknown; expected one of: null_probability, shape, type, distribution, unique, decimals, edge_cases
/features/0/distribution: `element` is missing
/features/0/distribution/coverage: applies to all rows of an ensemble, so only the definition can have it
/features/0/distribution/type: uniform can't draw LIST values; it draws INTEGER, FLOAT, DATETIME, DATE, and LIST is drawn by list
/features/0/distribution/sorted: needs elements that are single values; lists and variants have no order
/features/0/distribution/sorted: must be true, false, "falling" or a list of features, but is the string "x"
/features/0/distribution/sorted: needs elements that are single values; for objects, name the features whose values rise: ["from", "to"]
"#);
}

#[test]
fn rows_of_many_elements_are_refused_with_the_length_that_fits() {
    let lines = format!(
        r#"{{"type": "object", "features": [{{"feature_name": "lines", "type": "LIST", "distribution": {}}}]}}"#,
        list(
            r#"{"min": 0, "max": 180}"#,
            &format!(
                r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [{}]}}}}"#,
                vec![UNIFORM; 40].join(",")
            )
        )
    );
    let order = parse(&of("OBJECT", &lines, ""));
    let refused =
        |definition: &Definition, size: usize| definition.check_size(size).unwrap_err().to_string();
    let huge = parse(&of("LIST", &list("10000", &lists("150", UNIFORM)), ""));
    let bytes = parse(&of("BYTES", r#"{"type": "any", "length": 10000}"#, ""));
    assert!(bytes.check_size(1_600).is_ok());
    insta::assert_snapshot!([refused(&order, 500), refused(&huge, 1), refused(&bytes, 10_000)].join("\n"), @"
a row has about 3626 cells, but an ensemble of 500 at most 1000000 in all; use at most 275 rows, or make `x/lines` at most 49 long on average
a row has about 1510001 cells, but an ensemble of 1 at most 1000000 in all; make `x` at most 6622 long on average
drawing 10000 rows would take about 12.1 s, which is more than 2 s; `x` (any) takes the most: use a simpler distribution or smaller parameters for it, fewer such features, or fewer rows
");
    assert!(order.check_size(200).is_ok());
    // The reported maximum fits.
    let xs = |length: usize| parse(&of("LIST", &list(&length.to_string(), UNIFORM), ""));
    assert!(xs(99).check_size(CELLS / 100).is_ok());
    assert!(xs(100).check_size(CELLS / 100).is_err());
}

#[test]
fn hostile_definitions_are_refused_before_they_are_read() {
    let deep = format!(
        "{}{}",
        r#"{"element": "#.repeat(100_000),
        "}".repeat(100_000)
    );
    assert!(faults(&of("LIST", &deep, "")).contains("nested deeper than"));
    // Each of the lists would need a table of 10,000 lengths.
    let slow = list(
        r#"{"type": "zipf", "n": 10000, "s": 0.1, "max": 8}"#,
        UNIFORM,
    );
    let slow = vec![format!(r#"{{"type": "LIST", "distribution": {slow}}}"#); 50_000];
    let object = format!(r#"{{"type": "object", "features": [{}]}}"#, slow.join(","));
    assert!(faults(&of("OBJECT", &object, "")).contains("must be at most 1000"));
}

#[test]
fn a_row_that_a_user_writes_is_read_at_every_level() {
    let definition = Definition::parse(
        r#"{"features": [
            {"feature_name": "marks", "type": "LIST", "distribution": {"type": "list", "length": {"min": 1, "max": 3},
             "element": {"type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 9}}}},
            {"feature_name": "line", "type": "OBJECT", "distribution": {"type": "object", "features": [
                {"feature_name": "sku", "type": "STRING", "distribution": {"type": "any"}},
                {"feature_name": "size", "type": "INTEGER", "null_probability": 0.1,
                 "distribution": {"type": "any"}}]}}
        ]}"#,
    )
    .unwrap();
    let features = definition.features();
    let row = tdg_definition::read_row(
        features,
        r#"{"line": {"size": null, "sku": "a"}, "marks": [3]}"#,
    );
    let row: Vec<String> = row.unwrap().iter().map(Value::to_string).collect();
    assert_eq!(row, ["[3.0]", r#"{"size":null,"sku":"a"}"#]);
    let faults = tdg_definition::read_row(
        features,
        r#"{"line": {"szie": 1, "sku": 2}, "marks": [1, "x", null]}"#,
    );
    insta::assert_snapshot!(faults.unwrap_err(), @r#"
    /marks/1: must be a finite number, but is the string "x"
    /marks/2: is null, which the definition does not allow; give it a value, or the feature a `null_probability`
    /line/szie: unknown feature `szie`; did you mean `size`?
    /line/sku: must be a string, but is 2; put it between quotes
    "#);

    let [marks, line] = features else { panic!() };
    let admits = |feature: &tdg_definition::Feature, value: &str| {
        feature.admits(&tdg_definition::json::parse(value).unwrap())
    };
    assert!(admits(marks, "[1.5, 2]") && admits(line, r#"{"sku": "a", "size": 1}"#));
    for refused in ["[]", "[1, 2, 3, 4]", "[10]", "[null]", "1", "null"] {
        assert!(!admits(marks, refused), "{refused}");
    }
    for refused in [
        r#"{"sku": "a"}"#,
        r#"{"sku": 1, "size": 1}"#,
        r#"{"sku": "a", "size": 1, "x": 1}"#,
    ] {
        assert!(!admits(line, refused), "{refused}");
    }
}

#[test]
fn a_tuple_is_an_array_whose_values_are_named_by_their_positions() {
    let tuple = |features: &str, more: &str| {
        let tuple =
            format!(r#"{{"type": "object", "form": "array", "features": [{features}]{more}}}"#);
        of("OBJECT", &tuple, "")
    };
    let named = |name: &str| UNIFORM.replacen('{', &format!(r#"{{"feature_name": "{name}", "#), 1);
    let unnamed = Definition::parse(&tuple(&[UNIFORM; 2].join(","), "")).unwrap();
    let stated = Definition::parse(&tuple(&[named("0"), named("1")].join(","), ""));
    assert_eq!(stated.unwrap(), unnamed);
    assert_eq!(Definition::parse(&unnamed.canonical()).unwrap(), unnamed);

    let [feature] = unnamed.features() else {
        panic!()
    };
    let admits = |value: &str| feature.admits(&tdg_definition::json::parse(value).unwrap());
    assert!(admits("[0.5, 0]") && !admits("[0.5]") && !admits("[0.5, 7]") && !admits("[]"));
    let row = |text| tdg_definition::read_row(unnamed.features(), text);
    assert_eq!(
        row(r#"{"x": [1, 0.5]}"#).unwrap()[0].to_string(),
        "[1.0,0.5]"
    );
    let texts = [
        tuple(&named("width"), ""),
        tuple(UNIFORM, r#", "order": [["0", "1"]]"#),
        tuple(UNIFORM, "").replace("array", "tuple"),
        tuple(UNIFORM, "").replace(r#""array""#, "1"),
    ];
    let mut faults: Vec<String> = texts.iter().map(|text| faults(text)).collect();
    let rows = [
        r#"{"x": [1]}"#,
        r#"{"x": ["a", null]}"#,
        r#"{"x": {"0": 1, "1": 2}}"#,
    ];
    faults.extend(rows.map(|text| row(text).unwrap_err().to_string()));
    insta::assert_snapshot!(faults.join("\n"), @r#"
    /features/0/distribution/features/0/feature_name: a value of an array is named by its position, 0; remove this
    /features/0/distribution/order/0/1: unknown feature `1`
    /features/0/distribution/form: must be "object" or "array", but is the string "tuple"
    /features/0/distribution/form: must be "object" or "array", but is 1
    /x: must have 2 values, but has 1
    /x/0: must be a finite number, but is the string "a"
    /x/1: is null, which the definition does not allow; give it a value, or the feature a `null_probability`
    /x: must be a list of 2 values, but is an object
    "#);
}

#[test]
fn a_map_has_keys_that_differ_and_are_single_values() {
    let map = |features: &str| {
        let element = format!(
            r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [{features}]}}}}"#
        );
        list("2", &element).replacen('{', r#"{"form": "map", "#, 1)
    };
    let feature = |name: &str, members: &str| format!(r#"{{"feature_name": "{name}", {members}}}"#);
    let key = |members: &str| feature("key", members);
    let text = r#""type": "STRING", "unique": true, "distribution": {"type": "pattern", "regex": "[a-z]{2}"}"#;
    let value = feature("value", &UNIFORM[1..UNIFORM.len() - 1]);
    let definition = Definition::parse(&of("LIST", &map(&format!("{}, {value}", key(text))), ""));
    let definition = definition.unwrap();
    assert_eq!(
        Definition::parse(&definition.canonical()),
        Ok(definition.clone())
    );
    let feature_x = &definition.features()[0];
    let admits = |value: &str| feature_x.admits(&tdg_definition::json::parse(value).unwrap());
    assert!(
        admits(r#"{"ab": 0.5, "cd": 0}"#)
            && !admits(r#"{"ab": 0.5}"#)
            && !admits(r#"{"ab": 0.5, "c": 0}"#)
    );
    let row = |text| tdg_definition::read_row(definition.features(), text);
    assert_eq!(
        row(r#"{"x": {"q": 1}}"#).unwrap()[0].to_string(),
        r#"{"q":1.0}"#
    );

    let texts = [
        map(UNIFORM),
        map(&format!("{value}, {}", key(text))),
        map(&format!(
            "{}, {value}",
            key(&text.replace(r#""unique": true, "#, ""))
        )),
        map(&format!(
            "{}, {value}",
            key(&text.replace("true,", r#"true, "null_probability": 0.5,"#))
        )),
        map(&format!(
            "{}, {value}",
            key(&text.replace("{2}", "").replace("a-z", "a-e"))
        )),
        map(&format!("{}, {value}", key(&UNIFORM[1..UNIFORM.len() - 1]))),
        list("2", UNIFORM).replacen('{', r#"{"form": "map", "#, 1),
        list("2", UNIFORM).replacen('{', r#"{"form": "set", "#, 1),
    ];
    let mut faults: Vec<String> = texts
        .iter()
        .map(|map| faults(&of("LIST", map, "")))
        .collect();
    let rows = [r#"{"x": {"ab": "c"}}"#, r#"{"x": [1]}"#];
    faults.extend(rows.map(|text| row(text).unwrap_err().to_string()));
    // Rows can't depend on earlier values.
    faults.push(self::faults(&of(
        "STRING",
        r#"{"type": "pattern", "regex": "[a-z]{9}"}"#,
        r#", "unique": true"#,
    )));
    insta::assert_snapshot!(faults.join("\n"), @r#"
/features/0/distribution/form: needs OBJECT elements with two features, `key` and `value`
/features/0/distribution/form: needs elements with two features, `key` and `value`; the key must be a STRING, INTEGER, BOOLEAN, DATE or DATETIME
/features/0/distribution/form: needs keys that differ: add `"unique": true` to `key`
/features/0/distribution/form: needs elements and keys that can't be null
/features/0/distribution/element/distribution/features/0/unique: there may be only 5 different values, too few to find 2 by drawing; use fewer entries, or allow more values
/features/0/distribution/form: needs elements with two features, `key` and `value`; the key must be a STRING, INTEGER, BOOLEAN, DATE or DATETIME
/features/0/distribution/form: needs OBJECT elements with two features, `key` and `value`
/features/0/distribution/form: must be "array" or "map", but is the string "set"
/x/ab: must be a finite number, but is the string "c"
/x: must be an object of keys and values, but is a list
/features/0/unique: is not possible with a pattern, because different choices can give the same string; use uuid or a uniform INTEGER
"#);
}

proptest! {
    /// With decimals, edge cases and nulls, the final values are the ones compared.
    #[test]
    fn what_is_drawn_again_never_repeats_in_a_list(length in 1..12usize, seed: u64, in_object: bool) {
        for unique in [
            r#"{"type": "STRING", "unique": true, "distribution": {"type": "pattern", "regex": "[ab]{6}|x"}}"#,
            r#"{"type": "INTEGER", "unique": true, "distribution": {"type": "any", "min": -30, "max": 30}}"#,
            r#"{"type": "STRING", "unique": true, "distribution": {"type": "any", "max_length": 2}}"#,
            r#"{"type": "FLOAT", "unique": true, "edge_cases": {"probability": 0.9}, "distribution": {"type": "any"}}"#,
        ] {
            let element = match in_object {
                true => format!(r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [{unique}]}}}}"#),
                false => unique.to_owned(),
            };
            let column = drawn(&of("LIST", &list(&length.to_string(), &element), ""), seed, 20);
            for elements in elements(lists_of(&column)) {
                let values = match elements.cells() {
                    Cells::Object(objects) => objects.members().next().unwrap().1.clone(),
                    _ => elements.clone(),
                };
                let distinct: HashSet<String> = texts(&values).into_iter().collect();
                prop_assert_eq!(distinct.len(), length);
            }
        }
    }
}

/// Lists of digits with edge cases.
fn with_edges(members: &str, length: &str, share: f64) -> String {
    let element = r#"{"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}"#;
    let list = list(length, element).replacen('{', &format!("{{{members}"), 1);
    of(
        "LIST",
        &list,
        &format!(r#", "edge_cases": {{"probability": {share}}}"#),
    )
}

proptest! {
    #[test]
    fn edge_cases_of_lists_are_what_their_length_and_order_allow(
        seed: u64, least in 0..3usize, more in 0..4usize, sorted in prop::sample::select(vec!["", r#""sorted": true, "#, r#""sorted": "falling", "#]),
    ) {
        let length = format!(r#"{{"min": {least}, "max": {}}}"#, least + more + 1);
        let text = with_edges(sorted, &length, 0.7);
        let (some, all) = (drawn(&text, seed, 40), drawn(&text, seed, 80));
        prop_assert_eq!(&some, &all.gather(&(0..40).collect::<Vec<_>>()));
        let ordinary = drawn(&with_edges(sorted, &length, 0.0), seed, 80);
        let mut kept = 0;
        for (list, ordinary) in elements(lists_of(&all)).iter().zip(elements(lists_of(&ordinary))) {
            let count = list.cells().len();
            prop_assert!((least..=least + more + 1).contains(&count));
            let pairs = || (1..count).map(|it| order(list, it - 1, it));
            prop_assert!(sorted != r#""sorted": true, "# || pairs().all(Ordering::is_le));
            prop_assert!(!sorted.contains("falling") || pairs().all(Ordering::is_ge));
            kept += usize::from(*list == ordinary);
        }
        // The other lists are unchanged.
        prop_assert!(kept >= 80 * 3 / 10 - 20, "{}", kept);
    }
}

#[test]
fn each_edge_case_of_a_list_occurs_before_any_occurs_again() {
    let text = with_edges("", r#"{"min": 0, "max": 6}"#, 1.0);
    let lists = drawn(&text, 7, 8);
    let mut shapes: Vec<&str> = elements(lists_of(&lists)).iter().map(shape).collect();
    shapes.sort_unstable();
    for shape in ["empty", "one", "longest"] {
        assert!(shapes.contains(&shape), "{shapes:?}");
    }
    let many = drawn(&text, 7, 8 * 50);
    let rising = elements(lists_of(&many));
    let rising = rising
        .iter()
        .filter(|list| (1..list.cells().len()).all(|it| order(list, it - 1, it).is_le()));
    assert!(rising.count() >= 4 * 50);
}

fn shape(list: &Column) -> &'static str {
    match list.cells().len() {
        0 => "empty",
        1 => "one",
        6 => "longest",
        _ => "other",
    }
}

#[test]
fn a_list_of_one_shape_alone_has_no_edge_cases() {
    let object =
        r#"{"type": "OBJECT", "distribution": {"type": "object", "features": [{"type": "UUID"}]}}"#
            .replace(
                r#""UUID""#,
                r#""STRING", "unique": true, "distribution": {"type": "uuid"}"#,
            );
    let text = of(
        "LIST",
        &list("2", &object),
        r#", "edge_cases": {"probability": 0.1}"#,
    );
    insta::assert_snapshot!(faults(&text), @"/features/0/edge_cases: would change nothing: these lists have one length, and elements that can't repeat or be sorted; remove it");
    let long = with_edges("", r#"{"type": "poisson", "rate": 1, "max": 9000}"#, 1.0);
    assert!(parse(&long).check_size(1_000).is_err());
    assert!(
        parse(&long.replace(
            "edge_cases\": {\"probability\": 1",
            "edge_cases\": {\"probability\": 0"
        ))
        .check_size(1_000)
        .is_ok()
    );
}
