//! Named constants in definitions: each definition equals the one with literals.

#![allow(clippy::unwrap_used)] // Covers helpers, whose failure fails the test.
#![warn(clippy::pedantic)]
#![warn(unused, unused_qualifications)]
// Written like users' code.
#![allow(
    unreachable_pub,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss
)]

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tdg::{Define, Definition, ensemble_test};

mod limits {
    pub const MIN: i8 = -5;
    pub const MAX: u64 = 100;
    pub const PER_MINUTE: u16 = 60;
    pub const TABLE: [u32; 3] = [1, 2, 30];
    pub const LIMITS: Limits = Limits { most: 7 };

    pub struct Limits {
        pub most: usize,
    }
}

use limits::{LIMITS, PER_MINUTE, TABLE};

const MEAN: f64 = 10.0;
const SHARE: f32 = 0.1;
const LEN: usize = 3;
const WIDE: i128 = 9_007_199_254_740_993;
const LARGEST: u128 = 18_446_744_073_709_551_615;
const NAME: &str = "HALF";
const START: &str = "2020-01-01";
const LETTER: char = 'a';
const CERTAIN: bool = true;
const DIGITS: &str = "[0-9]{4}";

/// Returns the two definitions under one name.
fn definitions<A: Define, B: Define>() -> [Definition; 2] {
    let named = |definition: Definition, name: &str| {
        let canonical = definition.canonical();
        let name = format!("\"definition_name\":\"{name}\"");
        assert!(canonical.contains(&name), "{canonical}");
        Definition::parse(&canonical.replace(&name, "\"definition_name\":\"of both\"")).unwrap()
    };
    [
        named(A::definition(), "ByConstants"),
        named(B::definition(), "ByLiterals"),
    ]
}

macro_rules! same {
    (constants { $($constants:tt)* } literals { $($literals:tt)* }) => {
        #[derive(Define)]
        #[allow(dead_code)]
        struct ByConstants { $($constants)* }
        #[derive(Define)]
        #[allow(dead_code)]
        struct ByLiterals { $($literals)* }
        let [constants, literals] = definitions::<ByConstants, ByLiterals>();
        assert_eq!(constants.canonical(), literals.canonical());
    };
}

#[test]
fn bounds_of_integers_are_constants() {
    same! {
        constants {
            #[define(uniform(1..=limits::MAX))]
            inclusive: u32,
            #[define(uniform(limits::MIN..limits::MAX - 1))]
            exclusive: i64,
            #[define(uniform(1..60 * PER_MINUTE))]
            computed: u32,
            #[define(uniform(-LIMITS.most.pow(2).cast_signed()..=TABLE[2] as isize))]
            called: i64,
            #[define(any(max = u64::from(PER_MINUTE)))]
            any: u8,
            #[define(uniform(WIDE..=LARGEST))]
            wide: u64,
            #[define(uniform(min = limits::MIN, max = limits::MAX))]
            named: i64,
            #[define(constant(LEN))]
            constant: usize,
            #[define(uniform(1..=limits::MAX), edge_cases(probability = SHARE, values = [PER_MINUTE, limits::MAX]))]
            edges: u32,
            #[define(mixture(uniform(1..PER_MINUTE) = SHARE, poisson(rate = MEAN) = 0.9))]
            mixed: u32,
        }
        literals {
            #[define(uniform(1..=100))]
            inclusive: u32,
            #[define(uniform(-5..99))]
            exclusive: i64,
            #[define(uniform(1..3600))]
            computed: u32,
            #[define(uniform(-49..=30))]
            called: i64,
            #[define(any(max = 60))]
            any: u8,
            #[define(uniform(9_007_199_254_740_993..=18_446_744_073_709_551_615))]
            wide: u64,
            #[define(uniform(min = -5, max = 100))]
            named: i64,
            #[define(constant(3))]
            constant: usize,
            #[define(uniform(1..=100), edge_cases(probability = 0.1, values = [60, 100]))]
            edges: u32,
            #[define(mixture(uniform(1..60) = 0.1, poisson(rate = 10.0) = 0.9))]
            mixed: u32,
        }
    }
}

#[test]
fn numbers_of_floats_are_constants() {
    same! {
        constants {
            #[define(gaussian(mu = MEAN, sigma = 2.0, 0.0..=limits::MAX as f64), decimals = LEN)]
            truncated: f64,
            #[define(uniform(0.0..std::f64::consts::PI))]
            angle: f64,
            #[define(uniform(0.0..MEAN), null_probability = SHARE)]
            nullable: Option<f32>,
            #[define(lognormal(mu = MEAN / 4.0, sigma = SHARE))]
            computed: f64,
        }
        literals {
            #[define(gaussian(mu = 10.0, sigma = 2.0, 0.0..=100.0), decimals = 3)]
            truncated: f64,
            #[define(uniform(0.0..3.141592653589793))]
            angle: f64,
            #[define(uniform(0.0..10.0), null_probability = 0.1)]
            nullable: Option<f32>,
            #[define(lognormal(mu = 2.5, sigma = 0.1))]
            computed: f64,
        }
    }
}

