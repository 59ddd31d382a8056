//! Rows outside the ensemble: kept rows, and rows of another seed or size.
//!
//! They are judged without a benchmark, by panics, by the `Err` of a `Result<(), E>`, and by the
//! outputs of the other function. Only kept rows have recorded outputs (`kept_rows`).

pub(super) mod kept_rows;

use std::sync::Arc;

use tdg_definition::json::{self, Value};
use tdg_definition::limits::{CELLS, DATA_BYTES, SIZES};
use tdg_definition::sort;
use tdg_engine::compare::DifferingCase;
use tdg_engine::config::ExploreSize;
use tdg_engine::results::ExploredRun;
use tdg_engine::{Vectors, output};
use tdg_report::simplify::{Simplified, simplify};
use tdg_report::{Explored, ExploredRows, FailingRow, Failure, RowFailure, explored_line};

use super::cases::execution::Executed;
use super::cases::function::{Function, UnderTest};
use super::cases::run_options::RunOptions;
use super::error::{Result, RunError};
use super::judge::findings::findings_of_failures;
use super::plan::Plan;
use super::rows::check_length;
use super::stderr::print_line;
use crate::row;

/// Runs the function on the rows of another seed or size, if requested. Returns the failure, if
/// any, and the rows that ran.
pub(super) fn run(
    plan: &Plan,
    under_test: &UnderTest<'_>,
) -> Result<(Option<Failure>, Option<ExploredRun>)> {
    RowsBeside::new(plan, under_test).drawn()
}

/// The function and the options for rows outside the ensemble.
pub(super) struct RowsBeside<'a> {
    plan: &'a Plan,
    under_test: &'a UnderTest<'a>,
    options: RunOptions,
}

/// The number of a row, and its failure.
type Failing = (usize, RowFailure);

impl<'a> RowsBeside<'a> {
    pub(super) fn new(plan: &'a Plan, under_test: &'a UnderTest<'a>) -> Self {
        Self {
            plan,
            under_test,
            options: RunOptions {
                are_new: true,
                ..plan.options.clone()
            },
        }
    }

    fn drawn(&self) -> Result<(Option<Failure>, Option<ExploredRun>)> {
        let plan = self.plan;
        let Some(explore) = plan.settings.explore else {
            return Ok((None, None));
        };
        if let Some(file) = &plan.rows {
            print_line(&format!(
                "tdg: {} takes the rows of {}, so none were explored",
                plan.test.name, file.path
            ));
            return Ok((None, None));
        }
        let seed = explore.seed.unwrap_or(plan.seed);
        let size = self.size(explore.size)?;
        print_line(&explored_line(&plan.test.name, size, seed));
        let drawn = Vectors::generate(&plan.definition, seed, size);
        check_length(&drawn, &plan.definition_name, DATA_BYTES)?;
        let vectors = Arc::new(row::Vectors::drawn(&plan.definition, drawn));
        let failing = self.failing(&vectors)?;
        let failure = match failing.first() {
            Some(first) => Some(self.explained(seed, &vectors, &failing, first)?),
            None => None,
        };
        let keep = failure.as_ref().and_then(|failure| match failure.rows {
            ExploredRows::Drawn { calls: Some(_), .. } => {
                failure.shown.first().map(|row| row.object.clone())
            }
            _ => None,
        });
        let explored = ExploredRun {
            rows: size,
            seed,
            keep,
        };
        Ok((failure.map(Failure::Explored), Some(explored)))
    }

    /// Returns the number of rows to draw.
    fn size(&self, size: Option<ExploreSize>) -> Result<usize> {
        let Plan {
            definition,
            definition_name,
            size: own,
            ..
        } = self.plan;
        match size {
            None => Ok(*own),
            Some(ExploreSize::Rows(size)) => match definition.check_size(size) {
                Ok(()) => Ok(size),
                Err(error) => Err(RunError::new(format!(
                    "{definition_name} does not have the {size} rows of TDG_SIZE:\n{error}"
                ))
                .hint(
                    "set TDG_SIZE=max for as many as possible, or run only the tests that have \
                     enough",
                )),
            },
            Some(ExploreSize::Most) => {
                let most = (*SIZES.end()).min(CELLS / definition.features().len().max(1));
                Ok(match definition.check_size(most) {
                    Ok(()) => most,
                    Err(_) => *own,
                })
            }
        }
    }

