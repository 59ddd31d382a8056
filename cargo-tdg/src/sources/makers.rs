//! Ways to make a value of one of the crate's types.

use quote::ToTokens as _;
use syn::{
    Attribute, Fields, FnArg, GenericArgument, GenericParam, Generics, ImplItem, Item,
    PathArguments, ReturnType, Signature, Type, TypePath, parse_quote,
};

use super::associated_items::ItemPlace;
use super::function::{DeclaredFunction, OwnerType, lasting, may_return};
use super::tokens::{has_no_size, last_word, names, text, type_arguments, types_in};
use super::{
    PublicFunction, Substitution, is_public, parameter, parameter_name, plain, type_of, written,
};

/// A function or literal that makes a value of a type.
pub(crate) struct TypeMaker {
    pub(crate) form: MakerForm,
    pub(crate) path: String,
    /// The module that the input types' names are resolved in.
    pub(crate) scope: usize,
    /// The inputs with their names.
    pub(crate) inputs: Vec<(String, Type)>,
    /// The function's generic parameters.
    pub(crate) generics: Generics,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MakerForm {
    /// A function that always returns a value.
    Function,
    /// A function that returns an `Option` or a `Result`; rows without a value are skipped.
    Fallible,
    /// A function that returns a `Result` whose error is the value; other rows are skipped.
    Failing,
    /// `Path { name: … }`
    Literal,
    /// `Path`
    Name,
    /// A method that changes `it` in place.
    Method,
    /// A method that returns a new value for `it`.
    Builder,
}

impl MakerForm {
    /// Returns the expression that makes the value from named inputs.
    pub(crate) fn expression(self, path: &str, values: &[(&str, String)]) -> String {
        let list = |item: fn(&(&str, String)) -> String| {
            let items: Vec<String> = values.iter().map(item).collect();
            items.join(", ")
        };
        match self {
            Self::Function | Self::Fallible => {
                format!("{path}({})", list(|(_, value)| value.clone()))
            }
            Self::Failing => format!("{path}({}).err()", list(|(_, value)| value.clone())),
            Self::Literal => {
                let fields = list(|(name, value)| match written(name) {
                    name if name == *value => name,
                    name => format!("{name}: {value}"),
                });
                format!("{path} {{ {fields} }}")
            }
            Self::Name => path.to_owned(),
            Self::Method => format!("let _ = {path}(&mut it, {});", list(|(_, it)| it.clone())),
            Self::Builder => format!("it = {path}(it, {});", list(|(_, it)| it.clone())),
        }
    }
}

impl TypeMaker {
    /// Returns the literal of a struct or variant, if other crates can write it.
    pub(crate) fn literal(
        scope: usize,
        path: String,
        attributes: &[Attribute],
        fields: &Fields,
    ) -> Option<Self> {
        let is_open = !attributes
            .iter()
            .any(|it| it.path().is_ident("non_exhaustive"));
        let inputs = fields.iter().enumerate().map(|(at, field)| {
            let name = field.ident.as_ref().map(plain);
            let name = name.unwrap_or_else(|| format!("value_{}", at + 1));
            (name, field.ty.clone())
        });
        is_open.then(|| Self {
            form: match fields {
                Fields::Named(_) => MakerForm::Literal,
                Fields::Unnamed(_) => MakerForm::Function,
                Fields::Unit => MakerForm::Name,
            },
            path,
            scope,
            inputs: inputs.collect(),
            generics: Generics::default(),
        })
    }

    /// Returns the function if it makes a value of the type, always or sometimes. `made_of` returns
    /// the parameter types for a return type.
    fn function(
        scope: usize,
        path: String,
        (signature, generics): (&Signature, &Generics),
        made_of: impl Fn(&Type) -> Option<Substitution>,
    ) -> Option<Self> {
        let ReturnType::Type(_, returned) = &signature.output else {
            return None;
        };
        let forms = [MakerForm::Function, MakerForm::Fallible, MakerForm::Failing];
        let mut made = forms.into_iter().zip(may_return(returned));
        let (form, substitution) = made.find_map(|(form, kind)| Some((form, made_of(kind)?)))?;
        let maker = Self::of_signature(form, scope, path, (signature, generics))?;
        Some(maker.with(&substitution))
    }

    /// Returns the method if it changes a value using arguments.
    fn method(
        scope: usize,
        path: String,
        signature: &Signature,
        is_made: impl Fn(&Type) -> bool,
    ) -> Option<Self> {
        let receiver = signature.receiver()?;
        let form = match (&receiver.reference, receiver.mutability, &signature.output) {
            (Some(_), Some(_), _) => MakerForm::Method,
            (None, _, ReturnType::Type(_, kind)) if is_made(kind) => MakerForm::Builder,
            _ => return None,
        };
        let mut maker = Self::of_signature(form, scope, path, (signature, &signature.generics))?;
        maker.inputs.remove(0);
        Some(maker)
    }

