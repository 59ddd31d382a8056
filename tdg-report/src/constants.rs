//! The numbers and texts in a package's sources, which conditions prefer.

use std::fs;
use std::path::Path;

use tdg_definition::json::{Number, Value};

use crate::owner::sources;

/// The maximum size of all sources, in bytes.
const SIZE: usize = 4 << 20;
/// The maximum length of a text, in bytes.
const TEXT: usize = 64;

/// Returns the numbers and texts in the Rust files of the package in a directory, in order. Empty
/// if they can't be read.
pub fn source_constants(package: &Path) -> Vec<Value> {
    let mut constants = Vec::new();
    let mut left = SIZE;
    for path in sources(package) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let Some(rest) = left.checked_sub(text.len()) else {
            break;
        };
        left = rest;
        constants.extend(constants_of(&text));
    }
    constants.sort_unstable();
    constants.dedup();
    constants
}

/// Returns the numbers, characters and short texts in Rust code, without the ones in attributes. A
/// number after a minus is returned with both signs.
fn constants_of(code: &str) -> Vec<Value> {
    let mut constants = Vec::new();
    let (mut at, mut brackets, mut sign) = (0, 0_usize, ' ');
    while let Some(first) = code[at..].chars().next() {
        let (before, rest) = code.split_at(at);
        let mut found = Vec::new();
        let skipped = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => comment_length(rest),
            // The numbers of a definition aren't the code's.
            '#' if rest.starts_with("#[") || rest.starts_with("#![") => {
                brackets += 1;
                rest.find('[').map_or(1, |it| it + 1)
            }
            '[' if brackets > 0 => {
                brackets += 1;
                1
            }
            ']' => {
                brackets = brackets.saturating_sub(1);
                1
            }
            '"' | '\'' => {
                let (text, length) = match first {
                    '"' => text(before, rest),
                    _ => character(rest),
                };
                found.extend(text.map(Value::from));
                length
            }
            '0'..='9' => {
                let length = literal_length(rest);
                // The digits of names and the fields of tuples aren't constants.
                let is_name = |it: char| it.is_alphanumeric() || ['_', '.'].contains(&it);
                if !before.ends_with(is_name) {
                    let number = number_of(&rest[..length]);
                    let negated = number.filter(|_| sign == '-').map(negated);
                    found.extend(number.into_iter().chain(negated).map(Value::from));
                }
                length
            }
            _ => first.len_utf8(),
        };
        if brackets == 0 {
            constants.extend(found);
        }
        if !first.is_whitespace() {
            sign = first;
        }
        at += skipped;
    }
    constants
}

fn negated(number: Number) -> Number {
    match number.as_i128() {
        Some(integer) if !number.is_float() => (-integer).into(),
        _ => (-number.as_f64()).into(),
    }
}

/// Returns the length of a block comment, which may contain others.
fn comment_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, two) in code.as_bytes().windows(2).enumerate() {
        match two {
            b"/*" => depth += 1,
            b"*/" if depth == 1 => return at + 2,
            b"*/" => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// Returns the text of a string literal that begins `code`, unless it is long or has escapes, and
/// the length of the literal.
fn text<'c>(before: &str, code: &'c str) -> (Option<&'c str>, usize) {
    let start = before.trim_end_matches('#');
    let is_raw = start.strip_suffix('r').is_some_and(|it| {
        let it = it.strip_suffix(['b', 'c']).unwrap_or(it);
        !it.ends_with(|it: char| it.is_alphanumeric() || it == '_')
    });
    let inside = &code[1..];
    let mut is_escaped = false;
    let (end, quotes) = match is_raw {
        true => {
            let quote = format!("\"{}", &before[start.len()..]);
            (inside.find(&quote), quote.len())
        }
        false => {
            let is_end = |character| {
                let is_end = character == '"' && !is_escaped;
                is_escaped = character == '\\' && !is_escaped;
                is_end
            };
            (inside.find(is_end), 1)
        }
    };
    let Some(end) = end else {
        return (None, code.len());
    };
    let text = &inside[..end];
    let is_plain = !text.is_empty() && text.len() <= TEXT && (is_raw || !text.contains('\\'));
    (is_plain.then_some(text), 1 + end + quotes)
}

/// Returns the text of a character literal that begins `code`, unless it is escaped, and the length
/// of the literal. A lifetime has none.
fn character(code: &str) -> (Option<&str>, usize) {
    let mut characters = code.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((escaped, it))) => {
            let start = escaped + it.len_utf8();
            let end = code[start..].find('\'');
            (None, end.map_or(code.len(), |end| start + end + 1))
        }
        (Some((start, _)), Some((end, '\''))) => (Some(&code[start..end]), end + 1),
        _ => (None, 1),
    }
}

