//! Outputs for any rows: `cargo tdg why` asks for them.

use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use tdg_definition::json::{self, Value};
use tdg_definition::limits::DATA_BYTES;
use tdg_engine::Vectors;
use tdg_engine::answers::{AnsweringTest, QuestionFiles, answered};
use tdg_engine::config::process_environment;
use tdg_engine::output::Outputs;

use super::cases::function::UnderTest;
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
    for line in stdin().lock().lines() {
        let line = line?;
        let Ok(number) = line.trim().parse() else {
            continue;
        };
        let question = QuestionFiles::new(directory, number);
        match outputs(plan, under_test, &fs::read_to_string(&question.rows)?) {
            Ok(outputs) => fs::write(&question.outputs, outputs.as_json())?,
            Err(error) => fs::write(&question.error, error.text())?,
        }
        print(number)?;
    }
    Ok(())
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

fn outputs(plan: &Plan, under_test: &UnderTest<'_>, rows: &str) -> Result<Outputs> {
    let options = RunOptions {
        panics: Panics::Record,
        unbound: UnboundRows::Skip,
        output_bytes: DATA_BYTES,
        notes: false,
        ..plan.options.clone()
    };
    let table = Vectors::from_json(&plan.definition, rows)?;
    let vectors = Arc::new(row::Vectors::drawn(&plan.definition, table));
    let all: Vec<usize> = (0..vectors.size()).collect();
    let executed = under_test.function.pass(&vectors, &all, &options)?;
    Ok(executed.outputs)
}

/// Prints past the test harness. A function may have printed half a line.
fn print(number: usize) -> io::Result<()> {
    let mut stdout = stdout().lock();
    writeln!(stdout, "\n{}", answered(number))?;
    stdout.flush()
}
