//! Charts as SVG, coloured by the page's styles.

use maud::{Markup, html};
use tdg_engine::store::Assertion;

use crate::record::ComparedChange;
use crate::summary::{Bar, Numbers, Scale, Shape, Summary};
use crate::terminal::{percent, time};

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 72.0;
const HISTORY_HEIGHT: f64 = 40.0;

/// The distribution of a feature: bins above an axis, or a bar for each category.
pub(super) fn distribution(summary: &Summary, bars: &[Bar]) -> Markup {
    match &summary.shape {
        Shape::Numbers(numbers) => html! { (bins(bars)) (axis(&numbers.ends())) },
        _ => categories(bars, summary.count),
    }
}

fn bins(bars: &[Bar]) -> Markup {
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
                    title { (tip(bin)) }
                    (bar("all", left, step - 1.0, scale(bin.count), HEIGHT))
                    (bar("changed", left, step - 1.0, scale(bin.chosen), HEIGHT))
                }
            }
        }
    }
}

/// A bar from the bottom up.
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

/// The tooltip of a bar.
fn tip(bin: &Bar) -> String {
    match bin.chosen {
        0 => format!("{}: {}", bin.label, bin.count),
        chosen => format!("{}: {chosen} of {} changed", bin.label, bin.count),
    }
}

fn categories(bars: &[Bar], count: usize) -> Markup {
    /// About as high as a histogram.
    const SHOWN: usize = 6;
    let widest = bars.iter().map(|bin| bin.count).max().unwrap_or(1).max(1) as f64;
    let share = |count: usize| format!("width:{}%", short(100.0 * count as f64 / widest));
    html! {
        ul.categories {
            @for bin in bars.iter().take(SHOWN) {
                li title=(tip(bin)) {
                    span.label { (bin.label) }
                    span.bar {
                        i.all style=(share(bin.count)) {}
                        i.changed style=(share(bin.chosen)) {}
                    }
                    span.share { (percent(bin.count, count)) }
                }
            }
            @if bars.len() > SHOWN { li.faint { "… and " (bars.len() - SHOWN) " more" } }
        }
    }
}

/// The distribution of relative errors, if there are any.
pub(super) fn errors(compared: &ComparedChange) -> Markup {
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
                @if numbers.histogram.is_of_one() {
                    p { "all " (ends[0]) }
                } @else {
                    (bins(&numbers.bars()))
                    (axis(&ends))
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

/// A mark for each of the last runs, the newest to the right.
pub(super) fn runs(history: &[Assertion]) -> Markup {
    const SHOWN: usize = 16;
    let newest = &history[history.len().saturating_sub(SHOWN)..];
    html! {
        span.runs {
            @for run in newest {
                i class=(if run.asserted { "good" } else { "bad" }) title=(label(run)) {}
            }
        }
    }
}

/// A column for each run: the share of the tolerance used, or of the changed cases, relative to the
/// worst run.
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
        let share = if run.asserted {
            run.tolerance_use.unwrap_or(0.0).min(1.0)
        } else {
            changed(run) / most
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
                        title { (label(run)) }
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

fn label(run: &Assertion) -> String {
    let mut label = format!("{}: {}", time(run.timestamp), run.verdict);
    if run.changed > 0 {
        label.push_str(&format!(", {} of {} cases", run.changed, run.cases));
    }
    if let Some(share) = run.tolerance_use {
        label.push_str(&format!(", {:.0} % of the tolerance", share * 100.0));
    }
    label
}

/// A length with at most two decimals.
fn short(length: f64) -> String {
    let text = format!("{length:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use tdg_definition::Definition;
    use tdg_engine::{Vectors, Verdict};

    use super::*;
    use crate::summary;

    fn runs(count: usize) -> Vec<Assertion> {
        let run = |number: usize| Assertion {
            uuid: Default::default(),
            benchmark: Default::default(),
            timestamp: 1_700_000_000_000 + number as i64,
            asserted: number % 2 == 0,
            verdict: if number % 2 == 0 {
                Verdict::Same
            } else {
                Verdict::Changed
            },
            cases: 200,
            changed: if number % 2 == 0 { 0 } else { 13 },
            tolerance_use: None,
            checkout: tdg_engine::checkout::Checkout::default(),
        };
        (0..count).map(run).collect()
    }

    /// The text that is seen, without tooltips.
    fn seen(markup: &Markup) -> String {
        let mut text = String::new();
        let mut rest = markup.0.as_str();
        while let Some((before, after)) = rest.split_once('<') {
            text.push_str(before);
            text.push(' ');
            let after = match after.strip_prefix("title>") {
                Some(title) => title.split_once("</title").map_or("", |(_, rest)| rest),
                None => after,
            };
            rest = after.split_once('>').map_or("", |(_, rest)| rest);
        }
        text
    }

    #[test]
    #[ignore = "D8: nulls are an unnamed last bar, which squeezes the others"]
    fn nulls_have_a_named_bar_of_their_own() {
        let definition = r#"{"features":[{"feature_name":"opening","type":"INTEGER","null_probability":0.3,"distribution":{"type":"uniform","min":100,"max":19999}}]}"#;
        let definition = Definition::parse(definition).unwrap();
        let vectors = Vectors::generate(&definition, 0, 500);
        let summary = summary::feature(&vectors, 0);
        let bars = summary::bars(&summary, &vectors, 0, &[]);
        let chart = distribution(&summary, &bars);
        assert!(seen(&chart).contains("null"), "seen: {}", seen(&chart));
        let (bins, _) = chart.0.split_once("</svg>").unwrap();
        assert!(!bins.contains("null"), "among the bins");
    }

    #[test]
    #[ignore = "D9: fewer runs make a higher chart, and it has no scale"]
    fn the_history_has_a_scale_and_one_height() {
        let size = |count: usize| {
            let chart = history(&runs(count)).0;
            let (_, rest) = chart.split_once("viewBox=\"0 0 ").unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        assert_eq!(size(2), size(20));
        let seen = seen(&history(&runs(4)));
        assert!(seen.contains("10 %"), "seen: {seen}");
        assert!(seen.contains("cases changed"), "no legend: {seen}");
    }
}
