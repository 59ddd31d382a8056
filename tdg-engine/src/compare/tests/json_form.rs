//! A policy as JSON.

use super::{Policy, Tolerance};

#[test]
fn a_policy_in_json_is_the_one_made_by_hand() {
    let parsed = Policy::parse(
        r#"{"tolerance": {"rel": 1e-9}, "fields": {"/price": {"abs": 0.01, "ulp": 4}},
            "ignore": ["/id", "/lines/*/id"], "unordered": ["/tags"], "allow": 0.01}"#,
    );
    let price = Tolerance {
        ulp: 4,
        ..Tolerance::abs(0.01)
    };
    let by_hand = Policy::exact()
        .tolerance(Tolerance::rel(1e-9))
        .and_then(|policy| policy.tolerance_at("/price", price))
        .and_then(|policy| policy.ignore("/id"))
        .and_then(|policy| policy.ignore("/lines/*/id"))
        .and_then(|policy| policy.unordered("/tags"))
        .and_then(|policy| policy.allow(0.01));
    assert_eq!(parsed.unwrap(), by_hand.unwrap());
    assert_eq!(Policy::parse("{}").unwrap(), Policy::exact());
}

#[test]
fn what_is_written_is_canonical_and_comes_back() {
    let text = r#"{"unordered": [""], "ignore": ["/*/b", "/*/a~1b"], "allow": 0.5,
        "fields": {"/*/c": {"abs": 0}, "": {"rel": 1, "integers": true}}}"#;
    let policy = Policy::parse(text).unwrap();
    let written = policy.to_json();
    insta::assert_snapshot!(written, @r#"{"allow":0.5,"fields":{"/*/c":{"abs":0.0}},"ignore":["/*/a~1b","/*/b"],"tolerance":{"integers":true,"rel":1.0},"unordered":[""]}"#);
    assert_eq!(Policy::from_json(&written).unwrap(), policy);
    assert_eq!(Policy::exact().to_json().to_string(), "{}");
}

#[test]
fn all_faults_are_told_at_once() {
    let faults = Policy::parse(
        r#"{"tolerance": {}, "fields": {"price": {"abs": 1}, "/a": {"rel": -1, "ulps": 4},
            "/b": {"ulp": 0.5, "integers": 1}, "/c": 1, "/d": {"ulp": 4, "integers": true}},
            "ignore": ["", 1, "/x~y"], "unordered": "/tags", "allow": 1, "alow": 0.5}"#,
    )
    .unwrap_err();
    insta::assert_snapshot!(faults, @r#"
    /tolerance: does not say how much is tolerated; give `rel`, `abs` or `ulp`
    /fields/~1a: rel must be 0 or greater, but is -1.0; write rel = 1.0
    /fields/~1a/ulps: unknown; did you mean `ulp`?
    /fields/~1b/ulp: must be a whole number from 0, but is 0.5
    /fields/~1b/integers: must be true or false, but is 1
    /fields/~1c: a tolerance must be an object, but this is 1
    /fields/~1d: integers needs rel or abs, which say how far they may be apart, such as abs = 1
    /fields/price: "price" is not a JSON Pointer: a pointer starts with /; write "/price"
    /ignore/0: would ignore the whole output; name a field of it, such as "/id", or return () to record nothing
    /ignore/1: must be a JSON Pointer, but is 1
    /ignore/2: "/x~y" is not a JSON Pointer: ~ stands before 0 or 1 only; write ~0 for ~ and ~1 for / in a key
    /unordered: must be a list of JSON Pointers, but is the string "/tags"
    /allow: must be a share of the cases from 0 to less than 1, but is 1.0; write allow = 0.01 for one case in a hundred
    /alow: unknown; did you mean `allow`?
    "#);
}

#[test]
fn more_and_longer_pointers_than_anybody_needs_are_refused() {
    let ignoring = |pointers: &[String]| {
        let pointers: Vec<_> = pointers
            .iter()
            .map(|pointer| format!("{pointer:?}"))
            .collect();
        Policy::parse(&format!(r#"{{"ignore": [{}]}}"#, pointers.join(",")))
    };
    let many = |count| {
        (0..count)
            .map(|index| format!("/{index}"))
            .collect::<Vec<_>>()
    };
    assert!(ignoring(&many(256)).is_ok());
    insta::assert_snapshot!(ignoring(&many(257)).unwrap_err(), @"has more than 256 pointers; `*` stands for every element of an array and every value of an object");
    let deep = |segments: usize| ["/a".repeat(1000), "/b".repeat(segments - 1000)];
    assert!(ignoring(&deep(1024)).is_ok());
    insta::assert_snapshot!(ignoring(&deep(1025)).unwrap_err(), @"has more than 1024 segments in its pointers; `*` stands for every element of an array and every value of an object");
    let long = |bytes: usize| [format!("/{}", "a".repeat(bytes - 1))];
    assert!(ignoring(&long(16_384)).is_ok());
    insta::assert_snapshot!(ignoring(&long(16_385)).unwrap_err(), @"has more than 16384 bytes of pointers; `*` stands for every element of an array and every value of an object");
}

#[test]
fn a_policy_that_is_no_json_says_where() {
    insta::assert_snapshot!(Policy::parse("{\"allow\": }").unwrap_err(), @"line 1, column 11: expected a value, found `}`");
    insta::assert_snapshot!(Policy::parse("[]").unwrap_err(), @"a policy must be an object, but this is a list");
}
