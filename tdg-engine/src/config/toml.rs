//! The subset of TOML that settings need: `key = "text"`, `key = true`, comments.
//!
//! A full TOML parser would take most of tdg's build time after serde's traits. Settings don't use
//! the rest of TOML (tables, other types, multi-line strings), so it is an error with its line.

use tdg_definition::json;

/// The value of a key.
#[derive(Debug, PartialEq)]
pub(super) enum TomlValue {
    Text(String),
    Boolean(bool),
}

/// Parses the entries in order.
///
/// # Errors
/// If a line is invalid. The message describes the first one.
pub(super) fn parse(text: &str) -> Result<Vec<(String, TomlValue)>, String> {
    let mut entries: Vec<(String, TomlValue)> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("line {}: {what}", index + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = read_line(line).map_err(|what| wrong(&what))?;
        if entries.iter().any(|(earlier, _)| earlier == key) {
            return Err(wrong(&format!("duplicate key `{key}`")));
        }
        entries.push((key.to_owned(), value));
    }
    Ok(entries)
}

fn read_line(line: &str) -> Result<(&str, TomlValue), String> {
    let expected = || format!("expected `key = \"value\"`, but found `{line}`");
    let (key, value) = line.split_once('=').ok_or_else(expected)?;
    let (key, value) = (key.trim(), value.trim());
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if key.is_empty() || !key.bytes().all(is_bare) {
        return Err(expected());
    }
    if value.is_empty() {
        return Err(format!("`{key}` has no value"));
    }
    let entry = read_value(value).ok_or_else(|| {
        format!("`{key}` must be a string in quotes, true or false, but is `{value}`")
    })?;
    Ok((key, entry))
}

fn read_value(value: &str) -> Option<TomlValue> {
    let (entry, rest) = match value.as_bytes().first()? {
        b'\'' => {
            let (text, rest) = value[1..].split_once('\'')?;
            (TomlValue::Text(text.to_owned()), rest)
        }
        b'"' => {
            let (quoted, rest) = value.split_at_checked(end_of_quoted(value)?)?;
            // Single-line strings have the same escapes as JSON.
            let text = json::parse(quoted).ok()?.as_str()?.to_owned();
            (TomlValue::Text(text), rest)
        }
        _ => {
            let word = value.split(['#', ' ', '\t']).next()?;
            (TomlValue::Boolean(word.parse().ok()?), &value[word.len()..])
        }
    };
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with('#')).then_some(entry)
}

/// Returns the offset after the closing quote.
fn end_of_quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return Some(at + 1),
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> TomlValue {
        TomlValue::Text(text.to_owned())
    }

    #[test]
    fn settings_are_read_as_toml_reads_them() {
        let entries = parse(
            "\u{feff}# Settings.\r\n\n update = \"no\" # here\r\nsnapshots=false#there\nstore = true\n\
             dir = 'C:\\tdg'\nproject = \"a \\\"b\\\" # c \\u00e9\\\\\"\nurl = \"\"\n",
        );
        let expected = [
            ("update", text("no")),
            ("snapshots", TomlValue::Boolean(false)),
            ("store", TomlValue::Boolean(true)),
            ("dir", text("C:\\tdg")),
            ("project", text("a \"b\" # c é\\")),
            ("url", text("")),
        ];
        assert_eq!(
            entries,
            Ok(expected.map(|(key, entry)| (key.to_owned(), entry)).into())
        );
    }

    #[test]
    fn an_invalid_line_is_an_error_with_its_number() {
        for line in [
            "update",
            "= 1",
            "a b = true",
            "a.b = true",
            "[a]",
            "a = ",
            "a = 7",
            "a = \"b",
            "a = 'b",
            "a = \"b\" c",
            "a = \"\"\"b\"\"\"",
            "a = '''b'''",
            "a = truely",
            "a = [\"b\"]",
            "a = {}",
            "a = \"\\x\"",
            "\"a\" = true",
            "a = true\na = true",
        ] {
            assert!(parse(line).is_err(), "{line}");
            let error = parse(&format!("# Settings.\n{line}")).unwrap_err();
            let number = if line.contains('\n') { 3 } else { 2 };
            assert!(error.starts_with(&format!("line {number}: ")), "{error}");
        }
    }
}
