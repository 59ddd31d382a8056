//! The results of a function on the same rows at both revisions.

mod causes;

use std::time::Duration;

use tdg_definition::json::Value;
use tdg_definition::{Policy, Tolerance};
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, LAST_BITS, compare, within_ulps};
use tdg_engine::output::F32Places;
use tdg_engine::text::{shorten, shorten_apart};

use super::outcome::CallOutcome;
use crate::terminal::counted;
pub(super) use causes::{CallCause, CallCauses};
use tdg_html::ComparedRows;

/// The maximum width of an example.
const WIDTH: usize = 110;
/// The maximum bytes of outcomes whose rows are kept. Past it, only the findings and an example are
/// kept, since many functions may have changed.
const KEPT: usize = 2_000_000;

/// The start of a sentence about rows that aren't counted.
const UNCOUNTED: &str = "not counted";

/// With fewer inputs than this among the rows, equal outcomes say little.
const FEW: usize = 50;

/// The results of a function on the same rows at both revisions.
#[derive(Debug)]
pub(crate) struct ComparedFunction {
    pub(crate) function: String,
    /// The number of drawn rows.
    pub(crate) drawn: usize,
    /// The number of rows that both sides were called with.
    pub(crate) rows: usize,
    /// Rows with an argument that can't be made on both sides.
    pub(crate) no_inputs: usize,
    /// Those `no_inputs` rows whose arguments can all be made on one side.
    pub(crate) one_sided: usize,
    pub(crate) verdict: CallVerdict,
    /// How long calling and comparing took.
    pub(crate) took: Duration,
}

#[derive(Debug)]
pub(crate) enum CallVerdict {
    Same,
    Changed(Box<ChangedCall>),
    /// The number of rows that differ, but only by a few units in the last place.
    Rounding(usize),
    /// Rows that differ between two runs of the same revision.
    Unstable {
        rows: usize,
        /// Set if all other rows have the same outcomes.
        is_rest_same: bool,
    },
}

#[derive(Debug)]
pub(crate) struct ChangedCall {
    /// The number of differing rows.
    pub(crate) differing: usize,
    /// The number of other rows that differ in the last digits only.
    pub(crate) rounding: usize,
    /// The common features of the differing rows, and the changes of their outputs.
    pub(crate) findings: Vec<String>,
    /// The smallest changed call, if experiments found it.
    pub(crate) example: Example,
    /// The causes that experiments found.
    pub(crate) causes: CallCauses,
    /// The rows for charts, unless they are too large or the function has no inputs.
    pub(crate) rows: Option<ComparedRows>,
    /// True if a call ended its process.
    has_ended: bool,
}

/// A changed row with both outcomes.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) inputs: String,
    pub(crate) before: String,
    pub(crate) after: String,
}

/// The outcomes of a revision in two runs. The second run happens only if something differs.
#[derive(Default)]
pub(crate) struct Runs {
    pub(crate) first: Vec<CallOutcome>,
    pub(crate) second: Option<Vec<CallOutcome>>,
}

/// The comparison of outcomes that are the same in each run.
pub(super) struct StableOutcomes {
    pub(super) policy: Policy,
    /// True if all changed calls returned before.
    pub(super) are_outputs: bool,
}

impl StableOutcomes {
    /// Returns `None` if some outcome differs from run to run.
    pub(super) fn new(sides: &[Runs; 2]) -> Option<Self> {
        let common = CommonRows::new(sides);
        let found = common.differing();
        let changed: Vec<usize> = found.changed.iter().map(|it| it.case).collect();
        let policy = common.policy().tolerance(Tolerance::ulp(LAST_BITS));
        found.unstable.is_empty().then_some(Self {
            policy: policy.ok()?,
            are_outputs: common.are_outputs(&changed),
        })
    }
}

/// Returns true if the first runs of both sides differ.
pub(crate) fn differ(sides: &[Vec<CallOutcome>; 2]) -> bool {
    let [before, after] = sides;
    before
        .iter()
        .zip(after)
        .any(|(before, after)| before != after)
}

