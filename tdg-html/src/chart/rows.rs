//! Bars below each other, each with its name: categories, and `null`.

use maud::{Markup, html};
use tdg_engine::report::shorten;

use super::short;
use crate::percent;
use crate::summary::Bar;

/// A line for each of the first bars; one of `widest` rows is as wide as there is room, and shares
/// are those of `count`.
pub(crate) fn rows(bars: &[Bar], widest: usize, count: usize, did: &str) -> Markup {
    /// About as high as a histogram.
    const SHOWN: usize = 6;
    let share = |count: usize| short(100.0 * count as f64 / widest.max(1) as f64);
    let width = |count: usize| format!("width:{}%", share(count));
    let (shown, more) = bars.split_at(bars.len().min(SHOWN));
    html! {
        ul.categories {
            @for bin in shown {
                li.covered[bin.is_covered] title=(shorten(&bin.tip(did), 400)) {
                    span.label { (shorten(&bin.label, 40)) }
                    span.bar {
                        i.all style=(width(bin.count)) {}
                        i.changed style=(width(bin.chosen)) {}
                    }
                    span.share { (percent(bin.count, count)) }
                }
            }
        }
        @if !more.is_empty() { p.faint { "… and " (more.len()) " more" } }
    }
}
