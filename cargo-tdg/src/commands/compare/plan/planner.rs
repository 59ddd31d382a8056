//! What is drawn for a parameter, by its type.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use syn::{
    FnArg, Item, ItemEnum, ReturnType, Type, TypeImplTrait as ImplTrait,
    TypeTraitObject as TraitObject,
};

use super::argument::{Argument, ArgumentMaker, Collected, DrawnVariant, PassedAs};
use super::generics::{ChosenTypes, TypeChooser};
use super::standard::{made, result, standard, wrapper};
use crate::sources::tokens::{arguments, is_str, is_unsized, length, text, ungrouped};
use crate::sources::{
    ItemPlace, MakerForm, PathTarget, PublicFunction, TypeMaker, generics, parameter_name, plain,
    type_path, whole_type, written,
};

/// Plans the arguments of a function.
pub(crate) struct Planner<'f, 's> {
    pub(crate) function: &'f PublicFunction<'s>,
    chooser: TypeChooser<'f, 's>,
    chosen: ChosenTypes,
    /// The function's path, with the arguments of its type.
    pub(crate) path: String,
    planned: &'f PlannedTypes<'f>,
    /// How many values the one that is planned is within.
    depth: Cell<usize>,
}

/// The crate's types that were planned already, with their arguments, in each attempt.
pub(crate) struct PlannedTypes<'e> {
    known: RefCell<BTreeMap<TypeAttempt, Result<Argument, String>>>,
    /// The effect of the function of that path, because of which it makes nothing.
    effect_of: &'e dyn Fn(&str) -> Option<&'static str>,
}

impl<'e> PlannedTypes<'e> {
    pub(crate) fn without(effect_of: &'e dyn Fn(&str) -> Option<&'static str>) -> Self {
        Self {
            known: RefCell::default(),
            effect_of,
        }
    }
}

type TypeAttempt = (usize, ItemPlace, Vec<String>);

/// A value that a function takes, and how.
pub(crate) type PlannedArgument = (String, Argument, PassedAs);
type PlannedValue = (Argument, PassedAs);

/// What takes more values than this within each other is not drawn.
const DEEPEST: usize = 12;
/// The same of values of types of the crate.
const DEEPEST_OF_CRATE: usize = 5;

/// The types that are being planned, each by its module and its place there.
type Within<'w> = &'w [ItemPlace];

impl<'f, 's> Planner<'f, 's> {
    /// With types for the parameters of the function and of the type that it is associated with:
    /// other ones in each attempt.
    pub(crate) fn of(
        function: &'f PublicFunction<'s>,
        planned: &'f PlannedTypes<'f>,
        attempt: usize,
    ) -> Result<Self, String> {
        let chooser = TypeChooser {
            function,
            attempt,
            depth: 0,
        };
        let mut chosen = ChosenTypes::default();
        let mut path = function.path.clone();
        if let Some(owner) = &function.owner {
            chosen.substitution = function.defaults(owner);
            chosen = chooser.choose(function.scope, &owner.block.generics, chosen)?;
            let kind = chosen.substitution.applied(&*owner.block.self_ty);
            let arguments = match owner.place {
                Some(place) => function.arguments(function.scope, &kind, place)?,
                None => Vec::new(),
            };
            let whole = whole_type(&owner.path, &arguments);
            let name = written(&plain(&function.signature.ident));
            path = match &owner.block.trait_ {
                Some((_, path, _)) => {
                    let path = function.global_trait(path, &chosen.substitution)?;
                    format!("<{whole} as {path}>::{name}")
                }
                None => format!("{}::{name}", type_path(&owner.path, &arguments)),
            };
            let whole = whole.parse().map_err(|_| "is of a type without a name")?;
            chosen.substitution.insert("Self".to_owned(), whole);
        }
        if let Some(place) = function.of_trait {
            chosen = chooser.implementing(place, chosen)?;
            // No argument tells the type.
            if function.signature.receiver().is_none()
                && let Some(kind) = chosen.substitution.get("Self")
                && let Some((of_trait, name)) = path.rsplit_once("::")
            {
                path = format!("<{} as {of_trait}>::{name}", text(kind));
            }
        }
        let generics = &function.signature.generics;
        let chosen = chooser.choose(function.scope, generics, chosen)?;
        path += &chosen.turbofish(generics);
        Ok(Self {
            function,
            chooser,
            chosen,
            path,
            planned,
            depth: Cell::new(0),
        })
    }

