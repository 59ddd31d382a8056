//! Bits that must never change, on any platform, in any build: if a test here fails, the code is
//! wrong, not the test. Needs only the crate, so that it runs wherever the crate compiles.

use tdg_definition::math::{cos_pi, exp, exp_m1, ln, ln_1p, normal, pow, tan_pi};
use tdg_definition::random::{Purpose, Stream, Threshold, uniform};

#[test]
fn words_of_a_stream() {
    let golden = [
        ((0, "feature_1", Purpose::Value, 0, 0), 0x501df66863d70acd),
        ((0, "feature_1", Purpose::Value, 1, 0), 0x92d81f02337983bd),
        ((0, "feature_1", Purpose::Value, 4, 0), 0x36e5915cf33ce0b0),
        (
            (0, "feature_1", Purpose::Value, 9999, 0),
            0xa8f5706bcce678d0,
        ),
        ((7, "amount", Purpose::Value, 0, 0), 0xbdafb2adcda935e8),
        ((7, "amount", Purpose::Value, 0, 1), 0x02d42d5ec71418ad),
        ((7, "amount", Purpose::Null, 0, 0), 0xa1c024f0ee331769),
        ((7, "amount", Purpose::Component, 0, 0), 0xced9b5af7a996f62),
        (
            (u64::MAX, "größe ✓", Purpose::Value, u64::MAX, u64::MAX),
            0xc12536782d5241a0,
        ),
        ((1, "", Purpose::Value, 2, 0), 0x5efd04ab51bce2c4),
    ];
    for ((seed, name, purpose, row, draw), word) in golden {
        assert_eq!(
            Stream::new(seed, name).word(purpose, row, draw),
            word,
            "{seed} {name:?} {purpose:?} {row} {draw}"
        );
    }
}

#[test]
fn uniform_numbers() {
    let golden: [(u64, u64, u64); 3] = [
        (0xbdafb2adcda935e8, 0x3fe7b5f655b9b526, 0x3fe7b5f655b9b527),
        (0xa60f161c22394ca7, 0x3fe4c1e2c3844729, 0x3fe4c1e2c3844729),
        (0x920f0877d0aec676, 0x3fe241e10efa15d8, 0x3fe241e10efa15d9),
    ];
    for (word, unit, unit_open) in golden {
        assert_eq!(uniform::unit(word).to_bits(), unit, "{word:#x}");
        assert_eq!(uniform::unit_open(word).to_bits(), unit_open, "{word:#x}");
    }
    let word = 0xbdafb2adcda935e8;
    assert_eq!(uniform::below(word, 6), 4);
    assert_eq!(uniform::up_to(word, 999), 740);
    assert!(Threshold::of(0.75).is_above(word));
    assert!(!Threshold::of(0.74).is_above(word));
}

#[test]
fn normal_values() {
    let golden: [u64; 8] = [
        0x3fe4ae9bfdbd31af,
        0x3fd86e32f4f17e6b,
        0x3fc6c0a4117e7d47,
        0x3fba9eec21853252,
        0xbfe971d7251724c2,
        0xbfebebfe38eda9ef,
        0x3fdbcfe320bf2aa0,
        0x3ffdca411dd4df8b,
    ];
    let values = two_thousand_normal_values();
    assert_eq!(values[..8], golden.map(f64::from_bits));
    assert_eq!(fold(&values), 0x4c1e3cb27dac8798);
}

#[test]
fn two_thousand_values_of_ln_and_exp() {
    let mut logarithms = [0.0; 2000];
    let mut powers = [0.0; 2000];
    let mut x = 0.001;
    for i in 0..2000 {
        logarithms[i] = ln(x);
        powers[i] = exp(x - 700.0);
        x += 0.7;
    }
    assert_eq!(fold(&logarithms), 0x982b4e874d4bc985);
    assert_eq!(fold(&powers), 0x969832ea2a45a586);
}

