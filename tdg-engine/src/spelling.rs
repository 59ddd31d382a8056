//! Names that are spelled otherwise.

/// The name without separators, in lower case: the same for `unit_price` and `unitPrice`.
pub(crate) fn letters(name: &str) -> String {
    let letters = name.chars().filter(|it| !matches!(it, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}
