//! Alternative spellings of names.

/// Returns the name in lower case without separators: the same for `unit_price` and `unitPrice`.
pub(crate) fn letters(name: &str) -> String {
    let letters = name.chars().filter(|it| !matches!(it, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}
