//! What makes a value of a type of the crate.

use syn::{Attribute, Fields, FnArg, Item, ReturnType, Signature, Type, parse_quote};

use super::tokens::{arguments, last_word, names, text, types_in};
use super::{Sources, associated_functions, is_public, parameter_name, plain, type_of, written};

/// A function, or the literal of a struct or variant, that makes a value of a type.
pub(crate) struct TypeMaker {
    pub(crate) form: MakerForm,
    pub(crate) path: String,
    /// The module in which the names of the inputs' types are looked up.
    pub(crate) scope: usize,
    /// Each with its name.
    pub(crate) inputs: Vec<(String, Type)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MakerForm {
    /// A function that always makes one.
    Function,
    /// A function that returns an `Option` or a `Result`: some values are no inputs.
    Fallible,
    /// `Path { name: … }`
    Literal,
    /// `Path`
    Name,
}

impl MakerForm {
    /// The expression that makes it of these values, each with its name.
    pub(crate) fn expression(self, path: &str, values: &[(&str, String)]) -> String {
        let list = |item: fn(&(&str, String)) -> String| {
            let items: Vec<String> = values.iter().map(item).collect();
            items.join(", ")
        };
        match self {
            Self::Function | Self::Fallible => {
                format!("{path}({})", list(|(_, value)| value.clone()))
            }
            Self::Literal => {
                let fields = list(|(name, value)| match written(name) {
                    name if name == *value => name,
                    name => format!("{name}: {value}"),
                });
                format!("{path} {{ {fields} }}")
            }
            Self::Name => path.to_owned(),
        }
    }
}

impl TypeMaker {
    /// The literal of a struct or a variant, if another crate can write it.
    pub(crate) fn literal(
        scope: usize,
        path: String,
        attributes: &[Attribute],
        fields: &Fields,
    ) -> Option<Self> {
        let is_open = !attributes
            .iter()
            .any(|it| it.path().is_ident("non_exhaustive"));
        // What a field borrows would have to live longer than the expression.
        let is_owned = !fields.iter().any(|it| text(&it.ty).contains('&'));
        let inputs = fields.iter().enumerate().map(|(at, field)| {
            let name = field.ident.as_ref().map(plain);
            let name = name.unwrap_or_else(|| format!("value_{}", at + 1));
            (name, field.ty.clone())
        });
        (is_open && is_owned).then(|| Self {
            form: match fields {
                Fields::Named(_) => MakerForm::Literal,
                Fields::Unnamed(_) => MakerForm::Function,
                Fields::Unit => MakerForm::Name,
            },
            path,
            scope,
            inputs: inputs.collect(),
        })
    }

    /// If the function makes the type at that path, perhaps.
    fn constructor(scope: usize, path: &str, signature: &Signature) -> Option<Self> {
        let ReturnType::Type(_, returned) = &signature.output else {
            return None;
        };
        let made = path.rsplit("::").next();
        let is_made = |kind: &Type| {
            last_word(kind).is_some_and(|it| it == "Self" || Some(it.as_str()) == made)
        };
        let form = match last_word(returned)?.as_str() {
            _ if is_made(returned) => MakerForm::Function,
            "Option" | "Result" if is_made(arguments(returned).first()?) => MakerForm::Fallible,
            _ => return None,
        };
        let is_plain = signature.unsafety.is_none()
            && signature.asyncness.is_none()
            && signature.generics.params.is_empty();
        let inputs = signature.inputs.iter().enumerate();
        let inputs = inputs.map(|(at, input)| match input {
            FnArg::Typed(input) if !names(&input.ty, "Self") => {
                Some((parameter_name(at, &input.pat), (*input.ty).clone()))
            }
            _ => None,
        });
        let inputs = inputs.collect::<Option<_>>()?;
        is_plain.then(|| Self {
            form,
            path: format!("{path}::{}", written(&plain(&signature.ident))),
            scope,
            inputs,
        })
    }

    /// The most usual first.
    fn rank(&self) -> (usize, usize) {
        let name = match self.path.rsplit("::").next().unwrap_or_default() {
            "new" => 0,
            name if name.starts_with("from") => 1,
            name if name.starts_with("try") => 2,
            _ => 3,
        };
        (name, self.inputs.len())
    }
}

impl Sources {
    /// What makes a value of the type at that place, which others call by that path: the most
    /// usual first, and what always makes the same after what makes different ones.
    pub(crate) fn makers(&self, place: (usize, usize), path: &str) -> Vec<TypeMaker> {
        let functions = associated_functions(self)
            .filter(|(_, _, function)| is_public(&function.vis))
            .filter(|(scope, kind, _)| type_of(self, *scope, kind) == Some(place))
            .filter_map(|(scope, _, it)| TypeMaker::constructor(scope, path, &it.sig));
        let (constants, mut makers): (Vec<_>, Vec<_>) =
            functions.partition(|it| it.inputs.is_empty());
        makers.sort_by_key(TypeMaker::rank);
        makers.extend(self.conversions(place, path));
        if let Item::Struct(item) = &self.modules[place.0].items[place.1]
            && item.fields.iter().all(|it| is_public(&it.vis))
        {
            let path = path.to_owned();
            makers.extend(TypeMaker::literal(place.0, path, &item.attrs, &item.fields));
        }
        makers.extend(constants);
        let of_trait = |word, form, function, inputs| {
            self.implements(place, word).then(|| TypeMaker {
                form,
                path: format!("<{path} as std::{function}"),
                scope: place.0,
                inputs,
            })
        };
        let default = "default::Default>::default";
        makers.extend(of_trait("Default", MakerForm::Function, default, vec![]));
        let text = vec![("text".to_owned(), parse_quote!(&str))];
        let from_str = "str::FromStr>::from_str";
        makers.extend(of_trait("FromStr", MakerForm::Fallible, from_str, text));
        makers
    }

    /// `From` and `TryFrom` of the type at that place.
    fn conversions(&self, place: (usize, usize), path: &str) -> impl Iterator<Item = TypeMaker> {
        self.implemented(place)
            .filter_map(move |(scope, implemented)| {
                let last = implemented.segments.last()?;
                let (form, function) = match last.ident.to_string().as_str() {
                    "From" => (MakerForm::Function, "from"),
                    "TryFrom" => (MakerForm::Fallible, "try_from"),
                    _ => return None,
                };
                let kind = types_in(&last.arguments).next()?;
                Some(TypeMaker {
                    form,
                    path: format!("{path}::{function}"),
                    scope,
                    inputs: vec![("value".to_owned(), kind.clone())],
                })
            })
    }
}
