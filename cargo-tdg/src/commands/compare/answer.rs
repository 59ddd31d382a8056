//! The answer as text, JSON and Markdown. The HTML version is in `page`.

use tdg_definition::json::Value;

use super::calls::{CallVerdict, ChangedCall, ComparedFunction};
use super::functions::Paired;
use crate::terminal::counted;
use crate::terminal::style::{BAD, FAINT, STRONG};

/// The result of comparing a package.
pub(super) struct PackageAnswer {
    pub(super) package: String,
    pub(super) compared: Vec<ComparedFunction>,
    /// All functions of the package, including those that weren't called.
    pub(super) functions: Paired,
}

impl PackageAnswer {
    /// Sorts the functions by their number of changed rows, most first.
    pub(super) fn new(
        package: String,
        mut compared: Vec<ComparedFunction>,
        functions: Paired,
    ) -> Self {
        compared.sort_by_key(|it| {
            let rows = match &it.verdict {
                CallVerdict::Changed(changed) => changed.differing,
                _ => 0,
            };
            (usize::MAX - rows, it.function.clone())
        });
        Self {
            package,
            compared,
            functions,
        }
    }

    /// Returns true if the comparison had no result.
    pub(super) fn is_empty(&self) -> bool {
        let is_unchanged = self.functions.unchanged > 0;
        self.compared.is_empty() && !self.is_changed() && !is_unchanged
    }

    /// Returns true if there are functions to report.
    pub(super) fn has_functions(&self) -> bool {
        let added = self.functions.added.len();
        !self.is_empty() || added + self.functions.skipped.len() > 0
    }

    pub(super) fn is_changed(&self) -> bool {
        // Makers of arguments may not be compared themselves.
        let is_changed = |it: &ComparedFunction| it.is_changed() || it.one_sided > 0;
        self.compared.iter().any(is_changed)
            || !self.functions.removed.is_empty()
            || !self.functions.resigned.is_empty()
    }

    /// Returns the number of functions with the same results on all rows.
    pub(super) fn same(&self) -> usize {
        let same = self.compared.iter().filter(|it| it.is_same());
        same.filter(|it| it.rows == it.drawn && it.has_inputs())
            .count()
    }

