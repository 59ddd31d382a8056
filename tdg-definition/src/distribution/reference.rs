//! References to other features.

use std::sync::OnceLock;

use super::{Parts, share_place};
use crate::bytes;
use crate::column::{Cells, Column, Referred, ValueScope};
use crate::feature::Feature;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::{Pointer, Value};
use crate::nearest;
use crate::random::StreamRows;
use crate::value;

/// The path of a feature, looked up from the nearest object outwards: `lines`, `order/lines`,
/// `products/sku`.
#[derive(Clone, Debug)]
pub struct Reference {
    path: Vec<String>,
    /// Its place in the definition.
    pointer: Pointer,
    purpose: ReferenceUse,
    target: OnceLock<ReferredFeature>,
}

/// The use that a reference makes of the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceUse {
    /// A number, or the length of a list or of bytes.
    Count,
    /// A length.
    Length,
    /// Values of this type in a list.
    Values(FeatureType),
    /// Numbers of this type in a list, to be added.
    Sum(FeatureType),
    /// A number of this type outside the list, whose parts have this number of decimals.
    Total(FeatureType, Option<u8>),
}

/// The properties of a referenced feature that matter to references.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferredFeature {
    /// The range of counts.
    pub(super) counts: (i128, i128),
    pub(super) mean: f64,
    pub(super) may_be_null: bool,
    /// The number of trailing names in the path that lie within an element of the list.
    of_element: usize,
}

/// The largest count.
pub(super) const LARGEST: i128 = 10_000;

impl Reference {
    /// Reads a path from the member `name`.
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

    /// Returns the reference with another purpose.
    pub(super) fn wanted(self, purpose: ReferenceUse) -> Self {
        Self { purpose, ..self }
    }

    /// Returns the canonical form.
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

    /// The trailing names of the path, which lie within an element of the list.
    pub(super) fn of_element(&self) -> &[String] {
        let count = self.target().map_or(0, |target| target.of_element);
        &self.path[self.path.len() - count..]
    }

    /// Collects the values of `list`, a list or a map, at the names within an element.
    pub(super) fn values_in(&self, list: Option<&Value>) -> Vec<Value> {
        let (ReferenceUse::Values(wanted) | ReferenceUse::Sum(wanted)) = self.purpose else {
            return Vec::new();
        };
        let elements = match list {
            Some(Value::Array(elements)) => elements.clone(),
            // Keys of another type aren't the referenced values.
            Some(Value::Object(map)) => value::entries(wanted, map),
            _ => Vec::new(),
        };
        let value = |element: &Value| {
            let mut path = self.of_element().iter();
            let value = path.try_fold(element, |it, name| value::member(it, name));
            value.cloned()
        };
        elements.iter().filter_map(value).collect()
    }

    /// Returns true if the feature may be null, or isn't resolved yet.
    pub(super) fn may_be_null(&self) -> bool {
        self.target().is_none_or(|target| target.may_be_null)
    }

    /// The feature, once it's resolved.
    pub(super) fn target(&self) -> Option<&ReferredFeature> {
        self.target.get()
    }

    /// Resolves the path from `first`, the feature of its first name. The features in `between`
    /// enclose the referring one.
    ///
    /// # Errors
    /// The reason why the feature doesn't fit the purpose, and the fix.
    pub(crate) fn resolve(
        &self,
        first: &Feature,
        own: &Feature,
        between: &[&Feature],
    ) -> Result<(), String> {
        let end = self.find(first)?;
        let (feature, list) = (end.feature, end.list);
        let counted = list.unwrap_or(feature).distribution();
        if counted.reference().is_some_and(|it| it.target().is_none()) {
            // Its count is unknown because of its own fault.
            return Ok(());
        }
        let mut may_be_null = end.may_be_null;
        let (counts, mean) = match self.purpose {
            ReferenceUse::Values(wanted) => {
                let (list, values) = self.check_values(feature, list, wanted)?;
                may_be_null |= end.may_be_null_within || values.may_be_null();
                counts_of(list)
            }
            ReferenceUse::Sum(wanted) => {
                let (list, values) = self.check_values(feature, list, wanted)?;
                self.check_sum(list, values)?;
                counts_of(list)
            }
            ReferenceUse::Count | ReferenceUse::Length => self.check_count(feature, list)?,
            ReferenceUse::Total(wanted, decimals) => {
                self.check_total(feature, list, wanted, decimals)?;
                share_place::check(&self.text(), own, between)?;
                counts_of(feature)
            }
        };
        let target = ReferredFeature {
            counts,
            mean,
            may_be_null,
            of_element: end.of_element,
        };
        // Each reference is resolved once.
        let _ = self.target.set(target);
        Ok(())
    }

