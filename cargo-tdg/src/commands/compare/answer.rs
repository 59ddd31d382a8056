//! The answer as text, JSON and Markdown. The HTML version is in `page`.

use std::collections::BTreeSet;
use std::fmt;

use tdg_definition::json::Value;

use super::calls::{CallVerdict, ChangedCall, ComparedFunction};
use super::folded_callers::FoldedCallers;
use super::functions::Paired;
use crate::terminal::counted;
use crate::terminal::style::{BAD, FAINT, STRONG};

/// The result of comparing a package.
pub(super) struct PackageAnswer {
    pub(super) package: String,
    pub(super) compared: Vec<ComparedFunction>,
    /// All functions of the package, including those that weren't called.
    pub(super) functions: Paired,
    pub(super) folded: FoldedCallers,
}

impl PackageAnswer {
    /// Sorts the functions: first those whose own code changed, then their callers, and among these
    /// those with the most changed rows.
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
            let distance = functions.distances.get(&it.function).copied();
            let distance = distance.unwrap_or(usize::MAX);
            (distance, usize::MAX - rows, it.function.clone())
        });
        Self {
            package,
            compared,
            functions,
            folded: FoldedCallers::default(),
        }
    }

    /// Folds the callers of functions that tests `found` changed, of all that they have `seen`.
    pub(super) fn fold_callers(&mut self, found: &[&str], seen: &[&str]) {
        let code = &self.functions.changed_code;
        self.folded = FoldedCallers::new(code, &self.compared, found, seen);
    }

    /// Returns the functions with a separate result.
    pub(super) fn shown(&self) -> impl Iterator<Item = &ComparedFunction> + Clone {
        let compared = self.compared.iter();
        compared.filter(|it| !self.folded.contain(&it.function))
    }

    /// Returns the functions with a separate line.
    fn listed(&self, all: bool) -> impl Iterator<Item = &ComparedFunction> + Clone {
        let shown = self.shown();
        shown.filter(move |it| all || !Inconclusive::of(it).is_some_and(|kind| self.folds(kind)))
    }

    /// Describes the others, each kind in a sentence.
    fn unlisted(&self, all: bool) -> Vec<String> {
        let kinds = Inconclusive::ALL.into_iter();
        let kinds = kinds.filter(|kind| !all && self.folds(*kind));
        let sentence = |kind| {
            let functions = self.inconclusive(kind);
            let count = counted(functions.len(), "function");
            let functions = functions.iter();
            let names = functions.map(|(rows, it)| {
                let count = if kind == Inconclusive::Unstable {
                    counted(*rows, CASE)
                } else {
                    format!("{rows} of {} rows", it.drawn)
                };
                format!("{} ({count})", it.function)
            });
            format!("{count} {kind}: {}", some_of(&names.collect::<Vec<_>>()))
        };
        kinds.map(sentence).collect()
    }

    fn folds(&self, kind: Inconclusive) -> bool {
        self.inconclusive(kind).len() > FEW
    }

    /// Returns the functions of a kind with the rows that make them so, fewest first.
    fn inconclusive(&self, kind: Inconclusive) -> Vec<(usize, &ComparedFunction)> {
        let functions = self.shown();
        let functions = functions.filter(|it| Inconclusive::of(it) == Some(kind));
        let mut functions: Vec<_> = functions
            .map(|it| match it.verdict {
                CallVerdict::Unstable { rows, .. } => (rows, it),
                _ => (it.inputs(), it),
            })
            .collect();
        functions.sort_by_key(|(rows, _)| *rows);
        functions
    }

    /// Counts the callers of functions that tests found changed.
    pub(super) fn callers(&self) -> Option<String> {
        let folded = self.compared.iter();
        let folded = folded.filter(|it| self.folded.contain(&it.function));
        let callers = folded.filter_map(|it| match &it.verdict {
            CallVerdict::Changed(changed) => {
                let cases = counted(changed.differing, CASE);
                Some(format!("{} ({cases})", it.function))
            }
            _ => None,
        });
        let callers: Vec<String> = callers.collect();
        (!callers.is_empty()).then(|| {
            let count = counted(callers.len(), "caller");
            let inner = some_of(&self.folded.inner);
            format!("{count} changed because of {inner}: {}", some_of(&callers))
        })
    }

    /// Returns true if the comparison had no result.
    pub(super) fn is_empty(&self) -> bool {
        let is_unchanged = self.functions.unchanged > 0;
        let is_known = |it: &ComparedFunction| !it.has_few_inputs();
        !self.compared.iter().any(is_known) && !self.is_changed() && !is_unchanged
    }

    /// Returns the functions that weren't compared, or on few inputs, although they run changed
    /// code, nearest first.
    pub(super) fn unseen_changes(&self) -> Vec<&str> {
        let (few, seen): (Vec<_>, Vec<_>) =
            self.compared.iter().partition(|it| it.has_few_inputs());
        // Blocks for several types may have functions of one name, which share their code.
        let short = |name: &str| name.split(" of ").next().map(str::to_owned);
        let seen: BTreeSet<_> = seen.iter().map(|it| short(&it.function)).collect();
        let names = few.into_iter().map(|it| &it.function);
        let names = names.chain(self.functions.skipped.keys());
        let names = names.filter(|it| !seen.contains(&short(it)));
        let names = names.filter_map(|it| Some((self.functions.distances.get(it)?, it.as_str())));
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names.into_iter().map(|(_, it)| it).collect()
    }

    /// Describes these functions.
    pub(super) fn unseen(&self) -> Option<String> {
        let names = self.unseen_changes();
        let text = "not compared, though changed code runs in";
        (!names.is_empty()).then(|| format!("{text} {}", some_of(&names)))
    }

    /// Returns true if a compared function runs code that differs.
    pub(super) fn runs_changed_code(&self) -> bool {
        self.compared
            .iter()
            .any(|it| self.functions.distances.contains_key(&it.function) && !it.has_few_inputs())
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

    /// Counts the functions with the same results on all rows, if any.
    pub(super) fn same(&self) -> Option<String> {
        let same = self.compared.iter();
        let same = same.filter(|it| it.is_same() && remark(it, CASE).is_none() && it.inputs() > 0);
        let fewest = same.clone().min_by_key(|it| it.inputs())?;
        let count = counted(same.count(), "function");
        Some(match fewest.no_inputs {
            0 => format!("{count} gave the same"),
            _ => format!(
                "{count} gave the same; fewest inputs: {} of {} rows ({})",
                fewest.inputs(),
                fewest.rows,
                fewest.function
            ),
        })
    }

    /// Returns `41 public functions; 33 compared on 1000 rows each, 8 not compared`.
    pub(super) fn headline(&self, rows: usize) -> String {
        let functions = &self.functions;
        let (skipped, added) = (&functions.skipped, &functions.added);
        let few = self.compared.iter().filter(|it| it.has_few_inputs());
        let few = few.count();
        let compared = self.compared.len() - few;
        let is_compared = |name: &String| self.compared.iter().any(|it| it.function == *name);
        let unpaired = functions.resigned.keys();
        let unpaired = unpaired.filter(|it| !is_compared(it) && !skipped.contains_key(*it));
        let unpaired = unpaired.count();
        let all = compared + few + skipped.len() + unpaired + added.len() + functions.unchanged;
        let most = self.compared.iter().map(|it| it.drawn).max();
        let most = most.filter(|it| *it > rows);
        let most = most.map_or_else(String::new, |it| format!(" to {it}"));
        let mut text = format!(
            "{}; {compared} compared on {rows}{most} rows each",
            counted(all, "public function"),
        );
        for (count, what) in [
            (functions.unchanged, "with the same code"),
            (few, "with few inputs"),
            (skipped.len(), "not compared"),
            (functions.resigned.len(), "with a changed signature"),
            (added.len(), "new"),
            (functions.removed.len(), "removed"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }

    /// Returns the functions with a changed signature or none anymore, each with a description. A
    /// changed result says more.
    pub(super) fn changed_signatures(&self) -> impl Iterator<Item = (&str, &str)> {
        let compared = self.compared.iter();
        let changed = compared.filter(|it| it.is_changed()).map(|it| &it.function);
        let changed: BTreeSet<&String> = changed.collect();
        let resigned = self.functions.resigned.iter();
        let resigned = resigned.filter(move |(name, _)| !changed.contains(name));
        let resigned = resigned.map(|(name, reason)| (name.as_str(), *reason));
        let removed = self.functions.removed.iter();
        resigned.chain(removed.map(|name| (name.as_str(), "was removed")))
    }

    /// Describes the functions whose arguments one side can't make anymore.
    pub(super) fn one_sided(&self) -> Option<String> {
        let functions = self.compared.iter().filter(|it| it.one_sided > 0);
        let names: Vec<&str> = functions.map(|it| it.function.as_str()).collect();
        let text = "one version can't construct the arguments of some rows of";
        (!names.is_empty()).then(|| format!("{text} {}", some_of(&names)))
    }

    /// Returns the first function with the same findings, if it is another one.
    fn likewise(&self, compared: &ComparedFunction) -> Option<&str> {
        let found = compared.findings();
        let mut shown = self.shown();
        let first = shown.find(|it| of_all(it.findings()).eq(of_all(found)))?;
        let is_another = first.function != compared.function && !found.is_empty();
        is_another.then_some(&first.function)
    }

    pub(super) fn text(&self, rows: usize, all: bool) -> String {
        let mut text = format!(
            "{STRONG}{}{STRONG:#}: {}",
            self.package,
            self.headline(rows)
        );
        let unlisted = self.unlisted(all);
        let has_more = !self.functions.skipped.is_empty() || !unlisted.is_empty();
        if has_more && !all {
            text += " (see --all)";
        }
        text += "\n";
        let functions = self.listed(all);
        let listed = functions.clone().filter(|it| remark(it, CASE).is_some());
        let listed = listed.map(|it| it.function.as_str());
        let listed = listed.chain(self.changed_signatures().map(|(name, _)| name));
        let width = column_width(listed);
        for compared in functions {
            text += &function(compared, self.likewise(compared), width, CASE);
        }
        for line in self.callers().into_iter().chain(unlisted) {
            text += &format!("  {line}\n");
        }
        for (name, what) in self.changed_signatures() {
            text += &format!("  {BAD}{name:width$}{BAD:#}  {what}\n");
        }
        if let Some(same) = self.same() {
            text += &format!("  {same}\n");
        }
        for line in [self.one_sided(), self.unseen()].into_iter().flatten() {
            text += &format!("  {line}\n");
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
        for compared in self.listed(false) {
            let Some(remark) = remark(compared, CASE) else {
                continue;
            };
            let name = &compared.function;
            match &compared.verdict {
                CallVerdict::Changed(changed) => {
                    if let Some(first) = self.likewise(compared) {
                        text += &format!("- `{name}`: {remark}, like `{first}`\n\n");
                        continue;
                    }
                    text += &details(changed, name, &remark);
                }
                _ => text += &format!("- `{name}`: {remark}\n"),
            }
        }
        for (name, what) in self.changed_signatures() {
            text += &format!("- `{name}` {what}\n");
        }
        let lines = self.callers().into_iter().chain(self.unlisted(false));
        for line in lines.chain(self.one_sided()).chain(self.unseen()) {
            text += &format!("- {line}\n");
        }
        match self.same() {
            None => text,
            Some(same) => text + &format!("\n{same}.\n"),
        }
    }

    pub(super) fn json(&self) -> Value {
        let functions = self.compared.iter().map(function_json);
        let callers = self.compared.iter().map(|it| it.function.as_str());
        let callers = callers.filter(|it| self.folded.contain(it));
        let skipped = self.functions.skipped.iter();
        let skipped = skipped.map(|(name, reason)| (name.clone(), Value::from(reason.as_str())));
        let resigned = self.functions.resigned.iter();
        let resigned = resigned.map(|(name, reason)| (name.clone(), Value::from(*reason)));
        let uncalled = self.functions.uncalled.kinds();
        let uncalled = uncalled.map(|([_, kinds], names)| (kinds, texts(names)));
        Value::object([
            ("package", Value::from(self.package.as_str())),
            ("functions", Value::Array(functions.collect())),
            ("callers", callers.map(Value::from).collect()),
            ("not_compared", Value::object(skipped)),
            ("another_signature", Value::object(resigned)),
            ("same_code", (self.functions.unchanged as u64).into()),
            ("new", texts(&self.functions.added)),
            ("gone", texts(&self.functions.removed)),
            ("not_looked_at", Value::object(uncalled)),
        ])
    }
}

/// Why a result says little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inconclusive {
    FewerRows,
    FewInputs,
    Unstable,
}

impl Inconclusive {
    const ALL: [Self; 3] = [Self::FewerRows, Self::FewInputs, Self::Unstable];

    fn of(compared: &ComparedFunction) -> Option<Self> {
        match compared.verdict {
            CallVerdict::Same if compared.has_few_inputs() => Some(Self::FewInputs),
            CallVerdict::Same if compared.rows < compared.drawn => Some(Self::FewerRows),
            CallVerdict::Unstable { .. } => Some(Self::Unstable),
            _ => None,
        }
    }
}

impl fmt::Display for Inconclusive {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::FewerRows => {
                "gave the same on fewer rows, as the others took too long or crashed"
            }
            Self::FewInputs => "gave the same, but few rows were inputs",
            Self::Unstable => "differ between two runs",
        })
    }
}

