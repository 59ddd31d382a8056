//! Values of the crate's types: variants, results of functions, or values filled by methods.

use std::cell::Cell;

use syn::{Fields, Item, ItemEnum, Type};

use super::argument::{Argument, ArgumentMaker, DrawnParts, DrawnVariant, HeldType, PassedAs};
use super::planned_types::Planned;
use super::planner::{Planner, Within};
use crate::sources::tokens::{has_no_size, text, ungrouped};
use crate::sources::{
    ItemPlace, MakerForm, Substitution, TypeMaker, derives, generics, plain, type_of,
};

/// The maximum nesting of the crate's types.
const DEEPEST: usize = 5;
/// The maximum number of methods that may change a value.
const MOST_CALLS: usize = 12;

/// A type of the crate, with its path and arguments.
#[derive(Clone, Copy)]
struct CrateType<'t> {
    place: ItemPlace,
    path: &'t str,
    arguments: &'t [String],
}

type Make<'m> = &'m dyn Fn(TypeMaker) -> Option<ArgumentMaker>;

impl Planner<'_, '_> {
    /// Returns the argument for a type with these arguments.
    pub(super) fn of_crate(
        &self,
        place: ItemPlace,
        arguments: &[String],
        within: Within<'_>,
    ) -> Planned {
        if !within.is_empty() {
            return self.of_crate_within(place, arguments, within);
        }
        let key = (self.chooser.attempt, place, arguments.to_vec());
        if let Some(known) = self.planned.known.borrow().get(&key) {
            return known.clone();
        }
        let planned = self.of_crate_within(place, arguments, within);
        self.planned.known.borrow_mut().insert(key, planned.clone());
        planned
    }

    fn of_crate_within(
        &self,
        place: ItemPlace,
        arguments: &[String],
        within: Within<'_>,
    ) -> Planned {
        let item = &self.function.sources.modules[place.0].items[place.1];
        let Some(path) = self.function.public.get(place.0, place.1) else {
            return Err("has a private type".into());
        };
        if let Some(is_row) = self.planned.are_held.then(|| states_rows(item)).flatten() {
            let path = path.to_owned();
            return Ok(Argument::Held(HeldType::Stated { path, is_row }));
        }
        if within.len() >= DEEPEST || within.contains(&place) {
            return Err("has a recursive type".into());
        }
        let within = &[within, &[place]].concat()[..];
        let generics = generics(item).ok_or("has a type that can't be drawn")?;
        let borrows = generics.lifetimes().next().is_some() || has_no_size(item);
        let of = CrateType {
            place,
            path,
            arguments,
        };
        let effect = Cell::new(None);
        let make = |maker: TypeMaker| match self.planned.avoided(&maker.path) {
            Some(avoided) => {
                effect.set(Some(avoided));
                None
            }
            None => self.made(maker, borrows, within),
        };
        let variants = match item {
            Item::Enum(item) => self.variants(of, item, &make),
            _ => None,
        };
        let argument = variants.or_else(|| self.made_or_filled(of, &make));
        argument.ok_or_else(|| match effect.get() {
            Some(effect) => format!(
                "has a type whose constructors access {effect}; to call it: --allow {}",
                self.function.name()
            )
            .into(),
            None => "has a type without a constructor that takes drawn values".into(),
        })
    }

    /// Returns `None` if the enum is empty or a variant can't be drawn.
    fn variants(&self, of: CrateType<'_>, item: &ItemEnum, make: Make<'_>) -> Option<Argument> {
        let types = self.function.parameters_of(of.place, of.arguments);
        let variants = item.variants.iter().map(|variant| {
            let path = format!("{}::{}", of.path, variant.ident);
            let maker = TypeMaker::literal(of.place.0, path, &variant.attrs, &variant.fields)?;
            Some(DrawnVariant::named(
                plain(&variant.ident),
                make(maker.with(&types))?,
            ))
        });
        let variants = Argument::Variant(variants.collect::<Option<_>>()?);
        (!item.variants.is_empty() && variants.is_element()).then_some(variants)
    }

