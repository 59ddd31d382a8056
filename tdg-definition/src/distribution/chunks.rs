//! From random words to values, a stretch of rows at a time, so that the words stay in the cache.

use crate::column::Cells;
use crate::random::uniform::unit_open;
use crate::random::{Purpose, Stream};

/// Rows a stretch.
const STRETCH: usize = 512;

/// One value a row, each from the row's first word for `purpose`.
///
/// `convert` fills its second argument from its first, element by element.
pub(super) fn draw_with<T: Copy + Default>(
    stream: &Stream,
    purpose: Purpose,
    first_row: u64,
    rows: usize,
    mut convert: impl FnMut(&[u64], &mut [T]),
) -> Vec<T> {
    // Through a buffer: a column that is first filled with zeros is written twice.
    let mut values = Vec::with_capacity(rows);
    let (mut words, mut stretch) = ([0; STRETCH], [T::default(); STRETCH]);
    while values.len() < rows {
        let length = STRETCH.min(rows - values.len());
        let (words, stretch) = (&mut words[..length], &mut stretch[..length]);
        let row = first_row.wrapping_add(values.len() as u64);
        stream.fill(purpose, 0, row, words);
        convert(words, stretch);
        values.extend_from_slice(stretch);
    }
    values
}

/// As [`draw_with`], for values that one word and nothing else decides.
pub(super) fn draw_each<T: Copy + Default>(
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

/// One float a row by inversion: the quantile of `unit_open` of the row's word.
pub(super) fn draw_quantiles(
    stream: &Stream,
    first_row: u64,
    rows: usize,
    quantile: impl Fn(f64) -> f64,
) -> Cells {
    let value = |word| quantile(unit_open(word));
    Cells::Float(draw_each(stream, first_row, rows, value))
}
