//! What a service has sent and never changes, kept in the local store where there is one.

#[cfg(feature = "sqlite-system")]
use std::sync::Arc;

use crate::config::Settings;
use crate::report::Invalid;
#[cfg(feature = "sqlite-system")]
use crate::store::Store;

/// Texts by what identifies them.
pub(super) struct Downloads {
    /// None where nothing may be written or the store can't be used: then everything is fetched.
    #[cfg(feature = "sqlite-system")]
    store: Option<Arc<Store>>,
}

impl Downloads {
    #[cfg(feature = "sqlite-system")]
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            store: settings
                .may_write()
                .then(|| Store::shared(&settings.directory).ok())
                .flatten(),
        }
    }

    #[cfg(not(feature = "sqlite-system"))]
    pub(super) fn of(_: &Settings) -> Self {
        Self {}
    }

    /// What was kept, or else what `fetch` brings.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn get(
        &self,
        key: &str,
        fetch: impl FnOnce() -> Result<String, Invalid>,
    ) -> Result<String, Invalid> {
        if let Some(store) = &self.store
            && let Ok(Some(text)) = store.downloaded(key)
        {
            return Ok(text);
        }
        let text = fetch()?;
        self.keep(key, &text);
        Ok(text)
    }

    /// Keeps what the service has too. What can't be kept is fetched again.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn keep(&self, key: &str, text: &str) {
        if let Some(store) = &self.store {
            let _ = store.keep_download(key, text);
        }
    }

    #[cfg(not(feature = "sqlite-system"))]
    pub(super) fn keep(&self, _: &str, _: &str) {}

    #[cfg(not(feature = "sqlite-system"))]
    pub(super) fn get(
        &self,
        _: &str,
        fetch: impl FnOnce() -> Result<String, Invalid>,
    ) -> Result<String, Invalid> {
        fetch()
    }
}
