//! Lines on stderr about the outcome of a run.

use std::sync::Once;

use tdg_engine::compare::unmatched;
use tdg_engine::{Verdict, output};
use tdg_report as report;
use tdg_report::Failure;

use crate::runner::cases::execution::Executed;
use crate::runner::plan::Plan;
use crate::runner::stderr::{notice, print_line};
use crate::runner::verdict::judgement::Judgement;

/// Prints the lines that are due even if the test passes.
pub(crate) fn of_judgement(plan: &Plan, executed: &Executed, judgement: &Judgement) {
    let (name, size) = (&plan.test.name, executed.outputs.len());
    let verdict = judgement.verdict();
    let file = plan.file.as_ref().map(|file| plan.display_path(file));
    let file = file.as_deref();
    match verdict {
        Verdict::Recorded => {
            print_line(&report::recorded_line(name, size, executed.refusals, file));
            let output = |case| executed.outputs.get(case);
            if size > 1 && (1..size).all(|case| output(case) == output(0)) {
                print_line(&report::all_equal_line(name, size, output(0)));
            }
        }
        Verdict::Accepted => {
            let changed = judgement.changed;
            print_line(&report::accepted_line(name, changed, size, file));
        }
        _ => {}
    }
    if let Some(past) = &judgement.past {
        print_line(&report::recorded_past_line(name, past));
    }
    let pending = judgement.failure().and_then(Failure::pending);
    if pending.is_some()
        && let Some(text) = &plan.settings.update.notice
    {
        static PRINTED: Once = Once::new();
        PRINTED.call_once(|| notice(text));
    }
    if verdict == Verdict::Same && judgement.changed > 0 {
        let allowed = plan.policy.allowed_share();
        print_line(&report::allowed_line(
            name,
            judgement.changed,
            size,
            allowed,
        ));
    }
    // Parsing all outputs is slow, so passing runs skip it.
    if matches!(
        verdict,
        Verdict::Recorded | Verdict::Accepted | Verdict::Changed
    ) {
        let mut outputs = (0..size).map_while(|case| output::read(executed.outputs.get(case)).ok());
        for pointer in unmatched(&plan.policy, &mut outputs) {
            print_line(&report::unmatched_line(name, &pointer));
        }
    }
}
