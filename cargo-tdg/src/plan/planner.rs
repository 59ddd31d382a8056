//! Plans the arguments for parameters by type.

use std::cell::Cell;

use syn::{
    FnArg, ReturnType, Type, TypeImplTrait as ImplTrait, TypePath, TypeTraitObject as TraitObject,
};

use super::argument::{Argument, Collected, HeldType, PassedAs};
use super::generics::{TypeChooser, turbofish};
use super::planned_types::{Planned, PlannedTypes};
use super::std_types::{known, made, result, standard, wrapper};
use crate::sources::tokens::{arguments, is_str, is_unsized, length, text, ungrouped};
use crate::sources::{
    ForeignType, ItemPlace, MakerForm, OwnerType, PathTarget, PublicFunction, STANDARD,
    Substitution, Unsupported, parameter_name, plain, type_path, whole_type, written,
};

/// Plans the arguments of a function.
pub(crate) struct Planner<'f, 's> {
    pub(crate) function: &'f PublicFunction<'s>,
    pub(super) chooser: TypeChooser<'f, 's>,
    chosen: Substitution,
    /// The function's path, with the arguments of its type.
    pub(crate) path: String,
    pub(super) planned: &'f PlannedTypes<'f>,
    /// The nesting depth of the current value.
    depth: Cell<usize>,
    /// Set if other calls may change the arguments first.
    has_calls: bool,
}

/// An argument with its parameter's name and how it is passed.
pub(crate) type PlannedArgument = (String, Argument, PassedAs);
type PlannedValue = (Argument, PassedAs);

/// The maximum nesting of values.
const DEEPEST: usize = 12;

/// The types being planned, by place.
pub(super) type Within<'w> = &'w [ItemPlace];

impl<'f, 's> Planner<'f, 's> {
    /// Chooses types for the parameters of the function and of its associated type, different ones
    /// in each attempt.
    pub(crate) fn new(
        function: &'f PublicFunction<'s>,
        planned: &'f PlannedTypes<'f>,
        attempt: usize,
        has_calls: bool,
    ) -> Result<Self, Unsupported> {
        let chooser = TypeChooser {
            function,
            planned,
            attempt,
            depth: 0,
        };
        let (mut chosen, mut path) = match &function.owner {
            Some(owner) => of_owner(function, owner, chooser)?,
            None => (Substitution::default(), function.path.clone()),
        };
        if let Some(place) = function.of_trait {
            chosen = chooser.implementing(place, chosen)?;
            // No argument determines the type.
            if function.signature.receiver().is_none()
                && let Some(kind) = chosen.get("Self")
                && let Some((of_trait, name)) = path.rsplit_once("::")
            {
                path = format!("<{} as {of_trait}>::{name}", text(kind));
            }
        }
        let generics = &function.signature.generics;
        let chosen = chooser.choose(function.scope, generics, chosen)?;
        path += &turbofish(&chosen, generics);
        Ok(Self {
            function,
            chooser,
            chosen,
            path,
            planned,
            depth: Cell::new(0),
            has_calls,
        })
    }

    /// Returns a type of the signature as a test names it, if it can.
    pub(super) fn named_in_test(&self, kind: &Type) -> Option<String> {
        let function = self.function;
        let of_owner = function.owner.iter().map(|it| &it.block.generics);
        let mut generics = of_owner.chain([&function.signature.generics]);
        let is_chosen = function.of_trait.is_some()
            || generics.any(|it| it.params.len() > it.lifetimes().count());
        let named = match is_chosen {
            true => function.qualified(function.scope, &self.chosen.applied(kind)),
            false => function.qualified(function.scope, kind),
        };
        // Code without std names the prelude.
        let of_prelude = ["string::String", "vec::Vec", "boxed::Box", "option::Option"];
        named.ok().map(|it| {
            let named = it.replace("&'_ ", "&");
            of_prelude.iter().fold(named, |named, path| {
                let (_, name) = path.split_once("::").unwrap_or_default();
                named.replace(&format!("std::{path}"), name)
            })
        })
    }