#[test]
fn texts_and_truth_are_constants() {
    same! {
        constants {
            #[define(categorical(NAME = SHARE, "TENTH" = 0.9))]
            coupon: String,
            #[define(categorical(LETTER, 'b'))]
            letter: char,
            #[define(pattern(DIGITS))]
            digits: String,
            #[define(constant(CERTAIN))]
            certain: bool,
            #[define(type = DATE, uniform(START..="2020-12-31"))]
            day: String,
            #[define(any, length(1..=LEN))]
            bytes: Vec<u8>,
        }
        literals {
            #[define(categorical("HALF" = 0.1, "TENTH" = 0.9))]
            coupon: String,
            #[define(categorical('a', 'b'))]
            letter: char,
            #[define(pattern("[0-9]{4}"))]
            digits: String,
            #[define(constant(true))]
            certain: bool,
            #[define(type = DATE, uniform("2020-01-01"..="2020-12-31"))]
            day: String,
            #[define(any, length(1..=3))]
            bytes: Vec<u8>,
        }
    }
}

#[test]
fn lengths_and_values_within_others_are_constants() {
    same! {
        constants {
            #[define([uniform(0..=limits::MAX); 1..LEN])]
            list: Vec<u32>,
            #[define(any, length(LEN))]
            length: Vec<bool>,
            #[define([uniform(0..limits::MAX); LEN])]
            array: [u8; 3],
            #[define(uniform(0..limits::MAX))]
            of_the_type: [u8; LEN],
            #[define([any; poisson(rate = MEAN, max = LIMITS.most)])]
            drawn: Vec<u8>,
            #[define((uniform(0..limits::MAX), any, null_probability = SHARE))]
            tuple: (u32, Option<bool>),
            #[define({pattern("[a-z]{4}") => uniform(0..=limits::MAX); 0..=LEN})]
            map: BTreeMap<String, u8>,
            #[define([uniform(0..=limits::MAX); 0..9])]
            set: BTreeSet<u8>,
            #[define([uniform(0..9); 2..=LEN])]
            small: BTreeSet<u8>,
        }
        literals {
            #[define([uniform(0..=100); 1..3])]
            list: Vec<u32>,
            #[define(any, length(3))]
            length: Vec<bool>,
            #[define([uniform(0..100); 3])]
            array: [u8; 3],
            #[define(uniform(0..100))]
            of_the_type: [u8; 3],
            #[define([any; poisson(rate = 10.0, max = 7)])]
            drawn: Vec<u8>,
            #[define((uniform(0..100), any, null_probability = 0.1))]
            tuple: (u32, Option<bool>),
            #[define({pattern("[a-z]{4}") => uniform(0..=100); 0..=3})]
            map: BTreeMap<String, u8>,
            #[define([uniform(0..=100); 0..9])]
            set: BTreeSet<u8>,
            #[define([uniform(0..9); 2..=3])]
            small: BTreeSet<u8>,
        }
    }
}

