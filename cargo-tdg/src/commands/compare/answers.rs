//! All answers of a comparison, and where they go.

use tdg_definition::json::Value;
use tdg_engine::snapshot;

use super::answer::{PackageAnswer, some_of};
use super::ensembles::EnsembleAnswer;
use super::test_calls::TestCallsAnswer;
use super::{Compare, ComparedCallKind, page, uncalled};
use crate::error::{Error, Result};
use crate::terminal::print;

/// All answers of a comparison.
#[derive(Default)]
pub(super) struct AllAnswers {
    /// The label of the earlier side.
    pub(super) then: String,
    pub(super) packages: Vec<PackageAnswer>,
    pub(super) calls: Vec<TestCallsAnswer>,
    pub(super) ensembles: Vec<EnsembleAnswer>,
}

impl AllAnswers {
    pub(super) fn are_changed(&self) -> bool {
        self.packages.iter().any(PackageAnswer::is_changed)
            || self.calls.iter().any(TestCallsAnswer::is_changed)
            || self.ensembles.iter().any(EnsembleAnswer::is_changed)
    }

    /// Folds the callers of functions that the tests of their package found changed.
    pub(super) fn fold_callers(&mut self) {
        for package in &mut self.packages {
            let mut calls = self.calls.iter();
            if let Some(calls) = calls.find(|it| it.package == package.package) {
                let found: Vec<&str> = calls.changed().collect();
                package.fold_callers(&found, &calls.seen().collect::<Vec<_>>());
            }
        }
    }

    /// Returns the calls of tests that come before drawn calls, since only they show the innermost
    /// function that changed, and the others.
    fn ordered_calls(&self) -> [Vec<&TestCallsAnswer>; 2] {
        let is_first = |calls: &&TestCallsAnswer| {
            let mut packages = self.packages.iter();
            packages.any(|it| it.folded.are_after_tests && it.package == calls.package)
        };
        let (first, others) = self.calls.iter().partition(is_first);
        [first, others]
    }

    /// Names the changed code of the first package without a compared call that runs it.
    fn missed(&self) -> Option<String> {
        let packages = self.packages.iter().map(|it| &it.package);
        let mut packages = packages.chain(self.calls.iter().map(|it| &it.package));
        packages.find_map(|package| {
            let drawn = self.packages.iter().find(|it| it.package == *package);
            let calls = self.calls.iter().find(|it| it.package == *package);
            let is_run = drawn.is_some_and(PackageAnswer::runs_changed_code)
                || calls.is_some_and(TestCallsAnswer::runs_changed_code);
            let unseen = drawn.map(PackageAnswer::unseen_changes);
            let unseen = unseen.filter(|it| !it.is_empty());
            let unseen = unseen.or(calls.map(TestCallsAnswer::unseen_changes))?;
            (!is_run && !unseen.is_empty()).then(|| some_of(&unseen))
        })
    }
}

impl Compare {
    /// Fails if nothing was compared that could have changed.
    pub(super) fn check_compared(&self, answers: &AllAnswers) -> Result<()> {
        let packages = || answers.packages.iter();
        let calls = || answers.calls.iter();
        let is_empty =
            packages().all(PackageAnswer::is_empty) && calls().all(TestCallsAnswer::is_empty);
        if answers.are_changed() || !answers.ensembles.iter().all(EnsembleAnswer::is_empty) {
            return Ok(());
        }
        let reasons = "--all lists the functions with the reasons";
        Err(Error::new(match (&self.only, answers.missed()) {
            (Some(only), _) if is_empty => format!("nothing was compared with --only {only}"),
            (_, Some(missed)) => {
                format!("nothing that runs the changed code was compared: {missed}; {reasons}")
            }
            _ if is_empty => format!("nothing was compared; {reasons}"),
            _ => return Ok(()),
        }))
    }

    /// Returns the answers to report.
    fn reported<'a>(&self, answers: &'a [PackageAnswer]) -> Vec<&'a PackageAnswer> {
        let answers = answers.iter();
        answers
            .filter(|it| !self.tests || it.has_functions())
            .collect()
    }

    pub(super) fn write_page(&self, answers: &AllAnswers) -> Result<()> {
        let Some(file) = &self.html else {
            return Ok(());
        };
        let packages = self.reported(&answers.packages);
        let (then, ensembles) = (&answers.then, &answers.ensembles);
        let calls = answers.ordered_calls();
        let page = page::page(then, self.rows.into(), &packages, ensembles, &calls);
        Ok(snapshot::save(file, &page)?)
    }

    pub(super) fn print(&self, answers: &AllAnswers) -> Result<()> {
        let rows = usize::from(self.rows);
        let then = &answers.then;
        if self.json {
            let packages = answers.packages.iter().map(PackageAnswer::json);
            let mut answer = vec![
                ("compared_with", Value::from(then.as_str())),
                ("packages", packages.collect()),
            ];
            if self.calls != ComparedCallKind::Drawn {
                let calls = answers.calls.iter().map(TestCallsAnswer::json);
                answer.push(("test_calls", calls.collect()));
            }
            if self.tests {
                let ensembles = answers.ensembles.iter().map(EnsembleAnswer::json);
                answer.push(("ensemble_tests", ensembles.collect()));
            }
            return print(&format!("{}\n", Value::object(answer)));
        }
        let reported = self.reported(&answers.packages);
        let (functions, tests) = (reported.iter(), answers.ensembles.iter());
        let [first, others] = answers.ordered_calls().map(Vec::into_iter);
        let (title, mut texts): (_, Vec<String>) = match self.markdown {
            true => {
                let texts = first.map(TestCallsAnswer::markdown);
                let texts = texts.chain(functions.map(|it| it.markdown(rows)));
                let texts = texts.chain(others.map(TestCallsAnswer::markdown));
                let texts = texts.chain(tests.map(EnsembleAnswer::markdown));
                let texts = texts.chain([uncalled::markdown(&reported, self.all)]);
                ("## Compared with", texts.collect())
            }
            false => {
                let texts = first.map(|it| it.text(self.all));
                let texts = texts.chain(functions.map(|it| it.text(rows, self.all)));
                let texts = texts.chain(others.map(|it| it.text(self.all)));
                let texts = texts.chain(tests.map(EnsembleAnswer::text));
                let texts = texts.chain([uncalled::text(&reported, self.all)]);
                ("compared with", texts.collect())
            }
        };
        texts.retain(|it| !it.is_empty());
        print(&format!("{title} {then}\n\n{}", texts.join("\n")))
    }
}
