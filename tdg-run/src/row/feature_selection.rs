//! The features that a function takes, according to its parameters.

use std::fmt;
use std::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;
use tdg_engine::Takes;

/// The features that a function takes, according to its parameters.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// The feature that the parameter takes if the definition has it, instead of the row.
    feature: Option<&'static str>,
    row: TakenRow,
}

/// The part of a row that a function takes.
#[derive(Clone, Debug, Default)]
enum TakenRow {
    #[default]
    Whole,
    Features(&'static [&'static str]),
}

impl Taken {
    /// Takes the whole row.
    pub fn row() -> Self {
        Self::default()
    }

    /// Takes these features.
    pub fn features(names: &'static [&'static str]) -> Self {
        Self {
            feature: None,
            row: TakenRow::Features(names),
        }
    }

    /// Takes the features that are fields of the struct, or the whole row if `T` isn't a struct.
    pub fn fields_of<'de, T: Deserialize<'de>>() -> Self {
        match T::deserialize(FieldNames) {
            Err(Asked::Fields(names)) => Self::features(names),
            Err(Asked::Otherwise) | Ok(_) => Self::row(),
        }
    }

    /// Takes the fields of `T`, the element type of a batch.
    pub fn fields_of_each<'de, T: Deserialize<'de>>(_: PhantomData<Vec<T>>) -> Self {
        Self::fields_of::<T>()
    }

    /// Takes the feature of that name if the definition has it, or else the fields of `T`.
    pub fn feature_or_fields_of<'de, T: Deserialize<'de>>(feature: &'static str) -> Self {
        Self {
            feature: Some(feature),
            ..Self::fields_of::<T>()
        }
    }

    /// Takes everything that both take, and possibly more.
    pub(crate) fn and(self, other: Self) -> Self {
        match (&self.row, &other.row) {
            (TakenRow::Features(these), TakenRow::Features(those)) if these == those => self,
            _ => Self::row(),
        }
    }

    /// Returns the taken features of a definition with features of these names.
    pub(crate) fn among<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Takes {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        match (self.feature, &self.row) {
            (Some(feature), _) if names.any(|name| name == feature) => {
                Takes::Named(owned(&[feature]))
            }
            (_, TakenRow::Whole) => Takes::All,
            (_, TakenRow::Features(names)) => Takes::Named(owned(names)),
        }
    }
}

/// Finds the fields that a type requests, without giving it a value.
struct FieldNames;

/// The request of a type.
#[derive(Debug)]
enum Asked {
    Fields(&'static [&'static str]),
    Otherwise,
}

impl<'de> Deserializer<'de> for FieldNames {
    type Error = Asked;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Asked> {
        Err(Asked::Fields(fields))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Asked> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Asked> {
        visitor.visit_some(self)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Asked> {
        Err(Asked::Otherwise)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("asked for the fields without a value")
    }
}

impl std::error::Error for Asked {}

impl serde_core::de::Error for Asked {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Otherwise
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Order<'a> {
        amount: f64,
        #[serde(rename = "unit price")]
        price: Option<f64>,
        #[serde(borrow)]
        coupon: &'a str,
        #[serde(skip)]
        cache: u8,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Wrapped<'a>(#[serde(borrow)] Order<'a>);

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Flat<'a> {
        #[serde(flatten, borrow)]
        order: Order<'a>,
    }

    fn names(taken: &Taken) -> Option<String> {
        taken.among(["amount", "order"].into_iter()).to_json()
    }

    #[test]
    fn a_struct_takes_its_fields() {
        let fields = Some(r#"["amount","unit price","coupon"]"#.to_owned());
        assert_eq!(names(&Taken::fields_of::<Order<'_>>()), fields);
        assert_eq!(names(&Taken::fields_of::<Wrapped<'_>>()), fields);
        assert_eq!(names(&Taken::fields_of::<Option<Order<'_>>>()), fields);
        let each = Taken::fields_of_each(PhantomData::<Vec<Order<'_>>>);
        assert_eq!(names(&each), fields);
    }

    #[test]
    fn anything_else_takes_the_row() {
        assert_eq!(names(&Taken::fields_of::<Flat<'_>>()), None);
        assert_eq!(names(&Taken::fields_of::<(f64, &str)>()), None);
        assert_eq!(names(&Taken::fields_of::<BTreeMap<String, f64>>()), None);
        assert_eq!(names(&Taken::fields_of::<f64>()), None);
    }

    #[test]
    fn a_parameter_of_unknown_meaning_takes_its_feature_or_its_fields() {
        let feature = Taken::feature_or_fields_of::<Order<'_>>("order");
        assert_eq!(names(&feature).as_deref(), Some(r#"["order"]"#));
        let row = Taken::feature_or_fields_of::<f64>("price");
        assert_eq!(names(&row), None);
    }
}