    /// Runs the rows, and returns the failing ones in order.
    fn failing(&self, vectors: &Arc<row::Vectors>) -> Result<Vec<Failing>> {
        self.judged(vectors).map(|(_, failing)| failing)
    }

    /// Runs the rows, and returns the outputs and the failing rows in order.
    pub(super) fn judged(&self, vectors: &Arc<row::Vectors>) -> Result<(Executed, Vec<Failing>)> {
        let executed = self.pass(vectors)?;
        let failing = self.failing_of(vectors, &executed)?;
        Ok((executed, failing))
    }

    fn pass(&self, vectors: &Arc<row::Vectors>) -> Result<Executed> {
        let all: Vec<usize> = (0..vectors.size()).collect();
        let function = &self.under_test.function;
        function.pass(vectors, &all, &self.options)
    }

    fn failing_of(&self, vectors: &Arc<row::Vectors>, executed: &Executed) -> Result<Vec<Failing>> {
        let all: Vec<usize> = (0..vectors.size()).collect();
        let panics = executed.panics.iter().map(|(row, panic)| {
            let failure = RowFailure::Panicked {
                message: panic.message.clone(),
                location: panic.location.clone(),
            };
            (*row, failure)
        });
        let mut failing: Vec<Failing> = panics.collect();
        let Some(other) = &self.under_test.against else {
            let error = |row: &usize| {
                let output = output::read(executed.outputs.get(*row)).ok();
                let error = output.as_ref().and_then(|output| output.get("Err"));
                let error = error.map(Value::to_string);
                (*row, RowFailure::Error(error.unwrap_or_default()))
            };
            failing.extend(executed.failures.iter().map(error));
            sort::by_key(&mut failing, |(row, _)| *row);
            return Ok(failing);
        };
        if let (Function::Vectors(_), false) = (self.under_test.function, failing.is_empty()) {
            // A batch that panicked has no outputs.
            return Ok(failing);
        }
        let expected = other.pass(vectors, &all, &self.options)?;
        let mut differing = Vec::new();
        for row in all {
            let (before, now) = (expected.outputs.get(row), executed.outputs.get(row));
            let panicked = failing.binary_search_by_key(&row, |(panicked, _)| *panicked);
            if before == now || panicked.is_ok() {
                continue;
            }
            let compared = DifferingCase::of_outputs(&self.plan.policy, row, before, now)?;
            if !compared.comparison.is_same() {
                let failure = RowFailure::Differs {
                    function: other.name.to_owned(),
                    differences: compared.comparison.differences,
                };
                differing.push((row, failure));
            }
        }
        if differing.len() > self.plan.policy.allowed(vectors.size()) {
            failing.extend(differing);
            sort::by_key(&mut failing, |(row, _)| *row);
        }
        Ok(failing)
    }

