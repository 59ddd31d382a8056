//! Lines over a shared axis: numbers by index.

use maud::{Markup, html};

use super::{AxisRange, framed, short};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 180.0;
const MARGIN: f64 = 4.0;
/// The approximate maximum number of points per line.
const POINTS: usize = 400;

/// Plots numbers by index. Each line has a class, and `ends` labels the horizontal axis.
#[must_use]
pub fn lines(label: &str, lines: &[(&str, &[f64])], ends: &[String; 2]) -> Markup {
    let scale = AxisRange::from_numbers(lines.iter().flat_map(|(_, numbers)| *numbers).copied());
    let longest = lines.iter().map(|(_, numbers)| numbers.len()).max();
    let last = longest.unwrap_or(0).saturating_sub(1);
    let points = |numbers: &[f64]| {
        let points = thinned(numbers).into_iter().map(|(index, number)| {
            let x = WIDTH * index as f64 / last.max(1) as f64;
            let y = HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * scale.share(number);
            format!("{},{}", short(x), short(y))
        });
        points.collect::<Vec<_>>().join(" ")
    };
    let plot = html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img"
            aria-label=(label) {
            @for (class, numbers) in lines { polyline class=(class) points=(points(numbers)) {} }
        }
    };
    framed(&scale, ends, &plot)
}

/// Returns the numbers with their indices. If there are many, only the smallest and the largest of
/// each stretch are kept.
fn thinned(numbers: &[f64]) -> Vec<(usize, f64)> {
    let indexed: Vec<(usize, f64)> = numbers.iter().copied().enumerate().collect();
    if numbers.len() <= 2 * POINTS {
        return indexed;
    }
    let ends = |stretch: &[(usize, f64)]| {
        let by = |one: &&(usize, f64), other: &&(usize, f64)| one.1.total_cmp(&other.1);
        let mut ends: Vec<(usize, f64)> = stretch.iter().min_by(by).copied().into_iter().collect();
        ends.extend(stretch.iter().max_by(by));
        ends.sort_by_key(|(index, _)| *index);
        ends
    };
    let stretches = indexed.chunks(numbers.len().div_ceil(POINTS));
    stretches.flat_map(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_is_not_lost_among_many_numbers() {
        let mut numbers = vec![1.0; 100_000];
        numbers[77_777] = 9.0;
        let thinned = thinned(&numbers);
        assert!(thinned.len() <= 2 * POINTS);
        assert!(thinned.contains(&(77_777, 9.0)));
    }
}