    /// Returns the value along with calls of methods that may change it before it is passed.
    pub(super) fn with_calls(&self, kind: &Type, made: Argument) -> Argument {
        let kind = match ungrouped(kind) {
            Type::Reference(reference) => &*reference.elem,
            kind => kind,
        };
        let filling: &[DrawnVariant] = match &made {
            Argument::Leaked { .. } => return made,
            Argument::Changed { calls, .. } => calls,
            _ => &[],
        };
        let calls = self.calls(kind).unwrap_or_default();
        let fills = |it: &ArgumentMaker| filling.iter().any(|filling| filling.maker == *it);
        match calls.iter().all(fills) {
            true => made,
            false => changed(made, calls, DrawnParts::Made),
        }
    }

    /// Returns the calls that change a value of the type, if it is one of the crate's.
    fn calls(&self, kind: &Type) -> Option<Vec<ArgumentMaker>> {
        let (sources, scope) = (self.function.sources, self.function.scope);
        let place = type_of(sources, scope, kind)?;
        let item = &sources.modules[place.0].items[place.1];
        let arguments = self.function.arguments(scope, kind, place).ok()?;
        let path = self.function.public.get(place.0, place.1)?;
        let borrows = generics(item)?.lifetimes().next().is_some();
        if has_no_size(item) {
            return None;
        }
        let key = (self.chooser.attempt, place, arguments.clone());
        if let Some(known) = self.planned.changes.borrow().get(&key) {
            return Some(known.clone());
        }
        let changes = self.function.changes(place, path, &arguments).into_iter();
        let changes = changes.filter(|it| (self.planned.effect_of)(&it.path).is_none());
        let calls = changes.filter_map(|it| self.made(it, borrows, &[place]));
        let calls = calls.filter(|it| it.parts.is_empty() || it.is_element());
        let calls: Vec<_> = calls.take(MOST_CALLS).collect();
        self.planned.changes.borrow_mut().insert(key, calls.clone());
        Some(calls)
    }

    /// Chooses by attempt: first makers of different values, then values filled by methods, then
    /// other makers.
    fn made_or_filled(&self, of: CrateType<'_>, make: Make<'_>) -> Option<Argument> {
        // An empty value is one of few.
        let is_one_of_many = |it: &ArgumentMaker| it.is_drawn() && !only_allocates(it);
        let makers = self.function.makers(of.place, of.path, of.arguments);
        let mut makers = makers.into_iter().filter_map(make);
        let (mut drawn, mut others) = (Vec::new(), Vec::new());
        for maker in makers.by_ref() {
            match is_one_of_many(&maker) {
                true => drawn.push(maker),
                false => others.push(maker),
            }
            if drawn.len() > self.chooser.attempt {
                break;
            }
        }
        if drawn.len() > self.chooser.attempt
            && let Some(chosen) = drawn.pop()
        {
            let others = drawn.into_iter().chain(others).chain(makers);
            return Some(helped(chosen, self.constants(of, make), others));
        }
        others.sort_by_key(|it| !it.parts.is_empty());
        let empty = others.iter().find(|it| !it.is_drawn()).cloned();
        let filled = empty.and_then(|empty| {
            let methods = self.function.methods(of.place, of.path, of.arguments);
            let methods = methods.into_iter().filter_map(make);
            let calls: Vec<_> = methods.filter(ArgumentMaker::is_element).collect();
            let is_filled = !calls.is_empty();
            is_filled.then(|| changed(Argument::Made(empty), calls, DrawnParts::Calls))
        });
        let producers = self.function.producers(of.place, of.arguments);
        let producers = producers.into_iter().filter_map(make);
        let others = others.into_iter().chain(producers).map(Argument::Made);
        let drawn = drawn.into_iter().map(Argument::Made);
        let constants = self.constants(of, make);
        let constants = (constants.len() > 1).then_some(Argument::Variant(constants));
        self.chooser
            .pick(drawn.chain(constants).chain(filled).chain(others))
    }

