//! Covering arrays in the first rows, which contain all combinations of levels.

use std::sync::OnceLock;

use self::levels::Levels;
use super::{Declared, DrawnRows, Supplied};
use crate::covering::{CoveringArray, combinations};
use crate::fault::{Fault, Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields};
use crate::json::{Pointer, Value};
use crate::limits::SIZES;
use crate::sort;

mod levels;

pub(super) const NAME: &str = "coverage";

/// The default
const BINS: i64 = 4;
const MOST_BINS: i64 = 100;
/// More combinations would keep a test in a dev build waiting for over a second.
const MOST_COMBINATIONS: u64 = 400_000;
/// The fix if there are too many levels or combinations.
const FEWER: &str = "cover fewer features or use fewer `bins`";

/// For any `strength` features, each combination of their levels is in one of the first rows.
///
/// The levels of a row don't depend on the seed, but its value within a level does: the row's own
/// word is scaled to the words of the level.
#[derive(Clone, Debug)]
pub(super) struct Coverage {
    strength: usize,
    bins: i64,
    features: Vec<Covered>,
    /// Set if these are all features that can be covered.
    all: bool,
    array: OnceLock<CoveringArray>,
}

#[derive(Clone, Debug, PartialEq)]
struct Covered {
    position: usize,
    levels: Levels,
}

/// Reads the optional member. `elsewhere` is the other relation of a feature, if any.
pub(super) fn read(
    fields: &mut Fields<'_>,
    features: &Declared<'_>,
    elsewhere: impl Fn(usize) -> Option<&'static str>,
) -> Result<Option<Coverage>, Faulty> {
    let Some(value) = fields.optional(NAME) else {
        return Ok(None);
    };
    let pointer = fields.pointer().child(NAME);
    let mut fields = fields.nested(value, pointer, "coverage").ok_or(Faulty)?;
    let coverage = read_members(&mut fields, features, elsewhere);
    fields.finish();
    coverage.map(Some).ok_or(Faulty)
}

fn read_members(
    fields: &mut Fields<'_>,
    features: &Declared<'_>,
    elsewhere: impl Fn(usize) -> Option<&'static str>,
) -> Option<Coverage> {
    let (strength, bins) = (read_strength(fields), read_bins(fields));
    let listed = read_features(fields, features);
    let (strength, bins, listed) = (strength?, bins?, listed.ok()?);
    let is_named = |position: &usize| listed.iter().flatten().any(|it| it == position);
    let is_list = |position: &usize| {
        let feature = features.get(*position);
        feature.is_some_and(|it| it.feature_type() == FeatureType::List)
    };
    let has_lists = listed.iter().flatten().any(is_list);
    let levels = |position| {
        match elsewhere(position) {
            // Lengths are covered only if listed.
            _ if is_list(&position) && !is_named(&position) => Ok(None),
            Some(relation) => invalid!(
                "`{}` is in `{relation}`, which moves values out of their levels; remove it from one of the two",
                features.name(position)
            ),
            None => {
                let feature = features.get(position);
                feature
                    .map(|feature| Levels::of(features.name(position), feature, bins as u64))
                    .transpose()
            }
        }
    };
    let levels = (0..features.count()).map(levels).collect();
    let (features, all) = choose(fields, listed, levels)?;
    let all = all && !has_lists;
    check_work(fields, strength, &features)?;
    Some(Coverage {
        strength,
        bins,
        features,
        all,
        array: OnceLock::new(),
    })
}

fn read_strength(fields: &mut Fields<'_>) -> Option<usize> {
    match fields.integer("strength")? {
        2 => Some(2),
        3 => Some(3),
        other => {
            let message = format!("must be 2 for all pairs or 3 for all triples, but is {other}");
            fields.fault("strength", message);
            None
        }
    }
}

fn read_bins(fields: &mut Fields<'_>) -> Option<i64> {
    let bins = fields.optional_integer("bins").ok()?.unwrap_or(BINS);
    if (2..=MOST_BINS).contains(&bins) {
        return Some(bins);
    }
    let message = format!("must be between 2 and {MOST_BINS}, but is {bins}");
    fields.fault("bins", message);
    None
}

/// The positions of the listed features, in the order of the list; `None` without a list.
fn read_features(
    fields: &mut Fields<'_>,
    features: &Declared<'_>,
) -> Result<Option<Vec<usize>>, Faulty> {
    let Some(value) = fields.optional("features") else {
        return Ok(None);
    };
    let pointer = fields.pointer().child("features");
    let positions = features
        .positions(value, &pointer, fields.faults())
        .ok_or(Faulty)?;
    if positions.is_empty() {
        fields.fault(
            "features",
            "must not be empty; remove it to cover all features",
        );
        return Err(Faulty);
    }
    Ok(Some(positions))
}

