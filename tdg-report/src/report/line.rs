//! The result of a run in one line, for stderr.

use super::changed_outputs::inputs_of;
use super::hints::quoted;
use super::input_change::kinds;
use super::table::cell::OUTPUT_WIDTH;
use super::{ComparedWith, Failure, FailureReport, PendingPlace, counted};
use tdg_definition::json::Pointer;
use tdg_engine::Verdict;
use tdg_engine::text::{escape, shorten};

/// The maximum number of unstable fields named.
const FIELDS: usize = 3;

/// The maximum number of cases of an earlier attempt named.
const SHOWN_CASES: usize = 3;

/// Returns the line of a run that recorded a benchmark, in a snapshot file or in the store.
///
/// ```
/// use tdg_report::recorded_line;
///
/// assert_eq!(
///     recorded_line("pricing::total", 500, 0, Some("tests/snapshots/pricing__total.snap")),
///     "tdg: recorded pricing::total, 500 cases, tests/snapshots/pricing__total.snap",
/// );
/// assert_eq!(
///     recorded_line("pricing::total", 500, 88, None),
///     "tdg: recorded pricing::total, 500 cases, 412 of 500 rows are inputs, in the store",
/// );
/// ```
pub fn recorded_line(
    test: &str,
    cases: usize,
    refused: usize,
    snapshot_file: Option<&str>,
) -> String {
    let place = snapshot_file.unwrap_or("in the store");
    let inputs = match refused {
        0 => String::new(),
        _ => format!(", {}", inputs_of(cases - refused, cases)),
    };
    let (verdict, cases) = (Verdict::Recorded, counted(cases, "case"));
    escape(&format!("tdg: {verdict} {test}, {cases}{inputs}, {place}"))
}

/// Returns the line of a run that recorded or accepted the outputs of kept rows.
///
/// ```
/// use tdg_engine::Verdict;
/// use tdg_report::kept_line;
///
/// assert_eq!(
///     kept_line(Verdict::Recorded, "pricing::total", 1, "tests/snapshots/total.snap"),
///     "tdg: recorded pricing::total, 1 kept row, tests/snapshots/total.snap",
/// );
/// ```
pub fn kept_line(verdict: Verdict, test: &str, rows: usize, snapshot_file: &str) -> String {
    let rows = counted(rows, "kept row");
    escape(&format!("tdg: {verdict} {test}, {rows}, {snapshot_file}"))
}

/// Returns the line of a run that recorded the same output in every case.
///
/// ```
/// assert_eq!(
///     tdg_report::all_equal_line("pricing::total", 500, "null"),
///     "tdg: pricing::total: all 500 outputs are equal: null; was everything set up?",
/// );
/// ```
pub fn all_equal_line(test: &str, cases: usize, output: &str) -> String {
    let output = shorten(output, OUTPUT_WIDTH);
    escape(&format!(
        "tdg: {test}: all {cases} outputs are equal: {output}; was everything set up?"
    ))
}

/// Returns the line of a run that accepted changes.
///
/// ```
/// assert_eq!(
///     tdg_report::accepted_line("pricing::total", 46, 500, None),
///     "tdg: accepted pricing::total, 46 of 500 cases changed, in the store",
/// );
/// ```
pub fn accepted_line(
    test: &str,
    changed: usize,
    cases: usize,
    snapshot_file: Option<&str>,
) -> String {
    let place = snapshot_file.unwrap_or("in the store");
    let (verdict, cases) = (Verdict::Accepted, counted(cases, "case"));
    escape(&format!(
        "tdg: {verdict} {test}, {changed} of {cases} changed, {place}"
    ))
}

/// Returns the line of a run whose benchmark differs from the previous run's, without a decision
/// made locally. `changed` has the number of changed outputs and of all outputs, if the rows are
/// the same. `since` is the commit of the previous run.
///
/// ```
/// use tdg_report::replaced_line;
///
/// let file = "tests/snapshots/pricing__total.snap";
/// assert_eq!(
///     replaced_line("pricing::total", file, Some((46, 500)), false, None),
///     "tdg: pricing::total: the outputs in tests/snapshots/pricing__total.snap were neither \
///      recorded nor accepted here; 46 of 500 differ from before; restore the file, or commit \
///      it if they are right",
/// );
/// assert_eq!(
///     replaced_line("pricing::total", file, None, true, Some("1a2b3c4d5e")),
///     "tdg: pricing::total: a commit changed the rows in tests/snapshots/pricing__total.snap; \
///      see cargo tdg show pricing::total --since 1a2b3c4d5e..",
/// );
/// ```
pub fn replaced_line(
    test: &str,
    snapshot_file: &str,
    changed: Option<(usize, usize)>,
    is_committed: bool,
    since: Option<&str>,
) -> String {
    let line = match (is_committed, changed) {
        (true, None) => format!("a commit changed the rows in {snapshot_file}"),
        (true, Some((changed, cases))) => {
            format!("a commit changed {changed} of {cases} outputs in {snapshot_file}")
        }
        (false, changed) => {
            let others = match changed {
                Some((changed, cases)) => format!("{changed} of {cases} differ from before"),
                None => "the rows differ from before".to_owned(),
            };
            format!(
                "the outputs in {snapshot_file} were neither recorded nor accepted here; {others}; \
                 restore the file, or commit it if they are right"
            )
        }
    };
    // Uses two dots, since the previous run may have been on another branch.
    let see = since
        .filter(|_| is_committed)
        .map_or_else(String::new, |commit| {
            format!("; see cargo tdg show {} --since {commit}..", quoted(test))
        });
    escape(&format!("tdg: {test}: {line}{see}"))
}