#[test]
fn features_of_aliases_and_makers_have_constants() {
    type Grams = u32;
    type Share = f64;
    struct Money(#[allow(dead_code)] i64);
    same! {
        constants {
            #[define(uniform(1..limits::MAX))]
            grams: Grams,
            #[define(uniform(0.0..MEAN))]
            share: Share,
            #[define(any(max = PER_MINUTE))]
            any: Grams,
            #[define(uniform(1..=limits::MAX), via = |cents: i64| Money(cents))]
            money: Money,
            #[define(uniform(1..=limits::MAX), via = Money)]
            other: Money,
        }
        literals {
            #[define(uniform(1..100))]
            grams: Grams,
            #[define(uniform(0.0..10.0))]
            share: Share,
            #[define(any(max = 60))]
            any: Grams,
            #[define(uniform(1..=100), via = |cents: i64| Money(cents))]
            money: Money,
            #[define(uniform(1..=100), via = Money)]
            other: Money,
        }
    }
}

#[test]
fn relations_have_constants() {
    #[derive(Define)]
    #[define(correlation(height, weight, SHARE), coverage(strength = LEN - 1))]
    #[allow(dead_code)]
    struct ByConstants {
        #[define(gaussian(mu = 170.0, sigma = MEAN))]
        height: f64,
        #[define(gaussian(mu = 70.0, sigma = 15.0))]
        weight: f64,
        #[define(bernoulli(0.5))]
        one: bool,
        #[define(bernoulli(p = SHARE))]
        other: bool,
    }
    #[derive(Define)]
    #[define(correlation(height, weight, 0.1), coverage(strength = 2))]
    #[allow(dead_code)]
    struct ByLiterals {
        #[define(gaussian(mu = 170.0, sigma = 10.0))]
        height: f64,
        #[define(gaussian(mu = 70.0, sigma = 15.0))]
        weight: f64,
        #[define(bernoulli(0.5))]
        one: bool,
        #[define(bernoulli(p = 0.1))]
        other: bool,
    }
    let [constants, literals] = definitions::<ByConstants, ByLiterals>();
    assert_eq!(constants.canonical(), literals.canonical());
}

#[test]
fn types_within_others_have_constants() {
    #[derive(Define)]
    #[allow(dead_code)]
    enum Kind {
        #[define(probability = SHARE)]
        Rare,
        #[define(probability = 0.9)]
        Usual,
    }
    #[derive(Define)]
    #[allow(dead_code)]
    enum Move {
        #[define(probability = SHARE)]
        Stay,
        #[define(probability = 0.9)]
        Go(#[define(uniform(1..=limits::MAX))] u32),
    }
    #[derive(Define)]
    struct Percent(
        #[allow(dead_code)]
        #[define(uniform(0..=limits::MAX))]
        u8,
    );
    #[derive(Define)]
    #[define(depth = LEN, leaves = LIMITS.most)]
    #[allow(dead_code)]
    enum Tree {
        Leaf(#[define(uniform(1..=limits::MAX))] u32),
        Branch(Vec<Tree>),
    }
    #[derive(Define)]
    #[allow(dead_code)]
    struct ByConstants {
        kind: Kind,
        step: Move,
        percent: Percent,
        tree: Tree,
    }
    let found = ByConstants::definition().canonical();
    for expected in [
        r#"{"probability":0.1,"value":"Rare"}"#,
        r#""max":100"#,
        r#""depth":3"#,
        r#""leaves":7"#,
    ] {
        assert!(found.contains(expected), "{expected} in {found}");
    }
}

#[test]
fn associated_constants_are_constants() {
    #[derive(Define)]
    #[allow(dead_code)]
    struct Order {
        #[define(uniform(1..=Self::LIMIT))]
        own: u32,
        #[define(uniform(1..=Order::LIMIT))]
        named: u32,
        #[define(uniform(0..=<u8 as Limit>::LIMIT))]
        of_a_trait: u8,
    }
    impl Order {
        const LIMIT: u32 = 12;
    }
    trait Limit {
        const LIMIT: u8;
    }
    impl Limit for u8 {
        const LIMIT: u8 = 12;
    }
    let found = Order::definition().canonical();
    assert_eq!(found.matches(r#""max":12"#).count(), 3, "{found}");
}

#[derive(Serialize)]
struct Priced {
    total: f64,
}

mod by_constants {
    use super::{MEAN, Priced, SHARE, ensemble_test};

    const SIZE: usize = 20;
    const SEED: u64 = 7;
    const MOST: u32 = 20;

    #[ensemble_test(
        size = SIZE,
        seed = SEED,
        tolerance("/total", rel = RELATIVE),
        define(correlation(amount, quantity, SHARE))
    )]
    fn total(
        #[define(uniform(0.0..MEAN))] amount: f64,
        #[define(uniform(1..=MOST))] quantity: u32,
        #[define([uniform(1..=MOST); 0..=LEN])] extras: &[u32],
    ) -> Priced {
        let count = quantity + extras.iter().sum::<u32>();
        Priced {
            total: amount * f64::from(count),
        }
    }

    const RELATIVE: f64 = 1e-9;
    const LEN: usize = 2;
}

mod by_literals {
    use super::{Priced, ensemble_test};

    #[ensemble_test(
        size = 20,
        seed = 7,
        tolerance("/total", rel = 1e-9),
        define(correlation(amount, quantity, 0.1))
    )]
    fn total(
        #[define(uniform(0.0..10.0))] amount: f64,
        #[define(uniform(1..=20))] quantity: u32,
        #[define([uniform(1..=20); 0..=2])] extras: &[u32],
    ) -> Priced {
        let count = quantity + extras.iter().sum::<u32>();
        Priced {
            total: amount * f64::from(count),
        }
    }
}

fn snapshot(module: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/tests/snapshots/constants__{module}__total.snap");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_snapshot_equals_the_snapshot_of_the_literals() {
    let by_constants = snapshot("by_constants");
    let by_literals = snapshot("by_literals");
    assert_eq!(
        by_constants.replace("by_constants", "by_literals"),
        by_literals
    );
}

#[derive(Define, Deserialize, Serialize)]
struct Parcel {
    #[define(uniform(1..=limits::MAX))]
    grams: u32,
}

#[test]
fn rows_are_drawn_up_to_the_constant() {
    let rows = Parcel::rows(0, 1000).unwrap();
    assert_eq!(rows.iter().map(|it| it.grams).max(), Some(100));
}

fn panic_of(define: fn() -> Definition) -> String {
    let panic = std::panic::catch_unwind(define).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn a_constant_that_does_not_fit_is_named_with_its_feature_when_the_test_runs() {
    #[derive(Define)]
    #[allow(dead_code)]
    struct Order {
        #[define(uniform(5..=LEN))]
        quantity: u32,
        #[define(categorical(NAME = SHARE, "TENTH" = 0.8))]
        coupon: String,
    }
    #[derive(Define)]
    #[allow(dead_code)]
    struct Range {
        #[define(uniform(0..MEAN))]
        quantity: u32,
    }
    #[derive(Define)]
    #[allow(dead_code)]
    struct Day {
        #[define(type = DATE, uniform("2020-01-01"..=NAME))]
        day: String,
    }
    let said = [Order::definition, Range::definition, Day::definition].map(panic_of);
    insta::assert_snapshot!(said.join("\n\n"));
}
