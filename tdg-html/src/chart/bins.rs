//! Bars above an axis: the rows in each bin, and the chosen ones among them.

use maud::{Markup, html};

use super::short;
use crate::summary::Bar;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 72.0;
/// The height of the strip below the bars, and the gap in between.
const STRIP: f64 = 8.0;
const GAP: f64 = 3.0;

/// The part of the axis that a rule covers, with both ends from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Band {
    pub(crate) from: f64,
    pub(crate) to: f64,
}

/// Renders the bars. With a `band`, its inner ends are marked. A strip below the bars then shows
/// the share of each bin, because low bars would hide it.
pub(crate) fn bins(bars: &[Bar], did: &str, band: Option<Band>, label: &str) -> Markup {
    let highest = bars.iter().map(|bin| bin.count).max().unwrap_or(1).max(1) as f64;
    let step = WIDTH / bars.len().max(1) as f64;
    let scale = |count: usize| match count {
        0 => 0.0,
        count => (HEIGHT * count as f64 / highest).max(1.5),
    };
    let bottom = HEIGHT + if band.is_some() { GAP + STRIP } else { 0.0 };
    let ends = band.map(|band| [band.from, band.to]).unwrap_or_default();
    // The ends of the axis aren't thresholds.
    let thresholds = ends.into_iter().filter(|end| *end > 0.0 && *end < 1.0);
    html! {
        svg.bins viewBox=(format!("0 0 {WIDTH} {bottom}")) preserveAspectRatio="none" role="img"
            aria-label=(label) {
            @if let Some(band) = band {
                (bar("band", WIDTH * band.from, WIDTH * (band.to - band.from), HEIGHT, HEIGHT))
            }
            @for (index, bin) in bars.iter().enumerate() {
                @let left = step * index as f64 + 0.5;
                g {
                    title { (bin.tip(did)) }
                    (bar("all", left, step - 1.0, scale(bin.count), HEIGHT))
                    (bar("changed", left, step - 1.0, scale(bin.chosen), HEIGHT))
                    @if band.is_some() && bin.count > 0 {
                        (bar("strip", left, step - 1.0, STRIP, bottom))
                        @if bin.chosen > 0 {
                            g fill-opacity=(short(bin.share())) {
                                (bar("changed", left, step - 1.0, STRIP, bottom))
                            }
                        }
                    }
                }
            }
            @for at in thresholds {
                line.threshold x1=(short(WIDTH * at)) x2=(short(WIDTH * at)) y1="0" y2=(bottom) {}
            }
        }
    }
}

/// Renders a bar that extends upwards from `bottom`.
pub fn bar(class: &str, left: f64, width: f64, height: f64, bottom: f64) -> Markup {
    html! {
        @if height > 0.0 {
            rect class=(class) x=(short(left)) y=(short(bottom - height)) width=(short(width)) height=(short(height)) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(counts: &[(usize, usize)]) -> Vec<Bar> {
        let bar = |(at, &(count, chosen)): (usize, &(usize, usize))| Bar {
            label: at.to_string(),
            count,
            chosen,
            is_covered: false,
        };
        counts.iter().enumerate().map(bar).collect()
    }

    #[test]
    fn a_rule_has_its_threshold_and_the_share_of_each_bin() {
        let band = Band { from: 0.5, to: 1.0 };
        let svg = bins(&bars(&[(8, 0), (4, 2)]), "changed", Some(band), "n").0;
        insta::assert_snapshot!(svg.replace("><", ">\n<"));
    }

    #[test]
    fn without_a_rule_there_are_only_bars() {
        let svg = bins(&bars(&[(8, 1), (0, 0)]), "changed", None, "n").0;
        insta::assert_snapshot!(svg.replace("><", ">\n<"));
    }
}
