//! Builds arguments from drawn values.

use tdg_definition::bytes::unescape;
use tdg_definition::json::Value;

use super::constants::{self, equally_likely, pattern};
use super::test_features::TestedFeatures;
use crate::sources::{CodeConstants, DrawnPart, MakerForm};

/// A drawn value, or a value made from drawn ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    /// A number, `bool`, `char` or `String`, by its name, or a `Written` text to parse another
    /// crate's type from.
    Scalar(&'static str),
    /// A part of a well-known type of another crate.
    Known(&'static DrawnPart),
    /// A value that the rows of a test hold.
    Held(HeldType),
    Bytes,
    Optional(Box<Argument>),
    /// Elements, and the type that they are collected into.
    List(Box<Argument>, Collected),
    Tuple(Vec<Argument>),
    Variant(Vec<DrawnVariant>),
    Made(ArgumentMaker),
    /// A value, and method calls that change it in sequence.
    Changed {
        made: Box<Argument>,
        calls: Vec<DrawnVariant>,
        drawn: DrawnParts,
    },
    /// A `'static` reference.
    Leaked {
        to: Box<Argument>,
        is_changed: bool,
        is_unsized: bool,
    },
}

/// How the rows of a test hold a type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HeldType {
    /// As the items of `#[define(…)]` say.
    Notation(String),
    /// As the type at this path states. It may be a whole row.
    Stated { path: String, is_row: bool },
}

/// The drawn parts of a changed value. Parts that aren't drawn are constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DrawnParts {
    Made,
    Calls,
    Both,
}

impl DrawnParts {
    /// Splits a drawn value into both parts.
    fn values_in(self, value: &Value) -> [&Value; 2] {
        let part = |name| value.get(name).unwrap_or(&Value::Null);
        match self {
            Self::Made => [value, &Value::Null],
            Self::Calls => [&Value::Null, value],
            Self::Both => [part(MADE), part(CALLS)],
        }
    }
}

/// The target of a list's elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Collected {
    Vec,
    /// Any type that collects an iterator, inferred from the parameter.
    Collection,
    /// The same with pairs.
    Map,
    Iterator,
    Array(usize),
    /// The values that a function returns in turn.
    Results,
}

impl Collected {
    /// Returns the expression that collects the number of elements given by the tokens.
    fn expression(self, element: &str) -> String {
        let collect = match self {
            Self::Vec | Self::Results => "list",
            Self::Collection | Self::Map => "list.into_iter().collect()",
            Self::Iterator => "list.into_iter()",
            Self::Array(_) => "array(list)",
        };
        format!(
            "{{ let mut list = Vec::new(); for _ in 0..t.count() {{ list.push({element}); }} {collect} }}"
        )
    }

    /// Returns the more restrictive of both; `None` if the lengths differ.
    fn narrowed(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Array(here), Self::Array(there)) if here != there => None,
            (Self::Array(0), Self::Results) | (Self::Results, Self::Array(0)) => None,
            (_, Self::Array(_)) => Some(other),
            (Self::Vec | Self::Collection | Self::Map | Self::Iterator, Self::Results) => {
                Some(other)
            }
            _ => Some(self),
        }
    }
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawnVariant {
    pub(crate) name: String,
    pub(crate) maker: ArgumentMaker,
    /// False if no row has it.
    pub(crate) is_drawn: bool,
}

impl DrawnVariant {
    /// Returns true if it is the result of a function, not a variant of an enum.
    pub(crate) fn is_maker(&self) -> bool {
        self.name.starts_with(char::is_lowercase)
    }

    pub(crate) fn from_maker(maker: ArgumentMaker) -> Self {
        Self::named(maker.name().to_owned(), maker)
    }

    pub(crate) fn named(name: String, maker: ArgumentMaker) -> Self {
        Self {
            name,
            maker,
            is_drawn: true,
        }
    }
}

/// A function or the literal of a struct, with its drawn inputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArgumentMaker {
    pub(crate) form: MakerForm,
    pub(crate) path: String,
    /// The inputs with their names, and how each is passed.
    pub(crate) parts: Vec<(String, Argument, PassedAs)>,
}

