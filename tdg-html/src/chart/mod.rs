//! SVG charts, coloured by the page's styles: bars, rows of bars, points, lines.
//!
//! Each chart has a label for screen readers. Text is placed outside the SVG, which is stretched.

mod bins;
mod lines;
mod points;
mod rows;

use maud::{Markup, html};
use tdg_engine::text::amount;

pub use bins::bar;
pub(crate) use bins::{Band, bins};
pub use lines::lines;
pub(crate) use points::{Guide, PlottedPoint, points};
pub(crate) use rows::rows;

/// Renders the ends of a horizontal axis.
pub(crate) fn axis(ends: &[String; 2]) -> Markup {
    html! { p.axis { span { (ends[0]) } span { (ends[1]) } } }
}

/// Frames a plot, with the ends of the vertical axis on its left and the horizontal ones below.
fn framed(vertical: &AxisRange, horizontal: &[String; 2], plot: &Markup) -> Markup {
    let [least, most] = vertical.ends();
    html! {
        div.framed {
            div.scale { span { (most) } span { (least) } }
            (plot)
            (axis(horizontal))
        }
    }
}

/// Formats a length with at most two decimals.
pub fn short(length: f64) -> String {
    let text = format!("{length:.2}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The range of an axis.
pub(crate) struct AxisRange {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl AxisRange {
    pub(crate) fn from_numbers(numbers: impl Iterator<Item = f64>) -> Self {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers {
            least = least.min(number);
            most = most.max(number);
        }
        Self { least, most }
    }

    /// Returns the position of a number, from 0 to 1. Halved, because the range may overflow.
    fn share(&self, number: f64) -> f64 {
        let range = self.most / 2.0 - self.least / 2.0;
        match range > 0.0 {
            true => (number / 2.0 - self.least / 2.0) / range,
            false => 0.5,
        }
    }

    fn ends(&self) -> [String; 2] {
        [amount(self.least), amount(self.most)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_floats_have_a_place() {
        let span = AxisRange::from_numbers([f64::MIN, 0.0, f64::MAX].into_iter());
        assert_eq!(
            [f64::MIN, 0.0, f64::MAX].map(|it| span.share(it)),
            [0.0, 0.5, 1.0]
        );
        assert_eq!(AxisRange::from_numbers([3.0].into_iter()).share(3.0), 0.5);
    }
}
