//! The calls of tests, as text, JSON and Markdown.

use tdg_definition::json::Value;

use super::changed_tests::ChangedTest;
use super::comparison::ComparedCalls;
use crate::commands::compare::answer::{
    column_width, details, first_of, function, function_json, remark, some_of, texts,
};
use crate::commands::compare::calls::CallVerdict;
use crate::terminal::counted;
use crate::terminal::style::{BAD, FAINT, STRONG};

/// How many names are listed.
const NAMED: usize = 5;

/// The results of the calls of a package's tests.
#[derive(Default)]
pub(in crate::commands::compare) struct TestCallsAnswer {
    pub(in crate::commands::compare) package: String,
    pub(super) calls: ComparedCalls,
    pub(super) tests: Vec<ChangedTest>,
    /// The number of tests whose results differ because of the changed calls.
    pub(super) explained_tests: usize,
    /// The types that are shown in another way.
    pub(super) shapes: Vec<String>,
    /// The functions that record nothing, and the tests that don't run, each with the reason.
    pub(super) plain: Vec<String>,
    pub(super) left_out: Vec<String>,
    /// The functions that have calls with arguments that can't be shown.
    pub(super) unshown: Vec<String>,
    /// The files whose tests ended early.
    pub(super) ended: Vec<String>,
    /// The reason why nothing was compared.
    pub(super) reason: Option<String>,
}

/// The noun for the rows of a function.
const CALL: &str = "call";

impl TestCallsAnswer {
    pub(in crate::commands::compare) fn failed(package: &str, reason: String) -> Self {
        Self {
            package: package.to_owned(),
            reason: Some(reason),
            ..Self::default()
        }
    }

    pub(in crate::commands::compare) fn is_empty(&self) -> bool {
        self.calls.seen.is_empty() && self.tests.is_empty()
    }

    pub(in crate::commands::compare) fn is_changed(&self) -> bool {
        let calls = &self.calls;
        let has_tests = !self.tests.is_empty() || self.explained_tests > 0;
        let has_calls = !calls.changed.is_empty() || !calls.callers.is_empty();
        has_calls || calls.is_public_resigned || has_tests
    }

    /// Returns true if compared calls run code that differs.
    pub(in crate::commands::compare) fn runs_changed_code(&self) -> bool {
        self.calls.runs_changed_code
    }

    /// Returns the functions whose code differs although no compared call runs it.
    pub(in crate::commands::compare) fn unseen_changes(&self) -> Vec<&str> {
        self.calls.unreached.iter().map(String::as_str).collect()
    }

    /// Returns the functions with their own changes.
    pub(in crate::commands::compare) fn changed(&self) -> impl Iterator<Item = &str> {
        self.calls.changed.iter().map(|it| it.function.as_str())
    }

    /// Returns all functions that were compared.
    pub(in crate::commands::compare) fn seen(&self) -> impl Iterator<Item = &str> {
        self.calls.seen.iter().map(String::as_str)
    }

    /// Returns `calls of its tests: 40 functions compared on 1204 calls, 2 functions left out`.
    fn headline(&self) -> String {
        if self.reason.is_some() {
            return "calls of its tests: not compared".to_owned();
        }
        let compared = counted(self.calls.seen.len(), "function");
        let mut text = format!(
            "calls of its tests: {compared} compared on {}",
            counted(self.calls.calls, CALL)
        );
        for (names, what) in [(&self.plain, "function"), (&self.left_out, "test")] {
            if !names.is_empty() {
                text += &format!(", {} left out", counted(names.len(), what));
            }
        }
        if !self.unshown.is_empty() {
            let functions = counted(self.unshown.len(), "function");
            text += &format!(", {functions} with arguments that can't be shown");
        }
        text
    }

