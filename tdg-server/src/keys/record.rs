//! Stored keys.

use tdg_definition::control::escape;
use tdg_service::Timestamp;

use super::{IssuedKey, KeyHash, Prefix, ProjectLimit, Scopes};
use crate::account::Account;

/// A key as it is stored.
#[derive(Clone)]
pub(crate) struct KeyRecord {
    pub(crate) prefix: Prefix,
    pub(crate) hash: KeyHash,
    /// The account that it belongs to.
    pub(crate) account: Account,
    /// A name that its creator gave it.
    pub(crate) name: String,
    pub(crate) scopes: Scopes,
    /// The projects that it opens.
    pub(crate) projects: ProjectLimit,
    pub(crate) added: Timestamp,
    pub(crate) expires: Option<Timestamp>,
    pub(crate) revoked: Option<Timestamp>,
    /// The time of the last use, to the hour.
    pub(crate) used: Option<Timestamp>,
    /// The key that let it in, on a page.
    pub(crate) let_in_by: Option<Prefix>,
}

/// The reasons to refuse a key with a known prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The secret differs.
    Wrong,
    Expired,
    Revoked,
}

impl KeyRecord {
    /// Creates a record of a new key of an account.
    pub(crate) fn new(key: &IssuedKey, account: Account, name: &str, scopes: Scopes) -> Self {
        KeyRecord {
            prefix: key.prefix(),
            hash: key.hash(),
            account,
            name: name.to_owned(),
            scopes,
            projects: ProjectLimit::NONE,
            added: Timestamp::now(),
            expires: None,
            revoked: None,
            used: None,
            let_in_by: None,
        }
    }

    /// Returns its name, or its prefix if it has none.
    pub(crate) fn label(&self) -> String {
        match &*self.name {
            "" => self.prefix.to_string(),
            name => escape(name).into_owned(),
        }
    }

    /// Returns true if it is neither revoked nor expired.
    pub(crate) fn is_valid(&self, now: Timestamp) -> bool {
        self.admit(&self.hash, now).is_ok()
    }

    /// Checks that this is the key, and that it is valid at this time. Only holders of the whole
    /// key learn that it has expired or was revoked.
    pub(crate) fn admit(&self, key: &KeyHash, now: Timestamp) -> Result<(), Refusal> {
        if !self.hash.matches(key) {
            return Err(Refusal::Wrong);
        }
        if self.revoked.is_some() {
            return Err(Refusal::Revoked);
        }
        if self.expires.is_some_and(|expires| expires <= now) {
            return Err(Refusal::Expired);
        }
        Ok(())
    }
}

/// Returns the keys that a key let in, each followed by those that it let in itself.
pub(crate) fn descendants<'k>(of: &Prefix, keys: &'k [KeyRecord]) -> Vec<&'k KeyRecord> {
    let children = keys.iter().filter(|key| key.let_in_by.as_ref() == Some(of));
    let with_own = |key: &'k KeyRecord| [vec![key], descendants(&key.prefix, keys)].concat();
    children.flat_map(with_own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_valid_until_it_expires_or_is_revoked() {
        let key = IssuedKey::generate().unwrap();
        let mut record = KeyRecord::new(&key, Account(1), "ci", Scopes::all());
        let later = Timestamp::from_micros(record.added.as_micros() + 1);
        assert_eq!(record.admit(&key.hash(), later), Ok(()));

        record.expires = Some(later);
        assert_eq!(record.admit(&key.hash(), record.added), Ok(()));
        assert_eq!(record.admit(&key.hash(), later), Err(Refusal::Expired));

        record.revoked = Some(later);
        assert_eq!(
            record.admit(&key.hash(), record.added),
            Err(Refusal::Revoked)
        );
        let other = IssuedKey::generate().unwrap();
        assert_eq!(record.admit(&other.hash(), later), Err(Refusal::Wrong));
    }
}
