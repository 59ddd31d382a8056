//! The latest runs of an ensemble, and the reasons for decisions.

use maud::{Markup, html};
use tdg_engine::store::HistoryEntry;

use super::super::entry::ReportEntry;
use crate::terminal::{counted, time};
use tdg_html::chart::{bar, short};

/// The size of the chart, regardless of the number of runs.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 80.0;
/// The chart has space for at least this many runs.
const SLOTS: usize = 30;
/// The height of a bar without a value.
const STUB: f64 = 3.0;

pub(super) fn part(entry: &ReportEntry) -> Markup {
    let decisions = entry.decisions.iter();
    let mut reasons =
        decisions.filter_map(|record| Some((record.time, record.decision.reason.as_deref()?)));
    let first = reasons.next();
    html! {
        h3 { "History" }
        (chart(&entry.history))
        @if let Some(first) = first {
            ul.reasons {
                @for (added, reason) in std::iter::once(first).chain(reasons) {
                    li { span.faint { (time(added)) } " " (reason) }
                }
            }
        }
    }
}

/// Returns a mark for each of the latest runs, with the newest on the right.
pub(super) fn marks(history: &[HistoryEntry]) -> Markup {
    const SHOWN: usize = 16;
    let newest = &history[history.len().saturating_sub(SHOWN)..];
    let passed = newest.iter().filter(|run| run.asserted).count();
    let runs = counted(newest.len(), "run");
    let told = (!newest.is_empty()).then(|| format!("{passed} of the last {runs} passed"));
    html! {
        span.runs role="img" aria-label=[told] {
            @for run in newest {
                i class=(if run.asserted { "good" } else { "bad" }) title=(label(run)) {}
            }
        }
    }
}

/// Returns a chart with a bar per run: the share of the tolerance used, or of changed cases.
pub(super) fn chart(history: &[HistoryEntry]) -> Markup {
    let top = top_of_scale(history.iter().filter_map(share).fold(0.0, f64::max));
    let step = WIDTH / history.len().max(SLOTS) as f64;
    let height = |run: &HistoryEntry| {
        let share = share(run).unwrap_or_default();
        (HEIGHT * (share / top).min(1.0)).max(STUB)
    };
    let class = |run: &HistoryEntry| if run.asserted { "good" } else { "bad" };
    let has = |asserted: bool| history.iter().any(|run| run.asserted == asserted);
    let percent = |share: f64| format!("{} %", short(100.0 * share));
    html! {
        div.history {
            div.scale { span { (percent(top)) } span { (percent(top / 2.0)) } span { "0 %" } }
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img"
                aria-label=(format!("the last {}", counted(history.len(), "run"))) {
                @for at in [0.5, HEIGHT / 2.0] {
                    line.grid x1="0" x2=(WIDTH) y1=(at) y2=(at) {}
                }
                @for (index, run) in history.iter().enumerate() {
                    g {
                        title { (label(run)) }
                        (bar(class(run), step * index as f64 + 1.0, step - 2.0, height(run), HEIGHT))
                    }
                }
            }
        }
        p.legend {
            @if has(true) { span.swatch.good {} "passed: tolerance used" }
            @if has(false) { span.swatch.bad {} "failed: cases changed" }
            @if let (Some(first), Some(last)) = (history.first(), history.last()) {
                span.span {
                    (counted(history.len(), "run")) ", " (time(first.timestamp))
                    @if history.len() > 1 { " to " (time(last.timestamp)) }
                }
            }
        }
    }
}

/// Returns the value to show for a run.
fn share(run: &HistoryEntry) -> Option<f64> {
    let facts = run.facts.as_ref();
    match run.asserted {
        true => facts?.tolerance_use,
        false => Some(facts.map_or(0.0, |it| it.changed as f64 / it.cases.max(1) as f64)),
    }
}

/// Returns the top of a scale that includes this share.
fn top_of_scale(most: f64) -> f64 {
    const TOPS: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
    TOPS.into_iter().find(|top| most <= *top).unwrap_or(1.0)
}

fn label(run: &HistoryEntry) -> String {
    let mut label = format!("{}: {}", time(run.timestamp), run.verdict());
    let Some(facts) = &run.facts else {
        return label;
    };
    if facts.changed > 0 {
        label.push_str(&format!(", {} of {} cases", facts.changed, facts.cases));
    }
    if let Some(share) = facts.tolerance_use {
        label.push_str(&format!(", {:.0} % of the tolerance", share * 100.0));
    }
    if let Some(commit) = &facts.checkout.commit {
        label.push_str(&format!(", commit {}", commit.get(..10).unwrap_or(commit)));
        if facts.dirty == Some(true) {
            label.push('+');
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use tdg_engine::Verdict;
    use tdg_engine::store::RunFacts;

    use super::*;
    use tdg_tests::page::seen;

    /// Returns alternately passing and failing runs.
    fn runs(count: usize) -> Vec<HistoryEntry> {
        let run = |number: usize| {
            let asserted = number.is_multiple_of(2);
            HistoryEntry {
                uuid: Default::default(),
                benchmark: Default::default(),
                timestamp: 1_700_000_000_000_000 + number as i64,
                asserted,
                facts: Some(match asserted {
                    true => RunFacts::new(Verdict::Same, 200),
                    false => RunFacts {
                        changed: 13,
                        ..RunFacts::new(Verdict::Changed, 200)
                    },
                }),
                origin: None,
            }
        };
        (0..count).map(run).collect()
    }

    #[test]
    fn the_history_has_a_scale_and_one_height() {
        let size = |count: usize| {
            let chart = chart(&runs(count)).0;
            let (_, rest) = chart.split_once("viewBox=\"0 0 ").unwrap();
            rest.split('"').next().unwrap().to_owned()
        };
        assert_eq!(size(2), size(20));
        let seen = seen(&chart(&runs(4)).0);
        assert!(seen.contains("10 %"), "seen: {seen}");
        assert!(seen.contains("cases changed"), "no legend: {seen}");
    }
}
