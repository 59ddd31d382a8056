//! The ways to write the test of a function, and the file with one of them.

use std::path::PathBuf;

use super::FileToWrite;
use super::glue::{DrawnAs, Glue, Taste};
use super::parameter_constants::ParameterConstants;
use super::test::GeneratedTest;
use super::trial::{TriedTest, tried};
use crate::error::{Error, Result};
use crate::plan::{ATTEMPTS, PlannedCall, PlannedTypes};
use crate::sources::{Effects, PublicFunction};
use crate::workspace::{Package, Workspace};

/// The percentage of refused rows that leaves nothing to compare.
const ALL: usize = 98;

/// Tests of one function, grouped by the rows that they draw, most usual first.
pub(super) struct Ways {
    path: PathBuf,
    /// The file before the test.
    before: String,
    groups: Vec<Vec<GeneratedTest>>,
    skeleton: Option<GeneratedTest>,
    /// The resource that the function uses, so that its rows aren't run unasked.
    effect: Option<&'static str>,
    /// The reason that the parameters alone can't be drawn.
    reason: Option<Error>,
}

impl Ways {
    pub(super) fn new(
        path: PathBuf,
        before: String,
        function: &PublicFunction<'_>,
        (plain, taken): (Result<GeneratedTest>, &[String]),
        edge_cases: &ParameterConstants<'_>,
        effects: &Effects<'_>,
    ) -> Self {
        let effect_of = |path: &str| effects.of_path(path);
        let types = PlannedTypes::new(&effect_of, false);
        let receiver = function.receiver();
        let mut groups = Vec::new();
        for attempt in 0..ATTEMPTS {
            let planned = PlannedCall::with_output(function, &types, attempt);
            let (call, output) = match planned {
                Ok((call, output)) => (Some(call), output),
                Err(_) => (None, None),
            };
            if let (0, Ok(plain)) = (attempt, &plain) {
                let mut tests = vec![plain.clone()];
                tests.extend(plain.with_outputs(output.as_deref()));
                groups.push(tests);
            }
            let Some(call) = call else {
                continue;
            };
            for drawn in [DrawnAs::Any, DrawnAs::Usual, DrawnAs::Examples] {
                let tests = [false, true].into_iter().flat_map(|is_option| {
                    let taste = Taste {
                        drawn,
                        constants: edge_cases,
                        is_option,
                    };
                    let glue = Glue::new(&call, &receiver, taste);
                    let tests = glue.map(|glue| {
                        GeneratedTest::of_glue(
                            function,
                            taken,
                            &glue,
                            output.as_deref(),
                            edge_cases,
                        )
                    });
                    tests.unwrap_or_default()
                });
                groups.push(tests.collect());
            }
        }
        let mut known = Vec::new();
        for group in &mut groups {
            group.retain(|test| {
                let text = test.text();
                let is_new = !known.contains(&text);
                known.push(text);
                is_new
            });
        }
        groups.retain(|it| !it.is_empty());
        Self {
            path,
            before,
            groups,
            effect: effects.effect(function.owner_name(), &function.called()),
            skeleton: GeneratedTest::skeleton(function, taken),
            reason: plain.err(),
        }
    }

    /// Returns the file with the most usual test.
    pub(super) fn unbuilt(&self) -> Result<FileToWrite> {
        let first = self.groups.first().and_then(|it| it.first());
        match first.or(self.skeleton.as_ref()) {
            Some(test) => Ok(self.file(test, test.notices.clone())),
            None => Err(self.refused()),
        }
    }

    /// Returns the most usual groups.
    pub(super) fn first(&self, count: usize) -> &[Vec<GeneratedTest>] {
        &self.groups[..count.min(self.groups.len())]
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
        if let Some(effect) = self.effect {
            let mut file = self.unbuilt()?;
            file.notices.push(format!(
                "the test was not built, since the function accesses {effect}: run it where it does \
                 no harm"
            ));
            return Ok(file);
        }
        let chosen = match tried(workspace, package, &self.groups) {
            Ok(chosen) => chosen,
            Err(error) => {
                let mut file = self.unbuilt()?;
                file.notices
                    .push(format!("the test was not built: {error}"));
                return Ok(file);
            }
        };
        match (chosen, &self.skeleton) {
            (Some(TriedTest { test, refused }), _) if refused < ALL => {
                let mut notices = Vec::new();
                if refused > 50 {
                    let line = self.before.lines().count() + 3;
                    notices.push(format!(
                        "{} of 100 rows are inputs: narrow the values that line {line} and those \
                         below it draw",
                        100 - refused
                    ));
                }
                Ok(self.file(&test, notices))
            }
            (_, Some(skeleton)) => {
                let groups = [vec![skeleton.clone()]];
                match tried(workspace, package, &groups)? {
                    Some(_) => Ok(self.file(skeleton, skeleton.notices.clone())),
                    None => Err(self.refused()),
                }
            }
            (_, None) => Err(self.refused()),
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
