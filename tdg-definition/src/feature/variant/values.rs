//! The variant of a JSON value, and the checks that variants are distinguishable.

use crate::fault::{Invalid, invalid};
use crate::feature::{Feature, Parts, Variant, Variants};
use crate::feature_type::FeatureType;
use crate::fields::kind;
use crate::json::{Object, Value};
use crate::nearest;
use crate::variant_form::{CONTENT, UNTAGGED, VariantForm};

/// The reasons why variants can't be written in this form, with their numbers.
pub(super) fn check(variants: &Variants<'_>) -> Vec<(usize, String)> {
    let values = variants.all().iter().enumerate();
    let of_value = |(number, variant): (usize, &Variant)| {
        let problem = match (variants.form(), variant.value()) {
            (VariantForm::Internal { tag }, Some(value)) => not_beside(tag, value),
            (VariantForm::Untagged, Some(value)) => not_alone(value),
            _ => None,
        };
        let clash = || match variants.form() {
            VariantForm::Untagged => clash(variants, number),
            _ => None,
        };
        Some((number, problem.or_else(clash)?))
    };
    values.filter_map(of_value).collect()
}

/// The reason why the variant's name can't be a member next to the value's.
fn not_beside(tag: &str, value: &Feature) -> Option<String> {
    let kind = value.feature_type();
    let Parts::Members(members) = value.parts() else {
        if kind == FeatureType::Object && value.is_node() {
            // A node at the deepest level of a shape.
            return None;
        }
        return Some(format!(
            "draws {kind} values, which have no room for a member `{tag}`; add \
             `{CONTENT}`, or make it an OBJECT"
        ));
    };
    if value.null_probability() > 0.0 {
        return Some(format!(
            "can be null, which has no room for `{tag}`; add `{CONTENT}`"
        ));
    }
    members.iter().any(|member| member.name() == tag).then(|| {
        format!(
            "has a feature `{tag}`, which is also the member for the variant's name; rename \
                 one of the two"
        )
    })
}

/// The reason why the value doesn't identify its variant.
fn not_alone(value: &Feature) -> Option<String> {
    if value.null_probability() > 0.0 {
        return Some(
            "can be null, which doesn't identify its variant; remove `untagged`, or \
             this"
                .to_owned(),
        );
    }
    (value.feature_type() == FeatureType::Variant).then(|| {
        "is a VARIANT itself, whose values can't be distinguished from the others; remove \
         `untagged`"
            .to_owned()
    })
}

/// The reason why a value of the variant would be read as an earlier variant.
fn clash(variants: &Variants<'_>, number: usize) -> Option<String> {
    let (before, from) = variants.all().split_at(number);
    let look = ValueLook::of(from.first()?.value());
    let mut before = before.iter();
    let other = before.find(|other| ValueLook::of(other.value()).takes(&look))?;
    Some(format!(
        "would be read as `{}`, which comes before it and looks the same in JSON; remove \
         `{UNTAGGED}`, or change one of them",
        other.name()
    ))
}

/// The appearance by which values without the name of their variant are distinguished.
#[derive(PartialEq)]
enum ValueLook<'a> {
    Null,
    Boolean,
    Integer,
    Float,
    Text,
    List,
    Tuple(usize),
    Object(&'a [Feature]),
    Map,
    Unknown,
}

impl<'a> ValueLook<'a> {
    fn of(value: Option<&'a Feature>) -> Self {
        let Some(value) = value else {
            return Self::Null;
        };
        match (value.parts(), value.feature_type()) {
            (Parts::Element(_), _) => Self::List,
            (Parts::Entries(_), _) => Self::Map,
            (Parts::Tuple(values), _) => Self::Tuple(values.len()),
            (Parts::Members(members), _) => Self::Object(members),
            (Parts::Variants(_), _) => Self::Unknown,
            (Parts::None, _) if value.is_node() => Self::Unknown,
            (Parts::None, FeatureType::Boolean) => Self::Boolean,
            (Parts::None, FeatureType::Integer) => Self::Integer,
            (Parts::None, FeatureType::Float) => Self::Float,
            (Parts::None, _) => Self::Text,
        }
    }

