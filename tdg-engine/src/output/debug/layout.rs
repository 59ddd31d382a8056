//! The layout of `{:#?}`, with each part of a value on a separate line.

use std::borrow::Cow;

/// The indentation of a line per open bracket.
const INDENT: &str = "    ";

/// A bracket that ends its line.
struct OpenBracket {
    close: char,
    /// Set if it follows a name.
    is_named: bool,
    /// The number of parts within it that start a line.
    parts: usize,
}

/// Returns the text as `{:?}` would have written it, given one by `{:#?}`. Text in any other layout
/// is returned unchanged.
pub(super) fn on_one_line(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    joined(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn joined(text: &str) -> Option<String> {
    let mut joined = String::with_capacity(text.len());
    let mut open: Vec<OpenBracket> = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        let depth = line.len() - line.trim_start_matches(' ').len();
        let line = &line[depth..];
        let closed = open.pop_if(|last| line.starts_with(last.close));
        if depth != open.len() * INDENT.len() || line.is_empty() {
            return None;
        }
        match closed {
            Some(bracket) => bracket.close_in(&mut joined),
            None if number > 0 => open.last_mut()?.separate_in(&mut joined),
            None => {}
        }
        joined.push_str(line);
        open.extend(OpenBracket::at_end(line));
    }
    open.is_empty().then_some(joined)
}

impl OpenBracket {
    fn at_end(line: &str) -> Option<Self> {
        let close = match line.chars().next_back()? {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            _ => return None,
        };
        let before = line[..line.len() - 1].chars().next_back();
        let is_name = |it: char| it == '_' || it.is_alphanumeric();
        let is_named = match close {
            // `Line {`, as opposed to `"a": {` in a map.
            '}' => line
                .strip_suffix(" {")
                .is_some_and(|line| line.ends_with(is_name)),
            _ => before.is_some_and(is_name),
        };
        Some(Self {
            close,
            is_named,
            parts: 0,
        })
    }

    /// Adds the space before the next part.
    fn separate_in(&mut self, joined: &mut String) {
        self.parts += 1;
        if self.parts > 1 || self.is_named && self.close == '}' {
            joined.push(' ');
        }
    }

    /// Drops the comma after the last part, and adds the space before a struct's brace.
    fn close_in(&self, joined: &mut String) {
        let is_single = self.close == ')' && !self.is_named && self.parts == 1;
        if joined.ends_with(',') && !is_single {
            joined.pop();
        }
        if self.is_named && self.close == '}' {
            joined.push(' ');
        }
    }
}