impl ComparedFunction {
    /// Compares the runs of both sides. `constants` are the numbers and texts in the code, in
    /// order.
    pub(crate) fn new(
        function: &str,
        vectors: &Vectors,
        constants: &[Value],
        sides: &[Runs; 2],
    ) -> Self {
        let common = CommonRows::new(sides);
        Self {
            function: function.to_owned(),
            drawn: vectors.size(),
            rows: common.rows,
            no_inputs: (0..common.rows).filter(|it| !common.is_input(*it)).count(),
            one_sided: (0..common.rows)
                .filter(|it| common.is_one_sided(*it))
                .count(),
            verdict: common.verdict(vectors, constants),
            took: Duration::ZERO,
        }
    }

    /// Adds the results of more rows; none have changed so far.
    pub(crate) fn add(&mut self, other: Self) {
        self.drawn += other.drawn;
        self.rows += other.rows;
        self.no_inputs += other.no_inputs;
        self.one_sided += other.one_sided;
        if !other.is_same() {
            self.verdict = other.verdict;
        }
    }

    /// Drops the rows but keeps the findings.
    pub(crate) fn forget_rows(&mut self) {
        if let CallVerdict::Changed(changed) = &mut self.verdict {
            changed.rows = None;
        }
    }

    /// Returns the number of rows that both sides could be called with.
    pub(crate) fn inputs(&self) -> usize {
        self.rows - self.no_inputs
    }

    /// Returns true if nothing differs, but too few rows are inputs to conclude from that.
    pub(crate) fn has_few_inputs(&self) -> bool {
        self.is_same() && self.no_inputs > 0 && self.one_sided == 0 && self.inputs() < FEW
    }

    pub(crate) fn is_same(&self) -> bool {
        matches!(self.verdict, CallVerdict::Same)
    }

    /// Returns the findings about the changed rows.
    pub(crate) fn findings(&self) -> &[String] {
        match &self.verdict {
            CallVerdict::Changed(changed) => &changed.findings,
            _ => &[],
        }
    }

    pub(crate) fn is_changed(&self) -> bool {
        matches!(self.verdict, CallVerdict::Changed(_))
    }
}

/// The rows whose outcomes differ.
struct DifferingRows {
    /// Those that differ between two runs of the same revision.
    unstable: Vec<usize>,
    changed: Vec<DifferingCase>,
    /// The number of those that differ in the last digits only.
    rounding: usize,
}

/// Rows with their outcomes at both revisions.
struct CommonRows<'a> {
    before: &'a Runs,
    after: &'a Runs,
    /// The number of rows that both sides were called with.
    rows: usize,
}

impl<'a> CommonRows<'a> {
    fn new([before, after]: &'a [Runs; 2]) -> Self {
        Self {
            before,
            after,
            rows: before.first.len().min(after.first.len()),
        }
    }

    fn outcomes(&self, row: usize) -> [&CallOutcome; 2] {
        [&self.before.first[row], &self.after.first[row]]
    }

    /// Returns true if both sides can make the arguments. If only one can, their makers have
    /// changed rather than the function.
    fn is_input(&self, row: usize) -> bool {
        !self.outcomes(row).contains(&&CallOutcome::NotInput)
    }

    fn is_one_sided(&self, row: usize) -> bool {
        !self.is_input(row) && self.outcomes(row) != [&CallOutcome::NotInput; 2]
    }

    /// Returns true if both sides ran out of time.
    fn is_open(&self, row: usize) -> bool {
        self.outcomes(row)
            .into_iter()
            .all(CallOutcome::is_out_of_time)
    }

    fn has_returned(&self, row: usize) -> bool {
        matches!(self.before.first.get(row), Some(CallOutcome::Returned(_)))
    }

    /// Returns true if all of these calls returned before, so that their outputs may explain
    /// changes. An earlier failure explains nothing.
    fn are_outputs(&self, rows: &[usize]) -> bool {
        rows.iter().all(|it| self.has_returned(*it))
    }

