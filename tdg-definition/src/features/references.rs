//! Which features refer to which.

use crate::distribution::{Parts, Reference};
use crate::fault::{Fault, Faults};
use crate::feature::Feature;
use crate::nearest;

/// A reference of a feature, and the position of the feature that it leads to.
type Edge<'a> = (&'a Reference, usize);

/// The name of a feature; nothing more if it is faulty.
pub(crate) type ReadFeature<'a> = (&'a str, Option<&'a Feature>);

/// As [`order`], where no feature is around these; resolves all references.
pub(crate) fn resolve_all(features: &[ReadFeature<'_>], faults: &mut Faults) -> Option<Vec<usize>> {
    let computed = order(features, faults);
    resolve(features, None, &[], faults);
    computed
}

/// The positions of the features that refer to others of these, each after these; `None` after the
/// fault of a circle.
pub(super) fn order(features: &[ReadFeature<'_>], faults: &mut Faults) -> Option<Vec<usize>> {
    let edges = edges_of(features);
    match in_order(&edges) {
        Ok(order) => Some(
            order
                .into_iter()
                .filter(|it| !edges[*it].is_empty())
                .collect(),
        ),
        Err(circle) => {
            faults.extend(fault_of(&circle, features, &edges));
            None
        }
    }
}

/// Features that are beside each other, within those around.
struct Neighbours<'a> {
    features: &'a [ReadFeature<'a>],
    around: Option<&'a Neighbours<'a>>,
    /// The features that they are in, from the outermost.
    enclosing: &'a [&'a Feature],
}

/// Resolves the references of these features and of all that is within them, each after what it
/// leads to: how much that is may come from another reference.
fn resolve(
    features: &[ReadFeature<'_>],
    around: Option<&Neighbours<'_>>,
    enclosing: &[&Feature],
    faults: &mut Faults,
) {
    let neighbours = Neighbours {
        features,
        around,
        enclosing,
    };
    // In a circle, nothing comes first.
    let order = in_order(&edges_of(features));
    for position in order.unwrap_or_else(|_| (0..features.len()).collect()) {
        if let Some(feature) = features[position].1 {
            neighbours.resolve_within(feature, enclosing, faults);
        }
    }
}

impl Neighbours<'_> {
    fn resolve_within(&self, feature: &Feature, enclosing: &[&Feature], faults: &mut Faults) {
        if let Some(reference) = feature.distribution().reference()
            && let Err(message) = self.resolve(reference, feature, enclosing)
        {
            let pointer = reference.pointer().clone();
            faults.push(Fault { pointer, message });
        }
        let enclosing = [enclosing, &[feature]].concat();
        match feature.own_parts() {
            Parts::Members(members) | Parts::Tuple(members) => {
                let named = members.iter().map(|member| (member.name(), Some(member)));
                resolve(&named.collect::<Vec<_>>(), Some(self), &enclosing, faults);
            }
            parts => {
                let within = parts.features().into_iter();
                within.for_each(|it| self.resolve_within(it, &enclosing, faults));
            }
        }
    }

    fn resolve(
        &self,
        reference: &Reference,
        own: &Feature,
        enclosing: &[&Feature],
    ) -> Result<(), String> {
        let name = reference.first();
        let levels = || std::iter::successors(Some(self), |level| level.around);
        let found = levels().find_map(|level| {
            let found = level.features.iter().find(|(it, _)| *it == name);
            found.map(|(_, target)| (target, &enclosing[level.enclosing.len()..]))
        });
        if let Some((target, between)) = found {
            // One that is named after a faulty feature is right.
            return target.map_or(Ok(()), |target| reference.resolve(target, own, between));
        }
        let names = levels().flat_map(|level| level.features.iter().map(|it| it.0));
        Err(match nearest(name, names) {
            Some(near) => format!("there is no feature `{name}`; did you mean `{near}`?"),
            None => format!("there is no feature `{name}`; name one beside it or around it"),
        })
    }
}

/// The references of a feature, and those within it that lead out of it.
pub(crate) fn references_of(feature: &Feature) -> Vec<&Reference> {
    let parts = feature.own_parts();
    let within = parts.features().into_iter().flat_map(references_of);
    let leads_out = |reference: &&Reference| match parts {
        Parts::Members(members) | Parts::Tuple(members) => members
            .iter()
            .all(|member| member.name() != reference.first()),
        _ => true,
    };
    let own = feature.distribution().reference().into_iter();
    own.chain(within.filter(leads_out)).collect()
}

fn edges_of<'a>(features: &[ReadFeature<'a>]) -> Vec<Vec<Edge<'a>>> {
    let edge = |reference: &'a Reference| {
        let target = features
            .iter()
            .position(|(name, _)| *name == reference.first());
        Some((reference, target?))
    };
    let edges = features.iter().map(|(_, feature)| {
        let references = feature.map(references_of).unwrap_or_default();
        references.into_iter().filter_map(edge).collect()
    });
    edges.collect()
}

/// All positions, each after the targets of its edges.
///
/// # Errors
/// The positions of a circle, the first one again at its end.
fn in_order(edges: &[Vec<Edge<'_>>]) -> Result<Vec<usize>, Vec<usize>> {
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

fn fault_of(
    circle: &[usize],
    features: &[ReadFeature<'_>],
    edges: &[Vec<Edge<'_>>],
) -> Option<Fault> {
    let names: Vec<&str> = circle.iter().map(|it| features[*it].0).collect();
    let (first, second) = (*circle.first()?, *circle.get(1)?);
    let (reference, _) = edges[first].iter().find(|(_, target)| *target == second)?;
    Some(Fault {
        pointer: reference.pointer().clone(),
        message: format!(
            "goes round in a circle: `{}`; let one of them not refer to the next",
            names.join("` → `")
        ),
    })
}
