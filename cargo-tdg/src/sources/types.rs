//! Types of a signature, as written in another crate's test.

use quote::ToTokens as _;
use syn::{GenericArgument, GenericParam, PathArguments, ReturnType, Type, TypeParam, TypePath};

use super::associated_items::{ItemPlace, derived, generics};
use super::function::PublicFunction;
use super::prelude::{PRELUDE, SCALARS, STANDARD};
use super::tokens::{arguments, last_word, length, names, path_roots, text, type_arguments};
use super::{PathTarget, Substitution, Unsupported, plain};

impl PublicFunction<'_> {
    /// Resolves a type's path in a module.
    pub(crate) fn target(&self, scope: usize, path: &TypePath) -> Option<PathTarget> {
        if path.path.is_ident("Self") {
            let owner = self.owner.as_ref()?;
            let (module, position) = owner.place?;
            return Some(PathTarget::Item(module, position));
        }
        let names = path.path.segments.iter();
        let names: Vec<String> = names.map(|segment| plain(&segment.ident)).collect();
        if path.path.leading_colon.is_some() {
            return Some(PathTarget::Foreign(names));
        }
        self.sources.resolve_type(scope, &names)
    }

    /// Returns the type with public paths, or the reason why it has none.
    pub(crate) fn qualified(&self, scope: usize, kind: &Type) -> Result<String, Unsupported> {
        match kind {
            Type::Group(group) => self.qualified(scope, &group.elem),
            Type::Paren(paren) => self.qualified(scope, &paren.elem),
            Type::Reference(reference) => {
                let inner = self.qualified(scope, &reference.elem)?;
                let lifetime = reference.lifetime.as_ref();
                let lifetime = lifetime.map_or_else(String::new, |it| format!("{it} "));
                let mutable = if reference.mutability.is_some() {
                    "mut "
                } else {
                    ""
                };
                Ok(format!("&{lifetime}{mutable}{inner}"))
            }
            Type::Slice(slice) => Ok(format!("[{}]", self.qualified(scope, &slice.elem)?)),
            Type::Array(array) => {
                let inner = self.qualified(scope, &array.elem)?;
                match length(array) {
                    Some(length) => Ok(format!("[{inner}; {length}]")),
                    None => Err(format!("the length of `{}` is not a literal", text(kind)).into()),
                }
            }
            Type::Tuple(tuple) => {
                let all = tuple.elems.iter().map(|kind| self.qualified(scope, kind));
                let all = all.collect::<Result<Vec<_>, _>>()?;
                Ok(match all.as_slice() {
                    [one] => format!("({one},)"),
                    all => format!("({})", all.join(", ")),
                })
            }
            Type::Path(path) if path.qself.is_none() => self.qualified_path(scope, path),
            Type::Path(path) => self.named_projection(scope, path),
            // Usually from the standard library: `dyn std::error::Error`.
            Type::TraitObject(object) => Ok(text(object)),
            other => Err(format!("`{}` can't be written in a test", text(other)).into()),
        }
    }

    fn qualified_path(&self, scope: usize, path: &TypePath) -> Result<String, Unsupported> {
        let Some(last) = path.path.segments.last() else {
            return Err("a type without a name".into());
        };
        let name = match self.target(scope, path) {
            Some(PathTarget::Item(module, item)) => match self.public.get(module, item) {
                Some(path) => path.to_owned(),
                None => {
                    return Err(
                        format!("`{}` is private, so a test can't name it", last.ident).into(),
                    );
                }
            },
            Some(PathTarget::Foreign(names)) => match names.as_slice() {
                [name] if ![&SCALARS[..], &PRELUDE].concat().contains(&name.as_str()) => {
                    return Err(format!("`{name}` isn't found in the sources").into());
                }
                // A test doesn't name `alloc`.
                [root, inner @ ..] if STANDARD.contains(&root.as_str()) => {
                    format!("std::{}", inner.join("::"))
                }
                names => names.join("::"),
            },
            _ => return Err(format!("`{}` isn't found in the sources", text(path)).into()),
        };
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return Ok(name);
        };
        let arguments = arguments.args.iter().map(|argument| match argument {
            GenericArgument::Type(kind) => self.qualified(scope, kind),
            other => Ok(text(other)),
        });
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        Ok(format!("{name}<{}>", arguments.join(", ")))
    }

    /// Returns the parameters of a type, without lifetimes.
    pub(super) fn type_parameters(&self, place: ItemPlace) -> impl Iterator<Item = &GenericParam> {
        let item = &self.sources.modules[place.0].items[place.1];
        let parameters = generics(item).into_iter().flat_map(|it| &it.params);
        parameters.filter(|it| !matches!(it, GenericParam::Lifetime(_)))
    }

    /// Returns the arguments of one of the crate's types, with public paths.
    pub(crate) fn arguments(
        &self,
        scope: usize,
        kind: &Type,
        place: ItemPlace,
    ) -> Result<Vec<String>, Unsupported> {
        let parameters = self.type_parameters(place);
        let given = type_arguments(kind);
        let arguments = parameters.enumerate();
        let arguments =
            arguments.map(|(at, it)| self.argument(scope, given.get(at).copied(), (place.0, it)));
        arguments.collect()
    }

    /// Returns the argument for a parameter, whose default is resolved in its module.
    pub(super) fn argument(
        &self,
        scope: usize,
        given: Option<&GenericArgument>,
        (module, parameter): (usize, &GenericParam),
    ) -> Result<String, Unsupported> {
        match (given, parameter) {
            (Some(GenericArgument::Type(kind)), _) => self.global(scope, kind),
            (Some(number), _) => Ok(text(number)),
            (
                None,
                GenericParam::Type(TypeParam {
                    default: Some(kind),
                    ..
                }),
            ) => self.global(module, kind),
            _ => Err("leaves out an argument of its type".into()),
        }
    }

    /// Returns a trait's path that is valid in all modules, with types substituted for parameters.
    pub(crate) fn global_trait(
        &self,
        path: &syn::Path,
        types: &Substitution,
    ) -> Result<String, Unsupported> {
        if path.segments.last().is_some_and(|it| it.ident == "Display") {
            return Ok("std::string::ToString".to_owned());
        }
        let path = types.applied(path);
        self.global(self.scope, &Type::Path(TypePath { qself: None, path }))
    }

    /// Returns a type's path that is valid in all modules, without lifetime names.
    pub(crate) fn global(&self, scope: usize, kind: &Type) -> Result<String, Unsupported> {
        // `Self` is a different type in each block.
        if names(kind, "Self") {
            return self.named(scope, kind);
        }
        let key = (scope, kind.to_token_stream().to_string());
        let known = self.public.types.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let remember = |named| self.public.types.borrow_mut().insert(key.clone(), named);
            // In code that doesn't compile, the definition of a type may be cyclic.
            remember(Err(format!(
                "`{}` is defined in terms of itself",
                text(kind)
            )
            .into()));
            let named = self.named(scope, kind);
            remember(named.clone());
            named
        })
    }

    fn named(&self, scope: usize, kind: &Type) -> Result<String, Unsupported> {
        let named = self.qualified(scope, kind)?;
        let parsed: Result<Type, _> = syn::parse_str(&named);
        let parsed = parsed.map_err(|_| format!("`{named}` can't be written in a test"))?;
        Ok(text(&Substitution::default().applied(&parsed)))
    }

    /// Returns true if a type's path, valid in all modules, names another crate.
    pub(crate) fn is_foreign(&self, named: &str) -> bool {
        let parsed: Option<Type> = syn::parse_str(named).ok();
        let roots = parsed.iter().flat_map(path_roots);
        let is_own = |it: &String| *it == self.sources.name || STANDARD.contains(&it.as_str());
        !roots.into_iter().all(|it| is_own(&it))
    }

    /// Returns the crate's types in the output that visibly lack a trait.
    pub(crate) fn output_without(&self, trait_name: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.each_of_output(&mut |target| {
            if let PathTarget::Item(module, item) = target
                && let Some((name, _)) = derived(&self.sources.modules[module].items[item])
                && !self.implements((module, item), trait_name)
                && !found.contains(&name)
            {
                found.push(name);
            }
        });
        found
    }

    /// Returns the other crates whose types are in the output.
    pub(crate) fn crates_of_output(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.each_of_output(&mut |target| {
            // The names of primitive types and of the prelude have no crate.
            if let PathTarget::Foreign(names) = target
                && names.len() > 1
                && !STANDARD.contains(&names[0].as_str())
            {
                found.extend(names.into_iter().next());
            }
        });
        found
    }

    fn each_of_output(&self, see: &mut dyn FnMut(PathTarget)) {
        if let ReturnType::Type(_, kind) = &self.signature.output {
            self.each_target(kind, see);
        }
    }

    fn each_target(&self, kind: &Type, see: &mut dyn FnMut(PathTarget)) {
        match kind {
            Type::Reference(reference) => self.each_target(&reference.elem, see),
            Type::Slice(slice) => self.each_target(&slice.elem, see),
            Type::Array(array) => self.each_target(&array.elem, see),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|it| self.each_target(it, see)),
            Type::Path(path) => {
                if let Some(target) = self.target(self.scope, path) {
                    see(target);
                }
                // The error of a `Result` needs only `Display`.
                let is_result = last_word(kind).is_some_and(|word| word == "Result");
                let count = if is_result { 1 } else { usize::MAX };
                for kind in arguments(kind).into_iter().take(count) {
                    self.each_target(kind, see);
                }
            }
            _ => {}
        }
    }
}
