//! An ensemble test as a value.

mod into_policy;

use std::ops::RangeBounds;
use std::panic::Location;
use std::path::PathBuf;

use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

pub use into_policy::IntoPolicy;

use crate::output::Outcome;
use crate::row::{BindError, Row, Taken, Vectors, whole_row};
use crate::runner::{self, Function, Other, Pass, UnderTest};
use crate::test_options::{DefinitionSource, Panics, TestOptions};
use tdg_definition::{Policy, PolicyError, Requirement, Tolerance};
use tdg_engine::Site;
use tdg_engine::config::{StoreKind, process_environment};
use tdg_report::Extent;

/// An ensemble test as a value, built by hand instead of by `#[ensemble_test]`.
///
/// ```no_run
/// #[derive(serde::Deserialize)]
/// struct Order {
///     amount: f64,
///     quantity: i64,
/// }
///
/// # #[allow(clippy::test_attr_in_doctest)]
/// #[test]
/// fn total() {
///     tdg::EnsembleTest::new("total")
///         .definition("definitions/orders.json")
///         .size(500)
///         .run(|order: Order| order.amount * order.quantity as f64);
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "it runs with `.run(…)`"]
pub struct EnsembleTest {
    options: TestOptions,
}

impl EnsembleTest {
    /// Creates a test with that name. Its benchmark is kept next to the calling source file.
    #[track_caller]
    pub fn new(name: impl Into<String>) -> Self {
        let location = Location::caller();
        let site = Site {
            package: "",
            manifest_dir: "",
            file: location.file(),
            line: location.line(),
            module_path: "",
            function: "",
        };
        Self::at(site).name(name)
    }

    /// Creates a test at that place, named after its module and function.
    pub(crate) fn at(site: Site) -> Self {
        Self {
            options: TestOptions::new(site),
        }
    }

    /// Sets the features that the function takes.
    pub(crate) fn takes(mut self, takes: Taken) -> Self {
        self.options.takes = takes;
        self
    }

    /// Sets the definition of the rows: a [`Definition`](crate::Definition), the path of a JSON
    /// file relative to the package's directory, or [one on a server](DefinitionSource::remote).
    pub fn definition(mut self, definition: impl Into<DefinitionSource>) -> Self {
        self.options.definition = Some(definition.into());
        self
    }

    /// Takes the rows from a file instead of drawing them. The path is relative to the package's
    /// directory. The file holds JSON objects, one after the other or in an array, or CSV with a
    /// header, whose fields are separated by tabs if the name ends in `.tsv`.
    ///
    /// Columns are matched with the definition's features by name and have their types. Other
    /// columns are skipped. [`size`](Self::size) takes the first rows; without it all are taken, up
    /// to 10,000.
    ///
    /// ```no_run
    /// # #[derive(serde::Deserialize, tdg::Define)]
    /// # struct Order {
    /// #     #[define(any)]
    /// #     amount: f64,
    /// #     #[define(any)]
    /// #     quantity: u32,
    /// # }
    /// # use tdg::Define;
    /// tdg::EnsembleTest::new("total")
    ///     .definition(Order::definition())
    ///     .rows("cases.csv")
    ///     .run(|order: Order| order.amount * f64::from(order.quantity));
    /// ```
    pub fn rows(mut self, path: impl Into<PathBuf>) -> Self {
        self.options.rows = Some(path.into());
        self
    }

    /// Sets fields of CSV that mean null in the file of [`rows`](Self::rows), in addition to the
    /// empty field. A `STRING` that is never null keeps them as texts.
    pub fn null(mut self, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.null = std::mem::take(&mut self.options.null).with(fields);
        self
    }

