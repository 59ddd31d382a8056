//! A distribution that isn't the expected one.

use tdg_definition::sort;

use super::table::ReportTable;
use super::table::histogram::Histogram;
use super::{Extent, counted, more};
use tdg_engine::compare::{DistributionChange, FieldSample};
use tdg_engine::text::{amount, escape};

/// The labels of the quantiles, and the share of the numbers below each.
const QUANTILES: [(&str, f64); 5] = [
    ("least", 0.0),
    ("25 %", 0.25),
    ("median", 0.5),
    ("75 %", 0.75),
    ("most", 1.0),
];
/// The maximum number of kinds of other values that are counted.
const KINDS: usize = 3;

/// Describes the change of a distribution in a sentence.
pub fn finding_of_distribution(change: &DistributionChange) -> String {
    let field = distributions_of(std::slice::from_ref(change));
    format!("{field} changed: {}", result(change))
}

/// Formats a result such as `D = 0.3, p = 2.1e-21 (below 1e-6)`.
fn result(change: &DistributionChange) -> String {
    let field = &change.field;
    let p_value = match change.p_value {
        0.0 => "p < 1e-300".to_owned(),
        p_value => format!("p = {}", amount(p_value)),
    };
    let fields = (field.ks / field.level).round();
    let shared = match fields > 1.0 {
        true => {
            let fields = counted(fields as usize, "field");
            format!(", ks = {} over {fields}", amount(field.ks))
        }
        false => String::new(),
    };
    format!(
        "D = {}, {p_value} (below {}{shared})",
        amount(change.statistic),
        amount(field.level)
    )
}

/// Returns `the distribution of /price` or `the distributions of /price and 2 more fields`.
pub fn distributions_of(changes: &[DistributionChange]) -> String {
    let first = changes.first().map(|change| &change.field.pointer);
    let field = match first.filter(|pointer| !pointer.is_root()) {
        None => "the output".to_owned(),
        Some(pointer) => escape(&pointer.to_string()),
    };
    match changes.len() {
        0 | 1 => format!("the distribution of {field}"),
        fields => format!(
            "the distributions of {field} and {}",
            more(fields - 1, "field")
        ),
    }
}

/// Describes the change of a distribution in lines, with before and now side by side.
pub(super) fn distribution_lines(change: &DistributionChange, extent: Extent) -> Vec<String> {
    let samples = [&change.expected, &change.actual];
    let numbers = samples.map(FieldSample::numbers);
    let mut table = ReportTable::default();
    table.fixed("", ["expected", "actual"].map(str::to_owned).to_vec(), 8);
    for (name, share) in QUANTILES {
        let cells = numbers.each_ref().map(|numbers| quantile(numbers, share));
        table.fixed(name, cells.to_vec(), 14);
    }
    let others = samples.map(FieldSample::others);
    let kinds: Vec<&str> = sort::distinct(others.concat());
    for kind in kinds.into_iter().take(KINDS) {
        let count = |others: &Vec<&str>| others.iter().filter(|it| **it == kind).count();
        let cells = others.each_ref().map(|others| count(others).to_string());
        table.fixed(kind, cells.to_vec(), 10);
    }
    if let Some((range, bars)) = bars(&numbers) {
        table.input(&range, bars.to_vec(), 40, false);
    }
    let field = distributions_of(std::slice::from_ref(change));
    let mut lines = vec![format!("{field}: {}", result(change)), String::new()];
    lines.extend(table.lines(extent).0);
    lines
}

/// Returns the quantile for this share of the sorted numbers.
fn quantile(numbers: &[f64], share: f64) -> String {
    let last = numbers.len().saturating_sub(1);
    let number = numbers.get((share * last as f64).round() as usize);
    number.map_or_else(|| "–".to_owned(), |number| amount(*number))
}

/// Returns the range of all numbers, and a histogram of each side over it.
fn bars(numbers: &[Vec<f64>; 2]) -> Option<(String, [String; 2])> {
    let all = Histogram::new(&numbers.concat())?;
    let range = format!("{} … {}", amount(all.least), amount(all.most));
    let bars = numbers.each_ref().map(|numbers| {
        let mut side = all.clone();
        side.counts.fill(0);
        for number in numbers {
            side.counts[all.part_of(*number)] += 1;
        }
        side.bars()
    });
    Some((range, bars))
}
