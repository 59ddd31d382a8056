//! Translates a parameter of the function into a parameter of its test.

use syn::{Attribute, Fields, FnArg, Item, Type, TypeReference};

use super::maker;
use crate::sources::tokens::{
    arguments, is_str, is_unsized, length, optional_reference, text, ungrouped,
};
use crate::sources::{
    ForeignType, PathTarget, PublicFunction, SCALARS, STANDARD, derives, generics, parameter_name,
    written,
};

pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) drawn: DrawnValue,
    /// The expression to pass in the call.
    pub(super) argument: String,
}

/// The notation for drawing a value of a type.
pub(super) struct DrawnValue {
    /// The items of `#[define(…)]`; `None` if the type defines how it is drawn.
    items: Option<String>,
    pub(super) kind: String,
    /// Set for a struct that defines how its fields are drawn, which is the whole row.
    pub(super) is_row: bool,
}

const CHANGED: &str = "is changed by the function; write a test that makes the value with \
                       `#[fixture(…)]`, or in its body";
const CHANGED_BY_METHOD: &str = "is changed by the method; write a test that makes the value, \
                                 calls the method, and returns the relevant part of the value";
/// The length of a list, after its elements.
const UP_TO_8: &str = "; 0..=8";
/// The length of bytes.
const UP_TO_64: &str = "any, length(0..=64)";
const KEYS: &str = "is a map whose keys are not integers, `char` or `String`; write a test that \
                    says how the keys are drawn, with no more entries than there are keys: \
                    `#[define({Key => any; 0..=2})]`";
const MADE_IN_MAP: &str = "is a map of constructed values, so one function has to build the whole \
                           map: write a test with `#[define({any => any; 0..=8}, via = |map: \
                           HashMap<u8, u8>| …)]`";
const FOR_EVER: &str = "must be `'static`, and rows aren't; write a test that chooses among \
                        constants";

