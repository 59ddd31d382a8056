//! The names that changed since a benchmark was recorded.

use std::fmt;

use super::place_pair::PlacePair;

/// The maximum number of names in a message.
const SHOWN: usize = 4;

/// The names that differ between recorded and current rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames {
    /// Renamed features, members and variants.
    pub features: Vec<RenamedFeature>,
    /// Renamed categories of strings.
    pub categories: Vec<RenamedCategory>,
    /// The places that weren't recorded and have current values.
    pub added: Vec<String>,
}

/// A renamed feature, or a renamed member or variant within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedFeature {
    /// Its place in the benchmark, such as `lines/qty`.
    pub old: String,
    /// Its current place.
    pub new: String,
    /// Set if it is drawn differently now.
    pub is_redrawn: bool,
}

/// A renamed category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedCategory {
    /// The current place of the feature.
    pub feature: String,
    /// The benchmark's value.
    pub old: String,
    /// The current value.
    pub new: String,
}

impl Renames {
    pub(super) fn note(&mut self, at: &PlacePair, is_redrawn: bool) {
        let PlacePair { old, new, .. } = at.clone();
        push_new(
            &mut self.features,
            RenamedFeature {
                old,
                new,
                is_redrawn,
            },
        );
    }

    pub(super) fn note_category(&mut self, category: RenamedCategory) {
        push_new(&mut self.categories, category);
    }

    pub(super) fn note_added(&mut self, place: String) {
        push_new(&mut self.added, place);
    }

    /// ``` `tax` is new ```, or `None` if everything was recorded.
    pub fn news(&self) -> Option<String> {
        let verb = match self.added.len() {
            0 => return None,
            1 => "is",
            _ => "are",
        };
        let places = listed(self.added.iter().map(|place| format!("`{place}`")));
        Some(format!("{places} {verb} new"))
    }

    /// Returns ``` , with `qty` as `quantity` ```, or an empty text if no name changed.
    pub fn with(&self) -> String {
        match self.features.is_empty() && self.categories.is_empty() {
            true => String::new(),
            false => format!(", with {self}"),
        }
    }
}

/// Adds a rename once, because nested values of a shape share one place.
fn push_new<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// ``` `qty` as `quantity`, "A" of `kind` as "B" ```
impl fmt::Display for Renames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let features = self.features.iter();
        let features = features.map(|it| format!("`{}` as `{}`", it.old, it.new));
        let categories = self.categories.iter();
        let categories =
            categories.map(|it| format!("{:?} of `{}` as {:?}", it.old, it.feature, it.new));
        f.write_str(&listed(features.chain(categories)))
    }
}

fn listed(all: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = all.collect();
    if all.len() > SHOWN {
        let rest = format!("{} more", all.len() - SHOWN);
        all.truncate(SHOWN);
        all.push(rest);
    }
    all.join(", ")
}
