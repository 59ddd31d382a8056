//! Where in the source each part of the JSON comes from.

use proc_macro2::TokenStream;
use quote::ToTokens;
use tdg_definition::Faults;
use tdg_definition::json::Pointer;

use crate::errors::Errors;

#[derive(Clone, Default)]
pub(crate) struct Places {
    places: Vec<Place>,
    silent: Vec<Pointer>,
}

#[derive(Clone)]
struct Place {
    pointer: Pointer,
    tokens: TokenStream,
    /// What messages about it begin with.
    name: Option<String>,
}

impl Places {
    pub(crate) fn add(&mut self, pointer: Pointer, tokens: impl ToTokens) {
        self.places.push(Place {
            pointer,
            tokens: tokens.to_token_stream(),
            name: None,
        });
    }

    /// A member whose name stands in its pointer alone, and so in no message.
    pub(crate) fn add_named(&mut self, pointer: Pointer, tokens: impl ToTokens) {
        let name = pointer.segments().next_back().map(str::to_owned);
        self.places.push(Place {
            tokens: tokens.to_token_stream(),
            name,
            pointer,
        });
    }

    /// No faults are reported there: what is wrong is known, or it is not known yet what stands there.
    pub(crate) fn silence(&mut self, pointer: Pointer) {
        self.silent.push(pointer);
    }

    /// What was written there; nothing for a place that is not known.
    pub(crate) fn tokens(&self, pointer: &Pointer) -> TokenStream {
        let place = self.places.iter().find(|at| at.pointer == *pointer);
        place.map(|at| at.tokens.clone()).unwrap_or_default()
    }

    /// Reports each fault at the smallest part around it.
    pub(crate) fn report(&self, faults: &Faults, whole: &impl ToTokens, errors: &mut Errors) {
        for fault in faults.iter() {
            let pointer = &fault.pointer;
            if self.silent.iter().any(|silent| silent.covers(pointer)) {
                continue;
            }
            let around = self.places.iter().filter(|at| at.pointer.covers(pointer));
            let place = around.max_by_key(|at| at.pointer.depth());
            let message = match place.and_then(|at| at.name.as_ref()) {
                Some(name) => format!("`{name}`: {}", fault.message),
                None => fault.message.clone(),
            };
            match place {
                Some(at) => errors.at(&at.tokens, message),
                None => errors.at(whole, message),
            }
        }
    }
}
