//! One of several variants for serde.

use serde_core::de::value::BorrowedStrDeserializer;
use serde_core::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Unexpected, VariantAccess, Visitor,
};
use tdg_definition::{Cells, VariantCells, VariantForm};

use super::BindError;
use super::cell::{Cell, CellMember, CellMembers};

/// A variant, with its value if it has one.
#[derive(Clone, Copy)]
pub(super) struct ChosenVariant<'a> {
    form: &'a VariantForm,
    name: &'a str,
    value: Option<Cell<'a>>,
}

impl<'a> ChosenVariant<'a> {
    pub(super) fn new(variants: &'a VariantCells, row: usize) -> Self {
        let value = variants.value(row);
        Self {
            form: variants.form(),
            name: variants.name(row),
            value: value.map(|(column, row)| Cell { column, row }),
        }
    }

    /// Deserializes the variant in its form.
    pub(super) fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, BindError> {
        let Self { form, name, value } = self;
        let map = |visitor: V, tag: Option<&'a str>, content: Option<(&'a str, Cell<'a>)>| {
            let tag = tag.map(|tag| (tag, CellMember::Name(name)));
            let content = content.map(|(content, value)| (content, CellMember::Value(value)));
            visitor.visit_map(CellMembers::new(tag.into_iter().chain(content)))
        };
        match (form, value) {
            (VariantForm::Untagged, Some(value)) => value.deserialize_any(visitor),
            (VariantForm::Untagged, None) => visitor.visit_unit(),
            (VariantForm::Adjacent { tag, content }, value) => {
                map(visitor, Some(tag), value.map(|value| (&**content, value)))
            }
            (VariantForm::Internal { tag }, None) => map(visitor, Some(tag), None),
            (VariantForm::Internal { tag }, Some(value)) => match value.column.cells() {
                Cells::Object(objects) => {
                    let tag = (&**tag, CellMember::Name(name));
                    let members = std::iter::once(tag).chain(value.members(objects));
                    visitor.visit_map(CellMembers::new(members))
                }
                _ => value.deserialize_any(visitor),
            },
            (_, Some(value)) => map(visitor, None, Some((name, value))),
            (_, None) => visitor.visit_borrowed_str(name),
        }
    }

    /// Deserializes the variant as an enum, if serde reads its form like that.
    pub(super) fn deserialize_enum<V: Visitor<'a>>(
        self,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        match self.form {
            VariantForm::External => visitor.visit_enum(self),
            _ => self.deserialize_any(visitor),
        }
    }

    /// Reads the value, or fails if the variant has none.
    fn read<T>(
        self,
        expected: &'static str,
        read: impl FnOnce(Cell<'a>) -> Result<T, BindError>,
    ) -> Result<T, BindError> {
        let Some(value) = self.value else {
            return Err(BindError::invalid_type(Unexpected::UnitVariant, &expected));
        };
        read(value).map_err(|error| error.of_part(&format!("`{}`", self.name)))
    }
}

impl<'de> EnumAccess<'de> for ChosenVariant<'de> {
    type Error = BindError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), BindError> {
        let name = seed.deserialize(BorrowedStrDeserializer::<BindError>::new(self.name))?;
        Ok((name, self))
    }
}

impl<'de> VariantAccess<'de> for ChosenVariant<'de> {
    type Error = BindError;

    fn unit_variant(self) -> Result<(), BindError> {
        match self.value {
            None => Ok(()),
            Some(_) => Err(BindError::invalid_type(
                Unexpected::NewtypeVariant,
                &"unit variant",
            )),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, BindError> {
        self.read("newtype variant", |value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, BindError> {
        self.read("tuple variant", |value| {
            value.deserialize_tuple(length, visitor)
        })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BindError> {
        self.read("struct variant", |value| value.deserialize_any(visitor))
    }
}
