//! The body of a test that makes its arguments from drawn values.

use std::mem;

use super::drawn_input::DrawnInput;
use super::parameter_constants::ParameterConstants;
use crate::plan::{
    Argument, ArgumentMaker, Collected, DrawnVariant, PassedAs, TestedArgument, TestedCall,
    notation,
};
use crate::sources::{DrawnPart, MakerForm, snake, written};

/// The maximum number of drawn values.
const MOST: usize = 12;
const TEXTS: &str = r#"pattern(regex = "[a-z]{1,8}([ ,.:/-][a-z0-9]{1,4}){0,2}")"#;

/// Drawn values, and statements that make others from them.
pub(super) struct Glue<'c> {
    pub(super) drawn: Vec<DrawnInput>,
    pub(super) lets: Vec<String>,
    pub(super) call: String,
    /// The arguments that the call changes.
    pub(super) changed: Vec<String>,
    /// Set if the call borrows values of the test.
    pub(super) is_lent: bool,
    /// Set if an argument may refuse a row.
    pub(super) is_optional: bool,
    /// Set if the argument's type names the lifetime `'static`.
    is_static: bool,
    pub(super) taste: Taste<'c>,
    /// The function that takes the values.
    taken_by: String,
}

/// How a test is written where the sources leave it open.
#[derive(Clone, Copy)]
pub(super) struct Taste<'c> {
    pub(super) drawn: DrawnAs,
    /// Lets rows hold values of the parameters' types.
    pub(super) is_held: bool,
    pub(super) constants: &'c ParameterConstants<'c>,
    /// Takes fallible functions to return an `Option`, not a `Result`.
    pub(super) is_option: bool,
}

/// The values that are drawn.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DrawnAs {
    /// All values of a type.
    Any,
    /// All values of a type, and many ordinary numbers.
    Mixed,
    /// Values that callers usually pass.
    Usual,
    /// Values that tests, examples and documentation pass, or else usual ones.
    Examples,
}

impl<'c> Glue<'c> {
    /// Returns `None` if an argument can't be written.
    pub(super) fn new(call: &TestedCall, taste: Taste<'c>) -> Option<Self> {
        let mut glue = Self::empty(&call.path, taste);
        let passed = call.arguments.iter().map(|it| glue.argument(it));
        let passed: Vec<String> = passed.collect::<Option<_>>()?;
        glue.call = format!("{}({})", call.path, passed.join(", "));
        (1..=MOST).contains(&glue.drawn.len()).then_some(glue)
    }

    /// Writes an expression for one argument, or for those that can't be drawn; `None` if there is
    /// no such argument, or no expression.
    pub(super) fn with_missing(
        call: &TestedCall,
        taste: Taste<'c>,
        replaced: Option<usize>,
        missing: impl Fn(usize) -> Option<String>,
    ) -> Option<Self> {
        let mut glue = Self::empty(&call.path, taste);
        let mut is_complete = true;
        let passed = call.arguments.iter().enumerate().map(|(at, it)| {
            let drawn = glue.rolled_back(|glue| glue.argument(it).filter(|_| replaced != Some(at)));
            is_complete &= drawn.is_some();
            drawn.or_else(|| missing(at))
        });
        let passed: Vec<String> = passed.collect::<Option<_>>()?;
        glue.call = format!("{}({})", call.path, passed.join(", "));
        (!is_complete && glue.drawn.len() <= MOST).then_some(glue)
    }

    /// Writes `todo!()` for the arguments that can't be written, or that `is_written` leaves out.
    pub(super) fn skeleton(
        call: &TestedCall,
        taste: Taste<'c>,
        is_written: fn(&Self) -> bool,
    ) -> Self {
        let mut glue = Self::empty(&call.path, taste);
        let passed = call.arguments.iter().map(|it| {
            let written = glue.rolled_back(|glue| {
                let written = glue.argument(it);
                written.filter(|_| is_written(glue))
            });
            written.unwrap_or_else(|| format!("todo!({:?})", it.declared))
        });
        let passed: Vec<String> = passed.collect();
        glue.call = format!("{}({})", call.path, passed.join(", "));
        if glue.drawn.is_empty() {
            glue.draw("value", "any".to_owned(), "u32");
        }
        glue
    }