    /// Follows the path to its feature, the list around it, and the number of names within.
    fn find<'f>(&self, first: &'f Feature) -> Result<PathEnd<'f>, String> {
        let mut end = PathEnd {
            feature: first,
            list: None,
            of_element: 0,
            may_be_null: first.may_be_null(),
            may_be_null_within: false,
        };
        for (at, name) in self.path.iter().enumerate().skip(1) {
            if let Parts::Element(element) | Parts::Entries(element) = end.feature.own_parts() {
                if end.list.is_some() {
                    return Err(format!("`{}` is in a list of lists", self.text()));
                }
                end.list = Some(end.feature);
                end.of_element = self.path.len() - at;
                end.go_to(element);
            }
            let before = match end.list.is_some() {
                true => format!("an element of `{}`", self.path[..at].join("/")),
                false => format!("`{}`", self.path[..at].join("/")),
            };
            let members = match end.feature.own_parts() {
                Parts::Members(members) | Parts::Tuple(members) => members,
                _ => {
                    return Err(format!(
                        "{before} is {}, which has no feature `{name}`",
                        end.feature.feature_type()
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
            end.go_to(member);
        }
        Ok(end)
    }

    /// Returns the list and the values in it.
    fn check_values<'f>(
        &self,
        feature: &'f Feature,
        list: Option<&'f Feature>,
        wanted: FeatureType,
    ) -> Result<(&'f Feature, &'f Feature), String> {
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
        Ok((list, values))
    }

    /// Checks that the bounds of the integers allow a sum without overflow.
    fn check_sum(&self, list: &Feature, values: &Feature) -> Result<(), String> {
        let is_beyond = values.has_edge_cases() && !values.is_bounded();
        let is_stated = is_beyond || values.distribution().bounds().1.is_some();
        if values.feature_type() != FeatureType::Integer || !is_stated {
            return Ok(());
        }
        let ((least, largest), ((_, most), _)) = (counts_of(values).0, counts_of(list));
        let sums = i128::from(i64::MIN)..=i128::from(i64::MAX);
        if !is_beyond && sums.contains(&(least * most)) && sums.contains(&(largest * most)) {
            return Ok(());
        }
        Err(format!(
            "the sum of up to {most} values of `{}` may need more than 64 bits; state a smaller \
             `min` and `max` there",
            self.text()
        ))
    }

    fn check_total(
        &self,
        feature: &Feature,
        list: Option<&Feature>,
        wanted: FeatureType,
        decimals: Option<u8>,
    ) -> Result<(), String> {
        let (kind, path) = (feature.feature_type(), self.text());
        if let Some(list) = list {
            return Err(format!(
                "`{path}` is a value for each element of `{}`; name one value as the total",
                list.name()
            ));
        }
        if kind != wanted {
            return Err(format!(
                "`{path}` is {kind}, but its parts are {wanted}; make both the same"
            ));
        }
        if kind == FeatureType::Integer {
            return Ok(());
        }
        let Some(decimals) = decimals else {
            return Err(format!(
                "FLOAT parts of `{path}` need a unit to add up exactly; give both `decimals`"
            ));
        };
        if feature.decimals().is_none_or(|it| it > decimals) {
            return Err(format!(
                "`{path}` needs `decimals`, at most the {decimals} that its parts have, for them to \
                 add up exactly"
            ));
        }
        match feature.has_edge_cases() && feature.distribution().edge_share() == 0.0 {
            true => Err(format!(
                "`{path}` has `edge_cases`, which aren't rounded to its `decimals`; remove them"
            )),
            false => Ok(()),
        }
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
                "`{path}` has `edge_cases` that are not lengths; remove them, or draw it with \
                 uniform"
            ));
        }
        Ok(counted)
    }

    /// The values that the rows refer to.
    pub(super) fn referred<'a>(&self, rows: &StreamRows<'a>) -> Option<Referred<'a>> {
        rows.scope()
            .and_then(|scope: &'a ValueScope<'a>| scope.find(&self.path, rows.len()))
    }

    /// Marks the rows that have nothing to refer to.
    pub(super) fn absent(&self, rows: &StreamRows<'_>) -> Vec<bool> {
        let referred = self.referred(rows);
        let is_absent = |row| referred.as_ref().is_none_or(|it| it.get(row).is_none());
        (0..rows.len()).map(is_absent).collect()
    }

    /// The count of each row; `None` where it's null.
    pub(super) fn counts(&self, rows: &StreamRows<'_>) -> Vec<Option<u64>> {
        let referred = self.referred(rows);
        referred.map_or_else(|| vec![None; rows.len()], |referred| referred.counts())
    }
}

/// The end of a path.
struct PathEnd<'f> {
    feature: &'f Feature,
    /// The list around the feature.
    list: Option<&'f Feature>,
    /// The number of names in the path that lie within an element of the list.
    of_element: usize,
    /// Set if the list may be null, or the feature if there isn't a list.
    may_be_null: bool,
    /// Set if something between the list and the feature may be null.
    may_be_null_within: bool,
}

impl<'f> PathEnd<'f> {
    fn go_to(&mut self, within: &'f Feature) {
        self.feature = within;
        match self.list {
            Some(_) => self.may_be_null_within |= within.may_be_null(),
            None => self.may_be_null |= within.may_be_null(),
        }
    }
}

/// The member of the elements at that path, and a function that marks elements without one.
pub(super) fn members_of<'a>(
    elements: &'a Column,
    path: &[String],
) -> (&'a Column, impl Fn(usize) -> bool + use<'a>) {
    let (mut column, mut around) = (elements, vec![elements]);
    for name in path {
        let Cells::Object(objects) = column.cells() else {
            break;
        };
        if let Some((_, member)) = objects.members().find(|(it, _)| it == name) {
            column = member;
            around.push(member);
        }
    }
    (column, move |row| around.iter().any(|it| it.is_null(row)))
}

type CountRange = ((i128, i128), f64);

/// The range of counts, and roughly their mean.
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
    let mean = match distribution.list() {
        Some(list) => list.mean(),
        None => (least + largest) as f64 / 2.0,
    };
    ((least, largest), mean)
}

/// The number itself, or the length of a list, a map or bytes.
pub(super) fn count_of(value: &Value) -> Option<u64> {
    match value {
        Value::Array(elements) => Some(elements.len() as u64),
        Value::Object(entries) => Some(entries.len() as u64),
        Value::String(text) => Some(bytes::escapes(text).count() as u64),
        number => number.as_u64(),
    }
}
