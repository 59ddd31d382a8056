//! The differences as Markdown, for a comment on a pull request.

use tdg_report::Extent;

use super::super::markdown::{Bounded, details, escape};
use super::headline;
use crate::commands::differences::{BenchmarkDifference, BenchmarkDifferences};

/// GitHub's limit for a comment is 65,536 characters.
const LIMIT: usize = 63 * 1024;

pub(super) fn text(
    all: &BenchmarkDifferences<'_>,
    differences: &[BenchmarkDifference<'_>],
) -> String {
    let mut text = Bounded::within(LIMIT);
    let title = headline(all, differences);
    text.push(&format!("## tdg: {}\n", escape(&title)));
    if differences.is_empty() {
        return text.finish();
    }
    text.push("\n| benchmark | difference | changed | cases |\n|---|---|---:|---:|\n");
    for difference in differences {
        text.push(&row(difference));
    }
    if differences.iter().any(|it| it.compared().is_some()) {
        text.push(&format!("\n{}\n", escape(&all.legend())));
    }
    for difference in differences {
        if let Some(details) = details_of(difference) {
            text.push(&details);
        }
    }
    text.finish()
}

fn row(difference: &BenchmarkDifference<'_>) -> String {
    let number = |count: Option<usize>| count.map_or_else(String::new, |it| it.to_string());
    let (changed, cases) = difference.counts();
    let from = difference.from.as_ref();
    let from = from.map_or_else(String::new, |from| format!(" (from {from})"));
    format!(
        "| {} | {} | {} | {} |\n",
        escape(&format!("{}{from}", difference.test)),
        difference.kind(),
        number(changed),
        number(cases)
    )
}

/// Returns the decisions and the report, unless the row already says it all.
fn details_of(difference: &BenchmarkDifference<'_>) -> Option<String> {
    let decisions = difference.decisions_text();
    let decisions: String = decisions.map(|it| format!("{}\n\n", escape(&it))).collect();
    let (sections, finding) = difference.sections(Extent::SCREEN);
    let report = difference.headline() + "\n" + &sections;
    let is_told = difference.counts().1.is_some() || difference.from.is_some();
    match difference.compared() {
        None if decisions.is_empty() && is_told => None,
        _ => Some(details(&report, finding.as_deref(), &decisions)),
    }
}