    /// Returns `41 public functions; 33 compared on 1000 rows each, 8 not compared`.
    pub(super) fn headline(&self, rows: usize) -> String {
        let Paired {
            skipped,
            resigned,
            added,
            removed,
            ..
        } = &self.functions;
        let compared = self.compared.len();
        let is_compared = |name: &String| self.compared.iter().any(|it| it.function == *name);
        let unpaired = resigned.keys();
        let unpaired = unpaired.filter(|it| !is_compared(it) && !skipped.contains_key(*it));
        let unpaired = unpaired.count();
        let all = compared + skipped.len() + unpaired + added.len() + self.functions.unchanged;
        let most = self.compared.iter().map(|it| it.drawn).max();
        let most = most.filter(|it| *it > rows);
        let most = most.map_or_else(String::new, |it| format!(" to {it}"));
        let mut text = format!(
            "{}; {compared} compared on {rows}{most} rows each",
            counted(all, "public function"),
        );
        for (count, what) in [
            (self.functions.unchanged, "with the same code"),
            (skipped.len(), "not compared"),
            (resigned.len(), "with a changed signature"),
            (added.len(), "new"),
            (removed.len(), "removed"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }

    /// Returns the functions with a changed signature or none anymore, each with a description.
    pub(super) fn changed_signatures(&self) -> impl Iterator<Item = (&str, &str)> {
        let resigned = self.functions.resigned.iter();
        let resigned = resigned.map(|(name, reason)| (name.as_str(), *reason));
        let removed = self.functions.removed.iter();
        resigned.chain(removed.map(|name| (name.as_str(), "was removed")))
    }

    /// Describes the functions whose arguments one side can't make anymore.
    pub(super) fn one_sided(&self) -> Option<String> {
        let functions = self.compared.iter().filter(|it| it.one_sided > 0);
        let mut names: Vec<&str> = functions.map(|it| it.function.as_str()).collect();
        let others = names.len().saturating_sub(3);
        names.truncate(3);
        let names = names.join(", ");
        let others = match others {
            0 => String::new(),
            others => format!(" and {}", counted(others, "other")),
        };
        let text = "one version can't construct the arguments of some rows of";
        (!names.is_empty()).then(|| format!("{text} {names}{others}"))
    }

    /// Returns the first function with the same findings, if it is another one.
    fn likewise(&self, compared: &ComparedFunction) -> Option<&str> {
        let found = compared.findings();
        let first = self.compared.iter().find(|it| it.findings() == found)?;
        let is_another = first.function != compared.function && !found.is_empty();
        is_another.then_some(&first.function)
    }

    pub(super) fn text(&self, rows: usize, all: bool) -> String {
        let mut text = format!(
            "{STRONG}{}{STRONG:#}: {}",
            self.package,
            self.headline(rows)
        );
        if !all && !self.functions.skipped.is_empty() {
            text += " (see --all)";
        }
        text += "\n";
        let listed = self.compared.iter();
        let listed = listed.filter(|it| !it.is_same());
        let listed = listed.map(|it| it.function.as_str());
        let listed = listed.chain(self.changed_signatures().map(|(name, _)| name));
        let width = listed.map(|name| name.chars().count()).max().unwrap_or(0);
        for compared in &self.compared {
            text += &function(compared, self.likewise(compared), width, ROW);
        }
        for (name, what) in self.changed_signatures() {
            text += &format!("  {BAD}{name:width$}{BAD:#}  {what}\n");
        }
        let same = self.same();
        if same > 0 {
            text += &format!("  {} gave the same\n", counted(same, "function"));
        }
        if let Some(one_sided) = self.one_sided() {
            text += &format!("  {one_sided}\n");
        }
        if all {
            for (name, reason) in &self.functions.skipped {
                text += &format!("  {FAINT}not compared{FAINT:#} {name}: {reason}\n");
            }
            for name in &self.functions.added {
                text += &format!("  {FAINT}new{FAINT:#} {name}\n");
            }
        }
        text
    }

    pub(super) fn markdown(&self, rows: usize) -> String {
        let mut text = format!("### {}\n\n{}\n\n", self.package, self.headline(rows));
        for compared in &self.compared {
            let Some(remark) = remark(compared, ROW) else {
                continue;
            };
            let name = &compared.function;
            match &compared.verdict {
                CallVerdict::Changed(changed) => {
                    if let Some(first) = self.likewise(compared) {
                        text += &format!("- `{name}`: {remark}, like `{first}`\n\n");
                        continue;
                    }
                    text +=
                        &format!("<details><summary><code>{name}</code>: {remark}</summary>\n\n");
                    for finding in &changed.findings {
                        text += &format!("- {finding}\n");
                    }
                    text += &format!(
                        "\n```text\n{}\n```\n\n</details>\n\n",
                        example(changed, name)
                    );
                }
                _ => text += &format!("- `{name}`: {remark}\n"),
            }
        }
        for (name, what) in self.changed_signatures() {
            text += &format!("- `{name}` {what}\n");
        }
        if let Some(one_sided) = self.one_sided() {
            text += &format!("- {one_sided}\n");
        }
        match self.same() {
            0 => text,
            same => text + &format!("\n{} gave the same.\n", counted(same, "function")),
        }
    }

    pub(super) fn json(&self) -> Value {
        let functions = self.compared.iter().map(function_json);
        let skipped = self.functions.skipped.iter();
        let skipped = skipped.map(|(name, reason)| (name.clone(), Value::from(reason.as_str())));
        let resigned = self.functions.resigned.iter();
        let resigned = resigned.map(|(name, reason)| (name.clone(), Value::from(*reason)));
        Value::object([
            ("package", Value::from(self.package.as_str())),
            ("functions", Value::Array(functions.collect())),
            ("not_compared", Value::object(skipped)),
            ("another_signature", Value::object(resigned)),
            ("same_code", (self.functions.unchanged as u64).into()),
            ("new", texts(&self.functions.added)),
            ("gone", texts(&self.functions.removed)),
        ])
    }
}

pub(super) fn function_json(compared: &ComparedFunction) -> Value {
    let (verdict, count) = match &compared.verdict {
        CallVerdict::Same => ("same", 0),
        CallVerdict::Changed(changed) => ("changed", changed.differing),
        CallVerdict::Rounding(rows) => ("rounding", *rows),
        CallVerdict::Unstable(rows) => ("unstable", *rows),
    };
    let mut members = vec![
        ("function", Value::from(compared.function.as_str())),
        ("rows", (compared.rows as u64).into()),
        ("no_inputs", (compared.no_inputs as u64).into()),
        ("inputs_of_one_side", (compared.one_sided as u64).into()),
        ("verdict", verdict.into()),
        ("differing", (count as u64).into()),
    ];
    if let CallVerdict::Changed(changed) = &compared.verdict {
        let example = &changed.example;
        let example = Value::object([
            ("inputs", Value::from(example.inputs.as_str())),
            ("before", example.before.as_str().into()),
            ("after", example.after.as_str().into()),
        ]);
        members.extend([("findings", texts(&changed.findings)), ("example", example)]);
    }
    Value::object(members)
}

pub(super) fn texts(texts: &[String]) -> Value {
    Value::Array(texts.iter().map(|it| it.as_str().into()).collect())
}

/// Describes a function whose rows are called `noun`.
pub(super) fn function(
    compared: &ComparedFunction,
    likewise: Option<&str>,
    width: usize,
    noun: &str,
) -> String {
    let name = &compared.function;
    match (remark(compared, noun), &compared.verdict, likewise) {
        (None, ..) => String::new(),
        (Some(remark), _, Some(first)) => {
            format!("  {BAD}{name:width$}{BAD:#}  {remark}, like {first}\n")
        }
        (Some(remark), CallVerdict::Changed(changed), None) => {
            let mut text = format!("  {BAD}{name:width$}{BAD:#}  {remark}\n");
            for finding in &changed.findings {
                text += &format!("    {finding}\n");
            }
            for line in example(changed, name).lines() {
                text += &format!("    {FAINT}{line}{FAINT:#}\n");
            }
            text
        }
        (Some(remark), ..) => format!("  {name:width$}  {remark}\n"),
    }
}

/// The noun for the rows of a drawn call.
pub(super) const ROW: &str = "row";

/// Describes the result for a function; `None` if it was the same on all rows.
pub(super) fn remark(compared: &ComparedFunction, noun: &str) -> Option<String> {
    let rows = compared.rows;
    Some(match &compared.verdict {
        CallVerdict::Same if rows == compared.drawn => return None,
        CallVerdict::Same => format!(
            "the same on {rows} of {} rows; then too many timed out or crashed",
            compared.drawn
        ),
        CallVerdict::Changed(changed) => {
            format!("{} of {} changed", changed.differing, counted(rows, noun))
        }
        CallVerdict::Rounding(rows) => format!("{} in the last digits only", differ(*rows)),
        CallVerdict::Unstable(rows) => format!(
            "{} between two runs, so it can't be compared",
            differ(*rows)
        ),
    })
}

fn differ(rows: usize) -> String {
    let verb = if rows == 1 { "differs" } else { "differ" };
    format!("{} {verb}", counted(rows, "row"))
}

pub(super) fn example(changed: &ChangedCall, name: &str) -> String {
    let example = &changed.example;
    let name = name.split(" of ").next().unwrap_or(name);
    let short = name.rsplit("::").next().unwrap_or(name);
    format!(
        "{short}({})\n  before: {}\n  after:  {}",
        example.inputs, example.before, example.after
    )
}