/// How a function takes a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PassedAs {
    Owned,
    Borrowed {
        is_unsized: bool,
    },
    Changed {
        is_unsized: bool,
    },
    /// A function that returns an element of a list: chosen by its arguments, or always the first.
    Function {
        /// Empty, `&` or `&mut `.
        by: &'static str,
        parameters: usize,
        of_arguments: bool,
    },
    /// A function that returns nothing.
    Procedure {
        by: &'static str,
        parameters: usize,
    },
}

impl PassedAs {
    /// Returns the expression that passes the variable.
    pub(crate) fn expression(self, name: &str) -> String {
        match self {
            Self::Owned => name.to_owned(),
            Self::Borrowed { is_unsized } => lent("&", is_unsized, name),
            Self::Changed { is_unsized } => lent("&mut ", is_unsized, name),
            Self::Procedure { by, parameters } => format!("{by}|{}| ()", inputs(parameters, "_x")),
            Self::Function {
                by,
                parameters,
                of_arguments: true,
            } => {
                let (inputs, given) = (inputs(parameters, "x"), inputs(parameters, "&x"));
                format!("{by}move |{inputs}| pick(&{name}, &[{given}])")
            }
            Self::Function { by, parameters, .. } => {
                format!("{by}move |{}| pick(&{name}, &[])", inputs(parameters, "_x"))
            }
        }
    }

    /// Returns the expression of a closure with the same result for all inputs.
    pub(crate) fn constant(self, result: &str) -> String {
        let inputs = |parameters| vec!["_"; parameters].join(", ");
        match self {
            Self::Function { by, parameters, .. } => {
                format!("{by}move |{}| {result}", inputs(parameters))
            }
            Self::Procedure { by, parameters } => format!("{by}|{}| ()", inputs(parameters)),
            _ => self.expression(result),
        }
    }
}

/// Returns a reference to a value or, if unsized, to its content.
fn lent(by: &str, is_unsized: bool, value: &str) -> String {
    let deref = if is_unsized { "*" } else { "" };
    format!("{by}{deref}{value}")
}

/// Returns `x0, x1`.
fn inputs(count: usize, prefix: &str) -> String {
    let names = (0..count).map(|at| format!("{prefix}{at}"));
    names.collect::<Vec<_>>().join(", ")
}

/// The source of values: all of a type, values that callers usually pass, those along with
/// constants of the code, the features of tests, or special floats (NaN, infinities and extremes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DrawnFrom<'c> {
    Any,
    Ordinary,
    Constants(&'c CodeConstants),
    Tests(&'c TestedFeatures),
    SpecialFloats,
}

const WORDS: &str =
    r"([a-z]{1,8}|[0-9]{1,4}|[A-Z][a-z]{0,6})([ ,.:/_-]([a-z]{1,6}|[0-9]{1,3})){0,3}";
const NUMBER: &str = r"-?[0-9]{1,4}(\.[0-9]{1,2})?";
/// Common text forms of other crates' types: dates, times, versions, identifiers, addresses.
const WRITTEN: [&str; 5] = [
    r"20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z?)?",
    r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]",
    r"[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}",
    "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    r"https://[a-z]{1,8}\.(com|org)(/[a-z]{1,6}){0,2}",
];
const LONGEST: u64 = 8;
/// The members of a changed value.
const MADE: &str = "made";
const CALLS: &str = "calls";

impl Argument {
    /// Returns true if anything is drawn for the argument.
    pub(crate) fn is_drawn(&self) -> bool {
        match self {
            Self::Made(maker) => maker.is_drawn(),
            Self::Tuple(parts) => parts.iter().any(Self::is_drawn),
            Self::Leaked { to, .. } => to.is_drawn(),
            Self::Changed {
                made,
                drawn: DrawnParts::Made,
                ..
            } => made.is_drawn(),
            _ => true,
        }
    }

