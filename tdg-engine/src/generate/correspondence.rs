//! Matches the parts of a definition with the parts of an earlier one, perhaps renamed.

use tdg_definition::distribution::{Parts, Variant};
use tdg_definition::json::Value;
use tdg_definition::{Feature, FeatureType};

use crate::spelling::letters;

/// A feature, a member, a variant or a category.
pub(super) struct Correspondent<'a> {
    pub(super) name: &'a str,
    /// The definition of its values, without names.
    drawn: Value,
    /// The type, or `None` if the type doesn't distinguish it.
    feature_type: Option<FeatureType>,
}

/// The correspondence between the parts of a benchmark's definition and the current one.
pub(super) struct Correspondence<'a> {
    old: Vec<Correspondent<'a>>,
    new: Vec<Correspondent<'a>>,
    /// The origin of each new part.
    pub(super) origins: Vec<Origin>,
}

/// The recorded place of a current value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The value of this feature.
    Whole(usize),
    /// The values of these features, which are now the members of an object.
    Members(Vec<usize>),
    /// The member at this position of this feature, which was an object.
    Member(usize, usize),
    /// The value wasn't recorded.
    New,
}

impl Origin {
    fn whole(&self) -> Option<usize> {
        match self {
            Self::Whole(old) => Some(*old),
            _ => None,
        }
    }

    fn is_in(&self, old: usize) -> bool {
        match self {
            Self::Whole(it) | Self::Member(it, _) => *it == old,
            Self::Members(all) => all.contains(&old),
            Self::New => false,
        }
    }
}

impl<'a> Correspondent<'a> {
    fn new(name: &'a str, feature: Option<&Feature>) -> Self {
        let drawn = feature.map(drawn).unwrap_or_default();
        Self {
            name,
            drawn: without_names(&drawn),
            feature_type: feature.map(Feature::feature_type),
        }
    }

    pub(super) fn of_feature(feature: &'a Feature) -> Self {
        Self::new(feature.name(), Some(feature))
    }

    /// Ignores the probability, because it depends on the other variants.
    pub(super) fn of_variant(variant: &'a Variant) -> Self {
        Self::new(variant.name(), variant.value())
    }

    pub(super) fn of_category(name: &'a str, probability: &Value) -> Self {
        Self {
            name,
            drawn: probability.clone(),
            feature_type: None,
        }
    }

    pub(super) fn is_drawn_like(&self, other: &Self) -> bool {
        self.drawn == other.drawn
    }

    fn has_name_of(&self, other: &Self) -> bool {
        self.name == other.name
    }

    /// Returns true if the names differ only in case and separators.
    fn is_spelled_like(&self, other: &Self) -> bool {
        letters(self.name) == letters(other.name)
    }

    fn is_of_type_of(&self, other: &Self) -> bool {
        self.feature_type.is_some() && self.feature_type == other.feature_type
    }
}

impl<'a> Correspondence<'a> {
    /// Pairs parts with the same name, or else the only ones that are drawn alike. If several are
    /// drawn alike, pairs them in order, provided that all match.
    pub(super) fn new(old: Vec<Correspondent<'a>>, new: Vec<Correspondent<'a>>) -> Self {
        let mut pairs = Self::unpaired(old, new);
        pairs.pair_left();
        pairs
    }

    /// Matches features or members by name.
    pub(super) fn of_features(old: &[&'a Feature], new: &[&'a Feature]) -> Self {
        let mut pairs = Self::new(correspondents(old), correspondents(new));
        pairs.group(old, new);
        pairs.ungroup(old, new);
        pairs.pair_left();
        pairs.by_type()
    }

    /// Matches members by position if all types agree, as when a tuple became a struct with names
    /// or vice versa.
    pub(super) fn of_positions(old: &[&'a Feature], new: &[&'a Feature]) -> Self {
        let mut pairs = Self::unpaired(correspondents(old), correspondents(new));
        pairs.pair_in_order(Correspondent::is_of_type_of);
        pairs
    }

    fn unpaired(old: Vec<Correspondent<'a>>, new: Vec<Correspondent<'a>>) -> Self {
        let origins = vec![Origin::New; new.len()];
        Self { old, new, origins }
    }

    /// Also pairs the only new part of a type with the only removed one, even if they are drawn
    /// differently.
    pub(super) fn by_type(mut self) -> Self {
        self.pair(Correspondent::is_of_type_of);
        self
    }

