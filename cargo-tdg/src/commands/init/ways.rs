//! The ways to write the test of a function, and the file with one of them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::FileToWrite;
use super::function::refused;
use super::glue::{DrawnAs, Glue, Taste};
use super::parameter_constants::ParameterConstants;
use super::test::{GeneratedTest, ReturnedOutput};
use super::trial::{Trial, TriedTest};
use crate::error::{Error, Result};
use crate::plan::{ATTEMPTS, PlannedTypes, TestedCall};
use crate::sources::{Effects, Examples, PublicFunction};
use crate::workspace::{Dependency, Package, Workspace};

/// The percentage of refused rows that leaves nothing to compare.
const ALL: usize = 98;

/// Tests of one function, grouped by the rows that they draw, most usual first.
pub(super) struct Ways {
    path: PathBuf,
    /// The file before the test.
    before: String,
    groups: Vec<Vec<GeneratedTest>>,
    /// Tests that repeat examples, grouped likewise.
    pub(super) examples: Vec<Vec<GeneratedTest>>,
    /// Tests with `todo!()`, the most complete first.
    skeletons: Vec<GeneratedTest>,
    /// The resource that the function uses, so that its rows aren't run unasked.
    effect: Option<&'static str>,
    /// The reason that the parameters alone can't be drawn.
    reason: Option<Error>,
}

/// A function without a test, and what decides how its test is written.
pub(super) struct FunctionToTest<'t> {
    pub(super) function: &'t PublicFunction<'t>,
    pub(super) dependencies: &'t [Dependency],
    /// The names that the test can't have.
    pub(super) taken: &'t [String],
    pub(super) constants: &'t ParameterConstants<'t>,
    pub(super) effects: &'t Effects<'t>,
    pub(super) examples: &'t Examples,
}

