//! The catalogue of distributions: extreme parameters, invalid ones, and the strings of patterns.

use crate::rows::column;
use proptest::prelude::*;
use regex::Regex;
use tdg_definition::json::Value;
use tdg_definition::{Cells, Definition};

fn definition(feature_type: &str, distribution: &str) -> String {
    format!(r#"{{"features": [{{"type": "{feature_type}", "distribution": {distribution}}}]}}"#)
}

fn drawn(feature_type: &str, distribution: &str, rows: usize) -> Cells {
    // Narrow gaussians are rejected today, but drawn if recorded.
    let definition = Definition::parse_recorded(&definition(feature_type, distribution))
        .unwrap_or_else(|faults| panic!("{distribution}: {faults}"));
    let cells = column(&definition, 7, 0, rows);
    cells.cells().clone()
}

fn floats(distribution: &str) -> Vec<f64> {
    match drawn("FLOAT", distribution, 10_000) {
        Cells::Float(values) => values,
        other => panic!("{other:?}"),
    }
}

fn integers(distribution: &str) -> Vec<i64> {
    match drawn("INTEGER", distribution, 10_000) {
        Cells::Integer(values) => values,
        other => panic!("{other:?}"),
    }
}

fn strings(regex: &str, rows: usize) -> Vec<String> {
    let regex = Value::from(regex);
    let distribution = format!(r#"{{"type": "pattern", "regex": {regex}}}"#);
    match drawn("STRING", &distribution, rows) {
        Cells::Text(texts) => texts.iter().map(str::to_owned).collect(),
        other => panic!("{other:?}"),
    }
}

/// The faults reported for an invalid distribution.
fn said(feature_type: &str, distribution: &str) -> String {
    let faults = Definition::parse(&definition(feature_type, distribution)).unwrap_err();
    let faults = faults.to_string().replace('\n', " | ");
    faults.replace("/features/0/distribution", "")
}

fn said_of_pattern(regex: &str) -> String {
    let regex = Value::from(regex);
    said(
        "STRING",
        &format!(r#"{{"type": "pattern", "regex": {regex}}}"#),
    )
}

#[test]
fn extreme_floats_are_finite_and_within_their_range() {
    for (distribution, min, max) in [
        (r#"{"type": "gamma", "shape": 0.001, "scale": 1}"#, 0.0, 1e3),
        (
            r#"{"type": "gamma", "shape": 0.001, "scale": 1e305}"#,
            0.0,
            f64::MAX,
        ),
        (
            r#"{"type": "gamma", "shape": 1e-300, "rate": 1e-300}"#,
            0.0,
            f64::MAX,
        ),
        (
            r#"{"type": "gamma", "shape": 1e8, "scale": 1}"#,
            0.999e8,
            1.001e8,
        ),
        (
            r#"{"type": "gamma", "shape": 1, "rate": 1e300}"#,
            0.0,
            1e-298,
        ),
        (
            r#"{"type": "beta", "alpha": 0.001, "beta": 0.001}"#,
            0.0,
            1.0,
        ),
        (
            r#"{"type": "beta", "alpha": 1e-300, "beta": 1e-300}"#,
            0.0,
            1.0,
        ),
        (
            r#"{"type": "beta", "alpha": 1e8, "beta": 1e-300}"#,
            1.0,
            1.0,
        ),
        (r#"{"type": "beta", "alpha": 1e6, "beta": 1e6}"#, 0.49, 0.51),
        (
            r#"{"type": "weibull", "shape": 0.0052, "scale": 1}"#,
            0.0,
            f64::MAX,
        ),
        (
            r#"{"type": "weibull", "shape": 1e300, "scale": 3}"#,
            3.0,
            3.0,
        ),
        (
            r#"{"type": "pareto", "min": 1, "shape": 0.052}"#,
            1.0,
            f64::MAX,
        ),
        (
            r#"{"type": "pareto", "min": 1e-300, "shape": 1e300}"#,
            1e-300,
            1e-300,
        ),
        (
            r#"{"type": "triangular", "min": 2, "mode": 2, "max": 2}"#,
            2.0,
            2.0,
        ),
        (
            r#"{"type": "triangular", "min": 0, "mode": 0, "max": 1}"#,
            0.0,
            1.0,
        ),
        (
            r#"{"type": "triangular", "min": 0, "mode": 1e308, "max": 1e308}"#,
            0.0,
            1e308,
        ),
        (
            r#"{"type": "triangular", "min": 1, "mode": 1.0000000000000002, "max": 1.0000000000000004}"#,
            1.0,
            1.0000000000000004,
        ),
        (r#"{"type": "student_t", "nu": 0.104}"#, f64::MIN, f64::MAX),
        (r#"{"type": "student_t", "nu": 1e9}"#, -9.0, 9.0),
        (
            r#"{"type": "cauchy", "mu": 0, "sigma": 1e292}"#,
            f64::MIN,
            f64::MAX,
        ),
        (
            r#"{"type": "laplace", "mu": 0, "sigma": 1e306}"#,
            f64::MIN,
            f64::MAX,
        ),
        (
            r#"{"type": "logistic", "mu": 1e308, "sigma": 1e306}"#,
            f64::MIN,
            f64::MAX,
        ),
        (
            r#"{"type": "gaussian", "mu": 0, "sigma": 1, "min": 3, "max": 3}"#,
            3.0,
            3.0,
        ),
        (
            r#"{"type": "gaussian", "mu": 0, "sigma": 1, "min": 37}"#,
            37.0,
            38.5,
        ),
        (
            r#"{"type": "gaussian", "mu": 0, "sigma": 1, "max": -37}"#,
            -38.5,
            -37.0,
        ),
        (
            r#"{"type": "gaussian", "mu": 0, "sigma": 1e-300, "min": -1, "max": 1}"#,
            -1e-298,
            1e-298,
        ),
        (
            r#"{"type": "gaussian", "mu": 0, "sigma": 1, "min": -1e-12, "max": 1e-12}"#,
            -1e-12,
            1e-12,
        ),
        (
            r#"{"type": "gaussian", "mu": 0, "sigma": 1e300, "min": -1, "max": 1}"#,
            -1.0,
            1.0,
        ),
    ] {
        for value in floats(distribution) {
            assert!((min..=max).contains(&value), "{distribution}: {value:e}");
        }
    }
}

#[test]
fn extreme_integers_are_within_their_range() {
    for (distribution, min, max) in [
        (r#"{"type": "binomial", "n": 0, "p": 0.5}"#, 0, 0),
        (r#"{"type": "binomial", "n": 1000000, "p": 0}"#, 0, 0),
        (
            r#"{"type": "binomial", "n": 1000000, "p": 1}"#,
            1_000_000,
            1_000_000,
        ),
        (
            r#"{"type": "binomial", "n": 1000000, "p": 0.5}"#,
            497_000,
            503_000,
        ),
        (
            r#"{"type": "binomial", "n": 9007199254740991, "p": 1e-300}"#,
            0,
            0,
        ),
        (
            r#"{"type": "binomial", "n": 9007199254740991, "p": 1}"#,
            (1 << 53) - 1,
            (1 << 53) - 1,
        ),
        (r#"{"type": "negative_binomial", "n": 0.001, "p": 1}"#, 0, 0),
        (
            r#"{"type": "negative_binomial", "n": 0.001, "p": 0.0001}"#,
            0,
            1_000_000,
        ),
        (
            r#"{"type": "negative_binomial", "n": 1, "p": 0.0001}"#,
            0,
            1_000_000,
        ),
        (
            r#"{"type": "negative_binomial", "n": 1000000, "p": 0.5}"#,
            990_000,
            1_010_000,
        ),
        (r#"{"type": "geometric", "p": 1}"#, 0, 0),
        (r#"{"type": "geometric", "p": 1e-17}"#, 0, i64::MAX - 1),
        (r#"{"type": "zipf", "n": 1, "s": 1}"#, 1, 1),
        (r#"{"type": "zipf", "n": 100000, "s": 0}"#, 1, 100_000),
        (r#"{"type": "zipf", "n": 1000, "s": 1000}"#, 1, 1),
        (
            r#"{"type": "sequence", "start": -9223372036854775808, "step": 922429447230999}"#,
            i64::MIN,
            i64::MAX,
        ),
    ] {
        for value in integers(distribution) {
            assert!((min..=max).contains(&value), "{distribution}: {value}");
        }
    }
}

/// Values that are likely to be 0 or 1, or below the smallest float, are so at the right rate.
#[test]
fn tiny_shapes_have_the_right_share_of_tiny_values() {
    let share = |values: &[f64], holds: fn(f64) -> bool| {
        values.iter().filter(|&&value| holds(value)).count() as f64 / values.len() as f64
    };
    // P(X < 1e-300) = 1e-300^0.001 / Γ(1.001).
    let gamma = floats(r#"{"type": "gamma", "shape": 0.001, "scale": 1}"#);
    assert!((share(&gamma, |value| value < 1e-300) - 0.5015).abs() < 0.02);
    let scaled = floats(r#"{"type": "gamma", "shape": 0.001, "scale": 1e300}"#);
    assert!((share(&scaled, |value| value < 1.0) - 0.5015).abs() < 0.02);
    let beta = floats(r#"{"type": "beta", "alpha": 0.001, "beta": 0.003}"#);
    assert!((share(&beta, |value| value > 0.5) - 0.25).abs() < 0.02);
}

#[test]
fn sequences_count_from_the_first_row_on() {
    assert_eq!(integers(r#"{"type": "sequence"}"#)[..4], [0, 1, 2, 3]);
    let down = integers(r#"{"type": "sequence", "start": 5, "step": -3}"#);
    assert_eq!(down[..4], [5, 2, -1, -4]);
    assert_eq!(down[9_999], 5 - 3 * 9_999);
    let definition = definition("INTEGER", r#"{"type": "sequence", "start": 1}"#);
    let definition = Definition::parse(&definition).unwrap();
    let later = column(&definition, 0, 9_998, 2);
    assert_eq!(*later.cells(), Cells::Integer(vec![9_999, 10_000]));
}

#[test]
fn uuids_have_the_form_of_version_4() {
    let Cells::Text(uuids) = drawn("STRING", r#"{"type": "uuid"}"#, 1000) else {
        panic!("no strings");
    };
    let form = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";
    let form = Regex::new(form).unwrap();
    assert!(uuids.iter().all(|uuid| form.is_match(uuid)));
    let different: std::collections::HashSet<_> = uuids.iter().collect();
    assert_eq!(different.len(), 1000);
}

#[test]
fn strings_match_their_pattern() {
    for regex in [
        "",
        "abc",
        r"[A-Z]{3}-\d{4}",
        r"^(HALF|TENTH|\d{1,2}%)$",
        r"\w+@\w+\.(com|org|net)",
        r"a?b*c+d{2}e{3,}f{0,4}g*?",
        r"(?:x|y|)(?<name>z)(?P<other>[^z])",
        r"[]a-]|[]-a]|[--c]|[^---]|[^\w\s]|[\d\-_]|[a\]b]",
        r"\S\D\W.\s",
        r"[[:upper:]][[:alnum:]]{0,6}[[:punct:]]",
        r"\p{Lu}\pL\P{L}\p{N}",
        r"[äöü💾]{2}é+|[α-ω]{4}",
        r"\x41\u0042\x{1F4BE}\t\n\$\.\\\^",
        r"(a(b(c|d){0,2}|e)+){2}",
        r"-?(0|[1-9]\d{0,17})(\.\d{1,6})?",
        r"a{0}b",
    ] {
        let whole = Regex::new(&format!("^(?:{regex})$")).unwrap();
        for text in strings(regex, 300) {
            assert!(whole.is_match(&text), "{regex} gave {text:?}");
        }
    }
}

#[test]
fn every_string_of_a_pattern_occurs() {
    let mut all = strings("(a|b)?[x-z]{0,1}", 1000);
    all.sort_unstable();
    all.dedup();
    let expected = [
        "", "a", "ax", "ay", "az", "b", "bx", "by", "bz", "x", "y", "z",
    ];
    assert_eq!(all, expected);
    let mut all = strings(r".", 3000);
    all.sort_unstable();
    all.dedup();
    let printable: Vec<String> = (' '..='~').map(String::from).collect();
    assert_eq!(all, printable);
}

#[test]
fn a_wrong_pattern_is_refused_with_its_position() {
    insta::assert_snapshot!(said_of_pattern("a^b"), @r"/regex: at character 2: `^` is only supported at an end of the pattern; write `\^` for the character");
    insta::assert_snapshot!(said_of_pattern("(a$)b"), @r"/regex: at character 3: `$` is only supported at an end of the pattern; write `\$` for the character");
    insta::assert_snapshot!(said_of_pattern(r"é\bb"), @"/regex: at character 2: anchors are only supported at the ends, as `^` and `$`");
    insta::assert_snapshot!(said_of_pattern(r"(a)\1"), @"/regex: at character 4: back-references are not supported");
    insta::assert_snapshot!(said_of_pattern("a(?=b)"), @"/regex: at character 2: look-around is not supported; describe the string itself");
    insta::assert_snapshot!(said_of_pattern("a(?<!b)c"), @"/regex: at character 2: look-around is not supported; describe the string itself");
    insta::assert_snapshot!(said_of_pattern("(?i)a"), @"/regex: at character 1: after `(?`, only `(?:…)` and `(?<name>…)` are supported");
    insta::assert_snapshot!(said_of_pattern("(?<name"), @"/regex: at character 1: unclosed group name");
    insta::assert_snapshot!(said_of_pattern("(?<1>a)"), @"/regex: at character 1: a group's name has letters, digits, `_`, `.`, `[` and `]`, and starts with a letter or `_`");
    insta::assert_snapshot!(said_of_pattern("(?<>a)"), @"/regex: at character 1: a group's name has letters, digits, `_`, `.`, `[` and `]`, and starts with a letter or `_`");
    insta::assert_snapshot!(said_of_pattern("(?<a>a)(?P<a>b)"), @"/regex: at character 8: duplicate group name `a`; use another name");
    insta::assert_snapshot!(said_of_pattern("a{9,}"), @"/regex: at character 2: without an upper bound, repetition ends at 8; write {9,17} or another bound");
    insta::assert_snapshot!(said_of_pattern("a{3,2}"), @"/regex: at character 2: 3 is more than 2; write {2,3}");
    insta::assert_snapshot!(said_of_pattern("a{x}"), @"/regex: at character 2: write repetitions as {3}, {2,3} or {2,}, with 32-bit numbers");
    insta::assert_snapshot!(said_of_pattern("a{1,+3}"), @"/regex: at character 2: write repetitions as {3}, {2,3} or {2,}, with 32-bit numbers");
    insta::assert_snapshot!(said_of_pattern("a{3"), @r"/regex: at character 2: unclosed `{`; write `\{` for the character");
    insta::assert_snapshot!(said_of_pattern("a**"), @"/regex: at character 3: repeated twice; group the first repetition");
    insta::assert_snapshot!(said_of_pattern("|*"), @r"/regex: at character 2: nothing to repeat; write `\*` for the character");
    insta::assert_snapshot!(said_of_pattern("(|){3}"), @"/regex: at character 1: only the empty string is repeated");
    insta::assert_snapshot!(said_of_pattern("(ab"), @r"/regex: at character 1: unclosed `(`; write `\(` for the character");
    insta::assert_snapshot!(said_of_pattern("ab)c"), @r"/regex: at character 3: unmatched `)`; write `\)` for the character");
    insta::assert_snapshot!(said_of_pattern("[ab"), @r"/regex: at character 1: unclosed `[`; write `\[` for the character");
    insta::assert_snapshot!(said_of_pattern("[]"), @r"/regex: at character 1: unclosed `[`; write `\[` for the character");
    insta::assert_snapshot!(said_of_pattern("[z-a]"), @"/regex: at character 2: the range is reversed; write `a-z`");
    insta::assert_snapshot!(said_of_pattern(r"[\d-z]"), @r"/regex: at character 2: a range needs a character at each end; write `\-` for the character `-`");
    insta::assert_snapshot!(said_of_pattern("[a[b]]"), @r"/regex: at character 3: classes don't nest; write `\[` for the character");
    insta::assert_snapshot!(said_of_pattern("[[:greek:]]"), @"/regex: at character 2: unknown class `[:greek:]`; the names are alpha, upper, lower, digit, alnum, xdigit and punct");
    insta::assert_snapshot!(said_of_pattern("[a-z&&[b]]"), @r"/regex: at character 5: operations on classes are not supported; write `\&` for the character");
    insta::assert_snapshot!(said_of_pattern("[!--]"), @r"/regex: at character 3: operations on classes are not supported; write `\-` for the character");
    insta::assert_snapshot!(said_of_pattern(r"[\<]"), @r"/regex: at character 2: `\<` is unknown; write `<` for the character");
    insta::assert_snapshot!(said_of_pattern("[^ -~]"), @"/regex: at character 1: the class has no printable ASCII characters");
    insta::assert_snapshot!(said_of_pattern(r"\p{Greek}"), @"/regex: at character 1: unknown category `Greek`; the categories are L, Lu, Ll, N, Nd, P and S, within printable ASCII; list other characters in brackets");
    insta::assert_snapshot!(said_of_pattern(r"\q"), @r"/regex: at character 1: `\q` is unknown");
    insta::assert_snapshot!(said_of_pattern(r"\é"), @r"/regex: at character 1: `\é` is unknown; write `é` for the character");
    insta::assert_snapshot!(said_of_pattern(r"\x4"), @"/regex: at character 1: 2 hexadecimal digits must follow");
    insta::assert_snapshot!(said_of_pattern(r"\x{+41}"), @"/regex: at character 1: `+41` is not a code point");
    insta::assert_snapshot!(said_of_pattern(r"\x{110000}"), @"/regex: at character 1: `110000` is not a code point");
    insta::assert_snapshot!(said_of_pattern(r"a\"), @r"/regex: at character 2: `\` at the end; write `\\` for the character");
    insta::assert_snapshot!(said_of_pattern("(.{256}){257}"), @"/regex: strings could be 65792 bytes long; use fewer repetitions to keep them within 65536");
    insta::assert_snapshot!(said_of_pattern("((((x{999999999}){999999999}){999999999}){999999999})"), @"/regex: strings could be 18446744073709551615 bytes long; use fewer repetitions to keep them within 65536");
    insta::assert_snapshot!(said_of_pattern(&"(".repeat(100)), @"/regex: at character 65: groups nest deeper than 64");
    insta::assert_snapshot!(said("STRING", r#"{"type": "pattern"}"#), @": `regex` is missing");
    insta::assert_snapshot!(said("STRING", r#"{"type": "pattern", "regex": 7}"#), @"/regex: must be a string, but is 7");
}

#[test]
fn strings_have_at_most_64_kib() {
    assert_eq!(strings("(x{256}){256}", 1)[0].len(), 65536);
    insta::assert_snapshot!(said_of_pattern("(x{256}){256}y"), @"/regex: strings could be 65537 bytes long; use fewer repetitions to keep them within 65536");
}

#[test]
fn each_wrong_parameter_has_its_message() {
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": 0, "sigma": 1, "min": 2, "max": 1}"#), @": `min` must not be greater than `max`");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": 0, "sigma": 1, "min": 38}"#), @"/min: is more than 37 sigma above mu, where probabilities are too small");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gaussian", "mu": 0, "sigma": 1, "upper": -38}"#), @"/upper: is more than 37 sigma below mu, where probabilities are too small");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gamma", "shape": 0, "scale": 1}"#), @"/shape: must be greater than 0, but is 0");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gamma", "shape": 1e9, "scale": 1}"#), @"/shape: must be at most 100000000, but is 1000000000; use a gaussian");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gamma", "shape": 1e-301, "scale": 1}"#), @"/shape: must be at least 1e-300, but is 1e-301");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gamma", "shape": 1, "scale": 1e308}"#), @": values would be infinite; the mean, shape × scale, is too large");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gamma", "shape": 1}"#), @": `rate` or `scale` (1 / rate) is missing; give one of them");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "gamma", "shape": 1, "rate": 1, "scale": 1}"#), @": `rate` and `scale` mean the same (scale = 1 / rate); keep one");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "beta", "alpha": -1, "beta": 1e9}"#), @"/alpha: must be greater than 0, but is -1 | /beta: must be at most 100000000, but is 1000000000; use a gaussian");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "weibull", "shape": 0.001, "scale": 1}"#), @": values would be infinite: up to 1.0 × 37^(1 / 0.001); use a larger shape");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "weibull", "shape": 1}"#), @": `scale` is missing");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "pareto", "min": 0, "shape": 1}"#), @"/min: must be greater than 0, but is 0");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "pareto", "min": 1, "shape": 0.001}"#), @": values would be infinite: up to 1.0 × (2^53)^(1 / 0.001); use a larger shape");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "triangular", "min": 0, "mode": 3, "max": 2}"#), @": must be min ≤ mode ≤ max, but are 0, 3 and 2");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "triangular", "min": -1.7e308, "mode": 0, "max": 1.7e308}"#), @": the range is so wide that max − min is infinite");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "student_t", "nu": 0.001}"#), @"/nu: must be at least 0.104, but is 0.001; values would be infinite");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "student_t", "nu": 1e10, "sigma": 0}"#), @"/sigma: must be greater than 0, but is 0 | /nu: must be at most 1000000000, but is 10000000000; use a gaussian");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "student_t", "nu": 0.2, "sigma": 1e300}"#), @"/sigma: is so large that values could be infinite");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "cauchy", "mu": 0, "sigma": 1e293}"#), @"/sigma: is so large that values could be infinite");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "laplace", "mu": 0}"#), @": `sigma` is missing");
    insta::assert_snapshot!(said("FLOAT", r#"{"type": "logistic", "mu": 0, "scale": 1}"#), @": `sigma` is missing | /scale: unknown; expected one of: type, mu, sigma");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "binomial", "n": 1.5, "p": 0.5}"#), @"/n: must be a 64-bit integer, but is 1.5");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "binomial", "n": -1, "p": 2}"#), @"/p: must be between 0 and 1, but is 2");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "binomial", "n": -1, "p": 1}"#), @"/n: must be between 0 and 9007199254740991, but is -1");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "binomial", "n": 1000000000, "p": 0.5}"#), @": the variance n × p × (1 - p) must be at most 10000000; use a FLOAT gaussian instead");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "negative_binomial", "n": 0, "p": 0}"#), @"/n: must be greater than 0, but is 0 | /p: must be greater than 0, but is 0");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "negative_binomial", "n": 1, "p": 1e-6}"#), @": about 7e7 different values would be likely, which is more than 1000000; use a FLOAT gamma with shape = n and rate = p / (1 - p) instead");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "geometric", "p": 0}"#), @"/p: must be greater than 0, but is 0");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "geometric", "p": 1e-18}"#), @"/p: must be at least 1e-17, but is 1e-18; values would not fit into 64 bits");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "zipf", "n": 1000001, "s": 1}"#), @"/n: must be between 1 and 1000000, but is 1000001");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "zipf", "n": 10, "s": -1}"#), @"/s: must not be negative, but is -1");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "sequence", "start": 0.5}"#), @"/start: must be a 64-bit integer, but is 0.5");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "sequence", "start": 9223372036854775807}"#), @": start + 9999 × step must fit into 64 bits: the largest ensemble has 10000 rows");
    insta::assert_snapshot!(said("STRING", r#"{"type": "uuid", "version": 7}"#), @"/version: unknown; expected one of: type");
    insta::assert_snapshot!(said("INTEGER", r#"{"type": "uuid"}"#), @"/type: uuid can't draw INTEGER values; it draws STRING, and INTEGER is drawn by uniform, categorical, constant, mixture, bernoulli, poisson, binomial, negative_binomial, geometric, zipf, sequence, any, index, one_of, length_of, sum, share");
    insta::assert_snapshot!(said("STRING", r#"{"type": "patern", "regex": "x"}"#), @"/type: unknown distribution `patern`; did you mean `pattern`?");
}

/// The elements of patterns, and near misses.
fn almost_a_pattern() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => r"[\^$.|?*+()\[\]{}\\a-d1-3,:=!<>P&-]",
        2 => r"\[\^?\]?[a-d!-/<>&~\\\[-]{0,4}\]",
        2 => r"[a-d]\{\+?[1-3]?(,\+?[1-3]?)?\}",
        1 => r"\(\?P?<[a-c1._\[é]{0,2}>[a-d]\)",
        1 => r"\\[xu]\{?[+0-9a-f]{0,4}\}?",
        1 => r"\\[pP]\{?[LNPSudl]{0,2}\}?",
        1 => r"\[\^?\[:\^?(alpha|upper|punct|word):\][a-d-]{0,2}\]",
        1 => r"\\\PC",
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_text_is_a_pattern_or_has_faults(regex in almost_a_pattern()) {
        let text = definition("STRING", &format!(r#"{{"type": "pattern", "regex": {}}}"#, Value::from(&regex[..])));
        if let Ok(definition) = Definition::parse(&text) {
            let column = column(&definition, 0, 0, 5);
            let Cells::Text(texts) = column.cells() else { panic!("{column:?}") };
            // The regex crate accepts everything that we accept, with the same meaning.
            let whole = match Regex::new(&format!("^(?:{regex})$")) {
                // It limits the bytes of its compiled form.
                Err(regex::Error::CompiledTooBig(_)) => return Ok(()),
                whole => whole.unwrap(),
            };
            for text in texts.iter() {
                prop_assert!(whole.is_match(text), "{} gave {:?}", regex, text);
            }
        }
    }
}