    /// The argument for the parameter at that position.
    pub(crate) fn parameter(
        &self,
        position: usize,
        input: &FnArg,
    ) -> Result<PlannedArgument, String> {
        let (name, kind, said) = match input {
            FnArg::Receiver(it) => ("self".to_owned(), &it.ty, String::new()),
            FnArg::Typed(it) => {
                let name = parameter_name(position, &it.pat);
                (name, &it.ty, format!(": {}", text(&it.ty)))
            }
        };
        let (argument, passed) = self
            .chosen_argument(self.function.scope, kind, &self.chosen, &[])
            .map_err(|reason| format!("`{name}{said}` {reason}"))?;
        Ok((name, argument, passed))
    }

    /// What is drawn for a parameter of a function whose types were chosen.
    fn chosen_argument(
        &self,
        scope: usize,
        kind: &Type,
        chosen: &ChosenTypes,
        within: Within<'_>,
    ) -> Result<PlannedValue, String> {
        let kind = chosen.concrete(self.chooser, scope, kind)?;
        self.passed(scope, &kind, within)
    }

    /// What is drawn for a parameter of the type, and how it is passed.
    fn passed(
        &self,
        scope: usize,
        kind: &Type,
        within: Within<'_>,
    ) -> Result<PlannedValue, String> {
        let Type::Reference(reference) = ungrouped(kind) else {
            return match self.closure(scope, kind, "", within)? {
                Some(closure) => Ok(closure),
                None => Ok((self.value(scope, kind, within)?, PassedAs::Owned)),
            };
        };
        let is_changed = reference.mutability.is_some();
        let by = if is_changed { "&mut " } else { "&" };
        if let Some(closure) = self.closure(scope, &reference.elem, by, within)? {
            return Ok(closure);
        }
        let lifetime = reference.lifetime.as_ref();
        let is_unsized = is_unsized(&reference.elem);
        let passed = match lifetime.is_some_and(|it| it.ident == "static") {
            _ if is_changed => PassedAs::Changed { is_unsized },
            true => PassedAs::Leaked { is_unsized },
            false => PassedAs::Borrowed { is_unsized },
        };
        Ok((self.value(scope, &reference.elem, within)?, passed))
    }

    /// What a closure returns in turn, if the type is that of a function.
    fn closure(
        &self,
        scope: usize,
        kind: &Type,
        by: &'static str,
        within: Within<'_>,
    ) -> Result<Option<PlannedValue>, String> {
        let of_bounds = match ungrouped(kind) {
            Type::TraitObject(it) => Some(self.chooser.of_bounds(scope, &it.bounds)?),
            Type::ImplTrait(it) => Some(self.chooser.of_bounds(scope, &it.bounds)?),
            _ => None,
        };
        let Type::BareFn(function) = of_bounds.as_ref().unwrap_or(ungrouped(kind)) else {
            return Ok(None);
        };
        let parameters = function.inputs.len();
        let ReturnType::Type(_, returned) = &function.output else {
            let passed = PassedAs::Procedure { by, parameters };
            return Ok(Some((Argument::Tuple(Vec::new()), passed)));
        };
        let result = self.element(scope, returned, within)?;
        let passed = PassedAs::Function {
            by,
            parameters,
            of_arguments: self.chooser.attempt == 0,
        };
        let results = Argument::List(Box::new(result), Collected::Results);
        Ok(Some((results, passed)))
    }

    /// What is drawn for an owned value of the type.
    fn value(&self, scope: usize, kind: &Type, within: Within<'_>) -> Result<Argument, String> {
        let depth = self.depth.get();
        if depth >= DEEPEST {
            return Err("is of a type within itself".to_owned());
        }
        self.depth.set(depth + 1);
        let value = self.value_within(scope, kind, within);
        self.depth.set(depth);
        value
    }

