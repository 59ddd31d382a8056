//! Concrete types for type parameters, chosen by their traits.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{
    GenericArgument, GenericParam, Generics, ImplItem, Item, ItemImpl, Path, PathArguments,
    ReturnType, Token, TraitBound, Type, TypeParam, TypeParamBound, WherePredicate, parse_quote,
};

use super::planned_types::PlannedTypes;
use crate::sources::tokens::{self, has_no_size, is_unsized, last_word, text};
use crate::sources::{
    ItemPlace, PathTarget, PublicFunction, SCALARS, Substitution, Unsupported, implementer,
    parameter, plain, type_of,
};

/// Chooses types, different ones in each attempt if possible.
#[derive(Clone, Copy)]
pub(crate) struct TypeChooser<'f, 's> {
    pub(crate) function: &'f PublicFunction<'s>,
    pub(super) planned: &'f PlannedTypes<'f>,
    pub(crate) attempt: usize,
    /// The number of nested trait requirements.
    pub(crate) depth: usize,
}

/// The maximum number of nested trait requirements.
const DEEPEST: usize = 4;
/// Types for a parameter that accepts any type or any number.
const USUAL: [&str; 4] = ["i64", "f64", "u32", "std::string::String"];
/// The traits of types that formats read and write.
const SERDE: [&str; 3] = ["Deserialize", "DeserializeOwned", "Serialize"];
/// The length of arrays whose length is generic.
const LENGTH: usize = 4;

type Bounds = Punctuated<TypeParamBound, Token![+]>;

/// Returns the turbofish for a function's parameters, if it names any type.
pub(super) fn turbofish(chosen: &Substitution, generics: &Generics) -> String {
    let parameters = generics.params.iter();
    let parameters = parameters.filter(|it| !matches!(it, GenericParam::Lifetime(_)));
    let types = parameters.map(|it| {
        let kind = chosen.get(&parameter(it)).map(text).unwrap_or_default();
        // A closure's type has no name.
        match kind.starts_with("fn(") {
            true => "_".to_owned(),
            false => kind,
        }
    });
    let types: Vec<String> = types.collect();
    match types.iter().all(|it| it == "_") {
        true => String::new(),
        false => format!("::<{}>", types.join(", ")),
    }
}

impl TypeChooser<'_, '_> {
    /// Picks an option by the number of the attempt, up to the last one.
    pub(crate) fn pick<T>(&self, options: impl Iterator<Item = T>) -> Option<T> {
        options.take(self.attempt + 1).last()
    }

    /// Chooses types for all parameters of a function or an `impl` block, in addition to those
    /// already chosen.
    pub(crate) fn choose(
        &self,
        scope: usize,
        generics: &Generics,
        mut chosen: Substitution,
    ) -> Result<Substitution, Unsupported> {
        let names: Vec<String> = generics.params.iter().map(parameter).collect();
        let names_others = |it: &&GenericParam| {
            let own = parameter(it);
            let clauses = bounds_of(&own, generics);
            let mut others = names.iter().filter(|name| **name != own);
            others.any(|name| tokens::names(it, name) || tokens::names(&clauses, name))
        };
        let (later, first): (Vec<_>, Vec<_>) = generics.params.iter().partition(names_others);
        // Characters with different meanings may have to differ.
        let mut characters = 'a'..='z';
        for it in first.into_iter().chain(later) {
            let name = parameter(it);
            if chosen.get(&name).is_some() {
                continue;
            }
            match it {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(it) => {
                    let bounds = self.of_parameter(scope, it, generics, &chosen)?;
                    let concrete = self.of_bounds(scope, &bounds)?;
                    self.set(scope, name, &concrete, &mut chosen)?;
                }
                GenericParam::Const(it) => {
                    let value = match last_word(&it.ty).as_deref() {
                        Some("bool") => parse_quote!(true),
                        Some("char") => characters.next().unwrap_or('a').to_token_stream(),
                        _ => LENGTH.to_string().parse().unwrap_or_default(),
                    };
                    chosen.insert(name, value);
                }
            }
        }
        Ok(chosen)
    }

