//! Running the function under test on rows.

mod abort_notes;
pub(super) mod execution;
pub(super) mod exit_guard;
pub(super) mod fixture;
pub(super) mod function;
mod in_flight_calls;
mod panics;
pub(super) mod row_pass;
pub(super) mod run_options;
pub(super) mod test_target;
mod watchdog;

use std::sync::{Arc, Mutex};
use std::{mem, thread};

use super::error::{Result, RunError};
use crate::output::{Outcome, tell_f32s};
use crate::row::{FoundFeature, Row, Vectors};
use crate::test_options::Panics;
use abort_notes::AbortNotes;
use execution::{Executed, PANICKED};
use in_flight_calls::{Caller, FunctionCall, InFlightCalls};
use panics::catch;
use row_pass::{CallError, Pass, Passed, check_count};
use run_options::UnboundRows;
use tdg_engine::output::unbound;

impl<'p> Pass<'p> {
    /// Finds the features with these names once for all rows.
    pub fn features<const N: usize>(&self, names: [&str; N]) -> [FoundFeature<'p>; N] {
        let vectors: &'p Vectors = self.vectors;
        names.map(|name| vectors.find(name))
    }

    /// Calls the function on each row, on the test's number of threads.
    ///
    /// # Errors
    /// Fails if the run can't be judged.
    pub fn rows(
        self,
        function: impl Fn(&Row<'p>) -> Result<Outcome, CallError> + Sync,
    ) -> Result<Passed> {
        run_rows(&self, &function).map(Passed)
    }

    /// Calls the function on each row, one after the other.
    ///
    /// # Errors
    /// Fails if the run can't be judged.
    pub fn rows_in_turn(
        self,
        mut function: impl FnMut(&Row<'p>) -> Result<Outcome, CallError>,
    ) -> Result<Passed> {
        run_in_turn(&self, &mut function).map(Passed)
    }

    /// Calls the function once, on all rows.
    ///
    /// # Errors
    /// Fails if the run can't be judged.
    pub fn vectors(
        self,
        mut function: impl FnMut(&Vectors) -> Result<Vec<Outcome>, CallError>,
    ) -> Result<Passed> {
        run_vectors(&self, &mut function).map(Passed)
    }
}

type CallRow<'p, 'f> = dyn Fn(&Row<'p>) -> Result<Outcome, CallError> + Sync + 'f;

/// Like [`CallRow`], but on one thread.
type CallRowInTurn<'p, 'f> = dyn FnMut(&Row<'p>) -> Result<Outcome, CallError> + 'f;

fn run_in_turn<'p>(pass: &Pass<'p>, function: &mut CallRowInTurn<'p, '_>) -> Result<Executed> {
    let started = Started::on(pass, 1);
    run_share(pass, pass.rows, function, &started.caller(0))
}

fn run_rows<'p>(pass: &Pass<'p>, function: &CallRow<'p, '_>) -> Result<Executed> {
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
    let mut all = Executed::with_capacity(rows.len(), options.output_bytes);
    for share in shares {
        all.append(&share)?;
    }
    Ok(all)
}

/// The calls of a pass, with the watchdog and notes that follow them.
struct Started {
    calls: Arc<InFlightCalls>,
    notes: Option<Mutex<AbortNotes>>,
}

impl Started {
    fn on(pass: &Pass<'_>, threads: usize) -> Self {
        let Pass {
            vectors, options, ..
        } = *pass;
        let calls = InFlightCalls::new(options.subject.clone(), options.are_new, vectors, threads);
        let calls = Arc::new(calls);
        if let Some(slow_row) = options.slow_row {
            watchdog::watch(&calls, slow_row);
        }
        Self {
            calls,
            notes: options.notes.then(|| Mutex::new(AbortNotes::open())),
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
    let mut executed = Executed::with_capacity(rows.len(), options.output_bytes);
    tell_f32s(options.tells_f32s);
    let _guard = caller.guard();
    // Catching costs as much as a small function call, so one catch covers all rows up to a panic.
    loop {
        let until_panic = catch(|| {
            for &row in &rows[executed.outputs.len()..] {
                caller.begin(FunctionCall::Row(row));
                match function(&vectors.row(row)) {
                    Ok(outcome) => executed.push(row, outcome)?,
                    Err(CallError::Refused(refusal)) => {
                        executed.push(row, Outcome::refused(&refusal))?;
                    }
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

/// Calls the function with all rows, which it needs, and keeps the wanted outcomes.
fn run_vectors(
    pass: &Pass<'_>,
    function: &mut dyn FnMut(&Vectors) -> Result<Vec<Outcome>, CallError>,
) -> Result<Executed> {
    let Pass {
        vectors,
        rows,
        options,
        ..
    } = *pass;
    let mut executed = Executed::with_capacity(rows.len(), options.output_bytes);
    tell_f32s(options.tells_f32s);
    let started = Started::on(pass, 1);
    let caller = started.caller(0);
    let _guard = caller.guard();
    caller.begin(FunctionCall::Batch);
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
                    _ => executed.outputs.push(&unbound(PANICKED)),
                }
            }
            return Ok(executed);
        }
    };
    check_count(outcomes.len(), vectors.size())?;
    for &row in rows {
        executed.push(row, mem::replace(&mut outcomes[row], Outcome::nothing()))?;
    }
    Ok(executed)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::function::Function;
    use super::row_pass::MorePasses;
    use super::run_options::RunOptions;
    use super::test_target::TestedTarget;
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
            tells_f32s: false,
            subject: TestedTarget {
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

    /// Runs six rows, where the second, the third and the last panic.
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

    /// Two more passes, over one row each.
    #[derive(Default)]
    struct TwoMore(Mutex<Vec<String>>);

    impl MorePasses for TwoMore {
        fn next(&self, passed: Result<Executed>) -> Option<Arc<Vectors>> {
            let mut outputs = self.0.lock().unwrap();
            outputs.push(passed.unwrap().outputs.as_json().to_owned());
            let definition = r#"{"features": [{"type": "INTEGER", "distribution": {"type": "constant", "value": 1}}]}"#;
            let definition = Definition::parse(definition).unwrap();
            (outputs.len() < 3).then(|| Arc::new(Vectors::generate(&definition, 0, 1)))
        }
    }

    #[test]
    fn fixtures_are_set_up_once_for_all_passes() {
        let (set_up, more) = (Cell::new(0), TwoMore::default());
        let with_fixture = |pass: Pass<'_>| {
            set_up.set(set_up.get() + 1);
            let mut calls = 0;
            pass.each(|pass| {
                pass.rows_in_turn(|_| {
                    calls += 1;
                    Ok(Outcome::of(&calls))
                })
            })
        };
        let function = Function::Rows(&with_fixture);
        let options = options(1, Panics::Fail, 1 << 20);
        function.passes(&six_rows(), &options, &more).unwrap();
        assert_eq!(*more.0.lock().unwrap(), ["[1,2,3,4,5,6]", "[7]", "[8]"]);
        assert_eq!(set_up.get(), 1);
        // A run has one pass.
        let one = function.pass(&six_rows(), &[0, 1], &options).unwrap();
        assert_eq!((one.outputs.as_json(), set_up.get()), ("[1,2]", 2));
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
        the outputs of 4 cases are longer than 1 MB of JSON, the limit of a benchmark
        return less for each row (only what has to be compared, or a digest), or use a smaller size
        ");
    }
}
