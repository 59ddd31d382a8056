//! Bytes as hexadecimal text.

/// Writes bytes as hexadecimal digits, two for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the 16 bytes that [`hex`] wrote.
pub(crate) fn from_hex(text: &str) -> Option<[u8; 16]> {
    let number = u128::from_str_radix(text, 16).ok()?;
    (text.len() == 32).then(|| number.to_be_bytes())
}
