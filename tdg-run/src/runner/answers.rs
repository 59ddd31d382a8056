//! Outputs for any rows: `cargo tdg why` asks for them. Fixtures are set up once.

use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

use tdg_definition::Definition;
use tdg_definition::json::{self, Value};
use tdg_definition::limits::DATA_BYTES;
use tdg_engine::Vectors;
use tdg_engine::answers::{AnsweringTest, QuestionFiles, answered};
use tdg_engine::config::process_environment;

use super::cases::execution::Executed;
use super::cases::function::UnderTest;
use super::cases::row_pass::MorePasses;
use super::cases::run_options::{RunOptions, UnboundRows};
use super::error::Result;
use super::plan::Plan;
use super::prepare;
use crate::row;
use crate::test_options::{Panics, TestOptions};

/// Answers questions until the standard input ends. An error takes the place of the first answer.
pub(super) fn give(test: &TestOptions, under_test: &UnderTest<'_>, directory: &Path) {
    let given = prepare::prepare(test, &process_environment)
        .and_then(|(plan, _)| Ok(answer(&plan, under_test, directory)?));
    if let Err(error) = given {
        // Without the file, the process ends without an answer.
        let _ = fs::write(QuestionFiles::new(directory, 0).error, error.text());
    }
}

fn answer(plan: &Plan, under_test: &UnderTest<'_>, directory: &Path) -> io::Result<()> {
    AnsweringTest {
        definition: plan.definition.clone(),
        policy: plan.policy.clone(),
        takes: plan.takes(),
        seed: plan.seed,
        size: plan.size,
        has_file: plan.rows.is_some(),
        rows: given_rows(plan),
    }
    .write(directory)?;
    print(0)?;
    let options = RunOptions {
        panics: Panics::Record,
        unbound: UnboundRows::Skip,
        output_bytes: DATA_BYTES,
        notes: false,
        ..plan.options.clone()
    };
    let questions = AskedRows {
        definition: &plan.definition,
        directory,
        asked: AtomicUsize::new(NONE),
    };
    // With fixtures, the first pass makes all others.
    let mut vectors = questions.ask()?;
    while let Some(rows) = vectors {
        let executed = under_test.function.passes(&rows, &options, &questions);
        vectors = questions.next(executed);
    }
    Ok(())
}

/// The questions on standard input.
struct AskedRows<'q> {
    definition: &'q Definition,
    directory: &'q Path,
    /// The question without an answer.
    asked: AtomicUsize,
}

/// The number of no question.
const NONE: usize = 0;

impl AskedRows<'_> {
    /// Reads the next question. Rows that the definition doesn't have are answered with the reason.
    fn ask(&self) -> io::Result<Option<Arc<row::Vectors>>> {
        for line in stdin().lock().lines() {
            let Ok(number) = line?.trim().parse() else {
                continue;
            };
            self.asked.store(number, Ordering::Relaxed);
            let rows = fs::read_to_string(QuestionFiles::new(self.directory, number).rows)?;
            match Vectors::from_json(self.definition, &rows) {
                Ok(table) => {
                    return Ok(Some(Arc::new(row::Vectors::drawn(self.definition, table))));
                }
                Err(error) => self.answer(Err(error.into()))?,
            }
        }
        Ok(None)
    }

    /// Answers the question, if there is one.
    fn answer(&self, executed: Result<Executed>) -> io::Result<()> {
        let number = self.asked.swap(NONE, Ordering::Relaxed);
        if number == NONE {
            return Ok(());
        }
        let question = QuestionFiles::new(self.directory, number);
        match executed {
            Ok(executed) => fs::write(&question.outputs, executed.outputs.as_json())?,
            Err(error) => fs::write(&question.error, error.text())?,
        }
        print(number)
    }
}

impl MorePasses for AskedRows<'_> {
    fn next(&self, passed: Result<Executed>) -> Option<Arc<row::Vectors>> {
        // Without an answer, the process that asks ends this one.
        self.answer(passed).and_then(|()| self.ask()).ok().flatten()
    }
}

/// Returns the rows that aren't drawn.
fn given_rows(plan: &Plan) -> Vec<Value> {
    let of_file = plan.rows.as_ref().map(|it| it.vectors.to_json());
    let of_file = of_file.and_then(|it| json::parse(&it).ok());
    let of_file = of_file.and_then(|it| Some(it.as_array()?.to_vec()));
    let kept = plan.keep.iter().cloned().map(Value::Array);
    of_file
        .unwrap_or_default()
        .into_iter()
        .chain(kept)
        .collect()
}

/// Prints past the test harness. A function may have printed half a line.
fn print(number: usize) -> io::Result<()> {
    let mut stdout = stdout().lock();
    writeln!(stdout, "\n{}", answered(number))?;
    stdout.flush()
}