    /// Plans the argument for a parameter.
    pub(crate) fn parameter(
        &self,
        position: usize,
        input: &FnArg,
    ) -> Result<PlannedArgument, Unsupported> {
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
        let argument = match self.has_calls {
            true => self.with_calls(&self.chosen.applied(&**kind), argument),
            false => argument,
        };
        Ok((name, argument, passed))
    }

    /// Plans the argument for a parameter of a function with chosen types.
    pub(super) fn chosen_argument(
        &self,
        scope: usize,
        kind: &Type,
        chosen: &Substitution,
        within: Within<'_>,
    ) -> Result<PlannedValue, Unsupported> {
        self.passed(scope, &chosen.applied(kind), within)
    }

    /// Plans an argument of a type and how it is passed.
    fn passed(
        &self,
        scope: usize,
        kind: &Type,
        within: Within<'_>,
    ) -> Result<PlannedValue, Unsupported> {
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
        if !is_changed && lifetime.is_some_and(|it| it.ident == "static") {
            return Ok((self.value(scope, kind, within)?, PassedAs::Owned));
        }
        let is_unsized = is_unsized(&reference.elem);
        let passed = match is_changed {
            true => PassedAs::Changed { is_unsized },
            false => PassedAs::Borrowed { is_unsized },
        };
        Ok((self.value(scope, &reference.elem, within)?, passed))
    }

