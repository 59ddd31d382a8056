//! The comparison of a package.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::Compare;
use super::answer::PackageAnswer;
use super::calls::{
    CallRows, CallVerdict, ComparedFunction, FunctionCaller, Runs, differ, rare_rows,
};
use super::driver::Driver;
use super::functions::{Functions, Paired};
use super::plan::{SharedCall, TestedFeatures};
use super::sides::ComparedSide;
use crate::error::{Context as _, Error, Result};
use crate::terminal::show_progress;
use crate::workspace::Package;

/// A package that both sides have.
pub(super) struct PackageComparison<'s> {
    sides: &'s [ComparedSide; 2],
    packages: [&'s Package; 2],
    functions: Paired,
}

impl<'s> PackageComparison<'s> {
    pub(super) fn of(
        options: &Compare,
        sides: &'s [ComparedSide; 2],
        packages: [&'s Package; 2],
    ) -> Result<Self> {
        show_progress(&format!("{}: reading …", packages[1].name));
        let [then, now] = [0, 1].map(|at| Functions::of(&sides[at], packages[at], options));
        Ok(Self {
            sides,
            packages,
            functions: Functions::paired(&then?, &now?, &options.allow),
        })
    }

    /// The functions of both sides.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.names.iter().map(String::as_str)
    }

    pub(super) fn answer(
        mut self,
        options: &Compare,
        folder: &Path,
        caller: &FunctionCaller,
        tested: &TestedFeatures,
    ) -> Result<PackageAnswer> {
        let mut calls = std::mem::take(&mut self.functions.calls);
        let compared = match calls.is_empty() {
            true => Vec::new(),
            false => {
                let drivers = self.drivers(&mut calls, folder)?;
                self.compare(&calls, &drivers, options, caller, tested)?
            }
        };
        let (compared, without): (Vec<_>, Vec<_>) = compared
            .into_iter()
            .partition(|it| it.has_inputs() || it.one_sided > 0);
        for compared in without {
            let reason = "no row is an input of it".to_owned();
            self.functions.skipped.insert(compared.function, reason);
        }
        let name = self.packages[1].name.clone();
        Ok(PackageAnswer::new(name, compared, self.functions))
    }

    /// Calls all functions; then again and again, with other rows, those that gave the same, until
    /// the time is over.
    fn compare<'c>(
        &mut self,
        calls: &'c [Vec<SharedCall>],
        programs: &[PathBuf; 2],
        options: &Compare,
        caller: &FunctionCaller,
        tested: &TestedFeatures,
    ) -> Result<Vec<ComparedFunction>> {
        let until = options
            .time
            .map(|it| Instant::now() + Duration::from_secs(it.into()));
        let first = |(number, call): (usize, &'c Vec<SharedCall>)| Some((number, call.first()?));
        let mut rest: Vec<_> = calls.iter().enumerate().filter_map(first).collect();
        let mut compared: BTreeMap<usize, ComparedFunction> = BTreeMap::new();
        for round in 0.. {
            let seed = options.seed.wrapping_add(round);
            let rows_of = |call: &SharedCall| {
                let constants = self.functions.constants.get(call.name());
                CallRows::of(call, constants, tested, options.rows.into(), seed)
            };
            // All are called once, however long it takes.
            let deadline = until.filter(|_| round > 0);
            let keeps_rows = options.html.is_some();
            let found = compare(caller, programs, &rest, rows_of, deadline, keeps_rows)?;
            for (number, found) in found {
                let found = match found {
                    Ok(found) => found,
                    Err(reason) => {
                        let name = calls[number][0].name().to_owned();
                        self.functions.skipped.insert(name, reason);
                        continue;
                    }
                };
                match compared.get_mut(&number) {
                    Some(before) => before.add(found),
                    None => drop(compared.insert(number, found)),
                }
            }
            rest.retain(|(number, call)| {
                let found = compared.get(number);
                let is_complete = || call.all_rows(options.rows.into()).is_some();
                call.is_drawn() && found.is_some_and(ComparedFunction::is_same) && !is_complete()
            });
            if rest.is_empty() || until.is_none_or(|it| Instant::now() >= it) {
                break;
            }
        }
        Ok(compared.into_values().collect())
    }

    /// The programs of both sides, of the first way to call each function that compiles on both.
    fn drivers(&mut self, calls: &mut [Vec<SharedCall>], folder: &Path) -> Result<[PathBuf; 2]> {
        let mut programs = [None, None];
        let mut reasons = BTreeMap::new();
        for round in 0..ROUNDS {
            let Some(at) = programs.iter().position(Option::is_none) else {
                break;
            };
            let (side, package) = (&self.sides[at], self.packages[at]);
            show_progress(&format!("{}: building {} …", package.name, side.label));
            let name = format!("tdg-compare-{}-{}", package.name, ["then", "now"][at]);
            let first = calls.iter().map(|it| Some(&it.first()?.sides[at]));
            match Driver::build(side, package, &first.collect::<Vec<_>>(), &name, folder)? {
                Driver::Built(program) => programs[at] = Some(program),
                Driver::Refused(refused) => {
                    programs = [None, None];
                    for (number, reason) in refused {
                        let ways = &mut calls[number];
                        let reason = format!("doesn't compile when called: {reason}");
                        let (name, reason) = reasons
                            .entry(number)
                            .or_insert((ways[0].name().to_owned(), reason));
                        ways.drain(..if round < ROUNDS / 2 { 1 } else { ways.len() });
                        if ways.is_empty() {
                            self.functions.skipped.insert(name.clone(), reason.clone());
                        }
                    }
                }
            }
        }
        match programs {
            [Some(then), Some(now)] => Ok([then, now]),
            _ => {
                let reason = "the calls of its functions don't compile; please report this";
                Err(self.sides[1].error(reason))
            }
        }
    }
}

