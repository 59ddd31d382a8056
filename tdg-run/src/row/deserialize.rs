//! Deserialization of a row: a struct by names, a tuple by order, or its only value.

use serde_core::de::value::{BorrowedStrDeserializer, U64Deserializer};
use serde_core::de::{
    Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;

use super::cell::Cell;
use super::null::Null;
use super::{BindError, Vectors};
use tdg_engine::generate::VectorsFeature;

/// One row of an ensemble.
///
/// ```
/// use tdg::{Definition, Vectors};
///
/// # let definition = Definition::parse(r#"{"features": [
/// #     {"feature_name": "dice", "type": "INTEGER",
/// #      "distribution": {"type": "constant", "value": 4}},
/// #     {"feature_name": "colour", "type": "STRING",
/// #      "distribution": {"type": "constant", "value": "red"}}
/// # ]}"#).unwrap();
/// let vectors = Vectors::generate(&definition, 0, 10);
/// let row = vectors.row(3);
/// let dice: u8 = row.get("dice")?;
/// let (_, colour): (i64, &str) = row.to()?;
/// # assert_eq!((dice, colour), (4, "red"));
/// # Ok::<(), tdg::BindError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    vectors: &'a Vectors,
    pub(super) index: usize,
    /// The position of a feature that reads as null, to try if its type takes null.
    null: Option<usize>,
}

impl Vectors {
    /// Returns the row at `index`, from 0.
    ///
    /// # Panics
    /// Panics if `index` is out of bounds.
    #[must_use]
    pub fn row(&self, index: usize) -> Row<'_> {
        assert!(index < self.size(), "row {index} of {} rows", self.size());
        Row::new(self, index)
    }

    /// Returns all rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.size()).map(|index| Row::new(self, index))
    }
}

impl<'a> Row<'a> {
    pub(super) fn new(vectors: &'a Vectors, index: usize) -> Self {
        Self {
            vectors,
            index,
            null: None,
        }
    }

    /// Returns true if `T`, the type of the row, refuses null at that position.
    pub(super) fn refuses_null<T: Deserialize<'a>>(self, position: usize) -> bool {
        let null = Some(position);
        match (Row { null, ..self }).to::<T>() {
            Ok(_) => false,
            // Another error is about the row as a whole, and drawn rows may never cause it.
            Err(error) => error.is_about_null(),
        }
    }

    /// Returns the index of this row in the ensemble, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the whole row as one value: a struct by feature names, a tuple in feature order, or
    /// the only feature's value.
    ///
    /// # Errors
    /// Fails if the row isn't such a value. The message names the feature and its value.
    pub fn to<T: Deserialize<'a>>(&self) -> Result<T, BindError> {
        let order = &self.vectors.field_order;
        let takes_names = order.takes_names();
        match T::deserialize(*self) {
            // A handwritten `Deserialize` may accept names only.
            Err(_) if order.takes_names() != takes_names => T::deserialize(*self),
            value => value,
        }
    }

    /// Returns the value of a feature.
    ///
    /// # Errors
    /// Fails if there isn't such a feature, or if its value doesn't have the requested type.
    pub fn get<T: Deserialize<'a>>(&self, feature: &str) -> Result<T, BindError> {
        self.read(self.vectors.find(feature)?)
    }

    // All cells go through this: `map_err` would be an extra call in builds without optimisation.
    #[inline(always)]
    pub(super) fn read<T: Deserialize<'a>>(
        &self,
        feature: &'a VectorsFeature,
    ) -> Result<T, BindError> {
        match T::deserialize(self.cell(feature)) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.at(self.index, feature)),
        }
    }

    pub(super) fn vectors(&self) -> &'a Vectors {
        self.vectors
    }

    /// Returns the only feature, for types that read a single value.
    fn only(&self) -> Result<&'a VectorsFeature, BindError> {
        match self.vectors.table.width() {
            1 => Ok(&self.vectors.table.features()[0]),
            width => Err(BindError::new(format!(
                "a row of {width} features is not a single value: take a struct with fields of \
                 their names, a tuple of {width}, or name the parameters after the features"
            ))),
        }
    }

    fn cell(&self, feature: &'a VectorsFeature) -> Cell<'a> {
        Cell {
            column: &feature.column,
            row: self.index,
        }
    }

    fn cells(&self) -> CellsInOrder<'a> {
        CellsInOrder {
            row: *self,
            position: 0,
            fields: None,
        }
    }
}

macro_rules! only_value {
    ($($method:ident $(($($argument:ident: $type:ty),*))?)*) => {$(
        fn $method<V: Visitor<'de>>(
            self,
            $($($argument: $type,)*)?
            visitor: V,
        ) -> Result<V::Value, BindError> {
            let feature = self.only()?;
            if self.null.is_some() {
                return Null.$method($($($argument,)*)? visitor).map_err(BindError::about_null);
            }
            self.cell(feature)
                .$method($($($argument,)*)? visitor)
                .map_err(|error| error.at(self.index, feature))
        }
    )*};
}

impl<'de> Deserializer<'de> for Row<'de> {
    type Error = BindError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_map(self.cells())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        visitor.visit_seq(self.cells())
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        let width = self.vectors.table.width();
        if length == width {
            return visitor.visit_seq(self.cells());
        }
        Err(BindError::new(format!(
            "a row has {width} features, but the tuple has {length} elements"
        )))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        let order = &self.vectors.field_order;
        if let Some(positions) = order.positions::<V>(fields) {
            return visitor.visit_map(CellsInOrder {
                fields: Some(positions),
                ..self.cells()
            });
        }
        let value = visitor.visit_map(self.cells())?;
        order.note::<V>(fields, self.vectors.table.names());
        Ok(value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BindError> {
        match self.only() {
            Ok(_) if self.null.is_some() => visitor.visit_none(),
            Ok(feature) => self
                .cell(feature)
                .deserialize_option(visitor)
                .map_err(|error| error.at(self.index, feature)),
            Err(_) => visitor.visit_some(self),
        }
    }

    only_value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    forward_to_deserialize_any! { map unit unit_struct identifier ignored_any }
}

/// Reads the cells of a row from the first to the last.
struct CellsInOrder<'a> {
    row: Row<'a>,
    /// The position of the next cell.
    position: usize,
    /// The field indices to give to a struct in place of the features' names.
    fields: Option<&'a [u64]>,
}

impl<'a> CellsInOrder<'a> {
    fn is_done(&self) -> bool {
        self.position == self.row.vectors.table.width()
    }

    fn next<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value, BindError> {
        let position = self.position;
        self.position += 1;
        if self.row.null == Some(position) {
            return seed.deserialize(Null).map_err(BindError::about_null);
        }
        let feature = &self.row.vectors.table.features()[position];
        seed.deserialize(self.row.cell(feature))
            .map_err(|error| error.at(self.row.index, feature))
    }
}

impl<'de> SeqAccess<'de> for CellsInOrder<'de> {
    type Error = BindError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, BindError> {
        if self.is_done() {
            return Ok(None);
        }
        self.next(seed).map(Some)
    }
}

impl<'de> MapAccess<'de> for CellsInOrder<'de> {
    type Error = BindError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, BindError> {
        if self.is_done() {
            return Ok(None);
        }
        if let Some(fields) = self.fields {
            let field: U64Deserializer<BindError> = fields[self.position].into_deserializer();
            let found = seed.deserialize(field);
            return found
                .inspect_err(|_| self.row.vectors.field_order.take_names())
                .map(Some);
        }
        let name = self.row.vectors.table.name(self.position);
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, BindError> {
        self.next(seed)
    }
}
