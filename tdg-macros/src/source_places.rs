//! The place in the source of each part of the JSON.

use proc_macro2::TokenStream;
use quote::ToTokens;
use tdg_definition::Faults;
use tdg_definition::json::Pointer;

use crate::errors::Errors;

#[derive(Clone, Default)]
pub(crate) struct Places {
    places: Vec<Place>,
    silent: Vec<Pointer>,
    /// The named constants, which are values of the JSON.
    constants: Vec<TokenStream>,
}

#[derive(Clone)]
struct Place {
    pointer: Pointer,
    tokens: TokenStream,
    /// The word at the start of messages about it.
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

    /// Adds a member whose name is only in its pointer, and so not in messages.
    pub(crate) fn add_named(&mut self, pointer: Pointer, tokens: impl ToTokens) {
        let name = pointer
            .segments()
            .next_back()
            .unwrap_or_default()
            .to_owned();
        self.add_as(&name, pointer, tokens);
    }

    /// Adds a part whose messages begin with that name.
    pub(crate) fn add_as(&mut self, name: &str, pointer: Pointer, tokens: impl ToTokens) {
        self.places.push(Place {
            pointer,
            tokens: tokens.to_token_stream(),
            name: Some(name.to_owned()),
        });
    }

    /// Copies everything at one place to another, including its silence.
    pub(crate) fn copy(&mut self, from: &Pointer, to: &Pointer) {
        let moved = |pointer: &Pointer| -> Option<Pointer> {
            let rest = pointer.segments().skip(from.depth());
            from.covers(pointer)
                .then(|| to.segments().chain(rest).collect())
        };
        let place = |place: &Place| {
            let pointer = moved(&place.pointer)?;
            Some(Place {
                pointer,
                ..place.clone()
            })
        };
        let copies: Vec<Place> = self.places.iter().filter_map(place).collect();
        let silent: Vec<Pointer> = self.silent.iter().filter_map(moved).collect();
        self.silent.extend(silent);
        self.places.extend(copies);
    }

    /// Stores the expression of a named constant, and returns its number.
    pub(crate) fn add_constant(&mut self, expression: &impl ToTokens) -> usize {
        self.constants.push(expression.to_token_stream());
        self.constants.len() - 1
    }

    /// Returns the expression of the constant with that number.
    pub(crate) fn constant(&self, number: usize) -> Option<&TokenStream> {
        self.constants.get(number)
    }

    /// Suppresses faults at that place, which are already reported or can't be known yet.
    pub(crate) fn silence(&mut self, pointer: Pointer) {
        self.silent.push(pointer);
    }

    /// Returns true if faults at that place are suppressed.
    pub(crate) fn is_silent(&self, pointer: &Pointer) -> bool {
        self.silent.iter().any(|silent| silent.covers(pointer))
    }

    /// Returns the tokens at that place, which are empty if it is unknown.
    pub(crate) fn tokens(&self, pointer: &Pointer) -> TokenStream {
        let place = self.places.iter().find(|at| at.pointer == *pointer);
        place.map(|at| at.tokens.clone()).unwrap_or_default()
    }

    /// Reports each fault at the smallest part around it.
    pub(crate) fn report(&self, faults: &Faults, whole: &impl ToTokens, errors: &mut Errors) {
        for fault in faults.iter() {
            let pointer = &fault.pointer;
            if self.is_silent(pointer) {
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
