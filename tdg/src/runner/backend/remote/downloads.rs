//! Immutable data of a server, kept in the local store where there is one.

use std::sync::Arc;

use tdg_engine::config::Settings;
use tdg_engine::store::{self, RunStore};

/// Texts by keys that identify them.
pub(super) struct Downloads {
    /// None where nothing may be written or there is no store: then everything is fetched.
    store: Option<Arc<dyn RunStore>>,
}

impl Downloads {
    pub(super) fn of(settings: &Settings) -> Self {
        let open = || store::open(&settings.directory).ok().flatten();
        Self {
            store: settings.may_write().then(open).flatten(),
        }
    }

    /// The text that was kept under that key. It may be damaged: the caller checks it.
    pub(super) fn get(&self, key: &str) -> Option<String> {
        self.store.as_ref()?.downloaded(key).ok().flatten()
    }

    /// Keeps a text. If that fails, it is fetched again.
    pub(super) fn keep(&self, key: &str, text: &str) {
        if let Some(store) = &self.store {
            let _ = store.keep_download(key, text);
        }
    }
}
