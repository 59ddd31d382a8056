//! Values that refer to sibling features or enclosing ones.

use tdg_definition::{Cells, Column, Definition, is_ordered, read_row};

fn feature(name: &str, kind: &str, distribution: &str) -> String {
    format!(r#"{{"feature_name": "{name}", "type": "{kind}", "distribution": {distribution}}}"#)
}

fn list(name: &str, length: &str, element: &str) -> String {
    let list = format!(r#"{{"type": "list", "length": {length}, "element": {element}}}"#);
    feature(name, "LIST", &list)
}

fn definition(features: &[String]) -> Definition {
    let text = format!(r#"{{"features": [{}]}}"#, features.join(","));
    Definition::parse(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn faults(features: &[String]) -> String {
    let text = format!(r#"{{"features": [{}]}}"#, features.join(","));
    Definition::parse(&text).unwrap_err().to_string()
}

fn columns(features: &[String]) -> Vec<Column> {
    definition(features).columns(7, 500, 0..500)
}

fn integers(column: &Column) -> Vec<Option<i64>> {
    let Cells::Integer(values) = column.cells() else {
        panic!("{column:?}")
    };
    let cell = |(row, value): (usize, &i64)| (!column.is_null(row)).then_some(*value);
    values.iter().enumerate().map(cell).collect()
}

fn lengths(column: &Column) -> Vec<usize> {
    let Cells::List(lists) = column.cells() else {
        panic!("{column:?}")
    };
    (0..lists.len()).map(|row| lists.range(row).len()).collect()
}

fn number(name: &str, min: i64, max: i64) -> String {
    let uniform = format!(r#"{{"type": "uniform", "min": {min}, "max": {max}}}"#);
    feature(name, "INTEGER", &uniform)
}

const DIGIT: &str =
    r#"{"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}"#;

fn index(of: &str, more: &str) -> String {
    format!(r#"{{"type": "index", "of": "{of}"{more}}}"#)
}

#[test]
fn a_list_is_as_long_as_another_feature_says() {
    let columns = columns(&[
        list("ys", r#""xs""#, DIGIT),
        list("xs", r#""n""#, DIGIT),
        number("n", 0, 9),
        list("zs", r#"{"type": "length_of", "of": "xs"}"#, DIGIT),
    ]);
    let n: Vec<usize> = integers(&columns[2])
        .iter()
        .map(|it| it.unwrap() as usize)
        .collect();
    for at in [0, 1, 3] {
        assert_eq!(lengths(&columns[at]), n);
    }
}

#[test]
fn an_index_is_within_its_list_or_null_if_it_is_empty() {
    let columns = columns(&[
        list("xs", r#"{"min": 0, "max": 3}"#, DIGIT),
        feature("i", "INTEGER", &index("xs", "")),
        feature("j", "INTEGER", &index("xs", r#", "beyond": 0.25"#)),
    ]);
    let lengths = lengths(&columns[0]);
    let mut beyond = 0;
    for ((length, i), j) in lengths
        .into_iter()
        .zip(integers(&columns[1]))
        .zip(integers(&columns[2]))
    {
        assert_eq!(i.is_none(), length == 0);
        assert!(i.is_none_or(|i| (i as usize) < length));
        assert!(j.is_none_or(|j| j as usize <= length));
        beyond += usize::from(j == Some(length as i64));
    }
    assert!((95..155).contains(&beyond), "{beyond}");
}

#[test]
fn one_of_is_a_value_of_the_list() {
    let otherwise = r#"{"type": "constant", "value": 99}"#;
    let columns = columns(&[
        list("xs", r#"{"min": 0, "max": 3}"#, DIGIT),
        feature("x", "INTEGER", r#"{"type": "one_of", "of": "xs"}"#),
        feature(
            "y",
            "INTEGER",
            &format!(r#"{{"type": "one_of", "of": "xs", "missing": 0.5, "else": {otherwise}}}"#),
        ),
    ]);
    let Cells::List(lists) = columns[0].cells() else {
        panic!("no lists")
    };
    let elements = integers(lists.elements());
    let (xs, ys) = (integers(&columns[1]), integers(&columns[2]));
    let others = ys.iter().filter(|it| **it == Some(99)).count();
    // An eighth of those with an empty list would otherwise have the value of an element.
    assert!((260..365).contains(&others), "{others}");
    for row in 0..500 {
        let list = &elements[lists.range(row)];
        assert!(list.is_empty() == xs[row].is_none());
        assert!(xs[row].is_none() || list.contains(&xs[row]));
        assert!(ys[row] == Some(99) || ys[row].is_some() && list.contains(&ys[row]));
    }
}

#[test]
fn what_is_referred_to_is_not_moved() {
    let alone = columns(&[number("n", 0, 9), list("xs", "3", DIGIT)]);
    let with = columns(&[
        feature("i", "INTEGER", &index("xs", "")),
        number("n", 0, 9),
        list("xs", "3", DIGIT),
    ]);
    assert_eq!(alone[..], with[1..]);
}

#[test]
fn some_rows_equal_the_rows_of_all() {
    let definition = definition(&[
        number("n", 0, 9),
        list(
            "xs",
            r#""n""#,
            &format!(
                r#"{{"type": "INTEGER", "distribution": {}}}"#,
                index("n", "")
            ),
        ),
    ]);
    let all = definition.columns(7, 500, 0..500);
    let some = definition.columns(7, 500, 100..120);
    for (all, some) in all.iter().zip(&some) {
        assert_eq!(&all.gather(&(100..120).collect::<Vec<_>>()), some);
    }
}

#[test]
fn the_canonical_form_keeps_the_reference() {
    let features = [
        list("xs", r#"{"type": "LENGTH_OF", "of": "ys"}"#, DIGIT),
        list("ys", "2", DIGIT),
        feature("x", "INTEGER", r#"{"type": "one_of", "of": "xs"}"#),
    ];
    let canonical = definition(&features).canonical();
    assert!(canonical.contains(r#""length":"ys""#), "{canonical}");
    assert_eq!(
        Definition::parse(&canonical).unwrap().canonical(),
        canonical
    );
}

#[test]
fn a_row_is_what_it_refers_to_or_not() {
    let definition = definition(&[
        number("n", 0, 9),
        list("xs", r#""n""#, DIGIT),
        feature("i", "INTEGER", &index("xs", "")),
        feature("x", "INTEGER", r#"{"type": "one_of", "of": "xs"}"#),
    ]);
    let is_true = |row: &str| {
        let row = read_row(definition.features(), row).unwrap();
        is_ordered(&definition, &row)
    };
    assert!(is_true(r#"{"n": 2, "xs": [5, 7], "i": 1, "x": 7}"#));
    assert!(is_true(r#"{"n": 0, "xs": [], "i": null, "x": null}"#));
    assert!(!is_true(r#"{"n": 3, "xs": [5, 7], "i": 1, "x": 7}"#));
    assert!(!is_true(r#"{"n": 2, "xs": [5, 7], "i": 2, "x": 7}"#));
    assert!(!is_true(r#"{"n": 2, "xs": [5, 7], "i": 1, "x": 6}"#));
}

#[test]
fn a_row_is_what_it_refers_to_within_maps_or_not() {
    let entry = format!(
        r#"{{"type": "OBJECT", "distribution": {{"type": "object", "features": [
            {{"feature_name": "key", "unique": true, "type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": 99999}}}},
            {{"feature_name": "value", "type": "INTEGER", "distribution": {}}}]}}}}"#,
        index("n", "")
    );
    let map =
        list("map", r#""n""#, &entry).replacen(r#""length""#, r#""form": "map", "length""#, 1);
    let of_keys = r#"{"type": "one_of", "of": "map/key"}"#;
    let definition = definition(&[number("n", 0, 9), map, feature("x", "INTEGER", of_keys)]);
    let is_true = |row: &str| {
        let row = read_row(definition.features(), row).unwrap();
        is_ordered(&definition, &row)
    };
    assert!(is_true(r#"{"n": 2, "map": {"40": 0, "50": 1}, "x": 50}"#));
    assert!(!is_true(r#"{"n": 3, "map": {"40": 0, "50": 1}, "x": 50}"#));
    assert!(!is_true(r#"{"n": 2, "map": {"40": 0, "50": 2}, "x": 50}"#));
    assert!(!is_true(r#"{"n": 2, "map": {"40": 0, "50": 1}, "x": 60}"#));
}

#[test]
fn a_wrong_reference_is_refused_with_its_place_and_the_fix() {
    let said = |features: &[String]| faults(features);
    let i = |of: &str| feature("i", "INTEGER", &index(of, ""));
    let xs = || list("xs", "2", DIGIT);
    insta::assert_snapshot!(said(&[i("sx"), xs()]), @"/features/0/distribution/of: unknown feature `sx`; did you mean `xs`?");
    insta::assert_snapshot!(said(&[i("xs/"), xs()]), @"/features/0/distribution/of: must be the name of a feature, or a path of names such as `order/lines`");
    insta::assert_snapshot!(said(&[i("xs/sku"), xs()]), @"/features/0/distribution/of: an element of `xs` is INTEGER, which has no feature `sku`");
    insta::assert_snapshot!(said(&[i("n"), number("n", -1, 5)]), @"/features/0/distribution/of: `n` is from -1 to 5, but what is counted is from 0 to 10000; state the `min` and `max` of `n`");
    insta::assert_snapshot!(said(&[i("n"), feature("n", "FLOAT", r#"{"type": "any"}"#)]), @"/features/0/distribution/of: `n` is FLOAT; name an INTEGER, a LIST or BYTES");
    insta::assert_snapshot!(said(&[
        list("xs", r#""ys""#, DIGIT),
        list("ys", r#""zs""#, DIGIT),
        list("zs", r#""xs""#, DIGIT),
        i("none")
    ]), @r#"
/features/0/distribution/length: refers to itself in a circle: `xs` → `ys` → `zs` → `xs`; remove one of these references
/features/3/distribution/of: unknown feature `none`; name one at the same level or around it
"#);
    insta::assert_snapshot!(said(&[i("i")]), @"/features/0/distribution/of: refers to itself in a circle: `i` → `i`; remove one of these references");
    insta::assert_snapshot!(said(&[
        xs(),
        feature("x", "FLOAT", r#"{"type": "one_of", "of": "xs"}"#),
        feature("y", "INTEGER", r#"{"type": "one_of", "of": "i"}"#),
        feature("z", "INTEGER", r#"{"type": "one_of", "of": "xs", "missing": 0.2}"#),
        i("xs")
    ]), @r#"
/features/3/distribution: needs `missing`, a share, and `else`, a distribution, or neither
/features/1/distribution/of: `xs` has INTEGER values; write `"type": "INTEGER"`
/features/2/distribution/of: `i` is INTEGER; name a list, or a feature of its elements
"#);
    insta::assert_snapshot!(said(&[
        number("n", 0, 5),
        list("xs", r#""n""#, r#"{"type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 0, "max": 99}}"#),
        list("ys", r#"{"type": "index", "of": "n"}"#, DIGIT)
    ]), @r#"
/features/1/distribution/element: can't be `unique` in a list whose length is another feature; state a length
/features/2/distribution/length: can't be index; name a feature that is index, whose value is the length
"#);
    let order = format!(
        r#"{{"order": [["n", "i"]], "correlations": [{{"features": ["n", "i"], "correlation": 0.5}}], "features": [{}, {}]}}"#,
        number("n", 0, 5),
        i("n")
    );
    insta::assert_snapshot!(Definition::parse(&order).unwrap_err(), @r#"
/correlations/0/features/1: `i` is index, whose values depend on another feature; remove it here
/order/0/1: `i` is index, whose values depend on another feature; remove it here
"#);
}

fn object(name: &str, features: &[String]) -> String {
    let features = features.join(",");
    let object = format!(r#"{{"type": "object", "features": [{features}]}}"#);
    feature(name, "OBJECT", &object)
}

#[test]
fn what_is_referred_to_can_refer_to_what_is_around_it() {
    let columns = columns(&[
        object(
            "o",
            &[
                list("ys", r#""i""#, DIGIT),
                feature("i", "INTEGER", &index("xs", "")),
            ],
        ),
        list("xs", r#"{"min": 1, "max": 3}"#, DIGIT),
    ]);
    let Cells::Object(objects) = columns[0].cells() else {
        panic!("{:?}", columns[0])
    };
    let members: Vec<&Column> = objects.members().map(|it| it.1).collect();
    let i = integers(members[1]).into_iter();
    let i = i.map(|it| it.unwrap() as usize);
    assert_eq!(lengths(members[0]), i.collect::<Vec<_>>());
}

#[test]
fn the_work_depends_on_the_lengths_alone() {
    let n = number("n", 1000, 1000);
    let (xs, ys) = (list("xs", r#""n""#, DIGIT), list("ys", r#""xs""#, DIGIT));
    let around = definition(&[n.clone(), object("o", &[xs.clone(), ys.clone()])]);
    let beside = definition(&[n, xs, ys]);
    let (around, beside) = (around.work(1), beside.work(1));
    assert!(beside.abs_diff(around) < beside / 10, "{beside} {around}");
}

#[test]
fn a_reference_to_a_faulty_feature_adds_no_fault() {
    insta::assert_snapshot!(faults(&[
        feature("i", "INTEGER", &index("none", "")),
        object("o", &[list("xs", r#""i""#, DIGIT)]),
        object("p", &[list("xs", r#""I""#, DIGIT)]),
    ]), @"
/features/0/distribution/of: unknown feature `none`; name one at the same level or around it
/features/2/distribution/features/0/distribution/length: unknown feature `I`; did you mean `i`?
");
}