#[test]
fn two_thousand_values_of_each_further_function() {
    let fold_of = |function: fn(f64) -> f64, first: f64, step: f64| {
        let mut values = [0.0; 2000];
        let mut x = first;
        for value in &mut values {
            *value = function(x);
            x += step;
        }
        fold(&values)
    };
    assert_eq!(fold_of(exp_m1, -50.0, 0.0625), 0x390bfdb6730979ee);
    assert_eq!(fold_of(ln_1p, -0.999, 0.00390625), 0x02df7804936ebf14);
    assert_eq!(fold_of(cos_pi, 0.0, 0.0009765625), 0xd3008cdcf625969d);
    assert_eq!(fold_of(tan_pi, -0.499, 0.000244140625), 0xa2345bab60f4b8ca);
    assert_eq!(fold_of(normal::cdf, -39.0, 0.03125), 0x94ceb80d914ad898);
    assert_eq!(fold_of(|x| pow(x, -1.7), 0.001, 0.4), 0x2d6e2327cff8b499);
}

#[test]
fn values_of_ln() {
    let golden: [(f64, u64); 14] = [
        (5e-324, 0xc0874385446d71c3),
        (1e-310, 0xc0864e69394d9508),
        (1e-300, 0xc085963447f87fb5),
        (0.1, 0xc0026bb1bbb55515),
        (0.5, 0xbfe62e42fefa39ef),
        (0.7071067811865474, 0xbfd62e42fefa39f4),
        (std::f64::consts::FRAC_1_SQRT_2, 0xbfd62e42fefa39ee),
        (0.999, 0xbf5064670d979b73),
        (1.001, 0x3f5060354f8c3cc4),
        (1.5594668665255038, 0x3fdc7021dc735196),
        (2.0, 0x3fe62e42fefa39ef),
        (10.0, 0x40026bb1bbb55516),
        (10000000000.0, 0x4037069e2aa2aa5b),
        (1.7976931348623157e308, 0x40862e42fefa39ef),
    ];
    for (x, bits) in golden {
        assert_eq!(ln(x).to_bits(), bits, "at {x:e}");
    }
}

#[test]
fn values_of_exp() {
    let golden: [(f64, u64); 14] = [
        (-745.0, 0x0000000000000001),
        (-720.5, 0x00000005cf08fff0),
        (-708.0, 0x0017c8ab2288c9ab),
        (-71.04456603953759, 0x3986b22382db5192),
        (-1.0, 0x3fd78b56362cef38),
        (-0.3, 0x3fe7b4c869c37c05),
        (-1e-10, 0x3feffffffff24190),
        (1e-10, 0x3ff000000006df38),
        (0.3, 0x3ff599058c8c1a96),
        (0.36444208809000656, 0x3ff7090deea2a81e),
        (1.0, 0x4005bf0a8b14576a),
        (10.0, 0x40d5829dcf950560),
        (100.0, 0x48f3494a9b171bf5),
        (709.7, 0x7fed75ae7a50ee14),
    ];
    for (x, bits) in golden {
        assert_eq!(exp(x).to_bits(), bits, "at {x:e}");
    }
}

#[test]
fn values_of_the_normal_quantile() {
    let golden: [(f64, u64); 15] = [
        (1e-300, 0xc04286074064c26e),
        (1e-20, 0xc022865170b43a4c),
        (1.1102230246251565e-16, 0xc0206b48528cea51),
        (1e-9, 0xc017fdc11f44b5a7),
        (0.001, 0xc008b8cbb7204471),
        (0.045324183092613546, 0xbffb12616f2bf1f6),
        (0.075, 0xbff7085226d3e523),
        (0.0750001, 0xbff708516931eed2),
        (0.1, 0xbff4813c36e26d34),
        (0.3, 0xbfe0c7e39582c5fc),
        (0.49999, 0xbefa48add58fc7a2),
        (0.6, 0x3fd036d6c4a04b5a),
        (0.925, 0x3ff7085226d3e522),
        (0.9251, 0x3ff70b374817af50),
        (0.999999, 0x40130381a97985f0),
    ];
    for (x, bits) in golden {
        assert_eq!(normal::quantile(x).to_bits(), bits, "at {x:e}");
    }
}

fn two_thousand_normal_values() -> [f64; 2000] {
    let mut words = [0; 2000];
    let mut values = [0.0; 2000];
    Stream::new(7, "amount").fill(Purpose::Value, 0, 0, &mut words);
    normal::fill(&words, &mut values);
    values
}

/// A hash that depends on every bit and on the order.
fn fold(values: &[f64]) -> u64 {
    values.iter().fold(0, |sum: u64, value| {
        (sum.rotate_left(5) ^ value.to_bits()).wrapping_mul(0x100_0000_01b3)
    })
}
