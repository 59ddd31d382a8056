//! The servers that have answered this process: only they are worth a long wait.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

/// What this process knows of the servers that it has asked, by URL.
static SERVERS: Mutex<BTreeMap<String, State>> = Mutex::new(BTreeMap::new());

/// The time after which a line says what is waited for.
const LONG: Duration = Duration::from_secs(3);

#[derive(Clone, Copy)]
enum State {
    Answered,
    /// It was silent for that long, and is not asked again.
    GivenUp(Duration),
}

/// The server at a URL.
pub(super) struct Contact<'u> {
    url: &'u str,
}

impl<'u> Contact<'u> {
    pub(super) fn with(url: &'u str) -> Self {
        Self { url }
    }

    pub(super) fn has_answered(&self) -> bool {
        matches!(servers().get(self.url), Some(State::Answered))
    }

    /// The silence for which the server was given up.
    pub(super) fn given_up(&self) -> Option<Duration> {
        match servers().get(self.url) {
            Some(State::GivenUp(silence)) => Some(*silence),
            _ => None,
        }
    }

    pub(super) fn answered(&self) {
        servers().insert(self.url.to_owned(), State::Answered);
    }

    /// Gives the server up, unless it has answered before.
    pub(super) fn timed_out(&self, silence: Duration) {
        let state = State::GivenUp(silence);
        servers().entry(self.url.to_owned()).or_insert(state);
    }

    /// Makes a request. A first one that takes long is said to be waited for, once.
    pub(super) fn making<T>(&self, say: Option<fn(&str)>, request: impl FnOnce() -> T) -> T {
        static SAID: Once = Once::new();
        let Some(say) = say.filter(|_| !self.has_answered()) else {
            return request();
        };
        let url = self.url;
        let (done, is_done) = channel::<()>();
        thread::scope(|scope| {
            let wait = move || {
                if is_done.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                    SAID.call_once(|| say(url));
                }
            };
            // Without a thread, nothing is said.
            let _ = thread::Builder::new().spawn_scoped(scope, wait);
            let made = request();
            drop(done);
            made
        })
    }
}

fn servers() -> MutexGuard<'static, BTreeMap<String, State>> {
    SERVERS.lock().unwrap_or_else(PoisonError::into_inner)
}