    /// Finds what failing rows have in common, and the simplest row that fails like the first.
    fn explained(
        &self,
        seed: u64,
        vectors: &Arc<row::Vectors>,
        failing: &[Failing],
        first: &Failing,
    ) -> Result<Explored> {
        let (table, rows) = (vectors.table(), failing.iter().map(|(row, _)| *row));
        let rows: Vec<usize> = rows.collect();
        let panicked = |(_, failure): &Failing| matches!(failure, RowFailure::Panicked { .. });
        // A panic of a batch doesn't show which row caused it.
        let is_batch = matches!(self.under_test.function, Function::Vectors(_));
        let is_panicked_batch = is_batch && failing.iter().all(panicked);
        let (findings, alone) = if is_panicked_batch {
            (Vec::new(), self.isolated(table, &first.1)?)
        } else {
            let findings = findings_of_failures(&table.taken(&self.plan.takes()), &rows);
            let fails = self.failure_like(&values(table, first.0), &first.1)?;
            (findings, fails.map(|_| first.0))
        };
        let (shown, calls) = match alone {
            None => {
                let mut shown = self.failing_row(first.0, vectors, first.0, first.1.clone());
                if is_panicked_batch {
                    shown.inputs.clear();
                }
                (shown, None)
            }
            Some(number) => {
                let fails =
                    &mut |row: &[Value]| matches!(self.failure_like(row, &first.1), Ok(Some(_)));
                let values = values(table, number);
                let Simplified { row, calls } = simplify(&self.plan.definition, values, fails);
                let failure = self.failure_like(&row, &first.1)?;
                let failure = failure.unwrap_or_else(|| first.1.clone());
                let simplest = self.row(&row)?;
                let shown = self.failing_row(number, &simplest, 0, failure);
                (shown, Some(calls))
            }
        };
        Ok(Explored {
            rows: ExploredRows::Drawn { seed, calls },
            size: table.size(),
            count: if is_panicked_batch { 0 } else { rows.len() },
            findings,
            shown: vec![shown],
            loosened: None,
            pending: None,
        })
    }

    /// Finds the row of a batch that fails alike when it is the whole batch, by following the first
    /// failing half.
    fn isolated(&self, table: &Vectors, like: &RowFailure) -> Result<Option<usize>> {
        let mut rows = 0..table.size();
        while rows.len() > 1 {
            let middle = rows.start + rows.len() / 2;
            let mut failing_half = None;
            for half in [rows.start..middle, middle..rows.end] {
                let part = half.clone().map(|row| {
                    let mut text = String::new();
                    table.write_row(row, &mut text);
                    text
                });
                let part: Vec<String> = part.collect();
                let part = self.rows(part.iter().map(String::as_str))?;
                if self.failing(&part)?.iter().any(|(_, it)| it.is_like(like)) {
                    failing_half = Some(half);
                    break;
                }
            }
            match failing_half {
                Some(half) => rows = half,
                None => return Ok(None),
            }
        }
        Ok(Some(rows.start))
    }

    /// Runs the row of these values alone, and returns its failure if it is like the given one.
    fn failure_like(&self, values: &[Value], like: &RowFailure) -> Result<Option<RowFailure>> {
        let failing = self.failing(&self.row(values)?)?;
        let failures = failing.into_iter().map(|(_, failure)| failure);
        Ok(failures.into_iter().find(|failure| failure.is_like(like)))
    }

    /// Creates a single row of these values.
    pub(super) fn row(&self, values: &[Value]) -> Result<Arc<row::Vectors>> {
        self.rows([&*Value::Array(values.to_vec()).to_string()])
    }

    /// Creates rows of the definition, each from a JSON array.
    fn rows<'r>(&self, rows: impl IntoIterator<Item = &'r str>) -> Result<Arc<row::Vectors>> {
        let definition = &self.plan.definition;
        let table = Vectors::from_rows(definition, rows)?;
        Ok(Arc::new(row::Vectors::drawn(definition, table)))
    }

    pub(super) fn failing_row(
        &self,
        number: usize,
        vectors: &row::Vectors,
        row: usize,
        failure: RowFailure,
    ) -> FailingRow {
        let table = vectors.table();
        let takes = self.plan.takes();
        let inputs = table.names().map(str::to_owned).zip(table.cells(row));
        FailingRow {
            number,
            inputs: inputs.filter(|(name, _)| takes.has(name)).collect(),
            object: table.object(row),
            failure,
        }
    }
}

/// Reads the values of a row.
fn values(table: &Vectors, row: usize) -> Vec<Value> {
    let cells = table.cells(row).into_iter();
    let read = |cell: String| json::parse(&cell).unwrap_or_default();
    cells.map(read).collect()
}