    fn value_within(
        &self,
        scope: usize,
        kind: &Type,
        within: Within<'_>,
    ) -> Result<Argument, String> {
        let kind = ungrouped(kind);
        let path = match kind {
            Type::Path(path) if path.qself.is_none() => path,
            Type::Path(path) => {
                let projected = self.function.projected(scope, path);
                let (scope, kind) = projected.ok_or("is of a type that nothing states")?;
                return self.value(scope, &kind, within);
            }
            Type::ImplTrait(ImplTrait { bounds, .. })
            | Type::TraitObject(TraitObject { bounds, .. }) => {
                let kind = self.chooser.of_bounds(scope, bounds)?;
                return self.value(scope, &kind, within);
            }
            Type::Reference(reference) => {
                let to = self.value(scope, &reference.elem, within)?;
                let is_changed = reference.mutability.is_some();
                let is_unsized = is_unsized(&reference.elem);
                return Ok(Argument::Leaked(Box::new(to), is_changed, is_unsized));
            }
            Type::Slice(slice) => {
                return self.list(scope, &slice.elem, Collected::Vec, within);
            }
            Type::Array(array) => {
                let length = length(array).ok_or("has a length that is no literal")?;
                return self.list(scope, &array.elem, Collected::Array(length), within);
            }
            Type::Tuple(tuple) => {
                let parts = tuple
                    .elems
                    .iter()
                    .map(|kind| self.element(scope, kind, within));
                return Ok(Argument::Tuple(parts.collect::<Result<_, _>>()?));
            }
            _ => return Err("is no value that is drawn".to_owned()),
        };
        match self.function.target(scope, path) {
            Some(PathTarget::Item(module, item)) => {
                let arguments = self.function.arguments(scope, kind, (module, item))?;
                self.of_crate((module, item), &arguments, within)
            }
            Some(PathTarget::Foreign(names)) => {
                let is_standard =
                    names.len() == 1 || ["std", "alloc", "core"].contains(&names[0].as_str());
                let inner = arguments(kind);
                match is_standard {
                    true => self.standard(&names, scope, &inner, within),
                    false => self.foreign(scope, &inner, within),
                }
            }
            _ => Err("is of a type that is not drawn".to_owned()),
        }
    }

    /// A value for which there is a feature.
    fn element(&self, scope: usize, kind: &Type, within: Within<'_>) -> Result<Argument, String> {
        let element = self.value(scope, kind, within)?;
        match element.is_element() {
            true => Ok(element),
            false => Err("has parts of which nothing is drawn".to_owned()),
        }
    }

    fn list(
        &self,
        scope: usize,
        element: &Type,
        collected: Collected,
        within: Within<'_>,
    ) -> Result<Argument, String> {
        if collected == Collected::Vec && text(element) == "u8" {
            return Ok(Argument::Bytes);
        }
        let element = self.element(scope, element, within)?;
        Ok(Argument::List(Box::new(element), collected))
    }

    /// A type of another crate, which the driver can't name: what makes it is inferred.
    fn foreign(
        &self,
        scope: usize,
        inner: &[&Type],
        within: Within<'_>,
    ) -> Result<Argument, String> {
        let mut options = Vec::new();
        let mut elements = inner.iter().map(|it| self.element(scope, it, within));
        let element = match elements.len() {
            1 => elements.next().and_then(Result::ok),
            2 => elements.collect::<Result<_, _>>().ok().map(Argument::Tuple),
            _ => None,
        };
        if let Some(element) = element {
            let list = Argument::List(Box::new(element.clone()), Collected::Vec);
            options.push(made(
                MakerForm::Function,
                "FromIterator::from_iter",
                [("list", list)],
            ));
            options.push(made(
                MakerForm::Function,
                "From::from",
                [("value", element)],
            ));
        }
        if inner.is_empty() {
            let text = || [("text", Argument::Scalar("String"))];
            let written = [("text", Argument::Scalar("Written"))];
            options.push(made(MakerForm::Fallible, "parse", written));
            let number = [("value", Argument::Scalar("i64"))];
            options.push(made(MakerForm::Function, "From::from", number));
            options.push(made(MakerForm::Function, "From::from", text()));
        }
        options.push(made(MakerForm::Function, "Default::default", []));
        let option = self.chooser.pick(options.into_iter());
        option.ok_or_else(|| "is of a type of another crate".to_owned())
    }

