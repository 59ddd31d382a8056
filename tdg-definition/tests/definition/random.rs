//! Random words: the generator against published vectors, and the guarantees of streams.

use proptest::prelude::*;
use rand_core::Rng;
use tdg_definition::random::{Purpose, Stream, Threshold, philox, uniform};

const PURPOSES: [Purpose; 3] = [Purpose::Value, Purpose::Null, Purpose::Component];

#[test]
fn philox_gives_the_known_answers_of_random123() {
    let answers = [
        (
            [0; 4],
            [0; 2],
            [
                0x16554d9eca36314c,
                0xdb20fe9d672d0fdc,
                0xd7e772cee186176b,
                0x7e68b68aec7ba23b,
            ],
        ),
        (
            [u64::MAX; 4],
            [u64::MAX; 2],
            [
                0x87b092c3013fe90b,
                0x438c3c67be8d0224,
                0x9cc7d7c69cd777b6,
                0xa09caebf594f0ba0,
            ],
        ),
        (
            [
                0x243f6a8885a308d3,
                0x13198a2e03707344,
                0xa4093822299f31d0,
                0x082efa98ec4e6c89,
            ],
            [0x452821e638d01377, 0xbe5466cf34e90c6c],
            [
                0xa528f45403e61d95,
                0x38c72dbd566e9788,
                0xa5a1610e72fd18b5,
                0x57bd43b5e52b7fe6,
            ],
        ),
    ];
    for (counter, key, block) in answers {
        assert_eq!(philox::block(counter, key), block);
    }
}

#[test]
fn philox_gives_the_words_of_numpy() {
    for line in data_lines(include_str!("../data/philox_numpy.txt")) {
        let numbers: Vec<u64> = line
            .split(' ')
            .map(|hex| u64::from_str_radix(hex, 16).unwrap())
            .collect();
        let given = [numbers[0], numbers[1], numbers[2], numbers[3]];
        let key = [numbers[4], numbers[5]];
        // numpy increments the counter before generating.
        let first = successor(given);
        assert_eq!(philox::block(first, key), numbers[6..10], "{line}");
        assert_eq!(
            philox::block(successor(first), key),
            numbers[10..14],
            "{line}"
        );
    }
}

#[test]
fn the_key_is_the_beginning_of_a_sha_256() {
    // sha256sum of "tdg:1:7:amount", its first 16 bytes as two little-endian words
    let key = [0x8fc90e9e3f985ae5, 0xbfb792d85cf2d6a7];
    let block = philox::block([3, 5, 1, 0], key);
    let stream = Stream::new(7, "amount");
    for (lane, word) in block.into_iter().enumerate() {
        assert_eq!(stream.word(Purpose::Null, 12 + lane as u64, 5), word);
    }
}

#[test]
fn seeds_names_purposes_and_draws_have_separate_words() {
    let mut words = Vec::new();
    for (seed, name) in [
        (7, "amount"),
        (8, "amount"),
        (7, "amounts"),
        (77, "amount"),
        (7, "7:amount"),
        (7, ""),
    ] {
        let stream = Stream::new(seed, name);
        for purpose in PURPOSES {
            for draw in 0..3 {
                for row in 0..100 {
                    words.push(stream.word(purpose, row, draw));
                }
            }
        }
    }
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count);
}

#[test]
fn streams_that_differ_in_name_or_purpose_are_uncorrelated() {
    let first = units(&Stream::new(0, "feature_1"), Purpose::Value);
    let others = [
        units(&Stream::new(0, "feature_2"), Purpose::Value),
        units(&Stream::new(1, "feature_1"), Purpose::Value),
        units(&Stream::new(0, "feature_1"), Purpose::Null),
    ];
    for other in others {
        let products: f64 = first
            .iter()
            .zip(&other)
            .map(|(a, b)| (a - 0.5) * (b - 0.5))
            .sum();
        // For 10,000 independent pairs, the correlation has a standard deviation of 0.01.
        let correlation = products / first.len() as f64 * 12.0;
        assert!(correlation.abs() < 0.04, "{correlation}");
    }
}

#[test]
fn a_threshold_of_0_never_and_of_1_always_happens() {
    for word in [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX] {
        assert!(!Threshold::of(0.0).is_above(word));
        assert!(!Threshold::of(-1.0).is_above(word));
        assert!(!Threshold::of(f64::NAN).is_above(word));
        assert!(Threshold::of(1.0).is_above(word));
        assert!(Threshold::of(2.0).is_above(word));
    }
}

#[test]
fn uniform_numbers_reach_the_ends_of_their_range_and_no_further() {
    assert_eq!(uniform::unit(0), 0.0);
    assert_eq!(uniform::unit(u64::MAX), 1.0f64.next_down());
    assert_eq!(uniform::unit_open(0), 0.5 / (1u64 << 52) as f64);
    assert_eq!(uniform::unit_open(u64::MAX), 1.0f64.next_down());
    assert_eq!(uniform::below(u64::MAX, 0), 0);
    assert_eq!(uniform::below(u64::MAX, 1), 0);
    assert_eq!(uniform::below(u64::MAX, u64::MAX), u64::MAX - 1);
    assert_eq!(uniform::up_to(u64::MAX, 0), 0);
    assert_eq!(uniform::up_to(u64::MAX, u64::MAX), u64::MAX);
}

