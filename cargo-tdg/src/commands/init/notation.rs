//! The notation of values that the rows of a test hold.

use super::glue::Glue;
use crate::plan::{Argument, ArgumentMaker, Collected, HeldType, PassedAs};
use crate::sources::{MakerForm, written};

const STRING: Argument = Argument::Scalar("String");

/// The notation of a value.
pub(super) struct HeldValue {
    /// The items of `#[define(…)]`, or the path of a type that states how it is drawn.
    drawn: String,
    /// The items that say how the value is made from the drawn one.
    made: String,
    pub(super) is_stated: bool,
    /// Set for a struct whose fields are a row.
    pub(super) is_row: bool,
}

impl HeldValue {
    fn new(drawn: impl Into<String>) -> Self {
        Self {
            drawn: drawn.into(),
            made: String::new(),
            is_stated: false,
            is_row: false,
        }
    }

    fn made(drawn: String, made: String) -> Self {
        Self {
            made,
            ..Self::new(drawn)
        }
    }

    /// Returns the items for use within a list or a tuple.
    pub(super) fn items(&self) -> String {
        format!("{}{}", self.drawn, self.made)
    }

    /// Returns the notation of an `Option` or a `Box` of the value.
    pub(super) fn within(mut self, name: &str) -> Self {
        self.is_row = false;
        if self.is_stated {
            self.drawn = format!("{name}<{}>", self.drawn);
        } else if name == "Option" && !self.drawn.starts_with("any") {
            self.drawn += ", null_probability = 0.2";
        }
        self
    }

    fn is_made(&self) -> bool {
        let words = [", via = ", ", parse"];
        !self.made.is_empty() || words.iter().any(|it| self.drawn.contains(it))
    }
}

impl Glue<'_> {
    /// Returns the notation of a value; `None` if rows can't hold it.
    pub(super) fn held(&mut self, argument: &Argument) -> Option<HeldValue> {
        Some(match argument {
            Argument::Scalar("Written") => return None,
            Argument::Scalar("String") => HeldValue::new(self.text()),
            Argument::Scalar(kind) => HeldValue::new(self.scalar(kind)),
            Argument::Held(HeldType::Notation(items)) => HeldValue::new(items),
            Argument::Held(HeldType::Stated { path, is_row }) => HeldValue {
                is_stated: true,
                is_row: *is_row,
                ..HeldValue::new(path)
            },
            Argument::Bytes => HeldValue::new("any, length(0..=64)"),
            Argument::Optional(inner) => self.held(inner)?.within("Option"),
            Argument::List(element, collected) => self.held_list(element, *collected)?,
            Argument::Tuple(parts) if !parts.is_empty() => {
                let parts = parts.iter().map(|it| Some(self.held(it)?.items()));
                let parts: Vec<String> = parts.collect::<Option<_>>()?;
                HeldValue::new(format!("({})", parts.join(", ")))
            }
            Argument::Leaked {
                to,
                is_changed: false,
                is_unsized: true,
            } if **to == STRING => HeldValue::new(self.text()),
            // The others are for callers that need a value from each row.
            Argument::Variant(variants) => match &variants[..] {
                [first, ..] if first.is_maker() => self.held_made(&first.maker)?,
                _ => return None,
            },
            Argument::Made(maker) => self.held_made(maker)?,
            _ => return None,
        })
    }

    fn held_list(&mut self, element: &Argument, collected: Collected) -> Option<HeldValue> {
        if let (Argument::Tuple(pair), Collected::Map) = (element, collected) {
            return self.held_map(pair);
        }
        let length = match collected {
            Collected::Array(_) if *element == Argument::Scalar("u8") => {
                return Some(HeldValue::new("any"));
            }
            Collected::Array(_) => "",
            Collected::Vec | Collected::Collection => "; 0..=8",
            _ => return None,
        };
        let element = self.held(element)?.items();
        Some(HeldValue::new(format!("[{element}{length}]")))
    }

    fn held_map(&mut self, pair: &[Argument]) -> Option<HeldValue> {
        let [key @ Argument::Scalar(kind), value] = pair else {
            return None;
        };
        let (key, value) = (self.held(key)?, self.held(value)?);
        let is_key = !["f32", "f64", "bool"].contains(kind) && !value.is_made();
        let items = format!("{{{} => {}; 0..=8}}", key.items(), value.items());
        is_key.then(|| HeldValue::new(items))
    }

    fn held_made(&mut self, maker: &ArgumentMaker) -> Option<HeldValue> {
        let path = &maker.path[..];
        match &maker.parts[..] {
            [(_, part, _)] if path.starts_with("std::boxed::Box::") => {
                let inner = self.held(part)?;
                return (!inner.is_made()).then(|| inner.within("Box"));
            }
            [(_, part, _)] if path == "std::borrow::Cow::<str>::from" => return self.held(part),
            [(_, Argument::List(list, _), _)] if path == "FromIterator::from_iter" => {
                return match &**list {
                    Argument::Tuple(pair) => self.held_map(pair),
                    _ => None,
                };
            }
            _ => {}
        }
        let is_made = [MakerForm::Function, MakerForm::Fallible, MakerForm::Literal];
        let is_made = is_made.contains(&maker.form) && !maker.parts.is_empty();
        is_made.then(|| self.taken_by(path, |it| it.held_by_function(maker)))?
    }

    fn held_by_function(&mut self, maker: &ArgumentMaker) -> Option<HeldValue> {
        let (mut drawn, mut typed, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (name, part, by) in &maker.parts {
            let kind = match (part, by) {
                (Argument::Scalar("u128" | "i128" | "Written"), _) => return None,
                (Argument::Scalar(kind), PassedAs::Owned) => *kind,
                (Argument::Scalar("String"), PassedAs::Borrowed { is_unsized: true })
                | (Argument::Leaked { .. }, PassedAs::Owned) => "&str",
                _ => return None,
            };
            let written = written(name);
            drawn.push(self.held(part)?.items());
            typed.push(format!("{written}: {kind}"));
            values.push((name.as_str(), written));
        }
        let drawn = match &drawn[..] {
            [only] => only.clone(),
            several => format!("({})", several.join(", ")),
        };
        let made = match maker.path.ends_with("::from_str") {
            true => ", parse".to_owned(),
            false => {
                let made = maker.form.expression(&maker.path, &values);
                format!(", via = |{}| {made}", typed.join(", "))
            }
        };
        Some(HeldValue::made(drawn, made))
    }
}
