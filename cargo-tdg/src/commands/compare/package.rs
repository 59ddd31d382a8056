//! The comparison of one package.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Compare;
use super::answer::PackageAnswer;
use super::calls::{CallRows, ComparedByCall, ComparedFunction, Comparer, FunctionCaller};
use super::driver::Driver;
use super::functions::{Functions, Paired};
use crate::error::Result;
use crate::plan::{SharedCall, TestedFeatures};
use crate::sides::ComparedSide;
use crate::terminal::show_progress;
use crate::workspace::Package;

/// A package that both sides have.
pub(super) struct PackageComparison<'s> {
    sides: &'s [ComparedSide; 2],
    packages: [&'s Package; 2],
    functions: Paired,
}

impl<'s> PackageComparison<'s> {
    pub(super) fn new(
        options: &Compare,
        sides: &'s [ComparedSide; 2],
        packages: [&'s Package; 2],
    ) -> Result<Self> {
        show_progress(&format!("{}: reading …", packages[1].name));
        let [then, now] = Functions::of_both(sides, packages, options)?;
        Ok(Self {
            sides,
            packages,
            functions: Functions::paired(&then, now, &options.allow),
        })
    }

    /// Returns the functions that both sides have.
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
            .partition(|it| it.inputs() > 0 || it.one_sided > 0);
        for compared in without {
            let reason = "no row is a valid input".to_owned();
            self.functions.skipped.insert(compared.function, reason);
        }
        let name = self.packages[1].name.clone();
        Ok(PackageAnswer::new(name, compared, self.functions))
    }

    /// Calls all functions. Repeats those without changes with other rows until the time is over.
    fn compare<'c>(
        &mut self,
        calls: &'c [Vec<SharedCall>],
        programs: &[PathBuf; 2],
        options: &Compare,
        caller: &FunctionCaller,
        tested: &TestedFeatures,
    ) -> Result<Vec<ComparedFunction>> {
        let until = options.time.map(|it| Instant::now() + it);
        let experiments_until = until.unwrap_or_else(|| Instant::now() + EXPERIMENTS);
        let first = |(number, call): (usize, &'c Vec<SharedCall>)| Some((number, call.first()?));
        let mut rest: Vec<_> = calls.iter().enumerate().filter_map(first).collect();
        let mut compared: ComparedByCall = BTreeMap::new();
        for round in 0.. {
            let seed = options.seed.wrapping_add(round);
            let rows_of = |call: &SharedCall| {
                let constants = self.functions.constants.get(call.name());
                CallRows::new(call, constants, tested, options.rows.into(), seed)
            };
            let comparer = Comparer {
                caller,
                programs,
                rows_of: &rows_of,
                // The first round has no time limit, so every function is called at least once.
                until: until.filter(|_| round > 0),
                experiments_until,
                keeps_rows: options.html.is_some(),
                constants: &self.packages[1].constants(),
            };
            for (number, reason) in comparer.compare(&rest, &mut compared)? {
                let name = calls[number][0].name().to_owned();
                self.functions.skipped.insert(name, reason.to_string());
            }
            rest.retain(|(number, _)| compared.get(number).is_some_and(ComparedFunction::is_same));
            comparer.compare_after_calls(&rest, &mut compared)?;
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

    /// Builds the programs of both sides, with the first way to call each function that compiles.
    fn drivers(&mut self, calls: &mut [Vec<SharedCall>], folder: &Path) -> Result<[PathBuf; 2]> {
        let mut programs = [None, None];
        let mut reasons = BTreeMap::new();
        for round in 0..ROUNDS {
            let Some(at) = programs.iter().position(Option::is_none) else {
                break;
            };
            let (side, package) = (&self.sides[at], self.packages[at]);
            show_progress(&format!("{}: building {} …", package.name, side.label));
            let first = calls.iter().map(|it| Some(&it.first()?.sides[at]));
            let folder = folder.join(["then", "now"][at]);
            match Driver::build(side, package, &first.collect::<Vec<_>>(), &folder)? {
                Driver::Built(program) => programs[at] = Some(program),
                Driver::Refused(refused) => {
                    programs = [None, None];
                    for (number, refused) in refused {
                        let ways = &mut calls[number];
                        if ways[0].leave_out(&refused.lines) {
                            continue;
                        }
                        let reason = format!("doesn't compile when called: {}", refused.reason);
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
                let reason = "the calls to its functions don't compile; please report this";
                Err(self.sides[1].error(reason))
            }
        }
    }
}

/// The time limit for the calls of all functions with their experiments, without `--time`.
const EXPERIMENTS: Duration = Duration::from_secs(120);
/// Several rounds are needed: type errors hide borrow errors, for example.
const ROUNDS: usize = 32;