    /// Draws the changing calls too, if their paths are kept; returns true if there are any.
    pub(crate) fn draw_calls(&mut self, is_kept: impl Fn(&str) -> bool) -> bool {
        let Self::Changed {
            made,
            calls,
            drawn: drawn @ DrawnParts::Made,
        } = self
        else {
            return false;
        };
        for call in calls.iter_mut() {
            call.is_drawn = is_kept(&call.maker.path);
        }
        let has_calls = calls.iter().any(|it| it.is_drawn);
        if has_calls {
            *drawn = match made.is_drawn() {
                true => DrawnParts::Both,
                false => DrawnParts::Calls,
            };
        }
        has_calls
    }

    /// Returns the calls that may change it, unless they are already drawn.
    pub(crate) fn calls(&self) -> &[DrawnVariant] {
        match self {
            Self::Changed {
                calls,
                drawn: DrawnParts::Made,
                ..
            } => calls,
            _ => &[],
        }
    }

    /// Removes the changing calls that aren't kept.
    pub(crate) fn keep_calls(&mut self, is_kept: impl Fn(&DrawnVariant) -> bool) {
        if let Self::Changed {
            made,
            calls,
            drawn: DrawnParts::Made,
        } = self
        {
            calls.retain(is_kept);
            if calls.is_empty() {
                *self = std::mem::replace(made, Self::Bytes);
            }
        }
    }

    /// Returns true if it can be an element of a list, which needs a feature for each part.
    pub(crate) fn is_element(&self) -> bool {
        match self {
            Self::Tuple(parts) => !parts.is_empty() && parts.iter().all(Self::is_element),
            Self::Leaked { to, .. } => to.is_element(),
            Self::Made(maker) => maker.is_element(),
            Self::Variant(variants) => variants
                .iter()
                .all(|it| it.maker.parts.is_empty() || it.maker.is_element()),
            _ => true,
        }
    }