    fn differing(&self) -> DifferingRows {
        let inputs = (0..self.rows).filter(|row| self.is_input(*row));
        let differing = inputs.filter(|row| {
            let [before, after] = self.outcomes(*row);
            !is_same(before, after)
        });
        let (unstable, differing): (Vec<usize>, Vec<usize>) = differing
            .partition(|row| self.before.is_unstable(*row) || self.after.is_unstable(*row));
        let policy = self.policy();
        let cases = differing.into_iter().map(|row| {
            let outcomes = self.outcomes(row);
            let [before, after] = match outcomes.iter().any(|it| it.is_cut()) {
                true => outcomes.map(|it| it.text().into()),
                false => outcomes.map(CallOutcome::value),
            };
            DifferingCase::compared(&policy, row, before, after)
        });
        let is_rounding = |it: &DifferingCase| within_ulps([&it.comparison], LAST_BITS).is_some();
        let (rounding, changed): (Vec<_>, Vec<_>) = cases.partition(is_rounding);
        DifferingRows {
            unstable,
            changed,
            rounding: rounding.len(),
        }
    }

    /// Returns the policy, which depends on the types of floats.
    fn policy(&self) -> Policy {
        let mut places = F32Places::default();
        for outcome in self.before.first.iter().chain(&self.after.first) {
            outcome.add_f32s(&mut places);
        }
        places.in_policy(&Policy::exact())
    }

    fn verdict(&self, vectors: &Vectors, constants: &[Value]) -> CallVerdict {
        let found = self.differing();
        let differing = found.changed.len() + found.rounding;
        // A function that draws random numbers may give the same result twice by chance.
        if found.unstable.len() > differing {
            return CallVerdict::Unstable {
                rows: found.unstable.len() + differing,
                is_rest_same: differing == 0,
            };
        }
        match (found.changed.is_empty(), found.rounding) {
            (true, 0) => CallVerdict::Same,
            (true, rows) => CallVerdict::Rounding(rows),
            _ => CallVerdict::Changed(Box::new(self.changed(vectors, constants, found))),
        }
    }

    /// Names the rows that no count of the findings includes.
    fn uncounted(&self, unstable: &[usize], are_outputs: bool) -> Option<String> {
        let inputs = (0..self.rows).filter(|row| self.is_input(*row) && !unstable.contains(row));
        let failed =
            inputs.filter(|it| self.is_open(*it) || are_outputs && !self.has_returned(*it));
        let parts = [
            (failed.count(), "that failed before as well"),
            (unstable.len(), "that differ between two runs"),
        ];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let parts = parts.map(|(count, why)| format!("{} {why}", counted(count, "case")));
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| format!("{UNCOUNTED}: {}", parts.join(", ")))
    }

    fn changed(&self, vectors: &Vectors, constants: &[Value], found: DifferingRows) -> ChangedCall {
        let size = vectors.size();
        let unstable = found.unstable;
        let rows: Vec<usize> = found.changed.iter().map(|it| it.case).collect();
        let are_outputs = self.are_outputs(&rows);
        let is_left_out = |row: &usize| {
            let is_compared = *row < self.rows && self.is_input(*row) && !self.is_open(*row);
            !is_compared || unstable.contains(row) || are_outputs && !self.has_returned(*row)
        };
        let uncompared: Vec<usize> = (0..size).filter(is_left_out).collect();
        let expected = (0..size).map(|row| match self.before.first.get(row) {
            Some(outcome) => outcome.value(),
            None => Value::Null,
        });
        let expected: Option<Vec<Value>> = are_outputs.then(|| expected.collect());
        let rows = ComparedRows::new(vectors.clone(), uncompared, expected, found.changed);
        let rows = rows.with_constants(constants.into()).doubtful();
        let outcomes = || self.before.first.iter().chain(&self.after.first);
        let has_ended = outcomes().any(|it| matches!(it, CallOutcome::Ended(_)));
        let findings = rows.findings().sentences.into_iter();
        let mut findings: Vec<String> = findings.map(|it| worded(it, has_ended)).collect();
        let count = rows.compared();
        let is_of_all = rows.differing.len() == count && count < self.rows;
        if are_outputs && is_of_all && unstable.is_empty() {
            findings.insert(0, format!("all {count} that returned before changed"));
        }
        findings.extend(
            self.uncounted(&unstable, are_outputs)
                .filter(|_| !is_of_all),
        );
        let cases = rows.cases().into_iter();
        let shortest = cases.min_by_key(|row| vectors.object(*row).len());
        let row = shortest.unwrap_or_default();
        let is_kept = outcomes().map(CallOutcome::len).sum::<usize>() <= KEPT;
        ChangedCall {
            differing: rows.differing.len(),
            rounding: found.rounding,
            findings,
            example: Example::new(&vectors.cells(row).join(", "), self.outcomes(row)),
            causes: CallCauses::default(),
            rows: is_kept.then_some(rows),
            has_ended,
        }
    }
}

