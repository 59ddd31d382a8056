//! One column of a definition, and the distributions whose values contain features or refer to one.

use std::cmp::Ordering;

use crate::column::{Cells, Column};
use crate::fault::{Faults, Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::json::{Object, Pointer, Value};
use crate::limits::NAME_BYTES;
use crate::modifier::Modifiers;
use crate::random::{Purpose, StreamRows, Threshold};
use crate::relation::RelatedFeature;
use crate::scalar::{self, Distribution, Inversion, Sampler, Support, Words};
use crate::value::{self, Scalar};

mod any_bytes;
pub(crate) mod catalogue;
pub(crate) mod feature_reader;
pub(crate) mod features;
mod length;
mod list;
pub(crate) mod nesting_limits;
mod object;
mod part_reader;
mod parts;
mod path;
mod recursion;
mod reference;
pub(crate) mod shape;
mod structure;
mod variant;

pub use parts::{Parts, Variant, Variants};
use recursion::Recursion;
use structure::{FeatureValues, Structure};

/// A column: its name, type and distribution.
#[derive(Clone, Debug)]
pub struct Feature {
    name: String,
    feature_type: FeatureType,
    null_probability: f64,
    modifiers: Modifiers,
    distribution_name: &'static str,
    distribution: FeatureValues,
    recursion: Recursion,
}

impl Feature {
    /// Returns the name, unique in its definition.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of the values.
    #[must_use]
    pub fn feature_type(&self) -> FeatureType {
        self.feature_type
    }

    /// Returns the share of rows that are `null`, 0 to 1.
    #[must_use]
    pub fn null_probability(&self) -> f64 {
        self.null_probability
    }

    /// Returns the canonical name of the distribution: `gaussian` even if the definition says
    /// `normal`.
    #[must_use]
    pub fn distribution_name(&self) -> &'static str {
        self.distribution_name
    }

    /// Returns the values that the distribution can draw, before modifiers.
    #[must_use]
    pub fn support(&self) -> Support<'_> {
        self.distribution.support()
    }

    /// Returns true if the value is consistent with the feature's type, bounds, categories, pattern
    /// and decimals. Edge cases can have other values too.
    #[must_use]
    pub fn admits(&self, value: &Value) -> bool {
        if value.is_null() && !self.is_null_a_value() {
            return self.may_be_null();
        }
        match (self.parts(), value) {
            (Parts::Element(element), Value::Array(elements)) => {
                let is_length = self.is_length(elements.len());
                let is_distinct = !element.is_unique()
                    || (1..elements.len()).all(|it| !elements[..it].contains(&elements[it]));
                return is_length && is_distinct && elements.iter().all(|it| element.admits(it));
            }
            (Parts::Entries(element), Value::Object(object)) => {
                let Parts::Members([keys, values]) = element.parts() else {
                    return false;
                };
                let admits = |(name, value): &(String, Value)| {
                    let key = value::key_of(keys.feature_type, name);
                    key.is_some_and(|key| keys.admits(&key)) && values.admits(value)
                };
                return self.is_length(object.len()) && object.iter().all(admits);
            }
            (Parts::Members(members), Value::Object(object)) => {
                let admits = |member: &Feature| {
                    let value = object.get(member.name());
                    value.is_some_and(|value| member.admits(value))
                };
                return object.len() == members.len() && members.iter().all(admits);
            }
            (Parts::Variants(variants), value) => {
                let found = variants.find(value).ok();
                return found.is_some_and(|(number, value)| {
                    let variant = &variants.all()[number];
                    let admits = |(own, value): (&Self, _)| own.admits(&value);
                    variant.probability() > 0.0 && variant.value().zip(value).is_none_or(admits)
                });
            }
            (Parts::Tuple(members), Value::Array(values)) => {
                let mut pairs = members.iter().zip(values);
                return values.len() == members.len()
                    && pairs.all(|(member, value)| member.admits(value));
            }
            _ => {}
        }
        let Ok(scalar) = value::read(value, self.feature_type) else {
            return false;
        };
        let support = self.support();
        // Values that depend on other features are checked against the row.
        let follows = self.is_computed() && !self.structure().has_others();
        self.modifiers.keeps(&scalar) && (follows || self.is_within(&support, value, &scalar))
    }

    /// Converts the entries of a map to elements.
    pub(crate) fn entries(&self, map: &Object) -> Vec<Value> {
        match self.parts() {
            Parts::Members([keys, _]) => value::entries(keys.feature_type, map),
            _ => Vec::new(),
        }
    }

    /// Returns true if a list can have this length.
    fn is_length(&self, length: usize) -> bool {
        let bound = |bound: Option<Value>| bound.and_then(|it| it.as_u64());
        let (min, max) = self.distribution().bounds();
        let length = length as u64;
        bound(min).is_none_or(|min| min <= length) && bound(max).is_none_or(|max| length <= max)
    }

    fn is_within(&self, support: &Support<'_>, value: &Value, scalar: &Scalar) -> bool {
        match support {
            Support::Range(min, max) => {
                let read =
                    |bound: &Option<Value>| value::read(bound.as_ref()?, self.feature_type).ok();
                let integers = self.distribution().integers();
                scalar.integer().is_none_or(|it| integers.contains(&it))
                    && read(min).is_none_or(|min| scalar.compare(&min) != Some(Ordering::Less))
                    && read(max).is_none_or(|max| scalar.compare(&max) != Some(Ordering::Greater))
            }
            Support::Values(values) => values.contains(value),
            Support::Strings { has, .. } => value.as_str().is_some_and(has),
            Support::Any(parts) => {
                let mut parts = parts.iter();
                parts.any(|part| self.is_within(part, value, scalar))
            }
            Support::Drawn => false,
        }
    }

    /// Returns the nested features that its values are composed of.
    #[must_use]
    pub fn parts(&self) -> Parts<'_> {
        self.structure().parts()
    }

    /// Like [`parts`](Self::parts), but none for a shape that other features can share.
    pub(crate) fn own_parts(&self) -> Parts<'_> {
        match self.structure().is_shape() {
            true => Parts::None,
            false => self.parts(),
        }
    }

    /// Returns true if its values are further nodes of the enclosing shape.
    #[must_use]
    pub fn is_node(&self) -> bool {
        self.structure().is_shape() && self.recursion.is_any()
    }

    /// Returns the further nodes of the enclosing shape that its values contain.
    pub(crate) fn recursion(&self) -> Recursion {
        self.recursion
    }

    /// Returns true if JSON's null is one of its values, rather than a missing one.
    #[must_use]
    pub fn is_null_a_value(&self) -> bool {
        match self.parts() {
            Parts::Variants(variants) => variants.find(&Value::Null).is_ok(),
            _ => false,
        }
    }

    /// Returns the features that its values contain or refer to.
    pub(crate) fn structure(&self) -> &dyn Structure {
        self.distribution.structure()
    }

    /// Returns true if some rows may be `null`: a share of them, or those with nothing to refer to.
    #[must_use]
    pub fn may_be_null(&self) -> bool {
        self.null_probability > 0.0 || self.structure().may_be_absent()
    }

    /// Returns true if edge values respect the bounds of its values.
    pub(crate) fn is_bounded(&self) -> bool {
        matches!(self.distribution_name(), "uniform" | "any")
    }

    /// Returns true if its values never repeat.
    pub(crate) fn is_unique(&self) -> bool {
        self.modifiers.is_unique()
    }

    /// Returns its possible values that often break code.
    pub(crate) fn edge_values(&self) -> Vec<Scalar> {
        match self.is_computed() {
            true => Vec::new(),
            false => self
                .modifiers
                .edge_values(self.feature_type, self.distribution()),
        }
    }

    /// Returns the decimals that its values are rounded to.
    #[must_use]
    pub fn decimals(&self) -> Option<u8> {
        self.modifiers.decimals()
    }

    /// Returns the scalar that orders the value, if any.
    pub(crate) fn ordered(&self, value: &Value) -> Option<Scalar> {
        let length = match (self.parts(), value) {
            (Parts::Element(_), Value::Array(elements)) => Some(elements.len()),
            (Parts::Entries(_), Value::Object(entries)) => Some(entries.len()),
            _ => None,
        };
        match length {
            Some(length) => i64::try_from(length).ok().map(Scalar::Integer),
            None => value::read(value, self.feature_type).ok(),
        }
    }

    /// Draws the values of these rows before modifiers, from the supplied words or from their own.
    pub(crate) fn cells(&self, rows: &StreamRows<'_>, supplied: Option<&[u64]>) -> Cells {
        match (supplied, self.distribution().inversion()) {
            (Some(words), Some(inversion)) => {
                let rows = *rows;
                inversion.values(&Words::Supplied { rows, words })
            }
            _ => self.modifiers.draw(self.distribution(), rows),
        }
    }

    /// Completes the column of these values, or of lists with these lengths. Words, supplied or the
    /// rows' own, decide which rows are null.
    pub(crate) fn column(
        &self,
        rows: &StreamRows<'_>,
        mut cells: Cells,
        supplied: Option<&[u64]>,
    ) -> Column {
        if let Some(list) = self.structure().list()
            && !matches!(cells, Cells::List(_))
        {
            cells = list.lists(rows, &cells);
        }
        self.modifiers.apply(rows, &mut cells);
        self.with_nulls(rows, cells, supplied)
    }

    fn with_nulls(&self, rows: &StreamRows<'_>, cells: Cells, supplied: Option<&[u64]>) -> Column {
        let mut nulls = self.structure().absent(rows);
        if self.null_probability > 0.0 {
            let null = Threshold::of(self.null_probability);
            let own = || rows.words(Purpose::Null, 0);
            let words = supplied.map(<[u64]>::to_vec).unwrap_or_else(own);
            let drawn = words.into_iter().map(|word| null.is_above(word));
            nulls = Some(match nulls {
                Some(absent) => drawn.zip(absent).map(|(one, other)| one || other).collect(),
                None => drawn.collect(),
            });
        }
        if self.null_probability > 0.0
            && self.recursion.is_any()
            && let Some(closed) = recursion::closed(rows)
        {
            let drawn = nulls.into_iter().flatten().zip(closed);
            nulls = Some(
                drawn
                    .map(|(is_null, is_closed)| is_null || is_closed)
                    .collect(),
            );
        }
        Column::new(cells, nulls)
    }

    /// Draws the column of these rows, with values moved before some become null.
    pub(crate) fn draw_moved(
        &self,
        rows: &StreamRows<'_>,
        move_values: impl FnOnce(Cells) -> Cells,
    ) -> Column {
        let mut cells = self.cells(rows, None);
        self.modifiers.apply(rows, &mut cells);
        self.with_nulls(rows, move_values(cells), None)
    }

    /// Returns the work of drawing `rows` values, from their own or from supplied words.
    pub(crate) fn work(&self, rows: u64, is_supplied: bool) -> u64 {
        // The share of every column: its words, nulls and modifiers.
        const COLUMN: u64 = 100;
        let own = self.distribution().work().of(rows);
        let inverted = match is_supplied {
            true => self.distribution().inverted_work().of(rows),
            false => 0,
        };
        own.max(inverted)
            .saturating_add(COLUMN.saturating_mul(rows))
    }

    /// Adds faults for having too few values for `count` rows or list elements. `pointer` locates
    /// the feature or the part that contains it.
    pub(crate) fn check_values(
        &self,
        count: usize,
        of: &str,
        pointer: &Pointer,
        faults: &mut Faults,
    ) {
        let checked = self.modifiers.check_size(self.distribution(), count, of);
        if let Err((member, invalid)) = checked {
            faults.push(invalid.at(pointer.child(member)));
        }
        // Its parts need a value for each row too.
        let (list, features): (_, Vec<Option<&Self>>) = match self.own_parts() {
            Parts::Members(members) | Parts::Tuple(members) => {
                ("features", members.iter().map(Some).collect())
            }
            Parts::Variants(variants) => (
                "variants",
                variants.all().iter().map(Variant::value).collect(),
            ),
            Parts::None | Parts::Element(_) | Parts::Entries(_) => return,
        };
        let list = pointer.child("distribution").child(list);
        for (index, feature) in features.into_iter().enumerate() {
            let pointer = list.child(index.to_string());
            if let Some(feature) = feature {
                feature.check_values(count, of, &pointer, faults);
            }
        }
    }

    /// Returns the name of an unnamed feature, by its position from 1.
    pub(crate) fn numbered(position: usize) -> String {
        format!("feature_{position}")
    }

    /// Returns the canonical form as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut members = self.members();
        if !self.name.is_empty() {
            members.push(("feature_name", Value::from(self.name.as_str())));
        }
        Value::object(members)
    }

    /// Returns all members except the name.
    pub(crate) fn members(&self) -> Vec<(&'static str, Value)> {
        let mut members = vec![
            ("type", Value::from(self.feature_type.name())),
            ("distribution", scalar::to_value(self.distribution())),
        ];
        members.extend(self.modifiers.members());
        if self.null_probability > 0.0 {
            members.push(("null_probability", Value::from(self.null_probability)));
        }
        members
    }

    /// Returns the problem with a name, if any.
    pub(crate) fn name_problem(name: &str) -> Option<String> {
        if name.trim().is_empty() {
            Some("must not be blank".to_owned())
        } else if name.len() > NAME_BYTES {
            Some(format!("must be at most {NAME_BYTES} bytes long"))
        } else if name.chars().any(char::is_control) {
            Some("must not contain control characters".to_owned())
        } else {
            None
        }
    }
}