    /// Adds the paths of its makers.
    pub(crate) fn add_makers<'a>(&'a self, paths: &mut Vec<&'a str>) {
        let mut add = |maker: &'a ArgumentMaker| {
            paths.push(&maker.path);
            maker
                .parts
                .iter()
                .for_each(|(_, part, _)| part.add_makers(paths));
        };
        match self {
            Self::Scalar(_) | Self::Known(_) | Self::Held(_) | Self::Bytes => {}
            Self::Optional(inner) | Self::List(inner, _) | Self::Leaked { to: inner, .. } => {
                inner.add_makers(paths);
            }
            Self::Tuple(parts) => parts.iter().for_each(|it| it.add_makers(paths)),
            Self::Variant(variants) => variants.iter().for_each(|it| add(&it.maker)),
            Self::Made(maker) => add(maker),
            Self::Changed { made, calls, drawn } => {
                if *drawn != DrawnParts::Made {
                    calls.iter().for_each(|it| add(&it.maker));
                }
                made.add_makers(paths);
            }
        }
    }

    /// Adds the members `type` and `distribution` of a feature.
    fn describe(&self, spread: DrawnFrom<'_>, members: &mut Vec<(&'static str, Value)>) {
        let mut add = |kind: &str, distribution: Value| {
            members.push(("type", kind.into()));
            members.push(("distribution", distribution));
        };
        match self {
            Self::Scalar(name) => {
                let (kind, distribution, edge_cases) = scalar(name, spread);
                add(kind, distribution);
                members.extend(edge_cases.map(|it| ("edge_cases", it)));
            }
            Self::Known(part) => {
                let (kind, distribution) = part.described(spread == DrawnFrom::Any);
                add(kind, distribution);
            }
            // Without serde, a text is parsed.
            Self::Held(_) => Self::Scalar("Written").describe(spread, members),
            Self::Bytes => {
                let (distribution, edge_cases) = match spread {
                    DrawnFrom::Constants(constants) => constants::bytes(constants),
                    _ => (Value::object([("type", "any".into())]), None),
                };
                add("BYTES", distribution);
                members.extend(edge_cases.map(|it| ("edge_cases", it)));
            }
            Self::Optional(inner) => {
                inner.describe(spread, members);
                members.push(("null_probability", Value::from(0.2)));
            }
            Self::List(element, collected) => {
                let element = element.feature(None, spread);
                add("LIST", list(element, *collected, spread));
            }
            Self::Changed { made, calls, drawn } => match drawn {
                DrawnParts::Made => made.describe(spread, members),
                DrawnParts::Calls => list_of(calls).describe(spread, members),
                DrawnParts::Both => {
                    let made = made.feature(Some(MADE), spread);
                    let calls = list_of(calls).feature(Some(CALLS), spread);
                    add("OBJECT", object(vec![made, calls], None));
                }
            },
            Self::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(at, part)| part.feature(Some(&at.to_string()), spread));
                add("OBJECT", object(parts.collect(), Some("array")));
            }
            Self::Variant(variants) => add("VARIANT", variant(variants, spread)),
            Self::Made(maker) => maker.describe(spread, members),
            Self::Leaked { to, .. } => to.describe(spread, members),
        }
    }

    /// Returns the feature with this name, or the description of an element.
    pub(crate) fn feature(&self, name: Option<&str>, spread: DrawnFrom<'_>) -> Value {
        if let (DrawnFrom::Tests(tested), Some(name)) = (spread, name) {
            let usual = self.feature(Some(name), DrawnFrom::Ordinary);
            let kind = usual.get("type").and_then(Value::as_str);
            let tested = kind.and_then(|kind| tested.of_name(name, kind));
            if let Some(tested) = tested {
                return tested.clone();
            }
        }
        let mut members: Vec<(&'static str, Value)> = Vec::new();
        members.extend(name.map(|name| ("feature_name", name.into())));
        self.describe(spread, &mut members);
        Value::object(members)
    }

    /// Returns all possible values if there are few.
    pub(crate) fn all_values(&self) -> Option<Vec<Value>> {
        let integers = |least: i64, most: i64| (least..=most).map(Value::from).collect();
        match self {
            Self::Scalar("bool") => Some(vec![false.into(), true.into()]),
            Self::Scalar("u8") => Some(integers(0, 255)),
            Self::Scalar("i8") => Some(integers(-128, 127)),
            Self::Optional(inner) => Some([vec![Value::Null], inner.all_values()?].concat()),
            Self::Variant(variants) => {
                let name = |it: &DrawnVariant| {
                    it.maker
                        .parts
                        .is_empty()
                        .then(|| Value::from(it.name.as_str()))
                };
                variants.iter().map(name).collect()
            }
            Self::Leaked { to, .. } => to.all_values(),
            Self::Made(maker) => match maker.drawn()[..] {
                [(_, part, _)] => part.all_values(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the expression that makes it from the tokens `t`, or else returns from the function.
    pub(crate) fn expression(&self) -> String {
        match self {
            Self::Scalar(name) => format!("take::<{name}>(t)"),
            Self::Known(part) if part.is_text() => "take::<String>(t)".to_owned(),
            Self::Known(_) | Self::Held(_) => "take::<_>(t)".to_owned(),
            Self::Bytes => "take_bytes(t)".to_owned(),
            Self::Optional(inner) => {
                format!(
                    "if t.flag() {{ Some({}) }} else {{ None }}",
                    inner.expression()
                )
            }
            Self::List(element, collected) => collected.expression(&element.expression()),
            Self::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.expression() + ", ");
                format!("({})", parts.collect::<String>())
            }
            Self::Variant(variants) => {
                // One line each, since compiler messages refer to lines.
                let makers = variants.iter().map(|it| it.maker.expression());
                let makers = makers.map(|it| it.replace('\n', " ")).enumerate();
                let arms = makers.map(|(at, maker)| format!("{at} => {maker},\n"));
                format!(
                    "match t.count() {{ {}_ => return None }}",
                    arms.collect::<String>()
                )
            }
            Self::Made(maker) => maker.expression(),
            Self::Changed { made, calls, .. } => format!(
                "{{ let mut it = {};\nfor _ in 0..t.count() {{ {} }}\nit }}",
                made.expression(),
                call_of(calls).expression()
            ),
            Self::Leaked {
                to,
                is_changed,
                is_unsized,
            } => {
                let by = if *is_changed { "&mut *" } else { "&*" };
                let deref = if *is_unsized { "*" } else { "" };
                format!("{by}{deref}Box::leak(Box::new({}))", to.expression())
            }
        }
    }

    /// Adds the tokens of a row's value.
    pub(crate) fn write(&self, value: &Value, tokens: &mut Tokens) {
        match self {
            Self::Scalar(_) | Self::Known(_) | Self::Held(_) => match value {
                Value::String(text) => tokens.push(text.as_bytes()),
                other => tokens.push(other.to_string().as_bytes()),
            },
            Self::Bytes => {
                let text = value.as_str().unwrap_or_default();
                tokens.push(&unescape(text).unwrap_or_default());
            }
            Self::Optional(inner) => {
                tokens.count(usize::from(!value.is_null()));
                if !value.is_null() {
                    inner.write(value, tokens);
                }
            }
            Self::List(element, _) => {
                let elements = value.as_array().unwrap_or_default();
                tokens.count(elements.len());
                elements.iter().for_each(|it| element.write(it, tokens));
            }
            Self::Changed { made, calls, drawn } => {
                let [of_made, of_calls] = drawn.values_in(value);
                made.write(of_made, tokens);
                list_of(calls).write(of_calls, tokens);
            }
            Self::Tuple(parts) => {
                let values = value.as_array().unwrap_or_default();
                for (part, value) in parts.iter().zip(values) {
                    part.write(value, tokens);
                }
            }
            Self::Variant(variants) => {
                let (name, payload) = match value.as_object().and_then(|it| it.iter().next()) {
                    Some((name, payload)) => (name.as_str(), payload),
                    None => (value.as_str().unwrap_or_default(), &Value::Null),
                };
                let at = variants.iter().position(|it| it.name == name);
                let at = at.unwrap_or_default();
                tokens.count(at);
                variants[at].maker.write(payload, tokens);
            }
            Self::Made(maker) => maker.write(value, tokens),
            Self::Leaked { to, .. } => to.write(value, tokens),
        }
    }
}

/// Returns the choice of a call, with its arguments.
fn call_of(calls: &[DrawnVariant]) -> Argument {
    match calls {
        [only] if only.maker.is_drawn() => Argument::Made(only.maker.clone()),
        calls => Argument::Variant(calls.to_vec()),
    }
}

fn list_of(calls: &[DrawnVariant]) -> Argument {
    Argument::List(Box::new(call_of(calls)), Collected::Vec)
}

impl ArgumentMaker {
    /// Returns the name of the function.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }

    pub(crate) fn is_drawn(&self) -> bool {
        self.parts.iter().any(|(_, part, _)| part.is_drawn())
    }

    pub(crate) fn is_element(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|(_, part, _)| part.is_element())
    }

    /// Describes a single part as the value itself, several parts as an object.
    fn describe(&self, spread: DrawnFrom<'_>, members: &mut Vec<(&'static str, Value)>) {
        if let [(_, part, _)] = self.drawn()[..] {
            return part.describe(spread, members);
        }
        let features = self.drawn().into_iter();
        let features = features.map(|(name, part, _)| part.feature(Some(name), spread));
        members.push(("type", "OBJECT".into()));
        members.push(("distribution", object(features.collect(), None)));
    }

    fn drawn(&self) -> Vec<&(String, Argument, PassedAs)> {
        let parts = self.parts.iter();
        parts.filter(|(_, part, _)| part.is_drawn()).collect()
    }

    fn expression(&self) -> String {
        let parts = self.parts.iter().enumerate();
        let parts: String = parts
            .map(|(at, (_, part, _))| format!("let mut p{at} = {}; ", part.expression()))
            .collect();
        let values = self.parts.iter().enumerate();
        let values = values
            .map(|(at, (name, _, passed))| (name.as_str(), passed.expression(&format!("p{at}"))));
        let made = self
            .form
            .expression(&self.path, &values.collect::<Vec<_>>());
        let made = match self.form {
            MakerForm::Fallible | MakerForm::Failing => format!("input({made})?"),
            _ => made,
        };
        format!("{{ {parts}{made} }}")
    }

    fn write(&self, value: &Value, tokens: &mut Tokens) {
        match &self.drawn()[..] {
            [(_, part, _)] => part.write(value, tokens),
            parts => {
                for (name, part, _) in parts {
                    part.write(value.get(name).unwrap_or(&Value::Null), tokens);
                }
            }
        }
    }
}

