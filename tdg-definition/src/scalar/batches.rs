//! Converts random words to values, in stretches of rows, so that the words stay in the cache.

use crate::checkpoint;
use crate::column::Cells;
use crate::random::uniform::unit_open;
use crate::scalar::Words;

/// The number of rows in a stretch.
const STRETCH: usize = 1024;

/// Draws one value for each word.
///
/// `convert` fills its second argument from its first, element by element.
pub(crate) fn draw_with<T: Copy + Default>(
    words: &Words<'_>,
    mut convert: impl FnMut(&[u64], &mut [T]),
) -> Vec<T> {
    let rows = words.len();
    // Buffered, since a column that is zeroed first is written twice.
    let mut values = Vec::with_capacity(rows);
    let most = STRETCH.min(rows);
    let (mut buffer, mut stretch) = (vec![0; most], vec![T::default(); most]);
    while values.len() < rows {
        checkpoint();
        let length = most.min(rows - values.len());
        let (buffer, stretch) = (&mut buffer[..length], &mut stretch[..length]);
        words.read(values.len(), buffer);
        convert(buffer, stretch);
        values.extend_from_slice(stretch);
    }
    values
}

/// Like [`draw_with`], value by value.
pub(crate) fn draw_each<T: Copy + Default>(words: &Words<'_>, value: impl Fn(u64) -> T) -> Vec<T> {
    draw_with(words, |words, values| {
        // Indexed, because iterators are slow in unoptimized builds.
        let mut i = 0;
        while i < words.len() {
            values[i] = value(words[i]);
            i += 1;
        }
    })
}

/// Draws one float for each word: the quantile of its `unit_open`.
pub(crate) fn draw_quantiles(words: &Words<'_>, quantile: impl Fn(f64) -> f64) -> Cells {
    let value = |word| quantile(unit_open(word));
    Cells::Float(draw_each(words, value))
}
