//! Strings, characters and numbers as `{:?}` writes them.

use tdg_definition::json::{self, Number, Value};

/// Returns the content of a complete `"…"`.
pub(super) fn string(text: &str) -> Option<String> {
    unescaped(text.strip_prefix('"')?.strip_suffix('"')?, '"')
}

/// Returns the content of a complete `'…'`.
pub(super) fn character(text: &str) -> Option<String> {
    (char_length(text)? == text.len()).then(|| unescaped(&text[1..text.len() - 1], '\''))?
}

/// Returns the length of the `'…'` at the start of a text.
pub(super) fn char_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let mut rest = inner.chars();
    let is_escaped = rest.next()? == '\\';
    if is_escaped && rest.next()? == 'u' {
        // The longest is `{10ffff}`.
        let end = rest
            .as_str()
            .bytes()
            .take(8)
            .position(|byte| byte == b'}')?;
        rest = rest.as_str()[end + 1..].chars();
    }
    let rest = rest.as_str().strip_prefix('\'')?;
    Some(text.len() - rest.len())
}

/// Unescapes the text between two quotes of this kind.
fn unescaped(text: &str, quote: char) -> Option<String> {
    let mut content = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', quote]) {
        content.push_str(&rest[..at]);
        let after = rest[at..].strip_prefix('\\')?;
        let escaped = after.chars().next()?;
        rest = &after[escaped.len_utf8()..];
        content.push(match escaped {
            '"' | '\'' | '\\' => escaped,
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let (digits, after) = rest.strip_prefix('{')?.split_once('}')?;
                rest = after;
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            _ => return None,
        });
    }
    content.push_str(rest);
    Some(content)
}

/// Parses a number, or returns `None` if it would lose a digit.
pub(super) fn number(text: &str) -> Option<Value> {
    let float = match text {
        "NaN" => f64::NAN,
        "inf" => f64::INFINITY,
        "-inf" => f64::NEG_INFINITY,
        _ => {
            let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
            let number = is_number.then(|| json::parse(text).ok())??.as_number()?;
            return holds(number, text).then(|| number.into());
        }
    };
    Some(float.into())
}

fn holds(number: Number, text: &str) -> bool {
    let mut written = String::new();
    json::write_number(&mut written, number);
    digits(text).eq(digits(&written))
}

/// Returns the digits of a number without leading and trailing zeros.
fn digits(number: &str) -> impl Iterator<Item = char> {
    let mantissa = number.split_once(['e', 'E']).map_or(number, |(it, _)| it);
    let is_other = |sign: char| matches!(sign, '0' | '.' | '-');
    mantissa
        .trim_matches(is_other)
        .chars()
        .filter(|it| *it != '.')
}
