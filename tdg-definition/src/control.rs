//! Characters that a terminal interprets or hides. The former aren't allowed in names and reasons,
//! and both are escaped in all displayed text from other sources.

use std::borrow::Cow;

/// Returns true if a terminal interprets the character rather than showing it: control characters,
/// line and paragraph separators, and overrides of the writing direction.
pub fn is_control(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns true if the character is invisible: interpreted by a terminal, a mark of the writing
/// direction, of zero width, or a tag. Its effects can't be seen either.
fn is_hidden(character: char) -> bool {
    let is_invisible = matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}'
            | '\u{e0000}'..='\u{e007f}'
    );
    is_invisible || is_control(character)
}

/// Escapes hidden characters for display, as in JSON, so that JSON text stays JSON.
///
/// ```
/// use tdg_definition::control::escape;
/// assert_eq!(escape("Größe"), "Größe");
/// assert_eq!(escape("\u{1b}[2J\n"), "\\u001b[2J\\n");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_but(text, |_| false)
}

/// Like [`escape`], but keeps line ends.
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    escape_but(text, |character| character == '\n')
}

fn escape_but(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(|character| is_hidden(character) && !stays(character)) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match stays(character) {
            true => escaped.push(character),
            false => push_escaped(&mut escaped, character),
        }
    }
    Cow::Owned(escaped)
}

/// Appends a character, escaped if hidden.
pub fn push_escaped(text: &mut String, character: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        hidden if is_hidden(hidden) => {
            for unit in hidden.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
        character => text.push(character),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_hidden_is_shown_and_the_rest_stays() {
        for (text, shown) in [
            (
                "a\u{1b}[31m\u{9b}\u{202e}b\u{feff}é",
                "a\\u001b[31m\\u009b\\u202eb\\ufeffé",
            ),
            (
                "\u{7f}\u{61c}\u{200d}\u{2069}",
                "\\u007f\\u061c\\u200d\\u2069",
            ),
            ("\u{e0041}", "\\udb40\\udc41"),
            ("one\r\n\ttwo", "one\\r\\n\\ttwo"),
            (
                "日本 e\u{301} ☃\u{fe0f} \u{a0}",
                "日本 e\u{301} ☃\u{fe0f} \u{a0}",
            ),
        ] {
            assert_eq!(escape(text), shown);
            assert_eq!(escape(shown), shown);
        }
        assert_eq!(escape_lines("one\ntwo\u{9b}"), "one\ntwo\\u009b");
    }

    proptest! {
        /// For any text, nothing interpreted or hidden remains, and it can be read back.
        #[test]
        fn nothing_hidden_is_left(text in any::<String>(), hidden in "[\u{0}-\u{1f}\u{7f}-\u{9f}\u{2028}-\u{202e}\u{2066}-\u{2069}]{0,4}") {
            let text = format!("{text}{hidden}");
            prop_assert!(!escape(&text).contains(is_hidden));
            let lines = escape_lines(&text);
            prop_assert!(!lines.replace('\n', "").contains(is_hidden));
            prop_assert_eq!(lines.matches('\n').count(), text.matches('\n').count());
        }
    }
}