impl RelatedFeature for Feature {
    fn feature_type(&self) -> FeatureType {
        self.feature_type
    }

    fn null_probability(&self) -> f64 {
        self.null_probability
    }

    fn distribution(&self) -> &dyn Distribution {
        self.distribution.values()
    }

    fn modifiers(&self) -> &Modifiers {
        &self.modifiers
    }

    fn is_computed(&self) -> bool {
        self.parts().features().is_empty() && self.structure().reference().is_some()
    }

    fn inversion(&self) -> Result<Inversion<'_>, Invalid> {
        let (name, distribution) = (&self.name, self.distribution_name());
        if self.is_computed() {
            return invalid!(
                "`{name}` is {distribution}, whose values depend on another feature; remove it here"
            );
        }
        if self.is_unique() {
            return invalid!(
                "`{name}` is unique, so only the seed decides the order of its values; remove `unique`"
            );
        }
        self.distribution().inversion().ok_or_else(|| Invalid::from(match self.distribution().sampler() {
            Sampler::Fixed(_) => {
                format!("`{name}` is {distribution}, which is not random; remove it here")
            }
            _ if self.feature_type == FeatureType::List => format!(
                "the length of `{name}` takes several random numbers, or is another feature; state \
                 one that takes one, such as {{\"min\": 0, \"max\": 8}}"
            ),
            _ => format!(
                "`{name}` is {distribution}, which takes several random numbers for each value; use a distribution that \
                 takes one, such as gaussian or uniform"
            ),
        }))
    }

    fn unordered(&self) -> Option<String> {
        let name = &self.name;
        if self.is_computed() {
            return self.inversion().err().map(|it| it.to_string());
        }
        self.structure().list()?;
        if let Some(other) = self.structure().reference() {
            let other = other.first();
            return Some(format!(
                "`{name}` is as long as `{other}`; name `{other}` here instead, or state a length"
            ));
        }
        self.recursion.is_any().then(|| {
            format!(
                "`{name}` contains more values of its shape, and is empty at the deepest level; \
                 remove it here"
            )
        })
    }
}

impl PartialEq for Feature {
    fn eq(&self, other: &Self) -> bool {
        self.to_value() == other.to_value()
    }
}