    pub(super) fn empty(taken_by: &str, taste: Taste<'c>) -> Self {
        Self {
            drawn: Vec::new(),
            lets: Vec::new(),
            call: String::new(),
            changed: Vec::new(),
            is_lent: false,
            is_optional: false,
            is_static: false,
            taste,
            taken_by: taken_by.to_owned(),
        }
    }

    /// Returns the expression of an argument.
    fn argument(&mut self, of: &TestedArgument) -> Option<String> {
        let (argument, by) = of.planned.as_ref().ok()?;
        let name = &written(&of.name);
        self.is_static = of.declared.contains("'static");
        let kind = of.held.as_deref().filter(|_| !self.is_static);
        let held = |it: &mut Self| it.passed_as_held(name, argument, *by, kind?);
        let made = |it: &mut Self| it.passed(name, argument, *by);
        match self.taste.is_held {
            true => held(self).or_else(|| made(self)),
            false => self.rolled_back(made).or_else(|| held(self)),
        }
    }

    /// Forgets what a failed attempt wrote.
    fn rolled_back<T>(&mut self, attempt: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (drawn, lets, changed) = (self.drawn.len(), self.lets.len(), self.changed.len());
        let written = attempt(self);
        if written.is_none() {
            self.drawn.truncate(drawn);
            self.lets.truncate(lets);
            self.changed.truncate(changed);
        }
        written
    }

    /// Returns the expression of an argument that rows hold as a value of this type.
    fn passed_as_held(
        &mut self,
        name: &str,
        argument: &Argument,
        by: PassedAs,
        kind: &str,
    ) -> Option<String> {
        let (value, lent) = if let (Argument::Optional(inner), PassedAs::Owned) = (argument, by)
            && let Argument::Leaked {
                to,
                is_changed,
                is_unsized,
            } = &**inner
            && !is_changed
            && !kind.contains('&')
        {
            let lent = match is_unsized {
                true => ".as_deref()",
                false => ".as_ref()",
            };
            (self.held(to)?.within("Option"), lent)
        } else {
            (self.held(argument)?, "")
        };
        let mut input = DrawnInput::new(name, value.items(), kind);
        input.is_stated = value.is_stated;
        input.is_row = value.is_row;
        self.drawn.push(input);
        Some(match by {
            PassedAs::Owned => {
                self.is_lent |= !lent.is_empty();
                format!("{name}{lent}")
            }
            PassedAs::Borrowed { .. } if kind.starts_with('&') => name.to_owned(),
            PassedAs::Borrowed { .. } => {
                self.is_lent = true;
                format!("&{name}")
            }
            PassedAs::Changed { .. } => {
                let own = self.own(name, name.to_owned(), true);
                self.changed.push(own);
                by.expression(name)
            }
            _ => return None,
        })
    }

    /// Returns the expression of an argument that statements make.
    fn passed(&mut self, name: &str, argument: &Argument, by: PassedAs) -> Option<String> {
        let (is_changed, is_unsized) = match by {
            PassedAs::Owned => {
                let made = self.value(name, argument)?;
                return Some(match made.strip_prefix("&*") {
                    // A parameter's type dereferences it.
                    Some(leaked) => leaked.to_owned(),
                    None if made.contains('{') => self.own(name, made, false),
                    None => made,
                });
            }
            PassedAs::Borrowed { is_unsized } => (false, is_unsized),
            PassedAs::Changed { is_unsized } => (true, is_unsized),
            PassedAs::Function { .. } | PassedAs::Procedure { .. } => {
                return self.closure(name, argument, by);
            }
        };
        if is_unsized && !is_changed && *argument == Argument::Scalar("String") {
            return Some(self.draw(name, self.text(), "&str"));
        }
        let made = self.value(name, argument)?;
        let own = self.own(name, made, is_changed);
        self.is_lent = true;
        if is_changed {
            self.changed.push(own.clone());
        }
        Some(by.expression(&own))
    }