impl PublicFunction<'_> {
    /// Returns the parameter at a position, or the reason why it can't be tested.
    pub(super) fn parameter(&self, position: usize, input: &FnArg) -> Result<Parameter, String> {
        let (name, kind, said, changed) = match input {
            FnArg::Receiver(it) => (self.receiver(), &it.ty, text(it), CHANGED_BY_METHOD),
            FnArg::Typed(it) => {
                let name = written(&parameter_name(position, &it.pat));
                let said = format!("{name}: {}", text(&it.ty));
                (name, &it.ty, said, CHANGED)
            }
        };
        let problem = |reason: &str| format!("`{said}` {reason}");
        let (scope, kind) = (self.scope, ungrouped(kind));
        if lives_forever(kind) {
            return Err(problem(FOR_EVER));
        }
        let drawn = |kind: &Type| self.drawn(scope, kind);
        let text_itself = || Ok(DrawnValue::new("any", text(kind)));
        let (drawn, argument) = match kind {
            Type::Reference(reference) if reference.mutability.is_some() => {
                return Err(problem(changed));
            }
            Type::Reference(reference) if is_str(&reference.elem) => (text_itself(), name.clone()),
            Type::Reference(reference) => (drawn(&reference.elem), format!("&{name}")),
            kind => match optional_reference(kind) {
                Some(inner) if is_str(&inner.elem) => (text_itself(), name.clone()),
                Some(inner) if inner.mutability.is_none() => {
                    let lent = if is_unsized(&inner.elem) {
                        "as_deref"
                    } else {
                        "as_ref"
                    };
                    let drawn = drawn(&inner.elem).and_then(|it| it.within("Option"));
                    (drawn, format!("{name}.{lent}()"))
                }
                _ => (drawn(kind), name.clone()),
            },
        };
        Ok(Parameter {
            drawn: drawn.map_err(|reason| problem(&reason))?,
            name,
            argument,
        })
    }

    /// Returns a name for the value that a method is called on.
    pub(super) fn receiver(&self) -> String {
        let path = self.owner.as_ref().map_or("self", |it| &it.path);
        snake(path.rsplit("::").next().unwrap_or(path))
    }

    /// Returns the notation of a type, or the reason why it has none.
    fn drawn(&self, scope: usize, kind: &Type) -> Result<DrawnValue, String> {
        let kind = ungrouped(kind);
        let path = match kind {
            Type::Path(path) if path.qself.is_none() => path,
            Type::Slice(slice) if is_byte(&slice.elem) => {
                return Ok(DrawnValue::new(UP_TO_64, "Vec<u8>"));
            }
            Type::Slice(slice) => {
                let element = self.drawn(scope, &slice.elem)?;
                return Ok(element.listed(UP_TO_8, format!("Vec<{}>", element.kind)));
            }
            Type::Array(array) => {
                let length = length(array).ok_or(
                    "has a length that is not a literal; write a test that states the number",
                )?;
                if is_byte(&array.elem) {
                    return Ok(DrawnValue::new("any", format!("[u8; {length}]")));
                }
                let element = self.drawn(scope, &array.elem)?;
                return Ok(element.listed("", format!("[{}; {length}]", element.kind)));
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let values = tuple.elems.iter().map(|kind| self.drawn(scope, kind));
                return Ok(DrawnValue::tuple(&values.collect::<Result<Vec<_>, _>>()?));
            }
            Type::Reference(it) if is_str(&it.elem) && it.mutability.is_none() => {
                return match lives_forever(kind) {
                    true => Err(FOR_EVER.to_owned()),
                    false => Ok(DrawnValue::new("any", text(kind))),
                };
            }
            Type::ImplTrait(_) | Type::TraitObject(_) | Type::BareFn(_) => {
                let reason = "can't be drawn; write a test that makes it in its body, or with \
                              `#[fixture(…)]`";
                return Err(reason.to_owned());
            }
            _ => {
                let reason = "is not a feature type; write a test that makes it in its body";
                return Err(reason.to_owned());
            }
        };
        match self.target(scope, path) {
            Some(PathTarget::Item(module, item)) => self.of_crate(module, item),
            Some(PathTarget::Foreign(names)) => self.foreign(&names, scope, &arguments(kind)),
            _ => Err("is not a feature type".to_owned()),
        }
    }

    /// Returns the notation of a primitive type or of another crate's type.
    fn foreign(
        &self,
        names: &[String],
        scope: usize,
        inner: &[&Type],
    ) -> Result<DrawnValue, String> {
        let name = names.last().map_or("", String::as_str);
        let is_standard = names.len() == 1 || STANDARD.contains(&names[0].as_str());
        match (name, inner) {
            (name, []) if SCALARS.contains(&name) && is_standard => Ok(scalar(name)),
            ("Box", [Type::Slice(slice)]) if is_byte(&slice.elem) => {
                Ok(DrawnValue::new(UP_TO_64, "Box<[u8]>"))
            }
            ("Vec", [inner]) if is_byte(inner) => Ok(DrawnValue::new(UP_TO_64, "Vec<u8>")),
            ("Box", [Type::Slice(slice)]) => {
                let element = self.drawn(scope, &slice.elem)?;
                Ok(element.listed(UP_TO_8, format!("Box<[{}]>", element.kind)))
            }
            ("HashMap" | "BTreeMap" | "IndexMap", [key, value]) => {
                let (key, value) = (self.drawn(scope, key)?, self.drawn(scope, value)?);
                key.mapped(&value, &names.join("::"))
            }
            ("Option" | "Box", [inner]) => self.drawn(scope, inner)?.within(name),
            ("Cow", [inner]) if is_str(inner) => {
                let kind = format!("{}<'_, str>", names.join("::"));
                Ok(DrawnValue::new("any", kind))
            }
            ("Vec" | "VecDeque" | "HashSet" | "BTreeSet", [inner]) => {
                let element = self.drawn(scope, inner)?;
                let list = format!("{}<{}>", names.join("::"), element.kind);
                Ok(element.listed(UP_TO_8, list))
            }
            _ => self.of_dependency(names, scope, inner),
        }
    }

    /// Returns the notation of another crate's type.
    fn of_dependency(
        &self,
        names: &[String],
        scope: usize,
        inner: &[&Type],
    ) -> Result<DrawnValue, String> {
        if names.len() < 2 {
            return Err("has a type that isn't found in the sources".to_owned());
        }
        let known = ForeignType::find(names);
        let Some((name, items)) = known.and_then(|it| Some((it.path, it.notation()?))) else {
            return Err(format!(
                "has the type `{}`, which has no known way to be drawn; write a test that makes \
                 it from drawn values: `#[define(any, via = |text: &str| …)]`",
                names.join("::")
            ));
        };
        let inner = inner.iter().map(|inner| self.qualified(scope, inner));
        let inner = inner.collect::<Result<Vec<_>, _>>()?;
        let kind = match inner.as_slice() {
            [] => name.to_owned(),
            inner => format!("{name}<{}>", inner.join(", ")),
        };
        Ok(DrawnValue::new(items, kind))
    }

    /// Returns the notation of a type of the crate: from its derive, or else from a maker.
    fn of_crate(&self, module: usize, position: usize) -> Result<DrawnValue, String> {
        let item = &self.sources.modules[module].items[position];
        let Some(path) = self.public.get(module, position) else {
            return Err("has a private type, which a test can't name; make it `pub`".to_owned());
        };
        stated(item, path).or_else(|reason| {
            let is_plain = generics(item).is_some_and(|it| it.params.is_empty());
            let place = (module, position);
            let makers =
                is_plain.then(|| (self.makers(place, path, &[]), self.producers(place, &[])));
            let makers = makers
                .iter()
                .flat_map(|(own, others)| own.iter().chain(others));
            let items = { makers }.find_map(maker::items);
            Ok(DrawnValue::new(items.ok_or(reason)?, path))
        })
    }
}

