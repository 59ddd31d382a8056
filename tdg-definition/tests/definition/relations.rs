//! Relations between features.

use proptest::prelude::*;
use tdg_definition::{Cells, Column, Definition, is_ordered, read_row};

/// FLOAT features with these distributions, named `a`, `b`, …, and more members of the definition.
fn floats(distributions: &[&str], members: &str) -> String {
    let feature = |(name, distribution): (char, &&str)| {
        format!(r#"{{"feature_name": "{name}", "type": "FLOAT", "distribution": {distribution}}}"#)
    };
    let features: Vec<String> = ('a'..).zip(distributions).map(feature).collect();
    format!(r#"{{"features": [{}], {members}}}"#, features.join(", "))
}

fn parse(text: &str) -> Definition {
    Definition::parse(text).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// All faults, one per line.
fn faults(text: &str) -> String {
    Definition::parse(text).unwrap_err().to_string()
}

fn columns(text: &str, seed: u64, size: u64) -> Vec<Column> {
    parse(text).columns(seed, size, 0..size)
}

fn numbers(column: &Column) -> Vec<f64> {
    match column.cells() {
        Cells::Float(values) => values.clone(),
        Cells::Integer(values) | Cells::Date(values) => values.iter().map(|&v| v as f64).collect(),
        other => panic!("{other:?}"),
    }
}

const NORMAL: &str = r#"{"type": "gaussian", "mu": 0, "sigma": 1}"#;

/// Pearson's correlation.
fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let product = |x: &[f64], y: &[f64]| {
        let (p, q) = (mean(x), mean(y));
        x.iter().zip(y).map(|(x, y)| (x - p) * (y - q)).sum::<f64>()
    };
    product(x, y) / (product(x, x) * product(y, y)).sqrt()
}

/// Spearman's correlation: Pearson's of the ranks.
fn rank_correlation(x: &[f64], y: &[f64]) -> f64 {
    let ranks = |values: &[f64]| {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
        let mut ranks = vec![0.0; values.len()];
        for (rank, row) in order.into_iter().enumerate() {
            ranks[row] = rank as f64;
        }
        ranks
    };
    correlation(&ranks(x), &ranks(y))
}

#[test]
fn normal_values_have_the_correlations_asked_for() {
    let members = r#""correlations": [
        {"features": ["a", "b"], "correlation": 0.7},
        {"features": ["c", "b"], "correlation": -0.5},
        {"features": ["a", "d"], "correlation": 1},
        {"features": ["b", "d"], "correlation": 0.7},
        {"features": ["d", "c"], "correlation": 0}
    ]"#;
    let text = floats(&[NORMAL; 5], members);
    let drawn: Vec<Vec<f64>> = columns(&text, 1, 100_000).iter().map(numbers).collect();
    let expected = [
        [1.0, 0.7, 0.0, 1.0, 0.0],
        [0.7, 1.0, -0.5, 0.7, 0.0],
        [0.0, -0.5, 1.0, 0.0, 0.0],
        [1.0, 0.7, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0],
    ];
    for (x, row) in drawn.iter().zip(expected) {
        for (y, expected) in drawn.iter().zip(row) {
            // Its standard deviation is (1 - r²) / √rows.
            assert!(
                (correlation(x, y) - expected).abs() < 0.012,
                "{} {expected}",
                correlation(x, y)
            );
        }
    }
}

#[test]
fn ranks_are_correlated_for_all_distributions() {
    let text = r#"{"features": [
        {"feature_name": "a", "type": "FLOAT", "distribution": {"type": "lognormal", "mu": 3, "sigma": 2}},
        {"feature_name": "b", "type": "INTEGER", "distribution": {"type": "uniform", "min": -1000000, "max": 1000000}},
        {"feature_name": "c", "type": "DATE", "distribution": {"type": "uniform", "min": "0001-01-01", "max": "9999-12-31"}},
        {"feature_name": "d", "type": "FLOAT", "distribution": {"type": "exponential", "rate": 2}}
    ], "correlations": [
        {"features": ["a", "b"], "correlation": 0.8},
        {"features": ["c", "b"], "correlation": -0.3},
        {"features": ["d", "a"], "correlation": -0.5}
    ]}"#;
    let drawn: Vec<Vec<f64>> = columns(text, 1, 100_000).iter().map(numbers).collect();
    for (x, y, normal) in [
        (0, 1, 0.8),
        (1, 2, -0.3),
        (0, 3, -0.5),
        (0, 2, 0.0),
        (2, 3, 0.0),
    ] {
        let normal: f64 = normal;
        // The expectation for normal variables with this correlation (Kruskal, 1958).
        let expected = 6.0 / std::f64::consts::PI * (normal / 2.0).asin();
        let found = rank_correlation(&drawn[x], &drawn[y]);
        assert!(
            (found - expected).abs() < 0.012,
            "{x} and {y}: {found} instead of {expected}"
        );
    }
}

