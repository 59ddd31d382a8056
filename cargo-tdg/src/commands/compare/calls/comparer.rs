//! Compares the results of calls at both revisions, several calls at a time.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use tdg_definition::json::Value;

use super::called_versions::CalledVersions;
use super::cause::find_causes;
use super::comparison::{CallVerdict, ComparedFunction};
use super::process::FunctionCaller;
use super::rows::CallRows;
use crate::error::{Error, Result};
use crate::plan::SharedCall;
use crate::sources::{Unsupported, named_by};
use crate::terminal::show_progress;

/// The results by the number of the call.
pub(crate) type ComparedByCall = BTreeMap<usize, ComparedFunction>;
/// The rows of a call, or the reason why it has none.
type RowsOfCall = std::result::Result<CallRows, Unsupported>;
/// The result of a call, or the reason why it has no rows.
type FoundOfCall = std::result::Result<ComparedFunction, Unsupported>;

/// Calls functions on both sides.
pub(crate) struct Comparer<'c> {
    pub(crate) caller: &'c FunctionCaller,
    pub(crate) programs: &'c [PathBuf; 2],
    pub(crate) rows_of: &'c (dyn Fn(&SharedCall) -> RowsOfCall + Sync),
    /// The time after which no more functions are called.
    pub(crate) until: Option<Instant>,
    /// The time after which no more experiments begin, since many functions may have changed.
    pub(crate) experiments_until: Instant,
    pub(crate) keeps_rows: bool,
    /// The numbers and texts in the code, in order.
    pub(crate) constants: &'c [Value],
}

