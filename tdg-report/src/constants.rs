//! The numbers in a package's sources, among which thresholds are looked for.

use std::fs;
use std::path::Path;

use tdg_definition::json::Number;

/// The maximum size of all sources, in bytes.
const SIZE: usize = 4 << 20;
/// The maximum depth of folders.
const DEPTH: usize = 8;

/// Returns the numbers in the Rust files of the package in a directory, in order. Empty if they
/// can't be read.
pub fn source_constants(package: &Path) -> Vec<Number> {
    let mut numbers = Vec::new();
    read_folder(package, DEPTH, &mut SIZE.clone(), &mut numbers);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn read_folder(folder: &Path, depth: usize, left: &mut usize, numbers: &mut Vec<Number>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_hidden = name.as_encoded_bytes().starts_with(b".") || name == "target";
        if is_hidden {
            continue;
        }
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let Some(rest) = left.checked_sub(text.len()) else {
                return;
            };
            *left = rest;
            numbers.extend(numbers_of(&text));
        } else if depth > 0 && !path.join("Cargo.toml").exists() {
            read_folder(&path, depth - 1, left, numbers);
        }
    }
}

/// Returns the number literals of Rust code. A number after a minus is returned with both signs.
fn numbers_of(code: &str) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut rest = code;
    let (mut before, mut sign) = (' ', ' ');
    while let Some(first) = rest.chars().next() {
        let skipped = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => text_length(rest),
            '0'..='9' => {
                let length = literal_length(rest);
                // The digits of names and the fields of tuples aren't constants.
                if !before.is_alphanumeric() && !['_', '.'].contains(&before) {
                    let number = number_of(&rest[..length]);
                    let negated = number.filter(|_| sign == '-').map(negated);
                    numbers.extend(number.into_iter().chain(negated));
                }
                length
            }
            _ => first.len_utf8(),
        };
        before = first;
        if !first.is_whitespace() {
            sign = first;
        }
        rest = &rest[skipped..];
    }
    numbers
}

fn negated(number: Number) -> Number {
    match number.as_i128() {
        Some(integer) if !number.is_float() => (-integer).into(),
        _ => (-number.as_f64()).into(),
    }
}

/// Returns the length of a string literal with its quotes.
fn text_length(code: &str) -> usize {
    let mut is_escaped = false;
    let end = code[1..].find(|character| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    });
    end.map_or(code.len(), |end| end + 2)
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
        numbers_of(code).iter().map(Number::to_string).collect()
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
    fn comments_and_texts_have_no_constants() {
        assert_eq!(texts("// 17\n\"18 \\\" 19\" 20"), ["20"]);
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
        write("target/debug/build.rs", "9")?;
        write("other/Cargo.toml", "")?;
        write("other/src/lib.rs", "33")?;
        let found: Vec<String> = source_constants(package.path())
            .iter()
            .map(Number::to_string)
            .collect();
        assert_eq!(found, ["7", "12"]);
        assert!(source_constants(&package.path().join("none")).is_empty());
        Ok(())
    }
}