    /// Returns `None` for functions that can't be called normally.
    fn of_signature(
        form: MakerForm,
        scope: usize,
        path: String,
        (signature, generics): (&Signature, &Generics),
    ) -> Option<Self> {
        let inputs = signature.inputs.iter().enumerate();
        let inputs = inputs.map(|(at, input)| match input {
            FnArg::Typed(input) => (parameter_name(at, &input.pat), (*input.ty).clone()),
            FnArg::Receiver(it) => ("self".to_owned(), (*it.ty).clone()),
        });
        let is_plain = signature.unsafety.is_none() && signature.asyncness.is_none();
        is_plain.then(|| Self {
            form,
            path,
            scope,
            inputs: inputs.collect(),
            generics: generics.clone(),
        })
    }

    /// Substitutes types for parameters.
    pub(crate) fn with(mut self, substitution: &Substitution) -> Self {
        for (_, kind) in &mut self.inputs {
            *kind = substitution.applied(kind);
        }
        let parameters = std::mem::take(&mut self.generics.params);
        let is_left = |it: &GenericParam| substitution.get(&parameter(it)).is_none();
        self.generics.params = parameters.into_iter().filter(is_left).collect();
        let clause = self.generics.where_clause.take();
        self.generics = substitution.applied(&self.generics);
        self.generics.where_clause = clause.map(|it| substitution.applied(&it));
        self
    }

    fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or_default()
    }

    fn begins(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.name().starts_with(word))
    }

    /// Returns the sort key that puts the most common makers first.
    fn rank(&self) -> (usize, usize) {
        let name = match self.name() {
            "new" => 0,
            name if name.starts_with("from") => 1,
            name if name.starts_with("try") => 2,
            _ => 3,
        };
        (name, self.inputs.len())
    }
}

/// The maximum number of constants of a type.
const MOST_CONSTANTS: usize = 12;
/// The maximum number of functions of other types.
const MOST_PRODUCERS: usize = 5;
/// The maximum number of methods that change a value.
const MOST_METHODS: usize = 4;
/// Prefixes of methods that add to a value, that remove from it, and that don't visibly change it.
const ADDING: [&str; 9] = [
    "push", "insert", "add", "append", "extend", "put", "set", "with", "record",
];
const TAKING: [&str; 8] = [
    "remove", "pop", "clear", "drain", "truncate", "retain", "take", "swap",
];
const SEEING: [&str; 9] = [
    "get",
    "iter",
    "as_",
    "by_ref",
    "entry",
    "peek",
    "reserve",
    "try_reserve",
    "shrink",
];

