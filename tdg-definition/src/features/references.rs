//! Which features refer to which.

use crate::distribution::Reference;
use crate::fault::{Fault, Faults};
use crate::feature::Feature;
use crate::nearest;

/// A reference of a feature: its number among all of them, and the position of the feature that it
/// leads to.
type Edge = (usize, usize);

/// The name of a feature; nothing more if it is faulty.
pub(super) type ReadFeature<'a> = (&'a str, Option<&'a Feature>);

/// As [`resolve`], where no feature is around these: a reference to another one is a fault.
pub(super) fn resolve_all(features: &[ReadFeature<'_>], faults: &mut Faults) -> Option<Vec<usize>> {
    let computed = resolve(features, faults);
    refuse_unknown(features, faults).then_some(computed?)
}

/// Resolves the references to one of these features. The positions of the features that refer to
/// others, each after these; `None` after a fault.
pub(super) fn resolve(features: &[ReadFeature<'_>], faults: &mut Faults) -> Option<Vec<usize>> {
    let edges: Vec<Vec<Edge>> = features.iter().map(|it| edges_of(*it, features)).collect();
    let order = match in_order(&edges) {
        Ok(order) => order,
        Err(circle) => {
            faults.extend(fault_of(&circle, features, &edges));
            return None;
        }
    };
    let mut all_well = true;
    for &position in &order {
        let references = references_of(features[position]);
        for (number, target) in &edges[position] {
            let Some(target) = features[*target].1 else {
                continue;
            };
            if let Err(message) = references[*number].resolve(target) {
                all_well = false;
                let pointer = references[*number].pointer().clone();
                faults.push(Fault { pointer, message });
            }
        }
    }
    let computed = order.into_iter().filter(|it| !edges[*it].is_empty());
    all_well.then(|| computed.collect())
}

fn references_of<'a>((_, feature): ReadFeature<'a>) -> Vec<&'a Reference> {
    feature.map(Feature::references).unwrap_or_default()
}

fn edges_of(feature: ReadFeature<'_>, features: &[ReadFeature<'_>]) -> Vec<Edge> {
    let target = |reference: &Reference| {
        let mut names = features.iter();
        names.position(|(name, _)| *name == reference.first())
    };
    let references = references_of(feature).into_iter().enumerate();
    let open = references.filter(|(_, reference)| !reference.is_resolved());
    open.filter_map(|(number, reference)| Some((number, target(reference)?)))
        .collect()
}

/// All positions, each after the targets of its edges.
///
/// # Errors
/// The positions of a circle, the first one again at its end.
fn in_order(edges: &[Vec<Edge>]) -> Result<Vec<usize>, Vec<usize>> {
    let (mut order, mut is_done) = (Vec::with_capacity(edges.len()), vec![false; edges.len()]);
    for start in 0..edges.len() {
        let mut path = vec![start];
        while let Some(&position) = path.last() {
            let mut targets = edges[position].iter().map(|(_, target)| *target);
            if let Some(next) = targets.find(|it| !is_done[*it]) {
                let first = path.iter().position(|it| *it == next);
                path.push(next);
                if let Some(first) = first {
                    return Err(path.split_off(first));
                }
                continue;
            }
            if !is_done[position] {
                is_done[position] = true;
                order.push(position);
            }
            path.pop();
        }
    }
    Ok(order)
}

fn fault_of(circle: &[usize], features: &[ReadFeature<'_>], edges: &[Vec<Edge>]) -> Option<Fault> {
    let names: Vec<&str> = circle.iter().map(|it| features[*it].0).collect();
    let (first, second) = (*circle.first()?, *circle.get(1)?);
    let (number, _) = edges[first].iter().find(|(_, target)| *target == second)?;
    let references = references_of(features[first]);
    Some(Fault {
        pointer: references[*number].pointer().clone(),
        message: format!(
            "goes round in a circle: `{}`; let one of them not refer to the next",
            names.join("` → `")
        ),
    })
}

/// Adds the faults of references to no feature at all. Whether there are none.
fn refuse_unknown(features: &[ReadFeature<'_>], faults: &mut Faults) -> bool {
    let mut all_well = true;
    for reference in features.iter().copied().flat_map(references_of) {
        let (name, names) = (reference.first(), features.iter().map(|it| it.0));
        // One that is named after a faulty feature is right.
        if reference.is_resolved() || names.clone().any(|it| it == name) {
            continue;
        }
        all_well = false;
        faults.push(Fault {
            pointer: reference.pointer().clone(),
            message: match nearest(name, names) {
                Some(near) => format!("there is no feature `{name}`; did you mean `{near}`?"),
                None => format!("there is no feature `{name}`; name one beside it or around it"),
            },
        });
    }
    all_well
}
