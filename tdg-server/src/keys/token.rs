//! Secrets of signed-in browsers, and of devices that wait for approval.

use std::fmt;

use hmac_sha256::Hash;
use tdg_engine::hex;

use super::KeyHash;

const DIGITS: usize = 64;

/// 256 random bits as digits. Only [`reveal`](SecretToken::reveal) returns them.
#[derive(Clone)]
pub(crate) struct SecretToken(String);

impl SecretToken {
    /// Generates a token.
    ///
    /// # Errors
    ///
    /// If the random number generator of the operating system fails.
    pub(crate) fn generate() -> Result<SecretToken, getrandom::Error> {
        let mut bytes = [0; DIGITS / 2];
        getrandom::fill(&mut bytes)?;
        Ok(SecretToken(hex(&bytes)))
    }

    pub(crate) fn parse(text: &str) -> Option<SecretToken> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_one = text.len() == DIGITS && text.bytes().all(is_digit);
        is_one.then(|| SecretToken(text.to_owned()))
    }

    /// Returns the hash that is stored.
    pub(crate) fn hash(&self) -> KeyHash {
        KeyHash::from_bytes(Hash::hash(self.0.as_bytes()))
    }

    /// Returns the text, for its holder only.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_parsed_and_not_printed_by_accident() {
        let token = SecretToken::generate().unwrap();
        let read = SecretToken::parse(token.reveal()).unwrap();
        assert!(read.hash().matches(&token.hash()));
        assert_eq!(format!("{token:?}"), "SecretToken(…)");
        for text in ["", &token.reveal()[1..], &"G".repeat(DIGITS)] {
            assert!(SecretToken::parse(text).is_none(), "{text}");
        }
    }
}