    /// Returns a closure with the same result for all inputs.
    fn closure(&mut self, name: &str, argument: &Argument, by: PassedAs) -> Option<String> {
        let Argument::List(result, Collected::Results) = argument else {
            return Some(by.constant(name));
        };
        let name = format!("{}_result", name.trim_start_matches("r#"));
        let made = self.value(&name, result)?;
        let is_copied = matches!(**result, Argument::Scalar(kind) if kind != "String");
        let result = match is_copied || made.starts_with('&') {
            true => made,
            false => format!("{}.clone()", self.own(&name, made, false)),
        };
        Some(by.constant(&result))
    }

    /// Returns the variable with a value.
    fn own(&mut self, name: &str, made: String, is_changed: bool) -> String {
        let mutable = if is_changed { "mut " } else { "" };
        if is_changed || made != name {
            self.lets.push(format!("let {mutable}{name} = {made};"));
        }
        name.to_owned()
    }

    /// Returns the expression of an owned value.
    fn value(&mut self, name: &str, argument: &Argument) -> Option<String> {
        match argument {
            Argument::Scalar("String" | "Written") => Some(self.draw(name, self.text(), "String")),
            Argument::Scalar(kind) => Some(self.draw(name, self.scalar(kind), kind)),
            Argument::Known(part) => Some(self.known(name, part)),
            Argument::Held(_) => None,
            Argument::Bytes => Some(self.draw(name, "any, length(0..=64)".to_owned(), "Vec<u8>")),
            Argument::Optional(inner) => self.optional(name, inner),
            Argument::List(element, collected) => self.list(name, element, *collected),
            Argument::Tuple(parts) => {
                let parts = parts.iter().zip(1..);
                let parts = parts.map(|(it, at)| self.value(&format!("{name}_{at}"), it));
                let parts: Vec<String> = parts.collect::<Option<_>>()?;
                Some(match &parts[..] {
                    [part] => format!("({part},)"),
                    parts => format!("({})", parts.join(", ")),
                })
            }
            Argument::Variant(variants) => self.variant(name, variants),
            Argument::Made(maker) => self.made(name, maker),
            Argument::Changed { made, calls, .. } => self.filled(name, made, calls.first()?),
            Argument::Leaked {
                to,
                is_changed,
                is_unsized,
            } => {
                let is_text = *is_unsized && **to == Argument::Scalar("String");
                if is_text && !self.is_static {
                    return Some(self.draw(name, self.text(), "&str"));
                }
                let made = self.value(name, to)?;
                if self.is_static {
                    return Some(match is_unsized {
                        true => format!("&*{made}.leak()"),
                        false => format!("&*Box::leak(Box::new({made}))"),
                    });
                }
                let own = self.own(name, made, *is_changed);
                let by = if *is_changed { "&mut " } else { "&" };
                Some(format!("{by}{own}"))
            }
        }
    }

    fn draw(&mut self, name: &str, items: String, kind: &str) -> String {
        self.drawn.push(DrawnInput::new(name, items, kind));
        name.to_owned()
    }

    pub(super) fn text(&self) -> String {
        let usual = match self.taste.drawn {
            DrawnAs::Any | DrawnAs::Mixed => return "any".to_owned(),
            _ => TEXTS.to_owned(),
        };
        self.example("String").unwrap_or(usual)
    }

    pub(super) fn scalar(&self, kind: &str) -> String {
        if self.taste.drawn == DrawnAs::Mixed
            && let Some(mixed) = notation(kind).filter(|_| !kind.ends_with("128"))
        {
            return mixed;
        }
        let items = match (kind, self.taste.drawn) {
            ("bool", _) => "any",
            // Integer features are limited to 64 bits.
            ("u128", DrawnAs::Any | DrawnAs::Mixed) => "any(0..=18446744073709551615)",
            ("i128", DrawnAs::Any | DrawnAs::Mixed) => {
                "any(-9223372036854775808..=9223372036854775807)"
            }
            ("char", _) | (_, DrawnAs::Any | DrawnAs::Mixed) => "any",
            ("f32" | "f64", _) => "uniform(0.0..100.0)",
            _ => "uniform(0..=30)",
        };
        self.example(kind).unwrap_or_else(|| items.to_owned())
    }

    fn example(&self, kind: &str) -> Option<String> {
        let Taste {
            drawn, constants, ..
        } = self.taste;
        let is_asked = drawn == DrawnAs::Examples && kind != "bool";
        is_asked.then(|| constants.passed(&self.taken_by, kind))?
    }

