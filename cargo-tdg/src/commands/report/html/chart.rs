//! Charts as SVG, coloured by the page's styles.

use maud::{Markup, html};
use tdg_engine::report::shorten;

use crate::summary::{Bar, Shape, Summary};
use crate::terminal::percent;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 72.0;

/// The distribution of a feature, with the rows that `did` something: bins above an axis, or a bar
/// for each category.
pub(super) fn distribution(summary: &Summary, bars: &[Bar], did: &str) -> Markup {
    match &summary.shape {
        Shape::Numbers(numbers) => {
            // Nulls have no place among numbers, and would squeeze the other bars.
            let (bars, nulls) = bars.split_at(bars.len() - usize::from(summary.nulls > 0));
            html! {
                (bins(bars, did))
                (axis(&numbers.ends()))
                @if !nulls.is_empty() { (list(nulls, summary.count, summary.count, did)) }
            }
        }
        _ => categories(bars, summary.count, did),
    }
}

pub(super) fn bins(bars: &[Bar], did: &str) -> Markup {
    let highest = bars.iter().map(|bin| bin.count).max().unwrap_or(1).max(1) as f64;
    let step = WIDTH / bars.len().max(1) as f64;
    let scale = |count: usize| {
        if count == 0 {
            0.0
        } else {
            (HEIGHT * count as f64 / highest).max(1.5)
        }
    };
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img" {
            @for (index, bin) in bars.iter().enumerate() {
                @let left = step * index as f64 + 0.5;
                g {
                    title { (tip(bin, did)) }
                    (bar("all", left, step - 1.0, scale(bin.count), HEIGHT))
                    (bar("changed", left, step - 1.0, scale(bin.chosen), HEIGHT))
                }
            }
        }
    }
}

/// A bar from the bottom up.
pub(super) fn bar(class: &str, left: f64, width: f64, height: f64, bottom: f64) -> Markup {
    html! {
        @if height > 0.0 {
            rect class=(class) x=(short(left)) y=(short(bottom - height)) width=(short(width)) height=(short(height)) {}
        }
    }
}

pub(super) fn axis(ends: &[String; 2]) -> Markup {
    html! { p.axis { span { (ends[0]) } span { (ends[1]) } } }
}

/// The tooltip of a bar.
fn tip(bin: &Bar, did: &str) -> String {
    match bin.chosen {
        0 => format!("{}: {}", bin.label, bin.count),
        chosen => format!("{}: {chosen} of {} {did}", bin.label, bin.count),
    }
}

fn categories(bars: &[Bar], count: usize, did: &str) -> Markup {
    /// About as high as a histogram.
    const SHOWN: usize = 6;
    let widest = bars.iter().map(|bin| bin.count).max().unwrap_or(1).max(1);
    let shown = &bars[..bars.len().min(SHOWN)];
    html! {
        (list(shown, widest, count, did))
        @if bars.len() > SHOWN { p.faint { "… and " (bars.len() - SHOWN) " more" } }
    }
}

/// A line for each bar; one of `widest` rows is as wide as there is room.
fn list(bars: &[Bar], widest: usize, count: usize, did: &str) -> Markup {
    let share = |count: usize| format!("width:{}%", short(100.0 * count as f64 / widest as f64));
    html! {
        ul.categories {
            @for bin in bars {
                li title=(shorten(&tip(bin, did), 400)) {
                    span.label { (shorten(&bin.label, 40)) }
                    span.bar {
                        i.all style=(share(bin.count)) {}
                        i.changed style=(share(bin.chosen)) {}
                    }
                    span.share { (percent(bin.count, count)) }
                }
            }
        }
    }
}

/// `40 %`, with a bar.
pub(super) fn gauge(share: f64) -> Markup {
    let class = if share > 0.8 { "gauge near" } else { "gauge" };
    html! {
        span class=(class) title="largest share of a tolerance that a case used" {
            i style=(format!("width:{}%", short(100.0 * share.min(1.0)))) {}
        }
        (format!("{:.0} %", share * 100.0))
    }
}

/// A length with at most two decimals.
pub(super) fn short(length: f64) -> String {
    let text = format!("{length:.2}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;
    use tdg_engine::Vectors;

    use super::super::seen;
    use super::*;
    use crate::summary;

    #[test]
    fn nulls_have_a_named_bar_of_their_own() {
        let definition = r#"{"features":[{"feature_name":"opening","type":"INTEGER","null_probability":0.3,"distribution":{"type":"uniform","min":100,"max":19999}}]}"#;
        let definition = Definition::parse(definition).unwrap();
        let vectors = Vectors::generate(&definition, 0, 500);
        let summary = summary::feature(&vectors, 0);
        let bars = summary::bars(&summary, &vectors, 0, &[]);
        let chart = distribution(&summary, &bars, "changed");
        assert!(seen(&chart.0).contains("null"), "seen: {}", seen(&chart.0));
        let (bins, _) = chart.0.split_once("</svg>").unwrap();
        assert!(!bins.contains("null"), "among the bins");
    }
}
