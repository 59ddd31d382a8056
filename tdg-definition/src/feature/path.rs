//! The path of another feature.

use std::sync::OnceLock;

use crate::bytes;
use crate::column::{Cells, Column, Referred, ValueScope};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::{Pointer, Value};
use crate::random::StreamRows;
use crate::value;

/// The path of a feature, looked up from the nearest object outwards: `lines`, `order/lines`,
/// `products/sku`.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    path: Vec<String>,
    /// Its place in the definition.
    pointer: Pointer,
    pub(super) purpose: ReferenceUse,
    pub(super) target: OnceLock<ReferredFeature>,
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
    pub(super) of_element: usize,
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

/// The number itself, or the length of a list, a map or bytes.
pub(super) fn count_of(value: &Value) -> Option<u64> {
    match value {
        Value::Array(elements) => Some(elements.len() as u64),
        Value::Object(entries) => Some(entries.len() as u64),
        Value::String(text) => Some(bytes::escapes(text).count() as u64),
        number => number.as_u64(),
    }
}
