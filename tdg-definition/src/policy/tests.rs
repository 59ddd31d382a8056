//! Tests of valid and invalid policies.

use super::{FieldDistribution, Policy, PolicyNode, Tolerance};

#[test]
fn a_policy_in_json_is_the_one_made_by_hand() {
    let parsed = Policy::parse(
        r#"{"tolerance": {"rel": 1e-9}, "fields": {"/price": {"abs": 0.01, "ulp": 4}},
            "ignore": ["/id", "/lines/*/id"], "unordered": ["/tags"], "allow": 0.01}"#,
    );
    let price = Tolerance::abs(0.01).or_ulp(4);
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
fn all_faults_are_reported_at_once() {
    let faults = Policy::parse(
        r#"{"tolerance": {}, "fields": {"price": {"abs": 1}, "/a": {"rel": -1, "ulps": 4},
            "/b": {"ulp": 0.5, "integers": 1}, "/c": 1, "/d": {"ulp": 4, "integers": true}},
            "ignore": ["", 1, "/x~y"], "unordered": "/tags", "allow": 1, "alow": 0.5}"#,
    )
    .unwrap_err();
    insta::assert_snapshot!(faults, @r#"
    /tolerance: does not say how much is tolerated; add `rel`, `abs` or `ulp`, such as abs = 0.01
    /fields/~1a/rel: must be 0 or greater, but is -1.0; write rel = 1.0
    /fields/~1a/ulps: unknown; did you mean `ulp`?
    /fields/~1b/ulp: must be a whole number, 0 or greater, but is 0.5
    /fields/~1b/integers: must be true or false, but is 1
    /fields/~1c: a tolerance must be an object, but this is 1
    /fields/~1d/integers: needs `rel` or `abs`, which say how far apart integers may be, such as abs = 1
    /fields/price: "price" is not a JSON Pointer: a pointer starts with /; write "/price"
    /ignore/0: would ignore the whole output; name a field of it, such as "/id", or return () to record nothing
    /ignore/1: must be a JSON Pointer, but is 1
    /ignore/2: "/x~y" is not a JSON Pointer: ~ must be followed by 0 or 1; write ~0 for ~ and ~1 for / in a key
    /unordered: must be a list of JSON Pointers, but is the string "/tags"
    /allow: must be a share of the cases from 0 to less than 1, but is 1.0; write allow = 0.01 for one case in a hundred
    /alow: unknown; did you mean `allow`?
    "#);
}

