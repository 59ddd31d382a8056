//! Charts, as SVG that takes its colours from the page.

use maud::{Markup, html};
use tdg_engine::store::Assertion;

use crate::record::Compared;
use crate::summary::{Numbers, Part, Scale, Shape, Summary};
use crate::terminal::{percent, time};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 72.0;
const HISTORY_HEIGHT: f64 = 40.0;

/// A feature: bins above an axis, or a bar for each category.
pub(super) fn distribution(summary: &Summary, parts: &[Part]) -> Markup {
    match &summary.shape {
        Shape::Numbers(numbers) => html! { (bins(parts)) (axis(&numbers.ends())) },
        _ => categories(parts, summary.count),
    }
}

fn bins(parts: &[Part]) -> Markup {
    let highest = parts
        .iter()
        .map(|part| part.count)
        .max()
        .unwrap_or(1)
        .max(1) as f64;
    let step = WIDTH / parts.len().max(1) as f64;
    let scale = |count: usize| {
        if count == 0 {
            0.0
        } else {
            (HEIGHT * count as f64 / highest).max(1.5)
        }
    };
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img" {
            @for (index, part) in parts.iter().enumerate() {
                @let left = step * index as f64 + 0.5;
                g {
                    title { (tip(part)) }
                    (bar("all", left, step - 1.0, scale(part.count), HEIGHT))
                    (bar("changed", left, step - 1.0, scale(part.chosen), HEIGHT))
                }
            }
        }
    }
}

/// Standing on the bottom.
fn bar(class: &str, left: f64, width: f64, height: f64, bottom: f64) -> Markup {
    html! {
        @if height > 0.0 {
            rect class=(class) x=(short(left)) y=(short(bottom - height)) width=(short(width)) height=(short(height)) {}
        }
    }
}

fn axis(ends: &[String; 2]) -> Markup {
    html! { p.axis { span { (ends[0]) } span { (ends[1]) } } }
}

/// What the browser shows when the pointer rests on a bar.
fn tip(part: &Part) -> String {
    match part.chosen {
        0 => format!("{}: {}", part.label, part.count),
        chosen => format!("{}: {chosen} of {} changed", part.label, part.count),
    }
}

fn categories(parts: &[Part], count: usize) -> Markup {
    /// As many as are about as high as a histogram.
    const SHOWN: usize = 6;
    let widest = parts
        .iter()
        .map(|part| part.count)
        .max()
        .unwrap_or(1)
        .max(1) as f64;
    let share = |count: usize| format!("width:{}%", short(100.0 * count as f64 / widest));
    html! {
        ul.categories {
            @for part in parts.iter().take(SHOWN) {
                li title=(tip(part)) {
                    span.label { (part.label) }
                    span.bar {
                        i.all style=(share(part.count)) {}
                        i.changed style=(share(part.chosen)) {}
                    }
                    span.share { (percent(part.count, count)) }
                }
            }
            @if parts.len() > SHOWN { li.faint { "… and " (parts.len() - SHOWN) " more" } }
        }
    }
}

/// How large the errors are, where they are errors of numbers.
pub(super) fn errors(compared: &Compared) -> Markup {
    let differences = compared
        .differing
        .iter()
        .flat_map(|(_, comparison)| &comparison.differences);
    let errors: Vec<f64> = differences
        .filter_map(|difference| difference.relative_error())
        .map(|error| error * 100.0)
        .filter(|error| error.is_finite())
        .collect();
    if errors.len() < 2 {
        return html! {};
    }
    let Some(numbers) = Numbers::of(&errors, Scale::Number) else {
        return html! {};
    };
    let ends = numbers.ends().map(|end| format!("{end} %"));
    html! {
        h3 { "Relative errors" }
        div.features {
            figure.errors {
                // A constant factor.
                @if numbers.histogram.is_of_one() {
                    p { "all " (ends[0]) }
                } @else {
                    (bins(&numbers.parts()))
                    (axis(&ends))
                }
            }
        }
    }
}

/// `40 %` and as much of a bar.
pub(super) fn gauge(share: f64) -> Markup {
    let class = if share > 0.8 { "gauge near" } else { "gauge" };
    html! {
        span class=(class) title="share of the tolerance that the largest difference used" {
            i style=(format!("width:{}%", short(100.0 * share.min(1.0)))) {}
        }
        (format!("{:.0} %", share * 100.0))
    }
}

/// The newest runs, a mark each, the newest to the right.
pub(super) fn runs(history: &[Assertion]) -> Markup {
    const SHOWN: usize = 16;
    let newest = &history[history.len().saturating_sub(SHOWN)..];
    html! {
        span.runs {
            @for run in newest {
                i class=(if run.asserted { "good" } else { "bad" }) title=(told(run)) {}
            }
        }
    }
}

/// Each run as a column: how much of the tolerance it used, or how many cases changed beside the worst.
pub(super) fn history(history: &[Assertion]) -> Markup {
    const STEP: f64 = 10.0;
    const LEAST: f64 = 8.0;
    let width = STEP * history.len() as f64;
    let changed = |run: &Assertion| run.changed as f64 / run.cases.max(1) as f64;
    let most = history
        .iter()
        .map(changed)
        .fold(f64::MIN_POSITIVE, f64::max);
    let height = |run: &Assertion| {
        let share = match run.asserted {
            true => run.tolerance_use.unwrap_or(0.0).min(1.0),
            false => changed(run) / most,
        };
        LEAST + (HISTORY_HEIGHT - LEAST) * share
    };
    let ends = (
        history.first().map(|run| time(run.timestamp)),
        history.last().map(|run| time(run.timestamp)),
    );
    html! {
        div.history {
            svg viewBox=(format!("0 0 {} {HISTORY_HEIGHT}", short(width))) style=(format!("width:{}px", short(width * 1.4))) role="img" {
                @for (index, run) in history.iter().enumerate() {
                    g {
                        title { (told(run)) }
                        (bar(if run.asserted { "good" } else { "bad" }, STEP * index as f64 + 1.0, STEP - 2.0, height(run), HISTORY_HEIGHT))
                    }
                }
            }
            p.axis {
                span { (ends.0.unwrap_or_default()) }
                @if history.len() > 1 { span { (ends.1.unwrap_or_default()) } }
            }
        }
    }
}

fn told(run: &Assertion) -> String {
    let mut told = format!("{}: {}", time(run.timestamp), run.verdict);
    if run.changed > 0 {
        told.push_str(&format!(", {} of {} cases", run.changed, run.cases));
    }
    if let Some(share) = run.tolerance_use {
        told.push_str(&format!(", {:.0} % of the tolerance", share * 100.0));
    }
    told
}

/// A length without the digits that nobody sees.
fn short(length: f64) -> String {
    let text = format!("{length:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
