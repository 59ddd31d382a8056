//! Calls with the same function and arguments on both sides.

use std::collections::{BTreeMap, BTreeSet};

use tdg_definition::Policy;
use tdg_definition::json::Value;
use tdg_engine::compare::{LAST_BITS, compare, within_ulps};

use super::recording::{RecordedCall, Recording, UNSHOWN};
use super::shapes::ShapeChanges;
use crate::commands::compare::calls::CallOutcome;

/// A call that both sides made.
pub(super) struct PairedCall<'r> {
    pub(super) arguments: &'r [(String, String)],
    pub(super) values: &'r [Value],
    pub(super) outcomes: [CallOutcome; 2],
    /// The keys of the call on each side.
    pub(super) keys: [BTreeSet<u64>; 2],
    pub(super) is_changed: bool,
    /// False if a part of the outcome can't be shown.
    pub(super) is_whole: bool,
}

/// The paired calls by function.
pub(super) type CallPairs<'r> = BTreeMap<&'r str, Vec<PairedCall<'r>>>;

/// The calls of a run by function and arguments.
type CallsByArguments<'r> = BTreeMap<(&'r str, String), Vec<&'r RecordedCall>>;

/// Returns the types that the sides show differently.
pub(super) fn shape_changes(sides: [&Recording; 2], structs: &BTreeSet<String>) -> ShapeChanges {
    let [then, now] = sides.map(|side| {
        let outcomes = side.calls.iter().map(|it| it.outcome.value());
        let arguments = side.calls.iter().flat_map(|it| it.values.iter().cloned());
        outcomes.chain(arguments).collect::<Vec<_>>()
    });
    ShapeChanges::new([then.iter(), now.iter()], structs)
}

/// Pairs the calls of the first runs. Calls that differ within a side, or from its second run, are
/// left out.
pub(super) fn pairs<'r>(
    first: [&'r Recording; 2],
    second: Option<[&Recording; 2]>,
    shapes: &ShapeChanges,
) -> CallPairs<'r> {
    let [then, mut now] = first.map(|it| by_arguments(it, shapes));
    let again = second.map(|sides| sides.map(|it| by_arguments(it, shapes)));
    let mut pairs = CallPairs::new();
    for (key, before) in then {
        let Some(after) = now.remove(&key) else {
            continue;
        };
        let sides = [&before, &after];
        let runs = again.iter().flatten().map(|it| it.get(&key));
        let is_stable = sides.iter().zip(runs).all(|(calls, again)| {
            again.is_some_and(|again| same_outcome(calls.iter().chain(again), shapes))
        });
        if !is_stable || !sides.iter().all(|it| same_outcome(it.iter(), shapes)) {
            continue;
        }
        let (outcomes, is_whole) = shown_by_both(sides.map(|it| &it[0].outcome), shapes);
        let [one, other] = outcomes.each_ref().map(|it| shapes.outcome(&it.value()));
        let comparison = compare(&Policy::exact(), &one, &other);
        let is_rounded = within_ulps([&comparison], LAST_BITS).is_some();
        let is_changed = !comparison.is_same() && !is_rounded;
        pairs
            .entry(after[0].function.as_str())
            .or_default()
            .push(PairedCall {
                arguments: &after[0].arguments,
                values: &after[0].values,
                is_changed,
                is_whole,
                outcomes,
                keys: sides.map(|it| it.iter().map(|it| it.key).collect()),
            });
    }
    pairs
}

fn by_arguments<'r>(recording: &'r Recording, shapes: &ShapeChanges) -> CallsByArguments<'r> {
    let mut calls = CallsByArguments::new();
    for call in &recording.calls {
        // A part of the arguments isn't known.
        if call.arguments.iter().any(|(_, text)| text == UNSHOWN) {
            continue;
        }
        let values = call.values.iter().map(|it| shapes.argument(it)).collect();
        let key = (call.function.as_str(), Value::Array(values).to_string());
        calls.entry(key).or_default().push(call);
    }
    calls
}

fn same_outcome<'c, 'r: 'c>(
    calls: impl Iterator<Item = &'c &'r RecordedCall>,
    shapes: &ShapeChanges,
) -> bool {
    let mut outcomes = calls.map(|it| &it.outcome);
    let first = outcomes.next();
    outcomes.all(|it| {
        let values = || first.map(|first| [first, it].map(|it| shapes.outcome(&it.value())));
        Some(it) == first
            || values()
                .is_some_and(|[one, other]| compare(&Policy::exact(), &one, &other).is_same())
    })
}

/// Hides the parts that one side can't show. Returns false if there are any.
fn shown_by_both(outcomes: [&CallOutcome; 2], shapes: &ShapeChanges) -> ([CallOutcome; 2], bool) {
    let [mut one, mut other] = outcomes.map(Clone::clone);
    let mut is_whole = true;
    if let (CallOutcome::Returned(one), CallOutcome::Returned(other)) = (&mut one, &mut other) {
        let name = |it: &(String, String)| it.0.clone();
        let names = [&*one, &*other].map(|it| it.iter().map(name).collect::<BTreeSet<_>>());
        let is_hidden = |it: &(String, String)| it.1 == UNSHOWN || shapes.are_cut_in(&it.1);
        let hidden = one
            .iter()
            .chain(other.iter())
            .filter(|it| is_hidden(it))
            .map(name);
        let hidden: BTreeSet<_> = hidden.collect();
        is_whole = hidden.is_empty() && names[0] == names[1];
        for parts in [one, other] {
            parts.retain(|(name, _)| names.iter().all(|it| it.contains(name)));
            for (name, text) in parts {
                if hidden.contains(name) {
                    "()".clone_into(text);
                }
            }
        }
    }
    ([one, other], is_whole)
}
