//! Benchmarks that may have been the test's own, under another name or before its file was deleted.
//! Recording a new one next to them would hide a regression.

use std::path::Path;

use tdg_engine::snapshot::BenchmarkFile;
use tdg_report::owner::{KnownTests, Orphan, TestBinary};
use tdg_report::{FormerCases, FormerOutputs, FormerTest};

use crate::runner::backend::Backend;
use crate::runner::cases::execution::Executed;
use crate::runner::cases::function::Function;
use crate::runner::plan::{Plan, benchmark_claims};
use crate::runner::rows::{Rows, benchmark_rows};

/// The number of benchmarks that are run on their own rows, which is how many a report shows.
const COMPARED: usize = 4;

/// Benchmarks that may have been the test's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormerBenchmarks {
    /// The comparison with the benchmark that the store has for this test, unless it is the same.
    pub(super) stored: Option<FormerOutputs>,
    /// The tests that left their benchmarks.
    pub(crate) tests: Vec<FormerTest>,
}

impl FormerBenchmarks {
    pub(crate) fn is_none(&self) -> bool {
        self.stored.is_none() && self.tests.is_empty()
    }
}

/// A run of a test without a benchmark, to be compared with former benchmarks.
#[derive(Clone, Copy)]
pub(crate) struct Unrecorded<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) backend: &'a dyn Backend,
    pub(crate) function: &'a Function<'a>,
    pub(crate) rows: &'a Rows,
    pub(crate) executed: &'a Executed,
}

impl Unrecorded<'_> {
    pub(crate) fn former(&self) -> FormerBenchmarks {
        let plan = self.plan;
        let mut binary = TestBinary::running(&plan.place.source, has_libtest(plan));
        if plan.is_named() {
            // The running function has this benchmark, and no benchmark under its own name.
            binary = binary.without(plan.libtest_name());
        }
        let outside = plan.place.source.parent().map(Path::to_owned);
        let outside = outside.filter(|_| plan.place.is_outside());
        let known = KnownTests {
            package: &plan.place.package,
            outside: outside.as_slice(),
            binaries: &[binary],
        };
        let Some(file) = &plan.file else {
            return FormerBenchmarks {
                stored: None,
                tests: self.of_store(&known),
            };
        };
        // Opening the store may write to it.
        let stored = plan
            .settings
            .may_write()
            .then(|| self.backend.former_benchmark(plan, &plan.test));
        let stored = stored.flatten().map(|benchmark| self.outputs(&benchmark));
        let rows = &self.rows.ensemble;
        let mut orphans = known.orphans(rows, file, benchmark_claims::is_claimed);
        orphans.extend(known.orphans_elsewhere(&plan.place.root, rows));
        FormerBenchmarks {
            stored: stored.filter(|outputs| !outputs.are_same()),
            tests: self.compared(&orphans),
        }
    }

    fn compared(&self, orphans: &[Orphan]) -> Vec<FormerTest> {
        let compared = orphans.iter().enumerate().filter_map(|(index, orphan)| {
            let may_be_there = orphan.is_idle || orphan.is_elsewhere;
            let outputs = match index < COMPARED || may_be_there {
                true => self.outputs_in(&orphan.file),
                false => FormerOutputs::Unknown,
            };
            let former = FormerTest::new(orphan, &self.plan.place.root, outputs);
            let is_certain = !may_be_there && orphan.has_features;
            (is_certain || former.is_akin()).then_some(former)
        });
        FormerTest::likely(compared.collect())
    }

    /// Returns former tests whose benchmarks are only in the store. The store also has tests of
    /// other branches, so only benchmarks of the same rows count.
    fn of_store(&self, known: &KnownTests<'_>) -> Vec<FormerTest> {
        let digest = &self.rows.ensemble.digest;
        let mut gone = self.backend.other_tests(self.plan, digest);
        gone.retain(|test| {
            !benchmark_claims::is_claimed_in_store(test) && known.is_gone_from_store(test)
        });
        let former = gone.into_iter().filter_map(|test| {
            let benchmark = self.backend.former_benchmark(self.plan, &test)?;
            Some(FormerTest {
                outputs: self.outputs(&benchmark),
                snapshot_file: None,
                doubt: None,
                is_elsewhere: false,
                source: test.source,
                name: test.name,
            })
        });
        former.collect()
    }

    fn outputs_in(&self, file: &Path) -> FormerOutputs {
        let read = || BenchmarkFile::read(file, "").ok().flatten();
        let Some(benchmark) = read() else {
            return FormerOutputs::Unknown;
        };
        if benchmark.pin().is_none() {
            return self.outputs(&benchmark);
        }
        let fetched = read().and_then(|pinned| self.backend.benchmark(self.plan, pinned).ok());
        self.outputs(fetched.as_ref().unwrap_or(&benchmark))
    }

    fn outputs(&self, benchmark: &BenchmarkFile) -> FormerOutputs {
        if benchmark.ensemble().digest == self.rows.ensemble.digest {
            let (outputs, policy) = (&self.executed.outputs, &self.plan.policy);
            return FormerOutputs::of_same_rows(benchmark, outputs, policy);
        }
        self.on_its_rows(benchmark)
            .unwrap_or(FormerOutputs::OfOtherRows)
    }

    /// Runs the function on the rows of the benchmark, as if it were the test's own.
    fn on_its_rows(&self, benchmark: &BenchmarkFile) -> Option<FormerOutputs> {
        if benchmark.snapshot().ok()?.is_empty() {
            return None;
        }
        let mut rows = Rows::obtain(self.plan, self.backend, Some(benchmark)).ok()?;
        let mut change = rows.change.take();
        if let Some(change) = &mut change {
            benchmark_rows::rename_categories(self.plan, self.function, &rows, change).ok()?;
        }
        let executed = match &change {
            Some(change) => {
                let all: Vec<usize> = (0..change.vectors.size()).collect();
                benchmark_rows::run(self.plan, self.function, change, &all)
            }
            None => {
                // The function takes no feature that differs.
                let all: Vec<usize> = (0..rows.vectors.size()).collect();
                self.function.pass(&rows.vectors, &all, &self.plan.options)
            }
        };
        let executed = executed.ok()?;
        let outputs = executed.outputs_or_reasons();
        let differing = benchmark.differing(&outputs, &self.plan.policy).ok()?;
        let cases = FormerCases::new(&differing, outputs.len());
        let renames = change.map(|change| change.renames).unwrap_or_default();
        (cases.compared > 0).then_some(FormerOutputs::OfItsRows { cases, renames })
    }
}

/// Returns true if the harness is libtest's. Only libtest runs functions of `#[ensemble_test]`, and
/// it names threads after tests; programs and doc examples run in the main thread.
fn has_libtest(plan: &Plan) -> bool {
    let name = plan.options.subject.thread.name();
    !plan.stated.site.function.is_empty() || name.is_some_and(|name| name != "main")
}