    /// Returns true if this variant's reader accepts what the other writes.
    fn takes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List, Self::Tuple(_)) | (Self::Tuple(_), Self::List) => true,
            (Self::Float, Self::Integer) => true,
            (Self::Map, Self::Object(_)) | (Self::Object(_), Self::Map) => true,
            (Self::Object(own), Self::Object(others)) => {
                let is_there = |own: &Feature| others.iter().any(|it| it.name() == own.name());
                own.iter()
                    .all(|own| own.null_probability() > 0.0 || is_there(own))
            }
            (one, other) => one == other,
        }
    }

    /// Returns true if the value has this appearance.
    fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Null, Value::Null)
            | (Self::Boolean, Value::Bool(_))
            | (Self::Float, Value::Number(_))
            | (Self::Text, Value::String(_))
            | (Self::List, Value::Array(_))
            | (Self::Map, Value::Object(_)) => true,
            (Self::Integer, Value::Number(number)) => !number.is_float(),
            (Self::Tuple(count), Value::Array(values)) => values.len() == *count,
            (Self::Object(own), Value::Object(members)) => {
                let has = |own: &Feature| members.contains_key(own.name());
                own.len() == members.len() && own.iter().all(has)
            }
            _ => false,
        }
    }
}

impl Variants<'_> {
    /// Returns the number of the variant that a JSON value is, and the value in it.
    ///
    /// # Errors
    /// The reason why it isn't a variant, and the fix.
    pub fn find(&self, value: &Value) -> Result<(usize, Option<Value>), Invalid> {
        match (self.form(), value) {
            (VariantForm::External, Value::String(name)) => self.named(name, None),
            (VariantForm::External, Value::Object(members)) => {
                let mut all = members.iter();
                match (all.next(), all.next()) {
                    (Some((name, value)), None) => self.named(name, Some(value.clone())),
                    _ => invalid!(
                        "must have the variant's name as the only key, but has {} keys",
                        members.len()
                    ),
                }
            }
            (VariantForm::External, other) => invalid!(
                "must be the name of a variant, or an object with that as its only key, but is {}",
                kind(other)
            ),
            (VariantForm::Internal { tag }, Value::Object(members)) => {
                let name = self.tag(members, tag)?;
                let rest = members.iter().filter(|(name, _)| name != tag);
                let rest = Value::object(rest.map(|(name, value)| (name, value.clone())));
                let is_empty = rest.as_object().is_some_and(Object::is_empty);
                let is_it = |it: &Variant| it.name() == name && it.value().is_none();
                let is_unit = self.all().iter().any(is_it);
                self.named(name, (!(is_empty && is_unit)).then_some(rest))
            }
            (VariantForm::Adjacent { tag, content }, Value::Object(members)) => {
                let name = self.tag(members, tag)?;
                let other = members.keys().find(|name| name != &tag && name != &content);
                match other {
                    Some(other) => {
                        invalid!("has `{other}` in addition to `{tag}` and `{content}`; remove it")
                    }
                    None => self.named(name, members.get(content).cloned()),
                }
            }
            (VariantForm::Internal { tag } | VariantForm::Adjacent { tag, .. }, other) => {
                invalid!(
                    "must be an object with the variant's name as `{tag}`, but is {}",
                    kind(other)
                )
            }
            (VariantForm::Untagged, value) => {
                let mut looks = self.all().iter().map(|it| ValueLook::of(it.value()));
                let number = looks.position(|look| look.is(value));
                let number = number
                    .ok_or_else(|| format!("must be a variant's value, but is {}", kind(value)))?;
                Ok((number, (!value.is_null()).then(|| value.clone())))
            }
        }
    }

    fn tag<'v>(&self, members: &'v Object, tag: &str) -> Result<&'v str, Invalid> {
        let name = members.get(tag);
        let name = name.ok_or_else(|| format!("has no `{tag}`, which names the variant"))?;
        let name = name.as_str();
        let problem = "that is not a string, but must name the variant";
        name.ok_or_else(|| format!("has a `{tag}` {problem}").into())
    }

    fn named(&self, name: &str, value: Option<Value>) -> Result<(usize, Option<Value>), Invalid> {
        let names = || self.all().iter().map(|variant| variant.name());
        let Some(number) = names().position(|it| it == name) else {
            return Err(match nearest(name, names()) {
                Some(near) => format!("has no variant `{name}`; did you mean `{near}`?").into(),
                None => format!(
                    "has no variant `{name}`; the variants are {}",
                    names().collect::<Vec<_>>().join(", ")
                )
                .into(),
            });
        };
        match (self.all()[number].value(), value) {
            (None, None) => Ok((number, None)),
            (Some(_), Some(value)) => Ok((number, Some(value))),
            (Some(_), None) => {
                invalid!("has no value, but the variant `{name}` has one")
            }
            (None, Some(_)) => {
                invalid!("has a value, but the variant `{name}` has none")
            }
        }
    }
}
