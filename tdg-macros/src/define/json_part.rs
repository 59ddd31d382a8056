//! A part of the JSON that is being read.

use quote::ToTokens;
use syn::parse::ParseStream;
use tdg_definition::json::Pointer;

use crate::commas;
use crate::errors::Errors;
use crate::source_places::Places;

/// A part of the JSON, with the places and errors of the whole.
pub(crate) struct JsonPart<'a> {
    pub(crate) pointer: Pointer,
    pub(crate) places: &'a mut Places,
    pub(crate) errors: &'a mut Errors,
}

impl<'a> JsonPart<'a> {
    pub(crate) fn new(pointer: Pointer, places: &'a mut Places, errors: &'a mut Errors) -> Self {
        Self {
            pointer,
            places,
            errors,
        }
    }

    /// Returns the part at another pointer.
    pub(crate) fn at(&mut self, pointer: Pointer) -> JsonPart<'_> {
        JsonPart::new(pointer, self.places, self.errors)
    }

    pub(crate) fn child(&mut self, key: impl AsRef<str>) -> JsonPart<'_> {
        self.at(self.pointer.child(key))
    }

    /// Adds the tokens of this part.
    pub(crate) fn add(&mut self, tokens: impl ToTokens) {
        self.places.add(self.pointer.clone(), tokens);
    }

    /// Adds the tokens of a member. Messages about it begin with its name.
    pub(crate) fn add_member(&mut self, key: &str, tokens: impl ToTokens) {
        self.places.add_named(self.pointer.child(key), tokens);
    }

    /// Reads a list, and silences the part after a mistake, since missing items may be in the
    /// source.
    pub(crate) fn each(
        &mut self,
        input: ParseStream<'_>,
        what: &str,
        mut read: impl FnMut(ParseStream<'_>, &mut JsonPart<'_>) -> syn::Result<()>,
    ) {
        let (pointer, places) = (&self.pointer, &mut *self.places);
        let read = |input: ParseStream<'_>, errors: &mut Errors| {
            read(input, &mut JsonPart::new(pointer.clone(), places, errors))
        };
        if !commas::each(input, what, self.errors, read) {
            self.places.silence(self.pointer.clone());
        }
    }
}
