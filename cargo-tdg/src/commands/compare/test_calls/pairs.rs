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
    pub(super) types: &'r [(String, String)],
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
    let retyped = retyped(first);
    let [then, mut now] = first.map(|it| by_arguments(it, shapes, &retyped));
    let again = second.map(|sides| sides.map(|it| by_arguments(it, shapes, &retyped)));
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
                types: &after[0].types,
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

/// Returns the functions with other type parameters on the other side.
fn retyped(sides: [&Recording; 2]) -> BTreeSet<&str> {
    let [then, now] = sides.map(|side| {
        let calls = side.calls.iter();
        let types = calls.map(|it| (it.function.as_str(), it.parameters()));
        types.collect::<BTreeSet<_>>()
    });
    let retyped = then.symmetric_difference(&now);
    retyped.map(|(function, _)| *function).collect()
}

fn by_arguments<'r>(
    recording: &'r Recording,
    shapes: &ShapeChanges,
    retyped: &BTreeSet<&str>,
) -> CallsByArguments<'r> {
    let mut calls = CallsByArguments::new();
    for call in recording.calls.iter().filter(|it| it.is_shown()) {
        let function = call.function.as_str();
        let types = call.types.iter().filter(|_| !retyped.contains(function));
        let types = types.map(|(_, it)| it.as_str().into());
        let values = call.values.iter().map(|it| shapes.argument(it));
        let key = (
            function,
            Value::Array(types.chain(values).collect()).to_string(),
        );
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
