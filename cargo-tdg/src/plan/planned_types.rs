//! The types that are planned once for all functions.

use std::cell::RefCell;
use std::collections::BTreeMap;

use syn::Type;

use super::argument::{Argument, ArgumentMaker};
use crate::sources::{ItemPlace, Unsupported};

/// The argument for a type, or the reason why it has none.
pub(super) type Planned = Result<Argument, Unsupported>;
/// An attempt to make a type with these arguments.
type TypeAttempt = (usize, ItemPlace, Vec<String>);
/// A trait, the depth of the requirement, and the attempt.
type TraitAttempt = (ItemPlace, usize, usize);

/// A cache of the crate's planned types, with their arguments, per attempt.
pub(crate) struct PlannedTypes<'e> {
    pub(super) known: RefCell<BTreeMap<TypeAttempt, Planned>>,
    /// The methods that may change a value, per attempt.
    pub(super) changes: RefCell<BTreeMap<TypeAttempt, Vec<ArgumentMaker>>>,
    /// The chosen implementers of the crate's traits, by depth and attempt.
    pub(super) implementers: RefCell<BTreeMap<TraitAttempt, Result<Type, Unsupported>>>,
    /// Returns the effect that prevents a function from being called first.
    pub(super) effect_of: &'e dyn Fn(&str) -> Option<&'static str>,
    /// Set if functions with effects may still make values.
    is_allowed: bool,
    /// Set if rows hold values of types that say how they are drawn.
    pub(super) are_held: bool,
}

impl<'e> PlannedTypes<'e> {
    pub(crate) fn new(
        effect_of: &'e dyn Fn(&str) -> Option<&'static str>,
        is_allowed: bool,
    ) -> Self {
        Self {
            known: RefCell::default(),
            changes: RefCell::default(),
            implementers: RefCell::default(),
            effect_of,
            is_allowed,
            are_held: false,
        }
    }

    /// Plans types for the rows of a test.
    pub(crate) fn of_rows(effect_of: &'e dyn Fn(&str) -> Option<&'static str>) -> Self {
        Self {
            are_held: true,
            ..Self::new(effect_of, false)
        }
    }

    /// Returns the effect that prevents a function from making values.
    pub(super) fn avoided(&self, path: &str) -> Option<&'static str> {
        (self.effect_of)(path).filter(|_| !self.is_allowed)
    }
}
