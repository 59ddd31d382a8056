//! The comparison of a package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use super::Compare;
use super::answer::PackageAnswer;
use super::compared::{ComparedFunction, Runs, differ};
use super::driver::Driver;
use super::functions::{Functions, Paired};
use super::plan::PlannedCall;
use super::process::FunctionCaller;
use super::rows::CallRows;
use super::side::ComparedSide;
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
        let [then, now] = [0, 1].map(|at| Functions::of(&sides[at], packages[at]));
        Ok(Self {
            sides,
            packages,
            functions: Functions::paired(&then?, &now?, &options.allow),
        })
    }

    /// The functions of both sides.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let called = self.functions.calls.iter().map(|it| it.name.as_str());
        called.chain(self.functions.skipped.keys().map(String::as_str))
    }

    pub(super) fn answer(
        mut self,
        options: &Compare,
        folder: &Path,
        caller: &FunctionCaller,
    ) -> Result<PackageAnswer> {
        if let Some(only) = &options.only {
            self.functions.keep(only);
        }
        let rows = self.rows(options);
        let calls: Vec<PlannedCall> = rows.iter().map(|(call, _)| call.clone()).collect();
        let drivers = match calls.is_empty() {
            true => None,
            false => Some(self.drivers(&calls, folder)?),
        };
        let skipped = &self.functions.skipped;
        let rows = rows.iter().enumerate();
        let rows = rows.filter(|(_, (call, _))| !skipped.contains_key(&call.name));
        let rows: Vec<_> = rows.collect();
        let compared = drivers.map(|drivers| compare(caller, &drivers, &rows));
        let (compared, without): (Vec<_>, Vec<_>) = compared
            .transpose()?
            .unwrap_or_default()
            .into_iter()
            .partition(|it| it.no_inputs < it.rows);
        for compared in without {
            let reason = "no row is an input of it".to_owned();
            self.functions.skipped.insert(compared.function, reason);
        }
        let name = self.packages[1].name.clone();
        Ok(PackageAnswer::new(name, compared, self.functions))
    }

    /// The rows of each call.
    fn rows(&mut self, options: &Compare) -> Vec<(PlannedCall, CallRows)> {
        let mut all = Vec::new();
        for call in std::mem::take(&mut self.functions.calls) {
            let rows = match call.has_rows() {
                true => {
                    let constants = self.functions.constants.remove(&call.name);
                    let constants = constants.unwrap_or_default();
                    CallRows::of(&call, &constants, options.rows.into(), options.seed)
                }
                false => Err("takes nothing that is drawn".to_owned()),
            };
            match rows {
                Ok(rows) => all.push((call, rows)),
                Err(reason) => drop(self.functions.skipped.insert(call.name, reason)),
            }
        }
        all
    }

    /// The programs of both sides; the calls that one of them can't make are skipped.
    fn drivers(&mut self, calls: &[PlannedCall], folder: &Path) -> Result<[Driver; 2]> {
        let mut without = BTreeSet::new();
        let mut build = |at: usize, name: &str| -> Result<Driver> {
            let (side, package) = (&self.sides[at], self.packages[at]);
            show_progress(&format!("{}: building {} …", package.name, side.label));
            let name = format!("tdg-compare-{}-{name}", package.name);
            let driver = Driver::build(side, package, calls, &without, &name, folder)?;
            for (number, reason) in &driver.dropped {
                without.insert(*number);
                let reason = format!("doesn't compile when called: {reason}");
                let name = calls[*number].name.clone();
                self.functions.skipped.insert(name, reason);
            }
            Ok(driver)
        };
        Ok([build(0, "then")?, build(1, "now")?])
    }
}

/// A call with its number and its rows.
type NumberedCall<'a> = (usize, &'a (PlannedCall, CallRows));

/// Calls each function on both sides, several functions at a time.
fn compare(
    caller: &FunctionCaller,
    drivers: &[Driver; 2],
    calls: &[NumberedCall<'_>],
) -> Result<Vec<ComparedFunction>> {
    let waiting = Mutex::new(calls.iter());
    let done = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let next = waiting.lock().map(|mut it| it.next());
            let Ok(Some((number, (call, rows)))) = next else {
                break;
            };
            let compared = compare_call(caller, drivers, *number, call, rows);
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
    done.into_values().collect()
}

fn compare_call(
    caller: &FunctionCaller,
    drivers: &[Driver; 2],
    number: usize,
    call: &PlannedCall,
    rows: &CallRows,
) -> Result<ComparedFunction> {
    let file = tempfile::NamedTempFile::new().context("can't make a temporary file")?;
    fs::write(file.path(), &rows.file).context(file.path().display())?;
    let outcomes = |driver: &Driver| {
        caller.outcomes(&driver.program, number, file.path(), rows.vectors.size())
    };
    let [then, now] = drivers;
    let first = [outcomes(then)?, outcomes(now)?];
    let is_different = differ(&first);
    let [before, after] = first;
    let again = |driver: &Driver| is_different.then(|| outcomes(driver)).transpose();
    let runs = [
        Runs {
            first: before,
            second: again(then)?,
        },
        Runs {
            first: after,
            second: again(now)?,
        },
    ];
    Ok(ComparedFunction::of(&call.name, &rows.vectors, &runs))
}
