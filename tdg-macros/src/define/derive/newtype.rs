//! Structs that serde writes as their one value: `struct Sku(String)`, `#[serde(transparent)]`.

use syn::ext::IdentExt;
use syn::{DataStruct, DeriveInput, Field, Fields};
use tdg_definition::json::Pointer;

use super::struct_fields::read_value;
use crate::define::container::Container;
use crate::define::definition::CodeFeature;
use crate::define::json_part::JsonPart;
use crate::define::serde::Serde;
use crate::errors::Errors;

/// Returns the one field, if the struct is written as its value.
pub(crate) fn field_of<'a>(data: &'a DataStruct, container: &Container) -> Option<&'a Field> {
    let is_read = |field: &&Field| {
        let serde = Serde::read(&field.attrs, &mut Errors::default());
        serde.skip.is_none()
    };
    let is_one = match &data.fields {
        Fields::Unnamed(fields) => fields.unnamed.len() == 1,
        _ => container.serde.transparent,
    };
    let mut fields = data.fields.iter().filter(is_read);
    let field = fields.next().filter(|_| is_one)?;
    fields.next().is_none().then_some(field)
}

/// Reads the feature of the struct's values.
pub(crate) fn read(
    input: &DeriveInput,
    field: &Field,
    container: &Container,
    errors: &mut Errors,
) -> CodeFeature {
    let mut places = container.places.clone();
    if !container.members.is_empty() {
        let problem = "serde writes this struct as its one value, so it has no relations and no \
                       name; write #[define(…)] before its field";
        errors.at(&input.ident, problem);
    }
    let at: Pointer = ["features", "0"].into_iter().collect();
    let part = JsonPart::new(at, &mut places, errors);
    let mut feature = read_value(field, input.ident.unraw().to_string(), part);
    feature.check(&input.ident, &places, errors);
    feature.members.remove("feature_name");
    feature
}
