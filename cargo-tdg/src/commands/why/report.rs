//! The answer as text and as JSON.

use anstream::adapter::strip_str;
use tdg_definition::json::Value;
use tdg_engine::text::shorten_apart;

use super::answer::{ExplainedChange, ResponsibleLines, WhyAnswer};
use crate::experiment::ExplainedPart;
use crate::record::KeptCause;
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
            text += &self.change(change);
            if let Some(lines) = &change.lines {
                text += &lines.text(self.hunks, self.changed);
            }
        }
        for skipped in &self.skipped {
            text += "  not taken back alone:\n";
            for line in skipped.lines() {
                text += &format!("    {line}\n");
            }
        }
        text.push('\n');
        text
    }

    /// Returns it for reports. Parts of changes that lines made apart have several rules each.
    pub(super) fn kept(&self) -> KeptCause {
        let parts = match &self.changes[..] {
            [change] => &change.parts[..],
            _ => &[],
        };
        let rules = parts.iter();
        let rules = rules.filter_map(|it| it.verified(|row| self.object(row)));
        KeptCause {
            text: strip_str(&self.text()).to_string(),
            rules: rules.collect(),
        }
    }

    /// Formats as a line of JSON.
    pub(super) fn json(&self) -> String {
        let changes = self.changes.iter().map(|change| {
            let hunks = change.lines.iter().flat_map(|it| &it.hunks);
            let hunks = hunks.map(|it| Value::from(it.as_str()));
            let parts = change.parts.iter().map(|it| self.part_json(it));
            Value::object([("parts", parts.collect()), ("lines", hunks.collect())])
        });
        let skipped = self.skipped.iter().map(|it| Value::from(it.as_str()));
        let value = Value::object([
            ("test", Value::from(self.test.as_str())),
            ("since", Value::from(self.since.as_str())),
            ("cases", Value::from(self.cases as u64)),
            ("changed", Value::from(self.changed as u64)),
            ("changes", changes.collect()),
            ("skipped", skipped.collect()),
        ]);
        format!("{value}\n")
    }

    fn change(&self, change: &ExplainedChange) -> String {
        let mut text = String::new();
        for part in &change.parts {
            text.push('\n');
            if change.parts.len() > 1 {
                text += &format!("  {}\n", part.heading());
            }
            for line in self.part_lines(part) {
                text += &format!("  {line}\n");
            }
        }
        if change.more_parts > 0 {
            text += &format!("\n  and {}\n", counted(change.more_parts, "other part"));
        }
        text
    }

    fn part_lines(&self, part: &ExplainedPart) -> Vec<String> {
        let mut lines = match part.verified(|row| self.object(row)) {
            Some(rule) => vec![rule.rule, format!("    {}", rule.evidence)],
            None => vec![part.dependence()],
        };
        lines.extend(part.outputs.iter().cloned());
        let [before, after] = [&part.before, &part.after].map(Value::to_string);
        let [before, after] = shorten_apart([&before, &after], [WIDTH; 2]);
        let row = self.object(&part.smallest);
        lines.push(format!("smallest: {row}   {before} → {after}"));
        let call = self.called(&part.smallest);
        lines.extend(call.map(|it| format!("call:     {it}")));
        lines
    }

    fn part_json(&self, part: &ExplainedPart) -> Value {
        let mut members = part.json();
        members.extend([
            ("smallest", Value::from(self.object(&part.smallest))),
            ("call", Value::from(self.called(&part.smallest))),
            ("before", Value::from(part.before.to_string())),
            ("after", Value::from(part.after.to_string())),
        ]);
        Value::object(members)
    }
}

impl ResponsibleLines {
    /// Formats the lines. The sources have this many differences, and this many cases changed.
    fn text(&self, hunks: usize, cases: usize) -> String {
        let (them, make) = match self.hunks.len() > 1 {
            true => ("them", "they make"),
            false => ("it", "it makes"),
        };
        let share = match (self.restored == self.of, self.changed) {
            (_, Some(changed)) => {
                format!("{make} the difference in {changed} of the {cases} cases")
            }
            (true, _) if self.hunks.len() == hunks => "nothing else differs".to_owned(),
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
