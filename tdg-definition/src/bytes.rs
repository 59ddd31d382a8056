//! Bytes as text, with the escapes of Rust's `b"…"`.

use std::fmt::Write;

use crate::fault::{Invalid, invalid};

/// Appends the bytes in escaped form.
///
/// ```
/// use tdg_definition::bytes::{escape, unescape};
///
/// let mut text = String::new();
/// escape(b"\xffGIF", &mut text);
/// assert_eq!(text, r"\xffGIF");
/// assert_eq!(unescape(&text)?, b"\xffGIF");
/// # Ok::<(), tdg_definition::Invalid>(())
/// ```
pub fn escape(bytes: &[u8], text: &mut String) {
    for &byte in bytes {
        match byte {
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte.into());
            }
            b' '..=b'~' => text.push(byte.into()),
            // Writing to a string can't fail.
            _ => drop(write!(text, "\\x{byte:02x}")),
        }
    }
}

/// Parses an escaped text.
///
/// # Errors
/// The part that isn't a byte, and the fix.
pub fn unescape(text: &str) -> Result<Vec<u8>, Invalid> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let byte = match character {
            '\\' => escaped(&mut rest)?,
            _ => match u8::try_from(character).ok().filter(u8::is_ascii) {
                Some(byte) => byte,
                None => {
                    let mut written = String::new();
                    escape(character.to_string().as_bytes(), &mut written);
                    return invalid!(
                        "has `{character}`, which is not a byte; write `{written}` for its UTF-8"
                    );
                }
            },
        };
        bytes.push(byte);
    }
    Ok(bytes)
}

/// Parses the byte after a `\`.
fn escaped(rest: &mut std::str::Chars<'_>) -> Result<u8, Invalid> {
    let digits = |rest: &mut std::str::Chars<'_>| {
        let mut digit = || rest.next()?.to_digit(16);
        let (high, low) = (digit()?, digit()?);
        u8::try_from(high * 16 + low).ok()
    };
    let byte = match rest.next() {
        Some('t') => Some(b'\t'),
        Some('n') => Some(b'\n'),
        Some('r') => Some(b'\r'),
        Some('0') => Some(0),
        Some('\\') => Some(b'\\'),
        Some('"') => Some(b'"'),
        Some('\'') => Some(b'\''),
        Some('x') => digits(rest),
        _ => None,
    };
    byte.ok_or_else(|| {
        "has a `\\` that starts no escape; write `\\\\` for the character, or `\\xff`, `\\n`, \
         `\\r`, `\\t`, `\\0`, `\\\"`"
            .into()
    })
}

/// Splits an escaped text into the parts that each represent one byte.
pub fn escapes(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let length = match rest.as_bytes() {
            [] => return None,
            [b'\\', b'x', ..] => 4,
            [b'\\', ..] => 2,
            _ => 1,
        };
        let (byte, others) = rest.split_at_checked(length)?;
        rest = others;
        Some(byte)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn escaped_text(bytes: &[u8]) -> String {
        let mut text = String::new();
        escape(bytes, &mut text);
        text
    }

    #[test]
    fn bytes_are_written_as_rust_writes_them() {
        assert_eq!(
            escaped_text(b"\xff\0GIF89a\r\n\"it's\" \\ \x7f"),
            r#"\xff\x00GIF89a\r\n\"it's\" \\ \x7f"#
        );
        assert_eq!(unescape(r"\0\'\xFF"), Ok(b"\0'\xff".to_vec()));
    }

    #[test]
    fn invalid_bytes_are_refused_with_a_fix() {
        let refused = |text| unescape(text).unwrap_err().to_string();
        insta::assert_snapshot!(refused("caf\u{e9}"), @r"has `é`, which is not a byte; write `\xc3\xa9` for its UTF-8");
        for text in ["\\", "\\q", "\\x", "\\xf", "\\xfg", "\\u{e9}"] {
            assert!(refused(text).contains("starts no escape"), "{text}");
        }
    }

    proptest! {
        #[test]
        fn bytes_are_read_as_they_were_written(bytes: Vec<u8>) {
            let text = escaped_text(&bytes);
            prop_assert!(text.is_ascii());
            prop_assert_eq!(escapes(&text).count(), bytes.len());
            prop_assert_eq!(escapes(&text).collect::<String>(), &*text);
            prop_assert_eq!(unescape(&text), Ok(bytes));
        }

        #[test]
        fn any_text_is_bytes_or_refused(text: String) {
            if let Ok(bytes) = unescape(&text) {
                prop_assert_eq!(unescape(&escaped_text(&bytes)), Ok(bytes));
            }
            prop_assert!(escapes(&text).count() <= text.len());
        }
    }
}
