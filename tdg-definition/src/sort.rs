//! Sorting that is compiled once.
//!
//! The standard library's sort takes 4,000 lines of LLVM IR for every type and comparison: a fifth
//! of the code compiled in a build of tdg. These functions share one sort of indices. Code whose
//! run time depends on sorting uses the standard library's.

use std::cmp::Ordering;

/// Sorts items; equal items keep their order.
///
/// ```
/// let mut words = ["pear", "fig", "plum"];
/// tdg_definition::sort::by(&mut words, |left, right| left.len().cmp(&right.len()));
/// assert_eq!(words, ["fig", "pear", "plum"]);
/// ```
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|left, right| {
        compare(&items[left], &items[right])
    });
    arrange(order, &mut |left, right| items.swap(left, right));
}

/// Sorts items by keys, each computed once; items with equal keys keep their order.
///
/// ```
/// let mut words = ["pear", "fig", "plum"];
/// tdg_definition::sort::by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["fig", "pear", "plum"]);
/// ```
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = items.iter().map(key).collect();
    let order = order(items.len(), &|left, right| keys[left].cmp(&keys[right]));
    arrange(order, &mut |left, right| items.swap(left, right));
}

/// Sorts items and drops the repeated ones.
///
/// ```
/// assert_eq!(tdg_definition::sort::distinct(vec![3, 1, 3]), [1, 3]);
/// ```
pub fn distinct<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    by(&mut items, Ord::cmp);
    items.dedup();
    items
}

/// The previous place of the item for each place.
fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|left, right| compare(*left, *right));
    order
}

/// Moves the item at `order[place]` to each place, cycle by cycle.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while order[place] != start {
            let next = order[place];
            swap(place, next);
            order[place] = place;
            place = next;
        }
        order[place] = place;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_matches_the_standard_library(
            items in prop::collection::vec((0_u8..20, any::<u16>()), 0..200)
        ) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            let mut sorted = items.clone();
            by_key(&mut sorted, |(key, _)| *key);
            prop_assert_eq!(&sorted, &expected);
            let mut sorted = items;
            by(&mut sorted, |(left, _), (right, _)| left.cmp(right));
            prop_assert_eq!(sorted, expected);
        }
    }
}
