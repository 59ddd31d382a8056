//! The part of a string that needs no escapes.

const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
const QUOTES: u64 = 0x2222_2222_2222_2222;
const BACKSLASHES: u64 = 0x5c5c_5c5c_5c5c_5c5c;
// Carries a byte of seven bits into its eighth if it's at least 0x20, the first printable one.
const CARRY_PRINTABLE: u64 = 0x6060_6060_6060_6060;

/// Returns the number of leading bytes without `"`, `\` and control characters, which need escapes.
///
/// Processes eight bytes at once. No step overflows a byte, so the lanes stay independent.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<8>();
    let mut index = 0;
    while index < chunks.len() {
        let word = u64::from_le_bytes(chunks[index]);
        let quotes = word ^ QUOTES;
        let backslashes = word ^ BACKSLASHES;
        let printable = ((word & LOW_BITS) + CARRY_PRINTABLE) | word;
        let no_quote = ((quotes & LOW_BITS) + LOW_BITS) | quotes;
        let no_backslash = ((backslashes & LOW_BITS) + LOW_BITS) | backslashes;
        let special = !(printable & no_quote & no_backslash) & HIGH_BITS;
        if special != 0 {
            return index * 8 + (special.trailing_zeros() / 8) as usize;
        }
        index += 1;
    }
    let mut length = chunks.len() * 8;
    while length < bytes.len() && is_plain(bytes[length]) {
        length += 1;
    }
    length
}

fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_of_a_word_is_judged_like_a_byte_on_its_own() {
        for byte in 0..=u8::MAX {
            for place in 0..20 {
                for neighbour in [b'a', 0x80, 0xff, 0x20, 0x7f] {
                    let mut bytes = [neighbour; 20];
                    bytes[place] = byte;
                    let expected = if is_plain(byte) { 20 } else { place };
                    assert_eq!(plain_length(&bytes), expected, "{byte:#x} at {place}");
                }
            }
        }
    }
}