/// Returns the argument that both sides can take; `None` if there isn't one.
pub(crate) fn narrowed(one: &Argument, other: &Argument) -> Option<Argument> {
    let feature = |it: &Argument, spread| it.feature(None, spread);
    let is_alike = |spread| feature(one, spread) == feature(other, spread);
    let is_same = match [one.is_drawn(), other.is_drawn()] {
        [true, true] => is_alike(DrawnFrom::Any) && is_alike(DrawnFrom::Ordinary),
        [one, other] => one == other,
    };
    if is_same {
        return Some(other.clone());
    }
    match (one, other) {
        (Argument::Scalar("f32" | "f64"), Argument::Scalar("f32" | "f64")) => {
            Some(Argument::Scalar("f32"))
        }
        (Argument::Scalar(one), Argument::Scalar(other)) => {
            let ([min, max], [least, most]) = (bounds(one)?, bounds(other)?);
            let (min, max) = (min.max(least), max.min(most));
            let fits = |it: &&&str| bounds(it).is_some_and(|[low, high]| min <= low && high <= max);
            let range = |it: &&&str| bounds(it).map(|[low, high]| high - low);
            INTEGERS
                .iter()
                .filter(fits)
                .max_by_key(range)
                .map(|it| Argument::Scalar(it))
        }
        (Argument::Leaked { to: one, .. }, other) => narrowed(one, other),
        (one, Argument::Leaked { to: other, .. }) => narrowed(one, other),
        (Argument::Optional(one), Argument::Optional(other)) => {
            Some(Argument::Optional(Box::new(narrowed(one, other)?)))
        }
        (Argument::Optional(inner), other) | (other, Argument::Optional(inner)) => {
            narrowed(inner, other)
        }
        (Argument::List(one, here), Argument::List(other, there)) => {
            let element = Box::new(narrowed(one, other)?);
            Some(Argument::List(element, here.narrowed(*there)?))
        }
        _ => None,
    }
}

