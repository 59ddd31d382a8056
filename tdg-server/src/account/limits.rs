//! Limits of accounts.

use std::collections::BTreeMap;

/// Something that can be limited for an account.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Quota {
    /// Projects, definitions, ensembles, benchmarks, tests and decisions.
    Objects,
    /// The bytes of definitions, rows, expected outputs, records and assertions, as they are
    /// stored.
    Bytes,
    /// Assertions kept for each benchmark.
    History,
    /// Requests a second, to one server.
    Requests,
}

tdg_definition::names!(Quota::name {
    Objects = "objects", Bytes = "bytes", History = "history", Requests = "requests",
});

impl Quota {
    /// The quotas that limit storage.
    pub(crate) const STORED: [Quota; 2] = [Quota::Objects, Quota::Bytes];
}

/// The limits from the settings, which apply to all accounts, or the limits of a single account.
/// `None` means unlimited.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Limits(BTreeMap<Quota, Option<u64>>);

impl Limits {
    pub(crate) fn limit(&self, quota: Quota) -> Option<u64> {
        self.0.get(&quota).copied().flatten()
    }

    /// Returns true if there is an entry for the quota: a limit or `None`.
    pub(crate) fn states(&self, quota: Quota) -> bool {
        self.0.contains_key(&quota)
    }

    pub(crate) fn set(&mut self, quota: Quota, limit: Option<u64>) {
        self.0.insert(quota, limit);
    }

    /// Removes the entry of a quota.
    pub(crate) fn unset(&mut self, quota: Quota) {
        self.0.remove(&quota);
    }

    /// Returns the stored form, or `None` if there are no entries.
    pub(crate) fn to_text(&self) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        serde_json::to_string(self).ok()
    }

    pub(crate) fn from_text(text: Option<&str>) -> serde_json::Result<Limits> {
        text.map_or_else(|| Ok(Limits::default()), serde_json::from_str)
    }

    /// Returns these limits, with entries from `others` for missing quotas.
    pub(crate) fn or(&self, others: &Limits) -> Limits {
        let mut limits = others.clone();
        limits.0.extend(&self.0);
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(json: &str) -> Limits {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn an_account_overrides_what_all_have() {
        let all = limits(r#"{"objects":10,"bytes":20}"#);
        let own = limits(r#"{"bytes":null,"requests":5}"#);
        let both = own.or(&all);
        let quotas = [
            Quota::Objects,
            Quota::Bytes,
            Quota::History,
            Quota::Requests,
        ];
        assert_eq!(
            quotas.map(|quota| both.limit(quota)),
            [Some(10), None, None, Some(5)]
        );
        assert_eq!(
            quotas.map(|quota| both.states(quota)),
            [true, true, false, true]
        );
    }

    #[test]
    fn limits_are_stored_as_json() {
        let mut own = Limits::default();
        own.set(Quota::Bytes, None);
        own.set(Quota::Objects, Some(3));
        own.set(Quota::Requests, Some(1));
        own.unset(Quota::Requests);
        let json = own.to_text().unwrap();
        assert_eq!(json, r#"{"objects":3,"bytes":null}"#);
        assert_eq!(Limits::from_text(Some(&json)).unwrap(), own);
        assert_eq!(Limits::default().to_text(), None);
        assert_eq!(Limits::from_text(None).unwrap(), Limits::default());
        assert!(Limits::from_text(Some(r#"{"colour":1}"#)).is_err());
    }
}