    /// Plans the results of a closure, if the type is a function.
    fn closure(
        &self,
        scope: usize,
        kind: &Type,
        by: &'static str,
        within: Within<'_>,
    ) -> Result<Option<PlannedValue>, Unsupported> {
        let of_bounds = match ungrouped(kind) {
            Type::TraitObject(it) => Some(self.chooser.of_bounds(scope, &it.bounds)?),
            Type::ImplTrait(it) => Some(self.chooser.of_bounds(scope, &it.bounds)?),
            _ => None,
        };
        let Type::BareFn(function) = of_bounds.as_ref().unwrap_or(ungrouped(kind)) else {
            return Ok(None);
        };
        let parameters = function.inputs.len();
        let returned = match &function.output {
            ReturnType::Type(_, kind) => Some(ungrouped(kind)).filter(|it| !is_nothing(it)),
            ReturnType::Default => None,
        };
        let Some(returned) = returned else {
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

    /// Plans an owned value of the type.
    fn value(&self, scope: usize, kind: &Type, within: Within<'_>) -> Planned {
        let depth = self.depth.get();
        if depth >= DEEPEST {
            return Err("has a recursive type".into());
        }
        self.depth.set(depth + 1);
        let value = self.value_within(scope, kind, within);
        self.depth.set(depth);
        value
    }

    fn value_within(&self, scope: usize, kind: &Type, within: Within<'_>) -> Planned {
        match ungrouped(kind) {
            Type::Path(path) if path.qself.is_none() => self.named(scope, path, within),
            Type::Path(path) => {
                let projected = self.function.projected(scope, path);
                let (scope, kind) =
                    projected.ok_or("has a type that is not defined in the sources")?;
                self.value(scope, &kind, within)
            }
            Type::ImplTrait(ImplTrait { bounds, .. })
            | Type::TraitObject(TraitObject { bounds, .. }) => {
                let kind = self.chooser.of_bounds(scope, bounds)?;
                self.value(scope, &kind, within)
            }
            Type::Reference(reference) => {
                let to = self.value(scope, &reference.elem, within)?;
                Ok(Argument::Leaked {
                    to: Box::new(to),
                    is_changed: reference.mutability.is_some(),
                    is_unsized: is_unsized(&reference.elem),
                })
            }
            Type::Slice(slice) => self.list(scope, &slice.elem, Collected::Vec, within),
            Type::Array(array) => {
                let length = length(array).ok_or("has a length that is not a literal")?;
                self.list(scope, &array.elem, Collected::Array(length), within)
            }
            Type::Tuple(tuple) => {
                let parts = tuple.elems.iter();
                let parts = parts.map(|kind| self.element(scope, kind, within));
                Ok(Argument::Tuple(parts.collect::<Result<_, _>>()?))
            }
            _ => Err("has a type that can't be drawn".into()),
        }
    }

    /// Plans a value of a named type.
    fn named(&self, scope: usize, path: &TypePath, within: Within<'_>) -> Planned {
        let kind = &Type::Path(path.clone());
        match self.function.target(scope, path) {
            Some(PathTarget::Item(module, item)) => {
                let arguments = self.function.arguments(scope, kind, (module, item))?;
                self.of_crate((module, item), &arguments, within)
            }
            Some(PathTarget::Foreign(names)) => {
                let is_standard = names.len() == 1 || STANDARD.contains(&names[0].as_str());
                let inner = arguments(kind);
                let held = ForeignType::find(&names).filter(|_| self.planned.are_held);
                if let Some(items) = held.and_then(|it| it.notation()) {
                    return Ok(Argument::Held(HeldType::Notation(items)));
                }
                match is_standard {
                    true => self.standard(&names, scope, &inner, within),
                    false => self.foreign(&names, scope, &inner, within),
                }
            }
            _ => Err("has a type that can't be drawn".into()),
        }
    }

    /// Plans a value that a feature can describe.
    fn element(&self, scope: usize, kind: &Type, within: Within<'_>) -> Planned {
        let element = self.value(scope, kind, within)?;
        match element.is_element() {
            true => Ok(element),
            false => Err("has parts that can't be drawn".into()),
        }
    }

    fn list(
        &self,
        scope: usize,
        element: &Type,
        collected: Collected,
        within: Within<'_>,
    ) -> Planned {
        if collected == Collected::Vec && text(element) == "u8" {
            return Ok(Argument::Bytes);
        }
        let element = self.element(scope, element, within)?;
        Ok(Argument::List(Box::new(element), collected))
    }

    /// Plans a type of another crate. Unless the type is well known, it is inferred.
    fn foreign(
        &self,
        names: &[String],
        scope: usize,
        inner: &[&Type],
        within: Within<'_>,
    ) -> Planned {
        let mut options: Vec<Argument> = known(names).into_iter().collect();
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
        option.ok_or_else(|| "has a type from another crate".into())
    }

    /// Plans a primitive type or a type of std.
    fn standard(
        &self,
        names: &[String],
        scope: usize,
        inner: &[&Type],
        within: Within<'_>,
    ) -> Planned {
        let name = names.last().map_or("", String::as_str);
        let unknown = || Unsupported::from(format!("has the type `{}`", names.join("::")));
        let element = |kind: &Type| self.element(scope, kind, within);
        match (name, inner) {
            ("str", []) => Ok(Argument::Scalar("String")),
            (name, []) => standard(name).ok_or_else(unknown),
            ("Option", [inner]) => match element(inner)? {
                Argument::Optional(_) => Err("is an `Option` of an `Option`".into()),
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
                Ok(Argument::List(Box::new(pair), Collected::Map))
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
                let function = function.ok_or_else(unknown)?;
                let value = self.value(scope, inner, within)?;
                Ok(made(MakerForm::Function, &function, [("value", value)]))
            }
            _ => Err(unknown()),
        }
    }
}

/// Returns true for `()`.
fn is_nothing(kind: &Type) -> bool {
    matches!(kind, Type::Tuple(it) if it.elems.is_empty())
}

/// Returns the types for the parameters of a function's associated type, and the function's path.
fn of_owner(
    function: &PublicFunction<'_>,
    owner: &OwnerType<'_>,
    chooser: TypeChooser<'_, '_>,
) -> Result<(Substitution, String), Unsupported> {
    let defaults = function.defaults(owner);
    let mut chosen = chooser.choose(function.scope, &owner.block.generics, defaults)?;
    let kind = chosen.applied(&*owner.block.self_ty);
    let arguments = match owner.place {
        Some(place) => function.arguments(function.scope, &kind, place)?,
        None => Vec::new(),
    };
    let whole = whole_type(&owner.path, &arguments);
    let name = written(&plain(&function.signature.ident));
    let path = match &owner.block.trait_ {
        Some((_, path, _)) => {
            let path = function.global_trait(path, &chosen)?;
            format!("<{whole} as {path}>::{name}")
        }
        None => format!("{}::{name}", type_path(&owner.path, &arguments)),
    };
    let whole = whole.parse().map_err(|_| "has an unnamed type")?;
    chosen.insert("Self".to_owned(), whole);
    Ok((chosen, path))
}
