//! UUIDs as text.

/// Returns true for a UUID: 32 hexadecimal digits, with hyphens after 8, 12, 16 and 20 of them.
///
/// ```
/// use tdg_definition::is_uuid;
///
/// assert!(is_uuid("0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10"));
/// assert!(!is_uuid("definitions/orders.json"));
/// ```
#[must_use]
pub fn is_uuid(text: &str) -> bool {
    let hyphens = [8, 13, 18, 23];
    let fits = |(index, byte): (usize, u8)| match byte {
        b'-' => hyphens.contains(&index),
        _ => byte.is_ascii_hexdigit() && !hyphens.contains(&index),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}