#[test]
fn larger_values_come_together_also_where_values_fall_as_words_rise() {
    let text = r#"{"features": [
        {"feature_name": "a", "type": "INTEGER", "distribution": {"type": "bernoulli", "p": 0.5}},
        {"feature_name": "b", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}},
        {"feature_name": "c", "type": "INTEGER", "distribution": {"type": "categorical", "categories": [
            {"value": 9, "probability": 0.5}, {"value": 4, "probability": 0.3}, {"value": -1, "probability": 0.2}]}}
    ], "correlations": [
        {"features": ["a", "b"], "correlation": 0.9},
        {"features": ["b", "c"], "correlation": 0.6},
        {"features": ["a", "c"], "correlation": 0.5}
    ]}"#;
    let drawn: Vec<Vec<f64>> = columns(text, 1, 10_000).iter().map(numbers).collect();
    // r × E|z| for a coin and a normal variable, and similar values for the others.
    assert!(
        (correlation(&drawn[0], &drawn[1]) - 0.9 * (2.0 / std::f64::consts::PI).sqrt()).abs()
            < 0.02
    );
    assert!(correlation(&drawn[1], &drawn[2]) > 0.5);
    assert!(correlation(&drawn[0], &drawn[2]) > 0.3);
}

#[test]
fn each_feature_keeps_its_distribution_and_the_first_one_its_values() {
    let uniform = r#"{"type": "uniform", "min": 0, "max": 1}"#;
    let members = r#""correlations": [{"features": ["a", "b"], "correlation": -0.8}]"#;
    let related = columns(&floats(&[uniform; 2], members), 3, 100_000);
    let alone = columns(
        &floats(&[uniform], r#""definition_name": "alone""#),
        3,
        100_000,
    );
    assert_eq!(related[0].cells(), alone[0].cells());
    let mut values = numbers(&related[1]);
    values.sort_by(f64::total_cmp);
    let distance = |(rank, value): (usize, &f64)| (value - (rank as f64 + 0.5) / 1e5).abs();
    let largest = values.iter().enumerate().map(distance).fold(0.0, f64::max);
    // Kolmogorov-Smirnov: exceeded with a probability of 1 %.
    assert!(largest < 1.63 / 1e5_f64.sqrt(), "{largest}");
}

#[test]
fn a_pair_of_correlation_0_is_as_if_it_were_not_named() {
    let zero = r#""correlations": [{"features": ["a", "b"], "correlation": 0}]"#;
    let nothing = r#""sampling": "random""#;
    let (zero, nothing) = (floats(&[NORMAL; 2], zero), floats(&[NORMAL; 2], nothing));
    assert_eq!(parse(&zero).canonical(), parse(&nothing).canonical());
    assert_eq!(
        columns(&zero, 1, 10)[1].cells(),
        columns(&nothing, 1, 10)[1].cells()
    );
}

#[test]
fn the_canonical_form_names_pairs_in_the_order_of_features() {
    let members = r#""order": [["d", "e"]], "sampling": "RANDOM", "correlations": [
        {"features": ["c", "b"], "correlation": -0.5}, {"correlation": 0.5, "features": ["b", "a"]}]"#;
    let canonical = parse(&floats(&[NORMAL; 5], members)).canonical();
    let (relations, rest) = canonical.split_once(r#""features":[{"#).unwrap();
    insta::assert_snapshot!(relations, @r#"{"correlations":[{"correlation":0.5,"features":["a","b"]},{"correlation":-0.5,"features":["b","c"]}],"#);
    let (_, order) = rest.rsplit_once("}],").unwrap();
    insta::assert_snapshot!(order, @r#""order":[["d","e"]]}"#);
}

#[test]
fn correlations_that_no_numbers_can_have_are_refused_with_what_the_pair_could_have() {
    let impossible = floats(
        &[NORMAL; 3],
        r#""correlations": [{"features": ["a", "b"], "correlation": 0.9}, {"features": ["b", "c"], "correlation": 0.9}]"#,
    );
    insta::assert_snapshot!(faults(&impossible), @"/correlations/1: is impossible with the other correlations (0 for unlisted pairs); for `b` and `c` it can be from -0.435 to 0.435");
    let several = floats(
        &[NORMAL; 4],
        r#""correlations": [
            {"features": ["a", "b"], "correlation": -0.9}, {"features": ["d", "a"], "correlation": 0.9},
            {"features": ["d", "b"], "correlation": 0.9}, {"features": ["d", "c"], "correlation": 0.9}]"#,
    );
    insta::assert_snapshot!(faults(&several), @"/correlations/3: is impossible, like other correlations of `d`, given the ones between `a`, `b`, `c`; bring all of them closer to 0");
}

#[test]
fn what_is_wrong_with_correlations_is_said_where_it_is() {
    let text = r#"{"features": [
        {"feature_name": "height", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 170, "sigma": 9}},
        {"feature_name": "weight", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 75, "sigma": 15}},
        {"feature_name": "id", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 10000}},
        {"feature_name": "row", "type": "INTEGER", "distribution": {"type": "sequence"}},
        {"feature_name": "kind", "type": "STRING", "distribution": {"type": "uuid"}},
        {"feature_name": "noise", "type": "FLOAT", "distribution": {"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1}]}},
        {"feature_name": "step", "type": "INTEGER", "distribution": {"type": "categorical", "categories": [
            {"value": 1, "probability": 0.5}, {"value": 9, "probability": 0.3}, {"value": 4, "probability": 0.2}]}},
        {"feature_name": "faulty", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 170, "sigma": -9}}
    ], "correlations": [
        {"features": ["height", "wieght"], "correlation": 0.5},
        {"features": ["height", "height"], "correlation": 0.5},
        {"features": ["height", "weight"], "correlation": 1.5},
        {"features": ["height"], "correlation": 0.5},
        {"features": ["height", "weight"], "correlation": 0.5},
        {"features": ["weight", "height"], "correlation": 0.5},
        {"features": ["height", "id"], "correlation": 0.5},
        {"features": ["height", "row"], "correlation": 0.5},
        {"features": ["height", "kind"], "correlation": 0.5},
        {"features": ["height", "noise"], "correlation": 0.5},
        {"features": ["height", "step"], "correlation": 0.5},
        {"features": ["height", "faulty"], "correlation": 0.5},
        {"features": "height", "corelation": 0.5},
        {"features": [7, 8], "correlation": "0.5"},
        7
    ]}"#;
    insta::assert_snapshot!(faults(text), @r#"
    /features/7/distribution/sigma: must be greater than 0, but is -9
    /correlations/0/features/1: unknown feature `wieght`; did you mean `weight`?
    /correlations/1/features/1: `height` is listed twice
    /correlations/2/correlation: must be between -1 and 1, but is 1.5
    /correlations/3/features: must have two features, but has 1
    /correlations/5/features: is the same pair as /correlations/4; keep one of the two
    /correlations/6/features/1: `id` is unique, so only the seed decides the order of its values; remove `unique`
    /correlations/7/features/1: `row` is sequence, which is not random; remove it here
    /correlations/8/features/1: `kind` is STRING, which has no order; only numbers and dates can be correlated
    /correlations/9/features/1: `noise` is mixture, which takes several random numbers for each value; use a distribution that takes one, such as gaussian or uniform
    /correlations/10/features/1: the categories of `step` are not sorted; list them from the smallest to the largest
    /correlations/12/features: must be a list of features, but is the string "height"
    /correlations/12: `correlation` is missing
    /correlations/12/corelation: unknown; did you mean `correlation`?
    /correlations/13/features/0: must be the name of a feature, but is 7
    /correlations/13/features/1: must be the name of a feature, but is 8
    /correlations/13/correlation: must be a finite number, but is the string "0.5"
    /correlations/14: a correlation must be an object, but this is 7
    "#);
}

