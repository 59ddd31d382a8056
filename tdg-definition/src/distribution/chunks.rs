//! From random words to values, a stretch of rows at a time, so that the words stay in the cache.

use crate::random::{Purpose, Stream};

/// Rows a stretch.
const STRETCH: usize = 512;

/// One value a row, each from the row's first word for `purpose`.
///
/// `convert` fills its second argument from its first, element by element.
pub(super) fn draw_with<T: Clone + Default>(
    stream: &Stream,
    purpose: Purpose,
    first_row: u64,
    rows: usize,
    mut convert: impl FnMut(&[u64], &mut [T]),
) -> Vec<T> {
    let mut values = vec![T::default(); rows];
    let mut words = [0; STRETCH];
    let mut row = first_row;
    for stretch in values.chunks_mut(STRETCH) {
        let words = &mut words[..stretch.len()];
        stream.fill(purpose, 0, row, words);
        convert(words, stretch);
        row += STRETCH as u64;
    }
    values
}

/// As [`draw_with`], for values that one word and nothing else decides.
pub(super) fn draw_each<T: Clone + Default>(
    stream: &Stream,
    first_row: u64,
    rows: usize,
    value: impl Fn(u64) -> T,
) -> Vec<T> {
    draw_with(stream, Purpose::Value, first_row, rows, |words, values| {
        // Indexed, because iterators are slow in builds without optimisation.
        let mut i = 0;
        while i < words.len() {
            values[i] = value(words[i]);
            i += 1;
        }
    })
}
