//! Feed tokens. Anyone with an address that contains one can read a project's feed and badge.

use std::fmt;

use hmac_sha256::HMAC;
use subtle::ConstantTimeEq;
use tdg_engine::hex;
use tdg_service::Uuid;

use super::{KeyRecord, Prefix};

const CODE_BYTES: usize = 16;

/// A token: `tdg_4f9a1c20be77-` and 32 digits. These are the prefix of a key, and a code derived
/// from the key's hash and the project. It expires with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FeedToken {
    prefix: Prefix,
    code: String,
}

impl FeedToken {
    pub(crate) fn new(key: &KeyRecord, project: Uuid) -> Self {
        let code = HMAC::mac(
            [b"feed of ", &project.as_bytes()[..]].concat(),
            key.hash.as_bytes(),
        );
        FeedToken {
            prefix: key.prefix.clone(),
            code: hex(&code[..CODE_BYTES]),
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (prefix, code) = text.split_once('-')?;
        Some(FeedToken {
            prefix: Prefix::parse(prefix)?,
            code: code.to_owned(),
        })
    }

    /// The prefix of its key.
    pub(crate) fn prefix(&self) -> &Prefix {
        &self.prefix
    }

    /// Returns true if it belongs to the key and the project, in constant time.
    pub(crate) fn is_of(&self, key: &KeyRecord, project: Uuid) -> bool {
        let own = FeedToken::new(key, project);
        own.code.as_bytes().ct_eq(self.code.as_bytes()).into()
    }
}

impl fmt::Display for FeedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.prefix, self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Account;
    use crate::keys::{IssuedKey, Scopes};

    #[test]
    fn a_token_is_of_one_key_and_one_project() {
        let key = || {
            let key = IssuedKey::generate().unwrap();
            KeyRecord::new(&key, Account(1), "ci", Scopes::all())
        };
        let (key, other) = (key(), key());
        let [project, elsewhere] = [(); 2].map(|()| Uuid::new_v4());
        let token = FeedToken::new(&key, project);
        let read = FeedToken::parse(&token.to_string()).unwrap();
        assert_eq!(read, token);
        assert_eq!(read.prefix(), &key.prefix);
        assert!(read.is_of(&key, project));
        assert!(!read.is_of(&key, elsewhere) && !read.is_of(&other, project));
        for text in ["", "-", "tdg_4f9a1c20be77", &token.to_string()[1..]] {
            assert_eq!(FeedToken::parse(text), None, "{text}");
        }
        let cut = FeedToken::parse(&token.to_string()[..30]).unwrap();
        assert!(!cut.is_of(&key, project));
    }
}