impl<'t> FunctionToTest<'t> {
    pub(super) fn taste(&self, drawn: DrawnAs) -> Taste<'t> {
        Taste {
            drawn,
            is_held: true,
            constants: self.constants,
            is_option: false,
        }
    }

    /// Returns the tests that draw values like this and make this call, most usual first.
    fn tests(&self, call: &TestedCall, drawn: DrawnAs) -> Vec<GeneratedTest> {
        let kind = call.output.as_deref();
        let output = ReturnedOutput::new(self.function, self.dependencies, self.effects, kind);
        let tastes = [(true, false), (true, true), (false, false), (false, true)];
        let tastes = tastes.into_iter().map(|(is_held, is_option)| Taste {
            is_held,
            is_option,
            ..self.taste(drawn)
        });
        let glues = tastes.filter_map(|taste| Glue::new(call, taste));
        let tests = |it| GeneratedTest::new(self.function, self.taken, &it, &output);
        glues.flat_map(tests).collect()
    }

    /// Returns tests with `todo!()` for arguments: those that can't be written, those that
    /// statements would make, or all.
    fn skeletons(&self, call: &TestedCall, drawn: DrawnAs) -> Vec<GeneratedTest> {
        let is_held = |it: &Glue<'_>| it.lets.len() <= it.changed.len();
        let written: [fn(&Glue<'_>) -> bool; 3] = [|_| true, is_held, |_| false];
        let glues = written.map(|it| Glue::skeleton(call, self.taste(drawn), it));
        let tests = glues.map(|it| GeneratedTest::skeleton(self.function, self.taken, &it));
        tests.into()
    }
}

impl Ways {
    /// Plans tests of a function whose first ones draw values like this.
    pub(super) fn new(
        (path, before): (PathBuf, String),
        of: &FunctionToTest<'_>,
        first: DrawnAs,
    ) -> Self {
        let effect_of = |path: &str| of.effects.of_path(path);
        let held = PlannedTypes::of_rows(&effect_of);
        let made = PlannedTypes::new(&effect_of, false);
        let attempts = (0..ATTEMPTS).flat_map(|it| [(it, &held), (it, &made)]);
        let (mut groups, mut reason, mut skeletons) = (Vec::new(), None, Vec::new());
        let mut first_call = None;
        for (attempt, types) in attempts {
            let call = match TestedCall::new(of.function, types, attempt) {
                Ok(call) => call,
                Err(error) => {
                    reason.get_or_insert(error);
                    continue;
                }
            };
            reason = reason.or_else(|| call.reason().cloned());
            if skeletons.is_empty() {
                skeletons = of.skeletons(&call, first);
            }
            let drawn = [first, DrawnAs::Usual, DrawnAs::Examples];
            groups.extend(drawn.map(|it| of.tests(&call, it)));
            first_call.get_or_insert(call);
        }
        let mut known = BTreeSet::new();
        let mut examples = of.of_examples(first_call.as_ref());
        for groups in [&mut groups, &mut examples] {
            for group in &mut *groups {
                group.retain(|test| known.insert(test.text()));
            }
            groups.retain(|it| !it.is_empty());
        }
        let function = of.function;
        Self {
            path,
            before,
            groups,
            examples,
            effect: of.effects.effect(function.owner_name(), &function.called()),
            skeletons,
            reason: reason.map(|it| refused(&function.path, &it)),
        }
    }

    /// Returns the file with the most usual test.
    pub(super) fn unbuilt(&self) -> Result<FileToWrite> {
        let test = self.most_usual()?;
        Ok(self.file(test, test.notices.clone()))
    }

    pub(super) fn most_usual(&self) -> Result<&GeneratedTest> {
        let first = self.groups.first().and_then(|it| it.first());
        let test = first.or(self.skeletons.first());
        test.ok_or_else(|| self.refused())
    }

    /// Returns the most usual groups, and those that repeat examples.
    pub(super) fn first(&self, count: usize) -> Vec<Vec<GeneratedTest>> {
        let usual = self.groups.iter().take(count);
        usual.chain(&self.examples).cloned().collect()
    }

    /// Returns the reason that the function gets no test.
    pub(super) fn reason(&self) -> String {
        self.refused().to_string()
    }

    fn refused(&self) -> Error {
        match &self.reason {
            Some(reason) => Error::new(reason.to_string()),
            None => {
                Error::new("no test was written: none of the ways to call the function compiles")
            }
        }
    }

    /// Returns the file with the first test that compiles and whose rows run.
    pub(super) fn built(&self, workspace: &Workspace, package: &Package) -> Result<FileToWrite> {
        let unbuilt = |notice: String| {
            let mut file = self.unbuilt()?;
            file.notices.push(notice);
            Ok(file)
        };
        if let Some(effect) = self.effect {
            return unbuilt(format!(
                "the test was not built, since the function accesses {effect}: run it where it does \
                 no harm"
            ));
        }
        let trial = Trial::new(workspace, package);
        let chosen = trial.and_then(|it| Ok((it.of_function(&self.first(usize::MAX))?, it)));
        let (chosen, trial) = match chosen {
            Ok(chosen) => chosen,
            Err(error) => return unbuilt(format!("the test was not built: {error}")),
        };
        let is_kept = |it: &TriedTest| it.refused < ALL || it.is_called;
        if let Some(TriedTest { test, refused, .. }) = chosen.filter(is_kept) {
            let mut notices = Vec::new();
            if refused > 50 {
                let line = self.before.lines().count() + 3;
                notices.push(format!(
                    "{} of 100 rows are inputs: narrow the values that line {line} and those \
                     below it draw",
                    100 - refused
                ));
            }
            return Ok(self.file(&test, notices));
        }
        match trial.of_function(std::slice::from_ref(&self.skeletons))? {
            Some(TriedTest { mut test, .. }) => {
                test.options.clear();
                Ok(self.file(&test, test.notices.clone()))
            }
            None => Err(self.refused()),
        }
    }

    fn file(&self, test: &GeneratedTest, notices: Vec<String>) -> FileToWrite {
        let gap = if self.before.ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        let any = ["any)", "(any, ", "[any", "{any", "(any() = "];
        let text = test.formatted();
        let is_any = any.iter().any(|any| text.contains(any));
        FileToWrite {
            content: format!("{}{gap}{text}", self.before),
            path: self.path.clone(),
            test: format!("the test {} in ", test.name),
            notices,
            hint: if is_any {
                "`any` draws every value of a type; narrow it to the values that the function is \
                 for: #[define(uniform(1..=20))]"
            } else {
                "The rows are drawn as the type states."
            },
        }
    }
}
