//! References to other features.

use std::sync::OnceLock;

use super::Parts;
use crate::bytes;
use crate::column::{Referred, ValueScope};
use crate::feature::Feature;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::{Pointer, Value};
use crate::nearest;
use crate::random::StreamRows;

/// A feature by its path, looked up from the nearest object outwards: `lines`, `order/lines`,
/// `products/sku`.
#[derive(Debug)]
pub struct Reference {
    path: Vec<String>,
    /// Where it stands.
    pointer: Pointer,
    purpose: ReferenceUse,
    target: OnceLock<ReferredFeature>,
}

/// What is wanted of the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceUse {
    /// A number, or the length of a list or of bytes.
    Count,
    /// A length.
    Length,
    /// Values of that type in a list.
    Values(FeatureType),
}

/// The feature that is referred to, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferredFeature {
    /// The least and the largest count.
    pub(super) counts: (i128, i128),
    pub(super) mean: f64,
    pub(super) may_be_null: bool,
    /// How many names of the path are within an element of the list.
    of_element: usize,
}

/// The largest count.
pub(super) const LARGEST: i128 = 10_000;

impl Reference {
    /// From the member of that name, a path.
    pub(super) fn read(
        fields: &mut Fields<'_>,
        name: &'static str,
        purpose: ReferenceUse,
    ) -> Option<Self> {
        let path = fields.text(name)?;
        let pointer = fields.pointer().child(name);
        let path: Vec<String> = path.split('/').map(str::to_owned).collect();
        if path.iter().any(String::is_empty) {
            let message = "must be the name of a feature, or a path of names such as `order/lines`";
            fields.fault(name, message);
            return None;
        }
        Some(Self {
            path,
            pointer,
            purpose,
            target: OnceLock::new(),
        })
    }

    /// In canonical form.
    pub(super) fn to_value(&self) -> Value {
        Value::from(self.text())
    }

    pub(crate) fn text(&self) -> String {
        self.path.join("/")
    }

    pub(crate) fn first(&self) -> &str {
        &self.path[0]
    }

    pub(crate) fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    pub(crate) fn path(&self) -> &[String] {
        &self.path
    }

    /// The names within an element of the list.
    pub(super) fn of_element(&self) -> &[String] {
        let count = self.target().map_or(0, |target| target.of_element);
        &self.path[self.path.len() - count..]
    }

    /// The feature, once it was found.
    pub(super) fn target(&self) -> Option<&ReferredFeature> {
        self.target.get()
    }

    /// Notes the feature whose path begins with that one.
    ///
    /// # Errors
    /// Why it is not what is wanted, and the fix.
    pub(crate) fn resolve(&self, first: &Feature) -> Result<(), String> {
        let (feature, list, of_element) = self.find(first)?;
        let counted = list.unwrap_or(feature).distribution();
        if counted.reference().is_some_and(|it| it.target().is_none()) {
            // How much that is, is unknown after a fault of its own.
            return Ok(());
        }
        let may_be_null = list.unwrap_or(feature).may_be_null() || feature.may_be_null();
        let counted = match self.purpose {
            ReferenceUse::Values(wanted) => self.check_values(feature, list, wanted)?,
            ReferenceUse::Count | ReferenceUse::Length => self.check_count(feature, list)?,
        };
        let (counts, mean) = counted;
        let target = ReferredFeature {
            counts,
            mean,
            may_be_null,
            of_element,
        };
        // It is resolved once.
        let _ = self.target.set(target);
        Ok(())
    }

