//! What a server has sent and never changes, kept in the local store where there is one.

#[cfg(feature = "sqlite-system")]
use std::sync::Arc;

use tdg_engine::config::Settings;
#[cfg(feature = "sqlite-system")]
use tdg_engine::store::Store;

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

    /// What was kept under that key. Whoever asks sees whether it is what it should be: it may be damaged.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn kept(&self, key: &str) -> Option<String> {
        self.store.as_ref()?.downloaded(key).ok().flatten()
    }

    /// Keeps what the server has too. What can't be kept is fetched again.
    #[cfg(feature = "sqlite-system")]
    pub(super) fn keep(&self, key: &str, text: &str) {
        if let Some(store) = &self.store {
            let _ = store.keep_download(key, text);
        }
    }

    #[cfg(not(feature = "sqlite-system"))]
    pub(super) fn kept(&self, _: &str) -> Option<String> {
        None
    }

    #[cfg(not(feature = "sqlite-system"))]
    pub(super) fn keep(&self, _: &str, _: &str) {}
}
