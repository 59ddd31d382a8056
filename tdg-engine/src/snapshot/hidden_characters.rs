//! Characters that are invisible or that a terminal would interpret. They are escaped in the lines
//! of cases, so that a review shows them; the JSON value stays the same.

use std::borrow::Cow;

use tdg_definition::control;

/// The length of `\u202e`.
const ESCAPE: usize = 6;

/// Returns the JSON text as files have it, or `None` if it has no hidden characters.
pub(super) fn escaped(text: &str) -> Option<String> {
    // JSON always escapes the other ASCII control characters.
    let is_plain = text.is_ascii() && !text.as_bytes().contains(&0x7f);
    match is_plain {
        true => None,
        false => match control::escape(text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(escaped) => Some(escaped),
        },
    }
}

/// Escapes the hidden characters of the JSON text from `start` on.
pub(super) fn escape_from(text: &mut String, start: usize) {
    if let Some(escaped) = escaped(&text[start..]) {
        text.truncate(start);
        text.push_str(&escaped);
    }
}

/// Returns the text of a JSON value with its hidden characters unescaped, as runs write it.
pub(super) fn restored(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let mut restored = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        restored.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match hidden_character(rest) {
            Some((character, length)) => {
                restored.push(character);
                length
            }
            None => {
                let length = rest.chars().take(2).map(char::len_utf8).sum();
                restored.push_str(&rest[..length]);
                length
            }
        };
        rest = &rest[length..];
    }
    restored.push_str(rest);
    Cow::Owned(restored)
}

/// Returns the hidden character whose escape the text begins with, and the escape's length.
fn hidden_character(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let first = unit(0)?;
    let units = [first, unit(ESCAPE).unwrap_or_default()];
    let character = char::decode_utf16(units).next()?.ok()?;
    // Runs write all other escapes as well.
    let is_hidden = !character.is_ascii() || character == '\u{7f}';
    let is_hidden = is_hidden && escaped(character.encode_utf8(&mut [0; 4])).is_some();
    is_hidden.then_some((character, ESCAPE * character.len_utf16()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tdg_definition::json::Value;

    use super::super::{KeptCase, Snapshot, render, render_outputs, with_kept};
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_nothing_else_is() {
        for (text, in_file) in [
            ("\"a\u{202e}b\"", r#""a\u202eb""#),
            (
                "\"\u{2028}\u{2029}\u{85}\u{7f}\"",
                r#""\u2028\u2029\u0085\u007f""#,
            ),
            (
                "\"\u{200b}\u{200e}\u{61c}\u{feff}\"",
                r#""\u200b\u200e\u061c\ufeff""#,
            ),
            ("\"\u{e0041}\"", r#""\udb40\udc41""#),
            (
                "{\"\u{2066}k\":[\"\\\\\u{2067}\"]}",
                r#"{"\u2066k":["\\\u2067"]}"#,
            ),
        ] {
            assert_eq!(escaped(text).as_deref(), Some(in_file));
            assert_eq!(restored(in_file), text);
        }
        for text in [
            r#""\u001f\n\t""#,
            "\"Größe 日本 e\u{301}\"",
            r#""\\u202e""#,
            r#""\u00e9\ud800""#,
        ] {
            assert_eq!(escaped(text), None);
            assert_eq!(restored(text), text);
        }
    }

    #[test]
    fn a_file_shows_the_hidden_characters_of_all_its_rows_and_outputs() {
        let head = r#"{"tdg":1,"ensemble":"f","size":1,"seed":"0","sampler":1,"digest":"","definition":{}}"#;
        let text = "\"a\u{202e}b\"";
        let ensemble = Snapshot::parse(format!("{head}\n[[],1]\n")).unwrap();
        let write = |_, line: &mut String| line.push_str(text);
        let row = |_, line: &mut String| line.push_str(&format!("[{text}]"));
        let kept = KeptCase {
            row: format!("{{\"t\":{text}}}"),
            output: text.to_owned(),
        };
        for rendered in [
            render("f", "", ensemble.ensemble(), row, write),
            render_outputs("f", "", ensemble.ensemble(), write),
        ] {
            let rendered = with_kept(&rendered, std::slice::from_ref(&kept));
            assert_eq!(escaped(&rendered.replace('\n', "")), None);
            let read = Snapshot::parse(rendered).unwrap();
            assert_eq!(read.output_text(0).unwrap(), text);
            assert_eq!(read.kept(), std::slice::from_ref(&kept));
            assert!(
                read.rows()
                    .unwrap()
                    .iter()
                    .all(|row| *row == format!("[{text}]"))
            );
            let replaced = read.with_outputs_replaced(|_| Some(text.to_owned()));
            assert_eq!(replaced.unwrap(), read.text());
        }
    }

    proptest! {
        #[test]
        fn what_is_escaped_is_restored(text in any::<String>(), hidden in "[\\\\u\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{e0000}-\u{e007f}]{0,9}") {
            let json = Value::from(text + &hidden).to_string();
            let in_file = escaped(&json).unwrap_or_else(|| json.clone());
            prop_assert_eq!(control::escape(&in_file), in_file.as_str());
            prop_assert_eq!(restored(&in_file), json);
        }
    }
}
