//! Control characters, which names and reasons must not have: a terminal would obey them.

use std::borrow::Cow;

/// Whether a terminal obeys the character instead of showing it: control characters, line and
/// paragraph separators, and overrides of the writing direction.
pub fn is_control(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with its control characters escaped, as `\u{1b}`.
///
/// ```
/// use tdg_definition::control::escape;
/// assert_eq!(escape("Größe"), "Größe");
/// assert_eq!(escape("\u{1b}[2J\n"), "\\u{1b}[2J\\n");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_control(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}
