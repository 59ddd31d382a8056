//! Texts in quotes, in which no character looks like another one.

use tdg_definition::json::Value;

/// The names of frequent characters that are invisible or look like others.
const NAMES: [(char, &str); 11] = [
    ('\u{a0}', "NO-BREAK SPACE"),
    ('\u{ad}', "SOFT HYPHEN"),
    ('\u{300}', "COMBINING GRAVE ACCENT"),
    ('\u{301}', "COMBINING ACUTE ACCENT"),
    ('\u{308}', "COMBINING DIAERESIS"),
    ('\u{2003}', "EM SPACE"),
    ('\u{2009}', "THIN SPACE"),
    ('\u{200b}', "ZERO WIDTH SPACE"),
    ('\u{202f}', "NARROW NO-BREAK SPACE"),
    ('\u{3000}', "IDEOGRAPHIC SPACE"),
    ('\u{feff}', "ZERO WIDTH NO-BREAK SPACE"),
];

/// Returns a text in quotes, or `THIN SPACE U+2009` for a single character that looks like others.
pub(crate) fn quoted(text: &str) -> String {
    let mut characters = text.chars();
    let only = characters.next().filter(|_| characters.next().is_none());
    let Some(only) = only.filter(|it| is_obscure(*it)) else {
        return escaped(&Value::from(text).to_string());
    };
    let code = format!("U+{:04X}", u32::from(only));
    match NAMES.iter().find(|(it, _)| *it == only) {
        Some((_, name)) => format!("{name} {code}"),
        None => code,
    }
}

/// Escapes the characters that look like others.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if !is_obscure(character) {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
    }
    escaped
}

/// Returns true for invisible characters, white space that looks like a blank, and marks that join
/// the character before.
fn is_obscure(character: char) -> bool {
    !character.is_ascii() && character.escape_debug().len() > 1
}
