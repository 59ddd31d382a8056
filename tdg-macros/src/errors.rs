//! Collected errors, so that one compilation shows all mistakes in an attribute.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{GenericParam, Generics};

#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl std::fmt::Display) {
        self.add(syn::Error::new_spanned(place, message));
    }

    /// Reports each generic parameter whose argument is unknown at compile time. The compiler
    /// infers lifetimes, so they are fine.
    pub(crate) fn at_generics(
        &mut self,
        generics: &Generics,
        problem: impl Fn(&str, &Ident) -> String,
    ) {
        for parameter in &generics.params {
            let problem = match parameter {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Type(it) => problem("type", &it.ident),
                GenericParam::Const(it) => problem("constant", &it.ident),
            };
            self.at(parameter, problem);
        }
    }

    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Returns the value of a successful step, and keeps the error of a failed one.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// Returns the errors so far, for a step that can't continue.
    pub(crate) fn take(&mut self) -> Option<syn::Error> {
        self.0.take()
    }

    pub(crate) fn into_error(self) -> Option<syn::Error> {
        self.0
    }
}