#[test]
fn rows_after_the_last_one_are_the_first_ones() {
    let stream = Stream::new(0, "last");
    for before in 0..12 {
        let first = u64::MAX - before;
        let mut words = [0; 24];
        stream.fill(Purpose::Value, 0, first, &mut words);
        for (i, word) in words.into_iter().enumerate() {
            let row = first.wrapping_add(i as u64);
            assert_eq!(word, stream.word(Purpose::Value, row, 0), "{before} {i}");
        }
    }
}

proptest! {
    #[test]
    fn a_pair_of_blocks_is_two_blocks(one: [u64; 4], other: [u64; 4], key: [u64; 2]) {
        let blocks = [philox::block(one, key), philox::block(other, key)].concat();
        prop_assert_eq!(&philox::pair(one, other, key)[..], &blocks[..]);
    }

    #[test]
    fn words_in_bulk_are_the_words_one_by_one(
        seed: u64, name: String, purpose in 0..3usize, draw: u64, first_row in 0..u64::MAX - 64, length in 0..64usize,
    ) {
        let stream = Stream::new(seed, &name);
        let mut words = vec![0; length];
        stream.fill(PURPOSES[purpose], draw, first_row, &mut words);
        for (i, word) in words.into_iter().enumerate() {
            prop_assert_eq!(word, stream.word(PURPOSES[purpose], first_row + i as u64, draw));
        }
    }

    #[test]
    fn the_first_rows_of_many_are_the_rows_of_few(seed: u64, name: String, few in 0..100usize, more in 0..100usize) {
        let stream = Stream::new(seed, &name);
        let mut short = vec![0; few];
        let mut long = vec![0; few + more];
        stream.fill(Purpose::Value, 0, 0, &mut short);
        stream.fill(Purpose::Value, 0, 0, &mut long);
        prop_assert_eq!(&short[..], &long[..few]);
    }

    #[test]
    fn the_draws_of_a_row_are_its_words(seed: u64, name: String, row: u64) {
        let stream = Stream::new(seed, &name);
        let mut draws = stream.row(Purpose::Value, row);
        for draw in 0..5 {
            prop_assert_eq!(draws.next_word(), stream.word(Purpose::Value, row, draw));
        }
    }

    #[test]
    fn what_rand_draws_from_a_row_are_its_words(seed: u64, row: u64) {
        let stream = Stream::new(seed, "amount");
        let [first, second, third] = [0, 1, 2].map(|draw| stream.word(Purpose::Value, row, draw));
        let mut draws = stream.row(Purpose::Value, row);
        prop_assert_eq!(draws.next_u64(), first);
        prop_assert_eq!(draws.next_u32(), (second >> 32) as u32);
        let mut bytes = [0; 3];
        draws.fill_bytes(&mut bytes);
        prop_assert_eq!(&bytes[..], &third.to_le_bytes()[..3]);
    }

    #[test]
    fn units_follow_their_formulas(word: u64) {
        // Sums and products are exact within 53 bits.
        let scale = 1.0 / (1u64 << 52) as f64;
        prop_assert_eq!(uniform::unit(word), (word >> 11) as f64 * scale / 2.0);
        prop_assert_eq!(uniform::unit_open(word), ((word >> 12) as f64 + 0.5) * scale);
        prop_assert_eq!(uniform::unit_open(!word), 1.0 - uniform::unit_open(word));
    }

    #[test]
    fn ranges_follow_their_formulas(word: u64, span: u64) {
        prop_assert_eq!(uniform::below(word, span) as u128, (word as u128 * span as u128) >> 64);
        prop_assert_eq!(uniform::up_to(word, span) as u128, (word as u128 * (span as u128 + 1)) >> 64);
    }

    #[test]
    fn thresholds_grow_with_the_probability(p in 0.0..=1.0f64, q in 0.0..=1.0f64, word: u64) {
        let (low, high) = (p.min(q), p.max(q));
        prop_assert!(Threshold::of(low) <= Threshold::of(high));
        prop_assert!(!Threshold::of(low).is_above(word) || Threshold::of(high).is_above(word));
    }

    #[test]
    fn a_threshold_cuts_the_words_at_its_probability(p in 0.0..1.0f64) {
        let cut = (p * (1u128 << 64) as f64) as u64;
        let step = 1 << 12;
        prop_assert!(cut < step || Threshold::of(p).is_above(cut - step));
        prop_assert!(cut >= u64::MAX - step || !Threshold::of(p).is_above(cut + step));
    }
}

fn units(stream: &Stream, purpose: Purpose) -> Vec<f64> {
    let mut words = vec![0; 10_000];
    stream.fill(purpose, 0, 0, &mut words);
    words.into_iter().map(uniform::unit).collect()
}

/// The next 256-bit number.
fn successor(counter: [u64; 4]) -> [u64; 4] {
    let mut counter = counter;
    for word in &mut counter {
        *word = word.wrapping_add(1);
        if *word != 0 {
            break;
        }
    }
    counter
}

fn data_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}