impl PublicFunction<'_> {
    /// Returns the makers of a type with these arguments, the most common first. Those without
    /// inputs come after those whose values differ.
    pub(crate) fn makers(
        &self,
        place: ItemPlace,
        path: &str,
        arguments: &[String],
    ) -> Vec<TypeMaker> {
        let item = &self.sources.modules[place.0].items[place.1];
        let name = path.rsplit("::").next().unwrap_or(path);
        let whole = &type_path(path, arguments);
        let is_lent = has_no_size(item);
        let functions = self
            .functions_of(place, path, arguments)
            .filter(|(_, _, _, signature)| !signature.inputs.iter().any(|it| names(it, "Self")))
            .filter_map(|(scope, path, substitution, signature)| {
                TypeMaker::function(scope, path, (signature, &signature.generics), |kind| {
                    let kind = match kind {
                        Type::Reference(it) if is_lent && it.mutability.is_none() => &it.elem,
                        kind => kind,
                    };
                    let is_made = last_word(kind).is_some_and(|it| it == "Self" || it == name);
                    is_made.then(|| substitution.clone())
                })
            });
        let (constants, mut makers): (Vec<_>, Vec<_>) =
            functions.partition(|it| it.inputs.is_empty());
        makers.sort_by_key(TypeMaker::rank);
        makers.extend(self.conversions(place, whole, arguments));
        if let Item::Struct(item) = item
            && item.fields.iter().all(|it| is_public(&it.vis))
            && let Some(maker) =
                TypeMaker::literal(place.0, path.to_owned(), &item.attrs, &item.fields)
        {
            makers.push(maker.with(&self.parameters_of(place, arguments)));
        }
        makers.extend(constants);
        let of_trait = |word, form, function, inputs| {
            self.implements(place, word).then(|| TypeMaker {
                form,
                path: format!("<{} as std::{function}", whole_type(path, arguments)),
                scope: place.0,
                inputs,
                generics: Generics::default(),
            })
        };
        let default = "default::Default>::default";
        makers.extend(of_trait("Default", MakerForm::Function, default, vec![]));
        let text = vec![("text".to_owned(), parse_quote!(&str))];
        let from_str = "str::FromStr>::from_str";
        makers.extend(of_trait("FromStr", MakerForm::Fallible, from_str, text));
        makers
    }

    /// Returns the constants of a type without parameters.
    pub(crate) fn constants(&self, place: ItemPlace, path: &str) -> Vec<TypeMaker> {
        let constant = |scope, path| TypeMaker {
            form: MakerForm::Name,
            path,
            scope,
            inputs: Vec::new(),
            generics: Generics::default(),
        };
        let sources = self.sources;
        let blocks = self.blocks.of_type(place);
        let blocks = blocks.filter(|(_, it)| it.trait_.is_none());
        let associated = blocks.flat_map(|(scope, block)| {
            let items = block.items.iter().filter_map(move |item| match item {
                ImplItem::Const(it) if is_public(&it.vis) => Some((scope, it)),
                _ => None,
            });
            items.filter(|(scope, it)| {
                last_word(&it.ty).is_some_and(|it| it == "Self")
                    || type_of(sources, *scope, &it.ty) == Some(place)
            })
        });
        let associated = associated
            .map(|(scope, it)| constant(scope, format!("{path}::{}", written(&plain(&it.ident)))));
        let items = sources.items();
        let free = items.filter_map(|((scope, at), item)| match item {
            Item::Const(it) if type_of(sources, scope, &it.ty) == Some(place) => {
                Some(constant(scope, self.public.get(scope, at)?.to_owned()))
            }
            _ => None,
        });
        associated.chain(free).take(MOST_CONSTANTS).collect()
    }

    /// Returns free functions and functions of other types that make a value of the type.
    pub(crate) fn producers(&self, place: ItemPlace, arguments: &[String]) -> Vec<TypeMaker> {
        let mut producers: Vec<_> = self.produced((place, arguments)).collect();
        producers.sort_by_key(TypeMaker::rank);
        producers.truncate(MOST_PRODUCERS);
        producers
    }

    /// Returns the methods that change a value using their arguments. Those that add to it come
    /// first.
    pub(crate) fn methods(
        &self,
        place: ItemPlace,
        path: &str,
        arguments: &[String],
    ) -> Vec<TypeMaker> {
        let mut methods = self.changes(place, path, arguments);
        methods.retain(|it| !it.inputs.is_empty() && !it.begins(&TAKING));
        methods.sort_by_key(|it| (!it.begins(&ADDING), it.inputs.len()));
        methods.truncate(MOST_METHODS);
        methods
    }

    /// Returns the methods that may change a value of the type.
    pub(crate) fn changes(
        &self,
        place: ItemPlace,
        path: &str,
        arguments: &[String],
    ) -> Vec<TypeMaker> {
        let name = path.rsplit("::").next().unwrap_or(path);
        let functions = self.functions_of(place, path, arguments);
        let methods = functions.filter_map(|(scope, path, substitution, signature)| {
            let is_made =
                |kind: &Type| last_word(kind).is_some_and(|it| it == "Self" || it == name);
            Some(TypeMaker::method(scope, path, signature, is_made)?.with(&substitution))
        });
        methods.filter(|it| !it.begins(&SEEING)).collect()
    }

    /// Maps the names of a type's parameters to its arguments.
    pub(crate) fn parameters_of(&self, place: ItemPlace, arguments: &[String]) -> Substitution {
        let parameters = self.type_parameters(place);
        let mut substitution = Substitution::default();
        for (it, argument) in parameters.zip(arguments) {
            if let Ok(argument) = argument.parse() {
                substitution.insert(parameter(it), argument);
            }
        }
        substitution
    }

    /// Returns free functions and functions of other types that make a value of the type.
    fn produced(&self, made: (ItemPlace, &[String])) -> impl Iterator<Item = TypeMaker> {
        let producers = self.producers.get(&made.0).into_iter().flatten();
        producers.filter_map(move |function| {
            let mut generics = function.signature.generics.clone();
            let mut of_owner = Substitution::default();
            if let Some(owner) = &function.owner {
                generics.params.extend(owner.block.generics.params.clone());
                let clauses = owner.block.generics.where_clause.iter();
                let clauses = clauses.flat_map(|it| it.predicates.clone());
                generics.make_where_clause().predicates.extend(clauses);
                of_owner.insert("Self".to_owned(), (*owner.block.self_ty).to_token_stream());
            }
            let scope = function.scope;
            let path = self.producer_path(function)?;
            TypeMaker::function(scope, path, (function.signature, &generics), |kind| {
                let kind = lasting(function.meant(kind));
                let is_made = type_of(self.sources, scope, kind) == Some(made.0);
                let types = is_made.then(|| self.unified(scope, &generics, kind, made));
                Some(of_owner.clone().then(types??))
            })
        })
    }

    /// Returns a function's path. A trait's function without a receiver has the type in its path.
    fn producer_path(&self, function: &DeclaredFunction<'_>) -> Option<String> {
        let of_trait = function.owner.as_ref().map(|it| &it.block.trait_);
        let Some(Some((_, path, _))) = of_trait else {
            return Some(function.path.clone());
        };
        let mut path = path.clone();
        let is_told = function.signature.receiver().is_some();
        if is_told {
            path.segments.last_mut()?.arguments = PathArguments::None;
        }
        let of_trait = self.global(function.scope, &Type::Path(TypePath { qself: None, path }));
        let (of_trait, name) = (of_trait.ok()?, written(&plain(&function.signature.ident)));
        if is_told {
            return Some(format!("{of_trait}::{name}"));
        }
        let owner = function.owner.as_ref();
        let owner = owner.filter(|it| it.block.generics.params.is_empty())?;
        Some(format!("<{} as {of_trait}>::{name}", owner.path))
    }

    /// Returns types for a block's parameters: the defaults of the owner's parameters, or else the
    /// arguments in another block.
    pub(crate) fn defaults(&self, owner: &OwnerType<'_>) -> Substitution {
        let mut defaults = Substitution::default();
        let Some(place) = owner.place else {
            return defaults;
        };
        let parameters = self.type_parameters(place);
        let stated = type_arguments(&owner.block.self_ty);
        let stated = stated.into_iter().map(text).enumerate();
        for ((at, name), it) in stated.zip(parameters) {
            let by_default = self.argument(self.scope, None, (place.0, it)).ok();
            let kind = by_default.or_else(|| self.stated_elsewhere(place, at));
            let kind = kind.and_then(|it| it.parse().ok());
            if let Some(kind) = kind.filter(|_| has_parameter(&owner.block.generics, &name)) {
                defaults.insert(name, kind);
            }
        }
        defaults
    }

    /// Returns the argument at this position in the first block with a concrete one.
    fn stated_elsewhere(&self, place: ItemPlace, at: usize) -> Option<String> {
        self.blocks.of_type(place).find_map(|(scope, block)| {
            let GenericArgument::Type(kind) = type_arguments(&block.self_ty).get(at)? else {
                return None;
            };
            let is_type = block.trait_.is_none() && !has_parameter(&block.generics, &text(kind));
            self.global(scope, kind).ok().filter(|_| is_type)
        })
    }

    /// Returns the `From`, `TryFrom` and `FromIterator` conversions to the type.
    fn conversions(
        &self,
        place: ItemPlace,
        whole: &str,
        arguments: &[String],
    ) -> impl Iterator<Item = TypeMaker> {
        self.implemented(place)
            .filter_map(move |(scope, block, implemented)| {
                let last = implemented.segments.last()?;
                let kind = types_in(&last.arguments).next()?;
                let (form, function, kind) = match last.ident.to_string().as_str() {
                    "From" => (MakerForm::Function, "from", kind.clone()),
                    "TryFrom" => (MakerForm::Fallible, "try_from", kind.clone()),
                    "FromIterator" => (MakerForm::Function, "from_iter", parse_quote!(Vec<#kind>)),
                    _ => return None,
                };
                let substitution = self.matched(scope, block, place, arguments)?;
                let maker = TypeMaker {
                    form,
                    path: format!("{whole}::{function}"),
                    scope,
                    inputs: vec![("value".to_owned(), kind)],
                    generics: block.generics.clone(),
                };
                Some(maker.with(&substitution))
            })
    }
}

fn has_parameter(generics: &Generics, name: &str) -> bool {
    generics.params.iter().any(|it| parameter(it) == name)
}

/// Returns the path of a type in an expression.
pub(crate) fn type_path(path: &str, arguments: &[String]) -> String {
    match arguments {
        [] => path.to_owned(),
        arguments => format!("<{}>", whole_type(path, arguments)),
    }
}

/// Returns the path of a type in a type position.
pub(crate) fn whole_type(path: &str, arguments: &[String]) -> String {
    match arguments {
        [] => path.to_owned(),
        arguments => format!("{path}<{}>", arguments.join(", ")),
    }
}