/// How many functions of such a kind have a line each.
const FEW: usize = 3;

fn of_all(findings: &[String]) -> impl Iterator<Item = &str> {
    findings.iter().map(|it| of_any(it))
}

/// Returns a finding about a field that all outputs have or lack now, without their number.
fn of_any(finding: &str) -> &str {
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    match finding.rsplit_once(" in all ") {
        Some((change, all))
            if is_number(all) && (change.ends_with(" added") || change.ends_with(" removed")) =>
        {
            change
        }
        _ => finding,
    }
}

/// The widest column of names. A longer name moves only its own result to the right.
const WIDEST: usize = 60;

/// Returns the width of a column of names.
pub(super) fn column_width<'n>(names: impl Iterator<Item = &'n str>) -> usize {
    let widths = names.map(|it| it.chars().count());
    widths.filter(|it| *it <= WIDEST).max().unwrap_or(0)
}

/// Describes a changed function in Markdown that is folded.
pub(super) fn details(changed: &ChangedCall, name: &str, remark: &str) -> String {
    let findings = changed.findings.iter().map(|it| format!("- {it}\n"));
    format!(
        "<details><summary><code>{name}</code>: {remark}</summary>\n\n{}\n```text\n{}\n```\n\n</details>\n\n",
        findings.collect::<String>(),
        example(changed, name)
    )
}

