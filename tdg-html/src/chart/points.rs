//! Points in a plane.

use maud::{Markup, html};

use super::{AxisRange, framed, short};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 120.0;
/// The distance from the frame to the outermost points.
const MARGIN: f64 = 5.0;
/// The maximum number of points in a plot.
const MOST: usize = 400;

/// A point with its tooltip.
pub(crate) struct PlottedPoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) is_changed: bool,
    pub(crate) tip: String,
}

/// A line for comparison with the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guide {
    /// `y = x`, on equal axes.
    Equal,
    /// `y = 0`.
    Zero,
    None,
}

/// Draws a circle for each point, or for a sample if there are many.
pub(crate) fn points(points: &[PlottedPoint], guide: Guide, label: &str) -> Markup {
    let (xs, ys) = (points.iter().map(|it| it.x), points.iter().map(|it| it.y));
    let [across, up] = match guide {
        Guide::Equal => [(); 2].map(|()| AxisRange::from_numbers(xs.clone().chain(ys.clone()))),
        Guide::Zero => [
            AxisRange::from_numbers(xs),
            AxisRange::from_numbers(ys.chain([0.0])),
        ],
        Guide::None => [AxisRange::from_numbers(xs), AxisRange::from_numbers(ys)],
    };
    let x = |value: f64| short(MARGIN + (WIDTH - 2.0 * MARGIN) * across.share(value));
    let y = |value: f64| short(HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * up.share(value));
    let [from, to] = match guide {
        Guide::Equal => [up.least, up.most],
        _ => [0.0, 0.0],
    };
    let step = points.len().div_ceil(MOST).max(1);
    let plot = html! {
        svg.plot viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            @if guide != Guide::None {
                line.guide x1=(x(across.least)) y1=(y(from)) x2=(x(across.most)) y2=(y(to)) {}
            }
            @for point in points.iter().step_by(step) {
                circle class=[(!point.is_changed).then_some("all")] cx=(x(point.x)) cy=(y(point.y)) r="2.5" {
                    title { (point.tip) }
                }
            }
        }
    };
    framed(&up, &across.ends(), &plot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_drawn_next_to_their_guide() {
        let point = |x: f64, y: f64, is_changed| PlottedPoint {
            x,
            y,
            is_changed,
            tip: format!("{x}, {y}"),
        };
        let [one, other] = [point(0.0, 1.0, true), point(10.0, 4.0, false)];
        let svg = points(&[one, other], Guide::Zero, "difference over expected").0;
        insta::assert_snapshot!(svg.replace("><", ">\n<"));
    }
}