/// Returns the length of a number literal, with its suffix.
fn literal_length(code: &str) -> usize {
    let bytes = code.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_part = |at: usize| match bytes[at] {
        b'.' => is_digit(at + 1) && !code[..at].contains('.'),
        b'+' | b'-' => bytes[at - 1].eq_ignore_ascii_case(&b'e') && !code.starts_with("0x"),
        byte => byte.is_ascii_alphanumeric() || byte == b'_',
    };
    (1..bytes.len())
        .find(|at| !is_part(*at))
        .unwrap_or(code.len())
}

fn number_of(literal: &str) -> Option<Number> {
    let digits: String = literal.chars().filter(|it| *it != '_').collect();
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    let is_suffix = |at: &usize| {
        let suffix = &digits[*at..];
        let is_type = |kind: &str| {
            let width = suffix.strip_prefix(kind);
            width.is_some_and(|it| ["8", "16", "32", "64", "128", "size"].contains(&it))
        };
        is_type("i") || is_type("u") || (radix == 10 && is_type("f"))
    };
    let end = (1..digits.len()).find(is_suffix).unwrap_or(digits.len());
    let plain = &digits[..end];
    if radix != 10 {
        return i128::from_str_radix(&plain[2..], radix)
            .ok()
            .map(Number::from);
    }
    match plain.parse::<i128>() {
        Ok(integer) => Some(integer.into()),
        Err(_) => plain.parse::<f64>().ok().map(Number::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str) -> Vec<String> {
        constants_of(code).iter().map(Value::to_string).collect()
    }

    #[test]
    fn numbers_are_read_in_each_notation() {
        assert_eq!(
            texts("x > 30_000u32 && y < 0.25 || z == 0xFF"),
            ["30000", "0.25", "255"]
        );
        assert_eq!(
            texts("1e3 2.5e-3 1..=9 pair.0 u8 x1"),
            ["1000.0", "0.0025", "1", "9"]
        );
        assert_eq!(texts("x < -5 && y == a - 7"), ["5", "-5", "7", "-7"]);
    }

    #[test]
    fn comments_and_attributes_have_no_constants() {
        assert_eq!(texts("// 17\n/* 18 /* 19 */ 20 */ 21"), ["21"]);
        assert_eq!(texts("#[define(length(1..=2), x = [3])] 4"), ["4"]);
        assert_eq!(texts("#![cfg(\"]\")] 5 [6]"), ["5", "6"]);
    }

    #[test]
    fn texts_end_at_their_quotes() {
        assert_eq!(texts(r#""7 \" 8" 9"#), ["9"]);
        assert_eq!(texts(r#"c == '"' || n > 30"#), [r#""\"""#, "30"]);
        assert_eq!(
            texts(r##"r#"a " 5"# 7 r"\" 8"##),
            [r#""a \" 5""#, "7", r#""\\""#, "8"]
        );
        assert_eq!(
            texts(r"'\'' < '\u{7f}' && f::<'a>(2) == ','"),
            ["2", r#"",""#]
        );
    }

    #[test]
    fn any_text_is_read() {
        // The files of a package needn't compile.
        for text in [
            "'\\é' 3", "'é' 'ä", "\"ö", "r#\"ü", "/* ß", "'", "#[é", "'\\",
        ] {
            texts(text);
        }
    }

    #[test]
    fn a_package_ends_where_another_begins() -> std::io::Result<()> {
        let package = tempfile::tempdir()?;
        let write = |path: &str, text: &str| {
            let path = package.path().join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)
        };
        write("Cargo.toml", "")?;
        write("src/lib.rs", "const A: i32 = 12;")?;
        write("tests/rows.rs", "f(7)")?;
        write("target/CACHEDIR.TAG", "")?;
        write("target/debug/build.rs", "9")?;
        write("other/Cargo.toml", "")?;
        write("other/src/lib.rs", "33")?;
        let found = source_constants(package.path());
        assert_eq!(found, [7, 12].map(Value::from));
        assert!(source_constants(&package.path().join("none")).is_empty());
        Ok(())
    }
}