#[test]
fn too_many_and_too_long_pointers_are_refused() {
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
fn a_policy_that_is_not_json_says_where() {
    insta::assert_snapshot!(Policy::parse("{\"allow\": }").unwrap_err(), @"line 1, column 11: expected a value, found `}`");
    insta::assert_snapshot!(Policy::parse("[]").unwrap_err(), @"a policy must be an object, but this is a list");
}

#[test]
fn a_limit_that_is_misspelt_is_one_fault() {
    let faults = Policy::parse(r#"{"tolerance": {"ulps": 4}}"#).unwrap_err();
    insta::assert_snapshot!(faults, @"/tolerance/ulps: unknown; did you mean `ulp`?");
}

#[test]
fn nothing_is_said_twice_of_one_place() {
    let faults = Policy::parse(
        r#"{"tolerance": {"rel": 1}, "fields": {"": {"abs": 1}}, "ignore": ["/a", "/b", "/a"],
            "unordered": ["", ""]}"#,
    );
    insta::assert_snapshot!(faults.unwrap_err(), @r#"
    /fields/: is given twice for the whole output; keep one
    /ignore/2: "/a" is given twice; keep one
    /unordered/1: is given twice for the whole output; keep one
    "#);
    let twice = |add: fn(Policy) -> Result<Policy, super::PolicyError>| {
        let error = add(Policy::exact()).and_then(add).unwrap_err();
        error.to_string()
    };
    let messages = [
        twice(|policy| policy.tolerance(Tolerance::abs(1.0))),
        twice(|policy| policy.tolerance_at("/a", Tolerance::abs(1.0))),
        twice(|policy| policy.ignore("/a")),
        twice(|policy| policy.unordered("/a")),
        twice(|policy| policy.allow(0.5)),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    tolerance: is given twice for the whole output; keep one
    tolerance of "/a": "/a" is given twice; keep one
    ignore("/a"): "/a" is given twice; keep one
    unordered("/a"): "/a" is given twice; keep one
    allow: is given twice; keep one
    "#);
}

#[test]
fn an_unusable_policy_says_what_to_write() {
    let tolerance = |tolerance| {
        let error = Policy::exact().tolerance(tolerance).unwrap_err();
        error.to_string()
    };
    let messages = [
        tolerance(Tolerance::rel(-0.5)),
        tolerance(Tolerance::abs(f64::NAN)),
        tolerance(Tolerance::rel(f64::INFINITY)),
        tolerance(Tolerance::ulp(4).with_integers()),
        Policy::exact()
            .tolerance_at("price", Tolerance::abs(0.0))
            .unwrap_err()
            .to_string(),
        Policy::exact().ignore("").unwrap_err().to_string(),
        Policy::exact().ignore("id").unwrap_err().to_string(),
        Policy::exact().allow(1.0).unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    tolerance: rel must be 0 or greater, but is -0.5; write rel = 0.5
    tolerance: abs must be a finite number, but is NaN; to leave a field out of the comparison, use ignore("/field")
    tolerance: rel must be a finite number, but is inf; to leave a field out of the comparison, use ignore("/field")
    tolerance: integers needs `rel` or `abs`, which say how far apart integers may be, such as abs = 1
    tolerance of "price": "price" is not a JSON Pointer: a pointer starts with /; write "/price"
    ignore(""): would ignore the whole output; name a field of it, such as "/id", or return () to record nothing
    ignore("id"): "id" is not a JSON Pointer: a pointer starts with /; write "/id"
    allow: must be a share of the cases from 0 to less than 1, but is 1.0; write allow = 0.01 for one case in a hundred
    "#);
}

#[test]
fn a_share_that_allows_everything_or_nothing_sensible_is_refused() {
    for share in [1.0, 1.5, -0.01, f64::NAN, f64::INFINITY] {
        assert!(Policy::exact().allow(share).is_err(), "{share}");
    }
}

#[test]
fn a_share_of_cases_may_differ() {
    let allowed = |share, cases| Policy::exact().allow(share).unwrap().allowed(cases);
    assert_eq!(allowed(0.01, 500), 5);
    assert_eq!(allowed(0.01, 499), 4);
    assert_eq!(allowed(0.01, 99), 0);
    // 0.29 × 100 is less than 29 in floats, 0.07 × 100 more than 7.
    assert_eq!(allowed(0.29, 100), 29);
    assert_eq!(allowed(0.07, 100), 7);
    assert_eq!(allowed(0.999, 10), 9);
    assert_eq!(allowed(0.0, 10_000), 0);
    assert_eq!(allowed(0.5, 0), 0);
    assert_eq!(Policy::exact().allowed(10_000), 0);
}

#[test]
fn a_pointer_to_one_element_is_refused_whichever_comes_first() {
    let unordered = Policy::exact().unordered("").unwrap();
    let message = unordered.ignore("/0/id").unwrap_err().to_string();
    insta::assert_snapshot!(message, @r#"ignore("/0/id"): the elements of "" are unordered, so none of them is "0"; write "/*" for all of them"#);
    let policy = Policy::exact().ignore("/tags/0").unwrap();
    insta::assert_snapshot!(policy.unordered("/tags").unwrap_err(), @r#"unordered("/tags"): the elements of "/tags" are unordered, so none of them is "0"; write "/tags/*" for all of them"#);
}

#[test]
fn a_tolerance_reads_as_in_the_attribute() {
    let all = Tolerance::rel(1e-9).or_abs(0.01).or_ulp(4).with_integers();
    insta::assert_snapshot!(all, @"tolerance(rel = 1e-9, abs = 0.01, ulp = 4, integers)");
    insta::assert_snapshot!(Tolerance::abs(0.0), @"tolerance(abs = 0.0)");
}

#[test]
fn two_policies_are_merged_in_any_order() {
    let one = r#"{"tolerance": {"rel": 1}, "ignore": ["/a/b", "/*"], "allow": 0.5}"#;
    let other = r#"{"fields": {"/a": {"ulp": 4}}, "unordered": ["", "/a"]}"#;
    let [one, other] = [one, other].map(|text| Policy::parse(text).unwrap());
    let both = one.clone().merge(other.clone()).unwrap();
    assert_eq!(both, other.clone().merge(one.clone()).unwrap());
    assert_eq!(both, both.clone().merge(Policy::exact()).unwrap());
    insta::assert_snapshot!(both.to_json(), @r#"{"allow":0.5,"fields":{"/a":{"ulp":4}},"ignore":["/*","/a/b"],"tolerance":{"rel":1.0},"unordered":["","/a"]}"#);

    let with_index = Policy::exact().ignore("/a/0").unwrap();
    let error = other.merge(with_index).unwrap_err();
    insta::assert_snapshot!(error, @r#"ignore("/a/0"): the elements of "/a" are unordered, so none of them is "0"; write "/a/*" for all of them"#);
}

#[test]
fn the_nodes_of_a_policy_have_their_pointers() {
    let policy = Policy::parse(r#"{"ignore": ["/b/*/c", "/b/a"], "unordered": [""]}"#).unwrap();
    let root = PolicyNode::root(&policy);
    let all = root.all();
    let pointers: Vec<_> = all.iter().map(|(pointer, _)| pointer.to_string()).collect();
    assert_eq!(pointers, ["", "/b", "/b/*", "/b/*/c", "/b/a"]);
    assert_eq!(root.count(), all.len());
}

#[test]
fn distributions_share_the_rate_of_the_test() {
    let policy = Policy::parse(r#"{"distribution": {"/b": {"ks": 1e-6}, "/a/0": {"ks": 0.01}}}"#);
    let policy = policy.unwrap();
    let by_hand = Policy::exact().distribution("/a/0", 0.01);
    let by_hand = by_hand.and_then(|policy| policy.distribution("/b", 1e-6));
    assert_eq!(policy, by_hand.unwrap());
    insta::assert_snapshot!(policy.to_json(), @r#"{"distribution":{"/a/0":{"ks":0.01},"/b":{"ks":1e-6}}}"#);
    let levels = FieldDistribution::all(&policy).into_iter();
    let levels: Vec<_> = levels
        .map(|it| (it.pointer.to_string(), it.level))
        .collect();
    assert_eq!(
        levels,
        [("/a/0".to_owned(), 0.005), ("/b".to_owned(), 5e-7)]
    );
    assert_eq!(policy, policy.clone().merge(Policy::exact()).unwrap());
    assert_eq!(policy, Policy::exact().merge(policy.clone()).unwrap());
}

/// 2 / (2n choose n) is 1, 1/3, 1/10 and 1/35 for up to four cases.
#[test]
fn a_distribution_needs_enough_cases_to_be_able_to_differ() {
    let needed =
        |ks| FieldDistribution::cases_needed(&Policy::exact().distribution("", ks).unwrap());
    assert_eq!(FieldDistribution::cases_needed(&Policy::exact()), 0);
    assert_eq!([0.99, 0.34, 0.33, 0.11, 0.09].map(needed), [2, 2, 3, 3, 4]);
    assert_eq!([1e-6, 1e-12].map(needed), [12, 22]);
    assert_eq!(needed(f64::MIN_POSITIVE), 515);
    assert!(Policy::exact().distribution("", 1e-310).is_err());
    let two = Policy::exact().distribution("/a", 0.18);
    let two = two
        .and_then(|policy| policy.distribution("/b", 0.18))
        .unwrap();
    assert_eq!(FieldDistribution::cases_needed(&two), 4);
}

#[test]
fn a_distribution_that_cannot_be_compared_is_refused() {
    let faults = Policy::parse(
        r#"{"tolerance": {"rel": 1}, "ignore": ["/a/*"], "distribution": {"": {"ks": 1e-6},
            "/a/b/c": {"ks": 0.5}, "/lines/*/x": {"ks": 0.5}, "/c": {}, "/d": {"ks": 0},
            "/e": {"ks": "x"}, "/f": {"ks": 0.5, "sk": 1}, "/g": 1e-6, "/i": {"sk": 1}, "h": {"ks": 0.5}}}"#,
    );
    insta::assert_snapshot!(faults.unwrap_err(), @r#"
    /distribution/: the whole output already has a tolerance: its values are compared either case by case or by their distribution; keep one
    /distribution/~1a~1b~1c: the distribution of "/a/b/c" would be ignored; leave out one of the two
    /distribution/~1c: is missing the rate of false alarms; add `ks`, such as ks = 1e-6
    /distribution/~1d: ks must be greater than 0 and less than 1, but is 0.0; with ks = 1e-6, one in a million runs of the unchanged function fails
    /distribution/~1e/ks: must be a finite number, but is the string "x"
    /distribution/~1f/sk: unknown; did you mean `ks`?
    /distribution/~1g: a distribution must be an object, but this is 1e-6
    /distribution/~1i/sk: unknown; did you mean `ks`?
    /distribution/~1lines~1*~1x: "/lines/*/x" matches several fields, but a distribution is of one number for each case; name one, such as "/lines/0/x"
    /distribution/h: "h" is not a JSON Pointer: a pointer starts with /; write "/h"
    "#);
    insta::assert_snapshot!(Policy::parse(r#"{"distribution": ["/a"]}"#).unwrap_err(), @"/distribution: must be an object of rates by JSON Pointer, but is a list");
    let drawn = || Policy::exact().distribution("/a", 1e-6).unwrap();
    let messages = [
        drawn().ignore("/*").unwrap_err(),
        drawn().tolerance_at("/a", Tolerance::abs(1.0)).unwrap_err(),
        drawn().distribution("/a", 1e-6).unwrap_err(),
        drawn().distribution("/b", f64::NAN).unwrap_err(),
    ];
    insta::assert_snapshot!(messages.map(|it| it.to_string()).join("\n"), @r#"
    ignore("/*"): the distribution of "/a" would be ignored; leave out one of the two
    tolerance of "/a": "/a" already has a distribution: its values are compared either case by case or by their distribution; keep one
    distribution("/a"): "/a" is given twice; keep one
    distribution("/b"): ks must be greater than 0 and less than 1, but is NaN; with ks = 1e-6, one in a million runs of the unchanged function fails
    "#);
}