/// Lists the first three names, and counts the others.
pub(super) fn some_of(names: &[impl AsRef<str>]) -> String {
    first_of(names, 3)
}

/// Lists the first names, and counts the others.
pub(super) fn first_of(names: &[impl AsRef<str>], most: usize) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len() - first.len() {
        0 => first.join(", "),
        others => format!("{} and {}", first.join(", "), counted(others, "other")),
    }
}

pub(super) fn function_json(compared: &ComparedFunction) -> Value {
    let (verdict, count) = match &compared.verdict {
        CallVerdict::Same => ("same", 0),
        CallVerdict::Changed(changed) => ("changed", changed.differing),
        CallVerdict::Rounding(rows) => ("rounding", *rows),
        CallVerdict::Unstable { rows, .. } => ("unstable", *rows),
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
        members.extend([
            ("findings", texts(&changed.findings)),
            ("example", changed.example.json()),
            ("causes", changed.causes.json()),
        ]);
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

/// The noun for a row and its outcome.
pub(super) const CASE: &str = "case";

/// Describes the result for a function; `None` if it was the same on all rows.
pub(super) fn remark(compared: &ComparedFunction, noun: &str) -> Option<String> {
    let ComparedFunction { rows, drawn, .. } = compared;
    let inputs = compared.inputs();
    Some(match &compared.verdict {
        CallVerdict::Same if compared.has_few_inputs() => {
            format!("the same, but only {inputs} of {rows} rows were inputs")
        }
        CallVerdict::Same if rows == drawn => return None,
        CallVerdict::Same => {
            format!("the same on {rows} of {drawn} rows; the others took too long or crashed")
        }
        CallVerdict::Changed(changed) => {
            let mut text = format!("{} of {} changed", changed.differing, counted(*rows, noun));
            if changed.rounding > 0 {
                text += &format!(", {} more in the last digits only", changed.rounding);
            }
            if inputs < *rows && noun == CASE {
                text += &format!("; {inputs} rows were inputs");
            }
            text
        }
        CallVerdict::Rounding(rows) => format!("{} in the last digits only", differ(*rows)),
        CallVerdict::Unstable { rows, is_rest_same } => match inputs - rows {
            rest if *is_rest_same && rest > 0 => format!(
                "{} between two runs; the other {rest} gave the same",
                differ(*rows)
            ),
            _ => format!(
                "{} between two runs, so it can't be compared",
                differ(*rows)
            ),
        },
    })
}

fn differ(rows: usize) -> String {
    let verb = if rows == 1 { "differs" } else { "differ" };
    format!("{} {verb}", counted(rows, CASE))
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

#[cfg(test)]
mod tests {
    use super::of_any;

    #[test]
    fn a_new_field_is_the_same_change_in_any_number_of_outputs() {
        for (finding, of_all) in [
            ("/net, /tax added in all 40", "/net, /tax added"),
            ("/net removed in all 40", "/net removed"),
            ("/net added in 4 of 40", "/net added in 4 of 40"),
            ("/net: 1 became 2 in all 40", "/net: 1 became 2 in all 40"),
        ] {
            assert_eq!(of_any(finding), of_all);
        }
    }
}
