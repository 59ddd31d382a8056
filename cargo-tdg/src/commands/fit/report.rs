//! The report of `cargo tdg fit`.

use tdg_definition::json::Value;
use tdg_fit::{CorrelationMatch, FeatureMatch, FittedDefinition, MatchMeasure};

use crate::terminal::style::{BAD, FAINT, GOOD, PENDING, STRONG};
use crate::terminal::{StyledCell, TerminalTable, counted};

/// The maximum number of listed correlations.
const LISTED: usize = 5;
/// The maximum number of characters shown of a distribution.
const SHOWN: usize = 64;

/// Formats the report for a terminal.
pub(super) fn text(fit: &FittedDefinition) -> String {
    let mut text = format!(
        "{STRONG}{} from {}{STRONG:#}, compared with {}\n\n",
        counted(fit.width, "feature"),
        counted(fit.rows, "row"),
        counted(fit.drawn, "drawn row"),
    );
    text.push_str(&features(fit).text("  "));
    if !fit.correlations.is_empty() {
        text.push_str(&format!(
            "\n  {}; in the drawn rows, they differ by {} on average. The largest differences:\n\n",
            counted(fit.correlations.len(), "correlation"),
            decimals(mean_difference(&fit.correlations)),
        ));
        text.push_str(&correlations(fit).text("  "));
    }
    text
}

fn features(fit: &FittedDefinition) -> TerminalTable {
    let header = [
        "feature",
        "type",
        "distribution",
        "match",
        "",
        "range",
        "null",
        "drawn",
    ];
    let mut table = TerminalTable::new(header);
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    for feature in &fit.features {
        let has_nulls = feature.nulls.max(feature.drawn_nulls) > 0.0;
        let nulls = |share| {
            if has_nulls {
                percent(share)
            } else {
                String::new()
            }
        };
        table.row([
            feature.name.as_str().into(),
            StyledCell::styled(feature.feature_type.name(), FAINT),
            shortened(&feature.summary).into(),
            score(feature),
            StyledCell::styled(feature.measure.name(), FAINT),
            feature.range.map(percent).unwrap_or_default().into(),
            nulls(feature.nulls).into(),
            nulls(feature.drawn_nulls).into(),
        ]);
    }
    table
}

fn correlations(fit: &FittedDefinition) -> TerminalTable {
    let mut table = TerminalTable::new(["features", "", "table", "drawn", "difference"]);
    for pair in fit.correlations.iter().take(LISTED) {
        let [one, other] = &pair.features;
        table.row([
            one.as_str().into(),
            other.as_str().into(),
            decimals(pair.correlation).into(),
            decimals(pair.drawn).into(),
            decimals(pair.difference()).into(),
        ]);
    }
    table
}

fn mean_difference(pairs: &[CorrelationMatch]) -> f64 {
    let sum: f64 = pairs.iter().map(CorrelationMatch::difference).sum();
    sum / pairs.len().max(1) as f64
}

fn shortened(summary: &str) -> String {
    match summary.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &summary[..end]),
        None => summary.to_owned(),
    }
}

fn score(feature: &FeatureMatch) -> StyledCell {
    let style = match feature.score {
        0.9.. => GOOD,
        0.8.. => PENDING,
        _ => BAD,
    };
    match feature.measure {
        MatchMeasure::None => "".into(),
        _ => StyledCell::styled(format!("{:.3}", feature.score), style),
    }
}

fn decimals(correlation: f64) -> String {
    format!("{correlation:.3}").replace('-', "−")
}

/// Formats the report as one JSON object.
pub(super) fn json(fit: &FittedDefinition) -> String {
    let rounded = |value: f64| Value::from((value * 1e6).round() / 1e6);
    let feature = |feature: &FeatureMatch| {
        Value::object([
            ("name", Value::from(feature.name.as_str())),
            ("type", Value::from(feature.feature_type.name())),
            ("distribution", Value::from(feature.distribution)),
            ("measure", Value::from(feature.measure.name())),
            ("match", rounded(feature.score)),
            ("range", Value::from(feature.range.map(rounded))),
            ("nulls", rounded(feature.nulls)),
            ("drawn_nulls", rounded(feature.drawn_nulls)),
        ])
    };
    let correlation = |pair: &CorrelationMatch| {
        let names = pair.features.each_ref().map(|it| Value::from(it.as_str()));
        Value::object([
            ("features", Value::Array(names.to_vec())),
            ("correlation", rounded(pair.correlation)),
            ("drawn", rounded(pair.drawn)),
        ])
    };
    let notes = fit.notes.iter().map(|note| Value::from(note.as_str()));
    let report = Value::object([
        ("rows", Value::from(fit.rows as u64)),
        ("drawn", Value::from(fit.drawn as u64)),
        ("features", fit.features.iter().map(feature).collect()),
        (
            "correlations",
            fit.correlations.iter().map(correlation).collect(),
        ),
        ("notes", notes.collect()),
    ]);
    format!("{report}\n")
}

#[cfg(test)]
mod tests {
    use tdg_definition::table::Table;
    use tdg_fit::{FitOptions, fit};

    #[test]
    fn the_report_shows_every_feature_and_the_worst_correlations() {
        let csv = include_str!("../../../../tdg-fit/src/iris.csv");
        let table = Table::parse(csv, b',', usize::MAX).unwrap();
        let found = fit(&table, &FitOptions::default()).unwrap();
        insta::assert_snapshot!(anstream::adapter::strip_str(&super::text(&found)), @"
        5 features from 150 rows, compared with 150 drawn rows

          feature            type    distribution                                     match        range  null  drawn
          sepal length (cm)  FLOAT   triangular min 4.159799, mode 5.1, max 8.152625  0.880  KS  100.0 %
          sepal width (cm)   FLOAT   gamma shape 49.6519, scale 0.0615754             0.940  KS   87.5 %
          petal length (cm)  FLOAT   uniform min 1, max 6.9                           0.800  KS   98.3 %
          petal width (cm)   FLOAT   uniform min 0.1, max 2.5                         0.827  KS  100.0 %
          target             STRING  categorical of 3                                 0.947  TV  100.0 %

          3 correlations; in the drawn rows, they differ by 0.009 on average. The largest differences:

          features                              table  drawn  difference
          petal length (cm)  petal width (cm)   0.863  0.882       0.020
          sepal length (cm)  petal length (cm)  0.868  0.872       0.005
          sepal length (cm)  petal width (cm)   0.776  0.774       0.002
        ");
    }
}
