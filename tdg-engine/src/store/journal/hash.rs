//! A fast 64-bit hash for texts that aren't adversarial.

/// A hash of a sequence of parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextHash(u64);

/// The fractional digits of pi.
const SEED: u64 = 0x243f_6a88_85a3_08d3;
const FACTOR: u64 = 0x1319_8a2e_0370_7345;

impl Default for TextHash {
    fn default() -> Self {
        Self(SEED)
    }
}

impl TextHash {
    pub(super) fn with(self, text: &str) -> Self {
        let (words, rest) = text.as_bytes().as_chunks();
        let whole = words
            .iter()
            .fold(self, |it, word| it.with_word(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        whole
            .with_word(u64::from_le_bytes(last))
            .with_word(text.len() as u64)
    }

    /// Combines both halves of a product, so that each bit affects all others.
    pub(super) fn with_word(self, word: u64) -> Self {
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        Self(product as u64 ^ (product >> 64) as u64)
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}