/// A row in the driver's format: each token preceded by its length.
#[derive(Debug, Default)]
pub(crate) struct Tokens(pub(crate) Vec<u8>);

impl Tokens {
    pub(crate) fn push(&mut self, token: &[u8]) {
        self.0.extend(format!("{}:", token.len()).into_bytes());
        self.0.extend(token);
    }

    fn count(&mut self, count: usize) {
        self.push(count.to_string().as_bytes());
    }
}

fn range(kind: &str, min: i64, max: u64) -> Value {
    Value::object([
        ("type", kind.into()),
        ("min", min.into()),
        ("max", max.into()),
    ])
}

/// Returns a pattern for common texts. One in three is a number.
fn texts() -> String {
    format!("{NUMBER}|{WORDS}|{WORDS}")
}

const INTEGERS: [&str; 12] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
];

/// Returns the bounds of an integer type, limited to 64 bits.
pub(crate) fn bounds(name: &str) -> Option<[i128; 2]> {
    let digits = name.trim_start_matches(['u', 'i']);
    let bits = match digits.parse::<u32>() {
        _ if !INTEGERS.contains(&name) => return None,
        Ok(bits) => bits.min(64),
        Err(_) => 64,
    };
    Some(match name.starts_with('u') {
        true => [0, (1 << bits) - 1],
        false => [-(1 << (bits - 1)), (1 << (bits - 1)) - 1],
    })
}

/// The ranges of ordinary numbers.
const ORDINARY_FLOATS: [i64; 2] = [-20, 100];
const ORDINARY_INTEGERS: [i64; 2] = [-10, 30];

