//! What is said about a fit.

use tdg_definition::json::Value;

use super::Fit;
use super::document::Text;
use super::feature::Feature;
use super::quality::{Match, PairMatch};
use crate::terminal::style::{BAD, FAINT, GOOD, OPEN, STRONG};
use crate::terminal::{Cell, Table, counted};

/// How many pairs are listed.
const LISTED: usize = 5;
/// How many characters of a distribution are shown.
const SHOWN: usize = 64;

impl Fit {
    /// For a terminal.
    pub(crate) fn report(&self) -> String {
        let mut text = format!(
            "{STRONG}{} from {}{STRONG:#}, compared with {} drawn from them\n\n",
            counted(self.features.len(), "feature"),
            counted(self.rows, "row"),
            counted(self.drawn, "row"),
        );
        text.push_str(&self.table().text("  "));
        if !self.pairs.is_empty() {
            text.push_str(&format!(
                "\n  {}, on average {} from those of the drawn rows; the farthest:\n\n",
                counted(self.pairs.len(), "correlation"),
                decimals(self.mean_difference()),
            ));
            text.push_str(&self.pair_table().text("  "));
        }
        text
    }

    fn table(&self) -> Table {
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
        let mut table = Table::new(header);
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        for (feature, found) in self.features.iter().zip(&self.matches) {
            let has_nulls = found.nulls.max(found.drawn_nulls) > 0.0;
            let nulls = |share| {
                if has_nulls {
                    percent(share)
                } else {
                    String::new()
                }
            };
            table.row([
                feature.name.as_str().into(),
                Cell::styled(feature.feature_type.name(), FAINT),
                feature.summary().into(),
                alike(found),
                Cell::styled(found.measure.name(), FAINT),
                found.range.map(percent).unwrap_or_default().into(),
                nulls(found.nulls).into(),
                nulls(found.drawn_nulls).into(),
            ]);
        }
        table
    }

    fn pair_table(&self) -> Table {
        let mut table = Table::new(["features", "", "table", "drawn", "difference"]);
        for pair in self.pairs.iter().take(LISTED) {
            let [one, other] = pair
                .features
                .map(|position| self.features[position].name.as_str());
            table.row([
                one.into(),
                other.into(),
                decimals(pair.correlation).into(),
                decimals(pair.drawn).into(),
                decimals(pair.difference()).into(),
            ]);
        }
        table
    }

    fn mean_difference(&self) -> f64 {
        let sum: f64 = self.pairs.iter().map(PairMatch::difference).sum();
        sum / self.pairs.len().max(1) as f64
    }

    /// One object, for programs.
    pub(crate) fn json(&self) -> String {
        let rounded = |value: f64| Value::from((value * 1e6).round() / 1e6);
        let feature = |(feature, found): (&Feature, &Match)| {
            Value::object([
                ("name", Value::from(feature.name.as_str())),
                ("type", Value::from(feature.feature_type.name())),
                ("distribution", Value::from(feature.distribution.name)),
                ("measure", Value::from(found.measure.name())),
                ("match", rounded(found.alike)),
                ("range", Value::from(found.range.map(rounded))),
                ("nulls", rounded(found.nulls)),
                ("drawn_nulls", rounded(found.drawn_nulls)),
            ])
        };
        let pair = |pair: &PairMatch| {
            let names = pair
                .features
                .map(|position| self.features[position].name.as_str());
            Value::object([
                ("features", Value::Array(names.map(Value::from).to_vec())),
                ("correlation", rounded(pair.correlation)),
                ("drawn", rounded(pair.drawn)),
            ])
        };
        let notes = self.notes.iter().map(|note| Value::from(note.as_str()));
        let features = self.features.iter().zip(&self.matches).map(feature);
        let report = Value::object([
            ("rows", Value::from(self.rows as u64)),
            ("drawn", Value::from(self.drawn as u64)),
            ("features", Value::Array(features.collect())),
            (
                "correlations",
                Value::Array(self.pairs.iter().map(pair).collect()),
            ),
            ("notes", Value::Array(notes.collect())),
        ]);
        format!("{report}\n")
    }
}

impl Feature {
    /// The distribution and its parameters in one line.
    fn summary(&self) -> String {
        let distribution = &self.distribution;
        let parameters = distribution.parameters.iter();
        let parameters = match distribution.name {
            "categorical" | "mixture" => format!("of {}", elements(&distribution.parameters)),
            _ => {
                let parameter = |(key, value): &(&str, Text)| format!("{key} {}", value.inline());
                parameters.map(parameter).collect::<Vec<_>>().join(", ")
            }
        };
        let unique = if self.is_unique { ", unique" } else { "" };
        let text = format!("{} {parameters}{unique}", distribution.name);
        match text.trim_end().char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.trim_end().to_owned(),
        }
    }
}

/// How many values or components there are.
fn elements(parameters: &[(&str, Text)]) -> usize {
    match parameters {
        [(_, Text::Array(elements))] => elements.len(),
        _ => 0,
    }
}

fn alike(found: &Match) -> Cell {
    let style = match found.alike {
        0.9.. => GOOD,
        0.8.. => OPEN,
        _ => BAD,
    };
    match found.measure.name() {
        "" => "".into(),
        _ => Cell::styled(format!("{:.3}", found.alike), style),
    }
}

fn decimals(correlation: f64) -> String {
    format!("{correlation:.3}").replace('-', "−")
}
