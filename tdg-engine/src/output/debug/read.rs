//! Reads the text of `{:?}` into a value.

use std::ops::Range;

use tdg_definition::json::{Object, Value};

use super::layout::on_one_line;
use super::tokens::{Token, TokenKind, tokens};
use super::{CHAR, KEYS, NAME, REST, SET, TEXT, TUPLE, literal};
use crate::output::{Depth, users_key};

/// Returns the value of a text written by `{:?}`.
pub(in crate::output) fn read(text: &str) -> Value {
    let text = &*on_one_line(text);
    let tokens = tokens(text);
    let whole = Passage {
        text: 0..text.len(),
        tokens: 0..tokens.len(),
    };
    let reader = DebugReader { text, tokens };
    reader.value(&whole, Depth::default())
}

struct DebugReader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

/// A part of the text and the tokens in it.
#[derive(Clone, Debug, Default)]
struct Passage {
    text: Range<usize>,
    tokens: Range<usize>,
}

impl DebugReader<'_> {
    fn text_of(&self, part: &Passage) -> &str {
        &self.text[part.text.clone()]
    }

    fn value(&self, part: &Passage, depth: Depth) -> Value {
        let text = self.text_of(part);
        self.in_brackets(part, depth)
            .or_else(|| scalar(text))
            .unwrap_or_else(|| marked(TEXT, text))
    }

    /// Reads a part that consists of one bracketed value, with or without a name.
    fn in_brackets(&self, part: &Passage, depth: Depth) -> Option<Value> {
        let open = self.tokens[part.tokens.clone()].first()?;
        let TokenKind::Open(close) = open.kind else {
            return None;
        };
        if self.tokens[close].start + 1 != part.text.end {
            return None;
        }
        let depth = depth.level().ok()?;
        let name = &self.text[part.text.start..open.start];
        let inner = Passage {
            text: open.start + 1..part.text.end - 1,
            tokens: part.tokens.start + 1..close,
        };
        match (self.text.as_bytes()[open.start], name) {
            (b'(', "") => self.tuple(&inner, depth),
            (b'(', name) if is_name(name) => self.tuple_struct(name, &inner, depth),
            (b'[', "") => Some(self.elements(&inner, depth).into()),
            (b'{', "") => self.map_or_set(&inner, depth),
            (b'{', name) => {
                let name = name.strip_suffix(' ').filter(|name| is_name(name))?;
                self.fields(name, &inner, depth)
            }
            _ => None,
        }
    }

    fn elements(&self, inner: &Passage, depth: Depth) -> Vec<Value> {
        let items = self.items(inner);
        items.iter().map(|item| self.value(item, depth)).collect()
    }

    /// `()`, `(1,)`, `(1, 2)`
    fn tuple(&self, inner: &Passage, depth: Depth) -> Option<Value> {
        let mut inner = inner.clone();
        let is_single = self.text_of(&inner).ends_with(',');
        inner.text.end -= usize::from(is_single);
        let elements = self.elements(&inner, depth);
        ((elements.len() == 1) == is_single).then(|| numbered(TUPLE, elements))
    }

    /// `Point(1, 2)`; a single named value inside keeps its fields, and its name joins the outer
    /// one.
    fn tuple_struct(&self, name: &str, inner: &Passage, depth: Depth) -> Option<Value> {
        let mut elements = self.elements(inner, depth);
        if let [Value::Object(only)] = &mut elements[..]
            && let Some(inner) = only.get(NAME).and_then(Value::as_str)
        {
            let name = format!("{name}({inner})");
            only.insert(NAME, name.into());
            return elements.pop();
        }
        (!elements.is_empty()).then(|| numbered(name, elements))
    }

    /// `Line { sku: "a", cents: 5 }`
    fn fields(&self, name: &str, inner: &Passage, depth: Depth) -> Option<Value> {
        let inner = self.trimmed(inner)?;
        let mut members = vec![(NAME.to_owned(), Value::from(name))];
        let mut field: Option<(&str, Passage)> = None;
        let items = self.items(&inner);
        for (index, item) in items.iter().enumerate() {
            let keyed = self.keyed(item).filter(|(key, _)| is_name(key));
            let is_rest = index + 1 == items.len() && self.text_of(item) == "..";
            if keyed.is_none() && !is_rest {
                // The comma is inside the previous field's value.
                let (_, value) = field.as_mut()?;
                value.text.end = item.text.end;
                value.tokens.end = item.tokens.end;
                continue;
            }
            members.extend(field.take().map(|field| self.member(&field, depth)));
            if is_rest {
                members.push((REST.to_owned(), true.into()));
            }
            field = keyed;
        }
        members.extend(field.map(|field| self.member(&field, depth)));
        Object::from_members(members).ok().map(Value::from)
    }

    fn member(&self, (key, value): &(&str, Passage), depth: Depth) -> (String, Value) {
        ((*key).to_owned(), self.value(value, depth))
    }

    /// `{1, 2}`, `{"a": 1}`, `{Red: 1}`
    fn map_or_set(&self, inner: &Passage, depth: Depth) -> Option<Value> {
        let items = self.items(inner);
        let entries: Vec<_> = items.iter().filter_map(|item| self.keyed(item)).collect();
        if entries.is_empty() && !items.is_empty() {
            let elements = self.elements(inner, depth.level().ok()?);
            return Some(marked(SET, elements));
        }
        if entries.len() < items.len() {
            return None;
        }
        let strings: Option<Vec<_>> = entries
            .iter()
            .map(|(key, _)| literal::string(key))
            .collect();
        let mut members = Vec::with_capacity(entries.len() + 1);
        if strings.is_none() {
            members.push((KEYS.to_owned(), Value::from("debug")));
        }
        for (index, (key, value)) in entries.iter().enumerate() {
            let key = strings.as_ref().map_or(*key, |strings| &strings[index]);
            members.push((users_key(key), self.value(value, depth)));
        }
        Object::from_members(members).ok().map(Value::from)
    }

    /// Splits an item at its colon into key and value.
    fn keyed(&self, item: &Passage) -> Option<(&str, Passage)> {
        let colon = self.find(item.tokens.clone(), TokenKind::Colon)?;
        let start = self.tokens[colon].start;
        let value = Passage {
            text: start + 2..item.text.end,
            tokens: colon + 1..item.tokens.end,
        };
        Some((&self.text[item.text.start..start], value))
    }

    /// Returns the items between commas.
    fn items(&self, inner: &Passage) -> Vec<Passage> {
        let (mut items, mut rest) = (Vec::new(), inner.clone());
        while let Some(comma) = self.find(rest.tokens.clone(), TokenKind::Comma) {
            let start = self.tokens[comma].start;
            items.push(Passage {
                text: rest.text.start..start,
                tokens: rest.tokens.start..comma,
            });
            rest.text.start = start + 2;
            rest.tokens.start = comma + 1;
        }
        if !items.is_empty() || !rest.text.is_empty() {
            items.push(rest);
        }
        items
    }

    /// Returns the first token of this kind outside all brackets.
    fn find(&self, tokens: Range<usize>, kind: TokenKind) -> Option<usize> {
        let mut at = tokens.start;
        while at < tokens.end {
            at = match self.tokens[at].kind {
                it if it == kind => return Some(at),
                TokenKind::Open(close) => close + 1,
                _ => at + 1,
            };
        }
        None
    }

    /// Trims the spaces inside the braces of a struct; a space that ends a separator doesn't count.
    fn trimmed(&self, inner: &Passage) -> Option<Passage> {
        let text = self.text_of(inner);
        let last = self.tokens[inner.tokens.clone()].last();
        let ends_open = last.is_some_and(|it| {
            let is_separator = [TokenKind::Comma, TokenKind::Colon].contains(&it.kind);
            is_separator && it.start + 2 == inner.text.end
        });
        let is_spaced = text.len() > 2 && text.starts_with(' ') && text.ends_with(' ');
        (is_spaced && !ends_open).then(|| Passage {
            text: inner.text.start + 1..inner.text.end - 1,
            tokens: inner.tokens.clone(),
        })
    }
}

fn marked(mark: &str, content: impl Into<Value>) -> Value {
    Value::object([(mark, content.into())])
}

fn numbered(name: &str, elements: Vec<Value>) -> Value {
    let named = (NAME.to_owned(), Value::from(name));
    let elements = elements.into_iter().enumerate();
    let elements = elements.map(|(index, element)| (index.to_string(), element));
    Value::object(elements.chain([named]))
}

fn scalar(text: &str) -> Option<Value> {
    match text {
        "true" | "false" => return Some((text == "true").into()),
        _ => {}
    }
    literal::number(text)
        .or_else(|| literal::string(text).map(Value::from))
        .or_else(|| literal::character(text).map(|it| marked(CHAR, it)))
        .or_else(|| is_name(text).then(|| marked(NAME, text)))
}

/// Returns true if the text can name a struct, a variant or a field.
pub(super) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    let is_first = |first: char| first == '_' || first.is_alphabetic();
    characters.next().is_some_and(is_first)
        && characters.all(|other| other == '_' || other.is_alphanumeric())
}