/// Chooses the listed features, or else all that can be covered, and returns true if these are all.
/// `levels` has the levels of each feature, `None` if the feature is faulty, or the reason why it
/// doesn't have any.
fn choose(
    fields: &mut Fields<'_>,
    listed: Option<Vec<usize>>,
    levels: Vec<Result<Option<Levels>, Invalid>>,
) -> Option<(Vec<Covered>, bool)> {
    let pointer = fields.pointer().child("features");
    let mut all_well = true;
    for (index, &position) in listed.iter().flatten().enumerate() {
        if let Err(invalid) = &levels[position] {
            all_well = false;
            fields
                .faults()
                .push(invalid.clone().at(pointer.child(index.to_string())));
        }
    }
    if !all_well {
        return None;
    }
    let mut all = true;
    let mut covered = Vec::new();
    for (position, levels) in levels.into_iter().enumerate() {
        let Ok(Some(levels)) = levels else { continue };
        if listed
            .as_ref()
            .is_none_or(|listed| listed.contains(&position))
        {
            covered.push(Covered { position, levels });
        } else {
            all = false;
        }
    }
    if listed.is_none() && covered.is_empty() {
        fields.fault_here("no feature has two levels; name one in `features` to see why");
        return None;
    }
    Some((covered, all))
}

fn check_work(fields: &mut Fields<'_>, strength: usize, covered: &[Covered]) -> Option<()> {
    let mut counts = counts(covered);
    let combinations = combinations(&counts, strength);
    if combinations > MOST_COMBINATIONS {
        let (which, fewer) = match strength {
            2 => ("pairs", FEWER.to_owned()),
            _ => ("triples", format!("{FEWER}, or use strength 2")),
        };
        fields.fault_here(format!(
            "there are {combinations} {which} of levels, but at most {MOST_COMBINATIONS} can be covered; {fewer}"
        ));
        return None;
    }
    sort::by_key(&mut counts, |&count| std::cmp::Reverse(count));
    let rows: u64 = counts
        .iter()
        .take(strength)
        .map(|&count| u64::from(count))
        .product();
    let most = *SIZES.end();
    if rows > most as u64 {
        fields.fault_here(format!(
            "needs at least {rows} rows, but an ensemble has at most {most}; {FEWER}"
        ));
        return None;
    }
    Some(())
}

fn counts(covered: &[Covered]) -> Vec<u32> {
    covered
        .iter()
        .map(|covered| covered.levels.count())
        .collect()
}

impl Coverage {
    /// Returns the canonical form.
    pub(super) fn to_value(&self, features: &Declared<'_>) -> Value {
        let mut members = vec![("strength", Value::from(self.strength as i64))];
        if !self.all {
            let name = |covered: &Covered| Value::from(features.name(covered.position));
            let names: Vec<Value> = self.features.iter().map(name).collect();
            members.push(("features", Value::from(names)));
        }
        if self.bins != BINS {
            members.push(("bins", Value::from(self.bins)));
        }
        Value::object(members)
    }

    /// Returns true if the feature at `position` is covered.
    pub(super) fn has(&self, position: usize) -> bool {
        let mut covered = self.features.iter();
        covered.any(|covered| covered.position == position)
    }

    /// The work of building the array.
    pub(super) fn work(&self) -> u64 {
        combinations(&counts(&self.features), self.strength).saturating_mul(300)
    }

    /// The fault of a size that is too small, if it is.
    pub(super) fn check_size(&self, size: usize) -> Option<Fault> {
        let rows = self.array().rows().len();
        (size < rows).then(|| Fault {
            pointer: Pointer::root().child(NAME),
            message: format!(
                "needs {rows} rows, but the size is {size}; increase the size, {FEWER}"
            ),
        })
    }

    /// Supplies the words of covered features: in the rows of the array, words of their levels.
    pub(super) fn supply(&self, rows: &DrawnRows<'_>, supplied: &mut Supplied) {
        let array = self.array();
        for (column, covered) in self.features.iter().enumerate() {
            let mut words = rows.own_words(covered.position);
            let mut null_words = rows.own_null_words(covered.position);
            for row in 0..words.len() {
                // Rows past the largest ensemble are past the array.
                let number = usize::try_from(rows.first())
                    .unwrap_or(usize::MAX)
                    .saturating_add(row);
                let Some(levels) = array.rows().get(number) else {
                    break;
                };
                if let Some(level) = levels[column] {
                    words[row] = covered.levels.value_word(level, words[row]);
                    null_words[row] = covered.levels.null_word(level, null_words[row]);
                }
            }
            supplied.set(covered.position, words);
            supplied.set_nulls(covered.position, null_words);
        }
    }

    fn array(&self) -> &CoveringArray {
        let make = || CoveringArray::new(&counts(&self.features), self.strength);
        self.array.get_or_init(make)
    }
}

impl PartialEq for Coverage {
    fn eq(&self, other: &Self) -> bool {
        // The array follows from the rest.
        let rest = |coverage: &Self| (coverage.strength, coverage.bins, coverage.all);
        rest(self) == rest(other) && self.features == other.features
    }
}
