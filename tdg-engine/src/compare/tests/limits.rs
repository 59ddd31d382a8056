//! What a tolerance lets pass, beside `rel` and `abs`; and what a share of cases does.

use super::{Policy, Tolerance, compare, generous, passes};

fn ulp(ulp: u64) -> Policy {
    Policy::exact().tolerance(Tolerance::ulp(ulp)).unwrap()
}

fn integers(tolerance: Tolerance) -> Policy {
    let tolerance = Tolerance {
        integers: true,
        ..tolerance
    };
    Policy::exact().tolerance(tolerance).unwrap()
}

#[test]
fn ulps_count_the_floats_between_two() {
    // The floats after 1 are 2.2e-16 apart.
    assert!(passes(&ulp(4), "1.0", "1.0000000000000009"));
    assert!(!passes(&ulp(3), "1.0", "1.0000000000000009"));
    assert!(passes(&ulp(4), "1.0000000000000009", "1.0"));
    assert!(passes(&ulp(2), "-5e-324", "5e-324"));
    assert!(!passes(&ulp(1), "-5e-324", "5e-324"));
    assert!(passes(&ulp(1), "1", "1.0000000000000002"));
}

#[test]
fn however_many_ulps_pass_infinity_and_nan_do_not() {
    let all = ulp(u64::MAX);
    assert!(passes(&all, "-1e308", "1e308"));
    for other in [
        r#"{"$float":"Infinity"}"#,
        r#"{"$float":"NaN"}"#,
        "null",
        r#""1""#,
    ] {
        assert!(!passes(&all, "1.7976931348623157e308", other), "{other}");
        assert!(!passes(&all, other, "1.7976931348623157e308"), "{other}");
    }
}

#[test]
fn integers_have_no_ulps() {
    assert!(!passes(&ulp(1000), "1", "2"));
    let both = Tolerance {
        ulp: 1000,
        ..Tolerance::abs(1.0)
    };
    assert!(!passes(&integers(both), "1", "3"));
}

#[test]
fn integers_are_tolerated_on_request() {
    assert!(passes(&integers(Tolerance::abs(1.0)), "10", "11"));
    assert!(passes(&integers(Tolerance::abs(1.0)), "11", "10"));
    assert!(!passes(&integers(Tolerance::abs(1.0)), "10", "12"));
    assert!(passes(&integers(Tolerance::rel(0.1)), "-10", "-11"));
    assert!(!passes(&integers(Tolerance::rel(0.1)), "10", "-10"));
    assert!(!passes(&integers(Tolerance::rel(0.5)), "0", "1"));
    // As floats these two are equal.
    let (one, other) = ("9007199254740992", "9007199254740993");
    assert!(!passes(&integers(Tolerance::abs(0.5)), one, other));
    assert!(passes(&integers(Tolerance::abs(1.0)), one, other));
}

#[test]
fn the_use_of_a_tolerance_is_the_least_of_what_each_limit_says() {
    let use_of = |tolerance| {
        let policy = integers(tolerance);
        compare(&policy, "[1.0, 8]", "[1.0000000000000004, 9]").tolerance_use
    };
    assert_eq!(use_of(Tolerance::abs(2.0)), Some(0.5));
    assert_eq!(use_of(Tolerance::abs(4.0)), Some(0.25));
    let ulps = Tolerance {
        ulp: 8,
        ..Tolerance::abs(4.0)
    };
    assert_eq!(use_of(ulps), Some(0.25));
    let comparison = compare(&ulp(8), "1.0", "1.0000000000000004");
    assert_eq!(comparison.tolerance_use, Some(0.25));
}

#[test]
fn a_tolerance_for_integers_has_to_say_how_far() {
    let error = Policy::exact().tolerance(Tolerance {
        integers: true,
        ..Tolerance::ulp(4)
    });
    insta::assert_snapshot!(error.unwrap_err(), @"tolerance: integers needs rel or abs, which say how far they may be apart, such as abs = 1");
}

#[test]
fn a_tolerance_reads_as_in_the_attribute() {
    let all = Tolerance {
        rel: 1e-9,
        abs: 0.01,
        ulp: 4,
        integers: true,
    };
    insta::assert_snapshot!(all, @"tolerance(rel = 1e-9, abs = 0.01, ulp = 4, integers)");
    insta::assert_snapshot!(Tolerance::EXACT, @"tolerance(abs = 0.0)");
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
    assert_eq!(generous().allowed(10_000), 0);
}

#[test]
fn a_share_that_allows_everything_or_nothing_sensible_is_refused() {
    for share in [1.0, 1.5, -0.01, f64::NAN, f64::INFINITY] {
        assert!(Policy::exact().allow(share).is_err(), "{share}");
    }
    insta::assert_snapshot!(Policy::exact().allow(1.0).unwrap_err(), @"allow: must be a share of the cases from 0 to less than 1, but is 1.0; write allow = 0.01 for one case in a hundred");
}