    /// The feature at the path, and the list that it is in, with the number of names within.
    fn find<'f>(&self, first: &'f Feature) -> Result<PathEnd<'f>, String> {
        let (mut feature, mut list, mut of_element) = (first, None, 0);
        for (at, name) in self.path.iter().enumerate().skip(1) {
            if let Parts::Element(element) | Parts::Entries(element) = feature.own_parts() {
                if list.is_some() {
                    return Err(format!("`{}` is in a list of lists", self.text()));
                }
                list = Some(feature);
                of_element = self.path.len() - at;
                feature = element;
            }
            let before = match list.is_some() {
                true => format!("an element of `{}`", self.path[..at].join("/")),
                false => format!("`{}`", self.path[..at].join("/")),
            };
            let members = match feature.own_parts() {
                Parts::Members(members) | Parts::Tuple(members) => members,
                _ => {
                    return Err(format!(
                        "{before} is {}, which has no feature `{name}`",
                        feature.feature_type()
                    ));
                }
            };
            let Some(member) = members.iter().find(|member| member.name() == name) else {
                return Err(match nearest(name, members.iter().map(Feature::name)) {
                    Some(near) => {
                        format!("{before} has no feature `{name}`; did you mean `{near}`?")
                    }
                    None => format!("{before} has no feature `{name}`"),
                });
            };
            feature = member;
        }
        Ok((feature, list, of_element))
    }

    fn check_values(
        &self,
        feature: &Feature,
        list: Option<&Feature>,
        wanted: FeatureType,
    ) -> Result<CountRange, String> {
        let (list, values) = match (list, feature.own_parts()) {
            (Some(list), _) => (list, feature),
            (None, Parts::Element(element) | Parts::Entries(element)) => (feature, element),
            _ => {
                return Err(format!(
                    "`{}` is {}; name a list, or a feature of its elements",
                    self.text(),
                    feature.feature_type()
                ));
            }
        };
        let found = values.feature_type();
        if found != wanted {
            return Err(format!(
                "`{}` has {found} values; write `\"type\": \"{found}\"`",
                self.text()
            ));
        }
        Ok(counts_of(list))
    }

    fn check_count(&self, feature: &Feature, list: Option<&Feature>) -> Result<CountRange, String> {
        let (kind, path) = (feature.feature_type(), self.text());
        let is_number = kind == FeatureType::Integer && self.purpose == ReferenceUse::Count;
        if let Some(list) = list {
            return Err(format!(
                "`{path}` is a value for each element of `{}`; name the list",
                list.name()
            ));
        }
        if !is_number && !matches!(kind, FeatureType::List | FeatureType::Bytes) {
            let wanted = match self.purpose {
                ReferenceUse::Count => "an INTEGER, a LIST or BYTES",
                _ => "a LIST or BYTES",
            };
            return Err(format!("`{path}` is {kind}; name {wanted}"));
        }
        let counted = counts_of(feature);
        let (least, largest) = counted.0;
        if least < 0 || largest > LARGEST {
            return Err(format!(
                "`{path}` is from {least} to {largest}, but what is counted is from 0 to {LARGEST}; state \
                 the `min` and `max` of `{path}`"
            ));
        }
        if kind == FeatureType::Integer && feature.has_edge_cases() && !feature.is_bounded() {
            return Err(format!(
                "`{path}` has `edge_cases` that are no lengths; remove them, or draw it by uniform"
            ));
        }
        Ok(counted)
    }

    /// What the rows refer to.
    pub(super) fn referred<'a>(&self, rows: &StreamRows<'a>) -> Option<Referred<'a>> {
        rows.scope()
            .and_then(|scope: &'a ValueScope<'a>| scope.find(&self.path, rows.len()))
    }

    /// The count of each row; nothing where it is null.
    pub(super) fn counts(&self, rows: &StreamRows<'_>) -> Vec<Option<u64>> {
        let referred = self.referred(rows);
        referred.map_or_else(|| vec![None; rows.len()], |referred| referred.counts())
    }
}

type PathEnd<'f> = (&'f Feature, Option<&'f Feature>, usize);

type CountRange = ((i128, i128), f64);

/// The least and the largest count, and about its mean.
fn counts_of(feature: &Feature) -> CountRange {
    let distribution = feature.distribution();
    let (min, max) = distribution.bounds();
    let integers = distribution.integers();
    let stated = |bound: Option<Value>| bound?.as_i64().map(i128::from);
    let is_number = feature.feature_type() == FeatureType::Integer;
    let otherwise = match is_number {
        true => integers.into_inner(),
        false => (0, LARGEST),
    };
    let least = stated(min).unwrap_or(otherwise.0);
    let largest = stated(max).unwrap_or(otherwise.1);
    let mean = match feature.own_parts() {
        Parts::Element(element) | Parts::Entries(element) => {
            (distribution.cells() - 1.0) / element.cells_of_value()
        }
        _ => (least + largest) as f64 / 2.0,
    };
    ((least, largest), mean)
}

/// The number, or the length of a list or of bytes.
pub(super) fn count_of(value: &Value) -> Option<u64> {
    match value {
        Value::Array(elements) => Some(elements.len() as u64),
        Value::String(text) => Some(bytes::escapes(text).count() as u64),
        number => number.as_u64(),
    }
}
