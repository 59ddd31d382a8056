//! The key itself.

use std::fmt;

use hmac_sha256::Hash;
use subtle::ConstantTimeEq;
use tdg_engine::hex;

/// The number of hexadecimal digits of the public and the secret part of a key.
const NAME_DIGITS: usize = 12;
const SECRET_DIGITS: usize = 64;
const SCHEME: &str = "tdg_";

/// A key: `tdg_`, 12 public digits, `_`, and 256 secret bits as 64 digits. It can't be printed by
/// accident: only [`reveal`](IssuedKey::reveal) returns its text.
#[derive(Clone)]
pub(crate) struct IssuedKey(String);

/// The public part of a key: its text up to the secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Prefix(String);

/// The stored hash of a key. The key has 256 random bits, so a plain hash of it can't be searched.
#[derive(Clone, Copy)]
pub(crate) struct KeyHash([u8; 32]);

impl IssuedKey {
    /// Generates a key.
    ///
    /// # Errors
    ///
    /// If the random number generator of the operating system fails.
    pub(crate) fn generate() -> Result<IssuedKey, getrandom::Error> {
        let mut bytes = [0; (NAME_DIGITS + SECRET_DIGITS) / 2];
        getrandom::fill(&mut bytes)?;
        let digits = hex(&bytes);
        let (name, secret) = digits.split_at(NAME_DIGITS);
        Ok(IssuedKey(format!("{SCHEME}{name}_{secret}")))
    }

    /// Parses the key of a request.
    pub(crate) fn parse(text: &str) -> Option<IssuedKey> {
        let (name, secret) = text.strip_prefix(SCHEME)?.split_once('_')?;
        (are_digits(name, NAME_DIGITS) && are_digits(secret, SECRET_DIGITS))
            .then(|| IssuedKey(text.to_owned()))
    }

    pub(crate) fn prefix(&self) -> Prefix {
        Prefix(self.0[..SCHEME.len() + NAME_DIGITS].to_owned())
    }

    pub(crate) fn hash(&self) -> KeyHash {
        KeyHash(Hash::hash(self.0.as_bytes()))
    }

    /// Returns the text, to be printed once for its holder.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for IssuedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_…", self.prefix())
    }
}

fn are_digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Prefix {
    /// Returns the prefix in a text that is a prefix or a whole key.
    pub(crate) fn parse(text: &str) -> Option<Prefix> {
        if are_digits(text.strip_prefix(SCHEME)?, NAME_DIGITS) {
            return Some(Prefix(text.to_owned()));
        }
        IssuedKey::parse(text).map(|key| key.prefix())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Prefix {
    fn from(text: String) -> Self {
        Prefix(text)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl KeyHash {
    /// Converts from the stored form.
    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns true if both belong to the same key, in constant time.
    pub(crate) fn matches(&self, other: &KeyHash) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_key_is_parsed_and_differs_from_others() {
        let key = IssuedKey::generate().unwrap();
        assert_eq!(key.reveal().len(), 4 + 12 + 1 + 64);
        let read = IssuedKey::parse(key.reveal()).unwrap();
        assert!(read.hash().matches(&key.hash()));
        assert_eq!(read.prefix(), key.prefix());
        let other = IssuedKey::generate().unwrap();
        assert!(!other.hash().matches(&key.hash()));
        assert_ne!(other.prefix(), key.prefix());
    }

    #[test]
    fn malformed_keys_are_not_parsed() {
        let key = IssuedKey::generate().unwrap();
        for text in [
            "",
            "tdg_",
            "tdg__",
            "sk_123",
            &key.reveal()[..80],
            &format!("{}0", key.reveal()),
        ] {
            assert!(IssuedKey::parse(text).is_none(), "{text}");
        }
        assert!(IssuedKey::parse(&key.reveal().replace("tdg_", "tdg-")).is_none());
        assert!(IssuedKey::parse(&"é".repeat(40)).is_none());
    }

    #[test]
    fn a_prefix_is_parsed_from_itself_and_from_a_whole_key() {
        let key = IssuedKey::generate().unwrap();
        let prefix = key.prefix();
        assert_eq!(Prefix::parse(prefix.as_str()), Some(prefix.clone()));
        assert_eq!(Prefix::parse(key.reveal()), Some(prefix.clone()));
        for text in ["", "tdg_", &prefix.as_str()[..15], &key.reveal()[..80]] {
            assert_eq!(Prefix::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_debug_format_of_a_key_omits_its_secret() {
        let key = IssuedKey::generate().unwrap();
        let printed = format!("{key:?}");
        assert!(printed.starts_with(key.prefix().as_str()));
        assert!(!printed.contains(&key.reveal()[17..]));
    }
}