    /// Chooses a type for `Self` in a trait.
    pub(crate) fn implementing(
        &self,
        place: ItemPlace,
        mut chosen: Substitution,
    ) -> Result<Substitution, Unsupported> {
        let concrete = self.implementer(place)?;
        self.set(place.0, "Self".to_owned(), &concrete, &mut chosen)?;
        Ok(chosen)
    }

    /// Sets the type for a parameter, along with its `Item`.
    fn set(
        &self,
        scope: usize,
        name: String,
        concrete: &Type,
        chosen: &mut Substitution,
    ) -> Result<(), Unsupported> {
        let global = |kind: &Type| -> Result<TokenStream, Unsupported> {
            let kind = self.function.global(scope, kind)?;
            kind.parse()
                .map_err(|_| format!("`{kind}` is not a type").into())
        };
        let kind = match concrete {
            function @ Type::BareFn(_) => function.to_token_stream(),
            kind => global(kind)?,
        };
        if let Some("Vec" | "IntoIter") = last_word(concrete).as_deref()
            && let [item] = &tokens::arguments(concrete)[..]
        {
            chosen.insert(format!("{name}::Item"), global(item)?);
        }
        chosen.insert(name, kind);
        Ok(())
    }

    /// Returns all bounds of a parameter, with chosen types substituted.
    fn of_parameter(
        &self,
        scope: usize,
        of: &TypeParam,
        generics: &Generics,
        chosen: &Substitution,
    ) -> Result<Bounds, Unsupported> {
        let mut bounds = of.bounds.clone();
        bounds.extend(bounds_of(&of.ident.to_string(), generics));
        let of_item = bounds_of(&format!("{}::Item", of.ident), generics);
        if !of_item.is_empty() {
            let of_item = of_item.iter().map(|it| chosen.applied(it));
            let item = self.of_bounds(scope, &of_item.collect())?;
            let last = bounds.iter_mut().filter_map(|bound| match bound {
                TypeParamBound::Trait(bound) => bound.path.segments.last_mut(),
                _ => None,
            });
            for last in last.filter(|it| it.arguments.is_none()) {
                if last.ident.to_string().ends_with("Iterator") {
                    last.arguments = PathArguments::AngleBracketed(parse_quote!(<Item = #item>));
                }
            }
        }
        let bounds = bounds.iter().map(|it| chosen.applied(it));
        Ok(bounds.collect())
    }

    /// Returns a type that has all these traits, if known.
    pub(crate) fn of_bounds(&self, scope: usize, bounds: &Bounds) -> Result<Type, Unsupported> {
        for bound in traits(bounds) {
            let Some(last) = bound.path.segments.last() else {
                continue;
            };
            let name = last.ident.to_string();
            match self.resolved(scope, &bound.path) {
                Some(PathTarget::Item(module, position)) => {
                    return self.implementer((module, position));
                }
                Some(PathTarget::Foreign(names)) if self.attempt == 0 => {
                    if let Some(usual) = implementer(&names).and_then(|it| syn::parse_str(it).ok())
                    {
                        return Ok(usual);
                    }
                }
                _ => {}
            }
            // Parsing from a text is more informative than the parsed value.
            if name == "TryInto" && self.attempt == 0 {
                return Ok(parse_quote!(std::string::String));
            }
            // A format reads and writes more of a map than of a number.
            if SERDE.contains(&&*name) && self.attempt == 0 {
                let text: Type = parse_quote!(std::string::String);
                return Ok(parse_quote!(std::collections::BTreeMap<#text, #text>));
            }
            let path = text(&bound.path);
            if let Some(kind) = of_trait(&name, &path, &last.arguments)?
                && self.is_usable(scope, &kind)
            {
                return Ok(kind);
            }
        }
        // The compiler checks whether the type has another crate's trait.
        self.usual()
    }

    /// Returns a type for a parameter that accepts any type or any number.
    fn usual(&self) -> Result<Type, Unsupported> {
        let kind = self.pick(USUAL.into_iter()).map(syn::parse_str);
        let kind = kind.and_then(Result::ok);
        kind.ok_or_else(|| "takes any type".into())
    }

    /// Returns true if values of the type can be passed. One of another crate is tried only at
    /// first, since it may be unsized.
    fn is_usable(&self, scope: usize, kind: &Type) -> bool {
        if matches!(kind, Type::BareFn(_)) {
            return true;
        }
        let sources = self.function.sources;
        let place = type_of(sources, scope, kind);
        let item = place.map(|(module, item)| &sources.modules[module].items[item]);
        let named = self.function.global(scope, kind);
        let is_named = named.is_ok_and(|it| self.attempt == 0 || !self.function.is_foreign(&it));
        is_named && !item.is_some_and(has_no_size)
    }

    fn resolved(&self, scope: usize, path: &Path) -> Option<PathTarget> {
        let names: Vec<String> = path.segments.iter().map(|it| plain(&it.ident)).collect();
        self.function.sources.resolve_type(scope, &names)
    }

    /// Returns a type that implements a trait of the crate. It is chosen once, since blocks for
    /// several parameters multiply the choices at each depth.
    fn implementer(&self, place: ItemPlace) -> Result<Type, Unsupported> {
        let key = (place, self.depth, self.attempt);
        if let Some(known) = self.planned.implementers.borrow().get(&key) {
            return known.clone();
        }
        let chosen = self.chosen_implementer(place);
        let mut implementers = self.planned.implementers.borrow_mut();
        implementers.insert(key, chosen.clone());
        chosen
    }

    /// Chooses a type that implements a trait of the crate: without effects and a scalar, if
    /// possible.
    fn chosen_implementer(&self, place: ItemPlace) -> Result<Type, Unsupported> {
        let Item::Trait(item) = &self.function.sources.modules[place.0].items[place.1] else {
            return Err("takes any type of an alias of traits".into());
        };
        let none = || Unsupported::from(format!("takes any type that is `{}`", item.ident));
        if self.depth > DEEPEST {
            return Err(none());
        }
        let within = Self {
            depth: self.depth + 1,
            ..*self
        };
        // Blanket implementations for pointers add nothing to their targets.
        let blocks = self.function.blocks.of_trait(place);
        let blocks = blocks.filter(|(_, block)| !is_pointer_to_any(block));
        let (of_any, of_one): (Vec<_>, Vec<_>) =
            blocks.partition(|(_, block)| block.generics.type_params().next().is_some());
        let (with_effects, mut of_one): (Vec<_>, Vec<_>) = of_one
            .into_iter()
            .partition(|(_, block)| self.has_effects(block));
        if of_one.is_empty() {
            of_one = with_effects;
        }
        let global = |(scope, block): (usize, &ItemImpl)| {
            let kind = self.function.global(scope, &block.self_ty).ok()?;
            syn::parse_str(&kind).ok()
        };
        let mut of_one: Vec<Type> = of_one.into_iter().filter_map(global).collect();
        let rank = |it: &Type| !SCALARS.contains(&text(it).as_str());
        of_one.sort_by_key(rank);
        let of_any = of_any.into_iter();
        let of_any = of_any.filter_map(|(scope, block)| {
            let chosen = within.choose(scope, &block.generics, Substitution::default());
            let kind = chosen.ok()?.applied(&*block.self_ty);
            syn::parse_str(&self.function.global(scope, &kind).ok()?).ok()
        });
        let found = self.pick(of_one.into_iter().chain(of_any));
        // A macro may generate the implementation, mostly for numbers.
        match found {
            Some(found) => Ok(found),
            None if self.attempt > 0 => self.usual(),
            None => within.of_bounds(place.0, &item.supertraits),
        }
    }

    /// Returns true if a function of the block has an effect that prevents it from being called.
    fn has_effects(&self, block: &ItemImpl) -> bool {
        let owner = last_word(&block.self_ty).unwrap_or_default();
        block.items.iter().any(|item| match item {
            ImplItem::Fn(it) => {
                let path = format!("{owner}::{}", plain(&it.sig.ident));
                self.planned.avoided(&path).is_some()
            }
            _ => false,
        })
    }
}

fn is_pointer_to_any(block: &ItemImpl) -> bool {
    let to = match &*block.self_ty {
        Type::Reference(reference) => &*reference.elem,
        kind => match (last_word(kind).as_deref(), &tokens::arguments(kind)[..]) {
            (Some("Box" | "Rc" | "Arc"), [inner]) => inner,
            _ => return false,
        },
    };
    let mut parameters = block.generics.type_params();
    matches!(to, Type::TraitObject(_)) || parameters.any(|it| it.ident == text(to))
}

fn traits(bounds: &Bounds) -> impl Iterator<Item = &TraitBound> {
    bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    })
}

/// Returns the bounds of a type in the `where` clause.
fn bounds_of(kind: &str, generics: &Generics) -> Bounds {
    let clauses = generics.where_clause.iter().flat_map(|it| &it.predicates);
    let bounds = clauses.filter_map(|clause| match clause {
        WherePredicate::Type(clause) if text(&clause.bounded_ty) == kind => Some(&clause.bounds),
        _ => None,
    });
    bounds.flatten().cloned().collect()
}

/// Returns the type for a trait with few implementors; `None` for other traits.
fn of_trait(
    name: &str,
    path: &str,
    arguments: &PathArguments,
) -> Result<Option<Type>, Unsupported> {
    let any = || parse_quote!(i64);
    let kind = match (name, inner(arguments)) {
        ("AsRef" | "Borrow" | "Into" | "TryInto", Some(inner)) => owned(inner),
        ("Deref", Some(inner)) if !is_unsized(inner) => parse_quote!(std::boxed::Box<#inner>),
        ("Deref", Some(inner)) => owned(inner),
        ("RangeBounds", Some(inner)) => parse_quote!(std::ops::Range<#inner>),
        ("SliceIndex", _) => parse_quote!(usize),
        ("Hasher", _) => parse_quote!(std::collections::hash_map::DefaultHasher),
        ("BuildHasher", _) => {
            parse_quote!(std::hash::BuildHasherDefault<std::collections::hash_map::DefaultHasher>)
        }
        ("ToString" | "Display" | "Pattern" | "ToOwned", _) => parse_quote!(std::string::String),
        ("Write", _) if path.contains("fmt") => parse_quote!(std::string::String),
        ("Read" | "BufRead" | "Seek" | "Write", _) => parse_quote!(std::io::Cursor<Vec<u8>>),
        ("Iterator" | "DoubleEndedIterator" | "ExactSizeIterator", item) => {
            let item = item.cloned().unwrap_or_else(any);
            parse_quote!(std::vec::IntoIter<#item>)
        }
        ("IntoIterator", item) => {
            let item = item.cloned().unwrap_or_else(any);
            parse_quote!(std::vec::Vec<#item>)
        }
        ("Float" | "Real" | "FloatCore", _) => parse_quote!(f64),
        ("Unsigned" | "PrimInt", _) => parse_quote!(u32),
        ("Fn" | "FnMut" | "FnOnce", _) => match arguments {
            PathArguments::Parenthesized(it) => {
                let (inputs, output): (_, &ReturnType) = (&it.inputs, &it.output);
                parse_quote!(fn(#inputs) #output)
            }
            _ => return Err("takes a function, and functions can't be drawn".into()),
        },
        _ => return Ok(None),
    };
    Ok(Some(kind))
}

/// Returns the type in `<T>` or `<Item = T>`.
fn inner(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        GenericArgument::AssocType(item)
            if ["Item", "Target"].iter().any(|it| item.ident == it) =>
        {
            Some(&item.ty)
        }
        _ => None,
    })
}

/// Returns the owned version of a type.
fn owned(kind: &Type) -> Type {
    match (last_word(kind).as_deref(), kind) {
        (Some("str" | "OsStr" | "Path" | "PathBuf"), _) => parse_quote!(std::string::String),
        (_, Type::Slice(slice)) => {
            let element = &slice.elem;
            parse_quote!(std::vec::Vec<#element>)
        }
        (_, other) => other.clone(),
    }
}
