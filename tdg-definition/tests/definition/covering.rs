//! Covering arrays: everything is covered, with only slightly more rows than other tools need.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use tdg_definition::covering::{CoveringArray, combinations};

/// Repeats numbers of levels: `"3^13 2"` is thirteen features with three levels and one with two.
fn shape(text: &str) -> Vec<u32> {
    let mut levels = Vec::new();
    for word in text.split(' ') {
        let (count, times) = word.split_once('^').unwrap_or((word, "1"));
        let times: usize = times.parse().unwrap();
        levels.extend(std::iter::repeat_n(count.parse::<u32>().unwrap(), times));
    }
    levels
}

/// Counts the combinations of levels of `strength` different features in the rows.
fn covered(array: &CoveringArray, features: usize, strength: usize) -> usize {
    let mut found = HashSet::new();
    let mut sets = vec![vec![]];
    for _ in 0..strength {
        let longer = |set: &Vec<usize>| {
            let set = set.clone();
            (set.last().map_or(0, |last| last + 1)..features)
                .map(move |next| [&set[..], &[next]].concat())
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    for row in array.rows() {
        assert_eq!(row.len(), features);
        for set in &sets {
            let levels: Option<Vec<u32>> = set.iter().map(|&feature| row[feature]).collect();
            found.extend(levels.map(|levels| (set.clone(), levels)));
        }
    }
    found.len()
}

#[test]
fn the_array_of_given_levels_is_the_same_for_good() {
    let rows = |levels: &[u32], strength| {
        let array = CoveringArray::new(levels, strength);
        let cell = |level: &Option<u32>| level.map_or("-".to_owned(), |level| level.to_string());
        let row = |row: &Vec<Option<u32>>| row.iter().map(cell).collect::<String>();
        array.rows().iter().map(row).collect::<Vec<_>>().join(" ")
    };
    insta::assert_snapshot!(rows(&[2, 3, 2, 4], 2), @"0000 1110 0210 1001 0101 1201 0012 1102 -2-2 1003 0113 -2-3 --11");
    insta::assert_snapshot!(rows(&[2, 2, 3, 2, 2], 3), @"00000 01011 10010 11001 00111 01100 10101 11110 00201 01210 10211 11200 -00-1 -10-0 -01-0 -11-1 -02-0 -12-1");
    insta::assert_snapshot!(rows(&[2, 3], 3), @"00 10 01 11 02 12");
}

#[test]
fn one_feature_has_each_of_its_levels_once() {
    let array = CoveringArray::new(&[3], 2);
    assert_eq!(array.rows(), [[Some(0)], [Some(1)], [Some(2)]]);
}

#[test]
fn no_features_have_one_empty_row() {
    assert_eq!(CoveringArray::new(&[], 2).rows(), [[]]);
}

#[test]
fn the_number_of_combinations_stops_at_the_largest_number() {
    assert_eq!(combinations(&[u32::MAX; 3], 3), u64::MAX);
    assert_eq!(combinations(&[5], 2), 5);
}

/// Each line of the file has the strength, the rows made by PICT, and the numbers of levels.
#[test]
fn arrays_have_at_most_a_fifth_more_rows_than_pict() {
    let counts = include_str!("../data/pict.txt");
    for line in counts.lines().filter(|line| !line.starts_with('#')) {
        let [strength, rows, levels] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (strength, rows): (usize, usize) = (strength.parse().unwrap(), rows.parse().unwrap());
        let array = CoveringArray::new(&shape(levels), strength);
        let ours = array.rows().len();
        assert!(5 * ours <= 6 * rows, "{ours} rows for {line}");
    }
}

proptest! {
    #[test]
    fn every_combination_is_in_a_row_and_no_row_is_there_twice(
        levels in vec(0..6_u32, 1..9),
        strength in 0..=3_usize,
    ) {
        let array = CoveringArray::new(&levels, strength);
        let strength = strength.clamp(1, levels.len());
        let expected = combinations(&levels, strength);
        prop_assert_eq!(covered(&array, levels.len(), strength) as u64, expected);
        let different: HashSet<_> = array.rows().iter().collect();
        prop_assert_eq!(different.len(), array.rows().len());
    }
}
