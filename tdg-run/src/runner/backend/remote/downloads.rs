//! Immutable data of a server, cached in the local store if it may be written.

use std::time::{SystemTime, UNIX_EPOCH};

use tdg_engine::TestId;
use tdg_engine::config::Settings;
use tdg_engine::store::{RunStore, unpinned_key};

/// A cache of texts by keys that identify them.
pub(super) struct Downloads {
    /// `None` if nothing may be written. Then everything is fetched.
    store: Option<RunStore>,
}

impl Downloads {
    pub(super) fn open(settings: &Settings) -> Self {
        let store = || RunStore::at(&settings.directory);
        Self {
            store: settings.may_write().then(store),
        }
    }

    /// Returns the cached text of that key. It may be damaged, so the caller verifies it.
    pub(super) fn get(&self, key: &str) -> Option<String> {
        self.store.as_ref()?.downloaded(key).ok().flatten()
    }

    /// Stores the time of a run that was compared with the cases in a file, which pins nothing.
    pub(super) fn keep_time_of_unpinned(&self, test: &TestId) {
        let time = SystemTime::now().duration_since(UNIX_EPOCH);
        if let Ok(time) = time {
            self.keep(&unpinned_key(test), &time.as_micros().to_string());
        }
    }

    /// Stores a text. If that fails, it is fetched again next time.
    pub(super) fn keep(&self, key: &str, text: &str) {
        if let Some(store) = &self.store {
            let _ = store.keep_download(key, text);
        }
    }
}