/// Returns the `#[define(…)]` notation that draws ordinary and arbitrary values, if any.
pub(crate) fn notation(name: &str) -> Option<String> {
    let ordinary = match (name, bounds(name)) {
        ("f32" | "f64", _) => {
            let [min, max] = ORDINARY_FLOATS;
            format!("{min}.0..{max}.0")
        }
        (_, bounds) => {
            let ([least, _], [min, max]) = (bounds?, ORDINARY_INTEGERS);
            format!("{}..={max}", least.max(min.into()))
        }
    };
    Some(format!("mixture(any() = 1, uniform({ordinary}) = 1)"))
}

/// Returns the type, the distribution and the edge cases.
fn scalar(name: &str, spread: DrawnFrom<'_>) -> (&'static str, Value, Option<Value>) {
    let [least, most] = bounds(name).unwrap_or([0, 0]);
    let (least, most) = (
        i64::try_from(least).unwrap_or(i64::MIN),
        u64::try_from(most).unwrap_or(u64::MAX),
    );
    if let DrawnFrom::Constants(constants) = spread
        && name != "Written"
    {
        return constants::scalar(constants, name, (least, most), &texts());
    }
    let (kind, distribution) = match (name, spread) {
        ("f32" | "f64", DrawnFrom::SpecialFloats) => ("STRING", special_floats(name)),
        ("f32" | "f64", DrawnFrom::Any) => ("FLOAT", Value::object([("type", "any".into())])),
        ("f32" | "f64", _) => {
            let [min, max] = ORDINARY_FLOATS;
            ("FLOAT", range("uniform", min, max.unsigned_abs()))
        }
        ("bool", _) => ("BOOLEAN", Value::object([("type", "any".into())])),
        ("char", _) => (
            "STRING",
            Value::object([
                ("type", "any".into()),
                ("min_length", 1_u64.into()),
                ("max_length", 1_u64.into()),
            ]),
        ),
        ("Written", _) => {
            let forms = format!("{NUMBER}|{}", WRITTEN.join("|"));
            ("STRING", pattern(&forms))
        }
        ("String", DrawnFrom::Any) => ("STRING", Value::object([("type", "any".into())])),
        ("String", _) => ("STRING", pattern(&texts())),
        (_, DrawnFrom::Any) => ("INTEGER", range("any", least, most)),
        _ => {
            let [min, max] = ORDINARY_INTEGERS;
            let (min, max) = (least.max(min), max.unsigned_abs());
            ("INTEGER", range("uniform", min, max))
        }
    };
    (kind, distribution, None)
}

/// As texts that Rust parses, since JSON can't represent some of the numbers.
fn special_floats(name: &str) -> Value {
    let ends = match name {
        "f32" => [f32::MAX, f32::MIN, f32::MIN_POSITIVE].map(f64::from),
        _ => [f64::MAX, f64::MIN, f64::MIN_POSITIVE],
    };
    let others = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        1.0,
        -1.0,
    ];
    let values = others.into_iter().chain(ends);
    equally_likely(values.map(|it| format!("{it:e}")).collect())
}

fn list(element: Value, collected: Collected, spread: DrawnFrom<'_>) -> Value {
    let usual = range("uniform", 0, LONGEST);
    let length = match (collected, spread) {
        (Collected::Results, _) => range("uniform", 1, LONGEST),
        (Collected::Array(length), _) => (length as u64).into(),
        (_, DrawnFrom::Constants(constants)) => constants::length(constants, usual),
        _ => usual,
    };
    Value::object([
        ("type", "list".into()),
        ("length", length),
        ("element", element),
    ])
}

fn object(features: Vec<Value>, form: Option<&str>) -> Value {
    let mut members = vec![
        ("type", "object".into()),
        ("features", Value::Array(features)),
    ];
    members.extend(form.map(|form| ("form", form.into())));
    Value::object(members)
}

fn variant(variants: &[DrawnVariant], spread: DrawnFrom<'_>) -> Value {
    let variants = variants.iter().filter(|it| it.is_drawn);
    let variants = variants.map(|variant| {
        let mut members = vec![("variant", Value::from(variant.name.as_str()))];
        if !variant.maker.parts.is_empty() {
            variant.maker.describe(spread, &mut members);
        }
        Value::object(members)
    });
    Value::object([
        ("type", "variant".into()),
        ("variants", Value::Array(variants.collect())),
    ])
}
