//! Labelled bars below each other: categories, and `null`.

use maud::{Markup, html};
use tdg_engine::text::shorten;

use super::bar;
use crate::percent;
use crate::summary::Bar;

/// Renders a line for each of the first bars. A bar of `widest` rows takes the full width, and
/// shares are relative to `count`.
pub(crate) fn rows(bars: &[Bar], widest: usize, count: usize, did: &str) -> Markup {
    /// About the height of a histogram.
    const SHOWN: usize = 6;
    /// The minimum width of a visible bar.
    const LEAST: f64 = 0.5;
    let width = |count: usize| match count {
        0 => 0.0,
        count => (100.0 * count as f64 / widest.max(1) as f64).max(LEAST),
    };
    let part = |class, count| {
        html! {
            @if count > 0 { (bar(class, 0.0, width(count), 1.0, 1.0)) }
        }
    };
    let (shown, more) = bars.split_at(bars.len().min(SHOWN));
    html! {
        ul.categories {
            @for bin in shown {
                li.covered[bin.is_covered] title=(shorten(&bin.tip(did), 400)) {
                    span.label { (shorten(&bin.label, 40)) }
                    svg.bar viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" {
                        (part("all", bin.count)) (part("changed", bin.chosen))
                    }
                    span.share { (percent(bin.count, count)) }
                }
            }
        }
        @if !more.is_empty() { p.faint { "… and " (more.len()) " more" } }
    }
}