    /// A type of the language or of std.
    fn standard(
        &self,
        names: &[String],
        scope: usize,
        inner: &[&Type],
        within: Within<'_>,
    ) -> Result<Argument, String> {
        let name = names.last().map_or("", String::as_str);
        let whole = names.join("::");
        let element = |kind: &Type| self.element(scope, kind, within);
        match (name, inner) {
            ("str", []) => Ok(Argument::Scalar("String")),
            (name, []) => standard(name).ok_or_else(|| format!("is of the type `{whole}`")),
            ("Option", [inner]) => match element(inner)? {
                Argument::Optional(_) => Err("is an `Option` of an `Option`".to_owned()),
                inner => Ok(Argument::Optional(Box::new(inner))),
            },
            ("Result", [value, error]) => Ok(result(element(value)?, element(error)?)),
            ("Cow", [inner]) if is_str(inner) => {
                let text = [("value", Argument::Scalar("String"))];
                Ok(made(
                    MakerForm::Function,
                    "std::borrow::Cow::<str>::from",
                    text,
                ))
            }
            ("Vec", [inner]) => self.list(scope, inner, Collected::Vec, within),
            ("IntoIter", [inner]) => {
                let element = Box::new(element(inner)?);
                Ok(Argument::List(element, Collected::Iterator))
            }
            ("BuildHasherDefault", [_]) => Ok(made(MakerForm::Function, "Default::default", [])),
            ("VecDeque" | "HashSet" | "BTreeSet" | "BinaryHeap" | "LinkedList", [inner]) => Ok(
                Argument::List(Box::new(element(inner)?), Collected::Collection),
            ),
            ("HashMap" | "BTreeMap", [key, value]) => {
                let pair = Argument::Tuple(vec![element(key)?, element(value)?]);
                Ok(Argument::List(Box::new(pair), Collected::Collection))
            }
            ("Range" | "RangeInclusive", [inner]) => {
                let bound = element(inner)?;
                let (form, path) = match name {
                    "Range" => (MakerForm::Literal, "std::ops::Range"),
                    _ => (MakerForm::Function, "std::ops::RangeInclusive::new"),
                };
                Ok(made(form, path, [("start", bound.clone()), ("end", bound)]))
            }
            (name, [inner]) => {
                let function = wrapper(name, is_unsized(inner));
                let function = function.ok_or_else(|| format!("is of the type `{whole}`"))?;
                let value = self.value(scope, inner, within)?;
                Ok(made(MakerForm::Function, &function, [("value", value)]))
            }
            _ => Err(format!("is of the type `{whole}`")),
        }
    }

