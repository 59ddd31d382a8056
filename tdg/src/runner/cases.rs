//! Running the function under test on rows.

use std::borrow::Cow;
use std::mem;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::calls::{Call, Caller, Calls, Subject};
use super::error::{Result, RunError};
use super::function::{CallError, Pass};
use super::notes::Notes;
use super::panics::{Panic, catch};
use super::watchdog;
use crate::output::Outcome;
use crate::row::{Row, Vectors};
use crate::test_options::Panics;
use tdg_engine::output::{Outputs, unbound};
use tdg_engine::report::PanickedCase;

/// The outputs and panics of the cases that ran.
#[derive(Debug)]
pub(super) struct Executed {
    /// One a case; `null` where the function panicked.
    pub(super) outputs: Outputs,
    /// How long they may be.
    output_bytes: usize,
    /// Whether there is anything to record.
    pub(super) records: bool,
    /// How many cases gave an `Err`.
    pub(super) errors: usize,
    /// The cases that gave the `Err` of a `Result<(), E>`, in order.
    pub(super) failures: Vec<usize>,
    /// The cases that panicked, in order. A batch that panicked is its first case.
    pub(super) panics: Vec<(usize, Panic)>,
}

/// How to run the cases.
#[derive(Clone, Debug)]
pub(super) struct RunOptions {
    pub(super) threads: usize,
    pub(super) panics: Panics,
    /// How long all outputs may be as JSON, in bytes.
    pub(super) output_bytes: usize,
    pub(super) unbound: UnboundRows,
    /// The test, for messages about the rows that are running.
    pub(super) subject: Subject,
    /// Whether the rows are new ones beside the benchmark's own.
    pub(super) are_new: bool,
    /// The time after which a row is named that is still running.
    pub(super) slow_row: Option<Duration>,
    /// Whether each row is noted before it runs, in case the process ends in it.
    pub(super) notes: bool,
}

/// What happens to a row that is not what the function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnboundRows {
    /// The run can't be judged.
    Refuse,
    /// It has no output, but the [reason](unbound).
    Skip,
}

/// Why a row that panicked has no output to compare.
pub(super) const PANICKED: &str = "the function panicked";

type CallRow<'p, 'f> = dyn Fn(&Row<'p>) -> Result<Outcome, CallError> + Sync + 'f;

/// As [`CallRow`], on one thread.
type CallRowInTurn<'p, 'f> = dyn FnMut(&Row<'p>) -> Result<Outcome, CallError> + 'f;

pub(super) fn run_in_turn<'p>(
    pass: &Pass<'p>,
    function: &mut CallRowInTurn<'p, '_>,
) -> Result<Executed> {
    let started = Started::on(pass, 1);
    run_share(pass, pass.rows, function, &started.caller(0))
}

pub(super) fn run_rows<'p>(pass: &Pass<'p>, function: &CallRow<'p, '_>) -> Result<Executed> {
    let Pass { rows, options, .. } = *pass;
    // WASI starts no threads. The outputs don't depend on their number.
    let has_threads = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));
    let threads = options.threads.min(rows.len());
    if threads <= 1 || !has_threads {
        return run_in_turn(pass, &mut &*function);
    }
    let started = Started::on(pass, threads);
    let share = rows.len().div_ceil(threads);
    let shares = thread::scope(|scope| {
        let threads: Vec<_> = rows
            .chunks(share)
            .enumerate()
            .map(|(thread, rows)| {
                let caller = started.caller(thread);
                scope.spawn(move || run_share(pass, rows, &mut &*function, &caller))
            })
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| {
            let lost = |_| Err(RunError::new("a thread of the run ended early"));
            thread.join().unwrap_or_else(lost)
        };
        threads
            .into_iter()
            .map(join)
            .collect::<Result<Vec<Executed>>>()
    })?;
    let mut all = Executed::of(rows.len(), options);
    for share in shares {
        all.append(&share)?;
    }
    Ok(all)
}

/// The calls of a pass, with what watches them.
struct Started {
    calls: Arc<Calls>,
    notes: Option<Mutex<Notes>>,
}

impl Started {
    fn on(pass: &Pass<'_>, threads: usize) -> Self {
        let Pass {
            vectors, options, ..
        } = *pass;
        let calls = Calls::new(options.subject.clone(), options.are_new, vectors, threads);
        let calls = Arc::new(calls);
        if let Some(slow_row) = options.slow_row {
            watchdog::watch(&calls, slow_row);
        }
        Self {
            calls,
            notes: options.notes.then(|| Mutex::new(Notes::open())),
        }
    }

    fn caller(&self, thread: usize) -> Caller<'_> {
        Caller::new(&self.calls, thread, self.notes.as_ref())
    }
}