impl DrawnValue {
    fn new(items: impl Into<String>, kind: impl Into<String>) -> Self {
        Self {
            items: Some(items.into()),
            kind: kind.into(),
            is_row: false,
        }
    }

    /// Replaces `any` by the notation for its type.
    pub(super) fn instead_of_any(&mut self, notation: impl Fn(&str) -> Option<String>) {
        if let Some(items) = self.items.as_mut().filter(|it| *it == "any")
            && let Some(notation) = notation(&self.kind)
        {
            *items = notation;
        }
    }

    /// Adds edge cases to a value that is drawn as it is.
    pub(super) fn add_edge_cases(&mut self, edge_cases: impl Fn(&str) -> Option<String>) {
        if let Some(items) = self.items.as_mut()
            && ["any", "mixture("].iter().any(|it| items.starts_with(it))
            && !self.kind.contains("u8>")
            && !items.contains(", ")
            && let Some(edge_cases) = edge_cases(&self.kind)
        {
            items.push_str(", ");
            items.push_str(&edge_cases);
        }
    }

    /// Returns `#[define(any)] `, or an empty text if the type defines how it is drawn.
    pub(super) fn attribute(&self) -> String {
        let items = self.items.as_ref();
        items.map_or_else(String::new, |items| format!("#[define({items})] "))
    }

    /// Returns the items for use within a list or a tuple.
    fn element(&self) -> &str {
        self.items.as_ref().unwrap_or(&self.kind)
    }

    /// Returns the notation of a list of such values.
    fn listed(&self, length: &str, kind: String) -> Self {
        Self::new(format!("[{}{length}]", self.element()), kind)
    }

    fn tuple(values: &[Self]) -> Self {
        let items: Vec<&str> = values.iter().map(Self::element).collect();
        let kinds: Vec<&str> = values.iter().map(|it| it.kind.as_str()).collect();
        let kind = match kinds.as_slice() {
            [kind] => format!("({kind},)"),
            kinds => format!("({})", kinds.join(", ")),
        };
        Self::new(format!("({})", items.join(", ")), kind)
    }