    /// A type of the crate.
    fn of_crate(
        &self,
        place: ItemPlace,
        arguments: &[String],
        within: Within<'_>,
    ) -> Result<Argument, String> {
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

    /// Its variants, or what makes it.
    fn of_crate_within(
        &self,
        place: ItemPlace,
        arguments: &[String],
        within: Within<'_>,
    ) -> Result<Argument, String> {
        let item = &self.function.sources.modules[place.0].items[place.1];
        let Some(path) = self.function.public.get(place.0, place.1) else {
            return Err("is of a private type".to_owned());
        };
        if within.len() >= DEEPEST_OF_CRATE || within.contains(&place) {
            return Err("is of a type within itself".to_owned());
        }
        let within = &[within, &[place]].concat()[..];
        let generics = generics(item).ok_or("is of a type that is not drawn")?;
        let borrows = generics.lifetimes().next().is_some();
        let effect = Cell::new(None);
        let made = |maker: TypeMaker| match (self.planned.effect_of)(&maker.path) {
            Some(avoided) => {
                effect.set(Some(avoided));
                None
            }
            None => self.made(maker, borrows, within),
        };
        if let Item::Enum(item) = item
            && let Some(argument) = self.variants(place, (path, arguments), item, &made)
        {
            return Ok(argument);
        }
        let makers = self.function.makers(place, path, arguments).into_iter();
        // An empty value is one of few.
        let is_one_of_many =
            |it: &ArgumentMaker| it.is_drawn() && !it.name().starts_with("with_capacity");
        let mut makers = makers.filter_map(made);
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
        // What may make none is helped by what always makes one.
        let first = self.chooser.pick(drawn.iter()).cloned();
        if let Some(first) = first.filter(|_| drawn.len() > self.chooser.attempt) {
            let is_variant = |it: &ArgumentMaker| it.parts.is_empty() || it.is_element();
            let is_certain = |it: &ArgumentMaker| {
                it.form != MakerForm::Fallible && is_variant(it) && it.name() != first.name()
            };
            let other = match first.form {
                MakerForm::Fallible if is_variant(&first) => {
                    let known = drawn.iter().chain(&others).cloned();
                    known.chain(makers).find(is_certain)
                }
                _ => None,
            };
            let Some(other) = other else {
                return Ok(Argument::Made(first));
            };
            return Ok(Argument::Variant(
                [first, other].map(DrawnVariant::of).into(),
            ));
        }
        let methods = || self.function.methods(place, path, arguments).into_iter();
        others.sort_by_key(|it| !it.parts.is_empty());
        let base = others.iter().find(|it| !it.is_drawn()).cloned();
        let grown = base.and_then(|base| Argument::grown(base, methods().filter_map(made)));
        let producers = self.function.producers(place, arguments).into_iter();
        let (drawn, others) = (drawn.into_iter(), others.into_iter());
        let made = others.chain(producers.filter_map(made)).map(Argument::Made);
        let options = drawn.map(Argument::Made).chain(grown).chain(made);
        let option = self.chooser.pick(options);
        option.ok_or_else(|| match effect.get() {
            Some(effect) => format!(
                "is of a type that only functions make that reach for {effect}; to call it: --allow {}",
                self.function.name()
            ),
            None => "is of a type that nothing makes of what is drawn".to_owned(),
        })
    }

    /// Nothing if a variant has what isn't drawn, or there is none.
    fn variants(
        &self,
        place: ItemPlace,
        (path, arguments): (&str, &[String]),
        item: &ItemEnum,
        made: &dyn Fn(TypeMaker) -> Option<ArgumentMaker>,
    ) -> Option<Argument> {
        let types = self.function.parameters_of(place, arguments);
        let variants = item.variants.iter().map(|variant| {
            let path = format!("{path}::{}", variant.ident);
            let maker = TypeMaker::literal(place.0, path, &variant.attrs, &variant.fields)?;
            Some(DrawnVariant {
                name: plain(&variant.ident),
                maker: made(maker.with(&types))?,
            })
        });
        let variants = Argument::Variant(variants.collect::<Option<_>>()?);
        (!item.variants.is_empty() && variants.is_element()).then_some(variants)
    }

    /// Nothing if the maker takes what isn't drawn. A value that `borrows` holds
    /// what lives as long as the program.
    fn made(&self, maker: TypeMaker, borrows: bool, within: Within<'_>) -> Option<ArgumentMaker> {
        let chosen = ChosenTypes::default();
        let chosen = self.chooser.choose(maker.scope, &maker.generics, chosen);
        let chosen = chosen.ok()?;
        let parts = maker.inputs.into_iter().map(|(name, kind)| {
            let planned = self.chosen_argument(maker.scope, &kind, &chosen, within);
            let (argument, passed) = planned.ok()?;
            let passed = match passed {
                PassedAs::Changed { .. } => PassedAs::LeakedChanged,
                PassedAs::Borrowed { is_unsized } if borrows => PassedAs::Leaked { is_unsized },
                passed => passed,
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
