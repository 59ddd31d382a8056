//! The answer as text and as JSON.

use tdg_definition::json::{Pointer, Value};
use tdg_engine::text::shorten;

use super::answer::{ExplainedChange, ExplainedPart, ResponsibleLines, WhyAnswer};
use crate::experiment::CauseRule;
use crate::terminal::style::STRONG;
use crate::terminal::{counted, thousands};

/// The maximum width of an output.
const WIDTH: usize = 60;

impl WhyAnswer {
    pub(super) fn is_changed(&self) -> bool {
        self.changed > 0
    }

    /// Formats for a terminal.
    pub(super) fn text(&self) -> String {
        let (test, since) = (&self.test, &self.since);
        let [cases, changed] = [self.cases, self.changed].map(|it| thousands(it as u64));
        if !self.is_changed() {
            let same = format!("all {cases} cases are the same since {since}");
            let hint = match self.is_pending {
                true => "  The benchmark is from other sources: name them with --from REVISION.\n",
                false => "",
            };
            return format!("{STRONG}{test}{STRONG:#}: {same}\n{hint}");
        }
        let mut text =
            format!("{STRONG}{test}{STRONG:#}: {changed} of {cases} cases changed since {since}\n");
        for change in &self.changes {
            text += &change.text();
            if let Some(lines) = &change.lines {
                text += &lines.text(self.hunks);
            }
        }
        text.push('\n');
        text
    }

    /// Formats as a line of JSON.
    pub(super) fn json(&self) -> String {
        let changes = self.changes.iter().map(|change| {
            let hunks = change.lines.iter().flat_map(|it| &it.hunks);
            let hunks = hunks.map(|it| Value::from(it.as_str()));
            let parts = change.parts.iter().map(ExplainedPart::json);
            Value::object([("parts", parts.collect()), ("lines", hunks.collect())])
        });
        let value = Value::object([
            ("test", Value::from(self.test.as_str())),
            ("since", Value::from(self.since.as_str())),
            ("cases", Value::from(self.cases as u64)),
            ("changed", Value::from(self.changed as u64)),
            ("changes", changes.collect()),
        ]);
        format!("{value}\n")
    }
}

impl ExplainedChange {
    fn text(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            text.push('\n');
            if self.parts.len() > 1 {
                let fields = fields(&part.part.fields);
                text += &format!("  {fields}, {}\n", counted(part.part.cases.len(), "case"));
            }
            for line in part.lines() {
                text += &format!("  {line}\n");
            }
        }
        if self.more_parts > 0 {
            text += &format!("\n  and {}\n", counted(self.more_parts, "other part"));
        }
        text
    }
}

impl ResponsibleLines {
    /// Formats the lines; the sources have this many differences.
    fn text(&self, hunks: usize) -> String {
        let them = if self.hunks.len() > 1 { "them" } else { "it" };
        let share = match (self.restored == self.of, self.hunks.len()) {
            (true, all) if all == hunks => "nothing else differs".to_owned(),
            (true, _) => format!("without {them}, all are as before"),
            (false, _) => {
                let (restored, of) = (self.restored, self.of);
                format!("without {them}, {restored} of the {of} are as before")
            }
        };
        let mut text = format!("  lines: {share}\n");
        for line in self.hunks.iter().flat_map(|it| it.lines()) {
            text += &format!("    {line}\n");
        }
        text
    }
}

impl ExplainedPart {
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match &self.cause.rule {
            Some(rule) => {
                let tested = thousands(rule.tested as u64);
                let result = match &self.exception {
                    Some(it) => format!("all but {}, such as {it}", rule.exceptions()),
                    None => "no exception".to_owned(),
                };
                lines.push(rule.sentence());
                lines.push(format!(
                    "    {tested} more rows on both sides of that line: {result}"
                ));
            }
            None => lines.push(match self.cause.features.as_slice() {
                [] => "no rule describes these cases".to_owned(),
                features => {
                    let features = features.join(", ");
                    format!("no rule describes these cases; it depends on {features}")
                }
            }),
        }
        lines.extend(self.outputs.iter().cloned());
        let outputs = [&self.smallest.before, &self.smallest.after];
        let [before, after] = outputs.map(|it| shorten(it, WIDTH));
        lines.push(format!(
            "smallest: {}   {before} → {after}",
            self.smallest.row
        ));
        lines
    }

    fn json(&self) -> Value {
        let rule = self.cause.rule.as_ref();
        let fields = self.part.fields.iter();
        let features = self.cause.features.iter();
        Value::object([
            (
                "fields",
                fields.map(|it| Value::from(it.to_string())).collect(),
            ),
            ("cases", Value::from(self.part.cases.len() as u64)),
            ("rule", Value::from(rule.map(CauseRule::sentence))),
            ("tested", Value::from(rule.map(|it| it.tested as u64))),
            (
                "exceptions",
                Value::from(rule.map(|it| it.exceptions() as u64)),
            ),
            (
                "features",
                features.map(|it| Value::from(it.as_str())).collect(),
            ),
            ("smallest", Value::from(self.smallest.row.as_str())),
            ("before", Value::from(self.smallest.before.as_str())),
            ("after", Value::from(self.smallest.after.as_str())),
        ])
    }
}

/// Returns the places of a part in the output.
fn fields(fields: &[Pointer]) -> String {
    let names = fields.iter().filter(|it| !it.is_root());
    let names: Vec<String> = names.map(ToString::to_string).collect();
    match names.is_empty() {
        true => "the output".to_owned(),
        false => names.join(", "),
    }
}