    /// Returns the notation of a map with such keys.
    fn mapped(&self, value: &Self, map: &str) -> Result<Self, String> {
        let kind = self.kind.as_str();
        if self.is_made() || value.is_made() {
            return Err(MADE_IN_MAP.to_owned());
        }
        if !SCALARS.contains(&kind) || ["f32", "f64", "bool"].contains(&kind) {
            return Err(KEYS.to_owned());
        }
        let items = format!("{{{} => {}{UP_TO_8}}}", self.element(), value.element());
        Ok(Self::new(items, format!("{map}<{kind}, {}>", value.kind)))
    }

    /// Returns true if a function makes the value or a part of it from drawn values.
    fn is_made(&self) -> bool {
        let items = self.items.as_deref().unwrap_or_default();
        items.contains(", via = ") || items.contains(", parse")
    }

    /// Returns the notation of an `Option` or `Box` of such a value.
    fn within(self, name: &str) -> Result<Self, String> {
        if name == "Box" && self.is_made() {
            let reason = "is a box of a constructed value; write a test that takes the value, and \
                          calls the function with `Box::new(…)`";
            return Err(reason.to_owned());
        }
        let kind = format!("{name}<{}>", self.kind);
        Ok(Self {
            kind,
            is_row: false,
            ..self
        })
    }
}

/// Returns the notation of a type that defines how it is drawn.
fn stated(item: &Item, path: &str) -> Result<DrawnValue, String> {
    const DERIVE: &str = "`#[derive(tdg::Define, serde::Deserialize)]`";
    let is_defined =
        |attributes| derives(attributes, "Define") && derives(attributes, "Deserialize");
    let by_itself = |is_row| DrawnValue {
        items: None,
        kind: path.to_owned(),
        is_row,
    };
    match item {
        Item::Enum(item) if is_defined(&item.attrs) => Ok(by_itself(false)),
        Item::Enum(item) => {
            let is_plain = item
                .variants
                .iter()
                .all(|it| matches!(it.fields, Fields::Unit));
            let names = item.variants.iter().map(|it| format!("\"{}\"", it.ident));
            let names = names.collect::<Vec<_>>().join(", ");
            let or = if is_plain && !names.is_empty() {
                format!(
                    "; or write a test that takes `#[define(categorical({names}))] name: &str` and \
                         makes the value from it"
                )
            } else {
                String::new()
            };
            Err(format!(
                "is an enum, which states how it is drawn with {DERIVE}{or}"
            ))
        }
        Item::Struct(item) if !item.generics.params.is_empty() => Err(
            "is a generic struct; write a test with definition = …, or one that makes it from its \
             fields"
                .to_owned(),
        ),
        Item::Struct(item) if is_defined(&item.attrs) => {
            let is_row = matches!(item.fields, Fields::Named(_)) && !is_transparent(&item.attrs);
            Ok(by_itself(is_row))
        }
        Item::Struct(_) => Err(format!(
            "is a struct, which states how its fields are drawn with {DERIVE}; or write a test \
                 that takes the fields and makes the struct: `{path} {{ … }}`"
        )),
        _ => Err("is not a feature type; write a test that makes it in its body".to_owned()),
    }
}

/// Returns true if serde writes the struct as its single field.
fn is_transparent(attributes: &[Attribute]) -> bool {
    let mut serde = attributes.iter().filter(|it| it.path().is_ident("serde"));
    serde.any(|it| text(&it.meta).contains("transparent"))
}

fn is_byte(kind: &Type) -> bool {
    text(kind) == "u8"
}

fn scalar(name: &str) -> DrawnValue {
    let items = match name {
        // Integer features are limited to 64 bits.
        "u128" => "any(0..=18446744073709551615)",
        "i128" => "any(-9223372036854775808..=9223372036854775807)",
        _ => "any",
    };
    DrawnValue::new(items, name)
}

/// Returns true for `&'static str` and `Option<&'static str>`, for example.
fn lives_forever(kind: &Type) -> bool {
    match kind {
        Type::Reference(TypeReference {
            lifetime: Some(lifetime),
            ..
        }) => lifetime.ident == "static",
        kind => arguments(kind).into_iter().any(lives_forever),
    }
}

/// Returns `order_line` for `OrderLine`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