    fn known(&mut self, name: &str, part: &DrawnPart) -> String {
        let (items, (kind, _)) = (part.notation(), part.described(true));
        let kind = match kind {
            "INTEGER" => "i64",
            "FLOAT" => "f64",
            _ => return self.draw(name, items, "String"),
        };
        format!("{} as _", self.draw(name, items, kind))
    }

    fn optional(&mut self, name: &str, inner: &Argument) -> Option<String> {
        let (drawn, lets) = (self.drawn.len(), self.lets.len());
        let made = self.value(name, inner)?;
        let is_expression = self.lets.len() == lets && !made.contains('?');
        match self.drawn.get_mut(drawn..) {
            Some([only]) if is_expression => {
                only.kind = format!("Option<{}>", only.kind);
                if !only.items.starts_with("any") {
                    only.items += ", null_probability = 0.2";
                }
                Some(match made == only.name {
                    true => made,
                    false => format!("{name}.map(|{name}| {made})"),
                })
            }
            _ => {
                let given = self.draw(&format!("has_{name}"), "any".to_owned(), "bool");
                Some(format!("if {given} {{ Some({made}) }} else {{ None }}"))
            }
        }
    }

    fn list(&mut self, name: &str, element: &Argument, collected: Collected) -> Option<String> {
        let mut within = Self::empty(&self.taken_by, self.taste);
        within.is_static = self.is_static;
        let made = within.value("it", element)?;
        let join = |text: fn(&DrawnInput) -> &str| {
            let texts: Vec<&str> = within.drawn.iter().map(text).collect();
            match &texts[..] {
                [only] => (*only).to_owned(),
                texts => format!("({})", texts.join(", ")),
            }
        };
        let (items, kind, names) = (
            join(|it| &it.items),
            join(|it| &it.kind),
            join(|it| &it.name),
        );
        let is_plain = made == names && within.lets.is_empty();
        let (length, list) = match collected {
            Collected::Results => return None,
            Collected::Array(length) if is_plain && length <= 32 => {
                (String::new(), format!("[{kind}; {length}]"))
            }
            Collected::Array(length) => (format!("; {length}"), format!("Vec<{kind}>")),
            _ => ("; 0..=8".to_owned(), format!("Vec<{kind}>")),
        };
        let is_array = list.starts_with('[');
        let list = self.draw(name, format!("[{items}{length}]"), &list);
        let lets = within.lets.join(" ");
        let made = match (is_plain, within.is_optional) {
            (true, _) => String::new(),
            (false, false) if lets.is_empty() => format!(".into_iter().map(|{names}| {made})"),
            (false, false) => format!(".into_iter().map(|{names}| {{ {lets} {made} }})"),
            (false, true) => {
                self.is_optional = true;
                format!(
                    ".into_iter().map(|{names}| {{ {lets} Some({made}) }}).collect::<Option<Vec<_>>>()?"
                )
            }
        };
        let is_vec = is_plain || within.is_optional;
        Some(match collected {
            Collected::Vec if is_vec => format!("{list}{made}"),
            Collected::Vec => format!("{list}{made}.collect::<Vec<_>>()"),
            Collected::Array(_) if is_array => list,
            Collected::Array(_) => {
                self.is_optional = true;
                format!("{list}{made}.collect::<Vec<_>>().try_into().ok()?")
            }
            Collected::Collection | Collected::Map if is_vec => {
                format!("{list}{made}.into_iter().collect()")
            }
            Collected::Collection | Collected::Map => format!("{list}{made}.collect()"),
            _ if is_vec => format!("{list}{made}.into_iter()"),
            _ => format!("{list}{made}.collect::<Vec<_>>().into_iter()"),
        })
    }