    /// Returns the lines that follow the functions.
    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let callers = self.calls.callers.iter();
        let callers = callers.map(|(name, count)| format!("{name} ({})", counted(*count, CALL)));
        let callers: Vec<String> = callers.collect();
        if !callers.is_empty() {
            let count = counted(callers.len(), "caller");
            lines.push(format!(
                "{count} changed because of these: {}",
                listed(&callers)
            ));
        }
        for test in &self.tests {
            lines.push(test.line());
        }
        if self.explained_tests > 0 {
            let tests = counted(self.explained_tests, "test");
            lines.push(format!("{tests} passed on one side only, because of these"));
        }
        for (names, what) in [
            (&self.calls.resigned, "returned another type"),
            (
                &self.calls.internal,
                "changed inside, but all callers gave the same",
            ),
        ] {
            if !names.is_empty() {
                let functions = counted(names.len(), "function");
                lines.push(format!("{functions} {what}: {}", listed(names)));
            }
        }
        if !self.shapes.is_empty() {
            lines.push(format!(
                "not compared, because they are shown differently: {}",
                listed(&self.shapes)
            ));
        }
        let unseen = self.unseen_changes();
        if !unseen.is_empty() {
            let names = some_of(&unseen);
            lines.push(format!("no compared call runs the changed code of {names}"));
        }
        lines.extend(self.ended.iter().cloned());
        lines.extend(self.reason.clone());
        lines
    }

    pub(in crate::commands::compare) fn text(&self, all: bool) -> String {
        let mut text = format!("{STRONG}{}{STRONG:#}: {}", self.package, self.headline());
        let more = [
            ("left out", &self.plain),
            ("left out", &self.left_out),
            ("not shown", &self.unshown),
        ];
        text += match more.iter().any(|(_, names)| !names.is_empty()) && !all {
            true => " (see --all)\n",
            false => "\n",
        };
        let width = column_width(self.changed());
        for compared in &self.calls.changed {
            text += &function(compared, None, width, CALL);
        }
        for line in self.lines() {
            text += &format!("  {line}\n");
        }
        if all {
            for (how, names) in more {
                for name in names {
                    text += &format!("  {FAINT}{how}{FAINT:#} {name}\n");
                }
            }
        }
        text
    }

    pub(in crate::commands::compare) fn markdown(&self) -> String {
        let mut text = format!("### {}\n\n{}\n\n", self.package, self.headline());
        for compared in &self.calls.changed {
            if let (Some(remark), CallVerdict::Changed(changed)) =
                (remark(compared, CALL), &compared.verdict)
            {
                text += &details(changed, &compared.function, &remark);
            }
        }
        text + &self
            .lines()
            .iter()
            .map(|it| format!("- {it}\n"))
            .collect::<String>()
    }

    pub(in crate::commands::compare) fn json(&self) -> Value {
        let callers = self.calls.callers.iter();
        let callers = callers.map(|(name, count)| (name.clone(), Value::from(*count as u64)));
        let tests = self.tests.iter().map(|test| {
            let messages = test.messages();
            let [then, now] = messages.map(|it| it.map_or(Value::Null, |it| it.as_str().into()));
            Value::object([
                ("test", Value::from(test.name.as_str())),
                ("before", then),
                ("after", now),
            ])
        });
        Value::object([
            ("package", Value::from(self.package.as_str())),
            ("functions_compared", (self.calls.seen.len() as u64).into()),
            ("seen", texts(&self.calls.seen)),
            ("calls_compared", (self.calls.calls as u64).into()),
            (
                "functions",
                Value::Array(self.calls.changed.iter().map(function_json).collect()),
            ),
            ("callers", Value::object(callers)),
            ("tests", Value::Array(tests.collect())),
            ("explained_tests", (self.explained_tests as u64).into()),
            ("another_type", texts(&self.calls.resigned)),
            ("internal", texts(&self.calls.internal)),
            ("changed_code_not_run", texts(&self.calls.unreached)),
            ("shown_otherwise", texts(&self.shapes)),
            ("functions_left_out", texts(&self.plain)),
            ("tests_left_out", texts(&self.left_out)),
            ("functions_not_shown", texts(&self.unshown)),
            ("ended", texts(&self.ended)),
            (
                "reason",
                self.reason.as_deref().map_or(Value::Null, Value::from),
            ),
        ])
    }
}

impl ChangedTest {
    fn line(&self) -> String {
        let name = &self.name;
        let [before, after] = self.results();
        format!("{BAD}test {name}{BAD:#}\n    before: {before}\n    after:  {after}")
    }
}

/// Lists the first names.
pub(super) fn listed(names: &[String]) -> String {
    first_of(names, NAMED)
}