    /// Returns the constants of a type as its variants.
    fn constants(&self, of: CrateType<'_>, make: Make<'_>) -> Vec<DrawnVariant> {
        if !of.arguments.is_empty() {
            return Vec::new();
        }
        let constants = self.function.constants(of.place, of.path).into_iter();
        let constants = constants.filter_map(make);
        let variant = |it: ArgumentMaker| DrawnVariant::named(it.name().to_owned(), it);
        constants.map(variant).collect()
    }

    /// Returns `None` if an input of the maker can't be drawn. A value that `borrows` holds
    /// `'static` references.
    fn made(&self, maker: TypeMaker, borrows: bool, within: Within<'_>) -> Option<ArgumentMaker> {
        let chosen = Substitution::default();
        let chosen = self.chooser.choose(maker.scope, &maker.generics, chosen);
        let chosen = chosen.ok()?;
        let parts = maker.inputs.into_iter().map(|(name, kind)| {
            let planned = self.chosen_argument(maker.scope, &kind, &chosen, within);
            let (argument, passed) = match planned.ok()? {
                (to, PassedAs::Changed { is_unsized }) => {
                    (leaked(to, true, is_unsized), PassedAs::Owned)
                }
                (to, PassedAs::Borrowed { is_unsized }) if borrows => {
                    (leaked(to, false, is_unsized), PassedAs::Owned)
                }
                planned => planned,
            };
            Some((name, argument, passed))
        });
        Some(ArgumentMaker {
            form: maker.form,
            path: maker.path,
            parts: parts.collect::<Option<_>>()?,
        })
    }
}

/// Returns true for a struct whose fields are a row, and `None` unless the type derives how it is
/// drawn.
fn states_rows(item: &Item) -> Option<bool> {
    let (attributes, has_fields) = match item {
        Item::Struct(item) if item.generics.params.is_empty() => {
            (&item.attrs, matches!(item.fields, Fields::Named(_)))
        }
        Item::Enum(item) => (&item.attrs, false),
        _ => return None,
    };
    let is_defined = derives(attributes, "Define") && derives(attributes, "Deserialize");
    let mut serde = attributes.iter().filter(|it| it.path().is_ident("serde"));
    let is_transparent = serde.any(|it| text(&it.meta).contains("transparent"));
    is_defined.then_some(has_fields && !is_transparent)
}

fn changed(made: Argument, calls: Vec<ArgumentMaker>, drawn: DrawnParts) -> Argument {
    Argument::Changed {
        made: Box::new(made),
        calls: calls.into_iter().map(DrawnVariant::from_maker).collect(),
        drawn,
    }
}

fn leaked(to: Argument, is_changed: bool, is_unsized: bool) -> Argument {
    Argument::Leaked {
        to: Box::new(to),
        is_changed,
        is_unsized,
    }
}

/// Returns true if the maker only allocates, which aborts for large numbers.
fn only_allocates(maker: &ArgumentMaker) -> bool {
    maker.name().starts_with("with_capacity")
}

/// Pairs a fallible maker with one that always succeeds, or with constants.
fn helped(
    chosen: ArgumentMaker,
    constants: Vec<DrawnVariant>,
    mut others: impl Iterator<Item = ArgumentMaker>,
) -> Argument {
    let is_variant = |it: &ArgumentMaker| it.parts.is_empty() || it.is_element();
    let is_certain = |it: &ArgumentMaker| {
        let is_always = ![MakerForm::Fallible, MakerForm::Failing].contains(&it.form);
        is_always && !only_allocates(it) && is_variant(it) && it.name() != chosen.name()
    };
    if chosen.form != MakerForm::Fallible || !is_variant(&chosen) {
        return Argument::Made(chosen);
    }
    let certain: Vec<DrawnVariant> = match constants.is_empty() {
        true => others
            .find(is_certain)
            .map(DrawnVariant::from_maker)
            .into_iter()
            .collect(),
        false => constants,
    };
    match certain.is_empty() {
        true => Argument::Made(chosen),
        false => {
            let chosen = DrawnVariant::from_maker(chosen);
            Argument::Variant([chosen].into_iter().chain(certain).collect())
        }
    }
}