    fn variant(&mut self, name: &str, variants: &[DrawnVariant]) -> Option<String> {
        // The others are for callers that need a value from each row.
        if let [first, ..] = variants
            && first.is_maker()
        {
            return self.made(name, &first.maker);
        }
        let at = self.drawn.len();
        let drawn = self.draw(name, String::new(), "&str");
        let mut arms: Vec<(String, String)> = Vec::new();
        for variant in variants {
            let part = format!("{name}_{}", snake(&variant.name));
            // Some variants are enough if all of them take too many values.
            let made = self.rolled_back(|glue| {
                let made = glue.made_within(&part, &variant.maker);
                made.filter(|_| glue.drawn.len() <= MOST)
            });
            arms.extend(made.map(|made| (format!("{:?}", variant.name), made)));
        }
        let names: Vec<&str> = arms.iter().map(|(name, _)| name.as_str()).collect();
        self.drawn[at].items = format!("categorical({})", names.join(", "));
        let (_, last) = arms.pop()?;
        let arms = arms
            .iter()
            .map(|(name, made)| format!("{name} => {made}, "));
        let arms: String = arms.collect();
        Some(format!("match {drawn} {{ {arms}_ => {last}, }}"))
    }

    /// Makes a value in an expression, so that only rows with this variant need it. A value that
    /// borrows others needs them longer.
    fn made_within(&mut self, name: &str, maker: &ArgumentMaker) -> Option<String> {
        let lets = self.lets.len();
        let made = self.made(name, maker)?;
        let own = &self.lets[lets..];
        if own.is_empty() || made.contains('&') || own.iter().any(|it| it.contains('&')) {
            return Some(made);
        }
        let own: Vec<String> = self.lets.drain(lets..).collect();
        Some(format!("{{ {} {made} }}", own.join(" ")))
    }

    fn made(&mut self, name: &str, maker: &ArgumentMaker) -> Option<String> {
        self.taken_by(&maker.path, |it| it.made_of_parts(name, maker))
    }

    /// Calls the function for values that this function takes.
    pub(super) fn taken_by<T>(&mut self, path: &str, call: impl FnOnce(&mut Self) -> T) -> T {
        let path = if path == "parse" {
            "parse::parse"
        } else {
            path
        };
        let outer = mem::replace(&mut self.taken_by, path.to_owned());
        let result = call(self);
        self.taken_by = outer;
        result
    }

    fn made_of_parts(&mut self, name: &str, maker: &ArgumentMaker) -> Option<String> {
        let mut values = Vec::new();
        for (part, argument, by) in &maker.parts {
            let inner = match &maker.parts[..] {
                [_] => name.to_owned(),
                _ => format!("{}_{part}", name.trim_start_matches("r#")),
            };
            values.push((part.as_str(), self.passed(&inner, argument, *by)?));
        }
        let made = match (&maker.path[..], &values[..]) {
            ("parse", [(_, text)]) => format!("{text}.parse()"),
            (path, _) => {
                let path = path.trim_start_matches("std::boxed::");
                maker.form.expression(path, &values)
            }
        };
        let is_option = maker.path != "parse" && self.taste.is_option;
        let value = match maker.form {
            MakerForm::Fallible if !is_option => ".ok()?",
            MakerForm::Fallible | MakerForm::Failing => "?",
            _ => return Some(made),
        };
        self.is_optional = true;
        Some(made + value)
    }

    /// Returns a value that a method fills with drawn values.
    fn filled(&mut self, name: &str, made: &Argument, call: &DrawnVariant) -> Option<String> {
        let empty = self.value(name, made)?;
        let items = format!("{name}_items");
        let parts = call.maker.parts.iter();
        let parts = parts.map(|(_, part, by)| (*by == PassedAs::Owned).then(|| part.clone()));
        let parts: Vec<Argument> = parts.collect::<Option<_>>()?;
        let names: Vec<String> = (1..=parts.len()).map(|at| format!("part_{at}")).collect();
        let list = self.list(&items, &Argument::Tuple(parts), Collected::Vec)?;
        let values = call.maker.parts.iter().zip(&names);
        let values: Vec<_> = values
            .map(|((part, _, _), name)| (part.as_str(), name.clone()))
            .collect();
        let statement = call.maker.form.expression(&call.maker.path, &values);
        let pattern = match &names[..] {
            [only] => format!("({only},)"),
            names => format!("({})", names.join(", ")),
        };
        Some(format!(
            "{{ let mut it = {empty}; for {pattern} in {list} {{ {statement} }} it }}"
        ))
    }
}