fn run_share<'p>(
    pass: &Pass<'p>,
    rows: &[usize],
    function: &mut CallRowInTurn<'p, '_>,
    caller: &Caller<'_>,
) -> Result<Executed> {
    let Pass {
        vectors, options, ..
    } = *pass;
    let mut executed = Executed::of(rows.len(), options);
    let _guard = caller.guard();
    // Catching costs as much as a small function, so it is done once for all rows up to a panic.
    loop {
        let until_panic = catch(|| {
            for &row in &rows[executed.outputs.len()..] {
                caller.begin(Call::Row(row));
                match function(&vectors.row(row)) {
                    Ok(outcome) => executed.push(row, outcome)?,
                    Err(CallError::Unbound(error)) if options.unbound == UnboundRows::Skip => {
                        executed.outputs.push(&unbound(&error.reason()));
                    }
                    Err(CallError::SetUp(error)) => {
                        return Err(error.within(format_args!("row {row}")));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            Ok(())
        });
        let panic = match until_panic {
            Ok(done) => return done.map(|()| executed),
            Err(panic) => panic,
        };
        let row = rows[executed.outputs.len()];
        match options.panics {
            Panics::Fail => executed.push_panic(row, panic),
            Panics::Record => executed.push(row, Outcome::panic(&panic.message))?,
        }
    }
}

/// The function needs all rows; the outcomes of the wanted ones are kept.
pub(super) fn run_vectors(
    pass: &Pass<'_>,
    function: &mut dyn FnMut(&Vectors) -> Result<Vec<Outcome>, CallError>,
) -> Result<Executed> {
    let Pass {
        vectors,
        rows,
        options,
    } = *pass;
    let mut executed = Executed::of(rows.len(), options);
    let started = Started::on(pass, 1);
    let caller = started.caller(0);
    let _guard = caller.guard();
    caller.begin(Call::Batch);
    let mut outcomes = match catch(|| function(vectors)) {
        Ok(Ok(outcomes)) => outcomes,
        Ok(Err(CallError::Unbound(error))) if options.unbound == UnboundRows::Skip => {
            return Ok(Executed::unbound(rows.len(), &error.reason()));
        }
        Ok(Err(error)) => return Err(error.into()),
        Err(panic) if options.panics == Panics::Record => {
            vec![Outcome::panic(&panic.message); vectors.size()]
        }
        Err(panic) => {
            for (index, &row) in rows.iter().enumerate() {
                match index {
                    0 => executed.push_panic(row, panic.clone()),
                    _ => executed.push_null(),
                }
            }
            return Ok(executed);
        }
    };
    if outcomes.len() != vectors.size() {
        let reason = format!(
            "the batch function returned {} outputs for {} rows; it must return one a row, in their order",
            outcomes.len(),
            vectors.size()
        );
        return Err(RunError::new(reason));
    }
    for &row in rows {
        executed.push(row, mem::replace(&mut outcomes[row], Outcome::nothing()))?;
    }
    Ok(executed)
}

impl Executed {
    /// The cases that panicked, with their rows.
    pub(super) fn panicked_cases(&self, vectors: &tdg_engine::Vectors) -> Vec<PanickedCase> {
        let case = |(case, panic): &(usize, Panic)| PanickedCase {
            case: *case,
            inputs: vectors.cells(*case),
            message: panic.message.clone(),
            location: panic.location.clone(),
        };
        self.panics.iter().map(case).collect()
    }

    /// The output of the row at that position of those that ran, `row`; `None` if it panicked.
    pub(super) fn output(&self, position: usize, row: usize) -> Option<String> {
        (!self.has_panicked(row)).then(|| self.outputs.get(position).to_owned())
    }

    fn has_panicked(&self, row: usize) -> bool {
        // They are in order.
        let panic = self.panics.binary_search_by_key(&row, |(case, _)| *case);
        panic.is_ok()
    }

    /// The outputs, and the reason in place of each that there is not.
    pub(super) fn outputs_or_reasons(&self) -> Cow<'_, Outputs> {
        if self.panics.is_empty() {
            return Cow::Borrowed(&self.outputs);
        }
        let mut outputs = Outputs::with_capacity(self.outputs.len());
        for row in 0..self.outputs.len() {
            if self.has_panicked(row) {
                outputs.push(&unbound(PANICKED));
            } else {
                outputs.push_text(self.outputs.get(row));
            }
        }
        Cow::Owned(outputs)
    }

    /// Rows that can't be run, for that reason.
    pub(super) fn unbound(rows: usize, reason: &str) -> Self {
        let mut outputs = Outputs::with_capacity(rows);
        let output = unbound(reason);
        for _ in 0..rows {
            outputs.push(&output);
        }
        Self {
            outputs,
            output_bytes: 0,
            records: false,
            errors: 0,
            failures: Vec::new(),
            panics: Vec::new(),
        }
    }

    /// None yet, with room for that many cases.
    fn of(cases: usize, options: &RunOptions) -> Self {
        Self {
            outputs: Outputs::with_capacity(cases),
            output_bytes: options.output_bytes,
            records: false,
            errors: 0,
            failures: Vec::new(),
            panics: Vec::new(),
        }
    }

    fn push(&mut self, row: usize, outcome: Outcome) -> Result<()> {
        self.errors += usize::from(outcome.is_error());
        if outcome.is_failure() {
            self.failures.push(row);
        }
        match outcome.into_value() {
            Ok(Some(value)) => {
                self.records = true;
                self.outputs.push(&value);
            }
            Ok(None) => self.push_null(),
            Err(error) => {
                let reason = format!("row {row}: the output can't be recorded: {error}");
                return Err(RunError::new(reason));
            }
        }
        self.check_length()
    }

    fn check_length(&self) -> Result<()> {
        if self.outputs.as_json().len() <= self.output_bytes {
            return Ok(());
        }
        let (cases, megabytes) = (self.outputs.len(), self.output_bytes >> 20);
        Err(RunError::new(format!(
            "the outputs of {cases} cases are longer than {megabytes} MB of JSON, which is the most \
             that a benchmark may have"
        ))
        .hint("return less for each row (only what has to be compared, or a digest), or use a smaller size"))
    }

    fn push_panic(&mut self, row: usize, panic: Panic) {
        self.panics.push((row, panic));
        self.push_null();
    }

    fn push_null(&mut self) {
        self.outputs.push_text("null");
    }

    fn append(&mut self, other: &Self) -> Result<()> {
        for case in 0..other.outputs.len() {
            self.outputs.push_text(other.outputs.get(case));
        }
        self.records |= other.records;
        self.errors += other.errors;
        self.failures.extend_from_slice(&other.failures);
        self.panics.extend_from_slice(&other.panics);
        self.check_length()
    }
}

#[cfg(test)]
mod tests {
    use super::super::function::Function;
    use super::*;
    use tdg_definition::Definition;
    use tdg_engine::{Site, Takes};

    fn six_rows() -> Arc<Vectors> {
        let definition = Definition::parse(
            r#"{"features": [{"type": "INTEGER", "distribution": {"type": "constant", "value": 1}}]}"#,
        );
        Arc::new(Vectors::generate(&definition.unwrap(), 0, 6))
    }

    fn options(threads: usize, panics: Panics, output_bytes: usize) -> RunOptions {
        RunOptions {
            threads,
            panics,
            output_bytes,
            unbound: UnboundRows::Refuse,
            subject: Subject {
                name: "six".to_owned(),
                site: Site {
                    package: "",
                    manifest_dir: "",
                    file: "",
                    line: 1,
                    module_path: "",
                    function: "",
                },
                thread: thread::current(),
                takes: Takes::All,
            },
            are_new: false,
            slow_row: None,
            notes: false,
        }
    }

    /// What becomes of six rows of which the second, the third and the last panic.
    fn executed(panics: Panics, threads: usize) -> Executed {
        let vectors = six_rows();
        let function = |row: &Row<'_>| match row.index() {
            index @ (1 | 2 | 5) => panic!("row {index}"),
            index => Ok(Outcome::of(&index)),
        };
        Function::Rows(&|pass| pass.rows(function))
            .pass(
                &vectors,
                &[0, 1, 2, 3, 4, 5],
                &options(threads, panics, 1 << 20),
            )
            .unwrap()
    }

    #[test]
    fn the_rows_after_a_panic_run_as_well() {
        for threads in [1, 4] {
            let executed = executed(Panics::Fail, threads);
            assert_eq!(executed.outputs.as_json(), "[0,null,null,3,4,null]");
            let panics: Vec<_> = executed
                .panics
                .iter()
                .map(|(row, panic)| (*row, panic.message.as_str()))
                .collect();
            assert_eq!(panics, [(1, "row 1"), (2, "row 2"), (5, "row 5")]);
        }
    }

    #[test]
    fn a_panic_that_is_recorded_is_the_output_of_its_row() {
        let executed = executed(Panics::Record, 1);
        assert_eq!(
            executed.outputs.as_json(),
            r#"[0,{"$panic":"row 1"},{"$panic":"row 2"},3,4,{"$panic":"row 5"}]"#
        );
        assert!(executed.panics.is_empty());
    }

    #[test]
    fn the_outputs_of_a_run_have_a_length_in_bytes() {
        let vectors = six_rows();
        let text = "x".repeat(300_000);
        let by_row = |pass: Pass<'_>| pass.rows(|_| Ok(Outcome::of(&text)));
        let at_once =
            |pass: Pass<'_>| pass.vectors(|vectors| Ok(vec![Outcome::of(&text); vectors.size()]));
        let outputs_of = |function: Function<'_>, threads, megabytes: usize| {
            let options = options(threads, Panics::Fail, megabytes << 20);
            function.pass(&vectors, &[0, 1, 2, 3, 4, 5], &options)
        };
        for threads in [1, 4] {
            assert!(outputs_of(Function::Rows(&by_row), threads, 2).is_ok());
            assert!(outputs_of(Function::Rows(&by_row), threads, 1).is_err());
        }
        let refused = outputs_of(Function::Vectors(&at_once), 1, 1).unwrap_err();
        insta::assert_snapshot!(refused.text(), @"
        the outputs of 4 cases are longer than 1 MB of JSON, which is the most that a benchmark may have
        return less for each row (only what has to be compared, or a digest), or use a smaller size
        ");
    }
}