    /// Sets a name other than the module and function, without control characters. Package, source
    /// file and name identify the test's benchmark.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.options.name = Some(name.into());
        self
    }

    /// Sets the number of rows, 1 to 10,000. The default is 100, or all [of a file](Self::rows).
    pub fn size(mut self, size: usize) -> Self {
        self.options.size = Some(size);
        self
    }

    /// Draws other rows of the same definition. The default is 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = Some(seed);
        self
    }

    /// Sets the policy by which outputs are compared with the benchmark's. The default is exact.
    ///
    /// The other methods on comparison add to the policy, in any order. A second rule for the same
    /// place is an error when the test runs. So one policy serves many tests:
    ///
    /// ```no_run
    /// use tdg::{EnsembleTest, Policy, PolicyError, Tolerance};
    /// # fn total(amount: f64) -> f64 { amount }
    ///
    /// fn policy() -> Result<Policy, PolicyError> {
    ///     Policy::exact().tolerance(Tolerance::rel(1e-9))?.ignore("/generated_at")
    /// }
    ///
    /// EnsembleTest::new("total")
    ///     .definition("definitions/orders.json")
    ///     .policy(policy())
    ///     .tolerance_at("/price", Tolerance::abs(0.01))
    ///     .run(|amount: f64| total(amount));
    /// ```
    pub fn policy(self, policy: impl IntoPolicy) -> Self {
        self.with_policy(|own| own.merge(policy.into_policy()?))
    }

    /// Sets the tolerance of all numbers, which must match exactly by default.
    pub fn tolerance(self, tolerance: Tolerance) -> Self {
        self.with_policy(|policy| policy.tolerance(tolerance))
    }

    /// Sets the tolerance of the numbers at a JSON Pointer into the output.
    pub fn tolerance_at(self, pointer: impl AsRef<str>, tolerance: Tolerance) -> Self {
        self.with_policy(|policy| policy.tolerance_at(pointer.as_ref(), tolerance))
    }

    /// Ignores the field at a JSON Pointer into the output, and everything below it.
    pub fn ignore(self, pointer: impl AsRef<str>) -> Self {
        self.with_policy(|policy| policy.ignore(pointer.as_ref()))
    }

    /// Compares the array at a JSON Pointer into the output without regard to order. In pointers
    /// into its elements, `*` replaces the index.
    pub fn unordered(self, pointer: impl AsRef<str>) -> Self {
        self.with_policy(|policy| policy.unordered(pointer.as_ref()))
    }

    /// Compares the distribution of the number at a JSON Pointer into the output, over all cases,
    /// with the benchmark's. `""` is the whole output. `ks` is the false-alarm rate of the
    /// Kolmogorov–Smirnov test, such as `1e-6`.
    pub fn distribution(self, pointer: impl AsRef<str>, ks: f64) -> Self {
        self.with_policy(|policy| policy.distribution(pointer.as_ref(), ks))
    }

    /// Sets the share of cases that may differ from the benchmark, from 0, the default, to below 1.
    pub fn allow(self, share: f64) -> Self {
        self.with_policy(|policy| policy.allow(share))
    }

    /// Requires a share of the cases to have outputs that meet a condition, such as `"/refund > 0"`
    /// with `0.05..` for at least 5 %. If the share is outside the range, the test fails and
    /// records nothing.
    ///
    /// The condition is a JSON Pointer into the output, one of `< <= == != >= >`, and a number, a
    /// string in quotes, `true`, `false` or `null`. Without a pointer, it applies to the whole
    /// output (`"> 0"`). A pointer alone tests if the field exists (`"/Err"`).
    ///
    /// ```no_run
    /// # fn refund(_: f64, _: i64) -> f64 { 0.0 }
    /// tdg::EnsembleTest::new("refund")
    ///     .definition("definitions/orders.json")
    ///     .require("> 0", 0.05..)
    ///     .require("> 1000", ..=0.5)
    ///     .run(|(amount, quantity): (f64, i64)| refund(amount, quantity));
    /// ```
    pub fn require(mut self, condition: impl AsRef<str>, share: impl RangeBounds<f64>) -> Self {
        self.options.requirements = self.options.requirements.and_then(|mut requirements| {
            requirements.push(Requirement::within(condition.as_ref(), share)?);
            Ok(requirements)
        });
        self
    }

    fn with_policy(mut self, add: impl FnOnce(Policy) -> Result<Policy, PolicyError>) -> Self {
        self.options.policy = self.options.policy.and_then(add);
        self
    }

    /// Sets the number of threads that share the rows, 1 to 1,024. The default is 1.
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = threads;
        self
    }

    /// Sets whether the snapshot file includes the inputs of its cases. The default is the setting
    /// in `tdg.toml`, or else true. Without inputs, the file has only outputs, and the rows are
    /// drawn.
    ///
    /// A change takes effect when outputs are recorded or accepted.
    pub fn inputs(mut self, inputs: bool) -> Self {
        self.options.inputs = Some(inputs);
        self
    }

    /// Sets the store of the benchmark. The default comes from `TDG_STORE` or `tdg.toml`.
    pub fn store(mut self, store: StoreKind) -> Self {
        self.options.store = Some(store);
        self
    }

    /// Sets the meaning of a panic of the function. By default the test fails.
    pub fn panics(mut self, panics: Panics) -> Self {
        self.options.panics = panics;
        self
    }

    /// Adds rows that every run has in addition to the ensemble's, each a JSON object by feature
    /// names. They don't count towards its size or its digest.
    ///
    /// The test fails if the function panics on one of them, returns the `Err` of a
    /// `Result<(), E>`, gives a different output than the one at the end of the snapshot file, or
    /// differs from the other function. A value must have its feature's type, even if the
    /// definition doesn't draw it. It may be null only if the definition has nulls.
    ///
    /// ```no_run
    /// # fn total(amount: f64, quantity: u32) -> f64 { amount * f64::from(quantity) }
    /// tdg::EnsembleTest::new("total")
    ///     .definition("definitions/orders.json")
    ///     .keep([r#"{"amount": 0.0, "quantity": 901}"#])
    ///     .run(|(amount, quantity): (f64, u32)| total(amount, quantity));
    /// ```
    pub fn keep<R: Into<String>>(mut self, rows: impl IntoIterator<Item = R>) -> Self {
        self.options.keep.extend(rows.into_iter().map(Into::into));
        self
    }

    /// Runs the function on every row, each as one value: a struct by feature names, a tuple in
    /// feature order, or the only feature's value.
    ///
    /// # Panics
    /// Panics, which fails the test, if the outputs are not the benchmark's or can't be judged.
    #[track_caller]
    pub fn run<I: DeserializeOwned, O: Serialize>(self, function: impl Fn(I) -> O + Sync) {
        let takes = Taken::fields_of::<I>();
        self.takes(takes)
            .run_rows(|row| Ok(Outcome::of(&function(whole_row(row)?))));
    }

    /// Runs both functions on every row, like [`run`](Self::run), without a benchmark. The outputs
    /// of the second one are expected.
    ///
    /// Each function has its own row type. Outputs are compared as JSON, under the test's policy.
    ///
    /// ```no_run
    /// # #[derive(serde::Deserialize)]
    /// # struct Order { amount: f64 }
    /// # fn total(order: &Order) -> f64 { order.amount }
    /// # mod old { pub fn total(amount: f64) -> f64 { amount } }
    /// tdg::EnsembleTest::new("total as before")
    ///     .definition("definitions/orders.json")
    ///     .run_against(|order: Order| total(&order), |order: Order| old::total(order.amount));
    /// ```
    ///
    /// A panic of the second function is its output: `{"$panic": "…"}`. A panic of the first one
    /// fails the test, unless [`Panics::Record`] makes it an output as well.
    ///
    /// # Panics
    /// Panics, which fails the test, if outputs differ or can't be judged.
    #[track_caller]
    pub fn run_against<I: DeserializeOwned, O: Serialize, J: DeserializeOwned, P: Serialize>(
        self,
        function: impl Fn(I) -> O + Sync,
        other: impl Fn(J) -> P + Sync,
    ) {
        let takes = Taken::fields_of::<I>().and(Taken::fields_of::<J>());
        let pass = |pass: Pass<'_>| pass.rows(|row| Ok(Outcome::of(&function(whole_row(row)?))));
        let other = |pass: Pass<'_>| pass.rows(|row| Ok(Outcome::of(&other(whole_row(row)?))));
        self.takes(takes).finish(&UnderTest {
            function: Function::Rows(&pass),
            against: Some(Other {
                name: "the other function",
                function: Function::Rows(&other),
            }),
        });
    }

    /// Runs the function on every row, which it reads itself.
    ///
    /// A row that doesn't convert ends the run, which then can't be judged. The function handles
    /// nulls itself: `row.get::<f64>("amount")` is an error in rows where the feature is null.
    ///
    /// ```no_run
    /// use tdg::Outcome;
    /// # fn discount(_: f64, _: Option<&str>) -> f64 { 0.0 }
    ///
    /// tdg::EnsembleTest::new("discount")
    ///     .definition("definitions/orders.json")
    ///     .run_rows(|row| Ok(Outcome::of(&discount(row.get("amount")?, row.get("coupon")?))));
    /// ```
    ///
    /// # Panics
    /// Panics like [`run`](Self::run).
    #[track_caller]
    pub fn run_rows(self, function: impl Fn(&Row<'_>) -> Result<Outcome, BindError> + Sync) {
        let pass = |pass: Pass<'_>| pass.rows(|row| Ok(function(row)?));
        self.finish(&Function::Rows(&pass).into());
    }

    /// Runs the function once on all rows. It returns one outcome per row.
    ///
    /// # Panics
    /// Panics like [`run`](Self::run).
    #[track_caller]
    pub fn run_vectors(self, function: impl Fn(&Vectors) -> Result<Vec<Outcome>, BindError>) {
        let pass = |pass: Pass<'_>| pass.vectors(|vectors| Ok(function(vectors)?));
        self.finish(&Function::Vectors(&pass).into());
    }

    #[track_caller]
    #[expect(clippy::panic, reason = "it is how a test fails")]
    pub(crate) fn finish(self, under_test: &UnderTest<'_>) {
        if let Err(report) = runner::run(&self.options, under_test) {
            let columns = process_environment("COLUMNS");
            panic!("{}", report.within(Extent::of_variable(columns)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy_of(test: EnsembleTest) -> String {
        match test.options.policy {
            Ok(policy) => policy.to_json().to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn options_add_to_a_policy_in_any_order() {
        let shared = Policy::exact().ignore("/id");
        let after = EnsembleTest::new("after")
            .policy(shared.clone())
            .ignore("/date");
        let before = EnsembleTest::new("before").ignore("/date").policy(shared);
        let both = policy_of(after);
        insta::assert_snapshot!(both, @r#"{"ignore":["/date","/id"]}"#);
        assert_eq!(policy_of(before), both);
    }

    #[test]
    fn a_rule_given_by_the_policy_and_by_an_option_is_an_error() {
        let shared = Policy::exact().tolerance_at("/price", Tolerance::abs(0.01));
        let test = EnsembleTest::new("twice")
            .policy(shared)
            .tolerance_at("/price", Tolerance::ulp(4));
        insta::assert_snapshot!(policy_of(test), @r#"tolerance of "/price": "/price" is given twice; keep one"#);
    }

    #[test]
    fn a_policy_that_could_not_be_built_or_parsed_is_an_error() {
        let test = || EnsembleTest::new("broken");
        let built = test().policy(Policy::exact().allow(1.0));
        let parsed = test().policy(Policy::parse(r#"{"alow": 0.5}"#));
        insta::assert_snapshot!(policy_of(built), @"allow: must be a share of the cases from 0 to less than 1, but is 1.0; write allow = 0.01 for one case in a hundred");
        insta::assert_snapshot!(policy_of(parsed), @"/alow: unknown; did you mean `allow`?");
    }
}