/// Returns the line of a run that wrote its policy into the snapshot file of its benchmark.
///
/// ```
/// assert_eq!(
///     tdg_report::policy_line("total", "tests/snapshots/a__total.snap"),
///     "tdg: total: its policy is now in tests/snapshots/a__total.snap",
/// );
/// ```
pub fn policy_line(test: &str, snapshot_file: &str) -> String {
    escape(&format!(
        "tdg: {test}: its policy is now in {snapshot_file}"
    ))
}

/// Returns the line of a run in which some cases differ, but no more than the test allows.
///
/// ```
/// assert_eq!(
///     tdg_report::allowed_line("pricing::total", 3, 500, 0.01),
///     "tdg: same pricing::total, 3 of 500 cases differ (allow = 0.01)",
/// );
/// ```
pub fn allowed_line(test: &str, changed: usize, cases: usize, share: f64) -> String {
    let verb = if changed == 1 { "differs" } else { "differ" };
    let (verdict, cases) = (Verdict::Same, counted(cases, "case"));
    escape(&format!(
        "tdg: {verdict} {test}, {changed} of {cases} {verb} (allow = {share:?})"
    ))
}

/// Returns the line of a passing retry. `differing` are the cases with other pending outputs.
///
/// ```
/// use tdg_report::retried_line;
///
/// assert_eq!(
///     retried_line("pricing::total", 2, 3, &[8, 41, 42, 43], 500),
///     "tdg: pricing::total passed on attempt 2 of 3, so it depends on more than its inputs; \
///      other outputs were pending in 4 of 500 cases: 8, 41, 42, …",
/// );
/// assert_eq!(
///     retried_line("pricing::total", 3, 3, &[], 500),
///     "tdg: pricing::total passed on attempt 3 of 3, so it depends on more than its inputs",
/// );
/// ```
pub fn retried_line(
    test: &str,
    attempt: usize,
    attempts: usize,
    differing: &[usize],
    cases: usize,
) -> String {
    let mut line = format!(
        "tdg: {test} passed on attempt {attempt} of {attempts}, so it depends on more than its inputs"
    );
    if !differing.is_empty() {
        let shown = differing.iter().take(SHOWN_CASES);
        let mut shown: Vec<String> = shown.map(usize::to_string).collect();
        if differing.len() > shown.len() {
            shown.push("…".to_owned());
        }
        line.push_str(&format!(
            "; other outputs were pending in {} of {}: {}",
            differing.len(),
            counted(cases, "case"),
            shown.join(", ")
        ));
    }
    escape(&line)
}

/// Returns the line of a run that explored other rows.
///
/// ```
/// assert_eq!(
///     tdg_report::explored_line("pricing::total", 10_000, 1234),
///     "tdg: pricing::total: 10000 more rows with TDG_SEED=1234 TDG_SIZE=10000",
/// );
/// ```
pub fn explored_line(test: &str, size: usize, seed: u64) -> String {
    let rows = counted(size, "more row");
    escape(&format!(
        "tdg: {test}: {rows} with TDG_SEED={seed} TDG_SIZE={size}"
    ))
}

/// Returns the line for a pointer of the test that matches no output.
///
/// ```
/// assert_eq!(
///     tdg_report::unmatched_line("pricing::total", &"/prise".parse()?),
///     "tdg: no output of pricing::total has a field \"/prise\": is the pointer right?",
/// );
/// # Ok::<(), tdg_definition::json::PointerError>(())
/// ```
pub fn unmatched_line(test: &str, pointer: &Pointer) -> String {
    let pointer = pointer.to_string();
    escape(&format!(
        "tdg: no output of {test} has a field {pointer:?}: is the pointer right?"
    ))
}

/// Returns the line of a failed run.
pub fn line(report: &FailureReport) -> String {
    let place = match report.failure.pending() {
        None => String::new(),
        Some(PendingPlace::InFile(file)) => format!(", pending in {file}"),
        Some(PendingPlace::InStore) => ", pending in the store".to_owned(),
        Some(PendingPlace::Nowhere { because }) => format!(", nothing written ({because})"),
    };
    let (verdict, what) = (report.failure.verdict(), what(&report.failure));
    escape(&format!("tdg: {verdict} {}, {what}{place}", report.test))
}

/// Describes the failure in a few words, to follow the verdict.
fn what(failure: &Failure) -> String {
    let of = |count: usize, size: usize| format!("{count} of {}", counted(size, "case"));
    match failure {
        Failure::Changed(changed) => match &changed.compared_with {
            ComparedWith::Benchmark(_) if !changed.has_headline_of_its_own() => {
                match changed.inputs {
                    Some(inputs) => {
                        format!("{}; {}", changed.what(), inputs_of(inputs, changed.size))
                    }
                    None => changed.what(),
                }
            }
            _ => changed.headline(),
        },
        Failure::Panicked(panicked) => panicked.what() + &panicked.others(),
        Failure::Explored(explored) => explored.headline(),
        Failure::InputsChanged(inputs) => match &inputs.failure {
            None => kinds(&inputs.changes),
            Some((rows, failure)) => {
                let (what, rows) = (what(failure), inputs.name(*rows));
                format!("{what} on the {rows}, {}", inputs.headline())
            }
        },
        Failure::Missing(missing) => missing.kind(),
        Failure::Unstable(unstable) => {
            let fields = unstable.fields.iter().take(FIELDS);
            let fields: Vec<String> = fields.map(|field| field.summary.name()).collect();
            let cases = of(unstable.count, unstable.size);
            format!("{cases}{}: {}", unstable.by_function(), fields.join(", "))
        }
        Failure::Unmet(unmet) => unmet.headline(),
        Failure::Invalid(invalid) => {
            let first = invalid.reason.lines().next();
            first.unwrap_or_default().to_owned()
        }
    }
}
