//! The results of the ensemble tests, as text, JSON and Markdown.

use std::collections::BTreeMap;

use tdg_definition::json::Value;
use tdg_engine::{TestId, Verdict};

use crate::commands::compare::answer::texts;
use crate::results::TestRun;
use crate::terminal::counted;
use crate::terminal::style::{BAD, FAINT, STRONG};

/// The results of a package's ensemble tests.
pub(in crate::commands::compare) struct EnsembleAnswer {
    pub(in crate::commands::compare) package: String,
    changed: Vec<ChangedEnsemble>,
    /// The names of tests with unchanged results.
    same: Vec<String>,
    /// The names of tests that couldn't be compared, by reason.
    not_compared: BTreeMap<String, Vec<String>>,
}

struct ChangedEnsemble {
    name: String,
    cases: usize,
    changed: usize,
    /// For example `13 of 200 cases changed`.
    title: String,
    /// The findings and the cases.
    report: String,
}

impl EnsembleAnswer {
    /// Compares the runs of both sides. `why_not` explains why a test has no earlier run.
    pub(super) fn new(
        package: &str,
        now: &[TestRun],
        then: &[TestRun],
        why_not: impl Fn(&TestId) -> String,
    ) -> Self {
        let mut answer = Self {
            package: package.to_owned(),
            changed: Vec::new(),
            same: Vec::new(),
            not_compared: BTreeMap::new(),
        };
        for run in now {
            let name = run.test.name.clone();
            let recorded = then.iter().find(|it| it.test == run.test);
            let reason = match recorded {
                None => Some(why_not(&run.test)),
                Some(recorded) if !passes(recorded) => {
                    Some(format!("fails there: {}", title(recorded)))
                }
                Some(_) if run.verdict == Verdict::Missing => {
                    Some("was not recorded there".to_owned())
                }
                Some(_) => None,
            };
            match reason {
                Some(reason) => answer.not_compared.entry(reason).or_default().push(name),
                None if passes(run) => answer.same.push(name),
                None => answer.changed.push(ChangedEnsemble::from_run(run)),
            }
        }
        answer
    }

    pub(in crate::commands::compare) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.same.is_empty()
    }

    pub(in crate::commands::compare) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Returns `3 ensemble tests; 2 compared, 1 not compared`.
    fn headline(&self) -> String {
        let compared = self.changed.len() + self.same.len();
        let not = self.not_compared.values().map(Vec::len).sum::<usize>();
        let mut text = format!(
            "{}; {compared} compared",
            counted(compared + not, "ensemble test")
        );
        if not > 0 {
            text += &format!(", {not} not compared");
        }
        text
    }

    /// Returns `1 test gave the same`.
    fn same(&self) -> Option<String> {
        let count = self.same.len();
        (count > 0).then(|| format!("{} gave the same", counted(count, "test")))
    }

    pub(in crate::commands::compare) fn text(&self) -> String {
        let mut text = format!("{STRONG}{}{STRONG:#}: {}\n", self.package, self.headline());
        let names = self.changed.iter().map(|it| it.name.chars().count());
        let width = names.max().unwrap_or(0);
        for changed in &self.changed {
            let (name, title) = (&changed.name, &changed.title);
            text += &format!("  {BAD}{name:width$}{BAD:#}  {title}\n");
            for line in changed.report.lines() {
                text += format!("  {line}").trim_end();
                text += "\n";
            }
        }
        if let Some(same) = self.same() {
            text += &format!("  {same}\n");
        }
        for (reason, names) in &self.not_compared {
            let names = names.join(", ");
            text += &format!("  {FAINT}not compared{FAINT:#} {names}: {reason}\n");
        }
        text
    }

    pub(in crate::commands::compare) fn markdown(&self) -> String {
        let mut text = format!("### {}\n\n{}\n\n", self.package, self.headline());
        for changed in &self.changed {
            text += &format!(
                "<details><summary><code>{}</code>: {}</summary>\n\n\
                 ```text\n{}\n```\n\n</details>\n\n",
                changed.name, changed.title, changed.report
            );
        }
        for (reason, names) in &self.not_compared {
            text += &format!("- not compared: `{}`: {reason}\n", names.join("`, `"));
        }
        if let Some(same) = self.same() {
            text += &format!("\n{same}.\n");
        }
        text
    }

    pub(in crate::commands::compare) fn json(&self) -> Value {
        let changed = self.changed.iter().map(|it| {
            Value::object([
                ("test", Value::from(it.name.as_str())),
                ("cases", (it.cases as u64).into()),
                ("changed", (it.changed as u64).into()),
                ("title", it.title.as_str().into()),
                ("report", it.report.as_str().into()),
            ])
        });
        let not_compared = self.not_compared.iter().map(|(reason, names)| {
            Value::object([
                ("tests", texts(names)),
                ("reason", Value::from(reason.as_str())),
            ])
        });
        Value::object([
            ("package", Value::from(self.package.as_str())),
            ("changed", Value::Array(changed.collect())),
            ("same", texts(&self.same)),
            ("not_compared", Value::Array(not_compared.collect())),
        ])
    }
}

fn passes(run: &TestRun) -> bool {
    run.has_ended && run.verdict.passes()
}

/// Returns the first line of a report without the test's name.
fn title(run: &TestRun) -> String {
    let report = run.report.as_deref().unwrap_or_default();
    let line = report.lines().next().unwrap_or_default();
    let title = line.strip_prefix(&format!("{}: ", run.test.name));
    match title.unwrap_or(line) {
        "" => run.verdict.to_string(),
        title => title.to_owned(),
    }
}

impl ChangedEnsemble {
    fn from_run(run: &TestRun) -> Self {
        let report = run.report.as_deref().unwrap_or_default();
        let (_, report) = report.split_once('\n').unwrap_or_default();
        Self {
            name: run.test.name.clone(),
            cases: run.cases,
            changed: run.changed,
            title: title(run),
            report: without_steps(report.trim_matches('\n')).to_owned(),
        }
    }
}

/// Removes the last paragraph of a report if it lists commands, which apply only to the user's own
/// benchmark.
fn without_steps(report: &str) -> &str {
    let (rest, last) = report.rsplit_once("\n\n").unwrap_or(("", report));
    let is_step = |line: &str| {
        let label = line.trim_start().split_once(":  ").map(|(label, _)| label);
        label.is_some_and(|it| it.chars().all(|it| it.is_ascii_lowercase() || it == ' '))
    };
    match last.lines().all(is_step) {
        true => rest.trim_end(),
        false => report,
    }
}