/// Errors of types hide those of borrows, and so on.
const ROUNDS: usize = 32;

/// Of each call by its number, what came of its rows; the reason if there can't be any.
type FoundByCall = BTreeMap<usize, std::result::Result<ComparedFunction, String>>;

/// Calls each function on both sides, several functions at a time.
fn compare(
    caller: &FunctionCaller,
    programs: &[PathBuf; 2],
    calls: &[(usize, &SharedCall)],
    rows_of: impl Fn(&SharedCall) -> std::result::Result<CallRows, String> + Sync,
    until: Option<Instant>,
    keeps_rows: bool,
) -> Result<FoundByCall> {
    let waiting = Mutex::new(calls.iter());
    let done = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let next = waiting.lock().map(|mut it| it.next());
            let Ok(Some((number, call))) = next else {
                break;
            };
            if until.is_some_and(|it| Instant::now() >= it) {
                break;
            }
            let mut compared = match rows_of(call) {
                Ok(rows) => compare_call(caller, programs, *number, call, &rows).map(Ok),
                Err(reason) => Ok(Err(reason)),
            };
            if let (false, Ok(Ok(compared))) = (keeps_rows, &mut compared) {
                compared.forget_rows();
            }
            if let Ok(mut done) = done.lock() {
                done.insert(*number, compared);
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

/// A row that took too long gets so many times as long when it is called again: it may have been
/// nearly done.
const AGAIN: u32 = 4;

fn compare_call(
    caller: &FunctionCaller,
    programs: &[PathBuf; 2],
    number: usize,
    call: &SharedCall,
    rows: &CallRows,
) -> Result<ComparedFunction> {
    let runs = |rows: &CallRows, known| runs(caller, programs, number, rows, known);
    let mut found = runs(rows, Default::default())?;
    let rare = rare_rows(&found, rows.vectors.size());
    let near = rows.with_near(call, &rare);
    if let Some(rows) = &near {
        found = runs(rows, found)?;
    }
    let rows = near.as_ref().unwrap_or(rows);
    let mut compared = ComparedFunction::of(call.name(), &rows.vectors, &found);
    if let CallVerdict::Same | CallVerdict::Rounding(_) = compared.verdict
        && let Some(rows) = rows.with_special_floats(call)
    {
        let found = runs(&rows, Default::default())?;
        compared.add(ComparedFunction::of(call.name(), &rows.vectors, &found));
    }
    if let (false, CallVerdict::Changed(changed)) = (call.is_drawn(), &mut compared.verdict) {
        changed.without_inputs();
    }
    Ok(compared)
}

/// The outcomes of both sides, of which the first may be known; twice if they differ.
fn runs(
    caller: &FunctionCaller,
    programs: &[PathBuf; 2],
    number: usize,
    rows: &CallRows,
    [then, now]: [Runs; 2],
) -> Result<[Runs; 2]> {
    let files = rows.files.each_ref().map(|rows| {
        let file = tempfile::NamedTempFile::new().context("can't make a temporary file")?;
        fs::write(file.path(), rows).context(file.path().display())?;
        Ok::<_, Error>(file)
    });
    let [before, after] = files;
    let files = [before?, after?];
    let outcomes = |side: usize, times: u32, known| {
        let rows = (files[side].path(), rows.vectors.size());
        caller.outcomes(&programs[side], number, rows, times, known)
    };
    let first = [outcomes(0, 1, then.first)?, outcomes(1, 1, now.first)?];
    let is_different = differ(&first);
    let again = |side: usize, known: Option<_>| {
        let again = || outcomes(side, AGAIN, known.unwrap_or_default());
        is_different.then(again).transpose()
    };
    let [before, after] = first;
    Ok([
        Runs::of(before, again(0, then.second)?),
        Runs::of(after, again(1, now.second)?),
    ])
}
