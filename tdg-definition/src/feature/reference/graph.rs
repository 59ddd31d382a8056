//! The graph of references between features.

use crate::fault::{Fault, Faults, Invalid};
use crate::feature::path::Reference;
use crate::feature::{Feature, Parts};
use crate::nearest;

/// A reference of a feature, and the position of its target.
type Edge<'a> = (&'a Reference, usize);

/// A feature's name, and the feature unless it's faulty.
pub(crate) type ReadFeature<'a> = (&'a str, Option<&'a Feature>);

/// Like [`order`], for features at the top level; also resolves all references.
pub(crate) fn resolve_all(features: &[ReadFeature<'_>], faults: &mut Faults) -> Option<Vec<usize>> {
    let computed = order(features, faults);
    resolve(features, None, &[], faults);
    computed
}

/// The positions of features that refer to others among these, each after its targets; `None` after
/// reporting a cycle.
pub(crate) fn order(features: &[ReadFeature<'_>], faults: &mut Faults) -> Option<Vec<usize>> {
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

/// Sibling features, within the enclosing ones.
struct Neighbours<'a> {
    features: &'a [ReadFeature<'a>],
    around: Option<&'a Neighbours<'a>>,
    /// The features that contain them, outermost first.
    enclosing: &'a [&'a Feature],
}

/// Resolves the references of these features and of everything within them, targets first, because
/// a count may depend on another reference.
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
    // A cycle has no first feature.
    let order = in_order(&edges_of(features));
    for position in order.unwrap_or_else(|_| (0..features.len()).collect()) {
        if let Some(feature) = features[position].1 {
            neighbours.resolve_within(feature, enclosing, faults);
        }
    }
}

impl Neighbours<'_> {
    fn resolve_within(&self, feature: &Feature, enclosing: &[&Feature], faults: &mut Faults) {
        if let Some(reference) = feature.structure().reference()
            && let Err(invalid) = self.resolve(reference, feature, enclosing)
        {
            faults.push(invalid.at(reference.pointer().clone()));
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
    ) -> Result<(), Invalid> {
        let name = reference.first();
        let levels = || std::iter::successors(Some(self), |level| level.around);
        let found = levels().find_map(|level| {
            let found = level.features.iter().find(|(it, _)| *it == name);
            found.map(|(_, target)| (target, &enclosing[level.enclosing.len()..]))
        });
        if let Some((target, between)) = found {
            // A reference to a faulty feature is fine.
            return target.map_or(Ok(()), |target| reference.resolve(target, own, between));
        }
        let names = levels().flat_map(|level| level.features.iter().map(|it| it.0));
        Err(match nearest(name, names) {
            Some(near) => format!("unknown feature `{name}`; did you mean `{near}`?").into(),
            None => {
                format!("unknown feature `{name}`; name one at the same level or around it").into()
            }
        })
    }
}

/// The references of a feature, including nested ones that lead out of it.
pub(crate) fn references_of(feature: &Feature) -> Vec<&Reference> {
    let parts = feature.own_parts();
    let within = parts.features().into_iter().flat_map(references_of);
    let leads_out = |reference: &&Reference| match parts {
        Parts::Members(members) | Parts::Tuple(members) => members
            .iter()
            .all(|member| member.name() != reference.first()),
        _ => true,
    };
    let own = feature.structure().reference().into_iter();
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
/// The positions of a cycle, ending with the first one again.
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
            "refers to itself in a circle: `{}`; remove one of these references",
            names.join("` → `")
        ),
    })
}