impl Comparer<'_> {
    /// Adds the results of calls; returns the reasons of calls without rows.
    pub(crate) fn compare(
        &self,
        calls: &[(usize, &SharedCall)],
        compared: &mut ComparedByCall,
    ) -> Result<BTreeMap<usize, Unsupported>> {
        let mut reasons = BTreeMap::new();
        let began = Instant::now();
        let time = |_| match began.elapsed() {
            it if it < TOTAL => TIME,
            it if it < 2 * TOTAL => SHORT,
            _ => LEAST,
        };
        for (number, found) in self.found(calls, time)? {
            match found {
                Ok(found) => add(compared, number, found),
                Err(reason) => drop(reasons.insert(number, reason)),
            }
        }
        Ok(reasons)
    }

    /// Adds the results of calls with unchanged outcomes, repeated on values that other unchanged
    /// functions have changed.
    pub(crate) fn compare_after_calls(
        &self,
        calls: &[(usize, &SharedCall)],
        compared: &mut ComparedByCall,
    ) -> Result<()> {
        let others = compared.values().filter(|it| !it.is_same());
        let others: Vec<String> = others.map(|it| it.function.clone()).collect();
        let after = calls.iter().filter_map(|(number, call)| {
            // No longer than before, half for each side: calls may leave large values.
            let took = compared.get(number).map(|it| it.took / 2);
            let after = AfterCalls {
                call,
                after: call.after_calls(|it| !is_one_of(it, &others))?,
                time: LEAST.max(took.unwrap_or_default()),
            };
            Some((*number, after))
        });
        let after: BTreeMap<usize, AfterCalls<'_>> = after.collect();
        let calls = after.iter().map(|(number, it)| (*number, &it.after));
        let found = self.found(&calls.collect::<Vec<_>>(), |number| after[&number].time)?;
        let mut changed = BTreeMap::new();
        for (number, found) in found {
            match found {
                Ok(found) if found.is_changed() => drop(changed.insert(number, found)),
                Ok(found) if found.is_same() => add(compared, number, found),
                _ => {}
            }
        }
        self.keep_own(&after, &others, &mut changed)?;
        for (number, found) in changed {
            add(compared, number, found);
        }
        Ok(())
    }

    /// Drops results that are the same without the changed calls, which are reported themselves.
    fn keep_own(
        &self,
        after: &BTreeMap<usize, AfterCalls<'_>>,
        others: &[String],
        changed: &mut ComparedByCall,
    ) -> Result<()> {
        for (number, it) in after {
            let Some(own) = changed.remove(number) else {
                continue;
            };
            let changed_too = changed.values().map(|it| &it.function);
            let others: Vec<String> = others.iter().chain(changed_too).cloned().collect();
            let found = match it.call.after_calls(|it| !is_one_of(it, &others)) {
                Some(less) if less == it.after => Some(own),
                Some(less) => self.found_of(*number, &less, it.time)?.ok(),
                None => None,
            };
            let found = found.filter(ComparedFunction::is_changed);
            changed.extend(found.map(|it| (*number, it)));
        }
        Ok(())
    }

    /// Returns the results of the calls that fit into the time, or why they have no rows.
    fn found(
        &self,
        calls: &[(usize, &SharedCall)],
        time: impl Fn(usize) -> Duration + Sync,
    ) -> Result<Vec<(usize, FoundOfCall)>> {
        let waiting = Mutex::new(calls.iter());
        let done = Mutex::new(Vec::new());
        let work = || {
            loop {
                let next = waiting.lock().map(|mut it| it.next());
                let Ok(Some((number, call))) = next else {
                    break;
                };
                if self.until.is_some_and(|it| Instant::now() >= it) {
                    break;
                }
                let found = self.found_of(*number, call, time(*number));
                if let Ok(mut done) = done.lock() {
                    done.push((*number, found));
                    show_progress(&format!("{} of {} functions …", done.len(), calls.len()));
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        let done = done
            .into_inner()
            .map_err(|_| Error::new("a thread that called functions panicked"))?;
        done.into_iter()
            .map(|(number, it)| Ok((number, it?)))
            .collect()
    }

    /// Returns the result of a call, or why it has no rows.
    fn found_of(&self, number: usize, call: &SharedCall, time: Duration) -> Result<FoundOfCall> {
        let began = Instant::now();
        let rows = match (self.rows_of)(call) {
            Ok(rows) => rows,
            Err(reason) => return Ok(Err(reason)),
        };
        let called = CalledVersions {
            caller: self.caller,
            programs: self.programs,
            number,
            call,
        };
        let mut sides = called.runs(&rows.rows, time)?;
        let mut compared =
            ComparedFunction::new(call.name(), &rows.vectors, self.constants, &sides);
        let mut compared_rows = rows;
        if let CallVerdict::Same | CallVerdict::Rounding(_) = compared.verdict
            && let Some(rows) = compared_rows.with_special_floats(call)
        {
            sides = called.runs(&rows.rows, time)?;
            compared.add(ComparedFunction::new(
                call.name(),
                &rows.vectors,
                self.constants,
                &sides,
            ));
            compared_rows = rows;
        }
        let now = Instant::now();
        if let CallVerdict::Changed(changed) = &mut compared.verdict
            && call.is_drawn()
            && now < self.experiments_until
        {
            let until = self.experiments_until.min(now + EXPERIMENTS);
            let causes = find_causes(called, &compared_rows, &sides, self.constants, until)?;
            changed.explain(causes);
        }
        if let (false, CallVerdict::Changed(changed)) = (call.is_drawn(), &mut compared.verdict) {
            changed.without_inputs();
        }
        if !self.keeps_rows {
            compared.forget_rows();
        }
        compared.took = began.elapsed();
        Ok(Ok(compared))
    }
}

/// The time limit for the rows of a function on one side.
const TIME: Duration = Duration::from_secs(20);
/// The same after the functions together have taken as long as this. After twice as long, it is the
/// minimum.
const SHORT: Duration = Duration::from_secs(1);
const TOTAL: Duration = Duration::from_secs(120);
/// The time limit for its experiments.
const EXPERIMENTS: Duration = Duration::from_secs(60);
/// The minimum time limit.
const LEAST: Duration = Duration::from_millis(250);
/// A call on values that other calls have changed.
struct AfterCalls<'c> {
    /// The original call.
    call: &'c SharedCall,
    after: SharedCall,
    /// The time limit for its rows on one side.
    time: Duration,
}

/// Returns true if the path names one of these functions.
fn is_one_of(path: &str, functions: &[String]) -> bool {
    let is_it = |it: &String| named_by(it.split(" of ").next().unwrap_or(it)) == named_by(path);
    functions.iter().any(is_it)
}

fn add(compared: &mut ComparedByCall, number: usize, found: ComparedFunction) {
    match compared.get_mut(&number) {
        Some(before) => before.add(found),
        None => drop(compared.insert(number, found)),
    }
}
