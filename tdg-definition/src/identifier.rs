//! What names a definition on a server.

/// Whether a text is a UUID as servers write them, and so names a definition there and no file.
///
/// ```
/// use tdg_definition::is_identifier;
///
/// assert!(is_identifier("0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10"));
/// assert!(!is_identifier("definitions/orders.json"));
/// ```
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    let hyphens = [8, 13, 18, 23];
    let fits = |(index, byte): (usize, u8)| match byte {
        b'-' => hyphens.contains(&index),
        _ => byte.is_ascii_hexdigit() && !hyphens.contains(&index),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}