impl Example {
    pub(crate) fn json(&self) -> Value {
        Value::object([
            ("inputs", Value::from(self.inputs.as_str())),
            ("before", self.before.as_str().into()),
            ("after", self.after.as_str().into()),
        ])
    }

    pub(crate) fn new(inputs: &str, outcomes: [&CallOutcome; 2]) -> Self {
        // `Debug` by hand may have several lines.
        let line = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let [before, after] = outcomes.map(|it| line(&it.text()));
        let [before, after] = shorten_apart([&before, &after], [WIDTH; 2]);
        Self {
            inputs: shorten(&line(inputs), WIDTH),
            before,
            after,
        }
    }
}

impl ChangedCall {
    /// Replaces the findings with the causes, if each has a verified rule. Otherwise, their rules
    /// are guesses.
    pub(super) fn explain(&mut self, causes: CallCauses) {
        if causes.are_verified() {
            self.findings.retain(|it| it.starts_with(UNCOUNTED));
        }
        let rules = causes.rules();
        self.findings.retain(|it| {
            !rules
                .iter()
                .any(|rule| it.contains(&format!(" have {rule}   (")))
        });
        let lines = causes.lines().into_iter();
        let lines = lines.map(|it| worded(it, self.has_ended));
        self.findings.splice(0..0, lines);
        if let Some(smallest) = causes.smallest() {
            self.example = smallest.clone();
        }
        self.causes = causes;
    }

    /// Drops the inputs, for a function without arguments.
    pub(crate) fn without_inputs(&mut self) {
        self.example.inputs.clear();
        self.rows = None;
    }
}

/// Words about panics with their replacements, which also hold for a call that ended its process.
const ENDED: [[&str; 2]; 8] = [
    ["no longer panic", "return again"],
    ["cases panic:", "cases do not return:"],
    ["a panic with", "no output:"],
    ["stopped panicking", "returned again"],
    ["still panicked", "still did not return"],
    ["did not panic", "returned"],
    ["panicked with", "ended with"],
    ["panicked", "did not return"],
];

/// Returns a sentence without advice that only a test can follow.
fn worded(sentence: String, has_ended: bool) -> String {
    let advice = format!("; tolerance(ulp = {LAST_BITS}) accepts them");
    let words = ENDED.iter().filter(|_| has_ended);
    words.fold(sentence.replace(&advice, ""), |text, [of, by]| {
        text.replace(of, by)
    })
}

impl Runs {
    /// Completes the first run: a row that timed out had more time in the second run.
    pub(crate) fn new(mut first: Vec<CallOutcome>, second: Option<Vec<CallOutcome>>) -> Self {
        let again = second.iter().flatten();
        for (outcome, again) in first.iter_mut().zip(again) {
            if outcome.is_out_of_time() {
                outcome.clone_from(again);
            }
        }
        Self { first, second }
    }

    /// Returns true if the outcome of a row differed in the second run.
    fn is_unstable(&self, row: usize) -> bool {
        let second = self.second.as_ref();
        second.is_some_and(|second| {
            let again = second.get(row);
            again.is_none_or(|again| !is_same(again, &self.first[row]))
        })
    }
}

/// Compares values, since equal values may have different texts, such as maps in hash order.
pub(super) fn is_same(one: &CallOutcome, other: &CallOutcome) -> bool {
    one == other || compare(&Policy::exact(), &one.value(), &other.value()).is_same()
}

#[cfg(test)]
mod tests;