#[test]
fn what_is_wrong_with_an_order_is_said_where_it_is() {
    let text = r#"{"features": [
        {"feature_name": "a", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}},
        {"feature_name": "b", "type": "FLOAT", "decimals": 2, "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}},
        {"feature_name": "c", "type": "INTEGER", "distribution": {"type": "poisson", "rate": 1}},
        {"feature_name": "d", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 0, "max": 20000}},
        {"feature_name": "e", "type": "INTEGER", "edge_cases": {"probability": 0.1}, "distribution": {"type": "poisson", "rate": 1}},
        {"feature_name": "f", "type": "STRING", "distribution": {"type": "uuid"}},
        {"feature_name": "g", "type": "FLOAT", "distribution": {"type": "uniform", "min": 0, "max": 10}},
        {"feature_name": "h", "type": "FLOAT", "distribution": {"type": "uniform", "min": -1, "max": 11}},
        {"feature_name": "i", "type": "FLOAT", "distribution": {"type": "uniform", "min": 1, "max": 9}},
        {"feature_name": "j", "type": "FLOAT", "distribution": {"type": "exponential", "rate": 1}},
        {"feature_name": "k", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1, "max": 3}}
    ], "order": [["a", "b"], ["c", "d"], ["c", "e"], ["f"], ["g", "h"], ["i", "g"], ["j", "k"], ["a", "x"], 7, []]}"#;
    insta::assert_snapshot!(faults(text), @"
    /order/0/1: `b` and `a` have different `decimals`, so rounding could reverse their order; use the same
    /order/1/1: `d` is `unique`, but sorting could make its values repeat; remove one of the two
    /order/2/0: `c` is also in /order/1; put all features of an order into one list
    /order/2/1: `e` has `edge_cases`, which are placed after sorting; remove one of the two
    /order/3: must have 2 to 100 features, but has 1
    /order/4/1: `h` can be less than 0.0, the minimum of `g`, which would get that value; raise the minimum of `h` or lower the minimum of `g`
    /order/5/1: `g` is also in /order/4; put all features of an order into one list
    /order/6/1: `k` can be less than 0.0, the minimum of `j`, which would get that value; raise the minimum of `k` or lower the minimum of `j`
    /order/7/1: unknown feature `x`
    /order/8: must be a list of features, but is 7
    /order/9: must have 2 to 100 features, but has 0
    ");
    insta::assert_snapshot!(faults(&floats(&[NORMAL; 2], r#""order": ["a", "b"]"#)), @r#"/order: must be a list of lists, such as [["start", "end"]], but is one list"#);
}

/// A list with this length and element.
fn list(name: &str, length: &str, element: &str) -> String {
    format!(
        r#"{{"feature_name": "{name}", "type": "LIST", "distribution": {{"type": "list", "length": {length}, "element": {element}}}}}"#
    )
}

/// The lists in a column of lists of digits.
fn lists_of(column: &Column) -> Vec<Vec<i64>> {
    let Cells::List(lists) = column.cells() else {
        panic!("{column:?}")
    };
    let Cells::Integer(elements) = lists.elements().cells() else {
        panic!("{lists:?}")
    };
    let rows = 0..column.cells().len();
    rows.map(|row| elements[lists.range(row)].to_vec())
        .collect()
}

const DIGIT: &str =
    r#"{"type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 9}}"#;

#[test]
fn a_row_is_in_order_by_the_lengths_of_its_lists() {
    let features = ["xs", "ys"].map(|name| list(name, r#"{"min": 0, "max": 5}"#, DIGIT));
    let text = format!(
        r#"{{"order": [["xs", "ys"]], "features": [{}]}}"#,
        features.join(",")
    );
    let definition = Definition::parse(&text).unwrap();
    let is_in_order =
        |text: &str| is_ordered(&definition, &read_row(definition.features(), text).unwrap());
    assert!(is_in_order(r#"{"xs": [9], "ys": [1, 2]}"#));
    assert!(is_in_order(r#"{"xs": [], "ys": []}"#));
    assert!(!is_in_order(r#"{"xs": [1, 2], "ys": [9]}"#));
}

#[test]
fn the_length_of_a_list_is_related_regardless_of_references() {
    let n = r#"{"feature_name": "n", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9}}"#;
    let drawn = |element: &str, relation: &str| {
        let xs = list("xs", r#"{"min": 0, "max": 9}"#, element).replacen(
            '{',
            r#"{"null_probability": 0.2, "#,
            1,
        );
        let columns = columns(
            &format!(r#"{{"features": [{n}, {xs}], {relation}}}"#),
            1,
            60,
        );
        let lengths: Vec<usize> = lists_of(&columns[1]).iter().map(Vec::len).collect();
        let nulls: Vec<bool> = (0..60).map(|row| columns[1].is_null(row)).collect();
        (lengths, nulls)
    };
    let index = r#"{"type": "INTEGER", "distribution": {"type": "index", "of": "n"}}"#;
    let unrelated = r#""sampling": "random""#;
    assert_eq!(drawn(index, unrelated), drawn(DIGIT, unrelated));
    for relation in [
        r#""correlations": [{"features": ["n", "xs"], "correlation": 0.9}]"#,
        r#""coverage": {"strength": 2, "features": ["n", "xs"]}"#,
        r#""sampling": "stratified""#,
    ] {
        assert_eq!(drawn(index, relation), drawn(DIGIT, relation), "{relation}");
        assert_ne!(
            drawn(index, relation),
            drawn(index, unrelated),
            "{relation}"
        );
    }
}

#[test]
fn what_is_wrong_with_an_order_of_lengths_is_said_where_it_is() {
    let number = |name: &str, max: u8| {
        format!(
            r#"{{"feature_name": "{name}", "type": "INTEGER", "distribution": {{"type": "uniform", "min": 0, "max": {max}}}}}"#
        )
    };
    let features = [
        list("xs", r#"{"min": 0, "max": 5}"#, DIGIT),
        list("ys", r#"{"min": 0, "max": 3}"#, DIGIT),
        list("as_xs", r#""xs""#, DIGIT),
        list("edges", r#"{"min": 0, "max": 5}"#, DIGIT).replace(r#""type": "LIST","#, r#""type": "LIST", "edge_cases": {"probability": 0.1},"#),
        list("zs", "3", DIGIT),
        number("n", 3),
        number("m", 9),
        r#"{"feature_name": "day", "type": "DATE", "distribution": {"type": "uniform", "min": "2026-01-01", "max": "2026-12-31"}}"#.to_owned(),
        r#"{"feature_name": "bytes", "type": "BYTES", "distribution": {"type": "any"}}"#.to_owned(),
    ];
    let order = r#"[["xs", "ys"], ["n", "as_xs"], ["edges", "m"], ["zs", "day", "bytes"]]"#;
    let text = format!(
        r#"{{"order": {order}, "features": [{}]}}"#,
        features.join(",")
    );
    insta::assert_snapshot!(faults(&text), @"
    /order/0/1: the length of `xs` can be greater than 3, the maximum of the length of `ys`, which would get that value; lower the maximum of the length of `xs` or raise the maximum of the length of `ys`
    /order/1/1: `as_xs` is as long as `xs`; name `xs` here instead, or state a length
    /order/2/0: `edges` has `edge_cases`, which are placed after sorting; remove one of the two
    /order/3/1: `day` is DATE, but the length of `zs` is INTEGER; the features of a list must have one type
    /order/3/2: `bytes` is BYTES, which has no order; only numbers, dates and lengths of lists can be ordered
    ");
    let shape = r#"{"shapes": {"tree": {"depth": 3, "leaves": 20, "type": "OBJECT", "distribution": {"type": "object",
        "order": [["n", "next"]], "features": [
            {"feature_name": "n", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 2}},
            {"feature_name": "next", "type": "LIST", "distribution": {"type": "list", "length": {"min": 0, "max": 2}, "element": {"shape": "tree"}}}]}}},
        "features": [{"feature_name": "tree", "shape": "tree"}]}"#;
    insta::assert_snapshot!(faults(shape), @"/shapes/tree/distribution/order/0/1: `next` contains more values of its shape, and is empty at the deepest level; remove it here");
}

#[test]
fn what_cannot_be_stratified_is_said_where_it_is() {
    let mixture = r#"{"type": "mixture", "components": [{"weight": 1, "mu": 0, "sigma": 1}]}"#;
    insta::assert_snapshot!(faults(&floats(&[NORMAL, mixture], r#""sampling": "stratified""#)), @"/features/1/distribution: mixture takes several random numbers for each value, so it can't be stratified; use a distribution that takes one, such as gaussian or uniform, or remove `sampling`");
    insta::assert_snapshot!(faults(&floats(&[NORMAL], r#""sampling": "stratifed""#)), @r#"/sampling: must be "random" or "stratified", but is the string "stratifed""#);
    let both = r#""sampling": "stratified", "correlations": [{"features": ["a", "b"], "correlation": 0.5}]"#;
    insta::assert_snapshot!(faults(&floats(&[NORMAL; 2], both)), @"/sampling: can't be combined with `correlations`, which moves values out of their strata; remove one of the two");
}

#[test]
fn what_has_no_strata_is_drawn_as_ever() {
    let features = r#"{"feature_name": "a", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 100}},
        {"feature_name": "b", "type": "INTEGER", "distribution": {"type": "sequence"}},
        {"feature_name": "c", "type": "STRING", "distribution": {"type": "uuid"}},
        {"feature_name": "d", "type": "STRING", "distribution": {"type": "pattern", "regex": "[a-z]{9}"}},
        {"feature_name": "e", "type": "DATE", "distribution": {"type": "constant", "value": "2020-01-01"}}"#;
    let random = columns(&format!(r#"{{"features": [{features}]}}"#), 1, 50);
    let stratified = columns(
        &format!(r#"{{"features": [{features}], "sampling": "stratified"}}"#),
        1,
        50,
    );
    for (random, stratified) in random.iter().zip(&stratified) {
        assert_eq!(random.cells(), stratified.cells());
    }
}

#[test]
fn of_categories_each_has_its_share_of_the_rows_where_sampling_is_stratified() {
    let text = r#"{"sampling": "stratified", "features": [{"type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.3}}]}"#;
    let columns = columns(text, 1, 1000);
    let Cells::Boolean(values) = columns[0].cells() else {
        panic!("{columns:?}");
    };
    assert_eq!(values.iter().filter(|&&value| value).count(), 300);
    // Values don't follow the order of the rows.
    assert!(values[..100].contains(&true) && values[..100].contains(&false));
}

proptest! {
    #[test]
    fn every_stratum_has_one_row(seed: u64, size in 1..500u64, features in 1..4usize) {
        let uniform = r#"{"type": "uniform", "min": 0, "max": 1}"#;
        let text = floats(&vec![uniform; features], r#""sampling": "stratified""#);
        for column in columns(&text, seed, size) {
            let stratum = |value: f64| (value * size as f64) as u64;
            let mut strata: Vec<u64> = numbers(&column).into_iter().map(stratum).collect();
            strata.sort_unstable();
            prop_assert!(strata.into_iter().eq(0..size));
        }
    }

    #[test]
    fn rows_of_a_stratified_ensemble_are_had_one_by_one(seed: u64, size in 1..500u64, row: prop::sample::Index) {
        let definition = parse(&floats(&[NORMAL, NORMAL], r#""sampling": "stratified""#));
        let row = row.index(size as usize);
        let whole = definition.columns(seed, size, 0..size);
        let one = definition.columns(seed, size, row as u64..row as u64 + 1);
        for (whole, one) in whole.iter().zip(&one) {
            prop_assert_eq!(numbers(one)[0], numbers(whole)[row]);
        }
    }

    #[test]
    fn values_of_every_row_are_in_order_and_those_that_were_drawn(
        seed: u64, places in prop::collection::vec((-5.0..5.0f64, 0.1..3.0f64), 2..6), decimals in prop::option::of(0..3u8),
    ) {
        let gaussian = |(mu, sigma): &(f64, f64)| format!(r#"{{"type": "gaussian", "mu": {mu}, "sigma": {sigma}}}"#);
        let distributions: Vec<String> = places.iter().map(gaussian).collect();
        let distributions: Vec<&str> = distributions.iter().map(String::as_str).collect();
        let names: Vec<String> = ('a'..).take(places.len()).map(|name| format!("\"{name}\"")).collect();
        let with = |members: &str| {
            let text = floats(&distributions, members);
            match decimals {
                Some(digits) => text.replace(r#""type": "FLOAT","#, &format!(r#""type": "FLOAT", "decimals": {digits},"#)),
                None => text,
            }
        };
        let free: Vec<Vec<f64>> = columns(&with(r#""definition_name": "free""#), seed, 50).iter().map(numbers).collect();
        let order = format!(r#""order": [[{}]]"#, names.join(","));
        let ordered: Vec<Vec<f64>> = columns(&with(&order), seed, 50).iter().map(numbers).collect();
        for row in 0..50 {
            let mut expected: Vec<f64> = free.iter().map(|column| column[row]).collect();
            expected.sort_by(f64::total_cmp);
            let found: Vec<f64> = ordered.iter().map(|column| column[row]).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn lists_get_the_lengths_that_were_drawn_in_order_and_keep_their_elements(
        seed: u64, most in prop::collection::vec(0..6u8, 2..5), is_stratified: bool,
    ) {
        let mut most = most;
        most.sort_unstable();
        let names: Vec<String> = ('a'..).take(most.len()).map(String::from).collect();
        let lists = names.iter().zip(&most);
        let lists = lists.map(|(name, most)| list(name, &format!(r#"{{"min": 0, "max": {most}}}"#), DIGIT));
        let features = lists.collect::<Vec<_>>().join(",");
        let sampling = if is_stratified { r#""sampling": "stratified","# } else { "" };
        let with = |members: &str| {
            let text = format!(r#"{{{sampling} {members} "features": [{features}]}}"#);
            columns(&text, seed, 20).iter().map(lists_of).collect::<Vec<_>>()
        };
        let free = with("");
        let ordered = with(&format!(r#""order": [{names:?}],"#));
        for row in 0..20 {
            let lengths = |lists: &[Vec<Vec<i64>>]| lists.iter().map(|it| it[row].len()).collect::<Vec<_>>();
            let mut expected = lengths(&free);
            expected.sort_unstable();
            prop_assert_eq!(lengths(&ordered), expected);
            for (free, ordered) in free.iter().zip(&ordered) {
                let common = free[row].len().min(ordered[row].len());
                prop_assert_eq!(&free[row][..common], &ordered[row][..common]);
            }
        }
    }

    #[test]
    fn integers_of_both_kinds_are_put_in_order(seed: u64) {
        let text = r#"{"features": [
            {"feature_name": "a", "type": "INTEGER", "distribution": {"type": "uniform", "min": -9, "max": 9223372036854775807}},
            {"feature_name": "b", "type": "INTEGER", "distribution": {"type": "uniform", "min": 0, "max": 18446744073709551615}}
        ], "order": [["a", "b"]]}"#;
        let wide = |column: &Column| -> Vec<i128> {
            match column.cells() {
                Cells::Integer(values) => values.iter().map(|&value| value.into()).collect(),
                Cells::Unsigned(values) => values.iter().map(|&value| value.into()).collect(),
                other => panic!("{other:?}"),
            }
        };
        let columns = columns(text, seed, 20);
        prop_assert!(wide(&columns[0]).iter().zip(wide(&columns[1])).all(|(a, b)| *a <= b));
    }

    #[test]
    fn three_correlations_are_accepted_if_and_only_if_numbers_can_have_them(
        ab in -1.0..1.0f64, bc in -1.0..1.0f64, ac in -1.0..1.0f64,
    ) {
        let members = format!(
            r#""correlations": [{{"features": ["a", "b"], "correlation": {ab:?}}}, {{"features": ["c", "b"], "correlation": {bc:?}}},
                {{"features": ["a", "c"], "correlation": {ac:?}}}]"#
        );
        let determinant = 1.0 + 2.0 * ab * bc * ac - ab * ab - bc * bc - ac * ac;
        // Correlations this close to possible could be within the tolerance.
        prop_assume!(determinant.abs() > 1e-3);
        let read = Definition::parse(&floats(&[NORMAL; 3], &members));
        prop_assert_eq!(read.is_ok(), determinant > 0.0);
        // Except for rounding, the message shows the range of the missing correlation.
        if let Err(faults) = read {
            let message = faults.to_string();
            let (_, range) = message.split_once(" can be from ").unwrap();
            let (low, high) = range.split_once(" to ").unwrap();
            let reach = ((1.0 - ab * ab) * (1.0 - bc * bc)).sqrt();
            prop_assert!((low.parse::<f64>().unwrap() - (ab * bc - reach)).abs() < 2e-3, "{}", message);
            prop_assert!((high.parse::<f64>().unwrap() - (ab * bc + reach)).abs() < 2e-3, "{}", message);
        }
    }

    #[test]
    fn correlations_that_some_numbers_have_are_accepted_also_where_one_is_the_sum_of_others(
        directions in prop::collection::vec(prop::collection::vec((-9..10).prop_map(f64::from), 3), 2..12),
    ) {
        let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        prop_assume!(directions.iter().all(|x| product(x, x) > 0.0));
        let mut pairs = Vec::new();
        for (one, x) in ('a'..).zip(&directions) {
            for (other, y) in ('a'..one).zip(&directions) {
                let cosine = (product(x, y) / (product(x, x) * product(y, y)).sqrt()).clamp(-1.0, 1.0);
                pairs.push(format!(r#"{{"features": ["{other}", "{one}"], "correlation": {cosine:?}}}"#));
            }
        }
        let members = format!(r#""correlations": [{}]"#, pairs.join(","));
        let read = Definition::parse(&floats(&vec![NORMAL; directions.len()], &members));
        prop_assert!(read.is_ok(), "{}", read.unwrap_err());
    }
}
