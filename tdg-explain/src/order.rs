//! Radix sort for many keys. The standard library's sort is compiled with the crate: in a dev
//! build, one comparison costs as much as a pass over a key.

/// Returns the positions of the keys in ascending order; stable.
pub(super) fn of_keys(keys: &[u128]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let mut sorted = order.clone();
    let Some(first) = keys.first() else {
        return order;
    };
    let varying = keys.iter().fold(0, |bits, key| bits | (key ^ first));
    for shift in (0..u128::BITS).step_by(8) {
        if (varying >> shift) as u8 == 0 {
            continue;
        }
        let digit = |at: usize| usize::from((keys[at] >> shift) as u8);
        let mut places = [0; 256];
        for &at in &order {
            places[digit(at)] += 1;
        }
        let mut before = 0;
        for place in &mut places {
            before += *place;
            *place = before - *place;
        }
        for &at in &order {
            let place = &mut places[digit(at)];
            sorted[*place] = at;
            *place += 1;
        }
        std::mem::swap(&mut order, &mut sorted);
    }
    order
}

/// Like [`of_keys`], for integers.
pub(super) fn of_integers(integers: &[i128]) -> Vec<usize> {
    // Few bytes of small integers vary.
    let least = integers.iter().copied().min().unwrap_or_default();
    let keys = integers.iter().map(|it| it.wrapping_sub(least) as u128);
    of_keys(&keys.collect::<Vec<_>>())
}

/// Sorts by the texts; stable.
pub(super) fn by_text(items: &mut Vec<(&str, u32)>) {
    const BYTES: usize = size_of::<u128>();
    let key = |text: &str| {
        let length = text.len().min(BYTES);
        let mut bytes = [0; BYTES];
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        u128::from_be_bytes(bytes)
    };
    let keys: Vec<u128> = items.iter().map(|(text, _)| key(text)).collect();
    let order = of_keys(&keys);
    *items = order.iter().map(|at| items[*at]).collect();
    // Texts with equal keys may still differ.
    let is_longer = |(text, _): &(&str, u32)| text.len() > BYTES || text.ends_with('\0');
    for alike in items.chunk_by_mut(|left, right| key(left.0) == key(right.0)) {
        if alike.iter().any(is_longer) {
            alike.sort_by_key(|(text, _)| *text);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_are_in_the_order_of_the_standard_library(
            integers in prop::collection::vec(
                prop_oneof![-3_i128..3, -300_i128..70_000, any::<i128>()], 0..100)
        ) {
            let mut expected: Vec<usize> = (0..integers.len()).collect();
            expected.sort_by_key(|at| integers[*at]);
            prop_assert_eq!(of_integers(&integers), expected);
        }

        #[test]
        fn texts_are_in_the_order_of_the_standard_library(
            texts in prop::collection::vec("[ab\0é]{0,3}|(abcdefgh){0,3}[ab\0]{0,2}", 0..100)
        ) {
            let mut items: Vec<(&str, u32)> = texts.iter().map(String::as_str).zip(0..).collect();
            let mut expected = items.clone();
            expected.sort();
            by_text(&mut items);
            prop_assert_eq!(items, expected);
        }
    }
}