    /// Returns the pairs of old and new positions.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let origins = self.origins.iter().enumerate();
        origins.filter_map(|(new, origin)| Some((origin.whole()?, new)))
    }

    /// Returns the old parts without a new counterpart.
    pub(super) fn gone(&self) -> Vec<usize> {
        let is_gone = |old: &usize| !self.origins.iter().any(|it| it.is_in(*old));
        (0..self.old.len()).filter(is_gone).collect()
    }

    fn come(&self) -> Vec<usize> {
        let is_new = |new: &usize| self.origins[*new] == Origin::New;
        (0..self.new.len()).filter(is_new).collect()
    }

    fn pair_left(&mut self) {
        self.pair(Correspondent::has_name_of);
        self.pair(Correspondent::is_spelled_like);
        self.pair(Correspondent::is_drawn_like);
        self.pair_in_order(Correspondent::is_drawn_like);
    }

    /// Pairs remaining parts that are each the only one like the other.
    fn pair(&mut self, is_like: fn(&Correspondent<'a>, &Correspondent<'a>) -> bool) {
        let (gone, come) = (self.gone(), self.come());
        for &new in &come {
            let is_like = |old: usize, new: usize| is_like(&self.old[old], &self.new[new]);
            let old = only(gone.iter().filter(|old| is_like(**old, new)));
            let old =
                old.filter(|old| only(come.iter().filter(|it| is_like(**old, **it))).is_some());
            self.origins[new] = old.map_or(Origin::New, |old| Origin::Whole(*old));
        }
    }

    /// Pairs the remaining parts in order, if each is like the one at its position.
    fn pair_in_order(&mut self, is_like: fn(&Correspondent<'a>, &Correspondent<'a>) -> bool) {
        let (gone, come) = (self.gone(), self.come());
        let mut pairs = gone.iter().zip(&come);
        let are_like = pairs.all(|(old, new)| is_like(&self.old[*old], &self.new[*new]));
        if gone.len() == come.len() && are_like {
            let pairs = gone.into_iter().zip(come);
            pairs.for_each(|(old, new)| self.origins[new] = Origin::Whole(old));
        }
    }

    /// Finds new objects whose members are removed features.
    fn group(&mut self, old: &[&Feature], new: &[&Feature]) {
        for position in self.come() {
            let gone = self.gone();
            if let Some(members) = find_all(members(new[position]), &pick(old, &gone)) {
                self.origins[position] = Origin::Members(pick(&gone, &members));
            }
        }
    }

    /// Finds removed objects whose members are new features.
    fn ungroup(&mut self, old: &[&Feature], new: &[&Feature]) {
        for position in self.gone() {
            let come = self.come();
            let found = find_all(members(old[position]), &pick(new, &come));
            for (member, found) in found.into_iter().flatten().enumerate() {
                self.origins[come[found]] = Origin::Member(position, member);
            }
        }
    }
}

/// Returns the type and the distribution. Nulls are drawn separately from the values.
pub(super) fn drawn(feature: &Feature) -> Value {
    let feature = feature.to_value();
    let members = ["type", "distribution"].map(|name| feature.get(name).cloned());
    members.into_iter().flatten().collect()
}

fn without_names(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_names).collect(),
        Value::Object(members) => {
            let is_name = |key: &str| matches!(key, "feature_name" | "variant");
            let members = members.iter().filter(|(key, _)| !is_name(key));
            Value::object(members.map(|(key, value)| (key.clone(), without_names(value))))
        }
        other => other.clone(),
    }
}

/// Returns the members of an object or a tuple.
fn members(feature: &Feature) -> &[Feature] {
    match feature.parts() {
        Parts::Members(members) | Parts::Tuple(members) => members,
        _ => &[],
    }
}

/// Returns the feature that matches each member, or `None` unless all have one.
fn find_all(members: &[Feature], features: &[&Feature]) -> Option<Vec<usize>> {
    let members: Vec<&Feature> = members.iter().collect();
    let pairs = Correspondence::new(correspondents(features), correspondents(&members)).by_type();
    let found: Option<Vec<usize>> = pairs.origins.iter().map(Origin::whole).collect();
    found.filter(|found| !found.is_empty())
}

fn correspondents<'a>(features: &[&'a Feature]) -> Vec<Correspondent<'a>> {
    let features = features.iter();
    features
        .map(|feature| Correspondent::of_feature(feature))
        .collect()
}

fn pick<T: Copy>(all: &[T], positions: &[usize]) -> Vec<T> {
    positions.iter().map(|position| all[*position]).collect()
}

/// Returns the only element, if there is exactly one.
fn only<T>(mut elements: impl Iterator<Item = T>) -> Option<T> {
    elements.next().filter(|_| elements.next().is_none())
}
